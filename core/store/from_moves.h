/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A position is worth what its best move is worth. Where its own table is missing, the moves whose
 * values are known elsewhere (captures, promotions, mates) may settle it, or bound it: all others may
 * be anything from the quickest loss to the quickest win that the rules leave open.
 *
 *     from_moves_begin -> from_moves_add, each legal move -> from_moves_end
 */
#ifndef STORE_FROM_MOVES_H
#define STORE_FROM_MOVES_H

#include "probe.h"

/* What a position may be worth, at worst and at best. */
struct from_moves {
	const struct el_metric *metric;
	struct el_value least, most; /* EL_BROKEN before the first move */
};

/* The metric whose values these moves are asked for, so as to know the position's under `metric`: one
   whose best value is that of the best move, and which tells it. */
const struct el_metric *from_moves_metric(const struct el_metric *metric);

/* `metric`: as from_moves_metric has it. */
void from_moves_begin(struct from_moves *, const struct el_metric *metric);
/*
 * `value`: of one move, for its mover; where it is bounds, or unknown, `outcome` is what is known of the
 * outcome without any rule. `ends`: the move ends the count (el_move_ends). Where the game ends with it
 * its value is exact.
 */
void from_moves_add(struct from_moves *, struct el_value value, enum el_outcome outcome, bool ends);
/* The value, or of an outcome its bounds. EL_UNKNOWN where nothing is known, or not the depth. */
struct el_value from_moves_end(const struct from_moves *);

/* Does a move leave its slice? Rights to castle, which keep a position out of its slice, do not count. */
bool from_moves_leaves(const struct el_game *, const struct el_position *before,
                       const struct el_position *after);

/* All of that for p->metric, of a position whose slice no table covers. EL_NEGATIVE, with `error` as it
   was, where the moves do not tell; EL_DAMAGED, EL_IO where a file among theirs might have. */
enum el_status from_moves_value(const struct probe *p, const struct el_position *,
                                struct el_value *out, struct el_error *error);

#endif
