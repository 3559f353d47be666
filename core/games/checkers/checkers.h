/* SPDX-License-Identifier: MIT */
/*
 * The draughts board as 32-bit sets of squares, seen by one side: its *own view*. Its men move from
 * low squares to high ones, in rows of four, and are crowned on squares 28 to 31:
 *
 *        28  29  30  31        row 7
 *          24  25  26  27      row 6
 *             ...
 *         4   5   6   7        row 1
 *           0   1   2   3      row 0
 *
 * Black sees the square numbered s + 1 as s, White as 31 - s, so each view is the other turned
 * round: reversing the bits of a set changes the view. All code for moves is written once, in the
 * view of the side that moves.
 */
#ifndef CORE_GAMES_CHECKERS_CHECKERS_H
#define CORE_GAMES_CHECKERS_CHECKERS_H

#include "core/games/game.h"

/* In the order of the letters "KM": indexes of el_position.set. */
enum checkers_kind { CHECKERS_KING, CHECKERS_MAN, CHECKERS_KINDS };

#ifndef CHECKERS_LARGEST
#define CHECKERS_LARGEST 8 /* pieces; tests/cli/ranks.sh compiles this folder with fewer */
#endif

enum {
	CHECKERS_SQUARES = 32,
	CHECKERS_SIDE_MAX = 12,                 /* pieces of a side */
	CHECKERS_PIECES_MAX = CHECKERS_LARGEST, /* in a slice */
	/* A jump changes row and column by two, so a piece can reach only 8 squares by jumps, which
	   9 jumps connect: two loops of four that share one, and two ends. */
	CHECKERS_JUMPS_MAX = 9,     /* in one move */
	CHECKERS_CAPTURES_MAX = 10, /* moves of one piece: found in test_checkers_moves.c */
};

#define CHECKERS_BOTTOM    UINT32_C(0x0000000f) /* row 0: the opponent's men are crowned here */
#define CHECKERS_TOP       UINT32_C(0xf0000000) /* row 7: one's own men are */
#define CHECKERS_EVEN_ROWS UINT32_C(0x0f0f0f0f)
#define CHECKERS_ODD_ROWS  UINT32_C(0xf0f0f0f0)
/* Edge squares without neighbours to the left, or to the right. */
#define CHECKERS_LEFT_EDGE  UINT32_C(0x10101010)
#define CHECKERS_RIGHT_EDGE UINT32_C(0x08080808)

/* Men move in the first two. A direction and its opposite add up to 3. */
enum checkers_direction {
	CHECKERS_UP_LEFT,
	CHECKERS_UP_RIGHT,
	CHECKERS_DOWN_LEFT,
	CHECKERS_DOWN_RIGHT,
	CHECKERS_DIRECTIONS,
	CHECKERS_MAN_DIRECTIONS = CHECKERS_DOWN_LEFT,
};

static inline uint32_t checkers_bit(unsigned square)
{
	return UINT32_C(1) << square;
}

/* The lowest square of a non-empty set. */
static inline unsigned checkers_first(uint32_t set)
{
	return (unsigned)__builtin_ctz(set);
}

/* Removes the lowest square from a non-empty set. */
static inline unsigned checkers_pop(uint32_t *set)
{
	const unsigned square = checkers_first(*set);
	*set &= *set - 1;
	return square;
}

static inline unsigned checkers_count(uint32_t set)
{
	return (unsigned)__builtin_popcount(set);
}

/* ---- steps of whole sets; what would leave the board is dropped ---- */

static inline uint32_t checkers_shift(uint32_t set, enum checkers_direction direction)
{
	const uint32_t even = set & CHECKERS_EVEN_ROWS, odd = set & CHECKERS_ODD_ROWS;
	switch (direction) {
	case CHECKERS_UP_LEFT:
		return even << 4 | (odd & ~CHECKERS_LEFT_EDGE) << 3;
	case CHECKERS_UP_RIGHT:
		return (even & ~CHECKERS_RIGHT_EDGE) << 5 | odd << 4;
	case CHECKERS_DOWN_LEFT:
		return even >> 4 | (odd & ~CHECKERS_LEFT_EDGE) >> 5;
	case CHECKERS_DOWN_RIGHT:
		return (even & ~CHECKERS_RIGHT_EDGE) >> 3 | odd >> 4;
	default:
		return 0;
	}
}

static inline enum checkers_direction checkers_opposite(enum checkers_direction direction)
{
	return (enum checkers_direction)(3 - direction);
}

