/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The boards of a slice as bit matrices: a unit has all boards with the same number of stones in the
 * mover's pits, a row of it those with the same pits of the mover, a column those with the same pits of
 * the other side. Rows begin at a word.
 *
 * A move empties a pit and sows its stones. Some fall into the mover's pits, which makes another row, the
 * same for all columns; the others fall into the pits opposite, as many in each for all columns as well. So a
 * move leads from a row to a row, and from columns to columns in the same order, some being left out
 * (index.h). All columns of a row are worked on together, 64 in a word.
 *
 * For that, what moves lead into is read as the other side's matrix turned round (el_sets.turn): rows are
 * the pits of the one who moved, columns those of the side to move. Turned unit u has u stones in the rows'
 * pits.
 */
#ifndef ENDLAB_AWARI_SETS_H
#define ENDLAB_AWARI_SETS_H

#include "../entered.h"
#include "index.h"

#include "endlab/sets.h"
#include "endlab/solve.h"

enum { AWARI_NOWHERE = AWARI_ROW };

/* What a move does from a row. */
struct awari_step {
	uint8_t crossed; /* stones that fall into the pits opposite */
	uint8_t last;    /* the pit there that the last one falls into; AWARI_NOWHERE: into an own one */
	uint32_t row;    /* of the unit with `crossed` stones fewer */
};

/* All moves of a row. */
struct awari_moves {
	struct awari_step step[AWARI_ROW];
	uint8_t count;
};

/* Columns that hold `stones`, and what sowing so many more into them does. */
struct awari_columns {
	/* Of the columns of stones + crossed, [crossed], those that it leads to; owned. */
	uint64_t *sown[AWARI_STONES + 1];
	/* [n - 1][pit], once n stones have fallen into that pit, the last of all there: these are captured. */
	uint64_t *caught[3][AWARI_ROW];
};

struct awari_sets {
	struct el_sets head;
	unsigned stones;
	uint8_t (*pits[AWARI_STONES + 1])[AWARI_ROW]; /* by stones and rank; owned */
	struct awari_moves *moves[AWARI_STONES + 1];    /* as `pits` */
	struct awari_columns columns[AWARI_STONES + 1]; /* by stones */
	const struct el_lender *lender;
	struct entered entered[AWARI_MOST + 1]; /* by stones captured; not open once all are begun */
};

/* Words of a row of a matrix with so many stones in its columns' pits. */
static inline size_t awari_words(unsigned stones)
{
	return (awari_rows(stones) + 63) / 64;
}

/* How many stones fall into each pit opposite of so many that cross. */
static inline unsigned awari_fall(unsigned crossed, unsigned pit)
{
	return crossed / AWARI_ROW + (pit < crossed % AWARI_ROW);
}

/* Of the columns of a unit, those whose stones a step captures; null: it captures none. */
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
size_t awari_turn(const struct el_sets *, unsigned side, size_t unit, const uint64_t *set, uint64_t *out);
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
/* What captures enter: members of whole_way. Once it is given back no unit can be begun; giving it back
   again does nothing. */
enum el_status awari_borrow(struct el_sets *, const struct el_problem *, struct el_error *);
void awari_give_back(struct el_sets *);

#endif
