/* SPDX-License-Identifier: MIT */
/* Measures how often caches of several sizes have a block, and what several threads make of one. */
#include "core/probe/probe.h"
#include "probes.h"
#include "timing.h"

#include <math.h>
#include <omp.h>

enum { LOOK_EACH = 16 }; /* probes between two readings of the clock */

/* Probes position number `i` of the list. */
static enum el_status ask(const struct entrant *e, struct el_library *library, size_t i,
                          struct el_error *error)
{
	const struct el_lab_setup *setup = e->run->setup;
	struct el_value value;
	return el_library_value(library, setup->slice.game, &e->run->list.positions[i],
	                        setup->metric, EL_PROBE_FULL, &value, error);
}

/* The probes that `threads` threads make in so many seconds, each from its own place in the part of
   the list whose blocks are in memory. The first thread reports. */
static enum el_status run_threads(struct entrant *e, unsigned threads, double seconds,
                                  double *per_second, struct el_error *error)
{
	enum { LOOK_HOT = 64 };
	const double start = clock_seconds();
	enum el_status status = EL_OK;
	uint64_t made = 0;
#pragma omp parallel num_threads(threads) reduction(+ : made)
	{
		const size_t count = e->in_memory;
		size_t at = count * (unsigned)omp_get_thread_num() / threads;
		struct el_error one_error;
		enum el_status one = EL_OK;
		while (!one && (made % LOOK_HOT || clock_seconds() - start < seconds)) {
			one = ask(e, e->library, at, &one_error);
			at = at + 1 < count ? at + 1 : 0;
			made++;
		}
		if (one)
#pragma omp critical(lab_threads)
			status = el_fail(error, one, "%s", one_error.text);
	}
	*per_second = (double)made / (clock_seconds() - start);
	return status;
}

enum el_status threads_measure(struct entrant *e, struct el_error *error)
{
	const unsigned most = (unsigned)omp_get_max_threads();
	const unsigned points[EL_LAB_RATES] = {1, 2, most / 2, most};
	struct el_lab_rate *rates = e->result.rates;
	enum el_status status = EL_OK;
	unsigned n = 0, last = 0;
	/* The turns before this have dropped blocks. */
	for (size_t i = 0; i < e->in_memory && !status; i++)
		status = ask(e, e->library, i, error);
	for (unsigned i = 0; i < EL_LAB_RATES && !status && e->in_memory; i++) {
		if (points[i] <= last || points[i] > most)
			continue;
		status = pace_tick(&e->run->pace, "probes by threads", error);
		rates[n].threads = last = points[i];
		if (!status)
			status = run_threads(e, last, e->run->setup->seconds / EL_LAB_RATES,
			                     &rates[n++].per_second, error);
	}
	return status;
}

enum el_status budgets_measure(struct entrant *e, struct el_error *error)
{
	const double low = e->block_bytes ? (double)e->block_bytes : 1;
	const double high = fmax(low, (double)candidate_decoded_bytes(e->run));
	enum el_status status = EL_OK;
	for (unsigned i = 0; i < EL_LAB_BUDGETS && !status; i++) {
		const double share = (double)i / (EL_LAB_BUDGETS - 1);
		struct el_hit_rate *out = &e->result.hits[i];
		struct el_cache_counters counters;
		struct el_library *library;
		*out = (struct el_hit_rate){.budget = (uint64_t)ceil(low * pow(high / low, share))};
		status = pace_tick(&e->run->pace, "trying cache sizes", error);
		const double end = clock_seconds() + e->run->setup->seconds / EL_LAB_BUDGETS;
		if (!status)
			status = probes_library(e, (size_t)out->budget, &library, error);
		if (status)
			break;
		for (; out->probes < e->run->list.count && !status; out->probes++) {
			if (out->probes % LOOK_EACH == LOOK_EACH - 1 && clock_seconds() > end)
				break;
			status = ask(e, library, out->probes, error);
		}
		el_library_counters(library, &counters);
		const uint64_t wanted = counters.hits + counters.misses;
		out->rate = wanted ? (double)counters.hits / (double)wanted : 1;
		el_library_close(library);
	}
	return status;
}
