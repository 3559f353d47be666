/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tests' own solver under rules that count moves, before anything is compared with it:
 * relations between its metrics, and between each position and its successors.
 *
 * Four pieces take from seconds to minutes, so this looks at a share of the states of one slice.
 * BRUTE_SLICES names others, for every state: "KPvKP KBNvK", or "all", which takes hours and five
 * gigabytes.
 */
#include "tests/fixtures/positions.h"
#include "tests/fixtures/tables.h"
#include "tests/oracles/brute_inside.h"
#include "tests/oracles/brute_metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Rules of 5, 10, 15, 20 and 50 moves, and some that end between two of White's moves. */
static const struct brute_wish wish = {
	.dtc = true, .dtr = true, .rule = {1, 7, 10, 20, 21, 30, 40, 100}};

enum { GREATEST = 66 }; /* DTR with up to four pieces */

static bool is_win_or_loss(struct el_value v)
{
	return v.outcome == EL_WIN || v.outcome == EL_LOSS;
}

/* One slice under examination. */
struct slice {
	const struct brute_metrics *metrics;
	const struct brute_table *table;
	unsigned greatest; /* DTR */
};

static struct el_value value_in(const struct slice *s, uint32_t state, enum brute_metric metric,
                                unsigned limit)
{
	struct el_value value;
	assert_true(brute_state_metric(s->metrics, s->table, state, metric, limit, &value));
	return value;
}

/* ---- between metrics ---- */

/* Rules from the shortest: a side that wins under one wins under the next, no later, and in time
   exactly if DTR says so. */
static void rules_agree(const struct slice *s, uint32_t state, struct el_value dtz,
                        struct el_value dtr)
{
	struct el_value shorter = {.outcome = EL_DRAW};
	for (unsigned i = 0; wish.rule[i]; i++) {
		unsigned limit = wish.rule[i];
		struct el_value v = value_in(s, state, BRUTE_DTZK, limit);
		assert_int_equal(value_in(s, state, BRUTE_WDLK, limit).outcome, v.outcome);
		if (!is_win_or_loss(dtr)) {
			assert_int_equal(v.outcome, EL_DRAW);
			continue;
		}
		assert_int_equal(is_win_or_loss(v), dtr.plies <= limit);
		if (is_win_or_loss(v)) {
			assert_int_equal(v.outcome, dtr.outcome);
			assert_in_range(v.plies, dtz.plies, limit);
		} else {
			bool win = dtr.outcome == EL_WIN;
			assert_int_equal(v.outcome, win ? EL_CURSED_WIN : EL_BLESSED_LOSS);
			assert_int_equal(v.plies, dtz.plies);
		}
		if (is_win_or_loss(shorter))
			assert_true(is_win_or_loss(v) && v.plies <= shorter.plies);
		shorter = v;
	}
}

static void metrics_agree(struct slice *s, uint32_t state)
{
	struct el_value dtm = value_in(s, state, BRUTE_DTM, 0);
	struct el_value dtc = value_in(s, state, BRUTE_DTC, 0);
	struct el_value dtz = value_in(s, state, BRUTE_DTZ, 0);
	struct el_value dtr = value_in(s, state, BRUTE_DTR, 0);
	struct el_value dtzr = value_in(s, state, BRUTE_DTZR, 0);
	struct el_value wdl = value_in(s, state, BRUTE_WDL, 0);
	assert_true(el_value_equal(wdl, (struct el_value){.outcome = dtm.outcome}));
	assert_int_equal(dtm.outcome, dtc.outcome);
	assert_int_equal(dtm.outcome, dtz.outcome);
	assert_int_equal(dtm.outcome, dtr.outcome);
	assert_int_equal(dtm.outcome, dtzr.outcome);
	assert_true(dtz.plies <= dtc.plies && dtc.plies <= dtm.plies);
	assert_true(dtz.plies <= dtr.plies && dtr.plies <= dtm.plies);
	assert_true(dtzr.plies <= dtr.plies && dtr.plies <= GREATEST);
	assert_int_equal(dtzr.plies == 0, dtm.plies == 0);
	rules_agree(s, state, dtz, dtr);
	if (dtr.plies > s->greatest)
		s->greatest = dtr.plies;
}

/* ---- between a position and its successors ---- */

