/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The question of a lesson's step: answering, grading and drawing. */
#include "lesson.h"

#include "tui/screen/widgets/paragraphs.h"
#include "tui/shell/overlay.h"
#include "tui/text/text.h"

#include <stdio.h>
#include <string.h>

/* What is below the text, by the kind of the question. */
static const struct {
	const char *how; /* "%s": the game's word for a square */
	int status_cols; /* of the text at the right */
	/* Between yes and no a second try would be right by itself. */
	unsigned tries;
} lines[] = {
	[ASK_NOTHING] = {"", 0, 0},
	[ASK_SQUARE] = {"Go to the %s with the arrow keys and press Enter.", 0, 2},
	[ASK_SQUARES] = {"Mark each %s with Enter, then press g.", 17, 2},
	[ASK_MOVE] = {"Pick up and put down with Enter, or type : and the move.", 0, 2},
	[ASK_NUMBER] = {"Type the number and press Enter.", 14, 2},
	[ASK_VALUE] = {"Type the value, such as TW or uLT, and press Enter.", 14, 2},
	[ASK_WHETHER] = {"Choose yes or no with <- and ->, then press Enter.", 12, 1},
};
static const char missed[] = "Not yet. ", on[] = "Press n to go on.";

const struct lesson_ask *quiz_ask(const struct model *m)
{
	const struct lesson *l = lesson_of(m);
	return &l->script.steps[l->step].ask;
}

static struct quiz *quiz_of(const struct model *m)
{
	return &lesson_of(m)->quiz;
}

bool quiz_is_open(const struct model *m)
{
	return lesson_plays(m) && quiz_of(m)->state == QUIZ_OPEN;
}

/* Is the view on screen the one where the question was asked? */
static bool is_in_sight(const struct model *m)
{
	return lesson_plays(m) && shell_view(m) == lesson_of(m)->view;
}

static bool is_on_board(enum ask_kind kind)
{
	return kind == ASK_SQUARE || kind == ASK_SQUARES || kind == ASK_MOVE;
}

void quiz_forget(struct model *m)
{
	*quiz_of(m) = (struct quiz){.state = QUIZ_NONE};
	shell_overlay(m)->on = false;
}

/* ---- the board ---- */

static struct picker_moves moves_of(const struct model *m)
{
	const struct quiz *q = quiz_of(m);
	return (struct picker_moves){q->game, &q->position, q->moves, q->move_count, m->flipped};
}

void quiz_follow(struct model *m)
{
	const struct quiz *q = quiz_of(m);
	struct overlay *o = shell_overlay(m);
	if (!lesson_plays(m))
		return;
	const enum ask_kind kind = quiz_ask(m)->kind;
	const bool asked = q->state == QUIZ_OPEN || q->state == QUIZ_RIGHT || q->state == QUIZ_TOLD;
	if (kind && q->state == QUIZ_NONE && !shell_view(m)->facts)
		m->map.wanted = true;
	if (quiz_ask(m)->source == ASK_WRONG && q->state == QUIZ_NONE)
		m->tables.wanted = true;
	const struct picker_moves moves = moves_of(m);
	/* Is the board still the one asked about? In Teach the cursor moves the free piece. */
	struct el_position shown;
	shell_position(m, &shown);
	o->on = asked && is_on_board(kind) && is_in_sight(m) &&
	        (shell_view(m)->facts || el_position_equal(&shown, &quiz_of(m)->position));
	o->choice = board_plain(q->game, &q->position, m->flipped);
	picker_show(&q->picker, &moves, &o->choice, &o->made);
	o->choice.cursor = q->state == QUIZ_OPEN ? q->marks.cursor : EL_NO_SQUARE;
	marks_draw(&q->marks, o->marks);
}

/* ---- grading ---- */

/* Shows the squares of the right move. Squares count as missed only if all were asked for and some
   are marked. */
