/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Foreign tables in a library: when they are checked, and what the library remembers of it. */
#include "core/probe/probe.h"
#include "tests/fixtures/foreign_fixture.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { LARGE = 48, HUGE = 65536 }; /* blocks of 1 MiB: more than the first check reads; 64 GiB */

/* ---- what there is ---- */

/* Makes a folder in `folder`. */
static const char *make(const char *name)
{
	const char *path = fixture_path(folder, name);
	assert_int_equal(mkdir(path, 0700), 0);
	return path;
}

/* KBvK.rtbw in a folder, perhaps with a bit of its checksum flipped. */
static const char *put(const char *directory, bool good)
{
	uint8_t bytes[ALL_DRAWS_BYTES];
	const char *path = fixture_path(directory, "KBvK.rtbw");
	memcpy(bytes, all_draws, sizeof bytes);
	bytes[70] ^= !good;
	fixture_write_file(path, bytes, sizeof bytes);
	return path;
}

static struct el_library *open_library(const char *paths, const char *memory)
{
	struct el_library *library;
	struct el_error error = {.text = ""};
	const struct el_library_options options = {
		.directory = fixture_path(folder, "none"), .paths = paths, .checked = memory};
	enum el_status status = el_library_open(&options, &library, &error);
	if (status)
		print_error("%s\n", error.text);
	assert_int_equal(status, EL_OK);
	return library;
}

/* What the list says of the only file, or of the one with `part` in its path: its state, or, if it
   is ignored, EL_CHECK_DAMAGED and the reason. */
static enum el_check state_of(struct el_library *library, const char *part, char why[512])
{
	struct el_entry *entries;
	size_t count, found = 0;
	enum el_check check = EL_CHECK_NONE;
	assert_int_equal(el_library_list(library, &entries, &count, NULL), EL_OK);
	for (size_t i = 0; i < count; i++) {
		if (!strstr(entries[i].path, part))
			continue;
		check = entries[i].ignored ? EL_CHECK_DAMAGED : entries[i].check;
		snprintf(why, 512, "%s", entries[i].ignored ? entries[i].ignored : "");
		found++;
	}
	assert_int_equal(found, 1);
	el_entries_free(entries, count);
	return check;
}

/* The same, after the check has finished. */
static enum el_check final_state(struct el_library *library, const char *part, char why[512])
{
	enum { TRIES = 60000 };
	for (unsigned i = 0; i < TRIES && state_of(library, part, why) == EL_CHECK_WAITING; i++)
		usleep(1000);
	return state_of(library, part, why);
}

/* Opens a library with one file, and closes it. */
static enum el_check state_at_start(const char *paths, const char *memory)
{
	char why[512];
	struct el_library *library = open_library(paths, memory);
	enum el_check check = state_of(library, "KBvK.rtbw", why);
	el_library_close(library);
	return check;
}

static enum el_status probe(struct el_library *library, struct el_error *error)
{
	struct el_position position;
	struct el_value value;
	const struct el_game *game = fixture_parse("8/8/8/2k5/8/8/1B6/K7 w - - 0 1", &position);
	enum el_status status =
		el_library_value(library, game, &position, &el_wdl, EL_PROBE_TABLES, &value, error);
	if (!status)
		assert_int_equal(value.outcome, EL_DRAW);
	return status;
}

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- checks ---- */

/* A damaged table is not used, and another one of the same slice is. */
static void test_damaged(void **state)
{
	char why[512], paths[1200];
	struct el_error error = {.text = ""};
	(void)state;
	const char *a = make("a"), *b = make("b");
	put(a, false);
	struct el_library *library = open_library(folder, NULL);
	assert_int_equal(state_of(library, "a/KBvK", why), EL_CHECK_DAMAGED);
	assert_non_null(strstr(why, "expected checksum 4b37ef623e69"));
	assert_non_null(strstr(why, ", found 4b37ef623e69"));
	assert_int_not_equal(probe(library, NULL), EL_OK);
	put(b, true);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(el_library_rescan(library, NULL), EL_OK);
		assert_int_equal(state_of(library, "a/KBvK", why), EL_CHECK_DAMAGED);
		assert_int_equal(state_of(library, "b/KBvK", why), EL_CHECK_SOUND);
		assert_int_equal(probe(library, NULL), EL_OK);
	}
	el_library_close(library);
	snprintf(paths, sizeof paths, "%s:%s", a, b);
	library = open_library(paths, NULL);
	assert_int_equal(probe(library, &error), EL_OK);
	el_library_close(library);
}

