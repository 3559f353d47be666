/* SPDX-License-Identifier: MIT */
#include "castling.h"

#include "core/base/array.h"
#include "core/base/course.h"
#include "core/probe/inside.h"
#include "core/solve/solve.h"
#include "gather.h"
#include "lender.h"
#include "sweep.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_tables(const struct el_metric *metric)
{
	return !metric->has_phase && !el_metric_entered(metric)->has_phase;
}

/* The metric to solve for. */
static const struct el_metric *solved_as(const struct el_slice *slice,
                                         const struct el_metric *metric)
{
	if (metric->wins_only)
		return el_metric_entered(metric);
	return metric->limit && !metric->has_depth ? el_game_depths(slice->game, metric) : metric;
}

enum el_status castling_check(const struct el_slice *slice, const struct el_metric *metric,
                              struct el_error *error)
{
	return has_tables(metric)
	               ? EL_OK
	               : el_fail(error, EL_USAGE,
	                         "%s: positions with castling rights have no tables under %s",
	                         slice->name, metric->name);
}

bool castling_of(const struct el_slice *slice, const struct el_metric *metric, struct el_slice *out)
{
	const struct el_game *game = slice->game;
	return game->with_rights && has_tables(metric) && !el_slice_has_rights(slice) &&
	       game->with_rights(slice, out);
}

/* ---- the graph ---- */

/* A position with the right to capture en passant, which has no index: that without the right, or the
   best of its captures, if that is better or nothing else is legal. */
struct passed {
	uint32_t to;
	bool ends, only;
	struct el_value capture;
};

/* A move within the slice, as a number: where it leads, and what it is. */
enum { QUIET, ENDS, PASSES /* the number of a struct passed, instead */, KINDS_BITS = 2 };

/* The moves of SWEEP_CHUNK positions. */
struct chunk {
	uint32_t *moves;
	struct passed *passed;
	size_t move_count, passed_count;
};

/* Values by position; and if the metric asks for the clock, the numbers of their courses (else null), so that
   the values are those with the clock at 0. */
struct layer {
	struct el_value *value;
	uint32_t *course;
};

/* Positions are numbered plane by plane. All arrays are owned. */
struct graph {
	struct el_library *library;
	const struct el_slice *slice;
	const struct el_metric *metric;
	const struct el_watch *watch;
	/* The library need not know the slice without rights under this metric: then solves it. */
	bool needs_without;
	const struct el_planes *without; /* that slice; null: it is read from its table */
	struct el_planes own;            /* where it is, if this graph has solved or read it */
	struct gathered gathered;        /* its values, but for those that depend on the clock */
	unsigned plane;
	struct chunk *chunks; /* of both planes */
	uint32_t *first;      /* by position: its first move in its chunk */
	uint8_t *count;       /* and how many */
	/* The best of the moves that leave the slice, or the end of the game; EL_BROKEN: there are none. */
	struct layer exit;
	/* EL_BROKEN: no position. */
	struct layer now, next;
	bool *has_changed, *will_have; /* in the last round, in this one */
	struct el_courses *courses;    /* if the metric asks for the clock; else null */
	pthread_rwlock_t *lock;        /* on these */
};

static size_t chunks_in_plane(const struct graph *g)
{
	return (size_t)((g->slice->positions + SWEEP_CHUNK - 1) / SWEEP_CHUNK);
}

/* The value of a move that leaves the slice. */
static enum el_status value_of(const struct graph *g, const struct step *step,
                               const struct probe *probe, struct el_value *out,
                               struct el_error *error)
{
	struct el_value reached;
	if (step->to.placed && !step_ends(step, g->metric) &&
	    gathered_value(&g->gathered, &step->to.place, &reached)) {
		*out = step_value(step, g->metric, reached);
		return EL_OK;
	}
	const enum el_status status = step_probe(step, probe, out, error);
	return !status && !el_outcome_exact(out->outcome)
	               ? el_fail(error, EL_NEGATIVE,
	                         "moves lead to tables that know outcomes within bounds alone")
	               : status;
}

