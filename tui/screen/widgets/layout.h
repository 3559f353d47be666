/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How views with a board share the screen: the board is always in the same place. */
#ifndef TUI_SCREEN_WIDGETS_LAYOUT_H
#define TUI_SCREEN_WIDGETS_LAYOUT_H

#include "board.h"

/* Rectangles within the view's pane; one without rows does not fit. */
struct layout {
	int scale;        /* of the board */
	int second_scale; /* of the board that fits in `second` */
	struct {
		int y, x, rows, cols;
	} board, side, below, second, histogram;
};

enum layout_kind {
	ONE_BOARD,
	/* equally large; if space is short, the side pane is dropped first */
	TWO_BOARDS,
	BOARD_AND_SECOND, /* the second equally large or little smaller, only on wide screens */
};

/* `largest`: the boards take precedence over everything else. */
struct layout layout_make(const struct el_game *, enum layout_kind, bool largest, int rows,
                          int cols);

/* The parts of a view's pane. */
struct pane layout_board(const struct layout *, struct pane);
struct pane layout_side(const struct layout *, struct pane);
struct pane layout_below(const struct layout *, struct pane);
struct pane layout_second(const struct layout *, struct pane);
struct pane layout_histogram(const struct layout *, struct pane);

#endif
