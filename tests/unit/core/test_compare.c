/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two tables of one slice side by side: compared in what both tell, within rounding and Syzygy's
   way of counting, and any damage shows. The same for proofs, and for imports of foreign tables. */
#include "core/builder/build.h"
#include "core/examine/examine.h"
#include "core/whole/whole.h"
#include "tests/fixtures/foreign_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { K = 5, LIMIT = 2 * K }; /* a rule so short that some pawns are too slow */
static const struct el_metric *const wdl = &el_wdl_rule[K - 1], *const dtz = &el_dtz_rule[K - 1];
/* Syzygy's count under this rule. */
static struct el_metric late;

static char tables[SCRATCH_PATH];
static struct el_library *library;

static int build_tables(void **state)
{
	(void)state;
	const struct el_metric *metrics[] = {dtz, wdl, &el_dtr, NULL};
	late = *dtz;
	late.late = true;
	scratch_make(tables);
	library = fixture_library(tables, NULL);
	return fixture_build(library, "KPvK", metrics) ? -1 : 0;
}

static int remove_tables(void **state)
{
	(void)state;
	el_library_close(library);
	scratch_remove(tables);
	return 0;
}

static struct el_planes planes_of(const struct el_metric *metric)
{
	struct el_planes planes = fixture_stored(library, "KPvK", metric);
	el_planes_mark_broken(&planes);
	return planes;
}

static struct el_comparison comparison_of(const struct el_planes *ours,
                                          const struct el_planes *theirs)
{
	struct el_comparison found;
	assert_int_equal(el_compare(ours, theirs, &found, NULL), EL_OK);
	return found;
}

/* The first legal position with White to move, this outcome and at least so many plies. */
static uint64_t index_of(const struct el_planes *planes, enum el_outcome outcome, unsigned plies)
{
	for (uint64_t i = 0; i < planes->slice.positions; i++) {
		const struct el_value v = el_plane_value(&planes->plane[0], i);
		if (planes->plane[0].symbols[i] && v.outcome == outcome && v.plies >= plies)
			return i;
	}
	fail_msg("no position of outcome %d and %u plies", outcome, plies);
	return 0;
}

/* Changes the value of one position. */
static void change(struct el_planes *planes, uint64_t index, struct el_value value)
{
	struct el_plane *plane = &planes->plane[0];
	plane->values = realloc(plane->values, ++plane->value_count * sizeof *plane->values);
	assert_non_null(plane->values);
	plane->values[plane->value_count - 1] = value;
	plane->symbols[index] = (uint16_t)(plane->value_count - 1);
}

/* All wins and losses in even plies become a ply less and rounded, as in a file of moves. */
static void round_all(struct el_planes *planes)
{
	planes->rounded = true;
	for (unsigned i = 0; i < planes->slice.planes; i++)
		for (uint32_t s = 1; s < planes->plane[i].value_count; s++) {
			struct el_value *v = &planes->plane[i].values[s];
			if (v->outcome == EL_DRAW || !v->plies)
				continue;
			v->rounded = true;
			v->plies = (uint16_t)(v->plies - (v->plies % 2 == 0));
		}
}

/* ---- what both tell ---- */

static void test_common(void **state)
{
	(void)state;
	const struct el_metric *const wdl50 = &el_wdl_rule[49], *const dtz50 = &el_dtz_rule[49];
	const struct {
		const struct el_metric *a, *b, *common;
	} cases[] = {
		{&el_dtm, &el_dtm, &el_dtm},    {&el_dtm, &el_wdl, &el_wdl},
		{&el_dtm, &el_dtc, &el_wdl},    {&el_dtr, wdl50, wdl50},
		{&el_dtr, &el_dtzr, &el_dtzr},  {dtz50, wdl50, wdl50},
		{&el_dtm, wdl50, &el_wdl},      {wdl, wdl50, &el_wdl},
		{dtz50, &el_dtz_syzygy, dtz50}, {&el_dtr, &el_dtz_syzygy, wdl50},
		{wdl50, &el_dtz_syzygy, wdl50}, {&el_dtz, &el_dtz_syzygy, &el_wdl},
		{&el_win, wdl50, &el_win},      {&el_dtzr, &el_dtz_syzygy, &el_wdl},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_ptr_equal(el_metric_common(cases[i].a, cases[i].b), cases[i].common);
		assert_ptr_equal(el_metric_common(cases[i].b, cases[i].a), cases[i].common);
	}
}

