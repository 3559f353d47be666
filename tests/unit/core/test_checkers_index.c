/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gapless index of draughts: both directions, over whole slices; its order; its digits. */
#include "tests/fixtures/positions.h"

#include "core/games/checkers/index.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SLICES = 4000 }; /* of one number of pieces, at most */

/* ---- parts ---- */

/* By Pascal's triangle. */
static void test_choose(void **state)
{
	uint64_t row[CHOOSE_MAX + 1] = {1};
	(void)state;
	for (unsigned n = 0; n <= 64; n++) {
		for (unsigned k = 0; k <= CHOOSE_MAX; k++)
			assert_int_equal(choose[n][k], row[k] > UINT32_MAX ? UINT32_MAX : row[k]);
		for (unsigned k = CHOOSE_MAX; k > 0; k--)
			row[k] += row[k - 1];
	}
}

/* All sets of k of so many squares. */
static void check_ranks(unsigned squares, unsigned k)
{
	uint64_t before = 0;
	for (uint32_t rank = 0; rank < choose[squares][k]; rank += test_stride()) {
		const uint64_t set = choose_unrank(rank, k);
		if (set <= before || set >> squares || choose_rank(set) != rank ||
		    checkers_count((uint32_t)set) != k)
			fail_msg("rank %u of %u squares", rank, k);
		before = set;
	}
}

static void test_ranks(void **state)
{
	(void)state;
	assert_int_equal(choose_unrank(0, 0), 0);
	assert_int_equal(choose_rank(0), 0);
	for (unsigned k = 1; k <= CHOOSE_MAX; k++)
		check_ranks(k <= el_checkers.group_max ? 32 : 24, k);
}

static void test_squeezing(void **state)
{
	uint64_t seed = 29;
	(void)state;
	for (unsigned n = 0; n < 100000; n++) {
		const uint32_t removed = (uint32_t)(random_next(&seed) >> 20);
		const uint32_t set = (uint32_t)(random_next(&seed) >> 20) & ~removed;
		uint32_t expected = 0, number = 0;
		for (unsigned square = 0; square < 32; square++)
			if (!(removed >> square & 1))
				expected |= (set >> square & 1) << number++;
		assert_int_equal(squeeze(set, removed), expected);
		assert_int_equal(squeeze_by_counting(set, removed), expected);
		assert_int_equal(spread(expected, removed), set);
		assert_int_equal(spread_by_counting(expected, removed), set);
	}
	assert_int_equal(squeeze_by_counting(UINT32_MAX, 0), UINT32_MAX);
	assert_int_equal(spread_by_counting(UINT32_MAX, 0), UINT32_MAX);
	assert_int_equal(spread_by_counting(0, UINT32_MAX), 0);
}

/* ---- whole slices ---- */

static bool comes_back(const struct el_slice *slice, unsigned plane, uint64_t index)
{
	struct el_position position;
	struct el_slice found;
	struct el_place place;
	return el_checkers.unplace(slice, plane, index, &position) && position.side == plane &&
	       el_checkers.check(&position, NULL) == EL_OK &&
	       el_checkers.slice_of(&position, &found, NULL) == EL_OK && found.key == slice->key &&
	       el_checkers.place(&position, &place) && place.key == slice->key &&
	       place.plane == plane && place.index == index;
}

static void check_indexes(const struct el_slice *slice, uint64_t stride)
{
	for (unsigned plane = 0; plane < slice->planes; plane++) {
		uint64_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
		for (uint64_t index = 0; index < slice->positions; index += stride)
			wrong += !comes_back(slice, plane, index);
		wrong += !comes_back(slice, plane, slice->positions - 1);
		if (wrong)
			fail_msg("%s: %llu wrong", slice->name, (unsigned long long)wrong);
	}
}

/* All of up to four pieces, some of more. */
static void test_all_indexes(void **state)
{
	static struct el_slice slices[SLICES];
	(void)state;
	if (test_stride() > 1)
		printf("note: every %u-th index only\n", test_stride());
	for (unsigned pieces = 2; pieces <= el_checkers.group_max; pieces++) {
		const size_t count = el_checkers.slices(pieces, slices, SLICES);
		for (size_t i = 0; i < count; i++) {
			/* of a slice cut by rank there are many */
			const uint64_t samples =
				(slices[i].lead[0] || slices[i].lead[1] ? 307 : 20011) /
					test_stride() +
				101;
			check_indexes(&slices[i], pieces <= 4 ? test_stride()
			                                      : slices[i].positions / samples + 1);
		}
	}
}

/* Published by Schaeffer and others for Chinook's databases: placements of n pieces of any colours,
   without a side to move; and those of four pieces a side. Placements of one colour have no slice and are
   counted here. */
