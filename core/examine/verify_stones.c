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

#include "core/games/best.h"

#include <stdatomic.h>
#include <stdlib.h>

struct getting {
	struct proof *proof;
	const struct el_best *best;
	/* bit i: index i is in the set, or worth nothing: no value of another leads there; owned */
	_Atomic uint64_t *there;
	/* by index: 1 + the only index that it waits for; 0: check it again; owned */
	uint32_t *waits;
	atomic_uint_fast64_t found;
	bool first; /* what is worth nothing is still to be left out */
	bool last;  /* positions that are not in the set by now are wrong */
	/* by thread: scratch memory, and what to ask of a section; owned */
	uint8_t *scratch;
	size_t scratch_each;
};

/* A thread in a section. */
struct visit {
	struct getting *getting;
	unsigned thread;
	uint64_t begin;          /* of the section */
	const uint16_t *symbols; /* its */
	uint64_t found;
};

static bool is_there(const struct getting *g, uint64_t index)
{
	return atomic_load_explicit(&g->there[index / 64], memory_order_relaxed) >> index % 64 & 1;
}

static void add(struct getting *g, uint64_t index)
{
	atomic_fetch_or_explicit(&g->there[index / 64], UINT64_C(1) << index % 64,
	                         memory_order_relaxed);
}

/* Does a position get into the set? If not, sets *waits (getting.waits). */
static bool gets_there(const struct getting *g, int16_t score, bool gains,
                       const struct best_move *moves, size_t count, uint32_t *waits)
{
	unsigned best = 0;
	for (size_t i = 0; i < count; i++) {
		const struct best_move *m = &moves[i];
		const bool leaves = m->to == BEST_LEAVES;
		const bool there = !leaves && is_there(g, m->to);
		if (gains ? m->score != score : leaves)
			continue;
		if (gains && (leaves || there))
			return true;
		if (!there)
			*waits = best++ && gains ? 0 : (uint32_t)m->to + 1;
		if (!gains && !there)
			return false;
	}
	return !gains;
}

static void look_at(void *context, uint64_t index, const struct best_move *moves, size_t count)
{
	struct visit *v = context;
	struct getting *g = v->getting;
	const struct el_planes *planes = g->proof->planes;
	const struct el_value value = planes->plane[0].values[v->symbols[index - v->begin]];
	const int16_t score = best_score(planes->metric, value);
	if (g->last) {
		proof_wrong(&g->proof->findings[v->thread], index, value, el_value_of_stones(0));
	} else if (gets_there(g, score, value.outcome == EL_WIN, moves, count, &g->waits[index])) {
		add(g, index);
		v->found++;
	}
}

static enum el_status look_at_section(void *context, unsigned thread, uint64_t section,
                                      uint64_t end, struct el_error *error)
{
	struct getting *g = context;
	const uint64_t first = g->best->section(g->best, section);
	const uint64_t past = g->best->section(g->best, section + 1);
	const struct el_lender *lender = g->best->problem->lender;
	const struct el_value *values = g->proof->planes->plane[0].values;
	const uint16_t *symbols = best_symbols(g->best, 0, section);
	struct visit v = {g, thread, first, symbols, 0};
	uint8_t *scratch = g->scratch + thread * g->scratch_each;
	uint64_t *among = (uint64_t *)(scratch + g->scratch_each) - (g->best->longest + 63) / 64;
	bool asks = false;
	(void)end;
	if (!symbols)
		return lender->check(lender->context, error);
	for (uint64_t i = first; i < past && g->first; i++)
		if (values[symbols[i - first]].outcome == EL_DRAW)
			add(g, i);
	memset(among, 0, (g->best->longest + 63) / 64 * sizeof *among);
	for (uint64_t i = first; i < past; i++) {
		/* Whole words of the set are passed over at once. */
		const uint64_t left =
			~atomic_load_explicit(&g->there[i / 64], memory_order_relaxed) >> i % 64;
		if (!left) {
			i |= 63;
			continue;
		}
		i += (unsigned)__builtin_ctzll(left);
		if (i >= past || (!g->last && g->waits[i] && !is_there(g, g->waits[i] - 1)))
			continue;
		among[(i - first) / 64] |= UINT64_C(1) << (i - first) % 64;
		asks = true;
	}
	const struct best_visitor visitor = {among, look_at, &v};
	const enum el_status status =
		asks ? g->best->show(g->best, section, &visitor, scratch, error) : EL_OK;
	best_let_go(g->best, 0, section);
	atomic_fetch_add(&g->found, v.found);
	return status;
}

enum el_status proof_of_gains(struct proof *p, const struct el_best *best, struct el_error *error)
{
	const uint64_t positions = p->planes->slice.positions;
	const uint64_t each = positions / best->sections + 1;
	const size_t threads = sweep_threads(), longest = (best->longest + 63) / 64;
	struct getting g = {.proof = p, .best = best, .first = true};
	enum el_status status = EL_OK;
	if (positions >= UINT32_MAX)
		return el_fail(error, EL_NEGATIVE,
		               "gains are followed over at most %u positions, and there are %llu",
		               UINT32_MAX - 1, (unsigned long long)positions);
	g.scratch_each = (best->scratch + longest * sizeof(uint64_t) + 63) / 64 * 64;
	g.scratch = aligned_alloc(64, threads * g.scratch_each);
	g.there = calloc((positions + 63) / 64, sizeof *g.there);
	g.waits = calloc(positions, sizeof *g.waits);
	if (!g.there || !g.waits || !g.scratch)
		status = el_fail(error, EL_MEMORY, "out of memory for %llu positions",
		                 (unsigned long long)positions);
	for (bool grows = true; grows && !status;) {
		g.found = 0;
		status = proof_pass(p, "following gains", best->sections, each, look_at_section, &g,
		                    error);
		grows = g.found;
		g.first = false;
	}
	g.last = true;
	if (!status)
		status = proof_pass(p, "following gains", best->sections, each, look_at_section, &g,
		                    error);
	free(g.scratch);
	free(g.there);
	free(g.waits);
	return status;
}
