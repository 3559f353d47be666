/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Films: their values against the planes of the ordinary solver and the answers of the library, and
   their counts against their values. */
#include "core/probe/probe.h"
#include "tests/fixtures/film_fixture.h"
#include "tests/fixtures/partial_fixture.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/solved.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct el_library *library, *empty;
static char nowhere[SCRATCH_PATH];

static int open_libraries(void **state)
{
	(void)state;
	scratch_make(nowhere);
	library = fixture_library(tests_are_slow() ? small_test_tables() : test_tables(), NULL);
	empty = fixture_library(nowhere, NULL);
	return 0;
}

static int close_libraries(void **state)
{
	(void)state;
	el_library_close(library);
	el_library_close(empty);
	scratch_remove(nowhere);
	return 0;
}

/* Calls `look` with the legal positions of a slice, each `stride`-th of them. */
static void each_position(const struct el_slice *slice, unsigned stride,
                          void (*look)(void *context, unsigned plane, uint64_t index,
                                       const struct el_position *),
                          void *context)
{
	for (unsigned plane = 0; plane < slice->planes; plane++)
		for (uint64_t i = 0; i < slice->positions; i += stride) {
			struct el_position p;
			if (slice->game->unplace(slice, plane, i, &p))
				look(context, plane, i, &p);
		}
}

/* ---- the end of a film agrees with the solver ---- */

struct compared {
	const struct el_film *film;
	const struct el_planes *planes;
};

static void has_the_value(void *context, unsigned plane, uint64_t index,
                          const struct el_position *p)
{
	const struct compared *c = context;
	const struct el_value expected = el_plane_value(&c->planes->plane[plane], index);
	const struct el_film_value found = el_film_value(c->film, p, last_step(c->film));
	assert_false(found.open);
	assert_false(found.outside);
	if (!el_value_equal(found.value, expected))
		fail_msg("%s %s %u %llu: expected %s %u %u, found %s %u %u",
		         c->film->wish.slice.name, c->film->wish.metric->name, plane,
		         (unsigned long long)index, el_outcome_name(expected.outcome),
		         expected.plies, expected.phase, el_outcome_name(found.value.outcome),
		         found.value.plies, found.value.phase);
}

static void ends_with(struct el_film *film, struct el_planes *planes)
{
	struct compared c = {film, planes};
	each_position(&film->wish.slice, test_stride(), has_the_value, &c);
	el_planes_free(planes);
	el_film_free(film);
}

static const char *const slices[] = {"KRvK", "KPvK", "KBNvK", "KPvKP"};

static size_t slice_count(void)
{
	return sizeof slices / sizeof *slices - (tests_are_slow() ? 2 : 0);
}

/* With no table at all: it also solves the dependencies. */
static void test_the_end_is_the_solution(void **state)
{
	(void)state;
	for (size_t i = 0; i < slice_count(); i++) {
		struct el_planes planes = solved_planes(library, slices[i], &el_dtm);
		ends_with(film_of(empty, slices[i], &el_dtm, NULL), &planes);
		planes = solved_planes(library, slices[i], &el_dtc);
		ends_with(film_of(library, slices[i], &el_dtc, NULL), &planes);
	}
}

static void test_the_end_within_bounds(void **state)
{
	static const char *const hidden[][2] = {
		{"KPvK", "KQvK"}, {"KPvK", "*"}, {"KQvKR", "KRvK"}, {"KPvKP", "KQvKP KPvK"}};
	(void)state;
	for (size_t i = 0; i < (tests_are_slow() ? 2 : sizeof hidden / sizeof *hidden); i++) {
		struct el_planes planes = solved_without(library, hidden[i][0], hidden[i][1], NULL);
		ends_with(film_of(library, hidden[i][0], &el_wdl, hidden[i][1]), &planes);
	}
}

