/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables that hold bounds: what a probe, an answer and a line make of them. */
#include "store_fixture.h"
#include "tables.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static const size_t wdl_rank = 0; /* el_wdl is the first metric: checked in main */

/* ---- planes with bounds ---- */

enum { DRAW_SYMBOL = 1, SYMBOLS = 7 };

/* Symbols as below, so that a test can write them. */
static const uint8_t outcomes[SYMBOLS] = {
	EL_BROKEN, EL_DRAW, EL_LOSS, EL_WIN, EL_AT_MOST_DRAW, EL_AT_LEAST_DRAW, EL_UNKNOWN,
};

static uint16_t symbol_for(enum el_outcome outcome)
{
	uint16_t s = 0;
	while (outcomes[s] != outcome)
		s++;
	return s;
}

static void rename_symbols(struct el_plane *plane, uint64_t positions)
{
	struct el_value *values = calloc(SYMBOLS, sizeof *values);
	assert_non_null(values);
	for (uint64_t i = 0; i < positions; i++)
		plane->symbols[i] = symbol_for(el_plane_value(plane, i).outcome);
	for (unsigned s = 0; s < SYMBOLS; s++)
		values[s].outcome = outcomes[s];
	free(plane->values);
	plane->values = values;
	plane->value_count = SYMBOLS;
}

/* Exact outcomes of a slice under symbols that may become bounds; el_planes_free. */
static struct el_planes exact_planes(const char *name)
{
	struct el_library *library = fixture_library(small_test_tables(), NULL);
	struct el_planes planes = solved_planes(library, name, &el_wdl);
	for (unsigned p = 0; p < planes.slice.planes; p++)
		rename_symbols(&planes.plane[p], planes.slice.positions);
	el_library_close(library);
	return planes;
}

/* A folder with the tables that captures in KQvKR lead to, and no other. */
static const char *captured_tables(void)
{
	static const char *const names[] = {"KQvK", "KRvK"};
	const struct el_table_options o = fixture_options("raw", 4096, EL_FILL_NONE);
	const char *path = fixture_path(folder, "captured");
	assert_true(!mkdir(path, 0777) || errno == EEXIST);
	for (unsigned i = 0; i < 2; i++) {
		struct el_planes planes = exact_planes(names[i]);
		fixture_write(fixture_path(path, i ? "r.egt" : "q.egt"), &planes, &o);
		el_planes_free(&planes);
	}
	return path;
}

/* Bounds that an outcome lies in, itself half the time; [loss, win] only with `unknown`. */
static enum el_outcome loosened(enum el_outcome exact, bool unknown, uint64_t *seed)
{
	static const uint8_t wider[3][4] = {
		{EL_LOSS, EL_LOSS, EL_AT_MOST_DRAW, EL_UNKNOWN},
		{EL_DRAW, EL_AT_MOST_DRAW, EL_AT_LEAST_DRAW, EL_UNKNOWN},
		{EL_WIN, EL_WIN, EL_AT_LEAST_DRAW, EL_UNKNOWN},
	};
	const unsigned row = exact == EL_LOSS ? 0 : exact == EL_DRAW ? 1 : 2;
	const uint64_t random = fixture_random(seed);
	return random & 4 ? exact : wider[row][random % (unknown ? 4 : 3)];
}

/* [loss, win], ends of the game and all, where no table is. */
static enum el_outcome worth(struct el_library *library, const struct el_position *position)
{
	struct el_value value = {EL_UNKNOWN, 0};
	struct el_slice slice;
	struct el_place place;
	if (el_chess.place(position, &place)) {
		assert_int_equal(el_chess.slice_of(position, &slice, NULL), EL_OK);
		if (!el_library_covers(library, &slice, &el_wdl))
			return EL_UNKNOWN;
	}
	assert_int_equal(el_library_value(library, &el_chess, position, &el_wdl, EL_PROBE_FULL,
	                                  &value, NULL),
	                 EL_OK);
	return value.outcome;
}

/* The best of the captures; EL_BROKEN without one. */
static enum el_outcome best_capture(struct el_library *library, const struct el_position *position)
{
	struct el_move moves[EL_MOVES_MAX];
	enum el_outcome best = EL_BROKEN;
	size_t count = el_chess.captures(position, moves);
	for (size_t i = 0; i < count; i++) {
		struct el_position after;
		el_chess.play(position, &moves[i], &after);
		const enum el_outcome mine = el_outcome_negate(worth(library, &after));
		best = best == EL_BROKEN ? mine : el_outcome_max(best, mine);
	}
	return best;
}

