/* SPDX-License-Identifier: MIT */
/*
 * Retrograde analysis of one slice, and its result.
 *
 *     el_problem -> el_solve -> el_planes (planes.h) -> el_table_write (table.h)
 */
#ifndef CORE_SOLVE_SOLVE_H
#define CORE_SOLVE_SOLVE_H

#include "core/planes/planes.h"

/* A set that a pass of the fixpoint decided in one unit. Passes come in order, the units of a pass
   in any order. The set is valid during the call. */
struct el_pass {
	/* n of WIN[n] or LOSS[n]; under dtr the limit; with stones the threshold, or 0 if lost on
	   the board */
	unsigned ply;
	unsigned side; /* to move in the decided positions */
	/* EL_WIN or EL_LOSS; under a rule also EL_CURSED_WIN or EL_BLESSED_LOSS. EL_DRAW, at ply 0:
	   the positions without a legal move that are not lost. */
	enum el_outcome outcome;
	size_t unit;
	const uint64_t *decided; /* sets.words words; not empty */
};

/* Watches a solution in detail. Any function may be null. */
struct el_observer {
	void *context;
	/* For each unit of a part, before its first pass. */
	void (*begin)(void *context, const struct el_sets *, unsigned side, size_t unit,
	              const struct el_unit *);
	void (*pass)(void *context, const struct el_sets *, const struct el_pass *);
	/* After the last pass of a part, while its sets can still gather. */
	void (*done)(void *context, const struct el_sets *);
	/* After all parts of a solution. */
	void (*end)(void *context);
};

/* How much memory a solution may take, and where it stores the rest. */
struct el_room {
	uint64_t memory; /* bytes, without borrowed planes */
	/* A folder. A solution that is stopped or killed leaves files there, so that the next one
	   of this slice and metric can resume, if it borrows the same planes: see
	   el_solve_forget. */
	const char *scratch;
	uint64_t lent; /* a number that identifies the borrowed planes */
	bool is_whole; /* the planes are in memory, however large */
};

/*
 * Solves a slice. The values depend neither on the number of threads (OpenMP's) nor on the room.
 * Planes that are large (memory_makes_planes) or do not fit there have a reader, and the lender must
 * outlive them; without a room they are whole. With ranks there is one, each works on some of the
 * units, and only rank 0 gets planes. EL_NEGATIVE
 * when a successor slice cannot be borrowed, or when the room is too small for any solution;
 * EL_MEMORY; EL_IO of scratch files; EL_DAMAGED when a borrowed value is impossible; EL_STOPPED when
 * the watch says so.
 */
enum el_status el_solve(const struct el_problem *, struct el_planes *out, struct el_error *);

/* Removes the files that a solution under this metric has left in a scratch folder: once its planes
   are written, or when a stopped one will not be resumed; those of all ranks that work there. */
void el_solve_forget(const struct el_slice *, const struct el_metric *, const char *scratch);

/* The successor slices that a solution lacked. */
struct el_missing {
	struct el_slice slice[EL_SUCCESSORS_MAX]; /* in the order in which it asked for them */
	size_t count;
};

/*
 * Solves a slice whose successors may be missing or known only within bounds: the values are the
 * bounds that all moves together leave. If no successor is missing and none has bounds, the result
 * equals that of el_solve. The metric must be one without depths; `favour` is ignored. An observer
 * sees one solution, or both, one after the other. `missing` may be null. Errors as in el_solve.
 */
enum el_status el_solve_partial(const struct el_problem *, struct el_planes *out,
                                struct el_missing *missing, struct el_error *);

/* The values under another metric that this one determines (el_metric_tells), as a table of that
   metric holds them. */
enum el_status el_planes_read(const struct el_planes *in, const struct el_metric *,
                              struct el_planes *out, struct el_error *);

#endif
