/* SPDX-License-Identifier: MIT */
/* From a position to its slot in a Malom table (malom.h). */
#include "core/games/choose.h"
#include "core/games/squeeze.h"
#include "malom.h"

enum { POINTS = MALOM_POINTS, SYMMETRIES = MALOM_SYMMETRIES };

/* The sets of so many points up to symmetry. */
static const uint32_t classes[MALOM_MEN_MAX + 1] = {1,    4,    30,    158,   757,
                                                    2830, 8774, 22188, 46879, 82880};

/* By point: in each ring clockwise from the middle of the left side, the outer ring first. */
static const char names[POINTS][3] = {
	"a4", "a7", "d7", "g7", "g4", "g1", "d1", "a1", "b4", "b6", "d6", "f6",
	"f4", "f2", "d2", "b2", "c4", "c5", "d5", "e5", "e4", "e3", "d3", "c3",
};

void malom_points(uint8_t point[POINTS])
{
	for (uint8_t i = 0; i < POINTS; i++)
		point[el_morris.square_at((unsigned)(names[i][0] - 'a'),
		                          (unsigned)(names[i][1] - '1'))] = i;
}

/*
 * The men of both sides are six bytes, a ring each, those of the side to move above the others: so
 * the symmetries move all at once, and the least number is the image that is looked up.
 */
static uint64_t men_of(const uint8_t point[POINTS], const struct el_position *position)
{
	uint64_t men = 0;
	for (uint64_t left = position->set[position->side][0]; left; left &= left - 1)
		men |= UINT64_C(1) << POINTS << point[__builtin_ctzll(left)];
	for (uint64_t left = position->set[!position->side][0]; left; left &= left - 1)
		men |= UINT64_C(1) << point[__builtin_ctzll(left)];
	return men;
}

static inline uint64_t bits_swapped(uint64_t men, unsigned by, uint64_t low)
{
	return (men >> by & low) | (men & low) << by;
}

/* Turns each ring clockwise by so many points. */
static inline uint64_t rotated(uint64_t men, unsigned by)
{
	const uint64_t low = UINT64_C(0x010101010101) * (0xff >> by); /* these stay in their byte */
	return (men & low) << by | (men & ~low) >> (8 - by);
}

/* Called for the steps 1 to 16, it goes through all images of the men and comes back to them: each
   step is a quarter turn, every fourth a reflection too, every eighth an exchange of inner and outer
   ring. */
static inline uint64_t next_image(uint64_t men, unsigned step)
{
	men = rotated(men, 2);
	if (step % 4 == 0) { /* in the line through the first points */
		men = bits_swapped(men, 1, UINT64_C(0x555555555555));
		men = bits_swapped(men, 2, UINT64_C(0x333333333333));
		men = bits_swapped(men, 4, UINT64_C(0x0f0f0f0f0f0f));
		men = rotated(men, 1);
	}
	if (step % 8 == 0)
		men = bits_swapped(men, 16, UINT64_C(0x0000ff0000ff)) |
		      (men & UINT64_C(0x00ff0000ff00));
	return men;
}

static uint64_t least_image(uint64_t men)
{
	uint64_t least = men;
	for (unsigned step = 1; step < SYMMETRIES; step++) {
		men = next_image(men, step);
		least = men < least ? men : least;
	}
	return least;
}

static bool is_least(uint64_t men)
{
	uint64_t image = men;
	for (unsigned step = 1; step < SYMMETRIES && image >= men; step++)
		image = next_image(image, step);
	return image >= men;
}

uint32_t *malom_sets(unsigned men)
{
	uint32_t *list = malloc(classes[men] * sizeof *list), set = (UINT32_C(1) << men) - 1;
	for (uint32_t count = 0; list;) {
		if (is_least(set))
			list[count++] = set;
		if (count == classes[men])
			break;
		const uint32_t carried = set + (set & -set);
		set = carried | (set ^ carried) >> 2 >> __builtin_ctz(set);
	}
	return list;
}

uint64_t malom_slots(const struct sector *s)
{
	return (uint64_t)classes[s->board[0]] * choose[POINTS - s->board[0]][s->board[1]];
}

uint64_t malom_slot(const struct sector *s, const uint32_t *sets, const uint8_t point[POINTS],
                    const struct el_position *position)
{
	const uint64_t men = least_image(men_of(point, position));
	const uint32_t own = (uint32_t)(men >> POINTS);
	const uint32_t others = (uint32_t)men & ((UINT32_C(1) << POINTS) - 1);
	uint32_t at = 0, end = classes[s->board[0]];
	while (end - at > 1) {
		const uint32_t middle = at + (end - at) / 2;
		if (sets[middle] <= own)
			at = middle;
		else
			end = middle;
	}
	return (uint64_t)at * choose[POINTS - s->board[0]][s->board[1]] +
	       choose_rank(squeeze(others, own));
}
