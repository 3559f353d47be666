/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Courses: numbered, and in tables. */
#include "core/base/course.h"
#include "core/table/cache.h"
#include "tests/fixtures/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct el_metric *const metric = &el_dtm_rule[EL_RULE_USUAL - 1];

/* A course of up to `most` steps for a position with so many plies at clock 0. */
static size_t make_course(unsigned limit, unsigned plies, size_t most, uint64_t *seed,
                          struct el_course_step steps[EL_COURSE_MAX])
{
	size_t count = 0;
	unsigned until = plies < limit ? limit - plies : 0;
	while (count < most && until < limit) {
		steps[count++] = (struct el_course_step){(uint16_t)until, (uint16_t)plies};
		until += 1 + (unsigned)(fixture_random(seed) % 30);
		plies += 2 + 2 * (unsigned)(fixture_random(seed) % 400);
	}
	return count;
}

static void test_numbers(void **state)
{
	enum { MANY = 100000 };
	struct el_courses *all = el_courses_new();
	(void)state;
	assert_non_null(all);
	assert_int_equal(el_courses_get(all, 0).count, 0);
	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned i = 0; i < MANY; i++) {
			const struct el_course_step steps[] = {{(uint16_t)(i % 100), 1},
			                                       {100, (uint16_t)(3 + i / 100)}};
			const uint32_t number = el_courses_add(all, steps, 2);
			assert_int_equal(number, i + 1);
			const struct el_course c = el_courses_get(all, number);
			assert_int_equal(c.count, 2);
			assert_memory_equal(c.step, steps, sizeof steps);
		}
	assert_int_equal(el_courses_count(all), MANY);
	assert_int_equal(el_courses_add(all, NULL, 0), 0);
	el_courses_free(all);
	el_courses_free(NULL);
}

static void test_values(void **state)
{
	static const struct el_course_step steps[] = {{77, 55}, {81, 59}};
	const struct el_course course = {steps, 2}, none = {NULL, 0};
	const struct el_value win = {.outcome = EL_WIN, .plies = 55};
	const struct el_value loss = {.outcome = EL_LOSS, .plies = 55};
	const struct el_value mated = {.outcome = EL_LOSS};
	(void)state;
	assert_int_equal(el_course_at(course, win, 0).plies, 55);
	assert_int_equal(el_course_at(course, win, 77).plies, 55);
	assert_int_equal(el_course_at(course, win, 78).plies, 59);
	assert_int_equal(el_course_at(course, win, 81).outcome, EL_WIN);
	assert_int_equal(el_course_at(course, win, 82).outcome, EL_CURSED_WIN);
	assert_int_equal(el_course_at(course, win, 82).plies, 0);
	assert_int_equal(el_course_at(course, loss, 99).outcome, EL_BLESSED_LOSS);
	assert_true(el_value_equal(el_course_at(none, mated, 99), mated));
}

/* Made-up values with made-up courses. */
static struct el_planes make_planes(const struct el_metric *under, size_t most, uint64_t seed)
{
	struct el_planes planes = fixture_planes("KQvK", under, seed);
	planes.courses = el_courses_new();
	assert_non_null(planes.courses);
	for (unsigned p = 0; p < planes.slice.planes; p++) {
		struct el_plane *plane = &planes.plane[p];
		plane->course = calloc(planes.slice.positions, sizeof *plane->course);
		assert_non_null(plane->course);
		for (uint64_t i = 0; i < planes.slice.positions; i++) {
			struct el_course_step steps[EL_COURSE_MAX];
			const struct el_value v = el_plane_value(plane, i);
			const size_t count =
				v.plies && v.outcome != EL_BROKEN
					? make_course(under->limit, v.plies, most, &seed, steps)
					: 0;
			plane->course[i] = el_courses_add(planes.courses, steps, count);
		}
	}
	return planes;
}

static void same_courses(const struct el_planes *a, const struct el_planes *b)
{
	for (unsigned p = 0; p < a->slice.planes; p++)
		for (uint64_t i = 0; i < a->slice.positions; i++) {
			const struct el_course x =
				el_courses_get(a->courses, a->plane[p].course[i]);
			const struct el_course y =
				el_courses_get(b->courses, b->plane[p].course[i]);
			assert_int_equal(x.count, y.count);
			if (x.count)
				assert_memory_equal(x.step, y.step, x.count * sizeof *x.step);
		}
}

