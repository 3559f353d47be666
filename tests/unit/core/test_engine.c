/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The facade for engines and scripts: against the library, bit by bit; nonsense; threads while
   tables come and go. */
#include "core/probe/probe.h"
#include "endlab/engine.h"
#include "tests/bench/bench.h"
#include "tests/fixtures/foreign_fixture.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct el_library *library; /* of the same tables, without the facade */

static struct el_engine *engine_open(const char *folders)
{
	struct el_error error;
	struct el_engine *engine;
	const struct el_engine_options options = {.size = sizeof options, .folders = folders};
	if (el_engine_open(&options, &engine, &error))
		fail_msg("%s", error.text);
	return engine;
}

static struct el_board board_at(const char *fen)
{
	struct el_position position;
	assert_int_equal(el_chess.parse(fen, &position, NULL), EL_OK);
	return bench_board(&position);
}

/* ---- values ---- */

/* The position of a board, for the library. */
static uint64_t wrong(struct el_engine *engine, const struct el_position *p,
                      const struct el_metric *metric)
{
	struct el_value expected, found;
	const struct el_board board = bench_board(p);
	const enum el_status status =
		el_library_value(library, &el_chess, p, metric, EL_PROBE_FULL, &expected, NULL);
	return el_engine_probe(engine, &board, metric, EL_ENGINE_MOVES, &found) != status ||
	       (!status && !el_value_equal(expected, found));
}

static void test_every_position(void **state)
{
	static const char *const names[] = {"KQvK", "KRvK", "KPvK"};
	struct el_engine *engine = engine_open(folder);
	(void)state;
	assert_int_equal(el_engine_pieces(engine), 4);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct el_slice slice;
		uint64_t bad = 0, legal = 0;
		assert_int_equal(el_slice_parse(names[i], &slice, NULL), EL_OK);
		for (unsigned plane = 0; plane < slice.planes; plane++)
			for (uint64_t index = 0; index < slice.positions; index++) {
				struct el_position p, swapped;
				if (!slice.game->unplace(&slice, plane, index, &p))
					continue;
				slice.game->swap_colours(&p, &swapped);
				bad += wrong(engine, &p, &el_dtm) +
				       wrong(engine, &swapped, el_engine_metric("wdl50"));
				legal++;
			}
		assert_true(legal > 30000);
		assert_int_equal(bad, 0);
	}
	el_engine_close(engine);
}

/* Rights to capture en passant count; with castling rights, the moves answer instead of the
   tables. */
static void test_rights(void **state)
{
	static const char *const fens[] = {
		"8/8/8/8/k1Pp4/8/8/4K3 b - c3 0 1", "8/8/8/8/k1Pp4/8/8/4K3 b - - 0 1",
		"4k3/8/8/3Pp3/8/8/8/K7 w - e6 0 1", "4k3/8/8/3Pp3/8/8/8/K7 w - - 0 1",
		"8/8/8/8/8/8/k7/4K2R w K - 0 1",    "8/8/8/8/8/8/k7/4K2R w - - 0 1",
	};
	struct el_engine *engine = engine_open(folder);
	(void)state;
	for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
		struct el_position p;
		assert_int_equal(el_chess.parse(fens[i], &p, NULL), EL_OK);
		assert_int_equal(wrong(engine, &p, &el_dtm), 0);
	}
	el_engine_close(engine);
}

static void test_soft(void **state)
{
	struct el_engine *engine = engine_open(folder);
	const struct el_board board = board_at("8/8/8/3kr3/8/8/8/1K6 w - - 0 1");
	struct el_value value;
	(void)state;
	assert_int_equal(el_engine_probe(engine, &board, &el_dtm, EL_ENGINE_SOFT, &value),
	                 EL_NEGATIVE);
	assert_int_equal(el_engine_probe(engine, &board, &el_dtm, 0, &value), EL_OK);
	assert_int_equal(value.outcome, EL_LOSS);
	assert_int_equal(el_engine_probe(engine, &board, &el_dtm, EL_ENGINE_SOFT, &value), EL_OK);
	assert_int_equal(value.outcome, EL_LOSS);
	el_engine_close(engine);
}

/* ---- nonsense ---- */

static uint64_t few_bits(uint64_t *seed)
{
	uint64_t set = 0;
	for (uint64_t n = fixture_random(seed) % 4; n; n--)
		set |= UINT64_C(1) << fixture_random(seed) % 64;
	return fixture_random(seed) % 16 ? set : fixture_random(seed);
}

/* For any bits, an answer is one for a legal position. */
static void test_nonsense(void **state)
{
	struct el_engine *engine = engine_open(folder);
	uint64_t seed = 5, answers = 0;
	(void)state;
	for (unsigned i = 0; i < 300000; i++) {
		struct el_board b = {
			.kings = few_bits(&seed),
			.queens = few_bits(&seed),
			.rooks = few_bits(&seed),
			.bishops = i % 2 ? 0 : few_bits(&seed),
			.pawns = i % 3 ? 0 : few_bits(&seed),
			.side = (uint8_t)(i % 64 ? fixture_random(&seed) % 2
		                                 : fixture_random(&seed)),
			.en_passant = (uint8_t)(i % 4 ? 0 : fixture_random(&seed)),
			.castling = (uint8_t)(i % 8 ? 0 : fixture_random(&seed)),
			.halfmove = (uint16_t)fixture_random(&seed),
		};
		const uint64_t all = b.kings | b.queens | b.rooks | b.bishops | b.pawns;
		b.white = i % 16 ? all & fixture_random(&seed) : few_bits(&seed);
		b.black = i % 16 ? all & ~b.white : few_bits(&seed);
		struct el_value value = {.outcome = EL_BROKEN};
		struct el_root_move moves[EL_ROOT_MOVES];
		size_t count;
		const enum el_status status =
			el_engine_probe(engine, &b, &el_wdl, i % 2 * EL_ENGINE_MOVES, &value);
		assert_true(status == EL_OK || status == EL_NEGATIVE || status == EL_USAGE);
		if (!status) {
			assert_int_equal(__builtin_popcountll(b.kings & b.white), 1);
			assert_int_equal(__builtin_popcountll(b.kings & b.black), 1);
			assert_int_not_equal(value.outcome, EL_BROKEN);
			answers++;
		}
		if (i % 64 == 0)
			el_engine_rank(engine, &b, NULL, moves, &count);
	}
	assert_true(answers > 0);
	el_engine_close(engine);
}

