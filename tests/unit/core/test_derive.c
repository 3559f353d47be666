/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values that captures determine: which ones a table may leave out, and how probes read such a
   table. */
#include "core/probe/inside.h"
#include "core/whole/whole.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/scratch.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { NOTHING = -2000000 };

static struct el_library *small_library(void)
{
	return fixture_library(folder, small_test_tables());
}

/* ---- what is derivable ---- */

/* Planes of the slices that captures enter. */
struct known {
	struct el_planes planes[8];
	size_t count;
};

static void learn(struct known *known, const char *const *names, const struct el_metric *metric)
{
	struct el_library *library = small_library();
	for (known->count = 0; names[known->count]; known->count++)
		known->planes[known->count] = solved_planes(library, names[known->count], metric);
	el_library_close(library);
}

static void forget(struct known *known)
{
	for (size_t i = 0; i < known->count; i++)
		el_planes_free(&known->planes[i]);
}

/* The value of a position for the side to move; bare kings are drawn. */
static struct el_value look_up(const struct known *known, const struct el_position *position)
{
	struct el_place place;
	if (!el_chess.place(position, &place))
		return (struct el_value){.outcome = EL_DRAW};
	for (size_t i = 0; i < known->count; i++)
		if (known->planes[i].slice.key == place.key)
			return el_plane_value(&known->planes[i].plane[place.plane], place.index);
	return (struct el_value){.outcome = EL_BROKEN};
}

/* The score of the best capture, of all moves; NOTHING without one. */
static int best_capture(const struct known *known, const struct el_position *position, bool depth)
{
	struct el_move moves[EL_MOVES_MAX];
	size_t count = el_chess.moves(position, moves);
	int best = NOTHING;
	for (size_t i = 0; i < count; i++) {
		struct el_position after;
		if (!moves[i].captured)
			continue;
		el_chess.play(position, &moves[i], &after);
		struct el_value v = look_up(known, &after);
		const uint16_t plies = (uint16_t)(depth ? v.plies + 1 : 0);
		struct el_value mine = {.outcome = EL_DRAW};
		if (v.outcome == EL_WIN)
			mine = (struct el_value){.outcome = EL_LOSS, .plies = plies};
		else if (v.outcome == EL_LOSS)
			mine = (struct el_value){.outcome = EL_WIN, .plies = plies};
		else if (v.outcome != EL_DRAW)
			return -1; /* no score: a slice is missing here */
		best = fixture_score(mine) > best ? fixture_score(mine) : best;
	}
	return best;
}

static void check_marks(const char *name, const char *const *captured,
                        const struct el_metric *metric, uint64_t stride)
{
	struct el_planes planes = derived_planes(name, metric);
	const struct el_slice *slice = &planes.slice;
	struct known known;
	uint64_t wrong = 0, marked = 0;
	learn(&known, captured, metric);
#pragma omp parallel for reduction(+ : wrong, marked)
	for (uint64_t i = 0; i < slice->planes * slice->positions; i += stride) {
		const struct el_plane *plane = &planes.plane[i / slice->positions];
		const uint64_t index = i % slice->positions;
		struct el_position p;
		bool expected = false;
		if (el_chess.unplace(slice, (unsigned)(i / slice->positions), index, &p))
			expected = best_capture(&known, &p, metric->has_depth) ==
			           fixture_score(el_plane_value(plane, index));
		wrong += plane->derivable[index] != expected;
		marked += expected;
	}
	if (wrong)
		fail_msg("%s %s: %llu wrong marks", name, metric->name, (unsigned long long)wrong);
	assert_true(marked > 0);
	forget(&known);
	el_planes_free(&planes);
}

static void test_marks(void **state)
{
	(void)state;
	static const char *const none[] = {NULL}, *const rook[] = {"KQvK", "KRvK", NULL};
	const uint64_t stride = tests_are_slow() ? 97 : 3;
	check_marks("KRvK", none, &el_dtm, 1);
	check_marks("KPvK", none, &el_wdl, 1);
	check_marks("KBvK", none, &el_dtm, 1);
	check_marks("KQvKR", rook, &el_dtm, stride);
	check_marks("KQvKR", rook, &el_wdl, stride);
}

