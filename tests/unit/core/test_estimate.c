/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The planned and the real disk sizes, and what the journal teaches. bench_build compares times. */
#include "core/builder/journal.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct el_metric *const dtm[] = {&el_dtm, NULL};
static const struct el_metric *const wdl[] = {&el_wdl, NULL};

static struct el_plan estimate(struct el_library *library, const char *names,
                               const struct el_metric *const *metrics)
{
	struct el_error error = {.text = ""};
	struct el_plan plan = fixture_plan(library, names, metrics);
	if (el_plan_estimate(library, &plan, &error))
		fail_msg("%s", error.text);
	return plan;
}

static void assert_near(const char *what, double expected, double found)
{
	if (expected > 1.5 * found || found > 1.5 * expected)
		fail_msg("%s: estimated %g, found %g", what, expected, found);
}

static const char *const fours =
	"KQQvK KQRvK KQBvK KQNvK KQPvK KQvKQ KQvKR KQvKB KQvKN KQvKP KRRvK KRBvK KRNvK KRPvK KRvKR "
	"KRvKB KRvKN KRvKP KBBvK KBNvK KBPvK KBvKB KBvKN KBvKP KNNvK KNPvK KNvKN KNvKP KPPvK KPvKP";

/* The sizes of the files of all slices of 3 and 4 pieces; or of the named ones, which take
   longer. */
static void check_group(const char *names, const struct el_metric *const *metrics)
{
	struct el_error error = {.text = ""};
	struct el_library *library = fixture_library(folder, NULL);
	el_library_set_pace(library, 1);
	struct el_plan plan = estimate(library, names, metrics);
	const struct el_build_options options = {.table = el_table_options_preset(EL_PRESET_USUAL)};
	if (el_build(library, &plan, &options, NULL, &error))
		fail_msg("%s", error.text);
	uint64_t bytes = 0;
	for (size_t i = 0; i < plan.count; i++) {
		struct el_solution solution;
		assert_in_range(el_solution_find(folder, &plan.tasks[i].slice, plan.tasks[i].metric,
		                                 &solution, &error),
		                EL_OK, EL_NEGATIVE);
		bytes += solution.effort.bytes;
	}
	printf("note: %s: estimated %.1f MB, found %.1f MB\n", metrics[0]->name,
	       1e-6 * (double)plan.disk, 1e-6 * (double)bytes);
	assert_near("bytes", (double)plan.disk, (double)bytes);
	el_plan_free(&plan);
	el_library_close(library);
}

static void test_depths(void **state)
{
	(void)state;
	const char *more = getenv("SLICES"); /* "KQRvKR KRPvKR" takes minutes */
	check_group(more ? more : tests_are_slow() ? "KQvKR KRvKN KBBvK KNPvK" : fours, dtm);
}

static void test_outcomes(void **state)
{
	(void)state;
	if (tests_are_slow())
		skip();
	check_group(fours, wdl);
}

/* A journal in which everything took ten times as long as planned, and half as much. */
static void test_journal(void **state)
{
	(void)state;
	struct el_error error = {.text = ""};
	struct el_library *library = fixture_library(folder, NULL);
	el_library_set_pace(library, 1);
	struct el_plan planned = estimate(library, fours, dtm);
	for (size_t i = 0; i < planned.count; i++) {
		const struct el_task *t = &planned.tasks[i];
		const struct el_planes planes = {
			.slice = t->slice,
			.metric = t->metric,
			.passes = 10,
			.stage = {{"quiet moves", 1, 1}},
		};
		const struct el_effort effort = {1, 10 * t->seconds - 1e-3, 1e-3, t->disk / 2};
		assert_int_equal(journal_add(folder, &planes, &effort, &error), EL_OK);
	}
	const int before = omp_get_max_threads();
	omp_set_num_threads(1);
	el_library_set_pace(library, 0);
	struct el_plan again = estimate(library, fours, dtm);
	assert_int_equal(again.count, planned.count);
	assert_int_equal(again.tried, 0);
	assert_true(again.seconds > 9.9 * planned.seconds &&
	            again.seconds < 10.1 * planned.seconds);
	assert_true(2.1 * (double)again.disk > (double)planned.disk &&
	            1.9 * (double)again.disk < (double)planned.disk);
	el_plan_free(&again);
	/* Other slices resemble these. */
	el_library_set_pace(library, 1);
	struct el_plan five = estimate(library, "KQRvKR", dtm);
	el_library_set_pace(library, 0);
	again = estimate(library, "KQRvKR", dtm);
	assert_true(2.1 * (double)again.disk > (double)five.disk);
	assert_true(again.seconds > 5 * five.seconds);
	omp_set_num_threads(before);
	el_plan_free(&again);
	el_plan_free(&five);
	el_plan_free(&planned);
	el_library_close(library);
}

/* Older programs' lines say nothing of costs, and are read as before. */
static void test_older_journal(void **state)
{
	(void)state;
	static const char text[] = "KQvK\tdtm\t20\tconversions\t0\t0.000085\tquiet moves\t53967\t"
				   "0.000181\nnonsense\nKRvK\tdtm\t1\tsolved\t2\n";
	struct el_solution solution;
	struct el_slice slice;
	struct el_error error = {.text = ""};
	fixture_write_file(fixture_path(folder, ".journal.tsv"), (const uint8_t *)text,
	                   sizeof text - 1);
	assert_int_equal(el_slice_parse("KQvK", &slice, &error), EL_OK);
	assert_int_equal(el_solution_find(folder, &slice, &el_dtm, &solution, &error), EL_OK);
	assert_int_equal(solution.passes, 20);
	assert_int_equal(solution.effort.threads, 0);
	struct el_library *library = fixture_library(folder, NULL);
	struct el_plan plan = estimate(library, "KQvK KRvKN", dtm);
	assert_true(plan.seconds > 0 && plan.disk > 100000 && plan.bytes > 1000000);
	assert_true(plan.scratch < plan.disk * 4); /* copies alone */
	el_plan_free(&plan);
	el_library_close(library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_depths),
		IN_FOLDER(test_outcomes),
		IN_FOLDER(test_journal),
		IN_FOLDER(test_older_journal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
