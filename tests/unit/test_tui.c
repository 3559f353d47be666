/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts that the screens are made of: canvas, colours, keys, prompt, worker. */
#include "screens.h"

#include "tui/shell/keys.h"
#include "tui/model/worker.h"
#include "tui/shell/line.h"
#include "tui/views/views.h"
#include "tui/screen/prompt.h"
#include "tui/screen/theme.h"
#include "tui/screen/widgets/board.h"

#include <math.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- canvas ---- */

static void row_text(const struct canvas *c, int y, char *out)
{
	for (int x = 0; x < c->cols; x++)
		out += utf8_encode(c->cells[y * c->cols + x].glyph, out);
	*out = '\0';
}

static void drawing_stays_in_its_pane(void **state)
{
	struct canvas c = {0};
	char text[64];
	(void)state;
	assert_true(canvas_resize(&c, 5, 12));
	struct pane p = pane_sub(pane_of(&c), 1, 2, 3, 6);
	pane_text(p, 1, -2, ROLE_TEXT, "abcdefghijk");
	pane_text(p, -1, 0, ROLE_TEXT, "above");
	pane_text(p, 3, 0, ROLE_TEXT, "below");
	row_text(&c, 2, text);
	assert_string_equal(text, "  cdefgh    ");
	for (int y = 0; y < 5; y += 4) {
		row_text(&c, y, text);
		assert_string_equal(text, "            ");
	}
	struct pane outside = pane_sub(p, 2, 4, 10, 10);
	assert_int_equal(outside.rows, 1);
	assert_int_equal(outside.cols, 2);
	assert_int_equal(pane_sub(p, 7, 7, 3, 3).rows, 0);
	assert_int_equal(pane_sub(p, -5, -5, 3, 3).cols, 0);
	canvas_free(&c);
}

static void utf8_goes_there_and_back(void **state)
{
	static const uint32_t glyphs[] = {'a',    0xE9,   0x7FF,   0x800,
					  0x265A, 0xFFFD, 0x10000, 0x10FFFF};
	(void)state;
	for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++) {
		char bytes[5] = {0};
		const char *at = bytes;
		size_t length = utf8_encode(glyphs[i], bytes);
		assert_int_equal(utf8_decode(&at), glyphs[i]);
		assert_int_equal(at - bytes, length);
		assert_int_equal(utf8_length(bytes), 1);
	}
	const char *broken = "\xE2\x99";
	assert_int_equal(utf8_decode(&broken), '?');
	assert_int_equal(*broken, '\0');
}

static void words_are_folded(void **state)
{
	struct canvas c = {0};
	char text[64];
	(void)state;
	canvas_resize(&c, 2, 12);
	assert_int_equal(pane_wrap(pane_of(&c), 0, ROLE_TEXT, "one two three four five"), 2);
	row_text(&c, 0, text);
	assert_string_equal(text, "one two     ");
	row_text(&c, 1, text);
	assert_string_equal(text, "three ...   ");
	canvas_resize(&c, 3, 12);
	assert_int_equal(pane_wrap(pane_of(&c), 0, ROLE_TEXT, "W:WK1,22,23:BK30,31,32"), 3);
	row_text(&c, 0, text);
	assert_string_equal(text, "W:WK1,22,   ");
	row_text(&c, 1, text);
	assert_string_equal(text, "23:BK30,31, ");
	row_text(&c, 2, text);
	assert_string_equal(text, "32          ");
	canvas_free(&c);
}

/* ---- colours: contrast as WCAG 2 defines it ---- */

