/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bitmaps.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 }; /* a cache line; aligned_alloc takes sizes of whole ones */

uint64_t *bitmap_open(size_t words)
{
	const size_t size = (words * sizeof(uint64_t) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	uint64_t *set = aligned_alloc(ALIGNMENT, size);
	if (set)
		memset(set, 0, size);
	return set;
}
