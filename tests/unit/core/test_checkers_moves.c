/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules of draughts: published counts of move sequences, captures by hand, and symmetry. */
#include "tests/fixtures/positions.h"

#include "core/games/checkers/index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the board ---- */

/* As it is drawn, with White at the bottom: each row from a to h. */
static void test_squares(void **state)
{
	static const uint8_t drawn[8][8] = {
		{0, 1, 0, 2, 0, 3, 0, 4},     {5, 0, 6, 0, 7, 0, 8, 0},
		{0, 9, 0, 10, 0, 11, 0, 12},  {13, 0, 14, 0, 15, 0, 16, 0},
		{0, 17, 0, 18, 0, 19, 0, 20}, {21, 0, 22, 0, 23, 0, 24, 0},
		{0, 25, 0, 26, 0, 27, 0, 28}, {29, 0, 30, 0, 31, 0, 32, 0},
	};
	(void)state;
	for (unsigned rank = 0; rank < 9; rank++)
		for (unsigned file = 0; file < 9; file++) {
			const unsigned number = rank < 8 && file < 8 ? drawn[7 - rank][file] : 0;
			const uint8_t expected = (uint8_t)(number ? number - 1 : EL_NO_SQUARE);
			assert_int_equal(el_checkers.square_at(file, rank), expected);
		}
	char name[4];
	el_checkers.square_name(0, name);
	assert_string_equal(name, "1");
	el_checkers.square_name(31, name);
	assert_string_equal(name, "32");
}

/* The neighbours of a square by its file and rank on the drawn board, from either side. */
static void test_steps(void **state)
{
	static const int file_step[] = {-1, 1, -1, 1}, rank_step[] = {-1, -1, 1, 1};
	(void)state;
	for (unsigned file = 0; file < 8; file++)
		for (unsigned rank = file % 2; rank < 8; rank += 2) {
			const unsigned from = checkers_square_at(file, rank);
			for (unsigned d = 0; d < CHECKERS_DIRECTIONS; d++) {
				/* Squares off the board have numbers that are too great. */
				const unsigned f = file + (unsigned)file_step[d];
				const unsigned r = rank + (unsigned)rank_step[d];
				const unsigned f2 = f + (unsigned)file_step[d];
				const unsigned r2 = r + (unsigned)rank_step[d];
				assert_int_equal(checkers_step(from, d), checkers_square_at(f, r));
				assert_int_equal(checkers_jump(from, d),
				                 f < 8 && r < 8 ? checkers_square_at(f2, r2)
				                                : EL_NO_SQUARE);
			}
		}
}

/* Shifting a set shifts each of its squares; the other side sees opposite directions. */
static void test_sets_of_squares(void **state)
{
	uint64_t seed = 5;
	(void)state;
	for (unsigned n = 0; n < 10000; n++) {
		const uint32_t set = (uint32_t)(random_next(&seed) >> 20);
		for (unsigned d = 0; d < CHECKERS_DIRECTIONS; d++) {
			uint32_t moved = 0;
			for (uint32_t left = set; left;) {
				const uint8_t to = checkers_step(checkers_pop(&left), d);
				moved |= to == EL_NO_SQUARE ? 0 : checkers_bit(to);
			}
			assert_int_equal(checkers_shift(set, d), moved);
			assert_int_equal(checkers_turn(checkers_shift(checkers_turn(set),
			                                              checkers_opposite(d))),
			                 moved);
		}
	}
}

/* ---- counts ---- */

static uint64_t perft(const struct el_position *position, unsigned depth)
{
	struct el_move moves[EL_MOVES_MAX];
	struct el_position next;
	const size_t count = el_checkers.moves(position, moves);
	uint64_t leaves = 0;
	if (depth == 1)
		return count;
	for (size_t i = 0; i < count; i++) {
		el_checkers.play(position, &moves[i], &next);
		leaves += perft(&next, depth - 1);
	}
	return leaves;
}

/* Published by Aart Bik and others. */
static void test_perft(void **state)
{
	static const uint64_t counts[] = {7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680};
	const unsigned deepest = test_stride() > 1 ? 7 : sizeof counts / sizeof *counts;
	struct el_position opening = position_of("B:W21-32:B1-12"), swapped;
	(void)state;
	el_checkers.swap_colours(&opening, &swapped);
	assert_int_equal(swapped.side, EL_WHITE);
	for (unsigned depth = 1; depth <= deepest; depth++) {
		assert_int_equal(perft(&opening, depth), counts[depth - 1]);
		assert_int_equal(perft(&swapped, depth), counts[depth - 1]);
	}
}

