/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stack of views, and the shell's functions for views. */
#include "room.h"
#include "shell_inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the stack ---- */

const struct view *shell_view(const struct model *m)
{
	return m->shell->stack[m->shell->depth - 1].view;
}

const struct view *shell_below(const struct model *m)
{
	return m->shell->depth > 1 ? m->shell->stack[m->shell->depth - 2].view : NULL;
}

static void enter(struct model *m)
{
	if (shell_view(m)->enter)
		shell_view(m)->enter(m);
}

/* Pushes a view; if the stack is full, drops the one above the first. */
static void push(struct model *m, const struct view *view)
{
	struct shell *s = m->shell;
	if (s->depth == STACK_MAX) {
		s->depth--;
		memmove(&s->stack[1], &s->stack[2], (s->depth - 1) * sizeof *s->stack);
	}
	s->stack[s->depth++] = (struct place){view, play_game(m), *play_position(m)};
}

const struct view *const *shell_views(const struct model *m)
{
	return m->shell->options.views;
}

bool shell_is_shown(const struct model *m, int view)
{
	return shell_view(m) == shell_views(m)[view];
}

struct list *shell_list(const struct model *m, const struct view *view)
{
	char *state = view->list.state ? state_of(m, view->list.state) : NULL;
	return state ? (void *)(state + view->list.at) : NULL;
}

void shell_draw_list(const struct model *m, const struct list *list, struct pane p,
                     void (*draw_row)(const struct model *, struct pane row, int i))
{
	const int top = list_top(list, p.rows);
	for (int i = top; i < list->count && i - top < p.rows; i++) {
		const struct pane row = pane_row(p, i - top);
		pane_select(row, i == list->at);
		pane_zone(row, ZONE_ITEM, i);
		draw_row(m, row, i);
	}
}

void shell_visit_view(struct model *m, const struct view *view)
{
	if (shell_view(m) != view)
		push(m, view);
	enter(m);
}

void shell_visit(struct model *m, int view)
{
	shell_visit_view(m, shell_views(m)[view]);
}

void shell_show_view(struct model *m, const struct view *view)
{
	struct shell *s = m->shell;
	size_t at = s->depth;
	while (at > 0 && s->stack[at - 1].view != view)
		at--;
	if (at)
		s->depth = at;
	else
		push(m, view);
	enter(m);
}

void shell_show(struct model *m, int view)
{
	shell_show_view(m, shell_views(m)[view]);
}

void shell_back(struct model *m)
{
	if (m->shell->depth == 1)
		return;
	m->shell->depth--;
	enter(m);
}

static bool is_shown(const struct model *m, const struct place *place)
{
	return play_game(m) == place->game && el_position_equal(play_position(m), &place->position);
}

void shell_come_back(struct model *m)
{
	const struct place left = m->shell->stack[m->shell->depth - 1];
	shell_back(m);
	/* Show a position, in its game if that still exists. */
	for (size_t i = 0; i < m->play.kept_count && !is_shown(m, &left); i++)
		play_other_game(m, 1);
	if (!is_shown(m, &left))
		play_set(m, left.game, &left.position);
}

void shell_home(struct model *m)
{
	m->shell->depth = 1;
	enter(m);
}

void shell_show_alone(struct model *m, const struct view *view)
{
	m->shell->depth = 1;
	if (view != shell_views(m)[0])
		push(m, view);
	enter(m);
}

const struct view *shell_named_view(const struct model *m)
{
	size_t at = m->shell->depth;
	while (at > 1 && !m->shell->stack[at - 1].view->key)
		at--;
	return m->shell->stack[at - 1].view;
}

const struct el_game *shell_position(const struct model *m, struct el_position *out)
{
	const struct shell *s = m->shell;
	const struct el_game *game = NULL;
	for (size_t i = s->depth; i-- > 0 && !game;)
		if (s->stack[i].view->position)
			game = s->stack[i].view->position(m, out);
	if (game)
		return game;
	*out = *play_position(m);
	return play_game(m);
}

/* ---- other functions for views ---- */

void shell_hear(struct model *m, const char *line, bool is_key, bool allowed)
{
	for (const struct view *const *v = shell_views(m); *v; v++)
		if ((*v)->heard)
			(*v)->heard(m, line, is_key, allowed);
}

int shell_rows(const struct model *m)
{
	return m->shell->rows;
}

int shell_cols(const struct model *m)
{
	return m->shell->cols;
}

bool shell_projects(const struct model *m)
{
	return m->shell->projects;
}

int shell_view_rows(const struct model *m)
{
	enum { FRAME_ROWS = 3, PROJECTED_ROWS = 1 }; /* lines outside view and strips */
	int rows = m->shell->rows - (shell_projects(m) ? PROJECTED_ROWS : FRAME_ROWS);
	for (const struct view *const *v = shell_views(m); *v; v++)
		if ((*v)->strip)
			rows -= (*v)->strip->rows(m, m->shell->rows, m->shell->cols);
	return rows;
}

struct layout shell_layout(const struct model *m, const struct el_game *game, enum layout_kind kind)
{
	return layout_make(game, kind, m->shell->projects, shell_view_rows(m), m->shell->cols);
}

struct prompt_line *shell_prompt_line(const struct model *m)
{
	return &m->shell->prompt;
}

void shell_prompt(struct model *m, const char *format, ...)
{
	struct prompt_line *prompt = &m->shell->prompt;
	va_list args;
	va_start(args, format);
	vsnprintf(prompt->text, sizeof prompt->text, format, args);
	va_end(args);
	prompt->open = true;
}

void shell_offer(struct model *m, const char *line)
{
	snprintf(m->shell->offer, sizeof m->shell->offer, "%s", line);
}

/* The view that shows what was printed; null: none does. */
static const struct view *print_view(const struct model *m)
{
	const struct view *const *v = shell_views(m);
	while (*v && !(*v)->print)
		v++;
	return *v;
}

void shell_print(struct model *m, const char *title, char *text, bool shows)
{
	const struct view *view = print_view(m);
	if (!view) {
		free(text);
		return;
	}
	view->print(m, title, text);
	m->shell->printed = true;
	if (shows)
		shell_show_view(m, view);
}

void shell_show_printed(struct model *m)
{
	shell_show_view(m, print_view(m));
}

const char *shell_nothing_printed(const struct model *m)
{
	return m->shell->printed ? NULL : "No command has printed anything yet.";
}

void shell_flip(struct model *m)
{
	m->flipped = !m->flipped;
}

void shell_plain(struct model *m)
{
	m->shell->covered = false;
	flaw_end(m);
	for (const struct view *const *v = shell_views(m); *v; v++)
		if ((*v)->plain)
			(*v)->plain(m);
}

void shell_copy(struct model *m, const char *text)
{
	snprintf(m->shell->wishes.copy, sizeof m->shell->wishes.copy, "%s", text);
}

void shell_quit(struct model *m)
{
	m->shell->wishes.quit = true;
}

struct wishes shell_take_wishes(struct model *m)
{
	const struct wishes wishes = m->shell->wishes;
	m->shell->wishes = (struct wishes){.quit = wishes.quit};
	return wishes;
}

const struct shell_options *shell_options(const struct model *m)
{
	return &m->shell->options;
}

void *state_of(const struct model *m, const struct state *state)
{
	size_t i = 0;
	while (shell_views(m)[i]->state != state)
		i++;
	return m->shell->states[i];
}
