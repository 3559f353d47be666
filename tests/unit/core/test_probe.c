/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library's answers: values, ranked moves and lines, with and without tables. */
#include "core/builder/build.h"
#include "core/probe/inside.h"
#include "core/whole/whole.h"
#include "tests/fixtures/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static const struct el_question by_dtm = {.metric = &el_dtm};

static struct el_value value_at(struct el_library *library, const struct el_game *game,
                                const struct el_position *position, const struct el_metric *metric)
{
	struct el_value value;
	struct el_error error = {.text = ""};
	enum el_status status =
		el_library_value(library, game, position, metric, EL_PROBE_FULL, &value, &error);
	if (status)
		print_error("%s\n", error.text);
	assert_int_equal(status, EL_OK);
	return value;
}

static struct el_value value_of(struct el_library *library, const char *fen,
                                const struct el_metric *metric)
{
	struct el_position position;
	const struct el_game *game = fixture_parse(fen, &position);
	return value_at(library, game, &position, metric);
}

static void expect_no_value(struct el_library *library, const char *fen,
                            const struct el_metric *metric, const char *words)
{
	struct el_position position;
	const struct el_game *game = fixture_parse(fen, &position);
	struct el_value value;
	struct el_error error = {.text = ""};
	assert_int_equal(
		el_library_value(library, game, &position, metric, EL_PROBE_FULL, &value, &error),
		EL_NEGATIVE);
	assert_string_equal(error.text, words);
}

/* ---- values ---- */

/* Counts positions of a plane for which the library differs from the planes. */
static unsigned count_wrong(struct el_library *library, const struct el_planes *planes,
                            unsigned side, const struct el_metric *metric)
{
	const struct el_slice *slice = &planes->slice;
	unsigned wrong = 0;
	for (uint64_t i = 0; i < slice->positions; i++) {
		struct el_position p, swapped;
		if (!slice->game->unplace(slice, side, i, &p))
			continue;
		slice->game->swap_colours(&p, &swapped);
		struct el_value a = {.outcome = EL_UNKNOWN}, b = a, expected;
		expected = el_plane_value(&planes->plane[side], i);
		expected.plies = metric->has_depth ? expected.plies : 0;
		el_library_value(library, slice->game, &p, metric, EL_PROBE_FULL, &a, NULL);
		el_library_value(library, slice->game, &swapped, metric, EL_PROBE_SOFT, &b, NULL);
		wrong += !el_value_equal(a, expected) || !el_value_equal(b, expected);
	}
	return wrong;
}

static void test_all_values(void **state)
{
	(void)state;
	struct el_planes planes = fixture_table(fixture_path(folder, "q.egt"), "KQvK", &el_dtm, 1);
	struct el_library *library = fixture_library(folder, NULL);
	for (unsigned side = 0; side < 2; side++) {
		assert_int_equal(count_wrong(library, &planes, side, &el_dtm), 0);
		assert_int_equal(count_wrong(library, &planes, side, &el_wdl), 0);
	}
	el_library_close(library);
	el_planes_free(&planes);
}

static void test_soft_probe(void **state)
{
	(void)state;
	fixture_table_only(fixture_path(folder, "q.egt"), "KQvK", &el_dtm);
	struct el_library *library = fixture_library(folder, NULL);
	struct el_position position;
	const struct el_game *game = fixture_parse("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", &position);
	struct el_value soft, full;
	struct el_error error;
	assert_int_equal(
		el_library_value(library, game, &position, &el_dtm, EL_PROBE_SOFT, &soft, &error),
		EL_NEGATIVE);
	assert_non_null(strstr(error.text, "not in memory"));
	assert_int_equal(
		el_library_value(library, game, &position, &el_dtm, EL_PROBE_FULL, &full, NULL),
		EL_OK);
	assert_int_equal(
		el_library_value(library, game, &position, &el_dtm, EL_PROBE_SOFT, &soft, NULL),
		EL_OK);
	assert_true(el_value_equal(soft, full));
	struct el_cache_counters counters;
	el_library_counters(library, &counters);
	assert_int_equal(counters.hits, 1);
	assert_int_equal(counters.misses, 2);
	el_library_close(library);
}

