/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The questions of lessons: reading, answers and grades, and what they hide meanwhile. */
#include "tests/fixtures/screens.h"

#include "tui/shell/line.h"
#include "tui/shell/overlay.h"
#include "tui/views/lesson/lesson.h"
#include "tui/views/teach/teach.h"
#include "tui/views/views.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct el_library *library;
static struct screens s;

static int set_up(void **state)
{
	static const char *const slices[] = {"KPvK", "KQvK", "checkers:KKvK", "awari:1", NULL};
	(void)state;
	if (!screens_enter())
		return -1;
	screens_library("tables", slices, NULL, &library);
	return 0;
}

static int clean_up(void **state)
{
	(void)state;
	el_library_close(library);
	return screens_leave();
}

static int open_screens(void **state)
{
	(void)state;
	screens_open(&s, library, NULL, false);
	return 0;
}

static int close_screens(void **state)
{
	(void)state;
	screens_close(&s);
	return 0;
}

/* ---- helpers ---- */

static void write_lesson(const char *text)
{
	FILE *file = fopen("x.lesson", "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void type(const char *line)
{
	line_run(&s.model, line);
	screens_event(&s, (struct event){.kind = EVENT_NONE});
}

static void press(int key)
{
	screens_event(&s, (struct event){.kind = EVENT_KEY, .key = key});
}

static void click(const char *name)
{
	const int square = (name[1] - '1') * 8 + name[0] - 'a';
	const struct zone zone = {.kind = ZONE_SQUARE, .value = square};
	screens_event(&s, (struct event){.kind = EVENT_CLICK, .zone = zone});
}

static void play(const char *text)
{
	write_lesson(text);
	type("lesson ./x.lesson");
	assert_string_equal(s.model.message.error ? s.model.message.text : "", "");
	assert_true(lesson_plays(&s.model));
}

static const struct quiz *quiz(void)
{
	return &lesson_of(&s.model)->quiz;
}

/* Is it on the screen? */
static void assert_shown(const char *text)
{
	char *shown = NULL;
	size_t size;
	FILE *out = open_memstream(&shown, &size);
	screens_draw(&s);
	screens_print(&s, out);
	fclose(out);
	if (!strstr(shown, text))
		printf("expected '%s' in\n%s", text, shown);
	assert_non_null(strstr(shown, text));
	free(shown);
}

#define KEY_SQUARES                                                           \
	"T\n:fen 4k3/8/4K3/8/4P3/8/8/8 b - - 0 1\n:map\n:next-piece\n:hide\n" \
	":ask squares loss\n:hint Two ranks ahead.\nWhich?\n---\nThe end.\n"

/* ---- reading ---- */

static void a_bad_question_is_named(void **state)
{
	static const struct {
		const char *text, *why;
	} bad[] = {
		{":ask\n:hint H\nText.\n", "x:2: ask: found nothing, expected square, squares, "
	                                   "move, number, value or whether"},
		{":ask sqare e4\n:hint H\nText.\n", "x:2: ask: found 'sqare', expected square, "
	                                            "squares, move, number, value or whether"},
		{":ask squares\n:hint H\nText.\n", "x:2: ask squares: found nothing, expected "
	                                           "squares, win, draw, loss, broken, longest, "
	                                           "shortest, TW, LT, LW, next or group"},
		{":ask squares G\n:hint H\nText.\n",
	         "x:2: ask squares: found 'G', expected squares, win, draw, loss, broken, longest, "
	         "shortest, TW, LT, LW, next or group"},
		{":ask squares los\n:hint H\nText.\n", "x:2: ask squares: found 'los', expected "
	                                               "squares, win, draw, loss, broken, longest, "
	                                               "shortest, TW, LT, LW, next or group"},
		{":ask squares e4 losing\n:hint H\nText.\n",
	         "x:2: ask squares: found 'e4', expected squares, win, draw, loss, broken, "
	         "longest, "
	         "shortest, TW, LT, LW, next or group"},
		{":ask squares loss two\n:hint H\nText.\n",
	         "x:2: ask squares loss: found 'two', expected a number of plies"},
		{":ask squares draw 2\n:hint H\nText.\n",
	         "x:2: ask squares draw: found '2', expected nothing more"},
		{":ask move\n:hint H\nText.\n",
	         "x:2: ask move: found nothing, expected moves, best, winning, drawing or losing"},
		{":ask number many\n:hint H\nText.\n",
	         "x:2: ask number: found 'many', expected a number, win, draw, loss, broken, TW, "
	         "LT, LW, next, "
	         "winning, drawing, losing, plies, moves, stones, wrong, decided, undecided, "
	         "index, rank, "
	         "runs, bytes, fewest-runs, gaps or loads"},
		{":ask number decide\n:hint H\nText.\n",
	         "x:2: ask number: found 'decide', expected a number, win, draw, loss, broken, "
	         "TW, LT, LW, next, "
	         "winning, drawing, losing, plies, moves, stones, wrong, decided, undecided, "
	         "index, rank, "
	         "runs, bytes, fewest-runs, gaps or loads"},
		{":ask number index 3\n:hint H\nText.\n",
	         "x:2: ask number index: found '3', expected nothing more"},
		{":ask whether maybe\n:hint H\nText.\n",
	         "x:2: ask whether: found 'maybe', expected yes, no, win, draw, loss, zugzwang, "
	         "broken, hit, faster or same-bytes"},
		{":ask whether win 3\n:hint H\nText.\n",
	         "x:2: ask whether win: found '3', expected nothing more"},
		{":ask whether yes\nText.\n",
	         "x:2: ask: found no :hint in this step, expected one"},
		{":hint H\nText.\n", "x:2: hint: found no :ask in this step, expected one"},
		{":hint\nText.\n", "x:2: hint: found nothing, expected a text"},
		{":ask whether yes\n:hint H\n:hint H\nText.\n",
	         "x:4: hint: found a second one, expected one a step"},
		{":ask whether yes\n:hint H\n:ask whether no\nText.\n",
	         "x:4: ask: found a second question, expected one a step"},
		{":note\nText.\n", "x:2: note: found nothing, expected a text"},
		{":note N\n:note N\nText.\n", "x:3: note: found a second one, expected one a step"},
		{":ask whether yes\n:hint H\n", "x:2: the step has no text"},
		{":note N\n---\nText.\n", "x:2: the step has no text"},
		{"Text.\n---\n:ask squares win\n:hint A hint that takes more room than there is "
	         "beside "
	         "the answer.\nText.\n",
	         "x:4: the hint takes 60 columns; 50 fit"},
		{":ask whether yes\n:hint H\na\n\nb\n\nc\n\nd\n",
	         "x:4: the step's text takes 4 rows of 76 columns; 3 fit above an answer"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct script script;
		struct el_error error;
		char text[512];
		snprintf(text, sizeof text, "Title\n%s", bad[i].text);
		write_lesson(text);
		assert_int_equal(script_read("x.lesson", "x", &s.model, &script, &error), EL_USAGE);
		assert_string_equal(error.text, bad[i].why);
		assert_null(script.lines);
	}
}

static void a_question_is_read(void **state)
{
	static const struct {
		const char *text;
		enum ask_kind kind;
		enum ask_source source;
		long plies;
	} good[] = {
		{"square g7", ASK_SQUARE, ASK_GIVEN, -1},
		{"squares 1 18 32", ASK_SQUARES, ASK_GIVEN, -1},
		{"squares loss", ASK_SQUARES, ASK_LOSS, -1},
		{"squares win 3", ASK_SQUARES, ASK_WIN, 3},
		{"squares loss 0", ASK_SQUARES, ASK_LOSS, 0},
		{"number next", ASK_NUMBER, ASK_NEXT, -1},
		{"number 462", ASK_NUMBER, ASK_GIVEN, -1},
		{"move Qd6 O-O", ASK_MOVE, ASK_GIVEN, -1},
		{"move best", ASK_MOVE, ASK_BEST, -1},
		{"whether  win", ASK_WHETHER, ASK_WIN, -1},
		{"whether no", ASK_WHETHER, ASK_NO, -1},
		{"square longest", ASK_SQUARE, ASK_LONGEST, -1},
		{"squares A b", ASK_SQUARES, ASK_GIVEN, -1},
		{"move F", ASK_MOVE, ASK_GIVEN, -1},
		{"number stones", ASK_NUMBER, ASK_STONES, -1},
		{"squares TW", ASK_SQUARES, ASK_AT_LEAST_DRAW, -1},
		{"number wrong", ASK_NUMBER, ASK_WRONG, -1},
		{"value uLT", ASK_VALUE, ASK_GIVEN, -1},
		{"value max TT uLT", ASK_VALUE, ASK_MAX, -1},
		{"number runs", ASK_NUMBER, ASK_FIGURE, -1},
		{"squares group", ASK_SQUARES, ASK_FIGURE, -1},
		{"whether hit", ASK_WHETHER, ASK_FIGURE, -1},
		{"number broken", ASK_NUMBER, ASK_BROKEN, -1},
	};
	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct lesson_ask ask;
		char why[LESSON_WHY_MAX];
		assert_true(ask_read(&s.model, good[i].text, &ask, why));
		assert_int_equal(ask.kind, good[i].kind);
		assert_int_equal(ask.source, good[i].source);
		assert_int_equal(ask.plies, good[i].plies);
	}
}

/* ---- answers ---- */

static void wrong_once_gives_a_hint_and_twice_the_answer(void **state)
{
	(void)state;
	play(KEY_SQUARES);
	assert_true(quiz_is_open(&s.model));
	assert_true(shell_is_covered(&s.model));
	assert_shown("Mark each square with Enter, then press g.");
	assert_shown("marked 0 of 3");
	click("e6");
	click("a1");
	assert_shown("marked 2 of 3");
	press('g');
	assert_int_equal(quiz()->misses, 1);
	assert_true(quiz_is_open(&s.model));
	assert_shown("Not yet. Two ranks ahead.");
	assert_true(shell_is_covered(&s.model));
	press('g');
	assert_int_equal(quiz()->state, QUIZ_TOLD);
	assert_shown("No. The answer: d6 e6 f6. Press n to go on.");
	assert_false(shell_is_covered(&s.model));
	assert_string_equal(shell_overlay(&s.model)->marks[0].text, "no");
	assert_string_equal(shell_overlay(&s.model)->marks[44].text, "yes");
	press('n');
	assert_int_equal(lesson_of(&s.model)->step, 1);
	assert_false(shell_overlay(&s.model)->on);
}

static void a_right_answer_is_praised(void **state)
{
	(void)state;
	play(KEY_SQUARES);
	click("d6");
	click("a1");
	press('g');
	click("a1"); /* removed again */
	click("e6");
	click("f6");
	press('g');
	assert_int_equal(quiz()->state, QUIZ_RIGHT);
	assert_shown("Right: d6 e6 f6. Press n to go on.");
	press('N');
	assert_int_equal(lesson_of(&s.model)->step, 0);
}

static void the_cursor_marks_as_clicks_do(void **state)
{
	(void)state;
	play(KEY_SQUARES);
	while (quiz()->marks.cursor / 8 != 5)
		press(quiz()->marks.cursor / 8 < 5 ? K_UP : 'j');
	while (quiz()->marks.cursor % 8 != 3)
		press(quiz()->marks.cursor % 8 < 3 ? 'l' : K_LEFT);
	for (int i = 0; i < 3; i++) {
		press(K_ENTER);
		press(K_RIGHT);
	}
	press('g');
	assert_int_equal(quiz()->state, QUIZ_RIGHT);
}

/* Two keys lead a class: the first shows the answer, then it goes on. The reader's own key gives
   nothing away. */
static void a_class_is_shown_the_answer_first(void **state)
{
	(void)state;
	play(KEY_SQUARES);
	press(K_PAGE_DOWN);
	assert_int_equal(quiz()->state, QUIZ_TOLD);
	assert_shown("The answer: d6 e6 f6. Press n to go on.");
	assert_int_equal(lesson_of(&s.model)->step, 0);
	press(K_PAGE_DOWN);
	assert_int_equal(lesson_of(&s.model)->step, 1);
	press(K_PAGE_UP);
	assert_int_equal(lesson_of(&s.model)->step, 0);
	assert_true(quiz_is_open(&s.model));
	press('n');
	assert_string_equal(s.model.message.text,
	                    "Answer the question first, or press PgDn to see the answer.");
	assert_true(quiz_is_open(&s.model));
	assert_int_equal(quiz()->misses, 0);
	press(K_PAGE_DOWN);
	press('n');
	press('n');
	assert_false(lesson_plays(&s.model));
}

static void moves_are_made_on_the_board_or_typed(void **state)
{
	static const char text[] =
		"T\n:fen 4k3/8/3KP3/8/8/8/8/8 w - - 0 1\n:hide\n:ask move winning\n"
		":hint H\nWhich?\n";
	(void)state;
	play(text);
	click("d6");
	click("d5");
	assert_int_equal(quiz()->misses, 1);
	type("Ke5");
	assert_int_equal(quiz()->state, QUIZ_TOLD);
	assert_shown("No. The answer: e7. Press n to go on.");
	assert_true(el_position_equal(play_position(&s.model), &quiz()->position));
	play(text);
	type("e7");
	assert_int_equal(quiz()->state, QUIZ_RIGHT);
	assert_true(el_position_equal(play_position(&s.model), &quiz()->position));
	play(text);
	click("e8"); /* no piece of White's: not a miss */
	click("e6");
	press(K_ESCAPE);
	click("e6");
	click("e7");
	assert_int_equal(quiz()->misses, 0);
	assert_int_equal(quiz()->state, QUIZ_RIGHT);
}

static void promotions_are_typed_with_their_piece(void **state)
{
	(void)state;
	play("T\n:fen 8/k1P5/2K5/8/8/8/8/8 w - - 0 1\n:ask move best\n:hint H\nWhich?\n");
	click("c7");
	click("c8");
	assert_true(quiz_is_open(&s.model));
	assert_int_equal(quiz()->misses, 0);
	assert_non_null(strstr(s.model.message.text, "with the new piece"));
	type("c8=Q");
	assert_int_equal(quiz()->misses, 1);
	type("c8=R");
	assert_int_equal(quiz()->state, QUIZ_RIGHT);
}

static void numbers_are_typed(void **state)
{
	(void)state;
	play("T\n:fen 8/8/8/5k2/8/8/1Q6/K7 w - - 0 1\n:hide\n:ask number plies\n:hint H\nHow "
	     "many?\n");
	press(K_ENTER);
	assert_int_equal(quiz()->misses, 0);
	for (int i = 0; i < 30; i++)
		press('9');
	assert_shown("9999999999_");
	press(K_ENTER);
	assert_int_equal(quiz()->misses, 1);
	press('1');
	press('2');
	press(K_BACKSPACE);
	press('9');
	assert_true(shell_is_shown(&s.model, VIEW_EXPLORE)); /* no digit reached the views */
	press(K_ENTER);
	assert_shown("Right: 19 plies. Press n to go on.");
}

/* No key that leads on answers, and a second try between two answers would be worth nothing. */
static void yes_and_no_are_chosen_and_have_one_try(void **state)
{
	static const char text[] = "T\n:fen 8/4k3/8/4K3/4P3/8/8/8 w - - 0 1\n:hide\n"
				   ":ask whether zugzwang\n:hint H\nIs it?\n---\n"
				   ":hide\n:ask whether win\n:hint White must move.\nIs it won?\n"
				   "---\nEnd.\n";
	(void)state;
	play(text);
	press(K_ENTER); /* nothing is chosen yet */
	press('n');
	assert_true(quiz_is_open(&s.model));
	assert_int_equal(lesson_of(&s.model)->step, 0);
	press(K_RIGHT);
	assert_shown(" yes   [no]");
	press('h');
	assert_shown("[yes]   no");
	assert_true(quiz_is_open(&s.model));
	press(K_ENTER);
	assert_shown("Right: yes. Press n to go on.");
	press('n');
	assert_int_equal(lesson_of(&s.model)->step, 1);
	/* The first click chooses, the second answers; one beside them gives nothing away. */
	for (int clicks = 0; clicks < 2; clicks++) {
		assert_true(quiz_is_open(&s.model));
		assert_shown(clicks ? "[yes]   no" : " yes    no");
		assert_null(canvas_zone_at(&s.canvas, 21, 20));
		screens_event(&s, (struct event){.kind = EVENT_CLICK,
		                                 .zone = *canvas_zone_at(&s.canvas, 21, 68)});
	}
	assert_int_equal(quiz()->state, QUIZ_TOLD);
	assert_shown("The answer: no. White must move.");
	assert_false(shell_is_covered(&s.model));
	press('n');
	assert_int_equal(lesson_of(&s.model)->step, 2);
}

static void draughts_have_squares_with_numbers(void **state)
{
	(void)state;
	play("T\n:fen W:WK6,K10:BK5\n:ask move best\n:hint H\nWhich?\n---\n"
	     ":fen W:WK31,K32:BK19\n:map\n:hide\n:ask squares 4 12\n:hint H\nWhich?\n");
	type("6-1");
	assert_int_equal(quiz()->state, QUIZ_RIGHT);
	press('n');
	press(K_PAGE_DOWN);
	assert_shown("The answer: 4 12. Press n to go on.");
}

static void awari_has_pits_with_letters_and_values_in_stones(void **state)
{
	(void)state;
	play("T\n:fen 0-1-0-0-0-0-0-0-0-0-0-0-0-0-S\n:ask move B\n:hint H\nWhich?\n---\n"
	     ":fen 0-1-0-0-0-0-0-0-0-0-0-0-0-0-S\n:ask number stones\n:hint H\nHow many?\n---\n"
	     ":fen 0-1-0-0-0-0-0-0-0-0-0-0-0-0-S\n:map\n:hide\n:ask squares win\n:hint "
	     "H\nWhich?\n");
	type("B");
	assert_int_equal(quiz()->state, QUIZ_RIGHT);
	press('n');
	press('1');
	press(K_ENTER);
	assert_shown("Right: 1 stone. Press n to go on.");
	press('n');
	assert_shown("Mark each pit with Enter, then press g.");
	press(K_PAGE_DOWN);
	assert_shown("The answer: A B C D E. Press n to go on.");
}

/* Rows of Table 2 of Bjornsson, Schaeffer, Sturtevant, and its figures 3 and 4. */
static void a_value_is_asked_for_by_its_letters(void **state)
{
	static const struct {
		const char *ask, *typed, *answer;
	} values[] = {
		{"max TT LW", "TW", "TW"},    {"max uTT LW", "uTW", "uTW"},
		{"max LT uTT", "utt", "uTT"}, {"max LL uLT", "ult", "uLT"},
		{"max uLW WW", "ww", "WW"},   {"max LT uLW", "uLW", "uLW"},
		{"negate uTW", "uLT", "uLT"}, {"uTT", "uTT", "uTT"},
		{"max TW LT", "LT", NULL},    {"max uTT LW", "TW", NULL},
		{"negate LT", "WL", NULL},    {"max LL LT", "LTT", NULL},
	};
	(void)state;
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		char text[256], said[64];
		snprintf(text, sizeof text, "T\n:ask value %s\n:hint H\nText.\n", values[i].ask);
		play(text);
		assert_shown("Type the value, such as TW or uLT, and press Enter.");
		for (const char *at = values[i].typed; *at; at++)
			press(*at);
		press(K_ENTER);
		snprintf(said, sizeof said, "Right: %s.", values[i].answer ? values[i].answer : "");
		assert_shown(values[i].answer ? said : "Not yet. H");
	}
	play("T\n:bounds exit LW\n:bounds step 1\n:ask value next\n:hint H\nText.\n");
	for (const char *at = "uLT"; *at; at++)
		press(*at);
	press(K_ENTER);
	assert_int_equal(quiz()->state, QUIZ_RIGHT);
	play("T\n:bounds exit LW\n:bounds step 2\n:ask number undecided\n:hint H\nText.\n");
	assert_int_equal(quiz()->number, 4);
}

/* Index 7 has the white kings on 32 and 31, and the black one on the eighth of the squares left to
   it, which are numbered downwards: 30, 29, ... 23. */
static void an_index_asks_for_squares_of_its_game(void **state)
{
	(void)state;
	play("T\n:index checkers:KKvK\n:index 7\n:read-back\n:first\n:hide\n"
	     ":ask square group\n:hint H\nWhere?\n---\nThe end.\n");
	assert_true(quiz_is_open(&s.model));
	assert_ptr_equal(quiz()->game, &el_checkers);
	assert_int_equal(__builtin_popcountll(quiz()->right), 1);
	press(K_PAGE_DOWN);
	assert_shown("The answer: 23.");
}

#define STUDY ":fen 6k1/8/8/6p1/6P1/7P/8/6K1 w - - 0 1\n:solve --pieces=none\n"
#define OPEN  "ask: this position is known only within bounds, which leave the answer open"

/* A fault that only the board shows is reported with its line, and the step goes on without a
   question. */
static void a_question_that_cannot_be_asked_is_named(void **state)
{
	static const struct {
		const char *text, *why;
	} bad[] = {
		{":fen 8/8/8/3kr3/8/8/2Q5/1K6 w - - 0 1\n:ask move best\n",
	         "x.lesson:3: ask: no table knows this position"},
		{":fen 8/8/8/3kr3/8/8/2Q5/1K6 w - - 0 1\n:ask squares win\n",
	         "x.lesson:3: ask: no table knows this board"},
		{":fen 8/4k3/8/4K3/4P3/8/8/8 w - - 0 1\n:ask number plies\n",
	         "x.lesson:3: ask: this position has no depth"},
		{":fen 8/8/8/5k2/8/8/1Q6/K7 w - - 0 1\n:ask number stones\n",
	         "x.lesson:3: ask: this position has no stones"},
		{":fen 0-1-0-0-0-0-0-0-0-0-0-0-0-0-S\n:ask number plies\n",
	         "x.lesson:3: ask: this position has no depth"},
		{":fen 8/4k3/8/4K3/4P3/8/8/8 w - - 0 1\n:ask move Qh8\n",
	         "x.lesson:3: ask: no legal move of this position is right"},
		{":fen 8/4k3/8/4K3/4P3/8/8/8 w - - 0 1\n:ask squares i9\n",
	         "x.lesson:3: ask: 'i9' is not a square of the board on screen"},
		{":fen 8/4k3/8/4K3/4P3/8/8/8 w - - 0 1\n:ask number decided\n",
	         "x.lesson:3: ask: 'decided' is asked about in Teach, not in Explore"},
		{":fen 8/4k3/8/4K3/4P3/8/8/8 w - - 0 1\n:ask number wrong\n",
	         "x.lesson:3: ask: no table of this position has been verified"},
		{":fen 8/4k3/8/4K3/4P3/8/8/8 w - - 0 1\n:ask value next\n",
	         "x.lesson:3: ask: 'next' is asked about in Bounds, not in Explore"},
		{":teach 8/8/8/5k2/8/8/1Q6/K7 w - - 0 1\n:ask whether win\n",
	         "x.lesson:3: ask: a position is asked about in Explore"},
		{":fen 8/8/8/5k2/8/8/1Q6/K7 w - - 0 1\n:ask square loss\n",
	         "x.lesson:3: ask: no square of this board is right"},
		/* a study without promotions: at least a draw, and so are two of the moves */
		{STUDY ":ask move winning\n", "x.lesson:4: " OPEN},
		{STUDY ":ask move best\n", "x.lesson:4: " OPEN},
		{STUDY ":ask number drawing\n", "x.lesson:4: " OPEN},
		{STUDY ":ask whether win\n", "x.lesson:4: " OPEN},
		{STUDY ":ask whether zugzwang\n", "x.lesson:4: " OPEN},
	};
	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char text[512];
		snprintf(text, sizeof text, "T\n%s:hint H\nText.\n---\nEnd.\n", bad[i].text);
		write_lesson(text);
		type("lesson ./x.lesson");
		const char *said = strstr(s.model.message.text, "x.lesson");
		assert_string_equal(said ? said : s.model.message.text, bad[i].why);
		assert_false(quiz_is_open(&s.model));
		press('n');
		assert_int_equal(lesson_of(&s.model)->step, 1);
		press('n'); /* the next one begins at its first step */
	}
}

