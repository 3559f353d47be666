/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table under proof, and what each thread found. */
#ifndef ENDLAB_SOLVE_PROOF_H
#define ENDLAB_SOLVE_PROOF_H

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

void proof_wrong(struct finding *, uint64_t index, struct el_value stored, struct el_value derived);
/* Wrong unless they are equal, or what is stored stands for a ply more, too. */
void proof_compare(struct finding *, uint64_t index, struct el_value stored, struct el_value derived);

/* A walk over all indexes of both planes on all cores, as sweep.h has them; what the threads found
   is added to the verdict. */
struct proof_walk {
	const char *stage; /* of its progress */
	void *context;
	void (*chunk)(void *context, unsigned thread, uint64_t first, uint64_t end);
};
enum el_status proof_walk(struct proof *, const struct proof_walk *, struct el_error *);

/* Metrics under a rule, or that ask for the least one: core/solve/verify_clock.c. */
bool proof_needs_clock(const struct el_metric *);
enum el_status proof_by_clock(struct proof *, struct el_error *);

#endif
