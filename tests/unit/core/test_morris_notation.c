/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions and moves of Nine Men's Morris in words and back, and every kind of wrong ones. */
#include "tests/fixtures/positions.h"
#include "tests/fixtures/refusals.h"

#include "core/games/morris/index.h"
#include "core/games/morris/morris.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* ---- positions ---- */

/* The text read, and the text written for it. */
static void test_normal_form(void **state)
{
	static const char *const cases[][2] = {
		{"W:Wa1,d1,g1:Ba7,d7,g4", "W:Wa1,d1,g1:Ba7,d7,g4"},
		{"B:Bg4,d7,a7:Wg1,d1,a1", "B:Wa1,d1,g1:Ba7,d7,g4"},
		{"W:W+9:B+9", "W:W+9:B+9"},
		{"W:Wd6,b2+3:Be4,c3,a4+3", "W:Wb2,d6+3:Ba4,c3,e4+3"},
		{"B:Wb2,d6+2:B+3", "B:Wb2,d6+2:B+3"},
		{" W:Wa1,d1,g1+0:Ba7,d7,g4+00.\r\n", "W:Wa1,d1,g1:Ba7,d7,g4"},
		/* Sanmill's: from d5, d6 and d7 clockwise; the part after the counts may be left
		   out */
		{"********/********/******** w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1 ids:nodes",
	         "W:W+9:B+9"},
		{"********/@***O***/******** w p p 1 8 1 8 0 0 -1 -1 -1 -1 0 0 2", "W:Wd2+8:Bd6+8"},
		{"********/********/O@O@O@** b m s 3 0 3 0", "B:Wd1,d7,g4:Ba1,g1,g7"},
		{"O@@*****/*O@*****/**O***** w m s 3 0 3 0 0 0 0 0 0 0 3 9",
	         "W:Wd5,f6,g4:Be4,e5,f4"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_position position = position_of(cases[i][0]);
		char fen[EL_FEN_MAX];
		el_morris.format(&position, fen);
		assert_string_equal(fen, cases[i][1]);
		assert_int_equal(position.en_passant, EL_NO_SQUARE);
		assert_int_equal(position.fullmove, 1);
	}
}

/* As Sanmill writes it, with all counters zero that positions here do not have. */
static void write_sanmill(const struct el_position *position, char out[EL_FEN_MAX])
{
	static const char *const rings[] = {"d5e5e4e3d3c3c4c5", "d6f6f4f2d2b2b4b6",
	                                    "d7g7g4g1d1a1a4a7"};
	char men[28], *p = men;
	for (unsigned ring = 0; ring < 3; ring++) {
		for (const char *point = rings[ring]; *point; point += 2) {
			const uint8_t square = el_morris.square_at((unsigned)(point[0] - 'a'),
			                                           (unsigned)(point[1] - '1'));
			unsigned side, kind;
			*p++ = el_piece_at(position, square, &side, &kind) ? "O@"[side] : '*';
		}
		*p++ = '/';
	}
	p[-1] = '\0';
	const char action = position->hand[position->side] ? 'p' : 's';
	snprintf(out, EL_FEN_MAX, "%s %c %c %c %d %u %d %u 0 0 -1 -1 -1 -1 0 %u %u", men,
	         "wb"[position->side], action == 'p' ? 'p' : 'm', action,
	         __builtin_popcountll(position->set[0][0]), position->hand[0],
	         __builtin_popcountll(position->set[1][0]), position->hand[1], position->halfmove,
	         position->fullmove);
}

/* Both ways of writing a position, and back, with men in hand and without. */
static void check_round_trip(const struct el_position *position)
{
	char fen[EL_FEN_MAX], sanmill[EL_FEN_MAX];
	el_morris.format(position, fen);
	write_sanmill(position, sanmill);
	assert_true(morris_looks_like(fen) && morris_looks_like(sanmill));
	const struct el_position first = position_of(fen), second = position_of(sanmill);
	assert_true(el_position_equal(&first, position));
	assert_true(el_position_equal(&second, position));
}

static void test_sanmill(void **state)
{
	static const char *const cases[][2] = {
		{"W:W+9:B+9", "********/********/******** w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1"},
		{"B:Wd2+8:B+9", "********/****O***/******** b p p 1 8 0 9 0 0 -1 -1 -1 -1 0 0 1"},
		{"W:Wd5,f6,g4:Be4,e5,f4",
	         "O@@*****/*O@*****/**O***** w m s 3 0 3 0 0 0 -1 -1 -1 -1 0 0 1"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_position position = position_of(cases[i][0]);
		char text[EL_FEN_MAX];
		write_sanmill(&position, text);
		assert_string_equal(text, cases[i][1]);
		check_round_trip(&position);
	}
}

static void test_round_trips(void **state)
{
	uint64_t seed = 23;
	(void)state;
	for (unsigned n = 0; n < 3000 / test_stride() + 30; n++) {
		const unsigned white = 3 + n % 7, black = 3 + n / 7 % (white - 2);
		const struct el_slice slice = morris_slice(
			&el_morris, &(struct morris_force){.board = {white, black}}, EL_WHITE);
		const struct el_position position = random_position(&slice, &seed);
		check_round_trip(&position);
	}
	for (unsigned game = 0; game < 30; game++) {
		struct el_position position = position_of(el_morris.first);
		for (unsigned ply = 0; ply < 24; ply++) {
			struct el_move moves[EL_MOVES_MAX];
			check_round_trip(&position);
			const size_t count = el_morris.moves(&position, moves);
			if (!count)
				break;
			el_morris.play(&position, &moves[(random_next(&seed) >> 20) % count],
			               &position);
		}
	}
}

/* Each with its whole message. */
static void test_faults(void **state)
{
	static const struct refusal refusals[] = {
		/* not a position's words */
		{"w:Wa1,d1,g1:Ba7,d7,g4",
	         "character 1: expected the side to move, 'W' or 'B', found 'w'"},
		{"W:+", "character 3: expected 'W' or 'B', found '+'"},
		{"W:Wa1,d1,g1", "character 12: expected ':', found the end"},
		{"W:Wa1,d1,g1:Wa7", "character 13: expected 'B', found 'W'"},
		{"W:Ba1,d1,g1:Ba7", "character 13: expected 'W', found 'B'"},
		{"W:Wa1,,d1:Ba7", "character 7: expected a point such as a1 or d7, found ','"},
		{"W:Wa1,d1,:Ba7,d7,g4",
	         "character 10: expected a point such as a1 or d7, found ':'"},
		{"W:Wa1,d1,g1:Ba7,d7,",
	         "character 20: expected a point such as a1 or d7, found the end"},
		{"W:Wa1d1:Ba7", "character 6: expected ':', found 'd1'"},
		{"W:Wa1-d1:Ba7", "character 6: expected ':', found '-'"},
		{"W:WMa1:Ba7", "character 4: expected a point such as a1 or d7, found 'M'"},
		{"W:Wa1,d1,g1:Ba7,d7,g4 W",
	         "character 23: expected ',', '+' or the end, found 'W'"},
		{"W:Wa1,d1,g1:Ba7,d7,g4..",
	         "character 23: expected ',', '+' or the end, found '.'"},
		{"W:Wa1,d1,g1:Ba7,d7,g4\001",
	         "character 22: expected ',', '+' or the end, found '?'"},
		/* points that do not exist */
		{"W:Wd4,a1,d1:Ba7,d7,g4",
	         "character 4: expected a point such as a1 or d7, found 'd4'"},
		{"W:Wa1,b3,d1:Ba7,d7,g4",
	         "character 7: expected a point such as a1 or d7, found 'b3'"},
		{"W:Wa1,d1,g8:Ba7,d7,g4",
	         "character 10: expected a point such as a1 or d7, found 'g8'"},
		{"W:Wa1,d1,h1:Ba7,d7,g4",
	         "character 10: expected a point such as a1 or d7, found 'h1'"},
		{"W:Wa1,d1,g1:Ba7,d7,7",
	         "character 20: expected a point such as a1 or d7, found 7"},
		{"W:Wa1,d1,A4:Ba7,d7,g4",
	         "character 10: expected a point such as a1 or d7, found 'A'"},
		/* men on one point */
		{"W:Wa1,d1,a1:Ba7,d7,g4", "two men are on a1"},
		{"W:Wa1,d1,g1:Ba7,d7,g1", "two men are on g1"},
		/* too few men, too many */
		{"W:Wa1:Ba7,d7,g4", "White has 1 man, expected 3 to 9"},
		{"B:Wa1,d1:Ba7,d7,g4", "White has 2 men, expected 3 to 9"},
		{"W:Wa1,d1,g1:Ba7", "Black has 1 man, expected 3 to 9"},
		{"B:Wa1,d1,g1+0:B+",
	         "character 17: expected a number of men in hand, up to 9, found the end"},
		{"W:W:B+0", "White has 0 men, expected 3 to 9"},
		{"B:Wa1,d1,g1:Ba7,b2,b4,b6,c3,c4,c5,d2,d3,d5", "Black has 10 men, expected 3 to 9"},
		{"W:Wa1,d1,g1+7:Ba7,d7,g4+7", "White has 10 men, expected 3 to 9"},
		/* impossible hands */
		{"W:W+10:B+9", "character 5: expected a number of men in hand, up to 9, found 10"},
		{"W:W+x:Ba1", "character 5: expected a number of men in hand, up to 9, found 'x'"},
		{"W:W+8:B+9", "White has 8 men in hand and is to move, expected 9 or 10: Black has "
	                      "9, and they are placed in turn"},
		{"B:W+9:B+7", "Black has 7 men in hand and is to move, expected 9 or 10: White has "
	                      "9, and they are placed in turn"},
		{"W:Wa1,d1,g1+2:Ba7,d7,g4",
	         "White has 2 men in hand and is to move, expected 0 or 1: Black has 0, and they "
	         "are placed in turn"},
		/* Sanmill's */
		{"********/****", "character 14: expected 'O', '@' or '*', found the end"},
		{"********/*********", "character 18: expected '/', found '*'"},
		{"********/****x***/******** w",
	         "character 14: expected 'O', '@' or '*', found 'x'"},
		{"********/********/********",
	         "character 27: expected the side to move, 'w' or 'b', found the end"},
		{"********/********/******** W p p",
	         "character 28: expected the side to move, 'w' or 'b', found 'W'"},
		{"********/********/******** w o p",
	         "character 30: expected the phase, 'm' or 'p', found 'o'"},
		{"********/********/O@O@O@** b m r 3 0 3 0 1 0",
	         "character 32: expected the action, 's' or 'p': no man is to be removed, found "
	         "'r'"},
		{"********/********/O@O@O@** b m s 4 0 3 0",
	         "character 34: 4 men on the board, but 3 are there"},
		{"********/********/O@O@O@** b m s 3 0 3",
	         "character 39: expected men in hand, found the end"},
		{"********/********/O@O***** b m s 2 0 1 0", "White has 2 men, expected 3 to 9"},
	};
	(void)state;
	assert_positions_refused(&el_morris, refusals, sizeof refusals / sizeof *refusals);
}

/* Boards in Set up: written whatever they hold, and judged. */
static void test_any_board(void **state)
{
	static const struct {
		struct el_position position;
		const char *why;
	} cases[] = {
		{{.side = 2}, "side to move 2, expected 0 or 1"},
		{{.en_passant = 3},
	         "en passant or castling, expected neither in Nine Men's Morris"},
		{{.castling = 1}, "en passant or castling, expected neither in Nine Men's Morris"},
		{{.set = {[1][1] = 1}}, "a piece that is not a man"},
		{{.set = {[0][0] = UINT64_C(1) << 24}}, "White has a man off the 24 points"},
		{{.set = {[1][0] = UINT64_C(1) << 63}}, "Black has a man off the 24 points"},
		{{.set = {[0][0] = 6, [1][0] = 10}}, "two men are on d7"},
		{{.set = {[0][0] = 7, [1][0] = 0x70}, .hand = {0, 1}},
	         "White has 0 men in hand and is to move, expected 1 or 2: Black has 1, and they "
	         "are placed in turn"},
		{{.set = {[0][0] = 7, [1][0] = 0x70}, .hand = {255, 255}},
	         "White has 258 men, expected 3 to 9"},
		{{.set = {[0][0] = 0x3ff, [1][0] = 0x7000}}, "White has 10 men, expected 3 to 9"},
	};
	struct el_position position = {.side = EL_BLACK, .en_passant = EL_NO_SQUARE};
	char fen[EL_FEN_MAX];
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct el_position p = cases[i].position;
		struct el_error error = {.text = ""};
		p.en_passant = p.en_passant ? p.en_passant : EL_NO_SQUARE;
		assert_int_equal(el_morris.check(&p, &error), EL_NEGATIVE);
		assert_string_equal(error.text, cases[i].why);
		assert_false(el_morris.legal(&p, NULL));
	}
	el_morris.format(&position, fen);
	assert_string_equal(fen, "B:W:B");
	position.set[EL_WHITE][0] = 0x555555;
	position.set[EL_BLACK][0] = 0xaaaaaa;
	el_morris.format(&position, fen);
	assert_string_equal(
		fen, "B:Wa1,a7,b2,b6,c3,c5,e3,e5,f2,f6,g1,g7:Ba4,b4,c4,d1,d2,d3,d5,d6,d7,e4,f4,g4");
	memset(position.set, 0xff, sizeof position.set);
	memset(position.hand, 0xff, sizeof position.hand);
	el_morris.format(&position, fen);
	assert_int_equal(strlen(fen), EL_FEN_MAX - 1);
}

/* The game of a text: only one accepts it. */
static void test_form(void **state)
{
	static const struct {
		const char *text;
		const struct el_game *game;
	} cases[] = {
		{"W:Wa1,d1,g1:Ba7,d7,g4", &el_morris},
		{" B:W+9:B+9", &el_morris},
		{"w:Wa1", &el_morris},
		{"O*******/whatever", &el_morris},
		{"W:W29:b1", &el_checkers},
		{"b:whatever", &el_checkers},
		{"W:W21,22:B1", &el_checkers},
		{"W:WK3,20:BK30", &el_checkers},
		{"W:W:B", &el_checkers},
		{"8/8/8/8/8/8/8/KQk5 w - - 0 1", &el_chess},
		{"********", NULL},
		{"hello", NULL},
		{"morris:3v3", NULL},
		{"", NULL},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (const struct el_game *const *game = el_games; *game; game++)
			if ((*game)->looks_like(cases[i].text) != (*game == cases[i].game))
				fail_msg("%s: %s", cases[i].text, (*game)->name);
}

/* ---- moves ---- */

static const char quiet[] = "W:Wa1,d1,g4,e3:Bb2,b4,b6,g7";
static const char flying[] = "W:Wa1,d1,g4:Bb2,b4,b6,g7";
static const char placing[] = "W:Wa1,d1+2:Bb2,b4+2";

static void test_reading(void **state)
{
	static const struct {
		const char *position, *text, *written;
	} cases[] = {
		{quiet, "a1-a4", "a1-a4"},       {quiet, "d1d2", "d1-d2"},
		{quiet, "g4-g1xg7", "g4-g1xg7"}, {quiet, "g4g1xg7", "g4-g1xg7"},
		{flying, "a1-c5", "a1-c5"},      {placing, "c5", "c5"},
		{placing, "g1xb4", "g1xb4"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_position position = position_of(cases[i].position);
		struct el_error error = {.text = ""};
		struct el_move move;
		char text[EL_MOVE_MAX];
		if (el_morris.read_move(&position, cases[i].text, &move, &error))
			fail_msg("%s: %s", cases[i].text, error.text);
		for (unsigned notation = EL_SAN; notation <= EL_UCI; notation++) {
			el_morris.write_move(&position, &move, (enum el_notation)notation, text);
			assert_string_equal(text, cases[i].written);
		}
	}
}

static void assert_refused(const struct el_position *position, const char *text, const char *why)
{
	struct el_error error = {.text = ""};
	struct el_move move = {.from = 77};
	assert_int_equal(el_morris.read_move(position, text, &move, &error),
	                 strstr(why, "is not a move") ? EL_USAGE : EL_NEGATIVE);
	if (strcmp(error.text, why))
		fail_msg("%s: %s", text, error.text);
	assert_int_equal(move.from, 77);
}

static void test_no_moves(void **state)
{
	static const char *const cases[] = {
		"",       "hello",       "a1-",    "-a4",      "a1-a4-a7", "a1-a4 ",
		"a1--a4", "a1xa4x",      "a1-a4x", "a1-a4xh9", "d4",       "a1-d4",
		"A1-a4",  "a1-a4xb2xb4", "h1",     "a1/a4",    "xa1",
	};
	const struct el_position position = position_of(quiet);
	char why[128];
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(why, sizeof why,
		         "'%s' is not a move: expected one such as d1-d2, d1-d2xa7 or d2",
		         cases[i]);
		assert_refused(&position, cases[i], why);
	}
	assert_refused(
		&position, "a1-a4xb2xb4xb6xd2xd6xf4xg1xa7xg7xc3",
		"'a1-a4xb2xb4xb6xd2xd6xf4xg1xa7xg7' is not a move: expected one such as d1-d2, "
		"d1-d2xa7 or d2");
}

static void test_refusals(void **state)
{
	static const struct {
		const char *position, *text, *why;
	} cases[] = {
		{quiet, "d2", "'d2' is illegal: White has no man in hand"},
		{placing, "a1-a4", "'a1-a4' is illegal: White has men in hand to place first"},
		{quiet, "a4-a7", "'a4-a7' is illegal: White has no man on a4"},
		{quiet, "b2-d2", "'b2-d2' is illegal: White has no man on b2"},
		{quiet, "a1-d1", "'a1-d1' is illegal: d1 is not empty"},
		{quiet, "g4-g7", "'g4-g7' is illegal: g7 is not empty"},
		{placing, "b2", "'b2' is illegal: b2 is not empty"},
		{quiet, "a1-a7",
	         "'a1-a7' is illegal: no line leads from a1 to a7, and only three men fly"},
		{quiet, "a1-a4xg7", "'a1-a4xg7' is illegal: it closes no mill"},
		{placing, "d2xb2", "'d2xb2' is illegal: it closes no mill"},
		{quiet, "g4-g1",
	         "'g4-g1' is illegal: it closes a mill and must take a man, as in g4-g1xg7"},
		{placing, "g1",
	         "'g1' is illegal: it closes a mill and must take a man, as in g1xb2"},
		{quiet, "g4-g1xa7", "'g4-g1xa7' is illegal: there is no man to take on a7"},
		{quiet, "g4-g1xe3", "'g4-g1xe3' is illegal: there is no man to take on e3"},
		{quiet, "g4-g1xb4",
	         "'g4-g1xb4' is illegal: the man on b4 is in a mill, and others are not"},
		{flying, "g4-g1xb4",
	         "'g4-g1xb4' is illegal: the man on b4 is in a mill, and others are not"},
		{"W:Wa1,d1+7:B+7", "g1xb2", "'g1xb2' is illegal: there is no man to take on b2"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_position position = position_of(cases[i].position);
		assert_refused(&position, cases[i].text, cases[i].why);
	}
	struct el_position two = position_of("W:Wa1,d1,g4:Bb2,b4,b6");
	two.set[EL_WHITE][0] &= two.set[EL_WHITE][0] - 1;
	assert_refused(&two, "a1-a4", "'a1-a4' is illegal: White has two men left and has lost");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_normal_form), cmocka_unit_test(test_sanmill),
		cmocka_unit_test(test_round_trips), cmocka_unit_test(test_faults),
		cmocka_unit_test(test_any_board),   cmocka_unit_test(test_form),
		cmocka_unit_test(test_reading),     cmocka_unit_test(test_no_moves),
		cmocka_unit_test(test_refusals),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
