/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws Positions: the lists' names, the rows, and the selected one in words. */
#include "positions.h"

#include "tui/screen/roles.h"
#include "tui/text/text.h"

#include <stdio.h>

enum { HEAD_ROWS = 2, FOOT_ROWS = 4, WIDE_COLS = 120, NAMES_AT = 44 };

/* ---- the lists' names ---- */

static void draw_names(const struct model *m, struct pane p)
{
	const struct positions *v = positions_of(m);
	const bool is_tight = p.cols < 60;
	char filter[FILTER_MAX], text[FILTER_MAX + 16];
	int x = is_tight ? 0 : 1;
	for (int i = 0; i < positions_source_count(m); i++) {
		const bool is_here = i == (int)v->source;
		const int cols = utf8_length(positions_sources[i]->title) + 2;
		struct pane name = pane_sub(p, 0, x, 1, cols);
		if (is_here)
			pane_fill(name, ROLE_SELECTED);
		pane_print(name, 0, 0, is_here ? ROLE_STRONG : ROLE_DIM, is_here ? "[%s]" : " %s ",
		           positions_sources[i]->title);
		pane_zone(name, ZONE_COLUMN, i);
		x += cols + !is_tight;
	}
	if (!v->filter[v->source].count)
		return;
	snprintf(text, sizeof text, "only %s", filter_text(&v->filter[v->source], filter));
	const int start = p.cols - 1 - utf8_length(text);
	pane_text(p, 0, start > x ? start : x + 1, ROLE_NOTE, text);
}

/* ---- rows ---- */

struct columns {
	int note, to_move, outcome, depth_end, position;
};

static void draw_row(const struct model *m, struct pane p, int i, const struct columns *at)
{
	const struct positions *v = positions_of(m);
	const struct listed l = positions_listed(m, v->rows[i]);
	const enum role role = l.metric ? outcome_role(l.value.outcome) : ROLE_DIM;
	char text[GROUPED_MAX];
	pane_select(p, i == v->list.at);
	pane_zone(p, ZONE_ITEM, i);
	pane_text(p, 0, 1, ROLE_STRONG, l.slice);
	pane_text(p, 0, at->note, ROLE_TEXT, l.note);
	pane_text(p, 0, at->to_move, ROLE_TEXT, l.game->sides[l.position.side]);
	pane_text(p, 0, at->outcome, role, l.metric ? listed_outcome(&l) : "?");
	if (value_is_deep(l.metric, l.value))
		pane_right(p, 0, at->depth_end, l.longest ? ROLE_STRONG : ROLE_TEXT,
		           grouped(depth_shown(l.metric, l.value.plies, m->in_moves), text));
	pane_text(p, 0, at->depth_end, ROLE_STRONG, l.longest ? "*" : "");
	/* A position's name replaces its FEN, or follows it if there is room. */
	const bool is_wide = p.cols >= WIDE_COLS;
	if (!l.name || is_wide)
		pane_text(p, 0, at->position, ROLE_DIM, l.fen);
	if (l.name)
		pane_text(p, 0, at->position + (is_wide ? NAMES_AT : 0), ROLE_TEXT, l.name);
}

void positions_draw(const struct model *m, struct pane p)
{
	const struct positions *v = positions_of(m);
	/* Columns wide enough for every row, including those of tables not counted yet, so that
	   they do not move. */
	const struct tables *t = &m->tables;
	int name = v->slice_cols > 8 ? v->slice_cols : 8,
	    note = v->note_cols > 6 ? v->note_cols : 6;
	for (size_t i = 0; v->source == RECORDS && i < t->count; i++) {
		if (!tables_has_depths(t, &t->entries[i]))
			continue;
		name = positions_cols(name, t->entries[i].slice.name);
		note = positions_cols(note, t->entries[i].metric->name);
	}
	struct columns at = {.note = 1 + name + 1};
	at.to_move = at.note + note + 1;
	at.outcome = at.to_move + 8;
	at.depth_end = at.outcome + 13;
	at.position = at.depth_end + 2;
	draw_names(m, p);
	pane_text(p, 1, 1, ROLE_DIM, "slice");
	pane_text(p, 1, at.note, ROLE_DIM, positions_source(m)->note);
	pane_text(p, 1, at.to_move, ROLE_DIM, "to move");
	pane_text(p, 1, at.outcome, ROLE_DIM, "outcome");
	pane_right(p, 1, at.depth_end, ROLE_DIM, depth_unit(NULL, m->in_moves));
	pane_text(p, 1, at.position, ROLE_DIM, "position");
	struct pane rows = pane_sub(p, HEAD_ROWS, 0, p.rows - HEAD_ROWS - FOOT_ROWS, p.cols);
	const int top = list_top(&v->list, rows.rows);
	for (int y = 0; y < rows.rows && top + y < v->list.count; y++)
		draw_row(m, pane_row(rows, y), top + y, &at);
	if (!v->list.count) {
		char text[512] = "";
		if (positions_source(m)->count(m))
			snprintf(text, sizeof text,
			         "Nothing here fits '%s'. Press f to change that.",
			         filter_text(&v->filter[v->source], (char[FILTER_MAX]){0}));
		else if (positions_source(m)->empty)
			positions_source(m)->empty(m, text, sizeof text);
		pane_wrap(pane_sub(rows, 1, 1, 3, p.cols - 2), 0, ROLE_DIM, text);
	}
	/* Below: what the row had no room for, and notes on the list, as far as they fit. */
	struct pane foot = pane_sub(p, p.rows - FOOT_ROWS, 1, FOOT_ROWS, p.cols - 2);
	const struct source *source = positions_source(m);
	const bool is_wide = foot.cols >= WIDE_COLS;
	const int room = foot.cols + 1 - at.position;
	char text[256] = "";
	struct listed l;
	int y = 1;
	if (positions_selected(m, &l)) {
		/* "White to move mates in 55 plies (28 moves), the longest of all" */
		char predicate[PREDICATE_MAX] = "no table says";
		if (l.metric)
			value_predicate(l.metric, l.value, l.value.outcome, m->in_moves, predicate);
		pane_print(foot, 0, 0, l.metric ? outcome_role(l.value.outcome) : ROLE_UNKNOWN,
		           "%s to move%s %s%s", l.game->sides[l.position.side], l.metric ? "" : ":",
		           predicate, l.longest ? ", the longest of all" : "");
		if (*l.meaning)
			pane_print(foot, y++, 0, ROLE_TEXT, "%s: %s", l.note, l.meaning);
		if (l.name && !is_wide && utf8_length(l.name) > room)
			y += pane_wrap(pane_sub(foot, y, 0, 2, foot.cols), 0, ROLE_TEXT, l.name);
		if ((l.name && !is_wide) || utf8_length(l.fen) > room)
			pane_text(foot, y++, 0, ROLE_DIM, l.fen);
	}
	if (source->about)
		source->about(m, text, sizeof text);
	pane_text(foot, y, 0, ROLE_DIM, text);
}
