/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The brute-force solver over position and clock: plies to mate when the game is drawn as soon as
 * `limit` plies have passed without a capture or pawn move, at every clock. By definition: one look
 * at each position and clock, the last clock first.
 *
 *     brute_solve -> brute_clock_each
 */
#ifndef TESTS_ORACLES_BRUTE_CLOCK_H
#define TESTS_ORACLES_BRUTE_CLOCK_H

#include "brute.h"

enum { BRUTE_CLOCK_MAX = 100 };

/* By clock, 0 .. limit: 0 for a draw, else plies to mate + 1, which is even for a win. */
typedef void brute_clock_take(void *context, const struct brute_table *, uint32_t state,
                              const uint8_t at[BRUTE_CLOCK_MAX + 1]);

/* Calls `take` for every legal state of every slice that was solved, one after the other; states that
   brute_state rejects are among them. */
void brute_clock_each(const struct brute *, unsigned limit, void *context, brute_clock_take *take);

#endif
