/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probes.h"

#include "pages.h"
#include "timing.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double TICK_NS = 20e6; /* between two looks at the watch */

enum {
	BATCH_MOST = 64,
	LOOK_EACH = 16, /* probes between two looks at the clock, where none is timed */
};

/* A candidate that is probed. */
struct subject {
	struct run *run;
	struct el_library *library;
	struct page_set files;
	double *samples;  /* as many as probes in the list */
	size_t in_memory; /* probes from the list's first on whose blocks have been kept */
	struct el_position near[BATCH_MOST]; /* what is timed next: whoever asks has it at hand */
};

/* ---- the library ---- */

/* What the library has to say of the candidate at hand. `waiting`: some file is yet to be checked. */
static enum el_status check_answers(const struct run *run, struct el_library *library,
                                    bool *waiting, struct el_error *error)
{
	const struct el_lab_setup *setup = run->setup;
	const char *table = run->here->table;
	struct el_entry *entries;
	size_t count;
	bool found = false;
	enum el_status status = el_library_list(library, &entries, &count, error);
	*waiting = false;
	if (status)
		return status;
	for (size_t i = 0; i < count && !status; i++) {
		const struct el_entry *e = &entries[i];
		const bool itself = !strcmp(e->path, table);
		*waiting |= e->check == EL_CHECK_WAITING;
		if (itself && e->ignored)
			status = el_fail(error, e->status ? e->status : EL_DAMAGED, "%s: %s", table,
			                 e->ignored);
		else if (itself)
			found = el_slice_equal(&e->slice, &setup->slice) &&
			        el_metric_tells(e->metric, setup->metric);
	}
	el_entries_free(entries, count);
	return status || found ? status
	                       : el_fail(error, EL_DAMAGED, "%s: the library does not answer from it",
	                                 table);
}

/* Checks of large files read them while probes would be timed: these wait, unless checks fail. */
static enum el_status wait_for_answers(struct run *run, struct el_library *library,
                                       struct el_error *error)
{
	const struct timespec while_checking = {.tv_nsec = 20000000};
	bool waiting;
	enum el_status status = check_answers(run, library, &waiting, error);
	while (waiting && !status && !el_library_check_fault(library, NULL)) {
		nanosleep(&while_checking, NULL);
		status = pace_tick(&run->pace, "checking", error);
		if (!status)
			status = check_answers(run, library, &waiting, error);
	}
	return status;
}

enum el_status probes_library(struct run *run, size_t cache_bytes, struct el_library **out,
                              struct el_error *error)
{
	char checked[PATH_MAX]; /* so that each file is checked once for all libraries on it */
	const struct el_library_options options = {
		.directory = run->here->made.path,
		.cache_bytes = cache_bytes,
		.checked = checked,
	};
	snprintf(checked, sizeof checked, "%s/.checked", options.directory);
	enum el_status status = el_library_open(&options, out, error);
	if (status)
		return status;
	status = wait_for_answers(run, *out, error);
	if (status)
		el_library_close(*out);
	return status;
}

/* ---- probes ---- */

static inline enum el_status probe(const struct subject *s, const struct el_position *position,
                                   struct el_value *out, struct el_error *error)
{
	const struct el_lab_setup *setup = s->run->setup;
	return el_library_value(s->library, setup->slice.game, position, setup->metric,
	                        EL_PROBE_FULL, out, error);
}

/* A foreign file may know what ours do not, and counts past the limit of a rule in its own way. */
static bool agrees(const struct run *run, struct el_value found, struct el_value truth)
{
	const bool drawn = truth.outcome == EL_CURSED_WIN || truth.outcome == EL_BLESSED_LOSS;
	if (!run->here->from)
		return el_value_equal(found, truth);
	return el_value_bounded(run->setup->metric, truth) || el_value_matches(found, truth) ||
	       (drawn && found.outcome == truth.outcome);
}

/* Tables do not know of en passant; where there is a right to it, nothing is compared. */
static enum el_status check_value(const struct run *run, size_t i, struct el_value found,
                                  struct el_error *error)
{
	const struct el_position *position = &run->list.positions[i];
	const struct el_game *game = run->setup->slice.game;
	struct el_place place;
	char fen[EL_FEN_MAX];
	if (position->en_passant != EL_NO_SQUARE || !game->place(position, &place))
		return EL_OK;
	const struct el_value truth =
		el_plane_value(&run->slice.planes.plane[place.plane], place.index);
	if (agrees(run, found, truth))
		return EL_OK;
	game->format(position, fen);
	return el_fail(error, EL_DAMAGED, "%s: expected %s %u, a probe found %s %u", fen,
	               el_outcome_name(truth.outcome), truth.plies, el_outcome_name(found.outcome),
	               found.plies);
}