static void test_without_tables(void **state)
{
	(void)state;
	fixture_table_only(fixture_path(folder, "r.egt"), "KRvK", &el_wdl);
	struct el_library *library = fixture_library(folder, NULL);
	struct el_value draw = value_of(library, "8/8/8/3k4/8/8/8/K7 b - - 0 1", &el_dtm);
	assert_int_equal(draw.outcome, EL_DRAW);
	struct el_value mated = value_of(
		library, "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w - - 1 3", &el_dtm);
	assert_int_equal(mated.outcome, EL_LOSS);
	assert_int_equal(mated.plies, 0);
	/* No side can win with a bishop, nor with bishops of one colour. */
	draw = value_of(library, "8/8/8/3k4/8/8/8/KB6 w - - 0 1", &el_dtm);
	assert_int_equal(draw.outcome, EL_DRAW);
	draw = value_of(library, "8/8/8/3kb3/8/8/3B4/1K6 w - - 0 1", &el_wdl);
	assert_int_equal(draw.outcome, EL_DRAW);
	expect_no_value(library, "8/8/8/3k4/8/8/8/KNN5 w - - 0 1", &el_wdl,
	                "no table covers KNNvK");
	expect_no_value(library, "8/8/8/3k4/8/8/8/KR6 w - - 0 1", &el_dtm,
	                "no dtm table covers KRvK");
	value_of(library, "8/8/8/3k4/8/8/8/KR6 w - - 0 1", &el_wdl);
	el_library_close(library);
}

/* ---- captures that tables leave out ---- */

/* A source that gives every position the same value. */
struct oracle {
	struct el_source head;
	struct el_value value;
};

static enum el_status oracle_probe(struct el_source *source, const struct el_position *position,
                                   const struct el_place *place, bool soft, struct el_value *value,
                                   struct el_error *error)
{
	(void)place, (void)soft, (void)error;
	assert_int_equal(position->en_passant, EL_NO_SQUARE);
	*value = ((struct oracle *)source)->value;
	return EL_OK;
}

static const struct el_source_ops oracle_ops = {.kind = "oracle", .probe = oracle_probe};

/* A catalogue of two oracles, for a slice and for the one that a capture enters; their metric is
   dtm unless given. */
static struct el_value consult_under(const struct el_metric *metric, const char *fen,
                                     struct oracle oracles[2], const char *const names[2])
{
	struct route routes[8] = {0};
	struct holding holdings[2] = {0};
	const struct catalogue catalogue = {.routes = routes, .mask = 7};
	struct el_position position;
	struct spot spot;
	const struct el_game *game = fixture_parse(fen, &position);
	spot_at(game, &position, &spot);
	for (unsigned i = 0; i < 2; i++) {
		struct el_slice slice;
		assert_int_equal(el_slice_parse(names[i], &slice, NULL), EL_OK);
		size_t at = catalogue_hash(slice.key) & 7;
		at += routes[at].game != NULL;
		assert_true(at < 8);
		if (!oracles[i].head.metric)
			oracles[i].head.metric = &el_dtm;
		holdings[i].source = &oracles[i].head;
		holdings[i].metric = oracles[i].head.metric;
		routes[at] = (struct route){.game = game, .key = slice.key, .tables = &holdings[i]};
	}
	const struct probe probe = {.catalogue = &catalogue, .game = game, .metric = metric};
	struct el_value value = {.outcome = EL_UNKNOWN};
	assert_int_equal(probe_value(&probe, &spot, &value, NULL), EL_OK);
	return value;
}

static struct el_value consult(const char *fen, struct oracle oracles[2],
                               const char *const names[2])
{
	return consult_under(&el_dtm, fen, oracles, names);
}

static void check_value(struct el_value value, enum el_outcome outcome, unsigned plies)
{
	assert_int_equal(value.outcome, outcome);
	assert_int_equal(value.plies, plies);
}

