/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shell around the views: pastes, abandoned lines, jobs by number, waiting lessons, lists. */
#include "tests/fixtures/shell_fixture.h"
#include "tests/fixtures/store_fixture.h"

#include "tui/views/lesson/lesson.h"
#include "tui/views/teach/teach.h"
#include "tui/views/views.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static bool shows(struct screens *s, const char *words)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	screens_draw(s);
	screens_print(s, out);
	fclose(out);
	const bool found = strstr(text, words);
	if (!found)
		printf("expected '%s' in\n%s", words, text);
	free(text);
	return found;
}

/* ---- tables that cannot be used ---- */

/* An existing file is not called missing, and a build does not replace it. */
static void a_table_that_cannot_be_read_is_told(void **state)
{
	static const char *const slices[] = {"KRvK", NULL};
	struct screens s;
	struct el_library *faulty;
	struct stat is;
	(void)state;
	assert_int_equal(mkdir("faulty", 0777), 0);
	FILE *junk = fopen("faulty/KQvK.dtm.egt", "w");
	assert_non_null(junk);
	fclose(junk);
	screens_library("faulty", slices, NULL, &faulty);
	screens_open(&s, faulty, QUEEN, false);
	assert_true(shows(&s, "KQvK.dtm.egt: expected a table, found an"));
	assert_true(shows(&s, "Type :build KQvK --repair to make it"));
	press(&s, 'b');
	assert_said(&s,
	            "faulty/KQvK.dtm.egt: expected a table, found an empty file; run 'endlab build "
	            "KQvK --repair' to make it again");
	assert_int_equal(stat("faulty/KQvK.dtm.egt", &is), 0);
	assert_int_equal(is.st_size, 0);
	screens_close(&s);
	el_library_close(faulty);
}

static void what_a_damaged_table_leaves_is_shown(void **state)
{
	static const struct el_metric *const zeroing[] = {&el_dtz, NULL};
	struct screens s;
	(void)state;
	fixture_build_in("half", "KQvK", zeroing);
	write_text("half/KQvK.dtm.egt", "no table");
	struct el_library *half = fixture_library("half", NULL);
	screens_open(&s, half, QUEEN, false);
	assert_true(shows(&s, "White: a win, if in time"));
	assert_true(shows(&s, "zeroing in "));
	assert_true(shows(&s, "DTM damaged: DTZ"));
	assert_said(&s, "half/KQvK.dtm.egt: expected ");
	type(&s, "metric dtz");
	assert_false(shows(&s, "damaged: "));
	type(&s, "metric dtm");
	assert_true(shows(&s, "DTM damaged: DTZ"));
	screens_close(&s);
	el_library_close(half);
}

/* The Build view's tables are those of the directory, wherever others are. */
static void tables_elsewhere_are_not_built(void **state)
{
	struct screens s;
	struct el_library *along;
	const struct el_library_options options = {.directory = "here", .paths = "tables"};
	(void)state;
	assert_int_equal(el_library_open(&options, &along, NULL), EL_OK);
	screens_open(&s, along, QUEEN, false);
	press(&s, '5');
	assert_true(shows(&s, "KQvK     missing"));
	press(&s, 'b');
	assert_said(&s, "Built and verified 1 table");
	assert_true(shows(&s, "built"));
	screens_close(&s);
	el_library_close(along);
}

/* ---- pastes, and copies ---- */

/* Nothing is looked up between the keys, as on a slow machine. */
static void best_moves_are_asked_for_ahead(void **state)
{
	const struct event space = {.kind = EVENT_KEY, .key = ' '};
	const struct event left = {.kind = EVENT_KEY, .key = K_LEFT};
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	for (int i = 0; i < 4; i++)
		shell_update(&s.model, &space);
	assert_int_equal(s.model.play.walk.at, 1);
	screens_settle(&s);
	while (shell_next_tick(&s.model) == 0)
		screens_event(&s, (struct event){.kind = EVENT_TICK});
	assert_int_equal(s.model.play.walk.at, 4);
	/* One more, after the move that another waits for is known but before it is played. */
	shell_update(&s.model, &space);
	shell_update(&s.model, &space);
	screens_settle(&s);
	shell_update(&s.model, &space);
	screens_settle(&s);
	while (shell_next_tick(&s.model) == 0)
		screens_event(&s, (struct event){.kind = EVENT_TICK});
	assert_int_equal(s.model.play.walk.at, 7);
	/* What else is pressed meanwhile counts, too. */
	shell_update(&s.model, &space);
	shell_update(&s.model, &space);
	shell_update(&s.model, &left);
	screens_settle(&s);
	while (shell_next_tick(&s.model) == 0)
		screens_event(&s, (struct event){.kind = EVENT_TICK});
	assert_int_equal(s.model.play.walk.at, 7);
	screens_close(&s);
}