/* ---- values with every clock ---- */

/* A quiet move that leaves the slice, with a clock before it. */
static enum el_status score_of(const struct graph *g, struct step *step, const struct probe *probe,
                               unsigned clock, int32_t *out, struct el_error *error)
{
	struct el_value value = {.outcome = EL_DRAW};
	step->after.halfmove = (uint16_t)(clock + 1);
	const enum el_status status = value_of(g, step, probe, &value, error);
	*out = el_course_score(value);
	return status;
}

/* Its scores with the clocks from .. to-1, where `first` and `last` are those at the ends: they only fall or
   only rise, so between two alike all are. */
static enum el_status fill_scores(const struct graph *g, struct step *step,
                                  const struct probe *probe, unsigned from, unsigned to,
                                  int32_t first, int32_t last, struct el_course_scores *out,
                                  struct el_error *error)
{
	const unsigned half = (from + to) / 2;
	int32_t before = first, after = last;
	if (first == last || to - from <= 2) {
		el_course_raise(out, from, to - 1, first);
		el_course_raise(out, to - 1, to, last);
		return EL_OK;
	}
	enum el_status status = score_of(g, step, probe, half - 1, &before, error);
	if (!status)
		status = score_of(g, step, probe, half, &after, error);
	if (!status)
		status = fill_scores(g, step, probe, from, half, first, before, out, error);
	return status ? status : fill_scores(g, step, probe, half, to, after, last, out, error);
}

static enum el_status look_at_scores(const struct graph *g, struct step *step,
                                     const struct probe *probe, struct el_course_scores *out,
                                     struct el_error *error)
{
	const unsigned limit = g->metric->limit;
	int32_t first, last;
	enum el_status status = score_of(g, step, probe, 0, &first, error);
	if (!status)
		status = score_of(g, step, probe, limit - 1, &last, error);
	return status ? status : fill_scores(g, step, probe, 0, limit, first, last, out, error);
}

/* Gives a position the value and the course that these scores mean. */
static enum el_status take_scores(const struct graph *g, const struct el_course_scores *scores,
                                  struct el_value *value, uint32_t *course, struct el_error *error)
{
	struct el_course_step steps[EL_COURSE_MAX];
	const size_t count = el_course_of_scores(scores, g->metric->limit, steps);
	*value = el_course_value(scores->at[0]);
	*course = 0;
	if (count) {
		pthread_rwlock_wrlock(g->lock);
		*course = el_courses_add(g->courses, steps, count);
		pthread_rwlock_unlock(g->lock);
	}
	return !count || *course ? EL_OK
	                         : el_fail(error, EL_MEMORY, "%s: out of memory", g->slice->name);
}

/* ---- moves ---- */

static enum el_status look_at_passed(const struct graph *g, const struct step *step,
                                     const struct probe *probe, struct passed *out,
                                     struct el_error *error)
{
	struct el_move moves[EL_MOVES_MAX];
	struct el_position without = step->after;
	enum el_status status = EL_OK;
	without.en_passant = EL_NO_SQUARE;
	out->only = !step->game->moves(&without, moves);
	out->capture = (struct el_value){.outcome = EL_BROKEN};
	const size_t count = step->game->captures(&step->after, moves);
	for (size_t i = 0; i < count && !status; i++) {
		struct step capture;
		struct el_value value;
		step_take(step->game, &step->to, &moves[i], &capture);
		status = value_of(g, &capture, probe, &value, error);
		if (!status)
			value_raise(g->metric, &out->capture, value);
	}
	return status;
}

