/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "line.h"
#include "session.h"
#include "shell_inside.h"

#include <stdlib.h>
#include <string.h>

/* ---- life ---- */

static void ask_all(struct model *m)
{
	bool goes_on = true;
	while (goes_on) {
		goes_on = false;
		for (const struct view *const *v = shell_views(m); *v; v++)
			if ((*v)->ask)
				(*v)->ask(m);
		model_ask(m);
		for (const struct view *const *v = shell_views(m); *v; v++)
			if ((*v)->go_on)
				goes_on = (*v)->go_on(m) || goes_on;
	}
}

/* Only if no table at all is usable: a user with tables has chosen what to have. */
static enum el_status first_build(struct model *m, struct el_error *error)
{
	struct el_entry *entries;
	size_t count, usable = 0;
	struct el_slice slices[EL_STARTERS_MAX];
	enum el_status status = el_library_list(m->library, &entries, &count, error);
	if (status)
		return status;
	for (size_t i = 0; i < count; i++)
		usable += !entries[i].ignored;
	el_entries_free(entries, count);
	for (count = 0; el_games[0]->starters[count] && !status; count++)
		status = el_slice_parse(el_games[0]->starters[count], &slices[count], error);
	if (status || usable)
		return status;
	build_start(m, slices, count, NULL);
	if (!m->message.error) /* keep a view's message about its file */
		model_note(
			m,
			"No tables yet: building the first. Look around meanwhile, or press L for "
			"lessons.");
	return EL_OK;
}

static enum el_status open_views(struct model *m, struct el_error *error)
{
	struct shell *s = m->shell;
	const struct view *const *views = shell_views(m);
	size_t count = 0;
	while (views[count])
		count++;
	s->states = calloc(count, sizeof *s->states);
	for (size_t i = 0; i < count && s->states; i++) {
		s->states[i] = calloc(1, views[i]->state ? views[i]->state->size : 1);
		if (!s->states[i])
			return el_fail(error, EL_MEMORY, "out of memory");
	}
	enum el_status status = s->states ? EL_OK : el_fail(error, EL_MEMORY, "out of memory");
	for (size_t i = 0; i < count && !status; i++)
		if (views[i]->open)
			status = views[i]->open(m, error);
	return status;
}

enum el_status shell_open(struct model *m, struct el_library *library,
                          const struct shell_options *options, struct el_error *error)
{
	enum el_status status =
		model_init(m, library, options->fen ? options->fen : el_games[0]->starter, error);
	if (status)
		return status;
	m->shell = calloc(1, sizeof *m->shell);
	if (!m->shell) {
		model_free(m);
		return el_fail(error, EL_MEMORY, "out of memory");
	}
	*m->shell = (struct shell){.options = *options,
	                           .rows = 24,
	                           .cols = 80,
	                           .stack = {{.view = options->views[0]}},
	                           .depth = 1};
	status = open_views(m, error);
	if (!status)
		status = first_build(m, error);
	if (!status) {
		welcome_open(m);
		session_resume(m, options->fen);
		bookmarks_open(m);
		if (el_library_elsewhere(library) && !*m->message.text)
			model_note(m, "Positions that no table here knows are asked of %s.",
			           el_library_elsewhere(library)->name);
	}
	m->random = options->random ? options->random : m->random;
	if (status)
		shell_close(m, NULL);
	else
		ask_all(m);
	return status;
}

enum el_status shell_close(struct model *m, struct el_error *error)
{
	struct shell *s = m->shell;
	const struct view *const *views = s ? s->options.views : NULL;
	enum el_status status = EL_OK;
	model_hush(m);
	for (size_t i = 0; s && s->states && views[i]; i++)
		if (s->states[i] && views[i]->close)
			views[i]->close(m);
	if (m->message.error)
		status = el_fail(error, EL_IO, "%s", m->message.text);
	for (size_t i = 0; s && s->states && views[i]; i++)
		free(s->states[i]);
	if (s) {
		free(s->states);
		bookmarks_close(m);
	}
	free(s);
	model_free(m);
	return status;
}

/* ---- events ---- */

static const struct view *view_on_key(const struct model *m, int key)
{
	for (const struct view *const *v = shell_views(m); *v; v++)
		if (key && ((*v)->key == key || (*v)->summons == key))
			return *v;
	return NULL;
}

static void run_typed(struct model *m, const char *line)
{
	char why[LINE_WHY_MAX];
	const bool allowed = line_is_for_files(m, line, why);
	line_run(m, line);
	shell_hear(m, line, false, allowed);
}

/* Offers an event to the strips, which precede the view. */
static bool strips_take(struct model *m, const struct event *e)
{
	bool taken = false;
	for (const struct view *const *v = shell_views(m); *v && !taken; v++)
		taken = (*v)->strip && (*v)->strip->update && (*v)->strip->update(m, e);
	return taken;
}

static void press(struct model *m, const struct event *e)
{
	const struct view *view = shell_view(m);
	char name[KEY_NAME_MAX], offer[sizeof m->shell->offer];
	memcpy(offer, m->shell->offer, sizeof offer);
	m->shell->offer[0] = '\0';
	if (offer[0] && e->key == 'y') {
		run_typed(m, offer);
		return;
	}
	if (strips_take(m, e) || (view->update && view->update(m, e)) || keys_run(m, e->key))
		return;
	view = view_on_key(m, e->key);
	if (view && view->summons == e->key)
		shell_visit_view(m, view);
	else if (view)
		shell_show_alone(m, view);
	else if (e->key < 0x110000)
		model_fail(m, "%s does nothing here. Press ? for a list of keys.",
		           key_name(e->key, name));
}

