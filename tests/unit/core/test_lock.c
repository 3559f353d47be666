/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks on tables: which owners are alive, which are dead, and which can only be told by
   waiting. */
#include "core/os/lock.h"
#include "core/os/temporary.h"
#include "tests/fixtures/store_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const double PATIENCE = 0.2; /* seconds, here */
static const char name[] = ".endlab-claim-KQvK.dtm";

static const char *path(void)
{
	return fixture_path(folder, name);
}

static enum el_status take(struct lock_sight *sight, struct lock **out)
{
	struct el_error error = {.text = ""};
	return lock_take(path(), PATIENCE, sight, out, &error);
}

static void test_path(void **state)
{
	(void)state;
	char out[64];
	lock_path("/some/where/KQvKR.dtm.egt", out, sizeof out);
	assert_string_equal(out, "/some/where/.endlab-claim-KQvKR.dtm");
	assert_true(lock_named(strrchr(out, '/') + 1));
	assert_false(lock_named("KQvKR.dtm.egt"));
}

static void test_one_at_a_time(void **state)
{
	(void)state;
	struct lock_sight first = {.who = ""}, second = {.who = ""};
	struct lock *lock, *other;
	char expected[64];
	assert_int_equal(take(&first, &lock), EL_OK);
	assert_false(first.stale);
	for (int i = 0; i < 3; i++, usleep(150000)) /* longer than the wait for a dead owner */
		assert_int_equal(take(&second, &other), EL_NEGATIVE);
	snprintf(expected, sizeof expected, ", process %d", (int)getpid());
	assert_non_null(strstr(second.who, expected));
	assert_int_equal(scratch_count(folder, ".endlab-tmp-"), 0);
	lock_release(lock);
	assert_int_equal(scratch_count(folder, ".endlab-"), 0);
	assert_int_equal(take(&second, &other), EL_OK);
	assert_false(second.stale);
	lock_release(other);
	lock_release(NULL);
}

/* Its process was killed: nobody has to wait. */
static void test_dead_on_this_machine(void **state)
{
	(void)state;
	struct lock_sight sight = {.who = ""};
	struct lock *lock;
	struct el_error error;
	char expected[64];
	const pid_t child = fork();
	if (!child) {
		_exit(take(&sight, &lock) ? 1 : 0); /* without releasing it */
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_true(scratch_has(folder, name));
	assert_int_equal(lock_take(path(), 1e9, &sight, &lock, &error), EL_OK);
	assert_true(sight.stale);
	snprintf(expected, sizeof expected, ", process %d", (int)child);
	assert_non_null(strstr(sight.who, expected));
	lock_release(lock);
	assert_int_equal(scratch_count(folder, ".endlab-"), 0);
}

static void forge(const char *text)
{
	fixture_write_file(path(), (const uint8_t *)text, strlen(text));
}

static void set_date(time_t seconds)
{
	const struct timespec dates[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
	assert_int_equal(utimensat(AT_FDCWD, path(), dates, 0), 0);
}

/* An owner on another machine: neither a lock nor a clock helps. It is alive as long as its date
   changes. Pauses may last longer than intended. */
static void test_another_machine(void **state)
{
	(void)state;
	static const double patience = 1.5;
	static const time_t dates[] = {1000, 4000000000, 2000, 3000}; /* clocks may jump */
	struct lock_sight sight = {.who = ""};
	struct lock *lock;
	struct el_error error;
	forge("elsewhere\n12\n00000000-0000-0000-0000-000000000000\n");
	for (unsigned i = 0; i < 4; i++) {
		set_date(dates[i]);
		assert_int_equal(lock_take(path(), patience, &sight, &lock, &error), EL_NEGATIVE);
		assert_string_equal(sight.who, "elsewhere, process 12");
		usleep(400000);
	}
	assert_int_equal(lock_take(path(), patience, &sight, &lock, &error), EL_NEGATIVE);
	usleep(1600000);
	assert_int_equal(lock_take(path(), patience, &sight, &lock, &error), EL_OK);
	assert_true(sight.stale);
	assert_string_equal(sight.who, "elsewhere, process 12");
	lock_release(lock);
	assert_int_equal(scratch_count(folder, ".endlab-"), 0);
}

static void test_nonsense(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"", "\n", "a b\n12\nx\n", "host\nxx\ny\n", "\033[2J\n1\n2\n", "host\n12"};
	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct lock_sight sight = {.who = ""};
		struct lock *lock;
		forge(texts[i]);
		assert_int_equal(take(&sight, &lock), EL_NEGATIVE);
		assert_string_equal(sight.who, "another build");
		usleep(250000);
		assert_int_equal(take(&sight, &lock), EL_OK);
		lock_release(lock);
	}
}

