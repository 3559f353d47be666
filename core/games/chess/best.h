/* SPDX-License-Identifier: MIT */
/*
 * The values of chess positions from those of their successors (core/games/best.h), a row of 64 at a
 * time.
 *
 * A *man* is any piece but a king. A section is a class of kings; in it, the squares of the men are
 * the coordinates of a cube of scores. Like men are told apart, so a placement of theirs stands in
 * several places. The last man is the *lane*: in a row of 64 scores it alone changes its square, and
 * a row is what vector registers take. Another man may take its place where that suits a move.
 *
 * A *view* is a table as the slice under proof sees it after a move: which of the men are left,
 * what they have become, and which group of the table's index each belongs to.
 */
#ifndef CORE_GAMES_CHESS_BEST_H
#define CORE_GAMES_CHESS_BEST_H

#include "board.h"
#include "core/games/best.h"
#include "index.h"

enum {
	ROW = 64,
	/* of a cube: with one more, two cubes of a section take gigabytes */
	BEST_MEN_MAX = 4,
	MEN_MAX = CHESS_LIKE_MAX,
};

struct chess_man {
	uint8_t side, kind;
	uint8_t own; /* its number in the slice under proof */
	uint8_t group;
};

struct chess_view {
	const struct best_entered *entered; /* null: bare kings, a draw, or no scores are read */
	unsigned plane;                     /* in which the opponent moves */
	bool swapped; /* its colours differ from those of the slice under proof */
	struct chess_groups groups;
	uint32_t stride[CHESS_GROUPS_MAX]; /* of a group's rank in the index */
	uint64_t size;                     /* indexes of a class */
	unsigned count;
	struct chess_man man[MEN_MAX]; /* in the colours of the slice under proof */
};

/* The view of the positions with White's king and Black's on these squares. */
struct chess_look {
	const struct chess_view *view;
	uint8_t king[2];
	unsigned lane;           /* number of a man of the view */
	const uint16_t *symbols; /* of the class; null if none are read */
	const int16_t *score;    /* by symbol */
	bool twofold;            /* the index is the smaller one of two */
	uint8_t at[2][64];       /* where a square is mapped to, for one and the other */
	uint32_t lane_part[64];  /* of the index, if the lane has no like and there is one index */
};

/* One thread's work on a section. */
struct chess_section {
	const struct chess_best *best;
	unsigned us; /* the side to move */
	uint8_t king[2];
	size_t rows;
	uint64_t *occupied; /* by row: all squares but the lane's; 0: two pieces share one */
	int16_t *reached;   /* scores of quiet moves, by the position that they lead to */
	int16_t *found;     /* the best so far, by the position before the move */
	struct lent *lent;  /* [0] for views, [1] for single positions */
	bool is_unread;
};

struct chess_best {
	struct el_best head;
	unsigned count;
	struct chess_man man[MEN_MAX]; /* in the order of the index */
	/* By side to move: the slice itself as quiet moves reach it, and as pawns do. */
	struct chess_view quiet[2], pushed[2];
	/* By mover (the last: the king), captured man (the last: none) and what the mover becomes. */
	struct chess_view *view; /* owned */
	uint32_t pair[64][64];   /* the rank of two squares among pairs */
	int16_t keep[256][8];    /* by eight bits of a set: all ones where a bit is set */
};

/* ---- best_rows.c ---- */

/* Looks at kings on these squares, in the colours of the slice under proof. False if they are
   adjacent, or if the table cannot be read. */
bool chess_look_open(struct chess_section *, const struct chess_view *, const uint8_t king[2],
                     unsigned lane, struct chess_look *out);
/* The squares where the lane makes a legal position in which the king of `side` is not in check. Reads
   the squares of the other men from `square`, by their own numbers. */
uint64_t chess_row_safe(const struct chess_view *, const uint8_t king[2], const uint8_t *square,
                        unsigned lane, unsigned side);
/* The indexes within the class by the square of the lane. */
void chess_row_index(const struct chess_best *, const struct chess_look *, const uint8_t *square,
                     uint32_t out[ROW]);
/* The scores by the square of the lane, 0 outside of `squares`. */
void chess_row_scores(const struct chess_best *, const struct chess_look *, const uint8_t *square,
                      uint64_t squares, int16_t out[ROW]);
/* The score with the lane on one square, or of bare kings; 0 if the king of the mover is in check. */
int16_t chess_one_score(const struct chess_section *, const struct chess_look *,
                        const uint8_t *square, unsigned at);

static inline void chess_row_join(int16_t *restrict to, const int16_t *restrict from)
{
	for (unsigned i = 0; i < ROW; i++)
		to[i] = from[i] > to[i] ? from[i] : to[i];
}

enum el_status chess_best(const struct el_best_problem *, struct el_best **, struct el_error *);

#endif
