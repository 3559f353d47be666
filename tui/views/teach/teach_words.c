/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Teach's words: names of steps, rules, reasons, and marks in squares. */
#include "teach.h"

#include "tui/model/window.h"
#include "tui/screen/roles.h"
#include "tui/screen/widgets/board.h"
#include "tui/text/text.h"
#include "tui/text/values.h"

#include <stdio.h>

/* ---- methods ---- */

#define NO_WIN       "a draw: no move wins"
#define NOTHING_MORE "no pass finds anything more: "
#define AT_LATEST    "decides it at the latest"
enum method { PASSES, BOUNDS, LIMITS, STONES };

static const struct teach_method methods[] = {
	[PASSES] = {"pass", "this pass", "draws", "draws", "pass", AT_LATEST, "in", NO_WIN,
                    NOTHING_MORE "every undecided position is a draw", false},
	[BOUNDS] = {"pass", "this pass", "the end", "the rest", "pass", AT_LATEST, "in", NO_WIN,
                    NOTHING_MORE "a bound still undecided is a draw", false},
	[LIMITS] = {"limit", "this pass", "draws", "draws", "a limit of", "is enough", "in", NO_WIN,
                    NOTHING_MORE "every undecided position is a draw", false},
	[STONES] = {"step", "this step", "the end", "the rest", "the threshold", AT_LATEST, "by",
                    "worth nothing: no move gains a stone",
                    "nobody can force a gain of the undecided: they are worth nothing", true},
};

const struct teach_method *teach_method(const struct el_film *film)
{
	return &methods[film->halves == 2             ? BOUNDS
	                : film->solved->has_phase     ? LIMITS
	                : film->solved->kind->adds_up ? STONES
	                                              : PASSES];
}

/* ---- steps ---- */

void teach_step_name(const struct el_film *film, size_t step, char out[32])
{
	static const char *const names[] = {
		[EL_FILM_START] = "the start",
		[EL_FILM_TERMINAL] = "lost at once",
		[EL_FILM_CONVERSIONS] = "conversions",
		[EL_FILM_WIN] = "WIN in",
		[EL_FILM_LOSS] = "LOSS in",
		[EL_FILM_WITHIN] = "limit of",
		[EL_FILM_LIMIT] = "the limit of",
		[EL_FILM_CURSED] = "cursed win in",
		[EL_FILM_BLESSED] = "blessed loss in",
	};
	const struct el_film_step *s = &film->steps[step];
	const unsigned number = s->rule == EL_FILM_LIMIT ? film->solved->limit : s->ply;
	if (s->rule == EL_FILM_DRAWS)
		snprintf(out, 32, "%s", teach_method(film)->last);
	else if (s->rule == EL_FILM_CONVERSIONS)
		snprintf(out, 32, "%ss", teach_ending(film->solved));
	else if (teach_method(film)->in_stones && number)
		snprintf(out, 32, "threshold %u", el_film_stones(film, number));
	else if (number)
		snprintf(out, 32, "%s %u", names[s->rule], number);
	else
		snprintf(out, 32, "%s", names[s->rule]);
}

/* The last pass in the run of passes that includes the step. */
static unsigned last_pass(const struct el_film *film, size_t step)
{
	unsigned last = 0;
	while (step && film->steps[step].rule != EL_FILM_LIMIT)
		step--;
	for (step++; step < film->step_count && film->steps[step].rule != EL_FILM_LIMIT; step++)
		last = film->steps[step].ply ? film->steps[step].ply : last;
	return last;
}

void teach_place_name(const struct el_film *film, size_t step, char out[48])
{
	const struct el_film_step *s = &film->steps[step];
	const char *pass = s->rule == EL_FILM_CURSED || s->rule == EL_FILM_BLESSED
	                           ? "late pass"
	                           : teach_method(film)->step;
	if (s->ply)
		snprintf(out, 48, "%s %u of %u", pass, s->ply, last_pass(film, step));
	else if (step <= EL_FILM_CONVERSIONS)
		snprintf(out, 48, "before %s 1", pass);
	else if (s->rule == EL_FILM_LIMIT)
		snprintf(out, 48, "after pass %u", last_pass(film, step - 1));
	else
		snprintf(out, 48, "after %s %u", pass,
		         film->steps[step - 1].ply ? film->steps[step - 1].ply
		                                   : last_pass(film, 0));
}

