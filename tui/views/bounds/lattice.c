/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lattice.h"

const struct el_bounds el_bounds_start = {EL_DRAW, true};

struct el_bounds el_bounds_negate(struct el_bounds b)
{
	return (struct el_bounds){(uint8_t)el_outcome_negate(b.outcome), b.undecided};
}

struct el_bounds el_bounds_max(struct el_bounds a, struct el_bounds b)
{
	const enum el_outcome outcome = el_outcome_max(a.outcome, b.outcome);
	return (struct el_bounds){(uint8_t)outcome,
	                          outcome != EL_WIN && (a.undecided || b.undecided)};
}

struct el_bounds el_bounds_decide(struct el_bounds b)
{
	return (struct el_bounds){b.outcome, false};
}

/* ---- the analysis ---- */

/* What a move is worth to its mover. */
static struct el_bounds value_of_move(const struct el_bounds_move *move,
                                      const struct el_bounds *value)
{
	const bool out = move->to == EL_BOUNDS_OUT;
	return el_bounds_negate(out ? (struct el_bounds){move->exit, false} : value[move->to]);
}

static struct el_bounds value_of_node(const struct el_bounds_graph *graph,
                                      const struct el_bounds *value, unsigned node)
{
	struct el_bounds best = {EL_LOSS, false};
	for (unsigned i = graph->first[node]; i < graph->first[node + 1]; i++)
		best = el_bounds_max(best, value_of_move(&graph->move[i], value));
	return best;
}

bool el_bounds_step(const struct el_bounds_graph *graph, struct el_bounds *value,
                    struct el_bounds_change *out)
{
	for (unsigned node = 0; node < graph->nodes; node++) {
		const struct el_bounds best = value_of_node(graph, value, node);
		if (!value[node].undecided || el_bounds_equal(best, value[node]))
			continue;
		*out = (struct el_bounds_change){node, value[node], best};
		value[node] = best;
		return true;
	}
	return false;
}