static void settle(struct model *m, bool right)
{
	struct quiz *q = quiz_of(m);
	const enum ask_kind kind = quiz_ask(m)->kind;
	q->state = right ? QUIZ_RIGHT : QUIZ_TOLD;
	if (kind == ASK_MOVE)
		q->right = el_move_squares(&q->moves[0]);
	if (!right && (kind != ASK_SQUARES || !q->marks.marked))
		q->marks.marked |= q->right;
	if (is_on_board(kind))
		marks_grade(&q->marks, kind == ASK_SQUARE && right ? q->marks.marked : q->right);
	picker_drop(&q->picker);
	overlay_uncover(m);
}

/* Only the first counts. */
static void put_down(struct model *m, char answer)
{
	const struct lesson *l = lesson_of(m);
	if (l->now.path && l->now.answers[l->step] == '.')
		l->now.answers[l->step] = answer;
}

static void grade(struct model *m, bool right)
{
	model_hush(m);
	picker_drop(&quiz_of(m)->picker);
	put_down(m, right ? '+' : '-');
	if (right || ++quiz_of(m)->misses == lines[quiz_ask(m)->kind].tries)
		settle(m, right);
}

/* Puts the chosen move first, because the board shows it. */
static void grade_move(struct model *m, size_t i)
{
	struct quiz *q = quiz_of(m);
	const bool right = i < q->right_moves;
	const struct el_move chosen = q->moves[i];
	if (right) {
		q->moves[i] = q->moves[0];
		q->moves[0] = chosen;
		q->marks.marked = el_move_squares(&chosen);
	}
	grade(m, right);
}

/* Takes a move played on the board or typed as an answer, and undoes it. */
static bool hear_move(struct model *m)
{
	const struct quiz *q = quiz_of(m);
	struct el_position after;
	if (!m->play.walk.at || el_position_equal(play_position(m), &q->position))
		return false;
	for (size_t i = 0; i < q->move_count; i++) {
		q->game->play(&q->position, &q->moves[i], &after);
		if (!el_position_equal(play_position(m), &after))
			continue;
		play_go(m, m->play.walk.at - 1);
		grade_move(m, i);
		return true;
	}
	return false;
}

bool quiz_go_on(struct model *m)
{
	struct quiz *q = quiz_of(m), found;
	const struct lesson_ask *ask = quiz_ask(m);
	char why[LESSON_WHY_MAX];
	if (!ask->kind || q->state != QUIZ_NONE)
		return ask->kind == ASK_MOVE && quiz_is_open(m) && hear_move(m);
	const enum ask_result result = ask_answer(m, ask, &found, why);
	if (result == ASK_WAITS)
		return false;
	*q = found;
	q->state = result == ASK_FOUND ? QUIZ_OPEN : QUIZ_FAILED;
	marks_begin(&q->marks, q->game);
	picker_drop(&q->picker);
	if (result == ASK_FAILS)
		model_fail(m, "%s:%d: %s", lesson_of(m)->file, ask->line, why);
	return true;
}

/* ---- keys and clicks ---- */

/* Different promotions have the same squares, so the user must type which one is meant. */
static bool is_one_of_several(struct model *m, size_t i)
{
	struct quiz *q = quiz_of(m);
	char name[EL_MOVE_MAX];
	bool several = false;
	for (size_t j = 0; j < q->move_count; j++)
		several = several || (q->moves[j].from == q->moves[i].from &&
		                      q->moves[j].to == q->moves[i].to &&
		                      q->moves[j].becomes != q->moves[i].becomes);
	q->game->write_move(&q->position, &q->moves[q->move_count - 1], EL_SAN, name);
	if (several) {
		picker_drop(&q->picker);
		model_note(m, "Type the move with the new piece, for example :%s", name);
	}
	return several;
}

