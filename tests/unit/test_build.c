/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans and builds, in directories of their own: order, going on, and what others left behind. */
#include "endlab/build.h"
#include "endlab/temporary.h"
#include "positions.h"
#include "scratch.h"

#include <fcntl.h>
#include <omp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const struct el_metric *const dtm[] = {&el_dtm, NULL};
static const struct el_metric *const wdl[] = {&el_wdl, NULL};
static const struct el_metric *const both[] = {&el_wdl, &el_dtm, NULL};

/* ---- libraries, plans, builds ---- */

static struct el_library *open_library_along(const char *directory, const char *paths)
{
	struct el_library *library;
	struct el_error error = {0};
	struct el_library_options options = {.directory = directory, .paths = paths};
	if (el_library_open(&options, &library, &error) != EL_OK)
		fail_msg("%s", error.text);
	return library;
}

static struct el_library *open_library(const char *directory)
{
	return open_library_along(directory, NULL);
}

/* `names`: slices, separated by spaces. */
static struct el_plan make_plan(struct el_library *library, const char *names,
                                const struct el_metric *const *metrics)
{
	struct el_slice slices[64];
	struct el_plan plan;
	struct el_error error = {0};
	const size_t count = slices_listed(names, slices, 64);
	assert_int_equal(el_plan_make(library, slices, count, metrics, &plan, &error), EL_OK);
	return plan;
}

static enum el_status build(struct el_library *library, const char *names,
                            const struct el_metric *const *metrics, const struct el_watch *watch,
                            struct el_error *error)
{
	struct el_plan plan = make_plan(library, names, metrics);
	struct el_build_options options = {.table = el_table_options_default()};
	enum el_status status = el_build(library, &plan, &options, watch, error);
	el_plan_free(&plan);
	return status;
}

static void build_in(const char *directory, const char *names,
                     const struct el_metric *const *metrics)
{
	struct el_library *library = open_library(directory);
	struct el_error error = {0};
	if (build(library, names, metrics, NULL, &error) != EL_OK)
		fail_msg("%s", error.text);
	el_library_close(library);
}

/* "KQvK.dtm KRvK.dtm ", what is planned. */
static void write_plan(const struct el_plan *plan, char *out, size_t size)
{
	size_t used = 0;
	out[0] = '\0';
	for (const struct el_task *t = plan->tasks; t < plan->tasks + plan->count; t++)
		used += (size_t)snprintf(out + used, size - used, "%s.%s ", t->slice.name,
		                         t->metric->name);
}

static void assert_plan(struct el_library *library, const char *names,
                        const struct el_metric *const *metrics, const char *expected)
{
	char text[4096];
	struct el_plan plan = make_plan(library, names, metrics);
	write_plan(&plan, text, sizeof text);
	assert_string_equal(text, expected);
	el_plan_free(&plan);
}

/* ---- plans ---- */

static size_t find_task(const struct el_plan *plan, const struct el_slice *slice)
{
	size_t i = 0;
	while (i < plan->count && plan->tasks[i].slice.key != slice->key)
		i++;
	return i;
}

static void test_successors_come_first(void **state)
{
	(void)state;
	struct el_slice slices[64];
	struct el_error error = {0};
	struct el_plan plan;
	size_t count = el_chess.slices(4, slices, 64);
	assert_int_equal(count, 30);
	struct el_library *library = open_library("/nonexistent/tables");
	assert_int_equal(el_plan_make(library, slices, count, dtm, &plan, &error), EL_OK);
	assert_int_equal(plan.count, 35); /* the five of three pieces come along */
	for (size_t i = 0; i < plan.count; i++) {
		struct el_slice successors[EL_SUCCESSORS_MAX];
		size_t n = el_chess.successors(&plan.tasks[i].slice, successors);
		for (size_t s = 0; s < n; s++)
			assert_true(find_task(&plan, &successors[s]) < i);
		assert_int_equal(find_task(&plan, &plan.tasks[i].slice), i);
		assert_true(plan.tasks[i].bytes > 2 * plan.tasks[i].slice.positions);
	}
	el_plan_free(&plan);
	el_library_close(library);
}

static void test_plan_is_short(void **state)
{
	(void)state;
	struct el_library *library = open_library("/nonexistent/tables");
	assert_plan(library, "KQvK", dtm, "KQvK.dtm ");
	assert_plan(library, "KRvK KQvK KRvK", dtm, "KRvK.dtm KQvK.dtm ");
	assert_plan(library, "KQvK", both, "KQvK.dtm KQvK.wdl ");
	assert_plan(library, "KRvKR", both, "KRvK.dtm KRvKR.dtm KRvKR.wdl ");
	assert_plan(library, "KRvKR", wdl, "KRvK.wdl KRvKR.wdl ");
	assert_plan(library, "", dtm, "");
	el_library_close(library);
}

