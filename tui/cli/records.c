/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The longest wins and the mutual zugzwangs of all tables found. */
#include "arguments.h"
#include "core/examine/examine.h"
#include "core/whole/whole.h"
#include "progress.h"
#include "tui/text/findings.h"
#include "tui/text/json.h"
#include "tui/text/slices.h"
#include "tui/text/text.h"

#include <string.h>

static const struct option_help options[] = {
	{"--zugzwangs", .summary = "list mutual zugzwangs instead: one position of each symmetry "
                                   "class, White to move"},
	{"--metric", "METRIC",
         "only tables of this metric (by default all with depths; for zugzwangs, "
         "one table of each slice)",
         .values = &metric_values},
	{"--limit", "N", .summary = "at most N zugzwangs of each kind in a slice"},
	{"--json", .summary = "one JSON object a line: slice, metric, side, to_move, plies (or "
                              "stones), fen; of zugzwangs slice, kind, fen"},
	{0},
};

struct listing {
	struct cli *cli;
	bool zugzwangs, json;
	const struct el_metric *only; /* null: any */
	uint64_t limit;
	bool all; /* every slice, ignoring `wanted` */
	struct slices wanted;
	struct el_entry *entries; /* all files found */
	size_t count;
	const struct el_game *headed; /* whose headings were printed; initially null */
	int slice_cols, metric_cols;  /* of its columns */
	struct records records;       /* the printed ones */
};

/* ---- what is listed ---- */

static bool is_wanted(const struct listing *r, const struct el_slice *slice)
{
	bool wanted = r->all;
	for (size_t i = 0; i < r->wanted.count && !wanted; i++)
		wanted = el_slice_equal(&r->wanted.list[i], slice);
	return wanted;
}

/* Would it be listed if its file were readable? */
static bool is_asked(const struct listing *r, const struct el_entry *e)
{
	return e->metric && (r->zugzwangs || kind_words(e->metric)->has_number) &&
	       (!r->only || el_metric_alike(e->metric, r->only)) && is_wanted(r, &e->slice);
}

static bool is_read(const struct listing *r, const struct el_entry *e)
{
	return !e->ignored && !e->slice.is_study && is_asked(r, e);
}

/* Other programs' large tables are slow to read, so they are listed only if named. */
static bool is_left_out(const struct listing *r, const struct el_entry *e)
{
	enum { UNNAMED_PIECES = 4 };
	return r->all && !e->ours && e->slice.pieces > UNNAMED_PIECES && is_read(r, e);
}

/* Does `says` hold for any file of a slice (null: of all)? */
static bool is_any(const struct listing *r, const struct el_slice *slice,
                   bool (*says)(const struct listing *, const struct el_entry *))
{
	bool found = false;
	for (size_t i = 0; i < r->count && !found; i++)
		found = (!slice || el_slice_equal(&r->entries[i].slice, slice)) &&
		        says(r, &r->entries[i]);
	return found;
}

/* A file that could not be opened, which differs from a missing table. */
static bool is_unread(const struct listing *r, const struct el_entry *e)
{
	return e->status && is_asked(r, e) && !el_source_kind_of(e->path)->unread;
}

/* One table per metric, or one that gives the zugzwangs, represents all others of the slice. */
static bool is_listed(const struct listing *r, const struct el_entry *e)
{
	const struct el_entry *before = e;
	bool listed = is_read(r, e) && !is_left_out(r, e);
	while (listed && before-- > r->entries)
		listed = !el_slice_equal(&before->slice, &e->slice) || !is_read(r, before) ||
		         (!r->zugzwangs && before->metric != e->metric);
	return listed;
}

/* Each game has its own columns: longer names of one do not widen the others. */
static void find_cols(struct listing *r, const struct el_game *game)
{
	r->slice_cols = SLICE_COLS;
	r->metric_cols = (int)strlen("metric");
	for (const struct el_entry *e = r->entries; e < r->entries + r->count; e++) {
		if (!is_listed(r, e) || e->slice.game != game)
			continue;
		const int length = (int)strlen(e->metric->name);
		r->slice_cols = name_cols(r->slice_cols, &e->slice);
		r->metric_cols = length > r->metric_cols ? length : r->metric_cols;
	}
}

