/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fast solver of Nine Men's Morris against the tests' own (merels.h), which shares no code with
 * it: all positions with three and four men a side, under every metric of the game, and all with men in
 * hand; `verify` proves every table, with `TRUTH=all` in the environment up to five men against four.
 * Of four men a side, those with men in hand are compared only then. And published
 * figures for all 49 subspaces: positions, indexes, and classes of positions.
 */
#include "core/examine/examine.h"
#include "core/probe/probe.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"
#include "tests/oracles/merels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { METRICS = 4 };
static const struct el_metric *const metrics[METRICS + 1] = {&el_wdl, &el_win, &el_dtw, &el_dtc,
                                                             NULL};

/* Shared by all tests: tables, and the truth. */
static struct ground {
	char directory[SCRATCH_PATH];
	struct el_library *library;
	struct merels *brute;
	unsigned most; /* men of a side */
} ground;

static int open_ground(void **state)
{
	(void)state;
	if (tests_are_slow())
		printf("note: three men a side only, without brute force, under sanitizers and "
		       "valgrind\n");
	ground.most = tests_are_slow() ? 3 : 4;
	ground.brute = tests_are_slow() ? NULL : merels_solve(ground.most, ground.most);
	scratch_make(ground.directory);
	ground.library = fixture_library(ground.directory, NULL);
	const char *names = "morris:3v3";
	if (ground.most > 3)
		names = tests_are_thorough()
		                ? "morris:3v3 morris:4v3 morris:4v4 morris:5v3 morris:5v4"
		                : "morris:3v3 morris:4v3 morris:4v4";
	return (int)fixture_build(ground.library, names, metrics);
}

static int close_ground(void **state)
{
	(void)state;
	el_library_close(ground.library);
	scratch_remove(ground.directory);
	merels_free(ground.brute);
	return 0;
}

/* ---- position by position ---- */

/* One slice, and which of its positions brute force has reached. */
struct comparison {
	struct el_slice slice;
	struct el_planes planes[METRICS];
	unsigned metrics; /* how many of them */
	uint8_t *met[2];  /* by plane and index */
	uint64_t count;
	char wrong[256]; /* the first difference */
};

/* One of the sixteen images of a board, with the colours as they are or exchanged. */
static struct el_position laid_out(const struct merels_board *board, unsigned image, bool swapped)
{
	struct el_position p = {.side = (uint8_t)(board->side ^ swapped),
	                        .en_passant = EL_NO_SQUARE,
	                        .fullmove = 1,
	                        .hand = {board->hand[swapped], board->hand[!swapped]}};
	for (unsigned point = 0; point < MERELS_POINTS; point++) {
		char name[3];
		if (board->at[point] == '.')
			continue;
		merels_name(merels_image(image, point), name);
		const unsigned side = (board->at[point] == 'B') ^ swapped;
		p.set[side][0] |= UINT64_C(1) << el_morris.square_at((unsigned)(name[0] - 'a'),
		                                                     (unsigned)(name[1] - '1'));
	}
	return p;
}

/* Converted to a metric. */
static struct el_value expected(const struct el_metric *metric, const struct merels_value *truth)
{
	static const enum el_outcome outcomes[] = {
		[MERELS_LOSS] = EL_LOSS, [MERELS_DRAW] = EL_DRAW, [MERELS_WIN] = EL_WIN};
	struct el_value value = {.outcome = (uint8_t)outcomes[truth->outcome]};
	if (metric == &el_win && value.outcome != EL_WIN)
		value.outcome = EL_AT_MOST_DRAW;
	if (metric->has_depth)
		value.plies = (uint16_t)(metric == &el_dtw ? truth->dtw : truth->dtc);
	return value;
}

static void compare_position(const struct merels_board *board, const struct merels_value *truth,
                             void *context)
{
	struct comparison *c = context;
	const struct el_position position =
		laid_out(board, (unsigned)(c->count % MERELS_IMAGES), c->count / MERELS_IMAGES % 2);
	struct el_place place;
	char fen[EL_FEN_MAX];
	assert_true(el_morris.place(&position, &place));
	assert_int_equal(place.key, c->slice.key);
	assert_in_range(place.index, 0, c->slice.positions - 1);
	assert_false(c->met[place.plane][place.index]);
	c->met[place.plane][place.index] = 1;
	c->count++;
	for (unsigned m = 0; m < c->metrics; m++) {
		const struct el_value want = expected(metrics[m], truth),
				      found = el_plane_value(&c->planes[m].plane[place.plane],
		                                             place.index);
		if (el_value_equal(found, want) || c->wrong[0])
			continue;
		el_morris.format(&position, fen);
		snprintf(c->wrong, sizeof c->wrong, "%s %s: expected %s %u, found %s %u", fen,
		         metrics[m]->name, el_outcome_name(want.outcome), want.plies,
		         el_outcome_name(found.outcome), found.plies);
	}
}

