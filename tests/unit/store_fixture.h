/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planes that were never solved, and the files they become: what the tests of the store share. */
#ifndef TESTS_STORE_FIXTURE_H
#define TESTS_STORE_FIXTURE_H

#include "endlab/build.h"
#include "endlab/examine.h"
#include "endlab/library.h"
#include "endlab/table.h"
#include "scratch.h"

/* SplitMix64: the next number of a sequence that `state` stands in. */
uint64_t fixture_random(uint64_t *state);

/* A folder for one test: cmocka's setup and teardown make and remove it. */
extern char folder[SCRATCH_PATH];
int fixture_make_folder(void **state);
int fixture_remove_folder(void **state);
#define IN_FOLDER(test)                                                                            \
	cmocka_unit_test_setup_teardown(test, fixture_make_folder, fixture_remove_folder)

/* DIRECTORY/NAME; lasts until 32 more calls. */
const char *fixture_path(const char *directory, const char *name);
/* Removes a folder, and folders and files in it. */
void fixture_remove(const char *directory);

/*
 * Planes of a slice with made-up values in runs of up to 20, true where it matters to files:
 * symbol 0 stands exactly where the game says that the index is broken.
 */
struct el_planes fixture_planes(const char *slice, const struct el_metric *, uint64_t seed);

/* How good a value is for the side to move, as a number: by the definition of DTM alone. */
int fixture_score(struct el_value);

/* Positions of a plane that read back other than they were, of those that are none too when
   `broken_too`; a derivable one may have become worse. Values are compared, not symbols. */
uint64_t fixture_differences(const struct el_planes *in, const struct el_planes *out,
                             unsigned plane, bool broken_too);

struct el_table_options fixture_options(const char *codec, uint32_t block, enum el_fill);
/* Fails the test where they say different things. */
void fixture_same_options(const struct el_table_options *, const struct el_table_options *);
struct el_table *fixture_open(const char *path);

/* Writes them; asserts that it worked. Returns the size of the file. */
uint64_t fixture_write(const char *path, const struct el_planes *, const struct el_table_options *);

/* A whole file in memory, malloc'ed. */
uint8_t *fixture_read_file(const char *path, size_t *size);
void fixture_write_file(const char *path, const uint8_t *bytes, size_t size);

/* Fails the test where they differ in a byte. */
void fixture_same_files(const char *a, const char *b);

struct el_library *fixture_library(const char *directory, const char *paths);
/* What it takes to build slices, named with spaces between them; el_plan_free. */
struct el_plan fixture_plan(struct el_library *, const char *names,
                            const struct el_metric *const *metrics);
/* Does it; prints why it fails. */
enum el_status fixture_build(struct el_library *, const char *names,
                             const struct el_metric *const *metrics);
/* Does it in a folder of its own. */
void fixture_build_in(const char *directory, const char *names,
                      const struct el_metric *const *metrics);
/* What the library has of a slice; el_planes_free. Fails the test where that is nothing. */
struct el_planes fixture_stored(struct el_library *, const char *slice, const struct el_metric *);
/* How many values the library has other than those of the planes, but for broken positions. */
uint64_t fixture_wrong_planes(struct el_library *, const struct el_planes *);
/* What `verify` finds, and what `stats` count; el_stats_free. Fail the test where they cannot. */
struct el_verdict fixture_verdict(struct el_library *, const struct el_planes *);
struct el_stats fixture_stats(const struct el_planes *);
/* Made-up values of a slice, written to a file in blocks of 4,096 positions. */
struct el_planes fixture_table(const char *path, const char *slice, const struct el_metric *,
                               uint64_t seed);
/* King, queen and king: every position of a side to move has one value. */
void fixture_constant(const char *path, const struct el_metric *, struct el_value);
void fixture_table_only(const char *path, const char *slice, const struct el_metric *);
/* el_library_line with the parts of the line apart. */
enum el_status fixture_line(struct el_library *, const struct el_game *, const struct el_position *,
                            const struct el_question *, struct el_move *moves, size_t max,
                            size_t *count, struct el_error *);
const struct el_game *fixture_parse(const char *fen, struct el_position *out);

#endif
