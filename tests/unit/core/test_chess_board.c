/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Attacks and symmetries against a walk from square to square. */
#include "core/games/chess/board.h"
#include "tests/fixtures/positions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct step {
	int file, rank;
};

static const struct step straight[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
static const struct step slanted[] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
static const struct step jumps[] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                    {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

/* The squares that `count` steps, each repeated up to `reach` times, see from a square. */
static uint64_t walk(unsigned square, const struct step *steps, int count, int reach,
                     uint64_t occupied)
{
	uint64_t seen = 0;
	for (int i = 0; i < count; i++) {
		int file = (int)(square % 8), rank = (int)(square / 8);
		for (int n = 0; n < reach; n++) {
			file += steps[i].file;
			rank += steps[i].rank;
			if (file < 0 || file > 7 || rank < 0 || rank > 7)
				break;
			uint64_t at = UINT64_C(1) << (rank * 8 + file);
			seen |= at;
			if (occupied & at)
				break;
		}
	}
	return seen;
}

static void test_leapers(void **state)
{
	static const struct step white[] = {{1, 1}, {-1, 1}}, black[] = {{1, -1}, {-1, -1}};
	(void)state;
	for (unsigned s = 0; s < 64; s++) {
		assert_int_equal(chess_attacks(CHESS_KING, s, 0),
		                 walk(s, straight, 4, 1, 0) | walk(s, slanted, 4, 1, 0));
		assert_int_equal(chess_attacks(CHESS_KNIGHT, s, 0), walk(s, jumps, 8, 1, 0));
		assert_int_equal(chess_pawn_attacks(EL_WHITE, s), walk(s, white, 2, 1, 0));
		assert_int_equal(chess_pawn_attacks(EL_BLACK, s), walk(s, black, 2, 1, 0));
	}
}

static void test_sliders(void **state)
{
	uint64_t seed = 1;
	(void)state;
	for (unsigned i = 0; i < 100000; i++) {
		uint64_t occupied = random_next(&seed) & random_next(&seed);
		unsigned s = i % 64;
		uint64_t rook = walk(s, straight, 4, 8, occupied);
		uint64_t bishop = walk(s, slanted, 4, 8, occupied);
		assert_int_equal(chess_attacks(CHESS_ROOK, s, occupied), rook);
		assert_int_equal(chess_attacks(CHESS_BISHOP, s, occupied), bishop);
		assert_int_equal(chess_attacks(CHESS_QUEEN, s, occupied), rook | bishop);
	}
}

static void test_between(void **state)
{
	(void)state;
	for (unsigned a = 0; a < 64; a++)
		for (unsigned b = 0; b < 64; b++) {
			uint64_t expected = 0;
			for (int i = 0; i < 8; i++) {
				const struct step *step = i < 4 ? &straight[i] : &slanted[i - 4];
				uint64_t at = UINT64_C(1) << b, ray = walk(a, step, 1, 8, at);
				if (ray & at)
					expected = ray & ~at;
			}
			assert_int_equal(chess_between(a, b), expected);
		}
}

static void test_symmetries(void **state)
{
	uint64_t seed = 1;
	(void)state;
	for (unsigned i = 0; i < 1000; i++) {
		uint64_t set = random_next(&seed), mirrored = 0, flipped = 0, transposed = 0;
		for (unsigned s = 0; s < 64; s++)
			if (set >> s & 1) {
				mirrored |= chess_bit(8 * (s / 8) + 7 - s % 8);
				flipped |= chess_bit(8 * (7 - s / 8) + s % 8);
				transposed |= chess_bit(8 * (s % 8) + s / 8);
				assert_true(transposed & chess_bit(chess_transpose_square(s)));
			}
		assert_int_equal(chess_mirror_files(set), mirrored);
		assert_int_equal(chess_flip_ranks(set), flipped);
		assert_int_equal(chess_transpose(set), transposed);
	}
}

static void test_squares(void **state)
{
	char name[4];
	(void)state;
	el_chess.square_name(el_chess.square_at(0, 0), name);
	assert_string_equal(name, "a1");
	el_chess.square_name(el_chess.square_at(7, 0), name);
	assert_string_equal(name, "h1");
	assert_int_equal(el_chess.square_at(7, 7), 63);
	assert_int_equal(el_chess.square_at(8, 0), EL_NO_SQUARE);
	assert_int_equal(el_chess.square_at(0, 8), EL_NO_SQUARE);
}

static void test_mirror_and_swap(void **state)
{
	struct el_position position = position_of("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 3 9");
	char fen[EL_FEN_MAX];
	(void)state;
	el_chess.mirror(&position, &position);
	el_chess.format(&position, fen);
	assert_string_equal(fen, "8/8/6k1/5b2/4Pp2/8/2K5/8 b - e3 3 9");
	el_chess.swap_colours(&position, &position);
	el_chess.format(&position, fen);
	assert_string_equal(fen, "8/2k5/8/4pP2/5B2/6K1/8/8 w - e6 3 9");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_leapers), cmocka_unit_test(test_sliders),
		cmocka_unit_test(test_between), cmocka_unit_test(test_symmetries),
		cmocka_unit_test(test_squares), cmocka_unit_test(test_mirror_and_swap),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