static void test_en_passant(void **state)
{
	(void)state;
	static const char *const names[] = {"KPvKP", "KPvK"};
	const char *fen = "8/8/8/3pP3/8/8/8/K6k w - d6 0 1";
	struct oracle table = {{.ops = &oracle_ops}, {.outcome = EL_DRAW}};
	struct oracle after = {{.ops = &oracle_ops}, {.outcome = EL_LOSS, .plies = 20}};
	check_value(consult(fen, (struct oracle[]){table, after}, names), EL_WIN, 21);
	after.value = (struct el_value){.outcome = EL_WIN, .plies = 19};
	check_value(consult(fen, (struct oracle[]){table, after}, names), EL_DRAW, 0);
	table.value = (struct el_value){.outcome = EL_LOSS, .plies = 10};
	check_value(consult(fen, (struct oracle[]){table, after}, names), EL_LOSS, 20);
	after.value = (struct el_value){.outcome = EL_WIN, .plies = 7};
	check_value(consult(fen, (struct oracle[]){table, after}, names), EL_LOSS, 10);
}

/* The slice that the capture enters supplies what the metric needs, and the capture counts as one
   ply or as a limit. A shorter phase is no better under a greater limit, so the least limit
   decides. */
static void test_en_passant_under_rules(void **state)
{
	(void)state;
	static const char *const names[] = {"KPvKP", "KPvK"};
	const char *fen = "8/8/8/3pP3/8/8/8/K6k w - d6 0 1";
	struct oracle table = {{.ops = &oracle_ops, .metric = el_metric_find("dtz20")},
	                       {.outcome = EL_CURSED_WIN, .plies = 7}};
	struct oracle after = {{.ops = &oracle_ops, .metric = el_metric_find("wdl20")},
	                       {.outcome = EL_BLESSED_LOSS}};
	const struct el_metric *dtz20 = table.head.metric, *wdl20 = after.head.metric;
	check_value(consult_under(dtz20, fen, (struct oracle[]){table, after}, names),
	            EL_CURSED_WIN, 1);
	check_value(consult_under(&el_wdl, fen, (struct oracle[]){table, after}, names), EL_WIN, 0);
	after.value.outcome = EL_LOSS;
	check_value(consult_under(dtz20, fen, (struct oracle[]){table, after}, names), EL_WIN, 1);
	check_value(consult_under(wdl20, fen, (struct oracle[]){table, after}, names), EL_WIN, 0);
	check_value(consult_under(&el_win, fen, (struct oracle[]){table, after}, names), EL_WIN, 0);
	after.value.outcome = EL_WIN;
	table.value = (struct el_value){.outcome = EL_LOSS, .plies = 30};
	check_value(consult_under(dtz20, fen, (struct oracle[]){table, after}, names), EL_LOSS, 30);
	check_value(consult_under(&el_win, fen, (struct oracle[]){table, after}, names),
	            EL_AT_MOST_DRAW, 0);

	table.head.metric = after.head.metric = &el_dtr;
	table.value = (struct el_value){.outcome = EL_WIN, .plies = 20, .phase = 9};
	after.value = (struct el_value){.outcome = EL_LOSS, .plies = 30, .phase = 30};
	struct el_value dtr = consult_under(&el_dtr, fen, (struct oracle[]){table, after}, names);
	check_value(dtr, EL_WIN, 20);
	assert_int_equal(dtr.phase, 9);
	check_value(consult_under(&el_dtzr, fen, (struct oracle[]){table, after}, names), EL_WIN,
	            9);
	after.value.plies = 12;
	dtr = consult_under(&el_dtr, fen, (struct oracle[]){table, after}, names);
	check_value(dtr, EL_WIN, 12);
	assert_int_equal(dtr.phase, 1);
	check_value(consult_under(&el_dtzr, fen, (struct oracle[]){table, after}, names), EL_WIN,
	            1);
	check_value(consult_under(dtz20, "8/8/8/8/8/8/8/K6k w - - 0 1",
	                          (struct oracle[]){table, after}, names),
	            EL_DRAW, 0);
}

/* The end of the game has a value under each metric, with or without a table. */
static void test_ends_under_metrics(void **state)
{
	(void)state;
	static const char *const names[] = {"KPvKP", "KPvK"};
	struct oracle none = {{.ops = &oracle_ops}, {.outcome = EL_DRAW}};
	const char *mate = "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1",
		   *stale = "k7/2Q5/1K6/8/8/8/8/8 b - - 0 1";
	for (size_t m = 0; el_metrics[m]; m++) {
		if (!el_game_has(&el_chess, el_metrics[m]))
			continue;
		const bool wins = el_metrics[m] == &el_win;
		check_value(
			consult_under(el_metrics[m], mate, (struct oracle[]){none, none}, names),
			wins ? EL_AT_MOST_DRAW : EL_LOSS, 0);
		check_value(
			consult_under(el_metrics[m], stale, (struct oracle[]){none, none}, names),
			wins ? EL_AT_MOST_DRAW : EL_DRAW, 0);
	}
}

