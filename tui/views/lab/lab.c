/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lab: what a table costs in bytes and time, by codec, block size, fill and order. */
#include "lab.h"

#include "inspector.h"
#include "tui/text/lab/report.h"
#include "tui/text/text.h"
#include "tui/text/values.h"
#include "tui/views/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum el_status open_lab(struct model *m, struct el_error *error)
{
	struct lab *lab = lab_of(m);
	*lab = (struct lab){
		.metric = el_game_metric(el_games[0]),
		.regime = EL_WARM,
		.seed = 1,
		.probes = LAB_PROBES,
		.sort = LAB_UNSORTED,
		.measure = el_lab_run,
	};
	return lab_rows_open(lab, error);
}

static void close_lab(struct model *m)
{
	struct lab *lab = lab_of(m);
	for (int w = 0; w < EL_WORKLOADS; w++)
		slices_free(&lab->summed[w]);
	slices_free(&lab->group);
	free(lab->rows);
}

/* ---- the slice and its table ---- */

static const char *built_already(const struct model *m)
{
	return m->tables.ask.known && !lab_missing(m)
	               ? "The table is there. Press space to measure."
	       : build_is_asked(&m->builds, &lab_of(m)->slice) ? "It is already being built."
	                                                       : NULL;
}

static void build(struct model *m)
{
	const struct el_slice *slices;
	const size_t count = lab_slices(lab_of(m), &slices);
	build_start(m, slices, count, lab_of(m)->metric);
}

/* ---- what a run is ---- */

static const char *no_run(const struct model *m)
{
	return lab_of(m)->running ? NULL : "Nothing is being measured.";
}

static const char *cannot_run(const struct model *m)
{
	return lab_busy(m)              ? lab_busy(m)
	       : !lab_of(m)->list.count ? "No candidates. Press a to add one."
	                                : lab_unbuilt(m);
}

static void next_metric(struct model *m)
{
	/* The one before in lists, or the last: among the game's metrics and those of the slice's
	   tables, which may be under any rule. */
	const struct el_metric *metric = lab_of(m)->metric;
	const struct el_slice *slice = &lab_of(m)->slice;
	const struct el_metric *found = NULL, *last = metric;
	const struct el_metric *const *own = slice->game->metrics;
	for (size_t i = 0; *own || i < m->tables.count;) {
		const struct el_entry *e = *own ? NULL : &m->tables.entries[i++];
		const struct el_metric *other = e ? e->metric : *own++;
		if (e && (!e->ours || !el_slice_equal(&e->slice, slice)))
			continue;
		if (el_metric_compare(other, metric) < 0 &&
		    (!found || el_metric_compare(other, found) > 0))
			found = other;
		if (el_metric_compare(other, last) > 0)
			last = other;
	}
	lab_set_metric(m, found ? found : last);
}

static void next_workload(struct model *m)
{
	static const char *const means[EL_WORKLOADS] = {
		"uniform over the legal positions",
		"walks of optimal and near-optimal play, as an engine meets them",
		"legal positions one after the other",
		"a search's own positions, in its order",
	};
	struct lab *lab = lab_of(m);
	lab->workload = (lab->workload + 1) % (*lab->trace ? EL_WORKLOADS : EL_WORKLOAD_TRACE);
	lab_rows_mark(lab);
	model_note(m, "Workload %s: %s.", el_workload_names[lab->workload], means[lab->workload]);
}

static void next_regime(struct model *m)
{
	static const char *const means[EL_REGIMES] = {
		"the block is only on disk",
		"the block is in the system's page cache: read, checked and decoded",
		"the block is in the program's own cache",
		"warm, and blocks of smaller tables have to be read as well",
	};
	struct lab *lab = lab_of(m);
	bool has_whole = false; /* a candidate needs other tables */
	for (int i = 0; i < lab->list.count; i++) {
		const struct el_lab_result *r = lab_figures(lab, &lab->rows[i]);
		has_whole = has_whole || (r && r->latency[EL_WHOLE].n);
	}
	lab->regime = (lab->regime + 1) % (has_whole ? EL_REGIMES : EL_WHOLE);
	lab_rows_mark(lab);
	model_note(m, "Regime %s: %s.", el_regime_names[lab->regime], means[lab->regime]);
}

