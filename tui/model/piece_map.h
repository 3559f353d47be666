/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One piece of the position tried on every square, and what comes of it. */
#ifndef TUI_MODEL_PIECE_MAP_H
#define TUI_MODEL_PIECE_MAP_H

#include "job.h"

enum { MAP_SQUARES = 64 };

/* By square: EL_BROKEN where the piece cannot stand, EL_UNKNOWN where no table says. */
struct map_values {
	struct el_value value[MAP_SQUARES];
	const struct el_metric *metric; /* of the values; null: none known */
};

struct piece_map {
	struct el_position position; /* that of the line of play; the side to move may be changed */
	uint8_t piece;               /* the square of the piece that is moved about */
	struct map_values values;    /* of `position` and `piece`, when ask.known */
	struct question ask;
	unsigned seen;                     /* play.changes that it has followed */
	const struct el_metric *ranked_by; /* the model's metric, when it was asked */
	/* somebody looks at it: set before piece_map_ask, each time */
	bool wanted;
};

/* Follows the line of play, and asks for the values while they are wanted. */
void piece_map_ask(struct model *);
/* Another piece, by its square. */
void piece_map_take(struct model *, uint8_t square);
/* The other side is to move. */
void piece_map_turn(struct model *);

#endif
