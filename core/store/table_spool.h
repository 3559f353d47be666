/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The symbols of planes, in pieces as they come, and put into another order.
 *
 * An order other than the index takes neighbours from all over the plane, and a reader is slow where
 * indexes do not rise. So its symbols are put into the file's order once, in an unlinked temporary
 * file beside the table, which the kernel pages in and out; those of planes in memory in memory.
 */
#ifndef STORE_TABLE_SPOOL_H
#define STORE_TABLE_SPOOL_H

#include "table_order.h"

enum { PIECE_POSITIONS = 1 << 20 }; /* that are read at a time */

/* `count` symbols of a plane from index `first` on: in place, or read into `room`, which has as many
   and may be null where the planes are in memory. */
enum el_status spool_piece(const struct el_planes *, unsigned plane, uint64_t first, size_t count,
                           uint16_t *room, const uint16_t **out, struct el_error *);

/* A plane in the order of a numbering. */
struct spool {
	uint16_t *symbols;  /* the plane's own, by number; 0 where a number has no index */
	uint8_t *derivable; /* by number; null where none is asked for */
	size_t bytes[2];    /* of both */
};

struct spool_task {
	const struct el_planes *planes;
	unsigned plane;
	bool derives; /* what is derivable is put in order too */
	const struct numbering *numbering;
	const char *path; /* the table to be */
	const struct el_watch *watch;
};
/* EL_MEMORY, EL_IO, EL_STOPPED and what the reader answers, with nothing to free. */
enum el_status spool_make(const struct spool_task *, struct spool *out, struct el_error *);
void spool_free(struct spool *);

#endif
