/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What moves lead to, for the proof of a table: by the rules of the game and by stored values
 * alone. Nothing is shared with the set operators.
 */
#ifndef CORE_EXAMINE_REACH_H
#define CORE_EXAMINE_REACH_H

#include "core/games/game.h"
#include "core/solve/solve.h"

/* Planes of the slices that conversions enter; owned by whoever filled it. */
struct subtables {
	struct el_planes planes[EL_SUCCESSORS_MAX];
	size_t count;
};

/* What moves are worth together; `open`: some of them by a table that is missing. */
struct derived {
	struct el_value value;
	bool open;
};

/* What is asked for values where there are no planes. */
struct prober {
	void *context;
	/* Of a position without a right to capture en passant; its place is null where it has
	   none. */
	struct derived (*value)(void *context, const struct el_metric *, const struct el_position *,
	                        const struct el_place *);
};

/* Where the values of reached positions are looked up. */
struct reach {
	const struct el_game *game;
	uint64_t key; /* of the slice */
	const struct el_metric *metric;
	const struct el_planes *planes; /* of the slice, under the metric; null: not there */
	const struct subtables *others; /* under el_metric_entered */
	/* What a move enters that ends the count and stays in the slice, is looked up here: itself,
	   or another metric's, which tells more. */
	const struct reach *ended;
	const struct prober *prober; /* not null: it is asked, and `planes` and `others` are null */
};

struct reached {
	struct el_value value; /* for the side to move there; under el_metric_entered if `ends` */
	bool ends;             /* the move ends the count */
	unsigned gain;         /* el_move_gain */
	bool open;             /* nobody knows the value: a table is missing */
	struct el_place place; /* when not `ends` */
};

void reach_by_move(const struct reach *, const struct el_position *, const struct el_move *,
                   struct reached *out);
/* The best of a position's moves, as el_value_of_move has them. */
struct derived reach_derive(const struct reach *, const struct el_position *);

#endif
