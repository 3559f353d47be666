/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a position is worth: by a table, by the rules alone, by moves. */
#include "core/library/visit.h"
#include "from_moves.h"
#include "inside.h"
#include "probe.h"

/* ---- by a table ---- */

static enum el_status not_in_memory(const struct probe *p, const struct el_source *source,
                                    struct el_error *error)
{
	return el_fail(error, EL_NEGATIVE, "%s %s: this position's block is not in memory",
	               source->slice.name, p->metric->name);
}

enum el_status probe_source(const struct probe *p, struct el_source *source,
                            const struct el_position *position, const struct el_place *place,
                            struct el_value *value, struct el_error *error)
{
	if (source->check == EL_CHECK_DAMAGED)
		return el_fail(error, EL_DAMAGED, "%s", source->fault);
	enum el_status status = source->ops->probe(source, position, place, p->soft, value, error);
	return status == EL_NEGATIVE && p->soft ? not_in_memory(p, source, error) : status;
}

static enum el_status ask(const struct probe *p, struct el_source *source,
                          const struct el_position *position, const struct el_place *place,
                          struct el_value *out, struct el_error *error)
{
	struct el_value value;
	enum el_status status = probe_source(p, source, position, place, &value, error);
	if (status)
		return status;
	const bool bounded = el_outcome_bounded(value.outcome);
	if (value.outcome == EL_BROKEN || (bounded && source->metric->has_depth))
		return el_fail(error, EL_DAMAGED, "%s: a legal position has no value",
		               source->path);
	*out = source->metric == p->metric ? value
	                                   : el_metric_read(source->metric, p->metric, value);
	return EL_OK;
}

/* ---- by the rules ---- */

/* `route` as below. */
static enum el_status no_table(const struct probe *p, const struct el_position *position,
                               const struct route *route, struct el_error *error)
{
	struct el_slice slice;
	const struct holding *fault = route ? catalogue_fault(route, p->metric) : NULL;
	if (fault)
		return catalogue_tell(fault, error);
	enum el_status status = p->game->slice_of(position, &slice, error);
	if (status)
		return status;
	const bool others = route && route->tables;
	return el_fail(error, EL_NEGATIVE, "no %s%stable covers %s", others ? p->metric->name : "",
	               others ? " " : "", slice.name);
}

/* Bare kings, and ends of the game, need no table. `route`: of the position's slice, or null. */
static enum el_status by_the_rules(const struct probe *p, const struct el_position *position,
                                   const struct route *route, struct el_value *out,
                                   struct el_error *error)
{
	if (!el_game_tells(p->game, p->metric))
		return el_fail(error, EL_NEGATIVE, "%s has no %s", p->game->name, p->metric->name);
	if (!el_game_value(p->game, position, out))
		return no_table(p, position, route, error);
	*out = el_metric_read(el_game_metric(p->game), p->metric, *out);
	return EL_OK;
}

/* Is there no table, rather than one that cannot be used? */
static bool is_missing(const struct probe *p, const struct route *route)
{
	const struct holding *fault = route ? catalogue_fault(route, p->metric) : NULL;
	return !fault || fault->status == EL_NEGATIVE;
}

/* ---- by moves ---- */

/* Bounds have no depth to count on from. */
static enum el_status no_depth(const struct probe *p, const struct el_position *entered,
                               struct el_error *error)
{
	struct el_slice slice;
	enum el_status status = p->game->slice_of(entered, &slice, error);
	return status ? status
	              : el_fail(error, EL_NEGATIVE, "no %s: outcomes of %s are bounds",
	                        p->metric->name, slice.name);
}

