/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "moves.h"
#include "games.h"
#include "numbers.h"
#include "values.h"

#include <stdio.h>
#include <string.h>

const char *move_number(const struct el_game *game, unsigned side, unsigned number, bool begins,
                        char out[NUMBER_MAX])
{
	bool is_first = side == game->first_side;
	out[0] = '\0';
	if (is_first || begins)
		snprintf(out, NUMBER_MAX, "%u%s", number, is_first ? "." : "...");
	return out;
}

const char *demand_text(const struct el_answer *a, size_t i, bool brief, char out[DEMAND_MAX])
{
	const struct el_ranked *move = &a->moves[i];
	const struct el_demand *d = &move->demand;
	const bool one = d->mistakes == 1;
	const char *side = a->game->sides[!a->position.side];
	const char *verb = one ? "loses" : "lose";
	if (move->outcome < EL_DRAW)
		verb = one ? "throws away the win" : "throw away the win";
	out[0] = '\0';
	if (d->mistakes)
		snprintf(out, DEMAND_MAX, "%u of %s%s%u %s %s", d->mistakes, brief ? "" : side,
		         brief ? "" : "'s ", d->replies, d->replies == 1 ? "reply" : "replies",
		         verb);
	return out;
}

const char *line_end_text(const struct el_game *game, enum el_line_end end,
                          const struct el_position *last, unsigned rule, char out[LINE_END_MAX])
{
	out[0] = '\0';
	if (end == EL_LINE_OVER && game->stuck(last).outcome == EL_DRAW)
		snprintf(out, LINE_END_MAX, "%s", kind_words(el_game_metric(game))->stalemate);
	else if (end == EL_LINE_BARE)
		snprintf(out, LINE_END_MAX, "bare kings");
	else if (end == EL_LINE_REPEATED)
		snprintf(out, LINE_END_MAX, "repetition");
	else if (end == EL_LINE_HELD)
		snprintf(out, LINE_END_MAX, "repetition: no safe capture or pawn move");
	else if (end == EL_LINE_RUN_OUT)
		snprintf(out, LINE_END_MAX, "draw by the %u-move rule", rule);
	else if (end == EL_LINE_UNKNOWN)
		snprintf(out, LINE_END_MAX, "unknown from here on");
	return out;
}

const char *hand_text(const struct el_game *game, const struct el_position *p, char out[HAND_MAX])
{
	out[0] = '\0';
	if (el_position_has_hand(p))
		snprintf(out, HAND_MAX, "in hand: %s %u, %s %u", game->sides[EL_WHITE],
		         p->hand[EL_WHITE], game->sides[EL_BLACK], p->hand[EL_BLACK]);
	return out;
}

const char *value_article(const char *value)
{
	const bool none = !strncmp(value, "mate", 4) || !strncmp(value, "zeroing", 7);
	return none || !strncmp(value, "a ", 2) || !strncmp(value, "at ", 3) ? "" : "a ";
}

/* "4 plies"; plies also if less than a move was lost. */
static void cost_text(const struct el_move_verdict *v, bool in_moves, char *out, size_t size)
{
	const unsigned got = depth_shown(v->metric, v->got.plies, in_moves);
	const unsigned best = depth_shown(v->metric, v->best.plies, in_moves);
	unsigned lost = got > best ? got - best : best - got;
	if (lost)
		snprintf(out, size, "%u %s", lost, depth_unit_of(v->metric, lost, in_moves));
	else
		cost_text(v, false, out, size);
}

void quality_text(const struct el_move_verdict *v, const char *san, bool in_moves, char *out,
                  size_t size)
{
	const enum el_outcome best = v->best.outcome, got = v->got.outcome;
	const bool is_deep = value_is_deep(v->metric, v->best);
	char value[SENTENCE_MAX], cost[32];
	value_short(v->metric, v->best, in_moves, value);
	if (!el_outcome_exact(best) || !el_outcome_exact(got)) {
		snprintf(out, size, "%s: no table says what it was worth", san);
	} else if (el_value_matches(v->best, v->got)) {
		/* For a move that was as good as any. */
		if (v->best.outcome >= EL_DRAW)
			snprintf(out, size, "%s kept %s%s", san,
			         is_deep ? value_article(value) : "the ", value);
		else if (is_deep)
			snprintf(out, size, "%s was the %s defence: %s", san,
			         kind_words(v->metric)->defence, value);
		else
			snprintf(out, size, "%s: every move loses", san);
	} else if (best == got) {
		cost_text(v, in_moves, cost, sizeof cost);
		snprintf(out, size, "%s cost %s (best: %s%s)", san, cost, value_article(value),
		         value);
	} else {
		snprintf(out, size, "%s threw away %s%s", san,
		         is_deep ? value_article(value) : "the ", value);
	}
}

