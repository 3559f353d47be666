/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Our tables against those of others: Gaviota's depths to mate, from Debian's package gaviotatb,
   and Syzygy's results, from $ENDLAB_SYZYGY or ../shared/data/syzygy. */
#include "core/library/library.h"
#include "core/probe/probe.h"
#include "core/table/table.h"
#include "core/whole/whole.h"
#include "tests/fixtures/gaviota_fixture.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char gaviota_folder[] = "/usr/share/gaviotatb";

static const char *syzygy_folder(void)
{
	const char *own = getenv("ENDLAB_SYZYGY");
	return own && *own ? own : "../shared/data/syzygy";
}

static void need_folder(const char *where, const char *what)
{
	if (access(where, R_OK) == 0)
		return;
	printf("note: no %s at %s: not compared\n", what, where);
	skip();
}

/* ---- comparisons ---- */

struct comparison {
	struct el_library *ours, *theirs;
	const struct el_metric *metric;
	struct el_planes planes; /* ours, of one slice */
	uint64_t compared, different;
	char first[1024]; /* the first difference */
};

/* Counts a position that the other library judges differently, or not at all. */
static void compare_value(struct comparison *c, const struct el_position *position,
                          struct el_value expected)
{
	struct el_value found = {.outcome = EL_UNKNOWN};
	struct el_error error = {0};
	char fen[EL_FEN_MAX];
	enum el_status status = el_library_value(c->theirs, &el_chess, position, c->metric,
	                                         EL_PROBE_FULL, &found, &error);
	if (!c->metric->has_depth)
		expected.plies = 0;
#pragma omp atomic
	c->compared++;
	if (status == EL_OK && el_value_equal(expected, found))
		return;
#pragma omp critical
	if (c->different++ == 0) {
		el_chess.format(position, fen);
		snprintf(c->first, sizeof c->first, "%s: ours %s %u, theirs %s %u %s", fen,
		         el_outcome_name(expected.outcome), expected.plies,
		         el_outcome_name(found.outcome), found.plies, error.text);
	}
}

/* After a double step the other library must recognise the right to capture en passant. */
static void compare_rights(struct comparison *c, const struct el_position *position)
{
	struct el_move moves[EL_MOVES_MAX];
	size_t count = el_chess.moves(position, moves);
	for (size_t i = 0; i < count; i++) {
		struct el_position after;
		struct el_value expected;
		struct el_error error;
		el_chess.play(position, &moves[i], &after);
		if (after.en_passant == EL_NO_SQUARE)
			continue;
		assert_int_equal(el_library_value(c->ours, &el_chess, &after, c->metric,
		                                  EL_PROBE_FULL, &expected, &error),
		                 EL_OK);
		compare_value(c, &after, expected);
	}
}

enum how { EVERY_POSITION, EVERY_IMAGE, A_SAMPLE };

/* All positions of a plane, or of scattered indexes, `SAMPLE` in all planes. */
static void compare_plane(struct comparison *c, unsigned plane, enum how how)
{
	enum { SAMPLE = 500000 };
	uint64_t positions = c->planes.slice.positions;
	uint64_t sample = SAMPLE / (unsigned)c->planes.slice.planes;
	uint64_t count = how == A_SAMPLE ? sample : positions;
#pragma omp parallel for schedule(dynamic, 4096)
	for (uint64_t i = 0; i < count; i++) {
		uint64_t state = i;
		uint64_t index = how == A_SAMPLE ? fixture_random(&state) % positions : i;
		struct el_position position, image[IMAGES];
		if (!el_chess.unplace(&c->planes.slice, plane, index, &position))
			continue;
		struct el_value expected = el_plane_value(&c->planes.plane[plane], index);
		images_of(&el_chess, &position, image);
		for (unsigned k = 0; k < (how == EVERY_IMAGE ? IMAGES : 1); k++)
			compare_value(c, &image[k], expected);
		if (c->planes.slice.pieces > 3 && how == EVERY_POSITION)
			compare_rights(c, &position);
	}
}

static uint64_t compare_slice(struct el_library *ours, struct el_library *theirs,
                              const struct el_metric *metric, const struct el_slice *slice,
                              enum how how)
{
	struct comparison c = {.ours = ours, .theirs = theirs, .metric = metric};
	struct el_error error = {0};
	if (el_library_planes(ours, slice, &el_dtm, NULL, &c.planes, &error) != EL_OK)
		fail_msg("%s", error.text);
	for (unsigned plane = 0; plane < slice->planes; plane++)
		compare_plane(&c, plane, how);
	el_planes_free(&c.planes);
	if (c.different)
		fail_msg("%s: %llu of %llu positions differ, first %s", slice->name,
		         (unsigned long long)c.different, (unsigned long long)c.compared, c.first);
	return c.compared;
}

