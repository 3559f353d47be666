/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws Lab: what is measured, the table of candidates, the chart, the selected one in detail.
 *
 *     head                             one row
 *     table                            two or more
 *     note                             one row
 *     chart            | detail        the rest; on small screens instead of the table
 */
#include "lab.h"

#include "tui/screen/widgets/chart.h"
#include "tui/text/lab/candidates.h"
#include "tui/text/lab/report.h"
#include "tui/text/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	CHART_ROWS_MIN = 10,
	TABLE_ROWS_MIN = 7,
	ALL_COLS_MIN = 76,
	DETAIL_COLS = 33,
	LEGEND_COLS = 76
};

/* ---- layout ---- */

struct places {
	struct pane head, table, note, chart, detail;
};

static bool fits_all(int rows, int cols)
{
	return rows >= CHART_ROWS_MIN + TABLE_ROWS_MIN + 3 && cols >= ALL_COLS_MIN;
}

bool lab_shows_all(const struct model *m)
{
	return fits_all(shell_view_rows(m), shell_cols(m));
}

/* Candidates get the rows they need, as long as the chart keeps half. */
static struct places find_places(const struct model *m, struct pane p)
{
	int rows = p.rows - 2, half = rows / 2, upper = lab_of(m)->list.count + 1;
	half = half > rows - CHART_ROWS_MIN ? rows - CHART_ROWS_MIN : half;
	upper = upper < half ? upper : half;
	int detail = p.cols / 3 < DETAIL_COLS ? DETAIL_COLS : p.cols / 3 > 56 ? 56 : p.cols / 3;
	struct pane lower = pane_sub(p, 2 + upper, 0, rows - upper, p.cols);
	return (struct places){
		.head = pane_row(p, 0),
		.table = pane_sub(p, 1, 0, upper, p.cols),
		.note = pane_sub(p, 1 + upper, 1, 1, p.cols - 2),
		.chart = pane_sub(lower, 0, 0, lower.rows, p.cols - detail - 1),
		.detail = pane_sub(lower, 0, p.cols - detail, lower.rows, detail),
	};
}

/* One page at a time. */
static struct places find_small_places(const struct model *m, struct pane p)
{
	struct pane body = pane_sub(p, 1, 0, p.rows - 2, p.cols), nothing = pane_sub(p, 0, 0, 0, 0);
	enum lab_page page = lab_of(m)->page;
	return (struct places){
		.head = pane_row(p, 0),
		.table = page == LAB_TABLE ? body : nothing,
		.chart = page == LAB_CHART ? body : nothing,
		.detail =
			page == LAB_DETAIL ? pane_sub(body, 0, 1, body.rows, p.cols - 2) : nothing,
		.note = pane_sub(p, p.rows - 1, 1, 1, p.cols - 2),
	};
}

/* ---- head: what is measured, and the progress ---- */

/* One of several values: its key or a click selects the next. */
static int draw_choice(struct pane p, int x, const char *name, const char *value, int key)
{
	int end = pane_text(p, 0, pane_text(p, 0, x, ROLE_DIM, name) + 1, ROLE_STRONG, value);
	pane_zone(pane_sub(p, 0, x, 1, end - x), ZONE_KEY, key);
	return end;
}

static void draw_head(const struct model *m, struct pane p)
{
	const struct lab *lab = lab_of(m);
	char text[64] = "";
	int x = draw_choice(p, 1, "workload", el_workload_names[lab->workload], 'w');
	const bool traced = lab->workload == EL_WORKLOAD_TRACE;
	const size_t probes = traced ? lab->ground[EL_WORKLOAD_TRACE].probes : lab->probes;
	if (!traced || lab->has_ground[EL_WORKLOAD_TRACE])
		x = pane_print(p, 0, x + 1, ROLE_TEXT, "%s probes", grouped(probes, text));
	if (p.cols >= ALL_COLS_MIN)
		x = pane_print(p, 0, x + 2, ROLE_DIM, "seed %llu", (unsigned long long)lab->seed);
	text[0] = '\0';
	if (lab->running) {
		const size_t size = sizeof text;
		const struct job_progress *w = lab_progress(m);
		double left = w ? w->total - w->done : 0;
		char clock[TIME_MAX];
		size_t of, done = lab_run_counts(m, &of), slices,
			   through = lab_run_slices(m, &slices);
		if (slices)
			snprintf(text, size, "slice %zu of %zu",
			         through < slices ? through + 1 : slices, slices);
		else if (lab_row_at_work(m) < 0 || left < 0.5)
			snprintf(text, size, "%zu of %zu", done, of);
		else
			snprintf(text, size, "%zu of %zu  %s left", done, of,
			         clock_text(left, clock));
	}
	const int room = p.cols - 1 - utf8_length(text);
	const char *regime = el_regime_names[lab->regime];
	if (x + 2 + (int)strlen("regime ") + (int)strlen(regime) < room)
		draw_choice(p, x + 2, "regime", regime, 'r');
	pane_text(p, 0, room, ROLE_BUSY, text);
}

