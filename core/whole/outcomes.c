/* SPDX-License-Identifier: MIT */
/* Outcomes that a table of plies leaves to another table of its slice (EL_DERIVE_OUTCOMES). */
#include "core/library/visit.h"
#include "core/planes/planes.h"
#include "core/table/table.h"
#include "whole.h"

#include <stdlib.h>

/* The metric of the table that tells the outcomes; null: there is none. */
static const struct el_metric *teller(struct el_library *library, const struct el_slice *slice,
                                      const struct el_metric *entered)
{
	const struct visit visit = library_enter(library);
	const struct el_source *source = catalogue_answering(
		catalogue_route(visit.catalogue, slice->game, slice->key), entered);
	const struct el_metric *metric = source && !source->partial ? source->metric : NULL;
	library_leave(visit);
	return metric;
}

enum el_status outcomes_check(struct el_library *library, const struct el_planes *planes,
                              struct el_error *error)
{
	const struct el_slice *slice = &planes->slice;
	const struct el_metric *entered = el_metric_entered(planes->metric);
	const enum el_status status = el_outcomes_check(slice, planes->metric, error);
	if (status || teller(library, slice, entered))
		return status;
	return el_fail(error, EL_NEGATIVE,
	               "%s: outcomes cannot be left out without a table of it that tells %s",
	               slice->name, entered->name);
}

/* The value that an outcome and stored plies make: EL_BROKEN if there is none. A win may be one that a
   zeroing move keeps, with any plies. */
static struct el_value join(const struct el_metric *metric, struct el_value outcome,
                            struct el_value stored)
{
	struct el_value v = {.outcome = outcome.outcome, .plies = stored.plies};
	if (v.outcome == EL_BROKEN || v.outcome == EL_DRAW)
		return outcome;
	if (v.outcome > EL_DRAW && (!v.plies || !el_metric_has_value(metric, v)))
		v.plies = 1;
	if (stored.outcome == EL_BROKEN || !el_metric_has_value(metric, v))
		v = (struct el_value){.outcome = EL_BROKEN};
	return v;
}

static enum el_status join_plane(struct el_planes *planes, unsigned plane,
                                 const struct el_plane *outcomes, bool kept, const char *path,
                                 struct el_error *error)
{
	static const struct el_value one = {.outcome = EL_LOSS, .plies = 1};
	struct el_plane *to = &planes->plane[plane];
	struct el_plane joined = {.symbols = to->symbols};
	const uint32_t count = kept ? to->value_count : 1;
	uint16_t *symbol = calloc((size_t)outcomes->value_count * count, sizeof *symbol);
	bool *occurs = calloc((size_t)outcomes->value_count * count, sizeof *occurs);
	const uint64_t positions = planes->slice.positions;
	enum el_status status = EL_OK;
	el_plane_add_value(&joined, (struct el_value){.outcome = EL_BROKEN});
	if (!symbol || !occurs || !joined.values)
		status = el_fail(error, EL_MEMORY, "%s: out of memory", path);
#pragma omp parallel for schedule(static)
	for (uint64_t i = 0; i < (status ? 0 : positions); i++)
		occurs[outcomes->symbols[i] * count + (kept ? to->symbols[i] : 0)] = true;
	for (uint32_t o = 1; o < outcomes->value_count && !status; o++)
		for (uint32_t s = 0; s < count && !status; s++) {
			const struct el_value v = join(planes->metric, outcomes->values[o],
			                               kept ? to->values[s] : one);
			uint16_t found = 1;
			if (!occurs[o * count + s])
				continue;
			if (v.outcome == EL_BROKEN) {
				status = el_fail(error, EL_DAMAGED,
				                 "%s: found a depth that its outcome cannot have",
				                 path);
				break;
			}
			while (found < joined.value_count &&
			       !el_value_equal(joined.values[found], v))
				found++;
			symbol[o * count + s] =
				found < joined.value_count ? found : el_plane_add_value(&joined, v);
		}
#pragma omp parallel for schedule(static)
	for (uint64_t i = 0; i < (status ? 0 : positions); i++)
		joined.symbols[i] =
			symbol[outcomes->symbols[i] * count + (kept ? to->symbols[i] : 0)];
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
                             unsigned kept, const struct el_watch *watch, struct el_error *error)
{
	const struct el_slice *slice = &planes->slice;
	const struct el_metric *entered = el_metric_entered(planes->metric);
	const struct el_metric *from = teller(library, slice, entered);
	struct el_planes outcomes;
	if (!from)
		return el_fail(
			error, EL_NEGATIVE,
			"%s: it leaves outcomes to a table of %s that tells %s, and there is "
			"none",
			path, slice->name, entered->name);
	enum el_status status =
		el_library_planes_from(library, slice, from, entered, watch, &outcomes, error);
	if (status)
		return status;
	el_planes_mark_broken(&outcomes);
	for (unsigned p = 0; p < slice->planes && !status; p++)
		status = join_plane(planes, p, &outcomes.plane[p], kept >> p & 1, path, error);
	el_planes_free(&outcomes);
	return status;
}
