/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The algebra of bounds, against the paper's Table 2 and against its own definition. */
#include "core/base/metric.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Bjornsson, Schaeffer, Sturtevant 2005: the six final values, in the order of the paper's Table
   2. */
#define WW EL_WIN
#define TT EL_DRAW
#define LL EL_LOSS
#define TW EL_AT_LEAST_DRAW
#define LT EL_AT_MOST_DRAW
#define LW EL_UNKNOWN
enum { FINAL = 6 };

static const enum el_outcome final[FINAL] = {WW, TT, LL, TW, LT, LW};

/* Its Table 2 without the rows and columns of non-final values, copied by hand. */
static const enum el_outcome table_2[FINAL][FINAL] = {
	/*        WW  TT  LL  TW  LT  LW */
	/* WW */ {WW, WW, WW, WW, WW, WW},
	/* TT */ {WW, TT, TT, TW, TT, TW},
	/* LL */ {WW, TT, LL, TW, LT, LW},
	/* TW */ {WW, TW, TW, TW, TW, TW},
	/* LT */ {WW, TT, LT, TW, LT, LW},
	/* LW */ {WW, TW, LW, TW, LW, LW},
};

static const enum el_outcome all[] = {
	EL_LOSS, EL_BLESSED_LOSS, EL_DRAW,         EL_CURSED_WIN,
	EL_WIN,  EL_UNKNOWN,      EL_AT_MOST_DRAW, EL_AT_LEAST_DRAW,
};
enum { ALL = sizeof all / sizeof *all };

static int compare(enum el_outcome a, enum el_outcome b)
{
	return el_value_compare(&el_wdl, (struct el_value){.outcome = (uint8_t)a},
	                        (struct el_value){.outcome = (uint8_t)b});
}

static void test_table_2(void **state)
{
	(void)state;
	for (unsigned a = 0; a < FINAL; a++)
		for (unsigned b = 0; b < FINAL; b++)
			assert_int_equal(el_outcome_max(final[a], final[b]), table_2[a][b]);
	/* Tables with the 50-move rule have losses that are drawn: they are not draws either. */
	assert_int_equal(el_outcome_max(EL_BLESSED_LOSS, EL_UNKNOWN), EL_UNKNOWN);
	assert_int_equal(el_outcome_max(EL_CURSED_WIN, EL_UNKNOWN), EL_AT_LEAST_CURSED);
	assert_int_equal(el_outcome_max(EL_BLESSED_LOSS, EL_DRAW), EL_DRAW);
}

static void test_bounds(void **state)
{
	(void)state;
	static const struct {
		enum el_outcome outcome, lower, upper;
	} expected[] = {
		{WW, EL_WIN, EL_WIN},  {TT, EL_DRAW, EL_DRAW}, {LL, EL_LOSS, EL_LOSS},
		{TW, EL_DRAW, EL_WIN}, {LT, EL_LOSS, EL_DRAW}, {LW, EL_LOSS, EL_WIN},
	};
	for (unsigned i = 0; i < FINAL; i++) {
		assert_int_equal(el_outcome_lower(expected[i].outcome), expected[i].lower);
		assert_int_equal(el_outcome_upper(expected[i].outcome), expected[i].upper);
		assert_int_equal(el_outcome_between(expected[i].lower, expected[i].upper),
		                 expected[i].outcome);
	}
	for (unsigned i = 0; i < ALL; i++) {
		const bool exact = el_outcome_lower(all[i]) == el_outcome_upper(all[i]);
		assert_int_equal(el_outcome_exact(all[i]), exact);
		assert_int_equal(el_outcome_bounded(all[i]), !exact);
	}
	assert_false(el_outcome_exact(EL_BROKEN) || el_outcome_bounded(EL_BROKEN));
}

static void test_negation(void **state)
{
	(void)state;
	for (unsigned i = 0; i < ALL; i++) {
		const enum el_outcome other = el_outcome_negate(all[i]);
		assert_int_equal(el_outcome_negate(other), all[i]);
		assert_int_equal(el_outcome_lower(other),
		                 el_outcome_negate(el_outcome_upper(all[i])));
		assert_int_equal(el_outcome_upper(other),
		                 el_outcome_negate(el_outcome_lower(all[i])));
	}
}

