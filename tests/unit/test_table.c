/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table files: written and read back, written whole or not at all, and damaged in every way. */
#include "endlab/table.h"
#include "scratch.h"
#include "store_fixture.h"

#include <inttypes.h>
#include <omp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct el_table_options options_of(const char *codec, uint32_t block, enum el_fill fill)
{
	struct el_table_options options = {.block_positions = block, .fill = fill};
	assert_int_equal(el_codec_parse(codec, &options.codec, NULL), EL_OK);
	return options;
}

static struct el_table *open_table(const char *path)
{
	struct el_table *table;
	struct el_error error = {.text = ""};
	enum el_status status = el_table_open(path, &table, &error);
	if (status)
		print_error("%s\n", error.text);
	assert_int_equal(status, EL_OK);
	return table;
}

/* ---- round trips ---- */

static void check_plane(const struct el_planes *in, const struct el_planes *out, unsigned plane,
                        bool broken_too)
{
	const struct el_plane *a = &in->plane[plane], *b = &out->plane[plane];
	assert_int_equal(a->value_count, b->value_count);
	assert_int_equal(b->values[0].outcome, EL_BROKEN);
	for (uint32_t s = 0; s < a->value_count; s++)
		assert_true(el_value_equal(a->values[s], b->values[s]));
	for (uint64_t i = 0; i < in->slice.positions; i++)
		if (a->symbols[i] || broken_too)
			assert_int_equal(a->symbols[i], b->symbols[i]);
}

static void round_trip(const struct el_planes *planes, const struct el_table_options *options)
{
	const char *path = fixture_path(folder, "round.egt");
	uint64_t bytes = fixture_write(path, planes, options);
	struct el_table *table = open_table(path);
	const struct el_table_info *info = el_table_info(table);
	assert_int_equal(info->slice.key, planes->slice.key);
	assert_ptr_equal(info->metric, planes->metric);
	assert_memory_equal(&info->options, options, sizeof *options);
	assert_int_equal(info->bytes, bytes);
	struct el_planes back;
	struct el_error error;
	assert_int_equal(el_table_read(table, &back, &error), EL_OK);
	for (unsigned p = 0; p < planes->slice.planes; p++)
		check_plane(planes, &back, p, options->fill == EL_FILL_NONE);
	el_planes_free(&back);
	el_table_close(table);
}

static void test_round_trips(void **state)
{
	(void)state;
	struct el_planes dtm = fixture_planes("KQvK", &el_dtm, 1);
	struct el_planes wdl = fixture_planes("KPvK", &el_wdl, 2);
	static const char *const codecs[] = {"raw", "zstd:1", "zstd:19"};
	static const uint32_t blocks[] = {EL_BLOCK_MIN, 4096, 65536, EL_BLOCK_MAX};
	for (unsigned c = 0; c < 3; c++)
		for (unsigned b = 0; b < 4; b++)
			for (enum el_fill fill = 0; el_fill_names[fill]; fill++) {
				struct el_table_options o = options_of(codecs[c], blocks[b], fill);
				round_trip(&dtm, &o);
				round_trip(&wdl, &o);
			}
	el_planes_free(&dtm);
	el_planes_free(&wdl);
}

/* Alphabets that force one, two and no bytes a symbol, and planes without any position. */
static void test_odd_planes(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KQvK", &el_dtm, 3);
	struct el_table_options o = options_of("zstd:3", 4096, EL_FILL_PREVIOUS);
	struct el_plane *plane = &planes.plane[1];
	free(plane->values);
	plane->value_count = 300;
	plane->values = calloc(plane->value_count, sizeof *plane->values);
	plane->values[0].outcome = EL_BROKEN;
	for (uint32_t s = 1; s < plane->value_count; s++)
		plane->values[s] = (struct el_value){EL_WIN, (uint16_t)s};
	for (uint64_t i = 0; i < planes.slice.positions; i++)
		plane->symbols[i] = (uint16_t)(plane->symbols[i] ? 1 + i % 299 : 0);
	memset(planes.plane[0].symbols, 0, planes.slice.positions * sizeof(uint16_t));
	round_trip(&planes, &o);
	o.fill = EL_FILL_NONE;
	round_trip(&planes, &o);
	for (uint64_t i = 0; i < planes.slice.positions; i++)
		planes.plane[0].symbols[i] = 1;
	planes.plane[0].value_count = 2;
	round_trip(&planes, &o);
	el_planes_free(&planes);
}

