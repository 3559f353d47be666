/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table files that are damaged in every way. */
#include "core/os/files.h"
#include "core/table/source.h"
#include "tests/fixtures/tables.h"
#include "tests/fixtures/victim_fixture.h"

#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { AT_VERSION = 8, VERSION = 3, VERSION_MOST = 4 };

/* The message for a file of another version, which is otherwise ignored. */
static enum el_status status_of_version(uint64_t version)
{
	return version < VERSION ? EL_OUTDATED : EL_UNREADABLE;
}

/* A checksum covers every part of a file, so no bit can change unseen. Only the version is believed
   without one: it says where the checksum is. */
static void test_flipped_bits(void **state)
{
	(void)state;
	struct victim v = victim_in("zstd:19");
	for (size_t at = 0; at < v.size; at += at < 1000 || at + 400 > v.size ? 1 : 17) {
		v.bytes[at] ^= (uint8_t)(1 << at % 8);
		fixture_write_file(v.path, v.bytes, v.size);
		if (at >= AT_VERSION && at < AT_VERSION + 4)
			victim_refused(&v, status_of_version(victim_number(v.bytes, AT_VERSION, 4)),
			               "file version: found");
		else
			victim_damaged(&v, "expected");
		v.bytes[at] ^= (uint8_t)(1 << at % 8);
	}
	free(v.bytes);
}

/* The same with small tables of every codec: a bit of each byte, or all bits (TRUTH=all). */
static void test_every_byte(void **state)
{
	const unsigned bits = tests_are_thorough() ? 8 : 1;
	const struct el_codec *codec;
	(void)state;
	for (size_t c = 0; (codec = el_codec_at(c)); c++) {
		const struct el_table_options o =
			fixture_options(codec->name, 256, EL_FILL_PREVIOUS);
		struct victim v = victim_under(&el_dtw, "checkers:KvK", &o);
		for (size_t bit = 0; bit < 8 * v.size; bit++) {
			const size_t at = bit / 8;
			if (bit % 8 >= bits || (at >= AT_VERSION && at < AT_VERSION + 4))
				continue;
			const uint8_t flipped = (uint8_t)(1 << (at + bit) % 8);
			v.bytes[at] ^= flipped;
			fixture_write_file(v.path, v.bytes, v.size);
			victim_damaged(&v, "expected");
			v.bytes[at] ^= flipped;
		}
		free(v.bytes);
	}
}

static void test_wrong_length(void **state)
{
	(void)state;
	struct victim v = victim_in("zstd:19");
	for (size_t size = 0; size < v.size; size += size < 400 ? 1 : 101) {
		fixture_write_file(v.path, v.bytes, size);
		victim_damaged(&v, size == 0 ? "empty file" : "expected");
	}
	fixture_write_file(v.path, v.bytes, v.size + 1);
	victim_damaged(&v, "size: expected");
	free(v.bytes);
}

static void test_other_files(void **state)
{
	(void)state;
	struct victim v = victim_in("raw");
	uint8_t png[64] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
	fixture_write_file(v.path, png, sizeof png);
	victim_damaged(&v, "another kind of file");
	free(v.bytes);
}

/* Files of other versions may be sound, however little else fits. */
static void test_other_versions(void **state)
{
	(void)state;
	struct victim v = victim_in("raw");
	for (size_t size = v.size; size >= 64; size /= 4) {
		victim_set(v.bytes, AT_VERSION, 4, VERSION_MOST + 1);
		fixture_write_file(v.path, v.bytes, size);
		victim_refused(&v, EL_UNREADABLE, "; a newer endlab reads it");
		victim_set(v.bytes, AT_VERSION, 4, VERSION - 1);
		fixture_write_file(v.path, v.bytes, size);
		victim_refused(&v, EL_OUTDATED, "; run 'endlab build' to make it again");
	}
	free(v.bytes);
}

