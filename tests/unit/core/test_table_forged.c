/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forged table files: every checksum is right, and the contents are not. */
#include "tests/fixtures/victim_fixture.h"

#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A lie in the header under a correct checksum: each has its own check. */
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
		victim_seal_header(v, forged);
		fixture_write_file(v->path, forged, v->size);
		victim_refused(v, expected, f->words);
	}
	free(forged);
}

#define TRY_AS(status, victim, list) try_forgeries(victim, list, sizeof list / sizeof *list, status)
#define TRY(victim, list)            TRY_AS(EL_DAMAGED, victim, list)

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
		{65, "\x04", 1, "derive: expected 0 to 3, 6 or 7, found 4"},
		{65, "\x05", 1, "derive: expected 0 to 3, 6 or 7, found 5"},
		{65, "\x08", 1, "derive: expected 0 to 3, 6 or 7, found 8"},
		{65, "\xff", 1, "derive: expected 0 to 3, 6 or 7, found 255"},
		{65, "\x02", 1, "place of the directory: expected"},
		{65, "\x07", 1, "place of the directory: expected"},
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
	struct victim v = victim_in("zstd:19");
	TRY(&v, forgeries);
	free(v.bytes);
}

/* If a codec has more than four options, each takes two bytes; in an older file, the added ones are
   zero. */
static void test_forged_options(void **state)
{
	(void)state;
	static const struct forgery forgeries[] = {
		{48, "\12", 1, "level of xz: expected 0 to 9, found 10"},
		{48, "\xff\xff", 2, "level of xz: expected 0 to 9, found -1"},
		{50, "\5", 1, "lp of xz: expected 0 to 4, found 5"},
		{54, "\1\10", 2, "window of xz: expected 0 to 2048, found 2049"},
		{58, "\1", 1, "an option that is not there of xz: expected 0 to 0, found 1"},
		{50, "\2\0\0\0\0\0\3", 7, "xz: lc + lp: found 3 + 2, expected at most 4"},
	};
	static const uint8_t usual[16] = {6}, other[16] = {9, 0, 2, 0, 1, 0, 4, 0, 1, 0, 0, 0, 3};
	struct victim v = victim_in("xz");
	assert_memory_equal(v.bytes + 48, usual, sizeof usual);
	TRY(&v, forgeries);
	free(v.bytes);
	v = victim_in("xz:9:container=1:lc=1:unit=3:lp=2:window=4");
	assert_memory_equal(v.bytes + 48, other, sizeof other);
	free(v.bytes);
}

/* A newer program, or one with more codecs, may have written it: the file is not to blame. */
/* Values that the file's metric does not have. */
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
		{"dtzr", {65, "\1", 1, "derive: expected 0, found 1"}},
		{"dtzr", {65, "\2", 1, "derive: expected 0, found 2"}},
		{"dtr", {65, "\2", 1, "derive: expected 0 to 1, found 2"}},
		{"win", {65, "\6", 1, "derive: expected 0 to 1, found 6"}},
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
		{104, "dtw", 4, "metric: dtw is a metric of checkers and morris alone"},
		{120, "lzma", 5, ": written by codec lzma, which is not loaded: put lzma.so into "},
		{120, "lz/ma", 6,
	         "codec: found 'lz/ma', expected a name of lower-case letters; a newer endlab"},
		{120, "", 1, "codec: found '', expected a name"},
		{136, "KQvKX", 6, "slice: 'KQvKX': unknown piece 'X', expected one of KQRBNP"},
		{136, "KvKQ", 5, "slice: found 'KvKQ', expected KQvK"},
	};
	static const struct forgery older[] = {
		{44, "\0", 1, "index version: found 0, expected"},
	};
	struct victim v = victim_in("zstd:19");
	TRY_AS(EL_UNREADABLE, &v, newer);
	TRY_AS(EL_OUTDATED, &v, older);
	free(v.bytes);
}

/* Orders that KQvK, with three digits, cannot have. */
static void test_forged_orders(void **state)
{
	(void)state;
	static const char words[] = "order: expected each digit of KQvK once, found another order";
	static const struct forgery forgeries[] = {
		{72, "\1\2\2", 3, words},           /* one of them twice */
		{72, "\1\2", 2, words},             /* too few */
		{72, "\1\2\3\4", 4, words},         /* too many */
		{72, "\1\2\3\1\2\3\1\2", 8, words}, /* no end */
		{72, "\1\2\4", 3, words},           /* a missing one */
		{72, "\1\2\xff", 3, words},
		{72, "\1\2\3\0\1", 5, words}, /* something behind the zeros */
		{72, "\0\1\2\3", 4, words},
		{72, "\0\0\0\0\0\0\0\1", 8, words},
		{80, "\3\3\3", 3, words},
		{80, "\0\0\0\0\0\0\0\1", 8, words},
		{72, "\3\2\1", 3, "directory: expected"}, /* more positions, so more blocks */
		{80, "\3\2\1", 3, "directory: expected"},
	};
	struct victim v = victim_in("raw");
	TRY(&v, forgeries);
	free(v.bytes);
}

