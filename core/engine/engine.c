/* SPDX-License-Identifier: MIT */
/* The library for engines: folders, and bitboards without any text. And for scripts: written
   positions and moves of any game, and whole slices. Every argument is checked here: nothing that a
   program passes may lead to undefined behaviour. */
#include "endlab/engine.h"

#include "core/library/library.h"
#include "core/probe/probe.h"
#include "core/whole/whole.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert((int)EL_ROOT_MOVES == (int)EL_MOVES_MAX, "every move has room");
_Static_assert(sizeof((struct el_engine_slice){0}).slice == EL_SLICE_MAX, "a name fits");
_Static_assert(sizeof((struct el_engine_table){0}).slice == EL_SLICE_MAX, "a name fits");
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
	return metric ? metric->name : NULL;
}

static enum el_status null_argument(const char *function, struct el_error *error)
{
	return el_fail(error, EL_USAGE, "%s: a null argument", function);
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
		    !el_slice_has_rights(&entries[i].slice) && entries[i].slice.pieces > most)
			most = entries[i].slice.pieces;
	el_entries_free(entries, count);
	engine->pieces = most;
	return EL_OK;
}

/* Is any of the folders there? */
static bool some_exists(const char *folders)
{
	for (const char *at = folders; *at; at += strcspn(at, ":")) {
		at += *at == ':';
		char *folder = strndup(at, strcspn(at, ":"));
		const bool exists = folder && *folder && !access(folder, F_OK);
		free(folder);
		if (exists)
			return true;
	}
	return false;
}

enum el_status el_engine_open(const struct el_engine_options *options, struct el_engine **out,
                              struct el_error *error)
{
	if (!out)
		return null_argument(__func__, error);
	*out = NULL;
	if (!options || options->size < sizeof *options)
		return el_fail(error, EL_USAGE,
		               "el_engine_open: options of %zu bytes, expected at least %zu",
		               options ? options->size : 0, sizeof *options);
	if (!options->folders || !*options->folders)
		return el_fail(error, EL_USAGE, "el_engine_open: no folder was named");
	if (!some_exists(options->folders))
		return el_fail(error, EL_NEGATIVE, "%s: no such folder", options->folders);
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
	if (!engine)
		return null_argument(__func__, error);
	enum el_status status = el_library_rescan(engine->library, error);
	return status ? status : count_pieces(engine, error);
}

unsigned el_engine_pieces(const struct el_engine *engine)
{
	return engine ? engine->pieces : 0;
}

enum el_status el_engine_tables(struct el_engine *engine, struct el_engine_table **out,
                                size_t *count, struct el_error *error)
{
	struct el_entry *entries;
	size_t all, bytes = 0;
	if (!engine || !out || !count)
		return null_argument(__func__, error);
	*out = NULL;
	*count = 0;
	enum el_status status = el_library_list(engine->library, &entries, &all, error);
	if (status)
		return status;
	/* One allocation: the list, then the paths that it points to. */
	for (size_t i = 0; i < all; i++)
		bytes += entries[i].ignored ? 0 : sizeof **out + strlen(entries[i].path) + 1;
	struct el_engine_table *table = *out = malloc(bytes + 1);
	if (!table) {
		el_entries_free(entries, all);
		return el_fail(error, EL_MEMORY, "the list of tables: out of memory");
	}
	for (size_t i = 0; i < all; i++)
		*count += !entries[i].ignored;
	char *path = (char *)(table + *count);
	for (size_t i = 0; i < all; i++) {
		const struct el_entry *e = &entries[i];
		if (e->ignored)
			continue;
		*table = (struct el_engine_table){
			.path = path,
			.metric = e->metric,
			.bytes = e->bytes,
			.pieces = e->slice.pieces,
			.partial = e->partial,
		};
		snprintf(table->slice, sizeof table->slice, "%s", e->slice.name);
		snprintf(table->kind, sizeof table->kind, "%s", e->kind);
		path = stpcpy(path, e->path) + 1;
		table++;
	}
	el_entries_free(entries, all);
	return EL_OK;
}

void el_engine_tables_free(struct el_engine_table *tables)
{
	free(tables);
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
	/* The rights are those of ordinary chess: kings on e1 and e8, rooks in the corners. */
	static const uint16_t rooks[] = {1 << 7, 1 << 0, 1 << 15, 1 << 8};
	for (unsigned right = 0; b->castling && right < 4; right++) {
		if (!(b->castling >> right & 1))
			continue;
		if (!(out->set[right / 2][0] >> (right < 2 ? 4 : 60) & 1))
			return false;
		out->castling |= rooks[right];
	}
	return all == (b->white | b->black) && !(b->white & b->black) && b->side <= EL_BLACK &&
	       b->en_passant < 64 && b->castling < 16;
}

