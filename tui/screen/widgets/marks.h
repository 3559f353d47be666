/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Squares that the user marks on a board, and their grading:
 *
 *     marks_begin -> marks_key, marks_toggle ... -> marks_grade
 *
 * Drawn through board.cursor and board.marks (marks_draw), distinguished by words as well as
 * colours.
 */
#ifndef TUI_SCREEN_WIDGETS_MARKS_H
#define TUI_SCREEN_WIDGETS_MARKS_H

#include "board.h"
#include "tui/screen/event.h"

enum { MARKS_SQUARES = 64 };

struct marks {
	uint8_t cursor; /* a square of the board */
	bool graded;    /* no more marking */
	uint64_t marked;
	uint64_t expected; /* once graded */
};

struct marks_count {
	unsigned right, wrong, missed;
};

/* No square is marked; the cursor is in the middle of the board. */
void marks_begin(struct marks *, const struct el_game *);
/* Moves the cursor to a square and, unless graded, toggles its mark. */
void marks_toggle(struct marks *, uint8_t square);
/* Arrows and hjkl move the cursor, Enter marks. False if the key has no meaning here. */
bool marks_key(struct marks *, const struct el_game *, bool flipped, int key);
/* The same; a click on a square also marks it. */
bool marks_update(struct marks *, const struct el_game *, bool flipped, const struct event *);
/* Grades the marks against the squares expected. */
void marks_grade(struct marks *, uint64_t expected);
/* The counts of a graded board. */
struct marks_count marks_count(const struct marks *);
/* Right squares as a percentage of those right, wrong or missed; 100 if there are none. */
unsigned marks_percent(const struct marks *);
/* The text in each square: '*' for a mark; once graded "yes", "no" or "miss". */
void marks_draw(const struct marks *, struct square_mark out[MARKS_SQUARES]);

/* Moves a cursor by arrows or hjkl. False if the key is none of them. */
bool square_steer(const struct el_game *, bool flipped, int key, uint8_t *square);

#endif
