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

bool bitmaps_open(struct el_sets *sets)
{
	uint64_t **each[] = {sets->legal, sets->lost, sets->stuck, sets->blocked};
	bool all = true;
	for (size_t i = 0; i < sizeof each / sizeof *each; i++)
		for (unsigned side = 0; side < sets->sides; side++)
			all &= (each[i][side] = bitmap_open(sets->words)) != NULL;
	return all;
}

void bitmaps_close(struct el_sets *sets)
{
	for (unsigned side = 0; side < 2; side++) {
		free(sets->legal[side]);
		free(sets->lost[side]);
		free(sets->stuck[side]);
		free(sets->blocked[side]);
		free(sets->wins[side].events);
		free(sets->frees[side].events);
	}
}
