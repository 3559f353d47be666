/* SPDX-License-Identifier: MIT */
#include "lent.h"

static void let_go(const struct lent *l, struct lent_piece *p)
{
	if (p->planes)
		l->lender->let_go(l->lender->context, p->planes, p->plane, p->first, p->count);
	*p = (struct lent_piece){.planes = NULL};
}

const uint16_t *lent_fetch(struct lent *l, struct lent_piece *place, const struct el_planes *planes,
                           unsigned plane, uint64_t first, size_t count)
{
	let_go(l, place);
	const uint16_t *symbols = l->lender->look(l->lender->context, planes, plane, first, count);
	if (symbols)
		*place = (struct lent_piece){planes, plane, first, count, symbols};
	return symbols;
}

void lent_let_go(struct lent *l)
{
	for (unsigned i = 0; i < LENT_PIECES; i++)
		let_go(l, &l->piece[i]);
}