/* Brute force and the index distinguish the same classes of positions. */
static void assert_all_met(const struct comparison *c)
{
	for (unsigned plane = 0; plane < c->slice.planes; plane++)
		for (uint64_t i = 0; i < c->slice.positions; i++) {
			struct el_position position;
			if (c->met[plane][i] != el_morris.unplace(&c->slice, plane, i, &position))
				fail_msg("%s: plane %u, index %llu", c->slice.name, plane,
				         (unsigned long long)i);
		}
}

/* Returns the number of classes. */
static uint64_t compare(const char *name, const struct merels *brute)
{
	struct comparison c = {.wrong = "", .slice = slice_named(name)};
	const bool in_hand = c.slice.hand[0] || c.slice.hand[1];
	c.metrics = in_hand ? METRICS - 1 : METRICS; /* without dtc, the last */
	for (unsigned m = 0; m < c.metrics; m++)
		c.planes[m] = fixture_stored(ground.library, name, metrics[m]);
	for (unsigned plane = 0; plane < c.slice.planes; plane++) {
		const unsigned us = el_slice_mover(&c.slice, plane);
		c.met[plane] = calloc(c.slice.positions, 1);
		merels_each(brute, c.slice.count[us][0], c.slice.count[!us][0], c.slice.hand[us],
		            c.slice.hand[!us], compare_position, &c);
	}
	if (c.wrong[0])
		fail_msg("%s: %s", name, c.wrong);
	assert_all_met(&c);
	for (unsigned plane = 0; plane < c.slice.planes; plane++)
		free(c.met[plane]);
	for (unsigned m = 0; m < c.metrics; m++)
		el_planes_free(&c.planes[m]);
	return c.count;
}

static void test_every_position(void **state)
{
	(void)state;
	if (!ground.brute)
		skip();
	assert_int_equal(compare("morris:3v3", ground.brute), 169626);
	assert_int_equal(compare("morris:4v3", ground.brute), 2 * 760398);
	assert_int_equal(compare("morris:4v4", ground.brute), 3225597);
}

static void test_men_in_hand(void **state)
{
	const unsigned most = tests_are_thorough() ? 4 : 3;
	struct merels *few = ground.brute && most == 4 ? ground.brute : merels_solve(3, 3);
	struct el_slice slices[64];
	size_t compared = 0;
	(void)state;
	merels_place(few, most);
	for (unsigned group = 3; group <= most; group++) {
		const size_t count = el_morris.slices_in_hand(group, slices, 64);
		assert_true(count <= 64);
		for (size_t i = 0; i < count; i++)
			if (slices[i].hand[0] || slices[i].hand[1]) {
				assert_int_equal(
					fixture_build(ground.library, slices[i].name, metrics),
					EL_OK);
				compare(slices[i].name, few);
				compared++;
			}
	}
	assert_int_equal(compared, most == 4 ? 23 : 6);
	if (few != ground.brute)
		merels_free(few);
}

/* ---- published figures ---- */

/* Classes of positions with an outcome. */
static uint64_t classes_with(const struct el_planes *planes, unsigned side, enum el_outcome outcome)
{
	uint64_t count = 0;
	for (uint64_t i = 0; i < planes->slice.positions; i++) {
		struct el_position position;
		count += el_plane_value(&planes->plane[side], i).outcome == outcome &&
		         el_morris.unplace(&planes->slice, side, i, &position);
	}
	return count;
}

