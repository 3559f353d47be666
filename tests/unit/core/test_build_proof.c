/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds that prove what they have written: which tables by default, what a stopped one leaves, and
   what becomes of a wrong or damaged file. */
#include "core/builder/build.h"
#include "core/library/summaries.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const struct el_metric *const dtm[] = {&el_dtm, NULL};

/* ---- builds ---- */

struct told {
	bool stops;     /* the proof */
	size_t solving; /* reports of solutions */
	size_t tables, proved;
};

static int note(void *context, const struct el_progress *p)
{
	struct told *told = context;
	told->solving += p && p->stage && !strcmp(p->stage, "solving");
	return !(told->stops && p && p->stage && !strcmp(p->stage, "verifying"));
}

static void note_built(void *context, const struct el_built *b)
{
	struct told *told = context;
	told->tables++;
	told->proved += b->proof && !b->proof->status && !b->proof->verdict.wrong &&
	                b->proof->verdict.checked > 0;
	assert_true(b->bytes > 0);
}

static enum el_status build(const struct el_plan_wish *wish, struct told *told,
                            struct el_error *error)
{
	struct el_library *library = fixture_library(folder, NULL);
	const struct el_build_options options = {
		.table = el_table_options_default(), .context = told, .built = note_built};
	const struct el_watch watch = {told, note};
	struct el_plan plan;
	told->solving = told->tables = told->proved = 0;
	assert_int_equal(el_plan_wished(library, wish, &plan, error), EL_OK);
	const enum el_status status = el_build(library, &plan, &options, &watch, error);
	el_plan_free(&plan);
	el_library_close(library);
	return status;
}

static struct el_slice slice_of(const char *name)
{
	struct el_slice slice;
	assert_int_equal(el_slice_parse(name, &slice, NULL), EL_OK);
	return slice;
}

/* The one file whose name has this part; empty: there is none. */
static const char *find(const char *part)
{
	static char path[SCRATCH_PATH + 256];
	DIR *dir = opendir(folder);
	assert_non_null(dir);
	*path = '\0';
	for (const struct dirent *e; (e = readdir(dir));)
		if (strstr(e->d_name, part)) {
			assert_string_equal(path, "");
			snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
		}
	closedir(dir);
	return path;
}

/* Leaves the table of a build that was stopped while it proved it. Returns its path. */
static const char *stop_in_proof(const struct el_plan_wish *wish)
{
	struct told told = {.stops = true};
	struct el_error error;
	assert_int_equal(build(wish, &told, &error), EL_STOPPED);
	const char *held = find(".unverified-");
	assert_string_not_equal(held, "");
	return held;
}

/* ---- which tables ---- */

static bool proves(const char *name, const struct el_metric *metric, struct el_plan_wish wish)
{
	struct el_library *library = fixture_library(folder, NULL);
	const struct el_slice slice = slice_of(name);
	const struct el_metric *const metrics[] = {metric, NULL};
	struct el_error error;
	struct el_plan plan;
	wish.slices = &slice;
	wish.count = 1;
	wish.metrics = wish.partial ? NULL : metrics;
	assert_int_equal(el_plan_wished(library, &wish, &plan, &error), EL_OK);
	const bool last = plan.tasks[plan.count - 1].proves;
	el_plan_free(&plan);
	el_library_close(library);
	return last;
}