/* Names identify foreign files, sound or not. */
static void test_foreign_names(void **state)
{
	(void)state;
	static const char *const names[][2] = {
		{"KQvK.rtbw", "expected a table of ours, found one of syzygy"},
		{"KQvK.rtbm", "Syzygy DTM tables are not read yet"},
		{"kqk.gtb.cp4", "expected a table of ours, found one of gaviota"},
		{"kqk.gtb.cp1", "expected a table of ours, found one of gaviota"},
		{"std_3_3_0_0.sec2", "expected a table of ours, found one of malom"},
		{"db4.cpr", "has several slices: name one of them, as lists of tables do"},
		{"db4.cpr#KMvKM", "expected a table of ours, found one of cake"},
		{"kqk.gtb.cp0", "uncompressed Gaviota tables are not read"},
		{"kqk.nbw.emd", "Nalimov tables are not read"},
	};
	struct el_error error;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		assert_int_equal(el_source_check_ours(names[i][0], &error), EL_NEGATIVE);
		assert_non_null(strstr(error.text, names[i][1]));
	}
	assert_int_equal(el_source_check_ours("KQvK.dtm.egt", &error), EL_OK);
}

static void test_not_files(void **state)
{
	(void)state;
	struct el_table *table;
	struct el_error error;
	assert_int_equal(el_table_open(fixture_path(folder, "none.egt"), &table, &error), EL_IO);
	assert_non_null(strstr(error.text, "cannot open"));
	assert_int_equal(el_table_open(folder, &table, &error), EL_IO);
	assert_non_null(strstr(error.text, "found a folder, expected a file"));
	const char *pipe = fixture_path(folder, "pipe.egt");
	assert_int_equal(mkfifo(pipe, 0600), 0);
	assert_int_equal(el_table_open(pipe, &table, &error), EL_IO);
	assert_non_null(strstr(error.text, "found a pipe, expected a file"));
}

static void test_checksums(void **state)
{
	(void)state;
	/* The check values of CRC-64/XZ and CRC-32/ISO-HDLC in the catalogue of parametrised CRC
	   algorithms. */
	assert_true(victim_crc64((const uint8_t *)"123456789", 9) == UINT64_C(0x995dc9bbdf1939fa));
	assert_true(victim_crc32((const uint8_t *)"123456789", 9) == UINT32_C(0xcbf43926));
	struct victim v = victim_in("raw");
	assert_int_equal(victim_number(v.bytes, 16, 8), v.size);
	assert_true(victim_number(v.bytes, v.header - 8, 8) == victim_crc64(v.bytes, v.header - 8));
	assert_true(victim_number(v.bytes, 192, 8) ==
	            victim_crc64(v.bytes + v.directory, v.size - v.directory));
	assert_true(victim_block_checksum(&v, 0) ==
	            victim_crc32(v.bytes + v.header, victim_block_size(&v, 0)));
	free(v.bytes);
}

/* ---- blocks ---- */

/* One damaged block: the error names it, and the others stay readable. */
static void test_damaged_block(void **state)
{
	(void)state;
	struct victim v = victim_in("zstd:19");
	v.bytes[v.header + victim_block_size(&v, 0) + 100] ^= 1;
	fixture_write_file(v.path, v.bytes, v.size);
	struct el_table *table = fixture_open(v.path);
	uint16_t *symbols = malloc(16384 * sizeof *symbols);
	struct el_error error;
	for (uint64_t b = 0; b < el_table_info(table)->block_count; b++)
		assert_int_equal(el_table_read_block(table, b, symbols, &error),
		                 b == 1 ? EL_DAMAGED : EL_OK);
	free(symbols);
	el_table_close(table);
	victim_damaged(&v, "block 1: expected checksum");
	free(v.bytes);
}

/* Sound blocks, each in another's place: the directory knows where they belong. */
static void test_swapped_blocks(void **state)
{
	(void)state;
	struct el_table_options o = fixture_options("raw", 4096, EL_FILL_PREVIOUS);
	struct victim v = victim_of("KRvKN", &o);
	const size_t size = victim_block_size(&v, 0);
	uint8_t *first = v.bytes + v.header, *kept = malloc(size);
	memcpy(kept, first, size);
	unsigned swaps = 0;
	for (unsigned b = 1; victim_block_size(&v, b) == size && swaps < 100; b++, swaps++) {
		uint8_t *other = first + b * size;
		if (!memcmp(kept, other, size))
			continue;
		memcpy(first, other, size);
		memcpy(other, kept, size);
		fixture_write_file(v.path, v.bytes, v.size);
		victim_damaged(&v, "block 0: expected checksum");
		memcpy(other, first, size);
		memcpy(first, kept, size);
	}
	assert_true(swaps > 10);
	free(kept);
	free(v.bytes);
}

