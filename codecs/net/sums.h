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

/* Sixteen numbers, as many as a vector register of AVX2 holds. A row takes one or two such vectors,
   the last padded with zeros. */
enum {
	NET_WIDE = 16,
	NET_WIDES_MAX = NET_HIDDEN_MAX / NET_WIDE,
};
/* Aligned like memory from calloc. */
typedef int16_t net_wide __attribute__((vector_size(2 * NET_WIDE), aligned(16), may_alias));

/* Sums of `wides` vectors each; brackets name their indexes. */
struct net_sums {
	struct net_layout layout;
	unsigned wides; /* vectors of a row, or of a sum */
	/* couples of neighbours that stay; net_stretch.stays counts the neighbours */
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
	/* Of a stretch, [position]: the sum without neighbours that move, if `lead` is the
	   guess. */
	net_wide lead[NET_STRETCH * NET_WIDES_MAX];
};

enum el_status net_sums_open(struct net_sums *, const struct net_model *, const struct net_view *,
                             struct el_error *);
void net_sums_close(struct net_sums *);
/* The most bytes that a net_sums owns. */
size_t net_sums_most(const struct net_layout *, const struct el_codec_board *);
/* Begins a run: sets the members of a run. */
void net_sums_stand(struct net_sums *, const struct net_walk *);

static inline __attribute__((always_inline)) void net_sums_row(net_wide *sum, unsigned wides,
                                                               const net_wide *rows, size_t row)
{
	for (unsigned i = 0; i < wides; i++)
		sum[i] += rows[row * wides + i];
}

/* A position's sum without neighbours that move. If `wides` is a constant, the sum stays in
   registers. `couple`: the classes of each couple of neighbours that stay, `apart` elements
   apart. */
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

/* Sets `lead`. With `skips`, broken positions need no sum. */
static inline __attribute__((always_inline)) void
net_sums_lead(struct net_sums *s, unsigned wides, const struct net_stretch *t, bool skips)
{
	for (unsigned j = 0; j < t->count; j++)
		if (!skips || !net_stretch_broken(t, j))
			net_sums_of(s, wides, t->square[j * t->pieces], t->lead[j], &t->pair[0][j],
			            NET_STRETCH, s->lead + j * wides);
}

/* The hidden numbers of position `j`: the sum of all its rows, with negative numbers divided by 16.
   Decisions are weighted sums of them. */
static inline __attribute__((always_inline)) void
net_sums_ask(const struct net_sums *s, unsigned wides, const struct net_stretch *t, unsigned pieces,
             unsigned j, uint16_t guess, net_wide bent[NET_WIDES_MAX])
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
			const uint32_t both =
				net_class(net_bend(t, pieces, j, n, 0), guess) * NET_CLASSES +
				net_class(net_bend(t, pieces, j, n, 1), guess);
			net_sums_row(sum, wides, s->bend, k * NET_CLASSES * NET_CLASSES + both);
		}
	for (unsigned i = 0; i < wides; i++) {
		const net_wide low = sum[i] >> 4, above = sum[i] > 0;
		bent[i] = (sum[i] & above) | (low & ~above);
	}
}

#endif
