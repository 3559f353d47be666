/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How Practice is told a move, a slice, a position or a level: on the board, and by lines. */
#include "practice.h"

#include "tui/views/views.h"

#include <stdio.h>
#include <string.h>

/* ---- keys and clicks on the board ---- */

struct picker_moves practice_moves(const struct model *m, struct el_move room[EL_MOVES_MAX])
{
	const struct practice *p = practice_of(m);
	const struct practice_game *g = &p->play;
	struct picker_moves moves = {g->game, &g->now, room, 0, p->flipped};
	for (; practice_can_move(p) && moves.count < g->move_count; moves.count++)
		room[moves.count] = g->moves[moves.count].move;
	return moves;
}

/* False when the key meant nothing. */
static bool chosen(struct model *m, enum picker_result result, int move)
{
	if (result == PICKER_AMBIGUOUS)
		practice_of(m)->list.at = move;
	if (result == PICKER_CHOSEN)
		practice_move(m, move);
	return result != PICKER_UNUSED;
}

static bool update_key(struct model *m, int key)
{
	struct el_move room[EL_MOVES_MAX];
	struct picker_moves moves = practice_moves(m, room);
	int move = 0;
	enum picker_result result = picker_key(m, &practice_of(m)->picker, &moves, key, &move);
	return chosen(m, result, move);
}

static void click_square(struct model *m, uint8_t square)
{
	struct el_move room[EL_MOVES_MAX];
	struct picker_moves moves = practice_moves(m, room);
	int move = 0;
	const char *why = practice_no_move(m);
	if (why) {
		model_note(m, "%s", why);
		return;
	}
	enum picker_result result =
		picker_choose(m, &practice_of(m)->picker, &moves, square, &move);
	chosen(m, result, move);
}

static bool mark(struct model *m, const struct event *e)
{
	struct practice *p = practice_of(m);
	if (e->kind == EVENT_KEY)
		return marks_key(&p->marks, p->slice.game, p->flipped, e->key);
	if (e->kind == EVENT_CLICK && e->zone.kind == ZONE_SQUARE)
		marks_toggle(&p->marks, (uint8_t)e->zone.value);
	return e->kind == EVENT_CLICK && e->zone.kind == ZONE_SQUARE;
}

bool practice_update(struct model *m, const struct event *e)
{
	struct practice *p = practice_of(m);
	if (exercises[p->exercise].kind == BY_MARKS)
		return p->play.game && mark(m, e);
	if (e->kind == EVENT_KEY)
		return p->picker.pointing && practice_can_move(p) && update_key(m, e->key);
	if (e->kind != EVENT_CLICK || e->zone.kind != ZONE_SQUARE ||
	    exercises[p->exercise].kind != BY_MOVES)
		return false;
	click_square(m, (uint8_t)e->zone.value);
	return true;
}

/* ---- lines ---- */

static void play_typed(struct model *m, const char *text)
{
	struct practice_game *g = &practice_of(m)->play;
	struct el_move move;
	struct el_error error;
	const char *why = practice_no_move(m);
	if (why) {
		model_fail(m, "%s", why);
		return;
	}
	if (g->game->read_move(&g->now, text, &move, &error)) {
		model_fail(m, "%s", error.text);
		return;
	}
	for (size_t i = 0; i < g->move_count; i++) {
		if (el_move_equal(&g->moves[i].move, &move)) {
			practice_move(m, (int)i);
			return;
		}
	}
}

/* Squares have digits, pits are letters; slices and actions are neither, positions have signs of
   their own. */
static bool is_move(const struct el_game *game, const char *text)
{
	const bool pit = game && game->sows && text[0] && !text[1];
	return pit || (strpbrk(text, "0123456789") && !strpbrk(text, " /:") &&
	               !el_position_is_meant(text));
}

/* A position to begin a round with. */
static void give_position(struct model *m, enum exercise_name exercise, const struct el_game *game,
                          const struct el_position *position)
{
	struct practice *p = practice_of(m);
	struct el_slice slice;
	struct el_error error;
	if (game->check(position, &error) || game->slice_of(position, &slice, &error)) {
		model_fail(m, "%s", error.text);
		return;
	}
	practice_choose_slice(m, &slice);
	p->given = *position;
	p->has_given = true;
	practice_begin_round(m, exercise);
}

/* That is selected in the list where that is on screen, else the one at work. */
static enum exercise_name exercise_here(const struct model *m)
{
	const struct practice *p = practice_of(m);
	const bool in_list = shell_is_shown(m, VIEW_PRACTICE) && p->menu.at < EXERCISES;
	return in_list ? (enum exercise_name)p->menu.at : p->exercise;
}

/* [EXERCISE] [SLICE | POSITION], or a move. */
bool practice_typed(struct model *m, const char *text)
{
	struct practice *p = practice_of(m);
	const size_t length = strcspn(text, " ");
	const enum exercise_name named = exercise_find(text, length);
	const enum exercise_name exercise = named == EXERCISES ? exercise_here(m) : named;
	const char *rest = named == EXERCISES ? text : text + length + strspn(text + length, " ");
	const struct el_game *game;
	struct el_position position;
	struct el_slice slice;
	struct el_error error;
	if (!*rest && p->chosen) {
		practice_begin_round(m, exercise);
	} else if (!el_slice_parse(rest, &slice, NULL)) {
		practice_choose_slice(m, &slice);
		practice_begin_round(m, exercise);
	} else if (!el_position_parse(rest, &game, &position, &error)) {
		give_position(m, exercise, game, &position);
	} else if (named != EXERCISES) {
		if (!strpbrk(rest, " /"))
			el_slice_parse(rest, &slice, &error);
		model_fail(m, "%s", error.text);
	} else if (is_move(p->play.game, text)) {
		play_typed(m, text);
	} else {
		return false;
	}
	return true;
}

void practice_words(const struct model *m, const char *text, struct words *w)
{
	const struct practice_game *g = &practice_of(m)->play;
	char name[EL_MOVE_MAX];
	if (strchr(text, ' '))
		return;
	for (size_t i = 0; i < EXERCISES; i++)
		words_offer(w, exercises[i].name);
	for (size_t i = 0; practice_can_move(practice_of(m)) && i < g->move_count; i++)
		words_offer(w, practice_name(&g->moves[i], name));
}

static void type_level(struct model *m, const char *text)
{
	int level, end = 0;
	if (sscanf(text, "%d%n", &level, &end) == 1 && !text[end])
		practice_set_level(m, level);
	else
		model_fail(m, "level: expected a number from 1 to %d, found '%s'", PRACTICE_LEVELS,
		           text);
}

const struct verb practice_verbs[] = {
	{"level", "N", "set how hard the positions are, from 1 to 5", type_level, NULL},
	{.word = NULL},
};
