/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of mutual zugzwangs against the tests' own solver (brute.h): passes the turn in every
 * position, and compares both values. Two pawns take that solver a minute, which test_truth.c
 * spends on their table; here that table supplies the values, placement by placement. And the
 * longest wins in the statistics.
 */
#include "core/examine/examine.h"
#include "core/whole/whole.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"
#include "tests/oracles/brute.h"

#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const small[] = {"KPvK", "KRvK", NULL};
static const char *const all[] = {"KPvK", "KRvK", "KRvKN", "KRvKB", NULL};

struct fixture {
	const char *const *names;
	struct brute *brute;
	struct el_library *library;
};

static int open_all(void **state)
{
	static struct fixture f;
	f.names = tests_are_slow() ? small : all;
	f.library = fixture_library(tests_are_slow() ? small_test_tables() : test_tables(), NULL);
	f.brute = brute_solve(f.names);
	*state = &f;
	return 0;
}

static int close_all(void **state)
{
	struct fixture *f = *state;
	brute_free(f->brute);
	el_library_close(f->library);
	return 0;
}

static struct el_planes planes_of(const struct fixture *f, const char *name)
{
	struct el_slice slice;
	struct el_planes planes;
	struct el_error error;
	assert_int_equal(el_slice_parse(name, &slice, &error), EL_OK);
	if (el_library_planes(f->library, &slice, &el_dtm, NULL, &planes, &error))
		fail_msg("%s", error.text);
	return planes;
}

/* EL_ZUGZWANGS: none. */
static enum el_zugzwang kind_of(struct el_value white, struct el_value black)
{
	return white.outcome == EL_LOSS && black.outcome == EL_LOSS   ? EL_ZUGZWANG_FULL
	       : white.outcome == EL_DRAW && black.outcome == EL_LOSS ? EL_ZUGZWANG_WHITE_HALF
	       : white.outcome == EL_LOSS && black.outcome == EL_DRAW ? EL_ZUGZWANG_BLACK_HALF
	                                                              : EL_ZUGZWANGS;
}

/* With White to move; EL_ZUGZWANGS also if the turn cannot pass. */
static enum el_zugzwang brute_kind(const struct brute *brute, struct el_position position)
{
	struct el_value white, black;
	const bool first = brute_value(brute, &position, &white);
	position.side = EL_BLACK;
	return first && brute_value(brute, &position, &black) ? kind_of(white, black)
	                                                      : EL_ZUGZWANGS;
}

/* By place in the list: the kind of each index, and the placements of each kind. */
struct truth {
	uint8_t *kind;
	uint64_t placements[EL_ZUGZWANGS];
	size_t count[EL_ZUGZWANGS];
};

static struct truth truth_of(const struct fixture *f, const struct el_slice *slice)
{
	const struct brute_table *table = brute_table(f->brute, slice->name);
	struct truth t = {.kind = malloc(slice->positions)};
	assert_non_null(t.kind);
	memset(t.kind, EL_ZUGZWANGS, slice->positions);
	for (uint32_t state = 0; state < brute_states(table); state++) {
		struct el_position position;
		struct el_value value;
		struct el_place place;
		unsigned orbit;
		if (!brute_state(table, state, &position, &value, &orbit) ||
		    position.side != EL_WHITE || position.en_passant != EL_NO_SQUARE)
			continue;
		const enum el_zugzwang kind = brute_kind(f->brute, position);
		if (kind == EL_ZUGZWANGS)
			continue;
		assert_true(el_chess.place(&position, &place));
		t.placements[kind] += orbit;
		t.count[kind] += t.kind[place.index] == EL_ZUGZWANGS;
		t.kind[place.index] = (uint8_t)kind;
	}
	return t;
}

