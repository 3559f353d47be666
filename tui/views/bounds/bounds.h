/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of Bounds: a loop of positions with a way out, solved with partial information. */
#ifndef TUI_VIEWS_BOUNDS_BOUNDS_H
#define TUI_VIEWS_BOUNDS_BOUNDS_H

#include "tui/shell/shell.h"
#include "tui/text/values.h"

/* ---- bounds_loop.c: partial information on a graph small enough to be drawn ---- */

/*
 * One value at a time: what the solver does with bitmaps, done so that it can be watched. Values and
 * operators are those of Bjornsson, Schaeffer, Sturtevant, "Partial Information Endgame Databases",
 * 2005, sections 2.1 to 2.3.
 */

/* uTT: nothing is known, so that the position comes again for ever. All start with it. */
extern const struct bounds_value lattice_start;

struct bounds_value lattice_negate(struct bounds_value);
/* Table 2: the maximum of outcomes; a u stays, unless the result is a win. */
struct bounds_value lattice_max(struct bounds_value a, struct bounds_value b);
/* Without the u. */
struct bounds_value lattice_decide(struct bounds_value);

enum { LATTICE_OUT = 255 };

/* A move to a node, or out of the graph. */
struct lattice_move {
	uint8_t to; /* a node's number, or LATTICE_OUT */
	/* of a move out: what the position there is worth, as in bounds_value.outcome, for the side
	   that is to move there */
	uint8_t exit;
};

/* The moves of node i are move[first[i]] up to before move[first[i + 1]]; without any it is lost
   for the side to move. */
struct lattice_graph {
	unsigned nodes;       /* at most LATTICE_OUT */
	const uint8_t *first; /* nodes + 1 of them */
	const struct lattice_move *move;
};

/* A node took another value. */
struct lattice_change {
	unsigned node;
	struct bounds_value from, to;
};

/*
 * Changes one value: that of the lowest node with a u that is not worth what its moves say. False
 * when there is none, which ends the analysis: what still has a u is then to be decided. Around a
 * loop whose nodes are numbered as its moves go this is the order of the paper's Figure 4, from the
 * way out backwards.
 */
bool lattice_step(const struct lattice_graph *, struct bounds_value *value,
                  struct lattice_change *out);

enum { LOOP_NODES = 4, LOOP_EXITS = 6, LOOP_CHANGES_MAX = 16 };

/* What the positions are after some steps follows from the value of the way out alone. */
struct bounds_loop {
	unsigned exit;      /* place in loop_exits */
	unsigned step;      /* how many are made */
	struct list values; /* the six values from the best down; `at`: the one explained */
};

/* The loop after some steps. The moves go from node 0 on to the next ones and back to it; node 0
   has the way out, too. White is to move at nodes 0 and 2. */
struct loop_state {
	struct bounds_value value[LOOP_NODES];
	struct bounds_value before[LOOP_NODES]; /* the last step */
	struct lattice_change change;           /* made by the last step; unless: */
	bool decided;                           /* the last step took the u-marks away */
};

/* The values that the position outside can have, for Black, who is to move there. */
extern const uint8_t loop_exits[LOOP_EXITS];
/* From the best down; neither of the third and the fourth is better. */
extern const uint8_t loop_values[LOOP_EXITS];

/* How many steps there are; the last one decides, unless nothing is left to decide. */
unsigned loop_steps(unsigned exit);
void loop_after(unsigned exit, unsigned steps, struct loop_state *out);

extern const struct state bounds_state;
struct bounds_loop *bounds_of(const struct model *);

/* ---- bounds_screen.c ---- */

void bounds_draw(const struct model *, struct pane);

#endif
