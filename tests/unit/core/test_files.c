/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What folders of tables may hold, and what the program leaves there: links, pipes, temporary
   files. */
#include "core/builder/build.h"
#include "core/os/files.h"
#include "core/os/temporary.h"
#include "tests/fixtures/store_fixture.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Builds KQvK in the folder. */
static enum el_status build(struct el_error *error)
{
	struct el_library *library = fixture_library(folder, NULL);
	struct el_slice slice;
	struct el_plan plan;
	assert_int_equal(el_slice_parse("KQvK", &slice, NULL), EL_OK);
	assert_int_equal(el_plan_make(library, &slice, 1, NULL, &plan, NULL), EL_OK);
	const struct el_build_options options = {.table = el_table_options_default()};
	enum el_status status = el_build(library, &plan, &options, NULL, error);
	el_plan_free(&plan);
	el_library_close(library);
	return status;
}

static void test_nothing_is_written_through_a_link(void **state)
{
	(void)state;
	static const char *const ours[] = {".endlab-claim-KQvK.dtm", ".journal.tsv"};
	for (unsigned i = 0; i < 4; i++) {
		struct el_error error = {.text = ""};
		const char *link = fixture_path(folder, ours[i / 2]);
		const char *victim = fixture_path(folder, "victim");
		const bool dangling = i % 2;
		if (!dangling)
			fixture_write_file(victim, (const uint8_t *)"mine", 4);
		assert_int_equal(symlink(victim, link), 0);
		assert_int_equal(build(&error), EL_IO);
		assert_non_null(strstr(error.text, ours[i / 2]));
		assert_non_null(strstr(error.text, "symbolic link"));
		if (dangling) {
			assert_int_equal(access(victim, F_OK), -1);
		} else {
			size_t size;
			uint8_t *bytes = fixture_read_file(victim, &size);
			assert_int_equal(size, 4);
			assert_memory_equal(bytes, "mine", 4);
			free(bytes);
			unlink(victim);
		}
		unlink(link);
		unlink(fixture_path(folder, "KQvK.dtm.egt"));
	}
}

/* A linked table is read, and replaced by a regular file. */
static void test_tables_are_read_through_links(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KQvK", &el_dtm, 1);
	const struct el_table_options options = fixture_options("raw", 4096, EL_FILL_PREVIOUS);
	const char *real = fixture_path(folder, "real"), *link = fixture_path(folder, "link.egt");
	fixture_write(real, &planes, &options);
	size_t before, after;
	uint8_t *bytes = fixture_read_file(real, &before);
	assert_int_equal(symlink(real, link), 0);
	el_table_close(fixture_open(link));
	const struct el_table_options other = fixture_options("zstd:1", 4096, EL_FILL_PREVIOUS);
	fixture_write(link, &planes, &other);
	uint8_t *again = fixture_read_file(real, &after);
	assert_int_equal(before, after);
	assert_memory_equal(bytes, again, before);
	struct stat is;
	assert_int_equal(lstat(link, &is), 0);
	assert_true(S_ISREG(is.st_mode));
	free(bytes);
	free(again);
	el_planes_free(&planes);
}

/* Under a limit of descriptors that the tables together would exceed. */
static void test_tables_keep_no_descriptor(void **state)
{
	(void)state;
	enum { TABLES = 40 };
	struct el_table *tables[TABLES];
	struct el_planes planes = fixture_planes("KQvK", &el_dtm, 1);
	const struct el_table_options options = fixture_options("raw", 4096, EL_FILL_PREVIOUS);
	const char *path = fixture_path(folder, "table.egt");
	fixture_write(path, &planes, &options);
	struct rlimit before, few;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	few.rlim_cur = 24; /* it may keep a quarter of them */
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	for (unsigned i = 0; i < TABLES; i++)
		tables[i] = fixture_open(path);
	for (unsigned i = 0; i < TABLES; i++) {
		struct el_planes read;
		struct el_error error = {.text = ""};
		if (el_table_read(tables[i], &read, &error))
			fail_msg("%s", error.text);
		el_planes_free(&read);
		el_table_close(tables[i]);
	}
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	el_planes_free(&planes);
}

