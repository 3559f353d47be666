/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Castling: its effect on the board, the loss of rights, the slices of positions with them, and what is known
   without their tables. */
#include "core/library/library.h"
#include "core/probe/probe.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct el_move move_of(const struct el_position *position, const char *text)
{
	struct el_move move;
	struct el_error error;
	if (el_chess.read_move(position, text, &move, &error))
		fail_msg("%s", error.text);
	return move;
}

/* The position after some moves, separated by blanks, as FEN. */
static const char *after(const char *fen, const char *moves)
{
	static char out[EL_FEN_MAX];
	struct el_position position = position_of(fen);
	char text[8];
	for (int used; sscanf(moves, "%7s%n", text, &used) == 1; moves += used) {
		const struct el_move move = move_of(&position, text);
		el_chess.play(&position, &move, &position);
		assert_int_equal(el_chess.check(&position, NULL), EL_OK);
	}
	el_chess.format(&position, out);
	return out;
}

static void test_playing(void **state)
{
	static const char both[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9";
	static const struct {
		const char *fen, *moves, *after;
	} cases[] = {
		/* The rook moves too, the clock goes on. */
		{both, "O-O", "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 4 9"},
		{both, "O-O-O O-O", "r4rk1/8/8/8/8/8/8/2KR3R w - - 5 10"},
		{both, "O-O O-O-O", "2kr3r/8/8/8/8/8/8/R4RK1 w - - 5 10"},
		/* Moves of king or rook lose rights, which do not come back. */
		{both, "Ke2 Kd8", "r2k3r/8/8/8/8/8/4K3/R6R w - - 5 10"},
		{both, "Rb1 Rg8", "r3k1r1/8/8/8/8/8/8/1R2K2R w Kq - 5 10"},
		{both, "Rb1 Rg8 Ra1 Rh8", "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 7 11"},
		/* A captured rook loses its right, and so does a rook that leaves its square to
		   capture it; a pawn captures. */
		{both, "Rxa8+", "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 9"},
		{both, "Rxh8+ Kd7 Rhxa8", "R7/3k4/8/8/8/8/8/R3K3 b Q - 0 10"},
		{"r3k2r/1P6/8/8/8/8/8/4K3 w kq - 0 1", "bxa8=N", "N3k2r/8/8/8/8/8/8/4K3 b k - 0 1"},
		/* Another rook's move loses none; a rook that comes to the corner afterwards
		   restores none. */
		{"4k3/8/8/8/8/8/R7/R3K2R w KQ - 0 1", "Rb2", "4k3/8/8/8/8/8/1R6/R3K2R b KQ - 1 1"},
		{"4k3/8/8/8/8/8/R7/R3K3 w Q - 0 1", "Rd1 Ke7 R2a1",
	         "8/4k3/8/8/8/8/8/R2RK3 b - - 3 2"},
		/* King and rook from any file (Chess960): the king stays, crosses its rook, or
		   steps onto its square; the other rook's right goes with it. */
		{"1r2k2r/8/8/8/8/8/8/1R3KR1 w KQkq - 0 1", "O-O O-O-O",
	         "2kr3r/8/8/8/8/8/8/1R3RK1 w - - 2 2"},
		{"1rk1r3/8/8/8/8/8/8/1R4KR w KQq - 0 1", "g1h1 c8b8",
	         "2krr3/8/8/8/8/8/8/1R3RK1 w - - 2 2"},
		{"2k5/8/8/8/8/8/8/RK5R w KQ - 0 1", "O-O-O", "2k5/8/8/8/8/8/8/2KR3R b - - 1 1"},
		{"2k5/8/8/8/8/8/8/RK5R w KQ - 0 1", "O-O", "2k5/8/8/8/8/8/8/R4RK1 b - - 1 1"},
		{"4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1", "Rg2 Kf8 Rhh2",
	         "5k2/8/8/8/8/8/6RR/RR2K3 b B - 3 2"},
		/* A double step beside it. */
		{"r3k3/8/8/8/3p4/8/4P3/R3K3 w Qq - 0 1", "e4",
	         "r3k3/8/8/8/3pP3/8/8/R3K3 b Qq e3 0 1"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(after(cases[i].fen, cases[i].moves), cases[i].after);
}

/* Castling is a quiet move of the king by two squares; no other piece's move castles. */
static void test_the_move(void **state)
{
	const struct el_position position = position_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
	const struct el_move castling = move_of(&position, "O-O-O"),
			     same = move_of(&position, "e1c1");
	struct el_move moves[EL_MOVES_MAX];
	(void)state;
	assert_int_equal(castling.from, 4);
	assert_int_equal(castling.to, 2);
	assert_int_equal(castling.kind, castling.becomes);
	assert_true(!castling.captured && el_move_equal(&castling, &same));
	assert_false(el_chess.zeroes(&position, &castling));
	const size_t zeroing = el_chess.zeroing(&position, moves);
	assert_int_equal(zeroing, 2); /* Rxa8, Rxh8 */
	assert_int_equal(el_chess.captures(&position, moves), 2);
	assert_int_equal(el_chess.moves(&position, moves), 26);
}

/* The king's path must be safe and nothing may stand on the squares that either crosses; where the
   rook was may be attacked, and the rook must not have shielded the king. */
static void test_in_the_way(void **state)
{
	static const struct {
		const char *fen;
		bool can;
	} cases[] = {
		{"4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1", true},
		{"4k3/8/8/8/8/8/8/1RN1K3 w Q - 0 1", false}, /* c1: both cross it */
		{"4k3/8/8/8/8/8/8/NR2K3 w Q - 0 1", true},   /* a1: neither does */
		{"1r2k3/8/8/8/8/8/8/1R2K3 w Q - 0 1", true}, /* the rook is attacked */
		{"3rk3/8/8/8/8/8/8/1R2K3 w Q - 0 1", false}, /* d1 is */
		{"3k4/8/8/8/8/8/8/rRK5 w Q - 0 1", false},   /* b1 was a shield */
		{"3k4/8/8/8/8/8/8/RK1n4 w Q - 0 1", false},  /* the rook's square */
		{"4k1r1/8/8/8/8/8/8/5KR1 w K - 0 1", false}, /* so was g1 */
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct el_position position = position_of(cases[i].fen);
		const char *text = strchr(cases[i].fen, 'Q') ? "O-O-O" : "O-O";
		struct el_move move;
		assert_int_equal(!el_chess.read_move(&position, text, &move, NULL), cases[i].can);
	}
}

static void test_images(void **state)
{
	const struct el_position position = position_of("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1");
	const struct el_position swapped = position_of("r3k2r/8/8/8/8/8/8/R3K2R b Qk - 0 1");
	struct el_position image;
	(void)state;
	el_chess.swap_colours(&position, &image);
	assert_true(el_position_equal(&image, &swapped));
	el_chess.mirror(&position, &image);
	assert_int_equal(image.castling, 0);
	assert_int_equal(el_chess.check(&image, NULL), EL_OK);
}

/* ---- tables ---- */

static void assert_why(const struct el_position *position, const char *why)
{
	struct el_slice slice;
	struct el_place place;
	struct el_error error;
	assert_false(el_chess.place(position, &place));
	assert_int_equal(el_chess.slice_of(position, &slice, &error), EL_NEGATIVE);
	if (!strstr(error.text, why))
		fail_msg("%s", error.text);
}

/* Rights of the usual squares have slices, others none. */
static void test_slices(void **state)
{
	struct el_position few = position_of("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1");
	struct el_position full =
		position_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
	const struct el_position other = position_of("4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1");
	struct el_place place;
	struct el_slice slice;
	struct el_error error = {.text = ""};
	(void)state;
	assert_int_equal(el_chess.slice_of(&few, &slice, &error), EL_OK);
	assert_string_equal(slice.name, "KRvKR+castling");
	assert_why(&other, "to drop the rights, write - in place of Q");
	assert_why(&full, "32 pieces"); /* the rights matter less */
	for (unsigned rights = 1; rights < 65536; rights++) {
		const bool legal = !(rights & ~0x180u); /* h1, a8 */
		few.castling = (uint16_t)rights;
		assert_int_equal(el_chess.place(&few, &place), legal);
		assert_true(!legal || place.key == slice.key);
		assert_int_equal(el_chess.legal(&few, legal ? &place : NULL), legal);
	}
	few.castling = 0;
	assert_true(el_chess.place(&few, &place));
	assert_int_equal(place.key | el_chess.rights, slice.key);
	struct el_position draughts = position_of("W:WK3:BK30");
	draughts.castling = 1;
	assert_int_equal(el_checkers.check(&draughts, NULL), EL_NEGATIVE);
	assert_false(
		el_checkers.legal(&draughts, el_checkers.place(&draughts, &place) ? &place : NULL));
}

/* Every index is that of its position; sizes of slices as counted by hand. */
static void test_indexes(void **state)
{
	static const struct {
		const char *name;
		uint64_t positions;
	} cases[] = {
		{"KRvK+castling", 2 * 64},             /* K or Q, and Black's king */
		{"KRRvK+castling", (2 * 64 + 1) * 64}, /* another rook, or both */
		{"KRvKR+castling", 4 * 64 * 64 + 4},   /* a right of one side, or one of each */
		{"KRPvK+castling", 2 * 64 * 48},       /* and a pawn */
		{"KQvKR+castling", 2 * 64 * 64},       /* Black alone */
		{"KRvKRP+castling", 0},                /* the other way round */
	};
	(void)state;
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		struct el_slice slice;
		uint64_t legal = 0;
		assert_int_equal(el_slice_parse(cases[c].name, &slice, NULL), EL_OK);
		assert_true(!cases[c].positions || slice.positions == cases[c].positions);
		for (unsigned plane = 0; plane < slice.planes; plane++)
			for (uint64_t i = 0; i < slice.positions; i++) {
				struct el_position p;
				struct el_place place;
				if (!el_chess.unplace(&slice, plane, i, &p))
					continue;
				assert_true(p.castling && el_chess.place(&p, &place));
				assert_int_equal(place.key, slice.key);
				assert_int_equal(place.plane, plane);
				assert_int_equal(place.index, i);
				assert_int_equal(el_chess.check(&p, NULL), EL_OK);
				assert_true(el_chess.legal(&p, &place));
				legal++;
			}
		assert_true(legal > 0 && legal < slice.planes * slice.positions);
	}
	struct el_slice none;
	struct el_error error;
	assert_int_equal(el_slice_parse("KQvK+castling", &none, &error), EL_NEGATIVE);
	assert_non_null(strstr(error.text, "no rook, expected one to castle with"));
	assert_int_equal(el_slice_parse("+castling", &none, &error), EL_NEGATIVE);
	assert_int_equal(el_slice_parse("KRvK+castle", &none, &error), EL_NEGATIVE);
}

/* Without its table: if every move gives up the right, the moves determine the value, with the count of each
   metric, because moves that give up rights end none. */
static void test_values_from_moves(void **state)
{
	static const struct el_metric *const metrics[] = {&el_dtm, &el_dtc, &el_dtz, &el_wdl, NULL};
	static const char fen[] = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
	static struct el_answer answer;
	(void)state;
	fixture_build_in(folder, "KRvK", metrics);
	for (const struct el_metric *const *m = metrics; *m; m++) {
		struct el_slice slice;
		char path[1024];
		assert_int_equal(el_slice_parse("KRvK+castling", &slice, NULL), EL_OK);
		el_table_file_name(folder, &slice, *m, path, sizeof path);
		assert_int_equal(unlink(path), 0);
	}
	struct el_library *library = fixture_library(folder, NULL);
	const struct el_position position = position_of(fen);
	struct el_position bare = position;
	struct el_error error = {.text = ""};
	bare.castling = 0;
	assert_int_equal(el_library_answer(library, &el_chess, &position, NULL, &answer, &error),
	                 EL_OK);
	assert_true(answer.from_moves && answer.has_slice);
	assert_int_equal(answer.count, 15);
	for (const struct el_metric *const *m = metrics; *m; m++) {
		struct el_value value, without;
		assert_int_equal(el_library_value(library, &el_chess, &position, *m, EL_PROBE_FULL,
		                                  &value, &error),
		                 EL_OK);
		assert_int_equal(el_library_value(library, &el_chess, &bare, *m, EL_PROBE_FULL,
		                                  &without, &error),
		                 EL_OK);
		assert_true(el_value_equal(value, without)); /* castling is not the best move */
		assert_true(el_value_equal(answer.value[el_metric_rank(*m)], value));
	}
	/* Black's right stays: nothing is known. */
	const struct el_position open = position_of("r3k3/8/8/8/8/8/8/4K3 w q - 0 1");
	struct el_value value;
	assert_int_equal(
		el_library_value(library, &el_chess, &open, &el_wdl, EL_PROBE_FULL, &value, &error),
		EL_NEGATIVE);
	assert_non_null(strstr(error.text, "castling"));
	assert_int_equal(el_library_answer(library, &el_chess, &open, NULL, &answer, &error),
	                 EL_OK);
	assert_non_null(strstr(answer.why_unknown, "KRvK+castling is not built"));
	el_library_close(library);
}

/* From a position with a right to mate. */
static void test_line(void **state)
{
	static const struct el_metric *const metrics[] = {&el_dtm, NULL};
	struct el_position position = position_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
	struct el_move moves[64];
	size_t count;
	struct el_error error = {.text = ""};
	(void)state;
	fixture_build_in(folder, "KRvK", metrics);
	struct el_library *library = fixture_library(folder, NULL);
	assert_int_equal(fixture_line(library, &el_chess, &position,
	                              &(struct el_question){.metric = &el_dtm}, moves, 64, &count,
	                              &error),
	                 EL_OK);
	assert_int_equal(count, 21);
	for (size_t i = 0; i < count; i++)
		el_chess.play(&position, &moves[i], &position);
	assert_int_equal(el_chess.moves(&position, (struct el_move[EL_MOVES_MAX]){{0}}), 0);
	el_library_close(library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_playing),    cmocka_unit_test(test_the_move),
		cmocka_unit_test(test_images),     cmocka_unit_test(test_slices),
		cmocka_unit_test(test_indexes),    cmocka_unit_test(test_in_the_way),
		IN_FOLDER(test_values_from_moves), IN_FOLDER(test_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