static void test_which_tables(void **state)
{
	const struct el_plan_wish cheap = {.proves = EL_PROVE_CHEAP},
				  all = {.proves = EL_PROVE_ALL};
	(void)state;
	assert_true(proves("KQvKR", &el_dtm, cheap));
	assert_true(proves("KQvKR", &el_wdl, cheap));
	assert_true(proves("KRPvKR", &el_dtm, cheap));
	/* position by position, or no faster than it is solved */
	assert_false(proves("KQvKR", &el_dtr, cheap));
	assert_false(proves("morris:4v3", &el_dtw, cheap));
	assert_false(proves("KPvKP", &el_wdl,
	                    (struct el_plan_wish){.partial = true, .proves = EL_PROVE_CHEAP}));
	/* its proof does not fit, unless it can be had piece by piece */
	assert_false(proves("KRPvKR", el_metric_find("win"),
	                    (struct el_plan_wish){.memory = 1 << 20, .proves = EL_PROVE_CHEAP}));
	assert_true(proves("KRPvKR", &el_dtm,
	                   (struct el_plan_wish){.memory = 1 << 20, .proves = EL_PROVE_CHEAP}));
	/* read off, where the tables that a proof needs are missing */
	fixture_build_in(folder, "KQvK KRvK KBvK KNvK KPvK", dtm);
	assert_true(proves("KPvK", &el_wdl, cheap));
	unlink(fixture_path(folder, "KQvK.dtm.egt"));
	assert_false(proves("KPvK", &el_wdl, cheap));
	assert_true(proves("KQvKR", &el_dtr, all));
	assert_true(proves("morris:4v3", &el_dtw, all));
	assert_false(proves("KQvKR", &el_dtm, (struct el_plan_wish){.proves = EL_PROVE_NOTHING}));
}

static void test_too_large_a_proof(void **state)
{
	const struct el_slice slice = slice_of("KQvKR");
	const struct el_metric *const win[] = {el_metric_find("win"), NULL};
	const struct el_plan_wish wish = {.slices = &slice,
	                                  .count = 1,
	                                  .metrics = win,
	                                  .memory = 1 << 20,
	                                  .proves = EL_PROVE_ALL};
	struct told told = {.stops = false};
	struct el_error error;
	(void)state;
	assert_int_equal(build(&wish, &told, &error), EL_NEGATIVE);
	assert_non_null(strstr(error.text, "KQvKR win needs"));
	assert_non_null(strstr(error.text, "--no-verify"));
	assert_int_equal(told.tables, 0);
}

/* ---- what is kept of it ---- */

static void test_summaries(void **state)
{
	const struct el_slice slice = slice_of("KPvK");
	struct el_plan_wish wish = {.slices = &slice, .count = 1, .proves = EL_PROVE_CHEAP};
	struct told told = {.stops = false};
	struct el_error error;
	struct el_entry *entries;
	size_t count;
	(void)state;
	for (int proved = 1; proved >= 0; proved--) {
		assert_int_equal(build(&wish, &told, &error), EL_OK);
		assert_true(told.tables > 0);
		assert_int_equal(told.proved, proved ? told.tables : 0);
		struct el_library *library = fixture_library(folder, NULL);
		assert_int_equal(el_library_list(library, &entries, &count, &error), EL_OK);
		for (size_t i = 0; i < count; i++)
			if (proved || el_slice_equal(&entries[i].slice, &slice))
				assert_int_equal(el_summary_holds(&entries[i].summary), proved);
		el_entries_free(entries, count);
		el_library_close(library);
		wish.proves = EL_PROVE_NOTHING; /* the new file is not the one that was proved */
		wish.replace = true;
	}
	assert_string_equal(find("unverified"), "");
}

/* The way is a number behind "all", which the first versions read and ignore. */
static void test_the_way(void **state)
{
	const struct el_slice slice = slice_of("KQvK");
	struct el_error error;
	struct el_entry *entries;
	struct stat is;
	size_t count, size;
	(void)state;
	fixture_build_in(folder, "KQvK", dtm);
	const char *path = fixture_path(folder, "KQvK.dtm.egt");
	struct el_table *table = fixture_open(path);
	const struct reads reads = {.count = 0};
	struct summary summary = {
		.table = path,
		.identity = el_table_info(table)->checksum,
		.reads = &reads,
		.told = {.verified = EL_VERIFIED, .positions = 46137, .version = "1.0.0"}};
	el_table_close(table);
	assert_int_equal(stat(path, &is), 0);
	summary.written = is.st_mtim;
	for (int by_planes = 0; by_planes < 2; by_planes++) {
		summary.told.by_planes = by_planes;
		assert_int_equal(summaries_add(&summary, &error), EL_OK);
		char *text =
			(char *)fixture_read_file(fixture_path(folder, ".verified.tsv"), &size);
		assert_non_null(memmem(text, size,
		                       by_planes ? "\tall:46137\t46137\t0\t" : "\tall\t46137\t0\t",
		                       by_planes ? 19 : 13));
		free(text);
		struct el_library *library = fixture_library(folder, NULL);
		assert_int_equal(el_library_list(library, &entries, &count, &error), EL_OK);
		assert_true(count == 1 && el_slice_equal(&entries[0].slice, &slice));
		assert_true(el_summary_holds(&entries[0].summary));
		assert_int_equal(entries[0].summary.by_planes, by_planes);
		assert_int_equal(entries[0].summary.positions, 46137);
		el_entries_free(entries, count);
		el_library_close(library);
	}
}

