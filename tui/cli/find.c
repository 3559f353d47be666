/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions that answer a question. */
#include "core/find/find.h"

#include "arguments.h"
#include "line.h"
#include "progress.h"
#include "tui/text/json.h"
#include "tui/text/slices.h"
#include "tui/text/text.h"
#include "tui/text/values.h"
#include "tui/text/words.h"

#include <stdlib.h>
#include <string.h>

static const struct option_help options[] = {
	{"--count", .summary = "only count: all positions by side to move, and symmetry classes"},
	{"--limit", "N", .summary = "at most N positions"},
	{"--sample", "N", .summary = "N of the positions, chosen by chance"},
	{"--seed", "N", .summary = "for --sample: another choice (by default 1)"},
	{"--sort", "METRIC",
         "the longest first under this metric (of stones, the greatest gain); "
         "positions without a depth are left out",
         .values = &metric_values},
	{"--shortest", .summary = "with --sort: the shortest first"},
	{"--metric", "METRIC",
         "of outcomes and values (by default the first that the question "
         "names, else the finest that is built)",
         .values = &metric_values},
	{"--values", .summary = "after each position, a tab and its value"},
	{"--epd", .summary = "as EPD, where a game is written so"},
	{"--pgn", .summary = "each as a game, with its optimal line"},
	{"--json", .summary = "one JSON object a line: slice, fen, wdl, metric, plies (or "
                              "stones), placements; with --count slice, positions, white_to_move, "
                              "black_to_move, unique, searched"},
	{0},
};

enum form { FORM_FEN, FORM_VALUES, FORM_EPD, FORM_PGN, FORM_JSON };

struct finding {
	struct cli *cli;
	struct slices slices;
	char *question; /* owned */
	enum form form;
	struct el_find_options options;
	struct progress progress;
	uint64_t found; /* matches, or positions counted */
	int answer;
	struct el_find_counts sum;
};

/* ---- matches ---- */

static void fail(struct finding *f, const struct el_error *error)
{
	progress_clear(&f->progress);
	f->answer = command_worse(f->answer, command_fail(f->cli, "find", error));
}

static void print_json(struct finding *f, const struct el_match *match, const char *fen)
{
	int number;
	cJSON *object = cJSON_CreateObject();
	json_text(object, "slice", match->slice->name);
	json_text(object, "fen", fen);
	if (match->metric) {
		json_text(object, "wdl", el_outcome_name((enum el_outcome)match->value.outcome));
		json_text(object, "metric", match->metric->name);
		if (match->metric->kind->number(match->value, &number))
			cJSON_AddNumberToObject(object, kind_words(match->metric)->key, number);
	}
	json_count(object, "placements", match->placements);
	f->answer = command_worse(f->answer, json_write(f->cli, object));
}

/* EPD has no clocks. A mate is given in moves of the side to move, negative when it loses. */
static void print_epd(const struct finding *f, const struct el_match *match, const char *fen)
{
	const char *end = fen;
	for (int fields = 0; fields < 4 && *end; end++)
		fields += end[1] == ' ' || !end[1];
	fprintf(f->cli->out, "%.*s", (int)(end - fen), fen);
	if (match->metric == el_game_metric(match->slice->game) && match->value.outcome != EL_DRAW)
		fprintf(f->cli->out, " dm %s%u;", match->value.outcome == EL_LOSS ? "-" : "",
		        (match->value.plies + 1u) / 2);
	else if (match->metric)
		fprintf(f->cli->out, " c0 \"%s\";",
		        el_outcome_name((enum el_outcome)match->value.outcome));
	fprintf(f->cli->out, " id \"%s\";\n", match->slice->name);
}

static bool take(void *context, const struct el_match *match)
{
	struct finding *f = context;
	char fen[EL_FEN_MAX], value[VALUE_MAX];
	struct el_error error;
	progress_clear(&f->progress);
	match->slice->game->format(&match->position, fen);
	f->found++;
	switch (f->form) {
	case FORM_FEN:
		fprintf(f->cli->out, "%s\n", fen);
		break;
	case FORM_VALUES:
		*value = '\0';
		if (match->metric)
			value_words(match->metric, match->value, value);
		fprintf(f->cli->out, "%s\t%s\n", fen, value);
		break;
	case FORM_EPD:
		print_epd(f, match, fen);
		break;
	case FORM_JSON:
		print_json(f, match, fen);
		break;
	case FORM_PGN:
		if (f->found > 1)
			fputc('\n', f->cli->out);
		if (line_write_pgn(f->cli, match->slice->game, &match->position, &error))
			fail(f, &error);
		break;
	}
	return !ferror(f->cli->out) && !command_stopped(f->answer);
}

/* ---- counts ---- */

