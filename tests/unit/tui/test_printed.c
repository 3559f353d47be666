/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Printed statistics and proofs of tables: under rules, of bitbases, of bounds; and what becomes
   of the file that a text replaces. */
#include "core/examine/examine.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/scratch.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"
#include "tui/cli/stats_print.h"
#include "tui/text/files.h"
#include "tui/text/tables.h"

#include <cjson/cJSON.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static char tables[SCRATCH_PATH];
static struct el_library *library;
static const struct el_metric *const metrics[] = {
	&el_wdl, &el_win, &el_dtz_rule[4], &el_wdl_rule[49], &el_dtr, NULL,
};

static int build_tables(void **state)
{
	(void)state;
	scratch_make(tables);
	library = fixture_library(tables, NULL);
	return fixture_build(library, "KRvK", metrics) ? -1 : 0;
}

static int remove_tables(void **state)
{
	(void)state;
	el_library_close(library);
	scratch_remove(tables);
	return 0;
}

static struct el_stats stats_of(const char *name, const struct el_metric *metric)
{
	struct el_planes planes = fixture_stored(library, name, metric);
	const struct el_stats stats = fixture_stats(&planes);
	el_planes_free(&planes);
	return stats;
}

static char *print(const struct el_stats *stats, size_t number, bool json)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct cli cli = {.out = out, .err = stderr};
	const struct el_solution unknown[4] = {{.passes = 0}};
	assert_non_null(out);
	if (json)
		assert_int_equal(stats_print_json(&cli, stats, unknown, number), 0);
	else
		stats_print_text(&cli, stats, unknown, number);
	fclose(out);
	return text;
}

static double number_at(const cJSON *object, const char *name)
{
	const cJSON *number = cJSON_GetObjectItem(object, name);
	assert_true(cJSON_IsNumber(number));
	return number->valuedouble;
}

static void test_json_of_rules(void **state)
{
	(void)state;
	struct el_stats stats[] = {
		stats_of("KRvK", &el_dtz_rule[4]),
		stats_of("KRvK", &el_dtr),
		stats_of("KRvK", &el_wdl_rule[49]),
	};
	char *text = print(stats, 3, true);
	cJSON *root = cJSON_Parse(text);
	const cJSON *white = cJSON_GetObjectItem(root, "white_to_move");
	const cJSON *wdl5 = cJSON_GetObjectItem(white, "wdl5");
	const cJSON *longest = cJSON_GetObjectItem(white, "longest");
	const cJSON *histogram = cJSON_GetObjectItem(white, "histogram");
	const cJSON *dtz5 = cJSON_GetObjectItem(longest, "dtz5");
	assert_int_equal(number_at(white, "win"), 175168);
	assert_int_equal(number_at(wdl5, "win") + number_at(wdl5, "cursed_win"), 175168);
	assert_true(number_at(wdl5, "cursed_win") > 0);
	assert_int_equal(number_at(wdl5, "draw"), 0);
	assert_int_equal(number_at(wdl5, "blessed_loss"), 0);
	assert_int_equal(number_at(wdl5, "loss"), 0);
	assert_int_equal(number_at(cJSON_GetObjectItem(white, "wdl50"), "win"), 175168);
	assert_int_equal(number_at(cJSON_GetObjectItem(dtz5, "win"), "plies"), 9);
	assert_int_equal(
		number_at(cJSON_GetObjectItem(cJSON_GetObjectItem(longest, "dtr"), "win"), "plies"),
		31);
	assert_non_null(cJSON_GetObjectItem(cJSON_GetObjectItem(histogram, "dtr"), "win"));
	assert_null(cJSON_GetObjectItem(histogram, "wdl50"));
	cJSON_Delete(root);
	free(text);
	for (int i = 0; i < 3; i++)
		el_stats_free(&stats[i]);
}

static void test_text_of_rules(void **state)
{
	(void)state;
	struct el_stats stats[] = {
		stats_of("KRvK", &el_wdl_rule[49]),
		stats_of("KRvK", &el_dtz_rule[4]),
	};
	char *text = print(stats, 2, false);
	const char *first = strstr(text, "  under the 5-move rule\n  win ");
	assert_non_null(strstr(text, "  win                     175,168  100.00 %\n"));
	assert_non_null(first);
	assert_non_null(strstr(first, "  cursed win "));
	assert_non_null(strstr(first, "  blessed loss "));
	assert_non_null(strstr(first, "  under the 50-move rule\n"));
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		assert_true(strcspn(line, "\n") <= 80);
	free(text);
	for (int i = 0; i < 2; i++)
		el_stats_free(&stats[i]);
}

