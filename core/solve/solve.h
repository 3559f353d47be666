/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Retrograde analysis of one slice, and its result.
 *
 *     el_problem -> el_solve -> el_planes -> el_table_write (table.h)
 */
#ifndef ENDLAB_SOLVE_H
#define ENDLAB_SOLVE_H

#include "core/games/sets.h"

/*
 * The values of a slice for one side to move: a symbol for each index, and the value that each symbol stands
 * for. Symbol 0 is always EL_BROKEN. The others follow in the order in which they were decided: shallow values
 * first, then bounds, and the draw, if there is one, last.
 */
struct el_plane {
	uint16_t *symbols;       /* slice.positions of them; owned */
	struct el_value *values; /* value_count of them, by symbol; owned */
	uint32_t value_count;
	/* For each position: 1 where the best capture has the position's value, so that a probe finds it
	   without the plane. May be null; owned: malloc'ed, or mapped if the planes have a reader. */
	uint8_t *derivable;
};

/* Gives the symbols of planes that are not in memory. Such planes are canonical (el_plane_canonical): every
   value except EL_BROKEN is that of some index. */
struct el_reader {
	void *context;
	/* Reads the symbols of `count` indexes from `first` on. Quick if indexes rise from call to call. One
	   thread at a time. */
	enum el_status (*read)(void *context, unsigned plane, uint64_t first, size_t count,
	                       uint16_t *symbols, struct el_error *);
	void (*close)(void *context); /* called by el_planes_free; frees the reader as well. May be null */
};

/* The file that planes were read from. */
struct el_origin {
	const struct el_metric *metric; /* of the file; null: the planes were not read from one */
	uint64_t identity; /* differs where the content does (core/library/reads.h) */
	bool is_derived;   /* some values, those of captures, came from other tables */
};

/* The values of a whole slice under one metric. Whoever made it owns it; el_planes_free. */
struct el_planes {
	/* Null: the symbols are in memory. Else every el_plane.symbols is null, and they are read from here;
	   owned. */
	const struct el_reader *reader;
	struct el_slice slice;
	const struct el_metric *metric;
	unsigned passes; /* the greatest ply at which the solver decided something; 0: not known */
	bool rounded;    /* some values are (el_value.rounded) */
	struct el_plane plane[2]; /* the first slice.planes of them are used */
	struct el_origin origin;
	/* How they were found: what the game's phases decided, then the passes, in a partial slice for both
	   solutions together. Unnamed past the last, and in planes that were read rather than solved. */
	struct el_phase phase[EL_PHASES_MAX];
};

void el_planes_free(struct el_planes *planes);

/* Is any value known only within bounds? */
bool el_planes_partial(const struct el_planes *planes);
/* Is any value a cursed win or a blessed loss? */
bool el_planes_late(const struct el_planes *planes);

/* Adds a value that the plane does not have yet. Returns its symbol; 0 when there is no symbol or no memory
   left. One thread at a time. */
uint16_t el_plane_add_value(struct el_plane *plane, struct el_value value);

/*
 * Brings `values` into the order described at el_plane, each one once and none that no index has; `values` may
 * hold repeated and unused ones before. EL_MEMORY leaves the plane as it was.
 */
enum el_status el_plane_canonical(struct el_plane *plane, uint64_t positions,
                                  struct el_error *error);

/*
 * Gives symbol 0 to every broken index. Files do not say which indexes are broken; once they are marked again,
 * a fill may choose their values freely, so that the same values make the same file wherever they came from.
 */
void el_planes_mark_broken(struct el_planes *planes);

static inline struct el_value el_plane_value(const struct el_plane *plane, uint64_t index)
{
	return plane->values[plane->symbols[index]];
}

/*
 * Where the solver gets the slices that conversions enter. `lend` is asked for their values under
 * el_metric_entered of the metric that is being solved; the planes stay valid until `give_back`. EL_NEGATIVE
 * when the slice is not there. In a partial solution, a missing slice is lent as planes in which every symbol
 * is 0 and stands for EL_UNKNOWN.
 */
