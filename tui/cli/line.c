/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "line.h"

#include "arguments.h"
#include "core/probe/probe.h"
#include "progress.h"
#include "tui/text/moves.h"
#include "tui/text/rule.h"
#include "tui/text/values.h"

#include <stdlib.h>
#include <string.h>

static const struct option_help options[] = {
	{"--metric", "METRIC", "what the line is optimal for (by default the finest that is known)",
         .values = &metric_values},
	{"--rule", "K|off",
         "draw after K moves without a capture or a pawn move (by default 50); off "
         "ignores the clock of the position",
         .values = &rule_values},
	{"--pgn", .summary = "as a game in PGN, or in PDN where the game is written so"},
	{0},
};

enum { PLIES_MAX = 4096, COLUMNS = 78 };

/* An optimal line and where it ends. */
struct optimal {
	const struct el_game *game;
	const struct el_metric *metric;
	unsigned rule; /* in moves; 0: off */
	struct el_position start, end;
	struct el_value value;      /* of the start */
	enum el_outcome outcome;    /* the outcome under the rule, given the clock */
	char clock[RULE_WORDS_MAX]; /* why the outcome differs; else empty */
	struct el_line line;        /* its moves are owned */
	struct el_faults *faults;   /* owned */
	enum el_status fault;       /* of a table without which the line was found */
};

static enum el_status find(struct cli *cli, struct optimal *line, struct el_error *error)
{
	struct progress progress;
	progress_start(&progress, cli);
	const struct el_metric *first = line->metric ? line->metric : el_game_metric(line->game);
	struct el_question question = {
		.metric = line->metric,
		.rule = line->rule,
		.by_demand = true,
		.only = 1u << el_metric_rank(first),
		.faults = line->faults,
		.asking = &progress.watch,
	};
	struct el_answer *answer = malloc(sizeof *answer);
	line->line.max = PLIES_MAX;
	line->line.moves = calloc(PLIES_MAX, sizeof *line->line.moves);
	enum el_status status = answer && line->line.moves
	                                ? el_library_answer(cli->library, line->game, &line->start,
	                                                    &question, answer, error)
	                                : el_fail(error, EL_MEMORY, "a line: out of memory");
	if (answer && !line->metric && !el_metric_alike(answer->metric, first) &&
	    (!status || el_is_fault(status))) {
		question.only = 0;
		status = el_library_answer(cli->library, line->game, &line->start, &question,
		                           answer, error);
	}
	if (el_is_fault(status) && answer->metric) {
		line->fault = answer->damaged ? status : EL_OK; /* else of some move */
		status = EL_OK;
	}
	/* Without a requested metric: the game's own or, if no table has that, the finest depth
	   that a table has. */
	if (!status && !line->metric)
		line->metric = answer->metric && answer->metric->has_depth
		                       ? answer->metric
		                       : el_game_metric(line->game);
	question.metric = line->metric;
	if (!status)
		status = el_library_value(cli->library, line->game, &line->start, line->metric,
		                          EL_PROBE_FULL, &line->value, error);
	if (status == EL_NEGATIVE && *answer->why_unknown)
		el_fail(error, status, "%s", answer->why_unknown);
	if (!status)
		status = el_library_line(cli->library, line->game, &line->start, &question,
		                         &line->line, error);
	if (!status) {
		line->outcome = answer->outcome;
		if (line->outcome != answer->value[el_metric_rank(&el_wdl)].outcome)
			rule_sentence(answer, line->clock);
		line->end = line->start;
		for (size_t i = 0; i < line->line.count; i++) {
			struct el_position next;
			line->game->play(&line->end, &line->line.moves[i], &next);
			line->end = next;
		}
	}
	progress_clear(&progress);
	free(answer);
	return status;
}

static const char *won_by(unsigned side)
{
	return side == EL_WHITE ? "1-0" : "0-1";
}

static const char *result(const struct optimal *line)
{
	const struct el_position *end = &line->end;
	const unsigned us = end->side;
	const bool is_open = line->line.end == EL_LINE_LONG || line->line.end == EL_LINE_UNKNOWN;
	if (line->game->sows &&
	    !is_open) { /* in endless play each side gets half of the remaining stones */
		int lead = end->stores[us] - end->stores[!us];
		if (line->line.end == EL_LINE_OVER)
			lead += el_value_stones(line->game->stuck(end));
		return lead ? won_by(lead > 0 ? us : !us) : "1/2-1/2";
	}
	if (line->line.end == EL_LINE_OVER && line->game->stuck(end).outcome == EL_LOSS)
		return won_by(!us);
	/* Outcomes alone do not tell which move makes progress: a win may go in circles. */
	const bool circles = line->line.end == EL_LINE_REPEATED &&
	                     (line->outcome == EL_WIN || line->outcome == EL_LOSS);
	return (is_open || circles) && line->value.outcome != EL_DRAW ? "*" : "1/2-1/2";
}

/* Writes a word, on the next line if it does not fit. */
static void flow(FILE *out, int *column, const char *word)
{
	int length = (int)strlen(word);
	if (*column && *column + 1 + length > COLUMNS) {
		fputc('\n', out);
		*column = 0;
	}
	*column += fprintf(out, "%s%s", *column ? " " : "", word);
}

static void flow_words(FILE *out, int *column, char *words)
{
	for (char *word; (word = strsep(&words, " "));)
		flow(out, column, word);
}

