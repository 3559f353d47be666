/* SPDX-License-Identifier: MIT */
/* The data of a film: for each index, the pass that decided it. */
#ifndef CORE_FILM_REEL_H
#define CORE_FILM_REEL_H

#include "core/study/passes.h"
#include "film.h"

/* A code names a pass: its ply and what it found. Later passes have greater codes; the wins of a
   ply precede its losses, and everything too late under a rule follows everything in time. */
enum {
	REEL_BROKEN, /* 0 */
	REEL_UNDECIDED,
	REEL_FIRST,
	REEL_CODES = UINT16_MAX + 1,
	REEL_PLIES_MAX = (REEL_CODES - REEL_FIRST) / 4 - 1,
	REEL_LATE = REEL_FIRST + 2 * (REEL_PLIES_MAX + 1),
};

static inline unsigned reel_code(unsigned ply, enum el_outcome outcome)
{
	const bool late = el_outcome_late(outcome);
	return (late ? REEL_LATE : REEL_FIRST) + 2 * ply + (outcome < EL_DRAW);
}

static inline unsigned reel_ply(unsigned code)
{
	return (code - (code < REEL_LATE ? REEL_FIRST : REEL_LATE)) / 2;
}

static inline enum el_outcome reel_outcome(unsigned code)
{
	const bool late = code >= REEL_LATE, loses = (code - REEL_FIRST) % 2;
	if (late)
		return loses ? EL_BLESSED_LOSS : EL_CURSED_WIN;
	return loses ? EL_LOSS : EL_WIN;
}

/* The values of a slice that conversions enter. */
struct subtable {
	struct el_planes planes;
	struct subtable *next;
};

struct el_film_reel {
	/* By half (of two: in favour of White, in favour of Black), plane and index; owned. */
	uint16_t *code[2][2];
	uint16_t *step_of; /* by code, REEL_CODES of them: the step of that pass; owned */
	/* The solution, if a pass does not determine all of a value (el_metric.has_phase); else
	   empty. */
	struct el_planes solution;
	struct subtable *subtables; /* owned */
	/* Of a frame of a study: what its exits enter; the passes are in `code`. Owned. */
	struct study_passes frame;
};

/* Null if the film does not have the slice. */
const struct el_planes *reel_entered(const struct el_film_reel *, uint64_t key);

/* Makes the film's steps from its codes. `converts`: in which passes a move that ends the count
   wins some of the decided positions. EL_MEMORY. */
enum el_status reel_cut(struct el_film *, const bool converts[REEL_CODES], struct el_error *);

#endif
