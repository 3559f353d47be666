/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The proof of chess tables by whole planes. Its judge is the way position by position: it must find the
 * same best moves, call the same tables right, and find the same wrong values. `TRUTH=all` in the
 * environment takes more of everything.
 */
#include "core/examine/proof.h"
#include "core/examine/verify.h"
#include "core/games/best.h"
#include "core/whole/whole.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the best moves of planes with values at random ---- */

enum { PLANES_MAX = EL_SUCCESSORS_MAX + 1, PLIES = 60, HELD = 256 };

/*
 * Lends planes whose symbols are a hash of the index, in pieces: so slices of five pieces need no
 * memory, and a move to any wrong index shows, even if the right one is broken.
 */
struct shelf {
	size_t count;
	struct el_planes planes[PLANES_MAX];
	struct piece {
		const struct el_planes *planes; /* null: none */
		unsigned plane;
		uint64_t first;
		uint16_t *symbols; /* owned */
		unsigned users;
	} held[HELD];
};

static void list_values(const struct el_metric *metric, struct el_plane *plane)
{
	plane->values = calloc(EL_OUTCOMES * PLIES, sizeof *plane->values);
	assert_non_null(plane->values);
	plane->values[plane->value_count++].outcome = EL_BROKEN;
	for (unsigned i = 0; i < (EL_WIN + 1) * PLIES; i++) {
		const struct el_value v = {.outcome = (uint8_t)(i / PLIES),
		                           .plies = (uint16_t)(2 * (i % PLIES))};
		if (el_metric_has_value(metric, v) && (v.plies || v.outcome != EL_WIN))
			plane->values[plane->value_count++] = v;
	}
}

static const struct el_planes *put(struct shelf *shelf, const struct el_slice *slice,
                                   const struct el_metric *metric)
{
	struct el_planes *planes = &shelf->planes[shelf->count++];
	*planes = (struct el_planes){.slice = *slice, .metric = metric};
	for (unsigned p = 0; p < slice->planes; p++)
		list_values(metric, &planes->plane[p]);
	return planes;
}

static enum el_status lend(void *context, const struct el_slice *slice,
                           const struct el_metric *metric, const struct el_planes **out,
                           struct el_error *error)
{
	struct shelf *shelf = context;
	(void)error;
	*out = NULL;
	for (size_t i = 1; i < shelf->count; i++)
		if (el_slice_equal(&shelf->planes[i].slice, slice))
			*out = &shelf->planes[i];
	*out = *out ? *out : put(shelf, slice, el_metric_entered(metric));
	return EL_OK;
}

static void give_back(void *context, const struct el_planes *planes)
{
	(void)context, (void)planes;
}

/* The place of a piece that somebody holds, or a free one. */
static struct piece *place_of(struct shelf *shelf, const struct el_planes *planes, unsigned plane,
                              uint64_t first)
{
	struct piece *empty = NULL;
	for (struct piece *p = shelf->held; p < shelf->held + HELD; p++) {
		if (p->planes == planes && p->plane == plane && p->first == first)
			return p;
		empty = p->planes ? empty : p;
	}
	assert_non_null(empty);
	*empty = (struct piece){planes, plane, first, NULL, 0};
	return empty;
}

static const uint16_t *look(void *context, const struct el_planes *planes, unsigned plane,
                            uint64_t first, size_t count)
{
	struct piece *p = place_of(context, planes, plane, first);
	const uint32_t values = planes->plane[plane].value_count - 1;
	const uint32_t salt = (uint32_t)(planes->slice.key >> 32) * 77777u +
	                      (uint32_t)planes->slice.key * 31u + plane * 1000003u;
	assert_int_equal(first % count, 0);
	if (p->users++)
		return p->symbols;
	p->symbols = malloc(count * sizeof *p->symbols);
	assert_non_null(p->symbols);
	for (size_t i = 0; i < count; i++) {
		uint32_t hash = ((uint32_t)(first + i) + salt) * UINT32_C(0x9e3779b1);
		hash = (hash ^ hash >> 15) * UINT32_C(0x85ebca6b);
		p->symbols[i] = (uint16_t)(1 + ((hash >> 16) * values >> 16));
	}
	return p->symbols;
}