static void the_map_takes_a_piece_by_its_square(void **state)
{
	(void)state;
	type("fen 8/8/8/3kr3/8/8/2Q5/1K6 w - - 0 1");
	type("map");
	type("piece e5");
	assert_int_equal(s.model.map.piece, 36);
	type("piece e6");
	assert_string_equal(s.model.message.text,
	                    "piece: found 'e6', expected a square with a piece on it");
	assert_int_equal(s.model.map.piece, 36);
}

/* Keys answer on the screen of the question, and nowhere else. */
static void elsewhere_keys_do_what_they_do(void **state)
{
	(void)state;
	play(KEY_SQUARES);
	type("tables");
	press('g');
	press(K_ENTER);
	assert_int_equal(quiz()->misses, 0);
	assert_false(shell_overlay(&s.model)->on);
	press('n'); /* back to the question */
	assert_true(shell_is_shown(&s.model, VIEW_MAP));
	assert_true(quiz_is_open(&s.model));
	press(K_PAGE_DOWN);
	assert_int_equal(quiz()->state, QUIZ_TOLD);
	type("lesson off");
	assert_false(shell_overlay(&s.model)->on);
	assert_false(shell_is_covered(&s.model));
}

/* ---- hidden numbers ---- */

static void numbers_can_be_hidden(void **state)
{
	(void)state;
	type("fen 8/8/8/5k2/8/8/1Q6/K7 w - - 0 1");
	assert_shown("in 19 plies (10 moves)");
	press('H');
	assert_true(shell_is_covered(&s.model));
	assert_shown("The numbers are hidden. Press H to show them.");
	type("show");
	assert_shown("in 19 plies (10 moves)");
	type("hide");
	assert_true(shell_is_covered(&s.model));
	type("tables");
	assert_false(shell_is_covered(&s.model));
	type("hide");
	assert_string_equal(s.model.message.text, "This view has no numbers to hide.");
	play("T\nText.\n");
	assert_false(shell_is_covered(&s.model)); /* a step begins with the numbers shown */
}

