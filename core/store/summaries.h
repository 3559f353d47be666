/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What became of our tables when they were verified: DIRECTORY/.verified.tsv beside them, one line
 * a table, its fields with tabs between them.
 *
 *     file        its name, without the folder
 *     identity    of its content, 16 hexadecimal digits (reads.h)
 *     written     when the file was written: SECONDS.NANOSECONDS
 *     verified    "all", "sample:N" where N positions were asked for, "wrong"
 *     positions   that were looked at
 *     wrong       of them
 *     date        of the verification: 2026-11-22T23:31:20Z
 *     version     of the program
 *     SLICE METRIC IDENTITY     each table that the proof rests on; any number of fields
 *     checksum    of the line before its last tab, 16 hexadecimal digits
 *
 * The file is written anew for each line, under a lock, and put in place as a whole: several
 * programs may add to it, and a killed one leaves the older file. Lines that are damaged all the
 * same count for nothing, are told, and are gone with the next line that is added.
 */
#ifndef STORE_SUMMARIES_H
#define STORE_SUMMARIES_H

#include "endlab/library.h"
#include "reads.h"

struct summary_line {
	const char *name; /* the line; its first tab has become a zero */
	const char *rest;
};

/* A file in memory. All zeros: none has been read. */
struct summaries {
	char *path;                 /* of the file; owned */
	char *text;                 /* owned */
	struct summary_line *lines; /* owned; by name, and of one name the last line last */
	size_t count;
};

/* Reads the file beside a table; that there is none is no fault. EL_DAMAGED: some lines are; EL_IO,
   EL_MEMORY: there are none. summaries_close in any case. */
enum el_status summaries_open(const char *table, struct summaries *out, struct el_error *);
void summaries_close(struct summaries *);
/* Is this the file beside a table? */
bool summaries_beside(const struct summaries *, const char *table);

/* What it says of a table with this identity and file state. */
void summaries_find(const struct summaries *, const struct catalogue *, const char *table,
		    uint64_t identity, const struct stat *, struct el_summary *out);

/* A table that has been verified. */
struct summary {
	const char *table; /* its path */
	uint64_t identity;
	struct timespec written;
	const struct reads *reads;
	struct el_summary told;
};

/* Adds a line in place of the table's older one. EL_IO, EL_MEMORY. */
enum el_status summaries_add(const struct summary *, struct el_error *);

#endif
