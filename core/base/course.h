/* SPDX-License-Identifier: MIT */
/*
 * How a depth changes with the clock, under a metric that asks for it (el_metric.by_clock).
 *
 * With more plies on the clock a mate takes as long or longer, and from some clock on the rule makes
 * the game a draw. So a course is a list of steps, and most positions have one or two: where the winner
 * mates in D plies without any need to zero the clock in between, the one step goes up to the clock
 * 2K - D. A position that is drawn at every clock has no course, and neither has a checkmate, which
 * stays one.
 */
#ifndef CORE_BASE_COURSE_H
#define CORE_BASE_COURSE_H

#include "metric.h"

#include <stddef.h>

/* With at most `until` plies on the clock, and more than the step before has, mate takes so many
   plies. Both members rise from step to step. */
struct el_course_step {
	uint16_t until, plies;
};

struct el_course {
	const struct el_course_step *step;
	size_t count;
};

enum { EL_COURSE_MAX = 2 * EL_RULE_MAX }; /* steps of a course */

/* The value with `clock` plies on the clock of a position that has this value at 0. Past the last step a
   win is cursed and a loss blessed; without any step it does not change. */
struct el_value el_course_at(struct el_course, struct el_value, unsigned clock);

/*
 * Values with every clock side by side, as scores: greater is better for the side to move. A win in n plies
 * is EL_SCORE_WON - n, a loss in n the negative of that; a cursed win 1, a blessed loss -1, a draw 0.
 */
enum { EL_SCORE_WON = 1 << 20, EL_SCORE_NONE = INT32_MIN /* of no value */ };

struct el_course_scores {
	int32_t at[EL_COURSE_MAX + 1]; /* by clock */
};

int32_t el_course_score(struct el_value);
struct el_value el_course_value(int32_t score);
/* What an opponent's score after a move is worth to the mover, whose move takes a ply. */
int32_t el_course_score_before(int32_t reached);
/* Raises the scores with the clocks from .. to-1 to this one at least. */
void el_course_raise(struct el_course_scores *, unsigned from, unsigned to, int32_t);
/* Raises the scores with the clocks 0 .. clocks-1 to what a quiet move to a position is worth, with which the clock
   goes on by one. `fresh`: its value with the clock at 0. */
void el_course_raise_by(struct el_course_scores *, struct el_course, struct el_value fresh,
                        unsigned clocks);
/* The steps of the course of a position that has these scores with the clocks 0 .. clocks-1. Returns how many. */
size_t el_course_of_scores(const struct el_course_scores *, unsigned clocks,
                           struct el_course_step[EL_COURSE_MAX]);

/*
 * Different courses, numbered from 1 in the order in which they came; 0 is the one without steps. While
 * one thread adds, no other may use them.
 */
struct el_courses;

struct el_courses *el_courses_new(void); /* null: no memory */
void el_courses_free(struct el_courses *);
/* The number of a course, whose steps are copied if it is new. 0: no memory. */
uint32_t el_courses_add(struct el_courses *, const struct el_course_step *, size_t count);
/* Valid until the next one is added. */
struct el_course el_courses_get(const struct el_courses *, uint32_t number);
uint32_t el_courses_count(const struct el_courses *); /* the highest number */

#endif
