/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "moves.h"
#include "core/probe/probe.h"
#include "values.h"

#include <stdio.h>

const char *move_number(const struct el_game *game, unsigned side, unsigned number, bool begins,
                        char out[NUMBER_MAX])
{
	bool is_first = side == game->first_side;
	out[0] = '\0';
	if (is_first || begins)
		snprintf(out, NUMBER_MAX, "%u%s", number, is_first ? "." : "...");
	return out;
}

const char *demand_text(const struct el_ranked *move, char out[DEMAND_MAX])
{
	const struct el_demand *d = &move->demand;
	const bool one = d->mistakes == 1;
	const char *verb = one ? "loses" : "lose";
	if (move->outcome < EL_DRAW)
		verb = one ? "throws away the win" : "throw away the win";
	out[0] = '\0';
	if (d->mistakes)
		snprintf(out, DEMAND_MAX, "%u of %u %s %s", d->mistakes, d->replies,
		         d->replies == 1 ? "reply" : "replies", verb);
	return out;
}

const char *line_end_text(const struct el_game *game, enum el_line_end end,
                          const struct el_position *last, unsigned rule, char out[LINE_END_MAX])
{
	out[0] = '\0';
	if (end == EL_LINE_OVER && game->stuck(last) == EL_DRAW)
		snprintf(out, LINE_END_MAX, "%s", kind_words(el_game_metric(game))->stalemate);
	else if (end == EL_LINE_BARE)
		snprintf(out, LINE_END_MAX, "bare kings");
	else if (end == EL_LINE_REPEATED)
		snprintf(out, LINE_END_MAX, "repetition");
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
	return none || !strncmp(value, "a ", 2) ? "" : "a ";
}

/* "4 plies"; plies too where less than a move was lost. */
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

/* Of a move that was as good as any. */
static void kept_text(const struct el_move_verdict *v, const char *san, const char *best, char *out,
                      size_t size)
{
	const bool is_deep = value_is_deep(v->metric, v->best);
	if (v->best.outcome >= EL_DRAW)
		snprintf(out, size, "%s kept %s%s", san, is_deep ? value_article(best) : "the ",
		         best);
	else if (is_deep)
		snprintf(out, size, "%s was the %s defence: %s", san,
		         kind_words(v->metric)->defence, best);
	else
		snprintf(out, size, "%s: every move loses", san);
}

void quality_text(const struct el_move_verdict *v, const char *san, bool in_moves, char *out,
                  size_t size)
{
	const enum el_outcome best = v->best.outcome, got = v->got.outcome;
	const bool is_deep = value_is_deep(v->metric, v->best);
	char value[SENTENCE_MAX], cost[32];
	value_short(v->metric, v->best, in_moves, value);
	if (!el_outcome_exact(best) || !el_outcome_exact(got)) {
		snprintf(out, size, "%s: what it kept is unknown", san);
	} else if (el_value_matches(v->best, v->got)) {
		kept_text(v, san, value, out, size);
	} else if (best == got) {
		cost_text(v, in_moves, cost, sizeof cost);
		snprintf(out, size, "%s cost %s (best: %s%s)", san, cost, value_article(value),
		         value);
	} else {
		snprintf(out, size, "%s threw away %s%s", san,
		         is_deep ? value_article(value) : "the ", value);
	}
}
