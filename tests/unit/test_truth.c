/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fast solver against the tests' own (brute.h), which shares no code with it: all positions of
 * all endings of three pieces, and of king and pawn against king and pawn with everything that it
 * can turn into, with and without rights to capture en passant.
 */
#include "brute.h"
#include "endlab/library.h"
#include "tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static struct el_library *open_library(const char *directory)
{
	struct el_library *library = NULL;
	struct el_error error = {0};
	const struct el_library_options options = {.directory = directory};
	if (!directory || el_library_open(&options, &library, &error) != EL_OK)
		fail_msg("no tables: %s", error.text);
	return library;
}

static void expect_equal(const struct el_position *position, struct el_value expected,
                         struct el_value found)
{
	char fen[EL_FEN_MAX];
	if (el_value_equal(expected, found))
		return;
	el_chess.format(position, fen);
	fail_msg("%s: expected %s %u, found %s %u", fen, el_outcome_name(expected.outcome),
	         expected.plies, el_outcome_name(found.outcome), found.plies);
}

/* What the program says: the planes, or, of a right to capture en passant, the library. */
static struct el_value value_of(struct el_library *library, const struct el_planes *planes,
                                const struct el_position *position)
{
	struct el_place place;
	struct el_value value = {EL_UNKNOWN, 0};
	struct el_error error = {0};
	if (position->en_passant == EL_NO_SQUARE) {
		assert_true(el_chess.place(position, &place));
		assert_true(place.key == planes->slice.key);
		return el_plane_value(&planes->plane[place.plane], place.index);
	}
	if (el_library_value(library, &el_chess, position, &el_dtm, EL_PROBE_FULL, &value,
	                     &error) != EL_OK)
		fail_msg("%s", error.text);
	return value;
}

/* Every position that brute force finds is in the table; how many of them had a right. */
static unsigned long compare_states(const struct brute_table *truth, struct el_library *library,
                                    const struct el_planes *planes)
{
	unsigned long rights = 0;
	for (uint32_t state = 0; state < brute_states(truth); state++) {
		struct el_position position;
		struct el_value expected;
		unsigned orbit;
		if (!brute_state(truth, state, &position, &expected, &orbit))
			continue;
		rights += position.en_passant != EL_NO_SQUARE;
		expect_equal(&position, expected, value_of(library, planes, &position));
	}
	return rights;
}

/* Every position that the table has is one of brute force. */
static void compare_indexes(const struct brute *brute, const struct el_planes *planes)
{
	for (unsigned p = 0; p < planes->slice.planes; p++)
		for (uint64_t index = 0; index < planes->slice.positions; index++) {
			struct el_position position;
			struct el_value expected;
			if (!el_chess.unplace(&planes->slice, p, index, &position))
				continue;
			assert_true(brute_value(brute, &position, &expected));
			expect_equal(&position, expected, el_plane_value(&planes->plane[p], index));
		}
}

static unsigned long compare(const struct brute *brute, struct el_library *library,
                             const char *name)
{
	struct el_slice slice;
	struct el_planes planes;
	struct el_error error = {0};
	assert_int_equal(el_slice_parse(name, &slice, &error), EL_OK);
	if (el_library_planes(library, &slice, &el_dtm, &planes, &error) != EL_OK)
		fail_msg("%s", error.text);
	unsigned long rights = compare_states(brute_table(brute, name), library, &planes);
	compare_indexes(brute, &planes);
	el_planes_free(&planes);
	return rights;
}

static void test_three_pieces(void **state)
{
	static const char *const names[] = {"KQvK", "KRvK", "KBvK", "KNvK", "KPvK", NULL};
	struct el_library *library = open_library(small_test_tables());
	struct brute *brute = brute_solve(names);
	(void)state;
	for (unsigned i = 0; names[i]; i++)
		compare(brute, library, names[i]);
	brute_free(brute);
	el_library_close(library);
}

static void test_four_pieces(void **state)
{
	static const char *const roots[] = {"KPvKP", "KBNvK", NULL};
	static const char *const names[] = {
		"KBNvK", "KQvKQ", "KQvKR", "KQvKB", "KQvKN", "KRvKR", "KRvKB", "KRvKN",
		"KBvKB", "KBvKN", "KNvKN", "KQvKP", "KRvKP", "KBvKP", "KNvKP", NULL,
	};
	(void)state;
	if (tests_are_slow()) {
		printf("note: no four pieces by brute force under sanitizers and valgrind\n");
		skip();
	}
	struct el_library *library = open_library(test_tables());
	struct brute *brute = brute_solve(roots);
	for (unsigned i = 0; names[i]; i++)
		assert_int_equal(compare(brute, library, names[i]), 0);
	assert_true(compare(brute, library, "KPvKP") > 1000);
	brute_free(brute);
	el_library_close(library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_three_pieces),
		cmocka_unit_test(test_four_pieces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
