/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curve of the line shown: what each half-move left, above the middle for the side that moves
   first, below it for the other. The sooner the end, the farther from the middle: the line's latest
   stands at a quarter of the way. */
#include "explore.h"

#include "tui/text/text.h"

#include <stdio.h>

const char *explore_no_curve(const struct model *m)
{
	return m->play.walk.length > 1 ? NULL : "No move has been played.";
}

/* The value after a move for the side that moves first. False if it is not known. */
static bool worth(const struct model *m, uint32_t node, enum el_outcome *outcome, unsigned *plies)
{
	const struct el_move_verdict *v = verdict_of(m, node);
	const struct el_tree *tree = m->play.walk.tree;
	if (!v || v->kind == EL_VERDICT_UNKNOWN || v->kind == EL_VERDICT_BEYOND)
		return false;
	const uint32_t parent = el_tree_node(tree, node)->parent;
	const bool first = el_tree_node(tree, parent)->position.side == tree->game->first_side;
	*outcome = first ? v->after : el_outcome_negate(v->after);
	*plies = v->metric && value_is_deep(v->metric, v->got) ? v->got.plies : 0;
	return true;
}

enum { SUM_ROWS = 4, GRAPH_ROWS_MIN = 6 };

/* What the line's moves cost each side, and how many were judged; in a short pane, one row of it.
   Returns the rows used. */
static int draw_sum(const struct model *m, struct pane p)
{
	const struct walk *w = &m->play.walk;
	const struct el_game *game = play_game(m);
	struct el_line_sum sum = {0};
	char lost[24], text[EXTENT_MAX];
	for (size_t i = 1; i < w->length; i++)
		el_line_sum_add(&sum, w->tree, w->line[i], verdict_of(m, w->line[i]));
	const char *unit = depth_unit(el_game_metric(game), false);
	snprintf(lost, sizeof lost, "%s lost", unit);
	if (p.rows < SUM_ROWS + GRAPH_ROWS_MIN) {
		snprintf(text, sizeof text, "mistakes %u : %u, %s %u : %u", sum.side[0].mistakes,
		         sum.side[1].mistakes, lost, sum.side[0].lost, sum.side[1].lost);
		pane_text(p, 0, 0, ROLE_TEXT, text);
		return 1;
	}
	const bool wide = p.cols > 6 + 9 + 2 * 13;
	const int width = wide ? 12 : 6;
	pane_print(p, 0, 0, ROLE_DIM, "%15s %*s %*s", "mistakes", width,
	           wide ? "half-points" : "halves", width, wide ? lost : unit);
	for (unsigned side = 0; side < 2; side++)
		pane_print(p, 1 + (int)side, 0, ROLE_TEXT, "%-6s %8u %*u %*u", game->sides[side],
		           sum.side[side].mistakes, width, sum.side[side].halves, width,
		           sum.side[side].lost);
	const struct pane rest = pane_sub(p, SUM_ROWS - 1, 0, 2, p.cols);
	return SUM_ROWS - 1 + pane_wrap(rest, 0, ROLE_DIM, extent_text(&sum, text));
}

void explore_draw_curve(const struct model *m, struct pane p)
{
	const struct walk *w = &m->play.walk;
	/* Below the sum: the mark of the place, the graph, the marks of mistakes. */
	const int y0 = draw_sum(m, p);
	const struct pane area = pane_sub(p, y0 + 1, 0, p.rows - y0 - 2, p.cols - 1);
	const size_t count = w->length - 1, cols = area.cols > 0 ? (size_t)area.cols : 1;
	const int half = area.rows; /* half cells on each side of the middle */
	if (area.rows < 3)
		return;
	unsigned deepest = 1, depth;
	enum el_outcome any;
	for (size_t i = 1; i <= count; i++)
		if (worth(m, w->line[i], &any, &depth) && depth > deepest)
			deepest = depth;
	const size_t width = count <= cols ? cols / count < 3 ? cols / count : 3 : 1;
	for (size_t x = 0; x < cols; x++) {
		/* The half-moves of this column; it shows the last one, and any mistake. */
		const size_t from = count <= cols ? x / width : x * count / cols;
		const size_t to = count <= cols ? from + 1 : (x + 1) * count / cols;
		if (from >= count)
			break;
		enum el_outcome outcome = EL_UNKNOWN;
		depth = 0;
		bool wrong = false, here = false;
		const bool known = worth(m, w->line[to], &outcome, &depth);
		for (size_t i = from; i < to; i++) {
			const struct el_move_verdict *v = verdict_of(m, w->line[i + 1]);
			wrong = wrong || (v && (v->kind == EL_VERDICT_THREW ||
			                        v->kind == EL_VERDICT_MISSED));
			here = here || i + 1 == w->at;
		}
		const struct pane column = pane_sub(area, 0, (int)x, area.rows, 1);
		const bool middle = x % width == width / 2;
		if (here && middle) /* also for screens without colours */
			pane_put(p, y0, (int)x, ROLE_STRONG, 'v');
		if (here)
			pane_fill(pane_sub(p, y0 + 1, (int)x, p.rows - y0 - 1, 1), ROLE_SELECTED);
		const int up = outcome == EL_WIN ? 1 : outcome == EL_LOSS ? -1 : 0;
		const int cells = up ? half - (int)(depth * (unsigned)half * 3 / (4 * deepest)) : 0;
		const enum role role = up > 0 ? ROLE_WIN : up < 0 ? ROLE_LOSS : ROLE_DRAW;
		const bool ascii = p.canvas->ascii;
		for (int y = 0; y < area.rows; y++) {
			/* The two halves of this row, counted from the middle upwards. */
			const int upper = half - 2 * y, lower = upper - 1;
			const bool top = up > 0 ? upper > 0 && upper <= cells
			                        : up < 0 && upper <= 0 && -upper < cells;
			const bool low = up > 0 ? lower > 0 && lower <= cells
			                        : up < 0 && lower <= 0 && -lower < cells;
			if (top || low)
				pane_put(column, y, 0, role,
				         ascii        ? (up > 0 ? '#' : 'o')
				         : top && low ? 0x2588
				         : top        ? 0x2580
				                      : 0x2584);
			else if (y == half / 2)
				pane_put(column, y, 0, known ? ROLE_DRAW : ROLE_DIM,
				         ascii   ? (known ? '=' : '.')
				         : known ? 0x2500
				                 : 0xB7);
		}
		if (wrong && middle)
			pane_put(p, p.rows - 1, (int)x, ROLE_ERROR, '?');
		pane_zone(pane_sub(p, y0 + 1, (int)x, p.rows - y0 - 1, 1), ZONE_NODE,
		          (int)w->line[to]);
	}
}
