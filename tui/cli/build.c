/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "endlab/build.h"
#include "arguments.h"
#include "progress.h"
#include "slices.h"
#include "store_options.h"
#include "../text/numbers.h"

#include <omp.h>
#include <string.h>

static const struct option_help options[] = {
	{"--metric", "LIST", "metrics to build, comma-separated (by default the game's finest)",
	 &metric_values, true},
	STORE_OPTIONS(""),
	{"--threads", "N", .summary = "threads that solve and compress (by default one a core)"},
	{"--partial", .summary = "only these slices, and only outcomes: within bounds where a table "
	                         "is missing"},
	{0},
};

/* One build as its callback sees it. */
struct work {
	struct cli *cli;
	struct progress progress;
	int name_cols;
	size_t finished;
	uint64_t bytes;
};

static void report_missing(FILE *out, const struct el_missing *missing)
{
	for (size_t i = 0; missing && i < missing->count; i++)
		fprintf(out, "%s %s%s", i ? "" : "         missing:", missing->slice[i].name,
		        i + 1 < missing->count ? "," : "\n");
}

static void report(void *context, const struct el_built *built)
{
	struct work *work = context;
	char bytes[AMOUNT_MAX], seconds[TIME_MAX];
	progress_clear(&work->progress);
	fprintf(work->cli->out, "%3zu/%zu  %-*s %-4s %4u %-6s %12s %8s\n", built->number, built->of,
	        work->name_cols, built->task->slice.name, built->task->metric->name, built->passes,
	        plural(built->passes, "pass", "passes"),
	        seconds_text(built->solve_seconds + built->write_seconds, seconds),
	        bytes_text(built->bytes, bytes));
	report_missing(work->cli->out, built->missing);
	fflush(work->cli->out);
	work->finished++;
	work->bytes += built->bytes;
}

/* "dtm,wdl" as a null-terminated list; each metric once. */
static enum el_status metrics_parse(const char *text, const struct el_metric *out[EL_METRICS + 1],
                                    struct el_error *error)
{
	size_t count = 0;
	while (*text) {
		char name[16];
		size_t length = strcspn(text, ",");
		snprintf(name, sizeof name, "%.*s", (int)length, text);
		const struct el_metric *metric = metric_parse(name, error);
		if (!metric)
			return EL_USAGE;
		size_t known = 0;
		while (known < count && out[known] != metric)
			known++;
		if (known == count)
			out[count++] = metric;
		text += length + (text[length] == ',');
	}
	out[count] = NULL;
	return count ? EL_OK : el_fail(error, EL_USAGE, "--metric: expected a metric, found nothing");
}

/* Partial tables hold outcomes: nothing else may be asked for. */
static enum el_status check_partial(const struct el_metric *const *metrics, struct el_error *error)
{
	for (; *metrics; metrics++)
		if ((*metrics)->has_depth)
			return el_fail(error, EL_USAGE, "partial tables hold outcomes only: expected "
			               "--metric %s, found %s", el_wdl.name, (*metrics)->name);
	return EL_OK;
}

static enum el_status plan(struct cli *cli, const struct arguments *arguments,
                           struct el_plan *out, struct el_error *error)
{
	const char *names = option_value(arguments, "--metric");
	const struct el_metric *metrics[EL_METRICS + 1] = {NULL};
	const bool partial = option_given(arguments, "--partial");
	enum el_status status = names ? metrics_parse(names, metrics, error) : EL_OK;
	if (!status && partial)
		status = check_partial(metrics, error);
	struct slices slices = {0};
	for (int i = 0; i < arguments->count && !status; i++)
		status = slices_add(&slices, arguments->words[i], error);
	if (!status && partial)
		status = el_plan_partial(cli->library, slices.list, slices.count, out, error);
	else if (!status)
		status = el_plan_make(cli->library, slices.list, slices.count, names ? metrics : NULL, out,
		                      error);
	slices_free(&slices);
	return status;
}

/* What is left behind is worth saying however it ended. */
static int finish(struct work *work, const struct el_plan *plan, enum el_status status,
                  struct el_error *error, double seconds)
{
	struct cli *cli = work->cli;
	char bytes[AMOUNT_MAX], time[TIME_MAX];
	progress_clear(&work->progress);
	if (status == EL_STOPPED)
		el_fail(error, status, "stopped; %zu of %zu tables are finished and kept in %s",
		        work->finished, plan->count, el_library_directory(cli->library));
	if (status)
		return command_fail(cli, "build", error);
	fprintf(cli->out, "%zu %s in %s: %s, %s\n", work->finished,
	        plural(work->finished, "table", "tables"), el_library_directory(cli->library),
	        bytes_text(work->bytes, bytes), seconds_text(seconds, time));
	return 0;
}

static int make(struct cli *cli, const struct el_plan *plan, const struct el_table_options *table)
{
	if (!plan->count) {
		fprintf(cli->out, "nothing to build: every table is in %s already\n",
		        el_library_directory(cli->library));
		return 0;
	}
	struct work work = {.cli = cli, .name_cols = NAME_COLS};
	for (size_t i = 0; i < plan->count; i++)
		work.name_cols = name_cols(work.name_cols, &plan->tasks[i].slice);
	progress_start(&work.progress, cli);
	struct el_build_options build = {.table = *table, .context = &work, .built = report};
	struct el_error error;
	double start = seconds_now();
	enum el_status status = el_build(cli->library, plan, &build, &work.progress.watch, &error);
	return finish(&work, plan, status, &error, seconds_now() - start);
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	struct el_table_options table = el_table_options_default();
	struct el_plan tasks = {0};
	struct el_error error;
	int threads = omp_get_max_threads(), before = threads;
	const char *wanted = option_value(arguments, "--threads");
	if ((wanted && threads_parse(wanted, &threads, &error)) ||
	    store_options_parse(arguments, NULL, &table, &error) || plan(cli, arguments, &tasks, &error))
		return command_fail(cli, "build", &error);
	omp_set_num_threads(threads);
	int answer = make(cli, &tasks, &table);
	omp_set_num_threads(before);
	el_plan_free(&tasks);
	return answer;
}

const struct command command_build = {
	.name = "build",
	.arguments = "SLICE... [OPTION...]",
	.summary = "solve slices and write their tables",
	.help = "Solves slices and writes their tables, after the tables that they depend on. The two "
	        "sides of a slice may come in either order. " SLICES_HELP "\n"
	        "Tables that exist are kept as they are. A build that is stopped keeps the tables it has "
	        "finished, and the next build continues from there.\n"
	        "  endlab build @SLICE\n"
	        "  endlab build @GROUP\n"
	        "  endlab build all --codec zstd:19 --block 64K\n"
	        "With --partial only the slices named are solved. Where a table that they depend on is "
	        "missing, its positions may be worth anything, and outcomes are known within the bounds "
	        "that this leaves. Existing tables narrow the bounds, partial tables too. A table with "
	        "bounds is built again each time; a build without --partial replaces it with a complete "
	        "one.\n"
	        "  endlab build --partial KPvKP",
	.complete = "slice",
	.options = options,
	.least = 1,
	.most = -1,
	.run = run,
};
