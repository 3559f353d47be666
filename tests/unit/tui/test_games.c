/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Games on the board: from files and pastes, judged, changed, saved. */
#include "tests/fixtures/shell_fixture.h"

#include "tui/shell/session.h"
#include "tui/views/views.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define FIRST                                                                          \
	"[Event \"First\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[FEN \"" QUEEN "\"]\n\n" \
	"1. Qd5 Kc2 (1... Kb4 {the other way} 2. Qd4+) 2. Qd4 Kc1 3. Qd3 *\n"
#define SECOND "[Event \"Second\"]\n[FEN \"" ROOK "\"]\n\n1... Kb3 2. Rd3+ *\n"
#define THIRD  "1. e4 e5 2. Ke3 Nf6 *\n" /* an illegal move in it */

static char *read_text(const char *path)
{
	char *text = NULL;
	size_t size = 0;
	FILE *in = fopen(path, "r");
	assert_non_null(in);
	assert_true(getdelim(&text, &size, '\0', in) > 0);
	fclose(in);
	return text;
}

static void assert_file(const char *path, const char *expected)
{
	char *text = read_text(path);
	assert_string_equal(text, expected);
	free(text);
}

static void a_file_is_walked(void **state)
{
	struct screens s;
	const struct walk *w = &s.model.play.walk;
	(void)state;
	write_text("three.pgn", FIRST "\r\n" SECOND "\n" THIRD);
	screens_open(&s, library, NULL, false);
	type(&s, "open three.pgn");
	assert_int_equal(w->length, 6);
	assert_int_equal(w->tree->node_count, 8);
	assert_int_equal(s.model.games.count, 3);
	assert_said(&s, "3 games");
	press(&s, '{');
	assert_said(&s, "first game");
	press(&s, '}');
	assert_move(&s, 1, "Kb3");
	press(&s, '}');
	assert_move(&s, 2, "e5");
	assert_int_equal(w->length, 3);
	assert_said(&s, "three.pgn:13: game 3, move 2");
	press(&s, '}');
	assert_said(&s, "last game");
	press(&s, 'O');
	assert_true(shell_is_shown(&s.model, VIEW_GAMES));
	assert_int_equal(shell_list(&s.model, views[VIEW_GAMES])->at, 2);
	type(&s, "search ann");
	press(&s, K_ENTER);
	assert_true(shell_is_shown(&s.model, VIEW_EXPLORE));
	assert_move(&s, 1, "Qd5");
	screens_close(&s);
}

struct half_way {
	struct model *model;
	const struct job *job;
	size_t seen; /* the most games that were in the list while it was read */
};

static int hear(void *context, const struct el_progress *report)
{
	struct half_way *h = context;
	struct job_progress progress = {.job = h->job->number};
	job_progress_set(&progress, h->job, report);
	shell_progress(h->model, h->job->lane, &progress);
	if (h->model->games.count) { /* the first ones can be opened while others are read */
		h->seen = h->model->games.count;
		assert_false(h->model->games.ask.known);
		assert_string_equal(h->model->games.rows[0].players, "Ann - Bob");
		assert_int_equal(h->model->games.rows[0].moves, 3);
	}
	return h->seen < 2; /* the user stops it */
}

static void a_list_fills_as_it_is_read(void **state)
{
	struct screens s;
	struct job *job;
	(void)state;
	write_text("three.pgn", FIRST "\r\n" SECOND "\n" THIRD);
	screens_open(&s, library, NULL, false);
	games_look(&s.model, "three.pgn");
	while ((job = model_take_job(&s.model)) && job->lane != LANE_LOOK) {
		job_run(job, NULL);
		shell_job_done(&s.model, job);
	}
	struct half_way half = {.model = &s.model, .job = job};
	assert_non_null(job);
	job_run(job, &(struct el_watch){&half, hear});
	assert_int_equal(half.seen, 2);
	shell_job_done(&s.model, job);
	assert_int_equal(s.model.games.count, 2);
	assert_true(s.model.games.stopped);
	assert_true(s.model.games.ask.known);
	screens_close(&s);
}