/* The rules are short enough to matter: half of the wins come too late. */
static void test_the_end_under_every_metric(void **state)
{
	static const struct {
		const char *slice;
		const struct el_metric *metric;
	} of[] = {
		{"KPvK", &el_win},          {"KPvK", &el_dtz},          {"KPvK", &el_dtz_rule[4]},
		{"KPvK", &el_wdl_rule[9]},  {"KPvK", &el_dtr},          {"KPvK", &el_dtzr},
		{"KQvKR", &el_dtz_rule[4]}, {"KPvKP", &el_wdl_rule[9]}, {"KPvKP", &el_dtz_rule[4]},
		{"KPvKP", &el_dtz},         {"KRvKN", &el_dtr},
	};
	struct solved *solved = solved_open();
	(void)state;
	const size_t all = sizeof of / sizeof *of;
	for (size_t i = 0; i < (tests_are_slow() ? 6 : tests_are_thorough() ? all : 8); i++) {
		struct el_film *film = film_of(empty, of[i].slice, of[i].metric, NULL);
		struct compared c = {film, solved_of(solved, &film->wish.slice, film->solved)};
		each_position(&film->wish.slice, i < 6 ? 1 : 7, has_the_value, &c);
		el_film_free(film);
	}
	solved_close(solved);
}

/* ---- rights to capture en passant, which no plane stores ---- */

static bool gives_a_right(const struct el_position *p, const struct el_move *move,
                          struct el_position *out)
{
	el_chess.play(p, move, out);
	return out->en_passant != EL_NO_SQUARE;
}

/* The position is worth its best move; for phases, though, moves give only a lower bound. */
static void is_worth_its_moves(const struct el_film *film, const struct el_position *p)
{
	struct el_film_move moves[EL_MOVES_MAX];
	const struct el_value now = el_film_value(film, p, last_step(film)).value;
	assert_true(el_film_moves(film, p, moves) > 0);
	assert_int_equal(moves[0].value.outcome, now.outcome);
	if (!film->solved->limit)
		assert_int_equal(moves[0].value.plies, now.plies);
}

static void test_rights_en_passant_count(void **state)
{
	static const struct el_metric *const metrics[] = {&el_dtm, &el_dtz, &el_wdl_rule[4],
	                                                  &el_dtz_rule[4], &el_dtr};
	uint64_t random = 11;
	unsigned changed = 0;
	(void)state;
	const size_t step = tests_are_thorough() ? 1 : 3;
	const unsigned boards = 10000 / test_stride() * (tests_are_thorough() ? 4 : 1);
	for (size_t m = 0; m < (tests_are_slow() ? 1 : sizeof metrics / sizeof *metrics);
	     m += step) {
		struct el_film *film = film_of(empty, "KPvKP", metrics[m], NULL);
		for (unsigned n = 0; n < boards; n++) {
			const struct el_position p = random_position(&film->wish.slice, &random);
			struct el_move moves[EL_MOVES_MAX];
			struct el_position next;
			const size_t count = el_chess.moves(&p, moves);
			for (size_t i = 0; i < count; i++) {
				if (!gives_a_right(&p, &moves[i], &next))
					continue;
				is_worth_its_moves(film, &next);
				const struct el_film_value with =
					el_film_value(film, &next, last_step(film));
				next.en_passant = EL_NO_SQUARE;
				changed += !el_value_equal(
					with.value,
					el_film_value(film, &next, last_step(film)).value);
			}
		}
		el_film_free(film);
	}
	assert_true(changed > boards / 1000);
}

/* Draughts have few dependencies: builds a library here. */
static void test_the_end_in_draughts(void **state)
{
	static const char *const names[] = {"checkers:KvK", "checkers:KMvM", "checkers:KMvMM"};
	static const struct el_metric *const metrics[] = {&el_dtw, &el_dtc, NULL};
	char directory[SCRATCH_PATH];
	(void)state;
	scratch_make(directory);
	struct el_library *draughts = fixture_library(directory, NULL);
	partial_build(draughts, "checkers:KMvMM checkers:KvK", metrics);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (const struct el_metric *const *m = metrics; *m; m++) {
			struct el_planes planes = solved_planes(draughts, names[i], *m);
			ends_with(film_of(empty, names[i], *m, NULL), &planes);
		}
	el_library_close(draughts);
	scratch_remove(directory);
}

