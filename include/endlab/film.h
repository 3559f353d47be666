/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A solution to be looked at: what each pass of retrograde analysis decided, and why.
 *
 *     el_film_make -> el_film_value / el_film_reason, step by step -> el_film_free
 *
 * A film is taken by an observer of the solver (solve.h) while it solves one slice in memory. What
 * the slice depends on comes from the library's tables or, where there is none, is solved too;
 * nothing is written. A film does not change after it is made: any number of threads may look at it.
 *
 * A film under one metric may be that of another, el_film.solved, which tells it: the passes are those
 * that the solver makes, and all values here are under that metric (el_metric_read).
 *
 * Where the count ends with a zeroing move, a slice with pawns falls apart into one part for each
 * placement of its pawns, which the solver goes through one after the other, each with passes of its
 * own. A film shows them side by side: a step is what the pass of its number decided in every part. A
 * move of a pawn leads to another part, so that its value was known before the first pass, like that of
 * a move into another slice.
 */
#ifndef ENDLAB_FILM_H
#define ENDLAB_FILM_H

#include "endlab/library.h"

/* What a step of the film does. Steps that decide nothing are left out, but for the first three, the
   limit of a rule, and the last. */
enum el_film_rule {
	EL_FILM_START,       /* every legal position is undecided; the other indexes are broken */
	EL_FILM_TERMINAL,    /* LOSS[0]: the side to move has lost on the board */
	EL_FILM_CONVERSIONS, /* what the moves that end the count lead to is known */
	EL_FILM_WIN,         /* WIN[ply] */
	EL_FILM_LOSS,        /* LOSS[ply] */
	EL_FILM_WITHIN,      /* won or lost under a limit of `ply`, and under no lower one (dtr); in stones,
	                        won or lost by just el_film_stones of them */
	EL_FILM_LIMIT,       /* under a rule: what follows is won and lost too late */
	EL_FILM_CURSED,      /* WIN[ply] without the rule, of what it left */
	EL_FILM_BLESSED,     /* LOSS[ply], the same */
	EL_FILM_DRAWS,       /* what is left is a draw */
};

/* All counts are of indexes that stand for positions: symmetric ones are counted once. In a film of
   two solutions (el_film.halves) a position is counted once for each of its bounds. */
struct el_film_step {
	enum el_film_rule rule;
	unsigned ply;        /* of those that have one */
	bool converts;       /* of a win: a move that ends the count brought some of them */
	uint64_t decided[2]; /* in this step, by side to move */
	uint64_t known[2];   /* in this step and those before */
};

/* What is to be filmed. */
struct el_film_wish {
	struct el_slice slice;
	const struct el_metric *metric; /* one that the slice's game has */
	/* The slice is solved within bounds: these of its successors are treated as missing, and all
	   others are known. Partial films are of outcomes: the metric is el_wdl. */
	bool partial;
	struct el_missing missing;
};

struct el_film {
	struct el_film_wish wish;
	const struct el_metric *solved; /* whose passes these are: el_metric_solved of the wish's */
	unsigned halves; /* 1; 2 where something was missing, and each bound has a solution of its own */
	struct el_film_step *steps; /* owned */
	size_t step_count;
	uint64_t broken[2];     /* indexes that stand for no position, by side to move */
	uint64_t legal[2];      /* by side to move */
	uint64_t stalemates[2]; /* of these: no move, but not lost */
	/* Of these, in films of one half: some move that ends the count wins, sooner or later, or wins too
	   late; some does not lose, or not at once. */
	uint64_t winning[2], holding[2];
	struct el_film_reel *reel; /* owned */
};

/* EL_NEGATIVE, with the size named, when it does not fit into the machine's memory; EL_USAGE when
   the game lacks that metric; EL_DAMAGED and EL_IO of a table that is read; EL_STOPPED. */
enum el_status el_film_make(struct el_library *, const struct el_film_wish *,
                            const struct el_watch *, struct el_film **out, struct el_error *);
void el_film_free(struct el_film *);
/* The memory that a film takes once it is made, in bytes. */
uint64_t el_film_held(const struct el_film *);
/* The memory that making a film takes at its peak, in bytes; *solving is the part that a build of the
   slice takes too (el_task.bytes). */
uint64_t el_film_bytes(const struct el_film_wish *, uint64_t *solving);

/* What is known of a position after a step. */
struct el_film_value {
	/* EL_BROKEN: not legal. EL_UNKNOWN: undecided; in a film of two halves, where undecided is a draw
	   that is `open`, it is [loss, win]. `plies` is 0 under a metric without depths. Of a position that
	   is `outside`, a value under el_metric_entered. */
	struct el_value value;
	bool open;   /* a later step may change it: the u-mark of partial information */
	size_t step; /* the last one that changed it; 0 when none has */
	/* Known before the first pass: the position is of another slice or, of what a move reaches, the
	   move ends the count. */
	bool outside;
};

/* `position` may be any, legal or not, of the slice or one that its conversions enter. */
struct el_film_value el_film_value(const struct el_film *, const struct el_position *, size_t step);

/*
 * The first position, from a place on and wrapping around, that the side to move wins, and in time, in
 * `from` to `to` plies, under a metric with depths. Places are those of all planes one after the other. False
 * when there is none.
 */
bool el_film_find_win(const struct el_film *, unsigned from, unsigned to, uint64_t place,
                      struct el_position *out);

enum el_film_why {
	EL_FILM_WHY_BROKEN,    /* `text` says why */
	EL_FILM_WHY_LOST,      /* lost on the board: no move */
	EL_FILM_WHY_STALEMATE, /* no move, and a draw by the rules */
	EL_FILM_WHY_MOVE,      /* decided by one move: to a loss (a win), or, at the end, to a draw */
	EL_FILM_WHY_ALL,       /* lost, in time or not: all moves lead to wins */
	EL_FILM_WHY_OPEN,      /* not decided yet, or known within bounds that may change */
	EL_FILM_WHY_BOUNDS,    /* decided within bounds: `move` gives the best that is sure */
	EL_FILM_WHY_OUTSIDE,   /* of another slice */
};

/* Why a position is worth what it is after a step. */
struct el_film_reason {
	enum el_film_why why;
	struct el_film_value value;
	char text[128];             /* of EL_FILM_WHY_BROKEN */
	/* The move to look at next: the one that decides; of a loss the longest; where nothing is
	   decided the quickest win that is known, which a later step sees, or else one whose end
	   is not known. Not with the first three. */
	bool has_move, converts;
	struct el_move move;
	unsigned gain; /* stones that it captures */
	struct el_film_value reached; /* for the opponent */
	/* Moves, by what they reach for the opponent after the step. */
	unsigned moves, to_loss, to_blessed, to_draw, to_cursed, to_win, unknown;
};

/* In stones: how many are won or lost with a step of that ply. What is lost on the board are all. */
static inline unsigned el_film_stones(const struct el_film *film, unsigned ply)
{
	return ply ? el_level_of_stones(&film->wish.slice, ply) : film->wish.slice.pieces;
}

struct el_film_reason el_film_reason(const struct el_film *, const struct el_position *, size_t step);

/* A legal move and what it is worth for its mover in the end, with all steps done: el_value_of_move. */
struct el_film_move {
	struct el_move move;
	struct el_value value;
	bool converts; /* it ends the count */
};

/* All legal moves of a position of the slice, best first; moves of one value stand as the game lists
   them. Returns how many; 0 of a position that is not legal. */
size_t el_film_moves(const struct el_film *, const struct el_position *,
                     struct el_film_move out[EL_MOVES_MAX]);

#endif
