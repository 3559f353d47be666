/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables that leave out a side to move, captures or outcomes: every position against the solver's
 * planes in memory, in a folder with all tables in that form. `TRUTH=all` in the
 * environment takes every ending of 3 and 4 pieces, of chess and of draughts; `TRUTH="KQvKR ..."`
 * the named ones.
 */
#include "core/probe/probe.h"
#include "core/table/table.h"
#include "core/whole/lender.h"
#include "core/whole/whole.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/scratch.h"
#include "tests/fixtures/solved.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SLICES = 64, NAMES = 2048 };

/* ---- one form of all tables of a metric ---- */

/* Slices to probe, and their values. */
struct trial {
	const struct el_game *game;
	struct el_slice slice[SLICES];
	size_t count;
	uint64_t stride; /* one position of so many is probed; 0: all */
	struct solved *solved;
};

static struct el_table_options form(enum el_derive derive)
{
	struct el_table_options o = el_table_options_default();
	o.derive = derive;
	return o;
}

static void build(const char *directory, const struct trial *t, const struct el_metric *metric,
                  enum el_derive derive)
{
	const struct el_metric *const metrics[] = {metric, NULL};
	const struct el_build_options options = {.table = form(derive)};
	const struct el_plan_wish wish = {
		.slices = t->slice,
		.count = t->count,
		.metrics = metrics,
		.derive = derive,
	};
	struct el_library *library = fixture_library(directory, NULL);
	struct el_plan plan;
	struct el_error error = {.text = ""};
	assert_int_equal(el_plan_wished(library, &wish, &plan, &error), EL_OK);
	if (el_build(library, &plan, &options, NULL, &error))
		fail_msg("%s %s: %s", metric->name, el_derive_name(derive), error.text);
	el_plan_free(&plan);
	el_library_close(library);
}

static bool is_any_late(const struct el_planes *planes)
{
	bool late = false;
	for (unsigned p = 0; p < planes->slice.planes; p++)
		for (uint64_t i = 0; i < planes->slice.positions; i++) {
			const unsigned o = el_plane_value(&planes->plane[p], i).outcome;
			late |= o == EL_CURSED_WIN || o == EL_BLESSED_LOSS;
		}
	return late;
}

/* The value that a move leads to, under the metric that the move counts in. */
static struct el_value value_behind(const struct trial *t, const struct el_planes *planes,
                                    const struct el_position *to, bool ends)
{
	const struct el_game *game = planes->slice.game;
	const struct el_metric *entered = el_metric_entered(planes->metric);
	struct el_slice successors[EL_SUCCESSORS_MAX];
	const size_t count = game->successors(&planes->slice, successors);
	struct el_place place;
	struct el_value value;
	if (game->place(to, &place) && place.key == planes->slice.key) {
		value = el_plane_value(&planes->plane[place.plane], place.index);
		return ends ? el_metric_read(planes->metric, entered, value) : value;
	}
	if (el_game_value(game, to, &value))
		return value;
	for (size_t i = 0; i < count; i++)
		if (successors[i].key == place.key)
			return el_plane_value(
				&solved_of(t->solved, &successors[i], entered)->plane[place.plane],
				place.index);
	fail_msg("%s: a move leads nowhere", planes->slice.name);
	return value;
}

/* Is each value of a side that of its best move? */
static bool is_told(const struct trial *t, const struct el_planes *planes, unsigned plane)
{
	const struct el_game *game = planes->slice.game;
	const struct el_metric *metric = planes->metric;
	bool told = true;
	for (uint64_t i = 0; i < planes->slice.positions && told; i++) {
		struct el_move moves[EL_MOVES_MAX];
		struct el_position p, to;
		struct el_place place;
		struct el_value best = {.outcome = EL_BROKEN};
		if (!game->unplace(&planes->slice, plane, i, &p))
			continue;
		const size_t count = game->moves(&p, moves);
		for (size_t m = 0; m < count; m++) {
			game->play(&p, &moves[m], &to);
			const bool leaves =
				!game->place(&to, &place) || place.key != planes->slice.key;
			const bool ends = el_move_ends(game, metric, &p, &moves[m], leaves);
			const struct el_value value = el_value_of_move(
				metric, value_behind(t, planes, &to, ends), ends, 0);
			if (!m || el_value_compare(metric, value, best) > 0)
				best = value;
		}
		told = !count || el_value_equal(best, el_plane_value(&planes->plane[plane], i));
	}
	return told;
}

