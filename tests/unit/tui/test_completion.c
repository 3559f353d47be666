/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What prompts offer for a word of a command line. */
#include "tui/cli/command.h"

#include "core/table/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The words offered for the beginning of a word, with a blank after each. */
struct offers {
	const char *begin;
	char text[512];
};

static void note(void *context, const char *word)
{
	struct offers *o = context;
	if (strncmp(word, o->begin, strlen(o->begin)))
		return;
	strncat(o->text, word, sizeof o->text - strlen(o->text) - 1);
	strncat(o->text, " ", sizeof o->text - strlen(o->text) - 1);
}

/* For the last word of a line. */
static void assert_offered(const char *line, const char *expected)
{
	char name[16];
	const char *word = strrchr(line, ' ') + 1;
	struct offers o = {.begin = word};
	snprintf(name, sizeof name, "%.*s", (int)strcspn(line, " "), line);
	command_offer_words(command_find(name), line, (size_t)(word - line), note, &o);
	assert_string_equal(o.text, expected);
}

static void values_are_offered_behind_their_option(void **state)
{
	(void)state;
	assert_offered("build KQvK --codec zs", "zstd ");
	assert_offered("build KQvK --sm", "--small ");
	assert_offered("recode x -o y --fa", "--fast ");
	assert_offered("build KQvK --codec   x", "xz ");
	assert_offered("build --codec=zs", "--codec=zstd ");
	assert_offered("recode a --fill ", "none previous best ");
	assert_offered("export KQvK --format n", "npy ");
	assert_offered("lab KQvK --workload ", "random line scan ");
	assert_offered("build --block 4", "4K ");
	assert_offered("build --threads ", "");
	assert_offered("recode a -o ", "");
	assert_offered("build --partial KQvKR", "KQvKR ");
	assert_offered("build --der", "--derive ");
	assert_offered("solve --pieces ", "none Q QN QRBN ");
	assert_offered("solve --pieces=Q", "--pieces=Q --pieces=QN --pieces=QRBN ");
	assert_offered("solve --time ", "");
	assert_offered("shell --h", "--help ");
}

static void a_list_goes_on_behind_its_last_comma(void **state)
{
	(void)state;
	assert_offered("build --metric dtm,wi", "dtm,win ");
	assert_offered("build --metric=dtm,wi", "--metric=dtm,win ");
	assert_offered("lab KQvK --codecs raw,zstd:19,x", "raw,zstd:19,xz ");
	assert_offered("stats KQvK --metric dtm,wi", ""); /* one metric, no list */
}

static void all_codecs_are_offered(void **state)
{
	const struct el_codec *codec;
	struct offers o = {.begin = ""};
	char expected[512] = "";
	(void)state;
	const char line[] = "build --codec ";
	command_offer_words(command_find("build"), line, strlen(line), note, &o);
	for (size_t i = 0; (codec = el_codec_at(i)); i++) {
		strcat(expected, codec->name);
		strcat(expected, " ");
	}
	assert_string_equal(o.text, expected);
}

/* Options with a value say what it may be, or that it is free. */
static void each_value_has_a_kind(void **state)
{
	static const char *const free_values[] = {"N",     "S",       "SIZE", "HOST:PORT",
	                                          "TABLE", "ADDRESS", "TIME"};
	(void)state;
	for (const struct command *const *c = commands; *c; c++)
		for (const struct option_help *o = (*c)->options; o && o->name; o++) {
			bool is_free = !o->value;
			for (size_t i = 0; i < sizeof free_values / sizeof *free_values && o->value;
			     i++)
				is_free |= !strcmp(o->value, free_values[i]);
			assert_true(is_free || o->values);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_offered_behind_their_option),
		cmocka_unit_test(a_list_goes_on_behind_its_last_comma),
		cmocka_unit_test(all_codecs_are_offered),
		cmocka_unit_test(each_value_has_a_kind),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