/* What a partial solution could be: nothing is below what captures into `library` are worth. */
static void loosen(struct el_planes *planes, struct el_library *library, bool unknown)
{
	for (unsigned p = 0; p < planes->slice.planes; p++)
#pragma omp parallel for
		for (uint64_t i = 0; i < planes->slice.positions; i++) {
			uint16_t *symbol = &planes->plane[p].symbols[i];
			uint64_t seed = 2 * i + p;
			struct el_position position;
			if (!el_chess.unplace(&planes->slice, p, i, &position))
				continue;
			enum el_outcome v = loosened(outcomes[*symbol], unknown, &seed);
			enum el_outcome c = best_capture(library, &position);
			*symbol = symbol_for(c == EL_BROKEN ? v : el_outcome_max(v, c));
		}
}

/* ---- the values come back ---- */

static uint64_t wrong_probes(struct el_library *library, const struct el_planes *planes,
                             uint64_t stride)
{
	uint64_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
	for (uint64_t i = 0; i < planes->slice.planes * planes->slice.positions; i += stride) {
		const unsigned p = (unsigned)(i / planes->slice.positions);
		struct el_position position;
		struct el_value value = {EL_BROKEN, 1};
		if (!el_chess.unplace(&planes->slice, p, i % planes->slice.positions, &position))
			continue;
		enum el_status status = el_library_value(library, &el_chess, &position, &el_wdl,
		                                         EL_PROBE_FULL, &value, NULL);
		wrong += status || value.plies ||
		         value.outcome != el_plane_value(&planes->plane[p],
		                                         i % planes->slice.positions).outcome;
	}
	return wrong;
}

static uint64_t wrong_planes(struct el_library *library, const struct el_planes *planes)
{
	struct el_planes back;
	struct el_error error = {.text = ""};
	uint64_t wrong = 0;
	if (el_library_planes(library, &planes->slice, &el_wdl, &back, &error))
		fail_msg("%s", error.text);
	for (unsigned p = 0; p < planes->slice.planes; p++)
		for (uint64_t i = 0; i < planes->slice.positions; i++)
			wrong += planes->plane[p].symbols[i] &&
			         !el_value_equal(el_plane_value(&planes->plane[p], i),
			                         el_plane_value(&back.plane[p], i));
	el_planes_free(&back);
	return wrong;
}

static uint64_t check_form(const struct el_planes *planes, const struct el_table_options *options,
                           const char *tables, uint64_t stride)
{
	char words[128];
	const uint64_t bytes = fixture_write(fixture_path(folder, "form.egt"), planes, options);
	struct el_library *library = fixture_library(folder, tables);
	const uint64_t planes_wrong = wrong_planes(library, planes);
	const uint64_t probes_wrong = wrong_probes(library, planes, stride);
	el_table_options_format(&planes->slice, options, words, sizeof words);
	if (planes_wrong || probes_wrong)
		fail_msg("%s, %s: %llu values and %llu probes are wrong", planes->slice.name,
		         words, (unsigned long long)planes_wrong, (unsigned long long)probes_wrong);
	el_library_close(library);
	return bytes;
}

/* Every codec, fill and derive, of a slice whose captures end the game. */
static void check_slice(const char *name, bool unknown, uint64_t stride)
{
	struct el_planes planes = exact_planes(name);
	struct el_library *library = fixture_library(fixture_path(folder, "none"), NULL);
	const struct el_codec *codec;
	loosen(&planes, library, unknown);
	assert_true(el_planes_partial(&planes));
	assert_int_equal(el_library_derive(library, &planes, NULL, NULL), EL_OK);
	el_library_close(library);
	for (size_t c = 0; (codec = el_codec_at(c)); c++)
		for (unsigned fill = 0; el_fill_names[fill]; fill++)
			for (unsigned derive = 0; el_derive_names[derive]; derive++) {
				struct el_table_options o =
					fixture_options(codec->name, 4096, (enum el_fill)fill);
				o.derive = (enum el_derive)derive;
				check_form(&planes, &o, NULL, stride);
			}
	el_planes_free(&planes);
}

static void test_all_forms(void **state)
{
	(void)state;
	check_slice("KRvK", true, tests_are_slow() ? 31 : 3);
	check_slice("KRvK", false, tests_are_slow() ? 31 : 3);
}

