/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points on two logarithmic axes, with a line through the Pareto front. */
#ifndef TUI_SCREEN_WIDGETS_CHART_H
#define TUI_SCREEN_WIDGETS_CHART_H

#include "tui/screen/canvas.h"

struct chart_point {
	double x, y;    /* above 0 */
	int item;       /* of the zone under the point */
	bool front;     /* drawn '*', others 'o'; a line joins the front */
	bool selected;  /* preceded by '>' */
	char label[32]; /* beside it if there is room */
};

/* A dotted vertical line, with its name beside it if there is room. */
struct chart_mark {
	double x; /* not above 0: none */
	const char *name;
};

enum { CHART_MARKS = 6, CHART_TITLES = 3 };

struct chart {
	const struct chart_point *points;
	size_t count;
	/* what the axes count; of the former the first that fits */
	const char *x_titles[CHART_TITLES], *y_title;
	/* Writes the label of a tick, at most 7 cells. */
	void (*x_text)(double, char out[16]);
	void (*y_text)(double, char out[16]);
	struct chart_mark marks[CHART_MARKS];
	double floor;           /* a dotted line at this y; 0: none */
	const char *floor_text; /* its label */
};

void chart_draw(const struct chart *, struct pane);

#endif
