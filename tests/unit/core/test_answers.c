/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers of a server, kept in a file: whatever is added is found again, whatever else is in the file. */
#include "core/base/hash.h"
#include "core/foreign/answers.h"
#include "core/table/source.h"
#include "tests/fixtures/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { MANY = 500 };

static const char *path_of(const char *metric)
{
	char name[32];
	snprintf(name, sizeof name, "%s.answers", metric);
	return fixture_path(folder, name);
}

/* Random positions, no two alike, with values to match their number. */
static struct el_given *make(size_t count)
{
	struct el_given *list = calloc(count, sizeof *list);
	uint64_t random = 1;
	assert_non_null(list);
	for (size_t i = 0; i < count;) {
		struct el_position *p = &list[i].position;
		uint8_t square[4];
		char fen[EL_FEN_MAX];
		for (unsigned k = 0; k < 4; k++)
			square[k] = (uint8_t)(random_next(&random) % 64);
		*p = (struct el_position){
			.side = (uint8_t)(i & 1), .en_passant = EL_NO_SQUARE, .fullmove = 1};
		p->set[0][0] = UINT64_C(1) << square[0];
		p->set[1][0] = UINT64_C(1) << square[1];
		p->set[i % 3 == 0][1] |= UINT64_C(1) << square[2];
		p->set[i % 5 == 0][2] |= UINT64_C(1) << square[3];
		if (el_piece_count(p) < 4 || el_chess.check(p, NULL))
			continue;
		size_t same = 0;
		while (same < i && !el_position_equal(&list[same].position, p))
			same++;
		if (same < i)
			continue;
		el_chess.format(p, fen);
		const enum el_outcome outcome = i % 5 == 0   ? EL_WIN
		                                : i % 5 == 1 ? EL_LOSS
		                                : i % 5 == 2 ? EL_DRAW
		                                : i % 5 == 3 ? EL_CURSED_WIN
		                                             : EL_BLESSED_LOSS;
		list[i].value = (struct el_value){
			.outcome = (uint8_t)outcome,
			.plies = (uint16_t)(outcome == EL_DRAW ? 0 : i),
			.rounded = outcome != EL_DRAW && i % 7 == 0,
		};
		i++;
	}
	return list;
}

static struct el_source *opened(const char *metric)
{
	struct el_source *source = NULL;
	struct el_error error = {.text = ""};
	if (el_source_answers.open(path_of(metric), NULL, &source, &error))
		fail_msg("%s", error.text);
	return source;
}

static void expect(struct el_source *source, const struct el_given *given)
{
	struct el_value v;
	assert_true(source->ops->covers(source, &given->position));
	assert_int_equal(source->ops->probe(source, &given->position, NULL, true, &v, NULL), EL_OK);
	assert_true(el_value_equal(v, given->value));
	assert_int_equal(v.rounded, given->value.rounded);
}

/* Added in parts, found as a whole; the later of two answers counts, and nobody else's is there. */
static void test_found_again(void **state)
{
	(void)state;
	struct el_given *list = make(MANY);
	struct el_error error = {.text = ""};
	unlink(path_of("dtz50"));
	const size_t half = MANY / 2, but = MANY - 1;
	for (size_t from = 0; from < but; from += half)
		assert_int_equal(el_answers_add(folder, "server", el_metric_find("dtz50"),
		                                list + from, from ? but - half : half, &error),
		                 EL_OK);
	list[3].value = (struct el_value){.outcome = EL_LOSS, .plies = 999};
	assert_int_equal(
		el_answers_add(folder, "server", el_metric_find("dtz50"), &list[3], 1, &error),
		EL_OK);
	struct el_source *source = opened("dtz50");
	assert_ptr_equal(source->metric, &el_dtz_syzygy);
	assert_string_equal(source->detail, "answers of server");
	for (size_t i = 0; i < but; i++)
		expect(source, &list[i]);
	assert_false(source->ops->covers(source, &list[but].position));
	struct el_value v;
	struct el_position other = list[0].position;
	other.side ^= 1;
	assert_int_equal(source->ops->probe(source, &other, NULL, false, &v, &error), EL_NEGATIVE);
	source->ops->close(source);
	free(list);
}