static void let_go(void *context, const struct el_planes *planes, unsigned plane, uint64_t first,
                   size_t count)
{
	struct piece *p = place_of(context, planes, plane, first);
	(void)count;
	assert_true(p->users > 0);
	if (--p->users)
		return;
	free(p->symbols);
	p->planes = NULL;
}

static enum el_status no_check(void *context, struct el_error *error)
{
	(void)context, (void)error;
	return EL_OK;
}

/* Compares `some` stretches of this many indexes in each of some sections. */
enum { STRETCH = 2048 };

static void compare_section(const struct el_best *whole, const struct el_best *plain, unsigned side,
                            size_t section, size_t some)
{
	const uint64_t first = whole->section(whole, section);
	const uint64_t count = whole->section(whole, section + 1) - first;
	int16_t *found = malloc(count * sizeof *found), expected[STRETCH];
	void *scratch = aligned_alloc(64, (whole->scratch + 63) / 64 * 64);
	void *other = aligned_alloc(64, (plain->scratch + 63) / 64 * 64);
	memset(scratch, 0xa5, whole->scratch);
	assert_int_equal(plain->longest, STRETCH);
	assert_int_equal(whole->of(whole, side, section, found, scratch, NULL), EL_OK);
	const size_t from = (size_t)(first / STRETCH),
		     end = (size_t)((first + count) / STRETCH + 1);
	const size_t step = (end - from) / some ? (end - from) / some : 1;
	for (size_t i = from + section % step; i < end && i < plain->sections; i += step) {
		assert_int_equal(plain->of(plain, side, i, expected, other, NULL), EL_OK);
		for (uint64_t k = 0, at = i * (uint64_t)STRETCH - first; k < STRETCH; k++, at++)
			if (at < count && found[at] != expected[k])
				fail_msg("%s %s, side %u, index %llu: score %d, expected %d",
				         whole->problem->planes->slice.name,
				         whole->problem->planes->metric->name, side,
				         (unsigned long long)(first + at), found[at], expected[k]);
	}
	free(found);
	free(scratch);
	free(other);
}

static void compare_best(const char *name, const struct el_metric *metric, size_t sections,
                         size_t some)
{
	struct shelf *shelf = calloc(1, sizeof *shelf);
	const struct el_lender lender = {shelf, lend, give_back, look, let_go, no_check};
	const struct el_slice slice = slice_named(name);
	const struct el_best_problem problem = {.planes = put(shelf, &slice, metric),
	                                        .lender = &lender};
	struct el_best *whole, *plain;
	assert_int_equal(el_best_open(&problem, &whole, NULL), EL_OK);
	assert_int_equal(plain_best_open(&problem, &plain, NULL), EL_OK);
	assert_true(whole->longest != plain->longest);
	const size_t step = whole->sections / sections ? whole->sections / sections : 1;
	for (unsigned side = 0; side < slice.planes; side++)
		for (size_t i = slice.pieces % step; i < whole->sections; i += step)
			compare_section(whole, plain, side, i, some);
	for (size_t i = 0; i < HELD; i++)
		assert_null(shelf->held[i].planes);
	el_best_close(whole);
	el_best_close(plain);
	for (size_t i = 0; i < shelf->count; i++)
		for (unsigned p = 0; p < 2; p++)
			free(shelf->planes[i].plane[p].values);
	free(shelf);
}

