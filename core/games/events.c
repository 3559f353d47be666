/* SPDX-License-Identifier: MIT */
#include "events.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

struct effect effect_of(const struct el_problem *problem, unsigned mover, struct el_value reached,
                        unsigned gain)
{
	const struct el_metric *metric = problem->metric;
	/* A bound counts as its best outcome for the favoured side. */
	const unsigned favoured = problem->favour == EL_FAVOUR_WHITE ? EL_WHITE : EL_BLACK;
	if (problem->favour != EL_FAVOUR_NONE && reached.outcome != EL_BROKEN)
		reached.outcome = (uint8_t)(favoured == mover ? el_outcome_lower(reached.outcome)
		                                              : el_outcome_upper(reached.outcome));
	if (!el_outcome_exact(reached.outcome))
		return (struct effect){EFFECT_NO_VALUE, EFFECT_NEVER};
	const struct el_value mine = el_value_of_move(metric, reached, true, gain);
	/* The ply, or the threshold (sets.h), from which the move takes effect. */
	uint16_t plies = metric->has_depth ? mine.plies : 1;
	if (metric->kind->adds_up)
		plies = (uint16_t)el_threshold_of_stones(&problem->slice, mine.plies);
	else if (metric->limit)
		plies = el_outcome_late(mine.outcome)
		                ? (metric->by_clock ? EL_PLY_LATE : EL_THRESHOLD_LATE)
		        : metric->by_clock ? mine.plies
		                           : EL_THRESHOLD_IN_TIME;
	if (mine.outcome > EL_DRAW)
		return (struct effect){plies, EFFECT_NEVER};
	if (mine.outcome < EL_DRAW)
		return (struct effect){EFFECT_NEVER, plies};
	return (struct effect){EFFECT_NEVER, EFFECT_NEVER};
}

/* ---- slices entered ---- */

enum el_status entered_open(struct entered *e, const struct el_slice *slice, unsigned plane,
                            const struct el_problem *problem, unsigned mover, unsigned gain,
                            struct el_error *error)
{
	*e = (struct entered){.lender = problem->lender, .plane = plane};
	enum el_status status =
		e->lender->lend(e->lender->context, slice, problem->metric, &e->planes, error);
	if (status)
		return status;
	const struct el_plane *values = &e->planes->plane[plane];
	e->effects = malloc(values->value_count * sizeof *e->effects);
	if (!e->effects)
		return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	for (uint32_t v = 0; v < values->value_count; v++)
		e->effects[v] = effect_of(problem, mover, values->values[v], gain);
	return EL_OK;
}

void entered_close(struct entered *e)
{
	free(e->effects);
	if (e->planes)
		e->lender->give_back(e->lender->context, e->planes);
	*e = (struct entered){.planes = NULL};
}

/* ---- events ---- */

/* Adds one event for each ply that occurs among ply[x], x in `bits`. */
static enum el_status add(struct el_events *list, uint32_t word, uint64_t bits,
                          const uint16_t ply[64])
{
	if (!bits)
		return EL_OK;
	if (list->count + 64 > list->capacity) {
		const size_t capacity = 2 * list->capacity + 64;
		struct el_event *events = realloc(list->events, capacity * sizeof *events);
		if (!events)
			return EL_MEMORY;
		list->events = events;
		list->capacity = capacity;
	}
	const size_t first = list->count; /* the plies of a word are few */
	for (; bits; bits &= bits - 1) {
		const unsigned x = (unsigned)__builtin_ctzll(bits);
		size_t e = first;
		while (e < list->count && list->events[e].ply != ply[x])
			e++;
		if (e == list->count)
			list->events[list->count++] = (struct el_event){0, word, ply[x]};
		list->events[e].bits |= UINT64_C(1) << x;
	}
	return EL_OK;
}

/* Packs 64 bytes that are 0 or 1 into bits: multiplying eight of them by this constant collects
   them in the highest byte, the first one lowest. */
static uint64_t pack(const uint8_t bytes[64])
{
	uint64_t bits = 0;
	for (unsigned group = 0; group < 8; group++) {
		uint64_t eight;
		memcpy(&eight, bytes + 8 * group, sizeof eight);
		bits |= le64toh(eight) * UINT64_C(0x0102040810204080) >> 56 << 8 * group;
	}
	return bits;
}

enum el_status events_of_word(struct el_unit *unit, uint32_t word, uint64_t legal,
                              const struct effect at[64])
{
	uint16_t win[64], free[64];
	uint8_t has_free[64], is_free[64], wins[64], unknown[64];
	for (unsigned x = 0; x < 64; x++) {
		win[x] = at[x].win;
		free[x] = at[x].free;
	}
	for (unsigned x = 0; x < 64; x++) {
		has_free[x] = free[x] != 0;
		is_free[x] = free[x] != 0 && free[x] != EFFECT_NEVER;
		wins[x] = win[x] != EFFECT_NEVER;
		unknown[x] = win[x] == EFFECT_NO_VALUE;
	}
	if (pack(unknown) & legal)
		return EL_DAMAGED;
	unit->blocked[word] |= pack(has_free) & legal;
	enum el_status status = add(&unit->wins, word, pack(wins) & legal, win);
	return status ? status : add(&unit->frees, word, pack(is_free) & legal, free);
}

uint64_t events_count(const struct el_events *list, size_t words)
{
	uint64_t count = 0;
	for (const struct el_event *e = list->events; e < list->events + list->count; e++)
		count += e->word < words ? (uint64_t)__builtin_popcountll(e->bits) : 0;
	return count;
}

enum el_status events_fail(enum el_status status, const struct el_slice *slice,
                           struct el_error *error)
{
	if (status == EL_DAMAGED)
		el_fail(error, status,
		        "%s: a legal position has no value in a table that it enters", slice->name);
	else if (status == EL_MEMORY)
		el_fail(error, status, "%s: out of memory", slice->name);
	return status;
}
