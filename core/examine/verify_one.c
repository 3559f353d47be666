/* SPDX-License-Identifier: MIT */
#include "verify.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/library/summaries.h"
#include "core/library/visit.h"
#include "core/probe/probe.h"
#include "core/solve/memory.h"
#include "core/table/table.h"
#include "core/whole/castling.h"
#include "core/whole/whole.h"
#include "proof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The table being verified. */
struct subject {
	struct el_library *library;
	const struct el_verify_options *options;
	uint64_t memory;
	const struct el_watch *watch;
	struct gathered *gathered; /* as for verify_one */
	struct el_verify_result *out;
	char *path;                          /* owned */
	const struct el_source_ops *foreign; /* its kind; null: a table or study of ours */
	struct stat is;                      /* of the file, before anything was read */
	uint64_t identity;
	struct el_summary before;
};

/* Bytes per position, with some twenty moves, in verify_clock.c; in verify_stones.c. */
enum { CLOCK_BYTES = 56, STONES_BYTES = 5 };

uint64_t verify_bytes(const struct el_slice *slice, const struct el_metric *metric, bool slow)
{
	struct el_slice successors[EL_SUCCESSORS_MAX];
	const size_t count = slice->game->successors(slice, successors);
	const bool by_clock = proof_needs_clock(metric) && !metric->by_clock &&
	                      (slow || !verify_by_planes(metric));
	/* with a working copy of the planes, and of the next pass (verify_planes.c) */
	const bool copies = metric->limit && !by_clock && !metric->by_clock;
	const uint64_t each = sizeof(uint16_t) * (copies ? 3 : 1) + (by_clock ? CLOCK_BYTES : 0) +
	                      (metric->by_clock ? sizeof(uint32_t) : 0) +
	                      (metric->kind->adds_up ? STONES_BYTES : 0);
	uint64_t bytes = each * slice->planes * slice->positions;
	for (size_t i = 0; i < count; i++)
		bytes += sizeof(uint16_t) * successors[i].planes * successors[i].positions;
	if (metric->has_depth)
		return bytes;
	/* outcomes: beside them, depths are solved and then proved */
	const uint64_t solution = memory_of_solution(slice);
	return (bytes > solution ? bytes : solution) +
	       sizeof(uint16_t) * slice->planes * slice->positions;
}

uint64_t verify_bytes_within(const struct el_slice *slice, const struct el_metric *metric,
                             bool partial, uint64_t memory)
{
	const bool by_planes = verify_by_planes(metric) && !partial;
	const uint64_t bytes = verify_bytes(slice, metric, !by_planes);
	/* These are read piece by piece. */
	const bool in_pieces =
		by_planes && metric->has_depth && !metric->limit && !metric->kind->adds_up;
	return in_pieces && bytes > memory ? memory : bytes;
}

/* ---- earlier results ---- */

static enum el_status look_at(struct subject *s, struct el_error *error)
{
	struct el_table *table;
	struct summaries summaries;
	struct el_error fault;
	el_source_stat(s->path, &s->is); /* a file that is not there cannot be opened either */
	if (s->foreign) {
		s->identity = file_identity(&s->is);
	} else {
		const enum el_status status = el_table_open(s->path, &table, error);
		if (status)
			return status;
		const struct el_table_info *info = el_table_info(table);
		s->identity = info->checksum;
		s->out->slice = info->slice;
		s->out->metric = info->metric;
		el_table_close(table);
	}
	if (s->options->future)
		return EL_OK;
	if (summaries_open(s->path, &summaries, &fault))
		s->out->unkept = fault; /* adding a summary mends the file */
	const struct visit visit = library_enter(s->library);
	summaries_find(&summaries, visit.catalogue, s->path, s->identity, &s->is, &s->before);
	library_leave(visit);
	summaries_close(&summaries);
	return EL_OK;
}

static enum el_status check_foreign(const struct subject *s, struct el_error *error)
{
	struct el_source *source;
	struct el_cache *cache;
	enum el_status status = el_cache_open(SIZE_MAX, &cache, error);
	if (status)
		return status;
	status = s->foreign->open(s->path, cache, &source, error);
	if (!status) {
		if (s->foreign->check)
			status = s->foreign->check(source, s->watch, error);
		s->foreign->close(source);
	}
	el_cache_close(cache);
	return status;
}

