/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Teach: the passes of retrograde analysis one by one, on a board. */
#include "../../shell/autoplay.h"
#include "../../shell/line.h"
#include "../../text/values.h"
#include "../../screen/widgets/board.h"
#include "../../model/window.h"

#include <stdio.h>
#include <string.h>

static const struct autoplay_words pass_words = {"pass", "passes"};

/* The position of Explore is taken over when that has come to another slice. */
static void enter(struct model *m)
{
	struct teach *t = &m->teach;
	const struct el_position *p = explore_position(m);
	struct el_slice slice;
	const bool known = !m->explore.game->slice_of(p, &slice, NULL);
	if (known && slice.key != t->explored)
		teach_set(m, m->explore.game, p);
	else if (!t->game)
		teach_set_slice(m, "KRvK");
	t->explored = known ? slice.key : t->explored;
}

/* ---- steps ---- */

void teach_go(struct model *m, size_t step)
{
	m->teach.step = step < teach_last(m) ? step : teach_last(m);
}

static void next_pass(struct model *m)
{
	m->teach.play.running = false;
	teach_go(m, m->teach.step + 1);
}

static void pass_before(struct model *m)
{
	m->teach.play.running = false;
	teach_go(m, m->teach.step - 1);
}

static void first_pass(struct model *m)
{
	teach_go(m, 0);
}

static void last_pass(struct model *m)
{
	teach_go(m, teach_last(m));
}

static const char *no_film(const struct model *m)
{
	const struct film_wanted *w = &m->teach.film;
	return w->film ? NULL : w->why[0] ? w->why : "the slice is still being solved";
}

static const char *at_first(const struct model *m)
{
	const char *why = no_film(m);
	return why ? why : m->teach.step ? NULL : "this is where it begins";
}

static const char *at_last(const struct model *m)
{
	const char *why = no_film(m);
	return why                              ? why
	       : m->teach.step < teach_last(m) ? NULL
	                                       : "all passes are done";
}

static void run(struct model *m)
{
	autoplay_toggle(m, &m->teach.play, "running through the passes", &pass_words);
}

static void faster(struct model *m)
{
	autoplay_change(m, &m->teach.play, 1, &pass_words);
}

static void slower(struct model *m)
{
	autoplay_change(m, &m->teach.play, -1, &pass_words);
}

static void tick(struct model *m)
{
	struct teach *t = &m->teach;
	if (!autoplay_due(m, &t->play) || !teach_film(m))
		return;
	teach_go(m, t->step + 1);
	t->play.running = t->step < teach_last(m);
	autoplay_went(m, &t->play);
}

static int next_tick(const struct model *m)
{
	return teach_film(m) ? autoplay_wait(m, &m->teach.play) : -1;
}

/* ---- the cursor, and what it does ---- */

static void move_cursor(struct model *m, int files, int ranks)
{
	struct window *w = &m->teach.window;
	w->cursor = square_step(m->teach.game, m->explore.flipped, w->cursor, files, ranks);
}

static void left(struct model *m)
{
	move_cursor(m, -1, 0);
}

static void right(struct model *m)
{
	move_cursor(m, 1, 0);
}

static void up(struct model *m)
{
	move_cursor(m, 0, 1);
}

static void down(struct model *m)
{
	move_cursor(m, 0, -1);
}

static void free_next(struct model *m)
{
	struct window *w = &m->teach.window;
	w->free = w->cursor = window_next_piece(&w->position, w->free);
	m->teach.held = EL_NO_SQUARE;
}

static void other_side(struct model *m)
{
	m->teach.window.position.side ^= 1;
}

static void compare(struct model *m)
{
	m->teach.comparing = !m->teach.comparing;
}

static void flip(struct model *m)
{
	m->explore.flipped = !m->explore.flipped;
}

static void put_held(struct model *m)
{
	struct teach *t = &m->teach;
	struct el_position p;
	if (!window_try(&t->window.position, t->held, t->window.cursor, &p)) {
		model_fail(m, "another piece stands there");
		return;
	}
	t->window.position = p;
	if (t->window.free == t->held)
		t->window.free = t->window.cursor;
	t->held = EL_NO_SQUARE;
}

/* Says where a move that leaves the slice leads. */
static void say_conversion(struct model *m, const struct el_position *p, const struct el_move *move)
{
	const struct el_game *game = m->teach.game;
	struct el_position after;
	struct el_slice slice;
	char san[EL_MOVE_MAX];
	game->write_move(p, move, EL_SAN, san);
	game->play(p, move, &after);
	if (game->slice_of(&after, &slice, NULL))
		model_note(m, "%s ends the game", san);
	else
		model_note(m, "%s leads to %s, another table", san, slice.name);
}

