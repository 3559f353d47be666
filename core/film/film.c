/* SPDX-License-Identifier: MIT */
/* What a film shows of a position: its value after a step, and the moves that determine the
   value. */
#include "reel.h"

#include <stdio.h>

/* ---- values ---- */

/* The source of a value: a pass, or another slice. */
struct source {
	bool outside;
	struct el_value value; /* outside */
	/* Inside: what a pass decided in favour of the other side, and of the side to move (the
	   same if there is only one solution). `plies` is the pass's, whatever the metric; a draw
	   if no pass decided. */
	struct el_value found[2];
};

/* For a position in another slice, or in none, because the last piece may have been captured. */
static struct source outside(const struct el_film *film, const struct el_position *p,
                             const struct el_place *place)
{
	struct source s = {.outside = true, .value = {.outcome = EL_UNKNOWN}};
	const struct el_planes *planes = place ? reel_entered(film->reel, place->key) : NULL;
	if (planes)
		s.value = el_plane_value(&planes->plane[place->plane], place->index);
	else if (!place)
		el_game_value(film->wish.slice.game, p, &s.value);
	return s;
}

/* For a position in another frame of a study. */
static struct source outside_frame(const struct el_film *film, const struct el_position *p,
                                   const struct el_frame *frame)
{
	const struct el_game *game = film->wish.slice.game;
	struct source s = {.outside = true, .value = {.outcome = EL_UNKNOWN}};
	if (el_game_value(game, p, &s.value))
		return s;
	const struct study_entered *e = film->reel->frame.entered;
	while (e && !el_frame_equal(&e->frame, frame))
		e = e->next;
	if (e)
		s.value.outcome = e->outcome[p->side][game->frames->address(frame, p)];
	if (s.value.outcome == EL_BROKEN)
		s.value.outcome = EL_UNKNOWN;
	return s;
}

/* Finds the place of a position; false if it is elsewhere: `placed` if in a slice or frame at all. */
static bool find_place(const struct el_film *film, const struct el_position *p,
                       struct el_place *out, struct el_frame *frame, bool *placed)
{
	const struct el_slice *slice = &film->wish.slice;
	*placed = true;
	if (!slice->is_study) {
		*placed = slice->game->place(p, out);
		return *placed && out->key == slice->key;
	}
	slice->game->frames->of(p, frame);
	if (p->castling || !el_frame_equal(frame, &film->reel->frame.frame))
		return false;
	*out = (struct el_place){.index = slice->game->frames->address(frame, p), .plane = p->side};
	return true;
}

bool el_film_place(const struct el_film *film, const struct el_position *p, uint64_t *place)
{
	struct el_place at;
	struct el_frame frame;
	bool placed;
	if (!find_place(film, p, &at, &frame, &placed))
		return false;
	*place = at.plane * film->wish.slice.positions + at.index;
	return true;
}

/* What a pass decided of an index. */
static struct el_value found_at(const struct el_film *film, unsigned half, unsigned plane,
                                uint64_t index)
{
	const unsigned code = film->reel->code[half][plane][index];
	if (code < REEL_FIRST)
		return (struct el_value){.outcome = code == REEL_BROKEN ? EL_BROKEN : EL_DRAW};
	if (film->solved->has_phase)
		return el_plane_value(&film->reel->solution.plane[plane], index);
	return (struct el_value){.outcome = (uint8_t)reel_outcome(code),
	                         .plies = (uint16_t)reel_ply(code)};
}

static struct source source_at(const struct el_film *film, const struct el_position *p)
{
	struct el_place place;
	struct el_frame frame;
	bool placed;
	if (!find_place(film, p, &place, &frame, &placed))
		return film->wish.slice.is_study ? outside_frame(film, p, &frame)
		                                 : outside(film, p, placed ? &place : NULL);
	struct source s = {.outside = false};
	for (unsigned favoured = 0; favoured < 2; favoured++) {
		const unsigned half = film->halves == 1 ? 0 : favoured ? place.plane : !place.plane;
		s.found[favoured] = found_at(film, half, place.plane, place.index);
	}
	return s;
}

/* The step that found a value; the draws' step if no pass did. */
static size_t step_of(const struct el_film *film, struct el_value found)
{
	return found.outcome == EL_DRAW
	               ? film->step_count - 1
	               : film->reel->step_of[reel_code(found.plies, found.outcome)];
}

