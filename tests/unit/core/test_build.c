/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds in directories of their own: continuing, and the remains of others. */
#include "core/os/lock.h"
#include "core/os/temporary.h"
#include "core/table/table.h"
#include "tests/fixtures/store_fixture.h"

#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const struct el_metric *const dtm[] = {&el_dtm, NULL};
static const struct el_metric *const wdl[] = {&el_wdl, NULL};
static const struct el_metric *const both[] = {&el_wdl, &el_dtm, NULL};

static enum el_status build(struct el_library *library, const char *names,
                            const struct el_metric *const *metrics, const struct el_watch *watch,
                            struct el_error *error)
{
	struct el_plan plan = fixture_plan(library, names, metrics);
	struct el_build_options options = {.table = el_table_options_default()};
	enum el_status status = el_build(library, &plan, &options, watch, error);
	el_plan_free(&plan);
	return status;
}

/* Without those of positions with castling rights. */
static size_t tables_in(const char *directory)
{
	return scratch_count(directory, ".egt") - scratch_count(directory, "+castling.");
}

/* ---- builds ---- */

static void test_file_name(void **state)
{
	(void)state;
	struct el_slice slice;
	struct el_error error;
	char name[SCRATCH_PATH];
	assert_int_equal(el_slice_parse("KQKR", &slice, &error), EL_OK);
	el_table_file_name("/some/where", &slice, &el_dtm, name, sizeof name);
	assert_string_equal(name, "/some/where/KQvKR.dtm.egt");
}

/* What `built` reported. */
struct record {
	size_t calls;
	char text[SCRATCH_PATH];
	unsigned passes;
};

static void record_built(void *context, const struct el_built *b)
{
	struct record *r = context;
	size_t used = strlen(r->text);
	r->calls++;
	r->passes = b->passes;
	assert_int_equal(b->number, r->calls);
	assert_true(b->bytes > 0 && b->solve_seconds >= 0 && b->write_seconds >= 0);
	snprintf(r->text + used, sizeof r->text - used, "%s.%s ", b->task->slice.name,
	         b->task->metric->name);
}

static void test_build_makes_missing_directories(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH], deep[SCRATCH_PATH + 16], middle[SCRATCH_PATH + 16];
	struct record record = {0};
	struct el_error error = {0};
	scratch_make(directory);
	snprintf(middle, sizeof middle, "%s/a", directory);
	snprintf(deep, sizeof deep, "%s/a/b", directory);
	struct el_library *library = fixture_library(deep, NULL);
	struct el_plan plan = fixture_plan(library, "KQvK", both);
	struct el_build_options options = {
		.table = el_table_options_default(), .context = &record, .built = record_built};
	assert_int_equal(el_build(library, &plan, &options, NULL, &error), EL_OK);
	assert_string_equal(record.text, "KQvK.dtm KQvK.wdl ");
	assert_int_equal(plan.count, 2);
	assert_true(el_library_covers(library, &plan.tasks[0].slice, &el_dtm)); /* at once */
	assert_true(scratch_has(deep, "KQvK.dtm.egt") && scratch_has(deep, "KQvK.wdl.egt"));
	el_plan_free(&plan);
	el_library_close(library);
	scratch_remove(deep);
	scratch_remove(middle);
	scratch_remove(directory);
}

static void test_outcomes_are_the_same_either_way(void **state)
{
	(void)state;
	const struct el_metric *const dtz5 = &el_dtz_rule[4], *const wdl5 = &el_wdl_rule[4];
	const struct el_metric *const depths[] = {&el_dtm, dtz5, &el_dtr, &el_dtr};
	const struct el_metric *const outcomes[] = {&el_wdl, wdl5, wdl5, &el_win};
	for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
		char with[SCRATCH_PATH], without[SCRATCH_PATH], file[EL_SLICE_MAX + 32];
		scratch_make(with);
		scratch_make(without);
		fixture_build_in(with, "KPvK",
		                 (const struct el_metric *[]){depths[i], outcomes[i], NULL});
		fixture_build_in(without, "KPvK", (const struct el_metric *[]){outcomes[i], NULL});
		snprintf(file, sizeof file, "KPvK.%s.egt", outcomes[i]->name);
		scratch_assert_same(with, without, file);
		snprintf(file, sizeof file, ".%s.", depths[i]->name);
		assert_int_equal(scratch_count(without, file), 0);
		scratch_remove(with);
		scratch_remove(without);
	}
}

