/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plies to mate at every clock, position by position, against the tests' brute-force solver, which
 * shares no code with the one under test; against published records; and as a table holds them.
 * `TRUTH="KQvKR KPvKP"` in the environment names other slices than those of `make test`;
 * `TRUTH=all` takes seven of four pieces, and builds all that have records.
 */
#include "core/base/course.h"
#include "tests/fixtures/solved.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/oracles/brute_clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SLICES = 32 };

/* A slice under one rule: as solved, and as probes of its table answer. */
struct subject {
	const struct brute_table *table;
	const struct el_planes *planes;
	unsigned long compared, wrong;
	char first[200]; /* what is wrong */
};

struct truth {
	const struct el_metric *metric;
	struct el_library *library;
	struct subject subject[SLICES];
	size_t count;
};

static struct el_value as_value(uint8_t code)
{
	if (!code)
		return (struct el_value){.outcome = EL_DRAW};
	return (struct el_value){.outcome = code % 2 ? EL_LOSS : EL_WIN,
	                         .plies = (uint16_t)(code - 1)};
}

static void expect(struct subject *s, const struct el_position *p, unsigned clock,
                   struct el_value expected, struct el_value v)
{
	if (v.outcome == EL_CURSED_WIN || v.outcome == EL_BLESSED_LOSS)
		v.outcome = EL_DRAW;
	s->compared++;
	if (el_value_equal(v, expected) || s->wrong++)
		return;
	char fen[EL_FEN_MAX];
	el_chess.format(p, fen);
	snprintf(s->first, sizeof s->first, "%s at clock %u: %s %u, expected %s %u", fen, clock,
	         el_outcome_name(v.outcome), v.plies, el_outcome_name(expected.outcome),
	         expected.plies);
}

/* Tables do not have positions with a right to capture en passant. The others are probed at a few
   clocks. */
static void compare(void *context, const struct brute_table *table, uint32_t state,
                    const uint8_t at[BRUTE_CLOCK_MAX + 1])
{
	struct truth *t = context;
	struct subject *s = t->subject;
	struct el_position p;
	struct el_place place;
	struct el_value dtm, v;
	unsigned orbit;
	while (s < t->subject + t->count && s->table != table)
		s++;
	if (s == t->subject + t->count || !brute_state(table, state, &p, &dtm, &orbit))
		return;
	assert_true(el_chess.place(&p, &place));
	const bool right = p.en_passant != EL_NO_SQUARE;
	const struct el_plane *plane = &s->planes->plane[place.plane];
	const struct el_value fresh = el_plane_value(plane, place.index);
	const struct el_course course =
		el_courses_get(s->planes->courses, plane->course[place.index]);
	for (unsigned clock = 0; clock < t->metric->limit && !right; clock++)
		expect(s, &p, clock, as_value(at[clock]), el_course_at(course, fresh, clock));
	for (unsigned clock = state % 7; clock < t->metric->limit; clock += right ? 1 : 11) {
		p.halfmove = (uint16_t)clock;
		assert_int_equal(el_library_value(t->library, &el_chess, &p, t->metric,
		                                  EL_PROBE_FULL, &v, NULL),
		                 EL_OK);
		expect(s, &p, clock, as_value(at[clock]), v);
	}
}

static void compare_rule(const struct brute *brute, const char *const *names, unsigned moves)
{
	const struct el_metric *const metrics[] = {&el_dtm_rule[moves - 1], NULL};
	struct truth t = {.metric = metrics[0]};
	struct solved *solved = solved_open();
	char all[256] = "";
	for (; names[t.count]; t.count++) {
		struct el_slice slice;
		assert_int_equal(el_slice_parse(names[t.count], &slice, NULL), EL_OK);
		t.subject[t.count].table = brute_table(brute, names[t.count]);
		t.subject[t.count].planes = solved_of(solved, &slice, t.metric);
		strcat(strcat(all, " "), names[t.count]);
	}
	t.library = fixture_library(folder, NULL);
	assert_int_equal(fixture_build(t.library, all + 1, metrics), EL_OK);
	brute_clock_each(brute, t.metric->limit, &t, compare);
	for (size_t i = 0; i < t.count; i++)
		if (t.subject[i].wrong || !t.subject[i].compared)
			fail_msg("%s %s: %lu of %lu wrong, first %s", names[i], t.metric->name,
			         t.subject[i].wrong, t.subject[i].compared, t.subject[i].first);
	el_library_close(t.library);
	solved_close(solved);
}