static void test_best_moves(void **state)
{
	static const struct {
		const char *slice, *metric;
		size_t sections, some;
	} rows[] = {
		{"KQvKR", "dtz5", 16, 1},  {"KPPvKP", "dtz", 5, 2}, {"KPvKP", "dtm", 40, 1},
		{"KRvKP", "dtz50", 16, 1}, {"KRRvK", "dtc", 40, 1}, {"KPPvK", "dtm", 16, 1},
		{"KPvK", "dtz50", 200, 1}, {"KQvK", "dtm", 100, 1}, {"KNvK", "dtz", 100, 1},
		{"KNNvK", "wdl", 40, 1},   {"KPPvK", "dtz", 16, 1}, {"KBvKB", "dtm", 40, 1},
		{"KPvKP", "dtz50", 16, 1}, {"KNvKP", "dtc", 16, 1}, {"KBPvK", "dtm", 16, 1},
		{"KRPvKP", "dtm", 5, 2},   {"KQQvKQ", "dtm", 5, 2}, {"KRBvKP", "dtc", 5, 2},
		{"KPPPvK", "dtz50", 5, 2}, {"KNNNvK", "dtm", 5, 2}, {"KBPvKR", "dtm", 5, 2},
		{"KRBvKRN", "dtm", 1, 4},
	};
	const size_t more = tests_are_thorough() ? 20 : 1, fewer = tests_are_slow() ? 8 : 1;
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i += tests_are_slow() ? 5 : 1)
		compare_best(rows[i].slice, el_metric_find(rows[i].metric),
		             (more * rows[i].sections + fewer - 1) / fewer, rows[i].some);
}

/* ---- both ways ---- */

static struct el_verdict proved(struct el_library *library, const struct el_planes *planes,
                                bool slow)
{
	struct el_verdict verdict;
	struct el_error error = {.text = ""};
	if (proof_of_planes(library, planes, slow, NULL, &verdict, NULL, &error))
		fail_msg("%s", error.text);
	assert_int_equal(verdict.by_planes, !slow);
	return verdict;
}

/*
 * What whole planes find, after comparing it with what the other way finds. Under a rule the other way
 * derives all but zeroing moves anew, so a wrong value makes no other one wrong there; and late plies
 * are not counted by planes if something else is wrong. So only whether anything is wrong is the same.
 */
static struct el_verdict judged(struct el_library *library, const struct el_planes *planes)
{
	const struct el_verdict v = proved(library, planes, false),
				j = proved(library, planes, true);
	assert_int_equal(v.checked, j.checked);
	assert_int_equal(v.open + v.loose + v.rounded + j.open + j.loose + j.rounded, 0);
	assert_int_equal(v.wrong > 0, j.wrong > 0);
	if (planes->metric->limit)
		return v;
	assert_int_equal(v.wrong, j.wrong);
	assert_string_equal(v.first_fen, j.first_fen);
	assert_true(el_value_equal(v.first_stored, j.first_stored));
	assert_true(el_value_equal(v.first_derived, j.first_derived));
	return v;
}

/* Four pieces, all of whose DTM tables are at hand: they tell the outcomes that other metrics need. */
static void test_right(void **state)
{
	static const struct {
		const char *slice;
		const struct el_metric *metric;
	} rows[] = {
		{"KPvKP", &el_dtz}, {"KRRvK", &el_dtc}, {"KPvKP", &el_win}, {"KPPvK", &el_wdl},
		{"KQvKQ", &el_dtm}, {"KPvKP", &el_dtc}, {"KNNvK", &el_win}, {"KQvKR", &el_win},
		{"KBvKP", &el_dtz}, {"KRRvK", &el_wdl}, {"KBBvK", &el_dtm}, {"KPPvK", &el_dtz},
	};
	(void)state;
	if (tests_are_slow())
		skip();
	struct el_library *library = fixture_library(test_tables(), NULL);
	for (size_t i = 0; i < (tests_are_thorough() ? sizeof rows / sizeof *rows : 2); i++) {
		struct el_planes planes = solved_planes(library, rows[i].slice, rows[i].metric);
		const struct el_verdict v = judged(library, &planes);
		if (v.wrong)
			fail_msg("%s %s: %s", rows[i].slice, rows[i].metric->name, v.first_fen);
		assert_true(v.checked > 1000000);
		el_planes_free(&planes);
	}
	el_library_close(library);
}

