/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fill stage: it chooses free symbols well, and touches nothing else. */
#include "codecs/runs.h"
#include "tests/fixtures/codec_fixture.h"
#include "tests/fixtures/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { POSITIONS = 5000, BLOCK = 512, ROW = 48 };

/* A plane before and during its way into a table. */
struct fixture_plane {
	uint16_t own[POSITIONS], symbols[POSITIONS];
	uint8_t care[POSITIONS];
	struct el_codec_plane plane;
};

/* Frees symbols in runs, as real planes do; `least` 0 keeps some exact, 1 none. */
static void make_care(uint8_t *care, uint64_t least, uint64_t *seed)
{
	for (size_t i = 0; i < POSITIONS; i++) {
		const uint64_t other = least + fixture_random(seed) % (3 - least);
		care[i] = i > 0 && fixture_random(seed) % 4 ? care[i - 1] : (uint8_t)other;
	}
}

static struct fixture_plane *make_plane(uint32_t value_count, pattern *make, uint64_t least,
                                        uint64_t seed)
{
	static struct fixture_plane out;
	make(out.own, POSITIONS, value_count, &seed);
	make_care(out.care, least, &seed);
	memcpy(out.symbols, out.own, sizeof out.own);
	out.plane = (struct el_codec_plane){
		.symbols = out.symbols, .care = out.care, .positions = POSITIONS, .row = ROW};
	return &out;
}

static void check_plane(const struct fixture_plane *p, uint32_t value_count, const char *what)
{
	for (size_t i = 0; i < POSITIONS; i++) {
		const uint16_t own = p->own[i], now = p->symbols[i];
		const bool good = p->care[i] == EL_CARE_EXACT     ? now == own
		                  : p->care[i] == EL_CARE_AT_MOST ? now <= own
		                                                  : now < value_count;
		if (!good)
			fail_msg("%s: position %zu became %u from %u", what, i, now, own);
	}
}

/* ---- each way ---- */

static size_t filled_bytes(const struct el_codec_choice *choice, uint32_t value_count,
                           struct fixture_plane *p, enum el_fill fill)
{
	const struct el_codec_params params = choice_params(choice, value_count, BLOCK);
	struct el_error error = {.text = ""};
	enum el_way way;
	memcpy(p->symbols, p->own, sizeof p->own);
	assert_int_equal(
		el_fill_choose(fill, choice->codec, &params, &p->plane, NULL, &way, &error), EL_OK);
	check_plane(p, value_count, el_fill_names[fill]);
	return fixture_plane_bytes(choice, value_count, BLOCK, p->symbols, POSITIONS);
}

static void check_fills(const struct el_codec_choice *choice)
{
	static const uint32_t some[] = {1, 2, 3, 200, 65536};
	for (unsigned a = 0; a < sizeof some / sizeof *some; a++)
		for (unsigned p = 0; patterns[p]; p++) {
			struct fixture_plane *plane =
				make_plane(some[a], patterns[p], p % 2, 10 * a + p);
			const size_t previous =
				filled_bytes(choice, some[a], plane, EL_FILL_PREVIOUS);
			const size_t best = filled_bytes(choice, some[a], plane, EL_FILL_BEST);
			if (!choice->codec->fill)
				assert_true(best <= previous);
		}
}

/* With the usual options; others make no difference here. */
static void test_fills(void **state)
{
	(void)state;
	const struct el_codec *codec;
	for (size_t i = 0; (codec = el_codec_at(i)); i++) {
		struct el_codec_choice choice;
		assert_int_equal(el_codec_parse(codec->name, &choice, NULL), EL_OK);
		check_fills(&choice);
	}
}

/* Rows that repeat, with half of the repeated symbols free: copies find them, runs do not. */
static void test_best_is_better(void **state)
{
	(void)state;
	struct el_codec_choice choice;
	struct fixture_plane *p = make_plane(200, pattern_noise, 0, 1);
	uint64_t seed = 5;
	for (size_t i = 2 * ROW; i < POSITIONS; i++)
		p->own[i] = p->own[i - 2 * ROW];
	for (size_t i = 0; i < POSITIONS; i++) {
		const bool is_free = i % BLOCK >= 2 * ROW && fixture_random(&seed) % 2;
		p->care[i] = is_free ? EL_CARE_NOT : EL_CARE_EXACT;
		p->own[i] = is_free ? 0 : p->own[i];
	}
	assert_int_equal(el_codec_parse("zstd", &choice, NULL), EL_OK);
	assert_true(2 * filled_bytes(&choice, 200, p, EL_FILL_BEST) <
	            filled_bytes(&choice, 200, p, EL_FILL_PREVIOUS));
}

