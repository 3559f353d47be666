/* SPDX-License-Identifier: MIT */
/*
 * The board of Nine Men's Morris as 24-bit sets of points: three rings of eight places, outer ring
 * first, clockwise from the upper left corner. Point 8 * ring + place:
 *
 *      0 ------------ 1 ------------ 2
 *      |    8 ------- 9 ------ 10    |
 *      |    |   16 - 17 - 18    |    |
 *      7 - 15 - 23        19 - 11 -- 3
 *      |    |   22 - 21 - 20    |    |
 *      |   14 ------ 13 ------ 12    |
 *      6 ------------ 5 ------------ 4
 *
 * A ring is a byte, so an operation on one ring works on all three at once. The rules are those of
 * R. Gasser, "Solving Nine Men's Morris" (Games of No Chance, 1996).
 */
#ifndef CORE_GAMES_MORRIS_BOARD_H
#define CORE_GAMES_MORRIS_BOARD_H

#include "core/games/game.h"

enum {
	MORRIS_POINTS = 24,
	MORRIS_PLACES = 8,  /* in a ring */
	MORRIS_LINE = 3,    /* points in a line: a mill */
	MORRIS_MEN_MIN = 3, /* a side with fewer has lost; a side with exactly so many flies */
	MORRIS_MEN_MAX = 9,
	MORRIS_SYMMETRIES = 16,
};

#define MORRIS_BOARD   UINT32_C(0xffffff)
#define MORRIS_RINGS   UINT32_C(0x010101) /* the first place of each */
#define MORRIS_CORNERS UINT32_C(0x555555)

/* the neighbours of a point, along the lines */
extern const uint32_t morris_near[MORRIS_POINTS];
extern const uint32_t morris_lines[MORRIS_POINTS][2]; /* the two lines of three points through it */

static inline uint32_t morris_bit(unsigned point)
{
	return UINT32_C(1) << point;
}

/* Removes the lowest point from a non-empty set. */
static inline unsigned morris_pop(uint32_t *set)
{
	const unsigned point = (unsigned)__builtin_ctz(*set);
	*set &= *set - 1;
	return point;
}

static inline unsigned morris_count(uint32_t set)
{
	return (unsigned)__builtin_popcount(set);
}

/* Men are placed in turn: may this side be to move if the sides have so many in hand? */
static inline bool morris_in_turn(const unsigned hand[2], unsigned side)
{
	return hand[side] == hand[!side] || hand[side] == hand[!side] + 1;
}

/* ---- mills ---- */

/* Is the man on a point in a mill of these? */
static inline bool morris_closes(uint32_t men, unsigned point)
{
	const uint32_t *line = morris_lines[point];
	return (men & line[0]) == line[0] || (men & line[1]) == line[1];
}

/* Turns every ring clockwise by so many places, 0 to 7. */
static inline uint32_t morris_rotate(uint32_t set, unsigned places)
{
	const uint32_t low = MORRIS_RINGS * (0xffu >> places); /* these stay in their byte */
	return (set & low) << places | (set & ~low & MORRIS_BOARD) >> (MORRIS_PLACES - places);
}

/* The men that are in mills. */
static inline uint32_t morris_in_mills(uint32_t men)
{
	const uint32_t middles = men & ~MORRIS_CORNERS & MORRIS_BOARD;
	/* Sides by their last corner; lines across the rings by their place. */
	const uint32_t sides = men & morris_rotate(men, 1) & morris_rotate(men, 2) & MORRIS_CORNERS;
	const uint32_t across = middles & middles >> 8 & middles >> 16;
	return sides | morris_rotate(sides, 7) | morris_rotate(sides, 6) | across * MORRIS_RINGS;
}

/* The men of a side that its opponent may take. */
static inline uint32_t morris_removable(uint32_t men)
{
	const uint32_t free = men & ~morris_in_mills(men);
	return free ? free : men;
}

/* The points a man may go to, or have come from, if its side has so many men. */
static inline uint32_t morris_reach(unsigned point, unsigned men)
{
	return men == MORRIS_MEN_MIN ? MORRIS_BOARD : morris_near[point];
}

/* ---- symmetries ---- */

/*
 * A symmetry is a sum: 1 files mirrored, then 2 ranks flipped, then 4 transposed in the a1-g7
 * diagonal, then 8 inner and outer ring exchanged; twice that is a sum of el_symmetry. The first
 * three map place p to 2 - p, 6 - p and 4 - p. So a symmetry rotates each ring, after mapping p to
 * -p if it is a reflection.
 */
static inline uint32_t morris_turn(uint32_t set, unsigned symmetry)
{
	static const uint8_t places[MORRIS_PLACES] = {0, 2, 6, 4, 4, 2, 6, 0};
	if (__builtin_parity(symmetry & 7)) {
		set = (set >> 1 & 0x555555) | (set & 0x555555) << 1;
		set = (set >> 2 & 0x333333) | (set & 0x333333) << 2;
		set = (set >> 4 & 0x0f0f0f) | (set & 0x0f0f0f) << 4;
		set = morris_rotate(set, 1);
	}
	set = morris_rotate(set, places[symmetry & 7]);
	return symmetry & 8 ? (set & 0xff00) | (set & 0xff) << 16 | set >> 16 : set;
}

/* The inverse symmetry. */
static inline unsigned morris_back(unsigned symmetry)
{
	static const uint8_t back[MORRIS_PLACES] = {0, 1, 2, 3, 4, 6, 5, 7};
	return back[symmetry & 7] | (symmetry & 8);
}

/* ---- board.c: members of el_morris ---- */

uint8_t morris_square_at(unsigned file, unsigned rank);
void morris_square_name(uint8_t square, char out[4]);
uint64_t morris_neighbours(uint8_t point);
void morris_mirror(const struct el_position *, struct el_position *out);
void morris_swap_colours(const struct el_position *, struct el_position *out);

#endif
