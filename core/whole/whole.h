/* SPDX-License-Identifier: MIT */
/* Whole slices, read from any tables that know their values. */
#ifndef CORE_WHOLE_WHOLE_H
#define CORE_WHOLE_WHOLE_H

#include "core/library/library.h"

/* ---- all values of a slice ---- */

/*
 * Makes planes ready to be written without what probes derive (table.h).
 *   - Captures: sets `derivable` of each plane. EL_NEGATIVE names a missing table that captures
 *     lead to. If captures are forced no table is needed, because every position with a capture is
 *     derivable. Bounds are narrowed to what captures tell now, and a missing table is then no
 *     failure; EL_NEGATIVE if captures tell less than the planes, or if bounds are not in memory.
 *     For planes with a reader, `derivable` is an unlinked file in the library's directory. EL_IO.
 *   - Outcomes: sets `derivable` where the best zeroing move has the position's value. EL_USAGE as
 *     el_outcomes_check; EL_NEGATIVE without a table of the slice that tells them, or if one is missing
 *     that zeroing moves lead to.
 *   - A side: changes nothing. EL_USAGE as el_side_check; EL_NEGATIVE names a missing table that
 *     moves lead to.
 */
enum el_status el_library_derive(struct el_library *, struct el_planes *, enum el_derive,
                                 const struct el_watch *, struct el_error *);
/*
 * Makes planes and options ready for el_table_write: replaces a preset by the options that it means
 * for such planes, except what cannot be derived, and then does as el_library_derive what the options
 * say. `lender`: of the tables that captures enter; null: one of the library's.
 */
enum el_status el_library_prepare(struct el_library *, const struct el_lender *, struct el_planes *,
                                  struct el_table_options *, const struct el_watch *,
                                  struct el_error *);
/* Corrects the values of planes read from a table that leaves some to be derived: the file at
   `path`, with this header. `lender`: of the tables that moves enter; null, or without one of them: the
   library's. Captures into a missing slice are unknown in a partial table; else EL_NEGATIVE. */
enum el_status el_library_complete(struct el_library *, struct el_planes *, const char *path,
                                   const struct el_table_info *, const struct el_lender *,
                                   const struct el_watch *, struct el_error *);
/*
 * All values of a table file, ours or foreign, in any folder, including those left to be derived;
 * el_planes_free. *info, which may be null, becomes what the header says; a foreign file has no
 * blocks and no order, and gets the options of a new table. A foreign file is probed for each
 * index, which takes about a minute for five pieces on one core. EL_NEGATIVE as above, and if
 * memory is too small.
 */
enum el_status el_library_read(struct el_library *, const char *path, const struct el_watch *,
                               struct el_table_info *info, struct el_planes *out,
                               struct el_error *);
/* All values of a slice from its table under exactly this metric, ours before a foreign one, and
   one that cannot be used after all others; el_planes_free. If there is none, the status is
   el_library_find's; else as el_library_read. */
enum el_status el_library_planes(struct el_library *, const struct el_slice *,
                                 const struct el_metric *, const struct el_watch *,
                                 struct el_planes *out, struct el_error *);
/* The same, with the lender of el_library_complete. */
enum el_status library_planes_lent(struct el_library *, const struct el_slice *,
                                   const struct el_metric *, const struct el_lender *,
                                   const struct el_watch *, struct el_planes *out,
                                   struct el_error *);
/* The metric of the table that tells all values of a slice under a metric: that metric's own, else the
   first one that tells it, else its own that cannot be used; null: there is none. */
const struct el_metric *el_library_teller(struct el_library *, const struct el_slice *,
                                          const struct el_metric *);
/* As el_library_planes, from the table under the metric `from`, which must tell the other. */
enum el_status el_library_planes_from(struct el_library *, const struct el_slice *,
                                      const struct el_metric *from, const struct el_metric *,
                                      const struct el_watch *, struct el_planes *out,
                                      struct el_error *);
/* The same, from the table of el_library_teller or, if that cannot be used, another one that tells it. */
enum el_status el_library_planes_told(struct el_library *, const struct el_slice *,
                                      const struct el_metric *, const struct el_watch *,
                                      struct el_planes *out, struct el_error *);

/* ---- outcomes.c, for derive.c and the lab ---- */

/* The metric of the table that tells the outcomes of a slice which its table under `metric` may leave
   out: another metric than that. Null: there is none. */
const struct el_metric *outcomes_teller(struct el_library *, const struct el_slice *,
                                        const struct el_metric *);
/* May these planes leave out outcomes? As el_library_derive. */
enum el_status outcomes_check(struct el_library *, const struct el_planes *, struct el_error *);
/*
 * Adds the outcomes to planes in `kept`, which were read from a table without them, the file at `path`. A
 * win that a zeroing move keeps may get any plies. *told: all outcomes of the slice, each of wins and
 * losses in one ply; el_planes_free in any case. EL_NEGATIVE without a table that tells the outcomes;
 * EL_DAMAGED.
 */
enum el_status outcomes_join(struct el_library *, struct el_planes *, const char *path,
                             unsigned kept, const struct el_watch *, struct el_planes *told,
                             struct el_error *);

/* ---- read.c, for derive.c ---- */

/*
 * Finds the values of a plane that a file leaves out, from the other plane and from the library;
 * there must be room for its symbols. `path` is the file's, for errors. EL_NEGATIVE names a missing
 * table.
 */
enum el_status probe_left_out(struct el_library *, const char *path, unsigned plane,
                              const struct el_watch *, struct el_planes *, struct el_error *);

#endif
