/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arguments.h"
#include "core/builder/position.h"
#include "progress.h"
#include "tui/text/numbers.h"
#include "tui/text/values.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct option_help options[] = {
	{"--pieces", "LETTERS",
         .summary = "the pieces that pawns may promote to: any of QRBN, or 'none' (by default "
                    "QRBN, queens "
                    "first)"},
	{"--metric", "METRIC",
         "what the depths count to: the next capture or pawn move (dtz, the default), the next "
         "capture or promotion (dtc), or mate (dtm)",
         .values = &metric_values},
	{"--memory", "SIZE",
         .summary =
                 "memory that the work may take, such as 512M (by default half of what is free); "
                 "the rest is put on the disk"},
	{"--scratch", "DIR", "where what does not fit is put (by default beside the study)",
         .values = &folder_values},
	{"--time", "TIME",
         .summary = "time that it may take, such as 90s, 10m or 2h; what would take longer is not "
                    "begun"},
	{"--plan", .summary = "only say what the first step would take"},
	{"--threads", "N", .summary = "threads that solve and compress (by default one a core)"},
	{"-o", "FILE",
         "the study's file, which ends in .study (by default one in the folder of tables)",
         .values = &file_values},
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
	for (const char *c = text; *c; c++) {
		const char *kind = strchr(game->kinds, *c);
		if (!kind || !(el_study_kinds(game) >> (kind - game->kinds) & 1))
			return el_fail(
				error, EL_USAGE,
				"--pieces %s: expected letters of QRBN, or 'none', found '%c'",
				text, *c);
		*out |= 1u << (kind - game->kinds);
	}
	return EL_OK;
}

/* ---- reports ---- */

struct work {
	struct cli *cli;
	const struct el_game *game;
	struct progress progress;
	bool plans;
};

static const char *kinds_text(const struct el_game *game, const struct el_study_reach *reach,
                              char out[64])
{
	size_t at = 0;
	if (!reach->kinds)
		return strcpy(out, "no promotions");
	at += (size_t)snprintf(out, 64, "promotions to ");
	for (unsigned k = 0; game->kinds[k]; k++)
		if (reach->kinds >> k & 1)
			out[at++] = game->kinds[k];
	snprintf(out + at, 64 - at, ", up to %u %s", reach->movers,
	         reach->movers == 1 ? "piece" : "pieces");
	return out;
}