static void paste(struct screens *s, const char *text, bool cut)
{
	screens_event(s, (struct event){.kind = EVENT_PASTE, .text = text, .cut = cut});
}

static void output_waits_for_who_has_gone_on(void **state)
{
	struct screens s;
	(void)state;
	for (int goes_on = 0; goes_on < 2; goes_on++) {
		screens_open(&s, library, QUEEN, true);
		press(&s, 20);
		assert_said(&s, "No command has printed anything yet.");
		type(&s, "verify KQvK");
		if (goes_on)
			press(&s, K_DOWN);
		screens_release(&s);
		assert_true(shows(&s, goes_on ? "White to move mates" : "positions all right"));
		if (goes_on)
			assert_said(&s, "verify KQvK: done. Press ^T to read what it printed.");
		press(&s, 20);
		assert_true(shows(&s, "positions all right"));
		/* Nor does it replace the output that is being read. */
		s.hold = true;
		type(&s, "verify KRvK");
		press(&s, K_DOWN);
		screens_release(&s);
		assert_said(&s, "verify KRvK: done. Press ^T to read what it printed.");
		assert_true(shows(&s, "verify KQvK"));
		press(&s, 20);
		assert_false(shows(&s, "verify KQvK"));
		assert_true(shows(&s, "verify KRvK"));
		screens_close(&s);
	}
}

static void a_paste_is_no_keystrokes(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	const struct prompt_line *prompt = shell_prompt_line(&s.model);
	paste(&s, "  " ROOK "\n", false);
	assert_fen(&s, QUEEN);
	assert_true(prompt->open);
	assert_string_equal(prompt->text, ROOK);
	assert_said(&s, "Press Enter");
	type(&s, prompt->text);
	assert_fen(&s, ROOK);

	paste(&s, "W:WK3,20:BK30", false);
	assert_string_equal(prompt->text, "W:WK3,20:BK30");
	assert_said(&s, "Press Enter");
	type(&s, "");

	paste(&s, "QQQ", false); /* shown, not run */
	assert_string_equal(prompt->text, "QQQ");
	assert_string_equal(s.model.message.text, "");
	assert_false(shell_take_wishes(&s.model).quit);
	type(&s, "");
	paste(&s, "Q\nQ\n", false);
	assert_string_equal(prompt->text, "Q");
	assert_said(&s, "Only the beginning of the pasted text");
	type(&s, "");
	paste(&s, "Q", true);
	assert_said(&s, "Only the beginning of the pasted text");
	type(&s, "");
	paste(&s, "\n \n", false);
	assert_false(prompt->open);
	assert_fen(&s, ROOK);
	screens_close(&s);
}

static void a_paste_is_offered_in_every_view(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	for (int view = 0; views[view]; view++) {
		shell_show(&s.model, view);
		paste(&s, ROOK, false);
		assert_string_equal(shell_prompt_line(&s.model)->text, ROOK);
		type(&s, "");
		assert_fen(&s, QUEEN);
	}
	screens_close(&s);
}

static void the_position_is_copied(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	press(&s, 'C');
	assert_string_equal(shell_take_wishes(&s.model).copy, QUEEN);
	assert_string_equal(shell_take_wishes(&s.model).copy, "");
	screens_close(&s);
}

/* ---- games that were left ---- */

static void nothing_that_was_played_is_lost(void **state)
{
	struct screens s;
	const struct walk *w = &s.model.play.walk;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	type(&s, "Qd5");
	type(&s, "Kc2");
	type(&s, "Qd4");
	assert_int_equal(w->length, 4);
	press(&s, K_LEFT);
	press(&s, K_LEFT);
	type(&s, "Kb4"); /* another move than Kc2: a variation */
	assert_said(&s, "Press v");
	assert_int_equal(w->length, 3);
	assert_move(&s, 2, "Kb4");
	press(&s, 'v');
	assert_int_equal(w->at, 2);
	assert_move(&s, 2, "Kc2");
	assert_move(&s, 3, "Qd4");
	press(&s, K_RIGHT);
	press(&s, 'v'); /* from a later move on, too */
	assert_move(&s, 2, "Kb4");
	press(&s, K_LEFT);
	press(&s, K_RIGHT); /* it follows the last line shown */
	assert_move(&s, 2, "Kb4");
	type(&s, ROOK); /* one key leaves the position again */
	assert_fen(&s, ROOK);
	press(&s, 'U');
	assert_move(&s, 2, "Kb4");
	press(&s, 'U' - '@');
	assert_fen(&s, ROOK);
	press(&s, 'U');
	type(&s, "Ra5"); /* no such move, nothing changes */
	assert_int_equal(w->length, 3);
	press(&s, K_LEFT);
	type(&s, "Kb4"); /* the move already played: no new variation */
	assert_int_equal(w->tree->node_count, 5);
	assert_int_equal(s.model.play.kept_count, 1);
	screens_close(&s);
}

