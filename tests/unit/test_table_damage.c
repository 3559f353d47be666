/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table files that are damaged in every way, and forged ones whose checksums are right. */
#include "core/store/descriptors.h"
#include "endlab/table.h"
#include "store_fixture.h"

#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- the layout, as core/store/table_format.h describes it ---- */

enum { AT_VERSION = 8, VERSION = 3 };

/* CRC-64 by the bit, from its definition: ECMA-182, reflected, all ones before and after. */
static uint64_t crc64(const uint8_t *bytes, size_t size)
{
	uint64_t crc = UINT64_MAX;
	for (size_t i = 0; i < size; i++) {
		crc ^= bytes[i];
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? UINT64_C(0xc96c5795d7870f42) : 0);
	}
	return ~crc;
}

/* CRC-32 by the bit: IEEE 802.3, reflected, all ones before and after. */
static uint32_t crc32(const uint8_t *bytes, size_t size)
{
	uint32_t crc = UINT32_MAX;
	for (size_t i = 0; i < size; i++) {
		crc ^= bytes[i];
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
	}
	return ~crc;
}

static uint64_t number_at(const uint8_t *bytes, size_t at, unsigned size)
{
	uint64_t number = 0;
	for (unsigned i = size; i-- > 0;)
		number = number << 8 | bytes[at + i];
	return number;
}

static void set_number(uint8_t *bytes, size_t at, unsigned size, uint64_t number)
{
	for (unsigned i = 0; i < size; i++)
		bytes[at + i] = (uint8_t)(number >> 8 * i);
}

/* ---- victims ---- */

/* A small table as bytes, and a path for its damaged forms. */
struct victim {
	uint8_t *bytes;
	size_t size;
	const char *path;
	size_t header, directory; /* the size of one, the place of the other */
	size_t entries;           /* where the directory lists the blocks: `size_bytes`, 4 of a checksum */
	unsigned size_bytes;
};

static struct victim victim_under(const struct el_metric *metric, const char *slice,
                                  const struct el_table_options *options)
{
	struct victim v = {.path = fixture_path(folder, "victim.egt")};
	struct el_planes planes = fixture_planes(slice, metric, 10);
	fixture_write(v.path, &planes, options);
	v.bytes = fixture_read_file(v.path, &v.size);
	v.header = number_at(v.bytes, 12, 4);
	v.directory = number_at(v.bytes, 32, 8);
	v.entries = v.directory + number_at(v.bytes, 176, 4) + number_at(v.bytes, 180, 4);
	v.size_bytes = v.bytes[67];
	el_planes_free(&planes);
	return v;
}

static struct victim victim_of(const char *slice, const struct el_table_options *options)
{
	return victim_under(&el_dtm, slice, options);
}

static struct victim make_victim(const char *codec)
{
	struct el_table_options o = fixture_options(codec, 16384, EL_FILL_PREVIOUS);
	return victim_of("KQvK", &o);
}

static size_t entry_of(const struct victim *v, unsigned block)
{
	return v->entries + block * (v->size_bytes + 4);
}

static uint64_t block_size(const struct victim *v, unsigned block)
{
	return number_at(v->bytes, entry_of(v, block), v->size_bytes);
}

static uint64_t block_checksum(const struct victim *v, unsigned block)
{
	return number_at(v->bytes, entry_of(v, block) + v->size_bytes, 4);
}

static void seal_header(const struct victim *v, uint8_t *bytes)
{
	set_number(bytes, v->header - 8, 8, crc64(bytes, v->header - 8));
}

static void seal_directory(const struct victim *v, uint8_t *bytes, size_t size)
{
	set_number(bytes, 192, 8, crc64(bytes + v->directory, size - v->directory));
	seal_header(v, bytes);
}

/* Opens and reads the whole file; the words of the first fault. */
static enum el_status read_whole(const char *path, struct el_error *error)
{
	struct el_table *table;
	enum el_status status = el_table_open(path, &table, error);
	if (status)
		return status;
	struct el_planes planes;
	status = el_table_read(table, &planes, error);
	if (!status)
		el_planes_free(&planes);
	el_table_close(table);
	return status;
}

