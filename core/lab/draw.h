/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random numbers that are the same on every machine: SplitMix64 (Steele, Lea, Flood 2014). */
#ifndef CORE_LAB_DRAW_H
#define CORE_LAB_DRAW_H

#include <stdint.h>

static inline uint64_t draw_next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

#endif
