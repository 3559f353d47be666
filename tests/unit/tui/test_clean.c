/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Everything that a terminal would obey is shown as an escape, on every output. */
#include "core/base/text.h"
#include "endlab/status.h"
#include "tui/cli/progress.h"
#include "tui/screen/canvas.h"
#include "tui/text/clean.h"
#include "tui/text/json.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- texts ---- */

static const struct {
	const char *text, *shown;
} cases[] = {
	{"", ""},
	{"/tables/KQvK.dtm.egt", "/tables/KQvK.dtm.egt"},
	{"x\033]0;owned\a", "x\\u001b]0;owned\\u0007"},
	{"\x01\x1f ~\x7f", "\\u0001\\u001f ~\\u007f"},
	{"a\tb\nc\r", "a\\u0009b\\u000ac\\u000d"},
	{"\xc2\x80 \xc2\x9bJ \xc2\x9f \xc2\xa0", "\\u0080 \\u009bJ \\u009f \xc2\xa0"},
	{"K\xc3\xa4se \xe2\x99\x94 \xf0\x9f\x98\x80", "K\xc3\xa4se \xe2\x99\x94 \xf0\x9f\x98\x80"},
	{"\xe2\x80\xaetge.K", "\\u202etge.K"},
	{"\xd8\x9c\xe2\x80\x8e\xe2\x80\xa8\xe2\x81\xa6", "\\u061c\\u200e\\u2028\\u2066"},
	{"\xff\x9b", "\\xff\\x9b"},
	{"\xe2\x99", "\\xe2\\x99"},   /* cut off */
	{"\xe2\x99x", "\\xe2\\x99x"}, /* broken off */
	{"\xe2\xc3\xa4", "\\xe2\xc3\xa4"},
	{"\xc0\x9b\xe0\x82\x9b", "\\xc0\\x9b\\xe0\\x82\\x9b"}, /* U+009B, overlong */
	{"\xed\xa0\x80", "\\xed\\xa0\\x80"},                   /* half of a pair */
	{"\xf4\x90\x80\x80\xf5", "\\xf4\\x90\\x80\\x80\\xf5"},
	{"C:\\u001b\\x1b", "C:\\u001b\\x1b"}, /* backslashes stay */
};
enum { CASES = sizeof cases / sizeof *cases };

static void texts_are_shown_once_and_for_all(void **state)
{
	(void)state;
	for (size_t i = 0; i < CASES; i++) {
		char once[256], twice[256];
		el_show(cases[i].text, once, sizeof once);
		assert_string_equal(once, cases[i].shown);
		el_show(once, twice, sizeof twice);
		assert_string_equal(twice, once);
		assert_int_equal(is_clean(cases[i].text), !strcmp(cases[i].text, cases[i].shown));
	}
}

static void a_text_is_cut_between_characters(void **state)
{
	static const char text[] = "ab\033\xe2\x99\x94\xff"
				   "c";
	static const char *const cut[] = {"", "a", "ab", "ab", "ab", "ab", "ab", "ab", "ab\\u001b"};
	char out[32];
	(void)state;
	for (size_t room = 1; room <= sizeof cut / sizeof *cut; room++) {
		el_show(text, out, room);
		assert_string_equal(out, cut[room - 1]);
	}
	el_show(text, out, 12);
	assert_string_equal(out, "ab\\u001b\xe2\x99\x94");
	el_show(text, out, 15);
	assert_string_equal(out, "ab\\u001b\xe2\x99\x94");
	el_show(text, out, 17);
	assert_string_equal(out, "ab\\u001b\xe2\x99\x94\\xffc");
}

static void errors_are_fit_to_be_shown(void **state)
{
	struct el_error error, passed;
	char name[1024];
	(void)state;
	assert_int_equal(el_fail(&error, EL_IO, "%s: %s", "x\033]0;owned\a\xc2\x9b", "no"), EL_IO);
	assert_string_equal(error.text, "x\\u001b]0;owned\\u0007\\u009b: no");
	el_fail(&passed, EL_IO, "%s", error.text);
	assert_string_equal(passed.text, error.text);
	el_fail(&passed, EL_IO, "%s", passed.text); /* into itself */
	assert_string_equal(passed.text, error.text);
	for (size_t i = 0; i + 2 < sizeof name; i += 2)
		memcpy(name + i, "\xc3\xa4", 3);
	el_fail(&error, EL_IO, "%s", name);
	assert_int_equal(strlen(error.text), 510);
	assert_memory_equal(error.text, name, 510);
	memset(name, '\033', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	el_fail(&error, EL_IO, "%s", name);
	assert_int_equal(strlen(error.text), 510);
	assert_string_equal(error.text + 504, "\\u001b");
}

/* ---- streams ---- */

/* The output of a stream for a text in parts of `part` bytes. */
static char *streamed(const char *text, size_t length, size_t part)
{
	char *out;
	size_t size;
	FILE *to = open_memstream(&out, &size), *clean = clean_stream(to);
	assert_non_null(clean);
	for (size_t at = 0; at < length; at += part) {
		const size_t rest = length - at;
		fwrite(text + at, 1, rest < part ? rest : part, clean);
		assert_int_equal(fflush(clean), 0);
	}
	assert_int_equal(fclose(clean), 0);
	fclose(to);
	return out;
}

static void streams_let_lines_and_columns_pass(void **state)
{
	(void)state;
	char *out = streamed("a\tb\nc\rd\033\0e", 10, 10);
	assert_string_equal(out, "a\tb\nc\\u000dd\\u001b\\u0000e");
	free(out);
}

static void streams_know_characters_in_parts(void **state)
{
	(void)state;
	for (size_t i = 0; i < CASES; i++) {
		for (size_t part = 1; part <= 4; part++) {
			if (strpbrk(cases[i].text, "\t\n"))
				continue;
			char *out = streamed(cases[i].text, strlen(cases[i].text), part);
			assert_string_equal(out, cases[i].shown);
			free(out);
		}
	}
}

static void what_cannot_be_written_is_told(void **state)
{
	(void)state;
	FILE *full = fopen("/dev/full", "w");
	if (!full)
		skip();
	FILE *clean = clean_stream(full);
	assert_non_null(clean);
	fputs("plain\n", clean);
	assert_int_equal(fflush(clean), EOF);
	assert_int_equal(errno, ENOSPC);
	assert_true(ferror(clean));
	fputs("\033", clean);
	assert_int_equal(fclose(clean), EOF);
	fclose(full);
}

/* ---- JSON ---- */

static void json_comes_back(void **state)
{
	static const char path[] = "x\033]0;\a\x7f\xc2\x9b\xe2\x80\xae\n\t\"\\\xc3\xa4.egt";
	(void)state;
	char *text, *out;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	cJSON *object = cJSON_CreateObject();
	json_text(object, "path", path);
	json_text(object, "bytes", "\xff\x9b and \xc0\x9b");
	assert_true(json_print(to, object));
	fclose(to);
	out = streamed(text, size, size);
	assert_int_equal(strcspn(out, "\n"), strlen(out) - 1);
	out[strlen(out) - 1] = '\0';
	assert_true(is_clean(out));
	cJSON *back = cJSON_Parse(out);
	assert_non_null(back);
	assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(back, "path")), path);
	assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(back, "bytes")), "?? and ??");
	cJSON_Delete(back);
	free(text);
	free(out);
}

