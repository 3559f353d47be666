/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "codec_fixture.h"

#include "store_fixture.h"
#include "tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

const char *fixture_built(const char *name)
{
	static char path[512];
	const char *build = getenv("BUILD");
	snprintf(path, sizeof path, "%s/%s", build && *build ? build : "build", name);
	return path;
}

/* lz4 and brotli are there where their libraries are. */
int fixture_load_samples(void **state)
{
	static const char *const others[] = {"samples/lz4.so", "samples/brotli.so"};
	int answer = (int)el_codec_load(fixture_built("samples/pages.so"), NULL);
	(void)state;
	for (size_t i = 0; i < sizeof others / sizeof *others && !answer; i++) {
		const char *path = fixture_built(others[i]);
		if (access(path, F_OK))
			print_message("not tested: %s, whose library is not installed\n", path);
		else
			answer = (int)el_codec_load(path, NULL);
	}
	return answer;
}

/* ---- symbols ---- */

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

void pattern_noise(uint16_t *s, size_t count, uint32_t value_count, uint64_t *state)
{
	for (size_t i = 0; i < count; i++)
		s[i] = any(state, value_count);
}

void pattern_runs(uint16_t *s, size_t count, uint32_t value_count, uint64_t *state)
{
	for (size_t i = 0; i < count; i++)
		s[i] = i > 0 && fixture_random(state) % 16 ? s[i - 1] : any(state, value_count);
}

void pattern_ramp(uint16_t *s, size_t count, uint32_t value_count, uint64_t *state)
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

/* No two neighbours alike: the most runs. */
static void alternating(uint16_t *s, size_t count, uint32_t value_count, uint64_t *state)
{
	uint16_t pair[2] = {any(state, value_count), (uint16_t)(value_count - 1)};
	pair[0] = pair[0] == pair[1] ? 0 : pair[0];
	for (size_t i = 0; i < count; i++)
		s[i] = pair[i % 2];
}

/* Noise that comes back after longer than a row. */
static void long_period(uint16_t *s, size_t count, uint32_t value_count, uint64_t *state)
{
	enum { PERIOD = 509 };
	pattern_noise(s, count < PERIOD ? count : PERIOD, value_count, state);
	for (size_t i = PERIOD; i < count; i++)
		s[i] = s[i - PERIOD];
}

/* Ever longer runs: numbers of every size. */
static void growing_runs(uint16_t *s, size_t count, uint32_t value_count, uint64_t *state)
{
	for (size_t i = 0, length = 1; i < count; i += length, length += 1 + length / 8) {
		uint16_t symbol = any(state, value_count);
		for (size_t k = i; k < i + length && k < count; k++)
			s[k] = symbol;
	}
}

/* Nearly all the same: what codes with short words for frequent symbols are drawn by. */
static void rare_others(uint16_t *s, size_t count, uint32_t value_count, uint64_t *state)
{
	for (size_t i = 0; i < count; i++)
		s[i] = fixture_random(state) % 300 ? 0 : any(state, value_count);
}

pattern *const patterns[] = {
	constant,    largest,     pattern_noise, pattern_runs, pattern_ramp, last_differs,
	alternating, long_period, growing_runs,  rare_others,  NULL,
};

/* ---- codecs and their options ---- */

static void for_each_value(struct el_codec_choice choice, unsigned option,
                           void (*test)(const struct el_codec_choice *))
{
	const struct el_codec_option *o = &choice.codec->options[option];
	const int values[] = {o->least, o->least + 1, o->most};
	for (unsigned i = 0; i < 3; i++) {
		if (values[i] == o->usual || (i == 1 && values[i] == o->most))
			continue;
		choice.option[option] = values[i];
		test(&choice);
	}
}

void for_each_choice(void (*test)(const struct el_codec_choice *))
{
	const struct el_codec *codec;
	for (size_t i = 0; (codec = el_codec_at(i)); i++) {
		struct el_codec_choice choice;
		assert_int_equal(el_codec_parse(codec->name, &choice, NULL), EL_OK);
		test(&choice);
		for (unsigned k = 0; k < codec->option_count; k++)
			for_each_value(choice, k, test);
	}
}

/* The sizes at which codecs change their ways, and those beside them. */
static const uint32_t alphabets[] = {1, 2, 3, 4, 5, 16, 17, 200, 256, 257, 5000, 65535, 65536};
enum { ALPHABETS = sizeof alphabets / sizeof *alphabets };

