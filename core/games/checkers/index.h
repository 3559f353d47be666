/* SPDX-License-Identifier: MIT */
/*
 * The index of a draughts position in its slice. It has no gaps: every index is a legal position.
 *
 * With White as the first-named side and all sets in White's view (board.h), groups of like pieces
 * follow, slowest first, each numbered on the squares that earlier groups leave free:
 *
 *     white men     square 0 to 27, ordered by how many, k, stand in the bottom row, then by the
 *                   rank of these among 4 squares, then by that of the others among 24
 *     black men     the 28 squares above the bottom row, less the white men on them: 28 - men + k
 *     white kings   the squares without men
 *     black kings   what is left
 *
 * Ranks are those of the combinatorial number system (choose.h). Black men cannot stand in the
 * bottom row, so k determines how many squares they have, and for each k the index is a plain
 * mixed-radix number.
 *
 * Its digits are the ranks of the four groups, each on a board of its own.
 */
#ifndef CORE_GAMES_CHECKERS_INDEX_H
#define CORE_GAMES_CHECKERS_INDEX_H

#include "board.h"
#include "core/games/choose.h"
#include "core/games/slice.h"
#include "core/games/squeeze.h"

enum {
	CHECKERS_BOTTOM_SQUARES = 4,
	CHECKERS_MAN_SQUARES = 28,
};

/* How many pieces of each kind a slice has, and derived numbers. [0] is the first-named side. */
struct checkers_shape {
	unsigned men[2], kings[2];
	unsigned most; /* the greatest k: white men that fit in the bottom row */
	/* By k, up to `most`: placements of all men with fewer white men in the bottom row, of the
	   white men above it, and of the black men. */
	uint64_t base[CHECKERS_BOTTOM_SQUARES + 1];
	uint32_t rest[CHECKERS_BOTTOM_SQUARES + 1];
	uint32_t black[CHECKERS_BOTTOM_SQUARES + 1];
	uint32_t king[2];   /* placements of each side's kings */
	uint64_t positions; /* indexes of a plane */
};

struct checkers_shape checkers_shape(const struct el_slice *slice);

/*
 * A side's material as one number: how many pieces, then how many kings. The side with the greater
 * number is the stronger one and is named first; the two numbers together are the slice's key.
 */
static inline uint32_t checkers_strength(unsigned kings, unsigned men)
{
	return (uint32_t)(kings + men) << 8 | kings;
}

/* The number of pieces of a slice, from its key. */
static inline unsigned checkers_key_pieces(uint64_t key)
{
	return (unsigned)(key >> 40) + ((uint32_t)key >> 8);
}

/* The slice of that material, with the sides in any order: each has a piece, at most
   CHECKERS_PIECES_MAX in all. */
struct el_slice checkers_slice(const struct el_game *, const uint8_t (*count)[EL_KINDS]);

/* ---- the index ---- */

/* The placements of men numbered alone. */
static inline uint64_t checkers_men_index(const struct checkers_shape *shape, uint32_t white_men,
                                          uint32_t black_men)
{
	const unsigned k = checkers_count(white_men & CHECKERS_BOTTOM);
	uint64_t index = choose_rank(white_men & CHECKERS_BOTTOM);
	index = index * shape->rest[k] + choose_rank(white_men >> CHECKERS_BOTTOM_SQUARES);
	index = index * shape->black[k] +
	        choose_rank(squeeze(black_men, white_men | CHECKERS_BOTTOM));
	return index + shape->base[k];
}

static inline uint64_t checkers_index(const struct checkers_shape *shape, uint32_t white_men,
                                      uint32_t black_men, uint32_t white_kings,
                                      uint32_t black_kings)
{
	const uint32_t men = white_men | black_men;
	uint64_t index = checkers_men_index(shape, white_men, black_men);
	index = index * shape->king[0] + choose_rank(squeeze(white_kings, men));
	return index * shape->king[1] + choose_rank(squeeze(black_kings, men | white_kings));
}

/* The inverse, in White's view; `index` is below shape->positions. */
struct checkers_board checkers_unindex(const struct checkers_shape *shape, uint64_t index);

/* ---- members of el_checkers ---- */

bool checkers_place(const struct el_position *position, struct el_place *out);
bool checkers_unplace(const struct el_slice *slice, unsigned plane, uint64_t index,
                      struct el_position *out);
void checkers_digits(const struct el_slice *slice, struct el_digits *out);
void checkers_take_apart(const struct el_slice *slice, uint64_t index,
                         uint32_t digit[EL_DIGITS_MAX]);
void checkers_stand(const struct el_slice *slice, unsigned digit, uint32_t value, uint8_t *square);
uint8_t checkers_stands_on(uint8_t square);
unsigned checkers_leading_rank(const struct el_position *position, unsigned side);

/* ---- marks.c ---- */

unsigned checkers_marks(const struct el_slice *slice);
void checkers_look(const struct el_slice *slice, unsigned plane, const uint8_t *square,
                   unsigned moving, uint64_t *word);

/* ---- index_steps.c ---- */

size_t checkers_index_steps(const struct el_slice *slice, uint64_t index,
                            struct el_index_step out[EL_INDEX_STEPS_MAX]);
unsigned checkers_symmetry(const struct el_position *position);

#endif
