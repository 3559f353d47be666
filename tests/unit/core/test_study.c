/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Studies: every position of many roots compared with a solver that knows no frames and no sets. With
 * $TRUTH also of roots with hundreds of thousands of positions and more.
 */
#include "core/study/study.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/tables.h"
#include "tests/oracles/explicit.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct el_study_room memory = {.memory = UINT64_MAX, .folder = "/tmp"},
				  little = {.memory = 1 << 20, .folder = "/tmp"};

/* Bits of kinds that pawns promote to, in the order of el_chess.kinds. */
enum { QUEENS = 1 << 1, ROOKS = 1 << 2, BISHOPS = 1 << 3, KNIGHTS = 1 << 4, ALL = 30 };

/* ---- one root ---- */

static struct el_study_reach reach; /* of the promotions that the other solver follows */

static bool follows(const struct explicit_board *after, char piece)
{
	const char *const kinds = "KQRBN";
	unsigned movers = 0;
	for (unsigned i = 0; i < 64; i++)
		movers += after->at[i] && !strchr("KkPp", after->at[i]);
	const long kind = strchr(kinds, toupper(piece)) - kinds;
	return reach.kinds >> kind & 1 && movers <= reach.movers;
}

struct comparison {
	const struct explicit_graph *graph;
	size_t count, wrong, open; /* positions; wider bounds than the other solver's */
	char first[EL_FEN_MAX];    /* that is wrong */
};

static int bound(enum el_outcome outcome)
{
	return outcome == EL_WIN ? 1 : outcome == EL_LOSS ? -1 : 0;
}

static void compare(void *context, const struct el_position *p, struct el_value v)
{
	struct comparison *c = context;
	const int lower = bound(el_outcome_lower(v.outcome)),
		  upper = bound(el_outcome_upper(v.outcome));
	struct explicit_value truth;
	char fen[EL_FEN_MAX];
	el_chess.format(p, fen);
	const bool found = explicit_find(c->graph, fen, &truth);
	c->count++;
	if (found && lower == truth.lower && upper == truth.upper)
		return;
	c->open++;
	if (found && lower <= truth.lower && truth.upper <= upper)
		return;
	if (!c->wrong++)
		snprintf(c->first, sizeof c->first, "%s", fen);
}

/* Compares all positions of a study. With promotions, bounds may be wider where they do not matter to
   the root. */
static void compare_all(struct el_study *study, const struct el_position *root)
{
	char fen[EL_FEN_MAX];
	struct explicit_value truth;
	struct el_value value;
	struct el_error error;
	el_chess.format(root, fen);
	struct explicit_graph *graph = explicit_solve(fen, follows);
	struct comparison c = {.graph = graph};
	el_study_each(study, &c, compare);
	if (c.wrong)
		fail_msg("%s: %zu of %zu positions are wrong, first %s", fen, c.wrong, c.count,
		         c.first);
	assert_true(explicit_find(graph, fen, &truth));
	assert_int_equal(el_study_value(study, root, &value, &error), EL_OK);
	assert_int_equal(bound(el_outcome_lower(value.outcome)), truth.lower);
	assert_int_equal(bound(el_outcome_upper(value.outcome)), truth.upper);
	assert_int_equal(c.count, el_study_size(study).positions);
	if (!reach.kinds) {
		assert_int_equal(c.open, 0);
		assert_int_equal(c.count, explicit_reached(graph));
	}
	explicit_free(graph);
}