/* Adds the moves of a position to its chunk. */
static enum el_status look_at(const struct graph *g, const struct spot *spot, uint64_t number,
                              struct chunk *c, const struct probe *probe, struct el_error *error)
{
	const struct el_game *game = g->slice->game;
	const unsigned clocks = g->courses ? g->metric->limit : 0;
	struct el_move moves[EL_MOVES_MAX];
	struct el_course_scores scores;
	const size_t count = game->moves(spot->position, moves);
	enum el_status status = EL_OK;
	for (unsigned clock = 0; clock < clocks; clock++)
		scores.at[clock] = EL_SCORE_NONE;
	if (!array_grow(&c->moves, c->move_count, count, sizeof *c->moves))
		return el_fail(error, EL_MEMORY, "%s: out of memory", g->slice->name);
	g->first[number] = (uint32_t)c->move_count;
	if (!count)
		g->exit.value[number] = el_metric_read(el_game_metric(game), g->metric,
		                                       game->stuck(spot->position));
	for (size_t i = 0; i < count && !status; i++) {
		struct step step;
		step_take(game, spot, &moves[i], &step);
		const struct el_place *to = &step.to.place;
		const bool ends = step_ends(&step, g->metric);
		struct passed passed = {.ends = ends};
		struct el_value value;
		if (!step.to.placed || to->key != g->slice->key) {
			if (clocks && !ends) {
				status = look_at_scores(g, &step, probe, &scores, error);
				continue;
			}
			status = value_of(g, &step, probe, &value, error);
			if (!status)
				value_raise(g->metric, &g->exit.value[number], value);
			if (!status && clocks)
				el_course_raise(&scores, 0, clocks, el_course_score(value));
			continue;
		}
		const uint32_t at = (uint32_t)(to->plane * g->slice->positions + to->index);
		uint32_t *move = &c->moves[c->move_count++];
		*move = at << KINDS_BITS | (ends ? ENDS : QUIET);
		if (step.after.en_passant == EL_NO_SQUARE)
			continue;
		passed.to = at;
		status = look_at_passed(g, &step, probe, &passed, error);
		if (!status && !array_grow(&c->passed, c->passed_count, 1, sizeof *c->passed))
			status = el_fail(error, EL_MEMORY, "%s: out of memory", g->slice->name);
		if (status)
			continue;
		*move = (uint32_t)c->passed_count << KINDS_BITS | PASSES;
		c->passed[c->passed_count++] = passed;
	}
	g->count[number] = (uint8_t)(c->move_count - g->first[number]);
	if (!status && clocks && scores.at[0] != EL_SCORE_NONE)
		status = take_scores(g, &scores, &g->exit.value[number], &g->exit.course[number],
		                     error);
	return status;
}

static enum el_status look_at_chunk(void *context, unsigned thread, uint64_t first, uint64_t end,
                                    struct el_error *error)
{
	const struct graph *g = context;
	const struct el_game *game = g->slice->game;
	const struct visit visit = library_enter(g->library);
	const struct probe probe = {
		.catalogue = visit.catalogue, .game = game, .metric = g->metric};
	struct chunk *c = &g->chunks[g->plane * chunks_in_plane(g) + first / SWEEP_CHUNK];
	enum el_status status = EL_OK;
	for (uint64_t i = first; i < end && !status; i++) {
		const uint64_t number = g->plane * g->slice->positions + i;
		struct el_position position;
		struct spot spot;
		g->exit.value[number] = g->now.value[number] =
			(struct el_value){.outcome = EL_BROKEN};
		g->count[number] = 0;
		g->has_changed[number] = false;
		if (g->courses)
			g->exit.course[number] = g->now.course[number] = 0;
		if (!game->unplace(g->slice, g->plane, i, &position))
			continue;
		g->now.value[number] = (struct el_value){.outcome = EL_DRAW};
		g->has_changed[number] = true;
		spot_at(game, &position, &spot);
		status = look_at(g, &spot, number, c, &probe, error);
	}
	library_leave(visit);
	(void)thread;
	return status;
}

/* ---- values ---- */

/* Where a move within the slice leads, and the value there with the clock at 0. */
static uint32_t reach(const struct graph *g, uint32_t move, const struct chunk *c,
                      struct el_value *value, bool *ends)
{
	const uint32_t what = move & ((1 << KINDS_BITS) - 1);
	const struct passed *passed = what == PASSES ? &c->passed[move >> KINDS_BITS] : NULL;
	const uint32_t to = passed ? passed->to : move >> KINDS_BITS;
	*ends = passed ? passed->ends : what == ENDS;
	*value = g->now.value[to];
	if (passed && passed->only)
		*value = passed->capture;
	else if (passed && passed->capture.outcome != EL_BROKEN)
		*value = el_value_max(g->metric, *value, passed->capture);
	return to;
}

