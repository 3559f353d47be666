/* SPDX-License-Identifier: MIT */
#include "sweep.h"

#include "core/base/clock.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>

enum { TICK_MS = 100 };

unsigned sweep_threads(void)
{
	int threads = omp_get_max_threads();
	return threads > 0 ? (unsigned)threads : 1;
}

/* What the threads of one walk share. */
struct walk {
	const struct sweep *sweep;
	struct el_error *error;
	atomic_uint_fast64_t next; /* the first index that no thread has taken */
	atomic_int status;
	uint64_t size;  /* of a chunk */
	uint64_t each;  /* positions of an item */
	int64_t ticked; /* milliseconds; only for the caller's thread */
};

static void end_walk(struct walk *w, enum el_status status, const struct el_error *why)
{
	int none_yet = EL_OK;
	if (atomic_compare_exchange_strong(&w->status, &none_yet, (int)status))
		el_fail(w->error, status, "%s", why->text);
}

static void report(struct walk *w)
{
	int64_t now = (int64_t)(clock_ns() / 1000000);
	if (now - w->ticked < TICK_MS)
		return;
	w->ticked = now;
	const struct sweep *s = w->sweep;
	const uint64_t taken = atomic_load(&w->next);
	char what[EL_SLICE_MAX + 16];
	snprintf(what, sizeof what, "%s%s%s", s->slice->name, s->metric ? " " : "",
	         s->metric ? s->metric->name : "");
	const double each = (double)w->each;
	const struct el_progress progress = {
		s->stage, what, each * (double)(s->before + (taken < s->count ? taken : s->count)),
		each * (double)s->total, .unit = "positions"};
	if (el_watch_tick(s->watch, &progress))
		return;
	struct el_error stopped;
	el_fail(&stopped, EL_STOPPED, "%s: stopped", what);
	end_walk(w, EL_STOPPED, &stopped);
}

static void walk_chunks(struct walk *w)
{
	const struct sweep *s = w->sweep;
	const unsigned thread = (unsigned)omp_get_thread_num();
	const uint64_t size = w->size;
	for (;;) {
		if (thread == 0)
			/* before the first chunk, since the other threads may take all chunks */
			report(w);
		if (atomic_load(&w->status))
			return;
		uint64_t first = atomic_fetch_add(&w->next, size);
		if (first >= s->count)
			return;
		uint64_t rest = s->count - first;
		struct el_error error;
		enum el_status status = s->chunk(s->context, thread, first,
		                                 first + (rest < size ? rest : size), &error);
		if (status)
			end_walk(w, status, &error);
	}
}

static enum el_status run(struct walk *w)
{
#pragma omp parallel
	walk_chunks(w);
	return (enum el_status)atomic_load(&w->status);
}

/* ticked: long ago, so that the first chunk reports */
enum el_status sweep_run(const struct sweep *sweep, struct el_error *error)
{
	return run(&(struct walk){.sweep = sweep, .error = error, .size = SWEEP_CHUNK, .each = 1});
}

enum el_status sweep_sections(const struct sweep *sweep, uint64_t each, struct el_error *error)
{
	return run(&(struct walk){.sweep = sweep, .error = error, .size = 1, .each = each});
}
