/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaviota files that are not what their names say, in every scheme: each gives one clear error,
   never a crash. And opening a file reads little of it. */
#include "core/foreign/gaviota.h"
#include "core/whole/whole.h"
#include "tests/fixtures/foreign_fixture.h"
#include "tests/fixtures/gaviota_fixture.h"
#include "tests/fixtures/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { HEADER = 40, WORD = 4, BLOCK_POSITIONS = 16384 };

/* By scheme, from 1 on. */
static const struct el_source_ops *const kinds[] = {NULL, &el_source_gaviota_cp1,
                                                    &el_source_gaviota_cp2, &el_source_gaviota_cp3,
                                                    &el_source_gaviota};
static const struct scheme *const schemes[] = {NULL, &scheme_huffman, &scheme_lzf, &scheme_zlib,
                                               &scheme_lzma};

static struct el_cache *cache;

static int make_folder(void **state)
{
	return fixture_make_folder(state) || el_cache_open(4 << 20, &cache, NULL) != EL_OK;
}

static int remove_folder(void **state)
{
	el_cache_close(cache);
	return fixture_remove_folder(state);
}

/* ---- blocks ---- */

/* Decodes `bytes`. Input and output are separate allocations, so that sanitizers watch their
   ends. */
static enum el_status decoded(unsigned scheme, const void *bytes, size_t size, char *out,
                              size_t count)
{
	uint8_t *in = malloc(size + !size), *room = malloc(count + !count);
	assert_true(in && room);
	memcpy(in, bytes, size);
	const enum el_status status = schemes[scheme]->decode(in, size, room, count);
	if (!status && out)
		memcpy(out, room, count);
	free(in);
	free(room);
	return status;
}

static void expect_damaged(unsigned scheme, const void *bytes, size_t size, size_t count)
{
	assert_int_equal(decoded(scheme, bytes, size, NULL, count), EL_DAMAGED);
}

/* They decode to `text`, and to nothing shorter or longer; without their end, to nothing at all. */
static void expect_text(unsigned scheme, const void *bytes, size_t size, const char *text)
{
	char out[64];
	const size_t count = strlen(text);
	assert_true(count < sizeof out);
	assert_int_equal(decoded(scheme, bytes, size, out, count), EL_OK);
	assert_memory_equal(out, text, count);
	expect_damaged(scheme, bytes, size, count - 1);
	expect_damaged(scheme, bytes, size, count + 1);
	for (size_t less = 0; less < size; less++)
		expect_damaged(scheme, bytes, less, count);
}

/* Bits from the lowest on: 0, 1 and an a, 0, 1 and a b, 1 and a c; then 0 10 11 0. And a tree that
   is just an a, whose code is a bit of any value. */
static void test_huffman(void **state)
{
	static const uint8_t some[] = {4, 0, 0, 0, 0x86, 0x29, 0x76, 0x4c, 0x03};
	static const uint8_t same[] = {3, 0, 0, 0, 0xc3, 0x0e};
	static const uint8_t deep[4 + 64] = {1}; /* a tree that only grows */
	(void)state;
	expect_text(1, some, sizeof some, "abca");
	expect_text(1, same, sizeof same, "aaa");
	expect_damaged(1, deep, sizeof deep, 1);
}

static void test_lzf(void **state)
{
	(void)state;
	expect_text(2, "\0a", 2, "a");
	expect_text(2, "\002abc", 4, "abc");
	expect_text(2, "\002abc\x20\2", 6, "abcabc");          /* three from three back */
	expect_text(2, "\0a\xe0\7\0", 5, "aaaaaaaaaaaaaaaaa"); /* from what is being made */
	expect_text(2, "\0a\x60\0\0b", 6, "aaaaaab");
	expect_damaged(2, "\x20\0", 2, 3);    /* from before the beginning */
	expect_damaged(2, "\0a\x20\1", 4, 4); /* from one before it */
	expect_damaged(2, "\0a\xff\xff\xff", 5, 8192);
}

