/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/array.h"
#include "core/probe/probe.h"
#include "practice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- how it ends ---- */

enum { TIMES = 3 }; /* occurrences of a position that end the game */

static unsigned times_there(const struct practice_game *g, const struct el_position *position)
{
	unsigned times = 0;
	for (size_t i = 0; i < g->count; i++)
		times += el_position_equal(&g->plies[i].before, position);
	return times;
}

/* In stones: the user's gain over the opponent since the start. */
static int gained(const struct practice_game *g, const struct el_position *now)
{
	const struct el_position *start = &g->score.start;
	const int own = now->stores[g->user] - start->stores[g->user];
	return own - (now->stores[!g->user] - start->stores[!g->user]);
}

/* Did the user's last move miss the goal? In stones, the gain so far plus the position's value must
   still meet the exercise's goal. */
static bool is_thrown(const struct practice_game *g)
{
	const struct practice_ply *last = practice_last(g);
	const enum exercise_name exercise = g->score.exercise;
	if (!last || exercise == EXERCISE_SURVIVE)
		return false;
	if (!g->game->sows || exercise == EXERCISE_ONLY)
		return last->verdict.kind == EL_VERDICT_THREW;
	const int sum = gained(g, &last->before) + el_value_stones(last->verdict.got);
	return exercise == EXERCISE_WIN ? sum <= 0 : sum < 0;
}

static bool is_stuck(const struct practice_game *g)
{
	struct el_move moves[EL_MOVES_MAX];
	return !g->game->moves(&g->now, moves);
}

/* The user's total gain if the game ends here: a side that cannot move loses the stones left;
   endless play shares them. */
static int gained_in_all(const struct practice_game *g)
{
	const int left = is_stuck(g) ? (int)el_piece_count(&g->now) : 0;
	return gained(g, &g->now) + (practice_is_users_turn(g) ? -left : left);
}

static enum practice_end end_of(const struct practice_game *g)
{
	enum { PLIES_HELD = 2 * PRACTICE_HOLD_MOVES };
	const enum exercise_name exercise = g->score.exercise;
	const bool often = times_there(g, &g->now) + 1 >= TIMES;
	if (is_thrown(g))
		return PRACTICE_THROWN;
	if (exercise == EXERCISE_ONLY)
		return g->count ? PRACTICE_FOUND : PRACTICE_GOING;
	if (g->game->sows && (is_stuck(g) || often || g->now.halfmove >= g->limit)) {
		const int sum = gained_in_all(g);
		return sum > 0 ? PRACTICE_WON : sum < 0 ? PRACTICE_LOST : PRACTICE_HELD;
	}
	if (is_stuck(g))
		return g->game->stuck(&g->now).outcome != EL_LOSS ? PRACTICE_STALEMATE
		       : practice_is_users_turn(g)                ? PRACTICE_LOST
		                                                  : PRACTICE_WON;
	if (!g->game->sows && g->game->drawn(&g->now))
		return PRACTICE_BARE;
	if (often)
		return PRACTICE_REPEATED;
	if (g->limit && g->now.halfmove >= g->limit)
		return PRACTICE_FIFTY;
	return exercise == EXERCISE_HOLD && g->count + 1 >= PLIES_HELD ? PRACTICE_HELD
	                                                               : PRACTICE_GOING;
}

static void position_changed(struct practice_game *g)
{
	struct practice_score *s = &g->score;
	g->known = false;
	g->answer.count = 0;
	s->end = end_of(g);
	s->plies = (unsigned)g->count;
	s->lost = 0;
	for (const struct practice_ply *p = g->plies; p < g->plies + g->count; p++) {
		const struct el_move_verdict *v = &p->verdict;
		if (p->before.side == g->user)
			s->lost += p->metric->kind->adds_up ? (unsigned)(el_value_stones(v->best) -
			                                                 el_value_stones(v->got))
			                                    : v->lost;
	}
	if (g->game->sows && (s->end == PRACTICE_WON || s->end == PRACTICE_LOST)) {
		s->gained = (unsigned)abs(gained_in_all(g));
		return;
	}
	/* If depths end with a phase, only the end of the game tells their sum. */
	if (s->end == PRACTICE_WON)
		s->possible = s->lost < s->plies ? s->plies - s->lost : 1;
	if (s->end == PRACTICE_LOST)
		s->possible = s->plies + s->lost;
}

