/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library as scripts see it: positions and moves of any game as they are written, whole
   slices. */
#include "core/probe/probe.h"
#include "core/whole/whole.h"
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>

_Static_assert(sizeof((struct el_engine_planes){0}).slice == EL_SLICE_MAX, "a name fits");
_Static_assert(sizeof((struct el_text_move){0}).san == EL_MOVE_MAX, "a move fits");

/* ---- positions ---- */

static enum el_status known(const struct el_metric *metric, const char *function,
                            struct el_error *error)
{
	return metric ? EL_OK : el_fail(error, EL_USAGE, "%s: no metric was named", function);
}

/* Text that is no position is a wrong question, not an answer: EL_NEGATIVE is kept for what tables
   do not know. */
static enum el_status read_position(const char *text, const struct el_game **game,
                                    struct el_position *out, struct el_error *error)
{
	struct el_error why;
	enum el_status status = el_position_parse(text, game, out, &why);
	return status ? el_fail(error, status == EL_NEGATIVE ? EL_USAGE : status, "%s", why.text)
	              : EL_OK;
}

enum el_status el_engine_ask(struct el_engine *engine, const char *text,
                             const struct el_metric *metric, unsigned flags, struct el_value *out,
                             struct el_error *error)
{
	const struct el_game *game;
	struct el_position position;
	enum el_status status = known(metric, "el_engine_ask", error);
	if (!status && flags & ~(unsigned)EL_ENGINE_SOFT)
		status = el_fail(error, EL_USAGE, "el_engine_ask: unknown flags %#x", flags);
	if (!status)
		status = read_position(text, &game, &position, error);
	if (status)
		return status;
	return el_library_value(engine->library, game, &position, metric,
	                        flags & EL_ENGINE_SOFT ? EL_PROBE_SOFT : EL_PROBE_FULL, out, error);
}

static void list_moves(const struct el_answer *answer, struct el_text_move *out)
{
	for (size_t i = 0; i < answer->count; i++) {
		const struct el_ranked *r = &answer->moves[i];
		out[i] = (struct el_text_move){.outcome = (uint8_t)r->outcome,
		                               .value.outcome = EL_UNKNOWN};
		snprintf(out[i].san, sizeof out[i].san, "%s", r->san);
		snprintf(out[i].uci, sizeof out[i].uci, "%s", r->uci);
		if (answer->metric)
			out[i].value = r->value[el_metric_rank(answer->metric)];
	}
}

enum el_status el_engine_moves(struct el_engine *engine, const char *text,
                               const struct el_metric **metric, unsigned rule,
                               struct el_text_move *out, size_t *count, struct el_error *error)
{
	const struct el_game *game;
	struct el_position position;
	const struct el_question question = {.metric = metric ? *metric : NULL, .rule = rule};
	*count = 0;
	enum el_status status = read_position(text, &game, &position, error);
	if (!status && question.metric)
		status = el_game_check_metric(game, question.metric, error);
	struct el_answer *answer = status ? NULL : malloc(sizeof *answer);
	if (!status && !answer)
		status = el_fail(error, EL_MEMORY, "the moves of a position: out of memory");
	if (!status)
		status = el_library_answer(engine->library, game, &position, &question, answer,
		                           error);
	if (!status) {
		*count = answer->count;
		list_moves(answer, out);
		if (metric)
			*metric = answer->metric;
	}
	free(answer);
	return status;
}

/* ---- lines ---- */

/* The value of each position of the line, for the side that has just moved into it. */
static enum el_status write_line(struct el_engine *engine, const struct el_game *game,
                                 struct el_position position, const struct el_metric *metric,
                                 const struct el_line *line, struct el_text_move *out,
                                 struct el_error *error)
{
	enum el_status status = EL_OK;
	for (size_t i = 0; i < line->count && !status; i++) {
		struct el_text_move *m = &out[i];
		const struct el_position before = position;
		*m = (struct el_text_move){.outcome = EL_UNKNOWN};
		game->write_move(&before, &line->moves[i], EL_SAN, m->san);
		game->write_move(&before, &line->moves[i], EL_UCI, m->uci);
		status = el_library_value(engine->library, game, &before, metric, EL_PROBE_FULL,
		                          &m->value, error);
		m->outcome = m->value.outcome;
		game->play(&before, &line->moves[i], &position);
	}
	return status;
}

