/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The initial state of a part, before the first pass: its legal positions, and its conversions by
 * the ply at which they take effect; and what threads need to work on its units. Units found in a
 * ledger that was left behind are not begun again.
 */
#ifndef CORE_SOLVE_INITIAL_H
#define CORE_SOLVE_INITIAL_H

#include "ledger.h"
#include "paged.h"
#include "solve.h"

/* What a thread works with. Its bitmaps are as large as a unit. */
struct workspace {
	void *scratch; /* el_sets.scratch bytes */
	uint64_t *found, *among, *freed;
	struct encoder encoder;
};

enum conversion { CONVERSION_WINS, CONVERSION_FREES };

struct initial_state {
	struct el_sets *sets;
	struct scratch *scratch;
	struct workspace *workspaces; /* `threads`; owned */
	unsigned threads;             /* that share the units */
	struct paged legal[2];        /* by side to move; a page for each unit */
	struct paged blocked[2];      /* the same; see el_unit */
	/* on list initial_list(): by rising ply; and what the sets were */
	struct ledger events;
	uint64_t plies[(UINT16_MAX + 1) / 64]; /* bit p: some event has it */
	struct el_stage stage[EL_STAGES_MAX];
};

static inline size_t initial_list(const struct initial_state *o, unsigned side,
                                  enum conversion kind, size_t unit)
{
	return (2 * side + kind) * o->sets->units + unit;
}

struct initial_options {
	struct el_sets *sets;
	struct scratch *scratch;
	const struct ledger_place *place;   /* of the ledger; null: in memory */
	bool alone;                         /* use one thread */
	const struct el_watch *watch;       /* may be null */
	const struct el_observer *observer; /* may be null */
	const struct el_lender *lender;     /* asked why a unit could not be begun */
};

/* EL_STOPPED, and errors of el_sets.begin. An initial state that failed is closed. */
enum el_status initial_make(struct initial_state *, const struct initial_options *,
                            struct el_error *);
void initial_close(struct initial_state *);
/* The least ply of any event above this ply; EL_THRESHOLD_ALL if there is none. */
uint32_t initial_next_ply(const struct initial_state *, uint32_t ply);
/* EL_IO, EL_MEMORY: something has gone wrong on the disk or in memory. */
enum el_status initial_check(struct initial_state *, struct el_error *);

/* Calls `work` for all units, shared among the threads a few at a time. */
void initial_units(struct initial_state *, void *context,
                   void (*work)(void *context, struct workspace *, size_t unit));

#endif
