/* SPDX-License-Identifier: MIT */
/*
 * The proof of a table that has values for every clock (dtmK). With every clock the value must be that
 * of the best move: a quiet one leads to the next clock, where the successor's course tells its value;
 * any other to clock 0. A quiet move raises the clock, and the others cannot be taken back, so by
 * induction over both all values are right that are won or lost in time. Those that are not are outcomes
 * alone, and proved as such (verify_outcomes.c).
 */
#include "core/base/course.h"
#include "proof.h"

#include <stdlib.h>
#include <string.h>

/* Values with each clock, 0 .. limit, as scores: better is greater. */
struct scores {
	int32_t at[EL_COURSE_MAX + 1];
};

enum { WON = 1 << 20, CURSED = 1, WORST = INT32_MIN };

static int32_t score_of(struct el_value v)
{
	switch (v.outcome) {
	case EL_WIN:
		return WON - v.plies;
	case EL_LOSS:
		return v.plies - WON;
	case EL_CURSED_WIN:
		return CURSED;
	case EL_BLESSED_LOSS:
		return -CURSED;
	default:
		return 0;
	}
}

/* What its opponent's score after a move is worth to the mover. */
static int32_t before_move(int32_t reached)
{
	const bool decided = reached > CURSED || reached < -CURSED;
	return -reached + (!decided ? 0 : reached > 0 ? 1 : -1);
}

static void raise(struct scores *s, unsigned from, unsigned to, int32_t score)
{
	for (unsigned c = from; c < to; c++)
		s->at[c] = s->at[c] > score ? s->at[c] : score;
}

/* The value of a stored position past clock `from`, moved back by as many: from clock 0 up to `to`. */
static void raise_by_course(struct scores *s, const struct el_planes *planes, unsigned plane,
                            uint64_t index, unsigned to)
{
	const struct el_plane *p = &planes->plane[plane];
	const struct el_value fresh = el_plane_value(p, index);
	const struct el_course course = el_courses_get(planes->courses, p->course[index]);
	struct el_value v = fresh;
	unsigned from = 0;
	for (size_t i = 0; i < course.count && from < to; i++) {
		const unsigned end = course.step[i].until < to ? course.step[i].until : to;
		v.plies = course.step[i].plies;
		raise(s, from, end, before_move(score_of(v)));
		from = end > from ? end : from;
	}
	/* A checkmate stays one, and what the rule has made a draw stays that. */
	const bool late = course.count || fresh.outcome != EL_LOSS;
	v = late ? (struct el_value){.outcome = (uint8_t)el_outcome_too_late(fresh.outcome)}
	         : fresh;
	raise(s, from, to, before_move(score_of(v)));
}

/* The scores of a position by its moves, with the clocks 0 .. clocks-1. */
static void derive(const struct reach *r, const struct el_position *position, unsigned clocks,
                   struct scores *out)
{
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = r->game->moves(position, moves);
	for (unsigned c = 0; c < clocks; c++)
		out->at[c] = count ? WORST : score_of(r->game->stuck(position));
	for (size_t i = 0; i < count; i++) {
		struct el_position after;
		struct reached to;
		r->game->play(position, &moves[i], &after);
		if (after.en_passant != EL_NO_SQUARE) {
			/* No table stores it, so it is played on. The clock is at 0. */
			struct scores fresh;
			derive(r, &after, 1, &fresh);
			raise(out, 0, clocks, before_move(fresh.at[0]));
			continue;
		}
		reach_by_move(r, position, &moves[i], &to);
		if (to.ends)
			raise(out, 0, clocks, before_move(score_of(to.value)));
		else
			raise_by_course(out, r->planes, to.place.plane, to.place.index, clocks);
	}
}

static enum el_status check_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                  struct el_error *error)
{
	const struct proof *p = context;
	const struct el_planes *planes = p->planes;
	const struct el_plane *plane = &planes->plane[p->plane];
	const unsigned limit = planes->metric->limit;
	struct finding *f = &p->findings[thread];
	for (uint64_t i = first; i < end; i++) {
		struct el_position position;
		if (!p->reach.game->unplace(&planes->slice, p->plane, i, &position))
			continue;
		const struct el_value stored = el_plane_value(plane, i);
		const struct el_course course = el_courses_get(planes->courses, plane->course[i]);
		struct scores derived;
		derive(&p->reach, &position, limit, &derived);
		unsigned clock = 0;
		while (clock < limit &&
		       derived.at[clock] == score_of(el_course_at(course, stored, clock)))
			clock++;
		f->checked++;
		if (clock == limit)
			continue;
		const int32_t score = derived.at[clock];
		const unsigned plies = (unsigned)(WON - abs(score));
		const bool decided = abs(score) > CURSED;
		proof_wrong(f, i, el_course_at(course, stored, clock),
		            (struct el_value){
				    .outcome = decided ? score > 0 ? EL_WIN : EL_LOSS
		                               : score ? score > 0 ? EL_CURSED_WIN : EL_BLESSED_LOSS
		                                       : EL_DRAW,
				    .plies = decided ? (uint16_t)plies : 0,
			    });
	}
	(void)error;
	return EL_OK;
}

enum el_status proof_of_courses(struct proof *p, struct el_library *library, struct reads *reads,
                                struct el_error *error)
{
	const struct el_planes *planes = p->planes;
	const struct el_metric *outcome = el_metric_outcome(planes->metric);
	struct el_planes told;
	struct el_verdict verdict;
	enum el_status status =
		proof_pass(p, "verifying", planes->slice.positions, check_chunk, p, error);
	if (status || p->out->wrong || !el_planes_late(planes))
		return status;
	status = el_planes_read(planes, outcome, &told, error);
	if (status)
		return status;
	status = proof_of_outcomes(library, &told, false, p->watch, &verdict, reads, error);
	if (!status && verdict.wrong)
		*p->out = verdict;
	el_planes_free(&told);
	return status;
}