/* The last block is short; blocks of plane 1 follow those of plane 0. */
static void test_blocks(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KQvK", &el_dtm, 4);
	struct el_table_options o = options_of("raw", 1024, EL_FILL_NONE);
	const char *path = fixture_path(folder, "blocks.egt");
	fixture_write(path, &planes, &o);
	struct el_table *table = open_table(path);
	const struct el_table_info *info = el_table_info(table);
	uint64_t positions = planes.slice.positions, per_plane = (positions + 1023) / 1024;
	assert_int_equal(info->block_count, 2 * per_plane);
	assert_int_equal(el_table_block_of(info, 1, 1024), per_plane + 1);
	assert_int_equal(el_table_block_count(table, 0), 1024);
	assert_int_equal(el_table_block_count(table, per_plane - 1),
	                 positions - 1024 * (per_plane - 1));
	assert_int_equal(el_table_block_count(table, per_plane), 1024);
	uint16_t symbols[1024];
	for (uint64_t b = 0; b < info->block_count; b++) {
		assert_int_equal(el_table_read_block(table, b, symbols, NULL), EL_OK);
		assert_memory_equal(symbols,
		                    planes.plane[b / per_plane].symbols + b % per_plane * 1024,
		                    el_table_block_count(table, b) * sizeof *symbols);
	}
	el_table_close(table);
	el_planes_free(&planes);
}

static void test_threads_do_not_matter(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KPvK", &el_dtm, 5);
	struct el_table_options o = options_of("zstd:9", 1024, EL_FILL_PREVIOUS);
	int before = omp_get_max_threads();
	size_t size[3];
	uint8_t *bytes[3];
	for (int threads = 1; threads <= 3; threads++) {
		omp_set_num_threads(threads);
		const char *path = fixture_path(folder, "threads.egt");
		fixture_write(path, &planes, &o);
		bytes[threads - 1] = fixture_read_file(path, &size[threads - 1]);
	}
	omp_set_num_threads(before);
	for (int i = 1; i < 3; i++) {
		assert_int_equal(size[0], size[i]);
		assert_memory_equal(bytes[0], bytes[i], size[0]);
	}
	for (int i = 0; i < 3; i++)
		free(bytes[i]);
	el_planes_free(&planes);
}

/* ---- whole or not at all ---- */

static int stop_at_once(void *context, const struct el_progress *progress)
{
	++*(unsigned *)context;
	assert_string_equal(progress->stage, "writing");
	assert_string_equal(progress->what, "KQvK dtm");
	assert_true(progress->done <= progress->total);
	return 0;
}

/* Fails to write over a good table, and checks that the good one is all there is afterwards. */
static void fail_to_write(const struct el_planes *planes, const struct el_watch *watch,
                          enum el_status expected, const char *words)
{
	const char *path = fixture_path(folder, "kept.egt");
	struct el_table_options o = options_of("raw", 4096, EL_FILL_NONE);
	size_t size, size_after;
	uint8_t *before = fixture_read_file(path, &size);
	struct el_error error = {.text = ""};
	assert_int_equal(el_table_write(path, planes, &o, watch, NULL, &error), expected);
	assert_non_null(strstr(error.text, words));
	uint8_t *after = fixture_read_file(path, &size_after);
	assert_int_equal(size, size_after);
	assert_memory_equal(before, after, size);
	assert_int_equal(scratch_count(folder, "kept"), 1);
	assert_int_equal(scratch_count(folder, ".tmp."), 0);
	free(before);
	free(after);
}

