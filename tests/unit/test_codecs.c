/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Codecs: what goes in comes out, and bytes from anywhere do no harm. The fill stage. */
#include "endlab/codec.h"

#include "store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <zstd.h>

#include <cmocka.h>

/* ---- planes of symbols ---- */

static uint16_t any(uint64_t *state, uint32_t value_count)
{
	return (uint16_t)(fixture_random(state) % value_count);
}

static void constant(uint16_t *s, size_t count, uint32_t value_count, uint64_t *state)
{
	uint16_t symbol = any(state, value_count);
	for (size_t i = 0; i < count; i++)
		s[i] = symbol;
}

static void largest(uint16_t *s, size_t count, uint32_t value_count, uint64_t *state)
{
	(void)state;
	for (size_t i = 0; i < count; i++)
		s[i] = (uint16_t)(value_count - 1);
}

static void noise(uint16_t *s, size_t count, uint32_t value_count, uint64_t *state)
{
	for (size_t i = 0; i < count; i++)
		s[i] = any(state, value_count);
}

static void runs(uint16_t *s, size_t count, uint32_t value_count, uint64_t *state)
{
	for (size_t i = 0; i < count; i++)
		s[i] = i > 0 && fixture_random(state) % 16 ? s[i - 1] : any(state, value_count);
}

static void ramp(uint16_t *s, size_t count, uint32_t value_count, uint64_t *state)
{
	(void)state;
	for (size_t i = 0; i < count; i++)
		s[i] = (uint16_t)(i % value_count);
}

/* One odd symbol at the end, where a decoder that stops early is found out. */
static void last_differs(uint16_t *s, size_t count, uint32_t value_count, uint64_t *state)
{
	(void)state;
	memset(s, 0, count * sizeof *s);
	s[count - 1] = (uint16_t)(value_count - 1);
}