/* Finds the value of a position's best move. */
static void derive(const struct graph *g, uint64_t number, const struct chunk *c)
{
	const uint32_t *moves = c->moves + g->first[number];
	struct el_value best = g->exit.value[number];
	for (unsigned i = 0; i < g->count[number]; i++) {
		struct el_value reached;
		bool ends;
		reach(g, moves[i], c, &reached, &ends);
		if (ends)
			reached = el_metric_read(g->metric, el_metric_entered(g->metric), reached);
		value_raise(g->metric, &best, el_value_of_move(g->metric, reached, ends, 0));
	}
	g->next.value[number] = best;
}

/* The same with every clock. */
static enum el_status derive_course(const struct graph *g, uint64_t number, const struct chunk *c,
                                    struct el_error *error)
{
	const uint32_t *moves = c->moves + g->first[number];
	const unsigned clocks = g->metric->limit;
	struct el_course_scores scores;
	pthread_rwlock_rdlock(g->lock);
	const struct el_value exit = g->exit.value[number];
	const struct el_course course = el_courses_get(g->courses, g->exit.course[number]);
	for (unsigned clock = 0; clock < clocks; clock++)
		scores.at[clock] = exit.outcome == EL_BROKEN
		                           ? EL_SCORE_NONE
		                           : el_course_score(el_course_at(course, exit, clock));
	for (unsigned i = 0; i < g->count[number]; i++) {
		struct el_value reached;
		bool ends;
		const uint32_t to = reach(g, moves[i], c, &reached, &ends);
		if (ends)
			el_course_raise(&scores, 0, clocks,
			                el_course_score_before(el_course_score(reached)));
		else
			el_course_raise_by(&scores, el_courses_get(g->courses, g->now.course[to]),
			                   reached, clocks);
	}
	pthread_rwlock_unlock(g->lock);
	return take_scores(g, &scores, &g->next.value[number], &g->next.course[number], error);
}

/* Can its value be another than in the last round? */
static bool is_due(const struct graph *g, uint64_t number, const struct chunk *c)
{
	const uint32_t *moves = c->moves + g->first[number];
	bool due = false;
	for (unsigned i = 0; i < g->count[number] && !due; i++)
		due = g->has_changed[(moves[i] & ((1 << KINDS_BITS) - 1)) == PASSES
		                             ? c->passed[moves[i] >> KINDS_BITS].to
		                             : moves[i] >> KINDS_BITS];
	return due;
}

static enum el_status find_values(struct graph *g, struct el_error *error)
{
	const uint64_t positions = g->slice->positions;
	const size_t chunks = chunks_in_plane(g);
	char what[EL_SLICE_MAX + 16];
	snprintf(what, sizeof what, "%s %s", g->slice->name, g->metric->name);
	bool is_over = false;
	for (unsigned round = 1; !is_over; round++) {
		const struct el_progress progress = {
			.stage = "solving", .what = what, .pass = round};
		uint64_t changes = 0;
		enum el_status status = EL_OK;
		if (!el_watch_tick(g->watch, &progress))
			return el_fail(error, EL_STOPPED, "%s: stopped", what);
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : changes)
		for (size_t at = 0; at < g->slice->planes * chunks; at++) {
			const uint64_t plane = at / chunks, first = at % chunks * SWEEP_CHUNK;
			const uint64_t end =
				first + SWEEP_CHUNK < positions ? first + SWEEP_CHUNK : positions;
			struct el_error why;
			for (uint64_t n = plane * positions + first; n < plane * positions + end;
			     n++) {
				const bool due = g->now.value[n].outcome != EL_BROKEN &&
				                 (round == 1 || is_due(g, n, &g->chunks[at]));
				g->next.value[n] = g->now.value[n];
				if (g->courses)
					g->next.course[n] = g->now.course[n];
				if (due && !g->courses)
					derive(g, n, &g->chunks[at]);
				else if (due && derive_course(g, n, &g->chunks[at], &why))
#pragma omp critical(castling)
					status = el_fail(error, EL_MEMORY, "%s", why.text);
				g->will_have[n] =
					!el_value_equal(g->next.value[n], g->now.value[n]) ||
					(g->courses && g->next.course[n] != g->now.course[n]);
				changes += g->will_have[n];
			}
		}
		if (status)
			return status;
		const struct layer now = g->now;
		bool *const had = g->has_changed;
		g->now = g->next;
		g->next = now;
		g->has_changed = g->will_have;
		g->will_have = had;
		is_over = !changes;
	}
	return EL_OK;
}