static struct el_film_value value_inside(const struct el_film *film, const struct el_value found[2],
                                         size_t step)
{
	if (found[0].outcome == EL_BROKEN)
		return (struct el_film_value){.value = {.outcome = EL_BROKEN}};
	struct el_film_value v = {.open = false};
	enum el_outcome outcome[2];
	for (unsigned favoured = 0; favoured < 2 && film->halves == 2; favoured++) {
		const size_t of = step_of(film, found[favoured]);
		v.open |= of > step;
		v.step = of <= step && of > v.step ? of : v.step;
		outcome[favoured] = of <= step ? found[favoured].outcome : EL_DRAW;
	}
	if (film->halves == 2) {
		v.value.outcome = (uint8_t)el_outcome_between(outcome[0], outcome[1]);
		/* The winner can rely on the solution that favours the other side. */
		const bool wins = v.value.outcome == EL_WIN, loses = v.value.outcome == EL_LOSS;
		if (film->solved->has_depth && (wins || loses)) {
			v.value.plies = found[loses].plies;
			v.value.at_most = found[0].plies != found[1].plies;
		}
		return v;
	}
	v = (struct el_film_value){.value = found[0], .step = step_of(film, found[0])};
	if (v.step > step)
		return (struct el_film_value){.value = {.outcome = EL_UNKNOWN}, .open = true};
	if (!film->solved->has_depth)
		v.value.plies = 0;
	if (film->solved->kind->adds_up && v.value.outcome != EL_DRAW)
		v.value.plies = (uint16_t)el_film_stones(film, v.value.plies);
	return v;
}

/* Is `a` better for the side to move: by its outcome, as a sooner win, or as a later loss? */
static bool is_better(struct el_value a, struct el_value b)
{
	if (a.outcome != b.outcome)
		return a.outcome > b.outcome;
	const bool sooner = a.plies != b.plies ? a.plies < b.plies : a.phase < b.phase;
	return sooner == (a.outcome > EL_DRAW);
}

/* Finds the best capture en passant; false if there is none. Sets *only if there is no other
   move. */
static bool capture_en_passant(const struct el_film *film, const struct el_position *p,
                               struct el_value *best, bool *only)
{
	const struct el_game *game = film->wish.slice.game;
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = game->moves(p, moves);
	size_t tried = 0;
	for (size_t i = 0; i < count; i++) {
		const bool behind = moves[i].captured && !(moves[i].captured >> moves[i].to & 1);
		struct el_position after;
		if (!behind)
			continue;
		game->play(p, &moves[i], &after);
		const struct el_value v =
			el_value_of_move(film->solved, source_at(film, &after).value, true, 0);
		*best = tried++ ? el_value_max(film->solved, *best, v) : v;
	}
	*only = tried == count;
	return tried;
}

/* An index does not include a right to capture en passant, so this tries the captures. */
static void try_en_passant(const struct el_film *film, const struct el_position *p,
                           struct source *s)
{
	struct el_value best;
	bool only;
	if (!capture_en_passant(film, p, &best, &only))
		return;
	for (unsigned favoured = 0; favoured < 2; favoured++) {
		struct el_value v = best;
		v.outcome = (uint8_t)(favoured ? el_outcome_upper(v.outcome)
		                               : el_outcome_lower(v.outcome));
		/* Without depths, the first pass has all values of conversions. */
		if (!film->solved->has_depth && v.outcome != EL_DRAW)
			v.plies = 1;
		if (only || is_better(v, s->found[favoured]))
			s->found[favoured] = v;
	}
}

/* The value of a legal position, or of one that a legal move reaches. */
static struct el_film_value value_reached(const struct el_film *film, const struct el_position *p,
                                          size_t step)
{
	struct source s = source_at(film, p);
	if (s.outside)
		return (struct el_film_value){.value = s.value, .outside = true};
	if (p->en_passant != EL_NO_SQUARE && !film->wish.slice.is_study)
		try_en_passant(film, p, &s);
	return value_inside(film, s.found, step);
}

struct el_film_value el_film_value(const struct el_film *film, const struct el_position *p,
                                   size_t step)
{
	if (film->wish.slice.game->check(p, NULL))
		return (struct el_film_value){.value = {.outcome = EL_BROKEN}};
	return value_reached(film, p, step);
}

bool el_film_find(const struct el_film *film, size_t from, size_t to, bool wins, uint64_t place,
                  struct el_position *out)
{
	const struct el_slice *slice = &film->wish.slice;
	const uint64_t places = slice->planes * slice->positions;
	struct el_sets *sets = NULL;
	bool found = false;
	if (slice->is_study && slice->game->frames->open(&film->reel->frame.frame, &sets, NULL))
		return false;
	for (uint64_t n = 0; n < places && !found; n++, place++) {
		place = place < places ? place : 0;
		const unsigned plane = (unsigned)(place / slice->positions);
		const uint64_t index = place % slice->positions;
		for (unsigned half = 0; half < film->halves && !found; half++) {
			const struct el_value v = found_at(film, half, plane, index);
			if (v.outcome == EL_BROKEN)
				continue;
			const size_t step = step_of(film, v);
			if (step >= from && step <= to && (v.outcome == EL_WIN || !wins))
				found = sets ? slice->game->frames->position(sets, plane, index,
				                                             out)
				             : slice->game->unplace(slice, plane, index, out);
		}
	}
	if (sets)
		sets->close(sets);
	return found;
}

/* ---- moves ---- */

/* A move, and the value that it reaches after a step. A move that ends the count reaches a value
   known before the first pass, so even within the slice it counts as `outside`. */