/* A scheme unpacks what it has packed; no shorter bytes will do, and nothing else of that
   length. */
static void test_packed(void **state)
{
	enum { COUNT = 3000 };
	static uint8_t bytes[COUNT], out[COUNT + 1];
	uint64_t random = 1;
	(void)state;
	for (unsigned kind = 0; kind < 3; kind++)
		for (unsigned scheme = 1; scheme <= GAVIOTA_SCHEMES; scheme++) {
			size_t size;
			for (unsigned i = 0; i < COUNT; i++)
				bytes[i] = (uint8_t)(kind == 0   ? 7
				                     : kind == 1 ? fixture_random(&random)
				                                 : fixture_random(&random) %
				                                           (1 + i / 99));
			uint8_t *packed = gaviota_pack(scheme, bytes, COUNT, &size);
			assert_int_equal(schemes[scheme]->decode(packed, size, out, COUNT), EL_OK);
			assert_memory_equal(out, bytes, COUNT);
			for (unsigned i = 0; i < 20; i++) {
				const size_t less = (size_t)(fixture_random(&random) % (size - 8));
				expect_damaged(scheme, packed, less, COUNT);
			}
			if (scheme != 4) /* its length is not checked once everything is there */
				expect_damaged(scheme, packed, size, COUNT - 1);
			expect_damaged(scheme, packed, size, COUNT + 1);
			free(packed);
		}
}

/* ---- files ---- */

/* A sound file of a slice. */
static const char *make_file(const char *name, unsigned scheme)
{
	struct el_slice slice;
	struct el_planes planes;
	assert_int_equal(el_slice_parse(name, &slice, NULL), EL_OK);
	struct el_library *library =
		fixture_library(slice.pieces > 3 ? test_tables() : small_test_tables(), NULL);
	assert_int_equal(el_library_planes(library, &slice, &el_dtm, NULL, &planes, NULL), EL_OK);
	const struct gaviota_file file = {.order = gaviota_order(&slice),
	                                  .scheme = scheme,
	                                  .value = gaviota_value_in,
	                                  .context = &planes};
	const char *path = gaviota_write(folder, &slice, &file);
	el_planes_free(&planes);
	el_library_close(library);
	return path;
}

static void expect_words(enum el_status status, const struct el_error *error, const char *path)
{
	assert_int_equal(status, EL_DAMAGED);
	assert_non_null(strstr(error->text, path));
	assert_true(strlen(error->text) > strlen(path) + 10);
	assert_null(strchr(error->text, '\n'));
}

/* Opens a file that may be damaged; if that fails, checks the message and returns null. */
static struct el_source *try_open(unsigned scheme, const char *path)
{
	struct el_source *source = NULL;
	struct el_error error = {0};
	const enum el_status status = kinds[scheme]->open(path, cache, &source, &error);
	if (status)
		expect_words(status, &error, path);
	return status ? NULL : source;
}

/* Probes some positions, and has the file checked. True if nothing was wrong. */
static bool try_all(struct el_source *source)
{
	const struct el_slice *slice = &source->slice;
	struct el_error error = {0};
	bool good = true;
	for (uint64_t index = 0; index < slice->positions; index += slice->positions / 40)
		for (unsigned plane = 0; plane < slice->planes; plane++) {
			struct el_position position;
			struct el_place place;
			struct el_value value;
			if (!el_chess.unplace(slice, plane, index, &position))
				continue;
			assert_true(el_chess.place(&position, &place));
			const enum el_status status = source->ops->probe(source, &position, &place,
			                                                 false, &value, &error);
			assert_true(status || value.outcome <= EL_WIN);
			if (status)
				expect_words(status, &error, source->path);
			good = good && !status;
		}
	const enum el_status status = source->ops->check(source, NULL, &error);
	if (status)
		expect_words(status, &error, source->path);
	return good && !status;
}

