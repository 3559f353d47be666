/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a film shows of a position: its value after a step, and the moves that this rests on. */
#include "reel.h"

#include <stdio.h>

/* ---- values ---- */

/* Where a value comes from: the pass that decided it, REEL_UNDECIDED or REEL_BROKEN; or another
   slice. */
struct source {
	bool outside;
	struct el_value value; /* outside */
	unsigned code[2];      /* inside: in favour of the other side, and of the side to move; one
	                          solution alone has the same twice */
};

/* Of a position in another slice, or in none: the last piece may have been taken. */
static struct source outside(const struct el_film *film, const struct el_position *p,
                             const struct el_place *place)
{
	struct source s = {.outside = true, .value = {EL_UNKNOWN, 0}};
	const struct el_planes *planes = place ? reel_entered(film->reel, place->key) : NULL;
	if (planes)
		s.value = el_plane_value(&planes->plane[place->plane], place->index);
	else if (!place)
		el_game_value(film->wish.slice.game, p, &s.value);
	return s;
}

static struct source source_at(const struct el_film *film, const struct el_position *p)
{
	const struct el_slice *slice = &film->wish.slice;
	struct el_place place;
	const bool placed = slice->game->place(p, &place);
	if (!placed || place.key != slice->key)
		return outside(film, p, placed ? &place : NULL);
	struct source s = {.outside = false};
	for (unsigned favoured = 0; favoured < 2; favoured++) {
		const unsigned half = film->halves == 1 ? 0
		                      : favoured        ? place.plane
		                                        : !place.plane;
		s.code[favoured] = film->reel->code[half][place.plane][place.index];
	}
	return s;
}

/* After a step: a draw, unless the pass has been. */
static enum el_outcome outcome_by(const struct el_film *film, unsigned code, size_t step)
{
	const bool been = code >= REEL_FIRST && film->reel->step_of[code] <= step;
	return been ? reel_outcome(code) : EL_DRAW;
}

static bool is_last(const struct el_film *film, size_t step)
{
	return step + 1 >= film->step_count;
}

static struct el_film_value value_of_halves(const struct el_film *film, const unsigned code[2],
                                            size_t step)
{
	struct el_film_value v = {.open = false};
	for (unsigned favoured = 0; favoured < 2; favoured++) {
		const size_t of = code[favoured] < REEL_FIRST ? film->step_count - 1
		                                              : film->reel->step_of[code[favoured]];
		v.open |= of > step;
		v.step = of <= step && of > v.step ? of : v.step;
	}
	v.value.outcome = (uint8_t)el_outcome_between(outcome_by(film, code[0], step),
	                                              outcome_by(film, code[1], step));
	return v;
}

static struct el_film_value value_inside(const struct el_film *film, const unsigned code[2],
                                         size_t step)
{
	if (code[0] == REEL_BROKEN)
		return (struct el_film_value){.value = {EL_BROKEN, 0}};
	if (film->halves == 2)
		return value_of_halves(film, code, step);
	if (code[0] == REEL_UNDECIDED && is_last(film, step))
		return (struct el_film_value){.value = {EL_DRAW, 0}, .step = film->step_count - 1};
	if (code[0] == REEL_UNDECIDED || film->reel->step_of[code[0]] > step)
		return (struct el_film_value){.value = {EL_UNKNOWN, 0}, .open = true};
	const unsigned ply = film->wish.metric->has_depth ? reel_ply(code[0]) : 0;
	return (struct el_film_value){
		.value = {(uint8_t)reel_outcome(code[0]), (uint16_t)ply},
		.step = film->reel->step_of[code[0]],
	};
}

/* The pass that finds a value of one solution. */
static unsigned code_of(const struct el_film *film, struct el_value v)
{
	/* Without depths what conversions decide is there in the first pass. */
	const unsigned ply = film->wish.metric->has_depth ? v.plies : 1;
	return v.outcome == EL_WIN || v.outcome == EL_LOSS ? reel_code(ply, v.outcome)
	                                                   : REEL_UNDECIDED;
}