struct reaching {
	struct el_move move;
	unsigned gain; /* el_move_gain */
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
		out[i].gain = el_move_gain(game, p, &moves[i]);
		out[i].reached = value_reached(film, &after, step);
		if (out[i].reached.outside ||
		    !el_move_ends(game, film->solved, p, &moves[i], false))
			continue;
		const struct el_metric *solved = film->solved;
		const struct el_film_value v = value_reached(film, &after, film->step_count - 1);
		out[i].reached = (struct el_film_value){
			.value = el_metric_read(solved, el_metric_entered(solved), v.value),
			.outside = true,
		};
	}
	return count;
}

/* Under a rule, the ply of the pass shows, even for values without plies, that one more is too
   late. */
static struct el_value value_of(const struct el_film *film, const struct reaching *m)
{
	struct el_value v =
		el_value_of_move(film->solved, m->reached.value, m->reached.outside, m->gain);
	const bool all = film->solved->limit && !m->reached.outside &&
	                 film->steps[m->reached.step].ply == film->solved->limit;
	if (all && v.outcome == EL_WIN)
		v.outcome = EL_CURSED_WIN;
	if (all && v.outcome == EL_LOSS)
		v.outcome = EL_BLESSED_LOSS;
	return v;
}

size_t el_film_moves(const struct el_film *film, const struct el_position *p,
                     struct el_film_move out[EL_MOVES_MAX])
{
	struct reaching moves[EL_MOVES_MAX];
	const size_t count = film->wish.slice.game->check(p, NULL)
	                             ? 0
	                             : list_moves(film, p, film->step_count - 1, moves);
	for (size_t i = 0; i < count; i++) {
		const struct el_film_move m = {moves[i].move, value_of(film, &moves[i]),
		                               moves[i].reached.outside};
		size_t at = i;
		for (; at > 0 && el_value_compare(film->solved, out[at - 1].value, m.value) < 0;
		     at--)
			out[at] = out[at - 1];
		out[at] = m;
	}
	return count;
}

/* ---- reasons ---- */

/* How telling a move of an undecided position is: it will win, it wins too late, its result is
   unknown, or anything else. */
enum { TELLS_NOTHING, IS_OPEN, WINS_LATE, WINS };

static int telling(const struct el_film *film, const struct reaching *m)
{
	if (m->reached.open)
		return IS_OPEN;
	const enum el_outcome mine = value_of(film, m).outcome;
	return mine == EL_WIN ? WINS : mine == EL_CURSED_WIN ? WINS_LATE : TELLS_NOTHING;
}

/* The move to look at next: the best one or, while nothing is decided, the most telling one; among
   winning moves, the quickest. */
static const struct reaching *choose(const struct el_film *film, const struct reaching *moves,
                                     size_t count, bool open)
{
	const struct reaching *best = moves;
	for (const struct reaching *m = moves + 1; m < moves + count; m++) {
		int more = open ? telling(film, m) - telling(film, best) : 0;
		if (!open || (!more && telling(film, m) >= WINS_LATE)) {
			/* Without depths, wins found earlier and losses found later are better. */
			const struct el_value mine = value_of(film, m);
			more = el_value_compare(film->solved, mine, value_of(film, best));
			if (!more && mine.outcome != EL_DRAW &&
			    m->reached.step != best->reached.step)
				more = (m->reached.step < best->reached.step) ==
				                       (mine.outcome > EL_DRAW)
				               ? 1
				               : -1;
		}
		if (more > 0)
			best = m;
	}
	return best;
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
	if (r.value.value.outcome == EL_BROKEN) {
		snprintf(r.text, sizeof r.text, "the study does not reach this position");
		return r;
	}
	r.why = EL_FILM_WHY_OUTSIDE;
	if (r.value.outside)
		return r;
	const size_t count = list_moves(film, p, step, moves);
	r.moves = (unsigned)count;
	for (size_t i = 0; i < count; i++) {
		const struct el_film_value *v = &moves[i].reached;
		r.to_loss += v->value.outcome == EL_LOSS;
		r.to_blessed += v->value.outcome == EL_BLESSED_LOSS;
		r.to_cursed += v->value.outcome == EL_CURSED_WIN;
		r.to_win += v->value.outcome == EL_WIN;
		r.to_draw += v->value.outcome == EL_DRAW && !v->open;
		r.unknown += v->open || el_outcome_bounded(v->value.outcome);
	}
	if (!count) {
		r.why = game->stuck(p).outcome == EL_LOSS ? EL_FILM_WHY_LOST
		                                          : EL_FILM_WHY_STALEMATE;
		return r;
	}
	r.why = r.value.open                                ? EL_FILM_WHY_OPEN
	        : el_outcome_bounded(r.value.value.outcome) ? EL_FILM_WHY_BOUNDS
	        : r.value.value.outcome < EL_DRAW           ? EL_FILM_WHY_ALL
	                                                    : EL_FILM_WHY_MOVE;
	const struct reaching *next = choose(film, moves, count, r.why == EL_FILM_WHY_OPEN);
	r.has_move = true;
	r.move = next->move;
	r.gain = next->gain;
	r.reached = next->reached;
	r.converts = next->reached.outside;
	return r;
}
