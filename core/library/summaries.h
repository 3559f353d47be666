/* SPDX-License-Identifier: MIT */
/*
 * The results of verifying tables, ours and foreign ones, in DIRECTORY/.verified.tsv beside them: a
 * line for each table, its fields separated by tabs.
 *
 *     file        its name, without the folder
 *     identity    of its content, or of a foreign file, 16 hexadecimal digits (reads.h)
 *     written     when the file was written: SECONDS.NANOSECONDS
 *     verified    "all" or "wrong", each with ":N" if N positions were proved by whole planes (the
 *                 first versions read it, and ignore the number); "sample:N", if N were asked for
 *     positions   how many were checked
 *     wrong       of them
 *     date        of the verification: 2026-11-22T23:31:20Z
 *     version     of the program
 *     SLICE METRIC IDENTITY     each table that the proof rests on; any number of fields
 *     checksum    of the line before its last tab, 16 hexadecimal digits
 *
 * To add a line, the file is written anew under a lock and replaced as a whole: several programs
 * may add to it, and one that is killed leaves the older file. Lines that are damaged all the same
 * are reported and ignored, and disappear when the next line is added.
 */
#ifndef CORE_LIBRARY_SUMMARIES_H
#define CORE_LIBRARY_SUMMARIES_H

#include "library.h"
#include "reads.h"

struct summary_line {
	const char *name; /* the line, whose first tab has become a terminator */
	const char *rest;
};

/* A file in memory. All zeros: none has been read. */
struct summaries {
	char *path; /* of the file; owned */
	char *text; /* owned */
	/* sorted by name; lines with the same name as in the file; owned */
	struct summary_line *lines;
	size_t count;
};

/* Reads the file beside a table, which need not exist. EL_DAMAGED: some lines are damaged; EL_IO,
   EL_MEMORY: there are no lines. summaries_close in any case. */
enum el_status summaries_open(const char *table, struct summaries *out, struct el_error *);
void summaries_close(struct summaries *);
/* Is this the file beside a table? */
bool summaries_beside(const struct summaries *, const char *table);

/* What the file says of a table with this identity and state. */
void summaries_find(const struct summaries *, const struct catalogue *, const char *table,
                    uint64_t identity, const struct stat *, struct el_summary *out);

/* The result of verifying a table. */
struct summary {
	const char *table; /* its path */
	uint64_t identity;
	struct timespec written;
	const struct reads *reads;
	struct el_summary told;
};

/* Adds a line, in place of an older one of the table. EL_IO, EL_MEMORY. */
enum el_status summaries_add(const struct summary *, struct el_error *);
/* Adds what is known of the table `from`, if anything, as the line of `to`, which holds the same
   values; summaries of `from`. */
enum el_status summaries_copy(const struct summaries *, const char *from, const char *to,
                              uint64_t identity, struct timespec written, struct el_error *);

#endif
