/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table in another form, and everything that can go wrong on the way: none of it costs a
   table. */
#include "codecs/registry.h"
#include "core/builder/build.h"
#include "core/probe/probe.h"
#include "core/whole/whole.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/store_fixture.h"
#include "tests/fixtures/tables.h"

#include <omp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cmocka.h>

/* ---- misbehaving codecs ---- */

static enum el_status open_nothing(const struct el_codec_params *params, const uint8_t *learned,
                                   size_t size, void **coder, struct el_error *error)
{
	static int something;
	(void)params, (void)learned, (void)size, (void)error;
	*coder = &something;
	return EL_OK;
}

static void close_nothing(void *coder)
{
	(void)coder;
}

static size_t memory(const struct el_codec_params *params, size_t learned)
{
	(void)params, (void)learned;
	return 0;
}

static size_t bound(const struct el_codec_params *params, size_t count)
{
	(void)params;
	return count;
}

static enum el_status encode_as_bytes(void *coder, const uint16_t *symbols, size_t count,
                                      uint8_t *out, size_t capacity, size_t *size,
                                      struct el_error *error)
{
	(void)coder, (void)capacity, (void)error;
	for (size_t i = 0; i < count; i++)
		out[i] = (uint8_t)symbols[i];
	*size = count;
	return EL_OK;
}

/* Changes one symbol of a block. */
static enum el_status decode_a_lie(void *coder, const uint8_t *bytes, size_t size,
                                   uint16_t *symbols, size_t count, struct el_error *error)
{
	(void)coder, (void)size, (void)error;
	for (size_t i = 0; i < count; i++)
		symbols[i] = bytes[i];
	symbols[count / 2] = !symbols[count / 2];
	return EL_OK;
}

static enum el_status fail_to_encode(void *coder, const uint16_t *symbols, size_t count,
                                     uint8_t *out, size_t capacity, size_t *size,
                                     struct el_error *error)
{
	(void)coder, (void)symbols, (void)count, (void)out, (void)capacity, (void)size;
	return el_fail(error, EL_MEMORY, "failing: cannot");
}

static enum el_status fail_to_decode(void *coder, const uint8_t *bytes, size_t size,
                                     uint16_t *symbols, size_t count, struct el_error *error)
{
	(void)coder, (void)bytes, (void)size, (void)symbols, (void)count;
	return el_fail(error, EL_DAMAGED, "forgetful: what was that?");
}

/* This codec adds what it learned of a plane, more for some than for others, to every symbol. */
static enum el_status learn_a_sum(const struct el_codec_params *params,
                                  const struct el_codec_plane *plane, const struct el_watch *watch,
                                  uint8_t **learned, size_t *size, struct el_error *error)
{
	uint8_t sum = 0;
	(void)params, (void)watch, (void)error;
	for (uint64_t i = 0; i < plane->positions; i++)
		sum = (uint8_t)(sum + plane->symbols[i]);
	*size = 1u + sum % 5;
	*learned = memset(malloc(*size), sum, *size);
	return EL_OK;
}

static enum el_status open_sum(const struct el_codec_params *params, const uint8_t *learned,
                               size_t size, void **coder, struct el_error *error)
{
	(void)params;
	if (!size || size != 1u + learned[0] % 5)
		return el_fail(error, EL_DAMAGED, "learner: that is not what I learned");
	*coder = (void *)(uintptr_t)learned;
	return EL_OK;
}

static enum el_status encode_sum(void *coder, const uint16_t *symbols, size_t count, uint8_t *out,
                                 size_t capacity, size_t *size, struct el_error *error)
{
	const uint8_t *sum = coder;
	(void)capacity, (void)error;
	for (size_t i = 0; i < count; i++)
		out[i] = (uint8_t)(symbols[i] + *sum);
	*size = count;
	return EL_OK;
}

static enum el_status decode_one_sum(const void *coder, const uint8_t *bytes, size_t size,
                                     size_t count, size_t at, uint16_t *symbol,
                                     struct el_error *error)
{
	const uint8_t *sum = coder;
	(void)size, (void)count, (void)error;
	*symbol = (uint8_t)(bytes[at] - *sum);
	return EL_OK;
}

