/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Answers under a rule that counts moves. KQvK is one phase: only mate, or the capture that draws,
 * zeroes its clock. So all its depths are the same, and mates make a table of depths under a rule
 * of 5 moves: those in more than 10 plies come too late.
 */
#include "core/probe/probe.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RULE = 5, LIMIT = 2 * RULE };

/* ---- one value ---- */

static void expect(const struct el_metric *metric, struct el_value value, unsigned limit,
                   unsigned clock, enum el_outcome expected)
{
	struct el_value mirrored = value;
	mirrored.outcome = (uint8_t)el_outcome_negate(value.outcome);
	assert_string_equal(el_outcome_name(el_value_in_time(metric, value, limit, clock)),
	                    el_outcome_name(expected));
	assert_int_equal(el_value_in_time(metric, mirrored, limit, clock),
	                 el_outcome_negate(expected));
}

static struct el_value won(unsigned plies, unsigned phase)
{
	return (struct el_value){EL_WIN, (uint16_t)plies, (uint16_t)phase, false, false};
}

static struct el_value cursed(unsigned plies)
{
	return (struct el_value){EL_CURSED_WIN, (uint16_t)plies, 0, false, false};
}

static void one_value_tells(void **state)
{
	const struct el_metric *dtz50 = &el_dtz_rule[49], *wdl50 = &el_wdl_rule[49];
	(void)state;
	/* Exact, with the depth under the rule. */
	expect(dtz50, won(40, 0), 100, 60, EL_WIN);
	expect(dtz50, won(40, 0), 100, 61, EL_CURSED_WIN);
	expect(dtz50, cursed(1), 100, 0, EL_CURSED_WIN);
	/* A depth that may be less can only tell that it is in time. */
	struct el_value most = won(40, 0);
	most.at_most = true;
	expect(dtz50, most, 100, 60, EL_WIN);
	expect(dtz50, most, 100, 61, EL_AT_LEAST_CURSED);
	expect(wdl50, won(0, 0), 100, 0, EL_WIN);
	expect(wdl50, won(0, 0), 100, 1, EL_AT_LEAST_CURSED);
	expect(wdl50, cursed(0), 100, 1, EL_CURSED_WIN);
	/* A stricter rule may prove that it is in time, a looser one that it is not. */
	expect(&el_dtz_rule[19], won(40, 0), 100, 60, EL_WIN);
	expect(&el_dtz_rule[19], won(40, 0), 100, 61, EL_AT_LEAST_CURSED);
	expect(&el_dtz_rule[19], cursed(41), 100, 59, EL_AT_LEAST_CURSED);
	expect(&el_dtz_rule[19], cursed(41), 100, 60, EL_CURSED_WIN);
	expect(dtz50, won(12, 0), 40, 28, EL_AT_LEAST_CURSED);
	expect(dtz50, won(12, 0), 40, 29, EL_CURSED_WIN);
	expect(dtz50, cursed(3), 40, 0, EL_CURSED_WIN);
	/* A mate in time zeroes nothing too late; a later mate may zero the clock on its way. */
	expect(&el_dtm, won(40, 0), 100, 60, EL_WIN);
	expect(&el_dtm, won(40, 0), 100, 61, EL_AT_LEAST_CURSED);
	expect(&el_dtz, won(40, 0), 100, 60, EL_AT_LEAST_CURSED);
	expect(&el_dtz, won(40, 0), 100, 61, EL_CURSED_WIN);
	expect(&el_dtc, won(1, 0), 100, 0, EL_AT_LEAST_CURSED);
	/* The least limit, and the phase that goes with it. */
	expect(&el_dtr, won(100, 30), 100, 0, EL_WIN);
	expect(&el_dtr, won(100, 30), 100, 1, EL_AT_LEAST_CURSED);
	expect(&el_dtr, won(100, 30), 100, 71, EL_CURSED_WIN);
	expect(&el_dtr, won(99, 30), 100, 71, EL_AT_LEAST_CURSED);
	expect(&el_dtr, won(101, 1), 100, 0, EL_CURSED_WIN);
	expect(&el_dtzr, won(101, 0), 100, 0, EL_CURSED_WIN);
	expect(&el_dtzr, won(9, 0), 100, 0, EL_AT_LEAST_CURSED);
	/* No rule; and outcomes that are no wins. */
	expect(dtz50, cursed(1), 0, 500, EL_WIN);
	expect(&el_dtm, won(40, 0), 0, 500, EL_WIN);
	expect(&el_dtm, (struct el_value){EL_DRAW, 0, 0, false, false}, 100, 99, EL_DRAW);
	expect(&el_wdl, (struct el_value){EL_AT_LEAST_DRAW, 0, 0, false, false}, 100, 0,
	       EL_AT_LEAST_DRAW);
	expect(&el_wdl, (struct el_value){EL_UNKNOWN, 0, 0, false, false}, 100, 0, EL_UNKNOWN);
	/* A checkmate counts whatever the clock says. */
	const struct el_value mated = {EL_LOSS, 0, 0, false, false};
	assert_int_equal(el_value_in_time(&el_dtm, mated, 100, 100), EL_LOSS);
	assert_int_equal(el_value_in_time(dtz50, mated, 100, 300), EL_LOSS);
}

