/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Solving a slice: family by family and part by part (sets.h), each by one or more runs of the
 * fixpoint, into planes.
 *
 *     the game's end, a conversion     one run, conversions coming in at their plies
 *     a zeroing move                   one run
 *     a zeroing move, under a rule     one run that ends with the limit; what it leaves is won or
 *                                      lost too late, as far as a run without the limit says so; or,
 *                                      counted on past it (el_metric.late), as far as this run goes on
 *     every limit (dtr)                limits.c
 */
#include "solve.h"
#include "../clock.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	SMALL_PART = 1 << 16, /* words: below, threads take families rather than rows of a set */
	WHAT_MAX = EL_SLICE_MAX + 16,
};

/* What the threads share. */
struct progress {
	const struct el_watch *watch;
	char what[WHAT_MAX];
	bool families;             /* threads take families: the caller's alone may ask the watch */
	uint64_t total;            /* positions with a value in the table, legal or not */
	atomic_uint_fast64_t done; /* in finished parts */
	atomic_bool stopped;
};

struct solution {
	const struct el_problem *problem;
	struct el_division *division;
	struct recorder *recorder;
	struct progress progress;
	/* Of all parts, under `lock`. */
	unsigned passes;
	uint64_t known;
	struct el_phase phase[EL_PHASES_MAX];
	double seconds; /* of passes */
};

/* ---- a part ---- */

enum el_status part_tick(struct part *p, struct el_error *error)
{
	struct progress *shared = (struct progress *)(uintptr_t)p->progress;
	const bool mine = !shared->families || omp_get_ancestor_thread_num(1) <= 0;
	const uint64_t done = shared->done + p->known;
	const struct el_progress progress = {
		"solving", shared->what, (double)(done < shared->total ? done : shared->total),
		(double)shared->total, "positions"};
	if (mine && !shared->stopped && !el_watch_tick(shared->watch, &progress))
		shared->stopped = true;
	return shared->stopped ? el_fail(error, EL_STOPPED, "%s: stopped at ply %u", shared->what,
	                                 p->fixpoint.ply)
	                       : EL_OK;
}

void part_note(struct part *p, unsigned side, const uint64_t *set, uint64_t stored,
               struct el_value value)
{
	const unsigned ply = value.plies;
	const struct el_observer *observer = p->problem->observer;
	if (!p->problem->metric->has_depth)
		value.plies = 0;
	recorder_note(p->recorder, p->sets, p->found, side, set, stored, value);
	p->known += side < p->problem->slice.planes ? stored : 0;
	p->passes = stored && ply > p->passes ? ply : p->passes;
	const struct el_pass pass = {ply, side, value.outcome, set, stored};
	if (observer && observer->pass)
		observer->pass(observer->context, p->sets, &pass);
}

static void note_pass(struct part *p, const struct fixpoint *f, enum el_outcome loss,
                      enum el_outcome win)
{
	struct el_value v = {.plies = (uint16_t)(f->ply - 1)};
	v.phase = p->problem->metric->has_phase ? v.plies : 0;
	for (unsigned side = 0; side < p->sets->sides; side++) {
		const struct fresh *lost = &f->half[side].loss_before;
		const struct fresh *won = &f->half[side].win_before;
		v.outcome = (uint8_t)loss;
		if (lost->any || v.plies == 0)
			part_note(p, side, lost->set, lost->stored, v);
		v.outcome = (uint8_t)win;
		if (won->any)
			part_note(p, side, won->set, won->stored, v);
	}
}

enum el_status part_run(struct part *p, unsigned limit, enum el_outcome loss, enum el_outcome win,
                        struct el_error *error)
{
	struct fixpoint *f = &p->fixpoint;
	enum el_status status = EL_OK;
	while (!status && fixpoint_alive(f) && f->ply <= limit) {
		if (f->ply)
			status = part_tick(p, error);
		if (status)
			break;
		fixpoint_pass(f);
		note_pass(p, f, loss, win);
		if (f->ply > EL_PLIES_MAX)
			status = el_fail(error, EL_MEMORY, "%s: more than %d plies",
			                 p->progress->what, EL_PLIES_MAX);
	}
	return status;
}

/* ---- a rule ---- */

static bool has_late(const struct el_schedule *events)
{
	return events->count && events->events[events->count - 1].ply >= EL_LEVEL_LATE;
}