#define SLOW      "[FEN \"8/8/8/4k3/8/8/4K3/7Q w - - 0 1\"]\n\n1. Qh5+ *\n"
#define STALEMATE "[FEN \"k7/2Q5/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. Qb6 *\n"

static void assert_sum(const struct screens *s, size_t row, unsigned mistakes, unsigned lost)
{
	const struct game_row *game = &s->model.games.rows[row];
	assert_int_equal(game->summed, SUM_KNOWN);
	assert_int_equal(game->sum.side[EL_WHITE].mistakes, mistakes);
	assert_int_equal(game->sum.side[EL_WHITE].halves, mistakes);
	assert_int_equal(game->sum.side[EL_WHITE].lost, lost);
	assert_int_equal(game->sum.from, row < 2);
}

/* Refuses to go on. */
static int stop(void *context, const struct el_progress *report)
{
	(void)context;
	(void)report;
	return 0;
}

static void raw_key(struct screens *s, int key)
{
	shell_update(&s->model, &(struct event){.kind = EVENT_KEY, .key = key});
}

/* The list says what the moves cost while it is on screen; it waits for nobody. */
static void listed_games_are_judged(void **state)
{
	struct screens s;
	struct job *job;
	(void)state;
	write_text("judged.pgn", SLOW "\n" STALEMATE "\n" THIRD);
	screens_open(&s, library, NULL, false);
	type(&s, "open judged.pgn");
	const struct games *g = &s.model.games;
	assert_int_equal(g->rows[0].summed, SUM_OPEN); /* no list is on screen */
	raw_key(&s, 'O');
	job = model_take_job(&s.model);
	assert_string_equal(job->title, "judging games");
	raw_key(&s, 'q');
	assert_int_equal(model_take_stop(&s.model), job->number);
	job_run(job, &(struct el_watch){NULL, stop});
	assert_int_equal(job->status, EL_STOPPED);
	shell_job_done(&s.model, job);
	assert_int_equal(g->rows[0].summed, SUM_OPEN);
	press(&s, 'O');
	assert_sum(&s, 0, 0, 2);
	assert_sum(&s, 1, 1, 0);
	assert_sum(&s, 2, 0, 0);
	/* known ones are kept; another rule judges anew, and so do other tables */
	press(&s, 'q');
	press(&s, 'O');
	assert_null(model_job(&s.model, LANE_PROBE));
	play_set_rule(&s.model, 0);
	raw_key(&s, K_DOWN);
	assert_int_equal(g->rows[0].summed, SUM_OPEN);
	screens_settle(&s);
	assert_sum(&s, 1, 1, 0);
	/* a file that is no longer what was listed */
	write_text("judged.pgn", STALEMATE "\n" STALEMATE "\n" THIRD "\n");
	s.model.tables_version++;
	press(&s, K_UP);
	assert_said(&s, "judged.pgn has changed since its games were listed");
	assert_int_equal(g->rows[0].summed, SUM_FAILED);
	screens_close(&s);
}

