/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Slices solved without all of their successors: against the exact tables, against the published
 * algorithm on a graph made of moves, and against what any completion would make of them.
 */
#include "partial_fixture.h"
#include "positions.h"
#include "slice_graph.h"
#include "tables.h"

#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct el_library *library;

static int open_library(void **state)
{
	(void)state;
	const struct el_library_options options = {
		.directory = tests_are_slow() ? small_test_tables() : test_tables(),
	};
	return !options.directory || el_library_open(&options, &library, NULL) != EL_OK;
}

static int close_library(void **state)
{
	(void)state;
	el_library_close(library);
	return 0;
}

/* ---- against the exact tables ---- */

/* A slice and successors that are hidden; of three pieces the first ones. */
static const struct {
	const char *slice, *hidden;
	bool open; /* something stays open */
} cases[] = {
	{"KPvK", "KQvK", true},
	{"KPvK", "KRvK KNvK", true},
	{"KPvK", "*", true},
	{"KQvK", "*", false}, /* it enters nothing but bare kings */
	{"KQvKR", "KRvK", true},
	{"KQvKR", "KQvK", true},
	{"KRvKN", "KRvK", true},
	{"KRvKN", "*", true},
	{"KBNvK", "KBvK", true},
	{"KPvKB", "KBvK KQvKB", true},
	{"KPvKP", "KQvKP", true},
	{"KPvKP", "KPvK KQvKP KRvK", true},
	{"KPvKP", "*", true},
};

static size_t case_count(void)
{
	return tests_are_slow() ? 4 : sizeof cases / sizeof *cases;
}

static void test_contains_the_exact(void **state)
{
	(void)state;
	for (size_t i = 0; i < case_count(); i++) {
		struct el_missing missing;
		struct el_planes exact = exact_outcomes(library, cases[i].slice);
		struct el_planes planes =
			solved_without(library, cases[i].slice, cases[i].hidden, &missing);
		assert_within(&exact, &planes);
		assert_int_equal(el_planes_partial(&planes), cases[i].open);
		assert_int_equal(count_bounded(&planes) > 0, cases[i].open);
		for (size_t m = 0; m < missing.count; m++)
			assert_true(set_has(cases[i].hidden, missing.slice[m].name));
		el_planes_free(&planes);
		el_planes_free(&exact);
	}
}

/* What is missing is told, each slice once. */
static void test_names_the_missing(void **state)
{
	(void)state;
	static const char *const slices[] = {"KQvK", "KRvK", "KBvK", "KNvK"};
	struct el_missing missing;
	bool found[4] = {false};
	struct el_planes planes = solved_without(library, "KPvK", "*", &missing);
	assert_int_equal(missing.count, 4);
	for (size_t m = 0; m < 4; m++)
		for (size_t i = 0; i < 4; i++)
			found[i] |= !strcmp(missing.slice[m].name, slices[i]);
	for (size_t i = 0; i < 4; i++)
		assert_true(found[i]);
	el_planes_free(&planes);
	planes = solved_without(library, "KPvK", "KRvK", &missing);
	assert_int_equal(missing.count, 1);
	assert_string_equal(missing.slice[0].name, "KRvK");
	el_planes_free(&planes);
}

static void test_nothing_missing(void **state)
{
	(void)state;
	static const char *const slices[] = {"KPvK", "KRvK", "KQvKR", "KPvKP"};
	for (size_t i = 0; i < (tests_are_slow() ? 2 : 4); i++) {
		struct el_missing missing = {.count = 1};
		struct el_planes ordinary = solved_planes(library, slices[i], &el_wdl);
		struct el_planes planes = solved_without(library, slices[i], "", &missing);
		assert_same_planes(&planes, &ordinary);
		assert_int_equal(missing.count, 0);
		assert_true(planes.passes > 0);
		el_planes_free(&planes);
		el_planes_free(&ordinary);
	}
}

static void test_threads(void **state)
{
	(void)state;
	static const char *const slices[] = {"KPvK", "KPvKP"};
	const int before = omp_get_max_threads();
	for (size_t i = 0; i < (tests_are_slow() ? 1 : 2); i++) {
		struct el_planes planes[3];
		for (int t = 0; t < 3; t++) {
			omp_set_num_threads(1 + t);
			planes[t] = solved_without(library, slices[i], "KQvK KPvK", NULL);
		}
		omp_set_num_threads(before);
		assert_true(el_planes_partial(&planes[0]));
		for (int t = 1; t < 3; t++)
			assert_same_planes(&planes[0], &planes[t]);
		for (int t = 0; t < 3; t++)
			el_planes_free(&planes[t]);
	}
}

/* ---- all sets of missing slices ---- */

enum { SUBSETS = 16 };

static const char *subset_name(unsigned subset, char out[32])
{
	static const char *const slices[] = {"KQvK", "KRvK", "KBvK", "KNvK"};
	*out = '\0';
	for (unsigned i = 0; i < 4; i++)
		if (subset >> i & 1) {
			strcat(out, *out ? " " : "");
			strcat(out, slices[i]);
		}
	return out;
}