static void test_stopped(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KQvK", &el_dtm, 6);
	struct el_table_options o = options_of("zstd", 4096, EL_FILL_PREVIOUS);
	fixture_write(fixture_path(folder, "kept.egt"), &planes, &o);
	unsigned ticks = 0;
	const struct el_watch watch = {&ticks, stop_at_once};
	fail_to_write(&planes, &watch, EL_STOPPED, "stopped");
	assert_int_equal(ticks, 1);
	el_planes_free(&planes);
}

/* A limit on the size of files stands for a full disk. */
static void test_full_disk(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KQvK", &el_dtm, 7);
	struct el_table_options o = options_of("zstd", 4096, EL_FILL_PREVIOUS);
	fixture_write(fixture_path(folder, "kept.egt"), &planes, &o);
	struct rlimit before, small;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_IGN);
	for (rlim_t limit = 100; limit < 40000; limit = 3 * limit) {
		small = (struct rlimit){limit, before.rlim_max};
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
		fail_to_write(&planes, NULL, EL_IO, "cannot write");
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	}
	signal(SIGXFSZ, SIG_DFL);
	el_planes_free(&planes);
}

static void test_no_directory(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KQvK", &el_dtm, 8);
	struct el_table_options o = el_table_options_default();
	struct el_error error;
	const char *file = fixture_path(folder, "file");
	fixture_write_file(file, (const uint8_t *)"x", 1);
	const char *const paths[] = {fixture_path(folder, "none/x.egt"),
	                             fixture_path(file, "x.egt")};
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(el_table_write(paths[i], &planes, &o, NULL, NULL, &error), EL_IO);
		assert_non_null(strstr(error.text, "cannot create"));
	}
	const char *taken = fixture_path(folder, "folder.egt");
	assert_int_equal(mkdir(taken, 0777), 0);
	assert_int_equal(el_table_write(taken, &planes, &o, NULL, NULL, &error), EL_IO);
	assert_non_null(strstr(error.text, "cannot rename"));
	assert_int_equal(scratch_count(folder, ".tmp."), 0);
	el_planes_free(&planes);
}

/* Root may write anywhere, so it becomes somebody else for a while. */
static void test_locked_directory(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KQvK", &el_dtm, 9);
	struct el_table_options o = el_table_options_default();
	struct el_error error;
	bool root = geteuid() == 0;
	assert_int_equal(root ? seteuid(65534) : chmod(folder, 0555), 0);
	enum el_status status =
		el_table_write(fixture_path(folder, "x.egt"), &planes, &o, NULL, NULL, &error);
	assert_int_equal(root ? seteuid(0) : chmod(folder, 0755), 0);
	assert_int_equal(status, EL_IO);
	assert_non_null(strstr(error.text, "Permission denied"));
	el_planes_free(&planes);
}

/* ---- damage ---- */

/* A small table as bytes, and a path for its damaged forms. */
struct victim {
	uint8_t *bytes;
	size_t size;
	const char *path;
};

