/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The board as the network sees it: neighbours, and walks from position to position. */
#ifndef CODECS_NET_VIEW_H
#define CODECS_NET_VIEW_H

#include "network.h"

/* A board made ready: whose neighbours are where. */
struct net_view {
	const struct el_codec_board *board;
	unsigned pieces;
	/* By axis: of each digit, of each piece that it places, of each step, by how much the neighbour's
	   number is less; 0: there is none, or none that a block reaches. Owned. */
	uint32_t *back[EL_BOARD_AXES];
	uint64_t last_squares; /* where a piece of the last axis can stand */
};

enum el_status net_view_open(const struct el_codec_board *, struct net_view *, struct el_error *);
void net_view_close(struct net_view *);

/* A position on the way through a plane. */
struct net_walk {
	const struct net_view *view;
	uint32_t digit[EL_BOARD_AXES];
	uint8_t square[EL_BOARD_PIECES];
	unsigned moving; /* the piece that goes on first */
	uint64_t run;    /* its squares, as far as all others stay */
	uint64_t word[1 + EL_BOARD_MARKS]; /* as `look` has them, of the run */
	uint32_t back[NET_NEAR_MAX]; /* by how much the neighbours' numbers are less; 0: there is none */
	unsigned left;   /* positions of the run from here on */
	bool fresh;      /* a run has begun, or the walk, since this was last set to false */
};

void net_walk_start(struct net_walk *, const struct net_view *, uint64_t number);
/* Goes on by as many positions, `left` at most. */
void net_walk_by(struct net_walk *, unsigned positions);

static inline const struct el_codec_axis *net_last_axis(const struct net_view *view)
{
	return &view->board->axis[view->board->axes - 1];
}

#endif
