/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All candidates in turn, round after round, each round in an order of its own. */
#include "probes.h"

#include "core/base/hash.h"

#include <stdio.h>
#include <stdlib.h>

static void shuffle(size_t *order, size_t count, uint64_t *state)
{
	for (size_t i = count; i > 1; i--) {
		const size_t k = (size_t)(random_next(state) % i), other = order[k];
		order[k] = order[i - 1];
		order[i - 1] = other;
	}
}

static enum el_status turn(struct entrant *e, enum el_regime regime, unsigned round,
                           struct el_error *error)
{
	if (e->result.status)
		return EL_OK;
	return entrant_judge(e, probes_turn(e, regime, round, &e->result.error), error);
}

enum el_status rounds_run(struct run *run, struct el_error *error)
{
	static const enum el_regime regimes[] = {EL_HOT, EL_WARM, EL_COLD};
	const struct el_lab_setup *setup = run->setup;
	const unsigned count = run->ground.cold_checked ? 3 : 2;
	size_t *order = malloc(setup->count * sizeof *order), turns = 0;
	uint64_t state = setup->seed;
	enum el_status status =
		order ? EL_OK : el_fail(error, EL_MEMORY, "the rounds: out of memory");
	for (size_t i = 0; i < setup->count && !status; i++)
		order[i] = i;
	pace_turns(&run->pace, count * EL_LAB_ROUNDS * setup->count,
	           setup->seconds / EL_LAB_ROUNDS);
	for (unsigned r = 0; r < count * EL_LAB_ROUNDS && !status; r++) {
		const unsigned round = r % EL_LAB_ROUNDS;
		shuffle(order, setup->count, &state);
		snprintf(run->pace.what, sizeof run->pace.what, "round %u/%d", round + 1,
		         EL_LAB_ROUNDS);
		for (size_t i = 0; i < setup->count && !status; i++) {
			pace_begin(&run->pace, turns++);
			status = turn(&run->entrants[order[i]], regimes[r / EL_LAB_ROUNDS], round,
			              error);
		}
	}
	free(order);
	return status;
}
