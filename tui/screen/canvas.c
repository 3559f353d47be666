/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "canvas.h"
#include "core/base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { PLUS_MINUS = 0xb1 };

/* ---- canvas ---- */

bool canvas_resize(struct canvas *c, int rows, int cols)
{
	struct cell *cells = calloc((size_t)rows * (size_t)cols + 1, sizeof *cells);
	if (!cells)
		return false;
	free(c->cells);
	c->cells = cells;
	c->rows = rows;
	c->cols = cols;
	canvas_clear(c);
	return true;
}

void canvas_free(struct canvas *c)
{
	free(c->cells);
	c->cells = NULL;
	c->rows = c->cols = 0;
}

const char *const blocks_names[BLOCKS] = {
	[BLOCKS_QUADRANTS] = "quadrants",
	[BLOCKS_HALVES] = "halves",
	[BLOCKS_SEXTANTS] = "sextants",
};

enum blocks blocks_find(const char *name)
{
	enum blocks found = 0;
	while (found < BLOCKS && strcmp(blocks_names[found], name))
		found++;
	return found;
}

void canvas_clear(struct canvas *c)
{
	c->zone_count = 0;
	c->is_spoilt = false;
	c->cursor_y = c->cursor_x = -1;
	pane_fill(pane_of(c), ROLE_GROUND);
}

const struct zone *canvas_zone_at(const struct canvas *c, int y, int x)
{
	for (int i = c->zone_count - 1; i >= 0; i--) {
		const struct zone *z = &c->zones[i];
		if (y >= z->y && y < z->y + z->rows && x >= z->x && x < z->x + z->cols)
			return z;
	}
	return NULL;
}

/* ---- panes ---- */

struct pane pane_of(struct canvas *c)
{
	return (struct pane){c, 0, 0, c->rows, c->cols};
}

static int clamp(int v, int low, int high)
{
	return v < low ? low : v > high ? high : v;
}

struct pane pane_sub(struct pane p, int y, int x, int rows, int cols)
{
	int top = clamp(y, 0, p.rows), left = clamp(x, 0, p.cols);
	int bottom = clamp(y + rows, top, p.rows), right = clamp(x + cols, left, p.cols);
	return (struct pane){p.canvas, p.y + top, p.x + left, bottom - top, right - left};
}

struct pane pane_row(struct pane p, int y)
{
	return pane_sub(p, y, 0, 1, p.cols);
}

struct pane pane_from(struct pane p, int y)
{
	return pane_sub(p, y, 0, p.rows - y, p.cols);
}

static struct cell *cell_at(struct pane p, int y, int x)
{
	if (y < 0 || x < 0 || y >= p.rows || x >= p.cols)
		return NULL;
	return &p.canvas->cells[(size_t)(p.y + y) * (size_t)p.canvas->cols + (size_t)(p.x + x)];
}

void pane_paint(struct pane p, int y, int x, enum role fg, enum role bg, uint32_t glyph)
{
	struct cell *cell = cell_at(p, y, x);
	if (cell)
		*cell = (struct cell){glyph, (uint8_t)fg, (uint8_t)bg};
}

void pane_fill(struct pane p, enum role bg)
{
	for (int y = 0; y < p.rows; y++)
		for (int x = 0; x < p.cols; x++)
			pane_paint(p, y, x, ROLE_TEXT, bg, ' ');
}

void pane_select(struct pane row, bool selected)
{
	if (!selected)
		return;
	pane_fill(row, ROLE_SELECTED);
	pane_text(row, 0, 0, ROLE_STRONG, ">");
}

/* The nearest glyph in the 256 or 512 of a console's font. */
static uint32_t on_console(uint32_t glyph)
{
	switch (glyph) {
	case 0x2503: /* a heavy line */
		return 0x2502;
	case 0x2586: /* three quarters of a block */
		return 0x2588;
	case 0x258F: /* an eighth of a block, at the left */
		return 0x258C;
	case 0x2595:
		return 0x2590;
	case 0x2713: /* a tick */
		return 0x221A;
	default:
		return glyph >= 0x2800 && glyph < 0x2900 ? '.' : glyph; /* braille */
	}
}

void pane_put(struct pane p, int y, int x, enum role fg, uint32_t glyph)
{
	struct cell *cell = cell_at(p, y, x);
	if (!cell)
		return;
	if (p.canvas->ascii && glyph == PLUS_MINUS)
		glyph = '~';
	if (p.canvas->is_console)
		glyph = on_console(glyph);
	/* Wider glyphs would be half overwritten by their neighbours, or shift them. -1: unknown to
	   the locale. */
	const int cells = glyph <= '~' ? 1 : wcwidth((wchar_t)glyph);
	if (el_is_control(glyph) || (p.canvas->ascii && glyph > '~') || !cells || cells > 1)
		glyph = '?';
	cell->glyph = glyph;
	cell->fg = (uint8_t)fg;
}

