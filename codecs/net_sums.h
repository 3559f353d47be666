/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sums of a position's rows. */
#ifndef CODECS_NET_SUMS_H
#define CODECS_NET_SUMS_H

#include "net.h"

enum {
	NET_MARKS = 6, /* whose rows are one sum */
	NET_MARK_SETS = 1 << NET_MARKS,
};

/* Eight numbers at once, wherever they stand. */
typedef int16_t net_lanes __attribute__((vector_size(2 * NET_LANES), aligned(2), may_alias));

/* Rows that are asked for together, added up. */
struct net_sums {
	const struct net_model *model;
	unsigned couples, groups;
	int16_t *couple; /* by two neighbours, by their classes; owned */
	int16_t *mark;   /* by six marks, by which of them are there; owned */
	uint8_t apart[64][64]; /* two squares: the place of the row among those of two pieces */
	/* Of a run: */
	int16_t still[NET_HIDDEN_MAX];  /* of the pieces that stay */
	uint64_t marks[64];             /* by the square of the moving piece */
	unsigned others;
	const int16_t *square;          /* rows of the moving piece */
	const int16_t *distance[EL_BOARD_PIECES]; /* and of it and each other */
	const uint8_t *far[EL_BOARD_PIECES];      /* `apart` of the other's square */
};

enum el_status net_sums_open(struct net_sums *, const struct net_model *, unsigned marks,
                             struct el_error *);
void net_sums_close(struct net_sums *);
/* A run begins. */
void net_sums_stand(struct net_sums *, const struct net_walk *);

static inline __attribute__((always_inline)) void
net_sums_row(net_lanes *sum, unsigned hidden, const int16_t *rows, size_t row)
{
	const net_lanes *from = (const net_lanes *)(rows + row * hidden);
	for (unsigned i = 0; i < hidden / NET_LANES; i++)
		sum[i] += from[i];
}

/* The sums of a position, bent. Where `hidden`, the model's, is a constant they are a few registers.
   `couple`: the classes of each two neighbours. */
static inline __attribute__((always_inline)) void
net_sums_add(const struct net_sums *s, unsigned hidden, unsigned square, uint16_t guess,
             const uint16_t couple[NET_COUPLES], net_lanes sum[NET_HIDDEN_MAX / NET_LANES])
{
	const struct net_model *m = s->model;
	const uint64_t marks = s->marks[square];
	for (unsigned i = 0; i < hidden / NET_LANES; i++)
		sum[i] = ((const net_lanes *)s->still)[i];
	net_sums_row(sum, hidden, m->row, net_value_row(&m->layout, guess));
	net_sums_row(sum, hidden, s->square, square);
	for (unsigned i = 0; i < s->others; i++)
		net_sums_row(sum, hidden, s->distance[i], s->far[i][square]);
	for (unsigned i = 0; i < s->groups; i++)
		net_sums_row(sum, hidden, s->mark,
		             i * NET_MARK_SETS + (marks >> i * NET_MARKS) % NET_MARK_SETS);
	for (unsigned i = 0; i < s->couples; i++)
		net_sums_row(sum, hidden, s->couple, i * NET_CLASSES * NET_CLASSES + couple[i]);
	for (unsigned i = 0; i < hidden / NET_LANES; i++) {
		const net_lanes low = sum[i] >> 4, above = sum[i] > 0;
		sum[i] = (sum[i] & above) | (low & ~above);
	}
}

#endif
