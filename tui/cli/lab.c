/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lab_work.h"
#include "tui/text/numbers.h"

#include <stdlib.h>
#include <string.h>

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
	                     "fastest; best has the fewest runs, smallest takes the fewest bytes, which is "
	                     "tried (by default index)",
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
	{"--front", "TIME", "by which time of warm probes the Pareto front is marked: p99, p50 or cpu, the "
	                    "p99 of CPU time (by default p99)", .values = &front_values},
	{"--json", .summary = "a JSON object for each slice, times in nanoseconds"},
	{"--csv", .summary = "comma-separated values under a line of titles"},
	{"--svg", "FILE", "also draw a chart of size against time; a % in the name stands for regime "
	                  "and time, and there is a file for each", .values = &file_values},
	{0},
};
/* clang-format on */

/* ---- options ---- */

static enum el_status seconds_parse(const char *text, double *out, struct el_error *error)
{
	char *end;
	const double seconds = strtod(text, &end);
	if (end == text || *end || !(seconds > 0) || seconds > SECONDS_MOST)
		return el_fail(error, EL_USAGE,
		               "--seconds '%s': expected a number above 0, at most %g", text,
		               SECONDS_MOST);
	*out = seconds;
	return EL_OK;
}

/* Those that hold for all slices. */
static enum el_status options_parse(struct lab_work *work, struct el_error *error)
{
	const struct arguments *arguments = work->arguments;
	const char *workload = option_value(arguments, "--workload");
	const char *probes = option_value(arguments, "--probes");
	const char *seed = option_value(arguments, "--seed");
	const char *front = option_value(arguments, "--front");
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
	if (!status && front)
		status = el_lab_time_parse(front, &work->front, error);
	work->setup.probes = (size_t)count;
	return status;
}

/* ---- slice after slice ---- */

static enum el_status prepare(const struct lab_work *work, struct el_error *error)
{
	struct lab_group *group = work->group;
	const char *chart = option_value(work->arguments, "--svg");
	enum el_status status = EL_OK;
	for (int i = 0; i < work->arguments->count && !status; i++)
		status = slices_add(&group->slices, work->arguments->words[i], error);
	if (chart && strchr(chart, '%'))
		group->charts = chart;
	else if (!status && chart)
		status = whole_file_open(chart, &group->chart, error);
	return status;
}

/* "... of KBBvK, KBNvK and 29 others (31 of 35 slices). Run 'endlab build all' to build them." */
static int tell_missing(const struct lab_work *work)
{
	const struct lab_group *group = work->group;
	const char *metric = option_value(work->arguments, "--metric");
	struct el_error error;
	char others[48] = "", words[160] = "";
	const size_t named = group->missing < LAB_NAMED_MOST ? group->missing : LAB_NAMED_MOST;
	if (group->missing > named)
		snprintf(others, sizeof others, " and %zu %s", group->missing - named,
		         plural(group->missing - named, "other", "others"));
	for (int i = 0; i < work->arguments->count; i++) {
		const size_t length = strlen(words);
		snprintf(words + length, sizeof words - length, " %s", work->arguments->words[i]);
	}
	el_fail(&error, EL_NEGATIVE,
	        "no %s%stable of %s%s (%zu of %zu slices) in %s. Run 'endlab build%s%s%s' to build "
	        "what is missing.",
	        metric ? metric : "", metric ? " " : "", group->names, others, group->missing,
	        group->slices.count, el_library_directory(work->cli->library), words,
	        metric ? " --metric " : "", metric ? metric : "");
	return command_fail(work->cli, "lab", &error);
}

/* What several slices come to. */
static enum el_status tell_totals(struct lab_work *work, struct el_error *error)
{
	struct lab_group *group = work->group;
	struct lab_report report;
	enum el_status status = lab_totals_report(&group->totals, &report, error);
	if (!status && !work->json && !work->csv)
		lab_text_head(work->cli->out, &report);
	if (!status)
		status = lab_print(work, &report, error);
	if (!status)
		status = lab_draw_chart(work, &report, error);
	lab_report_free(&report);
	return status;
}

