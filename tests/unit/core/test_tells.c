/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which table implies which metric: the sources of a library's answers and of planes, and of
   plans. */
#include "core/builder/build.h"
#include "core/probe/probe.h"
#include "core/table/table.h"
#include "core/whole/lender.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/scratch.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct el_metric *metric_of(const char *name)
{
	const struct el_metric *metric = el_metric_find(name);
	if (!metric)
		fail_msg("no metric %s", name);
	return metric;
}

/* A separate folder with made-up tables of KQvK, by their metrics: "wdl20 dtr". */
struct shelf {
	char path[SCRATCH_PATH];
	struct el_library *library;
	struct el_planes planes[8];
	size_t count;
};

static void shelf_open(struct shelf *s, const char *metrics)
{
	char copy[64];
	snprintf(copy, sizeof copy, "%s", metrics);
	s->count = 0;
	scratch_make(s->path);
	for (char *name = strtok(copy, " "); name; name = strtok(NULL, " ")) {
		char file[32];
		snprintf(file, sizeof file, "KQvK.%s.egt", name);
		s->planes[s->count] = fixture_table(fixture_path(s->path, file), "KQvK",
		                                    metric_of(name), 7 + s->count);
		s->count++;
	}
	s->library = fixture_library(s->path, NULL);
}

static void shelf_close(struct shelf *s)
{
	el_library_close(s->library);
	for (size_t i = 0; i < s->count; i++)
		el_planes_free(&s->planes[i]);
	fixture_remove(s->path);
}

/* Counts positions of KQvK whose value in the library differs from the plane. */
static uint64_t count_others(const struct shelf *s, const struct el_planes *planes)
{
	uint64_t others = 0;
	for (uint64_t i = 0; i < planes->slice.positions; i++) {
		struct el_position p;
		struct el_value value;
		if (!el_chess.unplace(&planes->slice, 0, i, &p))
			continue;
		assert_int_equal(el_library_value(s->library, &el_chess, &p, planes->metric,
		                                  EL_PROBE_FULL, &value, NULL),
		                 EL_OK);
		others += !el_value_equal(value, el_plane_value(&planes->plane[0], i));
	}
	return others;
}

/* The table of `from` answers for `asked`, and gives its planes; null: no table does. */
static void expect_from(const struct shelf *s, const char *asked, const char *from)
{
	const struct el_metric *metric = metric_of(asked);
	const struct el_planes *table = s->planes;
	struct el_planes expected, found;
	struct el_error error;
	if (!from) {
		assert_int_equal(planes_obtain(s->library, &table->slice, metric, &found, &error),
		                 EL_NEGATIVE);
		return;
	}
	while (strcmp(table->metric->name, from) != 0)
		assert_true(++table < s->planes + s->count);
	assert_int_equal(el_planes_read(table, metric, &expected, &error), EL_OK);
	assert_ptr_equal(expected.metric, metric);
	const uint64_t others = count_others(s, &expected);
	if (others)
		fail_msg("%s from %s: %llu values", asked, from, (unsigned long long)others);
	assert_int_equal(planes_obtain(s->library, &table->slice, metric, &found, &error), EL_OK);
	assert_ptr_equal(found.metric, metric);
	for (unsigned side = 0; side < 2; side++)
		assert_int_equal(fixture_differences(&expected, &found, side, false), 0);
	el_planes_free(&expected);
	el_planes_free(&found);
}

/* Rules share a place in lists of metrics, and yet each has its own tables. */
static void test_answers(void **state)
{
	(void)state;
	struct shelf s;
	shelf_open(&s, "dtz50 dtr wdl20 dtz20");
	static const char *const from[][2] = {
		{"dtz20", "dtz20"}, {"dtz50", "dtz50"}, {"dtz10", NULL},    {"dtr", "dtr"},
		{"dtzr", "dtr"},    {"wdl20", "wdl20"}, {"wdl50", "dtz50"}, {"wdl3", "dtr"},
		{"wdl", "wdl20"},   {"win", "wdl20"},   {"dtm", NULL},      {"dtz", NULL},
	};
	for (size_t i = 0; i < sizeof from / sizeof *from; i++)
		expect_from(&s, from[i][0], from[i][1]);
	shelf_close(&s);
	shelf_open(&s, "win dtm");
	expect_from(&s, "win", "win");
	expect_from(&s, "wdl", "dtm");
	shelf_close(&s);
}