/* ---- moves, by hand ---- */

/* A move in one word, without the program's help: jumped squares lie halfway. */
static struct el_move move_of(const char *text)
{
	struct el_move move = {0};
	char *end;
	const unsigned long first = strtoul(text, &end, 10) - 1;
	unsigned long last = first;
	while (*end) {
		const char sign = *end;
		const unsigned long next = strtoul(end + 1, &end, 10) - 1;
		/* With rows of four, a jumped square is halfway between the two ends, rounded to
		   the side where the odd rows begin. */
		const unsigned long row = last / 4, middle = (last + next + (row % 2 == 0)) / 2;
		move.captured |= sign == 'x' ? UINT64_C(1) << middle : 0;
		last = next;
	}
	move.from = (uint8_t)first;
	move.to = (uint8_t)last;
	return move;
}

static size_t count_like(const struct el_move *moves, size_t count, const struct el_move *like)
{
	size_t found = 0;
	for (size_t i = 0; i < count; i++)
		found += moves[i].from == like->from && moves[i].to == like->to &&
		         moves[i].captured == like->captured;
	return found;
}

static void test_moves_by_hand(void **state)
{
	static const struct {
		const char *fen;
		const char *moves[8]; /* all of them */
	} cases[] = {
		/* men step ahead only, kings anywhere */
		{"W:W14:BK32", {"14-9", "14-10", NULL}},
		{"B:W32:B14", {"14-17", "14-18", NULL}},
		{"W:WK14:BK32", {"14-9", "14-10", "14-17", "14-18", NULL}},
		{"W:W5:BK32", {"5-1", NULL}},
		{"W:WK4:BK32", {"4-8", NULL}},
		/* a capture is compulsory, but not the longest one */
		{"W:W18,32:B15,11,14", {"18x9", NULL}},
		{"W:W18,32:B15,14,6", {"18x11", "18x9x2", NULL}},
		{"W:W26,31:B23,14,22,15", {"26x19x10", "26x17x10", NULL}},
		/* to its end */
		{"W:W22:B18,10", {"22x15x6", NULL}},
		{"B:W18,27:B14", {"14x23x32", NULL}},
		/* men do not capture backwards, kings do */
		{"W:W11:B15,16,20", {"11-7", "11-8", NULL}},
		{"W:WK11:B15,16", {"11x18", "11x20", NULL}},
		/* no place to land: occupied, or off the board */
		{"W:W22:B18,15,17,13", {NULL}},
		{"W:W13,17:B9,14,10,6", {NULL}},
		{"B:W13,14:B9,18", {"18-22", "18-23", NULL}},
		/* a man stops where it is crowned, a king goes on */
		{"W:W11:B7,6", {"11x2", NULL}},
		{"W:WK11:B7,6", {"11x2x9", NULL}},
		{"B:W26,27:B22", {"22x31", NULL}},
		/* nothing is jumped twice */
		{"W:WK22:B18", {"22x15", NULL}},
		/* round a loop, back to its origin: one move either way */
		{"W:WK22:B18,10,9,17", {"22x15x6x13x22", NULL}},
		{"B:W18,10,9,17:BK6", {"6x13x22x15x6", NULL}},
		/* and on from there */
		{"W:WK22:B18,10,9,17,26", {"22x15x6x13x22x31", "22x31", NULL}},
	};
	(void)state;
	for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
		const struct el_position position = position_of(cases[n].fen);
		struct el_move moves[EL_MOVES_MAX];
		const size_t count = el_checkers.moves(&position, moves);
		size_t expected = 0;
		for (; cases[n].moves[expected]; expected++) {
			const struct el_move like = move_of(cases[n].moves[expected]);
			if (count_like(moves, count, &like) != 1)
				fail_msg("%s: not %s once", cases[n].fen, cases[n].moves[expected]);
		}
		if (count != expected)
			fail_msg("%s: %zu moves, expected %zu", cases[n].fen, count, expected);
	}
}

