/* SPDX-License-Identifier: MIT */
/*
 * A slice of Nine Men's Morris as a bit matrix (core/games/sets.h), the same for both sides to
 * move: a row is a class of White's men up to symmetry, a column the rank of Black's men on the
 * remaining points, as in the index (index.h). Bits whose index is broken stay 0. A unit is a range
 * of rows.
 *
 * A move of White's leads to another row, where Black's men may have to be turned with the board; a
 * move of Black's stays in its row. So rows are processed one at a time, with the moves of White's
 * men listed once. In most passes the set reached is small, so moves are taken back from its
 * positions; if the set asked about is smaller, its positions are tried instead.
 */
#ifndef CORE_GAMES_MORRIS_SETS_H
#define CORE_GAMES_MORRIS_SETS_H

#include "core/games/events.h"
#include "index.h"

/* A slice that is entered. */
struct morris_way {
	/* closed if it cannot be entered, if taking a man wins the game, or once all units are begun */
	struct entered entered;
	const struct morris_classes *classes; /* of the men of the side named first there */
	uint32_t places;                      /* of the other side's men there */
	bool swapped;                         /* White is Black there */
};

/* The ranks (choose.h) of sets of up to 24 points, byte by byte: those of each byte if so many points are
   in the bytes before it. */
struct morris_ranks {
	uint32_t of[3][MORRIS_MEN_MAX + 1][256];
};

struct morris_sets {
	struct el_sets head;
	unsigned men[2];
	const struct morris_classes *classes;
	uint32_t places;  /* columns: placements of Black's men */
	size_t row_words; /* words of a row */
	size_t unit_rows; /* rows of a unit; the last one may have fewer */
	/* by column: Black's men as a set of the points that White's leave free, numbered from 0
	   without gaps; morris_black spreads it over the board. Owned */
	uint32_t *squeezed;
	const struct el_lender *lender;
	/* by side to move, and by whether a man is taken */
	struct morris_way way[2][2];
	struct effect over[2]; /* by the side that wins by taking a man, which leaves two */
	/* If men are in hand (sets_placing.c): the longest row of a slice entered; the number of
	   placements of Black's men with one more, 0 if Black cannot be to move. */
	uint32_t longest, placed;
	uint32_t first_placed; /* the first of these placements, as in `squeezed` */
	struct morris_ranks ranks;
};

/* A row: one set of White's men. */
struct morris_row {
	const struct morris_sets *sets;
	const struct morris_class *class;
	size_t unit, word; /* its unit, and its first word there */
};

/* A move of White's from a row or, taken back, to it: both go along the same line. It applies at
   once to all positions of a row in which the point is empty. */
struct morris_step {
	struct morris_row to;
	uint32_t reached; /* the point that must be empty, as a set of one */
	uint32_t after;   /* White's men after the move, before the board is turned */
	/* the symmetry that turns them into the men of row `to`, and Black's with them */
	unsigned turn;
};

/* three men fly to 21 points; more men move along the board's 32 lines */
enum { MORRIS_STEPS_MAX = 63 };

static inline struct morris_row morris_row(const struct morris_sets *m, size_t row)
{
	return (struct morris_row){m, &m->classes->class[row], row / m->unit_rows,
	                           row % m->unit_rows * m->row_words};
}

/* The end of a unit's rows, which begin with unit * unit_rows. */
static inline size_t morris_rows_end(const struct morris_sets *m, size_t unit)
{
	const size_t end = (unit + 1) * m->unit_rows;
	return end < m->classes->count ? end : m->classes->count;
}

/* Black's men in a column of a row, as points of the board. */
static inline uint32_t morris_black(const struct morris_row *r, size_t rank)
{
	return spread(r->sets->squeezed[rank], r->class->men);
}

/* Lists White's moves from a row that close a mill, or those that do not. Returns how many. */
unsigned morris_steps(const struct morris_row *, bool closing,
                      struct morris_step out[MORRIS_STEPS_MAX]);

/* ---- members of el_sets ---- */

/* sets_conversions.c */
enum el_status morris_begin(const struct el_sets *, unsigned side, size_t unit, struct el_unit *,
                            void *scratch, struct el_error *);
/* sets_placing.c: replaces what differs in slices with men in hand. */
void morris_open_placing(struct morris_sets *);

/* ---- sets_conversions.c ---- */

/* All positions of a row, except those that a symmetry maps to a lower rank. */
void morris_list_legal(const struct morris_row *, uint64_t *legal);
/* Members of whole_way, for the slices that mills enter. After giving back, no unit can be begun;
   giving back again does nothing. */
enum el_status morris_borrow(struct el_sets *, const struct el_problem *, struct el_error *);
void morris_give_back(struct el_sets *);

#endif
