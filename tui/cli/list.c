/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arguments.h"
#include "tui/text/clean.h"
#include "tui/text/json.h"
#include "tui/text/numbers.h"
#include "tui/text/slices.h"
#include "tui/text/tables.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct option_help options[] = {
	{"--json",
         .summary = "one JSON object: directory, and tables with path, kind, slice, metric, "
                    "bytes, detail, tier, ignored, partial; checked, of foreign tables; second, "
                    "of another one of the same slice and metric; verified, of those that are "
                    "not ignored: null, or what, by, positions, wrong, date, version, "
                    "changed; and plugins with path, codec, ignored"},
	{0},
};

static void print_fault(struct cli *cli, const char *what, const struct el_error *error)
{
	fprintf(cli->err, "endlab: list: %s", what);
	clean_print(cli->err, error->text);
	fputc('\n', cli->err);
}

/* All files found. */
struct files {
	struct el_entry *entries, *others; /* owned; others: not named like tables */
	size_t count, other_count;
};

/* `changed` names a table that differs from the one verified. */
static void add_summary(cJSON *object, const struct el_entry *entry)
{
	static const char *const words[] = {
		[EL_VERIFIED] = "all", [EL_SAMPLED] = "sample", [EL_FOUND_WRONG] = "wrong"};
	const struct el_summary *s = &entry->summary;
	const time_t seconds = (time_t)s->date;
	struct tm day;
	char date[32], own[EL_SLICE_MAX + 32];
	if (s->verified == EL_NOT_VERIFIED) {
		cJSON_AddNullToObject(object, "verified");
		return;
	}
	cJSON *told = cJSON_AddObjectToObject(object, "verified");
	gmtime_r(&seconds, &day);
	strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &day);
	snprintf(own, sizeof own, "%s %s", entry->slice.name, entry->metric->name);
	json_text(told, "what", words[s->verified]);
	json_text(told, "by", s->by_planes ? "planes" : "positions");
	json_count(told, "positions", s->positions);
	json_count(told, "wrong", s->wrong);
	json_text(told, "date", date);
	json_text(told, "version", s->version);
	json_text(told, "changed",
	          s->change == EL_UNCHANGED ? NULL
	          : s->change == EL_CHANGED ? own
	                                    : s->changed);
}

static int print_json(struct cli *cli, const struct files *f)
{
	cJSON *root = cJSON_CreateObject();
	json_text(root, "directory", el_library_directory(cli->library));
	cJSON *tables = cJSON_AddArrayToObject(root, "tables");
	for (size_t i = 0; i < f->count + f->other_count; i++) {
		const struct el_entry *entry =
			i < f->count ? &f->entries[i] : &f->others[i - f->count];
		cJSON *object = json_item(tables);
		json_text(object, "path", entry->path);
		json_text(object, "kind", entry->kind);
		json_text(object, "slice", entry->ignored ? NULL : entry->slice.name);
		json_text(object, "metric", entry->ignored ? NULL : entry->metric->name);
		json_count(object, "bytes", entry->bytes);
		json_text(object, "detail", entry->ignored ? NULL : entry->detail);
		json_text(object, "tier",
		          entry->form.codec.codec && !entry->ignored
		                  ? el_tier_names[el_table_tier(&entry->form, entry->metric)]
		                  : NULL);
		json_text(object, "ignored", entry->ignored);
		if (!entry->ignored)
			add_summary(object, entry);
		cJSON_AddBoolToObject(object, "partial", entry->partial);
		if (entry->is_double)
			cJSON_AddTrueToObject(object, "second");
		if (entry->check != EL_CHECK_NONE)
			cJSON_AddBoolToObject(object, "checked", entry->check == EL_CHECK_SOUND);
	}
	const struct el_plugin *plugin;
	cJSON *plugins = cJSON_AddArrayToObject(root, "plugins");
	for (size_t i = 0; (plugin = el_plugin_at(i)); i++) {
		cJSON *object = json_item(plugins);
		json_text(object, "path", plugin->path);
		json_text(object, "codec", plugin->codec ? plugin->codec->name : NULL);
		json_text(object, "ignored", plugin->refused); /* null if loaded */
	}
	return json_write(cli, root);
}

