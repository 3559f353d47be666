/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which files the library finds and uses, and how it looks again. */
#include "endlab/library.h"
#include "scratch.h"
#include "store_fixture.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- files and folders ---- */

static void test_directories(void **state)
{
	(void)state;
	struct el_library *library;
	struct el_error error;
	const char *file = fixture_path(folder, "file");
	fixture_write_file(file, (const uint8_t *)"x", 1);
	struct el_library_options options = {.directory = file};
	assert_int_equal(el_library_open(&options, &library, &error), EL_IO);
	assert_non_null(strstr(error.text, "file: not a directory"));
	options.directory = fixture_path(file, "below");
	assert_int_equal(el_library_open(&options, &library, &error), EL_IO);
	library = fixture_library(fixture_path(folder, "not-there-yet"), NULL);
	assert_string_equal(el_library_directory(library), fixture_path(folder, "not-there-yet"));
	el_library_close(library);
}

static void expect_list(struct el_library *library, const char *const expected[][3], size_t count)
{
	struct el_entry *entries;
	size_t found;
	assert_int_equal(el_library_list(library, &entries, &found, NULL), EL_OK);
	assert_int_equal(found, count);
	for (size_t i = 0; i < found; i++) {
		const char *name = entries[i].ignored ? entries[i].ignored : entries[i].slice.name;
		const char *metric = entries[i].ignored ? "ignored" : entries[i].metric->name;
		assert_non_null(strstr(entries[i].path, expected[i][0]));
		assert_non_null(strstr(name, expected[i][1]));
		assert_string_equal(metric, expected[i][2]);
		assert_true(entries[i].ignored || entries[i].bytes > 0);
		assert_int_equal(entries[i].ours, !entries[i].ignored);
	}
	el_entries_free(entries, found);
}

/* Folders in folders, links that go round, the same file twice, doubles, junk, no folder at all. */
static void test_what_is_found(void **state)
{
	(void)state;
	const char *own = fixture_path(folder, "own"), *other = fixture_path(folder, "other");
	const char *deep = fixture_path(other, "deep");
	assert_int_equal(mkdir(own, 0777) | mkdir(other, 0777) | mkdir(deep, 0777), 0);
	assert_int_equal(symlink("..", fixture_path(deep, "loop")), 0);
	assert_int_equal(symlink("../own", fixture_path(other, "again")), 0);
	fixture_table_only(fixture_path(own, "z.egt"), "KRvK", &el_dtm);
	fixture_table_only(fixture_path(own, "y.egt"), "KQvK", &el_wdl);
	fixture_table_only(fixture_path(own, "w.egt"), "KQvK", &el_dtm);
	fixture_table_only(fixture_path(deep, "a.egt"), "KRvK", &el_dtm);
	fixture_table_only(fixture_path(deep, "b.egt"), "KBvK", &el_dtm);
	scratch_touch(own, "junk.egt");
	scratch_touch(own, "readme.txt");
	scratch_touch(own, ".endlab-tmp-123-0");
	char paths[1200];
	snprintf(paths, sizeof paths, "%s::%s:%s", other, other, fixture_path(folder, "missing"));
	struct el_library *library = fixture_library(own, paths);
	static const char *const expected[][3] = {
		{"deep/b.egt", "KBvK", "dtm"},
		{"own/y.egt", "KQvK", "wdl"},
		{"own/w.egt", "KQvK", "dtm"},
		{"own/z.egt", "KRvK", "dtm"},
		{"missing", "cannot read: No such file", "ignored"},
		{"deep/a.egt", "KRvK dtm is taken from", "ignored"},
		{"own/junk.egt", "another kind of file", "ignored"},
	};
	expect_list(library, expected, sizeof expected / sizeof *expected);
	struct el_slice slice;
	el_slice_parse("KQvK", &slice, NULL);
	assert_true(el_library_covers(library, &slice, &el_wdl));
	el_slice_parse("KBvK", &slice, NULL);
	assert_false(el_library_covers(library, &slice, &el_wdl));
	assert_true(el_library_covers(library, &slice, &el_dtm));
	el_library_close(library);
}

static void test_planes(void **state)
{
	(void)state;
	struct el_planes planes = fixture_table(fixture_path(folder, "q.egt"), "KQvK", &el_dtm, 5);
	struct el_planes back;
	struct el_library *library = fixture_library(folder, NULL);
	struct el_error error;
	assert_int_equal(el_library_planes(library, &planes.slice, &el_dtm, &back, &error), EL_OK);
	for (unsigned side = 0; side < 2; side++)
		assert_int_equal(fixture_differences(&planes, &back, side, false), 0);
	el_planes_free(&back);
	assert_int_equal(el_library_planes(library, &planes.slice, &el_wdl, &back, &error),
	                 EL_NEGATIVE);
	assert_non_null(strstr(error.text, "no wdl table of KQvK"));
	el_library_close(library);
	el_planes_free(&planes);
}

/* ---- looking again ---- */

/* EL_NEGATIVE where no table knows. */
static enum el_status look_up(struct el_library *library, const struct el_position *position,
                              struct el_value *value)
{
	const struct el_game *game = el_game_find("chess");
	*value = (struct el_value){EL_UNKNOWN, 0};
	return el_library_value(library, game, position, &el_dtm, EL_PROBE_FULL, value, NULL);
}

