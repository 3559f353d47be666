/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics: its values for a position and its moves, against built tables; the two players, move by
   move. */
#include "core/probe/probe.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/shelf_fixture.h"
#include "tests/fixtures/solved.h"
#include "tui/views/metrics/metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A random position of the slice that the side to move wins. */
static struct el_position won_position(struct model *shelf, const struct el_slice *slice,
                                       struct model *m)
{
	struct el_position p;
	const struct el_film *film = shelf_film(shelf, slice);
	assert_true(film_sample(m, film, &p));
	return p;
}

/* ---- the table ---- */

/* A metric with tables in the library. */
static void compare_with_answer(const struct metrics_table *t, const struct metrics_row *row,
                                const struct el_answer *a)
{
	const size_t rank = el_metric_rank(row->metric);
	size_t best = 0;
	assert_true(el_value_equal(row->value, a->value[rank]));
	for (size_t i = 0; i < t->move_count; i++) {
		const struct el_value v = shelf_ranked(a, t->moves[i].san)->value[rank];
		assert_true(el_value_equal(t->moves[i].value[rank], v));
		best += el_value_equal(v, row->value);
	}
	assert_int_equal(row->count, best);
}

/* Any metric: the solver's values, except for a phase beside a limit. Values in time equal those of
   the best moves; late values may come from moves worth more. */
static void compare_with_plane(const struct metrics_row *row, struct solved *solved,
                               const struct el_slice *slice, const struct el_position *p)
{
	const struct el_planes *planes = solved_of(solved, slice, row->metric);
	const struct el_metric *by = el_metric_chosen_by(row->metric);
	struct el_place place;
	assert_true(slice->game->place(p, &place));
	struct el_value v = el_plane_value(&planes->plane[place.plane], place.index);
	v.phase = 0;
	assert_true(row->known && row->count > 0);
	assert_true(el_value_equal(row->value, v));
	assert_int_equal(row->best[el_metric_rank(by)].outcome, v.outcome);
	if (by == row->metric && v.outcome != EL_CURSED_WIN && v.outcome != EL_BLESSED_LOSS)
		assert_int_equal(row->best[el_metric_rank(by)].plies, v.plies);
}

static void ranges_hold_what_the_best_are_worth(const struct metrics_table *t)
{
	for (size_t r = 0; r < t->rows; r++) {
		const struct metrics_row *row = &t->row[r];
		const size_t own = el_metric_rank(el_metric_chosen_by(row->metric));
		assert_true(el_value_equal(row->worst[own], row->best[own]));
		for (size_t k = 0; k < t->rows; k++) {
			const struct el_metric *metric = t->row[k].metric;
			const size_t rank = el_metric_rank(metric);
			bool has_worst = false, has_best = false;
			for (size_t i = 0; i < t->move_count; i++) {
				const struct el_value *v = t->moves[i].value;
				if (!metrics_is_best(row, &t->moves[i]))
					continue;
				assert_true(el_value_compare(metric, v[rank], row->worst[rank]) >=
				            0);
				assert_true(el_value_compare(metric, v[rank], row->best[rank]) <=
				            0);
				has_worst |= el_value_equal(v[rank], row->worst[rank]);
				has_best |= el_value_equal(v[rank], row->best[rank]);
			}
			assert_true(has_worst && has_best);
		}
	}
}