static void test_tables(void **state)
{
	static const struct {
		unsigned moves;
		size_t most;
	} cases[] = {{50, 1}, {50, 4}, {1, 2}, {299, 40}};
	const struct el_table_options options = fixture_options("zstd", 4096, EL_FILL_NONE);
	const char *path = fixture_path(folder, "KQvK.egt");
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_metric *under = &el_dtm_rule[cases[i].moves - 1];
		struct el_planes planes = make_planes(under, cases[i].most, i + 1), read;
		fixture_write(path, &planes, &options);
		struct el_table *table = fixture_open(path);
		assert_int_equal(el_table_read(table, &read, NULL), EL_OK);
		assert_int_equal(fixture_differences(&planes, &read, 0, false), 0);
		same_courses(&planes, &read);
		el_table_close(table);
		el_planes_free(&planes);
		el_planes_free(&read);
	}
}

static void test_probes(void **state)
{
	const struct el_table_options options = fixture_options("zstd", 4096, EL_FILL_NONE);
	const char *path = fixture_path(folder, "KQvK.dtm50.egt");
	struct el_planes planes = make_planes(metric, 3, 5);
	struct el_cache *cache;
	(void)state;
	fixture_write(path, &planes, &options);
	struct el_table *table = fixture_open(path);
	assert_int_equal(el_cache_open(1 << 20, &cache, NULL), EL_OK);
	const uint64_t owner = el_cache_owner(cache);
	for (unsigned p = 0; p < planes.slice.planes; p++)
		for (uint64_t i = p; i < planes.slice.positions; i += 37) {
			const struct el_plane *plane = &planes.plane[p];
			const struct el_place place = {
				.key = planes.slice.key, .plane = (uint8_t)p, .index = i};
			const struct el_value fresh = el_plane_value(plane, i);
			if (!plane->course[i])
				continue;
			for (unsigned clock = 0; clock < 100; clock += 9) {
				struct el_value v = fresh;
				assert_int_equal(el_table_at_clock(table, cache, owner, &place,
				                                   clock, false, &v, NULL),
				                 EL_OK);
				assert_true(el_value_equal(
					v, el_course_at(
						   el_courses_get(planes.courses, plane->course[i]),
						   fresh, clock)));
				v = fresh;
				assert_int_equal(el_table_at_clock(table, cache, owner, &place,
				                                   clock, true, &v, NULL),
				                 EL_OK);
			}
		}
	el_table_close(table);
	el_cache_close(cache);
	el_planes_free(&planes);
}

/* Each damaged byte of a file is found by whoever reads it. */
static void test_damage(void **state)
{
	const struct el_table_options options = fixture_options("raw", 4096, EL_FILL_NONE);
	const char *path = fixture_path(folder, "KQvK.dtm50.egt");
	struct el_planes planes = make_planes(metric, 3, 9);
	uint64_t seed = 3;
	size_t size;
	(void)state;
	fixture_write(path, &planes, &options);
	uint8_t *bytes = fixture_read_file(path, &size);
	for (unsigned i = 0; i < 300; i++) {
		/* most of them in the last quarter, where the courses are */
		const size_t at = i % 4 ? size - 1 - fixture_random(&seed) % (size / 4)
		                        : fixture_random(&seed) % size;
		const uint8_t change = (uint8_t)(1 + fixture_random(&seed) % 255);
		struct el_table *table;
		struct el_planes read;
		struct el_error error;
		bytes[at] ^= change;
		fixture_write_file(path, bytes, size);
		enum el_status status = el_table_open(path, &table, &error);
		if (!status) {
			status = el_table_read(table, &read, &error);
			el_table_close(table);
		}
		assert_true(status == EL_DAMAGED || status == EL_OUTDATED ||
		            status == EL_UNREADABLE);
		bytes[at] ^= change;
	}
	for (size_t cut = 1; cut < 2000; cut += 97) {
		struct el_table *table;
		fixture_write_file(path, bytes, size - cut);
		assert_int_equal(el_table_open(path, &table, NULL), EL_DAMAGED);
	}
	free(bytes);
	el_planes_free(&planes);
}

/* Planes without courses make no table, and nothing may be left out. */
static void test_refused(void **state)
{
	struct el_table_options options = fixture_options("raw", 4096, EL_FILL_NONE);
	const char *path = fixture_path(folder, "KQvK.dtm50.egt");
	struct el_planes bare = fixture_planes("KQvK", metric, 1);
	struct el_planes planes = make_planes(metric, 2, 2);
	struct el_error error;
	uint64_t size;
	(void)state;
	assert_int_equal(el_table_write(path, &bare, &options, NULL, &size, &error), EL_USAGE);
	assert_non_null(strstr(error.text, "not known how dtm50 changes with the clock"));
	options.derive = EL_DERIVE_SIDE;
	assert_int_equal(el_table_write(path, &planes, &options, NULL, &size, &error), EL_USAGE);
	assert_non_null(strstr(error.text, "a ply of search tells one clock, not all"));
	el_planes_free(&bare);
	el_planes_free(&planes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers), cmocka_unit_test(test_values),
		IN_FOLDER(test_tables),         IN_FOLDER(test_probes),
		IN_FOLDER(test_damage),         IN_FOLDER(test_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
