/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Teach says: names of steps, rules, reasons, and marks in squares. */
#include "teach.h"

#include "../../model/window.h"
#include "../../screen/roles.h"
#include "../../screen/widgets/board.h"
#include "../../text/bounds.h"
#include "../../text/text.h"

#include <stdio.h>
#include <string.h>

/* ---- steps ---- */

void teach_step_name(const struct el_film *film, size_t step, char out[32])
{
	static const char *const names[] = {"the start", "lost at once", "conversions", "WIN",
	                                    "LOSS", "draws"};
	const struct el_film_step *s = &film->steps[step];
	if (s->rule == EL_FILM_DRAWS && film->halves == 2)
		snprintf(out, 32, "the end");
	else if (s->ply)
		snprintf(out, 32, "%s in %u", names[s->rule], s->ply);
	else
		snprintf(out, 32, "%s", names[s->rule]);
}

static void terminal_rule(const struct el_film *film, const char *lost, char out[TEACH_TEXT])
{
	char number[GROUPED_MAX];
	const uint64_t stalemates = film->stalemates[0] + film->stalemates[1];
	snprintf(out, TEACH_TEXT, "the side to move is %s: lost at once", lost);
	if (stalemates)
		snprintf(out + strlen(out), TEACH_TEXT - strlen(out), "; the %s%s%s",
		         stalemates > 1 ? grouped(stalemates, number) : "",
		         stalemates > 1 ? " " : "",
		         plural(stalemates, "stalemate is not a loss", "stalemates are not losses"));
}

static void conversions_rule(const struct el_film *film, char out[TEACH_TEXT])
{
	char winning[GROUPED_MAX];
	const char *name = film->wish.slice.name;
	const uint64_t wins = film->winning[0] + film->winning[1];
	if (!wins && !film->holding[0] && !film->holding[1])
		snprintf(out, TEACH_TEXT, "no capture or promotion leaves %s", name);
	else if (!wins)
		snprintf(out, TEACH_TEXT, "the moves that leave %s are looked up: none wins", name);
	else if (film->halves == 2)
		snprintf(out, TEACH_TEXT, "the moves that leave %s are looked up where a table is there", name);
	else
		snprintf(out, TEACH_TEXT,
		         "the moves that leave %s are looked up: %s %s by one", name,
		         grouped(wins, winning), plural(wins, "position wins", "positions win"));
}

void teach_rule(const struct model *m, char out[TEACH_TEXT])
{
	const struct el_film *film = teach_film(m);
	const struct el_film_step *s = &film->steps[teach_of(m)->step];
	const char *way_out = s->converts ? ", in this slice or another" : "";
	switch (s->rule) {
	case EL_FILM_START:
		snprintf(out, TEACH_TEXT, "nothing is known: %s undecided",
		         film->halves == 2 ? "both bounds of every position are"
		                           : "every legal position is");
		break;
	case EL_FILM_TERMINAL:
		terminal_rule(film, teach_of(m)->game->lost, out);
		break;
	case EL_FILM_CONVERSIONS:
		conversions_rule(film, out);
		break;
	case EL_FILM_WIN:
		snprintf(out, TEACH_TEXT, "some move leads to a position lost in %u%s", s->ply - 1,
		         way_out);
		break;
	case EL_FILM_LOSS:
		snprintf(out, TEACH_TEXT, "every move leads to a position won in %u or less",
		         s->ply - 1);
		break;
	case EL_FILM_DRAWS:
		snprintf(out, TEACH_TEXT, "no pass finds anything more: %s",
		         film->halves == 2 ? "a bound still undecided is a draw"
		                           : "every undecided position is a draw");
		break;
	}
}

/* ---- values ---- */

/* The pass that decided a value. */
static unsigned pass_of(const struct el_film *film, const struct el_film_value *v)
{
	return film->steps[v->step].ply;
}

/* "uTW" */
static const char *bounds_text(const struct el_film_value *v, char out[EL_BOUNDS_NAME_MAX])
{
	return el_bounds_name((struct el_bounds){v->value.outcome, v->open}, out);
}

static void mark_bounds(const struct el_film_value *v, bool now, bool wide,
                        struct square_mark *out)
{
	char text[EL_BOUNDS_NAME_MAX];
	bounds_text(v, text);
	if (wide)
		snprintf(out->text, sizeof out->text, "%.3s%s", text, now ? "!" : "");
	else
		snprintf(out->text, sizeof out->text, "%c",
		         v->open ? '.' : now ? '!' : outcome_mark(v->value.outcome));
}

