/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arguments.h"
#include "check_figures.h"
#include "core/base/clock.h"
#include "core/examine/examine.h"
#include "core/whole/whole.h"
#include "progress.h"
#include "tui/text/clean.h"
#include "tui/text/json.h"
#include "tui/text/numbers.h"
#include "tui/text/slices.h"
#include "tui/text/values.h"

#include <stdlib.h>

static const struct option_help options[] = {
	{"--metric", "LIST",
         "metrics of ours that are compared, from their own tables or from one that "
         "tells them (by default every table)",
         &metric_values, .is_list = true},
	{"--statistics", "FILE",
         "compare with published statistics instead: the stats.json of chesstb or of "
         "syzygy-tables.info",
         .values = &file_values},
	{"--json", .summary = "one JSON object a pair of tables, depths in plies"},
	{0},
};

/* A table, even if another one answers in its place. */
struct table {
	const struct el_entry *entry;
	struct el_slice slice;
	const struct el_metric *metric;
	bool ours;
};

struct check {
	struct cli *cli;
	bool json;
	FILE *aside;         /* for what is no comparison, which has no JSON */
	const char *program; /* begins its lines there */
	const struct el_metric *metrics[METRICS_MAX + 1]; /* requested; none: all */
	struct el_entry *entries;                         /* all files found */
	size_t entry_count;
	struct table *tables; /* the open ones */
	size_t count;
	int cols; /* of the column of names */
	/* Counts so far. */
	size_t pairs, foreign; /* foreign: of tables that cover one of our slices */
	uint64_t compared, different;
};

/* ---- the tables of a slice ---- */

static enum el_status list_tables(struct check *c, struct el_error *error)
{
	enum el_status status =
		el_library_list(c->cli->library, &c->entries, &c->entry_count, error);
	if (status)
		return status;
	c->tables = malloc((c->entry_count + 1) * sizeof *c->tables);
	if (!c->tables)
		return el_fail(error, EL_MEMORY, "%zu tables: out of memory", c->entry_count);
	for (const struct el_entry *e = c->entries; e < c->entries + c->entry_count; e++) {
		const struct el_source_ops *kind = el_source_kind_of(e->path);
		struct table *t = &c->tables[c->count];
		*t = (struct table){e, e->slice, e->metric, e->ours};
		if (e->is_double) /* cannot be probed: its name identifies its contents */
			t->ours = !kind || kind->read;
		c->count += e->is_double ? kind && kind->named &&
		                                   kind->named(e->path, &t->slice, &t->metric)
		                         : e->metric && !e->status;
	}
	return EL_OK;
}

/* The next table of a slice after `after` (null: the first); null: no more. */
static const struct table *next_of(const struct check *c, const struct el_slice *slice, bool ours,
                                   const struct table *after)
{
	const struct table *t = after ? after + 1 : c->tables;
	while (t < c->tables + c->count && (t->ours != ours || !el_slice_equal(&t->slice, slice)))
		t++;
	return t < c->tables + c->count ? t : NULL;
}

/* Our table for a requested metric: that metric's own, else the first that determines it. */
static const struct table *table_for(const struct check *c, const struct el_slice *slice,
                                     const struct el_metric *metric)
{
	const struct table *told = NULL;
	for (const struct table *t = NULL; (t = next_of(c, slice, true, t));) {
		if (t->metric == metric)
			return t;
		if (!told && el_metric_tells(t->metric, metric))
			told = t;
	}
	return told;
}

/* The place-th of our tables to compare, with the metric to read it as; null: no more. */
static const struct table *ours_at(const struct check *c, const struct el_slice *slice,
                                   size_t place, const struct el_metric **metric)
{
	const struct table *t = NULL;
	for (const struct el_metric *const *m = c->metrics; *m; m++) {
		t = table_for(c, slice, *m);
		*metric = *m;
		if (t && !place--)
			return t;
	}
	if (c->metrics[0])
		return NULL;
	do
		t = next_of(c, slice, true, t);
	while (t && place--);
	*metric = t ? t->metric : NULL;
	return t;
}

/* ---- a pair ---- */