/* ---- for people ---- */

enum { SUMMED_UP = 4 }; /* this many files of a folder with the same reason share a line */

/* The length of the path without the file's name. */
static int folder_length(const struct el_entry *entry)
{
	const char *slash = strrchr(entry->path, '/');
	return slash ? (int)(slash - entry->path) : 0;
}

/* Sorts ignored files of the same kind, folder and reason together. */
static int group_order(const void *a, const void *b)
{
	const struct el_entry *x = a, *y = b;
	const int length = folder_length(x), other = folder_length(y);
	int order = strncmp(x->path, y->path, (size_t)(length < other ? length : other));
	if (!order)
		order = length - other;
	if (!order)
		order = strcmp(x->extension, y->extension);
	if (!order)
		order = strcmp(x->ignored, y->ignored);
	return order ? order : strcmp(x->path, y->path);
}

/* A file with its own fault is named; files that this program does not read are grouped. */
static bool same_group(const struct el_entry *a, const struct el_entry *b)
{
	return a->status != EL_DAMAGED && a->status != EL_IO && a->status == b->status &&
	       folder_length(a) == folder_length(b) && !strcmp(a->extension, b->extension) &&
	       !strcmp(a->ignored, b->ignored) &&
	       !strncmp(a->path, b->path, (size_t)folder_length(a));
}

static void print_reason(FILE *out, const char *path, const char *reason)
{
	clean_print(out, path);
	fputs(": ", out);
	clean_print(out, reason);
	fputc('\n', out);
}

static void print_ignored(FILE *out, struct el_entry *entries, size_t count)
{
	char number[GROUPED_MAX], folder[PATH_MAX];
	qsort(entries, count, sizeof *entries, group_order);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && same_group(&entries[i], &entries[next]);)
			next++;
		if (next - i >= SUMMED_UP) { /* "ignored  145 .rtbz files in FOLDER: reason" */
			const int length = folder_length(&entries[i]);
			snprintf(folder, sizeof folder, "%.*s", length ? length : 1,
			         length ? entries[i].path : ".");
			fprintf(out, "ignored  %s %s files in ", grouped(next - i, number),
			        entries[i].extension);
			print_reason(out, folder, entries[i].ignored);
			continue;
		}
		for (size_t k = i; k < next; k++) {
			fputs(entries[k].is_double ? "second   " : "ignored  ", out);
			print_reason(out, entries[k].path, entries[k].ignored);
		}
	}
}

