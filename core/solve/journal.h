/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the tables of a directory were solved, in DIRECTORY/.journal.tsv: a line for each table that
 * was made, with the slice, the metric, the passes, and for each phase its name, the positions that
 * it decided and its seconds. Of several lines for a table the last counts; nothing tells whether
 * the table has been replaced by hand since. Times differ from run to run, which tables must not.
 */
#ifndef ENDLAB_SOLVE_JOURNAL_H
#define ENDLAB_SOLVE_JOURNAL_H

#include "endlab/solve.h"

/* Adds a line; also for planes that were not solved, whose older line would tell of another table.
   EL_IO. The directory is the caller's (directory.h). */
enum el_status journal_add(const char *directory, const struct el_planes *, struct el_error *);

#endif
