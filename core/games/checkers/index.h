/* SPDX-License-Identifier: MIT */
/*
 * The index of a draughts position in its slice. It has no gaps: every index is a legal position.
 *
 * With White as the first-named side and all sets in White's view (checkers.h), groups of like pieces
 * follow, slowest first, each numbered on the squares that earlier groups leave free:
 *
 *     white men     by how many of them, a, b and c, stand in the three areas below, fewer in the
 *                   first one first, then fewer in the second; then by their ranks in each
 *     black men     the squares of their rows, less the white men on them
 *     white kings   the squares without men
 *     black kings   what is left
 *
 * Ranks are those of the combinatorial number system (choose.h). Black men cannot stand in the
 * bottom row: that is the first area, the six rows above it are the third, and the second is empty.
 * So a determines how many squares black men have, 28 - men + a.
 *
 * Slices of CHECKERS_CUT pieces and more are cut by leading rank: the rank of each side's foremost
 * man, from 1 at its own back rank to 7 (J. Schaeffer and others, "Building the checkers 10-piece
 * endgame databases", 2003). Then a row that black men reach holds one at least; it is the second
 * area, and the rows below and above it, as far as white men have come, are the first and third.
 * A side's men are ranked in its own view there: a set with a man in the leading row ranks above all
 * sets without, whose number is subtracted.
 *
 * For each a, b, c the index is a plain mixed-radix number. Its digits are the ranks of the four
 * groups, each on a board of its own.
 */
#ifndef CORE_GAMES_CHECKERS_INDEX_H
#define CORE_GAMES_CHECKERS_INDEX_H

#include "checkers.h"
#include "core/games/choose.h"
#include "core/games/slice.h"
#include "core/games/squeeze.h"

enum {
	CHECKERS_BOTTOM_SQUARES = 4,
	CHECKERS_MAN_SQUARES = 28,
	CHECKERS_ROW_SQUARES = 4,
	CHECKERS_CUT = CHECKERS_PIECES_MAX, /* slices of so many pieces are cut by leading rank */
	CHECKERS_LEAD_MAX = 7,              /* the highest leading rank */
	CHECKERS_AREAS = 3,
	CHECKERS_CLASSES_MAX = 36, /* ways to spread men over areas */
};

/* The placements of men with so many white men in each area. */
struct checkers_class {
	uint8_t men[CHECKERS_AREAS];
	/* placements of all men in the classes before, and of the white men */
	uint64_t base;
	uint32_t white_base;
	/* placements of the white men in each area, and the first one's rank */
	uint32_t count[CHECKERS_AREAS], low[CHECKERS_AREAS];
	/* placements of the black men, and the first one's rank */
	uint32_t black, black_low;
};

/* How many pieces of each kind a slice has, and derived numbers. [0] is the first-named side. */
struct checkers_shape {
	unsigned men[2], kings[2];
	unsigned lead[2];               /* leading ranks; 0: not cut, or no men */
	uint32_t area[CHECKERS_AREAS];  /* in White's view, as everything below */
	unsigned first[CHECKERS_AREAS]; /* an area's lowest square */
	uint32_t closed;                /* to black men */
	/* by side, in its own view: squares on which a quiet move of a man leaves the slice */
	uint32_t exit[2];
	unsigned classes;
	struct checkers_class class[CHECKERS_CLASSES_MAX];
	/* by men in the first and in the second area */
	uint8_t class_of[CHECKERS_PIECES_MAX][CHECKERS_ROW_SQUARES + 1];
	uint32_t king[2];   /* placements of each side's kings */
	uint64_t positions; /* indexes of a plane */
};

struct checkers_shape checkers_shape(const struct el_slice *slice);

/* What a quiet move of a man leads to if it leaves the slice: the leading ranks of its side, and whether
   the man is crowned. 0 to 0 if the slice is not cut by that rank, or no man is left. */
struct checkers_leads {
	unsigned first, last;
	bool crowned;
};

struct checkers_leads checkers_next_leads(const struct checkers_shape *shape, unsigned side);