static void change_references(struct model *m)
{
	struct lab *lab = lab_of(m);
	lab->slow_references = !lab->slow_references;
	model_note(m,
	           lab->slow_references
	                   ? "The next run also finds Rp and Mx: re-pair, and the bound of mixing."
	                   : "Runs find entropies only.");
}

static void change_percentile(struct model *m)
{
	static const char *const means[EL_LAB_TIMES] = {
		[EL_LAB_P99] = "p99, which one probe in 100 exceeds",
		[EL_LAB_P50] = "p50, the time within which half the probes end",
		[EL_LAB_CPU] =
			"the p99 of CPU time (not of hot probes, which are too short for it)",
	};
	struct lab *lab = lab_of(m);
	lab->time = (lab->time + 1) % EL_LAB_TIMES;
	lab_rows_mark(lab);
	model_note(m, "Chart and front: %s.", means[lab->time]);
}

/* ---- candidates ---- */

static const char *no_candidate(const struct model *m)
{
	return lab_of(m)->list.count ? NULL : "No candidates. Press a to add one.";
}

/* Another program's file: it is measured unchanged. */
static bool is_foreign(const struct model *m)
{
	const struct lab_row *row = lab_selected(lab_of(m));
	return row && row->candidate.foreign;
}

static const char *cannot_inspect(const struct model *m)
{
	return no_candidate(m)          ? no_candidate(m)
	       : lab_several(lab_of(m)) ? lab_several(lab_of(m))
	       : is_foreign(m)
	               ? "Only blocks of our own files can be inspected. Select another candidate."
	               : lab_unbuilt(m);
}

static const char *cannot_change(const struct model *m)
{
	return lab_busy(m) ? lab_busy(m) : no_candidate(m);
}

static const char *cannot_edit(const struct model *m)
{
	return cannot_change(m) ? cannot_change(m)
	       : is_foreign(m)  ? "A foreign file is measured as it is. Press a to add a candidate."
	                        : NULL;
}

static void delete (struct model *m)
{
	lab_row_remove(lab_of(m), lab_of(m)->list.at);
}

static void add_several(struct model *m)
{
	const struct el_table_options like = lab_options(lab_of(m));
	lab_type_words(m, &like);
}

static void sort_by(struct model *m, enum lab_column column)
{
	static const char *const names[LAB_COLUMNS] = {
		"codec", "block", "fill", "order", "derive", "bits per position",
		"bytes", "p50",   "p99",
	};
	if (lab_rows_sort(lab_of(m), column))
		model_note(m, "Sorted by %s.", names[column]);
	else
		model_fail(m, "out of memory");
}

/* The columns most useful for comparison come first. */
static void next_sort(struct model *m)
{
	static const enum lab_column after[LAB_COLUMNS + 1] = {
		[LAB_UNSORTED] = LAB_BITS, [LAB_BITS] = LAB_P99,    [LAB_P99] = LAB_P50,
		[LAB_P50] = LAB_CODEC,     [LAB_CODEC] = LAB_BLOCK, [LAB_BLOCK] = LAB_FILL,
		[LAB_FILL] = LAB_ORDER,    [LAB_ORDER] = LAB_BITS,  [LAB_DERIVE] = LAB_BITS,
		[LAB_BYTES] = LAB_BITS,
	};
	sort_by(m, after[lab_of(m)->sort]);
}

/* ---- the chart ---- */

static void go_to_point(struct model *m, int by)
{
	int row = lab_row_beside(lab_of(m), by, false);
	if (row >= 0)
		lab_of(m)->list.at = row;
	else
		model_note(m, "There is no %s point.", by > 0 ? "larger" : "smaller");
}

