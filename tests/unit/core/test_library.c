/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which files the library finds and uses, and how it rescans. */
#include "core/library/library.h"
#include "core/os/files.h"
#include "core/probe/probe.h"
#include "core/table/table.h"
#include "core/whole/whole.h"
#include "tests/fixtures/scratch.h"
#include "tests/fixtures/store_fixture.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
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

/* Nested folders, circular links, the same file twice, duplicates, junk, no folder at all. */
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
	assert_int_equal(el_library_planes(library, &planes.slice, &el_dtm, NULL, &back, &error),
	                 EL_OK);
	for (unsigned side = 0; side < 2; side++)
		assert_int_equal(fixture_differences(&planes, &back, side, false), 0);
	el_planes_free(&back);
	assert_int_equal(el_library_planes(library, &planes.slice, &el_wdl, NULL, &back, &error),
	                 EL_NEGATIVE);
	assert_non_null(strstr(error.text, "no wdl table of KQvK"));
	el_library_close(library);
	el_planes_free(&planes);
}

/* ---- files that are not tables, or cannot be read ---- */

/* The entry of a file; null if it is not listed. */
static const struct el_entry *entry_of(const struct el_entry *entries, size_t count,
                                       const char *name)
{
	for (const struct el_entry *e = entries; e < entries + count; e++) {
		const size_t length = strlen(e->path), end = strlen(name);
		if (length > end && !strcmp(e->path + length - end, name))
			return e;
	}
	return NULL;
}

/* Everything named like a table is listed, and only files are opened. */
static void test_what_is_no_file(void **state)
{
	(void)state;
	static const struct {
		const char *name, *why;
		enum el_status status;
	} expected[] = {
		{"/KQvK.rtbw", "found a pipe, expected a file", EL_IO},
		{"/KRvK.dtm.egt", "found a folder, expected a file", EL_IO},
		{"/KBvK.dtm.egt", "cannot open: No such file or directory", EL_IO},
		{"/KNvK.dtm.egt", "expected the first bytes of a table", EL_DAMAGED},
		{"/KQvK.rtbm", "Syzygy DTM tables are not read yet", EL_NEGATIVE},
		{"/kqk.gtb.cp0",
	         "uncompressed Gaviota tables are not read, only .gtb.cp1 to .gtb.cp4",
	         EL_NEGATIVE},
		{"/kqk.nbw.emd", "Nalimov tables are not read", EL_NEGATIVE},
		{"/std_3_3_0_0.sec",
	         "Malom tables without an order of draws are not read, only .sec2", EL_NEGATIVE},
		{"/std.secval", "it belongs to the .sec2 tables beside it", EL_NEGATIVE},
		{"/db4.idx", "an index, which is read with the .cpr table of the same name",
	         EL_NEGATIVE},
		{"/KQvK.stbw", "Syzygy tables of the suicide variant are not read", EL_NEGATIVE},
	};
	const char *other = fixture_path(folder, "other");
	const char *inside = fixture_path(other, "KRvK.dtm.egt");
	const char *made = fixture_path(other, ".endlab-tmp-1-0");
	assert_int_equal(mkdir(other, 0777) | mkdir(inside, 0777) | mkdir(made, 0777), 0);
	assert_int_equal(mkfifo(fixture_path(other, "KQvK.rtbw"), 0600), 0);
	assert_int_equal(symlink("nowhere", fixture_path(other, "KBvK.dtm.egt")), 0);
	assert_int_equal(symlink("nowhere", fixture_path(other, "readme")), 0);
	for (size_t i = 3; i < sizeof expected / sizeof *expected; i++)
		scratch_touch(other, expected[i].name + 1);
	fixture_table_only(fixture_path(inside, "a.egt"), "KPvK", &el_dtm);
	fixture_table_only(fixture_path(made, "b.egt"), "KQvKQ", &el_dtm);
	struct el_library *library = fixture_library(fixture_path(folder, "own"), other);
	struct el_entry *entries;
	size_t count;
	assert_int_equal(el_library_list(library, &entries, &count, NULL), EL_OK);
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		const struct el_entry *e = entry_of(entries, count, expected[i].name);
		assert_non_null(e);
		assert_ptr_equal(strstr(e->ignored, expected[i].why), e->ignored);
		assert_int_equal(e->status, expected[i].status);
	}
	assert_non_null(entry_of(entries, count, "/a.egt"));
	assert_int_equal(count, sizeof expected / sizeof *expected + 1);
	el_entries_free(entries, count);
	el_library_close(library);
}

