/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lessons: how a file is read, and that all of samples/lessons can be played. */
#include "tests/fixtures/positions.h"
#include "tests/fixtures/screens.h"
#include "tests/fixtures/tables.h"

#include "tui/screen/widgets/layout.h"
#include "tui/screen/widgets/paragraphs.h"
#include "tui/shell/line.h"
#include "tui/views/explore/explore.h"
#include "tui/views/lesson/lesson.h"
#include "tui/views/views.h"

#include <dirent.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char samples[PATH_MAX];
static struct el_library *library;

static int set_up(void **state)
{
	static const char *const slices[] = {"KQvK", NULL};
	(void)state;
	if (!realpath("samples/lessons", samples) || !screens_enter())
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

/* ---- the reader ---- */

static void write_lesson(const char *name, const char *text, size_t size)
{
	FILE *file = fopen(name, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void a_file_becomes_steps(void **state)
{
	static const char text[] = "\xEF\xBB\xBF# not a title\n\n  A title\r\n"
				   "one  two \r\nthree\n\n\nfour\n"
				   ":fen 8/8/8/8/8/2k5/8/K2Q4 w - - 0 1\n: Qd3+ \n---  \n"
				   "# hidden\tby a comment\n:best\n:KQvK\nGr\xC3\xBC\xC3\x9F"
				   "e\n---\n\n\n";
	struct screens s;
	struct script script;
	struct el_error error;
	(void)state;
	screens_open(&s, library, NULL, false);
	write_lesson("good.lesson", text, sizeof text - 1);
	assert_int_equal(script_read("good.lesson", "good", &s.model, &script, &error), EL_OK);
	assert_string_equal(script.title, "A title");
	assert_int_equal(script.step_count, 2);
	assert_string_equal(script.steps[0].text, "one two three\nfour");
	assert_string_equal(script.steps[1].text, "Gr\xC3\xBC\xC3\x9F"
	                                          "e");
	assert_int_equal(script.steps[0].commands_end, 2);
	assert_int_equal(script.command_count, 4);
	assert_string_equal(script.commands[0].text, "fen 8/8/8/8/8/2k5/8/K2Q4 w - - 0 1");
	assert_int_equal(script.commands[1].line, 10);
	assert_string_equal(script.commands[2].text, "best");
	script_free(&script);
	screens_close(&s);
}

#define SEVENTY "seventy characters, with this comma and the blanks between their words "

static void a_bad_line_is_named(void **state)
{
	static const struct {
		const char *text, *why;
	} bad[] = {
		{"", "x:1: expected a title, found none"},
		{"# only\n\n# comments\n", "x:3: expected a title, found none"},
		{":best\nTitle\n", "x:1: expected a title first"},
		{"---\n", "x:1: expected a title first"},
		{SEVENTY SEVENTY "\n", "x:1: the title is longer than 76 columns"},
		{"Title\n# nothing\n", "x:2: the lesson has no steps"},
		{"Title\nText.\n---\n\n---\nText.\n", "x:5: the step is empty"},
		{"Title\nText.\n---\n:best\n---\nText.\n", "x:4: the step has no text"},
		{"Title\nText.\n---\n\n:best\n", "x:5: the step has no text"},
		{"Title\n:\nText.\n", "x:2: expected a command after the colon, found none"},
		{"Title\nText.\n:buidl KQvK\n", "x:3: 'buidl' is not known. Did you mean 'build'?"},
		{"Title\nText.\n:Lessons\n", "x:3: a lesson cannot play lessons"},
		{"Title\nText.\n:lesson krk\n", "x:3: a lesson cannot play lessons"},
		{"Title\n:annotate g.pgn -o mine\nText.\n",
	         "x:2: 'annotate' runs only when it is typed: it touches files"},
		{"Title\nText.\n:explore save g.pgn\n",
	         "x:3: 'save' runs only when it is typed: it touches files"},
		{"Title\n:build --replace\nText.\n",
	         "x:2: 'build --replace' runs only when it is typed: it touches your tables"},
		{"Title\n:build KQvK --codec raw --scratch=mine\nText.\n",
	         "x:2: 'build --scratch' runs only when it is typed: it touches files"},
		{"Title\n:solve --pieces=none -o mine.study\nText.\n",
	         "x:2: 'solve -o' runs only when it is typed: it touches files"},
		{"Title\n:quit\nText.\n",
	         "x:2: 'quit' runs only when it is typed: it touches the program"},
		{"Title\n:ask value max TT\n:hint a\nText.\n",
	         "x:2: ask value max: found 'TT', expected two values such as TT uTW"},
		{"Title\n:ask value negate uWW\n:hint a\nText.\n",
	         "x:2: ask value negate: found 'uWW', expected a value such as uTW"},
		{"Title\n:ask value WL\n:hint a\nText.\n",
	         "x:2: ask value: found 'WL', expected a value such as TW or uLT, max, negate "
	         "or next"},
		{"Title\n:fen 8/8/8/8 w\nText.\n", NULL},
		{"Title\n:8/8/8/8/8/8/8/9 w - - 0 1\nText.\n", NULL},
		{"Title\n\na\n" SEVENTY "\n" SEVENTY "\n" SEVENTY "\n" SEVENTY "\n" SEVENTY "\n",
	         "x:3: the step's text takes 5 rows of 76 columns; 4 fit"},
		{"Title\na\n\nb\n\nc\n\nd\n\ne\n---\nText.\n",
	         "x:2: the step's text takes 5 rows of 76 columns; 4 fit"},
		{"Title\nText\xFF.\n", "x:2: the line is not UTF-8"},
		{"Title\nText\xE2\x99.\n", "x:2: the line is not UTF-8"},
		{"Title\nText\xC0\x80.\n", "x:2: the line is not UTF-8"},
		{"Title\n\tText.\n", "x:2: the line has a control character (a tab?)"},
		{"Title\nText\x1B[2J\n", "x:2: the line has a control character (a tab?)"},
		{"Title\nText\xC2\x9B"
	         "2J\n",
	         "x:2: the line has a control character (a tab?)"},
	};
	struct screens s;
	struct script script;
	struct el_error error;
	(void)state;
	screens_open(&s, library, NULL, false);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		write_lesson("x.lesson", bad[i].text, strlen(bad[i].text));
		assert_int_equal(script_read("x.lesson", "x", &s.model, &script, &error), EL_USAGE);
		if (bad[i].why)
			assert_string_equal(error.text, bad[i].why);
		else
			assert_memory_equal(error.text, "x:2: ", 5);
		assert_null(script.lines);
	}
	screens_close(&s);
}

static void what_is_no_text_is_refused(void **state)
{
	static char long_line[700] = "Title\n";
	struct screens s;
	struct script script;
	struct el_error error;
	(void)state;
	screens_open(&s, library, NULL, false);
	memset(long_line + 6, 'a', 600);
	write_lesson("x.lesson", long_line, strlen(long_line));
	assert_int_equal(script_read("x.lesson", "x", &s.model, &script, &error), EL_USAGE);
	assert_string_equal(error.text, "x:2: the line is longer than 512 bytes");
	write_lesson("x.lesson", "Title\nText\0.\n", 13);
	assert_int_equal(script_read("x.lesson", "x", &s.model, &script, &error), EL_USAGE);
	assert_string_equal(error.text, "x: expected a lesson, found a file that is not text");
	assert_int_equal(script_read("none", "none", &s.model, &script, &error), EL_IO);
	assert_string_equal(error.text, "none: No such file or directory");
	assert_int_equal(script_read(".", "dot", &s.model, &script, &error), EL_IO);
	screens_close(&s);
}

static void lines_are_checked_without_being_run(void **state)
{
	static const char *const known[] = {"flip",         "build KQvK",
	                                    "Lab",          "Lab seed 7",
	                                    "seed 7",       "Kb1",
	                                    "O-O",          "KRK",
	                                    "checkers:KvK", "fen W:WK3:BK30",
	                                    "block 3",      "1-0-0-0-0-1-1-0-0-0-0-0-23-22-S"};
	static const char *const unknown[] = {"flop", "KXK",         "labb",
	                                      "walk", "Labb seed 7", "KQvK rook"};
	struct screens s;
	char why[LINE_WHY_MAX];
	(void)state;
	screens_open(&s, library, "8/8/8/8/8/2k5/8/K2Q4 w - - 0 1", false);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		assert_true(line_is_for_files(&s.model, known[i], why));
	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
		why[0] = '\0';
		assert_false(line_is_for_files(&s.model, unknown[i], why));
		assert_true(strlen(why) > 10);
	}
	assert_false(s.model.flipped);
	assert_true(shell_is_shown(&s.model, VIEW_EXPLORE));
	screens_close(&s);
}

/* Whoever adds a command or a verb decides here whether lessons may run it. */
static void a_lesson_runs_a_safe_part_of_the_words(void **state)
{
	static const char refused
		[] = " annotate recode export serve shell" /* commands */
		     " open save append comment delete-moves save! bookmark"
		     " quit suspend stop copy-position keep-position delete-bookmark "
		     "undelete-bookmark"
		     " promote copy-game cancel-run save-results replace-table mouse blocks"
		     " record record! say ask hint note ",
	 allowed[] =
		 " build plan probe line stats records survey verify check lab film list doctor"
		 " rule metric candidate slice workload seed probes block value exit step help off"
		 " solve piece explain samples zugzwangs bookmarks filter level pass play at free"
		 " missing fen find search flaw defend here ";
	struct screens s;
	struct typed_words all;
	char why[LINE_WHY_MAX];
	(void)state;
	screens_open(&s, library, "8/8/8/8/8/2k5/8/K2Q4 w - - 0 1", false);
	for (int view = 0; views[view]; view++) {
		shell_show(&s.model, view);
		typed_words(&s.model, &all);
		for (const struct typed *t = all.list; t < all.list + all.count; t++) {
			char word[40], line[80];
			const bool takes_words = t->kind == TYPED_VERB || t->kind == TYPED_COMMAND;
			snprintf(word, sizeof word, " %s ", t->word);
			snprintf(line, sizeof line, "%s%s", t->word,
			         !takes_words ? ""
			         : !strcmp(t->word, "solve")
			                 ? " mine" /* without an option that writes */
			                 : " mine -o mine");
			const bool is_refused = strstr(refused, word);
			if (!strcmp(t->word, "fen")) /* refused for what it is given */
				continue;
			if (line_is_for_files(&s.model, line, why) == is_refused)
				fail_msg("%s", line);
			if (takes_words && !is_refused && !strstr(allowed, word))
				fail_msg("may a lesson run '%s'?", t->word);
			if (!is_refused)
				continue;
			line_run_of_file(&s.model, line);
			assert_non_null(strstr(s.model.message.text, "runs only when it is typed"));
			assert_null(s.model.outbox);
			assert_true(shell_is_shown(&s.model, view));
		}
	}
	screens_close(&s);
}

static void paragraphs_break_between_words(void **state)
{
	(void)state;
	assert_int_equal(paragraphs_rows("", 10), 0);
	assert_int_equal(paragraphs_rows("a word", 0), 0);
	assert_int_equal(paragraphs_rows("0123456789", 10), 1);
	assert_int_equal(paragraphs_rows("01234 6789", 10), 1);
	assert_int_equal(paragraphs_rows("01234 67890", 10), 2);
	assert_int_equal(paragraphs_rows("one\ntwo", 10), 2);
	assert_int_equal(paragraphs_rows("01234567890123456789", 10), 2);
	assert_int_equal(paragraphs_rows("a 01234567890 b", 10), 3);
	assert_int_equal(paragraphs_rows("gr\xC3\xBC\xC3\x9F"
	                                 "e gr\xC3\xBC\xC3\x9F"
	                                 "e",
	                                 11),
	                 1);
}

/* ---- where lessons are ---- */

static void run_line(struct screens *s, const char *line)
{
	line_run(&s->model, line);
	screens_event(s, (struct event){.kind = EVENT_NONE});
}

static void the_first_folder_comes_first(void **state)
{
	static const char one[] = "One\nText.\n", two[] = "Two\nText.\n", bad[] = "Bad\n";
	struct screens s;
	(void)state;
	assert_int_equal(mkdir("a", 0700) | mkdir("b", 0700), 0);
	write_lesson("a/x.lesson", one, strlen(one));
	write_lesson("b/x.lesson", two, strlen(two));
	write_lesson("b/y.lesson", bad, strlen(bad));
	screens_lessons(":nowhere:a:b");
	screens_open(&s, library, NULL, false);
	run_line(&s, "lesson");
	assert_int_equal(lesson_of(&s.model)->list.count, 2);
	assert_string_equal(lesson_of(&s.model)->entries[0].title, "One");
	assert_int_equal(lesson_of(&s.model)->entries[0].steps, 1);
	assert_int_equal(lesson_of(&s.model)->entries[1].steps, 0);
	assert_string_equal(lesson_of(&s.model)->entries[1].error.text,
	                    "y.lesson:1: the lesson has no steps");
	run_line(&s, "lesson x");
	assert_string_equal(lesson_of(&s.model)->script.title, "One");
	run_line(&s, "lesson b/x.lesson");
	assert_string_equal(lesson_of(&s.model)->script.title, "Two");
	assert_true(shell_is_shown(&s.model, VIEW_EXPLORE));
	run_line(&s, "lesson");
	run_line(&s, "lesson a/x.lesson"); /* in the list itself */
	assert_string_equal(lesson_of(&s.model)->script.title, "One");
	run_line(&s, "lesson b/x.lesson");
	run_line(&s, "lesson y");
	assert_string_equal(lesson_of(&s.model)->script.title, "Two");
	assert_true(s.model.message.error);
	run_line(&s, "tables");
	run_line(&s, "lesson off");
	assert_false(lesson_plays(&s.model));
	assert_true(shell_is_shown(&s.model, VIEW_TABLES));
	char **words = typed_complete(&s.model, "lesson x", 7);
	assert_non_null(words);
	assert_string_equal(words[0], "x");
	assert_null(words[1]);
	free(words[0]);
	free(words);
	screens_close(&s);
}

/* ---- the samples ---- */

static void press(struct screens *s, int key)
{
	screens_event(s, (struct event){.kind = EVENT_KEY, .key = key});
}

static void click(struct screens *s, unsigned square)
{
	const struct zone zone = {.kind = ZONE_SQUARE, .value = (int)square};
	screens_event(s, (struct event){.kind = EVENT_CLICK, .zone = zone});
}

/* Runs until the step's passes are done. */
static void wait(struct screens *s)
{
	const struct lesson *l = lesson_of(&s->model);
	for (int ticks = 0; ticks < 100 && l->at_work; ticks++) {
		s->model.now += 100;
		screens_event(s, (struct event){.kind = EVENT_TICK});
	}
	assert_null(l->at_work);
}

/* ---- answers ---- */

static void click_all(struct screens *s, uint64_t squares)
{
	for (unsigned square = 0; square < 64; square++)
		if (squares >> square & 1)
			click(s, square);
}

static void play_move_of(struct screens *s, size_t i)
{
	const struct quiz *q = &lesson_of(&s->model)->quiz;
	char name[EL_MOVE_MAX];
	q->game->write_move(&q->position, &q->moves[i], EL_SAN, name);
	run_line(s, name);
}

static void type_number(struct screens *s, uint64_t number)
{
	char text[24];
	snprintf(text, sizeof text, "%llu", (unsigned long long)number);
	for (const char *digit = text; *digit; digit++)
		press(s, *digit);
	press(s, K_ENTER);
}

static uint64_t lowest(uint64_t squares)
{
	return squares & (~squares + 1);
}

/* Answers like a student who knows, or one who does not. */
static void answer(struct screens *s, bool right)
{
	const struct quiz q = lesson_of(&s->model)->quiz;
	switch (quiz_ask(&s->model)->kind) {
	case ASK_SQUARE:
		click_all(s, lowest(right ? q.right : ~q.right));
		break;
	case ASK_SQUARES:
		click_all(s, (right ? q.right : lowest(~q.right)) ^ q.marks.marked);
		press(s, 'g');
		break;
	case ASK_MOVE:
		assert_true(right || q.right_moves < q.move_count);
		play_move_of(s, right ? 0 : q.move_count - 1);
		break;
	case ASK_NUMBER:
		type_number(s, q.number + !right);
		break;
	case ASK_VALUE: {
		char text[16];
		ask_words(quiz_ask(&s->model), &q, text, sizeof text);
		for (const char *at = right ? text : strcmp(text, "TT") ? "TT" : "LW"; *at; at++)
			press(s, *at);
		press(s, K_ENTER);
		break;
	}
	case ASK_WHETHER:
		press(s, right == (q.number == 1) ? K_LEFT : K_RIGHT);
		press(s, K_ENTER);
		break;
	case ASK_NOTHING:
		assert_true(false);
	}
}

/* No lesson writes down what a table knows: the numbers in the files are arithmetic. */
static void check_source(const struct screens *s, const char *name)
{
	static const struct {
		const char *lesson;
		uint64_t number;
	} sums[] = {
		{"blocks", 4096 * 2 / 8}, /* bytes of a block of 4,096 values of 2 bits each */
		{"blocks", 64},           /* squares of a bishop */
		{"blocks", 3784704 / 2 / 4096}, /* blocks of 4,096 positions for one side */
		{"blocks", 4},                  /* W W W W W, = =, W W W, = */
		{"blocks", 2},                  /* W W W W W W W, = = = */
		{"blocks", 65536 / 4096},
		{"partial", 4}, /* a pawn may become a queen, rook, bishop or knight */
		{"verify", 2 * ((86688 + 16383) / 16384)}, /* blocks of 16,384 positions */
		{"win", 59136 / 8},                        /* bytes */
		{"win", 100 / 4},                          /* rounds of four plies */
		{"clock", 132 / 2},                        /* plies to moves */
		{"surprise", 3},                           /* bits: -log2(1 / 8) */
		{"surprise", 4},                           /* -log2(1 / 16) */
		{"surprise", 0},                           /* -log2(1) */
		{"morris", 28},          /* pairs of numbers from 3 to 9: 7 + 6 * 7 / 2 */
		{"morris", 16},          /* symmetries */
		{"morris", 18},          /* 9 + 9 */
		{"awari", 78},           /* two stones in twelve pits: 12 + 12 * 11 / 2 */
		{"awari", 6},            /* thresholds from 6 to 1 */
		{"index", 64 * 64 * 64}, /* three pieces, each on any square */
		{"index", 64 * 63 / 2},  /* pairs of squares */
		{"cache", 20 * 256},     /* values of so many blocks */
		{"threads", 2 + 18 / 2}, /* seconds that cannot be shared, and those that can */
	};
	const struct lesson_ask *ask = quiz_ask(&s->model);
	bool known = false;
	if (ask->source != ASK_GIVEN && ask->source != ASK_YES && ask->source != ASK_NO)
		return;
	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
		known |= !strcmp(name, sums[i].lesson) &&
		         lesson_of(&s->model)->quiz.number == sums[i].number;
	assert_true(known && ask->kind == ASK_NUMBER);
}

enum student { KNOWS, LEARNS, MISSES, IS_TOLD, STUDENTS };

/* Answers the step's question, if there is one, and checks the result. Whoever misses between yes
   and no is told. */
static void study(struct screens *s, const char *name, enum student student)
{
	const struct quiz *q = &lesson_of(&s->model)->quiz;
	wait(s);
	if (!quiz_ask(&s->model)->kind)
		return;
	assert_int_equal(q->state, QUIZ_OPEN);
	check_source(s, name);
	const int tries = quiz_ask(&s->model)->kind == ASK_WHETHER ? 1 : 2;
	for (int miss = 0; miss < (student == LEARNS ? 1 : student == MISSES ? tries : 0); miss++) {
		answer(s, false);
		assert_int_equal(q->misses, miss + 1);
	}
	const bool right = student == KNOWS || (student == LEARNS && tries > 1);
	if (right)
		answer(s, true);
	if (student == IS_TOLD)
		press(s, K_PAGE_DOWN);
	assert_int_equal(q->state, right ? QUIZ_RIGHT : QUIZ_TOLD);
	assert_false(shell_is_covered(&s->model));
}

/* Nothing that the step says is cut off on an 80x24 screen. */
static void check_rows(const struct model *m)
{
	enum { ROWS = 20, COLS = 60, TEXT_COLS = COLS - 4 };
	const struct lesson_step *step = &lesson_of(m)->script.steps[lesson_of(m)->step];
	const int needed =
		paragraphs_rows(step->text, TEXT_COLS) + quiz_rows(&step->ask, TEXT_COLS);
	assert_true(lesson_strip.rows(m, ROWS, COLS) >= needed);
}

/* The step's commands have worked, it waits for nothing, and the board keeps its size. */
static void check_step(struct screens *s, const char *name, size_t step)
{
	const struct model *m = &s->model;
	wait(s);
	bool good = !(m->message.text[0] && m->message.error) && lesson_plays(m) &&
	            lesson_of(m)->step == step && !lesson_of(m)->at_work &&
	            lesson_of(m)->next == lesson_of(m)->script.steps[step].commands_end;
	screens_draw(s);
	if (!good) {
		printf("%s, step %zu: %s\n", name, step + 1, m->message.text);
		screens_print(s, stdout);
	}
	assert_true(good);
	check_rows(m);
	assert_true(explore_layout(m).scale == 2);
	assert_true(lesson_strip.rows(m, 24, 80) <= LESSON_ROWS);
}

/* Like a reader who presses the key quickly, without waiting. */
static void go_back_to(struct screens *s, size_t step)
{
	while (lesson_of(&s->model)->step > step)
		shell_update(&s->model, &(struct event){.kind = EVENT_KEY, .key = K_PAGE_UP});
	screens_settle(s);
}

/* To the end of the lesson and a step back; then, unless tests are slow, back to the beginning in
   halves, and out at the end. */
static void play(struct screens *s, const char *name, enum student student)
{
	char line[LESSON_NAME_MAX + 16];
	snprintf(line, sizeof line, "lesson %s", name);
	run_line(s, line);
	if (!lesson_plays(&s->model))
		printf("%s\n", s->model.message.text);
	assert_true(lesson_plays(&s->model));
	size_t last = lesson_of(&s->model)->script.step_count - 1, asked = 0, notes = 0;
	for (size_t step = 0; step <= last; step++) {
		asked += lesson_of(&s->model)->script.steps[step].ask.kind != ASK_NOTHING;
		notes += lesson_of(&s->model)->script.steps[step].note != NULL;
	}
	assert_true(asked > 1 && notes);
	check_step(s, name, 0);
	for (size_t step = 1; step <= last; step++) {
		study(s, name, (enum student)((student + step) % STUDENTS));
		press(s, 'n');
		check_step(s, name, step);
	}
	press(s, 'N');
	check_step(s, name, last - 1);
	if (tests_are_slow())
		return;
	for (size_t step = last / 2; step > 0; step /= 2) {
		go_back_to(s, step);
		check_step(s, name, step);
	}
	go_back_to(s, 0);
	check_step(s, name, 0);
	for (size_t step = 0; step <= last; step++) {
		study(s, name, student == LEARNS ? IS_TOLD : LEARNS);
		press(s, K_PAGE_DOWN);
	}
	assert_false(lesson_plays(&s->model));
	assert_false(s->model.message.error);
}

static void replay(const char *name, enum student student)
{
	static const char *const none[] = {NULL};
	struct screens s;
	struct el_library *tables;
	screens_library(name, none, NULL, &tables);
	screens_lessons(samples);
	screens_open(&s, tables, NULL, false);
	play(&s, name, student);
	screens_close(&s);
	el_library_close(tables);
}

/* ---- what is kept between runs ---- */

static const char asks[] = "Asks\n:ask number 7\n:hint H\nSeven?\n---\nText.\n---\n"
			   ":ask whether yes\n:hint H\nYes?\n---\n:ask number 2\n:hint H\nTwo?\n";

/* The program starts again. */
static void start_again(struct screens *s)
{
	screens_close(s);
	screens_open(s, library, NULL, false);
	assert_false(s->model.message.error);
}

static const struct lesson_entry *listed(struct screens *s)
{
	run_line(s, "lesson");
	return lesson_of(&s->model)->entries;
}

static void assert_step(const struct screens *s, size_t step)
{
	assert_true(lesson_plays(&s->model));
	assert_int_equal(lesson_of(&s->model)->step, step);
}

/* In a folder for the state, and one lesson in a folder of its own. */
static void open_kept(struct screens *s, const char *state, const char *text)
{
	mkdir("kept", 0700);
	write_lesson("kept/asks.lesson", text, strlen(text));
	screens_lessons("kept");
	screens_state(state);
	screens_open(s, library, NULL, false);
}

static void a_lesson_keeps_its_place_and_score(void **state)
{
	struct screens s;
	(void)state;
	open_kept(&s, "places", asks);
	run_line(&s, "lesson asks");
	assert_string_equal(listed(&s)->score, "");
	run_line(&s, "explore");
	type_number(&s, 7);
	press(&s, 'n');
	assert_step(&s, 1);
	start_again(&s);
	assert_int_equal(listed(&s)->at, 1);
	assert_false(listed(&s)->finished);
	assert_string_equal(listed(&s)->score, "1 of 1");

	press(&s, K_ENTER); /* in the list; by another path it is the same lesson */
	assert_step(&s, 1);
	assert_string_equal(s.model.message.text,
	                    "Going on from step 2 of 4. Press y to begin anew.");
	run_line(&s, "lesson ./kept/../kept/asks.lesson");
	assert_step(&s, 1);
	press(&s, 'n');
	press(&s, K_RIGHT); /* wrong, and wrong again for who comes back to it */
	press(&s, K_ENTER);
	press(&s, 'N');
	press(&s, 'n');
	press(&s, K_LEFT);
	press(&s, K_ENTER);
	press(&s, 'n');
	start_again(&s);
	run_line(&s, "lesson asks");
	assert_step(&s, 3);
	press(&s, K_PAGE_DOWN);
	press(&s, K_PAGE_DOWN);
	assert_false(lesson_plays(&s.model));
	assert_string_equal(s.model.message.text,
	                    "That was the last step. 1 of 3 questions right at the first try. "
	                    "Press Enter to play the next lesson.");
	start_again(&s);
	assert_int_equal(listed(&s)->at, 0);
	assert_true(listed(&s)->finished);
	assert_string_equal(listed(&s)->score, "1 of 3");
	press(&s, K_ENTER); /* looking at it again costs no score */
	assert_step(&s, 0);
	start_again(&s);
	assert_string_equal(listed(&s)->score, "1 of 3");
	screens_close(&s);
	screens_state(NULL);
}

static void a_lesson_can_be_begun_anew(void **state)
{
	static const char *const ways[] = {"y", "lesson-anew", "a"};
	struct screens s;
	(void)state;
	open_kept(&s, "anew", asks);
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		run_line(&s, "lesson asks");
		type_number(&s, 5);
		press(&s, K_PAGE_DOWN);
		press(&s, 'n');
		start_again(&s);
		listed(&s);
		press(&s, i == 2 ? 'a' : K_ENTER);
		if (i == 0)
			press(&s, 'y');
		else if (i == 1)
			run_line(&s, ways[i]);
		assert_step(&s, 0);
		type_number(&s, 7);
		assert_string_equal(lesson_of(&s.model)->now.answers, "+...");
		assert_string_equal(listed(&s)->score, "1 of 1");
		assert_int_equal(listed(&s)->at, 0);
		run_line(&s, "lesson off");
	}
	screens_close(&s);
	screens_state(NULL);
}

