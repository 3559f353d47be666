/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules of Nine Men's Morris against the tests' own (merels.h): the board and its symmetries,
   counts of move sequences, and every move of many positions. */
#include "tests/fixtures/positions.h"
#include "tests/oracles/merels.h"

#include "core/games/morris/board.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the board ---- */

/* The point with a number of the tests' own board. */
static unsigned point_of(unsigned merels)
{
	char name[3];
	merels_name(merels, name);
	return morris_square_at((unsigned)(name[0] - 'a'), (unsigned)(name[1] - '1'));
}

static uint32_t bit_of(unsigned merels)
{
	return morris_bit(point_of(merels));
}

static void test_points(void **state)
{
	static const char *const corners[] = {"a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4"};
	unsigned points = 0;
	char name[4];
	(void)state;
	for (unsigned file = 0; file < 9; file++)
		for (unsigned rank = 0; rank < 9; rank++) {
			const uint8_t point = el_morris.square_at(file, rank);
			const char expected[] = {(char)('a' + file), (char)('1' + rank), '\0'};
			if (point == EL_NO_SQUARE)
				continue;
			el_morris.square_name(point, name);
			assert_string_equal(name, expected);
			assert_int_equal(point_of(merels_point(expected)), point);
			points++;
		}
	assert_int_equal(points, MORRIS_POINTS);
	/* The outer ring, clockwise from the upper left corner. */
	for (uint8_t point = 0; point < 8; point++) {
		el_morris.square_name(point, name);
		assert_string_equal(name, corners[point]);
	}
}

static void test_neighbours(void **state)
{
	(void)state;
	for (unsigned a = 0; a < MERELS_POINTS; a++)
		for (unsigned b = 0; b < MERELS_POINTS; b++)
			assert_int_equal(morris_near[point_of(a)] >> point_of(b) & 1,
			                 merels_beside(a, b));
}

/* Each line is one of the two through each of its points, and there are no others. */
static void test_lines(void **state)
{
	(void)state;
	for (unsigned line = 0; line < MERELS_LINES; line++) {
		unsigned on[3];
		merels_line(line, on);
		const uint32_t set = bit_of(on[0]) | bit_of(on[1]) | bit_of(on[2]);
		for (unsigned i = 0; i < 3; i++) {
			const uint32_t *through = morris_lines[point_of(on[i])];
			assert_true((through[0] == set) != (through[1] == set));
		}
	}
}

/* ---- mills ---- */

static uint32_t slow_mills(uint32_t men)
{
	uint32_t in = 0;
	for (unsigned line = 0; line < MERELS_LINES; line++) {
		unsigned on[3];
		merels_line(line, on);
		const uint32_t set = bit_of(on[0]) | bit_of(on[1]) | bit_of(on[2]);
		in |= (men & set) == set ? set : 0;
	}
	return in;
}

static void test_mills(void **state)
{
	uint64_t seed = 24;
	(void)state;
	for (unsigned n = 0; n < 30000; n++) {
		const uint32_t men =
			(uint32_t)((random_next(&seed) | random_next(&seed)) >> 20) & MORRIS_BOARD;
		const uint32_t in = slow_mills(men);
		assert_int_equal(morris_in_mills(men), in);
		assert_int_equal(morris_removable(men), in == men ? men : men & ~in);
		for (uint32_t left = men; left;) {
			const unsigned point = morris_pop(&left);
			assert_int_equal(morris_closes(men, point), in >> point & 1);
		}
	}
	assert_int_equal(morris_removable(0), 0);
}

/* ---- symmetries ---- */

/* Point by point; each symmetry has an inverse. */
static void test_turn(void **state)
{
	uint64_t seed = 16;
	(void)state;
	for (unsigned s = 0; s < MORRIS_SYMMETRIES; s++) {
		for (unsigned point = 0; point < MERELS_POINTS; point++)
			assert_int_equal(morris_turn(bit_of(point), s),
			                 bit_of(merels_image(s, point)));
		for (unsigned n = 0; n < 1000; n++) {
			const uint32_t set = (uint32_t)(random_next(&seed) >> 20) & MORRIS_BOARD;
			uint32_t turned = 0;
			for (uint32_t left = set; left;)
				turned |= morris_turn(morris_bit(morris_pop(&left)), s);
			assert_int_equal(morris_turn(set, s), turned);
			assert_int_equal(morris_turn(turned, morris_back(s)), set);
		}
	}
}

/* Do two of them in sequence equal a third? */
static bool is_product(unsigned a, unsigned b, unsigned product)
{
	bool same = true;
	for (unsigned point = 0; point < MORRIS_POINTS; point++)
		same &= morris_turn(morris_turn(morris_bit(point), a), b) ==
		        morris_turn(morris_bit(point), product);
	return same;
}