/* Too large for a check at once: the library answers probes meanwhile, and afterwards if the file
   is sound. */
static void test_large(void **state)
{
	char why[512];
	(void)state;
	const char *memory = fixture_path(folder, "checked.tsv"), *a = make("a");
	assert_true(foreign_write_large(fixture_path(a, "KBvK.rtbw"), LARGE, true));
	struct el_library *library = open_library(a, memory);
	assert_int_equal(probe(library, NULL), EL_OK);
	assert_int_equal(final_state(library, "KBvK", why), EL_CHECK_SOUND);
	assert_int_equal(probe(library, NULL), EL_OK);
	el_library_close(library);
	assert_int_equal(state_at_start(a, memory), EL_CHECK_SOUND);
}

static void test_large_damaged(void **state)
{
	char why[512];
	struct el_error error = {.text = ""};
	(void)state;
	const char *memory = fixture_path(folder, "checked.tsv"), *a = make("a"), *b = make("b");
	const char *path = fixture_path(a, "KBvK.rtbw");
	assert_true(foreign_write_large(path, LARGE, false));
	struct el_library *library = open_library(folder, memory);
	assert_int_equal(final_state(library, "a/KBvK", why), EL_CHECK_DAMAGED);
	assert_non_null(strstr(why, "expected checksum 01000000"));
	assert_int_equal(probe(library, &error), EL_DAMAGED);
	assert_non_null(strstr(error.text, path));
	assert_non_null(strstr(error.text, why));
	put(b, true);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(el_library_rescan(library, NULL), EL_OK);
		assert_int_equal(state_of(library, "a/KBvK", why), EL_CHECK_DAMAGED);
		assert_int_equal(probe(library, NULL), EL_OK);
	}
	el_library_close(library);
	assert_int_equal(unlink(fixture_path(b, "KBvK.rtbw")), 0);
	assert_int_not_equal(state_at_start(a, memory), EL_CHECK_SOUND);
}

/* A check that takes many seconds delays neither a rescan nor the end. */
static void test_stopped(void **state)
{
	enum { SOON = 4 };
	char why[512];
	(void)state;
	const char *a = make("a"), *path = fixture_path(a, "KBvK.rtbw");
	if (!foreign_write_large(path, HUGE, false)) {
		printf("note: no files with holes in %s: a long check is not stopped\n", folder);
		skip();
	}
	struct el_library *library = open_library(a, NULL);
	double start = seconds();
	assert_int_equal(state_of(library, "KBvK", why), EL_CHECK_WAITING);
	assert_int_equal(probe(library, NULL), EL_OK);
	assert_int_equal(rename(path, fixture_path(folder, "aside")), 0);
	assert_int_equal(el_library_rescan(library, NULL), EL_OK);
	assert_int_equal(probe(library, NULL), EL_NEGATIVE);
	assert_int_equal(rename(fixture_path(folder, "aside"), path), 0);
	assert_int_equal(el_library_rescan(library, NULL), EL_OK);
	usleep(10000);
	assert_int_equal(state_of(library, "KBvK", why), EL_CHECK_WAITING);
	el_library_close(library);
	assert_true(seconds() - start < SOON);
}

/* ---- what is remembered ---- */