static int print_json(struct check *c, const struct table *theirs, const struct el_metric *ours,
                      const struct el_comparison *found)
{
	cJSON *object = cJSON_CreateObject();
	json_text(object, "slice", theirs->slice.name);
	json_text(object, "source", theirs->entry->path);
	json_text(object, "ours", ours->name);
	json_text(object, "metric", found->metric->name);
	json_count(object, "compared", found->compared);
	json_count(object, "different", found->different);
	json_count(object, "within_a_ply", found->within);
	json_count(object, "bounded", found->bounded);
	cJSON *first = cJSON_AddArrayToObject(object, "first");
	for (size_t i = 0; i < found->count; i++) {
		cJSON *one = json_item(first);
		json_text(one, "fen", found->first[i].fen);
		check_value_json(one, "ours", found->metric, found->first[i].ours);
		check_value_json(one, "theirs", found->metric, found->first[i].theirs);
	}
	return json_write(c->cli, object);
}

static void print_text(const struct check *c, const struct table *theirs,
                       const struct el_metric *ours, const struct el_comparison *found,
                       double seconds)
{
	FILE *out = c->cli->out;
	char number[GROUPED_MAX], time[TIME_MAX], ours_text[VALUE_MAX], theirs_text[VALUE_MAX];
	fprintf(out, "%-*s %-5s %15s positions, ", c->cols, theirs->slice.name, ours->name,
	        grouped(found->compared, number));
	if (found->different)
		fprintf(out, "%s different from ", grouped(found->different, number));
	else
		fputs("no difference from ", out);
	clean_print(out, theirs->entry->path);
	fprintf(out, " in %s", found->metric->name);
	if (found->within)
		fprintf(out, ", %s of them within a ply, where it rounds",
		        grouped(found->within, number));
	if (found->bounded)
		fprintf(out, ", %s of them within our bounds", grouped(found->bounded, number));
	fprintf(out, "  %s\n", seconds_text(seconds, time));
	for (const struct el_difference *d = found->first; d < found->first + found->count; d++)
		fprintf(out, "  %s: ours %s, theirs %s\n", d->fen,
		        value_words(found->metric, d->ours, ours_text),
		        value_words(found->metric, d->theirs, theirs_text));
	if (found->different > found->count)
		fprintf(out, "  and %s more\n", grouped(found->different - found->count, number));
	fflush(out);
}

/* Reads a table under a metric that it tells. */
static enum el_status read_as(struct check *c, const struct table *table,
                              const struct el_metric *metric, struct el_planes *out,
                              struct el_error *error)
{
	struct el_planes own;
	struct progress progress;
	progress_start(&progress, c->cli);
	enum el_status status = el_library_read(c->cli->library, table->entry->path,
	                                        &progress.watch, NULL, &own, error);
	progress_clear(&progress);
	if (status || metric == table->metric) {
		*out = own;
		return status;
	}
	status = el_planes_read(&own, metric, out, error);
	el_planes_free(&own);
	return status;
}

/* Compares a pair of tables; the planes hold `theirs`. */
static int check_pair(struct check *c, const struct table *theirs, const struct el_planes *planes,
                      const struct table *ours, const struct el_metric *metric)
{
	struct el_planes own;
	struct el_comparison found;
	struct el_error error;
	const double start = clock_seconds();
	enum el_status status = read_as(c, ours, metric, &own, &error);
	if (status)
		return command_fail(c->cli, "check", &error);
	status = el_compare(&own, planes, &found, &error);
	el_planes_free(&own);
	if (status)
		return command_fail(c->cli, "check", &error);
	c->pairs++;
	c->compared += found.compared;
	c->different += found.different;
	int answer = found.different ? command_exit(EL_NEGATIVE) : 0;
	if (c->json)
		answer = command_worse(answer, print_json(c, theirs, metric, &found));
	else
		print_text(c, theirs, metric, &found, clock_seconds() - start);
	return answer;
}

/* ---- a slice ---- */

/* Compares one foreign table with all of ours. */
static int check_source(struct check *c, const struct table *theirs)
{
	struct el_planes planes;
	struct el_error error;
	const struct table *ours;
	const struct el_metric *metric;
	if (read_as(c, theirs, theirs->metric, &planes, &error))
		return command_fail(c->cli, "check", &error);
	int answer = 0;
	for (size_t i = 0;
	     (ours = ours_at(c, &theirs->slice, i, &metric)) && !command_stopped(answer); i++)
		answer = command_worse(answer, check_pair(c, theirs, &planes, ours, metric));
	el_planes_free(&planes);
	return answer;
}

