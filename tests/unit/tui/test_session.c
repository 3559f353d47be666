/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sessions: kept in a file, resumed, put aside if unreadable. */
#include "tests/fixtures/shell_fixture.h"

#include "tui/screen/theme.h"
#include "tui/shell/session.h"
#include "tui/shell/shell_inside.h"
#include "tui/views/views.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* The text of a session without moves, and the beginning of a game with moves. */
#define GAME " [FEN \"" QUEEN "\"]\n \n"

static void a_session_is_resumed(void **state)
{
	struct screens s;
	struct el_error error;
	const struct walk *w = &s.model.play.walk;
	(void)state;
	screens_state("state/resumed");
	screens_open(&s, library, NULL, false); /* there is none yet */
	assert_string_equal(s.model.message.text, "");
	type(&s, QUEEN);
	type(&s, "Qd5");
	type(&s, "Kb4");
	press(&s, K_LEFT);
	type(&s, "Kc2");
	type(&s, "comment a {brace} and\tmore");
	type(&s, ROOK);
	press(&s, 'U');
	press(&s, K_LEFT);
	press(&s, 'u');
	press(&s, 'f');
	type(&s, "rule 20");
	screens_event(&s, (struct event){.kind = EVENT_RESIZE, .rows = 24, .cols = 120});
	press(&s, '|');
	press(&s, '5');
	press(&s, 's');
	press(&s, 's');
	press(&s, 'T');
	assert_said(&s, "Theme light");
	type(&s, "blocks");
	assert_said(&s, "Pieces are drawn in halves");
	assert_int_equal(session_save(&s.model, &error), EL_OK);
	screens_close(&s);

	screens_open(&s, library, NULL, false);
	assert_said(&s, "Resumed your last session");
	assert_true(s.model.shell->theme_chosen);
	assert_string_equal(themes[s.model.shell->theme].name, "light");
	assert_true(s.model.shell->blocks_chosen);
	assert_int_equal(s.model.shell->blocks, BLOCKS_HALVES);
	assert_true(shell_is_shown(&s.model, VIEW_BUILD));
	assert_true(s.model.in_moves && s.model.flipped);
	assert_int_equal(s.model.rule, 20);
	assert_int_equal(s.model.beside, BESIDE_HISTOGRAM);
	assert_int_equal(s.model.builds.preset, EL_PRESET_SMALL);
	assert_int_equal(w->length, 3);
	assert_int_equal(w->at, 1);
	assert_move(&s, 2, "Kc2");
	press(&s, 'v');
	press(&s, '1');
	press(&s, K_RIGHT);
	press(&s, 'v');
	assert_move(&s, 2, "Kb4");
	assert_int_equal(w->tree->node_count, 4);
	assert_int_equal(s.model.play.kept_count, 0); /* without moves: not kept */
	screens_close(&s);

	screens_open(&s, library, ROOK, false); /* a position on the command line comes first */
	assert_fen(&s, ROOK);
	assert_true(shell_is_shown(&s.model, VIEW_EXPLORE));
	press(&s, 'U');
	assert_move(&s, 2, "Kc2");
	assert_true(w->edited);
	screens_close(&s);
	screens_state(NULL);
}

static void a_bad_session_is_put_aside(void **state)
{
	static const struct {
		const char *text, *why;
	} bad[] = {
		{"something else\n", "state/bad/session:1: "},
		{"endlab session 2\nnonsense\n", "state/bad/session:2: "},
		{"endlab session 2\ngame 0 x y\n", "state/bad/session:2: "},
		{"endlab session 2\ngame 0 0\n", "state/bad/session:2: "},
		{"endlab session 2\ngame 0 0 perhaps\n", "state/bad/session:2: "},
		{"endlab session 2\ngame 0 0 saved\n", "game without text"},
		{"endlab session 2\ngame 0 0 saved\n [FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n", ""},
		{"endlab session 2\n e4\n", "state/bad/session:2: "},
		{"endlab session 2\nfile 1 x\n", "state/bad/session:2: "},
		{"endlab session 2\nrule 50x\n", "state/bad/session:2: "},
	};
	struct screens s;
	struct stat there;
	struct el_error error;
	(void)state;
	mkdir("state", 0700);
	mkdir("state/bad", 0700);
	screens_state("state/bad");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		unlink("state/bad/session.bad");
		write_text("state/bad/session", bad[i].text);
		screens_open(&s, library, NULL, false);
		assert_true(s.model.message.error);
		assert_said(&s, bad[i].why);
		assert_said(&s, "state/bad/session.bad");
		assert_int_equal(stat("state/bad/session.bad", &there), 0);
		assert_int_not_equal(stat("state/bad/session", &there), 0);
		screens_close(&s);
	}
	/* All of it or nothing: a sound game is not loaded from a session with an unsound one. */
	write_text("state/bad/session",
	           "endlab session 2\ngame 0 0 saved\n [FEN \"x\"]\ngame 0 0 saved\n" GAME);
	screens_open(&s, library, QUEEN, false);
	assert_fen(&s, QUEEN);
	assert_int_equal(s.model.play.kept_count, 0);
	screens_close(&s);
	write_text("state/bad/session", "endlab session 2\nview Nowhere\ngame 7 9 saved\n" GAME);
	screens_open(&s, library, NULL, false); /* unknown things are skipped */
	assert_fen(&s, QUEEN);
	assert_true(shell_is_shown(&s.model, VIEW_EXPLORE));
	screens_close(&s);
	/* Words that are no move stay, as a comment. */
	write_text("state/bad/session",
	           "endlab session 2\ngame 1 1 edited\n" GAME " 1. Qd5 Ka9 nonsense\n");
	for (int i = 0; i < 2; i++) {
		screens_open(&s, library, NULL, false);
		assert_move(&s, 1, "Qd5");
		assert_int_equal(session_save(&s.model, &error), EL_OK);
		const struct el_tree *tree = s.model.play.walk.tree;
		const struct el_note *note = el_tree_comment(tree, tree->nodes[1].notes);
		assert_non_null(note);
		assert_string_equal(note->text, "Ka9 nonsense");
		screens_close(&s);
	}
	screens_state(NULL);
}

