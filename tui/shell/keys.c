/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell_inside.h"

#include "tui/screen/theme.h"

#include <stdio.h>
#include <string.h>

/* ---- the common actions ---- */

/* The strip that `q` on the first view ends; null if there is none. */
static const struct strip *strip_to_leave(const struct model *m)
{
	for (const struct view *const *v = shell_views(m); *v; v++)
		if ((*v)->strip && (*v)->strip->leave &&
		    (*v)->strip->rows(m, m->shell->rows, m->shell->cols))
			return (*v)->strip;
	return NULL;
}

static void go_back(struct model *m)
{
	const struct strip *strip = strip_to_leave(m);
	if (shell_below(m))
		shell_back(m);
	else if (strip)
		strip->leave(m);
	else
		shell_quit(m);
}

static const char *nowhere_back(const struct model *m)
{
	return shell_below(m)      ? NULL
	       : strip_to_leave(m) ? strip_to_leave(m)->at_home
	                           : "This is the first screen. Press q to quit.";
}

static const char *nowhere_to_come_back(const struct model *m)
{
	return shell_below(m) ? NULL : "There is no view below this one to come back to.";
}

static void suspend(struct model *m)
{
	m->shell->wishes.suspend = true;
}

static void repaint(struct model *m)
{
	m->shell->wishes.repaint = true;
}

static void stop_job(struct model *m)
{
	const struct job *job = model_job_shown(m);
	model_note(m, "Stopping: %s.", job->title);
	model_stop(m, job->number);
}

static const char *nothing_runs(const struct model *m)
{
	return model_job_shown(m) ? NULL : "Nothing is running.";
}

static void change_unit(struct model *m)
{
	m->in_moves = !m->in_moves;
	model_note(m, "Depths are shown in %s.", m->in_moves ? "moves" : "plies");
}

static void next_theme(struct model *m)
{
	int *theme = &m->shell->theme;
	if (!themes[++*theme].name)
		*theme = 0;
	m->shell->theme_chosen = true;
	model_note(m, "Theme %s: %s.", themes[*theme].name, themes[*theme].summary);
}

static void next_blocks(struct model *m)
{
	static const char *const summary[BLOCKS] = {
		[BLOCKS_QUADRANTS] = "most fonts have them",
		[BLOCKS_HALVES] = "every font has them",
		[BLOCKS_SEXTANTS] = "the finest, if the font has them",
	};
	enum blocks *blocks = &m->shell->blocks;
	*blocks = (*blocks + 1) % BLOCKS;
	m->shell->blocks_chosen = true;
	model_note(m, "Pieces are drawn in %s: %s.", blocks_names[*blocks], summary[*blocks]);
}

static void switch_mouse(struct model *m)
{
	bool *off = &m->shell->mouse_off;
	*off = !*off;
	model_note(
		m, "%s",
		*off ? "The mouse is the terminal's: it selects text. Type :mouse to have it here."
		     : "The mouse works here. Type :mouse to leave it to the terminal.");
}

static void project(struct model *m)
{
	bool *projects = &m->shell->projects;
	*projects = !*projects;
	if (*projects)
		model_note(m, "Projector mode. Press F to leave it.");
}

static void copy_position(struct model *m)
{
	struct el_position position;
	char fen[EL_FEN_MAX];
	shell_position(m, &position)->format(&position, fen);
	shell_copy(m, fen);
	model_note(m, "Copied: %s", fen);
}

static void move_list(struct model *m, int by)
{
	struct list *list = shell_list(m, shell_view(m));
	list_set(list, list->at + by);
}

/* Moves by half a screen. */
static void page_list(struct model *m, int by)
{
	move_list(m, by * (m->shell->rows / 2));
}

/* Moves to the first or the last row. */
static void end_list(struct model *m, int by)
{
	struct list *list = shell_list(m, shell_view(m));
	list_set(list, by < 0 ? 0 : list->count - 1);
}

/* ---- searching in the list of the view on screen ---- */

static const char *no_list(const struct model *m)
{
	return shell_list(m, shell_view(m)) ? NULL : "There is no list here.";
}

const char *search_disabled(const struct model *m)
{
	const char *why = no_list(m);
	return why ? why : shell_view(m)->row ? NULL : "This list cannot be searched.";
}

