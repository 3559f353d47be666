/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a build takes from other programs' tables instead of making it. */
#include "core/builder/build.h"

#include "core/table/table.h"
#include "tests/fixtures/foreign_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char theirs[SCRATCH_PATH];

/* The only foreign table that tests always have: KBvK, all draws. */
static int make_folder(void **state)
{
	char path[SCRATCH_PATH + 32];
	(void)state;
	scratch_make(theirs);
	snprintf(path, sizeof path, "%s/KBvK.rtbw", theirs);
	FILE *file = fopen(path, "wb");
	return !file || fwrite(all_draws, 1, sizeof all_draws, file) != sizeof all_draws ||
	       fclose(file);
}

static int remove_folder(void **state)
{
	(void)state;
	scratch_remove(theirs);
	return 0;
}

static struct el_plan plan_of(struct el_library *library, const char *name,
                              const struct el_metric *metric, bool own)
{
	struct el_slice slice;
	struct el_plan plan;
	struct el_error error = {0};
	const struct el_metric *const metrics[] = {metric, NULL};
	assert_int_equal(el_slice_parse(name, &slice, &error), EL_OK);
	const struct el_plan_wish wish = {
		.slices = &slice, .count = 1, .metrics = metrics, .own = own};
	if (el_plan_wished(library, &wish, &plan, &error))
		fail_msg("%s", error.text);
	return plan;
}

/* `expected`: "KBvK.wdl50 | KBvKB.dtz50 ", loans first. */
static void assert_plan(struct el_library *library, const char *name,
                        const struct el_metric *metric, bool own, const char *expected)
{
	char text[512] = "";
	size_t used = 0;
	struct el_plan plan = plan_of(library, name, metric, own);
	for (size_t i = 0; i < plan.loan_count; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s.%s ",
		                         plan.loans[i].slice.name, plan.loans[i].metric->name);
	used += (size_t)snprintf(text + used, sizeof text - used, "| ");
	for (size_t i = 0; i < plan.count; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s.%s ",
		                         plan.tasks[i].slice.name, plan.tasks[i].metric->name);
	assert_string_equal(text, expected);
	el_plan_free(&plan);
}

/* Outcomes suffice for counts up to a zeroing move, not for mates; tables requested by name are
   made; and nothing is borrowed if that is forbidden. */
static void test_plans(void **state)
{
	const struct el_metric *dtz50 = &el_dtz_rule[49];
	char directory[SCRATCH_PATH];
	(void)state;
	scratch_make(directory);
	struct el_library *library = fixture_library(directory, theirs);
	assert_plan(library, "KBvKB", dtz50, false, "KBvK.wdl50 | KBvKB.dtz50 ");
	assert_plan(library, "KBvKB", &el_wdl, false, "KBvK.wdl | KBvKB.wdl ");
	assert_plan(library, "KBvKB", dtz50, true, "| KBvK.dtz50 KBvKB.dtz50 ");
	assert_plan(library, "KBvKB", &el_dtm, false, "| KBvK.dtm KBvKB.dtm ");
	assert_plan(library, "KBvK", dtz50, false, "| KBvK.dtz50 ");
	assert_plan(library, "KBNvK", dtz50, false, "KBvK.wdl50 | KNvK.dtz50 KBNvK.dtz50 ");
	el_library_close(library);
	scratch_remove(directory);
}

/* Our tables come first, and a loan names the file. */
static void test_ours_go_first(void **state)
{
	char directory[SCRATCH_PATH], path[SCRATCH_PATH + 32];
	(void)state;
	scratch_make(directory);
	struct el_library *library = fixture_library(directory, theirs);
	struct el_error error = {0};
	struct el_plan plan = plan_of(library, "KBvK", &el_dtm, false);
	const struct el_build_options options = {.table = el_table_options_default()};
	assert_int_equal(el_build(library, &plan, &options, NULL, &error), EL_OK);
	el_plan_free(&plan);
	assert_plan(library, "KBvKB", &el_wdl, false, "| KBvKB.wdl ");
	plan = plan_of(library, "KBvKB", &el_dtz_rule[49], false);
	snprintf(path, sizeof path, "%s/KBvK.rtbw", theirs);
	assert_int_equal(plan.loan_count, 1);
	assert_string_equal(plan.loans[0].path, path);
	assert_ptr_equal(plan.loans[0].from, &el_wdl_rule[49]);
	el_plan_free(&plan);
	el_library_close(library);
	scratch_remove(directory);
}

/* ---- files ---- */

/* All bytes of a slice's table, built in a separate directory. Free it. */
static uint8_t *bytes_of(const char *name, const struct el_metric *metric, const char *paths,
                         bool own, size_t *size, size_t *made)
{
	enum { LARGEST = 8 << 20 };
	char directory[SCRATCH_PATH], path[SCRATCH_PATH + 64];
	struct el_error error = {0};
	scratch_make(directory);
	struct el_library *library = fixture_library(directory, paths);
	struct el_plan plan = plan_of(library, name, metric, own);
	const struct el_build_options options = {.table = el_table_options_default()};
	if (el_build(library, &plan, &options, NULL, &error))
		fail_msg("%s", error.text);
	const struct el_task *last = &plan.tasks[plan.count - 1];
	el_table_file_name(directory, &last->slice, metric, path, sizeof path);
	*made = plan.count;
	el_plan_free(&plan);
	el_library_close(library);
	uint8_t *bytes = malloc(LARGEST);
	FILE *file = fopen(path, "rb");
	assert_non_null(bytes);
	assert_non_null(file);
	*size = fread(bytes, 1, LARGEST, file);
	fclose(file);
	scratch_remove(directory);
	return bytes;
}

/* Whatever the build read on the way, the table is the same. */
static void compare(const char *name, const struct el_metric *metric, const char *paths)
{
	size_t borrowed_size, own_size, borrowed_made, own_made;
	uint8_t *borrowed = bytes_of(name, metric, paths, false, &borrowed_size, &borrowed_made);
	uint8_t *own = bytes_of(name, metric, paths, true, &own_size, &own_made);
	assert_int_equal(borrowed_made, 1);
	assert_true(own_made > 1);
	assert_int_equal(borrowed_size, own_size);
	assert_memory_equal(borrowed, own, own_size);
	free(borrowed);
	free(own);
}

/* Four pieces take too long on slow runs. */
static bool only_three_pieces(void)
{
	if (tests_are_slow())
		puts("note: four pieces are left out under sanitizers and valgrind");
	return tests_are_slow();
}

static void test_a_draw_that_is_lent(void **state)
{
	(void)state;
	compare("KBvKB", &el_dtz_rule[49], theirs);
}

static void test_syzygy_outcomes(void **state)
{
	const char *real = foreign_syzygy();
	(void)state;
	compare("KPvK", &el_dtz, real);
	if (only_three_pieces())
		return;
	compare("KRvKB", &el_dtz_rule[49], real);
	compare("KPvKP", &el_dtz_rule[49], real);
	compare("KRvKN", &el_dtc, real);
}

static void test_gaviota_depths(void **state)
{
	const char *real = foreign_gaviota();
	(void)state;
	compare("KPvK", &el_dtm, real);
	if (only_three_pieces())
		return;
	compare("KRvKR", &el_dtm, real);
	compare("KBNvK", &el_dtz, real);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plans),
		cmocka_unit_test(test_ours_go_first),
		cmocka_unit_test(test_a_draw_that_is_lent),
		cmocka_unit_test(test_syzygy_outcomes),
		cmocka_unit_test(test_gaviota_depths),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