static enum el_status value_of_move(const struct probe *p, const struct el_position *position,
                                    uint64_t key, const struct el_move *move, struct el_value *out,
                                    struct el_error *error)
{
	struct el_position after;
	struct el_place place;
	struct el_value reached;
	struct probe entered = *p;
	p->game->play(position, move, &after);
	const bool placed = p->game->place(&after, &place), leaves = !placed || place.key != key;
	const bool ends = el_move_ends(p->game, p->metric, position, move, leaves);
	if (ends)
		entered.metric = el_metric_entered(p->metric);
	enum el_status status =
		probe_placed(&entered, &after, placed ? &place : NULL, &reached, error);
	if (status)
		return status;
	if (p->metric->has_depth && el_outcome_bounded(reached.outcome))
		return no_depth(p, &after, error);
	*out = el_value_of_move(p->metric, reached, ends, el_move_gain(p->game, position, move));
	return EL_OK;
}

enum el_status probe_moves(const struct probe *p, const struct el_position *position, uint64_t key,
                           const struct el_move *moves, size_t count, struct el_value *best,
                           struct el_error *error)
{
	enum el_status status = EL_OK;
	for (size_t i = 0; i < count && !status && !el_value_is_best(p->metric, *best); i++) {
		struct el_value value;
		status = value_of_move(p, position, key, &moves[i], &value, error);
		if (!status)
			*best = best->outcome == EL_BROKEN ? value
			                                   : el_value_max(p->metric, *best, value);
	}
	return status;
}

/* ---- by captures ---- */

static bool among(const struct el_move *move, const struct el_move *moves, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (el_move_equal(move, &moves[i]))
			return true;
	return false;
}

/* The captures of a position that a source knows nothing of. */
struct unseen {
	struct el_move captures[EL_MOVES_MAX];
	size_t count;
	bool all; /* there are no other moves */
};

static void list_unseen(const struct probe *p, const struct el_source *source,
                        const struct el_position *position, const struct el_position *seen,
                        struct unseen *out)
{
	out->count = p->game->captures(position, out->captures);
	out->all = false;
	if (position->en_passant == EL_NO_SQUARE || !out->count)
		return;
	struct el_move known[EL_MOVES_MAX];
	out->all = p->game->moves(seen, known) == 0;
	if (source->without_captures)
		return;
	size_t known_count = p->game->captures(seen, known), kept = 0;
	for (size_t i = 0; i < out->count; i++)
		if (!among(&out->captures[i], known, known_count))
			out->captures[kept++] = out->captures[i];
	out->count = kept;
}

/* The metric by whose values moves are compared: where they are sums, an outcome is told by the sum
   alone. */
static const struct el_metric *chooser_of(const struct el_game *game,
                                          const struct el_metric *metric)
{
	const struct el_metric *sum = el_game_metric(game);
	return game->gain && el_metric_tells(sum, metric) ? sum : el_metric_chosen_by(metric);
}

/* A metric by whose values the best of a capture and another move cannot be told: the one that
   tells it has to be known. */
static enum el_status by_choice(const struct probe *p, const struct el_position *position,
                                const struct el_place *place, struct el_value *out,
                                struct el_error *error)
{
	struct probe chooser = *p;
	struct el_value value;
	chooser.metric = chooser_of(p->game, p->metric);
	enum el_status status = probe_placed(&chooser, position, place, &value, error);
	if (!status)
		*out = el_metric_read(chooser.metric, p->metric, value);
	return status;
}

/*
 * The table knows the position without the right to capture en passant, and some tables leave out
 * all captures: what they say is never too good. They are asked first, for where nothing is better
 * the captures need not be listed. Where captures en passant are the only moves, what the table
 * says (stalemate, mate) is not the case. A partial table was made without some that captures lead
 * to.
 */
