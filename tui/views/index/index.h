/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of Index: one index of a slice, computed step by step, and the slice's density. */
#ifndef TUI_VIEWS_INDEX_INDEX_H
#define TUI_VIEWS_INDEX_INDEX_H

#include "tui/shell/shell.h"

#include "core/examine/examine.h"

struct index {
	const struct el_game *game;
	/* the position below when the view was entered, and its game; null: it was not yet */
	struct el_position from;
	const struct el_game *from_game;
	bool has_slice;
	struct el_error why; /* why there is no slice, and so no index */
	struct el_slice slice;
	unsigned plane;
	uint64_t number; /* the index shown, broken or not */
	bool has_given;  /* the index was requested by a position: */
	struct el_position given;
	unsigned changes;    /* enum el_symmetry: from `given` to the index's position */
	bool shows_given;    /* on the board */
	bool back;           /* steps go from the index to the squares */
	struct list steps;   /* in reading order: index_row */
	struct question ask; /* known: the census belongs to `slice` */
	bool refused;        /* the census failed; it is not retried automatically */
	struct el_census census;
};

extern const struct state index_state;
struct index *index_of(const struct model *);

/* An index broken down into its steps. */
struct index_look {
	struct el_index_step step[EL_INDEX_STEPS_MAX];
	size_t count;
	struct el_position position; /* the pieces where the steps put them */
	uint64_t shared;             /* squares with two pieces */
	struct el_error broken;      /* why it is broken; EL_OK: it is not */
};

/* Converts a step to its row in the list, which is in reading order, and a row to its step. */
int index_row(const struct index *, int step);
/* Breaks down the index shown; there must be a slice. */
void index_look(const struct index *, struct index_look *out);
/* ---- index_screen.c ---- */

void index_draw(const struct model *, struct pane);

#endif