static double channel(double c)
{
	c /= 255;
	return c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* Of a colour of the 6 x 6 x 6 cube. */
static double luminance(int c256)
{
	static const double levels[] = {0, 95, 135, 175, 215, 255};
	assert_in_range(c256, 16, 231);
	int n = c256 - 16;
	return 0.2126 * channel(levels[n / 36]) + 0.7152 * channel(levels[n / 6 % 6]) +
	       0.0722 * channel(levels[n % 6]);
}

static double contrast(int a, int b)
{
	double la = luminance(a), lb = luminance(b);
	return la > lb ? (la + 0.05) / (lb + 0.05) : (lb + 0.05) / (la + 0.05);
}

static void both_sides_are_seen_on_every_square(void **state)
{
	(void)state;
	for (const struct theme *t = themes; t->name; t++) {
		for (int role = ROLE_SQUARE_LIGHT; role <= ROLE_SQUARE_PICKED && !t->mono; role++) {
			int ground = t->paint[role].c256;
			assert_true(contrast(ground, t->paint[ROLE_PIECE_WHITE].c256) >= 3);
			assert_true(contrast(ground, t->paint[ROLE_PIECE_BLACK].c256) >= 3);
		}
	}
}

static void every_role_tells_its_squares_apart_with_few_colours(void **state)
{
	(void)state;
	for (const struct theme *t = themes; t->name && !t->mono; t++) {
		assert_int_not_equal(t->paint[ROLE_SQUARE_LIGHT].c8, t->paint[ROLE_SQUARE_DARK].c8);
		assert_int_not_equal(t->paint[ROLE_SQUARE_LIGHT].c16,
				     t->paint[ROLE_SQUARE_DARK].c16);
		assert_int_not_equal(t->paint[ROLE_PIECE_WHITE].c8, t->paint[ROLE_PIECE_BLACK].c8);
	}
}

/* ---- keys ---- */

static void check_table(const struct binding *table)
{
	for (const struct binding *a = table; a->name; a++) {
		assert_non_null(a->help);
		assert_true(a->keys[0] || a->typed);
		assert_true(!a->hint || a->keys[0]);
		for (const struct binding *b = table; b < a; b++) {
			assert_string_not_equal(a->name, b->name);
			for (int i = 0; i < 4; i++)
				assert_true(!a->keys[i / 2] || a->keys[i / 2] != b->keys[i % 2]);
		}
	}
}

static void no_key_and_no_name_means_two_things(void **state)
{
	(void)state;
	check_table(global_bindings);
	for (const struct view *const *v = views; *v; v++) {
		if ((*v)->strip)
			check_table((*v)->strip->bindings);
		if (!(*v)->bindings)
			continue;
		check_table((*v)->bindings);
		for (const struct view *const *w = views; w != v; w++)
			assert_true(!(*v)->key || (*v)->key != (*w)->key);
		for (const struct binding *b = (*v)->bindings; b->name; b++)
			assert_true(b->keys[0] < '1' || b->keys[0] > '9');
	}
}

/* Bindings of Set up must leave the letters of pieces alone, or they would never be reached. */
static void letters_of_pieces_are_free(void **state)
{
	(void)state;
	for (const struct el_game *const *game = el_games; *game; game++)
		for (const struct binding *b = views[VIEW_SETUP]->bindings; b->name; b++)
			for (int i = 0; i < 2; i++)
				assert_true(!b->keys[i] || b->keys[i] > 127 ||
					    !strchr((*game)->kinds, b->keys[i] & ~0x20) ||
					    b->keys[i] < 'A');
}

/* ---- prompt ---- */

static char home[] = "/tmp/endlab-tui-XXXXXX";

static struct el_library *empty_library(void)
{
	struct el_library_options options = {.directory = home};
	struct el_library *library;
	assert_int_equal(el_library_open(&options, &library, NULL), EL_OK);
	return library;
}

static char **complete_line(void *model, const char *line, size_t start)
{
	return line_complete(model, line, start);
}

static char *type(struct model *m, const char *text)
{
	char *line = NULL;
	for (; *text && !line; text++)
		line = prompt_key(shell_prompt_line(m), (unsigned char)*text);
	return line;
}

static void assert_typed(struct model *m, const char *text, const char *expected)
{
	char *line = type(m, text);
	assert_non_null(line);
	assert_string_equal(line, expected);
	assert_false(shell_prompt_line(m)->open);
	free(line);
}

static void start_prompt(struct model *m)
{
	shell_prompt_line(m)->open = true;
	prompt_begin(shell_prompt_line(m));
}

static void the_prompt_edits_completes_and_remembers(void **state)
{
	struct screens s;
	struct model *m = &s.model;
	struct el_library *library = empty_library();
	char path[sizeof home + 32];
	(void)state;
	setenv("XDG_STATE_HOME", home, 1);
	screens_open(&s, library, "8/8/8/8/8/2k5/8/K2Q4 w - - 0 1", true);
	prompt_open(complete_line, m);

	start_prompt(m);
	assert_typed(m, "ab\001x\005y\n", "xaby"); /* ^A and ^E */
	start_prompt(m);
	assert_null(type(m, "auto\t"));
	assert_string_equal(shell_prompt_line(m)->text, "autoplay ");
	assert_int_equal(shell_prompt_line(m)->cursor, 9);
	assert_null(prompt_key(shell_prompt_line(m), K_LEFT));
	assert_int_equal(shell_prompt_line(m)->cursor, 8);
	assert_null(prompt_key(shell_prompt_line(m), K_ESCAPE));
	assert_false(shell_prompt_line(m)->open);

	start_prompt(m);
	assert_null(type(m, "Qd\t"));
	assert_non_null(strstr(shell_prompt_line(m)->matches, "Qd3+"));
	assert_non_null(strstr(shell_prompt_line(m)->matches, "Qd8"));
	assert_null(type(m, "\025KQvKR\t"));
	assert_string_equal(shell_prompt_line(m)->text, "KQvKR ");
	assert_null(type(m, "\025stats KRv\t"));
	assert_non_null(strstr(shell_prompt_line(m)->matches, "KRvKN"));
	assert_null(prompt_key(shell_prompt_line(m), 3));

	start_prompt(m);
	assert_null(prompt_key(shell_prompt_line(m), K_UP));
	assert_string_equal(shell_prompt_line(m)->text, "xaby");
	assert_null(prompt_key(shell_prompt_line(m), K_ESCAPE));
	line_run(m, "  flip ");
	assert_true(m->flipped);
	prompt_close();
	snprintf(path, sizeof path, "%s/endlab/history", home);
	FILE *history = fopen(path, "r");
	assert_non_null(history);
	assert_non_null(fgets(path, sizeof path, history));
	assert_string_equal(path, "xaby\n");
	fclose(history);
	screens_close(&s);
	el_library_close(library);
}

static char **no_words(void *unused, const char *line, size_t start)
{
	(void)unused;
	(void)line;
	(void)start;
	return NULL;
}

static char **words_out_of_order(void *context, const char *line, size_t start)
{
	static const char *const words[] = {"teach", "lab", "KRvK", "lab", "build", "teach"};
	enum { COUNT = sizeof words / sizeof *words };
	char **list = calloc(COUNT + 1, sizeof *list);
	assert_non_null(list);
	assert_string_equal(line + start, "");
	for (size_t i = 0; i < COUNT; i++)
		list[i] = strdup(words[i]);
	++*(int *)context;
	return list;
}

static void press(struct prompt_line *p, const char *text)
{
	for (; *text; text++)
		assert_null(prompt_key(p, (unsigned char)*text));
}

static char *enter(struct prompt_line *p, const char *text)
{
	p->open = true;
	prompt_begin(p);
	press(p, text);
	char *line = prompt_key(p, K_ENTER);
	assert_non_null(line);
	return line;
}

static void assert_entered(struct prompt_line *p, const char *text, const char *expected)
{
	char *line = enter(p, text);
	assert_string_equal(line, expected);
	free(line);
}

/* Ways to leave a line half-way: in a search, behind the first of two keys, with a change to be
   undone, on an old line that was changed. */
static void an_abandoned_line_leaves_nothing_behind(void **state)
{
	static const char *const beginnings[] = {
		"\022te", "\022te\022", "\022x", "\023", "\030", "abc", "\020zz",
		"\020\022t", "\030(abc",
	};
	static const int leaving[] = {K_ESCAPE, 3, 7};
	struct prompt_line p = {.open = false};
	(void)state;
	setenv("XDG_STATE_HOME", "/dev/null", 1);
	prompt_open(no_words, NULL);
	assert_entered(&p, "teach KRvK", "teach KRvK");
	for (size_t i = 0; i < 3 * sizeof beginnings / sizeof *beginnings; i++) {
		p.open = true;
		prompt_begin(&p);
		press(&p, beginnings[i / 3]);
		assert_null(prompt_key(&p, leaving[i % 3]));
		assert_false(p.open);
		assert_entered(&p, "list", "list");
		assert_entered(&p, "ab\037\037\037", ""); /* ^_ undoes */
		assert_entered(&p, "\020\020", "teach KRvK");
	}
	prompt_close();
}

static void matches_stand_in_the_order_given_each_once(void **state)
{
	struct prompt_line p = {.open = true};
	int asked = 0;
	(void)state;
	setenv("XDG_STATE_HOME", "/dev/null", 1);
	prompt_open(words_out_of_order, &asked);
	prompt_begin(&p);
	press(&p, "\t");
	assert_string_equal(p.matches, "teach  lab  KRvK  build  ");
	assert_int_equal(asked, 1);
	assert_null(prompt_key(&p, K_ESCAPE));
	prompt_close();
}

static void a_paste_is_put_in_as_it_is(void **state)
{
	static char text[PROMPT_LINE_MAX + 10];
	struct prompt_line p = {.open = true};
	(void)state;
	setenv("XDG_STATE_HOME", "/dev/null", 1);
	prompt_open(no_words, NULL);
	prompt_begin(&p);
	press(&p, "fen |\002");
	prompt_insert(&p, "8/8 w\n- -\tq\303\251\n\n");
	assert_string_equal(p.text, "fen 8/8 w - - q\303\251|");
	assert_int_equal(p.cursor, 16);
	assert_string_equal(p.matches, "");
	press(&p, "\037"); /* ^_ */
	assert_string_equal(p.text, "fen |");
	press(&p, "\005\025\022"); /* ^E, ^U, ^R */
	prompt_insert(&p, "late");
	assert_string_equal(p.text, "late");
	press(&p, "\025");
	memset(text, 'x', sizeof text - 1);
	memcpy(text + PROMPT_LINE_MAX - 1, "\303\251", 2);
	prompt_insert(&p, text);
	assert_non_null(strstr(p.matches, "too long: 4094 of 4104"));
	char *line = prompt_key(&p, K_ENTER);
	assert_non_null(line);
	assert_int_equal(strlen(line), PROMPT_LINE_MAX - 1);
	free(line);
	prompt_close();
}

/* ---- worker ---- */

struct count_job {
	struct job job;
	int ticks; /* until it is done by itself */
	int *freed;
};

static void count_run(struct job *job, const struct el_watch *watch)
{
	struct count_job *j = (struct count_job *)job;
	for (int i = 0; i < j->ticks; i++) {
		struct el_progress p = {"counting", "sheep", i, j->ticks, "sheep"};
		if (!el_watch_tick(watch, &p)) {
			job->status = EL_STOPPED;
			return;
		}
		usleep(1000);
	}
}

static void count_free(struct job *job)
{
	++*((struct count_job *)job)->freed;
	free(job);
}

/* Returns the number of the job. */
static uint64_t submit(struct worker *w, int ticks, int *freed)
{
	static uint64_t number;
	struct count_job *j = calloc(1, sizeof *j);
	assert_non_null(j);
	j->job = (struct job){
		.number = ++number, .run = count_run, .free = count_free, .title = "counting"};
	j->ticks = ticks;
	j->freed = freed;
	worker_submit(w, &j->job);
	return number;
}

static struct job *wait_for_job(struct worker *w)
{
	for (;;) {
		struct pollfd fd = {worker_fd(w), POLLIN, 0};
		assert_int_equal(poll(&fd, 1, 10000), 1);
		worker_acknowledge(w);
		struct job *job = worker_collect(w);
		if (job)
			return job;
	}
}

static void the_worker_reports_and_stops(void **state)
{
	struct worker *w;
	struct job_progress progress;
	int freed = 0;
	(void)state;
	assert_int_equal(worker_open(&w, NULL), EL_OK);
	submit(w, 3, &freed);
	struct job *job = wait_for_job(w);
	assert_int_equal(job->status, EL_OK);
	job->free(job);

	const uint64_t long_job = submit(w, 1000000, &freed), waiting = submit(w, 3, &freed);
	for (progress.done = 0; progress.done < 3;) {
		struct pollfd fd = {worker_fd(w), POLLIN, 0};
		assert_int_equal(poll(&fd, 1, 10000), 1);
		worker_acknowledge(w);
		if (!worker_progress(w, &progress))
			progress.done = 0;
	}
	assert_string_equal(progress.what, "sheep");
	assert_true(progress.total > 999999);
	assert_int_equal(progress.job, long_job);

	worker_stop(w, waiting); /* at once, and the other one goes on */
	job = wait_for_job(w);
	assert_int_equal(job->number, waiting);
	assert_int_equal(job->status, EL_STOPPED);
	job->free(job);
	worker_stop(w, waiting); /* of no job any more */
	assert_true(worker_progress(w, &progress));
	worker_stop(w, long_job);
	job = wait_for_job(w);
	assert_int_equal(job->number, long_job);
	assert_int_equal(job->status, EL_STOPPED);
	job->free(job);
	assert_false(worker_progress(w, &progress));

	submit(w, 1000000, &freed);
	submit(w, 1000000, &freed);
	worker_close(w);
	assert_int_equal(freed, 5);
}

/* ---- the board's geometry ---- */

static void the_cursor_reaches_every_square(void **state)
{
	(void)state;
	for (const struct el_game *const *game = el_games; *game; game++) {
		for (int flipped = 0; flipped < 2; flipped++) {
			uint64_t seen = 0, all = 0;
			unsigned file, rank;
			uint8_t corner = 0;
			for (uint8_t square = 0; square < 64; square++)
				if (el_square_find(*game, square, &file, &rank))
					all |= (uint64_t)1 << (corner = square);
			/* Down to the last row, then from each square of a column to both ends of
			 * its row. */
			for (int i = 0; i < 10; i++)
				corner = square_beside(*game, flipped, corner, DOWN);
			for (int row = 0; row < (*game)->ranks; row++) {
				for (enum direction way = LEFT; way <= RIGHT; way++) {
					uint8_t at = corner;
					for (int i = 0; i < 10;
					     i++, at = square_beside(*game, flipped, at, way))
						seen |= (uint64_t)1 << at;
				}
				corner = square_beside(*game, flipped, corner, UP);
			}
			assert_true(seen == all);
		}
	}
}

/* A step and the one back, where the first one has moved at all. */
static void a_step_is_taken_back(void **state)
{
	static const enum direction back[] = {RIGHT, LEFT, DOWN, UP};
	(void)state;
	for (const struct el_game *const *game = el_games; *game; game++)
		for (uint8_t square = 0; square < 64; square++)
			for (int i = 0; i < 8; i++) {
				const enum direction way = (enum direction)(i % 4);
				unsigned file, rank;
				if (!el_square_find(*game, square, &file, &rank))
					continue;
				uint8_t to = square_beside(*game, i > 3, square, way);
				if (to != square)
					assert_int_equal(square_beside(*game, i > 3, to, back[way]),
					                 square);
			}
}

static int make_home(void **state)
{
	(void)state;
	return mkdtemp(home) ? 0 : -1;
}

static int remove_home(void **state)
{
	char command[sizeof home + 16];
	(void)state;
	snprintf(command, sizeof command, "rm -r %s", home);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drawing_stays_in_its_pane),
		cmocka_unit_test(utf8_goes_there_and_back),
		cmocka_unit_test(words_are_folded),
		cmocka_unit_test(both_sides_are_seen_on_every_square),
		cmocka_unit_test(every_role_tells_its_squares_apart_with_few_colours),
		cmocka_unit_test(no_key_and_no_name_means_two_things),
		cmocka_unit_test(letters_of_pieces_are_free),
		cmocka_unit_test(the_prompt_edits_completes_and_remembers),
		cmocka_unit_test(an_abandoned_line_leaves_nothing_behind),
		cmocka_unit_test(matches_stand_in_the_order_given_each_once),
		cmocka_unit_test(a_paste_is_put_in_as_it_is),
		cmocka_unit_test(the_worker_reports_and_stops),
		cmocka_unit_test(the_cursor_reaches_every_square),
		cmocka_unit_test(a_step_is_taken_back),
	};
	return cmocka_run_group_tests(tests, make_home, remove_home);
}
