/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arguments.h"
#include "lines.h"
#include "progress.h"
#include "slices.h"
#include "../text/lab/candidates.h"
#include "../text/lab/report.h"
#include "../text/whole_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double SECONDS_MOST = 3600;

/* clang-format off */
static const struct option_help options[] = {
	{"--metric", "METRIC", "what the tables hold (by default the first metric that is built)",
	 .values = &metric_values},
	{"--codecs", "LIST", "codecs, comma-separated, with levels where they have them, such as "
	                     "raw,zstd:19 (by default all)",
	 &codec_values, true},
	{"--blocks", "LIST", "positions in a block, such as 256,4K,1M (by default 1K,16K)",
	 &block_values, true},
	{"--fills", "LIST", "what broken positions become (by default none,best)", &fill_values, true},
	{"--orders", "LIST", "which piece varies fastest, or all pieces from the slowest to the "
	                     "fastest (by default index)",
	 &order_values, true},
	{"--derive", "LIST", "what is left out (by default nothing)", &derive_values, true},
	{"--foreign", .summary = "compare with foreign tables of the slice, and fail where there are none "
	                         "(by default those that there are)"},
	{"--no-foreign", .summary = "leave foreign tables out"},
	{"--workload", "NAME", "positions that are probed: at random, along lines of play, or a scan of "
	                       "the index (by default random)",
	 .values = &workload_values},
	{"--probes", "N", .summary = "how many positions are probed (by default 100000)"},
	{"--seed", "N", .summary = "seed of the random positions (by default 1)"},
	{"--seconds", "S", .summary = "the longest that one candidate may take cold, warm or hot (by "
	                              "default 0.5)"},
	{"--json", .summary = "a JSON object for each slice, times in nanoseconds"},
	{"--csv", .summary = "comma-separated values under a line of titles"},
	{"--svg", "FILE", "also draw a chart of size against latency", .values = &file_values},
	{0},
};
/* clang-format on */

/* The run of a slice as its callbacks see it. */
struct work {
	struct cli *cli;
	const struct arguments *arguments;
	struct progress progress;
	struct lab_candidates candidates;
	struct lab_report report;
	struct el_lab_setup setup;
	struct whole_file chart;
	bool json, csv;
	bool is_first;     /* of the slices */
	bool as_they_come; /* rows are printed when there are figures, not at the end */
};

/* ---- options ---- */

static enum el_status seconds_parse(const char *text, double *out, struct el_error *error)
{
	char *end;
	const double seconds = strtod(text, &end);
	if (end == text || *end || !(seconds > 0) || seconds > SECONDS_MOST)
		return el_fail(error, EL_USAGE, "--seconds '%s': expected a number above 0, at most %g",
		               text, SECONDS_MOST);
	*out = seconds;
	return EL_OK;
}

/* ---- the metric ---- */

/* Can all the values be had? A null metric stands for any. */
static bool is_built(struct el_library *library, const struct el_slice *slice,
                     const struct el_metric *metric)
{
	const struct el_metric *m = NULL;
	while ((m = el_library_next_metric(library, slice, m)))
		if ((!metric || el_metric_tells(m, metric)) &&
		    !el_library_find(library, slice, m, NULL))
			return true;
	return false;
}

/* All files that were found. */
struct files {
	struct el_entry *entries; /* owned */
	size_t count;
};

/* Of our tables, else of the foreign ones, the first one with depths, or the first one; else the game's
   own. Of a foreign format, ours is what has its name. */
static const struct el_metric *usual_metric(const struct files *files, const struct el_slice *slice)
{
	const struct el_entry *best = NULL;
	for (size_t i = 0; i < files->count; i++) {
		const struct el_entry *e = &files->entries[i];
		if (e->ignored || !el_slice_equal(&e->slice, slice))
			continue;
		const bool better = !best || e->ours > best->ours ||
		                    (e->ours == best->ours &&
		                     e->metric->has_depth > best->metric->has_depth);
		best = better ? e : best;
	}
	return best ? el_metric_find(best->metric->name) : el_game_metric(slice->game);
}

static bool is_compared(const struct files *files, const struct el_slice *slice,
                        const struct el_metric *metric)
{
	for (size_t i = 0; i < files->count; i++)
		if (el_lab_foreign(&files->entries[i], slice, metric))
			return true;
	return false;
}

