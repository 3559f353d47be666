/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Retrograde analysis with partial information, taken word for word from Bjornsson, Schaeffer,
 * Sturtevant, "Partial Information Endgame Databases", 2005, sections 2.1 to 2.3: ten values, a
 * maximum written out as a table, sweeps over all positions until one changes nothing. It knows no
 * game: positions are the nodes of a graph in plain arrays, so whoever can list moves can use it.
 * For tests only, and sharing nothing with core/.
 */
#ifndef TESTS_ORACLES_DRAUGHTS_BOUNDS_H
#define TESTS_ORACLES_DRAUGHTS_BOUNDS_H

#include <stddef.h>
#include <stdint.h>

/*
 * For the side to move, the lower bound and then the upper one; the order is that of the paper's
 * Table 2. The first six are final. Those with a u are what a position would be worth if nothing
 * changed any more; uTT is what nobody knows anything of.
 */
enum bounds {
	BOUNDS_WW,
	BOUNDS_TT,
	BOUNDS_LL,
	BOUNDS_TW,
	BOUNDS_LT,
	BOUNDS_LW,
	BOUNDS_FINAL,
	BOUNDS_ULW = BOUNDS_FINAL,
	BOUNDS_UTW,
	BOUNDS_UTT,
	BOUNDS_ULT,
	BOUNDS_COUNT,
};

/*
 * The children of node i are child[first[i]] up to before child[first[i + 1]]: a node's number, or,
 * for what lies outside the graph, the complement of its final value (~BOUNDS_LW), seen by the side
 * that is to move there. A node without children is lost for the side to move.
 */
struct bounds_graph {
	size_t nodes;
	uint32_t *first; /* nodes + 1 of them */
	int32_t *child;
};

enum bounds_order { BOUNDS_FORWARDS, BOUNDS_BACKWARDS, BOUNDS_SHUFFLED };

struct bounds_sweeps {
	enum bounds_order order; /* in which each pass goes over the nodes */
	uint64_t seed;           /* of BOUNDS_SHUFFLED */
	unsigned passes;         /* result: the last one, which changes nothing, is counted */
	size_t undecided;        /* result: nodes that had a u to the end */
};

/* "WW", ..., "uLT". */
const char *bounds_name(unsigned bounds);
unsigned bounds_negate(unsigned bounds);
unsigned bounds_max(unsigned a, unsigned b);

/* Writes the final value of each node to `value`, graph->nodes bytes. No memory ends the program.
 */
void bounds_solve(const struct bounds_graph *graph, struct bounds_sweeps *sweeps, uint8_t *value);

/* Frees the arrays of a graph that has them from malloc. */
void bounds_graph_free(struct bounds_graph *graph);

#endif
