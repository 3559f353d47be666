/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The analysis that Bounds shows step by step, against the paper's Table 2 and the tests' literal
   version of its algorithm. */
#include "tests/oracles/draughts_bounds.h"

#include "tui/views/bounds/bounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The ten values, in the order of enum bounds. */
static const struct bounds_value all[BOUNDS_COUNT] = {
	[BOUNDS_WW] = {EL_WIN, false},          [BOUNDS_TT] = {EL_DRAW, false},
	[BOUNDS_LL] = {EL_LOSS, false},         [BOUNDS_TW] = {EL_AT_LEAST_DRAW, false},
	[BOUNDS_LT] = {EL_AT_MOST_DRAW, false}, [BOUNDS_LW] = {EL_UNKNOWN, false},
	[BOUNDS_ULW] = {EL_UNKNOWN, true},      [BOUNDS_UTW] = {EL_AT_LEAST_DRAW, true},
	[BOUNDS_UTT] = {EL_DRAW, true},         [BOUNDS_ULT] = {EL_AT_MOST_DRAW, true},
};

static void assert_same(struct bounds_value found, unsigned expected)
{
	assert_int_equal(found.outcome, all[expected].outcome);
	assert_int_equal(found.undecided, all[expected].undecided);
}

static void test_names(void **state)
{
	(void)state;
	for (unsigned a = 0; a < BOUNDS_COUNT; a++) {
		char name[BOUNDS_NAME_MAX];
		enum el_outcome outcome;
		assert_string_equal(bounds_letters(all[a], name), bounds_name(a));
		assert_int_equal(bounds_read(name, &outcome), !all[a].undecided);
		if (!all[a].undecided)
			assert_int_equal(outcome, all[a].outcome);
	}
	enum el_outcome outcome;
	assert_true(bounds_read("tw", &outcome));
	assert_int_equal(outcome, EL_AT_LEAST_DRAW);
	assert_false(bounds_read("WT", &outcome));
	assert_false(bounds_read("", &outcome));
}

static void test_table_2(void **state)
{
	(void)state;
	for (unsigned a = 0; a < BOUNDS_COUNT; a++) {
		assert_same(lattice_negate(all[a]), bounds_negate(a));
		assert_int_equal(lattice_decide(all[a]).outcome, all[a].outcome);
		assert_false(lattice_decide(all[a]).undecided);
		for (unsigned b = 0; b < BOUNDS_COUNT; b++)
			assert_same(lattice_max(all[a], all[b]), bounds_max(a, b));
	}
}

/* ---- loops ---- */

enum { NODES_MAX = 6, MOVES_MAX = 2 * NODES_MAX, CHANGES_MAX = 100 };

/* A loop of `nodes` nodes, with ways out of some of them; the same graph twice. */
struct loop {
	unsigned nodes;
	int exit[NODES_MAX]; /* enum bounds, below BOUNDS_FINAL; -1: none */

	uint8_t first[NODES_MAX + 1];
	struct lattice_move move[MOVES_MAX];
	uint32_t paper_first[NODES_MAX + 1];
	int32_t paper_child[MOVES_MAX];
};

static void add_move(struct loop *l, unsigned *count, unsigned to, int exit)
{
	const bool out = exit >= 0;
	l->move[*count].to = (uint8_t)(out ? LATTICE_OUT : to);
	l->move[*count].exit = out ? all[exit].outcome : 0;
	l->paper_child[(*count)++] = out ? ~exit : (int32_t)to;
}

static void make_loop(struct loop *l)
{
	unsigned count = 0;
	for (unsigned node = 0; node < l->nodes; node++) {
		l->first[node] = (uint8_t)count;
		l->paper_first[node] = count;
		add_move(l, &count, (node + 1) % l->nodes, -1);
		if (l->exit[node] >= 0)
			add_move(l, &count, 0, l->exit[node]);
	}
	l->first[l->nodes] = (uint8_t)count;
	l->paper_first[l->nodes] = count;
}

static struct lattice_graph graph_of(const struct loop *l)
{
	return (struct lattice_graph){l->nodes, l->first, l->move};
}

