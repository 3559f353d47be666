/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loop, step by step, by retrograde analysis with partial information. */
#include "bounds.h"

#include <string.h>

OWN_STATE(, bounds, struct bounds_loop);

/* ---- the analysis of a graph ---- */

const struct bounds_value lattice_start = {EL_DRAW, true};

struct bounds_value lattice_decide(struct bounds_value b)
{
	return (struct bounds_value){b.outcome, false};
}

bool lattice_step(const struct lattice_graph *graph, struct bounds_value *value,
                  struct lattice_change *out)
{
	for (unsigned node = 0; node < graph->nodes; node++) {
		struct bounds_value best = {EL_LOSS, false};
		for (unsigned i = graph->first[node]; i < graph->first[node + 1]; i++) {
			const struct lattice_move *move = &graph->move[i];
			const bool out_of_it = move->to == LATTICE_OUT;
			best = lattice_max(
				best,
				lattice_negate(out_of_it ? (struct bounds_value){move->exit, false}
			                                 : value[move->to]));
		}
		if (!value[node].undecided || bounds_equal(best, value[node]))
			continue;
		*out = (struct lattice_change){node, value[node], best};
		value[node] = best;
		return true;
	}
	return false;
}

/* ---- the loop ---- */

const uint8_t loop_exits[LOOP_EXITS] = {EL_WIN,  EL_UNKNOWN,       EL_DRAW,
                                        EL_LOSS, EL_AT_LEAST_DRAW, EL_AT_MOST_DRAW};
const uint8_t loop_values[LOOP_EXITS] = {EL_WIN,     EL_AT_LEAST_DRAW, EL_DRAW,
                                         EL_UNKNOWN, EL_AT_MOST_DRAW,  EL_LOSS};

/* One more step from a state; false when all is done. */
static bool make_step(unsigned exit, struct loop_state *s)
{
	static const uint8_t first[LOOP_NODES + 1] = {0, 2, 3, 4, 5};
	const struct lattice_move move[] = {
		{1, 0}, {LATTICE_OUT, loop_exits[exit]}, {2, 0}, {3, 0}, {0, 0}};
	const struct lattice_graph graph = {LOOP_NODES, first, move};
	bool undecided = false;
	memcpy(s->before, s->value, sizeof s->before);
	if (lattice_step(&graph, s->value, &s->change))
		return true;
	for (unsigned node = 0; node < LOOP_NODES; node++) {
		undecided = undecided || s->value[node].undecided;
		s->value[node] = lattice_decide(s->value[node]);
	}
	s->decided = s->decided || undecided;
	return undecided;
}

static struct loop_state loop_start(void)
{
	struct loop_state s = {.decided = false};
	for (unsigned node = 0; node < LOOP_NODES; node++)
		s.value[node] = s.before[node] = lattice_start;
	return s;
}

unsigned loop_steps(unsigned exit)
{
	struct loop_state s = loop_start();
	unsigned steps = 0;
	while (make_step(exit, &s))
		steps++;
	return steps;
}

void loop_after(unsigned exit, unsigned steps, struct loop_state *out)
{
	*out = loop_start();
	while (steps-- > 0)
		make_step(exit, out);
}
