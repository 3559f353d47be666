/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CODECS_NET_WEIGH_H
#define CODECS_NET_WEIGH_H

#include "network.h"

/* A member of the codec. */
enum el_status net_weigh(const struct el_codec_params *, const struct el_codec_plane *, double *bits,
                         struct el_error *);

#endif
