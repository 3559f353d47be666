/* SPDX-License-Identifier: MIT */
/* One part of a slice while it is solved, and its results. */
#ifndef CORE_SOLVE_PART_H
#define CORE_SOLVE_PART_H

#include "fixpoint.h"
#include "recorder.h"

#include <stdatomic.h>

enum { WHAT_MAX = EL_SLICE_MAX + 16 };

/* The progress of a solution, shared by its threads. */
struct progress {
	const struct el_watch *watch;
	char what[WHAT_MAX];
	/* each thread solves families of its own: only the caller's thread may ask the watch */
	bool families;
	uint64_t total;            /* positions with a value in the table, legal or not */
	atomic_uint_fast64_t done; /* in finished parts */
	atomic_bool stopped;
};

struct part {
	const struct el_problem *problem;
	struct recorder *recorder;
	struct progress *progress;
	struct ranks *ranks; /* that share its units; null: this program alone */
	struct el_sets *sets;
	/* By side, where its results go: a symbol for each bit, a page for each unit that has
	   positions. Null: they go to the ledger `found`. */
	struct paged *symbols;
	/* Under a metric that asks for the clock, by side: the number of a course for each bit, its lower
	   halves before its upper halves, a page for each unit that has positions. Else null. */
	struct paged *courses;
	struct el_courses *known_courses; /* all that a part of the solution has found so far */
	/* Of its ledgers; null: in memory. If they have names, all results are written there, and
	   the next program can resume after this one was stopped. */
	const struct ledger_place *initial_place, *found_place;
	struct initial_state initial;
	struct fixpoint fixpoint;
	/* Without `symbols`. List part_list(): bitmaps of positions with a symbol; list
	   part_stuck_list(): positions without a move that are not lost; positions on no list are
	   drawn. */
	struct ledger found;
	enum el_outcome loss, win; /* what the fixpoint's losses and wins mean in the current run */
	/* positions decided in the current run win or lose so many; 0: its passes are plies */
	unsigned stones;
	struct paged *left;     /* by side: positions that the run may decide; null: all */
	uint64_t known;         /* stored positions decided so far, */
	uint64_t decided[2][2]; /* of these [side to move] [0] won and [1] lost */
	uint64_t by_others;     /* the same, by other ranks, before the last pass */
	unsigned passes;        /* the last ply that decided any of these */
	double seconds;         /* time taken by passes */
};

static inline size_t part_list(const struct part *p, unsigned side, size_t unit)
{
	return side * p->sets->units + unit;
}

/* In the same ledger: positions without a move that are not lost. */
static inline size_t part_stuck_list(const struct part *p, unsigned side, size_t unit)
{
	return part_list(p, p->sets->sides + side, unit);
}

/* Solves a part, and takes over its sets. Call part_close in any case. */
enum el_status part_solve(struct part *, struct el_division *, struct scratch *, struct el_error *);
void part_close(struct part *); /* all zeros are allowed */
/* The symbols of a unit from the ledger, in bit order, each as it is `renamed`; 0: no position. They
   are of positions that tables store. False if they cannot be read. */
bool part_symbols(struct part *, struct encoder *, unsigned side, size_t unit,
                  const uint16_t *renamed, uint16_t *by_bit);

/* ---- for the runs of its fixpoint ---- */

/* Counts what a table stores of a set that was decided. One thread at a time. */
static inline void part_count(struct part *p, unsigned side, enum el_outcome outcome,
                              uint64_t stored)
{
	p->known += stored;
	if (outcome == EL_WIN || outcome == EL_LOSS)
		p->decided[side][outcome == EL_LOSS] += stored;
}

/* Records a value for a set of positions of a unit, and tells the observer. `marks`: see
   fixpoint.decided. */
void part_note(struct part *, struct workspace *, unsigned side, size_t unit, const uint64_t *set,
               const uint64_t *marks, struct el_value);
/* Continues the fixpoint, to its end or up to the ply `limit`, and records what each pass
   finds. */
enum el_status part_run(struct part *, unsigned limit, enum el_outcome loss, enum el_outcome win,
                        struct el_error *);
/* The status of all ranks (ranks_agree). */
enum el_status part_agree(struct part *, enum el_status, struct el_error *);
/* Asks the watch, and checks for failures. EL_STOPPED, EL_MEMORY, EL_IO. */
enum el_status part_tick(struct part *, struct el_error *);

/* collect.c: gives rank 0 the results of all ranks; its own units are then all. */
void part_collect(struct part *);
/* going_on.c: takes a fixpoint that has just begun to the state after the ledger's last mark. */
void part_go_on(struct part *);
/* clock.c: solves a part at every clock, for dtmK. */
enum el_status part_solve_clock(struct part *, struct el_error *);
/* part.c: decides, without the limit, what a run under a rule left undecided. */
enum el_status part_run_late(struct part *, struct el_error *);
/* limits.c: solves a part under every limit, for dtr. */
enum el_status part_solve_limits(struct part *, struct el_error *);

#endif