static void test_totals(void **state)
{
	static const uint64_t published[] = {
		0, 120, 6972, 261224, 7092774, 148688232, 2503611964, 34779531480, 406309208481,
	};
	static const uint64_t four_a_side = 111378534401;
	uint64_t fours = 0;
	static struct el_slice slices[SLICES];
	(void)state;
	for (unsigned pieces = 1; pieces <= 8; pieces++) {
		uint64_t placements = 0;
		const size_t count = el_checkers.slices(pieces, slices, SLICES);
		for (size_t i = 0; i < count;
		     i++) { /* either way round, unless both are the same */
			const uint8_t *white = slices[i].count[0];
			placements += slices[i].planes * slices[i].positions;
			if (pieces == 8 && white[0] + white[1] == 4)
				fours += slices[i].planes * slices[i].positions;
		}
		for (unsigned men = 0; men <= pieces; men++)
			placements +=
				2 * (uint64_t)choose[28][men] * choose[32 - men][pieces - men];
		assert_int_equal(placements, published[pieces]);
	}
	assert_int_equal(fours, four_a_side);
}

/* ---- the order ---- */

/* The order of the index: sets of equally many squares rank like the numbers they represent, even
   after removing squares that neither has. */
struct key {
	uint32_t part[6];
};

static struct key key_of(const struct el_position *position)
{
	const struct checkers_board board = checkers_board_of(position, EL_WHITE);
	return (struct key){{
		checkers_count(board.men[0] & CHECKERS_BOTTOM),
		board.men[0] & CHECKERS_BOTTOM,
		board.men[0] & ~CHECKERS_BOTTOM,
		board.men[1],
		board.kings[0],
		board.kings[1],
	}};
}

static bool is_less(const struct key *a, const struct key *b)
{
	unsigned i = 0;
	while (i < 5 && a->part[i] == b->part[i])
		i++;
	return a->part[i] < b->part[i];
}

static void test_order(void **state)
{
	static struct el_slice slices[SLICES];
	(void)state;
	for (unsigned pieces = 2; pieces <= 4; pieces++) {
		const size_t count = el_checkers.slices(pieces, slices, SLICES);
		for (size_t i = 0; i < count; i++) {
			struct key before = {{0}};
			for (uint64_t n = 0; n < slices[i].positions; n += test_stride()) {
				struct el_position position;
				assert_true(el_checkers.unplace(&slices[i], 0, n, &position));
				const struct key key = key_of(&position);
				if (n && !is_less(&before, &key))
					fail_msg("%s: %llu is out of order", slices[i].name,
					         (unsigned long long)n);
				before = key;
			}
		}
	}
}

/* ---- from positions ---- */

static bool is_same(const struct el_position *a, const struct el_position *b)
{
	return a->side == b->side && !memcmp(a->set, b->set, sizeof a->set);
}

/* Unplacing gives the position, or, if Black is the first-named side, the one with the colours
   swapped, which has the same place. */
static void test_random_positions(void **state)
{
	static struct el_slice slices[SLICES];
	uint64_t seed = 31;
	(void)state;
	for (unsigned pieces = 2; pieces <= el_checkers.group_max; pieces++) {
		const size_t count = el_checkers.slices(pieces, slices, SLICES);
		for (unsigned n = 0; n < 20000 / test_stride() + 200; n++) {
			const struct el_slice *slice = &slices[n % count];
			const struct el_position position = random_position(slice, &seed);
			struct el_position swapped, back;
			struct el_place place, other;
			el_checkers.swap_colours(&position, &swapped);
			assert_true(el_checkers.place(&position, &place));
			assert_true(el_checkers.place(&swapped, &other));
			assert_int_equal(place.key, slice->key);
			assert_int_equal(place.key, other.key);
			assert_int_equal(place.plane, other.plane);
			assert_int_equal(place.index, other.index);
			assert_true(place.plane < slice->planes);
			assert_true(el_checkers.unplace(slice, place.plane, place.index, &back));
			assert_true(is_same(&back, &position) || is_same(&back, &swapped));
			assert_int_equal(el_checkers.orbit(&position), 1);
		}
	}
}

static void test_limits(void **state)
{
	const struct el_slice slice = slice_named("checkers:KvK");
	struct el_position position = {.fullmove = 7}, before = position;
	struct el_place place;
	(void)state;
	assert_int_equal(slice.positions, 992);
	assert_false(el_checkers.unplace(&slice, 0, 992, &position));
	assert_false(el_checkers.unplace(&slice, 0, UINT64_MAX, &position));
	assert_false(el_checkers.unplace(&slice, 1, 0, &position));
	assert_memory_equal(&position, &before, sizeof position);
	assert_false(el_checkers.place(&position, &place));

	position = position_of("W:WK1:BK2,K3,K4,5,6,7,8,9");
	assert_false(el_checkers.place(&position, &place));
	position = position_of("W:WK1:BK2,K3,K4,5,6,7,8");
	assert_true(el_checkers.place(&position, &place));
	position.set[EL_WHITE][CHECKERS_KING] = 0;
	assert_false(el_checkers.place(&position, &place));
	position.set[EL_WHITE][CHECKERS_MAN] = 1;
	assert_false(el_checkers.place(&position, &place));
	position = position_of("W:WK1:BK2");
	position.set[EL_BLACK][CHECKERS_MAN] = UINT32_C(1) << 31;
	assert_false(el_checkers.place(&position, &place));
}

