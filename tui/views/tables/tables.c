/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables: the files found, their contents, and whether they are correct. */
#include "tui/shell/line.h"
#include "tui/text/text.h"
#include "tui/views/views.h"

#include <stdio.h>
#include <string.h>

OWN_STATE(static, tables, struct list);

/* ---- what the keys do ---- */

static const struct el_entry *selected(const struct model *m)
{
	const size_t row = (size_t)tables_of(m)->at;
	return row < m->tables.count ? &m->tables.entries[row] : NULL;
}

static const char *none(const struct model *m)
{
	return m->tables.ask.known ? "No tables yet. Press 5 to build some."
	                           : "Tables are being looked for.";
}

static const char *no_table(const struct model *m)
{
	const struct el_entry *e = selected(m);
	return !e ? none(m) : e->ignored ? "This file is not used." : NULL;
}

static const char *not_whole(const struct model *m)
{
	const struct el_entry *e = selected(m);
	const char *why = no_table(m);
	return why       ? why
	       : e->root ? "A study is no table of a slice. Press Enter to see its root."
	                 : NULL;
}

/* A study has no statistics here: it shows its position. */
static void show_statistics(struct model *m)
{
	if (selected(m)->root) {
		line_visit(m, selected(m)->root, NULL);
		return;
	}
	struct finding *f = tables_find(m, &selected(m)->slice, selected(m)->metric);
	if (!f)
		return;
	m->tables.shown = f;
	tables_count(m, f, false);
	shell_show(m, VIEW_STATISTICS);
}

static void show_zugzwangs(struct model *m)
{
	char line[EL_SLICE_MAX + 32];
	snprintf(line, sizeof line, "zugzwangs %s %s", selected(m)->slice.name,
	         selected(m)->metric->name);
	line_run(m, line);
}

static void show_records(struct model *m)
{
	line_run(m, "records");
}

static void verify(struct model *m)
{
	tables_verify(m, &selected(m)->slice, selected(m)->metric);
}

static void explore_table(struct model *m)
{
	const struct el_slice slice = selected(m)->slice;
	if (selected(m)->root)
		line_visit(m, selected(m)->root, NULL);
	else
		line_slice(m, &slice);
}

/* ---- drawing ---- */

enum { SLICE_AT = 1 };

struct columns {
	int metric, positions_end, bytes_end, longest_end, verified, detail;
};

/* Longer names first use up the blanks between columns. */
static struct columns find_columns(const struct tables *t)
{
	enum { USUAL_NAME = 8 };
	int name = USUAL_NAME;
	for (size_t i = 0; i < t->count; i++)
		if (!t->entries[i].ignored && (int)strlen(t->entries[i].slice.name) > name)
			name = (int)strlen(t->entries[i].slice.name);
	if (name == USUAL_NAME)
		return (struct columns){10, 28, 36, 46, 48, 58};
	int metric = SLICE_AT + name + 1;
	return (struct columns){metric,      metric + 16, metric + 23,
	                        metric + 33, metric + 34, metric + 43};
}

/* A word in the list. */
struct mark {
	const char *word;
	enum role role;
};

/* The kept result comes before this session's: it knows whether the table has changed since. */
static struct mark verified_mark(const struct el_entry *e, const struct finding *f)
{
	static const struct mark marks[] = {
		[NOT_VERIFIED] = {"-", ROLE_DIM},
		[VERIFYING] = {"checking", ROLE_DIM},
		[VERIFIED] = {"yes", ROLE_WIN},
		[WRONG] = {"WRONG", ROLE_ERROR},
	};
	const enum verified now = f ? f->verified : NOT_VERIFIED;
	if (now == VERIFYING || !e->summary.verified)
		return marks[now];
	if (e->summary.change != EL_UNCHANGED)
		return (struct mark){"changed", ROLE_TEXT};
	return e->summary.verified == EL_VERIFIED  ? (struct mark){"yes", ROLE_WIN}
	       : e->summary.verified == EL_SAMPLED ? (struct mark){"sampled", ROLE_WIN}
	                                           : (struct mark){"WRONG", ROLE_ERROR};
}

/* Six- and seven-piece counts have more digits than the column. */
static const char *positions_text(uint64_t positions, char out[GROUPED_MAX])
{
	static const uint64_t billion = 1000000000;
	if (positions < 10 * billion)
		return grouped(positions, out);
	grouped((positions + billion / 2) / billion, out);
	return strcat(out, " bn");
}

/* Without room for it, the selected row's detail is shown below the list. */
static bool has_detail(struct pane p, const struct columns *at)
{
	enum { LEAST = 8 };
	return p.cols - at->detail >= LEAST;
}

