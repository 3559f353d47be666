/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shelf of films: makes them when a view wants them, and keeps them. */
#include "tests/fixtures/positions.h"
#include "tests/fixtures/shelf_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct el_film *film_of(struct model *shelf, const char *name)
{
	struct el_slice slice = slice_named(name);
	return shelf_film(shelf, &slice);
}

/* ---- positions ---- */

static void won_positions_are_found(void **state)
{
	enum { DRAWN = 40 };
	(void)state;
	for (int s = 0; shelf_slices[s]; s++) {
		struct model shelf = shelf_model(7);
		const struct el_film *film = film_of(&shelf, shelf_slices[s]);
		const struct el_game *game = film->wish.slice.game;
		bool colour[2] = {false, false};
		for (int i = 0; i < DRAWN; i++) {
			struct el_position p;
			assert_true(film_sample(&shelf, film, &p));
			assert_int_equal(game->check(&p, NULL), EL_OK);
			assert_int_equal(shelf_value(game, &p).outcome, EL_WIN);
			colour[p.side] = true;
		}
		assert_true(colour[EL_WHITE] && colour[EL_BLACK]);
		model_free(&shelf);
	}
	struct model shelf = shelf_model(1);
	struct el_position p;
	assert_false(film_sample(&shelf, film_of(&shelf, "KNvK"), &p));
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

/* Stops a film as a worker would, while it is still in the queue. */
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
	films_ask(&shelf); /* no longer wanted */
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
	films_want(&shelf, &rook); /* the second still wants it, the first does not: it goes on */
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
	films_retry(&shelf); /* wanted again */
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
		cmocka_unit_test(won_positions_are_found),
		cmocka_unit_test(a_film_that_nobody_wants_is_stopped),
		cmocka_unit_test(one_film_serves_all_who_want_it),
		cmocka_unit_test(why_there_is_no_film_is_said),
		cmocka_unit_test(the_shelf_keeps_what_was_looked_at_last),
	};
	return cmocka_run_group_tests(tests, shelf_set_up, shelf_tear_down);
}