/* Wraps from the largest to the smallest. */
static void next_on_front(struct model *m)
{
	struct lab *lab = lab_of(m);
	int next = lab_row_beside(lab, 1, true);
	for (int before = lab->list.at; next < 0 && before >= 0;
	     before = lab_row_beside(lab, -1, true))
		lab->list.at = before;
	if (next >= 0)
		lab->list.at = next;
}

static const char *no_points(const struct model *m)
{
	const struct lab *lab = lab_of(m);
	for (int i = 0; i < lab->list.count; i++)
		if (lab_figures(lab, &lab->rows[i]))
			return NULL;
	return "There are no points yet. Press space to measure.";
}

static void next_page(struct model *m)
{
	lab_of(m)->page = (lab_of(m)->page + 1) % LAB_PAGES;
}

static const char *all_shown(const struct model *m)
{
	return lab_shows_all(m) ? "The table and the chart are both on screen." : NULL;
}

/* ---- writing the real table ---- */

static const char *cannot_replace(const struct model *m)
{
	const struct lab *lab = lab_of(m);
	if (!lab->list.count)
		return no_candidate(m);
	if (lab_several(lab))
		return lab_several(lab);
	if (is_foreign(m))
		return "Tables are not written in foreign formats here. Select another candidate.";
	return tables_own(&m->tables, &lab->slice, lab->metric)
	               ? NULL
	               : "Your folder has no table of this slice and metric to rewrite.";
}

static void offer_replace(struct model *m)
{
	struct lab *lab = lab_of(m);
	const struct el_entry *e = tables_own(&m->tables, &lab->slice, lab->metric);
	char how[128], bytes[GROUPED_MAX];
	lab->offer.slice = lab->slice;
	lab->offer.metric = lab->metric;
	lab->offer.options = lab_candidate(lab, lab_selected(lab))->options;
	el_table_options_format(&lab->slice, &lab->offer.options, how, sizeof how);
	model_note(m,
	           "Press y to rewrite %s as %s (now %s, %s bytes). The old file stays until the "
	           "new one has been read back and compared.",
	           strrchr(e->path, '/') ? strrchr(e->path, '/') + 1 : e->path, how, e->detail,
	           grouped(e->bytes, bytes));
	shell_offer(m, "replace-table");
}

/* Only what was offered before is rewritten. */
static const char *not_offered(const struct model *m)
{
	const struct lab *lab = lab_of(m);
	const bool offered = lab->offer.slice.game &&
	                     el_slice_equal(&lab->offer.slice, &lab->slice) &&
	                     lab->offer.metric == lab->metric;
	return offered ? cannot_replace(m)
	               : "Nothing is offered. Press W to see what would be rewritten.";
}

/* ---- the view ---- */

static bool update(struct model *m, const struct event *e)
{
	if (e->kind != EVENT_CLICK || e->zone.kind != ZONE_COLUMN)
		return false;
	if (lab_busy(m))
		model_fail(m, "sort: %s", lab_busy(m));
	else
		sort_by(m, (enum lab_column)e->zone.value);
	return true;
}

static void ask(struct model *m)
{
	lab_take_results(m);
	lab_follow_foreign(m);
	m->tables.wanted = m->tables.wanted || shell_is_shown(m, VIEW_LAB);
}

static void row_text(const struct model *m, int row, char *out, size_t size)
{
	const struct lab *lab = lab_of(m);
	el_lab_candidate_format(&lab->slice, &lab->rows[row].candidate, out, size);
}

static void subject(const struct model *m, char *out, size_t size)
{
	const struct lab *lab = lab_of(m);
	char metric[16];
	if (lab->group.count)
		snprintf(out, size, "%zu slices  %s", lab->group.count,
		         metric_text(lab->metric, metric));
	else
		snprintf(out, size, "%s  %s", lab->slice.name, metric_text(lab->metric, metric));
}

