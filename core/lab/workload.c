/* SPDX-License-Identifier: MIT */
#include "run.h"

#include "core/base/hash.h"
#include "core/base/text.h"

#include "core/probe/probe.h"

#include <stdlib.h>

const char *const el_workload_names[] = {
	[EL_WORKLOAD_RANDOM] = "random",
	[EL_WORKLOAD_LINE] = "line",
	[EL_WORKLOAD_SCAN] = "scan",
	NULL,
};

enum el_status el_workload_parse(const char *text, enum el_workload *out, struct el_error *error)
{
	unsigned place;
	const enum el_status status =
		el_words_find(el_workload_names, text, "unknown workload", &place, error);
	if (!status)
		*out = (enum el_workload)place;
	return status;
}

/* A list being made. */
struct maker {
	const struct el_lab_setup *setup;
	struct pace *pace;
	struct workload *list;
	uint64_t state; /* of the random numbers */
};

/* A random number below `end`, which is so far below 2^64 that the bias is negligible. */
static uint64_t draw_below(struct maker *m, uint64_t end)
{
	return random_next(&m->state) % end;
}

static bool full(const struct maker *m)
{
	return m->list->count == m->setup->probes;
}

static void append(struct maker *m, const struct el_position *position)
{
	if (!full(m))
		m->list->positions[m->list->count++] = *position;
}

static enum el_status no_positions(const struct maker *m, struct el_error *error)
{
	return el_fail(error, EL_NEGATIVE, "%s: no legal position to probe", m->setup->slice.name);
}

/* ---- random ---- */

static enum el_status random_position(struct maker *m, struct el_position *out,
                                      struct el_error *error)
{
	enum { PATIENCE = 1 << 20 }; /* broken indexes in a row */
	const struct el_slice *slice = &m->setup->slice;
	for (int i = 0; i < PATIENCE; i++) {
		unsigned plane = (unsigned)draw_below(m, slice->planes);
		if (slice->game->unplace(slice, plane, draw_below(m, slice->positions), out))
			return EL_OK;
	}
	return no_positions(m, error);
}

static enum el_status make_random(struct maker *m, struct el_error *error)
{
	struct el_position position;
	enum el_status status = EL_OK;
	while (!full(m) && !status) {
		status = random_position(m, &position, error);
		if (!status)
			append(m, &position);
	}
	return status;
}

/* ---- scan ---- */

/* Goes through all planes and wraps around. */
static enum el_status make_scan(struct maker *m, struct el_error *error)
{
	const struct el_slice *slice = &m->setup->slice;
	const uint64_t all = slice->positions * slice->planes;
	uint64_t at = draw_below(m, all), broken = 0;
	for (; !full(m) && broken < all; at = (at + 1) % all) {
		struct el_position position;
		unsigned plane = (unsigned)(at / slice->positions);
		bool legal = slice->game->unplace(slice, plane, at % slice->positions, &position);
		broken = legal ? 0 : broken + 1;
		if (legal)
			append(m, &position);
	}
	return full(m) ? EL_OK : no_positions(m, error);
}

/* ---- lines ---- */

enum {
	WALK_MOST = 80,  /* most plies of a walk, as drawn ones may not end */
	STRAY_EACH = 3,  /* every third move may differ from the best */
	STRAY_AMONG = 4, /* then one of the best so many with the same outcome */
};

/* A walk, including the answer, which is large. */
struct walk {
	struct el_position at;
	struct el_answer answer;
};

static bool in_slice(const struct el_slice *slice, const struct el_position *position)
{
	struct el_place place;
	return slice->game->place(position, &place) && place.key == slice->key;
}

/* Sets *more to false if the walk ends: the game is over, or the next position is in another
   slice. */
static enum el_status step(struct maker *m, struct walk *w, unsigned ply, bool *more,
                           struct el_error *error)
{
	const struct el_slice *slice = &m->setup->slice;
	struct el_position after;
	enum el_status status =
		el_library_answer(m->setup->library, slice->game, &w->at, NULL, &w->answer, error);
	*more = !status && !w->answer.over && w->answer.count;
	if (!*more)
		return status;
	/* An engine probes every move of a node, in the order of generation. */
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = slice->game->moves(&w->at, moves);
	for (size_t i = 0; i < count; i++) {
		slice->game->play(&w->at, &moves[i], &after);
		if (in_slice(slice, &after))
			append(m, &after);
	}
	/* Play mostly the best move. */
	const struct el_answer *answer = &w->answer;
	size_t equals = 1;
	while (equals < answer->count && equals < STRAY_AMONG &&
	       answer->moves[equals].outcome == answer->moves[0].outcome)
		equals++;
	const bool strays = ply % STRAY_EACH == STRAY_EACH - 1;
	const size_t chosen = strays ? (size_t)draw_below(m, equals) : 0;
	slice->game->play(&w->at, &answer->moves[chosen].move, &after);
	w->at = after;
	*more = in_slice(slice, &after);
	return EL_OK;
}

static enum el_status make_lines(struct maker *m, struct el_error *error)
{
	enum { TRIES_MOST = 1 << 16 }; /* consecutive walks without a probe */
	struct walk *w = malloc(sizeof *w);
	enum el_status status = w ? EL_OK : el_fail(error, EL_MEMORY, "walks: out of memory");
	for (size_t tries = 0; !status && !full(m) && tries < TRIES_MOST; tries++) {
		const size_t before = m->list->count;
		bool more = true;
		status = random_position(m, &w->at, error);
		for (unsigned ply = 0; more && !status && !full(m) && ply < WALK_MOST; ply++)
			status = step(m, w, ply, &more, error);
		if (!status)
			status = pace_tick(m->pace, "walking lines", error);
		if (m->list->count > before)
			tries = 0;
	}
	free(w);
	return status || full(m) ? status : no_positions(m, error);
}

/* ---- all of them ---- */

enum el_status workload_make(const struct el_lab_setup *setup, struct pace *pace,
                             struct workload *out, struct el_error *error)
{
	static enum el_status (*const make[EL_WORKLOADS])(struct maker *, struct el_error *) = {
		[EL_WORKLOAD_RANDOM] = make_random,
		[EL_WORKLOAD_LINE] = make_lines,
		[EL_WORKLOAD_SCAN] = make_scan,
	};
	struct maker m = {setup, pace, out, setup->seed};
	*out = (struct workload){.positions = malloc(setup->probes * sizeof *out->positions)};
	if (!out->positions)
		return el_fail(error, EL_MEMORY, "%zu probes: out of memory", setup->probes);
	return make[setup->workload](&m, error);
}

void workload_free(struct workload *list)
{
	free(list->positions);
	*list = (struct workload){0};
}
