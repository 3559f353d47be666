/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records: the longest wins of every table, counted one after the other while the list is on screen. */
#include "records.h"

#include "../../screen/roles.h"
#include "../../text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
	const struct finding *table;
	unsigned winner, to_move; /* enum el_side */
	unsigned plies;
	const char *fen; /* of the table's counts */
};

struct records {
	struct list list;
	struct record *rows; /* owned */
	size_t room;
	size_t counted, tables; /* of tables with depths that can be read as a whole */
	bool stopped;           /* somebody stopped the counting */
};

static const struct state state = {sizeof(struct records)};

static struct records *records_of(const struct model *m)
{
	return state_of(m, &state);
}

static struct list *list(struct model *m)
{
	return &records_of(m)->list;
}

void explore_fen(struct model *m, const char *fen)
{
	const struct el_game *game;
	struct el_position position;
	struct el_error error;
	if (el_position_parse(fen, &game, &position, &error))
		model_fail(m, "%s", error.text);
	else if (play_set(m, game, &position))
		shell_visit(m, VIEW_EXPLORE);
}

/* ---- the rows ---- */

static bool add_row(struct model *m, const struct record *row)
{
	struct records *r = records_of(m);
	if ((size_t)r->list.count == r->room) {
		const size_t room = 2 * r->room + 64;
		struct record *larger = realloc(r->rows, room * sizeof *larger);
		if (!larger) {
			model_fail(m, "out of memory");
			return false;
		}
		r->rows = larger;
		r->room = room;
	}
	r->rows[r->list.count++] = *row;
	return true;
}

/* White's wins first, of each side those first where it is to move itself. */
static bool add_table(struct model *m, const struct finding *f)
{
	bool good = true;
	for (unsigned i = 0; i < 4 && good; i++) {
		struct record row = {.table = f, .winner = i / 2, .to_move = (i / 2) ^ (i % 2)};
		row.fen = el_stats_record(&f->stats, row.winner, row.to_move, &row.plies);
		good = !row.fen || add_row(m, &row);
	}
	return good;
}

/* Of its metric, once all tables are counted. */
static bool is_longest(const struct records *r, const struct record *row)
{
	bool longest = r->counted == r->tables;
	for (int i = 0; i < r->list.count && longest; i++)
		longest = r->rows[i].table->metric != row->table->metric ||
		          r->rows[i].plies <= row->plies;
	return longest;
}

/* Those that are counted, as far as none before them is still to come: rows keep their places. */
static void find_rows(struct model *m)
{
	const struct tables *t = &m->tables;
	struct records *r = records_of(m);
	bool open = true;
	r->list.count = 0;
	r->counted = r->tables = 0;
	r->stopped = false;
	for (size_t i = 0; i < t->count; i++) {
		const struct el_entry *e = &t->entries[i];
		if (!tables_has_depths(t, e))
			continue;
		const struct finding *f = tables_finding(t, &e->slice, e->metric);
		const bool known = f && f->count.known;
		r->tables++;
		r->counted += known;
		r->stopped = r->stopped || (f && f->stopped);
		open = open && (known || (f && f->why[0] && !f->stopped));
		if (open && known)
			open = add_table(m, f);
	}
}

static void ask(struct model *m)
{
	if (!shell_is_shown(m, VIEW_RECORDS))
		return;
	m->tables.wanted = true;
	tables_count_all(m);
	find_rows(m);
	list_set(list(m), list(m)->at);
}

static void close_records(struct model *m)
{
	free(records_of(m)->rows);
	*records_of(m) = (struct records){.rows = NULL};
}

/* ---- what the keys do ---- */

static const struct record *selected(const struct model *m)
{
	const struct records *r = records_of(m);
	return r->list.at < r->list.count ? &r->rows[r->list.at] : NULL;
}

static const char *no_record(const struct model *m)
{
	return selected(m) ? NULL : "There is no position in this list yet.";
}

static void explore_selected(struct model *m)
{
	explore_fen(m, selected(m)->fen);
}

static const char *not_stopped(const struct model *m)
{
	return records_of(m)->stopped ? NULL : "Counting was not stopped.";
}

/* ---- drawing ---- */

struct columns {
	int metric, wins, to_move, depth_end, position;
};

/* Of the tables that are still to be counted as well: columns keep their places. */
static struct columns find_columns(const struct tables *t)
{
	int name = 8, metric = 6;
	for (const struct el_entry *e = t->entries; e < t->entries + t->count; e++) {
		if (!tables_has_depths(t, e))
			continue;
		const int length = (int)strlen(e->slice.name), letters = (int)strlen(e->metric->name);
		name = length > name ? length : name;
		metric = letters > metric ? letters : metric;
	}
	struct columns at = {.metric = 1 + name + 1};
	at.wins = at.metric + metric + 1;
	at.to_move = at.wins + 6;
	at.depth_end = at.to_move + 13;
	at.position = at.depth_end + 2;
	return at;
}