/* Nothing may be said of an absent plane. */
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

/* Nor of one that is left out. */
static void test_forged_side(void **state)
{
	(void)state;
	struct el_table_options o = fixture_options("zstd:1", 16384, EL_FILL_PREVIOUS);
	o.derive = EL_DERIVE_SIDE;
	struct victim v = victim_of("KQvK", &o);
	const size_t out = v.bytes[65] == 6; /* the plane */
	assert_true(out || v.bytes[65] == 2);
	const struct forgery forgeries[] = {
		{65, "\0", 1, "place of the directory: expected"},
		{65, out ? "\2" : "\6", 1, "number of values: expected"},
		{72 + 8 * out, "\1\2\3", 3, "order: expected each digit of KQvK once"},
		{176 + 4 * out, "\1", 1,
	         "bytes learned from a plane that is left out: expected 0, found 1"},
		{184 + 4 * out, "\1", 1, "number of values: expected 0 to 0, found 1"},
		{188 - 4 * out, "\0\0", 2, "number of values: expected 1 to 65536, found 0"},
		{104, "dtr", 4, "derive: expected 0 to 1, found"},
		{104, "win", 4, "derive: expected 0 to 1, found"},
		{136, "KQvKQ", 6, "positions: expected"},
	};
	TRY(&v, forgeries);
	free(v.bytes);
	struct victim bounded = victim_under(&el_wdl, "KQvK", &o);
	const struct forgery bounds[] = {
		{200, "\7", 1, "expected exact values with a side left out, found bounds"},
	};
	TRY(&bounded, bounds);
	free(bounded.bytes);
}

/* Sizes of blocks that do not add up, and an impossible one, under a correct checksum. */
static void test_forged_directory(void **state)
{
	(void)state;
	static const char *const words[] = {"directory: expected blocks up to", "at most"};
	struct victim v = victim_in("raw");
	for (unsigned i = 0; i < 2; i++) {
		uint8_t *forged = malloc(v.size);
		uint64_t first = victim_block_size(&v, 0) + 1;
		memcpy(forged, v.bytes, v.size);
		/* The first takes the next one's bytes. */
		if (i == 1) {
			first += victim_block_size(&v, 1) - 1;
			memset(forged + victim_entry(&v, 1), 0, v.size_bytes);
		}
		assert_true(first >> 8 * v.size_bytes == 0);
		victim_set(forged, victim_entry(&v, 0), v.size_bytes, first);
		victim_seal_directory(&v, forged, v.size);
		fixture_write_file(v.path, forged, v.size);
		victim_damaged(&v, words[i]);
		free(forged);
	}
	free(v.bytes);
}

/* Learned bytes for a codec that learns nothing. */
static void test_forged_learned_bytes(void **state)
{
	(void)state;
	struct victim v = victim_in("raw");
	uint8_t *forged = malloc(v.size + 1);
	memcpy(forged, v.bytes, v.directory);
	forged[v.directory] = 1;
	memcpy(forged + v.directory + 1, v.bytes + v.directory, v.size - v.directory);
	victim_set(forged, 16, 8, v.size + 1);
	victim_set(forged, 176, 4, 1);
	victim_seal_directory(&v, forged, v.size + 1);
	fixture_write_file(v.path, forged, v.size + 1);
	victim_damaged(&v, "raw: expected no learned bytes, found 1");
	free(forged);
	free(v.bytes);
}

/* Nonsense in a block under a correct checksum: the codec finds it, and only this block suffers. */
static void test_forged_block(void **state)
{
	(void)state;
	static const char *const codecs[] = {"raw", "zstd:19"};
	static const char *const words[] = {"block 0: raw: expected symbols below",
	                                    "block 0: zstd: "};
	for (unsigned i = 0; i < 2; i++) {
		struct victim v = victim_in(codecs[i]);
		size_t block = victim_block_size(&v, 0);
		memset(v.bytes + v.header, 0xff, block);
		victim_set(v.bytes, victim_entry(&v, 0) + v.size_bytes, 4,
		           victim_crc32(v.bytes + v.header, block));
		victim_seal_directory(&v, v.bytes, v.size);
		fixture_write_file(v.path, v.bytes, v.size);
		victim_damaged(&v, words[i]);
		struct el_table *table = fixture_open(v.path);
		uint16_t *symbols = malloc(16384 * sizeof *symbols);
		assert_int_equal(el_table_read_block(table, 1, symbols, NULL), EL_OK);
		free(symbols);
		el_table_close(table);
		free(v.bytes);
	}
}

int main(void)
{
	omp_set_num_threads(1); /* most files here are too small to share */
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_forged_headers),       IN_FOLDER(test_forged_options),
		IN_FOLDER(test_forged_values),        IN_FOLDER(test_other_writers),
		IN_FOLDER(test_forged_orders),        IN_FOLDER(test_forged_second_plane),
		IN_FOLDER(test_forged_side),          IN_FOLDER(test_forged_directory),
		IN_FOLDER(test_forged_learned_bytes), IN_FOLDER(test_forged_block),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