/* A group: any two combine to exactly one of the sixteen. They keep lines and neighbours. */
static void test_group(void **state)
{
	(void)state;
	for (unsigned a = 0; a < MORRIS_SYMMETRIES; a++) {
		for (unsigned b = 0; b < MORRIS_SYMMETRIES; b++) {
			unsigned products = 0;
			for (unsigned c = 0; c < MORRIS_SYMMETRIES; c++)
				products += is_product(a, b, c);
			assert_int_equal(products, 1);
		}
		for (unsigned point = 0; point < MORRIS_POINTS; point++) {
			const unsigned image =
				(unsigned)__builtin_ctz(morris_turn(morris_bit(point), a));
			const uint32_t *there = morris_lines[image];
			assert_int_equal(morris_turn(morris_near[point], a), morris_near[image]);
			for (unsigned i = 0; i < 2; i++) {
				const uint32_t line = morris_turn(morris_lines[point][i], a);
				assert_true(line == there[0] || line == there[1]);
			}
		}
	}
}

/* ---- counts ---- */

static uint64_t perft(const struct el_position *position, unsigned depth)
{
	struct el_move moves[EL_MOVES_MAX];
	struct el_position next;
	const size_t count = el_morris.moves(position, moves);
	uint64_t leaves = 0;
	if (depth <= 1)
		return depth ? count : 1;
	for (size_t i = 0; i < count; i++) {
		el_morris.play(position, &moves[i], &next);
		leaves += perft(&next, depth - 1);
	}
	return leaves;
}

static void test_perft(void **state)
{
	static const struct {
		const char *position;
		unsigned depth;
	} cases[] = {
		{"W:W+9:B+9", 4},
		/* mills while men are placed, two at once among them */
		{"W:Wa1,d1,g4,g7+5:Ba7,d7,b6,f6+5", 4},
		{"B:Wa1,d1,g1,e3+1:Ba7,d7,b6,f6+2", 5},
		{"B:Wa1,d1,g1,b2,b4,b6:Ba7,d7,g4,f4,f2+1", 5},
		/* along the lines, against many and few */
		{"W:Wa1,d1,g4,e3:Bb2,b4,b6,g7", 6},
		{"W:Wa7,d7,b6,d6,c5,a4,b4,c4,c3:Be5,e4,f4,g4,e3,f2,d1,g1,g7", 5},
		/* three fly, on one side or on both */
		{"W:Wa1,d1,g4:Bb2,b4,f6", 3},
		{"W:Wa1,d1,g4:Bb2,b4,b6,g7,f6", 4},
		{"B:Wa1,d1,g4:Bb2,b4,b6,g7,f6", 4},
		/* nowhere to go */
		{"W:Wa1,a4,a7,d1:Bb4,d2,d7,g1", 2},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_position position = position_of(cases[i].position);
		const struct merels_board board = merels_read(cases[i].position);
		const unsigned most = cases[i].depth - (test_stride() > 1);
		for (unsigned depth = 0; depth <= most; depth++)
			assert_int_equal(perft(&position, depth), merels_perft(&board, depth));
	}
	struct el_position opening = position_of(el_morris.first);
	assert_int_equal(perft(&opening, 5), 5140800); /* see test_merels.c */
}

/* ---- every move of many positions ---- */

/* A move in words, and the board after it. */
struct line {
	char text[EL_MOVE_MAX + EL_FEN_MAX];
};

static int compare_lines(const void *a, const void *b)
{
	return strcmp(((const struct line *)a)->text, ((const struct line *)b)->text);
}

static bool same_move(const struct el_move *a, const struct el_move *b)
{
	return el_move_equal(a, b) && a->kind == b->kind;
}

static void check_clocks(const struct el_position *before, const struct el_move *move,
                         const struct el_position *after)
{
	assert_int_equal(after->halfmove, move->captured ? 0 : before->halfmove + 1);
	assert_int_equal(after->fullmove, before->fullmove + (before->side == EL_BLACK));
	assert_int_equal(after->en_passant, EL_NO_SQUARE);
}

