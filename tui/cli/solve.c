/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arguments.h"
#include "core/builder/position.h"
#include "probe_styles.h"
#include "progress.h"
#include "tui/text/clean.h"
#include "tui/text/json.h"
#include "tui/text/numbers.h"
#include "tui/text/values.h"

#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".study"

static const struct option_help options[] = {
	{"--pieces", "LETTERS",
         .summary = "the pieces that pawns may promote to (by default QRBN, queens first; none "
                    "leaves promotions open)",
         .values = &piece_values},
	{"--metric", "METRIC",
         "what the depths count to: the next capture or pawn move (dtz, the default), the next "
         "capture or promotion (dtc), or mate (dtm)",
         .values = &study_metric_values},
	{"--memory", "SIZE",
         .summary =
                 "memory that the work may take, such as 512M (by default half of what is free); "
                 "the rest is put on the disk"},
	{"--scratch", "DIR", "where what does not fit is put (by default beside the study)",
         .values = &folder_values},
	{"--time", "TIME",
         .summary = "time that it may take, such as 90s, 10m or 2h; a step that would take longer "
                    "is not begun"},
	{"--threads", "N", .summary = "threads that solve and compress (by default one a core)"},
	{"-o", "FILE",
         "the study's file; .study is added if it is not there (by default a file in the folder "
         "of tables, named after the position)",
         .values = &file_values},
	{"--plan", .summary = "say what the next step would take, and solve nothing"},
	{"--json", .summary = "one JSON object instead of text"},
	{0},
};

/* ---- reading options ---- */

static enum el_status read_kinds(const struct el_game *game, const char *text, unsigned *out,
                                 struct el_error *error)
{
	*out = ~0u;
	if (!text)
		return EL_OK;
	*out = 0;
	if (!strcmp(text, "none"))
		return EL_OK;
	for (const char *c = text; *c || c == text; c++) {
		const char *kind = *c ? strchr(game->kinds, *c) : NULL;
		if (!kind || !(el_study_kinds(game) >> (kind - game->kinds) & 1))
			return el_fail(error, EL_USAGE,
			               "--pieces '%s': expected letters of QRBN, or none", text);
		*out |= 1u << (kind - game->kinds);
	}
	return EL_OK;
}

/* Adds the suffix if it is missing. */
static enum el_status read_path(const char *text, char out[PATH_MAX], struct el_error *error)
{
	const char *slash = strrchr(text, '/'), *name = slash ? slash + 1 : text;
	const struct el_source_ops *kind = el_source_kind_of(text);
	const bool is_study = kind && !strcmp(kind->extension, SUFFIX);
	const size_t room = PATH_MAX - EL_STUDY_NAME_MAX;
	if (!*name || *name == '.' || (kind && !is_study) || strlen(text) >= room)
		return el_fail(error, EL_USAGE, "-o '%.99s': expected the name of a file%s", text,
		               kind ? "; that of a study ends in " SUFFIX : "");
	snprintf(out, PATH_MAX, "%s%s", text, is_study ? "" : SUFFIX);
	return EL_OK;
}

/* ---- reports ---- */

struct work {
	struct cli *cli;
	struct progress progress;
	struct el_solve_wish wish;
	const char *fen;
	const char *path, *name; /* of the study; as it is called in text */
	FILE *out;               /* for what is told during the work; null: nothing */
	/* The step planned, or the first of those left open. */
	struct el_solve_report next;
	bool has_next;
};

enum { STEP_MAX = 320, KINDS_MAX = 64 };

/* "promotions to Q and N" */
static const char *kinds_text(const struct el_game *game, unsigned kinds, char out[KINDS_MAX])
{
	kinds &= el_study_kinds(game);
	snprintf(out, KINDS_MAX, "promotions to ");
	for (unsigned k = 0, first = 1; game->kinds[k]; k++)
		if (kinds >> k & 1) {
			const char *comma = first ? "" : kinds >> k > 1 ? ", " : " and ";
			el_text_add(out, KINDS_MAX, "%s%c", comma, game->kinds[k]);
			first = 0;
		}
	return out;
}

/* Three digits of an estimate. */
static uint64_t rounded(uint64_t number)
{
	uint64_t unit = 1;
	while (number / unit >= 1000)
		unit *= 10;
	return (number + unit / 2) / unit * unit;
}