/* Without the right this is stalemate; with it, the capture is forced. */
static void test_en_passant_is_the_only_move(void **state)
{
	(void)state;
	static const char *const names[] = {"KQPvKP", "KQvKP"};
	const char *fen = "8/8/4k3/3pP3/8/1q6/8/K7 w - d6 0 1";
	struct oracle table = {{.ops = &oracle_ops}, {.outcome = EL_DRAW}};
	struct oracle after = {{.ops = &oracle_ops}, {.outcome = EL_WIN, .plies = 13}};
	check_value(consult(fen, (struct oracle[]){table, after}, names), EL_LOSS, 14);
}

static void test_source_without_captures(void **state)
{
	(void)state;
	static const char *const names[] = {"KQvKR", "KQvK"};
	const char *capture = "8/8/8/8/8/3r4/3Q4/K6k w - - 0 1";
	const char *none = "8/8/8/8/4r3/8/2Q5/K6k w - - 0 1";
	struct oracle table = {
		{.ops = &oracle_ops, .beside = {EL_BESIDE_CAPTURES, EL_BESIDE_CAPTURES}},
		{.outcome = EL_DRAW}};
	struct oracle after = {{.ops = &oracle_ops}, {.outcome = EL_LOSS, .plies = 8}};
	check_value(consult(capture, (struct oracle[]){table, after}, names), EL_WIN, 9);
	table.value = (struct el_value){.outcome = EL_WIN, .plies = 5};
	check_value(consult(capture, (struct oracle[]){table, after}, names), EL_WIN, 5);
	table.value = (struct el_value){.outcome = EL_DRAW};
	table.head.beside[0] = table.head.beside[1] = EL_BESIDE_NONE;
	check_value(consult(capture, (struct oracle[]){table, after}, names), EL_DRAW, 0);
	table.head.beside[0] = table.head.beside[1] = EL_BESIDE_CAPTURES;
	check_value(consult(none, (struct oracle[]){table, after}, names), EL_WIN, 9);
}

/* ---- answers ---- */

/* A move's value from the planes alone. */
static struct el_value derive(const struct el_planes *planes, const struct el_position *position,
                              const struct el_move *move)
{
	struct el_position after;
	struct el_place place;
	const struct el_game *game = planes->slice.game;
	game->play(position, move, &after);
	if (game->drawn(&after))
		return (struct el_value){.outcome = EL_DRAW};
	assert_true(game->place(&after, &place));
	assert_true(place.key == planes->slice.key);
	struct el_value v = el_plane_value(&planes->plane[place.plane], place.index);
	v.outcome = (uint8_t)el_outcome_negate(v.outcome);
	v.plies = v.outcome == EL_DRAW ? 0 : (uint16_t)(v.plies + 1);
	return v;
}

static void check_answer(const struct el_answer *answer, const struct el_planes *planes)
{
	size_t dtm = el_metric_rank(&el_dtm), wdl = el_metric_rank(&el_wdl);
	struct el_move moves[EL_MOVES_MAX];
	assert_int_equal(answer->count, answer->game->moves(&answer->position, moves));
	for (size_t i = 0; i < answer->count; i++) {
		const struct el_ranked *r = &answer->moves[i];
		struct el_value expected = derive(planes, &answer->position, &r->move);
		assert_true(el_value_equal(r->value[dtm], expected));
		assert_int_equal(r->value[wdl].outcome, expected.outcome);
		assert_int_equal(r->value[wdl].plies, 0);
		char san[EL_MOVE_MAX];
		answer->game->write_move(&answer->position, &r->move, EL_SAN, san);
		assert_string_equal(r->san, san);
		if (i == 0)
			continue;
		int order = el_value_compare(&el_dtm, r[-1].value[dtm], r->value[dtm]);
		assert_true(order > 0 || (order == 0 && strcmp(r[-1].san, r->san) < 0));
	}
}