static void expect_refusal(const struct victim *v, enum el_status expected, const char *words)
{
	struct el_error error = {.text = ""};
	enum el_status status = read_whole(v->path, &error);
	if (status != expected || !strstr(error.text, words))
		print_error("expected '%s', found status %d: %s\n", words, status, error.text);
	assert_int_equal(status, expected);
	assert_non_null(strstr(error.text, words));
	assert_non_null(strstr(error.text, v->path));
}

static void expect_damage(const struct victim *v, const char *words)
{
	expect_refusal(v, EL_DAMAGED, words);
}

/* What a file of another version says: nothing else of it is believed. */
static enum el_status status_of_version(uint64_t version)
{
	return version < VERSION ? EL_OUTDATED : EL_UNREADABLE;
}

/* Every part of a file has a checksum over it, so no bit can change unseen. The version alone is
   believed without: it tells where the checksum is. */
static void test_flipped_bits(void **state)
{
	(void)state;
	struct victim v = make_victim("zstd:19");
	for (size_t at = 0; at < v.size; at += at < 1000 || at + 400 > v.size ? 1 : 17) {
		v.bytes[at] ^= (uint8_t)(1 << at % 8);
		fixture_write_file(v.path, v.bytes, v.size);
		if (at >= AT_VERSION && at < AT_VERSION + 4)
			expect_refusal(&v, status_of_version(number_at(v.bytes, AT_VERSION, 4)),
			               "file version: found");
		else
			expect_damage(&v, "expected");
		v.bytes[at] ^= (uint8_t)(1 << at % 8);
	}
	free(v.bytes);
}

static void test_wrong_length(void **state)
{
	(void)state;
	struct victim v = make_victim("zstd:19");
	for (size_t size = 0; size < v.size; size += size < 400 ? 1 : 101) {
		fixture_write_file(v.path, v.bytes, size);
		expect_damage(&v, size == 0 ? "empty file" : "expected");
	}
	fixture_write_file(v.path, v.bytes, v.size + 1);
	expect_damage(&v, "size: expected");
	free(v.bytes);
}

static void test_other_files(void **state)
{
	(void)state;
	struct victim v = make_victim("raw");
	uint8_t png[64] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
	fixture_write_file(v.path, png, sizeof png);
	expect_damage(&v, "another kind of file");
	free(v.bytes);
}

/* Files of other versions are sound for all that is known, however little else fits. */
static void test_other_versions(void **state)
{
	(void)state;
	struct victim v = make_victim("raw");
	for (size_t size = v.size; size >= 64; size /= 4) {
		set_number(v.bytes, AT_VERSION, 4, VERSION + 1);
		fixture_write_file(v.path, v.bytes, size);
		expect_refusal(&v, EL_UNREADABLE, "; a newer endlab reads it");
		set_number(v.bytes, AT_VERSION, 4, VERSION - 1);
		fixture_write_file(v.path, v.bytes, size);
		expect_refusal(&v, EL_OUTDATED, "; run 'endlab build' to make it again");
	}
	free(v.bytes);
}

/* Foreign files are told by their names, whether they are sound or not. */
static void test_foreign_names(void **state)
{
	(void)state;
	static const char *const names[][2] = {
		{"KQvK.rtbw", "expected a table of ours, found one of syzygy"},
		{"KQvK.rtbm", "Syzygy DTM tables are not read yet"},
		{"kqk.gtb.cp4", "expected a table of ours, found one of gaviota"},
		{"kqk.gtb.cp1", "expected a table of ours, found one of gaviota"},
		{"kqk.gtb.cp0", "uncompressed Gaviota tables are not read"},
		{"kqk.nbw.emd", "Nalimov tables are not read"},
	};
	struct victim v = make_victim("raw");
	v.bytes[0] ^= 1;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		v.path = fixture_path(folder, names[i][0]);
		fixture_write_file(v.path, v.bytes, v.size);
		expect_refusal(&v, EL_NEGATIVE, names[i][1]);
	}
	free(v.bytes);
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
	assert_true(crc64((const uint8_t *)"123456789", 9) == UINT64_C(0x995dc9bbdf1939fa));
	assert_true(crc32((const uint8_t *)"123456789", 9) == UINT32_C(0xcbf43926));
	struct victim v = make_victim("raw");
	assert_int_equal(number_at(v.bytes, 16, 8), v.size);
	assert_true(number_at(v.bytes, v.header - 8, 8) == crc64(v.bytes, v.header - 8));
	assert_true(number_at(v.bytes, 192, 8) ==
	            crc64(v.bytes + v.directory, v.size - v.directory));
	assert_true(block_checksum(&v, 0) == crc32(v.bytes + v.header, block_size(&v, 0)));
	free(v.bytes);
}

