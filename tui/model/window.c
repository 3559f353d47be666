/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window.h"

#include "core/study/study.h"

#include <string.h>

enum { SQUARES = 64 };

bool window_try(const struct el_game *game, const struct el_position *from, uint8_t piece,
                uint8_t to, struct el_position *out)
{
	unsigned side, kind, other_side, other_kind;
	if (game->sows) {
		if (piece >= EL_PITS || to >= EL_PITS || !from->pits[piece])
			return false;
		*out = *from;
		out->pits[piece]--;
		out->pits[to]++;
		return true;
	}
	if (!el_piece_at(from, piece, &side, &kind))
		return false;
	if (to != piece && el_piece_at(from, to, &other_side, &other_kind))
		return false;
	*out = *from;
	out->set[side][kind] = (out->set[side][kind] & ~(UINT64_C(1) << piece)) | UINT64_C(1) << to;
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
	/* If pawns alone are left, most squares of one of them belong to other frames. */
	enum { FEW = 4 };
	unsigned most;
	if (el_study_kinds(game) && el_piece_count(p) > FEW && !el_study_movers(game, p, &most))
		return (uint8_t)__builtin_ctzll(p->set[p->side][0]);
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = 1; kind < EL_KINDS; kind++)
			for (uint8_t square = 0; square < SQUARES; square++)
				if (p->set[side][kind] >> square & 1)
					return square;
	return window_next_piece(game, p, SQUARES - 1);
}

uint8_t window_square(const struct el_game *game, const char *name)
{
	for (uint8_t square = 0; square < SQUARES; square++) {
		unsigned file, rank;
		char text[4];
		if (!el_square_find(game, square, &file, &rank))
			continue;
		game->square_name(square, text);
		if (!strcmp(text, name))
			return square;
	}
	return EL_NO_SQUARE;
}
