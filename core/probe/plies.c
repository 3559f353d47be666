/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of the plies to the next zeroing move that know no outcomes (el_source.plies_only), and
 * hold anything where such a move keeps what is won: the outcome is asked of other tables first,
 * then the zeroing moves, then the table. One that holds the other side to move alone is asked
 * about what the quiet moves reach.
 */
#include "inside.h"

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
	return el_value_of_move(p->metric, reached, true, 0);
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

/* A position of one ply, or of two where that is rounded: does a quiet move, of a side that has won
   one that mates, make it what it is? */
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

/* ---- the side that is there ---- */

/* Where the right to capture en passant decides, the table, which does not know of it, is not
   asked. */
static enum el_status try_right(const struct probe *p, const struct el_position *position,
                                enum el_outcome outcome, bool *decides, struct el_error *error)
{
	const struct probe asks = outcomes(p);
	struct el_position seen = *position;
	struct el_move moves[EL_MOVES_MAX];
	struct el_value value;
	enum el_status status = EL_OK;
	*decides = false;
	if (position->en_passant == EL_NO_SQUARE)
		return EL_OK;
	seen.en_passant = EL_NO_SQUARE;
	*decides = !p->game->moves(&seen, moves);
	if (!*decides) {
		status = probe_value(&asks, &seen, &value, error);
		*decides = !status && value.outcome != outcome;
	}
	return status;
}

/* Adds the plies to an outcome; EL_UNKNOWN where the table holds the other side to move. */
static enum el_status ask(const struct probe *p, struct el_source *source,
                          const struct el_position *position, const struct el_place *place,
                          struct el_value *out, struct el_error *error)
{
	const enum el_outcome outcome = out->outcome;
	bool zeroing = false;
	enum el_status status = is_won(outcome) ? try_zeroing(p, position, outcome, &zeroing, error)
	                                        : try_right(p, position, outcome, &zeroing, error);
	if (status)
		return status;
	if (zeroing) {
		*out = by_a_zeroing_move(p, outcome);
		return EL_OK;
	}
	status = probe_source(p, source, position, place, out, error);
	if (!status && out->outcome == EL_BROKEN)
		return el_fail(error, EL_DAMAGED, "%s: a depth that its outcome cannot have",
		               source->path);
	if (!status && out->outcome != EL_UNKNOWN)
		settle_last_ply(p->game, position, out);
	return status;
}

static enum el_status outcome_of(const struct probe *p, const struct el_position *position,
                                 const struct el_place *place, struct el_value *out,
                                 struct el_error *error)
{
	const struct probe asks = outcomes(p);
	enum el_status status = probe_placed(&asks, position, place, out, error);
	if (status)
		return status;
	if (!el_outcome_exact(out->outcome))
		return el_fail(error, EL_NEGATIVE, "no %s: an outcome is not known exactly",
		               p->metric->name);
	out->plies = 0;
	return EL_OK;
}

/* ---- the side that is not ---- */

/* A position whose moves are looked at for the best. */
struct search {
	const struct probe *p;
	struct el_source *source;
	/* of its quiet moves: the plane alone, which is all that is asked for */
	struct el_place reached;
	enum el_outcome outcome; /* of the position */
	struct el_value best;    /* of its moves so far; EL_BROKEN: none yet */
};

static void take(struct search *s, struct el_value value)
{
	s->best = s->best.outcome == EL_BROKEN ? value : el_value_max(s->p->metric, s->best, value);
}

/*
 * What the move into a position is worth by what the table has for it, if its outcome is the
 * opposite one. Where it is not, or where a zeroing move keeps it, the table has anything; but then
 * the move is worth less than that, or the least that there is. So no more than the best claims
 * need be looked at. EL_UNKNOWN: that cannot be told.
 */
static enum el_status claim_of(const struct search *s, const struct el_position *after,
                               struct el_value *out, struct el_error *error)
{
	struct el_value reached = {.outcome = (uint8_t)el_outcome_negate(s->outcome)};
	out->outcome = EL_UNKNOWN;
	if (s->outcome != EL_WIN && s->outcome != EL_LOSS)
		return EL_OK;
	enum el_status status = probe_source(s->p, s->source, after, &s->reached, &reached, error);
	if (!status && el_outcome_exact(reached.outcome) && reached.plies > 1)
		*out = el_value_of_move(s->p->metric, reached, false, 0);
	return status;
}

