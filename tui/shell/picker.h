/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Moves made on a board: a piece is taken up and put down, by clicks or by a cursor; one from the
 * hand is put down at once. Where that leaves open which piece is taken, that one is chosen last.
 *
 *     picker_point, picker_update ... -> PICKER_CHOSEN: *move is to be played
 */
#ifndef TUI_SHELL_PICKER_H
#define TUI_SHELL_PICKER_H

#include "tui/screen/widgets/board.h"
#include "view.h"

struct picker {
	uint8_t cursor; /* the square that keys point at */
	uint8_t picked; /* the square of the piece taken up; EL_NO_SQUARE */
	bool pointing;  /* keys move the cursor, until Tab or Esc */
	bool taking;    /* the move is chosen but for the piece that it takes, */
	uint8_t to;     /* and goes to this square */
};

/* What is chosen from: a position, and its legal moves. */
struct picker_moves {
	const struct el_game *game;
	const struct el_position *position;
	const struct el_move *moves;
	size_t count;
	bool flipped; /* as the board is drawn */
};

enum picker_result {
	PICKER_UNUSED,    /* the event means nothing here */
	PICKER_NONE,      /* no move yet */
	PICKER_CHOSEN,    /* *move is the place of the move in the list */
	PICKER_AMBIGUOUS, /* captures of different pieces end alike: *move is the first of them. The
	                     piece, or one in the list, is to be chosen, which has been said */
};

/* No piece is taken up any more. */
void picker_drop(struct picker *);
/* Keys choose squares from now on, beginning with the first one of this move. */
void picker_point(struct model *, struct picker *, const struct el_move *);
/* Takes up the piece on a square, or puts down the one that is taken up. */
enum picker_result picker_choose(struct model *, struct picker *, const struct picker_moves *,
                                 uint8_t square, int *move);
/* A click on a square, or a key while `pointing`. */
enum picker_result picker_update(struct model *, struct picker *, const struct picker_moves *,
                                 const struct event *, int *move);
/* Where the choice stands, for a board that is about to be drawn. `made`: room for the position
   once the move is made, but for the piece that is still to be chosen. */
void picker_show(const struct picker *, const struct picker_moves *, struct board *,
                 struct el_position *made);

#endif
