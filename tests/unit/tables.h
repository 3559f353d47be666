/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables for tests, made by the program's own builder and kept for the next test: in $BUILD_TABLES,
 * else $BUILD/test-tables, else build/test-tables. Tables older than the running program are made
 * again, so that what is tested is the code of today.
 */
#ifndef TESTS_TABLES_H
#define TESTS_TABLES_H

#include "endlab/library.h"

/* The folder, with the DTM tables of all endings of 3 and 4 pieces in it; null, and a line on
   stderr, when they cannot be made. Waits while another program makes them. */
const char *test_tables(void);
/* The same with 3 pieces only. */
const char *small_test_tables(void);

/* A slice as the solver leaves it in memory, with the library's tables for what it turns into;
   el_planes_free. */
struct el_planes solved_planes(struct el_library *, const char *slice, const struct el_metric *);
/* The same, with what captures tell of them; what they lead to is in small_test_tables(). */
struct el_planes derived_planes(const char *slice, const struct el_metric *);

/* Under sanitizers and valgrind the long tests are left out. */
bool tests_are_slow(void);
/* Is more asked for than `make test` has time for? By TRUTH in the environment, where they are not slow. */
bool tests_are_thorough(void);

#endif
