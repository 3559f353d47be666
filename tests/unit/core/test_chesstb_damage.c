/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chesstb's files that are not what their names say: each gives one clear error, never a crash. */
#include "core/foreign/chesstb.h"
#include "core/probe/probe.h"
#include "tests/fixtures/chesstb_fixture.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct el_cache *cache;
static struct solved *solved;

static int make_folder(void **state)
{
	return fixture_make_folder(state) || el_cache_open(4 << 20, &cache, NULL) != EL_OK;
}

static int remove_folder(void **state)
{
	el_cache_close(cache);
	return fixture_remove_folder(state);
}

/* ---- files ---- */

/* A small file of a kind, in blocks of few positions. */
static const char *make_file(unsigned kind, struct chesstb_file f)
{
	struct el_slice slice;
	assert_int_equal(el_slice_parse("KQvK", &slice, NULL), EL_OK);
	f.kind = (enum chesstb_kind)kind;
	f.slice = &slice;
	f.solved = solved;
	f.whole = true;
	f.block_bytes = 4096;
	return chesstb_write(folder, &f);
}

static void expect_words(const struct el_error *error, const char *path)
{
	assert_non_null(strstr(error->text, path));
	assert_true(strlen(error->text) > strlen(path) + 10);
}

/* Probes some positions; counts those without a value. */
static unsigned try_positions(struct el_source *source)
{
	enum { STEP = 97 };
	unsigned errors = 0;
	for (uint64_t i = 0; i < source->slice.positions; i += STEP)
		for (unsigned plane = 0; plane < 2; plane++) {
			struct el_position position;
			struct el_place place;
			struct el_value value = {.outcome = plane ? EL_LOSS : EL_WIN};
			struct el_error error = {0};
			if (source->left_out >> plane & 1 ||
			    !el_chess.unplace(&source->slice, plane, i, &position))
				continue;
			position.halfmove = (uint16_t)(i % 120);
			assert_true(el_chess.place(&position, &place));
			const enum el_status status = source->ops->probe(source, &position, &place,
			                                                 false, &value, &error);
			assert_true(status || value.outcome <= EL_BROKEN);
			if (!status && value.outcome != EL_BROKEN)
				continue;
			assert_true(!status || status == EL_DAMAGED || status == EL_NEGATIVE);
			if (status)
				expect_words(&error, source->path);
			errors++;
		}
	return errors;
}

/* Does a file open, pass its check, and answer every time? */
static bool is_sound(unsigned kind, const char *path)
{
	struct el_source *source = NULL;
	struct el_error error = {0};
	const enum el_status status = chesstb_kinds[kind]->open(path, cache, &source, &error);
	if (status) {
		assert_true(status == EL_DAMAGED || status == EL_NEGATIVE);
		expect_words(&error, path);
		return false;
	}
	const unsigned errors = try_positions(source);
	const enum el_status checked = source->ops->check(source, NULL, &error);
	source->ops->close(source);
	assert_true(!checked || checked == EL_DAMAGED);
	if (checked)
		expect_words(&error, path);
	return !checked && !errors;
}

/* ---- the tests ---- */

static void test_sound(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < CHESSTB_KINDS; kind++)
		assert_true(is_sound(kind, make_file(kind, (struct chesstb_file){0})));
}

/* No bit of the head, nor of a block, can be another unseen. */
static void test_flipped(void **state)
{
	enum { HEAD = 160 };
	(void)state;
	for (unsigned kind = 0; kind < CHESSTB_KINDS; kind++) {
		const char *path = make_file(kind, (struct chesstb_file){0});
		size_t size;
		uint8_t *bytes = fixture_read_file(path, &size);
		uint64_t random = kind;
		for (size_t i = 0; i < 2 * HEAD; i++) {
			const uint64_t chance = fixture_random(&random);
			const size_t at = i < HEAD ? i : chance % size;
			const uint8_t mask = (uint8_t)(1 << (chance >> 60 & 7));
			bytes[at] ^= mask;
			fixture_write_file(path, bytes, size);
			assert_false(is_sound(kind, path));
			bytes[at] ^= mask;
		}
		free(bytes);
	}
}

/* Bytes that may be anything under a right checksum: they have a value or an error. */
static void test_sealed(void **state)
{
	enum { TIMES = 400, HEAD = 300 };
	(void)state;
	for (unsigned kind = 0; kind < CHESSTB_KINDS; kind++) {
		const char *path = make_file(kind, (struct chesstb_file){.wide = kind % 2});
		size_t size;
		uint8_t *bytes = fixture_read_file(path, &size);
		uint8_t *other = malloc(size);
		uint64_t random = 10 + kind;
		for (unsigned i = 0; i < TIMES; i++) {
			memcpy(other, bytes, size);
			for (unsigned k = 0; k < 1 + i % 3; k++) {
				const uint64_t chance = fixture_random(&random);
				other[chance % (i % 2 ? size : HEAD)] = (uint8_t)(chance >> 56);
			}
			chesstb_seal(other, size);
			fixture_write_file(path, other, size);
			is_sound(kind, path);
		}
		free(other);
		free(bytes);
	}
}