/* ---- stopped and gone on ---- */

static void test_goes_on(void **state)
{
	const struct el_slice slice = slice_of("KQvK");
	const struct el_plan_wish wish = {.slices = &slice, .count = 1, .proves = EL_PROVE_CHEAP};
	struct told told = {.stops = false};
	struct el_error error;
	struct el_solution solution;
	(void)state;
	stop_in_proof(&wish);
	assert_string_equal(find(".egt"), "");
	/* stopped again */
	stop_in_proof(&wish);
	assert_int_equal(build(&wish, &told, &error), EL_OK);
	assert_int_equal(told.tables, 1);
	assert_int_equal(told.proved, 1);
	assert_int_equal(told.solving, 0);
	assert_string_equal(find("unverified"), "");
	/* the same file, and the journal knows how it was made */
	assert_int_equal(el_solution_find(folder, &slice, &el_dtm, &solution, &error), EL_OK);
	assert_int_equal(solution.passes, 20);
	char other[SCRATCH_PATH];
	scratch_make(other);
	fixture_build_in(other, "KQvK", dtm);
	fixture_same_files(fixture_path(other, "KQvK.dtm.egt"),
	                   fixture_path(folder, "KQvK.dtm.egt"));
	fixture_remove(other);
}

/* Another build has no use for it: with other options, or with other sub-tables. */
static void test_what_is_not_taken_up(void **state)
{
	const struct el_slice slice = slice_of("KQvK");
	const struct el_plan_wish wish = {.slices = &slice, .count = 1, .proves = EL_PROVE_CHEAP};
	struct el_build_options options = {.table = el_table_options_preset(EL_PRESET_FAST)};
	struct el_error error;
	struct el_plan plan;
	(void)state;
	stop_in_proof(&wish);
	struct el_library *library = fixture_library(folder, NULL);
	assert_int_equal(el_plan_wished(library, &wish, &plan, &error), EL_OK);
	assert_int_equal(el_build(library, &plan, &options, NULL, &error), EL_OK);
	struct el_table *table = fixture_open(fixture_path(folder, "KQvK.dtm.egt"));
	assert_string_equal(el_table_info(table)->options.codec.codec->name, "raw");
	el_table_close(table);
	/* Now there is a newer table, and the next build sweeps what is left. */
	assert_int_equal(el_build(library, &(struct el_plan){0}, &options, NULL, &error), EL_OK);
	assert_string_equal(find("unverified"), "");
	el_plan_free(&plan);
	el_library_close(library);
}

/* ---- wrong, and damaged ---- */

