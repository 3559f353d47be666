/* SPDX-License-Identifier: MIT */
/*
 * The boards of a slice, all those with n stones, as bit matrices (core/games/sets.h). Unit u has
 * the boards with u stones in the mover's six pits and n - u in the pits opposite. A row is one
 * placement of the mover's stones, a column one of the others, both numbered by rank (awari_rank).
 * Each row starts a new word.
 *
 * A move empties a pit and sows its stones. Those that fall into the mover's pits lead to another
 * row, the same for all columns; the others add the same stones to the pits opposite in all
 * columns. So a move maps a row to a row, and columns to columns in the same order, with gaps
 * (index.h). All columns of a row are processed together, 64 in a word.
 *
 * For that, the set that moves lead into is transposed (el_sets.turn): its rows are the pits of the
 * side that moved, its columns those of the side to move. Transposed unit u has u stones in the
 * rows' pits.
 */
#ifndef CORE_GAMES_AWARI_SETS_H
#define CORE_GAMES_AWARI_SETS_H

#include "awari.h"
#include "core/games/events.h"

enum { AWARI_NOWHERE = AWARI_ROW }; /* no pit */

/* The effect of a move from a row. Sowing depends on the mover's pits alone, so it is the same for
   all columns. */
struct awari_step {
	uint8_t crossed; /* stones that are sown into the pits opposite */
	/* the pit there that receives the last stone, 0 .. 5; AWARI_NOWHERE: it stays on the
	   mover's side */
	uint8_t last;
	/* the mover's pits afterwards: a row of the unit with `crossed` fewer stones */
	uint32_t row;
};

/* All moves of a row: one for each non-empty pit. */
struct awari_moves {
	struct awari_step step[AWARI_ROW];
	uint8_t count;
};

/* All columns with the same number of stones, and the effect of sowing into them, as sets of
   columns: bit c is the column of rank c. */
struct awari_columns {
	/* [crossed]: the possible columns after sowing so many stones more. They keep the order of
	   their origins, so column k becomes the k-th of them. Owned. */
	uint64_t *sown[AWARI_STONES + 1];
	/* [n - 1][pit]: the columns in which a move captures if its last stone is the n-th to fall
	   into that pit, which then has 2 or 3 stones; in oware without those in which nothing would be
	   left. Owned. */
	uint64_t *caught[3][AWARI_ROW];
};

struct awari_sets {
	struct el_sets head;
	unsigned stones;
	size_t words[AWARI_STONES + 1];               /* of each unit */
	uint8_t (*pits[AWARI_STONES + 1])[AWARI_ROW]; /* [stones][rank]: six pits; owned */
	/* [stones][rank]: the moves of the row with these pits; owned */
	struct awari_moves *moves[AWARI_STONES + 1];
	struct awari_columns columns[AWARI_STONES + 1]; /* [stones] */
	const struct el_lender *lender;
	/* by stones captured; closed once all units are begun */
	struct entered entered[AWARI_MOST + 1];
};

/* Words in a row of a matrix with so many stones in its columns' pits. */
static inline size_t awari_words(unsigned stones)
{
	return (awari_rows(stones) + 63) / 64;
}

/* How many of the stones that cross fall into this pit: they fill the six pits opposite in turn. */
static inline unsigned awari_fall(unsigned crossed, unsigned pit)
{
	return crossed / AWARI_ROW + (pit < crossed % AWARI_ROW);
}

/* The pits opposite when so many stones have crossed and the last has fallen into `last`, with what that
   captures removed. Returns the stones captured. */
unsigned awari_capture(const uint8_t before[AWARI_ROW], unsigned crossed, unsigned last,
                       uint8_t after[AWARI_ROW]);

/* The columns of a unit in which a step captures; null: none. */
static inline const uint64_t *awari_caught(const struct awari_columns *columns,
                                           const struct awari_step *step)
{
	if (step->last == AWARI_NOWHERE)
		return NULL;
	const unsigned fallen = awari_fall(step->crossed, step->last);
	return fallen <= 3 ? columns->caught[fallen - 1][step->last] : NULL;
}

/* ---- sets_conversions.c ---- */

/* A member of el_sets. */
enum el_status awari_begin(const struct el_sets *, unsigned side, size_t unit, struct el_unit *,
                           void *scratch, struct el_error *);
/* Bytes of scratch that `awari_begin` needs, for units of head.words. */
size_t awari_begin_scratch(const struct awari_sets *);
/* Members of whole_way, for the slices that captures enter. */
enum el_status awari_borrow(struct el_sets *, const struct el_problem *, struct el_error *);
void awari_give_back(struct el_sets *);

#endif
