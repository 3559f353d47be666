/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of Frames: a frame of a study, and a way of moves through the frames to it. */
#ifndef TUI_VIEWS_FRAMES_FRAMES_H
#define TUI_VIEWS_FRAMES_FRAMES_H

#include "tui/shell/shell.h"

#include "core/study/graph.h"

enum { WAY_MAX = 64 };

struct frames {
	/* Explore's position when the view was entered, and its game; null: it was not yet */
	struct el_position from;
	const struct el_game *from_game;
	const struct el_game *game;  /* of the position shown; null: there is none yet */
	struct el_position position; /* in the frame shown */
	struct el_position root;     /* of the study */
	/* The positions that the moves entered into were chosen from, and these moves. */
	struct el_position way[WAY_MAX];
	char said[WAY_MAX][EL_MOVE_MAX + 4];
	int row[WAY_MAX]; /* that was selected there */
	int steps;
	bool from_root;            /* the way begins in the root's frame */
	struct question ask;       /* known: what follows belongs to `position` */
	char *path;                /* of the study; null: none covers the position. Owned */
	char why[192];             /* why there is nothing to show; else empty */
	struct el_graph *graph;    /* owned; null while a job has it */
	struct el_graph_view view; /* owned */
	struct el_value value;     /* of the position */
	struct el_value
		*values;  /* of the positions of view.after, for the side to move there; owned */
	struct list list; /* of view.after */
	unsigned tables;  /* model.tables_version that the study was found with */
};

extern const struct state frames_state;
struct frames *frames_of(const struct model *);

/* ---- frames_screen.c ---- */

/* "...a5": a move by its name and side. */
void frames_move(const struct el_graph_step *, char out[EL_MOVE_MAX + 4]);
void frames_draw(const struct model *, struct pane);

#endif
