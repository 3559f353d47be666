/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "progress.h"
#include "tui/text/clean.h"
#include "tui/text/numbers.h"
#include "tui/text/plan.h"
#include "tui/text/utf8.h"

#include "core/base/clock.h"

#include <string.h>
#include <sys/ioctl.h>

static const double REDRAW_SECONDS = 0.1;
static const double RATE_SECONDS = 0.3; /* before a rate is meaningful */
static const double LONG_SECONDS = 1;   /* before a stage gets a line in a log */

enum { LINE_BYTES = 3 * PLAN_SUMMARY_MAX };

static int columns(FILE *bar)
{
	struct winsize size;
	return ioctl(fileno(bar), TIOCGWINSZ, &size) || !size.ws_col ? 80 : size.ws_col;
}

/* Cut the line: a longer one could not be overwritten. */
static void draw_line(FILE *bar, const char *line)
{
	fprintf(bar, "\r\033[K%.*s", (int)utf8_bytes(line, columns(bar) - 1), line);
	fflush(bar);
}

static void write_left(FILE *out, double seconds)
{
	char left[TIME_MAX];
	fprintf(out, "  %s left", clock_text(seconds, left));
}

/* The bar fills the remaining width; if that is small it is omitted. */
static void draw_bar(FILE *bar, const struct el_progress *p, double first, double elapsed)
{
	enum { WIDTH = 24, LEAST = 4 };
	char what[LINE_BYTES] = "", rate[LINE_BYTES] = "", line[3 * LINE_BYTES];
	FILE *before = fmemopen(what, sizeof what, "w"), *behind = fmemopen(rate, sizeof rate, "w");
	if (before && behind) {
		fprintf(before, "%s ", p->stage);
		clean_print(before, p->what);
		/* Write the text after the bar. `first` was done when the stage began. */
		char number[GROUPED_MAX];
		if (p->total > 0)
			fprintf(behind, " %3.0f %%",
			        100 * (p->done < p->total ? p->done / p->total : 1));
		if (p->unit && !strcmp(p->unit, "s")) { /* the total time is known */
			write_left(behind, p->total - p->done);
		} else if (p->done > first && elapsed > RATE_SECONDS) {
			const double speed = (p->done - first) / elapsed;
			fprintf(behind, "  %s %s/s", grouped((uint64_t)speed, number),
			        p->unit ? p->unit : "");
			if (p->total > p->done)
				write_left(behind, (p->total - p->done) / speed);
		}
	}
	if (before)
		fclose(before);
	if (behind)
		fclose(behind);
	const int room =
		columns(bar) - 1 - utf8_length(what) - utf8_length(rate) - (int)strlen("  []");
	const int width = p->total <= 0 || room < LEAST ? 0 : room < WIDTH ? room : WIDTH;
	const int filled = p->done < p->total ? (int)(p->done / p->total * width) : width;
	if (width)
		snprintf(line, sizeof line, "%s  [%.*s%.*s]%s", what, filled,
		         "########################", width - filled, "........................",
		         rate);
	else
		snprintf(line, sizeof line, "%s %s", what, rate);
	draw_line(bar, line);
}

static void show_bar(struct progress *progress, const struct el_progress *p, double now)
{
	if (progress->shown && now - progress->drawn < REDRAW_SECONDS)
		return;
	if (p->overall) {
		/* Draw one line for a build of several tables. */
		char line[LINE_BYTES], table[PLAN_SUMMARY_MAX], left[PLAN_COST_MAX];
		char rate[AMOUNT_MAX], pass[32], speed[64] = "";
		const struct el_overall *overall = p->overall;
		snprintf(pass, sizeof pass, "pass %u", p->pass);
		if (overall->rate > 0 && p->unit)
			snprintf(speed, sizeof speed, "  %s %s/s", rate_text(overall->rate, rate),
			         p->unit);
		snprintf(line, sizeof line, "%s  %s%s  %s", overall_table(overall, table),
		         p->pass ? pass : p->stage, speed, overall_left(overall, left));
		draw_line(progress->cli->bar, line);
	} else
		draw_bar(progress->cli->bar, p, progress->first, now - progress->started);
	progress->shown = true;
	progress->drawn = now;
}

static void tell_stage(struct progress *progress, const struct el_progress *p, double now)
{
	/* their lines follow when they are done */
	const bool are_small = p->overall && p->overall->at_once > 1;
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

static int tick(void *context, const struct el_progress *p)
{
	struct progress *progress = context;
	if (!p || !p->stage || !p->what)
		return el_watch_tick(progress->cli->watch, p);
	if (!progress->stage || strcmp(progress->stage, p->stage) ||
	    (!progress->as_one && strcmp(progress->what, p->what))) { /* a stage begins */
		progress->stage = p->stage;
		snprintf(progress->what, sizeof progress->what, "%s", p->what);
		progress->started = clock_seconds();
		progress->first = p->done;
		progress->told = false;
	}
	(progress->cli->bar ? show_bar : tell_stage)(progress, p, clock_seconds());
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
