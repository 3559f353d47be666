/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "layout.h"

enum {
	SIDE_COLS_MIN = SLIM_COLS,
	SIDE_COLS = 44,  /* beside a board that could be smaller */
	SIDE_ROWS_MIN = 6,
	BELOW_ROWS = 4,
	BELOW_ROWS_TALL = 5,
	TALL = 40,
	HISTOGRAM_ROWS_MIN = 10,
};

/* The greatest scale of `boards` boards beside a pane of `side` columns, above `below` rows. */
static int scale_for(const struct el_game *game, int rows, int cols, int boards, int side)
{
	int scale = 0;
	for (int k = 1; boards * (board_cols(game, k) + 1) + side <= cols; k++)
		if (board_rows(game, k) + (k > 2 ? BELOW_ROWS : 0) <= rows)
			scale = k;
	return scale;
}

static int rows_below(int rows, int board)
{
	int most = rows >= TALL ? BELOW_ROWS_TALL : BELOW_ROWS;
	int spare = rows - board;
	return spare < 2 ? 0 : spare < most ? spare : most;
}

static void lay_out_wide(struct layout *l, const struct el_game *game, int rows, int cols, bool map)
{
	int width = board_cols(game, l->scale), height = board_rows(game, l->scale);
	int below = rows_below(rows, height), side_x = width + 1;
	int map_x = map ? cols - width : cols;
	l->board.rows = height;
	l->board.cols = width;
	l->side.x = side_x;
	l->side.rows = rows - below;
	l->side.cols = map_x - side_x - (map ? 1 : 0);
	if (l->side.rows - height >= HISTOGRAM_ROWS_MIN) {
		l->histogram.y = height + 1;
		l->histogram.rows = l->side.rows - height - 1;
		l->histogram.cols = width;
	}
	l->below.y = rows - below;
	l->below.rows = below;
	l->below.cols = cols;
	if (map) {
		l->map.x = map_x;
		l->map.rows = rows - below;
		l->map.cols = width;
	}
}

static void lay_out_stacked(struct layout *l, const struct el_game *game, int rows, int cols)
{
	l->board.rows = l->side.y = board_rows(game, l->scale);
	l->board.cols = l->side.cols = cols;
	l->side.rows = rows - l->board.rows;
}

struct layout layout_make(const struct el_game *game, enum layout_boards boards, int rows, int cols)
{
	struct layout l = {0};
	const int beside = scale_for(game, rows, cols, 2, SIDE_COLS);
	const int one = scale_for(game, rows, cols, 1, SIDE_COLS);
	const int tight = scale_for(game, rows, cols, 1, SIDE_COLS_MIN);
	const int stacked = board_scale(game, rows - SIDE_ROWS_MIN, cols);
	const bool roomy = beside > 2 || (beside == 2 && one == 2);
	const bool two = boards == TWO_BOARDS || (boards == TWO_BOARDS_IF_ROOMY && roomy);
	int both = two ? beside : 0;
	if (two && both < 2)
		both = scale_for(game, rows, cols, 2, 0);
	l.scale = both ? both : one > 2 ? one : tight > 2 ? 2 : tight ? tight : stacked ? stacked : 1;
	if (both || tight || !stacked)
		lay_out_wide(&l, game, rows, cols, both);
	else
		lay_out_stacked(&l, game, rows, cols);
	return l;
}

struct pane layout_board(const struct layout *l, struct pane p)
{
	return pane_sub(p, l->board.y, l->board.x, l->board.rows, l->board.cols);
}

struct pane layout_side(const struct layout *l, struct pane p)
{
	return pane_sub(p, l->side.y, l->side.x, l->side.rows, l->side.cols);
}

struct pane layout_below(const struct layout *l, struct pane p)
{
	return pane_sub(p, l->below.y, l->below.x, l->below.rows, l->below.cols);
}

struct pane layout_map(const struct layout *l, struct pane p)
{
	return pane_sub(p, l->map.y, l->map.x, l->map.rows, l->map.cols);
}

struct pane layout_histogram(const struct layout *l, struct pane p)
{
	return pane_sub(p, l->histogram.y, l->histogram.x, l->histogram.rows, l->histogram.cols);
}