/* ---- values ---- */

/* "uTW" */
static const char *bounds_text(const struct el_film_value *v, char out[BOUNDS_NAME_MAX])
{
	return bounds_letters((struct bounds_value){v->value.outcome, v->open}, out);
}

static void mark_bounds(const struct el_film_value *v, bool now, bool wide, struct square_mark *out)
{
	char text[BOUNDS_NAME_MAX];
	bounds_text(v, text);
	if (wide)
		snprintf(out->text, sizeof out->text, "%.3s%s", text, now ? "!" : "");
	else
		snprintf(out->text, sizeof out->text, "%c",
		         now ? '!'
		         : v->open && v->value.outcome == EL_UNKNOWN
		                 ? '.'
		                 : outcome_mark(v->value.outcome));
}

/* A value under the metric shown, which may not be the one solved. */
static struct el_value shown(const struct model *m, const struct el_film_value *v)
{
	return v->open ? v->value
	               : el_metric_read(teach_film(m)->solved, teach_of(m)->wish.metric, v->value);
}

/* "5": the plies of a value or, without depths, the pass that decided it. */
static unsigned number_of(const struct model *m, const struct el_film_value *v)
{
	return teach_of(m)->wish.metric->has_depth ? shown(m, v).plies
	                                           : teach_film(m)->steps[v->step].ply;
}

void teach_mark(const struct model *m, const struct el_film_value *v, bool wide,
                struct square_mark *out)
{
	const struct el_film *film = teach_film(m);
	const struct el_value value = shown(m, v);
	const enum el_outcome outcome = value.outcome;
	/* The last step decides all that is left at once, so the mark would tell nothing. */
	const bool now = v->step == teach_of(m)->step && v->step && v->step < teach_last(m);
	const bool in_stones = teach_method(film)->in_stones;
	const char letter = in_stones && outcome == EL_WIN    ? '+'
	                    : in_stones && outcome == EL_LOSS ? '-'
	                                                      : outcome_mark(outcome);
	*out = (struct square_mark){
		.role = (uint8_t)(now ? ROLE_VALUE_NOW : outcome_ground(outcome))};
	if (!now && !v->open && el_outcome_exact(outcome) && outcome != EL_DRAW)
		out->shade = shade_of(film->steps[v->step].ply, 0, film->deepest);
	if (outcome == EL_BROKEN)
		snprintf(out->text, sizeof out->text, "x");
	else if (film->halves == 2)
		mark_bounds(v, now, wide, out);
	else if (v->open)
		snprintf(out->text, sizeof out->text, ".");
	else if (!wide)
		snprintf(out->text, sizeof out->text, "%c", now ? '!' : letter);
	else if (outcome == EL_DRAW || !el_outcome_exact(outcome))
		snprintf(out->text, sizeof out->text, "%c%s", letter, now ? "!" : "");
	else if (now && number_of(m, v) > 99)
		snprintf(out->text, sizeof out->text, "%u!", number_of(m, v) % 1000);
	else
		snprintf(out->text, sizeof out->text, "%c%u%s", letter, number_of(m, v) % 1000,
		         now ? "!" : "");
}

const char *teach_legend(const struct model *m)
{
	const struct el_metric *metric = teach_of(m)->wish.metric;
	if (teach_film(m) && teach_film(m)->halves == 2)
		return "lowest and highest: L loss, T draw, W win; u may change  x broken  ! this "
		       "pass";
	if (metric->limit)
		return "W won  L lost  w, l too late  = draw  . undecided  x broken  ! this pass";
	if (kind_words(metric)->is_signed)
		return "+ gained  - lost  = neither  . undecided  ! this threshold; numbers are "
		       "stones";
	if (metric->has_phase)
		return "W won  L lost  = draw  . undecided  x broken  ! this one; numbers are "
		       "limits";
	if (metric->wins_only)
		return "W won  - not won  . undecided  x broken  ! this pass; numbers are passes";
	return "W won  L lost  = draw  . undecided  x broken  ! this pass; numbers are plies";
}