/* Hidden slices stay unknown, even if they had to be solved for another one. */
static void test_missing_stays_missing(void **state)
{
	uint64_t random = 3;
	struct el_film *film = film_of(empty, "KPvKP", &el_wdl, "KPvK KQvKP");
	struct el_film_move moves[EL_MOVES_MAX];
	unsigned unknown = 0;
	(void)state;
	for (unsigned n = 0; n < 20000 / test_stride(); n++) {
		const struct el_position p = random_position(&film->wish.slice, &random);
		const size_t count = el_film_moves(film, &p, moves);
		struct el_value best = {.outcome = EL_LOSS};
		for (size_t i = 0; i < count; i++) {
			struct el_position next;
			struct el_slice slice;
			el_chess.play(&p, &moves[i].move, &next);
			const bool hidden = !el_chess.slice_of(&next, &slice, NULL) &&
			                    set_has("KPvK KQvKP", slice.name);
			if (hidden)
				assert_int_equal(moves[i].value.outcome, EL_UNKNOWN);
			unknown += hidden;
			best = el_value_max(film->wish.metric, best, moves[i].value);
		}
		if (count)
			assert_true(el_value_equal(el_film_value(film, &p, last_step(film)).value,
			                           best));
	}
	assert_true(unknown > 1000 / test_stride());
	el_film_free(film);
}

/* ---- steps ---- */

struct counted {
	const struct el_film *film;
	uint64_t *decided[2]; /* by step */
	uint64_t legal[2];
};

static void count_step(void *context, unsigned plane, uint64_t index, const struct el_position *p)
{
	struct counted *c = context;
	(void)index;
	const struct el_film_value v = el_film_value(c->film, p, last_step(c->film));
	c->decided[plane][v.step]++;
	c->legal[plane]++;
	/* Undecided before the step, decided from it on. */
	assert_true(el_film_value(c->film, p, v.step - 1).open);
	const struct el_film_value then = el_film_value(c->film, p, v.step);
	assert_true(!then.open && el_value_equal(then.value, v.value));
}

static void steps_are_counted(struct el_film *film)
{
	struct counted c = {.film = film};
	for (unsigned side = 0; side < 2; side++)
		c.decided[side] = calloc(film->step_count, sizeof *c.decided[side]);
	each_position(&film->wish.slice, 1, count_step, &c);
	for (unsigned side = 0; side < film->wish.slice.planes; side++) {
		uint64_t known = 0;
		assert_int_equal(film->legal[side], c.legal[side]);
		assert_int_equal(film->legal[side] + film->broken[side],
		                 film->wish.slice.positions);
		for (size_t s = 0; s < film->step_count; s++) {
			known += c.decided[side][s];
			assert_int_equal(film->steps[s].decided[side], c.decided[side][s]);
			assert_int_equal(film->steps[s].known[side], known);
		}
		assert_int_equal(known, film->legal[side]);
	}
	for (unsigned side = 0; side < 2; side++)
		free(c.decided[side]);
	el_film_free(film);
}

static void test_steps_are_counted(void **state)
{
	(void)state;
	steps_are_counted(film_of(empty, "KRvK", &el_dtm, NULL));
	steps_are_counted(film_of(empty, "KPvK", &el_dtm, NULL));
	steps_are_counted(film_of(empty, "checkers:KMvM", &el_dtw, NULL));
	steps_are_counted(film_of(empty, "checkers:KvK", &el_dtc, NULL));
	steps_are_counted(film_of(empty, "KPvK", &el_wdl, NULL));
	steps_are_counted(film_of(empty, "KPvK", &el_dtz, NULL));
	steps_are_counted(film_of(empty, "KPvK", &el_wdl_rule[3], NULL));
	steps_are_counted(film_of(empty, "KRvK", &el_dtz_rule[9], NULL));
	steps_are_counted(film_of(empty, "KPvK", &el_dtr, NULL));
}

/* Rook against king under a rule of 10 moves: nothing zeroes the clock, so the passes are as
   without it, and those past 20 plies find the late wins. */