/* A line is read like one of `probe --stdin`, and says what was left out; so are packed files. */
static void positions_are_read_leniently(void **state)
{
#define LONG                                                                                   \
	"a comment that goes on far beyond the length of any position, so that a line cut to " \
	"such a length "                                                                       \
	"would have lost the end of it"
	static const struct {
		const char *fen, *words;
	} rows[] = {
		{"8/8/8/8/8/2k5/8/KQ6 w - - 99 120",
	         "castling KQ left out: White has no king on b1 to g1"},
		{"4k3/8/8/8/8/8/8/4K2R w K - 99 90",
	         "castling Qkq left out: White has no rook on a1 to d1"},
		{"1B6/1B6/8/1k6/8/1K6/1P6/8 w - - 0 1", "bm #5; 00:00;"},
		{"4k3/8/8/2p5/8/6P1/6K1/8 w - - 0 1", "dm 0;"},
		{"8/8/8/8/8/2k5/8/KQ6 w - - 0 1", "White wins"},
		{"8/8/8/8/8/2k5/8/KQ6 w - - 0 1",
	         "id \"x\"; castling KQ left out: White has no king on b1 to g1"},
		{"8/8/8/8/8/2k5/8/KQ6 w - - 0 1", "h8 is the key"},
		{"8/8/8/8/8/2k5/8/KQ6 w - - 7 1", "hmvc 7; c0 \"" LONG "\";"},
		{"8/8/8/8/8/2k5/8/KQ6 w - - 0 1", "moves a1a2"},
	};
	struct screens s;
	const struct position_file *f = &s.model.positions;
	(void)state;
	write_text("odd.epd",
	           "8/8/8/8/8/2k5/8/KQ6 w KQ - 99 120\r4k3/8/8/8/8/8/8/4K2R w KQkq - 99 90\r"
	           "1B6/1B6/8/1k6/8/1K6/1P6/8 w - - bm #5; 00:00;\r"
	           "4k3/8/8/2p5/8/6P1/6K1/8 w - c6 dm 0;\r"
	           "8/8/8/8/8/2k5/8/KQ6 w - - White wins\r"
	           "8/8/8/8/8/2k5/8/KQ6 w KQ - 0 1 id \"x\";\r"
	           "8/8/8/8/8/2k5/8/KQ6 w - - h8 is the key\r"
	           "8/8/8/8/8/2k5/8/KQ6 w - - hmvc 7; c0 \"" LONG "\";\r"
	           "8/8/8/8/8/2k5/8/KQ6 w - - 0 1 moves a1a2");
	assert_int_equal(system("gzip -kf odd.epd"), 0);
	screens_open(&s, library, QUEEN, false);
	for (unsigned packed = 0; packed < 2; packed++) {
		type(&s, packed ? "open odd.epd.gz" : "open odd.epd");
		assert_int_equal(f->opened, 1 + packed);
		assert_int_equal(f->count, sizeof rows / sizeof *rows);
		for (size_t i = 0; i < f->count; i++) {
			assert_string_equal(f->rows[i].fen, rows[i].fen);
			assert_string_equal(f->rows[i].words, rows[i].words);
		}
	}
	/* A heading does not make a game of it. */
	write_text("headed.txt", "the best ones\n8/8/8/8/8/2k5/8/KQ6 w - - 0 1\n");
	type(&s, "open headed.txt");
	assert_said(&s, "headed.txt:1: 'the best ones' is not a position");
	assert_int_equal(f->count, 1);
	screens_close(&s);
}

/* A file that begins with a position is a list of them, whatever its name and the games. */
static void a_file_of_positions_is_listed(void **state)
{
	static const char *const fens[] = {"8/8/8/8/8/2k5/8/K2Q4 w - - 0 1",
	                                   "8/8/8/8/8/2k5/8/K2R4 b - - 3 60",
	                                   "8/8/8/8/8/2k5/8/K2R4 b - - 0 1", "W:WK3,20:BK30"};
	static const char *const words[] = {"bm Qd5; id \"one two\";", "", "", "a study"};
	static const size_t lines[] = {3, 4, 5, 8};
	struct screens s;
	const struct position_file *f = &s.model.positions;
	(void)state;
	write_text("some.txt", "# mine\n\n8/8/8/8/8/2k5/8/K2Q4 w - - bm Qd5; id \"one two\";\r\n"
	                       "8/8/8/8/8/2k5/8/K2R4 b - - 3 60\n  8/8/8/8/8/2k5/8/K2R4 b - -\n"
	                       "none\n9/8/8/8 w - -\nW:WK3,20:BK30 a study");
	write_text("three.pgn", FIRST SECOND THIRD);
	screens_open(&s, library, QUEEN, false);
	type(&s, "open some.txt");
	assert_true(shell_is_shown(&s.model, VIEW_POSITIONS));
	assert_said(&s, "some.txt:6: 'none' is not a position");
	assert_int_equal(f->count, 4);
	for (size_t i = 0; i < f->count; i++) {
		assert_string_equal(f->rows[i].fen, fens[i]);
		assert_string_equal(f->rows[i].words ? f->rows[i].words : "", words[i]);
		assert_int_equal(f->rows[i].line, lines[i]);
	}
	assert_int_equal(shell_list(&s.model, views[VIEW_POSITIONS])->count, 4);
	press(&s, K_DOWN);
	press(&s, K_ENTER);
	assert_true(shell_is_shown(&s.model, VIEW_EXPLORE));
	assert_fen(&s, fens[1]);
	press(&s, 15);
	press(&s, K_TAB); /* from the last list to the first, and back */
	assert_int_not_equal(shell_list(&s.model, views[VIEW_POSITIONS])->count, 4);
	press(&s, K_BACKTAB);
	assert_int_equal(shell_list(&s.model, views[VIEW_POSITIONS])->count, 4);
	assert_null(s.model.games.rows);
	press(&s, K_ESCAPE);
	type(&s, "open three.pgn");
	assert_int_equal(s.model.games.count, 3);
	assert_true(shell_is_shown(&s.model, VIEW_EXPLORE));
	screens_close(&s);
}

