/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two players with the won position, each against perfect defence. */
#include "metrics.h"

#include <string.h>

void racer_begin(struct racer *r, enum race_rule rule)
{
	r->rule = rule;
	r->count = 0;
	r->over = r->circles = false;
}

bool racer_is_done(const struct racer *r)
{
	return r->over || r->circles || r->count == RACE_TURNS;
}

const struct race_turn *racer_turn(const struct racer *r, size_t i)
{
	if (r->circles && i >= r->count)
		i = r->again + (i - r->again) % (r->count - r->again);
	return i < r->count ? &r->turn[i] : NULL;
}

const struct el_position *racer_position(const struct racer *r, const struct el_position *start,
                                         size_t turns)
{
	const struct race_turn *last = turns ? racer_turn(r, turns - 1) : NULL;
	if (turns && !last && r->count)
		last = &r->turn[r->count - 1];
	return last ? &last->after : start;
}

/* The first by name of the best moves; without depths, all winning moves are equally good. */
static struct el_film_move choose(const struct el_film *film, const struct el_position *p,
                                  bool by_depth, char name[EL_MOVE_MAX])
{
	struct el_film_move moves[EL_MOVES_MAX];
	const size_t count = el_film_moves(film, p, moves);
	size_t chosen = 0;
	for (size_t i = 0; i < count; i++) {
		const struct el_value v = moves[i].value, best = moves[0].value;
		char other[EL_MOVE_MAX];
		if (by_depth ? !el_value_equal(v, best) : v.outcome != best.outcome)
			continue;
		film->wish.slice.game->write_move(p, &moves[i].move, EL_SAN, other);
		if (i && strcmp(other, name) >= 0)
			continue;
		memcpy(name, other, EL_MOVE_MAX);
		chosen = i;
	}
	return moves[chosen];
}

bool racer_go(struct racer *r, struct model *m, const struct el_game *game,
              const struct el_position *start)
{
	struct race_turn t = {.left = 0};
	struct el_move moves[EL_MOVES_MAX];
	struct el_position between;
	const struct el_position now = *racer_position(r, start, r->count);
	const struct el_film *film = films_at(m, game, &now);
	if (!film)
		return false;
	const struct el_film_move chosen = choose(film, &now, r->rule == RACE_DEPTH, t.san);
	t.move = chosen.move;
	game->play(&now, &t.move, &between);
	t.after = between;
	r->over = !game->moves(&between, moves);
	if (!r->over) {
		film = films_at(m, game, &between);
		if (!film)
			return false;
		t.answer = choose(film, &between, true, t.answer_san).move;
		game->play(&between, &t.answer, &t.after);
		t.left = chosen.value.plies - 2u;
	}
	r->turn[r->count++] = t;
	for (size_t i = 0; i < r->count && !r->circles; i++) {
		r->again = i;
		r->circles = el_position_equal(racer_position(r, start, i), &t.after);
	}
	return true;
}
