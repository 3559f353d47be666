/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arguments.h"
#include "json.h"
#include "slices.h"
#include "../text/clean.h"
#include "../text/numbers.h"

static const struct option_help options[] = {
	{"--json", .summary = "one JSON object: directory, and tables with path, kind, slice, metric, "
	                      "bytes, detail, ignored, partial; and checked, of foreign tables"},
	{0},
};

static const char *checked_text(const struct el_entry *entry)
{
	return entry->check == EL_CHECK_NONE    ? ""
	       : entry->check == EL_CHECK_SOUND ? ", checked"
	                                        : ", not checked yet";
}

/* Answers do not depend on it, so it is no failure. */
static void print_fault(struct cli *cli)
{
	struct el_error error;
	if (!el_library_check_fault(cli->library, &error))
		return;
	fputs("endlab: list: tables are checked at every start: ", cli->err);
	clean_print(cli->err, error.text);
	fputc('\n', cli->err);
}

static int print_json(struct cli *cli, const struct el_entry *entries, size_t count)
{
	cJSON *root = cJSON_CreateObject();
	json_text(root, "directory", el_library_directory(cli->library));
	cJSON *tables = cJSON_AddArrayToObject(root, "tables");
	for (size_t i = 0; i < count; i++) {
		const struct el_entry *entry = &entries[i];
		cJSON *object = cJSON_CreateObject();
		json_text(object, "path", entry->path);
		json_text(object, "kind", entry->kind);
		json_text(object, "slice", entry->ignored ? NULL : entry->slice.name);
		json_text(object, "metric", entry->ignored ? NULL : entry->metric->name);
		json_count(object, "bytes", entry->bytes);
		json_text(object, "detail", entry->ignored ? NULL : entry->detail);
		json_text(object, "ignored", entry->ignored);
		cJSON_AddBoolToObject(object, "partial", entry->partial);
		if (entry->check != EL_CHECK_NONE)
			cJSON_AddBoolToObject(object, "checked", entry->check == EL_CHECK_SOUND);
		cJSON_AddItemToArray(tables, object);
	}
	return json_write(cli, root);
}

static int print_text(struct cli *cli, const struct el_entry *entries, size_t count)
{
	char bytes[AMOUNT_MAX], detail[2 * EL_SOURCE_DETAIL];
	int cols = NAME_COLS;
	for (size_t i = 0; i < count; i++)
		if (!entries[i].ignored)
			cols = name_cols(cols, &entries[i].slice);
	if (!count)
		fprintf(cli->out, "no tables in %s. Run 'endlab build 3' to build the first.\n",
		        el_library_directory(cli->library));
	for (size_t i = 0; i < count; i++) {
		const struct el_entry *entry = &entries[i];
		snprintf(detail, sizeof detail, "%s%s", entry->detail, checked_text(entry));
		if (entry->ignored)
			fputs("ignored  ", cli->out);
		else
			fprintf(cli->out, "%-*s %-4s %-7s %8s  %-22s ", cols, entry->slice.name,
			        entry->metric->name, entry->kind, bytes_text(entry->bytes, bytes),
			        detail);
		clean_print(cli->out, entry->path);
		if (entry->ignored)
			fputs(": ", cli->out);
		clean_print(cli->out, entry->ignored ? entry->ignored : "");
		fputc('\n', cli->out);
	}
	return 0;
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	struct el_entry *entries;
	size_t count;
	struct el_error error;
	enum el_status status = el_library_rescan(cli->library, &error);
	if (!status)
		status = el_library_list(cli->library, &entries, &count, &error);
	if (status)
		return command_fail(cli, "list", &error);
	bool json = option_given(arguments, "--json");
	int answer = (json ? print_json : print_text)(cli, entries, count);
	el_entries_free(entries, count);
	print_fault(cli);
	return answer;
}

const struct command command_list = {
	.name = "list",
	.arguments = "[--json]",
	.summary = "list the tables found, and why a file is ignored",
	.help = "Lists the tables in the directory of tables and along the search path, and the files that "
	        "look like tables but cannot be used, with the reason. Syzygy and Gaviota tables are "
	        "checked as a whole: small ones when they are found, large ones in the background. Endlab's "
	        "own tables are checked block by block as they are read.",
	.options = options,
	.is_quick = true,
	.run = run,
};
