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

void lines_draw(const struct board *b, struct pane p)
{
	pane_fill(p, FIELD);
	for (uint8_t from = 0; from < 64; from++) {
		unsigned file, rank;
		if (!el_square_find(b->game, from, &file, &rank))
			continue;
		for (uint64_t others = b->game->neighbours(from); others; others &= others - 1) {
			/* to the next point on the right or below */
			struct spot at = spot_of(b, from);
			const struct spot to = spot_of(b, (uint8_t)__builtin_ctzll(others));
			const bool level = at.y == to.y;
			const uint32_t glyph = p.canvas->ascii ? (level ? '-' : '|')
			                       : level         ? 0x2500
			                                       : 0x2502;
			for (; at.y <= to.y && at.x <= to.x; *(level ? &at.x : &at.y) += 1)
				pane_put(p, at.y, at.x, ROLE_SQUARE_NUMBER, glyph);
		}
	}
}

/* ---- points ---- */

void point_draw(const struct board *b, const struct square *s)
{
	const struct square whole = {s->pane, s->middle, s->centre, s->number, true};
	struct square part = whole;
	if (b->scale > 1) {
		/* The coloured part: an odd number of rows and columns around the middle, but not
		   all, so that lines show between points. */
		const int up = b->scale / 2 - 1, left = up ? 2 * up + 1 : b->scale - 1;
		part.pane = pane_sub(s->pane, s->middle - up, s->centre - left, 2 * up + 1,
		                     2 * left + 1);
		part.middle = up;
		part.centre = left;
	}
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
		if (!picture_draw(b->game->glyphs[kind], (char)glyph, piece_role(side), part.pane))
			pane_put(part.pane, part.middle, part.centre, piece_role(side), glyph);
	} else if (has(b->targets, s->number)) {
		pane_put(part.pane, part.middle, part.centre, ground_ink(ground),
		         ascii ? '*' : 0x2022);
	} else if (!square_has_mark(b, &whole)) {
		pane_put(part.pane, part.middle, part.centre, quiet_ink(ground),
		         ascii ? '.' : 0xB7);
	}
	/* In the middle; below a man, or beside him if there is no row for it. */
	const struct square_mark *mark = square_mark(b, &whole);
	const bool is_valued = mark->role != ROLE_GROUND, below = square_has_piece(b, &whole);
	const enum role mark_ground = is_valued ? mark_role(mark) : square_role(b, &whole);
	const int length = (int)strlen(mark->text);
	const bool is_large = square_has_mark(b, &whole) && !below &&
	                      part.pane.rows >= PICTURE_ROWS_MIN &&
	                      text_draw_large(mark->text, ground_ink(mark_ground), part.pane);
	if (square_has_mark(b, &whole) && !is_large) {
		const int y = whole.middle + (below && b->scale > 1 ? part.middle + 1 : 0);
		const int x = b->scale == 1 ? 1 : whole.centre - (length - 1) / 2;
		const struct pane p = pane_sub(whole.pane, y, x, 1, b->scale == 1 ? 1 : length);
		pane_fill(p, mark_ground);
		if (b->scale == 1) /* its first letter */
			pane_put(p, 0, 0, ground_ink(mark_ground), (unsigned char)*mark->text);
		else
			pane_text(p, 0, 0, ground_ink(mark_ground), mark->text);
	}
	pane_zone(s->pane, ZONE_SQUARE, s->number);
}
