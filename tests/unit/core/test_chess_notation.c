/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves in words, both ways. */
#include "tests/fixtures/positions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* A position, a text read there, and the text written for it. */
struct reading {
	const char *fen, *text, *san, *uci;
};

static void test_reading(void **state)
{
	static const char passing[] = "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1";
	static const char promoting[] = "3r4/4P3/8/8/8/1k6/8/K7 w - - 0 1";
	static const char rooks[] = "8/8/8/R7/8/1k6/8/R3K2R w - - 0 1";
	static const char queens[] = "8/8/8/3Q3Q/8/k7/8/K6Q w - - 0 1";
	static const char mating[] = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";
	static const char castling[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
	static const char near[] = "4k3/8/8/8/8/8/8/1R3K1R w KQ - 0 1";
	static const char still[] = "4k3/8/8/8/8/8/8/6KR w K - 0 1";
	static const char crossed[] = "4k3/8/8/8/8/8/8/4K1R1 w K - 0 1";
	static const struct reading cases[] = {
		{passing, "cxd3", "cxd3+", "c4d3"},
		{passing, "cxd3e.p.", "cxd3+", "c4d3"},
		{passing, "cxd3 e.p.!?", "cxd3+", "c4d3"},
		{passing, "cd3", "cxd3+", "c4d3"},
		{passing, "c4d3", "cxd3+", "c4d3"},
		{passing, "c4xd3", "cxd3+", "c4d3"},
		{passing, "Bxd4+", "Bxd4+", "c5d4"},
		{passing, "Bd4", "Bxd4+", "c5d4"},
		{passing, "c3", "c3", "c4c3"},
		{promoting, "e8=Q", "e8=Q", "e7e8q"},
		{promoting, "e8Q", "e8=Q", "e7e8q"},
		{promoting, "e7e8q", "e8=Q", "e7e8q"},
		{promoting, "e8=n", "e8=N", "e7e8n"},
		{promoting, "exd8=B", "exd8=B", "e7d8b"},
		{promoting, "e7xd8B!", "exd8=B", "e7d8b"},
		{rooks, "Rad1", "Rd1", "a1d1"},
		{rooks, "Rhf1", "Rf1", "h1f1"},
		{rooks, "R5a3+", "R5a3+", "a5a3"},
		{rooks, "R1a3+", "R1a3+", "a1a3"},
		{rooks, "a5a4", "R5a4", "a5a4"},
		{rooks, "Ra5-h5", "Rah5", "a5h5"},
		{queens, "Qh5d1", "Qh5d1", "h5d1"},
		{mating, "Ra8#", "Ra8#", "a1a8"},
		{mating, "Ra8", "Ra8#", "a1a8"},
		{castling, "O-O", "O-O", "e1g1"},
		{castling, "0-0!", "O-O", "e1g1"},
		{castling, "e1g1", "O-O", "e1g1"},
		{castling, "Ke1-g1", "O-O", "e1g1"},
		{castling, "O-O-O", "O-O-O", "e1c1"},
		{castling, "o-o-o", "O-O-O", "e1c1"},
		{castling, "e1c1", "O-O-O", "e1c1"},
		{castling, "e1h1", "O-O", "e1g1"}, /* it takes its rook, as in UCI_Chess960 */
		{castling, "Ke1xa1", "O-O-O", "e1c1"},
		{near, "O-O", "O-O", "f1h1"},
		{near, "f1h1", "O-O", "f1h1"},
		{near, "f1g1", "Kg1", "f1g1"}, /* a step */
		{near, "Kg1", "Kg1", "f1g1"},
		{near, "O-O-O", "O-O-O", "f1b1"},
		{near, "f1c1", "O-O-O", "f1b1"},
		{near, "f1b1", "O-O-O", "f1b1"},
		{still, "0-0", "O-O", "g1h1"},
		{still, "g1h1", "O-O", "g1h1"},
		{crossed, "O-O", "O-O", "e1g1"}, /* the rook is on g1 */
		{crossed, "e1g1", "O-O", "e1g1"},
		{"2k5/8/8/8/8/8/8/RK6 w Q - 0 1", "b1a1", "O-O-O", "b1a1"},
		{"2k5/8/8/8/8/8/8/RK6 w Q - 0 1", "b1c1", "Kc1", "b1c1"},
		{"r3k2r/8/8/8/8/8/8/3K4 b kq - 0 1", "O-O-O", "O-O-O+", "e8c8"},
		{"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "0-0", "O-O+", "e1g1"},
		{"3k4/1Q6/8/7B/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O#", "e1c1"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct el_position position = position_of(cases[i].fen);
		struct el_error error;
		struct el_move move;
		char san[EL_MOVE_MAX], uci[EL_MOVE_MAX];
		if (el_chess.read_move(&position, cases[i].text, &move, &error) != EL_OK)
			fail_msg("%s: %s", cases[i].fen, error.text);
		el_chess.write_move(&position, &move, EL_SAN, san);
		el_chess.write_move(&position, &move, EL_UCI, uci);
		assert_string_equal(san, cases[i].san);
		assert_string_equal(uci, cases[i].uci);
	}
}

static void test_refusals(void **state)
{
	static const char quiet[] = "4k3/8/8/8/4r3/8/3NB3/R3K2R w - - 0 1";
	static const char promoting[] = "3r4/4P3/8/8/8/1k6/8/K7 w - - 0 1";
	static const struct reading cases[] = {
		{quiet, "", "is not a move", ""},
		{quiet, "hello", "is not a move", ""},
		{quiet, "e", "is not a move", ""},
		{quiet, "Qe9", "is not a move", ""},
		{quiet, "Xe4", "is not a move", ""},
		{quiet, "e2e4e5", "is not a move", ""},
		{quiet, "Ra1a2a3a4a5a6a7a8a1a2a3a4a5a6a7a8a1", "is not a move", ""},
		{quiet, "0-0", "no right to castle kingside", ""},
		{quiet, "O-O-O", "no right to castle queenside", ""},
		{quiet, "O-0", "is not a move", ""},
		{quiet, "O-O-O-O", "is not a move", ""},
		{quiet, "OO", "is not a move", ""},
		{"r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1", "O-O-O", "no right to castle queenside",
	         ""},
		{"r3k2r/8/8/8/8/8/8/RN2KB1R w KQkq - 0 1", "O-O", "a piece is in the way", ""},
		{"r3k2r/8/8/8/8/8/8/RN2KB1R w KQkq - 0 1", "O-O-O", "a piece is in the way", ""},
		{"r3k2r/8/8/8/8/8/8/RN2KB1R w KQkq - 0 1", "e1c1", "a piece is in the way", ""},
		{"4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1", "O-O", "the king is in check", ""},
		{"4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", "O-O", "pass through check", ""},
		{"4k3/8/8/8/8/6r1/8/R3K2R w KQ - 0 1", "0-0", "the king would be in check", ""},
		{"4k3/8/8/8/8/6r1/8/R3K2R w KQ - 0 1", "Kg1", "no such king can go to g1", ""},
		{"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Kg1", "no such king can go to g1", ""},
		{"4k3/8/8/8/8/1r6/8/R3K2R w KQ - 0 1", "O-O-O", "", ""}, /* b1 is irrelevant */
		{quiet, "Bd3", "it leaves the king in check", ""},
		{quiet, "Qe3", "no such queen can go to e3", ""},
		{quiet, "a1b2", "no such piece can go to b2", ""},
		{quiet, "e5", "no such pawn can go to e5", ""},
		{quiet, "Nxf1", "nothing can be taken on f1", ""},
		{quiet, "Rb1=Q", "it is not a promotion", ""},
		{quiet, "a1b1q", "it is not a promotion", ""},
		{promoting, "e8", "does not say what the pawn becomes: e8=Q ... e8=N", ""},
		{promoting, "e8=K", "is not a move", ""},
		{"8/8/8/8/8/1k6/8/RK5R w - - 0 1", "Rf1", "", ""},
		{"8/8/8/R7/8/1k6/8/R6K w - - 0 1", "Ra4", "'Ra4' is ambiguous: R1a4 or R5a4", ""},
		{"8/8/8/8/8/1k6/8/R3K2R w - - 0 1", "Rb1", "", ""},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct el_position position = position_of(cases[i].fen);
		struct el_error error = {0};
		struct el_move move;
		enum el_status status = el_chess.read_move(&position, cases[i].text, &move, &error);
		const bool none = strstr(cases[i].san, "is not a move");
		assert_int_equal(status, none ? EL_USAGE : *cases[i].san ? EL_NEGATIVE : EL_OK);
		if (!strstr(error.text, cases[i].san))
			fail_msg("%s: %s", cases[i].fen, error.text);
	}
}

static bool same_move(const struct el_move *a, const struct el_move *b)
{
	return a->from == b->from && a->to == b->to && a->kind == b->kind &&
	       a->becomes == b->becomes && a->captured == b->captured;
}

/* Every legal move is read back from both notations, and no two are written alike. */
static void check_all_moves(const struct el_position *position)
{
	struct el_move moves[EL_MOVES_MAX], read;
	static char san[EL_MOVES_MAX][EL_MOVE_MAX];
	char uci[EL_MOVE_MAX];
	size_t count = el_chess.moves(position, moves);
	for (size_t i = 0; i < count; i++) {
		el_chess.write_move(position, &moves[i], EL_SAN, san[i]);
		el_chess.write_move(position, &moves[i], EL_UCI, uci);
		assert_int_equal(el_chess.read_move(position, san[i], &read, NULL), EL_OK);
		assert_true(same_move(&read, &moves[i]));
		assert_int_equal(el_chess.read_move(position, uci, &read, NULL), EL_OK);
		assert_true(same_move(&read, &moves[i]));
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(san[i], san[j]);
	}
}

static void check_tree(const struct el_position *position, unsigned depth)
{
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = depth ? el_chess.moves(position, moves) : 0;
	check_all_moves(position);
	for (size_t i = 0; i < count; i++) {
		struct el_position next, read;
		char fen[EL_FEN_MAX];
		el_chess.play(position, &moves[i], &next);
		el_chess.format(&next, fen);
		read = position_of(fen);
		assert_true(el_position_equal(&read, &next));
		check_tree(&next, depth - 1);
	}
}

/* On full boards, and with all kinds of special moves (test_chess_moves.c counts theirs). */
static void test_trees(void **state)
{
	static const char *const fens[] = {
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
		"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
		"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
		"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
	};
	(void)state;
	for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
		const struct el_position position = position_of(fens[i]);
		check_tree(&position, test_stride() > 1 ? 1 : 2);
	}
}

/* Along random games, from the full board to the end. */
static void test_games(void **state)
{
	uint64_t seed = 7;
	const unsigned games = 100 / test_stride() + 1;
	(void)state;
	for (unsigned game = 0; game < games; game++) {
		struct el_position position =
			position_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
		for (unsigned ply = 0; ply < 200; ply++) {
			struct el_move moves[EL_MOVES_MAX];
			size_t count = el_chess.moves(&position, moves);
			check_all_moves(&position);
			if (!count)
				break;
			el_chess.play(&position, &moves[(random_next(&seed) >> 20) % count],
			              &position);
			char fen[EL_FEN_MAX], again[EL_FEN_MAX];
			el_chess.format(&position, fen);
			struct el_position read = position_of(fen);
			el_chess.format(&read, again);
			assert_string_equal(fen, again);
		}
	}
}

/* Many like pieces: moves must name their origins. */
static void test_like_pieces(void **state)
{
	static const char *const names[] = {"KQQQvK",  "KQQQQvK", "KNNNNvK", "KRRRRvK",
	                                    "KBBBvKQ", "KPPPvKN", "KPPvKPP"};
	const unsigned positions = 1000 / test_stride() + 1;
	uint64_t seed = 7;
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct el_slice slice;
		assert_int_equal(el_slice_parse(names[i], &slice, NULL), EL_OK);
		for (unsigned n = 0; n < positions; n++) {
			struct el_position position = random_position(&slice, &seed);
			check_all_moves(&position);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reading),     cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_trees),       cmocka_unit_test(test_games),
		cmocka_unit_test(test_like_pieces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
