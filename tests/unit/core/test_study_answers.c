/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies as sources: depths that may be less, several studies, lines, engines. */
#include "core/base/metric.h"
#include "core/builder/position.h"
#include "core/probe/inside.h"
#include "endlab/engine.h"
#include "tests/bench/bench.h"
#include "tests/fixtures/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct el_value win(unsigned plies, bool at_most)
{
	return (struct el_value){.outcome = EL_WIN, .plies = (uint16_t)plies, .at_most = at_most};
}

static struct el_value loss(unsigned plies, bool at_most)
{
	return (struct el_value){.outcome = EL_LOSS, .plies = (uint16_t)plies, .at_most = at_most};
}

static void check(struct el_value v, unsigned plies, bool at_most)
{
	assert_int_equal(v.plies, plies);
	assert_int_equal(v.at_most, at_most);
}

/* The true depth of `at most n` is any number up to n; what follows must hold for all of them. */
static void test_arithmetic(void **state)
{
	(void)state;
	check(el_value_max(&el_dtz, win(6, false), win(9, true)), 6, true); /* 9 may be 3 */
	check(el_value_max(&el_dtz, win(9, true), win(6, false)), 6, true);
	check(el_value_max(&el_dtz, win(6, false), win(9, false)), 6, false);
	check(el_value_max(&el_dtz, win(1, false), win(9, true)), 1, false); /* none is less */
	check(el_value_max(&el_dtz, loss(6, false), loss(9, true)), 9, true);
	check(el_value_max(&el_dtz, loss(9, false), loss(6, true)), 9, false);
	check(el_value_max(&el_dtz, loss(6, true), loss(6, false)), 6, false);
	/* In ranked lists the certain one of two equal depths comes first. */
	assert_true(el_value_compare(&el_dtz, win(6, false), win(6, true)) > 0);
	assert_true(el_value_compare(&el_dtz, loss(6, false), loss(6, true)) > 0);
	assert_true(el_value_compare(&el_dtz, win(5, true), win(6, false)) > 0);
	/* A quiet move carries it on; one that ends the count does not. */
	check(el_value_of_move(&el_dtz, loss(6, true), false, 0), 7, true);
	check(el_value_of_move(&el_dtz, loss(6, true), true, 0), 1, false);
	check(el_value_of_move(&el_dtm, loss(6, true), true, 0), 7, true);
	/* Can both be true? */
	assert_true(el_value_matches(win(9, true), win(6, false)));
	assert_true(el_value_matches(win(6, false), win(9, true)));
	assert_false(el_value_matches(win(6, true), win(9, false)));
	assert_true(el_value_matches(win(6, true), win(9, true)));
	/* At most 120 plies may be in time, and 120 are not. */
	assert_int_equal(el_value_in_time(&el_dtz, win(120, false), 100, 0), EL_CURSED_WIN);
	assert_int_equal(el_value_in_time(&el_dtz, win(120, true), 100, 0), EL_AT_LEAST_CURSED);
	assert_int_equal(el_value_in_time(&el_dtm, win(80, true), 100, 0), EL_WIN);
	assert_int_equal(el_metric_read(&el_dtz, &el_wdl, win(80, true)).at_most, false);
}

/* ---- a library ---- */

/* Black wins; from the second root, two plies later, with fewer promotions followed. */
static const char *const roots[] = {"8/8/2p5/p1P5/P7/8/k7/2K5 w - - 0 1",
                                    "8/8/2p5/p1P5/P7/8/1k6/4K3 w - - 0 1"};

static struct el_library *solve(size_t count)
{
	struct el_library *library = fixture_library(folder, NULL);
	for (size_t i = 0; i < count; i++) {
		struct el_position root;
		struct el_solved solved;
		struct el_error error;
		const struct el_solve_wish wish = {
			.game = &el_chess, .root = &root, .kinds = i ? 1u << 1 : ~0u};
		assert_int_equal(el_chess.parse(roots[i], &root, &error), EL_OK);
		assert_int_equal(el_solve_position(library, &wish, NULL, &solved, &error), EL_OK);
		assert_int_equal(solved.value.outcome, EL_LOSS);
	}
	return library;
}

