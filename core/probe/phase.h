/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Optimal moves under the least limit. Stored values are those for a clock at zero. Within a phase
 * the clock stands elsewhere, and playing as if it stood at zero leads past the limit. So a line
 * keeps to what both sides can enforce from where it began: the least limit and the length of the
 * phase. Whether a position still allows that, with so many plies gone, mostly follows from its own
 * values; if not, a search settles it.
 */
#ifndef CORE_PROBE_PHASE_H
#define CORE_PROBE_PHASE_H

#include "inside.h"

struct phase {
	/* one with phases; null: moves are taken as they are ranked */
	const struct el_metric *metric;
	bool under_way;
	unsigned limit, length;  /* of the game, and of all of the present phase; plies */
	unsigned gone;           /* plies of the phase that have been played */
	struct phase_memo *memo; /* owned; null before the first search */
	unsigned searched;       /* positions, in the whole line */
	/* a move was taken without proof that it is best: too many positions */
	bool unproven;
};

/* For lines under this metric. */
void phase_open(struct phase *, const struct el_metric *);
void phase_close(struct phase *);
/* Sets *out to the place of the best move in an answer, which must have ranked moves, and notes
   that it is played. EL_MEMORY. */
enum el_status phase_choose(struct phase *, const struct probe *, const struct el_answer *,
                            size_t *out, struct el_error *);

#endif
