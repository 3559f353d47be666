/* SPDX-License-Identifier: MIT */
#include "probes.h"

#include "core/base/array.h"
#include "core/os/pages.h"
#include "core/os/system.h"
#include "core/probe/probe.h"
#include "timing.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The most memory for decoded blocks that all candidates together keep for hot probes. */
static const uint64_t PROBES_MEMORY = UINT64_C(1) << 30;
static const double TICK_NS = 20e6; /* between two calls of the watch */

enum {
	LOOK_EACH = 16, /* untimed probes between two readings of the clock */
	LOOK_BACK = 64, /* hot samples between two checks for preemption */
};

/* ---- the library ---- */

/* Checks that the library answers from the candidate. Sets *waiting if it has yet to check some
   file. */
static enum el_status check_answers(const struct entrant *e, struct el_library *library,
                                    bool *waiting, struct el_error *error)
{
	const struct el_lab_setup *setup = e->run->setup;
	const char *table = e->folder.table;
	struct el_entry *entries;
	size_t count;
	bool found = false;
	enum el_status status = el_library_list(library, &entries, &count, error);
	*waiting = false;
	if (status)
		return status;
	for (size_t i = 0; i < count && !status; i++) {
		const struct el_entry *file = &entries[i];
		const bool itself = !strcmp(file->path, table);
		*waiting |= file->check == EL_CHECK_WAITING;
		if (itself && file->ignored)
			status = el_fail(error, file->status ? file->status : EL_DAMAGED, "%s: %s",
			                 table, file->ignored);
		else if (itself)
			found = el_slice_equal(&file->slice, &setup->slice) &&
			        el_metric_tells(file->metric, setup->metric);
	}
	el_entries_free(entries, count);
	return status || found ? status
	                       : el_fail(error, EL_DAMAGED,
	                                 "%s: the library does not answer from it", table);
}

enum el_status probes_library(struct entrant *e, size_t cache_bytes, struct el_library **out,
                              struct el_error *error)
{
	char checked[PATH_MAX]; /* so that all libraries here check each file only once */
	const struct el_library_options options = {
		.directory = e->folder.made.path,
		.cache_bytes = cache_bytes,
		.checked = checked,
	};
	snprintf(checked, sizeof checked, "%s/.checked", options.directory);
	enum el_status status = el_library_open(&options, out, error);
	if (status)
		return status;
	/* Checks of large files would read them during timed probes, so wait until they end or
	   fail. */
	const struct timespec while_checking = {.tv_nsec = 20000000};
	bool waiting;
	status = check_answers(e, *out, &waiting, error);
	while (waiting && !status && !el_library_check_fault(*out, NULL)) {
		nanosleep(&while_checking, NULL);
		status = pace_tick(&e->run->pace, "checking", error);
		if (!status)
			status = check_answers(e, *out, &waiting, error);
	}
	if (status)
		el_library_close(*out);
	return status;
}

/* ---- probes ---- */

static inline enum el_status probe(const struct entrant *e, const struct el_position *position,
                                   struct el_value *out, struct el_error *error)
{
	const struct el_lab_setup *setup = e->run->setup;
	return el_library_value(e->library, setup->slice.game, position, setup->metric,
	                        EL_PROBE_FULL, out, error);
}

/* Tables ignore en passant, so positions with that right are not compared. */
static enum el_status check_value(const struct entrant *e, size_t i, struct el_value found,
                                  struct el_error *error)
{
	const struct run *run = e->run;
	const struct el_position *position = &run->list.positions[i];
	const struct el_game *game = run->setup->slice.game;
	struct el_place place;
	char fen[EL_FEN_MAX];
	if (position->en_passant != EL_NO_SQUARE || !game->place(position, &place))
		return EL_OK;
	const struct el_value truth =
		el_plane_value(&run->slice.planes.plane[place.plane], place.index);
	/* A foreign file may know more than our tables, and counts past a rule's limit in its own
	   way. */
	const bool drawn = el_outcome_late(truth.outcome);
	if (!e->result.candidate.foreign ? el_value_equal(found, truth)
	                                 : el_value_bounded(run->setup->metric, truth) ||
	                                           el_value_matches(found, truth) ||
	                                           (drawn && found.outcome == truth.outcome))
		return EL_OK;
	game->format(position, fen);
	return el_fail(error, EL_DAMAGED, "%s: expected %s %u, a probe found %s %u", fen,
	               el_outcome_name(truth.outcome), truth.plies, el_outcome_name(found.outcome),
	               found.plies);
}

