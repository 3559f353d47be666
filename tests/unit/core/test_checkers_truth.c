/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fast solver of draughts against the tests' own (draughts.h), which shares no code with it:
 * all positions of all slices of two and three pieces, and of two of four pieces with all their
 * dependencies (`TRUTH=all`: four), under every metric of draughts. And `verify` proves every table.
 */
#include "core/examine/examine.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"
#include "tests/oracles/draughts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct el_metric *const metrics[] = {&el_dtw, &el_dtc, NULL};

enum { SLICES_MAX = 64 };

struct tables {
	char directory[SCRATCH_PATH];
	struct el_library *library;
};

static void build(const struct tables *t, const char *const *names)
{
	for (; *names; names++)
		assert_int_equal(fixture_build(t->library, *names, metrics), EL_OK);
}

static void tables_open(struct tables *t)
{
	scratch_make(t->directory);
	t->library = fixture_library(t->directory, NULL);
}

static void tables_close(struct tables *t)
{
	el_library_close(t->library);
	scratch_remove(t->directory);
}

/* ---- position by position ---- */

/* One slice, and which of its positions brute force has reached. */
struct comparison {
	struct el_slice slice;
	struct el_planes planes[2]; /* by metric */
	uint8_t *met[2];            /* by plane and index */
	uint64_t count;
	char wrong[256]; /* the first difference */
};

static struct el_position laid_out(const struct draughts_board *board)
{
	static const char letters[] = "KMkm";
	struct el_position p = {
		.side = (uint8_t)board->side, .en_passant = EL_NO_SQUARE, .fullmove = 1};
	for (unsigned square = 1; square <= DRAUGHTS_SQUARES; square++) {
		const char *found =
			board->at[square] == '.' ? NULL : strchr(letters, board->at[square]);
		if (found)
			p.set[(found - letters) / 2][(found - letters) % 2] |= UINT64_C(1)
			                                                       << (square - 1);
	}
	return p;
}

static const enum el_outcome outcomes[] = {
	[DRAUGHTS_LOSS] = EL_LOSS, [DRAUGHTS_DRAW] = EL_DRAW, [DRAUGHTS_WIN] = EL_WIN};

static void compare_position(const struct draughts_board *board, const struct draughts_value *truth,
                             void *context)
{
	struct comparison *c = context;
	const struct el_position position = laid_out(board);
	const unsigned depths[] = {truth->dtw, truth->dtc};
	struct el_place place;
	char fen[EL_FEN_MAX];
	assert_true(el_checkers.place(&position, &place));
	assert_int_equal(place.key, c->slice.key);
	assert_in_range(place.index, 0, c->slice.positions - 1);
	c->count += !c->met[place.plane][place.index];
	c->met[place.plane][place.index] = 1;
	for (unsigned m = 0; metrics[m]; m++) {
		const struct el_value found =
			el_plane_value(&c->planes[m].plane[place.plane], place.index);
		if (found.outcome == outcomes[truth->outcome] && found.plies == depths[m])
			continue;
		el_checkers.format(&position, fen);
		if (!c->wrong[0])
			snprintf(c->wrong, sizeof c->wrong, "%s %s: expected %s %u, found %s %u",
			         fen, metrics[m]->name, el_outcome_name(outcomes[truth->outcome]),
			         depths[m], el_outcome_name(found.outcome), found.plies);
	}
}

/* "checkers:KMvK" in the names of the brute solver: "KMvK", "KvKM". */
static void brute_names(const char *name, char first[DRAUGHTS_NAME], char second[DRAUGHTS_NAME])
{
	const char *sides = strchr(name, ':') + 1, *split = strchr(sides, 'v');
	snprintf(first, DRAUGHTS_NAME, "%s", sides);
	snprintf(second, DRAUGHTS_NAME, "%sv%.*s", split + 1, (int)(split - sides), sides);
}

