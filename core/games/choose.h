/* SPDX-License-Identifier: MIT */
/*
 * The combinatorial number system: sets of k squares s1 < s2 < ... numbered without gaps by C(s1,1)
 * + C(s2,2) + ... + C(sk,k). Every index of like pieces is built from such ranks.
 */
#ifndef CORE_GAMES_CHOOSE_H
#define CORE_GAMES_CHOOSE_H

#include <stdint.h>

enum { CHOOSE_MAX = 9 }; /* squares in a set */

/* C(n, k) for n <= 64, k <= CHOOSE_MAX; UINT32_MAX if it does not fit 32 bits. */
extern const uint32_t choose[65][CHOOSE_MAX + 1];

/* The rank of a set among all sets of the same size. */
static inline uint32_t choose_rank(uint64_t set)
{
	uint32_t rank = 0;
	for (unsigned k = 1; set; k++, set &= set - 1)
		rank += choose[__builtin_ctzll(set)][k];
	return rank;
}

/* The inverse, for sets of `count` squares out of 64. */
uint64_t choose_unrank(uint32_t rank, unsigned count);

/* The set with the next rank, of a non-empty set. */
static inline uint32_t choose_next(uint32_t set)
{
	const uint32_t carried = set + (set & -set);
	return carried | (set ^ carried) >> 2 >> __builtin_ctz(set);
}

/* Removes the rank of the fastest radix from an index. Most indexes fit the fast 32-bit
   division. */
static inline uint32_t choose_take(uint64_t *index, uint32_t radix)
{
	const uint64_t whole = *index >> 32 ? *index / radix : (uint32_t)*index / radix;
	const uint32_t rank = (uint32_t)(*index - whole * radix);
	*index = whole;
	return rank;
}

#endif
