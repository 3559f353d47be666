/* SPDX-License-Identifier: MIT */
#include "endlab/value.h"

/* Callers from outside may pass any number; one that is no outcome counts as EL_BROKEN. */
static enum el_outcome in_range(enum el_outcome outcome)
{
	return (unsigned)outcome < EL_OUTCOMES ? outcome : EL_BROKEN;
}

const char *el_outcome_name(enum el_outcome outcome)
{
	static const char *const names[] = {
		[EL_LOSS] = "loss",
		[EL_BLESSED_LOSS] = "blessed-loss",
		[EL_DRAW] = "draw",
		[EL_CURSED_WIN] = "cursed-win",
		[EL_WIN] = "win",
		[EL_UNKNOWN] = "unknown",
		[EL_BROKEN] = "broken",
		[EL_AT_MOST_DRAW] = "at-most-draw",
		[EL_AT_LEAST_DRAW] = "at-least-draw",
		[EL_AT_LEAST_CURSED] = "at-least-cursed-win",
		[EL_AT_MOST_BLESSED] = "at-most-blessed-loss",
	};
	return names[in_range(outcome)];
}

/* The worst and the best outcome that each may turn out to be. */
static const struct bounds {
	uint8_t lower, upper;
} bounds[EL_OUTCOMES] = {
	[EL_LOSS] = {EL_LOSS, EL_LOSS},
	[EL_BLESSED_LOSS] = {EL_BLESSED_LOSS, EL_BLESSED_LOSS},
	[EL_DRAW] = {EL_DRAW, EL_DRAW},
	[EL_CURSED_WIN] = {EL_CURSED_WIN, EL_CURSED_WIN},
	[EL_WIN] = {EL_WIN, EL_WIN},
	[EL_UNKNOWN] = {EL_LOSS, EL_WIN},
	[EL_BROKEN] = {EL_BROKEN, EL_BROKEN},
	[EL_AT_MOST_DRAW] = {EL_LOSS, EL_DRAW},
	[EL_AT_LEAST_DRAW] = {EL_DRAW, EL_WIN},
	[EL_AT_LEAST_CURSED] = {EL_CURSED_WIN, EL_WIN},
	[EL_AT_MOST_BLESSED] = {EL_LOSS, EL_BLESSED_LOSS},
};

enum el_outcome el_outcome_lower(enum el_outcome outcome)
{
	return bounds[in_range(outcome)].lower;
}

enum el_outcome el_outcome_upper(enum el_outcome outcome)
{
	return bounds[in_range(outcome)].upper;
}

bool el_outcome_within(enum el_outcome inner, enum el_outcome outer)
{
	return el_outcome_lower(inner) >= el_outcome_lower(outer) &&
	       el_outcome_upper(inner) <= el_outcome_upper(outer);
}

enum el_outcome el_outcome_between(enum el_outcome lower, enum el_outcome upper)
{
	if (lower == upper)
		return lower;
	if (lower >= EL_DRAW)
		return lower == EL_DRAW ? EL_AT_LEAST_DRAW : EL_AT_LEAST_CURSED;
	if (upper <= EL_DRAW)
		return upper == EL_DRAW ? EL_AT_MOST_DRAW : EL_AT_MOST_BLESSED;
	return EL_UNKNOWN;
}

static enum el_outcome greater(enum el_outcome a, enum el_outcome b)
{
	return a > b ? a : b;
}

enum el_outcome el_outcome_max(enum el_outcome a, enum el_outcome b)
{
	return el_outcome_between(greater(el_outcome_lower(a), el_outcome_lower(b)),
	                          greater(el_outcome_upper(a), el_outcome_upper(b)));
}

enum el_outcome el_outcome_both(enum el_outcome a, enum el_outcome b)
{
	const enum el_outcome lower = greater(el_outcome_lower(a), el_outcome_lower(b));
	const enum el_outcome upper = el_outcome_upper(a) < el_outcome_upper(b)
	                                      ? el_outcome_upper(a)
	                                      : el_outcome_upper(b);
	return lower > upper ? a : el_outcome_between(lower, upper);
}

enum el_outcome el_outcome_negate(enum el_outcome outcome)
{
	switch (outcome) {
	case EL_AT_MOST_DRAW:
		return EL_AT_LEAST_DRAW;
	case EL_AT_LEAST_DRAW:
		return EL_AT_MOST_DRAW;
	case EL_AT_LEAST_CURSED:
		return EL_AT_MOST_BLESSED;
	case EL_AT_MOST_BLESSED:
		return EL_AT_LEAST_CURSED;
	default:
		return (unsigned)outcome <= EL_WIN ? EL_WIN - outcome : in_range(outcome);
	}
}
