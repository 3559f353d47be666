/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contents of the screen as cells: views draw here, `term.c` shows it on a terminal, and the
 * tests compare it with a file.
 *
 * Views draw through a pane, a clipping rectangle of the canvas with coordinates of its own. Text
 * keeps the background: fill first, then write.
 */
#ifndef TUI_SCREEN_CANVAS_H
#define TUI_SCREEN_CANVAS_H

#include "tui/text/utf8.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHADES = 6 };

/* The meaning of a cell; a theme gives its look. Used as foreground and as background. */
enum role {
	ROLE_GROUND, /* the screen's own background */
	ROLE_TEXT,
	ROLE_DIM,
	ROLE_STRONG,
	ROLE_TITLE, /* the title line's background */
	ROLE_TITLE_TEXT,
	ROLE_TITLE_HERE, /* the view that is shown */
	ROLE_HINT_KEY,
	ROLE_HINT,
	ROLE_NOTE,
	ROLE_ERROR,
	ROLE_BUSY,     /* work in progress, in the title line */
	ROLE_SELECTED, /* the background of the selected row */
	ROLE_WIN,
	ROLE_CURSED,
	ROLE_DRAW,
	ROLE_BLESSED,
	ROLE_LOSS,
	ROLE_UNKNOWN,
	ROLE_BROKEN,
	ROLE_SQUARE_LIGHT, /* backgrounds of squares */
	ROLE_SQUARE_DARK,
	ROLE_SQUARE_LAST,
	ROLE_SQUARE_CHECK,
	ROLE_SQUARE_CURSOR,
	ROLE_SQUARE_PICKED,
	ROLE_PIECE_WHITE, /* foregrounds on squares */
	ROLE_PIECE_BLACK,
	ROLE_SQUARE_MARK, /* on dark backgrounds */
	ROLE_SQUARE_INK,  /* on bright backgrounds */
	ROLE_SQUARE_NUMBER,
	ROLE_AT_LEAST, /* values known within bounds: [draw, win] and [loss, draw] */
	ROLE_AT_MOST,
	ROLE_LESSON, /* the background of a lesson's text */
	/* Backgrounds of squares by value, the same on light and dark squares; values with a depth
	   have several shades, the shortest first: ROLE_VALUE_WIN + shade. */
	ROLE_VALUE_WIN,
	ROLE_VALUE_CURSED = ROLE_VALUE_WIN + SHADES, /* won or lost too late under a rule */
	ROLE_VALUE_BLESSED = ROLE_VALUE_CURSED + SHADES,
	ROLE_VALUE_LOSS = ROLE_VALUE_BLESSED + SHADES,
	ROLE_VALUE_DRAW = ROLE_VALUE_LOSS + SHADES,
	ROLE_VALUE_AT_LEAST,
	ROLE_VALUE_AT_MOST,
	ROLE_VALUE_UNKNOWN, /* also under the fixed pieces of a map */
	ROLE_VALUE_NOW,     /* just decided */
	ROLE_VALUE_BROKEN,
	ROLES,
};

struct cell {
	uint32_t glyph; /* a code point one cell wide */
	uint8_t fg, bg; /* enum role */
};

/* Areas where a click has a meaning. */
enum zone_kind {
	ZONE_NONE,
	ZONE_KEY,    /* the same as pressing key `value` */
	ZONE_BOARD,  /* a whole board with its names, below its squares: a click there has none */
	ZONE_SQUARE, /* square `value` of a board */
	ZONE_ITEM,   /* row `value` of the view's list */
	ZONE_PIECE,  /* spare piece `value` of a palette */
	ZONE_COLUMN, /* column `value` of a table */
	ZONE_NODE,   /* node `value` of a game */
};

struct zone {
	int y, x, rows, cols;
	enum zone_kind kind;
	int value;
};

enum { ZONES_MAX = 512 };

/* The block elements of the font, from which pictures are made: a cell has 2 x 2, 1 x 2 or 2 x 3 of them,
   columns first. */
enum blocks { BLOCKS_QUADRANTS, BLOCKS_HALVES, BLOCKS_SEXTANTS, BLOCKS };
extern const char *const blocks_names[BLOCKS];
/* BLOCKS if there are none of that name. */
enum blocks blocks_find(const char *name);

struct canvas {
	int rows, cols;
	struct cell *cells; /* rows * cols, owned */
	struct zone zones[ZONES_MAX];
	int zone_count;
	int cursor_y, cursor_x; /* the text cursor; -1: hidden */
	/* a text that began in its pane had no room in its row, or ran over another */
	bool is_spoilt;
	bool ascii;      /* letters for pieces, ASCII only */
	bool is_console; /* letters for pieces; of blocks and lines, those of console fonts */
	bool mono;       /* colours distinguish nothing */
	enum blocks blocks;
};

/* False without memory; the canvas is blank afterwards. */
bool canvas_resize(struct canvas *, int rows, int cols);
void canvas_free(struct canvas *);
/* Blank, without zones, cursor hidden. */
void canvas_clear(struct canvas *);
/* The topmost zone at a cell, or null. */
const struct zone *canvas_zone_at(const struct canvas *, int y, int x);

struct pane {
	struct canvas *canvas;
	int y, x, rows, cols;
};

/* A pane with fewer columns is slim: texts in it are shorter. */
enum { SLIM_COLS = 30 };

struct pane pane_of(struct canvas *);
bool pane_is_slim(struct pane);
/* The part of the rectangle that lies inside the pane. */
struct pane pane_sub(struct pane, int y, int x, int rows, int cols);
/* One of its rows; all rows from that one on. */
struct pane pane_row(struct pane, int y);
struct pane pane_from(struct pane, int y);
void pane_fill(struct pane, enum role bg);
/* If `selected`, marks the row by its background and a '>' in front. */
void pane_select(struct pane row, bool selected);
void pane_put(struct pane, int y, int x, enum role fg, uint32_t glyph);
/* Sets background and foreground. */
void pane_paint(struct pane, int y, int x, enum role fg, enum role bg, uint32_t glyph);
/* '...' ends what does not fit. These return the column after the text, even past the edge. */
int pane_text(struct pane, int y, int x, enum role fg, const char *text);
int pane_print(struct pane, int y, int x, enum role fg, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
/* The text ends before column `end`. */
void pane_right(struct pane, int y, int end, enum role fg, const char *text);
void pane_print_right(struct pane, int y, int end, enum role fg, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
/* Breaks between words; '...' ends what does not fit. Returns the rows used. */
int pane_wrap(struct pane, int y, enum role fg, const char *text);
int pane_print_wrapped(struct pane, int y, enum role fg, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* A horizontal bar of `cells` cells. */
void pane_bar(struct pane, int y, int x, enum role fg, int cells);
/* How much of the work is done, in all columns of a row but the last one. */
void pane_progress(struct pane row, double done, double total);
/* The same as pane_bar, to an eighth of a cell where the font has them; at least that if `cells` is not 0. */
void pane_fine_bar(struct pane, int y, int x, enum role fg, double cells);
void pane_zone(struct pane, enum zone_kind, int value);

#endif