/* ---- the screen ---- */

static void cells_hold_nothing_that_a_terminal_obeys(void **state)
{
	struct canvas c = {0};
	(void)state;
	assert_true(canvas_resize(&c, 1, 40));
	for (size_t i = 0; i < CASES; i++) {
		canvas_clear(&c);
		pane_text(pane_of(&c), 0, 0, ROLE_TEXT, cases[i].text);
		pane_print(pane_of(&c), 0, 20, ROLE_TEXT, "%s", cases[i].text);
		for (int x = 0; x < c.cols; x++)
			assert_false(el_is_control(c.cells[x].glyph));
	}
	canvas_free(&c);
}

/* ---- lines of a log ---- */

/* A stage that takes long enough to be reported. */
static void work(struct progress *progress, const char *stage, const char *what)
{
	const struct el_progress p = {.stage = stage, .what = what};
	el_watch_tick(&progress->watch, &p);
	usleep(1010000);
	el_watch_tick(&progress->watch, &p);
}

static void a_stage_is_told_once(void **state)
{
	char *log;
	size_t size;
	FILE *err = open_memstream(&log, &size);
	struct cli cli = {.err = err};
	struct progress progress;
	(void)state;
	progress_start(&progress, &cli);
	work(&progress, "filling", "zstd");
	work(&progress, "writing", "KQvKR dtm");
	work(&progress, "filling", "zstd");
	work(&progress, "writing", "KQvKR dtm");
	progress_clear(&progress); /* one table was reported */
	work(&progress, "filling", "zstd");
	fclose(err);
	assert_string_equal(log, "filling zstd\nwriting KQvKR dtm\nfilling zstd\n");
	free(log);
}

/* The last line that was redrawn in place. */
static const char *line_of(const struct el_overall *overall, unsigned pass)
{
	static char line[256];
	char *drawn;
	size_t size;
	FILE *bar = open_memstream(&drawn, &size);
	struct cli cli = {.bar = bar};
	struct progress progress;
	const struct el_progress p = {.stage = "writing",
	                              .what = "",
	                              .unit = "positions",
	                              .pass = pass,
	                              .overall = overall};
	progress_start(&progress, &cli);
	el_watch_tick(&progress.watch, &p);
	fclose(bar);
	snprintf(line, sizeof line, "%s", strrchr(drawn, '\033') + 3);
	free(drawn);
	return line;
}

static void one_line_tells_a_whole_build(void **state)
{
	struct el_overall overall = {.table = "KRPvKR dtm",
	                             .at_once = 1,
	                             .done = 11,
	                             .of = 110,
	                             .rate = 41.2e6,
	                             .seconds = 39 * 60,
	                             .left = 3 * 60};
	(void)state;
	assert_string_equal(line_of(&overall, 57), "KRPvKR dtm 12/110  pass 57  41 M positions/s  "
	                                           "3 min of about 40 min left");
	overall.at_once = 3;
	overall.rate = 0;
	overall.left = -1;
	assert_string_equal(line_of(&overall, 0), "KRPvKR dtm and 2 others 12/110  writing  ");
	overall.table = "checkers:KKKKKKvKKKKKKMMMMMM dtw";
	overall.rate = 1e6;
	assert_int_equal(strlen(line_of(&overall, 100)), 79);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_shown_once_and_for_all),
		cmocka_unit_test(a_text_is_cut_between_characters),
		cmocka_unit_test(errors_are_fit_to_be_shown),
		cmocka_unit_test(streams_let_lines_and_columns_pass),
		cmocka_unit_test(streams_know_characters_in_parts),
		cmocka_unit_test(what_cannot_be_written_is_told),
		cmocka_unit_test(json_comes_back),
		cmocka_unit_test(cells_hold_nothing_that_a_terminal_obeys),
		cmocka_unit_test(a_stage_is_told_once),
		cmocka_unit_test(one_line_tells_a_whole_build),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