/* ---- the longest wins ---- */

static void print_record(const struct listing *r, const struct record *record)
{
	const char *const *side = record->slice->game->sides;
	const bool has_moves = kind_words(record->metric)->has_moves;
	char moves[16] = "";
	if (has_moves)
		snprintf(moves, sizeof moves, " %5u",
		         depth_shown(record->metric, record->plies, true));
	fprintf(r->cli->out, "%-*s %-*s %-5s %-7s %*u%s  %s\n", r->slice_cols, record->slice->name,
	        r->metric_cols, record->metric->name, side[record->winner], side[record->to_move],
	        has_moves ? 5 : 6, record->plies, moves, record->fen);
}

static int print_json(const struct listing *r, const struct record *record)
{
	static const char *const sides[] = {[EL_WHITE] = "white", [EL_BLACK] = "black"};
	cJSON *object = cJSON_CreateObject();
	json_text(object, "slice", record->slice->name);
	json_text(object, "metric", record->metric->name);
	json_text(object, "side", sides[record->winner]);
	json_text(object, "to_move", sides[record->to_move]);
	json_count(object, kind_words(record->metric)->key, record->plies);
	json_text(object, "fen", record->fen);
	return json_write(r->cli, object);
}

static enum el_status list_records(struct listing *r, const struct el_entry *e,
                                   const struct el_planes *planes, struct progress *progress,
                                   int *answer, struct el_error *error)
{
	const size_t before = r->records.count;
	struct el_longest longest;
	enum el_status status = el_longest_find(planes, &progress->watch, &longest, error);
	progress_clear(progress);
	if (!status)
		status = records_add(&r->records, &e->slice, e->metric, &longest, error);
	if (status)
		return status;
	if (!r->json) {
		const struct el_game *game = e->slice.game;
		const struct kind_words *kind = kind_words(el_game_metric(game));
		if (r->headed != game) {
			find_cols(r, game);
			fprintf(r->cli->out, "%s%-*s %-*s %-5s %-7s %s  %s\n",
			        r->headed ? "\n" : "", r->slice_cols, "slice", r->metric_cols,
			        "metric", kind->wins, "to move", kind->columns, "position");
			r->headed = game;
		}
	}
	for (size_t i = before; i < r->records.count; i++)
		if (r->json)
			*answer = command_worse(*answer, print_json(r, &r->records.list[i]));
		else
			print_record(r, &r->records.list[i]);
	if (r->records.count == before && !r->json)
		fprintf(r->cli->out, "%-*s %-*s no side wins\n", r->slice_cols, e->slice.name,
		        r->metric_cols, e->metric->name);
	return EL_OK;
}

/* ---- mutual zugzwangs ---- */

/* Prints a heading with the counts, the positions, and how many more there are. */
static void print_zugzwangs(const struct listing *r, const struct el_zugzwangs *z,
                            enum el_zugzwang kind)
{
	FILE *out = r->cli->out;
	char placements[GROUPED_MAX], count[GROUPED_MAX], words[ZUGZWANG_WORDS_MAX];
	char fen[EL_FEN_MAX] = "";
	const size_t shown = z->count[kind] < r->limit ? z->count[kind] : (size_t)r->limit;
	if (!z->count[kind])
		return;
	fprintf(out, "  %s: %s %s, %s up to symmetry\n", zugzwang_words(z->slice.game, kind, words),
	        grouped(z->placements[kind], placements),
	        plural(z->placements[kind], "position", "positions"),
	        grouped(z->count[kind], count));
	for (size_t i = 0; i < shown; i++)
		fprintf(out, "    %s\n", el_zugzwangs_fen(z, kind, i, fen));
	if (shown < z->count[kind])
		fprintf(out, "    and %s more\n", grouped(z->count[kind] - shown, count));
}