static bool ends_count(const struct brute_table *t, const struct move *m, enum brute_metric metric)
{
	if (metric == BRUTE_DTC)
		return !m->stays;
	return metric != BRUTE_DTM && (!m->stays || t->piece[m->piece].kind == PAWN);
}

/* The count of a move by the value of the position after it. DTR needs DTZR there too: one ply more
   only if the first phase is already the longest. */
static unsigned plies_of_move(const struct slice *s, const struct move *m, struct place after,
                              enum brute_metric metric, struct el_value reached)
{
	struct el_value dtzr;
	bool ends = ends_count(s->table, m, metric);
	if (metric != BRUTE_DTR)
		return ends ? 1 : reached.plies + 1u;
	if (ends)
		return reached.plies > 1 ? reached.plies : 1;
	brute_state_metric(s->metrics, after.table, after.state, BRUTE_DTZR, 0, &dtzr);
	return reached.plies + (dtzr.plies == reached.plies ? 1u : 0u);
}

/* A win or a loss by the successors, or a draw by a rule or on the board. */
static struct el_value by_successors(const struct slice *s, const struct board *b,
                                     enum brute_metric metric, unsigned limit)
{
	struct list list;
	unsigned moves = 0, losing = 0, shortest = UINT16_MAX, longest = 0;
	brute_moves(s->table, b, &list);
	for (unsigned i = 0; i < list.count; i++) {
		struct place after = brute_after(s->table, b, &list.move[i]);
		struct el_value v;
		if (!brute_state_metric(s->metrics, after.table, after.state, metric, limit, &v))
			continue;
		moves++;
		unsigned plies = plies_of_move(s, &list.move[i], after, metric, v);
		if (v.outcome == EL_LOSS && plies < shortest)
			shortest = plies;
		losing += v.outcome == EL_WIN;
		if (v.outcome == EL_WIN && plies > longest)
			longest = plies;
	}
	if (moves == 0)
		return (struct el_value){
			.outcome = brute_king_attacked(s->table, b, b->side) ? EL_LOSS : EL_DRAW};
	if (shortest <= limit)
		return (struct el_value){.outcome = EL_WIN, .plies = (uint16_t)shortest};
	if (losing == moves && longest <= limit)
		return (struct el_value){.outcome = EL_LOSS, .plies = (uint16_t)longest};
	return (struct el_value){.outcome = EL_DRAW};
}

static void successors_agree(const struct slice *s, uint32_t state)
{
	static const enum brute_metric plain[] = {BRUTE_DTM, BRUTE_DTC, BRUTE_DTZ, BRUTE_DTR};
	enum { NO_RULE = UINT16_MAX - 1 };
	struct board b;
	brute_set_up(s->table, state, &b);
	for (unsigned i = 0; i < sizeof plain / sizeof *plain; i++)
		assert_true(el_value_equal(value_in(s, state, plain[i], 0),
		                           by_successors(s, &b, plain[i], NO_RULE)));
	for (unsigned i = 0; wish.rule[i]; i++) {
		struct el_value found = value_in(s, state, BRUTE_DTZK, wish.rule[i]);
		if (!is_win_or_loss(found))
			found = (struct el_value){.outcome = EL_DRAW};
		assert_true(el_value_equal(found, by_successors(s, &b, BRUTE_DTZK, wish.rule[i])));
	}
}

/* ---- slices ---- */

/* Returns the greatest DTR. */
static unsigned examine(const struct brute_metrics *metrics, const struct brute_table *table,
                        unsigned stride)
{
	struct slice s = {.metrics = metrics, .table = table};
	for (uint32_t state = 0, legal = 0; state < brute_states(table); state++) {
		if (table->value[state] == ILLEGAL)
			continue;
		if (++legal % stride == 0)
			successors_agree(&s, state);
		if (stride == 1 || legal % 4 == 0)
			metrics_agree(&s, state);
	}
	return s.greatest;
}

static unsigned examine_alone(const char *name, unsigned stride)
{
	struct brute *brute = brute_solve((const char *[]){name, NULL});
	struct brute_metrics *metrics = brute_measure(brute, &wish);
	unsigned greatest = examine(metrics, brute_table(brute, name), stride);
	brute_metrics_free(metrics);
	brute_free(brute);
	return greatest;
}

