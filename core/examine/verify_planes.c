/* SPDX-License-Identifier: MIT */
/*
 * The proof by whole planes: the game finds the best move of every position of a section at once
 * (core/games/best.h), and what it is worth must be what is stored. These are the equations of
 * verify.c, for exact values that one number says; tables with bounds, rounded ones and those of
 * the least limit are proved position by position.
 *
 * Under a rule of N plies the equations at clock zero say enough if no win comes too late: what is
 * won or lost is so in time, in at most N plies, and what its best move leads to in one fewer, so
 * it stands with a clock that has begun to run.
 *
 * If some wins come too late, those in time obey the same equations, where all that is late counts
 * alike. A late one counts its plies without the rule, and then so must everything that it leads
 * to, but positions in time are stored with those under the rule, which may be more: with the rule
 * the winner may not convert into a late win. So a working copy of the planes begins with the
 * stored plies, and those of positions in time fall to what their moves give until none changes.
 * Then the late ones must be what their moves give as well. As each ply rests on one fewer, there is
 * only one such set of plies. All this rests on outcomes and plies in time that are right, so late
 * plies are judged only if these are.
 */
#include "core/games/best.h"
#include "proof.h"
#include "verify.h"

#include <stdatomic.h>
#include <stdlib.h>

struct bulk {
	struct proof *proof;
	struct el_best_problem problem;
	struct el_best *best;
	struct best_team team;
	struct el_planes working; /* a copy of the planes, or unused; owned */
	uint16_t *next[2];        /* its symbols after this pass; owned */
	atomic_bool has_changed;
};

/* ---- one section ---- */

/* The scores of a section, and its symbols in the planes whose moves are looked up. */
struct span {
	uint64_t first, count;
	const int16_t *score;
	const uint16_t *symbols; /* let them go */
};

static enum el_status look(struct bulk *b, unsigned thread, uint64_t section, struct span *out,
                           struct el_error *error)
{
	const unsigned plane = b->proof->plane;
	const struct el_lender *lender = b->problem.lender;
	const enum el_status status = b->best->of(b->best, plane, section, b->team.out[thread],
	                                          b->team.scratch[thread], error);
	*out = (struct span){.first = b->best->section(b->best, section),
	                     .score = b->team.out[thread]};
	if (status)
		return status;
	out->symbols = best_symbols(b->best, plane, section);
	if (!out->symbols)
		return lender->check(lender->context, error);
	out->count = b->best->section(b->best, section + 1) - out->first;
	return EL_OK;
}

/* What a score says of a legal position. */
static struct el_value value_of(const struct bulk *b, int16_t score, uint64_t index)
{
	const struct proof *p = b->proof;
	const struct el_metric *metric = b->problem.planes->metric;
	struct el_position position;
	if (score != BEST_STUCK)
		return best_value(metric, score);
	if (!p->reach.game->unplace(&p->planes->slice, p->plane, index, &position))
		return (struct el_value){.outcome = EL_BROKEN};
	return p->reach.game->stuck(&position);
}

/* ---- the planes themselves ---- */

/* Of a side that was left out: its values are those of its moves by definition, so that only the other
   side's can be wrong. */
static enum el_status count_section(struct bulk *b, unsigned thread, uint64_t section,
                                    struct el_error *error)
{
	const struct proof *p = b->proof;
	const struct el_plane *plane = &p->planes->plane[p->plane];
	const struct el_lender *lender = b->problem.lender;
	const size_t count = (size_t)(b->best->section(b->best, section + 1) -
	                              b->best->section(b->best, section));
	const uint16_t *symbols = best_symbols(b->best, p->plane, section);
	if (!symbols)
		return lender->check(lender->context, error);
	for (size_t i = 0; i < count; i++)
		p->findings[thread].checked += plane->values[symbols[i]].outcome != EL_BROKEN;
	best_let_go(b->best, p->plane, section);
	return EL_OK;
}

