/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A chess slice as bitmaps, or a part of one in which the pawns are *pinned* to their squares. The
 * pieces are put in a row: pinned pawns, White's king, Black's king, the others; like pieces are told
 * apart, so a placement of theirs has several bits. White's king stands on the squares that the
 * symmetries leave to it, which is all 64 where pawns are pinned; every other piece has all 64. The
 * last two pieces are
 *
 *     the row piece    whose square says which of 64 words, and
 *     the word piece   whose square says which of 64 bits,
 *
 * and the others are the outer pieces. A *slab* is the 64 words in which only the last two move:
 *
 *     bit = ((white king * 64 + piece 1) * 64 + ... + row piece) * 64 + word piece
 *
 * Where both sides have pawns, *layers* of the same shape follow: in layer l of Black to move, the
 * l-th white pawn has just made a double step and can legally be captured en passant. They are
 * positions like any other to the solver, and only layer 0 is stored in tables.
 *
 * Pinned pawns make no quiet move. Their steps are conversions, into the parts that sets_parts.c
 * tells.
 */
#ifndef ENDLAB_CHESS_SETS_H
#define ENDLAB_CHESS_SETS_H

#include "board.h"
#include "endlab/sets.h"
#include "endlab/solve.h"

enum {
	CHESS_WHITE_KINGS_MAX = 64,
	CHESS_SLAB = 64, /* words */
};

struct chess_successors;
struct chess_division;

struct chess_piece {
	uint8_t side, kind;
	uint8_t square; /* where that is fixed */
};

struct chess_sets {
	struct el_sets head;
	bool pawns;
	unsigned white_kings;                        /* how many squares White's king has: 10, 32, 64 */
	uint8_t white_king[CHESS_WHITE_KINGS_MAX];   /* these squares */
	uint8_t white_king_row[64];                  /* the inverse */
	unsigned pinned;                             /* pieces; White's king comes after them */
	const uint8_t (*kings)[2];                   /* squares by class; borrowed */
	unsigned pieces;                             /* at least 3 */
	struct chess_piece piece[CHESS_PIECES_MAX];     /* only pinned ones have a square */
	size_t stride[CHESS_PIECES_MAX];                /* slabs between neighbouring squares: outer pieces */
	size_t slabs;                                /* in a layer */
	size_t layer_words;
	unsigned layers;
	uint8_t layer[CHESS_PIECES_MAX];                /* of a pawn that has made a double step; or 0 */
	uint64_t *scratch;                           /* one bitmap */
	bool *busy;                                  /* by slab: see sets_quiet.c */
	uint64_t *twice;                             /* layers-1 bitmaps of a layer: see sets_quiet.c */
};

/* The outer pieces of a slab on their squares. */
struct chess_slab {
	size_t number;
	struct chess_piece piece[CHESS_PIECES_MAX]; /* the last two without a square */
	uint64_t occupied;                       /* by outer pieces */
};

static inline unsigned chess_row_piece(const struct chess_sets *c)
{
	return c->pieces - 2;
}

static inline unsigned chess_word_piece(const struct chess_sets *c)
{
	return c->pieces - 1;
}

/* The pawns of a part, in the order of the pinned pieces. */
struct chess_pinned {
	unsigned count; /* 0: the slice is one part */
	uint8_t square[CHESS_PIECES_MAX];
};

/* Fills everything from `pawns` to `layer`, and the sizes in the head, for the head's slice. */
void chess_lay_out(struct chess_sets *, const struct chess_pinned *);
struct chess_slab chess_slab(const struct chess_sets *, size_t number);

/*
 * Pieces with one that is *free*: it may stand on any square, so questions have a set of its squares
 * for an answer.
 */
struct chess_row {
	struct chess_piece piece[CHESS_PIECES_MAX];
	unsigned pieces;
	unsigned free;
};

/* Where the free piece can stand at all; empty when the others cannot be so. Checks are not asked. */
uint64_t chess_row_possible(const struct chess_row *row);
/* Where the free piece must stand for the king of `side` to be attacked. */
uint64_t chess_row_check(const struct chess_row *row, unsigned side);

/* ---- sets_parts.c ---- */

/* A part while its sets are opened: what its conversions need to know. */
struct chess_part {
	const struct chess_division *division;
	const uint8_t (*kings)[2]; /* squares by class, of the division */
	struct chess_pinned pinned;
	size_t family, number;
	const struct el_found *earlier;
	const struct el_meanings *meanings;
};

/* What an earlier part holds of the positions after a step of pinned pawn `p` by one square or by two,
   as symbols by bit, for the side not to move: *passed is of those that it can capture en passant, 0
   elsewhere, or null. Null when the pawns leave no such step. */
const uint16_t *chess_part_step(const struct chess_part *, const struct chess_sets *, unsigned p,
                                bool twice, const uint16_t **passed);

/* ---- the parts of opening sets, one a file ---- */

enum el_status chess_sets_open(const struct el_problem *, const struct chess_part *,
                               const struct chess_successors *, struct el_sets **,
                               struct el_error *);

/* sets_quiet.c: members of el_sets. */
void chess_pre_some(const struct el_sets *, unsigned side, const uint64_t *to,
                    const uint64_t *among, uint64_t *from);
void chess_pre_all(const struct el_sets *, unsigned side, const uint64_t *to,
                   const uint64_t *among, uint64_t *from);
/* sets_gather.c: member of el_sets. */
enum el_status chess_gather(const struct el_sets *, unsigned side, const uint16_t *by_bit,
                            uint16_t broken, uint16_t *by_index, struct el_error *);
/* sets_conversions.c: fills wins, frees, blocked, and the legal sets of the layers but 0; the legal
   sets of layer 0 must be there. */
enum el_status chess_conversions(struct chess_sets *, const struct el_problem *,
                                 const struct chess_part *, const struct chess_successors *,
                                 struct el_error *);

#endif