/* Returns an exit status. */
static int run_all(struct lab_work *work)
{
	struct lab_group *group = work->group;
	struct el_error error = {.status = EL_NEGATIVE};
	int answer = 0;
	for (size_t i = 0; i < group->slices.count && !command_stopped(answer); i++)
		answer = command_worse(answer, lab_slice(work, &group->slices.list[i]));
	if (command_stopped(answer))
		return answer;
	if (group->totals.slice_count > 1 && tell_totals(work, &error))
		answer = command_worse(answer, command_fail(work->cli, "lab", &error));
	return group->missing ? command_worse(answer, tell_missing(work)) : answer;
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	struct lab_group group = {.slices = {0}};
	struct lab_work common = {.cli = cli, .arguments = arguments, .group = &group};
	struct el_error error;
	int answer;
	if (options_parse(&common, &error) || prepare(&common, &error))
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
		"what "
		"each costs: bytes, and the time of a probe. Each combination is written to a "
		"file, read "
		"back and compared in full, then probed with the same positions in the same order, "
		"in "
		"20 rounds: in each of them every combination has its turn, in an order of its "
		"own, so "
		"that what disturbs the machine for a while disturbs all. All files are on the "
		"disk at "
		"once; they are removed afterwards.\n"
		"A cold probe reads from the disk: the file is not in the system's page cache. A "
		"warm "
		"probe finds it there, but nothing in Endlab's own memory. A hot probe finds its "
		"block in "
		"memory, as far as 1 GB of decoded blocks of all combinations goes. '*' marks the "
		"Pareto "
		"front: the smallest combination, and each larger one that is surely faster than "
		"the "
		"smaller ones marked, by the time that --front names. Surely faster is by a fifth "
		"at "
		"least, with intervals that do not overlap.\n"
		"Samples during which the thread lost its processor (ru_nivcsw of getrusage) are "
		"counted "
		"and left out; a sample of CPU time is never left out. Intervals hold the quantile "
		"with "
		"95 % confidence: rounds are drawn with repetition 200 times, and the quantile is "
		"taken "
		"of all samples of those rounds. With fewer than 368 samples there is no interval "
		"of "
		"p99: it is null in JSON, empty in CSV.\n"
		"References say what the values take in a coder that knows some neighbours of each "
		"position and nothing else: none (order 0); the value with one piece one place "
		"back, "
		"the piece that tells the most (order 1); also two places back (order 2); and the "
		"values with each of the pieces one place back (neighbours). The first figure is "
		"the "
		"empirical conditional entropy, in bytes: such a code is known and costs nothing, "
		"so "
		"many contexts flatter it. The second is what a coder takes that learns on the way "
		"and begins each context with one value seen, divided evenly among all. Positions "
		"count that are not broken and, where captures are derived, that no capture tells; "
		"other neighbours are a value of their own. A plane of more than 4M positions is "
		"judged by stretches of it. Charts draw the first figures.\n"
		"Syzygy and Gaviota files of the slice are measured beside ours, as they are: the "
		"same "
		"positions, probed in the same way, with their values compared. What does not "
		"apply to "
		"them is shown as '-', and is null in JSON. Captures are looked up in tables of "
		"the "
		"same kind, where there are any. " SLICES_HELP "\n"
		"Of several slices, a last table (in JSON and CSV the slice 'all') has what each "
		"combination comes to: bytes are summed, times are means over the slices, each of "
		"which "
		"counts the same. --svg then draws that. Slices without a table are named in one "
		"line "
		"at the end.\n"
		"  endlab lab @SLICE --codecs raw,zstd:19 --blocks 256,4K,64K\n"
		"  endlab lab @SLICE --workload line --csv --svg chart.svg\n"
		"  endlab lab 3-4 --metric wdl50 --codecs pairs --foreign --path DIR --csv",
	.complete = "slice",
	.options = options,
	.least = 1,
	.most = -1,
	.run = run,
};
