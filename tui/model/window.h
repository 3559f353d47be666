/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A board as a window on a table: all pieces but one stay in place, and that one is tried on every
   square. In games that sow, it is one stone of a pit. */
#ifndef TUI_MODEL_WINDOW_H
#define TUI_MODEL_WINDOW_H

#include "core/games/game.h"

#include <stdbool.h>

/* The position after moving the piece on `piece` to `to`; it may be illegal. False if another piece
   stands there. */
bool window_try(const struct el_game *, const struct el_position *from, uint8_t piece, uint8_t to,
                struct el_position *out);
/* The square of the next piece, wrapping around; the same square if there is no other. */
uint8_t window_next_piece(const struct el_game *, const struct el_position *, uint8_t square);
/* The most informative piece: White's first one that is not of the first kind (a king tells
   less). */
uint8_t window_telling_piece(const struct el_game *, const struct el_position *);

/* The square of that name on the game's board, or EL_NO_SQUARE. */
uint8_t window_square(const struct el_game *, const char *name);

#endif
