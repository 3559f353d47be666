/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "progress.h"
#include "store_options.h"
#include "tui/text/numbers.h"

#include <unistd.h>

static const struct option_help options[] = {
	{"-o", "OUT", "the file to write", .values = &file_values},
	STORE_OPTIONS(", or all pieces from the slowest to the fastest (KQkr)"),
	{"--force", .summary = "replace OUT if it exists"},
	{0},
};

static bool is_foreign(const char *path)
{
	const struct el_source_ops *kind = el_source_kind_of(path);
	return kind && !kind->read;
}

/* The given options, otherwise unchanged; for a foreign file, the defaults of a build. */
static enum el_status options_of(const char *path, const struct arguments *arguments,
                                 struct el_table_options *out, struct el_error *error)
{
	const struct el_source_ops *kind = el_source_kind_of(path);
	const struct el_metric *metric;
	struct el_slice slice;
	if (is_foreign(path) && kind->named && kind->named(path, &slice, &metric)) {
		*out = el_table_options_preset(EL_PRESET_USUAL);
		return store_options_parse(arguments, &slice, out, error);
	}
	struct el_table *table;
	enum el_status status = el_source_check_ours(path, error);
	if (!status)
		status = el_table_open(path, &table, error);
	if (status)
		return status;
	*out = el_table_info(table)->options;
	status = store_options_parse(arguments, &el_table_info(table)->slice, out, error);
	el_table_close(table);
	return status;
}

static enum el_status recode(struct cli *cli, const struct arguments *arguments,
                             struct el_error *error)
{
	const char *from = arguments->words[0], *to = option_value(arguments, "-o");
	struct el_table_options table;
	struct el_recoded recoded;
	struct progress progress;
	enum el_status status = options_of(from, arguments, &table, error);
	if (status)
		return status;
	progress_start(&progress, cli);
	status = el_recode(cli->library, from, to, &table, &progress.watch, &recoded, error);
	progress_clear(&progress);
	if (status == EL_STOPPED)
		el_fail(error, status, "%s: stopped; nothing was written", to);
	if (!status) {
		/* Report what became of the file. */
		const struct el_table_info *before = &recoded.before;
		const char *side = el_table_side(&recoded.options);
		char how[128], old[GROUPED_MAX], new[GROUPED_MAX];
		el_table_options_format(&before->slice, &recoded.options, how, sizeof how);
		fprintf(cli->out, "%s %s  %s -> %s bytes (%.1f %%)  %s%s%s\n", before->slice.name,
		        before->metric->name, grouped(before->bytes, old),
		        grouped(recoded.bytes, new),
		        100 * (double)recoded.bytes / (double)before->bytes, how, side ? ", " : "",
		        side ? side : "");
		if (recoded.unkept.status)
			command_say(cli, "the result of its proof is not kept", EL_OK, "%s",
			            recoded.unkept.text);
		if (!table.preset && table.derive & EL_DERIVE_SIDE && !side)
			fprintf(cli->out, "         no side to move is left out: %s\n",
			        before->slice.game->sows ? "they share their values"
			        : before->slice.planes == 1
			                ? "both sides have the same pieces, and share their values"
			                : "some wins come too late for the rule, and moves do "
			                  "not tell all values of either side");
	}
	return status;
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	const char *to = option_value(arguments, "-o");
	struct el_error error;
	enum el_status status;
	if (!to || !*to)
		status = el_fail(&error, EL_USAGE, "missing output file; usage: endlab recode %s",
		                 arguments->command->arguments);
	else if (is_foreign(to))
		status = el_fail(&error, EL_USAGE,
		                 "%s: a table of ours is written; its name ends in .egt", to);
	else if (!option_given(arguments, "--force") && !access(to, F_OK))
		status = el_fail(&error, EL_USAGE, "%s: the file exists; use --force to replace it",
		                 to);
	else
		status = recode(cli, arguments, &error);
	return status ? command_fail(cli, "recode", &error) : 0;
}

const struct command command_recode = {
	.name = "recode",
	.arguments = "FILE -o OUT [OPTION...]",
	.summary = "write a table again with another codec, block size, fill or order",
	.help = "Reads a table and writes it again, compressed as the options say and otherwise "
		"unchanged; then reads the new file back and compares it in full. The new file "
		"appears under its name only when all this is done. As it holds the same values, "
		"it "
		"counts as verified if the first file does.\n" PRESET_HELP LEARNING_HELP DERIVE_HELP
		"A foreign file becomes a table of ours if its values are those that ours would "
		"have: not if it rounds plies to moves, nor if it counts cursed wins as Syzygy "
		"does.\n"
		"  endlab recode KQvKR.dtm.egt -o small.egt --codec zstd:19 --block 64K\n"
		"  endlab recode KQvKR.dtm.egt -o small.egt --small\n"
		"  endlab recode --path syzygy syzygy/KQvKR.rtbw -o KQvKR.wdl50.egt",
	.complete = "file",
	.options = options,
	.least = 1,
	.most = 1,
	.touches = "files",
	.run = run,
};
