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

/* The plane of a file, before the fill. `symbols` and `care` are the caller's to free. EL_MEMORY. */
struct view {
	uint16_t *symbols; /* numbering.positions of them */
	uint8_t *care;
};
enum el_status view_make(const struct el_planes *, unsigned plane, const struct el_table_options *,
                         const struct table_plane *, struct view *out, struct el_error *);
void view_free(struct view *);

/* Tries all orders of the digits: the one with the fewest runs wins, the first of equals. A large
   plane is judged by windows of it. EL_MEMORY, EL_STOPPED. */
enum el_status view_best_order(const struct el_planes *, unsigned plane, enum el_derive,
                               const struct el_watch *, struct el_order *out, struct el_error *);

#endif
