/* SPDX-License-Identifier: MIT */
#include "core/games/steps.h"
#include "index.h"

enum { QUEENSIDE = 1, KINGSIDE = 2, RIGHTS = 4 /* sets of these */ };

/* What the index needs of a slice: its material, and the rights of the side named first and of the other. */
struct castling {
	const uint8_t (*count)[EL_KINDS];
	unsigned rights[2];
};

static unsigned king_home(unsigned side)
{
	return side == EL_WHITE ? 4 : 60;
}

static uint64_t rook_homes(unsigned side, unsigned rights)
{
	const uint64_t rooks = (rights & QUEENSIDE ? 1 : 0) | (rights & KINGSIDE ? 128 : 0);
	return side == EL_WHITE ? rooks : rooks << 56;
}

uint16_t chess_castling(const struct el_position *position)
{
	uint16_t rights = 0;
	for (unsigned side = 0; side < 2; side++) {
		const uint64_t *set = position->set[side];
		const uint64_t rooks = set[CHESS_ROOK] & rook_homes(side, QUEENSIDE | KINGSIDE);
		if (set[CHESS_KING] == chess_bit(king_home(side)))
			rights |= (uint16_t)(side == EL_WHITE ? rooks : rooks >> 56 << 8);
	}
	return rights;
}

/* The pieces of a kind that may stand anywhere, and where they may: 1 for none. */
static unsigned movable(const struct castling *c, unsigned side, unsigned kind)
{
	const unsigned rights = c->rights[side];
	const unsigned fixed = kind == CHESS_KING   ? rights != 0
	                       : kind == CHESS_ROOK ? chess_count(rights)
	                                            : 0;
	return c->count[side][kind] - fixed;
}

static uint32_t radix(const struct castling *c, unsigned side, unsigned kind)
{
	return choose[kind == CHESS_PAWN ? 48 : 64][movable(c, side, kind)];
}

/* Sets the rights to those of a number from 0 up, and returns how many positions they have: 0 if some side
   has too few rooks for its. */
static uint64_t set_rights(struct castling *c, unsigned number)
{
	uint64_t positions = number != 0;
	c->rights[0] = number / RIGHTS;
	c->rights[1] = number % RIGHTS;
	for (unsigned side = 0; side < 2 && positions; side++) {
		if (chess_count(c->rights[side]) > c->count[side][CHESS_ROOK])
			return 0;
		for (unsigned kind = CHESS_KING; kind < CHESS_KINDS; kind++)
			positions *= radix(c, side, kind);
	}
	return positions;
}

uint64_t chess_castling_positions(const struct el_slice *slice)
{
	struct castling c = {.count = slice->count};
	uint64_t positions = 0;
	for (unsigned number = 0; number < RIGHTS * RIGHTS; number++)
		positions += set_rights(&c, number);
	return positions;
}

bool chess_castling_place(const struct el_position *position, unsigned first, uint64_t *index)
{
	uint8_t count[2][EL_KINDS];
	uint64_t moved[2][EL_KINDS];
	unsigned rights[2];
	for (unsigned side = 0; side < 2; side++) {
		const unsigned own = first ^ side;
		const unsigned bits = position->castling >> 8 * own & 255;
		rights[side] = (bits & 1 ? QUEENSIDE : 0) | (bits & 128 ? KINGSIDE : 0);
		const uint64_t rooks = rook_homes(own, rights[side]);
		const uint64_t king = rights[side] ? chess_bit(king_home(own)) : 0;
		if (bits & ~129u || rooks & ~position->set[own][CHESS_ROOK] ||
		    king & ~position->set[own][CHESS_KING])
			return false; /* a right of Chess960, or none that the board allows */
		for (unsigned kind = CHESS_KING; kind < CHESS_KINDS; kind++) {
			const uint64_t set = position->set[own][kind];
			count[side][kind] = (uint8_t)chess_count(set);
			moved[side][kind] =
				chess_symmetric_set(first * CHESS_FLIP, set & ~(rooks | king));
		}
	}
	struct castling c = {.count = (const uint8_t(*)[EL_KINDS])count};
	const unsigned number = rights[0] * RIGHTS + rights[1];
	uint64_t before = 0, within = 0;
	for (unsigned n = 0; n < number; n++)
		before += set_rights(&c, n);
	set_rights(&c, number);
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = CHESS_KING; kind < CHESS_KINDS; kind++)
			within = within * radix(&c, side, kind) +
			         chess_rank_set(moved[side][kind], kind == CHESS_PAWN ? 8 : 0);
	*index = before + within;
	return true;
}

