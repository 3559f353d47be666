/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table under proof, and what each thread found. */
#ifndef CORE_EXAMINE_PROOF_H
#define CORE_EXAMINE_PROOF_H

#include "examine.h"

#include "core/games/game.h"
#include "core/library/reads.h"
#include "core/solve/solve.h"
#include "core/whole/sweep.h"

/* Planes of the slices that conversions enter; owned by whoever filled it. */
struct subtables {
	struct el_planes planes[EL_SUCCESSORS_MAX];
	size_t count;
};

/* What moves are worth together; `open`: some of them by a table that is missing. */
struct derived {
	struct el_value value;
	bool open;
};

/* What is asked for values where there are no planes. */
struct prober {
	void *context;
	/* Of a position without a right to capture en passant; its place is null where it has
	   none. */
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
	/* What a move enters that ends the count and stays in the slice, is looked up here: itself,
	   or another metric's, which tells more. */
	const struct reach *ended;
	const struct prober *prober; /* not null: it is asked, and `planes` and `others` are null */
};

struct reached {
	struct el_value value; /* for the side to move there; under el_metric_entered if `ends` */
	bool ends;             /* the move ends the count */
	unsigned gain;         /* el_move_gain */
	bool open;             /* nobody knows the value: a table is missing */
	struct el_place place; /* when not `ends` */
};

void reach_by_move(const struct reach *, const struct el_position *, const struct el_move *,
                   struct reached *out);
/* The best of a position's moves, as el_value_of_move has them. */
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
	struct finding *findings; /* one a thread */
	unsigned plane;           /* the one at hand */
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
