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

/* ---- scores ---- */

enum { CURSED = 1 };

int32_t el_course_score(struct el_value v)
{
	switch (v.outcome) {
	case EL_WIN:
		return EL_SCORE_WON - v.plies;
	case EL_LOSS:
		return v.plies - EL_SCORE_WON;
	case EL_CURSED_WIN:
		return CURSED;
	case EL_BLESSED_LOSS:
		return -CURSED;
	default:
		return 0;
	}
}

struct el_value el_course_value(int32_t score)
{
	if (score > CURSED)
		return (struct el_value){.outcome = EL_WIN,
		                         .plies = (uint16_t)(EL_SCORE_WON - score)};
	if (score < -CURSED)
		return (struct el_value){.outcome = EL_LOSS,
		                         .plies = (uint16_t)(EL_SCORE_WON + score)};
	return (struct el_value){.outcome = score > 0   ? EL_CURSED_WIN
	                                    : score < 0 ? EL_BLESSED_LOSS
	                                                : EL_DRAW};
}

int32_t el_course_score_before(int32_t reached)
{
	const bool decided = reached > CURSED || reached < -CURSED;
	return -reached + (!decided ? 0 : reached > 0 ? 1 : -1);
}

void el_course_raise(struct el_course_scores *s, unsigned from, unsigned to, int32_t score)
{
	for (unsigned c = from; c < to; c++)
		s->at[c] = s->at[c] > score ? s->at[c] : score;
}

void el_course_raise_by(struct el_course_scores *s, struct el_course course, struct el_value fresh,
                        unsigned clocks)
{
	struct el_value v = fresh;
	unsigned from = 0;
	for (size_t i = 0; i < course.count && from < clocks; i++) {
		const unsigned end = course.step[i].until < clocks ? course.step[i].until : clocks;
		v.plies = course.step[i].plies;
		el_course_raise(s, from, end, el_course_score_before(el_course_score(v)));
		from = end > from ? end : from;
	}
	/* A checkmate stays one, and what the rule has made a draw stays that. */
	const bool late = course.count || fresh.outcome != EL_LOSS;
	v = late ? (struct el_value){.outcome = (uint8_t)el_outcome_too_late(fresh.outcome)}
	         : fresh;
	el_course_raise(s, from, clocks, el_course_score_before(el_course_score(v)));
}

size_t el_course_of_scores(const struct el_course_scores *s, unsigned clocks,
                           struct el_course_step steps[EL_COURSE_MAX])
{
	size_t count = 0;
	for (unsigned c = 0; c < clocks; c++) {
		const struct el_value v = el_course_value(s->at[c]);
		if ((v.outcome != EL_WIN && v.outcome != EL_LOSS) || !v.plies)
			break;
		count += !count || steps[count - 1].plies != v.plies;
		steps[count - 1] = (struct el_course_step){(uint16_t)c, v.plies};
	}
	return count;
}

/* ---- different ones ---- */

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
