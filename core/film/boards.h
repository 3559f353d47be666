/* SPDX-License-Identifier: MIT */
/*
 * A film as a board of boards: two pieces of a position are tried on every square, the first one as
 * the tile, the second one as the cell within it; all others stand still. In games that sow, they
 * are two stones, and squares are pits.
 */
#ifndef CORE_FILM_BOARDS_H
#define CORE_FILM_BOARDS_H

#include "film.h"

struct el_boards {
	struct el_position position;
	uint8_t outer, inner; /* squares of the two pieces; a pit may hold both stones */
};

/* A position of the film's slice, and the two pieces that tell most: the weaker side's first one
   (a lone king), and the stronger side's first one. False if the slice has only one piece. */
bool el_boards_choose(const struct el_game *, const struct el_position *, struct el_boards *out);
/* The square of the next piece that may take the place of `square`, which is `outer` or `inner`. */
uint8_t el_boards_next(const struct el_game *, const struct el_boards *, uint8_t square);
/* The position with the outer piece on `tile` and the inner one on `cell`, and that side to move; it
   may be illegal. False if there is no room. */
bool el_boards_try(const struct el_game *, const struct el_boards *, unsigned side, uint8_t tile,
                   uint8_t cell, struct el_position *out);

#endif