static void test_wrong_questions(void **state)
{
	struct el_engine *engine;
	struct el_error error;
	struct el_value value;
	struct el_root_move moves[EL_ROOT_MOVES];
	struct el_engine_options options = {.size = 3, .folders = folder};
	struct el_root_options root = {.size = 1};
	size_t count = 7;
	(void)state;
	assert_int_equal(el_engine_open(NULL, &engine, &error), EL_USAGE);
	assert_int_equal(el_engine_open(&options, &engine, &error), EL_USAGE);
	assert_non_null(strstr(error.text, "options of 3 bytes, expected at least"));
	options = (struct el_engine_options){.size = sizeof options};
	assert_int_equal(el_engine_open(&options, &engine, &error), EL_USAGE);
	options.folders = "/nowhere/at/all";
	assert_int_equal(el_engine_open(&options, &engine, &error), EL_NEGATIVE);
	assert_string_equal(error.text, "/nowhere/at/all: no such folder");
	assert_null(engine);
	options.folders = "/nowhere/at/all:tests/fuzz";
	assert_int_equal(el_engine_open(&options, &engine, &error), EL_OK);
	assert_int_equal(el_engine_pieces(engine), 0);
	struct el_board board = board_at("8/8/8/3k4/8/8/2Q5/1K6 w - - 0 1");
	assert_int_equal(el_engine_probe(engine, &board, &el_wdl, 0, &value), EL_NEGATIVE);
	assert_int_equal(el_engine_probe(engine, &board, NULL, 0, &value), EL_USAGE);
	assert_int_equal(el_engine_probe(engine, &board, &el_wdl, 4, &value), EL_USAGE);
	assert_int_equal(el_engine_probe(engine, &board, &el_score, 0, &value), EL_NEGATIVE);
	assert_int_equal(el_engine_rank(engine, &board, &root, moves, &count), EL_USAGE);
	assert_int_equal(count, 0);
	assert_int_equal(el_engine_rank(engine, &board, NULL, moves, &count), EL_NEGATIVE);
	assert_int_equal(count, 26);
	assert_true(moves[0].outcome == EL_UNKNOWN && moves[0].rank == -250 && moves[0].bounded);
	root = (struct el_root_options){.size = sizeof root, .rule = 300};
	assert_int_equal(el_engine_rank(engine, &board, &root, moves, &count), EL_USAGE);
	assert_null(el_engine_metric("nonsense"));
	assert_null(el_engine_metric(NULL));
	el_engine_close(engine);
	el_engine_close(NULL);
	assert_string_equal(el_version(), EL_VERSION);
}

