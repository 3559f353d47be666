/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Practice: films asked for, positions drawn by difficulty, moves judged, scores; beside what built
   tables say. */
#include "positions.h"
#include "screens.h"
#include "shelf_fixture.h"
#include "tui/views/practice/practice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- films, by hand ---- */

static const struct el_film *film_of(struct model *shelf, const char *name)
{
	struct el_slice slice = slice_named(name);
	return shelf_film(shelf, &slice);
}

static void look(struct practice_game *g, struct model *shelf)
{
	if (!practice_look(g, shelf)) {
		shelf_make(shelf);
		assert_true(practice_look(g, shelf));
	}
}

/* ---- difficulty ---- */

static void a_level_draws_wins_of_its_depths(void **state)
{
	enum { DRAWN = 40 };
	(void)state;
	for (int s = 0; shelf_slices[s]; s++) {
		struct model shelf = shelf_model(7);
		const struct el_film *film = film_of(&shelf, shelf_slices[s]);
		const struct el_game *game = film->wish.slice.game;
		bool colour[2] = {false, false};
		for (int level = 1; level <= PRACTICE_LEVELS; level++) {
			struct film_range range = practice_range(film, level);
			assert_true(range.from >= 1 && range.from <= range.to);
			for (int i = 0; i < DRAWN; i++) {
				struct el_position p;
				assert_true(film_sample(&shelf, film, range, &p));
				assert_int_equal(game->check(&p, NULL), EL_OK);
				struct el_value v = shelf_value(game, &p);
				assert_int_equal(v.outcome, EL_WIN);
				assert_in_range(v.plies, range.from, range.to);
				colour[p.side] = true;
			}
		}
		assert_true(colour[EL_WHITE] && colour[EL_BLACK]);
		model_free(&shelf);
	}
}

/* The longest wins are known: KRK 16 moves, KQKR 35. */
static void levels_share_all_depths(void **state)
{
	(void)state;
	struct model shelf = shelf_model(1);
	const struct el_film *rook = film_of(&shelf, "KRvK"), *queen = film_of(&shelf, "KQvKR");
	assert_int_equal(film_deepest(rook), 31);
	assert_int_equal(film_deepest(queen), 69);
	for (int i = 0; i < 2; i++) {
		const struct el_film *film = i ? queen : rook;
		unsigned next = 1;
		for (int level = 1; level <= PRACTICE_LEVELS; level++) {
			struct film_range range = practice_range(film, level);
			assert_int_equal(range.from, next);
			next = range.to + 1;
		}
		assert_int_equal(practice_range(film, 1).to, 5);
		assert_int_equal(next, film_deepest(film) + 1);
	}
	const struct el_film *none = film_of(&shelf, "KNvK");
	struct el_position p;
	assert_int_equal(film_deepest(none), 0);
	assert_false(film_sample(&shelf, none, practice_range(none, 3), &p));
	model_free(&shelf);
}

/* ---- judging ---- */

/* Plays each move of a position, takes it back, and compares the judgement with the table's. */
static void judge_all(struct practice_game *g, struct model *shelf,
                      const struct el_answer *a)
{
	const size_t rank = el_metric_rank(el_game_metric(g->game));
	const struct el_value best = a->moves[0].value[rank];
	assert_int_equal(g->move_count, a->count);
	assert_int_equal(g->score.possible, best.plies);
	for (size_t i = 0; i < a->count; i++) {
		const struct el_value got = shelf_ranked(a, g->moves[i].san)->value[rank];
		const unsigned thrown = g->score.thrown, taken = g->score.taken_back;
		assert_true(i == 0 || strcmp(g->moves[i - 1].san, g->moves[i].san) < 0);
		assert_true(practice_play(g, i));
		const struct quality *q = &practice_last(g)->quality;
		assert_true(el_value_equal(q->best, best));
		assert_true(el_value_equal(q->got, got));
		assert_int_equal(g->score.end == PRACTICE_THROWN, got.outcome != EL_WIN);
		assert_int_equal(g->score.thrown - thrown, got.outcome != EL_WIN);
		if (got.outcome == EL_WIN)
			assert_int_equal(g->score.lost, got.plies - best.plies);
		assert_int_equal(g->score.end == PRACTICE_WON, got.outcome == EL_WIN && got.plies == 1);
		practice_take_back(g);
		assert_int_equal(g->score.taken_back, taken + 1);
		assert_int_equal(g->score.lost, 0);
		look(g, shelf);
	}
}