static void test_same(void **state)
{
	(void)state;
	const struct el_metric *const metrics[] = {dtz, wdl, &el_dtr};
	for (size_t a = 0; a < 3; a++)
		for (size_t b = 0; b < 3; b++) {
			struct el_planes ours = planes_of(metrics[a]),
					 theirs = planes_of(metrics[b]);
			const struct el_comparison found = comparison_of(&ours, &theirs);
			assert_int_equal(found.compared, 165676);
			assert_int_equal(found.different + found.within + found.bounded, 0);
			el_planes_free(&ours);
			el_planes_free(&theirs);
		}
}

/* ---- differences ---- */

static void test_changed(void **state)
{
	(void)state;
	struct el_planes ours = planes_of(dtz), theirs = planes_of(dtz);
	const uint64_t index = index_of(&ours, EL_WIN, 3);
	struct el_value value = el_plane_value(&ours.plane[0], index);
	struct el_position position;
	char fen[EL_FEN_MAX];
	value.plies += 2;
	change(&theirs, index, value);
	const struct el_comparison found = comparison_of(&ours, &theirs);
	assert_int_equal(found.different, 1);
	assert_int_equal(found.count, 1);
	assert_ptr_equal(found.metric, dtz);
	assert_true(el_chess.unplace(&ours.slice, 0, index, &position));
	el_chess.format(&position, fen);
	assert_string_equal(found.first[0].fen, fen);
	assert_int_equal(found.first[0].theirs.plies, found.first[0].ours.plies + 2);
	struct el_planes outcomes = planes_of(wdl);
	assert_int_equal(comparison_of(&outcomes, &theirs).different, 0);
	el_planes_free(&outcomes);
	el_planes_free(&ours);
	el_planes_free(&theirs);
}

static void test_many_changed(void **state)
{
	(void)state;
	struct el_planes ours = planes_of(wdl), theirs = planes_of(wdl);
	for (uint64_t i = 0; i < ours.slice.positions; i++)
		if (theirs.plane[1].symbols[i])
			theirs.plane[1].symbols[i] = theirs.plane[1].symbols[i] == 1 ? 2 : 1;
	const struct el_comparison found = comparison_of(&ours, &theirs);
	assert_true(found.different > 50000);
	assert_int_equal(found.count, EL_DIFFERENCES_MAX);
	assert_non_null(strstr(found.first[0].fen, " b "));
	el_planes_free(&ours);
	el_planes_free(&theirs);
}

/* If a value may be a ply more, one ply more is no difference; two are, and so is one less. */
static void test_rounded(void **state)
{
	(void)state;
	struct el_planes ours = planes_of(dtz), theirs = planes_of(dtz);
	round_all(&theirs);
	struct el_comparison found = comparison_of(&ours, &theirs);
	assert_int_equal(found.different, 0);
	assert_true(found.within > 1000 && found.within < found.compared);
	const struct el_comparison turned = comparison_of(&theirs, &ours);
	assert_true(turned.within == found.within && !turned.different);
	const uint64_t index = index_of(&theirs, EL_WIN, 3);
	struct el_value value = el_plane_value(&theirs.plane[0], index);
	assert_true(value.rounded);
	value.plies += 2;
	change(&theirs, index, value);
	found = comparison_of(&ours, &theirs);
	assert_int_equal(found.different, 1);
	value.plies -= 4;
	change(&theirs, index, value);
	assert_int_equal(comparison_of(&ours, &theirs).different, 1);
	el_planes_free(&ours);
	el_planes_free(&theirs);
}

