/* SPDX-License-Identifier: MIT */
/* A run: prepares it, makes and measures its candidates, and reports them. */
#include "lab.h"

#include "core/base/hash.h"
#include "core/os/pages.h"
#include "core/os/system.h"
#include "probes.h"
#include "references.h"
#include "run.h"
#include "timing.h"

#include <lzma.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zstd.h>

const char *const el_regime_names[] = {
	[EL_COLD] = "cold", [EL_WARM] = "warm", [EL_HOT] = "hot", [EL_WHOLE] = "whole", NULL,
};

/* ---- the ground ---- */

static enum el_status survey(struct run *run, struct el_error *error)
{
	const size_t block = EL_BLOCK_DEFAULT * sizeof(uint16_t);
	struct el_lab_ground *ground = &run->ground;
	const double memcpy_ns = timing_memcpy_ns(block);
	if (memcpy_ns < 0)
		return el_fail(error, EL_MEMORY, "%s: out of memory", run->pace.what);
	const struct el_planes *planes = &run->slice.planes;
	ground->positions = planes->slice.positions * planes->slice.planes;
	for (unsigned p = 0; p < planes->slice.planes; p++) {
		const struct el_plane *plane = &planes->plane[p];
		for (uint64_t i = 0; i < planes->slice.positions; i++) {
			ground->legal += plane->symbols[i] != 0;
			ground->derivable += plane->derivable && plane->derivable[i];
		}
	}
	ground->timer_ns = timing_timer_ns();
	ground->cpu_timer_ns = timing_meter_cpu_ns();
	ground->memcpy_ns = fmax(memcpy_ns - ground->timer_ns, 1);
	ground->memcpy_mb_s = 1e3 * (double)block / ground->memcpy_ns;
	/* The best time of several rounds over the first positions of the list. */
	enum { ROUNDS = 100, MOST = 1000 };
	const size_t count = run->list.count < MOST ? run->list.count : MOST;
	double least = 0;
	for (int r = 0; r < ROUNDS; r++) {
		struct el_place place;
		const uint64_t start = clock_ns();
		for (size_t i = 0; i < count; i++)
			run->setup->slice.game->place(&run->list.positions[i], &place);
		const double each = (double)(clock_ns() - start) / (double)count;
		least = r == 0 || each < least ? each : least;
	}
	ground->place_ns = least;
	ground->cold_note = pages_trial(run->slice.folder.made.path);
	ground->cold_checked = !ground->cold_note;
	ground->probes = run->list.count;
	ground->distinct = run->list.distinct;
	ground->elsewhere = run->list.elsewhere;
	ground->foreign = run->slice.foreign;
	ground->rounded = run->slice.planes.rounded;
	enum el_status status = pace_tick(&run->pace, "counting contexts", error);
	if (!status)
		status = references_find(&run->slice.planes, false, &ground->references, error);
	if (!status && ground->derivable)
		status = references_find(&run->slice.planes, true, &ground->derived, error);
	/* Charts show those without captures, if they are known. */
	return status || !run->setup->slow_references
	               ? status
	               : references_slow(&run->slice.planes, ground->derivable, &run->pace,
	                                 ground->derivable ? &ground->derived : &ground->references,
	                                 error);
}

/* ---- the machine and the libraries ---- */

void el_lab_machine(char *out, size_t size)
{
	char processor[128];
	struct utsname name;
	const long cores = sysconf(_SC_NPROCESSORS_ONLN);
	if (uname(&name))
		name = (struct utsname){.sysname = "an unknown system"};
	processor_name(processor, sizeof processor);
	snprintf(out, size, "%s, %ld %s, %s %s", processor, cores, cores == 1 ? "core" : "cores",
	         name.sysname, name.release);
}

void el_lab_libraries(char *out, size_t size)
{
	snprintf(out, size, "endlab %s, zstd %s, liblzma %s, compiled by %s", EL_VERSION,
	         ZSTD_versionString(), lzma_version_string(),
#ifdef __clang__
	         "clang " __clang_version__
#else
	         "gcc " __VERSION__
#endif
	);
}

/* ---- the run ---- */

static void set_what(struct run *run, size_t i)
{
	const struct el_lab_setup *setup = run->setup;
	char options[PACE_WHAT];
	el_lab_candidate_format(&setup->slice, &setup->candidates[i], options, sizeof options);
	snprintf(run->pace.what, sizeof run->pace.what, "%zu/%zu %.48s", i + 1, setup->count,
	         options);
}

/* Records what became of a candidate. A failure is its result, and the candidate drops out; only
   EL_STOPPED, which this returns, ends the run. */
static enum el_status judge(struct entrant *e, enum el_status status, struct el_error *error)
{
	struct el_lab_result *r = &e->result;
	if (status == EL_STOPPED)
		return el_fail(error, status, "%s", r->error.text);
	if (status && e->folder.from && status != EL_MEMORY)
		status = foreign_error(&e->folder, status, &r->error);
	r->status = status;
	return EL_OK;
}

/* ---- rounds ---- */