/* A bitbase's unknown figures are not printed as zero. */
static void test_bitbase_printed(void **state)
{
	(void)state;
	struct el_stats stats = stats_of("KRvK", &el_win);
	char *text = print(&stats, 1, false);
	assert_non_null(strstr(text, "  no win                  223,944  100.00 %\n"));
	assert_null(strstr(text, "loss"));
	assert_null(strstr(text, "zugzwang"));
	free(text);
	text = print(&stats, 1, true);
	assert_non_null(strstr(text, "\"win\":0,\"at_most_draw\":223944,\"unique\""));
	assert_non_null(strstr(text, "\"mutual_zugzwangs\":null"));
	free(text);
	el_stats_free(&stats);
}

/* ---- bounds ---- */

/* Figures of a partial table of a game with every kind of figure, as the printers get them. */
static struct el_stats made_up_stats(struct el_game *game)
{
	struct el_stats stats = {
		.slice = slice_named("KPvKP"),
		.metric = &el_wdl,
		.partial = true,
		.passes = 36,
	};
	*game = el_chess;
	game->forced_captures = true;
	game->leading_rank = el_checkers.leading_rank;
	stats.slice.game = game;
	for (unsigned side = 0; side < 2; side++) {
		stats.side[side].all = (struct el_counts){2100, 100, 200, 300, 400, 500, 600, 0, 0};
		stats.side[side].no_capture = (struct el_counts){21, 1, 2, 3, 4, 5, 6, 0, 0};
		stats.side[side].resolved[7][7] = (struct el_resolved){1000, 324};
		stats.side[side].resolved[7][2] = (struct el_resolved){10, 14};
		stats.side[side].resolved[2][7] = (struct el_resolved){3, 2};
		stats.side[side].resolved[2][2] = (struct el_resolved){5, 10};
	}
	stats.side[EL_BLACK].resolved[0][5] = (struct el_resolved){4, 0};
	return stats;
}

static void test_json_of_bounds(void **state)
{
	(void)state;
	static const char *const bounds[] = {"WW", "TT", "LL", "LT", "TW", "LW"};
	struct el_game game;
	struct el_stats stats = made_up_stats(&game);
	char *text = print(&stats, 1, true);
	cJSON *root = cJSON_Parse(text);
	const cJSON *white = cJSON_GetObjectItem(root, "white_to_move");
	const cJSON *black = cJSON_GetObjectItem(root, "black_to_move");
	const cJSON *quiet = cJSON_GetObjectItem(white, "no_capture");
	assert_int_equal(cJSON_GetObjectItem(root, "passes")->valueint, 36);
	assert_int_equal(cJSON_GetObjectItem(white, "legal")->valueint, 2100);
	assert_int_equal(cJSON_GetObjectItem(quiet, "legal")->valueint, 21);
	assert_int_equal(cJSON_GetObjectItem(quiet, "loss")->valueint, 3);
	for (int i = 0; i < 6; i++) {
		assert_int_equal((int)number_at(cJSON_GetObjectItem(white, "bounds"), bounds[i]),
		                 100 * (i + 1));
		assert_int_equal((int)number_at(cJSON_GetObjectItem(quiet, "bounds"), bounds[i]),
		                 i + 1);
	}
	assert_true(strstr(text, "\"resolved\":{\"7\":{\"7\":16.2,\"2\":70},"
	                         "\"2\":{\"7\":33.3,\"2\":100}}") != NULL);
	const cJSON *resolved = cJSON_GetObjectItem(black, "resolved");
	assert_int_equal((int)number_at(cJSON_GetObjectItem(resolved, "0"), "5"), 0);
	assert_int_equal(cJSON_GetArraySize(resolved), 3);
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(resolved, "0")), 1);
	cJSON_Delete(root);
	free(text);
}

/* A complete table has no bounds, and a game without forced captures no figures about them. */
static void test_json_without_bounds(void **state)
{
	(void)state;
	static const char *const names[] = {"no_capture", "bounds", "resolved", "passes"};
	struct el_game game;
	struct el_stats stats = made_up_stats(&game);
	stats.partial = false;
	game.forced_captures = false;
	char *text = print(&stats, 1, true);
	for (unsigned i = 0; i < 4; i++)
		assert_null(strstr(text, names[i]));
	free(text);
	game.forced_captures = true;
	text = print(&stats, 1, true);
	assert_non_null(
		strstr(text, "\"no_capture\":{\"legal\":21,\"win\":1,\"draw\":2,\"loss\":3}"));
	assert_null(strstr(text, "bounds"));
	free(text);
}

