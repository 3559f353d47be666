/* SPDX-License-Identifier: MIT */
/* Pieces of which one is free: the squares where it can stand, and where a king is in check. */
#include "sets.h"

uint64_t chess_row_possible(const struct chess_row *row)
{
	uint64_t occupied = row->standing[EL_WHITE] | row->standing[EL_BLACK], kings[2] = {0, 0};
	bool broken = false;
	for (unsigned p = 0; p < row->pieces; p++) {
		if (p == row->free)
			continue;
		const struct chess_piece piece = row->piece[p];
		const uint64_t at = chess_bit(piece.square);
		broken |= (occupied & at) != 0;
		broken |= piece.kind == CHESS_PAWN && (at & (CHESS_RANK_1 | CHESS_RANK_8));
		if (piece.kind == CHESS_KING) {
			broken |= (kings[!piece.side] & chess_king_attacks(piece.square)) != 0;
			kings[piece.side] |= at;
		}
		occupied |= at;
	}
	if (broken)
		return 0;
	const struct chess_piece free = row->piece[row->free];
	if (free.kind == CHESS_PAWN)
		occupied |= CHESS_RANK_1 | CHESS_RANK_8;
	if (free.kind == CHESS_KING)
		occupied |= chess_king_attacks(chess_first(kings[!free.side]));
	return ~occupied;
}

uint64_t chess_row_check(const struct chess_row *row, unsigned side)
{
	const struct chess_piece free = row->piece[row->free];
	unsigned king = 0;
	uint64_t occupied = row->standing[EL_WHITE] | row->standing[EL_BLACK], check = 0;
	for (unsigned p = 0; p < row->pieces; p++) {
		if (p == row->free)
			continue;
		occupied |= chess_bit(row->piece[p].square);
		if (row->piece[p].kind == CHESS_KING && row->piece[p].side == side)
			king = row->piece[p].square;
	}
	/* If the king itself is free: the squares that enemy pieces attack. */
	if (free.kind == CHESS_KING && free.side == side) {
		for (unsigned p = 0; p < row->pieces; p++) {
			const struct chess_piece piece = row->piece[p];
			if (piece.side != side)
				check |= chess_attacks_of(piece.side, piece.kind, piece.square,
				                          occupied);
		}
		const uint64_t beside = chess_sideways(row->standing[!side]);
		return check | (side == EL_WHITE ? beside >> 8 : beside << 8);
	}
	if (chess_pawn_attacks(side, king) & row->standing[!side])
		return ~UINT64_C(0);
	for (unsigned p = 0; p < row->pieces; p++) {
		const struct chess_piece piece = row->piece[p];
		if (piece.side == side)
			continue;
		/* Attacks are seen from the king, so a pawn counts as one of the king's side. */
		uint64_t from = chess_attacks_of(side, piece.kind, king, occupied);
		if (p == row->free)
			check |= from;
		else if (from >> piece.square & 1)
			check |= ~chess_between(king, piece.square);
	}
	return check;
}