/* The file has changed since: its place counts only while its steps and questions are the same. */
static void a_changed_lesson_begins_at_its_first_step(void **state)
{
	static const struct {
		const char *text;
		size_t step;
	} changed[] = {
		{"Asks\n:ask number 8\n:hint H\nEight?\n---\nMore text.\n---\n"
	         ":ask whether yes\n:hint H\nYes?\n---\n:ask number 2\n:hint H\nTwo?\n",
	         2},
		{"Asks\nShort.\n", 0},
		{"Asks\nOne.\n---\nText.\n---\nText.\n---\nText.\n", 0},
		{"Asks\nOne.\n---\n:ask number 1\n:hint "
	         "H\nText.\n---\nText.\n---\nText.\n---\nText.\n",
	         0},
	};
	struct screens s;
	(void)state;
	for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
		open_kept(&s, "changed", asks);
		run_line(&s, "lesson asks");
		run_line(&s, "lesson-anew");
		type_number(&s, 7);
		press(&s, 'n');
		press(&s, 'n');
		write_lesson("kept/asks.lesson", changed[i].text, strlen(changed[i].text));
		start_again(&s);
		assert_int_equal(listed(&s)->at, changed[i].step);
		press(&s, K_ENTER);
		assert_step(&s, changed[i].step);
		assert_false(s.model.message.error);
		screens_close(&s);
	}
	screens_state(NULL);
}