static void fill_few(enum el_fill fill, const char *codec, uint32_t value_count, uint32_t block,
                     const uint8_t *care, uint16_t *symbols, size_t positions)
{
	struct el_codec_choice choice;
	assert_int_equal(el_codec_parse(codec, &choice, NULL), EL_OK);
	const struct el_codec_params params = choice_params(&choice, value_count, block);
	const struct el_codec_plane plane = {
		.symbols = symbols, .care = care, .positions = positions, .row = 2};
	enum el_way way;
	assert_int_equal(el_fill_choose(fill, choice.codec, &params, &plane, NULL, &way, NULL),
	                 EL_OK);
}

/* Copies reach back 64 rows and no further: half of the last row is free, the rest repeats the
   first row. */
static void test_far_copies(void **state)
{
	(void)state;
	enum { WIDTH = 16, MOST = 66 * WIDTH };
	struct el_codec_choice choice;
	assert_int_equal(el_codec_parse("zstd", &choice, NULL), EL_OK);
	for (unsigned rows = 63; rows <= 65; rows++) {
		uint16_t symbols[MOST];
		uint8_t care[MOST] = {0};
		const size_t last = rows * WIDTH;
		const struct el_codec_params params = choice_params(&choice, MOST, MOST);
		const struct el_codec_plane plane = {
			.symbols = symbols, .care = care, .positions = last + WIDTH, .row = WIDTH};
		for (size_t i = 0; i < last + WIDTH; i++) {
			care[i] = i > last && i % 2 ? EL_CARE_NOT : EL_CARE_EXACT;
			symbols[i] = (uint16_t)(care[i] == EL_CARE_NOT ? 0 : i % last);
		}
		el_fill_piece(EL_WAY_COPIES, &params, &plane, 0, 0);
		for (uint16_t i = 1; i < WIDTH; i += 2)
			assert_int_equal(symbols[last + i] == i, rows <= 64);
	}
}

static void test_none_and_previous(void **state)
{
	(void)state;
	enum { E = EL_CARE_EXACT, M = EL_CARE_AT_MOST, N = EL_CARE_NOT };
	const uint8_t care[] = {N, N, E, N, M, M, E, N};
	const uint16_t own[] = {0, 9, 5, 0, 4, 6, 3, 0}, previous[] = {5, 5, 5, 5, 4, 4, 3, 3};
	uint16_t symbols[8];
	memcpy(symbols, own, sizeof own);
	fill_few(EL_FILL_NONE, "raw", 10, 8, care, symbols, 8);
	assert_memory_equal(symbols, own, sizeof own);
	fill_few(EL_FILL_PREVIOUS, "raw", 10, 8, care, symbols, 8);
	assert_memory_equal(symbols, previous, sizeof previous);
	const uint8_t nothing[] = {N, N, N};
	uint16_t broken[] = {7, 8, 9};
	fill_few(EL_FILL_PREVIOUS, "raw", 10, 8, nothing, broken, 3);
	assert_true(broken[0] < 10 && broken[1] == broken[0] && broken[2] == broken[0]);
}

/* ---- rle's own: the fewest runs ---- */

enum { FEW = 7, FEW_BLOCK = 4, FEW_VALUES = 3, FEW_PLANES = 2187 /* 3 ^ 7 */ };

static unsigned count_runs(const uint16_t *symbols)
{
	unsigned runs = 0;
	for (size_t i = 0; i < FEW; i++)
		runs += i % FEW_BLOCK == 0 || symbols[i] != symbols[i - 1];
	return runs;
}

static bool is_allowed(const uint16_t *symbols, const uint16_t *own, const uint8_t *care)
{
	for (size_t i = 0; i < FEW; i++)
		if ((care[i] == EL_CARE_EXACT && symbols[i] != own[i]) ||
		    (care[i] == EL_CARE_AT_MOST && symbols[i] > own[i]))
			return false;
	return true;
}

/* Over all possible planes. */
static unsigned fewest_runs(const uint16_t *own, const uint8_t *care)
{
	unsigned fewest = FEW;
	for (unsigned n = 0; n < FEW_PLANES; n++) {
		uint16_t symbols[FEW];
		for (unsigned i = 0, rest = n; i < FEW; i++, rest /= FEW_VALUES)
			symbols[i] = (uint16_t)(rest % FEW_VALUES);
		if (is_allowed(symbols, own, care) && count_runs(symbols) < fewest)
			fewest = count_runs(symbols);
	}
	return fewest;
}

