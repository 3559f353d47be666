/* SPDX-License-Identifier: MIT */
/*
 * Retrograde analysis as the fixpoint of two operators, pass by pass. Nothing here knows a game.
 *
 *     LOSS[0] = lost on the board
 *     WIN[n]  = (pre_some(LOSS[n-1]) or converts to a loss in n-1)             and not known
 *     LOSS[n] = (pre_all(WIN[1] .. WIN[n-1]), every conversion to a win by then) and not known
 *
 * until neither grows and no conversion is waiting; the remaining positions are draws. Both sides
 * to move advance together. Under metrics whose count ends with a zeroing move, conversions up to a
 * threshold take effect in the first pass, and those above it never do.
 *
 * A pass goes unit by unit. It first finds all its decisions from what was known before the pass;
 * then it makes them known. All moves of a position lead into WIN if none leads to an *escape*, a
 * legal position that is not in WIN. A new win needs a fresh loss within reach, or a conversion; a
 * new loss needs a fresh win, or a conversion that no longer holds the position. A pass skips units
 * that see none of these, and single positions too where fresh wins are few. Late in a solution most
 * units see little: what a pass finds is then a list of words (struct front), whose moves the game
 * lists one by one (el_sets.some_few).
 */
#ifndef CORE_SOLVE_FIXPOINT_H
#define CORE_SOLVE_FIXPOINT_H

#include "front.h"
#include "initial.h"

/* The sets of one side to move. Where a unit's part of a set is empty, it has no page. */
struct half {
	struct paged undecided; /* legal, and not known yet */
	struct paged blocked;   /* not lost as long as conversions hold them: el_unit.blocked */
	struct front now[2];    /* [wins]: LOSS[n] and WIN[n], during pass n */
	/* As the other side's operators see them (el_sets.turn), under their numbers there. */
	struct paged escapes;   /* legal and not won */
	struct front before[2]; /* [wins]: LOSS[n-1] and WIN[n-1]; after a pass, what it found */
	uint32_t *taken[2];     /* [conversion][unit]: events that have taken effect; owned */
	bool found[2];          /* [wins]: the last pass found some */
};

struct fixpoint {
	struct initial_state *initial;
	struct half half[2];
	uint32_t threshold; /* see fixpoint_begin */
	uint32_t due;       /* events up to this ply, or threshold, have taken effect */
	unsigned ply;       /* of the next pass */
	unsigned ahead;     /* by ply: events take effect so many plies early, from pass 1 on */
	bool last;          /* this initial state is not needed again */
	size_t most;        /* words in a list of a front; 0: fronts are pages */
	/* Called for each set that a pass makes known: EL_LOSS or EL_WIN; in pass 0 also EL_DRAW,
	   for positions without a move that are not lost. `marks`: the words that may be other than
	   zero (struct workspace); null: any. Several threads call it at once, for different units.
	   May be null. */
	void (*decided)(void *context, struct workspace *, unsigned side, size_t unit,
	                enum el_outcome, const uint64_t *set, const uint64_t *marks);
	void *context;
};

/* EL_MEMORY, without text. */
enum el_status fixpoint_open(struct fixpoint *, struct initial_state *);
void fixpoint_close(struct fixpoint *); /* all zeros are allowed */
/* Frees the sets, except the undecided positions. */
void fixpoint_free_sets(struct fixpoint *);
/* Resets everything to undecided; pass 0 is next. Conversions up to the threshold take effect in
   pass 1; FIXPOINT_BY_PLY: each at its ply, less `ahead`. `last`: this initial state is not needed again, so the
   fixpoint may take over its sets. */
void fixpoint_begin(struct fixpoint *, uint32_t threshold, bool last);
enum { FIXPOINT_BY_PLY = EL_THRESHOLD_ALL + 1 };
/* Runs one pass, and leaves what it found in half[side].before. */
void fixpoint_pass(struct fixpoint *);
/* Can a later pass still find anything? */
bool fixpoint_alive(const struct fixpoint *);

/* ---- for resuming: going_on.c ---- */

/* Sends the escapes of own units, or what the last pass found in them, to ranks with copies. */
void fixpoint_share_escapes(struct fixpoint *);
void fixpoint_share_fresh(struct fixpoint *);

/* The set of a unit as the other side's operators see it, perhaps in `room`, and its number there. */
const uint64_t *fixpoint_turn(const struct fixpoint *, unsigned side, size_t unit,
                              const uint64_t *set, uint64_t *room, size_t *number);
/* Removes a set, as large as the page, from it, and drops the page if that empties it. */
void fixpoint_take_out(struct paged *, size_t page, const uint64_t *set);
/* Blocks positions that have no move and are not lost, so that no pass makes them losses. */
void fixpoint_block(struct fixpoint *, unsigned side, size_t unit, const uint64_t *stuck);
/* The ply, or threshold, up to which events take effect in the coming pass. */
uint32_t fixpoint_due(const struct fixpoint *);
/* ORs the events that are due, and have not taken effect yet, into a set of a unit, and marks the
   words unless `marks` is null. */
void fixpoint_take_events(struct fixpoint *, struct workspace *, unsigned side, enum conversion,
                          size_t unit, uint64_t *set, uint64_t *marks);

#endif
