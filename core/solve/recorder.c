/* SPDX-License-Identifier: MIT */
#include "recorder.h"

#include "core/planes/planes.h"

#include <stdlib.h>

uint16_t recorder_symbol(struct recorder *r, unsigned side, struct el_value value, bool stored)
{
	struct meanings *m = &r->meanings[side];
	uint32_t s = m->last;
	if (el_value_equal(m->values[s], value))
		return (uint16_t)s;
#pragma omp critical(recorder)
	{
		s = m->count;
		while (s-- > 0 && !el_value_equal(m->values[s], value))
			;
		if (s == UINT32_MAX && m->count == SYMBOLS_MAX) {
			r->full = true;
			s = 0;
		} else if (s == UINT32_MAX) {
			s = m->count++;
			m->values[s] = value;
		}
		m->stored[s] |= stored;
		if (m->stored[s])
			m->last = s;
	}
	return (uint16_t)s;
}

enum el_status recorder_open(struct recorder *r, const struct el_slice *slice,
                             const struct el_metric *metric, struct el_error *error)
{
	*r = (struct recorder){.slice = *slice, .metric = metric};
	for (unsigned side = 0; side < 2; side++) {
		struct meanings *m = &r->meanings[side];
		m->values = malloc(SYMBOLS_MAX * sizeof *m->values);
		m->stored = calloc(SYMBOLS_MAX, sizeof *m->stored);
		if (!m->values || !m->stored) {
			recorder_close(r);
			return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
		}
		m->values[m->count++] = (struct el_value){.outcome = EL_BROKEN};
		m->stored[0] = true;
	}
	return EL_OK;
}

void recorder_close(struct recorder *r)
{
	for (unsigned side = 0; side < 2; side++) {
		free(r->meanings[side].values);
		free(r->meanings[side].stored);
		free(r->renamed[side]);
	}
	*r = (struct recorder){.full = false};
}

struct el_meanings recorder_meanings(struct recorder *r)
{
	struct el_meanings m;
#pragma omp critical(recorder)
	for (unsigned side = 0; side < 2; side++) {
		m.values[side] = r->meanings[side].values;
		m.count[side] = r->meanings[side].count;
	}
	return m;
}

/* Threads add values in any order, so this sorts them. */
enum el_status recorder_finish(struct recorder *r, struct el_planes *planes, struct el_error *error)
{
	enum el_status status = EL_OK;
	if (r->full)
		return el_fail(error, EL_MEMORY, "%s %s: more than %d distinct values",
		               r->slice.name, r->metric->name, SYMBOLS_MAX);
	for (unsigned side = 0; side < r->slice.planes && !status; side++) {
		const struct meanings *m = &r->meanings[side];
		struct el_plane *plane = &planes->plane[side];
		plane->values = malloc(m->count * sizeof *plane->values);
		r->renamed[side] = malloc(m->count * sizeof *r->renamed[side]);
		if (!plane->values || !r->renamed[side])
			return el_fail(error, EL_MEMORY, "%s: out of memory", r->slice.name);
		for (uint32_t s = 0; s < m->count; s++)
			plane->values[s] = el_metric_read(r->metric, planes->metric, m->values[s]);
		plane->value_count = m->count;
		status = plane_order_values(plane, m->stored, r->renamed[side], error);
	}
	return status;
}
