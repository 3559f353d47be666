/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the parts of the draughts solver: draughts_slices.c (the positions, and where their
 * moves lead) and draughts_solve.c (who wins, and the answers). The positions of all slices are the
 * nodes of one graph, numbered consecutively, and the moves are its edges.
 */
#ifndef TESTS_ORACLES_DRAUGHTS_INSIDE_H
#define TESTS_ORACLES_DRAUGHTS_INSIDE_H

#include "draughts.h"

enum { KINDS = 4, SLICES = 64 };

/* Node HAS_LOST stands for all boards on which the side to move has no pieces. */
enum { HAS_LOST = 0, NO_PLACEMENT = UINT32_MAX };

/* The number of pieces of each of "KMkm". */
struct material {
	unsigned char count[KINDS];
};

/* Placements are numbered as draughts_placements visits them; placement p is nodes first + 2 * p
   (White to move) and first + 2 * p + 1 (Black). */
struct slice {
	struct material material;
	char name[DRAUGHTS_NAME];
	uint32_t first, end; /* nodes */
	uint32_t *placement; /* by the squares in a mixed radix; or NO_PLACEMENT */
};

/* For each node, a list of nodes: node i's begins at first[i] and ends before first[i + 1]. */
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

/* Fills in everything except dtw and dtc, for the named slices and all that moves can lead to. */
void draughts_list_positions(struct draughts *, const char *const *names);

/* Ends the program if there is no such slice. */
const struct slice *draughts_find_slice(const struct draughts *, const char *name);

/* False if the board's slice is not there. */
bool draughts_find_node(const struct draughts *, const struct draughts_board *, uint32_t *node);

#endif
