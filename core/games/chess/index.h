/* SPDX-License-Identifier: MIT */
/*
 * The index of a chess position in its slice: a number in a mixed radix.
 *
 *     index = ((kings * radix[0] + rank[0]) * radix[1] + rank[1]) ...
 *
 * `kings` is the class of the two kings under the symmetries of the board: 462 without pawns
 * (White's king in the triangle a1-d1-d4, Black's on or below the a1-h8 diagonal if White's is on
 * it), 1,806 with pawns (White's king on the a- to d-files). Then come the groups of like pieces,
 * White's first, each side's in the order QRBNP, ranked in the combinatorial number system
 * (choose.h); a pawn's squares are numbered from a2.
 *
 * Groups ignore each other's squares, so an index that puts two pieces on one square is broken. So
 * is the greater index of a placement that has two: without pawns and with both kings on the
 * diagonal, a placement and its reflection share the smaller index.
 *
 * Its digits are White's king among its squares in representatives, the ranks of White's groups,
 * the square of Black's king, and the ranks of Black's groups.
 *
 * Positions with castling rights have an index of their own (index_castling.c): first by the rights, which
 * say where kings and rooks stand, then the squares of the kings and the groups that are left, each
 * side's from king to pawns. It has no digits, and no symmetry but that of the colours.
 */
#ifndef CORE_GAMES_CHESS_INDEX_H
#define CORE_GAMES_CHESS_INDEX_H

#include "board.h"
#include "core/games/choose.h"
#include "core/games/slice.h"

enum {
	CHESS_LIKE_MAX = CHESS_PIECES_MAX - 2, /* like pieces in a slice: all but the kings */
	CHESS_GROUPS_MAX = CHESS_LIKE_MAX,
	CHESS_KINGS_PAWNLESS = 462,
	CHESS_KINGS_PAWNS = 1806,
};

/* `count` like pieces. */
struct chess_group {
	uint8_t side, kind, count;
	uint8_t first;  /* the square numbered 0: a1, or a2 for pawns */
	uint32_t radix; /* placements of the group by itself */
};

/* The groups of a slice in the order of its index. */
struct chess_groups {
	bool pawns;     /* there are pawns: the board has one symmetry, else seven */
	unsigned kings; /* classes of kings: the slowest radix */
	unsigned count; /* of groups */
	struct chess_group group[CHESS_GROUPS_MAX];
};

struct chess_groups chess_groups(const struct el_slice *slice);

/*
 * A side's material as one number: how many pieces, then how many of each kind from the queen down,
 * four bits each. The side with the greater number is the stronger one and is named first; the two
 * numbers together are the slice's key.
 */
static inline uint32_t chess_strength(const uint8_t count[EL_KINDS])
{
	uint32_t pieces = 0, kinds = 0;
	for (unsigned kind = CHESS_KING; kind < CHESS_KINDS; kind++)
		pieces += count[kind];
	for (unsigned kind = CHESS_QUEEN; kind < CHESS_KINDS; kind++)
		kinds = kinds << 4 | count[kind];
	return pieces << 20 | kinds;
}

/* The end of the names of slices with castling rights: "KRvK+castling". */
#define CHESS_CASTLING_SUFFIX "+castling"
/* el_game.rights: above the number of pieces of the side named second. */
#define CHESS_RIGHTS (UINT64_C(1) << 31)

/* The number of pieces of a slice, from its key. */
static inline unsigned chess_key_pieces(uint64_t key)
{
	return (unsigned)(key >> 52) + ((uint32_t)(key & ~CHESS_RIGHTS) >> 20);
}

/* The slice of that material, with the sides in any order: one king each and at least one other
   piece, at most CHESS_PIECES_MAX in all. */
struct el_slice chess_slice(const struct el_game *, const uint8_t (*count)[EL_KINDS]);
/* The slice of the positions with castling rights of a slice that has rooks. */
struct el_slice chess_castling_slice(const struct el_slice *);

/* The rank of a set of squares, numbered from `first`, among sets of the same size. */
static inline uint32_t chess_rank_set(uint64_t set, unsigned first)
{
	return choose_rank(set >> first);
}

/* The inverse, for sets of `count` squares. */
static inline uint64_t chess_unrank_set(uint32_t rank, unsigned count, unsigned first)
{
	return choose_unrank(rank, count) << first;
}

/* The class of two kings, or -1 if they are adjacent, on one square, or not the representative of
   their class. Classes are numbered by White's square, then by Black's. */
int chess_king_class(bool pawns, unsigned white, unsigned black);
/* The inverse; `class` is below CHESS_KINGS_PAWNLESS or CHESS_KINGS_PAWNS. */
void chess_king_squares(bool pawns, unsigned class, uint8_t *white, uint8_t *black);

/* How a class is numbered: White's king among its squares in representatives, the number of classes
   with it on an earlier one, and Black's king among its squares in that case. */
struct chess_king_numbers {
	uint8_t white, black;
	uint16_t first;
};
struct chess_king_numbers chess_king_numbers(bool pawns, unsigned class);

/* The symmetry (board.h) that maps two kings to the representative of their class. The destination
   of White's king does not depend on Black's; with both on one square, the answer is for White's
   alone. */
unsigned chess_king_symmetry(bool pawns, unsigned white, unsigned black);
/* Do two numberings of the other pieces exist for these representatives? True without pawns if both
   kings stand on the a1-h8 diagonal: a reflection then leaves them in place. */
bool chess_kings_twofold(bool pawns, unsigned white, unsigned black);

/* Does the symmetry map a position to the image? */
bool chess_is_image(const struct el_position *position, unsigned symmetry,
                    const struct el_position *image);

/* Members of el_chess. */
bool chess_place(const struct el_position *position, struct el_place *out);
bool chess_twofold(const struct el_slice *, uint64_t index);
bool chess_unplace(const struct el_slice *slice, unsigned plane, uint64_t index,
                   struct el_position *out);
void chess_digits(const struct el_slice *slice, struct el_digits *out);
void chess_take_apart(const struct el_slice *slice, uint64_t index, uint32_t digit[EL_DIGITS_MAX]);
void chess_stand(const struct el_slice *slice, unsigned digit, uint32_t value, uint8_t *square);
unsigned chess_orbit(const struct el_position *position);

/* ---- index_castling.c ---- */

uint16_t chess_castling(const struct el_position *);

/* The positions of a slice with castling rights, or of what would be one. */
uint64_t chess_castling_positions(const struct el_slice *);
/* The index of a position with rights; `first`: the side that the slice names first. False if a right is one
   of Chess960. */
bool chess_castling_place(const struct el_position *, unsigned first, uint64_t *index);
/* Sets the pieces and rights of an index on an empty board; false if it is broken. */
bool chess_castling_set_up(const struct el_slice *, uint64_t index, struct el_position *out);

/* As chess_index_steps. */
size_t chess_castling_steps(const struct el_slice *, uint64_t index,
                            struct el_index_step out[EL_INDEX_STEPS_MAX]);

/* ---- marks.c ---- */

unsigned chess_marks(const struct el_slice *slice);
void chess_look(const struct el_slice *slice, unsigned plane, const uint8_t *square,
                unsigned moving, uint64_t *word);

#endif
