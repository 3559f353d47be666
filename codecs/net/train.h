/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CODECS_NET_TRAIN_H
#define CODECS_NET_TRAIN_H

#include "network.h"

/* A member of the codec. */
enum el_status net_prepare(const struct el_codec_params *, const struct el_codec_plane *,
                           const struct el_watch *, uint8_t **learned, size_t *size,
                           struct el_error *);

#endif
