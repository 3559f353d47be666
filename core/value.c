/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "endlab/value.h"

#include <string.h>

const struct el_metric el_wdl = {
	.name = "wdl",
	.title = "win, draw or loss",
};
const struct el_metric el_dtm = {
	.name = "dtm",
	.title = "depth to mate",
	.game = "chess",
	.has_depth = true,
	.inherits = true,
};
const struct el_metric el_dtw = {
	.name = "dtw",
	.title = "depth to win",
	.game = "checkers",
	.has_depth = true,
	.inherits = true,
};
const struct el_metric el_dtc = {
	.name = "dtc",
	.title = "depth to conversion",
	.has_depth = true,
};

const struct el_metric *const el_metrics[] = {&el_wdl, &el_dtm, &el_dtw, &el_dtc, NULL};
_Static_assert(sizeof el_metrics / sizeof *el_metrics == EL_METRICS + 1, "EL_METRICS counts them");

const struct el_metric *el_metric_find(const char *name)
{
	for (const struct el_metric *const *m = el_metrics; *m; m++)
		if (!strcmp((*m)->name, name))
			return *m;
	return NULL;
}

size_t el_metric_rank(const struct el_metric *metric)
{
	size_t rank = 0;
	while (el_metrics[rank] != metric)
		rank++;
	return rank;
}

const struct el_metric *el_metric_entered(const struct el_metric *metric)
{
	return metric->inherits ? metric : &el_wdl;
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
	};
	return names[outcome];
}

enum el_outcome el_outcome_lower(enum el_outcome outcome)
{
	if (outcome == EL_AT_LEAST_DRAW)
		return EL_DRAW;
	return outcome == EL_AT_MOST_DRAW || outcome == EL_UNKNOWN ? EL_LOSS : outcome;
}

enum el_outcome el_outcome_upper(enum el_outcome outcome)
{
	if (outcome == EL_AT_MOST_DRAW)
		return EL_DRAW;
	return outcome == EL_AT_LEAST_DRAW || outcome == EL_UNKNOWN ? EL_WIN : outcome;
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
	if (upper > EL_DRAW)
		return lower < EL_DRAW ? EL_UNKNOWN : EL_AT_LEAST_DRAW;
	return EL_AT_MOST_DRAW;
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

enum el_outcome el_outcome_negate(enum el_outcome outcome)
{
	if (outcome == EL_AT_MOST_DRAW)
		return EL_AT_LEAST_DRAW;
	if (outcome == EL_AT_LEAST_DRAW)
		return EL_AT_MOST_DRAW;
	return outcome <= EL_WIN ? EL_WIN - outcome : outcome;
}

/* All outcomes on one line. */
static int standing(enum el_outcome outcome)
{
	static const int standings[] = {
		[EL_LOSS] = 0,         [EL_AT_MOST_DRAW] = 1,  [EL_BLESSED_LOSS] = 2,
		[EL_UNKNOWN] = 3,      [EL_DRAW] = 4,          [EL_AT_LEAST_DRAW] = 5,
		[EL_CURSED_WIN] = 6,   [EL_WIN] = 7,           [EL_BROKEN] = 8,
	};
	return standings[outcome];
}

int el_value_compare(const struct el_metric *metric, struct el_value a, struct el_value b)
{
	if (a.outcome != b.outcome)
		return standing(a.outcome) < standing(b.outcome) ? -1 : 1;
	if (!metric->has_depth || a.plies == b.plies)
		return 0;
	bool longer_is_better = a.outcome < EL_DRAW;
	return (a.plies > b.plies) == longer_is_better ? 1 : -1;
}

struct el_value el_value_max(const struct el_metric *metric, struct el_value a, struct el_value b)
{
	if (el_outcome_bounded(a.outcome) || el_outcome_bounded(b.outcome))
		return (struct el_value){(uint8_t)el_outcome_max(a.outcome, b.outcome), 0};
	return el_value_compare(metric, a, b) < 0 ? b : a;
}

bool el_value_is_best(const struct el_metric *metric, struct el_value value)
{
	return value.outcome == EL_WIN && !metric->has_depth;
}

struct el_value el_value_of_move(const struct el_metric *metric, struct el_value reached,
                                 bool converts)
{
	struct el_value v = {(uint8_t)el_outcome_negate(reached.outcome), 0};
	bool counts = metric->has_depth && v.outcome != EL_DRAW && el_outcome_exact(v.outcome);
	if (counts)
		v.plies = converts && !metric->inherits ? 1 : (uint16_t)(reached.plies + 1);
	return v;
}
