/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "latency.h"

#include <stdio.h>

enum { LABEL_END = 7, BAR_AT = 8, COUNT_COLS = 6 };
static const double FIRST_NS = 10;

static uint64_t sum(const uint64_t *histogram, int from, int step)
{
	uint64_t count = 0;
	for (int b = from; b < from + step && b < EL_LAB_HISTOGRAM; b++)
		count += histogram[b];
	return count;
}

/* Buckets in rows. */
struct rows {
	int first, step, count;
};

/* The first and the last row take what lies beyond them: one probe in a thousand makes no row of
   its own, or the slowest ones would leave no room for the others. */
static struct rows divide(const uint64_t *histogram, int rows)
{
	int first = 0, last = EL_LAB_HISTOGRAM - 1;
	uint64_t few = sum(histogram, 0, EL_LAB_HISTOGRAM) / 1000;
	while (first < last && sum(histogram, 0, first + 1) <= few)
		first++;
	while (last > first && sum(histogram, last, EL_LAB_HISTOGRAM - last) <= few)
		last--;
	int step = rows > 0 ? (last - first + rows) / rows : 1;
	return (struct rows){first, step, (last - first) / step + 1};
}

static uint64_t row_sum(const uint64_t *histogram, const struct rows *r, int y)
{
	int from = y ? r->first + y * r->step : 0;
	return sum(histogram, from,
	           y + 1 < r->count ? r->first + (y + 1) * r->step - from : EL_LAB_HISTOGRAM);
}

static void draw_row(struct pane p, double from_ns, uint64_t count, uint64_t most, uint64_t all)
{
	char text[16];
	int room = p.cols - BAR_AT - COUNT_COLS;
	double cells = (double)count / (double)most * (room > 0 ? room : 0);
	pane_right(p, 0, LABEL_END, ROLE_DIM, latency_text(from_ns, text));
	if (!count)
		return;
	pane_bar(p, 0, BAR_AT, ROLE_BUSY, cells < 1 ? 1 : (int)cells);
	double percent = 100 * (double)count / (double)all;
	snprintf(text, sizeof text, percent < 0.1 ? "<0.1%%" : "%.1f%%", percent);
	pane_right(p, 0, p.cols, ROLE_TEXT, text);
}

void latency_draw(const uint64_t histogram[EL_LAB_HISTOGRAM], struct pane p)
{
	struct rows r = divide(histogram, p.rows);
	uint64_t most = 1, all = sum(histogram, 0, EL_LAB_HISTOGRAM);
	for (int y = 0; y < r.count; y++)
		most = row_sum(histogram, &r, y) > most ? row_sum(histogram, &r, y) : most;
	for (int y = 0; y < r.count && all; y++)
		draw_row(pane_sub(p, y, 0, 1, p.cols),
		         FIRST_NS * (double)(1ull << (r.first + y * r.step)),
		         row_sum(histogram, &r, y), most, all);
}
