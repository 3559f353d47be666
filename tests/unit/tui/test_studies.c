/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions solved from the explorer, and their studies in all views. */
#include "tests/fixtures/screens.h"

#include "tui/shell/line.h"
#include "tui/text/text.h"
#include "tui/views/views.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* White, to move, loses: Black's king wins the pawn on a4, and then goes after the other one. A second
   one is White's own, with the pawns locked. */
static const char lost[] = "8/8/2p5/p1P5/P7/8/k7/2K5 w - - 0 1";
static const char locked[] = "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1";

static struct el_library *library;
static struct screens s;

static int set_up(void **state)
{
	static const char *const none[] = {NULL};
	(void)state;
	if (!screens_enter())
		return -1;
	screens_library("tables", none, NULL, &library);
	return 0;
}

static int clean_up(void **state)
{
	(void)state;
	el_library_close(library);
	return screens_leave();
}

static void press(int key)
{
	screens_event(&s, (struct event){.kind = EVENT_KEY, .key = key});
}

static bool is_shown(const char *words)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	assert_non_null(out);
	screens_draw(&s);
	screens_print(&s, out);
	assert_int_equal(fclose(out), 0);
	const bool found = strstr(text, words);
	if (!found)
		print_message("'%s' is not in\n%s", words, text);
	free(text);
	return found;
}

static void what_b_cannot_solve(void **state)
{
	static const struct {
		const char *fen, *words;
	} cases[] = {
		{"r3k2r/pp6/8/8/8/8/6PP/R3K2R w KQkq - 0 1", "cover it"},
		{"rn2k3/pp6/8/8/8/8/6PP/RN2K3 w - - 0 1", "4 pieces besides kings and pawns"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		screens_open(&s, library, cases[i].fen, false);
		assert_true(is_shown("10 pieces are too many for any table"));
		press('b');
		assert_true(s.model.message.text[0]);
		assert_null(s.model.solves.jobs);
		assert_true(is_shown(cases[i].words));
		screens_close(&s);
	}
}

/* Stops while promotions are explored: after the first frames have been solved. */
static int stop_soon(void *context, const struct el_progress *progress)
{
	bool *solved = context;
	const char *stage = progress && progress->stage ? progress->stage : "";
	*solved = *solved || !strncmp(stage, "solving", 7);
	return !*solved || strncmp(stage, "exploring", 9);
}

/* A stop keeps what is solved, and b goes on from there. */
static void stopped_and_resumed(void **state)
{
	bool solved = false;
	const struct el_watch watch = {&solved, stop_soon};
	(void)state;
	screens_open(&s, library, lost, true);
	assert_true(is_shown("Press b to solve this position: 100 frames"));
	press('b');
	assert_true(is_shown("Solving KPPvKPP: 100 frames"));
	assert_int_equal(s.held_count, 1);
	assert_true(solve_is_asked(&s.model));
	press('b');
	assert_int_equal(s.held_count, 1);
	s.held_count = 0;
	job_run(s.held[0], &watch);
	shell_job_done(&s.model, s.held[0]);
	screens_settle(&s);
	assert_false(solve_is_asked(&s.model));
	assert_true(is_shown("What was solved is kept"));
	s.hold = false;
	press('b');
	assert_true(is_shown("KPPvKPP is solved: loss. 236 frames, 18,851,330 positions"));
	assert_true(is_shown("White to move loses")); /* also under the 50-move rule */
	assert_true(is_shown("losing        3"));
	assert_true(is_shown("line  1. K"));
	press('b');
	assert_true(is_shown("A study already solves this position."));
	screens_close(&s);
}

/* What a study has the frame of but does not reach is said: kings cannot pass this fence. */
static void a_position_not_reached(void **state)
{
	(void)state;
	screens_open(&s, library, "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", false);
	press('b');
	assert_true(is_shown("is solved: draw. 1 frame,"));
	assert_true(is_shown("White to move draws"));
	screens_close(&s);
	screens_open(&s, library, "4K3/8/8/p1p1p1p1/P1P1P1P1/8/8/4k3 w - - 0 1", false);
	assert_true(is_shown("Its study does not reach it"));
	assert_true(is_shown("Press b to solve"));
	screens_close(&s);
}

static void bounds_say_what_is_open(void **state)
{
	(void)state;
	screens_open(&s, library, locked, false);
	press('b');
	assert_true(is_shown("White to move: at least a draw"));
	assert_true(is_shown("Open: promotions to a queen. Press b to"));
	screens_close(&s);
	/* Later nothing is known of what the next step takes. */
	screens_open(&s, library, locked, false);
	assert_true(is_shown("does not follow"));
	assert_true(is_shown("Press b to follow more"));
	screens_close(&s);
}

/* Tables lists studies; the other views live with them. */
static void studies_in_all_views(void **state)
{
	static const char keys[] = "123456704PLEOIMB";
	(void)state;
	screens_open(&s, library, NULL, false);
	press('4');
	assert_true(is_shown("study:KPPvKPP"));
	assert_true(is_shown("236 frames"));
	assert_string_equal(s.model.tables.entries[s.model.tables.count - 1].kind, "study");
	press(K_END);
	press(K_UP);
	press(K_UP);
	for (size_t i = 0; i < 2; i++) {
		press('z');
		assert_true(is_shown("A study is no table of a slice."));
		press(K_ENTER);
		char fen[EL_FEN_MAX];
		play_game(&s.model)->format(play_position(&s.model), fen);
		assert_string_equal(fen, i ? locked : lost);
		press('c');
		assert_true(is_shown("A study has no slice to count."));
		for (const char *key = keys; *key; key++) {
			press(*key);
			screens_draw(&s);
		}
		press('4');
		press(K_DOWN);
	}
	press('w'); /* the records of all tables */
	assert_true(is_shown("[Records]"));
	screens_close(&s);
}

static void depths_that_may_be_less(void **state)
{
	char text[SENTENCE_MAX];
	const struct el_value value = {.outcome = EL_WIN, .plies = 14, .at_most = true};
	(void)state;
	assert_string_equal(value_sentence(&el_dtz, value, false, text),
	                    "zeroing in at most 14 plies (7 moves)");
	assert_string_equal(value_short(&el_dtz, value, true, text), "zeroing in at most 7 moves");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_b_cannot_solve),    cmocka_unit_test(stopped_and_resumed),
		cmocka_unit_test(a_position_not_reached), cmocka_unit_test(bounds_say_what_is_open),
		cmocka_unit_test(studies_in_all_views),   cmocka_unit_test(depths_that_may_be_less),
	};
	return cmocka_run_group_tests(tests, set_up, clean_up);
}
