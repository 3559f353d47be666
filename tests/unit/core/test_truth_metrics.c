/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every metric of chess, position by position, against the tests' brute-force solver, which shares
 * no code with the one under test. `TRUTH="KQvKR KPvKP"` in the environment names other slices than
 * those of `make test`; `TRUTH=all` takes eight of four pieces. Positions with a right to capture en
 * passant are in no table: there the library's answers are compared.
 */
#include "core/probe/probe.h"
#include "tests/fixtures/solved.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/oracles/brute_metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const unsigned rules[] = {5, 10, 15, 20, 50}; /* moves */
enum { RULES = sizeof rules / sizeof *rules, SLICES = 32 };

struct truth {
	struct brute *brute;
	struct brute_metrics *metrics;
	struct solved *solved;
	struct el_library *library; /* of the slice at hand; null: no pawn meets another there */
};

/* One metric, as both solvers name it. */
struct pair {
	const struct el_metric *ours;
	enum brute_metric theirs;
	unsigned limit;
};

static size_t list_pairs(struct pair out[2 * RULES + 7])
{
	size_t count = 0;
	out[count++] = (struct pair){&el_wdl, BRUTE_WDL, 0};
	out[count++] = (struct pair){&el_dtm, BRUTE_DTM, 0};
	out[count++] = (struct pair){&el_dtc, BRUTE_DTC, 0};
	out[count++] = (struct pair){&el_dtz, BRUTE_DTZ, 0};
	out[count++] = (struct pair){&el_dtr, BRUTE_DTR, 0};
	out[count++] = (struct pair){&el_dtzr, BRUTE_DTZR, 0};
	out[count++] = (struct pair){&el_win, BRUTE_WDL, 0};
	for (size_t i = 0; i < RULES; i++) {
		out[count++] = (struct pair){&el_wdl_rule[rules[i] - 1], BRUTE_WDLK, 2 * rules[i]};
		out[count++] = (struct pair){&el_dtz_rule[rules[i] - 1], BRUTE_DTZK, 2 * rules[i]};
	}
	return count;
}

/* The expected value in our planes, given the brute-force value. */
static struct el_value expected(const struct pair *pair, struct el_value v)
{
	if (pair->ours == &el_win)
		return (struct el_value){.outcome = v.outcome == EL_WIN ? EL_WIN : EL_AT_MOST_DRAW};
	return v;
}

static void compare(const struct truth *truth, const struct el_slice *slice,
                    const struct pair *pair)
{
	const struct brute_table *table = brute_table(truth->brute, slice->name);
	const struct el_planes *planes = solved_of(truth->solved, slice, pair->ours);
	uint64_t wrong = 0, compared = 0;
	char fen[EL_FEN_MAX] = "";
	struct el_value first[2] = {{0}};
	for (uint32_t state = 0; state < brute_states(table); state++) {
		struct el_position p;
		struct el_place place;
		struct el_value dtm, v, ours;
		unsigned orbit;
		if (!brute_state(table, state, &p, &dtm, &orbit))
			continue;
		assert_true(brute_state_metric(truth->metrics, table, state, pair->theirs,
		                               pair->limit, &v));
		assert_true(slice->game->place(&p, &place));
		if (p.en_passant == EL_NO_SQUARE)
			ours = el_plane_value(&planes->plane[place.plane], place.index);
		else
			assert_int_equal(el_library_value(truth->library, slice->game, &p,
			                                  pair->ours, EL_PROBE_FULL, &ours, NULL),
			                 EL_OK);
		v = expected(pair, v);
		compared++;
		if (pair->theirs == BRUTE_DTR && ours.outcome != EL_DRAW) {
			struct el_value phase;
			brute_state_metric(truth->metrics, table, state, BRUTE_DTZR, 0, &phase);
			v.phase = phase.plies;
		}
		if (el_value_equal(ours, v) || wrong++)
			continue;
		slice->game->format(&p, fen);
		first[0] = ours;
		first[1] = v;
	}
	if (wrong)
		fail_msg("%s %s: %llu of %llu wrong, first %s: %s %u/%u, expected %s %u/%u",
		         slice->name, pair->ours->name, (unsigned long long)wrong,
		         (unsigned long long)compared, fen, el_outcome_name(first[0].outcome),
		         first[0].plies, first[0].phase, el_outcome_name(first[1].outcome),
		         first[1].plies, first[1].phase);
}

static void compare_all(struct truth *truth, const char *name)
{
	enum { PAWN = 5 };
	struct pair pairs[2 * RULES + 7];
	const struct el_metric *metrics[2 * RULES + 8] = {NULL};
	const size_t count = list_pairs(pairs);
	struct el_slice slice;
	assert_int_equal(el_slice_parse(name, &slice, NULL), EL_OK);
	for (size_t i = 0; i < count; i++)
		metrics[i] = pairs[i].ours;
	truth->library = NULL;
	if (slice.count[EL_WHITE][PAWN] && slice.count[EL_BLACK][PAWN]) {
		truth->library = fixture_library(folder, NULL);
		assert_int_equal(fixture_build(truth->library, name, metrics), EL_OK);
	}
	for (size_t i = 0; i < count; i++)
		compare(truth, &slice, &pairs[i]);
	if (truth->library)
		el_library_close(truth->library);
}

static void test_truth(void **state)
{
	static const char *const usual[] = {"KQvK", "KRvK", "KBvK", "KNvK", "KPvK", NULL};
	static const char all[] = "KPvKP KRvKP KQvKP KNvKP KBNvK KQvKR KRvKN KBBvK";
	const char *names[SLICES + 1] = {NULL}, *truth_of = getenv("TRUTH");
	char *asked = truth_of ? strdup(strcmp(truth_of, "all") ? truth_of : all) : NULL;
	struct brute_wish wish = {.dtc = true, .dtr = true};
	size_t count = 0;
	(void)state;
	for (size_t i = 0; i < RULES; i++)
		wish.rule[i] = 2 * rules[i];
	for (char *word = asked ? strtok(asked, " ") : NULL; word && count < SLICES;
	     word = strtok(NULL, " "))
		names[count++] = word;
	const char *const *list = count ? names : usual;
	struct truth truth = {.brute = brute_solve(list), .solved = solved_open()};
	truth.metrics = brute_measure(truth.brute, &wish);
	for (; *list; list++)
		compare_all(&truth, *list);
	solved_close(truth.solved);
	brute_metrics_free(truth.metrics);
	brute_free(truth.brute);
	free(asked);
}

int main(void)
{
	const struct CMUnitTest tests[] = {IN_FOLDER(test_truth)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