static void test_lists(void **state)
{
	(void)state;
	struct shelf s;
	struct el_entry *entries;
	size_t count;
	shelf_open(&s, "dtz50 dtr wdl20 dtz9 wdl");
	static const char *const order[] = {"wdl", "wdl20", "dtz9", "dtz50", "dtr"};
	const struct el_metric *metric = NULL;
	scratch_touch(s.path, "KQvK.dtz12.egt");
	assert_int_equal(el_library_list(s.library, &entries, &count, NULL), EL_OK);
	assert_int_equal(count, 5);
	for (size_t i = 0; i < count; i++) {
		assert_string_equal(entries[i].metric->name, order[i]);
		metric = el_library_next_metric(s.library, &entries[i].slice, metric);
		assert_ptr_equal(metric, entries[i].metric);
	}
	assert_null(el_library_next_metric(s.library, &entries[0].slice, metric));
	/* A file that cannot be opened still counts as one of its metric. */
	assert_int_equal(el_library_rescan(s.library, NULL), EL_OK);
	metric = el_library_next_metric(s.library, &entries[0].slice, metric_of("dtz9"));
	assert_string_equal(metric->name, "dtz12");
	el_entries_free(entries, count);
	shelf_close(&s);
}

/* ---- wins alone ---- */

/* Writes the wins of a slice, and nothing more. */
static void write_wins(const char *directory, const char *name)
{
	struct el_library *library = fixture_library(test_tables(), NULL);
	struct el_table_options options = fixture_options("zstd:1", 4096, EL_FILL_BEST);
	struct el_slice slice;
	struct el_planes wins;
	char path[SCRATCH_PATH + 64];
	assert_int_equal(el_slice_parse(name, &slice, NULL), EL_OK);
	assert_int_equal(planes_obtain(library, &slice, &el_win, &wins, NULL), EL_OK);
	assert_false(el_planes_partial(&wins));
	el_planes_mark_broken(&wins);
	el_table_file_name(directory, &slice, &el_win, path, sizeof path);
	fixture_write(path, &wins, &options);
	el_planes_free(&wins);
	el_library_close(library);
}

static bool same_outcome(struct el_library *const libraries[2], const struct el_position *p)
{
	struct el_value value[2] = {{.outcome = EL_UNKNOWN, .plies = 1}, {.outcome = EL_UNKNOWN}};
	for (unsigned i = 0; i < 2; i++)
		el_library_value(libraries[i], &el_chess, p, &el_wdl, EL_PROBE_FULL, &value[i],
		                 NULL);
	return el_value_equal(value[0], value[1]);
}

/* Counts positions whose outcome differs between the two, including those after double steps. */
static uint64_t compare(struct el_library *const libraries[2], const struct el_slice *slice,
                        uint64_t *rights)
{
	uint64_t wrong = 0, found = 0;
	for (uint64_t i = 0; i < 2 * slice->positions; i += 61) {
		struct el_position p, next;
		struct el_move moves[EL_MOVES_MAX];
		if (!el_chess.unplace(slice, i % 2, i / 2, &p))
			continue;
		wrong += !same_outcome(libraries, &p);
		for (size_t m = el_chess.moves(&p, moves); m-- > 0;) {
			el_chess.play(&p, &moves[m], &next);
			if (next.en_passant == EL_NO_SQUARE)
				continue;
			found++;
			wrong += !same_outcome(libraries, &next);
		}
	}
	*rights = found;
	return wrong;
}

/* A search of one ply finds the exact outcome of positions that are not won. */
static void test_outcomes_from_wins(void **state)
{
	(void)state;
	static const char *const names[] = {"KPvKP", "KQvKP", "KRvKP", "KBvKP", "KNvKP",
	                                    "KPvK",  "KQvKQ", "KQvKR", "KQvKB", "KQvKN",
	                                    "KRvKR", "KRvKB", "KRvKN", "KBvKB", "KBvKN",
	                                    "KNvKN", "KQvK",  "KRvK",  "KBvK",  "KNvK"};
	if (tests_are_slow()) {
		puts("note: outcomes from wins are left out under sanitizers and valgrind");
		skip();
	}
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		write_wins(folder, names[i]);
	struct el_library *const libraries[2] = {
		fixture_library(folder, NULL),
		fixture_library(test_tables(), NULL),
	};
	struct el_slice slice;
	uint64_t rights;
	assert_int_equal(el_slice_parse("KRvKN", &slice, NULL), EL_OK);
	assert_int_equal(compare(libraries, &slice, &rights), 0);
	assert_int_equal(el_slice_parse("KPvKP", &slice, NULL), EL_OK);
	assert_int_equal(compare(libraries, &slice, &rights), 0);
	assert_true(rights > 100);

	struct el_entry *entries;
	size_t count;
	assert_int_equal(el_library_list(libraries[0], &entries, &count, NULL), EL_OK);
	assert_int_equal(count, sizeof names / sizeof *names);
	for (size_t i = 0; i < count; i++) {
		assert_false(entries[i].partial);
		assert_null(strstr(entries[i].detail, "partial"));
	}
	el_entries_free(entries, count);
	for (unsigned i = 0; i < 2; i++)
		el_library_close(libraries[i]);
}

/* ---- plans ---- */

