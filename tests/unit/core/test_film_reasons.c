/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reasons in films: each one against the values that it mentions. */
#include "tests/fixtures/film_fixture.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct el_position after(const struct el_position *p, const struct el_film *film,
                                const struct el_move *move)
{
	struct el_position next;
	film->wish.slice.game->play(p, move, &next);
	return next;
}

static struct el_value worth_of_the_move(const struct el_film *film, const struct el_position *p,
                                         const struct el_move *move)
{
	struct el_film_move moves[EL_MOVES_MAX];
	const size_t count = el_film_moves(film, p, moves);
	for (size_t i = 0; i < count; i++)
		if (el_move_equal(&moves[i].move, move))
			return moves[i].value;
	fail_msg("no such move");
	return (struct el_value){.outcome = EL_BROKEN};
}

/* The move is worth the value, except that the phase after a quiet move is unknown, and that a late
   value has the plies without the rule, for which other moves may count. */
static void is_worth_the_move(const struct el_film *film, const struct el_position *p,
                              const struct el_film_value *now, const struct el_film_reason *r)
{
	const struct el_value mine = worth_of_the_move(film, p, &r->move);
	const bool late =
		now->value.outcome == EL_CURSED_WIN || now->value.outcome == EL_BLESSED_LOSS;
	assert_int_equal(now->value.outcome, mine.outcome);
	if (!late)
		assert_int_equal(now->value.plies, mine.plies);
}

static void reason_holds(const struct el_film *film, const struct el_position *p, size_t step)
{
	const struct el_film_reason r = el_film_reason(film, p, step);
	const struct el_film_value now = el_film_value(film, p, step);
	const struct el_game *game = film->wish.slice.game;
	struct el_move moves[EL_MOVES_MAX];
	assert_true(el_value_equal(r.value.value, now.value));
	assert_int_equal(r.moves, game->moves(p, moves));
	assert_int_equal(r.moves,
	                 r.to_loss + r.to_blessed + r.to_draw + r.to_cursed + r.to_win + r.unknown);
	assert_int_equal(r.has_move, r.moves > 0);
	if (r.has_move) {
		const struct el_position next = after(p, film, &r.move);
		struct el_film_value reached =
			el_film_value(film, &next, r.converts ? last_step(film) : step);
		/* After the capture of the last piece there is no position to look up. */
		const bool leaves = reached.outside || reached.value.outcome == EL_BROKEN;
		if (r.converts && !leaves)
			reached.value = el_metric_read(
				film->solved, el_metric_entered(film->solved), reached.value);
		assert_true(el_value_equal(reached.value, r.reached.value) ||
		            (r.converts && reached.value.outcome == EL_BROKEN));
		assert_int_equal(r.converts, el_move_ends(game, film->solved, p, &r.move, leaves));
		assert_int_equal(r.converts, r.reached.outside);
	}
	switch (r.why) {
	case EL_FILM_WHY_LOST:
	case EL_FILM_WHY_STALEMATE:
		assert_int_equal(r.moves, 0);
		break;
	case EL_FILM_WHY_MOVE:
		is_worth_the_move(film, p, &now, &r);
		assert_true(r.converts || r.reached.step <= now.step ||
		            now.value.outcome == EL_CURSED_WIN);
		break;
	case EL_FILM_WHY_ALL:
		assert_int_equal(r.to_win +
		                         (now.value.outcome == EL_BLESSED_LOSS ? r.to_cursed : 0),
		                 r.moves);
		is_worth_the_move(film, p, &now, &r);
		break;
	case EL_FILM_WHY_OPEN:
		assert_true(now.open);
		if (r.to_loss > 0) { /* it wins by that move, if not before */
			const struct el_value mine = worth_of_the_move(film, p, &r.move);
			const struct el_value end = el_film_value(film, p, last_step(film)).value;
			assert_true(mine.outcome <= end.outcome);
			assert_true(mine.outcome < end.outcome || mine.plies >= end.plies);
		}
		break;
	default:
		fail_msg("a reason of kind %d", r.why);
	}
}

