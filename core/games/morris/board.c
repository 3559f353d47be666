/* SPDX-License-Identifier: MIT */
#include "board.h"

#include <stdio.h>

/* ---- points ---- */

#define AT(ring, place) (UINT32_C(1) << (((ring) + 3) % 3 * 8 + ((place) + 8) % 8))
#define BESIDE(r, p)    (AT(r, p - 1) | AT(r, p + 1))
#define CORNER(r, p)    BESIDE(r, p)
#define MIDDLE(r, p)    (BESIDE(r, p) | (r < 2 ? AT(r + 1, p) : 0) | (r > 0 ? AT(r - 1, p) : 0))
#define NEAR(r)                                                                             \
	CORNER(r, 0), MIDDLE(r, 1), CORNER(r, 2), MIDDLE(r, 3), CORNER(r, 4), MIDDLE(r, 5), \
		CORNER(r, 6), MIDDLE(r, 7)

const uint32_t morris_near[MORRIS_POINTS] = {NEAR(0), NEAR(1), NEAR(2)};

/* The side of a ring with this middle; a line across the rings. */
#define SIDE(r, p) (BESIDE(r, p) | AT(r, p))
#define ACROSS(p)  (AT(0, p) | AT(1, p) | AT(2, p))
#define AT_CORNER(r, p)                        \
	{                                      \
		SIDE(r, p - 1), SIDE(r, p + 1) \
	}
#define AT_MIDDLE(r, p)               \
	{                             \
		SIDE(r, p), ACROSS(p) \
	}
#define LINES(r)                                                                             \
	AT_CORNER(r, 0), AT_MIDDLE(r, 1), AT_CORNER(r, 2), AT_MIDDLE(r, 3), AT_CORNER(r, 4), \
		AT_MIDDLE(r, 5), AT_CORNER(r, 6), AT_MIDDLE(r, 7)

const uint32_t morris_lines[MORRIS_POINTS][2] = {LINES(0), LINES(1), LINES(2)};

/* ---- the board that is drawn: files a to g, ranks 1 to 7 ---- */

enum { LAST = 6 };

uint8_t morris_square_at(unsigned file, unsigned rank)
{
	for (uint8_t ring = 0; ring < 3; ring++) {
		const unsigned first = ring, middle = LAST / 2, last = LAST - ring;
		const unsigned corner[MORRIS_PLACES][2] = {
			{first, last}, {middle, last},  {last, last},   {last, middle},
			{last, first}, {middle, first}, {first, first}, {first, middle},
		};
		for (uint8_t place = 0; place < MORRIS_PLACES; place++)
			if (corner[place][0] == file && corner[place][1] == rank)
				return (uint8_t)(MORRIS_PLACES * ring + place);
	}
	return EL_NO_SQUARE;
}

/* Empty for EL_NO_SQUARE. */
void morris_square_name(uint8_t square, char out[4])
{
	*out = '\0';
	for (unsigned file = 0; file <= LAST; file++)
		for (unsigned rank = 0; rank <= LAST; rank++)
			if (square < MORRIS_POINTS && morris_square_at(file, rank) == square)
				snprintf(out, 4, "%c%u", 'a' + (int)file, rank + 1);
}

uint64_t morris_neighbours(uint8_t point)
{
	return morris_near[point];
}

/* ---- positions ---- */

void morris_mirror(const struct el_position *position, struct el_position *out)
{
	*out = *position;
	for (unsigned side = 0; side < 2; side++)
		out->set[side][0] = morris_turn((uint32_t)position->set[side][0], EL_MIRRORED / 2);
}

void morris_swap_colours(const struct el_position *position, struct el_position *out)
{
	struct el_position swapped = *position;
	for (unsigned side = 0; side < 2; side++) {
		swapped.set[side][0] = position->set[!side][0];
		swapped.hand[side] = position->hand[!side];
	}
	swapped.side = !position->side;
	*out = swapped;
}
