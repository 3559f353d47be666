/* SPDX-License-Identifier: MIT */
/*
 * Tables of plies that know no outcomes (el_source.plies_only). A probe asks other tables for the
 * outcome first.
 *
 * Plies to the next zeroing move: tables of Syzygy and chesstb, and ours with EL_DERIVE_OUTCOMES. They
 * hold anything if such a move keeps the win. So the probe tries zeroing moves, then asks the table.
 * If the table has only the other side to move, or only losses, the probe asks it about the positions
 * that quiet moves reach.
 *
 * Plies to mate: tables of chesstb. If the table lacks the position, all moves are tried.
 */
#include "inside.h"

static struct probe outcomes(const struct probe *p)
{
	struct probe asks = *p;
	asks.metric = el_metric_outcome(p->metric);
	return asks;
}

static bool is_won(enum el_outcome outcome)
{
	return outcome > EL_DRAW;
}

/* The value of a position whose outcome a zeroing move keeps. */
static struct el_value by_a_zeroing_move(const struct probe *p, enum el_outcome outcome)
{
	const struct el_value reached = {.outcome = (uint8_t)el_outcome_negate(outcome)};
	return el_value_of_move(p->metric, reached, true, 0);
}

/* Does a zeroing move keep the outcome? */
static enum el_status try_zeroing(const struct probe *p, const struct spot *spot,
                                  enum el_outcome outcome, bool *out, struct el_error *error)
{
	const struct probe asks = outcomes(p);
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = p->game->zeroing(spot->position, moves);
	enum el_status status = EL_OK;
	*out = false;
	for (size_t i = 0; i < count && !*out && !status; i++) {
		struct step step;
		struct el_value reached;
		step_take(p->game, spot, &moves[i], &step);
		status = probe_value(&asks, &step.to, &reached, error);
		*out = !status && el_outcome_negate(reached.outcome) == outcome;
	}
	return status;
}

/* Does the right to capture en passant decide? Then the table, which ignores it, is not asked. */
static enum el_status try_right(const struct probe *p, const struct spot *spot,
                                enum el_outcome outcome, bool *decides, struct el_error *error)
{
	const struct probe asks = outcomes(p);
	struct el_position without_right;
	const struct spot seen = spot_without_right(spot, &without_right);
	struct el_move moves[EL_MOVES_MAX];
	struct el_value value;
	enum el_status status = EL_OK;
	*decides = false;
	if (spot->position->en_passant == EL_NO_SQUARE)
		return EL_OK;
	*decides = !p->game->moves(seen.position, moves);
	if (!*decides) {
		status = probe_value(&asks, &seen, &value, error);
		*decides = !status && value.outcome != outcome;
	}
	return status;
}

/* ---- the last ply ---- */

/* Settles a single ply by its moves: the table does not distinguish it from checkmate, nor, if it
   rounds, from two plies. Only a zeroing move, which was tried before, wins in one ply that is too late;
   a loss that is saved may go on. */
static void settle_last_ply(const struct el_game *game, const struct el_position *position,
                            struct el_value *value)
{
	struct el_move moves[EL_MOVES_MAX], replies[EL_MOVES_MAX];
	const bool won = is_won(value->outcome);
	if (value->plies > 1 || (won && !value->rounded) || value->outcome == EL_BLESSED_LOSS)
		return;
	const size_t count = game->moves(position, moves);
	bool found = false; /* a quiet move; if the mover has won, one that mates */
	for (size_t i = 0; i < count && value->rounded && !found; i++) {
		struct el_position after;
		if (game->zeroes(position, &moves[i]))
			continue;
		game->play(position, &moves[i], &after);
		found = !won || (game->in_check(&after) && !game->moves(&after, replies));
	}
	if (!count)
		value->plies = 0;
	else if (value->rounded && found != won)
		value->plies = 2;
	value->rounded = false;
}

/* ---- the side that the table has ---- */