/* The square one step away, or EL_NO_SQUARE. */
static inline uint8_t checkers_step(unsigned square, enum checkers_direction direction)
{
	const uint32_t to = checkers_shift(checkers_bit(square), direction);
	return (uint8_t)(to ? checkers_first(to) : EL_NO_SQUARE);
}

/* The square a jump lands on, two steps away, or EL_NO_SQUARE. */
static inline uint8_t checkers_jump(unsigned square, enum checkers_direction direction)
{
	const uint32_t over = checkers_shift(checkers_bit(square), direction);
	const uint32_t to = checkers_shift(over, direction);
	return (uint8_t)(to ? checkers_first(to) : EL_NO_SQUARE);
}

/* ---- views ---- */

/* The same squares in the other side's view. */
static inline uint32_t checkers_turn(uint32_t set)
{
	set = (set >> 1 & UINT32_C(0x55555555)) | (set & UINT32_C(0x55555555)) << 1;
	set = (set >> 2 & UINT32_C(0x33333333)) | (set & UINT32_C(0x33333333)) << 2;
	set = (set >> 4 & UINT32_C(0x0f0f0f0f)) | (set & UINT32_C(0x0f0f0f0f)) << 4;
	return __builtin_bswap32(set);
}

/* Converts a set of el_position to the view of `side`, or back: it is its own inverse. */
static inline uint32_t checkers_seen(uint32_t set, unsigned side)
{
	return side == EL_WHITE ? checkers_turn(set) : set;
}

static inline uint8_t checkers_seen_square(unsigned square, unsigned side)
{
	return (uint8_t)(side == EL_WHITE ? CHECKERS_SQUARES - 1 - square : square);
}

/* The pieces in the view of one side. */
struct checkers_board {
	uint32_t men[2], kings[2]; /* [0]: of the viewing side */
};

static inline struct checkers_board checkers_board_of(const struct el_position *position,
                                                      unsigned side)
{
	const uint64_t *own = position->set[side], *their = position->set[!side];
	return (struct checkers_board){
		.men = {checkers_seen((uint32_t)own[CHECKERS_MAN], side),
	                checkers_seen((uint32_t)their[CHECKERS_MAN], side)},
		.kings = {checkers_seen((uint32_t)own[CHECKERS_KING], side),
	                  checkers_seen((uint32_t)their[CHECKERS_KING], side)},
	};
}

/* The same, seen by the other side. */
static inline struct checkers_board checkers_swap(const struct checkers_board *board)
{
	return (struct checkers_board){
		.men = {checkers_turn(board->men[1]), checkers_turn(board->men[0])},
		.kings = {checkers_turn(board->kings[1]), checkers_turn(board->kings[0])},
	};
}

static inline uint32_t checkers_theirs(const struct checkers_board *board)
{
	return board->men[1] | board->kings[1];
}

static inline uint32_t checkers_empty(const struct checkers_board *board)
{
	return ~(board->men[0] | board->kings[0] | checkers_theirs(board));
}

/* ---- members of el_checkers, and helpers behind them ---- */

/* checkers.c */
uint8_t checkers_square_at(unsigned file, unsigned rank);
void checkers_square_name(uint8_t square, char out[4]);

/* moves.c */
/* One complete capturing route of a piece, in the view of the side that moves. */
struct checkers_route {
	bool king;
	uint8_t count; /* of squares, the first one included */
	uint8_t square[CHECKERS_JUMPS_MAX + 1];
	uint32_t captured;
};

/* Calls `found` for every route; the route is valid during the call. */
void checkers_routes(const struct checkers_board *,
                     void (*found)(void *context, const struct checkers_route *), void *context);

enum el_status checkers_check(const struct el_position *, struct el_error *);
bool checkers_legal(const struct el_position *, const struct el_place *);
size_t checkers_moves(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
size_t checkers_captures(const struct el_position *, struct el_move out[EL_MOVES_MAX]);
void checkers_play(const struct el_position *, const struct el_move *, struct el_position *out);

/* fen.c */
bool checkers_looks_like(const char *fen);
enum el_status checkers_parse(const char *fen, struct el_position *out, struct el_error *);
void checkers_format(const struct el_position *, char out[EL_FEN_MAX]);

/* notation.c */
void checkers_write_move(const struct el_position *, const struct el_move *, enum el_notation,
                         char out[EL_MOVE_MAX]);
enum el_status checkers_read_move(const struct el_position *, const char *text, struct el_move *out,
                                  struct el_error *);

/* sets.c */
struct el_measure checkers_measure(const struct el_slice *);
enum el_status checkers_divide(const struct el_problem *, struct el_division **, struct el_error *);

/* best.c */
enum el_status checkers_best(const struct el_best_problem *, struct el_best **, struct el_error *);

#endif
