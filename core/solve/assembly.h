/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From what was found of parts, by bit, to planes, by index, a section at a time (el_sets.section): in
 * memory, or where these do not fit there as they are asked for.
 */
#ifndef ENDLAB_SOLVE_ASSEMBLY_H
#define ENDLAB_SOLVE_ASSEMBLY_H

#include "solve.h"

/* What has been found of the parts of a family, by bit. */
struct family {
	struct paged (*symbols)[2]; /* of each part, [side]; its pages are units; owned */
	size_t parts;
};

/* EL_MEMORY, without words. */
enum el_status family_open(struct family *, size_t parts);
void family_close(struct family *);
/* For the parts that come later; valid as long as the family. */
struct el_found family_found(struct family *);

struct desk; /* what a thread works on */

struct assembly {
	struct el_slice slice;
	struct recorder *recorder;
	struct scratch *scratch;
	bool in_memory; /* the planes */
	unsigned desks_most; /* memory_of_pages */
	uint64_t pages;      /* that pages may take once planes are read in pieces: bytes */
	/* One of these: */
	struct part *part;        /* the only one of the slice; it stays open */
	uint16_t *symbols[2];     /* by index: of several parts, in memory; owned */
	struct paged sections[2]; /* the same, where these do not fit there */
	uint64_t *start;          /* of each section, and the end of the last; owned */
	size_t section_count;
	/* What threads work on; and as long as planes are read in pieces, the sections at hand. */
	struct desk *desks;       /* `threads`; owned */
	unsigned threads;
	unsigned plane;
	size_t first, count;      /* sections; as many as threads at most */
};

/* Adds a part of several, and keeps it for those that come later; where planes are in memory by several
   threads at once, for different families. */
enum el_status assembly_add(struct assembly *, struct family *, size_t number, struct part *,
                            struct el_error *);
/* Everything is there, and the recorder is finished: the symbols of planes in memory. */
enum el_status assembly_finish(struct assembly *, struct el_planes *, struct el_error *);
/* Of planes that are not: as el_reader.read. */
enum el_status assembly_read(struct assembly *, unsigned plane, uint64_t first, size_t count,
                             uint16_t *symbols, struct el_error *);
void assembly_close(struct assembly *);

#endif
