/* SPDX-License-Identifier: MIT */
#include "run.h"

#include "core/base/array.h"
#include "core/base/hash.h"
#include "core/probe/probe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const el_workload_names[] = {
	[EL_WORKLOAD_RANDOM] = "random",
	[EL_WORKLOAD_LINE] = "line",
	[EL_WORKLOAD_SCAN] = "scan",
	[EL_WORKLOAD_TRACE] = "trace",
	NULL,
};

enum el_workload el_workload_parse(const char *text)
{
	enum el_workload workload = 0;
	while (workload < EL_WORKLOAD_TRACE && strcmp(text, el_workload_names[workload]))
		workload++;
	return workload;
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

/* ---- traces ---- */

/* Adds the position of a line, if it is one of the slice. */
static enum el_status read_line(struct maker *m, const char *line, struct el_error *error)
{
	const struct el_slice *slice = &m->setup->slice;
	const struct el_game *game;
	struct el_position position;
	struct el_place place;
	if (!line[strspn(line, " \t\r\n")] || *line == '#')
		return EL_OK;
	enum el_status status = el_position_parse(line, &game, &position, error);
	if (!status)
		status = game->check(&position, error);
	if (status)
		return status;
	if (game != slice->game || !game->place(&position, &place) || place.key != slice->key) {
		m->list->elsewhere++;
		return EL_OK;
	}
	if (!array_grow(&m->list->positions, m->list->count, 1, sizeof position))
		return el_fail(error, EL_MEMORY, "out of memory");
	append(m, &position);
	return EL_OK;
}

static enum el_status make_trace(struct maker *m, struct el_error *error)
{
	enum { TICK_EACH = 4096 };
	const char *path = m->setup->trace;
	FILE *file = fopen(path, "re");
	if (!file && errno == ENOENT)
		return el_fail(error, EL_USAGE,
		               "workload '%s': expected random, line, scan or a file of positions; "
		               "no file has this name",
		               path);
	if (!file)
		return el_fail(error, EL_IO, "%s: %m", path);
	char *line = NULL;
	size_t room = 0, number = 0;
	struct el_error why;
	enum el_status status = EL_OK;
	for (ssize_t length; !status && !full(m) && (length = getline(&line, &room, file)) >= 0;) {
		const size_t mark = !number++ && !strncmp(line, "\xEF\xBB\xBF", 3) ? 3 : 0;
		if (length && line[length - 1] == '\n')
			line[--length] = '\0';
		status = strlen(line) < (size_t)length
		                 ? el_fail(&why, EL_NEGATIVE, "found a zero byte, expected text")
		                 : read_line(m, line + mark, &why);
		if (status)
			el_fail(error, status == EL_MEMORY ? status : EL_NEGATIVE,
			        "%s: line %zu: %s", path, number, why.text);
		else if (number % TICK_EACH == 0)
			status = pace_tick(m->pace, "reading the trace", error);
	}
	if (!status && ferror(file))
		status = el_fail(error, EL_IO, "%s: %m", path);
	free(line);
	fclose(file);
	if (status || m->list->count)
		return status ? error->status : EL_OK;
	return el_fail(error, EL_NEGATIVE, "%s: found %zu %s, expected some of %s", path,
	               m->list->elsewhere, m->list->elsewhere == 1 ? "position" : "positions",
	               m->setup->slice.name);
}

/* ---- all of them ---- */

static enum el_status count_distinct(struct workload *list, const struct el_slice *slice,
                                     struct el_error *error)
{
	uint8_t *seen = calloc((slice->planes * slice->positions + 7) / 8, 1);
	if (!seen)
		return el_fail(error, EL_MEMORY, "%zu probes: out of memory", list->count);
	for (size_t i = 0; i < list->count; i++) {
		struct el_place place;
		slice->game->place(&list->positions[i], &place);
		const uint64_t at = place.plane * slice->positions + place.index;
		list->distinct += !(seen[at / 8] >> at % 8 & 1);
		seen[at / 8] |= (uint8_t)(1u << at % 8);
	}
	free(seen);
	return EL_OK;
}

enum el_status workload_make(const struct el_lab_setup *setup, struct pace *pace,
                             struct workload *out, struct el_error *error)
{
	static enum el_status (*const make[EL_WORKLOADS])(struct maker *, struct el_error *) = {
		[EL_WORKLOAD_RANDOM] = make_random,
		[EL_WORKLOAD_LINE] = make_lines,
		[EL_WORKLOAD_SCAN] = make_scan,
		[EL_WORKLOAD_TRACE] = make_trace,
	};
	struct maker m = {setup, pace, out, setup->seed};
	*out = (struct workload){0};
	if (setup->workload != EL_WORKLOAD_TRACE &&
	    !array_grow(&out->positions, 0, setup->probes, sizeof *out->positions))
		return el_fail(error, EL_MEMORY, "%zu probes: out of memory", setup->probes);
	const enum el_status status = make[setup->workload](&m, error);
	return status ? status : count_distinct(out, &setup->slice, error);
}

void workload_free(struct workload *list)
{
	free(list->positions);
	*list = (struct workload){0};
}
