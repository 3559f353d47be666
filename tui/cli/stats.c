/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "endlab/examine.h"
#include "arguments.h"
#include "progress.h"
#include "slices.h"
#include "stats_print.h"
#include "../text/numbers.h"

static const struct option_help options[] = {
	{"--metric", "METRIC", "only the table of this metric (by default all with depths, or else "
	                       "the outcomes)",
	 .values = &metric_values},
	{"--json", .summary = "one JSON object, depths in plies"},
	{0},
};

static enum el_status examine(struct cli *cli, const struct el_slice *slice,
                              const struct el_metric *metric, struct el_stats *out,
                              struct el_error *error)
{
	struct progress progress;
	struct el_planes planes;
	if (el_library_find(cli->library, slice, metric, error) == EL_NEGATIVE)
		return command_missing(cli, slice, metric, error);
	enum el_status status = el_library_planes(cli->library, slice, metric, &planes, error);
	if (status)
		return status;
	progress_start(&progress, cli);
	status = el_stats_make(&planes, &progress.watch, out, error);
	progress_clear(&progress);
	el_planes_free(&planes);
	if (status == EL_STOPPED)
		el_fail(error, status, "%s: stopped", slice->name);
	return status;
}

/* One el_stats for each metric that has a table and depths; `wdl` where there is no such. */
static enum el_status examine_all(struct cli *cli, const struct el_slice *slice,
                                  struct el_stats out[EL_METRICS], size_t *count,
                                  struct el_error *error)
{
	*count = 0;
	for (const struct el_metric *const *metric = el_metrics; *metric; metric++) {
		if (!(*metric)->has_depth ||
		    el_library_find(cli->library, slice, *metric, NULL) == EL_NEGATIVE)
			continue;
		enum el_status status = examine(cli, slice, *metric, &out[*count], error);
		if (status)
			return status;
		++*count;
	}
	if (*count)
		return EL_OK;
	if (el_library_find(cli->library, slice, &el_wdl, NULL) == EL_NEGATIVE)
		return command_missing(cli, slice, NULL, error);
	enum el_status status = examine(cli, slice, &el_wdl, &out[0], error);
	*count = status == EL_OK;
	return status;
}

static void print_size(FILE *out, const struct el_stats *stats, const struct el_entry *entry)
{
	const struct el_slice *slice = &stats->slice;
	const uint64_t positions = slice->positions * slice->planes;
	char number[GROUPED_MAX], bytes[GROUPED_MAX];
	if (!entry->ignored && entry->slice.game == slice->game && entry->slice.key == slice->key &&
	    entry->metric == stats->metric)
		fprintf(out, "%s  %s positions in %s bytes: %.2f positions per byte\n",
		        stats->metric->name, grouped(positions, number),
		        grouped(entry->bytes, bytes), (double)positions / (double)entry->bytes);
}

/* What the tables take on the disk: indexes of all planes, broken ones too. */
static enum el_status print_sizes(struct cli *cli, const struct el_stats *stats, size_t count,
                                  struct el_error *error)
{
	struct el_entry *entries;
	size_t found;
	enum el_status status = el_library_list(cli->library, &entries, &found, error);
	if (status)
		return status;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < found; k++)
			print_size(cli->out, &stats[i], &entries[k]);
	el_entries_free(entries, found);
	return EL_OK;
}

/* All of them are looked for, whatever becomes of one. */
static enum el_status find_solutions(struct cli *cli, const struct el_stats *stats, size_t count,
                                     struct el_solution *out, struct el_error *error)
{
	enum el_status worst = EL_OK;
	for (size_t i = 0; i < count; i++) {
		const enum el_status status =
			el_solution_find(el_library_directory(cli->library), &stats[i].slice,
		                         stats[i].metric, &out[i], error);
		worst = status > EL_NEGATIVE ? status : worst;
	}
	return worst;
}

/* The counts come first: how it was solved, and what it takes on the disk, may not be known. Returns
   an exit status. */
static int print(struct cli *cli, const struct el_stats *stats, size_t count, bool json)
{
	struct el_solution solutions[EL_METRICS];
	struct el_error error;
	enum el_status status = find_solutions(cli, stats, count, solutions, &error);
	const int answer = json ? stats_print_json(cli, stats, solutions, count) : 0;
	if (!json)
		stats_print_text(cli, stats, solutions, count);
	if (!json && !status)
		status = print_sizes(cli, stats, count, &error);
	return answer || !status ? answer : command_fail(cli, "stats", &error);
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	const char *name = option_value(arguments, "--metric");
	const struct el_metric *metric = NULL;
	struct el_slice slice;
	struct el_stats stats[EL_METRICS];
	size_t count = 0;
	struct el_error error;
	if ((name && !(metric = metric_parse(name, &error))) ||
	    slice_parse(arguments->words[0], &slice, &error) ||
	    (metric && metric_suits(metric, slice.game, &error)))
		return command_fail(cli, "stats", &error);
	enum el_status status;
	if (metric)
		count = !(status = examine(cli, &slice, metric, &stats[0], &error));
	else
		status = examine_all(cli, &slice, stats, &count, &error);
	const int answer = status ? command_fail(cli, "stats", &error)
	                          : print(cli, stats, count, option_given(arguments, "--json"));
	for (size_t i = 0; i < count; i++)
		el_stats_free(&stats[i]);
	return answer;
}

const struct command command_stats = {
	.name = "stats",
	.arguments = "SLICE [OPTION...]",
	.summary = "count the outcomes and depths of a slice, and its records",
	.help = "Counts the positions of a slice: won, drawn and lost for each side to move, how deep they "
	        "are, which are the deepest, and how many are mutual zugzwangs. Every placement counts, "
	        "symmetric ones too; 'unique' counts them up to symmetry. White is the first-named side. "
	        "In a partial table, positions whose outcome is known only within bounds are counted "
	        "separately.\n"
	        "  endlab stats @SLICE",
	.complete = "slice",
	.options = options,
	.least = 1,
	.most = 1,
	.is_quick = true,
	.run = run,
};
