/* SPDX-License-Identifier: MIT */
/*
 * Hashes, and random numbers that are the same on every machine: SplitMix64 (Steele, Lea, Flood,
 * "Fast splittable pseudorandom number generators", 2014).
 */
#ifndef CORE_BASE_HASH_H
#define CORE_BASE_HASH_H

#include <stdint.h>

/* 2^64 divided by the golden ratio: the high bits of a multiple depend on all bits of a number. */
#define HASH_FACTOR UINT64_C(0x9e3779b97f4a7c15)

/* Every bit depends on every bit. */
static inline uint64_t hash_mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static inline uint64_t random_next(uint64_t *state)
{
	return hash_mix(*state += HASH_FACTOR);
}

/* The place of sample `i` of `count` among `all` (no fewer; count * all < 2^64): one in each of `count`
   equal parts, anywhere in it. Evenly spaced positions would have digits of their index in common: a
   piece that stands on a few squares only. */
static inline uint64_t sample_place(uint64_t i, uint64_t count, uint64_t all)
{
	const uint64_t first = all * i / count, end = all * (i + 1) / count;
	return first + hash_mix((i + 1) * HASH_FACTOR) % (end - first);
}

#endif