static enum el_status list_zugzwangs(struct listing *r, const struct el_planes *planes,
                                     struct progress *progress, int *answer, struct el_error *error)
{
	struct el_zugzwangs z;
	enum el_status status = el_zugzwangs_find(planes, &progress->watch, &z, error);
	progress_clear(progress);
	if (status)
		return status;
	const bool any = z.count[EL_ZUGZWANG_FULL] || z.count[EL_ZUGZWANG_WHITE_HALF] ||
	                 z.count[EL_ZUGZWANG_BLACK_HALF];
	if (!r->json)
		fprintf(r->cli->out, "%s%s%s\n", z.slice.name, any ? "" : ": no mutual zugzwangs",
		        z.partial ? " (as far as outcomes are known)" : "");
	for (int kind = 0; kind < EL_ZUGZWANGS && !*answer; kind++)
		if (r->json)
			for (size_t i = 0; i < z.count[kind] && i < r->limit && !*answer; i++) {
				char fen[EL_FEN_MAX] = "";
				cJSON *object = cJSON_CreateObject();
				json_text(object, "slice", z.slice.name);
				json_text(object, "kind", zugzwang_names[kind].key);
				json_text(object, "fen",
				          el_zugzwangs_fen(&z, (enum el_zugzwang)kind, i, fen));
				*answer = json_write(r->cli, object);
			}
		else
			print_zugzwangs(r, &z, (enum el_zugzwang)kind);
	el_zugzwangs_free(&z);
	return EL_OK;
}

/* ---- table by table ---- */

static int list_table(struct listing *r, const struct el_entry *e)
{
	struct progress progress;
	struct el_planes planes;
	struct el_error error;
	int answer = 0;
	progress_start(&progress, r->cli);
	enum el_status status = el_library_planes(r->cli->library, &e->slice, e->metric,
	                                          &progress.watch, &planes, &error);
	if (status) {
		progress_clear(&progress);
		return command_fail(r->cli, "records", &error);
	}
	status = r->zugzwangs ? list_zugzwangs(r, &planes, &progress, &answer, &error)
	                      : list_records(r, e, &planes, &progress, &answer, &error);
	el_planes_free(&planes);
	fflush(r->cli->out);
	if (status == EL_STOPPED)
		el_fail(&error, status, "%s %s: stopped", e->slice.name, e->metric->name);
	return status ? command_fail(r->cli, "records", &error) : answer;
}

static int list_tables(struct listing *r)
{
	int answer = 0;
	for (const struct el_entry *e = r->entries; e < r->entries + r->count; e++) {
		if (command_stopped(answer))
			break;
		if (is_listed(r, e))
			answer = command_worse(answer, list_table(r, e));
		else if (is_unread(r, e))
			answer = command_worse(answer, command_say(r->cli, "records", e->status,
			                                           "%s: %s", e->path, e->ignored));
	}
	if (!r->json && !command_stopped(answer)) {
		/* Print the longest wins of several tables, but not for stones: the greatest gain
		   is just the most stones there are. */
		bool headed = false;
		for (size_t i = 0; i < r->records.count; i++) {
			const struct record *record = &r->records.list[i];
			size_t tables, before;
			const struct records above = {r->records.list, .count = i};
			const struct record *longest =
				records_longest(&r->records, record->metric, &tables);
			if (records_longest(&above, record->metric, &before) || tables < 2 ||
			    !kind_words(record->metric)->has_moves)
				continue;
			if (!headed)
				fprintf(r->cli->out, "\nthe longest of all\n");
			headed = true;
			find_cols(r, longest->slice->game);
			print_record(r, longest);
		}
	}
	return answer;
}

/* ---- the words of the command ---- */

/* Reports that there is nothing to list for `word`; null: for anything. */
static enum el_status no_table(const struct listing *r, const char *word, struct el_error *error)
{
	const char *metric = r->only ? r->only->name : "";
	return el_fail(error, EL_NEGATIVE,
	               "no %s%stables%s%s%s in %s. Run 'endlab build %s%s%s' to build %s.", metric,
	               *metric ? " " : "", *metric || r->zugzwangs ? "" : " with depths",
	               word ? " of " : "", word ? word : "", el_library_directory(r->cli->library),
	               word ? word : "3", *metric ? " --metric " : "", metric,
	               word ? "them" : "the first");
}

