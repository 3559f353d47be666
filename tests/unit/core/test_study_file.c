/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of studies: their depths against tables, taking one up again, and the same bytes from any threads. */
#include "core/probe/probe.h"
#include "core/study/study.h"
#include "tests/fixtures/scratch.h"
#include "tests/fixtures/tables.h"

#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static const char lone_pawns[] = "8/8/8/3p4/8/3P4/8/k1K5 w - - 0 1";
static const struct el_study_room room = {.memory = UINT64_MAX, .folder = "/tmp"};

static struct el_position position_of(const char *fen)
{
	struct el_position p;
	struct el_error error;
	assert_int_equal(el_chess.parse(fen, &p, &error), EL_OK);
	return p;
}

/* Solves a root until its outcome is exact. */
static struct el_study *solve(const char *fen)
{
	const struct el_position root = position_of(fen);
	struct el_study *study;
	struct el_study_reach reach;
	struct el_study_size size;
	struct el_error error;
	struct el_value value;
	assert_int_equal(el_study_open(&el_chess, &root, &room, NULL, &study, &error), EL_OK);
	while (!el_study_value(study, &root, &value, &error) && !el_outcome_exact(value.outcome)) {
		assert_true(el_study_next(study, ~0u, &reach, &size));
		assert_int_equal(el_study_extend(study, &reach, NULL, &error), EL_OK);
	}
	return study;
}

static struct el_library *open_library(const char *directory)
{
	struct el_library *library;
	struct el_error error;
	assert_int_equal(el_library_open(&(struct el_library_options){.directory = directory},
	                                 &library, &error),
	                 EL_OK);
	return library;
}

/* ---- depths ---- */

struct truth {
	struct el_library *ours, *tables; /* null: `planes` */
	const struct el_planes *planes;
	const struct el_metric *metric;
	size_t exact, at_most, outcomes;
};

static void check_depth(void *context, const struct el_position *p, struct el_value unused)
{
	struct truth *t = context;
	struct el_value found, right;
	struct el_error error;
	struct el_place place;
	(void)unused;
	if (t->tables) {
		assert_int_equal(el_library_value(t->tables, &el_chess, p, t->metric, EL_PROBE_FULL,
		                                  &right, &error),
		                 EL_OK);
	} else {
		if (!el_chess.place(p, &place) || place.key != t->planes->slice.key)
			return;
		right = el_plane_value(&t->planes->plane[place.plane], place.index);
	}
	assert_int_equal(
		el_library_value(t->ours, &el_chess, p, &el_wdl, EL_PROBE_FULL, &found, &error),
		EL_OK);
	assert_true(el_outcome_within(right.outcome, found.outcome));
	t->outcomes++;
	if (el_library_value(t->ours, &el_chess, p, t->metric, EL_PROBE_FULL, &found, &error))
		return; /* bounds have no depth */
	assert_int_equal(found.outcome, right.outcome);
	if (found.at_most)
		assert_true(found.plies >= right.plies);
	else
		assert_int_equal(found.plies, right.plies);
	*(found.at_most ? &t->at_most : &t->exact) += 1;
}

static void check_depths(struct el_study *study, struct truth *t)
{
	char directory[SCRATCH_PATH];
	struct el_error error;
	uint64_t bytes;
	scratch_make(directory);
	assert_int_equal(el_study_write(study, t->metric, scratch_in(directory, "a.study").text,
	                                NULL, &bytes, &error),
	                 EL_OK);
	t->ours = open_library(directory);
	el_study_each(study, t, check_depth);
	el_library_close(t->ours);
	scratch_remove(directory);
}

/* Every position, with en passant, promotions to queens and what follows. */
static void mate_distances(void **state)
{
	(void)state;
	const char *tables = test_tables();
	assert_non_null(tables);
	struct el_study *study = solve(lone_pawns);
	struct truth t = {.tables = open_library(tables), .metric = &el_dtm};
	check_depths(study, &t);
	assert_int_equal(t.outcomes, el_study_size(study).positions);
	/* What the study leaves open may be quicker only where it matters little. */
	assert_true(t.exact > 9 * t.outcomes / 10);
	el_library_close(t.tables);
	el_study_close(study);
}

static void other_depths(void **state)
{
	static const struct el_metric *const metrics[] = {&el_dtz, &el_dtc};
	(void)state;
	struct el_study *study = solve("8/8/8/8/8/3P4/8/k1K5 w - - 0 1");
	for (size_t m = 0; m < 2; m++) {
		struct el_planes planes = derived_planes("KPvK", metrics[m]);
		struct truth t = {.planes = &planes, .metric = metrics[m]};
		check_depths(study, &t);
		assert_true(t.outcomes > 10000);
		assert_true(t.exact + t.at_most > t.outcomes / 2);
		el_planes_free(&planes);
	}
	el_study_close(study);
}

/* ---- taking up again ---- */

struct stop {
	int left; /* ticks */
};

static int tick(void *context, const struct el_progress *progress)
{
	struct stop *stop = context;
	(void)progress;
	return stop->left-- > 0;
}

static void check_same(void *context, const struct el_position *p, struct el_value value)
{
	struct el_value other;
	struct el_error error;
	assert_int_equal(el_study_value(context, p, &other, &error), EL_OK);
	assert_int_equal(value.outcome, other.outcome);
}

/* Whenever it is stopped, the file has sound bounds, and whoever takes it up gets as far as one that
   was never stopped. */
