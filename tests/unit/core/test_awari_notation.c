/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boards and moves of Awari in words, in both directions; refusals, with their whole messages. */
#include "tests/fixtures/awari_fixture.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/refusals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- positions ---- */

static void test_normal_form(void **state)
{
	static const char *const cases[][2] = {
		{"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"},
		{"0-0-0-0-0-0-0-0-0-0-0-0-24-24-N", "0-0-0-0-0-0-0-0-0-0-0-0-24-24-N"},
		{"48-0-0-0-0-0-0-0-0-0-0-0-0-0-S", "48-0-0-0-0-0-0-0-0-0-0-0-0-0-S"},
		{" 04-4-4-4-4-4-4-4-4-4-4-004-00-0-N\r\n", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-N"},
		{"1-0-0-0-0-0-0-2-0-0-0-0-0-0-S\t", "1-0-0-0-0-0-0-2-0-0-0-0-0-0-S"},
		/* The stones taken earlier may be left out, in part or all. */
		{"1-0-0-0-0-0-0-2-0-0-0-0-5-3-S", "1-0-0-0-0-0-0-2-0-0-0-0-5-3-S"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_position position = position_of(cases[i][0]);
		char text[EL_FEN_MAX];
		el_awari.format(&position, text);
		assert_string_equal(text, cases[i][1]);
		assert_int_equal(position.en_passant, EL_NO_SQUARE);
		assert_int_equal(position.fullmove, 1);
		assert_int_equal(position.halfmove, 0);
	}
}

/* As the tests' own board writes them, with either side to move, and with empty and full stores. */
static void test_round_trips(void **state)
{
	uint64_t seed = 23;
	(void)state;
	for (unsigned n = 0; n < 20000 / test_stride() + 100; n++) {
		struct el_position position = awari_heaps(n % (AWELE_STONES + 1), &seed);
		const unsigned left = AWELE_STONES - el_piece_count(&position);
		char text[EL_FEN_MAX], own[AWELE_TEXT];
		const struct el_game *game;
		struct el_position read;
		if (n % 3) {
			position.stores[0] = (uint8_t)(random_next(&seed) % (left + 1));
			position.stores[1] = (uint8_t)(n % 3 == 1 ? left - position.stores[0] : 0);
		}
		const struct awele_board board = awari_to_awele(&el_awari, &position);
		el_awari.format(&position, text);
		awele_write(&board, own);
		assert_string_equal(text, own);
		assert_true(el_awari.looks_like(text));
		assert_int_equal(el_position_parse(text, &game, &read, NULL), EL_OK);
		assert_ptr_equal(game, &el_awari);
		assert_memory_equal(&read, &position, sizeof read);
	}
}

/* Each with its whole message. */
static void test_faults(void **state)
{
	static const struct refusal refusals[] = {
		/* too few fields, too many */
		{"4-", "character 3: expected the stones in pit B, up to 48, found the end"},
		{"4-4-4-4-4-4-4-4-4-4-4", "character 22: expected '-', found the end"},
		{"4-4-4-4-4-4-4-4-4-4-4-4", "character 24: expected '-', found the end"},
		{"4-4-4-4-4-4-4-4-4-4-4-4-S",
	         "character 25: expected the stones in South's store, up to 48, found 'S'"},
		{"4-4-4-4-4-4-4-4-4-4-4-4-0-S",
	         "character 27: expected the stones in North's store, up to 48, found 'S'"},
		{"4-4-4-4-4-4-4-4-4-4-4-S",
	         "character 23: expected the stones in pit f, up to 48, found 'S'"},
		{"4-4-4-4-4-4-4-4-4-4-4-4-0-0-0-S",
	         "character 29: expected the side to move, 'S' or 'N', found 0"},
		{"4-4--4-4-4-4-4-4-4-4-4-0-0-S",
	         "character 5: expected the stones in pit C, up to 48, found '-'"},
		/* the side to move */
		{"4-4-4-4-4-4-4-4-4-4-4-4-0-0", "character 28: expected '-', found the end"},
		{"4-4-4-4-4-4-4-4-4-4-4-4-0-0-",
	         "character 29: expected the side to move, 'S' or 'N', found the end"},
		{"4-4-4-4-4-4-4-4-4-4-4-4-0-0-s",
	         "character 29: expected the side to move, 'S' or 'N', found 's'"},
		{"4-4-4-4-4-4-4-4-4-4-4-4-0-0-n",
	         "character 29: expected the side to move, 'S' or 'N', found 'n'"},
		{"4-4-4-4-4-4-4-4-4-4-4-4-0-0-W",
	         "character 29: expected the side to move, 'S' or 'N', found 'W'"},
		/* what follows */
		{"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S-", "character 30: expected the end, found '-'"},
		{"4-4-4-4-4-4-4-4-4-4-4-4-0-0-SN", "character 30: expected the end, found 'N'"},
		{"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S 1", "character 31: expected the end, found 1"},
		{"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S\001", "character 30: expected the end, found '?'"},
		/* no numbers, and large ones */
		{"4-x-4-4-4-4-4-4-4-4-4-4-0-0-S",
	         "character 3: expected the stones in pit B, up to 48, found 'x'"},
		{"4-4-4-4-4-4-D-4-4-4-4-4-0-0-S",
	         "character 13: expected the stones in pit a, up to 48, found 'D'"},
		{"4-4x4-4-4-4-4-4-4-4-4-4-0-0-S", "character 4: expected '-', found 'x'"},
		{"4-4.0-4-4-4-4-4-4-4-4-4-0-0-S", "character 4: expected '-', found '.'"},
		{"4- 4-4-4-4-4-4-4-4-4-4-4-0-0-S",
	         "character 3: expected the stones in pit B, up to 48, found ' '"},
		{"4-+4-4-4-4-4-4-4-4-4-4-4-0-0-S",
	         "character 3: expected the stones in pit B, up to 48, found '+'"},
		{"0-0-0-49-0-0-0-0-0-0-0-0-0-0-S",
	         "character 7: expected the stones in pit D, up to 48, found 49"},
		{"0-0-0-0-0-0-0-0-0-0-0-0-49-0-S",
	         "character 25: expected the stones in South's store, up to 48, found 49"},
		{"0-0-0-0-0-0-0-0-0-0-0-0-0-256-S",
	         "character 27: expected the stones in North's store, up to 48, found 256"},
		{"4294967297-0-0-0-0-0-0-0-0-0-0-0-0-0-S",
	         "character 1: expected the stones in pit A, up to 48, found 4294967297"},
		{"999999999999999999999999-0-0-0-0-0-0-0-0-0-0-0-0-0-S",
	         "character 1: expected the stones in pit A, up to 48, found 99999999999999999999"},
		/* the stones do not add up */
		{"4-4-4-4-4-4-4-4-4-4-4-5-0-0-S",
	         "49 stones on the board and 0 in the stores, expected at most 48 in all"},
		{"4-4-4-4-4-4-4-4-4-4-4-4-1-0-N",
	         "48 stones on the board and 1 in the stores, expected at most 48 in all"},
		{"0-0-0-0-0-0-0-0-0-0-0-1-24-24-S",
	         "1 stone on the board and 48 in the stores, expected at most 48 in all"},
		{"0-0-0-0-0-0-0-0-0-0-0-0-48-48-S",
	         "0 stones on the board and 96 in the stores, expected at most 48 in all"},
		{"48-48-48-48-48-48-48-48-48-48-48-48-48-48-S",
	         "576 stones on the board and 96 in the stores, expected at most 48 in all"},
	};
	(void)state;
	assert_positions_refused(&el_awari, refusals, sizeof refusals / sizeof *refusals);
}

/* However long a text is, its refusal is short. */
static void test_long(void **state)
{
	enum { LENGTH = 100000 };
	char *text = malloc(LENGTH + 1);
	(void)state;
	assert_non_null(text);
	for (unsigned kind = 0; kind < 4; kind++) {
		struct el_error error = {.text = ""};
		struct el_position position;
		const struct el_game *game;
		for (unsigned i = 0; i < LENGTH; i++)
			text[i] = kind == 1 && i ? '4' : "4-"[i % 2];
		text[LENGTH] = '\0';
		if (kind == 2)
			memcpy(text, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", 29);
		if (kind == 3)
			text[LENGTH / 2] = 'x';
		assert_int_equal(el_awari.parse(text, &position, &error), EL_NEGATIVE);
		assert_true(strlen(error.text) < 100 && !strchr(error.text, '\n'));
		el_position_parse(text, &game, &position, &error);
		assert_true(strlen(error.text) < sizeof error.text);
	}
	free(text);
}

/* Boards in Set up: written whatever they hold, and judged. */
static void test_any_board(void **state)
{
	static const struct {
		struct el_position position;
		const char *why;
	} cases[] = {
		{{.side = 2}, "side to move 2, expected 0 or 1"},
		{{.en_passant = 3}, "something that is not a stone in a pit"},
		{{.castling = 1}, "something that is not a stone in a pit"},
		{{.set = {[1][0] = 1}}, "something that is not a stone in a pit"},
		{{.set = {[0][5] = UINT64_C(1) << 63}}, "something that is not a stone in a pit"},
		{{.hand = {0, 1}}, "something that is not a stone in a pit"},
		{{.pits = {[0] = 40, [11] = 9}},
	         "49 stones on the board and 0 in the stores, expected at most 48 in all"},
		{{.pits = {[3] = 1}, .stores = {24, 24}},
	         "1 stone on the board and 48 in the stores, expected at most 48 in all"},
		{{.stores = {255, 255}},
	         "0 stones on the board and 510 in the stores, expected at most 48 in all"},
	};
	struct el_position position = {.side = EL_BLACK, .en_passant = EL_NO_SQUARE};
	char text[EL_FEN_MAX];
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct el_position p = cases[i].position;
		struct el_error error = {.text = ""};
		p.en_passant = p.en_passant ? p.en_passant : EL_NO_SQUARE;
		assert_int_equal(el_awari.check(&p, &error), EL_NEGATIVE);
		assert_string_equal(error.text, cases[i].why);
		assert_false(el_awari.legal(&p, NULL));
	}
	assert_int_equal(el_awari.check(&position, NULL), EL_OK);
	assert_true(el_awari.legal(&position, NULL));
	el_awari.format(&position, text);
	assert_string_equal(text, "0-0-0-0-0-0-0-0-0-0-0-0-0-0-N");
	memset(position.pits, 0xff, sizeof position.pits);
	memset(position.stores, 0xff, sizeof position.stores);
	position.side = 255;
	el_awari.format(&position, text);
	assert_string_equal(text, "255-255-255-255-255-255-255-255-255-255-255-255-255-255-N");
}

/* A position of Oware has the game's name before it; all else is the same. */
static void test_oware(void **state)
{
	static const struct refusal refusals[] = {
		{"oware:4-4-4", "character 12: expected '-', found the end"},
		{"oware:49-", "character 7: expected the stones in pit A, up to 48, found 49"},
	};
	const char *const text = "oware:1-0-2-0-0-0-0-2-0-0-0-0-5-3-N";
	const struct el_position position = position_of(text),
				 same = position_of(strchr(text, ':') + 1);
	struct el_position read;
	struct el_error error = {.text = ""};
	char again[EL_FEN_MAX];
	(void)state;
	el_oware.format(&position, again);
	assert_string_equal(again, text);
	assert_memory_equal(&position, &same, sizeof same);
	assert_int_equal(el_oware.parse(text + strlen("oware:"), &read, &error), EL_OK);
	assert_memory_equal(&position, &read, sizeof read);
	assert_positions_refused(&el_oware, refusals, sizeof refusals / sizeof *refusals);
}

/* The game of a text: only one accepts it. */
static void test_form(void **state)
{
	static const struct {
		const char *text;
		const struct el_game *game;
	} cases[] = {
		{"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", &el_awari},
		{" 12-0", &el_awari},
		{"48-", &el_awari},
		{"11-15", &el_awari},
		{"1-0", &el_awari},
		{"W:W21,22:B1", &el_checkers},
		{"W:Wa1,d1,g1:Ba7,d7,g4", &el_morris},
		{"8/8/8/8/8/8/8/KQk5 w - - 0 1", &el_chess},
		{"oware:4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", &el_oware},
		{" oware:1-", &el_oware},
		{"awari:12", NULL},
		{"oware:12", NULL},
		{"awari:1-0", NULL},
		{"-4-4", NULL},
		{"x-4-4-4", NULL},
		{"", NULL},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (const struct el_game *const *game = el_games; *game; game++)
			if ((*game)->looks_like(cases[i].text) != (*game == cases[i].game))
				fail_msg("%s: %s", cases[i].text, (*game)->name);
}

/* ---- moves ---- */

static void assert_refused(const char *board, const char *text, const char *why)
{
	const struct el_position position = position_of(board);
	struct el_error error = {.text = ""};
	struct el_move move = {.from = 77};
	assert_int_equal(el_awari.read_move(&position, text, &move, &error),
	                 strstr(why, "is not a move") ? EL_USAGE : EL_NEGATIVE);
	if (strcmp(error.text, why))
		fail_msg("%s: %s", text, error.text);
	assert_int_equal(move.from, 77);
}

static void test_letters(void **state)
{
	static const char *const openings[] = {"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
	                                       "4-4-4-4-4-4-4-4-4-4-4-4-0-0-N"};
	(void)state;
	for (unsigned side = 0; side < 2; side++)
		for (const char *letter = "ABCDEFabcdef"; *letter; letter++) {
			const struct el_position position = position_of(openings[side]);
			const char text[] = {*letter, '\0'};
			const bool own = (*letter >= 'a') == side;
			char why[64], written[EL_MOVE_MAX];
			struct el_move move;
			snprintf(why, sizeof why,
			         "'%s' is illegal: the pit is %s's, and %s is to move", text,
			         side ? "South" : "North", side ? "North" : "South");
			if (!own) {
				assert_refused(openings[side], text, why);
				continue;
			}
			assert_int_equal(el_awari.read_move(&position, text, &move, NULL), EL_OK);
			el_awari.write_move(&position, &move, EL_SAN, written);
			assert_string_equal(written, text);
		}
}

static void test_no_moves(void **state)
{
	static const char *const cases[] = {
		"",   " ",  "g",  "G",  "0",        "13",   "1 ", "AB", "A ",
		" A", "Ab", "aa", "A!", "\xc3\x84", "e2e4", "S",  "-",
	};
	char why[128];
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(why, sizeof why,
		         "'%s' is not a move: expected a pit, A to F or a to f, or its number",
		         cases[i]);
		assert_refused("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", cases[i], why);
	}
	assert_refused("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
	               "ABCDEFABCDEFABCDEFABCDEFABCDEFABCDEFABCDEF",
	               "'ABCDEFABCDEFABCDEFABCDEFABCDEFAB' is not a move: expected a pit, A to F "
	               "or a to f, or its number");
}

/* From 1 to 6 the mover's pits, from 7 to 12 North's. */
static void test_numbers(void **state)
{
	static const char *const pits[2] = {"ABCDEF", "abcdefabcdef"};
	(void)state;
	for (unsigned side = 0; side < 2; side++)
		for (unsigned number = 1; number <= strlen(pits[side]); number++) {
			const struct el_position position =
				position_of(side ? "4-4-4-4-4-4-4-4-4-4-4-4-0-0-N"
			                         : "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S");
			const char letter[] = {pits[side][number - 1], '\0'};
			char text[4], written[EL_MOVE_MAX];
			struct el_move move;
			snprintf(text, sizeof text, "%u", number);
			assert_int_equal(el_awari.read_move(&position, text, &move, NULL), EL_OK);
			el_awari.write_move(&position, &move, EL_SAN, written);
			assert_string_equal(written, letter);
		}
	assert_refused("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "7",
	               "'7' is illegal: the pit is North's, and South is to move");
}

static void test_refusals(void **state)
{
	static const struct {
		const char *position, *text, *why;
	} cases[] = {
		{"1-0-0-0-0-1-0-0-0-0-0-0-0-0-S", "B", "'B' is illegal: the pit is empty"},
		{"1-0-0-0-0-1-0-0-0-0-0-0-0-0-S", "a",
	         "'a' is illegal: the pit is North's, and South is to move"},
		/* not fed */
		{"1-0-0-0-0-1-0-0-0-0-0-0-0-0-S", "A",
	         "'A' is illegal: it leaves North no stone, and another move does not"},
		{"0-0-0-0-0-0-1-0-0-0-0-1-0-0-N", "a",
	         "'a' is illegal: it leaves South no stone, and another move does not"},
		/* all are captured */
		{"1-0-0-0-0-1-1-0-0-0-0-0-0-0-S", "F",
	         "'F' is illegal: it leaves North no stone, and another move does not"},
		/* the game is over */
		{"0-0-0-0-0-0-1-2-3-0-0-0-0-0-S", "A", "'A' is illegal: the pit is empty"},
		{"0-0-0-0-0-0-0-0-0-0-0-0-24-24-N", "f", "'f' is illegal: the pit is empty"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_refused(cases[i].position, cases[i].text, cases[i].why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_normal_form), cmocka_unit_test(test_round_trips),
		cmocka_unit_test(test_faults),      cmocka_unit_test(test_long),
		cmocka_unit_test(test_any_board),   cmocka_unit_test(test_oware),
		cmocka_unit_test(test_form),        cmocka_unit_test(test_letters),
		cmocka_unit_test(test_numbers),     cmocka_unit_test(test_no_moves),
		cmocka_unit_test(test_refusals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