static void check_root(const struct el_position *root, const struct el_study_room *room)
{
	struct el_study *study;
	struct el_error error;
	if (el_study_open(&el_chess, root, room, NULL, &study, &error))
		fail_msg("%s", error.text);
	if (reach.kinds)
		assert_int_equal(el_study_extend(study, &reach, NULL, &error), EL_OK);
	compare_all(study, root);
	el_study_close(study);
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void check_roots(const char *const *fens, size_t count, struct el_study_reach followed)
{
	reach = followed;
	for (size_t i = 0; i < count; i++) {
		const struct el_position root = position_of(fens[i]);
		check_root(&root, i % 2 ? &little : &memory);
	}
}

/* The same, and with the colours swapped. */
static void check_both(const char *const *fens, size_t count, struct el_study_reach followed)
{
	check_roots(fens, count, followed);
	for (size_t i = 0; i < count; i++) {
		const struct el_position root = position_of(fens[i]);
		struct el_position swapped;
		el_chess.swap_colours(&root, &swapped);
		check_root(&swapped, i % 2 ? &memory : &little);
	}
}

/* ---- roots of which no promotion is followed ---- */

static const struct el_study_reach none = {0, 0};

/* Eight or nine pieces: chains that no king passes, and chains with a pawn that may open them. */
static void chains(void **state)
{
	static const char *const locked[] = {
		"8/8/2k5/1p2p1p1/1P2P1P1/8/3K4/8 w - - 0 1",
		"5k2/6p1/4p1P1/p1p1P3/P1P5/8/6K1/8 b - - 0 1",
		"2k5/8/8/1p6/1P1p2p1/3P2P1/7K/8 b - - 0 1",
		/* A bishop is locked in: it has no move, or one square. */
		"3k4/8/8/8/1p6/1P1p2p1/K2P2P1/7B b - - 0 1",
		"8/8/8/1k6/3p2p1/1p1P2P1/1P6/B6K b - - 0 1",
		"8/8/7k/8/6p1/1p1p2P1/1P1P4/K1B5 b - - 0 1",
	};
	static const char *const half_free[] = {
		"4k3/8/6p1/1p2p1P1/1P2P3/7K/1P6/8 b - - 0 1",
		"8/8/4k3/6p1/1p2p1Pp/1P2P3/8/1K6 b - - 0 1",
		"8/8/4k3/1p2p1p1/1P2P1P1/p7/5K2/8 w - - 0 1",
		"7k/3p2p1/1p1P2P1/1P2K3/8/6p1/8/8 w - - 0 1",
		"1k6/8/3P4/8/1p2p3/1P2P1p1/6P1/6K1 w - - 0 1",
		"8/8/8/kP6/8/1p2p1p1/1P2P1P1/4K3 b - - 0 1",
		"7k/1p2p3/1P2P1p1/6P1/1p5K/8/8/8 w - - 0 1",
		"1k6/1p2p1p1/1P2P1P1/5p2/4K3/8/8/8 w - - 0 1",
		"7k/8/8/8/Pp2p3/1P2P1p1/4K1P1/8 b - - 0 1",
		"8/1k6/8/8/8/1pP1p1p1/1P2P1P1/6K1 w - - 0 1",
		"8/8/8/1k6/1p2p3/1P2P1pP/6P1/K7 w - - 0 1",
		"8/5k2/1p2p3/1P2P1p1/6Pp/8/1K6/8 b - - 0 1",
		"8/8/2k5/1p2p3/1P1pP1p1/6P1/6K1/8 b - - 0 1",
		"5k2/8/8/3p2p1/1p1P1pP1/1P6/8/5K2 b - - 0 1",
		"8/8/8/4k3/2p4p/2P2p1P/5Pp1/6K1 w - - 0 1",
		"8/6k1/8/8/p7/6p1/4p1P1/7K b - - 0 1",
	};
	/* More than nine pieces: two bishops that are locked in, or one that no pawn stops. */
	static const char *const bishops[] = {
		"3k4/8/8/8/8/1p2p1p1/1P2P1P1/B1K4B b - - 0 1",
		"6k1/8/8/p1p1p1p1/P1P1P1P1/8/8/3K1B2 w - - 0 1",
		"6k1/8/8/p1p1p1p1/P1P1P1P1/8/8/3BKB2 w - - 0 1", /* or two */
	};
	(void)state;
	check_both(locked, COUNT(locked), none);
	check_both(half_free, COUNT(half_free), none);
	check_both(bishops, COUNT(bishops), none);
}

/* Few pawns, which both kings can reach. */
static void open_boards(void **state)
{
	static const char *const roots[] = {
		"8/2p5/k1P5/5K2/8/8/2p5/8 b - - 0 1",
		"8/8/K3k3/8/6p1/6p1/6P1/8 b - - 0 1",
		"8/4Pp2/4kP2/8/6K1/8/8/8 w - - 0 1",
		/* A queen that is taken at once. */
		"8/8/8/8/p7/1p6/2Q5/K1k5 b - - 0 1",
		"8/8/8/8/8/2pp4/2k5/K2Q4 b - - 0 1",
		"8/8/8/P7/8/3p4/K1k5/2Q5 b - - 0 1",
	};
	static const char *const more[] = {
		"8/8/8/p1p5/P1P5/8/1k6/3K4 w - - 0 1", /* two locked pairs */
		"8/8/8/1p1p4/1P1P4/8/k7/2K5 b - - 0 1",
		"8/8/2p5/p1P5/P7/8/k7/2K5 w - - 0 1",
		"6k1/8/8/6p1/6P1/7P/8/6K1 w - - 0 1",
		"4k3/p7/8/1P6/8/8/8/4K3 b - - 0 1",
		/* An officer each. Pawns may promote to what is reached without promotions too. */
		"8/8/8/P7/8/3p4/K1k5/2R5 b - - 0 1",
		"8/P7/8/8/3k4/8/K1Q4p/8 w - - 0 1",
		"8/P7/8/8/3k4/8/K1R4p/8 b - - 0 1",
		"8/P7/2b5/8/3k4/8/K6p/8 w - - 0 1",
		"8/P7/2n5/8/3k4/8/K6p/8 b - - 0 1",
		"7k/7p/7P/8/8/8/8/K1N5 w - - 0 1",
		"7K/7P/7p/8/8/8/8/k1r5 w - - 0 1",
		"6k1/8/8/p1p1p1p1/P1P1P1P1/2b5/8/3K1B2 b - - 0 1",
	};
	(void)state;
	check_roots(roots, COUNT(roots), none);
	if (tests_are_thorough())
		check_roots(more, COUNT(more), none);
}

/* A double step gives a right to capture en passant, or has just given it. */
static void en_passant(void **state)
{
	static const char *const roots[] = {
		"8/1P6/8/pP6/K7/8/1k6/8 w - a6 0 1", /* the pawns may capture en passant with check */
		"4k3/6P1/8/5pP1/1K6/8/8/8 w - f6 0 1", "3k4/8/8/8/KpP5/8/1p6/8 b - c3 0 1",
		"8/8/8/8/2p5/8/1P6/4K2k w - - 0 1",    "8/2p5/8/1P6/8/8/8/4K2k b - - 0 1",
	};
	static const char *const more[] = {
		"8/8/8/8/2p5/8/1P4p1/4K2k w - - 0 1", "4k2K/8/8/8/3p2p1/8/4P3/8 w - - 0 1",
		"1k6/2p5/8/3P4/P7/8/K7/8 b - - 0 1",  "1K6/2p5/8/1P6/8/8/1P6/1k6 b - - 0 1",
		"8/8/8/1k6/2p1p3/8/K2P4/8 w - - 0 1", /* two pawns may capture */
	};
	(void)state;
	check_roots(roots, COUNT(roots), none);
	if (tests_are_thorough())
		check_roots(more, COUNT(more), none);
}

/* Games at random, until they end or a pawn promotes: all their positions are in the study. Bishops on
   different colours never change places. */
static void games_stay_inside(void **state)
{
	static const char *const roots[] = {"8/8/8/8/8/2k5/8/K1BB4 w - - 0 1",
	                                    "8/p7/8/1P6/2b5/3k4/8/K7 b - - 0 1"};
	uint64_t random = 7;
	(void)state;
	for (size_t i = 0; i < COUNT(roots); i++) {
		const struct el_position root = position_of(roots[i]);
		struct el_study *study;
		struct el_error error;
		struct el_value value;
		assert_int_equal(el_study_open(&el_chess, &root, &memory, NULL, &study, &error),
		                 EL_OK);
		for (unsigned game = 0; game < 50; game++) {
			struct el_position p = root;
			struct el_move moves[EL_MOVES_MAX], move;
			for (unsigned ply = 0; ply < 100; ply++) {
				const size_t count = el_chess.moves(&p, moves);
				if (!count)
					break;
				move = moves[random_next(&random) % count];
				if (move.becomes != move.kind)
					break;
				struct el_position next;
				el_chess.play(&p, &move, &next);
				p = next;
				assert_int_equal(el_study_value(study, &p, &value, &error), EL_OK);
			}
		}
		el_study_close(study);
	}
}

/* ---- promotions ---- */

static void promotions_are_followed(void **state)
{
	/* A promotion to a bishop that cannot capture the pawns of the chain. */
	static const char *const bishops[] = {"6k1/8/8/8/p1p1p1p1/P1P1P1P1/1p6/3K4 b - - 0 1"};
	static const char *const one[] = {"8/P7/8/8/8/8/2k5/4K3 b - - 0 1"};
	static const char *const each[] = {"8/P7/8/8/3k4/8/K6p/8 w - - 0 1",
	                                   "8/8/8/pP6/4k3/8/7K/8 w - a6 0 1"};
	(void)state;
	check_both(bishops, COUNT(bishops), (struct el_study_reach){1, BISHOPS});
	if (!tests_are_thorough())
		return;
	check_roots(one, COUNT(one), (struct el_study_reach){1, ALL});
	check_both(one, COUNT(one), (struct el_study_reach){1, QUEENS});
	check_roots(each, COUNT(each), (struct el_study_reach){1, QUEENS});
	check_roots(each, COUNT(each), (struct el_study_reach){1, ROOKS | KNIGHTS});
}

/* ---- extensions that are stopped ---- */

static int until_it_solves(void *context, const struct el_progress *progress)
{
	(void)context;
	return strcmp(progress->stage, "solving") != 0;
}

struct pair {
	const struct el_study *finished;
	size_t wrong, wider;
	char first[EL_FEN_MAX];
};

static void compare_pair(void *context, const struct el_position *p, struct el_value v)
{
	struct pair *pair = context;
	struct el_value finished;
	struct el_error error;
	assert_int_equal(el_study_value(pair->finished, p, &finished, &error), EL_OK);
	pair->wider += finished.outcome != v.outcome;
	if (!el_outcome_within(finished.outcome, v.outcome) && !pair->wrong++)
		el_chess.format(p, pair->first);
}

/* The queen takes a pawn, and the other one takes her with a check that no pawn has given before: a new
   position in a frame that has been solved. */
static void stopped_extensions_assume_nothing(void **state)
{
	static const struct el_study_reach queens = {1, QUEENS};
	static const struct el_watch watch = {.tick = until_it_solves};
	const struct el_position root = position_of("8/8/8/4P3/3P4/6k1/1p6/7K b - - 0 1");
	struct el_study *stopped, *finished;
	struct el_error error;
	(void)state;
	assert_int_equal(el_study_open(&el_chess, &root, &memory, NULL, &stopped, &error), EL_OK);
	assert_int_equal(el_study_open(&el_chess, &root, &memory, NULL, &finished, &error), EL_OK);
	assert_int_equal(el_study_extend(finished, &queens, NULL, &error), EL_OK);
	assert_int_equal(el_study_extend(stopped, &queens, &watch, &error), EL_STOPPED);
	struct pair pair = {.finished = finished};
	el_study_each(stopped, &pair, compare_pair);
	if (pair.wrong)
		fail_msg("%zu positions are wrong, first %s", pair.wrong, pair.first);
	assert_int_equal(el_study_extend(stopped, &queens, NULL, &error), EL_OK);
	pair.wider = 0;
	el_study_each(stopped, &pair, compare_pair);
	assert_int_equal(pair.wrong + pair.wider, 0);
	assert_int_equal(el_study_size(stopped).positions, el_study_size(finished).positions);
	el_study_close(stopped);
	el_study_close(finished);
}

/* ---- roots at random ---- */

static unsigned below(unsigned n, uint64_t *random)
{
	return (unsigned)(random_next(random) % n);
}

/* Kings and two to four pawns, most of them far advanced; sometimes an officer. */
static struct el_position random_root(uint64_t *random)
{
	struct el_position p;
	struct el_error error;
	do {
		const unsigned pawns = 2 + below(3, random), men = 2 + pawns + !below(4, random);
		p = (struct el_position){.side = (uint8_t)below(2, random),
		                         .en_passant = EL_NO_SQUARE,
		                         .fullmove = 1};
		for (unsigned n = 0; n < men; n++) {
			const unsigned side = n < 2 ? n : below(2, random);
			const unsigned kind = n < 2 ? 0 : n < 2 + pawns ? 5 : 1 + below(4, random);
			const unsigned steps = 1 + below(below(8, random) ? 3 : 6, random);
			const unsigned rank = kind < 5 ? below(8, random)
			                      : side   ? steps
			                               : 7 - steps;
			p.set[side][kind] |= UINT64_C(1) << (8 * rank + below(8, random));
		}
		if (el_piece_count(&p) != men)
			p.set[0][0] = 0; /* two on one square: again */
	} while (el_chess.check(&p, &error));
	return p;
}

static void random_roots(void **state)
{
	const uint64_t most = tests_are_thorough() ? 2000000 : 80000;
	uint64_t random = 44, left = tests_are_thorough() ? 40000000 : 500000;
	(void)state;
	reach = none;
	while (left >= most) {
		const struct el_position root = random_root(&random);
		struct el_study *study;
		struct el_error error;
		assert_int_equal(el_study_open(&el_chess, &root, &memory, NULL, &study, &error),
		                 EL_OK);
		const uint64_t positions = el_study_size(study).positions;
		if (positions <= most) {
			compare_all(study, &root);
			left -= positions;
		}
		el_study_close(study);
	}
}

/* ---- roots that are refused ---- */

static void refuse(const struct el_game *game, const struct el_position *root)
{
	struct el_study *study = NULL;
	struct el_error error = {.text = ""};
	assert_int_equal(el_study_open(game, root, &memory, NULL, &study, &error), EL_NEGATIVE);
	assert_null(study);
	assert_true(strlen(error.text) > 10);
	assert_null(strchr(error.text, '\n'));
}

static void bad_roots(void **state)
{
	static const char *const fens[] = {
		"4k3/7p/8/8/8/8/P7/4K2R w K - 0 1", /* castling rights */
		"r3k3/7p/8/8/8/8/P7/4K3 w q - 0 1",
		"k7/7p/8/8/8/8/P7/KQRB4 w - - 0 1", /* three officers, four */
		"k1qr4/7p/8/8/8/8/P7/KQR5 w - - 0 1",
	};
	(void)state;
	for (size_t i = 0; i < COUNT(fens); i++) {
		const struct el_position root = position_of(fens[i]);
		refuse(&el_chess, &root);
	}
	struct el_position root = position_of("4k3/4r2p/8/8/8/8/P7/4K3 w - - 0 1");
	root.side = EL_BLACK; /* White is in check */
	refuse(&el_chess, &root);
	root.set[EL_WHITE][0] = 0; /* and has no king */
	refuse(&el_chess, &root);
	root = position_of("4k3/7p/8/8/8/8/P7/4K3 w - - 0 1");
	root.set[EL_BLACK][0] = root.set[EL_WHITE][0] << 1; /* kings next to each other */
	refuse(&el_chess, &root);
	root = position_of("4k3/7p/8/8/8/8/P7/4K3 w - - 0 1");
	root.set[EL_WHITE][5] |= 1; /* a pawn on the first rank */
	refuse(&el_chess, &root);
	root = position_of("W:WK3,20:BK30");
	refuse(&el_checkers, &root);
}

/* Lasker and Reichhelm, 1901: one move wins, and the others draw. */
static void corresponding_squares(void **state)
{
	(void)state;
	struct el_position root;
	struct el_study *study;
	struct el_error error;
	assert_int_equal(el_chess.parse("8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1", &root, &error),
	                 EL_OK);
	assert_int_equal(el_study_open(&el_chess, &root, &little, NULL, &study, &error), EL_OK);
	static const struct {
		const char *san;
		enum el_outcome
			outcome; /* for Black, after it, as far as kings and pawns alone tell */
	} moves[] = {{"Ka2", EL_DRAW}, {"Kb2", EL_DRAW}, {"Kb1", EL_AT_MOST_DRAW}};
	for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
		struct el_position after;
		struct el_move move;
		struct el_value value;
		assert_int_equal(el_chess.read_move(&root, moves[i].san, &move, &error), EL_OK);
		el_chess.play(&root, &move, &after);
		assert_int_equal(el_study_value(study, &after, &value, &error), EL_OK);
		assert_int_equal(value.outcome, moves[i].outcome);
	}
	el_study_close(study);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chains),
		cmocka_unit_test(open_boards),
		cmocka_unit_test(en_passant),
		cmocka_unit_test(games_stay_inside),
		cmocka_unit_test(promotions_are_followed),
		cmocka_unit_test(stopped_extensions_assume_nothing),
		cmocka_unit_test(random_roots),
		cmocka_unit_test(corresponding_squares),
		cmocka_unit_test(bad_roots),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
