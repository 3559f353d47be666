/* SPDX-License-Identifier: MIT */
/*
 * A draughts slice as bit matrices (core/games/sets.h). The placements of each side's pieces are
 * numbered by themselves: a position is a row, the placement of the side to move, and a column, the
 * placement of the other side. Each side sees its own placement from its own end of the board
 * (checkers.h). A move stays in its column and goes to another row, so whole rows are ORed together,
 * 64 positions in a word. The result has the other side to move, which sees rows as columns. If a
 * row and a column use the same square, the position is illegal and its bit stays 0, which also
 * rules out moves to an occupied square.
 *
 * The placements of each side are divided into consecutive groups. A unit (sets.h) is a *tile* of
 * the matrix, the rows of one group of the side to move and the columns of one group of the other:
 *
 *     unit = group of rows * groups of columns + group of columns
 *     bit  = row in its group * 64 * row_words + column in its group
 *
 * One side *leads*: its men come first in the index or, if there are no men, White's kings do. Its
 * groups are ranges of the index: the sections.
 */
#ifndef CORE_GAMES_CHECKERS_SETS_H
#define CORE_GAMES_CHECKERS_SETS_H

#include "core/games/problem.h"
#include "core/games/sets.h"
#include "index.h"

/* The intended number of rows and columns of a tile: 1024 by 1024 bits are 128 KiB. Groups come as
   close to it as whole placements of the men allow; if one side has fewer placements, the other
   side's groups are larger. Measured: bench_slices. */
enum { CHECKERS_TILE = 1024 };

/* One side's pieces, as sets of squares in that side's view. */
struct checkers_placement {
	uint32_t men, kings;
};

/* The placement of the same pieces that a quiet move leads to. Four bytes, because there are
   millions. */
struct checkers_step {
	/* row: within the group; there are at most EL_LINKS_MAX groups */
	uint32_t group : 6, row : 26;
};

/*
 * One side's pieces by themselves: men first, then kings on the squares that they leave free, in
 * the combinatorial number system. Men are ranked as in the index (index.h), so that groups can be
 * ranges of it: each group has whole placements of the men. A group of kings alone has a power of
 * two of rows. In a slice cut by leading rank, all placements have it.
 */
struct checkers_army {
	unsigned side;               /* enum el_side: the owner of these pieces in the index */
	unsigned men, kings;         /* how many */
	uint32_t low;                /* in own view: the number of sets of men that rank below */
	struct checkers_shape shape; /* of the slice */
	size_t count;                /* placements of all pieces */
	size_t per_men;              /* placements of the kings for each placement of the men */
	/* placements in a group; the last one may have fewer */
	size_t group_rows, groups;
	struct checkers_placement *placement; /* `count`; owned */
	/* by placement, and the end: its first step in `steps`; owned */
	uint32_t *first_step;
	struct checkers_step *steps;   /* owned */
	uint64_t linked[EL_LINKS_MAX]; /* by group: bit g: some steps lead to group g */
};

/* Facts about a column that moves depend on, by square in the mover's view; those of all columns of
   a group are a row of bits (checkers_fact). */
enum checkers_fact {
	CHECKERS_OCCUPIED, /* the opponent has a piece there */
	/* a man of the mover could jump from there, unless the mover's own pieces are in its way */
	CHECKERS_JUMPS_OF_MAN,
	CHECKERS_JUMPS_OF_KING, /* so could a king */
	CHECKERS_FACTS,
};

struct checkers_successors; /* sets_conversions.c */

struct checkers_sets {
	struct el_sets head;
	struct checkers_army army[2]; /* see checkers_army_of */
	unsigned leader;     /* enum el_side: the side whose pieces come first in the index */
	size_t row_words[2]; /* by side to move: words of a row of a tile */
	/* by side to move: [group of columns][fact][square], each a row of bits */
	uint64_t *facts[2];
	/* [is king][square]: squares that a jump from there lands on */
	uint32_t lands[2][CHECKERS_SQUARES];
	/* by side to move: the slices that captures and crownings enter; null once all units have
	   been begun */
	struct checkers_successors *successors[2];
};

/* The pieces of White or Black; if both have the same, they share one army. */
static inline const struct checkers_army *checkers_army_of(const struct checkers_sets *c,
                                                           unsigned side)
{
	return &c->army[c->head.sides == 1 ? EL_WHITE : side];
}

static inline size_t checkers_row_words(size_t columns)
{
	return (columns + 63) / 64;
}

/* ---- sets_army.c ---- */

/* Sets only the numbers of an army, for tiles of `tile` rows. */
void checkers_army_lay_out(struct checkers_army *, const struct checkers_shape *, unsigned side,
                           size_t tile);
/* Fills in the rest. Close it even after EL_MEMORY. */
enum el_status checkers_army_open(struct checkers_army *);
void checkers_army_close(struct checkers_army *);
/* The most bytes that an army stores for one placement. */
size_t checkers_placement_bytes(unsigned men, unsigned kings);
/* The rank of the men's placement; `men` is in their own view. */
uint32_t checkers_men_rank(const struct checkers_army *, uint32_t men);
/* The number of placements in a group. */
size_t checkers_group_size(const struct checkers_army *, size_t group);

/* ---- sets_tile.c ---- */

/* A unit, split into its group of rows and its group of columns. */
struct checkers_tile {
	const struct checkers_sets *sets;
	const struct checkers_army *mover, *opponent;
	size_t row_group, column_group;
	size_t first_row, first_column; /* as placements of mover and opponent */
	size_t rows, columns;           /* how many there are */
	size_t words;                   /* of a row */
	const uint64_t *facts;          /* of its columns */
};

struct checkers_tile checkers_tile_of(const struct checkers_sets *, unsigned side, size_t unit);
/* Computes the facts about columns. False if out of memory. */
bool checkers_facts_open(struct checkers_sets *);

/* One row of facts. */
static inline const uint64_t *checkers_fact(const struct checkers_tile *t, enum checkers_fact fact,
                                            unsigned square)
{
	return t->facts + (fact * CHECKERS_SQUARES + square) * t->words;
}

/* The legal positions of a row: `words` words. */
void checkers_legal_row(const struct checkers_tile *, size_t row, uint64_t *out);
/* The positions of a row in which the mover must capture: `count` words from `first` on. Bits of
   illegal positions may be set too. */
void checkers_capture_row(const struct checkers_tile *, size_t row, size_t first, size_t count,
                          uint64_t *out);

/* ---- members of el_sets ---- */

/* sets_tile.c */
uint64_t checkers_images(const struct el_sets *, unsigned square);
void checkers_keep(const struct el_sets *, unsigned side, size_t unit, unsigned owner,
                   unsigned kinds, uint64_t squares, uint64_t *set);
size_t checkers_turn_unit(const struct el_sets *, unsigned side, size_t unit, const uint64_t *set,
                          uint64_t *out);
/* sets_conversions.c */
enum el_status checkers_begin(const struct el_sets *, unsigned side, size_t unit, struct el_unit *,
                              void *scratch, struct el_error *);

/* ---- sets_conversions.c ---- */

/* Members of whole_way, for the slices that conversions enter. */
enum el_status checkers_borrow(struct el_sets *, const struct el_problem *, struct el_error *);
void checkers_give_back(struct el_sets *);

/* ---- sets.c ---- */

/* As whole_way.make, with tiles of so many rows and columns: CHECKERS_TILE except in tests. */
struct el_sets *checkers_sets_make(const struct el_problem *, size_t tile);

#endif
