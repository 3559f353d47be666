/* SPDX-License-Identifier: MIT */
#include "best.h"

typedef int16_t eight __attribute__((vector_size(16), aligned(2), may_alias));

uint64_t chess_row_safe(const struct chess_view *view, const uint8_t king[2], const uint8_t *square,
                        unsigned lane, unsigned side)
{
	uint64_t occupied = chess_bit(king[0]) | chess_bit(king[1]), check = 0;
	for (unsigned k = 0; k < view->count; k++) {
		const bool pawn = view->man[k].kind == CHESS_PAWN;
		if (k == lane)
			continue;
		const uint64_t at = chess_bit(square[view->man[k].own]);
		if (at & (occupied | (pawn ? CHESS_RANK_1 | CHESS_RANK_8 : 0)))
			return 0;
		occupied |= at;
	}
	uint64_t free = ~occupied;
	if (view->count && view->man[lane].kind == CHESS_PAWN)
		free &= ~(CHESS_RANK_1 | CHESS_RANK_8);
	for (unsigned k = 0; k < view->count; k++) {
		const struct chess_man man = view->man[k];
		if (man.side == side)
			continue;
		/* Seen from the king, an enemy pawn attacks as one of the king's side. */
		const uint64_t from = chess_attacks_of(side, man.kind, king[side], occupied);
		if (k == lane)
			check |= from;
		else if (from >> square[man.own] & 1)
			check |= ~chess_between(king[side], square[man.own]);
	}
	return free & ~check;
}

/* The index of a row by one of the two mappings: without the lane's group, and the squares of the
   lane's like. */
static uint32_t row_base(const struct chess_look *look, unsigned which, const uint8_t *square,
                         uint64_t *partners)
{
	const struct chess_view *view = look->view;
	uint64_t set[CHESS_GROUPS_MAX] = {0};
	uint32_t base = 0;
	for (unsigned k = 0; k < view->count; k++)
		if (k != look->lane)
			set[view->man[k].group] |=
				chess_bit(look->at[which][square[view->man[k].own]]);
	const unsigned own = view->man[look->lane].group;
	for (unsigned g = 0; g < view->groups.count; g++)
		if (g != own)
			base += view->stride[g] *
			        chess_rank_set(set[g], view->groups.group[g].first);
	*partners = set[own];
	return base;
}

static uint32_t lane_rank(const struct chess_best *b, const struct chess_group *group,
                          uint64_t partners, unsigned at)
{
	const uint64_t squares = partners | chess_bit(at);
	if (group->first && chess_bit(at) & (CHESS_RANK_1 | CHESS_RANK_8))
		return 0;
	if (group->count != 2 || !(partners & ~chess_bit(at)))
		return chess_rank_set(squares, group->first);
	return b->pair[chess_first(partners) - group->first][at - group->first];
}

void chess_row_index(const struct chess_best *b, const struct chess_look *look,
                     const uint8_t *square, uint32_t out[ROW])
{
	const struct chess_view *view = look->view;
	const unsigned g = view->man[look->lane].group;
	for (unsigned which = 0; which <= look->twofold; which++) {
		uint64_t partners;
		const uint32_t base = row_base(look, which, square, &partners);
		for (unsigned i = 0; i < ROW; i++) {
			const uint32_t index =
				base + view->stride[g] * lane_rank(b, &view->groups.group[g],
			                                           partners, look->at[which][i]);
			out[i] = which && out[i] < index ? out[i] : index;
		}
	}
}

void chess_row_scores(const struct chess_best *b, const struct chess_look *look,
                      const uint8_t *square, uint64_t squares, int16_t out[ROW])
{
	const struct chess_view *view = look->view;
	if (look->twofold || view->groups.group[view->man[look->lane].group].count > 1) {
		uint32_t index[ROW];
		chess_row_index(b, look, square, index);
		for (unsigned i = 0; i < ROW; i++)
			out[i] = look->score[look->symbols[index[i]]];
	} else {
		uint64_t partners;
		const uint16_t *symbols = look->symbols + row_base(look, 0, square, &partners);
		for (unsigned i = 0; i < ROW; i++)
			out[i] = look->score[symbols[look->lane_part[i]]];
	}
	for (unsigned i = 0; i < ROW / 8; i++)
		((eight *)out)[i] &= *(const eight *)b->keep[squares >> 8 * i & 255];
}

int16_t chess_one_score(const struct chess_section *s, const struct chess_look *look,
                        const uint8_t *square, unsigned at)
{
	const struct chess_view *view = look->view;
	if (!view->count)
		return s->best->head.reached.drawn;
	if (!(chess_row_safe(view, look->king, square, look->lane, s->us) >> at & 1))
		return 0;
	const unsigned g = view->man[look->lane].group;
	uint32_t least = UINT32_MAX;
	for (unsigned which = 0; which <= look->twofold; which++) {
		uint64_t partners;
		uint32_t index = row_base(look, which, square, &partners);
		index += view->stride[g] *
		         lane_rank(s->best, &view->groups.group[g], partners, look->at[which][at]);
		least = index < least ? index : least;
	}
	return look->score[look->symbols[least]];
}

bool chess_look_open(struct chess_section *s, const struct chess_view *view, const uint8_t king[2],
                     unsigned lane, struct chess_look *out)
{
	const unsigned white = king[EL_WHITE], black = king[EL_BLACK];
	out->view = view;
	memcpy(out->king, king, sizeof out->king);
	out->lane = lane;
	out->symbols = NULL;
	if (white == black || chess_king_attacks(white) & chess_bit(black))
		return false;
	if (!view->count)
		return true;
	/* the table's kings, in its colours, and the symmetry that its index maps them by */
	const unsigned flip = view->swapped ? CHESS_FLIP : 0;
	const unsigned first = king[view->swapped] ^ flip, second = king[!view->swapped] ^ flip;
	const bool pawns = view->groups.pawns;
	const unsigned symmetry = chess_king_symmetry(pawns, first, second);
	const unsigned one = chess_symmetric(symmetry, first);
	const unsigned two = chess_symmetric(symmetry, second);
	const int class = chess_king_class(pawns, one, two);
	if (class < 0)
		return false;
	out->twofold = chess_kings_twofold(pawns, one, two);
	for (unsigned square = 0; square < 64; square++) {
		out->at[0][square] = (uint8_t)chess_symmetric(symmetry ^ flip, square);
		out->at[1][square] = (uint8_t)chess_transpose_square(out->at[0][square]);
	}
	const unsigned group = view->man[lane].group;
	const unsigned least = view->groups.group[group].first;
	for (unsigned square = 0; square < 64; square++) {
		const unsigned at = out->at[0][square];
		out->lane_part[square] =
			at < least || at >= 64 - least ? 0 : (at - least) * view->stride[group];
	}
	if (!view->entered)
		return true;
	out->symbols =
		best_symbol(view->entered, view->plane, (uint64_t) class * view->size, &s->lent[0]);
	out->score = view->entered->score[view->plane];
	s->is_unread |= !out->symbols;
	return out->symbols != NULL;
}