static void draw_headings(const struct model *m, struct pane p, const struct columns *at)
{
	pane_text(p, 0, 1, ROLE_DIM, "slice");
	pane_text(p, 0, at->metric, ROLE_DIM, "metric");
	pane_text(p, 0, at->wins, ROLE_DIM, "wins");
	pane_text(p, 0, at->to_move, ROLE_DIM, "to move");
	pane_right(p, 0, at->depth_end, ROLE_DIM, depth_unit(m->in_moves));
	pane_text(p, 0, at->position, ROLE_DIM, "position");
}

static void draw_row(const struct model *m, struct pane p, int i, const struct columns *at)
{
	const struct records *r = records_of(m);
	const struct record *row = &r->rows[i];
	const bool is_selected = i == r->list.at, longest = is_longest(r, row);
	char text[GROUPED_MAX];
	if (is_selected)
		pane_fill(p, ROLE_SELECTED);
	pane_text(p, 0, 0, ROLE_STRONG, is_selected ? ">" : " ");
	pane_zone(p, ZONE_ITEM, i);
	pane_text(p, 0, 1, ROLE_STRONG, row->table->slice.name);
	pane_text(p, 0, at->metric, ROLE_TEXT, metric_text(row->table->metric, text));
	pane_text(p, 0, at->wins, ROLE_TEXT, side_name(row->winner));
	pane_text(p, 0, at->to_move, ROLE_TEXT, side_name(row->to_move));
	pane_right(p, 0, at->depth_end, longest ? ROLE_STRONG : ROLE_TEXT,
	           grouped(depth_shown(row->plies, m->in_moves), text));
	pane_text(p, 0, at->depth_end, ROLE_STRONG, longest ? "*" : "");
	pane_text(p, 0, at->position, ROLE_DIM, row->fen);
}

/* The selected row in words; its position where its row is cut, or how far the counting is. */
static void draw_foot(const struct model *m, struct pane p, const struct columns *at)
{
	const struct records *r = records_of(m);
	const struct record *row = selected(m);
	char text[SENTENCE_MAX];
	if (row) {
		const struct el_value value = {
			.outcome = row->winner == row->to_move ? EL_WIN : EL_LOSS,
			.plies = (uint16_t)row->plies,
		};
		pane_print(p, 0, 1, ROLE_TEXT, "%s wins, %s to move: %s%s", side_name(row->winner),
		           side_name(row->to_move),
		           value_sentence(row->table->metric, value, m->in_moves, text),
		           is_longest(r, row) ? ", the longest of all" : "");
	}
	if (row && at->position + (int)strlen(row->fen) > p.cols)
		pane_text(p, 1, 1, ROLE_DIM, row->fen);
	else if (r->stopped)
		pane_print(p, 1, 1, ROLE_DIM, "Stopped: %zu of %zu tables are counted. Press c to continue.",
		           r->counted, r->tables);
	else
		pane_print(p, 1, 1, ROLE_DIM, "%zu of %zu tables counted%s", r->counted, r->tables,
		           r->counted == r->tables ? "; * the longest of all under its metric" : "");
}

static void draw(const struct model *m, struct pane p)
{
	const struct records *r = records_of(m);
	if (!r->tables) {
		pane_wrap(pane_sub(p, 1, 1, p.rows - 1, p.cols - 2), 0, ROLE_DIM,
		          m->tables.ask.known ? "No table with depths yet. Press 5 to build some."
		                              : "Tables are being looked for.");
		return;
	}
	const struct columns at = find_columns(&m->tables);
	draw_headings(m, p, &at);
	struct pane rows = pane_sub(p, 1, 0, p.rows - 4, p.cols);
	const int top = list_top(&r->list, rows.rows);
	for (int y = 0; y < rows.rows && top + y < r->list.count; y++)
		draw_row(m, pane_sub(rows, y, 0, 1, rows.cols), top + y, &at);
	draw_foot(m, pane_sub(p, p.rows - 2, 0, 2, p.cols), &at);
}

static void row_text(const struct model *m, int i, char *out, size_t size)
{
	const struct record *row = &records_of(m)->rows[i];
	snprintf(out, size, "%s %s %s %u %s", row->table->slice.name, row->table->metric->name,
	         side_name(row->winner), depth_shown(row->plies, m->in_moves), row->fen);
}

static void subject(const struct model *m, char *out, size_t size)
{
	(void)m;
	snprintf(out, size, "longest wins");
}

static const struct binding bindings[] = {
	{{K_ENTER}, "explore-win", "explore", "explore the selected position",
	 .run = explore_selected, .disabled = no_record},
	{{'c'}, "continue-counting", NULL, "count on where it was stopped", .run = tables_retry,
	 .disabled = not_stopped},
	{.name = NULL},
};

const struct view records_view = {
	.name = "Records",
	.summary = "the longest wins of every table",
	.state = &state,
	.bindings = bindings,
	.draw = draw,
	.list = list,
	.row = row_text,
	.subject = subject,
	.ask = ask,
	.close = close_records,
};
