/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forced captures: what tables of draughts leave out if they derive captures, and how probes read
   them, against the second draughts, which shares nothing with the program. */
#include "core/probe/probe.h"
#include "core/whole/whole.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"
#include "tests/oracles/draughts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Solved once for all tests. */
static struct draughts *truth;

static int solve_truth(void **state)
{
	(void)state;
	static const char *const names[] = {"KKvK", "KMvK", "MMvK", "KMvM", NULL};
	truth = draughts_solve(names);
	return 0;
}

static int free_truth(void **state)
{
	(void)state;
	draughts_free(truth);
	return 0;
}

/* ---- planes ---- */

static struct draughts_board board_of(const struct el_position *position)
{
	char fen[EL_FEN_MAX];
	el_checkers.format(position, fen);
	return draughts_read(fen);
}

static struct el_value value_of(const struct el_position *position, const struct el_metric *metric)
{
	static const uint8_t outcomes[] = {
		[DRAUGHTS_LOSS] = EL_LOSS, [DRAUGHTS_DRAW] = EL_DRAW, [DRAUGHTS_WIN] = EL_WIN};
	const struct draughts_board board = board_of(position);
	struct draughts_value v;
	assert_true(draughts_lookup(truth, &board, &v));
	const unsigned plies = metric == &el_dtw ? v.dtw : metric == &el_dtc ? v.dtc : 0;
	return (struct el_value){.outcome = outcomes[v.outcome], .plies = (uint16_t)plies};
}

static bool captures(const struct el_position *position)
{
	struct draughts_move moves[DRAUGHTS_MOVES];
	const struct draughts_board board = board_of(position);
	return draughts_moves(&board, moves) && moves[0].captures;
}

static uint16_t symbol_of(struct el_plane *plane, struct el_value value)
{
	uint32_t s = 0;
	while (s < plane->value_count && !el_value_equal(plane->values[s], value))
		s++;
	if (s == plane->value_count)
		plane->values[plane->value_count++] = value;
	return (uint16_t)s;
}

/* A slice as the solver leaves it. */
static struct el_planes true_planes(const char *name, const struct el_metric *metric)
{
	enum { VALUES = 1024 };
	struct el_planes planes = {.metric = metric};
	assert_int_equal(el_slice_parse(name, &planes.slice, NULL), EL_OK);
	for (unsigned p = 0; p < planes.slice.planes; p++) {
		struct el_plane *plane = &planes.plane[p];
		plane->symbols = calloc(planes.slice.positions, sizeof *plane->symbols);
		plane->values = calloc(VALUES, sizeof *plane->values);
		assert_true(plane->symbols && plane->values);
		plane->values[plane->value_count++] = (struct el_value){.outcome = EL_BROKEN};
		for (uint64_t i = 0; i < planes.slice.positions; i++) {
			struct el_position position;
			if (el_checkers.unplace(&planes.slice, p, i, &position))
				plane->symbols[i] = symbol_of(plane, value_of(&position, metric));
		}
		assert_int_equal(el_plane_canonical(plane, planes.slice.positions, NULL), EL_OK);
	}
	return planes;
}

/* All successors of the slices in these tests, except one, which may be null. */
static void write_all_but(const char *missing, const struct el_metric *metric)
{
	static const char *const names[] = {"KvK", "KvM", "MvM", "KKvK", "KKvM", "KMvK"};
	const struct el_table_options options = fixture_options("raw", 4096, EL_FILL_PREVIOUS);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char name[EL_SLICE_MAX], file[EL_SLICE_MAX];
		if (missing && !strcmp(missing, names[i]))
			continue;
		snprintf(name, sizeof name, "checkers:%s", names[i]);
		snprintf(file, sizeof file, "z-%s.egt", names[i]);
		struct el_planes planes = true_planes(name, metric);
		fixture_write(fixture_path(folder, file), &planes, &options);
		el_planes_free(&planes);
	}
}

/* Planes with derivable captures marked, without a table to probe. */
static struct el_planes marked_planes(const char *name, const struct el_metric *metric)
{
	struct el_planes planes = true_planes(name, metric);
	struct el_library *library = fixture_library(fixture_path(folder, "none"), NULL);
	struct el_error error = {.text = ""};
	assert_int_equal(el_library_derive(library, &planes, EL_DERIVE_CAPTURES, NULL, &error),
	                 EL_OK);
	el_library_close(library);
	return planes;
}

/* ---- marks ---- */

static void test_marks(void **state)
{
	(void)state;
	static const char *const names[] = {"checkers:KvK", "checkers:KMvK", "checkers:KMvM"};
	for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
		struct el_planes planes = marked_planes(names[n], &el_wdl);
		uint64_t marked = 0, wrong = 0;
		for (unsigned p = 0; p < planes.slice.planes; p++)
			for (uint64_t i = 0; i < planes.slice.positions; i++) {
				struct el_position position;
				bool derivable = planes.plane[p].derivable[i];
				marked += derivable;
				wrong += derivable !=
				         (el_checkers.unplace(&planes.slice, p, i, &position) &&
				          captures(&position));
			}
		assert_int_equal(wrong, 0);
		assert_true(marked > 0);
		el_planes_free(&planes);
	}
}

