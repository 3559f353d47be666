/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "endlab/examine.h"
#include "endlab/library.h"
#include "arguments.h"
#include "progress.h"
#include "slices.h"
#include "../text/numbers.h"
#include "../text/values.h"

#include <string.h>

static const struct option_help options[] = {
	{"--metric", "METRIC", "only tables of this metric (by default all)", .values = &metric_values},
	{0},
};

static void print_slices(FILE *out, const struct el_missing *slices)
{
	for (size_t i = 0; i < slices->count; i++)
		fprintf(out, "%s%s", i ? ", " : " ", slices->slice[i].name);
}

/* Of a verdict with nothing wrong in it. */
static void print_right(FILE *out, const struct el_metric *metric, const struct el_verdict *verdict)
{
	char number[GROUPED_MAX];
	if (verdict->open)
		fprintf(out, "%s cannot be proved", grouped(verdict->open, number));
	else
		fprintf(out, "all right%s", metric->late ? ", as Syzygy counts" : "");
	if (verdict->rounded)
		fprintf(out, ", %s of them within a ply, where the table rounds",
		        grouped(verdict->rounded, number));
	if (verdict->missing.count)
		fprintf(out, " without");
	print_slices(out, &verdict->missing);
	if (verdict->open && verdict->beside)
		fprintf(out, " without its %s table", verdict->beside->name);
	if (verdict->loose)
		fprintf(out, "; %s %s narrower bounds by now: build --partial again",
		        grouped(verdict->loose, number),
		        plural(verdict->loose, "position has", "positions have"));
}

/* `cols`: of the column of names. */
static int print_verdict(FILE *out, const struct el_planes *planes,
                         const struct el_verdict *verdict, double seconds, int cols)
{
	char checked[GROUPED_MAX], wrong[GROUPED_MAX], time[TIME_MAX];
	char stored[VALUE_MAX], derived[VALUE_MAX];
	fprintf(out, "%-*s %-5s %15s positions ", cols, planes->slice.name, planes->metric->name,
	        grouped(verdict->checked, checked));
	if (verdict->wrong)
		fprintf(out, "%s wrong; the first: %s: expected %s, found %s",
		        grouped(verdict->wrong, wrong), verdict->first_fen,
		        value_words(planes->metric, verdict->first_derived, derived),
		        value_words(planes->metric, verdict->first_stored, stored));
	else
		print_right(out, planes->metric, verdict);
	fprintf(out, "  %s\n", seconds_text(seconds, time));
	fflush(out);
	return command_exit(verdict->wrong || verdict->open ? EL_NEGATIVE : EL_OK);
}

/* A file of ours in the directory of tables: what is damaged there can be made again. */
static const struct el_entry *find_here(const struct el_entry *entries, size_t count,
                                        const char *error)
{
	for (const struct el_entry *e = entries; e < entries + count; e++) {
		const struct el_source_ops *kind = el_source_kind_of(e->path);
		const size_t length = strlen(e->path);
		if (e->here && e->metric && kind && kind->read && !strncmp(error, e->path, length) &&
		    error[length] == ':')
			return e;
	}
	return NULL;
}

/* Says how to go on, where there is a way. `path`: of a file that was named; else null. */
static int fail(struct cli *cli, const char *path, struct el_error *error)
{
	struct el_entry *entries;
	size_t count;
	const size_t used = strlen(error->text), left = sizeof error->text - used;
	const struct el_source_ops *kind = path ? el_source_kind_of(path) : NULL;
	struct el_slice slice;
	const struct el_metric *metric;
	if (error->status == EL_DAMAGED && !el_library_list(cli->library, &entries, &count, NULL)) {
		const struct el_entry *e = find_here(entries, count, error->text);
		if (e)
			snprintf(error->text + used, left,
			         "; run 'endlab build %s --repair' to make damaged tables again",
			         e->slice.name);
		el_entries_free(entries, count);
	}
	if (error->status == EL_NEGATIVE && kind && kind->open && !kind->read &&
	    kind->named(path, &slice, &metric))
		snprintf(error->text + used, left,
		         "; name the folder of the tables it depends on with --path");
	return command_fail(cli, "verify", error);
}

/* `path` as above. */
static int verify_planes(struct cli *cli, const char *path, const struct el_planes *planes, int cols)
{
	struct progress progress;
	struct el_verdict verdict;
	struct el_error error;
	double start = seconds_now();
	progress_start(&progress, cli);
	enum el_status status = el_verify(cli->library, planes, &progress.watch, &verdict, &error);
	progress_clear(&progress);
	if (status == EL_STOPPED)
		el_fail(&error, status, "%s %s: stopped", planes->slice.name, planes->metric->name);
	if (status)
		return fail(cli, path, &error);
	return print_verdict(cli->out, planes, &verdict, seconds_now() - start, cols);
}

