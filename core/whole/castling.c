/* SPDX-License-Identifier: MIT */
#include "castling.h"

#include "core/base/array.h"
#include "core/probe/inside.h"
#include "sweep.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_tables(const struct el_metric *metric)
{
	const bool told = metric->wins_only || (metric->limit && !metric->has_depth);
	return !told && !metric->by_clock && !metric->has_phase &&
	       !el_metric_entered(metric)->has_phase;
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

/* Positions are numbered plane by plane. All arrays are owned. */
struct graph {
	struct el_library *library;
	const struct el_slice *slice;
	const struct el_metric *metric;
	const struct el_watch *watch;
	unsigned plane;
	struct chunk *chunks; /* of both planes */
	uint32_t *first;      /* by position: its first move in its chunk */
	uint8_t *count;       /* and how many */
	/* The best of the moves that leave the slice, or the end of the game; EL_BROKEN: there are none. */
	struct el_value *exit;
	/* EL_BROKEN: no position. */
	struct el_value *now, *next;
	bool *has_changed, *will_have; /* in the last round, in this one */
};

static size_t chunks_in_plane(const struct graph *g)
{
	return (size_t)((g->slice->positions + SWEEP_CHUNK - 1) / SWEEP_CHUNK);
}

static void raise(const struct graph *g, struct el_value *best, struct el_value value)
{
	*best = best->outcome == EL_BROKEN ? value : el_value_max(g->metric, *best, value);
}

/* The value of a move that leaves the slice. */
static enum el_status value_of(const struct step *step, const struct probe *probe,
                               struct el_value *out, struct el_error *error)
{
	const enum el_status status = step_probe(step, probe, out, error);
	return !status && !el_outcome_exact(out->outcome)
	               ? el_fail(error, EL_NEGATIVE,
	                         "moves lead to tables that know outcomes within bounds alone")
	               : status;
}

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
		status = value_of(&capture, probe, &value, error);
		if (!status)
			raise(g, &out->capture, value);
	}
	return status;
}

/* Adds the moves of a position to its chunk. */
static enum el_status look_at(const struct graph *g, const struct spot *spot, uint64_t number,
                              struct chunk *c, const struct probe *probe, struct el_error *error)
{
	const struct el_game *game = g->slice->game;
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = game->moves(spot->position, moves);
	enum el_status status = EL_OK;
	if (!array_grow(&c->moves, c->move_count, count, sizeof *c->moves))
		return el_fail(error, EL_MEMORY, "%s: out of memory", g->slice->name);
	g->first[number] = (uint32_t)c->move_count;
	if (!count)
		g->exit[number] = el_metric_read(el_game_metric(game), g->metric,
		                                 game->stuck(spot->position));
	for (size_t i = 0; i < count && !status; i++) {
		struct step step;
		step_take(game, spot, &moves[i], &step);
		const struct el_place *to = &step.to.place;
		const bool ends = step_ends(&step, g->metric);
		struct passed passed = {.ends = ends};
		struct el_value value;
		if (!step.to.placed || to->key != g->slice->key) {
			status = value_of(&step, probe, &value, error);
			if (!status)
				raise(g, &g->exit[number], value);
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
		g->exit[number] = g->now[number] = (struct el_value){.outcome = EL_BROKEN};
		g->count[number] = 0;
		g->has_changed[number] = false;
		if (!game->unplace(g->slice, g->plane, i, &position))
			continue;
		g->now[number] = (struct el_value){.outcome = EL_DRAW};
		g->has_changed[number] = true;
		spot_at(game, &position, &spot);
		status = look_at(g, &spot, number, c, &probe, error);
	}
	library_leave(visit);
	(void)thread;
	return status;
}

/* ---- values ---- */

/* The value of a position's best move. */
static struct el_value derive(const struct graph *g, uint64_t number, const struct chunk *c)
{
	const uint32_t *moves = c->moves + g->first[number];
	struct el_value best = g->exit[number];
	for (unsigned i = 0; i < g->count[number]; i++) {
		const uint32_t what = moves[i] & ((1 << KINDS_BITS) - 1);
		const struct passed *passed =
			what == PASSES ? &c->passed[moves[i] >> KINDS_BITS] : NULL;
		const bool ends = passed ? passed->ends : what == ENDS;
		struct el_value reached = g->now[passed ? passed->to : moves[i] >> KINDS_BITS];
		if (passed && passed->only)
			reached = passed->capture;
		else if (passed && passed->capture.outcome != EL_BROKEN)
			reached = el_value_max(g->metric, reached, passed->capture);
		if (ends)
			reached = el_metric_read(g->metric, el_metric_entered(g->metric), reached);
		raise(g, &best, el_value_of_move(g->metric, reached, ends, 0));
	}
	return best;
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
		if (!el_watch_tick(g->watch, &progress))
			return el_fail(error, EL_STOPPED, "%s: stopped", what);
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : changes)
		for (size_t at = 0; at < g->slice->planes * chunks; at++) {
			const uint64_t plane = at / chunks, first = at % chunks * SWEEP_CHUNK;
			const uint64_t end =
				first + SWEEP_CHUNK < positions ? first + SWEEP_CHUNK : positions;
			for (uint64_t n = plane * positions + first; n < plane * positions + end;
			     n++) {
				g->next[n] = g->now[n];
				if (g->now[n].outcome != EL_BROKEN &&
				    (round == 1 || is_due(g, n, &g->chunks[at])))
					g->next[n] = derive(g, n, &g->chunks[at]);
				g->will_have[n] = !el_value_equal(g->next[n], g->now[n]);
				changes += g->will_have[n];
			}
		}
		struct el_value *const now = g->now;
		bool *const had = g->has_changed;
		g->now = g->next;
		g->next = now;
		g->has_changed = g->will_have;
		g->will_have = had;
		is_over = !changes;
	}
	return EL_OK;
}

