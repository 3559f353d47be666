/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers and lines from tables that hold bounds. */
#include "core/probe/probe.h"
#include "core/whole/whole.h"
#include "tests/fixtures/bounds_fixture.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const size_t wdl_rank = 0; /* el_wdl is the first metric: checked in main */

static const struct el_question by_wdl = {.metric = &el_wdl};

/* ---- answers ---- */

static void set_value(struct el_planes *planes, const struct el_position *position,
                      enum el_outcome outcome)
{
	struct el_place place;
	assert_true(el_chess.place(position, &place));
	assert_true(place.key == planes->slice.key);
	planes->plane[place.plane].symbols[place.index] = bounds_symbol(outcome);
}

/* A position, and the values of its moves for the mover, in any order, repeated. */
static void set_moves(struct el_planes *planes, const struct el_position *position,
                      const enum el_outcome *worth, size_t count)
{
	struct el_move moves[EL_MOVES_MAX];
	size_t quiet = 0, all = el_chess.moves(position, moves);
	for (size_t i = 0; i < all; i++) {
		struct el_position after;
		el_chess.play(position, &moves[i], &after);
		if (!moves[i].captured)
			set_value(planes, &after, el_outcome_negate(worth[quiet++ % count]));
	}
	assert_true(quiet >= count);
}

static struct el_library *library_of(const struct el_planes *planes, const char *tables)
{
	const struct el_table_options o = fixture_options("raw", 4096, EL_FILL_NONE);
	fixture_write(fixture_path(folder, "own.egt"), planes, &o);
	return fixture_library(folder, tables);
}

static struct el_answer *ask(struct el_library *library, const struct el_position *position)
{
	struct el_answer *answer = malloc(sizeof *answer);
	assert_non_null(answer);
	assert_int_equal(el_library_answer(library, &el_chess, position, NULL, answer, NULL),
	                 EL_OK);
	return answer;
}

static void test_ranking(void **state)
{
	(void)state;
	static const enum el_outcome worth[] = {
		EL_UNKNOWN, EL_LOSS, EL_AT_LEAST_DRAW, EL_WIN, EL_AT_MOST_DRAW, EL_DRAW,
	};
	static const enum el_outcome ranked[] = {
		EL_WIN, EL_AT_LEAST_DRAW, EL_DRAW, EL_UNKNOWN, EL_AT_MOST_DRAW, EL_LOSS,
	};
	struct el_planes planes = bounds_planes("KRvK");
	struct el_position position;
	fixture_parse("8/8/8/3k4/8/8/8/KR6 b - - 0 1", &position);
	set_moves(&planes, &position, worth, 6);
	set_value(&planes, &position, EL_AT_LEAST_DRAW);
	struct el_library *library = library_of(&planes, NULL);
	struct el_answer *answer = ask(library, &position);
	assert_ptr_equal(answer->metric, &el_wdl);
	assert_int_equal(answer->value[wdl_rank].outcome, EL_AT_LEAST_DRAW);
	assert_int_equal(answer->count, 8);
	unsigned rank = 0, seen = 0;
	for (size_t i = 0; i < answer->count; i++) {
		const enum el_outcome outcome = answer->moves[i].value[wdl_rank].outcome;
		while (ranked[rank] != outcome)
			assert_true(++rank < 6);
		seen |= 1u << rank;
		for (size_t m = 1; m < EL_METRICS; m++)
			if (!el_metric_tells(&el_wdl, el_metrics[m]))
				assert_int_equal(answer->moves[i].value[m].outcome, EL_UNKNOWN);
	}
	assert_int_equal(seen, 63);
	free(answer);
	el_library_close(library);
	el_planes_free(&planes);
}

/* A missing table is named with the folders searched. */
static void expect_why(struct el_library *library, const char *fen, const char *why)
{
	struct el_position position;
	char folders[SCRATCH_PATH + 16];
	fixture_parse(fen, &position);
	struct el_answer *answer = ask(library, &position);
	char *looked = strstr(answer->why_unknown, "; looked in ");
	snprintf(folders, sizeof folders, "; looked in %s", folder);
	if (looked) {
		assert_string_equal(looked, folders);
		*looked = '\0';
	}
	assert_string_equal(answer->why_unknown, why);
	free(answer);
}

/* White to move with the rook hanging, and another position where it is safe. */
#define HANGING "8/8/8/8/8/k7/8/K2Q2r1 w - - 0 1"
#define QUIET   "8/8/8/3k4/8/8/8/KR6 w - - 0 1"
#define NO_ROOK "8/8/8/8/8/k7/8/K5Q1 b - - 0 1"

static void test_what_is_missing(void **state)
{
	(void)state;
	struct el_position position;
	struct el_planes planes = bounds_planes("KQvKR");
	fixture_parse(HANGING, &position);
	set_value(&planes, &position, EL_UNKNOWN);
	struct el_library *library = library_of(&planes, NULL);
	expect_why(library, HANGING, "KQvK needed after Qxg1");
	expect_why(library, QUIET, "KRvK is not built");
	struct el_answer *answer = ask(library, &position);
	assert_null(answer->metric);
	assert_int_equal(answer->value[wdl_rank].outcome, EL_UNKNOWN);
	/* The answer names the table that does not know. */
	assert_ptr_equal(answer->source.metric, &el_wdl);
	assert_string_equal(answer->source.file, "own.egt");
	assert_string_equal(answer->source.detail, "raw 4K none partial");
	free(answer);
	el_library_close(library);
	/* All moves are known by now, but the table is older. */
	library = fixture_library(folder, bounds_captured());
	expect_why(library, HANGING,
	           "KQvKR.wdl is partial: it was built without all its sub-tables");
	el_library_close(library);
	el_planes_free(&planes);
}