/* Every metric and game, against captures tried as a probe tries them. */
static uint64_t marks_wrong(struct el_library *library, const struct el_planes *planes, bool *any)
{
	const struct el_slice *slice = &planes->slice;
	const struct visit visit = library_enter(library);
	const struct probe probe = {
		.catalogue = visit.catalogue, .game = slice->game, .metric = planes->metric};
	const uint64_t stride = 1 + slice->positions / 40000;
	uint64_t wrong = 0;
	for (uint64_t i = 0; i < slice->planes * slice->positions; i += stride) {
		const struct el_plane *plane = &planes->plane[i / slice->positions];
		const uint64_t index = i % slice->positions;
		struct el_position position;
		struct el_move captures[EL_MOVES_MAX];
		struct el_value best = {.outcome = EL_BROKEN};
		bool expected = false;
		if (slice->game->unplace(slice, (unsigned)(i / slice->positions), index,
		                         &position)) {
			const struct spot spot = {&position, {.key = slice->key}, .placed = true};
			const size_t count = slice->game->captures(&position, captures);
			assert_int_equal(probe_moves(&probe, &spot, captures, count, &best, NULL),
			                 EL_OK);
			expected = count && (slice->game->forced_captures ||
			                     el_value_equal(best, el_plane_value(plane, index)));
		}
		wrong += plane->derivable[index] != expected;
		*any |= expected;
	}
	library_leave(visit);
	return wrong;
}

static void test_marks_by_probes(void **state)
{
	(void)state;
	static const struct {
		const char *slice, *metrics[9];
	} rows[] = {
		{"KQvKR", {"win", "wdl", "dtm", "dtc", "dtz", "wdl8", "dtz8", "dtr"}},
		{"KRPvK", {"dtm", "dtz", "wdl5", "dtz5"}},
		{"checkers:KMvKM", {"wdl", "dtw", "dtc"}},
		{"morris:4v3", {"win", "wdl", "dtw", "dtc"}},
		{"morris:4v4", {"dtw"}},
		{"awari:7", {"score"}},
	};
	if (tests_are_slow()) {
		puts("note: every metric is left out under sanitizers and valgrind");
		skip();
	}
	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
		for (unsigned m = 0; rows[r].metrics[m]; m++) {
			if (m % 4 && !tests_are_thorough())
				continue;
			const struct el_metric *metric = el_metric_find(rows[r].metrics[m]);
			const struct el_metric *const metrics[] = {metric, NULL};
			const struct el_slice slice = slice_named(rows[r].slice);
			struct el_library *library = fixture_library(folder, NULL);
			struct el_planes planes;
			bool any = false;
			assert_int_equal(fixture_build(library, rows[r].slice, metrics), EL_OK);
			assert_int_equal(
				el_library_planes(library, &slice, metric, NULL, &planes, NULL),
				EL_OK);
			assert_int_equal(
				el_library_derive(library, &planes, EL_DERIVE_CAPTURES, NULL, NULL),
				EL_OK);
			if (marks_wrong(library, &planes, &any) || !any)
				fail_msg("%s %s: wrong marks", rows[r].slice, metric->name);
			el_planes_free(&planes);
			el_library_close(library);
		}
}

/* Captures that promote lead to every piece. */
static void test_marks_of_pawns(void **state)
{
	(void)state;
	static const char *const all[] = {"KQvK", "KRvK", "KBvK", "KNvK", "KPvK", NULL};
	if (tests_are_slow()) {
		puts("note: four pieces with pawns are left out under sanitizers and valgrind");
		skip();
	}
	struct el_library *library = fixture_library(test_tables(), NULL);
	const struct el_slice slice = slice_named("KNvKP");
	struct el_planes planes;
	struct known known;
	uint64_t wrong = 0;
	assert_int_equal(el_library_planes(library, &slice, &el_dtm, NULL, &planes, NULL), EL_OK);
	assert_int_equal(el_library_derive(library, &planes, EL_DERIVE_CAPTURES, NULL, NULL),
	                 EL_OK);
	learn(&known, all, &el_dtm);
#pragma omp parallel for reduction(+ : wrong)
	for (uint64_t i = 0; i < 2 * slice.positions; i += 5) {
		const struct el_plane *plane = &planes.plane[i / slice.positions];
		const uint64_t index = i % slice.positions;
		struct el_position p;
		if (!el_chess.unplace(&slice, (unsigned)(i / slice.positions), index, &p))
			continue;
		wrong += plane->derivable[index] != (best_capture(&known, &p, true) ==
		                                     fixture_score(el_plane_value(plane, index)));
	}
	assert_int_equal(wrong, 0);
	forget(&known);
	el_planes_free(&planes);
	el_library_close(library);
}

/* ---- exceptions ---- */

static void test_missing_tables(void **state)
{
	(void)state;
	struct el_library *library = small_library();
	struct el_planes planes = solved_planes(library, "KQvKR", &el_wdl);
	const struct el_table_info info = {.options.derive = EL_DERIVE_CAPTURES};
	struct el_error error = {.text = ""};
	el_library_close(library);
	library = fixture_library(folder, NULL);
	assert_int_equal(el_library_derive(library, &planes, EL_DERIVE_CAPTURES, NULL, &error),
	                 EL_NEGATIVE);
	assert_true(!strcmp(error.text, "no table covers KQvK") ||
	            !strcmp(error.text, "no table covers KRvK"));
	assert_int_equal(el_library_complete(library, &planes, "KQvKR", &info, NULL, NULL, &error),
	                 EL_NEGATIVE);
	assert_non_null(strstr(error.text, "no table covers K"));
	el_library_close(library);
	el_planes_free(&planes);
}

