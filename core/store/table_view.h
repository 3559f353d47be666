/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plane as it goes into a file: the values that need a symbol, the positions in the file's order,
 * and how far each may be chosen by the fill.
 */
#ifndef STORE_TABLE_VIEW_H
#define STORE_TABLE_VIEW_H

#include "table_format.h"

/* Sets the values that the file lists: the worse first; broken before them, where the fill leaves
   broken positions. A value that only derivable positions have needs no symbol, but for the worst:
   some symbol must be at most as good. EL_MEMORY. */
enum el_status view_values(const struct el_planes *, unsigned plane,
                           const struct el_table_options *, struct table_plane *out,
                           struct el_error *);

struct view {
	uint16_t *symbols; /* numbering.positions of them; owned, as all */
	uint8_t *care;     /* of each of those: enum el_care */
	uint16_t *becomes; /* by symbol of the plane in memory: the file's */
};
/* The plane of a file, before the fill. EL_MEMORY; view_free in any case. */
enum el_status view_make(const struct el_planes *, unsigned plane, const struct el_table_options *,
                         const struct table_plane *, struct view *out, struct el_error *);
/* Is every position as it must be after a fill, which may be a plug-in's own? */
bool view_is_true(const struct el_planes *, unsigned plane, const struct table_plane *,
                  const struct view *);
void view_free(struct view *);

/* Tries all orders of the digits: the one with the fewest runs wins, the first of equals. A large
   plane is judged by windows of it. EL_MEMORY, EL_STOPPED. */
enum el_status view_best_order(const struct el_planes *, unsigned plane, enum el_derive,
                               const struct el_watch *, struct el_order *out, struct el_error *);

#endif