/* A draw by the rule must be one for both, with plies past the limit where a table counts on. */
static void test_past_the_limit(void **state)
{
	(void)state;
	struct el_planes ours = planes_of(dtz), theirs = solved_planes(library, "KPvK", &late);
	struct el_comparison found = comparison_of(&ours, &theirs);
	assert_ptr_equal(found.metric, dtz);
	assert_int_equal(found.different, 0);
	const uint64_t index = index_of(&theirs, EL_CURSED_WIN, 0);
	struct el_value value = el_plane_value(&theirs.plane[0], index);
	assert_true(value.plies > LIMIT);
	value.plies = LIMIT;
	change(&theirs, index, value);
	assert_int_equal(comparison_of(&ours, &theirs).different, 1);
	value = (struct el_value){.outcome = EL_WIN, .plies = 3};
	change(&theirs, index, value);
	found = comparison_of(&ours, &theirs);
	assert_int_equal(found.different, 1);
	assert_int_equal(found.first[0].ours.outcome, EL_CURSED_WIN);
	el_planes_free(&ours);
	el_planes_free(&theirs);
}

static void test_bounds(void **state)
{
	(void)state;
	struct el_planes ours = planes_of(&el_dtr), theirs = planes_of(wdl), outcomes;
	assert_int_equal(el_planes_read(&ours, &el_wdl, &outcomes, NULL), EL_OK);
	const uint64_t win = index_of(&outcomes, EL_WIN, 0), draw = index_of(&outcomes, EL_DRAW, 0);
	change(&outcomes, win, (struct el_value){.outcome = EL_UNKNOWN});
	change(&outcomes, draw, (struct el_value){.outcome = EL_AT_LEAST_DRAW});
	struct el_comparison found = comparison_of(&outcomes, &theirs);
	assert_int_equal(found.different, 0);
	assert_int_equal(found.bounded, 2);
	change(&outcomes, win, (struct el_value){.outcome = EL_AT_MOST_DRAW});
	assert_int_equal(comparison_of(&outcomes, &theirs).different, 1);
	el_planes_free(&outcomes);
	el_planes_free(&ours);
	el_planes_free(&theirs);
}

/* ---- proofs ---- */

/* Solved with sets, proved by the rules alone: pawns that zero again and again win too late. */
static void test_late_is_proved(void **state)
{
	(void)state;
	struct el_planes planes = solved_planes(library, "KPvK", &late);
	struct el_verdict verdict = fixture_verdict(library, &planes);
	assert_int_equal(verdict.checked, 165676);
	assert_int_equal(verdict.wrong, 0);
	const uint64_t index = index_of(&planes, EL_CURSED_WIN, LIMIT + 2);
	struct el_value value = el_plane_value(&planes.plane[0], index);
	value.plies--;
	change(&planes, index, value);
	assert_int_equal(fixture_verdict(library, &planes).wrong, 1);
	el_planes_free(&planes);
}

static void test_rounded_is_proved(void **state)
{
	(void)state;
	const struct el_metric *const metrics[] = {dtz, &late};
	for (size_t i = 0; i < 2; i++) {
		struct el_planes planes = solved_planes(library, "KPvK", metrics[i]);
		round_all(&planes);
		struct el_verdict verdict = fixture_verdict(library, &planes);
		assert_int_equal(verdict.wrong, 0);
		assert_true(verdict.rounded > 1000);
		const uint64_t index = index_of(&planes, EL_WIN, 5);
		struct el_value value = el_plane_value(&planes.plane[0], index);
		value.plies -= 2;
		change(&planes, index, value);
		verdict = fixture_verdict(library, &planes);
		assert_int_equal(verdict.wrong, 1);
		assert_int_equal(verdict.first_stored.plies, value.plies);
		el_planes_free(&planes);
	}
}

/* ---- foreign files ---- */

