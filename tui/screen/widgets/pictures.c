/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pictures.h"

#include <string.h>

enum {
	SMALL_COLS = 6, /* of the least picture */
	FINE = 4,       /* samples along the side of a block */
};

/* What each sheet of pictures shows. */
static const char depicted[] = "♚♛♜♝♞♟●○";
/* For squares of 8 x 4 cells and more. With quadrants, two rows make one row of blocks, which shows
   the pixels of both. */
static const char *const large[] = {
	".......##....... ..#....##....#.. ..###..##..###.. ................",
	".......##....... ..#....##....#.. ..###..##..###.. .......##.......",
	".....######..... ..#...####...#.. ..############.. ......###.......",
	".....######..... ..##..####..##.. ...##########... .....####.#.....",
	".......##....... ..##..####..##.. ....########.... .....###.##.....",
	"..###..##..###.. ..###.####.###.. ....########.... ....####.###....",
	"..####.##.####.. ..############.. ....########.... ....########....",
	"..############.. ..############.. ....########.... ....########....",
	"..############.. ...##########... ....########.... ....########....",
	"...##########... ...##########... ....########.... .....######.....",
	"...##########... ....########.... ....########.... ......####......",
	"....########.... ....########.... ...##########... ......####......",
	"....########.... ...##########... ..############.. .....######.....",
	"...##########... ..############.. ..############.. ..############..",
	".....##.##...... ................ ................ ................",
	".....##.###..... ................ ................ ................",
	"....########.... .......##....... .....######..... .....######.....",
	"....#########... ......####...... ...##########... ...##########...",
	"...##.#######... .....######..... ..############.. ..############..",
	"...##########... .....######..... ..############.. ..####.##.####..",
	"..############.. ......####...... .##############. .##.##....##.##.",
	"..############.. .......##....... .##############. .##..#.##.#..##.",
	"..####..######.. .....######..... .##############. .##..........##.",
	"..###..#######.. ......####...... .##############. .###........###.",
	".......#######.. ......####...... ..############.. ..############..",
	"......########.. .....######..... ..############.. ..############..",
	"....##########.. ....########.... ...##########... ...##########...",
	"..############.. ...##########... .....######..... .....######.....",
};

/* For squares of 6 x 3 cells: in sextants, in quadrants and in halves. What is wide at the top leaves
   a row for the base of a piece above. */
static const char *const in_sextants[] = {
	".....##..... ............ ............ .....##.....",
	"...######... .#...##...#. .###.##.###. ....####....",
	".....##..... .#..####..#. .###.##.###. ...###.##...",
	".####..####. .##.####.##. .##########. ..###.####..",
	".##########. .##########. ..########.. ..########..",
	".##########. .##########. ...######... ...######...",
	"..########.. ..########.. ...######... ....####....",
	"..########.. ..########.. ..########.. ...######...",
	".##########. .##########. .##########. .##########.",
	".....#.#.... ............ ............ ............",
	"....#####... .....##..... ............ ............",
	"..########.. ....####.... ....####.... ....####....",
	".##.#######. ....####.... ..########.. ..########..",
	".##########. .....##..... .##########. .##.#..#.##.",
	".###..#####. ...######... .##########. .##......##.",
	".....######. ....####.... .##########. .##......##.",
	"....######.. ....####.... ..########.. ..########..",
	"..#########. ..########.. ....####.... ....####....",
};
static const char *const in_quadrants[] = {
	".....##..... ............ ............ .....##.....",
	"...######... .#...##...#. .###.##.###. ....###.....",
	".....##..... .##.####.##. .##########. ...###.##...",
	".####..####. .##########. ...######... ...######...",
	".##########. ..########.. ..########.. ....####....",
	"..########.. .##########. .##########. ..########..",
	"....#.##.... ............ ............ ............",
	"..########.. .....##..... ...######... ...######...",
	".##########. ....####.... .##########. .###.##.###.",
	".###..#####. .....##..... .##########. .###....###.",
	".....#####.. ....####.... .##########. .##########.",
	"..#########. ...######... ...######... ...######...",
};
static const char *const in_halves[] = {
	"..##.. ...... ...... ..##.. ..##.. ...... ...... ......",
	".####. #.##.# .#..#. .###.. .####. ...... ..##.. ..##..",
	"..##.. #.##.# .####. .##.#. #####. ..##.. .####. .####.",
	"###### ###### .####. .####. ##.##. ..##.. .####. .#..#.",
	"###### .####. .####. ..##.. ..###. .####. .####. .####.",
	".####. .####. ###### .####. .####. .####. ..##.. ..##..",
};

