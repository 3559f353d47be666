/* SPDX-License-Identifier: MIT */
/*
 * rans: each symbol is coded under a context that its neighbours and the board name, with
 * frequencies that are fixed for the plane.
 *
 *     prepare   learn.c   two decision trees, and which of their leaves make one context
 *               model.c   -> learned bytes, and back
 *     fill      board/    free positions take the guess
 *     open      tables.c  what was learned -> tables
 *     encode    code.c    a block -> guesses -> tokens -> bits
 *     decode    code.c    and back
 *     tokens    tokens.c  what was guessed and asked of each symbol
 *
 * The *guess* is the median of three neighbours: those with the moving piece one step to the left
 * and one up, and the one that most neighbours of the pieces that stay agree on. A *token* says how
 * far the symbol is from the guess.
 *
 * One tree asks about neighbours, the other about the board. Both are tables by the time that a
 * block is decoded: the answers about neighbours are one number, which names the leaf; those about
 * the board are sets of squares of the moving piece, so the leaves of 64 positions are found
 * together. A third tree decides which pairs of leaves are told apart: each of its splits goes down
 * one of the two trees.
 *
 * Sources: J. Duda, "Asymmetric numeral systems" (2013), section 3, for the range variant of the
 * coder; L. Breiman et al., "Classification and Regression Trees" (1984), chapter 2, for trees that
 * grow where they gain most; M. Weinberger, G. Seroussi, G. Sapiro, "The LOCO-I lossless image
 * compression algorithm" (2000), section III, for a median as the guess.
 */
#ifndef CODECS_RANS_H
#define CODECS_RANS_H

#include "codecs/board/stretch.h"

enum {
	RANS_BITS = 15, /* of a frequency: those of a context add up to 2^15 */
	RANS_ONE = 1 << RANS_BITS,
	RANS_TOKENS = 32,
	RANS_COMMON = 31,     /* the token for the plane's commonest symbol */
	RANS_CONTEXTS = 4096, /* at most */
	RANS_LEAVES = 256,    /* of a tree, at most */
	RANS_CELLS = 1 << 13, /* answers about neighbours, at most */
	RANS_ANSWERS = 16,    /* to one question: 0 .. 15 */
	RANS_LEAF = 255,      /* in place of a question */
	RANS_QUESTIONS = 200, /* in a tree, at most */
	RANS_VOTERS = BOARD_VOTING * EL_BOARD_PIECES, /* at most */
};

/* Indexes into el_codec_params.option. */
enum { RANS_OPTION_CONTEXTS };

/* ---- tokens ---- */

/* The token of `symbol`, and *rest, what its bits are. Token 0 is the guess; 2k + 1 (below) and 2k + 2
   (above) say that the symbol is in band k of board_bands, whose bits follow. */
static inline unsigned rans_token(uint32_t symbol, uint32_t guess, uint32_t common, uint32_t *rest)
{
	const uint32_t away = symbol > guess ? symbol - guess : guess - symbol;
	unsigned k = 0;
	*rest = 0;
	if (!away)
		return 0;
	if (away > BOARD_STEPWISE && symbol == common)
		return RANS_COMMON;
	while (away > board_bands[k].to)
		k++;
	*rest = away - board_band_least(k);
	return 2 * k + 1 + (symbol > guess);
}

/* ---- questions ---- */

/* What can be asked of neighbours: the class of each (board_class), then of each bend, then the
   four below. Those of pieces that stay are compared with the lead, so vectors find their answers
   before the stretch is decoded; all others with the guess. Each answer is below RANS_ANSWERS; a
   tree splits by whether it is at most some number. Without a board there is one neighbour: the
   symbol before the guess. */
struct rans_layout {
	unsigned pieces;        /* 0: no board */
	unsigned moving;        /* the first piece of the last axis, as in board_walk */
	unsigned bends;         /* their first question */
	unsigned lead;          /* the class of what most pieces that stay agree on */
	unsigned guess;         /* the guess, in sixteenths of all symbols */
	unsigned agree, voters; /* how many neighbours agree with it, of how many */
	unsigned questions;     /* about neighbours */
	/* About the board: */
	unsigned rank, file; /* of each piece; their first questions */
	/* of each two pieces: how many king's moves apart, whether on one rank or file, whether on
	   one diagonal */
	unsigned distance, straight, diagonal;
	unsigned mark; /* has the position this mark? */
	unsigned board_questions;
	uint32_t value_count;
};

struct rans_layout rans_layout(const struct el_codec_params *);

/* Piece p with each piece q below it. */
static inline unsigned rans_pair(unsigned p, unsigned q)
{
	return p * (p - 1) / 2 + q;
}

/* ---- what is learned ---- */

/* A node of a tree: a question and the greatest answer that leads to the first child. Nodes are in
   order of their level, so the children of the k-th node that is no leaf are 2k + 1 and 2k + 2. */
struct rans_node {
	uint8_t question, most;
};

enum { RANS_NODES = 2 * RANS_LEAVES - 1 };

struct rans_tree {
	unsigned nodes;
	struct rans_node node[RANS_NODES];
};

/* How the third tree splits a node. */
enum { RANS_BY_NEAR, RANS_BY_BOARD };

/* What the codec learned for a plane. */
struct rans_model {
	uint16_t common; /* the commonest symbol */
	struct rans_tree near, board;
	/* the third tree, its nodes in order of level, too: RANS_LEAF, or RANS_BY_... */
	unsigned nodes;
	uint8_t split[2 * RANS_CONTEXTS - 1];
	/* by context, the leaves of the third tree in their order: the weight of each token, as
	   rans_weight has it */
	unsigned contexts;
	uint8_t (*weight)[RANS_TOKENS]; /* owned */
};

/* A code of 0 .. 127 stands for a weight of about 8 * 2^(code / 8). */
static inline uint32_t rans_weight(uint8_t code)
{
	return (uint32_t)(8 + code % 8) << code / 8;
}

enum { RANS_WEIGHTS = 128 };

void rans_model_free(struct rans_model *);
enum el_status rans_model_write(const struct rans_model *, const struct rans_layout *,
                                uint8_t **bytes, size_t *size, struct el_error *);
/* EL_DAMAGED if the bytes make no trees; zero bytes stand for a single context. */
enum el_status rans_model_read(struct rans_model *, const struct rans_layout *,
                               const uint8_t *bytes, size_t size, struct el_error *);

/* For each node the node that it leads to if the answer is at most `most` (the other is the next
   one), or 0 for a leaf; then the leaves below it: first .. end - 1, numbered from left to right. */
struct rans_shape {
	uint16_t child[RANS_NODES], first[RANS_NODES], end[RANS_NODES];
	unsigned leaves;
};

void rans_shape(const struct rans_tree *, struct rans_shape *);

/* Members of the codec: code.c and learn.c. */
enum el_status rans_open(const struct el_codec_params *, const uint8_t *learned, size_t size,
                         void **coder, struct el_error *);
void rans_close(void *coder);
void rans_begin(void *coder, uint64_t first);
enum el_status rans_prepare(const struct el_codec_params *, const struct el_codec_plane *,
                            const struct el_watch *, uint8_t **learned, size_t *size,
                            struct el_error *);

/* Counts the tokens of a block, but not of broken positions: cell[leaf of the board's tree *
   leaves of the neighbours' + leaf of that one]. */
void rans_count(void *coder, const uint16_t *symbols, size_t count, uint32_t cell[][RANS_TOKENS]);

#endif
