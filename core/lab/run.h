/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run of the lab, as its parts see it:
 *
 *     lab.c: slice_open -> workload_make -> for each candidate: made, its library opened (probes.c)
 *            -> rounds_run -> for each candidate: summed up, cache sizes tried (budgets.c)
 *     candidate.c: write -> compare_table -> decoding      foreign.c: a link
 *     rounds.c: turn after turn      probes.c: what a turn is
 */
#ifndef LAB_RUN_H
#define LAB_RUN_H

#include "folder.h"
#include "pace.h"
#include "workload.h"

#include "endlab/lab.h"

/* A slice's true values and the folder in which tables of it are written. */
struct slice_ground {
	struct el_library *library; /* the caller's */
	struct el_planes planes;
	const struct el_source_ops *foreign; /* whose values they are; null: ours */
	struct folder folder;
	enum el_status derived; /* whether it is known what captures tell; if not, why */
	struct el_error why_not;
	bool ordered[2];            /* by whether captures are derived: `best` has been found */
	struct el_order best[2][2]; /* by the same and plane */
};

/* Reads the values and makes the folder; finds what is derivable when `derive` says so.
   EL_NEGATIVE when the slice is not built; slice_close in any case. */
enum el_status slice_open(struct el_library *, const struct el_slice *, const struct el_metric *,
                          const char *directory, bool derive, const struct el_watch *,
                          struct slice_ground *out, struct el_error *);
void slice_close(struct slice_ground *);
/* The options with the best orders looked up, or found, and why these cannot be written. */
enum el_status slice_options(struct slice_ground *, const struct el_table_options *,
                             const struct el_watch *, struct el_table_options *out,
                             struct el_error *);

/* A time of one or several probes, each of them. */
struct sample {
	double wall, cpu; /* nanoseconds */
	unsigned round;
	bool preempted;
};

struct samples {
	struct sample *list; /* owned */
	size_t count, room;
};

enum { BATCH_MOST = 64 };

struct run;

/* A candidate that takes part. */
struct entrant {
	struct run *run;
	struct el_lab_result result;
	struct folder folder;       /* where it lies */
	struct el_library *library; /* on that folder; null once it has failed */
	struct samples samples[EL_REGIMES];
	size_t in_memory;           /* probes from the list's first on whose blocks are kept */
	unsigned batch;             /* hot probes that are timed together */
	uint64_t block_bytes;       /* what one kept block takes on average */
	uint64_t blocks, probes;    /* read by so many warm ones */
	struct el_position near[BATCH_MOST]; /* what is timed next: whoever asks has it at hand */
};

struct run {
	const struct el_lab_setup *setup;
	struct slice_ground slice;
	struct workload list;
	struct pace pace;
	struct el_lab_ground ground;
	struct entrant *entrants; /* owned; setup->count of them */
};

/* Writes a candidate and proves it. */
enum el_status candidate_make(struct entrant *, struct el_error *);
/* Finds a foreign file, which is measured as it is. */
enum el_status foreign_make(struct entrant *, struct el_error *);
/* The error of a foreign file, by its own name. */
enum el_status foreign_error(const struct folder *, enum el_status, struct el_error *);
/* What became of a candidate: what goes wrong with one is its result, which takes no part any more; only
   a wish to stop, which it answers, ends the run. */
enum el_status entrant_judge(struct entrant *, enum el_status, struct el_error *);
/* The bytes that all of the slice takes when its blocks are kept decoded. */
uint64_t candidate_decoded_bytes(const struct run *);
/* Times all that have not failed, in rounds. EL_STOPPED. */
enum el_status rounds_run(struct run *, struct el_error *);

/*
 * Proves that a table holds exactly the values: all positions of all planes, what captures tell put
 * in by the library; and where the codec decodes one symbol alone, that it does so as it decodes
 * blocks, at every place. EL_DAMAGED tells how many differ.
 */
enum el_status compare_table(struct el_library *, struct el_table *, const struct el_planes *truth,
                             struct pace *, struct el_error *);

/* Decodes every block on all threads and calls `visit` (may be null) with its symbols. Answers one
   of the failures, if there are any. */
typedef enum el_status block_visit(struct el_table *, uint64_t block, const uint16_t *symbols,
                                   size_t count, struct el_error *);
enum el_status each_block(struct el_table *, block_visit *, struct el_error *);

#endif
