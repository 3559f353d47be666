/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Syzygy's depths to zeroing against our solver's, position by position, and against libfathom, if
   it is installed. `TRUTH=all` compares every position of all 35 endings, as `make truth` does. */
#include "core/probe/probe.h"
#include "tests/fixtures/foreign_fixture.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/solved.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if __has_include(<tbprobe.h>)
#include <tbprobe.h>
#endif

static const struct el_metric *const dtz50 = &el_dtz_rule[EL_RULE_USUAL - 1];

/* ---- against our solver ---- */

struct comparison {
	struct solved *solved;
	struct el_library *theirs;
	const struct el_planes *planes; /* ours */
	uint64_t compared, rounded, different;
	char first[1024]; /* that is different */
};

static struct el_value value_in(struct solved *solved, const struct el_position *position,
                                const struct el_metric *metric)
{
	struct el_value value = {.outcome = EL_DRAW};
	struct el_place place;
	struct el_slice slice;
	if (el_game_value(&el_chess, position, &value) || !el_chess.place(position, &place))
		return el_metric_read(&el_wdl, metric, value);
	assert_int_equal(el_chess.slice_of(position, &slice, NULL), EL_OK);
	return el_plane_value(&solved_of(solved, &slice, metric)->plane[place.plane], place.index);
}

/* With a right to capture en passant, computed from the moves. */
static struct el_value expected_of(struct solved *solved, const struct el_position *position,
                                   const struct el_metric *metric)
{
	struct el_value best = {.outcome = EL_BROKEN};
	struct el_move moves[EL_MOVES_MAX];
	if (position->en_passant == EL_NO_SQUARE)
		return value_in(solved, position, metric);
	const size_t count = el_chess.moves(position, moves);
	for (size_t i = 0; i < count; i++) {
		struct el_position after;
		el_chess.play(position, &moves[i], &after);
		const bool ends = el_chess.zeroes(position, &moves[i]);
		const struct el_value value = el_value_of_move(
			metric,
			expected_of(solved, &after, ends ? el_metric_entered(metric) : metric),
			ends, 0);
		best = i ? el_value_max(metric, best, value) : value;
	}
	return best;
}

/* Exact, or within a ply if rounded. Endings with so few pieces have no cursed wins. */
static void compare(struct comparison *c, const struct el_position *position,
                    struct el_value expected)
{
	struct el_value found = {.outcome = EL_UNKNOWN};
	struct el_error error = {0};
	char fen[EL_FEN_MAX];
	enum el_status status = el_library_value(c->theirs, &el_chess, position, dtz50,
	                                         EL_PROBE_FULL, &found, &error);
#pragma omp atomic
	c->compared++;
#pragma omp atomic
	c->rounded += found.rounded;
	if (!status && el_value_matches(expected, found) && found.plies <= expected.plies)
		return;
#pragma omp critical
	if (c->different++ == 0) {
		el_chess.format(position, fen);
		snprintf(c->first, sizeof c->first, "%s: ours %s %u, theirs %s %u%s %s", fen,
		         el_outcome_name(expected.outcome), expected.plies,
		         el_outcome_name(found.outcome), found.plies,
		         found.rounded ? " rounded" : "", error.text);
	}
}

/* After a double step the right to capture en passant counts. */
static void compare_rights(struct comparison *c, const struct el_position *position)
{
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = el_chess.moves(position, moves);
	for (size_t i = 0; i < count; i++) {
		struct el_position after;
		el_chess.play(position, &moves[i], &after);
		if (after.en_passant != EL_NO_SQUARE)
			compare(c, &after, expected_of(c->solved, &after, dtz50));
	}
}

/* Every index of a plane, or one in `step` of them. */
static void compare_plane(struct comparison *c, unsigned plane, uint64_t step)
{
	const struct el_slice *slice = &c->planes->slice;
#pragma omp parallel for schedule(dynamic, 4096)
	for (uint64_t index = 0; index < slice->positions; index += step) {
		struct el_position position, image[IMAGES];
		if (!el_chess.unplace(slice, plane, index, &position))
			continue;
		const struct el_value expected = el_plane_value(&c->planes->plane[plane], index);
		images_of(&el_chess, &position, image);
		for (unsigned i = 0; i < (slice->pieces == 3 ? IMAGES : 1); i++)
			compare(c, &image[i], expected);
	}
	/* These slices are too small for many threads. */
	for (uint64_t index = 0; index < slice->positions && slice->pieces > 3; index += step) {
		struct el_position position;
		if (el_chess.unplace(slice, plane, index, &position))
			compare_rights(c, &position);
	}
}

