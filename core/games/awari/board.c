/* SPDX-License-Identifier: MIT */
#include "awari.h"

/* ---- sowing ---- */

unsigned awari_fill(uint8_t pit[AWARI_PITS], unsigned from)
{
	unsigned at = from;
	unsigned stones = pit[from];
	pit[from] = 0;
	while (stones) {
		at = (at + 1) % AWARI_PITS;
		if (at == from)
			continue;
		pit[at]++;
		stones--;
	}
	return at;
}

/* ---- positions ---- */

struct awari_board awari_board_of(const struct el_position *position)
{
	struct awari_board board;
	for (unsigned pit = 0; pit < AWARI_PITS; pit++)
		board.pit[pit] = position->pits[awari_pit(position->side, pit)];
	return board;
}

void awari_swap_colours(const struct el_position *position, struct el_position *out)
{
	struct el_position swapped = *position;
	for (unsigned pit = 0; pit < AWARI_PITS; pit++)
		swapped.pits[pit] = position->pits[awari_pit(EL_BLACK, pit)];
	for (unsigned side = 0; side < 2; side++)
		swapped.stores[side] = position->stores[!side];
	swapped.side = !position->side;
	*out = swapped;
}

/* ---- the board that is drawn: North's pits, f to a, above South's, A to F ---- */

uint8_t awari_square_at(unsigned file, unsigned rank)
{
	if (file >= AWARI_ROW || rank > 1)
		return EL_NO_SQUARE;
	return (uint8_t)(rank ? AWARI_PITS - 1 - file : file);
}

void awari_square_name(uint8_t square, char out[4])
{
	out[0] = (char)(square < AWARI_ROW ? 'A' + square : 'a' + square - AWARI_ROW);
	out[1] = '\0';
}
