/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * net: a small network predicts each symbol from its neighbours on the board, a range coder writes down
 * what came instead.
 *
 *     fill      net_code.c    what is free becomes the guess
 *     prepare   net_train.c   stochastic gradient descent over the plane -> whole numbers
 *               net_model.c   -> learned bytes, and back
 *     open      net_view.c    the board -> where neighbours are
 *               net_sums.c    what was learned -> sums of rows that are often asked for together
 *     encode    net_code.c    walk over a block -> guess -> decisions -> bits, and back
 *               net_stretch.c guesses of many positions at once
 *
 * The *guess* is the symbol that most of the neighbours have: positions of lower numbers in which one
 * piece stands a step away. Where all of them have it, a probability by the symbol alone says whether it
 * is right. Elsewhere the network does:
 *
 *     rows of whole numbers, one for each thing that is seen of the position, are added up: how each
 *     neighbour differs from the guess, the guess, where each piece stands, how far each two are
 *     apart, which marks the game puts on it (codec.h)
 *     -> what is negative becomes small -> a weighted sum for each decision: is it the guess? a better
 *     one? a step away? two? ...
 *
 * Sums of rows that a table looks up instead of multiplying are those of Y. Nasu, "NNUE: efficiently
 * updatable neural networks" (2018); decisions mixed in the logistic domain are those of M. Mahoney's
 * context mixing ("Adaptive weighing of context models", 2005).
 */
#ifndef CODECS_NET_H
#define CODECS_NET_H

#include "range.h"

#include "endlab/codec.h"

enum {
	NET_STEPS = EL_BOARD_STEPS,
	NET_NEAR_MAX = EL_BOARD_PIECES * NET_STEPS, /* neighbours */
	NET_COUPLES = NET_NEAR_MAX / 2,
	NET_VOTING = 2,       /* steps of each piece that vote for the guess */
	NET_CLASSES = 10,     /* of a neighbour: none, far below, -3 .. 3, far above the guess */
	NET_VALUES_MAX = 512, /* rows for guesses; beyond it they share */
	NET_HIDDEN_MAX = 32,
	NET_LANES = 8, /* `hidden` is a multiple of it */

	NET_EQUAL = 0, /* decisions */
	NET_UP = 1,
	NET_AWAY = 2,  /* + 2 * steps + up */
	NET_AWAY_STEPS = 16,
	NET_DECISIONS = NET_AWAY + 2 * NET_AWAY_STEPS,
	NET_FAR = 24, /* steps after which the rest is a plain number */

	NET_FLATS = 64,       /* codes of how rarely a guess that all agree on is wrong; 0: ask the network */
	NET_FLAT_NEIGHBOURS = 3,

	/* One in whole numbers: of a row, of an output weight, of their product. */
	NET_ROW_ONE = 16,
	NET_OUT_ONE = 64,
	NET_ONE = NET_ROW_ONE * NET_OUT_ONE,
};

/* The places of the options in el_codec_params. */
enum { NET_HIDDEN, NET_EFFORT };

/* ---- net_view.c ---- */

