/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of Bounds: a loop of positions with one exit, solved with partial information. */
#ifndef TUI_VIEWS_BOUNDS_BOUNDS_H
#define TUI_VIEWS_BOUNDS_BOUNDS_H

#include "tui/shell/shell.h"
#include "tui/text/values.h"

/* ---- bounds_loop.c: partial information on a graph small enough to be drawn ---- */

/*
 * The solver's algorithm, one value at a time instead of in bitmaps, so that the user can watch it.
 * Values and operators follow Bjornsson, Schaeffer, Sturtevant, "Partial Information Endgame
 * Databases", 2005, sections 2.1 to 2.3.
 */

/* uTT: nothing is known, so the position could repeat for ever. Every node starts with it. */
extern const struct bounds_value lattice_start;

/* Removes the u. */
struct bounds_value lattice_decide(struct bounds_value);

enum { LATTICE_OUT = 255 };

/* A move to a node, or out of the graph. */
struct lattice_move {
	uint8_t to; /* a node's number, or LATTICE_OUT */
	/* for a move out: the value of the position entered, for its side to move; as in
	   bounds_value.outcome */
	uint8_t exit;
};

/* The moves of node i are move[first[i]] up to, but not including, move[first[i + 1]]. The side to
   move loses if there are none. */
struct lattice_graph {
	unsigned nodes;       /* at most LATTICE_OUT */
	const uint8_t *first; /* nodes + 1 of them */
	const struct lattice_move *move;
};

/* One node changed its value. */
struct lattice_change {
	unsigned node;
	struct bounds_value from, to;
};

/*
 * Updates the lowest-numbered node whose value has a u and differs from what its moves give.
 * Returns false when there is none: the analysis has ended, and every remaining u can be decided.
 * On a loop numbered in the order of its moves, this is the order of the paper's Figure 4: from the
 * exit backwards.
 */
bool lattice_step(const struct lattice_graph *, struct bounds_value *value,
                  struct lattice_change *out);

enum { LOOP_NODES = 4, LOOP_EXITS = 6, LOOP_CHANGES_MAX = 16 };

/* The exit's value alone determines every position after any number of steps. */
struct bounds_loop {
	unsigned exit;      /* index into loop_exits */
	unsigned step;      /* steps made so far */
	struct list values; /* the six values, best first; `at`: the one explained */
};

/* The loop after some steps. Moves lead from node 0 through the others and back to it; node 0 also
   has the exit. White is to move at nodes 0 and 2. */
struct loop_state {
	struct bounds_value value[LOOP_NODES];
	struct bounds_value before[LOOP_NODES]; /* before the last step */
	struct lattice_change change;           /* made by the last step, unless: */
	bool decided;                           /* the last step removed the u-marks */
};

/* The possible values of the position outside, for Black, who is to move there. */
extern const uint8_t loop_exits[LOOP_EXITS];
/* Best first; neither the third nor the fourth is better than the other. */
extern const uint8_t loop_values[LOOP_EXITS];

/* The number of steps. The last one decides whatever still has a u, if anything does. */
unsigned loop_steps(unsigned exit);
void loop_after(unsigned exit, unsigned steps, struct loop_state *out);

extern const struct state bounds_state;
struct bounds_loop *bounds_of(const struct model *);

/* ---- bounds_screen.c ---- */

void bounds_draw(const struct model *, struct pane);

#endif
