/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lab's selected candidate in detail: the distribution of its probe times, and its other
   figures. */
#include "lab.h"

#include "tui/text/lab/report.h"
#include "tui/text/text.h"

#include <stdio.h>

/* ---- the distribution of times ---- */

enum { LABEL_END = 7, BAR_AT = 8, COUNT_COLS = 6 };
static const double FIRST_NS = 10;

static uint64_t sum(const uint64_t *histogram, int from, int step)
{
	uint64_t count = 0;
	for (int b = from; b < from + step && b < EL_LAB_HISTOGRAM; b++)
		count += histogram[b];
	return count;
}

/* How buckets are grouped in rows. */
struct rows {
	int first, step, count;
};

static uint64_t bucket_sum(const uint64_t *histogram, const struct rows *r, int y)
{
	int from = y ? r->first + y * r->step : 0;
	return sum(histogram, from,
	           y + 1 < r->count ? r->first + (y + 1) * r->step - from : EL_LAB_HISTOGRAM);
}

/* A histogram of probe times, with as many buckets per row as necessary. */
static void draw_latencies(const uint64_t histogram[EL_LAB_HISTOGRAM], struct pane p)
{
	/* The first and last rows include everything beyond them: one probe in a thousand gets no
	   row of its own, or the slowest would leave no room for the others. */
	int first = 0, last = EL_LAB_HISTOGRAM - 1;
	uint64_t few = sum(histogram, 0, EL_LAB_HISTOGRAM) / 1000;
	while (first < last && sum(histogram, 0, first + 1) <= few)
		first++;
	while (last > first && sum(histogram, last, EL_LAB_HISTOGRAM - last) <= few)
		last--;
	int step = p.rows > 0 ? (last - first + p.rows) / p.rows : 1;
	struct rows r = (struct rows){first, step, (last - first) / step + 1};
	uint64_t most = 1, all = sum(histogram, 0, EL_LAB_HISTOGRAM);
	for (int y = 0; y < r.count; y++)
		most = bucket_sum(histogram, &r, y) > most ? bucket_sum(histogram, &r, y) : most;
	for (int y = 0; y < r.count && all; y++) {
		struct pane bucket = pane_row(p, y);
		const uint64_t count = bucket_sum(histogram, &r, y);
		char text[16];
		int room = bucket.cols - BAR_AT - COUNT_COLS;
		double cells = (double)count / (double)most * (room > 0 ? room : 0);
		pane_right(bucket, 0, LABEL_END, ROLE_DIM,
		           latency_text(FIRST_NS * (double)(1ull << (r.first + y * r.step)), text));
		if (count) {
			pane_bar(bucket, 0, BAR_AT, ROLE_BUSY, cells < 1 ? 1 : (int)cells);
			double percent = 100 * (double)count / (double)all;
			pane_print_right(bucket, 0, bucket.cols, ROLE_TEXT,
			                 percent < 0.1 ? "<0.1%%" : "%.1f%%", percent);
		}
	}
}

/* ---- the rest ---- */

enum { MORE_ROWS = 4 };

/* The other figures; hot probes by threads only if there is a row more. Where the row is too short,
   the last part of one is left out. */
