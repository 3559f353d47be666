/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the map: one piece tried on every square. */
#ifndef ENDLAB_TUI_VIEWS_MAP_H
#define ENDLAB_TUI_VIEWS_MAP_H

#include "../../shell/view.h"

#include "endlab/library.h"

enum { MAP_SQUARES = 64 };

/* By square: EL_BROKEN where the piece cannot stand, EL_UNKNOWN where no table says. */
struct map_values {
	struct el_value value[MAP_SQUARES];
	const struct el_metric *metric; /* of the values; null: none known */
};

struct map {
	struct el_position
		position; /* of which the map is drawn: the side to move may be changed */
	uint8_t piece;                /* the square of the piece that is moved about */
	struct map_values values;
	struct question ask;          /* known: the values belong to `position` and `piece` */
};

/* On wide screens the map stands beside the board: follows the position that is explored. */
void map_follow(struct model *);
/* Draws the board with its marks, and the legend. */
void map_draw_board(const struct model *, struct pane);
void map_draw_legend(const struct model *, struct pane);

#endif
