/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Retrograde analysis of one slice, and its result. */
#ifndef ENDLAB_SOLVE_H
#define ENDLAB_SOLVE_H

#include "endlab/sets.h"

/*
 * All values of a slice for one side to move: a symbol for each index, and what the symbols mean.
 * Symbol 0 is always EL_BROKEN; the other values follow in the order in which they were decided, so
 * shallow ones come first, then bounds, and the draw, if there is one, last.
 */
struct el_plane {
	uint16_t *symbols;       /* slice.positions of them; owned */
	struct el_value *values; /* what symbol s stands for; owned */
	uint32_t value_count;
	/* May be null. 1 where the best capture has the position's value, so that a probe finds it
	   without the plane: `positions` of them; owned. */
	uint8_t *derivable;
};

/* Where the symbols of planes come from that are not in memory. Such planes are canonical: each value
   but the first is that of some index. */
struct el_reader {
	void *context;
	/* The symbols of `count` indexes from `first` on. Quick where indexes rise from call to call; one
	   thread at a time. */
	enum el_status (*read)(void *context, unsigned plane, uint64_t first, size_t count,
	                       uint16_t *symbols, struct el_error *);
	void (*close)(void *context); /* by el_planes_free; it frees the reader too. May be null */
};

/* The file that planes were read from. */
struct el_origin {
	const struct el_metric *metric; /* of the file; null: the planes were not read */
	uint64_t identity; /* another content has another one (core/store/reads.h) */
	bool is_derived;   /* other tables told some of the values: those of captures */
};

/* The values of a whole slice under one metric. Owned by whoever made it; el_planes_free. */
struct el_planes {
	/* Null: the symbols are in memory. Else every `symbols` is null, and they are read from here;
	   owned. */
	const struct el_reader *reader;
	struct el_slice slice;
	const struct el_metric *metric;
	unsigned passes; /* the greatest ply at which the solver decided something; 0: not known */
	bool rounded;    /* some values are (value.h) */
	struct el_plane plane[2]; /* slice.planes of them are used */
	struct el_origin origin;
	/* How they were found: what the game's phases decided, then the passes; of a partial slice, in
	   both solutions together. Unnamed past the last, and in planes that were not solved but read. */
	struct el_phase phase[EL_PHASES_MAX];
};

void el_planes_free(struct el_planes *planes);

/* Is any of their values known only within bounds? */
bool el_planes_partial(const struct el_planes *planes);
/* Does a rule come too late for any of them: a cursed win, a blessed loss? */
bool el_planes_late(const struct el_planes *planes);

/* Makes room for a value that the plane has not had yet; returns its symbol, 0 when there is none left. One
   thread at a time. */
uint16_t el_plane_add_value(struct el_plane *plane, struct el_value value);

/*
 * Puts a plane whose `values` may name a value twice, or one that no index has, into the order
 * described above: symbol 0, then each value that some index has, once. EL_MEMORY leaves the plane
 * as it was.
 */
enum el_status el_plane_canonical(struct el_plane *plane, uint64_t positions,
                                  struct el_error *error);

/*
 * Files do not keep which indexes are broken. Marked again, they leave any fill its choice, so that
 * the same values make the same file, however they were found.
 */
void el_planes_mark_broken(struct el_planes *planes);

static inline struct el_value el_plane_value(const struct el_plane *plane, uint64_t index)
{
	return plane->values[plane->symbols[index]];
}

/*
 * Where the solver finds the slices that conversions enter. `lend` gives what `el_metric_entered`
 * says of the metric that is being solved; the planes stay valid until `give_back`. EL_NEGATIVE
 * when the slice is not there. In place of what is missing from a partial slice, planes are lent in
 * which every symbol is 0 and stands for EL_UNKNOWN.
 */
