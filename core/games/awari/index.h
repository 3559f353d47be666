/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The index of a board of awari among those with as many stones (n): first by how many of them are
 * in the mover's own pits (m), then by how these lie, then by how the other n - m do:
 *
 *     index = boards with fewer stones in own pits + rank of own pits * C(n - m + 5, 5) + rank of
 *     the others
 *
 * Stones in six pits are numbered in the combinatorial number system (choose.h), as five bars among
 * stones: bar i stands behind those of pits 0 to i. Every index is a board: there are C(n + 11,
 * 11).
 *
 * Rows of pits of the same sum, in the order of their ranks, keep that order when the same stones
 * are added to each of them: what sowing does to the pits of the other side is the same for all of
 * them. The set operators rest on that (sets.h).
 */
#ifndef CORE_GAMES_AWARI_INDEX_H
#define CORE_GAMES_AWARI_INDEX_H

#include "board.h"
#include "core/games/choose.h"

/* How many ways there are to lay so many stones into six pits. */
static inline uint32_t awari_rows(unsigned stones)
{
	return choose[stones + AWARI_ROW - 1][AWARI_ROW - 1];
}

/* The rank of such a row among those of the same sum. */
static inline uint32_t awari_rank(const uint8_t row[AWARI_ROW])
{
	uint32_t rank = 0;
	for (unsigned bar = 0, behind = 0; bar < AWARI_ROW - 1; bar++) {
		behind += row[bar];
		rank += choose[behind + bar][bar + 1];
	}
	return rank;
}

/* The inverse. */
void awari_unrank(unsigned stones, uint32_t rank, uint8_t row[AWARI_ROW]);

/* The first index with so many stones in own pits, of `stones` in all; all of them for `own` =
   stones + 1. */
uint64_t awari_first(unsigned stones, unsigned own);

/* The slice of so many stones on the board, 0 to 48. */
struct el_slice awari_slice(const struct el_game *, unsigned stones);

/* ---- members of el_awari ---- */

bool awari_place(const struct el_position *, struct el_place *out);
bool awari_unplace(const struct el_slice *, unsigned plane, uint64_t index,
                   struct el_position *out);
size_t awari_index_steps(const struct el_slice *, uint64_t index,
                         struct el_index_step out[EL_INDEX_STEPS_MAX]);
unsigned awari_symmetry(const struct el_position *);
unsigned awari_orbit(const struct el_position *);

#endif