static void test_three_pieces(void **state)
{
	static const struct {
		const char *name;
		unsigned greatest; /* DTR: in endings without a pawn the longest mate */
	} known[] = {{"KQvK", 20}, {"KRvK", 32}, {"KBvK", 0}, {"KNvK", 0}};
	(void)state;
	for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
		assert_int_equal(examine_alone(known[i].name, test_stride()), known[i].greatest);
	examine_alone("KPvK", test_stride());
}

/*
 * By hand: 1. Kc6 Ka8 2. d8=Q+ Ka7 3. Qc7+ Ka6 4. Qb6# has phases of 3 and 4 plies, and no line has
 * shorter ones; after 1. d8=Q+ Kb7 there are 5 plies to go, a phase of 6. So a rule of 3 plies
 * curses the win, which then counts as without a rule, and one of 6 lets the pawn promote at once.
 */
static void test_by_hand(void **state)
{
	static const struct {
		enum brute_metric metric;
		unsigned limit;
		struct el_value value;
	} known[] = {
		{BRUTE_WDL, 0, {.outcome = EL_WIN}},
		{BRUTE_DTM, 0, {.outcome = EL_WIN, .plies = 5}},
		{BRUTE_DTC, 0, {.outcome = EL_WIN, .plies = 1}},
		{BRUTE_DTZ, 0, {.outcome = EL_WIN, .plies = 1}},
		{BRUTE_DTR, 0, {.outcome = EL_WIN, .plies = 4}},
		{BRUTE_DTZR, 0, {.outcome = EL_WIN, .plies = 3}},
		{BRUTE_WDLK, 3, {.outcome = EL_CURSED_WIN}},
		{BRUTE_DTZK, 3, {.outcome = EL_CURSED_WIN, .plies = 1}},
		{BRUTE_WDLK, 4, {.outcome = EL_WIN}},
		{BRUTE_DTZK, 4, {.outcome = EL_WIN, .plies = 3}},
		{BRUTE_DTZK, 5, {.outcome = EL_WIN, .plies = 3}},
		{BRUTE_DTZK, 6, {.outcome = EL_WIN, .plies = 1}},
	};
	(void)state;
	struct el_position p = position_of("1k6/3P4/3K4/8/8/8/8/8 w - - 0 1");
	struct brute *brute = brute_solve((const char *[]){"KPvK", NULL});
	struct brute_metrics *metrics =
		brute_measure(brute, &(struct brute_wish){true, true, {3, 4, 5, 6}});
	for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
		struct el_value v;
		assert_true(brute_metric(metrics, &p, known[i].metric, known[i].limit, &v));
		assert_int_equal(v.outcome, known[i].value.outcome);
		assert_int_equal(v.plies, known[i].value.plies);
	}
	brute_metrics_free(metrics);
	brute_free(brute);
}

/* ---- four pieces ---- */

static void examine_four(const char *name, unsigned stride)
{
	unsigned greatest = examine_alone(name, stride);
	printf("note: %s: the greatest DTR is %u plies\n", name, greatest);
	if (!strcmp(name, "KBNvK"))
		assert_int_equal(greatest, GREATEST);
}

/* KQQvK and KQvKQ to KPPvK and KPvKP. */
static void examine_all_four(void)
{
	static const char kinds[] = "QRBNP";
	for (int i = 0; kinds[i]; i++)
		for (int k = i; kinds[k]; k++) {
			char name[16];
			snprintf(name, sizeof name, "K%c%cvK", kinds[i], kinds[k]);
			examine_four(name, 1);
			snprintf(name, sizeof name, "K%cvK%c", kinds[i], kinds[k]);
			examine_four(name, 1);
		}
}

static void test_four_pieces(void **state)
{
	const char *names = getenv("BRUTE_SLICES");
	(void)state;
	if (tests_are_slow()) {
		printf("note: no four pieces by brute force under sanitizers and valgrind\n");
		skip();
	}
	if (names == NULL) {
		examine_four("KRvKN", 61);
		return;
	}
	if (!strcmp(names, "all")) {
		examine_all_four();
		return;
	}
	char *list = strdup(names), *rest = NULL;
	for (char *name = strtok_r(list, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
		examine_four(name, 1);
	free(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_three_pieces),
		cmocka_unit_test(test_four_pieces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
