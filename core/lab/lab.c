/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run: the ground it stands on, its candidates in turn, and which of them are worth having. */
#include "pages.h"
#include "references.h"
#include "run.h"
#include "timing.h"

#include <math.h>
#include <stdio.h>

const char *const el_regime_names[] = {
	[EL_COLD] = "cold",
	[EL_WARM] = "warm",
	[EL_HOT] = "hot",
	NULL,
};

/* ---- the ground ---- */

static void count_positions(const struct el_planes *planes, struct el_lab_ground *out)
{
	out->positions = planes->slice.positions * planes->slice.planes;
	for (unsigned p = 0; p < planes->slice.planes; p++) {
		const struct el_plane *plane = &planes->plane[p];
		for (uint64_t i = 0; i < planes->slice.positions; i++) {
			out->legal += plane->symbols[i] != 0;
			out->derivable += plane->derivable && plane->derivable[i];
		}
	}
}

/* The best of several rounds over the list's first positions. */
static double time_places(const struct workload *list, const struct el_game *game)
{
	enum { ROUNDS = 100, MOST = 1000 };
	const size_t count = list->count < MOST ? list->count : MOST;
	double least = 0;
	for (int r = 0; r < ROUNDS; r++) {
		struct el_place place;
		const uint64_t start = clock_ns();
		for (size_t i = 0; i < count; i++)
			game->place(&list->positions[i], &place);
		const double each = (double)(clock_ns() - start) / (double)count;
		least = r == 0 || each < least ? each : least;
	}
	return least;
}

static enum el_status refer(struct run *run, struct el_error *error)
{
	struct el_lab_ground *ground = &run->ground;
	enum el_status status = pace_tick(&run->pace, "counting contexts", error);
	if (!status)
		status = references_find(&run->slice.planes, false, &ground->references, error);
	return status || !ground->derivable
	               ? status
	               : references_find(&run->slice.planes, true, &ground->derived, error);
}

static enum el_status survey(struct run *run, struct el_error *error)
{
	const size_t block = EL_BLOCK_DEFAULT * sizeof(uint16_t);
	struct el_lab_ground *ground = &run->ground;
	const double memcpy_ns = timing_memcpy_ns(block);
	if (memcpy_ns < 0)
		return el_fail(error, EL_MEMORY, "%s: out of memory", run->pace.what);
	count_positions(&run->slice.planes, ground);
	ground->timer_ns = timing_timer_ns();
	ground->memcpy_ns = fmax(memcpy_ns - ground->timer_ns, 1);
	ground->memcpy_mb_s = 1e3 * (double)block / ground->memcpy_ns;
	ground->place_ns = time_places(&run->list, run->setup->slice.game);
	ground->cold_note = pages_trial(run->slice.folder.made.path);
	ground->cold_checked = !ground->cold_note;
	ground->probes = run->list.count;
	ground->foreign = run->slice.foreign;
	ground->rounded = run->slice.planes.rounded;
	return refer(run, error);
}

/* ---- the run ---- */

static bool any_derives(const struct el_lab_setup *setup)
{
	for (size_t i = 0; i < setup->count; i++)
		if (!setup->candidates[i].foreign &&
		    setup->candidates[i].options.derive == EL_DERIVE_CAPTURES)
			return true;
	return false;
}

static enum el_status prepare(struct run *run, struct el_error *error)
{
	const struct el_lab_setup *setup = run->setup;
	snprintf(run->pace.what, sizeof run->pace.what, "%s %s", setup->slice.name,
	         setup->metric->name);
	enum el_status status =
		slice_open(setup->library, &setup->slice, setup->metric, setup->directory,
	                   any_derives(setup), &run->pace.inner, &run->slice, error);
	if (!status)
		status = workload_make(setup, &run->pace, &run->list, error);
	if (!status)
		status = survey(run, error);
	if (!status && setup->ground)
		setup->ground(setup->context, &run->ground);
	return status;
}

/* What went wrong with one candidate is its result; only a wish to stop ends the run. */
static enum el_status measure(struct run *run, size_t i, struct el_error *error)
{
	const struct el_lab_setup *setup = run->setup;
	struct el_lab_result result = {.candidate = setup->candidates[i]};
	char options[PACE_WHAT];
	el_lab_candidate_format(&setup->slice, &result.candidate, options, sizeof options);
	snprintf(run->pace.what, sizeof run->pace.what, "%zu/%zu %.48s", i + 1, setup->count,
	         options);
	pace_begin(&run->pace, i);
	result.status = result.candidate.foreign ? foreign_measure(run, &result, &result.error)
	                                         : candidate_measure(run, &result, &result.error);
	if (result.status == EL_STOPPED)
		return el_fail(error, EL_STOPPED, "stopped; %zu of %zu candidates were measured", i,
		               setup->count);
	setup->result(setup->context, i, &result);
	return EL_OK;
}

enum el_status el_lab_run(const struct el_lab_setup *setup, const struct el_watch *watch,
                          struct el_error *error)
{
	struct run run = {.setup = setup};
	if (!setup->count || !setup->probes)
		return el_fail(error, EL_USAGE, "nothing to measure: %zu candidates, %zu probes",
		               setup->count, setup->probes);
	/* Each regime and the caches take their time, and the rest about as much as one of them. */
	pace_start(&run.pace, watch, setup->count, 4 * setup->seconds + 1);
	enum el_status status = prepare(&run, error);
	for (size_t i = 0; i < setup->count && !status; i++)
		status = measure(&run, i, error);
	workload_free(&run.list);
	slice_close(&run.slice);
	return status;
}

/* ---- the front ---- */

static bool has_figures(const struct el_lab_result *r, enum el_regime regime)
{
	return r->status == EL_OK && r->latency[regime].n;
}

static bool beats(const struct el_lab_result *a, const struct el_lab_result *b,
                  enum el_regime regime)
{
	const double size_a = a->bits_per_position, size_b = b->bits_per_position;
	const double time_a = a->latency[regime].p99, time_b = b->latency[regime].p99;
	return size_a <= size_b && time_a <= time_b && (size_a < size_b || time_a < time_b);
}

void el_lab_pareto(struct el_lab_result *results, size_t count, enum el_regime regime)
{
	for (size_t i = 0; i < count; i++) {
		results[i].pareto = has_figures(&results[i], regime);
		for (size_t k = 0; k < count && results[i].pareto; k++)
			if (has_figures(&results[k], regime) &&
			    beats(&results[k], &results[i], regime))
				results[i].pareto = false;
	}
}
