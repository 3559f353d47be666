/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values, counts, sizes and times in words, for the command line and the screen. */
#include "tui/text/text.h"
#include "tui/text/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct el_value win(unsigned plies)
{
	return (struct el_value){.outcome = EL_WIN, .plies = (uint16_t)plies};
}

static struct el_value loss(unsigned plies)
{
	return (struct el_value){.outcome = EL_LOSS, .plies = (uint16_t)plies};
}

/* ---- depths ---- */

/* The moves of the side that moves first, or second, within so many plies, counted one by one. */
static unsigned moves_of(unsigned plies, bool first)
{
	unsigned moves = 0;
	for (unsigned ply = 0; ply < plies; ply++)
		moves += first == (ply % 2 == 0);
	return moves;
}

static void moves_are_those_of_the_side_that_ends_the_count(void **state)
{
	(void)state;
	for (unsigned plies = 1; plies < 300; plies++) {
		bool mover_ends = plies % 2;
		assert_int_equal(depth_shown(NULL, plies, true), moves_of(plies, mover_ends));
		assert_int_equal(depth_shown(NULL, plies, false), plies);
	}
	assert_int_equal(depth_shown(NULL, 0, true), 0);
	assert_int_equal(depth_shown(NULL, 0xfff0, true), 0x7ff8);
}

static void a_depth_has_its_units(void **state)
{
	char out[SENTENCE_MAX];
	(void)state;
	assert_string_equal(depth_words(NULL, 61, true, out), "31 moves (61 plies)");
	assert_string_equal(depth_words(NULL, 61, false, out), "61 plies (31 moves)");
	assert_string_equal(depth_words(NULL, 62, true, out), "31 moves (62 plies)");
	assert_string_equal(depth_words(NULL, 2, true, out), "1 move (2 plies)");
	assert_string_equal(depth_words(NULL, 1, false, out), "1 ply (1 move)");
}

static void assert_sentence(const char *metric, struct el_value value, const char *expected)
{
	char out[SENTENCE_MAX];
	assert_string_equal(value_sentence(el_metric_find(metric), value, true, out), expected);
}

/* The verb alone, and with what follows it. */
static void assert_predicate(const char *metric, struct el_value value, enum el_outcome outcome,
                             const char *verb, const char *rest)
{
	char out[PREDICATE_MAX], expected[PREDICATE_MAX];
	const int length = value_predicate(el_metric_find(metric), value, outcome, false, out);
	snprintf(expected, sizeof expected, "%s%s", verb, rest);
	assert_string_equal(out, expected);
	assert_int_equal(length, strlen(verb));
}

static void values_are_predicates(void **state)
{
	const struct el_value draw = {.outcome = EL_DRAW};
	(void)state;
	assert_predicate("dtm", win(61), EL_WIN, "mates", " in 61 plies (31 moves)");
	assert_predicate("dtm", loss(62), EL_LOSS, "is mated", " in 62 plies (31 moves)");
	assert_predicate("dtw", win(13), EL_WIN, "wins", " in 13 plies (7 moves)");
	assert_predicate("dtw", loss(2), EL_LOSS, "loses", " in 2 plies (1 move)");
	assert_predicate("dtc", loss(10), EL_LOSS, "loses", ": conversion in 10 plies (5 moves)");
	assert_predicate("dtz", win(1), EL_WIN, "wins", ": zeroing in 1 ply (1 move)");
	assert_predicate("score", win(3), EL_WIN, "gains 3 stones", "");
	assert_predicate("score", loss(1), EL_LOSS, "loses 1 stone", "");
	assert_predicate("dtm", draw, EL_DRAW, "draws", "");
	assert_predicate("wdl", win(0), EL_WIN, "wins", "");
	assert_predicate("dtm", win(61), EL_CURSED_WIN, "draws (a cursed win)",
	                 ": mate in 61 plies (31 moves)");
}

