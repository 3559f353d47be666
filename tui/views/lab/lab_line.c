/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Lab understands at the prompt, and its results as files, identical to `endlab lab`'s. */
#include "lab.h"

#include "tui/text/files.h"
#include "tui/text/lab/candidates.h"
#include "tui/text/lab/report.h"
#include "tui/text/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- files ---- */

enum form { CSV, JSON, SVG, FORMS };

static const char *const endings[FORMS] = {".csv", ".json", ".svg"};

struct save_job {
	struct job job;
	char path[PATH_MAX], trace[PATH_MAX];
	enum form form;
	enum el_regime regime;    /* the chart's */
	struct lab_report report; /* owned */
	struct el_slice *slices;  /* owned: the report's */
};

static void save_run(struct job *job, const struct el_watch *watch)
{
	struct save_job *j = (struct save_job *)job;
	struct whole_file file;
	(void)watch;
	job->status = whole_file_open(j->path, &file, &job->error);
	if (job->status)
		return;
	if (j->form == CSV)
		lab_write_csv(file.stream, &j->report, true);
	else if (j->form == SVG)
		lab_write_svg(file.stream, &j->report, j->regime, j->report.front);
	else if (!lab_write_json(file.stream, &j->report))
		job->status = el_fail(&job->error, EL_MEMORY, "out of memory");
	job->status = whole_file_close(&file, job->status, &job->error);
}

static void save_done(struct model *m, struct job *job)
{
	const struct save_job *j = (struct save_job *)job;
	if (job->status)
		model_fail(m, "%s", job->error.text);
	else
		model_note(m, "Saved %zu %s in %s.", j->report.count,
		           plural(j->report.count, "result", "results"), j->path);
}

static void save_free(struct job *job)
{
	struct save_job *j = (struct save_job *)job;
	lab_report_free(&j->report);
	free(j->slices);
	free(j);
}

/* By the name's ending; FORMS if it is unknown. */
static enum form form_of(const char *path)
{
	size_t length = strlen(path);
	for (int form = 0; form < FORMS; form++) {
		size_t ending = strlen(endings[form]);
		if (length > ending && !strcmp(path + length - ending, endings[form]))
			return (enum form)form;
	}
	return FORMS;
}

static void send(struct model *m, const char *path)
{
	struct save_job *j =
		model_new_job(m, sizeof *j, LANE_PROBE, "saving", save_run, save_done, save_free);
	if (!j)
		return;
	j->form = form_of(path);
	j->regime = lab_of(m)->regime;
	snprintf(j->path, sizeof j->path, "%s", path);
	const struct lab *lab = lab_of(m);
	const struct slices *summed = &lab->summed[lab->workload];
	j->slices = malloc((summed->count + 1) * sizeof *j->slices);
	if (lab_report_make(&j->report, (size_t)lab->list.count + 1, &j->job.error) || !j->slices) {
		model_fail(m, "%s", "out of memory");
		save_free(&j->job);
		return;
	}
	for (size_t i = 0; i < summed->count; i++)
		j->slices[i] = summed->list[i];
	j->report.slices = summed->count ? j->slices : NULL; /* null: a single one */
	j->report.slice_count = summed->count;
	j->report.slice = lab->slice;
	snprintf(j->report.slice.name, sizeof j->report.slice.name, "%s", lab_name(lab));
	j->report.metric = lab->metric;
	j->report.workload = lab->workload;
	snprintf(j->trace, sizeof j->trace, "%s", lab->trace);
	j->report.trace = lab->workload == EL_WORKLOAD_TRACE ? j->trace : NULL;
	j->report.seed = lab->seed;
	j->report.seconds = LAB_SECONDS;
	j->report.ground = lab->ground[lab->workload];
	for (int i = 0; i < lab->list.count; i++) {
		const struct lab_row *row = &lab->rows[i];
		char codec[EL_CODEC_TEXT];
		lab_codec_text(&row->candidate, codec);
		if (row->state[lab->workload] == LAB_MEASURED)
			lab_report_add(&j->report, &row->result[lab->workload], codec);
	}
	j->report.front = lab->time;
	el_lab_pareto(j->report.results, j->report.count, EL_WARM, j->report.front);
	model_submit(m, &j->job);
}

/* Saves as CSV, JSON or SVG, by the name's ending. */
static void save_as(struct model *m, int replace, const char *path)
{
	if (lab_unsaved(m))
		model_fail(m, "save: %s", lab_unsaved(m));
	else if (form_of(path) == FORMS)
		model_fail(m, "save: expected a name that ends in .csv, .json or .svg, found '%s'",
		           path);
	else if (!replace && !access(path, F_OK))
		model_fail(m, "%s already exists. Choose another name, or type 'save! %s'.", path,
		           path);
	else
		send(m, path);
}

void lab_save_ask(struct model *m)
{
	shell_prompt(m, "save %s.%s.csv", lab_name(lab_of(m)), lab_of(m)->metric->name);
}

const char *lab_unsaved(const struct model *m)
{
	const struct lab *lab = lab_of(m);
	for (int i = 0; i < lab->list.count; i++)
		if (lab->rows[i].state[lab->workload] == LAB_MEASURED)
			return NULL;
	return "Nothing is measured yet. Press space to measure.";
}

/* ---- verbs ---- */