/* A right to capture en passant is not part of an index: the captures are tried. */
static void try_en_passant(const struct el_film *film, const struct el_position *p,
                           struct source *s)
{
	const struct el_game *game = film->wish.slice.game;
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = game->moves(p, moves);
	size_t tried = 0;
	bool some = false;
	struct el_value best = {.outcome = EL_UNKNOWN};
	for (size_t i = 0; i < count; i++) {
		const bool behind = moves[i].captured && !(moves[i].captured >> moves[i].to & 1);
		struct el_position after;
		if (!behind)
			continue;
		game->play(p, &moves[i], &after);
		const struct source reached = source_at(film, &after);
		const struct el_value v =
			el_value_of_move(film->wish.metric, reached.value, true);
		best = some ? el_value_max(film->wish.metric, best, v) : v;
		some = true;
		tried++;
	}
	for (unsigned favoured = 0; some && favoured < 2; favoured++) {
		struct el_value v = best;
		v.outcome = (uint8_t)(favoured ? el_outcome_upper(v.outcome)
		                               : el_outcome_lower(v.outcome));
		const unsigned code = code_of(film, v), without = s->code[favoured];
		const enum el_outcome a = outcome_by(film, code, SIZE_MAX);
		const enum el_outcome b = outcome_by(film, without, SIZE_MAX);
		const bool sooner = a == EL_LOSS ? code > without : code < without;
		if (tried == count || a > b || (a == b && a != EL_DRAW && sooner))
			s->code[favoured] = code;
	}
}

/* Of a legal position, or of what a legal move has left. */
static struct el_film_value value_reached(const struct el_film *film, const struct el_position *p,
                                          size_t step)
{
	struct source s = source_at(film, p);
	if (s.outside)
		return (struct el_film_value){.value = s.value, .outside = true};
	if (p->en_passant != EL_NO_SQUARE)
		try_en_passant(film, p, &s);
	return value_inside(film, s.code, step);
}

struct el_film_value el_film_value(const struct el_film *film, const struct el_position *p,
                                   size_t step)
{
	if (film->wish.slice.game->check(p, NULL))
		return (struct el_film_value){.value = {EL_BROKEN, 0}};
	return value_reached(film, p, step);
}

bool el_film_find_win(const struct el_film *film, unsigned from, unsigned to, uint64_t place,
                      struct el_position *out)
{
	const struct el_slice *slice = &film->wish.slice;
	const uint64_t places = slice->planes * slice->positions;
	for (uint64_t n = 0; n < places; n++, place++) {
		place = place < places ? place : 0;
		const unsigned plane = (unsigned)(place / slice->positions);
		const uint64_t index = place % slice->positions;
		const unsigned code = film->reel->code[0][plane][index];
		if (code >= REEL_FIRST && reel_outcome(code) == EL_WIN && reel_ply(code) >= from &&
		    reel_ply(code) <= to)
			return slice->game->unplace(slice, plane, index, out);
	}
	return false;
}

/* ---- moves ---- */

/* A move, with what it reaches after a step. */
struct reaching {
	struct el_move move;
	struct el_film_value reached;
};

static size_t list_moves(const struct el_film *film, const struct el_position *p, size_t step,
                         struct reaching out[EL_MOVES_MAX])
{
	const struct el_game *game = film->wish.slice.game;
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = game->moves(p, moves);
	for (size_t i = 0; i < count; i++) {
		struct el_position after;
		game->play(p, &moves[i], &after);
		out[i].move = moves[i];
		out[i].reached = value_reached(film, &after, step);
	}
	return count;
}

static struct el_value value_of(const struct el_film *film, const struct reaching *m)
{
	return el_value_of_move(film->wish.metric, m->reached.value, m->reached.outside);
}

