/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Partial tables as files: plans, and their use in other builds and tables. */
#include "core/builder/build.h"
#include "core/probe/probe.h"
#include "core/table/table.h"
#include "core/whole/lender.h"
#include "tests/fixtures/partial_fixture.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct el_metric *const wdl[] = {&el_wdl, NULL};
static const struct el_metric *const dtm[] = {&el_dtm, NULL};
static const struct el_metric *const dtc[] = {&el_dtc, NULL};

static void assert_plan(struct el_library *library, const char *names,
                        const struct el_metric *const *metrics, const char *expected)
{
	char text[512] = "";
	struct el_plan plan = partial_plan(library, names, metrics);
	for (size_t i = 0; i < plan.count; i++) {
		const struct el_task *t = &plan.tasks[i];
		assert_int_equal(t->partial, metrics == NULL);
		assert_true(t->bytes > 2 * t->slice.positions);
		strcat(strcat(text, t->slice.name), ".");
		strcat(strcat(text, t->metric->name), " ");
	}
	assert_string_equal(text, expected);
	el_plan_free(&plan);
}

static struct el_table_info info_of(const char *file)
{
	struct el_table *table = fixture_open(fixture_path(folder, file));
	const struct el_table_info info = *el_table_info(table);
	el_table_close(table);
	return info;
}

/* ---- plans ---- */

static void test_plan(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	assert_plan(library, "KPvK", NULL, "KPvK.wdl ");
	assert_plan(library, "KNvKP KPvK KQvK KPvK", NULL, "KQvK.wdl KPvK.wdl KNvKP.wdl ");
	/* neither enters the other */
	assert_plan(library, "KRvK KQvK", NULL, "KRvK.wdl KQvK.wdl ");
	assert_plan(library, "", NULL, "");
	el_library_close(library);
}

/* Complete tables stay, partial ones are made again, and depths do not count as a table of
   outcomes. */
static void test_plan_with_tables(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	partial_build(library, "KQvK KPvK", NULL);
	partial_build(library, "KRvK", dtm);
	assert_plan(library, "KQvK KPvK", NULL, "KPvK.wdl ");
	assert_plan(library, "KRvK", NULL, "KRvK.wdl ");
	el_library_close(library);
}

/* To other builds a partial table is none: they make a complete one if they need it. */
static void test_ordinary_plan(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	partial_build(library, "KPvK", NULL);
	assert_plan(library, "KPvK", wdl, "KQvK.wdl KRvK.wdl KBvK.wdl KNvK.wdl KPvK.wdl ");
	assert_plan(library, "KNvKP", dtc,
	            "KQvK.dtc KRvK.dtc KBvK.dtc KNvK.dtc KPvK.dtc KQvKN.dtc KRvKN.dtc KBvKN.dtc "
	            "KNvKN.dtc KNvKP.dtc ");
	partial_build(library, "KPvK", wdl);
	assert_plan(library, "KPvK", NULL, "");
	assert_false(info_of("KPvK.wdl.egt").partial);
	struct el_planes planes = fixture_stored(library, "KPvK", &el_wdl);
	struct el_planes expected = solved_planes(library, "KPvK", &el_wdl);
	assert_within(&planes, &expected);
	el_planes_free(&planes);
	el_planes_free(&expected);
	el_library_close(library);
}

/* A request for outcomes never gets bounds either. */
static void test_bounds_are_no_outcomes(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	const struct el_slice slice = slice_named("KPvK");
	struct el_planes planes;
	struct el_error error = {.text = ""};
	partial_build(library, "KPvK", NULL);
	assert_int_equal(planes_obtain(library, &slice, &el_wdl, &planes, &error), EL_NEGATIVE);
	assert_string_equal(error.text,
	                    "KPvK: its table holds bounds, and no other table the outcomes");
	assert_int_equal(planes_obtain_bounds(library, &slice, &el_wdl, &planes, &error), EL_OK);
	assert_true(el_planes_partial(&planes));
	el_planes_free(&planes);
	partial_build(library, "KPvK", dtm);
	assert_int_equal(planes_obtain(library, &slice, &el_wdl, &planes, &error), EL_OK);
	assert_false(el_planes_partial(&planes));
	el_planes_free(&planes);
	assert_int_equal(planes_obtain_bounds(library, &slice, &el_wdl, &planes, &error), EL_OK);
	assert_false(el_planes_partial(&planes));
	el_planes_free(&planes);
	el_library_close(library);
}

