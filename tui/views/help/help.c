/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Help: every key and every word of every view, every command and every game, made from their tables;
   Enter runs the entry. */
#include "../../cli/command.h"
#include "../../shell/line.h"
#include "../../text/games.h"
#include "../views.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct help {
	struct list list;
	char query[64];
	bool searching; /* keys go to the query */
};

static const struct state state = {sizeof(struct help)};

static struct help *help_of(const struct model *m)
{
	return state_of(m, &state);
}

/* One row: a heading (only `heading`), a binding, a verb, a command, a view by itself (only `view`) or a
   game. */
struct row {
	const char *heading;
	const struct view *view; /* of the binding or the verb, if any; null: it works everywhere */
	const struct binding *binding;
	const struct verb *verb;
	const struct command *command;
	const struct el_game *game;
};

typedef void visit(void *context, int number, const struct row *);

struct entries {
	const char *query; /* empty: all rows are found */
	visit *visit;
	void *context;
	int number;
	const char *heading; /* not shown yet: comes before the first row under it */
};

static bool found(const struct entries *w, const char *name, const char *help)
{
	return strcasestr(name, w->query) || strcasestr(help, w->query);
}

static void show_row(struct entries *w, const struct row *row)
{
	struct row heading = {.heading = w->heading};
	if (w->heading)
		w->visit(w->context, w->number++, &heading);
	w->heading = NULL;
	w->visit(w->context, w->number++, row);
}

static void walk_bindings(struct entries *w, const char *heading, const struct view *view,
                          const struct binding *bindings)
{
	if (heading)
		w->heading = heading;
	for (const struct binding *b = bindings; b && b->name; b++)
		if (found(w, b->name, b->help))
			show_row(w, &(struct row){.view = view, .binding = b});
}

static void walk_verbs(struct entries *w, const struct view *view, const struct verb *verbs)
{
	for (const struct verb *v = verbs; v && v->word; v++)
		if (found(w, v->word, v->help))
			show_row(w, &(struct row){.view = view, .verb = v});
}

/* Visits all rows that a search finds; returns how many. */
static int each_found(const struct model *m, const char *query, visit *each, void *context)
{
	struct entries w = {.query = query, .visit = each, .context = context};
	const struct view *const *all = shell_views(m);
	char word[32];
	for (const struct view *const *v = all; *v; v++) {
		walk_bindings(&w, (*v)->name, *v, (*v)->bindings);
		walk_verbs(&w, *v, (*v)->verbs);
	}
	walk_bindings(&w, "Everywhere", NULL, global_bindings);
	walk_verbs(&w, NULL, global_verbs);
	for (const struct view *const *v = all; *v; v++)
		if ((*v)->strip)
			walk_bindings(&w, (*v)->strip->heading, NULL, (*v)->strip->bindings);
	w.heading = "Commands, after :";
	for (const struct command *const *c = commands; *c; c++)
		if (found(&w, (*c)->name, (*c)->summary))
			show_row(&w, &(struct row){.command = *c});
	w.heading = "Views that take a line, after :";
	for (const struct view *const *v = all; *v; v++)
		if (line_view_word(*v, word) && found(&w, word, (*v)->summary))
			show_row(&w, &(struct row){.view = *v});
	w.heading = "Slices and positions of each game, after :";
	for (const struct el_game *const *g = el_games; *g; g++)
		if (found(&w, (*g)->name, (*g)->title))
			show_row(&w, &(struct row){.game = *g});
	return w.number;
}

/* Those that are on screen. */
static int each_row(const struct model *m, visit *each, void *context)
{
	return each_found(m, help_of(m)->query, each, context);
}

/* ---- moving and searching ---- */

static void count_only(void *context, int number, const struct row *row)
{
	(void)context;
	(void)number;
	(void)row;
}

struct pick {
	int wanted;
	struct row row;
};

static void pick_row(void *context, int number, const struct row *row)
{
	struct pick *p = context;
	if (number == p->wanted)
		p->row = *row;
}

static void recount(struct model *m)
{
	help_of(m)->list.count = each_row(m, count_only, NULL);
	list_set(&help_of(m)->list, help_of(m)->list.at);
}

/* The first key of a view. */
struct first {
	const struct view *view;
	int number; /* of its row; 0: none found */
};

static void find_first(void *context, int number, const struct row *row)
{
	struct first *f = context;
	if (!f->number && row->binding && row->view == f->view)
		f->number = number;
}

