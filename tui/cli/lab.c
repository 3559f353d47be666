/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arguments.h"
#include "progress.h"
#include "tui/text/files.h"
#include "tui/text/lab/candidates.h"
#include "tui/text/lab/report.h"
#include "tui/text/lines.h"
#include "tui/text/numbers.h"
#include "tui/text/slices.h"

#include <limits.h>
#include <stdio.h>
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
	 &codec_values, .is_list = true},
	{"--blocks", "LIST", "positions in a block, such as 256,4K,1M (by default 1K,16K)",
	 &block_values, .is_list = true},
	{"--fills", "LIST", "what broken positions become (by default none,best)", &fill_values, .is_list = true},
	{"--orders", "LIST", "which piece varies fastest, or all pieces from the slowest to the "
	                     "fastest; best has the fewest runs, smallest takes the fewest bytes, which is "
	                     "tried (by default index)",
	 &order_values, .is_list = true},
	{"--derive", "LIST", "what is left out (by default nothing)", &derive_values, .is_list = true},
	{"--foreign", .summary = "compare with foreign tables of the slice, and fail where there are none "
	                         "(by default those that there are)"},
	{"--no-foreign", .summary = "leave foreign tables out"},
	{"--workload", "WHAT", "positions that are probed: random, along a line of play, or a scan of the "
	                       "index; or the trace of a search: a file with a FEN or EPD a line, in the "
	                       "order in which they were asked for (by default random)",
	 .values = &workload_values},
	{"--probes", "N", .summary = "how many positions are probed (by default 100000, or the whole trace)"},
	{"--seed", "N", .summary = "seed of the random positions (by default 1)"},
	{"--seconds", "S", .summary = "the longest that one candidate may take cold, warm or hot (by "
	                              "default 0.5)"},
	{"--front", "TIME", "by which time of warm probes the Pareto front is marked: p99, p50 or cpu, the "
	                    "p99 of CPU time (by default p99)", .values = &front_values},
	{"--references", .summary = "also what the values come to where they are paired as in Syzygy's files, "
	                            "and, as a bound, where the predictions of many contexts are mixed: a "
	                            "minute or so for ten million positions"},
	{"--shared", .summary = "with several slices, also what they come to if they share what a codec learns: "
	                        "one dictionary or grammar for all (of a side to move), instead of one for each"},
	{"--json", .summary = "a JSON object for each slice, times in nanoseconds"},
	{"--csv", .summary = "comma-separated values under a line of titles"},
	{"--svg", "FILE", "also draw a chart of size against time; a % in the name stands for regime "
	                  "and time, and there is a file for each", .values = &file_values},
	{0},
};
/* clang-format on */

enum { NAMED_MOST = 4 };

/* The slices of a command: their totals, and those that have no table. */
struct group {
	struct slices slices;
	struct lab_totals totals;
	size_t missing;
	/* of the first NAMED_MOST of these, separated by commas */
	char names[192];
	struct whole_file chart; /* its stream null: none, or several, are wanted */
	const char *charts;      /* the name pattern of several, containing '%'; null: none */
	bool drawn;
	bool told; /* something has been printed */
};

/* The run of a slice, for its callbacks. */
struct work {
	struct cli *cli;
	const struct arguments *arguments;
	struct group *group;
	struct progress progress;
	struct lab_candidates candidates;
	struct lab_report report;
	struct el_lab_setup setup;
	struct el_entry *entries; /* all files found while candidates are chosen */
	size_t entry_count;
	bool json, csv;
	enum el_lab_time front;
};

/* ---- options ---- */