static struct el_value value_of(struct el_library *library, const struct el_position *p,
                                const struct el_metric *metric)
{
	struct el_value v;
	return el_library_value(library, &el_chess, p, metric, EL_PROBE_FULL, &v, NULL)
	               ? (struct el_value){.outcome = EL_BROKEN}
	               : v;
}

/* Each move of the loser, and some move of the winner, leads to fewer plies, `at most` or not, up to the
   move that ends the count: so no line goes round in circles. */
static void check_progress(struct el_library *library, const struct el_position *p, size_t *at_most)
{
	struct el_move moves[EL_MOVES_MAX];
	const struct el_value value = value_of(library, p, &el_dtz);
	const size_t count = el_chess.moves(p, moves);
	bool found = value.outcome == EL_LOSS;
	if ((value.outcome != EL_WIN && value.outcome != EL_LOSS) || !count)
		return;
	*at_most += value.at_most;
	for (size_t i = 0; i < count; i++) {
		struct el_position next;
		el_chess.play(p, &moves[i], &next);
		const struct el_value then = value_of(library, &next, &el_dtz);
		const bool ends = el_chess.zeroes(p, &moves[i]);
		const bool nears = el_outcome_negate(then.outcome) == value.outcome &&
		                   (ends || then.plies < value.plies);
		if (value.outcome == EL_LOSS)
			assert_true(nears);
		found |= nears;
	}
	assert_true(found);
}

static void test_lines(void **state)
{
	struct el_library *library = solve(2);
	size_t decided = 0, at_most = 0, unlike = 0;
	uint64_t seed = 7;
	(void)state;
	for (unsigned game = 0; game < 300; game++) {
		struct el_position p;
		struct el_move moves[EL_MOVES_MAX], line[512];
		const unsigned length = (unsigned)(fixture_random(&seed) % 60);
		assert_int_equal(el_chess.parse(roots[0], &p, NULL), EL_OK);
		for (unsigned i = 0; i < length; i++) {
			struct el_position next;
			size_t count = el_chess.zeroing(&p, moves);
			if (!count || fixture_random(&seed) % 2)
				count = el_chess.moves(&p, moves);
			if (!count)
				break;
			el_chess.play(&p, &moves[fixture_random(&seed) % count], &next);
			p = next;
		}
		p.halfmove = 0;
		const struct el_value v = value_of(library, &p, &el_dtz);
		if (v.outcome != EL_WIN && v.outcome != EL_LOSS)
			continue;
		check_progress(library, &p, &at_most);
		const struct el_question question = {.metric = &el_dtz};
		struct el_line out = {.moves = line, .max = sizeof line / sizeof *line};
		assert_int_equal(el_library_line(library, &el_chess, &p, &question, &out, NULL),
		                 EL_OK);
		/* The line ends with mate, by the side that the study says. */
		assert_int_equal(out.end, EL_LINE_OVER);
		unlike += (v.outcome == EL_WIN) != (out.count % 2 == 1);
		decided++;
	}
	assert_int_equal(unlike, 0);
	assert_in_range(decided, 50, 300);
	assert_in_range(at_most, 1, 300);
	el_library_close(library);
}

