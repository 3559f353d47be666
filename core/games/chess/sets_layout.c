/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which bit is which position. */
#include "index.h"
#include "sets.h"

#include <string.h>

struct chess_slab chess_slab(const struct chess_sets *c, size_t number)
{
	struct chess_slab slab = {.number = number};
	memcpy(slab.piece, c->piece, sizeof slab.piece);
	const unsigned king = c->pinned;
	for (unsigned p = king; p < chess_row_piece(c); p++)
		slab.piece[p].square = (uint8_t)(p == king ? c->white_king[number / c->stride[p]]
		                                           : number / c->stride[p] & 63);
	for (unsigned p = 0; p < chess_row_piece(c); p++)
		slab.occupied |= chess_bit(slab.piece[p].square);
	return slab;
}

/* Like pieces of each side, White's first. */
static void lay_kind(struct chess_sets *c, unsigned side, unsigned kind)
{
	for (unsigned n = c->head.slice.count[side][kind]; n; n--)
		c->piece[c->pieces++] = (struct chess_piece){(uint8_t)side, (uint8_t)kind, 0};
}

static void lay_pieces(struct chess_sets *c, const struct chess_pinned *pinned)
{
	const struct el_slice *slice = &c->head.slice;
	const unsigned free_kinds = pinned->count ? CHESS_PAWN : CHESS_KINDS;
	for (unsigned side = 0; side < 2 && pinned->count; side++)
		lay_kind(c, side, CHESS_PAWN);
	c->pinned = pinned->count;
	for (unsigned p = 0; p < c->pinned; p++)
		c->piece[p].square = pinned->square[p];
	for (unsigned side = 0; side < 2; side++)
		lay_kind(c, side, CHESS_KING);
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = CHESS_QUEEN; kind < free_kinds; kind++)
			lay_kind(c, side, kind);
	c->pawns = slice->count[EL_WHITE][CHESS_PAWN] || slice->count[EL_BLACK][CHESS_PAWN];
}

static void lay_white_kings(struct chess_sets *c)
{
	for (unsigned at = 0; at < 64; at++) {
		if (!c->pinned && chess_king_symmetry(c->pawns, at, at))
			continue;
		c->white_king_row[at] = (uint8_t)c->white_kings;
		c->white_king[c->white_kings++] = (uint8_t)at;
	}
}

/* Can a pawn be captured en passant at all? A pinned one where it has come by a double step and
   stands beside another side's. */
static bool may_be_passed(const struct chess_sets *c, unsigned p)
{
	const struct chess_piece pawn = c->piece[p];
	const uint64_t at = chess_bit(pawn.square);
	uint64_t beside = 0, occupied = 0;
	if (p >= c->pinned)
		return true;
	for (unsigned q = 0; q < c->pinned; q++) {
		occupied |= chess_bit(c->piece[q].square);
		if (c->piece[q].side != pawn.side)
			beside |= chess_bit(c->piece[q].square);
	}
	const bool white = pawn.side == EL_WHITE;
	const uint64_t behind = white ? at >> 8 | at >> 16 : at << 8 | at << 16;
	return chess_rank(pawn.square) == (white ? 3 : 4) && !(behind & occupied) &&
	       (chess_sideways(at) & beside);
}

static void lay_layers(struct chess_sets *c)
{
	const struct el_slice *slice = &c->head.slice;
	unsigned pawns[2] = {0, 0};
	c->layers = 1;
	if (!slice->count[EL_WHITE][CHESS_PAWN] || !slice->count[EL_BLACK][CHESS_PAWN])
		return;
	for (unsigned p = 0; p < c->pieces; p++) {
		if (c->piece[p].kind != CHESS_PAWN || !may_be_passed(c, p))
			continue;
		c->layer[p] = (uint8_t)++pawns[c->piece[p].side];
		c->layers = c->layer[p] >= c->layers ? c->layer[p] + 1u : c->layers;
	}
}

void chess_lay_out(struct chess_sets *c, const struct chess_pinned *pinned)
{
	lay_pieces(c, pinned);
	lay_white_kings(c);
	lay_layers(c);
	c->slabs = 1;
	for (unsigned p = chess_row_piece(c); p-- > c->pinned;) {
		c->stride[p] = c->slabs;
		c->slabs *= p == c->pinned ? c->white_kings : 64;
	}
	c->layer_words = c->slabs * CHESS_SLAB;
	c->head.words = c->layers * c->layer_words;
	c->head.stored_words = c->layer_words;
}