/* ---- being stopped, killed, or not alone ---- */

static int stop_now(void *context, const struct el_progress *progress)
{
	return strcmp(progress->stage, context) != 0;
}

/* Stops just before the table of this number (from 0) is built. */
static int stop_at_table(void *context, const struct el_progress *progress)
{
	return strcmp(progress->stage, "building") || progress->done < *(const double *)context;
}

static void test_stop_and_go_on(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH];
	double table = 2;
	struct el_watch watch = {&table, stop_at_table};
	struct el_error error = {0};
	scratch_make(directory);
	struct el_library *library = fixture_library(directory, NULL);
	const int threads = omp_get_max_threads();
	omp_set_num_threads(1); /* one table after the other */
	assert_int_equal(build(library, "KPvK", dtm, &watch, &error), EL_STOPPED);
	omp_set_num_threads(threads);
	assert_string_equal(error.text, "stopped after 2 of 5 tables");
	assert_int_equal(tables_in(directory), 2);
	struct el_plan rest = fixture_plan(library, "KPvK", dtm);
	assert_int_equal(rest.count, 3);
	el_plan_free(&rest);
	assert_int_equal(build(library, "KPvK", dtm, NULL, &error), EL_OK);
	assert_int_equal(tables_in(directory), 5);
	el_library_close(library);
	scratch_remove(directory);
}

/* What a table leaves out takes long to derive: a build that goes on finds the copies of the one before. */
static void test_copies_outlive_a_stop(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH], straight[SCRATCH_PATH], copies[SCRATCH_PATH + 16];
	double table = 8;
	struct el_watch watch = {&table, stop_at_table};
	struct el_error error = {0};
	scratch_make(directory);
	scratch_make(straight);
	snprintf(copies, sizeof copies, "%s/.endlab-copies", directory);
	const int threads = omp_get_max_threads();
	omp_set_num_threads(1);
	struct el_build_options options = {.table = {.preset = EL_PRESET_USUAL}};
	for (int stopped = 1; stopped >= 0; stopped--) {
		struct el_library *library = fixture_library(directory, NULL);
		struct el_plan plan = fixture_plan(library, "checkers:KMvKM", wdl);
		assert_int_equal(
			el_build(library, &plan, &options, stopped ? &watch : NULL, &error),
			stopped ? EL_STOPPED : EL_OK);
		assert_true(scratch_has(directory, ".endlab-copies") == stopped);
		if (stopped)
			assert_true(scratch_count(copies, ".copy") > 0);
		el_plan_free(&plan);
		el_library_close(library);
	}
	/* A copy of another set stays. */
	struct el_library *library = fixture_library(directory, NULL);
	assert_int_equal(mkdir(copies, 0777), 0);
	scratch_touch(copies, "0123456789abcdef.copy");
	assert_int_equal(build(library, "KQvKR", wdl, NULL, &error), EL_OK);
	assert_int_equal(scratch_count(copies, ".copy"), 1);
	scratch_remove(copies);
	el_library_close(library);
	library = fixture_library(straight, NULL);
	struct el_plan plan = fixture_plan(library, "checkers:KMvKM", wdl);
	assert_int_equal(el_build(library, &plan, &options, NULL, &error), EL_OK);
	for (size_t i = 0; i < plan.count; i++) {
		char path[SCRATCH_PATH + EL_SLICE_MAX];
		el_table_file_name(straight, &plan.tasks[i].slice, &el_wdl, path, sizeof path);
		scratch_assert_same(directory, straight, strrchr(path, '/') + 1);
	}
	el_plan_free(&plan);
	el_library_close(library);
	omp_set_num_threads(threads);
	scratch_remove(directory);
	scratch_remove(straight);
}

