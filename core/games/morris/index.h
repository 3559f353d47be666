/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The index of a position of Nine Men's Morris in its slice (R. Gasser, "Solving Nine Men's Morris",
 * 1996, section 3.1): the men of White, the side with more of them, up to the 16 symmetries of the
 * board, then Black's among the points that are left:
 *
 *     index = class of White's men * C(24 - white, black) + rank of Black's
 *
 * Classes are numbered in the order of their least members, sets of points being numbers; ranks are
 * those of the combinatorial number system (choose.h). Where a symmetry keeps White's men in their
 * places, the position with the least rank stands for all that it is mapped to, and the other indexes
 * are broken.
 */
#ifndef ENDLAB_MORRIS_INDEX_H
#define ENDLAB_MORRIS_INDEX_H

#include "../choose.h"
#include "../squeeze.h"
#include "board.h"

/* Sets of men that symmetries map to each other. */
struct morris_class {
	uint32_t men;   /* the least of them */
	uint16_t group; /* bit s: symmetry s maps that one to itself */
};

struct morris_classes {
	uint32_t count;
	struct morris_class *class;
	/* Of each set of points, by its rank: 16 times its class, and a symmetry that makes it the least. */
	uint32_t *of;
};

/* Those of sets of 3 to 9 men. The first call for each number takes up to 30 ms and a few megabytes, which
   stay; later ones are quick. Null without memory for it. Any number of threads at once. */
const struct morris_classes *morris_classes(unsigned men);

/* Black's men, squeezed to the points that White's leave: the least of what symmetries of White's men
   make of them. */
static inline uint32_t morris_least(const struct morris_class *white, uint32_t black)
{
	uint32_t least = squeeze(black, white->men);
	for (uint32_t others = white->group & ~1u; others; others &= others - 1) {
		const unsigned symmetry = (unsigned)__builtin_ctz(others);
		const uint32_t image = squeeze(morris_turn(black, symmetry), white->men);
		least = image < least ? image : least;
	}
	return least;
}

/* Their place: sets are ranked as the numbers they are. */
static inline uint32_t morris_rank(const struct morris_class *white, uint32_t black)
{
	return choose_rank(morris_least(white, black));
}

/* How many placements Black's men have. */
static inline uint32_t morris_places(unsigned white, unsigned black)
{
	return choose[MORRIS_POINTS - white][black];
}

/* Of White's men and Black's, which stand on other points. */
static inline uint64_t morris_index(const struct morris_classes *classes, uint32_t white,
                                    uint32_t black)
{
	const uint32_t of = classes->of[choose_rank(white)];
	const uint64_t places = morris_places(morris_count(white), morris_count(black));
	return of / 16 * places +
	       morris_rank(&classes->class[of / 16], morris_turn(black, of % 16));
}

/* ---- members of el_morris ---- */

bool morris_place(const struct el_position *, struct el_place *out);
bool morris_unplace(const struct el_slice *, unsigned plane, uint64_t index,
                    struct el_position *out);
void morris_digits(const struct el_slice *, struct el_digits *out);
void morris_take_apart(const struct el_slice *, uint64_t index, uint32_t digit[EL_DIGITS_MAX]);
size_t morris_index_steps(const struct el_slice *, uint64_t index,
                          struct el_index_step out[EL_INDEX_STEPS_MAX]);
unsigned morris_symmetry(const struct el_position *);
unsigned morris_orbit(const struct el_position *);

#endif
