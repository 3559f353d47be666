/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is seen of a position, as rows of numbers; and the numbers that were learned. */
#ifndef CODECS_NET_MODEL_H
#define CODECS_NET_MODEL_H

#include "stretch.h"

/* ---- rows ---- */

/* Where the rows of each kind begin. */
struct net_layout {
	unsigned pieces;
	uint32_t values;      /* rows for guesses */
	uint32_t value_count;
	uint32_t bend, value, square, distance, mark; /* neighbours begin at 0 */
	uint32_t rows;
};

struct net_layout net_layout(const struct el_codec_board *, uint32_t value_count);

static inline uint32_t net_near_row(unsigned i, int32_t near, uint16_t guess)
{
	return i * NET_CLASSES + net_class(near, guess);
}

/* Of the piece and step of neighbour `i`, and a step of the moving piece. */
static inline uint32_t net_bend_row(const struct net_layout *l, unsigned i, unsigned moving_step,
                                    int32_t bend, uint16_t guess)
{
	const unsigned still = i / NET_STEPS * NET_VOTING + i % NET_STEPS;
	return l->bend + (still * NET_VOTING + moving_step) * NET_CLASSES + net_class(bend, guess);
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
	NET_SEEN_MAX = NET_NEAR_MAX + NET_BENDS_MAX + 1 + EL_BOARD_PIECES + NET_PAIRS_MAX + EL_BOARD_MARKS,
};

/* All rows of position `j` of the stretch; returns how many. */
unsigned net_seen(const struct net_layout *, const struct net_over *, unsigned j, uint16_t guess,
                  uint32_t rows[NET_SEEN_MAX]);

/* ---- numbers ---- */

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

#endif