static void test_stop_in_the_middle_leaves_nothing(void **state)
{
	(void)state;
	static char stages[][16] = {"solving", "writing"};
	for (int i = 0; i < 2; i++) {
		char directory[SCRATCH_PATH];
		struct el_watch watch = {stages[i], stop_now};
		struct el_error error = {0};
		scratch_make(directory);
		struct el_library *library = fixture_library(directory, NULL);
		assert_int_equal(build(library, "KRvK", dtm, &watch, &error), EL_STOPPED);
		assert_int_equal(tables_in(directory), 0);
		el_library_close(library);
		scratch_remove(directory);
	}
}

static int die(void *context, const struct el_progress *progress)
{
	if (!strcmp(progress->what, context) && !strcmp(progress->stage, "writing"))
		raise(SIGKILL);
	return 1;
}

/* This program called as PROGRAM DIRECTORY: it dies while it writes its third table there. It is a
   separate program, because a forked one cannot rely on OpenMP's threads. */
static const char *program;

static int build_and_die(const char *directory)
{
	static char victim[] = "KBvK dtm";
	struct el_watch watch = {victim, die};
	struct el_error error;
	omp_set_num_threads(1); /* one table after the other */
	return (int)build(fixture_library(directory, NULL), "KQvK KRvK KBvK", dtm, &watch, &error);
}

/* Two tables stay, and the next build continues from there. */
static void test_killed_and_go_on(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH];
	struct el_error error = {0};
	scratch_make(directory);
	pid_t child = fork();
	assert_true(child >= 0);
	if (!child) {
		execl(program, program, directory, (char *)NULL);
		_exit(127);
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_true(scratch_has(directory, "KQvK.dtm.egt"));
	assert_true(scratch_has(directory, "KRvK.dtm.egt"));
	assert_false(scratch_has(directory, "KBvK.dtm.egt"));

	struct el_library *library = fixture_library(directory, NULL);
	struct el_plan rest = fixture_plan(library, "KQvK KRvK KBvK", dtm);
	assert_int_equal(rest.count, 1);
	assert_string_equal(rest.tasks[0].slice.name, "KBvK");
	el_plan_free(&rest);
	assert_int_equal(build(library, "KBvK", dtm, NULL, &error), EL_OK);
	assert_int_equal(tables_in(directory), 3);
	assert_int_equal(scratch_count(directory, ".tmp"), 0);
	el_library_close(library);
	scratch_remove(directory);
}

static void test_only_dead_builds_are_cleaned_up(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH], path[SCRATCH_PATH + 64], dead[64], far[64], live[64];
	scratch_make(directory);
	pid_t child = fork();
	assert_true(child >= 0);
	if (!child)
		_exit(0);
	assert_int_equal(waitpid(child, NULL, 0), child); /* no process has its number now */
	snprintf(dead, sizeof dead, ".endlab-tmp-%d-0", (int)child);
	/* a process of another machine */
	snprintf(far, sizeof far, ".endlab-tmp-%d-1", (int)child);
	snprintf(live, sizeof live, ".endlab-tmp-%d-7", (int)getpid());
	const char *const others[] = {"notes.tmp.999999999", ".endlab-tmp-999999999",
	                              ".endlab-tmp-999999999-", ".endlab-tmp-999999999-0x"};
	scratch_touch(directory, dead);
	scratch_touch(directory, far);
	scratch_touch(directory, live);
	for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
		scratch_touch(directory, others[i]);
	snprintf(path, sizeof path, "%s/%s", directory, far);
	int lock = open(path, O_RDONLY);
	assert_int_equal(flock(lock, LOCK_EX), 0);
	fixture_build_in(directory, "KNvK", dtm);
	assert_false(scratch_has(directory, dead));
	assert_true(scratch_has(directory, far));
	assert_true(scratch_has(directory, live));
	for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
		assert_true(scratch_has(directory, others[i]));
	close(lock);
	el_temporaries_sweep(directory);
	assert_false(scratch_has(directory, far));
	scratch_remove(directory);
}

