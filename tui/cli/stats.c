/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arguments.h"
#include "core/base/array.h"
#include "core/examine/examine.h"
#include "core/whole/whole.h"
#include "progress.h"
#include "stats_print.h"
#include "tui/text/json.h"
#include "tui/text/numbers.h"
#include "tui/text/slices.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

static const struct option_help options[] = {
	{"--metric", "METRIC",
         "only this metric, from its own table or one that tells it (by default "
         "all with depths, and outcomes where there are none)",
         .values = &metric_values},
	{"--json", .summary = "one JSON object for each slice, depths in plies"},
	{"--csv",
         .summary = "comma-separated values under a line of titles: a line for each table"},
	{0},
};

/* The statistics of one slice under several metrics. */
struct collection {
	struct el_stats *stats; /* owned, with their contents */
	size_t count;
};

/* What the build of the directory's table counted, if it is that table still; else false. Large tables take
   longer to read than to solve. */
static bool recall(struct cli *cli, const struct el_slice *slice, const struct el_metric *metric,
                   struct el_stats *out)
{
	const char *directory = el_library_directory(cli->library);
	struct el_solution solution;
	struct el_error error;
	struct stat file;
	char path[PATH_MAX];
	el_table_file_name(directory, slice, metric, path, sizeof path);
	if (el_library_teller(cli->library, slice, metric) != metric || stat(path, &file) ||
	    el_solution_find(directory, slice, metric, &solution, &error) || !solution.is_counted ||
	    solution.effort.bytes != (uint64_t)file.st_size)
		return false;
	*out = (struct el_stats){.slice = *slice, .metric = metric, .passes = solution.passes};
	for (unsigned side = 0; side < 2; side++) {
		const struct el_decided *found = &solution.found[side];
		struct el_side_stats *to = &out->side[side];
		to->all.win = found->won;
		to->all.loss = found->lost;
		to->all.legal = to->unique = slice->positions;
		to->all.draw = slice->positions - found->won - found->lost;
		to->longest[0] = found->longest_win;
		to->longest[1] = found->longest_loss;
	}
	return true;
}

/* Adds the statistics under one more metric; `briefly`: see el_stats_take. */
static enum el_status examine(struct cli *cli, const struct el_slice *slice,
                              const struct el_metric *metric, bool briefly, struct collection *c,
                              struct el_error *error)
{
	struct progress progress;
	if (!el_library_teller(cli->library, slice, metric))
		return command_missing(cli, slice, metric, error);
	if (!array_grow(&c->stats, c->count, 1, sizeof *c->stats))
		return el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	if (briefly && recall(cli, slice, metric, &c->stats[c->count])) {
		c->count++;
		return EL_OK;
	}
	progress_start(&progress, cli);
	const enum el_status status = el_stats_take(cli->library, slice, metric, briefly, 0,
	                                            &progress.watch, &c->stats[c->count], error);
	progress_clear(&progress);
	if (status == EL_STOPPED)
		el_fail(error, status, "%s: stopped", slice->name);
	c->count += !status;
	return status;
}

/* Have depths been counted under the same rule? */
static bool has_depths(const struct collection *c, const struct el_metric *outcome)
{
	size_t i = 0;
	while (i < c->count &&
	       !(c->stats[i].metric->has_depth && c->stats[i].metric->limit == outcome->limit))
		i++;
	return i < c->count;
}

static int by_metric(const void *a, const void *b)
{
	const struct el_stats *x = a, *y = b;
	return el_metric_compare(x->metric, y->metric);
}

/* Examines all tables: every metric with depths, then outcomes if no depths are known under the same
   rule. Reports those that cannot be counted in *answer, and goes on. */
static enum el_status examine_all(struct cli *cli, const struct el_slice *slice, bool briefly,
                                  struct collection *c, int *answer, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (unsigned depths = 2; depths-- > 0;) {
		const struct el_metric *m = NULL;
		while (!status && (m = el_library_next_metric(cli->library, slice, m))) {
			if (el_library_find(cli->library, slice, m, NULL) == EL_NEGATIVE ||
			    m->has_depth != depths || (!depths && has_depths(c, m)))
				continue;
			status = examine(cli, slice, m, briefly, c, error);
			if (status != EL_NEGATIVE && !el_is_fault(status))
				continue;
			*answer = command_worse(*answer, command_fail(cli, "stats", error));
			status = EL_OK;
		}
	}
	if (c->count)
		qsort(c->stats, c->count, sizeof *c->stats, by_metric);
	return status || c->count || *answer ? status : command_missing(cli, slice, NULL, error);
}

