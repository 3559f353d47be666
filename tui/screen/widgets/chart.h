/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points on two logarithmic axes, with the line through the best of them. */
#ifndef TUI_SCREEN_WIDGETS_CHART_H
#define TUI_SCREEN_WIDGETS_CHART_H

#include "tui/screen/canvas.h"

struct chart_point {
	double x, y;    /* above 0 */
	int item;       /* of the zone that a click on it hits */
	bool front;     /* drawn '*', the others 'o'; a line joins those of the front */
	bool selected;  /* '>' stands before it */
	char label[32]; /* written beside it where there is room */
};

/* A dotted line down the chart, with its name beside it where there is room. */
struct chart_mark {
	double x; /* not above 0: there is none */
	const char *name;
};

enum { CHART_MARKS = 4 };

struct chart {
	const struct chart_point *points;
	size_t count;
	const char *x_title, *y_title;
	/* What is written at a tick of the axis; at most 7 cells. */
	void (*x_text)(double, char out[16]);
	void (*y_text)(double, char out[16]);
	struct chart_mark marks[CHART_MARKS];
	double floor;           /* a dotted line at this y; 0: none */
	const char *floor_text; /* what it is */
};

void chart_draw(const struct chart *, struct pane);

#endif
