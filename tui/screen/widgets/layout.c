/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "layout.h"

enum {
	SIDE_COLS_MIN = SLIM_COLS,
	SIDE_COLS = 44, /* beside a board that could be smaller */
	WIDE = 120,     /* screens this wide have room for a second board, */
	WIDE_SIDE = 34, /* and this much between them */
	SIDE_ROWS_MIN = 6,
	BELOW_ROWS = 4,
	BELOW_ROWS_TALL = 5,
	TALL = 40,
	HISTOGRAM_ROWS_MIN = 10,
};

/* Are two boards below each other? On wide screens, those of long rows are. */
static bool is_stacked(const struct el_game *game, int cols)
{
	return cols >= WIDE && game->files > 2 * game->ranks;
}

/* The greatest scale of `boards` boards beside a pane of `side` columns, above `below` rows. */
static int scale_for(const struct el_game *game, int rows, int cols, int boards, int side)
{
	const int down = is_stacked(game, cols) ? boards : 1, across = boards / down;
	int scale = 0;
	for (int k = 1; across * (board_cols(game, k) + 1) + side <= cols; k++)
		if (down * (board_rows(game, k) + 1) - 1 + (k > 2 ? BELOW_ROWS : 0) <= rows)
			scale = k;
	return scale;
}

/* The greatest scale that leaves room for a second board beside it of that scale or one less, set in
   *second; 0 if none does. Points are so far apart that men are drawn large only on a large board: the
   second may be two sizes smaller. */
static int scale_with_second(const struct el_game *game, int rows, int cols, int *second)
{
	const int apart = game->neighbours ? 2 : 1, side = game->neighbours ? SLIM_COLS : WIDE_SIDE;
	int scale = 0;
	for (int k = 2; cols >= WIDE && board_rows(game, k) + (k > 2 ? BELOW_ROWS : 0) <= rows; k++)
		for (int smaller = k > 2 + apart ? k - apart : 2; smaller <= k; smaller++)
			if (board_cols(game, k) + board_cols(game, smaller) + 2 + side <= cols) {
				scale = k;
				*second = smaller;
			}
	return scale;
}

static void lay_out_wide(struct layout *l, const struct el_game *game, int rows, int cols)
{
	const int width = board_cols(game, l->scale), height = board_rows(game, l->scale);
	const bool stacked = l->second_scale && is_stacked(game, cols);
	const int most = rows >= TALL ? BELOW_ROWS_TALL : BELOW_ROWS;
	const int spare = rows - height - (stacked ? 1 + board_rows(game, l->second_scale) : 0);
	const int below = spare < 2 ? 0 : spare < most ? spare : most;
	l->board.rows = height;
	l->board.cols = width;
	l->side.x = width + 1;
	l->side.rows = rows - below;
	l->side.cols = cols - l->side.x;
	l->below.y = rows - below;
	l->below.rows = below;
	l->below.cols = cols;
	if (stacked) {
		l->second.y = height + 1;
		l->second.rows = l->side.rows - l->second.y;
		l->second.cols = width;
		/* Few moves are possible in these games: half of the side pane is enough. */
		if (l->side.rows / 2 >= HISTOGRAM_ROWS_MIN && l->side.cols >= SIDE_COLS_MIN) {
			l->histogram.rows = l->side.rows / 2;
			l->histogram.y = l->side.rows - l->histogram.rows;
			l->side.rows = l->histogram.y - 1;
			l->histogram.x = l->side.x;
			l->histogram.cols = l->side.cols;
		}
	} else if (l->second_scale) {
		/* The second board at the right edge, and the space below it. */
		const int second_rows = board_rows(game, l->second_scale),
			  left = l->side.rows - second_rows - 1;
		l->second.cols = board_cols(game, l->second_scale);
		l->second.x = cols - l->second.cols;
		l->second.rows = l->side.rows;
		l->side.cols = l->second.x - 1 - l->side.x;
		if (left >= HISTOGRAM_ROWS_MIN) {
			l->second.rows = second_rows;
			l->histogram.y = second_rows + 1;
			l->histogram.x = l->second.x;
			l->histogram.rows = left;
			l->histogram.cols = l->second.cols;
		}
	} else if (l->side.rows - height >= HISTOGRAM_ROWS_MIN) {
		l->histogram.y = height + 1;
		l->histogram.rows = l->side.rows - height - 1;
		l->histogram.cols = width;
	}
}

struct layout layout_make(const struct el_game *game, enum layout_kind kind, bool largest, int rows,
                          int cols)
{
	struct layout l = {0};
	const int one = scale_for(game, rows, cols, 1, SIDE_COLS);
	const int tight = scale_for(game, rows, cols, 1, SIDE_COLS_MIN);
	const int stacked = board_scale(game, rows - SIDE_ROWS_MIN, cols);
	if (largest) {
		/* The side pane gets all that the boards leave, if enough to read. */
		const int boards = kind == TWO_BOARDS ? 2 : 1;
		const int down = is_stacked(game, cols) ? boards : 1, across = boards / down;
		while (down * (board_rows(game, l.scale + 1) + 1) <= rows + 1 &&
		       across * (board_cols(game, l.scale + 1) + 1) <= cols + 1)
			l.scale++;
		l.second_scale = boards > 1 ? l.scale : 0;
		l.scale += !l.scale;
		lay_out_wide(&l, game, rows, cols);
		if (l.side.cols < SIDE_COLS_MIN)
			l.side.cols = 0;
		return l;
	}
	if (kind == BOARD_AND_SECOND && is_stacked(game, cols))
		l.scale = l.second_scale = scale_for(game, rows, cols, 2, SIDE_COLS);
	else if (kind == BOARD_AND_SECOND)
		l.scale = scale_with_second(game, rows, cols, &l.second_scale);
	if (kind == TWO_BOARDS)
		l.scale = scale_for(game, rows, cols, 2, SIDE_COLS);
	if (kind == TWO_BOARDS && l.scale < 2)
		l.scale = scale_for(game, rows, cols, 2, 0);
	if (kind == TWO_BOARDS)
		l.second_scale = l.scale;
	if (!l.scale)
		l.scale = one > 2 ? one : tight > 2 ? 2 : tight ? tight : stacked ? stacked : 1;
	if (l.second_scale || tight || !stacked) {
		lay_out_wide(&l, game, rows, cols);
	} else {
		l.board.rows = l.side.y = board_rows(game, l.scale);
		l.board.cols = l.side.cols = cols;
		l.side.rows = rows - l.board.rows;
	}
	return l;
}

struct pane pane_part(struct pane p, struct part part)
{
	return pane_sub(p, part.y, part.x, part.rows, part.cols);
}
