/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices solved with too little memory: the same planes as with enough. */
#include "tests/fixtures/pieces_fixture.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/scratch.h"
#include "tests/fixtures/solved.h"
#include "tests/fixtures/tables.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct solved *solved;
static char folder[SCRATCH_PATH];

static const struct el_watch *watch; /* null: never asked */
static uint64_t lent;                /* el_room.lent */

static enum el_status solve(const struct el_slice *slice, const struct el_metric *metric,
                            uint64_t memory, const char *scratch, struct el_planes *planes,
                            struct el_error *error)
{
	static struct el_lender lender; /* until the planes are freed */
	lender = solved_lender(solved);
	const struct el_room room = {memory, scratch, lent, false};
	const struct el_problem problem = {.slice = *slice,
	                                   .metric = metric,
	                                   .lender = &lender,
	                                   .watch = watch,
	                                   .room = &room};
	return el_solve(&problem, planes, error);
}

/* The least memory, as the refusal states it. */
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

static void assert_room_makes_no_difference(const char *name, const struct el_metric *metric)
{
	const struct el_slice slice = slice_named(name);
	const struct el_planes *all = solved_of(solved, &slice, metric);
	struct el_planes planes;
	struct el_error error;
	if (solve(&slice, metric, least_memory(&slice, metric), folder, &planes, &error))
		fail_msg("%s %s: %s", name, metric->name, error.text);
	assert_non_null(planes.reader);
	solved_assert_same(&planes, all);
	el_planes_free(&planes);
	el_solve_forget(&slice, metric, folder);
}

/* With TRUTH in the environment: all of them, which takes minutes; else the first two. */
static void test_chess(void **state)
{
	static const struct {
		const char *slice;
		const char *metric;
	} tried[] = {{"KQvKR", "dtm"}, {"KRvKP", "dtz50"}, {"KRvKN", "dtc"},
	             {"KNvKP", "wdl"}, {"KPvKP", "dtm"},   {"KPvKP", "dtz"}};
	const size_t count = tests_are_thorough() ? sizeof tried / sizeof *tried : 2;
	(void)state;
	for (size_t i = 0; i < count; i++)
		if (i == 0 || !tests_are_slow())
			assert_room_makes_no_difference(tried[i].slice,
			                                el_metric_find(tried[i].metric));
}

static void test_draughts(void **state)
{
	(void)state;
	if (tests_are_slow())
		skip();
	assert_room_makes_no_difference("checkers:KKMvKM", &el_dtw);
}

/* ---- lent in pieces ---- */

static void assert_pieces_make_no_difference(const char *name, const struct el_metric *metric)
{
	const struct el_slice slice = slice_named(name);
	const struct el_planes *all = solved_of(solved, &slice, metric);
	struct pieces *pieces = pieces_open(solved);
	const struct el_lender lender = pieces_lender(pieces);
	const struct el_problem problem = {.slice = slice, .metric = metric, .lender = &lender};
	struct el_planes planes;
	struct el_error error;
	if (el_solve(&problem, &planes, &error))
		fail_msg("%s %s: %s", name, metric->name, error.text);
	for (unsigned side = 0; side < slice.planes; side++)
		assert_memory_equal(planes.plane[side].symbols, all->plane[side].symbols,
		                    slice.positions * sizeof(uint16_t));
	el_planes_free(&planes);
	assert_true(pieces_close(pieces) > 10);
}

static void test_pieces(void **state)
{
	(void)state;
	assert_pieces_make_no_difference("KRvKP", &el_dtm);
	if (!tests_are_slow())
		assert_pieces_make_no_difference("checkers:KMMvKM", &el_dtw);
	assert_pieces_make_no_difference("checkers:KKvKM", &el_dtc);
}

static void test_morris(void **state)
{
	(void)state;
	assert_room_makes_no_difference("morris:5v3", &el_dtw);
	assert_pieces_make_no_difference("morris:5v3", &el_dtc);
}

/* A run of passes for each number of stones. */
static void test_awari(void **state)
{
	(void)state;
	assert_room_makes_no_difference("awari:12", &el_score); /* smaller ones need no room */
	assert_pieces_make_no_difference("awari:9", &el_score);
}

/* ---- stopping and continuing ---- */

/* Says no when it is asked for the n-th time. */
static int refuse(void *context, const struct el_progress *progress)
{
	unsigned *left = context;
	(void)progress;
	return *left && --*left;
}

/* The remains of a file after a crash of the machine: its end is lost, or was never written. */
static void damage(const char *name, unsigned round)
{
	char path[2 * SCRATCH_PATH];
	struct stat is;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	if (stat(path, &is) || is.st_size < 4096)
		return;
	if (round % 3 == 1)
		assert_int_equal(truncate(path, is.st_size - 777 * (off_t)round), 0);
	if (round % 3 == 2) {
		const int fd = open(path, O_WRONLY);
		assert_true(fd >= 0);
		assert_int_equal(pwrite(fd, "nonsense", 8, is.st_size / 4 * 3), 8);
		close(fd);
	}
}

