/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of one table: outcomes, records, mutual zugzwangs, and how many positions a depth has.
   The other metrics of the slice are a key away. */
#include "tui/screen/roles.h"
#include "tui/screen/widgets/histogram.h"
#include "tui/shell/line.h"
#include "tui/text/text.h"
#include "tui/views/views.h"

#include <stdio.h>
#include <string.h>

struct statistics {
	struct list list; /* records, then plies */
};

static const struct state state = {sizeof(struct statistics)};

static struct list *list(struct model *m)
{
	struct statistics *s = state_of(m, &state);
	return &s->list;
}

static const struct finding *shown(const struct model *m)
{
	return m->tables.shown;
}

/* Null until they are counted. */
static const struct el_stats *stats_of(const struct model *m)
{
	return shown(m) && shown(m)->count.known ? &shown(m)->stats : NULL;
}

/* ---- the list: records first, then the histogram by ply ---- */

struct record {
	unsigned side;
	int outcome; /* 0: win, 1: loss, as in el_side_stats */
};

static uint64_t outcome_count(const struct el_side_stats *s, int outcome)
{
	return outcome ? s->all.loss : s->all.win;
}

/* Record number `n`, in the order White's win and loss, Black's win and loss; false past the last.
 */
static bool record_at(const struct el_stats *s, int n, struct record *out)
{
	for (int i = 0; i < 4; i++) {
		struct record r = {(unsigned)i / 2, i % 2};
		if (!s->metric->has_depth || !outcome_count(&s->side[r.side], r.outcome) || n-- > 0)
			continue;
		*out = r;
		return true;
	}
	return false;
}

static int record_count(const struct el_stats *s)
{
	struct record r;
	int n = 0;
	while (record_at(s, n, &r))
		n++;
	return n;
}

static unsigned plies(const struct el_stats *s)
{
	return s->side[0].plies > s->side[1].plies ? s->side[0].plies : s->side[1].plies;
}

static void enter(struct model *m)
{
	list(m)->at = 0;
}

static void ask(struct model *m)
{
	const struct el_stats *s = stats_of(m);
	list(m)->count = s ? record_count(s) + (int)plies(s) : 0;
	m->tables.wanted = m->tables.wanted || shell_is_shown(m, VIEW_STATISTICS);
}

/* The table of the next metric of the same slice, the first after the last; null when there is no
   other. */
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
	tables_count(m, f);
	list(m)->at = 0;
}

static const char *no_record(const struct model *m)
{
	const struct statistics *view = state_of(m, &state);
	const struct el_stats *s = stats_of(m);
	struct record r;
	return !s                                ? "The positions have not been counted yet."
	       : record_at(s, view->list.at, &r) ? NULL
	                                         : "Select a record first.";
}

static void explore_record(struct model *m)
{
	const struct el_stats *s = stats_of(m);
	struct record r;
	if (record_at(s, list(m)->at, &r))
		line_visit(m, s->side[r.side].longest_fen[r.outcome]);
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

enum { ZUGZWANG_ROWS = 1, ROOMY_ZUGZWANG_ROWS = 3, ROOMY_ROWS = 20 };

/* Is there room for a row to each kind of zugzwang? */
static bool is_roomy(const struct el_stats *s, struct pane p)
{
	return !s->partial && p.rows >= ROOMY_ROWS;
}

static void draw_count(struct pane p, int y, const char *name, enum role role, uint64_t white,
                       uint64_t black)
{
	char text[GROUPED_MAX];
	pane_text(p, y, 1, role, name);
	pane_right(p, y, 30, ROLE_TEXT, grouped(white, text));
	pane_right(p, y, 48, ROLE_TEXT, grouped(black, text));
}

/* Returns the row after them. */
static int draw_outcomes(const struct el_stats *s, struct pane p)
{
	int y = 1;
	const struct el_counts *w = &s->side[0].all, *b = &s->side[1].all;
	const bool is_ruled = s->metric->limit, has_losses = !s->metric->wins_only;
	const struct {
		bool is_shown;
		const char *name;
		enum role role;
		uint64_t white, black;
	} rows[] = {
		{true, "win", ROLE_WIN, w->win, b->win},
		{is_ruled, "cursed win", outcome_role(EL_CURSED_WIN), w->cursed_win, b->cursed_win},
		{has_losses, "draw", ROLE_DRAW, w->draw, b->draw},
		{is_ruled, "blessed loss", outcome_role(EL_BLESSED_LOSS), w->blessed_loss,
	         b->blessed_loss},
		{has_losses, "loss", ROLE_LOSS, w->loss, b->loss},
		{!has_losses, "no win", ROLE_DIM, w->at_most_draw, b->at_most_draw},
		{s->partial, "at least a draw", ROLE_DIM, w->at_least_draw, b->at_least_draw},
		{s->partial, "at most a draw", ROLE_DIM, w->at_most_draw, b->at_most_draw},
		{s->partial, "unknown", ROLE_UNKNOWN, w->unknown, b->unknown},
		{true, "legal", ROLE_TEXT, w->legal, b->legal},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].is_shown)
			draw_count(p, y++, rows[i].name, rows[i].role, rows[i].white,
			           rows[i].black);
	return y;
}

