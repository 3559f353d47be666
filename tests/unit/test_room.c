/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices solved in too little memory: their planes are those of slices that have all of it. */
#include "positions.h"
#include "scratch.h"
#include "solved.h"
#include "tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PIECE = 999983 }; /* symbols read at a time: a prime, so that pieces fit no section */

static struct solved *solved;
static char folder[SCRATCH_PATH];

static enum el_status solve(const struct el_slice *slice, const struct el_metric *metric,
                            uint64_t memory, const char *scratch, struct el_planes *planes,
                            struct el_error *error)
{
	const struct el_lender lender = solved_lender(solved);
	const struct el_room room = {memory, scratch};
	const struct el_problem problem = {
		.slice = *slice, .metric = metric, .lender = &lender, .room = &room};
	return el_solve(&problem, planes, error);
}

/* The least memory, as the refusal tells it. */
static uint64_t least_memory(const struct el_slice *slice, const struct el_metric *metric)
{
	struct el_planes planes;
	struct el_error error;
	unsigned long mb = 0;
	assert_int_equal(solve(slice, metric, 1, folder, &planes, &error), EL_NEGATIVE);
	const char *least = strstr(error.text, "needs at least ");
	assert_non_null(least);
	assert_int_equal(sscanf(least, "needs at least %lu MB", &mb), 1);
	return (mb + 1) * 1000000;
}

static void assert_same(const struct el_planes *planes, const struct el_planes *all)
{
	uint16_t *piece = malloc(PIECE * sizeof *piece);
	struct el_error error;
	assert_non_null(piece);
	assert_int_equal(planes->passes, all->passes);
	for (unsigned side = 0; side < all->slice.planes; side++) {
		const struct el_plane *a = &planes->plane[side], *b = &all->plane[side];
		assert_int_equal(a->value_count, b->value_count);
		for (uint32_t v = 0; v < b->value_count; v++)
			assert_true(el_value_equal(a->values[v], b->values[v]));
		for (uint64_t i = 0; i < all->slice.positions; i += PIECE) {
			const uint64_t rest = all->slice.positions - i;
			const size_t count = rest < PIECE ? (size_t)rest : PIECE;
			const struct el_reader *reader = planes->reader;
			assert_int_equal(reader->read(reader->context, side, i, count, piece, &error),
			                 EL_OK);
			assert_memory_equal(piece, b->symbols + i, count * sizeof *piece);
		}
	}
	free(piece);
}

static void assert_room_makes_no_difference(const char *name, const struct el_metric *metric)
{
	const struct el_slice slice = slice_named(name);
	const struct el_planes *all = solved_of(solved, &slice, metric);
	struct el_planes planes;
	struct el_error error;
	if (solve(&slice, metric, least_memory(&slice, metric), folder, &planes, &error))
		fail_msg("%s %s: %s", name, metric->name, error.text);
	assert_non_null(planes.reader);
	assert_same(&planes, all);
	el_planes_free(&planes);
}

/* TRUTH in the environment: the last one, too, which takes 20 s. */
static void test_chess(void **state)
{
	static const struct {
		const char *slice;
		const char *metric;
	} tried[] = {{"KQvKR", "dtm"}, {"KRvKN", "dtc"},   {"KPvKP", "dtz"},
	             {"KNvKP", "wdl"}, {"KRvKP", "dtz50"}, {"KPvKP", "dtm"}};
	const size_t count = sizeof tried / sizeof *tried - !getenv("TRUTH");
	(void)state;
	for (size_t i = 0; i < count; i++)
		if (i == 0 || !tests_are_slow())
			assert_room_makes_no_difference(tried[i].slice, el_metric_find(tried[i].metric));
}

static void test_draughts(void **state)
{
	(void)state;
	if (tests_are_slow())
		skip();
	assert_room_makes_no_difference("checkers:KKMvKM", &el_dtw);
}

/* A folder that takes no files. */
static void test_no_folder(void **state)
{
	const struct el_slice slice = slice_named("KQvKR");
	struct el_planes planes;
	struct el_error error;
	(void)state;
	assert_int_equal(solve(&slice, &el_dtm, least_memory(&slice, &el_dtm), "/nowhere/at/all",
	                       &planes, &error),
	                 EL_IO);
	assert_non_null(strstr(error.text, "/nowhere/at/all"));
}

static int open_all(void **state)
{
	(void)state;
	scratch_make(folder);
	return (solved = solved_open()) ? 0 : -1;
}

static int close_all(void **state)
{
	(void)state;
	solved_close(solved);
	scratch_remove(folder);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chess),
		cmocka_unit_test(test_draughts),
		cmocka_unit_test(test_no_folder),
	};
	return cmocka_run_group_tests(tests, open_all, close_all);
}
