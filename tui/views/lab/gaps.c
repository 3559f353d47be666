/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaps: a few values of a block, whose broken positions the user fills by hand. */
#include "inspector.h"

#include "tui/screen/roles.h"
#include "tui/shell/overlay.h"
#include "tui/text/text.h"
#include "tui/views/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The values fit beside their label on every screen. No fill: the gap stays broken. */
enum { CELLS = 48, LABEL_COLS = 11 };

struct gaps {
	/* inspector.tables, the block, and the row in front of which the view was entered */
	unsigned table;
	uint64_t block;
	int row;
	size_t from;                 /* the first value shown, within the block */
	size_t at;                   /* the selected gap */
	struct el_value fill[CELLS]; /* by gap; EL_BROKEN: not filled yet */
};

OWN_STATE(static, gaps, struct gaps);

/* The values shown, as solved, and the gap that each belongs to. */
struct row {
	const struct el_value *value;
	size_t count, gaps;
	int gap[CELLS]; /* -1: none */
};

static bool find_row(const struct model *m, struct row *out)
{
	const struct inspector *in = inspector_of(m);
	const size_t from = gaps_of(m)->from;
	*out = (struct row){.value = NULL};
	if (!in->has_block || from >= in->shown.count)
		return false;
	out->value = in->shown.before + from;
	out->count = in->shown.count - from < CELLS ? in->shown.count - from : CELLS;
	for (size_t i = 0; i < out->count; i++) {
		const bool broken = in->shown.care[from + i] == EL_CARE_NOT;
		out->gaps += broken && (!i || out->gap[i - 1] < 0);
		out->gap[i] = broken ? (int)out->gaps - 1 : -1;
	}
	return true;
}

/* The value of cell `i`, filled; EL_BROKEN in a gap without a fill. */
static struct el_value filled(const struct gaps *g, const struct row *row, size_t i)
{
	return row->gap[i] < 0 ? row->value[i] : g->fill[row->gap[i]];
}

/* Runs of equal values: as solved, with the fill, and the fewest that a fill can leave, which are
   those of the values without the gaps. */
struct runs {
	uint64_t solved, filled, fewest;
};

static struct runs count_runs(const struct gaps *g, const struct row *row)
{
	struct runs runs = {0};
	const struct el_value *last = NULL;
	for (size_t i = 0; i < row->count; i++) {
		const struct el_value now = filled(g, row, i);
		runs.solved += !i || !el_value_equal(row->value[i], row->value[i - 1]);
		runs.filled += !i || !el_value_equal(now, filled(g, row, i - 1));
		if (row->gap[i] >= 0)
			continue;
		runs.fewest += !last || !el_value_equal(*last, row->value[i]);
		last = &row->value[i];
	}
	return runs;
}

/* ---- what the keys do ---- */

static void open_all(struct model *m)
{
	struct gaps *g = gaps_of(m);
	g->at = 0;
	for (size_t i = 0; i < CELLS; i++)
		g->fill[i] = (struct el_value){.outcome = EL_BROKEN};
}

static const char *no_gap(const struct model *m)
{
	struct row row;
	return !find_row(m, &row) ? "There is no block yet."
	       : row.gaps         ? NULL
	                          : "All of these positions are legal.";
}

static void step_gap(struct model *m, int by)
{
	struct row row;
	find_row(m, &row);
	gaps_of(m)->at = (gaps_of(m)->at + row.gaps + (size_t)by) % row.gaps;
}

/* The values in the row, each once, are what a gap can be filled with; then it is open again. */
static void change_fill(struct model *m, int by)
{
	struct gaps *g = gaps_of(m);
	struct el_value all[CELLS + 1] = {{.outcome = EL_BROKEN}};
	struct row row;
	size_t count = 1, now = 0;
	find_row(m, &row);
	for (size_t i = 0; i < row.count; i++) {
		size_t known = 1;
		while (known < count && !el_value_equal(all[known], row.value[i]))
			known++;
		if (row.gap[i] < 0 && known == count)
			all[count++] = row.value[i];
	}
	while (now < count && !el_value_equal(all[now], g->fill[g->at]))
		now++;
	g->fill[g->at] = all[(now + count + (size_t)by) % count];
}