/* The leading rank of men in their own view: 1 to 7; 0 if there are none. */
static inline unsigned checkers_lead(uint32_t men)
{
	return men ? (31 - (unsigned)__builtin_clz(men)) / CHECKERS_ROW_SQUARES + 1 : 0;
}

/* The lowest leading rank of so many men; 0 if there are none. */
static inline unsigned checkers_lowest_lead(unsigned men)
{
	return (men + CHECKERS_ROW_SQUARES - 1) / CHECKERS_ROW_SQUARES;
}

/*
 * A side's material as one number: how many pieces, then how many kings, then the leading rank. The
 * side with the greater number is the stronger one and is named first; the two numbers together are
 * the slice's key.
 */
static inline uint32_t checkers_strength(unsigned kings, unsigned men, unsigned lead)
{
	return (uint32_t)(kings + men) << 16 | kings << 8 | lead;
}

/* The number of pieces of a slice, from its key. */
static inline unsigned checkers_key_pieces(uint64_t key)
{
	return (unsigned)(key >> 48) + ((uint32_t)key >> 16);
}

/* The slice of that material, with the sides in any order: each has a piece, at most
   CHECKERS_PIECES_MAX in all. `lead`: leading ranks; all 0 if it is not cut. */
struct el_slice checkers_slice(const struct el_game *, const uint8_t (*count)[EL_KINDS],
                               const uint8_t lead[2]);

/* ---- the index ---- */

/* Black's men as they are ranked: without the squares where they cannot stand. */
static inline uint32_t checkers_black_men(const struct checkers_shape *shape, uint32_t white_men,
                                          uint32_t black_men)
{
	const uint32_t removed = white_men | shape->closed;
	return shape->lead[1] ? squeeze(checkers_turn(black_men), checkers_turn(removed))
	                      : squeeze(black_men, removed);
}

/* The inverse: these men in White's view. */
static inline uint32_t checkers_black_spread(const struct checkers_shape *shape, uint32_t white_men,
                                             uint32_t ranked)
{
	const uint32_t removed = white_men | shape->closed;
	return shape->lead[1] ? checkers_turn(spread(ranked, checkers_turn(removed)))
	                      : spread(ranked, removed);
}

/* The class of a placement of the white men. */
static inline const struct checkers_class *checkers_class_of(const struct checkers_shape *shape,
                                                             uint32_t white_men)
{
	const unsigned a = checkers_count(white_men & shape->area[0]),
		       b = checkers_count(white_men & shape->area[1]);
	return &shape->class[shape->class_of[a][b]];
}

/* The number of a placement of the white men in its class. */
static inline uint64_t checkers_class_rank(const struct checkers_shape *shape,
                                           const struct checkers_class *c, uint32_t white_men)
{
	uint64_t rank = 0;
	for (unsigned i = 0; i < CHECKERS_AREAS; i++)
		rank = rank * c->count[i] - c->low[i] +
		       choose_rank((white_men & shape->area[i]) >> shape->first[i]);
	return rank;
}

/* The inverse, and the class of the white men's `rank` among the placements of all classes. */
uint32_t checkers_class_men(const struct checkers_shape *shape, const struct checkers_class *c,
                            uint64_t rank);
const struct checkers_class *checkers_class_at(const struct checkers_shape *shape, uint32_t rank);

/* The placements of men numbered alone. */
static inline uint64_t checkers_men_index(const struct checkers_shape *shape, uint32_t white_men,
                                          uint32_t black_men)
{
	const struct checkers_class *c = checkers_class_of(shape, white_men);
	return c->base + checkers_class_rank(shape, c, white_men) * c->black - c->black_low +
	       choose_rank(checkers_black_men(shape, white_men, black_men));
}

static inline uint64_t checkers_index(const struct checkers_shape *shape,
                                      const struct checkers_board *b)
{
	const uint32_t men = b->men[0] | b->men[1];
	uint64_t index = checkers_men_index(shape, b->men[0], b->men[1]);
	index = index * shape->king[0] + choose_rank(squeeze(b->kings[0], men));
	return index * shape->king[1] + choose_rank(squeeze(b->kings[1], men | b->kings[0]));
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

#endif
