/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices of draughts: their names, their number, and their successors. */
#include "tests/fixtures/positions.h"
#include "tests/fixtures/refusals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SLICES = 4000 }; /* of one number of pieces, at most */

static void test_names(void **state)
{
	static const struct {
		const char *text, *name;
		unsigned pieces, planes;
	} cases[] = {
		{"checkers:KvK", "checkers:KvK", 2, 1},
		{"checkers:MvK", "checkers:KvM", 2, 2},
		{"checkers:KMMvKM", "checkers:KMMvKM", 5, 2},
		{"checkers:KMvMMK", "checkers:KMMvKM", 5, 2},
		{"checkers:MKvKM", "checkers:KMvKM", 4, 1},
		{"checkers:KvMM", "checkers:MMvK", 3, 2},
		{"checkers:KMvKK", "checkers:KKvKM", 4, 2},
		/* from eight pieces on, a slice for each pair of leading ranks */
		{"checkers:MMMMMMM3vM1", "checkers:MMMMMMM3vM1", 8, 2},
		{"checkers:KKMM5vKKMM5", "checkers:KKMM5vKKMM5", 8, 1},
		{"checkers:KKMM3vKKMM5", "checkers:KKMM5vKKMM3", 8, 2},
		{"checkers:MKKM7vKKKK", "checkers:KKKKvKKMM7", 8, 2},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_slice slice = slice_named(cases[i].text);
		assert_string_equal(slice.name, cases[i].name);
		assert_int_equal(slice.pieces, cases[i].pieces);
		assert_int_equal(slice.planes, cases[i].planes);
		assert_ptr_equal(slice.game, &el_checkers);
		assert_int_equal(slice.key, slice_named(cases[i].name).key);
	}
}

static void test_wrong_names(void **state)
{
	static const struct refusal refusals[] = {
		{"checkers:", "'checkers:' names one side, expected two with a v between them"},
		{"checkers:KMKM", "names one side, expected two with a v between them, as in "
	                          "checkers:KMMvKM"},
		{"checkers:Kv", "a side has no pieces"},
		{"checkers:vK", "a side has no pieces"},
		{"checkers:v", "a side has no pieces"},
		{"checkers:KXvK", "unknown piece 'X', expected one of KM"},
		{"checkers:kvk", "unknown piece 'k'"},
		{"checkers:KvKvK", "unknown piece 'v'"},
		{"checkers:K vK", "unknown piece ' '"},
		{"checkers: KvK", "unknown piece ' '"},
		{"checkers:KKKKKvMMMM", "9 pieces, expected at most 8"},
		{"checkers:KKMMvKKMM",
	         "checkers:KKMMvKKMM: slices of 8 pieces are cut by the rank of each "
	         "side's foremost man; expected a name such as "
	         "checkers:KKMM7vKKMM5"},
		{"checkers:KKMM7vKKMM", "are cut by the rank"},
		{"checkers:KKMM7vKKKK5", "a side without men has no leading rank"},
		{"checkers:KMM3vKM", "ranks are named from 8 pieces on"},
		{"checkers:KKKKvMMMM8", "the foremost of 4 men stands on rank 8; expected 1 to 7"},
		{"checkers:KMMMMM1vKK", "the foremost of 5 men stands on rank 1; expected 2 to 7"},
		{"checkers:KKKKvMMMM0", "unknown piece '0'"},
		{"checkers:KKKKvMMMM12", "unknown piece '1'"},
		{"checkers:KKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKvK",
	         "is not a slice"},
		{"draughts:KMvM",
	         "is not a slice: expected a name such as KQvKR, checkers:KMMvKM, "
	         "morris:5v3, awari:12 or oware:12; a slice of checkers is written checkers:KMvM"},
		/* a slice of the other game */
		{"checkers:KQvKR", "unknown piece 'Q', expected one of KM; a slice of chess is "
	                           "written KQvKR"},
		{"checkers:KRKQ", "; a slice of chess is written KQvKR"},
		{"KMvM", "unknown piece 'M', expected one of KQRBNP; a slice of checkers is "
	                 "written checkers:KMvM"},
		{"MvK",
	         "expected each side to begin with its king, as in KQvKR; a slice of checkers is "
	         "written checkers:KvM"},
	};
	(void)state;
	assert_slices_refused(refusals, sizeof refusals / sizeof *refusals);
}

static int compare_keys(const void *a, const void *b)
{
	const uint64_t left = ((const struct el_slice *)a)->key;
	const uint64_t right = ((const struct el_slice *)b)->key;
	return (left > right) - (left < right);
}

