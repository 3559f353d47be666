/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What conversions do, in any game: the effect of one, and the schedule that all of them end in. */
#ifndef ENDLAB_GAMES_EVENTS_H
#define ENDLAB_GAMES_EVENTS_H

#include "endlab/sets.h"
#include "endlab/solve.h"

enum {
	EFFECT_NEVER = UINT16_MAX,
	EFFECT_NO_VALUE = 0, /* as `win`: the table that is entered says nothing of a legal position */
};

/*
 * What conversions do for the side that makes them: the position is a win in `win` plies, and it is
 * no loss before `free` plies. No legal conversion at all: {EFFECT_NEVER, 0}.
 */
struct effect {
	uint16_t win, free;
};

static const struct effect effect_none = {EFFECT_NEVER, 0};

static inline struct effect effect_join(struct effect a, struct effect b)
{
	return (struct effect){
		.win = a.win < b.win ? a.win : b.win,
		.free = a.free > b.free ? a.free : b.free,
	};
}

/* The effect of entering a position whose value, for the opponent of `mover`, is `reached`. */
struct effect effect_of(const struct el_problem *, unsigned mover, struct el_value reached);

/* ---- events ---- */

struct event_list {
	struct el_event *events; /* owned */
	size_t count, capacity;
};

struct event_lists {
	struct event_list wins, frees;
};

/*
 * Turns the effects of a word's conversions, of its legal positions alone, into events, and adds the
 * positions that have any to `blocked`. EL_DAMAGED where a conversion enters a position without a
 * value; else EL_OK or EL_MEMORY, as below.
 */
enum el_status events_of_word(struct event_lists *, uint32_t word, uint64_t legal,
                              const struct effect at[64], uint64_t *blocked);
/* Appends what `from` holds to `to`. */
enum el_status events_move(struct event_lists *to, const struct event_lists *from);
/* The schedule: sorted by ply. */
enum el_status events_sort(const struct event_list *, struct el_schedule *out);
void events_free(struct event_lists *);
/* How many positions the events are of, in words below `words`. */
uint64_t events_count(const struct el_schedule *, size_t words);
/* Puts a failure of the above, or a stop, into words and returns it; EL_OK says nothing. */
enum el_status events_fail(enum el_status, const struct el_slice *, struct el_error *);

#endif
