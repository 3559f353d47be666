/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Screens compared with ones that a person has checked: each tests/screens/NAME.keys is replayed
 * through the real update and draw code, and must give tests/screens/NAME.screen. What must hold of all
 * screens is checked of each one at four sizes (screens_hold.h), which must change nothing. UPDATE=1
 * rewrites the screens; SCRIPT=NAME in the environment tests only that one.
 */
#include "tests/fixtures/foreign_fixture.h"
#include "tests/fixtures/screens.h"
#include "tests/fixtures/tables.h"

#include "core/probe/probe.h"
#include "core/study/study.h"
#include "tui/views/views.h"

#include <dirent.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char scripts[PATH_MAX];

/* ---- the tables that the screens show ---- */

static const char *const chess[] = {"KQvK", "KRvK", "KPvK", "KQvKR", NULL};
static const char *const draughts[] = {"KQvKR", "checkers:KMvK", "checkers:MMvM", NULL};
static const char *const morris[] = {"morris:4v3", NULL};
static const char *const in_hand[] = {"morris:0v0+3+3", NULL};
static const char *const stones[] = {"awari:7", NULL};
static const char *const drawn[] = {"KBvK", "KQvKR", NULL};
static const char *const none[] = {NULL};
static const char *const rook[] = {"KRvK", NULL};
static const char *const men[] = {"checkers:KvM", "checkers:MvM", NULL};
static const char *const men_in_bounds[] = {"checkers:KMvM", "checkers:MMvM", "checkers:MMvMM",
                                            NULL};

/* The tables of scripts whose names begin with a word; the last ones serve all other scripts. */
static struct tables_of {
	const char *word, *directory;
	const char *const *slices, *const *partial;
	struct el_library *library;
} tables_of[] = {
	{"draughts", "draughts", draughts, NULL, NULL},
	{"bounds", "bounds", men, men_in_bounds, NULL},
	{"morris", "morris", morris, NULL, NULL},
	{"placing", "placing", in_hand, NULL, NULL},
	{"awari", "awari", stones, NULL, NULL},
	{"foreign", "foreign", drawn, NULL, NULL},
	{"studies", "studies", none, NULL, NULL},
	{"frames", "frames", rook, NULL, NULL},
	{"", "tables", chess, NULL, NULL},
};
enum { TABLES = sizeof tables_of / sizeof *tables_of };

static struct el_library *library_of(const char *script)
{
	const struct tables_of *t = tables_of;
	while (strncmp(script, t->word, strlen(t->word)))
		t++;
	return t->library;
}

/* Another program's table beside ours: KBvK, all draws. */
static bool add_foreign(const char *directory)
{
	char path[64];
	snprintf(path, sizeof path, "%s/KBvK.rtbw", directory);
	FILE *file = mkdir(directory, 0700) ? NULL : fopen(path, "wb");
	const bool written = file && fwrite(all_draws, sizeof all_draws, 1, file) == 1;
	return file && !fclose(file) && written;
}

/* A study of two pawns against two, without promotions, beside tables. */
static bool add_study(const char *directory)
{
	static const struct el_study_room room = {.memory = UINT64_MAX, .folder = "."};
	char path[64];
	struct el_position root;
	struct el_study *study;
	snprintf(path, sizeof path, "%s/KPPvKPP.study", directory);
	if (mkdir(directory, 0700) ||
	    el_chess.parse("8/8/2p5/p1P5/P7/8/k7/2K5 w - - 0 1", &root, NULL) ||
	    el_study_open(&el_chess, &root, &room, NULL, &study, NULL))
		return false;
	const bool good = !el_study_write(study, NULL, path, NULL, NULL, NULL);
	el_study_close(study);
	return good;
}

/* Screens show the folder, so it needs the same name everywhere. */
static bool add_folder(const char *name)
{
	char path[PATH_MAX + 16];
	snprintf(path, sizeof path, "%s/%s", scripts, name);
	return !symlink(path, name);
}

static int set_up(void **state)
{
	(void)state;
	if (!realpath("tests/screens", scripts) || !screens_enter())
		return -1;
	if (!add_folder("lessons") || !add_folder("games"))
		return -1;
	screens_lessons("lessons");
	mkdir("tables", 0700);
	FILE *broken = fopen("tables/KNNvK.dtm.egt", "w");
	if (!broken || fclose(broken) || !add_foreign("foreign") || !add_study("frames"))
		return -1;
	for (struct tables_of *t = tables_of; t < tables_of + TABLES; t++)
		screens_library(t->directory, t->slices, t->partial, &t->library);
	return 0;
}

static int clean_up(void **state)
{
	(void)state;
	for (struct tables_of *t = tables_of; t < tables_of + TABLES; t++)
		el_library_close(t->library);
	return screens_leave();
}

/* ---- scripts and screens ---- */