void teach_mark(const struct model *m, const struct el_film_value *v, bool wide,
                struct square_mark *out)
{
	const struct el_film *film = teach_film(m);
	const enum el_outcome outcome = v->value.outcome;
	/* In the last step all that is left is decided at once: there the mark would tell nothing. */
	const bool now = v->step == teach_of(m)->step && v->step && v->step < teach_last(m);
	const char letter = outcome_mark(outcome);
	*out = (struct square_mark){.role = (uint8_t)(now ? ROLE_MARK_NOW
	                                                  : outcome_mark_role(outcome))};
	if (outcome == EL_BROKEN)
		snprintf(out->text, sizeof out->text, "x");
	else if (film->halves == 2)
		mark_bounds(v, now, wide, out);
	else if (v->open)
		snprintf(out->text, sizeof out->text, ".");
	else if (!wide)
		snprintf(out->text, sizeof out->text, "%c", now ? '!' : letter);
	else if (outcome == EL_DRAW)
		snprintf(out->text, sizeof out->text, "=");
	else if (now && pass_of(film, v) > 99)
		snprintf(out->text, sizeof out->text, "%u!", pass_of(film, v) % 1000);
	else
		snprintf(out->text, sizeof out->text, "%c%u%s", letter, pass_of(film, v) % 1000,
		         now ? "!" : "");
	if (v->open && outcome == EL_UNKNOWN)
		out->role = ROLE_GROUND;
}

/* "a position won in 5", "a drawn position": what a move reaches. */
static void reached_text(const struct el_film *film, const struct el_film_value *v, char out[48])
{
	const enum el_outcome outcome = v->value.outcome;
	/* Where the count ends with a conversion nothing is known of how it goes on. */
	const bool counts = film->wish.metric->has_depth &&
	                    (!film->wish.metric->entered || !v->outside);
	char bounds[EL_BOUNDS_NAME_MAX];
	if (outcome == EL_WIN || outcome == EL_LOSS)
		snprintf(out, 48, counts ? "a position %s in %u" : "a %s position",
		         outcome == EL_WIN ? "won" : "lost", v->value.plies);
	else if (v->open && film->halves == 2)
		snprintf(out, 48, "a position worth %s so far", bounds_text(v, bounds));
	else if (v->open)
		snprintf(out, 48, "an undecided position");
	else if (outcome == EL_DRAW)
		snprintf(out, 48, "a drawn position");
	else
		snprintf(out, 48, outcome == EL_UNKNOWN ? "a position of %s value" : "a position worth %s",
		         outcome_words(outcome));
}

/* ---- reasons ---- */

/* What there is to say about one position. */
struct saying {
	const struct model *m;
	const struct el_film *film;
	struct el_position position;
	struct el_film_reason r;
	char move[EL_MOVE_MAX], reached[48], entered[EL_SLICE_MAX + 8];
};

/* "KQvK, " where the move leaves the slice. */
static void name_entered(struct saying *s)
{
	struct el_position after;
	struct el_slice slice;
	s->entered[0] = '\0';
	teach_of(s->m)->game->play(&s->position, &s->r.move, &after);
	if (s->r.converts && !teach_of(s->m)->game->slice_of(&after, &slice, NULL))
		snprintf(s->entered, sizeof s->entered, "%s, ", slice.name);
}

static void say_lost(const struct saying *s, char out[TEACH_TEXT])
{
	const char *side = side_name(s->position.side), *lost = teach_of(s->m)->game->lost;
	if (s->r.value.open)
		snprintf(out, TEACH_TEXT, "undecided: %s is %s, which the next step finds",
		         side, lost);
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
	const struct el_metric *metric = s->film->wish.metric;
	char some[48];
	some_moves(r->unknown ? r->unknown : r->moves, r->moves, some);
	if (r->to_loss && metric->has_depth)
		snprintf(out, TEACH_TEXT, "undecided: %s leads to %s%s, so pass %u decides it at the "
		                          "latest", s->move, s->entered, s->reached,
		         el_value_of_move(metric, r->reached.value, r->converts).plies);
	else if (r->unknown && r->moves == 1)
		snprintf(out, TEACH_TEXT, "undecided: its only move, %s, is still unknown",
		         s->move);
	else if (r->unknown)
		snprintf(out, TEACH_TEXT, "undecided: %s still unknown (%s%s)%s", some, s->move,
		         r->unknown > 1 ? ", ..." : "",
		         r->to_draw ? "; another leads to a draw" : "");
	else
		snprintf(out, TEACH_TEXT,
		         "undecided: %s known, and a later pass combines them", some);
}

