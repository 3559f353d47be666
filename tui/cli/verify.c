/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/examine/verify.h"
#include "arguments.h"
#include "core/base/array.h"
#include "core/base/clock.h"
#include "progress.h"
#include "tui/text/clean.h"
#include "tui/text/numbers.h"
#include "tui/text/slices.h"
#include "tui/text/values.h"

#include <stdlib.h>
#include <string.h>

static const struct option_help options[] = {
	{"--metric", "LIST", "only tables of these metrics, comma-separated (by default all)",
         &metric_values, .is_list = true},
	{"--sample", "N",
         .summary = "verify about N positions of each table, spread over all of it: for "
                    "tables that do not fit into memory"},
	{"--slow", .summary = "verify position by position, by playing each move, even where whole "
                              "tables can be verified at once"},
	{"--memory", "SIZE",
         .summary = "memory to use, such as 512M (by default three quarters of the machine's); a "
                    "larger table is read piece by piece"},
	{"--again",
         .summary = "verify tables again that have not changed since they were verified"},
	{0},
};

enum { MISSING_NAMED = 12 }; /* in the last line; the others are only counted */

/* One command. */
struct work {
	struct cli *cli;
	struct progress progress;
	struct el_verify_options options;
	const struct el_metric *metrics[METRICS_MAX + 1]; /* requested; none: all */
	struct el_verify_task *tasks;                     /* owned */
	size_t count;
	char **parts; /* the paths of slices in files of several; all owned */
	size_t part_count;
	bool is_set; /* more than one table was requested: a last line sums up */
	int cols;    /* of the column of names */
	int answer;  /* exit status so far */
	bool told_unkept;
	size_t right, before, wrong, failed;
	uint64_t positions;
	size_t missing;                                  /* tables of groups */
	char names[MISSING_NAMED * (EL_SLICE_MAX + 24)]; /* of the first ones */
};

/* ---- one table ---- */

static void print_result(struct work *w, const struct el_verify_result *r)
{
	FILE *out = w->cli->out;
	char checked[GROUPED_MAX], wrong[GROUPED_MAX], time[TIME_MAX], day[DAY_MAX];
	char stored[VALUE_MAX], derived[VALUE_MAX];
	const struct el_summary *before = &r->before;
	const bool sampled =
		before->verified ? before->verified == EL_SAMPLED : w->options.sample > 0;
	const uint64_t positions = before->verified ? before->positions : r->verdict.checked;
	fprintf(out, "%-*s %-5s %15s positions %s", name_cols(w->cols, &r->slice), r->slice.name,
	        r->metric->name, grouped(positions, checked), sampled ? "of a sample " : "");
	if (before->verified)
		fprintf(out, "all right, verified on %s by endlab %s and unchanged since",
		        day_text(before->date, day), before->version);
	else if (r->verdict.wrong && r->slice.is_study &&
	         r->verdict.first_stored.outcome == EL_BROKEN)
		fprintf(out, "%s wrong; the first: %s: a move leads there, but it has no value",
		        grouped(r->verdict.wrong, wrong), r->verdict.first_fen);
	else if (r->verdict.wrong)
		fprintf(out, "%s wrong; the first: %s: expected %s, found %s",
		        grouped(r->verdict.wrong, wrong), r->verdict.first_fen,
		        value_words(r->metric, r->verdict.first_derived, derived),
		        value_words(r->metric, r->verdict.first_stored, stored));
	else {
		/* Print a verdict without errors. */
		char number[GROUPED_MAX];
		if (r->verdict.open)
			fprintf(out, "%s cannot be proved", grouped(r->verdict.open, number));
		else
			fprintf(out, "all right%s", r->metric->late ? ", as Syzygy counts" : "");
		if (r->verdict.rounded)
			fprintf(out, ", %s of them within a ply, where the table rounds",
			        grouped(r->verdict.rounded, number));
		for (size_t i = 0; i < r->verdict.missing.count; i++)
			fprintf(out, "%s%s", i ? ", " : " without ",
			        r->verdict.missing.slice[i].name);
		if (r->verdict.open && r->slice.is_study)
			fprintf(out, " without the tables that it was made with");
		if (r->verdict.loose)
			fprintf(out, "; %s %s narrower bounds by now: %s again",
			        grouped(r->verdict.loose, number),
			        plural(r->verdict.loose, "position has", "positions have"),
			        r->slice.is_study ? "solve it" : "build --partial");
	}
	fprintf(out, "  %s\n", seconds_text(r->seconds, time));
	fflush(out);
	w->positions += r->verdict.checked;
}