enum { COUNT_TEXT = 56, REACHED_TEXT = 96 };

/* " in 5", ", zeroing in 5", " under a limit of 12": what the metric counts; empty if it counts
   nothing. */
static void count_text(const struct model *m, struct el_value v, char out[COUNT_TEXT])
{
	const struct el_metric *solved = teach_film(m)->solved;
	const char *to = solved->end == EL_END_ZEROING ? "zeroing" : "conversion";
	out[0] = '\0';
	if (!solved->has_depth)
		return;
	if (solved->join == EL_JOIN_SUM)
		snprintf(out, COUNT_TEXT, " %s %u", teach_method(teach_film(m))->by, v.plies);
	else if (!v.plies)
		snprintf(out, COUNT_TEXT, " at once");
	else if (!solved->has_phase)
		snprintf(out, COUNT_TEXT, ", %s in %s%u", to, v.at_most ? "at most " : "", v.plies);
	else if (teach_of(m)->wish.metric == solved)
		snprintf(out, COUNT_TEXT, " under a limit of %u", v.plies);
	else
		snprintf(out, COUNT_TEXT, ", %s in %u under a limit of %u", to, v.phase, v.plies);
}

/* "a position won in 5", "a drawn position": the target of a move. */
static void reached_text(const struct model *m, const struct el_film_value *v,
                         char out[REACHED_TEXT])
{
	static const char *const words[] = {
		[EL_LOSS] = "a position lost",
		[EL_BLESSED_LOSS] = "a blessed loss",
		[EL_CURSED_WIN] = "a cursed win",
		[EL_WIN] = "a position won",
	};
	const struct el_film *film = teach_film(m);
	const enum el_outcome outcome = v->value.outcome;
	/* If the count ends with a conversion, nothing is known of the play after it. */
	const bool counts = film->solved->has_depth && (!film->solved->entered || !v->outside);
	char bounds[BOUNDS_NAME_MAX], count[COUNT_TEXT] = "";
	if (counts)
		count_text(m, v->value, count);
	if (v->open && film->halves == 2)
		snprintf(out, REACHED_TEXT, "a position worth %s so far", bounds_text(v, bounds));
	else if (v->open)
		snprintf(out, REACHED_TEXT, "an undecided position");
	else if (outcome == EL_DRAW)
		snprintf(out, REACHED_TEXT, "a drawn position");
	else if (!counts && (outcome == EL_WIN || outcome == EL_LOSS))
		snprintf(out, REACHED_TEXT,
		         outcome == EL_WIN ? "a won position" : "a lost position");
	else if (outcome <= EL_WIN)
		snprintf(out, REACHED_TEXT, "%s%s", words[outcome], count);
	else
		snprintf(out, REACHED_TEXT,
		         outcome == EL_UNKNOWN ? "a position of %s value" : "a position worth %s",
		         outcome_words(outcome));
}

/* ---- reasons ---- */

/* What the text says about one position. */
struct saying {
	const struct model *m;
	const struct el_film *film;
	struct el_position position;
	struct el_film_reason r;
	char move[EL_MOVE_MAX], reached[REACHED_TEXT];
	char leads[EL_SLICE_MAX + 64]; /* "leads to KQvK, " */
};