static void report(void *context, const struct el_solve_report *r)
{
	struct work *w = context;
	FILE *out = w->plans ? w->cli->out : w->cli->err;
	char frames[GROUPED_MAX], positions[GROUPED_MAX], memory[AMOUNT_MAX], disk[AMOUNT_MAX],
		time[TIME_MAX], kinds[64];
	const bool asks = r->event == EL_SOLVE_NEXT;
	progress_clear(&w->progress);
	grouped(r->size.frames, frames);
	grouped(r->size.positions, positions);
	if (r->event == EL_SOLVE_PLANNED || asks)
		fprintf(out,
		        "%s: %s%s frames, about %s positions; %s of memory, %s of disk, %s%s\n",
		        kinds_text(w->game, &r->reach, kinds), asks ? "about " : "", frames,
		        positions, bytes_text(r->memory, memory), bytes_text(r->disk, disk),
		        seconds_text(r->seconds, time),
		        r->is_last       ? "; more than the time left, so they stay open"
		        : r->size.is_cut ? "; more are left open for lack of memory"
		                         : "");
	else if (r->event != EL_SOLVE_WRITING)
		fprintf(out, "%s%s frames, %s positions, %.1f %% exact: %s\n",
		        r->event == EL_SOLVE_RESUMED ? "going on from the file: " : "", frames,
		        positions,
		        r->size.positions
		                ? 100.0 * (double)r->size.exact / (double)r->size.positions
		                : 0,
		        el_outcome_name(r->value.outcome));
	fflush(out);
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	struct work work = {.cli = cli, .plans = option_given(arguments, "--plan")};
	struct el_position root;
	struct el_error error;
	struct el_solved solved;
	const char *path = option_value(arguments, "-o"),
		   *memory = option_value(arguments, "--memory"),
		   *time = option_value(arguments, "--time"),
		   *wanted = option_value(arguments, "--threads");
	size_t bytes = 0;
	const int before = omp_get_max_threads();
	int threads = before;
	struct el_solve_wish wish = {.root = &root,
	                             .path = path,
	                             .scratch = option_value(arguments, "--scratch"),
	                             .plans = work.plans,
	                             .context = &work,
	                             .report = report};
	char note[EL_NOTE_MAX], *fen = words_join(arguments->words, arguments->count);
	enum el_status status = fen ? el_position_read(fen, &wish.game, &root, note, &error)
	                            : el_fail(&error, EL_MEMORY, "a position: out of memory");
	if (!status && *note)
		command_warn(cli, fen, note);
	free(fen);
	work.game = wish.game;
	if (!status && !el_study_kinds(wish.game))
		status = el_fail(
			&error, EL_NEGATIVE,
			"%s: this game has no frames, so a position cannot be solved by itself",
			wish.game->name);
	if (!status)
		status = read_kinds(wish.game, option_value(arguments, "--pieces"), &wish.kinds,
		                    &error);
	const char *metric = option_value(arguments, "--metric");
	if (!status && metric) {
		wish.metric = metric_parse(metric, &error);
		if (!wish.metric || wish.metric->limit || wish.metric->has_phase ||
		    !wish.metric->has_depth)
			status = el_fail(&error, EL_USAGE, "--metric %s: expected dtz, dtc or dtm",
			                 metric);
		else
			status = metric_suits(wish.metric, wish.game, &error);
		if (!status && !strcmp(metric, "dtz"))
			wish.metric = NULL;
	}
	if (!status)
		status = time ? time_parse("--time", time, &wish.seconds, &error) : EL_OK;
	if (!status)
		status = memory ? size_parse("--memory", memory, &bytes, &error) : EL_OK;
	if (!status && wanted)
		status = threads_parse(wanted, &threads, &error);
	wish.memory = bytes;
	if (!status && path && (strlen(path) < 7 || strcmp(path + strlen(path) - 6, ".study")))
		status = el_fail(&error, EL_USAGE, "-o %s: expected a name that ends in .study",
		                 path);
	if (status)
		return command_fail(cli, "solve", &error);
	omp_set_num_threads(threads);
	progress_start(&work.progress, cli);
	status = el_solve_position(cli->library, &wish, &work.progress.watch, &solved, &error);
	progress_clear(&work.progress);
	omp_set_num_threads(before);
	if (status == EL_STOPPED && work.plans)
		return 0;
	if (status)
		return command_fail(cli, "solve", &error);
	char name[EL_STUDY_NAME_MAX], size[AMOUNT_MAX], positions[GROUPED_MAX];
	el_study_name(wish.game, &root, wish.metric, name);
	fprintf(cli->out, "%s: %zu frames, %s positions%s%s in %s\n",
	        el_outcome_name(solved.value.outcome), solved.size.frames,
	        grouped(solved.size.positions, positions), solved.bytes ? ", " : "",
	        solved.bytes ? bytes_text(solved.bytes, size) : "", path ? path : name);
	if (solved.stopped)
		return command_fail(
			cli, "solve",
			&(struct el_error){.status = EL_STOPPED,
		                           .text = "stopped; what was solved is kept, and "
		                                   "the same command goes on from there"});
	return 0;
}

const struct command command_solve = {
	.name = "solve",
	.arguments = "FEN [OPTION...]",
	.summary = "solve a position with all its pawns, and keep it as a study",
	.help = "Solves what can follow from a position whose pieces no table covers: "
		"any number of pawns, the kings, and at most two pieces besides. The position must "
		"be "
		"without castling rights. The result is a study, a file that answers for all these "
		"positions as a table answers for its slice.\n"
		"A frame is the squares of all pawns. Within a frame only kings and pieces move, "
		"so it "
		"is solved as a small table; a pawn move, a capture or a promotion leads to "
		"another "
		"frame. Promotions are followed step by step, queens first, until the outcome of "
		"the "
		"position is exact, nothing is left to follow, or the next step would take more "
		"than "
		"--time. Tables found along the search path are asked where a promotion leads into "
		"them. What is not followed is never assumed: its value may be anything, and "
		"outcomes "
		"are known within the bounds that this leaves.\n"
		"Before each step the command says what it takes. Work that is stopped keeps what "
		"is "
		"solved; the same command goes on from there.\n"
		"  endlab solve '8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1'\n"
		"  endlab solve '4k3/pp6/8/8/8/8/6PP/4K3 w - - 0 1' --time 10m --memory 2G",
	.complete = "fen",
	.options = options,
	.least = 1,
	.most = -1,
	.run = run,
};