/* Brings the blocks of the list into memory, as many as time allows. */
static enum el_status load_blocks(struct subject *s, struct el_lab_result *out, uint64_t *bytes,
                                  struct el_error *error)
{
	const struct run *run = s->run;
	const double start = clock_seconds(), most = 4 * run->setup->seconds;
	struct el_cache_counters counters;
	struct el_value value;
	enum el_status status = EL_OK;
	size_t i = 0;
	for (; i < run->list.count && !status; i++) {
		const bool look = i % LOOK_EACH == 0;
		if (look && i && clock_seconds() - start > most)
			break;
		if (look)
			status = pace_tick(&s->run->pace, "loading blocks", error);
		if (!status)
			status = probe(s, &run->list.positions[i], &value, error);
		if (!status)
			status = check_value(run, i, value, error);
	}
	s->in_memory = i;
	el_library_counters(s->library, &counters);
	out->blocks_per_probe = i ? (double)counters.misses / (double)i : 0;
	*bytes = counters.blocks ? (counters.bytes + counters.blocks - 1) / counters.blocks : 0;
	return status;
}

/* ---- regimes ---- */

struct regime {
	const char *stage;
	size_t most;    /* probes */
	unsigned batch; /* timed together */
	bool forget;    /* what the library has in memory, before each batch */
	bool drop;      /* what the system has, as well */
};

/* Nanoseconds for each of a batch. */
static enum el_status time_batch(struct subject *s, size_t first, unsigned batch, double *out,
                                 struct el_error *error)
{
	struct el_value value;
	enum el_status status = EL_OK;
	memcpy(s->near, s->run->list.positions + first, batch * sizeof *s->near);
	const uint64_t start = clock_ns();
	for (unsigned i = 0; i < batch && !status; i++)
		status = probe(s, &s->near[i], &value, error);
	const uint64_t end = clock_ns();
	const double took = (double)(end - start) - s->run->ground.timer_ns;
	*out = took > 0 ? took / batch : 0;
	return status;
}

/* False when the page cache would not let go. */
static bool make_ready(struct subject *s, const struct regime *r)
{
	if (r->forget)
		el_library_forget(s->library);
	return !r->drop || pages_drop(&s->files);
}

/* Sets *count to the number of samples. Where the page cache would not let go, somebody else using
   the same tables, nothing is timed. */
static enum el_status take_samples(struct subject *s, const struct regime *r, size_t *count,
                                   struct el_error *error)
{
	const double start = (double)clock_ns(), end = start + 1e9 * s->run->setup->seconds;
	enum el_status status = pace_tick(&s->run->pace, r->stage, error);
	double now = start, ticked = start;
	size_t n = 0;
	for (size_t i = 0; i + r->batch <= r->most && now < end && !status; i += r->batch) {
		if (make_ready(s, r))
			status = time_batch(s, i, r->batch, &s->samples[n++], error);
		now = (double)clock_ns();
		if (now - ticked > TICK_NS && !status) {
			status = pace_tick(&s->run->pace, r->stage, error);
			ticked = now;
		}
	}
	*count = n;
	return status;
}

static enum el_status measure(struct subject *s, enum el_regime which, const struct regime *r,
                              struct el_lab_result *out, struct el_error *error)
{
	size_t count;
	enum el_status status = take_samples(s, r, &count, error);
	if (!status)
		timing_sum_up(s->samples, count, r->batch, &out->latency[which],
		              out->histogram[which]);
	return status;
}

/* So many that the timer's own unrest, about half its cost, is a twentieth of what is timed. */
static enum el_status find_batch(struct subject *s, unsigned *out, struct el_error *error)
{
	enum { TRIALS = 16 };
	const size_t most = s->in_memory < BATCH_MOST ? s->in_memory : BATCH_MOST;
	double each, least = INFINITY;
	enum el_status status = EL_OK;
	for (size_t i = 0; i < TRIALS && (i + 1) * most <= s->in_memory && !status; i++) {
		status = time_batch(s, i * most, (unsigned)most, &each, error);
		least = fmin(least, each);
	}
	const double batch = ceil(10 * s->run->ground.timer_ns / fmax(least, 1));
	*out = batch < (double)most ? (unsigned)batch : (unsigned)most;
	*out = *out ? *out : 1;
	return status;
}

