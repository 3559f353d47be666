/* SPDX-License-Identifier: MIT */
/*
 * A run of the lab: it writes many candidates, which are tables of one slice in different formats,
 * proves them right, and times them against each other. Its parts:
 *
 *     lab.c: slice_open -> workload_make -> for each candidate: made, its library opened (probes.c)
 *            -> rounds_run -> for each candidate: summed up, cache sizes tried (budgets.c)
 *     candidate.c: write -> compare_table -> decoding      foreign.c: a link
 *     lab.c: turn after turn      probes.c: what a turn is
 *
 * Candidates are measured in rounds, and every candidate has a turn in each, so that a machine that
 * slows down for a while slows all of them.
 */
#ifndef CORE_LAB_RUN_H
#define CORE_LAB_RUN_H

#include "core/library/library.h"
#include "core/os/temporary.h"
#include "core/table/format.h"
#include "lab.h"
#include "workload.h"

/* ---- a candidate's folder: folder.c ---- */

/*
 * A private folder that holds a candidate under its slice's name, and links to the tables that its
 * probes may need, but nothing else: a library opened there has no other table of the slice that
 * could answer. Captures use tables of the candidate's own kind if there are any, so each format is
 * measured as for users who have no other.
 */
struct folder {
	struct el_temporary made; /* its path is absolute; null: no folder */
	char *table;              /* the candidate's file; owned */
	char *from;               /* the target if that is a link, else null; owned */
	uint64_t beside;          /* bytes of the linked table that tells outcomes left out */
};

/* What a folder is for. */
struct folder_use {
	struct el_library *library;
	const struct el_slice *slice;
	const struct el_metric *metric;
	const struct el_source_ops *foreign; /* the candidate is a file of this kind; null: ours */
	bool all; /* links our tables of all other slices, not those that probes need */
	/* The candidate leaves out outcomes: links the table of the slice that tells these. */
	bool outcomes;
};

/* Makes the folder in `parent` (null: the library's directory). EL_NEGATIVE if there is no such
   foreign file, EL_IO, EL_MEMORY; call folder_remove in any case. */
enum el_status folder_make(const char *parent, const struct folder_use *, struct folder *out,
                           struct el_error *);
/* Removes the folder with its contents. The tables that its links point to stay. */
void folder_remove(struct folder *);

/* ---- the pace of a run: pace.c ---- */

enum { PACE_WHAT = 96 };

/* Tells the caller's watch, in seconds, how far a run has come and how long it will take. */
struct pace {
	const struct el_watch *watch; /* the caller's; may be null */
	struct el_watch inner;        /* for work that reports its own stages: passes them on */
	char what[PACE_WHAT];         /* the current candidate */
	double started;               /* the run, in clock_seconds */
	double ready;                 /* the first candidate began */
	double begun;                 /* the current candidate began */
	double told;                  /* the last report */
	double expected;              /* seconds for a candidate, before one is finished */
	size_t finished, count;       /* candidates, or turns */
	double later;                 /* seconds of the work after all of them */
};

/* The pace must not move in memory while `inner` is in use. */
void pace_start(struct pace *, const struct el_watch *, size_t count, double expected);
/* Candidate (or turn) number `finished` begins. */
void pace_begin(struct pace *, size_t finished);
/* From here on counts `count` turns, of about `expected` seconds each. */
void pace_turns(struct pace *, size_t count, double expected);
/* EL_STOPPED if the watch says so. `stage` must have static storage. */
enum el_status pace_tick(struct pace *, const char *stage, struct el_error *);

/* ---- a run ---- */

/* What all candidates share: the true values of the slice, in memory, and a folder to write tables
   to. */
