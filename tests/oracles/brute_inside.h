/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of the brute-force solver share: brute_rules.c (boards and moves), brute_slices.c
 * (materials and where conversions lead), brute.c (the solution and its answers).
 */
#ifndef TESTS_ORACLES_BRUTE_INSIDE_H
#define TESTS_ORACLES_BRUTE_INSIDE_H

#include "brute.h"

/*
 * A state is a number: from the top, one bit for a right to capture en passant (only where both
 * sides have a pawn), one bit for the side to move, then six bits a piece: its square, a1 = 0,
 * h8 = 63, the white king first. The white king is kept on files a-d, and without pawns on ranks
 * 1-4, by mirroring the whole board: no square lies on those mirrors, so images never coincide.
 */
enum { KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN, NO_PIECE = -1 };
enum { PIECES = 4, TABLES = 64, MOVES = 128 };

/* What `value` says of a state: DECIDED + plies, odd ones being wins and even ones losses, or
   OPEN + the number of legal moves not known to lose, which at the end means a draw. */
enum { ILLEGAL, DECIDED, OPEN = 1024, STALEMATE = OPEN + 255 };

/* Where a move that changes the material goes: piece i there is piece from[i] here. */
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
	uint8_t shift[PIECES]; /* where a piece's square is in a state */
	uint32_t ones;         /* the lowest bit of every square */
	uint32_t side_bit, right_bit;
	uint32_t states;
	uint16_t *value;
	int8_t step[16][64]; /* by direction: the next square, or -1 beyond the edge */
	/* By the piece that is taken (PIECES: none), the one that moves and what it becomes. */
	struct way_out out[PIECES + 1][PIECES][PAWN + 1];
};

struct brute {
	struct brute_table *table[TABLES];
	unsigned tables;
};

struct board {
	uint32_t state; /* that it shows */
	int8_t at[64];  /* the piece on a square, or NO_PIECE */
	uint8_t square[PIECES];
	uint8_t side;
	bool en_passant;
};

struct move {
	uint8_t piece, to, becomes;
	int8_t taken; /* the piece that is captured, or NO_PIECE */
	bool stays;   /* the material is the same afterwards */
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

/* How the pieces other than pawns go: the first direction, the end of them, again and again. */
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

/* Ends the program when the condition does not hold. */
void brute_need(bool condition, const char *what);

/* ---- brute_rules.c ---- */

/* Mirrors the files of the whole board, and the ranks, where the white king asks for it. */
uint32_t brute_canonical(const struct brute_table *, uint32_t state);
uint32_t brute_state_of(const struct brute_table *, const uint8_t square[PIECES], unsigned side,
                        bool en_passant);
/* The state with one piece elsewhere and the other side to move, no right to capture en passant. */
uint32_t brute_state_with(const struct brute_table *, const struct board *, unsigned piece,
                          int square);
/* False when two pieces share a square or a pawn stands where none can; the board is then void. */
bool brute_set_up(const struct brute_table *, uint32_t state, struct board *);
bool brute_king_attacked(const struct brute_table *, const struct board *, int side);
/* The square behind a pawn that could be captured en passant by some pawn of `side`, or -1: the
   other side's pawn stands where a double step ends, over two empty squares, beside that pawn. */
int brute_passed_square(const struct brute_table *, const struct board *, int side);
bool brute_legal(const struct brute_table *, const struct board *);
/* All moves of the side to move; a king may be left in check. */
void brute_moves(const struct brute_table *, const struct board *, struct list *);
/* The state after a move, in the table that it leads to. */
struct place brute_after(const struct brute_table *, const struct board *, const struct move *);
/* The value that the solution has by now for the position after a move; ILLEGAL when the king is
   left in check. */
uint16_t brute_value_after(const struct brute_table *, const struct board *, const struct move *);

/* ---- brute.c ---- */

/* The table and the state of a position; false when it is not legal or its slice was not solved. */
bool brute_find(const struct brute *, const struct el_position *, struct place *);

/* ---- brute_slices.c ---- */

/* "KQvKR" of counts by side; the side with more or stronger pieces first, which *swapped tells. */
void brute_name(unsigned count[2][PAWN + 1], char name[16], bool *swapped);
/* An unsolved table and all that its conversions lead to, where they are not there yet. */
const struct brute_table *brute_add_table(struct brute *, const char *name);

#endif
