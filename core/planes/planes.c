/* SPDX-License-Identifier: MIT */
#include "planes.h"

#include "core/base/course.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void el_planes_free(struct el_planes *planes)
{
	planes_drop_courses(planes);
	for (int i = 0; i < 2; i++) {
		free(planes->plane[i].symbols);
		free(planes->plane[i].values);
		if (planes->reader && planes->plane[i].derivable)
			munmap(planes->plane[i].derivable, planes->slice.positions);
		else
			free(planes->plane[i].derivable);
		planes->plane[i] = (struct el_plane){0};
	}
	if (planes->reader && planes->reader->close)
		planes->reader->close(planes->reader->context);
	planes->reader = NULL;
}

bool el_planes_partial(const struct el_planes *planes)
{
	for (unsigned i = 0; i < planes->slice.planes; i++)
		for (uint32_t s = 0; s < planes->plane[i].value_count; s++)
			if (el_value_bounded(planes->metric, planes->plane[i].values[s]))
				return true;
	return false;
}

bool el_planes_late(const struct el_planes *planes)
{
	for (unsigned i = 0; i < planes->slice.planes; i++)
		for (uint32_t s = 0; s < planes->plane[i].value_count; s++)
			if (planes->plane[i].values[s].outcome == EL_CURSED_WIN ||
			    planes->plane[i].values[s].outcome == EL_BLESSED_LOSS)
				return true;
	return false;
}

/* A symbol and its value, for sorting. */
struct meaning {
	struct el_value value;
	uint32_t symbol;
};

/* Broken first, then decided values, then bounds, then draws. */
static int chapter(struct el_value v)
{
	if (v.outcome == EL_BROKEN)
		return 0;
	return v.outcome == EL_DRAW ? 3 : el_outcome_bounded(v.outcome) ? 2 : 1;
}

/* The order in which the solver decides them: by plies, and a loss before a win in as many. */
static int meaning_order(const void *a, const void *b)
{
	struct el_value x = ((const struct meaning *)a)->value;
	struct el_value y = ((const struct meaning *)b)->value;
	if (chapter(x) != chapter(y))
		return chapter(x) - chapter(y);
	if (x.plies != y.plies)
		return x.plies - y.plies;
	if (x.phase != y.phase || x.outcome != y.outcome)
		return x.phase != y.phase ? x.phase - y.phase : x.outcome - y.outcome;
	return x.rounded - y.rounded;
}

uint16_t el_plane_add_value(struct el_plane *plane, struct el_value value)
{
	if (plane->value_count > UINT16_MAX)
		return 0;
	struct el_value *more =
		realloc(plane->values, (plane->value_count + 1) * sizeof *plane->values);
	if (!more)
		return 0;
	plane->values = more;
	more[plane->value_count] = value;
	return (uint16_t)plane->value_count++;
}

enum el_status plane_order_values(struct el_plane *plane, const bool *occurs, uint16_t *renamed,
                                  struct el_error *error)
{
	const size_t n = plane->value_count;
	struct meaning *meanings = malloc((n + 1) * sizeof *meanings);
	struct el_value *values = malloc((n + 1) * sizeof *values);
	if (!meanings || !values) {
		free(meanings);
		free(values);
		return el_fail(error, EL_MEMORY, "out of memory for %zu values", n);
	}
	uint32_t count = 0, last = 0;
	for (uint32_t s = 0; s < n; s++)
		if (occurs[s])
			meanings[count++] = (struct meaning){plane->values[s], s};
	qsort(meanings, count, sizeof *meanings, meaning_order);
	memset(renamed, 0, n * sizeof *renamed);
	values[0] = (struct el_value){.outcome = EL_BROKEN};
	for (uint32_t i = 0; i < count; i++) { /* merges equal values */
		const struct el_value v = meanings[i].value;
		if (v.outcome != EL_BROKEN &&
		    (!el_value_equal(v, values[last]) || v.rounded != values[last].rounded))
			values[++last] = v;
		renamed[meanings[i].symbol] = (uint16_t)last;
	}
	free(meanings);
	free(plane->values);
	plane->values = values;
	plane->value_count = last + 1;
	return EL_OK;
}

enum el_status el_plane_canonical(struct el_plane *plane, uint64_t positions,
                                  struct el_error *error)
{
	const size_t n = plane->value_count;
	bool *occurs = calloc(n + 1, sizeof *occurs);
	uint16_t *renamed = malloc((n + 1) * sizeof *renamed);
	enum el_status status =
		occurs && renamed ? EL_OK
				  : el_fail(error, EL_MEMORY, "out of memory for %zu values", n);
	for (uint64_t i = 0; i < positions && !status; i++)
		occurs[plane->symbols[i]] = true;
	if (!status)
		status = plane_order_values(plane, occurs, renamed, error);
	for (uint64_t i = 0; i < positions && !status; i++)
		plane->symbols[i] = renamed[plane->symbols[i]];
	free(occurs);
	free(renamed);
	return status;
}

enum el_status el_planes_read(const struct el_planes *in, const struct el_metric *metric,
                              struct el_planes *out, struct el_error *error)
{
	*out = (struct el_planes){
		.slice = in->slice,
		.metric = metric,
		.rounded = in->rounded && metric->has_depth,
		.origin = in->origin,
	};
	const size_t positions = (size_t)in->slice.positions;
	enum el_status status = EL_OK;
	for (unsigned i = 0; i < in->slice.planes && !status; i++) {
		const struct el_plane *from = &in->plane[i];
		struct el_plane *to = &out->plane[i];
		to->symbols = malloc(positions * sizeof *to->symbols);
		to->values = malloc(from->value_count * sizeof *to->values);
		to->value_count = from->value_count;
		if (!to->symbols || !to->values) {
			status = el_fail(error, EL_MEMORY, "out of memory for %zu positions",
			                 positions);
			break;
		}
		memcpy(to->symbols, from->symbols, positions * sizeof *to->symbols);
		for (uint32_t s = 0; s < from->value_count; s++) {
			const struct el_value v = from->values[s];
			to->values[s] = el_metric_read(in->metric, metric, v);
			out->passes = v.plies > out->passes ? v.plies : out->passes;
		}
		status = el_plane_canonical(to, positions, error);
	}
	if (status)
		el_planes_free(out);
	return status;
}

void planes_drop_courses(struct el_planes *planes)
{
	for (unsigned p = 0; p < 2; p++) {
		free(planes->plane[p].course);
		planes->plane[p].course = NULL;
	}
	el_courses_free(planes->courses);
	planes->courses = NULL;
}