static void test_the_limit_of_a_rule(void **state)
{
	(void)state;
	struct el_film *plain = film_of(empty, "KRvK", &el_dtz, NULL);
	struct el_film *film = film_of(empty, "KRvK", &el_dtz_rule[9], NULL);
	const size_t limit = 3 + 20;
	assert_int_equal(film->step_count, plain->step_count + 1);
	assert_int_equal(film->steps[limit].rule, EL_FILM_LIMIT);
	for (size_t s = 3; s + 1 < plain->step_count; s++) {
		const struct el_film_step *was = &plain->steps[s];
		const struct el_film_step *is = &film->steps[s + (s >= limit)];
		assert_int_equal(is->ply, was->ply);
		assert_int_equal(is->rule, s < limit                  ? was->rule
		                           : was->rule == EL_FILM_WIN ? EL_FILM_CURSED
		                                                      : EL_FILM_BLESSED);
		assert_memory_equal(is->decided, was->decided, sizeof is->decided);
		assert_false(is->converts);
	}
	el_film_free(plain);
	el_film_free(film);
}

/* Rook against king: 27 mates up to symmetry; the longest win takes 16 moves. */
static void test_the_film_of_a_rook(void **state)
{
	(void)state;
	struct el_film *film = film_of(empty, "KRvK", &el_dtm, NULL);
	assert_int_equal(film->step_count, 3 + 32 + 1);
	assert_int_equal(film->steps[EL_FILM_TERMINAL].decided[EL_BLACK], 27);
	assert_int_equal(film->steps[EL_FILM_TERMINAL].decided[EL_WHITE], 0);
	/* In 2,787 of the 2,796 draws the king takes the rook; the others are stalemates. */
	assert_int_equal(film->stalemates[EL_BLACK], 9);
	assert_int_equal(film->stalemates[EL_WHITE], 0);
	for (size_t s = 3; s + 1 < film->step_count; s++) {
		assert_int_equal(film->steps[s].ply, s - 2);
		assert_int_equal(film->steps[s].rule, s % 2 ? EL_FILM_WIN : EL_FILM_LOSS);
		assert_int_equal(film->steps[s].decided[s % 2], 0);
		assert_false(film->steps[s].converts);
	}
	assert_int_equal(film->steps[last_step(film)].known[EL_WHITE], film->legal[EL_WHITE]);
	assert_int_equal(film->steps[last_step(film)].decided[EL_WHITE], 0);
	assert_int_equal(film->steps[last_step(film)].decided[EL_BLACK], 2796);
	el_film_free(film);
}

struct won {
	struct el_film *film;
	uint64_t by_conversion[2];
};

/* In games of stones, the move that ends the game ends the count like a capture: the remaining
   stones are won. */
static bool ends_the_game(const struct el_game *game, const struct el_position *p,
                          const struct el_move *move)
{
	struct el_position after;
	struct el_move replies[EL_MOVES_MAX];
	game->play(p, move, &after);
	return game->sows && !game->moves(&after, replies);
}

static void count_conversions(void *context, unsigned plane, uint64_t index,
                              const struct el_position *p)
{
	struct won *w = context;
	struct el_film_move moves[EL_MOVES_MAX];
	const size_t count = el_film_moves(w->film, p, moves);
	bool wins = false;
	(void)index;
	for (size_t i = 0; i < count; i++)
		wins |= moves[i].value.outcome > EL_DRAW &&
		        (moves[i].converts ||
		         ends_the_game(w->film->wish.slice.game, p, &moves[i].move));
	w->by_conversion[plane] += wins;
}

static void test_winning_conversions_are_counted(void **state)
{
	static const struct {
		const char *slice;
		const struct el_metric *metric;
	} of[] = {{"KPvK", &el_dtm},          {"KPvK", &el_dtz},      {"KPvK", &el_wdl_rule[3]},
	          {"KPvK", &el_dtr},          {"KRvKR", &el_dtm},     {"checkers:KMvM", &el_dtw},
	          {"checkers:KKvK", &el_dtw}, {"awari:6", &el_score}, {"morris:3v3", &el_dtw}};
	(void)state;
	for (size_t i = 0; i < sizeof of / sizeof *of - (tests_are_slow() ? 5 : 0); i++) {
		struct won w = {film_of(empty, of[i].slice, of[i].metric, NULL), {0}};
		each_position(&w.film->wish.slice, 1, count_conversions, &w);
		for (unsigned side = 0; side < w.film->wish.slice.planes; side++)
			assert_int_equal(w.film->winning[side], w.by_conversion[side]);
		el_film_free(w.film);
	}
}