static char *read_all(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;
	if (!file)
		return NULL;
	if (getdelim(&text, &size, '\0', file) < 0) {
		free(text);
		text = NULL;
	}
	fclose(file);
	return text;
}

static void write_all(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void print_difference(const char *name, const char *expected, const char *found)
{
	while (*expected || *found) {
		int e = (int)strcspn(expected, "\n"), f = (int)strcspn(found, "\n");
		if (e != f || memcmp(expected, found, (size_t)e))
			printf("%s\n  expected |%.*s|\n  found    |%.*s|\n", name, e, expected, f,
			       found);
		expected += e + (expected[e] == '\n');
		found += f + (found[f] == '\n');
	}
}

/* The next script must not see what `verify` keeps beside tables. */
static void forget_verified(void)
{
	for (struct tables_of *t = tables_of; t < tables_of + TABLES; t++) {
		char path[PATH_MAX];
		snprintf(path, sizeof path, "%s/.verified.tsv", t->directory);
		unlink(path);
	}
}

static bool check_script(const char *name)
{
	char path[PATH_MAX + 256];
	char *found = NULL;
	size_t size;
	snprintf(path, sizeof path, "%s/%s", scripts, name);
	FILE *script = fopen(path, "r"), *out = open_memstream(&found, &size);
	forget_verified();
	assert_non_null(script);
	assert_non_null(out);
	bool good = screens_replay(script, library_of(name), out);
	fclose(script);
	fclose(out);
	strcpy(strrchr(path, '.'), ".screen");
	char *expected = read_all(path);
	if (getenv("UPDATE"))
		write_all(path, found);
	else if (!expected || strcmp(expected, found)) {
		print_difference(name, expected ? expected : "", found);
		good = false;
	}
	free(expected);
	free(found);
	return good;
}

static int is_script(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.'), *only = getenv("SCRIPT");
	const size_t length = dot ? (size_t)(dot - entry->d_name) : 0;
	return dot && !strcmp(dot, ".keys") &&
	       (!only || (strlen(only) == length && !memcmp(entry->d_name, only, length)));
}

static void screens_are_as_expected(void **state)
{
	struct dirent **names;
	int count = scandir(scripts, &names, is_script, alphasort), bad = 0;
	(void)state;
	assert_true(count > (getenv("SCRIPT") ? 0 : 10));
	for (int i = 0; i < count; i++) {
		bad += !check_script(names[i]->d_name);
		free(names[i]);
	}
	free(names);
	printf("note: %d key scripts compared with their screens\n", count);
	assert_int_equal(bad, 0);
}

/* ---- properties of every screen ---- */

static unsigned random_below(unsigned bound)
{
	static unsigned long long state = 12345;
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % bound;
}

static struct event random_event(const struct screens *s)
{
	static const int special[] = {K_UP,     K_DOWN,   K_LEFT,      K_RIGHT,
	                              K_HOME,   K_END,    K_ENTER,     K_TAB,
	                              K_ESCAPE, K_DELETE, K_PAGE_DOWN, K_BACKSPACE};
	struct event e = {.kind = EVENT_KEY};
	switch (random_below(8)) {
	case 0:
		e.kind = EVENT_CLICK;
		if (s->canvas.zone_count)
			e.zone = s->canvas.zones[random_below((unsigned)s->canvas.zone_count)];
		break;
	case 1:
		e.kind = random_below(4) ? EVENT_WHEEL : EVENT_TICK;
		e.value = random_below(2) ? 1 : -1;
		break;
	case 2:
	case 3:
	case 4:
		e.key = special[random_below(sizeof special / sizeof *special)];
		break;
	default:
		e.key = ' ' + (int)random_below(95);
	}
	return e;
}

/* Verifying and counting take long under a sanitizer, and quitting ends the test. */
static bool is_dear(const struct screens *s, const struct event *e)
{
	int key = e->kind == EVENT_KEY ? e->key : e->zone.kind == ZONE_KEY ? e->zone.value : 0;
	bool at_tables = shell_is_shown(&s->model, VIEW_TABLES) &&
	                 (key == K_ENTER || key == 'v' || key == 'w' || key == 'z');
	/* No tables exist for their slices. */
	bool at_positions = shell_is_shown(&s->model, VIEW_POSITIONS) &&
	                    (key == K_TAB || key == K_ENTER || e->kind == EVENT_CLICK);
	bool at_help = shell_is_shown(&s->model, VIEW_HELP) && key == K_ENTER;
	return at_tables || at_positions || at_help || key == 'b' || key == 'c';
}

/* Views that no key opens. */
static void show_some_view(struct screens *s)
{
	static const char *const lines[] = {"index",       "index 1234", "index checkers:KMvKM",
	                                    "index KRvKP", "bounds",     "bounds exit LW"};
	shell_typed(&s->model, lines[random_below(sizeof lines / sizeof *lines)]);
	screens_settle(s);
}

/* Legal, or the remains after a side has lost its last piece. */
static bool is_of_a_game(const struct el_game *game, const struct el_position *position)
{
	struct el_move moves[EL_MOVES_MAX];
	return !game->check(position, NULL) || !game->moves(position, moves);
}

/* Whatever is pressed or clicked, at any size: no crash, every glyph suits its mode, and the
   explored position is legal. */
static void let_the_monkey_play(const char *tables, const char *fen, int events)
{
	struct screens s;
	screens_open(&s, library_of(tables), fen, false);
	s.model.unhurried = false;
	events /= tests_are_thorough() && !tests_are_slow() ? 1 : 6;
	for (int i = 0; i < events; i++) {
		struct event e = random_event(&s);
		s.model.now += 50;
		if (random_below(40) == 0)
			e = (struct event){.kind = EVENT_RESIZE,
			                   .rows = (int)random_below(70) + 1,
			                   .cols = (int)random_below(200) + 1};
		if (!is_dear(&s, &e))
			screens_event(&s, e);
		if (random_below(60) == 0)
			show_some_view(&s);
		shell_prompt_line(&s.model)->open = false;
		s.canvas.ascii = i % 2;
		screens_draw(&s);
		assert_true(is_of_a_game(play_game(&s.model), play_position(&s.model)));
		for (int c = 0; s.canvas.ascii && c < s.canvas.rows * s.canvas.cols; c++)
			assert_true(s.canvas.cells[c].glyph >= ' ' &&
			            s.canvas.cells[c].glyph < 127);
	}
	screens_close(&s);
}

static void a_monkey_breaks_nothing(void **state)
{
	(void)state;
	const int keys = tests_are_thorough() ? 3000 : 1000;
	let_the_monkey_play("chess", "8/8/8/1k6/8/8/1K1Q3r/8 w - - 0 1", 2 * keys);
	let_the_monkey_play("draughts", "W:WK3,20:BK30", keys);
	let_the_monkey_play("bounds", "W:W13,32:B15", keys);
	let_the_monkey_play("morris", "W:Wa1,d1,g1:Ba7,d7,g4,b2", keys);
	let_the_monkey_play("morris", "W:Wa1+2:Bd1+2", keys);
	let_the_monkey_play("placing", "W:W+3:B+3", keys);
	let_the_monkey_play("awari", "0-0-2-1-0-1-2-0-0-1-0-0-0-0-S", keys);
	let_the_monkey_play("awari", "0-0-0-1-0-1-2-0-0-1-0-0-21-22-N", keys);
}

/* Every best move of a line lowers the depth by one, as its length says. */
static void play_to_the_end(const char *tables, const char *fen)
{
	struct screens s;
	screens_open(&s, library_of(tables), fen, false);
	const struct el_metric *metric = s.model.play.study->answer.metric;
	unsigned plies = s.model.play.study->answer.value[el_metric_rank(metric)].plies;
	assert_true(plies > 4);
	for (unsigned left = plies; left > 0; left--) {
		const struct el_answer *a = &s.model.play.study->answer;
		assert_int_equal(a->value[el_metric_rank(metric)].plies, left);
		screens_event(&s, (struct event){.kind = EVENT_KEY, .key = ' '});
	}
	assert_true(s.model.play.study->answer.over);
	assert_int_equal(s.model.play.walk.at, plies);
	screens_close(&s);
}

static void space_plays_to_the_end(void **state)
{
	(void)state;
	play_to_the_end("chess", "8/8/8/8/8/2k5/8/K2Q4 w - - 0 1");
	play_to_the_end("draughts", "W:WK3,20:BK30");
	play_to_the_end("draughts", "B:WK3,20:BK30");
	play_to_the_end("morris", "W:Wa4,d7,g4:Bb6,c5,d6,g1");
	play_to_the_end("placing", "W:W+3:B+3");
}

/* Screens show the memory that a solution takes, which grows with the threads; workers take their
   number from the environment, which OpenMP reads before main. */
static void begin_anew_with_two_threads(char **argv)
{
	const char *threads = getenv("OMP_NUM_THREADS");
	if (threads && !strcmp(threads, "2"))
		return;
	setenv("OMP_NUM_THREADS", "2", 1);
	execv(argv[0], argv); /* not /proc/self/exe, which is another program under valgrind */
	perror(argv[0]);
	exit(1);
}

int main(int argc, char **argv)
{
	(void)argc;
	begin_anew_with_two_threads(argv);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(screens_are_as_expected),
		cmocka_unit_test(a_monkey_breaks_nothing),
		cmocka_unit_test(space_plays_to_the_end),
	};
	if (getenv("SCRIPT"))
		cmocka_set_test_filter("screens_are_as_expected");
	return cmocka_run_group_tests(tests, set_up, clean_up);
}
