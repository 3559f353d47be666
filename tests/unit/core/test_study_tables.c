/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Studies of positions that ordinary tables cover too: the bounds of every position hold what the
 * table says, whatever has been followed. With $TRUTH all promotions of king and pawn against king and
 * pawn, and roots of five pieces, whose tables are made in $BUILD/test-tables-5 (a quarter of an hour,
 * 1.1 GB).
 */
#include "core/builder/build.h"
#include "core/probe/probe.h"
#include "core/study/study.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Bits of kinds that pawns promote to, in the order of el_chess.kinds. */
enum { QUEENS = 1 << 1, ROOKS = 1 << 2, KNIGHTS = 1 << 4, ALL = 30 };

static const struct el_study_room memory = {.memory = UINT64_MAX, .folder = "/tmp"};
static const struct el_study_reach none = {0, 0};

/* ---- one root ---- */

struct comparison {
	struct el_library *library;
	const struct el_study *before; /* the study that has been extended */
	size_t wrong, exact;
	size_t left_open;       /* reached by promotions, and still within bounds */
	char first[EL_FEN_MAX]; /* that is wrong */
};

static void compare(void *context, const struct el_position *p, struct el_value v)
{
	struct comparison *c = context;
	struct el_value truth;
	struct el_error error;
	if (el_library_value(c->library, &el_chess, p, &el_wdl, EL_PROBE_FULL, &truth, &error))
		fail_msg("%s", error.text);
	assert_true(el_outcome_exact(truth.outcome));
	if (!el_outcome_within(truth.outcome, v.outcome) && !c->wrong++)
		el_chess.format(p, c->first);
	if (el_outcome_exact(v.outcome))
		c->exact++;
	else if (c->before && el_study_value(c->before, p, &v, &error))
		c->left_open++;
}

static struct el_study *open_study(const struct el_position *root)
{
	struct el_study *study;
	struct el_error error;
	if (el_study_open(&el_chess, root, &memory, NULL, &study, &error))
		fail_msg("%s", error.text);
	return study;
}

/*
 * Compares the study of a root. If `whole`, all promotions are followed as deep as they go: then the
 * root is exact, and so is whatever only promotions reach, since these are followed from open positions
 * alone.
 */
static void check_root(struct el_library *library, const char *fen, struct el_study_reach reach,
                       bool whole)
{
	const struct el_position root = position_of(fen);
	struct el_study *before = open_study(&root), *study = open_study(&root);
	struct comparison c = {.library = library, .before = before};
	struct el_error error;
	struct el_value value;
	if (reach.kinds)
		assert_int_equal(el_study_extend(study, &reach, NULL, &error), EL_OK);
	el_study_each(study, &c, compare);
	if (c.wrong)
		fail_msg("%s: %zu positions are wrong, first %s", fen, c.wrong, c.first);
	assert_true(c.exact > 0);
	assert_int_equal(el_study_value(study, &root, &value, &error), EL_OK);
	if (whole) {
		assert_true(el_study_size(study).positions > el_study_size(before).positions);
		assert_true(el_outcome_exact(value.outcome));
		assert_int_equal(c.left_open, 0);
	}
	el_study_close(before);
	el_study_close(study);
}

static struct el_library *library_in(const char *directory)
{
	const struct el_library_options options = {.directory = directory};
	struct el_library *library;
	struct el_error error;
	assert_non_null(directory);
	if (el_library_open(&options, &library, &error))
		fail_msg("%s", error.text);
	return library;
}

/* ---- four pieces ---- */

static void no_promotions(void **state)
{
	static const char *const roots[] = {
		"8/8/8/8/2p5/8/1P6/4K2k w - - 0 1", /* en passant */
		"8/5k2/8/pP6/8/8/8/5K2 w - a6 0 1", "8/1P6/8/8/8/2k5/8/K2R4 b - - 0 1",
		"8/8/8/8/8/5B2/3K3p/6k1 w - - 0 1", "k7/8/2K5/8/4n3/8/1p6/8 b - - 0 1",
		"8/8/8/8/8/1K6/2p4Q/4k3 b - - 0 1", "8/2P4P/8/k7/8/7K/8/8 b - - 0 1",
	};
	(void)state;
	struct el_library *library = library_in(test_tables());
	for (size_t i = 0; i < COUNT(roots); i++)
		check_root(library, roots[i], none, false);
	el_library_close(library);
}