/* Captures that win and lose; and captures that nothing is known of, whose bounds are stored. */
static void test_four_pieces(void **state)
{
	(void)state;
	if (tests_are_slow()) {
		puts("note: four pieces are left out under sanitizers and valgrind");
		skip();
	}
	for (unsigned missing = 0; missing < 2; missing++) {
		const char *tables = missing ? NULL : captured_tables();
		struct el_planes planes = exact_planes("KQvKR");
		struct el_library *library = fixture_library(fixture_path(folder, "none"), tables);
		loosen(&planes, library, missing);
		assert_int_equal(el_library_derive(library, &planes, NULL, NULL), EL_OK);
		el_library_close(library);
		struct el_table_options o = fixture_options("rle", 1 << 16, EL_FILL_BEST);
		const uint64_t plain = fixture_write(fixture_path(folder, "form.egt"), &planes, &o);
		o.derive = EL_DERIVE_CAPTURES;
		const uint64_t derived = check_form(&planes, &o, tables, 31);
		assert_true(missing ? derived == plain : derived < plain);
		el_planes_free(&planes);
	}
}

/*
 * A draw is the best capture's, an unknown value stands before it: filled with that, a probe would
 * find at least a draw.
 */
static void test_draws_are_kept(void **state)
{
	(void)state;
	struct el_planes planes = exact_planes("KRvK");
	struct el_library *library = fixture_library(small_test_tables(), NULL);
	assert_int_equal(el_library_derive(library, &planes, NULL, NULL), EL_OK);
	struct el_plane *black = &planes.plane[EL_BLACK];
	uint64_t draws = 0;
	rename_symbols(black, planes.slice.positions);
	for (uint64_t i = 0; i < planes.slice.positions; i++) {
		draws += black->derivable[i] && black->symbols[i] == DRAW_SYMBOL;
		if (black->symbols[i] && !black->derivable[i])
			black->symbols[i] = symbol_for(EL_UNKNOWN);
	}
	assert_true(draws > 1000);
	el_library_close(library);
	struct el_table_options o = fixture_options("raw", 4096, EL_FILL_PREVIOUS);
	o.derive = EL_DERIVE_CAPTURES;
	check_form(&planes, &o, NULL, 1);
	el_planes_free(&planes);
}

/* Answers that the truth is not within. */
static uint64_t untrue_probes(struct el_library *library, const struct el_planes *truth,
                              uint64_t stride)
{
	uint64_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
	for (uint64_t i = 0; i < truth->slice.planes * truth->slice.positions; i += stride) {
		const unsigned p = (unsigned)(i / truth->slice.positions);
		const uint64_t index = i % truth->slice.positions;
		struct el_position position;
		struct el_value value = {EL_BROKEN, 0};
		if (!el_chess.unplace(&truth->slice, p, index, &position))
			continue;
		const uint8_t exact = el_plane_value(&truth->plane[p], index).outcome;
		wrong += el_library_value(library, &el_chess, &position, &el_wdl, EL_PROBE_FULL,
		                          &value, NULL) ||
		         exact < el_outcome_lower(value.outcome) ||
		         exact > el_outcome_upper(value.outcome);
	}
	return wrong;
}

/* Bounds that are not in the file as they were; `kept` counts the others. */
static uint64_t lost_bounds(const char *path, const struct el_planes *planes, uint64_t *kept)
{
	struct el_table *table = fixture_open(path);
	struct el_planes stored;
	uint64_t lost = 0;
	*kept = 0;
	assert_int_equal(el_table_read(table, &stored, NULL), EL_OK);
	el_table_close(table);
	for (unsigned p = 0; p < planes->slice.planes; p++)
		for (uint64_t i = 0; i < planes->slice.positions; i++) {
			struct el_value v = el_plane_value(&planes->plane[p], i);
			bool same = el_value_equal(v, el_plane_value(&stored.plane[p], i));
			*kept += el_outcome_bounded(v.outcome) && same;
			lost += el_outcome_bounded(v.outcome) && !same;
		}
	el_planes_free(&stored);
	return lost;
}

/* Tables made later know captures better than the bounds in this one do. Where both were equal, the
   other moves must still be allowed for: such bounds are stored. */
