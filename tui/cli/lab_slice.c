/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One slice of `lab`: measured and told. */
#include "lab_work.h"
#include "lines.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- a slice that is not there ---- */

extern const struct command command_build;

static bool is_asked_by_a_person(const struct cli *cli)
{
	return cli->bar && cli->in && isatty(cli->in->fd);
}

/* EL_NEGATIVE, without words: no. */
static enum el_status agrees(struct cli *cli, const struct el_slice *slice,
                             const struct el_metric *metric, struct el_error *error)
{
	struct line line;
	fprintf(cli->err, "%s has no %s table. Build it now? [y/N] ", slice->name, metric->name);
	fflush(cli->err);
	enum el_status status = lines_next(cli->in, cli->out, &line, error);
	if (status == EL_STOPPED) {
		fputc('\n', cli->err); /* behind the question */
		return el_fail(error, status, "stopped");
	}
	return status ? status : *line.text == 'y' || *line.text == 'Y' ? EL_OK : EL_NEGATIVE;
}

/* Of several slices, those without a table are told at the end in a line. */
static int tell_missing(struct lab_work *work)
{
	const struct el_slice *slice = &work->setup.slice;
	struct lab_group *group = work->group;
	struct el_error error;
	const bool any = lab_is_built(work, NULL);
	const enum el_status status =
		command_missing(work->cli, slice, any ? work->setup.metric : NULL, &error);
	if (status != EL_NEGATIVE || group->slices.count == 1)
		return command_fail(work->cli, "lab", &error);
	const size_t length = strlen(group->names);
	if (group->missing++ < LAB_NAMED_MOST)
		snprintf(group->names + length, sizeof group->names - length, "%s%s",
		         length ? ", " : "", slice->name);
	return command_exit(status);
}

/* Builds the slice if it is missing and someone says so. Returns an exit status; what went wrong is
   told. */
static int want_slice(struct lab_work *work)
{
	struct cli *cli = work->cli;
	struct el_error error;
	const struct el_slice *slice = &work->setup.slice;
	const struct el_metric *metric = work->setup.metric;
	enum el_status status = EL_NEGATIVE;
	if (lab_is_built(work, metric))
		return 0;
	if (work->group->slices.count == 1 && is_asked_by_a_person(cli))
		status = agrees(cli, slice, metric, &error);
	if (status == EL_NEGATIVE)
		return tell_missing(work);
	if (status)
		return command_fail(cli, "lab", &error);
	char name[EL_SLICE_MAX], wanted[16];
	snprintf(name, sizeof name, "%s", slice->name);
	snprintf(wanted, sizeof wanted, "%s", metric->name);
	char *argv[] = {"build", name, "--metric", wanted, NULL};
	struct cli quiet = *cli;
	quiet.out = cli->err; /* the answer to come is the lab's alone */
	return command_run_words(&quiet, &command_build, 4, argv);
}

/* ---- results ---- */

static bool is_text(const struct lab_work *work)
{
	return !work->json && !work->csv;
}

static void hear_ground(void *context, const struct el_lab_ground *ground)
{
	struct lab_work *work = context;
	work->report.ground = *ground;
	if (!is_text(work))
		return;
	progress_clear(&work->progress);
	if (work->group->told)
		fputc('\n', work->cli->out);
	lab_text_head(work->cli->out, &work->report);
	fflush(work->cli->out);
}

/* Comes twice. */
static void hear_result(void *context, size_t candidate, const struct el_lab_result *result)
{
	struct lab_work *work = context;
	if (candidate < work->report.count)
		work->report.results[candidate] = *result;
	else
		lab_report_add(&work->report, result, work->candidates.codec[candidate]);
}

static void print_text(const struct lab_work *work, const struct lab_report *report)
{
	FILE *out = work->cli->out;
	lab_text_titles(out, report);
	for (size_t i = 0; i < report->count; i++)
		lab_text_row(out, report, i);
	lab_text_tail(out, report);
}

enum el_status lab_print(const struct lab_work *work, struct lab_report *report,
                         struct el_error *error)
{
	FILE *out = work->cli->out;
	el_lab_pareto(report->results, report->count, EL_WARM, report->front);
	if (work->json && !lab_write_json(out, report))
		return el_fail(error, EL_MEMORY, "the answer: out of memory");
	if (work->csv)
		lab_write_csv(out, report, !work->group->told);
	else if (!work->json && report->count)
		print_text(work, report);
	work->group->told = true;
	fflush(out);
	return EL_OK;
}