/* Moves are made with the cursor or clicks; squares are marked. */
static bool board_update(struct model *m, const struct event *e)
{
	struct quiz *q = quiz_of(m);
	const enum ask_kind kind = quiz_ask(m)->kind;
	const int key = e->kind == EVENT_KEY ? e->key : 0;
	if (key == 'g' && kind == ASK_SQUARES) {
		grade(m, q->marks.marked == q->right);
	} else if (key == K_ESCAPE && (q->picker.picked != EL_NO_SQUARE || q->picker.taking)) {
		picker_drop(&q->picker);
	} else if (kind != ASK_MOVE) {
		if (!marks_update(&q->marks, q->game, m->flipped, e))
			return false;
		if (kind == ASK_SQUARE && q->marks.marked) { /* the first mark is the answer */
			grade(m, q->right & q->marks.marked);
			q->marks.marked = q->state == QUIZ_OPEN ? 0 : q->marks.marked;
		}
	} else if (key && key != K_ENTER) {
		return square_steer(q->game, m->flipped, key, &q->marks.cursor);
	} else {
		const struct picker_moves moves = moves_of(m);
		int move;
		q->marks.cursor = key ? q->marks.cursor : (uint8_t)e->zone.value;
		if (picker_choose(m, &q->picker, &moves, q->marks.cursor, &move) == PICKER_CHOSEN &&
		    !is_one_of_several(m, (size_t)move))
			grade_move(m, (size_t)move);
	}
	return true;
}

bool quiz_update(struct model *m, const struct event *e)
{
	const bool clicked = e->kind == EVENT_CLICK && e->zone.kind == ZONE_SQUARE;
	if (!quiz_is_open(m) || !is_in_sight(m) || (e->kind != EVENT_KEY && !clicked))
		return false;
	const enum ask_kind kind = quiz_ask(m)->kind;
	const int key = e->kind == EVENT_KEY ? e->key : 0;
	struct quiz *q = quiz_of(m);
	if (key == K_PAGE_DOWN) { /* shows the answer to whoever does not give one */
		put_down(m, '?');
		settle(m, false);
		return true;
	}
	if (is_on_board(kind))
		return board_update(m, e);
	if (clicked)
		return false;
	if (kind == ASK_NUMBER || kind == ASK_VALUE) {
		const size_t length = strlen(q->typed);
		const char letter = ask_letter(kind, key);
		if (letter && length + 2 < sizeof q->typed) {
			q->typed[length] = letter;
			q->typed[length + 1] = '\0';
		} else if (key == K_BACKSPACE && length) {
			q->typed[length - 1] = '\0';
		} else if (key == K_ENTER && length) {
			const uint64_t typed = ask_typed(kind, q->typed);
			q->typed[0] = '\0';
			grade(m, typed == q->number);
		} else {
			return key == K_ENTER || letter;
		}
		return true;
	}
	if (key == K_LEFT || key == 'h')
		strcpy(q->typed, "yes");
	else if (key == K_RIGHT || key == 'l')
		strcpy(q->typed, "no");
	else if (key == K_ENTER && *q->typed)
		grade(m, !strcmp(q->typed, "yes") == (q->number == 1));
	else
		return key == K_ENTER;
	return true;
}

bool quiz_takes_key(const struct model *m, int key)
{
	static const int board[] = {K_UP, K_DOWN, 'k', 'j'}, both[] = {K_LEFT, K_RIGHT, 'h', 'l'};
	if (!quiz_is_open(m) || !is_in_sight(m))
		return false;
	const enum ask_kind kind = quiz_ask(m)->kind;
	bool taken = key == K_ENTER || (kind == ASK_SQUARES && key == 'g') ||
	             (kind == ASK_VALUE && ask_letter(kind, key));
	for (size_t i = 0; i < sizeof board / sizeof *board; i++)
		taken = taken || (is_on_board(kind) && key == board[i]) ||
		        (kind != ASK_NUMBER && kind != ASK_VALUE && key == both[i]);
	return taken;
}

/* ---- the line below the text ---- */

/* A wrong yes or no is told at once, with the hint as its reason. */
static const char *before_hint(enum ask_kind kind)
{
	return kind == ASK_WHETHER ? "The answer: yes. " : missed;
}

