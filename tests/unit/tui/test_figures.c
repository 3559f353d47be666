/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What views show and lessons ask for: the index, runs with and without fills, and the loads of a
   cache; and that hidden numbers are not on the screen. */
#include "tests/fixtures/screens.h"

#include "tui/shell/line.h"
#include "tui/shell/overlay.h"
#include "tui/views/lab/inspector.h"
#include "tui/views/views.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct el_library *library;
static struct screens s;

static int set_up(void **state)
{
	static const char *const slices[] = {"KQvKR", NULL};
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

static void type(const char *line)
{
	line_run(&s.model, line);
	screens_event(&s, (struct event){.kind = EVENT_NONE});
	assert_string_equal(s.model.message.error ? s.model.message.text : "", "");
}

static void press(int key)
{
	screens_event(&s, (struct event){.kind = EVENT_KEY, .key = key});
}

static uint64_t figure(const char *name)
{
	uint64_t found;
	for (const struct figure *f = shell_view(&s.model)->figures; f->name; f++)
		if (!strcmp(f->name, name)) {
			assert_true(f->find(&s.model, &found));
			return found;
		}
	fail_msg("no figure %s in %s", name, shell_view(&s.model)->name);
	return 0;
}

static bool is_shown(const char *text)
{
	char *shown = NULL;
	size_t size;
	FILE *out = open_memstream(&shown, &size);
	screens_draw(&s);
	screens_print(&s, out);
	fclose(out);
	const bool found = strstr(shown, text);
	free(shown);
	return found;
}

static uint64_t square(const char *name)
{
	return UINT64_C(1) << ((name[1] - '1') * 8 + name[0] - 'a');
}

/* C(r1,1) + C(r2,2), with a1 = 0 and h8 = 63; the kings b1 and d5 are pair 62 of 462. */
static void the_index_of_the_lesson(void **state)
{
	(void)state;
	type("index 8/8/8/3k4/2R5/8/8/1K6 b - - 0 1");
	press(K_DOWN);
	assert_int_equal(figure("rank"), 3 * 8 + 2);
	type("index 8/8/8/3k4/8/8/4R3/1KR5 b - - 0 1");
	assert_int_equal(figure("rank"), 2 + 12 * 11 / 2);
	assert_int_equal(figure("group"), square("c1") | square("e2"));
	type("index 8/7R/8/3k4/8/8/R7/1K6 b - - 0 1");
	assert_int_equal(figure("rank"), 8 + 55 * 54 / 2);
	assert_int_equal(figure("index"), 62 * 2016 + 8 + 55 * 54 / 2);
	assert_int_equal(figure("broken"), 0);
	press(K_UP);
	assert_int_equal(figure("rank"), 62);
	type("index KRRvK");
	type("index 0");
	assert_int_equal(figure("broken"), 1);
	type("index 1234");
	press('r');
	press(K_HOME);
	assert_int_equal(figure("rank"), 1234);
	assert_int_equal(figure("group"), square("b2") | square("c7"));
}

/* The position of the view is that of its index, in its own game; a broken one has none. */
static void an_index_has_a_position(void **state)
{
	struct el_position p, mine;
	(void)state;
	type("fen 8/8/8/3kr3/8/8/2Q5/1K6 w - - 0 1");
	type("index checkers:KKvK");
	assert_ptr_equal(shell_position(&s.model, &p), &el_checkers);
	type("index 8/7R/8/3k4/8/8/R7/1K6 b - - 0 1");
	assert_ptr_equal(shell_position(&s.model, &p), &el_chess);
	assert_int_equal(el_chess.parse("8/7R/8/3k4/8/8/R7/1K6 b - - 0 1", &mine, NULL), EL_OK);
	assert_true(el_position_equal(&p, &mine));
	type("index KRRvK");
	type("index 0");
	shell_position(&s.model, &p);
	assert_true(el_position_equal(&p, play_position(&s.model)));
	/* it stays when the user comes back, until Explore's position changes */
	type("index 1234");
	type("metrics");
	press('q');
	assert_true(is_shown("1,234"));
}

static void what_is_to_be_found_is_hidden(void **state)
{
	(void)state;
	type("index 8/7R/8/3k4/8/8/R7/1K6 b - - 0 1");
	assert_true(is_shown("126,485") && is_shown("1,493") && is_shown("C(55,2)"));
	type("hide");
	assert_true(shell_is_covered(&s.model));
	assert_true(is_shown("index ?") && is_shown("a2 h7") && is_shown("of 2,016"));
	assert_false(is_shown("126,485") || is_shown("1,493") || is_shown("C(55,2)"));
	press('r'); /* and back: the squares of the selected group */
	press(K_HOME);
	assert_true(is_shown("back from index 126,485") && is_shown("1,493 = ?"));
	assert_true(is_shown("b1 d5"));
	assert_false(is_shown("a2 h7") || is_shown("C(55,2)"));
	type("show");
	assert_true(is_shown("a2 h7"));
}

/* ---- runs ---- */

static void look(const char *candidate, const char *block)
{
	type("Lab slice KQvKR");
	type("metric wdl");
	type(candidate);
	type("inspect-block");
	type(block);
}

static size_t count_runs(const char *letters)
{
	size_t runs = 0;
	for (size_t i = 0; letters[i]; i++)
		runs += !i || letters[i] != letters[i - 1];
	return runs;
}

/* Tries every fill of each gap. */
static size_t fewest(char *letters, size_t from)
{
	static const char values[] = "WL=";
	const size_t start = from + strcspn(letters + from, "x"),
		     end = start + strspn(letters + start, "x");
	size_t best = SIZE_MAX;
	if (start == end)
		return count_runs(letters);
	for (const char *v = values; *v; v++) {
		memset(letters + start, *v, end - start);
		const size_t runs = fewest(letters, end);
		best = runs < best ? runs : best;
	}
	memset(letters + start, 'x', end - start);
	return best;
}

static void gaps_are_filled_by_hand(void **state)
{
	static const struct {
		const char *line, *letters;
	} rows[] = {{"gaps 185904", "WxLLLLLLWxLLLLLLxxxxxxxx=x=WWWWWWxxWWWWWWxWWWWWW"},
	            {"gaps 187952", "WxLLLLLLxxWWWWWWxxxxxxxxLxLLLLLL=xxLLLLL=x======"},
	            {"gaps 185920", "xxxxxxxx=x=WWWWWWxxWWWWWWxWWWWWWWWWWWWWWWWWWWWWW"}};
	(void)state;
	look("candidate rle 4K none order index nothing", "block 508");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char letters[64];
		type(rows[i].line);
		assert_true(is_shown(rows[i].letters));
		strcpy(letters, rows[i].letters);
		assert_int_equal(figure("runs"), count_runs(letters));
		assert_int_equal(figure("fewest-runs"), fewest(letters, 0));
		press('f');
		char text[64];
		snprintf(text, sizeof text, ", %zu filled", fewest(letters, 0));
		assert_true(is_shown(text));
		press('o');
		snprintf(text, sizeof text, ", %zu filled", count_runs(letters));
		assert_true(is_shown(text));
	}
	type("gaps 185904");
	assert_int_equal(figure("gaps"), 6);
	press(K_UP); /* the first value of the row is W */
	assert_true(is_shown("WWLLLLLLWxLLLLLLxxx") && is_shown("14 filled"));
	press(K_RIGHT);
	press(K_UP);
	press(K_UP); /* the next one is L */
	assert_true(is_shown("WWLLLLLLWLLLLLLLxxx") && is_shown("13 filled"));
	press(K_DOWN);
	press(K_DOWN);
	assert_true(is_shown("WWLLLLLLWxLLLLLLxxx"));
	press('q'); /* from another row on: rows have 64 values here */
	press(K_DOWN);
	press('e');
	assert_true(is_shown("positions 184,384 - 184,431"));
	type("gaps 185904");
	press(K_UP);
	type("hide");
	assert_false(is_shown("14 filled") || is_shown("fewest"));
	line_run(&s.model, "gaps 4096");
	assert_string_equal(s.model.message.text,
	                    "gaps: found '4096', expected a position from 184320 to 188415");
}

