/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "practice.h"

#include "../../text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct state practice_state = {sizeof(struct practice)};

struct practice *practice_of(const struct model *m)
{
	return state_of(m, &practice_state);
}

/* ---- difficulty ---- */

struct film_range practice_range_of(unsigned deepest, int level,
                                    bool (*any)(const void *context, struct film_range),
                                    const void *context)
{
	enum { EASY_PLIES = 5 };
	unsigned n = (unsigned)level, first = deepest / PRACTICE_LEVELS;
	first = first < EASY_PLIES ? first : EASY_PLIES;
	struct film_range range = {level > 1 ? 1 + deepest * (n - 1) / PRACTICE_LEVELS : 1,
	                           level > 1 ? deepest * n / PRACTICE_LEVELS : first};
	if (level == 2)
		range.from = first + 1;
	while (range.from > 1 && !any(context, range))
		range.from--;
	while (range.to < deepest && !any(context, range))
		range.to++;
	return range;
}

static bool film_has(const void *film, struct film_range range)
{
	return film_wins(film, range);
}

struct film_range practice_range(const struct el_film *film, int level)
{
	return practice_range_of(film_deepest(film), level, film_has, film);
}

/* ---- the position on the board ---- */

static unsigned times_there(const struct practice_game *g)
{
	unsigned times = 1;
	for (size_t i = 0; i < g->count; i++)
		times += el_position_equal(&g->plies[i].before, &g->now);
	return times;
}

static bool has_lost(const struct practice_game *g)
{
	struct el_move moves[EL_MOVES_MAX];
	return !g->game->moves(&g->now, moves) && g->game->stuck(&g->now) == EL_LOSS;
}

static enum practice_end end_of(const struct practice_game *g)
{
	enum { TIMES = 3 };
	const struct practice_ply *last = practice_last(g);
	if (last && last->quality.got.outcome != EL_WIN)
		return PRACTICE_THROWN;
	if (!practice_is_users_turn(g) && has_lost(g))
		return PRACTICE_WON;
	if (times_there(g) >= TIMES)
		return PRACTICE_REPEATED;
	return g->limit && g->now.halfmove >= g->limit ? PRACTICE_FIFTY : PRACTICE_GOING;
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
		if (p->before.side == g->user && p->quality.got.outcome == EL_WIN)
			s->lost += (unsigned)(p->quality.got.plies - p->quality.best.plies);
	/* Where depths end with a phase, only the end tells what all of them made. */
	if (s->end == PRACTICE_WON)
		s->possible = s->lost < s->plies ? s->plies - s->lost : 1;
}

void practice_begin(struct practice_game *g, const struct el_game *game,
                    const struct el_position *position)
{
	g->game = game;
	g->now = *position;
	g->now.halfmove = 0;
	g->now.fullmove = 1;
	g->limit = 2 * EL_RULE_USUAL;
	g->metric = NULL;
	g->user = position->side;
	g->count = 0;
	g->score = (struct practice_score){.start = g->now};
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

void practice_know(struct practice_game *g, const struct el_metric *metric, size_t count,
                   bool by_film)
{
	qsort(g->moves, count, sizeof *g->moves, by_name);
	g->move_count = count;
	g->metric = metric;
	g->by_film = by_film;
	g->best = 0;
	for (size_t i = 1; i < count; i++)
		if (el_value_compare(metric, g->moves[i].film.value,
		                     g->moves[g->best].film.value) > 0)
			g->best = i;
	g->known = true;
	if (!g->count && count)
		g->score.possible = g->moves[g->best].film.value.plies;
}

/* All legal moves; returns how many. */
static size_t list_moves(const struct el_film *film, const struct el_position *p,
                         struct practice_choice out[EL_MOVES_MAX])
{
	struct el_film_move moves[EL_MOVES_MAX];
	const size_t count = el_film_moves(film, p, moves);
	for (size_t i = 0; i < count; i++) {
		out[i].film = moves[i];
		film->wish.slice.game->write_move(p, &moves[i].move, EL_SAN, out[i].san);
	}
	return count;
}

bool practice_look(struct practice_game *g, struct model *m)
{
	if (g->known)
		return true;
	const struct el_film *film = films_at(m, g->game, &g->now);
	if (!film)
		return false;
	practice_know(g, film->wish.metric, list_moves(film, &g->now, g->moves), true);
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
	ply->move = m->film.move;
	ply->by_film = g->by_film;
	ply->quality = (struct quality){g->metric, g->moves[g->best].film.value,
	                                m->film.value};
	memcpy(ply->san, m->san, sizeof ply->san);
	g->game->play(&ply->before, &ply->move, &g->now);
	position_changed(g);
	g->score.thrown += g->score.end == PRACTICE_THROWN;
	return true;
}

void practice_take_back(struct practice_game *g)
{
	const struct practice_ply *last = practice_last(g);
	g->now = last->before;
	g->count = (size_t)(last - g->plies);
	g->score.taken_back++;
	position_changed(g);
}

/* ---- lines ---- */

void practice_line(struct model *m, const struct el_game *game,
                   const struct el_position *from, unsigned plies, char *out, size_t size)
{
	struct el_position now = *from;
	size_t used = 0;
	out[0] = '\0';
	for (unsigned i = 0; i < plies && used < size; i++) {
		struct practice_game at = {.game = game, .now = now};
		if (!practice_look(&at, m) || !at.move_count)
			return;
		struct el_position before = now;
		char number[NUMBER_MAX];
		move_number(game, now.side, now.fullmove, i == 0, number);
		used += (size_t)snprintf(out + used, size - used, "%s%s%s%s", i ? " " : "", number,
		                         *number ? " " : "", at.moves[at.best].san);
		game->play(&before, &at.moves[at.best].film.move, &now);
	}
}

/* ---- score ---- */

unsigned practice_percent(const struct practice_score *s)
{
	if (s->end != PRACTICE_WON || !s->plies)
		return 0;
	unsigned percent = 100 * s->possible / s->plies;
	unsigned less = s->taken_back * PRACTICE_TAKE_BACK_PERCENT;
	return percent > less ? percent - less : 0;
}

unsigned practice_total(const struct practice_score round[PRACTICE_ROUND])
{
	unsigned sum = 0;
	for (int i = 0; i < PRACTICE_ROUND; i++)
		sum += practice_percent(&round[i]);
	return sum / PRACTICE_ROUND;
}

int practice_next_level(int level, unsigned total)
{
	enum { GOOD = 80, POOR = 40 };
	return total >= GOOD && level < PRACTICE_LEVELS ? level + 1
	       : total < POOR && level > 1              ? level - 1
	                                                : level;
}
