/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The boards of a slice, all those with n stones, as bit matrices (endlab/sets.h). Unit u has the
 * boards with u stones in the mover's six pits and n - u in those opposite. A row of it is one way
 * to lay the mover's, a column one way to lay the others, both numbered by rank (awari_rank). Each
 * row begins at a word of its own.
 *
 * A move empties a pit and sows its stones. Some fall into the mover's pits, which makes another
 * row, the same for all columns; the others fall into the pits opposite, as many in each for all
 * columns as well. So a move leads from a row to a row, and from columns to columns in the same
 * order, some being left out (index.h). All columns of a row are worked on together, 64 in a word.
 *
 * For that, what moves lead into is read as the other side's matrix turned round (el_sets.turn):
 * rows are the pits of the one who moved, columns those of the side to move. Turned unit u has u
 * stones in the rows' pits.
 */
#ifndef CORE_GAMES_AWARI_SETS_H
#define CORE_GAMES_AWARI_SETS_H

#include "core/games/entered.h"
#include "index.h"

#include "core/games/problem.h"
#include "core/games/sets.h"

enum { AWARI_NOWHERE = AWARI_ROW }; /* no pit */

/* What a move from a row does. Sowing depends on the mover's pits alone, so it is the same for all
   columns. */
struct awari_step {
	uint8_t crossed; /* stones that are sown into the pits opposite */
	/* the pit there that gets the last one, 0 .. 5; AWARI_NOWHERE: it stays on the own side */
	uint8_t last;
	/* the mover's pits afterwards: a row of the unit with `crossed` fewer stones */
	uint32_t row;
};

/* All moves of a row: one for each pit that is not empty. */
struct awari_moves {
	struct awari_step step[AWARI_ROW];
	uint8_t count;
};

/* All columns with the same number of stones, and what sowing into them does, as sets of columns:
   bit c is the column of rank c. */
struct awari_columns {
	/* [crossed]: which columns with so many stones more can come out of it. They keep the order
	   of those they come from, so the k-th of them is what column k becomes. Owned. */
	uint64_t *sown[AWARI_STONES + 1];
	/* [n - 1][pit]: in which columns a move captures whose last stone is the n-th to fall into
	   that pit, which has 2 or 3 stones then. Owned. */
	uint64_t *caught[3][AWARI_ROW];
};

struct awari_sets {
	struct el_sets head;
	unsigned stones;
	uint8_t (*pits[AWARI_STONES + 1])[AWARI_ROW]; /* [stones][rank]: six pits; owned */
	/* [stones][rank]: of the row with these pits; owned */
	struct awari_moves *moves[AWARI_STONES + 1];
	struct awari_columns columns[AWARI_STONES + 1]; /* [stones] */
	const struct el_lender *lender;
	/* by stones captured; not open once all are begun */
	struct entered entered[AWARI_MOST + 1];
};

/* Words of a row of a matrix with so many stones in its columns' pits. */
static inline size_t awari_words(unsigned stones)
{
	return (awari_rows(stones) + 63) / 64;
}

/* Stones that cross fall into the six pits opposite in turn, from the first on: how many into this
   one. */
static inline unsigned awari_fall(unsigned crossed, unsigned pit)
{
	return crossed / AWARI_ROW + (pit < crossed % AWARI_ROW);
}

/* In which columns of a unit a step captures; null: in none. */
static inline const uint64_t *awari_caught(const struct awari_columns *columns,
                                           const struct awari_step *step)
{
	if (step->last == AWARI_NOWHERE)
		return NULL;
	const unsigned fallen = awari_fall(step->crossed, step->last);
	return fallen <= 3 ? columns->caught[fallen - 1][step->last] : NULL;
}

/* ---- members of el_sets ---- */

/* sets_quiet.c */
size_t awari_turn(const struct el_sets *, unsigned side, size_t unit, const uint64_t *set,
                  uint64_t *out);
size_t awari_links(const struct el_sets *, unsigned side, size_t unit, uint32_t out[EL_LINKS_MAX]);
void awari_pre_some(const struct el_sets *, unsigned side, size_t unit,
                    const uint64_t *const to[EL_LINKS_MAX], const uint64_t *among, uint64_t *from,
                    void *scratch);
void awari_pre_none(const struct el_sets *, unsigned side, size_t unit,
                    const uint64_t *const to[EL_LINKS_MAX], const uint64_t *among, uint64_t *from,
                    void *scratch);
/* sets_conversions.c */
enum el_status awari_begin(const struct el_sets *, unsigned side, size_t unit, struct el_unit *,
                           void *scratch, struct el_error *);

/* ---- sets_conversions.c ---- */

/* Bytes that `awari_begin` needs for a row of a slice. */
size_t awari_begin_scratch(unsigned stones);
/* What captures enter: members of whole_way. Once it is given back no unit can be begun; giving it
   back again does nothing. */
enum el_status awari_borrow(struct el_sets *, const struct el_problem *, struct el_error *);
void awari_give_back(struct el_sets *);

#endif
