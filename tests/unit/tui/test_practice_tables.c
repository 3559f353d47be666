/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Practice with tables: it draws positions by probing, judges moves under the rule in force, and
   makes no film. */
#include "tests/fixtures/foreign_fixture.h"
#include "tests/fixtures/shell_fixture.h"

#include "core/probe/probe.h"
#include "tui/views/practice/practice.h"
#include "tui/views/views.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct screens s;

static struct practice *practice(void)
{
	return practice_of(&s.model);
}

static bool any_film(void)
{
	for (int i = 0; i < FILMS_MAX; i++)
		if (s.model.films.place[i].taken)
			return true;
	return false;
}

/* Tables supply the values of the moves on the board, and the depth of the position. */
static void assert_judged(struct el_library *from)
{
	static struct el_answer a;
	const struct practice_game *g = &practice()->play;
	const struct el_question question = {.rule = s.model.rule, .metric = s.model.metric};
	assert_true(g->game && g->known);
	assert_int_equal(el_library_answer(from, g->game, &g->now, &question, &a, NULL), EL_OK);
	assert_ptr_equal(g->answer.metric, a.metric);
	assert_int_equal(g->answer.count, a.count);
	assert_int_equal(g->score.possible, a.value[el_metric_rank(a.metric)].plies);
	for (size_t i = 0; i < a.count; i++) {
		size_t at = 0;
		while (strcmp(practice_choice(g, at)->san, a.moves[i].san))
			at++;
		assert_int_equal(practice_choice(g, at)->value[el_metric_rank(a.metric)].plies,
		                 a.moves[i].value[el_metric_rank(a.metric)].plies);
	}
}

static void depths_of_a_table_will_do(void **state)
{
	(void)state;
	screens_open(&s, library, QUEEN, false);
	type(&s, "practice KRvK");
	for (int level = 1; level <= PRACTICE_LEVELS; level++) {
		char line[32];
		snprintf(line, sizeof line, "level %d", level);
		type(&s, line);
		assert_judged(library);
		assert_ptr_equal(practice()->play.answer.metric, &el_dtm);
		/* Levels share the 31 plies of the deepest win, or of the deepest one drawn. */
		assert_in_range(practice()->play.score.possible, level > 2 ? 6 * level - 10 : 1,
		                level > 1 ? 31 * level / 5 : 5);
	}
	assert_false(any_film());
	screens_close(&s);
}

/* For every exercise it names what is missing, and the way out; then it begins by itself. */
static void where_no_table_tells_it_can_be_built(void **state)
{
	(void)state;
	for (enum exercise_name e = 0; e < EXERCISES; e++) {
		char line[48];
		screens_open(&s, library, QUEEN, true);
		snprintf(line, sizeof line, "practice %s checkers:MvM", exercises[e].name);
		type(&s, line);
		assert_null(practice()->play.game);
		assert_non_null(
			strstr(practice()->missing,
		               "checkers:MvM is not built. Press b to build it and 2 others ("));
		press(&s, 'b');
		assert_int_equal(s.held_count, 1);
		press(&s, 'b');
		assert_said(&s, "already being built");
		screens_close(&s);
	}
	screens_open(&s, library, QUEEN, false);
	type(&s, "practice win KPvK");
	press(&s, 'b');
	assert_true(practice()->play.game && practice()->play.known);
	assert_false(any_film());
	press(&s, 'b');
	assert_said(&s, "No table is missing");
	screens_close(&s);
}

/* A promotion leads to a slice whose table is gone: it builds that table, and the game goes on. */
static void a_game_waits_for_the_table_it_enters(void **state)
{
	static const char *const pawn[] = {"KPvK", NULL};
	struct el_library *cut;
	(void)state;
	screens_library("cut", pawn, NULL, &cut);
	assert_int_equal(unlink("cut/KQvK.dtm.egt"), 0);
	assert_int_equal(el_library_rescan(cut, NULL), EL_OK);
	screens_open(&s, cut, QUEEN, true);
	type(&s, "practice win 8/4P3/8/8/2k5/8/8/K7 w - - 0 1");
	assert_false(practice()->play.known);
	assert_non_null(strstr(practice()->missing, "KQvK is not built. Press b to build it ("));
	press(&s, 'b');
	screens_release(&s);
	assert_true(practice()->play.known);
	assert_string_equal(practice()->missing, "");
	screens_close(&s);
	el_library_close(cut);
}