/* If no table ranks the moves, Enter plays the game's own. */
static void enter_follows_the_game(void **state)
{
	struct screens s;
	const struct walk *w = &s.model.play.walk;
	(void)state;
	write_text("opening.pgn", "1. e4 e5 2. Nf3 *\n");
	screens_open(&s, library, NULL, false);
	type(&s, "open opening.pgn");
	for (int i = 0; i < 3; i++)
		press(&s, K_ENTER);
	assert_int_equal(w->at, 3);
	assert_int_equal(w->tree->node_count, 4);
	screens_close(&s);
}

static void what_is_no_file_of_games_is_said(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	type(&s, "open nowhere.pgn");
	assert_said(&s, "nowhere.pgn: No such file");
	write_text("blank.pgn", " \n\n");
	type(&s, "open blank.pgn");
	assert_said(&s, "no game in it");
	type(&s, "open");
	assert_said(&s, ":open game.pgn");
	assert_fen(&s, QUEEN);
	screens_close(&s);
}

/* Of the four half-moves two lead to positions of KQvKR, which has no table. The first position that a table
   could know is the one after the bishop is gone. */
static void what_a_game_lacks_is_said(void **state)
{
	struct screens s;
	(void)state;
	write_text("lacks.pgn", "[FEN \"8/8/8/8/8/2kb4/3r4/1Q2K3 w - - 0 1\"]\n\n"
	                        "1. Qxd3+ Rxd3 2. Kf2 Rd2+ *\n"
	                        "[FEN \"8/8/8/1r2k3/8/8/8/1Q2K3 w - - 0 1\"]\n\n"
	                        "1. Kd2 Rb4 2. Qxb4 Kd5 *\n");
	screens_open(&s, library, NULL, false);
	type(&s, "open lacks.pgn");
	press(&s, '}');
	assert_said(&s, "2 half-moves are in KQvKR: not built. Press b to build 1 table, ");
	assert_fen(&s, "8/8/8/1r2k3/8/8/8/1Q2K3 w - - 0 1");
	press(&s, ']');
	assert_said(&s, "half-moves were not judged. Press b to build what they need.");
	press(&s, 'b');
	assert_said(&s, "Built and verified 1 table: KQvKR.");
	assert_int_equal(s.model.play.needs.count, 0);
	screens_close(&s);
	unlink("tables/KQvKR.dtm.egt");
	el_library_rescan(library, NULL);
}