/* Two programs at once: each keeps what the other has written. */
static void two_programs_keep_both_their_places(void **state)
{
	struct screens s, other;
	(void)state;
	open_kept(&s, "two", asks);
	static const char b[] = "B\nOne.\n---\nTwo.\n";
	write_lesson("kept/b.lesson", b, sizeof b - 1);
	screens_open(&other, library, NULL, false);
	run_line(&s, "lesson asks");
	run_line(&other, "lesson b");
	press(&other, 'n');
	type_number(&s, 7);
	press(&s, 'n');
	screens_close(&other);
	start_again(&s);
	assert_int_equal(listed(&s)[0].at, 1);
	assert_int_equal(listed(&s)[1].at, 1);
	press(&s, K_ENTER);
	press(&s, 'N');
	start_again(&s); /* the list begins at the lesson to go on with */
	assert_int_equal(listed(&s)[0].at, 0);
	assert_int_equal(lesson_of(&s.model)->list.at, 1);
	screens_close(&s);
	assert_int_equal(unlink("kept/b.lesson"), 0);
	screens_state(NULL);
}

/* A place is kept in this run alone where none can be written. */
static void without_a_folder_nothing_is_lost_but_the_next_run(void **state)
{
	static const char *const folders[] = {NULL, "a-file/state"};
	struct screens s;
	(void)state;
	write_lesson("a-file", "", 0); /* no folder can be made in it, not even by root */
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		open_kept(&s, folders[i], asks);
		run_line(&s, "lesson asks");
		type_number(&s, 7);
		press(&s, 'n');
		assert_string_equal(s.model.message.text, "");
		assert_int_equal(listed(&s)->at, 1);
		run_line(&s, "lesson off");
		assert_string_equal(s.model.message.text,
		                    "The lesson 'Asks' will go on from step 2 of 4.");
		run_line(&s, "lesson asks");
		assert_step(&s, 1);
		screens_close(&s);
		screens_open(&s, library, NULL, false);
		assert_int_equal(listed(&s)->at, 0);
		screens_close(&s);
	}
	screens_state(NULL);
}

