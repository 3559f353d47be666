/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tests' own solver against published figures, before anything is compared with it. */
#include "tests/oracles/brute.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Placements and the deepest ones, by outcome, for one side to move; rights do not count. */
struct counts {
	unsigned long placements[EL_WIN + 1];
	unsigned deepest[EL_WIN + 1];
};

static void count(const struct brute_table *table, struct counts out[2])
{
	for (uint32_t state = 0; state < brute_states(table); state++) {
		struct el_position position;
		struct el_value value;
		unsigned orbit;
		if (!brute_state(table, state, &position, &value, &orbit))
			continue;
		if (position.en_passant != EL_NO_SQUARE)
			continue;
		struct counts *side = &out[position.side];
		side->placements[value.outcome] += orbit;
		if (value.plies > side->deepest[value.outcome])
			side->deepest[value.outcome] = value.plies;
	}
}

static const char *const three_pieces[] = {"KQvK", "KRvK", "KBvK", "KNvK", "KPvK", NULL};

static int solve(void **state)
{
	*state = brute_solve(three_pieces);
	return 0;
}

static int let_go(void **state)
{
	brute_free(*state);
	return 0;
}

/* The side with the piece mates in 10, 16 and 28 moves at most. */
static void test_longest_wins(void **state)
{
	static const struct {
		const char *slice;
		unsigned moves;
	} known[] = {{"KQvK", 10}, {"KRvK", 16}, {"KPvK", 28}};
	for (unsigned i = 0; i < 3; i++) {
		struct counts counts[2] = {0};
		count(brute_table(*state, known[i].slice), counts);
		assert_int_equal(counts[EL_WHITE].deepest[EL_WIN], 2 * known[i].moves - 1);
		assert_int_equal(counts[EL_BLACK].deepest[EL_LOSS], 2 * known[i].moves);
		assert_int_equal(counts[EL_WHITE].placements[EL_LOSS], 0);
		assert_int_equal(counts[EL_BLACK].placements[EL_WIN], 0);
	}
}

/* A lone bishop or knight never wins, so all placements are draws: 3612 * 62 with Black to move,
   because two kings have 3612 placements apart. */
static void test_no_win(void **state)
{
	for (unsigned i = 2; i < 4; i++) {
		struct counts counts[2] = {0};
		count(brute_table(*state, three_pieces[i]), counts);
		assert_int_equal(counts[EL_BLACK].placements[EL_DRAW], 3612 * 62);
		for (unsigned side = 0; side < 2; side++) {
			assert_int_equal(counts[side].placements[EL_WIN], 0);
			assert_int_equal(counts[side].placements[EL_LOSS], 0);
		}
	}
}

/*
 * All placements of the published classes: with White to move, 18,081 of KQvK and 21,959 of KRvK
 * win, and with Black to move KRvK has 28,056 classes of which 2,796 are draws. A class stands for
 * 8 placements, or 4 where all pieces are on one diagonal, which is why these are bounds.
 */
static void test_classes(void **state)
{
	static const struct {
		const char *slice;
		unsigned side, outcome;
		unsigned long classes;
	} known[] = {
		{"KQvK", EL_WHITE, EL_WIN, 18081},
		{"KRvK", EL_WHITE, EL_WIN, 21959},
		{"KRvK", EL_BLACK, EL_LOSS, 25260},
		{"KRvK", EL_BLACK, EL_DRAW, 2796},
	};
	for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
		struct counts counts[2] = {0};
		count(brute_table(*state, known[i].slice), counts);
		unsigned long found = counts[known[i].side].placements[known[i].outcome];
		unsigned long on_diagonal = 2 * 8 * 7 * 6;
		assert_true(found <= 8 * known[i].classes);
		assert_true(found >= 8 * known[i].classes - on_diagonal);
	}
	struct counts counts[2] = {0};
	count(brute_table(*state, "KRvK"), counts);
	const unsigned long *black = counts[EL_BLACK].placements;
	assert_int_equal(black[EL_LOSS] + black[EL_DRAW], 3612 * 62);
}

static struct el_position position(unsigned side, int white_king, int kind, int piece,
                                   int black_king)
{
	struct el_position p = {.side = (uint8_t)side, .en_passant = EL_NO_SQUARE, .fullmove = 1};
	p.set[EL_WHITE][0] = (uint64_t)1 << white_king;
	p.set[EL_WHITE][kind] |= (uint64_t)1 << piece;
	p.set[EL_BLACK][0] = (uint64_t)1 << black_king;
	return p;
}

/* Positions whose value anyone can see. */
static void test_positions(void **state)
{
	enum { QUEEN = 1, ROOK = 2, PAWN = 5 };
	enum { A1 = 0, C1 = 2, C2 = 10, B3 = 17, A6 = 40 };
	enum { G6 = 46, A7 = 48, G7 = 54, A8 = 56, H8 = 63 };
	struct el_value value;
	struct el_position mate = position(EL_BLACK, G6, QUEEN, G7, H8);
	assert_true(brute_value(*state, &mate, &value));
	assert_true(el_value_equal(value, (struct el_value){.outcome = EL_LOSS}));
	struct el_position stalemate = position(EL_BLACK, A6, PAWN, A7, A8);
	assert_true(brute_value(*state, &stalemate, &value));
	assert_true(el_value_equal(value, (struct el_value){.outcome = EL_DRAW}));
	struct el_position corner = position(EL_BLACK, C1, QUEEN, B3, A1);
	assert_true(brute_value(*state, &corner, &value));
	assert_true(el_value_equal(value, (struct el_value){.outcome = EL_DRAW}));
	corner.side = EL_WHITE;
	assert_true(brute_value(*state, &corner, &value));
	assert_true(el_value_equal(value, (struct el_value){.outcome = EL_WIN, .plies = 1}));
	struct el_position adjacent = position(EL_BLACK, C1, ROOK, B3, C2);
	assert_false(brute_value(*state, &adjacent, &value));
}

/* The same with the colours exchanged: a black queen mates. */
static void test_colours(void **state)
{
	struct el_position p = {.side = EL_WHITE, .en_passant = EL_NO_SQUARE, .fullmove = 1};
	struct el_value value;
	p.set[EL_WHITE][0] = (uint64_t)1 << 7;
	p.set[EL_BLACK][0] = (uint64_t)1 << 22;
	p.set[EL_BLACK][1] = (uint64_t)1 << 14;
	assert_true(brute_value(*state, &p, &value));
	assert_true(el_value_equal(value, (struct el_value){.outcome = EL_LOSS}));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_longest_wins), cmocka_unit_test(test_no_win),
		cmocka_unit_test(test_classes),      cmocka_unit_test(test_positions),
		cmocka_unit_test(test_colours),
	};
	return cmocka_run_group_tests(tests, solve, let_go);
}
