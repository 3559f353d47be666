/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables that hold bounds: what is stored, in every form, and that it comes back. */
#include "core/probe/probe.h"
#include "core/whole/whole.h"
#include "tests/fixtures/bounds_fixture.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- planes with bounds ---- */

/* Bounds around an outcome, the outcome itself half the time; [loss, win] only with `unknown`. */
static enum el_outcome loosened(enum el_outcome exact, bool unknown, uint64_t *seed)
{
	static const uint8_t wider[3][4] = {
		{EL_LOSS, EL_LOSS, EL_AT_MOST_DRAW, EL_UNKNOWN},
		{EL_DRAW, EL_AT_MOST_DRAW, EL_AT_LEAST_DRAW, EL_UNKNOWN},
		{EL_WIN, EL_WIN, EL_AT_LEAST_DRAW, EL_UNKNOWN},
	};
	const unsigned row = exact == EL_LOSS ? 0 : exact == EL_DRAW ? 1 : 2;
	const uint64_t random = fixture_random(seed);
	return random & 4 ? exact : wider[row][random % (unknown ? 4 : 3)];
}

/* [loss, win] wherever there is no table, even for ends of the game. */
static enum el_outcome worth(struct el_library *library, const struct el_position *position)
{
	struct el_value value = {.outcome = EL_UNKNOWN};
	struct el_slice slice;
	struct el_place place;
	if (el_chess.place(position, &place)) {
		assert_int_equal(el_chess.slice_of(position, &slice, NULL), EL_OK);
		if (!el_library_covers(library, &slice, &el_wdl))
			return EL_UNKNOWN;
	}
	assert_int_equal(el_library_value(library, &el_chess, position, &el_wdl, EL_PROBE_FULL,
	                                  &value, NULL),
	                 EL_OK);
	return value.outcome;
}

/* The value of the best capture; EL_BROKEN without one. */
static enum el_outcome best_capture(struct el_library *library, const struct el_position *position)
{
	struct el_move moves[EL_MOVES_MAX];
	enum el_outcome best = EL_BROKEN;
	size_t count = el_chess.captures(position, moves);
	for (size_t i = 0; i < count; i++) {
		struct el_position after;
		el_chess.play(position, &moves[i], &after);
		const enum el_outcome mine = el_outcome_negate(worth(library, &after));
		best = best == EL_BROKEN ? mine : el_outcome_max(best, mine);
	}
	return best;
}

/* A possible partial solution: no value is below that of captures into `library`. */
static void loosen(struct el_planes *planes, struct el_library *library, bool unknown)
{
	for (unsigned p = 0; p < planes->slice.planes; p++)
#pragma omp parallel for
		for (uint64_t i = 0; i < planes->slice.positions; i++) {
			uint16_t *symbol = &planes->plane[p].symbols[i];
			uint64_t seed = 2 * i + p;
			struct el_position position;
			if (!el_chess.unplace(&planes->slice, p, i, &position))
				continue;
			enum el_outcome v = loosened(el_plane_value(&planes->plane[p], i).outcome,
			                             unknown, &seed);
			enum el_outcome c = best_capture(library, &position);
			*symbol = bounds_symbol(c == EL_BROKEN ? v : el_outcome_max(v, c));
		}
}

/* ---- the values come back ---- */

static uint64_t wrong_probes(struct el_library *library, const struct el_planes *planes,
                             uint64_t stride)
{
	uint64_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
	for (uint64_t i = 0; i < planes->slice.planes * planes->slice.positions; i += stride) {
		const unsigned p = (unsigned)(i / planes->slice.positions);
		struct el_position position;
		struct el_value value = {.outcome = EL_BROKEN, .plies = 1};
		if (!el_chess.unplace(&planes->slice, p, i % planes->slice.positions, &position))
			continue;
		enum el_status status = el_library_value(library, &el_chess, &position, &el_wdl,
		                                         EL_PROBE_FULL, &value, NULL);
		wrong += status || value.plies ||
		         value.outcome !=
		                 el_plane_value(&planes->plane[p], i % planes->slice.positions)
		                         .outcome;
	}
	return wrong;
}

static uint64_t check_form(const struct el_planes *planes, const struct el_table_options *options,
                           const char *tables, uint64_t stride)
{
	char words[128];
	const uint64_t bytes = fixture_write(fixture_path(folder, "form.egt"), planes, options);
	struct el_library *library = fixture_library(folder, tables);
	const uint64_t planes_wrong = fixture_wrong_planes(library, planes);
	const uint64_t probes_wrong = wrong_probes(library, planes, stride);
	el_table_options_format(&planes->slice, options, words, sizeof words);
	if (planes_wrong || probes_wrong)
		fail_msg("%s, %s: %llu values and %llu probes are wrong", planes->slice.name, words,
		         (unsigned long long)planes_wrong, (unsigned long long)probes_wrong);
	el_library_close(library);
	return bytes;
}

