/* SPDX-License-Identifier: MIT */
/* Solves a slice family by family and part by part (sets.h), each with part.c, and makes planes. */
#include "assembly.h"
#include "ledger.h"
#include "memory.h"

#include "core/base/course.h"

#include <lzma.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	SMALL_PART = 1 << 16, /* words: up to this, threads share families rather than units */
};

struct solution {
	struct el_problem problem;
	/* of planes that are not in memory; these then own the solution */
	struct el_plane_reader reader;
	struct el_division *division;
	/* that share its families or, of its only part, the units; null: alone */
	struct ranks *ranks;
	struct recorder recorder;
	struct el_courses *courses; /* if the metric asks for the clock; owned */
	struct scratch *scratch;
	char *folder;                       /* of scratch files; null: there are none; owned */
	bool is_larger;                     /* than the memory, so that pages leave it */
	struct ledger_place initial, found; /* files there */
	char initial_name[LEFTOVER_NAME_MAX], found_name[LEFTOVER_NAME_MAX];
	struct part part; /* if it is the only one */
	struct assembly assembly;
	struct progress progress;
	uint64_t exchanged; /* by all ranks */
	/* Of all parts. */
	unsigned passes;
	uint64_t known, decided[2][2]; /* as in struct part */
	struct el_stage stage[EL_STAGES_MAX];
	double seconds; /* of passes */
};

static void solution_close(void *context)
{
	struct solution *s = context;
	assembly_close(&s->assembly);
	part_close(&s->part);
	recorder_close(&s->recorder);
	el_courses_free(s->courses);
	scratch_close(s->scratch);
	if (s->division)
		s->division->close(s->division);
	free(s->folder);
	free(s);
}

/* ---- parts ---- */

static enum el_status solve_part(struct solution *s, struct family *family, size_t family_number,
                                 size_t number, struct part *p, struct el_error *error)
{
	struct el_division *d = s->division;
	const struct el_meanings meanings = recorder_meanings(&s->recorder);
	const struct el_found found = family_found(family);
	struct ranks *const ranks = d->families > 1 ? NULL : s->ranks;
	enum el_status status = EL_OK;
	*p = (struct part){
		.problem = &s->problem,
		.recorder = &s->recorder,
		.progress = &s->progress,
		.ranks = ranks,
		.symbols = family->symbols ? family->symbols[number] : NULL,
		.courses = family->courses ? family->courses[number] : NULL,
		.known_courses = s->courses,
		.initial_place = s->is_larger || ranks ? &s->initial : NULL,
		.found_place = s->is_larger || ranks ? &s->found : NULL,
		.initial.events.fd = -1,
		.found.fd = -1,
	};
	if (d->parts > 1)
		status = part_tick(p, error);
	if (!status)
		status = d->open(d, &s->problem, family_number, number, &found, &meanings, &p->sets,
		                 error);
	status = part_agree(p, status, error);
	if (status || !p->sets)
		return status;
	const struct el_observer *observer = s->problem.observer;
	status = part_solve(p, d, s->scratch, error);
	if (!status && observer && observer->done)
		observer->done(observer->context, p->sets);
	if (status)
		return status;
#pragma omp critical(solution)
	{
		s->known += p->known;
		for (unsigned i = 0; i < 4; i++)
			s->decided[i / 2][i % 2] += p->decided[i / 2][i % 2];
		s->passes = p->passes > s->passes ? p->passes : s->passes;
		s->seconds += p->seconds;
		for (unsigned i = 0; i < EL_STAGES_MAX; i++) {
			const struct el_stage *from = &p->initial.stage[i];
			struct el_stage *to = &s->stage[i];
			if (from->name[0])
				memcpy(to->name, from->name, sizeof to->name);
			to->decided += from->decided;
			to->seconds += from->seconds;
		}
	}
	s->progress.done += p->known;
	return EL_OK;
}

static enum el_status solve_family(struct solution *s, size_t number, struct el_error *error)
{
	struct family family;
	enum el_status status = EL_OK;
	if (family_open(&family, s->division->parts, s->courses))
		return el_fail(error, EL_MEMORY, "%s: out of memory", s->problem.slice.name);
	for (size_t i = 0; i < s->division->parts && !status; i++) {
		struct part part;
		status = solve_part(s, &family, number, i, &part, error);
		family.sets[i] = part.sets;
		part.sets = NULL;
		part_close(&part);
	}
	if (!status)
		status = assembly_add(&s->assembly, &family, !s->progress.families, error);
	family_close(&family);
	return status;
}

/* One thread takes all families if there is an observer, which must see passes in order, or if
   memory is limited, so that there is only one family in it at a time. */
