/* SPDX-License-Identifier: MIT */
#include "lent.h"

#include "core/base/hash.h"

static void let_go(const struct lent *l, struct lent_piece *p)
{
	if (p->planes)
		l->lender->let_go(l->lender->context, p->planes, p->plane, p->first, p->count);
	*p = (struct lent_piece){.planes = NULL};
}

enum { HELD = 4 << 20, FEWEST = 8 }; /* bytes per thread, but at least FEWEST pieces */

const uint16_t *lent_look(struct lent *l, const struct el_planes *planes, unsigned plane,
                          uint64_t first, size_t count)
{
	/* Consecutive pieces have different places, and so do the first pieces of different
	   planes. */
	const uint64_t fit = HELD / (count * sizeof(uint16_t)), most = fit > FEWEST ? fit : FEWEST;
	const uint64_t places = most < LENT_PIECES ? most : LENT_PIECES;
	const uint64_t which = ((uint64_t)(uintptr_t)planes / 64 + plane) * HASH_FACTOR;
	struct lent_piece *p = &l->piece[((which >> 32) + first / count) % places];
	if (p->planes == planes && p->plane == plane && p->first == first)
		return p->symbols;
	let_go(l, p);
	const uint16_t *symbols = l->lender->look(l->lender->context, planes, plane, first, count);
	if (symbols)
		*p = (struct lent_piece){planes, plane, first, count, symbols};
	return symbols;
}

void lent_let_go(struct lent *l)
{
	for (unsigned i = 0; i < LENT_PIECES; i++)
		let_go(l, &l->piece[i]);
}