/* Where foreign files are wanted, one that they have. */
static const struct el_metric *default_metric(const struct work *work, const struct files *files)
{
	const struct el_slice *slice = &work->setup.slice;
	const struct el_metric *usual = usual_metric(files, slice);
	if (!option_given(work->arguments, "--foreign") || is_compared(files, slice, usual))
		return usual;
	for (const struct el_metric *const *m = slice->game->metrics; *m; m++)
		if (is_compared(files, slice, *m) && is_built(work->cli->library, slice, *m))
			return *m;
	return usual;
}

static enum el_status metric_option(struct work *work, const struct files *files,
                                    struct el_error *error)
{
	const char *name = option_value(work->arguments, "--metric");
	work->setup.metric = name ? metric_parse(name, error) : default_metric(work, files);
	return work->setup.metric
	               ? metric_suits(work->setup.metric, work->setup.slice.game, error)
	               : EL_USAGE;
}

/* Those that hold for all slices. */
static enum el_status options_parse(struct work *work, struct el_error *error)
{
	const struct arguments *arguments = work->arguments;
	const char *workload = option_value(arguments, "--workload");
	const char *probes = option_value(arguments, "--probes");
	const char *seed = option_value(arguments, "--seed");
	const char *seconds = option_value(arguments, "--seconds");
	uint64_t count = LAB_PROBES;
	enum el_status status = EL_OK;
	work->setup.seed = 1;
	work->setup.seconds = LAB_SECONDS;
	work->json = option_given(arguments, "--json");
	work->csv = option_given(arguments, "--csv");
	if (work->json && work->csv)
		return el_fail(error, EL_USAGE, "--json and --csv exclude each other");
	if (option_given(arguments, "--foreign") && option_given(arguments, "--no-foreign"))
		return el_fail(error, EL_USAGE, "--foreign and --no-foreign exclude each other");
	if (workload)
		status = el_workload_parse(workload, &work->setup.workload, error);
	if (!status && probes)
		status = number_parse("--probes", probes, 1, LAB_PROBES_MOST, &count, error);
	if (!status && seed)
		status = number_parse("--seed", seed, 0, UINT64_MAX, &work->setup.seed, error);
	if (!status && seconds)
		status = seconds_parse(seconds, &work->setup.seconds, error);
	work->setup.probes = (size_t)count;
	return status;
}

/* ---- candidates ---- */

/* Why there is no foreign file to compare with: one that cannot be used, or none at all. */
static enum el_status no_foreign(const struct work *work, const struct files *files,
                                 struct el_error *error)
{
	const struct el_slice *slice = &work->setup.slice;
	for (const struct el_entry *e = files->entries; e < files->entries + files->count; e++)
		if (e->status && e->metric && strcmp(e->kind, el_source_egt.kind) &&
		    el_slice_equal(&e->slice, slice))
			return el_fail(error, e->status, "%s: %s", e->path, e->ignored);
	return el_fail(error, EL_NEGATIVE,
	               "no foreign table of %s to compare %s with; --path and $ENDLAB_PATH name "
	               "the folders of such tables",
	               slice->name, work->setup.metric->name);
}

/* Those that are there, unless somebody says otherwise. */
static enum el_status add_foreign(struct work *work, const struct files *files,
                                  struct el_error *error)
{
	const size_t ours = work->candidates.count;
	if (option_given(work->arguments, "--no-foreign"))
		return EL_OK;
	enum el_status status =
		lab_candidates_add_foreign(&work->candidates, files->entries, files->count,
	                                   &work->setup.slice, work->setup.metric, error);
	if (!status && work->candidates.count == ours &&
	    option_given(work->arguments, "--foreign"))
		status = no_foreign(work, files, error);
	return status;
}

static enum el_status choose(struct work *work, struct el_error *error)
{
	const struct arguments *arguments = work->arguments;
	struct files files;
	const struct lab_lists lists = {
		.codecs = option_value(arguments, "--codecs"),
		.blocks = option_value(arguments, "--blocks"),
		.fills = option_value(arguments, "--fills"),
		.orders = option_value(arguments, "--orders"),
		.derive = option_value(arguments, "--derive"),
	};
	enum el_status status =
		el_library_list(work->cli->library, &files.entries, &files.count, error);
	if (status)
		return status;
	status = metric_option(work, &files, error);
	if (!status)
		status = lab_candidates_parse(&lists, &work->setup.slice, &work->candidates, error);
	if (!status)
		status = add_foreign(work, &files, error);
	el_entries_free(files.entries, files.count);
	return status;
}

/* ---- a slice that is not there ---- */

