/* SPDX-License-Identifier: MIT */
/*
 * From a position to a study of it (core/study) in a file, which then answers like any table.
 *
 *     el_solve_position -> report(PLANNED), report(SOLVED), report(NEXT), ... report(WRITTEN)
 *
 * First the frames that kings, pieces and pawns reach without promotions are solved, then promotions are
 * followed step by step (el_study_next) until the root's outcome is exact, nothing is left to be followed, or
 * the time would not suffice. Tables of the library are asked wherever a promotion leads into one.
 * Whatever is solved when the work stops is kept, and the next call goes on from the file.
 */
#ifndef CORE_BUILDER_POSITION_H
#define CORE_BUILDER_POSITION_H

#include "core/library/library.h"
#include "core/study/study.h"

enum el_solve_event {
	EL_SOLVE_RESUMED, /* a file of this root: `size` and `value` are its own */
	EL_SOLVE_PLANNED, /* frames have been explored; `size` of them will be solved now */
	EL_SOLVE_SOLVED,  /* they are: `size` and `value` of the whole study */
	EL_SOLVE_NEXT,    /* `reach` could be followed next, `size` is an estimate of it */
	EL_SOLVE_WRITING, /* the rest is one file */
};

struct el_solve_report {
	enum el_solve_event event;
	struct el_study_size size;
	struct el_study_reach reach; /* of the promotions followed; no kinds: none */
	struct el_value value;       /* of the root, within bounds */
	/* of EL_SOLVE_PLANNED and EL_SOLVE_NEXT: expected, for this step and for writing the file */
	double seconds;
	uint64_t memory, disk; /* bytes */
	bool is_last;          /* of EL_SOLVE_NEXT: the end; it is left to another call */
};

struct el_solve_wish {
	const struct el_game *game;
	const struct el_position *root;
	/* of the depths in the file; null: plies to the next zeroing move */
	const struct el_metric *metric;
	const char *path;    /* of the file; null: el_study_path in the library's own directory */
	const char *scratch; /* folder for what does not fit into memory; null: that of the file */
	uint64_t memory;     /* bytes; 0: half of what is free */
	double seconds;      /* that it may take; 0: any number */
	unsigned kinds;      /* bits of the kinds of promotions that may be followed */
	/* Nothing is solved or written: only EL_SOLVE_PLANNED, or of a file EL_SOLVE_RESUMED and _NEXT. */
	bool plans;
	void *context;
	void (*report)(void *context, const struct el_solve_report *);
};

struct el_solved {
	struct el_study_size size;
	struct el_value value; /* of the root; unknown if the wish only plans a new study */
	uint64_t bytes;        /* of the file; 0: nothing was written */
	bool stopped;          /* by the watch: if EL_OK, what was solved is kept */
};

enum { EL_STUDY_NAME_MAX = 64 };

/* The name of a position's study: "KPPvKP-1a2b3c4d.study", by pieces and position, with the metric before
   the end ("....dtm.study") unless that is null. */
void el_study_name(const struct el_game *, const struct el_position *, const struct el_metric *,
                   char out[EL_STUDY_NAME_MAX]);

/*
 * Solves a position, and makes or continues its study. EL_NEGATIVE: the game has no frames, or the position
 * none that can be solved; or another program is solving it; or the file holds another root; or the
 * memory cannot hold a frame. EL_STOPPED: by the watch or the time, before anything was solved. EL_DAMAGED:
 * the file in the way; EL_IO, EL_MEMORY.
 */
enum el_status el_solve_position(struct el_library *, const struct el_solve_wish *,
                                 const struct el_watch *, struct el_solved *out, struct el_error *);

#endif
