/* SPDX-License-Identifier: MIT */
/*
 * The board as the network sees it: neighbours, and walks from position to position.
 *
 * A *neighbour* of a position is one in which a single piece stands one step away (codec.h lists
 * the steps; the first NET_VOTING are also taken twice). Steps go to lower squares, so a
 * neighbour's number is lower (by `back`), and its symbol is decoded earlier. Neighbours are
 * numbered piece by piece, NET_STEPS each.
 */
#ifndef CODECS_NET_VIEW_H
#define CODECS_NET_VIEW_H

#include "network.h"

/* Where each position's neighbours are, prepared once for all blocks. A step changes only one digit
   of the position's number, so one table for each axis is enough. */
struct net_view {
	const struct el_codec_board *board;
	unsigned pieces; /* of all axes */
	/* By axis, then [digit][piece of the axis][step]: how much lower the neighbour's number is.
	   0: there is no such neighbour, or it is further back than any block is long. Owned. */
	uint32_t *back[EL_BOARD_AXES];
	/* a bit for each square that a piece of the last axis can stand on */
	uint64_t last_squares;
};

enum el_status net_view_open(const struct el_codec_board *, struct net_view *, struct el_error *);
void net_view_close(struct net_view *);

/* A position on the way through a plane, in the order of numbers. A *run* is a sequence of
   positions in which only one piece moves; what they have in common is looked up once. */
struct net_walk {
	const struct net_view *view;
	uint32_t digit[EL_BOARD_AXES];   /* of the position's number */
	uint8_t square[EL_BOARD_PIECES]; /* where its pieces stand */
	/* the piece that moves in a run: the first of the last axis */
	unsigned moving;
	uint64_t run; /* a bit for each square that it can have in this run */
	/* the result of el_codec_board.look for the run: sets of these squares */
	uint64_t word[1 + EL_BOARD_MARKS];
	uint32_t back[NET_NEAR_MAX]; /* of the position: as in net_view, by piece and step */
	unsigned left;               /* positions of the run from this one on */
	bool fresh;                  /* a run has begun since the caller last set this to false */
};

void net_walk_start(struct net_walk *, const struct net_view *, uint64_t number);
/* Advances by 1 .. `left` positions. */
void net_walk_by(struct net_walk *, unsigned positions);

static inline const struct el_codec_axis *net_last_axis(const struct net_view *view)
{
	return &view->board->axis[view->board->axes - 1];
}

#endif
