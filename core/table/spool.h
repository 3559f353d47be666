/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the symbols of planes in pieces, and puts them into another order.
 *
 * In an order other than that of the index, neighbours come from all over the plane, and a reader
 * is slow if indexes do not rise. So a reader's symbols are put into the file's order once, in an
 * unlinked temporary file beside the table, which the kernel pages in and out. The symbols of
 * planes in memory are put in order in memory.
 */
#ifndef CORE_TABLE_SPOOL_H
#define CORE_TABLE_SPOOL_H

#include "order.h"

enum { PIECE_POSITIONS = 1 << 20 }; /* read at a time */

/* *out becomes `count` symbols of a plane from index `first` on: where they are, or read into
   `room`, which has space for as many and may be null if the planes are in memory. */
enum el_status spool_piece(const struct el_planes *, unsigned plane, uint64_t first, size_t count,
                           uint16_t *room, const uint16_t **out, struct el_error *);

/* Zeros in a file that nobody else sees, in the folder of `path`, which the kernel pages in and
   out; munmap. EL_IO also when the disk is full: the room is taken at once. */
enum el_status spool_map(const char *path, size_t bytes, void **out, struct el_error *);

/* A plane in the order of a numbering. */
struct spool {
	uint16_t *symbols;  /* by number; 0 where a number has no index */
	uint8_t *derivable; /* by number; null unless asked for */
	size_t bytes[2];    /* of symbols and of derivable */
};

struct spool_task {
	const struct el_planes *planes;
	unsigned plane;
	bool derives; /* put `derivable` in order as well */
	const struct numbering *numbering;
	const char *path; /* of the table to be written */
	const struct el_watch *watch;
};
/* EL_MEMORY, EL_IO, EL_STOPPED and errors of the reader, with nothing to free. */
enum el_status spool_make(const struct spool_task *, struct spool *out, struct el_error *);
void spool_free(struct spool *);

#endif