static void what_is_known_together(void **state)
{
	(void)state;
	assert_int_equal(el_outcome_both(EL_UNKNOWN, EL_AT_LEAST_CURSED), EL_AT_LEAST_CURSED);
	assert_int_equal(el_outcome_both(EL_AT_LEAST_CURSED, EL_WIN), EL_WIN);
	assert_int_equal(el_outcome_both(EL_AT_LEAST_DRAW, EL_AT_LEAST_CURSED), EL_AT_LEAST_CURSED);
	assert_int_equal(el_outcome_both(EL_AT_LEAST_DRAW, EL_AT_MOST_DRAW), EL_DRAW);
	assert_int_equal(el_outcome_both(EL_WIN, EL_CURSED_WIN), EL_WIN); /* a contradiction */
	assert_int_equal(el_outcome_too_late(EL_WIN), EL_CURSED_WIN);
	assert_int_equal(el_outcome_too_late(EL_AT_MOST_BLESSED), EL_BLESSED_LOSS);
	assert_int_equal(el_outcome_too_late(EL_DRAW), EL_DRAW);
}

/* ---- whole answers ---- */

static struct el_planes mates;
static struct el_answer answer;

/* The true values of a position with this clock. */
static enum el_outcome truth(const struct el_position *position, unsigned clock)
{
	struct el_place place;
	if (el_chess.drawn(position))
		return EL_DRAW;
	assert_true(el_chess.place(position, &place) && place.key == mates.slice.key);
	const struct el_value mate = el_plane_value(&mates.plane[place.plane], place.index);
	const bool late = mate.plies && (clock >= LIMIT || mate.plies > LIMIT - clock);
	if (mate.outcome == EL_DRAW || !late)
		return mate.outcome;
	return mate.outcome == EL_WIN ? EL_CURSED_WIN : EL_BLESSED_LOSS;
}

/* Calls `look` for positions of KQvK with all clocks, in samples. */
static void for_positions(struct el_library *library, const struct el_question *question,
                          void (*look)(unsigned clock))
{
	for (uint64_t i = 0; i < 2 * mates.slice.positions; i += 61) {
		struct el_position p;
		if (!el_chess.unplace(&mates.slice, i & 1, i / 2, &p))
			continue;
		for (unsigned clock = 0; clock <= LIMIT + 2; clock++) {
			p.halfmove = (uint16_t)clock;
			assert_int_equal(
				el_library_answer(library, &el_chess, &p, question, &answer, NULL),
				EL_OK);
			look(clock);
		}
	}
}

static bool has_run_out(unsigned clock)
{
	return clock >= LIMIT && answer.count;
}

