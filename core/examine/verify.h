/* SPDX-License-Identifier: MIT */
/*
 * Verifies many tables, several at a time, and stores the results beside them:
 *
 *     el_verify_tables -> done(0), done(1), ...        el_library_list -> el_entry.summary
 *
 * The folder of each table of ours keeps a summary of it (.verified.tsv, core/library/summaries.h).
 * If a table was verified and neither it nor any table that its proof rests on has changed since,
 * only the checksums of its blocks are checked again.
 */
#ifndef CORE_EXAMINE_VERIFY_H
#define CORE_EXAMINE_VERIFY_H

#include "examine.h"

#include "core/os/ranks.h"

/* One table to verify: a file, or the library's table of a slice and metric. A study is a file, without
   a metric. */
struct el_verify_task {
	const char *path; /* of the file; null: the library's table */
	struct el_slice slice;
	/* For a file, slice and metric are only those in its name; null if it names none. */
	const struct el_metric *metric;
};

/* All zeros: the defaults. */
struct el_verify_options {
	/* Probe about so many positions of each table; 0: read each table whole into memory. */
	uint64_t sample;
	bool slow;       /* position by position, even where whole planes can be proved at once */
	bool again;      /* also prove tables that were verified and have not changed */
	uint64_t memory; /* bytes; 0: three quarters of the machine's */
	/* The name that the one file to verify will have if it is right: the result is stored under
	   that name, and a wrong one is not stored. Null: it has its name. */
	const char *future;
	/* That share the positions of tables proved by whole planes: this is rank 0, and the others call
	   el_build_join. Null: this program alone. */
	struct ranks *ranks;
};

/* The result of a task. */
struct el_verify_result {
	size_t task; /* its number */
	/* EL_OK even if positions are wrong: the verdict counts them. EL_NEGATIVE if the table or
	   one that it needs is missing, if a sample cannot prove it, or if it is `too_large`. */
	enum el_status status;
	struct el_error error;
	bool too_large;                 /* does not fit in memory, but a sample of it would */
	struct el_slice slice;          /* of the table, once that is known; else of the task */
	const struct el_metric *metric; /* the same; null: not known */
	struct el_verdict verdict;
	/* The earlier summary, if the table was verified before and has not changed, so that it was
	   not proved now. Else EL_NOT_VERIFIED. */
	struct el_summary before;
	/* why its summary could not be stored; status EL_OK: it was, or none is needed */
	struct el_error unkept;
	double seconds;
};

/*
 * Calls `done` with the result of each task, in the order of tasks, from the caller's thread. Small
 * slices are verified several at a time, a large one by all threads (OpenMP's). The watch sees the
 * progress of all tasks together. EL_STOPPED when it says so, naming the first table that was not
 * finished; results before that one are reported and kept. EL_MEMORY.
 */
enum el_status el_verify_tables(struct el_library *, const struct el_verify_task *, size_t count,
                                const struct el_verify_options *, const struct el_watch *,
                                void (*done)(void *, const struct el_verify_result *),
                                void *context, struct el_error *);

struct gathered; /* core/whole/gather.h */

/* Fills in the result, except for its number. `memory`: bytes available. `gathered`: null; or for positions with
   castling rights, values of the slice without, if they are at hand; for others, gets those that such positions
   lead to, if the proof had all values in memory and they are right (gathered_free). Zeros: there are none. */
void verify_one(struct el_library *, const struct el_verify_task *,
                const struct el_verify_options *, uint64_t memory, const struct el_watch *,
                struct gathered *gathered, struct el_verify_result *out);

/* Bytes at the peak of a whole proof in memory, by whole planes or position by position. */
uint64_t verify_bytes(const struct el_slice *, const struct el_metric *, bool slow);
/* Are exact tables of ours of this metric proved by whole planes? */
bool verify_by_planes(const struct el_metric *);
/* Bytes of a proof that may take so many; if it needs more, that. `partial`: with bounds. */
uint64_t verify_bytes_within(const struct el_slice *, const struct el_metric *, bool partial,
                             uint64_t memory);

#endif
