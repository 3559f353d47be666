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
		/* A wing's letter is its outermost rook, another rook has its file. */
		"bqnrnkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRNKRB w KQkq - 0 1",
		"rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1",
		"rr2k1rr/8/8/8/8/8/8/RR2K1RR b KBgq - 0 1",
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
		{"8/8/8/8/8/1k6/8/K6R w", "8/8/8/8/8/1k6/8/K6R w - - 0 1"},
		{"8/8/8/8/8/1k6/8/K6R b -", "8/8/8/8/8/1k6/8/K6R b - - 0 1"},
		{"8/8/8/8/8/1k6/8/K6R w - - - -", "8/8/8/8/8/1k6/8/K6R w - - 0 1"},
		{"8/8/8/8/8/1k6/8/K6R w - - 150 0", "8/8/8/8/8/1k6/8/K6R w - - 150 1"},
		{"8/8/8/8/8/1k6/8/K6R_w_-_-_7_9", "8/8/8/8/8/1k6/8/K6R w - - 7 9"},
		{"8/8/8/8/8/1k6/8/K6R w - - 7 9;", "8/8/8/8/8/1k6/8/K6R w - - 7 9"},
		{"8/8/8/8/8/1k6/8/K6R w - -; ;", "8/8/8/8/8/1k6/8/K6R w - - 0 1"},
		{"position fen 8/8/8/8/8/1k6/8/K6R w - - 7 9", "8/8/8/8/8/1k6/8/K6R w - - 7 9"},
		{" fen  8/8/8/8/8/1k6/8/K6R w", "8/8/8/8/8/1k6/8/K6R w - - 0 1"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w HAha -", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w kqQK -", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"},
		{"4k3/8/8/8/8/8/8/RR2KR2 w QK -", "4k3/8/8/8/8/8/8/RR2KR2 w KQ - 0 1"},
		{"4k3/8/8/8/8/8/8/RR2KR2 w BF -", "4k3/8/8/8/8/8/8/RR2KR2 w KB - 0 1"},
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
		{"8/8/8/8/8/1k6/8/K6R", "1 field, expected 2 to 6"},
		{"8/8/8/8/8/1k6/8/K6R w - - 0 1 2", "7 fields"},
		{"8/8/8/8/8/1k6/K6R w - -", "7 ranks, expected 8"},
		{"8/8/8/8/8/8/1k6/8/K6R w - -", "9 ranks, expected 8"},
		{"k w - -", "'k': 1 rank, expected 8"},
		{"8/8/8/8/8/1k6/8/K w - -", "rank 1 'K': 1 square, expected 8"},
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
		{"8/8/8/8/8/1k6/8/K6R w KK -", "castling K: White has no king on b1 to g1"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w K- -", "or of the files of rooks, HAha, found 'K-'"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w -- -", "found '--'"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w i -", "found 'i'"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkqKQkqKQkqKQkqK -", "found 'KQkqKQkqKQkqKQkqK'"},
		{"8/8/8/8/8/1k6/8/K6R w - e", "field 4 (en passant)"},
		{"8/8/8/8/8/1k6/8/K6R w - e3",
	         "en passant on e3: expected a square on rank 6 (White is to move)"},
		{"8/8/8/8/8/1k6/8/K6R b - e6",
	         "en passant on e6: expected a square on rank 3 (Black is to move)"},
		{"8/8/8/8/8/1k6/8/K6R w - i6", "found 'i6'"},
		{"8/8/8/8/8/1k6/8/K6R w - - 0x 1", "field 5 (halfmove clock)"},
	};
	struct el_position position;
	struct el_error error;
	(void)state;
	assert_positions_refused(&el_chess, refusals, sizeof refusals / sizeof *refusals);
	assert_int_equal(el_chess.parse("", &position, &error), EL_NEGATIVE);
	assert_non_null(strstr(error.text, "0 fields, expected 2 to 6"));
}