static void test_tables_that_come_later(void **state)
{
	(void)state;
	if (tests_are_slow()) {
		puts("note: four pieces are left out under sanitizers and valgrind");
		skip();
	}
	struct el_planes truth = exact_planes("KQvKR"), planes = exact_planes("KQvKR");
	struct el_library *library = fixture_library(fixture_path(folder, "none"), NULL);
	struct el_table_options o = fixture_options("raw", 4096, EL_FILL_PREVIOUS);
	loosen(&planes, library, true);
	assert_int_equal(el_library_derive(library, &planes, NULL, NULL), EL_OK);
	el_library_close(library);
	o.derive = EL_DERIVE_CAPTURES;
	const char *path = fixture_path(folder, "form.egt");
	uint64_t kept;
	fixture_write(path, &planes, &o);
	assert_int_equal(lost_bounds(path, &planes, &kept), 0);
	assert_true(kept > 0);
	library = fixture_library(folder, NULL);
	assert_int_equal(untrue_probes(library, &truth, 31), 0);
	el_library_close(library);
	library = fixture_library(folder, captured_tables());
	assert_int_equal(untrue_probes(library, &truth, 31), 0);
	el_library_close(library);
	el_planes_free(&planes);
	el_planes_free(&truth);
}

static uint64_t count_bounds(const struct el_planes *planes)
{
	uint64_t bounds = 0;
	for (unsigned p = 0; p < planes->slice.planes; p++)
		for (uint64_t i = 0; i < planes->slice.positions; i++)
			bounds += el_outcome_bounded(el_plane_value(&planes->plane[p], i).outcome);
	return bounds;
}

/* Bounds that are older than the tables are narrowed before what captures tell is left out; the
   other way round, something would be lost. */
static void test_narrowed(void **state)
{
	(void)state;
	if (tests_are_slow()) {
		puts("note: four pieces are left out under sanitizers and valgrind");
		skip();
	}
	struct el_planes planes = exact_planes("KQvKR");
	struct el_library *none = fixture_library(fixture_path(folder, "none"), NULL);
	struct el_library *later = fixture_library(captured_tables(), NULL);
	struct el_table_options o = fixture_options("rle", 1 << 16, EL_FILL_BEST);
	struct el_error error = {.text = ""};
	loosen(&planes, none, false);
	const uint64_t before = count_bounds(&planes);
	assert_int_equal(el_library_derive(later, &planes, NULL, NULL), EL_OK);
	assert_true(count_bounds(&planes) > 0 && count_bounds(&planes) < before);
	o.derive = EL_DERIVE_CAPTURES;
	check_form(&planes, &o, captured_tables(), 31);
	el_planes_free(&planes);
	planes = exact_planes("KQvKR");
	loosen(&planes, later, false);
	assert_int_equal(el_library_derive(none, &planes, NULL, &error), EL_NEGATIVE);
	assert_string_equal(error.text,
	                    "KQvKR: tables that captures lead to know less than it does");
	el_library_close(none);
	el_library_close(later);
	el_planes_free(&planes);
}

/* ---- answers ---- */

static void set_value(struct el_planes *planes, const struct el_position *position,
                      enum el_outcome outcome)
{
	struct el_place place;
	assert_true(el_chess.place(position, &place));
	assert_true(place.key == planes->slice.key);
	planes->plane[place.plane].symbols[place.index] = symbol_for(outcome);
}

/* A position, and what its moves are to be worth for the mover, in any order, over and over. */
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
	assert_int_equal(el_library_answer(library, &el_chess, position, EL_PROBE_FULL, answer, NULL),
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
	struct el_planes planes = exact_planes("KRvK");
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
			assert_int_equal(answer->moves[i].value[m].outcome, EL_UNKNOWN);
	}
	assert_int_equal(seen, 63);
	free(answer);
	el_library_close(library);
	el_planes_free(&planes);
}

static void expect_why(struct el_library *library, const char *fen, const char *why)
{
	struct el_position position;
	fixture_parse(fen, &position);
	struct el_answer *answer = ask(library, &position);
	assert_string_equal(answer->why_unknown, why);
	free(answer);
}

/* White to move with the rook hanging, and another one where it is not. */
#define HANGING "8/8/8/8/8/k7/8/K2Q2r1 w - - 0 1"
#define QUIET   "8/8/8/3k4/8/8/8/KR6 w - - 0 1"
#define NO_ROOK "8/8/8/8/8/k7/8/K5Q1 b - - 0 1"