void practice_begin(struct practice_game *g, enum exercise_name exercise,
                    const struct el_game *game, const struct el_position *position)
{
	g->game = game;
	g->now = *position;
	if (!game->zeroes) /* elsewhere the limit is that of the exercise, not of the game */
		g->now.halfmove = 0;
	g->now.fullmove = 1;
	g->limit = 2 * EL_RULE_USUAL;
	g->answer.metric = NULL;
	g->user = position->side;
	g->count = 0;
	g->score = (struct practice_score){.exercise = exercise, .game = game, .start = g->now};
	position_changed(g);
}

void practice_limit(struct practice_game *g, unsigned plies)
{
	struct practice_score *s = &g->score;
	g->limit = plies;
	if (s->end == PRACTICE_GOING || s->end == PRACTICE_FIFTY)
		s->end = end_of(g);
}

bool practice_is_users_turn(const struct practice_game *g)
{
	return g->now.side == g->user;
}

const struct practice_ply *practice_last(const struct practice_game *g)
{
	for (size_t i = g->count; i-- > 0;)
		if (g->plies[i].before.side == g->user)
			return &g->plies[i];
	return NULL;
}

/* ---- moves ---- */

const struct el_ranked *practice_choice(const struct practice_game *g, size_t move)
{
	return &g->answer.moves[g->by_name[move]];
}

size_t practice_best(const struct practice_game *g)
{
	size_t i = 0;
	while (g->by_name[i])
		i++;
	return i;
}

const char *practice_name(const struct practice_game *g, size_t move, char out[EL_MOVE_MAX])
{
	const char *san = practice_choice(g, move)->san;
	snprintf(out, EL_MOVE_MAX, "%.*s", (int)strcspn(san, "+#"), san);
	return out;
}

bool practice_take(struct practice_game *g, const struct el_answer *a)
{
	struct el_value value;
	if (!practice_tells(a, exercises[g->score.exercise].deep))
		return false;
	practice_value(a, false, &value);
	g->answer = *a;
	for (size_t i = 0; i < a->count; i++) {
		struct el_ranked *r = &g->answer.moves[i];
		struct el_value *worth = &r->value[el_metric_rank(a->metric)];
		size_t place = i;
		if (el_outcome_exact(r->outcome))
			worth->outcome = (uint8_t)r->outcome;
		else if (el_outcome_exact(worth->outcome))
			r->outcome = worth->outcome;
		else if (el_outcome_exact(r->value[el_metric_rank(&el_wdl)].outcome))
			r->outcome = r->value[el_metric_rank(&el_wdl)].outcome;
		for (; place > 0 && strcmp(practice_choice(g, place - 1)->san, r->san) > 0; place--)
			g->by_name[place] = g->by_name[place - 1];
		g->by_name[place] = i;
	}
	g->answer.outcome = a->count ? g->answer.moves[0].outcome : value.outcome;
	g->known = true;
	if (!g->count && value_is_deep(a->metric, value))
		g->score.possible = value.plies;
	return true;
}

bool practice_play(struct practice_game *g, size_t move)
{
	if (!array_grow(&g->plies, g->count, 1, sizeof *g->plies))
		return false;
	const struct el_ranked *r = practice_choice(g, move);
	struct practice_ply *ply = &g->plies[g->count++];
	struct el_move_verdict *v = &ply->verdict;
	ply->before = g->now;
	ply->move = r->move;
	ply->metric = g->answer.metric;
	el_judge_answer(&g->answer, r, NULL, v);
	if (!v->metric) {
		v->best = (struct el_value){.outcome = (uint8_t)v->before};
		v->got = (struct el_value){.outcome = (uint8_t)v->after};
	}
	memcpy(ply->san, r->san, sizeof ply->san);
	g->game->play(&ply->before, &ply->move, &g->now);
	position_changed(g);
	g->score.thrown += g->score.end == PRACTICE_THROWN;
	return true;
}

size_t practice_reply(const struct practice_game *g)
{
	const size_t rank = el_metric_rank(g->answer.metric), best = practice_best(g);
	size_t reply = best, place = EL_MOVES_MAX;
	for (size_t i = 0; i < g->answer.count && g->score.exercise == EXERCISE_HOLD; i++) {
		const struct el_ranked *r = practice_choice(g, i);
		struct el_position next;
		g->game->play(&g->now, &r->move, &next);
		if (g->by_name[i] >= place || times_there(g, &next) ||
		    !el_value_equal(r->value[rank], g->answer.moves[0].value[rank]))
			continue;
		place = g->by_name[i];
		reply = i;
	}
	return reply;
}

void practice_take_back(struct practice_game *g)
{
	const struct practice_ply *last = practice_last(g);
	g->now = last->before;
	g->count = (size_t)(last - g->plies);
	g->score.taken_back++;
	position_changed(g);
}