/* Reads all blocks, since silent damage does not change a file's date. A sample skips this. */
static enum el_status check_blocks(const struct subject *s, struct el_error *error)
{
	struct el_table *table;
	if (s->options->sample)
		return EL_OK;
	if (s->foreign)
		return check_foreign(s, error);
	enum el_status status = el_table_open(s->path, &table, error);
	if (status)
		return status;
	const uint64_t count = el_table_info(table)->block_count;
	char what[EL_SLICE_MAX + 16];
	snprintf(what, sizeof what, "%s %s", s->out->slice.name, s->out->metric->name);
	for (uint64_t block = 0; block < count && !status; block++) {
		const struct el_progress progress = {"reading", what, (double)block, (double)count,
		                                     .unit = "blocks"};
		uint8_t *bytes;
		size_t size;
		if (!el_watch_tick(s->watch, &progress))
			status = el_fail(error, EL_STOPPED, "%s: stopped", what);
		else if (!(status = el_table_read_bytes(table, block, &bytes, &size, error)))
			free(bytes);
	}
	if (!status)
		status = el_table_check_courses(table, error);
	el_table_close(table);
	return status;
}

/* ---- the proof ---- */

static enum el_status refuse_large(struct subject *s, uint64_t bytes, struct el_error *error)
{
	char needed[EL_AMOUNT_MAX], allowed[EL_AMOUNT_MAX];
	s->out->too_large = true;
	return el_fail(error, EL_NEGATIVE,
	               "%s %s needs about %s of memory to be verified; %s may be used",
	               s->out->slice.name, s->out->metric->name, el_bytes((double)bytes, needed),
	               el_bytes((double)s->memory, allowed));
}

/* Piece by piece if whole planes prove it, which then reads only what is asked; but scattered stones in
   memory if they fit, like all else. */
static enum el_status prove_planes(struct subject *s, struct reads *reads, struct el_error *error)
{
	struct el_planes planes;
	const bool slow = s->options->slow;
	uint64_t bytes = s->out->metric ? verify_bytes(&s->out->slice, s->out->metric, slow) : 0;
	/* for what is in memory in any case */
	const uint64_t stones = s->out->metric && s->out->metric->kind->adds_up
	                                ? STONES_BYTES * s->out->slice.positions
	                                : 0;
	bool suits = !slow && !s->foreign && stones < s->memory;
	enum el_status status = EL_OK;
	struct ranks *const ranks = s->options->ranks;
	if (suits && (bytes > s->memory || !stones || ranks)) {
		status = proof_of_file(s->library, ranks, s->path, s->identity, s->memory - stones,
		                       s->watch, &s->out->verdict, &suits, reads, error);
		if (suits)
			return status;
	}
	if (bytes > s->memory)
		return refuse_large(s, bytes, error);
	status = el_library_read(s->library, s->path, s->watch, NULL, &planes, error);
	if (status)
		return status;
	if (s->foreign) {
		s->out->slice = planes.slice;
		s->out->metric = planes.metric;
	}
	bytes = verify_bytes(&planes.slice, planes.metric, slow || !proof_suits_planes(&planes));
	if (planes.origin.identity != s->identity)
		status = el_fail(error, EL_IO, "%s: changed while it was read", s->path);
	else if (bytes > s->memory)
		status = refuse_large(s, bytes, error);
	else
		status = proof_of_planes(s->library, &planes, slow, s->watch, &s->out->verdict,
		                         reads, error);
	/* For the proof of its positions with castling rights: the file may not be readable piece by piece. */
	struct el_slice with;
	if (!status && !s->out->verdict.wrong && !s->foreign && !planes.rounded &&
	    !planes.metric->limit && !planes.metric->by_clock && !el_planes_partial(&planes) &&
	    castling_of(&planes.slice, planes.metric, &with))
		status = gathered_make(s->gathered, s->library, &with, planes.metric, &planes,
		                       s->watch, error);
	el_planes_free(&planes);
	return status;
}

static enum el_status prove_study(struct subject *s, struct reads *reads, struct el_error *error)
{
	if (s->options->sample)
		return el_fail(error, EL_NEGATIVE,
		               "%s: a study cannot be verified on a sample: expected no --sample",
		               s->path);
	return proof_of_study(s->library, s->path, s->memory, s->watch, &s->out->verdict, reads,
	                      error);
}

