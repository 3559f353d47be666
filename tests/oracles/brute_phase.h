/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A phase is the play before a move that ends the count. Positions connected by quiet moves form a
 * region, whose moves are listed once because many rules run over them.
 *
 *     region_open -> phase_solve, dtr_solve, dtzr_solve ... region_close
 */
#ifndef TESTS_ORACLES_BRUTE_PHASE_H
#define TESTS_ORACLES_BRUTE_PHASE_H

#include "brute_inside.h"

/* What is known of a position: 0 (a draw, or nothing), or its plies + 1, with WON if the side to
   move wins, and CURSED if a rule takes away the winner's win. */
enum { WON = 0x8000, CURSED = 0x4000, PLIES = 0x3fff, NO_LIMIT = 0x3ffe };

static inline uint16_t code_of(bool won, unsigned plies)
{
	return (uint16_t)((won ? WON : 0) | (plies + 1));
}

static inline unsigned plies_of(uint16_t code)
{
	return (code & PLIES) - 1u;
}

/* If pawn moves end a phase, the positions of a table with one placement of its pawns, mirrored or
   not; if only captures and promotions do, all positions. Arrays are indexed like `state`. Quiet
   moves to position i come from before[before_at[i]], ..., before[before_at[i + 1] - 1]; its moves
   that end the phase enter ending[ending_at[i]], ..., ending[ending_at[i + 1] - 1]. */
struct region {
	const struct brute_table *table;
	bool pawn_moves_end;
	uint32_t count;
	uint32_t *state; /* the legal positions */
	uint8_t *moves;  /* the number of legal moves, quiet or not */
	bool *mated;
	uint32_t *before_at, *before;
	uint32_t *ending_at;
	struct place *ending;
};

/* `pawns`: the squares of the pawns in the table's order, or null for the whole table. `local`:
   scratch, one entry for every state of the table. */
void region_open(struct region *, const struct brute_table *, const uint8_t *pawns,
                 uint32_t *local);
void region_close(struct region *);

/* The rule for a phase. */
struct rule {
	unsigned limit;         /* the most plies that it may last */
	const uint16_t *ending; /* the code of each position in region.ending */
	unsigned entered;       /* only uncursed ones with at most this many plies count */
};

/* Finds who can end the phase within the limit, by mate or by entering a position that counts, and
   when with best play. */
void phase_solve(const struct region *, const struct rule *, uint16_t *code);

/* Finds the least limit that decides each position with a `dtz`. `ending` has the DTR of the
   positions entered. */
void dtr_solve(const struct region *, const uint16_t *ending, const uint16_t *dtz, uint16_t *dtr);
/* Finds the plies of the first phase if both sides heed the longest phase first; `dtr` is known. */
void dtzr_solve(const struct region *, const uint16_t *ending, const uint16_t *dtz,
                const uint16_t *dtr, uint16_t *dtzr);

/* Sets the pawns' squares in their n-th placement, one of 48 for each pawn. Returns how far they have
   advanced. */
unsigned brute_pawns(const struct brute_table *, uint32_t n, uint8_t pawns[PIECES]);

/* Zeroed memory; ends the program if there is none. */
void *brute_memory(size_t count, size_t size);

#endif
