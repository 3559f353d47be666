/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "moves.h"

#include "core/probe/probe.h"
#include "tui/screen/roles.h"

#include <stdio.h>
#include <string.h>

enum { SAN_AT = 2, DEPTH_COLS = 5, DEPTH_END_MIN = 15, IN_FULL_COLS = 42 };

/* A run of moves with the same outcome under the rule, and its visible window. */
struct group {
	int first, count;
	enum el_outcome outcome;
	int top, rows; /* first + top is the first visible move */
};

enum { GROUPS_MAX = EL_OUTCOMES };

struct drawing {
	const struct el_answer *answer;
	const struct list *list;
	size_t rank; /* of the metric in el_ranked.value */
	bool in_moves;
	unsigned deepest; /* plies, of all moves */
	int depth_end;    /* the column after the depths: the longest move fits before them */
	struct group groups[GROUPS_MAX];
	int group_count;
	struct pane pane;
};

static struct el_value value_of(const struct drawing *d, int i)
{
	return d->answer->moves[i].value[d->rank];
}

static bool is_in(const struct group *g, int move)
{
	return move >= g->first && move < g->first + g->count;
}

/* Gives the group rows, up to `most` in all. */
static void give(struct group *g, int most, int *spare)
{
	int more = (most < g->count ? most : g->count) - g->rows;
	more = more < *spare ? more : *spare;
	if (more <= 0)
		return;
	g->rows += more;
	*spare -= more;
}

/* Gives each group up to `most` rows, the selected one first. */
static void share(struct drawing *d, int most, int *spare)
{
	for (int i = 0; i < d->group_count; i++)
		if (is_in(&d->groups[i], d->list->at))
			give(&d->groups[i], most, spare);
	for (int i = 0; i < d->group_count; i++)
		give(&d->groups[i], most, spare);
}

static void draw_heading(const struct drawing *d, int y, const struct group *g)
{
	bool is_deep = value_is_deep(d->answer->metric, value_of(d, g->first));
	const char *unit = is_deep ? depth_unit(d->answer->metric, d->in_moves) : "";
	int end = pane_text(d->pane, y, 0, outcome_role(g->outcome), outcome_group(g->outcome));
	if (pane_is_slim(d->pane)) {
		end = pane_print(d->pane, y, end + 1, ROLE_STRONG, "%d", g->count);
		/* Any closer, it would look like the unit of the count. */
		if (end + 2 + utf8_length(unit) <= d->pane.cols)
			pane_right(d->pane, y, d->pane.cols, ROLE_DIM, unit);
		return;
	}
	int count_at = end + 1 > d->depth_end - 4 ? end + 1 : d->depth_end - 4;
	end = pane_print(d->pane, y, count_at, ROLE_STRONG, "%4d", g->count);
	if (is_deep)
		end = pane_print(
			d->pane, y, end + 2, ROLE_DIM, "%s%s",
			d->pane.cols < IN_FULL_COLS ? "" : kind_words(d->answer->metric)->of_moves,
			unit);
	if (d->answer->moves[g->first].only)
		end = pane_text(d->pane, y, end + 2, ROLE_DIM,
		                end + 2 + (int)strlen("only move") <= d->pane.cols ? "only move"
		                                                                   : "only");
	char more[24];
	snprintf(more, sizeof more, "%d more", g->count - g->rows);
	if (g->rows < g->count && end + 2 + utf8_length(more) <= d->pane.cols)
		pane_text(d->pane, y, end + 2, ROLE_DIM, more);
}

/* How much of a move's name repeats the row above, if the two differ only in what they capture. */
static int repeated(const struct drawing *d, const struct group *g, int i)
{
	const struct el_ranked *this = &d->answer->moves[i], *above = this - 1;
	const char *end = strrchr(this->san, 'x');
	if (i == g->first + g->top || !end || this->move.captured == above->move.captured ||
	    el_move_squares(&this->move) != el_move_squares(&above->move) ||
	    strncmp(this->san, above->san, (size_t)(end - this->san)))
		return 0;
	return (int)(end - this->san);
}