static void test_text_of_bounds(void **state)
{
	(void)state;
	struct el_game game;
	struct el_stats stats = made_up_stats(&game);
	char *text = print(&stats, 1, false);
	const char *black = strstr(text, "Black to move");
	assert_non_null(black);
	assert_non_null(strstr(text, "  at most a draw              400   19.05 %\n"
	                             "  at least a draw             500   23.81 %\n"
	                             "  unknown                     600   28.57 %\n"
	                             "  without a capture\n"
	                             "  legal                        21    1.00 %\n"));
	assert_non_null(strstr(text, "(down: the side to move, across: the other)\n"
	                             "       7    2\n"
	                             "  7   16   70\n"
	                             "  2   33  100\n"));
	assert_non_null(strstr(black, "(down: the side to move, across: the other)\n"
	                              "       7    5    2\n"
	                              "  7   16    -   70\n"
	                              "  2   33    -  100\n"
	                              "  0    -    0    -\n"));
	assert_non_null(strstr(black, "\nwdl solved in 36 passes\n"));
	free(text);
}

/* ---- proofs ---- */

static void words_are(const struct el_summary *s, bool spoken, const char *expected)
{
	char text[SUMMARY_MAX];
	assert_string_equal(summary_text(s, spoken, text), expected);
}

static void test_words(void **state)
{
	(void)state;
	struct el_summary s = {.date = 1795392000, .positions = 46137, .version = "0.1.0"};
	words_are(&s, false, "");
	setenv("TZ", "UTC", 1);
	s.verified = EL_VERIFIED;
	words_are(&s, false, "verified 2026-11-23 by endlab 0.1.0, 46,137 positions one by one");
	s.by_planes = true;
	words_are(&s, false,
	          "verified 2026-11-23 by endlab 0.1.0, 46,137 positions by whole planes");
	s.by_planes = false;
	s.verified = EL_SAMPLED;
	words_are(&s, false, "sampled 2026-11-23 by endlab 0.1.0, 46,137 positions");
	s.verified = EL_FOUND_WRONG;
	s.wrong = 52;
	words_are(&s, false, "found wrong 2026-11-23 by endlab 0.1.0, 52 of 46,137 positions");
	s.change = EL_CHANGED;
	words_are(&s, false, "not verified: changed since 2026-11-23");
	s.change = EL_SUCCESSOR_CHANGED;
	strcpy(s.changed, "KQvK dtm");
	s.date = time(NULL);
	words_are(&s, true, "not verified: KQvK dtm changed since today");
	s.date = INT64_MAX;
	words_are(&s, true, "not verified: KQvK dtm changed since an unknown day");
}

/* ---- files ---- */

/* What is saved keeps its link, its mode and its owner. */
static void test_saved_in_its_place(void **state)
{
	static const mode_t modes[] = {0600, 0640, 0664, 0444};
	(void)state;
	for (unsigned i = 0; i < 12; i++) {
		/* no link, an absolute one, a relative one */
		const char *elsewhere = fixture_path(tables, "elsewhere");
		const char *real = fixture_path(tables, i / 4 ? "elsewhere/real" : "link");
		const char *link = fixture_path(tables, "link");
		struct whole_file file;
		struct stat is, made;
		size_t size;
		mkdir(elsewhere, 0777);
		fixture_write_file(real, (const uint8_t *)"old", 3);
		assert_int_equal(chmod(real, modes[i % 4]), 0);
		if (i / 4)
			assert_int_equal(symlink(i / 4 == 1 ? real : "elsewhere/real", link), 0);
		assert_int_equal(whole_file_open(link, &file, NULL), EL_OK);
		fputs("new", file.stream);
		assert_int_equal(whole_file_close(&file, EL_OK, NULL), EL_OK);
		assert_int_equal(lstat(link, &is), 0);
		assert_int_equal(S_ISLNK(is.st_mode), i / 4 > 0);
		assert_int_equal(stat(real, &made), 0);
		assert_int_equal(made.st_mode & 07777, modes[i % 4]);
		uint8_t *bytes = fixture_read_file(real, &size);
		assert_memory_equal(bytes, "new", 3);
		free(bytes);
		unlink(real);
		/* A link to nothing is followed, too. */
		if (i / 4) {
			assert_int_equal(whole_file_open(link, &file, NULL), EL_OK);
			assert_int_equal(whole_file_close(&file, EL_OK, NULL), EL_OK);
			assert_int_equal(access(real, F_OK), 0);
			assert_int_equal(lstat(link, &is), 0);
			assert_true(S_ISLNK(is.st_mode));
			unlink(real);
		}
		unlink(link);
		rmdir(elsewhere);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json_of_rules),
		cmocka_unit_test(test_text_of_rules),
		cmocka_unit_test(test_bitbase_printed),
		cmocka_unit_test(test_json_of_bounds),
		cmocka_unit_test(test_json_without_bounds),
		cmocka_unit_test(test_text_of_bounds),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_saved_in_its_place),
	};
	return cmocka_run_group_tests(tests, build_tables, remove_tables);
}