static enum el_status check_section(void *context, unsigned thread, uint64_t section, uint64_t end,
                                    struct el_error *error)
{
	struct bulk *b = context;
	const struct proof *p = b->proof;
	const struct el_plane *plane = &p->planes->plane[p->plane];
	const int16_t *score = b->team.own[p->plane];
	struct finding *f = &p->findings[thread];
	struct span s;
	if (p->planes->origin.left_out == p->plane + 1)
		return count_section(b, thread, section, error);
	const enum el_status status = look(b, thread, section, &s, error);
	for (uint64_t i = 0; i < s.count; i++) {
		if (s.score[i] == BEST_BROKEN)
			continue;
		if (s.score[i] == score[s.symbols[i]]) {
			f->checked++;
			continue;
		}
		const struct el_value stored = plane->values[s.symbols[i]];
		const struct el_value derived = value_of(b, s.score[i], s.first + i);
		if (el_outcome_late(stored.outcome) && stored.outcome == derived.outcome)
			f->checked++;
		else
			proof_judge(f, s.first + i, stored, (struct derived){derived, false});
	}
	if (!status)
		best_let_go(b->best, p->plane, section);
	(void)end;
	return status;
}

/* ---- a working copy ---- */

/* Its symbols: 0 broken, 1 a draw, then losses and wins by plies. */
static uint16_t working_symbol(struct el_value v)
{
	return v.outcome == EL_BROKEN ? 0
	       : v.outcome == EL_WIN  ? (uint16_t)(3 + 2 * v.plies)
	       : v.outcome == EL_LOSS ? (uint16_t)(2 + 2 * v.plies)
	                              : 1;
}

/* The value without the rule. */
static struct el_value unruled(struct el_value v)
{
	if (v.outcome == EL_CURSED_WIN)
		v.outcome = EL_WIN;
	if (v.outcome == EL_BLESSED_LOSS)
		v.outcome = EL_LOSS;
	return v;
}

static enum el_status settle_section(void *context, unsigned thread, uint64_t section, uint64_t end,
                                     struct el_error *error)
{
	struct bulk *b = context;
	const struct proof *p = b->proof;
	const struct el_plane *plane = &p->planes->plane[p->plane];
	struct span s;
	bool has_changed = false;
	const enum el_status status = look(b, thread, section, &s, error);
	for (uint64_t i = 0; i < s.count; i++) {
		const struct el_value stored = el_plane_value(plane, s.first + i);
		uint16_t *next = &b->next[p->plane][s.first + i];
		*next = s.symbols[i];
		if (s.score[i] == BEST_BROKEN)
			continue;
		const struct el_value now = value_of(b, s.score[i], s.first + i);
		if (!el_outcome_late(stored.outcome) && working_symbol(now) < s.symbols[i] &&
		    now.outcome == stored.outcome)
			*next = working_symbol(now);
		has_changed |= *next != s.symbols[i];
	}
	if (has_changed)
		atomic_store(&b->has_changed, true);
	(void)end;
	return status;
}

static enum el_status check_settled(void *context, unsigned thread, uint64_t section, uint64_t end,
                                    struct el_error *error)
{
	struct bulk *b = context;
	const struct proof *p = b->proof;
	const struct el_plane *plane = &p->planes->plane[p->plane];
	struct span s;
	const enum el_status status = look(b, thread, section, &s, error);
	for (uint64_t i = 0; i < s.count; i++) {
		const struct el_value stored = el_plane_value(plane, s.first + i);
		if (s.score[i] == BEST_BROKEN || !el_outcome_late(stored.outcome))
			continue;
		struct el_value now = value_of(b, s.score[i], s.first + i);
		if (now.outcome == unruled(stored).outcome)
			now.outcome = stored.outcome;
		proof_compare(&p->findings[thread], s.first + i, stored, now);
	}
	(void)end;
	return status;
}

