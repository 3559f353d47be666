/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics: one position under every metric of its game, and two players who know different ones. */
#include "../../shell/autoplay.h"
#include "../../text/values.h"

#include <stdio.h>
#include <string.h>

/* ---- the position ---- */

static void begin_race(struct model *m)
{
	struct metrics *x = &m->metrics;
	x->turns = x->wanted = 0;
	x->autoplay.running = false;
	for (int rule = 0; rule < RACE_RULES; rule++)
		racer_begin(&x->racer[rule], (enum race_rule)rule);
}

static void set_position(struct model *m, const struct el_game *game,
                         const struct el_position *position)
{
	struct metrics *x = &m->metrics;
	struct el_slice slice;
	struct el_error error;
	if (game->check(position, &error) || game->slice_of(position, &slice, &error)) {
		model_fail(m, "%s", error.text);
		return;
	}
	x->game = game;
	x->slice = slice;
	x->position = *position;
	x->flipped = position->side == EL_BLACK;
	x->drawing = x->known = false;
	begin_race(m);
}

/* A position that the side to move wins, once the film is there. */
static void draw_position(struct model *m)
{
	struct metrics *x = &m->metrics;
	struct el_position position;
	const struct el_metric *metric = el_game_metric(x->slice.game);
	const struct film_wanted *w = film_shelf_get(&x->films, &x->slice, metric);
	if (!w->film)
		return;
	x->drawing = false;
	struct film_range all = {1, film_deepest(w->film)};
	if (film_sample(m, w->film, all, &position))
		set_position(m, x->slice.game, &position);
	else
		model_fail(m, "nobody wins in %s", x->slice.name);
}

/* ---- the players ---- */

static struct el_value value_of(const struct metrics *x)
{
	return x->table.row[0].value;
}

const char *metrics_no_race(const struct model *m)
{
	const struct metrics *x = &m->metrics;
	return !x->game    ? "there is no position"
	       : !x->known ? "the position is still being looked at"
	       : value_of(x).outcome != EL_WIN
		       ? "the side to move does not win; n takes a position that it wins"
		       : NULL;
}

static bool are_done(const struct metrics *x)
{
	for (int rule = 0; rule < RACE_RULES; rule++)
		if (!racer_is_done(&x->racer[rule]) || x->racer[rule].count > x->turns)
			return false;
	return true;
}

/* The turns that are wanted, as far as films are there. */
static void find_turns(struct model *m)
{
	struct metrics *x = &m->metrics;
	bool there = true;
	for (int rule = 0; rule < RACE_RULES; rule++) {
		struct racer *r = &x->racer[rule];
		while (there && r->count < x->wanted && !racer_is_done(r))
			there = racer_go(r, &x->films, x->game, &x->position);
	}
	if (there)
		x->turns = x->wanted;
}

static void go(struct model *m)
{
	m->metrics.racing = true;
	m->metrics.wanted = m->metrics.turns + 1;
}

static const char *nowhere_to_go(const struct model *m)
{
	const char *why = metrics_no_race(m);
	return why ? why : are_done(&m->metrics) ? "both players are done; r starts again" : NULL;
}

static void go_back(struct model *m)
{
	struct metrics *x = &m->metrics;
	x->autoplay.running = false;
	x->wanted = --x->turns;
}

static const char *at_start(const struct model *m)
{
	return m->metrics.turns ? NULL : "this is the start";
}

static void restart(struct model *m)
{
	m->metrics.racing = true;
	m->metrics.autoplay.running = false;
	m->metrics.turns = m->metrics.wanted = 0;
}

static const struct autoplay_words words_of_turns = {"move", "moves"};

static void run(struct model *m)
{
	m->metrics.racing = true;
	autoplay_toggle(m, &m->metrics.autoplay, "both play", &words_of_turns);
}

static void faster(struct model *m)
{
	autoplay_change(m, &m->metrics.autoplay, 1, &words_of_turns);
}

static void slower(struct model *m)
{
	autoplay_change(m, &m->metrics.autoplay, -1, &words_of_turns);
}

static void tick(struct model *m)
{
	struct metrics *x = &m->metrics;
	if (!autoplay_due(m, &x->autoplay))
		return;
	if (nowhere_to_go(m)) {
		x->autoplay.running = false;
		return;
	}
	if (x->wanted == x->turns)
		go(m);
	autoplay_went(m, &x->autoplay);
}

