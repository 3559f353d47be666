/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loop, step by step. */
#include "bounds.h"

#include <string.h>

const struct state bounds_state = {sizeof(struct bounds_loop)};

struct bounds_loop *bounds_of(const struct model *m)
{
	return state_of(m, &bounds_state);
}

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