/* Killed after the table was there. */
static void test_sweep(void **state)
{
	(void)state;
	struct lock_sight sight = {.who = ""};
	struct lock *lock;
	const pid_t child = fork();
	if (!child)
		_exit(take(&sight, &lock) ? 1 : 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	el_temporaries_sweep(folder);
	assert_true(scratch_has(folder, name)); /* there is no table: a build has yet to say so */
	scratch_touch(folder, "KQvK.dtm.egt");
	el_temporaries_sweep(folder);
	assert_false(scratch_has(folder, name));
	assert_int_equal(take(&sight, &lock), EL_OK);
	el_temporaries_sweep(folder);
	assert_true(scratch_has(folder, name));
	lock_release(lock);
	forge("elsewhere\n12\nx\n");
	el_temporaries_sweep(folder);
	assert_true(scratch_has(folder, name));
}

/* An owner that was presumed dead, and lost its lock to another, leaves that one's lock alone at
   the end. */
static void test_only_ours_is_removed(void **state)
{
	(void)state;
	struct lock_sight sight = {.who = ""};
	struct lock *lock;
	assert_int_equal(take(&sight, &lock), EL_OK);
	assert_int_equal(unlink(path()), 0);
	forge("elsewhere\n12\nx\n");
	lock_release(lock);
	assert_true(scratch_has(folder, name));
	assert_int_equal(unlink(path()), 0);
}

static void test_what_is_no_file(void **state)
{
	(void)state;
	struct lock_sight sight = {.who = ""};
	struct el_error error = {.text = ""};
	struct lock *lock;
	assert_int_equal(mkdir(path(), 0777), 0);
	assert_int_equal(lock_take(path(), PATIENCE, &sight, &lock, &error), EL_IO);
	assert_non_null(strstr(error.text, name));
	assert_int_equal(rmdir(path()), 0);
	assert_int_equal(scratch_count(folder, ".endlab-"), 0);
}

/* Room for the temporary file, but not for the descriptor that holds the lock. */
static void test_too_many_open_files(void **state)
{
	(void)state;
	struct lock_sight sight = {.who = ""};
	struct el_error error = {.text = ""};
	struct lock *lock;
	struct rlimit before;
	const int next = dup(STDIN_FILENO);
	close(next);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	const struct rlimit few = {.rlim_cur = (rlim_t)next + 1, .rlim_max = before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	const enum el_status status = lock_take(path(), PATIENCE, &sight, &lock, &error);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(status, EL_IO);
	assert_non_null(strstr(error.text, name));
	assert_non_null(strstr(error.text, strerror(EMFILE)));
	assert_int_equal(scratch_count(folder, ".endlab-"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_path),
		IN_FOLDER(test_one_at_a_time),
		IN_FOLDER(test_dead_on_this_machine),
		IN_FOLDER(test_another_machine),
		IN_FOLDER(test_nonsense),
		IN_FOLDER(test_sweep),
		IN_FOLDER(test_only_ours_is_removed),
		IN_FOLDER(test_what_is_no_file),
		IN_FOLDER(test_too_many_open_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