static enum el_status prove(struct subject *s, struct el_error *error)
{
	struct reads reads = {0};
	const struct el_verdict *v = &s->out->verdict;
	/* Positions with castling rights are so few that all of them are a sample. Depths are then proved; but
	   outcomes that are right after one move may all be wrong together, and so may wins that come too late. */
	const struct el_slice *slice = &s->out->slice;
	const bool few = s->out->metric && el_slice_has_rights(slice);
	const uint64_t all = few ? slice->planes * slice->positions : 0;
	const uint64_t sample = few ? s->out->metric->has_depth ? 0 : all : s->options->sample;
	enum el_status status =
		slice->is_study ? prove_study(s, &reads, error)
		: sample || few
			? proof_of_sample(s->library, s->path, few ? all : sample, s->gathered,
	                                  s->watch, &s->out->verdict, &reads, error)
			: prove_planes(s, &reads, error);
	const bool sampled = sample || v->late;
	/* A correct sample must not replace the summary of a whole proof that still holds. */
	const char *future = s->options->future;
	const bool adds =
		future ? !v->wrong : !sampled || v->wrong || !el_summary_holds(&s->before);
	const struct summary summary = {
		.table = future ? future : s->path,
		.identity = s->identity,
		.written = s->is.st_mtim,
		.reads = &reads,
		.told =
			{
				.verified = v->wrong  ? EL_FOUND_WRONG
	                                    : sampled ? EL_SAMPLED
	                                              : EL_VERIFIED,
				.by_planes = v->by_planes,
				.asked = v->late ? all : sample,
				.positions = v->checked,
				.wrong = v->wrong,
				.date = time(NULL),
				.version = EL_VERSION,
			},
	};
	struct el_error fault;
	if (!status && !v->open && adds && summaries_add(&summary, &fault) &&
	    !s->out->unkept.status)
		s->out->unkept = fault;
	reads_free(&reads);
	return status;
}

/* ---- one table ---- */

static enum el_status verify(struct subject *s, const struct el_verify_task *task,
                             struct el_error *error)
{
	const struct el_source_ops *kind;
	const struct el_verify_result *r = s->out;
	enum el_status status = EL_OK;
	if (!task->path)
		status = library_path(s->library, &task->slice, task->metric, 0, &kind, &s->path,
		                      error);
	else if (!(s->path = strdup(task->path)))
		status = el_fail(error, EL_MEMORY, "%s: out of memory", task->path);
	if (status)
		return status;
	kind = el_source_kind_of(s->path);
	s->foreign = kind && !kind->read && !kind->covers ? kind : NULL;
	if (s->foreign && !s->foreign->open) /* such a kind is not read */
		return el_fail(error, EL_NEGATIVE, "%s: %s", s->path, kind->unread);
	status = look_at(s, error);
	/* The file may have been replaced between the look-up and its opening. */
	if (!status && !task->path &&
	    (r->slice.key != task->slice.key || r->metric != task->metric))
		status = el_fail(error, EL_DAMAGED, "%s: expected %s %s, found %s %s", s->path,
		                 task->slice.name, task->metric->name, r->slice.name,
		                 r->metric->name);
	/* Is the earlier result enough for these options? */
	const struct el_summary *b = &s->before;
	const uint64_t sample = s->options->sample;
	const bool is_answered = !s->options->again && b->change == EL_UNCHANGED &&
	                         (b->verified == EL_VERIFIED ||
	                          (b->verified == EL_SAMPLED && sample && b->asked >= sample));
	if (status || !is_answered)
		return status ? status : prove(s, error);
	status = check_blocks(s, error);
	if (!status)
		s->out->before = s->before;
	return status;
}

void verify_one(struct el_library *library, const struct el_verify_task *task,
                const struct el_verify_options *options, uint64_t memory,
                const struct el_watch *watch, struct gathered *gathered,
                struct el_verify_result *out)
{
	const double start = clock_seconds();
	struct gathered own = {0};
	struct subject s = {
		.library = library,
		.options = options,
		.memory = memory,
		.watch = watch,
		.gathered = gathered ? gathered : &own,
		.out = out,
	};
	struct el_slice with;
	*out = (struct el_verify_result){.slice = task->slice, .metric = task->metric};
	out->status = verify(&s, task, &out->error);
	free(s.path);
	/* The table of positions with castling rights goes with the one without. It is not counted; but nothing
	   else is said if it is wrong. */
	if (!out->status && !out->verdict.wrong && !task->path &&
	    castling_of(&out->slice, out->metric, &with) &&
	    el_library_covers(library, &with, out->metric)) {
		struct el_verify_result castling;
		verify_one(library, &(struct el_verify_task){NULL, with, out->metric}, options,
		           memory, watch, s.gathered, &castling);
		if (castling.status || castling.verdict.wrong)
			*out = castling;
	}
	gathered_free(&own);
	out->seconds = clock_seconds() - start;
}
