/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/clock.h"
#include "progress.h"
#include "store_options.h"
#include "tui/text/numbers.h"
#include "tui/text/plan.h"

#include <omp.h>
#include <string.h>

static const struct option_help options[] = {
	PLAN_OPTIONS,
	STORE_OPTIONS(""),
	{"--threads", "N", .summary = "threads that solve and compress (by default one a core)"},
	{"--until", "TABLE",
         .summary = "make this table, named as its file is, and what it depends on; others of "
                    "these slices only while another build is making those"},
	{"--partial", .summary =
                              "only these slices, and only outcomes: within bounds where a table "
                              "is missing"},
	{"--replace",
         .summary = "make the tables of these slices again even where they exist or cannot "
                    "be read, and those they depend on where they cannot be read",
         .touches = "your tables"},
	{"--repair",
         .summary = "read every table of these slices, and of what they depend on, in full, "
                    "and make the damaged ones again",
         .touches = "your tables"},
	{0},
};

enum { METRIC_COLS = 4 };

/* One build, for its callbacks. */
struct work {
	struct cli *cli;
	const struct el_plan *plan;
	const char *scratch; /* null: the tables' directory */
	const struct el_table_options *table;
	struct progress progress;
	int name_cols, metric_cols;
	size_t finished, taken; /* by this build; by other builds meanwhile */
	uint64_t bytes;
};

/* Mentions the table replaced, unless it was equivalent. */
static void report(void *context, const struct el_built *built)
{
	static const char *const replaced[] = {
		[EL_TARGET_OUTDATED] = "table of an older layout",
		[EL_TARGET_DAMAGED] = "damaged table",
		[EL_TARGET_UNREADABLE] = "table that cannot be read",
		[EL_TARGET_OTHER] = "file that was no table of this slice and metric",
	};
	struct work *work = context;
	const struct el_missing *missing = built->missing;
	const struct el_verify_result *proof = built->proof;
	char bytes[AMOUNT_MAX], seconds[TIME_MAX], open[GROUPED_MAX];
	progress_clear(&work->progress);
	fprintf(work->cli->out, "%3zu/%zu  %-*s %-*s %4u %-6s %12s %8s", built->number, built->of,
	        work->name_cols, built->task->slice.name, work->metric_cols,
	        built->task->metric->name, built->passes, plural(built->passes, "pass", "passes"),
	        seconds_text(built->solve_seconds + built->write_seconds, seconds),
	        bytes_text(built->bytes, bytes));
	if (proof)
		fprintf(work->cli->out, "  verified in %s", seconds_text(proof->seconds, seconds));
	if (proof && proof->verdict.open)
		fprintf(work->cli->out, ", except %s positions that cannot be proved",
		        grouped(proof->verdict.open, open));
	if (built->exchanged)
		fprintf(work->cli->out, ", %s exchanged", bytes_text(built->exchanged, bytes));
	fputc('\n', work->cli->out);
	for (size_t i = 0; missing && i < missing->count; i++)
		fprintf(work->cli->out, "%s %s%s",
		        i ? "" : "         missing:", missing->slice[i].name,
		        i + 1 < missing->count ? "," : "\n");
	if (replaced[built->replaced])
		fprintf(work->cli->out, "         replaced a %s\n", replaced[built->replaced]);
	fflush(work->cli->out);
	work->finished++;
	work->bytes += built->bytes;
}

/* Disk space is only an estimate, so a warning does not stop the build. */
static void report_plan(void *context)
{
	const struct work *work = context;
	char summary[PLAN_SUMMARY_MAX], needed[AMOUNT_MAX], free[AMOUNT_MAX], proofs[PLAN_COST_MAX];
	struct el_disk_need need;
	fprintf(work->cli->err, "%s%s%s\n", plan_summary(work->plan, work->table, summary),
	        plan_proofs(work->plan, proofs), plan_proviso(work->table));
	if (!el_plan_fits_disk(work->plan, el_library_directory(work->cli->library), work->scratch,
	                       &need))
		fprintf(work->cli->err,
		        "%s: this may not fit on the disk: %s free, about %s expected; if it "
		        "fills, finished tables are kept, and the same build continues from "
		        "there\n",
		        need.folder, bytes_text(need.free, free), bytes_text(need.needed, needed));
}