/* The sizes of a slice's tables on disk, by metric, each of the first one found; 0: in no table of its
   own. */
static enum el_status find_sizes(struct cli *cli, const struct collection *c, uint64_t *bytes,
                                 struct el_error *error)
{
	struct el_entry *entries;
	size_t found;
	enum el_status status = el_library_list(cli->library, &entries, &found, error);
	if (status)
		return status;
	for (size_t i = 0; i < c->count; i++)
		for (const struct el_entry *e = entries; e < entries + found; e++)
			if (!bytes[i] && !e->ignored && e->metric == c->stats[i].metric &&
			    el_slice_equal(&e->slice, &c->stats[i].slice))
				bytes[i] = e->bytes;
	el_entries_free(entries, found);
	return EL_OK;
}

/* Per index of all planes, including broken ones. */
static void print_sizes(struct cli *cli, const struct collection *c, const uint64_t *bytes)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct el_stats *s = &c->stats[i];
		const uint64_t positions = s->slice.positions * s->slice.planes;
		char number[GROUPED_MAX], size[GROUPED_MAX];
		if (bytes[i])
			fprintf(cli->out, "%s  %s positions in %s bytes: %.2f positions per byte\n",
			        s->metric->name, grouped(positions, number),
			        grouped(bytes[i], size), (double)positions / (double)bytes[i]);
	}
}

enum form { FORM_TEXT, FORM_JSON, FORM_CSV };

/* Prints the counts first: how the slice was solved and its size on disk may be unknown. Returns an
   exit status. */
static int print(struct cli *cli, const struct collection *c, enum form form)
{
	struct el_solution *solutions = calloc(c->count, sizeof *solutions);
	uint64_t *bytes = calloc(c->count, sizeof *bytes);
	struct el_error error;
	int answer = 0;
	enum el_status status =
		solutions && bytes ? EL_OK : el_fail(&error, EL_MEMORY, "out of memory");
	/* Look for all, even if one fails. */
	for (size_t i = 0; i < c->count && solutions; i++) {
		const struct el_stats *s = &c->stats[i];
		const enum el_status found =
			el_solution_find(el_library_directory(cli->library), &s->slice, s->metric,
		                         &solutions[i], &error);
		status = found > EL_NEGATIVE ? found : status;
	}
	if (bytes && !status && form != FORM_JSON)
		status = find_sizes(cli, c, bytes, &error);
	if (solutions && bytes) {
		if (form == FORM_JSON)
			answer = stats_print_json(cli, c->stats, solutions, c->count);
		else if (form == FORM_CSV)
			stats_print_csv(cli, c->stats, solutions, bytes, c->count);
		else
			stats_print_text(cli, c->stats, solutions, c->count);
		if (form == FORM_TEXT && !status)
			print_sizes(cli, c, bytes);
	}
	free(solutions);
	free(bytes);
	return answer || !status ? answer : command_fail(cli, "stats", &error);
}

/* One slice; `metric`: null for all. A blank line comes before all in words but the first, until which
   *begun is false. Returns an exit status. */
static int examine_slice(struct cli *cli, const struct el_slice *slice,
                         const struct el_metric *metric, enum form form, bool *begun)
{
	struct collection c = {.stats = NULL};
	struct el_error error;
	int answer = 0;
	const bool briefly = form == FORM_CSV;
	const enum el_status status =
		metric ? examine(cli, slice, metric, briefly, &c, &error)
		       : examine_all(cli, slice, briefly, &c, &answer, &error);
	if (status)
		answer = command_fail(cli, "stats", &error);
	if (!status && c.count) {
		if (*begun && form == FORM_TEXT)
			fputc('\n', cli->out);
		*begun = true;
		answer = command_worse(answer, print(cli, &c, form));
	}
	for (size_t i = 0; i < c.count; i++)
		el_stats_free(&c.stats[i]);
	free(c.stats);
	return answer;
}