/* Says how to proceed, if possible. `path`: of a named file; else null. */
static int fail(struct cli *cli, const char *path, const struct el_verify_result *r)
{
	struct el_error error = r->error;
	struct el_entry *entries;
	size_t count;
	const struct el_source_ops *kind = path ? el_source_kind_of(path) : NULL;
	struct el_slice slice;
	const struct el_metric *metric;
	if (error.status == EL_DAMAGED && !el_library_list(cli->library, &entries, &count, NULL)) {
		/* Our file in the directory of tables can be made again. */
		for (const struct el_entry *e = entries; e < entries + count; e++) {
			const struct el_source_ops *of = el_source_kind_of(e->path);
			const size_t length = strlen(e->path);
			if (!e->here || !e->metric || !of || !of->read ||
			    strncmp(error.text, e->path, length) || error.text[length] != ':')
				continue;
			el_text_add(error.text, sizeof error.text,
			            "; run 'endlab build %s --repair' to make damaged tables again",
			            e->slice.name);
			break;
		}
		el_entries_free(entries, count);
	}
	if (r->too_large)
		el_text_add(error.text, sizeof error.text,
		            "; add --sample 10000000 to verify so many of its positions");
	else if (error.status == EL_NEGATIVE && kind && kind->named && !kind->read &&
	         kind->named(path, &slice, &metric))
		el_text_add(error.text, sizeof error.text,
		            "; name the folder of the tables it depends on with --path");
	return command_fail(cli, "verify", &error);
}

static void report(void *context, const struct el_verify_result *r)
{
	struct work *w = context;
	const bool is_bad = r->verdict.wrong || r->verdict.open;
	progress_clear(&w->progress);
	if (r->status) {
		w->answer = command_worse(w->answer, fail(w->cli, w->tasks[r->task].path, r));
		w->failed++;
		return;
	}
	print_result(w, r);
	if (r->unkept.status && !w->told_unkept) { /* the results do not depend on it */
		w->told_unkept = true;
		fprintf(w->cli->err, "endlab: verify: %s",
		        r->unkept.status == EL_DAMAGED ? "" : "the results are not kept: ");
		clean_print(w->cli->err, r->unkept.text);
		fputc('\n', w->cli->err);
	}
	w->answer = command_worse(w->answer, command_exit(is_bad ? EL_NEGATIVE : EL_OK));
	w->wrong += r->verdict.wrong > 0;
	w->failed += !r->verdict.wrong && r->verdict.open;
	w->before += r->before.verified != EL_NOT_VERIFIED;
	w->right += !is_bad && !r->before.verified;
}

/* ---- what to verify ---- */

static void refuse(struct work *w, const struct el_error *error)
{
	w->answer = command_worse(w->answer, command_fail(w->cli, "verify", error));
}

static void add_task(struct work *w, const struct el_verify_task *task)
{
	if (array_grow(&w->tasks, w->count, 1, sizeof *w->tasks))
		w->tasks[w->count++] = *task;
	else
		w->answer = command_worse(w->answer,
		                          command_say(w->cli, "verify", EL_MEMORY,
		                                      "%zu tables: out of memory", w->count + 1));
}

/* Adds all tables of a slice; `only` may be null. */
static void add_slice(struct work *w, const struct el_slice *slice, const struct el_metric *only,
                      bool in_group)
{
	const struct el_metric *metric = NULL;
	bool found = false;
	while ((metric = el_library_next_metric(w->cli->library, slice, metric))) {
		if ((only && !el_metric_alike(metric, only)) ||
		    el_library_find(w->cli->library, slice, metric, NULL) == EL_NEGATIVE)
			continue;
		add_task(w, &(struct el_verify_task){.slice = *slice, .metric = metric});
		found = true;
	}
	if (found)
		w->cols = name_cols(w->cols, slice);
	else {
		/* In a group a missing table is only counted. */
		struct el_error error;
		if (!in_group) {
			command_missing(w->cli, slice, only, &error);
			refuse(w, &error);
		} else if (w->missing++ < MISSING_NAMED) {
			el_words_add(w->names, sizeof w->names, ", ", slice->name);
			if (only)
				el_words_add(w->names, sizeof w->names, " ", only->name);
		}
	}
}