/* A lender that has lent bounds lends none to those who want exact values. */
static void test_lender(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	const struct el_slice slice = slice_named("KPvK");
	const struct el_planes *planes;
	partial_build(library, "KPvK", NULL);
	struct lender *lender = lender_open(library, NULL);
	const struct el_lender lends = lender_interface(lender);
	for (unsigned i = 0; i < 5; i++) {
		lender_accept_bounds(lender, i % 2);
		assert_int_equal(lends.lend(lends.context, &slice, &el_wdl, &planes, NULL),
		                 i % 2 ? EL_OK : EL_NEGATIVE);
		if (i % 2)
			lends.give_back(lends.context, planes);
	}
	lender_close(lender);
	el_library_close(library);
}

/* ---- files ---- */

static void test_missing_is_told(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	struct partial_record record = partial_build(library, "KPvK", NULL);
	struct el_planes planes = fixture_stored(library, "KPvK", &el_wdl);
	assert_string_equal(record.missing, "KQvK KRvK KBvK KNvK ");
	assert_true(record.passes > 20);
	assert_int_equal(planes.passes, record.passes);
	el_planes_free(&planes);
	record = partial_build(library, "KQvK KRvK KPvK", NULL);
	assert_string_equal(record.missing, "KBvK KNvK ");
	record = partial_build(library, "KRvK", dtm);
	assert_string_equal(record.missing, "-");
	el_library_close(library);
}

/* Outcomes with known depths are read off those. */
static void test_read_off_depths(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, small_test_tables());
	struct partial_record record = partial_build(library, "KPvK", NULL);
	assert_string_equal(record.missing, "");
	assert_false(info_of("KPvK.wdl.egt").partial);
	el_library_close(library);
}