static void moves_are_judged_as_tables_do(void **state)
{
	enum { POSITIONS = 25 };
	static struct practice_game g;
	static struct el_answer a;
	(void)state;
	for (int s = 0; shelf_slices[s]; s++) {
		struct model shelf = shelf_model(3);
		const struct el_film *film = film_of(&shelf, shelf_slices[s]);
		struct film_range all = {1, film_deepest(film)};
		for (int i = 0; i < POSITIONS; i++) {
			struct el_position p;
			assert_true(film_sample(&shelf, film, all, &p));
			p.halfmove = 0;
			p.fullmove = 1;
			el_library_answer(shelf_library(), film->wish.slice.game, &p, NULL, &a, NULL);
			practice_begin(&g, film->wish.slice.game, &p);
			look(&g, &shelf);
			judge_all(&g, &shelf, &a);
		}
		model_free(&shelf);
	}
	free(g.plies);
	memset(&g, 0, sizeof g);
}

/* ---- games and their scores ---- */

/* Any of the winning moves. */
static size_t some_win(const struct practice_game *g, struct model *m)
{
	size_t i;
	do
		i = model_random(m, g->move_count);
	while (g->moves[i].film.value.outcome != EL_WIN);
	return i;
}

/* The user wins or throws nothing away: at first at random, then as fast as can be. */
static void play_out(struct practice_game *g, struct model *shelf, struct model *m,
                     unsigned at_random)
{
	for (unsigned i = 0; g->score.end == PRACTICE_GOING; i++) {
		look(g, shelf);
		bool wanders = practice_is_users_turn(g) && i / 2 < at_random;
		assert_true(practice_play(g, wanders ? some_win(g, m) : g->best));
	}
}

static void plies_played_are_those_possible_and_those_lost(void **state)
{
	enum { GAMES = 30 };
	static struct practice_game g;
	(void)state;
	for (int s = 0; shelf_slices[s]; s++) {
		struct model shelf = shelf_model(11);
		for (unsigned i = 0; i < GAMES; i++) {
			/* Conversions on the way make the shelf drop the film now and then. */
			const struct el_film *film = film_of(&shelf, shelf_slices[s]);
			struct film_range all = {1, film_deepest(film)};
			struct el_position p;
			assert_true(film_sample(&shelf, film, all, &p));
			practice_begin(&g, film->wish.slice.game, &p);
			play_out(&g, &shelf, &shelf, i % 6);
			const struct practice_score *score = &g.score;
			if (score->end == PRACTICE_REPEATED)
				continue;
			assert_int_equal(score->end, PRACTICE_WON);
			assert_int_equal(score->plies, score->possible + score->lost);
			assert_int_equal(practice_percent(score),
			                 100 * score->possible / (score->possible + score->lost));
			struct el_value v = shelf_value(film->wish.slice.game, &score->start);
			assert_int_equal(score->possible, v.plies);
		}
		model_free(&shelf);
	}
	free(g.plies);
	memset(&g, 0, sizeof g);
}

static void scores_count_detours_and_take_backs(void **state)
{
	struct practice_score s = {.end = PRACTICE_WON, .possible = 21, .plies = 21};
	struct practice_score round[PRACTICE_ROUND];
	(void)state;
	assert_int_equal(practice_percent(&s), 100);
	s.taken_back = 2;
	assert_int_equal(practice_percent(&s), 80);
	s.plies = 42;
	assert_int_equal(practice_percent(&s), 30);
	s.taken_back = 9;
	assert_int_equal(practice_percent(&s), 0);
	for (int i = 0; i < PRACTICE_ROUND; i++)
		round[i] = (struct practice_score){.end = PRACTICE_WON, .possible = 9, .plies = 9};
	assert_int_equal(practice_total(round), 100);
	round[0].end = PRACTICE_THROWN;
	assert_int_equal(practice_total(round), 80);
	assert_int_equal(practice_next_level(1, 80), 2);
	assert_int_equal(practice_next_level(PRACTICE_LEVELS, 100), PRACTICE_LEVELS);
	assert_int_equal(practice_next_level(3, 79), 3);
	assert_int_equal(practice_next_level(3, 39), 2);
	assert_int_equal(practice_next_level(1, 0), 1);
}

