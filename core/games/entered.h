/* SPDX-License-Identifier: MIT */
/* A slice that conversions enter, with the effect on the mover of entering each of its
   positions. */
#ifndef CORE_GAMES_ENTERED_H
#define CORE_GAMES_ENTERED_H

#include "events.h"
#include "lent.h"

struct entered {
	const struct el_lender *lender;
	const struct el_planes *planes; /* borrowed; null: it is not open */
	unsigned plane;                 /* the one of them in which the opponent moves */
	struct effect *effects;         /* by symbol; owned */
};

/* Borrows the slice that moves capturing `gain` stones enter (0: no stones in this game). Close it
   even after a failure. */
enum el_status entered_open(struct entered *, const struct el_slice *, unsigned plane,
                            const struct el_problem *, unsigned mover, unsigned gain,
                            struct el_error *);
/* Gives it back; an all-zero struct is allowed. */
void entered_close(struct entered *);

/* The effect of entering it at an index. */
static inline struct effect entered_at(const struct entered *e, uint64_t index, struct lent *lent)
{
	const uint16_t *symbol = lent_symbol(lent, e->planes, e->plane, index);
	return symbol ? e->effects[*symbol] : effect_unread;
}

#endif
