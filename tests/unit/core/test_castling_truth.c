/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of positions with castling rights against the tests' own solver (brute_castling.h), which shares no
 * code with them: all positions of two slices under DTM, and of one with every clock; or with `TRUTH=all` of
 * all slices of three and four pieces under every metric that has such tables; and back.
 */
#include "core/whole/castling.h"
#include "core/whole/gather.h"
#include "core/whole/whole.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"
#include "tests/oracles/brute_castling.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const char *const names[] = {"KRvK",  "KQvKR", "KRvKR", "KRvKB", "KRvKN", "KRvKP",
                                    "KQRvK", "KRRvK", "KRBvK", "KRNvK", "KRPvK", NULL};

struct comparison {
	struct el_library *library;
	const struct el_metric *metric;
	/* Under a rule: the values without it of all positions, in order, and how many were compared. */
	struct el_value *freely;
	unsigned long count, wrong;
	char first[EL_FEN_MAX + 128];
};

static void compare(void *context, const struct el_position *position, struct el_value expected)
{
	struct comparison *c = context;
	struct el_value found = {.outcome = EL_UNKNOWN};
	struct el_error error;
	char fen[EL_FEN_MAX];
	el_library_value(c->library, &el_chess, position, c->metric, EL_PROBE_TABLES, &found,
	                 &error);
	if (c->freely && expected.outcome == EL_DRAW) {
		expected = c->freely[c->count];
		expected.outcome = (uint8_t)el_outcome_too_late(expected.outcome);
	}
	if (!c->metric->has_depth)
		expected.plies = 0;
	if (c->metric->wins_only && expected.outcome != EL_WIN)
		expected.outcome = EL_AT_MOST_DRAW;
	c->count++;
	if (el_value_equal(found, expected) || c->wrong++)
		return;
	el_chess.format(position, fen);
	snprintf(c->first, sizeof c->first, "%s: expected %s %u, found %s %u", fen,
	         el_outcome_name(expected.outcome), expected.plies, el_outcome_name(found.outcome),
	         found.plies);
}

static void note(void *context, const struct el_position *position, struct el_value value)
{
	struct comparison *c = context;
	(void)position;
	c->freely[c->count++] = value;
}

/* The legal positions of a table. */
static unsigned long positions_in(struct el_library *library, const struct el_slice *slice,
                                  const struct el_metric *metric)
{
	struct el_planes planes;
	struct el_position position;
	unsigned long count = 0;
	assert_int_equal(el_library_planes_told(library, slice, metric, NULL, &planes, NULL),
	                 EL_OK);
	for (unsigned plane = 0; plane < slice->planes; plane++)
		for (uint64_t i = 0; i < slice->positions; i++)
			count += el_chess.unplace(slice, plane, i, &position);
	el_planes_free(&planes);
	return count;
}

static void build(struct el_library *library, const char *name, const struct el_metric *metric)
{
	const struct el_metric *const wished[] = {metric, NULL};
	const struct el_build_options options = {.table.preset = EL_PRESET_USUAL};
	struct el_error error = {.text = ""};
	struct el_plan plan = fixture_plan(library, name, wished);
	if (el_build(library, &plan, &options, NULL, &error))
		fail_msg("%s", error.text);
	el_plan_free(&plan);
}

static void test_all_positions(void **state)
{
	static const struct {
		const struct el_metric *metric;
		enum brute_metric oracle;
		unsigned limit;
		bool thorough;
	} cases[] = {
		{&el_win, BRUTE_DTM, 0, true}, /* before those that tell it */
		{&el_wdl_rule[9], BRUTE_DTZK, 20, true},
		{&el_dtm, BRUTE_DTM, 0, false},
		{&el_dtz_rule[9], BRUTE_DTZK, 20, true},
		{&el_dtz_rule[EL_RULE_USUAL - 1], BRUTE_DTZK, 100, true},
		{&el_wdl, BRUTE_DTM, 0, true},
		{&el_dtc, BRUTE_DTC, 0, true},
		{&el_dtz, BRUTE_DTZ, 0, true},
	};
	static const char *const few[] = {"KRvK", "KRvKR", NULL};
	(void)state;
	if (tests_are_slow()) {
		printf("note: no castling by brute force under sanitizers and valgrind\n");
		skip();
	}
	const bool thorough = tests_are_thorough();
	const char *const *slices = thorough ? names : few;
	struct brute *brute = brute_solve(slices);
	const struct brute_wish wish = {.dtc = thorough,
	                                .rule = {thorough ? 100 : 0, thorough ? 20 : 0}};
	struct brute_metrics *metrics = brute_measure(brute, &wish);
	struct brute_castling *freely = brute_castle(brute, metrics, BRUTE_DTZ, 0);
	struct el_library *library = fixture_library(folder, NULL);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (cases[i].thorough && !thorough)
			continue;
		struct brute_castling *truth =
			brute_castle(brute, metrics, cases[i].oracle, cases[i].limit);
		for (const char *const *name = slices; *name; name++) {
			struct comparison c = {.library = library, .metric = cases[i].metric};
			struct el_slice slice, with;
			struct el_error error = {.text = ""};
			assert_int_equal(el_slice_parse(*name, &slice, &error), EL_OK);
			assert_true(castling_of(&slice, cases[i].metric, &with));
			build(library, *name, cases[i].metric);
			if (cases[i].limit) {
				c.freely = malloc(200000 * sizeof *c.freely);
				assert_non_null(c.freely);
				brute_castling_each(freely, *name, &c, note);
				assert_true(c.count < 200000);
				c.count = 0;
			}
			const unsigned long count = brute_castling_each(truth, *name, &c, compare);
			free(c.freely);
			if (c.wrong)
				fail_msg("%s %s: %lu wrong of %lu, the first: %s", *name,
				         cases[i].metric->name, c.wrong, count, c.first);
			assert_true(count > 0);
			/* Of like sides, White to move is Black to move as well. */
			assert_int_equal(count, (3 - slice.planes) * positions_in(library, &with,
			                                                          cases[i].metric));
		}
		brute_castling_free(truth);
	}
	brute_castling_free(freely);
	el_library_close(library);
	brute_metrics_free(metrics);
	brute_free(brute);
}

