/* SPDX-License-Identifier: MIT */
/*
 * Outcomes without depths can agree with each other and be false: wins that rest on wins, in
 * circles. So the slice is solved for depths that need no more of other slices than its outcomes
 * do: plies to the next conversion or, under a rule, to the next zeroing move. These are proved as
 * any depths are, which shows that the solver made no mistake, and the outcomes must be theirs.
 */
#include "core/whole/lender.h"
#include "proof.h"

const struct el_metric *proof_depths(const struct el_planes *planes)
{
	return el_planes_partial(planes) ? NULL
	                                 : el_game_depths(planes->slice.game, planes->metric);
}

struct comparing {
	const struct proof *proof;
	const struct el_planes *depths;
};

static enum el_status compare_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                    struct el_error *error)
{
	const struct comparing *c = context;
	const struct proof *p = c->proof;
	const struct el_plane *told = &c->depths->plane[p->plane];
	for (uint64_t i = first; i < end; i++)
		/* the proof of the depths has seen that only broken indexes have none */
		if (told->symbols[i])
			proof_compare(&p->findings[thread], i,
			              el_plane_value(&p->planes->plane[p->plane], i),
			              el_metric_read(c->depths->metric, p->planes->metric,
			                             el_plane_value(told, i)));
	(void)error;
	return EL_OK;
}

enum el_status proof_of_outcomes(struct el_library *library, const struct el_planes *planes,
                                 bool slow, const struct el_watch *watch, struct el_verdict *out,
                                 struct reads *reads, struct el_error *error)
{
	struct el_planes depths = {.metric = NULL};
	struct proof p = {
		.planes = planes,
		.reach.game = planes->slice.game,
		.watch = watch,
		.out = out,
	};
	const struct el_problem problem = {
		.slice = planes->slice, .metric = proof_depths(planes), .watch = watch};
	enum el_status status = lender_solve(library, watch, problem, &depths, error);
	if (!status)
		status = proof_of_planes(library, &depths, slow, watch, out, reads, error);
	if (!status && out->wrong)
		status = el_fail(error, EL_DAMAGED,
		                 "%s %s: solved for its proof, and found wrong, first at %s: "
		                 "please report this",
		                 planes->slice.name, depths.metric->name, out->first_fen);
	if (!status)
		status = proof_pass(&p, "comparing", planes->slice.positions, 0, compare_chunk,
		                    &(struct comparing){&p, &depths}, error);
	el_planes_free(&depths);
	return status;
}