/* What a step follows, and what it takes. */
static const char *step_text(const struct work *w, const struct el_solve_report *r,
                             char out[STEP_MAX])
{
	char frames[GROUPED_MAX], positions[GROUPED_MAX], memory[AMOUNT_MAX], disk[AMOUNT_MAX],
		time[TIME_MAX], kinds[KINDS_MAX], movers[64] = "";
	const bool is_known = r->event == EL_SOLVE_PLANNED;
	if (r->reach.kinds)
		snprintf(movers, sizeof movers, " (up to %u %s besides kings and pawns)",
		         r->reach.movers, plural(r->reach.movers, "piece", "pieces"));
	snprintf(out, STEP_MAX,
	         "%s%s: %s%s frames, about %s positions; %s of memory, %s on disk, %s",
	         r->reach.kinds ? kinds_text(w->wish.game, r->reach.kinds, kinds)
	                        : "without promotions",
	         movers, is_known ? "" : "about ",
	         grouped(is_known ? r->size.frames : rounded(r->size.frames), frames),
	         grouped(rounded(r->size.positions), positions), bytes_text(r->memory, memory),
	         bytes_text(r->disk, disk), about_text(r->seconds, time));
	return out;
}

/* "236 frames, 18,851,330 positions, 91.1 % exact" */
static const char *size_text(const struct el_study_size *size, char out[STEP_MAX])
{
	char frames[GROUPED_MAX], positions[GROUPED_MAX];
	snprintf(out, STEP_MAX, "%s %s, %s positions, %.1f %% exact", grouped(size->frames, frames),
	         plural(size->frames, "frame", "frames"), grouped(size->positions, positions),
	         size->positions ? 100.0 * (double)size->exact / (double)size->positions : 0);
	return out;
}

static void report(void *context, const struct el_solve_report *r)
{
	struct work *w = context;
	const char *side = w->wish.game->sides[w->wish.root->side];
	char text[STEP_MAX];
	progress_clear(&w->progress);
	if (r->is_last || (r->event == EL_SOLVE_PLANNED && w->wish.plans)) {
		w->next = *r;
		w->has_next = true;
	} else if (!w->out) {
		return;
	} else if (r->event == EL_SOLVE_RESUMED || r->event == EL_SOLVE_SOLVED) {
		fprintf(w->out, "%s%s: %s to move %s\n",
		        r->event == EL_SOLVE_RESUMED ? "found " : "", size_text(&r->size, text),
		        side, outcome_verb(r->value.outcome));
	} else if (r->event == (r->reach.kinds ? EL_SOLVE_NEXT : EL_SOLVE_PLANNED)) {
		fprintf(w->out, "%s\n", step_text(w, r, text));
	}
	if (w->out)
		fflush(w->out);
}

/* ---- the answer ---- */

/* Is the file one of those that probes ask? */
static bool is_searched(struct work *w)
{
	struct el_entry *entries;
	size_t count;
	struct el_error error;
	struct stat file, is;
	bool found = false;
	if (stat(w->path, &file) || el_library_list(w->cli->library, &entries, &count, &error))
		return false;
	for (size_t i = 0; i < count && !found; i++)
		found = !entries[i].ignored && !stat(entries[i].path, &is) &&
		        is.st_dev == file.st_dev && is.st_ino == file.st_ino;
	el_entries_free(entries, count);
	return found;
}

static void print_open(const struct work *w, const struct el_solved *solved)
{
	FILE *out = w->cli->out;
	const char *more = "time";
	char text[STEP_MAX];
	if (solved->size.is_cut) {
		fputs("open   frames that memory had no room for\n", out);
		more = "memory";
	} else if (!w->has_next) {
		fputs("open   promotions that leave more pieces besides kings and pawns than a "
		      "study follows\n",
		      out);
		return;
	} else if (!w->next.reach.kinds) {
		fputs("open   frames that are reached without promotions\n", out);
	} else {
		fprintf(out, "open   %s\n", step_text(w, &w->next, text));
		more = w->next.reach.kinds & ~w->wish.kinds ? "pieces" : "time";
	}
	fprintf(out, "       The same command with more --%s goes on.\n", more);
}