/* Errors that only running shows are reported with their line, even from a job. */
static void a_command_that_fails_is_named(void **state)
{
	static const char text[] = "Fails\nOne.\n---\n:build KQvKZ\n:best\nTwo.\n---\n"
				   ":explore\nThree.\n";
	static const char *const none[] = {NULL};
	struct screens s;
	struct el_library *tables;
	(void)state;
	screens_library("fails", none, NULL, &tables);
	screens_open(&s, tables, NULL, false);
	write_lesson("fails.lesson", text, sizeof text - 1);
	line_run(&s.model, "lesson ./fails.lesson");
	screens_event(&s, (struct event){.kind = EVENT_NONE});
	screens_event(&s, (struct event){.kind = EVENT_KEY, .key = 'n'});
	assert_true(s.model.message.error);
	assert_non_null(strstr(s.model.message.text, "fails.lesson:4: "));
	assert_non_null(strstr(s.model.message.text, "'Z'"));
	screens_event(&s, (struct event){.kind = EVENT_KEY, .key = 'n'});
	assert_string_equal(s.model.message.text, "");
	screens_close(&s);
	el_library_close(tables);
}

/* On a wide screen the depths of the slice are counted beside the board; a question that waited for
   them would show its answer meanwhile. */
static void a_question_does_not_wait_for_counts(void **state)
{
	static const char text[] = "Counts\n:fen 8/8/8/8/8/2k5/8/K2Q4 w - - 0 1\nOne.\n---\n:hide\n"
				   ":ask move best\n:hint a\nTwo.\n";
	struct screens s;
	(void)state;
	screens_open(&s, library, NULL, true);
	screens_event(&s, (struct event){.kind = EVENT_RESIZE, .rows = 50, .cols = 160});
	write_lesson("counts.lesson", text, sizeof text - 1);
	run_line(&s, "lesson ./counts.lesson");
	press(&s, K_PAGE_DOWN);
	assert_non_null(model_job(&s.model, LANE_LOOK));
	assert_int_equal(lesson_of(&s.model)->quiz.state, QUIZ_OPEN);
	screens_close(&s);
}