enum { FLAGS = EL_ENGINE_SOFT | EL_ENGINE_MOVES };

static enum el_probe_mode mode_of(unsigned flags)
{
	return (enum el_probe_mode)((flags & EL_ENGINE_SOFT ? EL_PROBE_SOFT : 0) |
	                            (flags & EL_ENGINE_MOVES ? 0 : EL_PROBE_TABLES));
}

enum el_status el_engine_probe(struct el_engine *engine, const struct el_board *board,
                               const struct el_metric *metric, unsigned flags, struct el_value *out)
{
	struct el_position position;
	if (!engine || !board || !metric || !out || flags & ~(unsigned)FLAGS ||
	    !to_position(board, &position))
		return EL_USAGE;
	return el_library_value(engine->library, &el_chess, &position, metric, mode_of(flags), out,
	                        NULL);
}

bool el_engine_covers(struct el_engine *engine, const struct el_board *board,
                      const struct el_metric *metric)
{
	struct el_position position;
	return engine && board && metric && to_position(board, &position) &&
	       (el_library_answers(engine->library, &el_chess, &position, metric) ||
	        el_library_studies(engine->library, &el_chess, &position));
}

/* ---- the moves of a position ---- */

static uint16_t pack(const struct el_move *move)
{
	/* By kind, in the order of el_position.set: K Q R B N P. */
	static const uint16_t promotion[EL_KINDS] = {0, 4, 3, 2, 1, 0};
	const unsigned becomes = move->becomes == move->kind ? 0 : promotion[move->becomes];
	return (uint16_t)(move->from | (unsigned)move->to << 6 | becomes << 12);
}

/* Moves with the same outcome have ranks between two multiples of half of this. An outcome known
   within bounds ranks below the middle of them: a win that may come too late below a certain win,
   above a cursed one. */
enum { APART = 1000 };

static int32_t rank_of_outcome(enum el_outcome outcome)
{
	const int32_t middle =
		(int32_t)el_outcome_lower(outcome) + (int32_t)el_outcome_upper(outcome);
	return (middle - 2 * EL_DRAW) * APART / 2 - (el_outcome_exact(outcome) ? 0 : APART / 4);
}

/* Is a move for certain at least as good as the next one? Where the rule alone leaves the outcomes
   of both open, their values tell. */
static bool is_sound(const struct el_root_move *m, const struct el_root_move *next)
{
	const enum el_outcome a = m->outcome, b = next->outcome;
	return el_outcome_lower(a) >= el_outcome_upper(b) ||
	       (a == b && (a == EL_AT_LEAST_CURSED || a == EL_AT_MOST_BLESSED) &&
	        el_outcome_exact(m->value.outcome) && el_outcome_exact(next->value.outcome));
}

/* Does nothing answer, or not under the metric that was asked for, which may be null, because a table
   cannot be used? */
static bool is_damaged(const struct el_answer *answer, const struct el_metric *metric)
{
	return !answer->metric || (metric && answer->damaged >> el_metric_rank(metric) & 1);
}

/* Moves come best first: each is as good as the previous one, or one step worse. */
static enum el_status list_moves(const struct el_answer *answer, bool repeated,
                                 struct el_root_move *out)
{
	const size_t by = answer->metric ? el_metric_rank(answer->metric) : 0;
	enum el_status status = EL_OK;
	for (size_t i = 0; i < answer->count; i++) {
		const struct el_ranked *r = &answer->moves[i];
		struct el_root_move *m = &out[i];
		*m = (struct el_root_move){.move = pack(&r->move), .outcome = (uint8_t)r->outcome};
		m->value = answer->metric ? r->value[by] : (struct el_value){.outcome = EL_UNKNOWN};
		m->rank = rank_of_outcome(r->outcome);
		/* Depths rank moves of one outcome, unless they all win or all lose in time. */
		const bool divided = repeated || (r->outcome != EL_WIN && r->outcome != EL_LOSS);
		if (i && out[i - 1].outcome == m->outcome && divided)
			m->rank = out[i - 1].rank - !el_value_equal(out[i - 1].value, m->value);
		m->bounded = !el_outcome_exact(r->outcome);
		if (i && !is_sound(&out[i - 1], m))
			status = EL_NEGATIVE;
	}
	return status;
}