/* "leads to KQvK, " if the move leaves the slice; a move within it may zero the clock. */
static void name_lead(struct saying *s)
{
	struct el_position after;
	struct el_slice slice;
	char taken[24] = "";
	if (s->r.gain)
		snprintf(taken, sizeof taken, "takes %u and ", s->r.gain);
	const char *zeroes = s->r.converts && s->film->solved->end == EL_END_ZEROING
	                             ? "zeroes the clock and "
	                             : "";
	teach_of(s->m)->game->play(&s->position, &s->r.move, &after);
	if (!s->film->wish.slice.is_study && !teach_is_filmed(s->m, &after) &&
	    !teach_of(s->m)->game->slice_of(&after, &slice, NULL))
		snprintf(s->leads, sizeof s->leads, "%s%sleads to %s, ", zeroes, taken, slice.name);
	else
		snprintf(s->leads, sizeof s->leads, "%s%sleads to ", zeroes, taken);
}

static void say_lost(const struct saying *s, char out[TEACH_TEXT])
{
	const char *side = teach_of(s->m)->game->sides[s->position.side],
		   *lost = teach_of(s->m)->game->lost;
	if (s->r.value.open)
		snprintf(out, TEACH_TEXT, "undecided: %s is %s, which the next step finds", side,
		         lost);
	else
		snprintf(out, TEACH_TEXT, "lost at once: %s is %s", side, lost);
}

/* "its only move is", "both moves are", "all 17 moves are", "3 of 5 moves are" */
static void some_moves(unsigned some, unsigned all, char out[48])
{
	if (all == 1)
		snprintf(out, 48, "its only move is");
	else if (some == all && all == 2)
		snprintf(out, 48, "both moves are");
	else if (some == all)
		snprintf(out, 48, "all %u moves are", all);
	else
		snprintf(out, 48, "%u of %u moves %s", some, all, some == 1 ? "is" : "are");
}

static void say_open(const struct saying *s, char out[TEACH_TEXT])
{
	const struct el_film_reason *r = &s->r;
	const struct el_metric *solved = s->film->solved;
	const struct el_value mine =
		el_value_of_move(solved, r->reached.value, r->converts, r->gain);
	char some[48];
	some_moves(r->unknown ? r->unknown : r->moves, r->moves, some);
	if (mine.outcome == EL_WIN && solved->has_depth)
		snprintf(out, TEACH_TEXT, "undecided: %s %s%s, so %s %u %s", s->move, s->leads,
		         s->reached, teach_method(s->film)->before, mine.plies,
		         teach_method(s->film)->behind);
	else if (mine.outcome == EL_CURSED_WIN)
		snprintf(out, TEACH_TEXT,
		         "undecided: %s %s%s: a cursed win, unless another move wins in time",
		         s->move, s->leads, s->reached);
	else if (r->unknown && r->moves == 1)
		snprintf(out, TEACH_TEXT, "undecided: its only move, %s, is still unknown",
		         s->move);
	else if (r->unknown)
		snprintf(out, TEACH_TEXT, "undecided: %s still unknown (%s%s)%s", some, s->move,
		         r->unknown > 1 ? ", ..." : "",
		         r->to_draw ? "; another leads to a draw" : "");
	else
		snprintf(out, TEACH_TEXT,
		         r->moves == 1
		                 ? "undecided: the position after its only move has a value; a "
		                   "later pass will use it"
		                 : "undecided: the positions after its moves have values; a later "
		                   "pass will use them");
}

/* Describes the best move's bounds, whether they may still change or are final. */
static void say_bounds(const struct saying *s, char out[TEACH_TEXT])
{
	char bounds[BOUNDS_NAME_MAX];
	if (s->r.value.open)
		snprintf(out, TEACH_TEXT, "%s, may still change: the best move so far, %s, %s%s",
		         bounds_text(&s->r.value, bounds), s->move, s->leads, s->reached);
	else
		snprintf(out, TEACH_TEXT, "%s: the best move, %s, %s%s",
		         outcome_words(s->r.value.value.outcome), s->move, s->leads, s->reached);
}

static void say_move(const struct saying *s, char out[TEACH_TEXT])
{
	const struct el_value v = s->r.value.value;
	const bool late = v.outcome == EL_CURSED_WIN;
	char count[COUNT_TEXT];
	count_text(s->m, v, count);
	if (v.outcome == EL_DRAW)
		snprintf(out, TEACH_TEXT, "%s, and %s %s%s", teach_method(s->film)->draw, s->move,
		         s->leads, s->reached);
	else
		snprintf(out, TEACH_TEXT, "%s%s: %s %s%s%s", late ? "a cursed win" : "won", count,
		         s->move, s->leads, s->reached,
		         late && s->r.reached.value.outcome == EL_LOSS
		                 ? ", all that the limit allows"
		                 : "");
}

