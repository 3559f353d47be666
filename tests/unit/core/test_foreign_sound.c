/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How to tell that a foreign file is not what its name says, or has been damaged. */
#include "core/foreign/syzygy.h"
#include "tests/fixtures/foreign_fixture.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct el_cache *cache;

static int make_cache(void **state)
{
	(void)state;
	return el_cache_open(16 << 20, &cache, NULL) != EL_OK;
}

static int remove_cache(void **state)
{
	(void)state;
	el_cache_close(cache);
	return 0;
}

/* Opens and checks a file of the folder, which may be damaged: EL_OK, or EL_DAMAGED with a
   message. */
static enum el_status try_file(const struct el_source_ops *kind, const char *name,
                               struct el_error *error)
{
	struct el_source *source;
	enum el_status status = kind->open(fixture_path(folder, name), cache, &source, error);
	if (!status) {
		status = kind->check(source, NULL, error);
		kind->close(source);
	}
	if (status) {
		assert_int_equal(status, EL_DAMAGED);
		assert_non_null(strstr(error->text, name));
		assert_true(strlen(error->text) > strlen(folder) + 30);
	}
	return status;
}

/* ---- Syzygy's checksum ---- */

/* Bytes of a fixed sequence. */
static void make_bytes(uint8_t *out, size_t size)
{
	uint64_t state = 1;
	for (size_t i = 0; i < size; i++) {
		state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		out[i] = (uint8_t)(state >> 56);
	}
}

static void expect_sum(const uint8_t found[SUM_OF_FILE], const char *expected)
{
	char text[2 * SUM_OF_FILE + 1];
	for (unsigned i = 0; i < SUM_OF_FILE; i++)
		snprintf(text + 2 * i, 3, "%02x", found[i]);
	assert_string_equal(text, expected);
}

struct expected {
	size_t size;
	const char *sum;
};

/* Checksums of files with one chunk of various sizes, and of various numbers of chunks; computed
   with the generator's program. */
static void test_sums(void **state)
{
	static const struct expected files[] = {
		{1, "2b859ff10a863c0d0d953730b1758220"},
		{8, "2080890a184544663657d016fa822c76"},
		{64, "3453099a63bd2b3530a80cce2179b43c"},
		{239, "ee2f2a0b4fafeb72a8fae7374dc7819a"},
		{240, "43cacbade4e89ce154ad2b02eff18528"},
		{241, "c287149762afd31f715a08a35c4bff83"},
		{280, "35510848be062a72f2f700c00c9d1a98"},
		{479, "8632c8c0c42d954eae766ce8c05dc5cc"},
		{480, "1ec555a59213426846be2c5bebbb0a87"},
		{1000, "b70c475a756bc4e51beda0907e339cd0"},
		{65536, "50cbe4f535d03c32dc27a41f1b52bea1"},
	};
	static const struct expected chunks[] = {
		{1, "2237cb7fe144c9a796d28e5cf4c56278"},   {2, "7507318121bd9d050e7bdd36873fe667"},
		{4, "454a2ec6704df1fc9e6110c36139ae9e"},   {5, "01b1667ec89d5376b82ed536450018f9"},
		{6, "aeb637475e59ed12b1ac50ca09a38506"},   {20, "06edcadc42525c4782640d88305093d1"},
		{28, "6384b9ae54ca0de06c25fd0b91a30c00"},  {29, "8ab0085fb9874b4cff5cda2b79697749"},
		{100, "31995a1b2b2d4ed590164062cfa28b3e"},
	};
	static uint8_t bytes[65536 + 1];
	uint8_t *at = bytes + 1; /* at no even place */
	uint8_t sum[SUM_OF_FILE], chunk[SUM_OF_CHUNK];
	(void)state;
	make_bytes(at, 65536);
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		for (unsigned by_table = 0; by_table < 2; by_table++) {
			sum_chunk(at, files[i].size, by_table, chunk);
			sum_join(chunk, 1, sum);
			expect_sum(sum, files[i].sum);
		}
	for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
		sum_join(at, chunks[i].size, sum);
		expect_sum(sum, chunks[i].sum);
	}
}

/* Files of more than one chunk, with damage in the last one. */
static void test_many_chunks(void **state)
{
	enum { CHUNKS = 3, BLOCKS = CHUNKS * 16 };
	struct el_error error;
	(void)state;
	const char *path = fixture_path(folder, "KBvK.rtbw");
	assert_true(foreign_write_large(path, BLOCKS, true));
	assert_int_equal(try_file(&el_source_syzygy, "KBvK.rtbw", &error), EL_OK);
	FILE *file = fopen(path, "r+b");
	assert_non_null(file);
	assert_int_equal(fseek(file, -1000, SEEK_END), 0);
	assert_int_equal(fputc(1, file), 1);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(try_file(&el_source_syzygy, "KBvK.rtbw", &error), EL_DAMAGED);
	assert_non_null(strstr(error.text, "expected checksum "));
}

