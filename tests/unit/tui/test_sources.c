/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many sources: what each says of a position, what moves tell if there is none, and what is
   missing. */
#include "core/library/library.h"
#include "core/probe/probe.h"
#include "core/table/table.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"
#include "tui/text/opinions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define QUEEN "8/8/8/3k4/8/8/8/KQ6 w - - 0 1"

/* ---- opinions ---- */

static struct el_opinions opinions_of(struct el_library *library, const char *fen)
{
	struct el_position position;
	struct el_opinions o;
	const struct el_game *game = fixture_parse(fen, &position);
	assert_int_equal(el_library_opinions(library, game, &position, EL_PROBE_FULL, &o, NULL),
	                 EL_OK);
	return o;
}

struct say {
	const struct el_metric *metric;
	struct el_value value;
};

/* Two tables of one slice, each with the same value everywhere: can both be right? */
static void expect_clash(struct say a, struct say b, bool expected)
{
	const char *own = fixture_path(folder, "own"), *other = fixture_path(folder, "other");
	mkdir(own, 0777), mkdir(other, 0777);
	fixture_constant(fixture_path(own, "a.egt"), a.metric, a.value);
	fixture_constant(fixture_path(other, "b.egt"), b.metric, b.value);
	struct el_library *library = fixture_library(own, other);
	struct el_opinions o = opinions_of(library, QUEEN);
	assert_int_equal(o.count, 2);
	const bool swapped = o.list[0].metric != a.metric;
	assert_ptr_equal(o.list[swapped].metric, a.metric);
	assert_ptr_equal(o.list[!swapped].metric, b.metric);
	assert_true(el_value_equal(o.list[swapped].value, a.value));
	assert_true(el_value_equal(o.list[!swapped].value, b.value));
	assert_int_equal(o.contradict, expected);
	assert_int_equal(o.list[0].against, expected ? 1 : 0);
	assert_int_equal(o.list[1].against, expected ? 0 : 1);
	char text[CONTRADICTION_MAX];
	if (expected) {
		assert_true(opinion_tells(&o, 1) && !opinion_tells(&o, 0));
		contradiction_text(&o, 1, text);
		for (unsigned i = 0; i < 2; i++)
			assert_true(strstr(text, o.list[i].path) &&
			            strstr(text, o.list[i].metric->name));
	}
	el_opinions_free(&o);
	el_library_close(library);
}

static void test_contradictions(void **state)
{
	(void)state;
	const struct el_metric *wdl50 = el_metric_find("wdl50"), *dtz50 = el_metric_find("dtz50");
	const struct el_metric *dtz20 = el_metric_find("dtz20");
	const struct say win = {&el_wdl, {.outcome = EL_WIN}},
			 draw = {&el_wdl, {.outcome = EL_DRAW}};
	const struct say cursed = {wdl50, {.outcome = EL_CURSED_WIN}};
	const struct say won = {wdl50, {.outcome = EL_WIN}}, lost = {wdl50, {.outcome = EL_LOSS}};
	const struct say mate = {&el_dtm, {.outcome = EL_WIN, .plies = 9}};
	const struct say later = {&el_dtm, {.outcome = EL_WIN, .plies = 11}};
	const struct say far = {&el_dtm, {.outcome = EL_WIN, .plies = 181}};
	const struct say zeroing = {dtz50, {.outcome = EL_WIN, .plies = 5}};
	const struct say soon = {dtz20, {.outcome = EL_WIN, .plies = 7}};
	expect_clash(win, win, false);
	expect_clash(win, draw, true);
	expect_clash(win, lost, true);
	expect_clash(win, won, false);
	expect_clash(win, cursed, false); /* the rule makes the difference */
	expect_clash(mate, cursed, true); /* it cannot in 9 plies */
	expect_clash(far, cursed, false);
	expect_clash(mate, later, true);
	expect_clash(mate, zeroing, false); /* other plies are counted */
	expect_clash(zeroing, cursed, true);
	expect_clash(zeroing, soon, false);
	expect_clash(soon, lost, true);
	expect_clash(draw, mate, true);
}

/* A source that agrees with all others, before or after them, settles nothing between them. */
static void test_agreeing_with_both(void **state)
{
	(void)state;
	static const struct say win = {&el_wdl, {.outcome = EL_WIN}};
	static const struct say mate = {&el_dtm, {.outcome = EL_WIN, .plies = 9}};
	static const struct say later = {&el_dtm, {.outcome = EL_WIN, .plies = 11}};
	const char *own = fixture_path(folder, "own"), *other = fixture_path(folder, "other");
	mkdir(own, 0777), mkdir(other, 0777);
	fixture_constant(fixture_path(own, "a.egt"), mate.metric, mate.value);
	fixture_constant(fixture_path(own, "b.egt"), win.metric, win.value);
	for (unsigned turned = 0; turned < 2; turned++) {
		fixture_constant(fixture_path(other, turned ? "d.egt" : "c.egt"), later.metric,
		                 later.value);
		fixture_constant(fixture_path(other, turned ? "c.egt" : "d.egt"), win.metric,
		                 win.value);
		struct el_library *library = fixture_library(own, other);
		struct el_opinions o = opinions_of(library, QUEEN);
		assert_int_equal(o.count, 4);
		assert_true(o.contradict);
		for (size_t i = 0; i < o.count; i++)
			assert_int_equal(o.list[i].against == i, o.list[i].metric == &el_wdl);
		el_opinions_free(&o);
		el_library_close(library);
	}
}