static int verify_file(struct cli *cli, const char *path)
{
	struct progress progress;
	struct el_planes planes;
	struct el_error error;
	progress_start(&progress, cli);
	enum el_status status =
		el_library_read(cli->library, path, &progress.watch, NULL, &planes, &error);
	progress_clear(&progress);
	if (status)
		return fail(cli, path, &error);
	int answer = verify_planes(cli, path, &planes, name_cols(NAME_COLS, &planes.slice));
	el_planes_free(&planes);
	return answer;
}

static int verify_table(struct cli *cli, const struct el_slice *slice,
                        const struct el_metric *metric, int cols)
{
	struct progress progress;
	struct el_planes planes;
	struct el_error error;
	progress_start(&progress, cli);
	enum el_status status =
		el_library_planes(cli->library, slice, metric, &progress.watch, &planes, &error);
	progress_clear(&progress);
	if (status)
		return fail(cli, NULL, &error);
	int answer = verify_planes(cli, NULL, &planes, cols);
	el_planes_free(&planes);
	return answer;
}

/* All tables of a slice; `only` may be null. */
static int verify_slice(struct cli *cli, const struct el_slice *slice,
                        const struct el_metric *only, int cols)
{
	int answer = 0;
	size_t found = 0;
	struct el_error missing;
	const struct el_metric *metric = NULL;
	while ((metric = el_library_next_metric(cli->library, slice, metric)) &&
	       !command_stopped(answer)) {
		if ((only && !el_metric_named(metric, only)) ||
		    el_library_find(cli->library, slice, metric, NULL) == EL_NEGATIVE)
			continue;
		answer = command_worse(answer, verify_table(cli, slice, metric, cols));
		found++;
	}
	if (found)
		return answer;
	command_missing(cli, slice, only, &missing);
	return fail(cli, NULL, &missing);
}

static bool stopped(const struct cli *cli)
{
	struct el_progress progress = {.stage = "verifying", .what = "", .unit = "tables"};
	return !el_watch_tick(cli->watch, &progress);
}

static int verify_word(struct cli *cli, const char *word, const struct el_metric *only)
{
	struct slices slices = {0};
	struct el_error error;
	int answer = 0, cols = NAME_COLS;
	if (!slices_named(word))
		return verify_file(cli, word);
	if (slices_add(&slices, word, &error))
		answer = command_fail(cli, "verify", &error);
	for (size_t i = 0; i < slices.count; i++)
		cols = name_cols(cols, &slices.list[i]);
	for (size_t i = 0; i < slices.count && !stopped(cli); i++)
		answer = command_worse(answer, verify_slice(cli, &slices.list[i], only, cols));
	slices_free(&slices);
	return answer;
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	const char *name = option_value(arguments, "--metric");
	struct el_error error;
	const struct el_metric *only = name ? metric_parse(name, &error) : NULL;
	if (name && !only)
		return command_fail(cli, "verify", &error);
	int answer = 0;
	for (int i = 0; i < arguments->count && !stopped(cli); i++)
		answer = command_worse(answer, verify_word(cli, arguments->words[i], only));
	return stopped(cli) ? command_worse(answer, command_exit(EL_STOPPED)) : answer;
}

const struct command command_verify = {
	.name = "verify",
	.arguments = "SLICE|FILE... [OPTION...]",
	.summary = "prove tables right from the rules alone",
	.help = "Derives every position of a table again, from its legal moves and the values they lead to "
	        "in this table and in others, and checks every block against its checksum. A word with a "
	        "dot or a slash in it is a file. " SLICES_HELP "\n"
	        "A partial table is proved with the tables there are. Bounds that could be narrower by now "
	        "are reported, but are no error.\n"
	        "Tables under a rule that counts moves, dtr and dtzr are proved by playing out each phase "
	        "over position and clock. A dtzr table with pawns needs the dtr table of the same slice for "
	        "that.\n"
	        "Foreign tables are proved in the same way, by their successors in tables of any kind; one that "
	        "keeps moves instead of plies is right within a ply, and how many positions that "
	        "concerns is said.\n"
	        "The exit status is 1 if a position is wrong, or a "
	        "table is missing or cannot be read by this program, 3 if a file is damaged ('endlab build "
	        "--repair' makes damaged tables again), and 128 + N if signal N stopped the proof (130 for "
	        "^C).\n"
	        "  endlab verify all\n"
	        "  endlab verify @SLICE\n"
	        "  endlab verify ./KQvKR.dtm.egt",
	.complete = "slice",
	.options = options,
	.least = 1,
	.most = -1,
	.run = run,
};