/* Every codec, fill and derivation, for a slice whose captures end the game. */
static void check_slice(const char *name, bool unknown, uint64_t stride)
{
	struct el_planes planes = bounds_planes(name);
	struct el_library *library = fixture_library(fixture_path(folder, "none"), NULL);
	const struct el_codec *codec;
	loosen(&planes, library, unknown);
	assert_true(el_planes_partial(&planes));
	assert_int_equal(el_library_derive(library, &planes, EL_DERIVE_CAPTURES, NULL, NULL),
	                 EL_OK);
	el_library_close(library);
	for (size_t c = 0; (codec = el_codec_at(c)); c++)
		for (unsigned fill = 0; el_fill_names[fill]; fill++)
			for (unsigned derive = 0; derive <= EL_DERIVE_CAPTURES; derive++) {
				struct el_table_options o =
					fixture_options(codec->name, 4096, (enum el_fill)fill);
				o.derive = (enum el_derive)derive;
				check_form(&planes, &o, NULL, stride);
			}
	el_planes_free(&planes);
}

static void test_all_forms(void **state)
{
	(void)state;
	check_slice("KRvK", true, tests_are_slow() ? 31 : 3);
	check_slice("KRvK", false, tests_are_slow() ? 31 : 3);
}

/* Captures that win and lose, and captures of unknown value, whose bounds are stored. */
static void test_four_pieces(void **state)
{
	(void)state;
	if (tests_are_slow()) {
		puts("note: four pieces are left out under sanitizers and valgrind");
		skip();
	}
	for (unsigned missing = 0; missing < 2; missing++) {
		const char *tables = missing ? NULL : bounds_captured();
		struct el_planes planes = bounds_planes("KQvKR");
		struct el_library *library = fixture_library(fixture_path(folder, "none"), tables);
		loosen(&planes, library, missing);
		assert_int_equal(
			el_library_derive(library, &planes, EL_DERIVE_CAPTURES, NULL, NULL), EL_OK);
		el_library_close(library);
		struct el_table_options o = fixture_options("rle", 1 << 16, EL_FILL_BEST);
		const uint64_t plain = fixture_write(fixture_path(folder, "form.egt"), &planes, &o);
		o.derive = EL_DERIVE_CAPTURES;
		const uint64_t derived = check_form(&planes, &o, tables, 31);
		assert_true(missing ? derived == plain : derived < plain);
		el_planes_free(&planes);
	}
}

/* The best capture draws, and an unknown value precedes it: if the fill copied that, a probe would
   find at least a draw. */
static void test_draws_are_kept(void **state)
{
	(void)state;
	struct el_planes planes = bounds_planes("KRvK");
	struct el_library *library = fixture_library(small_test_tables(), NULL);
	assert_int_equal(el_library_derive(library, &planes, EL_DERIVE_CAPTURES, NULL, NULL),
	                 EL_OK);
	struct el_plane *black = &planes.plane[EL_BLACK];
	uint64_t draws = 0;
	bounds_rename(black, planes.slice.positions);
	for (uint64_t i = 0; i < planes.slice.positions; i++) {
		draws += black->derivable[i] && black->symbols[i] == bounds_symbol(EL_DRAW);
		if (black->symbols[i] && !black->derivable[i])
			black->symbols[i] = bounds_symbol(EL_UNKNOWN);
	}
	assert_true(draws > 1000);
	el_library_close(library);
	struct el_table_options o = fixture_options("raw", 4096, EL_FILL_PREVIOUS);
	o.derive = EL_DERIVE_CAPTURES;
	check_form(&planes, &o, NULL, 1);
	el_planes_free(&planes);
}

/* Counts answers that exclude the truth. */
static uint64_t untrue_probes(struct el_library *library, const struct el_planes *truth,
                              uint64_t stride)
{
	uint64_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
	for (uint64_t i = 0; i < truth->slice.planes * truth->slice.positions; i += stride) {
		const unsigned p = (unsigned)(i / truth->slice.positions);
		const uint64_t index = i % truth->slice.positions;
		struct el_position position;
		struct el_value value = {.outcome = EL_BROKEN};
		if (!el_chess.unplace(&truth->slice, p, index, &position))
			continue;
		const uint8_t exact = el_plane_value(&truth->plane[p], index).outcome;
		wrong += el_library_value(library, &el_chess, &position, &el_wdl, EL_PROBE_FULL,
		                          &value, NULL) ||
		         exact < el_outcome_lower(value.outcome) ||
		         exact > el_outcome_upper(value.outcome);
	}
	return wrong;
}

