/* SPDX-License-Identifier: MIT */
/*
 * The value of a position: by its table, by the rules alone, or by its moves. probe_value, at the
 * end, chooses.
 */
#include "inside.h"

/* ---- by a table ---- */

enum el_status probe_damage(const struct probe *p, const struct el_source *source, const char *what,
                            struct el_error *error)
{
	const enum el_status status = el_fail(error, EL_DAMAGED, "%s: %s", source->path, what);
	faults_note(p->faults, source->path, error);
	return status;
}

/* The end of a question to a source. */
static enum el_status asked(const struct probe *p, const struct el_source *source,
                            enum el_status status, struct el_error *error)
{
	if (el_is_fault(status))
		faults_note(p->faults, source->path, error);
	return status == EL_NEGATIVE && p->soft
	               ? el_fail(error, EL_NEGATIVE,
	                         "%s %s: this position's block is not in memory",
	                         source->slice.name, p->metric->name)
	               : status;
}

enum el_status probe_source(const struct probe *p, struct el_source *source,
                            const struct spot *spot, struct el_value *value, struct el_error *error)
{
	const struct el_position *position = spot->position;
	struct el_position fresh;
	if (source->metric->by_clock && !p->metric->by_clock) { /* an outcome at clock 0 */
		fresh = *position;
		fresh.halfmove = 0;
		position = &fresh;
	}
	const enum el_status status =
		source->check == EL_CHECK_DAMAGED
			? el_fail(error, EL_DAMAGED, "%s", source->fault)
			: source->ops->probe(source, position, &spot->place, p->soft, value, error);
	return asked(p, source, status, error);
}

static enum el_status ask(const struct probe *p, struct el_source *source, const struct spot *spot,
                          struct el_value *out, struct el_error *error)
{
	struct el_value value;
	const enum el_status status = source->plies_only
	                                      ? probe_mate(p, source, spot, &value, error)
	                                      : probe_source(p, source, spot, &value, error);
	if (status)
		return status;
	const bool bounded = el_outcome_bounded(value.outcome);
	if (value.outcome == EL_BROKEN || (bounded && source->metric->has_depth))
		return probe_damage(p, source, "a legal position has no value", error);
	*out = source->metric == p->metric ? value
	                                   : el_metric_read(source->metric, p->metric, value);
	return EL_OK;
}

/* ---- by studies ---- */

/* What two studies tell together. */
static struct el_value both_studies(struct el_value a, struct el_value b)
{
	if (!el_outcome_exact(a.outcome) && !el_outcome_exact(b.outcome))
		a.outcome = (uint8_t)el_outcome_both(a.outcome, b.outcome);
	if (el_outcome_exact(a.outcome) && (a.outcome != b.outcome || a.plies < b.plies))
		return a;
	if (el_outcome_exact(b.outcome) && (a.outcome != b.outcome || b.plies < a.plies))
		return b;
	a.at_most &= b.at_most;
	return a;
}

/*
 * The value by all studies that reach a position. Depths that may be less lead a winner home all the same:
 * one of his moves, or every one of the loser's, goes to a position with a smaller number in the same study.
 * That holds for the least number of several studies too, but not for that of any one of them, which might
 * send a line round in circles. EL_NEGATIVE: none knows.
 */
static enum el_status by_studies(const struct probe *p, const struct spot *spot,
                                 struct el_value *out, struct el_error *error)
{
	enum el_status fault = EL_NEGATIVE;
	bool found = false;
	for (const struct holding *h = p->catalogue->studies; h; h = h->next) {
		struct el_value value;
		struct el_error why;
		const bool in_time = source_in_time(h->source, p->metric);
		if (h->source->slice.game != p->game ||
		    (!in_time && !el_metric_tells(h->metric, p->metric)))
			continue;
		const enum el_status status = probe_source(p, h->source, spot, &value, &why);
		if (el_is_fault(status) && fault == EL_NEGATIVE)
			fault = el_fail(error, status, "%s", why.text);
		if (status)
			continue;
		if (in_time && !p->metric->has_depth)
			value = (struct el_value){.outcome = value.outcome};
		if (!in_time && h->metric != p->metric)
			value = el_metric_read(h->metric, p->metric, value);
		*out = found ? both_studies(*out, value) : value;
		found = true;
		if (el_outcome_exact(out->outcome) && !out->at_most)
			break;
	}
	return found && (el_outcome_exact(out->outcome) || !p->metric->has_depth) ? EL_OK : fault;
}