static void test_faults_of_operations(void **state)
{
	static const struct refusal refusals[] = {
		{"8/8/8/8/8/1k6/8/K6R w - - -1 1", "found '-1'"},
		{"8/8/8/8/8/1k6/8/K6R w - - 65536 1", "a number from 0 to 65535, found '65536'"},
		{"8/8/8/8/8/1k6/8/K6R w - - 0 1a", "found '1a'"},
		{"8/8/8/8/8/1k6/8/K6R w - - 0 99999999999999999999", "field 6"},
		{"8/8/8/8/8/1k6/8/K6R w - - 0 1 moves a1a2;",
	         "operation 1 (moves): moves behind a position are not played"},
		{"8/8/8/8/8/1k6/8/K6R w - - 0 1 x", "7 fields"},
		{"8/8/8/8/8/1k6/8/K6R w - - x 1", "field 5 (halfmove clock)"},
		{"8/8/8/8/8/1k6/8/K6R w - - bm Rh3", "found 'bm'"},
		{"8/8/8/8/8/1k6/8/K6R w - - bm Rh3", "or an operation that ends in ';'"},
		{"8/8/8/8/8/1k6/8/K6R w - - 0 x",
	         "field 6 (move number): expected a number from 0 to 65535, or"},
		{"8/8/8/8/8/1k6/8/K6R w - - bm Ra3+; id \"a;",
	         "operation 2 (id): expected '\"' at the end of"},
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
		{"8/8/8/8/8/1k6/8/K6R w - - hmvc 1; fmvn x;",
	         "operation 2 (fmvn): expected a number from 0 to 65535"},
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
		assert_int_equal(position.castling >> 7 & 1, rights & 1);
		assert_int_equal(position.castling & 1, rights >> 1 & 1);
		assert_int_equal(position.castling >> 15, rights >> 2 & 1);
		assert_int_equal(position.castling >> 8 & 1, rights >> 3);
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

/* The lenient form says what it leaves out, and only that. */
static void test_notes(void **state)
{
	static const struct {
		const char *text, *fen, *note;
	} cases[] = {
		{"8/8/8/4k3/8/4K3/8/R7 w KQkq - 0 1", "8/8/8/4k3/8/4K3/8/R7 w - - 0 1",
	         "castling KQkq left out: White has no king on b1 to g1"},
		{"4k3/8/8/8/8/8/8/4K2R w KQ - 3 1", "4k3/8/8/8/8/8/8/4K2R w K - 3 1",
	         "castling Q left out: White has no rook on a1 to d1"},
		{"4k3/8/8/8/8/8/8/4KRR1 w GF -", "4k3/8/8/8/8/8/8/4KRR1 w K - 0 1",
	         "castling F left out: another rook on that side of White's king has the right"},
		{"4k3/8/8/8/8/8/8/4K2Q w - e3 0 1", "4k3/8/8/8/8/8/8/4K2Q w - - 0 1",
	         "en passant left out: expected a square on rank 6 (White is to move)"},
		{"4k3/8/8/8/8/8/8/4K2Q w K e6 0 1", "4k3/8/8/8/8/8/8/4K2Q w - - 0 1",
	         "castling K left out: White has no rook on f1 to h1; "
	         "en passant left out: no black pawn can just have passed it"},
		{"8/8/8/8/8/1k6/8/K6R", "8/8/8/8/8/1k6/8/K6R w - - 0 1",
	         "White to move, since no side is given"},
		{"8/8/8/8/8/1k6/8/K6R w - - hmvc 8", "8/8/8/8/8/1k6/8/K6R w - - 8 1",
	         "hmvc read without its ';'"},
		/* Many programs leave out the last semicolon, and have signs of their own. */
		{"8/8/8/8/8/1k6/8/K6R w - - bm Ra3+; hmvc 8", "8/8/8/8/8/1k6/8/K6R w - - 8 1", ""},
		{"8/8/8/8/8/1k6/8/K6R w - - bm #5; 00:00; hmvc 8;", "8/8/8/8/8/1k6/8/K6R w - - 8 1",
	         "'00:00' left out: it is no operation of EPD"},
		/* A right that no legal capture uses, and everything that is only another form. */
		{"8/8/8/8/3P4/1k6/8/K7 b - d3 0 1", "8/8/8/8/3P4/1k6/8/K7 b - - 0 1", ""},
		{"position fen r3k2r/8/8/8/8/8/8/R3K2R_w_AHah_-_-_0;",
	         "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", ""},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_game *game;
		struct el_position position;
		struct el_error error;
		char note[EL_NOTE_MAX] = "?", fen[EL_FEN_MAX];
		if (el_position_read(cases[i].text, &game, &position, note, &error))
			fail_msg("%s: %s", cases[i].text, error.text);
		el_chess.format(&position, fen);
		assert_string_equal(fen, cases[i].fen);
		assert_string_equal(note, cases[i].note);
		/* What needs a note is refused by the strict form. */
		assert_int_equal(!el_position_parse(cases[i].text, &game, &position, &error),
		                 !*note);
	}
	/* Neither form takes nonsense for a right, or a typing error in a clock for an operation. */
	static const char *const neither[] = {
		"8/8/8/8/8/1k6/8/K6R w x -",
		"8/8/8/8/8/1k6/8/K6R w - ee",
		"8/8/8/8/8/1k6/8/K6R w - - x 1",
		"8/8/8/8/8/1k6/8/K6R w - - 0 1 2",
		"8/8/8/8/8/1k6/8/K6R w - - -1 1",
		"8/8/8/8/8/1k6/8/K5KR w KQkq - 0 1",
		"8/8/8/8/8/1k6/8/K6R w - - 70000",
		"position fen 8/8/8/8/8/1k6/8/K6R w - - 0 1 moves a1a2",
	};
	for (size_t i = 0; i < sizeof neither / sizeof *neither; i++) {
		const struct el_game *game;
		struct el_position position;
		char note[EL_NOTE_MAX];
		assert_int_equal(el_position_read(neither[i], &game, &position, note, NULL),
		                 EL_NEGATIVE);
	}
}

/* No text does harm, however long or odd. */
static void test_noise(void **state)
{
	static const char characters[] = "KQRBNPkqrbnpaAhH12345678/ wb-x:;_\"\t";
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
		char note[EL_NOTE_MAX];
		const bool strict = el_chess.parse(text, &position, &error) == EL_OK;
		if (el_chess.read(text, note, &position, &error) == EL_OK)
			assert_int_equal(el_chess.check(&position, NULL), EL_OK);
		else
			assert_false(strict);
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
		cmocka_unit_test(test_notes),      cmocka_unit_test(test_form),
		cmocka_unit_test(test_operations),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
