/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chart: size against latency, both on log axes, with the Pareto front drawn. */
#include "report.h"

#include <math.h>
#include <string.h>

enum {
	WIDTH = 960, /* of the chart; the list of points is to its right */
	LIST = 330,
	LINE = 15, /* of the list */
	HEIGHT = 640,
	LEFT = 90, /* margins */
	RIGHT = 40,
	TOP = 90,
	BOTTOM = 70,
	LABELS_MAX = 256,
	LABEL_HEIGHT = 13,
};
static const double LETTER_WIDTH = 6.2; /* of the labels' letters, approximately */

struct axis {
	double least, most; /* powers of ten */
	double from, to;    /* pixels */
};

struct box {
	double x, y, width, height;
};

struct chart {
	FILE *out;
	const struct lab_report *report;
	const struct el_lab_references *references; /* null: none */
	enum el_regime regime;
	enum el_lab_time by;
	struct axis size, time;
	struct box taken[LABELS_MAX]; /* areas of points and labels */
	size_t taken_count;
};

static const struct el_latency *latency_of(const struct chart *c, size_t i)
{
	return &c->report->results[i].latency[c->regime];
}

static double time_of(const struct chart *c, size_t i)
{
	return el_lab_time_of(latency_of(c, i), c->by);
}

static bool is_shown(const struct chart *c, size_t i)
{
	return !c->report->results[i].status && latency_of(c, i)->n && time_of(c, i) > 0;
}

static double place_on(const struct axis *axis, double value)
{
	const double share = (log10(value) - axis->least) / (axis->most - axis->least);
	return axis->from + share * (axis->to - axis->from);
}

static double x_of(const struct chart *c, size_t i)
{
	return place_on(&c->size, c->report->results[i].bits_per_position);
}

static double y_of(const struct chart *c, size_t i)
{
	return place_on(&c->time, time_of(c, i));
}

static void write_escaped(FILE *out, const char *text)
{
	static const char special[] = "<>&\"";
	static const char *const names[] = {"lt", "gt", "amp", "quot"};
	for (; *text; text++) {
		const char *found = strchr(special, *text);
		if (found)
			fprintf(out, "&%s;", names[found - special]);
		else
			fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
	}
}

/* ---- axes ---- */

static void widen(struct axis *axis, double value)
{
	axis->least = fmin(axis->least, log10(value));
	axis->most = fmax(axis->most, log10(value));
}

/* Adds room around the outermost points; without points, sets some range. */
static void pad(struct axis *axis)
{
	static const double margin = 0.08;
	if (axis->least > axis->most)
		axis->least = 0, axis->most = 1;
	axis->least -= margin;
	axis->most += margin;
}

static double reference_bits(const struct chart *c, enum el_lab_context context)
{
	return el_lab_reference_bits(c->references, context, c->report->ground.positions);
}

static void find_axes(struct chart *c)
{
	c->size = (struct axis){INFINITY, -INFINITY, LEFT, WIDTH - RIGHT};
	c->time = (struct axis){INFINITY, -INFINITY, HEIGHT - BOTTOM, TOP};
	for (size_t i = 0; i < c->report->count; i++) {
		if (!is_shown(c, i))
			continue;
		widen(&c->size, c->report->results[i].bits_per_position);
		widen(&c->time, time_of(c, i));
		const struct el_interval in = el_lab_time_in(latency_of(c, i), c->by);
		if (in.high > 0 && in.low > 0) {
			widen(&c->time, in.low);
			widen(&c->time, in.high);
		}
	}
	for (unsigned k = 0; c->references && k < el_lab_reference_count(c->references); k++)
		if (reference_bits(c, k) > 0)
			widen(&c->size, reference_bits(c, k));
	pad(&c->size);
	pad(&c->time);
}

static void draw_tick(const struct chart *c, const struct axis *axis, double value)
{
	const double at = place_on(axis, value);
	char text[32];
	if (axis == &c->size) {
		fprintf(c->out, "<path class=\"grid\" d=\"M%.1f %dV%d\"/>", at, TOP,
		        HEIGHT - BOTTOM);
		fprintf(c->out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n", at,
		        HEIGHT - BOTTOM + 18, value);
		return;
	}
	if (value >= 1e6)
		snprintf(text, sizeof text, "%g ms", value / 1e6);
	else if (value >= 1e3)
		snprintf(text, sizeof text, "%g \302\265s", value / 1e3);
	else
		snprintf(text, sizeof text, "%g ns", value);
	fprintf(c->out, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, at, WIDTH - RIGHT);
	fprintf(c->out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", LEFT - 8,
	        at + 4, text);
}

/* Ticks at 1, 2 and 5 times each power of ten. */
static void draw_ticks(const struct chart *c, const struct axis *axis)
{
	static const double steps[] = {1, 2, 5};
	for (double power = floor(axis->least); power <= axis->most; power++)
		for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
			const double value = steps[i] * pow(10, power), at = log10(value);
			if (at >= axis->least && at <= axis->most)
				draw_tick(c, axis, value);
		}
}

