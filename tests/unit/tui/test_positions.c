/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of positions: bookmarks and their file, filters, the way back. */
#include "tests/fixtures/shell_fixture.h"

#include "tui/shell/bookmarks.h"
#include "tui/text/carried.h"
#include "tui/views/positions/filter.h"
#include "tui/views/views.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { CTRL_O = 15 };

/* ---- bookmarks ---- */

static const struct bookmark *bookmark(const struct screens *s, size_t i)
{
	assert_true(i < bookmarks_of(&s->model)->count);
	return &bookmarks_of(&s->model)->list[i];
}

static void assert_count(const struct screens *s, size_t count)
{
	assert_int_equal(bookmarks_of(&s->model)->count, count);
}

static void bookmarks_are_kept(void **state)
{
	struct screens s;
	(void)state;
	screens_state("state/kept");
	screens_open(&s, library, QUEEN, false);
	assert_count(&s, 0);
	type(&s, "bookmark a\tqueen \x01");
	assert_said(&s, "Kept: a queen");
	type(&s, ROOK);
	type(&s, "bookmark");
	assert_said(&s, "Kept: " ROOK);
	screens_close(&s);

	screens_open(&s, library, NULL, false);
	assert_count(&s, 2);
	assert_string_equal(bookmark(&s, 0)->fen, QUEEN);
	assert_string_equal(bookmark(&s, 1)->name, "");
	type(&s, QUEEN);
	type(&s, "bookmark");
	assert_said(&s, "Kept already: a queen"); /* the name stays */
	type(&s, "bookmark Dürer");
	assert_said(&s, "Renamed: Dürer");
	assert_count(&s, 2);
	press(&s, 'K');
	assert_string_equal(shell_prompt_line(&s.model)->text, "bookmark Dürer");
	screens_close(&s);

	screens_open(&s, library, NULL, false);
	assert_string_equal(bookmark(&s, 0)->name, "Dürer");
	screens_close(&s);
	screens_state(NULL);
}

static void a_deleted_bookmark_comes_back(void **state)
{
	struct screens s;
	(void)state;
	screens_state("state/deleted");
	screens_open(&s, library, QUEEN, false);
	type(&s, "bookmark queen");
	type(&s, ROOK);
	type(&s, "bookmark rook");
	type(&s, "bookmarks");
	press(&s, 'D');
	assert_said(&s, "Deleted: queen. Press U to bring it back.");
	assert_count(&s, 1);
	press(&s, 'D');
	assert_count(&s, 0);
	press(&s, 'D');
	assert_said(&s, "no position");
	press(&s, 'U');
	assert_said(&s, "Back in the list: rook");
	press(&s, 'U');
	assert_string_equal(bookmark(&s, 1)->name, "queen");
	press(&s, 'U');
	assert_said(&s, "No bookmark was deleted");
	type(&s, "samples");
	press(&s, 'D');
	assert_said(&s, "Only bookmarks");
	screens_close(&s);
	screens_open(&s, library, NULL, false);
	assert_count(&s, 2);
	screens_close(&s);
	screens_state(NULL);
}

/* The readable part of a damaged file stays, and is rewritten; the whole file is put aside. */
static void damaged_bookmarks_are_put_aside(void **state)
{
	static const struct {
		const char *text, *why;
		size_t good;
	} bad[] = {
		{"nonsense\n", "state/bad/bookmarks:1: ", 0},
		{"endlab bookmarks 1\n" QUEEN "\tqueen\nnonsense\n" ROOK "\n", "bookmarks:3: ", 2},
		{"endlab bookmarks 1\n8/8/8/8/8/8/8/8 w - - 0 1\tno kings\n", "bookmarks:2: ", 0},
		{"endlab bookmarks 1\r\n\r\n" QUEEN "\tqueen\r\n\xff\xfe\r\n", "bookmarks:4: ", 1},
		{"endlab bookmarks 1\nendlab bookmarks 1\n", "bookmarks:2: ", 0},
	};
	struct screens s;
	struct stat there;
	(void)state;
	mkdir("state", 0700);
	mkdir("state/bad", 0700);
	screens_state("state/bad");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		unlink("state/bad/bookmarks.bad");
		write_text("state/bad/bookmarks", bad[i].text);
		screens_open(&s, library, NULL, false);
		assert_true(s.model.message.error);
		assert_said(&s, bad[i].why);
		assert_said(&s, "state/bad/bookmarks.bad");
		assert_count(&s, bad[i].good);
		assert_int_equal(stat("state/bad/bookmarks.bad", &there), 0);
		screens_close(&s);
		screens_open(&s, library, NULL, false); /* once is enough */
		assert_string_equal(s.model.message.text, "");
		assert_count(&s, bad[i].good);
		screens_close(&s);
	}
	/* Neither message replaces the other. */
	write_text("state/bad/bookmarks", "nonsense\n");
	write_text("state/bad/session", "nonsense\n");
	screens_open(&s, library, NULL, false);
	assert_said(&s, "state/bad/session:1: ");
	assert_said(&s, "state/bad/bookmarks:1: ");
	screens_close(&s);
	write_text("state/bad/bookmarks", "nonsense\n");
	write_text("state/bad/session", "endlab session 1\nline 0 " QUEEN "\n");
	screens_open(&s, library, NULL, false); /* "Resumed your last session" */
	assert_said(&s, "state/bad/bookmarks:1: ");
	screens_close(&s);
	screens_state(NULL);
}