static enum el_status working_open(struct bulk *b, struct el_error *error)
{
	const struct el_planes *planes = b->proof->planes;
	const struct el_slice *slice = &planes->slice;
	const struct el_metric *metric = el_metric_without_rule(planes->metric);
	bool good = true;
	b->working = (struct el_planes){.slice = *slice, .metric = metric};
	for (unsigned i = 0; i < slice->planes && good; i++) {
		const struct el_plane *from = &planes->plane[i];
		struct el_plane *to = &b->working.plane[i];
		unsigned plies = 0;
		for (uint32_t v = 0; v < from->value_count; v++)
			plies = from->values[v].plies > plies ? from->values[v].plies : plies;
		to->value_count = 4 + 2 * plies;
		to->values = malloc(to->value_count * sizeof *to->values);
		to->symbols = malloc(slice->positions * sizeof *to->symbols);
		b->next[i] = malloc(slice->positions * sizeof *b->next[i]);
		good = to->values && to->symbols && b->next[i];
		for (uint32_t v = 0; v < to->value_count && good; v++)
			to->values[v] = (struct el_value){
				.outcome = v == 0   ? EL_BROKEN
			                   : v == 1 ? EL_DRAW
			                   : v % 2  ? EL_WIN
			                            : EL_LOSS,
				.plies = v < 2 ? 0 : (uint16_t)(v / 2 - 1),
			};
		for (uint64_t k = 0; k < slice->positions && good; k++)
			to->symbols[k] = working_symbol(unruled(el_plane_value(from, k)));
	}
	return good ? EL_OK : el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
}

static enum el_status settle(struct bulk *b, uint64_t each, struct el_error *error)
{
	struct proof *p = b->proof;
	const struct el_slice *slice = &p->planes->slice;
	enum el_status status = EL_OK;
	do {
		atomic_store(&b->has_changed, false);
		for (p->plane = 0; p->plane < slice->planes && !status; p->plane++) {
			struct el_plane *plane = &b->working.plane[p->plane];
			uint16_t *now = plane->symbols;
			status =
				sweep_sections(&(struct sweep){"counting without the rule", slice,
			                                       p->planes->metric, b->best->sections,
			                                       0, 0, p->watch, b, settle_section},
			                       each, error);
			/* what is settled with one side to move counts for the other at once */
			plane->symbols = b->next[p->plane];
			b->next[p->plane] = now;
		}
	} while (!status && atomic_load(&b->has_changed));
	return status ? status
	              : proof_pass(p, "comparing", b->best->sections, each, check_settled, b,
	                           error);
}

/* ---- the whole proof ---- */

static void bulk_close(struct bulk *b)
{
	best_team_close(&b->team);
	free(b->next[0]);
	free(b->next[1]);
	el_planes_free(&b->working);
	el_best_close(b->best);
}

static enum el_status bulk_open(struct bulk *b, struct el_error *error)
{
	const enum el_status status = el_best_open(&b->problem, &b->best, error);
	return status ? status
	              : best_team_open(&b->team, b->best, b->best->problem->planes, sweep_threads(),
	                               error);
}

bool verify_by_planes(const struct el_metric *metric)
{
	return !metric->late && !metric->by_clock &&
	       (!proof_needs_clock(metric) || (metric->limit && metric->has_depth));
}

bool proof_suits_planes(const struct el_planes *planes)
{
	return !el_planes_partial(planes) && !planes->rounded && verify_by_planes(planes->metric);
}

enum el_status proof_by_planes(struct proof *p, const struct el_lender *lender, bool *proved,
                               struct el_error *error)
{
	const struct el_planes *planes = p->planes;
	struct bulk b = {.proof = p, .problem = {.planes = planes, .lender = lender}};
	const bool has_work = el_planes_late(planes);
	enum el_status status = EL_OK;
	*proved = false;
	if (!proof_suits_planes(planes) || (has_work && planes->plane[0].symbols == NULL))
		return EL_OK;
	status = bulk_open(&b, error);
	if (p->ranks)
		status = ranks_agree(p->ranks, status, NULL, 0, error);
	if (!status)
		status = proof_pass(p, "verifying", b.best->sections,
		                    planes->slice.positions / b.best->sections + 1, check_section,
		                    &b, error);
	/* Rank 0 does what is left alone. */
	const bool is_done = p->ranks && p->ranks->rank;
	p->ranks = NULL;
	if (!status && planes->metric->kind->adds_up && !p->out->wrong && !is_done)
		status = proof_of_gains(p, b.best, error);
	bulk_close(&b);
	if (!status && has_work && !p->out->wrong) {
		b = (struct bulk){.proof = p, .problem = {.planes = &b.working, .lender = lender}};
		status = working_open(&b, error);
		if (!status)
			status = bulk_open(&b, error);
		if (!status)
			status = settle(&b, planes->slice.positions / b.best->sections + 1, error);
		bulk_close(&b);
	}
	*proved = status != EL_NEGATIVE;
	return *proved ? status : EL_OK;
}