const struct holding *study_telling(const struct probe *p, const struct spot *spot,
                                    const struct holding **silent)
{
	const struct holding *h = NULL;
	struct el_error error;
	struct el_value value;
	*silent = NULL;
	while ((h = catalogue_study(p->catalogue, h, p->game, spot->position))) {
		if (!probe_source(p, h->source, spot, &value, &error))
			return h;
		*silent = *silent ? *silent : h;
	}
	return NULL;
}

/* ---- by the rules ---- */

/* No table tells the metric of a position: the one that would cannot be used, or there is none. `route`: of
   the position's slice. */
static enum el_status no_table(const struct probe *p, const struct spot *spot,
                               const struct route *route, struct el_error *error)
{
	struct el_slice slice;
	if (!el_game_tells(p->game, p->metric))
		return el_fail(error, EL_NEGATIVE, "%s has no %s", p->game->name, p->metric->name);
	const struct holding *fault = catalogue_fault(route, p->metric);
	if (fault && el_is_fault(catalogue_tell(fault, error)))
		faults_note(p->faults, fault->file.path, error);
	if (fault)
		return fault->status;
	if (!error) /* a search asks often, and reads no text */
		return EL_NEGATIVE;
	const enum el_status status = p->game->slice_of(spot->position, &slice, error);
	return status ? status
	              : el_fail(error, EL_NEGATIVE, "no %s%stable covers %s",
	                        route->tables ? p->metric->name : "", route->tables ? " " : "",
	                        slice.name);
}

/* Ends of the game, and boards on which nobody can win, need no table. `route`: of the position's slice. */
static enum el_status by_the_rules(const struct probe *p, const struct spot *spot,
                                   const struct route *route, struct el_value *out,
                                   struct el_error *error)
{
	if (!el_game_tells(p->game, p->metric))
		return no_table(p, spot, route, error);
	/* A study knows the ends of games, and is quicker than generating moves. */
	enum el_status status = by_studies(p, spot, out, error);
	if (!status)
		return status;
	if (rules_value(p->game, spot->position, out)) {
		*out = el_metric_read(el_game_metric(p->game), p->metric, *out);
		return EL_OK;
	}
	if (status != EL_NEGATIVE ||
	    (p->soft && catalogue_study(p->catalogue, NULL, p->game, spot->position)))
		return el_is_fault(status)
		               ? status
		               : el_fail(error, status, "the study's block is not in memory");
	return no_table(p, spot, route, error);
}

/* ---- by moves ---- */

enum el_status probe_moves(const struct probe *p, const struct spot *spot,
                           const struct el_move *moves, size_t count, struct el_value *best,
                           struct el_error *error)
{
	for (size_t i = 0; i < count && !el_value_is_best(p->metric, *best); i++) {
		struct el_value value;
		struct step step;
		step_take(p->game, spot, &moves[i], &step);
		enum el_status status = step_probe(&step, p, &value, error);
		if (!status && p->metric->has_depth && value.outcome == EL_UNKNOWN) {
			struct el_slice slice;
			status = p->game->slice_of(step.to.position, &slice, error);
			if (!status)
				status = el_fail(error, EL_NEGATIVE,
				                 "no %s: outcomes of %s are bounds",
				                 p->metric->name, slice.name);
		}
		if (status)
			return status;
		value_raise(p->metric, best, value);
	}
	return EL_OK;
}

/* ---- by moves that a table leaves out ---- */

/* A position's moves that a source ignores. */
struct unseen {
	struct el_move moves[EL_MOVES_MAX];
	size_t count;
	bool all; /* there are no other moves */
};

