/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every codec: what goes in comes out, at once and one by one, and bytes from anywhere do no harm. */
#include "codec_fixture.h"
#include "store_fixture.h"

#include <lzma.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include <cmocka.h>

enum { BLOCK = 1024, BLOCKS = 8, PLANE = BLOCK * BLOCKS };

static const size_t tails[] = {1, 2, 7, 8, 255, 256, 1023};
enum { TAILS = sizeof tails / sizeof *tails, TAIL_MOST = 1023 };

/* ---- round trips ---- */

/* An encoded block; its bytes lie where no more can be read. */
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

/* How far the tokens of a block have come. */
struct told {
	size_t bit, symbol;
	bool in_order;
};

static void tell(void *context, const struct el_codec_token *token)
{
	struct told *told = context;
	told->in_order &= token->bit >= told->bit && (!token->count || token->first == told->symbol);
	told->bit = token->bit + token->bits;
	told->symbol += token->count;
}

static void check_tokens(const struct sample *s)
{
	struct told told = {.in_order = true};
	struct el_error error;
	if (!s->c->codec->tokens)
		return;
	assert_int_equal(s->c->codec->tokens(s->c->coder, s->bytes, s->size, s->count, tell, &told,
	                                     &error),
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

/* Planes of many blocks, and of one short block. */
static void round_trips(const struct el_codec_choice *choice)
{
	static uint16_t symbols[PLANE + TAIL_MOST];
	for (unsigned a = 0; alphabets[a]; a++)
		for (unsigned p = 0; patterns[p]; p++) {
			const size_t tail = tails[(a + p) % TAILS];
			uint64_t seed = 100 * a + p;
			patterns[p](symbols, PLANE + tail, alphabets[a], &seed);
			round_trip_plane(choice, alphabets[a], symbols, PLANE + tail);
			patterns[p](symbols, tail, alphabets[a], &seed);
			round_trip_plane(choice, alphabets[a], symbols, tail);
		}
}

static void test_round_trips(void **state)
{
	(void)state;
	for_each_choice(round_trips);
}

/* A block of the largest size there is, with the quickest options. */
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
		round_trip_largest(codec, pattern_runs);
	}
}

/* ---- known bytes ---- */

/* Encodes with a codec as the command line calls it; returns how many bytes. */
static size_t encode_as(const char *text, uint32_t value_count, const uint16_t *symbols,
                        size_t count, uint8_t *out)
{
	struct el_codec_choice choice;
	size_t size;
	assert_int_equal(el_codec_parse(text, &choice, NULL), EL_OK);
	struct fixture_coder c = fixture_coder(&choice, value_count, BLOCK, symbols, count);
	uint8_t *bytes = fixture_encode(&c, symbols, count, &size);
	memcpy(out, bytes, size);
	free(bytes);
	fixture_coder_close(&c);
	return size;
}

static void test_raw_bits(void **state)
{
	(void)state;
	const uint16_t symbols[] = {1, 2, 3, 4}; /* 001, 010, 011, 100, from the right */
	const uint8_t expected[] = {0xd1, 0x08}; /* 11010001, 00001000 */
	uint8_t bytes[16];
	assert_int_equal(encode_as("raw", 5, symbols, 4, bytes), sizeof expected);
	assert_memory_equal(bytes, expected, sizeof expected);
	assert_int_equal(encode_as("raw", 1, (const uint16_t[]){0, 0, 0}, 3, bytes), 0);
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
	assert_int_equal(encode_as("rle:0", 3, symbols, 47, bytes), sizeof plain);
	assert_memory_equal(bytes, plain, sizeof plain);
	assert_int_equal(encode_as("rle:1", 3, symbols, 47, bytes), sizeof listed);
	assert_memory_equal(bytes, listed, sizeof listed);
	uint16_t more[48];
	memcpy(more, symbols, sizeof symbols);
	more[47] = 1;
	assert_int_equal(encode_as("rle:3", 3, more, 48, bytes), sizeof longer);
	assert_memory_equal(bytes, longer, sizeof longer);
}

/* With its magic number put back, a block is a frame that any Zstandard decoder reads. */
static void test_zstd_frame(void **state)
{
	(void)state;
	uint16_t symbols[BLOCK];
	uint64_t seed = 3;
	pattern_runs(symbols, BLOCK, 256, &seed);
	uint8_t bytes[2 * BLOCK] = {0x28, 0xb5, 0x2f, 0xfd}, plain[BLOCK];
	size_t size = encode_as("zstd:19", 256, symbols, BLOCK, bytes + 4);
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
	size_t from = 0, to = 0, size = encode_as("xz:6:container=1", 256, symbols, BLOCK, bytes);
	assert_int_equal(lzma_stream_buffer_decode(&memory, 0, NULL, bytes, &from, size, plain, &to,
	                                           BLOCK),
	                 LZMA_OK);
	assert_int_equal(to, BLOCK);
	for (size_t i = 0; i < BLOCK; i++)
		assert_int_equal(plain[i], symbols[i]);
}