/* Under the usual rule, and under one that matters. */
static void values_are_those_of_tables(void **state)
{
	enum { POSITIONS = 40, SHORT_RULE = 6 };
	static struct metrics_table t;
	static struct el_answer a;
	struct solved *solved = solved_open();
	unsigned cursed = 0;
	(void)state;
	for (int s = 0; shelf_slices[s]; s++) {
		const struct el_slice slice = slice_named(shelf_slices[s]);
		struct model shelf = shelf_model(1);
		uint64_t random = 77;
		for (int i = 0; i < POSITIONS; i++) {
			struct el_position p = random_position(&slice, &random);
			el_library_answer(shelf_library(), slice.game, &p, NULL, &a, NULL);
			if (a.over)
				continue;
			const unsigned rule = i < POSITIONS / 2 ? EL_RULE_USUAL : SHORT_RULE;
			if (!metrics_find(&shelf, &slice, &p, rule, &t)) {
				shelf_make(&shelf);
				assert_true(metrics_find(&shelf, &slice, &p, rule, &t));
			}
			size_t metrics = 0;
			for (size_t k = 0; slice.game->metrics[k]; k++)
				metrics += el_film_shows(slice.game->metrics[k]);
			assert_int_equal(t.move_count, a.count);
			assert_int_equal(t.rows, metrics);
			for (size_t r = 0; r < t.rows; r++) {
				const struct el_metric *metric = t.row[r].metric;
				if (metric == &el_wdl || metric == el_game_metric(slice.game))
					compare_with_answer(&t, &t.row[r], &a);
				/* One metric each for larger slices: solving all takes long. */
				if (slice.pieces == 3 || metric->limit || metric == &el_dtc)
					compare_with_plane(&t.row[r], solved, &slice, &p);
				cursed += t.row[r].value.outcome == EL_CURSED_WIN;
			}
			ranges_hold_what_the_best_are_worth(&t);
		}
		model_free(&shelf);
	}
	assert_true(cursed > 0);
	solved_close(solved);
}

/* KRvK: draws, losses in 0, 2 ... 32 and wins in 1, 3 ... 31. */
static void values_that_tables_store_are_counted(void **state)
{
	static struct metrics_table t;
	struct model shelf = shelf_model(1);
	const struct el_slice slice = slice_named("KRvK");
	struct el_position p = position_of("8/8/8/8/8/2k5/8/K6R w - - 0 1");
	(void)state;
	assert_false(metrics_find(&shelf, &slice, &p, 10, &t));
	shelf_make(&shelf);
	assert_true(metrics_find(&shelf, &slice, &p, 10, &t));
	for (size_t r = 0; r < t.rows; r++) {
		const struct el_metric *metric = t.row[r].metric;
		if (metric == &el_wdl)
			assert_int_equal(t.row[r].values, 3);
		if (metric == &el_win)
			assert_int_equal(t.row[r].values, 2);
		if (metric == &el_wdl_rule[9])
			assert_int_equal(t.row[r].values, 5);
		if (metric == &el_dtm || metric == &el_dtz || metric == &el_dtz_rule[9])
			assert_int_equal(t.row[r].values, 34);
	}
	model_free(&shelf);
}

/* ---- the players ---- */

static void run(struct racer *r, struct model *shelf, const struct el_game *game,
                const struct el_position *start)
{
	while (!racer_is_done(r))
		if (!racer_go(r, shelf, game, start))
			shelf_make(shelf);
}

/* The first by name of the moves that the table says win, or win soonest. */
static const char *first_by_name(const struct el_answer *a, bool by_depth)
{
	const size_t rank = el_metric_rank(el_game_metric(a->game));
	const char *first = NULL;
	for (size_t i = 0; i < a->count; i++) {
		const struct el_value v = a->moves[i].value[rank], best = a->moves[0].value[rank];
		if (by_depth ? !el_value_equal(v, best) : v.outcome != best.outcome)
			continue;
		if (!first || strcmp(a->moves[i].san, first) < 0)
			first = a->moves[i].san;
	}
	return first;
}

