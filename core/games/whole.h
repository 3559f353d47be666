/* SPDX-License-Identifier: MIT */
/* Slices of one part: no move ends the count of the metric and stays in the slice. */
#ifndef CORE_GAMES_WHOLE_H
#define CORE_GAMES_WHOLE_H

#include "problem.h"
#include "sets.h"

/* How a game opens the sets of a slice: it makes them, then borrows the planes that conversions
   enter. */
struct whole_way {
	struct el_measure (*measure)(const struct el_slice *);
	/* Null if out of memory. */
	struct el_sets *(*make)(const struct el_problem *);
	/* Call give_back even after a failure. */
	enum el_status (*borrow)(struct el_sets *, const struct el_problem *, struct el_error *);
	/* Called once every unit has been begun, and again, for nothing, when the sets are closed. */
	void (*give_back)(struct el_sets *);
};

/* As el_game.divide; the way must outlive the division. */
enum el_status whole_divide(const struct whole_way *, const struct el_problem *,
                            struct el_division **, struct el_error *);

/* As el_sets.section_units, for sections that are units of the same number. */
size_t whole_section_unit(const struct el_sets *, unsigned side, size_t section,
                          uint32_t out[EL_LINKS_MAX]);

#endif
