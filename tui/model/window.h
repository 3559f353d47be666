/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A board as a window on a table: all pieces stand still but one, which is tried on every square.
   In games that sow, it is one stone of a pit. */
#ifndef TUI_MODEL_WINDOW_H
#define TUI_MODEL_WINDOW_H

#include "core/games/game.h"

#include <stdbool.h>

/* The position with the piece on `piece` put on `to`; false when something else stands there. It
   may not be legal. */
bool window_try(const struct el_game *, const struct el_position *from, uint8_t piece, uint8_t to,
                struct el_position *out);
/* The square of the next piece, around to the first; the same one when there is no other. */
uint8_t window_next_piece(const struct el_game *, const struct el_position *, uint8_t square);
/* The piece that has most to tell: White's first one that is not of the first kind (a king has
   less). */
uint8_t window_telling_piece(const struct el_game *, const struct el_position *);

/* The square of that name on the game's board; EL_NO_SQUARE. */
uint8_t window_square(const struct el_game *, const char *name);

#endif