enum el_status el_engine_line(struct el_engine *engine, const char *text,
                              const struct el_metric *metric, struct el_text_move *out, size_t max,
                              size_t *count, struct el_error *error)
{
	const struct el_game *game;
	struct el_position position;
	const struct el_question question = {.metric = metric};
	*count = 0;
	enum el_status status = known(metric, "el_engine_line", error);
	if (!status)
		status = read_position(text, &game, &position, error);
	if (!status)
		status = el_game_check_metric(game, metric, error);
	struct el_line line = {.max = max};
	if (!status && !(line.moves = calloc(max + 1, sizeof *line.moves)))
		status = el_fail(error, EL_MEMORY, "a line: out of memory");
	if (!status)
		status = el_library_line(engine->library, game, &position, &question, &line, error);
	if (!status)
		status = write_line(engine, game, position, metric, &line, out, error);
	if (!status)
		*count = line.count;
	free(line.moves);
	return status;
}

/* ---- whole slices ---- */

/* What the caller sees comes first, so that it is what he gives back. */
struct held {
	struct el_engine_planes seen;
	struct el_planes planes;
};

enum el_status el_engine_planes(struct el_engine *engine, const char *name,
                                const struct el_metric *metric, struct el_engine_planes **out,
                                struct el_error *error)
{
	struct el_slice slice;
	enum el_status status = known(metric, "el_engine_planes", error);
	if (!status)
		status = el_slice_parse(name, &slice, error);
	if (!status)
		status = el_game_tells(slice.game, metric)
		                 ? EL_OK
		                 : el_game_check_metric(slice.game, metric, error);
	struct held *held = status ? NULL : calloc(1, sizeof *held);
	if (!status && !held)
		status = el_fail(error, EL_MEMORY, "the planes of a slice: out of memory");
	if (!status)
		status = el_library_planes_told(engine->library, &slice, metric, NULL,
		                                &held->planes, error);
	if (status) {
		free(held);
		return status;
	}
	held->seen.count = slice.planes;
	snprintf(held->seen.slice, sizeof held->seen.slice, "%s", slice.name);
	for (unsigned p = 0; p < slice.planes; p++) {
		const struct el_plane *plane = &held->planes.plane[p];
		held->seen.plane[p] = (struct el_engine_plane){
			.symbols = plane->symbols,
			.values = plane->values,
			.positions = slice.positions,
			.value_count = plane->value_count,
		};
	}
	*out = &held->seen;
	return EL_OK;
}

void el_engine_planes_free(struct el_engine_planes *planes)
{
	if (!planes)
		return;
	el_planes_free(&((struct held *)planes)->planes);
	free(planes);
}

enum el_status el_engine_index(const char *text, char name[EL_SLICE_MAX], unsigned *plane,
                               uint64_t *index, struct el_error *error)
{
	const struct el_game *game;
	struct el_position position;
	struct el_slice slice;
	struct el_place place;
	enum el_status status = read_position(text, &game, &position, error);
	if (!status)
		status = game->slice_of(&position, &slice, error);
	if (status)
		return status;
	if (!game->place(&position, &place))
		return el_fail(error, EL_NEGATIVE, "%s: the position is in no table", slice.name);
	snprintf(name, EL_SLICE_MAX, "%s", slice.name);
	*plane = place.plane;
	*index = place.index;
	return EL_OK;
}

enum el_status el_engine_position(const char *name, unsigned plane, uint64_t index,
                                  char text[EL_FEN_MAX], struct el_error *error)
{
	struct el_slice slice;
	struct el_position position;
	enum el_status status = el_slice_parse(name, &slice, error);
	if (status)
		return status;
	if (plane >= slice.planes || index >= slice.positions)
		return el_fail(error, EL_USAGE,
		               "%s: plane %u, index %llu: it has %u planes of %llu positions",
		               slice.name, plane, (unsigned long long)index, slice.planes,
		               (unsigned long long)slice.positions);
	if (!slice.game->unplace(&slice, plane, index, &position))
		return el_fail(error, EL_NEGATIVE, "%s: index %llu is no legal position",
		               slice.name, (unsigned long long)index);
	slice.game->format(&position, text);
	return EL_OK;
}
