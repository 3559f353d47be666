/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Practice's list of exercises, and lines that name an exercise, a slice, a position or a move. */
#include "practice.h"

#include "core/builder/position.h"
#include "tui/views/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines ---- */

static void play_typed(struct model *m, const char *text)
{
	struct practice_game *g = &practice_of(m)->play;
	struct el_move move;
	struct el_error error;
	const char *why = practice_no_move(m);
	if (!why && g->game->read_move(&g->now, text, &move, &error))
		why = error.text;
	if (why) {
		model_fail(m, "%s", why);
		return;
	}
	for (size_t i = 0; i < g->answer.count; i++)
		if (el_move_equal(&practice_choice(g, i)->move, &move)) {
			practice_move(m, (int)i);
			break;
		}
}

/* [EXERCISE] [SLICE | POSITION], or a move. */
bool practice_typed(struct model *m, const char *text)
{
	struct practice *p = practice_of(m);
	const size_t length = strcspn(text, " ");
	const enum exercise_name named = exercise_find(text, length);
	/* Without a name: the one selected in the list if that is on screen, else the one in
	   progress. */
	const bool in_list = shell_is_shown(m, VIEW_PRACTICE) && p->menu.at < EXERCISES;
	const enum exercise_name exercise = named != EXERCISES ? named
	                                    : in_list          ? (enum exercise_name)p->menu.at
	                                                       : p->exercise;
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
	} else if (!model_read(m, rest, &game, &position, &error)) {
		if (game->check(&position, &error) || game->slice_of(&position, &slice, &error)) {
			model_fail(m, "%s", error.text);
			return true;
		}
		practice_choose_slice(m, &slice);
		p->given = position;
		p->has_given = true;
		practice_begin_round(m, exercise);
	} else if (named != EXERCISES) {
		if (!strpbrk(rest, " /"))
			el_slice_parse(rest, &slice, &error);
		model_fail(m, "%s", error.text);
	} else if (p->play.game && p->play.game->sows && text[0] && !text[1]) {
		play_typed(m, text); /* a pit is a single letter */
	} else if (strpbrk(text, "0123456789") && !strpbrk(text, " /:") &&
	           !el_position_is_meant(text)) {
		play_typed(m, text); /* squares have digits; slices, actions and positions do not */
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
	for (size_t i = 0; practice_can_move(practice_of(m)) && i < g->answer.count; i++)
		words_offer(w, practice_name(g, i, name));
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

/* The exercise is the one for the position's value; leaving it leads back to the board. */
static void type_here(struct model *m, const char *text)
{
	static const enum exercise_name from_value[] = {EXERCISE_WIN, EXERCISE_HOLD,
	                                                EXERCISE_SURVIVE};
	struct practice *p = practice_of(m);
	const struct el_answer *a = m->play.study ? &m->play.study->answer : NULL;
	const bool is_study = a && a->source.is_study;
	struct el_value value;
	unsigned hard;
	(void)text;
	if (shell_is_shown(m, VIEW_PRACTICE))
		shell_back(m); /* the user did not want the list */
	for (size_t i = 0;
	     i < sizeof from_value / sizeof *from_value && a && (a->has_slice || is_study); i++) {
		const struct exercise *e = &exercises[from_value[i]];
		if (!practice_value(a, e->deep, &value) || !e->takes(a, value, &hard))
			continue;
		struct el_slice slice = a->slice;
		if (is_study) { /* of which there is this position alone */
			char name[EL_STUDY_NAME_MAX];
			slice = (struct el_slice){
				.game = a->game, .key = UINT64_MAX, .is_study = true};
			el_study_name(a->game, &a->position, NULL, name);
			snprintf(slice.name, sizeof slice.name, "%.*s", (int)strcspn(name, "-"),
			         name);
		}
		practice_choose_slice(m, &slice);
		p->given = *play_position(m);
		p->has_given = true;
		practice_begin_round(m, from_value[i]);
		return;
	}
	model_fail(m, "%s",
	           !a                                 ? "The position is still being looked up."
	           : !a->has_slice && !is_study       ? "Tables have no slice with this material."
	           : !practice_value(a, true, &value) ? "No table knows the depth of this position."
	                                              : "Nothing can go wrong in this position.");
}

const struct verb practice_verbs[] = {
	{"here", "", "practise from the position on the board: win it, hold it or survive",
         .run = type_here},
	{"level", "N", "set how hard the positions are, from 1 to 5", .run = type_level},
	{.word = NULL},
};

/* ---- the exercises ---- */

enum { TITLE_AT = 3, TASK_AT = 14 };

static void draw_row(const struct practice *r, struct pane p, int row, const char *title,
                     const char *task, const char *score)
{
	if (row == r->menu.at)
		pane_fill(p, ROLE_SELECTED);
	pane_text(p, 0, 1, ROLE_STRONG, row == r->menu.at ? ">" : " ");
	pane_text(p, 0, TITLE_AT, ROLE_STRONG, title);
	pane_text(p, 0, TASK_AT, ROLE_TEXT, task);
	if (TASK_AT + utf8_length(task) + 2 + utf8_length(score) < p.cols)
		pane_right(p, 0, p.cols - 1, ROLE_DIM, score);
	pane_zone(p, ZONE_ITEM, row);
}

static void draw_menu(const struct model *m, struct pane p)
{
	const struct practice *r = practice_of(m);
	char due[PRACTICE_TEXT], text[PRACTICE_TEXT];
	/* Keeps the text at the right close to that at the left. */
	const int cols = p.cols < 80 ? p.cols : 80;
	int y = 3;
	practice_due_text(&r->scores, due);
	if (r->chosen)
		pane_print(p, 1, 1, ROLE_STRONG, "What do you want to practise with %s?",
		           r->slice.name);
	else
		pane_text(p, 1, 1, ROLE_STRONG, "Type :KRvK to choose what to practise with.");
	for (int row = 0; row < EXERCISES; row++) {
		const enum exercise_name e = (enum exercise_name)row;
		const struct practice_tally *t = practice_tally(&r->scores, e, &r->slice);
		*text = '\0';
		if (t)
			snprintf(text, sizeof text, "%u %% of %u", t->percent / t->tries, t->tries);
		draw_row(r, pane_sub(p, y++, 0, 1, cols), row, exercises[e].title,
		         exercise_task(e, r->slice.game), text);
	}
	snprintf(text, sizeof text, "what went wrong%s%.60s", *due ? ": " : " comes back here",
	         due);
	draw_row(r, pane_sub(p, ++y, 0, 1, cols), EXERCISES, "Again", text, "");
	pane_print_wrapped(
		pane_sub(p, y + 2, 1, 3, cols - 2), 0, ROLE_DIM,
		"Press Enter to start. Level %d of %d: + is harder, - is easier. For another "
		"ending type :%s, or paste a position.",
		r->level, PRACTICE_LEVELS,
		r->chosen ? r->slice.game->example : play_game(m)->example);
}

/* ---- the view ---- */

/* Takes over the studied slice if it has changed since the last visit. */
static void enter_menu(struct model *m)
{
	struct el_slice slice;
	if (practice_studies_another(m, &slice) || (slice.game && !practice_of(m)->chosen))
		practice_choose_slice(m, &slice);
}

static void start_selected(struct model *m)
{
	const int row = practice_of(m)->menu.at;
	practice_of(m)->has_given = false;
	if (row == EXERCISES)
		practice_begin_again(m, true);
	else
		practice_begin_round(m, (enum exercise_name)row);
}

static const char *nothing_to_start(const struct model *m)
{
	const struct practice *p = practice_of(m);
	size_t count;
	if (p->menu.at == EXERCISES)
		return practice_next_due(&p->scores, &count) ? "Nothing comes back today." : NULL;
	return p->chosen ? NULL : "No slice has the material in Explore. Type :KRvK to choose one.";
}

static const struct binding menu_bindings[] = {
	KEY({K_ENTER, ' '}, "start", "start", "start the selected exercise", .run = start_selected,
            .disabled = nothing_to_start),
	PRACTICE_LEVEL_KEYS,
	{.name = NULL},
};

static void menu_row(const struct model *m, int row, char *out, size_t size)
{
	(void)m;
	snprintf(out, size, "%s", row < EXERCISES ? exercises[row].title : "Again");
}

static void plain(struct model *m)
{
	practice_of(m)->exercise = EXERCISE_WIN;
	practice_of(m)->menu.at = EXERCISE_WIN;
}

static enum el_status open_practice(struct model *m, struct el_error *error)
{
	struct practice *p = practice_of(m);
	(void)error;
	p->level = 1;
	p->menu.count = EXERCISES + 1;
	picker_drop(&p->picker);
	practice_scores_open(m, &p->scores);
	return EL_OK;
}

static void close_practice(struct model *m)
{
	free(practice_of(m)->play.plies);
	practice_scores_free(&practice_of(m)->scores);
}

const struct view practice_view = {
	.name = "Practice",
	.summons = 'P',
	.summary = "exercises: win, hold, survive, find, mark and guess against tables",
	.state = &practice_state,
	.bindings = menu_bindings,
	.verbs = practice_verbs,
	.line = practice_typed,
	.words = practice_words,
	.draw = draw_menu,
	.enter = enter_menu,
	.list = {&practice_state, offsetof(struct practice, menu)},
	.row = menu_row,
	.subject = practice_subject,
	.plain = plain,
	.open = open_practice,
	.close = close_practice,
	.ask = practice_ask,
	.tick = practice_tick,
	.next_tick = practice_next_tick,
};
