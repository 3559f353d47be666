/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Help: every key and every word of every view, every command and every game, made from their
   tables, in sections that fold; Enter runs the entry. */
#include "tui/screen/widgets/paragraphs.h"
#include "tui/text/games.h"
#include "tui/views/views.h"

#include <stdio.h>
#include <string.h>

enum { SECTIONS_MAX = 64 };

struct help {
	struct list list;
	bool open[SECTIONS_MAX]; /* by section number: its entries are shown */
	char query[64];
	bool searching; /* keys edit the query */
};

OWN_STATE(static, help, struct help);

/* One row: a heading (`heading`, `summary`, `section`, and `view` if it has one), a binding, a
   typed word or a game. */
struct row {
	const char *heading, *summary;
	int section;
	const struct view *view; /* of the binding or the verb, if any; null: it works everywhere */
	const struct binding *binding;
	struct typed typed; /* empty word: none */
	const struct el_game *game;
};

typedef void visit(void *context, int number, const struct row *);

struct entries {
	const char *query; /* empty: matches all rows */
	const bool *open;  /* by section; null: all are open */
	visit *visit;
	void *context;
	struct typed_words words;
	int number;
	struct row heading; /* of the section; pending while heading.heading is set */
	int sections;
};

static bool found(const struct entries *w, const char *name, const char *help)
{
	return strcasestr(name, w->query) || strcasestr(help, w->query);
}

/* Begins a section; its heading is shown only before its first row. */
static void begin_section(struct entries *w, const char *heading, const char *summary,
                          const struct view *view)
{
	w->heading = (struct row){
		.heading = heading, .summary = summary, .view = view, .section = w->sections++};
}

static void show_row(struct entries *w, const struct row *row)
{
	if (w->heading.heading)
		w->visit(w->context, w->number++, &w->heading);
	w->heading.heading = NULL;
	if (!w->open || w->open[w->heading.section])
		w->visit(w->context, w->number++, row);
}

static void walk_bindings(struct entries *w, const struct view *view,
                          const struct binding *bindings)
{
	for (const struct binding *b = bindings; b && b->name; b++)
		if (found(w, b->name, b->help))
			show_row(w, &(struct row){.view = view, .binding = b});
}

/* Verbs of a view (null: of all views), commands, or the views that take lines. */
static void walk_words(struct entries *w, enum typed_kind kind, const struct view *view)
{
	for (const struct typed *t = w->words.list; t < w->words.list + w->words.count; t++) {
		const bool is_meant = kind == TYPED_VIEW ? t->arguments != NULL : t->view == view;
		if (t->kind == kind && is_meant && found(w, t->word, t->help))
			show_row(w, &(struct row){.view = view, .typed = *t});
	}
}

/* Visits the rows of open sections that match the search; returns how many. */
static int each_found(const struct model *m, const char *query, const bool *open, visit *each,
                      void *context)
{
	struct entries w = {.query = query, .open = open, .visit = each, .context = context};
	typed_words(m, &w.words);
	for (const struct view *const *v = shell_views(m); *v; v++) {
		begin_section(&w, (*v)->name, (*v)->summary, *v);
		walk_bindings(&w, *v, (*v)->bindings);
		walk_words(&w, TYPED_VERB, *v);
	}
	begin_section(&w, "Everywhere", "keys and words of every view", NULL);
	walk_bindings(&w, NULL, global_bindings);
	walk_words(&w, TYPED_VERB, NULL);
	for (const struct view *const *v = shell_views(m); *v; v++) {
		if (!(*v)->strip)
			continue;
		begin_section(&w, (*v)->strip->heading, "in every view", NULL);
		walk_bindings(&w, NULL, (*v)->strip->bindings);
	}
	begin_section(&w, "Commands", "of the command line, after :", NULL);
	walk_words(&w, TYPED_COMMAND, NULL);
	begin_section(&w, "Views by name", "those that take a line, after :", NULL);
	walk_words(&w, TYPED_VIEW, NULL);
	begin_section(&w, "Games", "a slice and a position of each, after :", NULL);
	for (const struct el_game *const *g = el_games; *g; g++)
		if (found(&w, (*g)->name, (*g)->title))
			show_row(&w, &(struct row){.game = *g});
	return w.number;
}

/* Visits the rows listed now. */
static int each_row(const struct model *m, visit *each, void *context)
{
	const struct help *h = help_of(m);
	return each_found(m, h->query, *h->query ? NULL : h->open, each, context);
}

/* ---- moving and searching ---- */

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
	help_of(m)->list.count = each_row(m, pick_row, &(struct pick){.wanted = -1});
	list_set(&help_of(m)->list, help_of(m)->list.at);
}

/* The section of a view; if it has none, the section of what works everywhere. */
struct section {
	const struct view *view;
	int number, row; /* `row` is its heading's */
};

static void find_section(void *context, int number, const struct row *row)
{
	struct section *s = context;
	if (!row->heading || (row->view != s->view && (s->number >= 0 || row->view)))
		return;
	s->number = row->section;
	s->row = number;
}

