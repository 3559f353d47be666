/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The 35 endings of three and four pieces: proves every position of one in FEW from its successors,
 * of all with `TRUTH=all` in the environment, and compares the records with published ones.
 * Sanitizers and valgrind test the same code on the endings of three pieces, in test_examine.c.
 */
#include "core/examine/examine.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
	SLICES = 35,
	FEW = 6, /* from the last, KPvKP, on */
};

static struct el_library *library;
static struct el_slice slices[SLICES];

static int open_tables(void **state)
{
	(void)state;
	if (tests_are_slow()) {
		printf("note: all 35 endings at once are left out under sanitizers and valgrind\n");
		return 0;
	}
	const char *tables = test_tables();
	size_t count = el_chess.slices(3, slices, SLICES);
	count += el_chess.slices(4, slices + count, SLICES - count);
	if (count != SLICES || !tables)
		return -1;
	library = fixture_library(tables, NULL);
	return 0;
}

static int close_tables(void **state)
{
	(void)state;
	if (library)
		el_library_close(library);
	return 0;
}

static void skip_when_slow(void)
{
	if (!library)
		skip();
}

static struct el_stats stats_of(const char *name)
{
	struct el_planes planes = fixture_stored(library, name, &el_dtm);
	const struct el_stats stats = fixture_stats(&planes);
	el_planes_free(&planes);
	return stats;
}

static void test_every_position(void **state)
{
	(void)state;
	skip_when_slow();
	for (int i = SLICES - 1; i >= 0; i -= tests_are_thorough() ? 1 : FEW) {
		struct el_planes planes = fixture_stored(library, slices[i].name, &el_dtm);
		const struct el_verdict verdict = fixture_verdict(library, &planes);
		if (verdict.wrong)
			fail_msg("%s: %llu positions are wrong, first %s", slices[i].name,
			         (unsigned long long)verdict.wrong, verdict.first_fen);
		assert_true(verdict.checked > 0);
		el_planes_free(&planes);
	}
}

/* Longest wins in moves, to mate, by the first-named side and by the other; 0: it cannot win. */
static const struct record {
	const char *name;
	unsigned first, second;
} records[] = {
	{"KQvK", 10, 0},   {"KRvK", 16, 0},   {"KPvK", 28, 0},   {"KBvK", 0, 0},
	{"KNvK", 0, 0},    {"KBNvK", 33, 0},  {"KBBvK", 19, 0},  {"KRvKN", 40, 1},
	{"KRvKB", 29, 0},  {"KQvKB", 17, 0},  {"KQvKN", 21, 0},  {"KQvKQ", 13, 13},
	{"KRvKR", 19, 19}, {"KPvKP", 33, 33}, {"KQvKP", 28, 29}, {"KRvKP", 26, 43},
	{"KNvKP", 7, 29},
};

static void test_records(void **state)
{
	(void)state;
	skip_when_slow();
	for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
		const struct record *r = &records[i];
		struct el_stats stats = stats_of(r->name);
		for (int side = 0; side < 2; side++) {
			const struct el_side_stats *s = &stats.side[side];
			unsigned moves = side == EL_WHITE ? r->first : r->second;
			if ((s->longest[0] + 1) / 2 != moves)
				fail_msg("%s: expected %u moves, found %u plies", r->name, moves,
				         s->longest[0]);
			assert_int_equal(s->all.win > 0, moves > 0);
			assert_int_equal(s->all.win + s->all.draw + s->all.loss, s->all.legal);
		}
		el_stats_free(&stats);
	}
	struct el_stats stats = stats_of("KQvKR"); /* how far the rook gets is less well known */
	assert_int_equal((stats.side[EL_WHITE].longest[0] + 1) / 2, 35);
	el_stats_free(&stats);
}

/* If both sides have the same pieces, Black can do what White can. */
static void test_equal_sides(void **state)
{
	(void)state;
	skip_when_slow();
	struct el_stats stats = stats_of("KPvKP");
	const struct el_side_stats *white = &stats.side[EL_WHITE], *black = &stats.side[EL_BLACK];
	struct el_position w, b, swapped;
	struct el_error error;
	assert_int_equal(white->all.legal, black->all.legal);
	assert_int_equal(white->plies, black->plies);
	assert_memory_equal(white->histogram[0], black->histogram[0],
	                    white->plies * sizeof *white->histogram[0]);
	assert_int_equal(el_chess.parse(white->longest_fen[0], &w, &error), EL_OK);
	assert_int_equal(el_chess.parse(black->longest_fen[0], &b, &error), EL_OK);
	el_chess.swap_colours(&w, &swapped);
	assert_int_equal(b.side, EL_BLACK);
	assert_memory_equal(swapped.set, b.set, sizeof b.set);
	assert_int_equal(stats.mutual_white_half, stats.mutual_black_half);
	el_stats_free(&stats);
}

/* ---- mutual zugzwangs of White's, as symmetry classes ---- */

static bool is_zugzwang(const struct el_planes *planes, const struct el_position *white)
{
	struct el_position black = *white;
	struct el_place place[2];
	black.side = EL_BLACK;
	if (el_chess.in_check(white))
		return false;
	assert_true(el_chess.place(white, &place[0]) && el_chess.place(&black, &place[1]));
	return el_plane_value(&planes->plane[0], place[0].index).outcome == EL_DRAW &&
	       el_plane_value(&planes->plane[1], place[1].index).outcome == EL_LOSS;
}

/* J. Nunn, Secrets of Pawnless Endings, lists them: 18 with rook against knight, 5 with rook
   against bishop. */
static void test_zugzwangs(void **state)
{
	(void)state;
	skip_when_slow();
	static const struct {
		const char *name;
		uint64_t classes;
	} facts[] = {{"KRvKN", 18}, {"KRvKB", 5}};
	for (int i = 0; i < 2; i++) {
		struct el_stats stats = stats_of(facts[i].name);
		struct el_planes planes = fixture_stored(library, stats.slice.name, &el_dtm);
		struct el_position position;
		uint64_t classes = 0, placements = 0;
		for (uint64_t index = 0; index < planes.slice.positions; index++)
			if (el_chess.unplace(&planes.slice, EL_WHITE, index, &position) &&
			    is_zugzwang(&planes, &position)) {
				classes++;
				placements += el_chess.orbit(&position);
			}
		assert_int_equal(classes, facts[i].classes);
		assert_int_equal(stats.mutual_white_half, placements);
		el_planes_free(&planes);
		el_stats_free(&stats);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_position),
		cmocka_unit_test(test_records),
		cmocka_unit_test(test_equal_sides),
		cmocka_unit_test(test_zugzwangs),
	};
	return cmocka_run_group_tests(tests, open_tables, close_tables);
}
