/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The index of a position of Nine Men's Morris in its slice (R. Gasser, "Solving Nine Men's
 * Morris", 1996, section 3.1): the men of White, the side with more of them, up to the 16
 * symmetries of the board, then Black's among the points that are left:
 *
 *     index = class of White's men * C(24 - white, black) + rank of Black's
 *
 * Classes are numbered in the order of their least members, sets of points being numbers; ranks are
 * those of the combinatorial number system (choose.h). Where a symmetry keeps White's men in their
 * places, the position with the least rank stands for all that it is mapped to, and the other
 * indexes are broken.
 */
#ifndef CORE_GAMES_MORRIS_INDEX_H
#define CORE_GAMES_MORRIS_INDEX_H

#include "board.h"
#include "core/games/choose.h"
#include "core/games/squeeze.h"

/* Sets of men that symmetries map to each other. */
struct morris_class {
	uint32_t men;   /* the least of them */
	uint16_t group; /* bit s: symmetry s maps that one to itself */
};

struct morris_classes {
	uint32_t count;
	struct morris_class *class;
	/* Of each set of points, by its rank: 16 times its class, and a symmetry that makes it the
	   least. */
	uint32_t *of;
};

/* Those of sets of 3 to 9 men. The first call for each number takes up to 30 ms and a few
   megabytes, which stay; later ones are quick. Null without memory for it. Any number of threads at
   once. */
const struct morris_classes *morris_classes(unsigned men);

/* Of what symmetries of White's men make of Black's, the least: that of the least rank, too. */
static inline uint32_t morris_least(const struct morris_class *white, uint32_t black)
{
	uint32_t least = black;
	for (uint32_t others = white->group & ~1u; others; others &= others - 1) {
		const uint32_t image = morris_turn(black, (unsigned)__builtin_ctz(others));
		least = image < least ? image : least;
	}
	return least;
}

/* The rank of the least. */
static inline uint32_t morris_rank(const struct morris_class *white, uint32_t black)
{
	return choose_rank(squeeze(morris_least(white, black), white->men));
}

/* How many placements Black's men have. */
static inline uint32_t morris_places(unsigned white, unsigned black)
{
	return choose[MORRIS_POINTS - white][black];
}

/* The slice of so many men: from 3 to 9, White's no fewer than Black's. */
struct el_slice morris_slice(const struct el_game *, unsigned white, unsigned black);

static inline uint64_t morris_key(unsigned white, unsigned black)
{
	return white << 8 | black;
}

/* White's men: their class, and how the board is turned to make them its least. */
struct morris_found {
	uint32_t number;
	const struct morris_class *class;
	unsigned turn;
};

static inline struct morris_found morris_find(const struct morris_classes *classes, uint32_t white)
{
	const uint32_t of = classes->of[choose_rank(white)];
	return (struct morris_found){of / 16, &classes->class[of / 16], of % 16};
}

/* Of White's men, and Black's, which stand on other points: `places` they have. */
static inline uint64_t morris_index(const struct morris_found *white, uint32_t black,
                                    uint32_t places)
{
	return (uint64_t)white->number * places +
	       morris_rank(white->class, morris_turn(black, white->turn));
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