/* Ignored files come last, as in el_library_list. */
static int print_text(struct cli *cli, const struct files *f)
{
	struct el_entry *entries = f->entries;
	const size_t count = f->count;
	char bytes[AMOUNT_MAX], form[FORM_MAX], how[FORM_MAX + 32], summary[SUMMARY_MAX];
	int cols = SLICE_COLS;
	size_t used = 0;
	for (; used < count && !entries[used].ignored; used++)
		cols = name_cols(cols, &entries[used].slice);
	if (!count)
		fprintf(cli->out, "no tables in %s. Run 'endlab build 3' to build the first.\n",
		        el_library_directory(cli->library));
	for (const struct el_entry *entry = entries; entry < entries + used; entry++) {
		snprintf(how, sizeof how, "%s%s", form_text(entry, form),
		         entry->check == EL_CHECK_NONE    ? ""
		         : entry->check == EL_CHECK_SOUND ? ", checked"
		                                          : ", not checked yet");
		fprintf(cli->out, "%-*s %-5s %-7s %8s  %-69s ", cols, entry->slice.name,
		        entry->metric->name, entry->kind, bytes_text(entry->bytes, bytes), how);
		clean_print(cli->out, entry->path);
		summary_text(&entry->summary, false, summary);
		fprintf(cli->out, "%s%s\n", *summary ? "  " : "", summary);
	}
	print_ignored(cli->out, entries + used, count - used);
	print_ignored(cli->out, f->others, f->other_count);
	const struct el_plugin *plugin;
	for (size_t i = 0; (plugin = el_plugin_at(i)); i++)
		if (plugin->refused) {
			fputs("ignored  ", cli->out);
			print_reason(cli->out, plugin->path, plugin->refused);
		} else {
			fprintf(cli->out, "plug-in  %s: ", plugin->codec->name);
			clean_print(cli->out, plugin->path);
			fputc('\n', cli->out);
		}
	return 0;
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	struct files f = {0};
	struct el_error error;
	int answer;
	enum el_status status = el_library_rescan(cli->library, &error);
	if (!status)
		status = el_library_list(cli->library, &f.entries, &f.count, &error);
	if (!status && !option_given(arguments, "--json"))
		el_entries_fold(f.entries, &f.count);
	if (!status)
		status = el_library_list_others(cli->library, &f.others, &f.other_count, &error);
	if (status)
		answer = command_fail(cli, "list", &error);
	else
		answer = (option_given(arguments, "--json") ? print_json : print_text)(cli, &f);
	el_entries_free(f.entries, f.count);
	el_entries_free(f.others, f.other_count);
	/* Answers do not depend on these, so they are not failures. */
	if (!status && el_library_check_fault(cli->library, &error))
		print_fault(cli, "tables are checked at every start: ", &error);
	if (!status && el_library_summary_fault(cli->library, &error))
		print_fault(cli, "", &error);
	return answer;
}

const struct command command_list = {
	.name = "list",
	.arguments = "[--json]",
	.summary = "list the tables found, and why a file is ignored",
	.help = "Lists the tables in the directory of tables and along the search path, and all "
		"other files there with the reason why they are not used. Many files of a folder "
		"with the same reason share a line; --json lists each. Plug-ins come last: what "
		"codec each has, or why it was not loaded. A second table of the same slice and "
		"metric does not answer, but 'probe' shows what it says.\n"
		"A study ('endlab solve') is listed by the pieces of its position, such as "
		"study:KPPvKP, and says whether some of its values are bounds.\n"
		"Syzygy tables are read with 3 to 7 pieces (.rtbw, .rtbz), Gaviota's with 3 to 5 "
		"in all four compression schemes (.gtb.cp1 to .gtb.cp4), chesstb's with 3 to 8 "
		"(.lzw, .lzdtz, .lzdtc, .lzdtm, .lzdtm50; its plies need the outcomes of .lzw, or "
		"those of another table, beside them; only the plies to a zeroing move are read "
		"from .lzdtc, not its budgets of pawn moves; KQpKp answers only for positions of "
		"KQPvKP in which pawns face each other), Malom's (.sec2, with std.secval beside "
		"them), two of which belong to a slice with both sides to move, and Cake's (.cpr, "
		"with .idx beside it), which hold many slices: each is a table of its own, whose "
		"path has the slice behind a #, as in db4.cpr#KMvK.\n"
		"Tables of other programs are checked as a whole: small ones when they are found, "
		"large ones in the background. Endlab's own tables are checked block by block as "
		"they are read.\n"
		"For Endlab's own tables the list says how they are written: which preset they are "
		"like (small, fast or usual), whether a side to move or captures are left out, the "
		"codec, the positions in a block, the order of the pieces, and what the table is "
		"for: search, the root of a search, or the archive. It says, too, when 'endlab "
		"build' or 'endlab verify' last found a table right, of whatever program, and how: "
		"by whole planes at once, position by position, or on a sample; unless it or a "
		"table that its proof rests on has changed since.",
	.options = options,
	.is_quick = true,
	.run = run,
};