struct slice_ground {
	struct el_library *library; /* the caller's */
	struct el_planes planes;
	/* the format that the values were read from; null: ours */
	const struct el_source_ops *foreign;
	struct folder folder;
	/* Candidates may leave out values that captures, or outcomes and zeroing moves, give. The
	   planes mark those of `marked`, without EL_DERIVE_SIDE. EL_OK: they do; else the reason why
	   they do not, in words in `why_not`. */
	enum el_derive marked;
	enum el_status derived;
	struct el_error why_not;
	/* The order of positions that compresses best, found when a candidate first asks for it.
	   The first index of both is what is left out, without EL_DERIVE_SIDE; the second one of
	   `best` is the plane. */
	bool ordered[EL_DERIVE_OUTCOMES + 1];
	struct el_order best[EL_DERIVE_OUTCOMES + 1][2];
};

/* Reads the values and makes the folder in `directory`. EL_NEGATIVE if the slice is not built; call
   slice_close in any case. */
enum el_status slice_open(struct el_library *, const struct el_slice *, const struct el_metric *,
                          const char *directory, const struct el_watch *, struct slice_ground *out,
                          struct el_error *);
/* Marks the values that need not be stored if this is left out; what does not work is in `derived`.
   EL_STOPPED. */
enum el_status slice_mark(struct slice_ground *, enum el_derive, const struct el_watch *,
                          struct el_error *);
void slice_close(struct slice_ground *);
/* Sets the best orders in the options, finding them when first asked. Fails if a table with these
   options cannot be written. */
enum el_status slice_options(struct slice_ground *, const struct el_table_options *,
                             const struct el_watch *, struct el_table_options *out,
                             struct el_error *);

/* One measurement: of one probe, or of a batch, whose time is divided by its number of probes. */
struct sample {
	double wall, cpu; /* nanoseconds a probe */
	unsigned round;
	bool preempted; /* the thread lost its processor meanwhile, so the time says little */
	unsigned major, minor, sectors; /* of a single probe, as thread_use */
};

struct samples {
	struct sample *list; /* owned */
	size_t count;
};

enum { BATCH_MOST = 64 }; /* hot probes in a batch */

struct run;

/*
 * A candidate that takes part. Its probes are timed in the regimes of lab.h.
 */
struct entrant {
	struct run *run;
	struct el_lab_result result;
	struct folder folder;       /* has its file and no other of the slice */
	struct el_library *library; /* open on that folder; null once the candidate has failed */
	struct samples samples[EL_REGIMES];
	/* how many probes, from the start of the workload, fit into the cache: hot ones */
	size_t in_memory;
	/* hot probes timed together, so that reading the clock costs little in comparison */
	unsigned batch;
	uint64_t block_bytes; /* a block in the cache, on average */
	bool derives;         /* its probes may need sub-tables */
	double passing;       /* seconds spent on passes over the list */
	/* a copy of a batch's positions, so that fetching them from the workload is not timed */
	struct el_position near[BATCH_MOST];
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
/* Finds a foreign file, to be measured as it is. */
enum el_status foreign_make(struct entrant *, struct el_error *);
/* Puts the foreign file's own name into an error. */
enum el_status foreign_error(const struct folder *, enum el_status, struct el_error *);
/* The bytes of the whole slice with its blocks decoded. */
uint64_t candidate_decoded_bytes(const struct run *);

/*
 * Proves that a table holds exactly the right values at all positions of all planes, with values
 * that captures give filled in by the library; and, if the codec can decode a single symbol, that
 * it does so at every place just as it decodes blocks. EL_DAMAGED tells how many differ.
 */
enum el_status compare_table(struct el_library *, struct el_table *, const struct el_planes *truth,
                             struct pace *, struct el_error *);

/* ---- the header and the learned bytes of a table file: candidate.c ---- */

struct file {
	struct table_header header;
	uint8_t *learned[2]; /* of each plane; null if nothing was learned; owned */
};

/* EL_DAMAGED, EL_IO, EL_MEMORY; call file_free in any case. */
enum el_status file_read(const char *path, struct file *out, struct el_error *);
void file_free(struct file *);

#endif
