/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Moves made on a board: a piece is taken up and put down, by clicks or by a cursor.
 *
 *     picker_point, picker_key ... -> PICKER_CHOSEN: *move is to be played
 */
#ifndef ENDLAB_TUI_VIEWS_PICKER_H
#define ENDLAB_TUI_VIEWS_PICKER_H

#include "view.h"

#include "endlab/game.h"

struct picker {
	uint8_t cursor; /* the square that keys point at */
	uint8_t picked; /* the square of the piece taken up; EL_NO_SQUARE */
	bool pointing;  /* keys move the cursor, until Tab or Esc */
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
	PICKER_UNUSED,    /* the key means nothing here */
	PICKER_NONE,      /* no move yet */
	PICKER_CHOSEN,    /* *move is the place of the move in the list */
	PICKER_AMBIGUOUS, /* captures of different pieces end alike: *move is the first of them, and
	                     the list is to be chosen from, which has been said */
};

/* No piece is taken up any more. */
void picker_drop(struct picker *);
/* Keys choose squares from now on, beginning with this one. */
void picker_point(struct model *, struct picker *, uint8_t square);
/* Takes up the piece on a square, or puts down the one that is taken up. */
enum picker_result picker_choose(struct model *, struct picker *, const struct picker_moves *,
                                 uint8_t square, int *move);
/* A key while `pointing`. */
enum picker_result picker_key(struct model *, struct picker *, const struct picker_moves *, int key,
                              int *move);
/* The squares that the piece taken up can go to. */
uint64_t picker_targets(const struct picker *, const struct picker_moves *);

#endif