static unsigned files_in(const char *folder)
{
	DIR *d = opendir(folder);
	unsigned count = 0;
	assert_non_null(d);
	while (readdir(d))
		count++;
	closedir(d);
	return count;
}

static enum el_outcome outcome_shown(const struct screens *s)
{
	assert_non_null(s->model.play.study);
	return s->model.play.study->answer.outcome;
}

/* A flaw is in a copy, which is gone with the step; nothing of it stays in the tables' folder or in
   what the program knows. That four positions are wrong follows from the rules: a1 is entered from
   a2, b1 and b2. */
static void a_flaw_is_gone_with_its_step(void **state)
{
	static const char text[] =
		"Flaws\n:fen 7k/8/8/8/8/8/3P4/K7 b - - 0 1\nOne.\n"
		"---\n:fen 7k/8/8/8/8/8/3P4/K7 b - - 0 1\n:flaw loss 2\n:verify KPvK\n"
		":ask number wrong\n:hint a\nTwo.\n---\nThree.\n"
		"---\n:flaw bit\nFour.\n---\n:flaw all draw\nFive.\n"
		"---\n:flaw all win -7\nSix.\n";
	static const char *const slices[] = {"KPvK", NULL};
	struct screens s;
	struct el_library *tables;
	(void)state;
	assert_int_equal(mkdir("copies", 0700) | setenv("TMPDIR", "copies", 1), 0);
	screens_library("flaws", slices, NULL, &tables);
	const unsigned files = files_in("flaws");
	screens_open(&s, tables, NULL, false);
	write_lesson("flaws.lesson", text, sizeof text - 1);
	run_line(&s, "flaw draw");
	assert_non_null(strstr(s.model.message.text, "only in a file"));
	run_line(&s, "lesson ./flaws.lesson");
	const struct el_value right = s.model.play.study->answer.value[el_metric_rank(&el_dtm)];
	assert_true(right.outcome == EL_LOSS && right.plies > 20);
	press(&s, K_PAGE_DOWN);
	assert_int_equal(lesson_of(&s.model)->quiz.state, QUIZ_OPEN);
	assert_int_equal(lesson_of(&s.model)->quiz.number, 4);
	assert_int_equal(s.model.play.study->answer.value[el_metric_rank(&el_dtm)].plies, 2);
	assert_true(s.model.library != tables);
	assert_int_equal(files_in("copies"), 3);
	press(&s, K_PAGE_DOWN);
	press(&s, K_PAGE_DOWN);
	assert_ptr_equal(s.model.library, tables);
	assert_int_equal(files_in("copies"), 2);
	assert_true(
		el_value_equal(s.model.play.study->answer.value[el_metric_rank(&el_dtm)], right));
	press(&s, K_PAGE_DOWN);
	assert_int_equal(s.model.play.study->damage.status, EL_DAMAGED);
	assert_int_equal(s.model.play.best.count, 0);
	assert_true(lesson_plays(&s.model) && lesson_of(&s.model)->step == 3);
	press(&s, K_PAGE_DOWN);
	assert_int_equal(outcome_shown(&s), EL_DRAW);
	press(&s, K_PAGE_DOWN);
	assert_non_null(strstr(s.model.message.text, "flaws.lesson:20: flaw: found 'all win -7'"));
	press(&s, K_PAGE_UP);
	assert_int_equal(outcome_shown(&s), EL_DRAW);
	run_line(&s, "lesson off");
	screens_settle(&s);
	assert_int_equal(outcome_shown(&s), EL_LOSS);
	assert_int_equal(files_in("copies"), 2);
	assert_int_equal(files_in("flaws"), files);
	screens_close(&s);
	el_library_close(tables);
	unsetenv("TMPDIR");
}

