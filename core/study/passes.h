/* SPDX-License-Identifier: MIT */
/*
 * A frame of a study's file, solved once more with all passes noted: first in favour of White, then of
 * Black. Where both find the same, that is exact. All values are by side to move and by the address
 * of a position (core/games/frames.h).
 */
#ifndef CORE_STUDY_PASSES_H
#define CORE_STUDY_PASSES_H

#include "study.h"

#include "core/games/frames.h"

struct study_passes {
	struct el_frame frame;
	uint64_t addresses; /* with each side to move */
	struct {
		uint8_t *outcome; /* EL_LOSS, EL_DRAW, EL_WIN; EL_BROKEN: not reached. Owned */
		uint16_t *ply;    /* of the pass that decided it; owned */
	} of[2][2];               /* by the side favoured, and the side to move */
	/* Of the solution in favour of White. */
	uint64_t stalemates[2];
	uint64_t winning[2], holding[2]; /* some exit wins; none does, and some does not lose */
	bool exits_win;                  /* in pass 1, for either side and in either solution */
	struct study_entered *entered;   /* owned */
};

/* Outcomes in a frame that exits enter: bounds, by side to move and address. */
struct study_entered {
	struct el_frame frame;
	uint8_t *outcome[2]; /* EL_BROKEN: not reached. Owned */
	struct study_entered *next;
};

/* Kinds that the study leaves to tables are asked of them; `tables` may be null. EL_NEGATIVE: the study
   does not reach the position. study_passes_free in any case. */
enum el_status study_passes_find(const char *path, const struct el_position *,
                                 const struct el_study_tables *tables, const struct el_watch *,
                                 struct study_passes *out, struct el_error *);
void study_passes_free(struct study_passes *);

#endif