/* ---- passes that run ---- */

static void tick(long long ms)
{
	s.model.now += ms;
	screens_event(&s, (struct event){.kind = EVENT_TICK});
}

static void passes_run_one_after_the_other(void **state)
{
	(void)state;
	play("T\n:teach 7k/8/6K1/8/8/8/8/R7 b - - 0 1\n:teach step start\nOne.\n---\n"
	     ":teach play 4\n:teach at g7\nTwo.\n---\n:teach play draws\n:ask squares draw\n:hint "
	     "H\n"
	     "Three.\n---\n:teach play 2\nFour.\n---\nFive.\n");
	const struct teach *t = teach_of(&s.model);
	const size_t last = teach_last(&s.model);
	press('n');
	assert_int_equal(t->step, 0);
	assert_non_null(lesson_of(&s.model)->at_work); /* the next line waits */
	tick(500);
	assert_int_equal(t->step, 1);
	for (int i = 0; i < 40; i++)
		tick(200);
	assert_int_equal(t->step, 6); /* the start, checkmates, conversions, passes 1 to 4 */
	assert_null(lesson_of(&s.model)->at_work);
	press('n');
	tick(200);
	assert_in_range(t->step, 7, last - 1);
	assert_false(quiz_is_open(&s.model));
	press('n');                   /* hurries on: the next step begins where these passes end */
	assert_int_equal(t->step, 4); /* backwards nothing runs */
	press('N');                   /* passes run by earlier steps are there at once */
	assert_int_equal(lesson_of(&s.model)->step, 2);
	assert_in_range(t->step, 6, last - 1);
	for (int i = 0; i < 100; i++)
		tick(100);
	assert_int_equal(t->step, last);
	assert_true(quiz_is_open(&s.model));
	assert_shown("marked 0 of 2");
}

