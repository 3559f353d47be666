/* SPDX-License-Identifier: MIT */
#include "best.h"

/* One step in a direction: the squares from which it stays on the board, and how far it goes. */
struct direction {
	int8_t file, rank;
};

static const struct direction directions[] = {{1, 0}, {-1, 0}, {0, 1},  {0, -1},
                                              {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};

/*
 * Against the direction of the moves: what a square reaches is the next square, and what that one
 * reaches, unless something stands there. So a line takes one pass.
 */
static void walk_line(unsigned square, int step, unsigned steps, uint64_t occupied,
                      const int16_t *reached, int16_t *found, size_t stride)
{
	int16_t best[ROW] = {0};
	for (;; square = (unsigned)((int)square - step)) {
		const uint64_t at = chess_bit(square);
		if (!(occupied & at)) {
			chess_row_join(found + square * stride, best);
			chess_row_join(best, reached + square * stride);
			best[square] = 0;
		} else {
			for (unsigned i = 0; i < ROW; i++)
				best[i] = 0;
		}
		if (!steps--)
			return;
	}
}

void chess_walk(enum chess_kind kind, uint64_t occupied, const int16_t *reached, int16_t *found,
                size_t stride)
{
	if (kind == CHESS_KNIGHT) {
		for (unsigned square = 0; square < 64; square++) {
			if (occupied & chess_bit(square))
				continue;
			for (uint64_t to = chess_knight_attacks(square) & ~occupied; to;)
				chess_row_join(found + square * stride,
				               reached + chess_pop(&to) * stride);
		}
		return;
	}
	const unsigned first = kind == CHESS_BISHOP ? 4 : 0, end = kind == CHESS_ROOK ? 4 : 8;
	for (unsigned d = first; d < end; d++) {
		const int file = directions[d].file, rank = directions[d].rank;
		for (int square = 0; square < 64; square++) {
			/* Only lines' ends: the next square would be off the board. */
			const int f = square & 7, r = square >> 3;
			const int to_file = f + file, to_rank = r + rank;
			if (to_file >= 0 && to_file < 8 && to_rank >= 0 && to_rank < 8)
				continue;
			const int back_file = file > 0 ? f : file < 0 ? 7 - f : 7;
			const int back_rank = rank > 0 ? r : rank < 0 ? 7 - r : 7;
			const int steps = back_file < back_rank ? back_file : back_rank;
			walk_line((unsigned)square, 8 * rank + file, (unsigned)steps, occupied,
			          reached, found, stride);
		}
	}
}

void chess_transpose_rows(const int16_t *from, int16_t *to)
{
	enum { TILE = 8 };
	for (unsigned i = 0; i < ROW; i += TILE)
		for (unsigned k = 0; k < ROW; k += TILE)
			for (unsigned a = i; a < i + TILE; a++)
				for (unsigned b = k; b < k + TILE; b++)
					to[b * ROW + a] = from[a * ROW + b];
}
