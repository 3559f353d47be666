/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions: lists of positions to browse, search and explore. */
#include "positions.h"
#include "core/find/find.h"

#include "tui/shell/bookmarks.h"
#include "tui/shell/line.h"
#include "tui/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the rows ---- */

static void ask(struct model *m)
{
	struct positions *v = positions_of(m);
	const struct source *source = positions_source(m);
	if (!shell_is_shown(m, VIEW_POSITIONS))
		return;
	if (v->list.at < v->list.count)
		v->selected[v->source] = v->rows[v->list.at];
	if (source->follow)
		source->follow(m);
	worths_follow(m);
	/* The rows that pass the filter; the selected one stays selected if it is among them. */
	const struct filter *f = &v->filter[v->source];
	/* What the rows depend on; values matter only to a filter and as notes. */
	const size_t count = source->count(m);
	struct listed first = {.game = NULL};
	if (count)
		source->row(m, 0, &first);
	const struct rows_of now = {
		.source = source,
		.version = source->version(m),
		.tables = m->tables_version,
		.worths = v->filter[v->source].count || !*first.note ? v->worths.changes : 0,
		.count = count,
		.in_moves = m->in_moves,
	};
	const struct rows_of *then = &v->found;
	if (now.source == then->source && now.version == then->version &&
	    now.tables == then->tables && now.worths == then->worths && now.count == then->count &&
	    now.in_moves == then->in_moves)
		return;
	size_t *rows = realloc(v->rows, (count + 1) * sizeof *rows);
	if (!rows) {
		model_fail(m, "out of memory");
		return;
	}
	int at = 0;
	v->found = now;
	v->rows = rows;
	v->list.count = v->slice_cols = v->note_cols = 0;
	for (size_t i = 0; i < count; i++) {
		const struct listed l = positions_listed(m, i);
		if (f->count && !filter_holds(f, &l, m->in_moves))
			continue;
		if (i <= v->selected[v->source])
			at = v->list.count;
		rows[v->list.count++] = i;
		v->slice_cols = positions_cols(v->slice_cols, l.slice);
		v->note_cols = positions_cols(v->note_cols, l.note);
	}
	list_set(&v->list, at);
}

static void close_positions(struct model *m)
{
	struct positions *v = positions_of(m);
	records_free(&v->records);
	worths_free(&v->worths);
	asked_free(&v->asked);
	free(v->rows);
	*v = (struct positions){.rows = NULL};
}

/* ---- which list ---- */

/* Restores each list as the user left it. */
static void show_source(struct model *m, enum source_name source)
{
	struct positions *v = positions_of(m);
	if (source == RECORDS)
		tables_retry(m);
	v->source = source;
	v->list.count = 0;
	v->found.source = NULL;
}

/* Shows a file of positions once it is there. */
static bool go_on(struct model *m)
{
	struct positions *v = positions_of(m);
	const bool is_new = v->opened != m->positions.opened;
	v->opened = m->positions.opened;
	if (!is_new)
		return false;
	v->filter[OPENED].count = 0;
	v->selected[OPENED] = 0;
	show_source(m, OPENED);
	shell_show(m, VIEW_POSITIONS);
	return true;
}

static void next_source(struct model *m, int by)
{
	const int count = positions_source_count(m);
	show_source(m, (enum source_name)(((int)positions_of(m)->source + count + by) % count));
}

static void set_filter(struct model *m, const char *text)
{
	struct positions *v = positions_of(m);
	const struct source *source = positions_source(m);
	struct el_error error;
	struct filter filter;
	if (filter_parse(text, &filter, &error)) {
		model_fail(m, "%s", error.text);
		return;
	}
	if (source->choose && !source->choose(m, &filter))
		return;
	v->filter[v->source] = filter;
	v->found.source = NULL;
}

static void ask_filter(struct model *m)
{
	const struct positions *v = positions_of(m);
	char text[FILTER_MAX];
	if (v->source == FOUND) {
		shell_prompt(m, "find %s", v->asked.text);
		model_note(m,
		           "A slice and a question: outcomes, numbers, squares, joined by and, or, "
		           "not.");
		return;
	}
	shell_prompt(m, "filter %s", filter_text(&v->filter[v->source], text));
	model_note(m,
	           "Show only a slice, win, draw, loss, white, black, depth>%d or any other words; "
	           "nothing shows all.",
	           m->in_moves ? 30 : 60);
}

/* ---- verbs ---- */

static void type_source(struct model *m, int source, const char *rest)
{
	show_source(m, (enum source_name)source);
	set_filter(m, rest);
}

static void type_find(struct model *m, const char *rest)
{
	show_source(m, FOUND);
	if (*rest)
		asked_find(m, rest);
}

static void offer_terms(const struct model *m, const char *rest, struct words *w)
{
	static const char *const words[] = {"win",   "draw",  "loss",     "cursed",   "blessed",
	                                    "white", "black", "depth>60", "depth<20", "depth=7"};
	(void)rest;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		words_offer(w, words[i]);
	words_offer_slices(w, m);
}

static void offer_question(const struct model *m, const char *rest, struct words *w)
{
	const struct el_game *game = el_games[0];
	struct el_slice slice;
	char word[EL_SLICE_MAX];
	snprintf(word, sizeof word, "%.*s", (int)strcspn(rest, " "), rest);
	if (!el_slice_parse(word, &slice, NULL))
		game = slice.game;
	for (size_t i = 0; el_query_word(game, i); i++)
		words_offer(w, el_query_word(game, i));
	words_offer_slices(w, m);
}

