/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts on moves of a game. */
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include "core/probe/probe.h"
#include "core/tree/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* A game's start and moves, and the verdict on the last one. */
struct judged {
	const char *fen, *moves;
	unsigned rule;
	enum el_move_verdict_kind kind;
	enum el_mark mark;
	unsigned lost;
};

static const char pawn[] = "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1";
static const char last_ply[] = "8/1k1P4/3K4/8/8/8/8/8 w - - 99 1";

/* Each move is judged given the verdict on the one before. */
static struct el_move_verdict judge_last(struct el_judge *judge, const struct judged *j,
                                         struct el_line_sum *sum)
{
	struct el_move_verdict verdict = {0};
	struct el_position start;
	struct el_tree *tree;
	char words[256], *next = words;
	struct el_error error;
	const struct el_game *game = fixture_parse(j->fen, &start);
	assert_int_equal(el_tree_open(game, &start, &tree, NULL), EL_OK);
	uint32_t at = EL_TREE_ROOT;
	strcpy(words, j->moves);
	for (char *word; (word = strsep(&next, " "));) {
		const struct el_move_verdict previous = verdict;
		struct el_move move;
		if (game->read_move(&tree->nodes[at].position, word, &move, &error) ||
		    el_tree_add(tree, at, &move, &at, &error) ||
		    el_judge_move(judge, tree, at, &previous, &verdict, &error))
			fail_msg("%s %s: %s", j->fen, word, error.text);
		el_line_sum_add(sum, tree, at, &verdict);
	}
	el_tree_close(tree);
	return verdict;
}

static void check(struct el_library *library, const struct judged *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct judged *j = &cases[i];
		const struct el_question question = {.rule = j->rule};
		struct el_judge *judge;
		assert_int_equal(el_judge_open(library, &question, &judge, NULL), EL_OK);
		struct el_line_sum sum = {0};
		const struct el_move_verdict v = judge_last(judge, j, &sum);
		if (v.kind != j->kind || v.mark != j->mark || v.lost != j->lost ||
		    v.only != (j->mark == EL_MARK_GOOD))
			fail_msg("%s %s: kind %d, mark %d, %u plies lost, only %d", j->fen,
			         j->moves, (int)v.kind, (int)v.mark, v.lost, v.only);
		el_judge_close(judge);
	}
}

static void test_small(void **state)
{
	static const struct judged cases[] = {
		{pawn, "Kf4", 50, EL_VERDICT_KEPT, EL_MARK_NONE, 0},
		{pawn, "Kf4 Kf6", 50, EL_VERDICT_KEPT, EL_MARK_GOOD, 0},
		{pawn, "Kf4 Kd6", 50, EL_VERDICT_THREW, EL_MARK_MISTAKE, 0},
		{pawn, "Kf4 Kd6 Kg4", 50, EL_VERDICT_MISSED, EL_MARK_MISTAKE, 0},
		{"8/8/8/4k3/8/8/4K3/7Q w - - 0 1", "Qh5+", 50, EL_VERDICT_KEPT, EL_MARK_NONE, 2},
		{"k7/2K5/8/8/8/8/8/1R6 b - - 0 1", "Ka7", 50, EL_VERDICT_KEPT, EL_MARK_NONE, 0},
		{"k7/2Q5/8/8/8/8/8/K7 w - - 0 1", "Qb6", 50, EL_VERDICT_THREW, EL_MARK_MISTAKE, 0},
		{last_ply, "d8=Q", 50, EL_VERDICT_KEPT, EL_MARK_NONE, 0},
		{last_ply, "Ke6", 50, EL_VERDICT_THREW, EL_MARK_MISTAKE, 0},
		{last_ply, "Ke7", 0, EL_VERDICT_KEPT, EL_MARK_NONE, 8},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e4", 50,
	         EL_VERDICT_BEYOND, EL_MARK_NONE, 0},
	};
	const char *tables = small_test_tables();
	(void)state;
	assert_non_null(tables);
	struct el_library *library = fixture_library(tables, NULL);
	check(library, cases, sizeof cases / sizeof *cases);
	el_library_close(library);
}

/* What a line costs each side, with the verdicts above. */
struct summed {
	const char *fen, *moves;
	struct el_line_sum sum;
};

static void check_sums(struct el_library *library, const struct summed *cases, size_t count)
{
	const struct el_question question = {.rule = 50};
	struct el_judge *judge;
	assert_int_equal(el_judge_open(library, &question, &judge, NULL), EL_OK);
	for (const struct summed *c = cases; c < cases + count; c++) {
		const struct judged line = {.fen = c->fen, .moves = c->moves};
		struct el_line_sum sum = {0};
		judge_last(judge, &line, &sum);
		for (unsigned side = 0; side < 2; side++) {
			assert_int_equal(sum.side[side].judged, c->sum.side[side].judged);
			assert_int_equal(sum.side[side].mistakes, c->sum.side[side].mistakes);
			assert_int_equal(sum.side[side].halves, c->sum.side[side].halves);
			assert_int_equal(sum.side[side].lost, c->sum.side[side].lost);
		}
		assert_int_equal(sum.moves, c->sum.moves);
		assert_int_equal(sum.from, c->sum.from);
		assert_int_equal(sum.first, c->sum.first);
	}
	el_judge_close(judge);
}

static void test_sums(void **state)
{
	static const struct summed cases[] = {
		{pawn,
	         "Kf4 Kd6 Kg4",
	         {.side = {{2, 1, 1, 0}, {1, 1, 1, 0}}, .moves = 3, .from = 1}},
		{"8/8/8/4k3/8/8/4K3/7Q w - - 0 7",
	         "Qh5+",
	         {.side = {{1, 0, 0, 2}}, .moves = 1, .from = 7}},
		{"k7/2K5/8/8/8/8/8/1R6 b - - 0 3",
	         "Ka7",
	         {.side = {[EL_BLACK] = {1, 0, 0, 0}}, .moves = 1, .from = 3, .first = EL_BLACK}},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e4 e5", {.moves = 2}},
	};
	const char *tables = small_test_tables();
	(void)state;
	assert_non_null(tables);
	struct el_library *library = fixture_library(tables, NULL);
	check_sums(library, cases, sizeof cases / sizeof *cases);
	el_library_close(library);
}

/* The queen is put en prise to the rook; the capture comes from a position that no table knows. */
static void test_blunder(void **state)
{
	static const struct el_metric *const metrics[] = {&el_dtm, NULL};
	static const struct judged cases[] = {
		{"7r/8/8/3k4/8/8/8/K5Q1 w - - 0 1", "Qg8+", 50, EL_VERDICT_THREW, EL_MARK_BLUNDER,
	         0},
		{"7r/8/8/3k4/8/8/8/K5Q1 w - - 0 1", "Qg8+ Rxg8", 50, EL_VERDICT_KEPT, EL_MARK_GOOD,
	         0},
	};
	(void)state;
	fixture_build_in(folder, "KQvKR", metrics);
	struct el_library *library = fixture_library(folder, NULL);
	const struct summed sum = {cases[1].fen,
	                           cases[1].moves,
	                           {.side = {{1, 1, 2, 0}, {1, 0, 0, 0}}, .moves = 2, .from = 1}};
	check(library, cases, sizeof cases / sizeof *cases);
	check_sums(library, &sum, 1);
	el_library_close(library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small),
		cmocka_unit_test(test_sums),
		IN_FOLDER(test_blunder),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
