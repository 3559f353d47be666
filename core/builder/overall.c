/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long the rest of a build will take: what the plan gives the tables that are left, times how
 * much longer than planned those took that are done.
 */
#include "builder.h"

#include "core/base/clock.h"

#include <stdio.h>
#include <string.h>

/* As if so much had been made in the time planned: the first tables say little of the others. */
static const double TRUST_SECONDS = 10;

double overall_share(const struct builder *b, const struct el_task *task)
{
	const bool beside = b->work_count > 1 && pool_takes(b->plan, task);
	return task->seconds / (beside ? (double)b->work_count : 1);
}

/* What is at work counts as done for the time that it has taken, and never as all done. */
static double seconds_left(const struct builder *b, double now)
{
	const double pace = (b->finished - b->began + TRUST_SECONDS) / (b->made + TRUST_SECONDS);
	const double rest = b->expected - b->made;
	double begun = 0;
	for (size_t i = 0; i < b->work_count; i++)
		if (b->works[i].lock)
			begun += overall_share(b, b->works[i].built.task);
	const double least = (rest - begun) * pace, left = rest * pace - (now - b->finished);
	return left > least ? left : least;
}

static double rate_of(const struct work *w, double now)
{
	enum { MEANS_SOMETHING_MS = 300 };
	const double seconds = now - w->since;
	return seconds * 1000 < MEANS_SOMETHING_MS ? 0 : (w->last.done - w->first) / seconds;
}

void overall_of(struct builder *b, char table[TABLE_NAME_MAX], struct el_overall *out)
{
	const double now = clock_seconds();
	const struct work *first = NULL;
	*out = (struct el_overall){
		.table = table,
		.at_once = b->busy,
		.done = b->done,
		.of = b->plan->count,
		.seconds = now - b->began,
		.left = b->expected > 0 ? seconds_left(b, now) : -1,
	};
	*table = '\0';
	for (size_t i = 0; i < b->work_count; i++)
		if (b->works[i].lock && (!first || b->works[i].began < first->began))
			first = &b->works[i];
	if (!first)
		return;
	snprintf(table, TABLE_NAME_MAX, "%s %s", first->built.task->slice.name,
	         first->built.task->metric->name);
	pthread_mutex_lock(&b->lock);
	for (size_t i = 0; i < b->work_count; i++) {
		const struct work *w = &b->works[i];
		if (w->lock && w->last.stage && first->last.stage &&
		    !strcmp(w->last.stage, first->last.stage))
			out->rate += rate_of(w, now);
	}
	pthread_mutex_unlock(&b->lock);
}
