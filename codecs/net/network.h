/* SPDX-License-Identifier: MIT */
/*
 * net: a small network predicts each symbol from its neighbours on the board, and a range coder
 * codes the symbol under that prediction.
 *
 *     fill      board/     free positions take the guess
 *     weigh     train.c    what a sample costs in one epoch of learning
 *     prepare   train.c    stochastic gradient descent over the plane -> whole numbers
 *               model.c    -> learned bytes, and back
 *     open      board/     the board -> where neighbours are
 *               sums.c     learned numbers -> sums of those used together
 *     encode    code.c     a block, by stretches (board/stretch.c) -> guesses -> decisions -> bits
 *     decode    code.c     and back
 *     tokens    code.c     what was guessed and asked of each symbol
 *
 * The *guess* is the symbol that most neighbours have: positions with lower numbers in which one
 * piece stands a step away. Where all of them agree, the probability that the guess is right
 * depends on the symbol alone. Elsewhere the network computes it:
 *
 *     add up one row of integers for each feature of the position: how each neighbour differs from
 *     the guess, what neighbours of two pieces make likely, the guess, where each piece stands,
 *     how far apart each two are, which marks the game puts on it (codec.h) -> shrink negative
 *     sums -> a weighted sum for each decision: is it the guess? a better one? a step away?
 *     two? ...
 *
 * Summing rows looked up in a table instead of multiplying comes from Y. Nasu, "NNUE: efficiently
 * updatable neural networks" (2018); mixing decisions in the logistic domain comes from M.
 * Mahoney's context mixing ("Adaptive weighing of context models", 2005).
 */
#ifndef CODECS_NET_NETWORK_H
#define CODECS_NET_NETWORK_H

#include "endlab/codec.h"

enum {
	/* rows for the guess itself; if there are more values, several share a row */
	NET_VALUES_MAX = 512,
	NET_HIDDEN_MAX = 32, /* numbers in a row: the width of the network */

	/* Decisions, each a bit with a probability of its own, asked until the symbol is known: is
	   it the guess? if not, is it greater? then one step away, two, ...? Greater and less have
	   decisions of their own. With option `bands`: is it the plane's commonest symbol, unless that is
	   within BOARD_STEPWISE of the guess? is it greater? then is it in the first band
	   (board_bands), the second, ...? A plain number of its bits follows. */
	NET_EQUAL = 0,
	NET_UP = 1,
	NET_AWAY = 2,        /* NET_AWAY + 2 * (steps - 1) + greater */
	NET_AWAY_STEPS = 16, /* the last one serves all further steps */
	NET_DECISIONS = NET_AWAY + 2 * NET_AWAY_STEPS,
	NET_COMMON = NET_AWAY + 2 * (NET_AWAY_STEPS - 1), /* with bands, of which there are fewer */
	NET_NONE = UINT16_MAX, /* no symbol is common enough to ask for */
	/* steps that are asked about; a symbol further away is written as a plain number */
	NET_FAR = 24,

	/* A position is *flat* if enough neighbours vote and all of them agree. The codec learns by
	   symbol how rarely such a guess is wrong, as one of NET_FLATS codes; 0: ask the network
	   all the same. */
	NET_FLATS = 64,

	/* The network's numbers are integers, so that every machine computes the same. These stand
	   for 1.0 in a row, in an output weight, and in their product. */
	NET_ROW_ONE = 32,
	NET_OUT_ONE = 256,
	NET_ONE = NET_ROW_ONE * NET_OUT_ONE,
	/* The greatest of each; the least are their negatives. */
	NET_ROW_MOST = 255,
	NET_OUT_MOST = 2047,
	NET_BIAS_MOST = 16 * NET_ONE,
	NET_SHIFT_MOST = 5, /* a row's numbers are multiples of up to 1 << 4 */

	/* With option `adapt`, weights of decisions change in steps of 1 / (NET_OUT_ONE << NET_FINER); the
	   greatest of them, and of the numbers that they weigh, so that a sum fits in 32 bits. */
	NET_FINER = 4,
	NET_FINE_MOST = 24575,
	NET_BENT_MOST = 2047,
};

/* Indexes into el_codec_params.option. */
enum { NET_HIDDEN, NET_EFFORT, NET_BANDS, NET_ADAPT };

/* Members of the codec: code.c and train.c. */
enum el_status net_fill(const struct el_codec_params *, const struct el_codec_plane *,
                        const struct el_watch *, struct el_error *);
enum el_status net_prepare(const struct el_codec_params *, const struct el_codec_plane *,
                           const struct el_watch *, uint8_t **learned, size_t *size,
                           struct el_error *);
enum el_status net_weigh(const struct el_codec_params *, const struct el_codec_plane *,
                         double *bits, struct el_error *);

#endif