/* What went wrong with one candidate shows, whatever became of the others. */
static int worst_of(struct lab_work *work)
{
	int answer = 0;
	for (size_t i = 0; i < work->report.count; i++)
		answer = command_worse(answer, command_exit(work->report.results[i].status));
	return answer;
}

/* ---- the run ---- */

static enum el_status prepare(struct lab_work *work, struct el_error *error)
{
	struct lab_report *report = &work->report;
	enum el_status status = lab_report_make(report, work->candidates.count, error);
	report->slice = work->setup.slice;
	report->metric = work->setup.metric;
	report->workload = work->setup.workload;
	report->seed = work->setup.seed;
	report->seconds = work->setup.seconds;
	report->front = work->front;
	work->setup.library = work->cli->library;
	work->setup.candidates = work->candidates.list;
	work->setup.count = work->candidates.count;
	work->setup.context = work;
	work->setup.ground = hear_ground;
	work->setup.result = hear_result;
	return status;
}

/* "chart-%.svg" becomes "chart-warm-p99.svg". EL_IO. */
static enum el_status draw_one(const char *name, struct lab_report *report, enum el_regime regime,
                               enum el_lab_time time, struct el_error *error)
{
	char path[PATH_MAX];
	struct whole_file file;
	const char *mark = strchr(name, '%');
	const int length = snprintf(path, sizeof path, "%.*s%s-%s%s", (int)(mark - name), name,
	                            el_regime_names[regime], el_lab_time_names[time], mark + 1);
	if (length >= (int)sizeof path)
		return el_fail(error, EL_IO, "%s: the name is too long", name);
	enum el_status status = whole_file_open(path, &file, error);
	if (status)
		return status;
	lab_write_svg(file.stream, report, regime, time);
	return whole_file_close(&file, EL_OK, error);
}

/* Is there anything to be drawn? */
static bool has_times(const struct lab_report *report, enum el_regime regime, enum el_lab_time time)
{
	for (size_t i = 0; i < report->count; i++)
		if (el_lab_time_of(&report->results[i].latency[regime], time) > 0)
			return true;
	return false;
}

enum el_status lab_draw_chart(const struct lab_work *work, struct lab_report *report,
                              struct el_error *error)
{
	struct lab_group *group = work->group;
	enum el_status status = EL_OK;
	for (unsigned r = 0; r < EL_REGIMES && group->charts; r++)
		for (unsigned t = 0; t < EL_LAB_TIMES && !status; t++)
			if (has_times(report, r, t))
				status = draw_one(group->charts, report, r, t, error);
	if (!group->chart.stream)
		return status;
	lab_write_svg(group->chart.stream, report, EL_WARM, report->front);
	group->drawn = true;
	return status;
}

/* Where the slice is the only one, the chart is of it. */
static enum el_status keep(struct lab_work *work, struct el_error *error)
{
	struct lab_group *group = work->group;
	if (group->slices.count > 1)
		return lab_totals_add(&group->totals, &work->report, work->candidates.list, error);
	return lab_draw_chart(work, &work->report, error);
}

/* What was measured before a wish to stop is told too. */
static int measure(struct lab_work *work, struct el_error *error)
{
	progress_start(&work->progress, work->cli);
	enum el_status status = el_lab_run(&work->setup, &work->progress.watch, error),
		       told = EL_OK;
	progress_clear(&work->progress);
	struct el_error why;
	if (!status || (status == EL_STOPPED && work->report.count))
		told = lab_print(work, &work->report, &why);
	if (!status && !told)
		told = keep(work, &why);
	int answer = told ? command_fail(work->cli, "lab", &why) : 0;
	if (status)
		answer = command_worse(answer, command_fail(work->cli, "lab", error));
	return command_worse(answer, worst_of(work));
}

int lab_slice(const struct lab_work *common, const struct el_slice *slice)
{
	struct lab_work work = *common;
	struct el_error error;
	int answer;
	work.setup.slice = *slice;
	if (lab_choose(&work, &error))
		answer = command_fail(work.cli, "lab", &error);
	else if (!(answer = want_slice(&work)))
		answer = prepare(&work, &error) ? command_fail(work.cli, "lab", &error)
		                                : measure(&work, &error);
	lab_candidates_free(&work.candidates);
	lab_report_free(&work.report);
	return answer;
}
