/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "recorder.h"

#include <stdlib.h>
#include <string.h>

/* What one side's symbols stand for so far, and the symbol of each bit; 0 is broken. */
struct record {
	uint16_t *by_bit;
	struct el_value *values; /* room for every symbol */
	uint32_t value_count;
};

struct recorder {
	struct el_observer observer;
	const struct el_metric *metric;
	unsigned planes;
	bool full; /* more distinct values than symbols, or deeper ones than values can be */
	struct record record[2];
};

enum { SYMBOLS_MAX = UINT16_MAX + 1 };

/* The symbol of a value, a new one where it has none yet. */
static uint16_t symbol_of(struct recorder *r, struct record *record, struct el_value value)
{
	for (uint32_t s = record->value_count; s-- > 0;)
		if (el_value_equal(record->values[s], value))
			return (uint16_t)s;
	if (record->value_count == SYMBOLS_MAX) {
		r->full = true;
		return 0;
	}
	record->values[record->value_count] = value;
	return (uint16_t)record->value_count++;
}

static void write_set(struct record *record, const uint64_t *set, size_t words, uint16_t symbol)
{
#pragma omp parallel for schedule(static)
	for (size_t w = 0; w < words; w++)
		for (uint64_t bits = set[w]; bits; bits &= bits - 1)
			record->by_bit[64 * w + (unsigned)__builtin_ctzll(bits)] = symbol;
}

static void observe(void *context, const struct el_sets *sets, const struct el_pass *pass)
{
	struct recorder *r = context;
	if (pass->side >= r->planes || !pass->count)
		return;
	struct record *record = &r->record[pass->side];
	r->full |= r->metric->has_depth && pass->ply > EL_PLIES_MAX;
	const struct el_value value = {
		.outcome = (uint8_t)pass->outcome,
		.plies = r->metric->has_depth ? (uint16_t)pass->ply : 0,
	};
	write_set(record, pass->decided, sets->stored_words, symbol_of(r, record, value));
}

enum el_status recorder_open(const struct el_sets *sets, const struct el_metric *metric,
                             struct recorder **out, struct el_error *error)
{
	struct recorder *r = calloc(1, sizeof *r);
	bool all = r != NULL;
	if (r) {
		r->observer = (struct el_observer){.context = r, .pass = observe};
		r->metric = metric;
		r->planes = sets->slice.planes;
	}
	for (unsigned side = 0; all && side < r->planes; side++) {
		struct record *record = &r->record[side];
		record->by_bit = calloc(sets->stored_words * 64, sizeof *record->by_bit);
		record->values = malloc(SYMBOLS_MAX * sizeof *record->values);
		all = record->by_bit && record->values;
		if (all)
			symbol_of(r, record, (struct el_value){.outcome = EL_BROKEN});
	}
	if (!all) {
		recorder_close(r);
		return el_fail(error, EL_MEMORY, "%s: out of memory", sets->slice.name);
	}
	*out = r;
	return EL_OK;
}

const struct el_observer *recorder_observer(const struct recorder *r)
{
	return &r->observer;
}

/* Hands a record over as a plane; what it hands over it no longer owns. */
static enum el_status to_plane(struct recorder *r, unsigned side, const struct el_sets *sets,
                               struct el_plane *plane, struct el_error *error)
{
	struct record *record = &r->record[side];
	uint16_t *symbols = malloc(sets->slice.positions * sizeof *symbols);
	if (!symbols)
		return el_fail(error, EL_MEMORY, "%s: out of memory", sets->slice.name);
	enum el_status status = sets->gather(sets, side, record->by_bit, 0, symbols, error);
	if (status) {
		free(symbols);
		return status;
	}
	*plane = (struct el_plane){
		.symbols = symbols,
		.values = record->values,
		.value_count = record->value_count,
	};
	record->values = NULL;
	return EL_OK;
}

enum el_status recorder_finish(struct recorder *r, const struct el_sets *sets,
                               const uint64_t *const undecided[2], struct el_planes *out,
                               struct el_error *error)
{
	struct el_planes planes = {.slice = sets->slice, .metric = r->metric};
	enum el_status status = EL_OK;
	for (unsigned side = 0; side < r->planes && !status; side++) {
		struct record *record = &r->record[side];
		uint16_t draw = symbol_of(r, record, (struct el_value){.outcome = EL_DRAW});
		write_set(record, undecided[side], sets->stored_words, draw);
		status = to_plane(r, side, sets, &planes.plane[side], error);
	}
	if (!status && r->full)
		status = el_fail(error, EL_MEMORY, "%s %s: more than %d distinct values or %d plies",
		                 sets->slice.name, r->metric->name, SYMBOLS_MAX, EL_PLIES_MAX);
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
		free(r->record[side].by_bit);
		free(r->record[side].values);
	}
	free(r);
}
