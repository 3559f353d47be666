/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The views of a round, one per way of answering: their keys, and clicks on the board. */
#include "practice.h"

#include "tui/views/views.h"

#include <stdio.h>

/* ---- what the keys do ---- */

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

static void point(struct model *m)
{
	struct practice *p = practice_of(m);
	picker_point(m, &p->picker, &practice_choice(&p->play, (size_t)p->list.at)->move);
}

static void step_columns(struct model *m, int by)
{
	list_set(&practice_of(m)->list, practice_of(m)->list.at + by * practice_list_rows(m));
}

static const char *nothing_to_undo(const struct model *m)
{
	const struct practice_game *g = &practice_of(m)->play;
	const enum practice_end end = g->score.end;
	return !g->game || !practice_last(g)  ? "No move has been played."
	       : end == PRACTICE_WON          ? "The position is already won."
	       : end && end < PRACTICE_THROWN ? "This position is finished. Press space to go on."
	                                      : NULL;
}

static void grade(struct model *m)
{
	struct practice *p = practice_of(m);
	marks_grade(&p->marks, p->expected);
	practice_answer(m, marks_percent(&p->marks));
}

static const char *no_marks(const struct model *m)
{
	return practice_no_answer(m, BY_MARKS);
}

/* marks_update makes marks, so here Enter only goes on. */
static const char *nothing_to_mark(const struct model *m)
{
	return no_marks(m) ? practice_nowhere_on(m) : NULL;
}

static const char *no_guess(const struct model *m)
{
	return practice_no_answer(m, BY_GUESS);
}

static void answer_guess(struct model *m)
{
	/* in the order of the list */
	static const enum el_outcome outcomes[] = {EL_WIN, EL_DRAW, EL_LOSS};
	struct practice *p = practice_of(m);
	if (no_guess(m))
		practice_go_on(m);
	else
		practice_answer(m, practice_guess_percent(p->told, p->value, outcomes[p->list.at],
		                                          p->guess, m->in_moves));
}

static const char *nothing_to_answer(const struct model *m)
{
	return no_guess(m) ? practice_nowhere_on(m) : NULL;
}

static void change_guess(struct model *m, int by)
{
	enum { DEEPEST = 999 };
	struct practice *p = practice_of(m);
	const int depth = (int)p->guess + by;
	p->guess = (unsigned)(depth < 1 ? 1 : depth > DEEPEST ? DEEPEST : depth);
}

static void prove(struct model *m)
{
	practice_of(m)->proving = true;
}

static const char *nothing_to_prove(const struct model *m)
{
	const struct practice *p = practice_of(m);
	const struct practice_ply *last = p->play.game ? practice_last(&p->play) : NULL;
	if (exercises[p->exercise].kind != BY_MOVES)
		return p->play.game && p->play.score.end ? NULL : "Answer first.";
	return !last ? "No move has been played."
	       : el_value_equal(last->verdict.best, last->verdict.got)
	               ? "The last move was one of the best."
	               : NULL;
}

static const char *nothing_to_give_up(const struct model *m)
{
	return practice_of(m)->play.game ? NULL : "There is no position to play.";
}

static void flip(struct model *m)
{
	practice_of(m)->flipped = !practice_of(m)->flipped;
}

static void explore_it(struct model *m)
{
	const struct practice *p = practice_of(m);
	if (play_set(m, practice_board(p), practice_position(p)))
		shell_visit(m, VIEW_EXPLORE);
}

/* Explore would reveal the answer. */
static const char *nothing_to_explore(const struct model *m)
{
	const struct practice *p = practice_of(m);
	if (!practice_position(p))
		return "There is no position on the board.";
	return p->play.game && exercises[p->exercise].kind != BY_MOVES && !p->play.score.end
	               ? "Answer first."
	               : NULL;
}

static void build_missing(struct model *m)
{
	build_start(m, &practice_of(m)->to_build, 1, NULL);
}

static const char *nothing_to_build(const struct model *m)
{
	const struct practice *p = practice_of(m);
	return !p->missing[0]                             ? "No table is missing."
	       : build_is_asked(&m->builds, &p->to_build) ? "It is already being built."
	                                                  : NULL;
}