/* Adds a word's slices if there is something to list or to report. */
static enum el_status add_word(struct listing *r, const char *word, struct el_error *error)
{
	const struct slices before = r->wanted;
	struct el_slice one;
	bool found = false;
	enum el_status status = slices_add(&r->wanted, word, error);
	for (size_t i = before.count; i < r->wanted.count && !found && !status; i++) {
		const struct el_slice *slice = &r->wanted.list[i];
		found = is_any(r, slice, is_read) || is_any(r, slice, is_unread);
	}
	if (!status && !found && !slice_parse(word, &one, NULL))
		status = metric_suits(r->only, one.game, error);
	if (!status && !found)
		status = no_table(r, word, error);
	if (status)
		r->wanted.count = before.count;
	return status;
}

static enum el_status read_options(struct listing *r, const struct arguments *arguments,
                                   struct el_error *error)
{
	r->zugzwangs = option_given(arguments, "--zugzwangs");
	r->json = option_given(arguments, "--json");
	r->all = !arguments->count;
	r->limit = UINT64_MAX;
	if (metric_option(arguments, "--metric", &r->only, error))
		return EL_USAGE;
	if (r->only && !kind_words(r->only)->has_number && !r->zugzwangs)
		return el_fail(error, EL_USAGE,
		               "%s has no depths: expected a metric with depths, or --zugzwangs",
		               option_value(arguments, "--metric"));
	if (option_given(arguments, "--limit") && !r->zugzwangs)
		return el_fail(error, EL_USAGE,
		               "--limit is for --zugzwangs: the longest wins are few");
	return number_option(arguments, "--limit", 0, UINT32_MAX, &r->limit, error);
}

/* Processes every word even if one fails. */
static int list_words(struct listing *r, const struct arguments *arguments)
{
	struct el_error error;
	int answer = 0;
	for (int i = 0; i < arguments->count; i++)
		if (add_word(r, arguments->words[i], &error))
			answer = command_worse(answer, command_fail(r->cli, "records", &error));
	answer = command_worse(answer, list_tables(r));
	if (!command_stopped(answer) && is_any(r, NULL, is_left_out))
		fputs("endlab: records: tables of other programs with more than 4 pieces are left "
		      "out: name their slices to read them\n",
		      r->cli->err);
	return answer;
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	struct listing r = {.cli = cli};
	struct el_error error;
	enum el_status status = read_options(&r, arguments, &error);
	if (!status)
		status = el_library_list(cli->library, &r.entries, &r.count, &error);
	if (!status && r.all)
		el_entries_fold(r.entries, &r.count);
	if (!status && r.all && !is_any(&r, NULL, is_read) && !is_any(&r, NULL, is_unread))
		status = no_table(&r, NULL, &error);
	const int answer =
		status ? command_fail(cli, "records", &error) : list_words(&r, arguments);
	el_entries_free(r.entries, r.count);
	slices_free(&r.wanted);
	records_free(&r.records);
	return answer;
}

const struct command command_records = {
	.name = "records",
	.arguments = "[SLICE...] [OPTION...]",
	.summary = "list the longest wins of each side, or the mutual zugzwangs",
	.help = "Lists the longest win of each side under every metric with depths, for each side "
		"to move, with a position of that depth, or the greatest gain in stones; without a "
		"slice, of every slice that is built. If a metric has several tables, the longest "
		"win of all follows. White is the first-named side. " SLICES_HELP "\n"
		"A mutual zugzwang is a position in which neither side wants to be to move: full "
		"if whoever moves loses; a half of White's if White to move draws and Black to "
		"move loses; a half of Black's the other way round. Counts are of all positions, "
		"as in 'endlab stats'; the lists show one of each symmetry class, with "
		"White to move.\n"
		"Each table is read in full, a foreign one only if none of ours has the slice and "
		"metric. A foreign table of five pieces takes about a minute, and is read only "
		"when its slice is named.\n"
		"  endlab records\n"
		"  endlab records @SLICE --json\n"
		"  endlab records @SLICE --zugzwangs --limit 10",
	.complete = "slice",
	.options = options,
	.most = -1,
	.run = run,
};