/* The mistakes are the moves that change the outcome, from wherever the search starts. */
static void mistakes_are_found(void **state)
{
	struct screens s;
	const struct walk *w = &s.model.play.walk;
	(void)state;
	write_text("thrown.pgn", "[FEN \"" QUEEN "\"]\n\n1. Qd5 Kc2 2. Qb3+ Kxb3 3. Kb1 Kc3 *\n");
	screens_open(&s, library, NULL, false);
	type(&s, "open thrown.pgn");
	press(&s, ']');
	assert_int_equal(w->at, 3); /* the queen is given away */
	assert_int_equal(verdict_of(&s.model, walk_node(w))->kind, EL_VERDICT_THREW);
	press(&s, ']');
	assert_said(&s, "No later mistake");
	press(&s, K_END);
	press(&s, '[');
	assert_int_equal(w->at, 3);
	press(&s, '[');
	assert_said(&s, "No earlier mistake");
	screens_close(&s);
}

static void changes_are_saved(void **state)
{
	struct screens s;
	const struct walk *w = &s.model.play.walk;
	(void)state;
	write_text("two.pgn", FIRST "\n\n" SECOND);
	screens_open(&s, library, NULL, false);
	type(&s, "open two.pgn");
	press(&s, K_RIGHT);
	press(&s, K_RIGHT);
	press(&s, 'v');
	press(&s, 'p');
	assert_false(el_tree_variation(w->tree, walk_node(w)));
	press(&s, K_RIGHT);
	press(&s, 'D');
	assert_said(&s, "2. Qd4+.");
	press(&s, 'x'); /* no: nothing happens */
	assert_int_equal(w->length, 4);
	press(&s, 'D');
	press(&s, 'y');
	assert_int_equal(w->length, 3);
	type(&s, "comment first words");
	shell_show(&s.model, VIEW_MAP);
	type(&s, "comment"); /* from another view, too */
	assert_said(&s, "Removed the comment: first words");
	type(&s, "comment");
	assert_said(&s, "no comment here");
	type(&s, "comment my own words");
	assert_true(w->edited);
	type(&s, "save");
	assert_said(&s, "Saved as game 1 of two.pgn");
	assert_false(w->edited);
	assert_file("two.pgn",
	            "[Event \"First\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[FEN \"" QUEEN "\"]\n\n"
	            "1. Qd5 Kb4 {my own words} (1... Kc2 2. Qd4 Kc1 3. Qd3) *\n\n\n" SECOND);
	press(&s, '}');
	type(&s, "comment the last one");
	type(&s, "save two.pgn");
	assert_file("two.pgn",
	            "[Event \"First\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[FEN \"" QUEEN "\"]\n\n"
	            "1. Qd5 Kb4 {my own words} (1... Kc2 2. Qd4 Kc1 3. Qd3) *\n\n\n"
	            "[Event \"Second\"]\n[FEN \"" ROOK
	            "\"]\n\n{the last one} 1... Kb3 2. Rd3+ *\n");
	screens_close(&s);
}

static void no_file_is_written_over(void **state)
{
	struct screens s;
	(void)state;
	write_text("old.pgn", "[FEN \"" ROOK "\"]\n\n1... Kb3 *");
	screens_open(&s, library, QUEEN, false);
	type(&s, "Qd5");
	type(&s, "save");
	assert_said(&s, "has no file");
	type(&s, "save old.pgn");
	assert_said(&s, "Press y to add");
	assert_file("old.pgn", "[FEN \"" ROOK "\"]\n\n1... Kb3 *");
	press(&s, 'y');
	assert_said(&s, "game 2 of old.pgn");
	assert_file("old.pgn", "[FEN \"" ROOK "\"]\n\n1... Kb3 *\n\n"
	                       "[SetUp \"1\"]\n[FEN \"" QUEEN "\"]\n\n1. Qd5 *\n\n");
	type(&s, "save new.pgn");
	assert_said(&s, "game 1 of new.pgn");
	assert_file("new.pgn", "[SetUp \"1\"]\n[FEN \"" QUEEN "\"]\n\n1. Qd5 *\n\n");
	write_text("new.pgn", FIRST SECOND); /* by another program */
	type(&s, "save");
	assert_said(&s, "has changed");
	assert_file("new.pgn", FIRST SECOND);
	write_text("notes.txt", "Buy milk [and bread\n");
	type(&s, "append notes.txt");
	assert_said(&s, "no file of games");
	assert_file("notes.txt", "Buy milk [and bread\n");
	type(&s, "open notes.txt");
	assert_said(&s, "notes.txt: no game or position in it");
	assert_file("notes.txt", "Buy milk [and bread\n");
	type(&s, "save /dev/full");
	assert_said(&s, "found a device, expected a file");
	type(&s, "save /tmp");
	assert_said(&s, "found a folder, expected a file");
	type(&s, "save /nowhere/x.pgn");
	assert_said(&s, "/nowhere");
	screens_close(&s);
}