static void a_full_session_loses_nothing(void **state)
{
	struct screens s;
	struct el_error error;
	FILE *out;
	(void)state;
	mkdir("state", 0700);
	mkdir("state/full", 0700);
	out = fopen("state/full/session", "w");
	assert_non_null(out);
	fputs("endlab session 2\n", out);
	for (int i = 0; i <= GAMES_KEPT; i++)
		fprintf(out,
		        "game 1 1 edited\n [FEN \"8/8/8/8/8/2k5/8/K2Q4 w - - 0 %d\"]\n %d. Ka2\n",
		        i + 1, i + 1);
	fclose(out);
	screens_state("state/full");
	for (int i = 0; i < 2; i++) {
		screens_open(&s, library, NULL, false);
		assert_int_equal(s.model.play.kept_count, GAMES_KEPT);
		assert_int_equal(s.model.play.kept[GAMES_KEPT - 1].length, 2);
		assert_int_equal(session_save(&s.model, &error), EL_OK);
		screens_close(&s);
	}
	screens_open(&s, library, NULL, false);
	type(&s, QUEEN); /* one more: the oldest goes */
	assert_said(&s, "oldest of the 64 games");
	screens_close(&s);
	screens_state(NULL);
}

static void an_unreadable_session_is_left_alone(void **state)
{
	struct screens s;
	struct el_error error;
	(void)state;
	mkdir("state", 0700);
	mkdir("state/folder", 0700);
	mkdir("state/folder/session", 0700);
	screens_state("state/folder");
	screens_open(&s, library, QUEEN, false);
	assert_said(&s, "state/folder/session");
	assert_int_equal(session_save(&s.model, &error), EL_OK); /* over nothing */
	assert_int_equal(rmdir("state/folder/session"), 0);
	screens_close(&s);
	screens_state(NULL);
}

/* Two programs at once: the one that ends last keeps the games of both. */
static void sessions_side_by_side_lose_nothing(void **state)
{
	struct screens first, second;
	struct el_error error;
	(void)state;
	screens_state("state/both");
	screens_open(&first, library, QUEEN, false);
	screens_open(&second, library, ROOK, false);
	type(&first, "Qd5");
	type(&second, "Kb3");
	assert_int_equal(session_save(&first.model, &error), EL_OK);
	assert_int_equal(session_save(&second.model, &error), EL_OK);
	assert_int_equal(session_save(&second.model, &error), EL_OK); /* its own, not another's */
	assert_int_equal(second.model.play.kept_count, 1);
	screens_close(&first);
	screens_close(&second);
	screens_open(&first, library, NULL, false);
	assert_move(&first, 1, "Kb3");
	press(&first, 'U');
	assert_move(&first, 1, "Qd5");
	screens_close(&first);
	screens_state(NULL);
}

/* It is said at the start, and is an error only if a changed game of the user's is lost. */
static void a_session_that_cannot_be_kept(void **state)
{
	struct screens s;
	struct el_error error;
	(void)state;
	FILE *game = fopen("own.pgn", "w");
	assert_non_null(game);
	fputs("[SetUp \"1\"]\n[FEN \"" QUEEN "\"]\n\n*\n", game);
	fclose(game);
	screens_state("/dev/null/endlab");
	screens_open(&s, library, QUEEN, false);
	assert_said(&s, "This session cannot be kept (Not a directory): /dev/null/endlab/session");
	press(&s, ' ');
	assert_string_equal(s.model.message.text, "");
	assert_int_equal(session_save(&s.model, &error), EL_OK);
	type(&s, "open own.pgn");
	assert_int_equal(session_save(&s.model, &error), EL_OK); /* the file has it all */
	press(&s, ' ');
	assert_int_equal(session_save(&s.model, &error), EL_IO);
	assert_non_null(strstr(error.text, "/dev/null/endlab/session"));
	type(&s, "save");
	assert_int_equal(session_save(&s.model, &error), EL_OK);
	screens_close(&s);
	screens_state(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_session_is_resumed),
		cmocka_unit_test(a_bad_session_is_put_aside),
		cmocka_unit_test(a_full_session_loses_nothing),
		cmocka_unit_test(an_unreadable_session_is_left_alone),
		cmocka_unit_test(sessions_side_by_side_lose_nothing),
		cmocka_unit_test(a_session_that_cannot_be_kept),
	};
	return cmocka_run_group_tests(tests, shell_set_up, shell_clean_up);
}
