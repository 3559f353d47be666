/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lab: what a table costs in bytes and in time, by codec, block size, fill and order. */
#include "../../text/lab/report.h"
#include "../../text/text.h"
#include "../../model/model.h"
#include "../../text/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum el_status open_lab(struct model *m, struct el_error *error)
{
	struct lab *lab = &m->lab;
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
	free(m->lab.rows);
}

/* ---- the slice and its table ---- */

void lab_set_slice(struct model *m, const struct el_slice *slice)
{
	struct lab *lab = &m->lab;
	if (lab->slice.game == slice->game && lab->slice.key == slice->key)
		return;
	lab->slice = *slice;
	if (!el_game_has(slice->game, lab->metric))
		lab->metric = el_game_metric(slice->game);
	lab_rows_forget(lab);
	/* An order of these pieces means nothing to others. */
	for (int i = 0; i < lab->list.count; i++)
		if (lab->rows[i].options.ordering == EL_ORDER_GIVEN)
			el_order_parse("best", NULL, &lab->rows[i].options, NULL);
}

static bool is_measured(const struct lab *lab)
{
	for (int i = 0; i < lab->list.count; i++)
		for (int w = 0; w < EL_WORKLOADS; w++)
			if (lab->rows[i].state[w] != LAB_NEW)
				return true;
	return false;
}

/* Unless there is a choice to be kept, the slice is the one that is explored. */
static void enter(struct model *m)
{
	const struct study *s = m->explore.study;
	if (m->lab.slice.game && (m->lab.chosen || is_measured(&m->lab)))
		return;
	if (s && s->answer.has_slice)
		lab_set_slice(m, &s->answer.slice);
	else if (!m->lab.slice.game)
		lab_set_slice(m, &m->build.rows[0].slice);
}

/* The values can be read from a table of the metric, or from one that has depths besides. */
static bool is_built(const struct model *m)
{
	const struct lab *lab = &m->lab;
	for (size_t i = 0; el_metrics[i]; i++)
		if (el_metrics[i] == lab->metric ||
		    (el_metrics[i]->has_depth && !lab->metric->has_depth))
			if (tables_own(&m->tables, &lab->slice, el_metrics[i]))
				return true;
	return false;
}

const char *lab_unbuilt(const struct model *m)
{
	if (!m->tables.ask.known || is_built(m))
		return NULL;
	return build_is_asked(&m->build, &m->lab.slice)
	               ? "the table is being built; then space measures"
	               : "there is no table of this slice and metric: b builds it, s takes another";
}

static const char *built_already(const struct model *m)
{
	return !lab_unbuilt(m) ? "the table is there: space measures"
	       : build_is_asked(&m->build, &m->lab.slice) ? "it is being built" : NULL;
}

static void build(struct model *m)
{
	build_start(m, &m->lab.slice, 1);
}

/* ---- what a run is ---- */

static const char *busy(const struct model *m)
{
	return m->lab.running ? "a run is at work; c stops it" : NULL;
}

static const char *no_run(const struct model *m)
{
	return m->lab.running ? NULL : "nothing is being measured";
}

static const char *cannot_run(const struct model *m)
{
	return busy(m) ? busy(m) : !m->lab.list.count ? "no candidate: a adds one" : lab_unbuilt(m);
}

static void set_metric(struct model *m, const struct el_metric *metric)
{
	char text[16];
	m->lab.metric = metric;
	lab_rows_forget(&m->lab);
	model_note(m, "%s: %s", metric_text(metric, text), metric->title);
}

static void next_metric(struct model *m)
{
	struct lab *lab = &m->lab;
	size_t next = el_metric_rank(lab->metric);
	do
		next = (next + EL_METRICS - 1) % EL_METRICS;
	while (!el_game_has(lab->slice.game, el_metrics[next]));
	set_metric(m, el_metrics[next]);
}

static void next_workload(struct model *m)
{
	static const char *const means[EL_WORKLOADS] = {
		"uniform over the legal positions",
		"walks of optimal and near-optimal play, what an engine meets",
		"legal positions one after the other",
	};
	struct lab *lab = &m->lab;
	lab->workload = (lab->workload + 1) % EL_WORKLOADS;
	lab_rows_mark(lab);
	model_note(m, "workload %s: %s", el_workload_names[lab->workload], means[lab->workload]);
}

