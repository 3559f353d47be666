/* SPDX-License-Identifier: MIT */
/*
 * A chess slice as bitmaps (core/games/sets.h), or a part of one in which the pawns are *pinned* to
 * their squares: if a pawn move ends the count, each placement of the pawns is solved by itself.
 *
 * A position is a bit whose address is composed of the placements of its pieces, so that the
 * operators move whole words of positions at once. The pieces are ordered: pinned pawns, White's
 * king, Black's king, the others by *groups*. A group is of like pieces, whose placements are ranked
 * as combinations (choose.h): an order of theirs is not told from another. The last two groups are
 *
 *     the row group    whose rank selects a word: usually one piece, so one of 64, and
 *     the word piece   whose square selects one of 64 bits,
 *
 * and the others are the outer groups. The word piece is taken from the smallest group; if that has
 * k pieces, each of them may be the one, and a placement of theirs has k bits. A row group is at most
 * CHESS_ROW_MAX pieces, else one of them. Pawns, whose double steps differ (below), are groups of one.
 *
 * A *slab* is the words in which only the last two groups move: a move of the word piece stays in
 * its word, one of the row group goes to another word, one of an outer piece to the same word of
 * another slab. A *line* is the 64 words of a slab, not all of them possible, in which a single
 * piece of the row group moves, the *row piece*; of a row group of one it is the slab. Kings before
 * the groups select the unit. Depending on the slice, units are
 *
 *     the classes of two kings (index.h)      of four pieces and more
 *     White's squares in these classes        of three pieces, whose row piece is Black's king
 *     all pairs of squares two kings may have of pinned pawns and at least four other pieces,
 *                                             since pinned pawns leave no symmetry
 *     all squares of White's king             of pinned pawns and three others
 *     one                                     of pinned pawns and bare kings: row and word piece
 *
 * and every group is ranked among all placements on 64 squares:
 *
 *     bit in unit = ((outer rank * placements + outer rank) ... + row rank) * 64 + word piece
 *
 * If both sides have pawns, *layers* of the same shape follow within the unit: in layer l with
 * Black to move, the l-th white pawn has just made a double step, and can be captured en passant if
 * a black pawn stands beside it. To the solver these are positions like any other; only layer 0 is
 * stored in tables.
 *
 * Pinned pawns make no quiet moves. Their steps are conversions into parts solved earlier
 * (sets_parts.c).
 */
#ifndef CORE_GAMES_CHESS_SETS_H
#define CORE_GAMES_CHESS_SETS_H

#include "board.h"
#include "core/games/events.h"
#include "index.h"

enum {
	CHESS_LINE = 64,    /* words */
	CHESS_ROW_MAX = 3,  /* like pieces in a row group; C(64, 3) rows take 2 MB of tables */
	CHESS_PAIRS = 3612, /* pairs of distinct, non-adjacent squares for two kings */
	/* Squares of White's king in the classes of two kings: symmetries map it to the triangle
	   a1-d1-d4 or, with pawns, to the a- to d-files. */
	CHESS_WHITES_PAWNLESS = 10,
	CHESS_WHITES_PAWNS = 32,
	CHESS_NO_UNIT = UINT16_MAX, /* no unit: the kings are adjacent */
};

struct chess_successors;
struct chess_division;

struct chess_piece {
	uint8_t side, kind;
	uint8_t square; /* set only for pieces whose square is fixed in this context */
};

/* Like pieces, `first` and on, of which a placement is a rank. */
struct chess_alike {
	uint8_t first, count;
	uint32_t placements;
	uint64_t stride; /* bits from one rank to the next */
};

