/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of the plies to the next zeroing move that know no outcomes (el_source.plies_only), and hold
 * anything where such a move keeps what is won: the outcome is asked of other tables first, then the
 * zeroing moves, then the table. One that holds the other side to move alone is asked about what the
 * quiet moves reach.
 */
#include "probe.h"

static struct probe outcomes(const struct probe *p)
{
	struct probe asks = *p;
	asks.metric = el_metric_entered(p->metric);
	return asks;
}

static bool is_won(enum el_outcome outcome)
{
	return outcome > EL_DRAW;
}

/* Of a position with this outcome, where a zeroing move keeps it. */
static struct el_value by_a_zeroing_move(const struct probe *p, enum el_outcome outcome)
{
	const struct el_value reached = {.outcome = (uint8_t)el_outcome_negate(outcome)};
	return el_value_of_move(p->metric, reached, true);
}

/* Does a zeroing move keep the outcome? */
static enum el_status try_zeroing(const struct probe *p, const struct el_position *position,
                                  enum el_outcome outcome, bool *out, struct el_error *error)
{
	const struct probe asks = outcomes(p);
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = p->game->zeroing(position, moves);
	enum el_status status = EL_OK;
	*out = false;
	for (size_t i = 0; i < count && !*out && !status; i++) {
		struct el_position after;
		struct el_value reached;
		p->game->play(position, &moves[i], &after);
		status = probe_value(&asks, &after, &reached, error);
		*out = !status && el_outcome_negate(reached.outcome) == outcome;
	}
	return status;
}

/* ---- the last ply ---- */

static bool is_mate(const struct el_game *game, const struct el_position *position)
{
	struct el_move moves[EL_MOVES_MAX];
	return game->in_check(position) && !game->moves(position, moves);
}

/* A position of one ply, or of two where that is rounded: does a quiet move, of a side that has won one
   that mates, make it what it is? */
static bool has_quiet(const struct el_game *game, const struct el_position *position,
                      const struct el_move *moves, size_t count, bool mating)
{
	bool found = false;
	for (size_t i = 0; i < count && !found; i++) {
		struct el_position after;
		if (game->zeroes(position, &moves[i]))
			continue;
		game->play(position, &moves[i], &after);
		found = !mating || is_mate(game, &after);
	}
	return found;
}

/* What a look at the moves tells of a single ply: the table does not tell it from being mated, nor,
   where it rounds, from two. */
static void settle_last_ply(const struct el_game *game, const struct el_position *position,
                            struct el_value *value)
{
	struct el_move moves[EL_MOVES_MAX];
	const bool won = is_won(value->outcome);
	if (value->plies > 1 || (won && !value->rounded))
		return;
	const size_t count = game->moves(position, moves);
	if (!count)
		value->plies = 0;
	else if (value->rounded && has_quiet(game, position, moves, count, won) != won)
		value->plies = 2;
	value->rounded = false;
}

/* ---- the side that is not there ---- */

/* The value of a quiet move under the table; *fits is false where it does not keep the outcome. */
static enum el_status value_of_quiet(const struct probe *p, struct el_source *source,
                                     const struct el_position *after, struct el_value *out,
                                     struct el_error *error)
{
	struct el_place place;
	struct el_value reached;
	if (!p->game->place(after, &place))
		return el_fail(error, EL_DAMAGED, "%s: a quiet move leads out of it", source->path);
	enum el_status status = probe_plies(p, source, after, &place, &reached, error);
	if (!status)
		*out = el_value_of_move(p->metric, reached, false);
	return status;
}

static enum el_status by_moves(const struct probe *p, struct el_source *source,
                               const struct el_position *position, struct el_value *out,
                               struct el_error *error)
{
	const enum el_outcome outcome = out->outcome;
	const struct el_game *game = p->game;
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = game->moves(position, moves);
	struct el_value best = {.outcome = count ? EL_BROKEN : EL_LOSS};
	enum el_status status = EL_OK;
	for (size_t i = 0; i < count && !status; i++) {
		struct el_position after;
		struct el_value value;
		if (game->zeroes(position, &moves[i])) {
			if (is_won(outcome))
				continue;
			value = by_a_zeroing_move(p, outcome);
		} else {
			game->play(position, &moves[i], &after);
			status = value_of_quiet(p, source, &after, &value, error);
		}
		if (!status)
			best = best.outcome == EL_BROKEN ? value : el_value_max(p->metric, best, value);
	}
	if (!status && best.outcome != outcome)
		return el_fail(error, EL_DAMAGED, "%s: no move keeps an outcome", source->path);
	*out = best;
	return status;
}

/* ---- any of them ---- */

/* Where the right to capture en passant decides, the table, which does not know of it, is not asked. */
static enum el_status look_without_right(const struct probe *p, const struct el_position *position,
                                         struct el_position *seen, enum el_outcome outcome,
                                         bool *decides, struct el_error *error)
{
	const struct probe asks = outcomes(p);
	struct el_move moves[EL_MOVES_MAX];
	struct el_value value;
	*seen = *position;
	*decides = false;
	if (position->en_passant == EL_NO_SQUARE)
		return EL_OK;
	seen->en_passant = EL_NO_SQUARE;
	*decides = !p->game->moves(seen, moves);
	if (*decides)
		return EL_OK;
	enum el_status status = probe_value(&asks, seen, &value, error);
	*decides = !status && value.outcome != outcome;
	return status;
}

static enum el_status plies_of(const struct probe *p, struct el_source *source,
                               const struct el_position *position, const struct el_place *place,
                               struct el_value *out, struct el_error *error)
{
	struct el_position seen;
	bool zeroing = false;
	enum el_status status =
		is_won(out->outcome)
			? try_zeroing(p, position, out->outcome, &zeroing, error)
			: look_without_right(p, position, &seen, out->outcome, &zeroing, error);
	if (status || zeroing) {
		*out = by_a_zeroing_move(p, out->outcome);
		return status;
	}
	const enum el_outcome outcome = out->outcome;
	status = probe_source(p, source, position, place, out, error);
	if (status)
		return status;
	if (out->outcome == EL_UNKNOWN) {
		out->outcome = (uint8_t)outcome;
		return by_moves(p, source, position, out, error);
	}
	settle_last_ply(p->game, position, out);
	return EL_OK;
}

enum el_status probe_plies(const struct probe *p, struct el_source *source,
                           const struct el_position *position, const struct el_place *place,
                           struct el_value *out, struct el_error *error)
{
	const struct probe asks = outcomes(p);
	enum el_status status = probe_placed(&asks, position, place, out, error);
	if (status)
		return status;
	if (!el_outcome_exact(out->outcome))
		return el_fail(error, EL_NEGATIVE, "no %s: the outcome of %s is not known exactly",
		               p->metric->name, source->slice.name);
	out->plies = 0;
	return out->outcome == EL_DRAW ? EL_OK
	                               : plies_of(p, source, position, place, out, error);
}
