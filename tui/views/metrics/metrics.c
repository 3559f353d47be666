/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics: one position under all metrics of its game, and two players who know different ones. */
#include "metrics.h"

#include "tui/text/rule.h"
#include "tui/views/views.h"

#include <stdio.h>

/* ---- the position ---- */

static void set_position(struct model *m, const struct el_game *game,
                         const struct el_position *position)
{
	struct metrics *x = metrics_of(m);
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
	x->table.rows = 0;
	x->at = 0;
	x->turns = x->wanted = 0;
	x->autoplay.running = false;
	for (int rule = 0; rule < RACE_RULES; rule++)
		racer_begin(&x->racer[rule], (enum race_rule)rule);
}

/* ---- the players ---- */

const char *metrics_no_race(const struct model *m)
{
	const struct metrics *x = metrics_of(m);
	return !x->game || !x->table.rows ? "There is no position."
	       : !x->table.row[0].known   ? "The position is still being looked up."
	       : !el_game_has(x->game, &el_wdl)
	               ? "Two players need outcomes; in this game a value is a number."
	       : x->table.row[0].value.outcome != EL_WIN
	               ? "The side to move does not win. Press r for a position that it wins."
	               : NULL;
}

static bool are_done(const struct metrics *x)
{
	for (int rule = 0; rule < RACE_RULES; rule++)
		if (!racer_is_done(&x->racer[rule]) || x->racer[rule].count > x->turns)
			return false;
	return true;
}

static void go(struct model *m)
{
	metrics_of(m)->racing = true;
	metrics_of(m)->wanted = metrics_of(m)->turns + 1;
}

static const char *nowhere_to_go(const struct model *m)
{
	const char *why = metrics_no_race(m);
	return why                       ? why
	       : are_done(metrics_of(m)) ? "Both games are over. Press Home to start again."
	                                 : NULL;
}

static void go_back(struct model *m)
{
	struct metrics *x = metrics_of(m);
	x->autoplay.running = false;
	x->wanted = --x->turns;
}

static const char *at_start(const struct model *m)
{
	return metrics_of(m)->turns ? NULL : "This is the start.";
}

static void restart(struct model *m)
{
	metrics_of(m)->racing = true;
	metrics_of(m)->autoplay.running = false;
	metrics_of(m)->turns = metrics_of(m)->wanted = 0;
}

static const struct autoplay_words words_of_turns = {"move", "moves"};

static void run(struct model *m)
{
	metrics_of(m)->racing = true;
	autoplay_toggle(m, &metrics_of(m)->autoplay, "Both play", &words_of_turns);
}

static void change_speed(struct model *m, int by)
{
	autoplay_change(m, &metrics_of(m)->autoplay, by, &words_of_turns);
}

static void tick(struct model *m)
{
	struct metrics *x = metrics_of(m);
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
	return autoplay_wait(m, &metrics_of(m)->autoplay);
}

/* ---- other keys ---- */

static void other_page(struct model *m)
{
	metrics_of(m)->racing = !metrics_of(m)->racing;
	metrics_of(m)->autoplay.running = false;
}

static void other_board(struct model *m)
{
	struct metrics *x = metrics_of(m);
	x->board = x->board == RACE_OUTCOME ? RACE_DEPTH : RACE_OUTCOME;
	model_note(m, "The board shows the player who %s.",
	           x->board == RACE_OUTCOME ? "knows only outcomes" : "knows depths");
}

static void other_row(struct model *m, int by)
{
	struct metrics *x = metrics_of(m);
	x->at = (x->at + x->table.rows + (size_t)by) % x->table.rows;
}

static const char *no_rows(const struct model *m)
{
	const struct metrics *x = metrics_of(m);
	return x->game && x->table.rows ? NULL : "There is no position.";
}

/* Sets the number of moves of the rule. */
static void line_rule(struct model *m, const char *number)
{
	struct el_error error;
	unsigned moves;
	if (rule_parse(number, &moves, &error)) {
		model_fail(m, "%s", error.text);
		return;
	}
	play_set_rule(m, moves);
	metrics_of(m)->known = false;
}

static void line_explain(struct model *m, const char *name)
{
	struct metrics *x = metrics_of(m);
	const struct el_metric *metric;
	struct el_error error;
	if (!x->game)
		model_fail(m, "%s", no_rows(m));
	else if (el_metric_parse(name, &metric, &error) ||
	         el_game_check_metric(x->game, metric, &error))
		model_fail(m, "%s", error.text);
	else if (!el_film_shows(metric))
		model_fail(m, "%s has no row: the clock changes its values. Set it in Explore.",
		           metric->name);
	else
		for (x->at = 0; el_metric_rank(x->game->metrics[x->at]) != el_metric_rank(metric);)
			x->at++;
}

static void offer_metrics(const struct model *m, const char *rest, struct words *w)
{
	const struct metrics *x = metrics_of(m);
	(void)rest;
	for (size_t i = 0; x->game && x->game->metrics[i]; i++)
		if (el_film_shows(x->game->metrics[i]))
			words_offer(w, x->game->metrics[i]->name);
}

static const struct verb verbs[] = {
	{"rule", "K|off", "count under a rule of K moves", .run = line_rule},
	{"explain", "METRIC", "explain a metric", .run = line_explain, .complete = offer_metrics},
	{.word = NULL},
};