/* Tables of the row group. Owned. */
struct chess_rows {
	unsigned pieces;
	size_t count;     /* rows: placements of the group; a multiple of 8 */
	size_t lines;     /* placements of all its pieces but the row piece */
	uint64_t *set;    /* by row: its squares; aligned to 64 bytes */
	uint64_t *others; /* by line: the squares of the pieces that stay */
	/* [line * 64 + square of the row piece]: the row; of a square that is taken: 0 */
	uint32_t *row;
	/* [symmetry (board.h)][row]: the row that the symmetry maps it to; null for what is none */
	uint32_t *image[CHESS_SYMMETRIES];
};

/* The units that the moves of a king lead to, if that king selects the unit. */
struct chess_steps {
	unsigned count;
	uint16_t unit[8];
	uint8_t symmetry[8]; /* maps the squares there to the unit's */
};

/* Tables of the two kings: by class, as in the index, and by unit, as in the bitmaps. Shared by all
   parts of a division. Pairs of squares are White's king's, then Black's. */
struct chess_kings {
	uint8_t by_class[CHESS_KINGS_PAWNS][2];
	unsigned whites;                        /* squares of White's king in classes */
	uint16_t first[CHESS_WHITES_PAWNS + 1]; /* by these squares: the first class, and the end */
	uint8_t by_unit[CHESS_PAIRS][2];        /* squares of the kings that select the unit */
	/* By the squares of the kings: their unit, and the symmetry that maps them to its squares.
	   If White's king alone selects the unit, Black's square counts as 0. */
	uint8_t symmetry[64][64];
	uint16_t unit[64][64];
	struct chess_steps steps[2][CHESS_PAIRS]; /* by side and unit */
};

/*
 * Gathering (sets_gather.c): a solved part has its values in the order of bits, but tables need
 * them in the order of the index. The index ranks the placements of each *group* of like pieces
 * (index.h), so each group has a table from rank to bit, and the bit of a position is the sum over
 * its groups.
 */

/* The tables of a free group, by rank. Owned. */
struct chess_ranks {
	/* the group's part of the bit in a unit; [1]: with the files mirrored */
	uint64_t *bit[2];
	/* the rank after reflection in the a1-h8 diagonal; null with pawns */
	uint32_t *image;
};

/* The ranks of a group that occur in a part: only one if its pieces are pinned. */
struct chess_gather_group {
	uint32_t begin, end;   /* ranks begin .. end-1 */
	const uint64_t *bit;   /* as above, by rank - begin */
	const uint32_t *image; /* as above, by rank */
	uint64_t stride;       /* distance in the index between consecutive ranks */
};

/* How to find the positions with kings of one class. All pointers are borrowed. */
struct chess_gather {
	unsigned count;
	/* In the order of the loops over them, the innermost last. */
	struct chess_gather_group group[CHESS_GROUPS_MAX];
};

enum { CHESS_PAWN_RANKS = 6 }; /* ranks that a pawn can stand on */

/* The squares of a part's pawns, in the order of the pinned pieces. */
struct chess_pinned {
	unsigned count; /* 0: the slice is one part */
	uint8_t square[CHESS_PIECES_MAX];
};

/* The context of a part within its slice. All pointers are borrowed. */
struct chess_part {
	const struct chess_division *division;
	/* the slices entered; valid until all units have been begun */
	const struct chess_successors *successors;
	const struct el_lender *lender; /* of their planes */
	/* Null: kings that select the unit stand on any squares, White's the more significant digit. */
	const struct chess_kings *kings;
	const struct chess_rows *rows;
	const struct chess_groups *groups;
	const struct chess_ranks *ranks; /* of these groups; empty for pinned ones */
	struct chess_pinned pinned;
	size_t family, number; /* of the part, within the division */
	/* the results of the family's earlier parts */
	const struct el_found *earlier;
	const struct el_meanings *meanings; /* the values of their symbols */
};