/* Each gap takes the value before it: no fill leaves fewer runs. */
static void fill_all(struct model *m)
{
	struct gaps *g = gaps_of(m);
	struct row row;
	find_row(m, &row);
	for (size_t i = row.count; i-- > 0;) /* a gap at the start takes the value after it */
		if (row.gap[i] >= 0 && i + 1 < row.count && row.gap[i + 1] < 0)
			g->fill[row.gap[i]] = row.value[i + 1];
	for (size_t i = 1; i < row.count; i++)
		if (row.gap[i] >= 0 && row.gap[i - 1] < 0)
			g->fill[row.gap[i]] = row.value[i - 1];
}

/* Shows the values from the inspector's first row on. */
static void enter(struct model *m)
{
	const struct inspector *in = inspector_of(m);
	struct gaps *g = gaps_of(m);
	if (!in->has_block ||
	    (g->table == in->tables && g->block == in->shown.block && g->row == in->rows.at))
		return;
	g->table = in->tables;
	g->block = in->shown.block;
	g->row = in->rows.at;
	g->from = inspector_predicts(in) ? in->shown.tokens[g->row].first
	                                 : (size_t)(g->row * inspector_row_cells(shell_cols(m)));
	open_all(m);
}

/* "185904": a value of the block by its position. */
static bool run_line(struct model *m, const char *line)
{
	const struct inspector *in = inspector_of(m);
	struct gaps *g = gaps_of(m);
	char *end;
	const unsigned long long number = strtoull(line, &end, 10);
	if (*line < '0' || *line > '9' || *end)
		return false;
	const struct el_lab_block *b = &in->shown;
	if (!in->has_block)
		model_fail(m, "gaps: no block is shown; choose one in the block inspector first");
	else if (number < b->first || number - b->first >= b->count)
		model_fail(m, "gaps: found '%s', expected a position from %llu to %llu", line,
		           (unsigned long long)b->first,
		           (unsigned long long)(b->first + b->count - 1));
	else {
		g->from = (size_t)(number - b->first);
		open_all(m);
	}
	return true;
}

/* ---- drawing ---- */

static void draw_cells(const struct gaps *g, const struct row *row, const struct inspector *in,
                       bool as_filled, struct pane p)
{
	for (size_t i = 0; i < row->count; i++) {
		const struct pane cell = pane_sub(p, 0, LABEL_COLS + (int)i, 1, 1);
		const struct el_value v = as_filled ? filled(g, row, i) : row->value[i];
		if (as_filled && row->gap[i] == (int)g->at)
			pane_fill(cell, ROLE_SELECTED);
		pane_put(cell, 0, 0, outcome_role((enum el_outcome)v.outcome),
		         (unsigned char)inspector_letter(in->metric, v));
		if (row->gap[i] >= 0)
			pane_zone(cell, ZONE_ITEM, row->gap[i]);
	}
}

static void draw(const struct model *m, struct pane p)
{
	const struct inspector *in = inspector_of(m);
	const struct gaps *g = gaps_of(m);
	struct row row;
	char from[GROUPED_MAX], to[GROUPED_MAX], value[16];
	if (!find_row(m, &row)) {
		pane_text(p, 1, 1, ROLE_DIM, "There is no block yet. Press q to go back.");
		return;
	}
	const uint64_t first = in->shown.first + g->from;
	pane_print(p, 0, 1, ROLE_STRONG, "%s to move, positions %s - %s",
	           in->slice.game->sides[el_slice_mover(&in->slice, in->shown.plane)],
	           grouped(first, from), grouped(first + row.count - 1, to));
	pane_text(p, 2, 1, ROLE_STRONG, "as solved");
	draw_cells(g, &row, in, false, pane_row(p, 2));
	for (size_t i = 0; i < row.count; i++)
		if (row.gap[i] >= 0 && (!i || row.gap[i - 1] < 0))
			pane_print(p, 3, LABEL_COLS + (int)i,
			           row.gap[i] == (int)g->at ? ROLE_HINT_KEY : ROLE_DIM, "%d",
			           row.gap[i] + 1);
	pane_text(p, 4, 1, ROLE_STRONG, "filled");
	draw_cells(g, &row, in, true, pane_row(p, 4));
	if (row.gaps && g->fill[g->at].outcome == EL_BROKEN)
		pane_print(p, 6, 1, ROLE_TEXT, "Gap %zu of %zu is not filled.", g->at + 1,
		           row.gaps);
	else if (row.gaps)
		pane_print(p, 6, 1, ROLE_TEXT, "Gap %zu of %zu is filled with %s.", g->at + 1,
		           row.gaps, inspector_value(in->metric, g->fill[g->at], value));
	else
		pane_text(p, 6, 1, ROLE_DIM, no_gap(m));
	const struct runs runs = count_runs(g, &row);
	if (shell_is_covered(m)) {
		pane_text(p, 8, 1, ROLE_DIM, "The runs are not counted. Press H to count them.");
		return;
	}
	int x = pane_print(p, 8, 1, ROLE_STRONG, "%llu runs as solved",
	                   (unsigned long long)runs.solved);
	x = pane_print(p, 8, x, ROLE_STRONG, ", %llu filled", (unsigned long long)runs.filled);
	pane_print(p, 8, x, ROLE_DIM, "; the fewest are %llu", (unsigned long long)runs.fewest);
	/* "(W,6) (L,2) ...": what a run-length code writes. */
	char text[16 * CELLS] = "";
	for (size_t i = 0, next; i < row.count; i = next) {
		char pair[16];
		for (next = i;
		     next < row.count && el_value_equal(filled(g, &row, next), filled(g, &row, i));)
			next++;
		el_text_add(text, sizeof text, "(%s,%zu) ",
		            inspector_value(in->metric, filled(g, &row, i), pair), next - i);
	}
	pane_wrap(pane_sub(p, 9, 1, p.rows, p.cols - 2), 0, ROLE_TEXT, text);
}