/* Null pointers, and numbers far out of range. */
static void test_arguments(void **state)
{
	static const char fen[] = "8/8/8/3k4/8/8/2Q5/1K6 w - - 0 1";
	struct el_engine *engine = engine_open(folder), *none;
	struct el_error error;
	struct el_value value;
	struct el_text_move moves[3];
	struct el_root_move root[EL_ROOT_MOVES];
	struct el_engine_slice *slice;
	struct el_engine_table *tables;
	char name[40], text[128];
	unsigned plane;
	uint64_t index;
	size_t count;
	(void)state;
	const struct el_board board = board_at(fen);
	for (unsigned rule = 300; rule; rule *= 2) {
		assert_int_equal(el_engine_moves(engine, fen, NULL, rule, moves, &count, &error),
		                 EL_USAGE);
		assert_int_equal(count, 0);
	}
	assert_int_equal(el_engine_line(engine, fen, &el_dtm, moves, 0, &count, NULL), EL_OK);
	assert_int_equal(count, 0);
	struct el_text_move *line = calloc(EL_ROOT_MOVES, sizeof *line); /* room for any mate */
	assert_int_equal(el_engine_line(engine, fen, &el_dtm, line, SIZE_MAX, &count, NULL), EL_OK);
	assert_int_equal(el_engine_ask(engine, fen, &el_dtm, 0, &value, NULL), EL_OK);
	assert_int_equal(count, value.plies);
	free(line);
	assert_int_equal(el_engine_line(NULL, fen, &el_dtm, moves, 3, &count, NULL), EL_USAGE);
	assert_int_equal(el_engine_line(engine, NULL, &el_dtm, moves, 3, &count, NULL), EL_USAGE);
	assert_int_equal(el_engine_line(engine, fen, NULL, moves, 3, &count, NULL), EL_USAGE);
	assert_int_equal(el_engine_line(engine, fen, &el_dtm, NULL, 3, &count, NULL), EL_USAGE);
	assert_int_equal(el_engine_line(engine, fen, &el_dtm, moves, 3, NULL, NULL), EL_USAGE);
	assert_int_equal(el_engine_moves(NULL, fen, NULL, 50, moves, &count, NULL), EL_USAGE);
	assert_int_equal(el_engine_moves(engine, NULL, NULL, 50, moves, &count, NULL), EL_USAGE);
	assert_int_equal(el_engine_moves(engine, fen, NULL, 50, NULL, &count, NULL), EL_USAGE);
	assert_int_equal(el_engine_moves(engine, fen, NULL, 50, moves, NULL, NULL), EL_USAGE);
	assert_int_equal(el_engine_ask(NULL, fen, &el_dtm, 0, &value, NULL), EL_USAGE);
	assert_int_equal(el_engine_ask(engine, NULL, &el_dtm, 0, &value, NULL), EL_USAGE);
	assert_int_equal(el_engine_ask(engine, fen, &el_dtm, 0, NULL, NULL), EL_USAGE);
	assert_int_equal(el_engine_ask(engine, fen, &el_dtm, ~0u, &value, NULL), EL_USAGE);
	assert_int_equal(el_engine_probe(NULL, &board, &el_dtm, 0, &value), EL_USAGE);
	assert_int_equal(el_engine_probe(engine, NULL, &el_dtm, 0, &value), EL_USAGE);
	assert_int_equal(el_engine_probe(engine, &board, &el_dtm, 0, NULL), EL_USAGE);
	assert_false(el_engine_covers(NULL, &board, &el_dtm));
	assert_false(el_engine_covers(engine, NULL, &el_dtm));
	assert_false(el_engine_covers(engine, &board, NULL));
	assert_int_equal(el_engine_rank(NULL, &board, NULL, root, &count), EL_USAGE);
	assert_int_equal(el_engine_rank(engine, NULL, NULL, root, &count), EL_USAGE);
	assert_int_equal(el_engine_rank(engine, &board, NULL, NULL, &count), EL_USAGE);
	assert_int_equal(el_engine_rank(engine, &board, NULL, root, NULL), EL_USAGE);
	uint16_t played[EL_ROOT_MOVES];
	assert_int_equal(el_engine_play(engine, &board, &el_dtm, played, SIZE_MAX, &count), EL_OK);
	assert_int_equal(count, value.plies);
	assert_int_equal(el_engine_play(engine, &board, &el_dtm, played, 2, &count), EL_OK);
	assert_int_equal(count, 2);
	assert_true(EL_MOVE_FROM(played[0]) == 10 || EL_MOVE_FROM(played[0]) == 1);
	assert_int_equal(el_engine_play(engine, &board, &el_score, played, 2, &count), EL_USAGE);
	assert_int_equal(el_engine_play(NULL, &board, &el_dtm, played, 2, &count), EL_USAGE);
	assert_int_equal(el_engine_play(engine, NULL, &el_dtm, played, 2, &count), EL_USAGE);
	assert_int_equal(el_engine_play(engine, &board, NULL, played, 2, &count), EL_USAGE);
	assert_int_equal(el_engine_play(engine, &board, &el_dtm, NULL, 2, &count), EL_USAGE);
	assert_int_equal(el_engine_play(engine, &board, &el_dtm, played, 2, NULL), EL_USAGE);
	assert_int_equal(el_engine_planes(NULL, "KQvK", &el_dtm, &slice, NULL), EL_USAGE);
	assert_int_equal(el_engine_planes(engine, NULL, &el_dtm, &slice, NULL), EL_USAGE);
	assert_int_equal(el_engine_planes(engine, "KQvK", NULL, &slice, NULL), EL_USAGE);
	assert_int_equal(el_engine_planes(engine, "KQvK", &el_dtm, NULL, NULL), EL_USAGE);
	assert_int_equal(el_engine_planes(engine, "KQQvK", &el_dtm, &slice, NULL), EL_NEGATIVE);
	assert_null(slice);
	assert_int_equal(el_engine_index(NULL, name, &plane, &index, NULL), EL_USAGE);
	assert_int_equal(el_engine_index(fen, NULL, &plane, &index, NULL), EL_USAGE);
	assert_int_equal(el_engine_index(fen, name, NULL, &index, NULL), EL_USAGE);
	assert_int_equal(el_engine_index(fen, name, &plane, NULL, NULL), EL_USAGE);
	assert_int_equal(el_engine_position("KQvK", ~0u, UINT64_MAX, text, NULL), EL_USAGE);
	assert_int_equal(el_engine_position(NULL, 0, 0, text, NULL), EL_USAGE);
	assert_int_equal(el_engine_position("KQvK", 0, 0, NULL, NULL), EL_USAGE);
	assert_int_equal(el_engine_tables(NULL, &tables, &count, NULL), EL_USAGE);
	assert_int_equal(el_engine_tables(engine, NULL, &count, NULL), EL_USAGE);
	assert_int_equal(el_engine_rescan(NULL, NULL), EL_USAGE);
	assert_int_equal(el_engine_open(NULL, &none, NULL), EL_USAGE);
	assert_null(none);
	assert_int_equal(el_engine_pieces(NULL), 0);
	assert_null(el_engine_metric_name(NULL));
	for (unsigned o = EL_OUTCOMES; o; o = o * 2 + 1) {
		const enum el_outcome outcome = (enum el_outcome)o;
		assert_string_equal(el_outcome_name(outcome), "broken");
		assert_int_equal(el_outcome_negate(outcome), EL_BROKEN);
		assert_int_equal(el_outcome_max(outcome, outcome), EL_BROKEN);
		assert_false(el_outcome_within(outcome, EL_UNKNOWN));
		if (o == UINT32_MAX)
			break;
	}
	el_engine_close(engine);
}