static void compare_slice(struct el_library *theirs, const char *name, uint64_t step)
{
	struct comparison c = {.solved = solved_open(), .theirs = theirs};
	struct el_slice slice;
	struct el_error error;
	assert_int_equal(el_slice_parse(name, &slice, &error), EL_OK);
	c.planes = solved_of(c.solved, &slice, dtz50);
	for (unsigned plane = 0; plane < slice.planes; plane++)
		compare_plane(&c, plane, step);
	solved_close(c.solved);
	if (c.different)
		fail_msg("%s: %llu of %llu positions differ, first %s", name,
		         (unsigned long long)c.different, (unsigned long long)c.compared, c.first);
	assert_true(c.compared > 10000);
	if (tests_are_thorough())
		printf("%-8s %llu positions compared, %llu rounded\n", name,
		       (unsigned long long)c.compared, (unsigned long long)c.rounded);
}

static void compare_slices(unsigned pieces, uint64_t step)
{
	struct el_slice slices[64];
	struct el_library *theirs = fixture_library("/nonexistent", foreign_syzygy());
	const size_t count = el_chess.slices(pieces, slices, 64);
	for (size_t i = 0; i < count; i++)
		compare_slice(theirs, slices[i].name, step);
	el_library_close(theirs);
}

static void test_three(void **state)
{
	(void)state;
	compare_slices(3, 1);
}

/* One-sided for White and for Black, symmetric, in moves and in plies, with pawns of one side and
   of both. */
static void test_four(void **state)
{
	static const char *const names[] = {"KQvKR", "KRvKN", "KBNvK", "KNvKP", "KPvKP", "KRvKR"};
	enum { STEP = 37 };
	(void)state;
	if (tests_are_thorough()) {
		compare_slices(4, 1);
		return;
	}
	struct el_library *theirs = fixture_library("/nonexistent", foreign_syzygy());
	for (size_t i = 0; i < (tests_are_slow() ? 1 : sizeof names / sizeof *names); i++)
		compare_slice(theirs, names[i], STEP);
	el_library_close(theirs);
}

/* ---- against libfathom ---- */

#ifdef TBPROBE_H
static uint64_t sets_of(const struct el_position *p, char letter)
{
	const size_t kind = (size_t)(strchr(el_chess.kinds, letter) - el_chess.kinds);
	return p->set[0][kind] | p->set[1][kind];
}

static unsigned ask_theirs(const struct el_position *p, unsigned results[TB_MAX_MOVES])
{
	uint64_t side[2] = {0};
	for (unsigned i = 0; i < 2 * EL_KINDS; i++)
		side[i / EL_KINDS] |= p->set[i / EL_KINDS][i % EL_KINDS];
	return tb_probe_root(side[0], side[1], sets_of(p, 'K'), sets_of(p, 'Q'), sets_of(p, 'R'),
	                     sets_of(p, 'B'), sets_of(p, 'N'), sets_of(p, 'P'), p->halfmove, 0,
	                     p->en_passant == EL_NO_SQUARE ? 0 : p->en_passant, p->side == EL_WHITE,
	                     results);
}

/* Their result for a move; TB_RESULT_FAILED: none. */
static unsigned result_of(const unsigned *results, const struct el_move *move, const char *uci)
{
	static const char promotions[] = "-qrbn";
	const char *becomes = strchr(promotions, uci[4] ? uci[4] : '-');
	for (; *results != TB_RESULT_FAILED; results++)
		if (TB_GET_FROM(*results) == move->from && TB_GET_TO(*results) == move->to &&
		    TB_GET_PROMOTES(*results) == (unsigned)(becomes - promotions))
			break;
	return *results;
}

