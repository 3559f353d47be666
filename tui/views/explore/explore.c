/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore_screen.h"

#include "../../shell/autoplay.h"
#include "../../shell/line.h"
#include "../../text/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the line of positions ---- */

static void close_line(struct model *m)
{
	free(m->explore.nodes);
	free(m->explore.study);
}

const struct el_position *explore_position(const struct model *m)
{
	return &m->explore.nodes[m->explore.at].position;
}

/* Another position is shown: nothing is known of it. */
static void position_changed(struct model *m)
{
	struct explore *x = &m->explore;
	free(x->study);
	x->study = NULL;
	x->line = (struct best_line){.count = 0};
	x->moves = (struct list){0, 0};
	picker_drop(&x->picker);
	explore_forget(m);
	map_follow(m);
}

void explore_forget(struct model *m)
{
	question_change(&m->explore.ask_study);
	question_change(&m->explore.ask_line);
}

static bool make_room(struct model *m)
{
	struct explore *x = &m->explore;
	if (x->at + 1 < x->capacity)
		return true;
	size_t capacity = x->capacity ? x->capacity * 2 : 64;
	struct node *nodes = realloc(x->nodes, capacity * sizeof *nodes);
	if (!nodes) {
		model_fail(m, "out of memory");
		return false;
	}
	x->nodes = nodes;
	x->capacity = capacity;
	return true;
}

bool explore_set(struct model *m, const struct el_game *game, const struct el_position *position)
{
	struct explore *x = &m->explore;
	x->at = x->count = 0;
	if (!make_room(m))
		return false;
	x->game = game;
	x->picker.pointing = false;
	x->nodes[0] = (struct node){.position = *position};
	x->count = 1;
	x->play.running = false;
	position_changed(m);
	return true;
}

void node_judge(struct node *node, const struct el_answer *a)
{
	if (!a->metric)
		return;
	size_t rank = el_metric_rank(a->metric);
	for (size_t i = 0; i < a->count; i++) {
		if (strcmp(a->moves[i].san, node->san))
			continue;
		node->quality = (struct quality){a->metric, a->moves[0].value[rank],
		                                 a->moves[i].value[rank]};
	}
}

void explore_play(struct model *m, const struct el_move *move)
{
	struct explore *x = &m->explore;
	struct node next = {.move = *move};
	const struct el_position *now = explore_position(m);
	x->game->write_move(now, move, EL_SAN, next.san);
	x->game->play(now, move, &next.position);
	if (x->study)
		node_judge(&next, &x->study->answer);
	if (!make_room(m))
		return;
	bool again = x->at + 1 < x->count && !strcmp(x->nodes[x->at + 1].san, next.san);
	if (!again) {
		x->nodes[x->at + 1] = next;
		x->count = x->at + 2;
	}
	x->at++;
	position_changed(m);
}

static void go_to(struct model *m, size_t at)
{
	m->explore.at = at;
	m->explore.play.running = false;
	position_changed(m);
}

/* ---- what the keys do ---- */

static void step_back(struct model *m)
{
	go_to(m, m->explore.at - 1);
}

static void step_forward(struct model *m)
{
	go_to(m, m->explore.at + 1);
}

static void to_start(struct model *m)
{
	go_to(m, 0);
}

static void to_end(struct model *m)
{
	go_to(m, m->explore.count - 1);
}

static const char *at_start(const struct model *m)
{
	return m->explore.at ? NULL : "this is where the line begins";
}

static const char *at_end(const struct model *m)
{
	return m->explore.at + 1 < m->explore.count
		       ? NULL
		       : "no move was played from here; space plays the best";
}

static const char *no_move(const struct model *m)
{
	const struct study *s = m->explore.study;
	if (!s)
		return "the moves are still being looked up";
	return s->answer.over ? "the game is over here" : NULL;
}

bool study_is_exact(const struct study *s)
{
	const struct el_answer *a = &s->answer;
	return a->metric && el_outcome_exact(a->value[el_metric_rank(a->metric)].outcome);
}

