/* SPDX-License-Identifier: MIT */
/*
 * Values in stones can agree with each other even if best play goes in circles for ever and nobody
 * gains the stones. So this file proves that the side that gains really gets them. A set of
 * positions begins with those in which a best move captures, and grows by those
 *
 *     that gain     and have a best move into the set
 *     that lose     and have no quiet move out of it
 *
 * In the end it must contain all positions except those worth nothing. The values of the moves
 * prove that nobody can do better: a side that plays on for ever gets nothing, which is no less
 * than a loser's value and no more than a winner's.
 */
#include "proof.h"

#include <stdatomic.h>
#include <stdlib.h>

struct getting {
	struct proof *proof;
	_Atomic uint64_t *there; /* bit i: index i is in the set; owned */
	/* by index: 1 + the only index that it waits for; 0: check it again; owned */
	uint32_t *waits;
	atomic_uint_fast64_t found;
	bool first; /* this pass checks captures */
	bool last;  /* positions that are not in the set by now are wrong */
};

static bool is_there(const struct getting *g, uint64_t index)
{
	return atomic_load_explicit(&g->there[index / 64], memory_order_relaxed) >> index % 64 & 1;
}

/* Does a position get into the set? If not, sets *waits (getting.waits). */
static bool gets_there(const struct getting *g, const struct el_position *position,
                       struct el_value value, uint32_t *waits)
{
	const struct reach *r = &g->proof->reach;
	const struct el_plane *plane = &g->proof->planes->plane[g->proof->plane];
	const struct el_value other = el_value_of_move(r->metric, value, false, 0);
	const bool gains = value.outcome == EL_WIN;
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = r->game->moves(position, moves);
	unsigned best = 0;
	for (size_t i = 0; i < count; i++) {
		struct el_position after;
		struct el_place place;
		if (moves[i].captured) {
			struct reached to;
			if (!gains || !g->first)
				continue;
			reach_by_move(r, position, &moves[i], &to);
			const struct el_value v =
				el_value_of_move(r->metric, to.value, to.ends, to.gain);
			if (el_value_equal(v, value))
				return true;
			continue;
		}
		r->game->play(position, &moves[i], &after);
		r->game->place(&after, &place);
		const bool there = is_there(g, place.index);
		if (gains && !el_value_equal(el_plane_value(plane, place.index), other))
			continue;
		if (gains && there)
			return true;
		if (gains || !there)
			*waits = best++ ? 0 : (uint32_t)place.index + 1;
		if (!gains && !there)
			return false;
	}
	return !gains;
}

static enum el_status look_at_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                    struct el_error *error)
{
	struct getting *g = context;
	const struct proof *p = g->proof;
	for (uint64_t i = first; i < end; i++) {
		struct el_position position;
		const struct el_value value = el_plane_value(&p->planes->plane[p->plane], i);
		if (value.outcome == EL_DRAW || is_there(g, i) ||
		    (!g->last && g->waits[i] && !is_there(g, g->waits[i] - 1)) ||
		    !p->reach.game->unplace(&p->planes->slice, p->plane, i, &position))
			continue;
		if (g->last) {
			proof_wrong(&p->findings[thread], i, value, el_value_of_stones(0));
		} else if (gets_there(g, &position, value, &g->waits[i])) {
			atomic_fetch_or_explicit(&g->there[i / 64], UINT64_C(1) << i % 64,
			                         memory_order_relaxed);
			g->found++;
		}
	}
	(void)error;
	return EL_OK;
}

enum el_status proof_of_gains(struct proof *p, struct el_error *error)
{
	const uint64_t positions = p->planes->slice.positions;
	struct getting g = {.proof = p, .first = true};
	const char *stage = "following gains";
	enum el_status status = EL_OK;
	if (positions >= UINT32_MAX)
		return el_fail(error, EL_NEGATIVE,
		               "gains are followed over at most %u positions, and there are %llu",
		               UINT32_MAX - 1, (unsigned long long)positions);
	g.there = calloc((positions + 63) / 64, sizeof *g.there);
	g.waits = calloc(positions, sizeof *g.waits);
	if (!g.there || !g.waits)
		status = el_fail(error, EL_MEMORY, "out of memory for %llu positions",
		                 (unsigned long long)positions);
	do {
		g.found = 0;
		if (!status)
			status = proof_pass(p, stage, positions, look_at_chunk, &g, error);
		g.first = false;
	} while (!status && g.found);
	g.last = true;
	if (!status)
		status = proof_pass(p, stage, positions, look_at_chunk, &g, error);
	free(g.there);
	free(g.waits);
	return status;
}
