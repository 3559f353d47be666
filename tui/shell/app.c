/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app.h"
#include "frame.h"
#include "session.h"
#include "shell_inside.h"
#include "signals.h"
#include "tui/model/worker.h"
#include "tui/screen/interrupt.h"
#include "tui/screen/prompt.h"
#include "tui/screen/term.h"

#include "core/base/clock.h"

#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* PATIENCE_MS: how long a frame waits for a probe; most take a fraction of it, which saves a second
   drawing. CLOCK_MS: how often a build's time is drawn. */
enum { PATIENCE_MS = 6, CLOCK_MS = 500, SUSPEND = 'Z' - '@' };

struct app {
	struct model model;
	struct canvas canvas;
	struct terminal *term;
	struct worker *workers[LANES];
	int theme;     /* in use by the terminal, */
	bool no_mouse; /* and whether it has the mouse */
	bool may_read; /* the terminal may have input */
	bool quit;     /* requested by the user, the terminal or a signal */
};

/* ---- between model and workers ---- */

static void hand_out_jobs(struct app *a)
{
	struct job *job;
	uint64_t stop;
	while ((job = model_take_job(&a->model)))
		worker_submit(a->workers[job->lane], job);
	while ((stop = model_take_stop(&a->model)))
		for (int lane = 0; lane < LANES; lane++)
			worker_stop(a->workers[lane], stop);
}

/* ---- requests of the shell ---- */

/* A program told to end, for example by the shell's `kill`, does not come back first. */
static void suspend(struct app *a)
{
	term_suspend(a->term);
	signals_continued(); /* clears it: a redraw follows anyway */
	if (interrupt_signal())
		a->quit = true;
	else
		term_resume(a->term);
}

/* ---- events ---- */

static char **complete(void *model, const char *line, size_t start)
{
	return typed_complete(model, line, start);
}

/* Returns whether the line was finished: if a prompt is open then, it is another one. */
static bool feed_prompt(struct app *a, const struct event *e)
{
	struct prompt_line *prompt = shell_prompt_line(&a->model);
	char *line = NULL;
	if (e->kind == EVENT_KEY)
		line = prompt_key(prompt, e->key);
	else if (e->kind == EVENT_PASTE)
		prompt_insert(prompt, e->text);
	if (line)
		shell_typed(&a->model, line);
	else if (!prompt->open)
		model_hush(&a->model); /* the message was about the abandoned line */
	free(line);
	return line;
}

static void feed(struct app *a, struct event *e)
{
	struct model *m = &a->model;
	const struct prompt_line *prompt = shell_prompt_line(m);
	const bool is_input = e->kind != EVENT_RESIZE && e->kind != EVENT_TICK;
	bool begins = !prompt->open;
	if (e->kind == EVENT_RESIZE && !canvas_resize(&a->canvas, e->rows, e->cols))
		model_fail(m, "out of memory");
	if (e->kind == EVENT_CLICK) {
		const struct zone *zone = canvas_zone_at(&a->canvas, e->rows, e->cols);
		e->zone = zone ? *zone : (struct zone){.kind = ZONE_NONE};
	}
	m->now = clock_ms();
	if (prompt->open && e->kind == EVENT_KEY && e->key == SUSPEND)
		m->shell->wishes.suspend = true; /* the line stays */
	else if (prompt->open && is_input)
		begins = feed_prompt(a, e);
	else
		shell_update(m, e);
	if (prompt->open && begins)
		prompt_begin(shell_prompt_line(m));
	const struct wishes wishes = shell_take_wishes(&a->model);
	const int theme = m->shell->theme;
	a->canvas.blocks = m->shell->blocks;
	hand_out_jobs(a);
	if (a->theme != theme) {
		a->theme = theme;
		a->canvas.mono = themes[theme].mono || !term_has_colours(a->term);
		term_set_theme(a->term, &themes[theme]);
	}
	if (a->no_mouse != m->shell->mouse_off) {
		a->no_mouse = m->shell->mouse_off;
		term_set_mouse(a->term, !a->no_mouse);
	}
	if (wishes.repaint)
		term_forget(a->term);
	if (wishes.suspend)
		suspend(a);
	if (wishes.copy[0])
		term_copy(a->term, wishes.copy);
	a->quit = a->quit || wishes.quit;
}

/* Waits for workers and signals, and for the terminal if `with_terminal`, at most `timeout`
   milliseconds. The signal may be a resize, which curses reports as a key. */
static void wait_for_news(struct app *a, int timeout, bool with_terminal)
{
	enum { TERMINAL = LANES, SIGNALS, FDS };
	struct pollfd fds[FDS];
	for (int lane = 0; lane < LANES; lane++)
		fds[lane] = (struct pollfd){worker_fd(a->workers[lane]), POLLIN, 0};
	fds[TERMINAL] = (struct pollfd){with_terminal ? term_fd(a->term) : -1, POLLIN, 0};
	fds[SIGNALS] = (struct pollfd){signals_fd(), POLLIN, 0};
	int ready = poll(fds, FDS, timeout);
	a->model.now = clock_ms();
	for (int lane = 0; lane < LANES && ready > 0; lane++) {
		struct job *job;
		struct job_progress progress;
		if (!fds[lane].revents)
			continue;
		worker_acknowledge(a->workers[lane]);
		while ((job = worker_collect(a->workers[lane])))
			shell_job_done(&a->model, job);
		if (worker_progress(a->workers[lane], &progress))
			shell_progress(&a->model, (enum lane)lane, &progress);
		hand_out_jobs(a);
	}
	if (ready > 0 && fds[SIGNALS].revents) {
		if (signals_suspending())
			suspend(a);
		if (signals_continued()) /* after SIGSTOP, which cannot be caught */
			term_resume(a->term);
		if (interrupt_signal())
			a->quit = true;
	}
	if (ready > 0 && fds[TERMINAL].revents & (POLLHUP | POLLERR))
		a->quit = true;
	if (ready < 0 || fds[SIGNALS].revents || fds[TERMINAL].revents)
		a->may_read = true;
}

