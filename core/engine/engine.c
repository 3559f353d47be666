/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library as engines see it: folders, and bitboards that come and go without text. */
#include "engine.h"
#include "core/probe/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)EL_ROOT_MOVES == (int)EL_MOVES_MAX, "every move has room");

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

/* The first folder is the library's own; it is searched with all that is below it, like the
   others. */
static enum el_status open_library(const struct el_engine_options *options, struct el_library **out,
                                   struct el_error *error)
{
	char *first = strndup(options->folders, strcspn(options->folders, ":"));
	if (!first)
		return el_fail(error, EL_MEMORY, "engine: out of memory");
	const struct el_library_options all = {
		.directory = first,
		.paths = options->folders,
		.cache_bytes = options->cache_bytes,
	};
	enum el_status status = el_library_open(&all, out, error);
	free(first);
	return status;
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
	enum el_status status = open_library(options, &engine->library, error);
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

/* Every piece has one kind and one side, or this is no board. What else is wrong with it, the game
   says. */
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

static uint16_t pack(const struct el_move *move)
{
	/* By kind, as el_position.set has them: K Q R B N P. */
	static const uint16_t promotion[EL_KINDS] = {0, 4, 3, 2, 1, 0};
	const unsigned becomes = move->becomes == move->kind ? 0 : promotion[move->becomes];
	return (uint16_t)(move->from | (unsigned)move->to << 6 | becomes << 12);
}

/* Moves with one outcome have ranks between two thousands. */
enum { APART = 1000 };

static int32_t rank_of_outcome(enum el_outcome outcome)
{
	return el_outcome_exact(outcome) ? ((int32_t)outcome - EL_DRAW) * APART : INT32_MIN;
}

/* Does a depth divide moves of this outcome? */
static bool is_divided(enum el_outcome outcome, bool repeated)
{
	return el_outcome_exact(outcome) && (repeated || (outcome != EL_WIN && outcome != EL_LOSS));
}

/* Moves come best first: each is as good as the one before it, or one step worse. */
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
		if (i && out[i - 1].outcome == m->outcome && is_divided(r->outcome, repeated))
			m->rank = out[i - 1].rank - !el_value_equal(out[i - 1].value, m->value);
		if (!el_outcome_exact(r->outcome))
			status = EL_NEGATIVE;
	}
	return status;
}

/* What the library is asked; false: not with these options. */
static bool to_question(const struct el_root_options *options, struct el_question *out)
{
	char name[16] = "dtz";
	if (options->size != sizeof *options)
		return false;
	out->rule = options->rule;
	if (out->rule)
		snprintf(name, sizeof name, "dtz%u", out->rule);
	out->metric = options->metric ? options->metric : el_metric_find(name);
	return out->metric != NULL; /* there is no such rule */
}

enum el_status el_engine_rank(struct el_engine *engine, const struct el_board *board,
                              const struct el_root_options *options, struct el_root_move *out,
                              size_t *count)
{
	static const struct el_root_options usual = {.size = sizeof usual, .rule = 50};
	struct el_position position;
	struct el_question question = {0};
	options = options ? options : &usual;
	*count = 0;
	if (!to_question(options, &question) || !to_position(board, &position))
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
