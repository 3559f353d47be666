/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A second chess endgame solver, for tests only: one position at a time, on a mailbox board with
 * move generation of its own, sharing nothing with core/ but the types of endlab/game.h in which it
 * hands its answers over. Slow and plain, so that it can be believed: every placement of the pieces
 * is a state, values are depths to mate.
 *
 *     brute_solve -> brute_table -> brute_state for every state ... brute_free
 *
 * A failure (an unknown name, no memory) ends the test program.
 */
#ifndef TESTS_ORACLES_BRUTE_H
#define TESTS_ORACLES_BRUTE_H

#include "core/games/game.h"

struct brute;
struct brute_table;

/* Solves the slices of a null-terminated list of names ("KPvKP": at most 4 pieces, the stronger
   side first) and all that they convert into. */
struct brute *brute_solve(const char *const *names);
void brute_free(struct brute *);

/* Null when that slice was not solved. */
const struct brute_table *brute_table(const struct brute *, const char *name);

/* The number of states; most are no position that stands for itself, see brute_state. */
uint32_t brute_states(const struct brute_table *);

/*
 * A state's position, the first-named side being White, and its value with `plies` to mate. False
 * where the state is no legal position, is the mirror image of another state, or carries a right to
 * capture en passant that no legal move uses. `orbit` is how many states it stands for: 2 or 4.
 */
bool brute_state(const struct brute_table *, uint32_t state, struct el_position *position,
                 struct el_value *value, unsigned *orbit);

/* The value of a position; false when it is not legal or its slice was not solved. */
bool brute_value(const struct brute *, const struct el_position *, struct el_value *);

#endif
