/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planes in canonical form, and outcomes without depths, on planes made by hand. */
#include "endlab/solve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { POSITIONS = 8, VALUES = 8 };

static const struct el_value values[VALUES] = {
	{.outcome = EL_BROKEN}, {.outcome = EL_DRAW}, {.outcome = EL_WIN, .plies = 3},  {.outcome = EL_LOSS},
	{.outcome = EL_WIN, .plies = 1},    {.outcome = EL_WIN, .plies = 3},  {.outcome = EL_LOSS, .plies = 9}, {.outcome = EL_BROKEN},
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
		{.outcome = EL_BROKEN}, {.outcome = EL_LOSS}, {.outcome = EL_WIN, .plies = 1}, {.outcome = EL_WIN, .plies = 3}, {.outcome = EL_DRAW},
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
	static const struct el_value expected[] = {
		{.outcome = EL_BROKEN}, {.outcome = EL_LOSS}, {.outcome = EL_WIN}, {.outcome = EL_DRAW}};
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_canonical),
		cmocka_unit_test(test_outcomes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
