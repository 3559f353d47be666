/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The board of boards: a tile for each square of one piece, and in it a cell for each square of
   another, two to a character. */
#include "teach.h"

#include "tui/screen/widgets/board.h"

/* Of a grid of tiles: how many squares in a row share a cell, or how many columns and rows of cells show
   one. Pits, of which there are few rows, are taller. */
struct grid {
	int merge, zoom, tall;
	int tile_cols, tile_rows; /* cells of a tile */
};

static struct grid grid_of(const struct el_game *game, int rows, int cols)
{
	enum { PIT = 4 };
	const int files = game->files, ranks = game->ranks, tall = game->sows ? PIT : 1;
	struct grid g = {.merge = 2, .zoom = 1, .tall = tall};
	for (int zoom = 1; files * (files * zoom + 1) - 1 <= cols &&
	                   ranks * (ranks * zoom * tall + 1) - 1 <= 2 * rows;
	     zoom++)
		g = (struct grid){.merge = 1, .zoom = zoom, .tall = zoom * tall};
	g.tile_cols = (files + g.merge - 1) / g.merge * g.zoom;
	g.tile_rows = (ranks + g.merge - 1) / g.merge * g.tall;
	return g;
}

int teach_boards_cols(const struct el_game *game, int rows, int cols)
{
	const struct grid g = grid_of(game, rows, cols);
	return game->files * (g.tile_cols + 1) - 1;
}

static uint8_t square_shown(const struct model *m, int row, int col)
{
	const struct el_game *game = teach_of(m)->game;
	const int file = m->flipped ? game->files - 1 - col : col;
	const int rank = m->flipped ? row : game->ranks - 1 - row;
	return row < game->ranks && col < game->files
	               ? game->square_at((unsigned)file, (unsigned)rank)
	               : EL_NO_SQUARE;
}

/* Of squares that share a cell, the one shown is new, or the last one decided. */
static enum role cell_role(const struct model *m, uint8_t tile, const struct grid *g, int y, int x)
{
	const struct teach *t = teach_of(m);
	enum role role = ROLE_SQUARE_INK; /* no position, in either theme */
	size_t latest = 0;
	bool open = false;
	for (int i = 0; i < g->merge * g->merge; i++) {
		const uint8_t cell = square_shown(m, y / g->tall * g->merge + i / g->merge,
		                                  x / g->zoom * g->merge + i % g->merge);
		struct el_position p;
		struct square_mark mark;
		if (cell == EL_NO_SQUARE ||
		    !el_boards_try(t->game, &t->tiles, t->window.position.side, tile, cell, &p))
			continue;
		const struct el_film_value v = el_film_value(teach_film(m), &p, t->step);
		if (v.value.outcome == EL_BROKEN || (open && v.step < latest))
			continue;
		teach_mark(m, &v, false, &mark);
		open = true;
		latest = v.step;
		role = mark.role == ROLE_VALUE_NOW ? ROLE_PIECE_WHITE
		                                   : (enum role)(mark.role + mark.shade);
	}
	return role;
}

/* The role of a cell of the whole grid; the gap around the tile at the cursor is marked. */
static enum role role_at(const struct model *m, const struct grid *g, int y, int x)
{
	const struct teach *t = teach_of(m);
	const int height = g->tile_rows + 1, width = g->tile_cols + 1;
	const uint8_t tile = square_shown(m, y / height, x / width);
	if (y % height < g->tile_rows && x % width < g->tile_cols)
		return tile == EL_NO_SQUARE ? ROLE_GROUND
		                            : cell_role(m, tile, g, y % height, x % width);
	for (int i = 0; i < 4; i++) {
		const uint8_t beside = square_shown(m, (y + i / 2) / height, (x + i % 2) / width);
		if (beside != EL_NO_SQUARE && beside == t->window.cursor)
			return ROLE_NOTE;
	}
	return ROLE_GROUND;
}

/* How many cells of a tile hold positions that are decided, and decided by this step. */
static void count_tile(const struct model *m, uint8_t tile, unsigned *decided, unsigned *now)
{
	const struct teach *t = teach_of(m);
	*decided = *now = 0;
	for (uint8_t cell = 0; cell < 64; cell++) {
		unsigned file, rank;
		struct el_position p;
		if (!el_square_find(t->game, cell, &file, &rank) ||
		    !el_boards_try(t->game, &t->tiles, t->window.position.side, tile, cell, &p))
			continue;
		const struct el_film_value v = el_film_value(teach_film(m), &p, t->step);
		*decided += v.value.outcome != EL_BROKEN && v.step;
		*now += v.value.outcome != EL_BROKEN && v.step && v.step == t->step;
	}
}

/* Without colours and half blocks: how many positions of the tile this step decides, or '-' if none,
   but earlier ones did. */
static void draw_number(const struct model *m, uint8_t tile, struct pane p)
{
	enum { COLS = 5 };
	const int x = (p.cols - COLS) / 2, y = (p.rows - 1) / 2;
	unsigned decided, now;
	count_tile(m, tile, &decided, &now);
	if (now)
		pane_print(p, y, x + 1, ROLE_STRONG, "%3u", now);
	else
		pane_text(p, y, x + 2, ROLE_DIM, decided ? "-" : ".");
	if (tile == teach_of(m)->window.cursor) {
		pane_put(p, y, x, ROLE_STRONG, '[');
		pane_put(p, y, x + COLS - 1, ROLE_STRONG, ']');
	}
}

void teach_draw_boards(const struct model *m, struct pane p)
{
	const struct teach *t = teach_of(m);
	const struct grid g = grid_of(t->game, p.rows, p.cols);
	const bool in_numbers = p.canvas->ascii || p.canvas->mono;
	const int rows = t->game->ranks * (g.tile_rows + 1) - 1;
	const int cols = t->game->files * (g.tile_cols + 1) - 1;
	for (int y = 0; y < rows && !in_numbers; y += 2)
		for (int x = 0; x < cols && x < p.cols; x++) {
			const enum role above = role_at(m, &g, y, x);
			const enum role under =
				y + 1 < rows ? role_at(m, &g, y + 1, x) : ROLE_GROUND;
			/* The terminal's own background has no colour to write with. */
			if (above == ROLE_GROUND)
				pane_paint(p, y / 2, x, under, above,
				           under == ROLE_GROUND ? ' ' : 0x2584);
			else
				pane_paint(p, y / 2, x, above, under, 0x2580);
		}
	for (int row = 0; row < t->game->ranks; row++)
		for (int col = 0; col < t->game->files; col++) {
			const uint8_t tile = square_shown(m, row, col);
			const int top = row * (g.tile_rows + 1), end = top + g.tile_rows;
			/* All cells that show some of the tile. */
			const int y = top / 2, x = col * (g.tile_cols + 1),
				  high = (end + 1) / 2 - y;
			if (tile == EL_NO_SQUARE)
				continue;
			if (in_numbers)
				draw_number(m, tile, pane_sub(p, y, x, high, g.tile_cols + 1));
			pane_zone(pane_sub(p, y, x, high, g.tile_cols), ZONE_SQUARE, tile);
		}
}

unsigned teach_boards_news(const struct model *m)
{
	const struct teach *t = teach_of(m);
	unsigned all = 0, decided, now;
	for (uint8_t tile = 0; tile < 64; tile++) {
		unsigned file, rank;
		if (!el_square_find(t->game, tile, &file, &rank))
			continue;
		count_tile(m, tile, &decided, &now);
		all += now;
	}
	return all;
}
