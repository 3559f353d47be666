/* SPDX-License-Identifier: MIT */
/* The inside of a study: its frames, and their sets. */
#ifndef CORE_STUDY_INSIDE_H
#define CORE_STUDY_INSIDE_H

#include "file.h"

#include "core/solve/fixpoint.h"

#include <pthread.h>
#include <stdatomic.h>

/* The sets of a frame, over all its units, by side to move: pages of one array. */
enum set {
	SET_REACHED,      /* from the root: entered, or by quiet moves from there */
	SET_ENTERED = 2,  /* in this extension, and not yet reached */
	SET_RELEVANT = 4, /* in this extension: see el_study_extend */
	SET_WON = 6,      /* + 2 * the side that what is open favours */
	SET_LOST = 10,
	SETS = 14,
};

struct frame {
	struct el_frame frame;
	struct frame *next; /* in the list of its order */
	uint8_t chooses;    /* as el_frames.chooses */
	bool is_explored;   /* its exits have been followed from all that it reaches */
	bool is_solved;
	bool is_fresh; /* has to be solved again: it is entered anew, or another kind is followed */
	bool has_changed; /* its values did, in the current extension */
	size_t words;     /* of a set */
	struct paged sets;
	struct paged
		plies; /* by favour and side to move, while a file is written: uint16_t by address */
};

enum { STUDY_TURNS = 64 };

struct el_study {
	const struct el_game *game;
	const struct el_frames *frames;
	struct el_position root;
	struct el_study_room room;
	struct frame **slot; /* by hash; null: free. Owned */
	size_t slots;
	atomic_size_t count; /* of frames, choices included */
	atomic_bool is_cut;  /* there was no room for a frame */
	struct frame *list[EL_FRAME_ORDERS];
	struct scratch *scratch;     /* of the frames' sets */
	struct scratch *working;     /* of frames that are being solved: without a limit */
	struct el_study_reach reach; /* of the current extension */
	unsigned followed[EL_FRAME_MOVERS + 1]; /* by movers: kinds of promotions */
	atomic_bool late;        /* a win that tables tell may be, under the rule of 50 moves */
	_Atomic unsigned passes; /* the most that a frame took */
	const struct el_watch *watch;
	/* Frames of one order are worked on by several threads: `lock` is over the table of frames,
	   `turn` over the sets that several of them may enter. */
	pthread_mutex_t lock, turn[STUDY_TURNS];
};

static inline enum el_status no_memory(struct el_error *error)
{
	return el_fail(error, EL_MEMORY, "out of memory");
}

/* The exits of both sides. */
static inline size_t exits_all(const struct el_frames *frames, const struct el_sets *sets,
                               struct el_exit out[2 * EL_EXITS_MAX])
{
	const size_t count = frames->exits(sets, EL_WHITE, out);
	return count + frames->exits(sets, EL_BLACK, out + count);
}

/* ---- study.c ---- */

/* A study without frames. Errors as el_study_open. */
enum el_status study_new(const struct el_game *, const struct el_position *root,
                         const struct el_study_room *, struct el_study **, struct el_error *);

/* Null: there is none. */
struct frame *frame_find(const struct el_study *, const struct el_frame *);
/* Null: out of memory, or out of room: `is_cut`. Any number of threads. */
struct frame *frame_find_or_add(struct el_study *, const struct el_frame *);

/* Calls `work` for the frames of an order, several at a time, until one fails or the watch stops.
   `done` counts them. */
enum el_status frames_each(struct el_study *, size_t order, const char *stage, size_t *done,
                           enum el_status (*work)(struct el_study *, struct frame *,
                                                  struct el_error *),
                           struct el_error *);

/* To be released, if it is not null: an empty set. */
static inline const uint64_t *set_read(struct frame *f, unsigned set)
{
	return page_read(&f->sets, set);
}

static inline void set_release(struct frame *f, unsigned set, const uint64_t *words)
{
	if (words)
		page_release(&f->sets, set);
}

static inline bool set_filled(const struct frame *f, unsigned set)
{
	return page_filled(&f->sets, set);
}