/* A lesson with changed, missing or cut-off bytes is read or refused with its line, nothing
   worse. */
static void damage(const char *name)
{
	enum { ROUNDS = 1500, SIZE = 1 << 13 };
	char path[PATH_MAX + 32], text[SIZE];
	uint64_t random = 5;
	unsigned refused = 0;
	struct screens s;
	screens_open(&s, library, NULL, false);
	snprintf(path, sizeof path, "%s/%s.lesson", samples, name);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	const size_t size = fread(text, 1, SIZE, file);
	assert_true(size > 1000 && size < SIZE && !fclose(file));
	for (unsigned i = 0; i < ROUNDS / test_stride(); i++) {
		char damaged[SIZE];
		size_t length = random_next(&random) % 3 ? size : random_next(&random) % size;
		struct script script;
		struct el_error error;
		memcpy(damaged, text, length);
		for (unsigned changes = random_next(&random) % 8; length && changes > 0; changes--)
			damaged[random_next(&random) % length] = (char)random_next(&random);
		write_lesson("damaged.lesson", damaged, length);
		if (script_read("damaged.lesson", "damaged", &s.model, &script, &error)) {
			assert_int_equal(strncmp(error.text, "damaged:", 8), 0);
			refused++;
		} else {
			assert_true(script.step_count > 0);
			script_free(&script);
		}
	}
	assert_in_range(refused, 1, ROUNDS - 1);
	screens_close(&s);
}

