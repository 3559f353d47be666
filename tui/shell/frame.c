/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frame.h"
#include "shell_inside.h"

#include <stdio.h>
#include <string.h>

enum { STATUS_ROWS_MAX = 4, HINTS_MAX = 64, NARROW_TITLE_COLS = 80, WIDE_TITLE_COLS = 90 };

/* ---- title line ---- */

/* "KPvKP  62 %  0:03", or "23 plies" if the end is not known: of fixed width, so that its neighbours
   do not move. Empty without work. */
static void progress_text(const struct model *m, char *out, size_t size)
{
	static const struct job_progress none = {0};
	const struct job *job = model_job_shown(m);
	const struct job_progress *p = job ? model_progress_of(m, job->number) : NULL;
	const long long seconds = p ? (m->now - p->since) / 1000 : 0;
	p = p ? p : &none;
	const int name = (int)strcspn(p->what, " ");
	const char *text = name ? p->what : job && p->stage ? job->title : "";
	const int percent = p->total > 0 ? (int)(100 * p->done / p->total) : 0;
	char amount[32];
	if (p->total > 0)
		snprintf(amount, sizeof amount, "%7d %%", percent > 100 ? 100 : percent);
	else if (p->unit)
		snprintf(amount, sizeof amount, "%3.0f %s", p->done, p->unit);
	else
		snprintf(amount, sizeof amount, "%9s", "");
	if (job)
		snprintf(out, size, "%.*s %s %2lld:%02lld", name ? name : (int)strlen(text), text,
		         amount, seconds / 60, seconds % 60);
}

/* The keys and the names of the views, or only that of the one shown; returns the column after them. */
static int draw_tabs(const struct model *m, struct pane p, int cols, bool with_names)
{
	int x = cols < NARROW_TITLE_COLS ? 0 : 1;
	for (const struct view *const *v = shell_views(m); *v; v++) {
		if (!(*v)->key)
			continue;
		const bool here = *v == shell_named_view(m);
		const enum role role = here ? ROLE_TITLE_HERE : ROLE_TITLE_TEXT;
		int end = pane_print(p, 0, x, role, "%c", (*v)->key);
		if (here || with_names)
			end = pane_print(p, 0, end, role, " %s", (*v)->name);
		pane_zone(pane_sub(p, 0, x, 1, end - x), ZONE_KEY, (*v)->key);
		x = end + (cols < WIDE_TITLE_COLS || !with_names ? 1 : 2);
	}
	return x;
}

/* Where there is no room for all, the names of the other views give way first, then the end of the
   subject; never the work. */
static void draw_title(const struct model *m, struct pane p)
{
	char subject[96] = "", progress[96] = "";
	pane_fill(p, ROLE_TITLE);
	if (shell_view(m)->subject)
		shell_view(m)->subject(m, subject, sizeof subject);
	progress_text(m, progress, sizeof progress);
	const int right = p.cols - 1, work = utf8_length(progress), gap = work && *subject ? 2 : 0;
	const int wanted = utf8_length(subject) + gap + work;
	/* measured in a pane without cells */
	const bool fits = draw_tabs(m, pane_sub(p, 0, 0, 0, 0), p.cols, true) + wanted <= right;
	const int left = draw_tabs(m, p, p.cols, fits), room = right - left - work - gap;
	const int shown = utf8_length(subject) < room ? utf8_length(subject) : room;
	pane_text(pane_sub(p, 0, right - shown, 1, shown), 0, 0, ROLE_TITLE_TEXT, subject);
	const int end = right - (shown > 0 ? shown + gap : 0);
	pane_put(p, 0, end - work - 1, ROLE_BUSY, ' ');
	pane_right(p, 0, end, ROLE_BUSY, progress);
}

/* ---- status line, hint bar, prompt ---- */

/* A key and what it does. */
struct hint {
	int key;
	const char *text;
	bool disabled;
};

struct hints {
	struct hint list[HINTS_MAX];
	size_t count;
};

static int hint_cols(const struct hint *h)
{
	char name[KEY_NAME_MAX];
	return utf8_length(key_name(h->key, name)) + 1 + utf8_length(h->text);
}

static int draw_some_hints(const struct hints *hints, struct pane p, int x)
{
	for (const struct hint *h = hints->list; h < hints->list + hints->count; h++) {
		const int cols = hint_cols(h);
		char name[KEY_NAME_MAX];
		if (x + cols > p.cols)
			continue;
		int end = pane_text(p, 0, x, h->disabled ? ROLE_DIM : ROLE_HINT_KEY,
		                    key_name(h->key, name)) +
		          1;
		pane_text(p, 0, end, h->disabled ? ROLE_DIM : ROLE_HINT, h->text);
		pane_zone(pane_sub(p, 0, x, 1, cols), ZONE_KEY, h->key);
		x += cols + 2;
	}
	return x;
}