/* The file is read again, and may have changed. */
static void a_game_of_the_last_session_is_saved(void **state)
{
	struct screens s;
	struct el_error error;
	(void)state;
	write_text("resumed.pgn", FIRST "\n" SECOND);
	screens_state("resumed");
	screens_open(&s, library, NULL, false);
	type(&s, "open resumed.pgn");
	press(&s, '}');
	type(&s, "comment mine");
	assert_int_equal(session_save(&s.model, &error), EL_OK);
	screens_close(&s);

	write_text("resumed.pgn", FIRST "\n" FIRST); /* by another program */
	screens_open(&s, library, NULL, false);
	assert_int_equal(s.model.play.walk.file[0], '/'); /* wherever this run starts */
	type(&s, "save");
	assert_said(&s, "Save again");
	type(&s, "save");
	assert_said(&s, "another game");
	assert_file("resumed.pgn", FIRST "\n" FIRST);
	screens_close(&s);

	write_text("resumed.pgn", FIRST);
	screens_open(&s, library, NULL, false);
	type(&s, "save");
	type(&s, "save");
	assert_said(&s, "no game 2 any more");
	unlink("resumed.pgn");
	type(&s, "save");
	assert_said(&s, "Saved as game 1 of /");
	screens_close(&s);

	write_text("resumed.pgn", FIRST "\n" SECOND);
	screens_open(&s, library, NULL, false);
	type(&s, "save");
	type(&s, "save");
	assert_said(&s, "Saved as game 2 of /");
	assert_file("resumed.pgn", FIRST "\n[Event \"Second\"]\n[FEN \"" ROOK
	                                 "\"]\n\n{mine} 1... Kb3 2. Rd3+ *\n");
	screens_close(&s);
	screens_state(NULL);
}

/* It is kept as text, and there is nothing to comment on. */
static void an_unreadable_game_takes_no_comment(void **state)
{
	struct screens s;
	(void)state;
	write_text("bad.pgn", "[FEN \"nonsense\"]\n\n1. Qd5 *\n");
	screens_open(&s, library, QUEEN, false);
	type(&s, "open bad.pgn");
	assert_true(s.model.play.walk.tree->unreadable);
	type(&s, "comment lost");
	assert_said(&s, "start of this game cannot be read");
	assert_false(s.model.play.walk.edited);
	screens_close(&s);
}

static void a_pasted_game_is_opened(void **state)
{
	struct screens s;
	const struct event paste = {.kind = EVENT_PASTE, .text = "\n" FIRST "\n" SECOND};
	const struct event moves = {.kind = EVENT_PASTE, .text = "1. e4 e5 2. Nf3"};
	(void)state;
	screens_open(&s, library, ROOK, false);
	type(&s, "Kb3");
	screens_event(&s, paste);
	assert_false(shell_prompt_line(&s.model)->open);
	assert_move(&s, 1, "Qd5");
	press(&s, '}');
	assert_move(&s, 1, "Kb3");
	assert_move(&s, 2, "Rd3+");
	press(&s, 'U');
	press(&s, 'U');
	assert_int_equal(s.model.play.walk.length, 2); /* what was on the board */
	screens_event(&s, moves);
	assert_move(&s, 3, "Nf3");
	press(&s, 'U');
	press(&s, 'U'); /* a game of the previous paste: its other games are gone */
	press(&s, '{');
	assert_said(&s, "gone");
	screens_close(&s);
}

