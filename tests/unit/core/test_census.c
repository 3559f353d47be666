/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of indexes that are not broken, against published counts and a walk over all
   placements. */
#include "tests/fixtures/positions.h"

#include "core/examine/examine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct el_census census_of(const char *name)
{
	const struct el_slice slice = slice_named(name);
	struct el_census census;
	assert_int_equal(el_census_take(&slice, NULL, &census, NULL), EL_OK);
	return census;
}

/* KQK and KRK: Thompson and many others; KPK: chessprogramming.org, "KPK". */
static void test_published(void **state)
{
	(void)state;
	const struct el_census q = census_of("KQvK"), r = census_of("KRvK"), p = census_of("KPvK");
	assert_int_equal(q.legal[EL_WHITE], 18081);
	assert_int_equal(q.legal[EL_BLACK], 28056);
	assert_int_equal(r.legal[EL_WHITE], 21959);
	assert_int_equal(r.legal[EL_BLACK], 28056);
	assert_int_equal(p.placements[EL_WHITE], 163328);
	assert_int_equal(p.placements[EL_BLACK], 168024);
}

/* A slice of three without pawns, square by square. */
static void test_every_placement(void **state)
{
	uint64_t legal[2] = {0};
	(void)state;
	for (unsigned white = 0; white < 64; white++)
		for (unsigned black = 0; black < 64; black++)
			for (unsigned rook = 0; rook < 64; rook++)
				for (uint8_t side = 0; side < 2; side++) {
					struct el_position p = {.en_passant = EL_NO_SQUARE,
					                        .fullmove = 1,
					                        .side = side};
					if (white == black || rook == white || rook == black)
						continue;
					p.set[EL_WHITE][0] = UINT64_C(1) << white;
					p.set[EL_WHITE][2] = UINT64_C(1) << rook;
					p.set[EL_BLACK][0] = UINT64_C(1) << black;
					legal[side] += !el_chess.check(&p, NULL);
				}
	const struct el_census census = census_of("KRvK");
	assert_int_equal(census.placements[EL_WHITE], legal[EL_WHITE]);
	assert_int_equal(census.placements[EL_BLACK], legal[EL_BLACK]);
}

/* Draughts and Awari have no gaps in their index, Morris has some; equal material has one plane for
   both sides. */
static void test_planes(void **state)
{
	(void)state;
	const struct el_census gapless = census_of("checkers:KMvKM"), equal = census_of("KRvKR");
	const struct el_census three = census_of("morris:3v3"), stones = census_of("awari:6");
	for (unsigned side = 0; side < 2; side++) {
		assert_int_equal(gapless.legal[side], slice_named("checkers:KMvKM").positions);
		assert_int_equal(gapless.placements[side], gapless.legal[side]);
		assert_int_equal(stones.legal[side], 12376);
		assert_int_equal(stones.placements[side], 12376);
	}
	assert_int_equal(three.legal[EL_WHITE], 169626);
	assert_int_equal(three.placements[EL_WHITE], 2024 * 1330);
	assert_true(equal.legal[EL_WHITE] > 0);
	assert_int_equal(equal.legal[EL_WHITE], equal.legal[EL_BLACK]);
	assert_int_equal(equal.placements[EL_WHITE], equal.placements[EL_BLACK]);
}

static int stop(void *context, const struct el_progress *progress)
{
	(void)context;
	assert_string_equal(progress->stage, "counting");
	return 0;
}

static void test_stopping(void **state)
{
	(void)state;
	const struct el_slice slice = slice_named("KRvKP");
	const struct el_watch watch = {NULL, stop};
	struct el_census census;
	struct el_error error;
	assert_int_equal(el_census_take(&slice, &watch, &census, &error), EL_STOPPED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_published),
		cmocka_unit_test(test_every_placement),
		cmocka_unit_test(test_planes),
		cmocka_unit_test(test_stopping),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