/* Three men against three, and against four, from the database of Gevay and Danner's Malom. */
static void test_published(void **state)
{
	(void)state;
	struct el_planes planes = fixture_stored(ground.library, "morris:3v3", &el_dtw);
	struct el_stats stats = fixture_stats(&planes);
	assert_int_equal(stats.side[0].unique, 169626);
	assert_int_equal(stats.side[0].all.legal, 2024 * 1330);
	assert_int_equal(classes_with(&planes, 0, EL_WIN), 140621);
	assert_int_equal(classes_with(&planes, 0, EL_DRAW), 269);
	assert_int_equal(classes_with(&planes, 0, EL_LOSS), 28736);
	assert_int_equal(stats.side[0].longest[0], 25);
	assert_int_equal(stats.side[0].longest[1], 26);
	el_stats_free(&stats);
	el_planes_free(&planes);
	if (ground.most == 3)
		skip();
	planes = fixture_stored(ground.library, "morris:4v3", &el_dtw);
	stats = fixture_stats(&planes);
	assert_int_equal(classes_with(&planes, 1, EL_WIN), 102281);
	assert_int_equal(classes_with(&planes, 1, EL_LOSS), 0);
	assert_int_equal(stats.side[1].longest[0], 33);
	el_stats_free(&stats);
	el_planes_free(&planes);
}

/* ---- all 49 subspaces ---- */

static uint64_t choose_of(unsigned n, unsigned k)
{
	uint64_t out = 1;
	for (unsigned i = 0; i < k; i++)
		out = out * (n - i) / (i + 1);
	return out;
}

/* A polynomial in two variables: [i][j] is the number of ways with i of one colour and j of the
   other. */
struct counts {
	uint64_t at[10][10];
};

/* Multiplies by 1 + x^n + y^n: n points that an image maps to each other are all empty, or all of
   one colour. */
static void add_cycle(struct counts *c, unsigned n)
{
	for (unsigned i = 10; i-- > 0;)
		for (unsigned j = 10; j-- > 0;)
			c->at[i][j] +=
				(i >= n ? c->at[i - n][j] : 0) + (j >= n ? c->at[i][j - n] : 0);
}

/* Positions that an image leaves unchanged. */
static struct counts fixed_by(unsigned image)
{
	struct counts c = {.at = {[0] = {1}}};
	bool seen[MERELS_POINTS] = {false};
	for (unsigned point = 0; point < MERELS_POINTS; point++) {
		unsigned length = 0;
		for (unsigned at = point; !seen[at]; at = merels_image(image, at), length++)
			seen[at] = true;
		if (length)
			add_cycle(&c, length);
	}
	return c;
}

/* Counts both m-o and o-m. Classes by Burnside: the mean number of positions that images leave
   unchanged. */
static void test_totals(void **state)
{
	uint64_t positions = 0, indexes = 0, fixed = 0;
	struct counts by_image[MERELS_IMAGES];
	(void)state;
	for (unsigned image = 0; image < MERELS_IMAGES; image++)
		by_image[image] = fixed_by(image);
	for (unsigned m = 3; m <= 9; m++)
		for (unsigned o = 3; o <= 9; o++) {
			char name[EL_SLICE_MAX];
			snprintf(name, sizeof name, "morris:%uv%u", m, o);
			const struct el_slice slice = slice_named(name);
			positions += choose_of(24, m) * choose_of(24 - m, o);
			indexes += slice.positions;
			for (unsigned image = 0; image < MERELS_IMAGES; image++)
				fixed += by_image[image].at[m][o];
		}
	assert_int_equal(positions, UINT64_C(142430121724));
	assert_int_equal(indexes, UINT64_C(9074932579));
	assert_int_equal(fixed % MERELS_IMAGES, 0);
	assert_int_equal(fixed / MERELS_IMAGES, UINT64_C(8904593601));
	/* The same count for the subspaces enumerated above. */
	uint64_t few[3] = {0};
	for (unsigned image = 0; image < MERELS_IMAGES; image++) {
		few[0] += by_image[image].at[3][3];
		few[1] += by_image[image].at[4][3];
		few[2] += by_image[image].at[4][4];
	}
	assert_int_equal(few[0] / MERELS_IMAGES, 169626);
	assert_int_equal(few[1] / MERELS_IMAGES, 760398);
	assert_int_equal(few[2] / MERELS_IMAGES, 3225597);
}

/* ---- every position of every table ---- */

/* Each position has the value of its best move; with depths, that proves the table. */
static void verify(const char *name, const struct el_metric *metric)
{
	struct el_planes planes = fixture_stored(ground.library, name, metric);
	const struct el_verdict verdict = fixture_verdict(ground.library, &planes);
	if (verdict.wrong)
		fail_msg("%s %s: %s", name, metric->name, verdict.first_fen);
	assert_true(verdict.checked > 0 && !verdict.open);
	el_planes_free(&planes);
}