static void draw_move(const struct drawing *d, const struct group *g, int y, int i)
{
	struct el_value value = value_of(d, i);
	struct pane row = pane_row(d->pane, y);
	int bar_at = d->depth_end + 2;
	bool is_selected = i == d->list->at;
	pane_select(row, is_selected);
	bool is_deep = value_is_deep(d->answer->metric, value);
	char demand[DEMAND_MAX], number[VALUE_NUMBER_MAX];
	const bool demands = !is_deep && *demand_text(d->answer, (size_t)i, false, demand);
	int san_cols = (is_deep || demands ? d->depth_end - DEPTH_COLS : d->pane.cols) - SAN_AT;
	const int known = is_selected ? 0 : repeated(d, g, i);
	pane_text(pane_sub(row, 0, SAN_AT, 1, san_cols), 0, known,
	          is_selected ? ROLE_STRONG : ROLE_TEXT, d->answer->moves[i].san + known);
	pane_zone(row, ZONE_ITEM, i);
	if (demands) {
		const int at = d->depth_end - DEPTH_COLS + 1;
		if (at + utf8_length(demand) > row.cols)
			demand_text(d->answer, (size_t)i, true, demand);
		pane_wrap(pane_sub(row, 0, at, 1, row.cols - at), 0, ROLE_DIM, demand);
	}
	if (!is_deep)
		return;
	int room = d->pane.cols - bar_at - 1;
	int bar = (int)(value.plies * (unsigned)(room > 0 ? room : 0) / d->deepest);
	pane_print_right(row, 0, d->depth_end, ROLE_TEXT, "%s%s",
	                 !value.at_most          ? ""
	                 : d->pane.canvas->ascii ? "<="
	                                         : "≤",
	                 value_number(d->answer->metric, value, d->in_moves, number));
	if (el_ranked_is_rough(&d->answer->moves[i], d->answer->metric))
		pane_text(row, 0, d->depth_end, ROLE_TEXT, "~");
	else if (value.rounded)
		pane_text(row, 0, d->depth_end, ROLE_TEXT, "±");
	pane_bar(row, 0, bar_at, outcome_role(d->answer->moves[i].outcome), bar ? bar : 1);
}

void moves_draw(const struct el_answer *answer, const struct list *list, bool in_moves,
                struct pane pane)
{
	struct drawing d = {.answer = answer, .list = list, .in_moves = in_moves, .pane = pane};
	d.rank = answer->metric ? el_metric_rank(answer->metric) : 0;
	d.deepest = 1;
	d.depth_end = DEPTH_END_MIN;
	for (int i = 0; i < (int)answer->count; i++) {
		const int needed = SAN_AT + utf8_length(answer->moves[i].san) + DEPTH_COLS;
		d.deepest = value_of(&d, i).plies > d.deepest ? value_of(&d, i).plies : d.deepest;
		d.depth_end = needed > d.depth_end ? needed : d.depth_end;
	}
	/* Moves with many captures have long names; they are cut off if there is no room. */
	d.depth_end = d.depth_end < pane.cols ? d.depth_end : pane.cols;
	struct group *last = NULL;
	for (int i = 0; i < (int)d.answer->count; i++) {
		enum el_outcome outcome = d.answer->moves[i].outcome;
		if ((!last || last->outcome != outcome) && d.group_count < GROUPS_MAX) {
			last = &d.groups[d.group_count++];
			*last = (struct group){.first = i, .outcome = outcome};
		}
		last->count++;
	}
	/* Each group shows its best move; remaining rows go to the selected group, then to the
	   others in order. */
	int rows = d.pane.rows, spare = rows > d.group_count ? rows - d.group_count : 0;
	share(&d, 1, &spare);
	share(&d, rows, &spare);
	for (int i = 0; i < d.group_count; i++) {
		struct group *g = &d.groups[i];
		struct list inside = {g->count, d.list->at - g->first};
		g->top = is_in(g, d.list->at) ? list_top(&inside, g->rows) : 0;
	}
	int y = 0;
	for (const struct group *g = d.groups; g < d.groups + d.group_count; g++) {
		draw_heading(&d, y++, g);
		for (int i = 0; i < g->rows; i++)
			draw_move(&d, g, y++, g->first + g->top + i);
	}
}