static void test_what_is_missing(void **state)
{
	(void)state;
	struct el_position position;
	struct el_planes planes = exact_planes("KQvKR");
	fixture_parse(HANGING, &position);
	set_value(&planes, &position, EL_UNKNOWN);
	struct el_library *library = library_of(&planes, NULL);
	expect_why(library, HANGING, "KQvK is not built");
	expect_why(library, QUIET, "no table covers KRvK");
	struct el_answer *answer = ask(library, &position);
	assert_null(answer->metric);
	assert_int_equal(answer->value[wdl_rank].outcome, EL_UNKNOWN);
	free(answer);
	el_library_close(library);
	/* All moves are known by now, but the table was made before. */
	library = fixture_library(folder, captured_tables());
	expect_why(library, HANGING, "KQvKR.wdl is partial: it was built without all its sub-tables");
	el_library_close(library);
	el_planes_free(&planes);
}

static void test_which_is_partial(void **state)
{
	(void)state;
	static const enum el_outcome unknown[] = {EL_UNKNOWN};
	struct el_position position;
	struct el_planes planes = exact_planes("KRvK");
	fixture_parse(QUIET, &position);
	set_value(&planes, &position, EL_AT_LEAST_DRAW);
	set_moves(&planes, &position, unknown, 1);
	struct el_library *library = library_of(&planes, NULL);
	expect_why(library, QUIET, "KRvK.wdl is partial: it was built without all its sub-tables");
	expect_why(library, "k7/8/8/3K4/8/8/8/1R6 w - - 0 1", "");
	el_library_close(library);
	el_planes_free(&planes);
}

/* The fault of a table that a capture leads to. */
static void test_partial_behind_a_capture(void **state)
{
	(void)state;
	struct el_position hanging, taken;
	struct el_planes planes = exact_planes("KQvKR"), after = exact_planes("KQvK");
	const struct el_table_options o = fixture_options("raw", 4096, EL_FILL_NONE);
	fixture_parse(HANGING, &hanging);
	fixture_parse(NO_ROOK, &taken);
	set_value(&planes, &hanging, EL_AT_LEAST_DRAW);
	set_value(&after, &taken, EL_AT_MOST_DRAW);
	fixture_write(fixture_path(folder, "after.egt"), &after, &o);
	struct el_library *library = library_of(&planes, NULL);
	expect_why(library, HANGING, "KQvK.wdl is partial: it was built without all its sub-tables");
	el_library_close(library);
	el_planes_free(&planes);
	el_planes_free(&after);
}

/* Depths that count on from a bound are not known, however good the table is. */
static void test_no_depth_from_bounds(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(small_test_tables(), NULL);
	struct el_planes planes = solved_planes(library, "KQvKR", &el_dtc);
	struct el_planes after = exact_planes("KQvK");
	struct el_position hanging, taken;
	struct el_value value;
	struct el_error error = {.text = ""};
	assert_int_equal(el_library_derive(library, &planes, NULL, NULL), EL_OK);
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
			assert_int_equal(answer->moves[i].value[wdl_rank].outcome, EL_AT_LEAST_DRAW);
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
	struct el_planes planes = exact_planes("KRvK");
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
		el_library_line(library, &el_chess, &first, &el_wdl, moves, 1, &count, &error), EL_OK);
	assert_int_equal(count, 1);
	el_library_close(library);
	/* Its successor is exact; whatever follows is not. */
	el_chess.play(&first, &moves[0], &second);
	set_moves(&planes, &second, open, 1);
	library = library_of(&planes, NULL);
	assert_int_equal(
		el_library_line(library, &el_chess, &first, &el_wdl, moves, 9, &count, &error), EL_OK);
	assert_int_equal(count, 1);
	el_library_close(library);
	set_value(&planes, &first, EL_AT_MOST_DRAW);
	library = library_of(&planes, NULL);
	assert_int_equal(
		el_library_line(library, &el_chess, &first, &el_wdl, moves, 9, &count, &error),
		EL_NEGATIVE);
	assert_int_equal(count, 0);
	assert_string_equal(error.text,
	                    "KRvK.wdl is partial: it was built without all its sub-tables");
	el_library_close(library);
	el_planes_free(&planes);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_make_folder, fixture_remove_folder)

int main(void)
{
	if (!small_test_tables() || el_metric_rank(&el_wdl) != wdl_rank)
		return 1;
	const struct CMUnitTest tests[] = {
		TEST(test_all_forms),
		TEST(test_four_pieces),
		TEST(test_draws_are_kept),
		TEST(test_tables_that_come_later),
		TEST(test_narrowed),
		TEST(test_ranking),
		TEST(test_what_is_missing),
		TEST(test_which_is_partial),
		TEST(test_partial_behind_a_capture),
		TEST(test_no_depth_from_bounds),
		TEST(test_lines),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