enum el_status el_engine_rank(struct el_engine *engine, const struct el_board *board,
                              const struct el_root_options *options, struct el_root_move *out,
                              size_t *count)
{
	struct el_root_options asked = {.size = sizeof asked, .rule = 50};
	struct el_position position;
	if (!engine || !board || !out || !count)
		return EL_USAGE;
	*count = 0;
	/* 1.0 had no `ranked_by`; what a later version adds is not looked at. */
	if (options && options->size < offsetof(struct el_root_options, ranked_by))
		return EL_USAGE;
	if (options)
		memcpy(&asked, options,
		       options->size < sizeof asked ? options->size : sizeof asked);
	if (asked.ranked_by)
		*asked.ranked_by = NULL;
	struct el_question question = {.metric = asked.metric, .rule = asked.rule};
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
	/* A table that cannot be used does no harm if the order is sound without it. */
	const enum el_status fault = el_is_fault(status) ? status : EL_OK;
	if (status == fault) {
		*count = answer->count;
		status = list_moves(answer, asked.repeated, out);
		if (fault && (status || is_damaged(answer, question.metric)))
			status = fault;
		if (asked.ranked_by)
			*asked.ranked_by = answer->metric;
	}
	free(answer);
	return status;
}

/* ---- positions as text, of any game ---- */

/* A question that cannot be read is a usage error: EL_NEGATIVE means that no table knows the answer. */
static enum el_status unread(enum el_status status, const struct el_error *why,
                             struct el_error *error)
{
	return status ? el_fail(error, status == EL_NEGATIVE ? EL_USAGE : status, "%s", why->text)
	              : EL_OK;
}

static enum el_status read_position(const char *text, const struct el_game **game,
                                    struct el_position *out, struct el_error *error)
{
	struct el_error why;
	return unread(el_position_parse(text, game, out, &why), &why, error);
}

static enum el_status read_slice(const char *name, struct el_slice *out, struct el_error *error)
{
	struct el_error why;
	return unread(el_slice_parse(name, out, &why), &why, error);
}

/* The outcome from the position's own clock on. */
static enum el_status outcome_in_time(struct el_engine *engine, const struct el_game *game,
                                      const struct el_position *position,
                                      const struct el_metric *metric, unsigned flags,
                                      struct el_value *out, struct el_error *error)
{
	const struct el_question question = {
		.mode = mode_of(flags),
		.metric = metric,
		.rule = metric->limit / 2,
		.alone = true,
	};
	struct el_answer *answer = malloc(sizeof *answer);
	if (!answer)
		return el_fail(error, EL_MEMORY, "the value of a position: out of memory");
	enum el_status status =
		el_library_answer(engine->library, game, position, &question, answer, error);
	if (el_is_fault(status) && el_outcome_exact(answer->outcome))
		status = EL_OK; /* of another metric */
	if (!status)
		out->outcome = (uint8_t)answer->outcome;
	free(answer);
	return status;
}

enum el_status el_engine_ask(struct el_engine *engine, const char *text,
                             const struct el_metric *metric, unsigned flags, struct el_value *out,
                             struct el_error *error)
{
	const struct el_game *game;
	struct el_position position;
	if (!engine || !text || !metric || !out)
		return null_argument(__func__, error);
	if (flags & ~(unsigned)FLAGS)
		return el_fail(error, EL_USAGE, "%s: unknown flags %#x", __func__, flags);
	enum el_status status = read_position(text, &game, &position, error);
	if (status)
		return status;
	status = el_library_value(engine->library, game, &position, metric, mode_of(flags), out,
	                          error);
	/* Of an outcome under a rule that counts moves, the clock decides. */
	return !status && metric->limit && !metric->has_depth && position.halfmove
	               ? outcome_in_time(engine, game, &position, metric, flags, out, error)
	               : status;
}

enum el_status el_engine_ask_lines(struct el_engine *engine, const char *lines, size_t count,
                                   const struct el_metric *metric, unsigned flags,
                                   struct el_value *out, uint8_t *statuses, struct el_error *error)
{
	enum el_status all = EL_OK;
	if (!engine || !lines || !metric || !out || !statuses)
		return null_argument(__func__, error);
	for (size_t i = 0; i < count; i++) {
		char line[EL_FEN_MAX * 2];
		struct el_error why = {.text = "too long"};
		enum el_status status = EL_USAGE;
		const size_t length = strcspn(lines, "\n");
		if (length < sizeof line) {
			memcpy(line, lines, length);
			line[length] = '\0';
			status = el_engine_ask(engine, line, metric, flags, &out[i], &why);
		}
		if (status)
			out[i] = (struct el_value){.outcome = EL_UNKNOWN};
		statuses[i] = (uint8_t)status;
		if (status > all && all <= EL_USAGE)
			all = el_fail(error, status, "line %zu: %s", i + 1, why.text);
		lines += length + (lines[length] == '\n');
	}
	return all;
}