/* ---- single wrong values ---- */

enum wrong { DEPTH, OUTCOME, HOLE, WRONGS };

static uint16_t symbol_of(struct el_plane *plane, struct el_value value)
{
	uint32_t s = 0;
	while (s < plane->value_count && !el_value_equal(plane->values[s], value))
		s++;
	if (s == plane->value_count) {
		plane->values =
			realloc(plane->values, ++plane->value_count * sizeof *plane->values);
		assert_non_null(plane->values);
		plane->values[s] = value;
	}
	return (uint16_t)s;
}

/* Another value that the metric may have, wrong in this way; false: there is none. */
static bool make_wrong(const struct el_metric *metric, enum wrong wrong, struct el_value *v)
{
	const bool late = v->outcome == EL_CURSED_WIN || v->outcome == EL_BLESSED_LOSS;
	if (wrong == DEPTH) {
		v->plies = (uint16_t)(v->plies + (v->plies > 2 && v->plies % 4 < 2 ? -2 : 2));
		return metric->has_depth && v->outcome != EL_DRAW &&
		       el_metric_has_value(metric, *v);
	}
	if (wrong == HOLE)
		*v = (struct el_value){.outcome = EL_BROKEN};
	else if (metric->wins_only)
		v->outcome = v->outcome == EL_WIN ? EL_AT_MOST_DRAW : EL_WIN;
	else if (v->outcome == EL_DRAW)
		*v = (struct el_value){.outcome = EL_WIN, .plies = metric->has_depth ? 3 : 0};
	else if (late && v->plies <= metric->limit)
		v->outcome = v->outcome == EL_CURSED_WIN ? EL_WIN : EL_LOSS;
	else
		*v = (struct el_value){.outcome = EL_DRAW};
	return true;
}

/* Somewhere in a plane. */
static void plant(struct el_planes *planes, unsigned p, enum wrong wrong, uint64_t *seed)
{
	for (;;) {
		const uint64_t i = fixture_random(seed) % planes->slice.positions;
		struct el_position position;
		struct el_value v = el_plane_value(&planes->plane[p], i);
		if (!el_chess.unplace(&planes->slice, p, i, &position) ||
		    !make_wrong(planes->metric, wrong, &v))
			continue;
		planes->plane[p].symbols[i] = symbol_of(&planes->plane[p], v);
		return;
	}
}

static void try_wrong(struct el_library *library, const char *name, const struct el_metric *metric,
                      unsigned tries, uint64_t *seed)
{
	for (unsigned i = 0; i < tries; i++) {
		const enum wrong wrong = (enum wrong)((i + *seed) % WRONGS);
		if (wrong == DEPTH && !metric->has_depth)
			continue;
		struct el_planes planes = fixture_stored(library, name, metric);
		plant(&planes, (unsigned)(fixture_random(seed) % planes.slice.planes), wrong, seed);
		const struct el_verdict v = judged(library, &planes);
		/* A bitbase may be wrong and still agree with itself: wins in a circle. */
		if (!v.wrong && !metric->wins_only)
			fail_msg("%s %s: wrong value %u is not found", name, metric->name, i);
		el_planes_free(&planes);
	}
}

/* Many of 5-move wins come too late. */
static void test_wrong_values(void **state)
{
	static const struct el_metric *const metrics[] = {
		&el_wdl, &el_win,          &el_dtm,         &el_dtc,
		&el_dtz, &el_dtz_rule[49], &el_dtz_rule[4], NULL,
	};
	static const char *const names[] = {"KRvK", "KPvK"};
	const unsigned tries = tests_are_thorough() ? 60 : 3;
	uint64_t seed = 45;
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	assert_int_equal(fixture_build(library, "KPvK KRvK", metrics), EL_OK);
	for (size_t m = 0; metrics[m]; m++)
		for (size_t i = 0; i < 2; i++) {
			struct el_planes planes = fixture_stored(library, names[i], metrics[m]);
			assert_int_equal(judged(library, &planes).wrong, 0);
			el_planes_free(&planes);
			try_wrong(library, names[i], metrics[m], tries / (i ? 3 : 1), &seed);
		}
	el_library_close(library);
}

