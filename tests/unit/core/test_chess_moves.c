/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules: published counts of move sequences (perft), and the legality of positions. */
#include "tests/fixtures/positions.h"
#include "tests/fixtures/refusals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static uint64_t perft(const struct el_position *position, unsigned depth)
{
	struct el_move moves[EL_MOVES_MAX];
	struct el_position next;
	size_t count = el_chess.moves(position, moves);
	uint64_t leaves = 0;
	if (depth == 1)
		return count;
	for (size_t i = 0; i < count; i++) {
		el_chess.play(position, &moves[i], &next);
		leaves += perft(&next, depth - 1);
	}
	return leaves;
}

struct count {
	const char *fen;
	unsigned depth;
	uint64_t leaves;
};

static void check_counts(const struct count *counts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct el_position position = position_of(counts[i].fen);
		assert_int_equal(perft(&position, counts[i].depth), counts[i].leaves);
		el_chess.swap_colours(&position, &position);
		if (!position.castling)
			el_chess.mirror(&position, &position);
		if (counts[i].leaves < 1000000)
			assert_int_equal(perft(&position, counts[i].depth), counts[i].leaves);
	}
}

/* The positions and counts of the chess programming wiki's page "Perft Results". */
static void test_perft(void **state)
{
	static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
	static const char third[] = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
	static const char promotions[] = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1";
	static const struct count counts[] = {
		{start, 1, 20},           {start, 2, 400},       {start, 3, 8902},
		{start, 4, 197281},       {start, 5, 4865609},   {third, 1, 14},
		{third, 2, 191},          {third, 3, 2812},      {third, 4, 43238},
		{third, 5, 674624},       {third, 6, 11030083},  {promotions, 1, 24},
		{promotions, 2, 496},     {promotions, 3, 9483}, {promotions, 4, 182838},
		{promotions, 5, 3605103},
	};
	(void)state;
	check_counts(counts, test_stride() > 1 ? 4 : sizeof counts / sizeof *counts);
}

