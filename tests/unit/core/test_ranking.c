/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of equally good moves, only moves, and the ends of lines. */
#include "core/probe/probe.h"
#include "tests/fixtures/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct el_metric *const dtm[] = {&el_dtm, NULL};
static const struct el_question by_demand = {.rule = EL_RULE_USUAL, .by_demand = true};

static struct el_value value_of(struct el_library *library, const struct el_position *p)
{
	struct el_value v;
	assert_int_equal(el_library_value(library, &el_chess, p, &el_dtm, EL_PROBE_FULL, &v, NULL),
	                 EL_OK);
	return v;
}

/* The values of the replies to a move for its mover, counted independently of the ranking. */
static struct el_demand count_again(struct el_library *library, const struct el_position *p,
                                    const struct el_move *move)
{
	struct el_move replies[EL_MOVES_MAX];
	struct el_position after, next;
	struct el_demand d = {0};
	unsigned worst = EL_WIN;
	el_chess.play(p, move, &after);
	d.replies = (uint16_t)el_chess.moves(&after, replies);
	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < d.replies; i++) {
			el_chess.play(&after, &replies[i], &next);
			const struct el_value v = value_of(library, &next);
			if (!pass) {
				worst = v.outcome < worst ? v.outcome : worst;
			} else if (v.outcome > worst) {
				d.mistakes++;
				d.holds += v.outcome == EL_WIN ? v.plies + 1u : 0;
			}
		}
	return d;
}

/* Greater than 0: the first one is more demanding, judged by the replies. */
static double more(const struct el_demand *x, const struct el_demand *y)
{
	const double share_x = x->replies ? (double)x->mistakes / x->replies : 0;
	const double share_y = y->replies ? (double)y->mistakes / y->replies : 0;
	const double mean_x = x->mistakes ? (double)x->holds / x->mistakes : 0;
	const double mean_y = y->mistakes ? (double)y->holds / y->mistakes : 0;
	return share_x != share_y ? share_x - share_y : mean_x - mean_y;
}

static unsigned check_answer(struct el_library *library, const struct el_answer *a)
{
	unsigned equals = 0, best = 0;
	const size_t rank = el_metric_rank(&el_dtm);
	for (size_t i = 0; i < a->count; i++) {
		const struct el_ranked *m = &a->moves[i];
		best += m->outcome == a->moves[0].outcome;
		assert_true(!m->only || i == 0);
		if (!i || m[-1].outcome != m->outcome ||
		    !el_value_equal(m[-1].value[rank], m->value[rank]))
			continue;
		const struct el_demand before = count_again(library, &a->position, &m[-1].move);
		const struct el_demand now = count_again(library, &a->position, &m->move);
		assert_int_equal(now.replies, m->demand.replies);
		assert_int_equal(now.mistakes, m->demand.mistakes);
		assert_int_equal(now.holds, m->demand.holds);
		assert_true(more(&before, &now) > -1e-9);
		equals++;
	}
	assert_true(!a->count || a->moves[0].only == (best == 1));
	return equals;
}

static void equals_stand_by_what_they_demand(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	struct el_answer *a = malloc(sizeof *a);
	struct el_slice slice;
	unsigned equals = 0, positions = 0;
	assert_non_null(a);
	assert_int_equal(fixture_build(library, "KPvK", dtm), EL_OK);
	assert_int_equal(el_slice_parse("KPvK", &slice, NULL), EL_OK);
	for (uint64_t i = 0; i < 2 * slice.positions; i += 131) {
		struct el_position p;
		if (!el_chess.unplace(&slice, i & 1, i / 2, &p))
			continue;
		assert_int_equal(el_library_answer(library, &el_chess, &p, &by_demand, a, NULL),
		                 EL_OK);
		equals += check_answer(library, a);
		positions++;
	}
	assert_true(positions > 500 && equals > 1000);
	free(a);
	el_library_close(library);
}

/* The line from a position: its end, and its first move. */
static enum el_line_end line_of(struct el_library *library, const char *fen, char san[EL_MOVE_MAX])
{
	struct el_move moves[64];
	struct el_line line = {.moves = moves, .max = 64};
	struct el_position p;
	struct el_question question = by_demand;
	const struct el_game *game = fixture_parse(fen, &p);
	question.metric = &el_dtm;
	assert_int_equal(el_library_line(library, game, &p, &question, &line, NULL), EL_OK);
	*san = '\0';
	if (line.count)
		game->write_move(&p, &moves[0], EL_SAN, san);
	return line.end;
}

static void lines_say_why_they_end(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	char san[EL_MOVE_MAX];
	assert_int_equal(fixture_build(library, "KPvK", dtm), EL_OK);
	/* Most replies lose while White stays with the pawn. */
	assert_int_equal(line_of(library, "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", san),
	                 EL_LINE_REPEATED);
	assert_string_equal(san, "Kd4");
	/* No reply can lose, but the pawn cannot be held. */
	assert_int_equal(line_of(library, "8/8/2K5/7k/5P2/8/8/8 b - - 0 1", san), EL_LINE_BARE);
	assert_string_equal(san, "Kg4");
	assert_int_equal(line_of(library, "8/8/8/3k4/8/8/8/K7 w - - 0 1", san), EL_LINE_BARE);
	assert_string_equal(san, "");
	assert_int_equal(line_of(library, "4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", san), EL_LINE_OVER);
	assert_string_equal(san, "");
	assert_int_equal(line_of(library, "8/8/8/4k3/8/8/4P3/4K3 b - - 97 80", san),
	                 EL_LINE_RUN_OUT);
	assert_int_equal(line_of(library, "8/8/8/8/8/2k5/8/K6Q b - - 4 7", san), EL_LINE_OVER);
	el_library_close(library);
}

/* A line looks at less than a ranking does, but plays what that puts first. */
static void lines_follow_the_ranking(void **state)
{
	(void)state;
	const struct el_metric *const metrics[] = {&el_dtm, el_metric_find("dtz50"), NULL};
	struct el_library *library = fixture_library(folder, NULL);
	struct el_answer *a = malloc(sizeof *a);
	struct el_slice slice;
	unsigned moves = 0;
	assert_non_null(a);
	assert_int_equal(fixture_build(library, "KPvK", metrics), EL_OK);
	assert_int_equal(el_slice_parse("KPvK", &slice, NULL), EL_OK);
	for (uint64_t i = 0; i < 2 * slice.positions; i += 1009) {
		static const uint8_t clocks[] = {0, 40, 90, 97, 98, 99};
		struct el_move played[64];
		struct el_line line = {.moves = played, .max = 64};
		const bool ruled = i % 4;
		const struct el_question question = {.metric = metrics[ruled],
		                                     .rule = ruled ? EL_RULE_USUAL : 0};
		struct el_position p, after;
		if (!el_chess.unplace(&slice, i & 1, i / 2, &p))
			continue;
		p.halfmove = clocks[i % 6];
		assert_int_equal(el_library_line(library, &el_chess, &p, &question, &line, NULL),
		                 EL_OK);
		for (size_t m = 0; m < line.count; m++, moves++, p = after) {
			assert_int_equal(
				el_library_answer(library, &el_chess, &p, &question, a, NULL),
				EL_OK);
			assert_true(el_move_equal(&a->moves[0].move, &played[m]));
			el_chess.play(&p, &played[m], &after);
		}
	}
	assert_true(moves > 1500);
	free(a);
	el_library_close(library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(equals_stand_by_what_they_demand),
		IN_FOLDER(lines_say_why_they_end),
		IN_FOLDER(lines_follow_the_ranking),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