/* What a damaged table takes is what it alone tells. */
static void test_damage(void **state)
{
	const struct el_metric *const metrics[] = {&el_dtm, &el_dtz, el_metric_find("dtz50"), NULL};
	static const char queen[] = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1";
	const char *mine = fixture_path(folder, "damage");
	const struct el_board board = board_at(queen);
	struct el_root_options by = {.size = sizeof by, .metric = &el_dtz, .rule = 50};
	struct el_root_move ranked[EL_ROOT_MOVES];
	struct el_text_move moves[EL_ROOT_MOVES];
	const struct el_metric *metric = &el_dtz;
	struct el_engine_slice *planes;
	struct el_value value;
	size_t count, size;
	(void)state;
	fixture_build_in(mine, "KQvK", metrics);
	struct el_engine *engine = engine_open(mine);
	const char *path = fixture_path(mine, "KQvK.dtm.egt");
	uint8_t *bytes = fixture_read_file(path, &size);
	for (size_t at = size / 2; at < size; at += 64) /* both sides */
		bytes[at] ^= 1, bytes[size - at + 512] ^= 1;
	fixture_write_file(path, bytes, size);
	free(bytes);
	assert_int_equal(el_engine_rescan(engine, NULL), EL_OK);
	assert_int_equal(el_engine_probe(engine, &board, &el_dtm, 0, &value), EL_DAMAGED);
	assert_int_equal(el_engine_probe(engine, &board, &el_dtz, 0, &value), EL_OK);
	assert_int_equal(value.outcome, EL_WIN);
	assert_int_equal(el_engine_probe(engine, &board, &el_wdl, 0, &value), EL_OK);
	assert_int_equal(value.outcome, EL_WIN);
	assert_int_equal(el_engine_ask(engine, "8/8/8/3k4/8/8/8/KQ6 w - - 70 90",
	                               el_engine_metric("wdl50"), 0, &value, NULL),
	                 EL_OK);
	assert_int_equal(value.outcome, EL_WIN);
	assert_int_equal(el_engine_rank(engine, &board, &by, ranked, &count), EL_OK);
	assert_int_equal(ranked[0].outcome, EL_WIN);
	by.metric = &el_dtm;
	assert_int_equal(el_engine_rank(engine, &board, &by, ranked, &count), EL_DAMAGED);
	assert_int_equal(count, 22);
	assert_int_equal(el_engine_moves(engine, queen, &metric, 50, moves, &count, NULL), EL_OK);
	assert_ptr_equal(metric, &el_dtz);
	metric = &el_dtm;
	assert_int_equal(el_engine_moves(engine, queen, &metric, 50, moves, &count, NULL),
	                 EL_DAMAGED);
	assert_int_equal(el_engine_line(engine, queen, &el_dtz, moves, 64, &count, NULL), EL_OK);
	assert_int_equal(count, moves[0].value.plies);
	assert_int_equal(el_engine_planes(engine, "KQvK", &el_dtm, &planes, NULL), EL_DAMAGED);
	assert_int_equal(el_engine_planes(engine, "KQvK", &el_wdl, &planes, NULL), EL_OK);
	el_engine_planes_free(planes);

	/* A file that is cut has no blocks to look into. */
	struct el_error error;
	assert_int_equal(truncate(path, (off_t)size - 1), 0);
	assert_int_equal(el_engine_rescan(engine, NULL), EL_OK);
	for (unsigned flags = 0; flags <= EL_ENGINE_MOVES; flags += EL_ENGINE_MOVES) {
		assert_int_equal(el_engine_probe(engine, &board, &el_dtm, flags, &value),
		                 EL_DAMAGED);
		assert_int_equal(el_engine_ask(engine, queen, &el_dtm, flags, &value, &error),
		                 EL_DAMAGED);
		assert_non_null(strstr(error.text, "KQvK.dtm.egt: size: expected"));
	}
	el_engine_close(engine);
	fixture_remove(mine);
}

/* Programs are compiled with these sizes and offsets: a change needs another SOVERSION, unless a
   struct with a `size` grows at its end. */
static void test_layout(void **state)
{
#define AT(type, member, offset) assert_int_equal(offsetof(struct type, member), offset)
	(void)state;
	if (sizeof(void *) != 8)
		skip();
	assert_int_equal(sizeof(struct el_value), 8);
	AT(el_value, plies, 2);
	AT(el_value, phase, 4);
	AT(el_value, rounded, 6);
	assert_int_equal(sizeof(struct el_error), 516);
	AT(el_error, text, 4);
	assert_int_equal(sizeof(struct el_engine_options), 24);
	AT(el_engine_options, folders, 8);
	AT(el_engine_options, cache_bytes, 16);
	assert_int_equal(sizeof(struct el_board), 72);
	AT(el_board, kings, 16);
	AT(el_board, pawns, 56);
	AT(el_board, side, 64);
	AT(el_board, en_passant, 65);
	AT(el_board, castling, 66);
	AT(el_board, halfmove, 68);
	assert_int_equal(sizeof(struct el_root_move), 16);
	AT(el_root_move, outcome, 2);
	AT(el_root_move, bounded, 3);
	AT(el_root_move, rank, 4);
	AT(el_root_move, value, 8);
	AT(el_root_options, metric, 8);
	AT(el_root_options, rule, 16);
	AT(el_root_options, repeated, 18);
	AT(el_root_options, ranked_by, 24);
	assert_int_equal(sizeof(struct el_text_move), 74);
	AT(el_text_move, uci, 32);
	AT(el_text_move, outcome, 64);
	AT(el_text_move, value, 66);
	assert_int_equal(sizeof(struct el_engine_plane), 32);
	AT(el_engine_plane, values, 8);
	AT(el_engine_plane, positions, 16);
	AT(el_engine_plane, value_count, 24);
	assert_int_equal(sizeof(struct el_engine_slice), 112);
	AT(el_engine_slice, count, 40);
	AT(el_engine_slice, plane, 48);
	assert_int_equal(sizeof(struct el_engine_table), 88);
	AT(el_engine_table, kind, 40);
	AT(el_engine_table, path, 56);
	AT(el_engine_table, metric, 64);
	AT(el_engine_table, bytes, 72);
	AT(el_engine_table, pieces, 80);
	AT(el_engine_table, partial, 84);
	assert_int_equal(EL_AT_MOST_BLESSED, 10);
	assert_int_equal(EL_OUTDATED, 8);
#undef AT
}

