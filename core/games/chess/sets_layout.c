/* SPDX-License-Identifier: MIT */
/* The layout: which bit stands for which position. */
#include "sets.h"

#include <string.h>

uint64_t chess_bit_stride(const struct chess_sets *c, unsigned p)
{
	if (p < c->pinned)
		return 0;
	if (p == chess_word_piece(c))
		return 1;
	return p == chess_row_piece(c) ? 64 : c->stride[p] * 64 * CHESS_SLAB;
}

struct chess_slab chess_slab(const struct chess_sets *c, size_t unit, size_t number)
{
	struct chess_slab slab = {.number = number,
	                          .occupied = c->standing[EL_WHITE] | c->standing[EL_BLACK]};
	memcpy(slab.piece, c->piece, sizeof slab.piece);
	for (unsigned k = 0; k < c->fixed; k++)
		slab.piece[c->pinned + k].square =
			c->part.kings ? c->part.kings->by_unit[unit][k]
				      : (uint8_t)(c->fixed - k == 2 ? unit / 64 : unit % 64);
	for (unsigned p = chess_first_outer(c); p < chess_row_piece(c); p++)
		slab.piece[p].square = (uint8_t)(number / c->stride[p] & 63);
	for (unsigned p = 0; p < chess_row_piece(c); p++)
		slab.occupied |= chess_bit(slab.piece[p].square);
	return slab;
}

/* ---- pieces ---- */

/* Appends the pieces of one side and kind. */
static void lay_kind(struct chess_sets *c, unsigned side, unsigned kind)
{
	for (unsigned n = c->head.slice.count[side][kind]; n; n--)
		c->piece[c->pieces++] = (struct chess_piece){(uint8_t)side, (uint8_t)kind, 0};
}

/* Can a pawn ever be captured en passant? A pinned one can if it may have made a double step and
   stands beside an enemy pawn. */
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
	return chess_just_pushed(pawn, occupied) && (chess_sideways(at) & beside);
}

void chess_lay_out(struct chess_sets *c, const struct chess_pinned *pinned)
{
	/* The pieces. */
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
	const unsigned others = c->pieces - c->pinned - 2; /* besides row piece and word piece */
	c->fixed = others < 2 ? others : 2;

	/* The layers, if both sides have pawns. */
	const struct el_slice *slice = &c->head.slice;
	const bool passing =
		slice->count[EL_WHITE][CHESS_PAWN] && slice->count[EL_BLACK][CHESS_PAWN];
	unsigned pawns[2] = {0, 0};
	c->layers = 1;
	for (unsigned p = 0; p < c->pieces && passing; p++) {
		if (c->piece[p].kind != CHESS_PAWN || !may_be_passed(c, p))
			continue;
		c->layer[p] = (uint8_t)++pawns[c->piece[p].side];
		c->layers = c->layer[p] >= c->layers ? c->layer[p] + 1u : c->layers;
	}

	/* The sizes. */
	c->slabs = 1;
	for (unsigned p = chess_row_piece(c); p-- > chess_first_outer(c);) {
		c->stride[p] = c->slabs;
		c->slabs *= 64;
	}
	c->layer_words = c->slabs * CHESS_SLAB;
	const struct chess_groups groups = chess_groups(slice);
	const unsigned whites = groups.pawns ? CHESS_WHITES_PAWNS : CHESS_WHITES_PAWNLESS;
	c->head.units = 1;
	if (c->fixed == 1)
		c->head.units = c->pinned ? 64 : whites;
	if (c->fixed == 2)
		c->head.units = c->pinned ? CHESS_PAIRS : groups.kings;
	c->head.words = c->layers * c->layer_words;
	c->head.stored_words = c->layer_words;
}

/* ---- kings ---- */

void chess_fill_kings(const struct chess_sets *c, struct chess_kings *out)
{
	const struct chess_groups groups = chess_groups(&c->head.slice);
	*out = (struct chess_kings){.whites = 0};
	for (unsigned class = 0; class < groups.kings; class ++) {
		uint8_t *at = out->by_class[class];
		chess_king_squares(groups.pawns, class, &at[EL_WHITE], &at[EL_BLACK]);
		if (!class || at[EL_WHITE] != out->by_class[class - 1][EL_WHITE])
			out->first[out->whites++] = (uint16_t) class;
	}
	out->first[out->whites] = (uint16_t)groups.kings;
	if (!c->fixed)
		return;

	/* Units are numbered by White's square, then by Black's, like classes. */
	unsigned count = 0;
	for (unsigned n = 0; n < 64 * 64; n++) {
		const unsigned white = n / 64, black = n % 64, seen = c->fixed == 2 ? black : white;
		const uint64_t near = chess_king_attacks(white) | chess_bit(white);
		out->unit[white][black] = CHESS_NO_UNIT;
		if (c->fixed == 2 ? near >> black & 1 : black)
			continue;
		const unsigned symmetry =
			c->pinned ? 0 : chess_king_symmetry(groups.pawns, white, seen);
		out->symmetry[white][black] = (uint8_t)symmetry;
		if (symmetry)
			continue;
		out->by_unit[count][EL_WHITE] = (uint8_t)white;
		out->by_unit[count][EL_BLACK] = (uint8_t)black;
		out->unit[white][black] = (uint16_t)count++;
	}
	for (unsigned n = 0; n < 64 * 64; n++) {
		const unsigned white = n / 64, black = n % 64;
		const unsigned symmetry = out->symmetry[white][black];
		const unsigned there = c->fixed == 2 ? chess_symmetric(symmetry, black) : black;
		if (symmetry)
			out->unit[white][black] =
				out->unit[chess_symmetric(symmetry, white)][there];
	}
}

struct chess_steps chess_king_steps(const struct chess_sets *c, unsigned side, size_t unit)
{
	const struct chess_kings *kings = c->part.kings;
	struct chess_steps steps = {.count = 0};
	if (side >= c->fixed)
		return steps;
	const unsigned stride = c->fixed - side == 2 ? 64 : 1; /* without tables */
	if (!kings) {
		const unsigned from = (unsigned)unit / stride % 64;
		for (uint64_t reach = chess_king_attacks(from); reach;)
			steps.unit[steps.count++] =
				(uint16_t)(unit + (chess_pop(&reach) - from) * stride);
		return steps;
	}
	uint8_t at[2] = {kings->by_unit[unit][EL_WHITE], kings->by_unit[unit][EL_BLACK]};
	uint64_t reach = chess_king_attacks(at[side]);
	while (reach) {
		at[side] = (uint8_t)chess_pop(&reach);
		const uint16_t to = kings->unit[at[EL_WHITE]][at[EL_BLACK]];
		if (to == CHESS_NO_UNIT)
			continue;
		steps.unit[steps.count] = to;
		steps.symmetry[steps.count++] = kings->symmetry[at[EL_WHITE]][at[EL_BLACK]];
	}
	return steps;
}
