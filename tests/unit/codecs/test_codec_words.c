/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Codecs by name: the list, the command line's words for them, and plug-ins. */
#include "tests/fixtures/codec_fixture.h"
#include "tests/fixtures/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void assert_text(const struct el_error *error, const char *part)
{
	if (!strstr(error->text, part))
		fail_msg("expected '%s' in '%s'", part, error->text);
}

/* ---- the list ---- */

static void test_list(void **state)
{
	(void)state;
	size_t count = 0;
	for (const struct el_codec *codec; (codec = el_codec_at(count)); count++) {
		assert_int_equal(codec->abi, EL_CODEC_ABI);
		assert_ptr_equal(el_codec_find(codec->name), codec);
		assert_true(codec->option_count <= EL_CODEC_OPTIONS_MAX);
		for (unsigned i = 0; i < codec->option_count; i++) {
			const struct el_codec_option *o = &codec->options[i];
			assert_true(*o->name && *o->summary);
			assert_true(o->least <= o->usual && o->usual <= o->most);
		}
	}
	assert_true(count >= 4);
	assert_null(el_codec_at(count + 1));
	assert_null(el_codec_find(""));
	assert_null(el_codec_find("zst"));
	assert_null(el_codec_find("zstd:19"));
}

/* ---- words ---- */

static void test_parse(void **state)
{
	(void)state;
	static const struct {
		const char *text, *codec, *formatted;
		int option[EL_CODEC_OPTIONS_MAX];
	} good[] = {
		{"raw", "raw", "raw", {0, 0}},
		{"rle", "rle", "rle:64", {64, 0}},
		{"rle:every=0", "rle", "rle:0", {0, 0}},
		{"zstd", "zstd", "zstd:7", {7, 0}},
		{"zstd:19", "zstd", "zstd:19", {19, 0}},
		{"zstd:19:dict=64", "zstd", "zstd:19:dict=64", {19, 64}},
		{"zstd:dict=64:19", "zstd", "zstd:19:dict=64", {19, 64}},
		{"zstd:dict=0", "zstd", "zstd:7", {7, 0}},
		{"zstd:level=3:level=22", "zstd", "zstd:22", {22, 0}},
		{"xz:9:container=1", "xz", "xz:9:container=1", {9, 1}},
		{"xz:lp=1:window=64", "xz", "xz:6:lp=1:window=64", {6, 0, 0, 0, 1, 64}},
	};
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct el_codec_choice choice, again;
		struct el_error error = {.text = ""};
		char text[EL_CODEC_TEXT];
		assert_int_equal(el_codec_parse(good[i].text, &choice, &error), EL_OK);
		assert_ptr_equal(choice.codec, el_codec_find(good[i].codec));
		assert_memory_equal(choice.option, good[i].option, sizeof good[i].option);
		el_codec_format(&choice, text);
		assert_string_equal(text, good[i].formatted);
		assert_int_equal(el_codec_parse(text, &again, &error), EL_OK);
		assert_memory_equal(again.option, choice.option, sizeof choice.option);
	}
}

