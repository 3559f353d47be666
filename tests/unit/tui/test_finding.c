/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding one's way: the card of the first run, views that are reachable from everywhere, help. */
#include "tests/fixtures/shell_fixture.h"

#include "tui/shell/session.h"
#include "tui/views/views.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* The screen as text; malloc'ed. */
static char *screen(struct screens *s)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	assert_non_null(out);
	screens_draw(s);
	screens_print(s, out);
	assert_int_equal(fclose(out), 0);
	return text;
}

static bool shows(struct screens *s, const char *words)
{
	char *text = screen(s);
	const bool found = strstr(text, words);
	free(text);
	return found;
}

static const char welcome[] = "Press any key to begin.";

static void the_first_run(void **state)
{
	struct screens s;
	struct stat there;
	const int resting[] = {' ', K_ENTER, K_ESCAPE, 'q', 'x'}; /* x has no meaning */
	(void)state;
	screens_open(&s, library, NULL, false); /* nothing is kept: no card */
	assert_false(shows(&s, welcome));
	screens_close(&s);
	for (size_t i = 0; i < sizeof resting / sizeof *resting; i++) {
		unlink("state/first/welcome");
		screens_state("state/first");
		screens_open(&s, library, NULL, false);
		assert_true(shows(&s, welcome));
		press(&s, resting[i]); /* does nothing else */
		assert_false(shows(&s, welcome));
		assert_int_equal(s.model.play.walk.length, 1);
		assert_false(shell_take_wishes(&s.model).quit || s.model.message.error);
		screens_close(&s);
		assert_int_equal(stat("state/first/welcome", &there), 0);
		screens_open(&s, library, NULL, false); /* for good */
		assert_false(shows(&s, welcome));
		screens_close(&s);
	}
	unlink("state/first/welcome");
	screens_open(&s, library, NULL, false);
	press(&s, '4'); /* other keys work as usual */
	assert_true(shell_is_shown(&s.model, VIEW_TABLES));
	screens_close(&s);
	screens_state(NULL);
}

static void not_the_first_run(void **state)
{
	struct screens s;
	struct el_error error;
	(void)state;
	screens_state("state/given");
	screens_open(&s, library, QUEEN, false); /* started with a position */
	assert_false(shows(&s, welcome));
	assert_int_equal(session_save(&s.model, &error), EL_OK);
	screens_close(&s);
	screens_open(&s, library, NULL, false); /* a session exists */
	assert_false(shows(&s, welcome));
	screens_close(&s);
	screens_state("/dev/null");
	screens_open(&s, library, NULL, false);
	assert_said(&s, "This session cannot be kept (Not a directory): /dev/null/session");
	press(&s, ' ');
	assert_false(shows(&s, "/dev/null/welcome")); /* it is said once */
	screens_close(&s);
	screens_state(NULL);
}

static void every_view_is_reached_from_every_view(void **state)
{
	static const struct {
		int key, view;
	} letters[] = {
		{'P', VIEW_PRACTICE}, {'L', VIEW_LESSON}, {'E', VIEW_POSITIONS},
		{'M', VIEW_METRICS},  {'I', VIEW_INDEX},  {'B', VIEW_BOUNDS},
	};
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	for (int key = '1'; key <= '7'; key++)
		for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
			press(&s, key);
			assert_true(shows(&s, "7 More"));
			press(&s, '7');
			press(&s, letters[i].key);
			assert_true(shell_is_shown(&s.model, letters[i].view));
			press(&s, 'q');
			assert_true(shell_is_shown(&s.model, VIEW_MORE));
		}
	for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
		press(&s, '1');
		press(&s, letters[i].key);
		assert_true(shell_is_shown(&s.model, letters[i].view));
	}
	screens_close(&s);
}

static void help_unfolds(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	press(&s, '4');
	press(&s, '?');
	press(&s, '?');
	assert_true(shows(&s, "- Tables"));
	assert_true(shows(&s, "check every position against its successors"));
	assert_false(shows(&s, "step back along the line"));
	press(&s, 'g');
	assert_true(shows(&s, ">+ Explore"));
	press(&s, K_ENTER);
	assert_true(shows(&s, ">- Explore"));
	assert_true(shows(&s, "step back along the line"));
	press(&s, K_ENTER);
	assert_false(shows(&s, "step back along the line"));
	type(&s, "help turn the board"); /* a search finds folded entries */
	assert_true(shows(&s, "turn the board around"));
	screens_close(&s);
}