static void add_words(struct model *m, const char *words)
{
	size_t count;
	struct el_error error;
	if (lab_busy(m))
		model_fail(m, "%s", lab_busy(m));
	else if (lab_rows_add(lab_of(m), words, &count, &error))
		model_fail(m, "%s", error.text);
	else if (!count)
		model_note(m, "This candidate is in the list.");
	else
		model_note(m, "Added %zu %s. Press space to measure.", count,
		           plural(count, "candidate", "candidates"));
}

static void set_number(struct model *m, int is_probes, const char *text)
{
	struct lab *lab = lab_of(m);
	const char *name = is_probes ? "probes" : "seed";
	char *end;
	const uint64_t number = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end) {
		model_fail(m, "%s: expected a number, found '%s'", name, text);
	} else if (lab_busy(m)) {
		model_fail(m, "%s", lab_busy(m));
	} else if (is_probes && (!number || number > LAB_PROBES_MOST)) {
		model_fail(m, "probes: expected a number from 1 to %d, found %s", LAB_PROBES_MOST,
		           text);
	} else {
		lab->probes = is_probes ? (size_t)number : lab->probes;
		lab->seed = is_probes ? lab->seed : number;
		lab_rows_forget(lab);
		model_note(m, "Earlier results are dropped: %s %llu.", name,
		           (unsigned long long)number);
	}
}

static void name_workload(struct model *m, const char *text)
{
	struct lab *lab = lab_of(m);
	const enum el_workload workload = el_workload_parse(text);
	const bool traced = workload == EL_WORKLOAD_TRACE;
	if (lab_busy(m)) {
		model_fail(m, "%s", lab_busy(m));
	} else if (traced && (strlen(text) >= sizeof lab->trace || access(text, R_OK))) {
		model_fail(m, "workload: expected random, line, scan or a file, found '%s': %m",
		           text);
	} else {
		lab->workload = workload;
		if (traced) {
			strcpy(lab->trace, text);
			lab_rows_forget(lab);
			model_note(m, "Earlier results are dropped: trace %s.", text);
		}
		lab_rows_mark(lab);
	}
}

static void name_slices(struct model *m, const char *words)
{
	struct el_error error;
	if (lab_busy(m))
		model_fail(m, "%s", lab_busy(m));
	else if (lab_set_slices(m, words, &error))
		model_fail(m, "%s", error.text);
	else
		lab_of(m)->chosen = true;
}

static void name_metric(struct model *m, const char *name)
{
	const struct el_game *game = lab_of(m)->slice.game;
	const struct el_metric *metric;
	struct el_error error;
	if (lab_busy(m))
		model_fail(m, "%s", lab_busy(m));
	else if (el_metric_parse(name, &metric, &error) ||
	         el_game_check_metric(game, metric, &error))
		model_fail(m, "%s", error.text);
	else if (metric != lab_of(m)->metric)
		lab_set_metric(m, metric);
}

/* ---- their completions ---- */

static void complete_slice(const struct model *m, const char *rest, struct words *w)
{
	(void)rest;
	words_offer_slices(w, m);
}

static void complete_workload(const struct model *m, const char *rest, struct words *w)
{
	(void)m;
	(void)rest;
	for (unsigned i = 0; i < EL_WORKLOAD_TRACE; i++)
		words_offer(w, el_workload_names[i]);
}

static void complete_metric(const struct model *m, const char *rest, struct words *w)
{
	(void)rest;
	for (size_t i = 0; el_metrics[i]; i++)
		if (el_game_has(lab_of(m)->slice.game, el_metrics[i]))
			words_offer(w, el_metrics[i]->name);
}

static void complete_candidate(const struct model *m, const char *rest, struct words *w)
{
	static const char *const other[] = {"order", "best", "smallest", "index", "256", "1K",
	                                    "4K",    "16K",  "64K",      "256K",  "1M",  NULL};
	const struct el_codec *codec;
	(void)m;
	(void)rest;
	for (size_t i = 0; (codec = el_codec_at(i)); i++)
		words_offer(w, codec->name);
	for (size_t i = 0; el_fill_names[i]; i++)
		words_offer(w, el_fill_names[i]);
	for (size_t i = 0; el_derive_names[i]; i++)
		words_offer(w, el_derive_names[i]);
	for (size_t i = 0; other[i]; i++)
		words_offer(w, other[i]);
}

const struct verb lab_verbs[] = {
	{"candidate", "WORDS", "add candidates, such as zstd:9,xz 16K best", .run = add_words,
         .complete = complete_candidate},
	{"save", "FILE", "save the results as .csv, .json or .svg", .apply = save_as,
         .argument = false, .touches = "files"},
	{"save!", "FILE", "save over an existing file", .apply = save_as, .argument = true,
         .touches = "files"},
	{"slice", "SLICE", "measure another slice, several, or a group: KQvKR KRvKN, 3-4, all",
         .run = name_slices, .complete = complete_slice},
	{"metric", "METRIC", "measure another metric", .run = name_metric,
         .complete = complete_metric},
	{"workload", "NAME|FILE",
         "probe random positions, a line, a scan, or the trace of a search", .run = name_workload,
         .complete = complete_workload},
	{"seed", "N", "set the seed that draws the positions", .apply = set_number,
         .argument = false},
	{"probes", "N", "set how many positions to probe", .apply = set_number, .argument = true},
	{.word = NULL},
};
