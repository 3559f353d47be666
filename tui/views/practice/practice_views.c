/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Practice's views: the list of exercises, and one for each way of answering. */
#include "practice.h"

#include "tui/text/rule.h"
#include "tui/views/views.h"

#include <stdio.h>
#include <stdlib.h>

static const struct state state = {sizeof(struct practice)};

struct practice *practice_of(const struct model *m)
{
	return state_of(m, &state);
}

/* ---- the way around ---- */

/* Is another slice studied than when this was asked last? *slice is of no game where there is
   none. */
static bool studies_another(struct model *m, struct el_slice *slice)
{
	struct practice *p = practice_of(m);
	struct el_position studied;
	if (shell_position(m, &studied)->slice_of(&studied, slice, NULL)) {
		slice->game = NULL;
		return false;
	}
	const bool same = el_slice_equal(slice, &p->offered);
	p->offered = *slice;
	return !same;
}

/* Over the list of exercises, with none of its views below that. What was looked at meanwhile is no
   wish for another slice. */
void practice_show(struct model *m)
{
	static const enum view_name names[] = {
		[BY_MOVES] = VIEW_PRACTICE_MOVES,
		[BY_MARKS] = VIEW_PRACTICE_SQUARES,
		[BY_GUESS] = VIEW_PRACTICE_GUESS,
	};
	struct el_slice slice;
	studies_another(m, &slice);
	while (shell_below(m) && shell_below(m)->line == practice_typed)
		shell_back(m);
	shell_visit(m, (int)names[exercises[practice_of(m)->exercise].kind]);
}

/* Another slice than the last time is what is asked for. */
static void enter_menu(struct model *m)
{
	struct el_slice slice;
	if (studies_another(m, &slice) || (slice.game && !practice_of(m)->chosen))
		practice_choose_slice(m, &slice);
}

/* ---- what the keys do ---- */

