/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One part of a slice while it is solved, and what was found of it. */
#ifndef ENDLAB_SOLVE_PART_H
#define ENDLAB_SOLVE_PART_H

#include "fixpoint.h"
#include "recorder.h"

#include <stdatomic.h>

enum { WHAT_MAX = EL_SLICE_MAX + 16 };

/* How far a solution is; its threads share it. */
struct progress {
	const struct el_watch *watch;
	char what[WHAT_MAX];
	bool families;             /* threads take families: the caller's alone may ask the watch */
	uint64_t total;            /* positions with a value in the table, legal or not */
	atomic_uint_fast64_t done; /* in finished parts */
	atomic_bool stopped;
};

struct part {
	const struct el_problem *problem;
	struct recorder *recorder;
	struct progress *progress;
	struct el_sets *sets;
	bool keeps_all;       /* later parts look at it: positions that tables do not store are found too */
	/* Of its ledgers; null: in memory. With a name, what a program leaves behind when it is stopped is
	   where the next one goes on: then all that is found is written down, too. */
	const struct ledger_place *opening_place, *found_place;
	struct opening opening;
	struct fixpoint fixpoint;
	struct ledger found;  /* on list part_list(): bitmaps by their symbol; what is on none is drawn. On
	                         part_stuck_list(): what has no move and is not lost */
	enum el_outcome loss, win; /* what the fixpoint's are, in the run at hand */
	unsigned stones;      /* that it decides to be won or lost; 0: its passes are plies */
	struct paged *left;   /* [side]: what the run may decide; null: all */
	uint64_t known;       /* positions that the table stores, decided so far */
	unsigned passes;      /* the last ply that decided any of them */
	double seconds;       /* of passes */
};

static inline size_t part_list(const struct part *p, unsigned side, size_t unit)
{
	return side * p->sets->units + unit;
}

/* Of the same ledger: what has no move, and is not lost. */
static inline size_t part_stuck_list(const struct part *p, unsigned side, size_t unit)
{
	return part_list(p, p->sets->sides + side, unit);
}

/* Solves a part, whose sets it takes over. part_close in any case. */
enum el_status part_solve(struct part *, struct el_division *, struct scratch *, struct el_error *);
void part_close(struct part *); /* all zeros are allowed */
/* The symbols of a unit by bit, 64 * words of them; 0: no position. False: they cannot be read. */
bool part_symbols(struct part *, struct pen *, unsigned side, size_t unit, size_t words,
                  uint16_t *by_bit);

/* ---- for its runs ---- */

/* Writes down that the positions of a unit in a set have a value, and tells the observer. */
void part_note(struct part *, struct hand *, unsigned side, size_t unit, const uint64_t *set,
               struct el_value);
/* Runs its fixpoint on, to the end or up to a ply, and writes down what each pass finds. */
enum el_status part_run(struct part *, unsigned limit, enum el_outcome loss, enum el_outcome win,
                        struct el_error *);
/* Asks the watch, and whether anything went wrong; EL_STOPPED. */
enum el_status part_tick(struct part *, struct el_error *);

/* going_on.c: has its fixpoint, which has just been begun, stand where the ledger ends. */
void part_go_on(struct part *);
/* limits.c: solves a part under every limit, for dtr. */
enum el_status part_solve_limits(struct part *, struct el_error *);

#endif