/* The program's own text; moves are read back from their words, and captures are listed. */
static size_t list_lines(const struct el_position *position, struct line out[EL_MOVES_MAX])
{
	struct el_move moves[EL_MOVES_MAX], captures[EL_MOVES_MAX], read;
	const size_t count = el_morris.moves(position, moves),
		     takes = el_morris.captures(position, captures);
	size_t taken = 0;
	for (size_t i = 0; i < count; i++) {
		char move[EL_MOVE_MAX], fen[EL_FEN_MAX];
		struct el_position after, same = *position;
		el_morris.write_move(position, &moves[i], i % 2 ? EL_SAN : EL_UCI, move);
		assert_int_equal(el_morris.read_move(position, move, &read, NULL), EL_OK);
		assert_true(same_move(&read, &moves[i]));
		if (moves[i].captured)
			assert_true(taken < takes && same_move(&captures[taken++], &moves[i]));
		el_morris.play(position, &moves[i], &after);
		check_clocks(position, &moves[i], &after);
		assert_true(el_morris.legal(&after, NULL));
		el_morris.play(&same, &moves[i], &same);
		assert_true(el_position_equal(&after, &same));
		el_morris.format(&after, fen);
		snprintf(out[i].text, sizeof out[i].text, "%s %s", move, fen);
	}
	assert_int_equal(taken, takes);
	return count;
}

static size_t list_own(const struct merels_board *board, struct line out[MERELS_MOVES])
{
	struct merels_move moves[MERELS_MOVES];
	const size_t count = merels_moves(board, moves);
	for (size_t i = 0; i < count; i++) {
		char move[MERELS_MOVE_TEXT], text[MERELS_TEXT];
		merels_write_move(&moves[i], move);
		merels_write(&moves[i].after, text);
		snprintf(out[i].text, sizeof out[i].text, "%s %s", move, text);
	}
	return count;
}

static void check_moves(const struct el_position *position)
{
	static struct line fast[EL_MOVES_MAX], own[MERELS_MOVES];
	char fen[EL_FEN_MAX];
	el_morris.format(position, fen);
	const struct merels_board board = merels_read(fen);
	const size_t count = list_lines(position, fast);
	assert_int_equal(count, list_own(&board, own));
	qsort(fast, count, sizeof *fast, compare_lines);
	qsort(own, count, sizeof *own, compare_lines);
	for (size_t i = 0; i < count; i++)
		assert_string_equal(fast[i].text, own[i].text);
	assert_false(el_morris.in_check(position));
	assert_false(el_morris.drawn(position));
	assert_int_equal(el_morris.stuck(position).outcome, EL_LOSS);
}

static void test_random_positions(void **state)
{
	static const char *const names[] = {"morris:3v3", "morris:4v3", "morris:5v5", "morris:9v3",
	                                    "morris:9v8", "morris:9v9", "morris:6v4", "morris:8v7"};
	uint64_t seed = 9;
	(void)state;
	for (unsigned n = 0; n < 8000 / test_stride() + 80; n++) {
		const struct el_slice slice = slice_named(names[n % 8]);
		const struct el_position position = random_position(&slice, &seed);
		check_moves(&position);
	}
}

/* From the empty board, until a side cannot move or has two men. */
static void test_random_games(void **state)
{
	uint64_t seed = 18;
	unsigned lost = 0;
	(void)state;
	for (unsigned game = 0; game < 100 / test_stride() + 5; game++) {
		struct el_position position = position_of(el_morris.first);
		for (unsigned ply = 0; ply < 300; ply++) {
			struct el_move moves[EL_MOVES_MAX];
			const size_t count = el_morris.moves(&position, moves);
			check_moves(&position);
			assert_true(!count || el_morris.check(&position, NULL) == EL_OK);
			lost += !count;
			if (!count)
				break;
			el_morris.play(&position, &moves[(random_next(&seed) >> 20) % count],
			               &position);
		}
	}
	assert_true(lost > 0);
}

/* ---- by hand ---- */

/* The men that may be taken, by the move that closes a mill. */
static void test_taking(void **state)
{
	static const struct {
		const char *position, *move, *taken;
	} cases[] = {
		/* none in a mill; one in none; all in mills; two mills that share a man */
		{"W:Wa1,d1,g4,e3:Ba7,b4,f6,c5", "g4-g1", "a7 b4 c5 f6"},
		{"W:Wa1,d1,g4,e3:Bb2,b4,b6,g7", "g4-g1", "g7"},
		{"W:Wa1,d1,g4,e3:Bb2,b4,b6", "g4-g1", "b2 b4 b6"},
		{"W:Wa1,d1,g4,e3:Bb2,b4,b6,d6,f6", "g4-g1", "b2 b4 b6 d6 f6"},
		{"W:Wa1,d1,g4,e3:Bb2,b4,b6,d6,f6,g7", "g4-g1", "g7"},
		/* from the hand, and two mills at once: one man */
		{"W:Wa1,d1,g4,g7+2:Bb2,b4,b6,e3+2", "g1", "e3"},
		/* there is no man to take */
		{"W:Wa1,d1+7:B+7", "g1", ""},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_position position = position_of(cases[i].position);
		struct el_move moves[EL_MOVES_MAX];
		const size_t count = el_morris.moves(&position, moves);
		const size_t length = strlen(cases[i].move);
		unsigned found = 0, expected = 0;
		for (size_t m = 0; m < count; m++) {
			char text[EL_MOVE_MAX];
			el_morris.write_move(&position, &moves[m], EL_SAN, text);
			if (strncmp(text, cases[i].move, length))
				continue;
			found++;
			assert_true(text[length] == (*cases[i].taken ? 'x' : '\0'));
			assert_true(!*cases[i].taken || strstr(cases[i].taken, text + length + 1));
		}
		for (const char *c = cases[i].taken; *c; c += c[2] ? 3 : 2)
			expected++;
		assert_int_equal(found, expected ? expected : 1);
	}
}