/* A click on a gap selects it, a second one changes its fill. */
static bool update(struct model *m, const struct event *e)
{
	struct gaps *g = gaps_of(m);
	if (e->kind != EVENT_CLICK || e->zone.kind != ZONE_ITEM)
		return false;
	if (g->at == (size_t)e->zone.value)
		change_fill(m, 1);
	g->at = (size_t)e->zone.value;
	return true;
}

static void subject(const struct model *m, char *out, size_t size)
{
	snprintf(out, size, "%s  gaps", inspector_of(m)->slice.name);
}

/* ---- for lessons ---- */

static bool find_runs(const struct model *m, uint64_t *out)
{
	struct row row;
	const bool found = find_row(m, &row);
	*out = count_runs(gaps_of(m), &row).solved;
	return found;
}

static bool find_fewest(const struct model *m, uint64_t *out)
{
	struct row row;
	const bool found = find_row(m, &row);
	*out = count_runs(gaps_of(m), &row).fewest;
	return found;
}

static bool find_gaps(const struct model *m, uint64_t *out)
{
	struct row row;
	const bool found = find_row(m, &row);
	*out = row.gaps;
	return found;
}

static const struct figure figures[] = {
	{"runs", FIGURE_NUMBER, find_runs},          /* as solved */
	{"fewest-runs", FIGURE_NUMBER, find_fewest}, /* that a fill can leave */
	{"gaps", FIGURE_NUMBER, find_gaps},
	{.name = NULL},
};

static const struct binding bindings[] = {
	KEY({K_LEFT, 'h'}, "gap-before", "gap", "go to the previous gap", .apply = step_gap,
            .argument = -1, .disabled = no_gap),
	KEY({K_RIGHT, 'l'}, "gap-after", "gap", "go to the next gap", .apply = step_gap,
            .argument = 1, .disabled = no_gap),
	KEY({K_UP, 'k'}, "fill-gap", "fill", "fill the gap with the next value of the row",
            .apply = change_fill, .argument = 1, .disabled = no_gap),
	KEY({K_DOWN, 'j'}, "fill-gap-back", "fill", "fill the gap with the previous value",
            .apply = change_fill, .argument = -1, .disabled = no_gap),
	KEY({'f'}, "fill-gaps", "fill all", "fill every gap with the value before it",
            .run = fill_all, .disabled = no_gap),
	KEY({'o'}, "open-gaps", "open all", "take all fills back", .run = open_all,
            .disabled = no_gap),
	{.name = NULL},
};

const struct view gaps_view = {
	.name = "Gaps",
	.summary = "broken positions, filled by hand",
	.state = &gaps_state,
	.bindings = bindings,
	.update = update,
	.line = run_line,
	.draw = draw,
	.cover = draw,
	.enter = enter,
	.subject = subject,
	.plain = open_all,
	.figures = figures,
};