size_t el_film_moves(const struct el_film *film, const struct el_position *p,
                     struct el_film_move out[EL_MOVES_MAX])
{
	struct reaching moves[EL_MOVES_MAX];
	const struct el_metric *metric = film->wish.metric;
	const size_t count = film->wish.slice.game->check(p, NULL)
	                             ? 0
	                             : list_moves(film, p, film->step_count - 1, moves);
	for (size_t i = 0; i < count; i++) {
		const struct el_film_move m = {moves[i].move, value_of(film, &moves[i]),
		                               moves[i].reached.outside};
		size_t at = i;
		for (; at > 0 && el_value_compare(metric, out[at - 1].value, m.value) < 0; at--)
			out[at] = out[at - 1];
		out[at] = m;
	}
	return count;
}

/* ---- reasons ---- */

static void count_moves(const struct reaching *moves, size_t count, struct el_film_reason *r)
{
	r->moves = (unsigned)count;
	for (size_t i = 0; i < count; i++) {
		const struct el_film_value *v = &moves[i].reached;
		r->to_loss += v->value.outcome == EL_LOSS;
		r->to_win += v->value.outcome == EL_WIN;
		r->to_draw += v->value.outcome == EL_DRAW && !v->open;
		r->unknown += v->open || el_outcome_bounded(v->value.outcome);
	}
}

/* How telling a move is of a position that is open: one that wins, though not yet; one whose end is
   not known; any other. */
enum { TELLS_NOTHING, IS_OPEN, WINS };

static int telling(const struct reaching *m)
{
	return m->reached.value.outcome == EL_LOSS ? WINS : m->reached.open ? IS_OPEN : TELLS_NOTHING;
}

/* The move to look at next: the best, or, as long as nothing is decided, the most telling one; of
   those that win, the one that wins first. */
static const struct reaching *choose(const struct el_film *film, const struct reaching *moves,
                                     size_t count, bool open)
{
	const struct reaching *best = moves;
	for (const struct reaching *m = moves + 1; m < moves + count; m++) {
		int more = open ? telling(m) - telling(best) : 0;
		if (!open || (!more && telling(m) == WINS))
			more = el_value_compare(film->wish.metric, value_of(film, m),
			                        value_of(film, best));
		if (more > 0)
			best = m;
	}
	return best;
}

static enum el_film_why why_of(const struct el_film_value *v)
{
	if (v->open)
		return EL_FILM_WHY_OPEN;
	if (el_outcome_bounded(v->value.outcome))
		return EL_FILM_WHY_BOUNDS;
	return v->value.outcome == EL_LOSS ? EL_FILM_WHY_ALL : EL_FILM_WHY_MOVE;
}

struct el_film_reason el_film_reason(const struct el_film *film, const struct el_position *p,
                                     size_t step)
{
	const struct el_game *game = film->wish.slice.game;
	struct el_film_reason r = {.why = EL_FILM_WHY_BROKEN};
	struct reaching moves[EL_MOVES_MAX];
	struct el_error error;
	r.value.value.outcome = EL_BROKEN;
	if (game->check(p, &error)) {
		snprintf(r.text, sizeof r.text, "%.*s", (int)sizeof r.text - 1, error.text);
		return r;
	}
	r.value = value_reached(film, p, step);
	r.why = EL_FILM_WHY_OUTSIDE;
	if (r.value.outside)
		return r;
	const size_t count = list_moves(film, p, step, moves);
	count_moves(moves, count, &r);
	if (!count) {
		r.why = game->stuck(p) == EL_LOSS ? EL_FILM_WHY_LOST : EL_FILM_WHY_STALEMATE;
		return r;
	}
	r.why = why_of(&r.value);
	const struct reaching *next = choose(film, moves, count, r.why == EL_FILM_WHY_OPEN);
	r.has_move = true;
	r.move = next->move;
	r.reached = next->reached;
	r.converts = next->reached.outside;
	return r;
}
