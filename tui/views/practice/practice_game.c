/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/probe/probe.h"
#include "practice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- how it ends ---- */

enum { TIMES = 3 }; /* that a position may come */

static unsigned times_there(const struct practice_game *g, const struct el_position *position)
{
	unsigned times = 0;
	for (size_t i = 0; i < g->count; i++)
		times += el_position_equal(&g->plies[i].before, position);
	return times;
}

/* In stones: what the user has gained on the other side since the start. */
static int gained(const struct practice_game *g, const struct el_position *now)
{
	const struct el_position *start = &g->score.start;
	const int own = now->stores[g->user] - start->stores[g->user];
	return own - (now->stores[!g->user] - start->stores[!g->user]);
}

/* The sum of what was gained and what the position is worth is no longer what it was about. */
static bool is_given_away(const struct practice_game *g, const struct practice_ply *last)
{
	const int sum = gained(g, &last->before) + el_value_stones(last->quality.got);
	return g->score.exercise == EXERCISE_WIN ? sum <= 0 : sum < 0;
}

static bool is_thrown(const struct practice_game *g)
{
	const struct practice_ply *last = practice_last(g);
	const bool sums = g->game->sows && g->score.exercise != EXERCISE_ONLY;
	if (last && sums && g->score.exercise != EXERCISE_SURVIVE)
		return is_given_away(g, last);
	return last && g->score.exercise != EXERCISE_SURVIVE &&
	       practice_level_of(last->quality.got.outcome) <
	               practice_level_of(last->quality.best.outcome);
}

/* On the board: by its rules, or because nothing can come of it. */
static enum practice_end end_on_board(const struct practice_game *g)
{
	struct el_move moves[EL_MOVES_MAX];
	if (!g->game->moves(&g->now, moves))
		return g->game->stuck(&g->now) != EL_LOSS ? PRACTICE_STALEMATE
		       : practice_is_users_turn(g)        ? PRACTICE_LOST
		                                          : PRACTICE_WON;
	return g->game->drawn(&g->now) ? PRACTICE_BARE : PRACTICE_GOING;
}

static bool is_over(const struct practice_game *g)
{
	struct el_move moves[EL_MOVES_MAX];
	return !g->game->moves(&g->now, moves);
}

/* What the user has gained where the game ends here: who cannot move loses the stones that are
   left, endless play shares them. */
static int gained_in_all(const struct practice_game *g)
{
	const int left = is_over(g) ? (int)el_piece_count(&g->now) : 0;
	return gained(g, &g->now) + (practice_is_users_turn(g) ? -left : left);
}

static enum practice_end end_by_stones(const struct practice_game *g)
{
	const int sum = gained_in_all(g);
	if (!is_over(g) && times_there(g, &g->now) + 1 < TIMES && g->now.halfmove < g->limit)
		return PRACTICE_GOING;
	return sum > 0 ? PRACTICE_WON : sum < 0 ? PRACTICE_LOST : PRACTICE_HELD;
}

static enum practice_end end_of(const struct practice_game *g)
{
	enum { PLIES_HELD = 2 * PRACTICE_HOLD_MOVES };
	const enum exercise_name exercise = g->score.exercise;
	if (is_thrown(g))
		return PRACTICE_THROWN;
	if (exercise == EXERCISE_ONLY)
		return g->count ? PRACTICE_FOUND : PRACTICE_GOING;
	const enum practice_end end = g->game->sows ? end_by_stones(g) : end_on_board(g);
	if (end)
		return end;
	if (times_there(g, &g->now) + 1 >= TIMES)
		return PRACTICE_REPEATED;
	if (g->limit && g->now.halfmove >= g->limit)
		return PRACTICE_FIFTY;
	return exercise == EXERCISE_HOLD && g->count + 1 >= PLIES_HELD ? PRACTICE_HELD
	                                                               : PRACTICE_GOING;
}

/* Plies by which a win came later, or a loss sooner; or stones. */
static unsigned plies_lost(const struct quality *q)
{
	if (q->metric && q->metric->stones && el_outcome_exact(q->got.outcome))
		return (unsigned)(el_value_stones(q->best) - el_value_stones(q->got));
	const int later = q->got.plies - q->best.plies;
	if (q->got.outcome != q->best.outcome || !value_is_deep(q->metric, q->got))
		return 0;
	return (unsigned)(q->got.outcome > EL_DRAW ? later : -later);
}