/* ---- forgeries ---- */

/* A lie in the header under a checksum that is right: each is found by its own check. */
struct forgery {
	size_t at;
	const char *bytes;
	size_t size;
	const char *words;
};

static void try_forgeries(const struct victim *v, const struct forgery *forgeries, size_t count,
                          enum el_status expected)
{
	uint8_t *forged = malloc(v->size);
	assert_non_null(forged);
	for (const struct forgery *f = forgeries; f < forgeries + count; f++) {
		memcpy(forged, v->bytes, v->size);
		memcpy(forged + f->at, f->bytes, f->size);
		seal_header(v, forged);
		fixture_write_file(v->path, forged, v->size);
		expect_refusal(v, expected, f->words);
	}
	free(forged);
}

#define TRY_AS(status, victim, list) \
	try_forgeries(victim, list, sizeof list / sizeof *list, status)
#define TRY(victim, list) TRY_AS(EL_DAMAGED, victim, list)

static void test_forged_headers(void **state)
{
	(void)state;
	static const struct forgery forgeries[] = {
		{16, "\x01", 1, "size: expected"},
		{24, "\x01", 1, "positions: expected"},
		{32, "\x01", 1, "place of the directory: expected"},
		{40, "\x01", 1, "bits set in the positions in a block"},
		{40, "\0\0\0\0", 4, "positions in a block: expected 256 to 1048576, found 0"},
		{40, "\0\0\x20\0", 4, "positions in a block: expected 256"},
		{48, "\x63", 1, "level of zstd: expected 1 to 22, found 99"},
		{48, "\0\0\0\0", 4, "level of zstd: expected 1 to 22, found 0"},
		{48, "\xff\xff\xff\xff", 4, "level of zstd: expected 1 to 22, found -1"},
		{60, "\x09", 1, "an option that is not there of zstd: expected 0 to 0, found 9"},
		{60, "\0\0\0\x80", 4, "an option that is not there of zstd"},
		{64, "\x09", 1, "fill: expected 0 to 2, found 9"},
		{65, "\x02", 1, "derive: expected 0 to 1, found 2"},
		{66, "\x03", 1, "planes: expected 2, found 3"},
		{66, "\x01", 1, "planes: expected 2, found 1"},
		{67, "\0", 1, "bytes of a block's size: expected 1 to 4, found 0"},
		{67, "\x05", 1, "bytes of a block's size: expected 1 to 4, found 5"},
		{67, "\x04", 1, "place of the directory: expected"},
		{68, "\xf1\xff\0\0", 4, "passes: expected 0 to 65520, found 65521"},
		{71, "\x01", 1, "passes: expected 0 to 65520"},
		{88, "xxxxxxxxxxxxxxxx", 16, "game: expected a name, found no end"},
		{104, "xxxxxxxxxxxxxxxx", 16, "metric: expected a name, found no end"},
		{104, "wdl", 4, "expected one of metric wdl"},
		{120, "xxxxxxxxxxxxxxxx", 16, "codec: expected a name, found no end"},
		{136, "KQvKR", 6, "positions: expected"},
		{176, "\xff\xff\xff\xff", 4, "size of the directory: expected"},
		{180, "\xff\xff\xff\xff", 4, "size of the directory: expected"},
		{176, "\x05", 1, "place of the directory: expected"},
		{180, "\x05", 1, "place of the directory: expected"},
		{184, "\0\0\0\0", 4, "number of values: expected 1 to 65536, found 0"},
		{184, "\xff\xff\xff\xff", 4, "number of values: expected 1 to 65536"},
		{188, "\x01\0\0\0", 4, "header size: expected"},
		{192, "\0\0\0\0\0\0\0\0", 8, "directory: expected checksum"},
		{200, "\x05", 1, "value 0: expected one of metric dtm, found outcome 5"},
		{200, "\x07", 1, "value 0: expected one of metric dtm, found outcome 7"},
		{200, "\x08", 1, "value 0: expected one of metric dtm, found outcome 8"},
		{200, "\x09", 1, "value 0: expected one of metric dtm, found outcome 9"},
		{203, "\x06", 1, "value 1: expected one of metric dtm, found outcome 6"},
		{204, "\xff\xff", 2, "value 1: expected one of metric dtm, found outcome"},
	};
	struct victim v = make_victim("zstd:19");
	TRY(&v, forgeries);
	free(v.bytes);
}

