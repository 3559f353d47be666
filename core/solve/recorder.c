/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "recorder.h"
#include "../shared_for.h"

#include <stdlib.h>
#include <string.h>

enum { SYMBOLS_MAX = UINT16_MAX + 1 };

/* What one side's symbols stand for so far; 0 is broken. */
struct meanings {
	struct el_value *values; /* room for every symbol */
	uint32_t count;
};

struct recorder {
	struct el_slice slice;
	const struct el_metric *metric;
	bool parts;
	bool full; /* more distinct values than symbols, or deeper ones than values can be */
	struct meanings meanings[2];
	uint16_t *by_index[2]; /* of the planes; null until the first part is gathered */
};

/* The symbol of a value, a new one where it has none yet. Later values are looked for again sooner. */
static uint16_t symbol_of(struct recorder *r, unsigned side, struct el_value value)
{
	struct meanings *m = &r->meanings[side];
	uint32_t s;
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
	}
	return (uint16_t)s;
}

enum el_status recorder_open(const struct el_slice *slice, const struct el_metric *metric, bool parts,
                             struct recorder **out, struct el_error *error)
{
	struct recorder *r = calloc(1, sizeof *r);
	bool all = r != NULL;
	if (r) {
		r->slice = *slice;
		r->metric = metric;
		r->parts = parts;
	}
	for (unsigned side = 0; all && side < 2; side++) {
		r->meanings[side].values = malloc(SYMBOLS_MAX * sizeof(struct el_value));
		all = r->meanings[side].values != NULL;
		if (all)
			symbol_of(r, side, (struct el_value){.outcome = EL_BROKEN});
	}
	if (!all) {
		recorder_close(r);
		return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	}
	*out = r;
	return EL_OK;
}

/* Of a slice in one part only what the table stores is of interest. */
static size_t words_of(const struct recorder *r, const struct el_sets *sets)
{
	return r->parts ? sets->words : sets->stored_words;
}

static unsigned sides_of(const struct recorder *r, const struct el_sets *sets)
{
	return r->parts ? sets->sides : r->slice.planes;
}

enum el_status recorder_begin(struct recorder *r, const struct el_sets *sets, struct el_found *found,
                              struct el_error *error)
{
	*found = (struct el_found){{NULL, NULL}};
	for (unsigned side = 0; side < sides_of(r, sets); side++) {
		found->symbol[side] = calloc(words_of(r, sets) * 64, sizeof *found->symbol[side]);
		if (found->symbol[side])
			continue;
		recorder_drop(found);
		return el_fail(error, EL_MEMORY, "%s: out of memory", r->slice.name);
	}
	return EL_OK;
}

void recorder_drop(struct el_found *found)
{
	for (unsigned side = 0; side < 2; side++) {
		free(found->symbol[side]);
		found->symbol[side] = NULL;
	}
}

void recorder_note(struct recorder *r, const struct el_sets *sets, struct el_found *found,
                   unsigned side, const uint64_t *set, uint64_t stored, struct el_value value)
{
	uint16_t *by_bit = found->symbol[side];
	const size_t words = words_of(r, sets);
	if (!by_bit || (!stored && !r->parts)) /* planes name no value that nothing has */
		return;
	const uint16_t symbol = symbol_of(r, side, value);
	SHARED_FOR(words, w, words, schedule(static), {
		for (uint64_t bits = set[w]; bits; bits &= bits - 1)
			by_bit[64 * w + (unsigned)__builtin_ctzll(bits)] = symbol;
	});
}

/* Room for the planes; what belongs to no part is broken. */
static bool planes_open(struct recorder *r)
{
	bool all = true;
#pragma omp critical(recorder)
	for (unsigned side = 0; side < r->slice.planes; side++) {
		if (!r->by_index[side])
			r->by_index[side] = calloc(r->slice.positions, sizeof *r->by_index[side]);
		all &= r->by_index[side] != NULL;
	}
	return all;
}

enum el_status recorder_gather(struct recorder *r, const struct el_sets *sets,
                               const struct el_found *found, struct el_error *error)
{
	enum el_status status = EL_OK;
	if (!planes_open(r))
		status = el_fail(error, EL_MEMORY, "%s: out of memory", r->slice.name);
	for (unsigned side = 0; side < r->slice.planes && !status; side++)
		status = sets->gather(sets, side, found->symbol[side], 0, r->by_index[side], error);
	return status;
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

/* Threads come in any order, and so do values: the order that one part would have had is made. */
static enum el_status put_in_order(struct recorder *r, struct el_planes *planes,
                                   struct el_error *error)
{
	enum el_status status = EL_OK;
	for (unsigned side = 0; r->parts && side < r->slice.planes && !status; side++)
		status = el_plane_canonical(&planes->plane[side], r->slice.positions, error);
	return status;
}

enum el_status recorder_finish(struct recorder *r, struct el_planes *out, struct el_error *error)
{
	struct el_planes planes = {.slice = r->slice, .metric = r->metric};
	if (r->full)
		return el_fail(error, EL_MEMORY, "%s %s: more than %d distinct values",
		               r->slice.name, r->metric->name, SYMBOLS_MAX);
	for (unsigned side = 0; side < r->slice.planes; side++) {
		planes.plane[side] = (struct el_plane){
			.symbols = r->by_index[side],
			.values = r->meanings[side].values,
			.value_count = r->meanings[side].count,
		};
		r->by_index[side] = NULL;
		r->meanings[side].values = NULL;
	}
	enum el_status status = put_in_order(r, &planes, error);
	if (status)
		el_planes_free(&planes);
	else
		*out = planes;
	return status;
}

void recorder_close(struct recorder *r)
{
	if (!r)
		return;
	for (unsigned side = 0; side < 2; side++) {
		free(r->by_index[side]);
		free(r->meanings[side].values);
	}
	free(r);
}