/* Parses the options that apply to all slices, and the slices. */
static enum el_status options_parse(struct work *work, struct el_error *error)
{
	const struct arguments *arguments = work->arguments;
	const char *workload = option_value(arguments, "--workload");
	const char *front = option_value(arguments, "--front");
	const char *seconds = option_value(arguments, "--seconds");
	const char *chart = option_value(arguments, "--svg");
	uint64_t count = LAB_PROBES;
	work->setup.seed = 1;
	work->setup.seconds = LAB_SECONDS;
	work->setup.slow_references = option_given(arguments, "--references");
	work->json = option_given(arguments, "--json");
	work->csv = option_given(arguments, "--csv");
	if (work->json && work->csv)
		return el_fail(error, EL_USAGE, "--json and --csv exclude each other");
	if (option_given(arguments, "--foreign") && option_given(arguments, "--no-foreign"))
		return el_fail(error, EL_USAGE, "--foreign and --no-foreign exclude each other");
	if (workload)
		work->setup.workload = el_workload_parse(workload);
	if (work->setup.workload == EL_WORKLOAD_TRACE) {
		work->setup.trace = workload;
		count = LAB_PROBES_MOST;
	}
	enum el_status status =
		number_option(arguments, "--probes", 1, LAB_PROBES_MOST, &count, error);
	if (!status)
		status =
			number_option(arguments, "--seed", 0, UINT64_MAX, &work->setup.seed, error);
	if (!status && seconds) {
		char *end;
		const double number = work->setup.seconds = strtod(seconds, &end);
		if (end == seconds || *end || !(number > 0) || number > SECONDS_MOST)
			status = el_fail(error, EL_USAGE,
			                 "--seconds '%s': expected a number above 0, at most %g",
			                 seconds, SECONDS_MOST);
	}
	if (!status && front)
		status = el_lab_time_parse(front, &work->front, error);
	work->setup.probes = (size_t)count;
	for (int i = 0; i < arguments->count && !status; i++)
		status = slices_add(&work->group->slices, arguments->words[i], error);
	if (!status && option_given(arguments, "--shared") && work->group->slices.count < 2)
		status = el_fail(
			error, EL_USAGE,
			"--shared: expected several slices, found %s alone; name more, such "
			"as a group",
			work->group->slices.list[0].name);
	if (chart && strchr(chart, '%'))
		work->group->charts = chart;
	else if (!status && chart)
		status = whole_file_open(chart, &work->group->chart, error);
	return status;
}

/* ---- the metric ---- */

/* Are the slice's values available? A null metric means under any metric. */
static bool is_built(const struct work *work, const struct el_metric *metric)
{
	struct el_library *library = work->cli->library;
	const struct el_slice *slice = &work->setup.slice;
	const struct el_metric *m = NULL;
	while ((m = el_library_next_metric(library, slice, m)))
		if ((!metric || el_metric_tells(m, metric)) &&
		    !el_library_find(library, slice, m, NULL))
			return true;
	return false;
}

/* Is there a foreign file to compare with tables of the metric? */
static bool is_compared(const struct work *work, const struct el_metric *metric)
{
	for (size_t i = 0; i < work->entry_count; i++)
		if (el_lab_foreign(&work->entries[i], &work->setup.slice, metric))
			return true;
	return false;
}

/* If foreign files are requested, a metric that they have. */
static const struct el_metric *default_metric(const struct work *work)
{
	const struct el_slice *slice = &work->setup.slice;
	/* Among our tables, or the foreign ones if we have none, the metric of the first with
	   depths, else of the first; without tables the game's own. For a foreign format, our
	   metric of its name. */
	const struct el_entry *best = NULL;
	for (const struct el_entry *e = work->entries; e < work->entries + work->entry_count; e++) {
		if (e->ignored || !el_slice_equal(&e->slice, slice))
			continue;
		const bool better =
			!best || e->ours > best->ours ||
			(e->ours == best->ours && e->metric->has_depth > best->metric->has_depth);
		best = better ? e : best;
	}
	const struct el_metric *usual =
		best ? el_metric_find(best->metric->name) : el_game_metric(slice->game);
	if (!option_given(work->arguments, "--foreign") || is_compared(work, usual))
		return usual;
	for (const struct el_metric *const *m = slice->game->metrics; *m; m++)
		if (is_compared(work, *m) && is_built(work, *m))
			return *m;
	return usual;
}

/* ---- candidates ---- */

