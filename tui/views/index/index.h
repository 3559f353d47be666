/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of Index: one index of a slice, worked out step by step, and how dense the slice is. */
#ifndef TUI_VIEWS_INDEX_INDEX_H
#define TUI_VIEWS_INDEX_INDEX_H

#include "tui/shell/shell.h"

#include "core/examine/examine.h"

struct index {
	const struct el_game *game; /* null: the view was never shown */
	struct el_position from;    /* where Explore stood when the view was entered */
	bool has_slice;
	struct el_error why; /* there is no slice, and so no index */
	struct el_slice slice;
	unsigned plane;
	uint64_t number; /* the index shown, broken or not */
	bool has_given;  /* it was asked for by a position: */
	struct el_position given;
	unsigned changes;    /* enum el_symmetry: from `given` to the one of the index */
	bool shows_given;    /* on the board */
	bool back;           /* the steps are read from the index back to the squares */
	struct list steps;   /* in the order in which they are read: index_row */
	struct question ask; /* known: the census belongs to `slice` */
	bool refused;        /* it could not be taken: it is not tried again by itself */
	struct el_census census;
};

extern const struct state index_state;
struct index *index_of(const struct model *);

/* An index taken apart. */
struct index_look {
	struct el_index_step step[EL_INDEX_STEPS_MAX];
	size_t count;
	struct el_position position; /* the pieces where the steps have them */
	uint64_t shared;             /* squares with two pieces */
	struct el_error broken;      /* why it is; EL_OK: it is not */
};

/* The place of a step in the list, which begins with the one that is read first; and the step at a
   place. */
int index_row(const struct index *, int step);
/* Of an index with a slice. */
void index_look(const struct index *, struct index_look *out);
/* ---- index_screen.c ---- */

void index_draw(const struct model *, struct pane);

#endif
