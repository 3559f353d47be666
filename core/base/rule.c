/* SPDX-License-Identifier: MIT */
/* Move-count rules: what the values of each metric say about the outcome once the clock runs. */
#include "metric.h"

/* For a won or lost position: is the win in time? */
enum timing { IN_TIME, LATE, OPEN };

static enum timing timing_of(const struct el_metric *metric, struct el_value v, unsigned limit,
                             unsigned clock)
{
	const unsigned left = clock < limit ? limit - clock : 0;
	const bool late = el_outcome_late(v.outcome);
	if (late && metric->limit >= limit)
		return LATE;
	if (metric->by_clock) /* the value is for this clock */
		return !late && (metric->limit <= limit || v.plies <= left) ? IN_TIME : OPEN;
	if (!metric->has_depth)
		return metric->limit && metric->limit <= limit && !clock && !late ? IN_TIME : OPEN;
	if (!v.plies || (metric->join == EL_JOIN_SUM && v.plies <= left))
		return IN_TIME;
	/* dtr: the longest phase of the game, and the present one (metric.h). */
	if (metric->has_phase && v.plies <= left)
		return IN_TIME;
	/* A winner who needs the whole limit somewhere can be held up here for the whole phase. */
	if (metric->has_phase)
		return v.plies > limit || (v.plies == limit && v.phase > left) ? LATE : OPEN;
	if (metric->end != EL_END_ZEROING)
		return OPEN;
	if (metric->entered && metric->entered->has_phase)
		return v.plies > limit ? LATE : OPEN;
	/* The next zeroing move, under a stricter rule, a looser one (or none), or this one, which
	   counts as both. */
	const bool stricter = metric->limit && metric->limit <= limit && !late;
	const bool looser = !metric->limit || metric->limit >= limit || late;
	const unsigned rounded = v.rounded && v.plies != metric->limit;
	if (stricter && v.plies + rounded <= left)
		return IN_TIME;
	return looser && v.plies > left && !v.at_most ? LATE : OPEN;
}

enum el_outcome el_value_in_time(const struct el_metric *metric, struct el_value v, unsigned limit,
                                 unsigned clock)
{
	static const enum el_outcome wins[] = {EL_WIN, EL_CURSED_WIN, EL_AT_LEAST_CURSED};
	if (!limit)
		return el_metric_read(metric, &el_wdl, v).outcome;
	if (!el_outcome_exact(v.outcome) || v.outcome == EL_DRAW)
		return v.outcome;
	const enum el_outcome win = wins[timing_of(metric, v, limit, clock)];
	return v.outcome > EL_DRAW ? win : el_outcome_negate(win);
}

enum el_outcome el_outcome_too_late(enum el_outcome outcome)
{
	if (el_outcome_lower(outcome) >= EL_CURSED_WIN)
		return EL_CURSED_WIN;
	return el_outcome_upper(outcome) <= EL_BLESSED_LOSS ? EL_BLESSED_LOSS : outcome;
}
