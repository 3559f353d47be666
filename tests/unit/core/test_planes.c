/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planes in canonical form, outcomes without depths, and broken indexes, on planes made by hand. */
#include "core/table/table.h"
#include "tests/fixtures/positions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { POSITIONS = 8, VALUES = 8 };

static const struct el_value values[VALUES] = {
	{.outcome = EL_BROKEN},           {.outcome = EL_DRAW},
	{.outcome = EL_WIN, .plies = 3},  {.outcome = EL_LOSS},
	{.outcome = EL_WIN, .plies = 1},  {.outcome = EL_WIN, .plies = 3},
	{.outcome = EL_LOSS, .plies = 9}, {.outcome = EL_BROKEN},
};
static const uint16_t symbols[POSITIONS] = {2, 0, 1, 5, 3, 7, 4, 2};

static struct el_plane make_plane(void)
{
	struct el_plane plane = {
		.symbols = malloc(sizeof symbols),
		.values = malloc(sizeof values),
		.value_count = VALUES,
	};
	assert_non_null(plane.symbols);
	assert_non_null(plane.values);
	memcpy(plane.symbols, symbols, sizeof symbols);
	memcpy(plane.values, values, sizeof values);
	return plane;
}

static void assert_values(const struct el_plane *plane, const struct el_value *expected,
                          uint32_t count)
{
	assert_int_equal(plane->value_count, count);
	for (uint32_t s = 0; s < count; s++)
		assert_true(el_value_equal(plane->values[s], expected[s]));
}

static void test_canonical(void **state)
{
	(void)state;
	static const struct el_value expected[] = {
		{.outcome = EL_BROKEN},
		{.outcome = EL_LOSS},
		{.outcome = EL_WIN, .plies = 1},
		{.outcome = EL_WIN, .plies = 3},
		{.outcome = EL_DRAW},
	};
	struct el_planes planes = {.plane = {make_plane()}};
	struct el_plane *plane = &planes.plane[0];
	for (int again = 0; again < 2; again++) {
		assert_int_equal(el_plane_canonical(plane, POSITIONS, NULL), EL_OK);
		assert_values(plane, expected, 5);
		for (uint64_t i = 0; i < POSITIONS; i++)
			assert_true(el_value_equal(el_plane_value(plane, i), values[symbols[i]]));
	}
	el_planes_free(&planes);
	assert_null(plane->symbols);
}

static void test_outcomes(void **state)
{
	(void)state;
	static const struct el_value expected[] = {{.outcome = EL_BROKEN},
	                                           {.outcome = EL_LOSS},
	                                           {.outcome = EL_WIN},
	                                           {.outcome = EL_DRAW}};
	struct el_planes wdl, planes = {
				      .slice = {.planes = 1, .positions = POSITIONS},
				      .metric = &el_dtm,
				      .plane = {make_plane()},
			      };
	assert_int_equal(el_planes_read(&planes, &el_wdl, &wdl, NULL), EL_OK);
	assert_ptr_equal(wdl.metric, &el_wdl);
	assert_int_equal(wdl.slice.positions, POSITIONS);
	assert_values(&wdl.plane[0], expected, 4);
	for (uint64_t i = 0; i < POSITIONS; i++) {
		struct el_value v = el_plane_value(&wdl.plane[0], i);
		assert_int_equal(v.outcome, values[symbols[i]].outcome);
		assert_int_equal(planes.plane[0].symbols[i], symbols[i]); /* untouched */
	}
	el_planes_free(&planes);
	el_planes_free(&wdl);
}

/* ---- one metric off another ---- */

