/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recording a lesson: what is written, that it plays again to the same screens, and what is refused. */
#include "tests/fixtures/screens.h"
#include "tui/screen/widgets/board.h"
#include "tui/shell/overlay.h"
#include "tui/views/lesson/lesson.h"
#include "tui/views/views.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define ROOK "8/8/8/8/8/2k5/8/K2R4 w - - 0 1"

static struct el_library *library;
static struct screens s;

static int set_up(void **state)
{
	static const char *const names[] = {"KQvK", "KRvK", NULL};
	(void)state;
	if (!screens_enter())
		return -1;
	screens_lessons(".");
	screens_library("tables", names, NULL, &library);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	el_library_close(library);
	return screens_leave();
}

static void type(const char *line)
{
	shell_prompt_line(&s.model)->open = false;
	shell_typed(&s.model, line);
	screens_settle(&s);
}

static void press(int key)
{
	screens_event(&s, (struct event){.kind = EVENT_KEY, .key = key});
}

static char *text_of(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;
	assert_non_null(file);
	assert_true(getdelim(&text, &size, '\0', file) > 0);
	fclose(file);
	return text;
}

static void assert_refused(const char *line, const char *why)
{
	type(line);
	assert_true(s.model.message.error);
	if (!strstr(s.model.message.text, why))
		fail_msg("%s: %s", line, s.model.message.text);
}

static void it_says_what_to_show(void **state)
{
	(void)state;
	screens_open(&s, library, ROOK, false);
	type("record first A rook up"); /* the ending is added */
	type("say How many moves does it take?");
	type("note Let them guess.");
	press('H');
	type("ask move best");
	type("hint Cut off the king.");
	type("say Which move?");
	press(' ');
	press(K_LEFT); /* back and forth: only where that led counts */
	press(K_RIGHT);
	type("say This one.");
	press('m');
	press(K_TAB);
	type("say The map.");
	press('q');
	press('f');
	press('S');
	type("flip");
	type("flip");
	type("say The score sheet, from the other side.");
	type("4");
	type("Tables");
	type("say Tables.");
	press('1');
	type("record off");
	assert_false(s.model.message.error);
	assert_false(lesson_is_recorded(&s.model));
	screens_close(&s);
	char *text = text_of("first.lesson");
	assert_string_equal(text, "A rook up\n"
	                          ":fen " ROOK "\n"
	                          ":note Let them guess.\n"
	                          "How many moves does it take?\n"
	                          "---\n"
	                          ":hide\n"
	                          ":ask move best\n"
	                          ":hint Cut off the king.\n"
	                          "Which move?\n"
	                          "---\n"
	                          ":fen 8/8/8/8/8/2k5/8/1K1R4 b - - 1 1\n"
	                          "This one.\n"
	                          "---\n"
	                          ":map\n"
	                          ":next-piece\n"
	                          "The map.\n"
	                          "---\n"
	                          ":Explore\n"
	                          ":flip\n"
	                          ":score-sheet\n"
	                          "The score sheet, from the other side.\n"
	                          "---\n"
	                          ":Tables\n"
	                          "Tables.\n");
	free(text);
}

/* What a step shows: the board, or in other views the first rows, as a reader sees them. Below and
   beside it a lesson has its text. */
static void describe(char *out, size_t size)
{
	enum { ROWS = 18, COLS = 34 };
	FILE *text = fmemopen(out, size, "w");
	fprintf(text, "%s %d %d\n", shell_view(&s.model)->name, s.model.in_moves,
	        shell_is_covered(&s.model));
	s.canvas.ascii = true;
	screens_draw(&s);
	for (int y = 1; y < ROWS; y++)
		for (int x = 0; x < COLS; x++)
			putc((int)s.canvas.cells[y * s.canvas.cols + x].glyph, text);
	fclose(text);
}

static void say(char shown[][1024], int step)
{
	char line[40];
	describe(shown[step], sizeof shown[step]);
	snprintf(line, sizeof line, "say Step %d.", step);
	type(line);
	assert_false(s.model.message.error);
}

static void it_plays_again(void **state)
{
	enum { STEPS = 9 };
	static char shown[STEPS][1024];
	int step = 0;
	(void)state;
	screens_open(&s, library, ROOK, false);
	type("record again.lesson All of it");
	say(shown, step++);
	press(' ');
	press(' ');
	press('f');
	say(shown, step++);
	press('2'); /* Teach, by keys: the passes and the free piece */
	press(' ');
	press(' ');
	press(' ');
	say(shown, step++);
	press(K_TAB);
	press(K_RIGHT);
	press('t');
	say(shown, step++);
	type("teach 8/8/8/4k3/8/8/8/K2Q4 w - - 0 1");
	type("pass 5");
	say(shown, step++);
	press('H');
	press('u');
	say(shown, step++);
	press('1');
	type("KQvK"); /* a random position */
	say(shown, step++);
	press('m');
	press(K_TAB);
	press('H');
	say(shown, step++);
	press('5');
	say(shown, step++);
	assert_int_equal(step, STEPS);
	type("record off");
	assert_false(s.model.message.error);
	screens_close(&s);

	screens_open(&s, library, "8/8/8/4k3/8/8/8/K2Q4 b - - 0 1", false);
	type("lesson again.lesson");
	assert_true(lesson_plays(&s.model));
	assert_int_equal(lesson_of(&s.model)->script.step_count, STEPS);
	for (step = 0; step < STEPS; step++) {
		char now[1024];
		if (s.model.message.error)
			fail_msg("step %d: %s", step, s.model.message.text);
		describe(now, sizeof now);
		assert_string_equal(now, shown[step]);
		press('n');
	}
	assert_false(lesson_plays(&s.model));
	screens_close(&s);
}

