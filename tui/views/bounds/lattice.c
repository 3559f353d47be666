/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lattice.h"

const struct bounds_value lattice_start = {EL_DRAW, true};

struct bounds_value lattice_negate(struct bounds_value b)
{
	return (struct bounds_value){(uint8_t)el_outcome_negate(b.outcome), b.undecided};
}

struct bounds_value lattice_max(struct bounds_value a, struct bounds_value b)
{
	const enum el_outcome outcome = el_outcome_max(a.outcome, b.outcome);
	return (struct bounds_value){(uint8_t)outcome,
	                             outcome != EL_WIN && (a.undecided || b.undecided)};
}

struct bounds_value lattice_decide(struct bounds_value b)
{
	return (struct bounds_value){b.outcome, false};
}

/* ---- the analysis ---- */

/* What a move is worth to its mover. */
static struct bounds_value value_of_move(const struct lattice_move *move,
                                         const struct bounds_value *value)
{
	const bool out = move->to == LATTICE_OUT;
	return lattice_negate(out ? (struct bounds_value){move->exit, false} : value[move->to]);
}

static struct bounds_value value_of_node(const struct lattice_graph *graph,
                                         const struct bounds_value *value, unsigned node)
{
	struct bounds_value best = {EL_LOSS, false};
	for (unsigned i = graph->first[node]; i < graph->first[node + 1]; i++)
		best = lattice_max(best, value_of_move(&graph->move[i], value));
	return best;
}

bool lattice_step(const struct lattice_graph *graph, struct bounds_value *value,
                  struct lattice_change *out)
{
	for (unsigned node = 0; node < graph->nodes; node++) {
		const struct bounds_value best = value_of_node(graph, value, node);
		if (!value[node].undecided || bounds_equal(best, value[node]))
			continue;
		*out = (struct lattice_change){node, value[node], best};
		value[node] = best;
		return true;
	}
	return false;
}