/* What `met` reported, in one line. */
static void record_met(void *context, const struct el_met *met)
{
	static const char *const words[] = {"wait", "taken", "stale"};
	char *text = context;
	const size_t used = strlen(text);
	snprintf(text + used, SCRATCH_PATH - used, "%s %s; ", words[met->what],
	         met->task->slice.name);
}

/* Lines of the directory's journal. */
static unsigned count_lines(const char *directory)
{
	char path[2 * SCRATCH_PATH];
	unsigned lines = 0;
	snprintf(path, sizeof path, "%s/.journal.tsv", directory);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	for (int c; (c = getc(file)) != EOF;)
		lines += c == '\n';
	fclose(file);
	return lines;
}

/* Another build, in a thread with its own library. */
static void *build_beside(void *directory)
{
	struct el_error error = {0};
	struct el_library *library = fixture_library(directory, NULL);
	enum el_status status = build(library, "KQvK KRvK KBvK KNvK", dtm, NULL, &error);
	el_library_close(library);
	return status ? directory : NULL;
}

/* If two builds make the same tables, one of them makes each table, and both end with all of
   them. */
static void test_two_builds(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH], met[SCRATCH_PATH] = "";
	struct el_error error = {0};
	pthread_t beside;
	void *failed;
	scratch_make(directory);
	struct el_library *library = fixture_library(directory, NULL);
	struct el_plan plan = fixture_plan(library, "KNvK KBvK KRvK KQvK KPvK", dtm);
	struct el_build_options options = {
		.table = el_table_options_default(), .context = met, .met = record_met};
	assert_int_equal(pthread_create(&beside, NULL, build_beside, directory), 0);
	assert_int_equal(el_build(library, &plan, &options, NULL, &error), EL_OK);
	assert_int_equal(pthread_join(beside, &failed), 0);
	assert_null(failed);
	assert_null(strstr(met, "stale"));
	assert_int_equal(tables_in(directory), 5);
	assert_int_equal(scratch_count(directory, ".endlab-"), 0);
	assert_int_equal(count_lines(directory), 5); /* lines of the journal: one a table made */
	el_plan_free(&plan);
	el_library_close(library);
	scratch_remove(directory);
}

/* A running build has claimed the first table: this one makes the others meanwhile. The other then
   releases it without a table. */
static int let_go(void *context, const struct el_progress *progress)
{
	if (!strcmp(progress->stage, "waiting for")) {
		lock_release(*(struct lock **)context);
		*(struct lock **)context = NULL;
	}
	return 1;
}

static void test_locked_tables_are_waited_for(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH], path[2 * SCRATCH_PATH], met[SCRATCH_PATH] = "";
	struct el_error error = {0};
	struct lock_sight sight = {.who = ""};
	struct lock *lock;
	scratch_make(directory);
	snprintf(path, sizeof path, "%s/.endlab-claim-KRvK.dtm", directory);
	assert_int_equal(lock_take(path, LOCK_STALE_SECONDS, &sight, &lock, &error), EL_OK);
	struct el_library *library = fixture_library(directory, NULL);
	struct el_plan plan = fixture_plan(library, "KRvKR KQvK", dtm);
	struct el_build_options options = {
		.table = el_table_options_default(), .context = met, .met = record_met};
	const struct el_watch watch = {&lock, let_go};
	assert_int_equal(el_build(library, &plan, &options, &watch, &error), EL_OK);
	assert_string_equal(met, "wait KRvK; ");
	assert_int_equal(tables_in(directory), 3);
	el_plan_free(&plan);
	el_library_close(library);
	scratch_remove(directory);
}

/* A build that is asked for one table of three makes the others only while that one is locked, with
   any number of threads. */
