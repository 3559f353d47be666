/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The digits of an index: the place of each piece, for whole slices and for transformed
   positions. */
#include "tests/fixtures/positions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const names[] = {"KQvK",  "KRvK",  "KBvK",  "KNvK",  "KPvK",
                                    "KQvKR", "KPvKP", "KBBvK", "KNvKP", "KPPvK"};
enum { NAMES = sizeof names / sizeof *names };

/* By hand: C(n, k). */
static uint32_t choose(uint32_t n, uint32_t k)
{
	uint64_t result = 1;
	for (uint32_t i = 1; i <= k; i++)
		result = result * (n - k + i) / i;
	return (uint32_t)result;
}

static bool has_pawns(const struct el_slice *slice)
{
	return slice->count[0][5] || slice->count[1][5];
}

/* A digit for each group of like pieces: White's king on the squares that symmetry leaves it,
   Black's on all squares, the others as sets of squares. */
static void test_digits(void **state)
{
	(void)state;
	for (unsigned n = 0; n < NAMES; n++) {
		const struct el_slice slice = slice_named(names[n]);
		struct el_digits digits;
		unsigned at = 0;
		el_chess.digits(&slice, &digits);
		for (unsigned side = 0; side < 2; side++)
			for (unsigned kind = 0; kind < EL_KINDS; kind++) {
				static const char *const letters[] = {"KQRBNP", "kqrbnp"};
				uint32_t squares = kind == 5 ? 48 : 64;
				squares = side || kind ? squares : has_pawns(&slice) ? 32 : 10;
				if (!slice.count[side][kind])
					continue;
				assert_int_equal(digits.letter[at], letters[side][kind]);
				assert_int_equal(digits.radix[at++],
				                 choose(squares, slice.count[side][kind]));
			}
		assert_int_equal(digits.count, at);
	}
}

static uint64_t number_of(const struct el_digits *digits, const uint32_t digit[EL_DIGITS_MAX])
{
	uint64_t number = 0;
	for (unsigned i = 0; i < digits->count; i++)
		number = number * digits->radix[i] + digit[i];
	return number;
}

static void check_whole_slice(const struct el_slice *slice)
{
	struct el_digits digits;
	uint64_t all = 1;
	el_chess.digits(slice, &digits);
	for (unsigned i = 0; i < digits.count; i++)
		all *= digits.radix[i];
	uint8_t *seen = calloc(all, 1);
	assert_non_null(seen);
	for (uint64_t index = 0; index < slice->positions; index++) {
		uint32_t digit[EL_DIGITS_MAX];
		el_chess.take_apart(slice, index, digit);
		for (unsigned i = 0; i < digits.count; i++)
			if (digit[i] >= digits.radix[i])
				fail_msg("%s: digit %u of %llu", slice->name, i,
				         (unsigned long long)index);
		uint64_t number = number_of(&digits, digit);
		if (seen[number])
			fail_msg("%s: the digits of %llu are another's", slice->name,
			         (unsigned long long)index);
		seen[number] = 1;
	}
	free(seen);
}

static void test_whole_slices(void **state)
{
	(void)state;
	for (unsigned n = 0; n < (test_stride() > 1 ? 5 : NAMES); n++) {
		const struct el_slice slice = slice_named(names[n]);
		check_whole_slice(&slice);
	}
}

/* Are these the digits of the position's index? */
static bool agrees(const struct el_slice *slice, const struct el_digits *digits, uint64_t index,
                   const struct el_position *position)
{
	uint32_t digit[EL_DIGITS_MAX];
	struct el_place place;
	memset(&place, 0xa5, sizeof place);
	el_chess.take_apart(slice, index, digit);
	return el_chess.place(position, &place) && place.index == index &&
	       !memcmp(place.digit, digit, digits->count * sizeof *digit);
}

static uint64_t square_turned(unsigned square, unsigned symmetry)
{
	unsigned file = square % 8, rank = square / 8;
	file = symmetry & 1 ? 7 - file : file;
	rank = symmetry & 2 ? 7 - rank : rank;
	return UINT64_C(1) << (symmetry & 4 ? file * 8 + rank : rank * 8 + file);
}

/* Every legal position of a plane, in all its images. */
static uint64_t count_disagreements(const struct el_slice *slice, unsigned plane, uint64_t stride)
{
	const unsigned symmetries = has_pawns(slice) ? 2 : 8;
	struct el_digits digits;
	uint64_t wrong = 0;
	el_chess.digits(slice, &digits);
#pragma omp parallel for reduction(+ : wrong)
	for (uint64_t index = 0; index < slice->positions; index += stride) {
		struct el_position p, seen, swapped;
		if (!el_chess.unplace(slice, plane, index, &p))
			continue;
		for (unsigned symmetry = 0; symmetry < symmetries; symmetry++) {
			seen = p;
			memset(seen.set, 0, sizeof seen.set);
			for (unsigned i = 0; i < 2 * EL_KINDS; i++)
				for (unsigned s = 0; s < 64; s++)
					if (p.set[i / EL_KINDS][i % EL_KINDS] >> s & 1)
						seen.set[i / EL_KINDS][i % EL_KINDS] |=
							square_turned(s, symmetry);
			el_chess.swap_colours(&seen, &swapped);
			wrong += !agrees(slice, &digits, index, &seen);
			wrong += !agrees(slice, &digits, index, &swapped);
		}
	}
	return wrong;
}

static void test_places(void **state)
{
	(void)state;
	for (unsigned n = 0; n < NAMES; n++) {
		const struct el_slice slice = slice_named(names[n]);
		const uint64_t stride = n < 5 ? test_stride() : 61 * test_stride();
		for (unsigned plane = 0; plane < slice.planes; plane++)
			if (count_disagreements(&slice, plane, stride))
				fail_msg("%s: digits depend on how the board is seen", names[n]);
		/* All of them once, untransformed. */
		struct el_digits digits;
		uint64_t wrong = 0;
		el_chess.digits(&slice, &digits);
		for (uint64_t i = 0; i < slice.positions; i += test_stride())
			for (unsigned plane = 0; plane < slice.planes; plane++) {
				struct el_position p;
				wrong += el_chess.unplace(&slice, plane, i, &p) &&
				         !agrees(&slice, &digits, i, &p);
			}
		assert_int_equal(wrong, 0);
	}
}

/* The digits are squares: checked against the board itself. */
static void test_squares(void **state)
{
	(void)state;
	const struct el_slice slice = slice_named("KQvKR");
	for (uint64_t i = 0; i < slice.positions; i += 1 + test_stride()) {
		struct el_position p;
		struct el_place place;
		if (!el_chess.unplace(&slice, 0, i, &p))
			continue;
		assert_true(el_chess.place(&p, &place));
		assert_true(p.set[0][1] == UINT64_C(1) << place.digit[1]);
		assert_true(p.set[1][0] == UINT64_C(1) << place.digit[2]);
		assert_true(p.set[1][2] == UINT64_C(1) << place.digit[3]);
		/* a1 b1 c1 d1 b2 c2 d2 c3 d3 d4, numbered from 0 */
		static const uint8_t triangle[10] = {0, 1, 2, 3, 9, 10, 11, 18, 19, 27};
		assert_true(p.set[0][0] == UINT64_C(1) << triangle[place.digit[0]]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_digits),
		cmocka_unit_test(test_whole_slices),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_squares),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