static void set_query(struct model *m, const char *query, bool searching)
{
	struct help *h = help_of(m);
	snprintf(h->query, sizeof h->query, "%.*s", (int)utf8_fitting(query, sizeof h->query - 1),
	         query);
	h->searching = searching;
	recount(m);
}

/* Everything, at the keys of the view that it was called from. */
static void enter(struct model *m)
{
	struct first first = {shell_below(m), 0};
	set_query(m, "", false);
	if (first.view)
		each_row(m, find_first, &first);
	if (first.number)
		list_set(&help_of(m)->list, first.number);
	else if (help_of(m)->list.at == 0)
		list_set(&help_of(m)->list, 1); /* the first row is a heading */
}

static void search(struct model *m)
{
	set_query(m, "", true);
	list_set(&help_of(m)->list, 0);
}

/* As if it had been typed after `/`. */
static void search_text(struct model *m, const char *text)
{
	set_query(m, text, *text);
	if (*text)
		list_set(&help_of(m)->list, 1);
}

static void show_game(struct model *m, const struct el_game *game)
{
	struct el_slice slice;
	char fen[EL_FEN_MAX];
	game_example(game, &slice, fen);
	shell_prompt(m, "%s", fen);
}

/* A verb that needs no more is run; the beginning of the line is typed for the others. */
static void run_word(struct model *m, const struct verb *verb)
{
	if (*verb->arguments)
		shell_prompt(m, "%s ", verb->word);
	else
		verb->run(m, "");
}

static void run_binding(struct model *m, const struct row *row)
{
	if (binding_runs(row->binding))
		binding_run(m, row->binding);
	else
		model_note(m, "This is typed in %s.", row->view ? row->view->name : "any view");
}

/* In the view that the entry belongs to; what works everywhere works in the view below, too. */
static void run_entry(struct model *m)
{
	struct pick pick = {.wanted = help_of(m)->list.at};
	char word[32];
	each_row(m, pick_row, &pick);
	const struct row *row = &pick.row;
	if (row->binding || row->verb) {
		if (row->view)
			shell_show_view(m, row->view);
		else
			shell_back(m);
	}
	if (row->binding)
		run_binding(m, row);
	else if (row->verb)
		run_word(m, row->verb);
	else if (row->command)
		shell_prompt(m, "%s ", row->command->name);
	else if (row->view)
		shell_prompt(m, "%s ", line_view_word(row->view, word));
	else if (row->game)
		show_game(m, row->game);
}

/* While a search is typed, letters belong to it. */
static bool update(struct model *m, const struct event *e)
{
	struct help *h = help_of(m);
	size_t length = strlen(h->query);
	if (e->kind != EVENT_KEY || !h->searching)
		return false;
	if (e->key == K_BACKSPACE && length)
		h->query[length - 1] = '\0';
	else if (e->key == K_ESCAPE || (e->key == K_BACKSPACE && !length))
		h->searching = false;
	else if (e->key >= ' ' && e->key < 127 && length + 1 < sizeof h->query)
		snprintf(h->query + length, sizeof h->query - length, "%c", e->key);
	else {
		shell_set_pattern(m, h->query);
		h->searching = false;
		return false; /* the key is for what was found */
	}
	if (!h->searching)
		h->query[0] = '\0';
	recount(m);
	list_set(&h->list, 1);
	return true;
}

/* ---- drawing ---- */

struct drawing {
	const struct model *m;
	struct pane pane;
	int top;
};

enum { KEYS_AT = 3, NAME_AT = 15, HELP_AT = 28 };

static void key_text(const struct binding *b, char out[32])
{
	char first[KEY_NAME_MAX], second[KEY_NAME_MAX];
	if (b->typed)
		snprintf(out, 32, "%s", b->typed);
	else if (b->keys[1])
		snprintf(out, 32, "%s %s", key_name(b->keys[0], first),
			 key_name(b->keys[1], second));
	else
		snprintf(out, 32, "%s", key_name(b->keys[0], first));
}

static void draw_binding(const struct drawing *d, struct pane p, const struct row *row)
{
	char keys[32];
	const struct binding *b = row->binding;
	const char *why = row->view ? NULL : binding_disabled(b, d->m);
	key_text(b, keys);
	pane_text(p, 0, KEYS_AT, ROLE_HINT_KEY, keys);
	int end = pane_text(p, 0, NAME_AT, ROLE_TEXT, b->name);
	end = pane_text(p, 0, end < HELP_AT ? HELP_AT : end + 1, ROLE_TEXT, b->help);
	if (why)
		pane_print(p, 0, end, ROLE_DIM, " (%s)", why);
}

