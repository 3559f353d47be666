/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How views with a board share the screen: the board is always in the same place. */
#ifndef TUI_SCREEN_WIDGETS_LAYOUT_H
#define TUI_SCREEN_WIDGETS_LAYOUT_H

#include "board.h"

/* A part of a view's pane; one without rows does not fit. */
struct part {
	int y, x, rows, cols;
};

struct layout {
	int scale;        /* of the board */
	int second_scale; /* of the board that fits in `second` */
	struct part board, side, below, second, histogram;
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

struct pane pane_part(struct pane, struct part);

#endif