static void values_are_sentences(void **state)
{
	char out[SENTENCE_MAX];
	(void)state;
	assert_sentence("dtm", win(61), "mate in 31 moves (61 plies)");
	assert_sentence("dtm", loss(62), "mate in 31 moves (62 plies)");
	assert_sentence("dtm", loss(0), "checkmated");
	assert_sentence("dtw", win(1), "win in 1 move (1 ply)");
	assert_sentence("dtw", loss(2), "loss in 1 move (2 plies)");
	assert_sentence("dtc", loss(1), "conversion in 1 move (1 ply)");
	assert_sentence("dtc", loss(0), "lost already");
	assert_sentence("wdl", win(0), "win");
	assert_sentence("dtm", (struct el_value){.outcome = EL_DRAW}, "draw");
	assert_sentence("wdl", (struct el_value){.outcome = EL_AT_LEAST_DRAW}, "at least a draw");
	assert_sentence("wdl", (struct el_value){.outcome = EL_BLESSED_LOSS}, "blessed loss");
	assert_string_equal(value_short(el_metric_find("dtm"), win(61), true, out),
	                    "mate in 31 moves");
	assert_string_equal(value_short(el_metric_find("dtm"), win(61), false, out),
	                    "mate in 61 plies");
	assert_string_equal(value_short(el_metric_find("dtm"), loss(0), false, out), "checkmated");
}

/* ---- moves ---- */

static void assert_quality(struct el_value best, struct el_value got, bool in_moves,
                           const char *expected)
{
	struct el_move_verdict v = {.metric = el_metric_find("dtm"), .best = best, .got = got};
	char out[160];
	quality_text(&v, "Kc3", in_moves, out, sizeof out);
	assert_string_equal(out, expected);
}

static void what_a_move_kept_is_said(void **state)
{
	const struct el_value draw = {.outcome = EL_DRAW}, unknown = {.outcome = EL_UNKNOWN};
	(void)state;
	assert_quality(win(15), win(15), true, "Kc3 kept mate in 8 moves");
	assert_quality(win(15), win(19), false, "Kc3 cost 4 plies (best: mate in 15 plies)");
	assert_quality(win(15), win(17), true, "Kc3 cost 1 move (best: mate in 8 moves)");
	assert_quality(win(15), win(16), true, "Kc3 cost 1 ply (best: mate in 8 moves)");
	assert_quality(win(15), draw, false, "Kc3 threw away mate in 15 plies");
	assert_quality(draw, loss(20), false, "Kc3 threw away the draw");
	assert_quality(draw, draw, false, "Kc3 kept the draw");
	assert_quality(loss(20), loss(20), true, "Kc3 was the longest defence: mate in 10 moves");
	assert_quality(unknown, draw, true, "Kc3: no table says what it was worth");
}

static void numbers_stand_before_the_side_that_begins(void **state)
{
	char out[NUMBER_MAX];
	(void)state;
	for (const struct el_game *const *game = el_games; *game; game++) {
		unsigned first = (*game)->first_side;
		assert_string_equal(move_number(*game, first, 7, false, out), "7.");
		assert_string_equal(move_number(*game, first, 7, true, out), "7.");
		assert_string_equal(move_number(*game, !first, 7, false, out), "");
		assert_string_equal(move_number(*game, !first, 7, true, out), "7...");
	}
	assert_int_equal(el_games[0]->first_side, EL_WHITE);
	assert_int_equal(el_game_find("checkers")->first_side, EL_BLACK);
}

/* ---- counts, sizes, times ---- */

static void counts_are_grouped(void **state)
{
	char out[GROUPED_MAX];
	(void)state;
	assert_string_equal(grouped(0, out), "0");
	assert_string_equal(grouped(999, out), "999");
	assert_string_equal(grouped(1000, out), "1,000");
	assert_string_equal(grouped(2467122, out), "2,467,122");
	assert_string_equal(grouped(UINT64_MAX, out), "18,446,744,073,709,551,615");
	assert_string_equal(plural(1, "move", "moves"), "move");
	assert_string_equal(plural(0, "move", "moves"), "moves");
}

static void sizes_have_two_figures_and_a_unit(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} sizes[] = {
		{0, "0 B"},
		{310, "310 B"},
		{999, "999 B"},
		{1000, "1.0 KB"},
		{9949, "9.9 KB"},
		{9950, "10 KB"},
		{999499, "999 KB"},
		{999500, "1.0 MB"},
		{42000000, "42 MB"},
		{7135000000, "7.1 GB"},
		{230000000, "230 MB"},
		{5000000000000000, "5000 TB"},
	};
	char out[AMOUNT_MAX];
	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		assert_string_equal(bytes_text(sizes[i].bytes, out), sizes[i].text);
	assert_string_equal(block_text(256, out), "256");
	assert_string_equal(block_text(16384, out), "16K");
	assert_string_equal(block_text(1 << 20, out), "1M");
	assert_in_range(strlen(bytes_text(UINT64_MAX, out)), 1, AMOUNT_MAX - 1);
}

