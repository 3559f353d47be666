/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of one table: outcomes, records, mutual zugzwangs, and the number of positions at each
   depth. A key switches to the slice's other metrics. */
#include "tui/screen/roles.h"
#include "tui/screen/widgets/histogram.h"
#include "tui/shell/line.h"
#include "tui/text/findings.h"
#include "tui/text/text.h"
#include "tui/views/views.h"

#include <stdio.h>
#include <string.h>

OWN_STATE(static, statistics, struct list);

static const struct finding *shown(const struct model *m)
{
	return m->tables.shown;
}

/* Null until counted. */
static const struct el_stats *stats_of(const struct model *m)
{
	return shown(m) && shown(m)->count.known ? &shown(m)->stats : NULL;
}

/* ---- the list: records first, then the histogram by ply ---- */

/* The deepest position of one side to move. */
struct deepest {
	unsigned side;
	int half; /* 0: win, 1: loss, as in el_side_stats */
};

/* Record `n`, in the order White's win and loss, Black's win and loss; false after the last. */
static bool deepest_at(const struct el_stats *s, int n, struct deepest *out)
{
	const bool any = kind_words(s->metric)->has_number;
	for (int i = 0; i < 4 && any; i++) {
		*out = (struct deepest){(unsigned)i / 2, i % 2};
		if (counted_half(&s->side[out->side], out->half) && n-- == 0)
			return true;
	}
	return false;
}

static int deepest_count(const struct el_stats *s)
{
	struct deepest r;
	int n = 0;
	while (deepest_at(s, n, &r))
		n++;
	return n;
}

static void enter(struct model *m)
{
	statistics_of(m)->at = 0;
}

static void ask(struct model *m)
{
	const struct el_stats *s = stats_of(m);
	statistics_of(m)->count = 0;
	if (s)
		statistics_of(m)->count =
			deepest_count(s) + (int)(s->side[0].plies > s->side[1].plies
		                                         ? s->side[0].plies
		                                         : s->side[1].plies);
	m->tables.wanted = m->tables.wanted || shell_is_shown(m, VIEW_STATISTICS);
}

/* The table of the slice's next metric, wrapping to the first; null if there is no other. */
static const struct el_entry *next_table(const struct model *m)
{
	const struct tables *t = &m->tables;
	const struct el_entry *first = NULL, *next = NULL;
	bool is_past = false;
	for (const struct el_entry *e = t->entries; shown(m) && e < t->entries + t->count; e++) {
		if (e->ignored || !el_slice_equal(&e->slice, &shown(m)->slice))
			continue;
		const bool is_shown = e->metric == shown(m)->metric;
		first = first || is_shown ? first : e;
		next = next || !is_past || is_shown ? next : e;
		is_past |= is_shown;
	}
	return next ? next : first;
}

static const char *no_other(const struct model *m)
{
	return next_table(m) ? NULL : "This slice has no table of another metric.";
}

static void show_next(struct model *m)
{
	const struct el_entry *e = next_table(m);
	struct finding *f = tables_find(m, &e->slice, e->metric);
	if (!f)
		return;
	m->tables.shown = f;
	tables_count(m, f, false);
	statistics_of(m)->at = 0;
}

static const char *no_record(const struct model *m)
{
	const struct el_stats *s = stats_of(m);
	struct deepest r;
	return !s ? "The positions have not been counted yet."
	       : deepest_at(s, statistics_of(m)->at, &r) ? NULL
	                                                 : "Select a record first.";
}

static void explore_record(struct model *m)
{
	const struct el_stats *s = stats_of(m);
	struct deepest r;
	if (deepest_at(s, statistics_of(m)->at, &r))
		line_visit(m, s->side[r.side].longest_fen[r.half], NULL);
}

static const char *no_table(const struct model *m)
{
	return shown(m) ? NULL : "In Tables, press Enter on a table first.";
}

static void list_zugzwangs(struct model *m)
{
	char line[EL_SLICE_MAX + 32];
	snprintf(line, sizeof line, "zugzwangs %s %s", shown(m)->slice.name,
	         shown(m)->metric->name);
	line_run(m, line);
}

/* ---- drawing ---- */

static void draw_count(struct pane p, int y, const char *name, enum role role, uint64_t white,
                       uint64_t black)
{
	char text[GROUPED_MAX];
	pane_text(p, y, 1, role, name);
	pane_right(p, y, 30, ROLE_TEXT, grouped(white, text));
	pane_right(p, y, 48, ROLE_TEXT, grouped(black, text));
}