static void check_list(const struct fixture *f, const struct el_zugzwangs *z, const struct truth *t,
                       enum el_zugzwang kind)
{
	assert_int_equal(z->count[kind], t->count[kind]);
	assert_int_equal(z->placements[kind], t->placements[kind]);
	for (size_t i = 0; i < z->count[kind]; i++) {
		struct el_position position;
		char fen[EL_FEN_MAX];
		assert_int_equal(t->kind[z->index[kind][i]], kind);
		assert_true(!i || z->index[kind][i - 1] < z->index[kind][i]);
		assert_int_equal(el_chess.parse(el_zugzwangs_fen(z, kind, i, fen), &position, NULL),
		                 EL_OK);
		assert_int_equal(position.side, EL_WHITE);
		assert_int_equal(brute_kind(f->brute, position), kind);
	}
}

static void test_lists(void **state)
{
	const struct fixture *f = *state;
	for (const char *const *name = f->names; *name; name++) {
		struct el_planes planes = planes_of(f, *name);
		struct truth t = truth_of(f, &planes.slice);
		struct el_zugzwangs z;
		struct el_error error;
		assert_int_equal(el_zugzwangs_find(&planes, NULL, &z, &error), EL_OK);
		assert_false(z.partial);
		for (int kind = 0; kind < EL_ZUGZWANGS; kind++)
			check_list(f, &z, &t, (enum el_zugzwang)kind);
		el_zugzwangs_free(&z);
		free(t.kind);
		el_planes_free(&planes);
	}
}

static bool planes_value(const struct el_planes *planes, struct el_position *position,
                         unsigned side, struct el_value *out)
{
	struct el_place place;
	position->side = (uint8_t)side;
	if (el_chess.check(position, NULL) || !el_chess.place(position, &place))
		return false;
	*out = el_plane_value(&planes->plane[place.plane], place.index);
	return true;
}

/* All placements of two kings and two pawns. */
static void count_pawns(const struct el_planes *planes, uint64_t placements[EL_ZUGZWANGS + 1])
{
	for (unsigned i = 0; i < 64u * 64 * 48 * 48; i++) {
		struct el_position p = {.en_passant = EL_NO_SQUARE, .fullmove = 1};
		struct el_value white, black;
		p.set[EL_WHITE][0] = UINT64_C(1) << i % 64;
		p.set[EL_BLACK][0] = UINT64_C(1) << i / 64 % 64;
		p.set[EL_WHITE][5] = UINT64_C(1) << (8 + i / 4096 % 48);
		p.set[EL_BLACK][5] = UINT64_C(1) << (8 + i / 4096 / 48);
		if (planes_value(planes, &p, EL_WHITE, &white) &&
		    planes_value(planes, &p, EL_BLACK, &black))
			placements[kind_of(white, black)]++;
	}
}

static void test_pawns(void **state)
{
	if (tests_are_slow())
		skip();
	struct el_planes planes = planes_of(*state, "KPvKP");
	uint64_t placements[EL_ZUGZWANGS + 1] = {0};
	struct el_zugzwangs z;
	assert_int_equal(el_zugzwangs_find(&planes, NULL, &z, NULL), EL_OK);
	count_pawns(&planes, placements);
	for (int kind = 0; kind < EL_ZUGZWANGS; kind++) {
		assert_true(placements[kind] > 0);
		assert_int_equal(z.placements[kind], placements[kind]);
		assert_int_equal(2 * z.count[kind], placements[kind]); /* mirrored files */
	}
	el_zugzwangs_free(&z);
	el_planes_free(&planes);
}

/* The counts of the statistics, whatever the number of threads. */
static void test_threads(void **state)
{
	const struct fixture *f = *state;
	struct el_planes planes = planes_of(f, "KPvK");
	struct el_zugzwangs one, three;
	struct el_stats stats;
	const int threads = omp_get_max_threads();
	omp_set_num_threads(1);
	assert_int_equal(el_zugzwangs_find(&planes, NULL, &one, NULL), EL_OK);
	omp_set_num_threads(3);
	assert_int_equal(el_zugzwangs_find(&planes, NULL, &three, NULL), EL_OK);
	omp_set_num_threads(threads);
	assert_int_equal(el_stats_make(&planes, NULL, &stats, NULL), EL_OK);
	assert_int_equal(one.count[EL_ZUGZWANG_WHITE_HALF], 80); /* as in test_examine.c */
	assert_int_equal(three.count[EL_ZUGZWANG_WHITE_HALF], 80);
	assert_memory_equal(one.index[EL_ZUGZWANG_WHITE_HALF], three.index[EL_ZUGZWANG_WHITE_HALF],
	                    80 * sizeof **one.index);
	assert_int_equal(one.placements[EL_ZUGZWANG_WHITE_HALF], stats.mutual_white_half);
	el_stats_free(&stats);
	el_zugzwangs_free(&one);
	el_zugzwangs_free(&three);
	el_planes_free(&planes);
}

