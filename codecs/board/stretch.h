/* SPDX-License-Identifier: MIT */
/*
 * Guesses for many positions at once, and iteration over a block.
 *
 * A *stretch* is up to BOARD_STRETCH consecutive positions that differ only in the pieces of the last
 * axis. For all others, the *pieces that stay*, a neighbour is equally far back from every
 * position, so its symbols are contiguous and vectors count them. They precede the stretch, so a
 * decoder already has them. Neighbours of the last axis may lie within the stretch and are looked
 * up one by one.
 */
#ifndef CODECS_BOARD_STRETCH_H
#define CODECS_BOARD_STRETCH_H

#include "view.h"

enum {
	BOARD_STRETCH = 64,      /* positions, at most */
	BOARD_STRETCH_PART = 16, /* so many are counted at once, even past the last position */
};

/* A prediction: the symbol that most of the voting neighbours have. */
struct board_guess {
	uint16_t symbol;
	uint8_t count; /* neighbours that exist and vote */
	uint8_t agree; /* how many of them have the symbol */
};

/* Enough neighbours vote and all agree, so the network is not needed. */
static inline bool board_is_flat(struct board_guess g)
{
	return g.agree == g.count && g.count >= BOARD_FLAT_NEIGHBOURS;
}

/* How a neighbour's symbol differs from the guess: 0 if there is none (-1); 1 far below, 9 far
   above; 2 .. 8 for -3 .. 3. */
static inline uint32_t board_class(int32_t near, uint16_t guess)
{
	const int32_t off = near - guess, above = off > 4 ? 4 : off;
	return near < 0 ? 0 : (uint32_t)(5 + (above < -4 ? -4 : above));
}

/* A stretch ends early where a neighbour of a piece that stays enters or leaves the block. */
struct board_stretch {
	unsigned count;        /* positions */
	unsigned stays;        /* neighbours of pieces that stay: numbers 0 .. stays - 1 */
	unsigned moves;        /* neighbours of pieces of the last axis: numbers from `stays` on */
	unsigned pieces;       /* of the last axis */
	const uint8_t *square; /* [position][piece of the last axis] */
	const uint32_t *back;  /* [position][neighbour that moves], as in board_view */
	const uint32_t *still; /* [neighbour that stays], as in board_walk */
	const uint16_t *block; /* the symbols of the block known so far */
	size_t start;          /* the first position's place in the block */
	/* a bit for each square of the moving piece that makes a position broken */
	uint64_t broken;
	/* [neighbour that stays][position]: its symbol, in the block or in `row`; null: the neighbour
	   is not in the block */
	const uint16_t *from[BOARD_NEAR_MAX];
	uint16_t row[BOARD_NEAR_MAX][BOARD_STRETCH];
	/* rows of the neighbours in the block that vote, `voters` of them */
	const uint16_t *voter[BOARD_NEAR_MAX];
	unsigned voters;
	/* the guess from these alone, and how many agree */
	uint16_t lead[BOARD_STRETCH], agree[BOARD_STRETCH];
	/* classes of two neighbours relative to `lead` (board_times) */
	uint16_t pair[BOARD_COUPLES][BOARD_STRETCH];
};

/* Adds, for each position, `times` the class (board_class) of a neighbour that stays and is in the
   block, relative to `lead`. */
void board_add_classes(const struct board_stretch *restrict, unsigned neighbour, uint16_t times,
                       uint16_t to[restrict BOARD_STRETCH]);
/* Sets `pair`. */
void board_stretch_classes(struct board_stretch *);

/* The classes of neighbours 2i and 2i + 1 make one number, class * BOARD_CLASSES + class. Returns a
   neighbour's factor. */
static inline uint16_t board_times(unsigned neighbour)
{
	return neighbour & 1 ? 1 : BOARD_CLASSES;
}

static inline bool board_stretch_broken(const struct board_stretch *s, unsigned j)
{
	return s->broken >> s->square[j * s->pieces] & 1;
}