/* A side is left out whenever possible, and the header says which: the one of fewer bytes is kept
   or, where some wins come too late, one that tells the other. */
static void check_header(const struct trial *t, const char *directory,
                         const struct el_planes *planes, enum el_derive derive)
{
	char path[SCRATCH_PATH + 256];
	el_table_file_name(directory, &planes->slice, planes->metric, path, sizeof path);
	struct el_table *table = fixture_open(path);
	const struct el_table_info *info = el_table_info(table);
	bool leaves = derive & EL_DERIVE_SIDE && planes->slice.planes == 2;
	if (leaves && is_any_late(planes)) {
		const unsigned told = is_told(t, planes, 0) + 2u * is_told(t, planes, 1);
		leaves = told != 0;
		assert_true(!leaves || told >> (info->options.left_out - 1) & 1);
	}
	assert_int_equal(info->options.derive,
	                 leaves ? derive : derive & ~(unsigned)EL_DERIVE_SIDE);
	for (unsigned p = 0; p < planes->slice.planes; p++)
		assert_int_equal(info->positions[p] > 0, el_table_keeps(&info->options, p));
	el_table_close(table);
}

/* Counts wrong answers under a metric that the table tells; some positions with colours swapped. */
static uint64_t wrong_probes(struct el_library *library, const struct el_planes *planes,
                             const struct el_metric *want, uint64_t stride)
{
	const struct el_slice *slice = &planes->slice;
	uint64_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
	for (uint64_t i = 0; i < slice->planes * slice->positions; i += stride) {
		const unsigned plane = (unsigned)(i / slice->positions);
		struct el_position p;
		struct el_value value = {.outcome = EL_BROKEN};
		if (!slice->game->unplace(slice, plane, i % slice->positions, &p))
			continue;
		if (i % 3 == 0)
			slice->game->swap_colours(&p, &p);
		const struct el_value expected =
			el_metric_read(planes->metric, want,
		                       el_plane_value(&planes->plane[plane], i % slice->positions));
		const enum el_status status = el_library_value(library, slice->game, &p, want,
		                                               EL_PROBE_FULL, &value, NULL);
		wrong += status != EL_OK || !el_value_equal(value, expected);
	}
	return wrong;
}

/* Counts wrong values in pieces of a table that is lent: of any size, some across the sections that moves
   are tried in. */
static uint64_t wrong_pieces(struct el_library *library, const struct el_planes *planes)
{
	enum { PIECE = 1009, MEMORY = 1 << 20 };
	const uint64_t positions = planes->slice.positions;
	struct lender *lender = lender_open(library, NULL);
	const struct el_lender lends = lender_interface(lender);
	const struct el_planes *lent;
	struct el_error error = {.text = ""};
	uint64_t wrong = 0;
	assert_int_equal(lender_limit(lender, MEMORY, &error), EL_OK);
	if (lends.lend(lends.context, &planes->slice, planes->metric, &lent, &error))
		fail_msg("%s", error.text);
	for (unsigned p = 0; p < planes->slice.planes && !lent->plane[p].symbols; p++)
		for (uint64_t first = 0; first < positions; first += PIECE) {
			const uint16_t *piece = lends.look(lends.context, lent, p, first, PIECE);
			if (!piece && lends.check(lends.context, &error))
				fail_msg("%s", error.text);
			for (uint64_t i = 0; i < PIECE && first + i < positions; i++) {
				const struct el_value value =
					el_plane_value(&planes->plane[p], first + i);
				wrong += value.outcome != EL_BROKEN &&
				         !el_value_equal(lent->plane[p].values[piece[i]],
				                         el_metric_read(planes->metric,
				                                        lent->metric, value));
			}
			lends.let_go(lends.context, lent, p, first, PIECE);
		}
	lends.give_back(lends.context, lent);
	lender_close(lender);
	return wrong;
}