/* The more is known, the narrower the bounds; with everything known they are outcomes. */
static void test_narrower_with_more(void **state)
{
	(void)state;
	struct el_planes planes[SUBSETS];
	for (unsigned s = 0; s < SUBSETS; s++) {
		char hidden[32];
		planes[s] = solved_without(library, "KPvK", subset_name(s, hidden), NULL);
	}
	assert_int_equal(count_bounded(&planes[0]), 0);
	for (unsigned s = 0; s < SUBSETS; s++)
		for (unsigned more = 0; more < 4; more++)
			if (s >> more & 1) {
				assert_within(&planes[s & ~(1u << more)], &planes[s]);
				assert_true(count_bounded(&planes[s & ~(1u << more)]) <=
				            count_bounded(&planes[s]));
			}
	assert_true(count_bounded(&planes[SUBSETS - 1]) > count_bounded(&planes[1]));
	for (unsigned s = 0; s < SUBSETS; s++)
		el_planes_free(&planes[s]);
}

/* ---- against the published algorithm ---- */

/* What the graph's moves enter. */
struct world {
	const char *hidden;
	struct el_planes planes[EL_SUCCESSORS_MAX];
	size_t count;
};

static void open_world(struct world *w, const struct el_slice *slice, const char *hidden)
{
	struct el_slice successors[EL_SUCCESSORS_MAX];
	w->hidden = hidden;
	w->count = slice->game->successors(slice, successors);
	for (size_t i = 0; i < w->count; i++)
		w->planes[i] = exact_outcomes(library, successors[i].name);
}

static void close_world(struct world *w)
{
	for (size_t i = 0; i < w->count; i++)
		el_planes_free(&w->planes[i]);
}

static enum el_outcome entered(void *context, const struct el_place *place)
{
	const struct world *w = context;
	for (size_t i = 0; i < w->count; i++) {
		const struct el_planes *planes = &w->planes[i];
		if (planes->slice.key == place->key)
			return set_has(w->hidden, planes->slice.name)
			               ? EL_UNKNOWN
			               : el_plane_value(&planes->plane[place->plane], place->index)
			                         .outcome;
	}
	fail_msg("a move enters a slice that is no successor");
	return EL_UNKNOWN;
}

static void assert_published(const struct el_planes *planes, const uint8_t *bounds)
{
	const struct el_slice *slice = &planes->slice;
	for (unsigned p = 0; p < slice->planes; p++)
		for (uint64_t i = 0; i < slice->positions; i++) {
			struct el_position position;
			char fen[EL_FEN_MAX];
			if (!slice->game->unplace(slice, p, i, &position))
				continue;
			const enum el_outcome ours = el_plane_value(&planes->plane[p], i).outcome;
			const unsigned node = bounds[p * slice->positions + i];
			if (slice_graph_outcome(node) == ours)
				continue;
			slice->game->format(&position, fen);
			fail_msg("%s: expected %s, found %s", fen, bounds_name(node),
			         el_outcome_name(ours));
		}
}

static void compare_with_published(const char *name, const char *hidden)
{
	const struct el_slice slice = slice_named(name);
	struct world world;
	struct bounds_sweeps sweeps = {.order = BOUNDS_BACKWARDS};
	open_world(&world, &slice, hidden);
	struct bounds_graph graph = slice_graph(&slice, entered, &world);
	uint8_t *bounds = malloc(graph.nodes);
	assert_non_null(bounds);
	bounds_solve(&graph, &sweeps, bounds);
	struct el_planes planes = solved_without(library, name, hidden, NULL);
	assert_published(&planes, bounds);
	el_planes_free(&planes);
	free(bounds);
	slice_graph_free(&graph);
	close_world(&world);
}

static void test_published(void **state)
{
	(void)state;
	for (unsigned s = 0; s < SUBSETS; s += tests_are_slow() ? 5 : 1) {
		char hidden[32];
		compare_with_published("KPvK", subset_name(s, hidden));
	}
}

/* En passant, one plane for both sides, and wins that both can hope for. */
static void test_published_of_four(void **state)
{
	(void)state;
	if (tests_are_slow()) {
		puts("note: graphs of four pieces are left out under sanitizers and valgrind");
		skip();
	}
	compare_with_published("KPvKP", "KRvK KQvKP KNvKP");
	compare_with_published("KRvKN", "KRvK");
}

/* ---- against completions ---- */

static enum el_outcome for_white(uint64_t seed, unsigned plane, uint64_t index)
{
	(void)seed;
	(void)index;
	return plane == EL_WHITE ? EL_WIN : EL_LOSS;
}

static enum el_outcome for_black(uint64_t seed, unsigned plane, uint64_t index)
{
	return for_white(seed, !plane, index);
}

/* The mixing function of "splitmix64" (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
   Generators", 2014). */
static enum el_outcome at_random(uint64_t seed, unsigned plane, uint64_t index)
{
	static const enum el_outcome outcomes[] = {EL_LOSS, EL_DRAW, EL_WIN};
	uint64_t z = (2 * index + plane) * UINT64_C(0x9e3779b97f4a7c15) + seed;
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return outcomes[(z ^ z >> 31) % 3];
}

