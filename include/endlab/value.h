/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a position is worth: outcomes and depths. What is counted, metric.h says. */
#ifndef ENDLAB_VALUE_H
#define ENDLAB_VALUE_H

#include "endlab/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

EL_API_BEGIN

/*
 * For the side to move, worst first, so that exact outcomes compare with `<`. Where sub-tables are
 * missing an outcome may be known only within bounds [lower, upper]: EL_UNKNOWN is [loss, win].
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
	/* Won or lost, but nobody knows whether in time: found by a prober, never stored. */
	EL_AT_LEAST_CURSED, /* [cursed win, win] */
	EL_AT_MOST_BLESSED, /* [loss, blessed loss] */
	EL_OUTCOMES,
};

enum { EL_PLIES_MAX = 0xfff0 }; /* of a stored value: counting on from it fits 16 bits */

/*
 * `plies` is 0 where the outcome has no depth: draws, and every value of a metric without depths.
 * What is counted, and `phase`, the metric says (metric.h): 0 where it has none. Rounded: the plies may
 * be one more, but not past the limit of a rule that the outcome keeps. Some foreign tables hold moves
 * instead of plies; no table of ours does.
 */
struct el_value {
	uint8_t outcome; /* enum el_outcome */
	uint16_t plies;  /* 0 .. EL_PLIES_MAX */
	uint16_t phase;  /* 0 .. plies */
	bool rounded;
};

/* "win", "cursed-win", "draw", "blessed-loss", "loss", "unknown", "broken", "at-most-draw",
   "at-least-draw", "at-least-cursed-win", "at-most-blessed-loss". */
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
	return outcome > EL_WIN && outcome != EL_BROKEN;
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

/* What is left of an outcome when both are true of it; the first where they contradict each other. */
enum el_outcome el_outcome_both(enum el_outcome a, enum el_outcome b);

/* As they are written: two that are equal may be a ply apart where one is rounded. */
static inline bool el_value_equal(struct el_value a, struct el_value b)
{
	return a.outcome == b.outcome && a.plies == b.plies && a.phase == b.phase;
}

/* May they be the same, as far as they are rounded? */
static inline bool el_value_matches(struct el_value a, struct el_value b)
{
	return a.outcome == b.outcome && a.phase == b.phase && a.plies <= b.plies + b.rounded &&
	       b.plies <= a.plies + a.rounded;
}

EL_API_END

#endif
