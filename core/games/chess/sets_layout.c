/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which bit is which position. */
#include "index.h"
#include "sets.h"

#include <string.h>

struct chess_slab chess_slab(const struct chess_sets *c, size_t number)
{
	struct chess_slab slab = {.number = number};
	memcpy(slab.piece, c->piece, sizeof slab.piece);
	slab.piece[0].square = c->white_king[number / c->stride[0]];
	slab.occupied = chess_bit(slab.piece[0].square);
	for (unsigned p = 1; p < chess_row_piece(c); p++) {
		slab.piece[p].square = number / c->stride[p] & 63;
		slab.occupied |= chess_bit(slab.piece[p].square);
	}
	return slab;
}

static void lay_pieces(struct chess_sets *c)
{
	const struct el_slice *slice = &c->head.slice;
	for (unsigned side = 0; side < 2; side++)
		c->piece[c->pieces++] = (struct chess_piece){(uint8_t)side, CHESS_KING, 0};
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = CHESS_QUEEN; kind < CHESS_KINDS; kind++)
			for (unsigned n = slice->count[side][kind]; n; n--)
				c->piece[c->pieces++] =
					(struct chess_piece){(uint8_t)side, (uint8_t)kind, 0};
	c->pawns = slice->count[EL_WHITE][CHESS_PAWN] || slice->count[EL_BLACK][CHESS_PAWN];
}

static void lay_white_kings(struct chess_sets *c)
{
	for (unsigned at = 0; at < 64; at++) {
		if (chess_king_symmetry(c->pawns, at, at))
			continue;
		c->white_king_row[at] = (uint8_t)c->white_kings;
		c->white_king[c->white_kings++] = (uint8_t)at;
	}
}

static void lay_layers(struct chess_sets *c)
{
	const struct el_slice *slice = &c->head.slice;
	unsigned pawns[2] = {0, 0};
	c->layers = 1;
	if (!slice->count[EL_WHITE][CHESS_PAWN] || !slice->count[EL_BLACK][CHESS_PAWN])
		return;
	for (unsigned p = 0; p < c->pieces; p++) {
		if (c->piece[p].kind != CHESS_PAWN)
			continue;
		c->layer[p] = (uint8_t)++pawns[c->piece[p].side];
		c->layers = c->layer[p] >= c->layers ? c->layer[p] + 1u : c->layers;
	}
}

void chess_lay_out(struct chess_sets *c)
{
	lay_pieces(c);
	lay_white_kings(c);
	lay_layers(c);
	c->slabs = 1;
	for (unsigned p = chess_row_piece(c); p-- > 0;) {
		c->stride[p] = c->slabs;
		c->slabs *= p ? 64 : c->white_kings;
	}
	c->layer_words = c->slabs * CHESS_SLAB;
	c->head.words = c->layers * c->layer_words;
	c->head.stored_words = c->layer_words;
}
