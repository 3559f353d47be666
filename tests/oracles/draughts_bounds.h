/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Retrograde analysis with partial information, exactly as in Bjornsson, Schaeffer, Sturtevant,
 * "Partial Information Endgame Databases", 2005, sections 2.1 to 2.3: ten values, a maximum given
 * as a table, sweeps over all positions until one changes nothing. Positions are nodes of a graph
 * in plain arrays, so it works for any game that can list moves. For tests only; it shares nothing
 * with core/.
 */
#ifndef TESTS_ORACLES_DRAUGHTS_BOUNDS_H
#define TESTS_ORACLES_DRAUGHTS_BOUNDS_H

#include <stddef.h>
#include <stdint.h>

/*
 * For the side to move, the lower bound, then the upper; in the order of the paper's Table 2. The
 * first six are final. Values with a u are what a position would be worth if nothing more changed;
 * uTT means that nothing is known.
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
 * The children of node i are child[first[i]] up to, but not including, child[first[i + 1]]. Each is
 * a node's number or, outside the graph, the complement of a final value (~BOUNDS_LW) for the side
 * to move there. A node without children is lost for the side to move.
 */
struct bounds_graph {
	size_t nodes;
	uint32_t *first; /* nodes + 1 of them */
	int32_t *child;
};

enum bounds_order { BOUNDS_FORWARDS, BOUNDS_BACKWARDS, BOUNDS_SHUFFLED };

struct bounds_sweeps {
	enum bounds_order order; /* in which passes visit the nodes */
	uint64_t seed;           /* of BOUNDS_SHUFFLED */
	unsigned passes;         /* result: includes the last one, which changes nothing */
	size_t undecided;        /* result: nodes that still had a u at the end */
};

/* "WW", ..., "uLT". */
const char *bounds_name(unsigned bounds);
unsigned bounds_negate(unsigned bounds);
unsigned bounds_max(unsigned a, unsigned b);

/* Writes each node's final value to `value`, graph->nodes bytes. Lack of memory ends the
   program. */
void bounds_solve(const struct bounds_graph *graph, struct bounds_sweeps *sweeps, uint8_t *value);

/* Frees a graph's malloc'ed arrays. */
void bounds_graph_free(struct bounds_graph *graph);

#endif
