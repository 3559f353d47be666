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
 */
#ifndef ENDLAB_FIXPOINT_H
#define ENDLAB_FIXPOINT_H

#include "endlab/sets.h"

/* A set that one pass decides. Where there is nothing in it, its words are not looked at. */
struct fresh {
	uint64_t *set;
	bool any;
	uint64_t stored; /* positions in it that the table stores */
};

/* One side to move. */
struct half {
	uint64_t *undecided;      /* legal and not known */
	uint64_t *win;            /* all wins so far */
	uint64_t *blocked;        /* conversions hold the position still: see el_sets.blocked */
	struct fresh win_before;  /* WIN[n-1]; after a pass, what it found */
	struct fresh loss_before; /* LOSS[n-1] */
	struct fresh win_now;     /* WIN[n], while it is found */
	struct fresh loss_now;
	size_t wins, frees;       /* events that have taken effect */
};

struct fixpoint {
	struct el_sets *sets;
	struct half half[2];
	uint64_t *memory[2]; /* of the halves */
	uint32_t level;      /* as in fixpoint_begin */
	unsigned ply;        /* of the next pass */
};

/* EL_MEMORY, without words. */
enum el_status fixpoint_open(struct fixpoint *, struct el_sets *);
void fixpoint_close(struct fixpoint *);
/* Everything is undecided, and pass 0 comes next. Conversions up to the level are there from pass 1 on;
   FIXPOINT_BY_PLY: each from its ply on. */
void fixpoint_begin(struct fixpoint *, uint32_t level);
enum { FIXPOINT_BY_PLY = EL_LEVEL_ALL + 1 };
/* Conversions up to a higher level are there from the next pass on, which is that of `ply`. */
void fixpoint_raise(struct fixpoint *, uint32_t level, unsigned ply);
/* All that is decided by now, of one side to move; `wins` or losses. */
static inline uint64_t fixpoint_known(const struct fixpoint *f, unsigned side, bool wins, size_t word)
{
	const struct half *h = &f->half[side];
	return wins ? h->win[word]
	            : f->sets->legal[side][word] & ~h->undecided[word] & ~h->win[word];
}
/* One pass: afterwards half[side].win_before and loss_before are what it found. */
void fixpoint_pass(struct fixpoint *);
/* Does a later pass still have something to work on? */
bool fixpoint_alive(const struct fixpoint *);

#endif