/* What for_each_case is told, for the calls from for_each_choice. */
static struct {
	void (*test)(const struct case_of_codec *);
	unsigned usual, other, choices;
} cases;

static void some_cases(const struct el_codec_choice *choice)
{
	struct el_codec_choice usual;
	assert_int_equal(el_codec_parse(choice->codec->name, &usual, NULL), EL_OK);
	const bool is_usual = !memcmp(choice->option, usual.option, sizeof usual.option);
	const unsigned step = is_usual ? cases.usual : cases.other;
	unsigned number = cases.choices++;
	for (unsigned a = 0; a < ALPHABETS; a++)
		for (unsigned p = 0; patterns[p]; p++)
			if ((a + p + number) % step == 0)
				cases.test(&(struct case_of_codec){choice, alphabets[a],
				                                   patterns[p], 100 * a + p});
}

void for_each_case(unsigned usual, unsigned other, void (*test)(const struct case_of_codec *))
{
	const unsigned less = tests_are_slow() ? 3 : 1;
	cases.test = test;
	cases.usual = less * usual;
	cases.other = less * other;
	cases.choices = 0;
	for_each_choice(some_cases);
}

struct el_codec_params choice_params(const struct el_codec_choice *choice, uint32_t value_count,
                                     uint32_t block_positions)
{
	struct el_codec_params out = {.value_count = value_count, .block_positions = block_positions};
	memcpy(out.option, choice->option, sizeof out.option);
	return out;
}

/* ---- coders ---- */

struct fixture_coder fixture_coder(const struct el_codec_choice *choice, uint32_t value_count,
                                   uint32_t block_positions, const uint16_t *symbols,
                                   uint64_t positions)
{
	struct fixture_coder out = {
		.codec = choice->codec,
		.params = choice_params(choice, value_count, block_positions),
	};
	struct el_error error = {.text = ""};
	const struct el_codec_plane plane = {
		.symbols = (uint16_t *)(uintptr_t)symbols, .positions = positions, .row = 1};
	if (out.codec->prepare)
		assert_int_equal(out.codec->prepare(&out.params, &plane, NULL, &out.learned,
		                                    &out.learned_size, &error),
		                 EL_OK);
	assert_int_equal(
		out.codec->open(&out.params, out.learned, out.learned_size, &out.coder, &error),
		EL_OK);
	assert_true(out.codec->memory(&out.params, out.learned_size) > 0);
	return out;
}

void fixture_coder_close(struct fixture_coder *c)
{
	c->codec->close(c->coder);
	free(c->learned);
}

uint8_t *fixture_encode(const struct fixture_coder *c, const uint16_t *symbols, size_t count,
                        size_t *size)
{
	const size_t room = c->codec->bound(&c->params, count);
	uint8_t *out = malloc(room + !room);
	struct el_error error = {.text = ""};
	assert_int_equal(c->codec->encode(c->coder, symbols, count, out, room, size, &error),
	                 EL_OK);
	assert_true(*size <= room);
	return out;
}

size_t fixture_encode_as(const char *text, uint32_t value_count, const uint16_t *symbols,
                         size_t count, uint8_t *out)
{
	struct el_codec_choice choice;
	size_t size;
	assert_int_equal(el_codec_parse(text, &choice, NULL), EL_OK);
	struct fixture_coder c = fixture_coder(&choice, value_count, FIXTURE_BLOCK, symbols, count);
	uint8_t *bytes = fixture_encode(&c, symbols, count, &size);
	memcpy(out, bytes, size);
	free(bytes);
	fixture_coder_close(&c);
	return size;
}

size_t fixture_plane_bytes(const struct el_codec_choice *choice, uint32_t value_count,
                           uint32_t block_positions, const uint16_t *symbols, uint64_t positions)
{
	struct fixture_coder c =
		fixture_coder(choice, value_count, block_positions, symbols, positions);
	size_t all = c.learned_size, size;
	for (uint64_t i = 0; i < positions; i += block_positions) {
		const uint64_t rest = positions - i;
		free(fixture_encode(&c, symbols + i,
		                    rest < block_positions ? rest : block_positions, &size));
		all += size;
	}
	fixture_coder_close(&c);
	return all;
}

enum { ROOM = 1 << 22 };

const uint8_t *fixture_at_the_edge(const uint8_t *bytes, size_t size)
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
