/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planes of finished slices, for the solver and for those who examine its work. */
#ifndef CORE_LEND_LENDER_H
#define CORE_LEND_LENDER_H

#include "core/library/library.h"

/*
 * All values of a slice from a table of the metric or one that tells it; from another program's if
 * none of ours does. EL_NEGATIVE when there is none; partial tables do not count. A file of ours
 * that could not be opened is an error of its own (el_library_find), unless another one of ours
 * tells the metric.
 */
enum el_status planes_obtain(struct el_library *, const struct el_slice *, const struct el_metric *,
                             struct el_planes *out, struct el_error *);
/* The same from the table of `from` alone, which tells `metric`. */
enum el_status planes_read_off(struct el_library *, const struct el_slice *,
                               const struct el_metric *from, const struct el_metric *metric,
                               struct el_planes *out, struct el_error *);
/* As planes_obtain, but a partial table counts if there is no better one. */
enum el_status planes_obtain_bounds(struct el_library *, const struct el_slice *,
                                    const struct el_metric *, struct el_planes *out,
                                    struct el_error *);

/* The memory that planes take, in bytes. */
uint64_t planes_bytes(const struct el_planes *);

/*
 * Lends planes, and keeps what comes back for the next borrower: many endings ask for that of queen
 * against king. The least recently used planes make room. Several threads may borrow and keep at
 * once, but not while a setting below is changed.
 */
struct lender;

/* All planes together take at most this many bytes, unless more than that is on loan at once. */
enum { LENDER_BUDGET = 48 << 20, LENDER_LITTLE = 6 << 20 /* when memory is scarce */ };
struct lender *lender_open(struct el_library *); /* null: out of memory */
void lender_close(struct lender *);              /* everything must have been given back */
struct el_lender lender_interface(struct lender *);
/* Lend bounds as well (planes_obtain_bounds)? Initially not. */
void lender_accept_bounds(struct lender *, bool);
/* `own`: lend only from our own tables; initially others are used as well, and the watch, initially
   null, is over reading them. */
void lender_read_from(struct lender *, bool own, const struct el_watch *);
/* From now on planes of large slices (memory_is_large) are lent without symbols (el_lender.look),
   and `bytes` of their symbols are kept in memory. SIZE_MAX, the initial limit: all planes are lent
   whole. EL_MEMORY. */
enum el_status lender_limit(struct lender *, size_t bytes, struct el_error *);
/* Takes planes over, so that they need not be read again; leaves `planes` empty. */
void lender_keep(struct lender *, struct el_planes *planes);

#endif
