/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans: what is built first, what exists, and what is made again. */
#include "tests/fixtures/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct el_metric *const dtm[] = {&el_dtm, NULL};
static const struct el_metric *const wdl[] = {&el_wdl, NULL};
static const struct el_metric *const both[] = {&el_wdl, &el_dtm, NULL};

/* The planned tables, "KQvK.dtm KRvK.dtm ". */
static void write_plan(const struct el_plan *plan, char *out, size_t size)
{
	size_t used = 0;
	out[0] = '\0';
	for (const struct el_task *t = plan->tasks; t < plan->tasks + plan->count; t++)
		used += (size_t)snprintf(out + used, size - used, "%s.%s ", t->slice.name,
		                         t->metric->name);
}

static void assert_plan(struct el_library *library, const char *names,
                        const struct el_metric *const *metrics, const char *expected)
{
	char text[4096];
	struct el_plan plan = fixture_plan(library, names, metrics);
	write_plan(&plan, text, sizeof text);
	assert_string_equal(text, expected);
	el_plan_free(&plan);
}

/* ---- plans ---- */

static size_t find_task(const struct el_plan *plan, const struct el_slice *slice)
{
	size_t i = 0;
	while (i < plan->count && plan->tasks[i].slice.key != slice->key)
		i++;
	return i;
}

static void test_successors_come_first(void **state)
{
	(void)state;
	struct el_slice slices[64];
	struct el_error error = {0};
	struct el_plan plan;
	size_t count = el_chess.slices(4, slices, 64);
	assert_int_equal(count, 30);
	struct el_library *library = fixture_library("/nonexistent/tables", NULL);
	assert_int_equal(el_plan_make(library, slices, count, dtm, &plan, &error), EL_OK);
	assert_int_equal(plan.count, 35); /* the five of three pieces come along */
	for (size_t i = 0; i < plan.count; i++) {
		struct el_slice successors[EL_SUCCESSORS_MAX];
		size_t n = el_chess.successors(&plan.tasks[i].slice, successors);
		for (size_t s = 0; s < n; s++)
			assert_true(find_task(&plan, &successors[s]) < i);
		assert_int_equal(find_task(&plan, &plan.tasks[i].slice), i);
		assert_true(plan.tasks[i].bytes > 2 * plan.tasks[i].slice.positions);
	}
	el_plan_free(&plan);
	el_library_close(library);
}

static void test_plan_is_short(void **state)
{
	(void)state;
	struct el_library *library = fixture_library("/nonexistent/tables", NULL);
	assert_plan(library, "KQvK", dtm, "KQvK.dtm ");
	assert_plan(library, "KRvK KQvK KRvK", dtm, "KRvK.dtm KQvK.dtm ");
	assert_plan(library, "KQvK", both, "KQvK.dtm KQvK.wdl ");
	assert_plan(library, "KRvKR", both, "KRvK.dtm KRvKR.dtm KRvKR.wdl ");
	assert_plan(library, "KRvKR", wdl, "KRvK.wdl KRvKR.wdl ");
	assert_plan(library, "", dtm, "");
	el_library_close(library);
}

static void test_plan_leaves_out_what_is_there(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH];
	scratch_make(directory);
	fixture_build_in(directory, "KRvK", dtm);
	struct el_library *library = fixture_library(directory, NULL);
	assert_plan(library, "KRvK", dtm, "");
	assert_plan(library, "KRvKR", dtm, "KRvKR.dtm ");
	assert_plan(library, "KRvKR", wdl, "KRvKR.wdl "); /* outcomes are in the other table */
	assert_plan(library, "KRvK", wdl, "KRvK.wdl ");   /* asked for by name */
	el_library_close(library);
	scratch_remove(directory);
}

/* A table elsewhere does not help a user who moves the directory. */
static void test_plan_is_made_in_the_directory(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH], other[SCRATCH_PATH];
	scratch_make(directory);
	scratch_make(other);
	fixture_build_in(other, "KRvK", both);
	fixture_build_in(directory, "KQvK", dtm);
	struct el_library *library = fixture_library(directory, other);
	assert_plan(library, "KRvK", dtm, "KRvK.dtm ");
	assert_plan(library, "KRvKR", dtm, "KRvK.dtm KRvKR.dtm ");
	assert_plan(library, "KRvKR", wdl, "KRvK.wdl KRvKR.wdl ");
	assert_plan(library, "KQvK", dtm, "");
	el_library_close(library);
	scratch_remove(directory);
	scratch_remove(other);
}

