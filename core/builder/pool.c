/* SPDX-License-Identifier: MIT */
/* Makes small tables side by side, each on a thread of its own. */
#include "builder.h"

#include "core/base/clock.h"
#include "core/os/system.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>

/* Two threads solve a slice of fewer bits no faster than one: they wait for each other. */
static const double SMALL_BITS = 2e7;
enum { TICK_MS = 50 };

bool pool_takes(const struct el_plan *plan, const struct el_task *task)
{
	const double bits = (double)task->slice.game->measure(&task->slice).bits;
	return !task->partial && !task->scratch && task->bytes <= plan->memory &&
	       bits * task->slice.planes <= SMALL_BITS;
}

size_t pool_size(const struct el_plan *plan, size_t threads)
{
	size_t small = 0;
	for (size_t i = 0; i < plan->count; i++)
		small += pool_takes(plan, &plan->tasks[i]);
	return small < 2 || threads < 2 ? 1 : small < threads ? small : threads;
}

/* ---- progress of the whole build ---- */

/* The time left is the time planned for the remaining tables, times the factor by which finished
   tables have exceeded their plan. */

/* The factor counts so much more as made on time: the first tables say little about the others. */
static const double TRUST_SECONDS = 10;
static const double RATE_SECONDS = 0.3; /* a rate over less time means nothing */

const char *table_name(const struct el_task *task, char out[TABLE_NAME_MAX])
{
	snprintf(out, TABLE_NAME_MAX, "%s %s", task->slice.name, task->metric->name);
	return out;
}

double overall_share(const struct builder *b, const struct el_task *task)
{
	const bool beside = b->work_count > 1 && pool_takes(b->plan, task);
	return task->seconds / (beside ? (double)b->work_count : 1);
}

/* The table in progress that began first; null: none is. */
static const struct work *first_work(const struct builder *b)
{
	const struct work *first = NULL;
	for (const struct work *w = b->works; w < b->works + b->work_count; w++)
		if (w->lock && (!first || w->began < first->began))
			first = w;
	return first;
}

/* Fills in the progress of the whole build. out->table points to `table`. */
static void overall_of(struct builder *b, char table[TABLE_NAME_MAX], struct el_overall *out)
{
	const double now = clock_seconds();
	const struct work *first = first_work(b);
	/* A table in progress counts as done in proportion to its time, but never as finished. */
	const double pace = (b->finished - b->began + TRUST_SECONDS) / (b->made + TRUST_SECONDS);
	const double rest = b->expected - b->made;
	double begun = 0;
	for (size_t i = 0; i < b->work_count; i++)
		if (b->works[i].lock)
			begun += overall_share(b, b->works[i].built.task);
	const double least = (rest - begun) * pace, left = rest * pace - (now - b->finished);
	*out = (struct el_overall){
		.table = table,
		.at_once = b->busy,
		.done = b->done,
		.of = b->plan->count,
		.seconds = now - b->began,
		.left = b->expected <= 0 ? -1
	                : left > least   ? left
	                                 : least,
	};
	*table = '\0';
	if (!first)
		return;
	table_name(first->built.task, table);
	pthread_mutex_lock(&b->lock);
	for (size_t i = 0; i < b->work_count; i++) {
		const struct work *w = &b->works[i];
		const double seconds = now - w->since;
		if (w->lock && w->last.stage && first->last.stage &&
		    !strcmp(w->last.stage, first->last.stage) && seconds >= RATE_SECONDS)
			out->rate += (w->last.done - w->first) / seconds;
	}
	pthread_mutex_unlock(&b->lock);
}

/* ---- the watch ---- */

void builder_tell(const struct builder *b, enum el_meeting what, const struct el_task *task,
                  const char *who)
{
	if (b->options->met)
		b->options->met(b->options->context, &(struct el_met){what, task, who});
}

bool builder_tick(struct builder *b, const struct el_progress *progress)
{
	struct el_progress all = *progress;
	struct el_overall overall;
	char table[TABLE_NAME_MAX];
	overall_of(b, table, &overall);
	if (!*table) /* no table has begun yet */
		snprintf(table, sizeof table, "%s", progress->what);
	if (b->plan->count > 1)
		all.overall = &overall;
	if (!atomic_load(&b->stopping) && !el_watch_tick(b->watch, &all))
		atomic_store(&b->stopping, true);
	return !atomic_load(&b->stopping);
}

int work_tick(void *context, const struct el_progress *progress)
{
	struct work *w = context;
	struct builder *b = w->builder;
	if (progress && progress->stage) {
		pthread_mutex_lock(&b->lock);
		if (!w->last.stage || strcmp(w->last.stage, progress->stage)) {
			w->since = clock_seconds();
			w->first = progress->done;
		}
		w->last = *progress;
		w->last.what = NULL;
		pthread_mutex_unlock(&b->lock);
	}
	return progress && !w->is_apart ? builder_tick(b, progress) : !atomic_load(&b->stopping);
}

/* ---- threads ---- */

static void *make_apart(void *context)
{
	struct work *w = context;
	omp_set_num_threads(1);
	work_make(w);
	pthread_mutex_lock(&w->builder->lock);
	w->done = true;
	pthread_cond_signal(&w->builder->ready);
	pthread_mutex_unlock(&w->builder->lock);
	return NULL;
}

enum el_status pool_start(struct work *w, struct el_error *error)
{
	const int reason = pthread_create(&w->thread, NULL, make_apart, w);
	return reason ? el_fail(error, EL_MEMORY, "%s: cannot start a thread: %s",
	                        w->built.task->slice.name, strerror(reason))
	              : EL_OK;
}

void pool_wait(struct builder *b, bool all)
{
	pthread_mutex_lock(&b->lock);
	for (;;) {
		size_t done = 0;
		for (size_t i = 0; i < b->work_count; i++)
			done += b->works[i].lock && b->works[i].done;
		if (done >= (all ? b->busy : 1))
			break;
		if (wait_ms(&b->ready, &b->lock, TICK_MS))
			continue;
		/* report the progress of the work that began first */
		char what[TABLE_NAME_MAX];
		const struct work *first = first_work(b);
		struct el_progress progress = first->last;
		pthread_mutex_unlock(&b->lock);
		progress.what = table_name(first->built.task, what);
		progress.stage = progress.stage ? progress.stage : "building";
		builder_tick(b, &progress);
		pthread_mutex_lock(&b->lock);
	}
	pthread_mutex_unlock(&b->lock);
}
