/* SPDX-License-Identifier: MIT */
/* Outcomes that a table of plies leaves to another table of its slice (EL_DERIVE_OUTCOMES). */
#include "core/library/visit.h"
#include "core/planes/planes.h"
#include "core/table/table.h"
#include "whole.h"

#include <stdlib.h>

const struct el_metric *outcomes_teller(struct el_library *library, const struct el_slice *slice,
                                        const struct el_metric *metric)
{
	const struct visit visit = library_enter(library);
	const struct el_source *source =
		catalogue_answering(catalogue_route(visit.catalogue, slice->game, slice->key),
	                            el_metric_entered(metric));
	const bool tells = source && !source->partial && source->metric != metric;
	const struct el_metric *found = tells ? source->metric : NULL;
	library_leave(visit);
	return found;
}

enum el_status outcomes_check(struct el_library *library, const struct el_planes *planes,
                              struct el_error *error)
{
	const struct el_slice *slice = &planes->slice;
	const enum el_status status = el_outcomes_check(slice, planes->metric, error);
	if (status || outcomes_teller(library, slice, planes->metric))
		return status;
	return el_fail(error, EL_NEGATIVE,
	               "%s: outcomes cannot be left out without another table of it that tells %s",
	               slice->name, el_metric_entered(planes->metric)->name);
}

/* EL_BROKEN if the outcome cannot have these plies. A win may be one that a zeroing move keeps, with
   whatever is stored. */
static struct el_value join(const struct el_metric *metric, struct el_value outcome,
                            struct el_value stored)
{
	if (outcome.outcome == EL_BROKEN || outcome.outcome == EL_DRAW)
		return outcome;
	const struct el_value v = table_told(metric, outcome, stored);
	const bool is_kept = v.outcome == EL_BROKEN && outcome.outcome > EL_DRAW;
	return is_kept ? (struct el_value){.outcome = outcome.outcome, .plies = 1} : v;
}

static enum el_status join_plane(struct el_planes *planes, unsigned plane,
                                 const struct el_plane *outcomes, const char *path,
                                 struct el_error *error)
{
	struct el_plane *to = &planes->plane[plane];
	struct el_plane joined = {.symbols = to->symbols};
	const size_t count = to->value_count, pairs = outcomes->value_count * count;
	const uint64_t positions = planes->slice.positions;
	/* by pair of symbols */
	uint16_t *symbol = calloc(pairs, sizeof *symbol);
	bool *occurs = calloc(pairs, sizeof *occurs);
	enum el_status status = EL_OK;
	el_plane_add_value(&joined, (struct el_value){.outcome = EL_BROKEN});
	if (!symbol || !occurs || !joined.values)
		status = el_fail(error, EL_MEMORY, "%s: out of memory", path);
	for (uint64_t i = 0; i < positions && !status; i++)
		occurs[outcomes->symbols[i] * count + to->symbols[i]] = true;
	for (size_t pair = count; pair < pairs && !status;
	     pair++) { /* the first outcome is broken */
		const struct el_value v = join(planes->metric, outcomes->values[pair / count],
		                               to->values[pair % count]);
		uint32_t found = 1;
		if (!occurs[pair])
			continue;
		if (v.outcome == EL_BROKEN) {
			status = el_fail(error, EL_DAMAGED,
			                 "%s: found a depth that its outcome cannot have", path);
			break;
		}
		while (found < joined.value_count && !el_value_equal(joined.values[found], v))
			found++;
		symbol[pair] = found < joined.value_count ? (uint16_t)found
		                                          : el_plane_add_value(&joined, v);
		if (!symbol[pair])
			status = el_fail(error, EL_MEMORY, "%s: no room for one more value", path);
	}
#pragma omp parallel for schedule(static)
	for (uint64_t i = 0; i < (status ? 0 : positions); i++)
		joined.symbols[i] = symbol[outcomes->symbols[i] * count + to->symbols[i]];
	free(symbol);
	free(occurs);
	if (status) {
		free(joined.values);
		return status;
	}
	free(to->values);
	*to = joined;
	return el_plane_canonical(to, positions, error);
}

enum el_status outcomes_join(struct el_library *library, struct el_planes *planes, const char *path,
                             unsigned kept, const struct el_watch *watch, struct el_planes *told,
                             struct el_error *error)
{
	const struct el_slice *slice = &planes->slice;
	const struct el_metric *entered = el_metric_entered(planes->metric);
	const struct el_metric *from = outcomes_teller(library, slice, planes->metric);
	*told = (struct el_planes){0};
	if (!from)
		return el_fail(
			error, EL_NEGATIVE,
			"%s: it leaves outcomes to a table of %s that tells %s, and there is "
			"none",
			path, slice->name, entered->name);
	enum el_status status =
		el_library_planes_from(library, slice, from, entered, watch, told, error);
	if (status) {
		*told = (struct el_planes){0};
		return status;
	}
	el_planes_mark_broken(told);
	for (unsigned p = 0; p < slice->planes && !status; p++)
		if (kept >> p & 1)
			status = join_plane(planes, p, &told->plane[p], path, error);
	told->metric = planes->metric;
	for (unsigned p = 0; p < slice->planes; p++)
		for (uint32_t s = 1; s < told->plane[p].value_count; s++)
			told->plane[p].values[s].plies =
				told->plane[p].values[s].outcome != EL_DRAW;
	return status;
}
