/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values in stones do not count plies, so a side that gains some could go round in circles with
 * moves of the same value. In positions that are won or lost, the play of best moves is therefore
 * searched up to the next capture: the side that gains takes the shortest way to one, the other
 * side the longest. There is such a way, since the value was found along it.
 */
#ifndef CORE_PROBE_SOONEST_H
#define CORE_PROBE_SOONEST_H

#include "inside.h"

/* Plies to the next capture, or to the end, if both sides play best moves; 0 if that is not known:
   no table, a draw, or no memory. If there are too many positions, only the first ones are
   searched; the result is then an upper bound for the side that gains, or 0. */
unsigned soonest_plies(const struct probe *, const struct el_position *);

#endif
