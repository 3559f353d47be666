/* SPDX-License-Identifier: MIT */
/*
 * The proof that a table is right: every position must have the value of its best move, which is
 * found one move ahead by the rules of the game, by whole planes if that is enough
 * (verify_planes.c), else position by position. It shares nothing with the set operators.
 *
 * With depths that is a proof: by induction over the plies (and over moves within the slice that
 * end the count, which cannot be taken back) no win or loss can be missing, extra or too early, and
 * the other positions are draws. Outcomes alone only agree with each other: a table without depths
 * is fully proved by one with depths beside it. Under a rule that counts moves, the value of a
 * position says too little about that of the next one, where the clock is no longer at zero;
 * verify_clock.c has the whole proof for these. Values in stones are not plies either;
 * verify_stones.c proves the rest for them.
 *
 * A bitbase has only wins, and a win is a move into a loss. A position is a loss if it is lost on
 * the board, or has moves and all of them lead to wins. These are found first, and the result is
 * proved like outcomes.
 *
 * Bounds agree with each other like outcomes. The solution is a fixpoint: each bound is the
 * greatest of its moves' bounds, even if moves go in circles. So they must be equal, like outcomes,
 * with two exceptions. If a table has been added since, the derived value may lie within the stored
 * bounds, which are then loose but not wrong. If one has been removed since, the derived bounds may
 * be too wide to tell.
 */
#include "core/lend/lender.h"
#include "proof.h"

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
		struct derived d = reach_derive(&p->reach, &position);
		d.value = el_metric_read(p->reach.metric, p->planes->metric, d.value);
		proof_judge(&p->findings[thread], i, el_plane_value(plane, i), d);
	}
	(void)error;
	return EL_OK;
}

/* ---- completing a bitbase ---- */

/* Finds the losses of a bitbase. */
struct completion {
	struct proof *proof;
	struct el_planes *out; /* outcomes: the symbol of each is the outcome itself */
};

/* The bounds of a position that is no win: its stored value, and the best of its moves, of which
   only those into wins have known values. */
static enum el_outcome completed(const struct reach *r, enum el_outcome stored,
                                 const struct el_position *position)
{
	if (stored == EL_WIN || stored == EL_BROKEN)
		return stored;
	const enum el_outcome best = reach_derive(r, position).value.outcome;
	const enum el_outcome most = el_outcome_upper(stored);
	const enum el_outcome lower =
		el_outcome_lower(best) > EL_DRAW ? EL_DRAW : el_outcome_lower(best);
	const enum el_outcome upper =
		most == EL_WIN || el_outcome_upper(best) > most ? most : el_outcome_upper(best);
	return el_outcome_between(lower, upper);
}

static enum el_status complete_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                     struct el_error *error)
{
	const struct completion *c = context;
	const struct proof *p = c->proof;
	struct el_position position;
	for (uint64_t i = first; i < end; i++) {
		const struct el_value v = el_plane_value(&p->planes->plane[p->plane], i);
		enum el_outcome outcome = EL_BROKEN;
		if (p->reach.game->unplace(&p->planes->slice, p->plane, i, &position))
			outcome = completed(&p->reach, v.outcome, &position);
		c->out->plane[p->plane].symbols[i] = (uint16_t)outcome;
	}
	(void)thread, (void)error;
	return EL_OK;
}

/*
 * If a move makes a capture en passant possible, its value may depend on a loss that has not been
 * found yet, so these positions are repeated until nothing changes. They are few, and chains of
 * them are short.
 */
static void complete_rest(const struct proof *p, struct el_planes *out)
{
	const struct el_slice *slice = &p->planes->slice;
	bool has_found = true;
	while (has_found) {
		has_found = false;
		for (unsigned plane = 0; plane < slice->planes; plane++)
			for (uint64_t i = 0; i < slice->positions; i++) {
				uint16_t *symbol = &out->plane[plane].symbols[i];
				struct el_position position;
				if (!el_outcome_bounded(*symbol) ||
				    !p->reach.game->unplace(slice, plane, i, &position))
					continue;
				const enum el_outcome now =
					completed(&p->reach, *symbol, &position);
				has_found |= now != *symbol;
				*symbol = (uint16_t)now;
			}
	}
}

