/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of the lab share: three-piece tables, and small experiments with them. */
#ifndef TESTS_LAB_FIXTURE_H
#define TESTS_LAB_FIXTURE_H

#include "endlab/lab.h"

/* The library of small_test_tables. */
struct el_library *lab_tables(void);
/* Blocks of 4,096 positions in the best order. */
struct el_table_options lab_options(const char *codec, enum el_fill, enum el_derive);
/* The same as a candidate. */
struct el_lab_candidate lab_ours(const char *codec, enum el_fill, enum el_derive);
/* 500 probes of a slice's depths, a hundredth of a second for each regime, files in the test's own
   folder, and nobody who hears of results. */
struct el_lab_setup lab_setup(struct el_library *, const char *slice,
                              const struct el_lab_candidate *candidates, size_t count);

/* What a run told, in the order of the candidates. */
enum { LAB_RESULTS = 128 };
struct lab_heard {
	size_t grounds, count;
	struct el_lab_ground ground;
	struct el_lab_result results[LAB_RESULTS];
};

/* el_lab_run, which tells the ground first and leaves no file of its own behind. */
enum el_status lab_run(struct el_lab_setup *, struct lab_heard *, const struct el_watch *);

#endif