static void look_exactly(unsigned clock)
{
	assert_int_equal(answer.rule, RULE);
	assert_int_equal(answer.outcome, truth(&answer.position, clock));
	assert_int_equal(answer.run_out, has_run_out(clock));
	for (size_t i = 0; i < answer.count; i++) {
		const struct el_ranked *m = &answer.moves[i];
		struct el_position after;
		el_chess.play(&answer.position, &m->move, &after);
		assert_int_equal(m->zeroes, m->move.captured != 0);
		assert_int_equal(after.halfmove, m->zeroes ? 0 : clock + 1);
		const enum el_outcome own = el_outcome_negate(truth(&after, after.halfmove));
		assert_int_equal(m->outcome, has_run_out(clock) ? el_outcome_too_late(own) : own);
		/* Nothing that the clock takes away ranks before what it leaves. */
		assert_true(i == 0 || answer.moves[i - 1].outcome >= m->outcome);
	}
}

static struct el_planes copy_of_mates(void)
{
	struct el_library *library = fixture_library(small_test_tables(), NULL);
	struct el_planes planes = solved_planes(library, "KQvK", &el_dtm);
	el_library_close(library);
	return planes;
}

static void depths_under_the_rule_decide(void **state)
{
	struct el_planes rule = copy_of_mates();
	const struct el_table_options o = fixture_options("raw", 4096, EL_FILL_NONE);
	(void)state;
	rule.metric = &el_dtz_rule[RULE - 1];
	for (unsigned p = 0; p < 2; p++)
		for (uint32_t s = 0; s < rule.plane[p].value_count; s++) {
			struct el_value *v = &rule.plane[p].values[s];
			if (v->plies > LIMIT)
				v->outcome = v->outcome == EL_WIN ? EL_CURSED_WIN : EL_BLESSED_LOSS;
		}
	fixture_write(fixture_path(folder, "KQvK.dtz5.egt"), &rule, &o);
	struct el_library *library = fixture_library(folder, NULL);
	for_positions(library, &(struct el_question){.rule = RULE}, look_exactly);
	el_library_close(library);
	el_planes_free(&rule);
}

static unsigned open_ones;

static void look_within(unsigned clock)
{
	const enum el_outcome true_one = truth(&answer.position, clock);
	assert_true(el_outcome_within(true_one, answer.outcome));
	assert_true(el_outcome_lower(answer.outcome) > EL_DRAW ||
	            el_outcome_upper(answer.outcome) <= EL_DRAW);
	/* A mate in time is certain; a mate that comes too late may yet win in time another way. */
	if (true_one == EL_WIN || true_one == EL_LOSS)
		assert_int_equal(answer.outcome, true_one);
	open_ones += !el_outcome_exact(answer.outcome);
	for (size_t i = 1; i < answer.count; i++)
		assert_true(el_outcome_lower(answer.moves[i - 1].outcome) >=
		                    el_outcome_lower(answer.moves[i].outcome) ||
		            answer.moves[i - 1].outcome == EL_BLESSED_LOSS);
}

static void mates_alone_tell_what_is_in_time(void **state)
{
	(void)state;
	open_ones = 0;
	struct el_library *library = fixture_library(small_test_tables(), NULL);
	for_positions(library, &(struct el_question){.rule = RULE}, look_within);
	for_positions(library, &(struct el_question){.rule = RULE, .alone = true}, look_within);
	assert_true(open_ones > 1000);
	el_library_close(library);
}

static void look_plainly(unsigned clock)
{
	(void)clock;
	assert_int_equal(answer.rule, 0);
	assert_false(answer.run_out);
	assert_int_equal(answer.outcome, answer.value[el_metric_rank(&el_wdl)].outcome);
	for (size_t i = 0; i < answer.count; i++)
		assert_int_equal(answer.moves[i].outcome,
		                 answer.moves[i].value[el_metric_rank(&el_wdl)].outcome);
}

static void no_rule_no_clock(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(small_test_tables(), NULL);
	for_positions(library, NULL, look_plainly);
	el_library_close(library);
}

/* ---- the clock restarts ---- */

static void ask(struct el_library *library, const char *fen, unsigned rule)
{
	struct el_position p;
	const struct el_question question = {.rule = rule};
	const struct el_game *game = fixture_parse(fen, &p);
	assert_int_equal(el_library_answer(library, game, &p, &question, &answer, NULL), EL_OK);
}

