/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every codec returns what it was given, at once or one by one. And known bytes. */
#include "tests/fixtures/codec_fixture.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <lzma.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include <cmocka.h>

enum { BLOCK = FIXTURE_BLOCK, PLANE = 8 * BLOCK };

static const size_t tails[] = {1, 2, 7, 8, 255, 256, 1023};
enum { TAILS = sizeof tails / sizeof *tails, TAIL_MOST = 1023 };

/* ---- round trips ---- */

/* An encoded block; its bytes end at unreadable memory. */
struct sample {
	struct fixture_coder *c;
	const uint16_t *symbols;
	const uint8_t *bytes;
	size_t size, count;
};

static void check_decode(const struct sample *s)
{
	enum { GUARD = 0x5a5a };
	uint16_t *back = malloc((s->count + 1) * sizeof *back);
	struct el_error error = {.text = ""};
	back[s->count] = GUARD;
	enum el_status status =
		s->c->codec->decode(s->c->coder, s->bytes, s->size, back, s->count, &error);
	if (status)
		print_error("%s\n", error.text);
	assert_int_equal(status, EL_OK);
	assert_memory_equal(back, s->symbols, s->count * sizeof *back);
	assert_int_equal(back[s->count], GUARD);
	free(back);
}

/* Each `step`th position. */
static void check_decode_one(const struct sample *s, size_t step)
{
	struct el_error error;
	for (size_t at = 0; s->c->codec->decode_one && at < s->count; at += step) {
		uint16_t symbol = (uint16_t)~s->symbols[at];
		enum el_status status = s->c->codec->decode_one(s->c->coder, s->bytes, s->size,
		                                                s->count, at, &symbol, &error);
		if (status || symbol != s->symbols[at])
			fail_msg("%s: symbol %zu of %zu", s->c->codec->name, at, s->count);
	}
}

/* The progress of a block's tokens. */
struct told {
	size_t bit, symbol;
	bool in_order;
};

static void tell(void *context, const struct el_codec_token *token)
{
	struct told *told = context;
	told->in_order &=
		token->bit >= told->bit && (!token->count || token->first == told->symbol);
	told->bit = token->bit + token->bits;
	told->symbol += token->count;
}

static void check_tokens(const struct sample *s)
{
	struct told told = {.in_order = true};
	struct el_error error;
	if (!s->c->codec->tokens)
		return;
	assert_int_equal(
		s->c->codec->tokens(s->c->coder, s->bytes, s->size, s->count, tell, &told, &error),
		EL_OK);
	assert_true(told.in_order);
	assert_true(told.bit <= 8 * s->size);
	assert_int_equal(told.symbol, s->count);
}

static void round_trip(struct fixture_coder *c, const uint16_t *symbols, size_t count, size_t step)
{
	struct sample s = {.c = c, .symbols = symbols, .count = count};
	uint8_t *bytes = fixture_encode(c, symbols, count, &s.size);
	s.bytes = fixture_at_the_edge(bytes, s.size);
	check_decode(&s);
	check_decode_one(&s, step);
	check_tokens(&s);
	free(bytes);
}

static void round_trip_plane(const struct el_codec_choice *choice, uint32_t value_count,
                             const uint16_t *symbols, size_t positions)
{
	struct fixture_coder c = fixture_coder(choice, value_count, BLOCK, symbols, positions);
	for (size_t i = 0; i < positions; i += BLOCK)
		round_trip(&c, symbols + i, positions - i < BLOCK ? positions - i : BLOCK, 1);
	fixture_coder_close(&c);
}

/* Planes of several blocks, the last one short. */
static void round_trips(const struct case_of_codec *of)
{
	static uint16_t symbols[PLANE + TAIL_MOST];
	uint64_t seed = of->seed;
	const size_t positions = PLANE + tails[seed % TAILS];
	of->make(symbols, positions, of->value_count, &seed);
	round_trip_plane(of->choice, of->value_count, symbols, positions);
}

/* Planes of one short block. */
static void round_trips_of_one(const struct case_of_codec *of)
{
	uint16_t symbols[TAIL_MOST];
	uint64_t seed = of->seed;
	const size_t positions = tails[seed % TAILS];
	of->make(symbols, positions, of->value_count, &seed);
	round_trip_plane(of->choice, of->value_count, symbols, positions);
}

