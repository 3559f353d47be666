/* SPDX-License-Identifier: MIT */
#include "boards.h"

enum { SQUARES = 64 };

uint8_t el_boards_next(const struct el_game *game, const struct el_boards *b, uint8_t square)
{
	unsigned side;
	const uint8_t other = square == b->outer ? b->inner : b->outer;
	for (unsigned i = 1; i < SQUARES; i++) {
		const uint8_t next = (uint8_t)((square + i) % SQUARES);
		if (next != other && el_square_taken(game, &b->position, next, &side))
			return next;
	}
	return square;
}

bool el_boards_choose(const struct el_game *game, const struct el_position *p,
                      struct el_boards *out)
{
	unsigned count[2] = {0}, least[2] = {EL_KINDS, EL_KINDS};
	uint8_t first[2] = {0};
	for (uint8_t square = 0; square < SQUARES; square++) {
		unsigned side, kind = 0;
		if (!el_square_taken(game, p, square, &side))
			continue;
		if (!game->sows)
			(void)el_piece_at(p, square, &side, &kind);
		count[side]++;
		if (kind < least[side]) {
			least[side] = kind;
			first[side] = square;
		}
	}
	const unsigned weak = count[EL_WHITE] < count[EL_BLACK] ? EL_WHITE : EL_BLACK;
	const unsigned outer = count[weak] ? weak : !weak;
	*out = (struct el_boards){*p, first[outer], first[!outer]};
	if (!count[weak]) {
		out->inner = out->outer;
		out->inner = el_boards_next(game, out, out->outer);
	}
	return count[outer] &&
	       (out->inner != out->outer || (game->sows && p->pits[out->outer] > 1));
}

bool el_boards_try(const struct el_game *game, const struct el_boards *b, unsigned side,
                   uint8_t tile, uint8_t cell, struct el_position *out)
{
	const uint8_t from[2] = {b->outer, b->inner}, to[2] = {tile, cell};
	*out = b->position;
	out->side = (uint8_t)side;
	for (unsigned i = 0; i < 2 && game->sows; i++) {
		out->pits[from[i]]--;
		out->pits[to[i]]++;
	}
	if (game->sows)
		return true;
	unsigned owner[2], kind[2];
	for (unsigned i = 0; i < 2; i++) {
		if (!el_piece_at(&b->position, from[i], &owner[i], &kind[i]))
			return false;
		out->set[owner[i]][kind[i]] &= ~(UINT64_C(1) << from[i]);
	}
	for (unsigned i = 0; i < 2; i++) {
		unsigned other, is;
		if (el_piece_at(out, to[i], &other, &is))
			return false;
		out->set[owner[i]][kind[i]] |= UINT64_C(1) << to[i];
	}
	el_position_drop_rights(out);
	return true;
}
