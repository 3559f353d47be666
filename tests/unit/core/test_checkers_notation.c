/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves of draughts in words, both ways. */
#include "tests/fixtures/positions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A position, a text read there, and the text written for it. */
struct reading {
	const char *fen, *text, *san, *uci;
};

/* Two ways to the same square that take different pieces; a loop, with and without a further
   jump. */
static const char forked[] = "W:W26,31:B23,14,22,15";
static const char looped[] = "W:WK22:B18,10,9,17,26";
static const char round_trip[] = "W:WK22:B18,10,9,17";
static const char quiet[] = "B:WK32:B14,K1";

static void test_reading(void **state)
{
	static const struct reading cases[] = {
		{quiet, "14-17", "14-17", "14-17"},
		{quiet, "1-5", "1-5", "1-5"},
		/* as CheckerBoard writes a quiet move now and then */
		{quiet, "14x17", "14-17", "14-17"},
		{quiet, "1x5", "1-5", "1-5"},
		{"W:W22:B18,10", "22x6", "22x6", "22x15x6"},
		{"W:W22:B18,10", "22x15x6", "22x6", "22x15x6"},
		{"W:W22:B18,10", "22-6", "22x6", "22x15x6"},
		{"W:W22:B18,10", "22:6", "22x6", "22x15x6"},
		{"W:W22:B18,10", "22:15:6", "22x6", "22x15x6"},
		{"W:W22:B18", "22x15", "22x15", "22x15"},
		{forked, "26x19x10", "26x19x10", "26x19x10"},
		{forked, "26x17x10", "26x17x10", "26x17x10"},
		{looped, "22x31", "22x31", "22x31"},
		{looped, "22x15x6x13x22x31", "22x15x6x13x22x31", "22x15x6x13x22x31"},
		/* the other way round, and by a square on only one of the ways */
		{looped, "22x13x6x15x22x31", "22x15x6x13x22x31", "22x15x6x13x22x31"},
		{looped, "22x6x31", "22x15x6x13x22x31", "22x15x6x13x22x31"},
		{round_trip, "22x22", "22x22", "22x15x6x13x22"},
		{round_trip, "22x13x6x15x22", "22x22", "22x15x6x13x22"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_position position = position_of(cases[i].fen);
		struct el_error error;
		struct el_move move;
		char san[EL_MOVE_MAX], uci[EL_MOVE_MAX];
		if (el_checkers.read_move(&position, cases[i].text, &move, &error) != EL_OK)
			fail_msg("%s: %s", cases[i].fen, error.text);
		el_checkers.write_move(&position, &move, EL_SAN, san);
		el_checkers.write_move(&position, &move, EL_UCI, uci);
		assert_string_equal(san, cases[i].san);
		assert_string_equal(uci, cases[i].uci);
	}
}

/* The longest possible way, from corner to corner through both loops: it fits. */
static void test_longest(void **state)
{
	static const char *const fens[] = {"W:WK29:B25,26,27,17,18,19,9,10,11",
	                                   "B:W25,K18,K26,9,10,11,17,19,27:BK29"};
	(void)state;
	for (size_t n = 0; n < 2; n++) {
		const struct el_position position = position_of(fens[n]);
		struct el_move moves[EL_MOVES_MAX], read;
		size_t longest = 0;
		const size_t count = el_checkers.moves(&position, moves);
		for (size_t i = 0; i < count; i++) {
			char text[EL_MOVE_MAX];
			el_checkers.write_move(&position, &moves[i], EL_UCI, text);
			longest = strlen(text) > longest ? strlen(text) : longest;
			assert_int_equal(el_checkers.read_move(&position, text, &read, NULL),
			                 EL_OK);
			assert_int_equal(read.captured, moves[i].captured);
		}
		assert_int_equal(longest, strlen("29x22x15x6x13x22x31x24x15x8"));
	}
}

static void test_refusals(void **state)
{
	static const char must[] = "a capture must be made and completed, such as 22x6";
	static const struct reading cases[] = {
		{quiet, "", "is not a move: expected one such as 9-13, 9x18 or 9x18x27", ""},
		{quiet, "hello", "is not a move", ""},
		{quiet, "14", "is not a move", ""},
		{quiet, "14-", "is not a move", ""},
		{quiet, "-17", "is not a move", ""},
		{quiet, "14-17-", "is not a move", ""},
		{quiet, "14-17 ", "is not a move", ""},
		{quiet, "14--17", "is not a move", ""},
		{quiet, "14+17", "is not a move", ""},
		{quiet, "14-33", "is not a move", ""},
		{quiet, "14-17-33", "is not a move", ""},
		{quiet, "14-17-0", "is not a move", ""},
		{quiet, "0-17", "is not a move", ""},
		{quiet, "14-1117", "is not a move", ""},
		{quiet, "1x2x3x4x5x6x7x8x9x10x11x12x13", "is not a move", ""},
		{quiet, "11111111111111111111111111111111111111111", "is not a move", ""},
		{quiet, "15-18", "Black has no piece on 15", ""},
		{quiet, "32-28", "Black has no piece on 32", ""},
		{quiet, "14-10", "the man on 14 cannot go to 10", ""},
		{quiet, "14-18-22", "the man on 14 cannot go to 22", ""},
		{quiet, "1-9", "the king on 1 cannot go to 9", ""},
		{quiet, "14x10", "there is nothing to capture", ""},
		{quiet, "14x17x21", "there is nothing to capture", ""},
		{"W:W22:B18,10", "22-17", must, ""},
		{"W:W22:B18,10", "22x15", must, ""},
		{"W:W22:B18,10", "22x13x6", must, ""},
		{"W:W22:B18,10", "22x15x6x22", must, ""},
		{forked, "26x10", "'26x10' is ambiguous: 26x19x10 or 26x17x10", ""},
		{"W:W22:B18,15,17,13", "22-26", "the man on 22 cannot go to 26", ""},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_position position = position_of(cases[i].fen);
		struct el_error error = {0};
		struct el_move move = {.from = 77};
		assert_int_equal(el_checkers.read_move(&position, cases[i].text, &move, &error),
		                 strstr(cases[i].san, "is not a move") ? EL_USAGE : EL_NEGATIVE);
		if (!strstr(error.text, cases[i].san))
			fail_msg("%s: %s", cases[i].text, error.text);
		assert_int_equal(move.from, 77);
	}
}

static bool same_move(const struct el_move *a, const struct el_move *b)
{
	return a->from == b->from && a->to == b->to && a->kind == b->kind &&
	       a->becomes == b->becomes && a->captured == b->captured;
}

/* Every legal move is read back from both notations, and no two are written alike. Returns how many
   need more than their ends. */
static unsigned check_all_moves(const struct el_position *position)
{
	static char san[EL_MOVES_MAX][EL_MOVE_MAX];
	struct el_move moves[EL_MOVES_MAX], read;
	char uci[EL_MOVE_MAX];
	const size_t count = el_checkers.moves(position, moves);
	unsigned ways = 0;
	for (size_t i = 0; i < count; i++) {
		el_checkers.write_move(position, &moves[i], EL_SAN, san[i]);
		el_checkers.write_move(position, &moves[i], EL_UCI, uci);
		assert_int_equal(el_checkers.read_move(position, san[i], &read, NULL), EL_OK);
		assert_true(same_move(&read, &moves[i]));
		assert_int_equal(el_checkers.read_move(position, uci, &read, NULL), EL_OK);
		assert_true(same_move(&read, &moves[i]));
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(san[i], san[j]);
		const char *sign = strchr(san[i], 'x');
		ways += sign && strchr(sign + 1, 'x');
	}
	return ways;
}

/* Many pieces to take, in many ways. */
static void test_crowds(void **state)
{
	uint64_t seed = 7;
	unsigned ways = 0;
	(void)state;
	for (unsigned n = 0; n < 100000 / test_stride() + 8000; n++) {
		struct el_position position = {.side = n % 2, .en_passant = EL_NO_SQUARE};
		for (unsigned i = 0; i < 14; i++) {
			const unsigned square = random_next(&seed) >> 20 & 31;
			const uint64_t bit = UINT64_C(1) << square;
			const unsigned side = i < 2 ? n % 2 : !(n % 2);
			const bool man = random_next(&seed) >> 20 & 1;
			if ((position.set[0][0] | position.set[0][1] | position.set[1][0] |
			     position.set[1][1]) &
			    bit)
				continue;
			position.set[side][man && square > 3 && square < 28] |= bit;
		}
		if (el_checkers.check(&position, NULL) == EL_OK)
			ways += check_all_moves(&position);
	}
	assert_true(ways > 20);
}

static void test_games(void **state)
{
	uint64_t seed = 7;
	(void)state;
	for (unsigned game = 0; game < 100 / test_stride() + 5; game++) {
		struct el_position position = position_of("B:W21-32:B1-12");
		for (unsigned ply = 0; ply < 200; ply++) {
			struct el_move moves[EL_MOVES_MAX];
			const size_t count = el_checkers.moves(&position, moves);
			check_all_moves(&position);
			if (!count)
				break;
			el_checkers.play(&position, &moves[(random_next(&seed) >> 20) % count],
			                 &position);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reading),  cmocka_unit_test(test_longest),
		cmocka_unit_test(test_refusals), cmocka_unit_test(test_crowds),
		cmocka_unit_test(test_games),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