struct el_lender {
	void *context;
	enum el_status (*lend)(void *context, const struct el_slice *, const struct el_metric *,
	                       const struct el_planes **, struct el_error *);
	void (*give_back)(void *context, const struct el_planes *);
	/* Of planes that were lent without their symbols, with neither these nor a reader: `count` of them,
	   the same number in each call, from index `first` on, a multiple of it; where the plane ends before,
	   as many as there are. Valid until they are let go; null where they cannot be read, for a reason that
	   `check` tells. Several threads at once. All null in a lender of planes that are in memory. */
	const uint16_t *(*look)(void *context, const struct el_planes *, unsigned plane,
	                        uint64_t first, size_t count);
	void (*let_go)(void *context, const struct el_planes *, unsigned plane, uint64_t first,
	               size_t count);
	enum el_status (*check)(void *context, struct el_error *);
};

/* What one pass of the fixpoint decided in one unit, as an observer sees it: passes come in order,
   their units in any. The set is valid during the call. */
struct el_pass {
	unsigned ply;             /* n of WIN[n] or LOSS[n]; under dtr the limit; in stones the level, 0 for
	                             what is lost on the board */
	unsigned side;            /* to move in the decided positions */
	/* EL_WIN or EL_LOSS; under a rule cursed and blessed ones too. EL_DRAW, at ply 0: those with no
	   legal move that are not lost. */
	enum el_outcome outcome;
	size_t unit;
	const uint64_t *decided;  /* sets.words words: decided in this pass; not empty */
};

struct el_observer {
	void *context;
	/* Of each unit of a part, before its first pass. May be null. */
	void (*begin)(void *context, const struct el_sets *, unsigned side, size_t unit,
	              const struct el_unit *);
	void (*pass)(void *context, const struct el_sets *, const struct el_pass *); /* may be null */
	/* After the last pass of a part, while its sets can still be asked to gather. May be null. */
	void (*done)(void *context, const struct el_sets *);
	/* After all parts of a solution. May be null. */
	void (*end)(void *context);
};

/*
 * Whom bounds favour: what successors leave open is taken to be best for that side. The two
 * solutions, one in favour of each side, are the bounds of the slice.
 */
enum el_favour {
	EL_FAVOUR_NONE, /* no bounds are expected: one is EL_DAMAGED */
	EL_FAVOUR_WHITE,
	EL_FAVOUR_BLACK,
};

/* The memory that a solution may take, what it is lent not counted, and the folder where it puts
   what goes beyond. */
struct el_room {
	uint64_t memory; /* bytes */
	/* A solution that is stopped or killed leaves files there, with which the next one of this slice and
	   metric goes on if it is lent the same: see el_solve_forget. */
	const char *scratch;
	uint64_t lent; /* a number that stands for what it is lent */
};

/* What is to be solved, and who observes it. */
struct el_problem {
	struct el_slice slice;
	const struct el_metric *metric;
	enum el_favour favour;
	const struct el_lender *lender;
	const struct el_observer *observer; /* may be null */
	const struct el_watch *watch;       /* may be null */
	const struct el_room *room;         /* null: all in memory, whatever it takes */
};

/*
 * Solves a slice. The result depends neither on the number of threads (OpenMP decides it) nor on the
 * room; where that is too small for all, the planes have a reader. EL_NEGATIVE when a successor slice
 * cannot be lent, or when the room is too small for any solution; EL_STOPPED when the watch said so.
 */
enum el_status el_solve(const struct el_problem *, struct el_planes *out, struct el_error *);

/* Removes what a solution under this metric has left in a folder of scratch files: once its planes are
   written, or where nobody wants to go on with one that was stopped. */
void el_solve_forget(const struct el_slice *, const struct el_metric *, const char *scratch);

/* The slices that a solution had to do without. */
struct el_missing {
	struct el_slice slice[EL_SUCCESSORS_MAX]; /* in the order in which they were asked for */
	size_t count;
};

/*
 * Solves a slice whose successors may be missing, or known only within bounds: every outcome is
 * found within the bounds that all moves together leave. Where no successor is missing and none has
 * bounds, these are the planes that `el_solve` makes. The metric is one without depths; `favour` is
 * ignored; an observer sees one solution or, one after the other, both. `missing` may be null.
 */
enum el_status el_solve_partial(const struct el_problem *, struct el_planes *out,
                                struct el_missing *missing, struct el_error *);

/* The values under another metric, which theirs tells: what a table of that metric holds. */
enum el_status el_planes_read(const struct el_planes *in, const struct el_metric *,
                              struct el_planes *out, struct el_error *);

#endif
