/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planes of finished slices, for the solver and for those who examine its work. */
#ifndef ENDLAB_LEND_LENDER_H
#define ENDLAB_LEND_LENDER_H

#include "endlab/library.h"

/*
 * All values of a slice from a table of the metric, or any that tells it; from other programs' where none
 * of ours does. EL_NEGATIVE when there is none: a partial one does not count. A file of ours that could
 * not be opened is not the same as none (el_library_find), unless another one of ours tells.
 */
enum el_status planes_obtain(struct el_library *, const struct el_slice *, const struct el_metric *,
                             struct el_planes *out, struct el_error *);
/* The same, off the table of `from` alone, which tells `metric`. */
enum el_status planes_read_off(struct el_library *, const struct el_slice *,
                               const struct el_metric *from, const struct el_metric *metric,
                               struct el_planes *out, struct el_error *);
/* As planes_obtain, with bounds where there is a partial table and no better one. */
enum el_status planes_obtain_bounds(struct el_library *, const struct el_slice *,
                                    const struct el_metric *, struct el_planes *out,
                                    struct el_error *);

/* The memory that planes take, in bytes. */
uint64_t planes_bytes(const struct el_planes *);

/*
 * Lends planes and keeps what comes back for the next borrower, the least recently used ones
 * making room: an ending of queen against king is asked for by many others. Several threads may borrow
 * and keep; what is set below is set while none does.
 */
struct lender;

/* All planes together take at most this many bytes, unless more than that is on loan at once. */
enum { LENDER_BUDGET = 48 << 20, LENDER_LITTLE = 6 << 20 /* where memory is scarce */ };
struct lender *lender_open(struct el_library *); /* null: out of memory */
void lender_close(struct lender *); /* everything has been given back */
struct el_lender lender_interface(struct lender *);
/* Lend bounds too, as planes_obtain_bounds has them? At first: no. */
void lender_accept_bounds(struct lender *, bool);
/* `own`: lend from our own tables alone; at first from others too. The watch, null at first, is over
   reading those. */
void lender_read_from(struct lender *, bool own, const struct el_watch *);
/* From now on planes of large slices (memory_is_large) are lent without their symbols, of which `bytes` are in memory at a
   time (el_lender.look); SIZE_MAX, as at first: all in memory. EL_MEMORY. */
enum el_status lender_limit(struct lender *, size_t bytes, struct el_error *);
/* Takes planes over, so that they need not be read again; `planes` is empty afterwards. */
void lender_keep(struct lender *, struct el_planes *planes);

#endif
