/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One part of a slice while it is solved: what solve.c and limits.c share. */
#ifndef ENDLAB_SOLVE_PART_H
#define ENDLAB_SOLVE_PART_H

#include "fixpoint.h"
#include "recorder.h"

struct part {
	const struct el_problem *problem;
	struct recorder *recorder;
	struct el_sets *sets;
	struct el_found *found;
	struct fixpoint fixpoint;
	uint64_t known;    /* positions that the table stores, decided so far */
	unsigned passes;   /* the last ply that decided any of them */
	const struct progress *progress;
};

/* Writes down that the positions of a set have a value, and tells the observer: `stored` of them are
   stored by the table. */
void part_note(struct part *, unsigned side, const uint64_t *set, uint64_t stored, struct el_value);
/* Runs its fixpoint on, to the end or up to a ply, and writes down what each pass finds. */
enum el_status part_run(struct part *, unsigned limit, enum el_outcome loss, enum el_outcome win,
                        struct el_error *);
/* Asks the watch; EL_STOPPED. */
enum el_status part_tick(struct part *, struct el_error *);

/* limits.c: solves a part under every limit, for dtr. */
enum el_status part_solve_limits(struct part *, struct el_error *);

#endif
