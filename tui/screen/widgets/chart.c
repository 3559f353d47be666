/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart.h"

#include <math.h>
#include <stdlib.h>

enum { LABEL_COLS = 8, AXIS_ROWS = 2, DOTS_X = 2, DOTS_Y = 4, LABELLED_COLS = 60 };

/* One axis, from the logarithm of its least value. */
struct scale {
	double low, high; /* logarithms to the base of 10 */
	int dots;         /* of the axis */
};

struct plot {
	const struct chart *chart;
	struct pane pane; /* of the points only */
	struct scale x, y;
	uint8_t *dots; /* owned: one byte per cell, with bits as in braille */
};

/* ---- scales ---- */

static void widen(struct scale *s, double value)
{
	if (value <= 0)
		return;
	s->low = fmin(s->low, log10(value));
	s->high = fmax(s->high, log10(value));
}

/* Adds a margin on either side; at least a third of a decade. */
static void settle(struct scale *s, int dots)
{
	double least = s->high - s->low < 0.3 ? 0.3 - (s->high - s->low) : 0;
	double air = least / 2 + (s->high - s->low + least) * 0.04;
	s->low -= air;
	s->high += air;
	s->dots = dots;
}

/* The dot of a value; outside the axis if the value is. */
static int dot_of(const struct scale *s, double value)
{
	double share = (log10(value) - s->low) / (s->high - s->low);
	return (int)lround(share * (s->dots - 1));
}

static void make_scales(struct plot *p)
{
	const struct chart *c = p->chart;
	p->x = p->y = (struct scale){.low = INFINITY, .high = -INFINITY};
	for (size_t i = 0; i < c->count; i++) {
		widen(&p->x, c->points[i].x);
		widen(&p->y, c->points[i].y);
	}
	for (int i = 0; i < CHART_MARKS; i++)
		widen(&p->x, c->marks[i].x);
	widen(&p->y, c->floor);
	settle(&p->x, p->pane.cols * DOTS_X);
	settle(&p->y, p->pane.rows * DOTS_Y);
}

/* ---- lines of dots ---- */

static int column_of(const struct plot *p, double x)
{
	return dot_of(&p->x, x) / DOTS_X;
}

static int row_of(const struct plot *p, double y)
{
	return (p->y.dots - 1 - dot_of(&p->y, y)) / DOTS_Y;
}

static void set_dot(struct plot *p, int x, int y)
{
	static const uint8_t bits[DOTS_Y][DOTS_X] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
	int from_top = p->y.dots - 1 - y, cell = from_top / DOTS_Y * p->pane.cols + x / DOTS_X;
	if (x < 0 || y < 0 || x >= p->x.dots || from_top < 0)
		return;
	p->dots[cell] |= bits[from_top % DOTS_Y][x % DOTS_X];
}

static void join(struct plot *p, const struct chart_point *a, const struct chart_point *b)
{
	int x = dot_of(&p->x, a->x), y = dot_of(&p->y, a->y);
	int across = dot_of(&p->x, b->x) - x, up = dot_of(&p->y, b->y) - y;
	int steps = abs(across) > abs(up) ? abs(across) : abs(up);
	for (int i = 0; i <= steps && steps; i++)
		set_dot(p, x + i * across / steps, y + i * up / steps);
}

/* The next larger point of the front; null after the last. */
static const struct chart_point *next_on_front(const struct chart *c, const struct chart_point *at)
{
	const struct chart_point *best = NULL;
	for (size_t i = 0; i < c->count; i++) {
		const struct chart_point *p = &c->points[i];
		if (p->front && (!at || p->x > at->x) && (!best || p->x < best->x))
			best = p;
	}
	return best;
}

/* ---- axes ---- */

/* The tick after a value: at decades, and between them if these are few. */
static double next_tick(const struct scale *s, double after)
{
	static const char *const steps[] = {"1", "125", "123456789"};
	double decades = s->high - s->low;
	const char *at_each = steps[decades > 2.2 ? 0 : decades > 0.8 ? 1 : 2];
	for (double decade = pow(10, floor(s->low));; decade *= 10)
		for (const char *step = at_each; *step; step++) {
			double tick = decade * (*step - '0');
			if (tick > after * 1.001 && log10(tick) >= s->low)
				return tick;
		}
}

static bool is_free(struct pane p, int y, int x, int cells)
{
	const struct canvas *c = p.canvas;
	if (y < 0 || y >= p.rows || x < 0 || x + cells > p.cols)
		return false;
	for (int i = 0; i < cells; i++)
		if (c->cells[(p.y + y) * c->cols + p.x + x + i].glyph != ' ')
			return false;
	return true;
}

static void draw_x_axis(const struct plot *p, struct pane whole)
{
	int left = whole.cols - p->pane.cols, y = p->pane.rows + 1, free_from = 0;
	for (int x = left - 1; x < whole.cols; x++)
		pane_put(whole, y, x, ROLE_DIM, x < left ? '+' : '-');
	for (double tick = next_tick(&p->x, 0); log10(tick) <= p->x.high;
	     tick = next_tick(&p->x, tick)) {
		char text[16];
		int x = left + column_of(p, tick);
		p->chart->x_text(tick, text);
		int width = utf8_length(text), start = x - width / 2;
		pane_put(whole, y, x, ROLE_DIM, '+');
		if (start < free_from || start + width > whole.cols)
			continue;
		pane_text(whole, y + 1, start, ROLE_TEXT, text);
		free_from = start + width + 1;
	}
	/* The unit goes where the ticks leave room, as far right as can be. */
	for (int i = 0, placed = 0; i < CHART_TITLES && !placed; i++) {
		const char *title = p->chart->x_titles[i];
		const int width = utf8_length(title);
		for (int x = whole.cols - width; x >= 0 && !placed; x--) {
			const int before = x < 2 ? x : 2, after = whole.cols - x - width;
			placed = is_free(whole, y + 1, x - before,
			                 before + width + (after < 2 ? after : 2));
			if (placed)
				pane_text(whole, y + 1, x, ROLE_DIM, title);
		}
	}
}