static void a_game_is_copied(void **state)
{
	struct screens s;
	(void)state;
	screens_open(&s, library, QUEEN, false);
	type(&s, "Qd5");
	press(&s, 'Y');
	assert_string_equal(shell_take_wishes(&s.model).copy,
	                    "[SetUp \"1\"]\n[FEN \"" QUEEN "\"]\n\n1. Qd5 *\n\n");
	screens_close(&s);
}

/* A random walk of moves and deletions: the line is always one of the tree, and places name
   nodes. */
static void a_walk_keeps_to_its_tree(void **state)
{
	struct walk w, copy;
	struct el_error error;
	struct el_position start;
	struct el_move moves[EL_MOVES_MAX];
	unsigned random = 1;
	(void)state;
	assert_int_equal(el_chess.parse(QUEEN, &start, &error), EL_OK);
	assert_int_equal(walk_open(&w, &el_chess, &start, &error), EL_OK);
	for (int i = 0; i < 3000; i++) {
		random = random * 1103515245u + 12345u;
		const unsigned choice = random >> 16;
		const size_t count = el_chess.moves(&walk_shown(&w)->position, moves);
		if (choice % 8 < 3 && count)
			assert_int_equal(walk_play(&w, &moves[choice % count], &error), EL_OK);
		else if (choice % 8 == 3 && w.at && choice % 5 == 0)
			walk_delete(&w);
		else if (choice % 8 == 4)
			walk_promote(&w);
		else
			walk_to_place(&w, choice % 50);
		assert_true(w.at < w.length && w.line[0] == EL_TREE_ROOT);
		for (size_t k = 1; k < w.length; k++)
			assert_int_equal(el_tree_node(w.tree, w.line[k])->parent, w.line[k - 1]);
		assert_int_equal(el_tree_node(w.tree, w.line[w.length - 1])->child, EL_NO_NODE);
		const uint32_t node = walk_node(&w), fork = walk_fork(&w);
		walk_to_place(&w, walk_place(&w, node));
		assert_int_equal(walk_node(&w), node);
		if (fork != EL_TREE_ROOT)
			assert_int_equal(walk_sibling(&w, walk_sibling(&w, fork, 1), -1), fork);
	}
	char *text;
	size_t length;
	struct el_games *games;
	struct el_tree *tree;
	assert_int_equal(el_tree_write(w.tree, &text, &length, &error), EL_OK);
	assert_int_equal(el_games_open_text("walk", text, length, &games, &error), EL_OK);
	assert_int_equal(el_games_next(games, &tree, &error), EL_OK);
	assert_int_equal(walk_take(&copy, tree, &error), EL_OK);
	for (size_t place = 0; place < 50; place++) {
		walk_to_place(&w, place);
		walk_to_place(&copy, place);
		assert_true(
			el_position_equal(&walk_shown(&w)->position, &walk_shown(&copy)->position));
	}
	el_games_close(games);
	free(text);
	walk_free(&w);
	walk_free(&copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_walked),
		cmocka_unit_test(a_list_fills_as_it_is_read),
		cmocka_unit_test(listed_games_are_judged),
		cmocka_unit_test(positions_are_read_leniently),
		cmocka_unit_test(a_file_of_positions_is_listed),
		cmocka_unit_test(enter_follows_the_game),
		cmocka_unit_test(what_is_no_file_of_games_is_said),
		cmocka_unit_test(what_a_game_lacks_is_said),
		cmocka_unit_test(mistakes_are_found),
		cmocka_unit_test(changes_are_saved),
		cmocka_unit_test(no_file_is_written_over),
		cmocka_unit_test(a_game_of_the_last_session_is_saved),
		cmocka_unit_test(an_unreadable_game_takes_no_comment),
		cmocka_unit_test(a_pasted_game_is_opened),
		cmocka_unit_test(a_game_is_copied),
		cmocka_unit_test(a_walk_keeps_to_its_tree),
	};
	screens_start();
	return cmocka_run_group_tests(tests, shell_set_up, shell_clean_up);
}