static void stopped_and_taken_up(void **state)
{
	const struct el_position root = position_of(lone_pawns);
	const struct el_study_reach queens = {1, 1 << 1};
	char directory[SCRATCH_PATH];
	struct el_error error;
	uint64_t bytes;
	(void)state;
	scratch_make(directory);
	struct el_study *whole = solve(lone_pawns);
	const struct scratch_path path = scratch_in(directory, "a.study");
	omp_set_num_threads(1);
	for (int ticks = 1; ticks < 60; ticks += 7) {
		struct stop stop = {ticks};
		struct el_study *study;
		const struct el_watch watch = {&stop, tick};
		assert_int_equal(el_study_open(&el_chess, &root, &room, NULL, &study, &error),
		                 EL_OK);
		const enum el_status status = el_study_extend(study, &queens, &watch, &error);
		assert_int_equal(status, stop.left < 0 ? EL_STOPPED : EL_OK);
		/* The depths may be others the next time: to mate first, then to a zeroing move. */
		assert_int_equal(el_study_write(study, &el_dtm, path.text, NULL, &bytes, &error),
		                 EL_OK);
		el_study_close(study);
		assert_int_equal(
			el_study_resume(path.text, &el_chess, &root, &room, NULL, &study, &error),
			EL_OK);
		assert_int_equal(el_study_extend(study, &queens, NULL, &error), EL_OK);
		assert_int_equal(el_study_write(study, NULL, path.text, NULL, &bytes, &error),
		                 EL_OK);
		el_study_each(study, whole, check_same);
		assert_int_equal(el_study_size(study).positions, el_study_size(whole).positions);
		el_study_close(study);
	}
	/* A file of another root is refused. */
	const struct el_position other = position_of("8/8/8/3p4/8/3P4/8/k2K4 w - - 0 1");
	struct el_study *study;
	assert_int_equal(el_study_resume(path.text, &el_chess, &other, &room, NULL, &study, &error),
	                 EL_NEGATIVE);
	el_study_close(whole);
	scratch_remove(directory);
}

static void same_bytes(void **state)
{
	char directory[2][SCRATCH_PATH];
	struct el_error error;
	uint64_t bytes;
	(void)state;
	for (int i = 0; i < 2; i++) {
		omp_set_num_threads(1 + 3 * i);
		struct el_study *study = solve(lone_pawns);
		scratch_make(directory[i]);
		assert_int_equal(el_study_write(study, NULL,
		                                scratch_in(directory[i], "a.study").text, NULL,
		                                &bytes, &error),
		                 EL_OK);
		el_study_close(study);
	}
	scratch_assert_same(directory[0], directory[1], "a.study");
	scratch_remove(directory[0]);
	scratch_remove(directory[1]);
}

/* ---- little room ---- */

/* Frames that find no room stay open; nothing becomes wrong. */
static void cut_short(void **state)
{
	const struct el_position root = position_of(lone_pawns);
	(void)state;
	struct el_study *whole = solve(lone_pawns);
	for (size_t frames = 1; frames < 12; frames += 2) {
		const struct el_study_room small = {
			.memory = UINT64_MAX, .folder = "/tmp", .frames = frames};
		struct el_study *study;
		struct el_error error;
		struct el_value found, right;
		assert_int_equal(el_study_open(&el_chess, &root, &small, NULL, &study, &error),
		                 EL_OK);
		assert_true(el_study_size(study).frames <= frames);
		assert_int_equal(el_study_value(study, &root, &found, &error), EL_OK);
		assert_int_equal(el_study_value(whole, &root, &right, &error), EL_OK);
		assert_true(el_outcome_within(right.outcome, found.outcome));
		el_study_close(study);
	}
	el_study_close(whole);
}

/* ---- estimates ---- */

static void assert_near(uint64_t expected, uint64_t found)
{
	if (expected > 2 * found || found > 2 * expected)
		fail_msg("estimated %llu, found %llu", (unsigned long long)expected,
		         (unsigned long long)found);
}

static bool remember(void *context, const struct el_study_size *size)
{
	*(struct el_study_size *)context = *size;
	return true;
}

static void estimates(void **state)
{
	static const char *const roots[] = {lone_pawns, "8/8/8/8/1p1p4/1P1P4/8/k1K5 w - - 0 1",
	                                    "8/3p4/8/8/2R5/3P4/8/k1K5 w - - 0 1"};
	(void)state;
	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
		const struct el_position root = position_of(roots[i]);
		struct el_study_size planned, guessed;
		const struct el_study_room watched = {.memory = UINT64_MAX,
		                                      .folder = "/tmp",
		                                      .explored = remember,
		                                      .context = &planned};
		struct el_study *study;
		struct el_study_reach reach;
		struct el_error error;
		assert_int_equal(el_study_open(&el_chess, &root, &watched, NULL, &study, &error),
		                 EL_OK);
		const struct el_study_size first = el_study_size(study);
		assert_int_equal(planned.frames, first.frames);
		assert_near(planned.positions, first.positions);
		struct el_value value;
		assert_int_equal(el_study_value(study, &root, &value, &error), EL_OK);
		if (!el_outcome_exact(value.outcome)) {
			assert_true(el_study_next(study, ~0u, &reach, &guessed));
			assert_int_equal(el_study_extend(study, &reach, NULL, &error), EL_OK);
			const struct el_study_size second = el_study_size(study);
			assert_near(guessed.frames, second.frames - first.frames);
			assert_near(guessed.positions, second.positions - first.positions);
		}
		el_study_close(study);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mate_distances),
		cmocka_unit_test(other_depths),
		cmocka_unit_test(stopped_and_taken_up),
		cmocka_unit_test(same_bytes),
		cmocka_unit_test(cut_short),
		cmocka_unit_test(estimates),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