static int next_tick(const struct model *m)
{
	return autoplay_wait(m, &m->metrics.autoplay);
}

/* ---- what else the keys do ---- */

static void other_page(struct model *m)
{
	m->metrics.racing = !m->metrics.racing;
	m->metrics.autoplay.running = false;
}

static void other_board(struct model *m)
{
	struct metrics *x = &m->metrics;
	x->board = x->board == RACE_OUTCOME ? RACE_DEPTH : RACE_OUTCOME;
	model_note(m, "the board shows the player who %s",
	           x->board == RACE_OUTCOME ? "knows outcomes alone" : "knows depths");
}

static const char *no_position(const struct model *m)
{
	return m->metrics.game ? NULL : "there is no position";
}

static void another(struct model *m)
{
	m->metrics.drawing = true;
}

static void flip(struct model *m)
{
	m->metrics.flipped = !m->metrics.flipped;
}

static void explore_it(struct model *m)
{
	struct metrics *x = &m->metrics;
	if (explore_set(m, x->game, racer_position(&x->racer[x->board], &x->position, x->turns)))
		model_visit(m, &explore_view);
}

static const struct binding bindings[] = {
	{{' ', K_RIGHT}, "both-move", "move", "both players make a move", go, nowhere_to_go, NULL},
	{{K_BACKSPACE, K_LEFT}, "move-back", "back", "a move back", go_back, at_start, NULL},
	{{'a'}, "run", "run", "they play by themselves", run, nowhere_to_go, NULL},
	{{'r'}, "restart", "restart", "the players at the start again", restart, metrics_no_race,
	 NULL},
	{{K_TAB}, "page", "page", "the metrics side by side, or the two players", other_page, NULL,
	 NULL},
	{{'n'}, "another", "another", "a random position of this slice that the side to move wins",
	 another, no_position, NULL},
	{{'w'}, "whose-board", "board", "show the other player's board", other_board, NULL, NULL},
	{{'+', '='}, "faster", NULL, "run faster", faster, NULL, NULL},
	{{'-'}, "slower", NULL, "run slower", slower, NULL, NULL},
	{{'f'}, "flip", NULL, "turn the board around", flip, NULL, NULL},
	{{'e'}, "examine", NULL, "show the position in Explore", explore_it, no_position, NULL},
	{.name = NULL},
};

/* A position, or a slice: one of its positions that is won. */
static bool line(struct model *m, const char *text)
{
	struct metrics *x = &m->metrics;
	const struct el_game *game;
	struct el_position position;
	struct el_slice slice;
	if (!el_slice_parse(text, &slice, NULL)) {
		x->slice = slice;
		x->game = NULL;
		x->drawing = true;
		return true;
	}
	if (el_position_parse(text, &game, &position, NULL))
		return false;
	set_position(m, game, &position);
	return true;
}

/* ---- the view ---- */

/* Another position than the last time is what is asked for. */
static void enter(struct model *m)
{
	struct metrics *x = &m->metrics;
	struct el_position studied;
	struct el_move moves[EL_MOVES_MAX];
	const struct el_game *game = model_studied(m, &studied);
	film_shelf_retry(&x->films);
	if (x->was_offered && el_position_equal(&studied, &x->offered))
		return;
	x->offered = studied;
	x->was_offered = true;
	set_position(m, game, &studied);
	if (!game->moves(&studied, moves)) {
		model_note(m, "no move is left in that position: a won one is looked for");
		x->drawing = x->game != NULL;
	}
}

static void ask(struct model *m)
{
	struct metrics *x = &m->metrics;
	if (x->drawing)
		draw_position(m);
	if (x->game && !x->known)
		x->known = metrics_find(&x->films, &x->slice, &x->position, &x->table);
	if (x->game && x->turns < x->wanted)
		find_turns(m);
	film_shelf_ask(m, &x->films);
}

static void subject(const struct model *m, char *out, size_t size)
{
	snprintf(out, size, "%s%smetrics", m->metrics.slice.name, *m->metrics.slice.name ? "  " : "");
}

static void close_metrics(struct model *m)
{
	film_shelf_drop(&m->metrics.films);
}

const struct view metrics_view = {
	.name = "Metrics",
	.summary = "what each metric says of a position, and what it leaves out",
	.bindings = bindings,
	.line = line,
	.draw = metrics_draw,
	.enter = enter,
	.subject = subject,
	.close = close_metrics,
	.ask = ask,
	.tick = tick,
	.next_tick = next_tick,
};
