/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table files: written and read back, and written whole or not at all. */
#include "core/table/table.h"
#include "tests/fixtures/scratch.h"
#include "tests/fixtures/store_fixture.h"

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

/* ---- round trips ---- */

/* The worse values come first, so that a greater symbol is a better value. */
static void check_values(const struct el_table *table)
{
	for (unsigned p = 0; p < el_table_info(table)->slice.planes; p++) {
		uint32_t count;
		const struct el_value *values = el_table_values(table, p, &count);
		assert_int_equal(values[0].outcome, EL_BROKEN);
		for (uint32_t s = 1; s < count; s++)
			assert_true(fixture_score(values[s - 1]) < fixture_score(values[s]));
	}
}

static void round_trip(const struct el_planes *planes, const struct el_table_options *options)
{
	const char *path = fixture_path(folder, "round.egt");
	uint64_t bytes = fixture_write(path, planes, options);
	struct el_table *table = fixture_open(path);
	const struct el_table_info *info = el_table_info(table);
	assert_int_equal(info->slice.key, planes->slice.key);
	assert_ptr_equal(info->metric, planes->metric);
	fixture_same_options(&info->options, options);
	assert_int_equal(info->bytes, bytes);
	check_values(table);
	struct el_planes back;
	struct el_error error;
	assert_int_equal(el_table_read(table, &back, &error), EL_OK);
	for (unsigned p = 0; p < planes->slice.planes; p++) {
		assert_int_equal(back.plane[p].values[0].outcome, EL_BROKEN);
		assert_int_equal(
			fixture_differences(planes, &back, p, options->fill == EL_FILL_NONE), 0);
	}
	el_planes_free(&back);
	el_table_close(table);
}

/* The index, and one order for each plane. */
static void round_trip_in_orders(const struct el_planes *planes, struct el_table_options options,
                                 const char *order)
{
	const char *const words[] = {"index", order};
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(el_order_parse(words[i], &planes->slice, &options, NULL), EL_OK);
		round_trip(planes, &options);
	}
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
				struct el_table_options o =
					fixture_options(codecs[c], blocks[b], fill);
				round_trip_in_orders(&dtm, o, "kKQ/QkK");
				round_trip_in_orders(&wdl, o, "PKk/index");
			}
	el_planes_free(&dtm);
	el_planes_free(&wdl);
}

/* Under each kind of metric: values with phases; those of a rule, which its name gives; and wins
   alone, which are not partial. */
static void test_metrics(void **state)
{
	(void)state;
	static const char *const names[] = {"win", "wdl20", "dtz20", "dtz299", "dtr", "dtzr"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct el_planes planes = fixture_planes("KQvK", el_metric_find(names[i]), i);
		for (enum el_fill fill = 0; el_fill_names[fill]; fill++) {
			struct el_table_options o = fixture_options("zstd:1", 4096, fill);
			round_trip_in_orders(&planes, o, "kKQ/QkK");
			struct el_table *table = fixture_open(fixture_path(folder, "round.egt"));
			assert_false(el_table_info(table)->partial);
			el_table_close(table);
		}
		el_planes_free(&planes);
	}
}