static void next_regime(struct model *m)
{
	static const char *const means[EL_REGIMES] = {
		"the block is on the disk alone",
		"the block is in the system's page cache: read, checked and decoded",
		"the block is in the program's own cache",
	};
	struct lab *lab = &m->lab;
	lab->regime = (lab->regime + 1) % EL_REGIMES;
	lab_rows_mark(lab);
	model_note(m, "regime %s: %s", el_regime_names[lab->regime], means[lab->regime]);
}

static void change_percentile(struct model *m)
{
	m->lab.median = !m->lab.median;
	model_note(m, "the chart shows %s", m->lab.median ? "p50, the time of half the probes"
	                                                  : "p99, which one probe in 100 exceeds");
}

/* ---- candidates ---- */

static const char *no_candidate(const struct model *m)
{
	return m->lab.list.count ? NULL : "no candidate: a adds one";
}

static const char *cannot_inspect(const struct model *m)
{
	return no_candidate(m) ? no_candidate(m) : lab_unbuilt(m);
}

static const char *cannot_change(const struct model *m)
{
	return busy(m) ? busy(m) : no_candidate(m);
}

static void delete(struct model *m)
{
	lab_row_remove(&m->lab, m->lab.list.at);
}

void lab_type_words(struct model *m, const struct el_table_options *options)
{
	char words[192];
	el_table_options_format(&m->lab.slice, options, words, sizeof words);
	model_prompt(m, "candidate %s", words);
}

static void add_several(struct model *m)
{
	const struct lab_row *row = lab_selected(&m->lab);
	struct el_table_options usual = el_table_options_default();
	lab_type_words(m, row ? &row->options : &usual);
}

static void sort_by(struct model *m, enum lab_column column)
{
	static const char *const names[LAB_COLUMNS] = {
		"codec", "block", "fill",  "order", "derive", "bits a position",
		"bytes", "p50",   "p99",
	};
	lab_rows_sort(&m->lab, column);
	model_note(m, "sorted by %s", names[column]);
}

/* Those by which one compares come first. */
static void next_sort(struct model *m)
{
	static const enum lab_column after[LAB_COLUMNS + 1] = {
		[LAB_UNSORTED] = LAB_BITS, [LAB_BITS] = LAB_P99,    [LAB_P99] = LAB_P50,
		[LAB_P50] = LAB_CODEC,     [LAB_CODEC] = LAB_BLOCK, [LAB_BLOCK] = LAB_FILL,
		[LAB_FILL] = LAB_ORDER,    [LAB_ORDER] = LAB_BITS,  [LAB_DERIVE] = LAB_BITS,
		[LAB_BYTES] = LAB_BITS,
	};
	sort_by(m, after[m->lab.sort]);
}

/* ---- the chart ---- */

static void go_beside(struct model *m, int by, bool front)
{
	int row = lab_row_beside(&m->lab, by, front);
	if (row >= 0)
		m->lab.list.at = row;
	else
		model_note(m, "there is no %s point%s", by > 0 ? "larger" : "smaller",
		           front ? " on the Pareto front" : "");
}

static void point_left(struct model *m)
{
	go_beside(m, -1, false);
}

static void point_right(struct model *m)
{
	go_beside(m, 1, false);
}

/* Around to the smallest behind the largest. */
static void next_on_front(struct model *m)
{
	struct lab *lab = &m->lab;
	int next = lab_row_beside(lab, 1, true);
	for (int before = lab->list.at; next < 0 && before >= 0;
	     before = lab_row_beside(lab, -1, true))
		lab->list.at = before;
	if (next >= 0)
		lab->list.at = next;
}

static const char *no_points(const struct model *m)
{
	const struct lab *lab = &m->lab;
	for (int i = 0; i < lab->list.count; i++)
		if (lab_figures(lab, &lab->rows[i]))
			return NULL;
	return "there is no point yet: space measures";
}

static void next_page(struct model *m)
{
	m->lab.page = (m->lab.page + 1) % LAB_PAGES;
}

static const char *all_shown(const struct model *m)
{
	return lab_shows_all(m) ? "the table and the chart are both on the screen" : NULL;
}

/* ---- writing the real table ---- */

static const char *cannot_replace(const struct model *m)
{
	const struct lab *lab = &m->lab;
	if (!lab->list.count)
		return no_candidate(m);
	return tables_own(&m->tables, &lab->slice, lab->metric)
	               ? NULL
	               : "there is no table of this metric in your folder to be written again";
}

