/* SPDX-License-Identifier: MIT */
/*
 * Verifies tables one after the other or side by side. A slice of few positions is not worth
 * dividing among threads, so consecutive small slices in the list are verified one per thread.
 */
#include "core/library/copies.h"
#include "core/solve/memory.h"
#include "core/whole/sweep.h"
#include "verify.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	DIVISIBLE =
		64, /* chunks for each thread: with fewer, a slice is not divided among threads */
	TICK_MS = 50,
};

/* The state of a task. */
struct slot {
	struct set *set;
	_Atomic double share;                      /* the share that is done, 0 to 1 */
	_Atomic(struct el_verify_result *) result; /* owned; null: not done, or reported */
};

struct set {
	struct el_library *library;
	const struct el_verify_task *tasks;
	size_t count;
	const struct el_verify_options *options;
	uint64_t memory;
	const struct el_watch *watch;
	void (*done)(void *, const struct el_verify_result *);
	void *context;
	struct slot *slots; /* by task; owned */
	double positions;   /* of all tasks */
	size_t told;        /* results before this one have been reported */
	atomic_size_t next; /* of a batch: the first task that no thread has taken */
	atomic_size_t finished;
	atomic_bool stopped, is_short; /* of memory */
	pthread_t caller;              /* only this thread calls the watch and `done` */
};

/* ---- progress ---- */

static double positions_of(const struct el_verify_task *task)
{
	return task->metric ? (double)task->slice.positions * task->slice.planes : 1;
}

/* On the caller's thread. */
static bool report(struct set *set)
{
	char what[EL_SLICE_MAX + 32];
	double done = 0;
	for (size_t i = 0; i < set->count; i++)
		done += positions_of(&set->tasks[i]) * atomic_load(&set->slots[i].share);
	snprintf(what, sizeof what, "%zu of %zu tables", atomic_load(&set->finished), set->count);
	const struct el_progress progress = {"verifying", what, done, set->positions,
	                                     .unit = "positions"};
	if (!el_watch_tick(set->watch, &progress))
		atomic_store(&set->stopped, true);
	return !atomic_load(&set->stopped);
}

/* Other stages than these two do not count: they are short, or their numbers are not
   comparable. */
static int follow(void *context, const struct el_progress *progress)
{
	struct slot *slot = context;
	struct set *set = slot->set;
	const bool counts =
		progress && progress->stage && progress->total > 0 &&
		(!strcmp(progress->stage, "verifying") || !strcmp(progress->stage, "sampling"));
	if (counts)
		atomic_store(&slot->share, progress->done / progress->total);
	if (!pthread_equal(pthread_self(), set->caller))
		return !atomic_load(&set->stopped);
	if (set->count > 1)
		return report(set);
	if (!el_watch_tick(set->watch, progress))
		atomic_store(&set->stopped, true);
	return !atomic_load(&set->stopped);
}

/* ---- tasks ---- */

static void run_task(struct set *set, size_t i)
{
	struct slot *slot = &set->slots[i];
	const struct el_watch watch = {slot, follow};
	struct el_verify_result *result = malloc(sizeof *result);
	if (result) {
		verify_one(set->library, &set->tasks[i], set->options, set->memory, &watch, NULL,
		           result);
		result->task = i;
	}
	if (!result)
		atomic_store(&set->is_short, true);
	if (!result || result->status == EL_STOPPED)
		atomic_store(&set->stopped, true);
	else
		atomic_fetch_add(&set->finished, 1);
	atomic_store(&slot->share, 1);
	atomic_store(&slot->result, result);
}

/* On the caller's thread: reports the results that are ready, in order, up to a stopped task. */
static void tell(struct set *set)
{
	struct el_verify_result *result;
	while (set->told < set->count && (result = atomic_load(&set->slots[set->told].result)) &&
	       result->status != EL_STOPPED) {
		set->done(set->context, result);
		atomic_store(&set->slots[set->told++].result, NULL);
		free(result);
	}
}