/* Tables alone: what no table has is no answer, and costs no move. */
static void test_tables_alone(void **state)
{
	static const struct {
		const char *fen;
		bool covered, told; /* told: by its moves, or by the rules */
	} cases[] = {
		{"8/8/8/3k4/8/8/2Q5/1K6 w - - 0 1", true, true},
		{"8/8/8/8/k1Pp4/8/8/4K3 b - c3 0 1", true, true},
		{"8/8/8/3k4/8/8/1NQ5/1K6 w - - 0 1", false, false},
		{"8/8/8/3k4/8/8/8/1K6 w - - 0 1", false, true},     /* bare kings */
		{"8/8/8/8/8/8/k7/4K2R w K - 0 1", true, true},      /* a right to castle */
		{"8/3k4/8/8/8/8/8/R3K2R w KQ - 0 1", false, false}, /* no such table */
		{"k7/8/1K6/8/8/8/8/3NN3 b - - 0 1", false, false},
		{"7k/5KQ1/8/8/8/8/8/7B b - - 0 1", false, true}, /* mate */
	};
	struct el_engine *engine = engine_open(folder);
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct el_value value;
		const struct el_board board = board_at(cases[i].fen);
		assert_int_equal(el_engine_covers(engine, &board, &el_wdl), cases[i].covered);
		assert_int_equal(el_engine_probe(engine, &board, &el_wdl, 0, &value),
		                 cases[i].covered ? EL_OK : EL_NEGATIVE);
		assert_int_equal(el_engine_ask(engine, cases[i].fen, &el_wdl, 0, &value, NULL),
		                 cases[i].covered ? EL_OK : EL_NEGATIVE);
		const enum el_status status =
			el_engine_probe(engine, &board, &el_wdl, EL_ENGINE_MOVES, &value);
		assert_int_equal(status == EL_OK, cases[i].told);
	}
	const struct el_board board = board_at(cases[0].fen);
	assert_false(el_engine_covers(engine, &board, el_engine_metric("dtr")));

	/* What is missing has a name, with the flag and without. */
	static const struct {
		const char *fen, *metric, *text;
	} missing[] = {
		{"8/8/8/3k4/8/8/1NQ5/1K6 w - - 0 1", "dtm", "no table covers KQNvK"},
		{"8/8/8/3k4/8/8/2Q5/1K6 w - - 0 1", "dtr", "no dtr table covers KQvK"},
		{"8/8/8/3k4/8/8/2Q5/1K6 w - - 0 1", "score", "chess has no score"},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "wdl",
	         "the position: 32 pieces, expected at most 8"},
	};
	struct el_text_move moves[1];
	struct el_error error;
	size_t count;
	for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
		for (unsigned flags = 0; flags <= EL_ENGINE_MOVES; flags += EL_ENGINE_MOVES) {
			struct el_value value;
			assert_int_equal(el_engine_ask(engine, missing[i].fen,
			                               el_engine_metric(missing[i].metric), flags,
			                               &value, &error),
			                 EL_NEGATIVE);
			assert_string_equal(error.text, missing[i].text);
		}
	assert_int_equal(el_engine_line(engine, missing[1].fen, el_engine_metric("dtr"), moves, 1,
	                                &count, &error),
	                 EL_NEGATIVE);
	assert_string_equal(error.text, missing[1].text);
	/* A folder is named once. */
	assert_int_equal(el_engine_line(engine, missing[0].fen, &el_dtm, moves, 1, &count, &error),
	                 EL_NEGATIVE);
	const char *looked = strstr(error.text, "; looked in ");
	assert_non_null(looked);
	assert_null(strchr(looked, ','));
	el_engine_close(engine);

	/* Material that cannot win, or only against the worst play. */
	static const struct {
		const char *fen;
		bool dead;
	} drawn[] = {
		{"8/8/8/3k4/8/8/2B5/1K6 w - - 0 1", true},
		{"8/8/8/3k4/3N4/8/8/1K6 b - - 0 1", true},
		{"8/8/8/3kb3/8/8/3B4/1K6 w - - 0 1", true}, /* bishops of one colour */
		{"8/8/8/3kb3/8/8/2B5/1K6 w - - 0 1", false},
		{"8/8/8/3kn3/8/8/2B5/1K6 w - - 0 1", false},
		{"8/8/8/3k4/8/8/2NN4/1K6 w - - 0 1", false},
	};
	engine = engine_open("tests/fuzz");
	for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
		struct el_value value;
		const struct el_board b = board_at(drawn[i].fen);
		assert_int_equal(el_engine_probe(engine, &b, &el_wdl, 0, &value), EL_NEGATIVE);
		assert_int_equal(el_engine_probe(engine, &b, &el_wdl, EL_ENGINE_MOVES, &value),
		                 drawn[i].dead ? EL_OK : EL_NEGATIVE);
		assert_true(!drawn[i].dead || value.outcome == EL_DRAW);
	}
	el_engine_close(engine);
}

static void test_list(void **state)
{
	struct el_engine *engine = engine_open(folder);
	struct el_engine_table *tables;
	size_t count, depths = 0;
	(void)state;
	assert_int_equal(el_engine_tables(engine, &tables, &count, NULL), EL_OK);
	for (size_t i = 0; i < count; i++) {
		assert_string_equal(tables[i].kind, "egt");
		assert_non_null(strstr(tables[i].path, tables[i].slice));
		assert_true(tables[i].bytes > 100 && tables[i].pieces >= 3);
		depths += tables[i].metric == &el_dtm;
	}
	assert_true(depths >= 4 && count >= depths + 3);
	el_engine_tables_free(tables);
	el_engine_close(engine);
	engine = engine_open("/nowhere/at/all:tests/fuzz");
	assert_int_equal(el_engine_tables(engine, &tables, &count, NULL), EL_OK);
	assert_int_equal(count, 0);
	el_engine_tables_free(tables);
	el_engine_close(engine);
}

/* ---- moves ---- */

/* The order is one that what is known allows: for no two moves could the later one be better for
   certain, and where the library calls it sound, nor may it be. */
static void check_order(const struct el_root_move *moves, size_t count, enum el_status status)
{
	for (size_t i = 1; i < count; i++) {
		const enum el_outcome a = moves[i - 1].outcome, b = moves[i].outcome;
		assert_true(moves[i].rank <= moves[i - 1].rank);
		assert_int_equal(moves[i].bounded, b > EL_WIN);
		if (!status && a != b)
			assert_true(el_outcome_lower(a) >= el_outcome_upper(b));
	}
}

/* Syzygy's outcomes alone, with a running clock: a quiet move may come too late, a zeroing one does
   not. And its rounded depths: every position of a game that both sides play perfectly is ranked. */
