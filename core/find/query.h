/* SPDX-License-Identifier: MIT */
/*
 * A question as a tree, and whether positions answer it.
 *
 *     parse.c   text -> tree
 *     block.c   a plane -> blocks of at most 64 positions
 *     holds.c   tree, block -> a word: bit i says whether position i answers
 *
 * Everything is asked of words of 64 positions. Each node is given the positions that matter, so that
 * what is dear to ask is asked only where cheap answers leave it open.
 */
#ifndef CORE_FIND_QUERY_H
#define CORE_FIND_QUERY_H

#include "block.h"
#include "core/games/problem.h"
#include "find.h"

enum {
	QUERY_NODES = 128,
	QUERY_TERMS = 8,    /* of a comparison */
	QUERY_MENTIONS = 4, /* of pieces in a comparison */
	QUERY_METRICS = 4,  /* metrics that a question names, or needs */
};

enum node_kind {
	NODE_AND,
	NODE_OR,
	NODE_NOT,
	NODE_OUTCOME, /* number: enum el_outcome */
	NODE_SIDE,    /* number: the side to move */
	NODE_WINS,    /* number: the side that wins */
	NODE_ON,      /* some piece mention[0] on one of `squares` */
	NODE_COMPARE, /* the sum of the terms, compared with 0 */
	NODE_FACT,    /* number: enum fact */
};

enum fact {
	FACT_CHECK,
	FACT_CHECKMATE,
	FACT_STALEMATE,
	FACT_OVER,    /* no legal move */
	FACT_CAPTURE, /* some capture is legal */
	FACT_FULL,    /* mutual zugzwang: whoever moves loses */
	FACT_HALF,    /* one side to move loses, the other draws */
	FACT_ZUGZWANG,
	FACT_ONLY_LINE, /* of each move of the winner, along the best line, no other wins */
};

enum term_kind {
	TERM_NUMBER, /* of a value: argument[0]: place of the metric */
	TERM_FILE,   /* argument: mentions */
	TERM_RANK,
	TERM_DISTANCE, /* in king's steps */
	TERM_BEHIND,   /* 1 if the first stands behind the second, as its side sees it; else 0 */
	TERM_STONES,   /* argument[0]: the pit's square */
	TERM_MOVES,    /* argument[0]: enum moves_kind */
};

/* By the rules alone, then by what a move is worth. */
enum moves_kind {
	MOVES_LEGAL,
	MOVES_CAPTURING,
	MOVES_MATING,
	MOVES_STALEMATING,
	MOVES_WINNING,
	MOVES_DRAWING,
	MOVES_LOSING,
	MOVES_KEEPING, /* the outcome */
	MOVES_KINDS,
};

/* A side's piece of some kind. */
struct mention {
	uint8_t side, kind;
};

struct term {
	uint8_t kind, argument[2];
	int8_t sign; /* 1 or -1 */
};

struct node {
	enum node_kind kind;
	unsigned cost;   /* for the order of siblings: about nanoseconds a position */
	bool sided;      /* the answer depends on which side it is */
	int child, next; /* of and, or, not: the first child; the next sibling; -1: none */
	unsigned number;
	uint64_t squares;
	bool less, equal, more; /* how the sum may compare with 0 */
	int constant;
	struct term term[QUERY_TERMS];
	unsigned terms;
	struct mention mention[QUERY_MENTIONS];
	unsigned mentions;
	/* the place of the only metric on whose values the answer depends; -1: it depends on more */
	int value_of;
};

struct el_query {
	const struct el_game *game;
	struct node node[QUERY_NODES];
	int nodes, root;
	const struct el_metric *metric[QUERY_METRICS]; /* named, in this order */
	unsigned metrics;
	bool outcomes; /* asks for outcomes, or for moves by their outcome */
	bool rule;     /* asks for outcomes that only a rule makes */
	bool lines;    /* asks for lines, which need depths */
};

/* ---- holds.c ---- */

/* The values of a slice that a question is about: of its main metric first. */
struct known {
	struct el_library *library;
	const struct el_query *query;
	const struct el_slice *slice;
	const struct el_planes *planes[QUERY_METRICS + 1];
	/* by place in el_query.metric: the place in `planes` */
	unsigned of_metric[QUERY_METRICS];
	/* by node and plane, for nodes that depend on one metric's values alone: by symbol, whether they
	   hold; owned; else null */
	uint8_t *truth[QUERY_NODES][2];
	/* by node, in the current plane: images of a position may have another answer; the slice lacks a
	   piece without which no position answers */
	bool turns[QUERY_NODES], never[QUERY_NODES];
};

/* Prepares `truth`. EL_MEMORY. */
enum el_status known_prepare(struct known *, struct el_error *);
/* Prepares `turns` and `never`. */
void known_see(struct known *, const struct block_plane *);
void known_free(struct known *);

/* A thread's work on one block. */
struct holds {
	const struct known *known;
	struct block *block; /* the block */
	/* by node: the positions of which it is known whether it holds, and those of which it does */
	uint64_t done[QUERY_NODES], bits[QUERY_NODES];
	/* The positions whose moves have been valued, and how many of them there are by enum moves_kind. */
	uint64_t valued;
	uint8_t moves[BLOCK_MAX][MOVES_KINDS];
	uint64_t unknown; /* positions that some value would have decided which is not known */
	struct el_slice missing; /* then a slice that no table tells */
};

/* For a new block, or an image of it (image: what does not change is kept). */
void holds_begin(struct holds *, bool image);
/* Of the positions in `care`, those that answer the question. */
uint64_t holds_of(struct holds *, uint64_t care);

#endif
