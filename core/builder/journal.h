/* SPDX-License-Identifier: MIT */
/*
 * DIRECTORY/.journal.tsv records how the tables of a directory were solved. It has a line for each
 * table made: the slice, the metric, the passes, and for each stage its name, the positions that it
 * decided and its seconds; then, except in old lines, "solved" with the threads and "written" with
 * the bytes, each with its seconds; and in games in which every index is a placement "white won",
 * "white lost", "black won" and "black lost", each with the plies of the longest. The last line for a
 * table counts, even if the table has been replaced by hand since. Tables have no times in them, since
 * times differ from run to run.
 */
#ifndef CORE_BUILDER_JOURNAL_H
#define CORE_BUILDER_JOURNAL_H

#include "build.h"

/* Adds a line, also for planes that were read off: an older line would be about another table.
   EL_IO. The directory must exist (directory_make). */
enum el_status journal_add(const char *directory, const struct el_planes *,
                           const struct el_effort *, struct el_error *);

/* Called with one line. The solution is all zero if the line is malformed; its `passes` are 0 if
   the table was read off another one. Valid during the call. */
typedef void journal_visit(void *context, const char *slice, const char *metric,
                           const struct el_solution *);
/* Visits all lines in order, none if there is no journal. EL_IO, EL_MEMORY. */
enum el_status journal_read(const char *directory, journal_visit *, void *context,
                            struct el_error *);

#endif
