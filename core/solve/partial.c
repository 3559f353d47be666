/* SPDX-License-Identifier: MIT */
/*
 * Slices whose successors are missing or known only within bounds: Bjornsson, Schaeffer,
 * Sturtevant, "Partial Information Endgame Databases", 2005.
 *
 * The paper has one iteration over ten values. A value is a pair of bounds, which may bear a mark
 * u: it may still change. All positions begin as a draw with the mark and become the best of their
 * moves, over and over, until nothing changes; then the marks go. The best of two values has the
 * greater of the lower bounds and the greater of the upper ones (its table 2), regardless of marks,
 * and for the other side a lower bound is an upper one. So White's lower bounds depend only on
 * Black's upper bounds, and these only on White's lower bounds; likewise for the other two. Each
 * half is an iteration over loss, draw and win that begins with all draws: a draw becomes a win
 * once a move leads to a loss, or a loss once all moves lead to wins, and never changes again. That
 * is retrograde analysis in which bounds from outside are read in favour of one side. Two
 * solutions, one in favour of each side, therefore give all bounds.
 */
#include "solve.h"

#include <stdlib.h>
#include <string.h>

/* A lender that wraps another one, and lends planes of unknown values for missing slices. */
struct gaps {
	const struct el_lender *lender;
	struct el_planes planes[EL_SUCCESSORS_MAX]; /* for missing slices; owned */
	size_t count;
	bool bounds; /* it has lent partial planes */
};

static enum el_status out_of_memory(const struct el_slice *slice, struct el_error *error)
{
	return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
}

static enum el_status fill_gap(struct gaps *g, const struct el_slice *slice,
                               const struct el_planes **out, struct el_error *error)
{
	for (size_t i = 0; i < g->count; i++)
		if (g->planes[i].slice.key == slice->key) {
			*out = &g->planes[i];
			return EL_OK;
		}
	struct el_planes *planes = &g->planes[g->count];
	*planes = (struct el_planes){.slice = *slice, .metric = &el_wdl};
	for (unsigned p = 0; p < slice->planes; p++) {
		struct el_plane *plane = &planes->plane[p];
		*plane = (struct el_plane){
			/* zeroed pages take no memory until something writes to them */
			.symbols = calloc(slice->positions, sizeof *plane->symbols),
			.values = malloc(sizeof *plane->values),
			.value_count = 1,
		};
		if (!plane->symbols || !plane->values) {
			el_planes_free(planes);
			return out_of_memory(slice, error);
		}
		plane->values[0] = (struct el_value){.outcome = EL_UNKNOWN};
	}
	g->count++;
	*out = planes;
	return EL_OK;
}

static enum el_status lend(void *context, const struct el_slice *slice,
                           const struct el_metric *solved, const struct el_planes **out,
                           struct el_error *error)
{
	struct gaps *g = context;
	enum el_status status = g->lender->lend(g->lender->context, slice, solved, out, error);
	if (!status)
		g->bounds |= el_planes_partial(*out);
	return status == EL_NEGATIVE ? fill_gap(g, slice, out, error) : status;
}

static void give_back(void *context, const struct el_planes *planes)
{
	const struct gaps *g = context;
	for (size_t i = 0; i < g->count; i++)
		if (planes == &g->planes[i])
			return;
	g->lender->give_back(g->lender->context, planes);
}

static const uint16_t *look(void *context, const struct el_planes *planes, unsigned plane,
                            uint64_t first, size_t count)
{
	const struct el_lender *lender = ((const struct gaps *)context)->lender;
	return lender->look(lender->context, planes, plane, first, count);
}

static void let_go(void *context, const struct el_planes *planes, unsigned plane, uint64_t first,
                   size_t count)
{
	const struct el_lender *lender = ((const struct gaps *)context)->lender;
	lender->let_go(lender->context, planes, plane, first, count);
}

static enum el_status check(void *context, struct el_error *error)
{
	const struct el_lender *lender = ((const struct gaps *)context)->lender;
	return lender->check ? lender->check(lender->context, error) : EL_OK;
}

/* ---- two solutions as one ---- */

/* Combines a plane of lower bounds and one of upper bounds. `out` takes over the symbols of
   `lower`. */