/* ---- the table ---- */

/* First with all columns, then on screens too narrow for that; null: not shown. */
static const struct column {
	const char *name[2];
	int at[2], end[2]; /* right-aligned if `end` is set */
} columns[LAB_COLUMNS] = {
	[LAB_CODEC] = {{"codec", "codec"}, {2, 2}, {0, 0}},
	[LAB_BLOCK] = {{"block", "block"}, {12, 12}, {17, 17}},
	[LAB_FILL] = {{"fill", "fill"}, {19, 18}, {0, 0}},
	[LAB_ORDER] = {{"order", NULL}, {28, 0}, {0, 0}},
	[LAB_DERIVE] = {{"cap", NULL}, {38, 0}, {0, 0}},
	[LAB_BITS] = {{"bits/pos", "bits"}, {43, 28}, {50, 35}},
	[LAB_BYTES] = {{"bytes", NULL}, {51, 0}, {60, 0}},
	[LAB_P50] = {{"p50 ns", "p50 ns"}, {61, 36}, {70, 46}},
	[LAB_P99] = {{"p99 ns", "p99 ns"}, {71, 47}, {80, 57}},
};

static void draw_cell(struct pane p, enum lab_column column, enum role role, const char *text)
{
	const struct column *c = &columns[column];
	bool slim = p.cols < ALL_COLS_MIN;
	if (!c->name[slim])
		return;
	if (c->end[slim])
		pane_right(p, 0, c->end[slim], role, text);
	else
		pane_text(p, 0, c->at[slim], role, text);
}

/* Nanoseconds; under a hundred, tenths tell candidates apart, over ten million nothing does. */
static const char *ns_text(double ns, char out[GROUPED_MAX])
{
	if (ns < 99.95)
		snprintf(out, GROUPED_MAX, "%.1f", ns);
	else if (ns > 9999999)
		snprintf(out, GROUPED_MAX, "%.1f ms", ns / 1e6);
	else
		grouped((uint64_t)(ns + 0.5), out);
	return out;
}

static const char *const derive_marks[] = {
	[EL_DERIVE_NOTHING] = "-", [EL_DERIVE_CAPTURES] = "yes", [EL_DERIVE_SIDE] = "side",
	[EL_DERIVE_BOTH] = "both", [EL_DERIVE_OUTCOMES] = "out", [EL_DERIVE_OUTCOMES_SIDE] = "o+s",
};

static void draw_options(const struct lab *lab, struct pane p, const struct lab_row *row)
{
	const struct el_lab_candidate *candidate = lab_candidate(lab, row);
	const struct el_table_options *o = &candidate->options;
	char codec[EL_CODEC_TEXT], order[EL_ORDER_TEXT], block[16];
	lab_codec_text(candidate, codec);
	draw_cell(p, LAB_CODEC, ROLE_STRONG, codec);
	/* It has nothing to choose. What captures determine is known once the file is open. */
	if (candidate->foreign) {
		draw_cell(p, LAB_BLOCK, ROLE_DIM, "-");
		draw_cell(p, LAB_FILL, ROLE_DIM, "-");
		draw_cell(p, LAB_ORDER, ROLE_DIM, "foreign");
		draw_cell(p, LAB_DERIVE, ROLE_TEXT, derive_marks[o->derive & EL_DERIVE_CAPTURES]);
		return;
	}
	el_order_format(&lab->slice, o, order);
	/* A codec with many options may overflow its column: the next one overwrites it. */
	for (int x = columns[LAB_BLOCK].at[0]; x < p.cols; x++)
		pane_put(p, 0, x, ROLE_TEXT, ' ');
	draw_cell(p, LAB_BLOCK, ROLE_TEXT, block_text(o->block_positions, block));
	draw_cell(p, LAB_FILL, ROLE_TEXT, el_fill_names[o->fill]);
	draw_cell(p, LAB_ORDER, ROLE_TEXT, order);
	draw_cell(p, LAB_DERIVE, ROLE_TEXT, derive_marks[o->derive]);
}

