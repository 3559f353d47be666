/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Practice's lists: the exercises, and how the positions of a round went. */
#include "practice_words.h"

#include <stdio.h>
#include <string.h>

/* ---- the exercises ---- */

enum { TITLE_AT = 3, TASK_AT = 14 };

static void draw_row(const struct practice *r, struct pane p, int row, const char *title,
                     const char *task, const char *score)
{
	const bool here = row == r->menu.at;
	if (here)
		pane_fill(p, ROLE_SELECTED);
	pane_text(p, 0, 1, ROLE_STRONG, here ? ">" : " ");
	pane_text(p, 0, TITLE_AT, ROLE_STRONG, title);
	pane_text(p, 0, TASK_AT, ROLE_TEXT, task);
	if (TASK_AT + utf8_length(task) + 2 + utf8_length(score) < p.cols)
		pane_right(p, 0, p.cols - 1, ROLE_DIM, score);
	pane_zone(p, ZONE_ITEM, row);
}

static void draw_exercise(const struct practice *r, struct pane p, int row)
{
	const struct practice_tally *t =
		practice_tally(&r->scores, (enum exercise_name)row, &r->slice);
	char score[48] = "";
	if (t)
		snprintf(score, sizeof score, "%u %% of %u", t->percent / t->tries, t->tries);
	draw_row(r, p, row, exercises[row].title,
	         exercise_task((enum exercise_name)row, r->slice.game), score);
}

/* How wide the rows are: what is told on the right stays in sight of what is on the left. */
static int menu_cols(struct pane p)
{
	enum { WIDEST = 80 };
	return p.cols < WIDEST ? p.cols : WIDEST;
}

void practice_draw_menu(const struct model *m, struct pane p)
{
	const struct practice *r = practice_of(m);
	char due[PRACTICE_TEXT], text[PRACTICE_TEXT];
	const int cols = menu_cols(p);
	int y = 3;
	practice_due_text(&r->scores, due);
	if (r->chosen)
		pane_print(p, 1, 1, ROLE_STRONG, "What do you want to practise with %s?",
		           r->slice.name);
	else
		pane_text(p, 1, 1, ROLE_STRONG, "Type :KRvK to choose what to practise with.");
	for (int row = 0; row < EXERCISES; row++)
		draw_exercise(r, pane_sub(p, y++, 0, 1, cols), row);
	snprintf(text, sizeof text, "what went wrong%s%.60s", *due ? ": " : " comes back here",
	         due);
	draw_row(r, pane_sub(p, ++y, 0, 1, cols), EXERCISES, "Again", text, "");
	snprintf(text, sizeof text,
	         "Press Enter to start. Level %d of %d: + is harder, - is easier. For another "
	         "ending "
	         "type :%s, or paste a position.",
	         r->level, PRACTICE_LEVELS,
	         r->chosen ? r->slice.game->example : play_game(m)->example);
	pane_wrap(pane_sub(p, y + 2, 1, 3, cols - 2), 0, ROLE_DIM, text);
}

/* ---- the end of a round ---- */

static void draw_result(const struct practice *r, struct pane p, int i)
{
	const struct practice_score *s = &r->round[i];
	const bool here = i == r->list.at;
	if (here)
		pane_fill(p, ROLE_SELECTED);
	pane_print(p, 0, 0, ROLE_TEXT, "%c%d %-11s", here ? '>' : ' ', i + 1,
	           practice_end_word(s->end));
	if (s->possible)
		pane_print(p, 0, 15, ROLE_TEXT, "%5u %5u %5u %4u",
		           s->game->sows ? s->gained : s->plies, s->possible, s->lost,
		           s->taken_back);
	pane_print(p, 0, 38, ROLE_STRONG, "%3u", practice_percent(s));
	pane_zone(p, ZONE_ITEM, i);
}

/* How an exercise is scored. */
static const char *score_text(enum exercise_name exercise, const struct el_game *game,
                              char out[PRACTICE_TEXT])
{
	static const char *const in_stones[EXERCISES] = {
		[EXERCISE_WIN] = "You score 100 x gained / best, less %d for each move taken back.",
		[EXERCISE_SURVIVE] =
			"You score 100 x best / lost, less %d for each move taken back.",
		[EXERCISE_GUESS] = "The outcome scores 50, and the stones up to 50 more.",
	};
	static const char *const texts[EXERCISES] = {
		[EXERCISE_WIN] =
			("A win scores 100 x best / plies, less %d for each move taken back; "
	                 "anything else scores 0."),
		[EXERCISE_HOLD] = "A draw scores 100, less %d for each move taken back.",
		[EXERCISE_SURVIVE] =
			"You score 100 x plies / best, less %d for each move taken back.",
		[EXERCISE_ONLY] = "The move scores 100, less %d for each one taken back.",
		[EXERCISE_SQUARES] = "You score 100 x right / (right + wrong + missed).",
		[EXERCISE_GUESS] = "The outcome scores 50, and its depth up to 50 more.",
	};
	const char *own = game->sows ? in_stones[exercise] : NULL;
	snprintf(out, PRACTICE_TEXT, own ? own : texts[exercise], PRACTICE_TAKE_BACK_PERCENT);
	return out;
}

void practice_draw_results(const struct model *m, struct pane p)
{
	const struct practice *r = practice_of(m);
	char text[PRACTICE_TEXT], due[PRACTICE_TEXT];
	const unsigned total = practice_total(r->round, r->round_count);
	const int next = practice_next_level(r->level, total), count = (int)r->round_count;
	pane_print(p, 0, 0, ROLE_STRONG, "The round is over: %u %%", total);
	pane_text(p, 2, 15, ROLE_DIM,
	          r->round[0].possible && r->round[0].game->sows ? "stones best  lost back   %"
	          : r->round[0].possible                         ? "plies  best  lost back   %"
	                                                         : "                         %");
	for (int i = 0; i < count; i++)
		draw_result(r, pane_sub(p, 3 + i, 0, 1, p.cols), i);
	int y = 4 + count;
	score_text(r->exercise, r->slice.game, text);
	snprintf(text + strlen(text), sizeof text - strlen(text), " The total is the mean.");
	if (!r->returning)
		y += pane_wrap(pane_sub(p, y, 0, 3, p.cols), 0, ROLE_DIM, text) + 1;
	snprintf(text, sizeof text,
	         next > r->level   ? "Press + for level %d next."
	         : next < r->level ? "Press - for level %d next."
	                           : "Try level %d again.",
	         next);
	pane_text(p, y++, 0, ROLE_TEXT, text);
	pane_text(p, y++, 0, ROLE_TEXT, "Press space for another round.");
	practice_due_text(&r->scores, due);
	snprintf(text, sizeof text, "What went wrong comes back: %.60s.", due);
	if (*due)
		pane_wrap(pane_sub(p, y + 1, 0, 2, p.cols), 0, ROLE_TEXT, text);
}