static void test_plan_leaves_out_what_is_there(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH];
	scratch_make(directory);
	build_in(directory, "KRvK", dtm);
	struct el_library *library = open_library(directory);
	assert_plan(library, "KRvK", dtm, "");
	assert_plan(library, "KRvKR", dtm, "KRvKR.dtm ");
	assert_plan(library, "KRvKR", wdl, "KRvKR.wdl "); /* outcomes are in the other table */
	assert_plan(library, "KRvK", wdl, "KRvK.wdl ");   /* asked for by name */
	el_library_close(library);
	scratch_remove(directory);
}

/* A table elsewhere is of no use to whoever takes the directory along. */
static void test_plan_is_made_in_the_directory(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH], other[SCRATCH_PATH];
	scratch_make(directory);
	scratch_make(other);
	build_in(other, "KRvK", both);
	build_in(directory, "KQvK", dtm);
	struct el_library *library = open_library_along(directory, other);
	assert_plan(library, "KRvK", dtm, "KRvK.dtm ");
	assert_plan(library, "KRvKR", dtm, "KRvK.dtm KRvKR.dtm ");
	assert_plan(library, "KRvKR", wdl, "KRvK.wdl KRvKR.wdl ");
	assert_plan(library, "KQvK", dtm, "");
	el_library_close(library);
	scratch_remove(directory);
	scratch_remove(other);
}

/* ---- what is made again ---- */

static int stop_now(void *context, const struct el_progress *progress)
{
	return strcmp(progress->stage, context) != 0;
}

static void assert_wish(struct el_library *library, const char *name, bool replace, bool repair,
                        const char *expected, enum el_target least)
{
	char text[4096];
	struct el_slice slice;
	struct el_plan plan;
	struct el_error error = {0};
	assert_int_equal(el_slice_parse(name, &slice, &error), EL_OK);
	const struct el_plan_wish wish = {
		.slices = &slice, .count = 1, .replace = replace, .repair = repair};
	assert_int_equal(el_plan_wished(library, &wish, &plan, &error), EL_OK);
	write_plan(&plan, text, sizeof text);
	assert_string_equal(text, expected);
	for (size_t i = 0; i < plan.count; i++)
		assert_true(plan.tasks[i].replaces >= least);
	assert_true(!plan.count || !replace ||
	            plan.tasks[plan.count - 1].replaces == EL_TARGET_OTHER);
	el_plan_free(&plan);
}

/* Flips a bit in the middle of a table. */
static void damage(const char *directory, const char *name)
{
	char path[2 * SCRATCH_PATH];
	snprintf(path, sizeof path, "%s/%s", directory, name);
	FILE *file = fopen(path, "r+b");
	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	const long middle = ftell(file) / 2;
	assert_int_equal(fseek(file, middle, SEEK_SET), 0);
	const int byte = fgetc(file);
	assert_int_equal(fseek(file, middle, SEEK_SET), 0);
	fputc(byte ^ 1, file);
	assert_int_equal(fclose(file), 0);
}

static void test_replace_and_repair(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH], sound[SCRATCH_PATH];
	struct el_error error = {0};
	scratch_make(directory);
	scratch_make(sound);
	build_in(directory, "KRvKR", dtm);
	build_in(directory, "KQvK", wdl);
	build_in(sound, "KRvKR", dtm);
	struct el_library *library = open_library(directory);
	assert_wish(library, "KRvKR", true, false, "KRvKR.dtm ", EL_TARGET_OTHER);
	assert_wish(library, "KRvKR", false, true, "", EL_TARGET_DAMAGED);
	damage(directory, "KRvK.dtm.egt");
	damage(directory, "KQvK.wdl.egt"); /* nothing to KRvKR */
	assert_wish(library, "KRvKR", false, true, "KRvK.dtm ", EL_TARGET_DAMAGED);
	assert_wish(library, "KRvKR", true, true, "KRvK.dtm KRvKR.dtm ", EL_TARGET_UNREADABLE);
	assert_wish(library, "KQvK", false, true, "KQvK.wdl KQvK.dtm ", EL_TARGET_DAMAGED);

	struct el_slice slice;
	struct el_plan plan;
	const struct el_plan_wish wish = {.slices = &slice, .count = 1, .repair = true};
	const struct el_build_options options = {.table = el_table_options_default()};
	el_slice_parse("KRvKR", &slice, NULL);
	assert_int_equal(el_plan_wished(library, &wish, &plan, &error), EL_OK);
	assert_int_equal(plan.checked, 2);
	assert_int_equal(plan.damaged, 1);
	assert_int_equal(el_build(library, &plan, &options, NULL, &error), EL_OK);
	el_plan_free(&plan);
	scratch_assert_same(directory, sound, "KRvK.dtm.egt");
	scratch_assert_same(directory, sound, "KRvKR.dtm.egt");
	el_library_close(library);
	scratch_remove(directory);
	scratch_remove(sound);
}