/* Checks a slice of which we have a table; `alone`: the only slice named. */
static int check_slice(struct check *c, const struct el_slice *slice, bool alone)
{
	const struct table *theirs = next_of(c, slice, false, NULL);
	int answer = 0;
	/* A foreign file that cannot be used is not missing: report it. */
	for (const struct el_entry *e = c->entries; e < c->entries + c->entry_count; e++) {
		const struct el_source_ops *kind = el_source_kind_of(e->path);
		if (!e->status || !e->metric || !el_slice_equal(&e->slice, slice) || kind->read)
			continue;
		answer = command_worse(answer, command_say(c->cli, "check", e->status, "%s: %s",
		                                           e->path, e->ignored));
	}
	if (!theirs && !alone)
		fprintf(c->aside, "%s%-*s no foreign table covers it\n", c->program, c->cols,
		        slice->name);
	for (; theirs && !command_stopped(answer); theirs = next_of(c, slice, false, theirs)) {
		c->foreign++;
		answer = command_worse(answer, check_source(c, theirs));
	}
	return answer;
}

/* What all comparisons together found, with so many of these others. */
static void print_sum(const struct check *c, size_t others, const char *one, const char *many,
                      const char *unit)
{
	char compared[GROUPED_MAX], different[GROUPED_MAX];
	fprintf(c->cli->out, "%zu comparisons with %zu %s, %s %s: %s%s\n", c->pairs, others,
	        plural(others, one, many), grouped(c->compared, compared), unit,
	        c->different ? grouped(c->different, different) : "no difference",
	        c->different ? " different" : "");
}

/* ---- words ---- */

static int check_word(struct check *c, const char *word)
{
	struct slices slices = {0};
	struct el_error error;
	const struct el_metric *metric;
	const size_t pairs = c->pairs;
	bool is_ours = false;
	int answer = 0;
	enum el_status status = slices_add(&slices, word, &error);
	if (!status && slices.count)
		status = metrics_suit(c->metrics, slices.list[0].game, &error);
	for (size_t i = 0; i < slices.count; i++)
		c->cols = name_cols(c->cols, &slices.list[i]);
	for (size_t i = 0; i < slices.count && !status && !command_stopped(answer); i++) {
		if (!ours_at(c, &slices.list[i], 0, &metric))
			continue;
		is_ours = true;
		answer = command_worse(answer, check_slice(c, &slices.list[i], slices.count == 1));
	}
	const bool is_nothing = !status && !answer && c->pairs == pairs;
	if (is_nothing && is_ours)
		status = el_fail(&error, EL_NEGATIVE,
		                 "%s: nothing to compare with: no foreign table in the folders of "
		                 "--path or $ENDLAB_PATH covers it",
		                 word);
	else if (is_nothing && slices.count == 1)
		status = command_missing(c->cli, &slices.list[0], c->metrics[0], &error);
	else if (is_nothing)
		status = el_fail(&error, EL_NEGATIVE, "%s: no tables of ours in %s to compare",
		                 word, el_library_directory(c->cli->library));
	slices_free(&slices);
	return status ? command_fail(c->cli, "check", &error) : answer;
}

/* ---- published statistics ---- */

/* Compares an ending with one table of ours. */
static int check_figures(struct check *c, const char *path,
                         const struct el_published_ending *theirs, const struct table *ours,
                         const struct el_metric *metric)
{
	struct el_planes own;
	struct el_figures found;
	struct el_error error;
	struct progress progress;
	const double start = clock_seconds();
	enum el_status status = read_as(c, ours, metric, &own, &error);
	if (status)
		return command_fail(c->cli, "check", &error);
	progress_start(&progress, c->cli);
	status = el_published_compare(theirs, &own, &progress.watch, &found, &error);
	progress_clear(&progress);
	el_planes_free(&own);
	if (status == EL_STOPPED)
		el_fail(&error, status, "%s: stopped", theirs->slice.name);
	if (status)
		return command_fail(c->cli, "check", &error);
	c->pairs++;
	c->compared += found.compared;
	c->different += found.different;
	const int answer = found.different ? command_exit(EL_NEGATIVE) : 0;
	if (c->json)
		return command_worse(
			answer, check_figures_json(c->cli, path, &theirs->slice, metric, &found));
	check_figures_text(c->cli, path, &theirs->slice, metric, &found, c->cols,
	                   clock_seconds() - start);
	return answer;
}