static void offer_replace(struct model *m)
{
	struct lab *lab = &m->lab;
	const struct el_entry *e = tables_own(&m->tables, &lab->slice, lab->metric);
	char how[128], bytes[GROUPED_MAX];
	lab->replacing = *lab_options(lab, lab_selected(lab));
	el_table_options_format(&lab->slice, &lab->replacing, how, sizeof how);
	model_note(m,
	           "y writes %s again as %s; now it is %s, %s bytes. The old file stays until the "
	           "new one has been read back and compared",
	           strrchr(e->path, '/') ? strrchr(e->path, '/') + 1 : e->path, how, e->detail,
	           grouped(e->bytes, bytes));
	snprintf(m->offer, sizeof m->offer, "replace-table");
}

/* ---- lines for the prompt ---- */

static void add_words(struct model *m, const char *words)
{
	size_t count;
	struct el_error error;
	if (busy(m))
		model_fail(m, "%s", busy(m));
	else if (lab_rows_add(&m->lab, words, &count, &error))
		model_fail(m, "%s", error.text);
	else
		model_note(m, "%zu %s added; space measures", count,
		           count == 1 ? "candidate" : "candidates");
}

static void set_number(struct model *m, const char *name, const char *text)
{
	char *end;
	unsigned long long number = strtoull(text, &end, 10);
	bool probes = !strcmp(name, "probes");
	if (*text < '0' || *text > '9' || *end || (probes && (!number || number > LAB_PROBES_MOST)))
		model_fail(m, "%s: expected a number, not '%s'", name, text);
	else if (busy(m))
		model_fail(m, "%s", busy(m));
	else if (probes)
		m->lab.probes = (size_t)number;
	else
		m->lab.seed = number;
	if (!m->message.text[0]) {
		lab_rows_forget(&m->lab);
		model_note(m, "%s %llu: what was measured before is dropped", name, number);
	}
}

static void name_slice(struct model *m, const char *name)
{
	struct el_slice slice;
	struct el_error error;
	if (busy(m)) {
		model_fail(m, "%s", busy(m));
	} else if (el_slice_parse(name, &slice, &error)) {
		model_fail(m, "%s", error.text);
	} else {
		m->lab.chosen = true;
		lab_set_slice(m, &slice);
	}
}

static void name_metric(struct model *m, const char *name)
{
	const struct el_game *game = m->lab.slice.game;
	const struct el_metric *metric = el_metric_find(name);
	if (busy(m))
		model_fail(m, "%s", busy(m));
	else if (!metric || !el_game_has(game, metric))
		model_fail(m, "metric: '%s' is none that %s has", name, game->title);
	else if (metric != m->lab.metric)
		set_metric(m, metric);
}

static bool run_line(struct model *m, const char *line)
{
	char word[16];
	size_t length = strcspn(line, " ");
	const char *rest = line + length + strspn(line + length, " ");
	snprintf(word, sizeof word, "%.*s", (int)length, line);
	if (!strcmp(word, "candidate"))
		add_words(m, rest);
	else if (!strcmp(word, "save") || !strcmp(word, "save!"))
		lab_save(m, rest, word[4]);
	else if (!strcmp(word, "slice"))
		name_slice(m, rest);
	else if (!strcmp(word, "metric"))
		name_metric(m, rest);
	else if (!strcmp(word, "seed") || !strcmp(word, "probes"))
		set_number(m, word, rest);
	else
		return false;
	return true;
}

static void offer_words(const struct model *m, const char *line,
                        void (*offer)(void *context, const char *word), void *context)
{
	static const char *const first[] = {"candidate", "save", "slice", "metric", "seed", "probes",
	                                    NULL};
	static const char *const other[] = {"order", "best", "index", "256",  "1K", "4K",
	                                    "16K",   "64K",  "256K",  "1M",   NULL};
	const struct el_codec *codec;
	bool is_candidate = !strncmp(line, "candidate ", 10);
	for (size_t i = 0; first[i] && !strchr(line, ' '); i++)
		offer(context, first[i]);
	for (int i = 0; i < m->build.row_count && !strncmp(line, "slice ", 6); i++)
		offer(context, m->build.rows[i].slice.name);
	for (size_t i = 0; el_metrics[i] && !strncmp(line, "metric ", 7); i++)
		if (el_game_has(m->lab.slice.game, el_metrics[i]))
			offer(context, el_metrics[i]->name);
	for (size_t i = 0; is_candidate && (codec = el_codec_at(i)); i++)
		offer(context, codec->name);
	for (size_t i = 0; is_candidate && el_fill_names[i]; i++)
		offer(context, el_fill_names[i]);
	for (size_t i = 0; is_candidate && el_derive_names[i]; i++)
		offer(context, el_derive_names[i]);
	for (size_t i = 0; is_candidate && other[i]; i++)
		offer(context, other[i]);
}

