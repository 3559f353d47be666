/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The board: its marks, the pictures of pieces, its place on screens of any size. */
#include "tui/screen/widgets/layout.h"
#include "tui/screen/widgets/pictures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the last move ---- */

static uint64_t squares(const char *names)
{
	uint64_t set = 0;
	for (; *names; names += 2 + (names[2] == ' '))
		set |= UINT64_C(1) << ((names[1] - '1') * 8 + names[0] - 'a');
	return set;
}

static void a_move_marks_every_square_that_it_changes(void **state)
{
	static const struct {
		const char *fen, *move, *marked;
	} cases[] = {
		{"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "e1 f1 g1 h1"},
		{"r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "O-O-O", "a8 c8 d8 e8"},
		{"4k3/8/8/1Pp5/8/8/8/4K3 w - c6 0 1", "bxc6", "b5 c5 c6"},
		{"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q", "a7 a8"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct el_position before, after;
		struct el_move move;
		assert_int_equal(el_chess.parse(cases[i].fen, &before, NULL), EL_OK);
		assert_int_equal(el_chess.read_move(&before, cases[i].move, &move, NULL), EL_OK);
		el_chess.play(&before, &move, &after);
		const struct board b = board_played(&el_chess, &after, &move, &before, false);
		assert_true(b.last == squares(cases[i].marked));
	}
}

/* ---- shades ---- */

static void the_shortest_have_the_first_shade(void **state)
{
	(void)state;
	for (unsigned least = 0; least < 50; least += 7)
		for (unsigned most = least; most < 150; most += 3)
			for (unsigned depth = least; depth <= most; depth++) {
				assert_true(shade_of(depth, least, most) < SHADES);
				assert_true(depth == least ||
				            shade_of(depth, least, most) >=
				                    shade_of(depth - 1, least, most));
			}
	assert_int_equal(shade_of(9, 9, 61), 0);
	assert_int_equal(shade_of(61, 9, 61), SHADES - 1);
}

/* Each outcome has its own scale: the quickest loss is as strong a colour as the quickest win. */
static void each_outcome_has_its_shades(void **state)
{
	struct el_value value[64];
	struct square_mark marks[64];
	(void)state;
	for (unsigned i = 0; i < 64; i++)
		value[i] = (struct el_value){.outcome = i < 32 ? EL_WIN : EL_LOSS,
		                             .plies = (uint16_t)(i < 32 ? 2 * i + 1 : 200 + 2 * i)};
	value[63] = (struct el_value){.outcome = EL_DRAW};
	board_mark_values(el_metric_find("dtm"), value, false, marks);
	assert_int_equal(marks[0].shade, 0);
	assert_int_equal(marks[31].shade, SHADES - 1);
	assert_int_equal(marks[32].shade, 0);
	assert_int_equal(marks[62].shade, SHADES - 1);
	assert_int_equal(marks[63].shade, 0);
	assert_string_equal(marks[0].text, "W1");
	assert_string_equal(marks[63].text, "=");
}

/* ---- pictures ---- */

static bool is_allowed(const struct canvas *c, uint32_t glyph, char letter)
{
	const bool is_half = glyph == 0x2580 || glyph == 0x2584 || glyph == 0x2588;
	if (glyph == ' ')
		return true;
	if (c->ascii)
		return glyph == (uint32_t)letter;
	return c->blocks == BLOCKS_HALVES ? is_half
	       : c->blocks == BLOCKS_QUADRANTS
	               ? is_half || (glyph >= 0x258C && glyph <= 0x259F)
	               : glyph == 0x2588 || glyph == 0x258C || glyph == 0x2590 ||
	                         (glyph >= 0x1FB00 && glyph <= 0x1FB3B);
}

/* In every size of square, and with a mark below it; with a margin below, two of them fit on each
   other. */
static void every_piece_of_every_game_has_a_picture(void **state)
{
	struct canvas c = {0};
	(void)state;
	for (const struct el_game *const *game = el_games; *game; game++)
		for (int kind = 0; (*game)->kinds[kind]; kind++)
			for (int i = 0; i < (BLOCKS + 1) * 16; i++) {
				const int scale = 4 + i / (BLOCKS + 1) / 2,
					  blocks = i % (BLOCKS + 1), mark = i / (BLOCKS + 1) % 2;
				int drawn = 0;
				canvas_resize(&c, scale - mark, 2 * scale);
				c.ascii = blocks == BLOCKS;
				c.blocks = (enum blocks)(blocks % BLOCKS);
				assert_true(picture_draw((*game)->glyphs[kind], 'k',
				                         ROLE_PIECE_WHITE, pane_of(&c)));
				for (int j = 0; j < c.rows * c.cols; j++) {
					assert_true(is_allowed(&c, c.cells[j].glyph, 'k'));
					drawn += c.cells[j].glyph != ' ';
				}
				assert_in_range(drawn, c.rows * c.rows / 3,
				                c.rows * c.cols * 9 / 10);
				if (blocks < BLOCKS && !mark)
					for (int x = 0; x < c.cols; x++)
						assert_int_not_equal(
							c.cells[(c.rows - 1) * c.cols + x].glyph,
							0x2588);
			}
	canvas_free(&c);
	canvas_resize(&c, 4, 8);
	assert_false(picture_draw("?", 'k', ROLE_PIECE_WHITE, pane_of(&c)));
	canvas_free(&c);
}

/* The sixths of a cell, 2 across and 3 down, that a block fills: a bit each, from the top left. */
static unsigned sixths(uint32_t glyph)
{
	static const unsigned quadrants[] = {4, 8, 1, 13, 9, 7, 11, 2, 6, 14};
	unsigned bits = glyph == 0x2588                      ? 15
	                : glyph == 0x2580                    ? 3
	                : glyph == 0x2584                    ? 12
	                : glyph == 0x258C                    ? 5
	                : glyph == 0x2590                    ? 10
	                : glyph >= 0x2596 && glyph <= 0x259F ? quadrants[glyph - 0x2596]
	                                                     : 0;
	if (glyph >= 0x1FB00) { /* in the order of their bits, but for none, two halves and all */
		bits = glyph - 0x1FB00 + 1;
		bits += bits >= 0x15;
		return bits + (bits >= 0x2A);
	}
	/* The middle ones are filled from above or below. */
	return (bits & 3) | ((bits | bits << 2) & 12) | (bits & 12) << 2;
}

/* From squares of 6 x 3 cells on, in blocks. A king is a man with a hole; other pieces differ from each
   other in many places. Wide tops leave room for the base of a piece above. */
static void small_pictures_are_told_apart(void **state)
{
	enum { ROWS = 3, COLS = 6 };
	static const char *const glyphs[] = {"♚", "♛", "♜", "♝", "♞", "♟", "●", "○"};
	struct canvas c = {0};
	(void)state;
	canvas_resize(&c, ROWS, COLS);
	for (enum blocks blocks = 0; blocks < BLOCKS; blocks++) {
		unsigned drawn[8][ROWS * COLS];
		for (int i = 0; i < 8; i++) {
			c.blocks = blocks;
			canvas_clear(&c);
			assert_true(picture_draw(glyphs[i], 'k', ROLE_PIECE_WHITE, pane_of(&c)));
			for (int k = 0; k < ROWS * COLS; k++) {
				assert_true(is_allowed(&c, c.cells[k].glyph, 'k'));
				drawn[i][k] = sixths(c.cells[k].glyph);
			}
			for (int j = 0; j < i; j++) {
				int different = 0;
				for (int k = 0; k < ROWS * COLS; k++)
					different += __builtin_popcount(drawn[i][k] ^ drawn[j][k]);
				assert_in_range(different, 4, ROWS * COLS * 6);
			}
			int top = 0;
			for (int k = 0; k < COLS; k++)
				top += __builtin_popcount(drawn[i][k] & 3);
			assert_in_range(top, 0, 5);
		}
	}
	/* Letters say more, and so do glyphs in fewer cells. */
	c.ascii = true;
	assert_false(picture_draw("♚", 'k', ROLE_PIECE_WHITE, pane_of(&c)));
	c.ascii = false;
	assert_false(picture_draw("♚", 'k', ROLE_PIECE_WHITE, pane_sub(pane_of(&c), 0, 0, 2, 6)));
	canvas_free(&c);
}

/* A filled one and a ring: the few such glyphs that every font has. */
static void men_and_kings_are_discs(void **state)
{
	const struct canvas c = {0};
	(void)state;
	for (unsigned side = 0; side < 2; side++) {
		assert_int_equal(piece_glyph(&el_checkers, &c, side, 0), 0x25CB);
		assert_int_equal(piece_glyph(&el_checkers, &c, side, 1), 0x25CF);
	}
}

/* Every mark that a value can have, within its pane; marks that do not fit become plain text. */
static void marks_are_drawn_large_where_they_fit(void **state)
{
	static const char *const marks[] = {"W61", "L4!", "w12", "l8", "=", "=!",
	                                    ".",   "x",   "+",   "-",  "?", "L131"};
	struct canvas c = {0};
	(void)state;
	for (int scale = 4; scale < 12; scale++)
		for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
			int drawn = 0;
			canvas_resize(&c, scale, 2 * scale);
			if (!text_draw_large(marks[i], ROLE_SQUARE_MARK, pane_of(&c)))
				fail_msg("%s in %d rows", marks[i], scale);
			for (int j = 0; j < c.rows * c.cols; j++)
				drawn += c.cells[j].glyph != ' ';
			assert_true(drawn > 0);
		}
	canvas_resize(&c, 4, 8);
	assert_false(text_draw_large("W131!!", ROLE_SQUARE_MARK, pane_of(&c)));
	/* letters without a picture */
	assert_false(text_draw_large("uTW", ROLE_SQUARE_MARK, pane_of(&c)));
	assert_false(text_draw_large("", ROLE_SQUARE_MARK, pane_of(&c)));
	c.ascii = true;
	assert_false(text_draw_large("W1", ROLE_SQUARE_MARK, pane_of(&c)));
	canvas_free(&c);
}

/* ---- lines and points ---- */

/* The target of a click on a point: the middle of its square. */
static const struct zone *zone_of(const struct canvas *c, uint8_t point)
{
	const struct zone *z = c->zones;
	while (z->kind != ZONE_SQUARE || z->value != point)
		z++;
	return z;
}

/* Between the middles of two points there is nothing but the line, and the board shows nothing but
   lines and points. */
static void points_are_joined_by_lines(void **state)
{
	const struct el_position empty = {.en_passant = EL_NO_SQUARE};
	struct canvas c = {0};
	(void)state;
	for (int i = 0; i < 2 * 9; i++) {
		const int scale = 1 + i / 2;
		int glyphs = 0, expected = 24;
		struct board b = board_plain(&el_morris, &empty, i % 2);
		b.scale = scale;
		canvas_resize(&c, board_rows(&el_morris, scale), board_cols(&el_morris, scale));
		canvas_clear(&c);
		c.ascii = true;
		board_draw(&b, pane_of(&c));
		for (uint8_t from = 0; from < 24; from++) {
			for (uint64_t to = el_morris.neighbours(from); to; to &= to - 1) {
				const struct zone *a = zone_of(&c, from),
						  *z = zone_of(&c, (uint8_t)__builtin_ctzll(to));
				const bool level = a->y == z->y;
				assert_true(level || a->x == z->x);
				const int step = level ? 1 : c.cols,
					  length = level ? z->x - a->x : z->y - a->y;
				const struct cell *cell =
					&c.cells[(a->y + (scale - 1) / 2) * c.cols + a->x + scale -
				                 1];
				assert_int_equal(cell->glyph, '.');
				for (int k = 1; k < length; k++)
					assert_int_equal(cell[k * step].glyph, level ? '-' : '|');
				expected += length > 0 ? length - 1 : 0;
			}
		}
		for (int k = 0; k < (c.rows - 1) * c.cols; k++)
			glyphs += c.cells[k].glyph != ' ' && k % c.cols > 1;
		assert_int_equal(glyphs, expected);
	}
	canvas_free(&c);
}

/* ---- pits ---- */

/* As many as there are, beside their number; the number alone where there are too many for the pit. */
static void stones_are_drawn_and_counted(void **state)
{
	struct el_position p = {.en_passant = EL_NO_SQUARE, .pits = {7}};
	struct canvas c = {0};
	(void)state;
	for (int scale = 2; scale < 10; scale++) {
		struct board b = board_plain(&el_awari, &p, false);
		b.scale = scale;
		canvas_resize(&c, board_rows(&el_awari, scale), board_cols(&el_awari, scale));
		for (p.pits[0] = 1; p.pits[0] < 48; p.pits[0]++) {
			unsigned small = 0, large = 0, numbers = 0;
			canvas_clear(&c);
			board_draw(&b, pane_of(&c));
			const struct zone *z = zone_of(&c, 0);
			for (int y = z->y; y < z->y + z->rows; y++)
				for (int x = z->x; x < z->x + z->cols; x++) {
					const uint32_t glyph = c.cells[y * c.cols + x].glyph;
					small += glyph == 0x25CF;
					large += glyph == 0x259C &&
					         c.cells[y * c.cols + x + 1].glyph == 0x2588 &&
					         c.cells[y * c.cols + x + 2].glyph == 0x259B;
					numbers += glyph >= '0' && glyph <= '9';
				}
			if (small + large) {
				assert_int_equal(small + large, p.pits[0]);
				assert_int_equal(numbers, p.pits[0] > 9 ? 2 : 1);
				assert_true(!small || !large);
			}
			assert_true(p.pits[0] > 6 || (small + large > 0) == (scale > 3));
		}
	}
	canvas_free(&c);
}

/* ---- layouts ---- */

struct rectangle {
	int y, x, rows, cols;
};

static bool meet(const struct rectangle *a, const struct rectangle *b)
{
	return a->rows && a->cols && b->rows && b->cols && a->y < b->y + b->rows &&
	       b->y < a->y + a->rows && a->x < b->x + b->cols && b->x < a->x + a->cols;
}

static void check_layout(const struct layout *l, int rows, int cols)
{
	const struct rectangle r[] = {
		{l->board.y, l->board.x, l->board.rows, l->board.cols},
		{l->side.y, l->side.x, l->side.rows, l->side.cols},
		{l->below.y, l->below.x, l->below.rows, l->below.cols},
		{l->second.y, l->second.x, l->second.rows, l->second.cols},
		{l->histogram.y, l->histogram.x, l->histogram.rows, l->histogram.cols},
	};
	assert_true(l->scale >= 1);
	for (int i = 0; i < 5; i++) {
		assert_true(r[i].rows >= 0 && r[i].cols >= 0);
		assert_true(!r[i].rows || !r[i].cols || i == 0 ||
		            (r[i].y + r[i].rows <= rows && r[i].x + r[i].cols <= cols));
		for (int j = 0; j < i; j++)
			assert_false(meet(&r[i], &r[j]));
	}
}

static void nothing_lies_on_anything_else(void **state)
{
	static const enum layout_kind kinds[] = {ONE_BOARD, TWO_BOARDS, BOARD_AND_SECOND};
	(void)state;
	for (const struct el_game *const *game = el_games; *game; game++)
		for (int i = 0; i < 3 * 2; i++)
			for (int rows = 9; rows < 90; rows++)
				for (int cols = 36; cols < 260; cols++) {
					const struct layout l =
						layout_make(*game, kinds[i / 2], i % 2, rows, cols);
					check_layout(&l, rows, cols);
				}
}

/* The purpose of projector mode and wide screens. The rows are those of a view on a screen of 24,
   36 and 50. */
static void a_larger_screen_has_a_larger_board(void **state)
{
	static const struct {
		int rows, cols, scale, second, largest;
	} cases[] = {
		{17, 60, 1, 0, 2},  {21, 80, 2, 0, 2},  {21, 120, 2, 2, 2},
		{33, 120, 3, 2, 4}, {47, 160, 4, 3, 5},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const int rows = cases[i].rows, cols = cases[i].cols;
		const struct layout l = layout_make(&el_chess, BOARD_AND_SECOND, false, rows, cols);
		const struct layout largest =
			layout_make(&el_chess, BOARD_AND_SECOND, true, rows, cols);
		assert_int_equal(l.scale, cases[i].scale);
		assert_int_equal(l.second_scale, cases[i].second);
		assert_int_equal(largest.scale, cases[i].largest);
		assert_true(cols < 160 || l.histogram.rows);
	}
}

/* A board of points may be larger than the one beside it; rows of pits are above each other. */
static void other_boards_use_the_room(void **state)
{
	static const struct {
		const struct el_game *game;
		int rows, cols, scale, second;
	} cases[] = {
		{&el_morris, 21, 80, 2, 0},  {&el_morris, 37, 120, 4, 2},
		{&el_morris, 47, 160, 5, 3}, {&el_awari, 21, 80, 2, 0},
		{&el_awari, 37, 120, 5, 5},  {&el_awari, 47, 160, 8, 8},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct layout l = layout_make(cases[i].game, BOARD_AND_SECOND, false,
		                                    cases[i].rows, cases[i].cols);
		assert_int_equal(l.scale, cases[i].scale);
		assert_int_equal(l.second_scale, cases[i].second);
		assert_true(!l.second_scale || (l.histogram.rows && l.side.cols >= SLIM_COLS));
		if (cases[i].game->sows && l.second_scale)
			assert_int_equal(l.second.x, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_move_marks_every_square_that_it_changes),
		cmocka_unit_test(the_shortest_have_the_first_shade),
		cmocka_unit_test(each_outcome_has_its_shades),
		cmocka_unit_test(every_piece_of_every_game_has_a_picture),
		cmocka_unit_test(small_pictures_are_told_apart),
		cmocka_unit_test(men_and_kings_are_discs),
		cmocka_unit_test(marks_are_drawn_large_where_they_fit),
		cmocka_unit_test(points_are_joined_by_lines),
		cmocka_unit_test(stones_are_drawn_and_counted),
		cmocka_unit_test(nothing_lies_on_anything_else),
		cmocka_unit_test(a_larger_screen_has_a_larger_board),
		cmocka_unit_test(other_boards_use_the_room),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