static enum el_status decode_sum(void *coder, const uint8_t *bytes, size_t size, uint16_t *symbols,
                                 size_t count, struct el_error *error)
{
	for (size_t i = 0; i < count; i++)
		decode_one_sum(coder, bytes, size, count, i, &symbols[i], error);
	return EL_OK;
}

#define CODEC(its_name, its_encode, its_decode)                                                 \
	{                                                                                       \
		.abi = EL_CODEC_ABI, .name = its_name, .summary = "for tests",                  \
		.open = open_nothing, .close = close_nothing, .memory = memory, .bound = bound, \
		.encode = its_encode, .decode = its_decode,                                     \
	}

static const struct el_codec codecs[] = {
	CODEC("liar", encode_as_bytes, decode_a_lie),
	CODEC("failing", fail_to_encode, decode_a_lie),
	CODEC("forgetful", encode_as_bytes, fail_to_decode),
	{
		.abi = EL_CODEC_ABI,
		.name = "learner",
		.summary = "for tests",
		.prepare = learn_a_sum,
		.open = open_sum,
		.close = close_nothing,
		.memory = memory,
		.bound = bound,
		.encode = encode_sum,
		.decode = decode_sum,
		.decode_one = decode_one_sum,
	},
};

/* ---- files ---- */

/* A real table of a slice in the test's folder. */
static const char *write_table(const char *name, const struct el_table_options *options)
{
	const char *path = fixture_path(folder, "table.egt");
	struct el_library *library = fixture_library(folder, small_test_tables());
	struct el_planes planes = solved_planes(library, name, &el_dtm);
	fixture_write(path, &planes, options);
	el_planes_free(&planes);
	el_library_close(library);
	return path;
}

static enum el_status recode(const char *from, const char *to, struct el_table_options options,
                             const struct el_watch *watch, struct el_recoded *out,
                             struct el_error *error)
{
	struct el_library *library = fixture_library(folder, small_test_tables());
	enum el_status status = el_recode(library, from, to, &options, watch, out, error);
	el_library_close(library);
	return status;
}

static void recode_well(const char *from, const char *to, struct el_table_options options)
{
	struct el_recoded out;
	struct el_error error = {.text = ""};
	struct stat st;
	if (recode(from, to, options, NULL, &out, &error))
		fail_msg("%s", error.text);
	assert_int_equal(stat(to, &st), 0);
	assert_int_equal(out.bytes, st.st_size);
	if (options.ordering == EL_ORDER_BEST) {
		assert_int_equal(out.options.ordering, EL_ORDER_GIVEN);
		memcpy(options.order, out.options.order, sizeof options.order);
		options.ordering = EL_ORDER_GIVEN;
	}
	fixture_same_options(&out.options, &options);
}

/* Recoding onto itself fails, and the file alone remains, unchanged. */
static void fail_to_recode(const char *path, struct el_table_options options,
                           const struct el_watch *watch, enum el_status expected, const char *words)
{
	size_t before_size, size;
	uint8_t *before = fixture_read_file(path, &before_size);
	struct el_recoded out;
	struct el_error error = {.text = ""};
	enum el_status status = recode(path, path, options, watch, &out, &error);
	if (status != expected || !strstr(error.text, words))
		fail_msg("status %d: %s", status, error.text);
	uint8_t *after = fixture_read_file(path, &size);
	assert_int_equal(size, before_size);
	assert_memory_equal(before, after, size);
	assert_int_equal(scratch_count(folder, "table.egt"), 1);
	assert_int_equal(scratch_count(folder, ".endlab-tmp-"), 0);
	free(before);
	free(after);
}

/* ---- recoding ---- */

static struct el_table_options plain(void)
{
	return fixture_options("zstd:3", 4096, EL_FILL_PREVIOUS);
}

