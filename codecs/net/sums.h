/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sums of a position's rows. */
#ifndef CODECS_NET_SUMS_H
#define CODECS_NET_SUMS_H

#include "model.h"

enum {
	NET_MARKS = 6, /* whose rows are one sum */
	NET_MARK_SETS = 1 << NET_MARKS,
};

/* As many numbers as a row, or a register, has: the rows are copied so that zeros fill up their last
   vector. */
enum {
	NET_WIDE = 16,
	NET_WIDES_MAX = NET_HIDDEN_MAX / NET_WIDE,
};
/* Aligned as calloc does it. */
typedef int16_t net_wide
	__attribute__((vector_size(2 * NET_WIDE), aligned(16), may_alias));

/* Rows that are asked for together, added up. */
struct net_sums {
	struct net_layout layout;
	unsigned wides; /* of a row */
	unsigned stays, couples; /* couples of neighbours that stay, and all */
	unsigned groups;
	net_wide *all;  /* owned; the others are parts of it */
	net_wide *couple; /* by two neighbours, by their classes */
	net_wide *bend;   /* by a neighbour that stays, by the classes of its two bends */
	net_wide *mark;   /* by six marks, by which of them are there */
	net_wide *row;    /* all but those of neighbours and marks; the first is that of value 0 */
	net_wide *out;    /* by decision */
	uint8_t apart[64][64]; /* two squares: the place of the row among those of two pieces */
	/* Of a run: */
	net_wide still[NET_WIDES_MAX];  /* of the pieces that stay */
	uint64_t marks[64];             /* by the square of the moving piece */
	unsigned others;
	const net_wide *square;         /* rows of the moving piece */
	const net_wide *distance[EL_BOARD_PIECES]; /* and of it and each other */
	const uint8_t *far[EL_BOARD_PIECES];       /* `apart` of the other's square */
	/* Of a stretch, by position: all but neighbours that move, if what leads is the guess. */
	net_wide lead[NET_STRETCH * NET_WIDES_MAX];
};

enum el_status net_sums_open(struct net_sums *, const struct net_model *, const struct net_view *,
                             struct el_error *);
void net_sums_close(struct net_sums *);
/* The most bytes that it owns. */
size_t net_sums_most(const struct net_layout *, const struct el_codec_board *);
/* A run begins. */
void net_sums_stand(struct net_sums *, const struct net_walk *);

static inline __attribute__((always_inline)) void
net_sums_row(net_wide *sum, unsigned wides, const net_wide *rows, size_t row)
{
	for (unsigned i = 0; i < wides; i++)
		sum[i] += rows[row * wides + i];
}

/* All of a position's sum but neighbours that move. Where `wides` is a constant the sum is as many
   registers. `couple`: the classes of each two neighbours that stay, `apart` from each other. */
static inline __attribute__((always_inline)) void
net_sums_of(const struct net_sums *s, unsigned wides, unsigned square, uint16_t guess,
            const uint16_t *couple, unsigned apart, net_wide sum[NET_WIDES_MAX])
{
	const uint64_t marks = s->marks[square];
	for (unsigned i = 0; i < wides; i++)
		sum[i] = s->still[i];
	net_sums_row(sum, wides, s->row, net_value_row(&s->layout, guess) - s->layout.value);
	net_sums_row(sum, wides, s->square, square);
	for (unsigned i = 0; i < s->others; i++)
		net_sums_row(sum, wides, s->distance[i], s->far[i][square]);
	for (unsigned i = 0; i < s->groups; i++)
		net_sums_row(sum, wides, s->mark,
		             i * NET_MARK_SETS + (marks >> i * NET_MARKS) % NET_MARK_SETS);
	for (unsigned i = 0; i < s->stays; i++)
		net_sums_row(sum, wides, s->couple,
		             i * NET_CLASSES * NET_CLASSES + couple[i * apart]);
}

/* Sets `lead`; broken positions need no sum where they are skipped. */
static inline __attribute__((always_inline)) void
net_sums_lead(struct net_sums *s, unsigned wides, const struct net_stretch *t, bool skips)
{
	for (unsigned j = 0; j < t->count; j++)
		if (!skips || !net_stretch_broken(t, j))
			net_sums_of(s, wides, t->square[j * t->pieces], t->lead[j],
			            &t->pair[0][j], NET_STRETCH, s->lead + j * wides);
}

/* What the network makes of position `j`. */
static inline __attribute__((always_inline)) void
net_sums_ask(const struct net_sums *s, unsigned wides, const struct net_stretch *t,
             unsigned pieces, unsigned j, uint16_t guess, net_wide bent[NET_WIDES_MAX])
{
	uint16_t couple[NET_COUPLES];
	net_wide sum[NET_WIDES_MAX];
	if (guess == t->lead[j]) {
		for (unsigned i = 0; i < wides; i++)
			sum[i] = s->lead[j * wides + i];
	} else {
		net_stretch_couples(t, j, guess, couple);
		net_sums_of(s, wides, t->square[j * pieces], guess, couple, 1, sum);
	}
	for (unsigned i = 0; i < pieces * NET_STEPS; i += 2) {
		unsigned both = net_class(net_moving_near(t, pieces, j, i), guess) * NET_CLASSES;
		if (i + 1 < pieces * NET_STEPS)
			both += net_class(net_moving_near(t, pieces, j, i + 1), guess);
		net_sums_row(sum, wides, s->couple,
		             (s->stays + i / 2) * NET_CLASSES * NET_CLASSES + both);
	}
	for (unsigned i = 0, k = 0; i < t->stays; i += NET_STEPS)
		for (unsigned n = i; n < i + NET_VOTING; n++, k++) {
			const uint32_t both = net_class(net_bend(t, pieces, j, n, 0), guess) * NET_CLASSES +
			                      net_class(net_bend(t, pieces, j, n, 1), guess);
			net_sums_row(sum, wides, s->bend, k * NET_CLASSES * NET_CLASSES + both);
		}
	for (unsigned i = 0; i < wides; i++) {
		const net_wide low = sum[i] >> 4, above = sum[i] > 0;
		bent[i] = (sum[i] & above) | (low & ~above);
	}
}

#endif
