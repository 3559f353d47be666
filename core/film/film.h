/* SPDX-License-Identifier: MIT */
/*
 * A film: a solution to look at step by step. It shows what each pass of retrograde analysis
 * decided, and why.
 *
 *     el_film_make -> el_film_value / el_film_reason, step by step -> el_film_free
 *
 * An observer of the solver (solve.h) takes the film while one slice is solved in memory. The
 * slices that it depends on come from the library's tables or, without a table, are solved, too;
 * nothing is written. A finished film does not change, so any number of threads may read it.
 *
 * A film under one metric may show the solution of another metric that implies it, el_film.solved:
 * the passes are the solver's, and all values are under that metric (el_metric_read).
 *
 * If a zeroing move ends the count, a slice with pawns falls apart into one part for each placement
 * of its pawns. The solver takes one part after the other, each in its own passes. A film shows the
 * parts side by side: a step is what the pass of its number decided in all of them. A pawn's move
 * leads to another part, so its value is known before the first pass, like the value of a move into
 * another slice.
 */
#ifndef CORE_FILM_FILM_H
#define CORE_FILM_FILM_H

#include "core/library/library.h"

/* What a step of a film does. Steps that decide nothing are left out, except the first three, the
   limit of a rule, and the last. */
enum el_film_rule {
	EL_FILM_START,       /* every legal position is undecided; the other indexes are broken */
	EL_FILM_TERMINAL,    /* LOSS[0]: the side to move has lost on the board */
	EL_FILM_CONVERSIONS, /* moves that end the count get their values */
	EL_FILM_WIN,         /* WIN[ply] */
	EL_FILM_LOSS,        /* LOSS[ply] */
	/* won or lost under a limit of `ply`, and under no lower one (dtr); with stones, won or
	   lost by exactly el_film_stones of them */
	EL_FILM_WITHIN,
	EL_FILM_LIMIT, /* of a rule: all later wins and losses are too late */
	/* WIN[ply] without the rule, of positions that the rule left undecided */
	EL_FILM_CURSED,
	EL_FILM_BLESSED, /* LOSS[ply], the same */
	EL_FILM_DRAWS,   /* everything left is a draw */
};

/* Counts are of indexes that stand for positions: symmetric positions count once. In a film of two
   solutions (el_film.halves) a position counts once for each of its bounds. */
struct el_film_step {
	enum el_film_rule rule;
	unsigned ply;        /* for rules that name one */
	bool converts;       /* some of these wins are by a move that ends the count */
	uint64_t decided[2]; /* in this step, by side to move */
	uint64_t known[2];   /* after this step, by side to move */
};

/* What to film. */
struct el_film_wish {
	struct el_slice slice;
	const struct el_metric *metric; /* one that the slice's game has */
	/* The slice is solved within bounds: the successors listed here are treated as missing, all
	   others as known. The metric must be el_wdl. */
	bool partial;
	struct el_missing missing;
	/* If slice.is_study: a frame of a study, the one of this position, in the slice's place. Its
	   indexes are addresses (core/games/frames.h). */
	struct el_position position;
	uint64_t
		standing; /* squares of its pieces that stand: no position of it has them elsewhere */
};

/* The wish for the frame of a position that some study covers, as it is in its file now. Its passes
   count to the next zeroing move; where the study knows bounds, there are two solutions. EL_NEGATIVE:
   no study covers it. */
enum el_status el_film_frame(struct el_library *, const struct el_game *,
                             const struct el_position *, struct el_film_wish *out,
                             struct el_error *);

struct el_film {
	struct el_film_wish wish;
	/* the metric of the passes: el_metric_solved of the wish's metric */
	const struct el_metric *solved;
	/* solutions: 1; 2, one for each bound, if something was missing */
	unsigned halves;
	struct el_film_step *steps; /* owned */
	size_t step_count;
	unsigned deepest;       /* the greatest ply of a step */
	uint64_t broken[2];     /* indexes that stand for no position, by side to move */
	uint64_t legal[2];      /* by side to move */
	uint64_t stalemates[2]; /* of the legal ones: without a move, but not lost */
	/* Of the legal ones, in films of one half: where some move that ends the count wins,
	   however late; and where some such move does not lose, or not at once. */
	uint64_t winning[2], holding[2];
	struct el_film_reel *reel; /* owned */
};

/* EL_NEGATIVE, naming the size, if the film does not fit into the machine's memory; EL_USAGE if the
   game lacks the metric; EL_DAMAGED and EL_IO from tables; EL_STOPPED. */
