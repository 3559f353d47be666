/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The positions of a slice as a graph, made of moves alone: the rules and the index of its game are
 * used, none of its set operators. For the algorithm in draughts_bounds.h, and for any game.
 */
#ifndef TESTS_SLICE_GRAPH_H
#define TESTS_SLICE_GRAPH_H

#include "draughts_bounds.h"
#include "endlab/solve.h"

/* What is known of a position in another slice, for its side to move. */
typedef enum el_outcome slice_entered(void *context, const struct el_place *);

/*
 * Node plane * positions + index is the position of that index; broken ones lead nowhere and are a
 * draw. Positions with a right to capture en passant follow behind them. No memory ends the program.
 */
struct bounds_graph slice_graph(const struct el_slice *, slice_entered *entered, void *context);
void slice_graph_free(struct bounds_graph *);

/* One of the final six values. */
enum el_outcome slice_graph_outcome(unsigned bounds);

#endif
