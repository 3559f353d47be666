/* SPDX-License-Identifier: MIT */
/* The fill: a position whose symbol may be chosen takes the guess, which costs next to nothing. */
#ifndef CODECS_NET_FILL_H
#define CODECS_NET_FILL_H

#include "view.h"

/* One block, whose first position has the number `first`. Without a board (`view` is null), fills
   free positions so that there are as few runs as possible. */
void net_fill_block(const struct net_view *view, uint32_t value_count, uint64_t first,
                    const struct el_codec_plane *block);
/* A member of the codec: guesses need nothing that is learned. */
enum el_status net_fill(const struct el_codec_params *, const struct el_codec_plane *,
                        const struct el_watch *, struct el_error *);

#endif