static enum el_status with_captures(const struct probe *p, struct el_source *source,
                                    const struct el_position *position,
                                    const struct el_place *place, struct el_value *out,
                                    struct el_error *error)
{
	const bool right = position->en_passant != EL_NO_SQUARE;
	const bool chosen = chooser_of(p->game, p->metric) != p->metric;
	struct el_position seen = *position;
	struct el_value best = {.outcome = EL_BROKEN};
	struct unseen unseen;
	struct probe inside = *p;
	enum el_status status = EL_OK;
	inside.partial |= source->partial;
	seen.en_passant = EL_NO_SQUARE;
	if (right || chosen)
		list_unseen(p, source, position, &seen, &unseen);
	if (chosen && unseen.count)
		return by_choice(p, position, place, out, error);
	if (!right || !unseen.all)
		status = ask(p, source, &seen, place, &best, error);
	if (!status && !el_value_is_best(p->metric, best)) {
		if (!right)
			list_unseen(p, source, position, &seen, &unseen);
		status = probe_moves(&inside, position, place->key, unseen.captures, unseen.count,
		                     &best, error);
	}
	if (!status)
		*out = best;
	return status;
}

/* Where there is a capture there is no other move, and what such a table says is arbitrary. */
static enum el_status forced_captures(const struct probe *p, struct el_source *source,
                                      const struct el_position *position,
                                      const struct el_place *place, struct el_value *out,
                                      struct el_error *error)
{
	struct el_move captures[EL_MOVES_MAX];
	struct el_value best = {.outcome = EL_BROKEN};
	struct probe inside = *p;
	inside.partial |= source->partial;
	size_t count = p->game->captures(position, captures);
	if (!count)
		return ask(p, source, position, place, out, error);
	enum el_status status =
		probe_moves(&inside, position, place->key, captures, count, &best, error);
	if (!status)
		*out = best;
	return status;
}

/* ---- by the other side ---- */

/*
 * The table has left out this side to move. Each move leads to the side that it has, or to another
 * table, and so this ends. An outcome without a limit is searched for as such: the first win will
 * do.
 */
static enum el_status by_other_side(const struct probe *p, struct el_source *source,
                                    const struct el_position *position,
                                    const struct el_place *place, struct el_value *out,
                                    struct el_error *error)
{
	struct el_move moves[EL_MOVES_MAX];
	struct el_value best = {.outcome = EL_BROKEN};
	struct probe inside = *p;
	enum el_status status = EL_OK;
	inside.by = source;
	if (p->metric->limit || p->metric->wins_only)
		inside.metric = source->metric;
	const size_t count = p->game->moves(position, moves);
	if (count)
		status = probe_moves(&inside, position, place->key, moves, count, &best, error);
	else
		best = el_game_stuck(p->game, position);
	if (!status)
		*out = el_metric_read(inside.metric, p->metric, best);
	return status;
}

/* ---- by wins ---- */

/* Where no table knows more than who wins: who does not has lost if every move lets the opponent
   win, else drawn. `wins` is the metric of that table. */
static enum el_status by_wins(const struct probe *p, const struct el_metric *wins,
                              const struct el_position *position, const struct el_place *place,
                              struct el_value *out, struct el_error *error)
{
	struct el_move moves[EL_MOVES_MAX];
	struct probe inside = *p;
	inside.metric = wins;
	enum el_status status = probe_placed(&inside, position, place, out, error);
	if (status || out->outcome != EL_AT_MOST_DRAW || el_game_value(p->game, position, out))
		return status;
	const size_t count = p->game->moves(position, moves);
	out->outcome = EL_LOSS;
	for (size_t i = 0; i < count && !status && out->outcome != EL_DRAW; i++) {
		struct el_position after;
		struct el_value reached;
		p->game->play(position, &moves[i], &after);
		status = probe_value(&inside, &after, &reached, error);
		if (!status && reached.outcome != EL_WIN)
			out->outcome = reached.outcome == EL_UNKNOWN ? EL_AT_MOST_DRAW : EL_DRAW;
	}
	return status;
}

/* ---- by plies alone ---- */

static enum el_status by_plies(const struct probe *p, struct el_source *source,
                               const struct el_position *position, const struct el_place *place,
                               struct el_value *out, struct el_error *error)
{
	struct probe inside = *p;
	struct el_value value;
	inside.metric = source->metric;
	enum el_status status = probe_plies(&inside, source, position, place, &value, error);
	if (!status)
		*out = el_metric_read(source->metric, p->metric, value);
	return status;
}

