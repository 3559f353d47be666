/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Guesses, of many positions at once; and the way over a block. */
#ifndef CODECS_NET_STRETCH_H
#define CODECS_NET_STRETCH_H

#include "view.h"

enum {
	NET_STRETCH = 64,     /* positions, at most */
	NET_STRETCH_PART = 16, /* are counted at once, whatever stands behind the last */
};

/* The symbol that most neighbours have; how many of those that vote there are, and agree. */
struct net_guess {
	uint16_t symbol;
	uint8_t count, agree;
};

static inline bool net_is_flat(struct net_guess g)
{
	return g.agree == g.count && g.count >= NET_FLAT_NEIGHBOURS;
}

static inline uint32_t net_class(int32_t near, uint16_t guess)
{
	const int32_t off = near - guess;
	return near < 0 ? 0 : off < -3 ? 1 : off > 3 ? 9 : (uint32_t)(off + 5);
}

/* Positions that follow each other, as long as only pieces of the last axis move, and the same
   neighbours of all others are there. */
struct net_stretch {
	unsigned count;
	unsigned stays, moves; /* neighbours of the other axes, and of the last, which are behind those */
	unsigned pieces;       /* of the last axis */
	const uint8_t *square; /* `pieces` a position */
	const uint32_t *back;  /* `moves` a position, as in net_view */
	const uint32_t *still; /* `stays`, as in net_walk */
	const uint16_t *block;
	size_t start;          /* the first, in the block */
	uint64_t broken;       /* squares of the moving piece */
	uint16_t near[NET_NEAR_MAX][NET_STRETCH];
	const uint16_t *from[NET_NEAR_MAX]; /* `near` of those that stay; null: not there */
	const uint16_t *voter[NET_NEAR_MAX]; /* those of them that are there and vote */
	unsigned voters;
	uint16_t lead[NET_STRETCH], agree[NET_STRETCH]; /* their guess, and how many of them agree */
	uint16_t pair[NET_COUPLES][NET_STRETCH]; /* classes of two neighbours, if that is the guess */
};

/* Sets `pair`. */
void net_stretch_classes(struct net_stretch *);

/* Classes of neighbours 2i and 2i + 1 are one number. */
static inline uint16_t net_times(unsigned neighbour)
{
	return neighbour & 1 ? 1 : NET_CLASSES;
}

static inline bool net_stretch_broken(const struct net_stretch *s, unsigned j)
{
	return s->broken >> s->square[j * s->pieces] & 1;
}

/* What a neighbour of the last axis has, -1 where there is none. */
static inline __attribute__((always_inline)) int32_t
net_moving_near(const struct net_stretch *s, unsigned pieces, unsigned j, unsigned i)
{
	const size_t at = s->start + j;
	const uint32_t back = s->back[j * pieces * NET_STEPS + i];
	return (size_t)back - 1 < at ? s->block[at - back] : -1;
}

/*
 * The symbol if steps of two pieces, together, change it by as much as one after the other: of a piece
 * that stays, whose neighbour is `i`, and the first of those that move. -1 where one of the three
 * positions is not there.
 */
static inline __attribute__((always_inline)) int32_t
net_bend(const struct net_stretch *s, unsigned pieces, unsigned j, unsigned i, unsigned moving_step)
{
	const uint32_t moved = s->back[j * pieces * NET_STEPS + moving_step];
	const size_t at = s->start + j, back = (size_t)s->still[i] + moved;
	if (!s->from[i] || !moved || back > at)
		return -1;
	const int32_t bend = s->from[i][j] + s->block[at - moved] - s->block[at - back];
	return bend < 0 ? 0 : bend;
}

/* The classes of each two neighbours that stay, if `guess` is the guess. */
static inline void net_stretch_couples(const struct net_stretch *s, unsigned j, uint16_t guess,
                                       uint16_t couple[NET_COUPLES])
{
	for (unsigned i = 0; i < s->stays; i++) {
		const int32_t near = s->from[i] ? s->from[i][j] : -1;
		const uint16_t more = (uint16_t)(net_class(near, guess) * net_times(i));
		couple[i / 2] = (uint16_t)(i % 2 ? couple[i / 2] + more : more);
	}
}

/* How many of those that stay vote for the symbol. */
static inline unsigned net_votes(const struct net_stretch *s, unsigned j, int32_t symbol)
{
	unsigned votes = 0;
	for (unsigned k = 0; k < s->voters; k++)
		votes += s->voter[k][j] == symbol;
	return votes;
}

/* Neighbours vote in their order, of each piece the first NET_VOTING: the first symbol to have most votes
   leads. `pieces`: of the last axis, best a constant. */
static inline __attribute__((always_inline)) struct net_guess
net_stretch_guess(const struct net_stretch *s, unsigned pieces, unsigned j)
{
	struct net_guess g = {s->lead[j], (uint8_t)s->voters, (uint8_t)s->agree[j]};
	int32_t moved[EL_BOARD_PIECES * NET_VOTING]; /* voters of the last axis */
	for (unsigned i = 0; i < pieces * NET_VOTING; i++) {
		const int32_t near =
			net_moving_near(s, pieces, j, i / NET_VOTING * NET_STEPS + i % NET_VOTING);
		moved[i] = near;
		if (near < 0)
			continue;
		if (near == g.symbol && g.agree) {
			g.agree++;
		} else if (2 * g.agree <= g.count) {
			/* Only with as many votes as the leader has can it go past. */
			unsigned votes = net_votes(s, j, near);
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

/* What all neighbours have, -1 where there is none: by piece and step. */
static inline void net_stretch_near(const struct net_stretch *s, unsigned j, int32_t near[NET_NEAR_MAX])
{
	for (unsigned i = 0; i < s->stays; i++)
		near[i] = s->from[i] ? s->from[i][j] : -1;
	for (unsigned i = 0; i < s->moves; i++)
		near[s->stays + i] = net_moving_near(s, s->pieces, j, i);
}

/* ---- over a block ---- */

/*
 *     for (bool more = net_over_start(&o, ...); more; more = net_over_next(&o))
 *             o.stretch.count positions, of which the first is symbol o.stretch.start
 */
struct net_over {
	struct net_walk walk;
	struct net_stretch stretch;
	const uint16_t *block;
	size_t end;
};

/* Symbols `at` to `end` of a block, without the very first one; `number`: that of `at`. Symbols before a
   stretch are read when it begins, so that they may be set on the way. */
bool net_over_start(struct net_over *, const struct net_view *, uint64_t number, const uint16_t *block,
                    size_t at, size_t end);
bool net_over_next(struct net_over *);

#endif