int pane_text(struct pane p, int y, int x, enum role fg, const char *text)
{
	const int end = x + utf8_length(text);
	const bool begins = y >= 0 && y < p.rows && x < p.cols, is_long = begins && end > p.cols;
	if (is_long && p.cols - x < 4)
		p.canvas->is_spoilt = true;
	for (const char *rest = text; *rest; x++) {
		const uint32_t glyph = utf8_decode(&rest);
		const struct cell *cell = cell_at(p, y, x);
		const bool is_over = cell && cell->glyph < 128 && isalnum((int)cell->glyph) &&
		                     cell->glyph != glyph;
		if (glyph != ' ' && is_over)
			p.canvas->is_spoilt = true;
		pane_put(p, y, x, fg, is_long && x >= p.cols - 3 ? '.' : glyph);
	}
	return end;
}

/* Room for every text that is printed; a longer one is cut. */
enum { PRINTED_MAX = 1024 };

int pane_print(struct pane p, int y, int x, enum role fg, const char *format, ...)
{
	char text[PRINTED_MAX];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return pane_text(p, y, x, fg, text);
}

void pane_print_right(struct pane p, int y, int end, enum role fg, const char *format, ...)
{
	char text[PRINTED_MAX];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	pane_right(p, y, end, fg, text);
}

int pane_print_wrapped(struct pane p, int y, enum role fg, const char *format, ...)
{
	char text[PRINTED_MAX];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return pane_wrap(p, y, fg, text);
}

void pane_right(struct pane p, int y, int end, enum role fg, const char *text)
{
	if (end <= p.cols) /* half a number would be another number */
		pane_text(p, y, end - utf8_length(text), fg, text);
}

int pane_wrap(struct pane p, int y, enum role fg, const char *text)
{
	const int first = y < p.rows ? y : p.rows;
	int x = 0;
	while (*text && y < p.rows) {
		int length = (int)strcspn(text, " ");
		bool is_last_row = y + 1 == p.rows, is_last_word = !text[length];
		int room = p.cols - (is_last_row && !is_last_word ? 4 : 0);
		if (x > 0 && x + length > room) {
			if (is_last_row)
				pane_text(p, y, x, fg, "...");
			y++;
			x = 0;
			continue;
		}
		bool is_too_long = length > p.cols && !is_last_row;
		if (is_too_long) { /* lists break after a comma */
			for (length = p.cols; length > 0 && text[length - 1] != ',';)
				length--;
			length = length ? length : p.cols;
		}
		x = pane_print(p, y, x, fg, "%.*s", length, text) + 1;
		y += is_too_long;
		x = is_too_long ? 0 : x;
		text += length;
		text += strspn(text, " ");
	}
	return (y < p.rows ? y + 1 : p.rows) - first;
}

bool pane_is_slim(struct pane p)
{
	return p.cols < SLIM_COLS;
}

void pane_bar(struct pane p, int y, int x, enum role fg, int cells)
{
	for (int i = 0; i < cells; i++)
		pane_put(p, y, x + i, fg, p.canvas->ascii ? '#' : 0x2586);
}

void pane_progress(struct pane row, double done, double total)
{
	const int room = row.cols - 1, filled = total > 0 ? (int)(done / total * room) : 0;
	for (int x = filled; x < room; x++)
		pane_put(row, 0, x, ROLE_DIM, '.');
	pane_bar(row, 0, 0, ROLE_BUSY, filled < room ? filled : room);
}

void pane_fine_bar(struct pane p, int y, int x, enum role fg, double cells)
{
	const struct canvas *c = p.canvas;
	const int steps = c->ascii ? 1 : c->blocks == BLOCKS_HALVES ? 2 : 8;
	int parts = (int)(cells * steps + 0.5);
	parts += cells > 0 && !parts;
	for (int i = 0; i < parts / steps; i++)
		pane_put(p, y, x + i, fg, c->ascii ? '#' : 0x2588);
	/* Seven eighths to one eighth, from the left. */
	if (parts % steps)
		pane_put(p, y, x + parts / steps, fg,
		         (uint32_t)(0x2590 - parts % steps * 8 / steps));
}

void pane_zone(struct pane p, enum zone_kind kind, int value)
{
	struct canvas *c = p.canvas;
	if (p.rows < 1 || p.cols < 1 || c->zone_count == ZONES_MAX)
		return;
	c->zones[c->zone_count++] = (struct zone){p.y, p.x, p.rows, p.cols, kind, value};
}
