/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table under proof, and what each thread found. */
#ifndef ENDLAB_EXAMINE_PROOF_H
#define ENDLAB_EXAMINE_PROOF_H

#include "../store/reads.h"
#include "endlab/examine.h"
#include "reach.h"

/* What one thread found in one plane; threads keep to their own cache lines. */
struct finding {
	_Alignas(128) uint64_t checked;
	uint64_t wrong, loose, open, rounded;
	uint64_t first; /* least wrong index; UINT64_MAX: none */
	struct el_value stored, derived;
};

struct proof {
	const struct el_planes *planes; /* under proof */
	struct reach reach;             /* what their moves lead to */
	const struct el_watch *watch;
	struct finding *findings;       /* one a thread */
	unsigned plane;                 /* that is walked now */
	struct el_verdict *out;
};

/* As el_verify; *reads, which may be null, is told the tables that the values came from, but for that
   of the planes themselves. */
enum el_status proof_of_planes(struct el_library *, const struct el_planes *, const struct el_watch *,
                               struct el_verdict *out, struct reads *reads, struct el_error *);
/*
 * The same by a sample of about `count` positions, drawn the same way every time, of the table at
 * `path`, which is probed block by block, as its successors are. EL_NEGATIVE of tables that no sample
 * can prove.
 */
enum el_status proof_of_sample(struct el_library *, const char *path, uint64_t count,
                               const struct el_watch *, struct el_verdict *out, struct reads *reads,
                               struct el_error *);

void proof_wrong(struct finding *, uint64_t index, struct el_value stored, struct el_value derived);
/* Wrong unless they are equal, or what is stored stands for a ply more, too. */
/* What is derived is no value but bounds where a table is missing (`open`). */
void proof_judge(struct finding *, uint64_t index, struct el_value stored, struct derived);
void proof_compare(struct finding *, uint64_t index, struct el_value stored, struct el_value derived);

/* A walk over all indexes of both planes on all cores, as sweep.h has them; what the threads found
   is added to the verdict. */
struct proof_walk {
	const char *stage; /* of its progress */
	uint64_t count;    /* of indexes, or what stands for them; 0: all of a plane */
	void *context;
	void (*chunk)(void *context, unsigned thread, uint64_t first, uint64_t end);
};
enum el_status proof_walk(struct proof *, const struct proof_walk *, struct el_error *);

/* Values in stones, which agree with each other: core/examine/verify_stones.c. */
enum el_status proof_of_gains(struct proof *, struct el_error *);

/* Metrics under a rule, or that ask for the least one: core/examine/verify_clock.c. */
bool proof_needs_clock(const struct el_metric *);
enum el_status proof_by_clock(struct proof *, struct el_error *);

#endif