/* Why there is no foreign file to compare with: it cannot be used, or there is none. */
static enum el_status no_foreign(const struct work *work, struct el_error *error)
{
	const struct el_slice *slice = &work->setup.slice;
	for (const struct el_entry *e = work->entries; e < work->entries + work->entry_count; e++)
		if (e->status && e->metric && strcmp(e->kind, el_source_egt.kind) &&
		    el_slice_equal(&e->slice, slice))
			return el_fail(error, e->status, "%s: %s", e->path, e->ignored);
	return el_fail(error, EL_NEGATIVE,
	               "no foreign table of %s to compare %s with; --path and $ENDLAB_PATH name "
	               "the folders of such tables",
	               slice->name, work->setup.metric->name);
}

/* Sets the metric and the candidates of work->setup.slice: with the foreign files found, unless an option
   says otherwise. */
static enum el_status choose(struct work *work, struct el_error *error)
{
	const struct arguments *arguments = work->arguments;
	struct lab_candidates *candidates = &work->candidates;
	const struct lab_lists lists = {
		.codecs = option_value(arguments, "--codecs"),
		.blocks = option_value(arguments, "--blocks"),
		.fills = option_value(arguments, "--fills"),
		.orders = option_value(arguments, "--orders"),
		.derive = option_value(arguments, "--derive"),
	};
	enum el_status status =
		el_library_list(work->cli->library, &work->entries, &work->entry_count, error);
	if (status)
		return status;
	work->setup.metric = default_metric(work);
	status = metric_option(arguments, "--metric", &work->setup.metric, error);
	if (!status)
		status = metric_suits(work->setup.metric, work->setup.slice.game, error);
	if (!status)
		status = lab_candidates_parse(&lists, &work->setup.slice, candidates, error);
	const size_t ours = candidates->count;
	if (!status && !option_given(arguments, "--no-foreign"))
		status = lab_candidates_add_foreign(candidates, work->entries, work->entry_count,
		                                    &work->setup.slice, work->setup.metric, error);
	if (!status && option_given(arguments, "--foreign") && candidates->count == ours)
		status = no_foreign(work, error);
	el_entries_free(work->entries, work->entry_count);
	return status;
}

/* ---- a missing slice ---- */

extern const struct command command_build;

/* Asks the user. EL_NEGATIVE without a message: no. */
static enum el_status agrees(struct cli *cli, const struct el_slice *slice,
                             const struct el_metric *metric, struct el_error *error)
{
	struct line line;
	fprintf(cli->err, "%s has no %s table. Build it now? [y/N] ", slice->name, metric->name);
	fflush(cli->err);
	enum el_status status = lines_next(cli->in, cli->out, &line, error);
	if (status == EL_STOPPED) {
		fputc('\n', cli->err); /* ends the line of the question */
		return el_fail(error, status, "stopped");
	}
	return status ? status : *line.text == 'y' || *line.text == 'Y' ? EL_OK : EL_NEGATIVE;
}

/* Builds a missing slice if the user agrees. Returns an exit status; reports errors. */
static int want_slice(struct work *work)
{
	struct cli *cli = work->cli;
	struct el_error error;
	const struct el_slice *slice = &work->setup.slice;
	const struct el_metric *metric = work->setup.metric;
	enum el_status status = EL_NEGATIVE;
	if (is_built(work, metric))
		return 0;
	/* Ask only a person. */
	if (work->group->slices.count == 1 && cli->bar && cli->in && isatty(cli->in->text.fd))
		status = agrees(cli, slice, metric, &error);
	if (status == EL_NEGATIVE) {
		/* With several slices, one line at the end names those without a table. */
		struct group *group = work->group;
		const bool any = is_built(work, NULL);
		const enum el_status missing =
			command_missing(work->cli, slice, any ? work->setup.metric : NULL, &error);
		if (missing != EL_NEGATIVE || group->slices.count == 1)
			return command_fail(work->cli, "lab", &error);
		if (group->missing++ < NAMED_MOST)
			el_words_add(group->names, sizeof group->names, ", ", slice->name);
		return command_exit(missing);
	}
	if (status)
		return command_fail(cli, "lab", &error);
	char name[EL_SLICE_MAX], wanted[16];
	snprintf(name, sizeof name, "%s", slice->name);
	snprintf(wanted, sizeof wanted, "%s", metric->name);
	char *argv[] = {"build", name, "--metric", wanted, NULL};
	struct cli quiet = *cli;
	quiet.out = cli->err; /* standard output is for the lab's results */
	return command_run_words(&quiet, &command_build, 4, argv);
}