/* Adds all slices of a file of several; false: it does not tell them, or the word names one. */
static bool add_slices_of(struct work *w, const struct el_source_ops *kind, const char *path)
{
	struct el_verify_task task = {.metric = NULL};
	struct el_slice *slices;
	size_t count;
	if (kind->slices(path, &slices, &count, NULL))
		return false;
	w->is_set = true;
	for (size_t i = 0; i < count; i++) {
		char *part = array_grow(&w->parts, w->part_count, 1, sizeof *w->parts)
		                     ? el_source_part(path, &slices[i])
		                     : NULL;
		if (!part) {
			w->answer =
				command_worse(w->answer, command_say(w->cli, "verify", EL_MEMORY,
			                                             "%s: out of memory", path));
			break;
		}
		task.path = w->parts[w->part_count++] = part;
		kind->named(part, &task.slice, &task.metric);
		add_task(w, &task);
	}
	free(slices);
	return true;
}

static void add_word(struct work *w, const char *word)
{
	struct slices slices = {0};
	struct el_slice one;
	struct el_error error;
	if (!slices_named(word)) {
		struct el_verify_task task = {.path = word};
		const struct el_source_ops *kind = el_source_kind_of(word);
		if (kind && kind->slices && add_slices_of(w, kind, word))
			return;
		if (!kind || !kind->named || !kind->named(word, &task.slice, &task.metric))
			task.metric = NULL;
		add_task(w, &task);
		return;
	}
	const bool in_group = slice_parse(word, &one, NULL) == EL_USAGE;
	w->is_set |= in_group;
	if (slices_add(&slices, word, &error) ||
	    (slices.count && metrics_suit(w->metrics, slices.list[0].game, &error))) {
		refuse(w, &error);
		slices_free(&slices);
		return;
	}
	for (size_t i = 0; i < slices.count; i++) {
		const struct el_metric *const *metric = w->metrics;
		do
			add_slice(w, &slices.list[i], *metric, in_group);
		while (*metric && *++metric);
	}
	slices_free(&slices);
}

/* ---- all of it ---- */

static void print_count(FILE *out, const char *before, size_t count, const char *words)
{
	char number[GROUPED_MAX];
	if (count)
		fprintf(out, "%s%s %s", before, grouped(count, number), words);
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	struct work w = {
		.cli = cli,
		.cols = SLICE_COLS,
		.is_set = arguments->count > 1,
		.options.slow = option_given(arguments, "--slow"),
		.options.again = option_given(arguments, "--again"),
		.options.ranks = cli->ranks,
	};
	struct el_error error;
	const uint64_t most = UINT64_C(1) << 48;
	if (metrics_option(arguments, w.metrics, &error) ||
	    size_option(arguments, "--memory", &w.options.memory, &error) ||
	    number_option(arguments, "--sample", 1, most, &w.options.sample, &error))
		return command_fail(cli, "verify", &error);
	for (int i = 0; i < arguments->count; i++)
		add_word(&w, arguments->words[i]);
	const double start = clock_seconds();
	progress_start(&w.progress, w.cli);
	w.progress.as_one = w.count > 1;
	enum el_status status = el_verify_tables(w.cli->library, w.tasks, w.count, &w.options,
	                                         &w.progress.watch, report, &w, &error);
	progress_clear(&w.progress);
	if (w.is_set && w.count + w.missing) {
		/* "37 tables: 30 right, 5 right before and unchanged, 2 wrong; 1 missing: KPvKP;
		   108,123,456 positions in 56 s" */
		const size_t finished = w.right + w.before + w.wrong + w.failed;
		FILE *out = w.cli->out;
		char number[GROUPED_MAX], time[TIME_MAX];
		fprintf(out, "%zu %s", finished, plural(finished, "table", "tables"));
		print_count(out, ": ", w.right, "right");
		const char *const next = w.right ? ", " : ": ";
		print_count(out, next, w.before, "right before and unchanged");
		print_count(out, w.right + w.before ? ", " : ": ", w.wrong, "wrong");
		print_count(out, w.right + w.before + w.wrong ? ", " : ": ", w.failed,
		            "not verified");
		print_count(out, "; ", w.count - finished, "not looked at");
		print_count(out, "; ", w.missing,
		            w.missing > MISSING_NAMED ? "missing, among them " : "missing: ");
		fprintf(out, "%s; %s positions in %s\n", w.names, grouped(w.positions, number),
		        seconds_text(clock_seconds() - start, time));
	}
	if (w.missing)
		w.answer = command_worse(w.answer, command_exit(EL_NEGATIVE));
	if (status)
		refuse(&w, &error);
	for (size_t i = 0; i < w.part_count; i++)
		free(w.parts[i]);
	free(w.parts);
	free(w.tasks);
	return w.answer;
}