/* A board made ready: whose neighbours are where. */
struct net_view {
	const struct el_codec_board *board;
	unsigned pieces;
	uint8_t axis[EL_BOARD_PIECES]; /* by piece */
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
	uint64_t number;
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

static inline void net_walk_next(struct net_walk *w)
{
	net_walk_by(w, 1);
}

static inline const struct el_codec_axis *net_last_axis(const struct net_view *view)
{
	return &view->board->axis[view->board->axes - 1];
}

static inline bool net_walk_broken(const struct net_walk *w)
{
	return w->word[0] >> w->square[w->moving] & 1;
}

/* What neighbours have, -1 where there is none: by piece and step. The position is symbol `at` of a
   block. */
static inline void net_near(const struct net_walk *w, const uint16_t *block, size_t at,
                            int32_t near[NET_NEAR_MAX])
{
	for (unsigned i = 0; i < w->view->pieces * NET_STEPS; i++)
		near[i] = w->back[i] - 1 < at ? block[at - w->back[i]] : -1;
}

/* The guess from neighbours, and how many of those that vote there are, and agree. */
struct net_guess {
	uint16_t symbol;
	uint8_t count, agree;
};

/* `tally`: by symbol, zeros before and after. `usual`: where no neighbour is. */
static inline struct net_guess net_guess(const int32_t near[NET_NEAR_MAX], unsigned pieces,
                                         uint16_t usual, uint8_t *tally)
{
	struct net_guess g = {usual, 0, 0};
	for (unsigned p = 0; p < pieces; p++)
		for (unsigned s = 0; s < NET_VOTING; s++) {
			const int32_t symbol = near[p * NET_STEPS + s];
			if (symbol < 0)
				continue;
			g.count++;
			if (++tally[symbol] > g.agree) {
				g.agree = tally[symbol];
				g.symbol = (uint16_t)symbol;
			}
		}
	for (unsigned p = 0; p < pieces; p++)
		for (unsigned s = 0; s < NET_VOTING; s++)
			if (near[p * NET_STEPS + s] >= 0)
				tally[near[p * NET_STEPS + s]] = 0;
	return g;
}

static inline bool net_is_flat(struct net_guess g)
{
	return g.agree == g.count && g.count >= NET_FLAT_NEIGHBOURS;
}

/* ---- what is seen of a position, as rows ---- */

/* Where the rows of each kind begin. */
struct net_layout {
	unsigned pieces;
	uint32_t values;      /* rows for guesses */
	uint32_t value_count;
	uint32_t value, square, distance, mark; /* neighbours begin at 0 */
	uint32_t rows;
};

struct net_layout net_layout(const struct net_view *, uint32_t value_count);

static inline uint32_t net_class(int32_t near, uint16_t guess)
{
	const int32_t off = near - guess;
	return near < 0 ? 0 : off < -3 ? 1 : off > 3 ? 9 : (uint32_t)(off + 5);
}

static inline uint32_t net_near_row(unsigned i, int32_t near, uint16_t guess)
{
	return i * NET_CLASSES + net_class(near, guess);
}

static inline uint32_t net_value_row(const struct net_layout *l, uint16_t guess)
{
	return l->value + (l->values == l->value_count
	                           ? guess
	                           : (uint32_t)((uint64_t)guess * l->values / l->value_count));
}

static inline uint32_t net_square_row(const struct net_layout *l, unsigned piece, unsigned square)
{
	return l->square + piece * 64 + square;
}

/* Two pieces in any order. */
static inline uint32_t net_distance_rows(const struct net_layout *l, unsigned a, unsigned b)
{
	const unsigned high = a > b ? a : b, low = a > b ? b : a;
	return l->distance + (high * (high - 1) / 2 + low) * 64;
}

static inline unsigned net_apart(unsigned square_a, unsigned square_b)
{
	const int files = (int)(square_a & 7) - (int)(square_b & 7);
	const int ranks = (int)(square_a >> 3) - (int)(square_b >> 3);
	return (unsigned)(ranks < 0 ? -ranks : ranks) * 8 + (unsigned)(files < 0 ? -files : files);
}

static inline uint32_t net_distance_row(const struct net_layout *l, unsigned a, unsigned square_a,
                                        unsigned b, unsigned square_b)
{
	return net_distance_rows(l, a, b) + net_apart(square_a, square_b);
}

enum {
	NET_PAIRS_MAX = EL_BOARD_PIECES * (EL_BOARD_PIECES - 1) / 2,
	/* Rows of one position, at most. */
	NET_SEEN_MAX = NET_NEAR_MAX + 1 + EL_BOARD_PIECES + NET_PAIRS_MAX + EL_BOARD_MARKS,
};

/* All rows of a position; returns how many. */
unsigned net_seen(const struct net_layout *, const struct net_walk *, const int32_t *near,
                  uint16_t guess, uint32_t rows[NET_SEEN_MAX]);

/* ---- net_model.c ---- */

/* What was learned. Zero bytes mean: nothing, all guesses are as good as not. */
struct net_model {
	struct net_layout layout;
	unsigned hidden;  /* 0: no network but the biases */
	uint8_t *flat;    /* by symbol; owned, as all below */
	int16_t *row;     /* rows * hidden */
	int16_t *out;     /* NET_DECISIONS * hidden */
	int32_t bias[NET_DECISIONS];
};

enum el_status net_model_make(struct net_model *, const struct net_layout *, unsigned hidden,
                              struct el_error *);
void net_model_free(struct net_model *);
enum el_status net_model_write(const struct net_model *, uint8_t **bytes, size_t *size,
                               struct el_error *);
/* EL_DAMAGED. */
enum el_status net_model_read(struct net_model *, const struct net_layout *, const uint8_t *bytes,
                              size_t size, struct el_error *);

/* The probability that a guess with this code is right. */
uint32_t net_flat_probability(uint8_t code);

/* What is negative counts a sixteenth. */
static inline int32_t net_bend(int32_t sum)
{
	return sum > 0 ? sum : sum >> 4;
}

/* ---- net.c: a member of the codec ---- */

enum el_status net_fill(const struct el_codec_params *, const struct el_codec_plane *,
                        const struct el_watch *, struct el_error *);

/* ---- net_train.c: a member of the codec ---- */

enum el_status net_prepare(const struct el_codec_params *, const struct el_codec_plane *,
                           const struct el_watch *, uint8_t **learned, size_t *size,
                           struct el_error *);

/* ---- net_weigh.c: a member of the codec ---- */

enum el_status net_weigh(const struct el_codec_params *, const struct el_codec_plane *, double *bits,
                         struct el_error *);

/* ---- net_code.c ---- */

/* For one thread at a time. */
struct net_coder;
enum el_status net_coder_open(const struct el_codec_params *, const uint8_t *learned, size_t size,
                              struct net_coder **, struct el_error *);
void net_coder_close(struct net_coder *);
/* The number of the first position of the next block. */
void net_coder_begin(struct net_coder *, uint64_t first);
void net_fill_block(struct net_coder *, const struct el_codec_plane *block);
enum el_status net_encode(struct net_coder *, const uint16_t *symbols, size_t count, uint8_t *out,
                          size_t capacity, size_t *size, struct el_error *);
enum el_status net_decode(struct net_coder *, const uint8_t *bytes, size_t size, uint16_t *symbols,
                          size_t count, struct el_error *);

#endif
