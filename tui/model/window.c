/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window.h"

enum { SQUARES = 64 };

static uint64_t bit(uint8_t square)
{
	return (uint64_t)1 << square;
}

static bool try_stone(const struct el_position *from, uint8_t pit, uint8_t to,
                      struct el_position *out)
{
	if (pit >= EL_PITS || to >= EL_PITS || !from->pits[pit])
		return false;
	*out = *from;
	out->pits[pit]--;
	out->pits[to]++;
	return true;
}

bool window_try(const struct el_game *game, const struct el_position *from, uint8_t piece,
                uint8_t to, struct el_position *out)
{
	if (game->sows)
		return try_stone(from, piece, to, out);
	unsigned side, kind, other_side, other_kind;
	if (!el_piece_at(from, piece, &side, &kind))
		return false;
	if (to != piece && el_piece_at(from, to, &other_side, &other_kind))
		return false;
	*out = *from;
	out->set[side][kind] = (out->set[side][kind] & ~bit(piece)) | bit(to);
	el_position_drop_rights(out);
	return true;
}

uint8_t window_next_piece(const struct el_game *game, const struct el_position *p, uint8_t square)
{
	unsigned side;
	for (unsigned i = 1; i <= SQUARES; i++)
		if (el_square_taken(game, p, (uint8_t)((square + i) % SQUARES), &side))
			return (uint8_t)((square + i) % SQUARES);
	return square;
}

uint8_t window_telling_piece(const struct el_game *game, const struct el_position *p)
{
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = 1; kind < EL_KINDS; kind++)
			for (uint8_t square = 0; square < SQUARES; square++)
				if (p->set[side][kind] >> square & 1)
					return square;
	return window_next_piece(game, p, SQUARES - 1);
}