static int stop_at_second(void *context, const struct el_progress *progress)
{
	assert_string_equal(progress->stage, "trying captures");
	assert_string_equal(progress->what, "KQvKR wdl");
	assert_true(progress->done <= progress->total);
	return ++*(int *)context < 2;
}

static void test_stopped(void **state)
{
	(void)state;
	struct el_library *library = small_library();
	struct el_planes planes = solved_planes(library, "KQvKR", &el_wdl);
	struct el_error error = {.text = ""};
	int ticks = 0;
	const struct el_watch watch = {&ticks, stop_at_second};
	assert_int_equal(el_library_derive(library, &planes, EL_DERIVE_CAPTURES, &watch, &error),
	                 EL_STOPPED);
	assert_string_equal(error.text, "KQvKR wdl: stopped");
	assert_int_equal(ticks, 2);
	assert_int_equal(el_library_derive(library, &planes, EL_DERIVE_CAPTURES, NULL, NULL),
	                 EL_OK);
	el_library_close(library);
	el_planes_free(&planes);
}

/* ---- tables that leave captures out ---- */

static void write_as(const char *path, const struct el_planes *planes, enum el_derive derive)
{
	struct el_table_options o = fixture_options("raw", 4096, EL_FILL_PREVIOUS);
	o.derive = derive;
	fixture_write(path, planes, &o);
}

static void write_derived(const struct el_planes *planes)
{
	write_as(fixture_path(folder, "derived.egt"), planes, EL_DERIVE_CAPTURES);
}

/* Without the tables that captures enter, values that no capture affects are still known, and so
   are those that no capture can improve. */
static void test_probe_without_successors(void **state)
{
	(void)state;
	struct el_planes planes = derived_planes("KQvKR", &el_wdl), back;
	struct el_error error = {.text = ""};
	struct el_position p;
	struct el_value value;
	write_derived(&planes);
	struct el_library *library = fixture_library(folder, NULL);
	assert_int_equal(el_library_planes(library, &planes.slice, &el_wdl, NULL, &back, &error),
	                 EL_NEGATIVE);
	assert_non_null(strstr(error.text, "no table covers K"));
	uint64_t known = 0, unknown = 0;
	for (uint64_t i = 0; i < planes.slice.positions; i += 61) {
		struct el_move moves[EL_MOVES_MAX];
		if (!el_chess.unplace(&planes.slice, 0, i, &p))
			continue;
		bool captures = false;
		for (size_t m = el_chess.moves(&p, moves); m-- > 0;)
			captures |= moves[m].captured != 0;
		enum el_status status = el_library_value(library, &el_chess, &p, &el_wdl,
		                                         EL_PROBE_FULL, &value, &error);
		/* A capture that ends the game needs no table; nor does any, if the table says that
		   nothing is better. */
		assert_true(status == EL_OK || (status == EL_NEGATIVE && captures));
		if (status)
			assert_string_equal(error.text, "no table covers KQvK");
		if (!status)
			assert_true(el_value_equal(value, el_plane_value(&planes.plane[0], i)));
		known += !status;
		unknown += status != EL_OK;
	}
	assert_true(known > 0 && unknown > 0);
	el_library_close(library);
	el_planes_free(&planes);
}

/* A soft probe uses what is in memory, or fails. */
static void test_soft_probe(void **state)
{
	(void)state;
	struct el_planes planes = derived_planes("KRvK", &el_dtm);
	write_derived(&planes);
	struct el_library *library = fixture_library(folder, NULL);
	struct el_position p;
	struct el_value soft, full;
	fixture_parse("8/8/8/8/8/8/1R1k4/K7 b - - 0 1", &p);
	for (unsigned warm = 0; warm < 2; warm++) {
		enum el_status status = el_library_value(library, &el_chess, &p, &el_dtm,
		                                         EL_PROBE_SOFT, &soft, NULL);
		assert_int_equal(status, warm ? EL_OK : EL_NEGATIVE);
		assert_int_equal(el_library_value(library, &el_chess, &p, &el_dtm, EL_PROBE_FULL,
		                                  &full, NULL),
		                 EL_OK);
	}
	assert_true(el_value_equal(soft, full));
	el_library_forget(library, NULL);
	assert_int_equal(
		el_library_value(library, &el_chess, &p, &el_dtm, EL_PROBE_SOFT, &soft, NULL),
		EL_NEGATIVE);
	el_library_close(library);
	el_planes_free(&planes);
}

