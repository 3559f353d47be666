/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A second chess endgame solver, for tests only: one position at a time, on a mailbox board with
 * its own move generation. It shares only the types of its answers with core/ (games/game.h), and
 * is slow and simple, so that it can be trusted: every placement of the pieces is a state, values
 * are depths to mate.
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

/* Null if the slice was not solved. */
const struct brute_table *brute_table(const struct brute *, const char *name);

/* The number of states; for most of them brute_state returns false. */
uint32_t brute_states(const struct brute_table *);

/*
 * A state's position, with White as the first-named side, and its value with `plies` to mate. False
 * if the state is not legal, is the mirror image of another, or has a right to capture en passant
 * that no legal move uses. `orbit`: the number of states that it represents, 2 or 4.
 */
bool brute_state(const struct brute_table *, uint32_t state, struct el_position *position,
                 struct el_value *value, unsigned *orbit);

/* The value of a position; false if it is not legal or its slice was not solved. */
bool brute_value(const struct brute *, const struct el_position *, struct el_value *);

#endif
