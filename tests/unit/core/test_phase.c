/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines under the least limit: their longest phase is the limit, their first one the phase of the
   value, and everything is proved. */
#include "core/builder/build.h"
#include "core/probe/probe.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct el_metric *const dtr[] = {&el_dtr, NULL};
static const struct el_metric *const dtr_dtz[] = {&el_dtr, &el_dtz, NULL};

struct played {
	unsigned longest, first; /* phases, including the plies already on the clock */
	bool unproven, mated;
	struct el_position middle; /* half way through the first phase */
};

/* Plays the line from there. */
static struct played phases(struct el_library *library, const struct el_position *start)
{
	const struct el_question question = {.metric = &el_dtr, .rule = 50};
	struct el_move moves[256];
	struct el_line line = {.moves = moves, .max = 256};
	struct el_position now = *start, next;
	struct played played = {.middle = *start};
	struct el_position met[256];
	assert_int_equal(el_library_line(library, &el_chess, &now, &question, &line, NULL), EL_OK);
	for (size_t i = 0; i < line.count; i++) {
		const unsigned plies = now.halfmove + 1u;
		const bool ends = i + 1 == line.count || el_chess.zeroes(&now, &moves[i]);
		met[i] = now;
		played.longest = plies > played.longest ? plies : played.longest;
		if (ends && !played.first) {
			played.first = plies;
			played.middle = met[i / 2];
		}
		el_chess.play(&now, &moves[i], &next);
		now = next;
	}
	played.unproven = line.unproven;
	played.mated = el_chess.in_check(&now) && !el_chess.moves(&now, moves);
	return played;
}

static unsigned unproven_lines;

/* A line that starts half way through a phase has the same phases. */
static void check_line(struct el_library *library, struct el_position *p, struct el_value v)
{
	p->halfmove = 0;
	for (unsigned begun = 0; begun < 2; begun++) {
		const struct played played = phases(library, p);
		unproven_lines += played.unproven;
		if (!played.mated ||
		    (!played.unproven && (played.longest != v.plies || played.first != v.phase))) {
			char fen[EL_FEN_MAX];
			el_chess.format(p, fen);
			print_error("%s: limit %u, phase %u; played %u, %u%s\n", fen, v.plies,
			            v.phase, played.longest, played.first,
			            played.mated ? "" : ", no mate");
		}
		assert_true(played.mated);
		if (played.unproven || v.plies == 0)
			return;
		assert_int_equal(played.longest, v.plies);
		assert_int_equal(played.first, v.phase);
		*p = played.middle;
	}
}

static void check_lines(struct el_library *library, const char *name, uint64_t step)
{
	struct el_slice slice;
	unsigned played = 0;
	assert_int_equal(el_slice_parse(name, &slice, NULL), EL_OK);
	assert_int_equal(fixture_build(library, name, dtr_dtz), EL_OK);
	struct el_planes planes = solved_planes(library, name, &el_dtr);
	for (uint64_t i = 0; i < 2 * slice.positions; i += step) {
		struct el_position p;
		const unsigned side = i & 1;
		const struct el_value v = el_plane_value(&planes.plane[side], i / 2);
		if (!el_chess.unplace(&slice, side, i / 2, &p) || v.outcome == EL_DRAW)
			continue;
		check_line(library, &p, v);
		played++;
	}
	assert_true(played > 100);
	el_planes_free(&planes);
}

static void lines_keep_the_limit(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	unproven_lines = 0;
	check_lines(library, "KPvK", 299);
	assert_int_equal(unproven_lines, 0);
	check_lines(library, "KRvK", 199);
	assert_int_equal(unproven_lines, 0);
	el_library_close(library);
}

/* The quickest mate has a phase of 5 plies, this one none of more than 4. */
static void by_hand(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	struct el_position p;
	assert_int_equal(fixture_build(library, "KPvK", dtr), EL_OK);
	fixture_parse("1k6/3P4/3K4/8/8/8/8/8 w - - 0 1", &p);
	const struct played played = phases(library, &p);
	assert_int_equal(played.longest, 4);
	assert_int_equal(played.first, 3);
	assert_true(played.mated && !played.unproven);
	el_library_close(library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lines_keep_the_limit, fixture_make_folder,
	                                        fixture_remove_folder),
		cmocka_unit_test_setup_teardown(by_hand, fixture_make_folder,
	                                        fixture_remove_folder),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