static void test_until(void **state)
{
	(void)state;
	const int before = omp_get_max_threads();
	for (int i = 0; i < 4; i++) {
		const bool locked = i % 2;
		char directory[SCRATCH_PATH], path[2 * SCRATCH_PATH], met[SCRATCH_PATH] = "";
		struct el_error error = {0};
		struct lock_sight sight = {.who = ""};
		struct lock *lock = NULL;
		scratch_make(directory);
		omp_set_num_threads(i < 2 ? 1 : 3);
		snprintf(path, sizeof path, "%s/.endlab-claim-KRvKB.dtm", directory);
		if (locked)
			assert_int_equal(lock_take(path, LOCK_STALE_SECONDS, &sight, &lock, &error),
			                 EL_OK);
		struct el_library *library = fixture_library(directory, NULL);
		struct el_plan plan = fixture_plan(library, "KQvK KNvK KRvKB", dtm);
		struct el_build_options options = {.table = el_table_options_default(),
		                                   .context = met,
		                                   .met = record_met,
		                                   .until = &plan.tasks[4]};
		const struct el_watch watch = {&lock, let_go};
		assert_string_equal(options.until->slice.name, "KRvKB");
		assert_int_equal(el_build(library, &plan, &options, &watch, &error), EL_OK);
		assert_string_equal(met, locked ? "wait KRvKB; " : "");
		assert_int_equal(tables_in(directory), locked ? 5 : 3);
		assert_true(scratch_has(directory, "KRvKB.dtm.egt"));
		el_plan_free(&plan);
		el_library_close(library);
		scratch_remove(directory);
	}
	omp_set_num_threads(before);
}

static void test_waiting_can_be_stopped(void **state)
{
	(void)state;
	static char waiting[] = "waiting for";
	char directory[SCRATCH_PATH], path[2 * SCRATCH_PATH];
	struct el_error error = {0};
	struct lock_sight sight = {.who = ""};
	struct lock *lock;
	const struct el_watch watch = {waiting, stop_now};
	scratch_make(directory);
	snprintf(path, sizeof path, "%s/.endlab-claim-KRvK.dtm", directory);
	assert_int_equal(lock_take(path, LOCK_STALE_SECONDS, &sight, &lock, &error), EL_OK);
	struct el_library *library = fixture_library(directory, NULL);
	assert_int_equal(build(library, "KRvK KQvK", dtm, &watch, &error), EL_STOPPED);
	assert_string_equal(error.text, "stopped after 1 of 2 tables");
	lock_release(lock);
	assert_int_equal(build(library, "KRvK KQvK", dtm, NULL, &error), EL_OK);
	el_library_close(library);
	scratch_remove(directory);
}

/* ---- side by side ---- */

/* The reports of a build with several threads. */
struct told {
	pthread_t caller;
	size_t tables, at_once; /* finished; the most in progress */
	bool knows_left, stops; /* once two are finished */
	/* becomes a folder when the first one is finished; null: nothing does */
	const char *in_the_way;
};

static void note_built(void *context, const struct el_built *b)
{
	struct told *told = context;
	assert_true(pthread_equal(told->caller, pthread_self()));
	assert_int_equal(b->number, ++told->tables);
	assert_true(b->bytes > 0);
	if (told->in_the_way && told->tables == 1)
		assert_int_equal(mkdir(told->in_the_way, 0777), 0);
}

static int note_overall(void *context, const struct el_progress *p)
{
	struct told *told = context;
	const struct el_overall *overall = p->overall;
	assert_non_null(overall);
	assert_true(*overall->table && overall->done <= overall->of);
	told->knows_left |= overall->left > 0;
	told->at_once = overall->at_once > told->at_once ? overall->at_once : told->at_once;
	return !(told->stops && overall->done >= 2);
}

static enum el_status build_with_three(const char *directory, const char *names, struct told *told,
                                       struct el_error *error)
{
	const int before = omp_get_max_threads();
	omp_set_num_threads(3);
	struct el_library *library = fixture_library(directory, NULL);
	struct el_plan plan = fixture_plan(library, names, both);
	assert_int_equal(el_plan_estimate(library, &plan, error), EL_OK);
	struct el_build_options options = {
		.table = el_table_options_default(), .context = told, .built = note_built};
	const struct el_watch watch = {told, note_overall};
	*error = (struct el_error){.text = ""};
	told->caller = pthread_self();
	enum el_status status = el_build(library, &plan, &options, &watch, error);
	assert_true(told->tables <= plan.count && (status || told->tables == plan.count));
	el_plan_free(&plan);
	el_library_close(library);
	omp_set_num_threads(before);
	return status;
}

