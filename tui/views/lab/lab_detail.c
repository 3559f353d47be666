/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lab's selected candidate in detail: how its probes' times are spread, and what times do not
   tell. */
#include "lab.h"

#include "tui/screen/widgets/latency.h"
#include "tui/text/lab/report.h"
#include "tui/text/text.h"

#include <stdio.h>

/* Two columns of what latencies do not tell, where there is room for them. */
static void draw_more(const struct el_lab_result *r, struct pane p)
{
	char text[16];
	const bool ours = !r->candidate.foreign;
	int y = 0;
	if (ours)
		pane_print(p, y++, 0, ROLE_TEXT, "MB/s: encodes %.*f, decodes %.*f",
		           r->encode_mb_s < 9.95, r->encode_mb_s, r->decode_mb_s < 9.95,
		           r->decode_mb_s);
	else
		pane_print(p, y++, 0, ROLE_TEXT, "%s, as it is", r->file);
	pane_print(p, y++, 0, ROLE_TEXT, "reads %.2f blocks (kept %.2f)", r->blocks_alone,
	           r->blocks_per_probe);
	if (ours)
		pane_print(p, y++, 0, ROLE_TEXT, "coder memory %s",
		           bytes_text(r->coder_bytes, text));
	else if (r->bytes_beside)
		pane_print(p, y++, 0, ROLE_TEXT, "with %s of other files",
		           bytes_text(r->bytes_beside, text));
	int x = pane_text(p, y, 0, ROLE_TEXT, "cache hits");
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

static void draw_percentiles(const struct el_latency *l, struct pane p)
{
	char least[16], p90[16], most[16];
	pane_print(p, 0, 0, ROLE_TEXT, "min %s p90 %s max %s", latency_text(l->min, least),
	           latency_text(l->p90, p90), latency_text(l->max, most));
}

/* How sure the chart's time is: "p99 251 us, 95 % in 230-280 us; CPU 220 us; 3 preempted". */
static void draw_certainty(const struct lab *lab, const struct el_latency *l, struct pane p)
{
	const struct el_interval in = el_lab_time_in(l, lab->time);
	char low[16], high[16], cpu[16];
	int x = pane_print(p, 0, 0, ROLE_TEXT, "%s ", lab_time_text(lab->time));
	if (in.high > 0)
		x = pane_print(p, 0, x, ROLE_TEXT, "%s-%s", latency_text(in.low, low),
		               latency_text(in.high, high));
	else
		x = pane_text(p, 0, x, ROLE_DIM, "no interval");
	if (l->cpu_p99 > 0 && lab->time != EL_LAB_CPU)
		x = pane_print(p, 0, x + 1, ROLE_DIM, "CPU %s", latency_text(l->cpu_p99, cpu));
	if (l->preempted && x + 12 < p.cols)
		pane_print(p, 0, x + 1, ROLE_DIM, "%llu left out",
		           (unsigned long long)l->preempted);
}

void lab_draw_detail(const struct model *m, struct pane p)
{
	enum { MORE_ROWS = 4 };
	const struct lab *lab = lab_of(m);
	const struct lab_row *row = lab_selected(lab);
	const struct el_lab_result *r = row ? lab_figures(lab, row) : NULL;
	char text[160];
	if (!row || p.rows < 3)
		return;
	el_lab_candidate_format(&lab->slice, lab_candidate(lab, row), text, sizeof text);
	pane_cut(p, 0, 0, ROLE_STRONG, text);
	if (!r)
		return;
	const struct el_latency *l = &r->latency[lab->regime];
	if (!l->n) { /* sizes come first */
		pane_print(p, 1, 0, ROLE_DIM, "%s: no probe timed yet",
		           el_regime_names[lab->regime]);
		return;
	}
	int y = pane_print(p, 1, 0, ROLE_DIM, "%s: %s probes", el_regime_names[lab->regime],
	                   grouped(l->n, text));
	if (l->batch > 1)
		pane_print(p, 1, y, ROLE_DIM, ", %u at once", l->batch);
	const int sure = p.rows >= 6; /* a row for how sure it is */
	int more = p.rows >= 10 ? MORE_ROWS : 0, rows = p.rows - 3 - sure - more;
	latency_draw(r->histogram[lab->regime], pane_sub(p, 2, 0, rows, p.cols));
	draw_percentiles(l, pane_sub(p, 2 + rows, 0, 1, p.cols));
	if (sure)
		draw_certainty(lab, l, pane_sub(p, 3 + rows, 0, 1, p.cols));
	if (more)
		draw_more(r, pane_sub(p, 3 + sure + rows, 0, more, p.cols));
}
