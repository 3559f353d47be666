/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marked squares on a board of each game: the cursor stays on the board, grades are those of
   sets. */
#include "tui/screen/event.h"
#include "tui/screen/widgets/marks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static bool is_square(const struct el_game *game, uint8_t square)
{
	unsigned file, rank;
	return el_square_find(game, square, &file, &rank);
}

static void the_cursor_stays_on_the_board(void **state)
{
	static const int keys[] = {K_LEFT, K_RIGHT, K_UP, K_DOWN, 'h', 'l', 'k', 'j'};
	(void)state;
	for (const struct el_game *const *game = el_games; *game; game++) {
		uint64_t seen = 0;
		struct marks k;
		marks_begin(&k, *game);
		assert_true(is_square(*game, k.cursor));
		for (unsigned i = 0; i < 5000; i++) {
			assert_true(marks_key(&k, *game, i & 1, keys[i * 2654435761u >> 16 & 7]));
			assert_true(is_square(*game, k.cursor));
			seen |= (uint64_t)1 << k.cursor;
		}
		assert_true(__builtin_popcountll(seen) >= ((*game)->sows ? EL_PITS : 16));
		assert_int_equal(k.marked, 0);
		assert_false(marks_key(&k, *game, false, 'g'));
	}
}

static void enter_marks_and_takes_back(void **state)
{
	struct marks k;
	(void)state;
	marks_begin(&k, &el_chess);
	assert_true(marks_key(&k, &el_chess, false, K_ENTER));
	assert_int_equal(k.marked, (uint64_t)1 << k.cursor);
	assert_true(marks_key(&k, &el_chess, false, K_RIGHT));
	assert_true(marks_key(&k, &el_chess, false, K_ENTER));
	assert_int_equal(__builtin_popcountll(k.marked), 2);
	marks_toggle(&k, k.cursor);
	assert_int_equal(__builtin_popcountll(k.marked), 1);
	marks_grade(&k, 1);
	marks_toggle(&k, 5);
	assert_int_equal(k.cursor, 5);
	assert_int_equal(__builtin_popcountll(k.marked), 1);
	assert_false(marks_key(&k, &el_chess, false, K_ENTER));
}

/* Square by square, for any marks and expectations. */
static void grades_are_those_of_a_recount(void **state)
{
	uint64_t random = 88172645463325252u;
	(void)state;
	for (int i = 0; i < 2000; i++) {
		struct square_mark drawn[MARKS_SQUARES];
		unsigned right = 0, wrong = 0, missed = 0;
		struct marks k = {.cursor = 0};
		random ^= random << 13, random ^= random >> 7, random ^= random << 17;
		k.marked = random & random >> 21;
		marks_grade(&k, i % 50 ? random & random << 11 : 0);
		marks_draw(&k, drawn);
		for (int square = 0; square < MARKS_SQUARES; square++) {
			const bool marked = k.marked >> square & 1,
				   asked = k.expected >> square & 1;
			right += marked && asked;
			wrong += marked && !asked;
			missed += !marked && asked;
			assert_string_equal(drawn[square].text, marked && asked ? "yes"
			                                        : marked        ? "no"
			                                        : asked         ? "miss"
			                                                        : "");
		}
		const struct marks_count c = marks_count(&k);
		assert_int_equal(c.right, right);
		assert_int_equal(c.wrong, wrong);
		assert_int_equal(c.missed, missed);
		if (right + wrong + missed)
			assert_int_equal(marks_percent(&k), 100 * right / (right + wrong + missed));
	}
	struct marks none = {.cursor = 0};
	marks_grade(&none, 0);
	assert_int_equal(marks_percent(&none), 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cursor_stays_on_the_board),
		cmocka_unit_test(enter_marks_and_takes_back),
		cmocka_unit_test(grades_are_those_of_a_recount),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