static const struct verb verbs[] = {
	{"samples", "[FILTER]", "list positions worth a look", .apply = type_source,
         .argument = SAMPLES, .complete = offer_terms},
	{"records", "[FILTER]", "list the longest wins of all tables", .apply = type_source,
         .argument = RECORDS, .complete = offer_terms},
	{"zugzwangs", "[SLICE]", "list the mutual zugzwangs of a slice", .apply = type_source,
         .argument = ZUGZWANGS, .complete = offer_terms},
	{"find", "SLICE... QUESTION", "list the positions that answer a question", .run = type_find,
         .complete = offer_question},
	{"bookmarks", "[FILTER]", "list the positions that you kept", .apply = type_source,
         .argument = BOOKMARKS, .complete = offer_terms},
	{"filter", "WORDS", "show only some: KQvKR win depth>60; nothing shows all",
         .run = set_filter, .complete = offer_terms},
	{.word = NULL},
};

/* A lone outcome, side or depth is a filter. Other words are not, nor slices, which mean something
   in every view. */
static bool line(struct model *m, const char *text)
{
	struct filter filter;
	struct el_error error;
	if (filter_parse(text, &filter, &error)) {
		if (strpbrk(text, "<>="))
			model_fail(m, "%s", error.text);
		return strpbrk(text, "<>=");
	}
	for (int i = 0; i < filter.count; i++)
		if (filter.term[i].kind < TERM_SIDE || filter.term[i].kind == TERM_TEXT)
			return false;
	set_filter(m, text);
	return true;
}

/* ---- what the keys do ---- */

static const char *no_position(const struct model *m)
{
	return positions_of(m)->list.count ? NULL : "There is no position in this list.";
}

static void explore_selected(struct model *m)
{
	struct listed l;
	if (positions_selected(m, &l))
		line_visit(m, l.fen, l.name);
}

static void delete_selected(struct model *m)
{
	const struct positions *v = positions_of(m);
	bookmarks_delete(m, v->rows[v->list.at]);
}

static const char *no_bookmark(const struct model *m)
{
	return positions_of(m)->source != BOOKMARKS ? "Only bookmarks can be deleted."
	                                            : no_position(m);
}

static const char *nothing_deleted(const struct model *m)
{
	return bookmarks_of(m)->deleted_count ? NULL : "No bookmark was deleted in this session.";
}

static const struct binding bindings[] = {
	KEY({K_ENTER}, "explore-listed", "explore", "explore the selected position; ^O comes back",
            .run = explore_selected, .disabled = no_position),
	KEY({K_TAB}, "next-list", "next list", "go to the next list of positions",
            .apply = next_source, .argument = 1),
	KEY({K_BACKTAB}, "list-before", NULL, "go to the previous list of positions",
            .apply = next_source, .argument = -1),
	KEY({'f'}, "ask-filter", "filter",
            "show only some: a slice, win, draw, loss, depth>60, any word", .run = ask_filter),
	KEY({'D', K_DELETE}, "delete-bookmark", NULL, "delete the selected bookmark",
            .run = delete_selected, .disabled = no_bookmark, .touches = "your bookmarks"),
	KEY({'U'}, "undelete-bookmark", NULL, "bring back the bookmark deleted last",
            .run = bookmarks_restore, .disabled = nothing_deleted, .touches = "your bookmarks"),
	KEY({'c'}, "continue-counting", NULL, "count on where it was stopped", .run = tables_retry,
            .disabled = records_not_stopped),
	{.name = NULL},
};

/* A click on the name of a list. */
static bool update(struct model *m, const struct event *e)
{
	if (e->kind != EVENT_CLICK || e->zone.kind != ZONE_COLUMN)
		return false;
	show_source(m, (enum source_name)(e->zone.value % SOURCES));
	return true;
}

static void row_text(const struct model *m, int i, char *out, size_t size)
{
	char text[LISTED_TEXT_MAX];
	const struct listed l = positions_listed(m, positions_of(m)->rows[i]);
	snprintf(out, size, "%s", listed_text(&l, m->in_moves, text));
}

static void subject(const struct model *m, char *out, size_t size)
{
	const struct positions *v = positions_of(m);
	const struct finding *f = m->tables.shown;
	const size_t all = positions_source(m)->count(m), count = (size_t)v->list.count;
	*out = '\0';
	if (v->source == ZUGZWANGS && f)
		snprintf(out, size, "%s  ", f->slice.name);
	if (v->filter[v->source].count)
		el_text_add(out, size, "%zu of %zu", count, all);
	else
		el_text_add(out, size, "%zu %s", all, plural(all, "position", "positions"));
}

const struct view positions_view = {
	.name = "Positions",
	.summary = "samples, records, zugzwangs, answers and bookmarks, in lists",
	.summons = 'E',
	.state = &positions_state,
	.bindings = bindings,
	.verbs = verbs,
	.update = update,
	.line = line,
	.draw = positions_draw,
	.list = {&positions_state, offsetof(struct positions, list)},
	.row = row_text,
	.subject = subject,
	.ask = ask,
	.go_on = go_on,
	.close = close_positions,
};