/* Alphabets that force one, two and no bytes a symbol, and planes without any position. */
static void test_odd_planes(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KQvK", &el_dtm, 3);
	struct el_table_options o = fixture_options("zstd:3", 4096, EL_FILL_PREVIOUS);
	struct el_plane *plane = &planes.plane[1];
	free(plane->values);
	plane->value_count = 300;
	plane->values = calloc(plane->value_count, sizeof *plane->values);
	plane->values[0].outcome = EL_BROKEN;
	for (uint32_t s = 1; s < plane->value_count; s++)
		plane->values[s] = (struct el_value){.outcome = EL_WIN, .plies = (uint16_t)s};
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

/* Some positions, and all with a value of their own, are left to be derived. */
static void mark_some(struct el_planes *planes)
{
	uint64_t seed = 21;
	for (unsigned p = 0; p < planes->slice.planes; p++) {
		struct el_plane *plane = &planes->plane[p];
		plane->derivable = malloc(planes->slice.positions);
		assert_non_null(plane->derivable);
		for (uint64_t i = 0; i < planes->slice.positions; i++)
			plane->derivable[i] =
				plane->symbols[i] % 7 == 3 || fixture_random(&seed) % 4 == 0;
	}
}

static void test_derivable_positions(void **state)
{
	(void)state;
	struct el_planes dtm = fixture_planes("KQvK", &el_dtm, 12);
	struct el_planes wdl = fixture_planes("KPvK", &el_wdl, 13);
	mark_some(&dtm);
	mark_some(&wdl);
	for (enum el_fill fill = 0; el_fill_names[fill]; fill++) {
		struct el_table_options o = fixture_options("zstd:3", 4096, fill);
		o.derive = EL_DERIVE_CAPTURES;
		round_trip_in_orders(&dtm, o, "QkK");
		round_trip_in_orders(&wdl, o, "index/kPK");
	}
	el_planes_free(&dtm);
	el_planes_free(&wdl);
}

/* Values that no position must keep need no symbol, except the worst. */
static void test_derivable_values(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KQvK", &el_dtm, 14);
	struct el_table_options o = fixture_options("raw", 4096, EL_FILL_PREVIOUS);
	const char *path = fixture_path(folder, "few.egt");
	uint32_t count;
	o.derive = EL_DERIVE_CAPTURES;
	for (unsigned p = 0; p < 2; p++)
		planes.plane[p].derivable =
			memset(malloc(planes.slice.positions), 1, planes.slice.positions);
	fixture_write(path, &planes, &o);
	struct el_table *table = fixture_open(path);
	const struct el_value *values = el_table_values(table, 0, &count);
	assert_int_equal(count, 2);
	assert_int_equal(values[1].outcome, EL_LOSS);
	assert_int_equal(values[1].plies, 0);
	el_table_close(table);
	round_trip(&planes, &o);
	el_planes_free(&planes);
}

/* Planes that cannot be written are refused before there is a file. */
static void test_refused(void **state)
{
	(void)state;
	static const struct {
		struct el_order order;
		const char *words;
	} cases[] = {
		{{3, {0, 1, 1}}, "the order names other pieces"},
		{{3, {0, 1, 3}}, "the order names other pieces"},
		{{2, {0, 1}}, "the order names other pieces"},
		{{4, {0, 1, 2, 3}}, "the order names other pieces"},
		{{3, {2, 1, 0}}, NULL},
	};
	struct el_planes planes = fixture_planes("KQvK", &el_dtm, 15);
	const char *path = fixture_path(folder, "refused.egt");
	struct el_error error;
	for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
		struct el_table_options o = fixture_options("raw", 4096, EL_FILL_PREVIOUS);
		o.ordering = EL_ORDER_GIVEN;
		o.order[i % 2] = cases[i / 2].order;
		enum el_status status = el_table_write(path, &planes, &o, NULL, NULL, &error);
		assert_int_equal(status, cases[i / 2].words ? EL_USAGE : EL_OK);
		if (status)
			assert_non_null(strstr(error.text, cases[i / 2].words));
		assert_int_equal(scratch_count(folder, "refused"), !status);
		remove(path);
	}
	struct el_table_options o = fixture_options("raw", 4096, EL_FILL_NONE);
	o.derive = EL_DERIVE_CAPTURES;
	assert_int_equal(el_table_write(path, &planes, &o, NULL, NULL, &error), EL_USAGE);
	assert_non_null(strstr(error.text, "KQvK: it is not known what is derivable"));
	assert_int_equal(scratch_count(folder, "refused"), 0);
	el_planes_free(&planes);
}

/* Counts symbols of a block, in index order, that differ from the planes. */
static uint64_t wrong_in_block(const struct el_table *table, const struct el_planes *planes,
                               uint64_t block, const uint16_t *symbols)
{
	const struct el_table_info *info = el_table_info(table);
	uint64_t per_plane = info->block_count / 2, wrong = 0;
	unsigned p = block >= per_plane;
	uint64_t first = (block - p * per_plane) * info->options.block_positions;
	uint32_t count;
	const struct el_value *values = el_table_values(table, p, &count);
	for (size_t i = 0; i < el_table_block_count(table, block); i++)
		wrong += symbols[i] >= count ||
		         !el_value_equal(values[symbols[i]],
		                         el_plane_value(&planes->plane[p], first + i));
	return wrong;
}

/* The last block is short; blocks of plane 1 follow those of plane 0. */
static void test_blocks(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KQvK", &el_dtm, 4);
	struct el_table_options o = fixture_options("raw", 1024, EL_FILL_NONE);
	const char *path = fixture_path(folder, "blocks.egt");
	fixture_write(path, &planes, &o);
	struct el_table *table = fixture_open(path);
	const struct el_table_info *info = el_table_info(table);
	uint64_t positions = planes.slice.positions, per_plane = (positions + 1023) / 1024;
	assert_int_equal(info->block_count, 2 * per_plane);
	assert_int_equal(el_table_block_of(table, 1, 1024), per_plane + 1);
	assert_int_equal(el_table_block_of(table, 0, positions - 1), per_plane - 1);
	assert_int_equal(el_table_block_count(table, 0), 1024);
	assert_int_equal(el_table_block_count(table, per_plane - 1),
	                 positions - 1024 * (per_plane - 1));
	assert_int_equal(el_table_block_count(table, per_plane), 1024);
	uint16_t symbols[1024];
	for (uint64_t b = 0; b < info->block_count; b++) {
		assert_int_equal(el_table_read_block(table, b, symbols, NULL), EL_OK);
		assert_int_equal(wrong_in_block(table, &planes, b, symbols), 0);
	}
	el_table_close(table);
	el_planes_free(&planes);
}