/* Returns the next free row. */
static int draw_outcomes(const struct el_stats *s, struct pane p)
{
	static const enum el_outcome bounds[] = {EL_AT_LEAST_DRAW, EL_AT_MOST_DRAW, EL_UNKNOWN,
	                                         EL_OUTCOMES};
	const struct el_counts *w = &s->side[0].all, *b = &s->side[1].all;
	const enum el_outcome *lists[] = {counted_outcomes(s->metric, true),
	                                  s->partial ? bounds : bounds + 3};
	int y = 1;
	for (int i = 0; i < 2; i++)
		for (const enum el_outcome *o = lists[i]; *o != EL_OUTCOMES; o++)
			draw_count(p, y++, counted_words(s->metric, *o),
			           *o == EL_AT_LEAST_DRAW || *o == EL_AT_MOST_DRAW
			                   ? ROLE_DIM
			                   : outcome_role(*o),
			           counted(w, *o, true), counted(b, *o, true));
	draw_count(p, y++, "legal", ROLE_TEXT, w->legal, b->legal);
	return y;
}

/* In one row, or one per kind if there is room. Returns the next free row. */
static int draw_zugzwangs(const struct el_stats *s, struct pane p, int y)
{
	enum { AT = 20, ROOMY_ROWS = 20 };
	const struct el_game *game = s->slice.game;
	char number[EL_ZUGZWANGS][GROUPED_MAX], words[ZUGZWANG_WORDS_MAX];
	for (int kind = 0; kind < EL_ZUGZWANGS; kind++)
		grouped(zugzwang_count(s, (enum el_zugzwang)kind), number[kind]);
	if (s->partial || p.rows < ROOMY_ROWS) {
		pane_print(p, y, 1, ROLE_DIM, "zugzwangs: both lose %s, only %s %s, only %s %s",
		           number[EL_ZUGZWANG_FULL], game->sides[EL_BLACK],
		           number[EL_ZUGZWANG_WHITE_HALF], game->sides[EL_WHITE],
		           number[EL_ZUGZWANG_BLACK_HALF]);
		return y + 1;
	}
	pane_text(p, y, 1, ROLE_DIM, "mutual zugzwangs");
	for (int kind = 0; kind < EL_ZUGZWANGS; kind++)
		pane_print(p, y++, AT, ROLE_DIM, "%s: %s",
		           zugzwang_words(game, (enum el_zugzwang)kind, words), number[kind]);
	return y;
}

/* Names the slice, because the title line may name a running job instead. Returns the rows used. */
static int draw_head(const struct model *m, const struct el_stats *s, struct pane p)
{
	const char *name = shown(m)->slice.name, *colon = strchr(name, ':');
	pane_text(p, 0, 1, ROLE_STRONG, colon ? colon + 1 : name);
	for (int side = 0; side < 2; side++) {
		pane_print_right(p, 0, side ? 48 : 30, ROLE_DIM, "%s to move",
		                 s->slice.game->sides[side]);
	}
	const int y = draw_outcomes(s, p);
	return (kind_words(s->metric)->has_losses ? draw_zugzwangs(s, p, y) : y) + 1;
}

/* One side's table of resolved positions: rows by its own leading rank, columns by the other's. */
static void draw_resolved(const struct el_side_stats *side, const char *title, struct pane p)
{
	pane_text(p, 0, 0, ROLE_DIM, title);
	for (unsigned other = 1; other < EL_LEADING_RANKS; other++)
		pane_print(p, 1, 3 + 4 * (int)(EL_LEADING_RANKS - 1 - other), ROLE_DIM, "%4u",
		           other);
	for (unsigned own = 1; own < EL_LEADING_RANKS; own++) {
		const int y = 2 + (int)(EL_LEADING_RANKS - 1 - own);
		pane_print(p, y, 0, ROLE_DIM, "%3u", own);
		for (unsigned other = 1; other < EL_LEADING_RANKS; other++) {
			double percent;
			if (resolved_percent(side, own, other, &percent))
				pane_print(p, y, 3 + 4 * (int)(EL_LEADING_RANKS - 1 - other),
				           ROLE_TEXT, "%4.0f", percent);
		}
	}
}

enum {
	PARTIAL_ROWS = 9,     /* of the head of a partial table */
	RESOLVED_ROWS = 11,   /* of the resolved tables, with their headings */
	RESOLVED_COLS = 31,   /* of one */
	RESOLVED_SECOND = 41, /* where the second begins */
};