/* Late plies by themselves, both wins and losses. */
static void test_wrong_late(void **state)
{
	const struct el_metric *const metrics[] = {&el_dtz_rule[4], NULL};
	unsigned found = 0;
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	assert_int_equal(fixture_build(library, "KRvK", metrics), EL_OK);
	for (unsigned p = 0; p < 2; p++) {
		struct el_planes planes = fixture_stored(library, "KRvK", metrics[0]);
		struct el_plane *plane = &planes.plane[p];
		uint64_t i = planes.slice.positions / 3;
		while (el_plane_value(plane, i).outcome !=
		       (p == EL_WHITE ? EL_CURSED_WIN : EL_BLESSED_LOSS))
			i++;
		struct el_value v = el_plane_value(plane, i);
		v.plies = (uint16_t)(v.plies + 2);
		plane->symbols[i] = symbol_of(plane, v);
		found += judged(library, &planes).wrong > 0;
		el_planes_free(&planes);
	}
	assert_int_equal(found, 2);
	el_library_close(library);
}

/* A wrong win and all of its best moves, so that it agrees with them. */
static void test_hidden(void **state)
{
	const struct el_metric *const metrics[] = {&el_dtm, &el_dtz, NULL};
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	assert_int_equal(fixture_build(library, "KRvK", metrics), EL_OK);
	for (size_t m = 0; metrics[m]; m++) {
		struct el_planes planes = fixture_stored(library, "KRvK", metrics[m]);
		struct el_plane *white = &planes.plane[EL_WHITE], *black = &planes.plane[EL_BLACK];
		struct el_position position, reached;
		struct el_move moves[EL_MOVES_MAX];
		struct el_place place;
		uint64_t i = 4000;
		while (el_plane_value(white, i).plies != 21 ||
		       !el_chess.unplace(&planes.slice, EL_WHITE, i, &position))
			i++;
		struct el_value v = el_plane_value(white, i);
		v.plies += 2;
		white->symbols[i] = symbol_of(white, v);
		const size_t count = el_chess.moves(&position, moves);
		for (size_t k = 0; k < count; k++) {
			el_chess.play(&position, &moves[k], &reached);
			assert_true(el_chess.place(&reached, &place));
			v = el_plane_value(black, place.index);
			if (v.outcome != EL_LOSS || v.plies != 20)
				continue;
			v.plies += 2;
			black->symbols[place.index] = symbol_of(black, v);
		}
		assert_true(judged(library, &planes).wrong > 0);
		el_planes_free(&planes);
	}
	el_library_close(library);
}

/* Holes whose moves all lead to holes agree with each other. */
static void test_all_holes(void **state)
{
	const struct el_metric *const metrics[] = {&el_wdl, NULL};
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	assert_int_equal(fixture_build(library, "KNvK", metrics), EL_OK);
	struct el_planes planes = fixture_stored(library, "KNvK", &el_wdl);
	for (unsigned p = 0; p < 2; p++) {
		const uint16_t hole =
			symbol_of(&planes.plane[p], (struct el_value){.outcome = EL_BROKEN});
		for (uint64_t i = 0; i < planes.slice.positions; i++)
			planes.plane[p].symbols[i] = hole;
	}
	const struct el_verdict v = judged(library, &planes);
	assert_int_equal(v.wrong, v.checked);
	el_planes_free(&planes);
	el_library_close(library);
}

/* ---- tables that leave values out ---- */

