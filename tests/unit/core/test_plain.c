/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plain set operators against those of the games: slices solved with either have the same
   symbols, with the same values. Every game takes part, and every kind of metric. */
#include "core/games/plain.h"
#include "tests/fixtures/solved.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The same game without its own set operators. */
static struct el_game plain_of(const struct el_game *game)
{
	struct el_game plain = *game;
	plain.measure = plain_measure;
	plain.divide = plain_divide;
	return plain;
}

static void assert_same(const struct el_planes *plain, const struct el_planes *own)
{
	const struct el_slice *slice = &own->slice;
	for (unsigned side = 0; side < slice->planes; side++) {
		const struct el_plane *a = &plain->plane[side], *b = &own->plane[side];
		assert_int_equal(a->value_count, b->value_count);
		for (uint32_t v = 0; v < a->value_count; v++) {
			assert_int_equal(a->values[v].outcome, b->values[v].outcome);
			assert_int_equal(a->values[v].plies, b->values[v].plies);
			assert_int_equal(a->values[v].phase, b->values[v].phase);
		}
		assert_memory_equal(a->symbols, b->symbols, slice->positions * sizeof *a->symbols);
	}
	assert_int_equal(plain->passes, own->passes);
}

/* Solves a slice with the plain operators, from the same lent planes as with its own. */
static void compare(const char *name, const char *metric_name)
{
	struct el_slice slice;
	struct el_error error;
	assert_int_equal(el_slice_parse(name, &slice, &error), EL_OK);
	const struct el_metric *metric = el_metric_find(metric_name);
	struct solved *solved = solved_open();
	const struct el_planes *own = solved_of(solved, &slice, metric);
	const struct el_game plain = plain_of(slice.game);
	const struct el_lender lender = solved_lender(solved);
	struct el_problem problem = {.slice = slice, .metric = metric, .lender = &lender};
	struct el_planes planes;
	problem.slice.game = &plain;
	if (el_solve(&problem, &planes, &error))
		fail_msg("%s %s: %s", name, metric_name, error.text);
	assert_same(&planes, own);
	el_planes_free(&planes);
	solved_close(solved);
}

static const char *const few[][2] = {
	{"KQvK", "dtm"},           {"KRvK", "dtc"},           {"KPvK", "dtm"},
	{"KRvK", "dtz50"},         {"KRvK", "wdl20"},         {"KBvK", "dtr"},
	{"checkers:KvK", "dtw"},   {"checkers:KMvK", "dtw"},  {"checkers:MMvM", "dtc"},
	{"morris:3v3", "dtw"},     {"awari:0", "score"},      {"awari:4", "score"},
	{"oware:4", "score"},      {"oware:7", "score"},      {"morris:2v1+1+2", "dtw"},
	{"morris:3v2+1+1", "dtw"}, {"morris:3v2+0+1", "wdl"},
};

/* With captures en passant, with sides of equal material, and with more pieces. */
static const char *const more[][2] = {
	{"checkers:KMvKM", "dtw"},
	{"morris:4v3", "dtw"},
	{"awari:8", "score"},
};

static void test_symbols(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof few / sizeof *few; i += tests_are_thorough() ? 1 : 2)
		compare(few[i][0], few[i][1]);
	for (size_t i = 0; i < sizeof more / sizeof *more && tests_are_thorough(); i++)
		compare(more[i][0], more[i][1]);
}

static enum el_status lend_nothing(void *context, const struct el_slice *slice,
                                   const struct el_metric *metric, const struct el_planes **out,
                                   struct el_error *error)
{
	(void)context;
	(void)metric;
	(void)out;
	return el_fail(error, EL_NEGATIVE, "no %s", slice->name);
}

/* Bounds, with all successors missing; also if both sides have the same material. */
static void test_bounds(void **state)
{
	(void)state;
	static const char *const names[] = {"checkers:MvM", "checkers:KMvK", "KPvK"};
	const struct el_lender nothing = {.lend = lend_nothing};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct el_problem problem = {.metric = &el_wdl, .lender = &nothing};
		struct el_planes own, planes;
		assert_int_equal(el_slice_parse(names[i], &problem.slice, NULL), EL_OK);
		assert_int_equal(el_solve_partial(&problem, &own, NULL, NULL), EL_OK);
		const struct el_game plain = plain_of(problem.slice.game);
		problem.slice.game = &plain;
		assert_int_equal(el_solve_partial(&problem, &planes, NULL, NULL), EL_OK);
		assert_same(&planes, &own);
		el_planes_free(&planes);
		el_planes_free(&own);
	}
}

/* A pawn's step ends the count of dtz and stays in the slice. */
static void test_refusal(void **state)
{
	(void)state;
	const struct el_game plain = plain_of(&el_chess);
	const struct el_lender nothing = {.lend = lend_nothing};
	struct el_problem problem = {.metric = &el_dtz, .lender = &nothing};
	struct el_planes planes;
	struct el_error error;
	assert_int_equal(el_slice_parse("KPvK", &problem.slice, NULL), EL_OK);
	problem.slice.game = &plain;
	assert_int_equal(el_solve(&problem, &planes, &error), EL_NEGATIVE);
	assert_string_equal(error.text, "KPvK: the plain set operators cannot solve dtz, because a "
	                                "move ends its count and stays in the slice");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_symbols),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_refusal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