static void draw_row(const struct model *m, struct pane p, int i)
{
	const struct el_entry *e = &m->tables.entries[i];
	char text[GROUPED_MAX], detail[128];
	if (e->ignored) {
		const char *slash = strrchr(e->path, '/');
		char why[1024];
		snprintf(why, sizeof why, "%s ignored: %s", slash ? slash + 1 : e->path,
		         e->ignored);
		pane_text(p, 0, SLICE_AT, ROLE_ERROR, why);
		return;
	}
	const struct finding *f = tables_finding(&m->tables, &e->slice, e->metric);
	const struct columns at = find_columns(&m->tables);
	pane_text(p, 0, SLICE_AT, ROLE_STRONG, e->slice.name);
	pane_text(p, 0, at.metric, ROLE_TEXT, metric_text(e->metric, text));
	pane_right(p, 0, at.positions_end, ROLE_TEXT,
	           positions_text(e->slice.positions * e->slice.planes, text));
	pane_right(p, 0, at.bytes_end, ROLE_TEXT, bytes_text(e->bytes, text));
	if (f && f->count.known && e->metric->has_depth) {
		unsigned longest = 0;
		for (int side = 0; side < 2; side++)
			if (f->stats.side[side].all.win && f->stats.side[side].longest[0] > longest)
				longest = f->stats.side[side].longest[0];
		pane_print_right(p, 0, at.longest_end, ROLE_TEXT, "%u",
		                 depth_shown(e->metric, longest, m->in_moves));
	} else {
		pane_right(p, 0, at.longest_end, ROLE_DIM, "-");
	}
	const struct mark mark = verified_mark(e, f);
	pane_text(p, 0, at.verified, mark.role, mark.word);
	/* Say first that a table is partial, so that it is never cut off. */
	static const char partial[] = "partial";
	const bool cuts = e->partial && !e->root; /* a study says it itself */
	const char *found = cuts ? strstr(e->detail, partial) : NULL;
	int before = found ? (int)(found - e->detail) : (int)strlen(e->detail);
	snprintf(detail, sizeof detail, "%s%s%.*s", cuts ? partial : "", cuts ? " " : "", before,
	         e->detail);
	if (has_detail(p, &at))
		pane_text(p, 0, at.detail, ROLE_DIM, detail);
}

static void draw(const struct model *m, struct pane p)
{
	const struct tables *t = &m->tables;
	const struct columns at = find_columns(&m->tables);
	pane_text(p, 0, SLICE_AT, ROLE_DIM, "slice");
	pane_text(p, 0, at.metric, ROLE_DIM, "metric");
	pane_right(p, 0, at.positions_end, ROLE_DIM, "positions");
	pane_right(p, 0, at.bytes_end, ROLE_DIM, "bytes");
	pane_right(p, 0, at.longest_end, ROLE_DIM, m->in_moves ? "max moves" : "max plies");
	pane_text(p, 0, at.verified, ROLE_DIM, "verified");
	if (has_detail(p, &at))
		pane_text(p, 0, at.detail, ROLE_DIM, "codec");
	if (!t->count) {
		pane_wrap(pane_sub(p, 2, 1, p.rows - 2, p.cols - 2), 0, ROLE_DIM, none(m));
		return;
	}
	shell_draw_list(m, tables_of(m), pane_sub(p, 1, 0, p.rows - 4, p.cols), draw_row);
	/* Draw what does not fit in a row. */
	const struct el_entry *e = selected(m);
	char form[FORM_MAX], summary[SUMMARY_MAX];
	if (!e)
		return;
	summary_text(&e->summary, true, summary);
	pane_print_wrapped(pane_sub(p, p.rows - 2, 1, 2, p.cols - 2), 0, ROLE_DIM, "%s%s%s%s%s",
	                   e->path, e->ignored ? " is ignored: " : ": ",
	                   e->ignored ? e->ignored : form_text(e, form), *summary ? "; " : "",
	                   summary);
}

static void row_text(const struct model *m, int row, char *out, size_t size)
{
	const struct el_entry *e = &m->tables.entries[row];
	snprintf(out, size, "%s %s %s", e->path, e->ignored ? e->ignored : e->slice.name,
	         e->detail);
}

static void ask(struct model *m)
{
	tables_of(m)->count = (int)m->tables.count;
	list_set(tables_of(m), tables_of(m)->at);
	m->tables.wanted = m->tables.wanted || shell_is_shown(m, VIEW_TABLES);
}

static void subject(const struct model *m, char *out, size_t size)
{
	snprintf(out, size, "%zu %s", m->tables.count, plural(m->tables.count, "file", "files"));
}

static const struct binding bindings[] = {
	KEY({K_ENTER}, "statistics", "statistics",
            "count outcomes and depths; show the root of a study", .run = show_statistics,
            .disabled = no_table),
	KEY({'v'}, "verify-table", "verify", "check every position against its successors",
            .run = verify, .disabled = no_table),
	KEY({'e'}, "explore-table", "explore", "explore a random position of the table",
            .run = explore_table, .disabled = no_table),
	KEY({'w'}, "longest-wins", "wins", "list the longest wins of all tables",
            .run = show_records),
	KEY({'z'}, "list-zugzwangs", "zugzwangs", "list the mutual zugzwangs of the table",
            .run = show_zugzwangs, .disabled = not_whole),
	KEY({'r'}, "rescan", "rescan", "look for files again", .run = tables_rescan),
	{.name = NULL},
};

const struct view tables_view = {
	.name = "Tables",
	.summary = "the tables found, their contents, and a check of them",
	.key = '4',
	.state = &tables_state,
	.bindings = bindings,
	.draw = draw,
	.list = {&tables_state, 0},
	.row = row_text,
	.subject = subject,
	.ask = ask,
};