/* ---- points ---- */

/* Draws the front and the selected point over the others. */
static void draw_points(const struct plot *p)
{
	for (int pass = 0; pass < 3; pass++)
		for (size_t i = 0; i < p->chart->count; i++) {
			const struct chart_point *point = &p->chart->points[i];
			int x = column_of(p, point->x), y = row_of(p, point->y);
			enum role role = point->front ? ROLE_WIN : ROLE_TEXT;
			if (pass != (point->selected ? 2 : point->front))
				continue;
			if (point->selected && x > 0)
				pane_put(p->pane, y, x - 1, ROLE_STRONG, '>');
			if (point->selected)
				pane_paint(p->pane, y, x, role, ROLE_SELECTED,
				           point->front ? '*' : 'o');
			else
				pane_put(p->pane, y, x, role, point->front ? '*' : 'o');
			pane_zone(pane_sub(p->pane, y, x, 1, 1), ZONE_ITEM, point->item);
		}
}

static void draw_labels(const struct plot *p)
{
	for (int pass = 0; pass < 3; pass++)
		for (size_t i = 0; i < p->chart->count; i++) {
			const struct chart_point *point = &p->chart->points[i];
			int x = column_of(p, point->x), y = row_of(p, point->y),
			    width = utf8_length(point->label);
			if (pass != (point->selected ? 0 : point->front ? 1 : 2))
				continue;
			if (is_free(p->pane, y, x + 1, width + 1))
				pane_text(p->pane, y, x + 2, ROLE_DIM, point->label);
			else if (is_free(p->pane, y, x - width - 3, width + 1))
				pane_text(p->pane, y, x - width - 2, ROLE_DIM, point->label);
		}
}

/* On the right if no point is in the way, else on the left. */
static void name_floor(const struct plot *p)
{
	int y = row_of(p, p->chart->floor), width = utf8_length(p->chart->floor_text);
	bool right = true, left = true;
	for (size_t i = 0; i < p->chart->count; i++) {
		int x = column_of(p, p->chart->points[i].x);
		if (row_of(p, p->chart->points[i].y) != y)
			continue;
		right = right && x < p->pane.cols - width;
		left = left && x > width + 1;
	}
	if (right || left)
		pane_text(p->pane, y, right ? p->pane.cols - width : 0, ROLE_DIM,
		          p->chart->floor_text);
}

/* ---- the whole ---- */

void chart_draw(const struct chart *c, struct pane whole)
{
	struct plot p = {.chart = c};
	p.pane =
		pane_sub(whole, 1, LABEL_COLS, whole.rows - 1 - AXIS_ROWS, whole.cols - LABEL_COLS);
	pane_text(whole, 0, 0, ROLE_DIM, c->y_title);
	if (!c->count || p.pane.rows < 2 || p.pane.cols < 8)
		return;
	p.dots = calloc((size_t)p.pane.rows, (size_t)p.pane.cols);
	if (!p.dots)
		return;
	make_scales(&p);
	int left = whole.cols - p.pane.cols - 1, last = -1;
	for (int y = 0; y < p.pane.rows; y++)
		pane_put(whole, y + 1, left, ROLE_DIM, '|');
	for (double tick = next_tick(&p.y, 0); log10(tick) <= p.y.high;
	     tick = next_tick(&p.y, tick)) {
		char text[16];
		int row = row_of(&p, tick);
		if (row == last)
			continue;
		p.chart->y_text(tick, text);
		pane_right(whole, row + 1, left - 1, ROLE_TEXT, text);
		pane_put(whole, row + 1, left, ROLE_DIM, '+');
		last = row;
	}
	draw_x_axis(&p, whole);
	const struct chart_point *at = next_on_front(p.chart, NULL), *next;
	for (; at && (next = next_on_front(p.chart, at)); at = next)
		join(&p, at, next);
	for (int x = 0; x < p.x.dots && p.chart->floor > 0; x += 4)
		set_dot(&p, x, dot_of(&p.y, p.chart->floor));
	for (int i = 0; i < CHART_MARKS; i++)
		for (int y = 0; y < p.y.dots && p.chart->marks[i].x > 0; y += 4)
			set_dot(&p, dot_of(&p.x, p.chart->marks[i].x), y);
	for (int y = 0; y < p.pane.rows; y++)
		for (int x = 0; x < p.pane.cols; x++) {
			uint8_t dots = p.dots[y * p.pane.cols + x];
			if (dots)
				pane_put(p.pane, y, x, ROLE_DIM,
				         p.pane.canvas->ascii ? '.' : 0x2800u + dots);
		}
	if (c->floor > 0)
		name_floor(&p);
	draw_points(&p);
	if (whole.cols >= LABELLED_COLS)
		draw_labels(&p);
	/* Put each name in the topmost row with room, right of its line. */
	for (int i = 0; i < CHART_MARKS; i++) {
		const struct chart_mark *mark = &p.chart->marks[i];
		const int x = mark->x > 0 ? column_of(&p, mark->x) + 1 : p.pane.cols;
		const int width = mark->x > 0 ? utf8_length(mark->name) : 0;
		for (int y = 0; y < p.pane.rows && x < p.pane.cols; y++)
			if (is_free(p.pane, y, x, width)) {
				pane_text(p.pane, y, x, ROLE_DIM, mark->name);
				break;
			}
	}
	free(p.dots);
}