static void test_rank_of_bounds(void **state)
{
	const char *real = foreign_syzygy();
	char outcomes[] = "/tmp/endlab-outcomes-XXXXXX", command[PATH_MAX * 2];
	struct el_root_move moves[EL_ROOT_MOVES];
	const struct el_metric *by;
	struct el_root_options options = {.size = sizeof options, .rule = 50, .ranked_by = &by};
	size_t count, late = 0; /* wins that may come too late */
	(void)state;
	if (!real)
		skip();
	assert_non_null(mkdtemp(outcomes));
	snprintf(command, sizeof command, "cp %s/*.rtbw %s", real, outcomes);
	assert_int_equal(system(command), 0);
	struct el_engine *engine = engine_open(outcomes);
	struct el_board board = board_at("8/8/8/3k4/8/8/2Q5/1K6 w - - 7 1");
	assert_int_equal(el_engine_rank(engine, &board, &options, moves, &count), EL_OK);
	assert_false(by->has_depth);
	check_order(moves, count, EL_OK);
	assert_int_equal(moves[0].outcome, EL_AT_LEAST_CURSED);
	assert_int_equal(moves[count - 1].outcome, EL_DRAW);
	assert_true(moves[0].rank > 1000 && moves[0].rank < 2000); /* between cursed and certain */
	el_engine_close(engine);
	fixture_remove(outcomes);

	engine = engine_open(real);
	struct el_position p;
	assert_int_equal(el_chess.parse("8/8/8/8/3k4/8/8/KBN5 w - - 30 1", &p, NULL), EL_OK);
	for (unsigned ply = 0; ply < 200; ply++) {
		struct el_move legal[EL_MOVES_MAX];
		if (!el_chess.moves(&p, legal))
			break;
		board = bench_board(&p);
		const enum el_status status =
			el_engine_rank(engine, &board, &options, moves, &count);
		assert_int_equal(status, EL_OK);
		assert_true(by->has_depth);
		check_order(moves, count, status);
		for (size_t i = 0; i < count; i++)
			late += moves[i].outcome == EL_AT_LEAST_CURSED;
		const size_t all = el_chess.moves(&p, legal);
		for (size_t i = 0; i < all; i++)
			if (legal[i].from == EL_MOVE_FROM(moves[0].move) &&
			    legal[i].to == EL_MOVE_TO(moves[0].move)) {
				const struct el_position before = p;
				el_chess.play(&before, &legal[i], &p);
				break;
			}
	}
	assert_true(late > 0);
	assert_true(el_chess.in_check(&p)); /* mate */
	el_engine_close(engine);
}

static void test_rank(void **state)
{
	struct el_engine *engine = engine_open(folder);
	struct el_root_move moves[EL_ROOT_MOVES];
	struct el_root_options options = {.size = sizeof options, .rule = 50};
	size_t count;
	(void)state;
	struct el_board board = board_at("8/8/8/3k4/8/8/2Q5/1K6 w - - 0 1");
	assert_int_equal(el_engine_rank(engine, &board, NULL, moves, &count), EL_OK);
	assert_int_equal(count, 26);
	for (size_t i = 0; i < count; i++) {
		const bool first = moves[i].rank == moves[0].rank;
		assert_int_equal(first, moves[i].outcome == EL_WIN); /* any of them wins in time */
		assert_true(!i || moves[i].rank <= moves[i - 1].rank);
	}
	/* With progress required, only the fastest are first. */
	options.repeated = true;
	assert_int_equal(el_engine_rank(engine, &board, &options, moves, &count), EL_OK);
	for (size_t i = 1; i < count && moves[i].outcome == EL_WIN; i++) {
		assert_int_equal(moves[i].rank == moves[i - 1].rank,
		                 moves[i].value.plies == moves[i - 1].value.plies);
		assert_true(moves[i].value.plies >= moves[i - 1].value.plies);
	}
	assert_true(moves[0].rank > moves[20].rank);
	/* Without a table the mate is first; the other moves might be better than one another. */
	board = board_at("7k/5K1p/8/8/8/8/6Q1/7B w - - 0 1");
	assert_int_equal(el_engine_rank(engine, &board, NULL, moves, &count), EL_NEGATIVE);
	assert_int_equal(moves[0].outcome, EL_WIN);
	assert_true(!moves[0].bounded && moves[count - 1].bounded);
	assert_true(moves[count - 1].rank < 0 && moves[count - 1].rank > -1000);
	board = board_at("8/8/8/3k4/8/8/2Q5/1K6 w - - 0 1");
	assert_int_equal(el_engine_rank(engine, &board, &options, moves, &count), EL_OK);
	/* Late on the clock the slow wins count as none. */
	board.halfmove = (uint16_t)(100 - moves[0].value.plies);
	assert_int_equal(el_engine_rank(engine, &board, NULL, moves, &count), EL_OK);
	assert_int_equal(moves[0].outcome, EL_WIN);
	assert_int_equal(moves[20].outcome, EL_CURSED_WIN);
	options.rule = 0;
	assert_int_equal(el_engine_rank(engine, &board, &options, moves, &count), EL_OK);
	assert_int_equal(moves[20].outcome, EL_WIN);
	/* A promotion includes its piece. */
	board = board_at("8/2P5/8/8/8/8/k7/4K3 w - - 0 1");
	options.metric = &el_dtm;
	assert_int_equal(el_engine_rank(engine, &board, &options, moves, &count), EL_OK);
	assert_int_equal(EL_MOVE_FROM(moves[0].move), 50);
	assert_int_equal(EL_MOVE_TO(moves[0].move), 58);
	assert_int_equal(EL_MOVE_PROMOTION(moves[0].move), 4);
	el_engine_close(engine);
}

/* ---- text ---- */