/* How often the board and the side to move of a FEN have been there. */
static unsigned times_seen(const struct practice_game *g)
{
	char now[EL_FEN_MAX], then[EL_FEN_MAX];
	unsigned times = 1;
	g->game->format(&g->now, now);
	const char *end = strstr(now, " w ") ? strstr(now, " w ") : strstr(now, " b ");
	const size_t length = (size_t)(end - now) + 2;
	for (size_t i = 0; i < g->count; i++) {
		g->game->format(&g->plies[i].before, then);
		times += !strncmp(now, then, length);
	}
	return times;
}

/* The first winning move by name, for ever. */
static void a_position_three_times_ends_it(void **state)
{
	static struct practice_game g;
	struct model shelf = shelf_model(5);
	const struct el_film *film = film_of(&shelf, "KRvK");
	int repeated = 0;
	(void)state;
	for (int i = 0; i < 20; i++) {
		struct el_position p;
		assert_true(film_sample(&shelf, film, (struct film_range){15, 31}, &p));
		practice_begin(&g, film->wish.slice.game, &p);
		while (g.score.end == PRACTICE_GOING) {
			size_t move = 0;
			assert_true(times_seen(&g) < 3);
			look(&g, &shelf);
			while (practice_is_users_turn(&g) &&
			       g.moves[move].film.value.outcome != EL_WIN)
				move++;
			assert_true(practice_play(&g, practice_is_users_turn(&g) ? move : g.best));
		}
		repeated += g.score.end == PRACTICE_REPEATED;
		if (g.score.end == PRACTICE_REPEATED)
			assert_int_equal(times_seen(&g), 3);
		assert_int_equal(practice_percent(&g.score) > 0, g.score.end == PRACTICE_WON);
	}
	assert_true(repeated > 0);
	free(g.plies);
	memset(&g, 0, sizeof g);
	model_free(&shelf);
}

static void fifty_moves_without_progress_end_it(void **state)
{
	static struct practice_game g;
	struct model shelf = shelf_model(1);
	struct el_position p = position_of("8/8/8/8/8/2k5/8/K6R w - - 0 1");
	(void)state;
	practice_begin(&g, film_of(&shelf, "KRvK")->wish.slice.game, &p);
	g.now.halfmove = 99;
	look(&g, &shelf);
	assert_true(practice_play(&g, g.best));
	assert_int_equal(g.score.end, PRACTICE_FIFTY);
	assert_int_equal(practice_percent(&g.score), 0);
	practice_take_back(&g);
	assert_int_equal(g.score.end, PRACTICE_GOING);
	free(g.plies);
	memset(&g, 0, sizeof g);
	model_free(&shelf);
}

static void lines_prove_what_they_say(void **state)
{
	struct model shelf = shelf_model(1);
	char line[160];
	struct el_position p = position_of("8/8/8/8/4r3/3K4/8/2Qk4 b - - 1 1");
	const struct el_game *game = film_of(&shelf, "KQvKR")->wish.slice.game;
	(void)state;
	practice_line(&shelf, game, &p, 8, line, sizeof line);
	assert_string_equal(line, "1... Kxc1");
	p = position_of("8/8/K2k4/8/8/4r3/8/8 b - - 0 1");
	film_of(&shelf, "KRvK");
	practice_line(&shelf, game, &p, 8, line, sizeof line);
	assert_non_null(strchr(line, '#'));
	practice_line(&shelf, game, &p, 2, line, sizeof line);
	assert_null(strchr(line, '#'));
	model_free(&shelf);
}

/* ---- films as jobs ---- */

static void run_one(struct model *m)
{
	struct job *job = model_take_job(m);
	assert_non_null(job);
	job_run(job, NULL);
	model_job_done(m, job);
}

/* What is to be stopped, as a worker hears it, while it is still in its queue. */
static void stop_all(struct model *m)
{
	struct job *job = model_take_job(m);
	uint64_t number;
	while ((number = model_take_stop(m))) {
		assert_non_null(job);
		assert_int_equal(job->number, number);
		job->stopped = true;
	}
	if (!job)
		return;
	job_run(job, NULL);
	model_job_done(m, job);
}

