/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plies to mate at every clock, position by position, against the tests' brute-force solver, which
 * shares no code with the one under test. `TRUTH="KQvKR KPvKP"` in the environment names other slices
 * than those of `make test`; `TRUTH=all` takes seven of four pieces.
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

struct truth {
	const struct brute *brute;
	struct solved *solved;
	const struct el_metric *metric;
	const struct brute_table *table; /* of the slice at hand */
	const struct el_planes *planes;
	unsigned long compared, wrong;
	char first[200]; /* what is wrong */
};

static void compare(void *context, const struct brute_table *table, uint32_t state,
                    const uint8_t at[BRUTE_CLOCK_MAX + 1])
{
	struct truth *t = context;
	struct el_position p;
	struct el_place place;
	struct el_value dtm;
	unsigned orbit;
	if (table != t->table || !brute_state(table, state, &p, &dtm, &orbit) ||
	    p.en_passant != EL_NO_SQUARE)
		return;
	assert_true(t->planes->slice.game->place(&p, &place));
	const struct el_plane *plane = &t->planes->plane[place.plane];
	const struct el_value fresh = el_plane_value(plane, place.index);
	const struct el_course course =
		el_courses_get(t->planes->courses, plane->course[place.index]);
	for (unsigned clock = 0; clock < t->metric->limit; clock++) {
		const unsigned expected = at[clock] ? at[clock] - 1u : 0;
		const enum el_outcome outcome = !at[clock]     ? EL_DRAW
		                                : expected % 2 ? EL_WIN
		                                               : EL_LOSS;
		struct el_value v = el_course_at(course, fresh, clock);
		if (v.outcome == EL_CURSED_WIN || v.outcome == EL_BLESSED_LOSS)
			v.outcome = EL_DRAW;
		t->compared++;
		if (v.outcome == outcome && v.plies == expected)
			continue;
		if (t->wrong++)
			continue;
		char fen[EL_FEN_MAX];
		t->planes->slice.game->format(&p, fen);
		snprintf(t->first, sizeof t->first, "%s at clock %u: %s %u, expected %s %u", fen,
		         clock, el_outcome_name(v.outcome), v.plies, el_outcome_name(outcome),
		         expected);
	}
}

static void compare_slice(struct truth *t, const char *name, unsigned moves)
{
	struct el_slice slice;
	assert_int_equal(el_slice_parse(name, &slice, NULL), EL_OK);
	t->metric = &el_dtm_rule[moves - 1];
	t->table = brute_table(t->brute, name);
	t->planes = solved_of(t->solved, &slice, t->metric);
	t->compared = t->wrong = 0;
	brute_clock_each(t->brute, 2 * moves, t, compare);
	if (t->wrong || !t->compared)
		fail_msg("%s dtm%u: %lu of %lu wrong, first %s", name, moves, t->wrong,
		         t->compared, t->first);
}

static void test_truth(void **state)
{
	static const char *const usual[] = {"KQvK", "KRvK", "KBvK", "KNvK", "KPvK", NULL};
	static const unsigned rules[] = {5, 10, 20, 50}; /* moves */
	static const char all[] = "KPvKP KRvKP KQvKP KBNvK KQvKR KRvKN KBBvK";
	const char *names[SLICES + 1] = {NULL}, *truth_of = getenv("TRUTH");
	char *asked = truth_of ? strdup(strcmp(truth_of, "all") ? truth_of : all) : NULL;
	size_t count = 0;
	(void)state;
	for (char *word = asked ? strtok(asked, " ") : NULL; word && count < SLICES;
	     word = strtok(NULL, " "))
		names[count++] = word;
	const char *const *list = count ? names : usual;
	struct brute *brute = brute_solve(list);
	struct truth truth = {.brute = brute, .solved = solved_open()};
	for (; *list; list++)
		for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
			compare_slice(&truth, *list, rules[i]);
	solved_close(truth.solved);
	brute_free(brute);
	free(asked);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_truth)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