/* However many positions are looked at, lines with moves go last. */
static void a_line_is_kept_once(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	for (int i = 0; i < 3; i++) {
		type(&s, ROOK);
		type(&s, QUEEN);
	}
	assert_int_equal(s.model.play.kept_count, 2);
	screens_close(&s);
}

static void lines_without_moves_go_first(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	type(&s, "Qd5");
	for (int i = 0; i < 3 * GAMES_KEPT; i++)
		press(&s, 'r');
	bool found = false;
	for (size_t i = 0; i < s.model.play.kept_count; i++)
		found = found || s.model.play.kept[i].edited;
	assert_int_equal(s.model.play.kept_count, GAMES_KEPT);
	assert_true(found);
	screens_close(&s);
}

/* ---- jobs ---- */

static void a_verb_waits_for_its_film(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, true);
	type(&s, "teach KRvK");
	type(&s, "pass 5");
	assert_null(teach_film(&s.model));
	screens_release(&s);
	assert_non_null(teach_film(&s.model));
	assert_int_equal(teach_film(&s.model)->steps[teach_of(&s.model)->step].ply, 5);
	type(&s, "pass 999");
	assert_string_equal(s.model.message.text, "pass: the last one is 32, found '999'");
	assert_int_equal(teach_film(&s.model)->steps[teach_of(&s.model)->step].ply, 5);
	screens_close(&s);
}

/* None of its first 20,000 indexes is a legal position. */
static void teach_shows_a_slice_of_many_queens(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, true);
	type(&s, "teach KRvK");
	press(&s, 'c');
	type(&s, "teach KQQQvKQQQ");
	assert_string_equal(teach_of(&s.model)->wish.slice.name, "KQQQvKQQQ");
	assert_non_null(strstr(teach_refusal(&s.model), "Solving KQQQvKQQQ needs"));
	assert_true(shows(&s, "Press Enter"));
	type(&s, "teach KQQQQQQvKQQ");
	assert_said(&s, "Teach: KQQQQQQvKQQ: 10 pieces, expected at most 8");
	type(&s, "teach 8/8/8/4k3/8/8/8/K2Q5 w - - 0 1");
	assert_said(&s, "Teach: field 1 (board)");
	screens_close(&s);
}

static void x_stops_what_the_title_names(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, true);
	press(&s, 'X');
	assert_said(&s, "Nothing is running");
	type(&s, "build KBvK");
	const uint64_t build = model_job_shown(&s.model)->number;
	press(&s, '2'); /* a film, which does not wait for the build */
	assert_int_equal(model_job_shown(&s.model)->lane, LANE_LOOK);
	press(&s, 'X');
	assert_int_equal(model_job_shown(&s.model)->number, build); /* it goes on */
	press(&s, 'X');
	assert_null(model_job_shown(&s.model));
	assert_said(&s, "Stopped: build KBvK");
	assert_null(strstr(s.model.message.text, "exit status"));
	screens_close(&s);
}

static void a_build_that_waits_can_be_stopped(void **state)
{
	struct screens s;
	struct el_slice slice;
	(void)state;
	screens_open(&s, library, QUEEN, true);
	assert_int_equal(el_slice_parse("KBvK", &slice, NULL), EL_OK);
	build_start(&s.model, &slice, 1, NULL);
	screens_settle(&s);
	assert_true(build_is_asked(&s.model.builds, &slice));
	press(&s, 'X');
	assert_false(build_is_asked(&s.model.builds, &slice));
	assert_said(&s, "Stopped. Nothing was built yet.");
	screens_close(&s);
}