static void test_round_trips(void **state)
{
	(void)state;
	for_each_case(1, 10, round_trips);
	for_each_case(5, 20, round_trips_of_one);
}

/* A block of the largest size, with the quickest options. */
static void round_trip_largest(const struct el_codec *codec, pattern *make)
{
	enum { COUNT = 1 << 20, STEP = 99991 };
	uint16_t *symbols = malloc(COUNT * sizeof *symbols);
	struct el_codec_choice choice = {.codec = codec};
	uint64_t seed = 7;
	for (unsigned i = 0; i < codec->option_count; i++)
		choice.option[i] = codec->options[i].least;
	make(symbols, COUNT, 65536, &seed);
	struct fixture_coder c = fixture_coder(&choice, 65536, COUNT, symbols, COUNT);
	round_trip(&c, symbols, COUNT, STEP);
	fixture_coder_close(&c);
	free(symbols);
}

static void test_largest_block(void **state)
{
	(void)state;
	const struct el_codec *codec;
	for (size_t i = 0; (codec = el_codec_at(i)); i++) {
		round_trip_largest(codec, pattern_noise);
		if (!tests_are_slow())
			round_trip_largest(codec, pattern_runs);
	}
}

/* ---- known bytes ---- */

static void test_raw_bits(void **state)
{
	(void)state;
	const uint16_t symbols[] = {1, 2, 3, 4}; /* 001, 010, 011, 100, from the right */
	const uint8_t expected[] = {0xd1, 0x08}; /* 11010001, 00001000 */
	uint8_t bytes[16];
	assert_int_equal(fixture_encode_as("raw", 5, symbols, 4, bytes), sizeof expected);
	assert_memory_equal(bytes, expected, sizeof expected);
	assert_int_equal(fixture_encode_as("raw", 1, (const uint16_t[]){0, 0, 0}, 3, bytes), 0);
}

/* Runs 0 x 1, 2 x 3, 1 x 43: numbers 0, 2 * 3 + 2, 42 * 3 + 1. */
static void test_rle_bytes(void **state)
{
	(void)state;
	uint16_t symbols[47] = {0, 2, 2, 2};
	const uint8_t plain[] = {0, 8, 0x7f};
	const uint8_t listed[] = {2, 1, 1, 4, 2, 0, 8, 0x7f}; /* from 1 at 1, from 4 at 2 */
	const uint8_t longer[] = {0, 0, 8, 0x82, 1};          /* no directory; 43 * 3 + 1 */
	uint8_t bytes[1024];
	for (size_t i = 4; i < 47; i++)
		symbols[i] = 1;
	assert_int_equal(fixture_encode_as("rle:0", 3, symbols, 47, bytes), sizeof plain);
	assert_memory_equal(bytes, plain, sizeof plain);
	assert_int_equal(fixture_encode_as("rle:1", 3, symbols, 47, bytes), sizeof listed);
	assert_memory_equal(bytes, listed, sizeof listed);
	uint16_t more[48];
	memcpy(more, symbols, sizeof symbols);
	more[47] = 1;
	assert_int_equal(fixture_encode_as("rle:3", 3, more, 48, bytes), sizeof longer);
	assert_memory_equal(bytes, longer, sizeof longer);
}

/* With its magic number restored, any Zstandard decoder reads a block. */
static void test_zstd_frame(void **state)
{
	(void)state;
	uint16_t symbols[BLOCK];
	uint64_t seed = 3;
	pattern_runs(symbols, BLOCK, 256, &seed);
	uint8_t bytes[2 * BLOCK] = {0x28, 0xb5, 0x2f, 0xfd}, plain[BLOCK];
	size_t size = fixture_encode_as("zstd:19", 256, symbols, BLOCK, bytes + 4);
	assert_int_equal(ZSTD_decompress(plain, sizeof plain, bytes, size + 4), BLOCK);
	for (size_t i = 0; i < BLOCK; i++)
		assert_int_equal(plain[i], symbols[i]);
}