/* What is known of a drawn position, and why a line from it comes to nothing. */
static void test_draw(void **state)
{
	struct el_library *library = fixture_library(folder, NULL);
	struct el_position p;
	struct el_solved solved;
	struct el_error error;
	struct el_move moves[64];
	struct el_line line = {.moves = moves, .max = 64};
	const struct el_question question = {.metric = &el_dtm, .by_demand = true};
	const struct el_solve_wish wish = {.game = &el_chess, .root = &p, .kinds = ~0u};
	struct el_answer *answer = malloc(sizeof *answer);
	(void)state;
	assert_non_null(answer);
	assert_int_equal(el_chess.parse("6k1/8/8/6p1/6P1/7P/8/6K1 w - - 0 1", &p, &error), EL_OK);
	assert_int_equal(el_solve_position(library, &wish, NULL, &solved, &error), EL_OK);
	assert_int_equal(value_of(library, &p, &el_dtm).outcome, EL_DRAW);
	assert_int_equal(value_of(library, &p, &el_dtz).outcome, EL_DRAW);
	assert_int_equal(value_of(library, &p, el_metric_find("wdl50")).outcome, EL_DRAW);
	assert_int_equal(el_library_answer(library, &el_chess, &p, NULL, answer, &error), EL_OK);
	assert_false(answer->from_moves);
	free(answer);
	/* The line gives up pawns, to one that White can still push to no avail. */
	assert_int_equal(el_library_line(library, &el_chess, &p, &question, &line, &error), EL_OK);
	assert_int_equal(line.end, EL_LINE_REPEATED);
	/* After Ka2 no pawn can move, and no king gets to one. */
	assert_int_equal(el_chess.parse("8/k7/3p4/p2P1p2/P2P1P2/8/K7/8 b - - 0 1", &p, &error),
	                 EL_OK);
	const struct el_solve_wish bare = {.game = &el_chess, .root = &p};
	assert_int_equal(el_solve_position(library, &bare, NULL, &solved, &error), EL_OK);
	assert_int_equal(solved.value.outcome, EL_DRAW);
	assert_int_equal(el_library_line(library, &el_chess, &p, &question, &line, &error), EL_OK);
	assert_int_equal(line.end, EL_LINE_HELD);
	el_library_close(library);
}

static void test_engine(void **state)
{
	el_library_close(solve(1));
	const struct el_engine_options options = {.size = sizeof options, .folders = folder};
	struct el_engine *engine;
	struct el_error error;
	struct el_position p;
	struct el_value v;
	(void)state;
	assert_int_equal(el_engine_open(&options, &engine, &error), EL_OK);
	assert_int_equal(el_engine_pieces(engine), 6);
	assert_int_equal(el_chess.parse(roots[0], &p, &error), EL_OK);
	struct el_board board = bench_board(&p);
	assert_true(el_engine_covers(engine, &board, &el_dtz));
	assert_int_equal(el_engine_probe(engine, &board, &el_dtz, EL_ENGINE_SOFT, &v), EL_NEGATIVE);
	assert_int_equal(el_engine_probe(engine, &board, &el_dtz, 0, &v), EL_OK);
	assert_int_equal(v.outcome, EL_LOSS);
	assert_int_equal(v.plies, 4); /* Kd1 Ka3, Kd2 Kxa4 */
	assert_int_equal(el_engine_probe(engine, &board, &el_wdl, EL_ENGINE_SOFT, &v), EL_OK);
	assert_int_equal(el_engine_probe(engine, &board, &el_dtm, 0, &v), EL_NEGATIVE);
	/* The same pieces elsewhere: no study has these pawns. */
	assert_int_equal(el_chess.parse("8/2p5/8/p1P5/P7/8/k7/2K5 w - - 0 1", &p, &error), EL_OK);
	board = bench_board(&p);
	assert_false(el_engine_covers(engine, &board, &el_dtz));
	assert_int_equal(el_engine_probe(engine, &board, &el_wdl, 0, &v), EL_NEGATIVE);
	el_engine_close(engine);
}

/* A quiet move of nine pieces, which no slice has, converts nothing; a capture does. */
static void test_conversions(void **state)
{
	static const struct {
		const char *fen, *san;
		bool leaves;
	} cases[] = {{"8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1", "Kb1", false},
	             {"8/1k6/3p4/pK1P1p2/P2P1P2/8/8/8 w - - 0 1", "Kxa5", true}};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct el_position p;
		struct el_error error;
		struct el_move move;
		struct spot spot;
		struct step step;
		assert_int_equal(el_chess.parse(cases[i].fen, &p, &error), EL_OK);
		assert_int_equal(el_chess.read_move(&p, cases[i].san, &move, &error), EL_OK);
		spot_at(&el_chess, &p, &spot);
		assert_false(spot.placed);
		step_take(&el_chess, &spot, &move, &step);
		assert_int_equal(step.leaves, cases[i].leaves);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arithmetic),
		cmocka_unit_test(test_conversions),
		IN_FOLDER(test_lines),
		IN_FOLDER(test_draw),
		IN_FOLDER(test_engine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
