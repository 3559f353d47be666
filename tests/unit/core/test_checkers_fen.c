/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions of draughts in words and back, and every kind of wrong one. */
#include "tests/fixtures/positions.h"
#include "tests/fixtures/refusals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The text read, and the text written for it. */
static void test_normal_form(void **state)
{
	static const char *const cases[][2] = {
		{"W:WK3,20:BK30", "W:WK3,20:BK30"},
		{"B:BK30:W20,K3", "B:WK3,20:BK30"},
		{"B:W21-32:B1-12",
	         "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"},
		{"W:WK31-32,29:BK1,K2-3.", "W:W29,K31,K32:BK1,K2,K3"},
		{"W:W29-29:B1", "W:W29:B1"},
		{" W:W29:B1.\r\n", "W:W29:B1"},
		{"W:W29:B1:H0:F1", "W:W29:B1"},
		{"W:B1:W29:F17.", "W:W29:B1"},
		{"W:W029:B01", "W:W29:B1"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_position position = position_of(cases[i][0]);
		char fen[EL_FEN_MAX];
		el_checkers.format(&position, fen);
		assert_string_equal(fen, cases[i][1]);
	}
}

static void test_counters(void **state)
{
	struct el_position position = position_of("W:B1:W29:H12:F17.");
	(void)state;
	assert_int_equal(position.side, EL_WHITE);
	assert_int_equal(position.en_passant, EL_NO_SQUARE);
	assert_int_equal(position.halfmove, 12);
	assert_int_equal(position.fullmove, 17);
	position = position_of("B:B1:W29:F65535");
	assert_int_equal(position.side, EL_BLACK);
	assert_int_equal(position.halfmove, 0);
	assert_int_equal(position.fullmove, 65535);
	position = position_of("B:B1:W29");
	assert_int_equal(position.fullmove, 1);
}

static void test_faults(void **state)
{
	static const struct refusal refusals[] = {
		/* not a position's words */
		{"w:W29:B1", "character 1: expected the side to move, 'W' or 'B', found 'w'"},
		{"W:", "character 3: expected 'W' or 'B', found the end"},
		{"W:X29:B1", "character 3: expected 'W' or 'B', found 'X'"},
		{"W:29:B1", "character 3: expected 'W' or 'B', found 29"},
		{"W:W29", "character 6: expected ':B', found the end"},
		{"W:B1", "character 5: expected ':W', found the end"},
		{"W:W29:W1", "character 7: expected 'B', found 'W'"},
		{"W:W29:b1", "character 7: expected 'B', found 'b'"},
		{"W:W29,:B1", "character 7: expected 'K' or a square from 1 to 32, found ':'"},
		{"W:W29,,30:B1", "character 7: expected 'K' or a square from 1 to 32, found ','"},
		{"W:W29 :B1", "character 6: expected ':B', found ' '"},
		{"W:Wk29:B1", "character 4: expected 'K' or a square from 1 to 32, found 'k'"},
		{"W:WK:B1", "character 5: expected a square from 1 to 32, found ':'"},
		{"W:WKK3:B1", "character 5: expected a square from 1 to 32, found 'K'"},
		{"W:W-3:B1", "character 4: expected 'K' or a square from 1 to 32, found '-'"},
		{"W:W3-:B1", "character 6: expected a square from 1 to 32, found ':'"},
		{"W:W3-K5:B1", "character 6: expected a square from 1 to 32, found 'K'"},
		{"W:W29:B1-2-3", "character 11: expected ',' or the end, found '-'"},
		{"W:W29:B1:", "character 9: expected ',' or the end, found ':'"},
		{"W:W29:B1:W5", "character 9: expected ',' or the end, found ':'"},
		{"W:W29:B1:F1:H1", "character 12: expected ',' or the end, found ':'"},
		{"W:W29:B1:H", "character 11: expected a number up to 65535, found the end"},
		{"W:W29:B1:Hx", "character 11: expected a number up to 65535, found 'x'"},
		{"W:W29:B1:F65536", "character 11: expected a number up to 65535, found 65536"},
		{"W:W29:B1..", "character 10: expected ',' or the end, found '.'"},
		{"W:W29:B1 W", "character 10: expected ',' or the end, found 'W'"},
		{"W:W29:B1\001", "character 9: expected ',' or the end, found '?'"},
		{"W:W32-29:B1", "the range 32-29: expected the smaller number first"},
		/* no square */
		{"W:W0:B1", "character 4: expected 'K' or a square from 1 to 32, found 0"},
		{"W:W29:B1,33", "character 10: expected 'K' or a square from 1 to 32, found 33"},
		{"W:W29:B1,K9999999999", "expected a square from 1 to 32, found 9999999999"},
		{"W:W29-33:B1", "character 7: expected a square from 1 to 32, found 33"},
		/* an illegal position */
		{"W:W29,29:B1", "two pieces are on 29"},
		{"W:W29,K29:B1", "two pieces are on 29"},
		{"W:W5:B1-8", "two pieces are on 5"},
		{"B:W:B1", "White has no pieces"},
		{"W:W29:B", "Black has no pieces"},
		{"W:W29:B.", "Black has no pieces"},
		{"W:W29:B:H0:F1", "Black has no pieces"},
		{"W:W3:B5", "a white man on 3: there it would be a king"},
		{"W:W4-6,K20:B9", "a white man on 4"},
		{"B:W5:B32,K20", "a black man on 32: there it would be a king"},
		{"W:W20-32:B1", "White has 13 pieces, expected at most 12"},
		{"W:W32:BK1-13", "Black has 13 pieces, expected at most 12"},
	};
	(void)state;
	assert_positions_refused(&el_checkers, refusals, sizeof refusals / sizeof *refusals);
}

/* Boards in Set up: written whatever they hold, and judged. */
static void test_any_board(void **state)
{
	struct el_position position = {.side = EL_BLACK, .en_passant = EL_NO_SQUARE};
	struct el_error error;
	char fen[EL_FEN_MAX];
	(void)state;
	el_checkers.format(&position, fen);
	assert_string_equal(fen, "B:W:B");
	position.set[EL_WHITE][0] = UINT32_C(0x55555555);
	position.set[EL_BLACK][0] = UINT32_C(0xaaaaaaaa);
	el_checkers.format(&position, fen);
	assert_string_equal(fen, "B:WK1,K3,K5,K7,K9,K11,K13,K15,K17,K19,K21,K23,K25,K27,K29,K31"
	                         ":BK2,K4,K6,K8,K10,K12,K14,K16,K18,K20,K22,K24,K26,K28,K30,K32");
	for (unsigned i = 0; i < 4; i++)
		position.set[i / 2][i % 2] = UINT32_MAX;
	el_checkers.format(&position, fen);
	assert_int_equal(strlen(fen), EL_FEN_MAX - 1);
	assert_int_equal(el_checkers.check(&position, &error), EL_NEGATIVE);
	assert_non_null(strstr(error.text, "two pieces are on 1"));
	position = position_of("W:W29:B1");
	position.set[EL_BLACK][0] = UINT64_C(1) << 40;
	assert_int_equal(el_checkers.check(&position, &error), EL_NEGATIVE);
	assert_non_null(strstr(error.text, "Black has a piece off the 32 squares"));
}

static void test_round_trip(void **state)
{
	static const char *const names[] = {"checkers:KMMM6vKKMM3", "checkers:MMMM7vMMMM2",
	                                    "checkers:KvM"};
	uint64_t seed = 23;
	(void)state;
	for (unsigned n = 0; n < 3000; n++) {
		const struct el_slice slice = slice_named(names[n % 3]);
		const struct el_position position = random_position(&slice, &seed);
		char fen[EL_FEN_MAX];
		el_checkers.format(&position, fen);
		const struct el_position read = position_of(fen);
		assert_int_equal(read.side, position.side);
		assert_memory_equal(read.set, position.set, sizeof read.set);
	}
}

/* The game of a text. */
static void test_form(void **state)
{
	static const struct {
		const char *text;
		bool draughts;
	} cases[] = {
		{"W:WK3,20:BK30", true},
		{" B:anything", true},
		{"w:", true},
		{"W", false},
		{"", false},
		{":W", false},
		{"WK3:B5", false},
		{"WW:W1:B5", false},
		{"checkers:KvK", false},
		{"B", false},
		{"K7/8/8 w - -", false},
		{"8/8 b - - 0:1", false},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(el_checkers.looks_like(cases[i].text), cases[i].draughts);
		assert_false(cases[i].draughts && el_chess.looks_like(cases[i].text));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_normal_form), cmocka_unit_test(test_counters),
		cmocka_unit_test(test_faults),      cmocka_unit_test(test_any_board),
		cmocka_unit_test(test_round_trip),  cmocka_unit_test(test_form),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
