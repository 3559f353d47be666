/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawing code shared by boards of squares, of points on lines (points.c) and of pits (pits.c), and
   the functions by which board.c draws the latter two. */
#ifndef TUI_SCREEN_WIDGETS_BOARD_INSIDE_H
#define TUI_SCREEN_WIDGETS_BOARD_INSIDE_H

#include "board.h"

/* A square's place on the screen. */
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
/* Its mark, and whether that is shown. */
const struct square_mark *square_mark(const struct board *, const struct square *);
bool square_has_mark(const struct board *, const struct square *);
/* The background of the square, and that of its mark, if that is a value. */
enum role square_role(const struct board *, const struct square *);
enum role mark_role(const struct square_mark *);
/* Marks a special square at both sides if its background does not show it to everyone: in every row
   except that of the mark, or, with pieces as letters, in one. Returns whether that took the last column. */
bool square_draw_edges(const struct board *, const struct square *, enum role ground);

/* ---- points on lines ---- */

/* Draws the board without its points, in a pane with as many squares as it has files and ranks. */
void lines_draw(const struct board *, struct pane);
/* Draws what stands on one of these squares, whose middle is a point. */
void point_draw(const struct board *, const struct square *);

/* ---- pits that hold stones ---- */

enum {
	PITS_ABOVE = 1, /* rows of names above the pits, in addition to those below */
	STORE_COLS = 4, /* on each side */
};

/* Draws the names of the pits and what each side has taken: on the left for the side at the top, on
   the right for the other. `p` is the whole board. */
void pits_draw_around(const struct board *, struct pane p);
/* Draws the stones in one of these squares, which is a pit. */
void pit_draw(const struct board *, const struct square *);

#endif