static void append(const char *metric, const char *text)
{
	FILE *f = fopen(path_of(metric), "a");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

/* What was not written to its end counts for nothing, and the next answer does not join it. */
static void test_unfinished(void **state)
{
	(void)state;
	struct el_given *list = make(3);
	struct el_error error = {.text = ""};
	unlink(path_of("dtm"));
	for (size_t i = 0; i < 3; i++) {
		list[i].value =
			(struct el_value){.outcome = EL_WIN, .plies = (uint16_t)(2 * i + 1)};
		assert_int_equal(
			el_answers_add(folder, "x", el_metric_find("dtm"), &list[i], 1, &error),
			EL_OK);
		append("dtm", "win 13 8/8/8");
	}
	struct el_source *source = opened("dtm");
	for (size_t i = 0; i < 3; i++)
		expect(source, &list[i]);
	source->ops->close(source);
	free(list);
}

static void test_damage(void **state)
{
	(void)state;
	static const char *const texts[][2] = {
		{"", ":1: expected 'endlab answers 1 METRIC SERVER', found ''"},
		{"endlab answers 1 dtz50\n", ":1: expected"},
		{"endlab answers 2 dtz50 x\n", ":1: expected"},
		{"endlab answers 1 nothing x\n", ":1: expected"},
		{"win 13 8/8/8/8/8/2k5/8/K6Q w - - 0 1\n", ":1: expected"},
		{"endlab answers 1 dtm x\nwon 13 8/8/8/8/8/2k5/8/K6Q w - - 0 1\n",
	         ":2: expected an outcome, plies and a position, found 'won 13 8/8"},
		{"endlab answers 1 dtm x\nwin 13\n", ":2: expected"},
		{"endlab answers 1 dtm x\nwin\n", ":2: expected"},
		{"endlab answers 1 dtm x\n\n", ":2: expected"},
		{"endlab answers 1 dtm x\nwin 1x 8/8/8/8/8/2k5/8/K6Q w - - 0 1\n", ":2: expected"},
		{"endlab answers 1 dtm x\nwin 99999 8/8/8/8/8/2k5/8/K6Q w - - 0 1\n",
	         ":2: expected"},
		{"endlab answers 1 dtm x\ndraw 1 8/8/8/8/8/2k5/8/K6Q w - - 0 1\n", ":2: expected"},
		{"endlab answers 1 dtm x\nwin 11 8/8/8/8/8/2k5/8/K6Q w - - 7 1\n", ":2: expected"},
		{"endlab answers 1 dtm x\nwin 11 8/8/8/8/8/2k5/8/K6Q w - - 0 1\nwin 1 8/9 w\n",
	         ":3: expected"},
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct el_source *source = NULL;
		struct el_error error = {.text = ""};
		unlink(path_of("dtm"));
		append("dtm", texts[i][0]);
		assert_int_equal(el_source_answers.open(path_of("dtm"), NULL, &source, &error),
		                 EL_DAMAGED);
		if (!strstr(error.text, path_of("dtm")) || !strstr(error.text, texts[i][1]))
			fail_msg("%zu: %s", i, error.text);
	}
}

static void test_no_folder(void **state)
{
	(void)state;
	struct el_given *list = make(1);
	struct el_error error = {.text = ""};
	assert_int_equal(
		el_answers_add("/nowhere/at/all", "x", el_metric_find("dtm"), list, 1, &error),
		EL_IO);
	assert_non_null(strstr(error.text, "/nowhere/at/all"));
	free(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_found_again),
		IN_FOLDER(test_unfinished),
		IN_FOLDER(test_damage),
		IN_FOLDER(test_no_folder),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