/* What a newer program, or one with more codecs, may have written: the file is not to blame. */
/* Values that the metric of a file does not have. */
static void test_forged_values(void **state)
{
	(void)state;
	static const struct {
		const char *metric;
		struct forgery forgery;
	} tries[] = {
		/* Losses in 0, 2, ... come first, in 3 bytes each, or in 5 with a phase. */
		{"dtr", {210, "\0\4\0\5\0", 5, "outcome 0 in 4 plies and a phase of 5"}},
		{"dtr", {210, "\3\4\0\1\0", 5, "outcome 3 in 4 plies and a phase of 1"}},
		{"dtr", {200, "\2\0\0\1\0", 5, "outcome 2 in 0 plies and a phase of 1"}},
		{"dtz20", {206, "\0\51\0", 3, "metric dtz20, found outcome 0 in 41 plies"}},
		{"dtz20", {206, "\4\51\0", 3, "metric dtz20, found outcome 4 in 41 plies"}},
		{"dtz20", {206, "\1\xff\xff", 3, "found outcome 1 in 65535 plies"}},
		{"dtm", {203, "\1\2\0", 3, "metric dtm, found outcome 1"}},
		{"wdl", {200, "\3\0\0", 3, "metric wdl, found outcome 3"}},
		{"wdl", {200, "\11\0\0", 3, "metric wdl, found outcome 9"}},
		{"wdl20", {200, "\0\1\0", 3, "metric wdl20, found outcome 0 in 1 plies"}},
		{"win", {200, "\0\0\0", 3, "metric win, found outcome 0"}},
		{"win", {200, "\2\0\0", 3, "metric win, found outcome 2"}},
		{"win", {200, "\5\0\0", 3, "metric win, found outcome 5"}},
		{"dtm", {104, "dtr", 4, "header size: expected"}},
		{"dtzr", {65, "\1", 1, "derive: expected 0 to 0, found 1"}},
	};
	for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
		struct el_table_options o = fixture_options("raw", 16384, EL_FILL_PREVIOUS);
		struct victim v = victim_under(el_metric_find(tries[i].metric), "KQvK", &o);
		try_forgeries(&v, &tries[i].forgery, 1, EL_DAMAGED);
		free(v.bytes);
	}
}

static void test_other_writers(void **state)
{
	(void)state;
	static const struct forgery newer[] = {
		{44, "\x63", 1, "index version: found 99, expected"},
		{88, "shogi", 6, "game: found 'shogi', expected one of chess, "},
		{104, "dtx", 4, "metric: found 'dtx', expected one of wdl, win, dtm"},
		{104, "dtw", 4, "metric: dtw is a metric of checkers alone"},
		{120, "lzma", 5, "codec: found 'lzma', expected one of raw, "},
		{120, "lzma", 5, "; load it with --plugin FILE"},
		{136, "KQvKX", 6, "slice: found 'KQvKX', expected one of chess"},
		{136, "KvKQ", 5, "slice: found 'KvKQ', expected one of chess"},
	};
	static const struct forgery older[] = {
		{44, "\0", 1, "index version: found 0, expected"},
	};
	struct victim v = make_victim("zstd:19");
	TRY_AS(EL_UNREADABLE, &v, newer);
	TRY_AS(EL_OUTDATED, &v, older);
	free(v.bytes);
}