static void start_selected(struct model *m)
{
	const int row = practice_of(m)->menu.at;
	practice_of(m)->has_given = false;
	if (row == EXERCISES)
		practice_begin_returning(m);
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

static void play_selected(struct model *m)
{
	if (practice_can_move(practice_of(m)))
		practice_move(m, practice_of(m)->list.at);
	else
		practice_go_on(m);
}

static const char *nothing_to_play(const struct model *m)
{
	return practice_can_move(practice_of(m)) ? NULL : practice_nowhere_on(m);
}

static void answer_guess(struct model *m)
{
	if (practice_no_guess(m))
		practice_go_on(m);
	else
		practice_answer(m);
}

static const char *nothing_to_answer(const struct model *m)
{
	return practice_no_guess(m) ? practice_nowhere_on(m) : NULL;
}

/* Marks are made by marks_key; what is left of Enter is to go on. */
static const char *nothing_to_mark(const struct model *m)
{
	return practice_no_marks(m) ? practice_nowhere_on(m) : NULL;
}

static void change_guess(struct model *m, int by)
{
	enum { DEEPEST = 999 };
	struct practice *p = practice_of(m);
	const int depth = (int)p->guess + by;
	p->guess = (unsigned)(depth < 1 ? 1 : depth > DEEPEST ? DEEPEST : depth);
}

static void change_level(struct model *m, int by)
{
	practice_set_level(m, practice_of(m)->level + by);
}

static void flip(struct model *m)
{
	practice_of(m)->flipped = !practice_of(m)->flipped;
}

static void point(struct model *m)
{
	struct practice *p = practice_of(m);
	picker_point(m, &p->picker, &p->play.moves[p->list.at].move);
}

static void step_columns(struct model *m, int by)
{
	list_set(&practice_of(m)->list, practice_of(m)->list.at + by * practice_list_rows(m));
}

/* Explore would tell the answer. */
static const char *nothing_to_explore(const struct model *m)
{
	const struct practice *p = practice_of(m);
	if (!practice_position(p))
		return "There is no position on the board.";
	return p->play.game && exercises[p->exercise].kind != BY_MOVES && !p->play.score.end
	               ? "Answer first."
	               : NULL;
}

static void explore_it(struct model *m)
{
	struct practice *p = practice_of(m);
	if (play_set(m, practice_board(p), practice_position(p)))
		shell_visit(m, VIEW_EXPLORE);
}

static void build_missing(struct model *m)
{
	build_start(m, &practice_of(m)->to_build, 1);
}

static const char *nothing_to_build(const struct model *m)
{
	const struct practice *p = practice_of(m);
	return !p->missing[0]                             ? "No table is missing."
	       : build_is_asked(&m->builds, &p->to_build) ? "It is already being built."
	                                                  : NULL;
}

/* clang-format off */
#define LEVEL_KEYS \
	{{'+', '='}, "harder", "level", "ask for harder positions", .apply = change_level, .argument = 1}, \
	{{'-'}, "easier", NULL, "ask for easier positions", .apply = change_level, .argument = -1}

#define ROUND_KEYS \
	{{'r'}, "prove", "why", "show the best line", .run = practice_prove, \
	 .disabled = practice_nothing_to_prove}, \
	{{'s'}, "give-up", "give up", "give up this position and go to the next one", \
	 .run = practice_give_up, .disabled = practice_nothing_to_give_up}, \
	{{' '}, "go-on", "next", "go on to the answer, next position or next round", \
	 .run = practice_go_on, .disabled = practice_nowhere_on}, \
	LEVEL_KEYS, \
	{{'f'}, "flip", NULL, "turn the board around", .run = flip}, \
	{{'b'}, "build-missing", NULL, "build the tables that are missing", .run = build_missing, \
	 .disabled = nothing_to_build}, \
	{{'e'}, "examine", NULL, "show the position and all values in Explore", \
	 .run = explore_it, .disabled = nothing_to_explore}
/* clang-format on */

static const struct binding menu_bindings[] = {
	{{K_ENTER, ' '},
         "start",
         "start",
         "start the selected exercise",
         .run = start_selected,
         .disabled = nothing_to_start},
	LEVEL_KEYS,
	{.name = NULL},
};

static const struct binding move_bindings[] = {
	{{K_ENTER},
         "play",
         "play",
         "play the selected move; when it is over, go on",
         .run = play_selected,
         .disabled = nothing_to_play},
	{{K_TAB},
         "point",
         "board",
         "pick a piece and its target with arrows and Enter",
         .run = point,
         .disabled = practice_no_move},
	{{'U'},
         "take-back",
         "undo",
         "take back the last move, at a cost to the score",
         .run = practice_undo,
         .disabled = practice_nothing_to_undo},
	ROUND_KEYS,
	{{K_LEFT},
         "column-left",
         NULL,
         "go to the next column of moves on the left",
         .apply = step_columns,
         .argument = -1,
         .disabled = practice_no_move},
	{{K_RIGHT},
         "column-right",
         NULL,
         "go to the next column of moves on the right",
         .apply = step_columns,
         .argument = 1,
         .disabled = practice_no_move},
	{.name = NULL},
};

static const struct binding mark_bindings[] = {
	{{K_ENTER},
         "mark",
         "mark",
         "mark the square, or take its mark away; when it is over, go on",
         .run = practice_go_on,
         .disabled = nothing_to_mark},
	{{'g'},
         "grade",
         "grade",
         "grade what is marked",
         .run = practice_grade,
         .disabled = practice_no_marks},
	ROUND_KEYS,
	{.name = NULL},
};

static const struct binding guess_bindings[] = {
	{{K_ENTER},
         "answer",
         "answer",
         "answer with what is selected; when it is over, go on",
         .run = answer_guess,
         .disabled = nothing_to_answer},
	{{K_LEFT, 'h'},
         "sooner",
         "depth",
         "guess one less",
         .apply = change_guess,
         .argument = -1,
         .disabled = practice_no_guess},
	{{K_RIGHT, 'l'},
         "later",
         "depth",
         "guess one more",
         .apply = change_guess,
         .argument = 1,
         .disabled = practice_no_guess},
	{{K_PAGE_DOWN},
         "ten-sooner",
         NULL,
         "guess ten less",
         .apply = change_guess,
         .argument = -10,
         .disabled = practice_no_guess},
	{{K_PAGE_UP},
         "ten-later",
         NULL,
         "guess ten more",
         .apply = change_guess,
         .argument = 10,
         .disabled = practice_no_guess},
	ROUND_KEYS,
	{.name = NULL},
};

/* ---- the views ---- */

static struct list *menu(struct model *m)
{
	return &practice_of(m)->menu;
}

static void menu_row(const struct model *m, int row, char *out, size_t size)
{
	(void)m;
	snprintf(out, size, "%s", row < EXERCISES ? exercises[row].title : "Again");
}

static struct list *list(struct model *m)
{
	return &practice_of(m)->list;
}

static void row_text(const struct model *m, int row, char *out, size_t size)
{
	const struct practice *p = practice_of(m);
	snprintf(out, size, "%s", practice_can_move(p) ? p->play.moves[row].san : "");
}

static void subject(const struct model *m, char *out, size_t size)
{
	const struct practice *p = practice_of(m);
	const struct el_game *game = p->chosen ? p->slice.game : play_game(m);
	char rule[32];
	const bool usual = !game->zeroes || m->rule == EL_RULE_USUAL;
	snprintf(out, size, "%s%s%s", p->chosen ? p->slice.name : "", p->chosen ? "  " : "",
	         usual ? "practice" : rule_text(m->rule, rule));
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
	.state = &state,
	.bindings = menu_bindings,
	.verbs = practice_verbs,
	.line = practice_typed,
	.words = practice_words,
	.draw = practice_draw_menu,
	.enter = enter_menu,
	.list = menu,
	.row = menu_row,
	.subject = subject,
	.plain = plain,
	.open = open_practice,
	.close = close_practice,
	.ask = practice_ask,
	.tick = practice_tick,
	.next_tick = practice_next_tick,
};

/* clang-format off */
#define ROUND_VIEW \
	.verbs = practice_verbs, .update = practice_update, .line = practice_typed, \
	.words = practice_words, .draw = practice_draw, .list = list, .row = row_text, \
	.subject = subject
/* clang-format on */

const struct view practice_moves_view = {
	.name = "Practice with moves",
	.summary = "answer with moves: win, hold, survive, find the only one",
	.bindings = move_bindings,
	ROUND_VIEW,
};

const struct view practice_squares_view = {
	.name = "Practice with squares",
	.summary = "answer with squares that are marked",
	.bindings = mark_bindings,
	ROUND_VIEW,
};

const struct view practice_guess_view = {
	.name = "Practice with guesses",
	.summary = "answer with an outcome and its depth",
	.bindings = guess_bindings,
	ROUND_VIEW,
};
