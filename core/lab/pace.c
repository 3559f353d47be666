/* SPDX-License-Identifier: MIT */
#include "run.h"

#include "timing.h"

static int report(struct pace *p, const char *stage)
{
	p->told = clock_seconds();
	const double done = p->told - p->started;
	/* Assume that candidates take as long as the average one so far. */
	const double each = p->finished ? (p->begun - p->ready) / (double)p->finished : p->expected;
	const double left = each * (double)(p->count - p->finished) - (p->told - p->begun);
	const double others =
		p->count > p->finished ? each * (double)(p->count - p->finished - 1) : 0;
	return el_watch_tick(p->watch,
	                     &(struct el_progress){
				     .stage = stage,
				     .what = p->what,
				     .done = done,
				     .total = done + (left > others ? left : others) + p->later,
				     .unit = "s",
			     });
}

static int pass_on(void *context, const struct el_progress *progress)
{
	return report(context, progress->stage);
}

void pace_start(struct pace *p, const struct el_watch *watch, size_t count, double expected)
{
	*p = (struct pace){.watch = watch, .count = count, .expected = expected};
	p->inner = (struct el_watch){.context = p, .tick = pass_on};
	p->started = p->ready = p->begun = clock_seconds();
}

void pace_begin(struct pace *p, size_t finished)
{
	p->begun = clock_seconds();
	p->finished = finished;
	if (!finished)
		p->ready = p->begun;
}

void pace_turns(struct pace *p, size_t count, double expected)
{
	p->count = count;
	p->expected = expected;
	p->later = 0;
	pace_begin(p, 0);
}

enum el_status pace_tick(struct pace *p, const char *stage, struct el_error *error)
{
	return report(p, stage) ? EL_OK : el_fail(error, EL_STOPPED, "%s: stopped", p->what);
}
