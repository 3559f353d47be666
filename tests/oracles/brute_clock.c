/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "brute_clock.h"

#include "brute_phase.h"

#include <stdlib.h>
#include <string.h>

struct clock {
	unsigned limit;
	uint8_t *fresh
		[TABLES]; /* by state: the value with the clock at 0, as brute_clock_take has it */
	brute_clock_take *take;
	void *context;
};

/* What is known of a position after some of its moves: the best for a winner, the worst for a loser. */
struct look {
	uint8_t best, worst, left; /* `left`: moves that do not lose */
};

static void look_at(struct look *l, uint8_t reached)
{
	bool wins = reached % 2 == 1;
	brute_need(reached < UINT8_MAX, "too many plies");
	if (reached != 0 && wins && (l->best == 0 || reached + 1 < l->best))
		l->best = (uint8_t)(reached + 1);
	if (reached != 0 && !wins && reached + 1 > l->worst)
		l->worst = (uint8_t)(reached + 1);
	if (reached != 0 && !wins)
		l->left--;
}

/* The values with some clock, from those with one ply more on it, which are at `after`. */
static void make_layer(const struct clock *c, const struct region *r, const uint8_t *after,
                       struct look *looks, uint8_t *layer)
{
	for (uint32_t i = 0; i < r->count; i++) {
		looks[i] = (struct look){.left = r->moves[i]};
		for (uint32_t k = r->ending_at[i]; k < r->ending_at[i + 1]; k++)
			look_at(&looks[i],
			        c->fresh[r->ending[k].table->number][r->ending[k].state]);
	}
	for (uint32_t i = 0; i < r->count; i++)
		for (uint32_t k = r->before_at[i]; k < r->before_at[i + 1]; k++)
			look_at(&looks[r->before[k]], after[i]);
	for (uint32_t i = 0; i < r->count; i++) {
		const struct look *l = &looks[i];
		layer[i] = l->best ? l->best : r->moves[i] && !l->left ? l->worst : r->mated[i];
	}
}

static void solve_region(struct clock *c, const struct brute_table *t, const uint8_t *pawns,
                         uint32_t *local)
{
	struct region r;
	region_open(&r, t, pawns, local);
	uint8_t *layers = brute_memory((c->limit + 1u) * (size_t)r.count, 1);
	struct look *looks = brute_memory(r.count, sizeof *looks);
	for (uint32_t i = 0; i < r.count; i++)
		layers[(size_t)c->limit * r.count + i] = r.mated[i];
	for (unsigned clock = c->limit; clock-- > 0;)
		make_layer(c, &r, layers + (clock + 1u) * (size_t)r.count, looks,
		           layers + clock * (size_t)r.count);
	for (uint32_t i = 0; i < r.count; i++) {
		uint8_t at[BRUTE_CLOCK_MAX + 1] = {0};
		for (unsigned clock = 0; clock <= c->limit; clock++)
			at[clock] = layers[clock * (size_t)r.count + i];
		c->fresh[t->number][r.state[i]] = at[0];
		c->take(c->context, t, r.state[i], at);
	}
	free(layers);
	free(looks);
	region_close(&r);
}

static void solve_table(struct clock *c, const struct brute_table *t)
{
	uint8_t pawns[PIECES] = {0};
	uint32_t placements = 1;
	uint32_t *local = brute_memory(t->states, sizeof *local);
	c->fresh[t->number] = brute_memory(t->states, 1);
	for (unsigned i = 0; i < t->pawns; i++)
		placements *= 48;
	for (unsigned advance = 6 * t->pawns + 1; advance-- > 0;)
		for (uint32_t n = 0; n < placements; n++)
			if (brute_pawns(t, n, pawns) == advance && pawns[0] % 8 < 4)
				solve_region(c, t, pawns, local);
	free(local);
}

void brute_clock_each(const struct brute *brute, unsigned limit, void *context,
                      brute_clock_take *take)
{
	struct clock c = {.limit = limit, .take = take, .context = context};
	brute_need(limit <= BRUTE_CLOCK_MAX, "the limit is too great");
	for (unsigned pieces = 2; pieces <= PIECES; pieces++)
		for (unsigned pawns = 0; pawns <= PIECES - 2; pawns++)
			for (unsigned i = 0; i < brute->tables; i++)
				if (brute->table[i]->pieces == pieces &&
				    brute->table[i]->pawns == pawns)
					solve_table(&c, brute->table[i]);
	for (unsigned i = 0; i < TABLES; i++)
		free(c.fresh[i]);
}
