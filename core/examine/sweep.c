/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep.h"

#include "../clock.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { TICK_MS = 100 };

unsigned sweep_threads(void)
{
	int threads = omp_get_max_threads();
	return threads > 0 ? (unsigned)threads : 1;
}

/* What the threads of one walk share. */
struct walk {
	const struct sweep *sweep;
	atomic_uint_fast64_t next; /* the first index that nobody has taken */
	atomic_bool stopped;
	int64_t ticked;            /* milliseconds; of the caller's thread alone */
};

static void report(struct walk *w)
{
	int64_t now = (int64_t)(clock_ns() / 1000000);
	if (now - w->ticked < TICK_MS)
		return;
	w->ticked = now;
	uint64_t taken = atomic_load(&w->next);
	struct el_progress progress = w->sweep->progress;
	progress.done += (double)(taken < w->sweep->count ? taken : w->sweep->count);
	if (!el_watch_tick(w->sweep->watch, &progress))
		atomic_store(&w->stopped, true);
}

static void walk_chunks(struct walk *w)
{
	const struct sweep *s = w->sweep;
	unsigned thread = (unsigned)omp_get_thread_num();
	for (;;) {
		if (thread == 0)
			report(w); /* before the first chunk: others may have taken them all by then */
		if (atomic_load(&w->stopped))
			return;
		uint64_t first = atomic_fetch_add(&w->next, SWEEP_CHUNK);
		if (first >= s->count)
			return;
		uint64_t rest = s->count - first;
		s->chunk(s->context, thread, first, first + (rest < SWEEP_CHUNK ? rest : SWEEP_CHUNK));
	}
}

enum el_status sweep_run(const struct sweep *sweep, struct el_error *error)
{
	struct walk w = {.sweep = sweep}; /* ticked: long ago, so the first chunk reports */
#pragma omp parallel
	walk_chunks(&w);
	if (atomic_load(&w.stopped))
		return el_fail(error, EL_STOPPED, "stopped while %s %s", sweep->progress.stage,
		               sweep->progress.what);
	return EL_OK;
}