/* By hand: the ranks of the foremost of so many men, or none. */
static size_t ranks_of(size_t men)
{
	return men ? 7 - (men - 1) / 4 : 1;
}

/* By hand: n pieces are split between two sides, each with 0 to all kings; pairs of equal size
   count once in either order. Eight are cut by ranks. */
static size_t slices_of(size_t n)
{
	size_t cut = 0, alike = 0;
	for (size_t first = 1; first < n && n == 8; first++)
		for (size_t men = 0; men <= first; men++)
			for (size_t others = 0; others <= n - first; others++)
				cut += ranks_of(men) * ranks_of(others);
	for (size_t men = 0; men <= 4 && n == 8; men++)
		alike += ranks_of(men);
	if (cut)
		return (cut + alike) / 2;
	size_t count = 0;
	for (size_t first = n - 1; first > n - first; first--)
		count += (first + 1) * (n - first + 1);
	const size_t half = n / 2 + 1; /* ways to crown half of the pieces */
	return count + (n % 2 ? 0 : half * (half + 1) / 2);
}

static void test_census(void **state)
{
	static struct el_slice slices[SLICES];
	(void)state;
	assert_int_equal(slices_of(2), 3); /* KvK, KvM, MvM */
	assert_int_equal(slices_of(3), 6); /* KKvK, KMvK, MMvK, and against a man */
	for (unsigned n = 0; n <= el_checkers.group_max + 1u; n++) {
		const size_t count = el_checkers.slices(n, slices, SLICES);
		assert_int_equal(count, n < 2 || n > el_checkers.group_max ? 0 : slices_of(n));
		assert_int_equal(el_checkers.slices(n, NULL, 0), count);
		assert_in_range(count, 0, SLICES);
		if (count)
			qsort(slices, count, sizeof *slices, compare_keys);
		for (size_t i = 0; i < count; i++) {
			const struct el_slice again = slice_named(slices[i].name);
			assert_memory_equal(again.count, slices[i].count, sizeof again.count);
			assert_int_equal(again.key, slices[i].key);
			assert_int_equal(again.positions, slices[i].positions);
			assert_int_equal(slices[i].pieces, n);
			assert_true(i == 0 || slices[i].key != slices[i - 1].key);
		}
	}
}

static void test_slice_of(void **state)
{
	static const char *const cases[][2] = {
		{"W:WK3,20:BK30", "checkers:KMvK"},
		{"B:WK30:BK3,10,11", "checkers:KMMvK"},
		{"B:W30:B3", "checkers:MvM"},
	};
	struct el_slice slice;
	struct el_error error;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_position position = position_of(cases[i][0]);
		assert_int_equal(el_checkers.slice_of(&position, &slice, NULL), EL_OK);
		assert_string_equal(slice.name, cases[i][1]);
	}
	struct el_position position = position_of("B:W21-32:B1-12");
	assert_int_equal(el_checkers.slice_of(&position, &slice, &error), EL_NEGATIVE);
	assert_string_equal(error.text, "the position: 24 pieces, expected at most 8");
	memset(position.set[EL_WHITE], 0, sizeof position.set[EL_WHITE]);
	assert_int_equal(el_checkers.slice_of(&position, &slice, &error), EL_NEGATIVE);
	assert_string_equal(error.text, "the position: a side has no pieces");
}

/* ---- successors ---- */

static size_t find(const struct el_slice *slices, size_t count, const struct el_slice *slice)
{
	size_t i = 0;
	while (i < count && slices[i].key != slice->key)
		i++;
	return i;
}

static void test_successors(void **state)
{
	static const struct {
		const char *name, *successors[16];
	} cases[] = {
		{"checkers:KvK", {NULL}},
		{"checkers:KvM", {"checkers:KvK", NULL}},
		{"checkers:MvM", {"checkers:KvM", NULL}},
		{"checkers:KKvK", {"checkers:KvK", NULL}},
		{"checkers:MMvK", {"checkers:KMvK", "checkers:KvM", NULL}},
		/* one side or the other crowns, takes one, or does both */
		{"checkers:MMvM",
	         {"checkers:KMvM", "checkers:MMvK", "checkers:MvM", "checkers:KvM", NULL}},
		/* three men crown one, take the king or the man, or both; the others crown their
		   man, take one or two, or both */
		{"checkers:MMMvKM",
	         {"checkers:KMMvKM", "checkers:MMMvM", "checkers:MMMvK", "checkers:KMMvM",
	          "checkers:KMMvK", "checkers:MMMvKK", "checkers:KMvMM", "checkers:KMvM",
	          "checkers:KKvMM", "checkers:KKvM", NULL}},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_slice slice = slice_named(cases[i].name);
		struct el_slice found[EL_SUCCESSORS_MAX];
		const size_t count = el_checkers.successors(&slice, found);
		size_t expected = 0;
		for (; cases[i].successors[expected]; expected++) {
			const struct el_slice successor =
				slice_named(cases[i].successors[expected]);
			if (find(found, count, &successor) == count)
				fail_msg("%s: not %s", slice.name, successor.name);
		}
		assert_int_equal(count, expected);
	}
}