/* Reads of a probe with nothing in memory, counted on positions spread over the list. Sets `derives`
   if the candidate leaves it to other tables to answer. */
static enum el_status count_alone(struct entrant *e, struct el_error *error)
{
	const struct workload *list = &e->run->list;
	const size_t count = list->count < EL_LAB_ALONE ? list->count : EL_LAB_ALONE;
	uint64_t blocks[2] = {0}; /* of all tables, of the candidate */
	struct el_cache_counters before, after;
	struct el_value value;
	enum el_status status = EL_OK;
	e->derives = e->result.candidate.options.derive != EL_DERIVE_NOTHING;
	el_library_counters(e->library, &before);
	for (size_t i = 0; i < 2 * count && !status; i += e->derives ? 1 : 2) {
		/* The second probe of each finds the sub-tables' blocks in memory. */
		el_library_forget(e->library, i % 2 ? &e->run->setup->slice : NULL);
		status = probe(e, &list->positions[i / 2 * list->count / count], &value, error);
		el_library_counters(e->library, &after);
		blocks[i % 2] += after.misses - before.misses;
		before = after;
	}
	e->result.blocks_alone = (double)blocks[0] / (double)count;
	e->result.blocks_own = (double)blocks[e->derives] / (double)count;
	return status;
}

/* Loads the blocks of the list, as many as time and memory allow. */
static enum el_status load_blocks(struct entrant *e, struct el_error *error)
{
	const struct run *run = e->run;
	const double start = clock_seconds(), most = 4 * run->setup->seconds;
	const uint64_t share = PROBES_MEMORY / run->setup->count;
	struct el_cache_counters counters;
	struct el_value value;
	enum el_status status = EL_OK;
	size_t i = 0;
	el_library_forget(e->library, NULL);
	el_library_counters(e->library, &counters);
	const uint64_t missed = counters.misses;
	for (; i < run->list.count && !status; i++) {
		const bool look = i % LOOK_EACH == 0;
		if (look)
			el_library_counters(e->library, &counters);
		if (look && i && (clock_seconds() - start > most || counters.bytes > share))
			break;
		if (look)
			status = pace_tick(&e->run->pace, "loading blocks", error);
		if (!status)
			status = probe(e, &run->list.positions[i], &value, error);
		if (!status)
			status = check_value(e, i, value, error);
	}
	e->in_memory = i;
	el_library_counters(e->library, &counters);
	e->result.pass = (struct el_lab_pass){i, counters.misses - missed, counters.bytes, 0};
	e->result.blocks_per_probe = i ? (double)e->result.pass.blocks / (double)i : 0;
	e->block_bytes =
		counters.blocks ? (counters.bytes + counters.blocks - 1) / counters.blocks : 0;
	return status;
}

/* ---- one sample ---- */

static enum el_status probe_near(struct entrant *e, unsigned batch, struct el_error *error)
{
	struct el_value value;
	enum el_status status = EL_OK;
	for (unsigned i = 0; i < batch && !status; i++)
		status = probe(e, &e->near[i], &value, error);
	return status;
}

/* Reads only the clock: a system call between two hot probes would slow them by more than they
   take. */
static enum el_status time_hot(struct entrant *e, size_t first, unsigned batch, struct sample *out,
                               struct el_error *error)
{
	memcpy(e->near, e->run->list.positions + first, batch * sizeof *e->near);
	const uint64_t start = clock_ns();
	const enum el_status status = probe_near(e, batch, error);
	const double took = (double)(clock_ns() - start) - e->run->ground.timer_ns;
	*out = (struct sample){.wall = fmax(took, 0) / batch};
	return status;
}

