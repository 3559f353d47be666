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
