/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads: one slice built with one thread and with more, measured. */
#include "tui/shell/overlay.h"
#include "tui/text/text.h"

#include "core/builder/build.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { LAPS = 6, ROUNDS = 3 };

/* Two threads count as faster only by more than a machine's usual unrest, and on two processors. */
static const double CLEARLY = 0.9;
/* Less than this is mostly unrest. */
static const double SHORT_SECONDS = 0.1;

struct threads {
	struct el_slice slice; /* no game: none yet */
	struct question ask;   /* known: `laps` are those of the slice */
	bool wanted;           /* it is to be measured */
	struct el_lap laps[LAPS];
	size_t count;
};

OWN_STATE(static, threads, struct threads);

/* ---- measuring: a job ---- */

struct race_job {
	struct job job;
	struct el_slice slice;
	struct el_lap laps[LAPS];
	size_t count;
};

static void race_run(struct job *job, const struct el_watch *watch)
{
	struct race_job *j = (struct race_job *)job;
	job->status = el_build_race(&j->slice, ROUNDS, j->laps, j->count, watch, &job->error);
}

static void race_done(struct model *m, struct job *job)
{
	const struct race_job *j = (struct race_job *)job;
	struct threads *t = threads_of(m);
	if (!question_answer(&t->ask, job))
		return;
	t->ask.known = !job->status;
	if (job->status && job->status != EL_STOPPED)
		model_fail(m, "%s", job->error.text);
	memcpy(t->laps, j->laps, sizeof t->laps);
	t->count = j->count;
}

static void ask(struct model *m)
{
	struct threads *t = threads_of(m);
	if (!t->wanted || !question_is_open(&t->ask))
		return;
	char title[96];
	snprintf(title, sizeof title, "building %s again and again", t->slice.name);
	struct race_job *j =
		model_new_job(m, sizeof *j, LANE_LOOK, title, race_run, race_done, NULL);
	t->wanted = false;
	if (!j)
		return;
	j->slice = t->slice;
	/* 1, 2, 4 and so on, as many as there are processors, and always 1 and 2. */
	for (unsigned n = 1; j->count < 2 || (j->count < LAPS && (int)n <= omp_get_num_procs());
	     n *= 2)
		j->laps[j->count++].threads = n;
	question_ask(m, &t->ask, &j->job);
}

/* ---- what the keys do ---- */

static void measure(struct model *m)
{
	question_change(m, &threads_of(m)->ask);
	threads_of(m)->wanted = true;
}

static const char *cannot_measure(const struct model *m)
{
	const struct threads *t = threads_of(m);
	return !t->slice.game ? "The position in Explore is one of no slice."
	       : t->ask.job   ? "The measurement is running. Press X to stop it."
	                      : NULL;
}

static void set_slice(struct model *m, const struct el_slice *slice)
{
	struct threads *t = threads_of(m);
	if (t->slice.game && el_slice_equal(&t->slice, slice))
		return;
	t->slice = *slice;
	t->wanted = false;
	question_change(m, &t->ask);
}

static void enter(struct model *m)
{
	struct el_slice slice;
	if (!threads_of(m)->slice.game && !play_game(m)->slice_of(play_position(m), &slice, NULL))
		set_slice(m, &slice);
}

/* "KQvKR": measures it, unless that has been done. */
static bool run_line(struct model *m, const char *line)
{
	struct el_slice slice;
	if (el_slice_parse(line, &slice, NULL))
		return false;
	set_slice(m, &slice);
	if (!threads_of(m)->ask.known && !cannot_measure(m))
		measure(m);
	return true;
}

/* ---- drawing ---- */

enum { THREADS_END = 9, SECONDS_END = 20, TIMES_END = 29, BYTES_END = 42, BAR_AT = 45 };

static bool is_same(const struct threads *t)
{
	bool same = true;
	for (size_t i = 0; i < t->count; i++)
		same = same && t->laps[i].same;
	return same;
}