static void set_query(struct model *m, const char *query, bool searching)
{
	struct help *h = help_of(m);
	snprintf(h->query, sizeof h->query, "%.*s", (int)utf8_fitting(query, sizeof h->query - 1),
	         query);
	h->searching = searching;
	recount(m);
}

/* Lists all sections, and opens that of the view that Help was called from. */
static void enter(struct model *m)
{
	struct help *h = help_of(m);
	struct section section = {shell_below(m) ? shell_below(m) : shell_views(m)[0], -1, 0};
	memset(h->open, 0, sizeof h->open);
	set_query(m, "", false);
	each_row(m, find_section, &section);
	h->open[section.number] = true;
	recount(m);
	list_set(&h->list, section.row + 1);
}

static void search(struct model *m)
{
	set_query(m, "", true);
	list_set(&help_of(m)->list, 0);
}

/* Searches as if the text had been typed after `/`. */
static void search_text(struct model *m, const char *text)
{
	set_query(m, text, *text);
	if (*text)
		list_set(&help_of(m)->list, 1);
}

/* Runs the entry in its view; an entry that works everywhere runs in the view below. */
static void run_entry(struct model *m)
{
	struct pick pick = {.wanted = help_of(m)->list.at};
	each_row(m, pick_row, &pick);
	const struct row *row = &pick.row;
	if (row->heading) {
		help_of(m)->open[row->section] = !help_of(m)->open[row->section];
		recount(m);
	} else if (row->binding || row->typed.verb) {
		if (row->view)
			shell_show_view(m, row->view);
		else
			shell_back(m);
	}
	if (row->binding) {
		if (binding_runs(row->binding))
			binding_run(m, row->binding);
		else
			model_note(m, "This is typed in %s.",
			           row->view ? row->view->name : "any view");
	} else if (*row->typed.word) {
		/* Run a verb without arguments; for others, type the beginning of the line. */
		if (row->typed.verb && !row->typed.arguments)
			verb_run(row->typed.verb, m, "");
		else
			shell_prompt(m, "%s ", row->typed.word);
	} else if (row->game) {
		struct el_slice slice;
		char fen[EL_FEN_MAX];
		game_example(row->game, &slice, fen);
		shell_prompt(m, "%s", fen);
	}
}

/* Letters belong to a search while it is being typed. */
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
		return false; /* the key acts on the results */
	}
	if (!h->searching)
		h->query[0] = '\0';
	recount(m);
	list_set(&h->list, 1);
	return true;
}

/* ---- drawing ---- */

/* An entry takes as many screen rows as it needs. */
struct drawing {
	const struct model *m;
	struct pane pane;
	int y;           /* where the next entry begins, in the pane */
	int at, at_rows; /* the selected entry's start and height */
};

enum { KEYS_AT = 3, NAME_AT = 15, HELP_AT = 30, SUMMARY_AT = 26 };

/* The text of an entry: what to press or type, its arguments, and its purpose. */
struct entry {
	char key[48];
	const char *name;
	char help[640];
	bool disabled;
};

/* The columns from x on; on the smallest screens text runs over the edge rather than down it. */
static int columns_from(const struct pane *p, int x)
{
	enum { LEAST = 12 };
	const int cols = p->cols - 1 - x;
	return cols > LEAST ? cols : LEAST;
}

/* Returns the rows needed, even in a pane without rows. */
static int draw_content(const struct drawing *d, const struct row *row, struct pane p)
{
	if (row->heading) {
		const struct help *h = help_of(d->m);
		const bool is_open = *h->query || h->open[row->section];
		const int keys[] = {row->view ? row->view->key : 0,
		                    row->view ? row->view->summons : 0};
		int end = pane_print(p, 0, 1, ROLE_STRONG, "%c %s", is_open ? '-' : '+',
		                     row->heading);
		for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
			if (keys[i])
				end = pane_print(p, 0, end + 1, ROLE_HINT_KEY, "%c", keys[i]);
		const int x = end < SUMMARY_AT ? SUMMARY_AT : end + 2, cols = columns_from(&p, x);
		const int rows = paragraphs_rows(row->summary, cols);
		paragraphs_draw(pane_sub(p, 0, x, rows, cols), ROLE_DIM, row->summary);
		return rows;
	}
	struct entry e = {.name = ""};
	struct el_slice slice;
	char fen[EL_FEN_MAX];
	if (row->binding) {
		const struct binding *b = row->binding;
		const char *why = row->view ? NULL : binding_disabled(b, d->m);
		char first[KEY_NAME_MAX], second[KEY_NAME_MAX];
		if (b->typed)
			snprintf(e.key, sizeof e.key, "%s", b->typed);
		else if (b->keys[1])
			snprintf(e.key, sizeof e.key, "%s %s", key_name(b->keys[0], first),
			         key_name(b->keys[1], second));
		else
			snprintf(e.key, sizeof e.key, "%s", key_name(b->keys[0], first));
		e.name = b->name;
		e.disabled = why;
		snprintf(e.help, sizeof e.help, "%s%s%s%s", b->help, why ? " (" : "",
		         why ? why : "", why ? ")" : "");
	} else if (row->game) {
		game_example(row->game, &slice, fen);
		snprintf(e.key, sizeof e.key, "%s %s", row->game->name, slice.name);
		snprintf(e.help, sizeof e.help, "%s: %s", row->game->title, fen);
	} else {
		e.name = row->typed.arguments ? row->typed.arguments : "";
		snprintf(e.key, sizeof e.key, "%s", row->typed.word);
		snprintf(e.help, sizeof e.help, "%s", row->typed.help);
	}
	const int keys = utf8_length(e.key), name = utf8_length(e.name);
	const int name_at = KEYS_AT + keys < NAME_AT ? NAME_AT : KEYS_AT + keys + 1;
	const int cols = p.cols - 1, help_at = cols < HELP_AT + 24 ? KEYS_AT + 4 : HELP_AT;
	pane_text(p, 0, KEYS_AT, ROLE_HINT_KEY, e.key);
	const int name_cols = columns_from(&p, name_at);
	const int name_rows = name ? paragraphs_rows(e.name, name_cols) : 1;
	paragraphs_draw(pane_sub(p, 0, name_at, name_rows, name_cols), ROLE_TEXT, e.name);
	const int end = name_at + name + 1;
	const bool fits = name_rows == 1 && end + utf8_length(e.help) <= cols;
	const bool has_room = name_rows == 1 && end <= help_at;
	const int x = fits && end > help_at ? end : help_at, y = fits || has_room ? 0 : name_rows;
	const int help_cols = columns_from(&p, x), help_rows = paragraphs_rows(e.help, help_cols);
	paragraphs_draw(pane_sub(p, y, x, help_rows, help_cols), e.disabled ? ROLE_DIM : ROLE_TEXT,
	                e.help);
	return y + help_rows;
}

