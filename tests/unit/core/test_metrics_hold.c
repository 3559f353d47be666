/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Relations between the metrics of chess, at every position of a slice, whatever the solver did to
 * find them. `TRUTH=all` in the environment takes every ending of 3 and 4 pieces, `TRUTH="KQvKR
 * ..."` the named ones.
 */
#include "tests/fixtures/solved.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const unsigned rules[] = {5, 10, 15, 20, 50}; /* moves, ascending */
enum { RULES = sizeof rules / sizeof *rules, SLICES = 64 };

/* What each metric says of one position. */
struct sayings {
	struct el_value wdl, win, dtm, dtz, dtr, dtzr, wdl_rule[RULES], dtz_rule[RULES];
};

static bool is_won(struct el_value v)
{
	return v.outcome == EL_WIN;
}

static bool is_decided(struct el_value v)
{
	return v.outcome == EL_WIN || v.outcome == EL_LOSS;
}

/* The outcome without a rule. */
static unsigned plain(struct el_value v)
{
	return v.outcome == EL_CURSED_WIN     ? EL_WIN
	       : v.outcome == EL_BLESSED_LOSS ? EL_LOSS
	                                      : v.outcome;
}

static const char *check_rule(const struct sayings *s, size_t i)
{
	const struct el_value wdl = s->wdl_rule[i], dtz = s->dtz_rule[i];
	const unsigned limit = 2 * rules[i];
	if (wdl.outcome != dtz.outcome || plain(wdl) != s->wdl.outcome)
		return "outcomes differ";
	if (s->wdl.outcome == EL_DRAW)
		return dtz.plies ? "a draw has a depth" : NULL;
	if (is_decided(dtz) != (s->dtr.plies <= limit))
		return "won under a limit, and the least limit is another";
	if (!is_decided(dtz))
		return dtz.plies != s->dtz.plies ? "a cursed depth is not the plain one" : NULL;
	if (dtz.plies > limit || dtz.plies < s->dtz.plies)
		return "a depth under a rule is beyond it, or less than without it";
	if (i && is_decided(s->dtz_rule[i - 1]) && s->dtz_rule[i - 1].plies < dtz.plies)
		return "a longer limit makes a longer depth";
	return NULL;
}

/* Null if all is well. */
static const char *check(const struct sayings *s)
{
	const unsigned outcome = s->wdl.outcome;
	if (s->dtm.outcome != outcome || s->dtz.outcome != outcome || s->dtr.outcome != outcome ||
	    s->dtzr.outcome != outcome || is_won(s->win) != is_won(s->wdl))
		return "outcomes differ";
	if (s->dtr.phase != s->dtzr.plies)
		return "the phase of dtr is not dtzr";
	if (s->dtz.plies > s->dtr.plies || s->dtzr.plies > s->dtr.plies ||
	    s->dtr.plies > s->dtm.plies)
		return "dtz <= dtr, dtzr <= dtr <= dtm does not hold";
	for (size_t i = 0; i < RULES; i++)
		if (check_rule(s, i))
			return check_rule(s, i);
	return NULL;
}

/* The planes, in the order of struct sayings. */
enum { METRICS = 6 + 2 * RULES };
_Static_assert(sizeof(struct sayings) == METRICS * sizeof(struct el_value), "one value a metric");

static void solve(struct solved *solved, const struct el_slice *slice,
                  const struct el_planes *planes[METRICS])
{
	const struct el_metric *metrics[METRICS] = {&el_wdl, &el_win, &el_dtm,
	                                            &el_dtz, &el_dtr, &el_dtzr};
	for (size_t i = 0; i < RULES; i++) {
		metrics[6 + i] = &el_wdl_rule[rules[i] - 1];
		metrics[6 + RULES + i] = &el_dtz_rule[rules[i] - 1];
	}
	for (size_t m = 0; m < METRICS; m++)
		planes[m] = solved_of(solved, slice, metrics[m]);
}

/* The greatest limit that a position of the slice needs. */
static unsigned check_slice(const struct el_slice *slice)
{
	const struct el_planes *planes[METRICS];
	struct solved *solved = solved_open();
	unsigned greatest = 0;
	solve(solved, slice, planes);
	for (unsigned plane = 0; plane < slice->planes; plane++)
		for (uint64_t i = 0; i < slice->positions; i++) {
			struct el_value values[METRICS];
			struct sayings s;
			struct el_position p;
			char fen[EL_FEN_MAX];
			for (size_t m = 0; m < METRICS; m++)
				values[m] = el_plane_value(&planes[m]->plane[plane], i);
			memcpy(&s, values, sizeof s);
			if (s.wdl.outcome == EL_BROKEN)
				continue;
			greatest = s.dtr.plies > greatest ? s.dtr.plies : greatest;
			if (!check(&s))
				continue;
			assert_true(slice->game->unplace(slice, plane, i, &p));
			slice->game->format(&p, fen);
			fail_msg("%s: %s: %s", slice->name, fen, check(&s));
		}
	solved_close(solved);
	return greatest;
}

static size_t list_slices(struct el_slice out[SLICES])
{
	const char *asked = getenv("TRUTH") ? getenv("TRUTH") : "";
	size_t count = el_chess.slices(3, out, SLICES);
	if (!strcmp(asked, "all"))
		return count + el_chess.slices(4, out + count, SLICES - count);
	char *words = strdup(asked);
	assert_non_null(words);
	for (char *word = strtok(words, " "); word && count < SLICES; word = strtok(NULL, " "))
		assert_int_equal(el_slice_parse(word, &out[count++], NULL), EL_OK);
	free(words);
	return count;
}

/* Among all endings with 3 and 4 pieces none needs a longer limit than bishop and knight: 66
   plies. */
static void test_metrics_agree(void **state)
{
	struct el_slice slices[SLICES];
	const size_t count = list_slices(slices);
	unsigned greatest = 0;
	(void)state;
	for (size_t i = 0; i < count; i++) {
		const unsigned limit = check_slice(&slices[i]);
		greatest = limit > greatest ? limit : greatest;
		if (slices[i].pieces == 4)
			printf("%s: greatest limit %u\n", slices[i].name, limit);
	}
	if (count == 35)
		assert_int_equal(greatest, 66);
	else
		assert_true(greatest <= 66);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_metrics_agree)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
