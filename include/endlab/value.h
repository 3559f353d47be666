/* SPDX-License-Identifier: MIT */
/* The value of a position: an outcome and a depth. The metric defines what a depth counts (in the
   sources, metric.h; for users, `endlab --man`). */
#ifndef ENDLAB_VALUE_H
#define ENDLAB_VALUE_H

#include "endlab/status.h"

#include <stdbool.h>
#include <stdint.h>

EL_API_BEGIN

/*
 * For the side to move, from worst to best, so that exact outcomes can be compared with `<`. Where
 * tables are missing, an outcome may be known only within bounds [lower, upper]: EL_UNKNOWN is
 * [loss, win].
 */
enum el_outcome {
	EL_LOSS,
	EL_BLESSED_LOSS, /* lost, but drawn under the move-count rule */
	EL_DRAW,
	EL_CURSED_WIN, /* won, but drawn under the move-count rule */
	EL_WIN,
	EL_UNKNOWN,       /* [loss, win]: no table knows */
	EL_BROKEN,        /* the index has no legal position */
	EL_AT_MOST_DRAW,  /* [loss, draw] */
	EL_AT_LEAST_DRAW, /* [draw, win] */
	/* Won or lost, perhaps too late for the rule: found by a prober, never stored. */
	EL_AT_LEAST_CURSED, /* [cursed win, win] */
	EL_AT_MOST_BLESSED, /* [loss, blessed loss] */
	EL_OUTCOMES,
};
/* Functions take any other number for EL_BROKEN. */

enum { EL_PLIES_MAX = 0xfff0 }; /* of a stored value; a few more still fit in 16 bits */

/* The metric says what `plies` and `phase` count. */
struct el_value {
	uint8_t outcome; /* enum el_outcome */
	uint16_t plies;  /* 0 .. EL_PLIES_MAX; 0 for draws and under metrics without depths */
	uint16_t phase;  /* 0 .. plies; 0 under metrics without phases */
	/* The true depth may be one ply more, though not past the limit of a rule that the outcome
	   keeps: some foreign tables hold moves instead of plies. Ours never do. */
	bool rounded;
	/* The true depth may be less: a study has not followed everything that could make it so. */
	bool at_most;
};

/* "win", "cursed-win", "draw", "blessed-loss", "loss", "unknown", "broken", "at-most-draw",
   "at-least-draw", "at-least-cursed-win" or "at-most-blessed-loss". */
const char *el_outcome_name(enum el_outcome outcome);
/* The outcome from the other side's point of view. */
enum el_outcome el_outcome_negate(enum el_outcome outcome);

/* Is it known exactly? */
static inline bool el_outcome_exact(enum el_outcome outcome)
{
	return outcome <= EL_WIN;
}

/* Won or lost, but drawn under the move-count rule? */
static inline bool el_outcome_late(enum el_outcome outcome)
{
	return outcome == EL_CURSED_WIN || outcome == EL_BLESSED_LOSS;
}

/* Won or lost, but not known whether in time? */
static inline bool el_outcome_untimed(enum el_outcome outcome)
{
	return outcome == EL_AT_LEAST_CURSED || outcome == EL_AT_MOST_BLESSED;
}

/* Is it known only within bounds? EL_UNKNOWN is. */
static inline bool el_outcome_bounded(enum el_outcome outcome)
{
	return outcome > EL_WIN && outcome != EL_BROKEN;
}

/* The bounds of an outcome; both bounds of an exact one are that outcome. */
enum el_outcome el_outcome_lower(enum el_outcome outcome);
enum el_outcome el_outcome_upper(enum el_outcome outcome);
/* Do the bounds of `outer` include those of `inner`? */
bool el_outcome_within(enum el_outcome inner, enum el_outcome outer);
/* The narrowest bounds that include two exact outcomes, the first no better than the second. */
enum el_outcome el_outcome_between(enum el_outcome lower, enum el_outcome upper);
/*
 * The outcome for a side that may choose between two: the greater if both are exact; else the
 * greater of the lower bounds and the greater of the upper bounds (Bjornsson, Schaeffer,
 * Sturtevant, "Partial Information Endgame Databases", 2005, section 2.2).
 */
enum el_outcome el_outcome_max(enum el_outcome a, enum el_outcome b);

/* What is known of an outcome if both are true of it; the first if they contradict each other. */
enum el_outcome el_outcome_both(enum el_outcome a, enum el_outcome b);

/* Are the values the same? Compares depths that are rounded or `at_most` as stored. */
static inline bool el_value_equal(struct el_value a, struct el_value b)
{
	return a.outcome == b.outcome && a.plies == b.plies && a.phase == b.phase;
}

/* Can both be true of one position? A rounded depth may be one ply more than stored, one that is
   `at_most` any number less. */
static inline bool el_value_matches(struct el_value a, struct el_value b)
{
	return a.outcome == b.outcome && a.phase == b.phase &&
	       (a.at_most || a.plies <= b.plies + b.rounded) &&
	       (b.at_most || b.plies <= a.plies + a.rounded);
}

EL_API_END

#endif
