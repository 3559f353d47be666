/* SPDX-License-Identifier: MIT */
/*
 * Turns the results of the parts, which are in bit order, into planes in index order, a section at
 * a time (el_sets.section): in memory or, if the planes do not fit there, on request.
 */
#ifndef CORE_SOLVE_ASSEMBLY_H
#define CORE_SOLVE_ASSEMBLY_H

#include "part.h"

/* The parts of a family that are solved. */
struct family {
	struct el_sets **sets; /* by part; null: it is empty, or not solved yet; owned */
	/* [part][side]: its results by bit, a page for each unit that has positions; owned */
	struct paged (*symbols)[2];
	struct paged (*courses)[2]; /* the same, see struct part; owned; null unless asked for */
	size_t parts;
};

/* EL_MEMORY, without text. */
enum el_status family_open(struct family *, size_t parts, bool courses);
void family_close(struct family *);
/* Gives later parts access to these results. Valid as long as the family. */
struct el_found family_found(struct family *);

struct desk; /* a thread's buffers for assembling a section */

struct assembly {
	struct el_slice slice;
	struct recorder *recorder;
	bool has_courses;
	struct scratch *scratch;
	bool in_memory;      /* the planes fit in memory */
	unsigned desks_most; /* set by memory_of_pages */
	uint64_t pages;      /* bytes that pages may take once planes are read in pieces */
	/* One of these three has the symbols: */
	struct part *part; /* the only part of the slice, which stays open */
	/* families, in planes that fit in memory: by index; owned */
	uint16_t *symbols[2];
	struct paged sections[2]; /* or that do not: a page for each section */
	/* The numbers of their courses, if families have them: a page for each section, the lower halves first. */
	struct paged numbers[2];
	uint64_t *start;   /* first index of each section, and the end of the last; owned */
	uint16_t *nothing; /* the symbols of a unit without positions; owned */
	size_t section_count;
	/* One for each thread. While planes are read in pieces, these hold the current sections. */
	struct desk *desks; /* `threads`; owned */
	unsigned threads;
	unsigned plane;
	size_t first, count; /* of the current sections; at most one for each thread */
};

/* Adds a family that is solved. If planes are in memory, several threads may add families at once;
   else all threads share the work. */
enum el_status assembly_add(struct assembly *, struct family *, bool shared, struct el_error *);
/* Rank 0 gets the positions of the families that the other ranks have added, and their values. Every rank
   has added one at least, or none. `passes`: those of this rank, and then the most of all. */
enum el_status assembly_merge(struct assembly *, struct ranks *, unsigned *passes,
                              struct el_error *);
/* Fills in the symbols of the planes if they are in memory. Call it once all parts are added and
   the recorder is finished. */
enum el_status assembly_finish(struct assembly *, struct el_planes *, struct el_error *);
/* Implements el_plane_reader.read for planes that are not in memory. */
enum el_status assembly_read(struct assembly *, unsigned plane, uint64_t first, size_t count,
                             uint16_t *symbols, struct el_error *);
/* The same of el_plane_reader.read_courses. */
enum el_status assembly_read_courses(struct assembly *, unsigned plane, uint64_t first,
                                     size_t count, uint32_t *numbers, struct el_error *);
void assembly_close(struct assembly *);

#endif