static void what_cannot_be_in_a_lesson_is_refused(void **state)
{
	(void)state;
	screens_open(&s, library, ROOK, false);
	assert_refused("say nothing", "No lesson is being recorded");
	assert_refused("record off", "No lesson is being recorded");
	assert_refused("record missing/new.lesson New", "missing: cannot write there: No such");
	FILE *file = fopen("mine.lesson", "w");
	assert_true(file && fputs("mine\n", file) >= 0 && !fclose(file));
	assert_refused("record mine.lesson Another", "there already. Press y");
	press('x');
	assert_false(lesson_is_recorded(&s.model));
	type("record new.lesson");
	assert_true(shell_prompt_line(&s.model)->open);
	assert_string_equal(shell_prompt_line(&s.model)->text, "record new.lesson ");
	assert_false(lesson_is_recorded(&s.model));
	type("record new.lesson New");
	assert_true(lesson_is_recorded(&s.model));
	assert_refused("record other.lesson Other", "is being recorded");
	assert_refused("record off", "Nothing is recorded yet");
	assert_refused("record undo", "no step to take back");
	assert_refused("ask square", "");
	assert_refused("say :best", "cannot be in a lesson");
	assert_refused("say # a comment", "cannot be in a lesson");
	assert_refused("say ---", "cannot be in a lesson");
	assert_refused("say a\tb", "control character");
	type("say One.");
	assert_refused("lesson mine.lesson", "is being recorded");
	press('1');
	press(' ');
	type("ask number plies");
	assert_refused("record off", "has no text");
	type("say Two.");
	assert_refused("record off", "expected one"); /* a hint */
	type("hint Even.");
	type("save game.pgn"); /* it runs, but no lesson may */
	char *text = text_of("mine.lesson");
	assert_string_equal(text, "mine\n");
	free(text);
	assert_int_equal(access("new.lesson", F_OK), -1);
	type("record off");
	assert_false(s.model.message.error);
	text = text_of("new.lesson");
	assert_string_equal(text, "New\n:fen " ROOK "\nOne.\n---\n"
	                          ":fen 8/8/8/8/8/2k5/8/1K1R4 b - - 1 1\n"
	                          ":ask number plies\n:hint Even.\nTwo.\n");
	free(text);
	screens_close(&s);
}

static void a_file_is_replaced_when_asked(void **state)
{
	(void)state;
	screens_open(&s, library, ROOK, false);
	FILE *file = fopen("old.lesson", "w");
	assert_true(file && fputs("old\n", file) >= 0 && !fclose(file));
	type("record old.lesson Title");
	press('y');
	assert_true(lesson_is_recorded(&s.model));
	type("say One.");
	press('f');
	type("say Two.");
	type("record undo");
	press('f');
	press('f');
	type("say Three.");
	type("record off");
	char *text = text_of("old.lesson");
	assert_string_equal(text, "Title\n:fen " ROOK "\nOne.\n---\n:flip\nThree.\n");
	free(text);
	type("record unwritten.lesson Title");
	type("say One.");
	type("record drop");
	assert_int_equal(access("unwritten.lesson", F_OK), -1);
	type("record forgotten.lesson Title");
	type("say One.");
	screens_close(&s); /* quitting ends it */
	text = text_of("forgotten.lesson");
	assert_string_equal(text, "Title\n:fen " ROOK "\nOne.\n");
	free(text);
}

/* What stands in a recording's place stays, and nothing is lost; what cannot be written is said. */
static void quitting_loses_no_recording(void **state)
{
	struct el_error error;
	(void)state;
	screens_open(&s, library, ROOK, false);
	type("record taken.lesson Title");
	type("say One.");
	FILE *file = fopen("taken.lesson", "w");
	assert_true(file && fputs("theirs\n", file) >= 0 && !fclose(file));
	assert_int_equal(shell_close(&s.model, &error), EL_IO);
	assert_non_null(strstr(error.text, "taken.lesson.new"));
	screens_close(&s);
	char *text = text_of("taken.lesson");
	assert_string_equal(text, "theirs\n");
	free(text);
	text = text_of("taken.lesson.new");
	assert_string_equal(text, "Title\n:fen " ROOK "\nOne.\n");
	free(text);
	screens_open(&s, library, ROOK, false);
	assert_int_equal(mkdir("gone", 0700), 0);
	type("record gone/x.lesson Title");
	type("say One.");
	assert_int_equal(rmdir("gone"), 0);
	file = fopen("gone", "w"); /* no folder can be made there */
	assert_true(file && !fclose(file));
	assert_int_equal(shell_close(&s.model, &error), EL_IO);
	assert_non_null(strstr(error.text, "gone"));
	screens_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quitting_loses_no_recording),
		cmocka_unit_test(it_says_what_to_show),
		cmocka_unit_test(it_plays_again),
		cmocka_unit_test(what_cannot_be_in_a_lesson_is_refused),
		cmocka_unit_test(a_file_is_replaced_when_asked),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