static bool is_sound(unsigned scheme, const char *path)
{
	struct el_source *source = try_open(scheme, path);
	const bool sound = source && try_all(source);
	if (source)
		source->ops->close(source);
	return sound;
}

/* A truncated file does not open, nor does one with bytes behind its end. */
static void test_cut_off(void **state)
{
	(void)state;
	for (unsigned scheme = 1; scheme <= GAVIOTA_SCHEMES; scheme++) {
		const char *path = make_file("KPvK", scheme);
		size_t size;
		uint8_t *bytes = fixture_read_file(path, &size);
		assert_true(is_sound(scheme, path));
		for (size_t i = 0; i <= 120; i++) {
			const size_t less = i < 100 ? i : i == 120 ? size + 1 : size - (i - 99);
			fixture_write_file(path, bytes, less);
			assert_null(try_open(scheme, path));
		}
		for (size_t i = 1; i < 20; i++) {
			fixture_write_file(path, bytes, size * i / 20);
			assert_null(try_open(scheme, path));
		}
		free(bytes);
	}
}

/* Random bytes overwrite the file, in one of two only the header and the list. */
static void test_flipped(void **state)
{
	const unsigned times = tests_are_slow() ? 100 : 400;
	uint64_t random = 1;
	(void)state;
	for (unsigned scheme = 1; scheme <= GAVIOTA_SCHEMES; scheme++) {
		const char *path = make_file("KRvK", scheme);
		size_t size;
		unsigned found = 0;
		uint8_t *sound = fixture_read_file(path, &size), *bytes = malloc(size);
		assert_non_null(bytes);
		for (unsigned i = 0; i < times; i++) {
			memcpy(bytes, sound, size);
			const size_t range = i % 2 ? size : HEADER + 5 * WORD;
			for (uint64_t n = 1 + fixture_random(&random) % 4; n; n--)
				bytes[fixture_random(&random) % range] ^=
					(uint8_t)(1 + fixture_random(&random) % 255);
			fixture_write_file(path, bytes, size);
			found += !is_sound(scheme, path);
		}
		assert_true(found > times / 3);
		free(bytes);
		free(sound);
	}
}

/* Each file under each other name: its own slice in other schemes, and other slices. */
static void test_names(void **state)
{
	static const char *const names[] = {"kbk", "knk", "kpk", "kqk", "krk"};
	enum { NAMES = sizeof names / sizeof *names };
	(void)state;
	foreign_gaviota();
	for (unsigned i = 0; i < GAVIOTA_SCHEMES * NAMES; i++)
		for (unsigned j = 0; j < GAVIOTA_SCHEMES * NAMES; j++) {
			const unsigned from = 1 + i / NAMES, to = 1 + j / NAMES;
			char file[64], name[32];
			if (from != to && i % NAMES != j % NAMES)
				continue;
			snprintf(file, sizeof file, "/usr/share/gaviotatb/gtb%u/%s.gtb.cp%u", from,
			         names[i % NAMES], from);
			snprintf(name, sizeof name, "%s.gtb.cp%u", names[j % NAMES], to);
			const char *link = fixture_path(folder, name);
			assert_int_equal(symlink(file, link), 0);
			assert_int_equal(is_sound(to, link), i == j);
			assert_int_equal(unlink(link), 0);
		}
}

/* In both slices nothing but a few checkmates is decided. */
static void test_drawn_names(void **state)
{
	(void)state;
	if (tests_are_slow()) {
		printf("note: four pieces are not tried under sanitizers and valgrind\n");
		skip();
	}
	const char *knight = make_file("KBvKN", 2), *bishop = fixture_path(folder, "kbkb.gtb.cp2");
	assert_true(is_sound(2, knight));
	assert_int_equal(rename(knight, bishop), 0);
	assert_false(is_sound(2, bishop));
}

static void put_word(uint8_t *at, uint32_t word)
{
	for (unsigned i = 0; i < WORD; i++)
		at[i] = (uint8_t)(word >> 8 * i);
}

