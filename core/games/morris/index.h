/* SPDX-License-Identifier: MIT */
/*
 * The index of a position of Nine Men's Morris in its slice (R. Gasser, "Solving Nine Men's
 * Morris", 1996, section 3.1): first the men of White, the side with more men, up to the 16
 * symmetries of the board, then Black's men on the remaining points:
 *
 *     index = class of White's men * C(24 - white, black) + rank of Black's
 *
 * Classes are numbered by their least members, with sets of points read as numbers; ranks are those
 * of the combinatorial number system (choose.h). If a symmetry keeps White's men in place, the
 * position with the least rank represents all its images, and the other indexes are broken. Men in
 * hand are no part of an index: a slice has a fixed number of them.
 */
#ifndef CORE_GAMES_MORRIS_INDEX_H
#define CORE_GAMES_MORRIS_INDEX_H

#include "board.h"
#include "core/games/choose.h"
#include "core/games/squeeze.h"

/* Sets of men that symmetries map to each other. */
struct morris_class {
	uint32_t men;   /* the least of them */
	uint16_t group; /* bit s: symmetry s maps it to itself */
};

struct morris_classes {
	uint32_t count;
	struct morris_class *class;
	/* By the rank of a set of points: 16 times its class, plus a symmetry that maps it to the
	   least. */
	uint32_t *of;
};

/* The classes of sets of up to 9 men. The first call for each number takes up to 30 ms and a few
   megabytes, which are never freed; later calls are quick. Null if out of memory. Any number of
   threads at once. */
const struct morris_classes *morris_classes(unsigned men);

/* The least image of Black's men under the symmetries of White's men; it also has the least
   rank. */
static inline uint32_t morris_least(const struct morris_class *white, uint32_t black)
{
	uint32_t least = black;
	for (uint32_t others = white->group & ~1u; others; others &= others - 1) {
		const uint32_t image = morris_turn(black, (unsigned)__builtin_ctz(others));
		least = image < least ? image : least;
	}
	return least;
}

/* The rank of the least image. */
static inline uint32_t morris_rank(const struct morris_class *white, uint32_t black)
{
	return choose_rank(squeeze(morris_least(white, black), white->men));
}

/* The number of placements of Black's men. */
static inline uint32_t morris_places(unsigned white, unsigned black)
{
	return choose[MORRIS_POINTS - white][black];
}

/* The men of both sides, by side. */
struct morris_force {
	unsigned board[2], hand[2];
};

static inline struct morris_force morris_force(const struct el_slice *slice)
{
	return (struct morris_force){
		{slice->count[0][0], slice->count[1][0]},
		{slice->hand[0], slice->hand[1]},
	};
}

/* The side named first: the one with more men on the board; of equal ones, the side to move. */
static inline unsigned morris_first(const struct morris_force *f, unsigned mover)
{
	return f->board[0] == f->board[1] ? mover : f->board[1] > f->board[0];
}

/* The slice with so many men, up to 9 on each side, if `first` is the side named first. */
struct el_slice morris_slice(const struct el_game *, const struct morris_force *, unsigned first);

static inline uint64_t morris_key(const struct morris_force *f, unsigned first)
{
	return f->hand[first] << 24 | f->hand[!first] << 16 | f->board[first] << 8 |
	       f->board[!first];
}

/* ---- slices that are entered ---- */

/* Can a mill take a man of the other side? */
bool morris_takes(const struct el_slice *, unsigned us);
/* The slice that a side enters by placing a man (if it has one in hand), or by a mill that takes one, or
   by both; `swapped`: White is Black there. False if that side cannot be to move, or if the game is won,
   since the opponent has too few men left. */
bool morris_enter(const struct el_slice *, unsigned us, bool takes, struct el_slice *out,
                  bool *swapped);

/* ---- indexes ---- */

/* White's men: their class, and the symmetry that maps them to its least member. */
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

/* The index of White's men and Black's, which stand on other points; `places` from
   morris_places. */
static inline uint64_t morris_index(const struct morris_found *white, uint32_t black,
                                    uint32_t places)
{
	return (uint64_t)white->number * places +
	       morris_rank(white->class, morris_turn(black, white->turn));
}

/* For many placements of Black's men against one of White's: those of each ring, turned like White's, as
   points that White's leave free, numbered from 0 without gaps. */
struct morris_turned {
	uint32_t ring[3][256];
};

void morris_turn_rings(struct morris_turned *, const struct morris_found *white);

static inline uint32_t morris_turned(const struct morris_turned *t, uint32_t black)
{
	return t->ring[0][black & 255] | t->ring[1][black >> 8 & 255] | t->ring[2][black >> 16];
}

/* ---- members of el_morris ---- */

bool morris_place(const struct el_position *, struct el_place *out);
bool morris_unplace(const struct el_slice *, unsigned plane, uint64_t index,
                    struct el_position *out);
void morris_digits(const struct el_slice *, struct el_digits *out);
void morris_take_apart(const struct el_slice *, uint64_t index, uint32_t digit[EL_DIGITS_MAX]);
unsigned morris_symmetry(const struct el_position *);
unsigned morris_orbit(const struct el_position *);

#endif