static void test_answers(void **state)
{
	(void)state;
	struct el_planes planes = fixture_table(fixture_path(folder, "q.egt"), "KQvK", &el_dtm, 2);
	struct el_library *library = fixture_library(folder, NULL);
	struct el_answer *answer = malloc(sizeof *answer);
	for (uint64_t i = 0; i < planes.slice.positions; i += 97)
		for (unsigned side = 0; side < 2; side++) {
			struct el_position p;
			if (!planes.slice.game->unplace(&planes.slice, side, i, &p))
				continue;
			assert_int_equal(el_library_answer(library, planes.slice.game, &p, NULL,
			                                   answer, NULL),
			                 EL_OK);
			assert_ptr_equal(answer->metric, &el_dtm);
			assert_true(answer->has_slice);
			assert_string_equal(answer->slice.name, "KQvK");
			assert_true(el_value_equal(answer->value[el_metric_rank(&el_dtm)],
			                           el_plane_value(&planes.plane[side], i)));
			check_answer(answer, &planes);
		}
	free(answer);
	el_library_close(library);
	el_planes_free(&planes);
}

static void ask(struct el_library *library, const char *fen, struct el_answer *out)
{
	struct el_position position;
	const struct el_game *game = fixture_parse(fen, &position);
	assert_int_equal(el_library_answer(library, game, &position, NULL, out, NULL), EL_OK);
}

static void expect_looked_in(const char *why, const char *what)
{
	char text[1024];
	snprintf(text, sizeof text, "%s; looked in %s", what, folder);
	assert_string_equal(why, text);
}

static void test_answers_without_tables(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	struct el_answer *a = malloc(sizeof *a);
	ask(library, "8/8/8/3k4/8/8/8/KNN5 w - - 0 1", a);
	assert_null(a->metric);
	assert_null(a->source.metric);
	assert_string_equal(a->source.file, "");
	expect_looked_in(a->why_unknown, "KNNvK is not built");
	assert_true(!a->from_moves);
	assert_true(a->count > 0 && !a->over && !a->in_check);
	assert_int_equal(a->value[0].outcome, EL_UNKNOWN);
	ask(library, "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w - - 1 3", a);
	assert_true(a->over && a->in_check && !a->has_slice);
	assert_int_equal(a->value[el_metric_rank(&el_dtm)].outcome, EL_LOSS);
	/* The mating move comes first, although nothing is known of the others. */
	ask(library, "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b - - 0 2", a);
	assert_string_equal(a->moves[0].san, "Qh4#");
	check_value(a->moves[0].value[el_metric_rank(&el_dtm)], EL_WIN, 1);
	assert_true(a->from_moves);
	check_value(a->value[el_metric_rank(&el_dtm)], EL_WIN, 1);
	assert_string_equal(a->why_unknown, "");
	/* So does the capture that leaves bare kings, ahead of unknown moves. */
	ask(library, "8/8/8/8/3k4/8/8/Kr6 w - - 0 1", a);
	assert_string_equal(a->moves[0].san, "Kxb1");
	assert_int_equal(a->value[el_metric_rank(&el_wdl)].outcome, EL_AT_LEAST_DRAW);
	expect_looked_in(a->why_unknown, "KRvK is not built");
	free(a);
	el_library_close(library);
}

/* ---- lines, in solved tables ---- */

static const struct el_metric *const dtm[] = {&el_dtm, NULL};

/* Plays the line; it must be as long as the table says and end in mate. */
static void check_mate(struct el_library *library, const struct el_game *game,
                       struct el_position position, unsigned plies)
{
	struct el_move moves[64];
	size_t count;
	assert_int_equal(fixture_line(library, game, &position, &by_dtm, moves, 64, &count, NULL),
	                 EL_OK);
	assert_int_equal(count, plies);
	for (size_t i = 0; i < count; i++) {
		struct el_position next;
		struct el_value value;
		game->play(&position, &moves[i], &next);
		position = next;
		assert_int_equal(el_library_value(library, game, &position, &el_dtm, EL_PROBE_FULL,
		                                  &value, NULL),
		                 EL_OK);
		assert_int_equal(value.plies, plies - i - 1);
	}
	assert_int_equal(game->moves(&position, moves), 0);
	assert_true(game->in_check(&position));
}

