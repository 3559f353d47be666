/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line: editing, completion, history, pastes. */
#include "tests/fixtures/screens.h"
#include "tests/fixtures/store_fixture.h"
#include "tui/screen/prompt.h"
#include "tui/shell/line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char **complete_line(void *model, const char *line, size_t start)
{
	return typed_complete(model, line, start);
}

static char *type(struct model *m, const char *text)
{
	char *line = NULL;
	for (; *text && !line; text++)
		line = prompt_key(shell_prompt_line(m), (unsigned char)*text);
	return line;
}

static void assert_typed(struct model *m, const char *text, const char *expected)
{
	char *line = type(m, text);
	assert_non_null(line);
	assert_string_equal(line, expected);
	assert_false(shell_prompt_line(m)->open);
	free(line);
}

static void start_prompt(struct model *m)
{
	shell_prompt_line(m)->open = true;
	prompt_begin(shell_prompt_line(m));
}

static void the_prompt_edits_completes_and_remembers(void **state)
{
	struct screens s;
	struct model *m = &s.model;
	struct el_library *library = fixture_library(folder, NULL);
	char path[sizeof folder + 32];
	(void)state;
	setenv("XDG_STATE_HOME", folder, 1);
	screens_open(&s, library, "8/8/8/8/8/2k5/8/K2Q4 w - - 0 1", true);
	prompt_open(complete_line, m);

	start_prompt(m);
	assert_typed(m, "ab\001x\005y\n", "xaby"); /* ^A and ^E */
	start_prompt(m);
	assert_null(type(m, "auto\t"));
	assert_string_equal(shell_prompt_line(m)->text, "autoplay ");
	assert_int_equal(shell_prompt_line(m)->cursor, 9);
	assert_null(prompt_key(shell_prompt_line(m), K_LEFT));
	assert_int_equal(shell_prompt_line(m)->cursor, 8);
	assert_null(prompt_key(shell_prompt_line(m), K_ESCAPE));
	assert_false(shell_prompt_line(m)->open);

	start_prompt(m);
	assert_null(type(m, "Qd\t"));
	assert_non_null(strstr(shell_prompt_line(m)->matches, "Qd3+"));
	assert_non_null(strstr(shell_prompt_line(m)->matches, "Qd8"));
	assert_null(type(m, "\025KQvKR\t"));
	assert_string_equal(shell_prompt_line(m)->text, "KQvKR ");
	assert_null(type(m, "\025stats KRv\t"));
	assert_non_null(strstr(shell_prompt_line(m)->matches, "KRvKN"));
	assert_null(prompt_key(shell_prompt_line(m), 3));

	start_prompt(m);
	assert_null(prompt_key(shell_prompt_line(m), K_UP));
	assert_string_equal(shell_prompt_line(m)->text, "xaby");
	assert_null(prompt_key(shell_prompt_line(m), K_ESCAPE));
	line_run(m, "  flip ");
	assert_true(m->flipped);
	prompt_close();
	snprintf(path, sizeof path, "%s/endlab/history", folder);
	FILE *history = fopen(path, "r");
	assert_non_null(history);
	assert_non_null(fgets(path, sizeof path, history));
	assert_string_equal(path, "xaby\n");
	fclose(history);
	screens_close(&s);
	el_library_close(library);
}

static char **no_words(void *unused, const char *line, size_t start)
{
	(void)unused;
	(void)line;
	(void)start;
	return NULL;
}

static char **words_out_of_order(void *context, const char *line, size_t start)
{
	static const char *const words[] = {"teach", "lab", "KRvK", "lab", "build", "teach"};
	enum { COUNT = sizeof words / sizeof *words };
	char **list = calloc(COUNT + 1, sizeof *list);
	assert_non_null(list);
	assert_string_equal(line + start, "");
	for (size_t i = 0; i < COUNT; i++)
		list[i] = strdup(words[i]);
	++*(int *)context;
	return list;
}

