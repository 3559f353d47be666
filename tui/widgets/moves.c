/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "moves.h"

#include "../values.h"

enum { SAN_AT = 2, DEPTH_END = 15, BAR_AT = 17 };

/* A run of moves with the same outcome. */
struct group {
	int first, end;
	enum el_outcome outcome;
};

struct drawing {
	const struct el_answer *answer;
	const struct list *list;
	size_t rank;      /* of the metric in el_ranked.value */
	bool in_moves;
	unsigned deepest; /* plies, of all moves */
	int top, bottom;  /* the moves that are seen: top <= i < bottom */
	struct pane pane;
};

static struct el_value value_of(const struct drawing *d, int i)
{
	return d->answer->moves[i].value[d->rank];
}

static bool next_group(const struct drawing *d, struct group *g)
{
	int count = (int)d->answer->count;
	if (g->end >= count)
		return false;
	g->first = g->end;
	g->outcome = value_of(d, g->first).outcome;
	while (g->end < count && value_of(d, g->end).outcome == g->outcome)
		g->end++;
	return true;
}

static int count_groups(const struct drawing *d)
{
	struct group g = {0};
	int count = 0;
	while (next_group(d, &g))
		count++;
	return count;
}

static unsigned deepest(const struct drawing *d)
{
	unsigned most = 1;
	for (int i = 0; i < (int)d->answer->count; i++)
		if (value_of(d, i).plies > most)
			most = value_of(d, i).plies;
	return most;
}

static void draw_heading(const struct drawing *d, int y, const struct group *g)
{
	int seen_from = g->first > d->top ? g->first : d->top;
	int seen_to = g->end < d->bottom ? g->end : d->bottom;
	int hidden = g->end - g->first - (seen_to > seen_from ? seen_to - seen_from : 0);
	enum role role = outcome_role(g->outcome);
	pane_text(d->pane, y, 0, role, outcome_group(g->outcome));
	int end = pane_print(d->pane, y, DEPTH_END - 4, ROLE_STRONG, "%4d", g->end - g->first);
	if (value_is_deep(d->answer->metric, value_of(d, g->first)))
		end = pane_print(d->pane, y, end + 2, ROLE_DIM, "depth in %s",
				 depth_unit(d->in_moves));
	if (hidden > 0)
		pane_print(d->pane, y, end + 2, ROLE_DIM, "%d more", hidden);
}

static void draw_move(const struct drawing *d, int y, int i)
{
	struct el_value value = value_of(d, i);
	struct pane row = pane_sub(d->pane, y, 0, 1, d->pane.cols);
	bool is_selected = i == d->list->at;
	if (is_selected)
		pane_fill(row, ROLE_SELECTED);
	pane_text(row, 0, 0, ROLE_STRONG, is_selected ? ">" : " ");
	pane_text(row, 0, SAN_AT, is_selected ? ROLE_STRONG : ROLE_TEXT, d->answer->moves[i].san);
	pane_zone(row, ZONE_ITEM, i);
	if (!value_is_deep(d->answer->metric, value))
		return;
	int room = d->pane.cols - BAR_AT - 1;
	int bar = (int)(value.plies * (unsigned)(room > 0 ? room : 0) / d->deepest);
	pane_print(row, 0, DEPTH_END - 4, ROLE_TEXT, "%4u", depth_shown(value.plies, d->in_moves));
	pane_bar(row, 0, BAR_AT, outcome_role(value.outcome), bar ? bar : 1);
}

void moves_draw(const struct el_answer *answer, const struct list *list, bool in_moves,
                struct pane pane)
{
	struct drawing d = {.answer = answer, .list = list, .in_moves = in_moves, .pane = pane};
	d.rank = answer->metric ? el_metric_rank(answer->metric) : 0;
	d.deepest = deepest(&d);
	int rows = pane.rows - count_groups(&d);
	d.top = list_top(list, rows);
	d.bottom = d.top + (rows > 0 ? rows : 0);
	int y = 0;
	for (struct group g = {0}; next_group(&d, &g);) {
		draw_heading(&d, y++, &g);
		for (int i = g.first; i < g.end; i++)
			if (i >= d.top && i < d.bottom)
				draw_move(&d, y++, i);
	}
}