static size_t list_leaving(const struct el_game *game, const struct spot *spot,
                           struct el_move *moves)
{
	const size_t count = game->moves(spot->position, moves);
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		struct step step;
		step_take(game, spot, &moves[i], &step);
		if (step.leaves)
			moves[kept++] = moves[i];
	}
	return kept;
}

/* `seen`: the position as the source knows it, without the right to capture en passant. */
static void list_unseen(const struct probe *p, const struct el_source *source,
                        const struct spot *spot, const struct spot *seen, struct unseen *out)
{
	const enum el_beside beside = source->beside[spot->place.plane];
	out->count = beside == EL_BESIDE_LEAVING ? list_leaving(p->game, spot, out->moves)
	                                         : p->game->captures(spot->position, out->moves);
	out->all = false;
	if (spot->position->en_passant == EL_NO_SQUARE || !out->count)
		return;
	struct el_move known[EL_MOVES_MAX];
	out->all = p->game->moves(seen->position, known) == 0;
	if (beside)
		return;
	const size_t known_count = p->game->captures(seen->position, known);
	size_t kept = 0;
	for (size_t i = 0; i < out->count; i++) {
		size_t k = 0;
		while (k < known_count && !el_move_equal(&out->moves[i], &known[k]))
			k++;
		if (k == known_count)
			out->moves[kept++] = out->moves[i];
	}
	out->count = kept;
}

/* The metric whose values compare moves: if values are sums, only the sum tells an outcome. */
static const struct el_metric *chooser_of(const struct el_game *game,
                                          const struct el_metric *metric)
{
	const struct el_metric *sum = el_game_metric(game);
	return game->gain && el_metric_tells(sum, metric) ? sum : el_metric_chosen_by(metric);
}

/*
 * The table ignores en passant (and some omit captures or more), so its value is a lower bound. It is
 * asked first: if its value is already the best possible, no moves need be generated. If en passant
 * captures are the only moves, the table's stalemate or checkmate is wrong and is not asked for. If
 * this metric's values cannot tell the better of a capture and another move, the metric that can is
 * asked.
 */
static enum el_status with_moves(const struct probe *p, struct el_source *source,
                                 const struct spot *spot, struct el_value *out,
                                 struct el_error *error)
{
	const bool right = spot->position->en_passant != EL_NO_SQUARE;
	const struct el_metric *chooser = chooser_of(p->game, p->metric);
	struct el_position without_right;
	const struct spot seen = spot_without_right(spot, &without_right);
	struct el_value best = {.outcome = EL_BROKEN};
	struct unseen unseen;
	struct probe inside = *p;
	enum el_status status = EL_OK;
	if (right || chooser != p->metric)
		list_unseen(p, source, spot, &seen, &unseen);
	if (chooser != p->metric && unseen.count) {
		inside.metric = chooser;
		status = probe_value(&inside, spot, &best, error);
		if (!status)
			*out = el_metric_read(chooser, p->metric, best);
		return status;
	}
	inside.partial |= source->partial; /* made without some tables that captures lead to */
	if (!right || !unseen.all)
		status = ask(p, source, &seen, &best, error);
	if (!status && !el_value_is_best(p->metric, best)) {
		if (!right)
			list_unseen(p, source, spot, &seen, &unseen);
		status = probe_moves(&inside, spot, unseen.moves, unseen.count, &best, error);
	}
	if (!status)
		*out = best;
	return status;
}

/* Could the side that is not to move capture if it were? */
static bool is_threatened(const struct el_game *game, const struct el_position *position)
{
	struct el_position passed = *position;
	struct el_move captures[EL_MOVES_MAX];
	passed.side = !passed.side;
	return game->captures(&passed, captures) > 0;
}

static bool is_on_way(const struct way *way, const struct el_place *place)
{
	while (way && (way->place->key != place->key || way->place->plane != place->plane ||
	               way->place->index != place->index))
		way = way->before;
	return way;
}