/* The phase that a capture ends does not show whether it is the best move. */
static void test_phases_alone(void **state)
{
	(void)state;
	struct el_library *library = small_library();
	struct el_planes planes = solved_planes(library, "KQvK", &el_dtzr);
	struct el_error error;
	assert_int_equal(el_library_derive(library, &planes, EL_DERIVE_CAPTURES, NULL, &error),
	                 EL_USAGE);
	assert_non_null(strstr(error.text, "captures do not tell dtzr; build dtr"));
	el_planes_free(&planes);
	el_library_close(library);
}

/* ---- en passant ---- */

/* Both libraries on the same positions. */
struct pair {
	struct el_library *plain, *derived;
	const struct el_metric *metric;
};

static bool same_value(const struct pair *pair, const struct el_position *position)
{
	struct el_value a = {.outcome = EL_UNKNOWN, .plies = 1},
			b = {.outcome = EL_UNKNOWN, .plies = 2};
	el_library_value(pair->plain, &el_chess, position, pair->metric, EL_PROBE_FULL, &a, NULL);
	el_library_value(pair->derived, &el_chess, position, pair->metric, EL_PROBE_FULL, &b, NULL);
	return el_value_equal(a, b);
}

/* Every position with a right to capture en passant arises from a double step. */
static uint64_t compare_rights(const struct pair *pair, const struct el_slice *slice,
                               uint64_t *rights)
{
	uint64_t wrong = 0, found = 0;
#pragma omp parallel for reduction(+ : wrong, found)
	for (uint64_t i = 0; i < slice->positions; i++) {
		struct el_position p, next;
		struct el_move moves[EL_MOVES_MAX];
		if (!el_chess.unplace(slice, 0, i, &p))
			continue;
		for (size_t m = el_chess.moves(&p, moves); m-- > 0;) {
			if (moves[m].kind != 5 || (moves[m].from ^ moves[m].to) != 16)
				continue;
			el_chess.play(&p, &moves[m], &next);
			if (next.en_passant == EL_NO_SQUARE)
				continue;
			found++;
			wrong += !same_value(pair, &next);
		}
	}
	*rights = found;
	return wrong;
}

/* The successors of pawn against pawn, under dtr. */
static void build_needs(const char *directory)
{
	static const struct el_metric *const metrics[] = {&el_dtr, NULL};
	struct el_library *library = fixture_library(directory, NULL);
	const struct el_slice slice = slice_named("KPvKP");
	struct el_slice successors[EL_SUCCESSORS_MAX];
	const size_t count = el_chess.successors(&slice, successors);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(fixture_build(library, successors[i].name, metrics), EL_OK);
	el_library_close(library);
}

static void test_en_passant(void **state)
{
	(void)state;
	if (tests_are_slow()) {
		puts("note: en passant is left out under sanitizers and valgrind");
		skip();
	}
	const char *plain = fixture_path(folder, "plain");
	char needs[SCRATCH_PATH + 1024];
	assert_int_equal(mkdir(plain, 0777), 0);
	if (tests_are_thorough())
		build_needs(fixture_path(folder, "needs"));
	else
		assert_int_equal(mkdir(fixture_path(folder, "needs"), 0777), 0);
	snprintf(needs, sizeof needs, "%s:%s", fixture_path(folder, "needs"), test_tables());
	const struct el_metric *const metrics[] = {&el_dtm, tests_are_thorough() ? &el_dtr : NULL,
	                                           NULL};
	for (const struct el_metric *const *m = metrics; *m; m++) {
		struct el_library *library = fixture_library(plain, needs);
		struct el_planes planes = solved_planes(library, "KPvKP", *m);
		uint64_t rights;
		assert_int_equal(
			el_library_derive(library, &planes, EL_DERIVE_CAPTURES, NULL, NULL), EL_OK);
		el_library_close(library);
		write_derived(&planes);
		write_as(fixture_path(plain, "plain.egt"), &planes, EL_DERIVE_NOTHING);
		const struct pair pair = {
			fixture_library(plain, needs),
			fixture_library(folder, needs),
			*m,
		};
		assert_int_equal(compare_rights(&pair, &planes.slice, &rights), 0);
		assert_true(rights > 10000);
		el_library_close(pair.plain);
		el_library_close(pair.derived);
		el_planes_free(&planes);
	}
}

int main(void)
{
	if (!small_test_tables() || (!tests_are_slow() && !test_tables()))
		return 1;
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_marks),           IN_FOLDER(test_marks_of_pawns),
		IN_FOLDER(test_marks_by_probes), IN_FOLDER(test_missing_tables),
		IN_FOLDER(test_stopped),         IN_FOLDER(test_probe_without_successors),
		IN_FOLDER(test_soft_probe),      IN_FOLDER(test_phases_alone),
		IN_FOLDER(test_en_passant),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