/* ---- files ---- */

/* The result of writing a table to a file and reading it back. */
struct survey {
	uint64_t probes, wrong;
	uint64_t changed; /* stored values that differ from the position's */
	uint64_t better;  /* of these: those that are not even worse */
};

static void survey_plane(struct el_library *library, const struct el_planes *planes,
                         const struct el_planes *stored, unsigned p, struct survey *out)
{
	for (uint64_t i = 0; i < planes->slice.positions; i++) {
		struct el_position position;
		struct el_value value = {.outcome = EL_BROKEN}, true_value, kept;
		if (!el_checkers.unplace(&planes->slice, p, i, &position))
			continue;
		true_value = el_plane_value(&planes->plane[p], i);
		kept = el_plane_value(&stored->plane[p], i);
		if (i % 3 == 0)
			el_checkers.swap_colours(&position, &position);
		enum el_status status =
			el_library_value(library, &el_checkers, &position, planes->metric,
		                         EL_PROBE_FULL, &value, NULL);
		out->probes++;
		out->wrong += status || !el_value_equal(value, true_value);
		out->changed += !el_value_equal(kept, true_value);
		out->better += el_value_compare(planes->metric, kept, true_value) > 0;
	}
}

static uint64_t differences(const struct el_planes *a, const struct el_planes *b)
{
	uint64_t different = 0;
	for (unsigned p = 0; p < a->slice.planes; p++)
		for (uint64_t i = 0; i < a->slice.positions; i++)
			different += a->plane[p].symbols[i] &&
			             !el_value_equal(el_plane_value(&a->plane[p], i),
			                             el_plane_value(&b->plane[p], i));
	return different;
}

/* Writes planes in one form, and reads them in every way. */
static struct survey check_form(const struct el_planes *planes,
                                const struct el_table_options *options)
{
	const char *path = fixture_path(folder, "a-form.egt");
	struct survey survey = {0};
	struct el_planes stored, read;
	struct el_error error = {.text = ""};
	fixture_write(path, planes, options);
	struct el_table *table = fixture_open(path);
	assert_int_equal(el_table_read(table, &stored, &error), EL_OK);
	el_table_close(table);
	struct el_library *library = fixture_library(folder, NULL);
	if (el_library_read(library, path, NULL, NULL, &read, &error))
		fail_msg("%s", error.text);
	assert_int_equal(differences(planes, &read), 0);
	for (unsigned p = 0; p < planes->slice.planes; p++)
		survey_plane(library, planes, &stored, p, &survey);
	el_library_close(library);
	el_planes_free(&stored);
	el_planes_free(&read);
	return survey;
}

/* A whole slice in every codec and fill. Returns how often a fill stored a better value. */
static uint64_t check_slice(const char *name, const struct el_metric *metric)
{
	struct el_planes planes = marked_planes(name, metric);
	const struct el_codec *codec;
	uint64_t better = 0;
	write_all_but(strchr(name, ':') + 1, metric);
	for (size_t c = 0; (codec = el_codec_at(c)); c++)
		for (unsigned fill = 0; el_fill_names[fill]; fill++) {
			struct el_table_options options =
				fixture_options(codec->name, 1024, (enum el_fill)fill);
			options.derive = EL_DERIVE_CAPTURES;
			const struct survey survey = check_form(&planes, &options);
			if (survey.wrong)
				fail_msg("%s %s, %s %s: %llu of %llu probes are wrong", name,
				         metric->name, codec->name, el_fill_names[fill],
				         (unsigned long long)survey.wrong,
				         (unsigned long long)survey.probes);
			assert_int_equal(survey.changed > 0, fill != EL_FILL_NONE);
			better += survey.better;
		}
	el_planes_free(&planes);
	return better;
}

/* A capture may end the game: of two kings one takes the other. */
static void test_last_piece(void **state)
{
	(void)state;
	check_slice("checkers:KvK", &el_wdl);
	check_slice("checkers:KvK", &el_dtw);
	check_slice("checkers:KvK", &el_dtc);
}

static void test_men(void **state)
{
	(void)state;
	if (tests_are_slow()) {
		puts("note: three pieces are left out under sanitizers and valgrind");
		skip();
	}
	assert_true(check_slice("checkers:KMvK", &el_wdl) > 0);
	assert_true(check_slice("checkers:KMvK", &el_dtw) > 0);
}

/* ---- exceptions ---- */