/* Adds the plies to an outcome; EL_UNKNOWN if the table holds the other side to move. */
static enum el_status ask(const struct probe *p, struct el_source *source, const struct spot *spot,
                          struct el_value *out, struct el_error *error)
{
	const enum el_outcome outcome = out->outcome;
	bool zeroing = false;
	enum el_status status = is_won(outcome) ? try_zeroing(p, spot, outcome, &zeroing, error)
	                                        : try_right(p, spot, outcome, &zeroing, error);
	if (status)
		return status;
	if (zeroing) {
		*out = by_a_zeroing_move(p, outcome);
		return EL_OK;
	}
	status = probe_source(p, source, spot, out, error);
	if (!status && out->outcome == EL_BROKEN)
		return probe_damage(p, source, "a depth that its outcome cannot have", error);
	if (!status && out->outcome != EL_UNKNOWN)
		settle_last_ply(p->game, spot->position, out);
	return status;
}

static enum el_status outcome_of(const struct probe *p, const struct spot *spot,
                                 struct el_value *out, struct el_error *error)
{
	const struct probe asks = outcomes(p);
	enum el_status status = probe_value(&asks, spot, out, error);
	if (status)
		return status;
	if (!el_outcome_exact(out->outcome))
		return el_fail(error, EL_NEGATIVE, "no %s: an outcome is not known exactly",
		               p->metric->name);
	out->plies = 0;
	return EL_OK;
}

/* ---- the side that it lacks ---- */

/* The search for a position's best move. */
struct search {
	const struct probe *p;
	struct el_source *source;
	enum el_outcome outcome; /* of the position */
	struct el_value best;    /* of its moves so far; EL_BROKEN: none yet */
};

/* Values the quiet move into a position of the slice exactly, unless it gives up a win. */
static enum el_status look_at_quiet(struct search *s, const struct spot *after,
                                    struct el_error *error)
{
	struct el_value reached = {.outcome = EL_WIN};
	enum el_status status = EL_OK;
	if (!after->placed || after->place.key != s->source->slice.key)
		return probe_damage(s->p, s->source, "a quiet move leads out of it", error);
	if (s->outcome != EL_LOSS) /* for a loss, all moves lose */
		status = outcome_of(s->p, after, &reached, error);
	if (status || (is_won(s->outcome) && reached.outcome >= EL_DRAW))
		return status;
	if (reached.outcome != EL_DRAW)
		status = ask(s->p, s->source, after, &reached, error);
	if (status)
		return status;
	if (reached.outcome == EL_UNKNOWN)
		return probe_damage(s->p, s->source, "neither side to move is in it", error);
	value_raise(s->p->metric, &s->best, el_value_of_move(s->p->metric, reached, false, 0));
	return EL_OK;
}

/*
 * The claim of a quiet move: its value by the table's entry for its successor, if that has the
 * opposite outcome. If it does not, or if a zeroing move keeps it, the entry may be anything; but
 * then the move is worth less than that, or the least possible. So only the best claims need a
 * look. Other moves, and those whose claim is uncertain, are valued at once and claim EL_BROKEN. A
 * winning side wins by a quiet move: zeroing moves were tried before.
 */
static enum el_status first_look(struct search *s, const struct step *step, struct el_value *claim,
                                 struct el_error *error)
{
	struct el_value reached = {.outcome = (uint8_t)el_outcome_negate(s->outcome)};
	enum el_status status = EL_OK;
	claim->outcome = EL_BROKEN;
	if (s->p->game->zeroes(step->from->position, step->move)) {
		if (!is_won(s->outcome))
			value_raise(s->p->metric, &s->best, by_a_zeroing_move(s->p, s->outcome));
		return EL_OK;
	}
	const bool timely = s->outcome == EL_WIN || s->outcome == EL_LOSS;
	if (timely)
		status = probe_source(s->p, s->source, &step->to, &reached, error);
	if (status)
		return status;
	if (timely && el_outcome_exact(reached.outcome) && reached.plies > 1) {
		*claim = el_value_of_move(s->p->metric, reached, false, 0);
		return EL_OK;
	}
	return look_at_quiet(s, &step->to, error);
}

