/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * net: a small network predicts each symbol from its neighbours on the board, a range coder writes
 * down what came instead.
 *
 *     weigh     weigh.c    an order of positions: how far guesses are off
 *     fill      fill.c     what is free becomes the guess
 *     prepare   train.c    stochastic gradient descent over the plane -> whole numbers
 *               model.c    -> learned bytes, and back
 *     open      view.c     the board -> where neighbours are
 *               sums.c     learned numbers -> sums of those that are asked for together
 *     encode    code.c     a block, a stretch of it at a time (stretch.c) -> guesses -> decisions -> bits
 *     decode    code.c     and back
 *     tokens    tokens.c   what was guessed and asked of each symbol
 *
 * The *guess* is the symbol that most of the neighbours have: positions of lower numbers in which
 * one piece stands a step away. Where all of them have it, a probability by the symbol alone says
 * whether it is right. Elsewhere the network does:
 *
 *     rows of whole numbers, one for each thing that is seen of the position, are added up: how
 *     each neighbour differs from the guess, and what neighbours of two pieces make likely, the
 *     guess, where each piece stands, how far each two are apart, which marks the game puts on it
 *     (codec.h) -> what is negative becomes small -> a weighted sum for each decision: is it the
 *     guess? a better one? a step away? two? ...
 *
 * Sums of rows that a table looks up instead of multiplying are those of Y. Nasu, "NNUE:
 * efficiently updatable neural networks" (2018); decisions mixed in the logistic domain are those
 * of M. Mahoney's context mixing ("Adaptive weighing of context models", 2005).
 */
#ifndef CODECS_NET_NETWORK_H
#define CODECS_NET_NETWORK_H

#include "endlab/codec.h"

enum {
	/* Neighbours: of each piece one for each of the board's steps, and one for each of the
	   first two steps taken twice. Those of the first two steps vote for the guess. */
	NET_VOTING = 2,
	NET_STEPS = EL_BOARD_STEPS + NET_VOTING,
	NET_NEAR_MAX = EL_BOARD_PIECES * NET_STEPS, /* of a position */
	/* neighbours 2i and 2i + 1, whose rows are added up in advance */
	NET_COUPLES = NET_NEAR_MAX / 2,
	/* two pieces step at once, each by a step that votes (net_bend) */
	NET_BENDS = NET_VOTING * NET_VOTING,
	NET_BENDS_MAX = (EL_BOARD_PIECES - 1) * NET_BENDS,
	/* What the network is told of a neighbour: that it is not there, or how its symbol differs
	   from the guess: less than -3, -3 .. 3, more than 3 (net_class). */
	NET_CLASSES = 10,
	/* rows for the guess itself; where there are more values, several share a row */
	NET_VALUES_MAX = 512,
	NET_HIDDEN_MAX = 32, /* numbers in a row: the width of the network */

	/* Decisions, each a bit with a probability of its own, asked until the symbol is known: is
	   it the guess? if not, is it greater? then one step away, two, ...? Greater and less have
	   decisions of their own. */
	NET_EQUAL = 0,
	NET_UP = 1,
	NET_AWAY = 2,        /* NET_AWAY + 2 * (steps - 1) + greater */
	NET_AWAY_STEPS = 16, /* the last of these is asked for all steps from there on */
	NET_DECISIONS = NET_AWAY + 2 * NET_AWAY_STEPS,
	/* steps that are asked about; what is further away is written as a plain number */
	NET_FAR = 24,

	/* A position is *flat* where all neighbours that vote agree and there are enough of them.
	   How rarely such a guess is wrong is learned by symbol, as one of so many codes; 0: ask
	   the network all the same. */
	NET_FLATS = 64,
	NET_FLAT_NEIGHBOURS = 3,

	/* The network's numbers are whole numbers, so that every machine computes the same. These
	   stand for 1.0: in a row, in an output weight, in their product. */
	NET_ROW_ONE = 32,
	NET_OUT_ONE = 256,
	NET_ONE = NET_ROW_ONE * NET_OUT_ONE,
	/* And these are the greatest of each, and with a minus the least. */
	NET_ROW_MOST = 255,
	NET_OUT_MOST = 2047,
	NET_BIAS_MOST = 16 * NET_ONE,
	NET_SHIFT_MOST = 5, /* a row's numbers are multiples of up to 1 << 4 */
};

/* The places of the options in el_codec_params. */
enum { NET_HIDDEN, NET_EFFORT };

/* Members of the codec: train.c and weigh.c. */
enum el_status net_prepare(const struct el_codec_params *, const struct el_codec_plane *,
                           const struct el_watch *, uint8_t **learned, size_t *size,
                           struct el_error *);
enum el_status net_weigh(const struct el_codec_params *, const struct el_codec_plane *,
                         double *bits, struct el_error *);

#endif