static void test_missing_tables(void **state)
{
	(void)state;
	struct el_planes planes = marked_planes("checkers:KMvK", &el_wdl);
	struct el_table_options options = fixture_options("rle", 1024, EL_FILL_BEST);
	uint64_t known = 0, unknown = 0;
	options.derive = EL_DERIVE_CAPTURES;
	fixture_write(fixture_path(folder, "a.egt"), &planes, &options);
	struct el_library *library = fixture_library(folder, NULL);
	for (uint64_t i = 0; i < planes.slice.positions; i++) {
		struct el_position position;
		struct el_value value;
		struct el_error error = {.text = ""};
		if (!el_checkers.unplace(&planes.slice, EL_BLACK, i, &position))
			continue;
		enum el_status status = el_library_value(library, &el_checkers, &position, &el_wdl,
		                                         EL_PROBE_FULL, &value, &error);
		if (status) {
			assert_int_equal(status, EL_NEGATIVE);
			assert_non_null(strstr(error.text, "no table covers checkers:"));
			assert_true(captures(&position));
		} else {
			assert_true(
				el_value_equal(value, el_plane_value(&planes.plane[EL_BLACK], i)));
		}
		known += !status;
		unknown += status != EL_OK;
	}
	assert_true(known > 0 && unknown > 0);
	el_library_close(library);
	el_planes_free(&planes);
}

/* ---- bounds ---- */

/* The value of captures if the slices with two pieces are missing; EL_BROKEN without one. */
static enum el_outcome without_two_pieces(const struct el_position *position)
{
	struct draughts_move moves[DRAUGHTS_MOVES];
	const struct draughts_board board = board_of(position);
	const size_t count = draughts_moves(&board, moves);
	enum el_outcome best = EL_BROKEN;
	for (size_t i = 0; i < count && moves[i].captures; i++) {
		struct draughts_value v;
		unsigned white = 0, black = 0;
		for (unsigned s = 1; s <= DRAUGHTS_SQUARES; s++) {
			white += strchr("KM", moves[i].after.at[s]) != NULL;
			black += strchr("km", moves[i].after.at[s]) != NULL;
		}
		assert_true(draughts_lookup(truth, &moves[i].after, &v));
		const enum el_outcome mine = white == 1 && black == 1     ? EL_UNKNOWN
		                             : v.outcome == DRAUGHTS_LOSS ? EL_WIN
		                             : v.outcome == DRAUGHTS_DRAW ? EL_DRAW
		                                                          : EL_LOSS;
		best = best == EL_BROKEN ? mine : el_outcome_max(best, mine);
	}
	return best;
}

/* Gives positions with captures that value, and leaves the others. */
static void forget_two_pieces(struct el_planes *planes)
{
	for (unsigned p = 0; p < planes->slice.planes; p++)
		for (uint64_t i = 0; i < planes->slice.positions; i++) {
			struct el_position position;
			enum el_outcome worth = EL_BROKEN;
			if (el_checkers.unplace(&planes->slice, p, i, &position))
				worth = without_two_pieces(&position);
			if (worth != EL_BROKEN)
				planes->plane[p].symbols[i] =
					symbol_of(&planes->plane[p],
				                  (struct el_value){.outcome = (uint8_t)worth});
		}
}

/* Captures determine all bounds, so none need be stored; the file still says that it is partial,
   and once the tables exist, it is exact without being made again. */
static void test_bounds(void **state)
{
	(void)state;
	struct el_planes exact = marked_planes("checkers:KMvK", &el_wdl);
	struct el_planes planes = true_planes("checkers:KMvK", &el_wdl);
	const char *path = fixture_path(folder, "a-form.egt");
	for (unsigned p = 0; p < planes.slice.planes; p++) {
		planes.plane[p].derivable = exact.plane[p].derivable;
		exact.plane[p].derivable = NULL;
	}
	forget_two_pieces(&planes);
	assert_true(el_planes_partial(&planes));
	for (unsigned fill = 0; el_fill_names[fill]; fill++) {
		struct el_table_options options = fixture_options("rle", 1024, (enum el_fill)fill);
		options.derive = EL_DERIVE_CAPTURES;
		assert_int_equal(check_form(&planes, &options).wrong, 0);
		struct el_table *table = fixture_open(path);
		assert_true(el_table_info(table)->partial);
		el_table_close(table);
	}
	write_all_but(NULL, &el_wdl);
	assert_int_equal(unlink(fixture_path(folder, "z-KMvK.egt")), 0);
	struct el_library *library = fixture_library(folder, NULL);
	struct el_planes read;
	assert_int_equal(el_library_read(library, path, NULL, NULL, &read, NULL), EL_OK);
	assert_int_equal(differences(&exact, &read), 0);
	el_planes_free(&read);
	el_library_close(library);
	el_planes_free(&exact);
	el_planes_free(&planes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_marks),          IN_FOLDER(test_last_piece), IN_FOLDER(test_men),
		IN_FOLDER(test_missing_tables), IN_FOLDER(test_bounds),
	};
	return cmocka_run_group_tests(tests, solve_truth, free_truth);
}