static const struct el_ranked *move(const char *san)
{
	for (size_t i = 0; i < answer.count; i++)
		if (!strcmp(answer.moves[i].san, san))
			return &answer.moves[i];
	fail_msg("no %s", san);
	return NULL;
}

static void a_pawn_move_is_in_time(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(small_test_tables(), NULL);
	/* One ply is left, and only the promotion uses it well. */
	ask(library, "8/1k1P4/3K4/8/8/8/8/8 w - - 99 1", 50);
	assert_int_equal(answer.outcome, EL_WIN);
	assert_int_equal(move("d8=Q")->outcome, EL_WIN);
	assert_true(move("d8=Q")->zeroes);
	assert_int_equal(move("Ke7")->outcome, EL_CURSED_WIN);
	assert_string_equal(answer.moves[0].san, "d8=Q");
	/* None is left. */
	ask(library, "8/1k1P4/3K4/8/8/8/8/8 w - - 100 1", 50);
	assert_true(answer.run_out);
	assert_int_equal(answer.outcome, EL_CURSED_WIN);
	assert_int_equal(move("d8=Q")->outcome, EL_CURSED_WIN);
	/* Nor is there for a mate that only the moves show, not a table. */
	ask(library, "7k/8/6K1/8/8/8/8/1QNN4 w - - 99 1", 50);
	assert_int_equal(answer.outcome, EL_WIN);
	ask(library, "7k/8/6K1/8/8/8/8/1QNN4 w - - 100 1", 50);
	assert_true(answer.from_moves && answer.run_out);
	assert_int_equal(answer.outcome, EL_CURSED_WIN);
	/* A mate on the board counts, even on the last ply. */
	ask(library, "1Q5k/8/6K1/8/8/8/8/8 b - - 100 1", 50);
	assert_false(answer.run_out);
	assert_int_equal(answer.outcome, EL_LOSS);
	ask(library, "7k/8/6K1/8/8/8/8/1Q6 w - - 99 1", 50);
	assert_int_equal(answer.outcome, EL_WIN);
	assert_string_equal(answer.moves[0].san, "Qb8#");
	assert_int_equal(move("Qh1+")->outcome, EL_CURSED_WIN);
	/* A game without a clock has no rule either. */
	ask(library, "W:WK3,20:BK30", 50);
	assert_int_equal(answer.rule, 0);
	el_library_close(library);
}

/* ---- lines ---- */

static void a_line_ends_with_the_clock(void **state)
{
	struct el_library *library = fixture_library(small_test_tables(), NULL);
	const struct el_question question = {.metric = &el_dtm, .rule = 50};
	struct el_position p;
	struct el_move moves[64];
	size_t count;
	(void)state;
	fixture_parse("8/8/8/8/8/2k5/8/K6Q w - - 95 1", &p);
	assert_int_equal(fixture_line(library, &el_chess, &p, &question, moves, 64, &count, NULL),
	                 EL_OK);
	assert_int_equal(count, 5);
	p.halfmove = 0;
	assert_int_equal(fixture_line(library, &el_chess, &p, &question, moves, 64, &count, NULL),
	                 EL_OK);
	assert_true(count > 5);
	el_library_close(library);
}

static int make_mates(void **state)
{
	(void)state;
	mates = copy_of_mates();
	return 0;
}

static int free_mates(void **state)
{
	(void)state;
	el_planes_free(&mates);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_value_tells),
		cmocka_unit_test(what_is_known_together),
		cmocka_unit_test_setup_teardown(depths_under_the_rule_decide, fixture_make_folder,
	                                        fixture_remove_folder),
		cmocka_unit_test(mates_alone_tell_what_is_in_time),
		cmocka_unit_test(no_rule_no_clock),
		cmocka_unit_test(a_pawn_move_is_in_time),
		cmocka_unit_test(a_line_ends_with_the_clock),
	};
	return cmocka_run_group_tests(tests, make_mates, free_mates);
}
