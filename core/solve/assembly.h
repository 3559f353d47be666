/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From what was found in the parts, in the order of bits, to planes in the order of the index, a
 * section at a time (el_sets.section): in memory or, where planes do not fit there, as they are
 * asked for.
 */
#ifndef CORE_SOLVE_ASSEMBLY_H
#define CORE_SOLVE_ASSEMBLY_H

#include "part.h"

/* What has been found in the parts of a family, in the order of bits. */
struct family {
	struct paged (*symbols)[2]; /* of each part, [side]; its pages are units; owned */
	size_t parts;
};

/* EL_MEMORY, without words. */
enum el_status family_open(struct family *, size_t parts);
void family_close(struct family *);
/* For the parts that come later; valid as long as the family. */
struct el_found family_found(struct family *);

struct desk; /* what a thread puts a section together on */

struct assembly {
	struct el_slice slice;
	struct recorder *recorder;
	struct scratch *scratch;
	bool in_memory;      /* the planes are */
	unsigned desks_most; /* by memory_of_pages */
	uint64_t pages;      /* that pages may take once planes are read in pieces: bytes */
	/* One of these three has the symbols: */
	struct part *part; /* the only part of the slice, which stays open */
	/* by index, if there are several parts and they fit in memory; owned */
	uint16_t *symbols[2];
	struct paged sections[2]; /* the same, if they do not fit */
	uint64_t *start;          /* of each section, and the end of the last; owned */
	size_t section_count;
	/* One for each thread; while planes are read in pieces, they hold the sections in use. */
	struct desk *desks; /* `threads`; owned */
	unsigned threads;
	unsigned plane;
	size_t first, count; /* sections; as many as threads at most */
};

/* Adds one of several parts, and keeps it for the later ones of its family. If planes are in
   memory, several threads may add parts of different families at once. */
enum el_status assembly_add(struct assembly *, struct family *, size_t number, struct part *,
                            struct el_error *);
/* Once all parts are added and the recorder is finished: puts the symbols of planes together in
   memory. */
enum el_status assembly_finish(struct assembly *, struct el_planes *, struct el_error *);
/* As el_plane_reader.read, for planes that are not in memory. */
enum el_status assembly_read(struct assembly *, unsigned plane, uint64_t first, size_t count,
                             uint16_t *symbols, struct el_error *);
void assembly_close(struct assembly *);

#endif