static enum el_status look_at_quiet(struct search *s, const struct el_position *after,
                                    struct el_error *error)
{
	struct el_place place;
	struct el_value reached = {.outcome = EL_WIN};
	enum el_status status = EL_OK;
	if (!s->p->game->place(after, &place) || place.key != s->source->slice.key)
		return el_fail(error, EL_DAMAGED, "%s: a quiet move leads out of it",
		               s->source->path);
	if (s->outcome != EL_LOSS) /* then all moves lose */
		status = outcome_of(s->p, after, &place, &reached, error);
	if (!status && reached.outcome != EL_DRAW)
		status = ask(s->p, s->source, after, &place, &reached, error);
	if (status)
		return status;
	if (reached.outcome == EL_UNKNOWN)
		return el_fail(error, EL_DAMAGED, "%s: neither side to move is in it",
		               s->source->path);
	take(s, el_value_of_move(s->p->metric, reached, false, 0));
	return EL_OK;
}

/* The claim that is better than the best so far, and than all others; `count`: none is. */
static size_t best_claim(const struct search *s, const struct el_value *claims, size_t count)
{
	struct el_value best = s->best;
	size_t found = count;
	for (size_t i = 0; i < count; i++) {
		if (claims[i].outcome == EL_BROKEN ||
		    (best.outcome != EL_BROKEN &&
		     el_value_compare(s->p->metric, claims[i], best) <= 0))
			continue;
		best = claims[i];
		found = i;
	}
	return found;
}

/* Notes the claims of quiet moves, and takes what is none: EL_BROKEN. A side that has won does so
   by a quiet move: the others were tried. */
static enum el_status first_look(struct search *s, const struct el_position *position,
                                 const struct el_move *move, struct el_value *claim,
                                 struct el_error *error)
{
	struct el_position after;
	claim->outcome = EL_BROKEN;
	if (s->p->game->zeroes(position, move)) {
		if (!is_won(s->outcome))
			take(s, by_a_zeroing_move(s->p, s->outcome));
		return EL_OK;
	}
	s->p->game->play(position, move, &after);
	enum el_status status = claim_of(s, &after, claim, error);
	if (!status && claim->outcome == EL_UNKNOWN) {
		claim->outcome = EL_BROKEN;
		status = look_at_quiet(s, &after, error);
	}
	return status;
}

static enum el_status by_moves(struct search *s, const struct el_position *position,
                               struct el_error *error)
{
	const struct el_game *game = s->p->game;
	struct el_move moves[EL_MOVES_MAX];
	struct el_value claims[EL_MOVES_MAX];
	const size_t count = game->moves(position, moves);
	enum el_status status = EL_OK;
	s->best = (struct el_value){.outcome = count ? EL_BROKEN : EL_LOSS};
	for (size_t i = 0; i < count && !status; i++)
		status = first_look(s, position, &moves[i], &claims[i], error);
	for (size_t i; !status && (i = best_claim(s, claims, count)) < count;) {
		struct el_position after;
		game->play(position, &moves[i], &after);
		status = look_at_quiet(s, &after, error);
		claims[i].outcome = EL_BROKEN;
	}
	if (!status && s->best.outcome != s->outcome)
		return el_fail(error, EL_DAMAGED, "%s: no move keeps an outcome", s->source->path);
	return status;
}

enum el_status probe_plies(const struct probe *p, struct el_source *source,
                           const struct el_position *position, const struct el_place *place,
                           struct el_value *out, struct el_error *error)
{
	struct el_value value = {.outcome = EL_DRAW};
	enum el_status status = outcome_of(p, position, place, &value, error);
	struct search search = {
		.p = p,
		.source = source,
		.reached = {.key = place->key, .plane = !place->plane && source->slice.planes > 1},
		.outcome = value.outcome,
	};
	if (!status && value.outcome != EL_DRAW)
		status = ask(p, source, position, place, &value, error);
	if (!status && value.outcome == EL_UNKNOWN) {
		status = by_moves(&search, position, error);
		value = search.best;
	}
	if (!status)
		*out = value;
	return status;
}