static void print_row(const struct finding *f, const char *name,
                      const struct el_find_counts *counts)
{
	char text[4][GROUPED_MAX];
	fprintf(f->cli->out, "%-*s %17s %15s %15s %15s\n", SLICE_COLS + 4, name,
	        grouped(counts->placements[0] + counts->placements[1], text[0]),
	        grouped(counts->placements[EL_WHITE], text[1]),
	        grouped(counts->placements[EL_BLACK], text[2]), grouped(counts->unique, text[3]));
}

static void print_counts(struct finding *f, const struct el_slice *slice,
                         const struct el_find_counts *counts)
{
	const uint64_t *placements = counts->placements;
	if (f->form != FORM_JSON) {
		if (!f->sum.searched)
			fprintf(f->cli->out, "%-*s %17s %15s %15s %15s\n", SLICE_COLS + 4, "slice",
			        "positions", "White to move", "Black to move", "up to symmetry");
		print_row(f, slice->name, counts);
		return;
	}
	cJSON *object = cJSON_CreateObject();
	json_text(object, "slice", slice->name);
	json_count(object, "positions", placements[0] + placements[1]);
	json_count(object, "white_to_move", placements[EL_WHITE]);
	json_count(object, "black_to_move", placements[EL_BLACK]);
	json_count(object, "unique", counts->unique);
	json_count(object, "searched", counts->searched);
	f->answer = command_worse(f->answer, json_write(f->cli, object));
}

/* ---- slice by slice ---- */

/* Points at the place of a fault in the question. */
static void fail_query(struct finding *f, const struct el_game *game, struct el_query_fault fault,
                       struct el_error *error)
{
	enum { SHOWN = 60 };
	char word[64];
	snprintf(word, sizeof word, "%.*s", (int)fault.length, f->question + fault.at);
	struct nearest nearest = nearest_start(word);
	for (size_t i = 0; el_query_word(game, i); i++)
		nearest_offer(&nearest, el_query_word(game, i));
	if (nearest.best && strcmp(nearest.best, word) && !strchr(error->text, ':'))
		el_fail(error, EL_USAGE, "%s. Did you mean '%s'?", error->text, nearest.best);
	fail(f, error);
	const size_t from = fault.at > SHOWN ? fault.at - SHOWN / 2 : 0;
	fprintf(f->cli->err, "  %.*s\n  %*s", SHOWN + 18, f->question + from,
	        (int)(fault.at - from), "");
	for (size_t i = 0; i < (fault.length ? fault.length : 1) && i < SHOWN; i++)
		fputc('^', f->cli->err);
	fputc('\n', f->cli->err);
}

static void search(struct finding *f, struct el_finder *finder, const struct el_slice *slice,
                   bool *done)
{
	struct el_find_counts counts;
	struct el_error error;
	char number[GROUPED_MAX];
	enum el_status status = el_finder_search(finder, slice, &counts, done, &error);
	progress_clear(&f->progress);
	if (status == EL_NEGATIVE && !el_library_next_metric(f->cli->library, slice, NULL))
		command_missing(f->cli, slice, f->options.metric, &error);
	if (status) {
		fail(f, &error);
		return;
	}
	if (counts.unknown)
		command_say(f->cli, slice->name, EL_OK, "%s %s not decided: no table tells %s",
		            grouped(counts.unknown, number),
		            plural(counts.unknown, "position is", "positions are"),
		            counts.missing.game ? counts.missing.name : "where a move leads");
	if (f->options.count) {
		print_counts(f, slice, &counts);
		f->found += counts.unique;
		f->sum.searched += counts.searched;
		f->sum.unique += counts.unique;
		f->sum.placements[0] += counts.placements[0];
		f->sum.placements[1] += counts.placements[1];
	}
	fflush(f->cli->out);
}

/* The question is read anew for each game; slices of a game stand together. */
static int run_all(struct finding *f)
{
	struct el_error error;
	bool done = false;
	for (size_t i = 0; i < f->slices.count && !done && !command_stopped(f->answer);) {
		const struct el_game *game = f->slices.list[i].game;
		struct el_query *query;
		struct el_query_fault fault;
		struct el_finder *finder = NULL;
		enum el_status status = el_query_parse(game, f->question, &query, &fault, &error);
		if (status == EL_USAGE) {
			fail_query(f, game, fault, &error);
			return f->answer;
		}
		if (!status)
			status = el_finder_open(f->cli->library, query, &f->options, &finder,
			                        &error);
		if (status)
			fail(f, &error);
		for (; i < f->slices.count && f->slices.list[i].game == game && !status; i++) {
			if (!done && !command_stopped(f->answer))
				search(f, finder, &f->slices.list[i], &done);
		}
		if (!status && !command_stopped(f->answer))
			el_finder_finish(finder);
		el_finder_close(finder);
		el_query_free(query);
		if (status)
			break;
	}
	if (f->options.count && f->form != FORM_JSON && f->slices.count > 1 && f->sum.searched)
		print_row(f, "all", &f->sum);
	if (!f->answer && !f->found && !f->options.count)
		fputs("endlab: find: no position answers\n", f->cli->err);
	return f->answer ? f->answer : f->found ? 0 : 1;
}