static void draw_zugzwangs(const struct el_stats *s, bool roomy, struct pane p, int y)
{
	enum { AT = 20 };
	char full[GROUPED_MAX], white[GROUPED_MAX], black[GROUPED_MAX];
	grouped(s->mutual_full, full);
	grouped(s->mutual_white_half, white);
	grouped(s->mutual_black_half, black);
	if (!roomy) {
		pane_print(p, y, 1, ROLE_DIM, "zugzwangs: both lose %s, only %s %s, only %s %s",
		           full, s->slice.game->sides[EL_BLACK], white,
		           s->slice.game->sides[EL_WHITE], black);
		return;
	}
	pane_text(p, y, 1, ROLE_DIM, "mutual zugzwangs");
	pane_print(p, y, AT, ROLE_DIM, "%s: %s", zugzwang_words(s->slice.game, EL_ZUGZWANG_FULL),
	           full);
	pane_print(p, y + 1, AT, ROLE_DIM, "%s: %s",
	           zugzwang_words(s->slice.game, EL_ZUGZWANG_WHITE_HALF), white);
	pane_print(p, y + 2, AT, ROLE_DIM, "%s: %s",
	           zugzwang_words(s->slice.game, EL_ZUGZWANG_BLACK_HALF), black);
}

/* The title line may name what is being made instead. Returns the rows it takes. */
static int draw_head(const struct model *m, const struct el_stats *s, struct pane p)
{
	const char *name = shown(m)->slice.name, *colon = strchr(name, ':');
	pane_text(p, 0, 1, ROLE_STRONG, colon ? colon + 1 : name);
	for (int side = 0; side < 2; side++) {
		char text[32];
		snprintf(text, sizeof text, "%s to move", s->slice.game->sides[side]);
		pane_right(p, 0, side ? 48 : 30, ROLE_DIM, text);
	}
	const int y = draw_outcomes(s, p);
	if (s->metric->wins_only) /* it knows no losses */
		return y + 1;
	draw_zugzwangs(s, is_roomy(s, p), p, y);
	return y + (is_roomy(s, p) ? ROOMY_ZUGZWANG_ROWS : ZUGZWANG_ROWS) + 1;
}

/* One side's table of what is resolved: rows by its own leading rank, columns by the other's. */
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
			const struct el_resolved *r = &side->resolved[own][other];
			if (r->positions)
				pane_print(p, y, 3 + 4 * (int)(EL_LEADING_RANKS - 1 - other),
				           ROLE_TEXT, "%4.0f",
				           50 * (double)r->points / (double)r->positions);
		}
	}
}

enum {
	PARTIAL_ROWS = 9,     /* of the head of a partial table */
	RESOLVED_ROWS = 11,   /* of the tables of what is resolved, with what stands above them */
	RESOLVED_COLS = 31,   /* of one */
	RESOLVED_SECOND = 41, /* where the second begins */
};

/* What there is in place of depths. */
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

