/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tests' partial information algorithm, against the paper and over draughts. */
#include "tests/fixtures/tables.h"
#include "tests/oracles/draughts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- values ---- */

/* Reads bounds off their names, "uTW": 0 to 2 for L, T, W. */
static unsigned letter(unsigned bounds, unsigned from_the_end)
{
	const char *name = bounds_name(bounds);
	return (unsigned)(strchr("LTW", name[strlen(name) - from_the_end]) - "LTW");
}

static unsigned lower(unsigned bounds)
{
	return letter(bounds, 2);
}

static unsigned upper(unsigned bounds)
{
	return letter(bounds, 1);
}

static bool unknown(unsigned bounds)
{
	return bounds_name(bounds)[0] == 'u';
}

static unsigned greater(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

/* Table 2 takes the greater of the lower bounds and the greater of the upper ones; it keeps a u,
   unless the result is a win. */
static void test_table_2(void **state)
{
	(void)state;
	for (unsigned a = 0; a < BOUNDS_COUNT; a++)
		for (unsigned b = 0; b < BOUNDS_COUNT; b++) {
			unsigned max = bounds_max(a, b);
			assert_int_equal(lower(max), greater(lower(a), lower(b)));
			assert_int_equal(upper(max), greater(upper(a), upper(b)));
			assert_int_equal(unknown(max),
			                 max != BOUNDS_WW && (unknown(a) || unknown(b)));
		}
}

static void test_negation(void **state)
{
	(void)state;
	for (unsigned a = 0; a < BOUNDS_COUNT; a++) {
		unsigned negated = bounds_negate(a);
		assert_int_equal(lower(negated), 2 - upper(a));
		assert_int_equal(upper(negated), 2 - lower(a));
		assert_int_equal(unknown(negated), unknown(a));
	}
}

/* ---- small graphs ---- */

/* Four positions in a circle, the first with a way out whose value is `out` for the mover's
   opponent, and a fifth position without moves. */
static void assert_circle(unsigned out, const uint8_t known[5], size_t undecided)
{
	uint32_t first[] = {0, 2, 3, 4, 5, 5};
	int32_t child[] = {1, ~(int32_t)out, 2, 3, 0};
	struct bounds_graph graph = {.nodes = 5, .first = first, .child = child};
	for (unsigned order = BOUNDS_FORWARDS; order <= BOUNDS_SHUFFLED; order++) {
		struct bounds_sweeps sweeps = {.order = (enum bounds_order)order, .seed = 1};
		uint8_t found[5];
		bounds_solve(&graph, &sweeps, found);
		assert_memory_equal(found, known, sizeof found);
		assert_int_equal(sweeps.undecided, undecided);
	}
}

/* The paper's Figure 3: the way out of a draw by repetition loses, or may lead anywhere. */
static void test_figure_3(void **state)
{
	(void)state;
	static const uint8_t draws[] = {BOUNDS_TT, BOUNDS_TT, BOUNDS_TT, BOUNDS_TT, BOUNDS_LL};
	static const uint8_t bounds[] = {BOUNDS_TW, BOUNDS_LT, BOUNDS_TW, BOUNDS_LT, BOUNDS_LL};
	static const uint8_t decided[] = {BOUNDS_WW, BOUNDS_LL, BOUNDS_WW, BOUNDS_LL, BOUNDS_LL};
	assert_circle(BOUNDS_WW, draws, 4);
	assert_circle(BOUNDS_LW, bounds, 4);
	assert_circle(BOUNDS_LL, decided, 0);
}

/* ---- draughts ---- */

/* The paper's setting: the slices that crowning enters are missing, all with fewer pieces are
   known. */
static bool crownings(const char *slice, const char *entered)
{
	return strlen(slice) == strlen(entered);
}

static bool everything(const char *slice, const char *entered)
{
	return strcmp(slice, entered) != 0;
}

struct exact {
	uint8_t *value; /* of bounds */
	size_t count;
};

static void note_exact(const struct draughts_board *board, const struct draughts_value *value,
                       void *context)
{
	static const uint8_t bounds[] = {BOUNDS_LL, BOUNDS_TT, BOUNDS_WW};
	struct exact *exact = context;
	(void)board;
	exact->value[exact->count++] = bounds[value->outcome];
}

static uint8_t *exact_values(const struct draughts *d, const char *slice)
{
	struct exact exact = {.value = malloc(2 * draughts_placements(slice, NULL, NULL))};
	assert_non_null(exact.value);
	draughts_each(d, slice, note_exact, &exact);
	return exact.value;
}

/* Every value contains the exact one. */
static void assert_holds(const struct bounds_graph *graph, const uint8_t *found,
                         const uint8_t *exact)
{
	for (size_t i = 0; i < graph->nodes; i++) {
		assert_false(unknown(found[i]));
		assert_in_range(lower(exact[i]), lower(found[i]), upper(found[i]));
	}
}

/* The value of moves into missing slices, if these were lost for one of the sides: WW or LL for the
   side to move there. Nodes with even numbers have White to move. */
static void lose_missing(const struct bounds_graph *graph, unsigned loser, int32_t *child)
{
	for (size_t node = 0; node < graph->nodes; node++) {
		int32_t lost = node % 2 == loser ? ~BOUNDS_WW : ~BOUNDS_LL;
		for (uint32_t i = graph->first[node]; i < graph->first[node + 1]; i++)
			child[i] = graph->child[i] == ~BOUNDS_LW ? lost : graph->child[i];
	}
}

/* No bound could be better: each is the value of the position if all missing slices are lost for
   one of the sides, a graph without bounds. */
static void assert_tight(const struct bounds_graph *graph, const uint8_t *found)
{
	struct bounds_graph settled = *graph;
	uint8_t *value = malloc(graph->nodes);
	settled.child = malloc((graph->first[graph->nodes] + (size_t)1) * sizeof *settled.child);
	assert_true(value && settled.child);
	for (unsigned loser = DRAUGHTS_WHITE; loser <= DRAUGHTS_BLACK; loser++) {
		struct bounds_sweeps sweeps = {.order = BOUNDS_FORWARDS};
		lose_missing(graph, loser, settled.child);
		bounds_solve(&settled, &sweeps, value);
		for (size_t node = 0; node < graph->nodes; node++) {
			assert_int_equal(lower(value[node]), upper(value[node]));
			if (node % 2 == loser)
				assert_int_equal(lower(found[node]), lower(value[node]));
			else
				assert_int_equal(upper(found[node]), upper(value[node]));
		}
	}
	free(settled.child);
	free(value);
}

/* Sweeps in every order give the same result; returns the positions that stay undecided to the
   end. */
static size_t solve_in_all_orders(const struct bounds_graph *graph, uint8_t *value)
{
	struct bounds_sweeps forwards = {.order = BOUNDS_FORWARDS};
	uint8_t *other = malloc(graph->nodes);
	assert_non_null(other);
	bounds_solve(graph, &forwards, value);
	for (unsigned order = BOUNDS_BACKWARDS; order <= BOUNDS_SHUFFLED; order++) {
		struct bounds_sweeps sweeps = {.order = (enum bounds_order)order, .seed = 2005};
		bounds_solve(graph, &sweeps, other);
		assert_memory_equal(other, value, graph->nodes);
		assert_int_equal(sweeps.undecided, forwards.undecided);
	}
	free(other);
	return forwards.undecided;
}

/* `circles`: both sides have kings, so positions can repeat. */
struct slice {
	const char *name;
	bool circles;
};

static void assert_slice(const struct draughts *d, const struct slice *slice)
{
	static draughts_missing *const settings[] = {NULL, crownings, everything};
	uint8_t *exact = exact_values(d, slice->name);
	for (unsigned i = 0; i < sizeof settings / sizeof *settings; i++) {
		struct bounds_graph graph = draughts_graph(d, slice->name, settings[i]);
		uint8_t *found = malloc(graph.nodes);
		assert_non_null(found);
		size_t undecided = solve_in_all_orders(&graph, found);
		assert_int_equal(undecided > 0, slice->circles);
		assert_holds(&graph, found, exact);
		assert_tight(&graph, found);
		if (!settings[i])
			assert_memory_equal(found, exact, graph.nodes);
		free(found);
		bounds_graph_free(&graph);
	}
	free(exact);
}

static void test_small_slices(void **state)
{
	(void)state;
	static const char *const names[] = {"MMvM", NULL};
	static const struct slice slices[] = {
		{"MvM", false},  {"KvM", false}, {"MMvM", false}, {"KMvM", false},
		{"MMvK", false}, {"KvK", true},  {"KMvK", true},  {"KKvK", true},
	};
	struct draughts *d = draughts_solve(names);
	for (unsigned i = 0; i < sizeof slices / sizeof *slices; i++)
		assert_slice(d, &slices[i]);
	draughts_free(d);
}

static void test_large_slice(void **state)
{
	(void)state;
	static const char *const names[] = {"KMvKM", NULL};
	static const struct slice slice = {"KMvKM", true};
	if (tests_are_slow())
		skip();
	struct draughts *d = draughts_solve(names);
	assert_slice(d, &slice);
	draughts_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_2),     cmocka_unit_test(test_negation),
		cmocka_unit_test(test_figure_3),    cmocka_unit_test(test_small_slices),
		cmocka_unit_test(test_large_slice),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
