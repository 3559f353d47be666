/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The solver under depth to conversion, and on faulty tables. */
#include "core/whole/lender.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static enum el_status solve(const struct el_slice *slice, const struct el_metric *metric,
                            const struct el_lender *lender, struct el_planes *planes,
                            struct el_error *error)
{
	const struct el_problem problem = {.slice = *slice, .metric = metric, .lender = lender};
	return el_solve(&problem, planes, error);
}

static int open_library(void **state)
{
	*state = fixture_library(small_test_tables(), NULL);
	return 0;
}

static int close_library(void **state)
{
	el_library_close(*state);
	return 0;
}

static unsigned longest_win(const struct el_plane *plane)
{
	unsigned plies = 0;
	for (uint32_t s = 0; s < plane->value_count; s++)
		if (plane->values[s].outcome == EL_WIN && plane->values[s].plies > plies)
			plies = plane->values[s].plies;
	return plies;
}

/*
 * The queen wins the rook, and the rook the knight, in 31 and 27 moves at most (K. Thompson,
 * "Retrograde Analysis of Certain Endgames", ICCA Journal 9(3), 1986), and every position agrees
 * with its successors. Only DTM tables exist: outcomes are read off them.
 */
static void test_conversion(void **state)
{
	static const struct {
		const char *slice;
		unsigned moves;
	} known[] = {{"KQvKR", 31}, {"KRvKN", 27}};
	if (tests_are_slow()) {
		puts("note: conversions of four pieces are left out under sanitizers and valgrind");
		skip();
	}
	struct lender *lender = lender_open(*state, NULL);
	const struct el_lender lends = lender_interface(lender);
	for (unsigned i = 0; i < 2; i++) {
		struct el_slice slice = slice_named(known[i].slice);
		struct el_planes planes;
		struct el_error error = {.text = ""};
		if (solve(&slice, &el_dtc, &lends, &planes, &error) != EL_OK)
			fail_msg("%s", error.text);
		assert_int_equal(longest_win(&planes.plane[EL_WHITE]), 2 * known[i].moves - 1);
		assert_int_equal(fixture_verdict(*state, &planes).wrong, 0);
		el_planes_free(&planes);
	}
	lender_close(lender);
}

/* Lends planes of queen against king in which no position has a value. */
static enum el_status lend_broken(void *context, const struct el_slice *slice,
                                  const struct el_metric *metric, const struct el_planes **out,
                                  struct el_error *error)
{
	const struct el_lender *whole = context;
	enum el_status status = whole->lend(whole->context, slice, metric, out, error);
	if (!status && !strcmp(slice->name, "KQvK"))
		memset((*out)->plane[EL_BLACK].symbols, 0, slice->positions * sizeof(uint16_t));
	return status;
}

static void give_back(void *context, const struct el_planes *planes)
{
	const struct el_lender *whole = context;
	whole->give_back(whole->context, planes);
}

static void test_entered_without_value(void **state)
{
	struct lender *lender = lender_open(*state, NULL);
	struct el_lender whole = lender_interface(lender);
	const struct el_lender broken = {
		.context = &whole, .lend = lend_broken, .give_back = give_back};
	struct el_slice slice = slice_named("KPvK");
	struct el_planes planes;
	struct el_error error = {.text = ""};
	for (const struct el_metric *const *m = el_metrics; *m; m++) {
		if (!el_game_has(slice.game, *m) ||
		    !el_metric_tells(&el_dtm, el_metric_entered(*m))) /* all lent planes */
			continue;
		assert_int_equal(solve(&slice, *m, &broken, &planes, &error), EL_DAMAGED);
		assert_string_equal(
			error.text,
			"KPvK: a legal position has no value in a table that it enters");
	}
	lender_close(lender);
}

/* Says no when it is asked for the n-th time. */
static int refuse(void *context, const struct el_progress *progress)
{
	unsigned *left = context;
	assert_true(progress->done <= progress->total);
	return --*left != 0;
}

static void test_stop(void **state)
{
	struct lender *lender = lender_open(*state, NULL);
	const struct el_lender lends = lender_interface(lender);
	for (unsigned asked = 1; asked < 40; asked += 6) {
		unsigned left = asked;
		const struct el_watch watch = {&left, refuse};
		const struct el_problem problem = {
			.slice = slice_named("KQvKR"),
			.metric = &el_dtm,
			.lender = &lends,
			.watch = &watch,
		};
		struct el_planes planes;
		struct el_error error = {.text = ""};
		assert_int_equal(el_solve(&problem, &planes, &error), EL_STOPPED);
		assert_non_null(strstr(error.text, "KQvKR"));
		assert_non_null(strstr(error.text, "stopped"));
		assert_int_equal(left, 0);
	}
	lender_close(lender);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_conversion),
		cmocka_unit_test(test_entered_without_value),
		cmocka_unit_test(test_stop),
	};
	return cmocka_run_group_tests(tests, open_library, close_library);
}
