/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The same bytes in every file, whatever the number of threads and the memory: each metric of a
 * game under each preset, against one thread with all memory. `TRUTH=all` in the environment takes
 * all ways; otherwise a share of them.
 */
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

/* Memory in multiples of the least that suffices; 0: all of it. */
struct way {
	int threads;
	unsigned memory;
};

static const struct way first = {1, 0};
static const struct way others[] = {{3, 1}, {2, 0}, {7, 2}, {3, 0}, {1, 1}, {7, 0}, {2, 1}};
enum { OTHERS = sizeof others / sizeof *others };

/* The resources for building a slice under one metric, in the least memory times `memory`. */
static struct el_plan plan_of(struct el_library *library, const char *name,
                              const struct el_metric *metric, unsigned memory)
{
	const struct el_slice slice = slice_named(name);
	const struct el_metric *const metrics[] = {metric, NULL};
	struct el_plan_wish wish = {.slices = &slice, .count = 1, .metrics = metrics};
	struct el_plan plan = {0};
	struct el_error error;
	do {
		el_plan_free(&plan);
		wish.memory += memory ? 1000000 : 0;
		assert_int_equal(el_plan_wished(library, &wish, &plan, &error), EL_OK);
	} while (el_plan_check_memory(&plan, &error) == EL_NEGATIVE);
	if (memory > 1) {
		wish.memory *= memory;
		el_plan_free(&plan);
		assert_int_equal(el_plan_wished(library, &wish, &plan, &error), EL_OK);
	}
	return plan;
}

/* False, and nothing is made, if the least memory is enough for everything. */
static bool make(const char *directory, const char *name, const struct el_metric *metric,
                 enum el_preset preset, struct way way)
{
	const int before = omp_get_max_threads();
	const struct el_build_options options = {.table = el_table_options_preset(preset)};
	struct el_library *library = fixture_library(directory, NULL);
	struct el_error error;
	bool fits = true;
	omp_set_num_threads(way.threads);
	struct el_plan plan = plan_of(library, name, metric, way.memory);
	for (size_t i = 0; i < plan.count; i++)
		fits &= !plan.tasks[i].scratch;
	if (fits == !way.memory && el_build(library, &plan, &options, NULL, &error))
		fail_msg("%s %s: %s", name, metric->name, error.text);
	omp_set_num_threads(before);
	el_plan_free(&plan);
	el_library_close(library);
	return fits == !way.memory;
}

/* The number of tables. */
static size_t same_tables(const char *one, const char *other)
{
	struct el_library *library = fixture_library(other, NULL);
	struct el_entry *entries;
	size_t count;
	assert_int_equal(el_library_list(library, &entries, &count, NULL), EL_OK);
	for (const struct el_entry *e = entries; e < entries + count; e++)
		fixture_same_files(fixture_path(one, strrchr(e->path, '/') + 1), e->path);
	assert_int_equal(scratch_count(one, ".egt"), count);
	el_entries_free(entries, count);
	el_library_close(library);
	return count;
}

/* A share, one in `stride`, of all metrics, presets and ways. */
static void check(const char *name, unsigned stride, bool is_large)
{
	const struct scratch_path one = scratch_in(folder, "one"),
				  other = scratch_in(folder, "other");
	const struct el_slice slice = slice_named(name);
	unsigned number = 0, builds = 0, on_disk = 0;
	size_t tables = 0;
	for (const struct el_metric *const *m = slice.game->metrics; *m; m++)
		for (int preset = EL_PRESET_USUAL; preset < EL_PRESETS; preset++) {
			bool is_made = false;
			for (size_t w = 0; w < OTHERS; w++) {
				if (number++ % stride ||
				    !make(other.text, name, *m, (enum el_preset)preset, others[w]))
					continue;
				is_made = is_made ||
				          make(one.text, name, *m, (enum el_preset)preset, first);
				tables += same_tables(one.text, other.text);
				fixture_remove(other.text);
				builds++;
				on_disk += others[w].memory > 0;
			}
			if (is_made)
				fixture_remove(one.text);
		}
	printf("note: %s: %u builds, %u of them beyond memory, %zu tables\n", name, builds, on_disk,
	       tables);
	assert_int_equal(on_disk > 0, is_large);
	assert_true(tables >= builds && builds > 0);
}

/* Strides share no divisor with the numbers of presets and ways, so that all of these take part. */
static void test_same_bytes(void **state)
{
	static const struct {
		const char *slice;
		unsigned stride, all; /* if TRUTH asks for more */
		bool is_large;        /* for the least memory */
	} tried[] = {
		{"KPvK", 29, 1, false},          {"KQvKR", 107, 1, true},
		{"checkers:KMvM", 13, 1, false}, {"checkers:KMvKM", 0, 1, true},
		{"morris:4v3", 53, 1, true},     {"awari:8", 5, 1, false},
		{"awari:10", 0, 1, true},        {"KQvKP", 0, 41, true},
	};
	(void)state;
	for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
		const unsigned stride = tests_are_thorough()
		                                ? tried[i].all
		                                : tried[i].stride * (tests_are_slow() ? 3 : 1);
		if (stride)
			check(tried[i].slice, stride, tried[i].is_large);
	}
}

/* Some wins come too late: moves are tried in planes that are not in memory, too. Pawns divide these into
   parts, which live as long as the planes. */
static void test_late(void **state)
{
	(void)state;
	const struct scratch_path one = scratch_in(folder, "one"),
				  other = scratch_in(folder, "other");
	const struct el_metric *metric = &el_dtz_rule[19];
	const struct el_slice slice = slice_named(tests_are_thorough() ? "KRvKP" : "KBNvK");
	char path[SCRATCH_PATH + 256];
	assert_true(make(one.text, slice.name, metric, EL_PRESET_USUAL, first));
	assert_true(make(other.text, slice.name, metric, EL_PRESET_USUAL, (struct way){3, 1}));
	same_tables(one.text, other.text);
	el_table_file_name(one.text, &slice, metric, path, sizeof path);
	struct el_table *table = fixture_open(path);
	assert_true(el_table_info(table)->options.left_out);
	el_table_close(table);
	fixture_remove(one.text);
	fixture_remove(other.text);
}

static void a_race_compares_the_bytes(void **state)
{
	struct el_lap laps[] = {{.threads = 1}, {.threads = 3}};
	const struct el_slice slice = slice_named("KRvK");
	struct el_error error;
	(void)state;
	assert_int_equal(el_build_race(&slice, 2, laps, 2, NULL, &error), EL_OK);
	for (size_t i = 0; i < 2; i++) {
		assert_true(laps[i].seconds > 0);
		assert_true(laps[i].same);
		assert_true(laps[i].bytes > 1000);
	}
	assert_int_equal(laps[0].bytes, laps[1].bytes);
	/* the same as those of a build of the user's */
	struct el_entry *entries;
	size_t count, found = 0;
	assert_true(make(folder, "KRvK", el_game_metric(slice.game), EL_PRESET_USUAL, first));
	struct el_library *library = fixture_library(folder, NULL);
	assert_int_equal(el_library_list(library, &entries, &count, NULL), EL_OK);
	for (size_t i = 0; i < count; i++)
		found += el_slice_equal(&entries[i].slice, &slice) &&
		         entries[i].bytes == laps[0].bytes;
	assert_int_equal(found, 1);
	el_entries_free(entries, count);
	el_library_close(library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {IN_FOLDER(test_same_bytes), IN_FOLDER(test_late),
	                                   IN_FOLDER(a_race_compares_the_bytes)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