static bool has_lost_all(const struct el_position *position)
{
	return !(position->set[position->side][0] | position->set[position->side][1]);
}

/* Marks the successors that moves of one position enter; returns how many moves leave the slice for
   none of them though the game goes on, or stay in it though they convert. */
static unsigned look_ahead(const struct el_slice *slice, const struct el_position *position,
                           const struct el_slice *successors, size_t count, bool *entered)
{
	struct el_move moves[EL_MOVES_MAX];
	const size_t legal = el_checkers.moves(position, moves);
	unsigned wrong = 0;
	for (size_t i = 0; i < legal; i++) {
		struct el_position next;
		struct el_slice reached;
		el_checkers.play(position, &moves[i], &next);
		if (has_lost_all(&next)) {
			wrong += el_checkers.slice_of(&next, &reached, NULL) == EL_OK;
			continue;
		}
		el_checkers.slice_of(&next, &reached, NULL);
		const bool advances = (slice->lead[0] || slice->lead[1]) &&
		                      el_checkers.leading_rank(&next, position->side) !=
		                              el_checkers.leading_rank(position, position->side);
		if (!moves[i].captured && moves[i].kind == moves[i].becomes && !advances) {
			wrong += reached.key != slice->key;
			continue;
		}
		const size_t at = find(successors, count, &reached);
		wrong += at == count;
		if (at < count)
			entered[at] = true;
	}
	return wrong;
}

/* Whenever a move leaves a slice of up to four pieces, it enters one of the successors; and some
   move enters each of them. */
static void check_conversions(const struct el_slice *slice)
{
	struct el_slice successors[EL_SUCCESSORS_MAX];
	bool entered[EL_SUCCESSORS_MAX] = {0};
	const size_t count = el_checkers.successors(slice, successors);
	unsigned wrong = 0;
	for (unsigned plane = 0; plane < slice->planes; plane++)
		for (uint64_t index = 0; index < slice->positions; index += test_stride()) {
			struct el_position position;
			assert_true(el_checkers.unplace(slice, plane, index, &position));
			wrong += look_ahead(slice, &position, successors, count, entered);
		}
	if (wrong)
		fail_msg("%s: %u moves are not foreseen", slice->name, wrong);
	for (size_t i = 0; i < count && test_stride() == 1; i++)
		if (!entered[i])
			fail_msg("%s never becomes %s", slice->name, successors[i].name);
}

static void test_conversions(void **state)
{
	static struct el_slice slices[SLICES];
	(void)state;
	for (unsigned pieces = 2; pieces <= 4; pieces++) {
		const size_t count = el_checkers.slices(pieces, slices, SLICES);
		for (size_t i = 0; i < count; i++)
			check_conversions(&slices[i]);
	}
}

/* Slices of more pieces, in samples. */
static void test_larger_conversions(void **state)
{
	static struct el_slice slices[SLICES];
	uint64_t seed = 19;
	(void)state;
	for (unsigned pieces = 5; pieces <= el_checkers.group_max; pieces++) {
		const size_t slice_count = el_checkers.slices(pieces, slices, SLICES);
		for (size_t i = 0; i < slice_count; i++) {
			struct el_slice successors[EL_SUCCESSORS_MAX];
			bool entered[EL_SUCCESSORS_MAX] = {0};
			const size_t count = el_checkers.successors(&slices[i], successors);
			assert_in_range(count, 1, EL_SUCCESSORS_MAX);
			for (unsigned n = 0; n < 300 / test_stride() + 3; n++) {
				const struct el_position p = random_position(&slices[i], &seed);
				assert_int_equal(
					look_ahead(&slices[i], &p, successors, count, entered), 0);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_wrong_names),
		cmocka_unit_test(test_census),
		cmocka_unit_test(test_slice_of),
		cmocka_unit_test(test_successors),
		cmocka_unit_test(test_conversions),
		cmocka_unit_test(test_larger_conversions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
