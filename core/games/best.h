/* SPDX-License-Identifier: MIT */
/*
 * The value of the best move of each position, in bulk: the way of the game, from a position to
 * its successors, where the set operators (sets.h) go from a set to its predecessors. A proof of a
 * table asks here, so this shares no code with the solver; both know the rules of the game.
 *
 * Values are *scores*: numbers in the order of el_value_compare, from 1 up, so that the best move is
 * the one with the greatest. Only exact values have scores, and no phases: a table with bounds, or
 * under dtr, is proved position by position.
 *
 *     el_best_open -> section, of, ... by any number of threads -> close
 */
#ifndef CORE_GAMES_BEST_H
#define CORE_GAMES_BEST_H

#include "lent.h"

enum {
	BEST_BROKEN = -1, /* the index has no legal position */
	BEST_STUCK = 0,   /* no legal move; in score tables, no score */
	BEST_HOLE =
		INT16_MAX, /* a move leads to a position that should have a value and has none */
};

struct el_best_problem {
	/* the table under proof, whole in memory or lent by `lender` */
	const struct el_planes *planes;
	const struct el_lender *lender; /* of the slices that moves enter */
};

struct el_best {
	const struct el_best_problem *problem; /* borrowed */
	size_t sections;                       /* of the index */
	size_t longest;                        /* indexes of the longest section */
	/* If the planes are lent without symbols: the size of the pieces to request (el_lender.look).
	   Each section lies in one. */
	size_t piece;
	size_t scratch; /* bytes that `of` needs as scratch memory */
	/* The first index of a section, which ends where the next begins; slice.positions for
	   number `sections`. */
	uint64_t (*section)(const struct el_best *, size_t section);
	/* For each index of a section with `side` to move: the score of its best move (el_value_of_move)
	   under the metric of the planes, or BEST_BROKEN, BEST_STUCK or BEST_HOLE. `scratch` belongs to the
	   calling thread, is aligned to 64 bytes and may hold anything. The error of the lender. */
	enum el_status (*of)(const struct el_best *, unsigned side, size_t section, int16_t *out,
	                     void *scratch, struct el_error *);
	void (*close)(struct el_best *);
};

/* With the game's own operators (el_game.best), or from its moves, its rules and its index alone.
   EL_NEGATIVE if a table is missing, or if a value has no score; EL_MEMORY; the error of the
   lender. */
enum el_status el_best_open(const struct el_best_problem *, struct el_best **, struct el_error *);
/* The latter for any game. Slow: each position is set up, and each of its moves played. */
enum el_status plain_best_open(const struct el_best_problem *, struct el_best **,
                               struct el_error *);

/* ---- for the games ---- */

/* The score of a value, BEST_HOLE if it is broken, BEST_STUCK if it has none; and back. */
int16_t best_score(const struct el_metric *, struct el_value);
struct el_value best_value(const struct el_metric *, int16_t score);

/* The planes that moves lead to, and the score of a move to each of their symbols, by plane. */
struct best_entered {
	const struct el_planes *planes; /* null: none */
	int16_t *score[2];              /* owned */
	/* symbols requested at a time where not all are in memory; initially LENT_COUNT */
	size_t piece;
};

/* What all moves lead to. */
struct best_reached {
	const struct el_best_problem *problem; /* borrowed */
	struct best_entered quiet;             /* of the slice itself */
	struct best_entered ended; /* the same, by a move that ends the count and stays */
	struct best_entered entered[EL_SUCCESSORS_MAX]; /* in the order of el_game.successors */
	size_t count;
	int16_t drawn; /* the score of a move to a position in which nobody can win */
};

/* Borrows the slices that moves enter, and scores their values. EL_NEGATIVE as el_best_open. Close
   it even after a failure. */
enum el_status best_reached_open(struct best_reached *, const struct el_best_problem *,
                                 struct el_error *);
void best_reached_close(struct best_reached *);
/* The slice entered that has this key; null: there is none. */
const struct best_entered *best_entered_find(const struct best_reached *, uint64_t key);
/* The score of a legal move. Sets *is_unread if a value cannot be read. */
int16_t best_of_move(const struct best_reached *, const struct el_position *,
                     const struct el_move *, struct lent *, bool *is_unread);
/* The score of the best move of a legal position, of any game, with any rights; BEST_STUCK if it
   has no move. */
int16_t best_of_position(const struct best_reached *, const struct el_position *, struct lent *,
                         bool *is_unread);

#endif