static void compare(const struct tables *t, const struct draughts *brute, const char *name)
{
	struct comparison c = {.wrong = ""};
	char first[DRAUGHTS_NAME], second[DRAUGHTS_NAME];
	c.slice = slice_named(name);
	for (unsigned m = 0; metrics[m]; m++)
		c.planes[m] = fixture_stored(t->library, name, metrics[m]);
	for (unsigned plane = 0; plane < c.slice.planes; plane++)
		c.met[plane] = calloc(c.slice.positions, 1);
	brute_names(name, first, second);
	draughts_each(brute, first, compare_position, &c);
	if (strcmp(first, second))
		draughts_each(brute, second, compare_position, &c);
	for (unsigned plane = 0; plane < c.slice.planes; plane++)
		free(c.met[plane]);
	for (unsigned m = 0; metrics[m]; m++)
		el_planes_free(&c.planes[m]);
	if (c.wrong[0])
		fail_msg("%s: %s", name, c.wrong);
	assert_int_equal(c.count, c.slice.planes * c.slice.positions);
}

static void compare_all(const char *const *names)
{
	struct tables t;
	const char *plain[SLICES_MAX] = {NULL};
	char both[SLICES_MAX][2][DRAUGHTS_NAME];
	size_t count = 0;
	tables_open(&t);
	build(&t, names);
	for (size_t i = 0; names[i]; i++) {
		brute_names(names[i], both[i][0], both[i][1]);
		plain[count++] = both[i][0];
		if (strcmp(both[i][0], both[i][1]))
			plain[count++] = both[i][1];
	}
	struct draughts *brute = draughts_solve(plain);
	for (size_t i = 0; names[i]; i++)
		compare(&t, brute, names[i]);
	draughts_free(brute);
	tables_close(&t);
}

static void test_two_and_three_pieces(void **state)
{
	static const char *const names[] = {
		"checkers:KvK",  "checkers:KvM",  "checkers:MvM",  "checkers:KKvK", "checkers:KKvM",
		"checkers:KMvK", "checkers:KMvM", "checkers:MMvK", "checkers:MMvM", NULL};
	(void)state;
	compare_all(names);
}

static void test_four_pieces(void **state)
{
	static const char *const names[] = {"checkers:KKvKK", "checkers:KMvKM", "checkers:MMvMM",
	                                    "checkers:KMMvM", NULL};
	(void)state;
	if (tests_are_slow()) {
		printf("note: no four pieces by brute force under sanitizers and valgrind\n");
		skip();
	}
	compare_all(names + (tests_are_thorough() ? 0 : 3));
}

/* ---- every position of every table ---- */

/* Each position has the value of its best move; with depths, that proves the table. */
static void test_verified(void **state)
{
	struct tables t;
	const unsigned most = tests_are_slow() ? 3 : 4;
	uint64_t checked = 0, expected = 0;
	(void)state;
	tables_open(&t);
	for (unsigned pieces = 2; pieces <= most; pieces++) {
		struct el_slice slices[SLICES_MAX];
		const size_t count = el_checkers.slices(pieces, slices, SLICES_MAX);
		for (size_t i = 0; i < count; i++) {
			expected += slices[i].planes * slices[i].positions;
			build(&t, (const char *const[]){slices[i].name, NULL});
			for (unsigned m = 0; metrics[m]; m++) {
				struct el_planes planes =
					fixture_stored(t.library, slices[i].name, metrics[m]);
				const struct el_verdict verdict =
					fixture_verdict(t.library, &planes);
				if (verdict.wrong)
					fail_msg("%s %s: %s", slices[i].name, metrics[m]->name,
					         verdict.first_fen);
				checked += verdict.checked;
				el_planes_free(&planes);
			}
		}
	}
	assert_int_equal(checked, 2 * expected);
	tables_close(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_and_three_pieces),
		cmocka_unit_test(test_four_pieces),
		cmocka_unit_test(test_verified),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