/* Waits for a key's answers before the next key or frame, unless they take long. */
static void await_probes(struct app *a)
{
	long long until = clock_ms() + PATIENCE_MS, left;
	while (model_job(&a->model, LANE_PROBE) && (left = until - clock_ms()) > 0)
		wait_for_news(a, (int)left, false);
}

/* ---- beginning and end ---- */

static enum el_status choose_theme(const struct app_options *o, int *out, struct el_error *error)
{
	const char *no_colour = getenv("NO_COLOR");
	const char *name = o->theme ? o->theme : no_colour && *no_colour ? "mono" : themes[0].name;
	const struct theme *theme = theme_find(name);
	if (!theme)
		return el_fail(error, EL_USAGE, "unknown theme '%s': expected dark, light or mono",
		               name);
	*out = (int)(theme - themes);
	return EL_OK;
}

/* Not EL_OK: data that should have been kept is lost. */
static enum el_status close_all(struct app *a, struct el_error *error)
{
	enum el_status lost = EL_OK;
	term_close(a->term);
	/* all at once, to wait only for the slowest */
	for (int lane = 0; lane < LANES; lane++)
		worker_end(a->workers[lane]);
	for (int lane = 0; lane < LANES; lane++) {
		const enum el_status status = worker_close(a->workers[lane], lost ? NULL : error);
		lost = lost ? lost : status;
	}
	const enum el_status status = shell_close(&a->model, lost ? NULL : error);
	canvas_free(&a->canvas);
	return lost ? lost : status;
}

enum el_status app_run(const struct app_options *o, struct el_error *error)
{
	const struct shell_options options = {
		.views = o->views,
		.fen = o->fen,
		.lessons = o->lessons,
		.state = o->state,
		.random = (uint64_t)time(NULL),
	};
	struct app *a = calloc(1, sizeof *a);
	if (!a)
		return el_fail(error, EL_MEMORY, "out of memory");
	setlocale(LC_CTYPE, "");
	enum el_status status = choose_theme(o, &a->theme, error);
	if (!status)
		status = shell_open(&a->model, o->library, &options, error);
	for (int lane = 0; lane < LANES && !status; lane++)
		status = worker_open(&a->workers[lane], error);
	if (!status)
		status = signals_catch(term_rescue, error);
	if (!status)
		status = term_open(&themes[a->theme], &a->term, error);
	if (!status && !o->theme && !themes[a->theme].mono) {
		const struct shell *shell = a->model.shell;
		a->theme = shell->theme_chosen      ? shell->theme
		           : term_is_light(a->term) ? (int)(theme_find("light") - themes)
		                                    : a->theme;
		term_set_theme(a->term, &themes[a->theme]);
	}
	a->may_read = true; /* keys may have come before the answer */
	if (!status)
		signals_hear_resize();
	if (!status) {
		struct event size = {.kind = EVENT_RESIZE};
		a->canvas.ascii = o->ascii || strcmp(nl_langinfo(CODESET), "UTF-8");
		a->canvas.mono = themes[a->theme].mono || !term_has_colours(a->term);
		a->canvas.is_console = term_is_console();
		if (!a->model.shell->blocks_chosen)
			a->model.shell->blocks = term_blocks(a->term);
		a->canvas.blocks = a->model.shell->blocks;
		a->model.shell->theme = a->theme;
		term_size(a->term, &size.rows, &size.cols);
		prompt_open(complete, &a->model);
		feed(a, &size);
		for (const char *const *line = o->lines; *line; line++)
			shell_typed(&a->model, *line);
		while (!a->quit && term_alive(a->term)) {
			struct event e;
			await_probes(a);
			frame_draw(&a->model, &a->canvas);
			term_show(a->term, &a->canvas);
			const int tick = shell_next_tick(&a->model);
			const int clock = model_job_shown(&a->model) ? CLOCK_MS : -1;
			const bool tick_first = tick >= 0 && (clock < 0 || tick < clock);
			a->may_read = a->may_read || term_pasting(a->term);
			wait_for_news(a, a->may_read ? 0 : tick_first ? tick : clock, true);
			const bool reads = a->may_read;
			a->may_read = false; /* later input sets it again */
			while (reads && !a->quit && (e = term_read(a->term)).kind != EVENT_NONE) {
				feed(a, &e);
				await_probes(a);
			}
			if (shell_next_tick(&a->model) == 0)
				feed(a, &(struct event){.kind = EVENT_TICK});
		}
		prompt_close();
		/* reported once the caller has the terminal back */
		status = session_save(&a->model, error);
	}
	const enum el_status lost = close_all(a, status ? NULL : error);
	free(a);
	return status ? status : lost;
}