/* The longest wins of KRvK are known: 16 moves. */
static void test_lines(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	assert_int_equal(fixture_build(library, "KRvK", dtm), EL_OK);
	struct el_slice slice;
	struct el_planes planes;
	unsigned longest = 0;
	assert_int_equal(el_slice_parse("KRvK", &slice, NULL), EL_OK);
	assert_int_equal(el_library_planes(library, &slice, &el_dtm, NULL, &planes, NULL), EL_OK);
	for (uint64_t i = 0; i < slice.positions; i++) {
		struct el_position p;
		struct el_value v = el_plane_value(&planes.plane[0], i);
		if (!slice.game->unplace(&slice, 0, i, &p) || v.outcome != EL_WIN)
			continue;
		longest = v.plies > longest ? v.plies : longest;
		if (i % 101 == 0 || v.plies == 31)
			check_mate(library, slice.game, p, v.plies);
	}
	assert_int_equal(longest, 2 * 16 - 1);
	el_planes_free(&planes);
	el_library_close(library);
}

static void test_lines_end(void **state)
{
	(void)state;
	struct el_library *library = fixture_library(folder, NULL);
	assert_int_equal(fixture_build(library, "KBvK", dtm), EL_OK);
	struct el_move moves[200];
	struct el_position position;
	struct el_error error;
	size_t count;
	const struct el_game *game = fixture_parse("8/8/8/3k4/8/8/8/KB6 w - - 0 1", &position);
	assert_int_equal(
		fixture_line(library, game, &position, &by_dtm, moves, 200, &count, &error), EL_OK);
	assert_true(count > 0 && count < 200); /* a repeated position */
	assert_int_equal(fixture_line(library, game, &position, &by_dtm, moves, 1, &count, &error),
	                 EL_OK);
	assert_int_equal(count, 1);
	fixture_parse("8/8/8/3k4/8/8/8/KNN5 w - - 0 1", &position);
	assert_int_equal(fixture_line(library, game, &position, &by_dtm, moves, 9, &count, &error),
	                 EL_NEGATIVE);
	expect_looked_in(error.text, "KNNvK is not built");
	assert_int_equal(count, 0);
	el_library_close(library);
}

/* ---- damage ---- */

static void test_damaged_block(void **state)
{
	(void)state;
	const char *path = fixture_path(folder, "q.egt");
	fixture_table_only(path, "KQvK", &el_dtm);
	size_t size;
	uint8_t *bytes = fixture_read_file(path, &size);
	bytes[size / 2] ^= 1;
	fixture_write_file(path, bytes, size);
	free(bytes);
	struct el_library *library = fixture_library(folder, NULL);
	struct el_answer *answer = malloc(sizeof *answer);
	struct el_slice slice;
	assert_int_equal(el_slice_parse("KQvK", &slice, NULL), EL_OK);
	unsigned damaged = 0, good = 0;
	for (uint64_t i = 0; i < slice.positions; i += 41) {
		struct el_position p;
		struct el_error error = {.text = ""};
		if (!slice.game->unplace(&slice, 0, i, &p))
			continue;
		enum el_status status =
			el_library_answer(library, slice.game, &p, NULL, answer, &error);
		assert_true(answer->count > 0);
		damaged += status == EL_DAMAGED;
		good += status == EL_OK;
		if (status)
			assert_non_null(strstr(error.text, "q.egt: block"));
	}
	assert_true(damaged > 0);
	assert_true(good > 0);
	free(answer);
	el_library_close(library);
}