/* Names the endings of which we have no table, those of as many pieces on one line, and what in the file
   has no counterpart here; `all`: nobody asked for some endings only. */
static void print_rest(struct check *c, const struct el_published *published, const bool *missing,
                       bool all)
{
	FILE *out = c->aside;
	const char *what = c->program, *first = NULL;
	char number[GROUPED_MAX];
	size_t parts = 0;
	for (unsigned pieces = 0; pieces <= EL_PIECES_MAX && !c->json; pieces++) {
		size_t count = 0;
		for (size_t i = 0; i < published->count; i++)
			count += missing[i] && published->ending[i].slice.pieces == pieces;
		if (!count)
			continue;
		fprintf(out, "no table of ours: %s %s of %u pieces:", grouped(count, number),
		        plural(count, "ending", "endings"), pieces);
		for (size_t i = 0; i < published->count; i++)
			if (missing[i] && published->ending[i].slice.pieces == pieces)
				fprintf(out, " %s", published->ending[i].slice.name);
		fputc('\n', out);
	}
	for (const struct el_published_ending *e = published->ending + published->count;
	     e-- > published->ending;)
		if (e->is_part) {
			first = e->name;
			parts++;
		}
	if (parts && all)
		fprintf(out,
		        "%snot compared: %s %s of positions with castling rights, or with pawns "
		        "that block each other, alone: %s%s\n",
		        what, grouped(parts, number), plural(parts, "ending", "endings"), first,
		        parts > 1 ? ", ..." : "");
	if (*published->beyond && c->pairs)
		fprintf(out,
		        "%snot compared: its longest wins in %s, which no table of ours counts\n",
		        what, published->beyond);
}

/* Compares the endings of a file, all of them or those of these slices. */
static int check_statistics(struct check *c, const char *path, const struct arguments *arguments)
{
	struct el_published published = {.ending = NULL};
	struct slices slices = {0};
	struct el_error error;
	const struct table *ours;
	const struct el_metric *metric;
	int answer = 0;
	size_t endings = 0, in_file = 0;
	enum el_status status = EL_OK;
	for (int i = 0; i < arguments->count && !status; i++)
		status = slices_add(&slices, arguments->words[i], &error);
	if (!status)
		status = el_published_read(path, slices.count == 1 ? slices.list : NULL, &published,
		                           &error);
	bool *missing = calloc(published.count + 1, sizeof *missing);
	bool *found = calloc(slices.count + 1, sizeof *found);
	if (!status && (!missing || !found))
		status = el_fail(&error, EL_MEMORY, "%s: out of memory", path);
	for (size_t i = 0; i < published.count && !status && !command_stopped(answer); i++) {
		const struct el_published_ending *e = &published.ending[i];
		size_t s = 0;
		while (s < slices.count && !el_slice_equal(&slices.list[s], &e->slice))
			s++;
		if (e->is_part || (slices.count && s == slices.count))
			continue;
		status = metrics_suit(c->metrics, e->slice.game, &error);
		if (status)
			break;
		found[s] = true;
		in_file++;
		missing[i] = !ours_at(c, &e->slice, 0, &metric);
		endings += !missing[i];
		if (missing[i] && c->json)
			answer = command_worse(
				answer, check_figures_json(c->cli, path, &e->slice, NULL, NULL));
		for (size_t place = 0;
		     (ours = ours_at(c, &e->slice, place, &metric)) && !command_stopped(answer);
		     place++)
			answer = command_worse(answer, check_figures(c, path, e, ours, metric));
	}
	const bool goes_on = !status && !command_stopped(answer), one = slices.count == 1;
	for (size_t s = 0; s < slices.count && goes_on && !one; s++) {
		if (found[s] || !ours_at(c, &slices.list[s], 0, &metric))
			continue;
		fprintf(c->aside, "%s%-*s is not in ", c->program, c->cols, slices.list[s].name);
		clean_print(c->aside, path);
		fputc('\n', c->aside);
	}
	if (goes_on && (c->pairs || !one))
		print_rest(c, &published, missing, !slices.count);
	if (goes_on && one && !in_file)
		status = el_fail(&error, EL_NEGATIVE, "%s: it has no statistics of %s", path,
		                 slices.list[0].name);
	else if (goes_on && one && !endings)
		status = command_missing(c->cli, &slices.list[0], c->metrics[0], &error);
	else if (goes_on && !answer && !c->pairs)
		status =
			el_fail(&error, EL_NEGATIVE,
		                "%s: nothing to compare: no tables of ours in %s are of its %zu "
		                "%s%s",
		                path, el_library_directory(c->cli->library), in_file,
		                plural(in_file, "ending", "endings"), slices.count ? " named" : "");
	else if (goes_on && !c->json && c->pairs > 1)
		print_sum(c, endings, "ending", "endings", "figures");
	free(missing);
	free(found);
	slices_free(&slices);
	el_published_free(&published);
	return status ? command_fail(c->cli, "check", &error) : answer;
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	const char *statistics = option_value(arguments, "--statistics");
	const bool json = option_given(arguments, "--json");
	struct check c = {
		.cli = cli,
		.json = json,
		.aside = json ? cli->err : cli->out,
		.program = json ? "endlab: check: " : "",
		.cols = SLICE_COLS,
	};
	struct el_error error;
	if (!statistics && !arguments->count)
		return command_say(
			cli, "check", EL_USAGE,
			"no slice given; usage: endlab check SLICE... | --statistics FILE");
	if (metrics_option(arguments, c.metrics, &error) || list_tables(&c, &error))
		return command_fail(cli, "check", &error);
	int answer = 0;
	if (statistics)
		answer = check_statistics(&c, statistics, arguments);
	for (int i = 0; i < arguments->count && !statistics && !command_stopped(answer); i++)
		answer = command_worse(answer, check_word(&c, arguments->words[i]));
	if (!statistics && !c.json && c.pairs > 1)
		print_sum(&c, c.foreign, "foreign table", "foreign tables", "positions");
	el_entries_free(c.entries, c.entry_count);
	free(c.tables);
	return answer;
}