/* What a move changes: the board, the clocks and the side to move. */
static void test_play(void **state)
{
	static const struct {
		const char *fen, *move, *after;
		unsigned halfmove, fullmove;
	} cases[] = {
		{"W:WK14:BK32:H3:F7", "14-9", "B:WK9:BK32", 4, 8},
		{"B:WK14:BK32:H3:F7", "32-28", "W:WK14:BK28", 4, 7},
		{"B:WK1:B14:H3:F7", "14-18", "W:WK1:B18", 0, 7},
		{"W:W5:BK32:H3:F7", "5-1", "B:WK1:BK32", 0, 8},
		{"W:WK22:B18,K10,25:H3:F7", "22x15x6", "B:WK6:B25", 0, 8},
		{"W:W11:B7,6:H3:F7", "11x2", "B:WK2:B6", 0, 8},
		{"W:WK22:B18,10,9,17,28:H3:F65535", "22x15x6x13x22", "B:WK22:B28", 0, 65535},
		{"B:W26:B22:H3:F7", "22x31", "W:W:BK31", 0, 7},
		{"W:WK1:BK32:H65535:F1", "1-6", "B:WK6:BK32", 65535, 2},
	};
	(void)state;
	for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
		struct el_position position = position_of(cases[n].fen);
		struct el_move move;
		char fen[EL_FEN_MAX];
		assert_int_equal(el_checkers.read_move(&position, cases[n].move, &move, NULL),
		                 EL_OK);
		el_checkers.play(&position, &move, &position);
		el_checkers.format(&position, fen);
		assert_string_equal(fen, cases[n].after);
		assert_int_equal(position.halfmove, cases[n].halfmove);
		assert_int_equal(position.fullmove, cases[n].fullmove);
		assert_int_equal(position.en_passant, EL_NO_SQUARE);
	}
}

/* Blocked, or without a piece: lost, never drawn. */
static void test_ends(void **state)
{
	static const char *const fens[] = {"W:W22:B18,15,17,13", "B:W9,14:B5", "W:WK4:B8,K11"};
	struct el_position bare = position_of("W:WK1:BK32");
	struct el_move moves[EL_MOVES_MAX];
	(void)state;
	for (size_t n = 0; n < sizeof fens / sizeof *fens; n++) {
		const struct el_position position = position_of(fens[n]);
		assert_int_equal(el_checkers.moves(&position, moves), 0);
		assert_int_equal(el_checkers.stuck(&position).outcome, EL_LOSS);
		assert_false(el_checkers.in_check(&position));
	}
	assert_false(el_checkers.drawn(&bare));
	bare.set[EL_WHITE][CHECKERS_KING] = 0;
	assert_int_equal(el_checkers.moves(&bare, moves), 0);
	assert_int_equal(el_checkers.captures(&bare, moves), 0);
	assert_int_equal(el_checkers.stuck(&bare).outcome, EL_LOSS);
}

/* ---- many positions ---- */

static bool same_move(const struct el_move *a, const struct el_move *b)
{
	return a->from == b->from && a->to == b->to && a->kind == b->kind &&
	       a->becomes == b->becomes && a->captured == b->captured;
}

/* If there is a capture, all moves are captures; no move is listed twice; each leads to a legal
   position, unless it takes the last piece. */
static void check_moves(const struct el_position *position)
{
	struct el_move moves[EL_MOVES_MAX], captures[EL_MOVES_MAX];
	const size_t count = el_checkers.moves(position, moves);
	const size_t taking = el_checkers.captures(position, captures);
	assert_int_equal(taking, count && moves[0].captured ? count : 0);
	for (size_t i = 0; i < count; i++) {
		struct el_position next;
		assert_int_equal(moves[i].captured != 0, taking != 0);
		assert_true(!taking || same_move(&moves[i], &captures[i]));
		assert_int_equal(count_like(moves, count, &moves[i]), 1);
		el_checkers.play(position, &moves[i], &next);
		const uint64_t *left = next.set[next.side];
		assert_true(el_checkers.check(&next, NULL) == EL_OK ||
		            !(left[CHECKERS_KING] | left[CHECKERS_MAN]));
	}
}

/* With the colours swapped, the moves are the same as the other side sees them. */
static void check_swapped(const struct el_position *position)
{
	struct el_move moves[EL_MOVES_MAX], turned[EL_MOVES_MAX];
	struct el_position swapped, back;
	el_checkers.swap_colours(position, &swapped);
	el_checkers.swap_colours(&swapped, &back);
	assert_memory_equal(position->set, back.set, sizeof back.set);
	assert_int_equal(position->side, back.side);
	const size_t count = el_checkers.moves(position, moves);
	assert_int_equal(el_checkers.moves(&swapped, turned), count);
	for (size_t i = 0; i < count; i++) {
		struct el_move like = {.from = 31 - moves[i].from, .to = 31 - moves[i].to};
		for (unsigned s = 0; s < 32; s++)
			like.captured |= (moves[i].captured >> s & 1) << (31 - s);
		assert_int_equal(count_like(turned, count, &like), 1);
	}
}