static void print_moves(FILE *out, const struct optimal *line)
{
	struct el_position position = line->start;
	char end[LINE_END_MAX], comment[LINE_END_MAX + 2];
	int column = 0;
	for (size_t i = 0; i < line->line.count; i++) {
		struct el_position next;
		char text[EL_MOVE_MAX], number[NUMBER_MAX];
		if (*move_number(line->game, position.side, position.fullmove, i == 0, number))
			flow(out, &column, number);
		line->game->write_move(&position, &line->line.moves[i], EL_SAN, text);
		flow(out, &column, text);
		/* In a metric that counts to zeroing, mark where the clock restarts, as a PGN
		   comment. */
		const unsigned plies = position.halfmove + 1u;
		if (line->metric->end == EL_END_ZEROING &&
		    line->game->zeroes(&position, &line->line.moves[i])) {
			snprintf(comment, sizeof comment, "{clock restarts after %u %s}", plies,
			         plies == 1 ? "ply" : "plies");
			flow_words(out, &column, comment);
		}
		line->game->play(&position, &line->line.moves[i], &next);
		position = next;
	}
	line_end_text(line->game, line->line.end, &line->end, line->rule, end);
	snprintf(comment, sizeof comment, "{%s}", end);
	if (*end)
		flow_words(out, &column, comment);
	flow(out, &column, result(line));
	fputc('\n', out);
}

static void print_pgn(FILE *out, const struct optimal *line)
{
	char fen[EL_FEN_MAX];
	line->game->format(&line->start, fen);
	fprintf(out,
	        "[Event \"Optimal line, %s\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"-\"]\n"
	        "[White \"endlab\"]\n[Black \"endlab\"]\n[Result \"%s\"]\n",
	        line->metric->title, result(line));
	if (line->game->pdn_type)
		fprintf(out, "[GameType \"%s\"]\n", line->game->pdn_type);
	fprintf(out, "[SetUp \"1\"]\n[FEN \"%s\"]\n\n", fen);
	print_moves(out, line);
}

enum el_status line_write_pgn(struct cli *cli, const struct el_game *game,
                              const struct el_position *position, struct el_error *error)
{
	struct optimal line = {.game = game, .start = *position};
	const enum el_status status = find(cli, &line, error);
	if (!status)
		print_pgn(cli->out, &line);
	free(line.line.moves);
	return status;
}

static void print_text(FILE *out, const struct optimal *line)
{
	char predicate[PREDICATE_MAX];
	value_predicate(line->metric, line->value, line->outcome, false, predicate);
	fprintf(out, "%s to move %s\n", line->game->sides[line->start.side], predicate);
	if (*line->clock)
		fprintf(out, "%s\n", line->clock);
	if (line->line.unproven)
		fputs("some of these moves are only probably the best: to prove it took too long; "
		      "a dtz table shortens the search\n",
		      out);
	print_moves(out, line);
}

static enum el_status parse(struct cli *cli, const struct arguments *arguments,
                            struct optimal *line, struct el_error *error)
{
	char note[EL_NOTE_MAX];
	if (metric_option(arguments, "--metric", &line->metric, error))
		return EL_USAGE;
	char *fen = words_join(arguments->words, arguments->count);
	if (!fen)
		return el_fail(error, EL_MEMORY, "a position: out of memory");
	enum el_status status = el_position_read(fen, &line->game, &line->start, note, error);
	if (*note && !status)
		command_say(cli, fen, EL_OK, "%s", note);
	free(fen);
	if (!status)
		status = metric_suits(line->metric, line->game, error);
	if (!status)
		status = rule_option(arguments, line->metric, &line->rule, error);
	return status;
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	struct optimal line = {0};
	struct el_error error;
	enum el_status status = parse(cli, arguments, &line, &error);
	if (!status && !(line.faults = el_faults_open()))
		status = el_fail(&error, EL_MEMORY, "out of memory");
	if (!status)
		status = find(cli, &line, &error);
	if (line.faults && !el_is_fault(status)) /* that one is told below */
		command_tell_faults(cli, "line", line.faults);
	if (status)
		command_fail(cli, "line", &error);
	else
		(option_given(arguments, "--pgn") ? print_pgn : print_text)(cli->out, &line);
	el_faults_close(line.faults);
	free(line.line.moves);
	return command_exit(status ? status : line.fault);
}

const struct command command_line = {
	.name = "line",
	.arguments = "FEN [OPTION...]",
	.summary = "play the optimal line from a position",
	.help = "Plays the best moves of both sides from a position to the end of the game, or "
		"until a position is repeated or only kings are left, and says why it ends; of a "
		"repetition, also if no capture or pawn move is safe. Among equally good moves it "
		"takes the one that sets the most problems: the one after which most replies are "
		"mistakes, then the one whose mistakes take longest to refute, then the one that "
		"captures most. If values are stones, the side that gains takes the shortest way "
		"to the next capture, the other the longest. Moves that hold the result under the "
		"halfmove clock come first. Under a metric that counts to a zeroing move the line "
		"continues from there to mate, and says where the clock restarts; where that "
		"metric is not known any more, it goes on under another one.\n"
		"  endlab line @FEN\n"
		"  endlab line @FEN --pgn",
	.complete = "fen",
	.options = options,
	.least = 1,
	.most = -1,
	.is_quick = true,
	.rights = ASKS,
	.run = run,
};
