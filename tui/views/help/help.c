/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Help: every key of every view, every command and every game, made from their tables; Enter runs the
   entry. */
#include "../../model/model.h"
#include "../../cli/command.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* One row: a heading (only `heading`), a binding, a command, a view by itself (only `view`) or a
   game. */
struct row {
	const char *heading;
	const struct view *view;       /* of the binding, if any; null: it works everywhere */
	const struct binding *binding;
	const struct command *command;
	const struct el_game *game;
};

typedef void visit(void *context, int number, const struct row *);

static bool found(const struct help *h, const char *name, const char *help)
{
	return !h->query[0] || strcasestr(name, h->query) || strcasestr(help, h->query);
}

struct walk {
	const struct help *help;
	visit *visit;
	void *context;
	int number;
	const char *heading; /* not shown yet: comes before the first row under it */
};

static void show_row(struct walk *w, const struct row *row)
{
	struct row heading = {.heading = w->heading};
	if (w->heading)
		w->visit(w->context, w->number++, &heading);
	w->heading = NULL;
	w->visit(w->context, w->number++, row);
}

static void walk_bindings(struct walk *w, const char *heading, const struct view *view,
                          const struct binding *bindings)
{
	w->heading = heading;
	for (const struct binding *b = bindings; b->name; b++)
		if (found(w->help, b->name, b->help))
			show_row(w, &(struct row){.view = view, .binding = b});
}

/* As it is typed. */
static void view_word(const struct view *view, char out[32])
{
	size_t i = 0;
	for (; view->name[i] && i < 31; i++)
		out[i] = (char)tolower((unsigned char)view->name[i]);
	out[i] = '\0';
}

/* A line may begin with its name; a command of that name goes before it. */
static bool takes_lines(const struct view *view)
{
	char word[32];
	view_word(view, word);
	return view->line && !view->under && !command_find(word);
}