/* Any decoder of .xz files reads a block in a container. */
static void test_xz_stream(void **state)
{
	(void)state;
	uint16_t symbols[BLOCK];
	uint64_t seed = 3, memory = UINT64_MAX;
	pattern_runs(symbols, BLOCK, 256, &seed);
	uint8_t bytes[2 * BLOCK], plain[BLOCK];
	size_t from = 0, to = 0,
	       size = fixture_encode_as("xz:6:container=1", 256, symbols, BLOCK, bytes);
	assert_int_equal(
		lzma_stream_buffer_decode(&memory, 0, NULL, bytes, &from, size, plain, &to, BLOCK),
		LZMA_OK);
	assert_int_equal(to, BLOCK);
	for (size_t i = 0; i < BLOCK; i++)
		assert_int_equal(plain[i], symbols[i]);
}

static struct el_codec_choice choice_of(const char *text)
{
	struct el_codec_choice choice;
	assert_int_equal(el_codec_parse(text, &choice, NULL), EL_OK);
	return choice;
}

static size_t memory_of(const struct el_codec_choice *choice)
{
	const struct el_codec_params params = choice_params(choice, 256, EL_BLOCK_MAX);
	return choice->codec->memory(&params, 0);
}

/* Nothing beyond the window can be copied, so it need not be kept; lc and lp share the bits of a
   context, however they are given. */
static void test_xz_options(void **state)
{
	(void)state;
	enum { COUNT = 4 * 8192 };
	static uint16_t symbols[COUNT];
	const struct el_codec_choice whole = choice_of("xz"), small = choice_of("xz:window=4"),
				     large = choice_of("xz:window=2048");
	uint64_t seed = 3;
	pattern_noise(symbols, COUNT, 256, &seed);
	memcpy(symbols + COUNT / 2, symbols, COUNT / 2 * sizeof *symbols);
	assert_true(fixture_plane_bytes(&whole, 256, COUNT, symbols, COUNT) < COUNT * 3 / 5);
	assert_true(fixture_plane_bytes(&small, 256, COUNT, symbols, COUNT) > COUNT * 9 / 10);
	assert_true(memory_of(&small) + EL_BLOCK_MAX / 2 < memory_of(&whole));
	assert_int_equal(memory_of(&large), memory_of(&whole));
	struct el_codec_params params = {256, COUNT, {6, 0, 4, 0, 1, 0}, NULL};
	struct el_error error;
	void *coder;
	assert_int_equal(el_codec_find("xz")->open(&params, NULL, 0, &coder, &error), EL_USAGE);
	assert_string_equal(error.text, "lc + lp: found 4 + 1, expected at most 4");
}

/* Incompressible data does not grow either. */
static void test_xz_noise(void **state)
{
	(void)state;
	uint16_t symbols[BLOCK];
	uint8_t bytes[BLOCK];
	uint64_t seed = 3;
	pattern_noise(symbols, BLOCK, 256, &seed);
	assert_int_equal(fixture_encode_as("xz", 256, symbols, BLOCK, bytes), BLOCK);
}

/* A dictionary suits many small similar blocks; from a few it cannot be made. */
static void test_zstd_dictionary(void **state)
{
	(void)state;
	enum { SMALL = 64, COUNT = 256 * SMALL };
	static uint16_t symbols[COUNT];
	struct el_codec_choice without, with;
	uint64_t seed = 5;
	pattern_runs(symbols, COUNT, 200, &seed);
	for (size_t i = 4 * SMALL; i < COUNT; i++)
		symbols[i] = i % SMALL < 60 ? symbols[i - 4 * SMALL] : symbols[i];
	assert_int_equal(el_codec_parse("zstd:19", &without, NULL), EL_OK);
	assert_int_equal(el_codec_parse("zstd:19:dict=1", &with, NULL), EL_OK);
	assert_true(fixture_plane_bytes(&with, 200, SMALL, symbols, COUNT) <
	            fixture_plane_bytes(&without, 200, SMALL, symbols, COUNT));
	struct fixture_coder c = fixture_coder(&with, 200, SMALL, symbols, 4 * SMALL);
	assert_int_equal(c.learned_size, 0);
	fixture_coder_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trips), cmocka_unit_test(test_largest_block),
		cmocka_unit_test(test_raw_bits),    cmocka_unit_test(test_rle_bytes),
		cmocka_unit_test(test_zstd_frame),  cmocka_unit_test(test_zstd_dictionary),
		cmocka_unit_test(test_xz_stream),   cmocka_unit_test(test_xz_options),
		cmocka_unit_test(test_xz_noise),
	};
	return cmocka_run_group_tests(tests, fixture_load_samples, NULL);
}
