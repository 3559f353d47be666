/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A proof over position and clock: what each position can do, listed once, and walked many times. */
#ifndef ENDLAB_EXAMINE_CLOCKWORK_H
#define ENDLAB_EXAMINE_CLOCKWORK_H

#include "proof.h"

#include <stdatomic.h>

enum { LATE = UINT16_MAX };
#define NEVER UINT32_MAX

/* What a position can do, for the side to move. */
struct node {
	uint32_t start;  /* of its quiet moves, in the bytes of its chunk */
	uint16_t limit;  /* of its best zeroing move; 0: there is none */
	uint8_t outcome; /* without any rule: EL_WIN or EL_LOSS; else there is nothing to work out */
	uint8_t quiet;   /* how many quiet moves are listed: no game has 256 that differ */
};

struct clockwork {
	struct proof *proof;
	struct node *nodes[2];  /* of each plane */
	uint8_t **moves[2];     /* of each chunk: what quiet moves reach, by rising index */
	/* Lengths of phases, one walk and the next. */
	uint32_t *now[2], *next[2];
	uint32_t *in_time[2];   /* under a rule: D; NEVER: too late */
	/* Of the walk at hand. */
	unsigned plane;
	unsigned clock;         /* V: c; D: the plies that are found */
	unsigned limit;         /* D: the greatest of a zeroing move that counts */
	atomic_bool has_found;  /* D: a position that was not decided before */
};

/* A number of those that quiet moves reach, each as the difference to the one before: 7 bits a byte.
   Returns where the next one begins. */
static inline const uint8_t *clockwork_number(const uint8_t *from, uint64_t *n)
{
	unsigned shift = 0;
	*n = *from & 127;
	while (*from++ & 128)
		*n |= (uint64_t)(*from & 127) << (shift += 7);
	return from;
}

/* A sweep's chunk, of proof->plane: fills nodes and moves, and counts what is wrong with the outcomes.
   EL_MEMORY; EL_NEGATIVE where a table is missing. */
sweep_chunk clockwork_list;

#endif