/* What the last pass found, but of those positions alone that had been left. */
static void note_left(struct part *p, uint64_t *const left[2], uint64_t *scratch)
{
	const struct fixpoint *f = &p->fixpoint;
	for (unsigned n = 0; n < 2 * p->sets->sides; n++) {
		const unsigned side = n / 2;
		const bool wins = n % 2;
		const struct fresh *fresh =
			wins ? &f->half[side].win_before : &f->half[side].loss_before;
		uint64_t any = 0, stored = 0;
		for (size_t w = 0; w < p->sets->words && fresh->any; w++) {
			scratch[w] = fresh->set[w] & left[side][w];
			any |= scratch[w];
			stored += w < p->sets->stored_words
			                  ? (uint64_t)__builtin_popcountll(scratch[w])
			                  : 0;
		}
		if (any)
			part_note(p, side, scratch, stored,
			          (struct el_value){
					  .outcome = wins ? EL_CURSED_WIN : EL_BLESSED_LOSS,
					  .plies = (uint16_t)(f->ply - 1),
				  });
	}
}

/* A run without the limit. What it takes from tables too late may bring positions closer to their
   zeroing move than the rule did, so it begins anew. */
static enum el_status run_late(struct part *p, struct el_error *error)
{
	struct fixpoint *f = &p->fixpoint;
	const size_t words = p->sets->words;
	uint64_t *memory = malloc(3 * words * sizeof *memory);
	if (!memory)
		return el_fail(error, EL_MEMORY, "%s: out of memory", p->progress->what);
	uint64_t *const left[2] = {memory, memory + words};
	for (unsigned side = 0; side < p->sets->sides; side++)
		memcpy(left[side], f->half[side].undecided, words * sizeof *memory);
	fixpoint_begin(f, EL_LEVEL_LATE);
	enum el_status status = EL_OK;
	while (!status && fixpoint_alive(f)) {
		status = part_tick(p, error);
		if (status)
			break;
		fixpoint_pass(f);
		note_left(p, left, memory + 2 * words);
	}
	free(memory);
	return status;
}

static enum el_status run_rule(struct part *p, struct el_error *error)
{
	bool late = false;
	for (unsigned side = 0; side < p->sets->sides; side++)
		late |= has_late(&p->sets->wins[side]) || has_late(&p->sets->frees[side]);
	fixpoint_begin(&p->fixpoint, EL_LEVEL_IN_TIME);
	enum el_status status =
		part_run(p, p->problem->metric->limit, EL_LOSS, EL_WIN, error);
	if (status)
		return status;
	if (p->problem->metric->late)
		fixpoint_raise(&p->fixpoint, EL_LEVEL_LATE, p->problem->metric->limit + 1);
	else if (late)
		return run_late(p, error);
	return part_run(p, UINT16_MAX, EL_BLESSED_LOSS, EL_CURSED_WIN, error);
}

/* ---- all parts ---- */

static enum el_status run(struct part *p, struct el_error *error)
{
	const struct el_metric *metric = p->problem->metric;
	if (metric->has_phase)
		return part_solve_limits(p, error);
	if (metric->limit)
		return run_rule(p, error);
	fixpoint_begin(&p->fixpoint,
	               metric->end == EL_END_ZEROING ? EL_LEVEL_ALL : FIXPOINT_BY_PLY);
	return part_run(p, UINT16_MAX, EL_LOSS, EL_WIN, error);
}

/* What is known of the game's phases, and of the passes, adds up over the parts. */
static void add_phases(struct solution *s, const struct part *p, double seconds)
{
#pragma omp critical(solution)
	{
		s->known += p->known;
		s->passes = p->passes > s->passes ? p->passes : s->passes;
		s->seconds += seconds;
		for (unsigned i = 0; i < EL_PHASES_MAX; i++) {
			const struct el_phase *from = &p->sets->phase[i];
			struct el_phase *to = &s->phase[i];
			if (from->name[0])
				memcpy(to->name, from->name, sizeof to->name);
			to->decided += from->decided;
			to->seconds += from->seconds;
		}
	}
	s->progress.done += p->known;
}

static enum el_status solve_sets(struct solution *s, struct part *p, struct el_error *error)
{
	const struct el_observer *observer = s->problem->observer;
	enum el_status status = recorder_begin(s->recorder, p->sets, p->found, error);
	if (!status && fixpoint_open(&p->fixpoint, p->sets))
		status = el_fail(error, EL_MEMORY, "%s: out of memory", s->problem->slice.name);
	const double start = clock_seconds();
	if (!status)
		status = run(p, error);
	const double seconds = clock_seconds() - start;
	for (unsigned side = 0; side < p->sets->sides && !status; side++)
		recorder_note(s->recorder, p->sets, p->found, side,
		              p->fixpoint.half[side].undecided, UINT64_MAX,
		              (struct el_value){.outcome = EL_DRAW});
	fixpoint_close(&p->fixpoint);
	if (!status)
		status = recorder_gather(s->recorder, p->sets, p->found, error);
	if (!status && observer && observer->done)
		observer->done(observer->context, p->sets);
	if (!status)
		add_phases(s, p, seconds);
	return status;
}