static const char pieces[] = "KPvK KQvKR KRvKR";

static void test_side_by_side(void **state)
{
	(void)state;
	char one[SCRATCH_PATH], three[SCRATCH_PATH];
	struct told told = {.tables = 0};
	struct el_error error;
	const int before = omp_get_max_threads();
	scratch_make(one);
	scratch_make(three);
	omp_set_num_threads(1);
	fixture_build_in(one, pieces, both);
	omp_set_num_threads(before);
	assert_int_equal(build_with_three(three, pieces, &told, &error), EL_OK);
	assert_int_equal(told.tables, 10);
	assert_in_range(told.at_once, 2, 3);
	assert_true(told.knows_left);
	static const char *const names[] = {
		"KQvK.dtm.egt",  "KRvK.dtm.egt",  "KBvK.dtm.egt", "KNvK.dtm.egt",  "KPvK.dtm.egt",
		"KQvKR.dtm.egt", "KRvKR.dtm.egt", "KPvK.wdl.egt", "KQvKR.wdl.egt", "KRvKR.wdl.egt"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		scratch_assert_same(one, three, names[i]);
	assert_int_equal(scratch_count(three, ".endlab-"), 0);
	scratch_remove(one);
	scratch_remove(three);
}

static void test_side_by_side_stops_and_goes_on(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH];
	struct told told = {.stops = true}, rest = {.tables = 0};
	struct el_error error;
	scratch_make(directory);
	assert_int_equal(build_with_three(directory, pieces, &told, &error), EL_STOPPED);
	assert_in_range(told.tables, 2, 5); /* those in progress may still finish */
	assert_non_null(strstr(error.text, "of 10 tables"));
	assert_int_equal(tables_in(directory), told.tables);
	assert_int_equal(scratch_count(directory, ".endlab-"), 0);
	assert_int_equal(build_with_three(directory, pieces, &rest, &error), EL_OK);
	/* The stop may have kept back castling, of one that was finished; it is then made by itself. */
	assert_in_range(told.tables + rest.tables, 10, 12);
	assert_int_equal(tables_in(directory), 10);
	scratch_remove(directory);
}

static void test_side_by_side_fails_and_goes_on(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH], blocked[SCRATCH_PATH + 32];
	struct told told = {.in_the_way = blocked}, rest = {.tables = 0};
	struct el_error error;
	scratch_make(directory);
	snprintf(blocked, sizeof blocked, "%s/KPvK.dtm.egt", directory);
	assert_int_equal(build_with_three(directory, pieces, &told, &error), EL_IO);
	assert_non_null(strstr(error.text, blocked));
	assert_int_equal(tables_in(directory), told.tables + 1);
	assert_int_equal(scratch_count(directory, ".endlab-"), 0);
	assert_int_equal(rmdir(blocked), 0);
	assert_int_equal(build_with_three(directory, pieces, &rest, &error), EL_OK);
	assert_int_equal(told.tables + rest.tables, 10);
	scratch_remove(directory);
}

static void test_disks_that_are_too_small(void **state)
{
	(void)state;
	struct el_disk_need need;
	struct el_plan plan = {.disk = 1, .scratch = 1};
	assert_true(el_plan_fits_disk(&plan, "/tmp", NULL, &need));
	plan.scratch = UINT64_MAX / 2;
	assert_false(el_plan_fits_disk(&plan, "/tmp", NULL, &need));
	assert_string_equal(need.folder, "/tmp");
	assert_int_equal(need.needed, plan.scratch + 1);
	assert_true(need.free < need.needed);
	assert_true(el_plan_fits_disk(&plan, "/dev/null/none", NULL, &need));
}