/* Zeros, aligned as bitmaps are. */
uint64_t *words_new(size_t words);
/* Adds words to a set. False: out of memory. */
bool set_add(struct frame *f, unsigned set, const uint64_t *words);
/* A copy of a set. Null: out of memory. */
uint64_t *set_copy(struct frame *f, unsigned set);
/* Takes out of the positions of a side those whose bounds agree. False: out of memory. */
bool keep_open(struct frame *f, unsigned side, uint64_t *words);

/* The outcome, within bounds, at an address that is reached. */
struct el_value study_value_at(struct frame *, unsigned side, uint64_t at);

/* ---- explore.c ---- */

/* Follows what the root reaches, from the frames with positions entered or relevant. */
enum el_status study_explore(struct el_study *, struct el_error *);
/* Do tables know what a choice is worth, if it falls on the kind of this exit? */
bool choice_is_covered(const struct el_study *, struct frame *, const struct el_sets *,
                       const struct el_exit *, const struct el_metric *);

/* ---- solve.c ---- */

enum {
	NO_MOVE = UINT16_MAX
}; /* in the place of plies: neither side has lost, and there is no move */

/* A solution of a frame in favour of one side; sets are by side to move. */
struct solution {
	uint64_t *sets; /* all bitmaps; owned */
	uint64_t *reached[2];
	/* before the first pass: some exit; an exit wins; an exit does not lose */
	uint64_t *any[2], *wins[2], *holds[2];
	uint64_t *won[2], *lost[2];
	/* By side to move and address; owned. Null: not wanted. The last two only if the metric's count goes
	   on after some exits: the plies at which exits win, and at which all of them lose. */
	const struct el_metric *metric;
	uint16_t *plies[2], *wins_at[2], *frees_at[2];
	size_t unit_words;
	const struct fixpoint *fixpoint;
};

/* Does the count of a metric go on after some moves that leave a frame? */
static inline bool metric_goes_on(const struct el_metric *metric)
{
	return metric->end != EL_END_ZEROING;
}

/* What tables are asked behind promotions: depths only if they add up. */
static inline const struct el_metric *metric_asked(const struct el_metric *metric)
{
	return metric && metric->join == EL_JOIN_SUM ? metric : &el_wdl;
}

/* `metric`: null, if depths are not wanted. False: out of memory; solution_close in any case. */
bool solution_open(struct solution *, struct frame *, const struct el_metric *metric);
void solution_close(struct solution *);
/* Solves a frame in favour of a side, whatever has been found of it before. */
enum el_status solution_find(struct el_study *, struct frame *, struct el_sets *, unsigned favour,
                             struct solution *, struct el_error *);

/* Solves the frames that are entered anew, or enter one whose values have changed. */
enum el_status study_solve(struct el_study *, struct el_error *);

/* ---- values.c ---- */

enum { STUDY_PLIES_MAX = 4000 }; /* of a study whose depths were not known before it was written */

/*
 * The values of a frame for files, as symbols by side to move and address. Several threads may work on
 * different frames, which do not enter each other. If the metric's count goes on from frame to frame, those
 * that are entered must come first. EL_MEMORY; EL_NEGATIVE if it is deeper than files have room for.
 */
enum el_status study_values(struct el_study *, struct frame *, const struct el_metric *,
                            uint16_t *const out[2], struct el_error *);

struct study_passes;
/* Solves a frame in favour of a side, and notes the passes. EL_MEMORY. */
enum el_status study_note_passes(struct el_study *, struct frame *, unsigned favour,
                                 struct study_passes *out, struct el_error *);

/* ---- write.c ---- */

/* Takes up a frame of a file. EL_DAMAGED, EL_IO, EL_MEMORY. */
enum el_status study_take_frame(struct el_study *, const struct study_file *, const struct filed *,
                                struct el_error *);

/*
 * Symbols of values: 0 is no position, 1 not reached, and then bounds and draws. Wins and losses
 * follow by plies: in so many, or at most so many if what is open might make them fewer.
 */
enum {
	SYMBOL_UNREACHED = 1,
	SYMBOL_DEEP = 6, /* + 4 * plies + 2 if rough + 1 if won */
};

#endif
