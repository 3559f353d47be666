/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a new game gets from its moves and its index alone: Tussle (tests/fixtures/toy) is built,
 * read back from its tables, verified and probed, and every value compared with a brute-force
 * solver's.
 */
#include "core/builder/build.h"
#include "core/examine/verify.h"
#include "core/probe/probe.h"
#include "tests/fixtures/scratch.h"
#include "tests/fixtures/toy/toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Replaces the list in core/games/list.c: this line adds the game. */
const struct el_game *const el_games[] = {&tussle, &el_chess, NULL};

static const struct el_metric *const metrics[] = {&el_dtw, &el_dtc, NULL};

static struct el_library *open_library(const char *directory)
{
	const struct el_library_options options = {.directory = directory};
	struct el_library *library;
	struct el_error error;
	if (el_library_open(&options, &library, &error))
		fail_msg("%s", error.text);
	return library;
}

static struct el_value expected(const struct el_position *position, const struct el_metric *metric)
{
	const struct toy_brute_value v = toy_brute_value(
		(unsigned)position->set[0][0], (unsigned)position->set[1][0], position->side);
	if (v.dtw < 0)
		return (struct el_value){.outcome = EL_DRAW};
	return (struct el_value){.outcome = v.dtw % 2 ? EL_WIN : EL_LOSS,
	                         .plies = (uint16_t)(metric == &el_dtc ? v.dtc : v.dtw)};
}

/* For each board, broken or not, with either side to move. */
static void test_values(void **state)
{
	struct el_library *library = open_library(*state);
	unsigned compared = 0, outcomes[3] = {0}, longest = 0;
	for (unsigned group = 2; group <= 4; group++) {
		struct el_slice slice;
		struct el_position position;
		assert_int_equal(tussle.slices(group, &slice, 1), 1);
		for (uint64_t i = 0; i < slice.planes * slice.positions; i++) {
			const unsigned plane = (unsigned)(i / slice.positions);
			if (!tussle.unplace(&slice, plane, i % slice.positions, &position))
				continue;
			for (unsigned m = 0; m < 2; m++) {
				const struct el_value want = expected(&position, metrics[m]);
				struct el_value value;
				struct el_error error;
				if (el_library_value(library, &tussle, &position, metrics[m],
				                     EL_PROBE_FULL, &value, &error))
					fail_msg("%s", error.text);
				assert_int_equal(value.outcome, want.outcome);
				assert_int_equal(value.plies, want.plies);
				longest = value.plies > longest ? value.plies : longest;
				compared++;
			}
			const struct el_value value = expected(&position, &el_dtw);
			outcomes[value.outcome == EL_WIN ? 2 : value.outcome == EL_DRAW]++;
		}
	}
	/* A test of nothing but draws would prove little. */
	assert_true(compared > 20000 && longest > 4);
	assert_true(outcomes[0] > 100 && outcomes[1] > 100 && outcomes[2] > 100);
	el_library_close(library);
}

static void proved(void *context, const struct el_verify_result *result)
{
	size_t *good = context;
	if (result->status)
		fail_msg("%s", result->error.text);
	assert_int_equal(result->verdict.wrong, 0);
	++*good;
}

static void test_verify(void **state)
{
	struct el_library *library = open_library(*state);
	struct el_verify_task tasks[6];
	size_t good = 0;
	struct el_error error;
	for (unsigned i = 0; i < 6; i++) {
		tasks[i] = (struct el_verify_task){.metric = metrics[i % 2]};
		tussle.slices(2 + i / 2, &tasks[i].slice, 1);
	}
	const struct el_verify_options options = {0};
	assert_int_equal(el_verify_tables(library, tasks, 6, &options, NULL, proved, &good, &error),
	                 EL_OK);
	assert_int_equal(good, 6);
	el_library_close(library);
}

/* Its texts differ from those of other games, and its moves are ranked. */
static void test_answer(void **state)
{
	struct el_library *library = open_library(*state);
	const struct el_game *game;
	struct el_position position;
	struct el_error error;
	struct el_move moves[EL_MOVES_MAX];
	const struct el_question question = {0};
	struct el_answer *answer = malloc(sizeof *answer);
	assert_non_null(answer);
	if (el_position_parse("O.../..../.X../..X. x", &game, &position, &error))
		fail_msg("%s", error.text);
	assert_ptr_equal(game, &tussle);
	assert_int_equal(el_library_answer(library, game, &position, &question, answer, &error),
	                 EL_OK);
	assert_int_equal(answer->count, game->moves(&position, moves));
	for (size_t i = 1; i < answer->count; i++)
		assert_true(el_value_compare(&el_dtw, answer->moves[i - 1].value[el_dtw.rank],
		                             answer->moves[i].value[el_dtw.rank]) >= 0);
	free(answer);
	el_library_close(library);
}

/* ---- the tables ---- */

static int build(void **state)
{
	static char directory[SCRATCH_PATH];
	struct el_slice slices[3];
	struct el_plan plan;
	struct el_error error;
	struct el_build_options options = {.table = el_table_options_default()};
	scratch_make(directory);
	struct el_library *library = open_library(directory);
	for (unsigned i = 0; i < 3; i++)
		tussle.slices(2 + i, &slices[i], 1);
	enum el_status status = el_plan_make(library, slices, 3, metrics, &plan, &error);
	if (!status)
		status = el_build(library, &plan, &options, NULL, &error);
	if (status)
		fail_msg("%s", error.text);
	el_plan_free(&plan);
	el_library_close(library);
	toy_brute_solve();
	*state = directory;
	return 0;
}

static int clear(void **state)
{
	scratch_remove(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_verify),
		cmocka_unit_test(test_answer),
	};
	return cmocka_run_group_tests(tests, build, clear);
}