/* ---- verdicts ---- */

/* "win", "draw", "loss"; a win too late counts as a draw. */
static const char *level_word(enum el_outcome outcome)
{
	return outcome == EL_WIN ? "win" : outcome == EL_LOSS ? "loss" : "draw";
}

/*
 * "mate in 23 plies (12 moves)" after `before`; if the metric counts to what was already said ("win
 * in 42 moves"), only the rest, after `said`. Empty without a depth.
 */
static const char *depth_of(const struct el_move_verdict *v, struct el_value value, bool in_moves,
                            const char *before, const char *said, char out[SENTENCE_MAX])
{
	char sentence[SENTENCE_MAX - 8];
	out[0] = '\0';
	if (!v->metric || !value_is_deep(v->metric, value))
		return out;
	snprintf(sentence, sizeof sentence, "%s",
	         value_sentence(v->metric, value, in_moves, (char[SENTENCE_MAX]){""}));
	const char *word = level_word(value.outcome), *rest = sentence + strlen(word);
	if (!strncmp(sentence, word, strlen(word)) && !strncmp(rest, " in ", 4))
		snprintf(out, SENTENCE_MAX, "%s%s", said, rest + 4);
	else
		snprintf(out, SENTENCE_MAX, "%s%s", before, sentence);
	return out;
}

static const char *late_words(enum el_outcome outcome)
{
	if (outcome == EL_CURSED_WIN)
		return " (the win takes too long)";
	return outcome == EL_BLESSED_LOSS ? " (the loss takes too long)" : "";
}

bool verdict_bounds(const struct el_move_verdict *v)
{
	return v->kind == EL_VERDICT_UNKNOWN && v->before != EL_UNKNOWN && v->after != EL_UNKNOWN &&
	       (el_outcome_bounded(v->before) || el_outcome_bounded(v->after));
}

const char *verdict_text(const struct el_game *game, const struct el_position *before,
                         const struct el_move_verdict *v, bool in_moves, char out[VERDICT_MAX])
{
	out[0] = '\0';
	switch (v->kind) {
	case EL_VERDICT_UNKNOWN:
		if (!verdict_bounds(v))
			snprintf(out, VERDICT_MAX, "no table says what this move was worth");
		else if (v->before == v->after)
			snprintf(out, VERDICT_MAX, "%s", outcome_words(v->after));
		else
			snprintf(out, VERDICT_MAX, "%s now, %s before", outcome_words(v->after),
			         outcome_words(v->before));
		break;
	case EL_VERDICT_BEYOND:
		snprintf(out, VERDICT_MAX, "more %s than any table you have", pieces_word(game));
		break;
	case EL_VERDICT_KEPT: {
		char depth[SENTENCE_MAX], cost[64] = ""; /* ", cost 4 plies" */
		if (v->lost && v->before == EL_LOSS)
			snprintf(cost, sizeof cost, ", %u %s %s than necessary", v->lost,
			         depth_unit_of(v->metric, v->lost, false),
			         kind_words(v->metric)->worse[1]);
		else if (v->lost)
			snprintf(cost, sizeof cost, ", cost %u %s", v->lost,
			         depth_unit_of(v->metric, v->lost, false));
		depth_of(v, v->got, in_moves, ": ", *cost ? ": " : " in ", depth);
		if (v->before == EL_LOSS)
			snprintf(out, VERDICT_MAX, "lost%s%s", cost, depth);
		else
			snprintf(out, VERDICT_MAX, "%s the %s%s%s%s",
			         v->only ? "only move to keep" : "kept", level_word(v->before),
			         late_words(v->after), cost, depth);
		break;
	}
	case EL_VERDICT_THREW:
	case EL_VERDICT_MISSED: {
		/* "threw away the win; Kc5 kept mate in 23 plies (12 moves)" */
		const bool missed = v->kind == EL_VERDICT_MISSED, won = v->before == EL_WIN;
		char depth[SENTENCE_MAX], san[EL_MOVE_MAX];
		game->write_move(before, &v->better, EL_SAN, san);
		depth_of(v, v->best, in_moves, missed ? " had " : " kept ", " won in ", depth);
		snprintf(out, VERDICT_MAX, "%s the %s%s%s; %s%s", missed ? "missed" : "threw away",
		         level_word(v->before), v->mark == EL_MARK_BLUNDER ? " and now loses" : "",
		         late_words(v->after), san,
		         *depth   ? depth
		         : missed ? (won ? " won" : " drew")
		                  : (won ? " kept it" : " held it"));
		break;
	}
	}
	return out;
}