static void draw_frame(const struct chart *c)
{
	const struct lab_report *report = c->report;
	fprintf(c->out, "<text class=\"title\" x=\"%d\" y=\"30\">", LEFT);
	write_escaped(c->out, report->slice.name);
	fprintf(c->out, " %s: size against %s of %s probes, workload %s</text>\n",
	        report->metric->name, lab_time_text(c->by), el_regime_names[c->regime],
	        el_workload_names[report->workload]);
	fprintf(c->out, "<text x=\"%d\" y=\"50\">", LEFT);
	write_escaped(c->out, report->machine);
	fprintf(c->out, "</text>\n<text x=\"%d\" y=\"68\">", LEFT);
	write_escaped(c->out, report->libraries);
	fputs("</text>\n", c->out);
	draw_ticks(c, &c->size);
	draw_ticks(c, &c->time);
	fprintf(c->out, "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
	        LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
	fprintf(c->out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">bits per position</text>\n",
	        (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 24);
}

/* ---- room ---- */

static void take(struct chart *c, const struct box *box)
{
	if (c->taken_count < LABELS_MAX)
		c->taken[c->taken_count++] = *box;
}

/* ---- points ---- */

/* The number of a point. On the front it goes above the point, since the line runs below and to the
   right; else right, left, above or below, wherever there is room first. Without room, the title
   and the list still identify the point. */
static void draw_number(struct chart *c, size_t i)
{
	char text[24];
	snprintf(text, sizeof text, "%zu", i + 1);
	const double x = x_of(c, i), y = y_of(c, i),
		     width = LETTER_WIDTH * (double)strlen(text) + 2;
	const struct box places[] = {
		{x + 7, y - 20, width, LABEL_HEIGHT},
		{x + 7, y - 7, width, LABEL_HEIGHT},
		{x - 7 - width, y - 7, width, LABEL_HEIGHT},
		{x - width / 2, y - 21, width, LABEL_HEIGHT},
		{x - width / 2, y + 8, width, LABEL_HEIGHT},
	};
	for (size_t k = !c->report->results[i].pareto; k < sizeof places / sizeof *places; k++) {
		bool inside =
			places[k].x >= LEFT && places[k].x + places[k].width <= WIDTH - RIGHT &&
			places[k].y >= TOP && places[k].y + places[k].height <= HEIGHT - BOTTOM;
		for (const struct box *b = c->taken; b < c->taken + c->taken_count && inside; b++)
			inside = places[k].x >= b->x + b->width ||
			         b->x >= places[k].x + places[k].width ||
			         places[k].y >= b->y + b->height ||
			         b->y >= places[k].y + places[k].height;
		if (!inside)
			continue;
		fprintf(c->out, "<text class=\"label\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
		        places[k].x, places[k].y + LABEL_HEIGHT - 3, text);
		take(c, &places[k]);
		return;
	}
}

/* The legend, and each point by its number, those of the front in bold. */
static void draw_list(const struct chart *c)
{
	const double x = WIDTH + 8;
	double y = TOP + 4;
	char label[128];
	fprintf(c->out,
	        "<g class=\"legend\"><ellipse class=\"best\" cx=\"%.0f\" cy=\"%.0f\" rx=\"5\" "
	        "ry=\"5\"/><text x=\"%.0f\" y=\"%.0f\">the front</text><ellipse class=\"other\" "
	        "cx=\"%.0f\" cy=\"%.0f\" rx=\"4\" ry=\"4\"/><text x=\"%.0f\" "
	        "y=\"%.0f\">beaten</text>",
	        x, y - 4, x + 10, y, x + 90, y - 4, x + 100, y);
	fprintf(c->out,
	        "<ellipse class=\"other foreign\" cx=\"%.0f\" cy=\"%.0f\" rx=\"4\" ry=\"4\"/>"
	        "<text x=\"%.0f\" y=\"%.0f\">foreign</text></g>\n",
	        x + 160, y - 4, x + 170, y);
	y += LINE;
	fprintf(c->out,
	        "<text class=\"item\" x=\"%.0f\" y=\"%.0f\">bars: 95 %% intervals; dotted: "
	        "conditional entropies</text>\n",
	        x - 5, y);
	y += 1.5 * LINE;
	for (size_t i = 0; i < c->report->count; i++) {
		if (!is_shown(c, i))
			continue;
		el_lab_candidate_format(&c->report->slice, &c->report->results[i].candidate, label,
		                        sizeof label);
		fprintf(c->out, "<text class=\"%s\" x=\"%.0f\" y=\"%.0f\">%zu  ",
		        c->report->results[i].pareto ? "item bold" : "item", x, y, i + 1);
		write_escaped(c->out, label);
		fputs("</text>\n", c->out);
		y += LINE;
	}
}

static void draw_points(struct chart *c, bool best)
{
	for (size_t i = 0; i < c->report->count; i++) {
		char label[128];
		if (!is_shown(c, i) || c->report->results[i].pareto != best)
			continue;
		const struct el_lab_result *r = &c->report->results[i];
		const struct el_latency *l = latency_of(c, i);
		const struct el_interval in = el_lab_time_in(l, c->by); /* the time's interval */
		if (in.high > 0 && in.low > 0)
			fprintf(c->out, "<path class=\"bar\" d=\"M%.1f %.1fV%.1f\"/>\n", x_of(c, i),
			        place_on(&c->time, in.low), place_on(&c->time, in.high));
		fprintf(c->out, "<circle class=\"%s%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"><title>",
		        best ? "best" : "other", r->candidate.foreign ? " foreign" : "", x_of(c, i),
		        y_of(c, i), best ? "5" : "4");
		el_lab_candidate_format(&c->report->slice, &r->candidate, label, sizeof label);
		write_escaped(c->out, label);
		fprintf(c->out, ": %.4f bits per position, p50 %.0f ns, p99 %.0f ns",
		        r->bits_per_position, l->p50, l->p99);
		if (in.high > 0)
			fprintf(c->out, ", %s in %.0f to %.0f ns", lab_time_text(c->by), in.low,
			        in.high);
		fputs("</title></circle>\n", c->out);
		draw_number(c, i);
	}
}

/* ---- the front ---- */

/* The next result of the front after place `after`; the count if there is none. */
static size_t next_best(const struct chart *c, double after)
{
	size_t next = c->report->count;
	for (size_t i = 0; i < c->report->count; i++)
		if (is_shown(c, i) && c->report->results[i].pareto && x_of(c, i) > after &&
		    (next == c->report->count || x_of(c, i) < x_of(c, next)))
			next = i;
	return next;
}

void lab_write_svg(FILE *out, struct lab_report *report, enum el_regime regime, enum el_lab_time by)
{
	struct chart chart = {.out = out, .report = report, .regime = regime, .by = by};
	el_lab_pareto(report->results, report->count, regime, by);
	const int needed = TOP + 4 * LINE + LINE * (int)report->count;
	const int height = needed > HEIGHT ? needed : HEIGHT;
	chart.references = report->count ? lab_references(&report->ground) : NULL;
	find_axes(&chart);
	fprintf(out,
	        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 "
	        "0 %d %d\">\n"
	        "<style>text{font:12px "
	        "sans-serif;fill:#333}.title{font-size:16px}.label{font-size:11px;paint-order:"
	        "stroke;stroke:#fff;stroke-width:3px}.grid{stroke:#e4e4e4;fill:none}.frame{stroke:#"
	        "888;fill:none}.front{stroke:#c33;stroke-width:1.5;fill:none}.best{fill:#c33}."
	        "other{fill:#78a}.bar{stroke:#999;fill:none}.item{font-size:11px;white-space:pre}."
	        "bold{font-weight:bold}.reference{stroke:#486;stroke-dasharray:2 "
	        "4;fill:none}.foreign{stroke:#222;stroke-width:2}</style>\n"
	        "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
	        WIDTH + LIST, height, WIDTH + LIST, height, WIDTH + LIST, height);
	draw_frame(&chart);
	/* Their names are at the top, one below another, since lines may be close together. */
	for (unsigned k = 0; chart.references && k < el_lab_reference_count(chart.references);
	     k++) {
		const double bits = reference_bits(&chart, k),
			     x = bits > 0 ? place_on(&chart.size, bits) : 0;
		if (bits <= 0)
			continue;
		const double y = TOP + 14 * (k + 1);
		fprintf(chart.out,
		        "<path class=\"reference\" d=\"M%.1f %dV%d\"><title>%s: %.4f bits per "
		        "position%s</title></path>"
		        "<text class=\"label\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
		        x, TOP, HEIGHT - BOTTOM, el_lab_context_names[k], bits,
		        chart.references == &chart.report->ground.derived ? ", without captures"
		                                                          : "",
		        x + 3, y, el_lab_context_names[k]);
		take(&chart, &(struct box){x, y - LABEL_HEIGHT + 2, 66, LABEL_HEIGHT});
	}
	/* A staircase: everything above and to the right is dominated. */
	size_t at = next_best(&chart, -1);
	if (at != chart.report->count) {
		fprintf(chart.out, "<path class=\"front\" d=\"M%.1f %d", x_of(&chart, at), TOP);
		for (; at < chart.report->count; at = next_best(&chart, x_of(&chart, at))) {
			fprintf(chart.out, "V%.1f", y_of(&chart, at));
			const size_t next = next_best(&chart, x_of(&chart, at));
			if (next < chart.report->count)
				fprintf(chart.out, "H%.1f", x_of(&chart, next));
		}
		fprintf(chart.out, "H%d\"/>\n", WIDTH - RIGHT);
	}
	for (size_t i = 0; i < report->count; i++)
		if (is_shown(&chart, i))
			take(&chart,
			     &(struct box){x_of(&chart, i) - 5, y_of(&chart, i) - 5, 10, 10});
	draw_points(&chart, true);
	draw_points(&chart, false);
	draw_list(&chart);
	fputs("</svg>\n", out);
}