/* Do they agree on the winner, though not on whether it is in time? */
static bool same_side(enum el_outcome a, enum el_outcome b)
{
	return a != EL_DRAW && b != EL_DRAW && (a > EL_DRAW) == (b > EL_DRAW);
}

/* They count one ply as two if it is rounded, and rounded wins as good on the last ply of the
   rule. */
static void expect_same(const struct el_position *position, const char *what, unsigned theirs,
                        enum el_outcome outcome, struct el_value value)
{
	static const enum el_outcome names[] = {EL_LOSS, EL_BLESSED_LOSS, EL_DRAW, EL_CURSED_WIN,
	                                        EL_WIN};
	const enum el_outcome wdl = names[TB_GET_WDL(theirs)];
	const unsigned dtz = TB_GET_DTZ(theirs), slack = value.plies <= 4 ? 1 : 0;
	const bool open = !el_outcome_exact(outcome) || (slack && position->halfmove > 95);
	char fen[EL_FEN_MAX];
	if ((outcome == wdl || (open && same_side(wdl, el_outcome_lower(outcome)))) &&
	    (outcome == EL_DRAW || (value.plies <= dtz + slack && dtz <= value.plies + slack)))
		return;
	el_chess.format(position, fen);
	fail_msg("%s %s: ours %s %u, libfathom %s %u", fen, what, el_outcome_name(outcome),
	         value.plies, el_outcome_name(wdl), dtz);
}

static uint64_t compare_root(struct el_library *library, const struct el_position *position)
{
	static struct el_answer answer;
	const struct el_question question = {.metric = dtz50, .rule = EL_RULE_USUAL};
	const size_t rank = dtz50->rank;
	unsigned results[TB_MAX_MOVES];
	assert_int_equal(el_library_answer(library, &el_chess, position, &question, &answer, NULL),
	                 EL_OK);
	if (answer.over || answer.run_out)
		return 0;
	const unsigned root = ask_theirs(position, results);
	assert_int_not_equal(root, TB_RESULT_FAILED);
	expect_same(position, "itself", root, answer.outcome, answer.value[rank]);
	for (size_t i = 0; i < answer.count; i++) {
		const struct el_ranked *move = &answer.moves[i];
		const unsigned theirs = result_of(results, &move->move, move->uci);
		assert_int_not_equal(theirs, TB_RESULT_FAILED);
		expect_same(position, move->san, theirs, move->outcome, move->value[rank]);
	}
	return 1 + answer.count;
}

static uint64_t compare_sample(struct el_library *library, const struct el_slice *slice,
                               unsigned positions)
{
	static const uint16_t clocks[] = {0, 0, 1, 50, 80, 90, 98, 99};
	uint64_t state = 1, compared = 0;
	for (unsigned n = 0; n < positions;) {
		struct el_position position;
		struct el_move moves[EL_MOVES_MAX];
		if (!el_chess.unplace(slice, (unsigned)(fixture_random(&state) % slice->planes),
		                      fixture_random(&state) % slice->positions, &position))
			continue;
		position.halfmove = clocks[n++ % (sizeof clocks / sizeof *clocks)];
		compared += compare_root(library, &position);
		for (size_t i = el_chess.moves(&position, moves); i-- > 0;) {
			struct el_position after;
			el_chess.play(&position, &moves[i], &after);
			if (after.en_passant != EL_NO_SQUARE)
				compared += compare_root(library, &after);
		}
	}
	return compared;
}

static void test_libfathom(void **state)
{
	struct el_slice slices[64];
	(void)state;
	const char *from = foreign_syzygy();
	struct el_library *library = fixture_library("/nonexistent", from);
	assert_true(tb_init(from) && TB_LARGEST >= 4);
	size_t count = el_chess.slices(3, slices, 64);
	count += el_chess.slices(4, slices + count, 64 - count);
	uint64_t compared = 0;
	for (size_t i = 0; i < count; i++)
		compared += compare_sample(library, &slices[i], tests_are_thorough() ? 20000 : 150);
	assert_true(compared > 10000);
	el_library_close(library);
}
#else
static void test_libfathom(void **state)
{
	(void)state;
	printf("note: libfathom-dev is not installed: not compared with it\n");
	skip();
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_three),
		IN_FOLDER(test_four),
		IN_FOLDER(test_libfathom),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