enum el_status el_engine_moves(struct el_engine *engine, const char *text,
                               const struct el_metric **metric, unsigned rule,
                               struct el_text_move *out, size_t *count, struct el_error *error)
{
	const struct el_game *game;
	struct el_position position;
	const struct el_question question = {.metric = metric ? *metric : NULL, .rule = rule};
	if (!engine || !text || !out || !count)
		return null_argument(__func__, error);
	*count = 0;
	if (rule > EL_RULE_MAX)
		return el_fail(error, EL_USAGE, "%s: a rule of %u moves, expected 0 to %d",
		               __func__, rule, EL_RULE_MAX);
	enum el_status status = read_position(text, &game, &position, error);
	if (!status && question.metric)
		status = el_game_check_metric(game, question.metric, error);
	struct el_answer *answer = status ? NULL : malloc(sizeof *answer);
	if (!status && !answer)
		status = el_fail(error, EL_MEMORY, "the moves of a position: out of memory");
	if (!status)
		status = el_library_answer(engine->library, game, &position, &question, answer,
		                           error);
	if (el_is_fault(status) && answer && !is_damaged(answer, question.metric))
		status = EL_OK; /* of another metric, or of moves that remain unknown */
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

enum { LONGEST = 1 << 16 }; /* as engine.h has it */

/* line->moves is the caller's to free, whatever the status. */
static enum el_status find_line(struct el_engine *engine, const struct el_game *game,
                                const struct el_position *position, const struct el_metric *metric,
                                size_t max, struct el_line *line, struct el_error *error)
{
	const struct el_question question = {.metric = metric};
	*line = (struct el_line){.max = max < LONGEST ? max : LONGEST};
	enum el_status status = el_game_check_metric(game, metric, error);
	if (!status && !(line->moves = calloc(line->max + 1, sizeof *line->moves)))
		status = el_fail(error, EL_MEMORY, "a line: out of memory");
	return status ? status
	              : el_library_line(engine->library, game, position, &question, line, error);
}

enum el_status el_engine_play(struct el_engine *engine, const struct el_board *board,
                              const struct el_metric *metric, uint16_t *out, size_t max,
                              size_t *count)
{
	struct el_position position;
	struct el_line line;
	if (!engine || !board || !metric || !out || !count)
		return EL_USAGE;
	*count = 0;
	if (!to_position(board, &position))
		return EL_USAGE;
	enum el_status status = find_line(engine, &el_chess, &position, metric, max, &line, NULL);
	for (size_t i = 0; i < line.count && !status; i++)
		out[i] = pack(&line.moves[i]);
	*count = status ? 0 : line.count;
	free(line.moves);
	return status;
}

enum el_status el_engine_line(struct el_engine *engine, const char *text,
                              const struct el_metric *metric, struct el_text_move *out, size_t max,
                              size_t *count, struct el_error *error)
{
	const struct el_game *game;
	struct el_position position;
	struct el_line line;
	if (!engine || !text || !metric || !out || !count)
		return null_argument(__func__, error);
	*count = 0;
	enum el_status status = read_position(text, &game, &position, error);
	if (status)
		return status;
	status = find_line(engine, game, &position, metric, max, &line, error);
	/* The value of each position of the line, for the side that moves. */
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
	*count = status ? 0 : line.count;
	free(line.moves);
	return status;
}

/* ---- whole slices ---- */

/* The caller's part comes first, so that its pointer is the pointer to all. */
struct held {
	struct el_engine_slice seen;
	struct el_planes planes;
};

enum el_status el_engine_planes(struct el_engine *engine, const char *name,
                                const struct el_metric *metric, struct el_engine_slice **out,
                                struct el_error *error)
{
	struct el_slice slice;
	if (!engine || !name || !metric || !out)
		return null_argument(__func__, error);
	*out = NULL;
	enum el_status status = read_slice(name, &slice, error);
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
	el_planes_mark_broken(&held->planes); /* a file holds any value there */
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

void el_engine_planes_free(struct el_engine_slice *planes)
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
	if (!text || !name || !plane || !index)
		return null_argument(__func__, error);
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
	if (!name || !text)
		return null_argument(__func__, error);
	enum el_status status = read_slice(name, &slice, error);
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