/* Bounds contradict only values outside them. */
static void test_bounds_beside_values(void **state)
{
	(void)state;
	const struct say least = {&el_wdl, {.outcome = EL_AT_LEAST_DRAW}};
	const struct say won = {el_metric_find("wdl50"), {.outcome = EL_WIN}};
	const struct say lost = {el_metric_find("wdl50"), {.outcome = EL_LOSS}};
	expect_clash(least, won, false);
	expect_clash(least, lost, true);
}

/* ---- from the moves ---- */

static struct el_answer *answer_of(struct el_library *library, const char *fen)
{
	struct el_position position;
	struct el_answer *a = malloc(sizeof *a);
	const struct el_game *game = fixture_parse(fen, &position);
	assert_non_null(a);
	assert_int_equal(el_library_answer(library, game, &position, NULL, a, NULL), EL_OK);
	return a;
}

/* The results for the positions of a slice whose table is missing. */
struct tally {
	unsigned asked, settled, bounded, deep;
};

static void expect_holds(enum el_outcome truth, enum el_outcome found)
{
	assert_true(el_outcome_within(truth, found));
}

/* One position in a library without its table, beside one that has it. */
static void compare(struct el_library *lacking, struct el_library *whole,
                    const struct el_game *game, const struct el_position *p, struct tally *t)
{
	static const struct el_question question = {.rule = EL_RULE_USUAL};
	static struct el_answer a, alone;
	struct el_question short_one = question;
	struct el_value truth, value, depth;
	short_one.alone = true;
	assert_int_equal(el_library_value(whole, game, p, &el_dtm, EL_PROBE_FULL, &truth, NULL),
	                 EL_OK);
	assert_int_equal(el_library_answer(lacking, game, p, &question, &a, NULL), EL_OK);
	assert_int_equal(el_library_answer(lacking, game, p, &short_one, &alone, NULL), EL_OK);
	const enum el_status status =
		el_library_value(lacking, game, p, &el_wdl, EL_PROBE_FULL, &value, NULL);
	const struct el_value found = a.value[el_metric_rank(&el_wdl)];
	assert_int_equal(status, found.outcome == EL_UNKNOWN ? EL_NEGATIVE : EL_OK);
	assert_true(status || el_value_equal(value, found));
	expect_holds(truth.outcome, found.outcome);
	expect_holds(truth.outcome, a.outcome == EL_AT_LEAST_CURSED ? EL_WIN : a.outcome);
	assert_true(!memcmp(a.value, alone.value, sizeof a.value));
	assert_int_equal(a.outcome, alone.outcome);
	assert_int_equal(alone.count, 0);
	assert_true(a.over || a.from_moves == (found.outcome != EL_UNKNOWN));
	assert_int_equal(*a.why_unknown == '\0', el_outcome_exact(found.outcome));
	const struct el_value dtm = a.value[el_metric_rank(&el_dtm)];
	const enum el_status told =
		el_library_value(lacking, game, p, &el_dtm, EL_PROBE_FULL, &depth, NULL);
	assert_int_equal(told, dtm.outcome == EL_UNKNOWN ? EL_NEGATIVE : EL_OK);
	assert_true(told || (el_value_equal(depth, truth) && el_value_equal(dtm, truth)));
	t->asked++;
	t->settled += el_outcome_exact(found.outcome) && !a.over;
	t->bounded += !status && el_outcome_bounded(found.outcome);
	t->deep += !told && !a.over && truth.plies > 3;
}

/* All tables but those of one slice, by links. */
static struct el_library *all_but(struct el_library *whole, const struct el_slice *slice)
{
	char directory[SCRATCH_PATH + EL_SLICE_MAX];
	struct el_entry *entries;
	size_t count;
	snprintf(directory, sizeof directory, "%s/%s", folder, slice->name);
	assert_int_equal(mkdir(directory, 0777), 0);
	assert_int_equal(el_library_list(whole, &entries, &count, NULL), EL_OK);
	for (size_t i = 0; i < count; i++) {
		char name[64];
		char *path = realpath(entries[i].path, NULL);
		snprintf(name, sizeof name, "%zu.egt", i);
		if (!entries[i].ignored && !el_slice_equal(&entries[i].slice, slice))
			assert_int_equal(symlink(path, fixture_path(directory, name)), 0);
		free(path);
	}
	el_entries_free(entries, count);
	return fixture_library(directory, NULL);
}