static void compare_slices(const char *directory, const char *paths, const struct el_metric *metric,
                           unsigned pieces, enum how (*how)(const struct el_slice *))
{
	struct el_slice slices[64];
	struct el_library *ours = fixture_library(directory, NULL);
	struct el_library *theirs = fixture_library("/nonexistent", paths);
	size_t count = el_chess.slices(pieces, slices, 64);
	for (size_t i = 0; i < count; i++) {
		const struct el_slice *slice = &slices[i];
		uint64_t compared = compare_slice(ours, theirs, metric, slice, how(slice));
		assert_true(compared > (pieces > 3 ? 200000 : 40000));
	}
	el_library_close(theirs);
	el_library_close(ours);
}

static enum how every_image(const struct el_slice *slice)
{
	(void)slice;
	return EVERY_IMAGE;
}

static enum how some_in_full(const struct el_slice *slice)
{
	static const char *const names[] = {"KPvKP", "KRvKP", "KQvKR"};
	for (unsigned i = 0; i < 3; i++)
		if (strcmp(slice->name, names[i]) == 0)
			return EVERY_POSITION;
	return A_SAMPLE;
}

static void test_gaviota(void **state)
{
	(void)state;
	need_folder(gaviota_folder, "Gaviota tables");
	for (unsigned scheme = 1; scheme <= GAVIOTA_SCHEMES; scheme++) {
		char one[64];
		snprintf(one, sizeof one, "%s/gtb%u", gaviota_folder, scheme);
		compare_slices(small_test_tables(), one, &el_dtm, 3, every_image);
	}
}

/* Writes a slice of ours as a table of theirs, reads it and compares. */
static void compare_made(const char *name, unsigned scheme, enum how how)
{
	char paths[SCRATCH_PATH + sizeof gaviota_folder + 1];
	struct el_slice slice;
	assert_int_equal(el_slice_parse(name, &slice, NULL), EL_OK);
	struct el_library *ours = fixture_library(test_tables(), NULL);
	struct el_planes planes;
	assert_int_equal(el_library_planes(ours, &slice, &el_dtm, NULL, &planes, NULL), EL_OK);
	const struct gaviota_file file = {.order = gaviota_order(&slice),
	                                  .scheme = scheme,
	                                  .value = gaviota_value_in,
	                                  .context = &planes};
	const char *path = gaviota_write(folder, &slice, &file);
	snprintf(paths, sizeof paths, "%s:%s", folder, gaviota_folder);
	struct el_library *theirs = fixture_library("/nonexistent", paths);
	compare_slice(ours, theirs, &el_dtm, &slice, how);
	el_planes_free(&planes);
	el_library_close(theirs);
	el_library_close(ours);
	assert_int_equal(unlink(path), 0);
}

/* One of each kind of numbering. */
static void test_gaviota_four(void **state)
{
	static const char *const names[] = {"KQvKR", "KBNvK", "KRRvK", "KRvKP", "KQPvK", "KPPvK"};
	(void)state;
	if (tests_are_slow()) {
		printf("note: four pieces are not compared under sanitizers and valgrind\n");
		skip();
	}
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		compare_made(names[i], 1 + i % GAVIOTA_SCHEMES, A_SAMPLE);
}

/* After a double step, of which the table knows nothing, the capture counts as well: it leads to
   KPvK. */
static void test_gaviota_en_passant(void **state)
{
	(void)state;
	need_folder(gaviota_folder, "Gaviota tables");
	if (tests_are_slow()) {
		printf("note: four pieces are not compared under sanitizers and valgrind\n");
		skip();
	}
	compare_made("KPvKP", GAVIOTA_SCHEMES, EVERY_POSITION);
}

/* ---- whole planes ---- */

/* Foreign planes equal ours, symbol by symbol. Returns the number of indexes. */
static uint64_t compare_planes(struct el_library *ours, struct el_library *theirs,
                               const struct el_slice *slice, const struct el_metric *metric)
{
	struct el_planes dtm, expected, found;
	struct el_error error = {0};
	if (el_library_planes(ours, slice, &el_dtm, NULL, &dtm, &error) ||
	    el_planes_read(&dtm, metric, &expected, &error) ||
	    el_library_find(theirs, slice, metric, &error) ||
	    el_library_planes(theirs, slice, metric, NULL, &found, &error))
		fail_msg("%s", error.text);
	el_planes_mark_broken(&expected);
	for (unsigned i = 0; i < slice->planes; i++) {
		const struct el_plane *a = &expected.plane[i], *b = &found.plane[i];
		assert_int_equal(el_plane_canonical(&expected.plane[i], slice->positions, NULL),
		                 EL_OK);
		assert_int_equal(a->value_count, b->value_count);
		for (uint32_t v = 0; v < a->value_count; v++)
			assert_true(el_value_equal(a->values[v], b->values[v]));
		assert_memory_equal(a->symbols, b->symbols, slice->positions * sizeof *a->symbols);
	}
	assert_false(found.rounded);
	assert_ptr_equal(found.metric, metric);
	el_planes_free(&dtm);
	el_planes_free(&expected);
	el_planes_free(&found);
	return slice->positions * slice->planes;
}

