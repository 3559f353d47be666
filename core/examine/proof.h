/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table under proof, and what each thread found. */
#ifndef CORE_EXAMINE_PROOF_H
#define CORE_EXAMINE_PROOF_H

#include "core/library/reads.h"
#include "core/whole/sweep.h"
#include "examine.h"
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
	struct reach reach;             /* the planes that their moves lead to */
	const struct el_watch *watch;
	struct finding *findings; /* one a thread */
	unsigned plane;           /* the one that is being passed over */
	struct el_verdict *out;
};

/*
 * Checks every position of the planes, ours or foreign. Values of positions outside the slice come
 * from the library; EL_NEGATIVE when a table is missing for that, unless the planes have bounds:
 * then its positions may be worth anything. A wrong position is no error: the verdict counts it.
 * *reads, which may be null, gets the tables that values came from, except that of the planes
 * themselves.
 */
enum el_status proof_of_planes(struct el_library *, const struct el_planes *,
                               const struct el_watch *, struct el_verdict *out, struct reads *reads,
                               struct el_error *);
/*
 * The same for a sample of about `count` positions of the table at `path`, the same sample every
 * time. The table and its successors are probed block by block. EL_NEGATIVE for tables that no
 * sample can prove.
 */
enum el_status proof_of_sample(struct el_library *, const char *path, uint64_t count,
                               const struct el_watch *, struct el_verdict *out, struct reads *reads,
                               struct el_error *);

void proof_wrong(struct finding *, uint64_t index, struct el_value stored, struct el_value derived);
/* Judges a stored value: it is wrong unless both are equal, or the stored one may be a ply more
   than it says. */
void proof_compare(struct finding *, uint64_t index, struct el_value stored,
                   struct el_value derived);
/* Counts a stored value and judges it: right if it is the one derived, loose if it is a bound that
   includes it. Where a table is missing, so that only bounds were derived (`open`), it is open if
   it may be right. */
void proof_judge(struct finding *, uint64_t index, struct el_value stored, struct derived);

/* A pass over all indexes of both planes on all cores (sweep.h). What the threads find is added to
   the verdict. */
struct proof_pass {
	const char *stage; /* of its progress */
	uint64_t count;    /* of indexes, or of what represents them; 0: all of a plane */
	void *context;
	sweep_chunk *chunk;
};
enum el_status proof_pass(struct proof *, const struct proof_pass *, struct el_error *);

/* For values in stones that agree with each other: verify_stones.c. */
enum el_status proof_of_gains(struct proof *, struct el_error *);

/* For metrics under a rule, and those of the least limit: verify_clock.c. */
bool proof_needs_clock(const struct el_metric *);
enum el_status proof_by_clock(struct proof *, struct el_error *);

#endif
