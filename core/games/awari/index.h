/* SPDX-License-Identifier: MIT */
/*
 * The index of an awari board among those with the same number of stones (n): first by the number
 * of stones in the mover's own pits (m), then by their placement, then by that of the other n - m:
 *
 *     index = boards with fewer stones in own pits + rank of own pits * C(n - m + 5, 5) + rank of
 *     the others
 *
 * Stones in six pits are numbered in the combinatorial number system (choose.h), as five bars among
 * the stones: bar i follows the stones of pits 0 to i. Every index is a board: there are C(n + 11,
 * 11).
 *
 * Adding the same stones to every row of equal sum preserves their rank order, so a sowing maps the
 * other side's rows monotonically. The set operators rely on that (sets.h).
 */
#ifndef CORE_GAMES_AWARI_INDEX_H
#define CORE_GAMES_AWARI_INDEX_H

#include "board.h"
#include "core/games/choose.h"

/* The number of ways to place so many stones in six pits. */
static inline uint32_t awari_rows(unsigned stones)
{
	return choose[stones + AWARI_ROW - 1][AWARI_ROW - 1];
}

/* The rank of a row among those of the same sum. */
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

/* The first index with `own` stones in own pits, of `stones` in all; the number of indexes for
   `own` = stones + 1. */
uint64_t awari_first(unsigned stones, unsigned own);

/* The slice with so many stones on the board, 0 to 48. */
struct el_slice awari_slice(const struct el_game *, unsigned stones);

/* ---- members of el_awari ---- */

bool awari_place(const struct el_position *, struct el_place *out);
bool awari_unplace(const struct el_slice *, unsigned plane, uint64_t index,
                   struct el_position *out);
unsigned awari_symmetry(const struct el_position *);

#endif