static void draw_laps(const struct threads *t, bool covered, struct pane p)
{
	char text[32], number[GROUPED_MAX];
	double most = 0;
	for (size_t i = 0; i < t->count; i++)
		most = t->laps[i].seconds > most ? t->laps[i].seconds : most;
	pane_right(p, 0, THREADS_END, ROLE_DIM, "threads");
	pane_right(p, 0, SECONDS_END, ROLE_DIM, "seconds");
	pane_right(p, 0, TIMES_END, ROLE_DIM, "speed");
	pane_right(p, 0, BYTES_END, ROLE_DIM, "bytes");
	for (size_t i = 0; i < t->count; i++) {
		const struct el_lap *lap = &t->laps[i];
		const int y = (int)i + 1;
		pane_print_right(p, y, THREADS_END, ROLE_STRONG, "%u", lap->threads);
		snprintf(text, sizeof text, "%.3f", lap->seconds);
		pane_right(p, y, SECONDS_END, ROLE_TEXT, covered ? "?" : text);
		snprintf(text, sizeof text, "x %.2f",
		         lap->seconds > 0 ? t->laps[0].seconds / lap->seconds : 1);
		pane_right(p, y, TIMES_END, ROLE_TEXT, covered ? "?" : text);
		pane_right(p, y, BYTES_END, ROLE_TEXT, covered ? "?" : grouped(lap->bytes, number));
		const int room = p.cols - BAR_AT - 1;
		if (!covered && most > 0 && room > 0)
			pane_bar(p, y, BAR_AT, ROLE_BUSY, (int)(lap->seconds / most * room + 0.5));
	}
}

static void draw(const struct model *m, struct pane p)
{
	const struct threads *t = threads_of(m);
	const bool covered = shell_is_covered(m);
	const int processors = omp_get_num_procs();
	if (!t->slice.game) {
		pane_wrap(pane_sub(p, 1, 1, 2, p.cols - 2), 0, ROLE_DIM, cannot_measure(m));
		return;
	}
	pane_print(p, 0, 1, ROLE_STRONG, "%s, built with one thread and with more", t->slice.name);
	pane_print(p, 1, 1, ROLE_DIM, "This machine gives the program %d %s.", processors,
	           plural((size_t)processors, "processor", "processors"));
	const struct pane below = pane_sub(p, 3, 1, p.rows - 3, p.cols - 2);
	if (!t->ask.known) {
		pane_wrap(below, 0, t->ask.job ? ROLE_BUSY : ROLE_DIM,
		          t->ask.job ? "It is being built, some times with each number of threads. "
		                       "Press X to stop."
		                     : "Press space to measure. The tables go to a folder of their "
		                       "own and are removed again.");
		return;
	}
	draw_laps(t, covered, below);
	int y = (int)t->count + 2;
	if (!covered)
		y += pane_wrap(pane_sub(below, y, 0, 2, below.cols), 0,
		               is_same(t) ? ROLE_TEXT : ROLE_ERROR,
		               is_same(t) ? "All tables are the same, byte for byte."
		                          : "The tables differ, which is a fault of the program.");
	pane_print_wrapped(
		pane_sub(below, y, 0, 2, below.cols), 0, ROLE_DIM, "Each time is the best of %d.%s",
		ROUNDS,
		t->laps[0].seconds < SHORT_SECONDS
			? " Times this short say little: choose a larger slice."
		: processors > 1
			? " Other programs at work make the times longer."
			: " With one processor the threads take turns, so more threads cannot be "
			  "faster.");
}

static void subject(const struct model *m, char *out, size_t size)
{
	snprintf(out, size, "%s  threads", threads_of(m)->slice.name);
}

/* ---- for lessons ---- */

static bool find_faster(const struct model *m, uint64_t *out)
{
	const struct threads *t = threads_of(m);
	*out = omp_get_num_procs() > 1 && t->laps[1].seconds < CLEARLY * t->laps[0].seconds;
	return t->ask.known;
}

static bool find_same(const struct model *m, uint64_t *out)
{
	*out = is_same(threads_of(m));
	return threads_of(m)->ask.known;
}

static const struct figure figures[] = {
	{"faster", FIGURE_WHETHER, find_faster}, /* two threads, by more than a tenth */
	{"same-bytes", FIGURE_WHETHER, find_same},
	{.name = NULL},
};

static const struct binding bindings[] = {
	KEY({' '}, "measure-threads", "measure", "build the slice with one thread and with more",
            .run = measure, .disabled = cannot_measure),
	{.name = NULL},
};

const struct view threads_view = {
	.name = "Threads",
	.summary = "one slice built with one thread and with more, measured",
	.state = &threads_state,
	.bindings = bindings,
	.line = run_line,
	.draw = draw,
	.cover = draw,
	.enter = enter,
	.subject = subject,
	.ask = ask,
	.figures = figures,
};
