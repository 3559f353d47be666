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

/* The scores of a position by its moves, with the clocks 0 .. clocks-1. */
static void derive(const struct reach *r, const struct el_position *position, unsigned clocks,
                   struct el_course_scores *out)
{
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = r->game->moves(position, moves);
	for (unsigned c = 0; c < clocks; c++)
		out->at[c] = count ? EL_SCORE_NONE : el_course_score(r->game->stuck(position));
	for (size_t i = 0; i < count; i++) {
		struct el_position after;
		struct reached to;
		r->game->play(position, &moves[i], &after);
		if (after.en_passant != EL_NO_SQUARE) {
			/* No table stores it, so it is played on. The clock is at 0. */
			struct el_course_scores fresh;
			derive(r, &after, 1, &fresh);
			el_course_raise(out, 0, clocks, el_course_score_before(fresh.at[0]));
			continue;
		}
		reach_by_move(r, position, &moves[i], &to);
		const struct el_plane *p = to.ends ? NULL : &r->planes->plane[to.place.plane];
		if (p)
			el_course_raise_by(
				out, el_courses_get(r->planes->courses, p->course[to.place.index]),
				el_plane_value(p, to.place.index), clocks);
		else
			el_course_raise(out, 0, clocks,
			                el_course_score_before(el_course_score(to.value)));
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
		struct el_course_scores derived;
		derive(&p->reach, &position, limit, &derived);
		unsigned clock = 0;
		while (clock < limit &&
		       derived.at[clock] == el_course_score(el_course_at(course, stored, clock)))
			clock++;
		f->checked++;
		if (clock < limit)
			proof_wrong(f, i, el_course_at(course, stored, clock),
			            el_course_value(derived.at[clock]));
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
		proof_pass(p, "verifying", planes->slice.positions, 0, check_chunk, p, error);
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