static void test_parse_faults(void **state)
{
	(void)state;
	static const char *const bad[][2] = {
		{"gzip", "unknown codec 'gzip': expected one of raw, rle, "},
		{"", "unknown codec '': expected one of"},
		{"zst", "'zst'"},
		{"zstd ", "'zstd '"},
		{"=19", "'=19'"},
		{"zstd:", "codec 'zstd:': expected a number from 1 to 22 for level"},
		{"zstd:0", "from 1 to 22"},
		{"zstd:23", "from 1 to 22"},
		{"zstd:9x", "from 1 to 22"},
		{"zstd: 9", "from 1 to 22"},
		{"zstd:+9", "from 1 to 22"},
		{"zstd:-", "from 1 to 22"},
		{"zstd:99999999999999999999", "from 1 to 22"},
		{"zstd:-1", "from 1 to 22"},
		{"zstd:19:", "from 1 to 22"},
		{"zstd:19:dict=", "from 0 to 1024 for dict"},
		{"zstd:19:dict=1025", "from 0 to 1024 for dict"},
		{"zstd:19:dict=1=2", "from 0 to 1024 for dict"},
		{"zstd:19:dic=1", "codec 'zstd:19:dic=1': expected one of the options level, dict"},
		{"zstd:=1", "one of the options level, dict"},
		{"xz:lc=3:lp=2", "codec 'xz:lc=3:lp=2': lc + lp: found 3 + 2, expected at most 4"},
		{"xz:lp=5", "from 0 to 4 for lp"},
		{"xz:window=2049", "from 0 to 2048 for window"},
		{"raw:1", "codec 'raw:1': raw has no options"},
		{"raw:", "raw has no options"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct el_codec_choice choice = {.option = {-7}};
		struct el_error error = {.text = ""};
		assert_int_equal(el_codec_parse(bad[i][0], &choice, &error), EL_USAGE);
		assert_text(&error, bad[i][1]);
		assert_int_equal(choice.option[0], -7);
	}
}

/* ---- plug-ins ---- */

static void assert_refused(const char *path, const char *why)
{
	struct el_error error = {.text = ""};
	assert_int_equal(el_codec_load(path, &error), EL_USAGE);
	assert_text(&error, path);
	assert_text(&error, why);
}

static void test_refused(void **state)
{
	(void)state;
	static const char *const bad[][2] = {
		{"plugins/old_version.so",
	         "expected a codec of interface version 5, found version 1"},
		{"plugins/no_decode.so", "expected codec 'no_decode' to have 'decode', found none"},
		{"plugins/no_codec.so", "defines no el_codec_plugin"},
		{"plugins/odd_name.so",
	         "expected a codec with a name of 1 to 15 lower-case letters"},
		{"plugins/odd_option.so",
	         "expected 2 options of codec 'odd' to make sense, found 1"},
		{"plugins/wide_option.so",
	         "expected 5 options of codec 'wide' to make sense, found 4"},
		{"plugins/taken_name.so", "codec 'zstd' already exists"},
		{"plugins/missing.so", "cannot be loaded"},
	};
	size_t count = 0;
	while (el_codec_at(count))
		count++;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_refused(fixture_built(bad[i][0]), bad[i][1]);
	assert_null(el_codec_at(count));
}

static void test_no_object(void **state)
{
	(void)state;
	char folder[SCRATCH_PATH], path[SCRATCH_PATH + 16];
	scratch_make(folder);
	scratch_touch(folder, "text.so");
	snprintf(path, sizeof path, "%s/text.so", folder);
	assert_refused(path, "cannot be loaded");
	assert_refused(folder, "cannot be loaded");
	assert_refused("libc.so.6", "cannot be loaded"); /* missing here, but in the libraries */
	scratch_remove(folder);
}

/* The sample joins the end of the list and works. */
static void test_sample(void **state)
{
	(void)state;
	const uint16_t symbols[] = {3, 3, 3, 300, 4};
	uint16_t back[5];
	uint8_t bytes[64];
	size_t size, count = 0;
	void *coder;
	struct el_error error = {.text = ""};
	struct el_codec_choice choice;
	while (el_codec_at(count))
		count++;
	assert_int_equal(el_codec_load(fixture_built("samples/pages.so"), &error), EL_OK);
	assert_ptr_equal(el_codec_at(count), el_codec_find("pages"));
	assert_null(el_codec_at(count + 1));
	assert_refused(fixture_built("samples/pages.so"), "codec 'pages' already exists");
	assert_null(el_codec_at(count + 1));
	assert_int_equal(el_codec_parse("pages:3", &choice, &error), EL_OK);
	const struct el_codec_params params = {
		.value_count = 500, .block_positions = 5, .option = {choice.option[0]}};
	assert_int_equal(choice.codec->open(&params, NULL, 0, &coder, &error), EL_OK);
	assert_int_equal(
		choice.codec->encode(coder, symbols, 5, bytes, sizeof bytes, &size, &error), EL_OK);
	assert_int_equal(size, 2 + 2 + 4);
	assert_int_equal(choice.codec->decode(coder, bytes, size, back, 5, &error), EL_OK);
	assert_memory_equal(back, symbols, sizeof symbols);
	assert_int_equal(choice.codec->decode(coder, bytes, size - 1, back, 5, &error), EL_DAMAGED);
	choice.codec->close(coder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),         cmocka_unit_test(test_parse),
		cmocka_unit_test(test_parse_faults), cmocka_unit_test(test_refused),
		cmocka_unit_test(test_no_object),    cmocka_unit_test(test_sample),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