static void some_promotions(void **state)
{
	static const char *const roots[] = {
		"8/8/8/6K1/8/2k5/p7/8 w - - 0 1",
		"8/4P1k1/8/8/8/8/K5p1/8 w - - 0 1",
		"8/6P1/8/8/5n2/8/8/3K2k1 b - - 0 1",
	};
	static const struct el_study_reach reach[] = {{1, QUEENS}, {1, ROOKS | KNIGHTS}};
	(void)state;
	struct el_library *library = library_in(test_tables());
	for (size_t i = 0; i < COUNT(roots); i++)
		check_root(library, roots[i], reach[i % 2], false);
	check_root(library, roots[1], (struct el_study_reach){2, QUEENS}, false);
	el_library_close(library);
}

static void all_promotions(void **state)
{
	static const char *const pawns[] = {"8/8/8/8/2p5/8/1P6/4K2k w - - 0 1",
	                                    "8/2p5/8/1P6/8/8/8/4K2k b - - 0 1"};
	(void)state;
	struct el_library *library = library_in(test_tables());
	check_root(library, "8/7K/8/8/8/2k2p2/8/8 w - - 0 1", (struct el_study_reach){1, ALL},
	           true);
	for (size_t i = 0; i < COUNT(pawns) && tests_are_thorough(); i++)
		check_root(library, pawns[i], (struct el_study_reach){2, ALL}, true);
	el_library_close(library);
}

/* ---- five pieces ---- */

static const char *five_piece_tables(void)
{
	static const struct el_metric *const metrics[] = {&el_wdl, NULL};
	static char directory[512];
	struct el_slice slices[3];
	const size_t count = slices_listed("KPPvKP KRPvKP KBPvKP", slices, COUNT(slices));
	struct el_build_options how = {.table = el_table_options_default()};
	struct el_plan plan;
	struct el_error error;
	const char *build = getenv("BUILD");
	snprintf(directory, sizeof directory, "%s/test-tables-5",
	         build && *build ? build : "build");
	struct el_library *library = library_in(directory);
	if (el_plan_make(library, slices, count, metrics, &plan, &error) ||
	    el_build(library, &plan, &how, NULL, &error))
		fail_msg("%s", error.text);
	el_plan_free(&plan);
	el_library_close(library);
	return directory;
}

static void five_pieces(void **state)
{
	static const char *const roots[] = {
		"8/8/8/2p5/8/8/1P1P4/k3K3 w - - 0 1", /* the pawn may capture either en passant */
		"8/8/3k4/8/2p5/8/PP6/4K3 w - - 0 1",  "4k3/p7/8/1P6/8/8/7P/4K3 b - - 0 1",
		"8/8/3k4/7p/7P/8/K1R5/8 w - - 0 1", /* locked */
		"8/p7/P7/8/4k3/8/1K6/5B2 w - - 0 1",  "8/8/8/5k2/2p5/8/1P4B1/K7 w - - 0 1",
		"k7/1p4r1/8/2P5/5K2/8/8/8 b - - 0 1", "8/1P6/8/8/3k4/8/1K2R3/5r2 w - - 0 1",
	};
	(void)state;
	if (!tests_are_thorough())
		skip();
	struct el_library *library = library_in(five_piece_tables());
	for (size_t i = 0; i < COUNT(roots); i++) {
		check_root(library, roots[i], none, false);
		check_root(library, roots[i], (struct el_study_reach){1, QUEENS}, false);
	}
	el_library_close(library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_promotions),
		cmocka_unit_test(some_promotions),
		cmocka_unit_test(all_promotions),
		cmocka_unit_test(five_pieces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