static void test_which_is_partial(void **state)
{
	(void)state;
	static const enum el_outcome unknown[] = {EL_UNKNOWN};
	struct el_position position;
	struct el_planes planes = bounds_planes("KRvK");
	fixture_parse(QUIET, &position);
	set_value(&planes, &position, EL_AT_LEAST_DRAW);
	set_moves(&planes, &position, unknown, 1);
	struct el_library *library = library_of(&planes, NULL);
	expect_why(library, QUIET, "KRvK.wdl is partial: it was built without all its sub-tables");
	expect_why(library, "k7/8/8/3K4/8/8/8/1R6 w - - 0 1", "");
	el_library_close(library);
	el_planes_free(&planes);
}

/* The error of a table that a capture leads to. */
static void test_partial_behind_a_capture(void **state)
{
	(void)state;
	struct el_position hanging, taken;
	struct el_planes planes = bounds_planes("KQvKR"), after = bounds_planes("KQvK");
	const struct el_table_options o = fixture_options("raw", 4096, EL_FILL_NONE);
	fixture_parse(HANGING, &hanging);
	fixture_parse(NO_ROOK, &taken);
	set_value(&planes, &hanging, EL_AT_LEAST_DRAW);
	set_value(&after, &taken, EL_AT_MOST_DRAW);
	fixture_write(fixture_path(folder, "after.egt"), &after, &o);
	struct el_library *library = library_of(&planes, NULL);
	expect_why(library, HANGING,
	           "KQvK.wdl is partial: it was built without all its sub-tables");
	el_library_close(library);
	el_planes_free(&planes);
	el_planes_free(&after);
}

/* Depths that continue from a bound are unknown, however good the table is. */
static void test_no_depth_from_bounds(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(small_test_tables(), NULL);
	struct el_planes planes = solved_planes(library, "KQvKR", &el_dtc);
	struct el_planes after = bounds_planes("KQvK");
	struct el_position hanging, taken;
	struct el_value value;
	struct el_error error = {.text = ""};
	assert_int_equal(el_library_derive(library, &planes, EL_DERIVE_CAPTURES, NULL, NULL),
	                 EL_OK);
	el_library_close(library);
	struct el_table_options o = fixture_options("raw", 4096, EL_FILL_PREVIOUS);
	fixture_parse(HANGING, &hanging);
	fixture_parse(NO_ROOK, &taken);
	set_value(&after, &taken, EL_AT_MOST_DRAW);
	fixture_write(fixture_path(folder, "after.egt"), &after, &o);
	o.derive = EL_DERIVE_CAPTURES;
	fixture_write(fixture_path(folder, "own.egt"), &planes, &o);
	library = fixture_library(folder, NULL);
	assert_int_equal(el_library_value(library, &el_chess, &hanging, &el_dtc, EL_PROBE_FULL,
	                                  &value, &error),
	                 EL_NEGATIVE);
	assert_string_equal(error.text, "no dtc: outcomes of KQvK are bounds");
	struct el_answer *answer = ask(library, &hanging);
	for (size_t i = 0; i < answer->count; i++)
		if (!strcmp(answer->moves[i].san, "Qxg1")) {
			assert_int_equal(answer->moves[i].value[wdl_rank].outcome,
			                 EL_AT_LEAST_DRAW);
			assert_int_equal(answer->moves[i].value[el_metric_rank(&el_dtc)].outcome,
			                 EL_UNKNOWN);
		}
	free(answer);
	el_library_close(library);
	el_planes_free(&planes);
	el_planes_free(&after);
}

/* ---- lines ---- */

static void test_lines(void **state)
{
	(void)state;
	static const enum el_outcome losing[] = {EL_LOSS}, open[] = {EL_AT_LEAST_DRAW};
	struct el_planes planes = bounds_planes("KRvK");
	struct el_position first, second;
	struct el_move moves[9];
	struct el_error error = {.text = ""};
	size_t count;
	/* A loss, whose moves all lead to a win that is only a bound in the file. */
	fixture_parse("8/8/8/3k4/8/8/8/KR6 b - - 0 1", &first);
	set_value(&planes, &first, EL_LOSS);
	set_moves(&planes, &first, losing, 1);
	size_t all = el_chess.moves(&first, moves);
	assert_true(all > 0 && all < 9);
	struct el_library *library = library_of(&planes, NULL);
	assert_int_equal(
		fixture_line(library, &el_chess, &first, &by_wdl, moves, 1, &count, &error), EL_OK);
	assert_int_equal(count, 1);
	el_library_close(library);
	/* Its successor is exact; the rest is not. */
	el_chess.play(&first, &moves[0], &second);
	set_moves(&planes, &second, open, 1);
	library = library_of(&planes, NULL);
	assert_int_equal(
		fixture_line(library, &el_chess, &first, &by_wdl, moves, 9, &count, &error), EL_OK);
	assert_int_equal(count, 1);
	el_library_close(library);
	set_value(&planes, &first, EL_AT_MOST_DRAW);
	library = library_of(&planes, NULL);
	assert_int_equal(
		fixture_line(library, &el_chess, &first, &by_wdl, moves, 9, &count, &error),
		EL_NEGATIVE);
	assert_int_equal(count, 0);
	assert_string_equal(error.text,
	                    "KRvK.wdl is partial: it was built without all its sub-tables");
	el_library_close(library);
	el_planes_free(&planes);
}

int main(void)
{
	if (!small_test_tables() || el_metric_rank(&el_wdl) != wdl_rank)
		return 1;
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_ranking),
		IN_FOLDER(test_what_is_missing),
		IN_FOLDER(test_which_is_partial),
		IN_FOLDER(test_partial_behind_a_capture),
		IN_FOLDER(test_no_depth_from_bounds),
		IN_FOLDER(test_lines),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