static enum el_status solve_families(struct solution *s, struct el_error *error)
{
	const struct el_division *d = s->division;
	enum el_status failed = EL_OK;
	s->progress.families = d->families > 1 && d->part_words <= SMALL_PART &&
	                       !s->problem.observer && !s->is_larger;
#pragma omp parallel for schedule(dynamic, 1) if (s->progress.families)
	for (size_t family = 0; family < d->families; family++) {
		struct el_error one;
		enum el_status now;
		if (s->ranks && family % s->ranks->count != s->ranks->rank)
			continue;
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
	if (!s->ranks)
		return failed;
	/* Every family has a part that is not empty, and rank 0 has a family. */
	uint64_t sum[1 + EL_STAGES_MAX + 4] = {s->known};
	for (unsigned i = 0; i < EL_STAGES_MAX; i++)
		sum[1 + i] = s->stage[i].decided;
	memcpy(sum + 1 + EL_STAGES_MAX, s->decided, sizeof s->decided);
	failed = ranks_agree(s->ranks, failed, sum, 1 + EL_STAGES_MAX + 4, error);
	s->known = sum[0];
	memcpy(s->decided, sum + 1 + EL_STAGES_MAX, sizeof s->decided);
	for (unsigned i = 0; i < EL_STAGES_MAX; i++)
		s->stage[i].decided = sum[1 + i];
	return failed ? failed : assembly_merge(&s->assembly, s->ranks, &s->passes, error);
}

/* Several ranks on a machine may have the same scratch folder. */
static void scratch_name(const struct el_slice *slice, const struct el_metric *metric,
                         const char *what, const struct ranks *ranks, char out[LEFTOVER_NAME_MAX])
{
	char named[64];
	if (ranks)
		snprintf(named, sizeof named, "%s-%u-of-%u", what, ranks->rank, ranks->count);
	leftover_name(slice, metric, ranks ? named : what, out);
}

/* Names the files from which a stopped solution can be resumed. That takes a solution of one run
   (part.c). */
static void name_files(struct solution *s)
{
	const struct el_slice *slice = &s->problem.slice;
	const struct el_metric *metric = s->problem.metric;
	char what[2 * LEFTOVER_NAME_MAX];
	if (!s->folder || metric->limit || metric->has_phase || metric->kind->adds_up)
		return;
	const struct el_measure m = slice->game->measure(slice);
	const struct ranks *ranks = s->problem.ranks;
	const int length = snprintf(
		what, sizeof what, "%s %s %s %u %llu %llu %llx %s %u/%u", slice->game->name,
		slice->name, metric->name, slice->game->index_version, (unsigned long long)m.bits,
		(unsigned long long)m.unit_bits, (unsigned long long)s->problem.room->lent,
		EL_VERSION, ranks ? ranks->rank : 0, ranks ? ranks->count : 1);
	s->initial.identity = s->found.identity =
		lzma_crc64((const uint8_t *)what, (size_t)length, 0);
	scratch_name(slice, metric, "opening", ranks, s->initial_name);
	scratch_name(slice, metric, "found", ranks, s->found_name);
	s->initial.name = s->initial_name;
	s->found.name = s->found_name;
}

void el_solve_forget(const struct el_slice *slice, const struct el_metric *metric,
                     const char *scratch)
{
	static const char *const what[] = {"opening", "found"};
	for (unsigned i = 0; i < sizeof what / sizeof *what; i++) {
		char begins[LEFTOVER_NAME_MAX];
		leftover_name(slice, el_metric_solved(metric), what[i], begins);
		leftovers_remove(scratch, begins);
	}
}

/* ---- planes ---- */

static enum el_status read_planes(void *context, unsigned plane, uint64_t first, size_t count,
                                  uint16_t *symbols, struct el_error *error)
{
	struct solution *s = context;
	return assembly_read(&s->assembly, plane, first, count, symbols, error);
}

static enum el_status read_courses(void *context, unsigned plane, uint64_t first, size_t count,
                                   uint32_t *numbers, struct el_error *error)
{
	struct solution *s = context;
	return assembly_read_courses(&s->assembly, plane, first, count, numbers, error);
}

/* Makes planes of the metric asked for, which the metric solved determines. */
static enum el_status make_planes(struct solution *s, const struct el_metric *metric,
                                  struct el_planes *out, struct el_error *error)
{
	*out = (struct el_planes){.slice = s->problem.slice, .metric = metric};
	enum el_status status = recorder_finish(&s->recorder, out, error);
	if (!status)
		status = assembly_finish(&s->assembly, out, error);
	out->exchanged = s->exchanged;
	out->courses = s->courses;
	s->courses = NULL;
	if (status) {
		el_planes_free(out);
		return status;
	}
	if (metric != s->problem.metric) {
		for (unsigned side = 0; side < out->slice.planes; side++) {
			const struct meanings *m = &s->recorder.meanings[side];
			for (uint32_t v = 0; v < m->count; v++)
				if (m->stored[v] && m->values[v].plies > out->passes)
					out->passes = m->values[v].plies;
		}
		return EL_OK;
	}
	/* Whatever the game's stages did not decide, the passes did. */
	uint64_t left = s->known;
	unsigned last = 0;
	out->passes = s->passes;
	memcpy(out->stage, s->stage, sizeof out->stage);
	memcpy(out->decided, s->decided, sizeof out->decided);
	for (; out->stage[last].name[0]; last++)
		left -= out->stage[last].decided < left ? out->stage[last].decided : left;
	out->stage[last] = (struct el_stage){"quiet moves", left, s->seconds};
	return EL_OK;
}

/* ---- the whole solution ---- */

/* Decides whether everything fits in memory and, if not, how much of it pages may take. Ranks write their
   results to files even if it does: when one is gone, the others' work is not lost. */
static enum el_status find_room(struct solution *s, struct el_error *error)
{
	const struct el_room *room = s->problem.room;
	struct memory_pages pages = {SCRATCH_UNLIMITED, SCRATCH_UNLIMITED,
	                             (unsigned)omp_get_max_threads()};
	const bool by_clock = s->problem.metric->by_clock;
	s->is_larger = room && memory_of_build(&s->problem.slice, by_clock) > room->memory;
	if (s->is_larger) {
		enum el_status status =
			memory_of_pages(&s->problem.slice, room->memory, &pages, error);
		if (status)
			return status;
	}
	if (s->is_larger || s->problem.ranks) {
		s->folder = strdup(room->scratch);
		if (!s->folder)
			return el_fail(error, EL_MEMORY, "%s: out of memory",
			               s->problem.slice.name);
		s->initial.folder = s->found.folder = s->folder;
	}
	s->assembly.has_courses = by_clock;
	s->assembly.in_memory = !room || room->is_whole ||
	                        (!s->is_larger && memory_makes_planes(&s->problem.slice));
	s->assembly.desks_most = pages.desks;
	s->assembly.pages = pages.writing;
	enum el_status status = scratch_open(s->folder, pages.solving, &s->scratch, error);
	s->assembly.scratch = s->scratch;
	return status;
}

enum el_status el_solve(const struct el_problem *problem, struct el_planes *out,
                        struct el_error *error)
{
	struct solution *s = calloc(1, sizeof *s);
	if (!s) {
		el_fail(error, EL_MEMORY, "%s: out of memory", problem->slice.name);
		return problem->ranks ? ranks_agree(problem->ranks, EL_MEMORY, NULL, 0, error)
		                      : EL_MEMORY;
	}
	const struct el_slice *slice = &problem->slice;
	s->problem = *problem;
	s->problem.metric = el_metric_solved(problem->metric);
	s->part = (struct part){.initial.events.fd = -1, .found.fd = -1};
	s->assembly = (struct assembly){.slice = *slice, .recorder = &s->recorder};
	s->progress.watch = problem->watch;
	s->progress.total = slice->planes * slice->positions;
	snprintf(s->progress.what, WHAT_MAX, "%s %s", slice->name, s->problem.metric->name);
	enum el_status status = find_room(s, error);
	if (!status)
		status = slice->game->divide(&s->problem, &s->division, error);
	if (!status)
		status = recorder_open(&s->recorder, slice, s->problem.metric, error);
	/* A small slice is solved like a family of one part. */
	const bool by_clock = s->problem.metric->by_clock;
	struct ranks *const ranks = problem->ranks;
	const uint64_t sent = ranks ? ranks->sent : 0;
	if (ranks)
		status = ranks_agree(ranks, status, NULL, 0, error);
	const struct el_division *d = s->division; /* unless it failed */
	const bool shares = !status && !by_clock &&
	                    (d->families > 1 || (d->parts == 1 && !s->problem.metric->has_phase));
	s->ranks = shares ? ranks : NULL;
	const bool small = by_clock || (!s->ranks && !s->is_larger && memory_keeps_symbols(slice));
	if (!status && ranks && ranks->rank && !s->ranks) { /* rank 0 solves it alone */
		solution_close(s);
		return EL_OK;
	}
	if (!status && by_clock && !(s->courses = el_courses_new()))
		status = el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	if (!status && (small || s->division->families > 1 || s->division->parts > 1)) {
		status = solve_families(s, error);
	} else if (!status) {
		struct family none = {.parts = 0};
		name_files(s);
		status = solve_part(s, &none, 0, 0, &s->part, error);
		s->assembly.part = &s->part;
	}
	if (!status && s->ranks) {
		s->exchanged = ranks->sent - sent;
		status = ranks_agree(ranks, status, &s->exchanged, 1, error);
	}
	if (!status && ranks && ranks->rank) { /* rank 0 makes the planes */
		solution_close(s);
		return EL_OK;
	}
	if (!status)
		status = make_planes(s, problem->metric, out, error);
	if (!status && problem->observer && problem->observer->end)
		problem->observer->end(problem->observer->context);
	if (!status && !s->assembly.in_memory) {
		s->reader = (struct el_plane_reader){s, read_planes, by_clock ? read_courses : NULL,
		                                     solution_close};
		out->reader = &s->reader;
		return EL_OK;
	}
	solution_close(s);
	return status;
}