struct chess_sets {
	struct el_sets head;
	struct chess_part part;
	/* the number of pinned pieces; White's king follows them */
	unsigned pinned;
	unsigned fixed; /* how many kings select the unit: 0, 1, 2 */
	uint64_t standing
		[2];     /* of a frame (core/games/frames.h): its pawns, by side; no pieces here */
	unsigned pieces; /* at least 3; 2 with standing pawns */
	struct chess_piece piece[CHESS_PIECES_MAX]; /* in order; only pinned ones have a square */
	/* outer groups, the row group, and the word piece */
	struct chess_alike alike[CHESS_PIECES_MAX];
	unsigned groups;               /* of these, at least 2 */
	const struct chess_rows *rows; /* borrowed */
	size_t slabs;                  /* in a layer of a unit */
	size_t slab_words;             /* rows of the row group */
	size_t layer_words;            /* words of a layer of a unit */
	/* 1, plus the number of pawns that may be captured en passant, of the side with more of
	   them */
	unsigned layers;
	/* by pawn: the layer after its double step; 0: it cannot be captured en passant */
	uint8_t layer[CHESS_PIECES_MAX];
	/* 2 if the pinned pawns also represent their mirror image; else 1 */
	unsigned images;
	struct chess_gather gather[2]; /* by image */
	/* for pinned pawns: [side to move][symbol] of the earlier part entered */
	struct effect *entered[2];
};

/* A slab with the pieces that do not move in it on their squares; or a line, with the row group's
   too, except the row piece. */
struct chess_slab {
	size_t word;                                /* in a layer: the slab's first */
	struct chess_piece piece[CHESS_PIECES_MAX]; /* those that move have no square */
	uint64_t occupied;                          /* by those that do not */
	/* Of a line: the word within the slab by the square of the row piece; and the squares for
	   which the word belongs to this line. Each word belongs to one. */
	const uint32_t *row;
	uint64_t own;
};

static inline unsigned chess_row_piece(const struct chess_sets *c)
{
	return c->pieces - 2;
}

static inline unsigned chess_word_piece(const struct chess_sets *c)
{
	return c->pieces - 1;
}

/* The first piece of the row group. */
static inline unsigned chess_first_row(const struct chess_sets *c)
{
	return c->alike[c->groups - 2].first;
}

/* Sets everything from `pinned` to `layer` except the rows, and the sizes in the head, for the
   head's slice. */
void chess_lay_out(struct chess_sets *, const struct chess_pinned *);
/* Fills the tables of rows for a row group of so many pieces. False if out of memory; free them
   either way. */
bool chess_fill_rows(unsigned pieces, struct chess_rows *out);
void chess_free_rows(struct chess_rows *);
struct chess_slab chess_slab(const struct chess_sets *, size_t unit, size_t number);
/* The lines of a unit's slabs are numbered slab by slab. */
struct chess_slab chess_line(const struct chess_sets *, size_t unit, size_t number);
/* Fills the tables of kings for sets that are laid out. */
void chess_fill_kings(const struct chess_sets *, struct chess_kings *out);

struct chess_steps chess_king_steps(const struct chess_sets *, unsigned side, size_t unit);

/* May the pawn have just made a double step: are the two squares behind it empty? */
static inline bool chess_just_pushed(struct chess_piece pawn, uint64_t occupied)
{
	const bool white = pawn.side == EL_WHITE;
	const uint64_t at = chess_bit(pawn.square);
	const uint64_t behind = white ? at >> 8 | at >> 16 : at << 8 | at << 16;
	return chess_rank(pawn.square) == (white ? 3 : 4) && !(behind & occupied);
}

/*
 * Pieces of which one is *free*: it may stand on any square, so answers are sets of its squares.
 */
struct chess_row {
	struct chess_piece piece[CHESS_PIECES_MAX];
	unsigned pieces;
	unsigned free;
	uint64_t standing[2]; /* pawns besides, by side */
};

/* The squares where the free piece makes a legal position, with the king of `side` not in check. */
uint64_t chess_row_legal(const struct chess_row *, unsigned side);

/* ---- sets_successor.c: the slices that conversions enter, read as effects on the positions before the
   move ---- */

