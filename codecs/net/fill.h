/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is free becomes the guess. */
#ifndef CODECS_NET_FILL_H
#define CODECS_NET_FILL_H

#include "view.h"

/* One block, which begins with position `first`; `view` null: there is no board, and it gets as few runs
   as can be. */
void net_fill_block(const struct net_view *view, uint32_t value_count, uint64_t first,
                    const struct el_codec_plane *block);
/* A member of the codec: guesses need nothing that is learned. */
enum el_status net_fill(const struct el_codec_params *, const struct el_codec_plane *,
                        const struct el_watch *, struct el_error *);

#endif