static struct victim make_victim(const char *codec)
{
	struct victim v = {.path = fixture_path(folder, "victim.egt")};
	struct el_planes planes = fixture_planes("KQvK", &el_dtm, 10);
	struct el_table_options o = options_of(codec, 16384, EL_FILL_PREVIOUS);
	fixture_write(v.path, &planes, &o);
	v.bytes = fixture_read_file(v.path, &v.size);
	el_planes_free(&planes);
	return v;
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

static void expect_damage(const struct victim *v, const char *words)
{
	struct el_error error = {.text = ""};
	enum el_status status = read_whole(v->path, &error);
	if (status != EL_DAMAGED || !strstr(error.text, words))
		print_error("expected '%s', found status %d: %s\n", words, status, error.text);
	assert_int_equal(status, EL_DAMAGED);
	assert_non_null(strstr(error.text, words));
	assert_non_null(strstr(error.text, v->path));
}

/* Every part of a file has a checksum over it, so no bit can change unseen. */
static void test_flipped_bits(void **state)
{
	(void)state;
	struct victim v = make_victim("zstd:19");
	for (size_t at = 0; at < v.size; at += at < 1000 || at + 400 > v.size ? 1 : 17) {
		v.bytes[at] ^= (uint8_t)(1 << at % 8);
		fixture_write_file(v.path, v.bytes, v.size);
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
	v.bytes[8] = 7;
	fixture_write_file(v.path, v.bytes, v.size);
	expect_damage(&v, "version: expected 1, found 7");
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
	assert_non_null(strstr(error.text, "regular file"));
	const char *pipe = fixture_path(folder, "pipe.egt");
	assert_int_equal(mkfifo(pipe, 0600), 0);
	assert_int_equal(el_table_open(pipe, &table, &error), EL_IO);
	assert_non_null(strstr(error.text, "regular file"));
}

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

static uint64_t number_at(const uint8_t *bytes, size_t at, unsigned size)
{
	uint64_t number = 0;
	for (unsigned i = size; i-- > 0;)
		number = number << 8 | bytes[at + i];
	return number;
}

static void test_checksums(void **state)
{
	(void)state;
	/* The check value of CRC-64/XZ in the catalogue of parametrised CRC algorithms. */
	assert_true(crc64((const uint8_t *)"123456789", 9) == UINT64_C(0x995dc9bbdf1939fa));
	struct victim v = make_victim("raw");
	size_t header = number_at(v.bytes, 12, 4), directory = number_at(v.bytes, 32, 8);
	assert_int_equal(number_at(v.bytes, 16, 8), v.size);
	assert_true(number_at(v.bytes, header - 8, 8) == crc64(v.bytes, header - 8));
	assert_true(number_at(v.bytes, v.size - 8, 8) ==
	            crc64(v.bytes + directory, v.size - 8 - directory));
	size_t block = number_at(v.bytes, directory, 4);
	assert_true(number_at(v.bytes, header + block, 8) == crc64(v.bytes + header, block));
	free(v.bytes);
}

/* A lie in the header under a checksum that is right: each is found by its own check. */
struct forgery {
	size_t at;
	const char *bytes;
	size_t size;
	const char *words;
};

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
		{44, "\x63", 1, "index version: expected"},
		{48, "\x63", 1, "level of zstd: expected 1 to 22, found 99"},
		{52, "\x09", 1, "fill: expected 0 to 1, found 9"},
		{53, "\x03", 1, "planes: expected 2, found 3"},
		{54, "\x01", 1, "reserved bytes: expected 0, found 1"},
		{56, "shogi", 6, "game: expected a known one, found 'shogi'"},
		{56, "xxxxxxxxxxxxxxxx", 16, "game: expected a name, found no end"},
		{72, "dtx", 4, "metric: expected a known one, found 'dtx'"},
		{72, "wdl", 4, "expected one of metric wdl"},
		{88, "lzma", 5, "codec: expected a known one, found 'lzma'"},
		{104, "KQvKX", 6, "slice: expected a known one, found 'KQvKX'"},
		{104, "KvKQ", 5, "slice: expected a known one, found 'KvKQ'"},
		{104, "KQvKR", 6, "positions: expected"},
		{144, "\xff\xff\xff\xff", 4, "size of the directory: expected"},
		{144, "\x05", 1, "place of the directory: expected"},
		{152, "\0\0\0\0", 4, "number of values: expected 1 to 65536, found 0"},
		{152, "\xff\xff\xff\xff", 4, "number of values: expected 1 to 65536"},
		{156, "\x01\0\0\0", 4, "header size: expected"},
		{160, "\x05", 1, "value 0: expected one of metric dtm, found outcome 5"},
		{163, "\x06", 1, "value 1: expected one of metric dtm, found outcome 6"},
		{164, "\xff\xff", 2, "value 1: expected one of metric dtm, found outcome"},
	};
	struct victim v = make_victim("zstd:19");
	size_t header = number_at(v.bytes, 12, 4);
	uint8_t *forged = malloc(v.size);
	for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++) {
		const struct forgery *f = &forgeries[i];
		memcpy(forged, v.bytes, v.size);
		memcpy(forged + f->at, f->bytes, f->size);
		uint64_t crc = crc64(forged, header - 8);
		for (unsigned b = 0; b < 8; b++)
			forged[header - 8 + b] = (uint8_t)(crc >> 8 * b);
		fixture_write_file(v.path, forged, v.size);
		expect_damage(&v, f->words);
	}
	free(forged);
	free(v.bytes);
}