/* A square has `cols` by `high` pixels; rows past those drawn are blank. */
struct sheet {
	int cols, rows, high;
	int band; /* pictures side by side, with a column between them; the others are below */
	const char *const *row;
};
static const struct sheet largest = {16, 14, 16, 4, large};
static const struct sheet small[BLOCKS] = {
	[BLOCKS_QUADRANTS] = {12, 6, 6, 4, in_quadrants},
	[BLOCKS_HALVES] = {6, 6, 6, 8, in_halves},
	[BLOCKS_SEXTANTS] = {12, 9, 9, 4, in_sextants},
};

/* A pane divided into blocks, `across` by `down` per cell, and a picture in it: `rows` rows of
   pixels from column `col` on, each `wide` by `high` cells, from `left` and `top`. */
struct raster {
	const char *const *row;
	int rows, col, cols, across, down;
	double wide, high, left, top;
};

/* Is at least half of a block within the picture? */
static bool is_set(const struct raster *r, int y, int x)
{
	int inside = 0;
	for (int i = 0; i < FINE * FINE; i++) {
		const double fine_y = y + (i / FINE + 0.5) / FINE,
			     fine_x = x + (i % FINE + 0.5) / FINE;
		const double v = (fine_y / r->down - r->top) / r->high;
		const double u = (fine_x / r->across - r->left) / r->wide;
		if (u >= 0 && u < r->cols && v >= 0 && v < r->rows)
			inside += r->row[(int)v][r->col + (int)u] == '#';
	}
	return 2 * inside >= FINE * FINE;
}

/* Bit 2 * y + x of the index: the quarter in row y from the top, column x from the left. */
static const uint32_t quadrants[16] = {
	' ',    0x2598, 0x259D, 0x2580, 0x2596, 0x258C, 0x259E, 0x259B,
	0x2597, 0x259A, 0x2590, 0x259C, 0x2584, 0x2599, 0x259F, 0x2588,
};

/* The same of sixths: in the order of these bits, without those that are halves or whole. */
static uint32_t sextant(unsigned bits)
{
	enum { NONE = 0, LEFT_HALF = 0x15, RIGHT_HALF = 0x2A, ALL = 0x3F, FIRST = 0x1FB00 };
	return bits == NONE         ? ' '
	       : bits == LEFT_HALF  ? 0x258C
	       : bits == RIGHT_HALF ? 0x2590
	       : bits == ALL        ? 0x2588
	                            : FIRST - 1 + bits - (bits > LEFT_HALF) - (bits > RIGHT_HALF);
}

static void draw_blocks(const struct raster *r, char letter, enum role fg, struct pane p)
{
	const int down = r->down == 3 ? 3 : 2;
	for (int y = 0; y < p.rows; y++)
		for (int x = 0; x < p.cols; x++) {
			unsigned bits = 0;
			for (int i = 0; i < 2 * down; i++)
				if (is_set(r, y * r->down + i / 2 * (r->down > 1),
				           x * r->across + i % 2 * (r->across - 1)))
					bits |= 1u << i;
			if (bits)
				pane_put(p, y, x, fg,
				         r->down == 1   ? (uint32_t)letter
				         : r->down == 2 ? quadrants[bits]
				                        : sextant(bits));
		}
}

bool picture_draw(const char *glyph, char letter, enum role fg, struct pane p)
{
	const struct canvas *c = p.canvas;
	const bool in_letters = c->ascii || c->mono;
	/* A cell is twice as high as it is wide. */
	const int size = p.cols < 2 * p.rows ? p.cols : 2 * p.rows;
	const struct sheet *sheet =
		size >= PICTURE_COLS_MIN || in_letters ? &largest : &small[c->blocks];
	const char *place = strstr(depicted, glyph);
	if (!place || size < SMALL_COLS || (in_letters && p.cols <= SMALL_COLS))
		return false;
	const int number = (int)(place - depicted) / (int)strlen(glyph);
	const struct raster r = {
		.row = sheet->row + number / sheet->band * sheet->rows,
		.rows = sheet->rows,
		.col = number % sheet->band * (sheet->cols + 1),
		.cols = sheet->cols,
		.across = in_letters || c->blocks == BLOCKS_HALVES ? 1 : 2,
		.down = in_letters                     ? 1
	                : c->blocks == BLOCKS_SEXTANTS ? 3
	                                               : 2,
		.wide = (double)size / sheet->cols,
		.high = (double)size / 2 / sheet->high,
		.left = (p.cols - size) / 2.0,
		.top = p.rows - size / 2.0,
	};
	draw_blocks(&r, letter, fg, p);
	return true;
}