static void no_damage_breaks_the_reader(void **state)
{
	(void)state;
	damage("krk");
	damage("predict");
}

static void every_sample_plays_to_its_end_and_back(void **state)
{
	DIR *folder = opendir(samples);
	int played = 0;
	(void)state;
	assert_non_null(folder);
	for (struct dirent *e = readdir(folder); e; e = readdir(folder)) {
		char *dot = strrchr(e->d_name, '.');
		if (e->d_name[0] == '.' || !dot || strcmp(dot, ".lesson"))
			continue;
		*dot = '\0';
		replay(e->d_name, (enum student)(played % STUDENTS));
		played++;
	}
	closedir(folder);
	printf("note: %d lessons played\n", played);
	assert_true(played > 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_becomes_steps),
		cmocka_unit_test(a_bad_line_is_named),
		cmocka_unit_test(what_is_no_text_is_refused),
		cmocka_unit_test(a_lesson_runs_a_safe_part_of_the_words),
		cmocka_unit_test(lines_are_checked_without_being_run),
		cmocka_unit_test(paragraphs_break_between_words),
		cmocka_unit_test(the_first_folder_comes_first),
		cmocka_unit_test(a_lesson_keeps_its_place_and_score),
		cmocka_unit_test(a_lesson_can_be_begun_anew),
		cmocka_unit_test(a_changed_lesson_begins_at_its_first_step),
		cmocka_unit_test(two_programs_keep_both_their_places),
		cmocka_unit_test(without_a_folder_nothing_is_lost_but_the_next_run),
		cmocka_unit_test(a_command_that_fails_is_named),
		cmocka_unit_test(a_question_does_not_wait_for_counts),
		cmocka_unit_test(a_flaw_is_gone_with_its_step),
		cmocka_unit_test(no_damage_breaks_the_reader),
		cmocka_unit_test(every_sample_plays_to_its_end_and_back),
	};
	return cmocka_run_group_tests(tests, set_up, clean_up);
}