static enum el_status solve_part(struct solution *s, size_t family, size_t number,
                                 struct el_found *found, struct el_error *error)
{
	struct el_division *d = s->division;
	const struct el_meanings meanings = recorder_meanings(s->recorder);
	struct part p = {
		.problem = s->problem,
		.recorder = s->recorder,
		.found = &found[number],
		.progress = &s->progress,
	};
	enum el_status status = EL_OK;
	if (d->parts > 1)
		status = part_tick(&p, error);
	if (!status)
		status = d->open(d, s->problem, family, number, found, &meanings, &p.sets, error);
	if (status || !p.sets)
		return status;
	status = solve_sets(s, &p, error);
	p.sets->close(p.sets);
	return status;
}

static enum el_status solve_family(struct solution *s, size_t family, struct el_error *error)
{
	struct el_found *found = calloc(s->division->parts, sizeof *found);
	enum el_status status = EL_OK;
	if (!found)
		return el_fail(error, EL_MEMORY, "%s: out of memory", s->problem->slice.name);
	for (size_t number = 0; number < s->division->parts && !status; number++)
		status = solve_part(s, family, number, found, error);
	for (size_t number = 0; number < s->division->parts; number++)
		recorder_drop(&found[number]);
	free(found);
	return status;
}

/* An observer sees passes in order, so it has one thread take all families. */
static enum el_status solve_families(struct solution *s, struct el_error *error)
{
	const struct el_division *d = s->division;
	enum el_status failed = EL_OK;
	s->progress.families =
		d->families > 1 && d->part_words <= SMALL_PART && !s->problem->observer;
#pragma omp parallel for schedule(dynamic, 1) if (s->progress.families)
	for (size_t family = 0; family < d->families; family++) {
		struct el_error one;
		enum el_status now;
#pragma omp atomic read
		now = failed;
		const enum el_status status = now ? now : solve_family(s, family, &one);
		if (!status || now)
			continue;
#pragma omp critical(solution)
		if (!failed) {
			el_fail(error, status, "%s", one.text);
#pragma omp atomic write
			failed = status;
		}
	}
	return failed;
}

/* What is known and was not before the first pass, the passes have found. */
static void note_phases(const struct solution *s, struct el_planes *out)
{
	uint64_t left = s->known;
	out->passes = s->passes;
	unsigned last = 0;
	memcpy(out->phase, s->phase, sizeof out->phase);
	for (; out->phase[last].name[0]; last++)
		left -= out->phase[last].decided < left ? out->phase[last].decided : left;
	out->phase[last] = (struct el_phase){"quiet moves", left, s->seconds};
}

static enum el_status solve(const struct el_problem *problem, struct el_planes *out,
                            struct el_error *error)
{
	struct solution s = {.problem = problem};
	const struct el_slice *slice = &problem->slice;
	enum el_status status = slice->game->divide(problem, &s.division, error);
	if (status)
		return status;
	s.progress.watch = problem->watch;
	s.progress.total = slice->planes * slice->positions;
	snprintf(s.progress.what, WHAT_MAX, "%s %s", slice->name, problem->metric->name);
	status = recorder_open(slice, problem->metric, s.division->parts > 1, &s.recorder, error);
	if (!status)
		status = solve_families(&s, error);
	if (!status)
		status = recorder_finish(s.recorder, out, error);
	if (!status)
		note_phases(&s, out);
	recorder_close(s.recorder);
	s.division->close(s.division);
	if (!status && problem->observer && problem->observer->end)
		problem->observer->end(problem->observer->context);
	return status;
}

enum el_status el_solve(const struct el_problem *problem, struct el_planes *out,
                        struct el_error *error)
{
	struct el_problem solved = *problem;
	struct el_planes whole;
	solved.metric = el_metric_solved(problem->metric);
	if (solved.metric == problem->metric)
		return solve(problem, out, error);
	enum el_status status = solve(&solved, &whole, error);
	if (status)
		return status;
	status = el_planes_read(&whole, problem->metric, out, error);
	el_planes_free(&whole);
	return status;
}
