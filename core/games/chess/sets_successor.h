/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slices that conversions enter, read as effects on the positions they come from. */
#ifndef ENDLAB_CHESS_SETS_SUCCESSOR_H
#define ENDLAB_CHESS_SETS_SUCCESSOR_H

#include "sets.h"

enum {
	CHESS_NEVER = UINT16_MAX,
	CHESS_NO_VALUE = 0, /* as `win`: the table that is entered says nothing of a legal position */
	CHESS_NONE = EL_PIECES_MAX,
};

/*
 * What conversions do for the side that makes them: the position is a win in `win` plies, and it is
 * no loss before `free` plies. No legal conversion at all: {CHESS_NEVER, 0}.
 */
struct chess_effect {
	uint16_t win, free;
};

static const struct chess_effect chess_no_effect = {CHESS_NEVER, 0};

static inline struct chess_effect chess_effect_join(struct chess_effect a, struct chess_effect b)
{
	return (struct chess_effect){
		.win = a.win < b.win ? a.win : b.win,
		.free = a.free > b.free ? a.free : b.free,
	};
}

/* By the square of a free piece. */
struct chess_effects {
	struct chess_effect at[64];
};

/* A conversion: piece `mover` becomes a kind (its own, unless it promotes), `captured` is gone. */
struct chess_conversion {
	unsigned mover, captured; /* pieces of the sets; captured may be CHESS_NONE */
	unsigned becomes;
};

struct chess_successor;
struct chess_successors;

/* Borrows the planes of every slice that a conversion enters. */
enum el_status chess_successors_open(const struct chess_sets *, const struct el_metric *,
                                     const struct el_lender *, struct chess_successors **,
                                     struct el_error *);
void chess_successors_close(struct chess_successors *);

/* The slice that a conversion enters, as the mover's opponent finds it there. */
const struct chess_successor *chess_successor(const struct chess_successors *,
                                              const struct chess_conversion *);

/*
 * The effects of conversions that lead to `row` (with the opponent of `side` to move), for the free
 * piece on each of `squares`; chess_no_effect where the position is not legal, and elsewhere. Here
 * the free piece may be a king.
 */
void chess_successor_effects(const struct chess_successor *, const struct chess_row *row,
                             unsigned side, uint64_t squares, struct chess_effects *out);

#endif