/* ---- planes ---- */

enum { ALL_PLIES = UINT16_MAX + 1 };
typedef uint16_t legend[EL_WIN + 1][ALL_PLIES]; /* symbols; 0: none yet */

static enum el_status make_plane(const struct graph *g, unsigned plane, struct el_planes *out,
                                 struct el_error *error)
{
	const uint64_t positions = g->slice->positions;
	struct el_plane *p = &out->plane[plane];
	legend *symbols = calloc(1, sizeof *symbols);
	p->symbols = calloc(positions, sizeof *p->symbols);
	p->course = g->courses ? malloc(positions * sizeof *p->course) : NULL;
	bool good = symbols && p->symbols && (p->course || !g->courses) &&
	            !el_plane_add_value(p, (struct el_value){.outcome = EL_BROKEN}) && p->values;
	for (uint64_t i = 0; i < positions && good; i++) {
		const struct el_value v = g->now.value[plane * positions + i];
		if (v.outcome == EL_BROKEN)
			continue;
		uint16_t *symbol = &(*symbols)[v.outcome][v.plies];
		if (!*symbol)
			good = (*symbol = el_plane_add_value(p, v)) != 0;
		p->symbols[i] = *symbol;
		out->passes = v.plies > out->passes ? v.plies : out->passes;
	}
	free(symbols);
	if (good && p->course)
		memcpy(p->course, g->now.course + plane * positions, positions * sizeof *p->course);
	return good ? el_plane_canonical(p, positions, error)
	            : el_fail(error, EL_MEMORY, "%s: out of memory", g->slice->name);
}

/* ---- the whole ---- */

static void graph_close(struct graph *g)
{
	for (size_t i = 0; g->chunks && i < g->slice->planes * chunks_in_plane(g); i++) {
		free(g->chunks[i].moves);
		free(g->chunks[i].passed);
	}
	free(g->chunks);
	free(g->first);
	free(g->count);
	struct layer *const layers[] = {&g->exit, &g->now, &g->next};
	for (size_t i = 0; i < 3; i++) {
		free(layers[i]->value);
		free(layers[i]->course);
	}
	free(g->has_changed);
	free(g->will_have);
	el_courses_free(g->courses);
	gathered_free(&g->gathered);
	el_planes_free(&g->own);
}

static bool graph_open(struct graph *g)
{
	const size_t all = g->slice->planes * g->slice->positions;
	g->chunks = calloc(g->slice->planes * chunks_in_plane(g), sizeof *g->chunks);
	g->first = malloc(all * sizeof *g->first);
	g->count = malloc(all * sizeof *g->count);
	g->has_changed = malloc(all * sizeof *g->has_changed);
	g->will_have = malloc(all * sizeof *g->will_have);
	g->courses = g->metric->by_clock ? el_courses_new() : NULL;
	bool good = all < UINT32_MAX >> KINDS_BITS && g->chunks && g->first && g->count &&
	            g->has_changed && g->will_have && (g->courses || !g->metric->by_clock);
	struct layer *const layers[] = {&g->exit, &g->now, &g->next};
	for (size_t i = 0; i < 3 && good; i++) {
		layers[i]->value = malloc(all * sizeof *g->now.value);
		layers[i]->course = g->courses ? malloc(all * sizeof *g->now.course) : NULL;
		good = layers[i]->value && (layers[i]->course || !g->courses);
	}
	return good;
}