static void draw_record(const struct model *m, struct pane p, const struct record *r)
{
	const struct el_side_stats *s = &stats_of(m)->side[r->side];
	static const char *const names[2][2] = {{"longest win", "longest loss"},
	                                        {"greatest gain", "greatest loss"}};
	const unsigned depth =
		depth_shown(stats_of(m)->metric, s->longest[r->outcome], m->in_moves);
	int x = pane_print(p, 0, 1, ROLE_TEXT, "%s's %s: %u %s",
	                   stats_of(m)->slice.game->sides[r->side],
	                   names[stats_of(m)->metric->stones][r->outcome], depth,
	                   depth_unit_of(stats_of(m)->metric, depth, m->in_moves));
	pane_text(p, 0, x + 2, ROLE_DIM, s->longest_fen[r->outcome]);
}

static void draw_ply(const struct model *m, struct pane p, unsigned ply)
{
	const struct el_stats *s = stats_of(m);
	int half = (p.cols - 8) / 2;
	pane_print(p, 0, 2, ROLE_STRONG, "%3u", ply);
	for (int side = 0; side < 2; side++)
		histogram_row(&s->side[side], ply, 1, histogram_most(&s->side[side], 1),
		              pane_sub(p, 0, 7 + side * half, 1, half - 1));
}

static void draw_rows(const struct model *m, struct pane rows)
{
	const struct statistics *view = state_of(m, &state);
	const struct el_stats *s = stats_of(m);
	const struct list *l = &view->list;
	const int records = record_count(s), top = list_top(l, rows.rows);
	for (int y = 0; y < rows.rows && top + y < l->count; y++) {
		struct pane row = pane_sub(rows, y, 0, 1, rows.cols);
		struct record r;
		pane_select(row, top + y == l->at);
		pane_zone(row, ZONE_ITEM, top + y);
		if (record_at(s, top + y, &r))
			draw_record(m, row, &r);
		else
			draw_ply(m, row, (unsigned)(top + y - records));
	}
}

static void draw_waiting(const struct model *m, struct pane p)
{
	const struct finding *f = shown(m);
	char text[256];
	if (!f)
		snprintf(text, sizeof text,
		         "Nothing has been counted yet. In Tables, press Enter on a table.");
	else if (f->count.job)
		snprintf(text, sizeof text, "counting %s", f->slice.name);
	else
		snprintf(text, sizeof text, "%s was not counted: %s", f->slice.name, f->why);
	pane_wrap(p, 0, ROLE_DIM, text);
}

static void draw(const struct model *m, struct pane p)
{
	const struct el_stats *s = stats_of(m);
	if (!s) {
		draw_waiting(m, pane_sub(p, 1, 1, 3, p.cols - 2));
		return;
	}
	const int head = draw_head(m, s, p);
	if (s->partial)
		draw_bounds(s, pane_sub(p, PARTIAL_ROWS, 0, p.rows - PARTIAL_ROWS, p.cols));
	else
		draw_rows(m, pane_sub(p, head, 0, p.rows - head, p.cols));
}

static void row_text(const struct model *m, int row, char *out, size_t size)
{
	const struct el_stats *s = stats_of(m);
	struct record r;
	if (record_at(s, row, &r))
		snprintf(out, size, "%s", s->side[r.side].longest_fen[r.outcome]);
	else
		snprintf(out, size, "%d", row - record_count(s));
}

static void subject(const struct model *m, char *out, size_t size)
{
	const struct finding *f = shown(m);
	out[0] = '\0';
	if (!f)
		return;
	const bool rounded = f->count.known && f->stats.rounded;
	snprintf(out, size, "%s  %s%s%s%s", f->slice.name, f->metric->name,
	         f->metric->has_depth ? ", in " : "",
	         f->metric->has_depth ? depth_unit(f->metric, false) : "", rounded ? " ±1" : "");
}

static const struct binding bindings[] = {
	{{K_ENTER},
         "explore-record",
         "explore",
         "explore the selected record",
         .run = explore_record,
         .disabled = no_record},
	{{'z'},
         "zugzwangs-here",
         "zugzwangs",
         "list the mutual zugzwangs of the table",
         .run = list_zugzwangs,
         .disabled = no_table},
	{{'d'},
         "next-metric",
         "metric",
         "show the table of the next metric of this slice",
         .run = show_next,
         .disabled = no_other},
	{.name = NULL},
};

const struct view statistics_view = {
	.name = "Statistics",
	.summary = "what is in one table",
	.state = &state,
	.bindings = bindings,
	.draw = draw,
	.enter = enter,
	.list = list,
	.row = row_text,
	.subject = subject,
	.ask = ask,
};
