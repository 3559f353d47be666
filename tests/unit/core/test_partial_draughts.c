/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Partial tables of draughts, the game of the published algorithm: forced captures, ends of the
   game that leave no slice, and kings on both sides, whose positions can repeat. */
#include "core/examine/proof.h"
#include "tests/fixtures/partial_fixture.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const struct el_metric *const wdl[] = {&el_wdl, NULL};

static char directory[SCRATCH_PATH];
static struct el_library *library;

static int build_tables(void **state)
{
	(void)state;
	scratch_make(directory);
	library = fixture_library(directory, NULL);
	partial_build(library, "checkers:KMvKM checkers:KMMvK checkers:MMvMM", wdl);
	return 0;
}

static int remove_tables(void **state)
{
	(void)state;
	el_library_close(library);
	scratch_remove(directory);
	return 0;
}

static const struct {
	const char *slice, *hidden;
} cases[] = {
	{"checkers:KMvK", "checkers:KKvK"},
	{"checkers:KvM", "*"},
	{"checkers:MvM", "checkers:KvM"},
	{"checkers:KMvM", "checkers:KKvM"},
	{"checkers:MMvMM", "*"},
	{"checkers:MMvMM", "checkers:MMvM"},
	{"checkers:KKvKM", "checkers:KKvKK"},
	{"checkers:KMvKM", "checkers:KKvKM"},
	{"checkers:KMvKM", "checkers:KMvM checkers:KMvK"},
	{"checkers:KMMvK", "checkers:KKMvK checkers:KMvK"},
};

/* Those of two and three pieces come first. */
static size_t case_count(void)
{
	return tests_are_slow() ? 4 : sizeof cases / sizeof *cases;
}

static void test_contains_the_exact(void **state)
{
	(void)state;
	for (size_t i = 0; i < case_count(); i++) {
		struct el_planes exact = exact_outcomes(library, cases[i].slice);
		struct el_planes planes =
			solved_without(library, cases[i].slice, cases[i].hidden, NULL);
		assert_within(&exact, &planes);
		assert_true(count_bounded(&planes) > 0);
		el_planes_free(&planes);
		el_planes_free(&exact);
	}
}

static void test_published(void **state)
{
	(void)state;
	for (size_t i = 0; i < case_count(); i++)
		assert_published(library, cases[i].slice, cases[i].hidden);
}

static void test_completions(void **state)
{
	(void)state;
	assert_completions(library, "checkers:KMvK", "checkers:KKvK");
	if (tests_are_slow())
		return;
	assert_completions(library, "checkers:KKvKM", "checkers:KKvM");
	assert_completions(library, "checkers:KMMvK", "checkers:KKMvK checkers:KMvK");
	assert_completions(library, "checkers:MMvMM", "checkers:KMvMM");
	assert_completions(library, "checkers:KMvKM", "checkers:KKvKM checkers:KMvK");
}

static void test_nothing_missing(void **state)
{
	(void)state;
	static const char *const slices[] = {"checkers:KMvK", "checkers:KMvKM", "checkers:MMvMM"};
	for (size_t i = 0; i < 3; i++) {
		struct el_planes exact = exact_outcomes(library, slices[i]);
		struct el_planes planes = solved_without(library, slices[i], "", NULL);
		assert_int_equal(count_bounded(&planes), 0);
		assert_within(&planes, &exact);
		el_planes_free(&planes);
		el_planes_free(&exact);
	}
}

static void test_threads(void **state)
{
	(void)state;
	const int before = omp_get_max_threads();
	struct el_planes planes[3];
	for (int t = 0; t < 3; t++) {
		omp_set_num_threads(1 + t);
		planes[t] = solved_without(library, "checkers:KMvKM", "checkers:KKvKM", NULL);
	}
	omp_set_num_threads(before);
	for (int t = 1; t < 3; t++)
		assert_same_planes(&planes[0], &planes[t]);
	for (int t = 0; t < 3; t++)
		el_planes_free(&planes[t]);
}

/* Only men, slice by slice and never a king: the paper's tables, but smaller. */
static void test_men_alone(void **state)
{
	(void)state;
	static const char *const slices[] = {"checkers:MvM", "checkers:MMvM", "checkers:MMvMM"};
	scratch_make(folder);
	struct el_library *men = fixture_library(folder, NULL);
	partial_build(men, "checkers:MMvMM checkers:MvM checkers:MMvM", NULL);
	assert_int_equal(scratch_count(folder, ".egt"), 3);
	for (size_t i = 0; i < 3; i++) {
		struct el_verdict verdict;
		struct el_stats stats;
		struct el_planes planes = fixture_stored(men, slices[i], &el_wdl);
		struct el_planes exact = exact_outcomes(library, slices[i]);
		assert_within(&exact, &planes);
		assert_true(el_planes_partial(&planes));
		assert_int_equal(proof_of_planes(men, &planes, false, NULL, &verdict, NULL, NULL),
		                 EL_OK);
		assert_true(verdict.checked > 0);
		assert_int_equal(verdict.wrong + verdict.loose + verdict.open, 0);
		/* With all tables there, many bounds would be narrower, and none is wrong. */
		assert_int_equal(
			proof_of_planes(library, &planes, false, NULL, &verdict, NULL, NULL),
			EL_OK);
		assert_int_equal(verdict.wrong + verdict.open, 0);
		assert_true(verdict.loose > 0);
		assert_int_equal(el_stats_make(&planes, NULL, &stats, NULL), EL_OK);
		uint64_t quiet = 0;
		for (unsigned own = 0; own < EL_LEADING_RANKS; own++)
			for (unsigned others = 0; others < EL_LEADING_RANKS; others++) {
				const struct el_resolved *r =
					&stats.side[EL_WHITE].resolved[own][others];
				assert_true(r->points <= 2 * r->positions);
				assert_true(!r->positions || (own && others));
				quiet += r->positions;
			}
		assert_int_equal(quiet, stats.side[EL_WHITE].no_capture.legal);
		el_stats_free(&stats);
		el_planes_free(&exact);
		el_planes_free(&planes);
	}
	el_library_close(men);
	scratch_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_contains_the_exact),
		cmocka_unit_test(test_published),
		cmocka_unit_test(test_completions),
		cmocka_unit_test(test_nothing_missing),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_men_alone),
	};
	return cmocka_run_group_tests(tests, build_tables, remove_tables);
}