enum { CHESS_NONE = CHESS_PIECES_MAX };

/* By the square of a free piece. */
struct chess_effects {
	struct effect at[64];
};

/* A conversion: `mover` becomes a kind (its own, unless it promotes), and `captured` is removed. */
struct chess_conversion {
	unsigned mover, captured; /* pieces of the sets; captured may be CHESS_NONE */
	unsigned becomes;
};

/* Borrows the planes of every slice that a conversion enters. */
enum el_status chess_successors_open(const struct chess_sets *, const struct el_problem *,
                                     struct chess_successors **, struct el_error *);
void chess_successors_close(struct chess_successors *);

/*
 * The effects of conversions that lead to `row` (with the opponent of `side` to move), for each of
 * `squares` where the free piece makes the position legal; none elsewhere. Here the free piece may
 * be a king.
 */
void chess_successor_effects(const struct chess_successors *, const struct chess_conversion *,
                             const struct chess_row *row, unsigned side, uint64_t squares,
                             struct lent *, struct chess_effects *out);

/* ---- sets_parts.c ---- */

/* The destination of a pinned pawn's single or double step: a layer of an earlier part. */
struct chess_pawn_step {
	size_t part;
	unsigned layer; /* 0, or the layer in which the pawn has just made the double step */
};

/* False if the pawns allow no such step of piece p. */
bool chess_part_step(const struct chess_sets *, unsigned p, bool twice,
                     struct chess_pawn_step *out);

/* ---- the rest, one part a file ---- */

/* The part is copied; everything it points to is borrowed. */
enum el_status chess_sets_open(const struct el_problem *, const struct chess_part *,
                               struct el_sets **, struct el_error *);

/* sets.c: members of el_sets. */
void chess_lost(const struct el_sets *, unsigned side, size_t unit, uint64_t *stuck);
size_t chess_links(const struct el_sets *, unsigned side, size_t unit, uint32_t out[EL_LINKS_MAX]);
/* Row `row` of a slab, with the word piece free. */
struct chess_row chess_slab_row(const struct chess_sets *, const struct chess_slab *, size_t row);
/* sets_quiet.c: a member of el_sets, and the scratch memory that it needs. */
size_t chess_pre_scratch(const struct chess_sets *);
void chess_pre(const struct el_sets *, unsigned side, size_t unit,
               const uint64_t *const to[EL_LINKS_MAX], const uint64_t *among, bool some,
               uint64_t *from, void *scratch);
/* Of one word: the squares from which the word piece moves to `to`; `twice`: to which it may make a
   double step, if it is a pawn. The other pieces stand on `occupied`. */
uint64_t chess_word_pre(struct chess_piece, uint64_t to, uint64_t twice, uint64_t occupied);
/* sets_few.c: members of el_sets. */
void chess_some_few(const struct el_sets *, unsigned side, size_t unit, size_t link,
                    const struct el_word *to, size_t count, uint64_t *from, uint64_t *marks);
void chess_none_few(const struct el_sets *, unsigned side, size_t unit,
                    const uint64_t *const to[EL_LINKS_MAX], struct el_word *among, size_t count);
/* sets_gather.c */
/* Sets `images`, `gather`, and the members of the head about sections. */
void chess_open_gather(struct chess_sets *);
/* Fills the ranks of the groups of sets that are laid out. False if out of memory; free them either
   way. */
bool chess_fill_ranks(const struct chess_sets *, const struct chess_groups *,
                      struct chess_ranks out[CHESS_GROUPS_MAX]);
void chess_free_ranks(struct chess_ranks ranks[CHESS_GROUPS_MAX]);
/* sets_conversions.c: as el_sets.begin, but the legal positions of layer 0 must already be set. */
enum el_status chess_conversions(const struct chess_sets *, unsigned side, size_t unit,
                                 struct el_unit *, struct el_error *);

#endif
