/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/export/export.h"
#include "arguments.h"
#include "progress.h"
#include "tui/text/clean.h"
#include "tui/text/numbers.h"
#include "tui/text/slices.h"

static const struct option_help options[] = {
	{"--format", "FORMAT", "the format to write", .values = &export_values},
	{"-o", "DIR", "the folder to write to, made where it is missing (by default this one)",
         .values = &folder_values},
	{"--metric", "METRIC",
         "only this metric, from its own table or one that tells it (by default "
         "all that there are tables of)",
         .values = &metric_values},
	{"--replace", .summary = "replace files that are there already"},
	{0},
};

/* A run over one slice after another, and its output. */
struct exporting {
	struct cli *cli;
	struct progress progress;
};

static void tell_written(void *context, const char *path, uint64_t bytes)
{
	struct exporting *x = context;
	char number[GROUPED_MAX];
	progress_clear(&x->progress);
	clean_print(x->cli->out, path);
	fprintf(x->cli->out, "  %s bytes\n", grouped(bytes, number));
}

/* Reads all words before writing the first file. */
static enum el_status read_words(const struct arguments *arguments, struct slices *slices,
                                 const struct el_export_format **format, struct el_export *out,
                                 struct el_error *error)
{
	const char *name = option_value(arguments, "--format");
	const char *folder = option_value(arguments, "-o");
	if (!name)
		return el_fail(error, EL_USAGE, "missing format; usage: endlab export %s",
		               arguments->command->arguments);
	enum el_status status = el_export_format_parse(name, format, error);
	if (!status)
		status = metric_option(arguments, "--metric", &out->metric, error);
	for (int i = 0; i < arguments->count && !status; i++)
		status = slices_add(slices, arguments->words[i], error);
	for (size_t i = 0; i < slices->count && !status; i++)
		status = el_export_check(*format, &slices->list[i], out->metric, error);
	if (!status && folder && !strcmp(folder, "-"))
		status = el_fail(error, EL_USAGE, "-o -: expected a folder, for several files");
	out->directory = folder && *folder ? folder : ".";
	out->replace = option_given(arguments, "--replace");
	return status;
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	struct exporting x = {.cli = cli};
	struct el_export export = {.library = cli->library};
	const struct el_export_format *format;
	struct slices slices = {0};
	struct el_error error;
	int answer = 0;
	if (read_words(arguments, &slices, &format, &export, &error)) {
		answer = command_fail(cli, "export", &error);
		slices_free(&slices);
		return answer;
	}
	progress_start(&x.progress, cli);
	export.watch = &x.progress.watch;
	export.context = &x;
	export.written = tell_written;
	for (size_t i = 0; i < slices.count && !command_stopped(answer); i++) {
		export.slice = slices.list[i];
		const enum el_status status = el_export(format, &export, &error);
		progress_clear(&x.progress);
		if (status)
			answer = command_worse(answer, command_fail(cli, "export", &error));
	}
	slices_free(&slices);
	return answer;
}

const struct command command_export = {
	.name = "export",
	.arguments = "SLICE... --format FORMAT [OPTION...]",
	.summary = "write tables as files that other programs read",
	.help = "Writes the tables of a slice as files that other programs read. " SLICES_HELP "\n"
		"Arrays and lines come for each metric, in the order of the index, with a JSON "
		"beside them: it says what each value means, how many positions have each outcome, "
		"and which position an index stands for. Tables of other programs are exported as "
		"well.\n"
		"Syzygy tables come in pairs, outcomes under the 50-move rule (.rtbw) and depths "
		"(.rtbz), for slices of up to 7 pieces that have a dtz50 table. Other programs "
		"also need the pairs of the slices that captures and promotions lead to.\n"
		"Files that belong together appear under their names when all of them are whole.\n"
		"  endlab export @SLICE --format npy -o arrays\n"
		"  endlab export all --format syzygy -o syzygy",
	.complete = "slice",
	.options = options,
	.least = 1,
	.most = -1,
	.touches = "files",
	.rights = WRITES_HERE,
	.run = run,
};