/* Single symbols agree with the whole block. */
static void test_decode_one(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KQvK", &el_dtm, 16);
	struct el_table_options o = fixture_options("raw", 512, EL_FILL_PREVIOUS);
	const char *path = fixture_path(folder, "one.egt");
	assert_int_equal(el_order_parse("kQK/KQk", &planes.slice, &o, NULL), EL_OK);
	fixture_write(path, &planes, &o);
	struct el_table *table = fixture_open(path);
	for (uint64_t b = 0; b < el_table_info(table)->block_count; b++) {
		uint16_t symbols[512], one;
		uint8_t *bytes;
		size_t size;
		assert_int_equal(el_table_read_block(table, b, symbols, NULL), EL_OK);
		assert_int_equal(el_table_read_bytes(table, b, &bytes, &size, NULL), EL_OK);
		for (size_t i = 0; i < el_table_block_count(table, b); i++) {
			assert_int_equal(el_table_decode_one(table, b, bytes, size, i, &one, NULL),
			                 EL_OK);
			assert_int_equal(one, symbols[i]);
		}
		free(bytes);
	}
	el_table_close(table);
	el_planes_free(&planes);
}

static void test_threads_do_not_matter(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KPvK", &el_dtm, 5);
	struct el_table_options o = fixture_options("zstd:9", 1024, EL_FILL_PREVIOUS);
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

/* Fails to overwrite a good table, and checks that it is intact afterwards. */
static void fail_to_write(const struct el_planes *planes, const struct el_watch *watch,
                          enum el_status expected, const char *words)
{
	const char *path = fixture_path(folder, "kept.egt");
	struct el_table_options o = fixture_options("raw", 4096, EL_FILL_NONE);
	size_t size, size_after;
	uint8_t *before = fixture_read_file(path, &size);
	struct el_error error = {.text = ""};
	assert_int_equal(el_table_write(path, planes, &o, watch, NULL, &error), expected);
	assert_non_null(strstr(error.text, words));
	uint8_t *after = fixture_read_file(path, &size_after);
	assert_int_equal(size, size_after);
	assert_memory_equal(before, after, size);
	assert_int_equal(scratch_count(folder, "kept"), 1);
	assert_int_equal(scratch_count(folder, ".endlab-tmp-"), 0);
	free(before);
	free(after);
}

static void test_stopped(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KQvK", &el_dtm, 6);
	struct el_table_options o = fixture_options("zstd", 4096, EL_FILL_PREVIOUS);
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
	struct el_table_options o = fixture_options("zstd", 4096, EL_FILL_PREVIOUS);
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
	assert_non_null(strstr(error.text, "found a folder, expected a file"));
	assert_int_equal(scratch_count(folder, ".endlab-tmp-"), 0);
	el_planes_free(&planes);
}

/* Root may write anywhere, so it becomes another user for a while. */
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

static void test_many_threads(void **state)
{
	(void)state;
	struct el_planes planes = fixture_planes("KQvK", &el_dtm, 11);
	struct el_table_options o = fixture_options("zstd", 256, EL_FILL_NONE);
	const char *path = fixture_path(folder, "many.egt");
	fixture_write(path, &planes, &o);
	struct el_table *table = fixture_open(path);
	uint64_t blocks = el_table_info(table)->block_count, wrong = 0;
#pragma omp parallel for num_threads(8) reduction(+ : wrong)
	for (uint64_t i = 0; i < 4 * blocks; i++) {
		uint16_t symbols[256];
		uint64_t b = i * 7919 % blocks;
		bool read = el_table_read_block(table, b, symbols, NULL) == EL_OK;
		wrong += !read || wrong_in_block(table, &planes, b, symbols);
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

int main(void)
{
	omp_set_num_threads(1); /* most files here are too small to share */
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_round_trips),
		IN_FOLDER(test_metrics),
		IN_FOLDER(test_odd_planes),
		IN_FOLDER(test_derivable_positions),
		IN_FOLDER(test_derivable_values),
		IN_FOLDER(test_refused),
		IN_FOLDER(test_blocks),
		IN_FOLDER(test_decode_one),
		IN_FOLDER(test_threads_do_not_matter),
		IN_FOLDER(test_stopped),
		IN_FOLDER(test_full_disk),
		IN_FOLDER(test_no_directory),
		IN_FOLDER(test_locked_directory),
		IN_FOLDER(test_many_threads),
		cmocka_unit_test(test_block_sizes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