/* A position that does not suit the exercise is reported as unfit, and another one comes
   instead. */
static void an_unfit_position_is_told(void **state)
{
	static const struct {
		const char *line, *why;
	} unfit[] = {
		{"practice win " ROOK, "Black does not win that position; here is another."},
		{"practice hold " ROOK, "Black has no draw to lose in that position"},
		{"practice survive " QUEEN, "White has no loss to put off in that position"},
		{"practice only " QUEEN, "White has no only move in that position"},
		{"practice squares " QUEEN, "White does not lose that position"},
		{"practice guess 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
	         "Black has no move in that position"},
		{"practice win 8/8/8/8/8/2k5/8/K2Q4 w - - 0 1 ", ""},
		{"practice win 8/8/8/8/8/8/8/8 w - - 0 1", "king"},
		{"practice lose KQvK", "'lose' is not known"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof unfit / sizeof *unfit; i++) {
		screens_open(&s, library, QUEEN, false);
		type(&s, unfit[i].line);
		assert_said(&s, unfit[i].why);
		if (strstr(unfit[i].why, "another"))
			assert_true(practice()->play.game != NULL);
		screens_close(&s);
	}
}

/* Whatever is selected in the list, the slice typed there is practised. */
static void the_list_chooses_the_exercise(void **state)
{
	(void)state;
	screens_open(&s, library, QUEEN, false);
	type(&s, "practice");
	assert_true(shell_is_shown(&s.model, VIEW_PRACTICE));
	press(&s, K_DOWN);
	type(&s, "KRvK");
	assert_int_equal(practice()->exercise, EXERCISE_HOLD);
	assert_true(shell_is_shown(&s.model, VIEW_PRACTICE_MOVES));
	type(&s, "squares");
	assert_true(shell_is_shown(&s.model, VIEW_PRACTICE_SQUARES));
	type(&s, "practice guess");
	assert_true(shell_is_shown(&s.model, VIEW_PRACTICE_GUESS));
	assert_string_equal(practice()->slice.name, "KRvK");
	press(&s, 'q'); /* one list below them, whichever way led there */
	assert_true(shell_is_shown(&s.model, VIEW_PRACTICE));
	press(&s, 'q');
	assert_true(shell_is_shown(&s.model, VIEW_EXPLORE));
	screens_close(&s);
}

/* Whatever is pressed or clicked in any order, at any size: nothing breaks, and scores add up. */
static void a_monkey_practises(void **state)
{
	static const int keys[] = {K_ENTER,  K_UP,      K_DOWN, K_LEFT, K_RIGHT, K_TAB,
	                           K_ESCAPE, K_PAGE_UP, ' ',    'U',    'r',     's',
	                           'f',      'g',       'G',    '+',    '-',     'e',
	                           'u',      'q',       ' ',    'g',    K_ENTER, K_ENTER};
	static const char *const lines[] = {
		"practice",           "practice hold KRvK",    "practice survive KQvK",
		"practice only KRvK", "practice squares KRvK", "practice guess KQvK",
		"practice win KRvK"};
	enum { EVENTS = 4000, KEYS = sizeof keys / sizeof *keys };
	uint64_t random = 12345;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	for (int i = 0; i < EVENTS; i++) {
		struct event e = {.kind = EVENT_KEY, .key = keys[seed_random(&random, KEYS)]};
		const bool away = shell_is_shown(&s.model, VIEW_EXPLORE);
		s.model.now += (long long)seed_random(&random, 500);
		if (away || !seed_random(&random, 100))
			type(&s, lines[seed_random(&random, sizeof lines / sizeof *lines)]);
		if (!seed_random(&random, 50))
			e = (struct event){.kind = EVENT_RESIZE,
			                   .rows = (int)seed_random(&random, 60) + 1,
			                   .cols = (int)seed_random(&random, 180) + 1};
		else if (!seed_random(&random, 6) && s.canvas.zone_count)
			e = (struct event){.kind = EVENT_CLICK,
			                   .zone = s.canvas.zones[seed_random(
						   &random, (uint64_t)s.canvas.zone_count)]};
		if (e.kind == EVENT_CLICK && e.zone.kind == ZONE_KEY)
			continue;
		screens_event(&s, e);
		screens_draw(&s);
	}
	const struct practice_scores *scores = &practice()->scores;
	assert_true(scores->tally_count > 6);
	for (size_t i = 0; i < scores->tally_count; i++) {
		assert_true(scores->tallies[i].right <= scores->tallies[i].tries);
		assert_true(scores->tallies[i].percent <= 100 * scores->tallies[i].tries);
	}
	screens_close(&s);
}

/* The best line that r shows, from tables. */
static void a_bad_move_is_proved(void **state)
{
	(void)state;
	screens_open(&s, library, QUEEN, false);
	type(&s, "practice 7k/8/6K1/8/8/8/8/R7 w - - 0 1");
	type(&s, "Rb1");
	press(&s, 'r');
	assert_string_equal(practice()->proof, "best  1. Ra8#");
	screens_close(&s);
}

/* A rule of two moves: four plies without a capture end the game. Without a rule nothing does. */
static void the_rule_is_followed(void **state)
{
	(void)state;
	screens_open(&s, library, ROOK, false);
	type(&s, "rule 2");
	type(&s, "practice 8/8/8/4k3/8/8/8/K6R w - - 0 1");
	assert_int_equal(practice()->play.limit, 4);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(practice()->play.score.end, PRACTICE_GOING);
		type(&s, practice()->play.answer.moves[0].san);
		if (i == 0)
			press(&s, ' '); /* the answer at once */
	}
	assert_int_equal(practice()->play.now.halfmove, 3);
	press(&s, ' ');
	assert_int_equal(practice()->play.score.end, PRACTICE_FIFTY);
	screens_close(&s);
	screens_open(&s, library, ROOK, false);
	type(&s, "rule off");
	type(&s, "practice 8/8/8/4k3/8/8/8/K6R w - - 0 1");
	assert_int_equal(practice()->play.limit, 0);
	screens_close(&s);
}