static int print_text(struct work *w, const struct el_solved *solved)
{
	FILE *out = w->cli->out;
	const struct el_game *game = w->wish.game;
	struct probe probe = {
		.fen = w->fen,
		.game = game,
		.position = *w->wish.root,
		.question = {.rule = EL_RULE_USUAL, .by_demand = true},
	};
	struct el_error error;
	char text[STEP_MAX], bytes[AMOUNT_MAX];
	const bool is_told = is_searched(w);
	int answer = 0;
	if (is_told) {
		const enum el_status status = probe_text.print(w->cli, &probe, &error);
		el_opinions_free(&probe.opinions);
		if (status > EL_NEGATIVE)
			answer = command_fail(w->cli, "solve", &error);
		fputc('\n', out);
	} else {
		fprintf(out, "%s\n%s to move %s\n\n", w->fen, game->sides[probe.position.side],
		        outcome_verb(solved->value.outcome));
	}
	fputs("study  ", out);
	clean_print(out, w->name);
	fprintf(out, ": %s%s%s\n", size_text(&solved->size, text), solved->bytes ? ", " : "",
	        solved->bytes ? bytes_text(solved->bytes, bytes) : "");
	if (!is_told)
		fputs("       This folder is not searched for tables: name it with --path.\n", out);
	if (!solved->stopped && !el_outcome_exact(solved->value.outcome))
		print_open(w, solved);
	return answer;
}

static int print_plan(struct work *w, const struct el_solved *solved)
{
	FILE *out = w->cli->out;
	const unsigned all = el_study_kinds(w->wish.game), kinds = all & w->wish.kinds;
	char text[STEP_MAX];
	if (w->has_next)
		fprintf(out, "%s\n", step_text(w, &w->next, text));
	else if (el_outcome_exact(solved->value.outcome))
		fputs("nothing is left to solve\n", out);
	if (w->has_next && !w->next.reach.kinds && kinds)
		fprintf(out, "then %s, as far as they matter; what that takes is known then\n",
		        kinds_text(w->wish.game, kinds, text));
	if (w->has_next && all & ~kinds)
		fprintf(out, "open: %s\n", kinds_text(w->wish.game, all & ~kinds, text));
	return 0;
}

static int print_json(struct work *w, const struct el_solved *solved)
{
	cJSON *root = cJSON_CreateObject();
	json_text(root, "fen", w->fen);
	json_text(root, "game", w->wish.game->name);
	json_text(root, "study", w->path);
	json_text(root, "wdl", el_outcome_name(solved->value.outcome));
	json_count(root, "frames", solved->size.frames);
	json_count(root, "positions", solved->size.positions);
	json_count(root, "exact", solved->size.exact);
	json_known(root, "bytes", solved->bytes, (double)solved->bytes);
	cJSON_AddBoolToObject(root, "cut", solved->size.is_cut);
	cJSON_AddBoolToObject(root, "stopped", solved->stopped);
	if (!w->has_next) {
		cJSON_AddNullToObject(root, "next");
		return json_write(w->cli, root);
	}
	const struct el_solve_report *r = &w->next;
	cJSON *next = cJSON_AddObjectToObject(root, "next");
	char pieces[2 * EL_KINDS] = "";
	for (size_t k = 0, at = 0; w->wish.game->kinds[k]; k++)
		if (r->reach.kinds >> k & 1)
			pieces[at++] = w->wish.game->kinds[k];
	json_text(next, "pieces", pieces);
	json_count(next, "most_pieces", r->reach.movers);
	json_count(next, "frames", r->size.frames);
	json_count(next, "positions", r->size.positions);
	json_count(next, "memory_bytes", r->memory);
	json_count(next, "disk_bytes", r->disk);
	cJSON_AddNumberToObject(next, "seconds", r->seconds);
	return json_write(w->cli, root);
}

/* ---- the command ---- */

static enum el_status read_metric(const struct el_game *game, const char *name,
                                  const struct el_metric **out, struct el_error *error)
{
	*out = NULL;
	if (!name || !strcmp(name, "dtz"))
		return EL_OK;
	if (el_metric_parse(name, out, error) || !el_study_counts(*out))
		return el_fail(error, EL_USAGE, "--metric %s: expected dtz, dtc or dtm", name);
	return metric_suits(*out, game, error);
}

