/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "progress.h"
#include "../text/clean.h"
#include "../text/numbers.h"
#include "../text/plan.h"

#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

static const double REDRAW_SECONDS = 0.1;
static const double RATE_SECONDS = 0.3; /* before a rate means something */
static const double LONG_SECONDS = 1; /* before a stage is worth a line in a log */

double seconds_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void draw_left(FILE *bar, double seconds)
{
	char left[TIME_MAX];
	fprintf(bar, "  %s left", clock_text(seconds, left));
}

/* `first` was done when the stage began. */
static void draw_rate(FILE *bar, const struct el_progress *p, double first, double elapsed)
{
	char number[GROUPED_MAX];
	double rate = (p->done - first) / elapsed;
	fprintf(bar, "  %s %s/s", grouped((uint64_t)rate, number), p->unit ? p->unit : "");
	if (p->total > p->done)
		draw_left(bar, (p->total - p->done) / rate);
}

static void draw_bar(FILE *bar, const struct el_progress *p, double first, double elapsed)
{
	enum { WIDTH = 24 };
	fprintf(bar, "\r\033[K%s ", p->stage);
	clean_print(bar, p->what);
	if (p->total > 0) {
		double share = p->done < p->total ? p->done / p->total : 1;
		int filled = (int)(share * WIDTH);
		fprintf(bar, "  [%.*s%.*s] %3.0f %%", filled, "########################", WIDTH - filled,
		        "........................", share * 100);
	}
	if (p->unit && !strcmp(p->unit, "s")) /* such work knows how long it will take */
		draw_left(bar, p->total - p->done);
	else if (p->done > first && elapsed > RATE_SECONDS)
		draw_rate(bar, p, first, elapsed);
	fflush(bar);
}

/* A longer line would not be drawn over. */
static int columns(FILE *bar)
{
	struct winsize size;
	return ioctl(fileno(bar), TIOCGWINSZ, &size) || !size.ws_col ? 80 : size.ws_col;
}

/* Of a build of several tables one line tells all. */
static void draw_course(FILE *bar, const struct el_progress *p)
{
	char line[3 * PLAN_SUMMARY_MAX], table[PLAN_SUMMARY_MAX], left[PLAN_COST_MAX];
	char rate[AMOUNT_MAX];
	const struct el_course *course = p->course;
	size_t used = 0;
	used += (size_t)snprintf(line, sizeof line, "%s  ", course_table(course, table));
	if (p->pass)
		used += (size_t)snprintf(line + used, sizeof line - used, "pass %u", p->pass);
	else
		used += (size_t)snprintf(line + used, sizeof line - used, "%s", p->stage);
	if (course->rate > 0 && p->unit)
		used += (size_t)snprintf(line + used, sizeof line - used, "  %s %s/s",
		                         rate_text(course->rate, rate), p->unit);
	snprintf(line + used, sizeof line - used, "  %s", course_left(course, left));
	fprintf(bar, "\r\033[K%.*s", columns(bar) - 1, line);
	fflush(bar);
}

static void follow_stage(struct progress *progress, const struct el_progress *p)
{
	if (progress->stage && !strcmp(progress->stage, p->stage) &&
	    (progress->as_one || !strcmp(progress->what, p->what)))
		return;
	progress->stage = p->stage;
	snprintf(progress->what, sizeof progress->what, "%s", p->what);
	progress->started = seconds_now();
	progress->first = p->done;
	progress->told = false;
}

static void show_bar(struct progress *progress, const struct el_progress *p, double now)
{
	if (progress->shown && now - progress->drawn < REDRAW_SECONDS)
		return;
	if (p->course)
		draw_course(progress->cli->bar, p);
	else
		draw_bar(progress->cli->bar, p, progress->first, now - progress->started);
	progress->shown = true;
	progress->drawn = now;
}

static void tell_stage(struct progress *progress, const struct el_progress *p, double now)
{
	const bool are_small = p->course && p->course->at_once > 1; /* their lines come when they are done */
	if (progress->told || are_small || now - progress->started < LONG_SECONDS)
		return;
	char line[sizeof *progress->lines];
	progress->told = true;
	snprintf(line, sizeof line, "%s %s", p->stage, p->what);
	for (size_t i = 0; i < progress->line_count && i < TOLD_MAX; i++)
		if (!strcmp(progress->lines[i], line))
			return;
	strcpy(progress->lines[progress->line_count++ % TOLD_MAX], line);
	fprintf(progress->cli->err, "%s\n", line);
}

static void show(struct progress *progress, const struct el_progress *p)
{
	follow_stage(progress, p);
	(progress->cli->bar ? show_bar : tell_stage)(progress, p, seconds_now());
}

static int tick(void *context, const struct el_progress *p)
{
	struct progress *progress = context;
	if (p && p->stage && p->what)
		show(progress, p);
	return el_watch_tick(progress->cli->watch, p);
}

void progress_start(struct progress *progress, struct cli *cli)
{
	*progress = (struct progress){.cli = cli};
	progress->watch = (struct el_watch){.context = progress, .tick = tick};
}

void progress_clear(struct progress *progress)
{
	if (progress->shown) {
		fputs("\r\033[K", progress->cli->bar);
		fflush(progress->cli->bar);
	}
	progress->shown = false;
	progress->line_count = 0;
}
