/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fast solver against the tests' own (brute.h), which shares no code with it: all positions of
 * all endings of three pieces, and of king and pawn against king and pawn with every fourth of its
 * successors (`TRUTH=all`: with all), with and without rights to capture en passant.
 */
#include "core/library/library.h"
#include "core/probe/probe.h"
#include "core/whole/whole.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"
#include "tests/oracles/brute.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/* One slice's comparison; all cores share its positions. */
struct comparison {
	const struct brute *brute;
	const struct brute_table *truth;
	struct el_library *library;
	struct el_planes planes;
	unsigned long rights; /* positions with a right to capture en passant */
	char wrong[512];      /* the first difference that was found */
};

static void expect_equal(struct comparison *c, const struct el_position *position,
                         struct el_value expected, struct el_value found)
{
	char fen[EL_FEN_MAX];
	if (el_value_equal(expected, found))
		return;
	el_chess.format(position, fen);
#pragma omp critical
	snprintf(c->wrong, sizeof c->wrong, "%s: expected %s %u, found %s %u", fen,
	         el_outcome_name(expected.outcome), expected.plies, el_outcome_name(found.outcome),
	         found.plies);
}

/* The program's values: from the planes, or, with a right to capture en passant, from the
   library. */
static struct el_value value_of(const struct comparison *c, const struct el_position *position)
{
	struct el_place place;
	struct el_value value = {.outcome = EL_UNKNOWN};
	if (position->en_passant != EL_NO_SQUARE) {
		el_library_value(c->library, &el_chess, position, &el_dtm, EL_PROBE_FULL, &value,
		                 NULL);
		return value;
	}
	if (!el_chess.place(position, &place) || place.key != c->planes.slice.key)
		return value;
	return el_plane_value(&c->planes.plane[place.plane], place.index);
}

/* Every position that brute force finds is in the table. */
static void compare_states(struct comparison *c)
{
	uint32_t states = brute_states(c->truth);
#pragma omp parallel for schedule(dynamic, 65536)
	for (uint32_t state = 0; state < states; state++) {
		struct el_position position;
		struct el_value expected;
		unsigned orbit;
		if (!brute_state(c->truth, state, &position, &expected, &orbit))
			continue;
		expect_equal(c, &position, expected, value_of(c, &position));
		if (position.en_passant != EL_NO_SQUARE)
#pragma omp atomic
			c->rights++;
	}
}

/* Every position in the table is one that brute force finds. */
static void compare_indexes(struct comparison *c, unsigned plane)
{
	const struct el_slice *slice = &c->planes.slice;
#pragma omp parallel for schedule(dynamic, 65536)
	for (uint64_t index = 0; index < slice->positions; index++) {
		struct el_position position;
		struct el_value expected = {.outcome = EL_BROKEN};
		if (!el_chess.unplace(slice, plane, index, &position))
			continue;
		brute_value(c->brute, &position, &expected);
		expect_equal(c, &position, expected,
		             el_plane_value(&c->planes.plane[plane], index));
	}
}

/* Returns the number of positions with a right to capture en passant. */
static unsigned long compare(const struct brute *brute, struct el_library *library,
                             const char *name)
{
	struct comparison c = {
		.brute = brute, .truth = brute_table(brute, name), .library = library};
	struct el_slice slice;
	struct el_error error = {0};
	assert_int_equal(el_slice_parse(name, &slice, &error), EL_OK);
	if (el_library_planes(library, &slice, &el_dtm, NULL, &c.planes, &error) != EL_OK)
		fail_msg("%s", error.text);
	compare_states(&c);
	for (unsigned plane = 0; plane < slice.planes; plane++)
		compare_indexes(&c, plane);
	el_planes_free(&c.planes);
	if (c.wrong[0])
		fail_msg("%s", c.wrong);
	return c.rights;
}

static void test_three_pieces(void **state)
{
	static const char *const names[] = {"KQvK", "KRvK", "KBvK", "KNvK", "KPvK", NULL};
	struct el_library *library = fixture_library(small_test_tables(), NULL);
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
		"KBvKB", "KBvKN", "KNvKN", "KQvKP", "KRvKP", "KBvKP", "KNvKP",
	};
	(void)state;
	if (tests_are_slow()) {
		printf("note: no four pieces by brute force under sanitizers and valgrind\n");
		skip();
	}
	struct el_library *library = fixture_library(test_tables(), NULL);
	struct brute *brute = brute_solve(roots);
	for (size_t i = 0; i < sizeof names / sizeof *names; i += tests_are_thorough() ? 1 : 4)
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