/* Flips bits from the first on, one in `step`: every such file is found damaged. */
static void flip_bits(const char *name, const uint8_t *sound, size_t size, size_t step)
{
	uint8_t *bytes = malloc(size);
	struct el_error error;
	assert_non_null(bytes);
	memcpy(bytes, sound, size);
	fixture_write_file(fixture_path(folder, name), bytes, size);
	assert_int_equal(try_file(&el_source_syzygy, name, &error), EL_OK);
	for (size_t bit = 0; bit < 8 * size; bit += step) {
		bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
		fixture_write_file(fixture_path(folder, name), bytes, size);
		assert_int_equal(try_file(&el_source_syzygy, name, &error), EL_DAMAGED);
		bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	free(bytes);
}

static void test_flipped(void **state)
{
	(void)state;
	flip_bits("KBvK.rtbw", all_draws, sizeof all_draws, 1);
}

/* Every bit of a small file, hundreds of bits of larger ones. */
static void test_flipped_real(void **state)
{
	static const char *const names[] = {"KQvK", "KPvK", "KRvKR", "KNvKP", "KPvKP"};
	(void)state;
	const char *from = foreign_syzygy();
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
		char name[32];
		size_t size;
		snprintf(name, sizeof name, "%s.rtbw", names[i]);
		uint8_t *bytes = fixture_read_file(fixture_path(from, name), &size);
		flip_bits(name, bytes, size, i == 0 ? 1 : 8 * size / 300 | 1);
		free(bytes);
	}
}

static bool ends_with(const char *text, const char *end)
{
	const size_t length = strlen(text), tail = strlen(end);
	return length >= tail && !strcmp(text + length - tail, end);
}

/* Files of results and of depths: both carry the checksum. */
static void test_real_sums(void **state)
{
	unsigned count = 0;
	(void)state;
	const char *from = foreign_syzygy();
	DIR *dir = opendir(from);
	assert_non_null(dir);
	for (const struct dirent *e = readdir(dir); e; e = readdir(dir)) {
		uint8_t chunk[SUM_OF_CHUNK], sum[SUM_OF_FILE];
		size_t size;
		if (!ends_with(e->d_name, ".rtbw") && !ends_with(e->d_name, ".rtbz"))
			continue;
		uint8_t *bytes = fixture_read_file(fixture_path(from, e->d_name), &size);
		assert_in_range(size, SUM_OF_FILE + 1, SUM_CHUNK);
		for (unsigned by_table = 0; by_table < 2; by_table++) {
			sum_chunk(bytes, size - SUM_OF_FILE, by_table, chunk);
			sum_join(chunk, 1, sum);
			assert_memory_equal(sum, bytes + size - SUM_OF_FILE, SUM_OF_FILE);
		}
		free(bytes);
		count++;
	}
	closedir(dir);
	assert_true(count > 0);
}

/* ---- Gaviota's names ---- */

static const char *const gaviota_names[] = {"kbk.gtb.cp4", "knk.gtb.cp4", "kpk.gtb.cp4",
                                            "kqk.gtb.cp4", "krk.gtb.cp4"};

enum { GAVIOTA_NAMES = 5 };

/* Each file under each name: only its own will do. */
static void test_other_names(void **state)
{
	(void)state;
	const char *from = foreign_gaviota();
	for (unsigned file = 0; file < GAVIOTA_NAMES; file++)
		for (unsigned name = 0; name < GAVIOTA_NAMES; name++) {
			struct el_error error;
			const char *link = fixture_path(folder, gaviota_names[name]);
			assert_int_equal(symlink(fixture_path(from, gaviota_names[file]), link), 0);
			enum el_status status =
				try_file(&el_source_gaviota, gaviota_names[name], &error);
			assert_int_equal(status, file == name ? EL_OK : EL_DAMAGED);
			if (status)
				assert_non_null(strstr(error.text, "not a table of K"));
			assert_int_equal(unlink(link), 0);
		}
}

/* The check leaves no block in memory, and a watch stops it. */
static int stop_at_once(void *context, const struct el_progress *progress)
{
	(void)context;
	return progress->done > progress->total;
}

static void test_sample(void **state)
{
	const struct el_watch watch = {NULL, stop_at_once};
	struct el_cache_counters counters;
	struct el_source *source;
	(void)state;
	const char *path = fixture_path(foreign_gaviota(), "kqk.gtb.cp4");
	assert_int_equal(el_source_gaviota.open(path, cache, &source, NULL), EL_OK);
	assert_int_equal(el_source_gaviota.check(source, &watch, NULL), EL_STOPPED);
	assert_int_equal(el_source_gaviota.check(source, NULL, NULL), EL_OK);
	el_cache_count(cache, &counters);
	assert_int_equal(counters.blocks, 0);
	el_source_gaviota.close(source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_sums),      IN_FOLDER(test_many_chunks),
		IN_FOLDER(test_flipped),   IN_FOLDER(test_flipped_real),
		IN_FOLDER(test_real_sums), IN_FOLDER(test_other_names),
		IN_FOLDER(test_sample),
	};
	return cmocka_run_group_tests(tests, make_cache, remove_cache);
}
