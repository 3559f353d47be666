/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tables.h"

#include "core/lend/lender.h"
#include "endlab/build.h"
#include "tests/sanitizers.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SLICES_MAX = 64 };

bool tests_are_slow(void)
{
	const char *wrap = getenv("WRAP");
	return SANITIZED || (wrap && *wrap);
}

bool tests_are_thorough(void)
{
	const char *truth = getenv("TRUTH");
	return truth && *truth && !tests_are_slow();
}

static const char *folder(void)
{
	static char path[512];
	const char *own = getenv("BUILD_TABLES"), *build = getenv("BUILD");
	if (own && *own)
		snprintf(path, sizeof path, "%s", own);
	else
		snprintf(path, sizeof path, "%s/test-tables", build && *build ? build : "build");
	return path;
}

/* Removes the tables of these slices that are older than the program. */
static void remove_old(const char *directory, const struct el_slice *slices, size_t count)
{
	struct stat program, table;
	char path[1024];
	if (stat("/proc/self/exe", &program))
		return;
	for (size_t i = 0; i < count; i++) {
		el_table_file_name(directory, &slices[i], &el_dtm, path, sizeof path);
		if (stat(path, &table) == 0 && table.st_mtime < program.st_mtime)
			unlink(path);
	}
}

static enum el_status build_missing(const char *directory, const struct el_slice *slices,
                                    size_t count, struct el_error *error)
{
	static const struct el_metric *const metrics[] = {&el_dtm, NULL};
	struct el_library_options where = {.directory = directory};
	struct el_build_options how = {.table = el_table_options_default()};
	struct el_library *library;
	struct el_plan plan;
	enum el_status status = el_library_open(&where, &library, error);
	if (status)
		return status;
	status = el_plan_make(library, slices, count, metrics, &plan, error);
	if (!status) {
		status = el_build(library, &plan, &how, NULL, error);
		el_plan_free(&plan);
	}
	el_library_close(library);
	return status;
}

/* Holds the folder's lock file, or -1. */
static int lock(const char *directory)
{
	char path[600];
	snprintf(path, sizeof path, "%s.lock", directory);
	int fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0666);
	if (fd >= 0 && flock(fd, LOCK_EX)) {
		close(fd);
		return -1;
	}
	return fd;
}

static const char *tables_up_to(unsigned pieces)
{
	const char *directory = folder();
	struct el_slice slices[SLICES_MAX];
	struct el_error error = {0};
	size_t count = 0;
	int fd = lock(directory);
	if (fd < 0) {
		fprintf(stderr, "%s: cannot be locked\n", directory);
		return NULL;
	}
	for (unsigned n = 3; n <= pieces; n++)
		count += el_chess.slices(n, slices + count, SLICES_MAX - count);
	remove_old(directory, slices, count);
	enum el_status status = build_missing(directory, slices, count, &error);
	close(fd);
	if (status)
		fprintf(stderr, "%s: %s\n", directory, error.text);
	return status ? NULL : directory;
}

const char *test_tables(void)
{
	return tables_up_to(4);
}

const char *small_test_tables(void)
{
	return tables_up_to(3);
}

struct el_planes solved_planes(struct el_library *library, const char *name,
                               const struct el_metric *metric)
{
	struct el_planes planes;
	struct el_error error = {0};
	struct el_slice slice;
	struct lender *lender = lender_open(library);
	const struct el_lender lends = lender_interface(lender);
	enum el_status status = el_slice_parse(name, &slice, &error);
	const struct el_problem problem = {.slice = slice, .metric = metric, .lender = &lends};
	if (!status)
		status = el_solve(&problem, &planes, &error);
	lender_close(lender);
	if (status) {
		fprintf(stderr, "%s: %s\n", name, error.text);
		abort();
	}
	return planes;
}

struct el_planes derived_planes(const char *slice, const struct el_metric *metric)
{
	struct el_library *library = NULL;
	struct el_error error = {0};
	const char *directory = small_test_tables();
	const struct el_library_options options = {.directory = directory ? directory : "."};
	enum el_status status = el_library_open(&options, &library, &error);
	struct el_planes planes = {0};
	if (!status) {
		planes = solved_planes(library, slice, metric);
		status = el_library_derive(library, &planes, EL_DERIVE_CAPTURES, NULL, &error);
	}
	el_library_close(library);
	if (status) {
		fprintf(stderr, "%s: %s\n", slice, error.text);
		abort();
	}
	return planes;
}