static void draw_row(const struct model *m, struct pane p, int i)
{
	const struct lab *lab = lab_of(m);
	const struct lab_row *row = &lab->rows[i];
	const struct el_lab_result *figures = lab_figures(lab, row);
	const struct column *first = &columns[LAB_BITS];
	int from = first->at[p.cols < ALL_COLS_MIN];
	struct pane right = pane_sub(p, 0, from, 1, p.cols - from);

	draw_options(lab, p, row);
	if (figures && figures->pareto)
		pane_put(p, 0, 1, ROLE_WIN, '*');
	if (i == lab_row_at_work(m)) {
		const struct job_progress *w = lab_progress(m);
		int x = pane_print(right, 0, 0, ROLE_BUSY, "%-16.16s",
		                   w->stage ? w->stage : "starting") +
		        1;
		pane_progress(pane_sub(right, 0, x, 1, right.cols), w->done, w->total);
	} else if (row->state[lab->workload] == LAB_WAITING)
		pane_text(right, 0, 0, ROLE_DIM, "waiting");
	else if (figures) {
		const struct el_latency *l = &figures->latency[lab->regime];
		char text[GROUPED_MAX];
		snprintf(text, sizeof text, "%.3f", figures->bits_per_position);
		draw_cell(p, LAB_BITS, figures->pareto ? ROLE_WIN : ROLE_TEXT, text);
		draw_cell(p, LAB_BYTES, ROLE_TEXT, grouped(figures->bytes, text));
		draw_cell(p, LAB_P50, ROLE_TEXT, l->n ? ns_text(l->p50, text) : "-");
		draw_cell(p, LAB_P99, figures->pareto ? ROLE_WIN : ROLE_TEXT,
		          l->n ? ns_text(l->p99, text) : "-");
	} else if (row->state[lab->workload] == LAB_MEASURED)
		pane_text(right, 0, 0, ROLE_ERROR, row->result[lab->workload].error.text);
}

/* ---- the note: why there is nothing, a full error, or the floor under all candidates ---- */

static void draw_ground(const struct lab *lab, struct pane p)
{
	const struct el_lab_ground *g = &lab->ground[lab->workload];
	if (lab->regime == EL_COLD && g->cold_note) {
		pane_print(p, 0, 0, ROLE_DIM, "cold: %s", g->cold_note);
		return;
	}
	const size_t slices = lab->summed[lab->workload].count;
	char copy[GROUPED_MAX], place[GROUPED_MAX], timer[GROUPED_MAX];
	if (slices) {
		pane_print(p, 0, 0, ROLE_DIM,
		           "%zu %s: bytes are summed, times are means over the %s", slices,
		           plural(slices, "slice", "slices"), plural(slices, "slice", "slices"));
		return;
	}
	int x = pane_print(p, 0, 0, ROLE_DIM,
	                   "floor: memcpy of 16K %s ns, index %s ns; timer %s ns subtracted",
	                   ns_text(g->memcpy_ns, copy), ns_text(g->place_ns, place),
	                   ns_text(g->timer_ns, timer));
	if (g->derivable && g->legal && x + 18 < p.cols)
		pane_print(p, 0, x, ROLE_DIM, "; derivable %.0f %%",
		           100 * (double)g->derivable / (double)g->legal);
}

/* ---- the chart ---- */

static void x_text(double bits, char out[16])
{
	snprintf(out, 16, "%g", bits);
}

/* Ticks are round numbers. */
static void y_text(double ns, char out[16])
{
	char *tenths = strstr(latency_text(ns, out), ".0 ");
	if (tenths)
		memmove(tenths, tenths + 2, strlen(tenths + 2) + 1);
}

static size_t make_points(const struct lab *lab, struct chart_point *points)
{
	size_t count = 0;
	for (int i = 0; i < lab->list.count; i++) {
		const struct el_lab_result *r = lab_figures(lab, &lab->rows[i]);
		if (!r || el_lab_time_of(&r->latency[lab->regime], lab->time) <= 0)
			continue;
		struct chart_point *p = &points[count++];
		const struct el_table_options *o = &r->candidate.options;
		char codec[EL_CODEC_TEXT], block[16];
		const struct el_latency *l = &r->latency[lab->regime];
		*p = (struct chart_point){
			.x = r->bits_per_position,
			.y = el_lab_time_of(l, lab->time),
			.item = i,
			.front = r->pareto,
			.selected = i == lab->list.at,
		};
		lab_codec_text(&r->candidate, codec);
		if (r->candidate.foreign)
			snprintf(p->label, sizeof p->label, "%.24s", codec);
		else
			snprintf(p->label, sizeof p->label, "%.16s %.6s%s", codec,
			         block_text(o->block_positions, block),
			         o->fill == EL_FILL_NONE ? " none" : "");
	}
	return count;
}