/* Sizes of blocks that do not add up, and one that no block can have, under a right checksum. */
static void test_forged_directory(void **state)
{
	(void)state;
	static const char *const words[] = {"directory: expected blocks up to", "at most"};
	struct victim v = make_victim("raw");
	size_t directory = number_at(v.bytes, 32, 8);
	for (unsigned i = 0; i < 2; i++) {
		uint8_t *forged = malloc(v.size);
		memcpy(forged, v.bytes, v.size);
		uint64_t first = number_at(forged, directory, 4), delta = 0;
		/* The first takes all the others' bytes. */
		for (unsigned b = 1; i == 1 && b < 4; b++) {
			delta += number_at(forged, directory + 4 * b, 4);
			memset(forged + directory + 4 * b, 0, 4);
		}
		first = i == 0 ? first + 1 : first + delta;
		for (unsigned b = 0; b < 4; b++)
			forged[directory + b] = (uint8_t)(first >> 8 * b);
		uint64_t crc = crc64(forged + directory, v.size - 8 - directory);
		for (unsigned b = 0; b < 8; b++)
			forged[v.size - 8 + b] = (uint8_t)(crc >> 8 * b);
		fixture_write_file(v.path, forged, v.size);
		expect_damage(&v, words[i]);
		free(forged);
	}
	free(v.bytes);
}

/* One damaged block: it is named, and the others stay readable. */
static void test_damaged_block(void **state)
{
	(void)state;
	struct victim v = make_victim("zstd:19");
	size_t header = number_at(v.bytes, 12, 4), directory = number_at(v.bytes, 32, 8);
	size_t first = number_at(v.bytes, directory, 4);
	v.bytes[header + first + 8 + 100] ^= 1;
	fixture_write_file(v.path, v.bytes, v.size);
	struct el_table *table = open_table(v.path);
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
		size_t header = number_at(v.bytes, 12, 4), directory = number_at(v.bytes, 32, 8);
		size_t block = number_at(v.bytes, directory, 4);
		memset(v.bytes + header, 0xff, block);
		uint64_t crc = crc64(v.bytes + header, block);
		for (unsigned b = 0; b < 8; b++)
			v.bytes[header + block + b] = (uint8_t)(crc >> 8 * b);
		fixture_write_file(v.path, v.bytes, v.size);
		expect_damage(&v, words[i]);
		struct el_table *table = open_table(v.path);
		uint16_t *symbols = malloc(16384 * sizeof *symbols);
		assert_int_equal(el_table_read_block(table, 1, symbols, NULL), EL_OK);
		free(symbols);
		el_table_close(table);
		free(v.bytes);
	}
}

/* A file that shrinks while it is open: what is gone is one clear error, the rest stays readable. */
static void test_truncated_while_open(void **state)
{
	(void)state;
	struct victim v = make_victim("zstd:19");
	uint16_t *symbols = malloc(16384 * sizeof *symbols);
	struct el_table *early = open_table(v.path), *late = open_table(v.path);
	struct el_error error = {.text = ""};
	const uint64_t last = el_table_info(late)->block_count - 1;
	assert_int_equal(el_table_read_block(late, last, symbols, &error), EL_OK);
	assert_int_equal(truncate(v.path, (off_t)v.size / 2), 0);
	assert_int_equal(el_table_read_block(late, 0, symbols, &error), EL_OK);
	assert_int_equal(el_table_read_block(late, last, symbols, &error), EL_DAMAGED);
	assert_non_null(strstr(error.text, "bytes at"));
	assert_int_equal(el_table_read_block(early, 0, symbols, &error), EL_DAMAGED);
	assert_non_null(strstr(error.text, v.path));
	el_table_close(early);
	el_table_close(late);
	free(symbols);
	free(v.bytes);
}