/* Completes a bitbase; from then on, moves lead to the completed outcomes. */
static enum el_status complete(struct proof *p, struct el_planes *out, struct el_error *error)
{
	const struct el_slice *slice = &p->planes->slice;
	*out = (struct el_planes){.slice = *slice, .metric = p->reach.metric};
	for (unsigned i = 0; i < slice->planes; i++) {
		struct el_plane *plane = &out->plane[i];
		plane->symbols = malloc(slice->positions * sizeof *plane->symbols);
		plane->values = malloc(EL_OUTCOMES * sizeof *plane->values);
		plane->value_count = EL_OUTCOMES;
		if (!plane->symbols || !plane->values)
			return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
		for (uint8_t o = 0; o < EL_OUTCOMES; o++)
			plane->values[o] = (struct el_value){.outcome = o};
	}
	const enum el_status status =
		proof_pass(p, "finding losses", slice->positions, complete_chunk,
	                   &(struct completion){p, out}, error);
	p->reach.planes = out;
	if (status == EL_OK)
		complete_rest(p, out);
	return status;
}

static enum el_status check_moves(struct proof *p, struct el_error *error)
{
	struct el_planes outcomes = {.metric = NULL};
	enum el_status status = EL_OK;
	if (p->planes->metric->wins_only)
		status = complete(p, &outcomes, error);
	if (status == EL_OK)
		status = proof_pass(p, "verifying", p->planes->slice.positions, check_chunk, p,
		                    error);
	el_planes_free(&outcomes);
	return status;
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
 * Values of moves that end the count within the slice come from its table of another metric, if the
 * metric does not tell them: of the one entered or, for outcomes under a rule, of the rule's depths.
 * Those are optional, as there may be no such move.
 */
static enum el_status obtain_beside(struct el_library *library, struct proof *p, struct sources *s,
                                    struct el_error *error)
{
	const struct el_metric *metric = p->planes->metric, *entered = el_metric_entered(metric);
	const struct el_metric *beside = NULL;
	const bool tells = el_metric_tells(metric, entered);
	if (!tells && !metric->wins_only)
		beside = entered;
	for (size_t rank = 0; tells && metric->limit && el_metrics[rank]; rank++) {
		const struct el_metric *m = el_metric_ruled(rank, metric->limit / 2);
		if (m != metric && m->limit && el_metric_entered(m) == metric)
			beside = m;
	}
	p->reach.ended = &p->reach;
	if (!beside)
		return EL_OK;
	const enum el_status status =
		planes_obtain(library, &p->planes->slice, beside, &s->own, error);
	if (status == EL_NEGATIVE && beside != entered) {
		p->out->beside = beside;
		return EL_OK;
	}
	s->ended = p->reach;
	s->ended.metric = beside;
	s->ended.planes = status == EL_OK ? &s->own : NULL;
	s->ended.ended = p->reach.ended = &s->ended;
	return status == EL_NEGATIVE ? EL_OK : status;
}

/* Lends the tables obtained: all are in memory. */
static enum el_status lend(void *context, const struct el_slice *slice,
                           const struct el_metric *metric, const struct el_planes **out,
                           struct el_error *error)
{
	const struct subtables *others = context;
	for (size_t i = 0; i < others->count; i++) {
		*out = &others->planes[i];
		if (el_slice_equal(&others->planes[i].slice, slice))
			return EL_OK;
	}
	return el_fail(error, EL_NEGATIVE, "%s %s: no such table", slice->name, metric->name);
}

static void give_back(void *context, const struct el_planes *planes)
{
	(void)context, (void)planes;
}

/* Whole planes at once if possible, else position by position. */
static enum el_status prove(struct proof *p, const struct subtables *others, bool slow,
                            struct el_error *error)
{
	const struct el_lender lender = {
		(void *)(uintptr_t)others, lend, give_back, NULL, NULL, NULL};
	enum el_status status =
		slow ? EL_OK : proof_by_planes(p, &lender, &p->out->by_planes, error);
	if (!status && !p->out->by_planes)
		status = (proof_needs_clock(p->planes->metric) ? proof_by_clock
		                                               : check_moves)(p, error);
	return status;
}

enum el_status proof_of_planes(struct el_library *library, const struct el_planes *planes,
                               bool slow, const struct el_watch *watch, struct el_verdict *out,
                               struct reads *reads, struct el_error *error)
{
	const struct el_metric *metric = planes->metric;
	*out = (struct el_verdict){0};
	struct sources *s = calloc(1, sizeof *s);
	const unsigned threads = sweep_threads();
	struct proof p = {
		.planes = planes,
		.watch = watch,
		.findings = aligned_alloc(_Alignof(struct finding), threads * sizeof *p.findings),
		.out = out,
	};
	enum el_status status = EL_OK;
	p.reach = (struct reach){
		.game = planes->slice.game,
		.key = planes->slice.key,
		.metric = metric->wins_only ? el_metric_entered(metric) : metric,
		.planes = planes,
		.others = s ? &s->others : NULL,
	};
	if (!s || !p.findings)
		status = el_fail(error, EL_MEMORY, "out of memory for %u threads", threads);
	if (!status)
		status = obtain_others(library, planes, &s->others, &out->missing, error);
	if (!status)
		status = obtain_beside(library, &p, s, error);
	if (!status)
		status = prove(&p, &s->others, slow, error);
	if (!status && metric->kind->adds_up && !out->wrong)
		status = proof_of_gains(&p, error);
	/* list the tables from which the planes and all others were read */
	const bool lists = !status && reads;
	for (size_t i = 0; i < out->missing.count && lists && !status; i++)
		status = reads_of_nothing(&out->missing.slice[i], el_metric_entered(metric), reads,
		                          error);
	if (lists && !status && planes->origin.is_derived)
		status = reads_of_derived(library, &planes->slice, planes->origin.metric, reads,
		                          error);
	for (size_t i = 0; lists && i < s->others.count && !status; i++)
		status = reads_of_planes(library, &s->others.planes[i], reads, error);
	if (lists && !status)
		status = reads_of_planes(library, &s->own, reads, error);
	for (size_t i = 0; s && i < s->others.count; i++)
		el_planes_free(&s->others.planes[i]);
	if (s)
		el_planes_free(&s->own);
	free(p.findings);
	free(s);
	return status;
}

enum el_status proof_of_file(struct el_library *library, const char *path, uint64_t memory,
                             const struct el_watch *watch, struct el_verdict *out, bool *suits,
                             struct reads *reads, struct el_error *error)
{
	struct proof p = {
		.watch = watch,
		.findings = aligned_alloc(_Alignof(struct finding),
	                                  sweep_threads() * sizeof *p.findings),
		.out = out,
	};
	struct lender *l = lender_open(library);
	struct el_lender lender = {NULL};
	struct el_slice slices[EL_SUCCESSORS_MAX];
	size_t count = 0;
	enum el_status status = l && p.findings ? lender_limit(l, memory, error)
	                                        : el_fail(error, EL_MEMORY, "out of memory");
	*out = (struct el_verdict){0};
	*suits = true;
	if (!status) {
		lender = lender_interface(l);
		status = lender_lend_file(l, path, &p.planes, error);
		*suits =
			!status && proof_suits_planes(p.planes) && !p.planes->metric->kind->adds_up;
	}
	if (!status && *suits)
		count = p.planes->slice.game->successors(&p.planes->slice, slices);
	/* list the tables that values come from, and name the one that is missing */
	for (size_t i = 0; i < count && !status; i++) {
		const struct el_planes *one;
		status = lender.lend(lender.context, &slices[i], p.planes->metric, &one, error);
		if (status)
			break;
		if (reads)
			status = reads_of_planes(library, one, reads, error);
		lender.give_back(lender.context, one);
	}
	if (!status && *suits) {
		p.reach = (struct reach){.game = p.planes->slice.game, .metric = p.planes->metric};
		status = proof_by_planes(&p, &lender, suits, error);
		out->by_planes = *suits;
	}
	if (p.planes)
		lender.give_back(lender.context, p.planes);
	if (l)
		lender_close(l);
	free(p.findings);
	return status;
}
