/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A position is worth as much as its best move. Where its own table is missing, moves whose values
 * are known from elsewhere (captures, promotions, mates) may settle or bound its value. Any other
 * move may be worth anything from the quickest loss to the quickest win that the rules leave open.
 *
 *     from_moves_begin -> from_moves_add, each legal move -> from_moves_end
 */
#ifndef CORE_PROBE_FROM_MOVES_H
#define CORE_PROBE_FROM_MOVES_H

#include "inside.h"

/* What a position is worth at least, and at most. */
struct from_moves {
	const struct el_metric *metric;
	struct el_value least, most; /* EL_BROKEN before the first move */
};

/* The metric under which the moves must be valued in order to know the position's value under
   `metric`. It tells `metric`, and the best of its values is that of the best move. */
const struct el_metric *from_moves_metric(const struct el_metric *metric);

/* `metric` comes from from_moves_metric. */
void from_moves_begin(struct from_moves *, const struct el_metric *metric);
/*
 * `value` is that of one move, for its mover. If it is a bound or unknown, `outcome` is what is
 * known of the outcome without any rule. `ends`: the move ends the count (el_move_ends). A move
 * that ends the game has an exact value.
 */
void from_moves_add(struct from_moves *, struct el_value value, enum el_outcome outcome, bool ends);
/* The value, or the bounds of an outcome. EL_UNKNOWN if nothing is known, or no depth under a
   metric with depths. */
struct el_value from_moves_end(const struct from_moves *);

/* Does a move leave its slice? Rights to castle, which keep a position out of its slice, do not
   count. */
bool from_moves_leaves(const struct el_game *, const struct el_position *before,
                       const struct el_position *after);

/* Does all of this for p->metric and a position whose slice no table covers. EL_NEGATIVE, with
   `error` unchanged, if the moves do not tell; EL_DAMAGED, EL_IO if a file that their values need
   cannot be used. */
enum el_status from_moves_value(const struct probe *p, const struct el_position *,
                                struct el_value *out, struct el_error *error);

#endif