/* The meaning of a table's name, as el_table_file_name makes it. */
static void test_names(void **state)
{
	(void)state;
	static const char *const good[][3] = {
		{"/some/where/KQvKR.dtm.egt", "KQvKR", "dtm"},
		{"checkers-KMvK.wdl.egt", "checkers:KMvK", "wdl"},
	};
	static const char *const bad[] = {
		"KRvKQ.dtm.egt", "KQKR.dtm.egt",    "KQvKR.egt",  "KQvKR.dtx.egt",
		"KQvKR.dtw.egt", ".dtm.egt",        "KQvKR..egt", "KXvK.dtm.egt",
		"KQvKR.dtm.gte", "KQvKR.dtm.x.egt", "",           ".egt",
		"KMvK.wdl.egt",
	};
	struct el_slice slice;
	const struct el_metric *metric;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		assert_true(file_name_parse(good[i][0], &slice, &metric));
		assert_string_equal(slice.name, good[i][1]);
		assert_string_equal(metric->name, good[i][2]);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(file_name_parse(bad[i], &slice, &metric));
}

/* Probes queen against king; leaves the message in `error`. */
static enum el_status ask_queen(struct el_library *library, const struct el_metric *metric,
                                struct el_error *error)
{
	struct el_position queen;
	struct el_value value;
	const struct el_game *game = fixture_parse("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", &queen);
	*error = (struct el_error){.text = ""};
	return el_library_value(library, game, &queen, metric, EL_PROBE_FULL, &value, error);
}

/* A table with a damaged header: that is the answer, unless another table answers. */
static void test_faults(void **state)
{
	(void)state;
	const char *path = fixture_path(folder, "KQvK.dtm.egt");
	struct el_position queen;
	struct el_slice slice;
	struct el_planes planes;
	struct el_answer answer;
	struct el_error error;
	const struct el_game *game = fixture_parse("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", &queen);
	fixture_write_file(path, (const uint8_t *)"x", 1);
	struct el_library *library = fixture_library(folder, NULL);
	el_slice_parse("KQvK", &slice, NULL);
	assert_int_equal(ask_queen(library, &el_dtm, &error), EL_DAMAGED);
	assert_non_null(strstr(error.text, path));
	assert_int_equal(ask_queen(library, &el_wdl, &error), EL_DAMAGED); /* it would have known */
	assert_int_equal(ask_queen(library, &el_dtc, &error), EL_NEGATIVE);
	assert_string_equal(error.text, "no table covers KQvK");
	assert_int_equal(el_library_answer(library, game, &queen, NULL, &answer, &error),
	                 EL_DAMAGED);
	assert_int_equal(strncmp(answer.why_unknown, "KQvK.dtm.egt: expected", 22), 0);
	assert_int_equal(answer.value[el_metric_rank(&el_wdl)].outcome, EL_UNKNOWN);
	assert_int_equal(el_library_find(library, &slice, &el_dtm, NULL), EL_DAMAGED);
	assert_int_equal(el_library_planes(library, &slice, &el_dtm, NULL, &planes, &error),
	                 EL_DAMAGED);
	assert_int_equal(el_library_planes(library, &slice, &el_wdl, NULL, &planes, &error),
	                 EL_NEGATIVE);

	fixture_table_only(fixture_path(folder, "KQvK.wdl.egt"), "KQvK", &el_wdl);
	assert_int_equal(el_library_rescan(library, NULL), EL_OK);
	assert_int_equal(ask_queen(library, &el_wdl, &error), EL_OK);
	assert_int_equal(ask_queen(library, &el_dtm, &error), EL_DAMAGED);
	assert_int_equal(el_library_find(library, &slice, &el_wdl, NULL), EL_OK);

	fixture_table_only(fixture_path(folder, "z.egt"), "KQvK", &el_dtm);
	assert_int_equal(el_library_rescan(library, NULL), EL_OK);
	assert_int_equal(ask_queen(library, &el_dtm, &error), EL_OK);
	assert_int_equal(el_library_find(library, &slice, &el_dtm, NULL), EL_OK);
	el_library_close(library);
}