void shell_set_pattern(struct model *m, const char *pattern)
{
	snprintf(m->shell->pattern, sizeof m->shell->pattern, "%s", pattern);
}

void search_step(struct model *m, int by)
{
	const char *pattern = m->shell->pattern;
	struct list *list = shell_list(m, shell_view(m));
	for (int i = 1; *pattern && i <= list->count; i++) {
		char text[512] = "";
		const int row = ((list->at + by * i) % list->count + list->count) % list->count;
		shell_view(m)->row(m, row, text, sizeof text);
		if (!strcasestr(text, pattern))
			continue;
		list_set(list, row);
		return;
	}
	if (*pattern)
		model_fail(m, "'%s' is not in this list.", pattern);
	else
		model_fail(m, "Nothing has been searched for yet. Press / to search.");
}

const struct binding global_bindings[] = {
	KEY({':'}, "prompt", "command", "type a command, position, slice, move or action",
            .prompt = ""),
	KEY({'?'}, "keys", "help",
            "show the keys of this view; again: search all keys and commands",
            .run = overlay_show_keys),
	KEY({'q'}, "back", NULL, "go back; on the first screen, quit", .run = go_back),
	KEY({K_ESCAPE}, "leave", NULL, "go back, but never quit", .run = go_back,
            .disabled = nowhere_back),
	KEY({15}, "come-back", NULL, "go back, and put the board back as it was there",
            .run = shell_come_back, .disabled = nowhere_to_come_back),
	KEY({'Q'}, "quit", NULL, "quit from anywhere", .run = shell_quit, .touches = "the program"),
	KEY({'X', 3}, "stop", NULL, "stop the job that the title line names", .run = stop_job,
            .disabled = nothing_runs, .touches = "what is running"),
	KEY({'C'}, "copy-position", NULL, "copy the position as text, for another program",
            .run = copy_position, .touches = "the clipboard"),
	KEY({'K'}, "keep-position", NULL, "keep the position as a bookmark",
            .run = bookmarks_ask_name, .touches = "your bookmarks"),
	KEY({'u'}, "unit", NULL, "show depths in plies or in moves", .run = change_unit),
	KEY({'H'}, "hide", NULL, "hide the numbers, or show them again",
            .run = overlay_switch_cover, .disabled = overlay_no_cover),
	KEY({0}, "show", NULL, "show the numbers again", .run = overlay_uncover, .typed = ":show"),
	KEY({'T'}, "theme", NULL, "change the theme: dark, light, mono", .run = next_theme),
	KEY({'F'}, "projector", NULL,
            "projector mode: the largest board, without the lines around it", .run = project),
	KEY({0}, "blocks", NULL, "draw large pieces in other blocks: quadrants, halves, sextants",
            .run = next_blocks, .typed = ":blocks", .touches = "the blocks that you chose"),
	KEY({0}, "mouse", NULL,
            "leave the mouse to the terminal, which then selects text, or take it back",
            .run = switch_mouse, .typed = ":mouse", .touches = "the mouse"),
	KEY({K_UP, 'k'}, "up", NULL, "move up in a list", .apply = move_list, .argument = -1,
            .disabled = no_list),
	KEY({K_DOWN, 'j'}, "down", NULL, "move down in a list", .apply = move_list, .argument = 1,
            .disabled = no_list),
	KEY({K_PAGE_UP}, "page-up", NULL, "move up half a screen", .apply = page_list,
            .argument = -1, .disabled = no_list),
	KEY({K_PAGE_DOWN}, "page-down", NULL, "move down half a screen", .apply = page_list,
            .argument = 1, .disabled = no_list),
	KEY({K_HOME, 'g'}, "first", NULL, "go to the first row", .apply = end_list, .argument = -1,
            .disabled = no_list),
	KEY({K_END, 'G'}, "last", NULL, "go to the last row", .apply = end_list, .argument = 1,
            .disabled = no_list),
	KEY({'/'}, "search-list", NULL, "search the list", .prompt = "search ",
            .disabled = search_disabled),
	KEY({'n'}, "search-next", NULL, "go to the next match", .apply = search_step, .argument = 1,
            .disabled = search_disabled),
	KEY({'N'}, "search-back", NULL, "go to the previous match", .apply = search_step,
            .argument = -1, .disabled = search_disabled),
	KEY({20}, "read-output", NULL, "read what the last command printed",
            .run = shell_show_printed, .disabled = shell_nothing_printed),
	KEY({12}, "repaint", NULL, "redraw the screen", .run = repaint),
	KEY({26}, "suspend", NULL, "suspend the program; fg resumes it", .run = suspend,
            .touches = "the program"),
	{.name = NULL},
};