/* Plays the move of the reason, and tries the same piece from there on. */
static void follow(struct model *m)
{
	struct teach *t = &m->teach;
	struct window next = {.free = t->window.cursor};
	struct el_position p;
	struct el_film_reason r = {.has_move = false};
	if (window_try(&t->window.position, t->window.free, t->window.cursor, &p))
		r = el_film_reason(teach_film(m), &p, t->step);
	if (!r.has_move || t->trail_count == TRAIL_MAX) {
		model_note(m, r.has_move ? "this is as far as a trail goes" : "the reason ends here");
		return;
	}
	if (r.converts) {
		say_conversion(m, &p, &r.move);
		return;
	}
	t->game->play(&p, &r.move, &next.position);
	if (r.move.from == next.free)
		next.free = r.move.to;
	next.position.en_passant = EL_NO_SQUARE;
	next.cursor = next.free;
	t->trail[t->trail_count] = t->window;
	t->game->write_move(&p, &r.move, EL_SAN, t->said[t->trail_count]);
	t->trail_count++;
	teach_set_window(t, &next);
}

static void follow_or_lift(struct model *m)
{
	struct teach *t = &m->teach;
	unsigned side, kind;
	if (t->held != EL_NO_SQUARE)
		put_held(m);
	else if (t->window.cursor != t->window.free &&
	         el_piece_at(&t->window.position, t->window.cursor, &side, &kind))
		t->held = t->window.cursor;
	else if (teach_film(m))
		follow(m);
	else if (t->film.why[0])
		film_insist(&t->film);
}

static void way_back(struct model *m)
{
	struct teach *t = &m->teach;
	if (t->held != EL_NO_SQUARE)
		t->held = EL_NO_SQUARE;
	else
		teach_set_window(t, &t->trail[--t->trail_count]);
}

static const char *no_way_back(const struct model *m)
{
	const struct teach *t = &m->teach;
	return t->trail_count || t->held != EL_NO_SQUARE ? NULL : "no reason was followed";
}

static void next_panel(struct model *m)
{
	m->teach.panel = (m->teach.panel + 1) % TEACH_PANELS;
}

static void ask_pass(struct model *m)
{
	model_prompt(m, "pass ");
}

static void ask_slice(struct model *m)
{
	model_prompt(m, "teach ");
}

static void ask_missing(struct model *m)
{
	model_prompt(m, "missing ");
}

/* The next one with depths that the game has, around to the first. */
static void next_metric(struct model *m)
{
	struct el_film_wish wish = m->teach.film.wish;
	size_t i = el_metric_rank(wish.metric);
	do {
		i = (i + 1) % EL_METRICS;
	} while (!el_metrics[i]->has_depth || !el_game_has(m->teach.game, el_metrics[i]));
	wish.metric = el_metrics[i];
	wish.partial = false;
	teach_film_again(m, &wish);
}

static void explore_this(struct model *m)
{
	const struct el_position p = teach_position(m);
	if (explore_set(m, m->teach.game, &p))
		model_visit(m, &explore_view);
}

static void show_index(struct model *m)
{
	model_show(m, &index_view);
}

static void show_bounds(struct model *m)
{
	model_show(m, &bounds_view);
}

static void show_metrics(struct model *m)
{
	model_show(m, &metrics_view);
}

static void show_practice(struct model *m)
{
	model_show(m, &practice_view);
}

/* ---- the view ---- */

static void click(struct model *m, uint8_t square)
{
	struct teach *t = &m->teach;
	const bool again = t->window.cursor == square;
	t->window.cursor = square;
	if (again || t->held != EL_NO_SQUARE)
		follow_or_lift(m);
}

static bool update(struct model *m, const struct event *e)
{
	if (e->kind == EVENT_CLICK && e->zone.kind == ZONE_SQUARE)
		click(m, (uint8_t)e->zone.value);
	else if (e->kind == EVENT_KEY && e->key == K_ESCAPE && m->teach.held != EL_NO_SQUARE)
		m->teach.held = EL_NO_SQUARE;
	else if (e->kind == EVENT_WHEEL)
		teach_go(m, e->value < 0 && m->teach.step == 0 ? 0
		                                            : m->teach.step + (size_t)e->value);
	else
		return false;
	return true;
}

static void ask(struct model *m)
{
	struct teach *t = &m->teach;
	char line[sizeof t->pending];
	if (t->pending[0] && teach_film(m)) {
		memcpy(line, t->pending, sizeof line);
		t->pending[0] = '\0';
		teach_line(m, line);
	}
	film_ask(m, &t->film);
}