enum el_status probes_open(struct entrant *e, struct el_error *error)
{
	enum el_status status = probes_library(e, SIZE_MAX / 2, &e->library, error);
	if (!status)
		status = count_alone(e, error);
	if (!status)
		status = load_blocks(e, error);
	if (status)
		return status;
	/* Find the batch size for which the timer's jitter, about half its cost, is a twentieth of
	   the measured time; at most the probes of a round. */
	enum { TRIALS = 16 };
	const size_t round = e->in_memory / EL_LAB_ROUNDS;
	const size_t most = round > BATCH_MOST ? BATCH_MOST : round ? round : 1;
	double least = INFINITY;
	for (size_t i = 0; i < TRIALS && (i + 1) * most <= e->in_memory && !status; i++) {
		struct sample sample;
		status = time_hot(e, i * most, (unsigned)most, &sample, error);
		least = fmin(least, sample.wall);
	}
	const double batch = ceil(10 * e->run->ground.timer_ns / fmax(least, 1));
	e->batch = batch < (double)most ? (unsigned)batch : (unsigned)most;
	e->batch = e->batch ? e->batch : 1;
	return status;
}

/* ---- a turn ---- */

/* One turn: probes from `first` to `end` of the list. */
struct turn {
	enum el_regime regime;
	unsigned round, batch;
	size_t first, end;
	bool whole;            /* each probe is preceded by one that reads sub-tables as well */
	struct page_set files; /* if the turn drops or loads them */
	size_t seen;           /* hot samples checked for preemption */
	long switches;         /* at that check */
};

static const char *const stages[] = {
	[EL_COLD] = "cold probes",
	[EL_WARM] = "warm probes",
	[EL_HOT] = "hot probes",
};

/* Drops the candidate's blocks. False if the page cache keeps pages, because another process uses the
   same tables. */
static bool make_ready(struct entrant *e, struct turn *t)
{
	if (t->regime != EL_HOT)
		el_library_forget(e->library, &e->run->setup->slice);
	return t->regime != EL_COLD || pages_drop(&t->files);
}

static enum el_status time_sample(struct entrant *e, const struct turn *t, size_t at,
                                  struct sample *out, struct el_error *error)
{
	enum el_status status;
	if (t->regime == EL_HOT) {
		status = time_hot(e, at, t->batch, out, error);
	} else {
		const struct el_lab_ground *ground = &e->run->ground;
		struct meter meter;
		e->near[0] = e->run->list.positions[at];
		meter_start(&meter);
		status = probe_near(e, 1, error);
		meter_stop(&meter);
		*out = (struct sample){
			.wall = fmax(meter.wall - ground->timer_ns, 0),
			.cpu = fmax(meter.cpu - ground->cpu_timer_ns, 0),
			.preempted = meter.use.switches > 0,
			.major = (unsigned)meter.use.major,
			.minor = (unsigned)meter.use.minor,
			.sectors = (unsigned)meter.use.sectors,
		};
	}
	out->round = t->round;
	return status;
}

/* Marks all hot samples since the last check if the thread was preempted since. */
static void look_back(struct turn *t, struct samples *s)
{
	const long switches = thread_use().switches;
	for (; t->seen < s->count; t->seen++)
		s->list[t->seen].preempted |= switches != t->switches;
	t->switches = switches;
}

static enum el_status take_samples(struct entrant *e, struct turn *t, struct el_error *error)
{
	struct samples *samples = &e->samples[t->regime], *whole = &e->samples[EL_WHOLE];
	const double start = (double)clock_ns();
	const double end = start + 1e9 * e->run->setup->seconds / EL_LAB_ROUNDS;
	double now = start, ticked = start;
	/* Other candidates have filled the processor's caches. Untimed probes bring back the
	   program and, if hot, some of the table, from another part of the list. */
	enum { HOT = 1000 };
	struct sample unused;
	struct el_value value;
	enum el_status status = EL_OK;
	if (t->regime == EL_WARM && make_ready(e, t))
		status = time_sample(e, t, t->first, &unused, error);
	for (size_t i = 0; t->regime == EL_HOT && i < HOT && !status; i++)
		status = probe(e, &e->run->list.positions[(t->end + i) % e->in_memory], &value,
		               error);
	t->switches = thread_use().switches;
	t->seen = samples->count;
	for (size_t i = t->first; i + t->batch <= t->end && (now < end || i == t->first) && !status;
	     i += t->batch) {
		if (t->whole) {
			el_library_forget(e->library, NULL);
			status = time_sample(e, t, i, &whole->list[whole->count], error);
			whole->count += !status && t->regime == EL_WARM;
		}
		if (!status && make_ready(e, t)) {
			status = time_sample(e, t, i, &samples->list[samples->count], error);
			samples->count += !status;
		}
		if (t->regime == EL_HOT && samples->count - t->seen == LOOK_BACK)
			look_back(t, samples);
		now = (double)clock_ns();
		if (now - ticked > TICK_NS && !status) {
			status = pace_tick(&e->run->pace, stages[t->regime], error);
			ticked = now;
		}
	}
	if (t->regime == EL_HOT)
		look_back(t, samples);
	return status;
}