/* A list that leads nowhere: the file opens, its check fails, and its other blocks answer. */
static void test_list(void **state)
{
	(void)state;
	const char *path = make_file("KPvK", 2);
	size_t size;
	uint8_t *bytes = fixture_read_file(path, &size);
	uint8_t *third = bytes + HEADER + 3 * WORD;
	const uint32_t before = foreign_u32(third - WORD), after = foreign_u32(third + WORD);
	const uint32_t bad[] = {0,     50,        before - 1,         before,
	                        after, after + 1, (uint32_t)size + 1, UINT32_MAX};
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
		put_word(third, bad[i]);
		fixture_write_file(path, bytes, size);
		struct el_source *source = try_open(2, path);
		struct el_position position;
		struct el_place place;
		struct el_value value;
		assert_non_null(source);
		assert_false(try_all(source));
		assert_int_equal(el_chess.parse("8/P7/8/8/8/8/8/K1k5 w - - 0 1", &position, NULL),
		                 EL_OK);
		assert_true(el_chess.place(&position, &place));
		assert_int_equal(source->ops->probe(source, &position, &place, false, &value, NULL),
		                 EL_OK);
		assert_int_equal(value.outcome, EL_WIN);
		source->ops->close(source);
	}
	free(bytes);
}

/* ---- many files ---- */

/* Bytes that this process has read; 0 if the system does not say. */
static unsigned long long bytes_read(void)
{
	unsigned long long count = 0;
	FILE *file = fopen("/proc/self/io", "r");
	if (!file)
		return 0;
	if (fscanf(file, "rchar: %llu", &count) != 1)
		count = 0;
	fclose(file);
	return count;
}

/* A file with five pieces that has only a header and the ends of its list. */
static const char *make_hollow(const struct el_slice *slice)
{
	const uint32_t count = gaviota_count(gaviota_order(slice));
	const uint32_t list = 2 * ((count + BLOCK_POSITIONS - 1) / BLOCK_POSITIONS) + 1;
	const uint32_t list_end = HEADER + WORD * list;
	uint8_t *bytes = calloc(list_end, 1);
	char name[EL_SLICE_MAX + 8];
	assert_non_null(bytes);
	put_word(bytes + 2 * WORD, BLOCK_POSITIONS);
	put_word(bytes + 8 * WORD, list_end);
	put_word(bytes + HEADER, list_end);
	put_word(bytes + list_end - WORD, list_end);
	snprintf(name, sizeof name, "%s.gtb.cp4", slice->name);
	const char *path = fixture_path(folder, name);
	fixture_write_file(path, bytes, list_end);
	free(bytes);
	return path;
}

/* Opening all tables of five pieces reads a few bytes of each, though their lists have
   megabytes. */
static void test_opening(void **state)
{
	enum { FIVE = 110, FEW_BYTES = 100 };
	struct el_slice slices[FIVE];
	struct el_source *sources[FIVE];
	char *paths[FIVE];
	(void)state;
	assert_int_equal(el_chess.slices(5, slices, FIVE), FIVE);
	for (unsigned i = 0; i < FIVE; i++)
		paths[i] = strdup(make_hollow(&slices[i]));
	const unsigned long long before = bytes_read();
	for (unsigned i = 0; i < FIVE; i++)
		assert_int_equal(kinds[4]->open(paths[i], cache, &sources[i], NULL), EL_OK);
	const unsigned long long taken = bytes_read() - before;
	if (before)
		assert_in_range(taken, FIVE, FIVE * FEW_BYTES);
	else
		printf("note: no /proc/self/io: not counted\n");
	for (unsigned i = 0; i < FIVE; i++) {
		kinds[4]->close(sources[i]);
		free(paths[i]);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_huffman), TEST(test_lzf),     TEST(test_packed),
		TEST(test_cut_off), TEST(test_flipped), TEST(test_names),
		TEST(test_list),    TEST(test_opening), TEST(test_drawn_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
