/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of Build: all slices of up to four pieces, the marked ones, and their plan. One game's
   slices are listed at a time. */
#ifndef ENDLAB_TUI_VIEWS_BUILD_H
#define ENDLAB_TUI_VIEWS_BUILD_H

#include "../../shell/view.h"

#include "endlab/build.h"

struct build_row {
	struct el_slice slice;
	bool marked;
	bool built;
	uint64_t memory; /* bytes at the peak of its solution; 0 when it is built */
};

struct build {
	struct build_row *rows;  /* owned; each game's behind those of the game before it */
	int row_count;           /* of all games */
	const struct el_game *game;    /* whose rows are listed */
	const struct el_game *visited; /* explored when the view was last entered; null at first */
	struct list list;        /* of the game's rows */
	struct el_plan plan;     /* for the marked slices; owned */
	struct question ask;     /* about `built`, `memory` and `plan` */
	struct el_slice *asked;  /* owned: what the builds at work and in the queue were asked for */
	size_t asked_count;
};

/* The rows of a game, *count of them. */
struct build_row *build_rows(const struct build *, const struct el_game *, int *count);
/* How wide the names of a game's rows are. */
int build_name_cols(const struct build *, const struct el_game *);
/* Is the slice at work, or in the queue? */
bool build_is_asked(const struct build *, const struct el_slice *);
/* Asks what is not known yet, while the view is shown. */
void build_ask(struct model *);
/* Builds these slices, and what they need, on the worker. */
void build_start(struct model *, const struct el_slice *slices, size_t count);

#endif
