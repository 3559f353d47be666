/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a position is worth: outcomes, depths, and the metrics that count them. */
#ifndef ENDLAB_VALUE_H
#define ENDLAB_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * For the side to move, worst first, so that exact outcomes compare with `<`. Where sub-tables are
 * missing an outcome may be known only within bounds [lower, upper], each a loss, a draw or a win:
 * EL_UNKNOWN is [loss, win].
 */
enum el_outcome {
	EL_LOSS,
	EL_BLESSED_LOSS, /* lost, but drawn under the 50-move rule */
	EL_DRAW,
	EL_CURSED_WIN, /* won, but drawn under the 50-move rule */
	EL_WIN,
	EL_UNKNOWN, /* no table says */
	EL_BROKEN,  /* an index that no legal position has */
	EL_AT_MOST_DRAW,  /* [loss, draw] */
	EL_AT_LEAST_DRAW, /* [draw, win] */
};

enum { EL_PLIES_MAX = 0xfff0 }; /* of a stored value: counting on from it fits 16 bits */

/* `plies` is 0 where the outcome has no depth: draws, and every value of a metric without depths. */
struct el_value {
	uint8_t outcome; /* enum el_outcome */
	uint16_t plies;  /* 0 .. EL_PLIES_MAX */
};

/*
 * A metric as data: which moves end its count, and whether the count goes on in the table that such
 * a move enters. The solver, the prober and `verify` read these members and know no metric by name.
 */
struct el_metric {
	const char *name;  /* "dtm", as on the command line and in files */
	const char *title; /* "depth to mate" */
	const char *game;  /* the game that has it; null: every game */
	bool has_depth;    /* values carry plies */
	bool inherits;     /* a conversion counts its ply plus the depth of the position it enters;
	                      otherwise it counts its own ply alone */
};

extern const struct el_metric el_wdl, el_dtm, el_dtw, el_dtc;

/* All metrics, null-terminated, in the order in which screens and files list them. */
extern const struct el_metric *const el_metrics[];
enum { EL_METRICS = 4 };

/* Null when no metric has that name. */
const struct el_metric *el_metric_find(const char *name);
/* The place of a metric in `el_metrics`, where it must be. */
size_t el_metric_rank(const struct el_metric *metric);
/* What must be known of a position that a conversion enters: its value under the metric itself
   where the count goes on from there, else the outcome, so this is `el_wdl`. */
const struct el_metric *el_metric_entered(const struct el_metric *metric);

/* "win", "cursed-win", "draw", "blessed-loss", "loss", "unknown", "broken", "at-most-draw",
   "at-least-draw". */
const char *el_outcome_name(enum el_outcome outcome);
enum el_outcome el_outcome_negate(enum el_outcome outcome);

/* Neither bounds nor broken. */
static inline bool el_outcome_exact(enum el_outcome outcome)
{
	return outcome <= EL_WIN;
}

/* Known only within bounds. */
static inline bool el_outcome_bounded(enum el_outcome outcome)
{
	return outcome == EL_UNKNOWN || outcome == EL_AT_MOST_DRAW || outcome == EL_AT_LEAST_DRAW;
}

/* The bounds of an outcome; those of an exact one are itself. */
enum el_outcome el_outcome_lower(enum el_outcome outcome);
enum el_outcome el_outcome_upper(enum el_outcome outcome);
/* Is all that `inner` may be among what `outer` may be? */
bool el_outcome_within(enum el_outcome inner, enum el_outcome outer);
/* The narrowest bounds that hold both of two exact outcomes, the worse one first. */
enum el_outcome el_outcome_between(enum el_outcome lower, enum el_outcome upper);
/*
 * The better of two for the side that chooses: the greater of the lower bounds and the greater of
 * the upper ones (Bjornsson, Schaeffer, Sturtevant, "Partial Information Endgame Databases", 2005,
 * section 2.2). Of exact outcomes, the greater.
 */
enum el_outcome el_outcome_max(enum el_outcome a, enum el_outcome b);

/*
 * The order of a metric's values, known to these three functions only.
 *
 * <0, 0, >0 as `a` is worse, as good or better than `b` for the side to move: outcome first, then,
 * where the metric has depths, the shorter win or the longer loss. Bounds are ordered by the
 * lower one, then by the upper one, in keeping with every comparison of outcomes: loss,
 * [loss, draw], unknown, draw, [draw, win], win.
 */
int el_value_compare(const struct el_metric *metric, struct el_value a, struct el_value b);
/* The better of two for the side that chooses: of bounds what el_outcome_max says, which may
   be neither of them; else the one that compares greater. */
struct el_value el_value_max(const struct el_metric *metric, struct el_value a, struct el_value b);
/* No value is better: a search for the maximum may stop here. */
bool el_value_is_best(const struct el_metric *metric, struct el_value value);

/* The value of a move for its mover, given the value of the position it reaches for the opponent.
   `converts`: the move leaves the slice. */
struct el_value el_value_of_move(const struct el_metric *metric, struct el_value reached,
                                 bool converts);

static inline bool el_value_equal(struct el_value a, struct el_value b)
{
	return a.outcome == b.outcome && a.plies == b.plies;
}

#endif
