/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A chess slice as bitmaps, or a part of one in which the pawns are *pinned* to their squares. The
 * pieces are put in a row: pinned pawns, White's king, Black's king, the others; like pieces are told
 * apart, so a placement of theirs has several bits. The last two pieces are
 *
 *     the row piece    whose square says which of 64 words, and
 *     the word piece   whose square says which of 64 bits,
 *
 * and the others are the outer pieces. A *slab* is the 64 words in which only the last two move.
 * Of the outer pieces the kings say which unit. They are
 *
 *     the classes of two kings (index.h)      of four pieces and more
 *     White's squares in these classes        of three pieces, whose row piece is Black's king
 *     all pairs of squares two kings may have of pinned pawns and at least four other pieces,
 *                                             since pinned pawns leave no symmetry
 *     all squares of White's king             of pinned pawns and three others
 *     one                                     of pinned pawns and bare kings: row and word piece
 *
 * and all other pieces have all 64 squares:
 *
 *     bit in unit = ((outer piece * 64 + outer piece) * 64 + ... + row piece) * 64 + word piece
 *
 * Where both sides have pawns, *layers* of the same shape follow within the unit: in layer l of Black
 * to move, the l-th white pawn has just made a double step, and can be captured en passant where a
 * pawn is there to do so. They are positions like any other to the solver, and only layer 0 is stored
 * in tables.
 *
 * Pinned pawns make no quiet move. Their steps are conversions, into the parts that sets_parts.c
 * tells.
 */
#ifndef ENDLAB_CHESS_SETS_H
#define ENDLAB_CHESS_SETS_H

#include "../events.h"
#include "board.h"
#include "index.h"
#include "endlab/sets.h"
#include "endlab/solve.h"

enum {
	CHESS_SLAB = 64, /* words */
	CHESS_PAIRS = 3612, /* of squares on which two kings may stand */
	/* Squares of White's king in classes. */
	CHESS_WHITES_PAWNLESS = 10,
	CHESS_WHITES_PAWNS = 32,
	CHESS_NO_UNIT = UINT16_MAX,
};

struct chess_successors;
struct chess_division;

struct chess_piece {
	uint8_t side, kind;
	uint8_t square; /* where that is fixed */
};

/* Kings by class, and by unit. The same for all parts of a division. */
struct chess_kings {
	uint8_t by_class[CHESS_KINGS_PAWNS][2]; /* squares */
	unsigned whites;                        /* squares of White's king in classes */
	uint16_t first[CHESS_WHITES_PAWNS + 1]; /* the first class of each */
	uint8_t by_unit[CHESS_PAIRS][2];        /* squares of the kings that say which unit */
	/* By squares: the symmetry that brings the kings to those of their unit, and the unit.
	   CHESS_NO_UNIT where they are adjacent. Of White's king alone, Black's square is 0. */
	uint8_t symmetry[64][64];
	uint16_t unit[64][64];
};

/* A group of free pieces (index.h), by rank; see sets_gather.c. Owned. */
struct chess_ranks {
	uint32_t *bit[2];   /* where its squares are in a unit, as they are and mirrored */
	uint32_t *image;    /* the rank reflected in the a1-h8 diagonal; null with pawns */
};

/* The ranks of a group that belong to a part, and where they are in a unit. */
struct chess_gather_group {
	uint32_t begin, end;
	const uint32_t *bit;   /* by rank - begin */
	const uint32_t *image; /* by rank */
	uint64_t stride;       /* in the index */
};

/* How positions with kings of one class are found; see sets_gather.c. Borrows. */
struct chess_gather {
	unsigned count;
	/* In the order of the index, but that the innermost one is not pinned where there is a choice. */
	struct chess_gather_group group[CHESS_GROUPS_MAX];
};

/* The pawns of a part, in the order of the pinned pieces. */
struct chess_pinned {
	unsigned count; /* 0: the slice is one part */
	uint8_t square[CHESS_PIECES_MAX];
};

/* A part while its sets are open: what its conversions and its index need to know. */
struct chess_part {
	const struct chess_division *division;
	const struct chess_successors *successors; /* until all units have been begun */
	const struct chess_kings *kings;
	const struct chess_groups *groups;
	const struct chess_ranks *ranks; /* of these groups; empty where pieces are pinned */
	struct chess_pinned pinned;
	size_t family, number;
	const struct el_found *earlier;
	const struct el_meanings *meanings;
};

