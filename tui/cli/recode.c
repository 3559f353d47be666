/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "progress.h"
#include "store_options.h"
#include "text.h"

#include <unistd.h>

static const struct option_help options[] = {
	{"-o", "OUT", "the file to write"},
	STORE_OPTIONS,
	{"--force", NULL, "replace OUT if it is there"},
	{0},
};

static enum el_status read_table(const char *path, struct el_table_info *info,
                                 struct el_planes *planes, struct el_error *error)
{
	struct el_table *table;
	enum el_status status = el_table_open(path, &table, error);
	if (status)
		return status;
	*info = *el_table_info(table);
	status = el_table_read(table, planes, error);
	el_table_close(table);
	if (!status)
		el_planes_mark_broken(planes);
	return status;
}

static uint64_t differences(const struct el_planes *a, const struct el_planes *b, unsigned plane)
{
	uint64_t different = 0;
	for (uint64_t i = 0; i < a->slice.positions; i++)
		different += !el_value_equal(el_plane_value(&a->plane[plane], i),
		                             el_plane_value(&b->plane[plane], i));
	return different;
}

/* Reads the new file back and compares all of it with what went in. */
static enum el_status check(const char *path, const struct el_planes *planes,
                            struct el_error *error)
{
	struct el_planes again;
	struct el_table_info info;
	enum el_status status = read_table(path, &info, &again, error);
	if (status)
		return status;
	uint64_t different = 0;
	for (unsigned plane = 0; plane < planes->slice.planes; plane++)
		different += differences(planes, &again, plane);
	el_planes_free(&again);
	if (different)
		return el_fail(error, EL_DAMAGED, "%s: %llu positions read back differently from what was "
		                                  "written", path, (unsigned long long)different);
	return EL_OK;
}

/* Says what became of the file. */
static void report(FILE *out, const struct el_planes *planes, const struct el_table_info *before,
                   const struct el_table_options *table, uint64_t bytes)
{
	char codec[64], from[GROUPED_MAX], to[GROUPED_MAX];
	el_codec_format(&table->codec, codec);
	fprintf(out, "%s %s  %s -> %s bytes (%.1f %%)  %s, %u positions a block, fill %s\n",
	        planes->slice.name, planes->metric->name, grouped(before->bytes, from),
	        grouped(bytes, to), 100 * (double)bytes / (double)before->bytes, codec,
	        table->block_positions, el_fill_names[table->fill]);
}

static enum el_status recode(struct cli *cli, const struct arguments *arguments,
                             struct el_error *error)
{
	const char *to = option_value(arguments, "-o");
	struct el_planes planes;
	struct el_table_info before;
	enum el_status status = read_table(arguments->words[0], &before, &planes, error);
	if (status)
		return status;
	struct el_table_options table = before.options;
	struct progress progress;
	uint64_t bytes = 0;
	progress_start(&progress, cli);
	status = store_options_parse(arguments, &table, error);
	if (!status)
		status = el_table_write(to, &planes, &table, &progress.watch, &bytes, error);
	progress_clear(&progress);
	if (status == EL_STOPPED)
		el_fail(error, status, "%s: stopped; nothing was written", to);
	if (!status)
		status = check(to, &planes, error);
	if (!status)
		report(cli->out, &planes, &before, &table, bytes);
	el_planes_free(&planes);
	return status;
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	const char *to = option_value(arguments, "-o");
	struct el_error error;
	enum el_status status;
	if (!to || !*to)
		status = el_fail(&error, EL_USAGE, "where to? usage: endlab recode %s",
		                 arguments->command->arguments);
	else if (!option_given(arguments, "--force") && !access(to, F_OK))
		status = el_fail(&error, EL_USAGE, "%s: is there already; --force replaces it", to);
	else
		status = recode(cli, arguments, &error);
	return status ? command_fail(cli, "recode", &error) : 0;
}

const struct command command_recode = {
	.name = "recode",
	.arguments = "FILE -o OUT [OPTION...]",
	.summary = "write a table again with another codec, block size or fill",
	.help = "Reads a table and writes it again, compressed as the options say and otherwise as it "
	        "was, then reads the new file back and compares all of it. The new file appears under "
	        "its name when it is complete, or not at all.\n"
	        "  endlab recode KQvKR.dtm.egt -o small.egt --codec zstd:19 --block 64K",
	.complete = "file",
	.options = options,
	.least = 1,
	.most = 1,
	.run = run,
};