/* clang-format off */
#define ROUND_KEYS \
	{{'r'}, "prove", "why", "show the best line", .run = prove, \
	 .disabled = nothing_to_prove}, \
	{{'s'}, "give-up", "give up", "give up this position and go to the next one", \
	 .run = practice_next_position, .disabled = nothing_to_give_up}, \
	{{' '}, "go-on", "next", "go on to the answer, next position or next round", \
	 .run = practice_go_on, .disabled = practice_nowhere_on}, \
	PRACTICE_LEVEL_KEYS, \
	{{'f'}, "flip", NULL, "turn the board around", .run = flip}, \
	{{'b'}, "build-missing", NULL, "build the tables that are missing", .run = build_missing, \
	 .disabled = nothing_to_build}, \
	{{'e'}, "examine", NULL, "show the position and all values in Explore", \
	 .run = explore_it, .disabled = nothing_to_explore}
/* clang-format on */

static const struct binding move_bindings[] = {
	KEY({K_ENTER}, "play", "play", "play the selected move; when it is over, go on",
            .run = play_selected, .disabled = nothing_to_play),
	KEY({K_TAB}, "point", "board", "pick a piece and its target with arrows and Enter",
            .run = point, .disabled = practice_no_move),
	KEY({'U'}, "take-back", "undo", "take back the last move, at a cost to the score",
            .run = practice_undo, .disabled = nothing_to_undo),
	ROUND_KEYS,
	KEY({K_LEFT}, "column-left", NULL, "go to the next column of moves on the left",
            .apply = step_columns, .argument = -1, .disabled = practice_no_move),
	KEY({K_RIGHT}, "column-right", NULL, "go to the next column of moves on the right",
            .apply = step_columns, .argument = 1, .disabled = practice_no_move),
	{.name = NULL},
};

static const struct binding mark_bindings[] = {
	KEY({K_ENTER}, "mark", "mark",
            "mark the square, or take its mark away; when it is over, go on", .run = practice_go_on,
            .disabled = nothing_to_mark),
	KEY({'g'}, "grade", "grade", "grade what is marked", .run = grade, .disabled = no_marks),
	ROUND_KEYS,
	{.name = NULL},
};

static const struct binding guess_bindings[] = {
	KEY({K_ENTER}, "answer", "answer", "answer with what is selected; when it is over, go on",
            .run = answer_guess, .disabled = nothing_to_answer),
	KEY({K_LEFT, 'h'}, "sooner", "depth", "guess one less", .apply = change_guess,
            .argument = -1, .disabled = no_guess),
	KEY({K_RIGHT, 'l'}, "later", "depth", "guess one more", .apply = change_guess,
            .argument = 1, .disabled = no_guess),
	KEY({K_PAGE_DOWN}, "ten-sooner", NULL, "guess ten less", .apply = change_guess,
            .argument = -10, .disabled = no_guess),
	KEY({K_PAGE_UP}, "ten-later", NULL, "guess ten more", .apply = change_guess, .argument = 10,
            .disabled = no_guess),
	ROUND_KEYS,
	{.name = NULL},
};

/* ---- keys and clicks on the board ---- */

static bool update(struct model *m, const struct event *e)
{
	struct practice *p = practice_of(m);
	const enum exercise_kind kind = exercises[p->exercise].kind;
	const bool clicked = e->kind == EVENT_CLICK && e->zone.kind == ZONE_SQUARE;
	struct el_move room[EL_MOVES_MAX];
	int move = 0;
	if (kind == BY_MARKS)
		return p->play.game && marks_update(&p->marks, p->slice.game, p->flipped, e);
	if (kind == BY_GUESS || (!clicked && !practice_can_move(p)))
		return false;
	if (practice_no_move(m)) {
		model_note(m, "%s", practice_no_move(m));
		return true;
	}
	const struct picker_moves moves = practice_moves(m, room);
	const enum picker_result result = picker_update(m, &p->picker, &moves, e, &move);
	if (result == PICKER_AMBIGUOUS)
		p->list.at = move;
	if (result == PICKER_CHOSEN)
		practice_move(m, move);
	return result != PICKER_UNUSED;
}

/* ---- the views ---- */

static void row_text(const struct model *m, int row, char *out, size_t size)
{
	const struct practice *p = practice_of(m);
	snprintf(out, size, "%s",
	         practice_can_move(p) ? practice_choice(&p->play, (size_t)row)->san : "");
}

/* clang-format off */
#define ROUND_VIEW \
	.verbs = practice_verbs, .update = update, .line = practice_typed, \
	 .words = practice_words, .draw = practice_draw, .row = row_text, \
	.list = {&practice_state, offsetof(struct practice, list)}, .subject = practice_subject
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
