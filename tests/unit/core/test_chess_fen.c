/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FEN in and out, and every kind of wrong one. */
#include "tests/fixtures/positions.h"
#include "tests/fixtures/refusals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void test_round_trip(void **state)
{
	static const char *const fens[] = {
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
		"rnbqkbnr/ppp2ppp/4p3/3pP3/3P4/8/PPP2PPP/RNBQKBNR w KQkq d6 0 3",
		"r3k2r/8/8/8/8/8/8/R3K2R b Qk - 3 9",
		"4k3/8/8/8/8/8/8/4K2R b K - 0 1",
		"r3k3/8/8/8/8/8/8/4K3 w q - 65535 65535",
		"8/8/8/8/8/1k6/1q6/K7 w - - 99 65535",
		"8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
		"8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 7",
		"k6K/8/8/8/1p1p1p1p/P1P1P1P1/8/8 b - - 3 40",
	};
	(void)state;
	for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
		struct el_position position = position_of(fens[i]);
		char fen[EL_FEN_MAX];
		el_chess.format(&position, fen);
		assert_string_equal(fen, fens[i]);
	}
}

/* The text read, and the text written for it. */
static void test_normal_form(void **state)
{
	static const char *const cases[][2] = {
		{"8/8/8/8/8/1k6/8/K6R b - -", "8/8/8/8/8/1k6/8/K6R b - - 0 1"},
		{"8/8/8/8/8/1k6/8/K6R b - - 12", "8/8/8/8/8/1k6/8/K6R b - - 12 1"},
		{"  8/8/8/8/8/1k6/8/K6R  b\t- - 0 1\r\n", "8/8/8/8/8/1k6/8/K6R b - - 0 1"},
		/* no pawn can capture; a capture would leave the king in check */
		{"8/8/8/8/3P4/1k6/8/K7 b - d3 0 1", "8/8/8/8/3P4/1k6/8/K7 b - - 0 1"},
		{"8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct el_position position = position_of(cases[i][0]);
		char fen[EL_FEN_MAX];
		el_chess.format(&position, fen);
		assert_string_equal(fen, cases[i][1]);
	}
}

/* Operations of EPD: two of them set the clocks. */
static void test_operations(void **state)
{
	static const char *const cases[][2] = {
		{"bm Ra3+ Rb1; id \"one; two # 3\"; c0 \"\";", "0 1"},
		{"hmvc 12; fmvn 40;", "12 40"},
		{"noop;fmvn 40 ;acd 5;", "0 40"},
		{"7 hmvc 7; fmvn 9;\r\n", "7 9"},
		{"7 9 fmvn 9; pv Rh3 Ka4 Rh4;", "7 9"},
		{"a_2345678901234 -1.5e3; \tHMVC 3;", "0 1"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		static const char fields[] = "8/8/8/8/8/1k6/8/K6R w - -";
		char text[256], fen[EL_FEN_MAX], expected[EL_FEN_MAX];
		snprintf(text, sizeof text, "%s %s", fields, cases[i][0]);
		snprintf(expected, sizeof expected, "%s %s", fields, cases[i][1]);
		struct el_position position = position_of(text);
		el_chess.format(&position, fen);
		assert_string_equal(fen, expected);
	}
}

/* test_chess_moves.c tests faults of the board together with the rules. */
static void test_faults(void **state)
{
	static const struct refusal refusals[] = {
		{"8/8/8/8/8/1k6/8/K6R", "1 field, expected 4 to 6"},
		{"8/8/8/8/8/1k6/8/K6R w -", "3 fields"},
		{"8/8/8/8/8/1k6/8/K6R w - - 0 1 2", "7 fields"},
		{"8/8/8/8/8/1k6/K6R w - -", "7 ranks, expected 8"},
		{"8/8/8/8/8/8/1k6/8/K6R w - -", "9 ranks, expected 8"},
		{"8/8/8/8/8/1k6/8/K6RR w - -", "rank 1 'K6RR': 9 squares"},
		{"8/8/8/8/8/1k5/8/K6R w - -", "rank 3 '1k5': 7 squares"},
		{"8/8/8/8/8/1k6//K6R w - -", "rank 2 '': 0 squares"},
		{"8/8/8/8/8/1x6/8/K6R w - -", "rank 3 '1x6', character 2 'x'"},
		{"8/8/8/8/8/1k6/9/K6R w - -", "rank 2 '9', character 1 '9'"},
		{"8/8/8/8/8/1k6/0/K6R w - -", "rank 2 '0', character 1 '0'"},
		{"8/8/8/8/8/1k6/44/K6R w - -", "rank 2 '44', character 2 '4': two numbers"},
		{"8/8/8/8/8/1k6/8/K6R W - -", "(side to move): expected 'w' or 'b', found 'W'"},
		{"8/8/8/8/8/1k6/8/K6R white - -", "found 'white'"},
		{"8/8/8/8/8/1k6/8/K6R w x -", "field 3 (castling)"},
		{"8/8/8/8/8/1k6/8/K6R w KK -", "field 3 (castling)"},
		{"8/8/8/8/8/1k6/8/K6R w QK -", "in this order, found 'QK'"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w kqKQ -", "in this order, found 'kqKQ'"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkqK -", "in this order, found 'KQkqK'"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w K- -", "in this order, found 'K-'"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w HAha -", "in this order, found 'HAha'"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w -- -", "in this order, found '--'"},
		{"8/8/8/8/8/1k6/8/K6R w - e", "field 4 (en passant)"},
		{"8/8/8/8/8/1k6/8/K6R w - e3", "a square on rank 6 (White is to move), found 'e3'"},
		{"8/8/8/8/8/1k6/8/K6R b - e6", "a square on rank 3 (Black is to move), found 'e6'"},
		{"8/8/8/8/8/1k6/8/K6R w - i6", "found 'i6'"},
		{"8/8/8/8/8/1k6/8/K6R w - - 0x 1", "field 5 (halfmove clock)"},
	};
	struct el_position position;
	struct el_error error;
	(void)state;
	assert_positions_refused(&el_chess, refusals, sizeof refusals / sizeof *refusals);
	assert_int_equal(el_chess.parse("", &position, &error), EL_NEGATIVE);
	assert_non_null(strstr(error.text, "0 fields, expected 4 to 6"));
}

static void test_faults_of_operations(void **state)
{
	static const struct refusal refusals[] = {
		{"8/8/8/8/8/1k6/8/K6R w - - -1 1", "found '-1'"},
		{"8/8/8/8/8/1k6/8/K6R w - - 65536 1", "a number from 0 to 65535, found '65536'"},
		{"8/8/8/8/8/1k6/8/K6R w - - 0 0", "field 6 (move number): expected a number"},
		{"8/8/8/8/8/1k6/8/K6R w - - 0 1a", "found '1a'"},
		{"8/8/8/8/8/1k6/8/K6R w - - 0 99999999999999999999", "field 6"},
		{"8/8/8/8/8/1k6/8/K6R w - - 0 1;", "field 6 (move number)"},
		{"8/8/8/8/8/1k6/8/K6R w - - 0 1 x", "7 fields"},
		{"8/8/8/8/8/1k6/8/K6R w - - x 1", "field 5 (halfmove clock)"},
		{"8/8/8/8/8/1k6/8/K6R w - - bm Rh3", "found 'bm'"},
		{"8/8/8/8/8/1k6/8/K6R w - - bm Rh3", "or an operation that ends in ';'"},
		{"8/8/8/8/8/1k6/8/K6R w - - 0 x",
	         "field 6 (move number): expected a number from 1 to 65535, or"},
		{"8/8/8/8/8/1k6/8/K6R w - - 0 1 id \"x;\"",
	         "operation 1 (id): expected ';' behind it, found the end"},
		{"8/8/8/8/8/1k6/8/K6R w - - bm Ra3+; id \"a;",
	         "operation 2 (id): expected '\"' at the end of"},
		{"8/8/8/8/8/1k6/8/K6R w - - bm Ra3+; id \"a\"",
	         "operation 2 (id): expected ';' behind it"},
		{"8/8/8/8/8/1k6/8/K6R w - - bm Ra3+;;",
	         "operation 2: expected an opcode such as 'bm' or 'id', found ';'"},
		{"8/8/8/8/8/1k6/8/K6R w - - bm Ra3+; 5;",
	         "operation 2: expected an opcode such as 'bm' or 'id', found '5'"},
		{"8/8/8/8/8/1k6/8/K6R w - - \"x\";",
	         "operation 1: expected an opcode such as 'bm' or 'id', found '\"x\"'"},
		{"8/8/8/8/8/1k6/8/K6R w - - a-b;",
	         "operation 1: expected an opcode such as 'bm' or 'id', found 'a-b'"},
		{"8/8/8/8/8/1k6/8/K6R w - - a234567890123456;", "found 'a234567890123456'"},
		{"8/8/8/8/8/1k6/8/K6R w - - hmvc;",
	         "operation 1 (hmvc): expected a number from 0 to 65535, found ''"},
		{"8/8/8/8/8/1k6/8/K6R w - - hmvc -1;", "found '-1'"},
		{"8/8/8/8/8/1k6/8/K6R w - - hmvc 1; fmvn 0;",
	         "operation 2 (fmvn): expected a number from 1 to 65535"},
		{"8/8/8/8/8/1k6/8/K6R w - - 3 hmvc 4;",
	         "operation 1 (hmvc): found 4, but the number was 3 before"},
		{"8/8/8/8/8/1k6/8/K6R w - - fmvn 3; fmvn 4;",
	         "operation 2 (fmvn): found 4, but the number was 3 before"},
	};
	(void)state;
	assert_positions_refused(&el_chess, refusals, sizeof refusals / sizeof *refusals);
}

/* Each set of rights is read and written; king or rook elsewhere is an error
   (test_chess_moves.c). */
static void test_castling(void **state)
{
	(void)state;
	for (unsigned rights = 0; rights < 16; rights++) {
		char text[5] = "-", fen[EL_FEN_MAX], again[EL_FEN_MAX];
		for (unsigned right = 0, used = 0; right < 4; right++)
			if (rights >> right & 1)
				text[used++] = "KQkq"[right];
		snprintf(fen, sizeof fen, "r3k2r/8/8/8/8/8/8/R3K2R w %s - 3 9", text);
		struct el_position position = position_of(fen), bare = position;
		assert_int_equal(position.castling, rights);
		el_chess.format(&position, again);
		assert_string_equal(again, fen);
		bare.castling = 0;
		assert_int_equal(el_position_equal(&position, &bare), rights == 0);
	}
	/* Of several faults, the first one reported is one of the board. */
	struct el_position position;
	struct el_error error;
	assert_int_equal(el_chess.parse("r3k2r/8/8/8/8/8/8/R3K2K w K -", &position, &error),
	                 EL_NEGATIVE);
	assert_non_null(strstr(error.text, "White has 2 kings"));
}

/* No text does harm, however long or odd. */
static void test_noise(void **state)
{
	static const char characters[] = "KQRBNPkqrbnp12345678/ wb-x:;\"\t";
	char text[400];
	uint64_t seed = 1;
	(void)state;
	for (unsigned n = 0; n < 100000; n++) {
		size_t length = random_next(&seed) % (sizeof text - 1);
		struct el_position position;
		struct el_error error;
		for (size_t i = 0; i < length; i++)
			text[i] = characters[(random_next(&seed) >> 20) % (sizeof characters - 1)];
		text[length] = '\0';
		if (el_chess.parse(text, &position, &error) == EL_OK)
			assert_int_equal(el_chess.check(&position, NULL), EL_OK);
	}
}

static void test_form(void **state)
{
	const struct el_game *game = NULL;
	struct el_position position;
	struct el_error error;
	(void)state;
	assert_true(el_chess.looks_like("8/8/8/8/8/1k6/8/K6R w - -"));
	assert_true(el_chess.looks_like(" 8/8/8/8/8/1x6/8 w - -"));
	assert_false(el_chess.looks_like("W:WK3,20:BK30"));
	assert_false(el_chess.looks_like(""));
	assert_int_equal(el_position_parse("8/8/8/8/8/1k6/8/K6R w - -", &game, &position, &error),
	                 EL_OK);
	assert_ptr_equal(game, &el_chess);
	assert_int_equal(el_position_parse("hello", &game, &position, &error), EL_NEGATIVE);
	assert_non_null(strstr(error.text, "'hello' is not a position"));
	assert_ptr_equal(el_game_find("chess"), &el_chess);
	assert_null(el_game_find("go"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip), cmocka_unit_test(test_normal_form),
		cmocka_unit_test(test_faults),     cmocka_unit_test(test_faults_of_operations),
		cmocka_unit_test(test_castling),   cmocka_unit_test(test_noise),
		cmocka_unit_test(test_form),       cmocka_unit_test(test_operations),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
