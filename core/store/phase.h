/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Optimal moves under the least limit. What is stored is for a clock at zero; within a phase the clock
 * stands elsewhere, and to play as if it did not leads past the limit. So a line keeps in sight what
 * goes with the clock that it began with: the least limit and the length of the phase, which both sides
 * hold each other to. Whether a position still allows that, with so many plies gone, mostly follows
 * from its own values; where it does not, a search settles it.
 */
#ifndef STORE_PHASE_H
#define STORE_PHASE_H

#include "probe.h"

struct phase {
	const struct el_metric *metric; /* that has phases; null: moves are taken as they are ranked */
	bool under_way;
	unsigned limit, length; /* of the game, and of the present phase, with what is gone of it */
	unsigned gone;          /* plies of it */
	struct phase_memo *memo; /* owned; null before the first search */
	unsigned searched;      /* positions, in the whole line */
	bool unproven;          /* a move was taken that only might be the best: too many positions */
};

/* For lines under this metric. */
void phase_open(struct phase *, const struct el_metric *);
void phase_close(struct phase *);
/* The place of the best move in an answer, whose moves are ranked, and which has some; notes that it is
   played. EL_MEMORY. */
enum el_status phase_choose(struct phase *, const struct probe *, const struct el_answer *,
                            size_t *out, struct el_error *);

#endif
