/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A draughts slice as bit matrices. Each side's pieces by themselves can be placed in so many ways;
 * a position is one placement of the side to move, its row, and one of the other side, its column:
 *
 *     bit = row * 64 * row_words + column
 *
 * Each side sees its own placement from its own end of the board (board.h), so that both are
 * numbered alike, and with equal material both have the same matrix. A move stays in its column and
 * goes to another row: whole rows are ORed together, 64 positions in a word. The result has the other
 * side to move; seen by it, rows are columns, so sets are transposed on the way. Where a row and a
 * column want the same square, the position is not legal and its bit stays 0: that also keeps moves
 * from going to an occupied square.
 */
#ifndef ENDLAB_CHECKERS_SETS_H
#define ENDLAB_CHECKERS_SETS_H

#include "board.h"
#include "endlab/sets.h"
#include "endlab/solve.h"

/* Squares in the view of the side whose pieces they are. */
struct checkers_placement {
	uint32_t men, kings;
};

/* A quiet move that stays in the slice. */
struct checkers_step {
	uint32_t row; /* the placement it leads to */
	uint32_t to;  /* the square it goes to */
};

/* One side's pieces by themselves: men by the combinatorial number system, then kings among the
   squares that they leave. */
struct checkers_army {
	unsigned men, kings;
	size_t count;                         /* placements */
	struct checkers_placement *placement; /* of them; owned */
	uint32_t *first_step;                 /* of each, and one more: where the next begins; owned */
	struct checkers_step *steps;          /* owned */
};

struct checkers_sets {
	struct el_sets head;
	struct checkers_army army[2];
	size_t row_words[2];    /* by side to move */
	uint64_t *occupied[2];  /* 32 rows: where the opponent is on that square in the mover's view */
	uint64_t *captures[2];  /* positions in which that side must capture; a set */
	uint64_t *turned;       /* scratch: a set as the other side to move sees it */
	uint8_t *filled;        /* by row of it: some bit is set */
};

/* Who moves after `side`, as the sets have it. */
static inline unsigned checkers_other(const struct checkers_sets *c, unsigned side)
{
	return c->head.sides == 1 ? side : !side;
}

/* What an army keeps of one placement, at most. */
static inline size_t checkers_placement_bytes(unsigned men, unsigned kings)
{
	return sizeof(struct checkers_placement) + sizeof(uint32_t) +
	       (CHECKERS_MAN_DIRECTIONS * men + CHECKERS_DIRECTIONS * kings) *
	               sizeof(struct checkers_step);
}

static inline size_t checkers_row_words(size_t columns)
{
	return (columns + 63) / 64;
}

/* sets_army.c: EL_MEMORY leaves it to be freed all the same. */
enum el_status checkers_army_open(struct checkers_army *, unsigned men, unsigned kings);
void checkers_army_close(struct checkers_army *);
/* How many placements there are. */
size_t checkers_army_size(unsigned men, unsigned kings);

/* sets_transpose.c: `columns` rows of `rows` columns, from the same the other way round. `filled` has one
   byte for each of the new rows. */
void checkers_transpose(const uint64_t *from, size_t rows, size_t columns, uint64_t *to,
                        uint8_t *filled);

/* sets_quiet.c: members of el_sets. */
void checkers_pre_some(const struct el_sets *, unsigned side, const uint64_t *to,
                       const uint64_t *among, uint64_t *from);
void checkers_pre_all(const struct el_sets *, unsigned side, const uint64_t *to,
                      const uint64_t *among, uint64_t *from);
/* sets_gather.c: member of el_sets. */
enum el_status checkers_gather(const struct el_sets *, unsigned side, const uint16_t *by_bit,
                               uint16_t broken, uint16_t *by_index, struct el_error *);
/* sets_conversions.c: fills wins, frees, blocked and the phases; all else must be there. */
enum el_status checkers_conversions(struct checkers_sets *, const struct el_problem *,
                                    struct el_error *);

#endif
