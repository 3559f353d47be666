/* SPDX-License-Identifier: MIT */
/*
 * The proof that a table is right: every position must have the value of its best move, which is
 * found one move ahead by the rules of the game, by whole planes if that is enough
 * (verify_planes.c), else position by position. It shares nothing with the set operators.
 *
 * With depths that is a proof: by induction over the plies (and over moves within the slice that
 * end the count, which cannot be taken back) no win or loss can be missing, extra or too early, and
 * the other positions are draws. Outcomes alone, and bitbases, only agree with each other, so
 * verify_outcomes.c proves them by depths. Under a rule that counts moves, the value of a position
 * says too little about that of the next one, where the clock is no longer at zero; verify_clock.c
 * has the whole proof for these, and verify_courses.c for values with every clock. Values in stones
 * are not plies either; verify_stones.c proves the rest for them.
 *
 * Bounds agree with each other like outcomes. The solution is a fixpoint: each bound is the
 * greatest of its moves' bounds, even if moves go in circles. So they must be equal, like outcomes,
 * with two exceptions. If a table has been added since, the derived value may lie within the stored
 * bounds, which are then loose but not wrong. If one has been removed since, the derived bounds may
 * be too wide to tell.
 */
#include "core/library/copies.h"
#include "core/solve/memory.h"
#include "core/whole/lender.h"
#include "proof.h"

#include <stdio.h>
#include <stdlib.h>

static enum el_status check_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                  struct el_error *error)
{
	const struct proof *p = context;
	const struct el_plane *plane = &p->planes->plane[p->plane];
	struct el_position position;
	for (uint64_t i = first; i < end; i++) {
		/* Files do not mark broken indexes, whose values mean nothing. */
		if (!p->reach.game->unplace(&p->planes->slice, p->plane, i, &position))
			continue;
		proof_judge(&p->findings[thread], i, el_plane_value(plane, i),
		            reach_derive(&p->reach, &position));
	}
	(void)error;
	return EL_OK;
}

/* ---- tables that a proof needs ---- */

/* A table with bounds may have been made without some successors, or from ones with bounds. An
   exact table needs exact ones. */
static enum el_status obtain_others(struct el_library *library, const struct el_planes *planes,
                                    struct subtables *others, struct el_missing *missing,
                                    struct el_error *error)
{
	struct el_slice slices[EL_SUCCESSORS_MAX];
	const bool partial = el_planes_partial(planes);
	const size_t count = planes->slice.game->successors(&planes->slice, slices);
	for (size_t i = 0; i < count; i++) {
		const enum el_status status = (partial ? planes_obtain_bounds : planes_obtain)(
			library, &slices[i], el_metric_entered(planes->metric),
			&others->planes[others->count], error);
		if (status == EL_NEGATIVE && partial) {
			missing->slice[missing->count++] = slices[i];
			continue;
		}
		if (status != EL_OK)
			return status;
		planes_drop_courses(&others->planes[others->count]); /* entered at clock 0 */
		others->count++;
	}
	return EL_OK;
}

/* All planes in which a proof looks up values. */
struct sources {
	struct subtables others;
	/* the slice under another metric (obtain_beside); unused if there is no such table */
	struct el_planes own;
	struct reach ended;
};

/*
 * Values of moves that end the count within the slice come from its table of the metric entered, if
 * the metric does not tell them. It is optional, as there may be no such move.
 */
static enum el_status obtain_beside(struct el_library *library, struct proof *p, struct sources *s,
                                    struct el_error *error)
{
	const struct el_metric *metric = p->planes->metric, *entered = el_metric_entered(metric);
	p->reach.ended = &p->reach;
	if (el_metric_tells(metric, entered))
		return EL_OK;
	const enum el_status status =
		planes_obtain(library, &p->planes->slice, entered, &s->own, error);
	s->ended = p->reach;
	s->ended.metric = entered;
	s->ended.planes = status == EL_OK ? &s->own : NULL;
	s->ended.ended = p->reach.ended = &s->ended;
	return status == EL_NEGATIVE ? EL_OK : status;
}

/* Lists the tables that values come from, and names the one that is missing. */
static enum el_status list_lent(struct el_library *library, const struct el_planes *planes,
                                const struct el_lender *lender, struct reads *reads,
                                struct el_error *error)
{
	struct el_slice slices[EL_SUCCESSORS_MAX];
	const size_t count = planes->slice.game->successors(&planes->slice, slices);
	enum el_status status = EL_OK;
	for (size_t i = 0; i < count && !status; i++) {
		const struct el_planes *one;
		status = lender->lend(lender->context, &slices[i], planes->metric, &one, error);
		if (status)
			break;
		if (reads)
			status = reads_of_planes(library, one, reads, error);
		lender->give_back(lender->context, one);
	}
	return status;
}

