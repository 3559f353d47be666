/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slices of one part: where no move of a metric ends its count and stays in the slice. */
#ifndef ENDLAB_GAMES_WHOLE_H
#define ENDLAB_GAMES_WHOLE_H

#include "endlab/sets.h"
#include "endlab/solve.h"

/* A game's way to open the sets of a slice, and to let go of what only beginning its units took. */
struct whole_way {
	struct el_measure (*measure)(const struct el_slice *);
	enum el_status (*open)(const struct el_problem *, struct el_sets **, struct el_error *);
	void (*begun)(struct el_sets *);
};

/* As el_game.divide; the way is to stay. */
enum el_status whole_divide(const struct whole_way *, const struct el_problem *,
                            struct el_division **, struct el_error *);

#endif