static enum el_status by_moves(struct search *s, const struct spot *spot, struct el_error *error)
{
	struct el_move moves[EL_MOVES_MAX];
	struct el_value claims[EL_MOVES_MAX];
	struct step step;
	const size_t count = s->p->game->moves(spot->position, moves);
	enum el_status status = EL_OK;
	s->best = (struct el_value){.outcome = count ? EL_BROKEN : EL_LOSS};
	for (size_t i = 0; i < count && !status; i++) {
		step_take(s->p->game, spot, &moves[i], &step);
		status = first_look(s, &step, &claims[i], error);
	}
	while (!status) {
		/* The best claim, if it beats the best value so far. */
		struct el_value best = s->best;
		size_t found = count;
		for (size_t i = 0; i < count; i++)
			if (claims[i].outcome != EL_BROKEN &&
			    (best.outcome == EL_BROKEN ||
			     el_value_compare(s->p->metric, claims[i], best) > 0)) {
				best = claims[i];
				found = i;
			}
		if (found == count)
			break;
		step_take(s->p->game, spot, &moves[found], &step);
		status = look_at_quiet(s, &step.to, error);
		claims[found].outcome = EL_BROKEN;
	}
	if (!status && s->best.outcome != s->outcome)
		return probe_damage(s->p, s->source, "no move keeps an outcome", error);
	return status;
}

enum el_status probe_plies(const struct probe *p, struct el_source *source, const struct spot *spot,
                           struct el_value *out, struct el_error *error)
{
	struct el_value value = {.outcome = EL_DRAW};
	enum el_status status = outcome_of(p, spot, &value, error);
	struct search search = {.p = p, .source = source, .outcome = value.outcome};
	if (!status && value.outcome != EL_DRAW)
		status = ask(p, source, spot, &value, error);
	if (!status && value.outcome == EL_UNKNOWN) {
		status = by_moves(&search, spot, error);
		value = search.best;
	}
	if (!status)
		*out = value;
	return status;
}

/* ---- plies to mate ---- */

/* A position that the table lacks is worth its best move. A winning side needs only the moves that keep
   the win: others may lead to positions that the table lacks as well, and back. */
static enum el_status mate_by_moves(const struct probe *p, struct el_source *source,
                                    const struct spot *spot, enum el_outcome outcome,
                                    struct el_value *out, struct el_error *error)
{
	const struct probe asks = outcomes(p);
	struct probe inside = *p;
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = p->game->moves(spot->position, moves);
	const bool too_late = p->metric->by_clock && spot->position->halfmove >= p->metric->limit;
	struct el_value best = {.outcome = EL_BROKEN};
	enum el_status status = EL_OK;
	inside.by = source;
	if (!count)
		best = p->game->stuck(spot->position);
	else if (too_late)
		best.outcome = (uint8_t)el_outcome_too_late(outcome);
	for (size_t i = 0; i < count && !too_late && !status; i++) {
		struct step step;
		struct el_value reached = {.outcome = EL_LOSS};
		step_take(p->game, spot, &moves[i], &step);
		if (is_won(outcome))
			status = probe_value(&asks, &step.to, &reached, error);
		if (!status && reached.outcome == EL_LOSS)
			status = probe_moves(&inside, spot, &moves[i], 1, &best, error);
	}
	if (!status && (best.outcome == EL_DRAW || is_won(best.outcome) != is_won(outcome) ||
	                best.outcome == EL_BROKEN))
		return probe_damage(p, source, "no move keeps an outcome", error);
	*out = best;
	return status;
}

enum el_status probe_mate(const struct probe *p, struct el_source *source, const struct spot *spot,
                          struct el_value *out, struct el_error *error)
{
	struct probe mates = *p;
	mates.metric = source->metric;
	enum el_status status = outcome_of(&mates, spot, out, error);
	if (status || out->outcome == EL_DRAW)
		return status;
	const enum el_outcome outcome = out->outcome;
	status = probe_source(&mates, source, spot, out, error);
	return status || out->outcome != EL_UNKNOWN
	               ? status
	               : mate_by_moves(&mates, source, spot, outcome, out, error);
}