static void position_changed(struct practice_game *g)
{
	struct practice_score *s = &g->score;
	g->known = false;
	g->move_count = 0;
	s->end = end_of(g);
	s->plies = (unsigned)g->count;
	s->lost = 0;
	for (const struct practice_ply *p = g->plies; p < g->plies + g->count; p++)
		if (p->before.side == g->user)
			s->lost += plies_lost(&p->quality);
	if (g->game->sows && (s->end == PRACTICE_WON || s->end == PRACTICE_LOST)) {
		s->gained = (unsigned)abs(gained_in_all(g));
		return;
	}
	/* Where depths end with a phase, only the end tells what all of them made. */
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
	g->now.halfmove = 0;
	g->now.fullmove = 1;
	g->limit = 2 * EL_RULE_USUAL;
	g->metric = NULL;
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

static int by_name(const void *a, const void *b)
{
	const struct practice_choice *x = a, *y = b;
	return strcmp(x->san, y->san);
}

const char *practice_name(const struct practice_choice *m, char out[EL_MOVE_MAX])
{
	snprintf(out, EL_MOVE_MAX, "%.*s", (int)strcspn(m->san, "+#"), m->san);
	return out;
}

bool practice_take(struct practice_game *g, const struct el_answer *a)
{
	struct el_value value;
	if (!practice_tells(a, exercises[g->score.exercise].deep))
		return false;
	practice_value(a, false, &value);
	for (size_t i = 0; i < a->count; i++) {
		const struct el_ranked *r = &a->moves[i];
		struct practice_choice *c = &g->moves[i];
		*c = (struct practice_choice){
			.move = r->move, .value = r->value[el_metric_rank(a->metric)], .rank = i};
		memcpy(c->san, r->san, sizeof c->san);
		if (el_outcome_exact(r->outcome))
			c->value.outcome = (uint8_t)r->outcome;
	}
	qsort(g->moves, a->count, sizeof *g->moves, by_name);
	for (size_t i = 0; i < a->count; i++)
		if (!g->moves[i].rank)
			g->best = i;
	g->move_count = a->count;
	g->metric = a->metric;
	g->known = true;
	if (!g->count && value_is_deep(a->metric, value))
		g->score.possible = value.plies;
	return true;
}

static bool make_room(struct practice_game *g)
{
	if (g->count < g->capacity)
		return true;
	size_t capacity = g->capacity ? g->capacity * 2 : 64;
	struct practice_ply *plies = realloc(g->plies, capacity * sizeof *plies);
	if (!plies)
		return false;
	g->plies = plies;
	g->capacity = capacity;
	return true;
}

bool practice_play(struct practice_game *g, size_t move)
{
	if (!make_room(g))
		return false;
	const struct practice_choice *m = &g->moves[move];
	struct practice_ply *ply = &g->plies[g->count++];
	ply->before = g->now;
	ply->move = m->move;
	ply->quality = (struct quality){g->metric, g->moves[g->best].value, m->value};
	memcpy(ply->san, m->san, sizeof ply->san);
	g->game->play(&ply->before, &ply->move, &g->now);
	position_changed(g);
	g->score.thrown += g->score.end == PRACTICE_THROWN;
	return true;
}

static bool repeats(const struct practice_game *g, const struct practice_choice *c)
{
	struct el_position next;
	g->game->play(&g->now, &c->move, &next);
	return times_there(g, &next);
}

size_t practice_reply(const struct practice_game *g)
{
	const struct practice_choice *best = &g->moves[g->best], *reply = NULL;
	for (const struct practice_choice *c = g->moves; c < g->moves + g->move_count; c++)
		if (el_value_equal(c->value, best->value) && (!reply || c->rank < reply->rank) &&
		    !repeats(g, c))
			reply = c;
	return g->score.exercise == EXERCISE_HOLD && reply ? (size_t)(reply - g->moves) : g->best;
}

void practice_take_back(struct practice_game *g)
{
	const struct practice_ply *last = practice_last(g);
	g->now = last->before;
	g->count = (size_t)(last - g->plies);
	g->score.taken_back++;
	position_changed(g);
}
