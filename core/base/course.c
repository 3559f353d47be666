/* SPDX-License-Identifier: MIT */
#include "course.h"

#include "array.h"
#include "hash.h"

#include <stdlib.h>
#include <string.h>

struct el_courses {
	struct el_course_step
		*step;   /* of all courses, one after the other; owned, as is all here */
	size_t *start;   /* by number: its first step; at `count`: the end */
	uint32_t count;  /* with number 0 */
	uint32_t *place; /* a hash table of numbers, at most half full; 0: free */
	size_t places;   /* a power of two */
};

struct el_value el_course_at(struct el_course course, struct el_value v, unsigned clock)
{
	if (!course.count)
		return v;
	for (size_t i = 0; i < course.count; i++)
		if (clock <= course.step[i].until) {
			v.plies = course.step[i].plies;
			return v;
		}
	return (struct el_value){.outcome = (uint8_t)el_outcome_too_late(v.outcome)};
}

struct el_courses *el_courses_new(void)
{
	struct el_courses *all = calloc(1, sizeof *all);
	if (!all)
		return NULL;
	all->places = 1024;
	all->count = 1;
	all->place = calloc(all->places, sizeof *all->place);
	if (!all->place || !array_grow(&all->start, 0, 2, sizeof *all->start)) {
		el_courses_free(all);
		return NULL;
	}
	all->start[0] = all->start[1] = 0;
	return all;
}

void el_courses_free(struct el_courses *all)
{
	if (!all)
		return;
	free(all->step);
	free(all->start);
	free(all->place);
	free(all);
}

struct el_course el_courses_get(const struct el_courses *all, uint32_t number)
{
	const size_t start = all->start[number];
	return (struct el_course){all->step + start, all->start[number + 1] - start};
}

uint32_t el_courses_count(const struct el_courses *all)
{
	return all->count - 1;
}

/* Where a course is in the hash table, or would be. */
static size_t place_of(const struct el_courses *all, const struct el_course_step *steps,
                       size_t count)
{
	uint64_t hash = count;
	for (size_t i = 0; i < count; i++)
		hash = (hash ^ (steps[i].until | (uint64_t)steps[i].plies << 16)) * HASH_FACTOR;
	size_t at = (size_t)(hash >> 32) & (all->places - 1);
	for (; all->place[at]; at = (at + 1) & (all->places - 1)) {
		const struct el_course c = el_courses_get(all, all->place[at]);
		if (c.count == count && !memcmp(c.step, steps, count * sizeof *steps))
			break;
	}
	return at;
}

static bool widen(struct el_courses *all)
{
	uint32_t *wider = calloc(2 * all->places, sizeof *wider);
	if (!wider)
		return false;
	free(all->place);
	all->place = wider;
	all->places *= 2;
	for (uint32_t number = 1; number < all->count; number++) {
		const struct el_course c = el_courses_get(all, number);
		all->place[place_of(all, c.step, c.count)] = number;
	}
	return true;
}

uint32_t el_courses_add(struct el_courses *all, const struct el_course_step *steps, size_t count)
{
	if (!count || (2 * (size_t)all->count >= all->places && !widen(all)))
		return 0;
	const size_t at = place_of(all, steps, count), end = all->start[all->count];
	if (all->place[at])
		return all->place[at];
	if (!array_grow(&all->step, end, count, sizeof *all->step) ||
	    !array_grow(&all->start, all->count + 1, 1, sizeof *all->start))
		return 0;
	memcpy(all->step + end, steps, count * sizeof *steps);
	all->start[all->count + 1] = end + count;
	return all->place[at] = all->count++;
}