/* Reads the options; the game and the root are known. */
static enum el_status read_wish(const struct arguments *arguments, struct el_solve_wish *wish,
                                char file[PATH_MAX], int *threads, struct el_error *error)
{
	const char *path = option_value(arguments, "-o");
	size_t bytes = 0;
	if (!el_study_kinds(wish->game))
		return el_fail(
			error, EL_NEGATIVE,
			"%s: this game has no frames, so a position cannot be solved by itself",
			wish->game->name);
	enum el_status status =
		read_kinds(wish->game, option_value(arguments, "--pieces"), &wish->kinds, error);
	if (!status)
		status = read_metric(wish->game, option_value(arguments, "--metric"), &wish->metric,
		                     error);
	if (!status)
		status = time_option(arguments, "--time", &wish->seconds, error);
	if (!status)
		status = size_option(arguments, "--memory", &bytes, error);
	if (!status)
		status = threads_option(arguments, threads, error);
	if (!status && path)
		status = read_path(path, file, error);
	wish->memory = bytes;
	wish->path = path ? file : NULL;
	wish->scratch = option_value(arguments, "--scratch");
	if (!status && wish->scratch && access(wish->scratch, W_OK | X_OK))
		status = el_fail(error, EL_IO, "--scratch %s: %m", wish->scratch);
	return status;
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	const bool json = option_given(arguments, "--json");
	struct el_position root;
	struct el_error error;
	struct el_solved solved;
	const int before = omp_get_max_threads();
	int threads = before;
	struct work work = {
		.cli = cli,
		.wish = {.root = &root,
	                 .plans = option_given(arguments, "--plan"),
	                 .context = &work,
	                 .report = report},
	};
	struct el_solve_wish *wish = &work.wish;
	char note[EL_NOTE_MAX] = "", name[EL_STUDY_NAME_MAX], file[PATH_MAX],
	     *fen = words_join(arguments->words, arguments->count);
	work.out = json ? NULL : wish->plans ? cli->out : cli->err;
	work.fen = fen;
	enum el_status status = fen ? el_position_read(fen, &wish->game, &root, note, &error)
	                            : el_fail(&error, EL_MEMORY, "a position: out of memory");
	if (!status && *note)
		command_say(cli, fen, EL_OK, "%s", note);
	if (!status)
		status = read_wish(arguments, wish, file, &threads, &error);
	if (!status) {
		el_study_name(wish->game, &root, wish->metric, name);
		if (!wish->path)
			snprintf(file, sizeof file, "%s/%s", el_library_directory(cli->library),
			         name);
		work.path = file;
		work.name = wish->path ? file : name;
		omp_set_num_threads(threads);
		progress_start(&work.progress, cli);
		status = el_solve_position(cli->library, wish, &work.progress.watch, &solved,
		                           &error);
		progress_clear(&work.progress);
		omp_set_num_threads(before);
	}
	if (status == EL_STOPPED && solved.stopped)
		el_fail(&error, status, "stopped; nothing was written");
	else if (status == EL_STOPPED)
		status = el_fail(&error, EL_NEGATIVE,
		                 "%s: the time was over before anything was solved", file);
	int answer = status ? command_fail(cli, "solve", &error)
	             : json ? print_json(&work, &solved)
	                    : (wish->plans ? print_plan : print_text)(&work, &solved);
	if (!status && solved.stopped)
		answer = command_say(cli, "solve", EL_STOPPED,
		                     "stopped; what was solved is kept, and the same command goes "
		                     "on from there");
	free(fen);
	return answer;
}

const struct command command_solve = {
	.name = "solve",
	.arguments = "FEN [OPTION...]",
	.summary = "solve a position with all its pawns, and keep it as a study",
	.help = "Solves what can follow from a position whose pieces no table covers: any number "
		"of pawns, the kings, and at most two pieces besides. The position must be without "
		"castling rights. The result is a study, a file that answers for all these "
		"positions as a table answers for its slice: probe, line and annotate ask it.\n"
		"A frame is the squares of all pawns. Within a frame only kings and pieces move, "
		"so it is solved as a small table; a pawn move, a capture or a promotion leads to "
		"another frame. Frames that are reached without promotions come first. Then "
		"promotions are followed step by step, queens first, until the outcome of the "
		"position is exact, nothing is left to follow, or the next step would take more "
		"than --time. Tables found along the search path are asked where a promotion leads "
		"into them. What is not followed is never assumed: it may be worth anything, and "
		"outcomes are known within the bounds that this leaves, such as 'draws at least'.\n"
		"Before each step the command says what it takes; --plan says only that. The first "
		"step is stopped when --time is over, and what it has solved is kept. In the end "
		"it ranks the moves and says what is still open. ^C keeps what is solved, and the "
		"same command goes on from there: also with more --pieces, --time or --memory.\n"
		"The exit status is 1 if the position cannot be solved, if memory or time do not "
		"suffice for anything, if the file is a study of another position, or if another "
		"program is solving this one; 3 if the file is damaged, which is left as it is. "
		"Bounds that stay open are no failure.\n"
		"  endlab solve '8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1' --pieces none\n"
		"  endlab solve '4k3/pp6/8/8/8/8/6PP/4K3 w - - 0 1' --time 10m --memory 2G\n"
		"  endlab solve '8/8/2p5/p1P5/P7/8/k7/2K5 w - - 0 1' --plan",
	.complete = "fen",
	.options = options,
	.least = 1,
	.most = -1,
	.rights = WRITES_TABLES | WRITES_TEMPORARY,
	.run = run,
};