static void compare_all_planes(const char *directory, const char *paths,
                               const struct el_metric *metric, const char *const *names)
{
	struct el_library *ours = fixture_library(directory, NULL);
	struct el_library *theirs = fixture_library("/nonexistent", paths);
	uint64_t compared = 0;
	for (size_t i = 0; names[i]; i++) {
		struct el_slice slice;
		assert_int_equal(el_slice_parse(names[i], &slice, NULL), EL_OK);
		compared += compare_planes(ours, theirs, &slice, metric);
	}
	assert_true(compared > 400000);
	el_library_close(theirs);
	el_library_close(ours);
}

static const char *const three[] = {"KQvK", "KRvK", "KBvK", "KNvK", "KPvK", NULL};

static void test_gaviota_planes(void **state)
{
	(void)state;
	need_folder(gaviota_folder, "Gaviota tables");
	compare_all_planes(small_test_tables(), gaviota_folder, &el_dtm, three);
}

static void test_syzygy_planes(void **state)
{
	(void)state;
	need_folder(syzygy_folder(), "Syzygy tables");
	compare_all_planes(small_test_tables(), syzygy_folder(), &el_wdl_rule[EL_RULE_USUAL - 1],
	                   three);
}

/* Pawns of both sides, like pieces, one plane. */
static void test_four_planes(void **state)
{
	static const char *const four[] = {"KPvKP", "KQvKR", "KNNvK", "KRvKR", NULL};
	(void)state;
	need_folder(syzygy_folder(), "Syzygy tables");
	if (tests_are_slow()) {
		printf("note: planes of four pieces are not compared under sanitizers and "
		       "valgrind\n");
		skip();
	}
	compare_all_planes(test_tables(), syzygy_folder(), &el_wdl_rule[EL_RULE_USUAL - 1], four);
}

/* A file is read by its path, wherever it lies; the files that its captures lead to must be
   found. */
static void test_by_path(void **state)
{
	(void)state;
	need_folder(syzygy_folder(), "Syzygy tables");
	char path[512];
	struct el_library *library = fixture_library(small_test_tables(), NULL);
	struct el_library *empty = fixture_library("/nonexistent", NULL);
	struct el_table_info info;
	struct el_planes planes;
	struct el_error error;
	snprintf(path, sizeof path, "%s/KQvK.rtbw", syzygy_folder());
	assert_int_equal(el_library_read(library, path, NULL, &info, &planes, NULL), EL_OK);
	assert_string_equal(info.slice.name, "KQvK");
	assert_ptr_equal(info.metric, planes.metric);
	assert_true(info.bytes > 0 && !info.partial);
	el_planes_free(&planes);
	snprintf(path, sizeof path, "%s/KQvKR.rtbw", syzygy_folder());
	if (access(path, R_OK) == 0) {
		assert_int_equal(el_library_read(empty, path, NULL, NULL, &planes, &error),
		                 EL_NEGATIVE);
		assert_non_null(strstr(error.text, "no table covers K"));
	}
	el_library_close(empty);
	el_library_close(library);
}

static int stop_when_reading(void *context, const struct el_progress *progress)
{
	(void)context;
	return strcmp(progress->stage, "reading") != 0;
}

static void test_stopped(void **state)
{
	(void)state;
	need_folder(syzygy_folder(), "Syzygy tables");
	struct el_library *library = fixture_library("/nonexistent", syzygy_folder());
	const struct el_watch watch = {.tick = stop_when_reading};
	struct el_slice slice;
	struct el_planes planes;
	assert_int_equal(el_slice_parse("KPvK", &slice, NULL), EL_OK);
	assert_int_equal(el_library_planes(library, &slice, &el_wdl_rule[EL_RULE_USUAL - 1], &watch,
	                                   &planes, NULL),
	                 EL_STOPPED);
	el_library_close(library);
}

static void test_syzygy_three(void **state)
{
	(void)state;
	need_folder(syzygy_folder(), "Syzygy tables");
	compare_slices(small_test_tables(), syzygy_folder(), &el_wdl, 3, every_image);
}

static void test_syzygy_four(void **state)
{
	(void)state;
	need_folder(syzygy_folder(), "Syzygy tables");
	if (tests_are_slow()) {
		printf("note: four pieces are not compared under sanitizers and valgrind\n");
		skip();
	}
	compare_slices(test_tables(), syzygy_folder(), &el_wdl, 4, some_in_full);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gaviota),
		cmocka_unit_test_setup_teardown(test_gaviota_four, fixture_make_folder,
	                                        fixture_remove_folder),
		cmocka_unit_test_setup_teardown(test_gaviota_en_passant, fixture_make_folder,
	                                        fixture_remove_folder),
		cmocka_unit_test(test_gaviota_planes),
		cmocka_unit_test(test_syzygy_planes),
		cmocka_unit_test(test_four_planes),
		cmocka_unit_test(test_by_path),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_syzygy_three),
		cmocka_unit_test(test_syzygy_four),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