static void test_reasons_hold(void **state)
{
	static const struct {
		const char *slice;
		const struct el_metric *metric;
	} of[] = {
		{"KRvK", &el_dtm},          {"KPvK", &el_dtm},          {"checkers:KMvM", &el_dtw},
		{"checkers:KKvK", &el_dtw}, {"KRvKR", &el_dtm},         {"KPvK", &el_dtz},
		{"KPvK", &el_wdl_rule[3]},  {"KPvK", &el_dtz_rule[3]},  {"KPvK", &el_dtr},
		{"KPvK", &el_dtzr},         {"KRvK", &el_dtz_rule[9]},  {"KPvK", &el_win},
		{"awari:5", &el_score},     {"awari:6", &el_score},     {"morris:3v3", &el_dtw},
		{"morris:3v3", &el_dtc},    {"KPvKP", &el_dtz_rule[4]}, {"KPvKP", &el_wdl_rule[4]},
		{"KRvKP", &el_dtz_rule[4]},
	};
	const size_t count = sizeof of / sizeof *of - (tests_are_slow() ? 3 : 0);
	uint64_t random = 7;
	struct el_library *empty = fixture_library(folder, NULL);
	(void)state;
	for (size_t i = 0; i < count; i++) {
		struct el_film *film = film_of(empty, of[i].slice, of[i].metric, NULL);
		for (unsigned n = 0; n < 4000 / test_stride(); n++) {
			const struct el_position p = random_position(&film->wish.slice, &random);
			reason_holds(film, &p, random_next(&random) % film->step_count);
		}
		el_film_free(film);
	}
	el_library_close(empty);
}

static void test_reasons_of_a_few(void **state)
{
	(void)state;
	struct el_library *empty = fixture_library(folder, NULL);
	struct el_film *film = film_of(empty, "KPvK", &el_dtm, NULL);
	struct el_position p = position_of("8/P7/1K6/8/8/8/8/7k w - - 0 1");
	struct el_film_reason r = el_film_reason(film, &p, last_step(film));
	assert_int_equal(r.why, EL_FILM_WHY_MOVE);
	assert_true(r.converts && r.reached.outside);
	assert_int_equal(r.reached.value.outcome, EL_LOSS);
	r = el_film_reason(film, &p, EL_FILM_CONVERSIONS);
	assert_int_equal(r.why, EL_FILM_WHY_OPEN);
	assert_true(r.converts && r.to_loss > 0); /* it wins, though not in this pass */
	/* The longest wins are of 55 plies; the draws' step, which is the last, has none. */
	size_t longest = last_step(film);
	while (film->steps[longest].rule != EL_FILM_WIN)
		longest--;
	assert_true(el_film_find(film, longest, last_step(film), true, 1000, &p));
	assert_int_equal(el_film_value(film, &p, last_step(film)).value.plies, 55);
	assert_false(el_film_find(film, last_step(film), last_step(film), true, 0, &p));
	assert_true(el_film_find(film, last_step(film), last_step(film), false, 0, &p));
	assert_int_equal(el_film_value(film, &p, last_step(film)).value.outcome, EL_DRAW);
	p = position_of("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1");
	assert_int_equal(el_film_reason(film, &p, 0).why, EL_FILM_WHY_STALEMATE);
	p = position_of("8/8/8/4P3/8/8/8/K6k w - - 0 1");
	p.set[EL_BLACK][0] = 2; /* beside White's */
	r = el_film_reason(film, &p, 0);
	assert_int_equal(r.why, EL_FILM_WHY_BROKEN);
	assert_true(strlen(r.text) > 0);
	el_film_free(film);
	el_library_close(empty);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_reasons_hold),
		IN_FOLDER(test_reasons_of_a_few),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