enum el_status el_film_make(struct el_library *, const struct el_film_wish *,
                            const struct el_watch *, struct el_film **out, struct el_error *);
void el_film_free(struct el_film *);
/* The bytes that a finished film takes. */
uint64_t el_film_held(const struct el_film *);
/* Are values of the metric found pass by pass? Those that change with the clock are not. */
static inline bool el_film_shows(const struct el_metric *metric)
{
	return !metric->by_clock;
}

/* The bytes that making a film takes at its peak; *solving is the part that building the slice
   takes, too (el_task.bytes). */
uint64_t el_film_bytes(const struct el_film_wish *, uint64_t *solving);

/* Is the position, legal or not, in the slice or frame filmed, and at which place? Places are the indexes
   of all planes, one plane after the other. */
bool el_film_place(const struct el_film *, const struct el_position *, uint64_t *place);

/* What is known of a position after a step. */
struct el_film_value {
	/* EL_BROKEN: not legal. EL_UNKNOWN: undecided; in a film of two halves it is [loss, win],
	   and an undecided position is a draw that is `open`. `plies` is 0 under a metric without
	   depths. If the position is `outside`, the value is one under el_metric_entered. */
	struct el_value value;
	bool open;   /* a later step may change it: the u-mark of partial information */
	size_t step; /* the last one that changed it; 0 if none has */
	/* Known before the first pass: the position is in another slice, or a move that ends the
	   count reaches it. */
	bool outside;
};

/* The position, legal or not, must be in the slice or in one that its conversions enter. */
struct el_film_value el_film_value(const struct el_film *, const struct el_position *, size_t step);

/*
 * Finds the first position, from `place` on and wrapping around, that one of the steps `from` to
 * `to` decides; if `wins`, as a win in time. Places are the indexes of all planes, one plane after
 * the other. In a film of two halves, one bound is enough. False if there is none.
 */
bool el_film_find(const struct el_film *, size_t from, size_t to, bool wins, uint64_t place,
                  struct el_position *out);

enum el_film_why {
	EL_FILM_WHY_BROKEN,    /* `text` says why */
	EL_FILM_WHY_LOST,      /* lost on the board: no move */
	EL_FILM_WHY_STALEMATE, /* no move, and a draw by the rules */
	/* one move decides: a win, by reaching a lost position; or, in the end, a draw */
	EL_FILM_WHY_MOVE,
	EL_FILM_WHY_ALL,     /* lost, in time or not: all moves lead to wins */
	EL_FILM_WHY_OPEN,    /* undecided, or known within bounds that may change */
	EL_FILM_WHY_BOUNDS,  /* decided within bounds: `move` secures the lower one */
	EL_FILM_WHY_OUTSIDE, /* in another slice */
};

/* Why a position has its value after a step. */
struct el_film_reason {
	enum el_film_why why;
	struct el_film_value value;
	char text[128]; /* for EL_FILM_WHY_BROKEN */
	/* The move to look at next: the one that decides; in a loss, the longest defence; if
	   nothing is decided, the quickest known win, which a later step will count, or else a move
	   whose result is not known. The first three reasons have none. */
	bool has_move, converts;
	struct el_move move;
	unsigned gain;                /* stones that the move captures */
	struct el_film_value reached; /* by the move, for the opponent */
	/* How many moves there are, and how many reach each outcome for the opponent, as known
	   after the step. */
	unsigned moves, to_loss, to_blessed, to_draw, to_cursed, to_win, unknown;
};

/* With stones: how many are won or lost in a step of that ply. A side that has lost on the board
   loses them all. */
static inline unsigned el_film_stones(const struct el_film *film, unsigned ply)
{
	return ply ? el_threshold_of_stones(&film->wish.slice, ply) : film->wish.slice.pieces;
}

struct el_film_reason el_film_reason(const struct el_film *, const struct el_position *,
                                     size_t step);

/* A legal move, and its value for its mover after the last step: el_value_of_move. */
struct el_film_move {
	struct el_move move;
	struct el_value value;
	bool converts; /* it ends the count */
};

/* All legal moves of a position of the slice, best first; moves of the same value are in the game's
   order. Returns how many; 0 if the position is not legal. */
size_t el_film_moves(const struct el_film *, const struct el_position *,
                     struct el_film_move out[EL_MOVES_MAX]);

#endif