/* The columns of the status beside a hint: after the last try there is none. */
static int hint_status(enum ask_kind kind)
{
	return lines[kind].tries > 1 ? lines[kind].status_cols : 0;
}

int ask_hint_cols(enum ask_kind kind)
{
	return LESSON_COLS - (int)strlen(before_hint(kind)) - hint_status(kind);
}

static int wrapped(const char *text, int room)
{
	return room > 0 ? paragraphs_rows(text, room) : 1;
}

int quiz_rows(const struct lesson_ask *ask, int cols)
{
	char how_words[LESSON_COLS], hint[2 * LESSON_COLS];
	if (!ask->kind)
		return 0;
	/* the longest word */
	snprintf(how_words, sizeof how_words, lines[ask->kind].how, "square");
	snprintf(hint, sizeof hint, "%s%s", before_hint(ask->kind), ask->hint);
	const int how = wrapped(how_words, cols - lines[ask->kind].status_cols),
		  then = wrapped(hint, cols - hint_status(ask->kind));
	return how > then ? how : then;
}

static enum role say(const struct model *m, char *out, size_t size)
{
	const struct quiz *q = quiz_of(m);
	const struct lesson_ask *ask = quiz_ask(m);
	char words[96] = "";
	if (q->state == QUIZ_RIGHT || q->state == QUIZ_TOLD)
		ask_words(ask, q, words, sizeof words);
	switch (q->state) {
	case QUIZ_NONE:
	case QUIZ_FAILED:
		*out = '\0';
		return ROLE_DIM;
	case QUIZ_RIGHT:
		snprintf(out, size, "Right: %s. %s", words, on);
		return ROLE_WIN;
	case QUIZ_TOLD:
		if (ask->kind == ASK_WHETHER) /* with the reason */
			snprintf(out, size, "The answer: %s. %s", q->number ? "yes" : "no",
			         ask->hint);
		else
			snprintf(out, size, "%sThe answer: %s. %s",
			         q->misses == lines[ask->kind].tries ? "No. " : "", words, on);
		return ROLE_NOTE;
	case QUIZ_OPEN:
		break;
	}
	if (q->misses)
		snprintf(out, size, "%s%s", missed, ask->hint);
	else
		snprintf(out, size, lines[ask->kind].how, square_word(q->game));
	return q->misses ? ROLE_NOTE : ROLE_DIM;
}

void quiz_draw(const struct model *m, struct pane p)
{
	const struct quiz *q = quiz_of(m);
	const enum ask_kind kind = quiz_ask(m)->kind;
	char text[256], status[32] = "";
	if (!p.rows)
		return;
	const enum role role = say(m, text, sizeof text);
	if (q->state == QUIZ_OPEN && kind == ASK_SQUARES)
		snprintf(status, sizeof status, "marked %d of %d",
		         __builtin_popcountll(q->marks.marked), __builtin_popcountll(q->right));
	else if (q->state == QUIZ_OPEN && (kind == ASK_NUMBER || kind == ASK_VALUE))
		snprintf(status, sizeof status, "%s_", q->typed);
	else if (q->state == QUIZ_OPEN && kind == ASK_WHETHER)
		snprintf(status, sizeof status, "%s  %s", *q->typed == 'y' ? "[yes]" : " yes ",
		         *q->typed == 'n' ? "[no]" : " no ");
	const int room = p.cols - (*status ? lines[kind].status_cols : 0);
	paragraphs_draw(pane_sub(p, 0, 0, p.rows, room), role, text);
	pane_right(p, 0, p.cols, ROLE_STRONG, status);
	if (q->state != QUIZ_OPEN || kind != ASK_WHETHER)
		return;
	/* The first click chooses, a second one acts as Enter. */
	pane_zone(pane_sub(p, 0, p.cols - 11, 1, 5), ZONE_KEY, *q->typed == 'y' ? K_ENTER : K_LEFT);
	pane_zone(pane_sub(p, 0, p.cols - 4, 1, 4), ZONE_KEY, *q->typed == 'n' ? K_ENTER : K_RIGHT);
}
