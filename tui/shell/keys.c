/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../model/model.h"
#include "../screen/theme.h"

#include <stdio.h>
#include <string.h>

/* ---- the common actions ---- */

static void open_prompt(struct model *m)
{
	m->prompt.open = true;
}

static void open_help(struct model *m)
{
	model_visit(m, &help_view);
}

static void go_back(struct model *m)
{
	const struct view *back = model_back(m);
	if (back)
		model_return(m, back);
	else if (lesson_plays(m))
		lesson_end(m);
	else
		m->quit = true;
}

static const char *nowhere_back(const struct model *m)
{
	return model_back(m)      ? NULL
	       : lesson_plays(m) ? "this is the first screen; q ends the lesson"
	                         : "this is the first screen; q quits";
}

static void quit(struct model *m)
{
	m->quit = true;
}

static void suspend(struct model *m)
{
	m->suspend = true;
}

static void repaint(struct model *m)
{
	m->repaint = true;
}

static void stop_job(struct model *m)
{
	m->stop_job = true;
	model_note(m, "stopping: %s", m->progress.title);
}

static const char *nothing_runs(const struct model *m)
{
	return m->jobs_out[LANE_LONG] ? NULL : "nothing is running that could be stopped";
}

static void change_unit(struct model *m)
{
	m->in_moves = !m->in_moves;
	model_note(m, "depths in %s", m->in_moves ? "moves" : "plies");
}

static void next_theme(struct model *m)
{
	if (!themes[++m->theme].name)
		m->theme = 0;
	model_note(m, "theme %s: %s", themes[m->theme].name, themes[m->theme].summary);
}

static const char *no_list(const struct model *m)
{
	return m->view->list ? NULL : "there is no list here";
}

static void move_list(struct model *m, int by)
{
	struct list *list = m->view->list(m);
	list_set(list, list->at + by);
}

static void list_up(struct model *m)
{
	move_list(m, -1);
}

static void list_down(struct model *m)
{
	move_list(m, 1);
}

static void page_up(struct model *m)
{
	move_list(m, -(m->rows / 2));
}

static void page_down(struct model *m)
{
	move_list(m, m->rows / 2);
}

static void list_first(struct model *m)
{
	list_set(m->view->list(m), 0);
}

static void list_last(struct model *m)
{
	list_set(m->view->list(m), m->view->list(m)->count - 1);
}

const struct binding global_bindings[] = {
	{{':'}, "prompt", "command", "type a command, a position, a slice, a move or an action",
	 open_prompt, NULL, NULL},
	{{'?'}, "help", "help", "show what every key does, and run it from there", open_help,
	 NULL, NULL},
	{{'q'}, "back", NULL, "go back; in Explore, quit", go_back, NULL, NULL},
	{{K_ESCAPE}, "leave", NULL, "go back, and never quit", go_back, nowhere_back, NULL},
	{{'Q'}, "quit", NULL, "quit from anywhere", quit, NULL, NULL},
	{{'X', 3}, "stop", NULL, "stop the build or command that is running", stop_job,
	 nothing_runs, NULL},
	{{'u'}, "unit", NULL, "show depths in plies or in moves", change_unit, NULL, NULL},
	{{'T'}, "theme", NULL, "change colours: dark, light, mono", next_theme, NULL, NULL},
	{{K_UP, 'k'}, "up", NULL, "move up in a list", list_up, no_list, NULL},
	{{K_DOWN, 'j'}, "down", NULL, "move down in a list", list_down, no_list, NULL},
	{{K_PAGE_UP}, "page-up", NULL, "half a screen up", page_up, no_list, NULL},
	{{K_PAGE_DOWN}, "page-down", NULL, "half a screen down", page_down, no_list, NULL},
	{{K_HOME, 'g'}, "first", NULL, "to the first row", list_first, no_list, NULL},
	{{K_END, 'G'}, "last", NULL, "to the last row", list_last, no_list, NULL},
	{{12}, "repaint", NULL, "draw the whole screen again", repaint, NULL, NULL},
	{{26}, "suspend", NULL, "back to the shell; fg continues", suspend, NULL, NULL},
	{.name = NULL},
};

/* ---- looking up ---- */

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

static const struct binding *in_table(const struct binding *table, int key, const char *name)
{
	for (const struct binding *b = table; b->name; b++)
		if (name ? !strcmp(b->name, name) : key && (b->keys[0] == key || b->keys[1] == key))
			return b;
	return NULL;
}

const struct binding *binding_in(const struct binding *table, int key)
{
	return in_table(table, key, NULL);
}

const struct binding *binding_of_key(const struct view *view, int key)
{
	const struct binding *b = in_table(view->bindings, key, NULL);
	return b ? b : in_table(global_bindings, key, NULL);
}

const struct binding *binding_named(const struct view *view, const char *name,
                                    const struct view **where)
{
	*where = view;
	const struct binding *b = in_table(view->bindings, 0, name);
	if (!b)
		b = in_table(global_bindings, 0, name);
	if (!b)
		b = in_table(lesson_bindings, 0, name);
	for (const struct view *const *v = views; *v && !b; v++) {
		b = in_table((*v)->bindings, 0, name);
		*where = *v;
	}
	return b;
}

const char *binding_disabled(const struct binding *b, const struct model *m)
{
	return b->disabled ? b->disabled(m) : NULL;
}