/* ---- any of them ---- */

/* `route`: of the place, or null. */
static struct el_source *source_of(const struct probe *p, const struct el_place *placed,
                                   const struct route *route)
{
	if (p->by && placed && placed->key == p->by->slice.key &&
	    (p->metric == p->by->metric ||
	     (el_metric_tells(p->by->metric, p->metric) && !p->by->plies_only)))
		return p->by;
	struct el_source *alike =
		route && p->by ? catalogue_of_kind(route, p->by->ops->kind, p->metric) : NULL;
	return alike || !route ? alike : catalogue_answer(route, p->metric);
}

enum el_status probe_placed(const struct probe *p, const struct el_position *position,
                            const struct el_place *placed, struct el_value *out,
                            struct el_error *error)
{
	const struct route *route = NULL;
	if (placed)
		route = catalogue_route(p->catalogue, p->game, placed->key);
	struct el_source *source = source_of(p, placed, route);
	if (!source && placed && p->partial && is_missing(p, route)) {
		*out = (struct el_value){.outcome = EL_UNKNOWN};
		return EL_OK;
	}
	if (!source)
		return by_the_rules(p, position, route, out, error);
	if (el_metric_finds(source->metric, p->metric))
		return by_wins(p, source->metric, position, placed, out, error);
	if (source->plies_only)
		return by_plies(p, source, position, placed, out, error);
	if (source->left_out >> placed->plane & 1)
		return by_other_side(p, source, position, placed, out, error);
	if (source->without_captures && p->game->forced_captures)
		return forced_captures(p, source, position, placed, out, error);
	if (position->en_passant != EL_NO_SQUARE || source->without_captures)
		return with_captures(p, source, position, placed, out, error);
	return ask(p, source, position, placed, out, error);
}

enum el_status probe_value(const struct probe *p, const struct el_position *position,
                           struct el_value *out, struct el_error *error)
{
	struct el_place place;
	const bool placed = p->game->place(position, &place);
	return probe_placed(p, position, placed ? &place : NULL, out, error);
}

/* ---- from outside ---- */

enum el_status probe_admit(const struct el_game *game, const struct el_position *position,
                           const struct el_place *placed, struct el_error *error)
{
	struct el_error why;
	if (game->legal(position, placed))
		return EL_OK;
	game->check(position, &why);
	return el_fail(error, EL_USAGE, "not a legal position: %s", why.text);
}

/* Only moves can tell then what it is worth. */
static bool is_uncovered(const struct probe *p, const struct el_place *placed)
{
	return el_game_has(p->game, p->metric) &&
	       (!placed || catalogue_lacks(catalogue_route(p->catalogue, p->game, placed->key)));
}

enum el_status el_library_value(struct el_library *library, const struct el_game *game,
                                const struct el_position *position, const struct el_metric *metric,
                                enum el_probe_mode mode, struct el_value *out,
                                struct el_error *error)
{
	struct el_place place;
	const struct el_place *placed = game->place(position, &place) ? &place : NULL;
	enum el_status status = probe_admit(game, position, placed, error);
	if (status)
		return status;
	for (bool tried = false;; tried = true) {
		const struct visit visit = library_enter(library);
		const struct probe p = {
			.catalogue = visit.catalogue,
			.game = game,
			.metric = game->gain ? chooser_of(game, metric) : metric,
			.soft = mode == EL_PROBE_SOFT,
		};
		status = probe_placed(&p, position, placed, out, error);
		if (status == EL_NEGATIVE && is_uncovered(&p, placed))
			status = from_moves_value(&p, position, out, error);
		library_leave(visit);
		if (!status && p.metric != metric)
			*out = el_metric_read(p.metric, metric, *out);
		if (tried || !library_look_again(library, status))
			return status;
	}
}