/* ---- results ---- */

static void hear_ground(void *context, const struct el_lab_ground *ground)
{
	struct work *work = context;
	work->report.ground = *ground;
	if (work->json || work->csv)
		return;
	progress_clear(&work->progress);
	if (work->group->told)
		fputc('\n', work->cli->out);
	lab_text_head(work->cli->out, &work->report);
	fflush(work->cli->out);
}

/* Called twice per candidate. */
static void hear_result(void *context, size_t candidate, const struct el_lab_result *result)
{
	struct work *work = context;
	if (candidate < work->report.count)
		work->report.results[candidate] = *result;
	else
		lab_report_add(&work->report, result, work->candidates.codec[candidate]);
}

static enum el_status print(const struct work *work, struct lab_report *report,
                            struct el_error *error)
{
	FILE *out = work->cli->out;
	el_lab_pareto(report->results, report->count, EL_WARM, report->front);
	if (work->json && !lab_write_json(out, report))
		return el_fail(error, EL_MEMORY, "the answer: out of memory");
	if (work->csv) {
		lab_write_csv(out, report, !work->group->told);
	} else if (!work->json && report->count) {
		lab_text_titles(out, report);
		for (size_t i = 0; i < report->count; i++)
			lab_text_row(out, report, i);
		lab_text_tail(out, report);
	}
	work->group->told = true;
	fflush(out);
	return EL_OK;
}

/* ---- the run ---- */

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

/* Is there anything to draw? */
static bool has_times(const struct lab_report *report, enum el_regime regime, enum el_lab_time time)
{
	for (size_t i = 0; i < report->count; i++)
		if (el_lab_time_of(&report->results[i].latency[regime], time) > 0)
			return true;
	return false;
}