static void test_text(void **state)
{
	static const char fen[] = "8/8/8/3k4/8/8/2Q5/1K6 w - - 0 1";
	struct el_engine *engine = engine_open(folder);
	struct el_error error = {.text = ""};
	struct el_value value;
	struct el_text_move moves[EL_ROOT_MOVES];
	const struct el_metric *metric = NULL;
	size_t count;
	(void)state;
	assert_int_equal(el_engine_ask(engine, fen, &el_dtm, 0, &value, &error), EL_OK);
	assert_int_equal(el_engine_moves(engine, fen, &metric, 50, moves, &count, &error), EL_OK);
	assert_string_equal(el_engine_metric_name(metric), "dtm");
	assert_int_equal(count, 26);
	assert_int_equal(moves[0].value.plies, value.plies);
	assert_int_equal(el_engine_line(engine, fen, &el_dtm, moves, EL_ROOT_MOVES, &count, &error),
	                 EL_OK);
	assert_int_equal(count, value.plies);
	assert_non_null(strchr(moves[count - 1].san, '#'));
	for (size_t i = 0; i < count; i++)
		assert_int_equal(moves[i].value.plies, value.plies - i);
	assert_int_equal(el_engine_line(engine, fen, &el_dtm, moves, 3, &count, &error), EL_OK);
	assert_int_equal(count, 3);
	/* The clock of the FEN counts: some moves to mate, one move left. */
	const struct el_metric *ruled = el_engine_metric("wdl50");
	assert_int_equal(el_engine_ask(engine, fen, ruled, 0, &value, &error), EL_OK);
	assert_int_equal(value.outcome, EL_WIN);
	assert_int_equal(el_engine_ask(engine, "8/8/8/3k4/8/8/2Q5/1K6 w - - 98 90", ruled, 0,
	                               &value, &error),
	                 EL_OK);
	assert_int_equal(value.outcome, EL_CURSED_WIN);
	assert_int_equal(el_engine_ask(engine, "rubbish", &el_dtm, 0, &value, &error), EL_USAGE);
	assert_non_null(strstr(error.text, "'rubbish' is not a position"));
	assert_int_equal(el_engine_ask(engine, fen, NULL, 0, &value, &error), EL_USAGE);
	assert_int_equal(el_engine_moves(engine, fen, &(const struct el_metric *){&el_score}, 0,
	                                 moves, &count, &error),
	                 EL_USAGE);
	assert_int_equal(el_engine_ask(engine, "8/8/8/3k4/8/8/1NQ5/1K6 w - - 0 1", &el_dtm, 0,
	                               &value, &error),
	                 EL_NEGATIVE);
	el_engine_close(engine);
}

static void test_planes(void **state)
{
	struct el_engine *engine = engine_open(folder);
	struct el_engine_slice *planes;
	struct el_error error;
	struct el_slice slice;
	char name[40], fen[128];
	uint64_t wins = 0;
	(void)state;
	assert_int_equal(el_engine_planes(engine, "KQK", &el_dtm, &planes, &error), EL_OK);
	el_engine_close(engine); /* they stay */
	assert_string_equal(planes->slice, "KQvK");
	assert_int_equal(planes->count, 2);
	assert_int_equal(el_slice_parse("KQvK", &slice, NULL), EL_OK);
	struct el_planes stored = fixture_stored(library, "KQvK", &el_dtm);
	for (unsigned p = 0; p < 2; p++) {
		const struct el_engine_plane *plane = &planes->plane[p];
		assert_int_equal(plane->positions, slice.positions);
		for (uint64_t i = 0; i < plane->positions; i++) {
			unsigned back_plane;
			uint64_t back;
			assert_true(plane->symbols[i] < plane->value_count);
			struct el_position position;
			const struct el_value found = plane->values[plane->symbols[i]];
			if (!slice.game->unplace(&slice, p, i, &position)) {
				assert_int_equal(found.outcome, EL_BROKEN);
				continue;
			}
			wins += found.outcome == EL_WIN && p == EL_WHITE;
			assert_true(el_value_equal(found, el_plane_value(&stored.plane[p], i)));
			if (i % 97 || el_engine_position("KQvK", p, i, fen, &error))
				continue;
			assert_int_equal(el_engine_index(fen, name, &back_plane, &back, &error),
			                 EL_OK);
			assert_string_equal(name, "KQvK");
			assert_int_equal(back_plane, p);
			assert_int_equal(back, i);
		}
	}
	assert_int_equal(wins, 18081);
	assert_int_equal(el_engine_position("KQvK", 0, slice.positions, fen, &error), EL_USAGE);
	assert_int_equal(el_engine_position("KQvK", 2, 0, fen, &error), EL_USAGE);
	el_planes_free(&stored);
	el_engine_planes_free(planes);
	el_engine_planes_free(NULL);
}

/* Every source of a slice gives the same planes: ours under its own metric, ours told by another,
   and Syzygy's; broken indexes are broken in all. */
static void test_planes_of_all(void **state)
{
	const char *real = foreign_syzygy();
	static const struct {
		const char *name;
		uint64_t wins; /* White to move, both sides of the board alike */
	} cases[] = {{"KQvK", 18081}, {"KRvK", 21959}, {"KPvK", 62480}};
	(void)state;
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		struct el_engine *ours = engine_open(folder),
				 *theirs = real ? engine_open(real) : NULL;
		struct el_engine_slice *all[3] = {NULL};
		struct el_slice slice;
		uint64_t wins = 0, broken = 0, legal = 0;
		assert_int_equal(el_slice_parse(cases[c].name, &slice, NULL), EL_OK);
		assert_int_equal(el_engine_planes(ours, cases[c].name, &el_wdl, &all[0], NULL),
		                 EL_OK);
		assert_int_equal(el_engine_planes(ours, cases[c].name, el_engine_metric("wdl50"),
		                                  &all[1], NULL),
		                 EL_OK);
		if (theirs)
			assert_int_equal(
				el_engine_planes(theirs, cases[c].name, &el_wdl, &all[2], NULL),
				EL_OK);
		for (unsigned p = 0; p < slice.planes; p++)
			for (uint64_t i = 0; i < slice.positions; i++) {
				struct el_position position;
				const bool is = slice.game->unplace(&slice, p, i, &position);
				enum el_outcome outcome[3];
				for (unsigned k = 0; k < 3 && all[k]; k++) {
					const struct el_engine_plane *plane = &all[k]->plane[p];
					outcome[k] = plane->values[plane->symbols[i]].outcome;
					assert_int_equal(outcome[k], outcome[0]);
				}
				assert_int_equal(outcome[0] == EL_BROKEN, !is);
				wins += outcome[0] == EL_WIN && !p;
				broken += !is;
				legal += is;
			}
		assert_true(broken > 0 && legal > 0);
		assert_int_equal(wins, cases[c].wins);
		for (unsigned k = 0; k < 3; k++)
			el_engine_planes_free(all[k]);
		el_engine_close(ours);
		el_engine_close(theirs);
	}
}

/* ---- eight threads, while tables come and go ---- */

enum { THREADS = 8 };

struct stress {
	struct el_engine *engine;
	struct el_planes stored;
	_Atomic bool over;
	_Atomic uint64_t right, wrong, missing;
};