/* Hints for the bindings in force: `common` ones work everywhere. */
static void draw_hints(const struct model *m, struct pane p)
{
	struct hints own = {.count = 0}, common = {.count = 0};
	struct bindings_walk walk = {.model = m};
	const struct binding *b;
	int kept = 1; /* the last cell of the screen stays empty */
	while ((b = bindings_next(&walk))) {
		const int key = key_hinted(m, b);
		struct hints *hints = walk.table == global_bindings ? &common : &own;
		if (b->hint && binding_of_key(m, key) == b && !key_taken(m, key) &&
		    hints->count < HINTS_MAX)
			hints->list[hints->count++] =
				(struct hint){key, b->hint, binding_disabled(b, m)};
	}
	/* The common ones come last but have their space reserved: a user who is lost needs `?`
	   most. */
	for (size_t i = 0; i < common.count; i++)
		kept += hint_cols(&common.list[i]) + 2;
	const int x = draw_some_hints(&own, pane_sub(p, 0, 0, 1, p.cols - kept), 1);
	draw_some_hints(&common, p, x);
}

/* ---- the whole ---- */

void frame_draw(const struct model *m, struct canvas *canvas)
{
	canvas_clear(canvas);
	struct pane p = pane_of(canvas);
	if (p.rows < SCREEN_ROWS_MIN || p.cols < SCREEN_COLS_MIN) {
		pane_print_wrapped(
			p, 0, ROLE_TEXT, "The screen needs %d x %d cells; it has %d x %d.",
			SCREEN_COLS_MIN, SCREEN_ROWS_MIN, m->shell->cols, m->shell->rows);
		return;
	}
	const int top = !shell_projects(m), rows = shell_view_rows(m);
	const struct pane view = pane_sub(p, top, 0, rows, p.cols);
	if (top)
		draw_title(m, pane_row(p, 0));
	if (shell_is_covered(m))
		shell_view(m)->cover(m, view);
	else
		shell_view(m)->draw(m, view);
	welcome_draw(m, view);
	overlay_draw_keys(m, view);
	int y = top + rows;
	for (const struct view *const *v = shell_views(m); *v; v++) {
		const struct strip *strip = (*v)->strip;
		const int height = strip ? strip->rows(m, m->shell->rows, m->shell->cols) : 0;
		if (height)
			strip->draw(m, pane_sub(p, y, 0, height, p.cols));
		y += height;
	}
	/* A message longer than its line takes rows of the view while it is shown. */
	const struct prompt_line *line = &m->shell->prompt;
	const bool has_matches = line->open && line->matches[0];
	const char *words = has_matches ? line->matches : m->message.text;
	const bool is_error = m->message.error && !has_matches;
	int width = p.cols - 2, high = 1 + utf8_length(words) / width;
	high += high > 1; /* wrapping wastes space */
	high = high < STATUS_ROWS_MAX ? high : STATUS_ROWS_MAX;
	const bool is_last = shell_projects(m) && !line->open; /* no hints below it */
	struct pane status = pane_sub(p, p.rows - !is_last - high, 0, high, p.cols);
	pane_fill(status, ROLE_GROUND);
	pane_wrap(pane_sub(status, 0, 1, high, width), 0, is_error ? ROLE_ERROR : ROLE_NOTE, words);
	if (!*words && shell_view(m)->caption && !shell_is_covered(m)) {
		char caption[256] = "";
		shell_view(m)->caption(m, caption, sizeof caption);
		pane_text(pane_sub(status, 0, 1, 1, width), 0, 0, ROLE_DIM, caption);
	}
	struct pane last = pane_row(p, p.rows - 1);
	if (line->open) {
		/* A long line scrolls to keep its cursor visible. */
		int room = last.cols - 2,
		    skip = line->cursor > room - 1 ? line->cursor - room + 1 : 0;
		const char *text = line->text;
		for (int i = 0; i < skip && *text; i++)
			utf8_decode(&text);
		pane_put(last, 0, 0, ROLE_HINT_KEY, ':');
		pane_text(last, 0, 1, ROLE_TEXT, text);
		last.canvas->cursor_y = last.y;
		last.canvas->cursor_x = last.x + 1 + line->cursor - skip;
	} else if (top)
		draw_hints(m, last);
}
