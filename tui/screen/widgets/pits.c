/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "board_inside.h"

#include "pictures.h"
#include "tui/screen/roles.h"

#include <stdio.h>
#include <string.h>

/* From these scales on, stones are drawn, and drawn in blocks. */
enum { STONES_SCALE = 4, LARGE_STONES_SCALE = 7, LARGE_STONE_COLS = 3, LARGE_STONE_ROWS = 2 };
static const uint32_t large_stone[LARGE_STONE_ROWS][LARGE_STONE_COLS] = {
	{0x2597, 0x2584, 0x2596},
	{0x259C, 0x2588, 0x259B},
};

static void draw_names(const struct board *b, struct pane p, int y, bool above)
{
	const unsigned rank = above == b->flipped ? 0 : 1;
	for (int col = 0; col < b->game->files; col++) {
		const int file = b->flipped ? b->game->files - 1 - col : col;
		const uint8_t pit = b->game->square_at((unsigned)file, rank);
		char name[4];
		b->game->square_name(pit, name);
		pane_text(p, y,
		          STORE_COLS + col * b->scale * 2 + (b->scale == 1 ? 0 : b->scale - 1),
		          pit == b->cursor ? ROLE_STRONG : ROLE_DIM, name);
	}
}

void pits_draw_around(const struct board *b, struct pane p)
{
	const int middle = (b->scale - 1) / 2, k = b->scale;
	const unsigned top = b->flipped ? EL_WHITE : EL_BLACK;
	draw_names(b, p, 0, true);
	draw_names(b, p, PITS_ABOVE + b->game->ranks * k, false);
	/* On wood as the pits: a side's colour may be the terminal's own background. */
	const int rows = b->game->ranks * k, right = STORE_COLS + b->game->files * k * 2;
	pane_fill(pane_sub(p, PITS_ABOVE, 0, rows, STORE_COLS), ROLE_SQUARE_DARK);
	pane_fill(pane_sub(p, PITS_ABOVE, right, rows, STORE_COLS), ROLE_SQUARE_DARK);
	pane_print(p, PITS_ABOVE + middle, 1, piece_role(top), "%2u", b->position->stores[top]);
	pane_print(p, PITS_ABOVE + k + middle, right + 1, piece_role(!top), "%2u",
	           b->position->stores[!top]);
}

/* Draws stones in rows of equal length, but for the last; false if they do not fit. Their size depends
   on the scale alone, so that more look like more in every pit. */
static bool draw_stones(int stones, int scale, enum role role, struct pane p)
{
	const struct canvas *c = p.canvas;
	const bool in_letters = c->ascii || c->mono || c->is_console;
	const bool is_large =
		!in_letters && c->blocks != BLOCKS_HALVES && scale >= LARGE_STONES_SCALE;
	const int wide = is_large ? LARGE_STONE_COLS : 1, high = is_large ? LARGE_STONE_ROWS : 1;
	const int most = (p.cols - 1) / (wide + 1), rows = (stones + most - 1) / most;
	const int each = (stones + rows - 1) / rows;
	if (rows * high > p.rows)
		return false;
	for (int i = 0; i < stones; i++) {
		const int row = i / each, first = row * each;
		const int here = stones - first < each ? stones - first : each;
		const int y = (p.rows - rows * high) / 2 + row * high;
		const int x = (p.cols - here * (wide + 1) + 1) / 2 + (i - first) * (wide + 1);
		for (int j = 0; j < wide * high; j++)
			pane_put(p, y + j / wide, x + j % wide, role,
			         is_large     ? large_stone[j / wide][j % wide]
			         : in_letters ? 'o'
			                      : 0x25CF);
	}
	return true;
}

void pit_draw(const struct board *b, const struct square *s)
{
	const enum role ground = square_role(b, s);
	pane_fill(s->pane, ground);
	const bool is_edged = square_draw_edges(b, s, ground);
	/* In the middle of the rows left by the mark. */
	const unsigned stones = b->position->pits[s->number];
	const int rows = b->scale > 1 ? b->scale - square_has_mark(b, s) : 1;
	const struct pane p = pane_sub(s->pane, 0, 0, rows, s->pane.cols);
	const enum role role = piece_role(s->number / (unsigned)b->game->files);
	char text[8];
	snprintf(text, sizeof text, "%u", stones);
	if (!stones)
		pane_put(p, (rows - 1) / 2, s->centre, quiet_ink(ground),
		         s->pane.canvas->ascii ? '.' : 0xB7);
	else if (b->scale >= STONES_SCALE &&
	         draw_stones((int)stones, b->scale, role, pane_from(p, 1)))
		pane_text(p, 0, s->centre - (stones > 9), role, text);
	else if (p.cols < PICTURE_COLS_MIN || !text_draw_large(text, role, p))
		pane_text(p, (rows - 1) / 2, s->centre - (stones > 9 && b->scale > 1), role, text);
	/* Below the stones; its first letter beside them if there is no row for it, unless an edge is there. */
	const struct square_mark *mark = square_mark(b, s);
	const bool is_valued = mark->role != ROLE_GROUND;
	const enum role mark_ground = is_valued ? mark_role(mark) : square_role(b, s);
	const struct pane row = pane_row(s->pane, b->scale - 1);
	if (square_has_mark(b, s) && b->scale != 1) {
		pane_fill(row, mark_ground);
		pane_text(row, 0, (row.cols - (int)strlen(mark->text)) / 2, ground_ink(mark_ground),
		          mark->text);
	} else if (square_has_mark(b, s) && !is_edged) {
		pane_put(row, 0, 1, ground_ink(mark_ground), (unsigned char)*mark->text);
	}
	pane_zone(s->pane, ZONE_SQUARE, s->number);
}