/* Positions known only within bounds are no zugzwangs, and the program says so. */
static void test_bounds(void **state)
{
	struct el_planes planes = planes_of(*state, "KPvK");
	struct el_plane *black = &planes.plane[EL_BLACK];
	struct el_zugzwangs z;
	for (uint32_t s = 0; s < black->value_count; s++)
		if (black->values[s].outcome == EL_LOSS)
			black->values[s] = (struct el_value){.outcome = EL_AT_MOST_DRAW};
	assert_int_equal(el_zugzwangs_find(&planes, NULL, &z, NULL), EL_OK);
	assert_true(z.partial);
	for (int kind = 0; kind < EL_ZUGZWANGS; kind++)
		assert_int_equal(z.count[kind], 0);
	el_zugzwangs_free(&z);
	el_planes_free(&planes);
}

static int never(void *context, const struct el_progress *progress)
{
	assert_string_equal(progress->what, "KPvK dtm");
	++*(int *)context;
	return 0;
}

static void test_stop(void **state)
{
	struct el_planes planes = planes_of(*state, "KPvK");
	struct el_zugzwangs z;
	struct el_error error;
	int asked = 0;
	const struct el_watch watch = {&asked, never};
	assert_int_equal(el_zugzwangs_find(&planes, &watch, &z, &error), EL_STOPPED);
	assert_true(asked > 0);
	assert_null(z.index[EL_ZUGZWANG_FULL]);
	el_planes_free(&planes);
}

/* The longest wins in plies, by the winner and the side to move; -1: there is none. */
static void test_records(void **state)
{
	static const struct {
		const char *name;
		int plies[2][2]; /* [winner][to move] */
	} facts[] = {
		{"KPvK", {{55, 56}, {-1, -1}}},
		{"KRvKN", {{79, 80}, {0, 1}}},
		{"KRvKB", {{57, 58}, {-1, -1}}},
	};
	const struct fixture *f = *state;
	for (size_t i = 0; i < (tests_are_slow() ? 1 : sizeof facts / sizeof *facts); i++) {
		struct el_planes planes = planes_of(f, facts[i].name);
		struct el_stats stats;
		assert_int_equal(el_stats_make(&planes, NULL, &stats, NULL), EL_OK);
		for (unsigned k = 0; k < 4; k++) {
			const unsigned winner = k / 2, to_move = k % 2;
			const int expected = facts[i].plies[winner][to_move];
			unsigned plies = 0;
			const char *fen = el_stats_record(&stats, winner, to_move, &plies);
			struct el_position position;
			struct el_value value;
			assert_int_equal(fen != NULL, expected >= 0);
			if (!fen)
				continue;
			assert_int_equal(plies, expected);
			assert_int_equal(el_chess.parse(fen, &position, NULL), EL_OK);
			assert_int_equal(position.side, to_move);
			assert_true(brute_value(f->brute, &position, &value));
			assert_int_equal(value.plies, expected);
			assert_int_equal(value.outcome, winner == to_move ? EL_WIN : EL_LOSS);
		}
		el_stats_free(&stats);
		el_planes_free(&planes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists),   cmocka_unit_test(test_pawns),
		cmocka_unit_test(test_threads), cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_stop),    cmocka_unit_test(test_records),
	};
	return cmocka_run_group_tests(tests, open_all, close_all);
}