/* Without descriptors no tables are visible: an error, not an empty folder. */
static void test_no_descriptors(void **state)
{
	(void)state;
	const char *other = fixture_path(folder, "other");
	struct rlimit before, none;
	struct el_error error = {.text = ""};
	assert_int_equal(mkdir(other, 0777), 0);
	fixture_table_only(fixture_path(other, "a.egt"), "KRvK", &el_dtm);
	struct el_library *own = fixture_library(other, NULL);
	struct el_library *along = fixture_library(fixture_path(folder, "none"), other);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	none.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	enum el_status of_own = el_library_rescan(own, &error);
	enum el_status of_along = el_library_rescan(along, &error);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(of_own, EL_IO);
	assert_int_equal(of_along, EL_IO);
	assert_non_null(strstr(error.text, other));
	assert_non_null(strstr(error.text, "Too many open files"));
	struct el_slice slice;
	el_slice_parse("KRvK", &slice, NULL);
	assert_true(el_library_covers(along, &slice, &el_dtm)); /* as before */
	el_library_close(own);
	el_library_close(along);
}

/* ---- rescans ---- */

/* EL_NEGATIVE if no table knows. */
static enum el_status look_up(struct el_library *library, const struct el_position *position,
                              struct el_value *value)
{
	const struct el_game *game = el_game_find("chess");
	*value = (struct el_value){.outcome = EL_UNKNOWN};
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

/* The library notices without a rescan that another program has remade a table. */
static void test_replaced_by_another_program(void **state)
{
	(void)state;
	const char *path = fixture_path(folder, "q.egt");
	struct el_position position;
	struct el_place place;
	struct el_value value;
	const struct el_game *game = fixture_parse("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", &position);
	assert_true(game->place(&position, &place));
	struct el_planes old = fixture_table(path, "KQvK", &el_dtm, 1);
	struct el_library *library = fixture_library(folder, NULL);
	assert_int_equal(look_up(library, &position, &value), EL_OK);
	struct el_planes new = fixture_table(path, "KQvK", &el_dtm, 3);
	const struct el_value before = el_plane_value(&old.plane[place.plane], place.index);
	const struct el_value after = el_plane_value(&new.plane[place.plane], place.index);
	assert_false(el_value_equal(before, after));
	el_library_forget(library, NULL);
	descriptors_close(NULL); /* as if many others had been read */
	assert_int_equal(look_up(library, &position, &value), EL_OK);
	assert_true(el_value_equal(value, after));
	el_planes_free(&old);
	el_planes_free(&new);
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

/* An answer names the table of the finest metric that knows, and keeps the name after the table has
   gone. */
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
	el_library_answer(library, game, &rook, NULL, &answer, NULL);
	expect_source(&answer, NULL, "");
	el_library_answer(library, game, &queen, NULL, &answer, NULL);
	expect_source(&answer, &el_dtm, "fine.egt");
	assert_int_equal(unlink(fine), 0);
	assert_int_equal(el_library_rescan(library, NULL), EL_OK);
	expect_source(&answer, &el_dtm, "fine.egt");
	el_library_answer(library, game, &queen, NULL, &answer, NULL);
	expect_source(&answer, &el_wdl, "coarse.egt");
	el_library_close(library);
}

static void *probe_on(void *context)
{
	struct prober *p = context;
	const struct el_slice *slice = &p->old->slice;
	for (uint64_t i = 0; !atomic_load(p->stop); i = (i + 997) % slice->positions, p->probes++) {
		struct el_position position;
		struct el_value v = {.outcome = EL_UNKNOWN};
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_directories),
		IN_FOLDER(test_what_is_found),
		IN_FOLDER(test_planes),
		IN_FOLDER(test_rescan),
		IN_FOLDER(test_rescan_while_probing),
		IN_FOLDER(test_source),
		IN_FOLDER(test_replaced_by_another_program),
		IN_FOLDER(test_what_is_no_file),
		IN_FOLDER(test_names),
		IN_FOLDER(test_faults),
		IN_FOLDER(test_no_descriptors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