/* What does not get smaller does not get larger either. */
static void test_xz_noise(void **state)
{
	(void)state;
	uint16_t symbols[BLOCK];
	uint8_t bytes[BLOCK];
	uint64_t seed = 3;
	pattern_noise(symbols, BLOCK, 256, &seed);
	assert_int_equal(encode_as("xz", 256, symbols, BLOCK, bytes), BLOCK);
}

/* Many small blocks that are alike are what a dictionary is for; few are too few to make one. */
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

/* ---- damage ---- */

/* Damaged, or symbols of the alphabet; the same one by one. */
static void check_damaged(const struct fixture_coder *c, const uint8_t *bytes, size_t size,
                          size_t count, uint64_t *state)
{
	const uint8_t *exact = fixture_at_the_edge(bytes, size);
	uint16_t *symbols = malloc(count * sizeof *symbols), symbol;
	struct el_error error = {.text = ""};
	enum el_status status =
		c->codec->decode(c->coder, exact, size, symbols, count, &error);
	assert_true(!status || (status == EL_DAMAGED && *error.text));
	for (size_t i = 0; !status && i < count; i++)
		assert_true(symbols[i] < c->params.value_count);
	free(symbols);
	for (unsigned i = 0; c->codec->decode_one && i < 8; i++) {
		const size_t at = i ? fixture_random(state) % count : count - 1;
		error.text[0] = 0;
		status = c->codec->decode_one(c->coder, exact, size, count, at, &symbol, &error);
		assert_true(!status || (status == EL_DAMAGED && *error.text));
		assert_true(status || symbol < c->params.value_count);
	}
}

static void ignore_token(void *context, const struct el_codec_token *token)
{
	(void)context, (void)token;
}

static void flip_bits(uint8_t *bytes, size_t size, uint64_t *state)
{
	for (unsigned flips = 1 + fixture_random(state) % 4; size && flips; flips--)
		bytes[fixture_random(state) % size] ^= (uint8_t)(1 << fixture_random(state) % 8);
}

static void fill_noise(uint8_t *bytes, size_t size, uint64_t *state)
{
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)fixture_random(state);
}

/* Flipped bits, a part of the bytes, more bytes, and noise; `sound` are the bytes of a block. */
static void damage(const struct fixture_coder *c, const uint8_t *sound, size_t size, size_t count,
                   uint64_t *state)
{
	enum { MORE = 16 };
	uint8_t *bytes = malloc(size + MORE);
	memcpy(bytes, sound, size);
	flip_bits(bytes, size, state);
	check_damaged(c, bytes, size, count, state);
	if (c->codec->tokens)
		c->codec->tokens(c->coder, fixture_at_the_edge(bytes, size), size, count,
		                 ignore_token, NULL, NULL);
	check_damaged(c, sound, size ? fixture_random(state) % size : 0, count, state);
	fill_noise(bytes + size, MORE, state);
	check_damaged(c, bytes, size + 1 + fixture_random(state) % MORE, count, state);
	const size_t noise = fixture_random(state) % (size + MORE);
	fill_noise(bytes, noise, state);
	check_damaged(c, bytes, noise, count, state);
	free(bytes);
}

/* Sound blocks read with what was learned damaged, where that is not refused at once. */
static void damage_learned(const struct fixture_coder *sound, const uint8_t *block, size_t size,
                           size_t count, uint64_t *state)
{
	struct fixture_coder c = *sound;
	c.learned = malloc(c.learned_size + 1);
	memcpy(c.learned, sound->learned, c.learned_size);
	switch (fixture_random(state) % 4) {
	case 0:
		fill_noise(c.learned, c.learned_size, state);
		break;
	case 1:
		c.learned_size = fixture_random(state) % c.learned_size;
		break;
	case 2: /* where headers are */
		flip_bits(c.learned, c.learned_size < 128 ? c.learned_size : 128, state);
		break;
	default:
		flip_bits(c.learned, c.learned_size, state);
	}
	struct el_error error = {.text = ""};
	enum el_status status = c.codec->open(&c.params, c.learned, c.learned_size, &c.coder, &error);
	assert_true(!status || (status == EL_DAMAGED && *error.text));
	if (!status) {
		check_damaged(&c, block, size, count, state);
		c.codec->close(c.coder);
	}
	free(c.learned);
}

static void damage_plane(const struct el_codec_choice *choice, uint32_t value_count, pattern *make)
{
	enum { ROUNDS = 12 };
	static uint16_t symbols[PLANE];
	uint64_t state = 11 * value_count;
	make(symbols, PLANE, value_count, &state);
	struct fixture_coder c = fixture_coder(choice, value_count, BLOCK, symbols, PLANE);
	for (unsigned i = 0; i < ROUNDS; i++) {
		const size_t first = fixture_random(&state) % BLOCKS * BLOCK;
		const size_t count = i % 2 ? BLOCK : 1 + fixture_random(&state) % BLOCK;
		size_t size;
		uint8_t *bytes = fixture_encode(&c, symbols + first, count, &size);
		damage(&c, bytes, size, count, &state);
		for (unsigned k = 0; k < 4 && c.learned_size; k++)
			damage_learned(&c, bytes, size, count, &state);
		free(bytes);
	}
	fixture_coder_close(&c);
}