typedef const char *time_words(double seconds, char out[TIME_MAX]);

static void assert_time(time_words *words, double seconds, const char *expected)
{
	char out[TIME_MAX];
	assert_string_equal(words(seconds, out), expected);
}

static void times_have_units(void **state)
{
	char out[AMOUNT_MAX];
	(void)state;
	assert_time(seconds_text, 0, "0.0 ms");
	assert_time(seconds_text, 0.0042, "4.2 ms");
	assert_time(seconds_text, 0.034, "34 ms");
	assert_time(seconds_text, 0.1, "0.10 s");
	assert_time(seconds_text, 9.994, "9.99 s");
	assert_time(seconds_text, 9.996, "10.0 s");
	assert_time(seconds_text, 59.96, "1 min 0 s");
	assert_time(seconds_text, 125, "2 min 5 s");
	assert_time(seconds_text, 3599.6, "1 h 0 min");
	assert_time(seconds_text, 11520, "3 h 12 min");
	assert_time(clock_text, -3, "0:00");
	assert_time(clock_text, 7.4, "0:07");
	assert_time(clock_text, 125, "2:05");
	assert_time(clock_text, 3725, "1:02:05");
	assert_string_equal(latency_text(310, out), "310 ns");
	assert_string_equal(latency_text(1234, out), "1.2 us");
	assert_string_equal(latency_text(34e6, out), "34 ms");
}

/* ---- games and words ---- */

static void estimates_are_round(void **state)
{
	(void)state;
	static const struct {
		double seconds;
		const char *text;
	} times[] = {
		{0, "under 1 s"},       {0.99, "under 1 s"},      {1, "about 1 s"},
		{9.4, "about 9 s"},     {23, "about 25 s"},       {57, "about 55 s"},
		{58, "about 1 min"},    {118, "about 2 min"},     {1100, "about 18 min"},
		{1200, "about 20 min"}, {3400, "about 1 h"},      {4300, "about 1 h 10 min"},
		{36100, "about 10 h"},  {130000, "about 2 days"},
	};
	char text[TIME_MAX];
	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		assert_string_equal(about_text(times[i].seconds, text), times[i].text);
}

static void a_plan_is_summed_up(void **state)
{
	(void)state;
	char text[PLAN_SUMMARY_MAX];
	struct el_plan plan = {.count = 15, .bytes = 1400000000, .disk = 240000000, .seconds = 121};
	assert_string_equal(plan_summary(&plan, NULL, text),
	                    "15 tables, 1.4 GB of memory, 240 MB of disk, about 2 min");
	plan.count = 1;
	plan.scratch = 60000000000;
	assert_string_equal(
		plan_summary(&plan, NULL, text),
		"1 table, 1.4 GB of memory, 60 GB of scratch, 240 MB of disk, about 2 min");
	const struct el_table_options small = el_table_options_preset(EL_PRESET_SMALL);
	struct el_task tasks[2] = {{.metric = &el_wdl}, {.metric = &el_dtm}};
	assert_int_equal(el_slice_parse("morris:4v3", &tasks[0].slice, NULL), EL_OK);
	assert_int_equal(el_slice_parse("KQvKR", &tasks[1].slice, NULL), EL_OK);
	plan = (struct el_plan){.tasks = tasks, .count = 1, .bytes = 1400000000};
	assert_string_equal(plan_summary(&plan, &small, text),
	                    "1 table for the root, 1.4 GB of memory, 0 B of disk, under 1 s");
	plan.count = 2;
	assert_string_equal(plan_summary(&plan, &small, text),
	                    "2 tables for the root and for the archive, 1.4 GB of memory, 0 B of "
	                    "disk, under 1 s");
	plan.count = 15;
	plan.load = 8.94;
	assert_string_equal(plan_times(&plan, text), "times as earlier builds there took");
	plan.tried = 15;
	assert_string_equal(plan_times(&plan, text),
	                    "times from a trial on this machine, at a load of 8.9");
	plan.tried = 1;
	plan.load = -1;
	assert_string_equal(plan_times(&plan, text),
	                    "times of 1 table from a trial on this machine");
}