/* Counts bounds that changed in the file; `kept` counts the others. */
static uint64_t lost_bounds(const char *path, const struct el_planes *planes, uint64_t *kept)
{
	struct el_table *table = fixture_open(path);
	struct el_planes stored;
	uint64_t lost = 0;
	*kept = 0;
	assert_int_equal(el_table_read(table, &stored, NULL), EL_OK);
	el_table_close(table);
	for (unsigned p = 0; p < planes->slice.planes; p++)
		for (uint64_t i = 0; i < planes->slice.positions; i++) {
			struct el_value v = el_plane_value(&planes->plane[p], i);
			bool same = el_value_equal(v, el_plane_value(&stored.plane[p], i));
			*kept += el_outcome_bounded(v.outcome) && same;
			lost += el_outcome_bounded(v.outcome) && !same;
		}
	el_planes_free(&stored);
	return lost;
}

/* Later tables know captures better than the bounds in this one do. If both were equal, the other
   moves still count, so such bounds are stored. */
static void test_tables_that_come_later(void **state)
{
	(void)state;
	if (tests_are_slow()) {
		puts("note: four pieces are left out under sanitizers and valgrind");
		skip();
	}
	struct el_planes truth = bounds_planes("KQvKR"), planes = bounds_planes("KQvKR");
	struct el_library *library = fixture_library(fixture_path(folder, "none"), NULL);
	struct el_table_options o = fixture_options("raw", 4096, EL_FILL_PREVIOUS);
	loosen(&planes, library, true);
	assert_int_equal(el_library_derive(library, &planes, EL_DERIVE_CAPTURES, NULL, NULL),
	                 EL_OK);
	el_library_close(library);
	o.derive = EL_DERIVE_CAPTURES;
	const char *path = fixture_path(folder, "form.egt");
	uint64_t kept;
	fixture_write(path, &planes, &o);
	assert_int_equal(lost_bounds(path, &planes, &kept), 0);
	assert_true(kept > 0);
	library = fixture_library(folder, NULL);
	assert_int_equal(untrue_probes(library, &truth, 31), 0);
	el_library_close(library);
	library = fixture_library(folder, bounds_captured());
	assert_int_equal(untrue_probes(library, &truth, 31), 0);
	el_library_close(library);
	el_planes_free(&planes);
	el_planes_free(&truth);
}

static uint64_t count_bounds(const struct el_planes *planes)
{
	uint64_t bounds = 0;
	for (unsigned p = 0; p < planes->slice.planes; p++)
		for (uint64_t i = 0; i < planes->slice.positions; i++)
			bounds += el_outcome_bounded(el_plane_value(&planes->plane[p], i).outcome);
	return bounds;
}

/* Bounds older than the tables are narrowed before derivable values are left out; the other order
   would lose something. */
static void test_narrowed(void **state)
{
	(void)state;
	if (tests_are_slow()) {
		puts("note: four pieces are left out under sanitizers and valgrind");
		skip();
	}
	struct el_planes planes = bounds_planes("KQvKR");
	struct el_library *none = fixture_library(fixture_path(folder, "none"), NULL);
	struct el_library *later = fixture_library(bounds_captured(), NULL);
	struct el_table_options o = fixture_options("rle", 1 << 16, EL_FILL_BEST);
	struct el_error error = {.text = ""};
	loosen(&planes, none, false);
	const uint64_t before = count_bounds(&planes);
	assert_int_equal(el_library_derive(later, &planes, EL_DERIVE_CAPTURES, NULL, NULL), EL_OK);
	assert_true(count_bounds(&planes) > 0 && count_bounds(&planes) < before);
	o.derive = EL_DERIVE_CAPTURES;
	check_form(&planes, &o, bounds_captured(), 31);
	el_planes_free(&planes);
	planes = bounds_planes("KQvKR");
	loosen(&planes, later, false);
	assert_int_equal(el_library_derive(none, &planes, EL_DERIVE_CAPTURES, NULL, &error),
	                 EL_NEGATIVE);
	assert_string_equal(error.text,
	                    "KQvKR: tables that captures lead to are missing, or know less than it "
	                    "does");
	el_library_close(none);
	el_library_close(later);
	el_planes_free(&planes);
}

int main(void)
{
	if (!small_test_tables())
		return 1;
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_all_forms),      IN_FOLDER(test_four_pieces),
		IN_FOLDER(test_draws_are_kept), IN_FOLDER(test_tables_that_come_later),
		IN_FOLDER(test_narrowed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