/* Whatever entry is selected, at any width: its whole help is on screen. */
static void nothing_is_cut_in_help(void **state)
{
	static const int widths[] = {60, 80, 160};
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
		screens_event(&s,
		              (struct event){.kind = EVENT_RESIZE, .rows = 20, .cols = widths[i]});
		press(&s, '1');
		press(&s, '?');
		press(&s, '?');
		for (const struct binding *b = shell_views(&s.model)[0]->bindings; b->name; b++) {
			char last[64];
			const char *word = strrchr(b->help, ' ');
			snprintf(last, sizeof last, "%s", word ? word + 1 : b->help);
			assert_true(shows(&s, last));
			press(&s, K_DOWN);
		}
	}
	screens_close(&s);
}

/* To the last line, at sizes that leave little room for it. */
static void metrics_are_explained_in_full(void **state)
{
	static const struct {
		const char *fen, *metrics[9];
	} games[] = {
		{"8/8/8/3kr3/8/8/2Q1P3/1K6 w - - 0 1",
	         {"wdl", "win", "dtm", "dtc", "dtz", "wdl50", "dtz50", "dtr", "dtzr"}},
		{"W:WK3,20:BK30", {"wdl", "win", "dtw", "dtc"}},
		{"W:Wc3,d5,e3:Bc4,c5,f4,g4", {"wdl", "win", "dtw", "dtc"}},
		{"0-0-2-1-0-1-2-3-0-1-2-0-0-0-S", {"score"}},
	};
	static const int sizes[][2] = {{20, 60}, {24, 80}, {50, 160}};
	struct screens s;
	char line[32];
	(void)state;
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		screens_open(&s, library, games[i].fen, false);
		press(&s, 'x');
		for (size_t k = 0; k < 9 && games[i].metrics[k]; k++) {
			snprintf(line, sizeof line, "metric %s", games[i].metrics[k]);
			type(&s, line);
			for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
				screens_event(&s, (struct event){.kind = EVENT_RESIZE,
				                                 .rows = sizes[n][0],
				                                 .cols = sizes[n][1]});
				assert_true(shows(&s, "back."));
			}
		}
		screens_close(&s);
	}
}

/* Chess has 5 slices of three pieces, 30 of four, 110 of five, 365 of six and 1,001 of seven, as everyone
   who has made tables says, and 2,520 of eight. The board's slice is the first; what is marked stays marked. */
static void every_slice_is_listed_in_build(void **state)
{
	static const int up_to[] = {5, 35, 145, 510, 1511, 4031};
	struct screens s;
	char name[64];
	(void)state;
	screens_open(&s, library, "8/8/8/1k6/8/8/1K1Q3r/8 w - - 0 1", false);
	press(&s, '5');
	const struct list *list = shell_list(&s.model, views[VIEW_BUILD]);
	assert_int_equal(list->count, up_to[1]);
	press(&s, ' ');
	for (int pieces = 5; pieces <= 8; pieces++) {
		press(&s, '+');
		assert_int_equal(list->count, up_to[pieces - 3]);
		views[VIEW_BUILD]->row(&s.model, 0, name, sizeof name);
		assert_string_equal(name, "KQvKR");
	}
	char *text = screen(&s);
	assert_non_null(strstr(text, "* KQvKR"));
	free(text);
	press(&s, '+');
	assert_said(&s, "There are no larger slices.");
	for (int pieces = 7; pieces >= 4; pieces--) {
		press(&s, '-');
		assert_int_equal(list->count, up_to[pieces - 3]);
	}
	press(&s, '-'); /* the board has four pieces */
	assert_int_equal(list->count, up_to[0] + 1);
	views[VIEW_BUILD]->row(&s.model, 0, name, sizeof name);
	assert_string_equal(name, "KQvKR");
	press(&s, '-');
	assert_said(&s, "There are no smaller slices.");
	assert_int_equal(list->count, up_to[0] + 1);
	type(&s, QUEEN); /* another slice of the same game */
	press(&s, '5');
	views[VIEW_BUILD]->row(&s.model, 0, name, sizeof name);
	assert_string_equal(name, "KQvK");
	assert_int_equal(list->count, up_to[0]);
	screens_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_run),
		cmocka_unit_test(not_the_first_run),
		cmocka_unit_test(every_view_is_reached_from_every_view),
		cmocka_unit_test(metrics_are_explained_in_full),
		cmocka_unit_test(every_slice_is_listed_in_build),
		cmocka_unit_test(help_unfolds),
		cmocka_unit_test(nothing_is_cut_in_help),
	};
	return cmocka_run_group_tests(tests, shell_set_up, shell_clean_up);
}