/*
 * A position without a capture in which the other side threatens one is not in the table: its moves
 * determine its value. Most of them lead to captures, with fewer pieces left, or to positions of the
 * table. A move that counters the threat by another threat leads to a position that is not there
 * either, and such moves may go round in circles. A position that comes up again on the way counts as
 * a draw: a side that can win can do so without coming back, and one that can come back for ever does
 * not lose. That makes the value right where the way begins. Values on the way depend on how they were
 * reached, so none of them is kept. (Ways are short: the longest seen with four kings a side is twelve
 * such positions.) `moves`: room for the legal ones.
 */
static enum el_status threatened(const struct probe *p, struct el_source *source,
                                 const struct spot *spot, struct el_move *moves,
                                 struct el_value *out, struct el_error *error)
{
	struct el_value best = {.outcome = EL_BROKEN};
	const struct way way = {&spot->place, p->way};
	struct probe inside = *p;
	enum el_status status = EL_OK;
	*out = (struct el_value){.outcome = EL_DRAW};
	if (is_on_way(p->way, &spot->place))
		return EL_OK;
	inside.way = &way;
	inside.by = source;
	inside.metric = source->metric;
	inside.partial |= source->partial;
	const size_t count = p->game->moves(spot->position, moves);
	if (count)
		status = probe_moves(&inside, spot, moves, count, &best, error);
	else
		best = p->game->stuck(spot->position);
	if (!status)
		*out = el_metric_read(source->metric, p->metric, best);
	return status;
}

/* If there is a capture there is no other move, and the table's value is arbitrary. */
static enum el_status forced_captures(const struct probe *p, struct el_source *source,
                                      const struct spot *spot, struct el_value *out,
                                      struct el_error *error)
{
	struct el_move captures[EL_MOVES_MAX];
	struct el_value best = {.outcome = EL_BROKEN};
	struct probe inside = *p;
	inside.partial |= source->partial;
	const size_t count = p->game->captures(spot->position, captures);
	if (!count && source->quiet_only && is_threatened(p->game, spot->position))
		return threatened(p, source, spot, captures, out, error);
	if (!count)
		return ask(p, source, spot, out, error);
	const enum el_status status = probe_moves(&inside, spot, captures, count, &best, error);
	if (!status)
		*out = best;
	return status;
}

/* ---- by other values ---- */

/* Does a move that the source ignores win? */
static enum el_status wins_unseen(const struct probe *p, struct el_source *source,
                                  const struct spot *spot, bool *out, struct el_error *error)
{
	struct unseen unseen = {.count = 0};
	struct el_value best = {.outcome = EL_LOSS};
	if (source->beside[spot->place.plane])
		list_unseen(p, source, spot, spot, &unseen);
	const enum el_status status =
		probe_moves(p, spot, unseen.moves, unseen.count, &best, error);
	*out = best.outcome == EL_WIN;
	return status;
}

/* A quiet move to a position that takes every ply of the rule comes a ply too late. */
static enum el_status heed_limit(const struct probe *p, struct el_source *source,
                                 const struct spot *spot, const struct el_move *move,
                                 struct el_value *value, struct el_error *error)
{
	enum el_outcome latest;
	struct step step;
	bool sooner = false;
	if (!source->ops->latest || !p->metric->limit || p->game->zeroes(spot->position, move))
		return EL_OK;
	step_take(p->game, spot, move, &step);
	enum el_status status = asked(p, source,
	                              source->ops->latest(source, step.to.position, &step.to.place,
	                                                  p->soft, &latest, error),
	                              error);
	if (status || latest == EL_UNKNOWN || value->outcome != el_outcome_negate(latest))
		return status;
	if (latest == EL_WIN)
		status = wins_unseen(p, source, &step.to, &sooner, error);
	if (!status && !sooner)
		value->outcome = (uint8_t)el_outcome_too_late(value->outcome);
	return status;
}

/*
 * The table leaves out this side to move. Each move leads to the side that it has, or to another
 * table, so this ends. An outcome without a limit is searched for as an outcome: the first win ends
 * the search.
 */