/* As the inspector shows them. */
static void a_block_has_runs_and_bytes(void **state)
{
	(void)state;
	look("candidate rle 4K best order index nothing", "block 508");
	const struct el_lab_block *b = &inspector_of(&s.model)->shown;
	uint64_t runs = 1;
	for (size_t i = 1; i < b->count; i++)
		runs += b->after[i].outcome != b->after[i - 1].outcome;
	assert_int_equal(figure("runs"), runs);
	assert_int_equal(figure("bytes"), b->size);
}

/* ---- the cache ---- */

static void loads_are_counted(void **state)
{
	(void)state;
	type("fen 8/8/8/3kr3/8/8/2Q5/1K6 w - - 0 1");
	look("candidate raw 4K none order index nothing", "block 1");
	type("cache 3");
	uint64_t loads = 0, marked = 0;
	for (unsigned i = 1; i <= EL_LAB_SEARCH; i++) {
		char line[32];
		snprintf(line, sizeof line, "cache 3 %u", i);
		type(line);
		const bool hit = figure("hit");
		loads += !hit;
		marked += i == 1 && !hit;
	}
	assert_int_equal(marked, 1); /* an empty cache has nothing */
	assert_int_equal(figure("loads"), loads);
	type("hide");
	assert_false(is_shown("then kept") || is_shown(" loads"));
	press(' ');
	type("show");
	assert_true(is_shown("You predicted"));
	type("cache 8");
	assert_true(figure("loads") <= loads);
	/* What was predicted of one search is not judged by another. */
	type("cache 3");
	assert_true(is_shown("You predicted"));
	type("fen 8/8/8/3kr3/8/8/2Q5/K7 w - - 0 1");
	type("cache 3");
	assert_true(is_shown(" loads") && !is_shown("You predicted"));
	line_run(&s.model, "cache 9");
	assert_string_equal(s.model.message.text,
	                    "cache: found '9', expected a number of blocks from 1 to 8");
	line_run(&s.model, "cache 3 21");
	assert_string_equal(s.model.message.text,
	                    "cache: found probe 21, expected one from 1 to 20");
}

/* ---- threads ---- */

static void threads_are_measured(void **state)
{
	(void)state;
	type("threads KRvK");
	assert_int_equal(figure("same-bytes"), 1);
	assert_true(is_shown("All tables are the same, byte for byte."));
	type("hide");
	assert_false(is_shown("All tables"));
	assert_true(is_shown("?"));
	line_run(&s.model, "threads nothing");
	assert_true(s.model.message.error);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_screens, close_screens)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_index_of_the_lesson),       TEST(an_index_has_a_position),
		TEST(what_is_to_be_found_is_hidden), TEST(gaps_are_filled_by_hand),
		TEST(a_block_has_runs_and_bytes),    TEST(loads_are_counted),
		TEST(threads_are_measured),
	};
	return cmocka_run_group_tests(tests, set_up, clean_up);
}