static int run_study(struct cli *cli, const char *path, const struct el_metric *metric, bool json)
{
	struct progress progress;
	struct el_study_stats stats;
	struct el_error error;
	progress_start(&progress, cli);
	enum el_status status = el_study_stats_make(path, &progress.watch, &stats, &error);
	progress_clear(&progress);
	if (status)
		return command_fail(cli, "stats", &error);
	int answer = 0;
	if (metric && metric != stats.stats.metric)
		answer = command_say(cli, "stats", EL_NEGATIVE,
		                     "%s: expected --metric %s, the only one of a study", path,
		                     stats.stats.metric->name);
	else if (json)
		answer = stats_print_study_json(cli, path, &stats);
	else
		stats_print_study_text(cli, &stats);
	el_stats_free(&stats.stats);
	return answer;
}

/* Goes on after a slice that cannot be counted, unless it was stopped. */
static int run_slices(struct cli *cli, const struct arguments *arguments,
                      const struct el_metric *metric, enum form form)
{
	struct slices slices = {.list = NULL};
	struct el_error error;
	bool begun = false;
	int answer = 0;
	enum el_status status = EL_OK;
	for (size_t i = 0; i < (size_t)arguments->count && !status; i++)
		status = slices_add(&slices, arguments->words[i], &error);
	for (size_t i = 0; i < slices.count && !status; i++)
		status = metric_suits(metric, slices.list[i].game, &error);
	if (status)
		answer = command_fail(cli, "stats", &error);
	else if (form == FORM_CSV)
		stats_print_titles(cli);
	for (size_t i = 0; i < slices.count && !status; i++) {
		answer = command_worse(answer,
		                       examine_slice(cli, &slices.list[i], metric, form, &begun));
		if (command_stopped(answer))
			break;
	}
	slices_free(&slices);
	return answer;
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	const char *word = arguments->words[0];
	const struct el_source_ops *kind = el_source_kind_of(word);
	const struct el_metric *metric = NULL;
	const bool json = option_given(arguments, "--json"), csv = option_given(arguments, "--csv");
	struct el_error error;
	if (metric_option(arguments, "--metric", &metric, &error))
		return command_fail(cli, "stats", &error);
	if (json && csv)
		return command_say(cli, "stats", EL_USAGE, "--json and --csv exclude each other");
	if (!kind || !kind->covers)
		return run_slices(cli, arguments, metric,
		                  json  ? FORM_JSON
		                  : csv ? FORM_CSV
		                        : FORM_TEXT);
	if (csv || arguments->count > 1)
		return command_say(cli, "stats", EL_USAGE,
		                   "%s: expected one study, in words or with --json", word);
	return run_study(cli, word, metric, json);
}

const struct command command_stats = {
	.name = "stats",
	.arguments = "SLICE...|FILE.study [OPTION...]",
	.summary = "count the outcomes and depths of slices or a study, and the records",
	.help = "Counts the positions of a slice: won, drawn and lost for each side to move, how "
		"deep they are, which are the deepest, and how many are mutual zugzwangs. Every "
		"placement counts, symmetric ones too; 'unique' counts them up to symmetry. White "
		"is the first-named side. A rule that counts moves turns cursed wins and blessed "
		"losses into draws; longest wins and bars are then of those in time.\n"
		"A table that is damaged is named on standard error and left out, and the exit "
		"status is 3.\n"
		"In a partial table, positions whose outcome is known only within bounds are "
		"counted separately.\n"
		"Of a study it counts what the study reaches, each position once: the frames, how "
		"much is exact, which promotions were followed and which are open, outcomes and "
		"bounds, and the depths. 'Plies at most' counts wins and losses that something "
		"open could make quicker; they are not among the longest.\n"
		"Of several slices each is counted. " SLICES_HELP "\n"
		"--csv prints a line for each table: positions for each side to move, the outcomes "
		"of White to move, then of Black, the plies of the longest win and "
		"loss, the bytes of the file, and the seconds that solving and writing it took "
		"where it was built; what is not known is empty. In games in which every index is "
		"a placement, a table that was built there is not read again: its line has what "
		"the build counted.\n"
		"  endlab stats @SLICE\n"
		"  endlab stats @GROUP --csv",
	.complete = "slice",
	.options = options,
	.least = 1,
	.most = -1,
	.is_quick = true,
	.run = run,
};