static void *probe_on(void *context)
{
	struct stress *s = context;
	uint64_t seed = (uint64_t)(uintptr_t)&seed;
	while (!s->over) {
		struct el_position p;
		struct el_value value;
		const unsigned plane = fixture_random(&seed) & 1;
		const uint64_t index = fixture_random(&seed) % s->stored.slice.positions;
		if (!el_chess.unplace(&s->stored.slice, plane, index, &p))
			continue;
		const struct el_board board = bench_board(&p);
		const enum el_status status = el_engine_probe(s->engine, &board, &el_dtm,
		                                              fixture_random(&seed) % 2, &value);
		if (status == EL_NEGATIVE)
			s->missing++;
		else if (!status &&
		         el_value_equal(value, el_plane_value(&s->stored.plane[plane], index)))
			s->right++;
		else
			s->wrong++;
	}
	return NULL;
}

/* Changes to a table, or to its folder, during probes. */
enum fate { AWAY, BACK, RECODED, MADE_AGAIN, FOLDER_AWAY, FOLDER_BACK, FATES };

static void recode(struct el_library *own, const char *table, enum el_preset preset)
{
	const struct el_table_options options = el_table_options_preset(preset);
	struct el_recoded out;
	struct el_error error;
	if (el_recode(own, table, table, &options, NULL, &out, &error))
		fail_msg("%s", error.text);
}

static void make_again(struct el_library *own, const struct el_slice *slice)
{
	const struct el_metric *const metrics[] = {&el_dtm, NULL};
	const struct el_plan_wish wish = {
		.slices = slice, .count = 1, .metrics = metrics, .replace = true};
	const struct el_build_options options = {.table = el_table_options_default()};
	struct el_plan plan;
	struct el_error error;
	if (el_plan_wished(own, &wish, &plan, &error) ||
	    el_build(own, &plan, &options, NULL, &error))
		fail_msg("%s", error.text);
	assert_int_equal(plan.count, 1);
	el_plan_free(&plan);
}

/* `own`: with its own library of the folder. */
static void befall(struct el_library *own, const char *here, enum fate fate, unsigned round)
{
	const struct scratch_path table = scratch_in(here, "KRvK.dtm.egt"),
				  away = scratch_in(here, "away");
	const struct scratch_path elsewhere = scratch_in(folder, "elsewhere");
	const struct el_slice slice = slice_named("KRvK");
	switch (fate) {
	case AWAY:
		assert_int_equal(rename(table.text, away.text), 0);
		break;
	case BACK:
		assert_int_equal(rename(away.text, table.text), 0);
		break;
	case RECODED:
		recode(own, table.text, round % 2 ? EL_PRESET_FAST : EL_PRESET_USUAL);
		break;
	case MADE_AGAIN:
		make_again(own, &slice);
		break;
	case FOLDER_AWAY:
		assert_int_equal(rename(here, elsewhere.text), 0);
		break;
	default:
		assert_int_equal(rename(elsewhere.text, here), 0);
	}
}

static void test_tables_come_and_go(void **state)
{
	static struct stress s;
	const struct scratch_path here = scratch_in(folder, "here");
	const struct el_metric *const metrics[] = {&el_dtm, NULL};
	pthread_t threads[THREADS];
	(void)state;
	fixture_build_in(here.text, "KRvK", metrics);
	struct el_library *own = fixture_library(here.text, NULL);
	const struct el_engine_options options = {/* blocks come and go too */
	                                          .size = sizeof options,
	                                          .folders = here.text,
	                                          .cache_bytes = 20000};
	assert_int_equal(el_engine_open(&options, &s.engine, NULL), EL_OK);
	s.stored = fixture_stored(library, "KRvK", &el_dtm);
	for (unsigned i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, probe_on, &s), 0);
	for (unsigned i = 0; i < (tests_are_slow() ? 4 : 10) * FATES; i++) {
		const enum fate fate = (enum fate)(i % FATES);
		usleep(5000);
		befall(own, here.text, fate, i / FATES);
		assert_int_equal(el_engine_rescan(s.engine, NULL), EL_OK);
		assert_int_equal(el_library_rescan(own, NULL), EL_OK);
		assert_int_equal(el_engine_pieces(s.engine),
		                 fate == AWAY || fate == FOLDER_AWAY ? 0 : 3);
	}
	el_library_close(own);
	/* Open files stay usable without their folder, until a rescan. */
	struct el_value value;
	struct el_board board = board_at("8/8/8/3k4/8/8/2R5/1K6 w - - 0 1");
	fixture_remove(here.text);
	assert_int_equal(el_engine_probe(s.engine, &board, &el_wdl, 0, &value), EL_OK);
	assert_int_equal(el_engine_rescan(s.engine, NULL), EL_OK);
	assert_int_equal(el_engine_pieces(s.engine), 0);
	assert_int_equal(el_engine_probe(s.engine, &board, &el_wdl, 0, &value), EL_NEGATIVE);
	s.over = true;
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(s.wrong, 0);
	assert_true(s.right > 1000 && s.missing > 1000);
	el_engine_close(s.engine);
	el_planes_free(&s.stored);
}

/* ---- the tables of all tests ---- */

static int make_tables(void **state)
{
	static const struct el_metric *const ends[] = {&el_dtm, NULL};
	const struct el_metric *const zeroing[] = {el_metric_find("dtz50"), NULL};
	if (fixture_make_folder(state))
		return -1;
	fixture_build_in(folder, "KPvKP", ends);
	fixture_build_in(folder, "KQvK KRvK KPvK", zeroing);
	library = fixture_library(folder, NULL);
	return 0;
}

static int remove_tables(void **state)
{
	el_library_close(library);
	return fixture_remove_folder(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_position),
		cmocka_unit_test(test_rights),
		cmocka_unit_test(test_soft),
		cmocka_unit_test(test_nonsense),
		cmocka_unit_test(test_wrong_questions),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_tables_alone),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_rank_of_bounds),
		cmocka_unit_test(test_rank),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_planes),
		cmocka_unit_test(test_planes_of_all),
		cmocka_unit_test(test_tables_come_and_go),
	};
	return cmocka_run_group_tests(tests, make_tables, remove_tables);
}