static void a_count_does_not_wait_behind_a_build(void **state)
{
	struct screens s;
	struct job *job;
	(void)state;
	screens_open(&s, library, QUEEN, true);
	type(&s, "build KBvK");
	assert_int_equal(s.held_count, 1);
	press(&s, 'c');
	assert_int_equal(s.held_count, 2);
	assert_int_equal(s.held[1]->lane, LANE_LOOK);
	type(&s, "stats KRvK");
	assert_int_equal(s.held[2]->lane, LANE_LOOK);
	while ((job = model_take_job(&s.model)))
		assert_null(job);
	screens_close(&s);
}

/* Teach goes on to another slice: the film that Metrics wants too is still made. */
static void no_view_stops_what_another_wants(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, "8/8/8/8/8/4k3/4P3/4K3 w - - 0 1", true);
	type(&s, "teach KPvK");
	assert_int_equal(s.held_count, 1);
	const uint64_t film = s.held[0]->number;
	type(&s, "metrics KPvK");
	assert_int_equal(s.held_count, 1); /* one film serves both */
	type(&s, "teach KBvK");
	assert_int_equal(s.held_count, 2);
	assert_int_equal(s.held[0]->number, film);
	type(&s, "metrics KBvK"); /* now nobody wants it */
	assert_int_equal(s.held_count, 1);
	assert_int_not_equal(s.held[0]->number, film);
	screens_close(&s);
}

/* ---- lessons that wait ---- */

static void impatient_readers_break_no_lesson(void **state)
{
	static const char text[] =
		"Blocks\nOne.\n---\n:build KBvK\nTwo.\n---\n:lab KQvK --codecs raw\n"
		":inspect-block\nThree.\n---\n:block 2\nFour.\n";
	struct screens s;
	(void)state;
	write_text("impatient.lesson", text);
	screens_open(&s, library, QUEEN, true);
	type(&s, "lesson ./impatient.lesson");
	press(&s, 'n');
	press(&s, 'n');
	press(&s, 'n');
	assert_true(lesson_plays(&s.model));
	assert_int_equal(lesson_of(&s.model)->step, 3);
	assert_int_equal(s.held_count, 1); /* the build: everything else waits for it */
	s.model.now += 12000;
	screens_draw(&s);
	char *shown = NULL;
	size_t size;
	FILE *out = open_memstream(&shown, &size);
	screens_print(&s, out);
	fclose(out);
	assert_non_null(strstr(shown, "build KBvK, 12 s; press X to stop"));
	free(shown);
	press(&s, '5'); /* looks elsewhere meanwhile */
	screens_release(&s);
	assert_true(lesson_plays(&s.model));
	if (s.model.message.error)
		printf("%s\n", s.model.message.text);
	assert_false(s.model.message.error);
	assert_true(shell_is_shown(&s.model, VIEW_INSPECTOR));
	screens_close(&s);
}

/* ---- views ---- */

/* Also views that others usually open, even before those were ever seen. */
static void every_view_can_be_shown_at_once(void **state)
{
	struct screens s;
	(void)state;
	for (int view = 0; views[view]; view++) {
		screens_open(&s, library, QUEEN, false);
		shell_show(&s.model, view);
		screens_event(&s, (struct event){.kind = EVENT_NONE});
		screens_draw(&s);
		for (const struct verb *v = views[view]->verbs; v && v->word; v++) {
			verb_run(v, &s.model, "");
			screens_draw(&s);
		}
		screens_close(&s);
	}
}

static void nothing_is_rewritten_without_an_offer(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, true);
	press(&s, '3');
	type(&s, "replace-table");
	assert_said(&s, "Nothing is offered");
	screens_close(&s);
}

static void lessons_are_a_key_away_from_every_view(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	for (int view = 0; views[view]; view++) {
		shell_home(&s.model);
		shell_show(&s.model, view);
		press(&s, 'L');
		assert_true(shell_is_shown(&s.model, VIEW_LESSON));
		if (view == VIEW_LESSON)
			continue;
		press(&s, 'q');
		assert_true(shell_is_shown(&s.model, view));
	}
	screens_close(&s);
}

static void q_leads_back_the_way_one_came(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	press(&s, '2');
	press(&s, 'P');
	press(&s, K_ENTER); /* an exercise of the list */
	press(&s, 'e');
	press(&s, '?');
	press(&s, '?');
	static const int way[] = {VIEW_HELP,     VIEW_EXPLORE, VIEW_PRACTICE_MOVES,
	                          VIEW_PRACTICE, VIEW_TEACH,   VIEW_EXPLORE};
	for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
		assert_true(shell_is_shown(&s.model, way[i]));
		assert_false(shell_take_wishes(&s.model).quit);
		press(&s, 'q');
	}
	assert_true(shell_take_wishes(&s.model).quit);
	screens_close(&s);
}

