/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The proof of partial tables, and their statistics, against a count over every placement. */
#include "core/examine/proof.h"
#include "tests/fixtures/partial_fixture.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct el_metric *const wdl[] = {&el_wdl, NULL};

static void forget(struct el_library *library, const char *file)
{
	assert_int_equal(remove(fixture_path(folder, file)), 0);
	assert_int_equal(el_library_rescan(library, NULL), EL_OK);
}

/* ---- the proof ---- */

static struct el_verdict verdict_on(struct el_library *library, const char *name)
{
	struct el_planes planes = fixture_stored(library, name, &el_wdl);
	const struct el_verdict verdict = fixture_verdict(library, &planes);
	el_planes_free(&planes);
	return verdict;
}

static void test_verify(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	partial_build(library, "KQvK KPvK KNvKP", NULL);
	static const char *const names[] = {"KPvK", "KNvKP"};
	for (size_t i = 0; i < (tests_are_slow() ? 1 : 2); i++) {
		const struct el_verdict v = verdict_on(library, names[i]);
		assert_true(v.checked > 100000);
		assert_int_equal(v.wrong + v.loose + v.open, 0);
		assert_true(v.missing.count > 0);
	}
	el_library_close(library);
}

/* Bounds that a newer table would narrow are loose; those that rest on a deleted table are open. */
static void test_verify_with_other_tables(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	partial_build(library, "KPvK", NULL);
	partial_build(library, "KQvK KRvK", NULL);
	struct el_verdict v = verdict_on(library, "KPvK");
	assert_true(v.loose > 0);
	assert_int_equal(v.wrong + v.open, 0);
	assert_int_equal(v.missing.count, 2);
	partial_build(library, "KPvK", NULL);
	v = verdict_on(library, "KPvK");
	assert_int_equal(v.wrong + v.loose + v.open, 0);
	forget(library, "KQvK.wdl.egt");
	forget(library, "KRvK.wdl.egt");
	v = verdict_on(library, "KPvK");
	assert_true(v.open > 0);
	assert_int_equal(v.wrong, 0);
	assert_int_equal(v.missing.count, 4);
	el_library_close(library);
}

/* The first legal index of a plane with this outcome. */
static uint64_t first_with(const struct el_planes *planes, unsigned p, enum el_outcome outcome)
{
	struct el_position position;
	uint64_t i = 0;
	while (el_plane_value(&planes->plane[p], i).outcome != outcome ||
	       !planes->slice.game->unplace(&planes->slice, p, i, &position))
		assert_true(++i < planes->slice.positions);
	return i;
}

static uint16_t symbol_of(const struct el_plane *plane, enum el_outcome outcome)
{
	uint16_t s = 0;
	while (plane->values[s].outcome != outcome)
		s++;
	return s;
}

static void test_verify_finds_lies(void **state)
{
	(void)state;
	static const struct {
		unsigned plane;
		enum el_outcome is, said;
	} lies[] = {
		{EL_WHITE, EL_AT_LEAST_DRAW, EL_DRAW}, {EL_WHITE, EL_AT_LEAST_DRAW, EL_WIN},
		{EL_WHITE, EL_DRAW, EL_WIN},           {EL_WHITE, EL_WIN, EL_DRAW},
		{EL_BLACK, EL_AT_MOST_DRAW, EL_DRAW},  {EL_BLACK, EL_LOSS, EL_DRAW},
		{EL_BLACK, EL_DRAW, EL_LOSS},
	};
	struct el_library *library = fixture_library(folder, NULL);
	partial_build(library, "KQvK KPvK", NULL);
	for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
		struct el_planes planes = fixture_stored(library, "KPvK", &el_wdl);
		struct el_plane *plane = &planes.plane[lies[i].plane];
		struct el_verdict v;
		plane->symbols[first_with(&planes, lies[i].plane, lies[i].is)] =
			symbol_of(plane, lies[i].said);
		assert_int_equal(proof_of_planes(library, &planes, false, NULL, &v, NULL, NULL),
		                 EL_OK);
		assert_true(v.wrong + v.open > 0);
		el_planes_free(&planes);
	}
	el_library_close(library);
}

/* The proof of exact outcomes needs tables; partial ones will do if their bounds suffice. */
static void test_verify_exact(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	struct el_verdict v;
	struct el_error error = {.text = ""};
	partial_build(library, "KPvK", wdl);
	struct el_planes planes = fixture_stored(library, "KPvK", &el_wdl);
	forget(library, "KQvK.wdl.egt");
	assert_int_equal(proof_of_planes(library, &planes, false, NULL, &v, NULL, &error),
	                 EL_NEGATIVE);
	assert_non_null(strstr(error.text, "KQvK"));
	el_planes_free(&planes);
	el_library_close(library);
}

/* ---- statistics ---- */

/* Of pawns. */
static unsigned leading_rank(const struct el_position *position, unsigned side)
{
	unsigned leading = 0;
	for (unsigned square = 0; square < 64; square++)
		if (position->set[side][5] >> square & 1) {
			const unsigned rank = side == EL_WHITE ? square / 8 + 1 : 8 - square / 8;
			leading = rank > leading ? rank : leading;
		}
	return leading;
}