static void check_slice(const struct trial *t, struct el_library *library, const char *directory,
                        const struct el_planes *planes, enum el_derive derive, uint64_t stride)
{
	uint64_t wrong = 0;
	check_header(t, directory, planes, derive);
	for (const struct el_metric *const *m = planes->slice.game->metrics; *m; m++)
		if (*m != planes->metric && el_metric_tells(planes->metric, *m))
			wrong += wrong_probes(library, planes, *m, 7 * stride);
	wrong += wrong_probes(library, planes, planes->metric, stride);
	wrong += fixture_wrong_planes(library, planes);
	wrong += wrong_pieces(library, planes);
	if (wrong)
		fail_msg("%s %s %s: %llu values are wrong", planes->slice.name,
		         planes->metric->name, el_derive_name(derive), (unsigned long long)wrong);
}

static void check_form(const struct trial *t, const struct el_metric *metric, enum el_derive derive,
                       uint64_t stride)
{
	const char *directory = fixture_path(folder, "tables");
	build(directory, t, metric, derive);
	struct el_library *library = fixture_library(directory, NULL);
	for (size_t i = 0; i < t->count; i++)
		check_slice(t, library, directory, solved_of(t->solved, &t->slice[i], metric),
		            derive, stride);
	el_library_close(library);
	fixture_remove(directory);
}

/* ---- all of them ---- */

/* Slices of fewer than `most` pieces, and of `most` if TRUTH asks for all; else the named ones. */
static void list_slices(struct trial *t, unsigned least, unsigned most)
{
	const char *asked = getenv("TRUTH") ? getenv("TRUTH") : "";
	for (unsigned n = least; n <= most; n++)
		if (n < most || !strcmp(asked, "all"))
			t->count += t->game->slices(n, t->slice + t->count, SLICES - t->count);
	assert_true(t->count < SLICES);
	char *words = strdup(strcmp(asked, "all") ? asked : "");
	assert_non_null(words);
	for (char *word = strtok(words, " "); word && t->count < SLICES; word = strtok(NULL, " ")) {
		struct el_slice *slice = &t->slice[t->count];
		t->count += !el_slice_parse(word, slice, NULL) && slice->game == t->game;
	}
	free(words);
}

static void check_all(struct trial *t, const struct el_metric *const *metrics)
{
	for (; *metrics; metrics++) {
		t->solved = solved_open();
		const bool apart = !el_outcomes_check(&t->slice[0], *metrics, NULL);
		for (unsigned i = 0; el_derive_names[i]; i++)
			if (el_derives[i] >= EL_DERIVE_SIDE &&
			    (apart || !(el_derives[i] & EL_DERIVE_OUTCOMES)))
				check_form(t, *metrics, el_derives[i],
				           (tests_are_slow() ? 31 : 1) *
				                   (t->stride ? t->stride : 1));
		solved_close(t->solved);
		printf("note: %s %s: %zu slices\n", t->game->name, (*metrics)->name, t->count);
		fflush(stdout);
	}
}

static void test_chess(void **state)
{
	(void)state;
	static const struct el_metric *const metrics[] = {
		&el_wdl,          &el_dtm,         &el_dtc,         &el_dtz, &el_wdl_rule[49],
		&el_dtz_rule[49], &el_wdl_rule[9], &el_dtz_rule[9], NULL,
	};
	static const struct el_metric *const few[] = {&el_dtm, &el_dtz_rule[9], &el_wdl, NULL};
	struct trial t = {.game = &el_chess};
	list_slices(&t, 3, 4);
	check_all(&t, tests_are_thorough() ? metrics : few);
}

/* Captures on both sides, in a few metrics. */
static void test_four_pieces(void **state)
{
	(void)state;
	const struct el_metric *const metrics[] = {&el_wdl_rule[49],
	                                           tests_are_thorough() ? &el_dtm : NULL, NULL};
	struct trial t = {.game = &el_chess, .slice = {[0] = slice_named("KQvKN")}, .count = 1};
	if (tests_are_slow() || getenv("TRUTH")) {
		puts("note: KQvKN alone is left out under sanitizers and valgrind, and where more "
		     "is asked for");
		skip();
	}
	check_all(&t, metrics);
}

