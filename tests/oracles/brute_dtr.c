/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DTR as the shortest limit that wins, and DTZR from every position at every clock. */
#include "brute_phase.h"

#include <stdlib.h>
#include <string.h>

static uint32_t count_decided(const struct region *r, const uint16_t *code)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < r->count; i++)
		count += code[i] != 0;
	return count;
}

/* The next limit at which more of the ending moves count. */
static unsigned next_change(const struct region *r, const uint16_t *ending, unsigned limit)
{
	unsigned next = NO_LIMIT;
	for (uint32_t k = 0; k < r->ending_at[r->count]; k++)
		if (ending[k] != 0 && plies_of(ending[k]) > limit && plies_of(ending[k]) < next)
			next = plies_of(ending[k]);
	return next;
}

/* Tries rule after rule; rules under which the same moves may end a phase differ only in how long a
   phase may last. The next rule must decide whatever a rule decides, and the same way. */
void dtr_solve(const struct region *r, const uint16_t *ending, const uint16_t *dtz, uint16_t *dtr)
{
	uint16_t *code = brute_memory(r->count, sizeof *code);
	uint32_t all = count_decided(r, dtz), decided = 0;
	unsigned change = 0;
	memset(dtr, 0, r->count * sizeof *dtr);
	for (unsigned limit = 0; decided < all; limit++) {
		brute_need(limit < NO_LIMIT, "no limit wins what is won");
		if (limit == change) {
			change = next_change(r, ending, limit);
			phase_solve(r, &(struct rule){change - 1, ending, limit}, code);
		}
		decided = 0;
		for (uint32_t i = 0; i < r->count; i++) {
			bool now = code[i] != 0 && plies_of(code[i]) <= limit;
			if (now && dtr[i] == 0)
				dtr[i] = code_of(code[i] & WON, limit);
			brute_need(now == (dtr[i] != 0) && !(now && (dtr[i] ^ code[i]) & WON),
			           "a longer limit takes a win away");
			decided += now;
		}
	}
	free(code);
}

/* A pair (longest phase of the game, plies of this phase), ordered by the longest phase first. */
static uint32_t pair(unsigned longest, unsigned present)
{
	return (uint32_t)longest << 16 | present;
}

static bool is_better(bool winner, uint32_t a, uint32_t b)
{
	return winner ? a < b : a > b;
}

/* Moves that keep the result: all of the loser's moves, and the winner's moves into a loss. */
static bool keeps(uint16_t before, uint16_t after)
{
	return before != 0 && after != 0 && (before & WON) != (after & WON);
}

/* A region while the clocks run back, with only the quiet moves that keep the result, listed as in
   struct region. */
struct clocks {
	const struct region *region;
	const uint16_t *ending, *dtz;
	uint32_t *before_at, *before;
};

static void list_keeping(struct clocks *c)
{
	const struct region *r = c->region;
	uint32_t count = 0;
	c->before_at = brute_memory(r->count + 1, sizeof *c->before_at);
	c->before = brute_memory(r->before_at[r->count], sizeof *c->before);
	for (uint32_t i = 0; i < r->count; i++) {
		for (uint32_t k = r->before_at[i]; k < r->before_at[i + 1]; k++)
			if (keeps(c->dtz[r->before[k]], c->dtz[i]))
				c->before[count++] = r->before[k];
		c->before_at[i + 1] = count;
	}
}

/* From this clock on, no later phase can be longer than this one, so the quickest end is best. */
static unsigned last_clock(const struct clocks *c)
{
	const struct region *r = c->region;
	unsigned last = 0;
	for (uint32_t i = 0; i < r->count; i++)
		for (uint32_t k = r->ending_at[i]; k < r->ending_at[i + 1]; k++)
			if (keeps(c->dtz[i], c->ending[k]) && plies_of(c->ending[k]) > last)
				last = plies_of(c->ending[k]);
	return last;
}

/* The best value of the moves that end the phase at this clock; without any, a value worse than all
   others. */
static uint32_t best_ending(const struct clocks *c, uint32_t i, unsigned clock)
{
	const struct region *r = c->region;
	bool winner = c->dtz[i] & WON;
	uint32_t best = winner ? UINT32_MAX : 0;
	for (uint32_t k = r->ending_at[i]; k < r->ending_at[i + 1]; k++) {
		if (!keeps(c->dtz[i], c->ending[k]))
			continue;
		unsigned longest = plies_of(c->ending[k]);
		uint32_t worth = pair(longest > clock + 1 ? longest : clock + 1, clock + 1);
		if (is_better(winner, worth, best))
			best = worth;
	}
	return best;
}

/* Computes every position with `clock` plies played from those with one more. */
static void step_back(const struct clocks *c, unsigned clock, const uint32_t *after, uint32_t *now)
{
	const struct region *r = c->region;
	for (uint32_t i = 0; i < r->count; i++)
		now[i] = r->mated[i] ? pair(clock, clock) : best_ending(c, i, clock);
	for (uint32_t i = 0; i < r->count; i++) {
		bool winner = !(c->dtz[i] & WON);
		for (uint32_t k = c->before_at[i]; k < c->before_at[i + 1]; k++)
			if (is_better(winner, after[i], now[c->before[k]]))
				now[c->before[k]] = after[i];
	}
}

static void quickest(const struct clocks *c, unsigned clock, uint32_t *pairs)
{
	for (uint32_t i = 0; i < c->region->count; i++)
		if (c->dtz[i] != 0)
			pairs[i] = pair(clock + plies_of(c->dtz[i]), clock + plies_of(c->dtz[i]));
}

/* Begins one clock later than necessary, to check that the last clock changes nothing. */
void dtzr_solve(const struct region *r, const uint16_t *ending, const uint16_t *dtz,
                const uint16_t *dtr, uint16_t *dtzr)
{
	struct clocks c = {.region = r, .ending = ending, .dtz = dtz};
	uint32_t *now = brute_memory(r->count, sizeof *now);
	uint32_t *after = brute_memory(r->count, sizeof *after);
	unsigned last = last_clock(&c);
	list_keeping(&c);
	quickest(&c, last + 1, after);
	for (unsigned clock = last + 1; clock-- > 0;) {
		step_back(&c, clock, after, now);
		uint32_t *other = after;
		after = now;
		now = other;
		if (clock < last)
			continue;
		quickest(&c, clock, now);
		for (uint32_t i = 0; i < r->count; i++)
			brute_need(dtz[i] == 0 || after[i] == now[i], "not the last clock");
	}
	for (uint32_t i = 0; i < r->count; i++) {
		brute_need(dtz[i] == 0 || after[i] >> 16 == plies_of(dtr[i]),
		           "the rules and the clocks disagree about the longest phase");
		dtzr[i] = dtz[i] ? code_of(dtz[i] & WON, after[i] & UINT16_MAX) : 0;
	}
	free(c.before_at);
	free(c.before);
	free(now);
	free(after);
}