static void damage_all(const struct el_codec_choice *choice)
{
	for (unsigned a = 0; alphabets[a]; a++)
		for (unsigned p = 0; patterns[p]; p++)
			damage_plane(choice, alphabets[a], patterns[p]);
}

static void test_damage(void **state)
{
	(void)state;
	for_each_choice(damage_all);
}

/* Codecs that tell symbols past the alphabet, a wrong count and bytes past the end from good ones. */
static const char *const strict[] = {
	"raw", "rle", "rle:0", "zstd:1", "zstd:19:dict=4", "xz", "xz:0:container=1",
};

static void check_strict(const char *text)
{
	struct el_codec_choice choice;
	assert_int_equal(el_codec_parse(text, &choice, NULL), EL_OK);
	const struct el_codec *codec = choice.codec;
	uint16_t symbols[256], back[256];
	pattern_ramp(symbols, 256, 256, NULL);
	struct fixture_coder wide = fixture_coder(&choice, 256, 256, symbols, 256);
	struct fixture_coder narrow = fixture_coder(&choice, 200, 256, symbols, 200);
	uint8_t bytes[1024];
	size_t size = encode_as(text, 256, symbols, 256, bytes);
	assert_int_equal(codec->decode(wide.coder, bytes, size, back, 256, NULL), EL_OK);
	assert_int_equal(codec->decode(narrow.coder, bytes, size, back, 256, NULL), EL_DAMAGED);
	assert_int_equal(codec->decode(wide.coder, bytes, size, back, 255, NULL), EL_DAMAGED);
	assert_int_equal(codec->decode(wide.coder, bytes, size - 1, back, 256, NULL), EL_DAMAGED);
	bytes[size] = 0xff;
	assert_int_equal(codec->decode(wide.coder, bytes, size + 1, back, 256, NULL), EL_DAMAGED);
	fixture_coder_close(&wide);
	fixture_coder_close(&narrow);
}

static void test_strict(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof strict / sizeof *strict; i++)
		check_strict(strict[i]);
}

/* A codec takes nothing as learned that it cannot have learned. */
static void refuses_learned(const struct el_codec_choice *choice)
{
	const struct el_codec_params params = choice_params(choice, 256, 256);
	const uint8_t learned[] = {1};
	struct el_error error = {.text = ""};
	void *coder;
	assert_int_equal(choice->codec->open(&params, learned, 1, &coder, &error), EL_DAMAGED);
	assert_true(strlen(error.text) > 0);
}

static void test_learned_nothing(void **state)
{
	(void)state;
	for_each_choice(refuses_learned);
}

/* rle has one encoding for each sequence: others of the same meaning are refused. */
static void test_rle_one_way(void **state)
{
	(void)state;
	static const struct {
		const char *why;
		uint8_t bytes[8];
		size_t size;
	} bad[] = {
		{"no head", {0}, 0},
		{"a directory without entries", {1, 8, 1}, 3},
		{"an entry for another position", {1, 2, 1, 8, 1}, 5},
		{"an entry for another offset", {1, 3, 2, 8, 1}, 5},
		{"an entry missing", {0, 8, 1}, 3},
		{"a run cut in two", {1, 2, 1, 5, 2, 1}, 6},
		{"a number longer than need be", {1, 3, 2, 0x88, 0, 1}, 6},
		{"a number without an end", {1, 3, 1, 8, 0x81}, 5},
		{"a run past the end", {1, 3, 1, 8, 4}, 5},
		{"a run missing", {0, 8}, 2},
		{"a byte too many", {1, 3, 1, 8, 1, 1}, 6},
	};
	const uint16_t symbols[] = {2, 2, 2, 1};
	const uint8_t good[] = {1, 3, 1, 8, 1};
	uint8_t bytes[64];
	uint16_t back[4];
	struct el_codec_choice choice;
	assert_int_equal(encode_as("rle:1", 3, symbols, 4, bytes), sizeof good);
	assert_memory_equal(bytes, good, sizeof good);
	assert_int_equal(el_codec_parse("rle:1", &choice, NULL), EL_OK);
	struct fixture_coder c = fixture_coder(&choice, 3, BLOCK, symbols, 4);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (c.codec->decode(c.coder, bad[i].bytes, bad[i].size, back, 4, NULL) != EL_DAMAGED)
			fail_msg("%s: not refused", bad[i].why);
	fixture_coder_close(&c);
}

/* The sample is one of them. */
static int load_sample(void **state)
{
	(void)state;
	return el_codec_load(fixture_built("samples/pages.so"), NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trips), cmocka_unit_test(test_largest_block),
		cmocka_unit_test(test_raw_bits),    cmocka_unit_test(test_rle_bytes),
		cmocka_unit_test(test_zstd_frame),  cmocka_unit_test(test_zstd_dictionary),
		cmocka_unit_test(test_xz_stream),   cmocka_unit_test(test_xz_noise),
		cmocka_unit_test(test_damage),      cmocka_unit_test(test_strict),
		cmocka_unit_test(test_rle_one_way), cmocka_unit_test(test_learned_nothing),
	};
	return cmocka_run_group_tests(tests, load_sample, NULL);
}
