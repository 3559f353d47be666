/* SPDX-License-Identifier: MIT */
/* Planes of finished slices, for the solver and for code that examines its work. */
#ifndef CORE_WHOLE_LENDER_H
#define CORE_WHOLE_LENDER_H

#include "core/library/library.h"

/*
 * Reads all values of a slice from a table of the metric or one that determines it
 * (el_metric_tells), from another program's only if we have none. EL_NEGATIVE when there is none;
 * partial tables do not count. If one of our files cannot be opened, its error is returned
 * (el_library_find), unless another of our tables determines the metric.
 */
enum el_status planes_obtain(struct el_library *, const struct el_slice *, const struct el_metric *,
                             struct el_planes *out, struct el_error *);
/* The same, but only from the table of `from`, which determines `metric`. `lender`: of the tables that its
   moves lead to; null: they are read from the library. */
enum el_status planes_read_off(struct el_library *, const struct el_slice *,
                               const struct el_metric *from, const struct el_metric *metric,
                               const struct el_lender *lender, const struct el_watch *,
                               struct el_planes *out, struct el_error *);
/* Like planes_obtain, but a partial table counts if there is no better one. */
enum el_status planes_obtain_bounds(struct el_library *, const struct el_slice *,
                                    const struct el_metric *, struct el_planes *out,
                                    struct el_error *);

/* The memory taken by planes, in bytes. */
uint64_t planes_bytes(const struct el_planes *);

/*
 * Lends planes, and caches returned ones for the next borrower: many endings depend on king and
 * queen against king. The least recently used planes are evicted. Several threads may borrow and
 * keep at once, but not while a setting below is changed.
 */
struct lender;

/* All planes together take at most this many bytes, unless more than that is on loan at once. */
enum { LENDER_BUDGET = 48 << 20, LENDER_LITTLE = 6 << 20 /* after lender_limit */ };
/* The watch, which may be null, follows the reading of tables that takes long. Null: out of memory. */
struct lender *lender_open(struct el_library *, const struct el_watch *);
void lender_close(struct lender *); /* everything must have been given back */
struct el_lender lender_interface(struct lender *);
/* Lend bounds as well (planes_obtain_bounds)? Initially no. */
void lender_accept_bounds(struct lender *, bool);
/* `own`: lend only from our own tables; initially false. The watch replaces that of lender_open. */
void lender_read_from(struct lender *, bool own, const struct el_watch *);
/* Copies of tables that leave values to be derived, or are not in index order, have all values, in that order
   (loan.h). They are in the library's folder for copies, or in this one, which is borrowed; initially null. */
void lender_set_copies(struct lender *, const char *folder);
/* Planes of large slices (memory_is_large), and of those whose table leaves out a side, are lent
   without symbols (el_lender.look) if they can be read in pieces. Keeps up to `bytes` of these in
   memory (memory_of_loans); SIZE_MAX, the initial limit: all of them, and those of all slices below
   them, so it suits small ones alone. Nothing may be on loan. EL_MEMORY. */
enum el_status lender_limit(struct lender *, size_t bytes, struct el_error *);
/* Lends one of our tables under its own metric, whatever folder it is in, without symbols
   (lender_limit). EL_NEGATIVE if it cannot be read piece by piece. */
enum el_status lender_lend_file(struct lender *, const char *path, const struct el_planes **,
                                struct el_error *);
/* Lends planes that have a reader, without symbols. EL_MEMORY. */
enum el_status lender_lend_read(struct lender *, const struct el_planes *,
                                const struct el_planes **, struct el_error *);
/* Solves a problem with what a lender opened for it alone lends. Errors as el_solve, and EL_MEMORY. */
enum el_status lender_solve(struct el_library *, const struct el_watch *, struct el_problem,
                            struct el_planes *out, struct el_error *);
/* Takes over planes, so that they need not be read again, and leaves `planes` empty. */
void lender_keep(struct lender *, struct el_planes *planes);

#endif
