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
	.has_depth = true,
	.inherits = true,
};

const struct el_metric *const el_metrics[] = {&el_wdl, &el_dtm, NULL};
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
	};
	return names[outcome];
}

enum el_outcome el_outcome_negate(enum el_outcome outcome)
{
	return outcome <= EL_WIN ? EL_WIN - outcome : outcome;
}

/* Outcomes on one line, the unknown between loss and draw: it may be either. */
static int standing(struct el_value v)
{
	return v.outcome == EL_UNKNOWN ? 2 * EL_DRAW - 1 : 2 * v.outcome;
}

int el_value_compare(struct el_value a, struct el_value b)
{
	if (a.outcome != b.outcome)
		return standing(a) < standing(b) ? -1 : 1;
	if (a.plies == b.plies)
		return 0;
	bool longer_is_better = a.outcome < EL_DRAW;
	return (a.plies > b.plies) == longer_is_better ? 1 : -1;
}

struct el_value el_value_of_move(const struct el_metric *metric, struct el_value reached,
                                 bool converts)
{
	struct el_value v = {(uint8_t)el_outcome_negate(reached.outcome), 0};
	bool counts = metric->has_depth && v.outcome != EL_DRAW && v.outcome <= EL_WIN;
	if (counts)
		v.plies = converts && !metric->inherits ? 1 : (uint16_t)(reached.plies + 1);
	return v;
}
