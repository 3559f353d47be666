/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices: their names, their number, and their successors. */
#include "tests/fixtures/positions.h"
#include "tests/fixtures/refusals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_names(void **state)
{
	static const struct {
		const char *text, *name;
		unsigned pieces, planes;
	} cases[] = {
		{"KQvKR", "KQvKR", 4, 2},       {"KRvKQ", "KQvKR", 4, 2},
		{"KQKR", "KQvKR", 4, 2},        {"KKQ", "KQvK", 3, 2},
		{"KvKP", "KPvK", 3, 2},         {"KRvKR", "KRvKR", 4, 1},
		{"KQvKNN", "KNNvKQ", 5, 2},     {"KPRKRP", "KRPvKRP", 6, 1},
		{"KRRvKQP", "KQPvKRR", 6, 2},   {"KBNvK", "KBNvK", 4, 2},
		{"KPPPPvK", "KPPPPvK", 6, 2},   {"KRBNvKQR", "KRBNvKQR", 7, 2},
		{"KPPPPPvK", "KPPPPPvK", 7, 2},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct el_slice slice = slice_named(cases[i].text);
		assert_string_equal(slice.name, cases[i].name);
		assert_int_equal(slice.pieces, cases[i].pieces);
		assert_int_equal(slice.planes, cases[i].planes);
		assert_ptr_equal(slice.game, &el_chess);
		assert_int_equal(slice.key, slice_named(cases[i].name).key);
	}
}

static void test_wrong_names(void **state)
{
	static const struct refusal refusals[] = {
		{"", "is not a slice"},
		{"KvK", "bare kings are a draw and need no table; a slice of checkers is written "
	                "checkers:KvK"},
		{"KK", "bare kings are a draw and need no table"},
		{"KQRBNvKPPP", "9 pieces, expected at most 8"},
		{"KQ", "names one king"},
		{"NONSENSE", "is not a slice"},
		{"QvK", "expected each side to begin with its king"},
		{"KQv", "expected each side to begin with its king"},
		{"KQKRK", "expected one king on each side"},
		{"KQKvK", "expected one king on each side"},
		{"KXvK", "unknown piece 'X'"},
		{"KQvKvK", "unknown piece 'v'"},
		{"KQ vKR", "unknown piece ' '"},
		{"kqvkr", "expected each side to begin with its king"},
		{"Checkers:KvKM",
	         "is not a slice: expected a name such as KQvKR, checkers:KMMvKM, "
	         "morris:5v3, awari:12 or oware:12; a slice of checkers is written checkers:KMvK"},
		{"chess:KQvK",
	         "is not a slice: expected a name such as KQvKR, checkers:KMMvKM, "
	         "morris:5v3, awari:12 or oware:12; a slice of chess is written KQvK"},
	};
	(void)state;
	assert_slices_refused(refusals, sizeof refusals / sizeof *refusals);
}

static int compare_keys(const void *a, const void *b)
{
	uint64_t left = ((const struct el_slice *)a)->key;
	uint64_t right = ((const struct el_slice *)b)->key;
	return (left > right) - (left < right);
}

/* As many as the files of Syzygy, 5, 30, 110, 365, 1001, and those of eight pieces. */
static void test_census(void **state)
{
	static const size_t expected[] = {0, 0, 0, 5, 30, 110, 365, 1001, 2520, 0};
	static struct el_slice slices[2520];
	(void)state;
	for (unsigned pieces = 0; pieces < 10; pieces++) {
		size_t count = el_chess.slices(pieces, slices, 2520);
		assert_int_equal(count, expected[pieces]);
		assert_int_equal(el_chess.slices(pieces, NULL, 0), count);
		qsort(slices, count, sizeof *slices, compare_keys);
		for (size_t i = 0; i < count; i++) {
			struct el_slice again = slice_named(slices[i].name);
			assert_memory_equal(again.count, slices[i].count, sizeof again.count);
			assert_int_equal(again.key, slices[i].key);
			assert_int_equal(slices[i].pieces, pieces);
			assert_true(i == 0 || slices[i].key != slices[i - 1].key);
		}
	}
}

static void test_sizes(void **state)
{
	(void)state;
	assert_int_equal(slice_named("KQvK").positions, 462 * 64);
	assert_int_equal(slice_named("KPvK").positions, 1806 * 48);
	assert_int_equal(slice_named("KNNvK").positions, 462 * 2016);
	assert_int_equal(slice_named("KPvKP").positions, 1806 * 48 * 48);
	assert_int_equal(slice_named("KQRBvKN").positions, 462ull * 64 * 64 * 64 * 64);
	assert_int_equal(slice_named("KQRvKRBN").positions, 462ull * 64 * 64 * 64 * 64 * 64);
}

static bool is_among(const struct el_slice *slices, size_t count, const struct el_slice *slice)
{
	for (size_t i = 0; i < count; i++)
		if (slices[i].key == slice->key)
			return true;
	return false;
}

static void test_successors(void **state)
{
	static const struct {
		const char *name, *successors[16];
	} cases[] = {
		{"KQvK", {NULL}},
		{"KPvK", {"KQvK", "KRvK", "KBvK", "KNvK", NULL}},
		{"KQvKR", {"KQvK", "KRvK", NULL}},
		{"KRvKR", {"KRvK", NULL}},
		{"KRvKP",
	         {"KPvK", "KRvK", "KQvKR", "KRvKR", "KRvKB", "KRvKN", "KQvK", "KBvK", "KNvK",
	          NULL}},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct el_slice slice = slice_named(cases[i].name), found[EL_SUCCESSORS_MAX];
		size_t count = el_chess.successors(&slice, found), expected = 0;
		for (; cases[i].successors[expected]; expected++) {
			struct el_slice successor = slice_named(cases[i].successors[expected]);
			assert_true(is_among(found, count, &successor));
		}
		assert_int_equal(count, expected);
	}
}

/* Every legal move that leaves the slice enters one of the successors, or leaves bare kings. */
static void check_conversions(const struct el_slice *slice, uint64_t *seed)
{
	struct el_slice successors[EL_SUCCESSORS_MAX], reached;
	struct el_move moves[EL_MOVES_MAX];
	size_t count = el_chess.successors(slice, successors);
	assert_in_range(count, 0, EL_SUCCESSORS_MAX);
	for (unsigned n = 0; n < 100; n++) {
		struct el_position position = random_position(slice, seed), next;
		size_t legal = el_chess.moves(&position, moves);
		for (size_t i = 0; i < legal; i++) {
			el_chess.play(&position, &moves[i], &next);
			if (el_chess.drawn(&next))
				continue;
			assert_int_equal(el_chess.slice_of(&next, &reached, NULL), EL_OK);
			bool stays = !moves[i].captured && moves[i].kind == moves[i].becomes;
			assert_true(stays ? reached.key == slice->key
			                  : is_among(successors, count, &reached));
		}
	}
}

static void test_conversions(void **state)
{
	static struct el_slice slices[2520];
	uint64_t seed = 3;
	(void)state;
	for (unsigned pieces = 3; pieces <= el_chess.group_max; pieces++) {
		size_t count = el_chess.slices(pieces, slices, 2520);
		for (size_t i = 0; i < count; i += test_stride())
			check_conversions(&slices[i], &seed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),      cmocka_unit_test(test_wrong_names),
		cmocka_unit_test(test_census),     cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_successors), cmocka_unit_test(test_conversions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
