/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a film is made of: for each index, the pass that decided it. */
#ifndef ENDLAB_SOLVE_REEL_H
#define ENDLAB_SOLVE_REEL_H

#include "endlab/film.h"

/* A code tells the pass: its ply, and whether it found wins or losses. Greater codes are later
   ones, wins of a ply before its losses. */
enum {
	REEL_UNDECIDED,
	REEL_BROKEN,
	REEL_FIRST,
	REEL_CODES = UINT16_MAX + 1,
	REEL_PLIES_MAX = (REEL_CODES - REEL_FIRST) / 2 - 1,
};

static inline unsigned reel_code(unsigned ply, enum el_outcome outcome)
{
	return REEL_FIRST + 2 * ply + (outcome == EL_LOSS);
}

static inline unsigned reel_ply(unsigned code)
{
	return (code - REEL_FIRST) / 2;
}

static inline enum el_outcome reel_outcome(unsigned code)
{
	return (code - REEL_FIRST) % 2 ? EL_LOSS : EL_WIN;
}

/* The values of a slice that conversions enter. */
struct entered {
	struct el_planes planes;
	struct entered *next;
};

struct el_film_reel {
	/* By half (of two: in favour of White, in favour of Black), plane and index; owned. */
	uint16_t *code[2][2];
	uint16_t *step_of; /* by code, REEL_CODES of them: the step of that pass; owned */
	struct entered *entered; /* owned */
};

/* Null when the film knows nothing of the slice. */
const struct el_planes *reel_entered(const struct el_film_reel *, uint64_t key);

#endif