/* The file has been written soundly, with a wrong value: only a proof can tell. */
static void test_wrong(void **state)
{
	const struct el_slice slice = slice_of("KQvK");
	struct el_plan_wish wish = {.slices = &slice, .count = 1, .proves = EL_PROVE_CHEAP};
	const struct el_table_options options = el_table_options_default();
	struct told told = {.stops = false};
	struct el_error error;
	size_t size, kept;
	(void)state;
	assert_int_equal(build(&wish, &told, &error), EL_OK);
	struct el_library *library = fixture_library(folder, NULL);
	struct el_planes planes = fixture_stored(library, "KQvK", &el_dtm);
	struct el_position position;
	uint64_t index = 1000;
	while (!slice.game->unplace(&slice, 0, index, &position) ||
	       el_plane_value(&planes.plane[0], index).outcome != EL_WIN)
		index++;
	planes.plane[0].symbols[index]--; /* the value before it */
	el_library_close(library);
	uint8_t *before = fixture_read_file(fixture_path(folder, "KQvK.dtm.egt"), &size);
	wish.replace = true;
	fixture_write(stop_in_proof(&wish), &planes, &options);
	el_planes_free(&planes);
	assert_int_equal(build(&wish, &told, &error), EL_NEGATIVE);
	assert_int_equal(told.tables, 0);
	assert_non_null(strstr(error.text, fixture_path(folder, "KQvK.dtm.egt: what was written")));
	assert_non_null(strstr(error.text, " is wrong in "));
	assert_non_null(strstr(error.text, " of 46137 positions"));
	assert_non_null(strstr(error.text, "expected win in "));
	assert_non_null(strstr(error.text, "KQvK.dtm.egt.wrong"));
	assert_string_equal(find(".wrong"), fixture_path(folder, "KQvK.dtm.egt.wrong"));
	assert_string_equal(find("unverified"), "");
	/* The older table is there as it was, and still counts as verified. */
	uint8_t *after = fixture_read_file(fixture_path(folder, "KQvK.dtm.egt"), &kept);
	assert_int_equal(kept, size);
	assert_memory_equal(before, after, size);
	free(before);
	free(after);
	struct el_entry *entries;
	size_t count;
	library = fixture_library(folder, NULL);
	assert_int_equal(el_library_list(library, &entries, &count, &error), EL_OK);
	assert_true(count == 1 && el_summary_holds(&entries[0].summary));
	el_entries_free(entries, count);
	el_library_close(library);
	/* The next build begins anew. */
	assert_int_equal(build(&wish, &told, &error), EL_OK);
	assert_int_equal(told.proved, 1);
}

static void test_damaged(void **state)
{
	const struct el_slice slice = slice_of("KQvK");
	const struct el_plan_wish wish = {.slices = &slice, .count = 1, .proves = EL_PROVE_CHEAP};
	struct told told = {.stops = false};
	struct el_error error;
	size_t size;
	(void)state;
	for (int part = 0; part < 2; part++) { /* the header; a block */
		const char *held = stop_in_proof(&wish);
		uint8_t *bytes = fixture_read_file(held, &size);
		bytes[part ? size / 2 : 8] ^= 1;
		fixture_write_file(held, bytes, size);
		free(bytes);
		assert_int_equal(build(&wish, &told, &error), EL_DAMAGED);
		assert_non_null(strstr(error.text, "is damaged, and kept as "));
		assert_string_equal(find("unverified"), "");
		assert_string_equal(find(".egt"), fixture_path(folder, "KQvK.dtm.egt.wrong"));
		unlink(find(".wrong"));
	}
	assert_int_equal(build(&wish, &told, &error), EL_OK);
	assert_int_equal(told.proved, 1);
}

/* A fault of a sub-table is no fault of the new file, which the next build takes up. */
static void test_damaged_subtable(void **state)
{
	const struct el_slice slice = slice_of("KPvK");
	const struct el_plan_wish wish = {.slices = &slice, .count = 1, .proves = EL_PROVE_CHEAP};
	struct told told = {.stops = false};
	struct el_error error;
	size_t size;
	(void)state;
	fixture_build_in(folder, "KQvK KRvK KBvK KNvK", dtm);
	const char *table = fixture_path(folder, "KQvK.dtm.egt");
	stop_in_proof(&wish);
	uint8_t *bytes = fixture_read_file(table, &size);
	bytes[size / 2] ^= 1;
	fixture_write_file(table, bytes, size);
	assert_int_equal(build(&wish, &told, &error), EL_DAMAGED);
	assert_int_equal(strncmp(error.text, table, strlen(table)), 0);
	assert_string_not_equal(find(".unverified-"), "");
	bytes[size / 2] ^= 1;
	fixture_write_file(table, bytes, size);
	free(bytes);
	assert_int_equal(build(&wish, &told, &error), EL_OK);
	assert_int_equal(told.solving, 0);
	assert_int_equal(told.proved, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_which_tables),
		IN_FOLDER(test_too_large_a_proof),
		IN_FOLDER(test_summaries),
		IN_FOLDER(test_the_way),
		IN_FOLDER(test_goes_on),
		IN_FOLDER(test_what_is_not_taken_up),
		IN_FOLDER(test_wrong),
		IN_FOLDER(test_damaged),
		IN_FOLDER(test_damaged_subtable),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