/* Whole games, with castling: from the same page, and from Sedlak's below. */
static void test_perft_of_castling(void **state)
{
	static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
	static const char kiwipete[] =
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
	static const char fourth[] =
		"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
	static const char fifth[] = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";
	static const char sixth[] =
		"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
	static const struct count counts[] = {
		{start, 1, 20},
		{start, 2, 400},
		{start, 3, 8902},
		{kiwipete, 1, 48},
		{kiwipete, 2, 2039},
		{kiwipete, 3, 97862},
		{fourth, 1, 6},
		{fourth, 2, 264},
		{fourth, 3, 9467},
		{fifth, 1, 44},
		{fifth, 2, 1486},
		{fifth, 3, 62379},
		{sixth, 1, 46},
		{sixth, 2, 2079},
		{sixth, 3, 89890},
		{start, 4, 197281},
		{start, 5, 4865609},
		{kiwipete, 4, 4085603},
		{fourth, 4, 422333},
		{fifth, 4, 2103487},
		{sixth, 4, 3894594},
		{"5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661072}, /* gives check */
		{"3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803711},
		{"r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1274206}, /* rights are lost */
		{"r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1720476},  /* it is prevented */
	};
	(void)state;
	check_counts(counts, test_stride() > 1 ? 12 : sizeof counts / sizeof *counts);
}

/* Chess960, from the suite of published counts that many programs carry: kings from b1 to g1, rooks
   of which one is no longer outermost or has no right, rights of one side alone, rooks that stay
   where they are as the king castles (the last two of four plies). */
static void test_perft_of_960(void **state)
{
	static const struct count counts[] = {
		{"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 4, 326672},
		{"2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", 4, 667366},
		{"b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", 4, 273318},
		{"qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", 4, 382958},
		{"qnbnr1kr/ppp1b1pp/4p3/3p1p2/8/2NPP3/PPP1BPPP/QNB1R1KR w HEhe - 1 9", 4, 824055},
		{"qnr1bkrb/pppp2pp/3np3/5p2/8/P2P2P1/NPP1PP1P/QN1RBKRB w GDg - 3 9", 4, 713420},
		{"qb1nrkbr/1pppp1p1/1n3p2/p1B4p/8/3P1P1P/PPP1P1P1/QBNNRK1R w HEhe - 0 9", 4,
	         735703},
		{"1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9", 4, 1171749},
		{"nqnrkrb1/pppppp2/7p/4b1p1/8/PN1NP3/1PPP1PPP/1Q1RKRBB w FDfd - 0 1", 4, 473911},
		{"n1brkbqr/ppp1pp1p/6pB/3p4/2Pn4/8/PP2PPPP/NN1RKBQR w HDhd - 0 1", 4, 978278},
		{"nnr1kqbr/pp1pp1p1/2p5/b4p1p/P7/1PNP4/2P1PPPP/N1RBKQBR w HChc - 1 9", 5, 4266410},
		{"nrkq1rbb/pp1ppp1p/2pn4/8/PP3Pp1/7P/2PPP1P1/NRKQNRBB w FBfb - 0 9", 5, 19867117},
		{"rkbbqr1n/1p1pppp1/2p2n2/p4NBp/8/3P4/PPP1PPPP/RK1BQRN1 w FAfa - 0 9", 5, 26676373},
		{"brqkr1nb/2ppp1pp/1p2np2/p7/2P1PN2/8/PP1P1PPP/BRQKRN1B w EBeb - 0 9", 5, 15516491},
		{"rkr1nbbq/2ppp1pp/1pn5/p4p2/P6P/3P4/1PP1PPPB/RKRNNB1Q w CAca - 1 9", 5, 11484012},
		{"1rqkbnrb/pp1ppp1p/1n4p1/B1p5/3PP3/4N3/PPP2PPP/NRQK2RB w GBgb - 0 9", 5, 19715083},
	};
	(void)state;
	check_counts(counts, test_stride() > 1 ? 10 : sizeof counts / sizeof *counts);
}

/* Martin Sedlak's positions, each for one frequent mistake of move generators
   (chessprogramming.net, "Perfect Perft"). */
static void test_perft_of_rare_moves(void **state)
{
	static const struct count counts[] = {
		{"3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1134888},   /* pinned en passant */
		{"8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1", 6, 1015133},  /* the same on a diagonal */
		{"8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1440467}, /* en passant gives check */
		{"2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3821001},   /* promotes out of check */
		{"8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1004658}, /* discovers check */
		{"4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217342},       /* promotes with check */
		{"8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92683},         /* underpromotes */
		{"K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2217},          /* stalemates itself */
		{"8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567584},       /* stalemate and mate */
		{"8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23527},
	};
	const size_t all = sizeof counts / sizeof *counts;
	(void)state;
	check_counts(test_stride() > 1 ? counts + 5 : counts, test_stride() > 1 ? all - 5 : all);
}

/* The right to capture en passant exists only where the capture is legal. */
static void test_en_passant_right(void **state)
{
	static const struct {
		const char *fen, *move;
		const char *passed; /* "-" if no capture is legal */
	} cases[] = {
		{"8/8/8/8/1k1p4/8/4P3/4K3 w - - 0 1", "e2e4", "e3"},
		{"8/8/8/8/1k1p4/8/1P6/4K3 w - - 0 1", "b2b3", "-"},
		{"8/8/8/8/3p4/1k6/7P/4K3 w - - 0 1", "h2h4", "-"}, /* no pawn beside it */
		{"8/8/8/7p/k7/8/P7/4K3 w - - 0 1", "a2a3", "-"},
		{"8/8/8/8/1k4p1/8/P7/4K3 w - - 0 1", "a2a4", "-"},    /* across the edge */
		{"8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "e2e4", "-"},   /* pinned along the rank */
		{"8/8/3k4/8/3p4/8/4P3/3RK3 w - - 0 1", "e2e4", "-"},  /* pinned along the file */
		{"8/8/8/4k3/3p4/2B5/4P3/4K3 w - - 0 1", "e2e4", "-"}, /* pinned on a diagonal */
		{"8/8/8/2k5/3p4/8/4PB2/4K3 w - - 0 1", "e2e4", "e3"}, /* stays on its diagonal */
		{"8/8/8/5k2/3p4/8/4P3/4K3 w - - 0 1", "e2e4", "e3"},  /* takes a checking pawn */
		{"3r4/8/8/8/3p4/8/4P3/k3K3 w - - 0 1", "e2e4", "e3"},
		{"8/8/8/8/3p4/8/4P3/k3K2R w - - 0 1", "e2e4", "e3"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct el_position position = position_of(cases[i].fen);
		struct el_move move;
		char fen[EL_FEN_MAX];
		assert_int_equal(el_chess.read_move(&position, cases[i].move, &move, NULL), EL_OK);
		el_chess.play(&position, &move, &position);
		el_chess.format(&position, fen);
		const char *passed = strstr(fen, " b - ") + 5;
		assert_memory_equal(passed, cases[i].passed, strlen(cases[i].passed));
		assert_int_equal(el_chess.check(&position, NULL), EL_OK);
	}
}

static void test_clocks(void **state)
{
	struct el_position position = position_of("7k/8/8/8/8/8/P7/KR6 w - - 7 12");
	struct el_move move;
	(void)state;
	assert_int_equal(el_chess.read_move(&position, "Rb2", &move, NULL), EL_OK);
	el_chess.play(&position, &move, &position);
	assert_int_equal(position.halfmove, 8);
	assert_int_equal(position.fullmove, 12);
	assert_int_equal(el_chess.read_move(&position, "Kg8", &move, NULL), EL_OK);
	el_chess.play(&position, &move, &position);
	assert_int_equal(position.fullmove, 13);
	assert_int_equal(el_chess.read_move(&position, "a3", &move, NULL), EL_OK);
	el_chess.play(&position, &move, &position);
	assert_int_equal(position.halfmove, 0);
}

static void test_ends(void **state)
{
	struct el_position mate = position_of("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
	struct el_position stalemate = position_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
	struct el_position bare = position_of("7k/8/6K1/8/8/8/8/8 b - - 0 1");
	struct el_move moves[EL_MOVES_MAX];
	(void)state;
	assert_int_equal(el_chess.moves(&mate, moves), 0);
	assert_true(el_chess.in_check(&mate));
	assert_int_equal(el_chess.stuck(&mate).outcome, EL_LOSS);
	assert_int_equal(el_chess.moves(&stalemate, moves), 0);
	assert_false(el_chess.in_check(&stalemate));
	assert_int_equal(el_chess.stuck(&stalemate).outcome, EL_DRAW);
	assert_true(el_chess.drawn(&bare));
	assert_false(el_chess.drawn(&mate));
}

/* Faults possible in a FEN and on a set-up board. */
static void test_check(void **state)
{
	static const struct refusal refusals[] = {
		{"8/8/8/8/8/8/8/K7 w - -", "Black has no king"},
		{"8/8/8/8/8/8/8/k7 w - -", "White has no king"},
		{"8/8/8/8/8/k7/8/K1K5 w - -", "White has 2 kings"},
		{"P7/8/8/8/8/k7/8/2K5 w - -", "a pawn is on a8"},
		{"8/8/8/8/8/k7/8/2K4p w - -", "a pawn is on h1"},
		{"8/8/8/8/8/1k6/2K5/8 w - -", "the kings are next to each other"},
		{"8/8/8/8/8/k6R/8/2K5 w - -", "Black is in check with White to move"},
		{"8/8/8/8/8/k7/8/2K4r b - -", "White is in check with Black to move"},
		{"8/8/PPPPPPPP/P7/8/k7/8/2K5 w - -", "White has 9 pawns"},
		{"qqq5/qqq5/qqqqq3/8/8/k7/8/6K1 b - -", "promoted"},
		{"8/8/8/8/8/k7/8/2K5 w - e6", "no black pawn"},
		{"8/8/4R3/4p3/8/k7/8/2K5 w - e6", "no black pawn"},
		{"8/4n3/8/4p3/8/k7/8/2K5 w - e6", "no black pawn"},
		{"8/8/8/8/4P3/k7/8/2K5 b - d3", "no white pawn"},
		{"4k3/8/8/8/8/8/8/4K3 w K -", "castling K: White has no rook on f1 to h1"},
		{"4k3/8/8/8/8/8/8/4K2R w KQ -", "castling Q: White has no rook on a1 to d1"},
		{"4k3/8/8/8/8/8/8/4K2r w K -", "castling K: White has no rook on f1 to h1"},
		{"r3k3/8/8/8/8/3K4/8/7R w K -", "castling K: White has no king on b1 to g1"},
		{"r6k/8/8/8/8/8/8/R3K1R1 w KQq -", "castling q: Black has no king on b8 to g8"},
		{"r3k2r/8/8/8/8/8/8/RR2K3 w AB -",
	         "castling B: another rook on that side of White's king has the right"},
		{"r3k2r/8/8/8/8/8/8/RR2K3 w C -", "castling C: White has no rook on c1"},
		{"r3k2b/8/8/8/8/8/8/R3K2R w KQkq -", "castling k: Black has no rook on f8 to h8"},
		{"1r2k2r/8/8/8/8/8/8/R3K2R b a -", "castling a: Black has no rook on a8"},
	};
	(void)state;
	assert_positions_refused(&el_chess, refusals, sizeof refusals / sizeof *refusals);
	struct el_position position = position_of("8/8/8/8/8/k7/8/2K5 w - - 0 1");
	struct el_error error;
	position.set[EL_BLACK][1] = position.set[EL_WHITE][0];
	assert_int_equal(el_chess.check(&position, &error), EL_NEGATIVE);
	assert_non_null(strstr(error.text, "two pieces are on c1"));
	position = position_of("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1");
	position.castling = 0x8181;
	assert_int_equal(el_chess.check(&position, &error), EL_OK);
	position.castling = 0x8381;
	assert_int_equal(el_chess.check(&position, &error), EL_NEGATIVE);
	assert_non_null(strstr(error.text, "castling b: Black has no rook on b8"));
}

/* ---- captures ---- */

static bool same_move(const struct el_move *a, const struct el_move *b)
{
	return a->from == b->from && a->to == b->to && a->kind == b->kind &&
	       a->becomes == b->becomes && a->captured == b->captured;
}

/* The captures are the capturing moves, in the same order. */
static bool captures_agree(const struct el_position *position)
{
	struct el_move moves[EL_MOVES_MAX], captures[EL_MOVES_MAX];
	size_t count = el_chess.moves(position, moves);
	size_t found = el_chess.captures(position, captures), at = 0;
	for (size_t i = 0; i < count; i++)
		if (moves[i].captured && (at == found || !same_move(&moves[i], &captures[at++])))
			return false;
	return at == found;
}

static void test_captures_of_slices(void **state)
{
	static const char *const names[] = {"KQvK", "KPvK", "KQvKR", "KPvKP", "KBBvK", "KNvKP"};
	(void)state;
	for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
		const struct el_slice slice = slice_named(names[n]);
		const uint64_t stride = (n < 2 ? 1 : 3) * (uint64_t)test_stride();
		uint64_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
		for (uint64_t i = 0; i < slice.planes * slice.positions; i += stride) {
			struct el_position p;
			const unsigned plane = (unsigned)(i / slice.positions);
			wrong += el_chess.unplace(&slice, plane, i % slice.positions, &p) &&
			         !captures_agree(&p);
		}
		if (wrong)
			fail_msg("%s: %llu wrong", slice.name, (unsigned long long)wrong);
	}
}

/* Six pieces with pawns on both sides, and the rights that their double steps give. */
static void test_captures_en_passant(void **state)
{
	static const char *const names[] = {"KPPvKPP", "KRPvKPP", "KQPvKP", "KBPvKNP", "KPPvKP"};
	uint64_t seed = 17;
	unsigned rights = 0;
	(void)state;
	for (unsigned n = 0; n < 200000 / test_stride() + 500; n++) {
		const struct el_slice slice = slice_named(names[n % 5]);
		struct el_position position = random_position(&slice, &seed), next;
		struct el_move moves[EL_MOVES_MAX];
		size_t count = el_chess.moves(&position, moves);
		assert_true(captures_agree(&position));
		for (size_t i = 0; i < count; i++) {
			if (moves[i].kind != 5 || (moves[i].from ^ moves[i].to) != 16)
				continue;
			el_chess.play(&position, &moves[i], &next);
			assert_true(captures_agree(&next));
			if (next.en_passant == EL_NO_SQUARE)
				continue;
			struct el_move captures[EL_MOVES_MAX];
			assert_true(el_chess.captures(&next, captures) > 0);
			rights++;
		}
	}
	assert_true(rights > 1000 / test_stride());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_perft),
		cmocka_unit_test(test_perft_of_castling),
		cmocka_unit_test(test_perft_of_960),
		cmocka_unit_test(test_perft_of_rare_moves),
		cmocka_unit_test(test_en_passant_right),
		cmocka_unit_test(test_clocks),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_check),
		cmocka_unit_test(test_captures_of_slices),
		cmocka_unit_test(test_captures_en_passant),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