/* ---- one binding ---- */

const char *key_name(int key, char out[KEY_NAME_MAX])
{
	static const struct {
		int key;
		const char *name;
	} names[] = {
		{' ', "space"},      {K_TAB, "Tab"},    {K_ENTER, "Enter"},    {K_ESCAPE, "Esc"},
		{K_BACKSPACE, "BS"}, {K_UP, "Up"},      {K_DOWN, "Down"},      {K_LEFT, "<-"},
		{K_RIGHT, "->"},     {K_HOME, "Home"},  {K_END, "End"},        {K_PAGE_UP, "PgUp"},
		{K_INSERT, "Ins"},   {K_DELETE, "Del"}, {K_PAGE_DOWN, "PgDn"}, {K_BACKTAB, "S-Tab"},
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (names[i].key == key) {
			snprintf(out, KEY_NAME_MAX, "%s", names[i].name);
			return out;
		}
	}
	char bytes[4];
	if (key < ' ')
		snprintf(out, KEY_NAME_MAX, "^%c", key + '@');
	else
		snprintf(out, KEY_NAME_MAX, "%.*s", (int)utf8_encode((uint32_t)key, bytes), bytes);
	return out;
}

bool key_taken(const struct model *m, int key)
{
	const struct view *view = shell_view(m);
	bool taken = view->takes_key && view->takes_key(m, key);
	for (const struct view *const *v = shell_views(m); *v; v++)
		taken = taken ||
		        ((*v)->strip && (*v)->strip->takes_key && (*v)->strip->takes_key(m, key));
	return taken;
}

int key_hinted(const struct model *m, const struct binding *b)
{
	return key_taken(m, b->keys[0]) && b->keys[1] ? b->keys[1] : b->keys[0];
}

bool binding_runs(const struct binding *b)
{
	return b->run || b->apply || b->prompt;
}

const char *binding_disabled(const struct binding *b, const struct model *m)
{
	return b->disabled ? b->disabled(m) : b->refused ? b->refused(m, b->argument) : NULL;
}

void binding_run(struct model *m, const struct binding *b)
{
	const char *why = binding_disabled(b, m);
	if (why)
		model_fail(m, "%s", why);
	else if (b->run)
		b->run(m);
	else if (b->apply)
		b->apply(m, b->argument);
	else if (b->prompt)
		shell_prompt(m, "%s", b->prompt);
}

/* ---- all of them ---- */

const struct binding *bindings_next(struct bindings_walk *w)
{
	const struct model *m = w->model;
	const struct view *const *views = shell_views(m), *here = shell_view(m);
	int count = 0;
	while (views[count])
		count++;
	/* The order of tables: all strips, the view on screen, the global one, all views. */
	while (!w->next || !w->next->name) {
		const int i = w->place++;
		const struct strip *strip = i < count ? views[i]->strip : NULL;
		if (i == (w->all ? 2 * count + 2 : count + 2)) {
			w->place--;
			return NULL;
		}
		w->view = i == count ? here : i > count + 1 ? views[i - count - 2] : NULL;
		w->table = NULL;
		if (strip && (w->all || strip->rows(m, m->shell->rows, m->shell->cols)))
			w->table = strip->bindings;
		else if (i == count + 1)
			w->table = global_bindings;
		else if (w->view && (i == count || w->view != here))
			w->table = w->view->bindings;
		w->next = w->table;
	}
	return w->next++;
}

const struct binding *binding_of_key(const struct model *m, int key)
{
	struct bindings_walk walk = {.model = m};
	const struct binding *b;
	while ((b = bindings_next(&walk)))
		if (key && (b->keys[0] == key || b->keys[1] == key))
			return b;
	return NULL;
}

bool keys_run(struct model *m, int key)
{
	const struct view *view = shell_view(m);
	const struct binding *b = binding_of_key(m, key), *own = view->bindings;
	while (b && own && own->name && own != b)
		own++;
	if (b)
		binding_run(m, b);
	if (b && own && own->name)
		shell_hear(m, b->name, true, !b->touches);
	return b;
}
