/* SPDX-License-Identifier: MIT */
#include "clockwork.h"

#include "core/base/array.h"

#include <stdlib.h>

enum { MOVE_BYTES = 10 }; /* of a 64-bit number, 7 bits a byte */

/* ---- listing moves ---- */

/* The bytes of the current chunk. */
struct list {
	uint8_t *bytes;
	size_t used;
};

/* The moves of one position. */
struct choice {
	struct el_value best;
	uint64_t quiet[EL_MOVES_MAX]; /* indexes that quiet moves reach */
	size_t count;
	unsigned limit; /* of the zeroing moves; 0: there is none */
	bool lacking;   /* a table is missing */
};

/* The outcome without the rule. Bounds are not expected, and count as broken. */
static enum el_outcome unruled(enum el_outcome outcome)
{
	if (outcome > EL_WIN)
		return EL_BROKEN;
	return outcome == EL_DRAW ? EL_DRAW : outcome < EL_DRAW ? EL_LOSS : EL_WIN;
}

/* The less for a winner, the greater for a loser. */
static unsigned better_limit(enum el_outcome outcome, unsigned a, unsigned b)
{
	if (!a || !b)
		return a | b;
	return (a < b) == (outcome == EL_WIN) ? a : b;
}

static void choose(const struct reach *r, const struct el_position *position,
                   enum el_outcome outcome, struct choice *c)
{
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = r->game->moves(position, moves);
	c->best = r->game->stuck(position);
	for (size_t i = 0; i < count; i++) {
		struct reached to;
		reach_by_move(r, position, &moves[i], &to);
		c->lacking |= to.value.outcome == EL_UNKNOWN;
		const struct el_value v = el_value_of_move(r->metric, to.value, to.ends, to.gain);
		c->best = i ? el_value_max(r->metric, c->best, v) : v;
		if (unruled(el_outcome_negate(to.value.outcome)) != outcome)
			continue; /* the move gives the win away, or the table is wrong */
		/* the least limit under which the position that a zeroing move enters is won */
		unsigned limit = to.value.plies ? to.value.plies : 1;
		const bool is_in_time = to.value.outcome == EL_WIN || to.value.outcome == EL_LOSS;
		if (!el_metric_entered(r->metric)->has_depth)
			limit = is_in_time ? 1 : LATE;
		if (!to.ends)
			c->quiet[c->count++] = to.place.index;
		else
			c->limit = better_limit(outcome, c->limit, limit);
	}
}

/* Lists each index once: moves may reach positions that are the same up to symmetry. */
static enum el_status list_moves(struct choice *c, struct list *list, struct node *node)
{
	if (!array_grow(&list->bytes, list->used, MOVE_BYTES * EL_MOVES_MAX, 1))
		return EL_MEMORY;
	/* sort by insertion: there are a few dozen */
	for (size_t i = 1; i < c->count; i++) {
		const uint64_t n = c->quiet[i];
		size_t k = i;
		for (; k && c->quiet[k - 1] > n; k--)
			c->quiet[k] = c->quiet[k - 1];
		c->quiet[k] = n;
	}
	uint8_t *to = list->bytes + list->used;
	node->start = (uint32_t)list->used;
	uint64_t before = 0;
	for (size_t i = 0; i < c->count; i++) {
		if (i && c->quiet[i] == before)
			continue;
		uint64_t step = c->quiet[i] - before;
		for (; step >= 128; step >>= 7)
			*to++ = (uint8_t)(step | 128);
		*to++ = (uint8_t)step;
		before = c->quiet[i];
		node->quiet++;
	}
	list->used = (size_t)(to - list->bytes);
	return EL_OK;
}

static enum el_status list_index(struct clockwork *w, uint64_t index, struct list *list,
                                 struct finding *f)
{
	const struct proof *p = w->proof;
	const struct el_value stored = el_plane_value(&p->planes->plane[p->plane], index);
	const enum el_outcome outcome = unruled(stored.outcome);
	struct node *node = &w->nodes[p->plane][index];
	struct el_position position;
	struct choice c = {.count = 0};
	if (!p->reach.game->unplace(&p->planes->slice, p->plane, index, &position))
		return EL_OK;
	f->checked++;
	choose(&p->reach, &position, outcome, &c);
	if (c.lacking)
		return EL_NEGATIVE;
	if (unruled(c.best.outcome) != outcome ||
	    (outcome == EL_DRAW && !el_value_equal(stored, c.best)))
		proof_wrong(f, index, stored, c.best);
	else if (outcome != EL_DRAW) {
		node->outcome = (uint8_t)outcome;
		node->limit = (uint16_t)c.limit;
		return list_moves(&c, list, node);
	}
	return EL_OK;
}

enum el_status clockwork_list(void *context, unsigned thread, uint64_t first, uint64_t end,
                              struct el_error *error)
{
	struct clockwork *w = context;
	const struct el_planes *planes = w->proof->planes;
	struct list list = {.bytes = NULL};
	enum el_status status = EL_OK;
	for (uint64_t i = first; i < end && !status; i++)
		status = list_index(w, i, &list, &w->proof->findings[thread]);
	uint8_t *fitting = realloc(list.bytes, list.used + 1);
	w->moves[w->proof->plane][first / SWEEP_CHUNK] = fitting ? fitting : list.bytes;
	if (status == EL_NEGATIVE)
		el_fail(error, status,
		        "%s %s: the proof needs the %s table of %s, and there is none",
		        planes->slice.name, planes->metric->name,
		        el_metric_entered(planes->metric)->name, planes->slice.name);
	else if (status)
		el_fail(error, status, "%s: out of memory", planes->slice.name);
	return status;
}