static const char *no_best_move(const struct model *m)
{
	const char *why = no_move(m);
	return why                               ? why
	       : study_is_exact(m->explore.study) ? NULL
						 : "no table says which move is best";
}

static void play_selected(struct model *m)
{
	explore_play(m, &m->explore.study->answer.moves[m->explore.moves.at].move);
}

static void play_best(struct model *m)
{
	explore_play(m, &m->explore.study->answer.moves[0].move);
}

static const struct autoplay_words move_words = {"move", "moves"};

static void autoplay(struct model *m)
{
	autoplay_toggle(m, &m->explore.play, "playing the line", &move_words);
}

static void faster(struct model *m)
{
	autoplay_change(m, &m->explore.play, 1, &move_words);
}

static void slower(struct model *m)
{
	autoplay_change(m, &m->explore.play, -1, &move_words);
}

static void tick(struct model *m)
{
	struct explore *x = &m->explore;
	if (!autoplay_due(m, &x->play) || !x->study)
		return;
	if (no_best_move(m)) {
		x->play.running = false;
		model_note(m, "the line ends here");
		return;
	}
	play_best(m);
	autoplay_went(m, &x->play);
}

static int next_tick(const struct model *m)
{
	return autoplay_wait(m, &m->explore.play);
}

static void flip(struct model *m)
{
	m->explore.flipped = !m->explore.flipped;
}

static void set_up(struct model *m)
{
	model_show(m, &setup_view);
}

void explore_show(struct model *m)
{
	model_show(m, &explore_view);
}

static void show_map(struct model *m)
{
	m->explore.picker.pointing = false;
	m->explore.picker.cursor = m->map.piece;
	model_show(m, &map_view);
}

static void other_side(struct model *m)
{
	struct el_position p = *explore_position(m);
	struct el_error error;
	p.side ^= 1;
	p.en_passant = EL_NO_SQUARE;
	if (m->explore.game->check(&p, &error))
		model_fail(m, "%s cannot be to move: %s", side_name(p.side), error.text);
	else
		explore_set(m, m->explore.game, &p);
}

static void build_slice(struct model *m)
{
	build_start(m, &m->explore.study->answer.slice, 1);
}

static const char *nothing_to_build(const struct model *m)
{
	const struct study *s = m->explore.study;
	if (!s)
		return "the position is still being looked up";
	if (!s->answer.has_slice)
		return "no table can be made for this material";
	if (study_is_exact(s))
		return "the table is there already";
	return build_is_asked(&m->build, &s->answer.slice) ? "it is being built" : NULL;
}

static const char *nothing_to_count(const struct model *m)
{
	const struct study *s = m->explore.study;
	return s && s->metric ? NULL : "there is no table to count";
}

static void count_slice(struct model *m)
{
	tables_count(m, &m->explore.study->answer.slice, m->explore.study->metric);
}

static void random_position(struct model *m)
{
	struct el_position position;
	if (line_sample(m, &m->explore.study->answer.slice, &position))
		explore_set(m, m->explore.game, &position);
}

static const char *no_slice(const struct model *m)
{
	const struct study *s = m->explore.study;
	return s && s->answer.has_slice ? NULL : "this material is no slice";
}

static void point(struct model *m)
{
	struct explore *x = &m->explore;
	picker_point(m, &x->picker, x->study->answer.moves[x->moves.at].move.from);
}