bool chess_castling_set_up(const struct el_slice *slice, uint64_t index, struct el_position *out)
{
	struct castling c = {.count = slice->count};
	uint64_t occupied = 0, positions;
	for (unsigned number = 0; index >= (positions = set_rights(&c, number)); number++)
		index -= positions;
	for (unsigned side = 2; side-- > 0;) {
		const unsigned rights = c.rights[side];
		for (unsigned kind = CHESS_KINDS; kind-- > CHESS_KING;) {
			const uint32_t rank = choose_take(&index, radix(&c, side, kind));
			uint64_t set = chess_unrank_set(rank, movable(&c, side, kind),
			                                kind == CHESS_PAWN ? 8 : 0);
			uint64_t fixed = kind == CHESS_ROOK ? rook_homes(side, rights) : 0;
			if (kind == CHESS_KING && rights)
				fixed = chess_bit(king_home(side));
			if (set & fixed || occupied & (set | fixed))
				return false;
			occupied |= out->set[side][kind] = set | fixed;
		}
		out->castling |= (uint16_t)(rook_homes(EL_WHITE, rights) << 8 * side);
	}
	return !(chess_king_attacks(chess_first(out->set[EL_WHITE][CHESS_KING])) &
	         out->set[EL_BLACK][CHESS_KING]);
}

size_t chess_castling_steps(const struct el_slice *slice, uint64_t index,
                            struct el_index_step out[EL_INDEX_STEPS_MAX])
{
	struct castling c = {.count = slice->count};
	uint32_t rank[2][EL_KINDS];
	uint64_t positions, before = index;
	size_t steps = 0;
	for (unsigned number = 0; index >= (positions = set_rights(&c, number)); number++)
		index -= positions;
	before -= index;
	for (unsigned side = 2; side-- > 0;)
		for (unsigned kind = CHESS_KINDS; kind-- > CHESS_KING;)
			rank[side][kind] = choose_take(&index, radix(&c, side, kind));
	uint64_t after = 0;
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = CHESS_KING; kind < CHESS_KINDS; kind++) {
			const unsigned first = kind == CHESS_PAWN ? 8 : 0;
			const unsigned open = movable(&c, side, kind);
			const unsigned fixed = slice->count[side][kind] - open;
			struct step_group like = {
				.game = slice->game, .side = (uint8_t)side, .kind = (uint8_t)kind};
			if (fixed) {
				like.where = " at home";
				like.set = kind == CHESS_KING ? chess_bit(king_home(side))
				                              : rook_homes(side, c.rights[side]);
				like.numbers = chess_bit(fixed) - 1;
				like.area = like.set;
				like.squares = (uint8_t)fixed;
				after = step_write(&like, after, &out[steps++]);
			}
			like.where = NULL;
			like.set = chess_unrank_set(rank[side][kind], open, first);
			like.numbers = like.set >> first;
			like.area = ~UINT64_C(0) >> 2 * first << first;
			like.squares = (uint8_t)(64 - 2 * first);
			if (open)
				after = step_write(&like, after, &out[steps++]);
		}
	struct el_index_step *last = &out[steps - 1];
	last->base = before;
	last->base_is = before ? "with other castling rights" : NULL;
	last->after += before;
	return steps;
}