static void close_teach(struct model *m)
{
	film_drop(&m->teach.film);
}

enum { NAMES_COLS = 56 }; /* of the title line, for the names of the views */

static void subject(const struct model *m, char *out, size_t size)
{
	const struct el_film *film = teach_film(m);
	const char *name = m->teach.film.wish.slice.name;
	const struct el_metric *metric = m->teach.film.wish.metric;
	char step[32] = "", under[16] = "";
	if (film)
		teach_step_name(film, m->teach.step, step);
	if (film && film->halves == 2)
		snprintf(under, sizeof under, "bounds");
	else if (metric != el_game_metric(m->teach.game))
		metric_text(metric, under);
	snprintf(out, size, "%s%s%s", name, *under ? "  " : "", under);
	/* The step stands beside the board, too. */
	if (film && utf8_length(out) + 2 + utf8_length(step) <= m->cols - NAMES_COLS)
		snprintf(out + strlen(out), size - strlen(out), "  %s", step);
}

static const struct binding bindings[] = {
	{{' ', '.'}, "next-pass", "pass", "the next pass", next_pass, at_last, NULL},
	{{',', 'b'}, "pass-before", "back", "the pass before", pass_before, at_first, NULL},
	{{'g'}, "go-to-pass", NULL, "go to a pass by its number", ask_pass, no_film, NULL},
	{{'a'}, "run", "run", "run through the passes", run, at_last, NULL},
	{{K_ENTER}, "follow", "follow",
	 "follow the reason by its move; on a fixed piece, take it up and put it down",
	 follow_or_lift, NULL, NULL},
	{{K_BACKSPACE}, "way-back", NULL, "back to where the reason was followed from", way_back,
	 no_way_back, NULL},
	{{K_TAB}, "free-piece", "piece", "try the next piece on every square", free_next, NULL,
	 NULL},
	{{'t'}, "other-side", "side", "the other side is to move", other_side, NULL, NULL},
	{{'v'}, "algorithm", "algorithm",
	 "beside the board: the loop on sets, the classic loop, the histogram alone", next_panel,
	 NULL, NULL},
	{{'s'}, "set-slice", "slice", "choose another slice, by its name or a position", ask_slice,
	 NULL, NULL},
	{{'d'}, "next-metric", NULL, "film the slice under the next metric", next_metric, NULL, NULL},
	{{'m'}, "set-missing", NULL, "film the slice as if some tables were missing",
	 ask_missing, NULL, NULL},
	{{'c'}, "compare", NULL, "both sides to move, on two boards", compare, NULL, NULL},
	{{'i'}, "see-index", "index", "how the position gets its number", show_index, NULL, NULL},
	{{'M'}, "see-metrics", "metrics", "the position under each metric, and what each leaves out",
	 show_metrics, NULL, NULL},
	{{'P'}, "see-practice", "practice", "play won positions of this slice", show_practice, NULL,
	 NULL},
	{{'B'}, "see-bounds", "bounds", "partial information: bounds, and how they go round a loop",
	 show_bounds, NULL, NULL},
	{{'L'}, "see-lessons", "lessons", "the lessons there are", lesson_show, NULL, NULL},
	{{'+', '='}, "run-faster", NULL, "run faster", faster, NULL, NULL},
	{{'-'}, "run-slower", NULL, "run slower", slower, NULL, NULL},
	{{K_HOME}, "first-pass", NULL, "to the beginning", first_pass, no_film, NULL},
	{{K_END}, "last-pass", NULL, "to the end", last_pass, no_film, NULL},
	{{'f'}, "turn", NULL, "turn the board around", flip, NULL, NULL},
	{{'e'}, "explore-this", NULL, "explore the position at the cursor", explore_this, NULL,
	 NULL},
	{{K_LEFT, 'h'}, "left", NULL, "cursor left", left, NULL, NULL},
	{{K_RIGHT, 'l'}, "right", NULL, "cursor right", right, NULL, NULL},
	{{K_UP, 'k'}, "up", NULL, "cursor up", up, NULL, NULL},
	{{K_DOWN, 'j'}, "down", NULL, "cursor down", down, NULL, NULL},
	{.name = NULL},
};

const struct view teach_view = {
	.name = "Teach",
	.summary = "retrograde analysis, pass by pass",
	.key = '2',
	.bindings = bindings,
	.update = update,
	.line = teach_line,
	.words = teach_offer_words,
	.draw = teach_draw,
	.enter = enter,
	.subject = subject,
	.close = close_teach,
	.ask = ask,
	.tick = tick,
	.next_tick = next_tick,
};