/* ---- the view ---- */

static bool update(struct model *m, const struct event *e)
{
	if (e->kind != EVENT_CLICK || e->zone.kind != ZONE_COLUMN)
		return false;
	if (busy(m))
		model_fail(m, "sort: %s", busy(m));
	else
		sort_by(m, (enum lab_column)e->zone.value);
	return true;
}

static void hear(struct model *m)
{
	lab_take_results(m);
}

static struct list *list(struct model *m)
{
	return &m->lab.list;
}

static void subject(const struct model *m, char *out, size_t size)
{
	char metric[16];
	snprintf(out, size, "%s  %s", m->lab.slice.name, metric_text(m->lab.metric, metric));
}

static const struct binding bindings[] = {
	{{' '}, "measure", "run", "measure the candidates without figures, or all of them again",
	 lab_run, cannot_run, NULL},
	{{'a'}, "add-candidate", "add", "add a candidate like this one", lab_form_add, busy, NULL},
	{{'e'}, "edit-candidate", "edit", "change codec, block, fill or order of this candidate",
	 lab_form_edit, cannot_change, NULL},
	{{K_ENTER}, "inspect-block", "inspect", "look into the blocks that this candidate makes",
	 inspector_open, cannot_inspect, NULL},
	{{'s'}, "lab-slice", "slice", "measure another slice", lab_slice_choose, busy, NULL},
	{{'r'}, "regime", "regime", "the next regime: cold, warm, hot", next_regime, NULL, NULL},
	{{'w'}, "workload", "workload", "the next workload: random, line, scan", next_workload,
	 NULL, NULL},
	{{'M'}, "lab-metric", NULL, "measure another metric", next_metric, busy, NULL},
	{{'o'}, "sort", NULL, "sort by another column; a click on its name does it too", next_sort,
	 cannot_change, NULL},
	{{'A'}, "add-several", NULL, "add candidates in words, with commas one of each",
	 add_several, busy, NULL},
	{{'d', K_DELETE}, "delete-candidate", NULL, "take this candidate off the list", delete,
	 cannot_change, NULL},
	{{'c'}, "cancel-run", NULL, "stop measuring; what is measured stays", lab_cancel, no_run,
	 NULL},
	{{'b'}, "build-lab", NULL, "build the table of the slice", build, built_already, NULL},
	{{K_LEFT}, "smaller", NULL, "select the next smaller point of the chart", point_left,
	 no_points, NULL},
	{{K_RIGHT}, "larger", NULL, "select the next larger point of the chart", point_right,
	 no_points, NULL},
	{{'*'}, "next-best", NULL, "select the next point of the Pareto front", next_on_front,
	 no_points, NULL},
	{{'p'}, "percentile", NULL, "the chart shows p99 or p50", change_percentile, NULL, NULL},
	{{K_TAB}, "chart", NULL, "on a small screen, the chart, the latencies or the table",
	 next_page, all_shown, NULL},
	{{'S'}, "save-results", NULL, "save the results as CSV, JSON or SVG", lab_save_ask,
	 lab_unsaved, NULL},
	{{'W'}, "write-table", NULL, "write your table of this slice in the form of this candidate",
	 offer_replace, cannot_replace, NULL},
	{{0}, "replace-table", NULL, "what write-table does once y was pressed", lab_replace_table,
	 cannot_replace, "W y"},
	{.name = NULL},
};

const struct view lab_view = {
	.name = "Lab",
	.summary = "what a table costs in bytes and in time, by codec, block, fill and order",
	.key = '3',
	.bindings = bindings,
	.update = update,
	.line = run_line,
	.words = offer_words,
	.draw = lab_draw,
	.enter = enter,
	.list = list,
	.subject = subject,
	.open = open_lab,
	.close = close_lab,
	.hear = hear,
};