static void every_game_has_an_example(void **state)
{
	(void)state;
	for (const struct el_game *const *game = el_games; *game; game++) {
		struct el_slice slice, again;
		struct el_position position;
		const struct el_game *found;
		char fen[EL_FEN_MAX], group[GROUP_MAX];
		game_example(*game, &slice, fen);
		assert_int_equal(el_slice_parse(slice.name, &again, NULL), EL_OK);
		assert_true(el_slice_equal(&slice, &again));
		assert_int_equal(el_position_parse(fen, &found, &position, NULL), EL_OK);
		assert_ptr_equal(found, *game);
		assert_int_equal((*game)->slice_of(&position, &again, NULL), EL_OK);
		assert_true(el_slice_equal(&slice, &again));
		assert_non_null(strchr(group_text(*game, 3, 4, group), '-'));
	}
}

static void a_slip_is_found_and_nonsense_is_not(void **state)
{
	static const char *const known[] = {"build", "probe", "line", NULL};
	(void)state;
	struct nearest slip = nearest_start("biuld"), nonsense = nearest_start("xyzzy"),
		       begun = nearest_start("pro");
	for (size_t i = 0; known[i]; i++) {
		nearest_offer(&slip, known[i]);
		nearest_offer(&nonsense, known[i]);
		nearest_offer(&begun, known[i]);
	}
	assert_string_equal(slip.best, "build");
	assert_null(nonsense.best);
	assert_string_equal(begun.best, "probe");
}

static void quotes_keep_blanks_in_a_word(void **state)
{
	char line[] = "  probe 'a b' c\\ d \"e 'f'\" # a comment", open[] = "probe 'a b";
	char *words[WORDS_MAX];
	int count;
	struct el_error error;
	(void)state;
	assert_int_equal(words_split(line, words, &count, &error), EL_OK);
	assert_int_equal(count, 4);
	assert_string_equal(words[1], "a b");
	assert_string_equal(words[2], "c d");
	assert_string_equal(words[3], "e 'f'");
	assert_null(words[4]);
	assert_int_equal(words_split(open, words, &count, &error), EL_USAGE);
}

/* The end of a sentence gives way where a row has no room. */
static void a_verdict_fits_its_row(void **state)
{
	const struct el_move_verdict v = {.kind = EL_VERDICT_KEPT,
	                                  .before = EL_LOSS,
	                                  .after = EL_LOSS,
	                                  .metric = &el_dtm,
	                                  .best = loss(24),
	                                  .got = loss(20),
	                                  .lost = 4};
	const struct el_position any = {0};
	char out[VERDICT_MAX];
	(void)state;
	verdict_brief(&el_chess, &any, &v, false, 41, out);
	assert_string_equal(out, "lost in 20, 4 plies sooner than necessary");
	verdict_brief(&el_chess, &any, &v, false, 40, out);
	assert_string_equal(out, "lost in 20, 4 plies sooner");
	verdict_text(&el_chess, &any, &v, false, out);
	assert_string_equal(out,
	                    "lost, 4 plies sooner than necessary: mate in 20 plies (10 moves)");
	/* what a count leads to, if it is not the end of the game */
	const struct el_move_verdict converts = {.kind = EL_VERDICT_KEPT,
	                                         .before = EL_WIN,
	                                         .after = EL_WIN,
	                                         .metric = &el_dtc,
	                                         .best = {.outcome = EL_WIN, .plies = 1},
	                                         .got = {.outcome = EL_WIN, .plies = 1}};
	verdict_brief(&el_chess, &any, &converts, false, 29, out);
	assert_string_equal(out, "win, conversion in 1 ply");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moves_are_those_of_the_side_that_ends_the_count),
		cmocka_unit_test(a_depth_has_its_units),
		cmocka_unit_test(values_are_sentences),
		cmocka_unit_test(values_are_predicates),
		cmocka_unit_test(a_verdict_fits_its_row),
		cmocka_unit_test(what_a_move_kept_is_said),
		cmocka_unit_test(numbers_stand_before_the_side_that_begins),
		cmocka_unit_test(counts_are_grouped),
		cmocka_unit_test(sizes_have_two_figures_and_a_unit),
		cmocka_unit_test(times_have_units),
		cmocka_unit_test(estimates_are_round),
		cmocka_unit_test(a_plan_is_summed_up),
		cmocka_unit_test(every_game_has_an_example),
		cmocka_unit_test(a_slip_is_found_and_nonsense_is_not),
		cmocka_unit_test(quotes_keep_blanks_in_a_word),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