/* ---- moves ---- */

/* Includes rights to capture en passant, which no index has. */
static void moves_are_those_of_the_library(const char *slice, const char *fen)
{
	struct el_film *film = film_of(library, slice, &el_dtm, NULL);
	const struct el_position p = position_of(fen);
	const size_t rank = el_metric_rank(&el_dtm);
	struct el_film_move moves[EL_MOVES_MAX];
	struct el_answer *answer = malloc(sizeof *answer);
	assert_non_null(answer);
	assert_int_equal(el_library_answer(library, &el_chess, &p, NULL, answer, NULL), EL_OK);
	assert_int_equal(el_film_moves(film, &p, moves), answer->count);
	for (size_t i = 0; i < answer->count; i++)
		assert_true(el_value_equal(moves[i].value, answer->moves[i].value[rank]));
	const struct el_film_value v = el_film_value(film, &p, last_step(film));
	assert_true(el_value_equal(v.value, answer->value[rank]));
	free(answer);
	el_film_free(film);
}

static void test_moves_are_ranked(void **state)
{
	(void)state;
	moves_are_those_of_the_library("KPvK", "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1");
	moves_are_those_of_the_library("KRvK", "8/8/8/4k3/8/8/8/K6R b - - 0 1");
	if (tests_are_slow())
		return;
	moves_are_those_of_the_library("KPvKP", "8/8/8/8/Pp6/8/8/K6k b - a3 0 1");
	moves_are_those_of_the_library("KPvKP", "8/8/8/8/kp6/8/P7/1K6 w - - 0 1");
	moves_are_those_of_the_library("KPvKP", "8/8/8/1K6/Pp6/8/8/1k6 b - a3 0 1");
	moves_are_those_of_the_library("KQvKR", "8/8/8/3kr3/8/8/2Q5/1K6 w - - 0 1");
}

/* ---- what cannot be filmed ---- */

static void test_refusals(void **state)
{
	struct el_film_wish wish = {.slice = slice_named("KRvK"), .metric = &el_dtw};
	struct el_film *film;
	struct el_error error;
	(void)state;
	assert_int_equal(el_film_make(empty, &wish, NULL, &film, &error), EL_USAGE);
	assert_string_equal(error.text, "KRvK: dtw is a metric of checkers and morris alone");
	wish.metric = &el_dtm;
	wish.partial = true;
	assert_int_equal(el_film_make(empty, &wish, NULL, &film, &error), EL_USAGE);
	assert_string_equal(error.text, "KRvK: bounds are of outcomes, not of dtm");
}

static int stop(void *context, const struct el_progress *progress)
{
	(void)context;
	(void)progress;
	return 0;
}

static void test_stops(void **state)
{
	const struct el_film_wish wish = {.slice = slice_named("KPvK"), .metric = &el_dtm};
	const struct el_watch watch = {.tick = stop};
	struct el_film *film;
	(void)state;
	assert_int_equal(el_film_make(empty, &wish, &watch, &film, NULL), EL_STOPPED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_end_is_the_solution),
		cmocka_unit_test(test_the_end_under_every_metric),
		cmocka_unit_test(test_rights_en_passant_count),
		cmocka_unit_test(test_the_end_in_draughts),
		cmocka_unit_test(test_the_end_within_bounds),
		cmocka_unit_test(test_missing_stays_missing),
		cmocka_unit_test(test_steps_are_counted),
		cmocka_unit_test(test_the_film_of_a_rook),
		cmocka_unit_test(test_the_limit_of_a_rule),
		cmocka_unit_test(test_winning_conversions_are_counted),
		cmocka_unit_test(test_moves_are_ranked),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_stops),
	};
	return cmocka_run_group_tests(tests, open_libraries, close_libraries);
}