/* KBvK, all draws, is a real file, and becomes the table that a build makes. */
static void test_recoded(void **state)
{
	(void)state;
	const char *from = fixture_path(folder, "KBvK.rtbw"),
		   *to = fixture_path(folder, "KBvK.egt");
	const struct el_table_options options = el_table_options_default();
	struct el_recoded recoded;
	struct el_planes planes;
	struct el_error error = {0};
	fixture_write_file(from, all_draws, sizeof all_draws);
	if (el_recode(library, from, to, &options, NULL, &recoded, &error))
		fail_msg("%s", error.text);
	assert_string_equal(recoded.before.slice.name, "KBvK");
	assert_int_equal(recoded.before.bytes, sizeof all_draws);
	assert_int_equal(el_library_read(library, to, NULL, NULL, &planes, NULL), EL_OK);
	assert_ptr_equal(planes.metric, &el_wdl_rule[EL_RULE_USUAL - 1]);
	const struct el_verdict verdict = fixture_verdict(library, &planes);
	assert_int_equal(verdict.checked, 52234);
	assert_int_equal(verdict.wrong, 0);
	el_planes_free(&planes);
}

/* Moves are no plies. */
static void test_rounded_is_not_recoded(void **state)
{
	(void)state;
	char from[1024];
	const char *to = fixture_path(folder, "KRvK.egt");
	const struct el_table_options options = el_table_options_default();
	struct el_recoded recoded;
	struct el_error error;
	struct el_library *theirs = fixture_library(folder, foreign_syzygy());
	snprintf(from, sizeof from, "%s/KRvK.rtbz", foreign_syzygy());
	assert_int_equal(el_recode(theirs, from, to, &options, NULL, &recoded, &error),
	                 EL_NEGATIVE);
	assert_non_null(strstr(error.text, "rounded"));
	assert_non_null(strstr(error.text, "endlab build KRvK --metric dtz50"));
	assert_int_not_equal(access(to, F_OK), 0);
	el_library_close(theirs);
}

/* A file that is read whole is judged by itself: the values after captures come from tables of its
   kind, even if a table of ours, here all wrong, could answer. */
static void test_heard_by_itself(void **state)
{
	(void)state;
	const struct el_metric *const wdl50 = &el_wdl_rule[EL_RULE_USUAL - 1];
	const char *syzygy = foreign_syzygy();
	char path[1024];
	struct el_planes alone, beside;
	struct el_library *theirs, *both;
	fixture_table_only(fixture_path(folder, "KBvK.wdl50.egt"), "KBvK", wdl50);
	theirs = fixture_library(tables, syzygy);
	both = fixture_library(folder, syzygy);
	snprintf(path, sizeof path, "%s/KBvKB.rtbw", syzygy);
	assert_int_equal(el_library_read(theirs, path, NULL, NULL, &alone, NULL), EL_OK);
	assert_int_equal(el_library_read(both, path, NULL, NULL, &beside, NULL), EL_OK);
	const struct el_comparison found = comparison_of(&alone, &beside);
	assert_true(found.compared > 1000000);
	assert_int_equal(found.different, 0);
	el_planes_free(&alone);
	el_planes_free(&beside);
	el_library_close(theirs);
	el_library_close(both);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_common),
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_changed),
		cmocka_unit_test(test_many_changed),
		cmocka_unit_test(test_rounded),
		cmocka_unit_test(test_past_the_limit),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_late_is_proved),
		cmocka_unit_test(test_rounded_is_proved),
		cmocka_unit_test_setup_teardown(test_recoded, fixture_make_folder,
	                                        fixture_remove_folder),
		cmocka_unit_test_setup_teardown(test_rounded_is_not_recoded, fixture_make_folder,
	                                        fixture_remove_folder),
		cmocka_unit_test_setup_teardown(test_heard_by_itself, fixture_make_folder,
	                                        fixture_remove_folder),
	};
	return cmocka_run_group_tests(tests, build_tables, remove_tables);
}