static enum el_status by_other_side(const struct probe *p, struct el_source *source,
                                    const struct spot *spot, struct el_value *out,
                                    struct el_error *error)
{
	struct el_move moves[EL_MOVES_MAX];
	struct el_value best = {.outcome = EL_BROKEN};
	struct probe inside = *p;
	enum el_status status = EL_OK;
	inside.by = source;
	if (p->metric->limit || p->metric->wins_only)
		inside.metric = source->metric;
	const size_t count = p->game->moves(spot->position, moves);
	if (!count)
		best = p->game->stuck(spot->position);
	for (size_t i = 0; i < count && !status && !el_value_is_best(inside.metric, best); i++) {
		struct el_value value = {.outcome = EL_BROKEN};
		status = probe_moves(&inside, spot, &moves[i], 1, &value, error);
		if (!status)
			status = heed_limit(&inside, source, spot, &moves[i], &value, error);
		if (!status)
			value_raise(inside.metric, &best, value);
	}
	if (!status)
		*out = el_metric_read(inside.metric, p->metric, best);
	return status;
}

/* For a table that knows only who wins: a side that does not win has lost if every move lets the
   opponent win, else drawn. `wins` is the metric of that table. */
static enum el_status by_wins(const struct probe *p, const struct el_metric *wins,
                              const struct spot *spot, struct el_value *out, struct el_error *error)
{
	struct el_move moves[EL_MOVES_MAX];
	struct probe inside = *p;
	inside.metric = wins;
	enum el_status status = probe_value(&inside, spot, out, error);
	if (status || out->outcome != EL_AT_MOST_DRAW ||
	    el_game_value(p->game, spot->position, out))
		return status;
	const size_t count = p->game->moves(spot->position, moves);
	out->outcome = EL_LOSS;
	for (size_t i = 0; i < count && !status && out->outcome != EL_DRAW; i++) {
		struct step step;
		struct el_value reached;
		step_take(p->game, spot, &moves[i], &step);
		status = probe_value(&inside, &step.to, &reached, error);
		if (!status && reached.outcome != EL_WIN)
			out->outcome = reached.outcome == EL_UNKNOWN ? EL_AT_MOST_DRAW : EL_DRAW;
	}
	return status;
}

/* ---- any of them ---- */

static enum el_status by_source(const struct probe *p, struct el_source *source,
                                const struct spot *spot, struct el_value *out,
                                struct el_error *error)
{
	if (el_metric_finds(source->metric, p->metric))
		return by_wins(p, source->metric, spot, out, error);
	/* A count that ends at a zeroing move needs another table for what it enters there. */
	if (source->plies_only && source->metric->entered) {
		struct probe plies = *p;
		struct el_value value;
		plies.metric = source->metric;
		const enum el_status status = probe_plies(&plies, source, spot, &value, error);
		if (!status)
			*out = el_metric_read(source->metric, p->metric, value);
		return status;
	}
	if (source->left_out >> spot->place.plane & 1)
		return by_other_side(p, source, spot, out, error);
	const bool leaves = source->beside[spot->place.plane];
	if (leaves && p->game->forced_captures)
		return forced_captures(p, source, spot, out, error);
	if (spot->position->en_passant != EL_NO_SQUARE || leaves)
		return with_moves(p, source, spot, out, error);
	return ask(p, source, spot, out, error);
}

/* The table that should answer could not. Asks the others of the slice in their order, doubles too:
   those that tell the metric exactly before those that bound it. */
static enum el_status by_another(const struct probe *p, const struct route *route,
                                 const struct el_source *failed, const struct spot *spot,
                                 enum el_status fault, struct el_value *out)
{
	const struct holding *const lists[] = {route->tables, route->doubles};
	struct el_value bound = {.outcome = EL_UNKNOWN}, value;
	struct el_error why;
	for (unsigned i = 0; i < 2; i++)
		for (const struct holding *h = lists[i]; h; h = h->next) {
			struct el_source *source = h->source;
			const bool tells = catalogue_tells(source, p->metric);
			if (source == failed || !tells || by_source(p, source, spot, &value, &why))
				continue;
			if (!el_outcome_exact(value.outcome)) {
				bound = value;
				continue;
			}
			*out = value;
			return EL_OK;
		}
	if (bound.outcome == EL_UNKNOWN)
		return fault;
	*out = bound;
	return EL_OK;
}