/* ---- the words of the command ---- */

static enum el_status read_options(struct finding *f, const struct arguments *arguments,
                                   struct el_error *error)
{
	static const char *const forms[] = {"--values", "--epd", "--pgn", "--json"};
	const char *limit = option_value(arguments, "--limit");
	const char *sample = option_value(arguments, "--sample");
	const char *sort = option_value(arguments, "--sort");
	struct el_find_options *o = &f->options;
	*o = (struct el_find_options){
		.seed = 1, .watch = &f->progress.watch, .take = take, .context = f};
	for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++) {
		if (!option_given(arguments, forms[i]))
			continue;
		if (f->form)
			return el_fail(error, EL_USAGE, "%s and %s: choose one form",
			               forms[f->form - 1], forms[i]);
		f->form = (enum form)(i + 1);
	}
	o->count = option_given(arguments, "--count");
	o->shortest = option_given(arguments, "--shortest");
	o->sample = sample;
	if (o->count && (limit || sample || sort || (f->form && f->form != FORM_JSON)))
		return el_fail(
			error, EL_USAGE,
			"--count lists no positions: it goes with --metric and --json alone");
	if (limit && sample)
		return el_fail(error, EL_USAGE, "--sample already says how many positions");
	if (option_given(arguments, "--seed") && !sample)
		return el_fail(error, EL_USAGE, "--seed is for --sample");
	if (o->shortest && !sort)
		return el_fail(error, EL_USAGE, "--shortest is for --sort");
	if (metric_option(arguments, "--metric", &o->metric, error) ||
	    metric_option(arguments, "--sort", &o->sort, error))
		return EL_USAGE;
	if (o->sort && !o->sort->kind->unit)
		return el_fail(error, EL_USAGE,
		               "--sort %s: it has no depths; expected a metric with depths", sort);
	if (number_option(arguments, "--limit", 1, UINT32_MAX, &o->limit, error) ||
	    number_option(arguments, "--sample", 1, UINT32_MAX, &o->limit, error))
		return EL_USAGE;
	return number_option(arguments, "--seed", 0, UINT32_MAX, &o->seed, error);
}

/* Slices come first; the question is what follows. */
static enum el_status read_words(struct finding *f, const struct arguments *arguments,
                                 struct el_error *error)
{
	int i = 0;
	enum el_status status = EL_OK;
	for (; i < arguments->count && !status; i++) {
		const size_t before = f->slices.count;
		status = slices_add(&f->slices, arguments->words[i], error);
		if (i && (status == EL_NEGATIVE || status == EL_USAGE)) {
			f->slices.count = before;
			status = EL_OK;
			break;
		}
	}
	if (!status && i == arguments->count)
		return el_fail(
			error, EL_USAGE,
			"expected a slice and a question, as in: endlab find KQvK 'win and check'");
	if (!status && !(f->question = words_join(arguments->words + i, arguments->count - i)))
		status = el_fail(error, EL_MEMORY, "out of memory");
	for (size_t s = 0; s < f->slices.count && !status; s++) {
		const struct el_game *game = f->slices.list[s].game;
		if (f->form == FORM_EPD && !game->castling)
			status = el_fail(error, EL_USAGE, "--epd: %s is not written in EPD",
			                 game->title);
		if (!status)
			status = metric_suits(f->options.metric, game, error);
		if (!status)
			status = metric_suits(f->options.sort, game, error);
	}
	return status;
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	struct finding f = {.cli = cli};
	struct el_error error;
	progress_start(&f.progress, cli);
	enum el_status status = read_options(&f, arguments, &error);
	if (!status)
		status = read_words(&f, arguments, &error);
	const int answer = status ? command_fail(cli, "find", &error) : run_all(&f);
	slices_free(&f.slices);
	free(f.question);
	return answer;
}

const struct command command_find_positions = {
	.name = "find",
	.arguments = "SLICE... QUESTION [OPTION...]",
	.summary = "list the positions that answer a question",
	.help = "Lists the positions of slices that answer a question, one of each symmetry class, "
		"as FEN. A question combines facts with and, or, not and parentheses: outcomes for "
		"the side to move (win, draw, loss), depths in plies (dtm > 60), numbers of moves "
		"(winning-moves = 1), check, stalemate, zugzwang, and where pieces stand (P on "
		"rank 7, distance(K, k) = 2; capitals are White's). 'endlab --man endlab-find' has "
		"all "
		"words. " SLICES_HELP "\n"
		"The exit status is 1 if no position answers.\n"
		"  endlab find @SLICE 'win and white-to-move' --sample 5 --values\n"
		"  endlab find @SLICE 'zugzwang and white-to-move' --count\n"
		"  endlab find KRvKP 'win and only-move' --sort dtm --limit 10 --values\n"
		"  endlab find KQvK 'stalemate or K on corner' --sample 5",
	.complete = "slice",
	.options = options,
	.least = 2,
	.most = -1,
	.judges = true,
	.run = run,
};
