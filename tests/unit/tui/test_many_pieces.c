/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Six and seven pieces: more than this test can solve, but other programs' tables have as many.
   Every value is a draw; the test is whether it is found. */
#include "tests/fixtures/foreign_fixture.h"
#include "tests/fixtures/positions.h"
#include "tests/fixtures/screens.h"

#include "core/builder/build.h"
#include "core/probe/probe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The side to move can capture nothing. */
#define SEVEN "4nbrk/8/8/8/8/8/8/KQR5 w - - 0 1"
#define SIX   "5brk/8/8/8/8/8/8/KQR5 b - - 0 1"

static char theirs[SCRATCH_PATH], ours[SCRATCH_PATH];
static struct el_library *library;

static int set_up(void **state)
{
	static const char *const files[][2] = {
		{"KRBNvKQR.rtbw", "kKRBNqr"}, {"KQRvKRB.rtbw", "kKQRrb"}, {"KBvK.rtbw", "kKB"}};
	const struct el_library_options options = {.directory = ours, .paths = theirs};
	char path[SCRATCH_PATH + 32];
	(void)state;
	screens_start();
	scratch_make(theirs);
	scratch_make(ours);
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		snprintf(path, sizeof path, "%s/%s", theirs, files[i][0]);
		foreign_write_draws(path, files[i][1]);
	}
	return el_library_open(&options, &library, NULL) != EL_OK;
}

static int clean_up(void **state)
{
	(void)state;
	el_library_close(library);
	scratch_remove(theirs);
	scratch_remove(ours);
	return 0;
}

/* The table of king and bishop is the published one. */
static void test_the_fixture(void **state)
{
	uint8_t bytes[ALL_DRAWS_BYTES + 1];
	char path[SCRATCH_PATH + 32];
	(void)state;
	snprintf(path, sizeof path, "%s/KBvK.rtbw", theirs);
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	assert_int_equal(fread(bytes, 1, sizeof bytes, file), ALL_DRAWS_BYTES);
	fclose(file);
	assert_memory_equal(bytes, all_draws, ALL_DRAWS_BYTES);
}

static void test_lists(void **state)
{
	static const char *const names[] = {"KBvK", "KQRvKRB", "KRBNvKQR"};
	struct el_entry *entries;
	size_t count;
	(void)state;
	assert_int_equal(el_library_list(library, &entries, &count, NULL), EL_OK);
	assert_int_equal(count, 3);
	for (size_t i = 0; i < count; i++) {
		assert_null(entries[i].ignored);
		assert_string_equal(entries[i].slice.name, names[i]);
		assert_ptr_equal(entries[i].metric, &el_wdl_rule[EL_RULE_USUAL - 1]);
		assert_int_equal(entries[i].check, EL_CHECK_SOUND);
	}
	el_entries_free(entries, count);
}

static void assert_answer(const char *fen, const char *name, const char *file)
{
	static struct el_answer a;
	const struct el_position position = position_of(fen);
	const struct el_question question = {.rule = EL_RULE_USUAL};
	struct el_error error = {0};
	struct el_value value;
	if (el_library_value(library, &el_chess, &position, &el_wdl, EL_PROBE_FULL, &value, &error))
		fail_msg("%s", error.text);
	assert_int_equal(value.outcome, EL_DRAW);
	assert_int_equal(el_library_answer(library, &el_chess, &position, &question, &a, &error),
	                 EL_OK);
	assert_int_equal(a.outcome, EL_DRAW);
	assert_true(a.has_slice);
	assert_string_equal(a.slice.name, name);
	assert_string_equal(a.source.file, file);
}

static void test_answers(void **state)
{
	(void)state;
	assert_answer(SEVEN, "KRBNvKQR", "KRBNvKQR.rtbw");
	assert_answer(SIX, "KQRvKRB", "KQRvKRB.rtbw");
}

/* Swapped colours, and every image of a position, have the same place. */
static void test_places(void **state)
{
	struct el_position position = position_of(SEVEN), image;
	struct el_place place, other;
	(void)state;
	assert_true(el_chess.place(&position, &place));
	assert_true(place.index < slice_named("KRBNvKQR").positions);
	el_chess.swap_colours(&position, &image);
	assert_true(el_chess.place(&image, &other));
	assert_int_equal(place.index, other.index);
	assert_int_equal(place.plane, other.plane);
	el_chess.mirror(&position, &image);
	assert_true(el_chess.place(&image, &other));
	assert_int_equal(place.index, other.index);
}

/* A slice that exceeds the allowed memory, even with the disk, is refused at once, before anything
   is made. */
static void test_it_is_not_built(void **state)
{
	const struct el_slice slice = slice_named("KRBNvKQR");
	const struct el_build_options options = {.table = el_table_options_default()};
	struct el_plan plan;
	struct el_error error = {0};
	(void)state;
	const struct el_plan_wish wish = {.slices = &slice, .count = 1, .memory = 1 << 30};
	assert_int_equal(el_plan_wished(library, &wish, &plan, &error), EL_OK);
	assert_int_equal(plan.count, 30);
	assert_int_equal(el_plan_check_memory(&plan, &error), EL_NEGATIVE);
	assert_int_equal(el_build(library, &plan, &options, NULL, &error), EL_NEGATIVE);
	assert_non_null(strstr(error.text, "memory"));
	el_plan_free(&plan);
}

/* ---- on the screen ---- */

static void press(struct screens *s, int key)
{
	screens_event(s, (struct event){.kind = EVENT_KEY, .key = key});
}

static void type(struct screens *s, const char *line)
{
	shell_prompt_line(&s->model)->open = false;
	shell_typed(&s->model, line);
	screens_settle(s);
}

static void test_views(void **state)
{
	static struct screens s;
	(void)state;
	screens_open(&s, library, SEVEN, false);
	const struct play_state *play = &s.model.play;
	assert_int_equal(play->study->answer.outcome, EL_DRAW);
	type(&s, SIX);
	assert_string_equal(play->study->answer.slice.name, "KQRvKRB");
	press(&s, 'm'); /* the piece on every square, one probe each */
	assert_int_equal(s.model.map.values.value[27].outcome, EL_DRAW);
	press(&s, 'q');
	type(&s, "KRBNvKQR"); /* a random position */
	assert_string_equal(play->study->answer.slice.name, "KRBNvKQR");
	type(&s, "KRBNvKQ"); /* no table covers it; whatever exceeds the memory goes to the disk */
	assert_string_equal(play->study->too_large, "");
	assert_int_equal(play->study->missing_count, 15);
	assert_non_null(strstr(play->study->missing_cost, "of disk"));
	type(&s, "practice KRBNvKQR");
	press(&s, '4');
	screens_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_fixture),     cmocka_unit_test(test_lists),
		cmocka_unit_test(test_answers),         cmocka_unit_test(test_places),
		cmocka_unit_test(test_it_is_not_built), cmocka_unit_test(test_views),
	};
	return cmocka_run_group_tests(tests, set_up, clean_up);
}
