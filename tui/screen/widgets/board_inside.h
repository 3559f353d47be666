/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What boards of squares, of points on lines (points.c) and of pits (pits.c) have in common while
   they are drawn, and what board.c draws the latter with. */
#ifndef TUI_SCREEN_WIDGETS_BOARD_INSIDE_H
#define TUI_SCREEN_WIDGETS_BOARD_INSIDE_H

#include "board.h"

/* The place of one on the screen. */
struct square {
	struct pane pane;
	int middle, centre; /* the row and the column of a glyph in it */
	uint8_t number;     /* EL_NO_SQUARE where no piece can stand */
	bool is_dark;
};

static inline bool has(uint64_t set, uint8_t square)
{
	return square < 64 && (set >> square & 1);
}

bool square_has_piece(const struct board *, const struct square *);
/* Its mark; and whether that is shown. */
const struct square_mark *square_mark(const struct board *, const struct square *);
bool square_has_mark(const struct board *, const struct square *);
/* The background of all of it, and that of its mark, which is a value. */
enum role square_role(const struct board *, const struct square *);
enum role square_value_role(const struct square_mark *, const struct square *);
/* Marks a special square at both its sides, where its background does not show that to everyone: in
   every row but that of the mark, or, with pieces in letters, in one. */
void square_draw_edges(const struct board *, const struct square *, enum role ground);

/* ---- points on lines ---- */

/* The board without its points, in a pane of as many squares as it has files and ranks. */
void lines_draw(const struct board *, struct pane);
/* What stands on one of these squares, whose middle is a point. */
void point_draw(const struct board *, const struct square *);

/* ---- pits that hold stones ---- */

enum {
	PITS_ABOVE = 1, /* rows of names above the pits, besides those below */
	STORE_COLS = 4, /* at either side */
};

/* The names of the pits, and what each side has taken, around them: of the side at the top on the
   left, of the other on the right. `p`: the whole board. */
void pits_draw_around(const struct board *, struct pane p);
/* The stones in one of these squares, which is a pit. */
void pit_draw(const struct board *, const struct square *);

#endif