/* Drawn instead of depths. */
static void draw_bounds(const struct el_stats *s, struct pane p)
{
	const struct el_counts *w = &s->side[0].no_capture, *b = &s->side[1].no_capture;
	char white[GROUPED_MAX], black[GROUPED_MAX];
	if (!s->slice.game->leading_rank)
		return;
	if (p.rows < RESOLVED_ROWS || p.cols < RESOLVED_SECOND + RESOLVED_COLS) {
		pane_text(p, 1, 1, ROLE_DIM, "The resolved positions need 80 columns and 24 rows.");
		return;
	}
	pane_print(p, 1, 1, ROLE_DIM,
	           "%s and %s without a capture; percent resolved by leading rank",
	           grouped(w->legal, white), grouped(b->legal, black));
	draw_resolved(&s->side[EL_WHITE], "White to move",
	              pane_sub(p, 2, 1, p.rows - 2, RESOLVED_COLS));
	draw_resolved(&s->side[EL_BLACK], "Black to move",
	              pane_sub(p, 2, RESOLVED_SECOND, p.rows - 2, RESOLVED_COLS));
}

static void draw_row(const struct model *m, struct pane row, int i)
{
	const struct el_stats *s = stats_of(m);
	const int half = (row.cols - 8) / 2;
	struct deepest r;
	if (deepest_at(s, i, &r)) {
		const struct el_side_stats *side = &s->side[r.side];
		const unsigned depth = depth_shown(s->metric, side->longest[r.half], m->in_moves);
		int x = pane_print(row, 0, 1, ROLE_TEXT, "%s's %s: %u %s",
		                   s->slice.game->sides[r.side],
		                   kind_words(s->metric)->longest[r.half], depth,
		                   depth_unit_of(s->metric, depth, m->in_moves));
		pane_text(row, 0, x + 2, ROLE_DIM, side->longest_fen[r.half]);
		return;
	}
	const unsigned ply = (unsigned)(i - deepest_count(s));
	pane_print(row, 0, 2, ROLE_STRONG, "%3u", ply);
	for (int side = 0; side < 2; side++)
		histogram_row(&s->side[side], ply, 1, histogram_most(&s->side[side], 1),
		              pane_sub(row, 0, 7 + side * half, 1, half - 1));
}

static void draw(const struct model *m, struct pane p)
{
	const struct el_stats *s = stats_of(m);
	if (!s) {
		const struct finding *f = shown(m);
		const struct pane waiting = pane_sub(p, 1, 1, 3, p.cols - 2);
		if (!f)
			pane_wrap(
				waiting, 0, ROLE_DIM,
				"Nothing has been counted yet. In Tables, press Enter on a table.");
		else if (f->count.job)
			pane_print_wrapped(waiting, 0, ROLE_DIM, "counting %s", f->slice.name);
		else
			pane_print_wrapped(waiting, 0, ROLE_DIM, "%s was not counted: %s",
			                   f->slice.name, f->why);
		return;
	}
	const int head = draw_head(m, s, p);
	if (s->partial)
		draw_bounds(s, pane_from(p, PARTIAL_ROWS));
	else
		shell_draw_list(m, statistics_of(m), pane_from(p, head), draw_row);
}

static void row_text(const struct model *m, int row, char *out, size_t size)
{
	const struct el_stats *s = stats_of(m);
	struct deepest r;
	if (deepest_at(s, row, &r))
		snprintf(out, size, "%s", s->side[r.side].longest_fen[r.half]);
	else
		snprintf(out, size, "%d", row - deepest_count(s));
}

static void subject(const struct model *m, char *out, size_t size)
{
	const struct finding *f = shown(m);
	out[0] = '\0';
	if (!f)
		return;
	const bool rounded = f->count.known && f->stats.rounded;
	const bool has_number = kind_words(f->metric)->has_number;
	snprintf(out, size, "%s  %s%s%s%s", f->slice.name, f->metric->name,
	         has_number ? ", in " : "", has_number ? depth_unit(f->metric, false) : "",
	         rounded ? " ±1" : "");
}

static const struct binding bindings[] = {
	KEY({K_ENTER}, "explore-record", "explore", "explore the selected record",
            .run = explore_record, .disabled = no_record),
	KEY({'z'}, "zugzwangs-here", "zugzwangs", "list the mutual zugzwangs of the table",
            .run = list_zugzwangs, .disabled = no_table),
	KEY({'d'}, "next-metric", "metric", "show the table of the next metric of this slice",
            .run = show_next, .disabled = no_other),
	{.name = NULL},
};

const struct view statistics_view = {
	.name = "Statistics",
	.summary = "what is in one table",
	.state = &statistics_state,
	.bindings = bindings,
	.draw = draw,
	.enter = enter,
	.list = {&statistics_state, 0},
	.row = row_text,
	.subject = subject,
	.ask = ask,
};
