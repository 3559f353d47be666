/* SPDX-License-Identifier: MIT */
/*
 * Set operators for any game, built from its moves, its rules and its index alone. A game without
 * operators of its own uses plain_measure and plain_divide. Its slices can then be solved,
 * but slowly: every pass plays every move of every position it is asked about. A game's own
 * operators (sets.h) replace them for speed, and are tested against them.
 *
 * A bit is an index, and a unit is a range of indexes. Positions with a right to capture en
 * passant, which has no index, have extra bits after those.
 *
 * They solve a slice as one part. So they refuse, with EL_NEGATIVE, a metric under which a move
 * ends the count and stays in the slice, such as dtz with pawns. They support everything else:
 * rules, dtr, stones, bounds, disk space in place of memory.
 */
#ifndef CORE_GAMES_PLAIN_H
#define CORE_GAMES_PLAIN_H

#include "game.h"

/* Does not include the bits for en passant rights. */
struct el_measure plain_measure(const struct el_slice *);
enum el_status plain_divide(const struct el_problem *, struct el_division **, struct el_error *);

/* ---- members of games that lack something ---- */

/* The pieces of kinds from `kinds` on, which the game does not have. */
static inline uint64_t plain_strangers(const struct el_position *position, unsigned kinds)
{
	uint64_t found = 0;
	for (unsigned kind = kinds; kind < EL_KINDS; kind++)
		found |= position->set[EL_WHITE][kind] | position->set[EL_BLACK][kind];
	return found;
}

/* No check, or no draw. */
static inline bool plain_never(const struct el_position *position)
{
	(void)position;
	return false;
}

/* The board has no symmetry besides that of the colours. */
static inline void plain_mirror(const struct el_position *position, struct el_position *out)
{
	*out = *position;
}

static inline unsigned plain_orbit(const struct el_position *position)
{
	(void)position;
	return 1;
}

/* A side without a move has lost. */
static inline struct el_value plain_stuck(const struct el_position *position)
{
	(void)position;
	return (struct el_value){.outcome = EL_LOSS};
}

#endif