static void say_all(const struct saying *s, char out[TEACH_TEXT])
{
	const struct el_film_reason *r = &s->r;
	const bool late = r->value.value.outcome == EL_BLESSED_LOSS;
	char count[COUNT_TEXT], all[32] = "both moves";
	if (r->moves > 2)
		snprintf(all, sizeof all, "all %u moves", r->moves);
	count_text(s->m, r->value.value, count);
	if (r->moves > 1 && teach_method(s->film)->in_stones)
		snprintf(out, TEACH_TEXT, "lost%s: %s lose stones; the best, %s, %s%s", count, all,
		         s->move, s->leads, s->reached);
	else if (r->moves == 1)
		snprintf(out, TEACH_TEXT, "%s%s: its only move, %s, %s%s",
		         late ? "a blessed loss" : "lost", count, s->move, s->leads, s->reached);
	else
		snprintf(out, TEACH_TEXT, "%s%s: %s lead to wins for %s%s; the %s, %s, %s%s",
		         late ? "a blessed loss" : "lost", count, all,
		         teach_of(s->m)->game->sides[!s->position.side],
		         late && r->to_win ? ", some too late"
		         : late            ? ", but too late"
		                           : "",
		         late ? "best" : "longest", s->move, s->leads, s->reached);
}

static void say_reason(struct saying *s, char out[TEACH_TEXT])
{
	switch (s->r.why) {
	case EL_FILM_WHY_BROKEN:
		snprintf(out, TEACH_TEXT, "broken: %s", s->r.text);
		break;
	case EL_FILM_WHY_LOST:
		say_lost(s, out);
		break;
	case EL_FILM_WHY_STALEMATE:
		snprintf(out, TEACH_TEXT,
		         "stalemate: no move, but no loss either; no pass decides it, "
		         "so it ends as a draw");
		break;
	case EL_FILM_WHY_MOVE:
		say_move(s, out);
		break;
	case EL_FILM_WHY_ALL:
		say_all(s, out);
		break;
	case EL_FILM_WHY_OPEN:
		(s->film->halves == 2 ? say_bounds : say_open)(s, out);
		break;
	case EL_FILM_WHY_BOUNDS:
		say_bounds(s, out);
		break;
	case EL_FILM_WHY_OUTSIDE:
		snprintf(out, TEACH_TEXT,
		         s->film->wish.slice.is_study ? "a position of another frame"
		                                      : "a position of another slice");
		break;
	}
}

void teach_why(const struct model *m, char out[TEACH_TEXT])
{
	const struct teach *t = teach_of(m);
	const struct window *w = &t->window;
	struct saying s = {.m = m, .film = teach_film(m)};
	char piece[PIECE_TEXT_MAX];
	if (t->held != EL_NO_SQUARE) {
		snprintf(out, TEACH_TEXT,
		         "%s is picked up. Press Enter to put it down here, Esc to leave it where "
		         "it was.",
		         piece_text(t->game, &w->position, t->held, piece));
		return;
	}
	if (!window_try(t->game, &w->position, w->free, w->cursor, &s.position)) {
		snprintf(out, TEACH_TEXT,
		         teach_stands(t, w->cursor)
		                 ? "broken: %s stands there in the whole frame."
		                 : "broken: %s is there. Press Enter to pick it up.",
		         piece_text(t->game, &w->position, w->cursor, piece));
		return;
	}
	s.r = el_film_reason(s.film, &s.position, t->step);
	if (s.r.has_move) {
		t->game->write_move(&s.position, &s.r.move, EL_SAN, s.move);
		reached_text(m, &s.r.reached, s.reached);
		name_lead(&s);
	}
	say_reason(&s, out);
}