/* ---- what is made again ---- */

static int stop_now(void *context, const struct el_progress *progress)
{
	return strcmp(progress->stage, context) != 0;
}

static void assert_wish(struct el_library *library, const char *name, bool replace, bool repair,
                        const char *expected, enum el_target least)
{
	char text[4096];
	struct el_slice slice;
	struct el_plan plan;
	struct el_error error = {0};
	assert_int_equal(el_slice_parse(name, &slice, &error), EL_OK);
	const struct el_plan_wish wish = {
		.slices = &slice, .count = 1, .replace = replace, .repair = repair};
	assert_int_equal(el_plan_wished(library, &wish, &plan, &error), EL_OK);
	write_plan(&plan, text, sizeof text);
	assert_string_equal(text, expected);
	for (size_t i = 0; i < plan.count; i++)
		assert_true(plan.tasks[i].replaces >= least);
	assert_true(!plan.count || !replace ||
	            plan.tasks[plan.count - 1].replaces == EL_TARGET_OTHER);
	el_plan_free(&plan);
}

/* Flips a bit in the middle of a table. */
static void damage(const char *directory, const char *name)
{
	char path[2 * SCRATCH_PATH];
	snprintf(path, sizeof path, "%s/%s", directory, name);
	FILE *file = fopen(path, "r+b");
	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	const long middle = ftell(file) / 2;
	assert_int_equal(fseek(file, middle, SEEK_SET), 0);
	const int byte = fgetc(file);
	assert_int_equal(fseek(file, middle, SEEK_SET), 0);
	fputc(byte ^ 1, file);
	assert_int_equal(fclose(file), 0);
}

static void test_replace_and_repair(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH], sound[SCRATCH_PATH];
	struct el_error error = {0};
	scratch_make(directory);
	scratch_make(sound);
	fixture_build_in(directory, "KRvKR", dtm);
	fixture_build_in(directory, "KQvK", wdl);
	fixture_build_in(sound, "KRvKR", dtm);
	struct el_library *library = fixture_library(directory, NULL);
	assert_wish(library, "KRvKR", true, false, "KRvKR.dtm ", EL_TARGET_OTHER);
	assert_wish(library, "KRvKR", false, true, "", EL_TARGET_DAMAGED);
	damage(directory, "KRvK.dtm.egt");
	damage(directory, "KQvK.wdl.egt"); /* irrelevant to KRvKR */
	assert_wish(library, "KRvKR", false, true, "KRvK.dtm ", EL_TARGET_DAMAGED);
	assert_wish(library, "KRvKR", true, true, "KRvK.dtm KRvKR.dtm ", EL_TARGET_UNREADABLE);
	assert_wish(library, "KQvK", false, true, "KQvK.wdl KQvK.dtm ", EL_TARGET_DAMAGED);

	struct el_slice slice;
	struct el_plan plan;
	const struct el_plan_wish wish = {.slices = &slice, .count = 1, .repair = true};
	const struct el_build_options options = {.table = el_table_options_default()};
	el_slice_parse("KRvKR", &slice, NULL);
	assert_int_equal(el_plan_wished(library, &wish, &plan, &error), EL_OK);
	assert_int_equal(plan.checked, 2);
	assert_int_equal(plan.damaged, 1);
	assert_int_equal(el_build(library, &plan, &options, NULL, &error), EL_OK);
	el_plan_free(&plan);
	scratch_assert_same(directory, sound, "KRvK.dtm.egt");
	scratch_assert_same(directory, sound, "KRvKR.dtm.egt");
	el_library_close(library);
	scratch_remove(directory);
	scratch_remove(sound);
}

static void test_repair_can_be_stopped(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH];
	static char checking[] = "checking";
	const struct el_watch watch = {checking, stop_now};
	struct el_error error = {0};
	struct el_slice slice;
	struct el_plan plan;
	scratch_make(directory);
	fixture_build_in(directory, "KRvK", dtm);
	struct el_library *library = fixture_library(directory, NULL);
	el_slice_parse("KRvK", &slice, NULL);
	const struct el_plan_wish wish = {
		.slices = &slice, .count = 1, .repair = true, .watch = &watch};
	assert_int_equal(el_plan_wished(library, &wish, &plan, &error), EL_STOPPED);
	assert_int_equal(plan.count, 0);
	el_library_close(library);
	scratch_remove(directory);
}

