/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Slices solved while some of their successors are hidden, over the tables of tables.h. Sets of
 * slices are texts, "KQvK KRvK"; "*" is all of them. A failure fails the test.
 */
#ifndef TESTS_PARTIAL_FIXTURE_H
#define TESTS_PARTIAL_FIXTURE_H

#include "endlab/build.h"

/* Is the slice in the set? */
bool set_has(const char *set, const char *name);

/* The outcomes of a slice's table; el_planes_free. */
struct el_planes exact_outcomes(struct el_library *, const char *name);

/* The slice solved without the hidden ones, by el_solve_partial; `missing` may be null. */
struct el_planes solved_without(struct el_library *, const char *name, const char *hidden,
                                struct el_missing *missing);

/* Stands in for a hidden slice. */
typedef enum el_outcome outcome_made_up(uint64_t seed, unsigned plane, uint64_t index);
/* The slice solved by el_solve, with made-up outcomes in place of those of the hidden slices. */
struct el_planes solved_with(struct el_library *, const char *name, const char *hidden,
                             outcome_made_up *, uint64_t seed);

/* Is all that `inner` may be among what `outer` may be? */
bool bounds_within(enum el_outcome inner, enum el_outcome outer);
/* Of two solutions of one slice: each legal position's bounds lie within the other's. */
void assert_within(const struct el_planes *inner, const struct el_planes *outer);
/* The same planes, symbols and all. */
void assert_same_planes(const struct el_planes *, const struct el_planes *);
/* How many legal positions have bounds. */
uint64_t count_bounded(const struct el_planes *);

/* ---- the slice solved without the hidden ones, against others that do the same ---- */

/* The ten-value algorithm of the paper, on a graph made of moves, has the same bounds. */
void assert_published(struct el_library *, const char *name, const char *hidden);
/*
 * Whatever the hidden tables are, the outcomes lie within the bounds; and tables that one side wins
 * throughout bring out the bounds themselves, so that nobody could give narrower ones. For that, the
 * hidden slices must be entered with White as their first-named side, never with colours swapped.
 */
void assert_completions(struct el_library *, const char *name, const char *hidden);

/* ---- tables in a folder ---- */

/* A plan for slices named in a text, "KQvK KRvK"; a partial one where `metrics` is null. */
struct el_plan partial_plan(struct el_library *, const char *names,
                            const struct el_metric *const *metrics);

/* What was said of a build. */
struct partial_record {
	char missing[256]; /* the last table's, with a blank behind each; "-" where none can be */
	unsigned passes;
};

/* Carries such a plan out. */
struct partial_record partial_build(struct el_library *, const char *names,
                                    const struct el_metric *const *metrics);

#endif
