/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Moves made on a board, by clicks or a cursor: the user picks up a piece and puts it down, or puts
 * one from the hand down at once. If that leaves open which piece is captured, the user chooses it
 * last.
 *
 *     picker_point, picker_update ... -> PICKER_CHOSEN: *move is to be played
 */
#ifndef TUI_SHELL_PICKER_H
#define TUI_SHELL_PICKER_H

#include "tui/screen/widgets/board.h"
#include "view.h"

struct picker {
	uint8_t cursor; /* the square under the keyboard cursor */
	uint8_t picked; /* the square of the piece picked up, or EL_NO_SQUARE */
	bool pointing;  /* keys move the cursor, until Tab or Esc */
	bool taking;    /* only the captured piece is left to choose */
	uint8_t to;     /* the destination of that move */
};

/* The choice: a position and its legal moves. */
struct picker_moves {
	const struct el_game *game;
	const struct el_position *position;
	const struct el_move *moves;
	size_t count;
	bool flipped; /* as the board is drawn */
};

enum picker_result {
	PICKER_UNUSED,    /* the event has no meaning here */
	PICKER_NONE,      /* no move yet */
	PICKER_CHOSEN,    /* *move is the move's place in the list */
	PICKER_AMBIGUOUS, /* captures of different pieces look alike: *move is the first of them.
	                     The user was told to choose the piece, or a move in the list */
};

/* Drops the piece picked up. */
void picker_drop(struct picker *);
/* From now on keys choose squares, starting at the first one of this move. */
void picker_point(struct model *, struct picker *, const struct el_move *);
/* Picks up the piece on a square, or puts down the one picked up. */
enum picker_result picker_choose(struct model *, struct picker *, const struct picker_moves *,
                                 uint8_t square, int *move);
/* A click on a square, or a key while `pointing`. */
enum picker_result picker_update(struct model *, struct picker *, const struct picker_moves *,
                                 const struct event *, int *move);
/* Shows the state of the choice on a board about to be drawn. `made`: room for the position after
   the move, with the piece still to be chosen uncaptured. */
void picker_show(const struct picker *, const struct picker_moves *, struct board *,
                 struct el_position *made);

#endif
