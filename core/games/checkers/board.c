/* SPDX-License-Identifier: MIT */
#include "checkers.h"

#include <stdio.h>

/* Square 1 is b8, 4 is h8, 5 is a7, 32 is g1. */
uint8_t checkers_square_at(unsigned file, unsigned rank)
{
	if (file > 7 || rank > 7 || (file + rank) % 2)
		return EL_NO_SQUARE;
	return (uint8_t)((7 - rank) * 4 + file / 2);
}

void checkers_square_name(uint8_t square, char out[4])
{
	snprintf(out, 4, "%u", (unsigned)(uint8_t)(square + 1));
}

void checkers_swap_colours(const struct el_position *position, struct el_position *out)
{
	struct el_position swapped = *position;
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = 0; kind < CHECKERS_KINDS; kind++)
			swapped.set[side][kind] =
				checkers_turn((uint32_t)position->set[!side][kind]);
	swapped.side = !position->side;
	*out = swapped;
}
