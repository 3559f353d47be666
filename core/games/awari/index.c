/* SPDX-License-Identifier: MIT */
#include "awari.h"

#include <stdio.h>

void awari_unrank(unsigned stones, uint32_t rank, uint8_t row[AWARI_ROW])
{
	uint64_t bars = choose_unrank(rank, AWARI_ROW - 1);
	unsigned before = 0;
	for (unsigned pit = 0; pit < AWARI_ROW - 1; pit++, bars &= bars - 1) {
		const unsigned bar = (unsigned)__builtin_ctzll(bars);
		row[pit] = (uint8_t)(bar - before);
		before = bar + 1;
	}
	row[AWARI_ROW - 1] = (uint8_t)(stones + AWARI_ROW - 1 - before);
}

uint64_t awari_first(unsigned stones, unsigned own)
{
	uint64_t first = 0;
	for (unsigned fewer = 0; fewer < own; fewer++)
		first += (uint64_t)awari_rows(fewer) * awari_rows(stones - fewer);
	return first;
}

struct el_slice awari_slice(const struct el_game *game, unsigned stones)
{
	struct el_slice slice = {
		.game = game,
		.key = stones,
		.pieces = (uint8_t)stones,
		.planes = 1,
		.positions = awari_first(stones, stones + 1),
	};
	snprintf(slice.name, sizeof slice.name, "%s:%u", game->name, stones);
	return slice;
}

bool awari_place(const struct el_position *position, struct el_place *out)
{
	const unsigned stones = el_piece_count(position);
	if (stones > AWARI_STONES || position->side > EL_BLACK)
		return false;
	const struct awari_board board = awari_board_of(position);
	const unsigned own = awari_row_sum(board.pit);
	out->key = stones;
	out->plane = 0;
	out->index = awari_first(stones, own) +
	             (uint64_t)awari_rank(board.pit) * awari_rows(stones - own) +
	             awari_rank(board.pit + AWARI_ROW);
	return true;
}

bool awari_unplace(const struct el_slice *slice, unsigned plane, uint64_t index,
                   struct el_position *out)
{
	const unsigned stones = slice->pieces;
	unsigned own = 0;
	if (plane || index >= slice->positions)
		return false;
	for (uint64_t boards;
	     index >= (boards = (uint64_t)awari_rows(own) * awari_rows(stones - own)); own++)
		index -= boards;
	*out = (struct el_position){.en_passant = EL_NO_SQUARE, .fullmove = 1};
	awari_unrank(own, (uint32_t)(index / awari_rows(stones - own)), out->pits);
	awari_unrank(stones - own, (uint32_t)(index % awari_rows(stones - own)),
	             out->pits + AWARI_ROW);
	return true;
}

/* ---- symmetries ---- */

/* The board is seen from the side to move. */
unsigned awari_symmetry(const struct el_position *position)
{
	return position->side == EL_WHITE ? 0 : EL_SWAPPED;
}
