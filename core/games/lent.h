/* SPDX-License-Identifier: MIT */
/* Planes lent without their symbols (el_lender.look): a thread holds some pieces of them. */
#ifndef CORE_GAMES_LENT_H
#define CORE_GAMES_LENT_H

#include "core/base/hash.h"
#include "problem.h"

enum { LENT_PIECES = 64 };

/* The pieces one thread holds: in each place, the one it asked for last. Initially a lender, and
   all else zero. */
struct lent {
	const struct el_lender *lender;
	struct lent_piece {
		const struct el_planes *planes; /* null: none is held */
		unsigned plane;
		uint64_t first;
		size_t count;
		const uint16_t *symbols;
	} piece[LENT_PIECES];
};

/* As lent_look, where the thread does not hold the piece that belongs in this place. */
const uint16_t *lent_fetch(struct lent *, struct lent_piece *place, const struct el_planes *,
                           unsigned plane, uint64_t first, size_t count);

enum { LENT_HELD = 4 << 20, LENT_FEWEST = 8 }; /* bytes per thread, but at least so many pieces */

/* `count` symbols from index `first` on, a multiple of `count`; valid until the next call. Null if
   they cannot be read. */
static inline const uint16_t *lent_look(struct lent *l, const struct el_planes *planes,
                                        unsigned plane, uint64_t first, size_t count)
{
	/* Consecutive pieces have different places, and so do the first pieces of different
	   planes. */
	const uint64_t fit = LENT_HELD / (count * sizeof(uint16_t));
	const uint64_t most = fit > LENT_FEWEST ? fit : LENT_FEWEST;
	const uint64_t places = most < LENT_PIECES ? most : LENT_PIECES;
	const uint64_t which = ((uint64_t)(uintptr_t)planes / 64 + plane) * HASH_FACTOR;
	struct lent_piece *p = &l->piece[((which >> 32) + first / count) % places];
	if (p->planes == planes && p->plane == plane && p->first == first)
		return p->symbols;
	return lent_fetch(l, p, planes, plane, first, count);
}
/* Lets go of everything held. */
void lent_let_go(struct lent *);

/* symbols requested at a time if not all are in memory: a block of a table */
enum { LENT_COUNT = 16 << 10 };

/* The symbol of an index, valid like those of lent_look; null if it cannot be read. */
static inline const uint16_t *lent_symbol(struct lent *l, const struct el_planes *planes,
                                          unsigned plane, uint64_t index)
{
	const uint16_t *symbols = planes->plane[plane].symbols;
	if (symbols)
		return symbols + index;
	symbols = lent_look(l, planes, plane, index / LENT_COUNT * LENT_COUNT, LENT_COUNT);
	return symbols ? symbols + index % LENT_COUNT : NULL;
}

/* The symbols of the indexes from `first` to `*end`, valid like those of lent_look; null if they
   cannot be read. */
static inline const uint16_t *lent_symbols(struct lent *l, const struct el_planes *planes,
                                           unsigned plane, uint64_t first, uint64_t *end)
{
	*end = planes->plane[plane].symbols ? planes->slice.positions
	                                    : (first / LENT_COUNT + 1) * LENT_COUNT;
	return lent_symbol(l, planes, plane, first);
}

#endif