/* Goes through the list once, from an empty memory, as long as there is time for more passes. */
static enum el_status pass(struct entrant *e, struct el_error *error)
{
	enum { TICK_EACH = 4096 };
	struct el_lab_pass *pass = &e->result.pass;
	const double start = clock_seconds();
	struct el_value value;
	enum el_status status = EL_OK;
	if (e->passing > e->run->setup->seconds)
		return EL_OK;
	el_library_forget(e->library, NULL);
	const uint64_t began = clock_ns();
	for (size_t i = 0; i < pass->probes && !status; i++) {
		status = probe(e, &e->run->list.positions[i], &value, error);
		if (!status && i % TICK_EACH == TICK_EACH - 1)
			status = pace_tick(&e->run->pace, "the whole list", error);
	}
	const double took = (double)(clock_ns() - began) / (double)pass->probes;
	if (!status)
		pass->ns = pass->ns > 0 ? fmin(pass->ns, took) : took;
	e->passing += clock_seconds() - start;
	return status;
}

enum el_status probes_turn(struct entrant *e, enum el_regime regime, unsigned round,
                           struct el_error *error)
{
	const size_t all = e->run->list.count;
	const size_t most = regime == EL_HOT                         ? e->in_memory
	                    : regime == EL_COLD && all > EL_LAB_COLD ? EL_LAB_COLD
	                                                             : all;
	struct turn t = {
		.regime = regime,
		.round = round,
		.batch = regime == EL_HOT ? e->batch : 1,
		.whole = regime != EL_HOT && e->derives,
		.first = most * round / EL_LAB_ROUNDS,
		.end = most * (round + 1) / EL_LAB_ROUNDS,
	};
	struct samples *s = &e->samples[regime], *whole = &e->samples[EL_WHOLE];
	if (t.first + t.batch > t.end) /* fewer probes than rounds */
		return EL_OK;
	const size_t had = s->count, more = (t.end - t.first) / t.batch;
	const bool loads = regime == EL_WARM && round == 0;
	enum el_status status = pace_tick(&e->run->pace, stages[regime], error);
	if (!status && (loads || regime == EL_COLD))
		status = pages_open(e->folder.made.path, &t.files, error);
	if (!status && loads)
		pages_load(&t.files);
	if (!status && (!array_grow(&s->list, had, more, sizeof *s->list) ||
	                !array_grow(&whole->list, whole->count, more, sizeof *whole->list)))
		status = el_fail(error, EL_MEMORY, "%zu samples: out of memory", had + more);
	if (!status && regime == EL_WARM)
		status = pass(e, error);
	if (!status)
		status = take_samples(e, &t, error);
	pages_close(&t.files);
	return status;
}

/* ---- summing up ---- */

enum el_status probes_sum_up(struct entrant *e, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (unsigned r = 0; r < EL_REGIMES && !status; r++)
		status = timing_samples(&e->samples[r], r == EL_HOT ? e->batch : 1, r != EL_HOT,
		                        e->run->setup->seed, &e->result.latency[r],
		                        e->result.histogram[r], error);
	/* The mean of all cold probes: what they read does not depend on who had the processor. */
	const struct samples *cold = &e->samples[EL_COLD];
	struct el_lab_cold *out = &e->result.cold;
	for (const struct sample *s = cold->list; s < cold->list + cold->count; s++) {
		out->major += (double)s->major / (double)cold->count;
		out->minor += (double)s->minor / (double)cold->count;
		out->bytes += 512.0 * s->sectors / (double)cold->count;
	}
	return status;
}

void probes_close(struct entrant *e)
{
	for (unsigned r = 0; r < EL_REGIMES; r++)
		free(e->samples[r].list);
	if (e->library)
		el_library_close(e->library);
	e->library = NULL;
	memset(e->samples, 0, sizeof e->samples);
}