const char *verdict_brief(const struct el_game *game, const struct el_position *before,
                          const struct el_move_verdict *v, bool in_moves, int cells,
                          char out[VERDICT_MAX])
{
	static const char in_full[] = " than necessary";
	const bool lost = v->before == EL_LOSS, won = v->before == EL_WIN;
	const bool deep = v->metric && (won || lost) && value_is_deep(v->metric, v->got);
	char san[EL_MOVE_MAX], depth[SENTENCE_MAX + 2] = "", more[40] = "";
	out[0] = '\0';
	if (v->kind == EL_VERDICT_KEPT) {
		if (deep)
			snprintf(depth, sizeof depth, " %s %u",
			         kind_words(v->metric)->has_moves ? "in" : "by",
			         depth_shown(v->metric, v->got.plies, in_moves));
		/* Where there is room, a count that ends before the game says where. */
		char counted[SENTENCE_MAX];
		if (deep && v->metric->join != EL_JOIN_SUM && !v->lost && !v->only &&
		    kind_words(v->metric)->has_moves)
			snprintf(depth, sizeof depth, ", %s",
			         value_short(v->metric, v->got, in_moves, counted));
		if (deep && v->lost)
			snprintf(more, sizeof more, ", %u %s %s", v->lost,
			         depth_unit_of(v->metric, v->lost, false),
			         kind_words(v->metric)->worse[lost]);
		const int used = snprintf(out, VERDICT_MAX, "%s%s%s",
		                          lost ? "lost" : level_word(v->before), depth,
		                          *more     ? more
		                          : v->only ? ", only move"
		                                    : "");
		if (lost && *more && used + (int)strlen(in_full) <= cells)
			strcpy(out + used, in_full);
	} else if (v->kind == EL_VERDICT_THREW || v->kind == EL_VERDICT_MISSED) {
		game->write_move(before, &v->better, EL_SAN, san);
		if (v->after == EL_LOSS)
			snprintf(out, VERDICT_MAX, "loses; %s %s", san,
			         v->before == EL_WIN ? "won" : "held the draw");
		else
			snprintf(out, VERDICT_MAX, "%s the win; %s won",
			         v->kind == EL_VERDICT_MISSED ? "missed" : "threw away", san);
	} else if (verdict_bounds(v)) {
		snprintf(out, VERDICT_MAX, "%s", outcome_words(v->after));
	}
	return out;
}

const char *extent_text(const struct el_line_sum *sum, char out[EXTENT_MAX])
{
	const unsigned judged = sum->side[EL_WHITE].judged + sum->side[EL_BLACK].judged;
	const char *half_moves = plural(sum->moves, "half-move", "half-moves");
	if (judged)
		snprintf(out, EXTENT_MAX, "%u of %u %s judged, from move %u", judged, sum->moves,
		         half_moves, sum->from);
	else
		snprintf(out, EXTENT_MAX, "none of %u %s judged", sum->moves, half_moves);
	return out;
}

const char *mistake_words(enum el_outcome before, enum el_outcome after)
{
	return before != EL_WIN   ? "throws the draw"
	       : after == EL_LOSS ? "turns a win into a loss"
	                          : "throws the win";
}