/*
 * Outcomes under a rule say nothing of a clock that runs on once the rights are lost. So the slice without rights
 * is solved again, for its depths up to the next zeroing move, which need no more of other slices than outcomes.
 */
static enum el_status solve_without(struct graph *g, struct el_error *error)
{
	struct el_slice successors[EL_SUCCESSORS_MAX];
	g->slice->game->successors(g->slice, successors); /* itself without rights first */
	g->without = &g->own;
	enum el_status status =
		planes_obtain(g->library, &successors[0], g->metric, &g->own, error);
	if (status != EL_NEGATIVE)
		return status;
	const struct el_problem problem = {
		.slice = successors[0], .metric = g->metric, .watch = g->watch};
	return lender_solve(g->library, g->watch, problem, &g->own, error);
}

static enum el_status solve(struct graph *g, struct el_error *error)
{
	const struct el_slice *slice = g->slice;
	enum el_status status =
		graph_open(g) ? EL_OK : el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	if (!status && g->needs_without)
		status = solve_without(g, error);
	if (!status && !g->metric->by_clock)
		status = gathered_make(&g->gathered, g->library, slice, g->metric, g->without,
		                       g->watch, error);
	for (g->plane = 0; g->plane < slice->planes && !status; g->plane++)
		status = sweep_run(&(struct sweep){"looking at moves", slice, g->metric,
		                                   slice->positions, g->plane * slice->positions,
		                                   slice->planes * slice->positions, g->watch, g,
		                                   look_at_chunk},
		                   error);
	return status ? status : find_values(g, error);
}

/*
 * Who wins too late is right already, since such wins rest on others, or on wins that come in time with a
 * smaller clock. But their plies are counted as without the rule, up to a zeroing move that need not be the
 * one in time.
 */
static enum el_status count_late(struct graph *g, struct el_error *error)
{
	struct graph freely = {.library = g->library,
	                       .slice = g->slice,
	                       .metric = el_metric_without_rule(g->metric),
	                       .watch = g->watch,
	                       .needs_without = true};
	const uint64_t all = g->slice->planes * g->slice->positions;
	enum el_status status = EL_OK;
	for (uint64_t n = 0; n < all && !status; n++) {
		struct el_value *v = &g->now.value[n];
		if (!el_outcome_late(v->outcome))
			continue;
		if (!freely.chunks) /* the first of them */
			status = solve(&freely, error);
		if (!status)
			v->plies = freely.now.value[n].plies;
	}
	graph_close(&freely);
	return status;
}

enum el_status castling_solve(struct el_library *library, const struct el_slice *slice,
                              const struct el_metric *metric, const struct el_planes *without,
                              const struct el_watch *watch, struct el_planes *out,
                              struct el_error *error)
{
	*out = (struct el_planes){.metric = metric};
	if (castling_check(slice, metric, error))
		return EL_USAGE;
	struct graph g = {.library = library,
	                  .slice = slice,
	                  .metric = solved_as(slice, metric),
	                  .watch = watch,
	                  .needs_without = metric->limit && !metric->has_depth,
	                  .lock = &(pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER};
	if (without && without->metric == g.metric && !g.metric->by_clock)
		g.without = without;
	struct el_planes solved = {.slice = *slice, .metric = g.metric};
	enum el_status status = solve(&g, error);
	if (!status && metric->limit && metric->has_depth && !g.courses)
		status = count_late(&g, error);
	for (unsigned plane = 0; plane < slice->planes && !status; plane++)
		status = make_plane(&g, plane, &solved, error);
	solved.courses = g.courses;
	g.courses = NULL;
	graph_close(&g);
	if (!status && solved.metric == metric) {
		*out = solved;
		return EL_OK;
	}
	if (!status)
		status = el_planes_read(&solved, metric, out, error);
	el_planes_free(&solved);
	return status;
}