/* Visits all rows that the search finds; returns how many. */
static int each_row(const struct help *help, visit *each, void *context)
{
	struct walk w = {.help = help, .visit = each, .context = context};
	for (const struct view *const *v = views; *v; v++)
		walk_bindings(&w, (*v)->name, *v, (*v)->bindings);
	walk_bindings(&w, "Everywhere", NULL, global_bindings);
	walk_bindings(&w, "Everywhere, while a lesson plays", NULL, lesson_bindings);
	w.heading = "Commands, after :";
	for (const struct command *const *c = commands; *c; c++)
		if (found(help, (*c)->name, (*c)->summary))
			show_row(&w, &(struct row){.command = *c});
	w.heading = "Views that take a line, after :";
	for (const struct view *const *v = views; *v; v++)
		if (takes_lines(*v) && found(help, (*v)->name, (*v)->summary))
			show_row(&w, &(struct row){.view = *v});
	w.heading = "Slices and positions of each game, after :";
	for (const struct el_game *const *g = el_games; *g; g++)
		if (found(help, (*g)->name, (*g)->title))
			show_row(&w, &(struct row){.game = *g});
	return w.number;
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
	m->help.list.count = each_row(&m->help, count_only, NULL);
	list_set(&m->help.list, m->help.list.at);
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

/* At the keys of the view that it was called from. */
static void enter(struct model *m)
{
	struct first first = {model_visited_from(m, &help_view), 0};
	m->help.searching = false;
	recount(m);
	if (first.view)
		each_row(&m->help, find_first, &first);
	if (first.number)
		list_set(&m->help.list, first.number);
	else if (m->help.list.at == 0)
		list_set(&m->help.list, 1); /* the first row is a heading */
}

static void search(struct model *m)
{
	m->help.searching = true;
	m->help.query[0] = '\0';
	recount(m);
	list_set(&m->help.list, 0);
}

static void show_command(struct model *m, const struct command *command)
{
	model_prompt(m, "%s ", command->name);
}

static void show_view(struct model *m, const struct view *view)
{
	char word[32];
	view_word(view, word);
	model_prompt(m, "%s ", word);
}

/* One slice of a game, and one of its positions. */
static void find_example(const struct el_game *game, struct el_slice *slice, char fen[EL_FEN_MAX])
{
	struct el_position position;
	uint64_t index = 0;
	game->slices(game->pieces_min, slice, 1);
	while (!game->unplace(slice, 0, index, &position) && index < slice->positions)
		index++;
	game->format(&position, fen);
}

static void show_game(struct model *m, const struct el_game *game)
{
	struct el_slice slice;
	char fen[EL_FEN_MAX];
	find_example(game, &slice, fen);
	model_prompt(m, "%s", fen);
}

static void run_entry(struct model *m)
{
	struct pick pick = {.wanted = m->help.list.at};
	each_row(&m->help, pick_row, &pick);
	const struct row *row = &pick.row;
	if (row->command)
		show_command(m, row->command);
	if (row->game)
		show_game(m, row->game);
	if (row->view && !row->binding)
		show_view(m, row->view);
	if (!row->binding)
		return;
	if (!row->binding->run) {
		model_note(m, "that is typed in %s", row->view ? row->view->name : "any view");
		return;
	}
	if (row->view)
		model_show(m, row->view);
	model_run(m, row->binding);
}

/* While a search is typed, letters belong to it. */
static bool update(struct model *m, const struct event *e)
{
	struct help *h = &m->help;
	size_t length = strlen(h->query);
	if (e->kind != EVENT_KEY || !h->searching)
		return false;
	if (e->key == K_BACKSPACE && length)
		h->query[length - 1] = '\0';
	else if (e->key == K_ESCAPE || (e->key == K_BACKSPACE && !length))
		h->searching = false;
	else if (e->key >= ' ' && e->key < 127 && length + 1 < sizeof h->query)
		snprintf(h->query + length, sizeof h->query - length, "%c", e->key);
	else
		return h->searching = false;
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
	find_example(game, &slice, fen);
	pane_text(p, 0, KEYS_AT, ROLE_HINT_KEY, game->name);
	pane_text(p, 0, NAME_AT, ROLE_TEXT, slice.name);
	pane_print(p, 0, HELP_AT, ROLE_TEXT, "%s: %s", game->title, fen);
}

/* Its name, the words that a line for it begins with, what it shows. */
static void draw_view(struct pane p, const struct view *view)
{
	char word[32];
	view_word(view, word);
	pane_text(p, 0, KEYS_AT, ROLE_HINT_KEY, word);
	pane_text(p, 0, HELP_AT, ROLE_TEXT, view->summary);
}

static void draw_row(void *context, int number, const struct row *row)
{
	const struct drawing *d = context;
	if (number < d->top || number >= d->top + d->pane.rows)
		return;
	struct pane p = pane_sub(d->pane, number - d->top, 0, 1, d->pane.cols);
	if (number == d->m->help.list.at)
		pane_fill(p, ROLE_SELECTED);
	pane_text(p, 0, 0, ROLE_STRONG, number == d->m->help.list.at ? ">" : " ");
	pane_zone(p, ZONE_ITEM, number);
	if (row->heading)
		pane_text(p, 0, 1, ROLE_STRONG, row->heading);
	else if (row->binding)
		draw_binding(d, p, row);
	else if (row->game)
		draw_game(p, row->game);
	else if (row->view)
		draw_view(p, row->view);
	else {
		pane_text(p, 0, KEYS_AT, ROLE_HINT_KEY, row->command->name);
		pane_text(pane_sub(p, 0, NAME_AT, 1, HELP_AT - NAME_AT - 1), 0, 0, ROLE_TEXT,
		          row->command->arguments);
		pane_text(p, 0, HELP_AT, ROLE_TEXT, row->command->summary);
	}
}

static void draw(const struct model *m, struct pane p)
{
	const struct help *h = &m->help;
	struct drawing d = {m, pane_sub(p, 2, 0, p.rows - 2, p.cols), 0};
	if (h->searching || h->query[0])
		pane_print(p, 0, 1, ROLE_TEXT, "search: %s%s", h->query, h->searching ? "_" : "");
	else
		pane_text(p, 0, 1, ROLE_DIM,
			  "every key, command and game; / searches, Enter runs the entry");
	if (!h->list.count)
		pane_print(p, 2, 1, ROLE_DIM, "nothing is called '%s'", h->query);
	d.top = list_top(&h->list, d.pane.rows);
	each_row(h, draw_row, &d);
}

static struct list *list(struct model *m)
{
	return &m->help.list;
}

static const struct binding bindings[] = {
	{{K_ENTER}, "run", "run", "go to the entry's view and do it", run_entry, NULL, NULL},
	{{'/'}, "search", "search", "find keys and commands by a part of their words", search,
	 NULL, NULL},
	{.name = NULL},
};

const struct view help_view = {
	.name = "Help",
	.summary = "every key and every command",
	.key = '6',
	.bindings = bindings,
	.update = update,
	.draw = draw,
	.enter = enter,
	.list = list,
};
