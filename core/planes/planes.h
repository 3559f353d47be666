/* SPDX-License-Identifier: MIT */
/* Operations on the planes of a slice (core/games/problem.h), from whatever source. */
#ifndef CORE_PLANES_PLANES_H
#define CORE_PLANES_PLANES_H

#include "core/games/problem.h"

void el_planes_free(struct el_planes *planes);

/* Is any value known only within bounds? */
bool el_planes_partial(const struct el_planes *planes);
/* Is any value a cursed win or a blessed loss? */
bool el_planes_late(const struct el_planes *planes);

/* Adds a value that the plane does not have yet. Returns its symbol, or 0 when symbols or memory
   have run out. One thread at a time. */
uint16_t el_plane_add_value(struct el_plane *plane, struct el_value value);

/*
 * Sorts `values` into the order described at el_plane, and drops duplicates and values that no
 * index has. EL_MEMORY leaves the plane as it was.
 */
enum el_status el_plane_canonical(struct el_plane *plane, uint64_t positions,
                                  struct el_error *error);

/* Sorts the values of a plane into the order of el_plane, and drops duplicates and values whose
   symbol does not occur. Sets renamed[s] to the new symbol of s; the plane's symbols are not
   changed. EL_MEMORY leaves everything as it was. */
enum el_status plane_order_values(struct el_plane *, const bool *occurs, uint16_t *renamed,
                                  struct el_error *);

/* Leaves only the values with the clock at 0. */
void planes_drop_courses(struct el_planes *);

#endif