/* In place and to other files, through many forms and back: the original bytes. */
static void test_there_and_back(void **state)
{
	(void)state;
	static const char *const names[] = {"KRvK", "KPvK"};
	static const char *const orders[] = {"index", "best", "kQK", "KkQ/index"};
	for (unsigned n = 0; n < 2; n++) {
		const struct el_table_options o = plain();
		const struct el_slice slice = slice_named(names[n]);
		const char *path = write_table(names[n], &o);
		const char *kept = fixture_path(folder, "kept"),
			   *other = fixture_path(folder, "other");
		recode_well(path, kept, o);
		fixture_same_files(path, kept);
		for (unsigned i = 0; i < 4 * 2 * 3; i++) {
			struct el_table_options form =
				fixture_options(i % 2 ? "raw" : "zstd:1", 1024, EL_FILL_BEST);
			char order[32];
			snprintf(order, sizeof order, "%s", orders[i % 4]);
			for (char *c = order; *c; c++)
				*c = *c == 'Q' ? names[n][1] : *c;
			form.fill = (enum el_fill)(i / 8);
			form.derive = (enum el_derive)(i / 4 % 2);
			assert_int_equal(el_order_parse(order, &slice, &form, NULL), EL_OK);
			recode_well(path, i % 3 ? path : other, form);
			if (i % 3 == 0)
				recode_well(other, path, o);
		}
		recode_well(path, path, o);
		fixture_same_files(path, kept);
		remove(kept);
		remove(other);
	}
}

/* To derived and back if captures lead to tables. */
static void test_derived(void **state)
{
	(void)state;
	if (tests_are_slow()) {
		puts("note: four pieces are left out under sanitizers and valgrind");
		skip();
	}
	const struct el_table_options o = plain();
	struct el_table_options derived = o;
	const char *path = write_table("KQvKR", &o), *kept = fixture_path(folder, "kept");
	derived.derive = EL_DERIVE_CAPTURES;
	recode_well(path, kept, o);
	recode_well(path, path, derived);
	struct stat before, after;
	assert_int_equal(stat(kept, &before) | stat(path, &after), 0);
	assert_true(after.st_size < before.st_size);
	recode_well(path, path, o);
	fixture_same_files(path, kept);
}

/* What is learned of one plane stays apart from what is learned of the other. */
static void test_learned(void **state)
{
	(void)state;
	const struct el_table_options o = plain();
	const char *path = write_table("KRvK", &o), *kept = fixture_path(folder, "kept");
	recode_well(path, kept, o);
	recode_well(path, path, fixture_options("learner", 1024, EL_FILL_PREVIOUS));
	struct el_library *library = fixture_library(folder, NULL);
	struct el_library *tables = fixture_library(small_test_tables(), NULL);
	struct el_planes planes = solved_planes(tables, "KRvK", &el_dtm);
	for (uint64_t i = 0; i < 2 * planes.slice.positions; i += 7) {
		const unsigned p = (unsigned)(i / planes.slice.positions);
		const uint64_t index = i % planes.slice.positions;
		struct el_position position;
		struct el_value value;
		if (!el_chess.unplace(&planes.slice, p, index, &position))
			continue;
		assert_int_equal(el_library_value(library, &el_chess, &position, &el_dtm,
		                                  EL_PROBE_FULL, &value, NULL),
		                 EL_OK);
		assert_true(el_value_equal(value, el_plane_value(&planes.plane[p], index)));
	}
	el_planes_free(&planes);
	el_library_close(tables);
	el_library_close(library);
	recode_well(path, path, o);
	fixture_same_files(path, kept);
}

static void test_without_successors(void **state)
{
	(void)state;
	struct el_table_options o = plain();
	struct el_library *library = fixture_library(folder, small_test_tables());
	struct el_planes planes = solved_planes(library, "KQvKR", &el_dtm);
	const char *path = fixture_path(folder, "table.egt");
	struct el_recoded out;
	struct el_error error;
	assert_int_equal(el_library_derive(library, &planes, EL_DERIVE_CAPTURES, NULL, NULL),
	                 EL_OK);
	el_library_close(library);
	library = fixture_library(folder, NULL);
	for (unsigned i = 0; i < 2; i++) {
		struct el_table_options to = o;
		o.derive = i ? EL_DERIVE_CAPTURES : EL_DERIVE_NOTHING;
		to.derive = i ? EL_DERIVE_NOTHING : EL_DERIVE_CAPTURES;
		uint64_t bytes = fixture_write(path, &planes, &o);
		struct stat st;
		error.text[0] = '\0';
		assert_int_equal(el_recode(library, path, path, &to, NULL, &out, &error),
		                 EL_NEGATIVE);
		assert_true(strstr(error.text, ": no dtm table covers K") ||
		            strstr(error.text, ": no table covers K"));
		assert_memory_equal(error.text, path, strlen(path));
		assert_non_null(strstr(error.text, "--path"));
		assert_null(strchr(error.text, '\n'));
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_size, bytes);
		assert_int_equal(scratch_count(folder, "table.egt"), 1);
	}
	el_library_close(library);
	el_planes_free(&planes);
}