static void draw_game(struct pane p, const struct el_game *game)
{
	struct el_slice slice;
	char fen[EL_FEN_MAX];
	game_example(game, &slice, fen);
	pane_text(p, 0, KEYS_AT, ROLE_HINT_KEY, game->name);
	pane_text(p, 0, NAME_AT, ROLE_TEXT, slice.name);
	pane_print(p, 0, HELP_AT, ROLE_TEXT, "%s: %s", game->title, fen);
}

/* What is typed, and what for. */
static void draw_typed(struct pane p, const char *word, const char *arguments, const char *help)
{
	pane_text(p, 0, KEYS_AT, ROLE_HINT_KEY, word);
	pane_text(pane_sub(p, 0, NAME_AT, 1, HELP_AT - NAME_AT - 1), 0, 0, ROLE_TEXT, arguments);
	pane_text(p, 0, HELP_AT, ROLE_TEXT, help);
}

static void draw_row(void *context, int number, const struct row *row)
{
	const struct drawing *d = context;
	if (number < d->top || number >= d->top + d->pane.rows)
		return;
	struct pane p = pane_sub(d->pane, number - d->top, 0, 1, d->pane.cols);
	if (number == help_of(d->m)->list.at)
		pane_fill(p, ROLE_SELECTED);
	pane_text(p, 0, 0, ROLE_STRONG, number == help_of(d->m)->list.at ? ">" : " ");
	pane_zone(p, ZONE_ITEM, number);
	char word[32];
	if (row->heading)
		pane_text(p, 0, 1, ROLE_STRONG, row->heading);
	else if (row->binding)
		draw_binding(d, p, row);
	else if (row->verb)
		draw_typed(p, row->verb->word, row->verb->arguments, row->verb->help);
	else if (row->command)
		draw_typed(p, row->command->name, row->command->arguments, row->command->summary);
	else if (row->game)
		draw_game(p, row->game);
	else
		draw_typed(p, line_view_word(row->view, word), "", row->view->summary);
}

static void draw(const struct model *m, struct pane p)
{
	const struct help *h = help_of(m);
	struct drawing d = {m, pane_sub(p, 2, 0, p.rows - 2, p.cols), 0};
	if (h->searching || h->query[0])
		pane_print(p, 0, 1, ROLE_TEXT, "search: %s%s", h->query, h->searching ? "_" : "");
	else
		pane_text(p, 0, 1, ROLE_DIM,
			  "Every key and command. Press / to search, Enter to run.");
	if (!h->list.count)
		pane_print(p, 2, 1, ROLE_DIM, "nothing matches '%s'", h->query);
	d.top = list_top(&h->list, d.pane.rows);
	each_row(m, draw_row, &d);
}

static struct list *list(struct model *m)
{
	return &help_of(m)->list;
}

/* What is typed for it; "": nothing. */
static const char *row_name(const struct row *r)
{
	return r->binding   ? r->binding->name
	       : r->verb    ? r->verb->word
	       : r->command ? r->command->name
	                    : "";
}

static void row_text(const struct model *m, int number, char *out, size_t size)
{
	struct pick pick = {.wanted = number};
	each_row(m, pick_row, &pick);
	const struct row *r = &pick.row;
	const char *name = r->heading ? r->heading : row_name(r);
	const char *help = r->binding ? r->binding->help : r->verb ? r->verb->help
	                   : r->command ? r->command->summary : "";
	snprintf(out, size, "%s %s", name, help);
}

static void offer_row(void *words, int number, const struct row *row)
{
	(void)number;
	if (*row_name(row))
		words_offer(words, row_name(row));
}

static void complete_text(const struct model *m, const char *text, struct words *w)
{
	(void)text;
	each_found(m, "", offer_row, w);
}

static const struct verb verbs[] = {
	{"help", "TEXT", "search the keys and commands", search_text, complete_text},
	{.word = NULL},
};

static const struct binding bindings[] = {
	{{K_ENTER}, "run", "run", "go to the entry's view and do it", .run = run_entry},
	{{'/'}, "search", "search", "search keys and commands",
	 .run = search},
	{.name = NULL},
};

const struct view help_view = {
	.name = "Help",
	.summary = "every key and every command",
	.key = '6',
	.summons = '?',
	.hint = "help",
	.state = &state,
	.bindings = bindings,
	.verbs = verbs,
	.update = update,
	.draw = draw,
	.enter = enter,
	.list = list,
	.row = row_text,
};
