/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How Explore, Set up and Map share the screen: the board always in the same place. */
#ifndef ENDLAB_TUI_VIEWS_EXPLORE_SCREEN_H
#define ENDLAB_TUI_VIEWS_EXPLORE_SCREEN_H

#include "../../model/model.h"
#include "../../screen/widgets/board.h"

/* Rectangles within the view's pane; no rows: there is no room for it. */
struct layout {
	int scale; /* of the board */
	struct {
		int y, x, rows, cols;
	} board, side, below, map, histogram;
};

/* A board, and, for `two`, a second one in the place of the map: as large as there is room for beside
   a side pane. Two boards that leave no room for one go before it. */
struct layout board_layout(const struct model *, const struct el_game *, bool two);
struct layout explore_layout(const struct model *);
void explore_draw(const struct model *, struct pane);
/* The board with the last move and a check marked. */
struct board explore_board(const struct model *);

/* The parts of a view's pane. */
struct pane layout_board(const struct layout *, struct pane);
struct pane layout_side(const struct layout *, struct pane);
struct pane layout_below(const struct layout *, struct pane);
struct pane layout_map(const struct layout *, struct pane);

/* One square on with the cursor. */
void cursor_left(struct model *);
void cursor_right(struct model *);
void cursor_up(struct model *);
void cursor_down(struct model *);

#endif