/* Writes the slice's planes to the folder; `wrong`: a value of each plane is, as only one may be kept. */
static void write_slice(struct el_library *from, const char *name, enum el_derive derive,
                        bool wrong, uint64_t seed)
{
	struct el_planes planes = fixture_stored(from, name, &el_dtm);
	struct el_table_options options = el_table_options_default();
	char path[SCRATCH_PATH + 64];
	options.derive = derive;
	for (unsigned p = 0; p < planes.slice.planes && wrong; p++)
		plant(&planes, p, DEPTH, &seed);
	assert_int_equal(el_library_derive(from, &planes, derive, NULL, NULL), EL_OK);
	el_table_file_name(folder, &planes.slice, &el_dtm, path, sizeof path);
	fixture_write(path, &planes, &options);
	el_planes_free(&planes);
}

static void test_derived(void **state)
{
	static const enum el_derive ways[] = {EL_DERIVE_SIDE, EL_DERIVE_BOTH};
	(void)state;
	if (tests_are_slow())
		skip();
	struct el_library *from = fixture_library(test_tables(), NULL);
	struct el_library *library = fixture_library(folder, NULL);
	for (size_t way = tests_are_thorough() ? 0 : 1; way < 2; way++)
		for (unsigned wrong = 0; wrong < 3; wrong++) {
			/* nothing, a value of the table, or those of a slice that captures enter */
			write_slice(from, "KNvK", EL_DERIVE_NOTHING, false, 1);
			write_slice(from, "KRvK", EL_DERIVE_NOTHING, false, 1);
			write_slice(from, "KRvKN", ways[way], wrong == 1, 7 + way);
			if (wrong == 2) {
				struct el_planes planes = fixture_stored(from, "KRvK", &el_dtm);
				const struct el_table_options o = el_table_options_default();
				for (uint32_t s = 0; s < planes.plane[1].value_count; s++)
					if (planes.plane[1].values[s].plies > 20)
						planes.plane[1].values[s].plies += 2;
				fixture_write(fixture_path(folder, "KRvK.dtm.egt"), &planes, &o);
				el_planes_free(&planes);
			}
			assert_int_equal(el_library_rescan(library, NULL), EL_OK);
			struct el_planes planes = fixture_stored(library, "KRvKN", &el_dtm);
			const struct el_verdict v = judged(library, &planes);
			/* A value that captures determine is derived, whatever was written. */
			if (wrong != 1 || ways[way] == EL_DERIVE_SIDE)
				if ((v.wrong > 0) != (wrong > 0))
					fail_msg("way %zu, wrong %u", way, wrong);
			el_planes_free(&planes);
		}
	el_library_close(library);
	el_library_close(from);
}

/* ---- piece by piece ---- */

/* KPvKP and what it needs, some of which is too large to be lent whole. */
static void copy_tables(void)
{
	static const char *const names[] = {"KPvKP", "KQvKP", "KRvKP", "KBvKP", "KNvKP", "KPvK"};
	const char *tables = test_tables();
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char path[64];
		size_t size;
		snprintf(path, sizeof path, "%s.dtm.egt", names[i]);
		uint8_t *bytes = fixture_read_file(fixture_path(tables, path), &size);
		fixture_write_file(fixture_path(folder, path), bytes, size);
		free(bytes);
	}
}

static void take(void *context, const struct el_verify_result *result)
{
	*(struct el_verify_result *)context = *result;
}

enum { FEW_BYTES = 4 << 20, NONE_KEPT = 8 /* six tables, . and .. */ };

/* Verifies KPvKP as `verify` does. */
static enum el_status verify(uint64_t memory, bool slow, const struct el_watch *watch,
                             struct el_verify_result *out)
{
	const struct el_verify_task task = {.slice = slice_named("KPvKP"), .metric = &el_dtm};
	const struct el_verify_options options = {.memory = memory, .slow = slow};
	struct el_library *library = fixture_library(folder, NULL);
	struct el_error error = {.text = ""};
	*out = (struct el_verify_result){.task = 99};
	const enum el_status status =
		el_verify_tables(library, &task, 1, &options, watch, take, out, &error);
	el_library_close(library);
	return status;
}