/* Orders that are none of KQvK, whose digits are three. */
static void test_forged_orders(void **state)
{
	(void)state;
	static const char words[] = "order: expected each digit of KQvK once, found another order";
	static const struct forgery forgeries[] = {
		{72, "\1\2\2", 3, words},             /* one of them twice */
		{72, "\1\2", 2, words},               /* too few */
		{72, "\1\2\3\4", 4, words},           /* too many */
		{72, "\1\2\3\1\2\3\1\2", 8, words},   /* no end */
		{72, "\1\2\4", 3, words},             /* one that is not there */
		{72, "\1\2\xff", 3, words},
		{72, "\1\2\3\0\1", 5, words},         /* something behind the zeros */
		{72, "\0\1\2\3", 4, words},
		{72, "\0\0\0\0\0\0\0\1", 8, words},
		{80, "\3\3\3", 3, words},
		{80, "\0\0\0\0\0\0\0\1", 8, words},
		{72, "\3\2\1", 3, "directory: expected"}, /* more positions, so more blocks */
		{80, "\3\2\1", 3, "directory: expected"},
	};
	struct victim v = make_victim("raw");
	TRY(&v, forgeries);
	free(v.bytes);
}

/* Nothing may be said of a plane that is not there. */
static void test_forged_second_plane(void **state)
{
	(void)state;
	static const struct forgery forgeries[] = {
		{66, "\2", 1, "planes: expected 1, found 2"},
		{80, "\1\2\3\4", 4, "order: expected each digit of KQvKQ once"},
		{180, "\1", 1, "directory: expected"},
		{188, "\1", 1, "number of values: expected 0 to 0, found 1"},
	};
	struct el_table_options o = fixture_options("zstd:1", EL_BLOCK_MAX, EL_FILL_PREVIOUS);
	struct victim v = victim_of("KQvKQ", &o);
	TRY(&v, forgeries);
	free(v.bytes);
}

/* Sizes of blocks that do not add up, and one that no block can have, under a right checksum. */
static void test_forged_directory(void **state)
{
	(void)state;
	static const char *const words[] = {"directory: expected blocks up to", "at most"};
	struct victim v = make_victim("raw");
	for (unsigned i = 0; i < 2; i++) {
		uint8_t *forged = malloc(v.size);
		uint64_t first = block_size(&v, 0) + 1;
		memcpy(forged, v.bytes, v.size);
		/* The first takes the next one's bytes. */
		if (i == 1) {
			first += block_size(&v, 1) - 1;
			memset(forged + entry_of(&v, 1), 0, v.size_bytes);
		}
		assert_true(first >> 8 * v.size_bytes == 0);
		set_number(forged, entry_of(&v, 0), v.size_bytes, first);
		seal_directory(&v, forged, v.size);
		fixture_write_file(v.path, forged, v.size);
		expect_damage(&v, words[i]);
		free(forged);
	}
	free(v.bytes);
}

/* Bytes that a codec has learned, though it learns nothing. */
static void test_forged_learned_bytes(void **state)
{
	(void)state;
	struct victim v = make_victim("raw");
	uint8_t *forged = malloc(v.size + 1);
	memcpy(forged, v.bytes, v.directory);
	forged[v.directory] = 1;
	memcpy(forged + v.directory + 1, v.bytes + v.directory, v.size - v.directory);
	set_number(forged, 16, 8, v.size + 1);
	set_number(forged, 176, 4, 1);
	seal_directory(&v, forged, v.size + 1);
	fixture_write_file(v.path, forged, v.size + 1);
	expect_damage(&v, "raw: expected no learned bytes, found 1");
	free(forged);
	free(v.bytes);
}

/* ---- blocks ---- */

/* One damaged block: it is named, and the others stay readable. */
static void test_damaged_block(void **state)
{
	(void)state;
	struct victim v = make_victim("zstd:19");
	v.bytes[v.header + block_size(&v, 0) + 100] ^= 1;
	fixture_write_file(v.path, v.bytes, v.size);
	struct el_table *table = fixture_open(v.path);
	uint16_t *symbols = malloc(16384 * sizeof *symbols);
	struct el_error error;
	for (uint64_t b = 0; b < el_table_info(table)->block_count; b++)
		assert_int_equal(el_table_read_block(table, b, symbols, &error),
		                 b == 1 ? EL_DAMAGED : EL_OK);
	free(symbols);
	el_table_close(table);
	expect_damage(&v, "block 1: expected checksum");
	free(v.bytes);
}