static void every_list_is_searched(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	press(&s, '5');
	struct list *list = shell_list(&s.model, views[VIEW_BUILD]);
	press(&s, 'n');
	assert_said(&s, "Press /");
	type(&s, "search rvk");
	const int first = list->at;
	assert_true(first > 0);
	press(&s, 'n');
	assert_true(list->at > first);
	press(&s, 'N');
	assert_int_equal(list->at, first);
	press(&s, 'G');
	assert_int_equal(list->at, list->count - 1);
	press(&s, 'n'); /* around */
	assert_int_equal(list->at, first);
	press(&s, 'g');
	assert_int_equal(list->at, 0);
	type(&s, "search nowhere");
	assert_said(&s, "not in this list");
	assert_int_equal(list->at, 0);
	for (int view = 0; views[view]; view++)
		assert_true(!views[view]->list.state || views[view]->row ||
		            view == VIEW_INSPECTOR || view == VIEW_INDEX || view == VIEW_BOUNDS);
	screens_close(&s);
}

static void a_click_selects_and_a_second_one_plays(void **state)
{
	struct screens s;
	struct event click = {.kind = EVENT_CLICK, .zone = {.kind = ZONE_ITEM, .value = 2}};
	(void)state;
	screens_open(&s, library, QUEEN, false);
	screens_event(&s, click);
	assert_int_equal(shell_list(&s.model, views[VIEW_EXPLORE])->at, 2);
	assert_int_equal(s.model.play.walk.length, 1);
	screens_event(&s, click);
	assert_int_equal(s.model.play.walk.length, 2);
	screens_close(&s);
}

static void a_second_king_moves_the_first(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	press(&s, 's');
	press(&s, 'K'); /* a1 is its square */
	press(&s, K_RIGHT);
	press(&s, 'K');
	assert_said(&s, "already had a king");
	press(&s, K_ENTER);
	assert_fen(&s, "8/8/8/8/8/2k5/8/1K1Q4 w - - 0 1");
	press(&s, 's');
	press(&s, 'o');
	assert_said(&s, "draughts");
	press(&s, 'K');
	press(&s, K_RIGHT);
	press(&s, 'K'); /* any number of kings */
	press(&s, K_DOWN);
	press(&s, K_DOWN);
	press(&s, 'k');
	press(&s, K_ENTER);
	assert_string_equal(play_game(&s.model)->name, "checkers");
	assert_int_equal(__builtin_popcountll(play_position(&s.model)->set[EL_WHITE][0]), 2);
	screens_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_that_cannot_be_read_is_told),
		cmocka_unit_test(what_a_damaged_table_leaves_is_shown),
		cmocka_unit_test(tables_elsewhere_are_not_built),
		cmocka_unit_test(best_moves_are_asked_for_ahead),
		cmocka_unit_test(output_waits_for_who_has_gone_on),
		cmocka_unit_test(a_paste_is_no_keystrokes),
		cmocka_unit_test(a_paste_is_offered_in_every_view),
		cmocka_unit_test(the_position_is_copied),
		cmocka_unit_test(nothing_that_was_played_is_lost),
		cmocka_unit_test(a_line_is_kept_once),
		cmocka_unit_test(lines_without_moves_go_first),
		cmocka_unit_test(a_verb_waits_for_its_film),
		cmocka_unit_test(teach_shows_a_slice_of_many_queens),
		cmocka_unit_test(x_stops_what_the_title_names),
		cmocka_unit_test(a_build_that_waits_can_be_stopped),
		cmocka_unit_test(a_count_does_not_wait_behind_a_build),
		cmocka_unit_test(no_view_stops_what_another_wants),
		cmocka_unit_test(impatient_readers_break_no_lesson),
		cmocka_unit_test(every_view_can_be_shown_at_once),
		cmocka_unit_test(nothing_is_rewritten_without_an_offer),
		cmocka_unit_test(lessons_are_a_key_away_from_every_view),
		cmocka_unit_test(q_leads_back_the_way_one_came),
		cmocka_unit_test(every_list_is_searched),
		cmocka_unit_test(a_click_selects_and_a_second_one_plays),
		cmocka_unit_test(a_second_king_moves_the_first),
	};
	return cmocka_run_group_tests(tests, shell_set_up, shell_clean_up);
}