/* Reports a meeting with another build in the same directory. */
static void report_met(void *context, const struct el_met *met)
{
	static const char *const words[] = {
		[EL_MEETING_WAIT] = "%s is making it; waiting",
		[EL_MEETING_TAKEN] = "made by %s",
		[EL_MEETING_STALE] = "%s is gone and has left its claim; making it here",
		[EL_MEETING_LEFT] = "left to its own build: %s",
		[EL_MEETING_NO_CASTLING] = "built without castling rights: %s",
	};
	struct work *work = context;
	FILE *out = work->cli->out;
	progress_clear(&work->progress);
	fprintf(out, "         %s %s: ", met->task->slice.name, met->task->metric->name);
	fprintf(out, words[met->what], met->who);
	fputc('\n', out);
	fflush(out);
	work->taken += met->what == EL_MEETING_TAKEN;
}

/* Says what is left behind, however the build ended. */
static int finish(struct work *work, enum el_status status, struct el_error *error, double seconds)
{
	static const char repair[] = "--repair";
	struct cli *cli = work->cli;
	const char *directory = el_library_directory(cli->library);
	char bytes[AMOUNT_MAX], time[TIME_MAX];
	progress_clear(&work->progress);
	if (status == EL_STOPPED)
		el_fail(error, status, "stopped; %zu of %zu tables are finished and kept in %s",
		        work->finished + work->taken, work->plan->count, directory);
	if (status == EL_IO && work->finished)
		el_text_add(
			error->text, sizeof error->text,
			"; %zu of %zu tables are finished and kept; run the same build again to "
			"continue",
			work->finished + work->taken, work->plan->count);
	const bool here = !strncmp(error->text, directory, strlen(directory));
	if (status == EL_DAMAGED && here && !strstr(error->text, repair))
		el_text_add(error->text, sizeof error->text,
		            "; run with %s to make damaged tables again", repair);
	if (status)
		return command_fail(cli, "build", error);
	fprintf(cli->out, "%zu %s in %s: %s, %s\n", work->finished,
	        plural(work->finished, "table", "tables"), directory,
	        bytes_text(work->bytes, bytes), seconds_text(seconds, time));
	return 0;
}

static int make(struct cli *cli, const struct el_plan *plan, const struct el_task *until,
                const struct el_table_options *table, const char *scratch)
{
	char checked[GROUPED_MAX];
	if (plan->checked) /* with --repair */
		fprintf(cli->out, "checked %s %s in %s: %zu damaged\n",
		        grouped(plan->checked, checked), plural(plan->checked, "table", "tables"),
		        el_library_directory(cli->library), plan->damaged);
	for (const struct el_loan *loan = plan->loans; loan < plan->loans + plan->loan_count;
	     loan++)
		fprintf(cli->out, "%s %s is taken from %s\n", loan->slice.name, loan->metric->name,
		        loan->path);
	if (!plan->count) { /* but a killed build may have left something */
		el_build(cli->library, plan, &(struct el_build_options){.scratch = scratch}, NULL,
		         NULL);
		fprintf(cli->out, "nothing to build: every table is in %s already\n",
		        el_library_directory(cli->library));
		return 0;
	}
	struct work work = {.cli = cli,
	                    .plan = plan,
	                    .scratch = scratch,
	                    .table = table,
	                    .name_cols = SLICE_COLS,
	                    .metric_cols = METRIC_COLS};
	for (size_t i = 0; i < plan->count; i++) {
		const int cols = (int)strlen(plan->tasks[i].metric->name);
		work.name_cols = name_cols(work.name_cols, &plan->tasks[i].slice);
		work.metric_cols = cols > work.metric_cols ? cols : work.metric_cols;
	}
	progress_start(&work.progress, cli);
	struct el_build_options build = {
		.table = *table,
		.context = &work,
		.begins = until ? NULL : report_plan,
		.built = report,
		.met = report_met,
		.scratch = scratch,
		.until = until,
		.ranks = cli->ranks,
	};
	struct el_error error = {.text = ""};
	double start = clock_seconds();
	enum el_status status = el_build(cli->library, plan, &build, &work.progress.watch, &error);
	return finish(&work, status, &error, clock_seconds() - start);
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	struct el_table_options table = el_table_options_preset(EL_PRESET_USUAL);
	struct el_plan tasks = {0};
	struct asked asked = {.metrics = {NULL}};
	struct el_error error;
	const int before = omp_get_max_threads();
	enum el_status status = store_options_parse(arguments, NULL, &table, &error);
	if (!status)
		status = plan_slices(cli, arguments, &table, &asked, &tasks, &error);
	const int answer = status ? command_fail(cli, "build", &error)
	                          : make(cli, &tasks, asked_until(&asked, &tasks), &table,
	                                 option_value(arguments, "--scratch"));
	omp_set_num_threads(before);
	slices_free(&asked.slices);
	el_plan_free(&tasks);
	return answer;
}