static void test_rle_fewest_runs(void **state)
{
	(void)state;
	uint64_t seed = 1;
	for (unsigned i = 0; i < 1000; i++) {
		uint16_t own[FEW], symbols[FEW];
		uint8_t care[FEW];
		pattern_noise(own, FEW, FEW_VALUES, &seed);
		for (size_t k = 0; k < FEW; k++)
			care[k] = (uint8_t)(fixture_random(&seed) % 3);
		memcpy(symbols, own, sizeof own);
		fill_few(EL_FILL_BEST, "rle", FEW_VALUES, FEW_BLOCK, care, symbols, FEW);
		assert_true(is_allowed(symbols, own, care));
		assert_int_equal(count_runs(symbols), fewest_runs(own, care));
	}
}

/* ---- in pieces ---- */

/* Window by window, of some blocks each: earlier symbols are there as far as the method reaches
   back. */
static void fill_pieces(enum el_way way, const struct el_codec_params *params,
                        struct fixture_plane *p, size_t blocks)
{
	const uint64_t reach = el_fill_reach(way, ROW);
	size_t own = 0;
	while (own < POSITIONS && p->care[own] == EL_CARE_NOT)
		own++;
	const uint16_t first = own < POSITIONS ? p->own[own] : 0;
	for (size_t at = 0; at < POSITIONS; at += blocks * BLOCK) {
		const size_t from = at < reach ? at : (size_t)reach, rest = POSITIONS - at;
		const struct el_codec_plane piece = {
			.symbols = p->symbols + at - from,
			.care = p->care + at - from,
			.positions = from + (rest < blocks * BLOCK ? rest : blocks * BLOCK),
			.row = ROW,
		};
		el_fill_piece(way, params, &piece, from, first);
	}
}

static void test_pieces(void **state)
{
	(void)state;
	const struct el_codec_params params = {.value_count = 200, .block_positions = BLOCK};
	for (unsigned way = EL_WAY_RUNS; way <= EL_WAY_NONE; way++)
		for (unsigned p = 0; patterns[p]; p++) {
			struct fixture_plane *plane = make_plane(200, patterns[p], p % 2, p);
			static uint16_t whole[POSITIONS];
			fill_pieces((enum el_way)way, &params, plane, POSITIONS);
			check_plane(plane, 200, "whole");
			memcpy(whole, plane->symbols, sizeof whole);
			for (size_t blocks = 1; blocks < 5; blocks++) {
				memcpy(plane->symbols, plane->own, sizeof plane->own);
				fill_pieces((enum el_way)way, &params, plane, blocks);
				assert_memory_equal(plane->symbols, whole, sizeof whole);
			}
		}
}

/* Each block alone, with what was learned from the plane. */
static size_t fill_blocks(const struct fixture_coder *c, struct fixture_plane *p)
{
	size_t bytes = 0;
	memcpy(p->symbols, p->own, sizeof p->own);
	for (size_t at = 0; at < POSITIONS; at += BLOCK) {
		const size_t rest = POSITIONS - at, count = rest < BLOCK ? rest : BLOCK;
		const struct el_codec_plane block = {.symbols = p->symbols + at,
		                                     .care = p->care + at,
		                                     .positions = count,
		                                     .row = ROW};
		size_t size;
		assert_int_equal(c->codec->fill_block(c->coder, &block, NULL), EL_OK);
		free(fixture_encode(c, p->symbols + at, count, &size));
		bytes += size;
	}
	return bytes;
}

static size_t encoded_bytes(const struct fixture_coder *c, const uint16_t *symbols)
{
	size_t bytes = 0, size;
	for (size_t at = 0; at < POSITIONS; at += BLOCK) {
		free(fixture_encode(c, symbols + at,
		                    POSITIONS - at < BLOCK ? POSITIONS - at : BLOCK, &size));
		bytes += size;
	}
	return bytes;
}

/* Its choice is allowed and, with few values, no worse than runs under the same codes, except for
   the ends of lines. */
static void test_blocks(void **state)
{
	(void)state;
	static const uint32_t some[] = {1, 2, 3, 200, 300, 65536};
	struct el_codec_choice choice;
	unsigned tried = 0;
	for (size_t i = 0; el_codec_at(i); i++) {
		assert_int_equal(el_codec_parse(el_codec_at(i)->name, &choice, NULL), EL_OK);
		if (!choice.codec->fill_block)
			continue;
		for (unsigned a = 0; a < sizeof some / sizeof *some; a++, tried++) {
			struct fixture_plane *p = make_plane(some[a], pattern_runs, a % 2, a);
			filled_bytes(&choice, some[a], p, EL_FILL_BEST);
			struct fixture_coder c =
				fixture_coder(&choice, some[a], BLOCK, p->symbols, POSITIONS);
			const size_t bytes = fill_blocks(&c, p);
			check_plane(p, some[a], "by blocks");
			memcpy(p->symbols, p->own, sizeof p->own);
			runs_fill(&p->plane, some[a]);
			if (some[a] <= 256 && bytes > encoded_bytes(&c, p->symbols) * 102 / 100)
				fail_msg("%u values: %zu bytes, %zu of runs", some[a], bytes,
				         encoded_bytes(&c, p->symbols));
			fixture_coder_close(&c);
		}
	}
	assert_true(tried > 0);
}