/* Nonsense in a block under a right checksum: the codec finds it, and only this block suffers. */
static void test_forged_block(void **state)
{
	(void)state;
	static const char *const codecs[] = {"raw", "zstd:19"};
	static const char *const words[] = {"block 0: raw: expected symbols below",
	                                    "block 0: zstd: "};
	for (unsigned i = 0; i < 2; i++) {
		struct victim v = make_victim(codecs[i]);
		size_t block = block_size(&v, 0);
		memset(v.bytes + v.header, 0xff, block);
		set_number(v.bytes, entry_of(&v, 0) + v.size_bytes, 4,
		           crc32(v.bytes + v.header, block));
		seal_directory(&v, v.bytes, v.size);
		fixture_write_file(v.path, v.bytes, v.size);
		expect_damage(&v, words[i]);
		struct el_table *table = fixture_open(v.path);
		uint16_t *symbols = malloc(16384 * sizeof *symbols);
		assert_int_equal(el_table_read_block(table, 1, symbols, NULL), EL_OK);
		free(symbols);
		el_table_close(table);
		free(v.bytes);
	}
}

/* Blocks that are sound, each, in another's place: the directory knows which belongs where. */
static void test_swapped_blocks(void **state)
{
	(void)state;
	struct el_table_options o = fixture_options("raw", 4096, EL_FILL_PREVIOUS);
	struct victim v = victim_of("KRvKN", &o);
	const size_t size = block_size(&v, 0);
	uint8_t *first = v.bytes + v.header, *kept = malloc(size);
	memcpy(kept, first, size);
	unsigned swaps = 0;
	for (unsigned b = 1; block_size(&v, b) == size && swaps < 100; b++, swaps++) {
		uint8_t *other = first + b * size;
		if (!memcmp(kept, other, size))
			continue;
		memcpy(first, other, size);
		memcpy(other, kept, size);
		fixture_write_file(v.path, v.bytes, v.size);
		expect_damage(&v, "block 0: expected checksum");
		memcpy(other, first, size);
		memcpy(first, kept, size);
	}
	assert_true(swaps > 10);
	free(kept);
	free(v.bytes);
}

/* The header of one table, and what follows it in another of the same slice: both are sound alone. */
static void test_header_of_another(void **state)
{
	(void)state;
	struct victim v = make_victim("raw");
	size_t size;
	struct el_planes other = fixture_planes("KQvK", &el_dtm, 77);
	const struct el_table_options options = fixture_options("raw", 16384, EL_FILL_PREVIOUS);
	fixture_write(v.path, &other, &options);
	uint8_t *bytes = fixture_read_file(v.path, &size);
	const size_t header = number_at(bytes, 12, 4);
	const size_t rest = size - header;
	assert_true(rest == v.size - v.header); /* else the sizes would tell */
	assert_true(memcmp(bytes + header, v.bytes + v.header, rest) != 0);
	memcpy(v.bytes + v.header, bytes + header, rest);
	fixture_write_file(v.path, v.bytes, v.size);
	expect_damage(&v, "directory: expected checksum");
	el_planes_free(&other);
	free(bytes);
	free(v.bytes);
}

/* A file that shrinks while it is open: what is gone is one clear error, the rest stays readable as
   long as the file is kept open. */
static void test_truncated_while_open(void **state)
{
	(void)state;
	struct victim v = make_victim("zstd:19");
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

/* A table that takes an open one's name leaves that one as it was, and nobody ever gets a mixture. */
static void test_replaced_while_open(void **state)
{
	(void)state;
	struct victim v = make_victim("zstd:19");
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_make_folder, fixture_remove_folder)

int main(void)
{
	omp_set_num_threads(1); /* most files here are too small to share */
	const struct CMUnitTest tests[] = {
		TEST(test_flipped_bits),
		TEST(test_wrong_length),
		TEST(test_other_files),
		TEST(test_other_versions),
		TEST(test_foreign_names),
		TEST(test_not_files),
		TEST(test_checksums),
		TEST(test_forged_headers),
		TEST(test_forged_values),
		TEST(test_other_writers),
		TEST(test_forged_orders),
		TEST(test_forged_second_plane),
		TEST(test_forged_directory),
		TEST(test_forged_learned_bytes),
		TEST(test_damaged_block),
		TEST(test_forged_block),
		TEST(test_swapped_blocks),
		TEST(test_header_of_another),
		TEST(test_truncated_while_open),
		TEST(test_replaced_while_open),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
