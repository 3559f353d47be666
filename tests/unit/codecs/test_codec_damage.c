/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every codec: arbitrary bytes do no harm, and bytes that encode could not have made are
   reported. */
#include "tests/fixtures/codec_fixture.h"
#include "tests/fixtures/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BLOCK = FIXTURE_BLOCK, BLOCKS = 8, PLANE = BLOCK * BLOCKS };

/* Damaged, or symbols of the alphabet; decoding one by one agrees. */
static void check_damaged(const struct fixture_coder *c, const uint8_t *bytes, size_t size,
                          size_t count, uint64_t *state)
{
	const uint8_t *exact = fixture_at_the_edge(bytes, size);
	uint16_t *symbols = malloc(count * sizeof *symbols), symbol;
	struct el_error error = {.text = ""};
	enum el_status status = c->codec->decode(c->coder, exact, size, symbols, count, &error);
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

/* Flipped bits, a part of the bytes, extra bytes, and noise; `sound` are the bytes of a block. */
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

/* Reads sound blocks with damaged learned data, unless opening refuses it. */
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
	case 2: /* the place of headers */
		flip_bits(c.learned, c.learned_size < 128 ? c.learned_size : 128, state);
		break;
	default:
		flip_bits(c.learned, c.learned_size, state);
	}
	struct el_error error = {.text = ""};
	enum el_status status =
		c.codec->open(&c.params, c.learned, c.learned_size, &c.coder, &error);
	assert_true(!status || (status == EL_DAMAGED && *error.text));
	if (!status) {
		check_damaged(&c, block, size, count, state);
		c.codec->close(c.coder);
	}
	free(c.learned);
}

static void damage_plane(const struct case_of_codec *of)
{
	enum { ROUNDS = 40 };
	static uint16_t symbols[PLANE];
	uint64_t state = of->seed;
	of->make(symbols, PLANE, of->value_count, &state);
	struct fixture_coder c = fixture_coder(of->choice, of->value_count, BLOCK, symbols, PLANE);
	for (unsigned i = 0; i < ROUNDS; i++) {
		const size_t first = fixture_random(&state) % BLOCKS * BLOCK;
		const size_t count = i % 2 ? BLOCK : 1 + fixture_random(&state) % BLOCK;
		size_t size;
		uint8_t *bytes = fixture_encode(&c, symbols + first, count, &size);
		damage(&c, bytes, size, count, &state);
		if (c.learned_size)
			damage_learned(&c, bytes, size, count, &state);
		free(bytes);
	}
	fixture_coder_close(&c);
}

static void test_damage(void **state)
{
	(void)state;
	for_each_case(5, 10, damage_plane);
}

/* ---- strictness ---- */

/* Codecs that refuse symbols past the alphabet, a wrong count and bytes past the end. */
static const char *const strict[] = {
	"raw",
	"rle",
	"rle:0",
	"zstd:1",
	"zstd:19:dict=4",
	"xz",
	"xz:0:container=1",
	"xz:lp=2:window=4",
	"xz:container=1:lc=1:unit=3:lp=3:window=4",
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
	size_t size = fixture_encode_as(text, 256, symbols, 256, bytes);
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

/* A codec refuses learned data that it cannot have learned. */
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

/* A codec refuses more learned data than possible. */
static void test_zstd_dictionary_too_large(void **state)
{
	(void)state;
	static uint16_t symbols[PLANE];
	struct el_codec_choice choice;
	struct el_error error = {.text = ""};
	uint64_t seed = 5;
	void *coder;
	pattern_runs(symbols, PLANE, 200, &seed);
	assert_int_equal(el_codec_parse("zstd:19:dict=2", &choice, NULL), EL_OK);
	struct fixture_coder c = fixture_coder(&choice, 200, BLOCK, symbols, PLANE);
	assert_int_equal(el_codec_parse("zstd:19:dict=1", &choice, NULL), EL_OK);
	const struct el_codec_params params = choice_params(&choice, 200, BLOCK);
	assert_true(c.learned_size > 1024);
	assert_int_equal(c.codec->open(&params, c.learned, c.learned_size, &coder, &error),
	                 EL_DAMAGED);
	assert_non_null(strstr(error.text, "at most 1024 learned bytes"));
	fixture_coder_close(&c);
}

/* rle has one encoding for each sequence, and refuses others with the same meaning. */
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
		{"an entry too many", {2, 3, 1, 4, 2, 8, 1}, 7},
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
	assert_int_equal(fixture_encode_as("rle:1", 3, symbols, 4, bytes), sizeof good);
	assert_memory_equal(bytes, good, sizeof good);
	assert_int_equal(el_codec_parse("rle:1", &choice, NULL), EL_OK);
	struct fixture_coder c = fixture_coder(&choice, 3, BLOCK, symbols, 4);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (c.codec->decode(c.coder, bad[i].bytes, bad[i].size, back, 4, NULL) !=
		    EL_DAMAGED)
			fail_msg("%s: not refused", bad[i].why);
	fixture_coder_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_strict),
		cmocka_unit_test(test_learned_nothing),
		cmocka_unit_test(test_zstd_dictionary_too_large),
		cmocka_unit_test(test_rle_one_way),
	};
	return cmocka_run_group_tests(tests, fixture_load_samples, NULL);
}
