/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values in stones do not count plies: a side that gains some may go round in circles with moves of the
 * same value. So of positions that are won or lost the play of best moves is searched until a capture: who
 * gains takes the shortest way to one, who loses the longest. That way exists, as the value was found by it.
 */
#ifndef STORE_SOONEST_H
#define STORE_SOONEST_H

#include "probe.h"

/* Plies until the next capture, or the end, with best moves of both from a position on; 0 where that is
   not known: no table, a draw, no memory. Of too many positions those are looked at that come first: who
   gains needs so many plies at most, or none is found. */
unsigned soonest_plies(const struct probe *, const struct el_position *);

#endif