/* The file appears after the library has been opened: before, the library would refuse. */
static void test_directory_is_a_file(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH], tables[SCRATCH_PATH + 16];
	struct el_error error = {0};
	scratch_make(directory);
	snprintf(tables, sizeof tables, "%s/tables", directory);
	struct el_library *library = fixture_library(tables, NULL);
	struct el_plan plan = fixture_plan(library, "KQvK", dtm);
	struct el_build_options options = {.table = el_table_options_default()};
	scratch_touch(directory, "tables");
	assert_int_equal(el_build(library, &plan, &options, NULL, &error), EL_IO);
	assert_non_null(strstr(error.text, tables));
	assert_non_null(strstr(error.text, "expected a directory"));
	el_plan_free(&plan);
	el_library_close(library);
	scratch_remove(directory);
}

static void test_directory_cannot_be_written(void **state)
{
	(void)state;
	struct el_error error = {0};
	struct el_library *library = fixture_library("/proc/endlab-tables", NULL);
	assert_int_equal(build(library, "KQvK", dtm, NULL, &error), EL_IO);
	assert_non_null(strstr(error.text, "/proc/endlab-tables"));
	el_library_close(library);
}

static void test_what_cannot_fit_is_refused(void **state)
{
	struct el_error error = {0};
	struct el_library *library = fixture_library("/nonexistent/tables", NULL);
	(void)state;
	struct el_plan plan = fixture_plan(library, "KRvK", dtm);
	struct el_build_options options = {.table = el_table_options_default()};
	plan.tasks[0].bytes = UINT64_MAX;
	assert_int_equal(el_build(library, &plan, &options, NULL, &error), EL_NEGATIVE);
	assert_non_null(strstr(error.text, "KRvK needs about"));
	el_plan_free(&plan);
	el_library_close(library);
}

/* Sizes that no disk has. */
static void test_what_no_disk_holds_is_refused(void **state)
{
	struct el_error error = {0};
	char directory[SCRATCH_PATH];
	(void)state;
	scratch_make(directory);
	struct el_library *library = fixture_library(directory, NULL);
	struct el_plan plan = fixture_plan(library, "KRvK", dtm);
	struct el_build_options options = {.table = el_table_options_default()};
	plan.tasks[0].scratch = UINT64_MAX;
	assert_int_equal(el_build(library, &plan, &options, NULL, &error), EL_NEGATIVE);
	assert_non_null(strstr(error.text, "of scratch files"));
	assert_non_null(strstr(error.text, directory));
	plan.tasks[0].scratch = 1;
	assert_int_equal(el_build(library, &plan, &options, NULL, &error), EL_OK);
	el_plan_free(&plan);
	el_library_close(library);
	scratch_remove(directory);
}

int main(int argc, char **argv)
{
	program = argv[0];
	if (argc == 2)
		return build_and_die(argv[1]);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_file_name),
		cmocka_unit_test(test_build_makes_missing_directories),
		cmocka_unit_test(test_outcomes_are_the_same_either_way),
		cmocka_unit_test(test_stop_and_go_on),
		cmocka_unit_test(test_copies_outlive_a_stop),
		cmocka_unit_test(test_stop_in_the_middle_leaves_nothing),
		cmocka_unit_test(test_killed_and_go_on),
		cmocka_unit_test(test_only_dead_builds_are_cleaned_up),
		cmocka_unit_test(test_two_builds),
		cmocka_unit_test(test_locked_tables_are_waited_for),
		cmocka_unit_test(test_until),
		cmocka_unit_test(test_waiting_can_be_stopped),
		cmocka_unit_test(test_side_by_side),
		cmocka_unit_test(test_side_by_side_stops_and_goes_on),
		cmocka_unit_test(test_side_by_side_fails_and_goes_on),
		cmocka_unit_test(test_disks_that_are_too_small),
		cmocka_unit_test(test_directory_is_a_file),
		cmocka_unit_test(test_directory_cannot_be_written),
		cmocka_unit_test(test_what_cannot_fit_is_refused),
		cmocka_unit_test(test_what_no_disk_holds_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