static void (*const patterns[])(uint16_t *, size_t, uint32_t, uint64_t *) = {
	constant, largest, noise, runs, ramp, last_differs,
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

static const uint32_t alphabets[] = {1, 2, 3, 4, 5, 16, 17, 200, 256, 257, 5000, 65535, 65536};
enum { ALPHABETS = sizeof alphabets / sizeof *alphabets };

static const size_t counts[] = {1, 2, 7, 8, 255, 4095, 4096};
enum { COUNTS = sizeof counts / sizeof *counts, BLOCK = 4096 };

static void *open_coder(const struct el_codec *codec, const struct el_codec_params *params)
{
	void *coder;
	struct el_error error;
	assert_int_equal(codec->open(params, NULL, 0, &coder, &error), EL_OK);
	return coder;
}

/* ---- round trips ---- */

static void round_trip(const struct el_codec *codec, void *coder,
                       const struct el_codec_params *params, const uint16_t *symbols, size_t count)
{
	size_t room = codec->bound(params, count), size = 0;
	uint8_t *bytes = malloc(room + !room);
	uint16_t *back = malloc(count * sizeof *back);
	struct el_error error;
	assert_int_equal(codec->encode(coder, symbols, count, bytes, room, &size, &error), EL_OK);
	assert_true(size <= room);
	/* Exactly as many bytes as there are, so that a sanitizer sees a read past their end. */
	uint8_t *exact = malloc(size + !size);
	memcpy(exact, bytes, size);
	assert_int_equal(codec->decode(coder, exact, size, back, count, &error), EL_OK);
	assert_memory_equal(back, symbols, count * sizeof *back);
	free(exact);
	free(bytes);
	free(back);
}

static void round_trips(const struct el_codec *codec, int level, uint32_t value_count)
{
	const struct el_codec_params params = {value_count, BLOCK, level};
	void *coder = open_coder(codec, &params);
	uint16_t symbols[BLOCK];
	uint64_t state = value_count;
	for (unsigned p = 0; p < PATTERNS; p++)
		for (unsigned c = 0; c < COUNTS; c++) {
			patterns[p](symbols, counts[c], value_count, &state);
			round_trip(codec, coder, &params, symbols, counts[c]);
		}
	codec->close(coder);
}

static void test_round_trips(void **state)
{
	(void)state;
	for (const struct el_codec *const *c = el_codecs; *c; c++) {
		const int levels[] = {(*c)->level_min, (*c)->level_default, (*c)->level_max};
		for (unsigned i = 0; i < 3; i++)
			for (unsigned a = 0; a < ALPHABETS; a++)
				round_trips(*c, levels[i], alphabets[a]);
	}
}

static void test_largest_block(void **state)
{
	(void)state;
	enum { COUNT = 1 << 20 };
	uint16_t *symbols = malloc(COUNT * sizeof *symbols);
	uint64_t seed = 7;
	for (const struct el_codec *const *c = el_codecs; *c; c++) {
		const struct el_codec_params params = {65536, COUNT, (*c)->level_min};
		void *coder = open_coder(*c, &params);
		noise(symbols, COUNT, 65536, &seed);
		round_trip(*c, coder, &params, symbols, COUNT);
		(*c)->close(coder);
	}
	free(symbols);
}

/* ---- known bytes ---- */

static void test_raw_bits(void **state)
{
	(void)state;
	const struct el_codec_params params = {5, 256, 0};
	void *coder = open_coder(&el_codec_raw, &params);
	const uint16_t symbols[] = {1, 2, 3, 4}; /* 001, 010, 011, 100, from the right */
	uint8_t bytes[2];
	size_t size;
	assert_int_equal(el_codec_raw.bound(&params, 4), 2);
	assert_int_equal(el_codec_raw.encode(coder, symbols, 4, bytes, 2, &size, NULL), EL_OK);
	assert_int_equal(size, 2);
	assert_int_equal(bytes[0], 0xd1); /* 11010001 */
	assert_int_equal(bytes[1], 0x08); /* 00001000 */
	el_codec_raw.close(coder);
	const struct el_codec_params one = {1, 256, 0};
	assert_int_equal(el_codec_raw.bound(&one, 256), 0);
}

/* With its magic number put back, a block is a frame that any Zstandard decoder reads. */
static void test_zstd_frame(void **state)
{
	(void)state;
	const struct el_codec_params params = {256, BLOCK, 19};
	void *coder = open_coder(&el_codec_zstd, &params);
	uint16_t symbols[BLOCK];
	uint64_t seed = 3;
	runs(symbols, BLOCK, 256, &seed);
	uint8_t bytes[2 * BLOCK] = {0x28, 0xb5, 0x2f, 0xfd}, plain[BLOCK];
	size_t size;
	assert_int_equal(el_codec_zstd.encode(coder, symbols, BLOCK, bytes + 4, sizeof bytes - 4,
	                                      &size, NULL),
	                 EL_OK);
	assert_int_equal(ZSTD_decompress(plain, sizeof plain, bytes, size + 4), BLOCK);
	for (size_t i = 0; i < BLOCK; i++)
		assert_int_equal(plain[i], symbols[i]);
	el_codec_zstd.close(coder);
}

/* ---- damage ---- */

struct sample {
	const struct el_codec *codec;
	struct el_codec_params params;
	void *coder;
	uint8_t *bytes;
	size_t size, count;
};

enum { ROOM = 1 << 20 };

/* A copy of the bytes right before a page that cannot be read; the next one takes its place. */
static const uint8_t *at_the_edge(const uint8_t *bytes, size_t size)
{
	static uint8_t *edge;
	if (!edge) {
		uint8_t *map = mmap(NULL, 2 * ROOM, PROT_READ | PROT_WRITE,
		                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		assert_true(map != MAP_FAILED);
		edge = map + ROOM;
		assert_int_equal(mprotect(edge, ROOM, PROT_NONE), 0);
	}
	assert_true(size <= ROOM);
	return memcpy(edge - size, bytes, size);
}

/* Damaged, or symbols of the alphabet; a sanitizer watches the edges of what is written. */
static void check_decode(const struct sample *s, const uint8_t *bytes, size_t size)
{
	const uint8_t *exact = at_the_edge(bytes, size);
	uint16_t *symbols = malloc(s->count * sizeof *symbols);
	struct el_error error = {.text = ""};
	enum el_status status = s->codec->decode(s->coder, exact, size, symbols, s->count, &error);
	if (status) {
		assert_int_equal(status, EL_DAMAGED);
		assert_true(strlen(error.text) > 0);
	}
	for (size_t i = 0; !status && i < s->count; i++)
		assert_true(symbols[i] < s->params.value_count);
	free(symbols);
}

static void damage(const struct sample *s, uint64_t *state)
{
	uint8_t *bytes = malloc(s->size + 16);
	memcpy(bytes, s->bytes, s->size);
	for (unsigned flips = 1 + fixture_random(state) % 4; s->size && flips; flips--)
		bytes[fixture_random(state) % s->size] ^= (uint8_t)(1 << fixture_random(state) % 8);
	check_decode(s, bytes, s->size);
	check_decode(s, s->bytes, s->size ? fixture_random(state) % s->size : 0);
	for (size_t i = 0; i < 16; i++)
		bytes[s->size + i] = (uint8_t)fixture_random(state);
	check_decode(s, bytes, s->size + 1 + fixture_random(state) % 16);
	size_t noise_size = fixture_random(state) % (s->size + 16);
	for (size_t i = 0; i < noise_size; i++)
		bytes[i] = (uint8_t)fixture_random(state);
	check_decode(s, bytes, noise_size);
	free(bytes);
}

static void damage_alphabet(const struct el_codec *codec, uint32_t value_count)
{
	struct sample s = {.codec = codec, .params = {value_count, BLOCK, codec->level_default}};
	uint16_t symbols[BLOCK];
	uint64_t state = 11 * value_count;
	s.coder = open_coder(codec, &s.params);
	for (unsigned p = 0; p < PATTERNS; p++) {
		s.count = 1 + fixture_random(&state) % BLOCK;
		size_t room = codec->bound(&s.params, s.count);
		s.bytes = malloc(room + !room);
		patterns[p](symbols, s.count, value_count, &state);
		assert_int_equal(
			codec->encode(s.coder, symbols, s.count, s.bytes, room, &s.size, NULL),
			EL_OK);
		for (unsigned i = 0; i < 30; i++)
			damage(&s, &state);
		free(s.bytes);
	}
	codec->close(s.coder);
}

static void test_damage(void **state)
{
	(void)state;
	for (const struct el_codec *const *c = el_codecs; *c; c++)
		for (unsigned a = 0; a < ALPHABETS; a++)
			damage_alphabet(*c, alphabets[a]);
}

/* Symbols past the alphabet and bytes past the end are told from good ones. */
static void test_strict(void **state)
{
	(void)state;
	const struct el_codec_params wide = {256, 256, 1}, narrow = {200, 256, 1};
	uint16_t symbols[256], back[256];
	uint8_t bytes[1024];
	for (const struct el_codec *const *c = el_codecs; *c; c++) {
		void *writer = open_coder(*c, &wide), *reader = open_coder(*c, &narrow);
		size_t size;
		ramp(symbols, 256, 256, NULL);
		assert_int_equal((*c)->encode(writer, symbols, 256, bytes, 1024, &size, NULL),
		                 EL_OK);
		assert_int_equal((*c)->decode(writer, bytes, size, back, 256, NULL), EL_OK);
		assert_int_equal((*c)->decode(reader, bytes, size, back, 256, NULL), EL_DAMAGED);
		assert_int_equal((*c)->decode(writer, bytes, size, back, 255, NULL), EL_DAMAGED);
		assert_int_equal((*c)->decode(writer, bytes, size - 1, back, 256, NULL),
		                 EL_DAMAGED);
		bytes[size] = 0xff;
		assert_int_equal((*c)->decode(writer, bytes, size + 1, back, 256, NULL),
		                 EL_DAMAGED);
		const uint8_t learned[] = {1};
		void *coder;
		assert_int_equal((*c)->open(&wide, learned, 1, &coder, NULL), EL_DAMAGED);
		(*c)->close(writer);
		(*c)->close(reader);
	}
}

/* ---- words ---- */

static void test_parse(void **state)
{
	(void)state;
	struct el_codec_choice choice;
	struct el_error error;
	char text[64];
	assert_int_equal(el_codec_parse("zstd:19", &choice, &error), EL_OK);
	assert_ptr_equal(choice.codec, &el_codec_zstd);
	assert_int_equal(choice.level, 19);
	el_codec_format(&choice, text);
	assert_string_equal(text, "zstd:19");
	assert_int_equal(el_codec_parse("zstd", &choice, &error), EL_OK);
	assert_int_equal(choice.level, el_codec_zstd.level_default);
	assert_int_equal(el_codec_parse("raw", &choice, &error), EL_OK);
	el_codec_format(&choice, text);
	assert_string_equal(text, "raw");
}

static void test_parse_faults(void **state)
{
	(void)state;
	static const char *const bad[][2] = {
		{"gzip", "expected one of raw, zstd"},
		{"", "expected one of"},
		{"zst", "'zst'"},
		{"zstd:", "from 1 to 22"},
		{"zstd:0", "from 1 to 22"},
		{"zstd:23", "from 1 to 22"},
		{"zstd:9x", "from 1 to 22"},
		{"zstd: 9", "from 1 to 22"},
		{"zstd:99999999999999999999", "from"},
		{"zstd:-1", "from 1 to 22"},
		{"raw:1", "no levels"},
		{"raw:", "no levels"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct el_codec_choice choice;
		struct el_error error;
		assert_int_equal(el_codec_parse(bad[i][0], &choice, &error), EL_USAGE);
		assert_non_null(strstr(error.text, bad[i][1]));
	}
}

/* ---- the fill stage ---- */

static void test_fill(void **state)
{
	(void)state;
	const uint16_t in[] = {0, 0, 5, 0, 0, 7, 3, 0};
	const uint16_t previous[] = {5, 5, 5, 5, 5, 7, 3, 3};
	const uint16_t broken[] = {0, 0, 0};
	uint16_t out[8];
	memcpy(out, in, sizeof in);
	el_fill_apply(EL_FILL_NONE, out, 8, 0);
	assert_memory_equal(out, in, sizeof in);
	el_fill_apply(EL_FILL_PREVIOUS, out, 8, 0);
	assert_memory_equal(out, previous, sizeof previous);
	memcpy(out, broken, sizeof broken);
	el_fill_apply(EL_FILL_PREVIOUS, out, 3, 0);
	assert_memory_equal(out, broken, sizeof broken);
}

static void test_fill_parse(void **state)
{
	(void)state;
	enum el_fill fill;
	struct el_error error;
	for (unsigned i = 0; el_fill_names[i]; i++) {
		assert_int_equal(el_fill_parse(el_fill_names[i], &fill, &error), EL_OK);
		assert_int_equal(fill, i);
	}
	assert_int_equal(el_fill_parse("next", &fill, &error), EL_USAGE);
	assert_non_null(strstr(error.text, "none, previous"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trips), cmocka_unit_test(test_largest_block),
		cmocka_unit_test(test_raw_bits),    cmocka_unit_test(test_zstd_frame),
		cmocka_unit_test(test_damage),      cmocka_unit_test(test_strict),
		cmocka_unit_test(test_parse),       cmocka_unit_test(test_parse_faults),
		cmocka_unit_test(test_fill),        cmocka_unit_test(test_fill_parse),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
