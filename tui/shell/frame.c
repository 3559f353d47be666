/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "frame.h"

#include <stdio.h>
#include <string.h>

enum { STATUS_ROWS_MAX = 4 };

/* ---- title line ---- */

static const struct view *shown_on_key(const struct model *m)
{
	const struct view *v = m->view;
	while (!v->key)
		v = v->under ? v->under : m->before;
	return v;
}

static int draw_names(const struct model *m, struct pane p)
{
	bool tight = p.cols < 60;
	int x = tight ? 0 : 1;
	for (const struct view *const *v = views; *v; v++) {
		if (!(*v)->key)
			continue;
		enum role role = *v == shown_on_key(m) ? ROLE_TITLE_HERE : ROLE_TITLE_TEXT;
		int end = pane_print(p, 0, x, role, "%c %s", (*v)->key, (*v)->name);
		pane_zone(pane_sub(p, 0, x, 1, end - x), ZONE_KEY, (*v)->key);
		x = end + (tight ? 1 : 2);
	}
	return x;
}

/* "62 %" or, where the end is not known, "23 plies": of a fixed width, so that nothing beside it
   moves. */
static void amount_text(const struct job_progress *p, char *out, size_t size)
{
	int percent = p->total > 0 ? (int)(100 * p->done / p->total) : 0;
	if (p->total > 0)
		snprintf(out, size, "%7d %%", percent > 100 ? 100 : percent);
	else if (p->unit)
		snprintf(out, size, "%3.0f %s", p->done, p->unit);
	else
		snprintf(out, size, "%9s", "");
}

/* "KPvKP  62 %  0:03" */
static void progress_text(const struct model *m, char *out, size_t size)
{
	const struct job_progress *p = &m->progress;
	long long seconds = (m->now - m->progress_since) / 1000;
	int name = (int)strcspn(p->what, " ");
	const char *text = name ? p->what : p->title;
	char amount[32];
	amount_text(p, amount, sizeof amount);
	snprintf(out, size, "%.*s %s %2lld:%02lld", name ? name : (int)strlen(text), text, amount,
	         seconds / 60, seconds % 60);
}

/* Where there is no room for both, the work goes before the subject. */
static void draw_title(const struct model *m, struct pane p)
{
	char subject[96] = "", progress[96] = "";
	pane_fill(p, ROLE_TITLE);
	int left = draw_names(m, p), right = p.cols - 1;
	if (m->view->subject)
		m->view->subject(m, subject, sizeof subject);
	if (m->jobs_out[LANE_LONG])
		progress_text(m, progress, sizeof progress);
	int room = *progress ? utf8_length(progress) + 2 : 0;
	if (right - utf8_length(subject) - room >= left) {
		pane_right(p, 0, right, ROLE_TITLE_TEXT, subject);
		right -= utf8_length(subject) + 2;
	}
	int start = right - utf8_length(progress);
	pane_text(p, 0, start > left ? start : left, ROLE_BUSY, progress);
}

/* ---- status line, hint bar, prompt ---- */

/* A message that needs more than its line takes some of the view's for as long as it stands. */
static void draw_status(const struct model *m, struct pane p)
{
	const char *text = m->prompt.open ? m->prompt.matches : m->message.text;
	bool is_error = m->message.error && !m->prompt.open;
	int width = p.cols - 2, rows = 1 + utf8_length(text) / width;
	rows += rows > 1; /* words do not fill their lines */
	rows = rows < STATUS_ROWS_MAX ? rows : STATUS_ROWS_MAX;
	struct pane status = pane_sub(p, p.rows - 1 - rows, 0, rows, p.cols);
	pane_fill(status, ROLE_GROUND);
	pane_wrap(pane_sub(status, 0, 1, rows, width), 0, is_error ? ROLE_ERROR : ROLE_NOTE, text);
}

static int draw_hint(const struct model *m, struct pane p, int x, const struct binding *b, int key)
{
	char name[KEY_NAME_MAX];
	key_name(key, name);
	int width = utf8_length(name) + 1 + utf8_length(b->hint);
	if (x + width > p.cols)
		return x;
	bool disabled = binding_disabled(b, m);
	int end = pane_text(p, 0, x, disabled ? ROLE_DIM : ROLE_HINT_KEY, name) + 1;
	end = pane_text(p, 0, end, disabled ? ROLE_DIM : ROLE_HINT, b->hint);
	pane_zone(pane_sub(p, 0, x, 1, width), ZONE_KEY, key);
	return end + 2;
}

static void draw_hints(const struct model *m, struct pane p)
{
	/* The common ones come last but keep their room: who is lost needs `?` most. */
	int common = 0;
	for (const struct binding *b = global_bindings; b->name; b++)
		if (b->hint)
			common += utf8_length(b->hint) + 4;
	struct pane own = pane_sub(p, 0, 0, 1, p.cols - common);
	/* Letters are pieces in Set up. */
	int x = 1, which = m->view == &setup_view;
	for (const struct binding *b = lesson_bindings; b->name && lesson_plays(m); b++)
		if (b->hint)
			x = draw_hint(m, own, x, b, b->keys[which]);
	for (const struct binding *b = m->view->bindings; b->name; b++)
		if (b->hint && !(lesson_plays(m) && binding_in(lesson_bindings, b->keys[0])))
			x = draw_hint(m, own, x, b, b->keys[0]);
	for (const struct binding *b = global_bindings; b->name; b++)
		if (b->hint)
			x = draw_hint(m, p, x, b, b->keys[0]);
}

static void draw_prompt(const struct model *m, struct pane p)
{
	/* A long line scrolls so that its cursor stays in sight. */
	int room = p.cols - 2, skip = m->prompt.cursor > room - 1 ? m->prompt.cursor - room + 1 : 0;
	const char *text = m->prompt.text;
	for (int i = 0; i < skip && *text; i++)
		utf8_decode(&text);
	pane_put(p, 0, 0, ROLE_HINT_KEY, ':');
	pane_text(p, 0, 1, ROLE_TEXT, text);
	p.canvas->cursor_y = p.y;
	p.canvas->cursor_x = p.x + 1 + m->prompt.cursor - skip;
}

/* ---- the whole ---- */

int view_rows(const struct model *m)
{
	return m->rows - FRAME_ROWS - lesson_rows(m);
}

static void draw_too_small(const struct model *m, struct pane p)
{
	char text[96];
	snprintf(text, sizeof text, "needs %d x %d cells, has %d x %d", SCREEN_COLS_MIN,
		 SCREEN_ROWS_MIN, m->cols, m->rows);
	pane_wrap(p, 0, ROLE_TEXT, text);
}

void frame_draw(const struct model *m, struct canvas *canvas)
{
	canvas_clear(canvas);
	struct pane p = pane_of(canvas);
	if (p.rows < SCREEN_ROWS_MIN || p.cols < SCREEN_COLS_MIN) {
		draw_too_small(m, p);
		return;
	}
	draw_title(m, pane_sub(p, 0, 0, 1, p.cols));
	int rows = view_rows(m);
	m->view->draw(m, pane_sub(p, 1, 0, rows, p.cols));
	if (lesson_plays(m))
		lesson_draw(m, pane_sub(p, 1 + rows, 0, lesson_rows(m), p.cols));
	draw_status(m, p);
	struct pane last = pane_sub(p, p.rows - 1, 0, 1, p.cols);
	if (m->prompt.open)
		draw_prompt(m, last);
	else
		draw_hints(m, last);
}