/*
 * Under a rule, what is won too late is counted without it, to a zeroing move that need not be the one in time:
 * values of a table under the rule do not tell that.
 */
static enum el_status check_late(const struct graph *g, struct el_error *error)
{
	for (uint64_t n = 0; n < g->slice->planes * g->slice->positions; n++)
		if (g->now[n].outcome == EL_CURSED_WIN || g->now[n].outcome == EL_BLESSED_LOSS)
			return el_fail(
				error, EL_NEGATIVE,
				"%s: some positions with castling rights are won too late under "
				"%s, which their tables cannot say",
				g->slice->name, g->metric->name);
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
	bool good = symbols && p->symbols &&
	            !el_plane_add_value(p, (struct el_value){.outcome = EL_BROKEN}) && p->values;
	for (uint64_t i = 0; i < positions && good; i++) {
		const struct el_value v = g->now[plane * positions + i];
		if (v.outcome == EL_BROKEN)
			continue;
		uint16_t *symbol = &(*symbols)[v.outcome][v.plies];
		if (!*symbol)
			good = (*symbol = el_plane_add_value(p, v)) != 0;
		p->symbols[i] = *symbol;
		out->passes = v.plies > out->passes ? v.plies : out->passes;
	}
	free(symbols);
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
	free(g->exit);
	free(g->now);
	free(g->next);
	free(g->has_changed);
	free(g->will_have);
}

static bool graph_open(struct graph *g)
{
	const size_t all = g->slice->planes * g->slice->positions;
	g->chunks = calloc(g->slice->planes * chunks_in_plane(g), sizeof *g->chunks);
	g->first = malloc(all * sizeof *g->first);
	g->count = malloc(all * sizeof *g->count);
	g->exit = malloc(all * sizeof *g->exit);
	g->now = malloc(all * sizeof *g->now);
	g->next = malloc(all * sizeof *g->next);
	g->has_changed = malloc(all * sizeof *g->has_changed);
	g->will_have = malloc(all * sizeof *g->will_have);
	return all < UINT32_MAX >> KINDS_BITS && g->chunks && g->first && g->count && g->exit &&
	       g->now && g->next && g->has_changed && g->will_have;
}

enum el_status castling_solve(struct el_library *library, const struct el_slice *slice,
                              const struct el_metric *metric, const struct el_watch *watch,
                              struct el_planes *out, struct el_error *error)
{
	struct graph g = {.library = library, .slice = slice, .metric = metric, .watch = watch};
	*out = (struct el_planes){.slice = *slice, .metric = metric};
	enum el_status status = EL_OK;
	if (castling_check(slice, metric, error))
		return EL_USAGE;
	if (!graph_open(&g))
		status = el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	for (g.plane = 0; g.plane < slice->planes && !status; g.plane++)
		status = sweep_run(&(struct sweep){"looking at moves", slice, metric,
		                                   slice->positions, g.plane * slice->positions,
		                                   slice->planes * slice->positions, watch, &g,
		                                   look_at_chunk},
		                   error);
	if (!status)
		status = find_values(&g, error);
	if (!status)
		status = check_late(&g, error);
	for (unsigned plane = 0; plane < slice->planes && !status; plane++)
		status = make_plane(&g, plane, out, error);
	graph_close(&g);
	if (status)
		el_planes_free(out);
	return status;
}