struct el_lender {
	void *context;
	enum el_status (*lend)(void *context, const struct el_slice *, const struct el_metric *,
	                       const struct el_planes **, struct el_error *);
	void (*give_back)(void *context, const struct el_planes *);
	/* For planes lent without symbols and without a reader: symbols from index `first` on. `count` is the
	   same in every call and `first` a multiple of it; at the end of the plane there may be fewer. Valid
	   until they are let go. Null where they cannot be read; `check` then gives the reason. Several
	   threads at once. All three are null in a lender whose planes are in memory. */
	const uint16_t *(*look)(void *context, const struct el_planes *, unsigned plane,
	                        uint64_t first, size_t count);
	void (*let_go)(void *context, const struct el_planes *, unsigned plane, uint64_t first,
	               size_t count);
	enum el_status (*check)(void *context, struct el_error *);
};

/* What one pass of the fixpoint decided in one unit. Passes come in order, the units of a pass in any order.
   The set is valid during the call. */
struct el_pass {
	unsigned ply;             /* n of WIN[n] or LOSS[n]; under dtr the limit; with stones the level, 0 for
	                             what is lost on the board */
	unsigned side;            /* to move in the decided positions */
	/* EL_WIN or EL_LOSS; under a rule also EL_CURSED_WIN or EL_BLESSED_LOSS. EL_DRAW, at ply 0: the
	   positions without a legal move that are not lost. */
	enum el_outcome outcome;
	size_t unit;
	const uint64_t *decided;  /* sets.words words; not empty */
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

/*
 * Whom bounds favour: an undecided successor counts as the best outcome for that side. The two solutions, one
 * in favour of each side, are the bounds of the slice.
 */
enum el_favour {
	EL_FAVOUR_NONE, /* no bounds are expected: any is EL_DAMAGED */
	EL_FAVOUR_WHITE,
	EL_FAVOUR_BLACK,
};

/* How much memory a solution may take, and where it puts what does not fit. */
struct el_room {
	uint64_t memory; /* bytes, without the planes that are lent */
	/* A folder. A solution that is stopped or killed leaves files there, with which the next one of this
	   slice and metric goes on, if it is lent the same planes: see el_solve_forget. */
	const char *scratch;
	uint64_t lent; /* a number that identifies the planes that are lent */
};

/* What is to be solved, and who observes it. */
struct el_problem {
	struct el_slice slice;
	const struct el_metric *metric;
	enum el_favour favour;
	const struct el_lender *lender;
	const struct el_observer *observer; /* may be null */
	const struct el_watch *watch;       /* may be null */
	const struct el_room *room;         /* null: everything in memory, whatever it takes */
};

/*
 * Solves a slice. The result depends neither on the number of threads (OpenMP's) nor on the room; where the
 * planes do not fit there, they have a reader. EL_NEGATIVE when a successor slice cannot be lent, or when the
 * room is too small for any solution; EL_MEMORY; EL_IO of scratch files; EL_DAMAGED where a value that is
 * lent cannot be; EL_STOPPED when the watch says so.
 */
enum el_status el_solve(const struct el_problem *, struct el_planes *out, struct el_error *);

/* Removes what a solution under this metric has left in a folder of scratch files: once its planes are
   written, or when nobody wants to continue a stopped one. */
void el_solve_forget(const struct el_slice *, const struct el_metric *, const char *scratch);

/* The slices that a solution had to do without. */
struct el_missing {
	struct el_slice slice[EL_SUCCESSORS_MAX]; /* in the order in which they were asked for */
	size_t count;
};

/*
 * Solves a slice whose successors may be missing or known only within bounds: each outcome is found within the
 * bounds that all moves together leave. If no successor is missing and none has bounds, the planes are those of
 * el_solve. The metric must be one without depths; `favour` is ignored. An observer sees one solution, or both,
 * one after the other. `missing` may be null. Errors as el_solve.
 */
enum el_status el_solve_partial(const struct el_problem *, struct el_planes *out,
                                struct el_missing *missing, struct el_error *);

/* The values under another metric, which this one tells: what a table of that metric holds. */
enum el_status el_planes_read(const struct el_planes *in, const struct el_metric *,
                              struct el_planes *out, struct el_error *);

#endif