static struct tally compare_slice(const char *name)
{
	struct el_slice slice;
	struct tally t = {0};
	assert_int_equal(el_slice_parse(name, &slice, NULL), EL_OK);
	struct el_library *whole = fixture_library(test_tables(), NULL);
	struct el_library *lacking = all_but(whole, &slice);
	for (uint64_t i = 0; i < slice.positions; i += 401)
		for (unsigned plane = 0; plane < slice.planes; plane++) {
			struct el_position p;
			if (slice.game->unplace(&slice, plane, i, &p))
				compare(lacking, whole, slice.game, &p, &t);
		}
	el_library_close(lacking);
	el_library_close(whole);
	return t;
}

/* Captures, promotions and mates settle some positions, and bound others; never wrongly. */
static void test_settled_by_moves(void **state)
{
	static const char *const slices[] = {"KQvKR", "KRvKP", "KPvKP", "KRvKN"};
	(void)state;
	if (tests_are_slow())
		skip();
	for (size_t i = 0; i < sizeof slices / sizeof *slices; i++) {
		const struct tally t = compare_slice(slices[i]);
		print_message("%s: %u asked, %u settled, %u bounded, %u deep\n", slices[i], t.asked,
		              t.settled, t.bounded, t.deep);
		assert_true(t.settled > t.asked / 100 && t.bounded > t.asked / 100);
	}
}

/* A move into a table of outcomes has no depth, and neither has its consequence. */
static void test_settled_by_outcomes(void **state)
{
	static const struct el_metric *const wdl[] = {&el_wdl, NULL};
	const struct el_slice slice = slice_named("KQvKR");
	unsigned outcomes = 0;
	(void)state;
	if (tests_are_slow())
		skip();
	fixture_build_in(folder, "KQvK KRvK", wdl);
	struct el_library *whole = fixture_library(test_tables(), NULL),
			  *lacking = fixture_library(folder, NULL);
	for (uint64_t i = 0; i < 2 * slice.positions; i += 401) {
		const unsigned plane = i >= slice.positions;
		struct el_position p;
		struct el_value value, truth;
		if (!slice.game->unplace(&slice, plane, i - plane * slice.positions, &p))
			continue;
		assert_int_equal(el_library_value(whole, slice.game, &p, &el_dtm, EL_PROBE_FULL,
		                                  &truth, NULL),
		                 EL_OK);
		if (!el_library_value(lacking, slice.game, &p, &el_dtm, EL_PROBE_FULL, &value,
		                      NULL))
			assert_true(el_value_equal(value, truth));
		else if (!el_library_value(lacking, slice.game, &p, &el_wdl, EL_PROBE_FULL, &value,
		                           NULL))
			outcomes += el_outcome_exact(value.outcome);
	}
	assert_true(outcomes > 100);
	el_library_close(lacking);
	el_library_close(whole);
}

/* ---- what is missing ---- */

static void expect_why(struct el_library *library, const char *fen, const char *why)
{
	struct el_answer *a = answer_of(library, fen);
	assert_string_equal(a->why_unknown, why);
	free(a);
}

/* Only a table that a move needs is missing: that move names it. Folders have short names. */
static void test_what_is_needed(void **state)
{
	(void)state;
	const char *own = fixture_path(folder, "own"), *other = fixture_path(folder, "x");
	char paths[4 * SCRATCH_PATH];
	struct el_library *library;
	const struct el_library_options options = {
		.directory = own, .paths = paths, .home = folder};
	snprintf(paths, sizeof paths, "%s:%s:/nowhere:/elsewhere", other, folder);
	assert_int_equal(mkdir(own, 0777) | mkdir(other, 0777), 0);
	struct el_planes planes = fixture_planes("KQvKR", &el_wdl, 3);
	struct el_table_options o = fixture_options("raw", 4096, EL_FILL_NONE);
	o.derive = EL_DERIVE_CAPTURES;
	for (unsigned p = 0; p < 2; p++) {
		for (uint32_t s = 1; s < planes.plane[p].value_count; s++)
			planes.plane[p].values[s] = (struct el_value){.outcome = EL_DRAW};
		planes.plane[p].derivable = calloc(planes.slice.positions, 1);
		assert_int_equal(el_plane_canonical(&planes.plane[p], planes.slice.positions, NULL),
		                 EL_OK);
	}
	fixture_write(fixture_path(own, "own.egt"), &planes, &o);
	el_planes_free(&planes);
	assert_int_equal(el_library_open(&options, &library, NULL), EL_OK);
	expect_why(library, "8/8/8/8/8/k7/8/K2Q2r1 w - - 0 1",
	           "KQvK needed after Qxg1; looked in ~/own, ~/x, ~ and 2 more");
	expect_why(library, QUEEN, "KQvK is not built; looked in ~/own, ~/x, ~ and 2 more");
	el_library_close(library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_contradictions),       IN_FOLDER(test_agreeing_with_both),
		IN_FOLDER(test_bounds_beside_values), IN_FOLDER(test_settled_by_moves),
		IN_FOLDER(test_settled_by_outcomes),  IN_FOLDER(test_what_is_needed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
