/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "board_inside.h"

#include "pictures.h"
#include "tui/screen/roles.h"

#include <string.h>

/* the colour of the board: shows men of both sides */
static const enum role FIELD = ROLE_SQUARE_DARK;

/* ---- lines ---- */

/* The middle of a point on the screen. */
struct spot {
	int y, x;
};

static struct spot spot_of(const struct board *b, uint8_t point)
{
	unsigned file = 0, rank = 0;
	el_square_find(b->game, point, &file, &rank);
	const int col = (int)(b->flipped ? b->game->files - 1u - file : file);
	const int row = (int)(b->flipped ? rank : b->game->ranks - 1u - rank);
	return (struct spot){row * b->scale + (b->scale - 1) / 2,
	                     col * 2 * b->scale + b->scale - 1};
}

/* Draws a line from one point to the next, which is to its right or below. */
static void draw_line(struct spot from, struct spot to, struct pane p)
{
	const bool level = from.y == to.y;
	const uint32_t glyph = p.canvas->ascii ? (level ? '-' : '|') : level ? 0x2500 : 0x2502;
	for (; from.y <= to.y && from.x <= to.x; *(level ? &from.x : &from.y) += 1)
		pane_put(p, from.y, from.x, ROLE_SQUARE_NUMBER, glyph);
}

void lines_draw(const struct board *b, struct pane p)
{
	pane_fill(p, FIELD);
	for (uint8_t from = 0; from < 64; from++) {
		unsigned file, rank;
		if (!el_square_find(b->game, from, &file, &rank))
			continue;
		for (uint64_t others = b->game->neighbours(from); others; others &= others - 1)
			draw_line(spot_of(b, from), spot_of(b, (uint8_t)__builtin_ctzll(others)),
			          p);
	}
}

/* ---- points ---- */

/* The coloured part of a point's square: an odd number of rows and columns around its middle, but
   not all, so that lines show between points. */
static struct square part_around(const struct board *b, const struct square *s)
{
	const int up = b->scale < 2 ? 0 : b->scale / 2 - 1;
	const int left = up ? 2 * up + 1 : b->scale - 1;
	struct square part = *s;
	if (b->scale == 1)
		return part;
	part.pane = pane_sub(s->pane, s->middle - up, s->centre - left, 2 * up + 1, 2 * left + 1);
	part.middle = up;
	part.centre = left;
	return part;
}

/* In the middle; below a man, or beside him if there is no row for it. */
static void draw_mark(const struct board *b, const struct square *s, const struct square *part)
{
	const struct square_mark *mark = square_mark(b, s);
	const bool is_valued = mark->role != ROLE_GROUND, below = square_has_piece(b, s);
	const enum role ground = is_valued ? square_value_role(mark, s) : square_role(b, s);
	const int length = (int)strlen(mark->text);
	if (!square_has_mark(b, s) || (!below && part->pane.rows >= PICTURE_ROWS_MIN &&
	                               text_draw_large(mark->text, ground_ink(ground), part->pane)))
		return;
	const int y = s->middle + (below && b->scale > 1 ? part->middle + 1 : 0);
	const int x = b->scale == 1 ? 1 : s->centre - (length - 1) / 2;
	const struct pane p = pane_sub(s->pane, y, x, 1, b->scale == 1 ? 1 : length);
	pane_fill(p, ground);
	pane_text(p, 0, 0, ground_ink(ground), mark->text);
}

void point_draw(const struct board *b, const struct square *s)
{
	const struct square whole = {s->pane, s->middle, s->centre, s->number, true};
	const struct square part = part_around(b, &whole);
	const enum role ground = square_role(b, &whole);
	const bool ascii = s->pane.canvas->ascii;
	unsigned side, kind;
	if (s->number == EL_NO_SQUARE)
		return;
	if (ground != FIELD)
		pane_fill(part.pane, ground);
	square_draw_edges(b, &part, ground);
	if (el_piece_at(b->position, s->number, &side, &kind)) {
		const uint32_t glyph = piece_glyph(b->game, part.pane.canvas, side, kind);
		if (part.pane.rows < PICTURE_ROWS_MIN ||
		    !picture_draw(b->game->glyphs[kind], (char)glyph, piece_role(side), part.pane))
			pane_put(part.pane, part.middle, part.centre, piece_role(side), glyph);
	} else if (has(b->targets, s->number)) {
		pane_put(part.pane, part.middle, part.centre, ROLE_SQUARE_MARK,
		         ascii ? '*' : 0x2022);
	} else if (!square_has_mark(b, &whole)) {
		pane_put(part.pane, part.middle, part.centre, ROLE_SQUARE_NUMBER,
		         ascii ? '.' : 0xB7);
	}
	draw_mark(b, &whole, &part);
	pane_zone(s->pane, ZONE_SQUARE, s->number);
}
