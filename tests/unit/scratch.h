/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Directories of a test's own, and what lies in them. A failure fails the test. */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

enum { SCRATCH_PATH = 512 };

/* A new, empty directory under $TMPDIR or /tmp. */
void scratch_make(char out[SCRATCH_PATH]);
/* With the files in it, but no directories. */
void scratch_remove(const char *directory);

/* DIRECTORY/NAME */
struct scratch_path {
	char text[2 * SCRATCH_PATH];
};
struct scratch_path scratch_in(const char *directory, const char *name);

/* How many file names contain `part`. */
size_t scratch_count(const char *directory, const char *part);
bool scratch_has(const char *directory, const char *name);
/* Makes a small file that is no table. */
void scratch_touch(const char *directory, const char *name);
/* The files of this name in both directories have the same bytes. */
void scratch_assert_same(const char *a, const char *b, const char *name);

#endif