/* ---- stopping, and names ---- */

static int stop(void *context, const struct el_progress *progress)
{
	int *left = context;
	assert_true(progress->done < progress->total);
	return (*left)-- > 0;
}

static void test_stop(void **state)
{
	(void)state;
	const struct el_codec *codec;
	for (size_t i = 0; (codec = el_codec_at(i)); i++) {
		struct fixture_plane *p = make_plane(3, pattern_runs, 0, i);
		struct el_codec_choice choice;
		int left = 3;
		const struct el_watch watch = {&left, stop};
		struct el_error error = {.text = ""};
		enum el_way way;
		assert_int_equal(el_codec_parse(codec->name, &choice, NULL), EL_OK);
		const struct el_codec_params params = choice_params(&choice, 3, BLOCK);
		assert_int_equal(el_fill_choose(EL_FILL_BEST, codec, &params, &p->plane, &watch,
		                                &way, &error),
		                 EL_STOPPED);
		assert_true(strlen(error.text) > 0);
		check_plane(p, 3, codec->name);
	}
}

/* ---- a large plane ---- */

static int note_total(void *context, const struct el_progress *progress)
{
	*(double *)context = progress->total;
	return 1;
}

/* Some blocks of it are encoded to find the best way: here rows, each like the one before but for a
   few positions. The fill is done on all of it, and touches only what is free. */
static void test_large(void **state)
{
	(void)state;
	const size_t positions = 10000000 + 17;
	const uint32_t value_count = 200;
	struct el_codec_choice choice;
	uint16_t *own = malloc(positions * sizeof *own);
	uint16_t *symbols = malloc(positions * sizeof *symbols);
	uint8_t *care = malloc(positions);
	double total = 0;
	const struct el_watch watch = {&total, note_total};
	enum el_way way;
	uint64_t seed = 5, free_ones = 0;
	assert_int_equal(el_codec_parse("zstd:1", &choice, NULL), EL_OK);
	const struct el_codec_params params = choice_params(&choice, value_count, 4096);
	for (size_t i = 0; i < positions; i++) {
		const bool new = i < ROW || !(fixture_random(&seed) % 64);
		own[i] = new ? (uint16_t)(fixture_random(&seed) % value_count) : own[i - ROW];
		care[i] = fixture_random(&seed) % 4 ? EL_CARE_EXACT : EL_CARE_NOT;
		symbols[i] = care[i] == EL_CARE_NOT ? 0 : own[i];
	}
	const struct el_codec_plane plane = {
		.symbols = symbols, .care = care, .positions = positions, .row = ROW};
	assert_int_equal(
		el_fill_choose(EL_FILL_BEST, choice.codec, &params, &plane, &watch, &way, NULL),
		EL_OK);
	assert_int_equal(way, EL_WAY_ROWS);
	assert_true(total > 0 && total < 2.0 * (double)positions);
	for (size_t i = ROW; i < positions; i++) {
		const bool is_free = care[i] == EL_CARE_NOT;
		assert_int_equal(symbols[i], is_free ? symbols[i - ROW] : own[i]);
		free_ones += is_free;
	}
	assert_true(free_ones > positions / 5);
	free(own);
	free(symbols);
	free(care);
}

static void test_parse(void **state)
{
	(void)state;
	enum el_fill fill;
	struct el_error error;
	for (unsigned i = 0; el_fill_names[i]; i++) {
		assert_int_equal(el_fill_parse(el_fill_names[i], &fill, &error), EL_OK);
		assert_int_equal(fill, i);
	}
	assert_int_equal(el_fill_parse("next", &fill, &error), EL_USAGE);
	assert_string_equal(error.text,
	                    "unknown fill 'next': expected one of none, previous, best");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fills),           cmocka_unit_test(test_best_is_better),
		cmocka_unit_test(test_far_copies),      cmocka_unit_test(test_none_and_previous),
		cmocka_unit_test(test_rle_fewest_runs), cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_blocks),          cmocka_unit_test(test_stop),
		cmocka_unit_test(test_large),           cmocka_unit_test(test_parse),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
