/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Squares that a person marks on a board, and what comes of it:
 *
 *     marks_begin -> marks_key, marks_toggle ... -> marks_grade
 *
 * Drawn through board.cursor and board.marks (marks_draw), and told apart by words as well as by
 * colours.
 */
#ifndef TUI_SCREEN_WIDGETS_MARKS_H
#define TUI_SCREEN_WIDGETS_MARKS_H

#include "board.h"
#include "tui/screen/event.h"

enum { MARKS_SQUARES = 64 };

struct marks {
	uint8_t cursor; /* a square of the board */
	bool graded;    /* nothing can be marked any more */
	uint64_t marked;
	uint64_t expected; /* once it is graded */
};

struct marks_count {
	unsigned right, wrong, missed;
};

/* No square is marked; the cursor is in the middle of the board. */
void marks_begin(struct marks *, const struct el_game *);
/* Marks a square, or takes its mark away, unless it is graded; and puts the cursor there. */
void marks_toggle(struct marks *, uint8_t square);
/* Arrows and hjkl move the cursor, Enter marks. False when the key means nothing here. */
bool marks_key(struct marks *, const struct el_game *, bool flipped, int key);
/* The same, and a click on a square marks. */
bool marks_update(struct marks *, const struct el_game *, bool flipped, const struct event *);
/* Grades what is marked by the squares that should be. */
void marks_grade(struct marks *, uint64_t expected);
/* Of what is graded. */
struct marks_count marks_count(const struct marks *);
/* Of 100: the right ones among all that are right, wrong or missed; 100 where there are none. */
unsigned marks_percent(const struct marks *);
/* What stands in each square: '*' of a mark; once it is graded "yes", "no" or "miss". */
void marks_draw(const struct marks *, struct square_mark out[MARKS_SQUARES]);

/* A key that moves a cursor: arrows and hjkl. False when it is none of them. */
bool square_steer(const struct el_game *, bool flipped, int key, uint8_t *square);

#endif