static bool is_small(const struct set *set, size_t i)
{
	const struct el_verify_task *t = &set->tasks[i];
	return t->metric && !set->options->sample && !set->options->ranks &&
	       t->slice.positions * t->slice.planes <
	               (uint64_t)SWEEP_CHUNK * DIVISIBLE * sweep_threads();
}

/* Runs in a parallel region, where each task gets only one thread. */
static void take_tasks(struct set *set, size_t end, atomic_int *working)
{
	const bool is_caller = pthread_equal(pthread_self(), set->caller);
	size_t i;
	omp_set_num_threads(1);
	while (!atomic_load(&set->stopped) && (i = atomic_fetch_add(&set->next, 1)) < end) {
		run_task(set, i);
		if (is_caller)
			tell(set);
	}
	atomic_fetch_sub(working, 1);
	while (is_caller && atomic_load(working)) {
		report(set);
		tell(set);
		usleep(1000 * TICK_MS);
	}
}

static void run_batch(struct set *set, size_t first, size_t end)
{
	uint64_t most = 1;
	for (size_t i = first; i < end; i++) {
		const uint64_t bytes =
			verify_bytes(&set->tasks[i].slice, set->tasks[i].metric, true);
		most = bytes > most ? bytes : most;
	}
	/* so many fit into memory side by side if each is as large as the largest */
	const uint64_t fit = set->memory / most, threads = sweep_threads();
	const uint64_t least = fit < threads ? fit : threads;
	const int width = least < end - first ? (int)least + !least : (int)(end - first);
	atomic_int working = width;
	atomic_store(&set->next, first);
#pragma omp parallel num_threads(width)
	{
#pragma omp single
		atomic_store(&working, omp_get_num_threads());
		take_tasks(set, end, &working);
	}
	tell(set);
}

/* ---- all of them ---- */

/* Names the first table that was not finished. */
static enum el_status stopped(const struct set *set, struct el_error *error)
{
	const struct el_verify_task *t = &set->tasks[set->told];
	const struct el_verify_result *r = atomic_load(&set->slots[set->told].result);
	const struct el_metric *metric = r ? r->metric : t->metric;
	if (metric)
		return el_fail(error, EL_STOPPED, "%s %s: stopped",
		               r ? r->slice.name : t->slice.name, metric->name);
	return el_fail(error, EL_STOPPED, "%s: stopped", t->path);
}

enum el_status el_verify_tables(struct el_library *library, const struct el_verify_task *tasks,
                                size_t count, const struct el_verify_options *options,
                                const struct el_watch *watch,
                                void (*done)(void *, const struct el_verify_result *),
                                void *context, struct el_error *error)
{
	struct set set = {
		.library = library,
		.tasks = tasks,
		.count = count,
		.options = options,
		.memory = options->memory ? options->memory : memory_of_machine() / 4 * 3,
		.watch = watch,
		.done = done,
		.context = context,
		.slots = calloc(count + 1, sizeof *set.slots),
		.caller = pthread_self(),
	};
	if (!set.slots)
		return el_fail(error, EL_MEMORY, "%zu tables: out of memory", count);
	for (size_t i = 0; i < count; i++) {
		set.slots[i].set = &set;
		set.positions += positions_of(&tasks[i]);
	}
	size_t end;
	copies_hold(library_copies(library)); /* what one table's proof makes serves the next */
	for (size_t i = 0; i < count && !atomic_load(&set.stopped); i = end) {
		end = i + 1;
		while (is_small(&set, i) && end < count && is_small(&set, end))
			end++;
		if (end == i + 1)
			run_task(&set, i);
		else
			run_batch(&set, i, end);
		tell(&set);
		if (end < count && count > 1)
			report(&set);
	}
	copies_let_go(library_copies(library));
	enum el_status status = EL_OK;
	if (atomic_load(&set.is_short))
		status = el_fail(error, EL_MEMORY, "%zu tables: out of memory", count);
	else if (set.told < count)
		status = stopped(&set, error);
	for (size_t i = 0; i < count; i++)
		free(atomic_load(&set.slots[i].result));
	free(set.slots);
	return status;
}