static const struct binding bindings[] = {
	KEY({' '}, "measure", "run", "measure what has no figures yet, or all again",
            .run = lab_run, .disabled = cannot_run),
	KEY({'a'}, "add-candidate", "add", "add a candidate like this one", .apply = lab_form_open,
            .argument = true, .disabled = lab_busy),
	KEY({'e'}, "edit-candidate", "edit", "change this candidate's codec, block, fill, order",
            .apply = lab_form_open, .argument = false, .disabled = cannot_edit),
	KEY({K_ENTER}, "inspect-block", "inspect", "look into this candidate's blocks",
            .run = inspector_open, .disabled = cannot_inspect),
	KEY({'s'}, "lab-slice", "slice", "measure another slice", .run = lab_slice_choose,
            .disabled = lab_busy),
	KEY({'r'}, "regime", "regime",
            "go to the next regime: cold, warm, hot, and whole where smaller tables are read too",
            .run = next_regime),
	KEY({'w'}, "workload", "workload", "go to the next workload: random, line, scan, trace",
            .run = next_workload),
	KEY({'d'}, "lab-metric", NULL, "measure another metric", .run = next_metric,
            .disabled = lab_busy),
	KEY({'o'}, "sort", NULL, "sort by another column, like a click on its name",
            .run = next_sort, .disabled = cannot_change),
	KEY({'A'}, "add-several", NULL, "add candidates in words, several with commas",
            .run = add_several, .disabled = lab_busy),
	KEY({'D', K_DELETE}, "delete-candidate", NULL, "remove this candidate from the list",
            .run = delete, .disabled = cannot_change),
	KEY({'c'}, "cancel-run", NULL, "stop measuring and keep the results", .run = lab_cancel,
            .disabled = no_run, .touches = "what is running"),
	KEY({'b'}, "build-lab", NULL, "build the table of the slice", .run = build,
            .disabled = built_already),
	KEY({K_LEFT}, "smaller", NULL, "select the next smaller point of the chart",
            .apply = go_to_point, .argument = -1, .disabled = no_points),
	KEY({K_RIGHT}, "larger", NULL, "select the next larger point of the chart",
            .apply = go_to_point, .argument = 1, .disabled = no_points),
	KEY({'*'}, "next-best", NULL, "select the next point of the Pareto front",
            .run = next_on_front, .disabled = no_points),
	KEY({'p'}, "percentile", NULL, "switch chart and front between p99, p50 and CPU p99",
            .run = change_percentile),
	KEY({'R'}, "references", NULL,
            "also find what takes long: Rp, re-pair as in Syzygy's files; Mx, a bound by mixing",
            .run = change_references),
	KEY({K_TAB}, "chart", NULL, "switch table, chart and latencies (small screens)",
            .run = next_page, .disabled = all_shown),
	KEY({'S'}, "save-results", NULL, "save the results as CSV, JSON or SVG",
            .run = lab_save_ask, .disabled = lab_unsaved, .touches = "files"),
	KEY({'W'}, "write-table", NULL, "rewrite your table of the slice as this candidate",
            .run = offer_replace, .disabled = cannot_replace),
	KEY({0}, "replace-table", NULL, "do what write-table offers, as y does",
            .run = lab_replace_table, .disabled = not_offered, .typed = "W y",
            .touches = "your tables"),
	{.name = NULL},
};

const struct view lab_view = {
	.name = "Lab",
	.summary = "what a table costs in bytes and time, by codec, block, fill and order",
	.key = '3',
	.state = &lab_state,
	.bindings = bindings,
	.update = update,
	.verbs = lab_verbs,
	.draw = lab_draw,
	.enter = lab_find_slice,
	.list = {&lab_state, offsetof(struct lab, list)},
	.row = row_text,
	.subject = subject,
	.open = open_lab,
	.close = close_lab,
	.ask = ask,
};
