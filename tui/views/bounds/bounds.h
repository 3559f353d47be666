/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of Bounds: a loop of positions with a way out, solved with partial information. */
#ifndef TUI_VIEWS_BOUNDS_BOUNDS_H
#define TUI_VIEWS_BOUNDS_BOUNDS_H

#include "tui/shell/shell.h"

#include "lattice.h"

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
