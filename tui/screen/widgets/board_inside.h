/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What boards of squares and boards of points have in common while they are drawn. */
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

#endif
