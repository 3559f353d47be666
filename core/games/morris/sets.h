/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A slice of Nine Men's Morris as a bit matrix, the same for both sides to move: rows are classes of
 * White's men (index.h), columns the ranks of Black's. Only the bits of an index that is not broken
 * stand for positions. A unit is a range of rows.
 *
 * White's move leads to another row, in which Black's men may have to be turned with the board; Black's
 * stays in its row. So a row is worked on at a time, with the moves of its men listed once. A set that
 * is reached is small in most passes, and its positions are taken back one by one; where it is larger
 * than what is asked about, it is the other way round.
 */
#ifndef ENDLAB_MORRIS_SETS_H
#define ENDLAB_MORRIS_SETS_H

#include "../entered.h"
#include "index.h"

#include "endlab/sets.h"
#include "endlab/solve.h"

struct morris_sets {
	struct el_sets head;
	unsigned men[2];
	const struct morris_classes *classes;
	uint32_t places;    /* of Black's men in a row */
	size_t row_words;
	size_t unit_rows;   /* the last unit may have fewer */
	uint32_t *squeezed; /* Black's men, by rank, among the points that White's leave; owned */
	const struct el_lender *lender;
	/* By the side that takes a man; not open where that wins the game, nor once all are begun. */
	struct entered entered[2];
	struct effect over[2]; /* of taking the third man */
};

/* A row, and White's men on it. */
struct morris_row {
	const struct morris_sets *sets;
	const struct morris_class *class;
	size_t unit, word; /* where its words begin */
};

/* White's moves from a row, or to it: a move and its inverse are along the same line. */
struct morris_step {
	struct morris_row to;
	uint32_t reached; /* the point that must be empty */
	uint32_t after;   /* White's men, before the board is turned */
	unsigned turn;    /* as the row has it */
};

enum { MORRIS_STEPS_MAX = 63 }; /* three flying men; others have 32 lines */

static inline struct morris_row morris_row(const struct morris_sets *m, size_t row)
{
	return (struct morris_row){m, &m->classes->class[row], row / m->unit_rows,
	                           row % m->unit_rows * m->row_words};
}

/* Rows of a unit: from first on, below the answer. */
static inline size_t morris_rows_end(const struct morris_sets *m, size_t unit)
{
	const size_t end = (unit + 1) * m->unit_rows;
	return end < m->classes->count ? end : m->classes->count;
}

/* Black's men at a rank of a row. */
static inline uint32_t morris_black(const struct morris_row *r, size_t rank)
{
	return spread(r->sets->squeezed[rank], r->class->men);
}

/* White's moves from a row that close a mill, or those that do not. Returns how many. */
unsigned morris_steps(const struct morris_row *, bool closing,
                      struct morris_step out[MORRIS_STEPS_MAX]);

/* ---- members of el_sets ---- */

/* sets_quiet.c */
size_t morris_links(const struct el_sets *, unsigned side, size_t unit, uint32_t out[EL_LINKS_MAX]);
void morris_pre_some(const struct el_sets *, unsigned side, size_t unit,
                     const uint64_t *const to[EL_LINKS_MAX], const uint64_t *among,
                     uint64_t *from, void *scratch);
void morris_pre_none(const struct el_sets *, unsigned side, size_t unit,
                     const uint64_t *const to[EL_LINKS_MAX], const uint64_t *among,
                     uint64_t *from, void *scratch);
/* sets_conversions.c */
enum el_status morris_begin(const struct el_sets *, unsigned side, size_t unit, struct el_unit *,
                            void *scratch, struct el_error *);

/* ---- sets_conversions.c ---- */

/* What mills enter: members of whole_way. Once it is given back no unit can be begun; giving it back
   again does nothing. */
enum el_status morris_borrow(struct el_sets *, const struct el_problem *, struct el_error *);
void morris_give_back(struct el_sets *);

#endif