static enum el_status draw_chart(const struct work *work, struct lab_report *report,
                                 struct el_error *error)
{
	struct group *group = work->group;
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

/* Measurements made before a stop are reported too. */
static int measure(struct work *work, struct el_error *error)
{
	struct lab_report *report = &work->report;
	enum el_status status = lab_report_make(report, work->candidates.count, error),
		       told = EL_OK;
	if (status)
		return command_fail(work->cli, "lab", error);
	report->slice = work->setup.slice;
	report->metric = work->setup.metric;
	report->workload = work->setup.workload;
	report->trace = work->setup.trace;
	report->seed = work->setup.seed;
	report->seconds = work->setup.seconds;
	report->front = work->front;
	work->setup.library = work->cli->library;
	work->setup.candidates = work->candidates.list;
	work->setup.count = work->candidates.count;
	work->setup.context = work;
	work->setup.ground = hear_ground;
	work->setup.result = hear_result;
	progress_start(&work->progress, work->cli);
	status = el_lab_run(&work->setup, &work->progress.watch, error);
	progress_clear(&work->progress);
	struct el_error why;
	if (!status || (status == EL_STOPPED && report->count))
		told = print(work, report, &why);
	/* A single slice has the chart to itself. */
	if (!status && !told && work->group->slices.count > 1)
		told = lab_totals_add(&work->group->totals, report, work->candidates.list, &why);
	else if (!status && !told)
		told = draw_chart(work, report, &why);
	int answer = told ? command_fail(work->cli, "lab", &why) : 0;
	if (status)
		answer = command_worse(answer, command_fail(work->cli, "lab", error));
	/* A failed candidate sets the exit status, whatever the others do. */
	for (size_t i = 0; i < report->count; i++)
		answer = command_worse(answer, command_exit(report->results[i].status));
	return answer;
}

static int run_slice(const struct work *common, const struct el_slice *slice)
{
	struct work work = *common;
	struct el_error error;
	int answer;
	work.setup.slice = *slice;
	if (choose(&work, &error))
		answer = command_fail(work.cli, "lab", &error);
	else if (!(answer = want_slice(&work)))
		answer = measure(&work, &error);
	lab_candidates_free(&work.candidates);
	lab_report_free(&work.report);
	return answer;
}

/* ---- slice after slice ---- */

/* "... of KBBvK, KBNvK and 29 others (31 of 35 slices). Run 'endlab build all' to build them." */
static int tell_missing(const struct work *work)
{
	const struct group *group = work->group;
	const char *metric = option_value(work->arguments, "--metric");
	char others[48] = "", words[160] = "";
	const size_t named = group->missing < NAMED_MOST ? group->missing : NAMED_MOST;
	if (group->missing > named)
		snprintf(others, sizeof others, " and %zu %s", group->missing - named,
		         plural(group->missing - named, "other", "others"));
	for (int i = 0; i < work->arguments->count; i++)
		el_words_add(words, sizeof words, " ", work->arguments->words[i]);
	return command_say(work->cli, "lab", EL_NEGATIVE,
	                   "no %s%stable of %s%s (%zu of %zu slices) in %s. Run 'endlab "
	                   "build %s%s%s' to build what is missing.",
	                   metric ? metric : "", metric ? " " : "", group->names, others,
	                   group->missing, group->slices.count,
	                   el_library_directory(work->cli->library), words,
	                   metric ? " --metric " : "", metric ? metric : "");
}

/* What a codec that learns from the board cannot share stays without figures. */
static enum el_status share(struct work *work, struct lab_report *report, struct el_error *error)
{
	enum el_status status = EL_OK;
	progress_start(&work->progress, work->cli);
	for (size_t i = 0; i < report->count && !status; i++) {
		struct el_lab_result *r = &report->results[i];
		if (r->status || r->candidate.foreign || r->candidate.options.codec.codec->looks)
			continue;
		status = el_lab_share(work->cli->library, report->slices, report->slice_count,
		                      report->metric, &r->candidate.options, &work->progress.watch,
		                      &r->shared, error);
	}
	progress_clear(&work->progress);
	return status;
}

/* Reports the totals of several slices. */
static enum el_status tell_totals(struct work *work, struct el_error *error)
{
	struct group *group = work->group;
	struct lab_report report;
	enum el_status status = lab_totals_report(&group->totals, &report, error);
	if (!status && option_given(work->arguments, "--shared"))
		status = share(work, &report, error);
	if (!status && !work->json && !work->csv)
		lab_text_head(work->cli->out, &report);
	if (!status)
		status = print(work, &report, error);
	if (!status)
		status = draw_chart(work, &report, error);
	lab_report_free(&report);
	return status;
}

/* Returns an exit status. */
static int run_all(struct work *work)
{
	struct group *group = work->group;
	struct el_error error = {.status = EL_NEGATIVE};
	int answer = 0;
	const int wrong = command_exit(EL_USAGE); /* what is asked for, whatever the slice */
	for (size_t i = 0; i < group->slices.count && !command_stopped(answer) && answer != wrong;
	     i++)
		answer = command_worse(answer, run_slice(work, &group->slices.list[i]));
	if (command_stopped(answer) || answer == wrong)
		return answer;
	if (group->totals.slice_count > 1 && tell_totals(work, &error))
		answer = command_worse(answer, command_fail(work->cli, "lab", &error));
	return group->missing ? command_worse(answer, tell_missing(work)) : answer;
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	struct group group = {.slices = {0}};
	struct work common = {.cli = cli, .arguments = arguments, .group = &group};
	struct el_error error;
	int answer;
	if (options_parse(&common, &error))
		answer = command_fail(cli, "lab", &error);
	else
		answer = run_all(&common);
	if (whole_file_close(&group.chart, group.drawn ? EL_OK : EL_NEGATIVE, &error) &&
	    group.drawn)
		answer = command_worse(answer, command_fail(cli, "lab", &error));
	slices_free(&group.slices);
	lab_totals_free(&group.totals);
	return answer;
}

const struct command command_lab = {
	.name = "lab",
	.arguments = "SLICE... [OPTION...]",
	.summary = "compare codecs, block sizes, fills and foreign files on a real table",
	.help = "Writes the table of a slice in every combination of the lists given, and measures "
		"what each costs: bytes, and the time of a probe. Each combination is written to a "
		"file, read back and compared in full, then probed with the same positions in the "
		"same order, in 20 rounds: in each, every combination has its turn, in a new "
		"order, so that a passing disturbance affects all of them. All files are on the "
		"disk at once; they are removed afterwards.\n"
		"A cold probe reads from the disk: the file is not in the system's page cache. A "
		"warm probe finds it there, but not in Endlab's own memory. A hot probe finds "
		"its block in memory, as far as 1 GB of decoded blocks of all combinations goes. "
		"If captures or a side are derived, a probe may need values of smaller tables: "
		"their blocks are in memory, so these times are the combination's own; a table "
		"below gives the time of a warm probe that reads those blocks too. The column "
		"'whole list' is what a search pays: the mean over all probes in their order, "
		"when memory is empty at first and keeps every block.\n"
		"A trace may have positions of many slices, each as often as it was asked for; "
		"those of other slices are counted and left out. An engine that probes through "
		"samples/engine/tbprobe.c writes its trace where $ENDLAB_TRACE says.\n"
		"'*' marks the Pareto front: the smallest combination, and each larger one that is "
		"surely faster than the smaller ones marked, by the time that --front names. "
		"Surely faster means by at least a fifth, with intervals that do not overlap.\n"
		"Samples during which the thread lost its processor (ru_nivcsw of getrusage) are "
		"counted and left out; a sample of CPU time is never left out. Intervals hold the "
		"quantile with 95 % confidence: rounds are drawn with repetition 200 times, and "
		"the quantile is taken of all samples of those rounds. With fewer than 368 samples "
		"there is no interval of p99: it is null in JSON, empty in CSV.\n"
		"References give the size of the values in a coder that knows some neighbours of "
		"each position and nothing else: none (order 0); the value with one piece one "
		"place back, the piece that tells the most (order 1); also two places back (order "
		"2); and the values with each of the pieces one place back (neighbours). The first "
		"figure is the empirical conditional entropy, in bytes: such a code is known and "
		"costs nothing, so many contexts flatter it. The second is the size in a coder "
		"that learns on the way and begins each context with one value seen, divided "
		"evenly among all. Broken positions do not count, nor, if captures are derived, do "
		"those whose value a capture determines; as neighbours they are a value of their "
		"own. Stretches stand for a plane of more than 4M positions. Charts draw the first "
		"figures.\n"
		"Files of other programs of the slice are measured beside ours, as they are: the "
		"same positions, probed in the same way, with their values compared. Figures that "
		"do not apply to them are '-', in JSON null. Captures are looked up in tables of "
		"the same kind, if there are any. " SLICES_HELP "\n"
		"With several slices, a last table (in JSON and CSV the slice 'all') sums each "
		"combination up: bytes are totals, times are means over the slices, each counting "
		"the same. --svg then draws that. Slices without a table are named in one line at "
		"the end.\n"
		"  endlab lab @SLICE --codecs raw,zstd:19 --blocks 256,4K,64K\n"
		"  endlab lab @SLICE --workload line --csv --svg chart.svg\n"
		"  endlab lab @SLICE --workload search.trace --csv\n"
		"  endlab lab 3-4 --metric wdl50 --codecs pairs --foreign --path DIR --csv",
	.complete = "slice",
	.options = options,
	.least = 1,
	.most = -1,
	.rights = WRITES_TABLES | WRITES_TEMPORARY,
	.run = run,
};