/* The symbol of neighbour `i` of the last axis; -1 if there is none. */
static inline __attribute__((always_inline)) int32_t
board_moving_near(const struct board_stretch *s, unsigned pieces, unsigned j, unsigned i)
{
	const size_t at = s->start + j;
	const uint32_t back = s->back[j * pieces * BOARD_STEPS + i];
	return (size_t)back - 1 < at ? s->block[at - back] : -1;
}

/* The neighbour that stays of bends 2i and 2i + 1: the i-th that votes. */
static inline unsigned board_bend_near(unsigned i)
{
	return i / BOARD_VOTING * BOARD_STEPS + i % BOARD_VOTING;
}

/*
 * Predicts a symbol from two steps: by the piece that stays (neighbour `i`), and by the first
 * moving piece (`moving_step`). If the symbols are a and b where one of the two has stepped back,
 * and c where both have, the position has a + b - c, provided that the steps act independently. At
 * least 0; -1 if one of the three is not in the block.
 */
static inline __attribute__((always_inline)) int32_t board_bend(const struct board_stretch *s,
                                                                unsigned pieces, unsigned j,
                                                                unsigned i, unsigned moving_step)
{
	const uint32_t moved = s->back[j * pieces * BOARD_STEPS + moving_step];
	const size_t at = s->start + j, back = (size_t)s->still[i] + moved;
	if (!s->from[i] || !moved || back > at)
		return -1;
	const int32_t bend = s->from[i][j] + s->block[at - moved] - s->block[at - back];
	return bend < 0 ? 0 : bend;
}

/* The classes of each couple of neighbours that stay, if `guess` is the guess. */
static inline void board_stretch_couples(const struct board_stretch *s, unsigned j, uint16_t guess,
                                         uint16_t couple[BOARD_COUPLES])
{
	for (unsigned i = 0; i < s->stays; i++) {
		const int32_t near = s->from[i] ? s->from[i][j] : -1;
		const uint16_t more = (uint16_t)(board_class(near, guess) * board_times(i));
		couple[i / 2] = (uint16_t)(i % 2 ? couple[i / 2] + more : more);
	}
}

/* The guess for position `j`. The first BOARD_VOTING neighbours of each piece vote, in the order of
   their numbers; if symbols have equally many votes, the first to reach that number wins. `pieces`:
   of the last axis; a constant where speed matters. */
static inline __attribute__((always_inline)) struct board_guess
board_stretch_guess(const struct board_stretch *s, unsigned pieces, unsigned j)
{
	struct board_guess g = {s->lead[j], (uint8_t)s->voters, (uint8_t)s->agree[j]};
	int32_t moved[EL_BOARD_PIECES * BOARD_VOTING]; /* voters of the last axis */
	for (unsigned i = 0; i < pieces * BOARD_VOTING; i++) {
		const int32_t near = board_moving_near(
			s, pieces, j, i / BOARD_VOTING * BOARD_STEPS + i % BOARD_VOTING);
		moved[i] = near;
		if (near < 0)
			continue;
		if (near == g.symbol && g.agree) {
			g.agree++;
		} else if (2 * g.agree <= g.count) {
			/* It passes the leader only if it already has as many votes. */
			unsigned votes = 0;
			for (unsigned k = 0; k < s->voters; k++)
				votes += s->voter[k][j] == near;
			for (unsigned k = 0; k < i; k++)
				votes += moved[k] == near;
			if (votes == g.agree) {
				g.symbol = (uint16_t)near;
				g.agree++;
			}
		}
		g.count++;
	}
	return g;
}

/* ---- over a block ---- */

/*
 *     for (bool more = board_over_start(&o, ...); more; more = board_over_next(&o))
 *             o.stretch.count positions, of which the first is symbol o.stretch.start
 */
struct board_over {
	struct board_walk walk;
	struct board_stretch stretch;
	const uint16_t *block;
	size_t end;
};

/* Goes over symbols at .. end-1 of a block; symbol `at` belongs to position `number`. Skips the
   first symbol of the block, which has no neighbours. Symbols are read when the stretch after them
   begins, so a decoder may set them on the way. False if there are no more. */
bool board_over_start(struct board_over *, const struct board_view *, uint64_t number,
                      const uint16_t *block, size_t at, size_t end);
bool board_over_next(struct board_over *);

#endif