/* The planned tables, and the sources that they are read off: "KQvK.wdl<dtm". */
static void expect_plan(struct el_library *library, const char *slices, const char *metrics,
                        const char *expected)
{
	const struct el_metric *list[8] = {NULL};
	struct el_slice slice[8];
	struct el_plan plan;
	char copy[128], text[1024] = "";
	size_t used = 0, listed = 0;
	const size_t count = slices_listed(slices, slice, 8);
	snprintf(copy, sizeof copy, "%s", metrics);
	for (char *name = strtok(copy, " "); name; name = strtok(NULL, " "))
		list[listed++] = metric_of(name);
	assert_int_equal(el_plan_make(library, slice, count, list, &plan, NULL), EL_OK);
	for (const struct el_task *t = plan.tasks; t < plan.tasks + plan.count; t++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%s.%s%s%s",
		                         used ? " " : "", t->slice.name, t->metric->name,
		                         t->from ? "<" : "", t->from ? t->from->name : "");
	assert_string_equal(text, expected);
	el_plan_free(&plan);
}

/* Tables that conversions enter must have what the metric needs; metrics that another one implies
   are read off it, in whatever order they are named. */
static void test_plans(void **state)
{
	(void)state;
	struct el_library *none = fixture_library("/nonexistent/tables", NULL);
	expect_plan(none, "KQvKR", "dtz", "KRvK.dtz KQvK.dtz KQvKR.dtz");
	expect_plan(none, "KQvKR", "dtz20", "KRvK.dtz20 KQvK.dtz20 KQvKR.dtz20");
	expect_plan(none, "KQvKR", "wdl20", "KRvK.wdl20 KQvK.wdl20 KQvKR.wdl20");
	expect_plan(none, "KQvKR", "dtzr", "KRvK.dtr KQvK.dtr KQvKR.dtzr");
	expect_plan(none, "KQvKR", "win", "KRvK.wdl KQvK.wdl KQvKR.win");
	expect_plan(none, "KQvK", "win wdl50 dtzr dtr dtz",
	            "KQvK.dtr KQvK.dtz KQvK.win<dtz "
	            "KQvK.wdl50<dtr KQvK.dtzr<dtr");
	expect_plan(none, "KQvK", "dtz dtz20 wdl20", "KQvK.dtz KQvK.dtz20 KQvK.wdl20<dtz20");
	expect_plan(none, "KRvKR KRvK", "dtm dtz", "KRvK.dtm KRvKR.dtm KRvKR.dtz KRvK.dtz");
	el_library_close(none);

	struct shelf s;
	shelf_open(&s, "dtz20");
	expect_plan(s.library, "KQvK", "wdl", "KQvK.wdl<dtz20");
	expect_plan(s.library, "KQvK", "wdl20 dtz20", "KQvK.wdl20<dtz20");
	expect_plan(s.library, "KQvKQ", "dtz", "KQvKQ.dtz");
	expect_plan(s.library, "KQvKQ", "dtz20", "KQvKQ.dtz20");
	expect_plan(s.library, "KQvKQ", "dtz21", "KQvK.dtz21 KQvKQ.dtz21");
	expect_plan(s.library, "KQvKQ", "dtm", "KQvK.dtm KQvKQ.dtm");
	shelf_close(&s);
	/* Wins do not imply the outcome that successors must supply. */
	shelf_open(&s, "win");
	expect_plan(s.library, "KQvKQ", "dtz", "KQvK.dtz KQvKQ.dtz");
	expect_plan(s.library, "KQvKQ", "win", "KQvK.wdl KQvKQ.win");
	shelf_close(&s);
}

/* All of it: built, read off, and probed. */
static void test_build(void **state)
{
	(void)state;
	const struct el_metric *const metrics[] = {&el_win, &el_dtm, &el_wdl, NULL};
	struct el_library *library = fixture_library(folder, NULL);
	const struct el_slice slice = slice_named("KRvK");
	struct el_planes planes[3];
	assert_int_equal(fixture_build(library, "KRvK", metrics), EL_OK);
	for (unsigned i = 0; i < 3; i++)
		planes[i] = fixture_stored(library, "KRvK", metrics[i]);
	for (unsigned side = 0; side < 2; side++)
		for (uint64_t i = 0; i < slice.positions; i++) {
			struct el_position p;
			if (!el_chess.unplace(&slice, side, i, &p))
				continue;
			const struct el_value depth = el_plane_value(&planes[1].plane[side], i);
			assert_int_equal(el_plane_value(&planes[0].plane[side], i).outcome,
			                 depth.outcome == EL_WIN ? EL_WIN : EL_AT_MOST_DRAW);
			assert_int_equal(el_plane_value(&planes[2].plane[side], i).outcome,
			                 depth.outcome);
		}
	for (unsigned i = 0; i < 3; i++)
		el_planes_free(&planes[i]);
	el_library_close(library);
}

int main(void)
{
	if (!small_test_tables() || (!tests_are_slow() && !test_tables()))
		return 1;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_lists),
		IN_FOLDER(test_outcomes_from_wins),
		cmocka_unit_test(test_plans),
		IN_FOLDER(test_build),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
