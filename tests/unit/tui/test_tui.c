/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the screens: canvas, keys, the board. */
#include "tui/screen/widgets/board.h"
#include "tui/shell/keys.h"
#include "tui/views/views.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- canvas ---- */

static void row_text(const struct canvas *c, int y, char *out)
{
	for (int x = 0; x < c->cols; x++)
		out += utf8_encode(c->cells[y * c->cols + x].glyph, out);
	*out = '\0';
}

static void what_does_not_fit_its_cells_is_not_cut(void **state)
{
	struct canvas c = {0};
	char text[64];
	(void)state;
	assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
	assert_true(canvas_resize(&c, 2, 12));
	struct pane p = pane_sub(pane_of(&c), 0, 0, 2, 8);
	assert_int_equal(pane_text(p, 0, 0, ROLE_TEXT, "\u6f22\u265a\u00e9e\u0301"), 5);
	pane_right(p, 1, 3, ROLE_TEXT, "170");
	pane_right(p, 1, 9, ROLE_TEXT, "170");
	row_text(&c, 0, text);
	assert_string_equal(text, "?\u265a\u00e9e?       ");
	row_text(&c, 1, text);
	assert_string_equal(text, "170         ");
	canvas_free(&c);
	setlocale(LC_CTYPE, "C");
}

static void drawing_stays_in_its_pane(void **state)
{
	struct canvas c = {0};
	char text[64];
	(void)state;
	assert_true(canvas_resize(&c, 5, 12));
	struct pane p = pane_sub(pane_of(&c), 1, 2, 3, 6);
	pane_text(p, 1, -2, ROLE_TEXT, "abcdefghijk");
	pane_text(p, -1, 0, ROLE_TEXT, "above");
	pane_text(p, 3, 0, ROLE_TEXT, "below");
	row_text(&c, 2, text);
	assert_string_equal(text, "  cde...    ");
	for (int y = 0; y < 5; y += 4) {
		row_text(&c, y, text);
		assert_string_equal(text, "            ");
	}
	struct pane outside = pane_sub(p, 2, 4, 10, 10);
	assert_int_equal(outside.rows, 1);
	assert_int_equal(outside.cols, 2);
	assert_int_equal(pane_sub(p, 7, 7, 3, 3).rows, 0);
	assert_int_equal(pane_sub(p, -5, -5, 3, 3).cols, 0);
	canvas_free(&c);
}

static void utf8_goes_there_and_back(void **state)
{
	static const uint32_t glyphs[] = {'a',    0xE9,   0x7FF,   0x800,
	                                  0x265A, 0xFFFD, 0x10000, 0x10FFFF};
	(void)state;
	for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++) {
		char bytes[5] = {0};
		const char *at = bytes;
		size_t length = utf8_encode(glyphs[i], bytes);
		assert_int_equal(utf8_decode(&at), glyphs[i]);
		assert_int_equal(at - bytes, length);
		assert_int_equal(utf8_length(bytes), 1);
	}
	const char *broken = "\xE2\x99";
	assert_int_equal(utf8_decode(&broken), '?');
	assert_int_equal(*broken, '\0');
}

static void words_are_folded(void **state)
{
	struct canvas c = {0};
	char text[64];
	(void)state;
	canvas_resize(&c, 2, 12);
	assert_int_equal(pane_wrap(pane_of(&c), 0, ROLE_TEXT, "one two three four five"), 2);
	row_text(&c, 0, text);
	assert_string_equal(text, "one two     ");
	row_text(&c, 1, text);
	assert_string_equal(text, "three ...   ");
	canvas_resize(&c, 3, 12);
	assert_int_equal(pane_wrap(pane_of(&c), 0, ROLE_TEXT, "W:WK1,22,23:BK30,31,32"), 3);
	row_text(&c, 0, text);
	assert_string_equal(text, "W:WK1,22,   ");
	row_text(&c, 1, text);
	assert_string_equal(text, "23:BK30,31, ");
	row_text(&c, 2, text);
	assert_string_equal(text, "32          ");
	canvas_free(&c);
}

/* ---- keys ---- */

