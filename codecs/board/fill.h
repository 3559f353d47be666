/* SPDX-License-Identifier: MIT */
/* The fill: a position whose symbol may be chosen takes the guess, which costs next to nothing. */
#ifndef CODECS_BOARD_FILL_H
#define CODECS_BOARD_FILL_H

#include "stretch.h"

/* A codec's guess for position `j` of a stretch. */
typedef uint16_t board_guesser(const struct board_stretch *, unsigned j);

/* One block, whose first position has the number `first`. Without a board (`view` is null), fills
   free positions so that there are as few runs as possible. */
void board_fill_block(const struct board_view *view, board_guesser *, uint32_t value_count,
                      uint64_t first, const struct el_codec_plane *block);
/* A plane, block by block; a codec that never guesses, without the board. `codec`: its name, for
   progress. EL_MEMORY, EL_STOPPED. */
enum el_status board_fill(const char *codec, board_guesser *, const struct el_codec_params *,
                          const struct el_codec_plane *, const struct el_watch *,
                          struct el_error *);
/* Do all broken positions of a block have the guess as their symbol? Uses `over`. */
bool board_is_filled(struct board_over *over, const struct board_view *, board_guesser *,
                     uint64_t first, const uint16_t *symbols, size_t count);

#endif