static bool is_asked_by_a_person(const struct cli *cli)
{
	return cli->bar && cli->in && isatty(cli->in->fd);
}

/* EL_NEGATIVE, without words: no. */
static enum el_status agrees(struct cli *cli, const struct el_slice *slice,
                             const struct el_metric *metric, struct el_error *error)
{
	struct line line;
	fprintf(cli->err, "%s has no %s table. Build it now? [y/N] ", slice->name,
	        metric->name);
	fflush(cli->err);
	enum el_status status = lines_next(cli->in, cli->out, &line, error);
	if (status == EL_STOPPED) {
		fputc('\n', cli->err); /* behind the question */
		return el_fail(error, status, "stopped");
	}
	return status                                       ? status
	       : *line.text == 'y' || *line.text == 'Y' ? EL_OK
	                                                : EL_NEGATIVE;
}

static enum el_status missing(struct work *work, struct el_error *error)
{
	const struct el_slice *slice = &work->setup.slice;
	const bool any = is_built(work->cli->library, slice, NULL);
	return command_missing(work->cli, slice, any ? work->setup.metric : NULL, error);
}

/* Builds the slice if it is missing and someone says so. Returns an exit status; what went wrong is
   told. */
static int want_slice(struct work *work)
{
	struct cli *cli = work->cli;
	struct el_error error;
	const struct el_slice *slice = &work->setup.slice;
	const struct el_metric *metric = work->setup.metric;
	if (is_built(cli->library, slice, metric))
		return 0;
	enum el_status status = is_asked_by_a_person(cli) ? agrees(cli, slice, metric, &error)
	                                                  : EL_NEGATIVE;
	if (status == EL_NEGATIVE)
		status = missing(work, &error);
	if (status)
		return command_fail(cli, "lab", &error);
	char name[EL_SLICE_MAX], wanted[16];
	snprintf(name, sizeof name, "%s", slice->name);
	snprintf(wanted, sizeof wanted, "%s", metric->name);
	char *argv[] = {"build", name, "--metric", wanted, NULL};
	struct cli quiet = *cli;
	quiet.out = cli->err; /* the answer to come is the lab's alone */
	return command_run(&quiet, 4, argv);
}

/* ---- results ---- */

static bool is_text(const struct work *work)
{
	return !work->json && !work->csv;
}

static void hear_ground(void *context, const struct el_lab_ground *ground)
{
	struct work *work = context;
	work->report.ground = *ground;
	if (!is_text(work))
		return;
	progress_clear(&work->progress);
	if (!work->is_first)
		fputc('\n', work->cli->out);
	lab_text_head(work->cli->out, &work->report);
	if (work->as_they_come)
		lab_text_titles(work->cli->out);
	fflush(work->cli->out);
}

static void hear_result(void *context, size_t candidate, const struct el_lab_result *result)
{
	struct work *work = context;
	lab_report_add(&work->report, result, work->candidates.codec[candidate]);
	if (!work->as_they_come)
		return;
	progress_clear(&work->progress);
	lab_text_row(work->cli->out, &work->report, work->report.count - 1, false);
	fflush(work->cli->out);
}

static void print_text(const struct work *work)
{
	const struct lab_report *report = &work->report;
	FILE *out = work->cli->out;
	if (work->as_they_come)
		fputs("\nPareto front of bits per position and the p99 of warm probes\n", out);
	lab_text_titles(out);
	for (size_t i = 0; i < report->count; i++)
		if (report->results[i].pareto || !work->as_they_come)
			lab_text_row(out, report, i, true);
	lab_text_tail(out, report);
}

/* All that is to be said once the figures are there. Returns an exit status. */
static int print(struct work *work)
{
	struct el_error error;
	el_lab_pareto(work->report.results, work->report.count, EL_WARM);
	if (work->json && !lab_write_json(work->cli->out, &work->report)) {
		el_fail(&error, EL_MEMORY, "the answer: out of memory");
		return command_fail(work->cli, "lab", &error);
	}
	if (work->csv)
		lab_write_csv(work->cli->out, &work->report, work->is_first);
	else if (!work->json && work->report.count)
		print_text(work);
	fflush(work->cli->out);
	return 0;
}

/* What went wrong with one candidate shows, whatever became of the others. */
static int worst_of(struct work *work)
{
	int answer = 0;
	for (size_t i = 0; i < work->report.count; i++)
		answer = command_worse(answer, command_exit(work->report.results[i].status));
	return answer;
}

/* ---- the run ---- */

