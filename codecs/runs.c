/* SPDX-License-Identifier: MIT */
#include "runs.h"

/*
 * The symbols allowed at a position are a range, so the symbols allowed for a run are one, too.
 * Ending a run early never saves another one, and neighbouring runs have no allowed symbol in
 * common.
 */
void runs_fill_cheapest(const struct el_codec_plane *plane, uint32_t value_count,
                        const uint32_t *cost)
{
	for (uint64_t i = 0, end; i < plane->positions; i = end) {
		uint32_t least = 0, most = value_count - 1;
		for (end = i; end < plane->positions; end++) {
			uint8_t care = plane->care[end];
			uint16_t symbol = plane->symbols[end];
			uint32_t low = care == EL_CARE_EXACT ? symbol : 0;
			uint32_t high = care == EL_CARE_NOT ? value_count - 1 : symbol;
			low = low > least ? low : least;
			high = high < most ? high : most;
			if (low > high)
				break;
			least = low;
			most = high;
		}
		uint32_t best = most;
		for (uint32_t v = most; cost && v-- > least;)
			best = cost[v] < cost[best] ? v : best;
		const uint16_t symbol = (uint16_t)best;
		for (uint64_t k = i; k < end; k++)
			plane->symbols[k] = symbol;
	}
}

void runs_fill(const struct el_codec_plane *plane, uint32_t value_count)
{
	runs_fill_cheapest(plane, value_count, NULL);
}