/* A total order that follows both bounds wherever they agree. */
static void test_order(void **state)
{
	(void)state;
	for (unsigned a = 0; a < ALL; a++)
		for (unsigned b = 0; b < ALL; b++) {
			const bool dominates =
				el_outcome_lower(all[a]) >= el_outcome_lower(all[b]) &&
				el_outcome_upper(all[a]) >= el_outcome_upper(all[b]);
			assert_true(!dominates || compare(all[a], all[b]) >= 0);
			assert_int_equal(compare(all[a], all[b]), -compare(all[b], all[a]));
			assert_int_equal(compare(all[a], all[b]) == 0, a == b);
			for (unsigned c = 0; c < ALL; c++)
				assert_true(compare(all[a], all[b]) < 0 ||
				            compare(all[b], all[c]) < 0 ||
				            compare(all[a], all[c]) >= 0);
		}
}

/* A probe takes the better of the stored value and the best capture, so anything that compares
   worse than the capture may be stored, except for one pair. */
static void test_what_outdoes(void **state)
{
	(void)state;
	for (unsigned a = 0; a < FINAL; a++)
		for (unsigned b = 0; b < FINAL; b++) {
			const bool worse = compare(final[a], final[b]) < 0;
			const bool outdone = el_outcome_max(final[a], final[b]) == final[b];
			assert_int_equal(worse && !outdone, final[a] == LW && final[b] == TT);
		}
}

static void test_values(void **state)
{
	(void)state;
	static const struct el_value depths[] = {
		{.outcome = EL_LOSS},
		{.outcome = EL_LOSS, .plies = 2},
		{.outcome = EL_LOSS, .plies = 40},
		{.outcome = EL_DRAW},
		{.outcome = EL_WIN, .plies = 33},
		{.outcome = EL_WIN, .plies = 3},
		{.outcome = EL_WIN, .plies = 1},
	};
	enum { DEPTHS = sizeof depths / sizeof *depths };
	for (unsigned a = 0; a < DEPTHS; a++)
		for (unsigned b = 0; b < DEPTHS; b++)
			assert_true(el_value_equal(el_value_max(&el_dtm, depths[a], depths[b]),
			                           depths[a > b ? a : b]));
	assert_int_equal(el_value_compare(&el_wdl, depths[4], depths[5]), 0);
	assert_false(el_value_is_best(&el_dtm, depths[6]));
	assert_true(el_value_is_best(&el_wdl, (struct el_value){.outcome = EL_WIN}));
	assert_false(el_value_is_best(&el_wdl, (struct el_value){.outcome = EL_AT_LEAST_DRAW}));
	for (unsigned a = 0; a < FINAL; a++)
		for (unsigned b = 0; b < FINAL; b++) {
			const struct el_value x = {.outcome = (uint8_t) final[a]},
					      y = {.outcome = (uint8_t) final[b]};
			const struct el_value best = el_value_max(&el_wdl, x, y);
			assert_int_equal(best.outcome, table_2[a][b]);
			assert_int_equal(best.plies, 0);
			assert_true(el_value_compare(&el_wdl, best, x) >= 0);
			assert_true(el_value_compare(&el_wdl, best, y) >= 0);
		}
}

/* A move turns bounds round, and never gives them a depth. */
static void test_moves(void **state)
{
	(void)state;
	for (unsigned i = 0; i < FINAL; i++)
		for (unsigned converts = 0; converts < 2; converts++) {
			const struct el_value reached = {.outcome = (uint8_t) final[i]};
			struct el_value v = el_value_of_move(&el_wdl, reached, converts, 0);
			assert_int_equal(v.outcome, el_outcome_negate(final[i]));
			assert_int_equal(v.plies, 0);
			v = el_value_of_move(&el_dtc, reached, converts, 0);
			assert_true(el_outcome_exact(v.outcome) || v.plies == 0);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_2),      cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_negation),     cmocka_unit_test(test_order),
		cmocka_unit_test(test_what_outdoes), cmocka_unit_test(test_values),
		cmocka_unit_test(test_moves),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
