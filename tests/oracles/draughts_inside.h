/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of the draughts solver share: draughts_slices.c (which positions there are, and
 * where their moves lead), draughts_solve.c (who wins, and the answers). All positions of all
 * slices are the nodes of one graph, numbered through, and the moves are its edges.
 */
#ifndef TESTS_ORACLES_DRAUGHTS_INSIDE_H
#define TESTS_ORACLES_DRAUGHTS_INSIDE_H

#include "draughts.h"

enum { KINDS = 4, SLICES = 64 };

/* Node HAS_LOST stands for all boards on which the side to move has no pieces. */
enum { HAS_LOST = 0, NO_PLACEMENT = UINT32_MAX };

/* How many pieces there are of each of "KMkm". */
struct material {
	unsigned char count[KINDS];
};

/* The placements are numbered as draughts_placements finds them; placement p is the two nodes
   first + 2 * p and first + 2 * p + 1, with White and with Black to move. */
struct slice {
	struct material material;
	char name[DRAUGHTS_NAME];
	uint32_t first, end; /* nodes */
	uint32_t *placement; /* by the squares in a mixed radix; or NO_PLACEMENT */
};

/* For each node, some others: those of node i begin at first[i] and end before first[i + 1]. */
struct edges {
	uint32_t *first; /* nodes + 1 of them */
	uint32_t *node;
	size_t count, room;
};

struct draughts {
	struct slice slice[SLICES];
	unsigned slices;
	uint32_t nodes;
	struct edges children, parents;
	uint8_t *slice_of;   /* by node; SLICES for HAS_LOST */
	uint16_t *dtw, *dtc; /* by node; see draughts_solve.c */
};

/* ---- draughts_slices.c ---- */

/* Zeroed memory. */
void *draughts_claim(size_t count, size_t size);

/* Fills everything but dtw and dtc, for the slices of these names and all that can come of them. */
void draughts_list_positions(struct draughts *, const char *const *names);

/* Ends the program when there is none of that name. */
const struct slice *draughts_find_slice(const struct draughts *, const char *name);

/* False when the slice of the board is not there. */
bool draughts_find_node(const struct draughts *, const struct draughts_board *, uint32_t *node);

#endif