/* The pipe has neither a reader nor a writer: opening it would wait for ever. */
static void test_pipes_are_not_opened(void **state)
{
	(void)state;
	struct el_error error;
	struct input input;
	const char *pipe = fixture_path(folder, "KQvK.dtm.egt");
	assert_int_equal(mkfifo(pipe, 0600), 0);
	assert_int_equal(input_open(pipe, &input, &error), EL_IO);
	assert_non_null(strstr(error.text, "found a pipe, expected a file"));
	input_close(&input);
	const char *journal = fixture_path(folder, ".journal.tsv");
	struct el_slice slice;
	struct el_solution solution;
	assert_int_equal(el_slice_parse("KQvK", &slice, NULL), EL_OK);
	assert_int_equal(mkfifo(journal, 0600), 0);
	assert_int_equal(el_solution_find(folder, &slice, &el_dtm, &solution, &error), EL_IO);
	assert_non_null(strstr(error.text, "found a pipe"));
}

/* ---- temporary files ---- */

static void test_names(void **state)
{
	(void)state;
	assert_true(el_temporary_named(".endlab-tmp-12-0"));
	assert_true(el_temporary_named(".endlab-tmp-999999999-31"));
	static const char *const others[] = {
		"",
		".endlab-tmp-",
		".endlab-tmp-1",
		".endlab-tmp-1-",
		".endlab-tmp--1-1",
		".endlab-tmp-1-x",
		".endlab-tmp-1-1x",
		"endlab-tmp-1-1",
		".endlab-tmp-0-0",
		".endlab-tmp-99999999999999999999999-0",
	};
	for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
		assert_false(el_temporary_named(others[i]));
}

/* The next process that looks removes what a killed one left, including folders; what a running one
   works on stays. */
static void test_killed(void **state)
{
	(void)state;
	int ready[2];
	char byte;
	assert_int_equal(pipe(ready), 0);
	pid_t child = fork();
	if (!child) {
		struct el_temporary file, made;
		char path[SCRATCH_PATH + 32];
		bool good = !el_temporary_file(fixture_path(folder, "x"), &file, NULL) &&
		            !el_temporary_folder(folder, &made, NULL);
		snprintf(path, sizeof path, "%s/inside", made.path);
		close(open(path, O_CREAT | O_WRONLY, 0600));
		if (!good || write(ready[1], "!", 1) != 1)
			_exit(1);
		for (;;)
			usleep(1000);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(scratch_count(folder, ".endlab-tmp-"), 2);
	el_temporaries_sweep(folder);
	assert_int_equal(scratch_count(folder, ".endlab-tmp-"), 2);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	el_temporaries_sweep(folder);
	assert_int_equal(scratch_count(folder, ".endlab-tmp-"), 0);
	close(ready[0]);
	close(ready[1]);
}

/* A link with such a name is not ours, and neither is its target. */
static void test_sweep_follows_no_link(void **state)
{
	(void)state;
	const char *victim = fixture_path(folder, "victim");
	fixture_write_file(victim, (const uint8_t *)"mine", 4);
	assert_int_equal(symlink(victim, fixture_path(folder, ".endlab-tmp-999999999-0")), 0);
	el_temporaries_sweep(folder);
	assert_int_equal(scratch_count(folder, ".endlab-tmp-"), 1);
	assert_true(scratch_has(folder, "victim"));
}

/* What a signal handler does before the process dies, here without a signal; the trial sends real
   ones. */
static void test_signal(void **state)
{
	(void)state;
	int ready[2], go[2], status;
	char byte;
	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(go), 0);
	pid_t child = fork();
	if (!child) {
		struct el_temporary files[3], made;
		bool good = !el_temporary_folder(folder, &made, NULL);
		for (unsigned i = 0; i < 3; i++)
			good = good &&
			       !el_temporary_file(fixture_path(folder, "x"), &files[i], NULL);
		char path[SCRATCH_PATH + 32];
		snprintf(path, sizeof path, "%s/inside", made.path);
		close(open(path, O_CREAT | O_WRONLY, 0600));
		good = good && !el_temporary_publish(&files[1], fixture_path(folder, "kept"), NULL);
		if (!good || write(ready[1], "!", 1) != 1 || read(go[0], &byte, 1) != 1)
			_exit(1);
		el_temporaries_remove();
		_exit(0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(scratch_count(folder, ".endlab-tmp-"), 3);
	assert_int_equal(write(go[1], "!", 1), 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_int_equal(scratch_count(folder, ".endlab-tmp-"), 0);
	assert_true(scratch_has(folder, "kept"));
	close(ready[0]);
	close(ready[1]);
	close(go[0]);
	close(go[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_nothing_is_written_through_a_link),
		IN_FOLDER(test_tables_are_read_through_links),
		IN_FOLDER(test_tables_keep_no_descriptor),
		IN_FOLDER(test_pipes_are_not_opened),
		IN_FOLDER(test_names),
		IN_FOLDER(test_killed),
		IN_FOLDER(test_sweep_follows_no_link),
		IN_FOLDER(test_signal),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