static enum el_status join_plane(struct el_plane *lower, const struct el_plane *upper,
                                 uint64_t positions, struct el_plane *out, struct el_error *error)
{
	const uint32_t count = upper->value_count;
	struct el_value *values = malloc((size_t)lower->value_count * count * sizeof *values);
	if (!values)
		return el_fail(error, EL_MEMORY, "out of memory for bounds");
	for (uint32_t l = 0; l < lower->value_count; l++)
		for (uint32_t u = 0; u < count; u++) {
			const enum el_outcome low = lower->values[l].outcome;
			const enum el_outcome high = upper->values[u].outcome;
			const bool broken = low == EL_BROKEN || high == EL_BROKEN;
			values[l * count + u] = (struct el_value){
				.outcome = (uint8_t)(broken ? EL_BROKEN
			                                    : el_outcome_between(low, high))};
		}
#pragma omp parallel for schedule(static)
	for (uint64_t i = 0; i < positions; i++)
		lower->symbols[i] = (uint16_t)(lower->symbols[i] * count + upper->symbols[i]);
	*out = (struct el_plane){lower->symbols, values, lower->value_count * count, NULL, NULL};
	lower->symbols = NULL;
	return el_plane_canonical(out, positions, error);
}

/* Joins two solutions, [side that it favours]. The one that favours the opponent gives the lower
   bounds of the side to move. */
static enum el_status join(struct el_planes favouring[2], struct el_planes *out,
                           struct el_error *error)
{
	const struct el_slice *slice = &favouring[EL_WHITE].slice;
	const unsigned white = favouring[EL_WHITE].passes, black = favouring[EL_BLACK].passes;
	*out = (struct el_planes){
		.slice = *slice,
		.metric = favouring[EL_WHITE].metric,
		.passes = white > black ? white : black,
	};
	memcpy(out->stage, favouring[EL_WHITE].stage, sizeof out->stage);
	for (unsigned i = 0; i < EL_STAGES_MAX; i++) {
		out->stage[i].decided += favouring[EL_BLACK].stage[i].decided;
		out->stage[i].seconds += favouring[EL_BLACK].stage[i].seconds;
	}
	enum el_status status = EL_OK;
	for (unsigned side = 0; side < slice->planes && !status; side++)
		status = join_plane(&favouring[!side].plane[side], &favouring[side].plane[side],
		                    slice->positions, &out->plane[side], error);
	if (status)
		el_planes_free(out);
	return status;
}

/* ---- both together ---- */

static enum el_status solve_for(const struct el_problem *problem, unsigned side, struct gaps *gaps,
                                struct el_planes *out, struct el_error *error)
{
	const struct el_lender lender = {gaps, lend, give_back, look, let_go, check};
	struct el_problem favoured = *problem;
	favoured.favour = side == EL_WHITE ? EL_FAVOUR_WHITE : EL_FAVOUR_BLACK;
	favoured.lender = &lender;
	return el_solve(&favoured, out, error);
}

enum el_status el_solve_partial(const struct el_problem *problem, struct el_planes *out,
                                struct el_missing *missing, struct el_error *error)
{
	struct gaps *gaps = calloc(1, sizeof *gaps);
	if (!gaps)
		return out_of_memory(&problem->slice, error);
	gaps->lender = problem->lender;
	struct el_planes favouring[2];
	enum el_status status = solve_for(problem, EL_WHITE, gaps, &favouring[EL_WHITE], error);
	if (!status && !gaps->count && !gaps->bounds) {
		*out = favouring[EL_WHITE];
	} else if (!status) {
		status = solve_for(problem, EL_BLACK, gaps, &favouring[EL_BLACK], error);
		if (!status) {
			status = join(favouring, out, error);
			el_planes_free(&favouring[EL_BLACK]);
		}
		el_planes_free(&favouring[EL_WHITE]);
	}
	if (missing)
		missing->count = gaps->count;
	for (size_t i = 0; i < gaps->count; i++) {
		if (missing)
			missing->slice[i] = gaps->planes[i].slice;
		el_planes_free(&gaps->planes[i]);
	}
	free(gaps);
	return status;
}