static void check_table(const struct binding *table)
{
	for (const struct binding *a = table; a->name; a++) {
		assert_non_null(a->help);
		assert_true(a->keys[0] || a->typed);
		assert_true(!a->hint || a->keys[0]);
		for (const struct binding *b = table; b < a; b++) {
			assert_string_not_equal(a->name, b->name);
			for (int i = 0; i < 4; i++)
				assert_true(!a->keys[i / 2] || a->keys[i / 2] != b->keys[i % 2]);
		}
	}
}

static void no_key_and_no_name_means_two_things(void **state)
{
	(void)state;
	check_table(global_bindings);
	for (const struct view *const *v = views; *v; v++) {
		if ((*v)->strip && (*v)->strip->bindings)
			check_table((*v)->strip->bindings);
		if (!(*v)->bindings)
			continue;
		check_table((*v)->bindings);
		for (const struct view *const *w = views; w != v; w++)
			assert_true(!(*v)->key || (*v)->key != (*w)->key);
		for (const struct binding *b = (*v)->bindings; b->name; b++)
			assert_true(b->keys[0] < '1' || b->keys[0] > '9');
	}
}

/* Bindings of Set up must leave the letters of pieces alone, or they would never be reached. */
/* Does a key stand for a piece, or for a number of stones? */
static bool is_typed(const struct el_game *game, int key)
{
	if (game->sows)
		return key >= '0' && key <= '9';
	return key >= 'A' && key < 128 && strchr(game->kinds, key & ~0x20);
}

static void letters_of_pieces_are_free(void **state)
{
	(void)state;
	for (const struct el_game *const *game = el_games; *game; game++)
		for (const struct binding *b = views[VIEW_SETUP]->bindings; b->name; b++)
			for (int i = 0; i < 2; i++)
				assert_false(b->keys[i] && is_typed(*game, b->keys[i]));
}

/* ---- the board's geometry ---- */

/* The squares that steps lead to from one square. */
static uint64_t reached(const struct el_game *game, bool flipped, uint8_t from)
{
	uint64_t seen = UINT64_C(1) << from;
	for (int i = 0; i < 64; i++)
		for (uint8_t square = 0; square < 64; square++)
			for (enum direction way = LEFT; way <= DOWN && seen >> square & 1; way++)
				seen |= UINT64_C(1) << square_beside(game, flipped, square, way);
	return seen;
}

static void the_cursor_reaches_every_square(void **state)
{
	(void)state;
	for (const struct el_game *const *game = el_games; *game; game++) {
		uint64_t all = 0;
		unsigned file, rank;
		uint8_t last = 0;
		for (uint8_t square = 0; square < 64; square++)
			if (el_square_find(*game, square, &file, &rank))
				all |= UINT64_C(1) << (last = square);
		for (int flipped = 0; flipped < 2; flipped++)
			assert_true(reached(*game, flipped, last) == all);
	}
}

/* A step and the one back, if the first one moved at all. */
static void a_step_is_taken_back(void **state)
{
	static const enum direction back[] = {RIGHT, LEFT, DOWN, UP};
	(void)state;
	for (const struct el_game *const *game = el_games; *game; game++)
		for (uint8_t square = 0; square < 64; square++)
			for (int i = 0; i < 8; i++) {
				const enum direction way = (enum direction)(i % 4);
				unsigned file, rank;
				if (!el_square_find(*game, square, &file, &rank))
					continue;
				uint8_t to = square_beside(*game, i > 3, square, way);
				if (to != square)
					assert_int_equal(square_beside(*game, i > 3, to, back[way]),
					                 square);
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_does_not_fit_its_cells_is_not_cut),
		cmocka_unit_test(drawing_stays_in_its_pane),
		cmocka_unit_test(utf8_goes_there_and_back),
		cmocka_unit_test(words_are_folded),
		cmocka_unit_test(no_key_and_no_name_means_two_things),
		cmocka_unit_test(letters_of_pieces_are_free),
		cmocka_unit_test(the_cursor_reaches_every_square),
		cmocka_unit_test(a_step_is_taken_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
