/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zugzwangs: the mutual zugzwangs of one table, one position of each symmetry class. */
#include "records.h"

#include "../../screen/roles.h"
#include "../../text/text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

struct zugzwangs {
	struct list list;            /* by kind */
	const struct finding *table; /* that the list was of */
};

static const struct state state = {sizeof(struct zugzwangs)};

static struct zugzwangs *view_of(const struct model *m)
{
	return state_of(m, &state);
}

static struct list *list(struct model *m)
{
	return &view_of(m)->list;
}

/* Null until they are found. */
static const struct el_zugzwangs *found(const struct model *m)
{
	const struct finding *f = m->tables.shown;
	return f && f->search.known ? &f->zugzwangs : NULL;
}

static const char *const kinds[] = {
	[EL_ZUGZWANG_FULL] = "full",
	[EL_ZUGZWANG_WHITE_HALF] = "white half",
	[EL_ZUGZWANG_BLACK_HALF] = "black half",
};

/* ---- the rows ---- */

/* The kind of row `*row`, which becomes its number among those of the kind; EL_ZUGZWANGS past the
   last. */
static enum el_zugzwang kind_at(const struct el_zugzwangs *z, size_t *row)
{
	int kind = 0;
	while (kind < EL_ZUGZWANGS && *row >= z->count[kind])
		*row -= z->count[kind++];
	return (enum el_zugzwang)kind;
}

static void row_text(const struct model *m, int row, char *out, size_t size)
{
	const struct el_zugzwangs *z = found(m);
	char fen[EL_FEN_MAX] = "";
	size_t i = (size_t)row;
	const enum el_zugzwang kind = kind_at(z, &i);
	snprintf(out, size, "%-10s   %s", kinds[kind], el_zugzwangs_fen(z, kind, i, fen));
}

static void ask(struct model *m)
{
	struct zugzwangs *v = view_of(m);
	const struct el_zugzwangs *z = found(m);
	size_t count = 0;
	for (int kind = 0; z && kind < EL_ZUGZWANGS; kind++)
		count += z->count[kind];
	if (v->table != m->tables.shown)
		v->list.at = 0;
	v->table = m->tables.shown;
	v->list.count = count < INT_MAX ? (int)count : INT_MAX;
}

/* ---- what the keys do ---- */

static const char *no_position(const struct model *m)
{
	return view_of(m)->list.count ? NULL : "There is no position in this list.";
}

static void explore_selected(struct model *m)
{
	char fen[EL_FEN_MAX] = "";
	size_t i = (size_t)list(m)->at;
	const enum el_zugzwang kind = kind_at(found(m), &i);
	explore_fen(m, el_zugzwangs_fen(found(m), kind, i, fen));
}

/* The first position of the next kind, and behind the last kind of the first one. */
static void next_kind(struct model *m)
{
	const struct el_zugzwangs *z = found(m);
	size_t i = (size_t)list(m)->at;
	const enum el_zugzwang kind = kind_at(z, &i);
	const size_t next = (size_t)list(m)->at - i + z->count[kind];
	list_set(list(m), next < (size_t)list(m)->count ? (int)next : 0);
}

/* ---- drawing ---- */

enum { KIND_AT = 1, WORDS_AT = 14, LISTED_COLS = 9, ROOMY_COLS = 79, HEAD_ROWS = 5 };

/* Where there is not room for all, the numbers go before what the kinds mean. */
static void draw_head(const struct el_zugzwangs *z, struct pane p)
{
	const int end = p.cols < ROOMY_COLS ? p.cols - 1 : ROOMY_COLS;
	const char *colon = strchr(z->slice.name, ':');
	char text[GROUPED_MAX];
	int x = pane_text(p, 0, KIND_AT, ROLE_STRONG, colon ? colon + 1 : z->slice.name);
	pane_text(p, 0, x + 2, ROLE_DIM,
	          z->partial ? "mutual zugzwangs, as far as known" : "mutual zugzwangs");
	pane_right(p, 0, end - LISTED_COLS, ROLE_DIM, "positions");
	pane_right(p, 0, end, ROLE_DIM, "listed");
	for (int kind = 0; kind < EL_ZUGZWANGS; kind++) {
		const int y = 1 + kind;
		pane_text(p, y, KIND_AT, ROLE_TEXT, kinds[kind]);
		if (end == ROOMY_COLS)
			pane_text(p, y, WORDS_AT, ROLE_DIM, zugzwang_words((enum el_zugzwang)kind));
		pane_right(p, y, end - LISTED_COLS, ROLE_TEXT, grouped(z->placements[kind], text));
		pane_right(p, y, end, ROLE_TEXT, grouped(z->count[kind], text));
	}
}

static void draw_rows(const struct model *m, struct pane rows)
{
	const struct list *l = &view_of(m)->list;
	const int top = list_top(l, rows.rows);
	for (int y = 0; y < rows.rows && top + y < l->count; y++) {
		struct pane row = pane_sub(rows, y, 0, 1, rows.cols);
		const bool is_selected = top + y == l->at;
		char text[EL_FEN_MAX + 16];
		if (is_selected)
			pane_fill(row, ROLE_SELECTED);
		row_text(m, top + y, text, sizeof text);
		pane_text(row, 0, 0, ROLE_STRONG, is_selected ? ">" : " ");
		pane_text(row, 0, KIND_AT, ROLE_TEXT, text);
		pane_zone(row, ZONE_ITEM, top + y);
	}
}

static void draw_waiting(const struct model *m, struct pane p)
{
	const struct finding *f = m->tables.shown;
	char text[320];
	if (!f)
		snprintf(text, sizeof text, "Nothing is listed yet. In Tables, press z on a table.");
	else if (f->search.job)
		snprintf(text, sizeof text, "Looking for zugzwangs in %s.", f->slice.name);
	else
		snprintf(text, sizeof text, "The zugzwangs of %s are not known: %s. In Tables, press z"
		                            " to try again.",
		         f->slice.name, f->why_none);
	pane_wrap(p, 0, ROLE_DIM, text);
}

static void draw(const struct model *m, struct pane p)
{
	const struct el_zugzwangs *z = found(m);
	if (!z) {
		draw_waiting(m, pane_sub(p, 1, 1, 3, p.cols - 2));
		return;
	}
	draw_head(z, p);
	draw_rows(m, pane_sub(p, HEAD_ROWS, 0, p.rows - HEAD_ROWS - 2, p.cols));
	pane_text(p, p.rows - 2, 1, ROLE_DIM,
	          view_of(m)->list.count ? "White to move; one position of each symmetry class"
	                                 : "There are none.");
}

static void subject(const struct model *m, char *out, size_t size)
{
	const struct finding *f = m->tables.shown;
	snprintf(out, size, "%s%szugzwangs", f ? f->slice.name : "", f ? "  " : "");
}

static const struct binding bindings[] = {
	{{K_ENTER}, "explore-zugzwang", "explore", "explore the selected position",
	 .run = explore_selected, .disabled = no_position},
	{{K_TAB}, "next-kind", "next kind", "go to the next kind of zugzwang", .run = next_kind,
	 .disabled = no_position},
	{.name = NULL},
};

const struct view zugzwangs_view = {
	.name = "Zugzwangs",
	.summary = "the mutual zugzwangs of one table",
	.state = &state,
	.bindings = bindings,
	.draw = draw,
	.list = list,
	.row = row_text,
	.subject = subject,
	.ask = ask,
};
