/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Verifying many tables, several at a time, and keeping what was found beside them:
 *
 *     el_verify_tables -> done(0), done(1), ...        el_library_list -> el_entry.summary
 *
 * Of each table of ours a summary is kept in its folder (.verified.tsv, core/store/summaries.h): a
 * table that has been verified and has not changed since, nor any that its proof rests on, is not
 * proved again, only its blocks' checksums are.
 */
#ifndef ENDLAB_VERIFY_H
#define ENDLAB_VERIFY_H

#include "endlab/examine.h"

/* One table: a file, or what the library has of a slice under a metric. */
struct el_verify_task {
	const char *path; /* null: the library's */
	struct el_slice slice;
	/* Of a file: what its name says, which nobody relies on; null where that does not tell. */
	const struct el_metric *metric;
};

/* All zeros: what is usual. */
struct el_verify_options {
	/* About so many positions of each table, probed; 0: all of them, in memory. */
	uint64_t sample;
	bool again;      /* also what was verified and has not changed */
	uint64_t memory; /* bytes; 0: three quarters of what the machine has */
};

/* What came of a task. */
struct el_verify_result {
	size_t task; /* its number */
	/* As el_verify: EL_OK where positions are wrong, too. EL_NEGATIVE where there is no such
	   table, where one that is needed is missing, where no sample proves it, and when it is
	   `too_large`. */
	enum el_status status;
	struct el_error error;
	bool too_large;        /* for the memory: a sample of it is not */
	struct el_slice slice; /* of the table, as soon as it is known: else that of the task */
	const struct el_metric *metric; /* null: never known */
	struct el_verdict verdict;
	/* It was verified before and has not changed: nothing was proved. Else EL_NOT_VERIFIED. */
	struct el_summary before;
	struct el_error unkept; /* why there is no summary of it now; status EL_OK: there is, or
				   needs none */
	double seconds;
};

/*
 * Calls `done` with the result of each task, in their order, from the caller's thread. Small slices
 * are verified several at a time, a large one by all threads (OpenMP's). The watch is told about
 * all tasks together. EL_STOPPED when it said so, with the table named that was not finished;
 * results before that one are told, and kept. EL_MEMORY.
 */
enum el_status el_verify_tables(struct el_library *, const struct el_verify_task *, size_t count,
				const struct el_verify_options *, const struct el_watch *,
				void (*done)(void *, const struct el_verify_result *),
				void *context, struct el_error *);

#endif
