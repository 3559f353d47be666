/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Foreign files that are not what their names say: each gives one clear error, never a crash.
   test_foreign.c compares sound files with our own tables. */
#include "tests/fixtures/foreign_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const struct el_source_ops *const kinds[] = {&el_source_gaviota, &el_source_syzygy,
                                                    &el_source_syzygy_dtz};

enum { GAVIOTA, SYZYGY, SYZYGY_DTZ, KINDS };

static struct el_cache *cache;

static int make_folder(void **state)
{
	(void)state;
	scratch_make(folder);
	return el_cache_open(4 << 20, &cache, NULL) != EL_OK;
}

static int remove_folder(void **state)
{
	(void)state;
	el_cache_close(cache);
	return rmdir(folder);
}

/* ---- files ---- */

static const char *path_of(const char *name)
{
	static char path[SCRATCH_PATH + 64];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

static void write_file(const char *name, const uint8_t *bytes, size_t size)
{
	FILE *file = fopen(path_of(name), "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

/* Bytes of a real file; null without one. */
static uint8_t *read_file(const char *path, size_t *size)
{
	enum { LARGEST = 1 << 20 };
	FILE *file = fopen(path, "rb");
	if (!file)
		return NULL;
	uint8_t *bytes = malloc(LARGEST);
	assert_non_null(bytes);
	*size = fread(bytes, 1, LARGEST, file);
	fclose(file);
	return bytes;
}

/* A real file of a kind under its required name. Free it; skips if there is none. */
static uint8_t *real_file(unsigned kind, const char *slice, char name[32], size_t *size)
{
	const char *own = getenv("ENDLAB_SYZYGY");
	const char *directory = kind == GAVIOTA ? "/usr/share/gaviotatb/gtb4"
	                        : own && *own   ? own
	                                        : "../shared/data/syzygy";
	char path[512];
	snprintf(name, 32, "%s%s", slice, kinds[kind]->extension);
	snprintf(path, sizeof path, "%s/%s", directory, name);
	uint8_t *bytes = read_file(path, size);
	if (!bytes) {
		printf("note: no %s to be damaged\n", path);
		skip();
	}
	return bytes;
}

/* ---- probing a file ---- */

static void expect_words(const struct el_error *error, const char *path)
{
	assert_non_null(strstr(error->text, path));
	assert_true(strlen(error->text) > strlen(path) + 10);
}

/* Opens a file that may be damaged; if that fails, checks the error and returns null. */
static struct el_source *try_open(unsigned kind, const char *name)
{
	struct el_source *source = NULL;
	struct el_error error = {0};
	enum el_status status = kinds[kind]->open(path_of(name), cache, &source, &error);
	if (status == EL_OK)
		return source;
	assert_int_equal(status, EL_DAMAGED);
	expect_words(&error, path_of(name));
	return NULL;
}

/* Probes every `step`-th position; each has a value or an error. Returns the number of errors;
   stops after enough. */
static uint64_t try_positions(struct el_source *source, uint64_t step, uint64_t enough)
{
	uint64_t errors = 0, end = source->slice.positions;
	for (uint64_t index = 0; index < end && errors < enough; index += step)
		for (unsigned plane = 0; plane < source->slice.planes; plane++) {
			struct el_position position;
			struct el_place place;
			/* The outcomes given to sources of plies alone. */
			struct el_value value = {.outcome = index & 1 ? EL_WIN : EL_LOSS};
			struct el_error error = {0};
			if (!el_chess.unplace(&source->slice, plane, index, &position))
				continue;
			assert_true(el_chess.place(&position, &place));
			enum el_status status = source->ops->probe(source, &position, &place, false,
			                                           &value, &error);
			if (status == EL_OK) {
				assert_true(value.outcome <= EL_WIN || source->plies_only);
				continue;
			}
			assert_true(status == EL_DAMAGED || status == EL_NEGATIVE);
			expect_words(&error, source->path);
			errors++;
		}
	return errors;
}

/* ---- the tests ---- */

static void test_all_draws(void **state)
{
	(void)state;
	write_file("KBvK.rtbw", all_draws, sizeof all_draws);
	struct el_source *source = try_open(SYZYGY, "KBvK.rtbw");
	assert_non_null(source);
	struct el_position position;
	struct el_value value;
	assert_string_equal(source->slice.name, "KBvK");
	assert_ptr_equal(source->metric, &el_wdl_rule[EL_RULE_USUAL - 1]);
	assert_int_equal(el_chess.parse("8/8/8/2k5/8/8/1B6/K7 b - - 0 1", &position, NULL), EL_OK);
	struct el_place place;
	assert_true(el_chess.place(&position, &place));
	for (unsigned soft = 0; soft < 3; soft++) /* a real probe reads the head */
		assert_int_equal(
			source->ops->probe(source, &position, &place, soft != 1, &value, NULL),
			soft == 0 ? EL_NEGATIVE : EL_OK);
	assert_int_equal(value.outcome, EL_DRAW);
	assert_int_equal(try_positions(source, 1, 1), 0);
	source->ops->close(source);
	unlink(path_of("KBvK.rtbw"));
}

/* Names of no slice, of a misspelt one, or of one with too many pieces. */
static void test_names(void **state)
{
	static const struct {
		unsigned kind;
		const char *name;
	} bad[] = {
		{SYZYGY, "readme.rtbw"},     {SYZYGY, "KvKQ.rtbw"},
		{SYZYGY, ".rtbw"},           {SYZYGY, "KXvK.rtbw"},
		{GAVIOTA, "kkq.gtb.cp4"},    {SYZYGY, "KQQQvKQQQ.rtbw"},
		{GAVIOTA, "readme.gtb.cp4"}, {GAVIOTA, "kqqqkq.gtb.cp4"},
	};
	(void)state;
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct el_source *source = NULL;
		struct el_error error = {0};
		write_file(bad[i].name, all_draws, sizeof all_draws);
		enum el_status status =
			kinds[bad[i].kind]->open(path_of(bad[i].name), cache, &source, &error);
		assert_int_equal(status, EL_NEGATIVE);
		expect_words(&error, path_of(bad[i].name));
		unlink(path_of(bad[i].name));
	}
}

static void test_no_file(void **state)
{
	struct el_source *source = NULL;
	struct el_error error = {0};
	(void)state;
	assert_int_equal(kinds[SYZYGY]->open(path_of("KQvK.rtbw"), cache, &source, &error), EL_IO);
	expect_words(&error, path_of("KQvK.rtbw"));
	assert_int_equal(mkdir(path_of("KQvK.rtbw"), 0700), 0);
	assert_int_equal(kinds[SYZYGY]->open(path_of("KQvK.rtbw"), cache, &source, &error), EL_IO);
	assert_int_equal(rmdir(path_of("KQvK.rtbw")), 0);
}

/* Pipes and devices under the names of tables: opening a pipe would wait for a writer for ever. */
static void test_no_regular_files(void **state)
{
	static const char *const names[] = {"kqk.gtb.cp4", "KQvK.rtbw", "KQvK.rtbz"};
	enum { MORE_THAN_ENOUGH = 10 };
	(void)state;
	alarm(MORE_THAN_ENOUGH);
	for (unsigned kind = 0; kind < KINDS; kind++)
		for (unsigned i = 0; i < 3; i++) {
			struct el_source *source = NULL;
			struct el_error error = {0};
			const char *path = path_of(names[kind]);
			assert_int_equal(i == 0   ? mkfifo(path, 0600)
			                 : i == 1 ? symlink("/dev/zero", path)
			                          : mkdir(path, 0700),
			                 0);
			assert_int_equal(kinds[kind]->open(path, cache, &source, &error), EL_IO);
			expect_words(&error, path);
			assert_non_null(strstr(error.text, "expected a file"));
			assert_int_equal(remove(path), 0);
		}
	alarm(0);
}

/* Another table's bytes, no bytes, and text. */
static void test_other_bytes(void **state)
{
	static const char text[] = "This is not a table at all, but a text of some length, which "
				   "nobody would take for one, were it not for the file's name.";
	static const char *const names[] = {"kqk.gtb.cp4", "KQvK.rtbw", "KQvK.rtbz"};
	(void)state;
	for (unsigned kind = 0; kind < KINDS; kind++) {
		write_file(names[kind], all_draws, sizeof all_draws);
		assert_null(try_open(kind, names[kind]));
		write_file(names[kind], all_draws, 0);
		assert_null(try_open(kind, names[kind]));
		write_file(names[kind], (const uint8_t *)text, sizeof text);
		assert_null(try_open(kind, names[kind]));
		unlink(path_of(names[kind]));
	}
}

/* Some kinds read most of a file only when they are probed: then there is no answer. */
static void expect_nothing(unsigned kind, const char *name)
{
	struct el_source *source = try_open(kind, name);
	if (!source)
		return;
	assert_ptr_not_equal(kinds[kind], &el_source_gaviota);
	assert_true(try_positions(source, source->slice.positions / 300 | 1, 100) >= 100);
	source->ops->close(source);
}

/* No truncated file answers. */
static void cut_off(unsigned kind, const char *slice)
{
	char name[32];
	size_t size;
	uint8_t *bytes = real_file(kind, slice, name, &size);
	for (size_t i = 0; i < 100; i++) {
		write_file(name, bytes, size * i / 100);
		expect_nothing(kind, name);
	}
	for (size_t i = 1; i < 200 && i < size; i++) {
		write_file(name, bytes, size - i);
		expect_nothing(kind, name);
	}
	unlink(path_of(name));
	free(bytes);
}

/* Flips a bit in `times` places, mostly in the head, where everything depends on them. */
static void flip_bits(unsigned kind, const char *slice, unsigned times)
{
	char name[32];
	size_t size;
	uint64_t chance = 1;
	uint8_t *bytes = real_file(kind, slice, name, &size);
	for (unsigned i = 0; i < times; i++) {
		chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		size_t range = i % 4 && size > 200 ? 200 : size;
		size_t at = (size_t)(chance >> 33) % range;
		uint8_t mask = (uint8_t)(1u << (chance >> 60 & 7));
		bytes[at] ^= mask;
		write_file(name, bytes, size);
		struct el_source *source = try_open(kind, name);
		if (source) {
			try_positions(source, source->slice.positions / 300, 10);
			source->ops->close(source);
		}
		bytes[at] ^= mask;
	}
	unlink(path_of(name));
	free(bytes);
}

static void test_gaviota_cut_off(void **state)
{
	(void)state;
	cut_off(GAVIOTA, "krk");
}

static void test_gaviota_flipped(void **state)
{
	(void)state;
	flip_bits(GAVIOTA, "krk", 200);
	flip_bits(GAVIOTA, "kpk", 100);
}

static void test_syzygy_cut_off(void **state)
{
	(void)state;
	cut_off(SYZYGY, "KRvK");
	cut_off(SYZYGY, "KPvK");
	cut_off(SYZYGY_DTZ, "KRvK");
	cut_off(SYZYGY_DTZ, "KPvK");
}

static void test_syzygy_flipped(void **state)
{
	(void)state;
	flip_bits(SYZYGY, "KRvK", 800);
	flip_bits(SYZYGY, "KPvK", 400);
	flip_bits(SYZYGY, "KNvKN", 60);
	flip_bits(SYZYGY, "KPPvK", 40);
	flip_bits(SYZYGY_DTZ, "KRvK", 800);
	flip_bits(SYZYGY_DTZ, "KPvK", 600);
	flip_bits(SYZYGY_DTZ, "KQvKQ", 60);
	flip_bits(SYZYGY_DTZ, "KPvKP", 60);
}

/* A damaged block leaves the others readable. */
static void test_one_bad_block(void **state)
{
	char name[32];
	size_t size;
	(void)state;
	uint8_t *bytes = real_file(GAVIOTA, "kpk", name, &size);
	memset(bytes + size / 2, 0xff, 64);
	write_file(name, bytes, size);
	struct el_source *source = try_open(GAVIOTA, name);
	assert_non_null(source);
	uint64_t all = 2 * (source->slice.positions / 7);
	uint64_t errors = try_positions(source, 7, all);
	assert_true(errors > 0 && errors < all / 2);
	source->ops->close(source);
	unlink(path_of(name));
	free(bytes);
}

/* A soft probe does not read; after a real one it finds the block in memory. */
static void test_soft(void **state)
{
	char name[32];
	size_t size;
	struct el_position position;
	struct el_place place;
	struct el_value value;
	struct el_error error = {0};
	(void)state;
	uint8_t *bytes = real_file(GAVIOTA, "kqk", name, &size);
	write_file(name, bytes, size);
	struct el_source *source = try_open(GAVIOTA, name);
	assert_non_null(source);
	assert_int_equal(el_chess.parse("7k/8/6K1/8/8/8/Q7/8 w - - 0 1", &position, NULL), EL_OK);
	assert_true(el_chess.place(&position, &place));
	for (unsigned soft = 0; soft < 3; soft++) {
		enum el_status status =
			source->ops->probe(source, &position, &place, soft != 1, &value, &error);
		assert_int_equal(status, soft == 0 ? EL_NEGATIVE : EL_OK);
	}
	assert_true(el_value_equal(value, (struct el_value){.outcome = EL_WIN, .plies = 1}));
	source->ops->close(source);
	unlink(path_of(name));
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_draws),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_no_regular_files),
		cmocka_unit_test(test_other_bytes),
		cmocka_unit_test(test_gaviota_cut_off),
		cmocka_unit_test(test_gaviota_flipped),
		cmocka_unit_test(test_syzygy_cut_off),
		cmocka_unit_test(test_syzygy_flipped),
		cmocka_unit_test(test_one_bad_block),
		cmocka_unit_test(test_soft),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
