/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"

/* The symbol of a run: that of the run before, where it is allowed, else the greatest. */
static uint16_t choose(uint32_t least, uint32_t most, uint16_t before, bool first)
{
	return !first && before >= least && before <= most ? before : (uint16_t)most;
}

void runs_fill(const struct el_codec_plane *plane, uint32_t value_count)
{
	uint16_t before = 0;
	for (uint64_t i = 0; i < plane->positions;) {
		uint32_t least = 0, most = value_count - 1;
		uint64_t end = i;
		for (; end < plane->positions; end++) {
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
		uint16_t symbol = choose(least, most, before, i == 0);
		for (; i < end; i++)
			plane->symbols[i] = symbol;
		before = symbol;
	}
}