/* Stopped again and again, with damaged files, until it has been asked often enough. */
static void assert_it_goes_on(const char *name, const struct el_metric *metric)
{
	const struct el_slice slice = slice_named(name);
	const uint64_t memory = least_memory(&slice, metric);
	char found[SCRATCH_PATH], opening[SCRATCH_PATH];
	struct el_planes planes;
	struct el_error error;
	unsigned left, round = 0, stops = 0;
	const struct el_watch asks = {&left, refuse};
	enum el_status status = EL_STOPPED;
	snprintf(found, sizeof found, ".endlab-scratch-%s.%s.found", name, metric->name);
	snprintf(opening, sizeof opening, ".endlab-scratch-%s.%s.opening", name, metric->name);
	watch = &asks;
	for (; status == EL_STOPPED; round++) {
		left = 30 + 50 * round;
		status = solve(&slice, metric, memory, folder, &planes, &error);
		stops += status == EL_STOPPED;
		if (status == EL_STOPPED) {
			damage(found, round);
			damage(opening, round + 1);
		}
	}
	watch = NULL;
	if (status)
		fail_msg("%s %s: %s", name, metric->name, error.text);
	assert_true(stops > 2); /* how often it is asked depends on the threads */
	solved_assert_same(&planes, solved_of(solved, &slice, metric));
	el_planes_free(&planes);
	assert_true(scratch_count(folder, ".endlab-scratch") > 0);
	el_solve_forget(&slice, metric, folder);
	assert_int_equal(scratch_count(folder, ".endlab-scratch"), 0);
}

static void test_going_on(void **state)
{
	(void)state;
	assert_it_goes_on("KQvKR", &el_dtm);
	if (!tests_are_slow())
		assert_it_goes_on("KPvKP", &el_dtc); /* positions that no table stores take part */
}

static off_t size_of(const char *name)
{
	char path[2 * SCRATCH_PATH];
	struct stat is;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return stat(path, &is) ? 0 : is.st_size;
}

/* Results found with other tables are discarded. */
static void test_other_tables(void **state)
{
	static const char opening[] = ".endlab-scratch-KQvKR.dtm.opening";
	const struct el_slice slice = slice_named("KQvKR");
	const uint64_t memory = least_memory(&slice, &el_dtm);
	struct el_planes planes;
	struct el_error error;
	unsigned left = 100;
	const struct el_watch asks = {&left, refuse};
	(void)state;
	watch = &asks;
	assert_int_equal(solve(&slice, &el_dtm, memory, folder, &planes, &error), EL_STOPPED);
	const off_t size = size_of(opening);
	assert_true(size > 100000);
	left = 1;
	assert_int_equal(solve(&slice, &el_dtm, memory, folder, &planes, &error), EL_STOPPED);
	assert_true(size_of(opening) >= size);
	lent = left = 1;
	assert_int_equal(solve(&slice, &el_dtm, memory, folder, &planes, &error), EL_STOPPED);
	assert_true(size_of(opening) < size);
	lent = 0;
	watch = NULL;
	el_solve_forget(&slice, &el_dtm, folder);
}

/* Files may not exceed this many bytes: like a full disk, except that smaller files can still be
   written. */
static void limit_files(rlim_t bytes)
{
	struct rlimit limit;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* A pass that lost a page to a full disk is not continued. */
static void test_full_disk(void **state)
{
	const struct el_slice slice = slice_named("KQvKR");
	const uint64_t memory = least_memory(&slice, &el_dtm);
	struct el_planes planes;
	struct el_error error;
	unsigned failures = 0;
	enum el_status status = EL_IO;
	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	for (rlim_t mb = 1; status == EL_IO && mb < 100; mb += 2, failures += status == EL_IO) {
		limit_files(mb << 20);
		status = solve(&slice, &el_dtm, memory, folder, &planes, &error);
		limit_files(RLIM_INFINITY);
	}
	if (status)
		fail_msg("%s", error.text);
	assert_true(failures > 5);
	solved_assert_same(&planes, solved_of(solved, &slice, &el_dtm));
	el_planes_free(&planes);
	el_solve_forget(&slice, &el_dtm, folder);
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
		cmocka_unit_test(test_chess),        cmocka_unit_test(test_draughts),
		cmocka_unit_test(test_morris),       cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_awari),        cmocka_unit_test(test_going_on),
		cmocka_unit_test(test_other_tables), cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_no_folder),
	};
	return cmocka_run_group_tests(tests, open_all, close_all);
}
