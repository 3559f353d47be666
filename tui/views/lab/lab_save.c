/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Lab has measured as a file: the same that `endlab lab` writes. */
#include "lab.h"

#include "tui/text/lab/candidates.h"
#include "tui/text/lab/report.h"
#include "tui/text/whole_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum form { CSV, JSON, SVG, FORMS };

static const char *const endings[FORMS] = {".csv", ".json", ".svg"};

struct save_job {
	struct job job;
	char path[PATH_MAX];
	enum form form;
	enum el_regime regime;    /* of the chart */
	struct lab_report report; /* owned */
	struct el_slice *slices;  /* owned: of the report */
};

static enum el_status write_form(struct save_job *j, FILE *out)
{
	if (j->form == CSV)
		lab_write_csv(out, &j->report, true);
	else if (j->form == SVG)
		lab_write_svg(out, &j->report, j->regime, j->report.front);
	else if (!lab_write_json(out, &j->report))
		return el_fail(&j->job.error, EL_MEMORY, "out of memory");
	return EL_OK;
}

static void save_run(struct job *job, const struct el_watch *watch)
{
	struct save_job *j = (struct save_job *)job;
	struct whole_file file;
	(void)watch;
	job->status = whole_file_open(j->path, &file, &job->error);
	if (!job->status)
		job->status = whole_file_close(&file, write_form(j, file.stream), &job->error);
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

/* Those that the figures are sums over, for the report to borrow. False without memory. */
static bool copy_slices(struct save_job *j, const struct slices *summed)
{
	if (!summed->count)
		return true;
	j->slices = malloc(summed->count * sizeof *j->slices);
	if (!j->slices)
		return false;
	memcpy(j->slices, summed->list, summed->count * sizeof *j->slices);
	j->report.slices = j->slices;
	j->report.slice_count = summed->count;
	return true;
}

static void fill_report(struct lab_report *report, const struct lab *lab)
{
	report->slice = lab->slice;
	snprintf(report->slice.name, sizeof report->slice.name, "%s", lab_name(lab));
	report->metric = lab->metric;
	report->workload = lab->workload;
	report->seed = lab->seed;
	report->seconds = LAB_SECONDS;
	report->ground = lab->ground[lab->workload];
	for (int i = 0; i < lab->list.count; i++) {
		const struct lab_row *row = &lab->rows[i];
		char codec[EL_CODEC_TEXT];
		lab_codec_text(&row->candidate, codec);
		if (row->state[lab->workload] == LAB_MEASURED)
			lab_report_add(report, &row->result[lab->workload], codec);
	}
	report->front = lab->time;
	el_lab_pareto(report->results, report->count, EL_WARM, report->front);
}

/* FORMS when the name ends as none of them. */
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
	struct save_job *j = model_new_job(m, sizeof *j, LANE_PROBE, "saving");
	if (!j)
		return;
	j->job.run = save_run;
	j->job.done = save_done;
	j->job.free = save_free;
	j->form = form_of(path);
	j->regime = lab_of(m)->regime;
	snprintf(j->path, sizeof j->path, "%s", path);
	const struct lab *lab = lab_of(m);
	if (lab_report_make(&j->report, (size_t)lab->list.count + 1, &j->job.error) ||
	    !copy_slices(j, &lab->summed[lab->workload])) {
		model_fail(m, "%s", "out of memory");
		save_free(&j->job);
		return;
	}
	fill_report(&j->report, lab);
	model_submit(m, &j->job);
}

void lab_save(struct model *m, const char *path, bool replace)
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