/* Gives all candidates a turn in each round, in an order drawn for the round. */
static enum el_status rounds_run(struct run *run, struct el_error *error)
{
	static const enum el_regime regimes[] = {EL_HOT, EL_WARM, EL_COLD};
	const struct el_lab_setup *setup = run->setup;
	const unsigned count = run->ground.cold_checked ? 3 : 2;
	size_t *order = malloc(setup->count * sizeof *order), turns = 0;
	uint64_t state = setup->seed;
	enum el_status status =
		order ? EL_OK : el_fail(error, EL_MEMORY, "the rounds: out of memory");
	for (size_t i = 0; i < setup->count && !status; i++)
		order[i] = i;
	pace_turns(&run->pace, count * EL_LAB_ROUNDS * setup->count,
	           setup->seconds / EL_LAB_ROUNDS);
	for (unsigned r = 0; r < count * EL_LAB_ROUNDS && !status; r++) {
		const unsigned round = r % EL_LAB_ROUNDS;
		for (size_t i = setup->count; i > 1; i--) {
			const size_t k = (size_t)(random_next(&state) % i), other = order[k];
			order[k] = order[i - 1];
			order[i - 1] = other;
		}
		snprintf(run->pace.what, sizeof run->pace.what, "round %u/%d", round + 1,
		         EL_LAB_ROUNDS);
		for (size_t i = 0; i < setup->count && !status; i++) {
			struct entrant *e = &run->entrants[order[i]];
			pace_begin(&run->pace, turns++);
			if (e->result.status)
				continue;
			const enum el_status turn =
				probes_turn(e, regimes[r / EL_LAB_ROUNDS], round, &e->result.error);
			status = judge(e, turn, error);
		}
	}
	free(order);
	return status;
}

/* ---- from the first candidate to the last ---- */

static enum el_status make(struct run *run, size_t i, struct el_error *error)
{
	struct entrant *e = &run->entrants[i];
	struct el_lab_result *r = &e->result;
	*e = (struct entrant){.run = run, .result.candidate = run->setup->candidates[i]};
	set_what(run, i);
	pace_begin(&run->pace, i);
	enum el_status status =
		r->candidate.foreign ? foreign_make(e, &r->error) : candidate_make(e, &r->error);
	if (!status)
		status = probes_open(e, &r->error);
	if (judge(e, status, error))
		return el_fail(error, EL_STOPPED, "stopped; %zu of %zu candidates were written", i,
		               run->setup->count);
	if (r->status)
		probes_close(e);
	run->setup->result(run->setup->context, i, r);
	return EL_OK;
}

/* Sums up the samples even if the run is stopping. */
static enum el_status finish(struct run *run, size_t i, enum el_status stop, struct el_error *error)
{
	struct entrant *e = &run->entrants[i];
	struct el_lab_result *r = &e->result;
	const bool takes_part = e->library;
	if (!takes_part)
		return stop;
	set_what(run, i);
	enum el_status status = r->status ? r->status : probes_sum_up(e, &r->error);
	if (!status && !stop)
		status = threads_measure(e, &r->error);
	probes_close(e);
	if (!status && !stop)
		status = budgets_measure(e, &r->error);
	if (!r->status && judge(e, status, error))
		stop = EL_STOPPED;
	r->timed = !r->status;
	run->setup->result(run->setup->context, i, r);
	return stop;
}

enum el_status el_lab_run(const struct el_lab_setup *setup, const struct el_watch *watch,
                          struct el_error *error)
{
	struct run run = {.setup = setup};
	if (!setup->count || !setup->probes)
		return el_fail(error, EL_USAGE, "nothing to measure: %zu candidates, %zu probes",
		               setup->count, setup->probes);
	run.entrants = calloc(setup->count, sizeof *run.entrants);
	if (!run.entrants)
		return el_fail(error, EL_MEMORY, "%zu candidates: out of memory", setup->count);
	/* Expects time for each regime and for the caches. */
	pace_start(&run.pace, watch, setup->count, 1);
	run.pace.later = 5 * setup->seconds * (double)setup->count;
	bool derives = false;
	for (size_t i = 0; i < setup->count; i++)
		derives |= !setup->candidates[i].foreign &&
		           setup->candidates[i].options.derive & EL_DERIVE_CAPTURES;
	snprintf(run.pace.what, sizeof run.pace.what, "%s %s", setup->slice.name,
	         setup->metric->name);
	enum el_status status = slice_open(setup->library, &setup->slice, setup->metric,
	                                   setup->directory, &run.pace.inner, &run.slice, error);
	if (!status && derives)
		status = slice_mark(&run.slice, EL_DERIVE_CAPTURES, &run.pace.inner, error);
	if (!status)
		status = workload_make(setup, &run.pace, &run.list, error);
	if (!status)
		status = survey(&run, error);
	if (!status && setup->ground)
		setup->ground(setup->context, &run.ground);
	size_t made = 0;
	for (; made < setup->count && !status; made++)
		status = make(&run, made, error);
	const bool all_made = !status;
	if (all_made && (status = rounds_run(&run, error)) == EL_STOPPED)
		el_fail(error, EL_STOPPED, "stopped; not all rounds were measured");
	for (size_t i = 0; i < made; i++) {
		if (all_made)
			status = finish(&run, i, status, error);
		probes_close(&run.entrants[i]);
		folder_remove(&run.entrants[i].folder);
	}
	free(run.entrants);
	workload_free(&run.list);
	slice_close(&run.slice);
	return status;
}
