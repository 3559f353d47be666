/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices solved without all of their successors: against the exact tables, against the published
   algorithm on a graph of moves, and against possible completions. */
#include "tests/fixtures/partial_fixture.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

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
	library = fixture_library(tests_are_slow() ? small_test_tables() : test_tables(), NULL);
	return 0;
}

static int close_library(void **state)
{
	(void)state;
	el_library_close(library);
	return 0;
}

/* ---- against the exact tables ---- */

/* A slice and its hidden successors; those of three pieces come first. */
static const struct {
	const char *slice, *hidden;
	bool open; /* something stays open */
} cases[] = {
	{"KPvK", "KQvK", true},   {"KPvK", "KRvK KNvK", true},
	{"KPvK", "*", true},      {"KQvK", "*", false}, /* it enters nothing but bare kings */
	{"KQvKR", "KRvK", true},  {"KQvKR", "KQvK", true},
	{"KRvKN", "KRvK", true},  {"KRvKN", "*", true},
	{"KBNvK", "KBvK", true},  {"KPvKB", "KBvK KQvKB", true},
	{"KPvKP", "KQvKP", true}, {"KPvKP", "KPvK KQvKP KRvK", true},
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

/* Missing slices are reported, each once. */
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

/* ---- every set of missing slices ---- */

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

/* The more is known, the narrower the bounds; if everything is known they are outcomes. */
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

static void test_published(void **state)
{
	(void)state;
	for (unsigned s = 0; s < SUBSETS; s += tests_are_slow() ? 5 : 1) {
		char hidden[32];
		assert_published(library, "KPvK", subset_name(s, hidden));
	}
}

/* En passant, one plane for both sides, and wins possible for both. */
static void test_published_of_four(void **state)
{
	(void)state;
	if (tests_are_slow()) {
		puts("note: graphs of four pieces are left out under sanitizers and valgrind");
		skip();
	}
	if (tests_are_thorough())
		assert_published(library, "KPvKP", "KRvK KQvKP KNvKP");
	assert_published(library, "KRvKN", "KRvK");
}

/* ---- against completions ---- */

static void test_completions(void **state)
{
	(void)state;
	static const struct {
		const char *slice, *hidden;
	} of[] = {
		{"KPvK", "*"},
		{"KPvK", "KQvK KBvK"},
		{"KRvKN", "KRvK"},
		{"KPvKP", "KQvKP KRvK"}, /* only if TRUTH asks for more */
	};
	for (size_t i = 0; i < (tests_are_slow() ? 2 : tests_are_thorough() ? 4 : 3); i++)
		assert_completions(library, of[i].slice, of[i].hidden);
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

/* A lender's failures, except for a missing slice, are failures of the solution. */
static void test_failures(void **state)
{
	(void)state;
	static const enum el_status statuses[] = {EL_DAMAGED, EL_IO, EL_MEMORY};
	for (size_t i = 0; i < 3; i++) {
		enum el_status status = statuses[i];
		const struct el_lender lender = {.context = &status, .lend = lend_nothing};
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
	const struct el_lender lender = {.context = &negative, .lend = lend_nothing};
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