static void a_run_can_be_stopped_and_overtaken(void **state)
{
	(void)state;
	type("teach KQvK");
	type("teach play nowhere");
	assert_string_equal(
		s.model.message.text,
		"play: found 'nowhere', expected the number of a pass, or start, terminal, "
		"conversions, limit or draws");
	type("teach play draws");
	assert_true(views[VIEW_TEACH]->moving(&s.model));
	press('a');
	assert_false(views[VIEW_TEACH]->moving(&s.model));
	type("play draws");
	type("pass 4");
	assert_false(views[VIEW_TEACH]->moving(&s.model));
	type("play");
	tick(500);
	assert_int_equal(teach_of(&s.model)->step, 7);
	assert_false(views[VIEW_TEACH]->moving(&s.model));
	press('a');
	press('G');
	tick(5000);
	assert_int_equal(teach_of(&s.model)->step, teach_last(&s.model));
}

/* ---- notes ---- */

static void notes_show_at_a_key(void **state)
{
	(void)state;
	play("T\n:note Ask the back row.\nOne.\n---\nTwo.\n");
	assert_string_equal(s.model.message.text, "");
	press('!');
	assert_shown("Note: Ask the back row.");
	press('n');
	press('!');
	assert_string_equal(s.model.message.text, "This step has no note.");
	press('n');
	press('!');
	assert_true(s.model.message.error);
}