static void a_film_that_nobody_wants_is_stopped(void **state)
{
	struct model shelf = shelf_model(1);
	struct el_film_wish rook = {.slice = slice_named("KRvK"), .metric = &el_dtm};
	struct el_film_wish pawn = {.slice = slice_named("KPvK"), .metric = &el_dtm};
	(void)state;
	films_ask(&shelf);
	assert_null(shelf.outbox);
	films_want(&shelf, &rook);
	films_ask(&shelf);
	assert_non_null(shelf.outbox);
	films_ask(&shelf); /* not wanted any more */
	stop_all(&shelf);
	assert_null(films_find(&shelf, &rook)->film);
	assert_string_equal(films_find(&shelf, &rook)->why, "");
	films_want(&shelf, &pawn);
	films_ask(&shelf);
	run_one(&shelf);
	assert_string_equal(films_find(&shelf, &pawn)->film->wish.slice.name, "KPvK");
	films_want(&shelf, &rook); /* wanted again: made again */
	films_ask(&shelf);
	run_one(&shelf);
	assert_non_null(films_find(&shelf, &rook)->film);
	model_free(&shelf);
}

static void one_film_serves_all_who_want_it(void **state)
{
	struct model shelf = shelf_model(1);
	struct el_film_wish rook = {.slice = slice_named("KRvK"), .metric = &el_dtm};
	(void)state;
	const struct filmed *one = films_want(&shelf, &rook), *other = films_want(&shelf, &rook);
	assert_ptr_equal(one, other);
	films_ask(&shelf);
	films_want(&shelf, &rook); /* the second does, the first does not: it goes on */
	films_ask(&shelf);
	assert_int_equal(model_take_stop(&shelf), 0);
	run_one(&shelf);
	assert_null(model_take_job(&shelf));
	assert_non_null(one->film);
	model_free(&shelf);
}

static void why_there_is_no_film_is_said(void **state)
{
	struct model shelf = shelf_model(1);
	struct el_film_wish wish = {.slice = slice_named("checkers:KKvK"), .metric = &el_dtm};
	(void)state;
	const struct filmed *f = films_want(&shelf, &wish);
	films_ask(&shelf);
	run_one(&shelf);
	assert_null(f->film);
	assert_non_null(strstr(f->why, "chess"));
	assert_true(shelf.message.error);
	films_want(&shelf, &wish);
	films_ask(&shelf);
	assert_null(model_take_job(&shelf));
	films_retry(&shelf); /* asked for again */
	films_want(&shelf, &wish);
	films_ask(&shelf);
	run_one(&shelf);
	model_free(&shelf);
}

static void the_shelf_keeps_what_was_looked_at_last(void **state)
{
	static const char *const names[] = {"KQvK",  "KRvK",  "KBvK",  "KNvK",  "KPvK",  "KQvKQ",
	                                    "KRvKR", "KBvKB", "KNvKN", "KBvKN", "KRvKB", "KRvKN",
	                                    "KBBvK", "KBNvK", "KNNvK", "KQvKR"};
	struct model shelf = shelf_model(1);
	struct el_film_wish second = {.slice = slice_named(names[1]), .metric = &el_dtm};
	(void)state;
	const struct el_film *first = film_of(&shelf, names[0]);
	for (int i = 1; i < FILMS_MAX; i++) {
		struct el_film_wish wish = {.slice = slice_named(names[i]), .metric = &el_dtm};
		films_want(&shelf, &wish);
	}
	assert_ptr_equal(film_of(&shelf, names[0]), first);
	film_of(&shelf, "KQvKB"); /* in place of the second one */
	assert_ptr_equal(film_of(&shelf, names[0]), first);
	assert_null(films_find(&shelf, &second));
	model_free(&shelf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_level_draws_wins_of_its_depths),
		cmocka_unit_test(levels_share_all_depths),
		cmocka_unit_test(moves_are_judged_as_tables_do),
		cmocka_unit_test(plies_played_are_those_possible_and_those_lost),
		cmocka_unit_test(scores_count_detours_and_take_backs),
		cmocka_unit_test(a_position_three_times_ends_it),
		cmocka_unit_test(fifty_moves_without_progress_end_it),
		cmocka_unit_test(lines_prove_what_they_say),
		cmocka_unit_test(a_film_that_nobody_wants_is_stopped),
		cmocka_unit_test(one_film_serves_all_who_want_it),
		cmocka_unit_test(why_there_is_no_film_is_said),
		cmocka_unit_test(the_shelf_keeps_what_was_looked_at_last),
	};
	return cmocka_run_group_tests(tests, shelf_set_up, shelf_tear_down);
}