enum el_status probe_value(const struct probe *p, const struct spot *spot, struct el_value *out,
                           struct el_error *error)
{
	const struct route *route = spot_route(p->catalogue, p->game, spot);
	struct el_source *source = NULL;
	if (p->by && spot->placed && spot->place.key == p->by->slice.key &&
	    (p->metric == p->by->metric || el_metric_finds(p->by->metric, p->metric) ||
	     (el_metric_tells(p->by->metric, p->metric) && !p->by->plies_only)))
		source = p->by;
	else if (p->by)
		source = catalogue_of_kind(route, p->by->ops->kind, p->metric);
	if (!source)
		source = catalogue_answering(route, p->metric);

	if (!source && spot->placed && p->partial) {
		const struct holding *fault = catalogue_fault(route, p->metric);
		if (!fault || fault->status == EL_NEGATIVE) { /* missing, rather than unusable */
			*out = (struct el_value){.outcome = EL_UNKNOWN};
			return EL_OK;
		}
	}
	if (!source)
		return by_the_rules(p, spot, route, out, error);
	const enum el_status status = by_source(p, source, spot, out, error);
	return el_is_fault(status) && source != p->by
	               ? by_another(p, route, source, spot, status, out)
	               : status;
}

/* ---- from outside ---- */

enum el_status probe_admit(const struct el_game *game, const struct spot *spot,
                           struct el_error *error)
{
	struct el_error why;
	if (game->legal(spot->position, spot->placed ? &spot->place : NULL))
		return EL_OK;
	game->check(spot->position, &why);
	return el_fail(error, EL_USAGE, "not a legal position: %s", why.text);
}

enum el_status el_library_value(struct el_library *library, const struct el_game *game,
                                const struct el_position *position, const struct el_metric *metric,
                                enum el_probe_mode mode, struct el_value *out,
                                struct el_error *error)
{
	struct spot spot;
	spot_at(game, position, &spot);
	enum el_status status = probe_admit(game, &spot, error);
	if (status)
		return status;
	for (bool tried = false;; tried = true) {
		const struct visit visit = library_enter(library);
		const struct probe p = {
			.catalogue = visit.catalogue,
			.game = game,
			.metric = game->gain ? chooser_of(game, metric) : metric,
			.soft = mode & EL_PROBE_SOFT,
		};
		const struct route *route = spot_route(p.catalogue, game, &spot);
		if (mode & EL_PROBE_TABLES && !catalogue_answering(route, p.metric)) {
			status = by_studies(&p, &spot, out, error);
			if (status == EL_NEGATIVE)
				status = no_table(&p, &spot, route, error);
		} else
			status = probe_value(&p, &spot, out, error);
		const bool open =
			status == EL_NEGATIVE || (!status && el_outcome_bounded(out->outcome));
		struct el_value moves;
		if (open && !(mode & EL_PROBE_TABLES) && el_game_has(game, p.metric) &&
		    (!spot.placed || catalogue_lacks(route))) {
			const enum el_status by_moves =
				from_moves_value(&p, &spot, &moves, status ? error : NULL);
			if (!status && !by_moves) /* a study's bounds, made closer */
				out->outcome =
					(uint8_t)el_outcome_both(out->outcome, moves.outcome);
			else if (status && !(status = by_moves))
				*out = moves;
		}
		library_leave(visit);
		if (!status && p.metric != metric)
			*out = el_metric_read(p.metric, metric, *out);
		if (tried || !library_look_again(library, status))
			return status;
	}
}

bool el_library_answers(struct el_library *library, const struct el_game *game,
                        const struct el_position *position, const struct el_metric *metric)
{
	struct el_place place;
	if (!game->place(position, &place))
		return false;
	const struct visit visit = library_enter(library);
	const bool answers =
		catalogue_answering(catalogue_route(visit.catalogue, game, place.key), metric);
	library_leave(visit);
	return answers;
}

bool el_library_studies(struct el_library *library, const struct el_game *game,
                        const struct el_position *position)
{
	const struct visit visit = library_enter(library);
	const bool found = catalogue_study(visit.catalogue, NULL, game, position);
	library_leave(visit);
	return found;
}