/* Steps to the end; each changes what it says. Returns the number of steps. */
static unsigned step_to_the_end(const struct loop *l, struct bounds_value value[NODES_MAX])
{
	const struct lattice_graph graph = graph_of(l);
	struct bounds_value before[NODES_MAX];
	struct lattice_change change;
	unsigned steps = 0;
	for (unsigned node = 0; node < NODES_MAX; node++)
		value[node] = lattice_start;
	memcpy(before, value, sizeof before);
	for (; lattice_step(&graph, value, &change); steps++) {
		assert_true(steps < CHANGES_MAX);
		assert_true(change.from.undecided);
		assert_false(bounds_equal(change.from, change.to));
		assert_true(bounds_equal(change.from, before[change.node]));
		before[change.node] = change.to;
		for (unsigned node = 0; node < l->nodes; node++)
			assert_true(bounds_equal(before[node], value[node]));
	}
	return steps;
}

static void assert_as_the_paper(struct loop *l)
{
	struct bounds_value value[NODES_MAX];
	uint8_t expected[NODES_MAX];
	size_t undecided = 0;
	make_loop(l);
	const struct bounds_graph graph = {l->nodes, l->paper_first, l->paper_child};
	struct bounds_sweeps sweeps = {.order = BOUNDS_FORWARDS};
	bounds_solve(&graph, &sweeps, expected);
	step_to_the_end(l, value);
	for (unsigned node = 0; node < l->nodes; node++) {
		undecided += value[node].undecided;
		assert_same(lattice_decide(value[node]), expected[node]);
	}
	assert_int_equal(undecided, sweeps.undecided);
}

static struct loop loop_of(unsigned nodes)
{
	struct loop l = {.nodes = nodes};
	for (unsigned node = 0; node < NODES_MAX; node++)
		l.exit[node] = -1;
	return l;
}

/* Without a way out, with one of each value, and with two at any two nodes. */
static void test_all_loops(void **state)
{
	(void)state;
	for (unsigned nodes = 2; nodes <= NODES_MAX; nodes++) {
		struct loop none = loop_of(nodes);
		assert_as_the_paper(&none);
		for (unsigned a = 0; a < nodes; a++)
			for (int x = 0; x < BOUNDS_FINAL; x++) {
				struct loop one = loop_of(nodes);
				one.exit[a] = x;
				assert_as_the_paper(&one);
				for (unsigned b = a + 1; b < nodes; b++)
					for (int y = 0; y < BOUNDS_FINAL; y++) {
						struct loop two = one;
						two.exit[b] = y;
						assert_as_the_paper(&two);
					}
			}
	}
}

/* Figure 4: from the way out backwards, uTW and uLT in turn, and then nothing. */
static void test_figure_4(void **state)
{
	(void)state;
	static const struct {
		unsigned node, to;
	} expected[] = {{0, BOUNDS_UTW}, {3, BOUNDS_ULT}, {2, BOUNDS_UTW}, {1, BOUNDS_ULT}};
	struct loop l = loop_of(4);
	struct bounds_value value[] = {lattice_start, lattice_start, lattice_start, lattice_start};
	struct lattice_change change;
	l.exit[0] = BOUNDS_LW;
	make_loop(&l);
	const struct lattice_graph graph = graph_of(&l);
	for (unsigned i = 0; i < 4; i++) {
		assert_true(lattice_step(&graph, value, &change));
		assert_int_equal(change.node, expected[i].node);
		assert_same(change.from, BOUNDS_UTT);
		assert_same(change.to, expected[i].to);
	}
	assert_false(lattice_step(&graph, value, &change));
}

/* A node without moves is lost, and every node that leads there wins. */
static void test_stuck(void **state)
{
	(void)state;
	const uint8_t first[] = {0, 1, 1};
	const struct lattice_move move[] = {{1, 0}};
	const struct lattice_graph graph = {2, first, move};
	struct bounds_value value[] = {lattice_start, lattice_start};
	struct lattice_change change;
	assert_true(lattice_step(&graph, value, &change));
	assert_int_equal(change.node, 1);
	assert_true(lattice_step(&graph, value, &change));
	assert_false(lattice_step(&graph, value, &change));
	assert_same(value[0], BOUNDS_WW);
	assert_same(value[1], BOUNDS_LL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),     cmocka_unit_test(test_table_2),
		cmocka_unit_test(test_all_loops), cmocka_unit_test(test_figure_4),
		cmocka_unit_test(test_stuck),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