static void note_taken(void *context, const struct el_met *met)
{
	assert_int_equal(met->what, EL_MEETING_TAKEN);
	snprintf(context, EL_SLICE_MAX, "%s", met->task->slice.name);
}

/* A table that appears after the plan was made is the planned one: another build made it. */
static void test_tables_of_others_are_taken(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH], taken[EL_SLICE_MAX] = "";
	struct el_error error = {0};
	scratch_make(directory);
	struct el_library *library = fixture_library(directory, NULL);
	struct el_plan plan = fixture_plan(library, "KQvK KRvK KRvKR", dtm);
	const struct el_build_options options = {
		.table = el_table_options_default(), .context = taken, .met = note_taken};
	fixture_build_in(directory, "KRvK", dtm);
	assert_int_equal(el_build(library, &plan, &options, NULL, &error), EL_OK);
	assert_string_equal(taken, "KRvK");
	assert_true(scratch_has(directory, "KQvK.dtm.egt"));
	assert_true(scratch_has(directory, "KRvKR.dtm.egt"));
	el_plan_free(&plan);
	el_library_close(library);
	scratch_remove(directory);
}

/* A file that a plan may not replace is still found before anything is made. */
static void test_other_files_are_left_alone(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH], from[2 * SCRATCH_PATH], to[2 * SCRATCH_PATH];
	struct el_error error = {0};
	scratch_make(directory);
	struct el_library *library = fixture_library(directory, NULL);
	struct el_plan plan = fixture_plan(library, "KQvK KRvK", dtm);
	const struct el_build_options options = {.table = el_table_options_default()};
	fixture_build_in(directory, "KBvK", dtm);
	snprintf(from, sizeof from, "%s/KBvK.dtm.egt", directory);
	snprintf(to, sizeof to, "%s/KRvK.dtm.egt", directory);
	assert_int_equal(rename(from, to), 0);
	assert_int_equal(el_build(library, &plan, &options, NULL, &error), EL_NEGATIVE);
	assert_non_null(strstr(error.text, "KRvK.dtm.egt: found a dtm table of KBvK"));
	assert_non_null(strstr(error.text, "'endlab build KRvK --replace'"));
	assert_false(scratch_has(directory, "KQvK.dtm.egt"));
	el_plan_free(&plan);
	el_library_close(library);
	scratch_remove(directory);
}

static void test_needs(void **state)
{
	(void)state;
	struct el_library *library = fixture_library("/nonexistent/tables", NULL);
	struct el_plan plan = fixture_plan(library, "KRvKN", both);
	char text[SCRATCH_PATH] = "";
	for (const struct el_task *t = plan.tasks; t < plan.tasks + plan.count; t++) {
		size_t used = strlen(text);
		used += (size_t)snprintf(text + used, sizeof text - used, "%s.%s:", t->slice.name,
		                         t->metric->name);
		for (size_t k = 0; k < t->need_count; k++)
			used += (size_t)snprintf(text + used, sizeof text - used, " %s.%s",
			                         plan.tasks[t->needs[k]].slice.name,
			                         plan.tasks[t->needs[k]].metric->name);
		snprintf(text + used, sizeof text - used, "; ");
	}
	assert_string_equal(text, "KNvK.dtm:; KRvK.dtm:; KRvKN.dtm: KNvK.dtm KRvK.dtm; "
	                          "KRvKN.wdl: KRvKN.dtm; ");
	el_plan_free(&plan);
	el_library_close(library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_successors_come_first),
		cmocka_unit_test(test_plan_is_short),
		cmocka_unit_test(test_plan_leaves_out_what_is_there),
		cmocka_unit_test(test_plan_is_made_in_the_directory),
		cmocka_unit_test(test_replace_and_repair),
		cmocka_unit_test(test_repair_can_be_stopped),
		cmocka_unit_test(test_tables_of_others_are_taken),
		cmocka_unit_test(test_other_files_are_left_alone),
		cmocka_unit_test(test_needs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