/* No worker has written it yet: nothing says that it is kept, and nothing is lost. */
static void bookmarks_that_wait_for_the_disk(void **state)
{
	struct screens s;
	struct stat there;
	(void)state;
	screens_state("state/waiting");
	screens_open(&s, library, QUEEN, false);
	shell_typed(&s.model, "bookmark queen");
	assert_string_equal(s.model.message.text, "");
	assert_int_equal(stat("state/waiting/bookmarks", &there), -1);
	shell_typed(&s.model, ROOK);
	shell_typed(&s.model, "bookmark rook");
	assert_count(&s, 2);
	screens_settle(&s);
	assert_said(&s, "Kept: rook");
	shell_typed(&s.model, "bookmark the rook");
	screens_close(&s); /* quits at once */
	screens_open(&s, library, NULL, false);
	assert_count(&s, 2);
	assert_string_equal(bookmark(&s, 0)->name, "queen");
	assert_string_equal(bookmark(&s, 1)->name, "the rook");
	screens_close(&s);
	screens_state(NULL);
}

static void two_programs_keep_each_others_bookmarks(void **state)
{
	struct screens a, b;
	(void)state;
	screens_state("state/two");
	screens_open(&a, library, QUEEN, false);
	screens_open(&b, library, ROOK, false);
	type(&a, "bookmark queen");
	type(&b, "bookmark rook");
	assert_count(&b, 2);
	type(&a, "bookmarks");
	press(&a, 'D');
	assert_count(&a, 1);
	assert_string_equal(bookmark(&a, 0)->name, "rook");
	screens_close(&a);
	screens_close(&b);
	screens_state(NULL);
}

static void bookmarks_that_cannot_be_kept(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false); /* no folder: for this session */
	type(&s, "bookmark queen");
	assert_said(&s, "Kept until you quit: queen");
	type(&s, ROOK);
	type(&s, "bookmark rook");
	assert_count(&s, 2);
	screens_close(&s);
	screens_state("/dev/null");
	screens_open(&s, library, QUEEN, false);
	type(&s, "bookmark queen");
	assert_true(s.model.message.error);
	assert_said(&s, "/dev/null/bookmarks");
	screens_close(&s);
	mkdir("state", 0700);
	mkdir("state/folder", 0700);
	mkdir("state/folder/bookmarks", 0700); /* part of the file cannot be read */
	screens_state("state/folder");
	screens_open(&s, library, QUEEN, false);
	assert_said(&s, "state/folder/bookmarks");
	type(&s, "bookmark queen");
	assert_said(&s, "Kept until you quit");
	assert_int_equal(rmdir("state/folder/bookmarks"), 0);
	screens_close(&s);
	screens_state(NULL);
}

/* ---- the way back ---- */

static void the_way_back(void **state)
{
	struct screens s;
	const struct walk *w = &s.model.play.walk;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	press(&s, CTRL_O);
	assert_said(&s, "no view below");
	type(&s, "Qd5");
	type(&s, "Kb4");
	press(&s, K_LEFT);
	press(&s, 'E');
	press(&s, K_DOWN);
	press(&s, K_ENTER);
	assert_true(shell_is_shown(&s.model, VIEW_EXPLORE));
	assert_fen(&s, sample_at(1)->fen);
	press(&s, 't'); /* another position, from there */
	press(&s, CTRL_O);
	assert_true(shell_is_shown(&s.model, VIEW_POSITIONS));
	press(&s, K_DOWN); /* from the row where it was left */
	press(&s, K_ENTER);
	assert_fen(&s, sample_at(2)->fen);
	press(&s, CTRL_O);
	press(&s, CTRL_O);
	assert_true(shell_is_shown(&s.model, VIEW_EXPLORE));
	assert_int_equal(w->length, 3); /* the line, at the move where it was left */
	assert_int_equal(w->at, 1);
	assert_null(shell_below(&s.model));
	screens_close(&s);
}

/* q goes back too, and keeps the position. */
static void q_keeps_the_position(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	press(&s, 'E');
	press(&s, K_ENTER);
	press(&s, 'q');
	assert_true(shell_is_shown(&s.model, VIEW_POSITIONS));
	press(&s, 'q');
	assert_fen(&s, sample_at(0)->fen);
	screens_close(&s);
}

