/* SPDX-License-Identifier: MIT */
/*
 * A study: everything that can follow from one position, solved frame by frame (core/games/frames.h),
 * whatever the number of pieces.
 *
 *     el_study_open                    a root
 *       el_study_extend, again         follows more promotions: bounds come closer
 *         el_study_value               of any position that the root can reach
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

/* What an extension follows. */
struct el_study_reach {
	unsigned movers; /* the most pieces that move in a frame, besides kings */
	unsigned kinds;  /* bits of kinds to promote to */
};

struct el_study_size {
	size_t frames;      /* without choices */
	uint64_t positions; /* in them, with either side to move */
};

/* Where the sets of a study are kept: pages beyond `memory` bytes in a scratch file in the folder. */
struct el_study_room {
	uint64_t memory;
	const char *folder;
};

/* Solves the frames that the root reaches without promotions. EL_NEGATIVE: the root is not legal, has
   castling rights, or too many pieces move; EL_MEMORY; EL_IO; EL_STOPPED when the watch says so. */
enum el_status el_study_open(const struct el_game *, const struct el_position *root,
                             const struct el_study_room *, const struct el_watch *,
                             struct el_study **, struct el_error *);
/* EL_MEMORY, EL_STOPPED: the study is as before, but for what has been explored. */
enum el_status el_study_extend(struct el_study *, const struct el_study_reach *,
                               const struct el_watch *, struct el_error *);
void el_study_close(struct el_study *); /* null is allowed */

/* The outcome within bounds, for the side to move. EL_NEGATIVE: the study does not reach it. */
enum el_status el_study_value(const struct el_study *, const struct el_position *,
                              struct el_value *out, struct el_error *);
struct el_study_size el_study_size(const struct el_study *);
/* Calls `take` for each position of the study that is no choice. */
void el_study_each(const struct el_study *, void *context,
                   void (*take)(void *context, const struct el_position *, struct el_value));

#endif