static void draw_row(void *context, int number, const struct row *row)
{
	struct drawing *d = context;
	const bool is_selected = number == help_of(d->m)->list.at;
	const int rows = draw_content(d, row, pane_sub(d->pane, 0, 0, 0, d->pane.cols));
	/* An entry that begins above the pane is not drawn. */
	if (d->y >= 0 && d->y < d->pane.rows) {
		struct pane p = pane_sub(d->pane, d->y, 0, rows, d->pane.cols);
		pane_select(p, is_selected);
		pane_zone(p, ZONE_ITEM, number);
		draw_content(d, row, p);
	}
	if (is_selected) {
		d->at = d->y;
		d->at_rows = rows;
	}
	d->y += rows;
}

static void draw(const struct model *m, struct pane p)
{
	const struct help *h = help_of(m);
	struct drawing measure = {.m = m, .pane = pane_sub(p, p.rows, 0, 0, p.cols)};
	if (h->searching || h->query[0])
		pane_print(p, 0, 1, ROLE_TEXT, "search: %s%s", h->query, h->searching ? "_" : "");
	else
		pane_text(p, 0, 1, ROLE_DIM,
		          p.cols < 80
		                  ? "Every key and command. Press / to search, Enter to run."
		                  : "Every key and command. Press / to search, Enter to run, or to "
		                    "open a section.");
	if (!h->list.count)
		pane_print(p, 2, 1, ROLE_DIM, "nothing matches '%s'", h->query);
	each_row(m, draw_row, &measure);
	measure.pane.rows = p.rows - 2;
	struct drawing d = {.m = m, .pane = pane_from(p, 2)};
	/* Centre the selected entry as far as there are rows on both sides. */
	const int rows = measure.pane.rows, most = measure.y - rows;
	int top = measure.at + measure.at_rows / 2 - rows / 2;
	top = top > most ? most : top;
	d.y = -(top > 0 ? top : 0);
	each_row(m, draw_row, &d);
}

/* The word typed for it; "": none. */
static const char *row_name(const struct row *r)
{
	return r->binding ? r->binding->name : r->typed.word;
}

static void row_text(const struct model *m, int number, char *out, size_t size)
{
	struct pick pick = {.wanted = number};
	each_row(m, pick_row, &pick);
	const struct row *r = &pick.row;
	const char *name = r->heading ? r->heading : row_name(r);
	const char *help = r->binding ? r->binding->help : *r->typed.word ? r->typed.help : "";
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
	each_found(m, "", NULL, offer_row, w);
}

static const struct verb verbs[] = {
	{"help", "TEXT", "search the keys and commands", .run = search_text,
         .complete = complete_text},
	{.word = NULL},
};

static const struct binding bindings[] = {
	KEY({K_ENTER}, "run", "run", "go to the entry's view and do it, or open a section",
            .run = run_entry),
	KEY({'/'}, "search-help", "search", "search keys and commands", .run = search),
	{.name = NULL},
};

const struct view help_view = {
	.name = "Help",
	.summary = "every key and every command",
	.key = '6',
	.summons = '?',
	.state = &help_state,
	.bindings = bindings,
	.verbs = verbs,
	.update = update,
	.draw = draw,
	.enter = enter,
	.list = {&help_state, offsetof(struct help, list)},
	.row = row_text,
};