/* ---- what goes wrong ---- */

static int stop_at(void *context, const struct el_progress *progress)
{
	assert_true(progress->done <= progress->total);
	return --*(int *)context > 0;
}

/* Stops at each look at the watch in turn. */
static void test_stopped(void **state)
{
	(void)state;
	struct el_table_options o = plain(), form = o;
	const char *path = write_table("KRvK", &o);
	form.derive = EL_DERIVE_CAPTURES;
	form.ordering = EL_ORDER_BEST;
	int left, looks = 0;
	do {
		left = ++looks;
		const struct el_watch watch = {&left, stop_at};
		struct el_recoded out;
		if (recode(path, fixture_path(folder, "whole"), form, &watch, &out, NULL) == EL_OK)
			break;
		assert_int_equal(scratch_count(folder, "whole"), 0);
		left = looks;
		fail_to_recode(path, form, &watch, EL_STOPPED, "stopped");
	} while (looks < 1000);
	assert_in_range(looks, 10, 999);
}

static void test_full_disk(void **state)
{
	(void)state;
	const struct el_table_options o = plain();
	const char *path = write_table("KRvK", &o);
	struct rlimit before;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_IGN);
	for (rlim_t limit = 100; limit < 20000; limit *= 3) {
		const struct rlimit small = {limit, before.rlim_max};
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
		fail_to_recode(path, fixture_options("raw", 4096, EL_FILL_NONE), NULL, EL_IO,
		               "cannot write");
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	}
	signal(SIGXFSZ, SIG_DFL);
}

/* An untrustworthy codec is found out before its file replaces the old one. */
static void test_bad_codecs(void **state)
{
	(void)state;
	const struct el_table_options o = plain();
	const char *path = write_table("KRvK", &o);
	fail_to_recode(path, fixture_options("liar", 4096, EL_FILL_PREVIOUS), NULL, EL_DAMAGED,
	               "block 0: codec liar decodes it to other values than it encoded");
	fail_to_recode(path, fixture_options("failing", 4096, EL_FILL_PREVIOUS), NULL, EL_MEMORY,
	               "failing: cannot");
	fail_to_recode(path, fixture_options("forgetful", 4096, EL_FILL_PREVIOUS), NULL, EL_DAMAGED,
	               "forgetful: what was that?");
}

static void test_bad_files(void **state)
{
	(void)state;
	const struct el_table_options o = plain();
	const char *path = write_table("KRvK", &o), *to = fixture_path(folder, "to");
	struct el_recoded out;
	struct el_error error;
	size_t size;
	assert_int_equal(recode(fixture_path(folder, "none.egt"), to, o, NULL, &out, &error),
	                 EL_IO);
	assert_non_null(strstr(error.text, "none.egt: cannot open"));
	assert_int_equal(recode(path, fixture_path(folder, "none/to"), o, NULL, &out, &error),
	                 EL_IO);
	assert_int_equal(mkdir(to, 0777), 0);
	assert_int_equal(recode(path, to, o, NULL, &out, &error), EL_IO);
	assert_non_null(strstr(error.text, "to: found a folder, expected a file"));
	assert_int_equal(scratch_count(folder, ".endlab-tmp-"), 0);
	uint8_t *bytes = fixture_read_file(path, &size);
	bytes[size / 2] ^= 1;
	fixture_write_file(path, bytes, size);
	free(bytes);
	fail_to_recode(path, o, NULL, EL_DAMAGED, "table.egt: block");
}

int main(void)
{
	omp_set_num_threads(2);
	for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++)
		if (registry_add(&(struct el_plugin){codecs[i].name, &codecs[i], NULL}, NULL, NULL))
			return 1;
	if (!small_test_tables())
		return 1;
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_there_and_back), IN_FOLDER(test_derived),
		IN_FOLDER(test_learned),        IN_FOLDER(test_without_successors),
		IN_FOLDER(test_stopped),        IN_FOLDER(test_full_disk),
		IN_FOLDER(test_bad_codecs),     IN_FOLDER(test_bad_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
