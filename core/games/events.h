/* SPDX-License-Identifier: MIT */
/* Conversions in any game: the effect of one, the slices that they enter, and the events that all of them
   produce. */
#ifndef CORE_GAMES_EVENTS_H
#define CORE_GAMES_EVENTS_H

#include "lent.h"

enum {
	EFFECT_NEVER = UINT16_MAX,
	/* as `win`: the table entered has no value for a legal position */
	EFFECT_NO_VALUE = 0,
};

/*
 * The effect of conversions for the side that makes them: the position is a win in `win` plies, and
 * no loss before `free` plies. No legal conversion at all: {EFFECT_NEVER, 0}.
 */
struct effect {
	uint16_t win, free;
};

static const struct effect effect_none = {EFFECT_NEVER, 0};
/* The table entered cannot be read. */
static const struct effect effect_unread = {EFFECT_NO_VALUE, EFFECT_NEVER};

static inline struct effect effect_join(struct effect a, struct effect b)
{
	return (struct effect){
		.win = a.win < b.win ? a.win : b.win,
		.free = a.free > b.free ? a.free : b.free,
	};
}

/* The effect of entering a position with a move that captures `gain` stones; `reached` is the
   position's value for the opponent of `mover`. */
struct effect effect_of(const struct el_problem *, unsigned mover, struct el_value reached,
                        unsigned gain);

/* ---- slices entered ---- */

/* A slice that conversions enter, with the effect on the mover of entering each of its positions. */
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

/* ---- events ---- */

/*
 * Turns the effects of the conversions from a word's legal positions into events of the unit, and
 * adds positions with an effect to `blocked`. EL_DAMAGED if a conversion enters a position without
 * a value; else EL_OK or EL_MEMORY.
 */
enum el_status events_of_word(struct el_unit *, uint32_t word, uint64_t legal,
                              const struct effect at[64]);
/* How many positions have an event, counting words below `words`. */
uint64_t events_count(const struct el_events *, size_t words);
/* Writes the error text for a status of the above and returns it; EL_OK has none. */
enum el_status events_fail(enum el_status, const struct el_slice *, struct el_error *);

#endif
