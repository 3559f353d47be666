/* SPDX-License-Identifier: MIT */
/* Measures how often caches of several sizes have a block. */
#include "core/probe/probe.h"
#include "probes.h"
#include "timing.h"

#include <math.h>

enum { LOOK_EACH = 16 }; /* probes between two readings of the clock */

enum el_status budgets_measure(struct entrant *e, struct el_error *error)
{
	const struct el_lab_setup *setup = e->run->setup;
	const struct workload *list = &e->run->list;
	const double low = e->block_bytes ? (double)e->block_bytes : 1;
	const double high = fmax(low, (double)candidate_decoded_bytes(e->run));
	enum el_status status = EL_OK;
	for (unsigned i = 0; i < EL_LAB_BUDGETS && !status; i++) {
		const double share = (double)i / (EL_LAB_BUDGETS - 1);
		struct el_hit_rate *out = &e->result.hits[i];
		struct el_cache_counters counters;
		struct el_library *library;
		struct el_value value;
		*out = (struct el_hit_rate){.budget = (uint64_t)ceil(low * pow(high / low, share))};
		status = pace_tick(&e->run->pace, "trying cache sizes", error);
		const double end = clock_seconds() + setup->seconds / EL_LAB_BUDGETS;
		if (!status)
			status = probes_library(e, (size_t)out->budget, &library, error);
		if (status)
			break;
		for (; out->probes < list->count && !status; out->probes++) {
			if (out->probes % LOOK_EACH == LOOK_EACH - 1 && clock_seconds() > end)
				break;
			status = el_library_value(library, setup->slice.game,
			                          &list->positions[out->probes], setup->metric,
			                          EL_PROBE_FULL, &value, error);
		}
		el_library_counters(library, &counters);
		const uint64_t wanted = counters.hits + counters.misses;
		out->rate = wanted ? (double)counters.hits / (double)wanted : 1;
		el_library_close(library);
	}
	return status;
}
