/* SPDX-License-Identifier: MIT */
/*
 * The tables that something was read from, noted in order to tell later whether they are the same.
 * A table of ours is identified by its header's checksum, which covers all of it (table.h), another
 * program's by its size and date.
 */
#ifndef CORE_LIBRARY_READS_H
#define CORE_LIBRARY_READS_H

#include "catalogue.h"

struct el_library;
struct el_planes; /* solve.h */

struct read {
	char slice[EL_SLICE_MAX];
	const char *metric; /* its name */
	uint64_t identity;  /* 0: there was no table */
};

/* All zeros at first. */
struct reads {
	struct read *list; /* owned; each table once */
	size_t count;
};

void reads_free(struct reads *);

/* The identity of a foreign file, from what the operating system knows of it. */
uint64_t file_identity(const struct stat *);
uint64_t source_identity(const struct el_source *);

/* Adds the table that planes were read from, and all tables that gave some of their values.
   EL_MEMORY. */
enum el_status reads_of_planes(struct el_library *, const struct el_planes *, struct reads *,
                               struct el_error *);
/* Notes that no table tells a metric. EL_MEMORY. */
enum el_status reads_of_nothing(const struct el_slice *, const struct el_metric *, struct reads *,
                                struct el_error *);
/* Adds the tables that are read when positions of a slice are probed under a metric; none if the
   rules answer. EL_MEMORY. */
enum el_status reads_of_probes(struct el_library *, const struct el_slice *,
                               const struct el_metric *, struct reads *, struct el_error *);
/* The same for everything that a table leaves to be derived from others. EL_MEMORY. */
enum el_status reads_of_derived(struct el_library *, const struct el_slice *,
                                const struct el_metric *, struct reads *, struct el_error *);

/* A number that differs if the tables or their order differ. */
uint64_t reads_identity(const struct reads *);

/* Is this table still there, whether or not it answers? If there was none: is there still none? */
bool reads_has(const struct catalogue *, const struct read *);

#endif