static void test_random_positions(void **state)
{
	static const char *const names[] = {"checkers:KKvK",       "checkers:MMvMM",
	                                    "checkers:KMMvKM",     "checkers:KKKM7vMMMM4",
	                                    "checkers:KKKKvKKKK",  "checkers:KKvMMMMM",
	                                    "checkers:KKKvKKKMM7", "checkers:KvMMMMMMM2"};
	uint64_t seed = 3;
	unsigned captures = 0;
	(void)state;
	for (unsigned n = 0; n < 200000 / test_stride() + 800; n++) {
		const struct el_slice slice = slice_named(names[n % 8]);
		const struct el_position position = random_position(&slice, &seed);
		struct el_move moves[EL_MOVES_MAX];
		check_moves(&position);
		check_swapped(&position);
		captures += el_checkers.captures(&position, moves) > 0;
	}
	assert_true(captures > 200);
}

/* From the full board to the end. */
static void test_random_games(void **state)
{
	uint64_t seed = 11;
	(void)state;
	for (unsigned game = 0; game < 500 / test_stride() + 5; game++) {
		struct el_position position = position_of("B:W21-32:B1-12");
		for (unsigned ply = 0; ply < 200; ply++) {
			struct el_move moves[EL_MOVES_MAX];
			check_moves(&position);
			check_swapped(&position);
			const size_t count = el_checkers.moves(&position, moves);
			if (!count)
				break;
			el_checkers.play(&position, &moves[(random_next(&seed) >> 20) % count],
			                 &position);
		}
	}
}

/* ---- limits ---- */

/* The squares that a king can ever jump to, and those it can jump over. */
static void reach(unsigned square, uint32_t *landings, uint32_t *jumped)
{
	*landings |= checkers_bit(square);
	for (unsigned d = 0; d < CHECKERS_DIRECTIONS; d++) {
		const uint8_t to = checkers_jump(square, d);
		if (to == EL_NO_SQUARE)
			continue;
		*jumped |= checkers_bit(checkers_step(square, d));
		if (!(*landings >> to & 1))
			reach(to, landings, jumped);
	}
}

static void look_for_most(const struct el_position *position, unsigned *most, unsigned *longest)
{
	struct el_move moves[EL_MOVES_MAX];
	const unsigned count = (unsigned)el_checkers.captures(position, moves);
	*most = count > *most ? count : *most;
	for (unsigned i = 0; i < count; i++) {
		const unsigned taken = (unsigned)__builtin_popcountll(moves[i].captured);
		*longest = taken > *longest ? taken : *longest;
	}
}

/* A king among all sets of pieces that it could jump, and of pieces in its way: the list of moves
   has room for all captures of twelve such kings, and a word for the longest. */
static void test_limits(void **state)
{
	unsigned most = 0, longest = 0;
	(void)state;
	for (unsigned from = 0; from < CHECKERS_SQUARES; from++) {
		uint32_t landings = 0, jumped = 0;
		reach(from, &landings, &jumped);
		assert_int_equal(checkers_count(landings), 8);
		assert_int_equal(checkers_count(jumped), CHECKERS_JUMPS_MAX);
		const uint32_t all = (landings | jumped) & ~checkers_bit(from);
		for (uint32_t subset = 0; subset < 1 << 16; subset += test_stride()) {
			struct el_position position = {.side = EL_WHITE};
			position.set[EL_WHITE][CHECKERS_KING] = checkers_bit(from);
			position.set[EL_BLACK][CHECKERS_KING] = spread(subset, ~all);
			look_for_most(&position, &most, &longest);
		}
	}
	assert_true(most <= CHECKERS_CAPTURES_MAX && longest <= CHECKERS_JUMPS_MAX);
	if (test_stride() == 1) {
		assert_int_equal(most, CHECKERS_CAPTURES_MAX);
		assert_int_equal(longest, CHECKERS_JUMPS_MAX);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_squares),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_sets_of_squares),
		cmocka_unit_test(test_perft),
		cmocka_unit_test(test_moves_by_hand),
		cmocka_unit_test(test_play),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_random_positions),
		cmocka_unit_test(test_random_games),
		cmocka_unit_test(test_limits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
