/* SPDX-License-Identifier: MIT */
/*
 * Checks in a few nanoseconds whether a position is legal, because every position from outside is
 * checked. chess_check finds the reason if it is not.
 */
#include "chess.h"
#include "index.h"

/* The squares from which a piece attacks this one on an empty board. */
struct attackers {
	uint64_t straight, slanted, knight, pawn[2]; /* [side] */
};

/* As the functions of board.h, but constant expressions. */
#define AT(s)         (UINT64_C(1) << (s))
#define SIDEWAYS(set) (((set) & ~CHESS_FILE_A) >> 1 | ((set) & ~CHESS_FILE_H) << 1)
#define NEAR(s)       SIDEWAYS(AT(s))
#define FAR(s)        (SIDEWAYS(NEAR(s)) & ~AT(s))
#define PLUS(n)       ((n) > 0 ? (n) : 0)
#define UP(line, n)   ((line) << PLUS(n) >> PLUS(-(n)))
#define FALLING       UINT64_C(0x0102040810204080) /* a8-h1 */

#define ATTACKERS(s)                                                                 \
	{                                                                            \
		.straight = CHESS_RANK_1 << ((s)&56) | CHESS_FILE_A << ((s)&7),      \
		.slanted = UP(CHESS_DIAGONAL, ((s)&56) - 8 * ((s)&7)) |              \
		           UP(FALLING, ((s)&56) + 8 * ((s)&7) - 56),                 \
		.knight = NEAR(s) << 16 | NEAR(s) >> 16 | FAR(s) << 8 | FAR(s) >> 8, \
		.pawn = {NEAR(s) >> 8, NEAR(s) << 8},                                \
	}
#define TWO(s)   ATTACKERS(s), ATTACKERS((s) + 1)
#define EIGHT(s) TWO(s), TWO((s) + 2), TWO((s) + 4), TWO((s) + 6)

static const struct attackers attackers[64] = {
	EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40), EIGHT(48), EIGHT(56),
};

/* If there is a place, the kings are apart and the pawns on their ranks. As many squares are
   occupied as it counted pieces, unless two pieces share one. What remains is whether the side not
   to move is in check: pieces rarely attack its king even on an empty board, so test that first. */
bool chess_legal(const struct el_position *position, const struct el_place *place)
{
	if (!place || position->en_passant != EL_NO_SQUARE)
		return chess_check(position, NULL) == EL_OK;
	const uint64_t occupied = chess_occupied(position);
	if (chess_count(occupied) != chess_key_pieces(place->key))
		return false;
	const unsigned us = position->side;
	const unsigned king = chess_first(position->set[!us][CHESS_KING]);
	const uint64_t *set = position->set[us];
	const struct attackers *from = &attackers[king];
	const uint64_t in_line = ((set[CHESS_QUEEN] | set[CHESS_ROOK]) & from->straight) |
	                         ((set[CHESS_QUEEN] | set[CHESS_BISHOP]) & from->slanted) |
	                         (set[CHESS_KNIGHT] & from->knight) |
	                         (set[CHESS_PAWN] & from->pawn[us]);
	return !in_line || !chess_attacked(position, us, ~UINT64_C(0), king, occupied);
}
