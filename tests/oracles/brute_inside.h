/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the parts of the brute-force solver: brute_rules.c (boards and moves), brute_slices.c
 * (materials and where conversions lead), brute.c (the solution and its answers).
 */
#ifndef TESTS_ORACLES_BRUTE_INSIDE_H
#define TESTS_ORACLES_BRUTE_INSIDE_H

#include "brute.h"

/*
 * A state is a number: from the top, one bit for a right to capture en passant (only if both sides
 * have a pawn), one bit for the side to move, then six bits for the square of each piece, a1 = 0,
 * h8 = 63, the white king first. Mirroring the whole board keeps the white king on files a-d and,
 * without pawns, on ranks 1-4. No square lies on those mirrors, so images never coincide.
 */
enum { KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN, NO_PIECE = -1 };
enum { PIECES = 4, TABLES = 64, MOVES = 128 };

/* The `value` of a state: DECIDED + plies, odd for wins and even for losses, or OPEN + the number
   of legal moves not known to lose, which means a draw at the end. */
enum { ILLEGAL, DECIDED, OPEN = 1024, STALEMATE = OPEN + 255 };

/* Where a move that changes the material leads: piece i there is piece from[i] here. */
struct way_out {
	const struct brute_table *to;
	uint8_t from[PIECES];
	bool swapped; /* the colours */
};

struct brute_table {
	char name[16];
	unsigned number; /* in struct brute */
	unsigned pieces, pawns;
	struct {
		uint8_t side, kind;
	} piece[PIECES]; /* king, others, king, others */
	bool en_passant;
	uint8_t shift[PIECES]; /* of a piece's square in a state */
	uint32_t ones;         /* the lowest bit of every square */
	uint32_t side_bit, right_bit;
	uint32_t states;
	uint16_t *value;
	int8_t step[16][64]; /* by direction: the next square, or -1 beyond the edge */
	/* By the piece captured (PIECES: none), the piece that moves, and the kind it becomes. */
	struct way_out out[PIECES + 1][PIECES][PAWN + 1];
};

struct brute {
	struct brute_table *table[TABLES];
	unsigned tables;
};

struct board {
	uint32_t state; /* the state that it shows */
	int8_t at[64];  /* the piece on a square, or NO_PIECE */
	uint8_t square[PIECES];
	uint8_t side;
	bool en_passant;
};

struct move {
	uint8_t piece, to, becomes;
	int8_t taken; /* the piece captured, or NO_PIECE */
	bool stays;   /* the material does not change */
};

struct list {
	struct move move[MOVES];
	unsigned count;
};

/* A state of some table. */
struct place {
	const struct brute_table *table;
	uint32_t state;
};

static inline int file_of(int square)
{
	return square & 7;
}

static inline int rank_of(int square)
{
	return square >> 3;
}

/* The square a step away, or -1 beyond the edge. */
static inline int step(int square, int files, int ranks)
{
	int file = file_of(square) + files, rank = rank_of(square) + ranks;
	return (file | rank) & ~7 ? -1 : rank * 8 + file;
}

/* How pieces other than pawns move: directions first .. end - 1, repeatedly if `slides`. */
struct going {
	uint8_t first, end;
	bool slides;
};

static const struct going goings[PAWN] = {
	[KING] = {0, 8, false},  [QUEEN] = {0, 8, true},    [ROOK] = {0, 4, true},
	[BISHOP] = {4, 8, true}, [KNIGHT] = {8, 16, false},
};

static inline int forward(int side)
{
	return side == EL_WHITE ? 1 : -1;
}

static inline int start_rank(int side)
{
	return side == EL_WHITE ? 1 : 6;
}

static inline bool is_decided(uint16_t value)
{
	return value >= DECIDED && value < OPEN;
}

static inline bool is_win(uint16_t value)
{
	return is_decided(value) && (value - DECIDED) % 2 == 1;
}

static inline bool is_loss(uint16_t value)
{
	return is_decided(value) && (value - DECIDED) % 2 == 0;
}

/* Ends the program if the condition is false. */
void brute_need(bool condition, const char *what);

/* ---- brute_rules.c ---- */

/* Mirrors the board's files, and ranks, as the white king's square requires. */
uint32_t brute_canonical(const struct brute_table *, uint32_t state);
uint32_t brute_state_of(const struct brute_table *, const uint8_t square[PIECES], unsigned side,
                        bool en_passant);
/* The state with one piece moved, the other side to move and no right to capture en passant. */
uint32_t brute_state_with(const struct brute_table *, const struct board *, unsigned piece,
                          int square);
/* False, with the board invalid, if two pieces share a square or a pawn is on an impossible one. */
bool brute_set_up(const struct brute_table *, uint32_t state, struct board *);
bool brute_king_attacked(const struct brute_table *, const struct board *, int side);
/* The square behind a pawn that a pawn of `side` could capture en passant, or -1: the pawn is where
   a double step ends, over two empty squares, beside a pawn of `side`. */
int brute_passed_square(const struct brute_table *, const struct board *, int side);
bool brute_legal(const struct brute_table *, const struct board *);
/* All pseudo-legal moves of the side to move: they may leave the king in check. */
void brute_moves(const struct brute_table *, const struct board *, struct list *);
/* The state after a move, in the table it leads to. */
struct place brute_after(const struct brute_table *, const struct board *, const struct move *);
/* The solution's current value of the position after a move; ILLEGAL if it leaves the king in
   check. */
uint16_t brute_value_after(const struct brute_table *, const struct board *, const struct move *);

/* ---- brute.c ---- */

/* The table and state of a position; false if it is not legal or its slice was not solved. */
bool brute_find(const struct brute *, const struct el_position *, struct place *);

/* ---- brute_slices.c ---- */

/* "KQvKR" from counts by side, the stronger side first; *swapped if that is the second one. */
void brute_name(unsigned count[2][PAWN + 1], char name[16], bool *swapped);
/* Adds an unsolved table, and all that its conversions lead to, if missing. */
const struct brute_table *brute_add_table(struct brute *, const char *name);

#endif