/* With nothing missing, the file equals that of an ordinary build. */
static void test_same_file(void **state)
{
	(void)state;
	char other[SCRATCH_PATH];
	scratch_make(other);
	struct el_library *here = fixture_library(folder, NULL),
			  *there = fixture_library(other, NULL);
	partial_build(here, "KPvK", wdl);
	partial_build(there, "KQvK KRvK KBvK KNvK KPvK", NULL);
	static const char *const names[] = {"KQvK.wdl.egt", "KRvK.wdl.egt", "KBvK.wdl.egt",
	                                    "KNvK.wdl.egt", "KPvK.wdl.egt"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		scratch_assert_same(folder, other, names[i]);
	el_library_close(here);
	el_library_close(there);
	scratch_remove(other);
}

static void test_header(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	struct el_entry *entries;
	size_t count, partial = 0;
	const struct partial_record record = partial_build(library, "KQvK KPvK", NULL);
	partial_build(library, "KRvK", dtm);
	assert_true(info_of("KPvK.wdl.egt").partial);
	assert_int_equal(info_of("KPvK.wdl.egt").passes, record.passes);
	assert_false(info_of("KQvK.wdl.egt").partial);
	/* it might have been read off depths */
	assert_int_equal(info_of("KQvK.wdl.egt").passes, 0);
	assert_int_equal(info_of("KRvK.dtm.egt").passes, 32);
	assert_int_equal(el_library_list(library, &entries, &count, NULL), EL_OK);
	for (size_t i = 0; i < count; i++) {
		partial += entries[i].partial;
		assert_int_equal(entries[i].partial, !strcmp(entries[i].slice.name, "KPvK"));
		assert_int_equal(strstr(entries[i].detail, "partial") != NULL, entries[i].partial);
	}
	assert_int_equal(partial, 1);
	el_entries_free(entries, count);
	el_library_close(library);
}

/* Every way to store bounds except one, and back. */
static void test_recode(void **state)
{
	(void)state;
	static const char *const codecs[] = {"raw", "rle", "zstd:3", "xz"};
	struct el_library *library = fixture_library(folder, small_test_tables());
	struct el_planes planes = solved_without(library, "KPvK", "KQvK KRvK", NULL);
	const char *from = fixture_path(folder, "from.egt"), *to = fixture_path(folder, "to.egt");
	struct el_table_options options = fixture_options("raw", 4096, EL_FILL_NONE);
	fixture_write(from, &planes, &options);
	for (size_t i = 0; i < 4; i++) {
		struct el_recoded recoded;
		struct el_error error = {.text = ""};
		options = fixture_options(codecs[i], 1024, i % 2 ? EL_FILL_BEST : EL_FILL_PREVIOUS);
		options.ordering = i < 2 ? EL_ORDER_BEST : EL_ORDER_INDEX;
		if (el_recode(library, from, to, &options, NULL, &recoded, &error))
			fail_msg("%s", error.text);
		struct el_table *table = fixture_open(to);
		struct el_planes again;
		assert_true(el_table_info(table)->partial);
		assert_int_equal(el_table_read(table, &again, &error), EL_OK);
		assert_int_equal(again.passes, planes.passes);
		for (unsigned p = 0; p < 2; p++)
			assert_int_equal(fixture_differences(&planes, &again, p, false), 0);
		el_planes_free(&again);
		el_table_close(table);
	}
	el_planes_free(&planes);
	el_library_close(library);
}

/* A slice stored without derivable values comes back the same: captures into a missing table, and
   into an existing one, give bounds too. */
static void assert_captures_derived(const char *name, const char *known)
{
	struct el_library *library = fixture_library(folder, NULL);
	const struct el_slice slice = slice_named(name);
	struct el_table_options options = el_table_options_default();
	struct el_recoded recoded;
	struct el_error error = {.text = ""};
	char file[SCRATCH_PATH];
	partial_build(library, known, NULL);
	partial_build(library, name, NULL);
	struct el_planes plain = fixture_stored(library, name, &el_wdl);
	assert_true(el_planes_partial(&plain));
	el_table_file_name(folder, &slice, &el_wdl, file, sizeof file);
	options.derive = EL_DERIVE_CAPTURES;
	if (el_recode(library, file, file, &options, NULL, &recoded, &error))
		fail_msg("%s", error.text);
	assert_true(recoded.before.partial);
	assert_true(recoded.bytes < recoded.before.bytes);
	assert_int_equal(el_library_rescan(library, NULL), EL_OK);
	struct el_planes derived = fixture_stored(library, name, &el_wdl);
	assert_within(&derived, &plain);
	assert_within(&plain, &derived);
	assert_int_equal(derived.passes, plain.passes);
	el_planes_free(&plain);
	el_planes_free(&derived);
	el_library_close(library);
}

static void test_captures_derived(void **state)
{
	(void)state;
	assert_captures_derived("checkers:KMvKM", "checkers:KMvK");
	assert_captures_derived("checkers:MMvMM", "checkers:MvM checkers:MMvM");
	if (tests_are_slow())
		return;
	assert_captures_derived("KRvKN", "KRvK");
	assert_captures_derived("KNvKP", "KNvK KQvK");
}

/* ---- tables over tables ---- */

/* Bounds are better than nothing, and outcomes are better than bounds. */
static void test_bounds_from_bounds(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	struct el_planes by[3];
	for (unsigned i = 0; i < 3; i++) {
		if (i == 1)
			partial_build(library, "KQvK KPvK", NULL);
		if (i == 2)
			partial_build(library, "KPvK", wdl);
		partial_build(library, "KNvKP", NULL);
		by[i] = fixture_stored(library, "KNvKP", &el_wdl);
	}
	for (unsigned i = 0; i < 2; i++) {
		assert_within(&by[i + 1], &by[i]);
		assert_true(count_bounded(&by[i + 1]) < count_bounded(&by[i]));
	}
	for (unsigned i = 0; i < 3; i++)
		el_planes_free(&by[i]);
	el_library_close(library);
}

/* The better table answers a probe. */
static void test_exact_before_bounds(void **state)
{
	(void)state;
	const struct el_position position = position_of("8/P7/8/8/8/1k6/8/K7 w - - 0 1");
	struct el_value value;
	struct el_library *library = fixture_library(folder, NULL);
	partial_build(library, "KPvK", NULL);
	partial_build(library, "KPvK", dtm);
	assert_true(info_of("KPvK.wdl.egt").partial);
	assert_int_equal(el_library_value(library, &el_chess, &position, &el_wdl, EL_PROBE_FULL,
	                                  &value, NULL),
	                 EL_OK);
	assert_int_equal(value.outcome, EL_WIN);
	el_library_close(library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_plan),
		IN_FOLDER(test_plan_with_tables),
		IN_FOLDER(test_ordinary_plan),
		IN_FOLDER(test_bounds_are_no_outcomes),
		IN_FOLDER(test_lender),
		IN_FOLDER(test_missing_is_told),
		IN_FOLDER(test_read_off_depths),
		IN_FOLDER(test_same_file),
		IN_FOLDER(test_header),
		IN_FOLDER(test_recode),
		IN_FOLDER(test_captures_derived),
		IN_FOLDER(test_bounds_from_bounds),
		IN_FOLDER(test_exact_before_bounds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