static void test_play(void **state)
{
	static const struct {
		const char *before, *move, *after;
	} cases[] = {
		{"W:W+9:B+9", "d2", "B:Wd2+8:B+9"},
		{"B:Wd2+8:B+9", "a1", "W:Wd2+8:Ba1+8"},
		{"B:Wa1,d1,g1,e3:Ba7,d7,b6,f6+1", "g7xe3", "W:Wa1,d1,g1:Ba7,b6,d7,f6,g7"},
		{"W:Wa1,d1,g4,e3:Bb2,b4,b6,g7", "d1-d2", "B:Wa1,d2,e3,g4:Bb2,b4,b6,g7"},
		{"W:Wa1,d1,g4:Bb2,b4,b6", "g4-g1xb4", "B:Wa1,d1,g1:Bb2,b6"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct el_position position = position_of(cases[i].before);
		struct el_move move;
		char fen[EL_FEN_MAX];
		position.halfmove = 7;
		position.fullmove = UINT16_MAX;
		assert_int_equal(el_morris.read_move(&position, cases[i].move, &move, NULL), EL_OK);
		el_morris.play(&position, &move, &position);
		el_morris.format(&position, fen);
		assert_string_equal(fen, cases[i].after);
		assert_int_equal(position.halfmove, move.captured ? 0 : 8);
		assert_int_equal(position.fullmove, UINT16_MAX);
	}
}

/* Blocked, or with two men: lost, not drawn. */
static void test_ends(void **state)
{
	struct el_position two = position_of("W:Wa1,d1,g4:Bb2,b4,b6");
	struct el_move moves[EL_MOVES_MAX];
	struct el_value value;
	(void)state;
	two.set[EL_WHITE][0] &= two.set[EL_WHITE][0] - 1;
	assert_int_equal(el_morris.moves(&two, moves), 0);
	assert_int_equal(el_morris.captures(&two, moves), 0);
	assert_true(el_morris.legal(&two, NULL));
	assert_int_equal(el_morris.check(&two, NULL), EL_OK);
	assert_true(el_game_value(&el_morris, &two, &value));
	assert_int_equal(value.outcome, EL_LOSS);
	assert_int_equal(value.plies, 0);
	const struct el_position blocked = position_of("W:Wa1,a4,a7,d1:Bb4,d2,d7,g1");
	assert_true(el_game_value(&el_morris, &blocked, &value));
	assert_int_equal(value.outcome, EL_LOSS);
	assert_int_equal(value.plies, 0);
	/* The other side may have had no man to lose. */
	two.side = EL_BLACK;
	assert_false(el_morris.legal(&two, NULL));
}

static void test_images(void **state)
{
	const struct el_position position = position_of("B:Wa1,d2+1:Ba7,c4,g4+2");
	struct el_position images[IMAGES];
	static const char *const expected[IMAGES] = {
		"B:Wa1,d2+1:Ba7,c4,g4+2",
		"B:Wd2,g1+1:Ba4,e4,g7+2",
		"W:Wa7,c4,g4+2:Ba1,d2+1",
		"W:Wa4,e4,g7+2:Bd2,g1+1",
	};
	(void)state;
	images_of(&el_morris, &position, images);
	for (unsigned i = 0; i < IMAGES; i++) {
		char fen[EL_FEN_MAX];
		el_morris.format(&images[i], fen);
		assert_string_equal(fen, expected[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_points),       cmocka_unit_test(test_neighbours),
		cmocka_unit_test(test_lines),        cmocka_unit_test(test_mills),
		cmocka_unit_test(test_turn),         cmocka_unit_test(test_group),
		cmocka_unit_test(test_perft),        cmocka_unit_test(test_random_positions),
		cmocka_unit_test(test_random_games), cmocka_unit_test(test_taking),
		cmocka_unit_test(test_play),         cmocka_unit_test(test_ends),
		cmocka_unit_test(test_images),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