/* ---- texts ---- */

enum { LETTER_ROWS = 5, TEXT_COLS_MAX = 32, TEXT_COLS_MIN = 13 /* of "W61" */ };

/* The lowest bit of a row is its rightmost pixel. */
static const struct letter {
	char letter;
	int cols;
	uint8_t row[LETTER_ROWS];
} letters[] = {
	{'0', 3, {7, 5, 5, 5, 7}}, {'1', 3, {2, 6, 2, 2, 7}},      {'2', 3, {7, 1, 7, 4, 7}},
	{'3', 3, {7, 1, 7, 1, 7}}, {'4', 3, {5, 5, 7, 1, 1}},      {'5', 3, {7, 4, 7, 1, 7}},
	{'6', 3, {7, 4, 7, 5, 7}}, {'7', 3, {7, 1, 1, 2, 2}},      {'8', 3, {7, 5, 7, 5, 7}},
	{'9', 3, {7, 5, 7, 1, 7}}, {'W', 5, {17, 17, 21, 21, 10}}, {'w', 5, {0, 17, 21, 21, 10}},
	{'L', 3, {4, 4, 4, 4, 7}}, {'l', 1, {1, 1, 1, 1, 1}},      {'=', 3, {0, 7, 0, 7, 0}},
	{'-', 3, {0, 0, 7, 0, 0}}, {'+', 3, {0, 2, 7, 2, 0}},      {'.', 1, {0, 0, 0, 0, 1}},
	{'!', 1, {1, 1, 1, 0, 1}}, {'?', 3, {7, 1, 2, 0, 2}},      {'x', 3, {0, 5, 2, 5, 0}},
};

/* Puts the letters side by side; returns the columns, 0 if a letter has no picture. */
static int spell(const char *text, char pixels[LETTER_ROWS][TEXT_COLS_MAX + 1])
{
	int cols = 0;
	memset(pixels, 0, LETTER_ROWS * (TEXT_COLS_MAX + 1));
	for (; *text; text++) {
		const struct letter *l = letters, *end = letters + sizeof letters / sizeof *letters;
		while (l < end && l->letter != *text)
			l++;
		if (l == end || cols + 1 + l->cols > TEXT_COLS_MAX)
			return 0;
		for (int y = 0; y < LETTER_ROWS; y++) {
			if (cols)
				pixels[y][cols] = '.';
			for (int x = 0; x < l->cols; x++)
				pixels[y][cols + (cols > 0) + x] =
					l->row[y] >> (l->cols - 1 - x) & 1 ? '#' : '.';
		}
		cols += (cols > 0) + l->cols;
	}
	return cols;
}

bool text_draw_large(const char *text, enum role fg, struct pane p)
{
	char pixels[LETTER_ROWS][TEXT_COLS_MAX + 1];
	const char *const row[] = {pixels[0], pixels[1], pixels[2], pixels[3], pixels[4]};
	const int cols = spell(text, pixels), fitted = cols < TEXT_COLS_MIN ? TEXT_COLS_MIN : cols;
	/* A pixel is `times` half cells each way. */
	const int across = 2 * p.cols / fitted, down = 2 * p.rows / LETTER_ROWS;
	const int times = across < down ? across : down;
	if (p.canvas->ascii || p.canvas->mono || p.canvas->blocks == BLOCKS_HALVES || !cols ||
	    !times)
		return false;
	const struct raster r = {
		.row = row,
		.rows = LETTER_ROWS,
		.cols = cols,
		.across = 2,
		.down = 2,
		.wide = times / 2.0,
		.high = times / 2.0,
		.left = (2 * p.cols - cols * times) / 2 / 2.0,
		.top = (2 * p.rows - LETTER_ROWS * times + 1) / 2 / 2.0,
	};
	draw_blocks(&r, ' ', fg, p);
	return true;
}
