/* SPDX-License-Identifier: MIT */
/*
 * The chess board as 64-bit sets of squares: 0 = a1, 7 = h1, 63 = h8. Everything is computed with
 * shifts; there are no tables to initialise.
 */
#ifndef CORE_GAMES_CHESS_BOARD_H
#define CORE_GAMES_CHESS_BOARD_H

#include "core/games/game.h"

/* In the order of the letters "KQRBNP": indexes of el_position.set. */
enum chess_kind {
	CHESS_KING,
	CHESS_QUEEN,
	CHESS_ROOK,
	CHESS_BISHOP,
	CHESS_KNIGHT,
	CHESS_PAWN,
	CHESS_KINDS,
};

enum { CHESS_PIECES_MAX = 8 }; /* in a slice: one more than in the largest known tables */

/* The bits of el_position.castling: a rook on each square of the two last ranks. No board that is
   legal has more than four. */
enum { CHESS_CASTLINGS_MAX = 16 };

#define CHESS_FILE_A   UINT64_C(0x0101010101010101)
#define CHESS_FILE_H   UINT64_C(0x8080808080808080)
#define CHESS_RANK_1   UINT64_C(0x00000000000000ff)
#define CHESS_RANK_8   UINT64_C(0xff00000000000000)
#define CHESS_DIAGONAL UINT64_C(0x8040201008040201) /* a1-h8 */
#define CHESS_LOWER    UINT64_C(0x80c0e0f0f8fcfeff) /* a1-h8 and all squares below it */

static inline uint64_t chess_bit(unsigned square)
{
	return UINT64_C(1) << square;
}

static inline unsigned chess_file(unsigned square)
{
	return square & 7;
}

static inline unsigned chess_rank(unsigned square)
{
	return square >> 3;
}

/* The lowest square of a non-empty set. */
static inline unsigned chess_first(uint64_t set)
{
	return (unsigned)__builtin_ctzll(set);
}

/* Removes the lowest square from a non-empty set. */
static inline unsigned chess_pop(uint64_t *set)
{
	unsigned square = chess_first(*set);
	*set &= *set - 1;
	return square;
}

static inline unsigned chess_count(uint64_t set)
{
	return (unsigned)__builtin_popcountll(set);
}

/* ---- symmetries, of sets and of squares ---- */

static inline uint64_t chess_flip_ranks(uint64_t set)
{
	return __builtin_bswap64(set);
}

