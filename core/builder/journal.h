/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the tables of a directory were solved, in DIRECTORY/.journal.tsv: a line for each table that
 * was made, with the slice, the metric, the passes, and for each stage its name, the positions that
 * it decided and its seconds; last, unless the line is an old one, "solved" with the threads and
 * "written" with the bytes. Of several lines for a table the last counts; nothing tells whether
 * the table has been replaced by hand since. Times differ from run to run, which tables must not.
 */
#ifndef CORE_BUILDER_JOURNAL_H
#define CORE_BUILDER_JOURNAL_H

#include "build.h"

/* Adds a line; also for planes that were not solved, whose older line would tell of another table.
   EL_IO. The directory is there (directory.h). */
enum el_status journal_add(const char *directory, const struct el_planes *,
                           const struct el_effort *, struct el_error *);

/* One line, by the names of its slice and metric; all zero where it cannot be understood. `passes`
   is 0 where the table was read off another one. Valid during the call. */
typedef void journal_visit(void *context, const char *slice, const char *metric,
                           const struct el_solution *);
/* All lines, in order; none where there is no journal. EL_IO, EL_MEMORY. */
enum el_status journal_read(const char *directory, journal_visit *, void *context,
                            struct el_error *);

#endif