/* Pawns of both sides, promotions, captures en passant, and wins that come too late, some of them kept by
   zeroing moves: outcomes left out here and in their sub-tables. */
static void test_outcomes(void **state)
{
	(void)state;
	const struct el_metric *metric = &el_dtz_rule[8];
	struct trial t = {.game = &el_chess, .slice = {[0] = slice_named("KPvKP")}, .count = 1};
	const char *directory = fixture_path(folder, "tables");
	if (tests_are_slow()) {
		puts("note: pawns of both sides are left out under sanitizers and valgrind");
		skip();
	}
	t.solved = solved_open();
	build(directory, &t, metric, EL_DERIVE_OUTCOMES);
	struct el_library *library = fixture_library(directory, NULL);
	if (tests_are_thorough())
		t.slice[t.count++] = slice_named("KQvKP");
	for (size_t i = 0; i < t.count; i++) {
		const struct el_planes *planes = solved_of(t.solved, &t.slice[i], metric);
		assert_true(is_any_late(planes));
		assert_int_equal(wrong_probes(library, planes, metric, 31), 0);
		assert_int_equal(fixture_wrong_planes(library, planes), 0);
		assert_int_equal(wrong_pieces(library, planes), 0);
	}
	el_library_close(library);
	solved_close(t.solved);
	fixture_remove(directory);
}

static void test_draughts(void **state)
{
	(void)state;
	static const struct el_metric *const metrics[] = {&el_wdl, &el_dtw, &el_dtc, NULL};
	struct trial t = {.game = &el_checkers};
	list_slices(&t, 2, 4);
	check_all(&t, metrics);
}

/* In morris every mill is a capture, and three men have many moves: a share of the positions. */
static void test_morris(void **state)
{
	(void)state;
	static const struct el_metric *const metrics[] = {&el_dtw, &el_wdl, &el_dtc, NULL};
	static const struct el_metric *const few[] = {&el_dtw, NULL};
	struct trial t = {.game = &el_morris, .stride = 29};
	if (!getenv("TRUTH") && !tests_are_slow())
		t.slice[t.count++] = slice_named("morris:4v3");
	list_slices(&t, 3, 4);
	check_all(&t, getenv("TRUTH") ? metrics : few);
}

/* ---- one table ---- */

static struct el_library *library_of(const char *slice, const struct el_metric *metric,
                                     enum el_derive derive)
{
	struct trial t = {.game = &el_chess, .slice = {[0] = slice_named(slice)}, .count = 1};
	build(folder, &t, metric, derive);
	return fixture_library(folder, NULL);
}

/* Both recode to each other, byte for byte as a build writes them. */
static void test_recode(void **state)
{
	(void)state;
	const char *slice = "KPvK";
	char path[SCRATCH_PATH + 256];
	struct el_error error = {.text = ""};
	for (unsigned derive = 0; el_derive_names[derive]; derive++) {
		struct el_library *library = library_of(slice, &el_dtz, el_derives[derive]);
		const struct el_slice s = slice_named(slice);
		el_table_file_name(folder, &s, &el_dtz, path, sizeof path);
		const char *built = fixture_path(folder, el_derive_names[derive]);
		assert_int_equal(rename(path, built), 0);
		for (unsigned from = 0; from <= derive; from++)
			for (unsigned to = from < derive ? derive : 0; to <= derive; to++) {
				const struct el_table_options o = form(el_derives[to]);
				const char *as = fixture_path(folder, "again");
				struct el_recoded out;
				if (el_recode(library, fixture_path(folder, el_derive_names[from]),
				              as, &o, NULL, &out, &error))
					fail_msg("%s", error.text);
				assert_int_equal(out.options.derive, el_derives[to]);
				fixture_same_files(as, fixture_path(folder, el_derive_names[to]));
			}
		el_library_close(library);
	}
}

/* Probing a position of the other side needs all of its moves, and a soft probe needs them in
   memory. */