const struct command command_build = {
	.name = "build",
	.arguments = "SLICE... [OPTION...]",
	.summary = "solve slices and write their tables",
	.help = "Solves slices and writes their tables, after the tables that they depend on. The "
		"two sides of a slice may come in either order. " SLICES_HELP
		" A file of games, a word with a dot or a slash in it, stands for the slices of "
		"their main lines.\n"
		"Tables are made in the directory of tables, even if they exist elsewhere. Those "
		"already there are kept, except those of an older layout, which are made again. A "
		"build that is stopped, or killed, or finds the disk full keeps the tables it has "
		"finished, and the next build continues from there. With several threads, small "
		"tables are made several at a time, one a thread, as far as --memory allows; large "
		"ones have all threads, one after the other. Tables are reported as they are "
		"finished. Several builds may work in one directory, on one machine or on several "
		"that share it: each table is made by one of them, and the others make another "
		"meanwhile. While several tables are made, copies of those that later ones need "
		"are kept beside them, or in --scratch, in a folder .endlab-copies, which the plan "
		"counts. It is removed when all tables are made. A stopped build leaves it for the "
		"next one, which would otherwise have to derive again what tables leave out.\n"
		"Under mpirun or srun, programs made with MPI (make MPI=1) solve and prove each "
		"table together, one table after the other. All must be the same program and see "
		"the same directory; each has its own scratch files and --memory. Rank 0 prints "
		"and writes; samples/mpi.md says more.\n"
		"  mpirun -n 4 endlab build @SLICE\n"
		"The build takes dependencies from tables of other programs along the search path "
		"if these know enough: outcomes of Syzygy or chesstb for dtz50, depths of Gaviota "
		"or chesstb for dtm. It names each of them, and the tables it makes are the same, "
		"byte for byte. With --own it takes nothing and makes all dependencies.\n"
		"  endlab build @SLICE\n"
		"  endlab build @GROUP\n"
		"  endlab build all --small\n"
		"  endlab build all --codec zstd:19 --block 64K\n"
		"By default a table has one side to move, the one that takes fewer bytes, and a "
		"probe of the other side tries all moves (--derive side). Where captures are "
		"forced, it has no values of positions with captures either (captures+side). With "
		"any option for codec, block, fill, order or what is left out it has all values, "
		"unless --derive says otherwise.\n" PRESET_HELP LEARNING_HELP DERIVE_HELP
		"A slice may be larger than the memory: with --memory, or if three quarters of the "
		"free memory are not enough, the build puts the rest on the disk, and the table is "
		"the same, byte for byte. Memory is free as far as limits of the process (ulimit) "
		"and of control groups, such as those of containers and batch jobs, leave it; the "
		"time of processors that these allow bounds the number of threads. A build that is "
		"stopped or killed there continues, the next time, after the last finished pass. "
		"(Tables of dtr and dtzr, and partial ones, are solved in memory.)\n"
		"  endlab build KRPvKR --memory 800M --scratch /var/tmp\n"
		"Before a table gets its name, its file is proved as 'endlab verify' would prove "
		"it, where that takes less than half of the time that the table takes to be made "
		"and fits into the memory; the first line says how many are. --verify proves all, "
		"--no-verify none. The result is kept beside the tables, and 'endlab list' shows "
		"it. A file that is found wrong is kept as TABLE.wrong, the build stops with exit "
		"status 1, and an older table of that name stays. A build that is stopped during a "
		"proof goes on with it the next time, without solving the slice again.\n"
		"  endlab build @SLICE --verify\n"
		"With --partial the build solves only the named slices. If a table that they "
		"depend on is missing, its positions may be worth anything, and outcomes are known "
		"within the bounds that this leaves. Existing tables narrow the bounds, partial "
		"tables too. A table with bounds is built again each time; a build without "
		"--partial replaces it with a complete one.\n"
		"  endlab build --partial KPvKP\n"
		"The build never replaces a file in the way (a damaged table, one written by a "
		"newer version or with an unknown codec, a table of another slice) unasked: it "
		"names the file and stops before it makes anything. --repair replaces damaged "
		"tables, --replace any file that has the name of a table asked for.\n"
		"  endlab build all --repair",
	.complete = "slice",
	.options = options,
	.least = 1,
	.most = -1,
	.rights = WRITES_TABLES | WRITES_TEMPORARY,
	.run = run,
};
