/* SPDX-License-Identifier: MIT */
/*
 * The initial state of a part, before the first pass: its legal positions, its conversions by the
 * ply at which they take effect, and the threads' workspaces. Units that are complete in the ledger
 * of a stopped program are read from there.
 */
#ifndef CORE_SOLVE_INITIAL_H
#define CORE_SOLVE_INITIAL_H

#include "ledger.h"
#include "paged.h"
#include "shares.h"
#include "solve.h"

/* A thread's buffers. The bitmaps are as large as a unit. */
struct workspace {
	void *scratch; /* el_sets.scratch bytes */
	uint64_t *found, *among, *freed;
	/* For sets of few words. `clean` is empty between uses, and so are `marks`: bit w % 64 of
	   marks[w / 64] is set for each word w that may be other than zero. */
	uint64_t *clean, *marks;
	struct el_word *list; /* as many as a unit has words */
	struct encoder encoder;
};

enum conversion { CONVERSION_WINS, CONVERSION_FREES };

struct initial_state {
	struct el_sets *sets;
	struct scratch *scratch;
	struct workspace *workspaces; /* `threads`; owned */
	unsigned threads;             /* that share the units */
	struct shares shares;         /* which units, of all */
	struct paged legal[2];        /* by side to move; a page for each unit */
	struct paged blocked[2];      /* the same; see el_unit */
	/* list initial_list(): conversions in order of ply; further lists: the sets above */
	struct ledger events;
	uint64_t plies[(UINT16_MAX + 1) / 64]; /* bit p: some event takes effect at ply p */
	struct el_stage stage[EL_STAGES_MAX];
};

static inline size_t initial_list(const struct initial_state *o, unsigned side,
                                  enum conversion kind, size_t unit)
{
	return (2 * side + kind) * o->sets->units + unit;
}

struct initial_options {
	struct el_sets *sets;
	struct ranks *ranks; /* that share its units; null: this program alone */
	struct scratch *scratch;
	const struct ledger_place *place;   /* where the ledger is; null: in memory */
	bool alone;                         /* use one thread */
	const struct el_watch *watch;       /* may be null */
	const struct el_observer *observer; /* may be null */
	const struct el_lender *lender;     /* gives the reason when a unit cannot be begun */
};

/* EL_STOPPED, and errors of el_sets.begin. Closes the initial state on failure. */
enum el_status initial_make(struct initial_state *, const struct initial_options *,
                            struct el_error *);
void initial_close(struct initial_state *);
void initial_free_sets(struct initial_state *); /* `legal` and `blocked` */
/* The least ply above this one at which an event takes effect; EL_THRESHOLD_ALL if none does. */
uint32_t initial_next_ply(const struct initial_state *, uint32_t ply);
/* EL_IO, EL_MEMORY: the first failure of the scratch or the ledger. */
enum el_status initial_check(struct initial_state *, struct el_error *);

/* Calls `work` for all own units, shared among the threads a few at a time. */
void initial_units(struct initial_state *, void *context,
                   void (*work)(void *context, struct workspace *, size_t unit));

#endif
