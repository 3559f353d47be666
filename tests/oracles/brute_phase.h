/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Phases: what is played before a move that ends the count. Positions that quiet moves lead to one
 * another are a region, with its moves written down once, because many rules run over them.
 *
 *     region_open -> phase_solve, dtr_solve, dtzr_solve ... region_close
 */
#ifndef TESTS_ORACLES_BRUTE_PHASE_H
#define TESTS_ORACLES_BRUTE_PHASE_H

#include "brute_inside.h"

/* What is known of a position: 0 (a draw, or nothing), or its plies + 1, with WON where the side to
   move wins, and CURSED where a rule takes the win away from whoever has it. */
enum { WON = 0x8000, CURSED = 0x4000, PLIES = 0x3fff, NO_LIMIT = 0x3ffe };

static inline uint16_t code_of(bool won, unsigned plies)
{
	return (uint16_t)((won ? WON : 0) | (plies + 1));
}

static inline unsigned plies_of(uint16_t code)
{
	return (code & PLIES) - 1u;
}

/* The positions of a table with one placement of its pawns, mirrored or not, where pawn moves end a
   phase; or all of them, where only captures and promotions do. Arrays go by the place in `state`.
   The quiet moves to position i come from before[before_at[i]], ..., before[before_at[i + 1] - 1];
   its moves that end the phase enter ending[ending_at[i]], ..., ending[ending_at[i + 1] - 1]. */
struct region {
	const struct brute_table *table;
	bool pawn_moves_end;
	uint32_t count;
	uint32_t *state; /* the legal positions */
	uint8_t *moves;  /* how many legal moves there are, quiet or not */
	bool *mated;
	uint32_t *before_at, *before;
	uint32_t *ending_at;
	struct place *ending;
};

/* `pawns`: the squares of the pawns in the table's order, or null for the whole table. `local` is
   for scratch, one for every state of the table. */
void region_open(struct region *, const struct brute_table *, const uint8_t *pawns,
                 uint32_t *local);
void region_close(struct region *);

/* Under which a phase is played. */
struct rule {
	unsigned limit;         /* plies that it may last */
	const uint16_t *ending; /* the code of each position in region.ending */
	unsigned entered;       /* of these count the uncursed ones with no more plies */
};

/* Finds who can force the end of the phase within the limit by a mate or in an entered position
   that counts, and when at best play. */
void phase_solve(const struct region *, const struct rule *, uint16_t *code);

/* The least limit under which each position that has a `dtz` is decided. `ending` has the DTR of
   what is entered. */
void dtr_solve(const struct region *, const uint16_t *ending, const uint16_t *dtz, uint16_t *dtr);
/* The plies of the first phase when both sides heed the longest phase first; `dtr` is known. */
void dtzr_solve(const struct region *, const uint16_t *ending, const uint16_t *dtz,
                const uint16_t *dtr, uint16_t *dtzr);

/* Memory, or the end of the program. */
void *brute_memory(size_t count, size_t size);

#endif
