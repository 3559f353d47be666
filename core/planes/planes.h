/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is done with the planes of a slice (core/games/problem.h), whoever made them. */
#ifndef CORE_PLANES_PLANES_H
#define CORE_PLANES_PLANES_H

#include "core/games/problem.h"

void el_planes_free(struct el_planes *planes);

/* Is any value known only within bounds? */
bool el_planes_partial(const struct el_planes *planes);
/* Is any value a cursed win or a blessed loss? */
bool el_planes_late(const struct el_planes *planes);

/* Adds a value that the plane does not have yet. Returns its symbol; 0 when there is no symbol or
   no memory left. One thread at a time. */
uint16_t el_plane_add_value(struct el_plane *plane, struct el_value value);

/*
 * Brings `values` into the order described at el_plane, each one once and none that no index has;
 * `values` may hold repeated and unused ones before. EL_MEMORY leaves the plane as it was.
 */
enum el_status el_plane_canonical(struct el_plane *plane, uint64_t positions,
                                  struct el_error *error);

/*
 * Gives symbol 0 to every broken index. Files do not say which indexes are broken; once they are
 * marked again, a fill may choose their values freely, so that the same values make the same file
 * wherever they came from.
 */
void el_planes_mark_broken(struct el_planes *planes);

/* Puts the values of a plane into the order of el_plane, each once, and drops those that do not
   occur (by symbol). renamed[s] becomes what symbol s is then; the symbols themselves are not
   changed. EL_MEMORY leaves everything as it was. */
enum el_status plane_order_values(struct el_plane *, const bool *occurs, uint16_t *renamed,
                                  struct el_error *);

#endif