/* ---- by the clock ---- */

static void compare_clocks(void *context, const struct el_position *position,
                           const uint8_t at[BRUTE_CLOCK_MAX + 1])
{
	struct comparison *c = context;
	struct el_position p = *position;
	for (unsigned clock = 0; clock < c->metric->limit; clock++) {
		struct el_value found = {.outcome = EL_UNKNOWN}, expected = {.outcome = EL_DRAW};
		char fen[EL_FEN_MAX];
		p.halfmove = (uint16_t)clock;
		el_library_value(c->library, &el_chess, &p, c->metric, EL_PROBE_TABLES, &found,
		                 NULL);
		if (found.outcome == EL_CURSED_WIN || found.outcome == EL_BLESSED_LOSS)
			found.outcome = EL_DRAW;
		if (at[clock])
			expected = (struct el_value){.outcome = at[clock] % 2 ? EL_LOSS : EL_WIN,
			                             .plies = (uint16_t)(at[clock] - 1)};
		if (el_value_equal(found, expected) || c->wrong++)
			continue;
		el_chess.format(&p, fen);
		snprintf(c->first, sizeof c->first, "%s: expected %s %u, found %s %u", fen,
		         el_outcome_name(expected.outcome), expected.plies,
		         el_outcome_name(found.outcome), found.plies);
	}
}

static void test_all_clocks(void **state)
{
	/* By brute force all clocks of a slice of four pieces under the 50-move rule take an hour. */
	static const char *const few[] = {"KRvK", NULL};
	static const struct {
		unsigned moves;
		bool thorough;
		const char *const *slices;
	} rules[] = {{50, false, few}, {10, false, few}, {5, true, names}};
	(void)state;
	if (tests_are_slow()) {
		printf("note: no castling by brute force under sanitizers and valgrind\n");
		skip();
	}
	const bool thorough = tests_are_thorough();
	struct el_library *library = fixture_library(folder, NULL);
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		if (rules[i].thorough && !thorough)
			continue;
		const struct el_metric *metric = &el_dtm_rule[rules[i].moves - 1];
		struct brute *brute = brute_solve(rules[i].slices);
		struct brute_castling *truth = brute_castle_by_clock(brute, 2 * rules[i].moves);
		for (const char *const *name = rules[i].slices; *name; name++) {
			struct comparison c = {.library = library, .metric = metric};
			build(library, *name, metric);
			const unsigned long count =
				brute_castling_clocks(truth, *name, &c, compare_clocks);
			if (c.wrong || !count)
				fail_msg("%s %s: %lu wrong of %lu, the first: %s", *name,
				         c.metric->name, c.wrong, count, c.first);
		}
		brute_castling_free(truth);
		brute_free(brute);
	}
	el_library_close(library);
}

/* What is gathered is what probes say, and no move that only gives up rights leads elsewhere. */
static void test_gathered(void **state)
{
	(void)state;
	static const char *const slices[] = {"KRvKR", "KRvKP", NULL};
	struct el_library *library = fixture_library(folder, NULL);
	const struct el_game *game = &el_chess;
	for (const char *const *name = slices; *name; name++) {
		struct el_slice without, with;
		struct gathered g;
		unsigned long count = 0;
		assert_int_equal(el_slice_parse(*name, &without, NULL), EL_OK);
		build(library, *name, &el_dtm);
		assert_true(castling_of(&without, &el_dtm, &with));
		assert_int_equal(gathered_make(&g, library, &with, &el_dtm, NULL, NULL, NULL),
		                 EL_OK);
		for (uint64_t i = 0; i < with.planes * with.positions; i++) {
			struct el_position position, after;
			struct el_move moves[EL_MOVES_MAX];
			if (!game->unplace(&with, (unsigned)(i / with.positions),
			                   i % with.positions, &position))
				continue;
			const size_t all = game->moves(&position, moves);
			for (size_t m = 0; m < all; m++) {
				struct el_place place;
				struct el_value gathered = {.outcome = EL_UNKNOWN}, probed;
				struct el_error error;
				game->play(&position, &moves[m], &after);
				if (!game->place(&after, &place) || place.key != without.key)
					continue;
				assert_true(gathered_value(&g, &place, &gathered));
				assert_int_equal(el_library_value(library, game, &after, &el_dtm,
				                                  EL_PROBE_TABLES, &probed, &error),
				                 EL_OK);
				assert_true(el_value_equal(gathered, probed));
				count++;
			}
		}
		assert_true(count > 10000);
		gathered_free(&g);
	}
	el_library_close(library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_all_positions),
		IN_FOLDER(test_all_clocks),
		IN_FOLDER(test_gathered),
	};
	return cmocka_run_group_tests_name("castling_truth", tests, NULL, NULL);
}