/* The values of dtr under other metrics: a mate, wins and losses in and out of time. */
static void test_read(void **state)
{
	(void)state;
	static const struct el_value dtr[] = {
		{.outcome = EL_BROKEN},
		{.outcome = EL_LOSS},
		{.outcome = EL_WIN, .plies = 40, .phase = 3},
		{.outcome = EL_WIN, .plies = 41, .phase = 3},
		{.outcome = EL_LOSS, .plies = 41, .phase = 40},
		{.outcome = EL_DRAW},
	};
	const struct {
		const char *metric;
		struct el_value values[6];
	} expected[] = {
		{"dtr", {dtr[0], dtr[1], dtr[2], dtr[3], dtr[4], dtr[5]}},
		{"dtzr",
	         {dtr[0],
	          dtr[1],
	          {EL_WIN, 3, 0, false, false},
	          {EL_WIN, 3, 0, false, false},
	          {EL_LOSS, 40, 0, false, false},
	          dtr[5]}},
		{"wdl20",
	         {dtr[0],
	          dtr[1],
	          {EL_WIN, 0, 0, false, false},
	          {EL_CURSED_WIN, 0, 0, false, false},
	          {EL_BLESSED_LOSS, 0, 0, false, false},
	          dtr[5]}},
		{"wdl21",
	         {dtr[0],
	          dtr[1],
	          {EL_WIN, 0, 0, false, false},
	          {EL_WIN, 0, 0, false, false},
	          dtr[1],
	          dtr[5]}},
		{"wdl",
	         {dtr[0],
	          dtr[1],
	          {EL_WIN, 0, 0, false, false},
	          {EL_WIN, 0, 0, false, false},
	          dtr[1],
	          dtr[5]}},
		{"win",
	         {dtr[0],
	          {EL_AT_MOST_DRAW, 0, 0, false, false},
	          {EL_WIN, 0, 0, false, false},
	          {EL_WIN, 0, 0, false, false},
	          {EL_AT_MOST_DRAW, 0, 0, false, false},
	          {EL_AT_MOST_DRAW, 0, 0, false, false}}},
	};
	uint16_t all[6] = {0, 1, 2, 3, 4, 5};
	struct el_planes planes = {
		.slice = {.planes = 1, .positions = 6},
		.metric = el_metric_find("dtr"),
		.plane[0] = {.symbols = all, .value_count = 6},
	};
	planes.plane[0].values = (struct el_value *)(uintptr_t)dtr;
	for (size_t e = 0; e < sizeof expected / sizeof *expected; e++) {
		struct el_planes read;
		const struct el_metric *metric = el_metric_find(expected[e].metric);
		assert_int_equal(el_planes_read(&planes, metric, &read, NULL), EL_OK);
		assert_ptr_equal(read.metric, metric);
		assert_false(el_planes_partial(&read));
		for (uint64_t i = 0; i < 6; i++) {
			const struct el_value v = el_plane_value(&read.plane[0], i);
			assert_true(el_value_equal(v, expected[e].values[i]));
			assert_true(i == 0 || el_metric_has_value(metric, v));
		}
		el_planes_free(&read);
	}
}

/* If the winner is asked for, a bound may be the whole answer, or leave it open. */
static void test_bounds(void **state)
{
	(void)state;
	static const struct {
		enum el_outcome wdl, win;
		bool open;
	} cases[] = {
		{EL_AT_MOST_DRAW, EL_AT_MOST_DRAW, false},
		{EL_DRAW, EL_AT_MOST_DRAW, false},
		{EL_AT_LEAST_DRAW, EL_UNKNOWN, true},
		{EL_UNKNOWN, EL_UNKNOWN, true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint16_t symbol = 1;
		struct el_value listed[2] = {{.outcome = EL_BROKEN},
		                             {.outcome = (uint8_t)cases[i].wdl}};
		struct el_planes wins, planes = {
					       .slice = {.planes = 1, .positions = 1},
					       .metric = &el_wdl,
					       .plane[0] = {.symbols = &symbol,
		                                            .values = listed,
		                                            .value_count = 2},
				       };
		assert_int_equal(el_planes_partial(&planes), cases[i].wdl != EL_DRAW);
		assert_int_equal(el_planes_read(&planes, &el_win, &wins, NULL), EL_OK);
		assert_int_equal(el_plane_value(&wins.plane[0], 0).outcome, cases[i].win);
		assert_int_equal(el_planes_partial(&wins), cases[i].open);
		el_planes_free(&wins);
	}
}

/* The broken indexes, and no others, are those that the game makes no position of. */
static void test_broken(void **state)
{
	static const char *const names[] = {
		"KQvK",         "KPvK",           "KBBvK",          "KNvKP",      "KPvKP",  "KQvKR",
		"checkers:KvM", "checkers:KMvKM", "checkers:MMMvM", "morris:4v3", "awari:7"};
	(void)state;
	for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
		struct el_planes planes = {.slice = slice_named(names[n])};
		const struct el_slice *slice = &planes.slice;
		struct el_position position;
		uint64_t wrong = 0, broken = 0;
		for (unsigned p = 0; p < slice->planes; p++) {
			planes.plane[p].symbols = malloc(slice->positions * sizeof *symbols);
			assert_non_null(planes.plane[p].symbols);
			for (uint64_t i = 0; i < slice->positions; i++)
				planes.plane[p].symbols[i] = 7;
		}
		el_planes_mark_broken(&planes);
		for (unsigned p = 0; p < slice->planes; p++)
			for (uint64_t i = 0; i < slice->positions; i++) {
				const bool legal = slice->game->unplace(slice, p, i, &position);
				broken += !legal;
				wrong += planes.plane[p].symbols[i] != (legal ? 7 : 0);
			}
		if (wrong)
			fail_msg("%s: %llu indexes are marked wrongly", names[n],
			         (unsigned long long)wrong);
		assert_true(broken > 0 || slice->game != &el_chess);
		el_planes_free(&planes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_canonical), cmocka_unit_test(test_outcomes),
		cmocka_unit_test(test_read),      cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_broken),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