static const char *no_position(const struct model *m)
{
	return metrics_of(m)->game ? NULL : "There is no position.";
}

static void another(struct model *m)
{
	metrics_of(m)->drawing = true;
}

static void flip(struct model *m)
{
	metrics_of(m)->flipped = !metrics_of(m)->flipped;
}

static void explore_it(struct model *m)
{
	struct metrics *x = metrics_of(m);
	if (play_set(m, x->game, racer_position(&x->racer[x->board], &x->position, x->turns)))
		shell_visit(m, VIEW_EXPLORE);
}

static const struct binding bindings[] = {
	KEY({' ', K_RIGHT}, "both-move", "move", "make a move for both players", .run = go,
            .disabled = nowhere_to_go),
	KEY({K_BACKSPACE, K_LEFT}, "move-back", "back", "take back a move of both", .run = go_back,
            .disabled = at_start),
	KEY({'a'}, "run", "run", "let both players play on", .run = run, .disabled = nowhere_to_go),
	KEY({K_HOME}, "restart", "start", "start both games again", .run = restart,
            .disabled = metrics_no_race),
	KEY({K_TAB}, "page", "page", "show the metrics side by side, or the two players",
            .run = other_page),
	KEY({K_UP, 'k'}, "row-before", NULL, "explain the metric before", .apply = other_row,
            .argument = -1, .disabled = no_rows),
	KEY({K_DOWN, 'j'}, "next-row", "explain", "explain the next metric", .apply = other_row,
            .argument = 1, .disabled = no_rows),
	KEY({'r'}, "another", "another", "take a random won position of this slice", .run = another,
            .disabled = no_position),
	KEY({'w'}, "whose-board", "board", "show the other player's board", .run = other_board),
	KEY({'+', '='}, "faster", NULL, "speed up", .apply = change_speed, .argument = 1),
	KEY({'-'}, "slower", NULL, "slow down", .apply = change_speed, .argument = -1),
	KEY({'f'}, "flip", NULL, "turn the board around", .run = flip),
	KEY({'e'}, "examine", NULL, "show the position in Explore", .run = explore_it,
            .disabled = no_position),
	{.name = NULL},
};

/* A position, or a slice, which shows one of its won positions. */
static bool line(struct model *m, const char *text)
{
	struct metrics *x = metrics_of(m);
	const struct el_game *game;
	struct el_position position;
	struct el_slice slice;
	if (!el_slice_parse(text, &slice, NULL)) {
		x->slice = slice;
		x->game = NULL;
		x->drawing = true;
		return true;
	}
	if (model_read(m, text, &game, &position, NULL))
		return false;
	set_position(m, game, &position);
	return true;
}

/* ---- the view ---- */

/* Takes over the studied position if it has changed since the last visit. */
static void enter(struct model *m)
{
	struct metrics *x = metrics_of(m);
	struct el_position studied;
	struct el_move moves[EL_MOVES_MAX];
	const struct el_game *game = shell_position(m, &studied);
	films_retry(m);
	metrics_of(m)->known = false; /* another rule may be in force */
	if (x->was_offered && el_position_equal(&studied, &x->offered))
		return;
	x->offered = studied;
	x->was_offered = true;
	set_position(m, game, &studied);
	if (!game->moves(&studied, moves)) {
		model_note(m, "That position has no legal move; looking for a won one.");
		x->drawing = x->game != NULL;
	}
}

static void ask(struct model *m)
{
	struct metrics *x = metrics_of(m);
	if (x->drawing) {
		/* Find a position that the side to move wins, once the film is ready. */
		struct el_position position;
		const struct el_film_wish wish = {.slice = x->slice,
		                                  .metric = el_game_metric(x->slice.game)};
		const struct el_film *film = films_want(m, &wish)->film;
		if (film) {
			x->drawing = false;
			if (film_sample(m, film, &position))
				set_position(m, x->slice.game, &position);
			else
				model_fail(m, "%s: no position is won", x->slice.name);
		}
	}
	if (x->game && !x->known)
		x->known = metrics_find(m, &x->slice, &x->position, m->last_rule, &x->table);
	if (x->game && x->turns < x->wanted) {
		/* Find the turns wanted, as far as films are ready. */
		bool there = true;
		for (int rule = 0; rule < RACE_RULES; rule++) {
			struct racer *r = &x->racer[rule];
			while (there && r->count < x->wanted && !racer_is_done(r))
				there = racer_go(r, m, x->game, &x->position);
		}
		if (there)
			x->turns = x->wanted;
	}
}

static void subject(const struct model *m, char *out, size_t size)
{
	snprintf(out, size, "%s%smetrics", metrics_of(m)->slice.name,
	         *metrics_of(m)->slice.name ? "  " : "");
}

const struct view metrics_view = {
	.name = "Metrics",
	.summons = 'M',
	.summary = "what each metric says of a position, and what it leaves out",
	.state = &metrics_state,
	.bindings = bindings,
	.verbs = verbs,
	.line = line,
	.draw = metrics_draw,
	.enter = enter,
	.subject = subject,
	.ask = ask,
	.tick = tick,
	.next_tick = next_tick,
};