static void draw_more(const struct el_lab_result *r, const struct el_metric *metric, struct pane p)
{
	char text[16], decoder[48];
	const bool ours = !r->candidate.foreign;
	const char *tier = ours ? tier_text(el_table_tier(&r->candidate.options, metric)) : NULL;
	int x = 0, y = 0;
	if (ours)
		pane_print(p, y++, 0, ROLE_TEXT, "MB/s: encodes %.*f, decodes %.*f",
		           r->encode_mb_s < 9.95, r->encode_mb_s, r->decode_mb_s < 9.95,
		           r->decode_mb_s);
	else
		pane_print(p, y++, 0, ROLE_TEXT, "%s, as it is", r->file);
	pane_print(p, y++, 0, ROLE_TEXT, "reads %.2f blocks (kept %.2f)", r->blocks_alone,
	           r->blocks_per_probe);
	if (tier)
		x = pane_text(p, y, 0, ROLE_TEXT, tier);
	else if (r->bytes_beside)
		x = pane_print(p, y, 0, ROLE_TEXT, "with %s of other files",
		               bytes_text(r->bytes_beside, text));
	if (r->pass.ns > 0)
		x = pane_print(p, y, x, ROLE_TEXT, "%slist %s", x ? ", " : "",
		               latency_text(r->pass.ns, text));
	snprintf(decoder, sizeof decoder, "%sdecoder %s", x ? ", " : "",
	         bytes_text(r->coder_bytes, text));
	if (ours && x + utf8_length(decoder) <= p.cols)
		x = pane_text(p, y, x, ROLE_TEXT, decoder);
	y += x > 0;
	if (p.rows > MORE_ROWS) {
		x = pane_print(p, y, 0, ROLE_TEXT, "threads:M/s");
		for (unsigned i = 0; i < EL_LAB_RATES && r->rates[i].threads; i++)
			x = pane_print(p, y, x, ROLE_TEXT, " %u:%.1f", r->rates[i].threads,
			               r->rates[i].per_second / 1e6);
		y++;
	}
	x = pane_text(p, y, 0, ROLE_TEXT, "cache hits");
	for (int i = 0; i < EL_LAB_BUDGETS; i++) {
		const struct el_hit_rate *h = &r->hits[i];
		char part[32];
		snprintf(part, sizeof part, " %s:%.0f%%", bytes_text(h->budget, text),
		         100 * h->rate);
		if (x + utf8_length(part) > p.cols) {
			y++;
			x = 0;
		}
		x = pane_text(p, y, x, ROLE_TEXT, part + (x == 0));
	}
}

void lab_draw_detail(const struct model *m, struct pane p)
{
	const struct lab *lab = lab_of(m);
	const struct lab_row *row = lab_selected(lab);
	const struct el_lab_result *r = row ? lab_figures(lab, row) : NULL;
	char text[160], least[AMOUNT_MAX], p90[AMOUNT_MAX], most[AMOUNT_MAX];
	if (!row || p.rows < 3)
		return;
	el_lab_candidate_format(&lab->slice, lab_candidate(lab, row), text, sizeof text);
	pane_text(p, 0, 0, ROLE_STRONG, text);
	if (!r)
		return;
	const struct el_latency *l = &r->latency[lab->regime];
	if (!l->n) { /* sizes are measured first */
		pane_print(p, 1, 0, ROLE_DIM, "%s: no probe timed yet",
		           el_regime_names[lab->regime]);
		return;
	}
	int y = pane_print(p, 1, 0, ROLE_DIM, "%s: %s probes", el_regime_names[lab->regime],
	                   grouped(l->n, text));
	if (l->batch > 1)
		pane_print(p, 1, y, ROLE_DIM, ", %u at once", l->batch);
	const int sure = p.rows >= 6; /* there is a row for the certainty */
	int more = p.rows >= 10 ? MORE_ROWS + (p.rows >= 16 && r->rates[0].threads) : 0,
	    rows = p.rows - 3 - sure - more;
	draw_latencies(r->histogram[lab->regime], pane_sub(p, 2, 0, rows, p.cols));
	pane_print(pane_row(p, 2 + rows), 0, 0, ROLE_TEXT, "min %s p90 %s max %s",
	           latency_text(l->min, least), latency_text(l->p90, p90),
	           latency_text(l->max, most));
	if (sure) {
		/* How certain the chart's time is: "p99 251 us, 95 % in 230-280 us; CPU 220 us; 3
		   preempted". */
		struct pane certainty = pane_row(p, 3 + rows);
		const struct el_interval in = el_lab_time_in(l, lab->time);
		char low[16], high[16], cpu[16];
		int x = pane_print(certainty, 0, 0, ROLE_TEXT, "%s ", lab_time_text(lab->time));
		if (in.high > 0)
			x = pane_print(certainty, 0, x, ROLE_TEXT, "%s-%s",
			               latency_text(in.low, low), latency_text(in.high, high));
		else
			x = pane_text(certainty, 0, x, ROLE_DIM, "no interval");
		if (l->cpu_p99 > 0 && lab->time != EL_LAB_CPU)
			x = pane_print(certainty, 0, x + 1, ROLE_DIM, "CPU %s",
			               latency_text(l->cpu_p99, cpu));
		if (l->preempted && x + 12 < certainty.cols)
			pane_print(certainty, 0, x + 1, ROLE_DIM, "%llu left out",
			           (unsigned long long)l->preempted);
	}
	if (more)
		draw_more(r, lab->metric, pane_sub(p, 3 + sure + rows, 0, more, p.cols));
}