static inline uint64_t chess_mirror_files(uint64_t set)
{
	set = (set >> 1 & UINT64_C(0x5555555555555555)) | (set & UINT64_C(0x5555555555555555)) << 1;
	set = (set >> 2 & UINT64_C(0x3333333333333333)) | (set & UINT64_C(0x3333333333333333)) << 2;
	return (set >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (set & UINT64_C(0x0f0f0f0f0f0f0f0f))
	                                                           << 4;
}

/* Reflects a set in the a1-h8 diagonal by swapping blocks of 4, then 2, then 1 squares. */
static inline uint64_t chess_transpose(uint64_t set)
{
	uint64_t swap = (set ^ set << 28) & UINT64_C(0x0f0f0f0f00000000);
	set ^= swap ^ swap >> 28;
	swap = (set ^ set << 14) & UINT64_C(0x3333000033330000);
	set ^= swap ^ swap >> 14;
	swap = (set ^ set << 7) & UINT64_C(0x5500550055005500);
	return set ^ swap ^ swap >> 7;
}

static inline unsigned chess_transpose_square(unsigned square)
{
	return chess_file(square) << 3 | chess_rank(square);
}

/* A symmetry flips bits of a square, then optionally swaps file and rank. It is on the hot path of
   a probe, so it is written to compile without branches. */
enum {
	CHESS_MIRROR = 7,     /* files */
	CHESS_FLIP = 56,      /* ranks; with it, colours */
	CHESS_TRANSPOSE = 64, /* in the a1-h8 diagonal, after these two */
	CHESS_SYMMETRIES = CHESS_TRANSPOSE + 64,
};

/* The symmetries numbered 0 to 7: 1 for the files, 2 for the ranks, 4 for the diagonal. */
static inline unsigned chess_symmetry_of(unsigned number)
{
	return (number & 1) * CHESS_MIRROR | (number >> 1 & 1) * CHESS_FLIP |
	       (number >> 2) * CHESS_TRANSPOSE;
}

static inline unsigned chess_symmetric(unsigned symmetry, unsigned square)
{
	square ^= symmetry & (CHESS_FLIP | CHESS_MIRROR);
	return symmetry & CHESS_TRANSPOSE ? chess_transpose_square(square) : square;
}

static inline uint64_t chess_symmetric_set(unsigned symmetry, uint64_t set)
{
	uint64_t image = 0;
	while (set)
		image |= chess_bit(chess_symmetric(symmetry, chess_pop(&set)));
	return image;
}

/* The inverse. */
static inline uint64_t chess_seen_through(unsigned symmetry, uint64_t image)
{
	image = symmetry & CHESS_TRANSPOSE ? chess_transpose(image) : image;
	image = symmetry & CHESS_FLIP ? chess_flip_ranks(image) : image;
	return symmetry & CHESS_MIRROR ? chess_mirror_files(image) : image;
}

/* ---- attacks ---- */

/* The squares one step to either side of each square of a set. */
static inline uint64_t chess_sideways(uint64_t set)
{
	return (set & ~CHESS_FILE_A) >> 1 | (set & ~CHESS_FILE_H) << 1;
}

static inline uint64_t chess_king_attacks(unsigned square)
{
	uint64_t at = chess_bit(square);
	uint64_t row = at | chess_sideways(at);
	return (row | row << 8 | row >> 8) & ~at;
}

static inline uint64_t chess_knight_attacks(unsigned square)
{
	uint64_t at = chess_bit(square);
	uint64_t one = chess_sideways(at);
	uint64_t two = chess_sideways(one) & ~at;
	return one << 16 | one >> 16 | two << 8 | two >> 8;
}

/* The squares that a pawn of `side` (enum el_side) attacks. */
static inline uint64_t chess_pawn_attacks(unsigned side, unsigned square)
{
	uint64_t row = chess_sideways(chess_bit(square));
	return side == EL_WHITE ? row << 8 : row >> 8;
}

/* The four lines through a square, including the square. */

static inline uint64_t chess_line_rank(unsigned square)
{
	return CHESS_RANK_1 << (square & 56);
}

static inline uint64_t chess_line_file(unsigned square)
{
	return CHESS_FILE_A << (square & 7);
}

/* Parallel to a1-h8. */
static inline uint64_t chess_line_rising(unsigned square)
{
	int up = (int)(square & 56) - 8 * (int)(square & 7);
	return up >= 0 ? CHESS_DIAGONAL << up : CHESS_DIAGONAL >> -up;
}

/* Parallel to a8-h1. */
static inline uint64_t chess_line_falling(unsigned square)
{
	int up = (int)(square & 56) + 8 * (int)(square & 7) - 56;
	const uint64_t line = UINT64_C(0x0102040810204080);
	return up >= 0 ? line << up : line >> -up;
}

/*
 * The squares of a line that a slider on `square` attacks, up to and including the first occupied
 * one in each direction: subtracting from the nearest blocker above borrows down to the nearest one
 * below ("obstruction difference", Gerd Isenberg, chessprogramming.org).
 */
static inline uint64_t chess_slide(uint64_t line, unsigned square, uint64_t occupied)
{
	uint64_t at = chess_bit(square);
	uint64_t others = line & ~at;
	uint64_t below = others & occupied & (at - 1);
	uint64_t above = others & occupied & ~(at - 1);
	uint64_t lowest = UINT64_C(1) << (63 - __builtin_clzll(below | 1));
	return others & (2 * (above & -above) - lowest);
}

static inline uint64_t chess_rook_attacks(unsigned square, uint64_t occupied)
{
	return chess_slide(chess_line_rank(square), square, occupied) |
	       chess_slide(chess_line_file(square), square, occupied);
}

static inline uint64_t chess_bishop_attacks(unsigned square, uint64_t occupied)
{
	return chess_slide(chess_line_rising(square), square, occupied) |
	       chess_slide(chess_line_falling(square), square, occupied);
}

/* For every kind except pawns, whose attacks depend on their side. */
static inline uint64_t chess_attacks(enum chess_kind kind, unsigned square, uint64_t occupied)
{
	switch (kind) {
	case CHESS_KING:
		return chess_king_attacks(square);
	case CHESS_QUEEN:
		return chess_rook_attacks(square, occupied) |
		       chess_bishop_attacks(square, occupied);
	case CHESS_ROOK:
		return chess_rook_attacks(square, occupied);
	case CHESS_BISHOP:
		return chess_bishop_attacks(square, occupied);
	case CHESS_KNIGHT:
		return chess_knight_attacks(square);
	default:
		return 0;
	}
}

/* The same for a piece of either side and any kind. */
static inline uint64_t chess_attacks_of(unsigned side, enum chess_kind kind, unsigned square,
                                        uint64_t occupied)
{
	return kind == CHESS_PAWN ? chess_pawn_attacks(side, square)
	                          : chess_attacks(kind, square, occupied);
}

/* The squares strictly between two squares of one line; empty if they share no line. */
uint64_t chess_between(unsigned a, unsigned b);

/* ---- whole positions ---- */

static inline uint64_t chess_side_set(const struct el_position *position, unsigned side)
{
	const uint64_t *set = position->set[side];
	return set[0] | set[1] | set[2] | set[3] | set[4] | set[5];
}

static inline uint64_t chess_occupied(const struct el_position *position)
{
	return chess_side_set(position, EL_WHITE) | chess_side_set(position, EL_BLACK);
}

/* The rooks of a side that still have the right to castle. */
static inline uint64_t chess_castling_rooks(const struct el_position *position, unsigned side)
{
	return side == EL_WHITE ? position->castling & CHESS_RANK_1
	                        : (uint64_t)(position->castling >> 8) << 56;
}

/* Does a piece of `side`, among those in `alive`, attack the square, given these occupied
   squares? */
bool chess_attacked(const struct el_position *position, unsigned side, uint64_t alive,
                    unsigned square, uint64_t occupied);

/* Members of el_chess. */
uint8_t chess_square_at(unsigned file, unsigned rank);
void chess_square_name(uint8_t square, char out[4]);
void chess_mirror(const struct el_position *position, struct el_position *out);
void chess_swap_colours(const struct el_position *position, struct el_position *out);

#endif
