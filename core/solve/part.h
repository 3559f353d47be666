/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One part of a slice while it is solved, and what has been found in it. */
#ifndef CORE_SOLVE_PART_H
#define CORE_SOLVE_PART_H

#include "fixpoint.h"
#include "recorder.h"

#include <stdatomic.h>

enum { WHAT_MAX = EL_SLICE_MAX + 16 };

/* How far a solution has come; its threads share this. */
struct progress {
	const struct el_watch *watch;
	char what[WHAT_MAX];
	/* threads take families: then only the caller's thread may ask the watch */
	bool families;
	uint64_t total;            /* positions with a value in the table, legal or not */
	atomic_uint_fast64_t done; /* in finished parts */
	atomic_bool stopped;
};

struct part {
	const struct el_problem *problem;
	struct recorder *recorder;
	struct progress *progress;
	struct el_sets *sets;
	/* for later parts: positions that tables do not store are found as well */
	bool keeps_all;
	/* Of its ledgers; null: in memory. If they have names, everything that is found is written
	   down, and the next program goes on where one that was stopped left off. */
	const struct ledger_place *initial_place, *found_place;
	struct initial_state initial;
	struct fixpoint fixpoint;
	/* part_list() has bitmaps of positions with their symbol, part_stuck_list() those without a
	   move that are not lost; positions on no list are drawn */
	struct ledger found;
	enum el_outcome loss, win; /* what the fixpoint's losses and wins are, in the current run */
	/* that the current run decides to be won or lost; 0: its passes are plies */
	unsigned stones;
	struct paged *left; /* by side: what the run may decide; null: everything */
	uint64_t known;     /* positions decided so far, of those that tables store */
	unsigned passes;    /* the last ply that decided any of these */
	double seconds;     /* that passes have taken */
};

static inline size_t part_list(const struct part *p, unsigned side, size_t unit)
{
	return side * p->sets->units + unit;
}

/* Of the same ledger: positions without a move that are not lost. */
static inline size_t part_stuck_list(const struct part *p, unsigned side, size_t unit)
{
	return part_list(p, p->sets->sides + side, unit);
}

/* Solves a part, and takes over its sets. part_close in any case. */
enum el_status part_solve(struct part *, struct el_division *, struct scratch *, struct el_error *);
void part_close(struct part *); /* all zeros are allowed */
/* The symbols of a unit in the order of bits, 64 * words of them; 0: no position. False if they
   cannot be read. */
bool part_symbols(struct part *, struct encoder *, unsigned side, size_t unit, size_t words,
                  uint16_t *by_bit);

/* ---- for the runs of its fixpoint ---- */

/* Writes down a value for a set of positions of a unit, and tells the observer. */
void part_note(struct part *, struct workspace *, unsigned side, size_t unit, const uint64_t *set,
               struct el_value);
/* Runs the fixpoint on, to its end or up to the ply `limit`, and writes down what each pass
   finds. */
enum el_status part_run(struct part *, unsigned limit, enum el_outcome loss, enum el_outcome win,
                        struct el_error *);
/* Asks the watch, and looks for failures. EL_STOPPED, EL_MEMORY, EL_IO. */
enum el_status part_tick(struct part *, struct el_error *);

/* going_on.c: brings the fixpoint, which has just been begun, to where the ledger ends. */
void part_go_on(struct part *);
/* limits.c: solves a part under every limit, for dtr. */
enum el_status part_solve_limits(struct part *, struct el_error *);

#endif