/* Every value of KQvK: what the answer lacks is the damaged depth alone. Returns how often it does. */
static unsigned expect_all_but_dtm(struct el_library *library, const struct el_planes *mates,
                                   const struct el_planes *zeroings, unsigned only)
{
	struct el_faults *faults = el_faults_open();
	const struct el_question question = {.only = only, .faults = faults};
	struct el_answer *answer = malloc(sizeof *answer);
	const struct el_slice *slice = &mates->slice;
	struct el_error error;
	unsigned lacks = 0;
	for (uint64_t i = 0; i < slice->positions; i += 41) {
		struct el_position p;
		if (!slice->game->unplace(slice, 0, i, &p))
			continue;
		const enum el_status status =
			el_library_answer(library, slice->game, &p, &question, answer, &error);
		const struct el_value zeroing = answer->value[el_metric_rank(&el_dtz)];
		const struct el_value mate = answer->value[el_metric_rank(&el_dtm)];
		const struct el_value mated = el_plane_value(&mates->plane[0], i);
		assert_true(el_value_equal(zeroing, el_plane_value(&zeroings->plane[0], i)));
		assert_int_equal(answer->value[el_metric_rank(&el_wdl)].outcome, mated.outcome);
		assert_int_equal(value_at(library, slice->game, &p, &el_wdl).outcome,
		                 mated.outcome);
		if (only)
			assert_int_equal(status, EL_OK);
		if (answer->damaged >> el_metric_rank(&el_dtm) & 1) {
			assert_int_equal(status, EL_DAMAGED);
			assert_int_equal(mate.outcome, EL_UNKNOWN);
			lacks++;
		} else if (!only) {
			assert_true(el_value_equal(mate, mated));
		}
	}
	if (el_faults_next(faults, &error)) {
		assert_false(only);
		assert_int_equal(error.status, EL_DAMAGED);
		assert_non_null(strstr(error.text, "/KQvK.dtm.egt: "));
		assert_non_null(strstr(error.text, "expected"));
		assert_non_null(strstr(error.text, "found"));
	} else {
		assert_true(only || !lacks);
	}
	assert_false(el_faults_next(faults, &error)); /* each table once */
	el_faults_close(faults);
	free(answer);
	return lacks;
}

static void test_damage_costs_its_own_values(void **state)
{
	static const struct el_metric *const metrics[] = {&el_dtm, &el_dtz, NULL};
	const struct el_question by_dtz = {.metric = &el_dtz};
	struct el_position p;
	struct el_move moves[64];
	size_t size, count;
	(void)state;
	fixture_build_in(folder, "KQvK", metrics);
	struct el_library *library = fixture_library(folder, NULL);
	struct el_planes mates = fixture_stored(library, "KQvK", &el_dtm);
	struct el_planes zeroings = fixture_stored(library, "KQvK", &el_dtz);
	el_library_close(library);
	const char *path = fixture_path(folder, "KQvK.dtm.egt");
	uint8_t *bytes = fixture_read_file(path, &size);
	mkdir(fixture_path(folder, "copy"), 0700);
	fixture_write_file(fixture_path(folder, "copy/KQvK.dtm.egt"), bytes, size);
	bytes[size / 4] ^= 1; /* a block of White's */
	const struct el_game *game = fixture_parse("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", &p);
	for (unsigned cut = 0; cut < 2; cut++) { /* found late, and at opening */
		fixture_write_file(path, bytes, cut ? 300 : size);
		library = fixture_library(folder, NULL);
		assert_true(expect_all_but_dtm(library, &mates, &zeroings, 0) > 0);
		expect_all_but_dtm(library, &mates, &zeroings, 1u << el_metric_rank(&el_dtz));
		assert_int_equal(fixture_line(library, game, &p, &by_dtz, moves, 64, &count, NULL),
		                 EL_OK);
		assert_int_equal(count,
		                 value_of(library, "8/8/8/3k4/8/8/8/KQ6 w - - 0 1", &el_dtz).plies);
		el_library_close(library);
		/* The same table in another folder is whole. */
		library = fixture_library(folder, fixture_path(folder, "copy"));
		assert_int_equal(expect_all_but_dtm(library, &mates, &zeroings, 0), 0);
		struct el_planes again = fixture_stored(library, "KQvK", &el_dtm);
		assert_int_equal(fixture_differences(&mates, &again, 0, false), 0);
		el_planes_free(&again);
		el_library_close(library);
	}
	free(bytes);
	el_planes_free(&mates);
	el_planes_free(&zeroings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_all_values),
		IN_FOLDER(test_soft_probe),
		IN_FOLDER(test_without_tables),
		cmocka_unit_test(test_en_passant),
		cmocka_unit_test(test_en_passant_under_rules),
		cmocka_unit_test(test_ends_under_metrics),
		cmocka_unit_test(test_en_passant_is_the_only_move),
		cmocka_unit_test(test_source_without_captures),
		IN_FOLDER(test_answers),
		IN_FOLDER(test_answers_without_tables),
		IN_FOLDER(test_lines),
		IN_FOLDER(test_lines_end),
		IN_FOLDER(test_damaged_block),
		IN_FOLDER(test_damage_costs_its_own_values),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
