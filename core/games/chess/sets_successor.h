/* SPDX-License-Identifier: MIT */
/* The slices that conversions enter, read as effects on the positions before the move. */
#ifndef CORE_GAMES_CHESS_SETS_SUCCESSOR_H
#define CORE_GAMES_CHESS_SETS_SUCCESSOR_H

#include "sets.h"

enum { CHESS_NONE = CHESS_PIECES_MAX };

/* By the square of a free piece. */
struct chess_effects {
	struct effect at[64];
};

/* A conversion: `mover` becomes a kind (its own, unless it promotes), and `captured` is removed. */
struct chess_conversion {
	unsigned mover, captured; /* pieces of the sets; captured may be CHESS_NONE */
	unsigned becomes;
};

struct chess_successor;
struct chess_successors;

/* Borrows the planes of every slice that a conversion enters. */
enum el_status chess_successors_open(const struct chess_sets *, const struct el_problem *,
                                     struct chess_successors **, struct el_error *);
void chess_successors_close(struct chess_successors *);

/* The slice that a conversion enters, as seen by the mover's opponent. */
const struct chess_successor *chess_successor(const struct chess_successors *,
                                              const struct chess_conversion *);

/*
 * The effects of conversions that lead to `row` (with the opponent of `side` to move), for each of
 * `squares` where the free piece makes the position legal; none elsewhere. Here the free piece may
 * be a king.
 */
void chess_successor_effects(const struct chess_successor *, const struct chess_row *row,
                             unsigned side, uint64_t squares, struct lent *,
                             struct chess_effects *out);

#endif