static void test_soft(void **state)
{
	(void)state;
	struct el_library *library = library_of("KRvK", &el_dtm, EL_DERIVE_SIDE);
	struct el_position p[2];
	struct el_value soft, full;
	struct el_error error;
	fixture_parse("8/8/8/3k4/8/8/1R6/K7 w - - 0 1", &p[0]);
	fixture_parse("8/8/8/3k4/8/8/1R6/K7 b - - 0 1", &p[1]);
	for (unsigned i = 0; i < 4; i++) {
		const enum el_status status = el_library_value(
			library, &el_chess, &p[i % 2], &el_dtm, EL_PROBE_SOFT, &soft, &error);
		assert_int_equal(status, i < 2 ? EL_NEGATIVE : EL_OK);
		if (status)
			assert_string_equal(error.text,
			                    "KRvK dtm: this position's block is not in memory");
		if (i == 1)
			for (unsigned k = 0; k < 2; k++)
				assert_int_equal(el_library_value(library, &el_chess, &p[k],
				                                  &el_dtm, EL_PROBE_FULL, &full,
				                                  NULL),
				                 EL_OK);
	}
	assert_true(el_value_equal(soft, full));
	el_library_forget(library, NULL);
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(el_library_value(library, &el_chess, &p[i], &el_dtm, EL_PROBE_SOFT,
		                                  &soft, NULL),
		                 EL_NEGATIVE);
	el_library_close(library);
}

/* Without a table that some moves lead to: probes and proofs name it, and nothing is left out. */
static void test_missing(void **state)
{
	(void)state;
	struct el_library *library = library_of("KPvK", &el_dtm, EL_DERIVE_SIDE);
	const struct el_slice pawn = slice_named("KPvK");
	struct el_planes planes = fixture_stored(library, "KPvK", &el_dtm), none;
	const struct el_table_options o = form(EL_DERIVE_SIDE);
	struct el_recoded out;
	struct el_error error = {.text = ""};
	uint64_t known = 0, missing = 0;
	assert_int_equal(remove(fixture_path(folder, "KRvK.dtm.egt")), 0);
	assert_int_equal(el_library_rescan(library, NULL), EL_OK);
	for (uint64_t i = 0; i < 2 * pawn.positions; i++) {
		const unsigned plane = (unsigned)(i / pawn.positions);
		struct el_position p;
		struct el_value value;
		if (!el_chess.unplace(&pawn, plane, i % pawn.positions, &p))
			continue;
		const enum el_status status = el_library_value(library, &el_chess, &p, &el_dtm,
		                                               EL_PROBE_FULL, &value, &error);
		if (status) {
			assert_int_equal(status, EL_NEGATIVE);
			assert_string_equal(error.text, "no table covers KRvK");
		} else {
			assert_true(el_value_equal(
				value, el_plane_value(&planes.plane[plane], i % pawn.positions)));
		}
		missing += status != EL_OK;
		known += !status;
	}
	assert_true(known > missing);
	const char *path = fixture_path(folder, "KPvK.dtm.egt");
	struct el_table *table = fixture_open(path);
	const unsigned left_out = el_table_info(table)->options.left_out - 1u;
	el_table_close(table);
	assert_int_equal(missing > 0, left_out == EL_WHITE);
	assert_int_equal(el_library_derive(library, &planes, EL_DERIVE_SIDE, NULL, &error),
	                 EL_NEGATIVE);
	assert_string_equal(error.text,
	                    "KPvK: a side to move cannot be derived without a table of KRvK "
	                    "that tells dtm");
	if (left_out == EL_WHITE) {
		assert_int_equal(el_library_planes(library, &pawn, &el_dtm, NULL, &none, &error),
		                 EL_NEGATIVE);
		assert_non_null(strstr(error.text, "KRvK"));
		assert_int_equal(
			el_recode(library, path, fixture_path(folder, "x"), &o, NULL, &out, &error),
			EL_NEGATIVE);
	}
	el_planes_free(&planes);
	el_library_close(library);
}

/* ---- slices without a side to leave out ---- */

