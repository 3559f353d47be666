/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Retrograde analysis as the fixpoint of two operators, pass by pass. Nothing here knows a game.
 *
 *     LOSS[0] = lost on the board
 *     WIN[n]  = (pre_some(LOSS[n-1]) or converts to a loss in n-1)             and not known
 *     LOSS[n] = (pre_all(WIN[1] .. WIN[n-1]), every conversion to a win by then) and not known
 *
 * until neither grows and no conversion is waiting; what is left is a draw. Both sides to move go
 * side by side. Where a count ends with a zeroing move, conversions up to a level are there from the
 * first pass on, and those above it never come.
 *
 * A pass goes unit by unit: first what each of them decides is found, from what was known before the
 * pass, then it is made known. All moves of a position lead into WIN where none leads to an *escape*, a
 * legal position that is not in WIN. Only a fresh loss within reach, or a conversion, can bring a win,
 * only a fresh win, or a conversion that no longer holds, a loss: units, and where fresh wins are few
 * positions, that see nothing of the kind are left out.
 */
#ifndef ENDLAB_FIXPOINT_H
#define ENDLAB_FIXPOINT_H

#include "opening.h"

/* One side to move. A unit that has nothing of a set has no page of it. */
struct half {
	struct paged undecided; /* legal and not known */
	struct paged blocked;   /* conversions hold the position still: see el_unit.blocked */
	struct paged win_now;   /* WIN[n], while it is found */
	struct paged loss_now;
	/* As the other side's operators read them (el_sets.turn), by their numbers. */
	struct paged escapes;     /* legal and not won */
	struct paged win_before;  /* WIN[n-1]; after a pass, what it found */
	struct paged loss_before; /* LOSS[n-1] */
	uint32_t *win_words;      /* of a unit's win_before: those that are not zero; owned */
	uint32_t *taken[2];       /* [conversion][unit] events that have taken effect; owned */
	bool wins, losses;        /* the pass found any */
};

struct fixpoint {
	struct opening *opening;
	struct half half[2];
	uint32_t level; /* as in fixpoint_begin */
	uint32_t due;   /* events up to this ply, or level, have taken effect */
	unsigned ply;   /* of the next pass */
	/* Told of what a pass decides, as it is made known: EL_LOSS or EL_WIN, and of pass 0 EL_DRAW, for no move
	   and no loss. By several threads at once, for different units. May be null. */
	void (*decided)(void *context, struct hand *, unsigned side, size_t unit, enum el_outcome,
	                const uint64_t *set);
	void *context;
};

/* EL_MEMORY, without words. */
enum el_status fixpoint_open(struct fixpoint *, struct opening *);
void fixpoint_close(struct fixpoint *); /* all zeros are allowed */
/* Everything is undecided, and pass 0 comes next. Conversions up to the level are there from pass 1 on;
   FIXPOINT_BY_PLY: each from its ply on. `last`: nobody will begin with this opening again, which gives
   its sets away. */
void fixpoint_begin(struct fixpoint *, uint32_t level, bool last);
enum { FIXPOINT_BY_PLY = EL_LEVEL_ALL + 1 };
/* Conversions up to a higher level are there from the next pass on, which is that of `ply`. */
void fixpoint_raise(struct fixpoint *, uint32_t level, unsigned ply);
/* One pass: afterwards half[side].win_before and loss_before are what it found. */
void fixpoint_pass(struct fixpoint *);
/* Does a later pass still have something to work on? */
bool fixpoint_alive(const struct fixpoint *);

/* ---- for those who begin in the middle: going_on.c ---- */

/* Takes a set of so many words out of a page, which is none once it is empty. */
void fixpoint_take_out(struct paged *, size_t page, const uint64_t *set, size_t words);
/* Positions with no move, not lost. */
void fixpoint_block(struct fixpoint *, unsigned side, size_t unit, const uint64_t *stuck);
/* Events of plies, or levels, up to this one take effect in the pass. */
uint32_t fixpoint_due(const struct fixpoint *);
/* ORs those that are due, and have not been taken, into a set of a unit. */
void fixpoint_take_events(struct fixpoint *, struct hand *, unsigned side, enum conversion,
                          size_t unit, uint64_t *set);

#endif
