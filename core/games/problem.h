/* SPDX-License-Identifier: MIT */
/*
 * A problem for a game to solve: the slice, and the planes of the slices that its conversions
 * enter. The result is planes too (core/planes/planes.h).
 */
#ifndef CORE_GAMES_PROBLEM_H
#define CORE_GAMES_PROBLEM_H

#include "sets.h"

struct el_courses;  /* core/base/course.h */
struct el_observer; /* core/solve/solve.h */
struct el_room;
struct ranks; /* core/os/ranks.h */

/*
 * The values of a slice for one side to move: a symbol for each index, and the value that each
 * symbol stands for. Symbol 0 is always EL_BROKEN. The others follow in the order they were
 * decided: shallow values first, then bounds, and the draw, if any, last.
 */
struct el_plane {
	uint16_t *symbols;       /* slice.positions of them; owned */
	struct el_value *values; /* value_count of them, by symbol; owned */
	uint32_t value_count;
	/* For each position: 1 if the best capture has the position's value, so that a probe
	   finds it without the plane; if outcomes are left out, the best zeroing move. May be null;
	   owned: malloc'ed, or mapped if the planes have a reader. */
	uint8_t *derivable;
	/* Under a metric that asks for the clock: the number of each position's course; owned. Null if there is
	   a reader, and in planes that are lent, since a move that enters them resets the clock. */
	uint32_t *course;
};

/* Reads the symbols of planes that are not in memory. Such planes are canonical
   (el_plane_canonical): every value except EL_BROKEN occurs at some index. */
struct el_plane_reader {
	void *context;
	/* Reads the symbols of `count` indexes from `first` on. Fast if indexes ascend from call to
	   call. One thread at a time. */
	enum el_status (*read)(void *context, unsigned plane, uint64_t first, size_t count,
	                       uint16_t *symbols, struct el_error *);
	/* The same for the numbers of their courses, if they have any; else null. */
	enum el_status (*read_courses)(void *context, unsigned plane, uint64_t first, size_t count,
	                               uint32_t *numbers, struct el_error *);
	/* called by el_planes_free; frees the reader as well. May be null */
	void (*close)(void *context);
};

/* The file that planes were read from. */
struct el_origin {
	const struct el_metric *metric; /* of the file; null: the planes were not read from one */
	uint64_t identity;              /* differs if the content does (core/library/reads.h) */
	bool is_derived;                /* some values came from moves into other tables */
	/* 1 + the plane whose values all came from moves: it cannot be other than they tell; 0: none */
	uint8_t left_out;
};

/* The values of a whole slice under one metric. Whoever made them owns them; el_planes_free. */
struct el_planes {
	/* Null: the symbols are in memory. Else every el_plane.symbols is null, and symbols are
	   read from here; owned. */
	const struct el_plane_reader *reader;
	struct el_slice slice;
	const struct el_metric *metric;
	/* Of a study: what follows the table in its file; borrowed. Else null. */
	const uint8_t *appendix;
	size_t appendix_size;
	/* the greatest ply at which the solver decided a position; 0: unknown */
	unsigned passes;
	bool rounded; /* some values are (el_value.rounded) */
	/* Bit p: some wins come too late for the rule, but the other plane determines all values of
	   plane p, which may be left out. Set by el_library_derive. */
	uint8_t told_late;
	struct el_courses *courses; /* those of both planes, and maybe others; owned; else null */
	struct el_plane plane[2];   /* the first slice.planes of them are used */
	uint64_t exchanged;         /* bytes that the ranks which solved it sent each other */
	/* by plane: how many indexes the solver found [0] won and [1] lost; zeros in planes that it did
	   not make in one solution, under the metric asked for and without regard to the clock */
	uint64_t decided[2][2];
	struct el_origin origin;
	/* How the values were found: by the game's stages, then by the passes; for a partial slice,
	   in both solutions together. Unnamed past the last, and in planes that were read rather
	   than solved. */
	struct el_stage stage[EL_STAGES_MAX];
};

static inline struct el_value el_plane_value(const struct el_plane *plane, uint64_t index)
{
	return plane->values[plane->symbols[index]];
}

/*
 * Where the solver gets the slices that conversions enter. `lend` provides their values under
 * el_metric_entered of the metric being solved; the planes stay valid until `give_back`.
 * EL_NEGATIVE if the slice is not there. In a partial solution, a missing slice is lent as planes
 * in which every symbol is 0 and stands for EL_UNKNOWN.
 */
struct el_lender {
	void *context;
	enum el_status (*lend)(void *context, const struct el_slice *, const struct el_metric *,
	                       const struct el_planes **, struct el_error *);
	void (*give_back)(void *context, const struct el_planes *);
	/* For planes lent without symbols and without a reader: symbols from index `first` on.
	   `count` is the same in every call and `first` a multiple of it; the last piece of a plane
	   may be shorter. Valid until they are let go. Null if they cannot be read; `check` then
	   gives the reason. Several threads may call this at once. All three are null in a lender
	   whose planes are in memory. */
	const uint16_t *(*look)(void *context, const struct el_planes *, unsigned plane,
	                        uint64_t first, size_t count);
	void (*let_go)(void *context, const struct el_planes *, unsigned plane, uint64_t first,
	               size_t count);
	enum el_status (*check)(void *context, struct el_error *);
};

/*
 * The side that bounds favour: an undecided successor counts as the best outcome for that side. The
 * two solutions, one in favour of each side, are the bounds of the slice.
 */
enum el_favour {
	EL_FAVOUR_NONE, /* no bounds are expected: any is EL_DAMAGED */
	EL_FAVOUR_WHITE,
	EL_FAVOUR_BLACK,
};

/* A slice to solve, and who observes its solution. */
struct el_problem {
	struct el_slice slice;
	const struct el_metric *metric;
	enum el_favour favour;
	const struct el_lender *lender;
	const struct el_observer *observer; /* may be null */
	const struct el_watch *watch;       /* may be null */
	const struct el_room *room;         /* null: everything is kept in memory, however large */
	/* That solve it together; null: this program alone. Only rank 0 gets planes. */
	struct ranks *ranks;
};

#endif
