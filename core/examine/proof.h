/* SPDX-License-Identifier: MIT */
/* A table under proof, and the findings of each thread. */
#ifndef CORE_EXAMINE_PROOF_H
#define CORE_EXAMINE_PROOF_H

#include "examine.h"

#include "core/games/best.h"
#include "core/library/reads.h"
#include "core/solve/solve.h"
#include "core/whole/gather.h"
#include "core/whole/orders.h"
#include "core/whole/sweep.h"

/* Planes of the slices that conversions enter; owned by whoever filled it. */
struct subtables {
	struct el_planes planes[EL_SUCCESSORS_MAX];
	size_t count;
};

/* The value that a position's moves give it; `open`: a table is missing for some of them. */
struct derived {
	struct el_value value;
	bool open;
};

/* The source of values where there are no planes. */
struct prober {
	void *context;
	/* The value of a position without a right to capture en passant; its place is null if it
	   has none. */
	struct derived (*value)(void *context, const struct el_metric *, const struct el_position *,
	                        const struct el_place *);
};

/* Where the values of reached positions are looked up. */
struct reach {
	const struct el_game *game;
	uint64_t key; /* of the slice */
	const struct el_metric *metric;
	const struct el_planes *planes; /* of the slice, under the metric; null: not there */
	const struct subtables *others; /* under el_metric_entered */
	/* Where to look up a position of the slice that a move which ends the count leads to: this
	   reach, or that of a metric with more information. */
	const struct reach *ended;
	const struct prober *prober; /* if not null, used in place of `planes` and `others` */
};

struct reached {
	struct el_value value; /* for the side to move there; under el_metric_entered if `ends` */
	bool ends;             /* the move ends the count */
	unsigned gain;         /* el_move_gain */
	bool open;             /* the value is not known: a table is missing */
	struct el_place place; /* valid unless `ends` */
};

void reach_by_move(const struct reach *, const struct el_position *, const struct el_move *,
                   struct reached *out);
/* The best of a position's moves (el_value_of_move), or its value if it has none. */
struct derived reach_derive(const struct reach *, const struct el_position *);

/* What one thread found in one plane; threads keep to their own cache lines. */
struct finding {
	_Alignas(128) uint64_t checked;
	uint64_t wrong, loose, open, rounded;
	uint64_t first; /* least wrong index; UINT64_MAX: none */
	struct el_value stored, derived;
};

struct proof {
	const struct el_planes *planes; /* under proof */
	struct reach reach;             /* the planes that their moves lead to */
	const struct el_watch *watch;
	struct ranks *ranks;      /* that share its sections; null: this program alone */
	struct finding *findings; /* by thread, during a pass */
	unsigned plane;           /* the current one */
	struct el_verdict *out;
};

/*
 * Checks every position of the planes, ours or foreign. Values of positions outside the slice come
 * from the library. EL_NEGATIVE if a table is missing there, unless the planes have bounds, in
 * which case its positions may have any value. A wrong position is no error: the verdict counts it.
 * If `reads` is not null, it gets the tables that values came from, except that of the planes.
 * `slow`: position by position in any case.
 */
enum el_status proof_of_planes(struct el_library *, const struct el_planes *, bool slow,
                               const struct el_watch *, struct el_verdict *out, struct reads *reads,
                               struct el_error *);
/* The same for one of our tables that is read piece by piece as it is needed, within `memory` bytes or
   little more. By whole planes; sets *suits to false if that is not enough. EL_IO if it is no longer the
   file with this identity (core/library/reads.h). `ranks`, unless null: they share the positions. Rank 0
   calls this, and the others proof_join when they are told to (core/whole/orders.h). */
enum el_status proof_of_file(struct el_library *, struct ranks *, const char *path,
                             uint64_t identity, uint64_t memory, const struct el_watch *,
                             struct el_verdict *out, bool *suits, struct reads *reads,
                             struct el_error *);
void proof_join(struct el_library *, struct ranks *, const struct order *, const struct el_watch *);
/*
 * The same for a sample of about `count` positions of the table at `path`, which is the same every
 * time. Probes the table and its successors block by block. EL_NEGATIVE for tables whose proof
 * needs all positions. `gathered`: null, or what moves that give up castling rights lead to, if it is at
 * hand; else it is read from its table.
 */
enum el_status proof_of_sample(struct el_library *, const char *path, uint64_t count,
                               const struct gathered *gathered, const struct el_watch *,
                               struct el_verdict *out, struct reads *reads, struct el_error *);

/* The same for a study, in verify_study.c. `memory`: bytes that it may take. */
enum el_status proof_of_study(struct el_library *, const char *path, uint64_t memory,
                              const struct el_watch *, struct el_verdict *out, struct reads *reads,
                              struct el_error *);

/* Findings of so many threads, with nothing found yet; null: out of memory. */
struct finding *findings_new(unsigned threads);
/* All of them together. */
struct finding findings_sum(const struct finding *, unsigned threads);
/* Adds to the counts of a verdict. */
void verdict_add(struct el_verdict *, const struct finding *);

void proof_wrong(struct finding *, uint64_t index, struct el_value stored, struct el_value derived);
/* Judges a stored value. It is wrong unless it equals the derived one, or is rounded and a ply
   less. */
void proof_compare(struct finding *, uint64_t index, struct el_value stored,
                   struct el_value derived);
/* Counts a stored value and judges it: right if it equals the derived one, loose if it is a bound
   that includes that. If a table is missing, so that only bounds were derived (`open`), it is open
   if the two are compatible. */
void proof_judge(struct finding *, uint64_t index, struct el_value stored, struct derived);

/* A pass over all indexes of both planes on all cores (sweep.h), or over `count` items of each that
   represent them, or if `each` is not 0, over so many sections of about `each` positions. It adds the
   threads' findings to the verdict. */
enum el_status proof_pass(struct proof *, const char *stage, uint64_t count, uint64_t each,
                          sweep_chunk *chunk, void *context, struct el_error *);

/* verify_planes.c: by whole planes. Sets *proved to false if they must be proved position by
   position, which the first decides but for values that are out of the range of scores. */
bool proof_suits_planes(const struct el_planes *);
enum el_status proof_by_planes(struct proof *, const struct el_lender *, bool *proved,
                               struct el_error *);

/* verify_outcomes.c: the metric by whose depths outcomes are proved; null: the planes have depths or
   bounds, or the game has no such metric. And that proof: as proof_of_planes. */
const struct el_metric *proof_depths(const struct el_planes *);
enum el_status proof_of_outcomes(struct el_library *, const struct el_planes *, bool slow,
                                 const struct el_watch *, struct el_verdict *out,
                                 struct reads *reads, struct el_error *);

/* verify_stones.c: the rest of the proof, for values in stones that agree with each other. */
enum el_status proof_of_gains(struct proof *, const struct el_best *, struct el_error *);

/* verify_courses.c: metrics that ask for the clock. */
enum el_status proof_of_courses(struct proof *, struct el_library *, struct reads *,
                                struct el_error *);

/* verify_clock.c: other metrics under a rule, and metrics of the least limit. */
bool proof_needs_clock(const struct el_metric *);
enum el_status proof_by_clock(struct proof *, struct el_error *);

#endif
