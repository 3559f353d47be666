/* SPDX-License-Identifier: MIT */
/*
 * The board as codecs see it: neighbours, and walks from position to position.
 *
 * A *neighbour* of a position is one in which a single piece stands one step away (codec.h lists
 * the steps; the first BOARD_VOTING are also taken twice). Steps go to lower squares, so a
 * neighbour's number is lower (by `back`), and its symbol is decoded earlier. Neighbours are
 * numbered piece by piece, BOARD_STEPS each.
 */
#ifndef CODECS_BOARD_VIEW_H
#define CODECS_BOARD_VIEW_H

#include "endlab/codec.h"

enum {
	/* Each piece has a neighbour for each of the board's steps, and one for each of the first
	   two steps taken twice. The neighbours of the first two steps vote for the guess. */
	BOARD_VOTING = 2,
	BOARD_STEPS = EL_BOARD_STEPS + BOARD_VOTING,
	BOARD_NEAR_MAX = EL_BOARD_PIECES * BOARD_STEPS, /* of a position */
	/* neighbours 2i and 2i + 1, whose classes make one number */
	BOARD_COUPLES = BOARD_NEAR_MAX / 2,
	/* two pieces step at once, each by a step that votes (board_bend) */
	BOARD_BENDS = BOARD_VOTING * BOARD_VOTING,
	BOARD_BENDS_MAX = (EL_BOARD_PIECES - 1) * BOARD_BENDS,
	/* What is known of a neighbour: that it is missing, or how its symbol differs from the
	   guess: less than -3, -3 .. 3, more than 3 (board_class). */
	BOARD_CLASSES = 10,
	/* so many that vote, if all agree, need no network (board_is_flat) */
	BOARD_FLAT_NEIGHBOURS = 3,
};

/* How far a symbol is from the guess, in bands that grow: at most `to`, and further than the band
   before; `bits` say how far. */
struct board_band {
	uint32_t to;
	uint8_t bits;
};

enum {
	BOARD_BANDS = 15,
	BOARD_STEPWISE = 4, /* up to here, bands hold one distance each */
};

extern const struct board_band board_bands[BOARD_BANDS];

static inline uint32_t board_band_least(unsigned band)
{
	return 1 + (band ? board_bands[band - 1].to : 0);
}

/* Where each position's neighbours are, prepared once for all blocks. A step changes only one digit
   of the position's number, so one table for each axis is enough. */
struct board_view {
	const struct el_codec_board *board;
	unsigned pieces; /* of all axes */
	/* By axis, then [digit][piece of the axis][step]: how much lower the neighbour's number is.
	   0: there is no such neighbour, or it is further back than any block is long. Owned. */
	uint32_t *back[EL_BOARD_AXES];
	/* a bit for each square that a piece of the last axis can stand on */
	uint64_t last_squares;
};

enum el_status board_view_open(const struct el_codec_board *, struct board_view *,
                               struct el_error *);
void board_view_close(struct board_view *);

/* A position on the way through a plane, in the order of numbers. A *run* is a sequence of
   positions in which only one piece moves; what they have in common is looked up once. */
struct board_walk {
	const struct board_view *view;
	uint32_t digit[EL_BOARD_AXES];   /* of the position's number */
	uint8_t square[EL_BOARD_PIECES]; /* where its pieces stand */
	/* the piece that moves in a run: the first of the last axis */
	unsigned moving;
	uint64_t run; /* a bit for each square that it can have in this run */
	/* the result of el_codec_board.look for the run: sets of these squares */
	uint64_t word[1 + EL_BOARD_MARKS];
	uint32_t back[BOARD_NEAR_MAX]; /* of the position: as in board_view, by piece and step */
	unsigned left;                 /* positions of the run from this one on */
	bool fresh;                    /* a run has begun since the caller last set this to false */
};

void board_walk_start(struct board_walk *, const struct board_view *, uint64_t number);
/* Advances by 1 .. `left` positions. */
void board_walk_by(struct board_walk *, unsigned positions);

static inline const struct el_codec_axis *board_last_axis(const struct board_view *view)
{
	return &view->board->axis[view->board->axes - 1];
}

#endif