static void test_cut_off(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < CHESSTB_KINDS; kind++) {
		const char *path = make_file(kind, (struct chesstb_file){0});
		size_t size;
		uint8_t *bytes = fixture_read_file(path, &size);
		for (size_t i = 0; i < 200; i++) {
			fixture_write_file(path, bytes, i < 100 ? i : size * (i - 100) / 100);
			assert_false(is_sound(kind, path));
		}
		for (size_t i = 1; i < 70; i++) {
			fixture_write_file(path, bytes, size - i);
			assert_false(is_sound(kind, path));
		}
		free(bytes);
	}
}

/* Each number of the head, and what is said if it is wrong. */
static void test_fields(void **state)
{
	static const struct {
		unsigned kind, at, bytes;
		uint64_t number;
		const char *text;
	} bad[] = {
		{CHESSTB_WDL, 0, 4, 0x2ec8b161, "magic"},
		{CHESSTB_WDL, 4, 4, 0x9a1 << 2 | 2, "material and sides"},
		{CHESSTB_WDL, 4, 4, 6561 << 2 | 1, "material and sides"},
		{CHESSTB_WDL, 8, 1, 0x01, "form of a frame"},
		{CHESSTB_WDL, 8, 1, 0x20, "form of a frame"},
		{CHESSTB_DTZ, 8, 1, 0x10, "form of a frame"},
		{CHESSTB_WDL, 9, 4, 1, "order of the pieces"},
		{CHESSTB_WDL, 13, 2, 7, "length of the last block"},
		{CHESSTB_WDL, 15, 4, 0, "length of a block"},
		{CHESSTB_WDL, 15, 4, UINT32_MAX, "length of a block"},
		{CHESSTB_WDL, 19, 8, 5, "blocks: expected 4, found 5"},
		{CHESSTB_WDL, 27, 8, UINT64_MAX, "bytes of the blocks"},
		{CHESSTB_DTZ, 13, 1, 3, "bytes of a cell"},
		{CHESSTB_DTZ, 13, 1, 2, "blocks"},
		{CHESSTB_DTM, 18, 4, 4097, "length of the last block"},
		{CHESSTB_DTM, 22, 8, UINT64_MAX, "blocks"},
		{CHESSTB_DTM, 38, 2, UINT16_MAX, "values, at most"},
		{CHESSTB_DTM, 40, 2, UINT16_MAX, "a depth, at most"},
		{CHESSTB_DTM50, 14, 4, 1 << 30, "length of a block"},
		{CHESSTB_DTM50, 26, 4, 9, "length of the last block"},
		{CHESSTB_DTC, 0, 4, 0xab57c151, "magic"},
		{CHESSTB_DTC, 14, 4, 1 << 30, "length of a block"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		const char *path = make_file(bad[i].kind, (struct chesstb_file){0});
		struct el_source *source;
		struct el_error error;
		size_t size;
		uint8_t *bytes = fixture_read_file(path, &size);
		for (unsigned k = 0; k < bad[i].bytes; k++)
			bytes[bad[i].at + k] = (uint8_t)(bad[i].number >> 8 * k);
		fixture_write_file(path, bytes, size);
		assert_int_equal(chesstb_kinds[bad[i].kind]->open(path, cache, &source, &error),
		                 EL_DAMAGED);
		if (!strstr(error.text, bad[i].text))
			fail_msg("%u at %u: expected '%s', found '%s'", (unsigned)i, bad[i].at,
			         bad[i].text, error.text);
		expect_words(&error, path);
		free(bytes);
	}
}

/* Forms that contradict each other. */
static void test_forms(void **state)
{
	static const struct {
		unsigned kind;
		uint8_t first, second;
		enum el_status status;
	} bad[] = {
		{CHESSTB_WDL, 0x40, 0x40, EL_DAMAGED},
		{CHESSTB_DTZ, 0x60, 0x40, EL_DAMAGED},
	};
	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		const char *path = make_file(bad[i].kind, (struct chesstb_file){0});
		struct el_source *source;
		struct el_error error;
		uint8_t bytes[72] = {0};
		size_t size;
		uint8_t *whole = fixture_read_file(path, &size);
		memcpy(bytes, whole, CHESSTB_START);
		bytes[CHESSTB_START] = bad[i].first;
		bytes[CHESSTB_START + 1] = bad[i].second;
		chesstb_seal(bytes, sizeof bytes);
		fixture_write_file(path, bytes, sizeof bytes);
		assert_int_equal(chesstb_kinds[bad[i].kind]->open(path, cache, &source, &error),
		                 bad[i].status);
		expect_words(&error, path);
		free(whole);
	}
}

/* A watch stops a check. */
static int stop(void *context, const struct el_progress *progress)
{
	(void)context, (void)progress;
	return 0;
}

static void test_stopped(void **state)
{
	const struct el_watch watch = {.tick = stop};
	struct el_source *source;
	struct el_error error;
	(void)state;
	const char *path = make_file(CHESSTB_WDL, (struct chesstb_file){0});
	assert_int_equal(chesstb_kinds[CHESSTB_WDL]->open(path, cache, &source, &error), EL_OK);
	assert_int_equal(source->ops->check(source, &watch, &error), EL_STOPPED);
	source->ops->close(source);
}

static int open_solved(void **state)
{
	(void)state;
	solved = solved_open();
	return !solved;
}

static int close_solved(void **state)
{
	(void)state;
	solved_close(solved);
	return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_sound),  TEST(test_flipped), TEST(test_sealed),  TEST(test_cut_off),
		TEST(test_fields), TEST(test_forms),   TEST(test_stopped),
	};
	return cmocka_run_group_tests(tests, open_solved, close_solved);
}