/* The header of one table, and the rest of another of the same slice: both are sound alone. */
static void test_header_of_another(void **state)
{
	(void)state;
	struct victim v = victim_in("raw");
	size_t size;
	struct el_planes other = fixture_planes("KQvK", &el_dtm, 77);
	const struct el_table_options options = fixture_options("raw", 16384, EL_FILL_PREVIOUS);
	fixture_write(v.path, &other, &options);
	uint8_t *bytes = fixture_read_file(v.path, &size);
	const size_t header = victim_number(bytes, 12, 4);
	const size_t rest = size - header;
	assert_true(rest == v.size - v.header); /* otherwise the sizes would show it */
	assert_true(memcmp(bytes + header, v.bytes + v.header, rest) != 0);
	memcpy(v.bytes + v.header, bytes + header, rest);
	fixture_write_file(v.path, v.bytes, v.size);
	victim_damaged(&v, "directory: expected checksum");
	el_planes_free(&other);
	free(bytes);
	free(v.bytes);
}

/* A file that shrinks while it is open: the missing part gives one clear error, the rest stays
   readable while the file is open. */
static void test_truncated_while_open(void **state)
{
	(void)state;
	struct victim v = victim_in("zstd:19");
	uint16_t *symbols = malloc(16384 * sizeof *symbols);
	struct el_table *early = fixture_open(v.path), *late = fixture_open(v.path);
	struct el_error error = {.text = ""};
	const uint64_t last = el_table_info(late)->block_count - 1;
	assert_int_equal(el_table_read_block(late, last, symbols, &error), EL_OK);
	assert_int_equal(truncate(v.path, (off_t)v.size / 2), 0);
	assert_int_equal(el_table_read_block(late, 0, symbols, &error), EL_OK);
	assert_int_equal(el_table_read_block(late, last, symbols, &error), EL_DAMAGED);
	assert_non_null(strstr(error.text, "bytes at"));
	assert_int_equal(el_table_read_block(early, 0, symbols, &error), EL_DAMAGED);
	assert_non_null(strstr(error.text, v.path));
	descriptors_close(NULL); /* as if many others had been read */
	assert_int_equal(el_table_read_block(late, 0, symbols, &error), EL_IO);
	assert_non_null(strstr(error.text, "changed since it was opened"));
	el_table_close(early);
	el_table_close(late);
	free(symbols);
	free(v.bytes);
}

/* A table that replaces an open one leaves the open file unchanged, and nobody ever gets a
   mixture. */
static void test_replaced_while_open(void **state)
{
	(void)state;
	struct victim v = victim_in("zstd:19");
	struct el_table *old = fixture_open(v.path);
	const struct el_slice slice = el_table_info(old)->slice;
	struct el_planes before, after, other = fixture_planes(slice.name, &el_dtm, 77);
	const struct el_table_options options = fixture_options("raw", 256, EL_FILL_PREVIOUS);
	struct el_error error = {.text = ""};
	assert_int_equal(el_table_read(old, &before, NULL), EL_OK);
	fixture_write(v.path, &other, &options);
	assert_int_equal(el_table_read(old, &after, NULL), EL_OK);
	for (unsigned p = 0; p < slice.planes; p++)
		assert_memory_equal(before.plane[p].symbols, after.plane[p].symbols,
		                    slice.positions * sizeof(uint16_t));
	descriptors_close(NULL); /* as if many others had been read */
	el_planes_free(&after);
	assert_int_equal(el_table_read(old, &after, &error), EL_IO);
	assert_non_null(strstr(error.text, "changed since it was opened"));
	el_planes_free(&before);
	el_planes_free(&other);
	el_table_close(old);
	free(v.bytes);
}

int main(void)
{
	omp_set_num_threads(1); /* most files here are too small to share */
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_flipped_bits),        IN_FOLDER(test_every_byte),
		IN_FOLDER(test_wrong_length),        IN_FOLDER(test_other_files),
		IN_FOLDER(test_other_versions),      IN_FOLDER(test_foreign_names),
		IN_FOLDER(test_not_files),           IN_FOLDER(test_checksums),
		IN_FOLDER(test_damaged_block),       IN_FOLDER(test_swapped_blocks),
		IN_FOLDER(test_header_of_another),   IN_FOLDER(test_truncated_while_open),
		IN_FOLDER(test_replaced_while_open),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