/* Replays all turns by the game's rules and the library's tables. */
static void follow(const struct racer *r, const struct el_game *game,
                   const struct el_position *start)
{
	static struct el_answer a;
	struct el_position now = *start, next;
	for (size_t i = 0; i < r->count; i++) {
		const struct race_turn *t = racer_turn(r, i);
		el_library_answer(shelf_library(), game, &now, NULL, &a, NULL);
		assert_int_equal(a.value[el_metric_rank(&el_wdl)].outcome, EL_WIN);
		assert_string_equal(t->san, first_by_name(&a, r->rule == RACE_DEPTH));
		game->play(&now, &t->move, &next);
		el_library_answer(shelf_library(), game, &next, NULL, &a, NULL);
		assert_int_equal(a.over, r->over && i + 1 == r->count);
		now = next;
		if (a.over)
			break;
		assert_string_equal(t->answer_san, first_by_name(&a, true));
		game->play(&next, &t->answer, &now);
		assert_memory_equal(t->after.set, now.set, sizeof now.set);
		assert_int_equal(t->left, shelf_value(game, &now).plies);
	}
}

static void players_keep_their_rules(void **state)
{
	enum { RACES = 15 };
	static struct racer racer;
	(void)state;
	for (int s = 0; shelf_slices[s]; s++) {
		const struct el_slice slice = slice_named(shelf_slices[s]);
		struct model shelf = shelf_model(21);
		int circles = 0;
		for (int i = 0; i < RACES; i++) {
			const struct el_position p = won_position(&shelf, &slice, &shelf);
			racer_begin(&racer, RACE_OUTCOME);
			run(&racer, &shelf, slice.game, &p);
			follow(&racer, slice.game, &p);
			circles += racer.circles;
			racer_begin(&racer, RACE_DEPTH);
			run(&racer, &shelf, slice.game, &p);
			follow(&racer, slice.game, &p);
			assert_true(racer.over);
			assert_int_equal(2 * racer.count - 1, shelf_value(slice.game, &p).plies);
		}
		/* The purpose of the screen. */
		assert_true(circles > RACES / 2);
		model_free(&shelf);
	}
}

static void a_circle_comes_again_and_again(void **state)
{
	static struct racer r;
	struct model shelf = shelf_model(1);
	const struct el_slice slice = slice_named("KRvK");
	struct el_position p = position_of("8/8/8/8/8/2k5/8/K6R w - - 0 1");
	(void)state;
	racer_begin(&r, RACE_OUTCOME);
	run(&r, &shelf, slice.game, &p);
	assert_true(r.circles && !r.over && r.again < r.count);
	const struct el_position *then = racer_position(&r, &p, r.again);
	const size_t length = r.count - r.again;
	for (size_t i = 0; i < 5; i++) {
		const size_t turns = r.count + i * length;
		assert_memory_equal(racer_position(&r, &p, turns)->set, then->set,
		                    sizeof then->set);
		assert_ptr_equal(racer_turn(&r, turns + 1), racer_turn(&r, r.again + 1));
	}
	/* No earlier position repeats. */
	for (size_t i = 0; i < r.count; i++)
		for (size_t k = 0; k < i; k++)
			assert_memory_not_equal(racer_position(&r, &p, i)->set,
			                        racer_position(&r, &p, k)->set, sizeof then->set);
	model_free(&shelf);
}

static void a_game_that_ends_is_over(void **state)
{
	static struct racer r;
	struct model shelf = shelf_model(1);
	struct el_position p = position_of("k7/8/1K6/8/8/8/8/2R5 w - - 0 1");
	const struct el_slice slice = slice_named("KRvK");
	(void)state;
	racer_begin(&r, RACE_DEPTH);
	run(&r, &shelf, slice.game, &p);
	assert_true(r.over);
	assert_int_equal(r.count, 1);
	assert_string_equal(r.turn[0].san, "Rc8#");
	assert_null(racer_turn(&r, 1));
	assert_memory_equal(racer_position(&r, &p, 9)->set, r.turn[0].after.set, sizeof p.set);
	model_free(&shelf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_those_of_tables),
		cmocka_unit_test(values_that_tables_store_are_counted),
		cmocka_unit_test(players_keep_their_rules),
		cmocka_unit_test(a_circle_comes_again_and_again),
		cmocka_unit_test(a_game_that_ends_is_over),
	};
	return cmocka_run_group_tests(tests, shelf_set_up, shelf_tear_down);
}