struct chess_sets {
	struct el_sets head;
	struct chess_part part;
	unsigned pinned;                             /* pieces; White's king comes after them */
	unsigned fixed;                              /* kings that say which unit: 0, 1, 2 */
	unsigned pieces;                             /* at least 3 */
	struct chess_piece piece[CHESS_PIECES_MAX];     /* only pinned ones have a square */
	size_t stride[CHESS_PIECES_MAX];                /* slabs between neighbouring squares: outer pieces */
	size_t slabs;                                /* in a layer of a unit */
	size_t layer_words;                          /* of a unit */
	unsigned layers;
	uint8_t layer[CHESS_PIECES_MAX];                /* of a pawn that has made a double step; or 0 */
	unsigned images; /* 2 where pinned pawns stand for their mirror image too; else 1 */
	struct chess_gather gather[2]; /* of each */
	struct effect *entered[2]; /* pinned pawns: by symbol, what entering an earlier part does */
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

/* The first of the outer pieces that move within a unit. */
static inline unsigned chess_first_outer(const struct chess_sets *c)
{
	return c->pinned + c->fixed;
}

/* Fills everything from `pinned` to `layer`, and the sizes in the head, for the head's slice. */
void chess_lay_out(struct chess_sets *, const struct chess_pinned *);
struct chess_slab chess_slab(const struct chess_sets *, size_t unit, size_t number);
/* The kings of sets that are laid out. */
void chess_fill_kings(const struct chess_sets *, struct chess_kings *out);
/* How far apart two bits are in which piece p stands on neighbouring squares. */
uint64_t chess_bit_stride(const struct chess_sets *, unsigned p);

/* Where the quiet moves of a king lead that says which unit. */
struct chess_steps {
	unsigned count;
	uint16_t unit[8];
	uint8_t symmetry[8]; /* that brings the squares there to the unit's */
};
struct chess_steps chess_king_steps(const struct chess_sets *, unsigned side, size_t unit);

/* May the pawn have made a double step just now: are the squares behind it empty? */
static inline bool chess_just_pushed(struct chess_piece pawn, uint64_t occupied)
{
	const bool white = pawn.side == EL_WHITE;
	const uint64_t at = chess_bit(pawn.square);
	const uint64_t behind = white ? at >> 8 | at >> 16 : at << 8 | at << 16;
	return chess_rank(pawn.square) == (white ? 3 : 4) && !(behind & occupied);
}

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

/* Where a step of a pinned pawn leads, by one square or by two: into a layer of an earlier part. */
struct chess_pawn_step {
	size_t part;
	unsigned layer; /* 0, or that in which the pawn has just made the double step */
};

/* False when the pawns leave no such step of piece p. */
bool chess_part_step(const struct chess_sets *, unsigned p, bool twice,
                     struct chess_pawn_step *out);

/* ---- the rest, one part a file ---- */

/* The part is copied; what it points to is borrowed. */
enum el_status chess_sets_open(const struct el_problem *, const struct chess_part *,
                               struct el_sets **, struct el_error *);

/* sets_quiet.c: members of el_sets, and the scratch memory that they need. */
size_t chess_pre_scratch(const struct chess_sets *);
void chess_pre_some(const struct el_sets *, unsigned side, size_t unit,
                    const uint64_t *const to[EL_LINKS_MAX], const uint64_t *among,
                    uint64_t *from, void *scratch);
void chess_pre_none(const struct el_sets *, unsigned side, size_t unit,
                    const uint64_t *const to[EL_LINKS_MAX], const uint64_t *among,
                    uint64_t *from, void *scratch);
/* sets_gather.c: members of el_sets. */
uint64_t chess_section(const struct el_sets *, size_t section);
size_t chess_section_units(const struct el_sets *, unsigned side, size_t section,
                           uint32_t out[EL_LINKS_MAX]);
void chess_gather(const struct el_sets *, unsigned side, size_t section,
                  const uint16_t *const by_bit[EL_LINKS_MAX], uint16_t *by_index);
/* Fills `images`, `gather`, and the sections in the head. */
void chess_open_gather(struct chess_sets *);
/* The ranks of the groups of sets that are laid out. False without memory; free them either way. */
bool chess_fill_ranks(const struct chess_sets *, const struct chess_groups *,
                      struct chess_ranks out[CHESS_GROUPS_MAX]);
void chess_free_ranks(struct chess_ranks ranks[CHESS_GROUPS_MAX]);
/* sets_conversions.c: member of el_sets but for the legal positions of layer 0, which must be
   there. */
enum el_status chess_conversions(const struct chess_sets *, unsigned side, size_t unit,
                                 struct el_unit *, struct el_error *);

#endif