static void test_repair_can_be_stopped(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH];
	static char checking[] = "checking";
	const struct el_watch watch = {checking, stop_now};
	struct el_error error = {0};
	struct el_slice slice;
	struct el_plan plan;
	scratch_make(directory);
	build_in(directory, "KRvK", dtm);
	struct el_library *library = open_library(directory);
	el_slice_parse("KRvK", &slice, NULL);
	const struct el_plan_wish wish = {
		.slices = &slice, .count = 1, .repair = true, .watch = &watch};
	assert_int_equal(el_plan_wished(library, &wish, &plan, &error), EL_STOPPED);
	assert_int_equal(plan.count, 0);
	el_library_close(library);
	scratch_remove(directory);
}

/* What came there after the plan was made is left alone, though it is just the same. */
static void test_only_what_was_planned_is_replaced(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH];
	struct el_error error = {0};
	scratch_make(directory);
	struct el_library *library = open_library(directory);
	struct el_plan plan = make_plan(library, "KQvK KRvK", dtm);
	const struct el_build_options options = {.table = el_table_options_default()};
	build_in(directory, "KRvK", dtm);
	assert_int_equal(el_build(library, &plan, &options, NULL, &error), EL_NEGATIVE);
	assert_non_null(strstr(error.text, "KRvK.dtm.egt: found a dtm table of KRvK"));
	assert_non_null(strstr(error.text, "'endlab build KRvK --replace'"));
	assert_false(scratch_has(directory, "KQvK.dtm.egt"));
	el_plan_free(&plan);
	el_library_close(library);
	scratch_remove(directory);
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

/* What `built` was told. */
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
	struct el_library *library = open_library(deep);
	struct el_plan plan = make_plan(library, "KQvK", both);
	struct el_build_options options = {el_table_options_default(), &record, record_built};
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
	char with[SCRATCH_PATH], without[SCRATCH_PATH];
	scratch_make(with);
	scratch_make(without);
	build_in(with, "KPvK", both);
	build_in(without, "KPvK", wdl);
	scratch_assert_same(with, without, "KPvK.wdl.egt");
	assert_int_equal(scratch_count(without, ".dtm."), 0);
	scratch_remove(with);
	scratch_remove(without);
}