static void test_refused(void **state)
{
	(void)state;
	static const struct {
		const char *slice;
		const struct el_metric *metric;
		const char *words;
	} tries[] = {
		{"KRvK", &el_win,
	         "cannot be derived from win, which does not tell losses from draws; "
	         "build wdl, which does"},
		{"KRvK", &el_dtr, "cannot be derived from dtr: how long a phase lasts"},
		{"KRvK", &el_dtzr, "cannot be derived from dtzr: how long a phase lasts"},
	};
	for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
		const struct el_metric *const metrics[] = {tries[i].metric, NULL};
		const struct el_build_options options = {.table = form(EL_DERIVE_SIDE)};
		const struct el_slice slice = slice_named(tries[i].slice);
		struct el_library *library = fixture_library(folder, NULL);
		struct el_planes planes = fixture_planes(tries[i].slice, tries[i].metric, 1);
		struct el_plan plan;
		struct el_error error = {.text = ""};
		assert_int_equal(el_plan_make(library, &slice, 1, metrics, &plan, NULL), EL_OK);
		assert_int_equal(el_build(library, &plan, &options, NULL, &error), EL_USAGE);
		assert_non_null(strstr(error.text, tries[i].words));
		assert_false(el_library_covers(library, &slice, tries[i].metric));
		assert_int_equal(el_table_write(fixture_path(folder, "x.egt"), &planes,
		                                &options.table, NULL, NULL, &error),
		                 EL_USAGE);
		assert_non_null(strstr(error.text, tries[i].words));
		el_plan_free(&plan);
		el_planes_free(&planes);
		el_library_close(library);
	}
}

static void test_bounds(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KRvK", &el_wdl, 1);
	const struct el_table_options o = form(EL_DERIVE_SIDE);
	struct el_error error = {.text = ""};
	const uint16_t unknown =
		el_plane_add_value(&planes.plane[1], (struct el_value){.outcome = EL_UNKNOWN});
	assert_int_equal(
		el_table_write(fixture_path(folder, "x.egt"), &planes, &o, NULL, NULL, &error),
		EL_NEGATIVE);
	assert_non_null(strstr(error.text, "KRvK: a side to move cannot be derived from bounds"));
	assert_true(unknown > 0);
	el_planes_free(&planes);
}

/* ---- proofs ---- */

/* A wrong value in the kept side is found where it is. */
static void test_verify(void **state)
{
	(void)state;
	struct el_library *library = library_of("KRvK", &el_dtm, EL_DERIVE_SIDE);
	struct el_planes planes = fixture_stored(library, "KRvK", &el_dtm);
	const char *path = fixture_path(folder, "KRvK.dtm.egt");
	const struct el_table_options o = form(EL_DERIVE_SIDE);
	struct el_table *table = fixture_open(path);
	const unsigned kept = el_table_keeps(&el_table_info(table)->options, 1);
	el_table_close(table);
	assert_int_equal(fixture_verdict(library, &planes).wrong, 0);
	struct el_plane *plane = &planes.plane[kept];
	uint64_t at = planes.slice.positions / 2;
	while (el_plane_value(plane, at).plies < 12)
		at++;
	const struct el_value right = el_plane_value(plane, at);
	uint16_t wrong = 1;
	while (plane->values[wrong].outcome != right.outcome ||
	       plane->values[wrong].plies != right.plies - 4)
		wrong++;
	plane->symbols[at] = wrong;
	fixture_write(path, &planes, &o);
	el_planes_free(&planes);
	assert_int_equal(el_library_rescan(library, NULL), EL_OK);
	planes = fixture_stored(library, "KRvK", &el_dtm);
	const struct el_verdict verdict = fixture_verdict(library, &planes);
	assert_true(verdict.wrong > 0);
	el_planes_free(&planes);
	el_library_close(library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_chess),    IN_FOLDER(test_four_pieces), IN_FOLDER(test_draughts),
		IN_FOLDER(test_outcomes), IN_FOLDER(test_morris),      IN_FOLDER(test_recode),
		IN_FOLDER(test_soft),     IN_FOLDER(test_missing),     IN_FOLDER(test_refused),
		IN_FOLDER(test_bounds),   IN_FOLDER(test_verify),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