/* The bound of each position that is the best for White, or for Black, is what it comes to. */
static void assert_attained(const struct el_planes *bounds, const struct el_planes *attained,
                            unsigned favoured)
{
	const struct el_slice *slice = &bounds->slice;
	for (unsigned p = 0; p < slice->planes; p++)
		for (uint64_t i = 0; i < slice->positions; i++) {
			struct el_position position;
			if (!slice->game->unplace(slice, p, i, &position))
				continue;
			const enum el_outcome b = el_plane_value(&bounds->plane[p], i).outcome;
			assert_int_equal(el_plane_value(&attained->plane[p], i).outcome,
			                 p == favoured ? el_outcome_upper(b) : el_outcome_lower(b));
		}
}

/*
 * Whatever the hidden tables are, the outcomes lie within the bounds; and tables that one side wins
 * throughout bring out the bounds themselves, so that nobody could give narrower ones. (Not so where
 * a table is hidden whose sides are equal: it cannot be won throughout by one of them.)
 */
static void test_completions(void **state)
{
	(void)state;
	static const struct {
		const char *slice, *hidden;
	} of[] = {
		{"KPvK", "*"}, {"KPvK", "KQvK KBvK"}, {"KRvKN", "KRvK"}, {"KPvKP", "KQvKP KRvK"},
	};
	for (size_t i = 0; i < (tests_are_slow() ? 2 : sizeof of / sizeof *of); i++) {
		const char *slice = of[i].slice, *hidden = of[i].hidden;
		struct el_planes bounds = solved_without(library, slice, hidden, NULL);
		struct el_planes whites = solved_with(library, slice, hidden, for_white, 0);
		struct el_planes blacks = solved_with(library, slice, hidden, for_black, 0);
		const bool equal_sides = bounds.slice.planes == 1;
		if (!equal_sides) {
			assert_attained(&bounds, &whites, EL_WHITE);
			assert_attained(&bounds, &blacks, EL_BLACK);
		}
		assert_within(&whites, &bounds);
		assert_within(&blacks, &bounds);
		for (uint64_t seed = 1; seed < 4; seed++) {
			struct el_planes any = solved_with(library, slice, hidden, at_random, seed);
			assert_within(&any, &bounds);
			el_planes_free(&any);
		}
		el_planes_free(&whites);
		el_planes_free(&blacks);
		el_planes_free(&bounds);
	}
}

/* ---- solving ---- */

static int refuse(void *context, const struct el_progress *progress)
{
	(void)progress;
	unsigned *left = context;
	return --*left != 0;
}

static enum el_status lend_nothing(void *context, const struct el_slice *slice,
                                   const struct el_metric *metric, const struct el_planes **out,
                                   struct el_error *error)
{
	(void)metric;
	(void)out;
	const enum el_status *status = context;
	return el_fail(error, *status, "%s: nothing to lend", slice->name);
}

/* A lender's failures, but for a slice that is not there, are those of the solution. */
static void test_failures(void **state)
{
	(void)state;
	static const enum el_status statuses[] = {EL_DAMAGED, EL_IO, EL_MEMORY};
	for (size_t i = 0; i < 3; i++) {
		enum el_status status = statuses[i];
		const struct el_lender lender = {&status, lend_nothing, NULL};
		const struct el_problem problem = {
			.slice = slice_named("KPvK"),
			.metric = &el_wdl,
			.lender = &lender,
		};
		struct el_planes planes;
		struct el_error error = {.text = ""};
		assert_int_equal(el_solve_partial(&problem, &planes, NULL, &error), status);
		assert_non_null(strstr(error.text, "nothing to lend"));
	}
}

/* Either solution can be stopped. */
static void test_stop(void **state)
{
	(void)state;
	enum el_status negative = EL_NEGATIVE;
	const struct el_lender lender = {&negative, lend_nothing, NULL};
	unsigned asked = 0, stopped = 0;
	for (enum el_status status = EL_STOPPED; status == EL_STOPPED; asked += 3) {
		unsigned left = asked + 1;
		const struct el_watch watch = {&left, refuse};
		const struct el_problem problem = {
			.slice = slice_named("KPvK"),
			.metric = &el_wdl,
			.lender = &lender,
			.watch = &watch,
		};
		struct el_planes planes = {0};
		struct el_error error = {.text = ""};
		status = el_solve_partial(&problem, &planes, NULL, &error);
		stopped += status == EL_STOPPED;
		if (!status)
			el_planes_free(&planes);
		assert_true(status == EL_STOPPED || status == EL_OK);
	}
	assert_true(stopped > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_contains_the_exact), cmocka_unit_test(test_names_the_missing),
		cmocka_unit_test(test_nothing_missing),    cmocka_unit_test(test_threads),
		cmocka_unit_test(test_narrower_with_more), cmocka_unit_test(test_published),
		cmocka_unit_test(test_published_of_four),  cmocka_unit_test(test_completions),
		cmocka_unit_test(test_failures),           cmocka_unit_test(test_stop),
	};
	return cmocka_run_group_tests(tests, open_library, close_library);
}
