/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library for engines: folders, and bitboards without any text. And for scripts: written
   positions and moves of any game, and whole slices. */
#include "endlab/engine.h"

#include "core/library/library.h"
#include "core/probe/probe.h"
#include "core/whole/whole.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)EL_ROOT_MOVES == (int)EL_MOVES_MAX, "every move has room");
_Static_assert(sizeof((struct el_engine_planes){0}).slice == EL_SLICE_MAX, "a name fits");
_Static_assert(sizeof((struct el_text_move){0}).san == EL_MOVE_MAX, "a move fits");

struct el_engine {
	struct el_library *library;
	_Atomic unsigned pieces; /* of the largest chess table */
};

const char *el_version(void)
{
	return EL_VERSION;
}

const struct el_metric *el_engine_metric(const char *name)
{
	return name ? el_metric_find(name) : NULL;
}

const char *el_engine_metric_name(const struct el_metric *metric)
{
	return metric->name;
}

/* ---- folders ---- */

static enum el_status count_pieces(struct el_engine *engine, struct el_error *error)
{
	struct el_entry *entries;
	size_t count;
	unsigned most = 0;
	enum el_status status = el_library_list(engine->library, &entries, &count, error);
	if (status)
		return status;
	for (size_t i = 0; i < count; i++)
		if (!entries[i].ignored && entries[i].slice.game == &el_chess &&
		    entries[i].slice.pieces > most)
			most = entries[i].slice.pieces;
	el_entries_free(entries, count);
	engine->pieces = most;
	return EL_OK;
}

enum el_status el_engine_open(const struct el_engine_options *options, struct el_engine **out,
                              struct el_error *error)
{
	if (!options || options->size != sizeof *options)
		return el_fail(error, EL_USAGE,
		               "el_engine_open: options of %zu bytes, expected %zu",
		               options ? options->size : 0, sizeof *options);
	if (!options->folders || !*options->folders)
		return el_fail(error, EL_USAGE, "el_engine_open: no folder was named");
	struct el_engine *engine = calloc(1, sizeof *engine);
	if (!engine)
		return el_fail(error, EL_MEMORY, "engine: out of memory");
	/* The first folder is the library's own. It is searched with its subfolders, like the
	   others. */
	char *first = strndup(options->folders, strcspn(options->folders, ":"));
	const struct el_library_options all = {
		.directory = first,
		.paths = options->folders,
		.cache_bytes = options->cache_bytes,
	};
	enum el_status status = first ? el_library_open(&all, &engine->library, error)
	                              : el_fail(error, EL_MEMORY, "engine: out of memory");
	free(first);
	if (!status)
		status = count_pieces(engine, error);
	if (status)
		el_engine_close(engine);
	else
		*out = engine;
	return status;
}

void el_engine_close(struct el_engine *engine)
{
	if (!engine)
		return;
	el_library_close(engine->library);
	free(engine);
}

enum el_status el_engine_rescan(struct el_engine *engine, struct el_error *error)
{
	enum el_status status = el_library_rescan(engine->library, error);
	return status ? status : count_pieces(engine, error);
}

unsigned el_engine_pieces(const struct el_engine *engine)
{
	return engine->pieces;
}

/* ---- bitboards ---- */

/* False unless every piece has one kind and one side. The game reports other faults. */
static bool to_position(const struct el_board *b, struct el_position *out)
{
	const uint64_t kind[EL_KINDS] = {b->kings,   b->queens,  b->rooks,
	                                 b->bishops, b->knights, b->pawns};
	uint64_t all = 0;
	*out = (struct el_position){
		.side = b->side,
		.en_passant = b->en_passant ? b->en_passant : EL_NO_SQUARE,
		.castling = b->castling,
		.halfmove = b->halfmove,
		.fullmove = 1,
	};
	for (unsigned k = 0; k < EL_KINDS; k++) {
		if (all & kind[k])
			return false;
		all |= kind[k];
		out->set[EL_WHITE][k] = kind[k] & b->white;
		out->set[EL_BLACK][k] = kind[k] & b->black;
	}
	return all == (b->white | b->black) && !(b->white & b->black) && b->side <= EL_BLACK &&
	       b->en_passant < 64 && b->castling < 16;
}

enum el_status el_engine_probe(struct el_engine *engine, const struct el_board *board,
                               const struct el_metric *metric, unsigned flags, struct el_value *out)
{
	struct el_position position;
	if (!metric || flags & ~(unsigned)EL_ENGINE_SOFT || !to_position(board, &position))
		return EL_USAGE;
	return el_library_value(engine->library, &el_chess, &position, metric,
	                        flags & EL_ENGINE_SOFT ? EL_PROBE_SOFT : EL_PROBE_FULL, out, NULL);
}