const struct command command_check = {
	.name = "check",
	.arguments = "SLICE... | --statistics FILE [SLICE...] [OPTION...]",
	.summary = "compare our tables with foreign ones, or with published statistics",
	.help = "Compares every position of each of our tables with every foreign table of the "
		"same slice, in the finest value that both tell: the depth if both count the same, "
		"else the outcome. Foreign tables are found in the folders of --path and "
		"$ENDLAB_PATH; each is probed by itself, even if another answers. Positions are "
		"counted up to symmetry, and the first ones that differ are shown. " SLICES_HELP
		"\n"
		"Some Syzygy files of depths keep moves instead of plies: if a value may be one "
		"ply more, one ply more is no difference, and these are counted separately; "
		"chesstb's do so with cursed wins. Syzygy counts cursed wins and blessed losses on "
		"past the limit of the 50-move rule, our dtz50 tables do not: there the outcomes "
		"are compared, and Syzygy's count must be past the limit.\n"
		"With --statistics our tables are counted and compared with numbers that others "
		"have published, for all endings of the file or only those named: won, drawn and "
		"lost positions for each side to move, positions by plies, and the longest wins, "
		"whose positions are looked up in our tables. Each number is a figure. A table is "
		"compared in what it tells. The file is JSON, and is known by what is in it.\n"
		"The stats.json of chesstb has placements by outcomes without a rule, and the "
		"longest wins in dtm (compared with our dtm) and in dtz (with our dtz50, cursed "
		"wins too). Its dtc puts pawn moves before plies and is not compared.\n"
		"The stats.json of syzygy-tables.info, or stats/KQvKR.json for one ending, has the "
		"five outcomes under the 50-move rule (compared with our wdl50 and dtz50), and "
		"positions by plies and the longest wins in dtz50. There, symmetric positions "
		"count once and like pieces are told apart: our counts are converted. Past the "
		"limit plies are counted in another way, so cursed wins are compared by number "
		"alone.\n"
		"Endings of which there is no table are named and counted, and so is what else in "
		"the file has no counterpart here: positions with castling rights, and metrics "
		"that no table of ours has.\n"
		"The exit status is 1 if anything differs, or if nothing could be compared, and 3 "
		"if a file is damaged.\n"
		"  endlab check all --path ~/syzygy:~/gaviota\n"
		"  endlab check --statistics stats.json 3-5\n"
		"  endlab check KQvK --metric dtm,wdl --json",
	.complete = "slice",
	.options = options,
	.least = 0,
	.most = -1,
	.judges = true,
	.run = run,
};