/* ---- digits ---- */

static void test_digits(void **state)
{
	static const struct {
		const char *name, *letters;
		uint32_t radix[4];
	} cases[] = {
		{"checkers:KvK", "Kk", {32, 32}},
		{"checkers:KMMvM", "KMm", {32, 378, 28}},
		{"checkers:KKKM7vKKMM7", "KMkm", {4960, 28, 496, 378}},
		{"checkers:MMMMMMM7vK", "Mk", {1184040, 32}},
		{"checkers:KKMMM7vKMM2", "KMkm", {496, 3276, 32, 28}},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_slice slice = slice_named(cases[i].name);
		struct el_digits digits;
		el_checkers.digits(&slice, &digits);
		assert_int_equal(digits.count, strlen(cases[i].letters));
		assert_memory_equal(digits.letter, cases[i].letters, digits.count);
		for (unsigned d = 0; d < digits.count; d++)
			assert_int_equal(digits.radix[d], cases[i].radix[d]);
	}
}

/* All digits as one number. */
static uint64_t number_of(const struct el_digits *digits, const uint32_t digit[EL_DIGITS_MAX])
{
	uint64_t number = 0;
	for (unsigned i = 0; i < digits->count; i++) {
		assert_true(digit[i] < digits->radix[i]);
		number = number * digits->radix[i] + digit[i];
	}
	return number;
}

/* The squares that codecs see are the position's, in their own numbering. */
static void check_stand(const struct el_slice *slice, const struct el_digits *digits,
                        const uint32_t digit[EL_DIGITS_MAX], const struct el_position *position)
{
	uint64_t found[2][EL_KINDS] = {{0}};
	for (unsigned d = 0; d < digits->count; d++) {
		const unsigned side =
			islower((unsigned char)digits->letter[d]) ? EL_BLACK : EL_WHITE;
		const unsigned kind =
			toupper((unsigned char)digits->letter[d]) != el_checkers.kinds[0];
		uint8_t square[EL_PIECES_MAX];
		el_checkers.stand(slice, d, digit[d], square);
		for (unsigned i = 0; i < digits->pieces[d]; i++)
			found[side][kind] |= UINT64_C(1) << el_checkers.stands_on(square[i]);
	}
	assert_memory_equal(found, position->set, sizeof found);
}

/* The digits of a slice's indexes all differ, and equal those of the positions' places. */
static void check_digits(const struct el_slice *slice)
{
	struct el_digits digits;
	uint64_t all = 1;
	el_checkers.digits(slice, &digits);
	for (unsigned i = 0; i < digits.count; i++)
		all *= digits.radix[i];
	uint8_t *seen = calloc(all, 1);
	assert_non_null(seen);
	for (uint64_t index = 0; index < slice->positions; index += test_stride()) {
		uint32_t digit[EL_DIGITS_MAX];
		struct el_position position;
		struct el_place place;
		el_checkers.take_apart(slice, index, digit);
		const uint64_t number = number_of(&digits, digit);
		if (seen[number]++)
			fail_msg("%s: the digits of %llu are another's", slice->name,
			         (unsigned long long)index);
		el_checkers.unplace(slice, 0, index, &position);
		el_checkers.place(&position, &place);
		assert_memory_equal(place.digit, digit, digits.count * sizeof *digit);
		check_stand(slice, &digits, digit, &position);
	}
	free(seen);
}

static void test_all_digits(void **state)
{
	static struct el_slice slices[SLICES];
	(void)state;
	for (unsigned pieces = 2; pieces <= 4; pieces++) {
		const size_t count = el_checkers.slices(pieces, slices, SLICES);
		for (size_t i = 0; i < count; i++)
			check_digits(&slices[i]);
	}
}

/* Digits are squares on the board as White sees it. */
static void test_squares(void **state)
{
	struct el_position position = position_of("W:WK32,29:BK31,1"); /* squares 0, 3, 1, 31 */
	struct el_place place;
	(void)state;
	assert_true(el_checkers.place(&position, &place));
	assert_int_equal(place.digit[0], 0);
	assert_int_equal(place.digit[1], 3);
	assert_int_equal(place.digit[2], 1);
	assert_int_equal(place.digit[3], 31 - 4);
	/* Black is first-named; it sees its kings on 0 and 1, White's on 19. */
	position = position_of("B:WK20:BK1,K2");
	assert_true(el_checkers.place(&position, &place));
	assert_int_equal(place.digit[0], 0);
	assert_int_equal(place.digit[1], 19);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_choose),           cmocka_unit_test(test_ranks),
		cmocka_unit_test(test_squeezing),        cmocka_unit_test(test_all_indexes),
		cmocka_unit_test(test_totals),           cmocka_unit_test(test_order),
		cmocka_unit_test(test_random_positions), cmocka_unit_test(test_limits),
		cmocka_unit_test(test_digits),           cmocka_unit_test(test_all_digits),
		cmocka_unit_test(test_squares),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
