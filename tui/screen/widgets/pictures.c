/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pictures.h"

#include <string.h>

enum { SIDE = 16, FINE = 4 }; /* pixels of a picture's side; samples along the side of a block */

/* In squares of 8 x 4 cells and quadrants, two rows make one row of blocks: what stands in either of them
   stands there. */
static const struct {
	const char *glyph;
	const char *row[SIDE];
} pictures[] = {
	{"♚", {
		".......##.......",
		".......##.......",
		".....######.....",
		".....######.....",
		".......##.......",
		"..###..##..###..",
		"..####.##.####..",
		"..############..",
		"..############..",
		"...##########...",
		"...##########...",
		"....########....",
		"....########....",
		"...##########...",
		"................",
		"................",
	}},
	{"♛", {
		"..#....##....#..",
		"..#....##....#..",
		"..#...####...#..",
		"..##..####..##..",
		"..##..####..##..",
		"..###.####.###..",
		"..############..",
		"..############..",
		"...##########...",
		"...##########...",
		"....########....",
		"....########....",
		"...##########...",
		"..############..",
		"................",
		"................",
	}},
	{"♜", {
		"..###..##..###..",
		"..###..##..###..",
		"..############..",
		"...##########...",
		"....########....",
		"....########....",
		"....########....",
		"....########....",
		"....########....",
		"....########....",
		"....########....",
		"...##########...",
		"..############..",
		"..############..",
		"................",
		"................",
	}},
	{"♝", {
		"................",
		".......##.......",
		"......###.......",
		".....####.#.....",
		".....###.##.....",
		"....####.###....",
		"....########....",
		"....########....",
		"....########....",
		".....######.....",
		"......####......",
		"......####......",
		".....######.....",
		"..############..",
		"................",
		"................",
	}},
	{"♞", {
		".....##.##......",
		".....##.###.....",
		"....########....",
		"....#########...",
		"...##.#######...",
		"...##########...",
		"..############..",
		"..############..",
		"..####..######..",
		"..###..#######..",
		".......#######..",
		"......########..",
		"....##########..",
		"..############..",
		"................",
		"................",
	}},
	{"♟", {
		"................",
		"................",
		".......##.......",
		"......####......",
		".....######.....",
		".....######.....",
		"......####......",
		".......##.......",
		".....######.....",
		"......####......",
		"......####......",
		".....######.....",
		"....########....",
		"...##########...",
		"................",
		"................",
	}},
	{"⛂", {
		"................",
		"................",
		".....######.....",
		"...##########...",
		"..############..",
		"..############..",
		".##############.",
		".##############.",
		".##############.",
		".##############.",
		"..############..",
		"..############..",
		"...##########...",
		".....######.....",
		"................",
		"................",
	}},
	{"⛃", {
		"................",
		"................",
		".....######.....",
		"...##########...",
		"..############..",
		"..####.##.####..",
		".##.##....##.##.",
		".##..#.##.#..##.",
		".##..........##.",
		".###........###.",
		"..############..",
		"..############..",
		"...##########...",
		".....######.....",
		"................",
		"................",
	}},
};

static const char *const *picture_of(const char *glyph)
{
	for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
		if (!strcmp(pictures[i].glyph, glyph))
			return pictures[i].row;
	return NULL;
}

/* A pane cut into blocks, `across` by `down` to a cell. A cell is twice as high as it is wide: lengths are
   in such widths, of which the picture takes `size` each way, from `left` and `top`. */
struct raster {
	const char *const *row;
	int across, down;
	double size, left, top;
};

/* Is half of a block, or more, within the picture? */
static bool is_set(const struct raster *r, int y, int x)
{
	int inside = 0;
	for (int i = 0; i < FINE * FINE; i++) {
		const double fine_y = y + (i / FINE + 0.5) / FINE, fine_x = x + (i % FINE + 0.5) / FINE;
		const double v = (2 * fine_y / r->down - r->top) * SIDE / r->size;
		const double u = (fine_x / r->across - r->left) * SIDE / r->size;
		if (u >= 0 && v >= 0 && u < SIDE && v < SIDE)
			inside += r->row[(int)v][(int)u] == '#';
	}
	return 2 * inside >= FINE * FINE;
}

/* Bit 2 * y + x of the index: the quarter y of the cell from above, x from the left. */
static const uint32_t quadrants[16] = {
	' ',    0x2598, 0x259D, 0x2580, 0x2596, 0x258C, 0x259E, 0x259B,
	0x2597, 0x259A, 0x2590, 0x259C, 0x2584, 0x2599, 0x259F, 0x2588,
};

static uint32_t glyph_of(const struct raster *r, char letter, int y, int x)
{
	unsigned bits = 0;
	for (int i = 0; i < 4; i++)
		if (is_set(r, y * r->down + i / 2 * (r->down - 1), x * r->across + i % 2 * (r->across - 1)))
			bits |= 1u << i;
	return r->down == 1 && bits ? (uint32_t)letter : quadrants[bits];
}

bool picture_draw(const char *glyph, char letter, enum role fg, struct pane p)
{
	const bool in_letters = p.canvas->ascii || p.canvas->mono;
	const int size = p.cols < 2 * p.rows ? p.cols : 2 * p.rows;
	const struct raster r = {
		.row = picture_of(glyph),
		.across = in_letters || p.canvas->has_halves ? 1 : 2,
		.down = in_letters ? 1 : 2,
		.size = size,
		.left = (p.cols - size) / 2.0,
		.top = 2 * p.rows - size,
	};
	for (int y = 0; y < p.rows && r.row; y++)
		for (int x = 0; x < p.cols; x++) {
			const uint32_t block = glyph_of(&r, letter, y, x);
			if (block != ' ')
				pane_put(p, y, x, fg, block);
		}
	return r.row;
}
