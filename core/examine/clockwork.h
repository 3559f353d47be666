/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The working memory of a proof over position and clock; verify_clock.c explains the proof and
 * defines D and V.
 *
 * Its recursions ask about every position once for each ply of the clock. So the moves of all
 * positions are generated once, by clockwork_list, and kept in a compact form: a node for each
 * position, and the indexes that its quiet moves lead to as a stream of bytes for each chunk of a
 * sweep. Each further pass reads these alone and generates no move.
 */
#ifndef CORE_EXAMINE_CLOCKWORK_H
#define CORE_EXAMINE_CLOCKWORK_H

#include "proof.h"

#include <stdatomic.h>

enum { LATE = UINT16_MAX }; /* a limit: what is entered is not won in time */
#define NEVER UINT32_MAX    /* a length in plies: not known, or there is none */

/* A position and its moves, seen from the side to move. A winner lists the moves that keep the win,
   a loser all; in drawn and broken positions there is nothing to work out, and nothing is
   listed. */
struct node {
	uint32_t start; /* offset of its quiet moves in the bytes of its chunk */
	/* All that matters of its zeroing moves: the least number of plies under which the best of
	   them is won; 1 or LATE where a rule is given. 0: it has no zeroing move. */
	uint16_t limit;
	uint8_t outcome; /* without any rule: EL_WIN or EL_LOSS; any other value: not listed */
	/* how many quiet moves are listed; no game has positions with more than 255 */
	uint8_t quiet;
};

/* Arrays of two are by plane, and by index within it; all are owned. */
struct clockwork {
	struct proof *proof;
	struct node *nodes[2];
	/* by chunk, SWEEP_CHUNK indexes each: what clockwork_number reads */
	uint8_t **moves[2];
	/* The values that the last pass found, and those that this one finds: plies for D; for V
	   the longest phase of the game << 16 | the length of the present one. NEVER: not decided
	   yet. */
	uint32_t *now[2], *next[2];
	/* under a rule alone: D where that is within the limit, else NEVER */
	uint32_t *in_time[2];
	/* Of the pass at hand: */
	unsigned plane;
	/* V: c, the plies on the clock; D: the length that this pass can find */
	unsigned clock;
	unsigned limit; /* D: zeroing moves with a greater limit do not count */
	/* D: this pass has decided a position; if none has, the search is over */
	atomic_bool has_found;
};

/*
 * Reads one of the indexes that a position's quiet moves reach. They are stored in rising order,
 * each as the difference to the one before (the first as it is), in groups of 7 bits, the lowest
 * first; the top bit of a byte says that another follows. Sets *n to the difference and returns
 * where the next one begins.
 */
static inline const uint8_t *clockwork_number(const uint8_t *from, uint64_t *n)
{
	unsigned shift = 0;
	*n = *from & 127;
	while (*from++ & 128)
		*n |= (uint64_t)(*from & 127) << (shift += 7);
	return from;
}

/* The first pass, a chunk of a sweep over proof->plane: generates all moves, fills `nodes` and
   `moves`, and counts the positions whose stored outcome is not that of their best move. The
   context is the clockwork. EL_MEMORY; EL_NEGATIVE where a table is missing. */
sweep_chunk clockwork_list;

#endif