static const struct binding bindings[] = {
	{{K_LEFT, 'h'}, "undo", "back", "step back through the line played", step_back, at_start,
	 NULL},
	{{K_RIGHT, 'l'}, "redo", "on", "step forward through the line played", step_forward,
	 at_end, NULL},
	{{' '}, "best", "best", "play the best move", play_best, no_best_move, NULL},
	{{K_ENTER}, "play", "play", "play the selected move", play_selected, no_move, NULL},
	{{'s'}, "set-up", "set up", "set up a position by hand", set_up, NULL, NULL},
	{{'m'}, "map", "map", "try a piece on every square", show_map, NULL, NULL},
	{{'f'}, "flip", "flip", "turn the board around", flip, NULL, NULL},
	{{'a'}, "autoplay", "auto", "play the optimal line by itself", autoplay, no_best_move,
	 NULL},
	{{'+', '='}, "faster", NULL, "autoplay faster", faster, NULL, NULL},
	{{'-'}, "slower", NULL, "autoplay slower", slower, NULL, NULL},
	{{'b'}, "build-this", NULL, "build the table of this position, and what it needs",
	 build_slice, nothing_to_build, NULL},
	{{'t'}, "side", NULL, "give the move to the other side", other_side, NULL, NULL},
	{{'r'}, "random", NULL, "set up a random position of this slice", random_position,
	 no_slice, NULL},
	{{'c'}, "count", NULL, "count the outcomes and depths of this slice", count_slice,
	 nothing_to_count, NULL},
	{{'L'}, "lessons", NULL, "lessons that drive the program", lesson_show, NULL, NULL},
	{{K_TAB}, "point", NULL, "choose a piece and its target with arrows and Enter",
	 point, no_move, NULL},
	{{K_HOME}, "start", NULL, "to the start of the line played", to_start, at_start, NULL},
	{{K_END}, "end", NULL, "to the end of the line played", to_end, at_end, NULL},
	{.name = NULL},
};

/* ---- the mouse, and the cursor ---- */

struct picker_moves explore_moves(const struct model *m, struct el_move room[EL_MOVES_MAX])
{
	const struct explore *x = &m->explore;
	struct picker_moves moves = {x->game, explore_position(m), room, 0, x->flipped};
	for (; x->study && moves.count < x->study->answer.count; moves.count++)
		room[moves.count] = x->study->answer.moves[moves.count].move;
	return moves;
}

/* False when the key meant nothing. */
static bool chosen(struct model *m, enum picker_result result, int move)
{
	if (result == PICKER_CHOSEN || result == PICKER_AMBIGUOUS)
		m->explore.moves.at = move;
	if (result == PICKER_CHOSEN)
		play_selected(m);
	return result != PICKER_UNUSED;
}

static bool update(struct model *m, const struct event *e)
{
	struct el_move room[EL_MOVES_MAX];
	struct picker *picker = &m->explore.picker;
	int move = 0;
	if (e->kind == EVENT_KEY && picker->pointing) {
		struct picker_moves moves = explore_moves(m, room);
		enum picker_result result = picker_key(m, picker, &moves, e->key, &move);
		return chosen(m, result, move);
	}
	if (e->kind != EVENT_CLICK)
		return false;
	if (e->zone.kind == ZONE_SQUARE) {
		struct picker_moves moves = explore_moves(m, room);
		uint8_t square = (uint8_t)e->zone.value;
		enum picker_result result = picker_choose(m, picker, &moves, square, &move);
		chosen(m, result, move);
	} else if (e->zone.kind == ZONE_ITEM && !no_move(m) &&
		 e->zone.value < m->explore.moves.count) {
		m->explore.moves.at = e->zone.value;
		play_selected(m);
	}
	return true;
}

static struct list *moves_list(struct model *m)
{
	return &m->explore.moves;
}

static void subject(const struct model *m, char *out, size_t size)
{
	const struct study *s = m->explore.study;
	snprintf(out, size, "%s", s && s->answer.has_slice ? s->answer.slice.name : "");
}

const struct view explore_view = {
	.name = "Explore",
	.summary = "step through the best moves of a position",
	.key = '1',
	.bindings = bindings,
	.update = update,
	.draw = explore_draw,
	.list = moves_list,
	.subject = subject,
	.close = close_line,
	.ask = explore_ask,
	.forget = explore_forget,
	.tick = tick,
	.next_tick = next_tick,
};
