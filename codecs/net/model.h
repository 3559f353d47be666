/* SPDX-License-Identifier: MIT */
/*
 * The features of a position as rows of numbers, and the learned numbers.
 *
 * The first layer of the network is a matrix with one row for each feature: "neighbour 3 is two
 * above the guess", "piece 1 stands on e4". A position has a few dozen features, and its hidden
 * numbers are the sum of their rows. The functions below map features to rows.
 */
#ifndef CODECS_NET_MODEL_H
#define CODECS_NET_MODEL_H

#include "codecs/board/stretch.h"
#include "network.h"

/* ---- rows ---- */

/* Where the rows of each kind begin; rows of neighbours begin at 0. */
struct net_layout {
	unsigned pieces;
	uint32_t values;      /* rows for the guess: NET_VALUES_MAX at most */
	uint32_t value_count; /* of the plane */
	uint32_t bend;        /* by the piece and step that stay, the step that moves, and class */
	uint32_t value;       /* by guess */
	uint32_t square;      /* by piece and square */
	uint32_t distance;    /* by two pieces and how far they are apart */
	uint32_t mark;        /* by mark (el_codec_board) */
	uint32_t rows;        /* in all */
};

struct net_layout net_layout(const struct el_codec_board *, uint32_t value_count);

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

/* The first of the 64 rows for two pieces, given in any order; net_apart tells which it is. */
static inline uint32_t net_distance_rows(const struct net_layout *l, unsigned a, unsigned b)
{
	const unsigned high = a > b ? a : b, low = a > b ? b : a;
	return l->distance + (high * (high - 1) / 2 + low) * 64;
}

/* How far apart two squares are, up to reflection: ranks * 8 + files. */
static inline unsigned net_apart(unsigned square_a, unsigned square_b)
{
	const int files = (int)(square_a & 7) - (int)(square_b & 7);
	const int ranks = (int)(square_a >> 3) - (int)(square_b >> 3);
	return (unsigned)(ranks < 0 ? -ranks : ranks) * 8 + (unsigned)(files < 0 ? -files : files);
}

enum {
	NET_PAIRS_MAX = EL_BOARD_PIECES * (EL_BOARD_PIECES - 1) / 2,
	/* The most rows of one position. */
	NET_SEEN_MAX = BOARD_NEAR_MAX + BOARD_BENDS_MAX + 1 + EL_BOARD_PIECES + NET_PAIRS_MAX +
	               EL_BOARD_MARKS,
};

/* All rows of position `j` of the stretch; returns how many. */
unsigned net_seen(const struct net_layout *, const struct board_over *, unsigned j, uint16_t guess,
                  uint32_t rows[NET_SEEN_MAX]);

/* ---- numbers ---- */

/* What the codec learned for a whole plane. If that is zero bytes, every guess is as likely right
   as wrong. */
struct net_model {
	struct net_layout layout;
	/* numbers in a row; 0: no network, so decisions have only a bias */
	unsigned hidden;
	bool bands;      /* the option: the next one is learned, too */
	uint16_t common; /* the commonest symbol; NET_NONE, or any that is not below value_count */
	/* by symbol: the code for how sure a flat guess is, 0 .. NET_FLATS - 1; owned, like the
	   next two */
	uint8_t *flat;
	int16_t *row; /* [layout.rows][hidden], in units of 1 / NET_ROW_ONE */
	int16_t *out; /* [decision][hidden]: output weights, in units of 1 / NET_OUT_ONE */
	/* added to a decision's weighted sum, in units of 1 / NET_ONE */
	int32_t bias[NET_DECISIONS];
};

enum el_status net_model_make(struct net_model *, const struct net_layout *, unsigned hidden,
                              bool bands, struct el_error *);
void net_model_free(struct net_model *);
enum el_status net_model_write(const struct net_model *, uint8_t **bytes, size_t *size,
                               struct el_error *);
/* EL_DAMAGED if the width is invalid, or bytes are missing. The rest is one bit stream, and any bytes decode to some
   model: only the file's checksums tell whether they are the ones written. */
enum el_status net_model_read(struct net_model *, const struct net_layout *, bool bands,
                              const uint8_t *bytes, size_t size, struct el_error *);

/* The number, or the limit that it exceeds. */
static inline int32_t net_within(int32_t number, int32_t most)
{
	return number > most ? most : number < -most ? -most : number;
}

/* The probability, of RANGE_ONE, that a flat guess with this code is right. */
uint32_t net_flat_probability(uint8_t code);

#endif