static enum el_status prepare(struct work *work, struct el_error *error)
{
	const char *chart = option_value(work->arguments, "--svg");
	struct lab_report *report = &work->report;
	enum el_status status = lab_report_make(report, work->candidates.count, error);
	if (!status && chart)
		status = whole_file_open(chart, &work->chart, error);
	report->slice = work->setup.slice;
	report->metric = work->setup.metric;
	report->workload = work->setup.workload;
	report->seed = work->setup.seed;
	report->seconds = work->setup.seconds;
	work->setup.library = work->cli->library;
	work->setup.candidates = work->candidates.list;
	work->setup.count = work->candidates.count;
	work->setup.context = work;
	work->setup.ground = hear_ground;
	work->setup.result = hear_result;
	work->as_they_come = is_text(work) && work->cli->is_screen;
	return status;
}

/* What was measured before a wish to stop is told too, but for the chart. */
static int measure(struct work *work, struct el_error *error)
{
	progress_start(&work->progress, work->cli);
	enum el_status status = el_lab_run(&work->setup, &work->progress.watch, error);
	progress_clear(&work->progress);
	int answer = 0;
	if (!status || (status == EL_STOPPED && work->report.count))
		answer = print(work);
	if (!status && work->chart.stream)
		lab_write_svg(work->chart.stream, &work->report, EL_WARM);
	status = whole_file_close(&work->chart, status, error);
	if (status)
		answer = command_worse(answer, command_fail(work->cli, "lab", error));
	return command_worse(answer, worst_of(work));
}

/* `common` has the options. */
static int run_slice(const struct work *common, const struct el_slice *slice, bool is_first)
{
	struct work work = *common;
	struct el_error error;
	int answer;
	work.setup.slice = *slice;
	work.is_first = is_first;
	if (choose(&work, &error))
		answer = command_fail(work.cli, "lab", &error);
	else if (!(answer = want_slice(&work)))
		answer = prepare(&work, &error) ? command_fail(work.cli, "lab", &error)
		                                : measure(&work, &error);
	lab_candidates_free(&work.candidates);
	lab_report_free(&work.report);
	return answer;
}

static enum el_status slices_parse(const struct work *work, struct slices *out,
                                   struct el_error *error)
{
	enum el_status status = EL_OK;
	for (int i = 0; i < work->arguments->count && !status; i++)
		status = slices_add(out, work->arguments->words[i], error);
	if (!status && out->count > 1 && option_given(work->arguments, "--svg"))
		status = el_fail(error, EL_USAGE, "--svg draws one slice: expected one, found %zu",
		                 out->count);
	return status;
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	struct work common = {.cli = cli, .arguments = arguments};
	struct slices slices = {0};
	struct el_error error;
	int answer = 0;
	if (options_parse(&common, &error) || slices_parse(&common, &slices, &error))
		answer = command_fail(cli, "lab", &error);
	else
		for (size_t i = 0; i < slices.count && !command_stopped(answer); i++)
			answer = command_worse(answer,
			                       run_slice(&common, &slices.list[i], i == 0));
	slices_free(&slices);
	return answer;
}

const struct command command_lab = {
	.name = "lab",
	.arguments = "SLICE... [OPTION...]",
	.summary = "compare codecs, block sizes, fills and foreign files on a real table",
	.help = "Writes the table of a slice in every combination of the lists given, and measures what "
	        "each costs: bytes, and the time of a probe. Each combination is written to a file, read "
	        "back and compared in full, then probed with the same positions in the same order. The "
	        "files are removed afterwards.\n"
	        "A cold probe reads from the disk: the file is not in the system's page cache. A warm "
	        "probe finds it there, but nothing in Endlab's own memory. A hot probe finds its block in "
	        "memory. '*' marks the Pareto front: no other combination is both smaller and faster, by "
	        "the p99 of warm probes.\n"
	        "Syzygy and Gaviota files of the slice are measured beside ours, as they are: the same "
	        "positions, probed in the same way, with their values compared. What does not apply to "
	        "them is shown as '-', and is null in JSON. Captures are looked up in tables of the "
	        "same kind, where there are any. " SLICES_HELP "\n"
	        "  endlab lab @SLICE --codecs raw,zstd:19 --blocks 256,4K,64K\n"
	        "  endlab lab @SLICE --workload line --csv --svg chart.svg\n"
	        "  endlab lab 3-4 --metric wdl50 --codecs pairs --foreign --path DIR --csv",
	.complete = "slice",
	.options = options,
	.least = 1,
	.most = -1,
	.run = run,
};