/* The best of the moves, while bounds may change or have come to stand. */
static void say_bounds(const struct saying *s, char out[TEACH_TEXT])
{
	char bounds[EL_BOUNDS_NAME_MAX];
	if (s->r.value.open)
		snprintf(out, TEACH_TEXT,
		         "%s, may still change: the best move so far, %s, leads to %s%s",
		         bounds_text(&s->r.value, bounds), s->move, s->entered, s->reached);
	else
		snprintf(out, TEACH_TEXT, "%s: the best move, %s, leads to %s%s",
		         outcome_words(s->r.value.value.outcome), s->move, s->entered, s->reached);
}

static void say_move(const struct saying *s, char out[TEACH_TEXT])
{
	const struct el_value v = s->r.value.value;
	const bool deep = s->film->wish.metric->has_depth;
	char depth[16] = "";
	if (deep)
		snprintf(depth, sizeof depth, " in %u", v.plies);
	if (v.outcome == EL_WIN)
		snprintf(out, TEACH_TEXT, "won%s: %s leads to %s%s", depth, s->move, s->entered,
		         s->reached);
	else
		snprintf(out, TEACH_TEXT, "a draw: no move wins, and %s leads to %s%s", s->move,
		         s->entered, s->reached);
}

static void say_all(const struct saying *s, char out[TEACH_TEXT])
{
	const struct el_film_reason *r = &s->r;
	char depth[16] = "", all[32] = "both moves";
	if (r->moves > 2)
		snprintf(all, sizeof all, "all %u moves", r->moves);
	if (s->film->wish.metric->has_depth)
		snprintf(depth, sizeof depth, " in %u", r->value.value.plies);
	if (r->moves == 1)
		snprintf(out, TEACH_TEXT, "lost%s: its only move, %s, leads to %s%s", depth, s->move,
		         s->entered, s->reached);
	else
		snprintf(out, TEACH_TEXT, "lost%s: %s lead to wins for %s; the longest, %s, leads to "
		                          "%s%s", depth, all, side_name(!s->position.side), s->move,
		         s->entered, s->reached);
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
		snprintf(out, TEACH_TEXT, "stalemate: no move, but no loss either; no pass decides it, "
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
		snprintf(out, TEACH_TEXT, "a position of another slice");
		break;
	}
}

static void say_occupied(const struct model *m, char out[TEACH_TEXT])
{
	const struct window *w = &teach_of(m)->window;
	unsigned side = 0, kind = 0;
	el_piece_at(&w->position, w->cursor, &side, &kind);
	snprintf(out, TEACH_TEXT, "broken: the %s %s is there. Press Enter to pick it up.",
	         side == EL_WHITE ? "white" : "black", teach_of(m)->game->kind_names[kind]);
}

static void say_held(const struct model *m, char out[TEACH_TEXT])
{
	unsigned side = 0, kind = 0;
	el_piece_at(&teach_of(m)->window.position, teach_of(m)->held, &side, &kind);
	snprintf(out, TEACH_TEXT, "the %s %s is picked up. Press Enter to put it down here, Esc to "
	                          "leave it where it was.", side == EL_WHITE ? "white" : "black",
	         teach_of(m)->game->kind_names[kind]);
}

void teach_why(const struct model *m, char out[TEACH_TEXT])
{
	const struct window *w = &teach_of(m)->window;
	struct saying s = {.m = m, .film = teach_film(m)};
	if (teach_of(m)->held != EL_NO_SQUARE) {
		say_held(m, out);
		return;
	}
	if (!window_try(&w->position, w->free, w->cursor, &s.position)) {
		say_occupied(m, out);
		return;
	}
	s.r = el_film_reason(s.film, &s.position, teach_of(m)->step);
	if (s.r.has_move) {
		teach_of(m)->game->write_move(&s.position, &s.r.move, EL_SAN, s.move);
		reached_text(s.film, &s.r.reached, s.reached);
		name_entered(&s);
	}
	say_reason(&s, out);
}
