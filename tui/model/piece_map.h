/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One piece of the position tried on every square, and the values that result. */
#ifndef TUI_MODEL_PIECE_MAP_H
#define TUI_MODEL_PIECE_MAP_H

#include "job.h"

enum { MAP_SQUARES = 64 };

/* By square: EL_BROKEN if the piece cannot stand there, EL_UNKNOWN if no table has the value. */
struct map_values {
	struct el_value value[MAP_SQUARES];
	const struct el_metric *metric; /* of the values; null: none known */
};

struct piece_map {
	struct el_position position; /* from the line of play; the side to move may be changed */
	uint8_t piece;               /* the square of the piece that is tried */
	struct map_values values;    /* of `position` and `piece`, if ask.known */
	struct question ask;
	unsigned seen;                     /* play.changes when it was last updated */
	const struct el_metric *ranked_by; /* the model's metric when it was asked */
	/* a view shows it: set before each piece_map_ask */
	bool wanted;
};

/* Follows the line of play, and requests the values while they are wanted. */
void piece_map_ask(struct model *);
/* Chooses another piece, by its square. */
void piece_map_take(struct model *, uint8_t square);
/* Changes the side to move. */
void piece_map_turn(struct model *);

#endif