/* Writes other bytes of the same length into a file without changing its date. */
static void change_unseen(const char *path)
{
	struct stat before;
	assert_int_equal(stat(path, &before), 0);
	FILE *file = fopen(path, "r+b");
	assert_non_null(file);
	assert_int_equal(fseek(file, 20, SEEK_SET), 0);
	assert_int_equal(fputc(1, file), 1);
	assert_int_equal(fclose(file), 0);
	const struct timespec times[] = {before.st_atim, before.st_mtim};
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static size_t lines_of(const char *path)
{
	size_t size, lines = 0;
	uint8_t *bytes = fixture_read_file(path, &size);
	for (size_t i = 0; i < size; i++)
		lines += bytes[i] == '\n';
	free(bytes);
	return lines;
}

/* Only size and date count: this shows that the file is not read again. */
static void test_remembered(void **state)
{
	(void)state;
	const char *memory = fixture_path(folder, "deep/below/checked.tsv"), *a = make("a");
	const char *path = put(a, true);
	assert_int_equal(state_at_start(a, memory), EL_CHECK_SOUND);
	assert_int_equal(state_at_start(a, memory), EL_CHECK_SOUND);
	assert_int_equal(lines_of(memory), 1);
	change_unseen(path);
	assert_int_equal(state_at_start(a, NULL), EL_CHECK_DAMAGED);
	assert_int_equal(state_at_start(a, memory), EL_CHECK_SOUND);
	assert_int_equal(utimensat(AT_FDCWD, path, NULL, 0), 0);
	assert_int_equal(state_at_start(a, memory), EL_CHECK_DAMAGED);
	assert_int_equal(lines_of(memory), 1); /* damaged files are checked again */
	put(a, true);
	assert_int_equal(state_at_start(a, memory), EL_CHECK_SOUND);
	assert_int_equal(lines_of(memory), 2);
}

/* Neither a second, ignored copy nor a rescan adds to it. */
static void test_once(void **state)
{
	(void)state;
	const char *memory = fixture_path(folder, "checked.tsv");
	put(make("a"), true);
	put(make("b"), true);
	struct el_library *library = open_library(folder, memory);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(el_library_rescan(library, NULL), EL_OK);
	el_library_close(library);
	assert_int_equal(lines_of(memory), 2);
}

/* A file's name cannot add lines of its own. */
static void test_names(void **state)
{
	(void)state;
	const char *memory = fixture_path(folder, "checked.tsv");
	put(make("a\nsound\tb"), true);
	assert_int_equal(state_at_start(folder, memory), EL_CHECK_SOUND);
	assert_int_not_equal(access(memory, F_OK), 0);
}

/* A record that cannot be used is reported; tables are checked as without one. */
static void expect_fault(const char *paths, const char *memory)
{
	char why[512];
	struct el_error error = {.text = ""};
	enum { MORE_THAN_ENOUGH = 20 };
	alarm(MORE_THAN_ENOUGH);
	struct el_library *library = open_library(paths, memory);
	assert_int_equal(state_of(library, "KBvK", why), EL_CHECK_SOUND);
	assert_int_not_equal(el_library_check_fault(library, &error), EL_OK);
	assert_non_null(strstr(error.text, memory));
	el_library_close(library);
	alarm(0);
}

static void test_no_memory(void **state)
{
	struct el_error error;
	(void)state;
	const char *memory = fixture_path(folder, "checked.tsv"), *a = make("a");
	const char *victim = fixture_path(folder, "victim");
	put(a, true);
	assert_int_equal(symlink(victim, memory), 0);
	expect_fault(a, memory);
	assert_int_not_equal(access(victim, F_OK), 0);
	fixture_write_file(victim, (const uint8_t *)"mine\n", 5);
	expect_fault(a, memory);
	assert_int_equal(lines_of(victim), 1);
	assert_int_equal(unlink(memory), 0);
	assert_int_equal(mkfifo(memory, 0600), 0);
	expect_fault(a, memory);
	assert_int_equal(unlink(memory), 0);
	assert_int_equal(mkdir(memory, 0700), 0);
	expect_fault(a, memory);
	assert_int_equal(rmdir(memory), 0);
	expect_fault(a, fixture_path(victim, "checked.tsv")); /* no folder can be made there */
	struct el_library *library = open_library(a, memory);
	assert_int_equal(el_library_check_fault(library, &error), EL_OK);
	el_library_close(library);
}

/* Whatever it holds is harmless, and it does not grow for ever. */
static void test_odd_memory(void **state)
{
	enum { TOO_MUCH = 5 << 20 };
	struct stat is;
	(void)state;
	const char *memory = fixture_path(folder, "checked.tsv"), *a = make("a");
	const char *path = put(a, true);
	uint8_t *bytes = malloc(TOO_MUCH);
	uint64_t random = 1;
	assert_non_null(bytes);
	assert_int_equal(state_at_start(a, memory), EL_CHECK_SOUND);
	size_t size;
	uint8_t *line = fixture_read_file(memory, &size);
	for (size_t i = 0; i < TOO_MUCH; i++)
		bytes[i] = (uint8_t)(fixture_random(&random) % 3 ? 'a' : i % 2 ? '\n' : '\0');
	fixture_write_file(memory, bytes, 100000);
	assert_int_equal(state_at_start(a, memory), EL_CHECK_SOUND);
	fixture_write_file(memory, bytes, TOO_MUCH);
	assert_int_equal(state_at_start(a, memory), EL_CHECK_SOUND);
	assert_int_equal(stat(memory, &is), 0);
	assert_int_equal(is.st_size, size);
	/* A truncated line, and the line after it, do not count. */
	change_unseen(path);
	fixture_write_file(memory, line, size - 1);
	assert_int_equal(state_at_start(a, memory), EL_CHECK_DAMAGED);
	memmove(bytes + 10, line, size);
	memcpy(bytes, line, 10);
	fixture_write_file(memory, bytes, size + 10);
	assert_int_equal(state_at_start(a, memory), EL_CHECK_DAMAGED);
	fixture_write_file(memory, line, size);
	assert_int_equal(state_at_start(a, memory), EL_CHECK_SOUND);
	free(line);
	free(bytes);
}

/* Processes that write at the same time lose nothing. */
static void test_many_writers(void **state)
{
	enum { WRITERS = 4, FILES = 25 };
	pid_t writers[WRITERS];
	char name[32], memory[SCRATCH_PATH + 32];
	(void)state;
	snprintf(memory, sizeof memory, "%s/checked.tsv", folder);
	for (unsigned w = 0; w < WRITERS; w++) {
		snprintf(name, sizeof name, "%u", w);
		make(name);
		for (unsigned f = 0; f < FILES; f++) {
			snprintf(name, sizeof name, "%u/%u", w, f);
			put(make(name), true);
		}
	}
	for (unsigned w = 0; w < WRITERS; w++) {
		snprintf(name, sizeof name, "%u", w);
		writers[w] = fork();
		assert_true(writers[w] >= 0);
		if (!writers[w]) {
			struct el_library_options options = {.directory = "/none",
			                                     .paths = fixture_path(folder, name),
			                                     .checked = memory};
			struct el_library *library;
			struct el_error error;
			const bool failed = el_library_open(&options, &library, &error) ||
			                    el_library_check_fault(library, &error);
			_exit(failed);
		}
	}
	for (unsigned w = 0; w < WRITERS; w++) {
		int status;
		assert_int_equal(waitpid(writers[w], &status, 0), writers[w]);
		assert_int_equal(status, 0);
	}
	assert_int_equal(lines_of(memory), WRITERS * FILES);
	el_library_close(open_library(folder, memory));
	assert_int_equal(lines_of(memory), WRITERS * FILES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_damaged),       IN_FOLDER(test_large),
		IN_FOLDER(test_large_damaged), IN_FOLDER(test_stopped),
		IN_FOLDER(test_remembered),    IN_FOLDER(test_once),
		IN_FOLDER(test_names),         IN_FOLDER(test_no_memory),
		IN_FOLDER(test_odd_memory),    IN_FOLDER(test_many_writers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
