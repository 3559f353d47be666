/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What conversions do, in any game: the effect of one, and the events that all of them end in. */
#ifndef CORE_GAMES_EVENTS_H
#define CORE_GAMES_EVENTS_H

#include "problem.h"
#include "sets.h"

enum {
	EFFECT_NEVER = UINT16_MAX,
	/* as `win`: the table that is entered says nothing of a legal position */
	EFFECT_NO_VALUE = 0,
};

/*
 * What conversions do for the side that makes them: the position is a win in `win` plies, and it is
 * no loss before `free` plies. No legal conversion at all: {EFFECT_NEVER, 0}.
 */
struct effect {
	uint16_t win, free;
};

static const struct effect effect_none = {EFFECT_NEVER, 0};
/* The table that is entered cannot be read. */
static const struct effect effect_unread = {EFFECT_NO_VALUE, EFFECT_NEVER};

static inline struct effect effect_join(struct effect a, struct effect b)
{
	return (struct effect){
		.win = a.win < b.win ? a.win : b.win,
		.free = a.free > b.free ? a.free : b.free,
	};
}

/* The effect of entering a position whose value, for the opponent of `mover`, is `reached`, with a
   move that captures `gain` stones. */
struct effect effect_of(const struct el_problem *, unsigned mover, struct el_value reached,
                        unsigned gain);

/* ---- events ---- */

/*
 * Turns the effects of a word's conversions, of its legal positions alone, into events of the unit,
 * and puts the positions that have any into `blocked`. EL_DAMAGED where a conversion enters a
 * position without a value; else EL_OK or EL_MEMORY.
 */
enum el_status events_of_word(struct el_unit *, uint32_t word, uint64_t legal,
                              const struct effect at[64]);
/* How many positions the events are of, in words below `words`. */
uint64_t events_count(const struct el_events *, size_t words);
/* Puts a failure of the above into words and returns it; EL_OK says nothing. */
enum el_status events_fail(enum el_status, const struct el_slice *, struct el_error *);

#endif