static void test_threads_do_not_show(void **state)
{
	(void)state;
	char one[SCRATCH_PATH], three[SCRATCH_PATH];
	int before = omp_get_max_threads();
	scratch_make(one);
	scratch_make(three);
	omp_set_num_threads(1);
	build_in(one, "KPvK", both);
	omp_set_num_threads(3);
	build_in(three, "KPvK", both);
	omp_set_num_threads(before);
	static const char *const names[] = {"KQvK.dtm.egt", "KRvK.dtm.egt", "KBvK.dtm.egt",
	                                    "KNvK.dtm.egt", "KPvK.dtm.egt", "KPvK.wdl.egt"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		scratch_assert_same(one, three, names[i]);
	scratch_remove(one);
	scratch_remove(three);
}

/* ---- being stopped, killed, or not alone ---- */

/* Stops when the table of this number (from 0) is about to be built. */
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
	struct el_library *library = open_library(directory);
	assert_int_equal(build(library, "KPvK", dtm, &watch, &error), EL_STOPPED);
	assert_string_equal(error.text, "stopped after 2 of 5 tables");
	assert_int_equal(scratch_count(directory, ".egt"), 2);
	struct el_plan rest = make_plan(library, "KPvK", dtm);
	assert_int_equal(rest.count, 3);
	el_plan_free(&rest);
	assert_int_equal(build(library, "KPvK", dtm, NULL, &error), EL_OK);
	assert_int_equal(scratch_count(directory, ".egt"), 5);
	el_library_close(library);
	scratch_remove(directory);
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
		struct el_library *library = open_library(directory);
		assert_int_equal(build(library, "KRvK", dtm, &watch, &error), EL_STOPPED);
		assert_int_equal(scratch_count(directory, ".egt"), 0);
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

/* This program called as PROGRAM DIRECTORY: dies while it writes its third table there. A program
   of its own, because a forked one must not count on the threads of OpenMP. */
static const char *program;

static int build_and_die(const char *directory)
{
	static char victim[] = "KBvK dtm";
	struct el_watch watch = {victim, die};
	struct el_error error;
	return (int)build(open_library(directory), "KQvK KRvK KBvK", dtm, &watch, &error);
}

/* Two tables stay, and the next build goes on from there. */
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

	struct el_library *library = open_library(directory);
	assert_plan(library, "KQvK KRvK KBvK", dtm, "KBvK.dtm ");
	assert_int_equal(build(library, "KBvK", dtm, NULL, &error), EL_OK);
	assert_int_equal(scratch_count(directory, ".egt"), 3);
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
	assert_int_equal(waitpid(child, NULL, 0), child); /* its number is nobody's now */
	snprintf(dead, sizeof dead, ".endlab-tmp-%d-0", (int)child);
	snprintf(far, sizeof far, ".endlab-tmp-%d-1", (int)child); /* a process of another machine */
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
	build_in(directory, "KNvK", dtm);
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

static void test_two_builds(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH], path[2 * SCRATCH_PATH], expected[2 * SCRATCH_PATH];
	struct el_error error = {0};
	scratch_make(directory);
	snprintf(path, sizeof path, "%s/.lock", directory);
	snprintf(expected, sizeof expected, "another build is running in %s", directory);
	int other = open(path, O_RDWR | O_CREAT, 0666);
	assert_int_equal(flock(other, LOCK_EX | LOCK_NB), 0);
	struct el_library *library = open_library(directory);
	assert_int_equal(build(library, "KQvK", dtm, NULL, &error), EL_NEGATIVE);
	assert_string_equal(error.text, expected);
	assert_int_equal(scratch_count(directory, ".egt"), 0);
	close(other);
	assert_int_equal(build(library, "KQvK", dtm, NULL, &error), EL_OK);
	assert_int_equal(build(library, "KRvK", dtm, NULL, &error), EL_OK); /* let go */
	el_library_close(library);
	scratch_remove(directory);
}

/* The file appears after the library has been opened: before, it would refuse by itself. */
static void test_directory_is_a_file(void **state)
{
	(void)state;
	char directory[SCRATCH_PATH], tables[SCRATCH_PATH + 16];
	struct el_error error = {0};
	scratch_make(directory);
	snprintf(tables, sizeof tables, "%s/tables", directory);
	struct el_library *library = open_library(tables);
	struct el_plan plan = make_plan(library, "KQvK", dtm);
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
	struct el_library *library = open_library("/proc/endlab-tables");
	assert_int_equal(build(library, "KQvK", dtm, NULL, &error), EL_IO);
	assert_non_null(strstr(error.text, "/proc/endlab-tables"));
	el_library_close(library);
}

static void test_what_cannot_fit_is_refused(void **state)
{
	struct el_error error = {0};
	struct el_library *library = open_library("/nonexistent/tables");
	(void)state;
	struct el_plan plan = make_plan(library, "KRvK", dtm);
	struct el_build_options options = {.table = el_table_options_default()};
	plan.tasks[0].bytes = UINT64_MAX;
	assert_int_equal(el_build(library, &plan, &options, NULL, &error), EL_NEGATIVE);
	assert_non_null(strstr(error.text, "KRvK needs about"));
	el_plan_free(&plan);
	el_library_close(library);
}

int main(int argc, char **argv)
{
	program = argv[0];
	if (argc == 2)
		return build_and_die(argv[1]);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_successors_come_first),
		cmocka_unit_test(test_plan_is_short),
		cmocka_unit_test(test_plan_leaves_out_what_is_there),
		cmocka_unit_test(test_plan_is_made_in_the_directory),
		cmocka_unit_test(test_replace_and_repair),
		cmocka_unit_test(test_repair_can_be_stopped),
		cmocka_unit_test(test_only_what_was_planned_is_replaced),
		cmocka_unit_test(test_file_name),
		cmocka_unit_test(test_build_makes_missing_directories),
		cmocka_unit_test(test_outcomes_are_the_same_either_way),
		cmocka_unit_test(test_threads_do_not_show),
		cmocka_unit_test(test_stop_and_go_on),
		cmocka_unit_test(test_stop_in_the_middle_leaves_nothing),
		cmocka_unit_test(test_killed_and_go_on),
		cmocka_unit_test(test_only_dead_builds_are_cleaned_up),
		cmocka_unit_test(test_two_builds),
		cmocka_unit_test(test_directory_is_a_file),
		cmocka_unit_test(test_directory_cannot_be_written),
		cmocka_unit_test(test_what_cannot_fit_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