/* ---- the moves of a position ---- */

/* Moves with the same outcome have ranks between two multiples of this. */
enum { APART = 1000 };

/* Moves come best first: each is as good as the previous one, or one step worse. */
static enum el_status list_moves(const struct el_answer *answer, bool repeated,
                                 struct el_root_move *out)
{
	/* By kind, in the order of el_position.set: K Q R B N P. */
	static const uint16_t promotion[EL_KINDS] = {0, 4, 3, 2, 1, 0};
	const size_t by = answer->metric ? el_metric_rank(answer->metric) : 0;
	enum el_status status = EL_OK;
	for (size_t i = 0; i < answer->count; i++) {
		const struct el_ranked *r = &answer->moves[i];
		const bool exact = el_outcome_exact(r->outcome);
		const unsigned becomes =
			r->move.becomes == r->move.kind ? 0 : promotion[r->move.becomes];
		struct el_root_move *m = &out[i];
		*m = (struct el_root_move){
			.move = (uint16_t)(r->move.from | (unsigned)r->move.to << 6 |
		                           becomes << 12),
			.outcome = (uint8_t)r->outcome,
			.value = {.outcome = EL_UNKNOWN},
			.rank = exact ? ((int32_t)r->outcome - EL_DRAW) * APART : INT32_MIN,
		};
		if (answer->metric)
			m->value = r->value[by];
		/* Do depths rank moves of this outcome? */
		const bool divided =
			exact && (repeated || (r->outcome != EL_WIN && r->outcome != EL_LOSS));
		if (i && out[i - 1].outcome == m->outcome && divided)
			m->rank = out[i - 1].rank - !el_value_equal(out[i - 1].value, m->value);
		if (!exact)
			status = EL_NEGATIVE;
	}
	return status;
}

enum el_status el_engine_rank(struct el_engine *engine, const struct el_board *board,
                              const struct el_root_options *options, struct el_root_move *out,
                              size_t *count)
{
	static const struct el_root_options usual = {.size = sizeof usual, .rule = 50};
	struct el_position position;
	options = options ? options : &usual;
	*count = 0;
	if (options->size != sizeof *options)
		return EL_USAGE;
	struct el_question question = {.metric = options->metric, .rule = options->rule};
	char name[16] = "dtz";
	if (question.rule)
		snprintf(name, sizeof name, "dtz%u", question.rule);
	if (!question.metric)
		question.metric = el_metric_find(name); /* null: no such rule */
	if (!question.metric || !to_position(board, &position))
		return EL_USAGE;
	struct el_answer *answer = malloc(sizeof *answer);
	if (!answer)
		return EL_MEMORY;
	enum el_status status =
		el_library_answer(engine->library, &el_chess, &position, &question, answer, NULL);
	if (!status) {
		*count = answer->count;
		status = list_moves(answer, options->repeated, out);
	}
	free(answer);
	return status;
}

/* ---- positions as text, of any game ---- */

static enum el_status known(const struct el_metric *metric, const char *function,
                            struct el_error *error)
{
	return metric ? EL_OK : el_fail(error, EL_USAGE, "%s: no metric was named", function);
}

/* Text that is no position is a usage error: EL_NEGATIVE means that no table knows the answer. */
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
		if (metric)
			*metric = answer->metric;
	}
	for (size_t i = 0; i < *count; i++) {
		const struct el_ranked *r = &answer->moves[i];
		out[i] = (struct el_text_move){.outcome = (uint8_t)r->outcome,
		                               .value.outcome = EL_UNKNOWN};
		snprintf(out[i].san, sizeof out[i].san, "%s", r->san);
		snprintf(out[i].uci, sizeof out[i].uci, "%s", r->uci);
		if (answer->metric)
			out[i].value = r->value[el_metric_rank(answer->metric)];
	}
	free(answer);
	return status;
}

/* ---- lines ---- */

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
	/* the value of each position of the line, for the side that has just moved into it */
	for (size_t i = 0; i < line.count && !status; i++) {
		struct el_text_move *m = &out[i];
		const struct el_position before = position;
		*m = (struct el_text_move){.outcome = EL_UNKNOWN};
		game->write_move(&before, &line.moves[i], EL_SAN, m->san);
		game->write_move(&before, &line.moves[i], EL_UCI, m->uci);
		status = el_library_value(engine->library, game, &before, metric, EL_PROBE_FULL,
		                          &m->value, error);
		m->outcome = m->value.outcome;
		game->play(&before, &line.moves[i], &position);
	}
	if (!status)
		*count = line.count;
	free(line.moves);
	return status;
}

/* ---- whole slices ---- */

/* The caller's part comes first, so that its pointer is the pointer to all. */
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