/* Damage is no wrong value, whichever way the table is read; a file, and its block, are named. */
static void assert_damaged(const char *name)
{
	const char *path = fixture_path(folder, name);
	struct el_verify_result r;
	size_t size;
	uint8_t *bytes = fixture_read_file(path, &size);
	bytes[size / 2] ^= 16;
	fixture_write_file(path, bytes, size);
	for (unsigned way = 0; way < 3; way++) {
		assert_int_equal(verify(way ? 0 : FEW_BYTES, way == 2, NULL, &r), EL_OK);
		assert_int_equal(r.status, EL_DAMAGED);
		if (!strstr(r.error.text, name) || !strstr(r.error.text, "block "))
			fail_msg("%s", r.error.text);
		assert_int_equal(r.verdict.wrong, 0);
	}
	bytes[size / 2] ^= 16;
	fixture_write_file(path, bytes, size);
	free(bytes);
}

static int refuse(void *context, const struct el_progress *progress)
{
	(void)progress;
	return --*(int *)context > 0;
}

static void test_pieces(void **state)
{
	struct el_verify_result r;
	int left = 1; /* how often it asks is a matter of time */
	(void)state;
	if (tests_are_slow())
		skip();
	copy_tables();
	/* stopped: nothing is kept */
	assert_int_equal(verify(FEW_BYTES, false, &(struct el_watch){&left, refuse}, &r),
	                 EL_STOPPED);
	assert_int_equal(r.task, 99);
	assert_int_equal(scratch_count(folder, ""), NONE_KEPT);
	assert_damaged("KPvKP.dtm.egt");
	assert_damaged("KRvKP.dtm.egt");
	assert_int_equal(scratch_count(folder, ""), NONE_KEPT);
	/* right */
	assert_int_equal(verify(FEW_BYTES, false, NULL, &r), EL_OK);
	assert_string_equal(r.error.text, "");
	assert_int_equal(r.status, EL_OK);
	assert_true(r.verdict.by_planes);
	assert_int_equal(r.verdict.wrong, 0);
	const uint64_t checked = r.verdict.checked;
	assert_int_equal(scratch_count(folder, ""), NONE_KEPT + 1);
	/* a missing table is named */
	assert_int_equal(remove(fixture_path(folder, "KBvKP.dtm.egt")), 0);
	assert_int_equal(verify(FEW_BYTES, false, NULL, &r), EL_OK);
	assert_int_equal(r.status, EL_NEGATIVE);
	assert_non_null(strstr(r.error.text, "KBvKP"));
	copy_tables();
	/* wrong values */
	struct el_library *library = fixture_library(folder, NULL);
	for (uint64_t seed = 1; seed < 3; seed++)
		write_slice(library, "KPvKP", EL_DERIVE_NOTHING, true, seed);
	el_library_close(library);
	assert_int_equal(verify(FEW_BYTES, false, NULL, &r), EL_OK);
	assert_int_equal(r.verdict.checked, checked);
	assert_true(r.verdict.by_planes && r.verdict.wrong > 0);
	struct el_verify_result whole;
	assert_int_equal(verify(0, false, NULL, &whole), EL_OK);
	assert_int_equal(whole.before.verified, EL_NOT_VERIFIED);
	assert_int_equal(whole.verdict.wrong, r.verdict.wrong);
	assert_string_equal(whole.verdict.first_fen, r.verdict.first_fen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_best_moves),
		cmocka_unit_test(test_right),
		IN_FOLDER(test_wrong_values),
		IN_FOLDER(test_wrong_late),
		IN_FOLDER(test_hidden),
		IN_FOLDER(test_all_holes),
		IN_FOLDER(test_derived),
		IN_FOLDER(test_pieces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