#define EACH(test) cmocka_unit_test_setup_teardown(test, open_screens, close_screens)

int main(void)
{
	const struct CMUnitTest tests[] = {
		EACH(a_bad_question_is_named),
		EACH(a_question_is_read),
		EACH(wrong_once_gives_a_hint_and_twice_the_answer),
		EACH(a_right_answer_is_praised),
		EACH(the_cursor_marks_as_clicks_do),
		EACH(a_class_is_shown_the_answer_first),
		EACH(moves_are_made_on_the_board_or_typed),
		EACH(promotions_are_typed_with_their_piece),
		EACH(numbers_are_typed),
		EACH(yes_and_no_are_chosen_and_have_one_try),
		EACH(draughts_have_squares_with_numbers),
		EACH(awari_has_pits_with_letters_and_values_in_stones),
		EACH(a_value_is_asked_for_by_its_letters),
		EACH(an_index_asks_for_squares_of_its_game),
		EACH(a_question_that_cannot_be_asked_is_named),
		EACH(the_map_takes_a_piece_by_its_square),
		EACH(elsewhere_keys_do_what_they_do),
		EACH(numbers_can_be_hidden),
		EACH(passes_run_one_after_the_other),
		EACH(a_run_can_be_stopped_and_overtaken),
		EACH(notes_show_at_a_key),
	};
	return cmocka_run_group_tests(tests, set_up, clean_up);
}