static void draw_chart(const struct model *m, struct pane p)
{
	const struct lab *lab = lab_of(m);
	struct chart_point *points = calloc((size_t)lab->list.count + 1, sizeof *points);
	char title[32];
	if (!points || p.rows < 1) {
		free(points);
		return;
	}
	snprintf(title, sizeof title, "%s %s", el_regime_names[lab->regime],
	         lab_time_text(lab->time));
	struct chart chart = {
		.points = points,
		.count = make_points(lab, points),
		.x_titles = {"bits per position (H: entropy)", "bits per position", "bits/pos"},
		.y_title = title,
		.x_text = x_text,
		.y_text = y_text,
		.floor = lab->has_ground[lab->workload] ? lab->ground[lab->workload].memcpy_ns : 0,
		.floor_text = "memcpy",
	};
	static const char *const names[EL_LAB_CONTEXTS] = {"H0", "H1", "H2", "Hn", "Rp", "Mx"};
	const struct el_lab_ground *ground = &lab->ground[lab->workload];
	const struct el_lab_references *references =
		chart.count && lab->has_ground[lab->workload] ? lab_references(ground) : NULL;
	for (unsigned i = 0; references && i < el_lab_reference_count(references); i++)
		chart.marks[i] = (struct chart_mark){
			el_lab_reference_bits(references, i, ground->positions), names[i]};
	chart_draw(&chart, p);
	if (chart.count) {
		const int end = utf8_length(title) + 2;
		int x = pane_text(p, 0, end > 11 ? end : 11, ROLE_WIN, "*");
		x = pane_text(p, 0, x, ROLE_DIM,
		              p.cols < LEGEND_COLS ? " unbeaten  o beaten  "
		                                   : " unbeaten: no other is smaller and faster  "
		                                     "o beaten  ");
		if (x + utf8_length("> selected") <= p.cols)
			pane_text(p, 0, pane_text(p, 0, x, ROLE_STRONG, ">"), ROLE_DIM,
			          " selected");
	} else {
		pane_wrap(
			pane_sub(p, 2, 2, p.rows - 2, p.cols - 4), 0, ROLE_DIM,
			"The chart grows with the results. Smaller tables are further left, faster "
			"ones lower; * marks those that no other beats on both.");
	}
	free(points);
}

/* ---- the whole ---- */

void lab_draw(const struct model *m, struct pane p)
{
	struct places at = fits_all(p.rows, p.cols) ? find_places(m, p) : find_small_places(m, p);
	draw_head(m, at.head);
	if (at.table.rows) {
		struct pane table = at.table;
		const struct lab *lab = lab_of(m);
		struct pane rows = pane_from(table, 1);

		/* The heading of the column last sorted by is in capitals. */
		struct pane headings = pane_row(table, 0);
		bool slim = headings.cols < ALL_COLS_MIN;
		for (int i = 0; i < LAB_COLUMNS; i++) {
			const struct column *c = &columns[i];
			const char *name = c->name[slim];
			if (!name)
				continue;
			int width = (int)strlen(name), x = c->at[slim];
			if (c->end[slim])
				x = c->end[slim] - width;
			bool sorted = lab->sort == (enum lab_column)i;
			for (int k = 0; k < width; k++)
				pane_put(headings, 0, x + k, sorted ? ROLE_STRONG : ROLE_DIM,
				         (uint32_t)(sorted ? toupper(name[k]) : name[k]));
			pane_zone(pane_sub(headings, 0, x, 1, width), ZONE_COLUMN, i);
		}
		shell_draw_list(m, &lab->list, rows, draw_row);
		if (!lab->list.count)
			pane_text(rows, 0, 2, ROLE_DIM, "No candidates. Press a to add one.");
	}
	struct pane note = at.note;
	const struct lab *lab = lab_of(m);
	const struct lab_row *row = lab_selected(lab);
	const char *unbuilt = lab_unbuilt(m);
	bool failed = row && row->state[lab->workload] == LAB_MEASURED &&
	              row->result[lab->workload].status;
	if (unbuilt)
		pane_text(note, 0, 0, ROLE_ERROR, unbuilt);
	else if (failed)
		pane_text(note, 0, 0, ROLE_ERROR, row->result[lab->workload].error.text);
	else if (lab->has_ground[lab->workload])
		draw_ground(lab, note);
	else if (!lab->running && lab->group.count && m->tables.ask.known && lab_missing(m))
		pane_print(note, 0, 0, ROLE_DIM,
		           "%zu of %zu slices have no table. Press b to build, space to measure "
		           "the others.",
		           lab_missing(m), lab->group.count);
	else if (!lab->running)
		pane_text(note, 0, 0, ROLE_DIM, "Press space to measure size against probe time.");
	draw_chart(m, at.chart);
	lab_draw_detail(m, at.detail);
}
