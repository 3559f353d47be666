/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best move of each position as each game finds it in bulk (el_game.best), against the moves of the
 * game played one by one (plain_best_open). The planes hold symbols at random, so that a move to a wrong
 * index shows even where it would not be the best. A game joins by a row.
 */
#include "core/games/best.h"
#include "core/planes/planes.h"
#include "tests/fixtures/solved.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- planes at random ---- */

enum { PLANES_MAX = EL_SUCCESSORS_MAX + 2, PLIES = 40 };

/* Lends them, with their symbols in memory or apart. */
struct shelf {
	bool apart, fails;
	size_t count;
	struct el_planes planes[PLANES_MAX];
	uint16_t *symbols[PLANES_MAX][2];
	size_t asked[PLANES_MAX][2]; /* symbols at a time */
};

static uint64_t mixed(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* Every value that the metric may have, up to some plies; symbol 0 is broken. */
static void list_values(const struct el_slice *slice, const struct el_metric *metric,
                        struct el_plane *plane)
{
	const unsigned most = metric->kind->adds_up ? slice->pieces : PLIES;
	plane->values = calloc(EL_OUTCOMES * (PLIES + EL_PIECES_MAX), sizeof *plane->values);
	plane->values[0].outcome = EL_BROKEN;
	plane->value_count = 1;
	for (uint8_t outcome = 0; outcome <= EL_WIN; outcome++)
		for (uint16_t plies = 0; plies <= most; plies++) {
			const struct el_value v = {.outcome = outcome, .plies = plies};
			if (el_outcome_exact(outcome) && el_metric_has_value(metric, v))
				plane->values[plane->value_count++] = v;
		}
}

static const struct el_planes *planes_of(struct shelf *shelf, const struct el_slice *slice,
                                         const struct el_metric *metric)
{
	for (size_t i = 0; i < shelf->count; i++)
		if (el_slice_equal(&shelf->planes[i].slice, slice) &&
		    shelf->planes[i].metric == metric)
			return &shelf->planes[i];
	assert_true(shelf->count < PLANES_MAX);
	struct el_planes *planes = &shelf->planes[shelf->count];
	*planes = (struct el_planes){.slice = *slice, .metric = metric};
	for (unsigned side = 0; side < slice->planes; side++) {
		struct el_plane *plane = &planes->plane[side];
		uint16_t *symbols = malloc(slice->positions * sizeof *symbols);
		list_values(slice, metric, plane);
		for (uint64_t i = 0; i < slice->positions; i++)
			symbols[i] = (uint16_t)(1 + mixed(2 * i + side + (slice->key << 40)) %
			                                    (plane->value_count - 1));
		shelf->symbols[shelf->count][side] = symbols;
		plane->symbols = shelf->apart ? NULL : symbols;
	}
	shelf->count++;
	return planes;
}

static void shelf_free(struct shelf *shelf)
{
	for (size_t i = 0; i < shelf->count; i++)
		for (unsigned side = 0; side < 2; side++) {
			free(shelf->planes[i].plane[side].values);
			free(shelf->symbols[i][side]);
		}
	free(shelf);
}

static enum el_status lend(void *context, const struct el_slice *slice,
                           const struct el_metric *metric, const struct el_planes **out,
                           struct el_error *error)
{
	(void)error;
	*out = planes_of(context, slice, el_metric_entered(metric));
	return EL_OK;
}

static void give_back(void *context, const struct el_planes *planes)
{
	(void)context;
	(void)planes;
}

static const uint16_t *look(void *context, const struct el_planes *planes, unsigned plane,
                            uint64_t first, size_t count)
{
	const struct shelf *shelf = context;
	assert_int_equal(first % count, 0); /* and the same count in every call */
	size_t *asked = &((struct shelf *)context)->asked[planes - shelf->planes][plane];
	assert_true(!*asked || *asked == count);
	*asked = count;
	return shelf->fails ? NULL : shelf->symbols[planes - shelf->planes][plane] + first;
}

static void let_go(void *context, const struct el_planes *planes, unsigned plane, uint64_t first,
                   size_t count)
{
	(void)context, (void)planes, (void)plane, (void)first, (void)count;
}

static enum el_status check(void *context, struct el_error *error)
{
	(void)context;
	return el_fail(error, EL_IO, "the disk is gone");
}

/* ---- comparing ---- */

/* The scores of a section; `scratch` holds anything before. */
static enum el_status section_of(const struct el_best *best, unsigned side, size_t section,
                                 int16_t *out, struct el_error *error)
{
	void *scratch = aligned_alloc(64, (best->scratch + 63) / 64 * 64);
	memset(scratch, 0xa5, (best->scratch + 63) / 64 * 64);
	const enum el_status status = best->of(best, side, section, out, scratch, error);
	free(scratch);
	return status;
}

/* The scores of a side, of all sections or of a number of them; 1 + the index of the last is returned in
   *end, and the first in *first. */
enum { SECTIONS = 48 };

static void compare_side(struct shelf *shelf, const struct el_best *own,
                         const struct el_best *plain, unsigned side)
{
	const struct el_slice *slice = &own->problem->planes->slice;
	int16_t *found = malloc(slice->positions * sizeof *found);
	int16_t *expected = malloc(plain->longest * sizeof *expected);
	const size_t step = tests_are_thorough() ? 1 : 1 + plain->sections / SECTIONS;
	memset(shelf->asked, 0, sizeof shelf->asked);
	for (size_t i = 0; i < own->sections; i++) {
		const uint64_t first = own->section(own, i), end = own->section(own, i + 1);
		assert_true(first < end && end - first <= own->longest);
		assert_true(first / own->piece == (end - 1) / own->piece);
		assert_int_equal(section_of(own, side, i, found + first, NULL), EL_OK);
	}
	memset(shelf->asked, 0, sizeof shelf->asked);
	assert_int_equal(own->section(own, 0), 0);
	assert_int_equal(own->section(own, own->sections), slice->positions);
	for (size_t i = 0; i < plain->sections; i += step) {
		const uint64_t first = plain->section(plain, i);
		const uint64_t end = plain->section(plain, i + 1);
		assert_int_equal(section_of(plain, side, i, expected, NULL), EL_OK);
		for (uint64_t x = first; x < end; x++)
			if (found[x] != expected[x - first])
				fail_msg("%s, side %u, index %llu: score %d, expected %d",
				         slice->name, side, (unsigned long long)x, found[x],
				         expected[x - first]);
	}
	free(found);
	free(expected);
}

/* Sums up all moves shown, of each third position. */
static void sum_up(void *context, uint64_t index, const struct best_move *moves, size_t count)
{
	uint64_t *sum = context;
	assert_int_equal(index % 3, 0);
	for (size_t i = 0; i < count; i++)
		*sum += mixed(index ^ mixed(moves[i].to ^ (uint64_t)moves[i].score << 48));
}

static uint64_t sum_of_moves(const struct el_best *best)
{
	uint64_t sum = 0, *among = malloc((best->longest + 63) / 64 * sizeof *among);
	void *scratch = aligned_alloc(64, (best->scratch + 63) / 64 * 64);
	for (size_t section = 0; section < best->sections; section++) {
		const uint64_t first = best->section(best, section);
		const struct best_visitor visitor = {among, sum_up, &sum};
		memset(among, 0, (best->longest + 63) / 64 * sizeof *among);
		for (uint64_t i = first; i < best->section(best, section + 1); i++)
			if (i % 3 == 0)
				among[(i - first) / 64] |= UINT64_C(1) << (i - first) % 64;
		assert_int_equal(best->show(best, section, &visitor, scratch, NULL), EL_OK);
	}
	free(among);
	free(scratch);
	return sum;
}

static void compare(const char *name, const struct el_metric *metric, bool apart)
{
	struct el_slice slice;
	struct el_best *own, *plain;
	struct shelf *shelf = calloc(1, sizeof *shelf);
	const struct el_lender lender = {.context = shelf,
	                                 .lend = lend,
	                                 .give_back = give_back,
	                                 .look = look,
	                                 .let_go = let_go,
	                                 .check = check};
	struct el_error error = {.text = ""};
	shelf->apart = apart;
	assert_int_equal(el_slice_parse(name, &slice, NULL), EL_OK);
	const struct el_best_problem problem = {.planes = planes_of(shelf, &slice, metric),
	                                        .lender = &lender};
	assert_int_equal(el_best_open(&problem, &own, NULL), EL_OK);
	assert_int_equal(plain_best_open(&problem, &plain, NULL), EL_OK);
	for (unsigned side = 0; side < slice.planes; side++)
		compare_side(shelf, own, plain, side);
	assert_int_equal(!own->show, !metric->kind->adds_up);
	if (own->show)
		assert_int_equal(sum_of_moves(own), sum_of_moves(plain));
	if (apart) {
		int16_t *out = malloc(own->longest * sizeof *out);
		memset(shelf->asked, 0, sizeof shelf->asked);
		shelf->fails = true;
		assert_int_equal(section_of(own, 0, 0, out, &error), EL_IO);
		assert_string_equal(error.text, "the disk is gone");
		free(out);
	}
	el_best_close(own);
	el_best_close(plain);
	shelf_free(shelf);
}

/* ---- the games ---- */

struct row {
	const char *slice, *metric;
};

static const struct row rows[] = {
	{"KRvK", "dtm"},           {"KPvK", "dtc"},           {"KPvK", "wdl"},
	{"checkers:KvK", "dtw"},   {"checkers:MvM", "dtw"},   {"checkers:MMvK", "dtc"},
	{"checkers:KMvK", "dtw"},  {"checkers:KMvKM", "dtw"}, {"checkers:KKMvM", "wdl"},
	{"checkers:KMvMM", "dtw"}, {"checkers:MMvMM", "dtc"}, {"checkers:KKvKMM", "dtw"},
	{"morris:3v3", "dtw"},     {"morris:4v3", "dtc"},     {"morris:4v4", "dtw"},
	{"morris:5v3", "wdl"},     {"morris:5v4", "dtw"},     {"awari:0", "score"},
	{"awari:1", "score"},      {"awari:5", "score"},      {"awari:10", "score"},
	{"oware:2", "score"},      {"oware:9", "score"},
};

static void test_in_memory(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		compare(rows[i].slice, el_metric_find(rows[i].metric), false);
}

static void test_apart(void **state)
{
	(void)state;
	static const struct row few[] = {
		{"KRvK", "dtm"},          {"checkers:KvK", "dtw"}, {"checkers:KMvKM", "dtc"},
		{"checkers:KMvK", "wdl"}, {"morris:3v3", "dtw"},   {"morris:4v3", "dtw"},
		{"awari:6", "score"},
	};
	for (size_t i = 0; i < sizeof few / sizeof *few; i++)
		compare(few[i].slice, el_metric_find(few[i].metric), true);
}

/* Captures alone, which look at no symbol of the slice itself and, without a lender, at none at all. */
static void compare_captures(const char *name, const struct el_metric *metric, bool apart,
                             bool lends)
{
	struct el_slice slice;
	struct el_best *own, *plain;
	struct shelf *shelf = calloc(1, sizeof *shelf);
	const struct el_lender lender = {shelf, lend, give_back, look, let_go, check};
	shelf->apart = apart;
	assert_int_equal(el_slice_parse(name, &slice, NULL), EL_OK);
	struct el_planes planes = *planes_of(shelf, &slice, metric);
	planes.plane[0].symbols = planes.plane[1].symbols = NULL;
	const struct el_best_problem problem = {&planes, lends ? &lender : NULL, true};
	assert_int_equal(el_best_open(&problem, &own, NULL), EL_OK);
	assert_int_equal(plain_best_open(&problem, &plain, NULL), EL_OK);
	for (size_t i = 1; i < shelf->count; i++)
		assert_true(lends && shelf->planes[i].slice.pieces < slice.pieces);
	for (unsigned side = 0; side < slice.planes; side++)
		compare_side(shelf, own, plain, side);
	el_best_close(own);
	el_best_close(plain);
	shelf_free(shelf);
}

static void test_captures(void **state)
{
	(void)state;
	static const struct row more[] = {
		{"KQvKR", "dtm"}, {"KPvKP", "dtz"}, {"KPvKN", "wdl50"}, {"KRvKR", "dtz50"}};
	for (size_t i = 0; i < sizeof more / sizeof *more; i++)
		for (unsigned apart = 0; apart < 2; apart++)
			compare_captures(more[i].slice, el_metric_find(more[i].metric), apart,
			                 true);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (unsigned lends = strncmp(rows[i].slice, "checkers", 8) != 0; lends < 2;
		     lends++)
			compare_captures(rows[i].slice, el_metric_find(rows[i].metric), false,
			                 lends);
}

/* ---- a side that is left out ---- */

enum { PIECE_MAX = 1 << 20 };

/* Lends any slice, each piece with the same symbols, but not what is left out of the first. */
struct blind {
	struct el_planes planes[PLANES_MAX];
	size_t count;
	unsigned left_out;
	uint16_t symbols[PIECE_MAX];
};

static enum el_status lend_blind(void *context, const struct el_slice *slice,
                                 const struct el_metric *metric, const struct el_planes **out,
                                 struct el_error *error)
{
	struct blind *b = context;
	struct el_planes *planes = &b->planes[b->count++];
	(void)error;
	assert_true(b->count <= PLANES_MAX);
	*planes = (struct el_planes){.slice = *slice, .metric = el_metric_entered(metric)};
	for (unsigned side = 0; side < slice->planes; side++)
		list_values(slice, planes->metric, &planes->plane[side]);
	*out = planes;
	return EL_OK;
}

static const uint16_t *look_blind(void *context, const struct el_planes *planes, unsigned plane,
                                  uint64_t first, size_t count)
{
	const struct blind *b = context;
	(void)first;
	assert_true(count <= PIECE_MAX);
	assert_true(planes != b->planes || plane != b->left_out);
	return b->symbols;
}

/* The values of a side are found from the other one's: what follows a double step, too, although the
   other side may then capture en passant. */
static void test_left_out(void **state)
{
	(void)state;
	enum { STEP = 97 };
	struct el_slice slice;
	struct blind *b = calloc(1, sizeof *b);
	const struct el_lender lender = {b, lend_blind, give_back, look_blind, let_go, check};
	const struct el_planes *planes;
	struct el_best *best;
	assert_int_equal(el_slice_parse("KNPvKP", &slice, NULL), EL_OK);
	assert_int_equal(lend_blind(b, &slice, &el_wdl, &planes, NULL), EL_OK);
	for (size_t i = 0; i < PIECE_MAX; i++)
		b->symbols[i] = (uint16_t)(1 + mixed(i) % (planes->plane[0].value_count - 1));
	assert_int_equal(
		el_best_open(&(struct el_best_problem){planes, &lender, false}, &best, NULL),
		EL_OK);
	int16_t *out = malloc(best->longest * sizeof *out);
	for (b->left_out = 0; b->left_out < slice.planes; b->left_out++)
		for (size_t i = 0; i < best->sections; i += STEP)
			assert_int_equal(section_of(best, b->left_out, i, out, NULL), EL_OK);
	free(out);
	el_best_close(best);
	for (size_t i = 0; i < b->count; i++)
		for (unsigned side = 0; side < 2; side++)
			free(b->planes[i].plane[side].values);
	free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_memory),
		cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_apart),
		cmocka_unit_test(test_captures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