const struct command command_verify = {
	.name = "verify",
	.arguments = "SLICE|FILE... [OPTION...]",
	.summary = "prove tables right from the rules alone",
	.help = "Derives every position of a table again, from its legal moves and the values they "
		"lead to in this table and in others, and checks every block against its checksum. "
		"A word with a dot or a slash in it is a file; of one with several slices "
		"(Cake's), "
		"db4.cpr means all of them and db4.cpr#KMvK one. " SLICES_HELP
		" For a group it verifies all existing tables, several small ones at a time; the "
		"last line counts and names the missing ones.\n"
		"It keeps its results beside the tables, in .verified.tsv, and 'endlab list' shows "
		"them, like those of 'endlab build'. A table that was verified is not proved again "
		"as long as neither it nor a table that its proof rests on has changed: only the "
		"checksums of its blocks are compared. --again proves it anyway. So a verification "
		"that is stopped continues where it was.\n"
		"--sample verifies only some positions, the same ones every time, in runs spread "
		"evenly over the whole table, and reads a block at a time instead of whole tables: "
		"for slices that do not fit into memory. It works for wdl, dtm, dtmK, dtw, dtc and "
		"dtz; a proof of wdlK, dtzK, dtr, dtzr or win needs all positions.\n"
		"Whole planes are proved at once where that is enough: for exact depths and stones "
		"of any game, and for dtzK. Bounds, rounded plies, dtr and dtzr are proved "
		"position by position, as everything is with --slow, which is some ten times as "
		"slow. Under mpirun (samples/mpi.md) ranks share the positions of what is proved "
		"by whole planes.\n"
		"Outcomes could agree with each other and be false. So for a table without depths "
		"the slice is solved again for plies to the next conversion, or zeroing move, "
		"these are proved, and the outcomes compared with them.\n"
		"A partial table is proved with the existing tables. Bounds that could be narrower "
		"by now are reported, but are no error.\n"
		"A study (FILE.study) is proved in the same way: every position of every frame "
		"that it reaches, by its successors in the same file and, behind promotions, in "
		"tables. Bounds, outcomes and plies must be those of the best move, plies that are "
		"not called 'at most' the least (under dtc and dtm as far as one move tells), and "
		"every move must lead to a position of the study unless it is a promotion that was "
		"not followed. A study has no --sample.\n"
		"Tables of dtr and dtzr, and with --slow those under a rule that counts moves, are "
		"proved by playing out each phase over position and clock. A dtzr table with pawns "
		"needs the dtr table of the same slice for that.\n"
		"Foreign tables are proved in the same way, by their successors in tables of any "
		"kind, and their results are kept beside them too; one that keeps moves instead of "
		"plies is right within a ply, and the report counts such positions.\n"
		"The exit status is 1 if a position is wrong, or a table is missing or cannot be "
		"read by this program, 3 if a file is damaged ('endlab build --repair' makes "
		"damaged tables again), and 128 + N if signal N stopped the proof (130 for ^C).\n"
		"  endlab verify all\n"
		"  endlab verify 3-5 --metric dtm,wdl\n"
		"  endlab verify @SLICE --sample 100000\n"
		"  endlab verify ./KQvKR.dtm.egt",
	.complete = "slice",
	.options = options,
	.least = 1,
	.most = -1,
	.judges = true,
	.rights = WRITES_BESIDE,
	.run = run,
};
