/* SPDX-License-Identifier: MIT */
/*
 * Sums of a position's rows (model.h), with which the network begins. Adding dozens of rows for
 * each position would be slow, so rows that occur together are added in advance, once per coder,
 * run or stretch (sums.c says which), and a position adds only the few sums that remain.
 */
#ifndef CODECS_NET_SUMS_H
#define CODECS_NET_SUMS_H

#include "model.h"

enum {
	NET_MARKS = 6, /* marks in a group; every set of them has its sum ready */
	NET_MARK_SETS = 1 << NET_MARKS,
};

/* Eight numbers, as many as a vector register of any processor holds. A row takes one to four such
   vectors, the last padded with zeros. */
enum {
	NET_WIDE = 8,
	NET_WIDES_MAX = NET_HIDDEN_MAX / NET_WIDE,
};
/* Aligned like memory from calloc. */
typedef int16_t net_wide __attribute__((vector_size(2 * NET_WIDE), aligned(16), may_alias));

/* Sums of `wides` vectors each; brackets name their indexes. */
struct net_sums {
	struct net_layout layout;
	unsigned wides; /* vectors of a row, or of a sum */
	/* couples of neighbours that stay; board_stretch.stays counts the neighbours */
	unsigned stays;
	unsigned couples; /* all couples */
	unsigned groups;  /* of marks */
	/* Of the coder: */
	net_wide *all;         /* the allocation that holds the next five; owned */
	net_wide *couple;      /* [couple][its two classes] */
	net_wide *bend;        /* [neighbour that stays and votes][classes of its two bends] */
	net_wide *mark;        /* [group][its marks that are set, a bit each] */
	net_wide *row;         /* single rows, from layout.value to layout.mark */
	net_wide *out;         /* [decision]: output weights */
	uint8_t apart[64][64]; /* [square][square]: net_apart */
	/* Of a run: */
	net_wide still[NET_WIDES_MAX]; /* squares and distances of the pieces that stay */
	uint64_t marks[64];            /* [square of the moving piece]: a bit for each mark */
	unsigned others;               /* pieces but the moving one */
	const net_wide *square;        /* [square of the moving piece] */
	/* [other piece][how far it and the moving one are apart] */
	const net_wide *distance[EL_BOARD_PIECES];
	/* [other piece][square of the moving one]: that distance */
	const uint8_t *far[EL_BOARD_PIECES];
	/* Of a stretch: the couples and bends with a neighbour in the block, and the sum of `still`
	   and of all others. */
	unsigned couples_there, bends_there;
	uint8_t couple_there[BOARD_COUPLES], bend_there[BOARD_BENDS_MAX];
	net_wide base[NET_WIDES_MAX];
};

/* `finer`: bits that output weights have below those of the model, 0 or NET_FINER. */
enum el_status net_sums_open(struct net_sums *, const struct net_model *, const struct board_view *,
                             unsigned finer, struct el_error *);
void net_sums_close(struct net_sums *);
/* The most bytes that a net_sums owns. */
size_t net_sums_most(const struct net_layout *, const struct el_codec_board *);
/* Begins a run: sets the members of a run. */
void net_sums_stand(struct net_sums *, const struct board_walk *);
/* Begins a stretch of that run: sets the members of a stretch. */
void net_sums_stretch(struct net_sums *, const struct board_stretch *);

#define NET_INLINE static inline __attribute__((always_inline))

/* A sum that stays in registers if `wides` is a constant. */
struct net_sum {
	net_wide a, b, c, d;
};

_Static_assert(NET_WIDES_MAX == 4, "net_sum has a member for each vector");

/* Adds vectors row * wides .. of `rows`. */
NET_INLINE void net_sum_add(struct net_sum *sum, unsigned wides, const net_wide *rows, size_t row)
{
	rows += row * wides;
	if (wides > 0)
		sum->a += rows[0];
	if (wides > 1)
		sum->b += rows[1];
	if (wides > 2)
		sum->c += rows[2];
	if (wides > 3)
		sum->d += rows[3];
}

NET_INLINE void net_sum_store(const struct net_sum *sum, unsigned wides, net_wide *out)
{
	const net_wide all[NET_WIDES_MAX] = {sum->a, sum->b, sum->c, sum->d};
	for (unsigned i = 0; i < wides; i++)
		out[i] = all[i];
}

enum { NET_BOTH = BOARD_CLASSES * BOARD_CLASSES }; /* sums of a couple */

/* A position's sum without neighbours that move. `couple`: the classes of each couple of neighbours
   that stay, `apart` elements apart. */
NET_INLINE struct net_sum net_sums_of(const struct net_sums *s, unsigned wides, unsigned square,
                                      uint16_t guess, const uint16_t *couple, unsigned apart)
{
	const uint64_t marks = s->marks[square];
	struct net_sum sum = {{0}, {0}, {0}, {0}};
	net_sum_add(&sum, wides, s->base, 0);
	net_sum_add(&sum, wides, s->row, net_value_row(&s->layout, guess) - s->layout.value);
	net_sum_add(&sum, wides, s->square, square);
	for (unsigned i = 0; i < s->others; i++)
		net_sum_add(&sum, wides, s->distance[i], s->far[i][square]);
	for (unsigned i = 0; i < s->groups; i++)
		net_sum_add(&sum, wides, s->mark,
		            i * NET_MARK_SETS + (marks >> i * NET_MARKS) % NET_MARK_SETS);
	for (unsigned k = 0; k < s->couples_there; k++) {
		const unsigned i = s->couple_there[k];
		net_sum_add(&sum, wides, s->couple, i * NET_BOTH + couple[i * apart]);
	}
	return sum;
}

/* The hidden numbers of position `j`: the sum of all its rows, with negative numbers divided by 16.
   Decisions are weighted sums of them. */
NET_INLINE void net_sums_ask(const struct net_sums *s, unsigned wides,
                             const struct board_stretch *t, unsigned pieces, unsigned j,
                             uint16_t guess, net_wide bent[NET_WIDES_MAX])
{
	uint16_t couple[BOARD_COUPLES];
	const bool led = guess == t->lead[j];
	if (!led)
		board_stretch_couples(t, j, guess, couple);
	struct net_sum sum = net_sums_of(s, wides, t->square[j * pieces], guess,
	                                 led ? &t->pair[0][j] : couple, led ? BOARD_STRETCH : 1);
	for (unsigned i = 0; i < pieces * BOARD_STEPS; i += 2) {
		unsigned both =
			board_class(board_moving_near(t, pieces, j, i), guess) * BOARD_CLASSES;
		if (i + 1 < pieces * BOARD_STEPS)
			both += board_class(board_moving_near(t, pieces, j, i + 1), guess);
		net_sum_add(&sum, wides, s->couple, (s->stays + i / 2) * NET_BOTH + both);
	}
	for (unsigned k = 0; k < s->bends_there; k++) {
		const unsigned i = s->bend_there[k], near = board_bend_near(i);
		const unsigned both =
			board_class(board_bend(t, pieces, j, near, 0), guess) * BOARD_CLASSES +
			board_class(board_bend(t, pieces, j, near, 1), guess);
		net_sum_add(&sum, wides, s->bend, i * NET_BOTH + both);
	}
	net_sum_store(&sum, wides, bent);
	for (unsigned i = 0; i < wides; i++) {
		const net_wide low = bent[i] >> 4, above = bent[i] > low;
		bent[i] = (bent[i] & above) | (low & ~above);
	}
}

#endif
