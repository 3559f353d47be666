/* SPDX-License-Identifier: MIT */
/*
 * A study: everything that can follow from one position, solved frame by frame (core/games/frames.h),
 * whatever the number of pieces.
 *
 *     el_study_open                    a root, or a file that was written before
 *       el_study_next                  what could be followed next, and what that would take
 *       el_study_extend                follows it: bounds come closer
 *         el_study_value               of any position that the root can reach
 *       el_study_write                 a file, which is a source of values (source.c)
 *     el_study_close
 *
 * Frames are explored from the root downwards: in each, the positions that quiet moves reach from
 * those in which it is entered; only these are solved. Then they are solved upwards, each as a part of a slice
 * is (core/solve/fixpoint.h), with the positions that its exits enter as conversions. What is not
 * followed (a promotion to a certain kind, or into a frame where too many pieces move) may be worth
 * anything. As in a partial slice (core/solve/partial.c), each frame is solved twice, once in favour
 * of each side, and the two solutions are bounds. They never assume anything, so where they agree the
 * value is exact, and following more can only bring them closer.
 *
 * An extension follows promotions only from positions that matter: those reached from the root through
 * positions whose bounds differ.
 */
#ifndef CORE_STUDY_STUDY_H
#define CORE_STUDY_STUDY_H

#include "core/games/game.h"

struct el_study;

/* Bits of the kinds that a piece may promote to; 0: positions of this game cannot be solved by
   themselves. */
unsigned el_study_kinds(const struct el_game *);
/* May a legal position be a root? Not if it has castling rights, or too many pieces move. */
bool el_study_admits(const struct el_game *, const struct el_position *);

/* Can a study have the depths of a metric? Not those under a rule, with phases, or in stones. */
bool el_study_counts(const struct el_metric *);

/* How many pieces of a position move within its frame, besides those that each side always has (in chess
   the kings), and the most for a position that can be solved. The game must have frames. */
unsigned el_study_movers(const struct el_game *, const struct el_position *, unsigned *most);

/* Tables that promotions lead into are asked instead of followed. */
struct el_study_tables {
	void *context;
	/* Does some table tell the metric of the position, and of all others of its material? */
	bool (*covers)(void *context, const struct el_position *, const struct el_metric *);
	/* The value for the side to move; outcomes are cursed or blessed if the win may come too late under
	   the rule of 50 moves. Any number of threads. */
	enum el_status (*value)(void *context, const struct el_position *, const struct el_metric *,
	                        struct el_value *, struct el_error *);
};

struct el_study_size {
	size_t frames;      /* without choices */
	uint64_t positions; /* in them, with either side to move; in an estimate those expected */
	uint64_t exact;     /* of these, with bounds that agree; 0 in an estimate */
	uint64_t addresses; /* of their sets, with either side to move */
	bool is_cut;        /* there is no room for all frames: those left out are open */
};

struct el_study_room {
	/* Sets beyond so many bytes are kept in a scratch file in the folder. */
	uint64_t memory;
	const char *folder;
	const struct el_study_tables *tables; /* may be null */
	size_t frames;                        /* the most that are explored; 0: any number */
	/* Called when frames have been explored, with the size of those that are to be solved now. False
	   ends the work: EL_STOPPED. May be null. */
	bool (*explored)(void *context, const struct el_study_size *);
	void *context;
};

/* What an extension follows. */
struct el_study_reach {
	unsigned movers; /* the most pieces that move in a frame, besides kings */
	unsigned kinds;  /* bits of kinds to promote to */
};

/* Solves the frames that the root reaches without promotions. EL_NEGATIVE: the root is not legal, has
   castling rights, or too many pieces move; EL_MEMORY; EL_IO. EL_STOPPED: *out has what is solved so far. */
enum el_status el_study_open(const struct el_game *, const struct el_position *root,
                             const struct el_study_room *, const struct el_watch *,
                             struct el_study **, struct el_error *);
/* Takes up the study of a file. EL_NEGATIVE: it has another root; else errors of el_table_open. */
enum el_status el_study_resume(const char *path, const struct el_game *,
                               const struct el_position *root, const struct el_study_room *,
                               const struct el_watch *, struct el_study **, struct el_error *);
/* The size of a file's study, and the value of its root, without taking it up. Errors as above. */
enum el_status el_study_known(const char *path, const struct el_game *,
                              const struct el_position *root, struct el_study_size *,
                              struct el_value *, struct el_error *);
/* What el_study_extend should follow next: what was left when the study was stopped; then
   promotions to `kinds`, the fewest pieces first, and queens before the others. False: there is
   nothing more that could be followed. `size`: an estimate of what it adds. */
bool el_study_next(struct el_study *, unsigned kinds, struct el_study_reach *out,
                   struct el_study_size *size);
/* EL_MEMORY, EL_STOPPED: the study has the bounds it had, or closer ones. */
enum el_status el_study_extend(struct el_study *, const struct el_study_reach *,
                               const struct el_watch *, struct el_error *);
/* Writes the study as a table of outcomes and, where they are exact, of depths under a metric without a
   rule or phases; null: plies to the next zeroing move. EL_IO, EL_MEMORY, EL_STOPPED leave no file, or the
   old one. */
enum el_status el_study_write(struct el_study *, const struct el_metric *, const char *path,
                              const struct el_watch *, uint64_t *bytes, struct el_error *);
void el_study_close(struct el_study *); /* null is allowed */

/* The outcome within bounds, for the side to move. EL_NEGATIVE: the study does not reach it. */
enum el_status el_study_value(const struct el_study *, const struct el_position *,
                              struct el_value *out, struct el_error *);
/* Without memory it counts too few, and the study cannot be written any more. */
struct el_study_size el_study_size(const struct el_study *);
/* Calls `take` for each position of the study that is no choice. */
void el_study_each(const struct el_study *, void *context,
                   void (*take)(void *context, const struct el_position *, struct el_value));

#endif