/* Position by position. */
static enum el_status prove(struct proof *p, struct el_library *library,
                            const struct el_lender *lender, struct reads *reads,
                            struct el_error *error)
{
	const struct el_planes *planes = p->planes;
	struct sources *s = calloc(1, sizeof *s);
	if (!s)
		return el_fail(error, EL_MEMORY, "%s: out of memory", planes->slice.name);
	p->reach.others = &s->others;
	enum el_status status = obtain_others(library, planes, &s->others, &p->out->missing, error);
	if (!status)
		status = obtain_beside(library, p, s, error);
	if (!status && planes->metric->by_clock)
		status = proof_of_courses(p, library, reads, error);
	else if (!status && proof_needs_clock(planes->metric))
		status = proof_by_clock(p, error);
	else if (!status)
		status = proof_pass(p, "verifying", planes->slice.positions, 0, check_chunk, p,
		                    error);
	if (!status && planes->metric->kind->adds_up && !p->out->wrong) {
		const struct el_best_problem problem = {.planes = planes, .lender = lender};
		struct el_best *best;
		status = plain_best_open(&problem, &best, error);
		if (!status) {
			status = proof_of_gains(p, best, error);
			el_best_close(best);
		}
	}
	/* list the tables from which all others were read */
	for (size_t i = 0; i < p->out->missing.count && reads && !status; i++)
		status = reads_of_nothing(&p->out->missing.slice[i],
		                          el_metric_entered(planes->metric), reads, error);
	for (size_t i = 0; reads && i < s->others.count && !status; i++)
		status = reads_of_planes(library, &s->others.planes[i], reads, error);
	if (reads && !status)
		status = reads_of_planes(library, &s->own, reads, error);
	for (size_t i = 0; i < s->others.count; i++)
		el_planes_free(&s->others.planes[i]);
	el_planes_free(&s->own);
	free(s);
	return status;
}

enum el_status proof_of_planes(struct el_library *library, const struct el_planes *planes,
                               bool slow, const struct el_watch *watch, struct el_verdict *out,
                               struct reads *reads, struct el_error *error)
{
	const struct el_metric *metric = planes->metric;
	*out = (struct el_verdict){0};
	if (proof_depths(planes))
		return proof_of_outcomes(library, planes, slow, watch, out, reads, error);
	if (metric->wins_only)
		return el_fail(error, EL_NEGATIVE, "%s: a bitbase with bounds cannot be proved",
		               planes->slice.name);
	struct proof p = {.planes = planes, .watch = watch, .out = out};
	p.reach = (struct reach){
		.game = planes->slice.game,
		.key = planes->slice.key,
		.metric = metric,
		.planes = planes,
	};
	struct lender *l = lender_open(library, watch);
	enum el_status status = l ? lender_limit(l, memory_of_loans(&planes->slice), error)
	                          : el_fail(error, EL_MEMORY, "out of memory");
	const struct el_lender lender =
		l ? lender_interface(l) : (struct el_lender){.context = NULL};
	/* Whole planes at once if possible. */
	if (!status && !slow && proof_suits_planes(planes)) {
		status = list_lent(library, planes, &lender, reads, error);
		if (!status)
			status = proof_by_planes(&p, &lender, &out->by_planes, error);
	}
	if (!status && !out->by_planes)
		status = prove(&p, library, &lender, reads, error);
	lender_close(l);
	if (!status && reads && planes->origin.is_derived)
		status = reads_of_derived(library, &planes->slice, planes->origin.metric, reads,
		                          error);
	return status;
}

static enum el_status prove_share(struct el_library *library, struct ranks *ranks,
                                  const struct order *order, const struct el_watch *watch,
                                  struct el_verdict *out, bool *suits, struct reads *reads,
                                  struct el_error *error)
{
	struct proof p = {.watch = watch, .ranks = ranks, .out = out};
	struct lender *l = lender_open(library, watch);
	struct el_lender lender = {.context = NULL};
	enum el_status status = l ? lender_limit(l, order->memory, error)
	                          : el_fail(error, EL_MEMORY, "out of memory");
	*out = (struct el_verdict){0};
	*suits = true;
	if (!status) {
		lender_set_copies(l, *order->copies ? order->copies : NULL);
		lender = lender_interface(l);
		status = lender_lend_file(l, order->path, &p.planes, error);
		if (!status && p.planes->origin.identity != order->identity)
			status =
				el_fail(error, EL_IO, "%s: changed while it was read", order->path);
		*suits = status ? status != EL_NEGATIVE
		                : proof_suits_planes(p.planes) && !proof_depths(p.planes);
	}
	if (!status && *suits)
		status = list_lent(library, p.planes, &lender, reads, error);
	if (ranks) {
		uint64_t unsuited = !*suits;
		status = ranks_agree(ranks, status, &unsuited, 1, error);
		*suits = !unsuited;
	}
	if (!status && *suits) {
		p.reach = (struct reach){.game = p.planes->slice.game, .metric = p.planes->metric};
		status = proof_by_planes(&p, &lender, suits, error);
		out->by_planes = *suits;
	}
	if (p.planes)
		lender.give_back(lender.context, p.planes);
	lender_close(l);
	return status;
}

enum el_status proof_of_file(struct el_library *library, struct ranks *ranks, const char *path,
                             uint64_t identity, uint64_t memory, const struct el_watch *watch,
                             struct el_verdict *out, bool *suits, struct reads *reads,
                             struct el_error *error)
{
	struct order order = {.kind = ORDER_PROVE, .memory = memory, .identity = identity};
	snprintf(order.path, sizeof order.path, "%s", path);
	const char *copies = copies_folder(library_copies(library));
	snprintf(order.copies, sizeof order.copies, "%s", copies ? copies : "");
	const enum el_status status = ranks ? order_give(ranks, &order, error) : EL_OK;
	return status ? status
	              : prove_share(library, ranks, &order, watch, out, suits, reads, error);
}

void proof_join(struct el_library *library, struct ranks *ranks, const struct order *order,
                const struct el_watch *watch)
{
	struct el_verdict part;
	struct el_error error; /* rank 0 has been told */
	bool suits;
	el_library_rescan(library,
	                  &error); /* tables may have come since; a missing one is told below */
	prove_share(library, ranks, order, watch, &part, &suits, NULL, &error);
}