static void test_truth(void **state)
{
	static const char *const usual[] = {"KQvK", "KPvK", NULL};
	static const unsigned rules[] = {5, 50, 10, 20}; /* moves; the first two in `make test` */
	static const char all[] = "KPvKP KRvKP KQvKP KBNvK KQvKR KRvKN KBBvK";
	const char *names[SLICES + 1] = {NULL}, *truth_of = getenv("TRUTH");
	char *asked = truth_of ? strdup(strcmp(truth_of, "all") ? truth_of : all) : NULL;
	size_t count = 0;
	(void)state;
	for (char *word = asked ? strtok(asked, " ") : NULL; word && count < SLICES;
	     word = strtok(NULL, " "))
		names[count++] = word;
	struct brute *brute = brute_solve(count ? names : usual);
	for (size_t i = 0; i < (truth_of ? sizeof rules / sizeof *rules : 2); i++)
		compare_rule(brute, count ? names : usual, rules[i]);
	brute_free(brute);
	free(asked);
}

/* The longest wins under the 50-move rule with the winner to move, by White and by Black; 0: none. By
   chesstb (github.com/noobpwnftw/chesstb, docs/stats.json, 10 October 2026). */
static const struct record {
	const char *slice;
	unsigned plies[2];
} records[] = {
	{"KQvK", {19, 0}},  {"KRvK", {31, 0}},   {"KBvK", {0, 0}},    {"KNvK", {0, 0}},
	{"KPvK", {55, 0}},  {"KNNvK", {1, 0}},   {"KBvKB", {1, 1}},   {"KNvKN", {1, 1}},
	{"KQQvK", {7, 0}},  {"KQRvK", {11, 0}},  {"KQBvK", {15, 0}},  {"KQNvK", {17, 0}},
	{"KQPvK", {19, 0}}, {"KRRvK", {13, 0}},  {"KRBvK", {31, 0}},  {"KRNvK", {31, 0}},
	{"KRPvK", {31, 0}}, {"KBBvK", {37, 0}},  {"KBNvK", {65, 0}},  {"KBPvK", {61, 0}},
	{"KNPvK", {53, 0}}, {"KPPvK", {63, 0}},  {"KQvKQ", {25, 25}}, {"KQvKR", {69, 37}},
	{"KQvKB", {33, 0}}, {"KQvKN", {41, 0}},  {"KQvKP", {55, 57}}, {"KRvKR", {37, 37}},
	{"KRvKB", {57, 0}}, {"KRvKN", {79, 1}},  {"KRvKP", {51, 85}}, {"KBvKN", {1, 1}},
	{"KBvKP", {1, 57}}, {"KNvKP", {13, 57}}, {"KPvKP", {65, 65}},
};

static void test_records(void **state)
{
	enum { ALL = sizeof records / sizeof *records, FEW = 8 };
	const char *truth_of = getenv("TRUTH");
	const bool all = truth_of && !strcmp(truth_of, "all");
	struct solved *solved = solved_open();
	(void)state;
	for (size_t i = 0; i < (all ? (size_t)ALL : (size_t)FEW); i++) {
		struct el_slice slice;
		assert_int_equal(el_slice_parse(records[i].slice, &slice, NULL), EL_OK);
		struct el_stats stats =
			fixture_stats(solved_of(solved, &slice, &el_dtm_rule[EL_RULE_USUAL - 1]));
		for (unsigned winner = 0; winner < 2; winner++) {
			unsigned plies;
			if (!el_stats_record(&stats, winner, winner, &plies))
				plies = 0;
			if (plies != records[i].plies[winner])
				fail_msg("%s: longest win %u, published %u", records[i].slice,
				         plies, records[i].plies[winner]);
		}
		el_stats_free(&stats);
	}
	solved_close(solved);
}

/* A proof sees a value that is wrong at one clock alone. */
static void test_wrong(void **state)
{
	static const struct el_metric *const metrics[] = {&el_dtm_rule[9], NULL};
	struct el_library *library = fixture_library(folder, NULL);
	uint64_t at = 0;
	(void)state;
	assert_int_equal(fixture_build(library, "KQvK", metrics), EL_OK);
	struct el_planes planes = fixture_stored(library, "KQvK", metrics[0]);
	struct el_verdict verdict = fixture_verdict(library, &planes);
	assert_int_equal(verdict.wrong, 0);
	assert_true(verdict.checked > 0);
	while (!planes.plane[EL_WHITE].course[at])
		at++;
	const struct el_course right =
		el_courses_get(planes.courses, planes.plane[EL_WHITE].course[at]);
	struct el_course_step wrong = right.step[0];
	wrong.until--;
	planes.plane[EL_WHITE].course[at] = el_courses_add(planes.courses, &wrong, 1);
	verdict = fixture_verdict(library, &planes);
	assert_true(verdict.wrong > 0);
	el_planes_free(&planes);
	el_library_close(library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {IN_FOLDER(test_truth), IN_FOLDER(test_wrong),
	                                   cmocka_unit_test(test_records)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