/* A table that takes an open one's name leaves that one as it was. */
static void test_replaced_while_open(void **state)
{
	(void)state;
	struct victim v = make_victim("zstd:19");
	struct el_table *old = open_table(v.path);
	const struct el_slice slice = el_table_info(old)->slice;
	struct el_planes before, after, other = fixture_planes(slice.name, &el_dtm, 77);
	const struct el_table_options options = options_of("raw", 256, EL_FILL_PREVIOUS);
	assert_int_equal(el_table_read(old, &before, NULL), EL_OK);
	fixture_write(v.path, &other, &options);
	assert_int_equal(el_table_read(old, &after, NULL), EL_OK);
	for (unsigned p = 0; p < slice.planes; p++)
		assert_memory_equal(before.plane[p].symbols, after.plane[p].symbols,
		                    slice.positions * sizeof(uint16_t));
	el_planes_free(&before);
	el_planes_free(&after);
	el_planes_free(&other);
	el_table_close(old);
	free(v.bytes);
}

static void test_many_threads(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KQvK", &el_dtm, 11);
	struct el_table_options o = options_of("zstd", 256, EL_FILL_NONE);
	const char *path = fixture_path(folder, "many.egt");
	fixture_write(path, &planes, &o);
	struct el_table *table = open_table(path);
	uint64_t blocks = el_table_info(table)->block_count, wrong = 0;
#pragma omp parallel for num_threads(8) reduction(+ : wrong)
	for (uint64_t i = 0; i < 4 * blocks; i++) {
		uint16_t symbols[256];
		uint64_t b = i * 7919 % blocks, per_plane = blocks / 2;
		bool read = el_table_read_block(table, b, symbols, NULL) == EL_OK;
		const uint16_t *expected =
			planes.plane[b / per_plane].symbols + b % per_plane * 256;
		wrong +=
			!read || memcmp(symbols, expected, el_table_block_count(table, b) * 2) != 0;
	}
	assert_int_equal(wrong, 0);
	el_table_close(table);
	el_planes_free(&planes);
}

/* ---- words ---- */

static void test_block_sizes(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint32_t size;
	} good[] = {
		{"256", 256}, {"16K", 16384}, {"16k", 16384}, {"1M", 1048576}, {"1024K", 1048576}};
	static const char *const bad[] = {"",
	                                  "K",
	                                  "128",
	                                  "2M",
	                                  "1000",
	                                  "16KB",
	                                  "-1",
	                                  "0",
	                                  "16 K",
	                                  "4294967552",
	                                  "99999999999999999999",
	                                  "1G"};
	uint32_t size;
	struct el_error error;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		assert_int_equal(el_block_parse(good[i].text, &size, &error), EL_OK);
		assert_int_equal(size, good[i].size);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_int_equal(el_block_parse(bad[i], &size, &error), EL_USAGE);
		assert_non_null(strstr(error.text, "256 to 1024K"));
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_make_folder, fixture_remove_folder)

int main(void)
{
	omp_set_num_threads(1); /* most files here are too small to share */
	const struct CMUnitTest tests[] = {
		TEST(test_round_trips),      TEST(test_odd_planes),
		TEST(test_blocks),           TEST(test_threads_do_not_matter),
		TEST(test_stopped),          TEST(test_full_disk),
		TEST(test_no_directory),     TEST(test_locked_directory),
		TEST(test_flipped_bits),     TEST(test_wrong_length),
		TEST(test_other_files),      TEST(test_not_files),
		TEST(test_checksums),        TEST(test_forged_headers),
		TEST(test_forged_directory), TEST(test_damaged_block),
		TEST(test_forged_block),     TEST(test_truncated_while_open),
		TEST(test_many_threads),     TEST(test_replaced_while_open),
		cmocka_unit_test(test_block_sizes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