static void test_verified(void **state)
{
	static const char *const names[] = {"morris:3v3", "morris:4v3", "morris:4v4", "morris:5v3",
	                                    "morris:5v4"};
	const size_t count = tests_are_thorough() ? 5 : ground.most == 3 ? 1 : 2;
	(void)state;
	for (size_t i = 0; i < count; i++)
		for (unsigned m = 0; m < METRICS; m++)
			if (i == 0 || tests_are_thorough() || metrics[m] == &el_dtw)
				verify(names[i], metrics[m]);
}

/* ---- larger ones ---- */

/* A value from the moves of the tests' own rules and the tables of the positions after them. */
struct judged {
	unsigned win, loss; /* the depth of either; 0: there is none, or it is impossible */
	bool escapes;
};

static bool judge_move(const struct merels_move *move, void *context)
{
	struct judged *j = context;
	const struct el_position after = laid_out(&move->after, 0, false);
	struct el_value value = {.outcome = EL_LOSS};
	struct el_error error = {.text = ""};
	if (merels_men(&move->after, (unsigned)move->after.side) >= MERELS_FEW &&
	    el_library_value(ground.library, &el_morris, &after, &el_dtw, EL_PROBE_FULL, &value,
	                     &error))
		fail_msg("%s", error.text);
	if (value.outcome == EL_LOSS && (!j->win || value.plies + 1u < j->win))
		j->win = value.plies + 1u;
	if (value.outcome == EL_WIN && value.plies + 1u > j->loss)
		j->loss = value.plies + 1u;
	j->escapes |= value.outcome != EL_WIN;
	return true;
}

static struct merels_board board_of(const struct el_position *position)
{
	char text[EL_FEN_MAX];
	el_morris.format(position, text);
	return merels_read(text);
}

/* Depths prove outcomes, which two metrics have found independently. */
static void assert_same_outcomes(const char *name)
{
	struct el_planes wdl = fixture_stored(ground.library, name, &el_wdl),
			 dtw = fixture_stored(ground.library, name, &el_dtw);
	for (unsigned plane = 0; plane < wdl.slice.planes; plane++)
		for (uint64_t i = 0; i < wdl.slice.positions; i++)
			if (wdl.plane[plane].symbols[i] &&
			    el_plane_value(&wdl.plane[plane], i).outcome !=
			            el_plane_value(&dtw.plane[plane], i).outcome)
				fail_msg("%s: plane %u, index %llu", name, plane,
				         (unsigned long long)i);
	el_planes_free(&wdl);
	el_planes_free(&dtw);
}

static void test_sampled(void **state)
{
	static const char *const names[] = {"morris:5v3", "morris:5v4"};
	static const struct el_metric *const both[] = {&el_wdl, &el_dtw, NULL};
	uint64_t seed = 9;
	unsigned decided = 0;
	(void)state;
	if (ground.most == 3)
		skip();
	assert_int_equal(fixture_build(ground.library, "morris:5v3 morris:5v4", both), EL_OK);
	assert_same_outcomes(names[0]);
	assert_same_outcomes(names[1]);
	for (unsigned n = 0; n < 3000; n++) {
		const struct el_slice slice = slice_named(names[n % 2]);
		const struct el_position position = random_position(&slice, &seed);
		const struct merels_board board = board_of(&position);
		struct judged j = {0};
		struct el_value value;
		merels_each_move(&board, judge_move, &j);
		assert_int_equal(el_library_value(ground.library, &el_morris, &position, &el_dtw,
		                                  EL_PROBE_FULL, &value, NULL),
		                 EL_OK);
		assert_int_equal(value.outcome, j.win ? EL_WIN : j.escapes ? EL_DRAW : EL_LOSS);
		assert_int_equal(value.plies, j.win ? j.win : j.escapes ? 0 : j.loss);
		decided += value.outcome != EL_DRAW;
	}
	assert_true(decided > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_position), cmocka_unit_test(test_men_in_hand),
		cmocka_unit_test(test_published),      cmocka_unit_test(test_totals),
		cmocka_unit_test(test_verified),       cmocka_unit_test(test_sampled),
	};
	return cmocka_run_group_tests(tests, open_ground, close_ground);
}