/* The panel of keys ends with a key that shows something else, perhaps in its place; one that moves
   through a position or a list leaves it. */
static void update_key(struct model *m, const struct event *e)
{
	const bool had_keys = overlay_has_keys(m);
	const struct view *view = shell_view(m);
	const unsigned changes = m->play.changes;
	model_hush(m);
	if (overlay_turn_keys(m, e->key))
		return;
	press(m, e);
	const bool moves = e->key >= K_UP || changes != m->play.changes;
	if (had_keys && (view != shell_view(m) || (!moves && !m->message.error)))
		overlay_close_keys(m);
}

/* The first click selects, a second one acts as Enter. */
static void update_click(struct model *m, const struct event *e)
{
	const struct view *view = shell_view(m);
	struct event key = {.kind = EVENT_KEY, .key = e->zone.value};
	if (e->zone.kind == ZONE_KEY) {
		update_key(m, &key);
		return;
	}
	model_hush(m);
	struct list *list = shell_list(m, view);
	if (strips_take(m, e))
		return;
	if ((view->update && view->update(m, e)) || !list || e->zone.kind != ZONE_ITEM)
		return;
	if (list->at == e->zone.value)
		keys_run(m, K_ENTER);
	else
		list_set(list, e->zone.value);
}

/* Pasted text is never taken for keys: a line goes to the prompt, and nothing runs before Enter. */
static void update_paste(struct model *m, const struct event *e)
{
	const struct el_game *game;
	struct el_position position;
	char note[EL_NOTE_MAX];
	const char *text = e->text + strspn(e->text, " \t\r\n");
	const size_t first = strcspn(text, "\r\n"), room = utf8_fitting(text, PROMPT_LINE_MAX);
	const size_t length = first < room ? first : room;
	const bool is_all = !text[length + strspn(text + length, " \t\r\n")] && !e->cut;
	if (!length)
		return;
	/* "[Event ..." or "1. e4 ...": games rather than a line. The game on the board is kept, so
	   no question is needed. */
	const size_t digits = strspn(text, "0123456789");
	if (*text == '[' || (digits && text[digits] == '.')) {
		shell_show(m, 0);
		games_open_text(m, "pasted game", e->text);
		if (e->cut)
			model_fail(m,
			           "Only the first %d MB of the paste are here. Save it to a file "
			           "and type :open FILE",
			           PASTE_MAX >> 20);
		return;
	}
	shell_prompt(m, "%.*s", (int)length, text);
	const bool is_position =
		!el_position_read(m->shell->prompt.text, &game, &position, note, NULL);
	model_note(m, "%s%s", is_all ? "" : "Only the beginning of the pasted text is here. ",
	           is_position ? "Press Enter to set up this position." : "");
}

/* A key without another meaning, or one that only continues, does nothing else. */
static bool ends_welcome(struct model *m, const struct event *e)
{
	const bool is_input = e->kind != EVENT_RESIZE && e->kind != EVENT_TICK;
	if (!is_input || !welcome_close(m))
		return false;
	const bool goes_on =
		e->key == ' ' || e->key == K_ENTER || e->key == K_ESCAPE || e->key == 'q';
	return e->kind == EVENT_CLICK ||
	       (e->kind == EVENT_KEY &&
	        (goes_on || (!binding_of_key(m, e->key) && !view_on_key(m, e->key))));
}

void shell_update(struct model *m, const struct event *e)
{
	m->shell->inputs +=
		e->kind != EVENT_RESIZE && e->kind != EVENT_TICK && e->kind != EVENT_NONE;
	if (ends_welcome(m, e))
		return;
	switch (e->kind) {
	case EVENT_KEY:
		update_key(m, e);
		break;
	case EVENT_CLICK:
		update_click(m, e);
		break;
	case EVENT_WHEEL: {
		const struct view *view = shell_view(m);
		struct list *list = shell_list(m, view);
		if (!overlay_turn_keys(m, e->value > 0 ? K_PAGE_DOWN : K_PAGE_UP) &&
		    !(view->update && view->update(m, e)) && list)
			list_set(list, list->at + e->value);
		break;
	}
	case EVENT_PASTE:
		update_paste(m, e);
		break;
	case EVENT_RESIZE:
		m->shell->rows = e->rows;
		m->shell->cols = e->cols;
		break;
	case EVENT_TICK:
		for (const struct view *const *v = shell_views(m); *v; v++)
			if ((*v)->tick)
				(*v)->tick(m);
		break;
	case EVENT_NONE:
		break;
	}
	ask_all(m);
}

void shell_typed(struct model *m, const char *line)
{
	welcome_close(m);
	overlay_close_keys(m);
	run_typed(m, line);
	ask_all(m);
}

void shell_job_done(struct model *m, struct job *job)
{
	model_job_done(m, job);
	ask_all(m);
}

void shell_progress(struct model *m, enum lane lane, const struct job_progress *progress)
{
	model_progress(m, lane, progress);
	ask_all(m);
}

int shell_next_tick(const struct model *m)
{
	int soonest = -1;
	for (const struct view *const *v = shell_views(m); *v; v++) {
		int due = (*v)->next_tick ? (*v)->next_tick(m) : -1;
		if (due >= 0 && (soonest < 0 || due < soonest))
			soonest = due;
	}
	return soonest;
}