/* Syzygy alone: depths to the next zeroing move. */
static void other_programs_tables_will_do(void **state)
{
	struct el_library *theirs = fixture_library("none", foreign_syzygy());
	(void)state;
	screens_open(&s, theirs, "8/8/8/3kr3/8/8/8/1KQ5 w - - 0 1", false);
	type(&s, "practice win");
	assert_judged(theirs);
	assert_int_equal(practice()->play.answer.metric->rank, el_dtz_rule[0].rank);
	assert_false(any_film());
	type(&s, "practice 8/8/8/3kr3/8/8/8/1KQ5 w - - 0 1");
	assert_int_equal(practice()->play.score.possible, 53);
	type(&s, "practice 8/8/8/3kr3/8/8/8/1KQ5 b - - 0 1");
	assert_said(&s, "Black does not win that position");
	screens_close(&s);
	el_library_close(theirs);
}

/* The fixture goes to a folder of its own. */
static int set_up(void **state)
{
	const char *own = getenv("ENDLAB_SYZYGY");
	char path[PATH_MAX];
	if (realpath(own && *own ? own : "../shared/data/syzygy", path))
		setenv("ENDLAB_SYZYGY", path, 1);
	return shell_set_up(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(depths_of_a_table_will_do),
		cmocka_unit_test(where_no_table_tells_it_can_be_built),
		cmocka_unit_test(a_game_waits_for_the_table_it_enters),
		cmocka_unit_test(an_unfit_position_is_told),
		cmocka_unit_test(the_list_chooses_the_exercise),
		cmocka_unit_test(a_monkey_practises),
		cmocka_unit_test(a_bad_move_is_proved),
		cmocka_unit_test(the_rule_is_followed),
		cmocka_unit_test(other_programs_tables_will_do),
	};
	return cmocka_run_group_tests(tests, set_up, shell_clean_up);
}