static void test_rescan(void **state)
{
	(void)state;
	const char *path = fixture_path(folder, "q.egt");
	struct el_library *library = fixture_library(folder, NULL);
	struct el_position position;
	struct el_place place;
	struct el_value value;
	const struct el_game *game = fixture_parse("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", &position);
	assert_true(game->place(&position, &place));
	assert_int_equal(look_up(library, &position, &value), EL_NEGATIVE);
	for (uint64_t seed = 1; seed < 6; seed++) {
		struct el_planes planes = fixture_table(path, "KQvK", &el_dtm, seed);
		struct el_value expected = el_plane_value(&planes.plane[place.plane], place.index);
		for (unsigned twice = 0; twice < 2; twice++) {
			assert_int_equal(el_library_rescan(library, NULL), EL_OK);
			assert_int_equal(look_up(library, &position, &value), EL_OK);
			assert_true(el_value_equal(value, expected));
		}
		el_planes_free(&planes);
	}
	assert_int_equal(unlink(path), 0);
	assert_int_equal(el_library_rescan(library, NULL), EL_OK);
	assert_int_equal(look_up(library, &position, &value), EL_NEGATIVE);
	el_library_close(library);
}

struct prober {
	struct el_library *library;
	const struct el_planes *old, *new;
	_Atomic bool *stop;
	uint64_t probes, wrong;
};

/* Each answer must come from the old table or from the new one. */
static void expect_source(const struct el_answer *answer, const struct el_metric *metric,
                          const char *file)
{
	assert_ptr_equal(answer->source.metric, metric);
	assert_string_equal(answer->source.file, file);
	assert_int_equal(*file != '\0', strstr(answer->source.detail, " 4K ") != NULL);
}

/* An answer names the table of the finest metric that knows, and keeps the name when it is gone. */
static void test_source(void **state)
{
	(void)state;
	struct el_position queen, rook;
	struct el_answer answer;
	const struct el_game *game = fixture_parse("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", &queen);
	fixture_parse("8/8/8/3k4/8/8/8/KR6 w - - 0 1", &rook);
	const char *fine = fixture_path(folder, "fine.egt");
	fixture_table_only(fixture_path(folder, "coarse.egt"), "KQvK", &el_wdl);
	fixture_table_only(fine, "KQvK", &el_dtm);
	struct el_library *library = fixture_library(folder, NULL);
	el_library_answer(library, game, &rook, EL_PROBE_FULL, &answer, NULL);
	expect_source(&answer, NULL, "");
	el_library_answer(library, game, &queen, EL_PROBE_FULL, &answer, NULL);
	expect_source(&answer, &el_dtm, "fine.egt");
	assert_int_equal(unlink(fine), 0);
	assert_int_equal(el_library_rescan(library, NULL), EL_OK);
	expect_source(&answer, &el_dtm, "fine.egt");
	el_library_answer(library, game, &queen, EL_PROBE_FULL, &answer, NULL);
	expect_source(&answer, &el_wdl, "coarse.egt");
	el_library_close(library);
}

static void *probe_on(void *context)
{
	struct prober *p = context;
	const struct el_slice *slice = &p->old->slice;
	for (uint64_t i = 0; !atomic_load(p->stop); i = (i + 997) % slice->positions, p->probes++) {
		struct el_position position;
		struct el_value v = {EL_UNKNOWN, 0};
		if (!slice->game->unplace(slice, 0, i, &position))
			continue;
		enum el_status status = el_library_value(p->library, slice->game, &position,
		                                         &el_dtm, EL_PROBE_FULL, &v, NULL);
		p->wrong += status || (!el_value_equal(v, el_plane_value(&p->old->plane[0], i)) &&
		                       !el_value_equal(v, el_plane_value(&p->new->plane[0], i)));
	}
	return NULL;
}

static void test_rescan_while_probing(void **state)
{
	(void)state;
	enum { THREADS = 3 };
	const char *path = fixture_path(folder, "q.egt");
	struct el_planes new = fixture_table(path, "KQvK", &el_dtm, 2);
	struct el_planes old = fixture_table(path, "KQvK", &el_dtm, 1);
	struct el_library *library = fixture_library(folder, NULL);
	_Atomic bool stop = false;
	struct prober probers[THREADS];
	pthread_t threads[THREADS];
	struct el_table_options options = el_table_options_default();
	for (unsigned i = 0; i < THREADS; i++) {
		probers[i] = (struct prober){library, &old, &new, &stop, 0, 0};
		assert_int_equal(pthread_create(&threads[i], NULL, probe_on, &probers[i]), 0);
	}
	for (unsigned i = 0; i < 20; i++) {
		fixture_write(path, i % 2 ? &old : &new, &options);
		assert_int_equal(el_library_rescan(library, NULL), EL_OK);
		usleep(2000);
	}
	atomic_store(&stop, true);
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		assert_true(probers[i].probes > 0);
		assert_int_equal(probers[i].wrong, 0);
	}
	el_library_close(library);
	el_planes_free(&old);
	el_planes_free(&new);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_make_folder, fixture_remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_directories), TEST(test_what_is_found),        TEST(test_planes),
		TEST(test_rescan),      TEST(test_rescan_while_probing), TEST(test_source),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