static void press(struct prompt_line *p, const char *text)
{
	for (; *text; text++)
		assert_null(prompt_key(p, (unsigned char)*text));
}

static char *enter(struct prompt_line *p, const char *text)
{
	p->open = true;
	prompt_begin(p);
	press(p, text);
	char *line = prompt_key(p, K_ENTER);
	assert_non_null(line);
	return line;
}

static void assert_entered(struct prompt_line *p, const char *text, const char *expected)
{
	char *line = enter(p, text);
	assert_string_equal(line, expected);
	free(line);
}

/* Ways to leave a line half-way: in a search, after the first of two keys, with a change to undo,
   on an old line that was changed. */
static void an_abandoned_line_leaves_nothing_behind(void **state)
{
	static const char *const beginnings[] = {
		"\022te", "\022te\022", "\022x",     "\023",     "\030",
		"abc",    "\020zz",     "\020\022t", "\030(abc",
	};
	static const int leaving[] = {K_ESCAPE, 3, 7};
	struct prompt_line p = {.open = false};
	(void)state;
	setenv("XDG_STATE_HOME", "/dev/null", 1);
	prompt_open(no_words, NULL);
	assert_entered(&p, "teach KRvK", "teach KRvK");
	for (size_t i = 0; i < 3 * sizeof beginnings / sizeof *beginnings; i++) {
		p.open = true;
		prompt_begin(&p);
		press(&p, beginnings[i / 3]);
		assert_null(prompt_key(&p, leaving[i % 3]));
		assert_false(p.open);
		assert_entered(&p, "list", "list");
		assert_entered(&p, "ab\037\037\037", ""); /* ^_ undoes */
		assert_entered(&p, "\020\020", "teach KRvK");
	}
	prompt_close();
}

static void matches_stand_in_the_order_given_each_once(void **state)
{
	struct prompt_line p = {.open = true};
	int asked = 0;
	(void)state;
	setenv("XDG_STATE_HOME", "/dev/null", 1);
	prompt_open(words_out_of_order, &asked);
	prompt_begin(&p);
	press(&p, "\t");
	assert_string_equal(p.matches, "teach  lab  KRvK  build  ");
	assert_int_equal(asked, 1);
	assert_null(prompt_key(&p, K_ESCAPE));
	prompt_close();
}

static void a_paste_is_put_in_as_it_is(void **state)
{
	static char text[PROMPT_LINE_MAX + 10];
	struct prompt_line p = {.open = true};
	(void)state;
	setenv("XDG_STATE_HOME", "/dev/null", 1);
	prompt_open(no_words, NULL);
	prompt_begin(&p);
	press(&p, "fen |\002");
	prompt_insert(&p, "8/8 w\n- -\tq\303\251\n\n");
	assert_string_equal(p.text, "fen 8/8 w - - q\303\251|");
	assert_int_equal(p.cursor, 16);
	assert_string_equal(p.matches, "");
	press(&p, "\037"); /* ^_ */
	assert_string_equal(p.text, "fen |");
	press(&p, "\005\025\022"); /* ^E, ^U, ^R */
	prompt_insert(&p, "late");
	assert_string_equal(p.text, "late");
	press(&p, "\025");
	memset(text, 'x', sizeof text - 1);
	memcpy(text + PROMPT_LINE_MAX - 1, "\303\251", 2);
	prompt_insert(&p, text);
	assert_non_null(strstr(p.matches, "too long: 4,094 of 4,104"));
	char *line = prompt_key(&p, K_ENTER);
	assert_non_null(line);
	assert_int_equal(strlen(line), PROMPT_LINE_MAX - 1);
	free(line);
	prompt_close();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_prompt_edits_completes_and_remembers),
		cmocka_unit_test(an_abandoned_line_leaves_nothing_behind),
		cmocka_unit_test(matches_stand_in_the_order_given_each_once),
		cmocka_unit_test(a_paste_is_put_in_as_it_is),
	};
	return cmocka_run_group_tests(tests, fixture_make_folder, fixture_remove_folder);
}
