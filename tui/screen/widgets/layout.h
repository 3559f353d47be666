/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How views with a board share the screen: the board is always in the same place. */
#ifndef ENDLAB_TUI_WIDGETS_LAYOUT_H
#define ENDLAB_TUI_WIDGETS_LAYOUT_H

#include "board.h"

/* Rectangles within the view's pane; no rows: there is no room for it. */
struct layout {
	int scale; /* of the board */
	struct {
		int y, x, rows, cols;
	} board, side, below, map, histogram;
};

/* The second board stands in the place `map`. */
enum layout_boards {
	ONE_BOARD,
	TWO_BOARDS,         /* they go before the side pane where there is no room for all */
	TWO_BOARDS_IF_ROOMY /* as large as there is room for beside a side pane, else one */
};

struct layout layout_make(const struct el_game *, enum layout_boards, int rows, int cols);

/* The parts of a view's pane. */
struct pane layout_board(const struct layout *, struct pane);
struct pane layout_side(const struct layout *, struct pane);
struct pane layout_below(const struct layout *, struct pane);
struct pane layout_map(const struct layout *, struct pane);
struct pane layout_histogram(const struct layout *, struct pane);

#endif
