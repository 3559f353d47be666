/* SPDX-License-Identifier: MIT */
/*
 * The working memory of a proof over position and clock; verify_clock.c explains the proof and
 * defines D and V.
 *
 * Its recursions visit every position once for each ply of the clock. So clockwork_list generates
 * the moves of all positions once and stores them compactly: a node for each position, and a stream
 * of bytes for each chunk of a sweep, with the indexes that quiet moves lead to. All other passes
 * read only these and generate no moves.
 */
#ifndef CORE_EXAMINE_CLOCKWORK_H
#define CORE_EXAMINE_CLOCKWORK_H

#include "proof.h"

#include <stdatomic.h>

enum { LATE = UINT16_MAX }; /* a limit: the position entered is not won in time */
#define NEVER UINT32_MAX    /* a length in plies: not known, or there is none */

/* A position and its moves, from the point of view of the side to move. The list has a winner's
   moves that keep the win and all moves of a loser. Drawn and broken positions have nothing to work
   out and no list. */
struct node {
	uint32_t start; /* offset of its quiet moves in the bytes of its chunk */
	/* All that matters of its zeroing moves: the least limit in plies under which the best of
	   them is won; under a given rule, 1 or LATE. 0: it has no zeroing move. */
	uint16_t limit;
	uint8_t outcome; /* without any rule: EL_WIN or EL_LOSS; any other value: not listed */
	/* number of quiet moves listed; no game has positions with more than 255 */
	uint8_t quiet;
};

/* Arrays of two are by plane, and by index within it; all are owned. */
struct clockwork {
	struct proof *proof;
	struct node *nodes[2];
	/* by chunk of SWEEP_CHUNK indexes: the bytes that clockwork_number reads */
	uint8_t **moves[2];
	/* The results of the last pass and of the current one. For D: plies. For V: the longest
	   phase of the game << 16 | the length of the present one. NEVER: not decided yet. */
	uint32_t *now[2], *next[2];
	/* only under a rule: D if it is within the limit, else NEVER */
	uint32_t *in_time[2];
	/* Of the current pass: */
	unsigned plane;
	/* V: c, the plies on the clock; D: the length that this pass finds */
	unsigned clock;
	unsigned limit; /* D: zeroing moves with a greater limit do not count */
	/* D: this pass has decided a position; if it decides none, the search is over */
	atomic_bool has_found;
};

/*
 * Reads one of the indexes that a position's quiet moves reach. They are stored in rising order,
 * each as its difference from the previous one (the first as it is), in groups of 7 bits, the
 * lowest first; the top bit of a byte says that another follows. Sets *n to the difference and
 * returns the start of the next one.
 */
static inline const uint8_t *clockwork_number(const uint8_t *from, uint64_t *n)
{
	unsigned shift = 0;
	*n = *from & 127;
	while (*from++ & 128)
		*n |= (uint64_t)(*from & 127) << (shift += 7);
	return from;
}

/* The first pass, for one chunk of a sweep over proof->plane: generates all moves, fills `nodes`
   and `moves`, and counts positions whose stored outcome is not that of their best move. The
   context is the clockwork. EL_MEMORY; EL_NEGATIVE when a table is missing. */
sweep_chunk clockwork_list;

#endif
