/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Studies: every position of many roots compared with a solver that knows no frames and no sets. */
#include "core/study/study.h"
#include "tests/oracles/explicit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct el_study_room memory = {UINT64_MAX, "/tmp"}, little = {1 << 20, "/tmp"};

static unsigned most_movers; /* of positions that the other solver opens */

static bool opens(const struct explicit_board *b)
{
	unsigned movers = 0;
	for (unsigned i = 0; i < 64; i++)
		movers += b->at[i] && !strchr("KkPp", b->at[i]);
	return movers <= most_movers;
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

/* Solves a root and compares all its positions; with promotions, bounds may be wider where they do not
   matter to the root. */
static void check_root(const char *fen, unsigned movers, const struct el_study_reach *reach,
                       const struct el_study_room *room)
{
	struct el_position root;
	struct el_study *study;
	struct el_error error;
	struct el_value value;
	struct explicit_value truth;
	most_movers = movers;
	struct explicit_graph *graph = explicit_solve(fen, opens);
	struct comparison c = {.graph = graph};
	assert_int_equal(el_chess.parse(fen, &root, &error), EL_OK);
	assert_int_equal(el_study_open(&el_chess, &root, room, NULL, &study, &error), EL_OK);
	if (reach)
		assert_int_equal(el_study_extend(study, reach, NULL, &error), EL_OK);
	el_study_each(study, &c, compare);
	if (c.wrong)
		fail_msg("%s: %zu of %zu positions are wrong, first %s", fen, c.wrong, c.count,
		         c.first);
	assert_true(explicit_find(graph, fen, &truth));
	assert_int_equal(el_study_value(study, &root, &value, &error), EL_OK);
	assert_int_equal(bound(el_outcome_lower(value.outcome)), truth.lower);
	assert_int_equal(bound(el_outcome_upper(value.outcome)), truth.upper);
	if (!reach) {
		assert_int_equal(c.open, 0);
		assert_int_equal(c.count, el_study_size(study).positions);
		assert_int_equal(el_study_size(study).positions, explicit_opened(graph));
	}
	el_study_close(study);
	explicit_free(graph);
}

static void pawns_alone(void **state)
{
	static const char *const roots[] = {
		"8/8/8/2p5/8/1P6/k7/3K4 w - - 0 1",    /* en passant for Black */
		"8/2p5/8/1P6/8/8/k7/3K4 b - - 0 1",    /* and for White */
		"8/8/8/p1p5/P1P5/8/1k6/3K4 w - - 0 1", /* two locked pairs */
		"4k3/p7/8/1P6/8/8/8/4K3 b - - 0 1",    "8/8/8/1p1p4/1P1P4/8/k7/2K5 b - - 0 1",
		"8/8/2p5/p1P5/P7/8/k7/2K5 w - - 0 1",  "6k1/8/8/6p1/6P1/7P/8/6K1 w - - 0 1",
	};
	(void)state;
	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
		check_root(roots[i], 0, NULL, i % 2 ? &little : &memory);
}

static void promotions_are_followed(void **state)
{
	static const struct el_study_reach all = {1, ~0u}, queens = {1, 1 << 1};
	(void)state;
	check_root("8/P7/8/8/8/8/2k5/4K3 b - - 0 1", 1, &all, &memory);
	(void)queens;
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
		cmocka_unit_test(pawns_alone),
		cmocka_unit_test(promotions_are_followed),
		cmocka_unit_test(corresponding_squares),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