static enum el_status measure_hot(struct subject *s, struct el_lab_result *out,
                                  struct el_error *error)
{
	struct regime hot = {.stage = "hot probes", .most = s->in_memory, .batch = 1};
	enum el_status status = find_batch(s, &hot.batch, error);
	return status ? status : measure(s, EL_HOT, &hot, out, error);
}

static enum el_status measure_warm(struct subject *s, struct el_lab_result *out,
                                   struct el_error *error)
{
	const struct regime warm = {"warm probes", s->run->list.count, 1, true, false};
	struct el_cache_counters before, after;
	pages_load(&s->files);
	el_library_counters(s->library, &before);
	enum el_status status = measure(s, EL_WARM, &warm, out, error);
	el_library_counters(s->library, &after);
	if (out->latency[EL_WARM].n)
		out->blocks_alone =
			(double)(after.misses - before.misses) / (double)out->latency[EL_WARM].n;
	return status;
}

static enum el_status measure_cold(struct subject *s, struct el_lab_result *out,
                                   struct el_error *error)
{
	const size_t most = s->run->list.count < EL_LAB_COLD ? s->run->list.count : EL_LAB_COLD;
	const struct regime cold = {"cold probes", most, 1, true, true};
	return s->run->ground.cold_checked ? measure(s, EL_COLD, &cold, out, error) : EL_OK;
}

static enum el_status measure_all(struct subject *s, struct el_lab_result *out, uint64_t *bytes,
                                  struct el_error *error)
{
	s->samples = malloc(s->run->list.count * sizeof *s->samples);
	if (!s->samples)
		return el_fail(error, EL_MEMORY, "%zu probes: out of memory", s->run->list.count);
	enum el_status status = pages_open(s->run->here->made.path, &s->files, error);
	if (!status)
		status = load_blocks(s, out, bytes, error);
	if (!status)
		status = measure_hot(s, out, error);
	if (!status)
		status = measure_warm(s, out, error);
	return status ? status : measure_cold(s, out, error);
}

enum el_status probes_measure(struct run *run, struct el_lab_result *out, uint64_t *bytes,
                              struct el_error *error)
{
	struct subject s = {.run = run};
	enum el_status status = probes_library(run, SIZE_MAX / 2, &s.library, error);
	if (status)
		return status;
	status = measure_all(&s, out, bytes, error);
	pages_close(&s.files);
	free(s.samples);
	el_library_close(s.library);
	return status;
}

/* ---- budgets ---- */

static enum el_status measure_budget(struct run *run, struct el_hit_rate *out,
                                     struct el_error *error)
{
	const double end = clock_seconds() + run->setup->seconds / EL_LAB_BUDGETS;
	struct subject s = {.run = run};
	struct el_cache_counters counters;
	struct el_value value;
	enum el_status status = probes_library(run, (size_t)out->budget, &s.library, error);
	if (status)
		return status;
	for (; out->probes < run->list.count && !status; out->probes++) {
		if (out->probes % LOOK_EACH == LOOK_EACH - 1 && clock_seconds() > end)
			break;
		status = probe(&s, &run->list.positions[out->probes], &value, error);
	}
	el_library_counters(s.library, &counters);
	const uint64_t wanted = counters.hits + counters.misses;
	out->rate = wanted ? (double)counters.hits / (double)wanted : 1;
	el_library_close(s.library);
	return status;
}

enum el_status budgets_measure(struct run *run, uint64_t least, uint64_t most,
                               struct el_lab_result *out, struct el_error *error)
{
	const double low = least ? (double)least : 1,
		     high = (double)most > low ? (double)most : low;
	enum el_status status = EL_OK;
	for (unsigned i = 0; i < EL_LAB_BUDGETS && !status; i++) {
		const double share = (double)i / (EL_LAB_BUDGETS - 1);
		out->hits[i] = (struct el_hit_rate){
			.budget = (uint64_t)ceil(low * pow(high / low, share)),
		};
		status = pace_tick(&run->pace, "trying cache sizes", error);
		if (!status)
			status = measure_budget(run, &out->hits[i], error);
	}
	return status;
}