static void count_one(struct el_counts *c, enum el_outcome outcome)
{
	c->legal++;
	c->win += outcome == EL_WIN;
	c->draw += outcome == EL_DRAW;
	c->loss += outcome == EL_LOSS;
	c->unknown += outcome == EL_UNKNOWN;
	c->at_most_draw += outcome == EL_AT_MOST_DRAW;
	c->at_least_draw += outcome == EL_AT_LEAST_DRAW;
}

static bool can_capture(const struct el_position *position)
{
	struct el_move moves[EL_MOVES_MAX];
	const size_t count = el_chess.moves(position, moves);
	bool captures = false;
	for (size_t i = 0; i < count; i++)
		captures |= moves[i].captured != 0;
	return captures;
}

static void count_placement(const struct el_planes *planes, const struct el_position *position,
                            struct el_side_stats *out)
{
	struct el_place place;
	assert_true(el_chess.place(position, &place));
	const enum el_outcome outcome =
		el_plane_value(&planes->plane[place.plane], place.index).outcome;
	count_one(&out->all, outcome);
	if (can_capture(position))
		return;
	struct el_resolved *r = &out->resolved[leading_rank(position, position->side)]
	                                      [leading_rank(position, !position->side)];
	count_one(&out->no_capture, outcome);
	r->positions++;
	r->points += outcome == EL_UNKNOWN ? 0 : el_outcome_bounded(outcome) ? 1 : 2;
}

/* A king and a pawn against a king, on any squares. */
static void count_all(const struct el_planes *planes, struct el_side_stats out[2])
{
	for (unsigned i = 0; i < 2 * 64 * 64 * 64; i++) {
		struct el_position position = {.en_passant = EL_NO_SQUARE, .fullmove = 1};
		position.side = i & 1;
		position.set[EL_WHITE][0] = UINT64_C(1) << i / 2 % 64;
		position.set[EL_BLACK][0] = UINT64_C(1) << i / 128 % 64;
		position.set[EL_WHITE][5] = UINT64_C(1) << i / 8192;
		if (el_chess.check(&position, NULL) == EL_OK)
			count_placement(planes, &position, &out[position.side]);
	}
}

/* With and without bounds; the game forces captures and reports leading ranks, unlike chess. */
static void compare_counts(const char *hidden, const struct el_game *game)
{
	struct el_side_stats expected[2] = {{.unique = 0}, {.unique = 0}};
	struct el_library *library = fixture_library(small_test_tables(), NULL);
	struct el_planes planes = solved_without(library, "KPvK", hidden, NULL);
	const bool partial = el_planes_partial(&planes);
	assert_int_equal(partial, *hidden != '\0');
	count_all(&planes, expected);
	planes.slice.game = game;
	struct el_stats stats = fixture_stats(&planes);
	assert_int_equal(stats.partial, partial);
	assert_int_equal(stats.passes, planes.passes);
	for (unsigned side = 0; side < 2; side++) {
		struct el_side_stats *e = &expected[side];
		if (!game->forced_captures)
			memset(&e->no_capture, 0, sizeof e->no_capture);
		if (!game->leading_rank || !partial)
			memset(e->resolved, 0, sizeof e->resolved);
		assert_memory_equal(&stats.side[side].all, &e->all, sizeof e->all);
		assert_memory_equal(&stats.side[side].no_capture, &e->no_capture,
		                    sizeof e->no_capture);
		assert_memory_equal(stats.side[side].resolved, e->resolved, sizeof e->resolved);
	}
	assert_int_equal(expected[EL_WHITE].all.at_least_draw > 0, partial);
	el_stats_free(&stats);
	el_planes_free(&planes);
	el_library_close(library);
}

static void test_counts(void **state)
{
	(void)state;
	struct el_game forced = el_chess, ranked = el_chess;
	forced.forced_captures = true;
	ranked.leading_rank = leading_rank;
	compare_counts("", &el_chess);
	compare_counts("KQvK", &el_chess);
	compare_counts("", &forced);
	compare_counts("KQvK", &forced);
	compare_counts("KQvK KRvK", &ranked);
	forced.leading_rank = leading_rank;
	compare_counts("KQvK", &forced);
	compare_counts("", &forced);
	compare_counts("*", &forced);
}

/* Known outcomes identify zugzwangs, and bounds can only hide one. */
static void test_zugzwangs(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(small_test_tables(), NULL);
	static const char *const hidden[] = {"", "KRvK KBvK KNvK", "KQvK", "*"};
	uint64_t before = 2 * 80; /* as in test_examine.c */
	for (unsigned i = 0; i < 4; i++) {
		struct el_planes planes = solved_without(library, "KPvK", hidden[i], NULL);
		struct el_stats stats = fixture_stats(&planes);
		assert_true(stats.mutual_white_half <= before);
		assert_true(i || stats.mutual_white_half == before);
		before = stats.mutual_white_half;
		el_stats_free(&stats);
		el_planes_free(&planes);
	}
	assert_int_equal(before, 0);
	el_library_close(library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_verify),
		IN_FOLDER(test_verify_with_other_tables),
		IN_FOLDER(test_verify_finds_lies),
		IN_FOLDER(test_verify_exact),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_zugzwangs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
