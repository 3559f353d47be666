/* SPDX-License-Identifier: MIT */
/* Sets of up to 32 squares, renumbered without some: the squares outside `removed` are numbered
   from 0. */
#ifndef CORE_GAMES_SQUEEZE_H
#define CORE_GAMES_SQUEEZE_H

#include <stdint.h>

#ifdef __BMI2__
#include <immintrin.h>
#endif

/* Without a special instruction; the tests use it even if the processor has one. */
static inline uint32_t squeeze_by_counting(uint32_t set, uint32_t removed)
{
	uint32_t squeezed = 0;
	for (set &= ~removed; set; set &= set - 1)
		squeezed |= UINT32_C(1) << __builtin_popcount(~removed & ((set & -set) - 1));
	return squeezed;
}

static inline uint32_t spread_by_counting(uint32_t set, uint32_t removed)
{
	uint32_t spread = 0, number = 0;
	for (uint32_t free = ~removed; free && set >> number; free &= free - 1, number++)
		spread |= set >> number & 1 ? free & -free : 0;
	return spread;
}

/* Removed squares of the set are dropped. */
static inline uint32_t squeeze(uint32_t set, uint32_t removed)
{
#ifdef __BMI2__
	return _pext_u32(set, ~removed);
#else
	return squeeze_by_counting(set, removed);
#endif
}

/* The inverse. */
static inline uint32_t spread(uint32_t set, uint32_t removed)
{
#ifdef __BMI2__
	return _pdep_u32(set, ~removed);
#else
	return spread_by_counting(set, removed);
#endif
}

#endif
