/* SPDX-License-Identifier: MIT */
/*
 * Compares two tables of one slice, position by position, under a metric that both determine.
 *
 * There are few pairs of symbols, so each is judged once, and the planes are then compared at
 * memory speed.
 */
#include "examine.h"

#include <stdlib.h>

enum judgement { AGREES, WITHIN_A_PLY, WITHIN_BOUNDS, DIFFERS };

/* Judges values under two metrics by the one that both determine. */
static enum judgement judge(const struct el_metric *ours, const struct el_metric *theirs,
                            const struct el_metric *common, struct el_value our,
                            struct el_value their)
{
	const struct el_value a = el_metric_read(ours, common, our);
	const struct el_value b = el_metric_read(theirs, common, their);
	if (a.outcome != b.outcome)
		return el_value_bounded(common, a) && el_outcome_within(b.outcome, a.outcome)
		               ? WITHIN_BOUNDS
		               : DIFFERS;
	if (!common->has_depth)
		return AGREES;
	/* Does only one of them count on past the limit of a rule? */
	if (ours->late != theirs->late && el_outcome_late(a.outcome)) {
		const unsigned plies = theirs->late ? b.plies : a.plies;
		return plies > common->limit ? AGREES : DIFFERS;
	}
	return el_value_equal(a, b) ? AGREES : el_value_matches(a, b) ? WITHIN_A_PLY : DIFFERS;
}

enum el_status el_compare(const struct el_planes *ours, const struct el_planes *theirs,
                          struct el_comparison *out, struct el_error *error)
{
	const struct el_slice *slice = &ours->slice;
	*out = (struct el_comparison){.metric = el_metric_common(ours->metric, theirs->metric)};
	for (unsigned plane = 0; plane < slice->planes; plane++) {
		const struct el_plane *a = &ours->plane[plane], *b = &theirs->plane[plane];
		uint64_t compared = 0, within = 0, bounded = 0, different = 0;
		/* [symbol of ours][symbol of theirs] */
		uint8_t *judgement = malloc((size_t)a->value_count * b->value_count);
		if (!judgement)
			return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
		for (size_t s = 0; s < a->value_count; s++)
			for (size_t t = 0; t < b->value_count; t++)
				judgement[s * b->value_count + t] =
					(uint8_t)judge(ours->metric, theirs->metric, out->metric,
				                       a->values[s], b->values[t]);
#pragma omp parallel for reduction(+ : compared, within, bounded, different)
		for (uint64_t i = 0; i < slice->positions; i++) {
			if (!b->symbols[i])
				continue;
			const uint8_t j =
				judgement[(size_t)a->symbols[i] * b->value_count + b->symbols[i]];
			compared++;
			within += j == WITHIN_A_PLY;
			bounded += j == WITHIN_BOUNDS;
			different += j == DIFFERS;
		}
		out->compared += compared;
		out->within += within;
		out->bounded += bounded;
		out->different += different;
		/* list the first positions that differ, as far as there is room */
		for (uint64_t i = 0;
		     different && i < slice->positions && out->count < EL_DIFFERENCES_MAX; i++) {
			struct el_difference *d = &out->first[out->count];
			if (!b->symbols[i] ||
			    judgement[(size_t)a->symbols[i] * b->value_count + b->symbols[i]] !=
			            DIFFERS ||
			    !index_format(slice, plane, i, el_slice_mover(slice, plane), d->fen))
				continue;
			d->ours = el_metric_read(ours->metric, out->metric, el_plane_value(a, i));
			d->theirs =
				el_metric_read(theirs->metric, out->metric, el_plane_value(b, i));
			out->count++;
		}
		free(judgement);
	}
	return EL_OK;
}
