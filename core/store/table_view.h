/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plane as it goes into a file: the values that need a symbol, the positions in the file's order,
 * and how far each may be chosen by the fill.
 */
#ifndef STORE_TABLE_VIEW_H
#define STORE_TABLE_VIEW_H

#include "table_format.h"
#include "table_spool.h"

/* Sets the values that the file lists: the worse first; broken before them, where the fill leaves
   broken positions. A value that only derivable positions have needs no symbol, but for the worst:
   some symbol must be at most as good. EL_MEMORY, and what the planes' reader answers. */
enum el_status view_values(const struct el_planes *, unsigned plane,
                           const struct el_table_options *, struct table_plane *out,
                           struct el_error *);

/* The plane of a file, before the fill: nothing of its size is held but what orders take. */
struct view {
	const struct el_planes *planes; /* borrowed, as `file` */
	const struct table_plane *file;
	unsigned plane;
	uint16_t *becomes;  /* by symbol of the plane in memory: the file's; owned, as all behind it */
	uint8_t *cares;     /* by symbol, of derivable positions: enum el_care */
	bool derives;       /* some positions may be derivable */
	struct spool spool; /* in the file's order, where that is not the index */
};
/* `path` is the table to be. EL_MEMORY, EL_IO, EL_STOPPED and what the reader answers; view_close in
   any case. */
enum el_status view_open(const struct el_planes *, unsigned plane, const struct el_table_options *,
                         const struct table_plane *, const char *path, const struct el_watch *,
                         struct view *out, struct el_error *);
void view_close(struct view *);
/* The positions of the file from `first` on: symbols of the file, and enum el_care. */
enum el_status view_read(const struct view *, uint64_t first, size_t count, uint16_t *symbols,
                         uint8_t *care, struct el_error *);

static inline uint8_t view_care(const struct view *v, uint16_t symbol, bool derivable)
{
	return !symbol ? EL_CARE_NOT : derivable ? v->cares[symbol] : EL_CARE_EXACT;
}

/* Is every position as it must be after a fill, which may be a plug-in's own? */
bool view_is_true(const uint16_t *before, const uint16_t *after, const uint8_t *care,
                  size_t count);

/* Tries all orders of the digits: the one that the codec finds to take least wins, or, where it does
   not weigh them, the one with the fewest runs; the first of equals. A large plane is judged by windows
   of it. `path` is the table to be, or any file beside which there is room for planes that are not in
   memory. As view_open. */
enum el_status view_best_order(const struct el_planes *, unsigned plane,
                               const struct el_table_options *, const char *path,
                               const struct el_watch *, struct el_order *out, struct el_error *);
/* What a codec that weighs makes of a sample of the plane in its order, which is given. As view_best_order. */
enum el_status view_weigh(const struct el_planes *, unsigned plane, const struct el_table_options *,
                          const char *path, const struct el_watch *, double *bits, struct el_error *);

#endif
