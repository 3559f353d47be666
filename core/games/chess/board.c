/* SPDX-License-Identifier: MIT */
#include "board.h"

uint64_t chess_between(unsigned a, unsigned b)
{
	const uint64_t lines[] = {chess_line_rank(a), chess_line_file(a), chess_line_rising(a),
	                          chess_line_falling(a)};
	uint64_t low = chess_bit(a < b ? a : b), high = chess_bit(a < b ? b : a);
	if (a == b)
		return 0;
	for (unsigned i = 0; i < 4; i++)
		if (lines[i] & chess_bit(b))
			return lines[i] & (high - 1) & ~(2 * low - 1);
	return 0;
}

bool chess_attacked(const struct el_position *position, unsigned side, uint64_t alive,
                    unsigned square, uint64_t occupied)
{
	const uint64_t *set = position->set[side];
	uint64_t straight = (set[CHESS_QUEEN] | set[CHESS_ROOK]) & alive;
	uint64_t slanted = (set[CHESS_QUEEN] | set[CHESS_BISHOP]) & alive;
	if ((chess_king_attacks(square) & set[CHESS_KING] & alive) ||
	    (chess_knight_attacks(square) & set[CHESS_KNIGHT] & alive) ||
	    (chess_pawn_attacks(!side, square) & set[CHESS_PAWN] & alive))
		return true;
	return (straight && (chess_rook_attacks(square, occupied) & straight)) ||
	       (slanted && (chess_bishop_attacks(square, occupied) & slanted));
}

uint8_t chess_square_at(unsigned file, unsigned rank)
{
	return (uint8_t)(file < 8 && rank < 8 ? rank * 8 + file : EL_NO_SQUARE);
}

void chess_square_name(uint8_t square, char out[4])
{
	out[0] = (char)('a' + chess_file(square));
	out[1] = (char)('1' + chess_rank(square));
	out[2] = '\0';
}

void chess_mirror(const struct el_position *position, struct el_position *out)
{
	struct el_position mirrored = *position;
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = 0; kind < CHESS_KINDS; kind++)
			mirrored.set[side][kind] = chess_mirror_files(position->set[side][kind]);
	if (position->en_passant != EL_NO_SQUARE)
		mirrored.en_passant = position->en_passant ^ 7;
	mirrored.castling = 0;
	*out = mirrored;
}

void chess_swap_colours(const struct el_position *position, struct el_position *out)
{
	struct el_position swapped = *position;
	for (unsigned side = 0; side < 2; side++)
		for (unsigned kind = 0; kind < CHESS_KINDS; kind++)
			swapped.set[side][kind] = chess_flip_ranks(position->set[!side][kind]);
	swapped.side = !position->side;
	if (position->en_passant != EL_NO_SQUARE)
		swapped.en_passant = position->en_passant ^ 56;
	swapped.castling = (uint16_t)(position->castling >> 8 | position->castling << 8);
	*out = swapped;
}