/* What a list says of a position stands below it as long as it is played on. */
static void the_caption_stays(void **state)
{
	struct screens s;
	char text[16384] = "";
	FILE *out = fmemopen(text, sizeof text, "w");
	(void)state;
	screens_open(&s, library, QUEEN, false);
	press(&s, 'E');
	press(&s, K_ENTER);
	type(&s, "Qh2+");
	assert_move(&s, 1, "Qh2+");
	screens_draw(&s);
	screens_print(&s, out);
	fclose(out);
	assert_non_null(strstr(text, sample_at(0)->what));
	type(&s, QUEEN);
	views[VIEW_EXPLORE]->caption(&s.model, text, sizeof text);
	assert_string_equal(text, "");
	screens_close(&s);
}

/* ---- filters ---- */

static bool holds(const char *words, const struct listed *l)
{
	struct filter f;
	struct el_error error;
	assert_int_equal(filter_parse(words, &f, &error), EL_OK);
	return filter_holds(&f, l, false);
}

static void filters(void **state)
{
	struct listed l = {.fen = "8/8/8/8/2r5/8/2k5/K6Q w - - 0 1",
	                   .game = &el_chess,
	                   .slice = "KQvKR",
	                   .note = "DTM",
	                   .name = "the longest win",
	                   .metric = &el_dtm,
	                   .value = {.outcome = EL_WIN, .plies = 69}};
	struct filter f = {.count = 0};
	struct el_error error;
	(void)state;
	static const char *const let_through[] = {
		"",
		"KQvKR",
		"KQKR",
		"KRvK KQvKR",
		"win",
		"draw win",
		"white",
		"dtm",
		"longest",
		"KQvKR win depth>60 LONGEST",
		"depth=69",
		"depth>=69",
		"depth<=69",
		">68",
		"DEPTH>60 depth<70",
		"plies=69",
		"Moves=35",
		"moves>34 plies>68",
		"  win   ",
		"8/8/8",
	};
	static const char *const kept_out[] = {
		"KRvK",       "loss",     "black",    "dtz",      "shortest",
		"KQvKR loss", "depth>69", "depth<69", "depth=70", "win depth>90",
		"KRvK win",   "moves=69", "plies=35",
	};
	static const char *const wrong[] = {"depth>",  "depth>x", "depth>6x",
	                                    "plies>x", ">-1",     "a b c d e f g h i"};
	for (size_t i = 0; i < sizeof let_through / sizeof *let_through; i++)
		assert_true(holds(let_through[i], &l));
	for (size_t i = 0; i < sizeof kept_out / sizeof *kept_out; i++)
		assert_false(holds(kept_out[i], &l));
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_int_equal(filter_parse(wrong[i], &f, &error), EL_USAGE);
	l.metric = NULL; /* unknown: neither won nor deep */
	assert_false(holds("win", &l));
	assert_false(holds("depth>60", &l));
}

static void filters_of_lists(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	type(&s, "samples KRvKN win");
	assert_int_equal(shell_list(&s.model, shell_view(&s.model))->count,
	                 0); /* there is no table */
	type(&s, "records KQvK");
	assert_int_equal(shell_list(&s.model, shell_view(&s.model))->count, 2);
	type(&s, "loss");
	assert_int_equal(shell_list(&s.model, shell_view(&s.model))->count, 2);
	type(&s, "depth>20");
	assert_int_equal(shell_list(&s.model, shell_view(&s.model))->count, 2);
	type(&s, "depth>x");
	assert_said(&s, "expected a depth");
	type(&s, "filter");
	assert_int_equal(shell_list(&s.model, shell_view(&s.model))->count, 4);
	type(&s, "zugzwangs KRvK");
	assert_int_equal(shell_list(&s.model, shell_view(&s.model))->count, 0);
	type(&s, "zugzwangs KQvKR");
	assert_said(&s, "There is no table of KQvKR");
	type(&s, "records --help"); /* with options it is the command */
	assert_true(shell_is_shown(&s.model, VIEW_TEXT));
	screens_close(&s);
}

/* Every sample is a legal position with a description. */
static void samples(void **state)
{
	size_t i = 0;
	(void)state;
	for (; sample_at(i); i++) {
		const struct el_game *game;
		struct el_position position;
		assert_int_equal(el_position_parse(sample_at(i)->fen, &game, &position, NULL),
		                 EL_OK);
		assert_int_equal(game->check(&position, NULL), EL_OK);
		assert_true(*sample_at(i)->what);
	}
	assert_true(i > 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bookmarks_are_kept),
		cmocka_unit_test(a_deleted_bookmark_comes_back),
		cmocka_unit_test(damaged_bookmarks_are_put_aside),
		cmocka_unit_test(bookmarks_that_wait_for_the_disk),
		cmocka_unit_test(two_programs_keep_each_others_bookmarks),
		cmocka_unit_test(bookmarks_that_cannot_be_kept),
		cmocka_unit_test(the_way_back),
		cmocka_unit_test(q_keeps_the_position),
		cmocka_unit_test(the_caption_stays),
		cmocka_unit_test(filters),
		cmocka_unit_test(filters_of_lists),
		cmocka_unit_test(samples),
	};
	return cmocka_run_group_tests(tests, shell_set_up, shell_clean_up);
}
