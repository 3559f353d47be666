/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Games with verdicts. Everything added to a game begins with "[%endlab", so that a later run
 * recognises it: it replaces old comments and does not add lines twice.
 */
#include "arguments.h"
#include "core/base/clock.h"
#include "core/builder/position.h"
#include "core/probe/probe.h"
#include "games_file.h"
#include "progress.h"
#include "tui/text/games.h"
#include "tui/text/moves.h"
#include "tui/text/numbers.h"
#include "tui/text/values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct option_help options[] = {
	{"--metric", "METRIC", "what plies are counted by (by default the finest that is known)",
         .values = &metric_values},
	{"--rule", "K|off",
         "draw after K moves without a capture or a pawn move (by default 50); off "
         "ignores the clock",
         .values = &rule_values},
	{"-o", "OUT", "the file to write (by default standard output)", .values = &file_values},
	{"--solve", .summary = "first solve what no table covers, as 'endlab solve' does"},
	{"--time", "TIME",
         .summary = "time that --solve may take for all games, such as 90s, 10m or 2h (by default "
                    "2m)"},
	{"--memory", "SIZE",
         .summary = "memory that --solve may take, such as 512M (by default half of what is free)"},
	{0},
};

static const char mark[] = "[%endlab";            /* begins everything added */
static const char line_mark[] = "[%endlab line]"; /* begins the comment on a line's first move */

enum { LINE_PLIES = 12, DRAWN_PLIES = 6 }; /* length of lines; a draw has no end to show */

enum { SOLVE_SECONDS = 120, SOLVE_LEAST = 1 };

/* One run of the command. */
struct session {
	struct cli *cli;
	struct progress progress;
	struct el_question question;
	struct el_judge *judge;
	FILE *out;
	struct whole_file file;           /* -o; else without a stream */
	size_t understood;                /* games of which something was */
	bool spoils;                      /* -o would write over a file in which nothing was */
	int answer;                       /* exit status so far */
	struct el_tree *tree;             /* the game */
	uint32_t count;                   /* of its nodes before lines are added */
	struct el_move_verdict *verdicts; /* by node; owned */
	bool *added;                      /* by node: in a line added earlier; owned */
	double seconds;                   /* left for solving; 0: nothing is solved */
	size_t memory;                    /* for that; 0: any */
};

/* ---- text added by earlier runs ---- */

static bool begins_with(const struct el_note *note, const char *text)
{
	return note->text && !strncmp(note->text, text, strlen(text));
}

static bool is_line(const struct el_note *note)
{
	return begins_with(note, line_mark);
}

static bool is_verdict(const struct el_note *note, const void *context)
{
	(void)context;
	return begins_with(note, mark) && !is_line(note);
}

static bool is_mark(const struct el_note *note, const void *context)
{
	const unsigned *number = context;
	return note->kind == EL_NOTE_MARK && note->mark == *number;
}

/* ---- studies of a game ---- */

/* Makes the study of a position in half of the time that is left. */
static enum el_status solve_position(struct session *s, const struct el_position *position,
                                     struct el_error *error)
{
	const double began = clock_seconds();
	const struct el_solve_wish wish = {.game = s->tree->game,
	                                   .root = position,
	                                   .memory = s->memory,
	                                   .seconds = s->seconds / 2,
	                                   .kinds = ~0u};
	struct el_solved solved;
	char name[EL_STUDY_NAME_MAX], frames[GROUPED_MAX], size[AMOUNT_MAX], time[TIME_MAX];
	const enum el_status status =
		el_solve_position(s->cli->library, &wish, &s->progress.watch, &solved, error);
	const double took = clock_seconds() - began;
	progress_clear(&s->progress);
	s->seconds = s->seconds - took > SOLVE_LEAST ? s->seconds - took : 0;
	if (status == EL_STOPPED && el_watch_tick(&s->progress.watch, NULL)) {
		fprintf(s->cli->err, "not solved from move %u: there is more to it than %s allow\n",
		        position->fullmove, seconds_text(wish.seconds, time));
		return EL_OK;
	}
	if (status)
		return status;
	el_study_name(wish.game, position, wish.metric, name);
	fprintf(s->cli->err, "solved from move %u: %s, %s frames, %s in %s, %s\n",
	        position->fullmove, outcome_words(solved.value.outcome),
	        grouped(solved.size.frames, frames), bytes_text(solved.bytes, size), name,
	        seconds_text(took, time));
	return solved.stopped ? el_fail(error, EL_STOPPED, "stopped; the study is kept") : EL_OK;
}

/*
 * Solves what the moves of the game need and no table or study knows: from the first position that can be
 * solved, and then, while only bounds are known, from where a capture or a pawn move leaves less to solve.
 * EL_STOPPED; other failures are told, and end the solving.
 */
static enum el_status solve_game(struct session *s, struct el_error *error)
{
	const struct el_tree *tree = s->tree;
	enum el_status status = EL_OK;
	bool tried = false; /* since the last capture or pawn move */
	for (uint32_t node = EL_TREE_ROOT; node != EL_NO_NODE && s->seconds > 0 && !status;
	     node = tree->nodes[node].child) {
		const struct el_position *position = &tree->nodes[node].position;
		struct el_value value;
		tried &= position->halfmove > 0;
		if (tried || !el_study_admits(tree->game, position) ||
		    (!el_library_value(s->cli->library, tree->game, position, &el_wdl,
		                       EL_PROBE_FULL, &value, error) &&
		     el_outcome_exact(value.outcome)))
			continue;
		tried = true;
		status = solve_position(s, position, error);
	}
	if (!status || status == EL_STOPPED)
		return status;
	s->seconds = 0;
	s->answer = command_worse(s->answer, command_fail(s->cli, "annotate", error));
	return EL_OK;
}

/* ---- verdicts ---- */

/* Also removes earlier verdicts. A parent has a smaller number than its children. */
static enum el_status judge_all(struct session *s, struct el_error *error)
{
	enum el_status fault = EL_OK;
	struct el_error first;
	struct el_tree *tree = s->tree;
	for (uint32_t i = 0; i < s->count; i++) {
		const uint32_t parent = tree->nodes[i].parent;
		const bool root = parent == EL_NO_NODE;
		unsigned number = 0; /* "[%endlab $2] threw the win" recorded the mark */
		s->added[i] = !root && s->added[parent];
		for (uint32_t n = tree->nodes[i].notes; n != EL_NO_NODE; n = tree->notes[n].next) {
			s->added[i] |= is_line(&tree->notes[n]);
			if (is_verdict(&tree->notes[n], NULL))
				sscanf(tree->notes[n].text, "[%%endlab $%u]", &number);
		}
		s->verdicts[i] = (struct el_move_verdict){0};
		if (s->added[i])
			continue;
		el_tree_drop_notes(tree, i, is_verdict, NULL);
		if (number)
			el_tree_drop_notes(tree, i, is_mark, &number);
		enum el_status status =
			root ? EL_OK
			     : el_judge_move(s->judge, s->tree, i, &s->verdicts[parent],
		                             &s->verdicts[i], &first);
		if (status && !fault)
			fault = el_fail(error, status, "%s", first.text);
	}
	return fault;
}

static enum el_status add_comment(struct session *s, uint32_t node, unsigned number,
                                  const char *words, struct el_error *error)
{
	char text[VERDICT_MAX + 32], with[16] = "";
	if (number)
		snprintf(with, sizeof with, " $%u", number);
	snprintf(text, sizeof text, "%s%s] %s", mark, with, words);
	return el_tree_add_note(s->tree, node, EL_NOTE_COMMENT, EL_PLACE_AFTER, text, error);
}

static enum el_status add_verdict(struct session *s, uint32_t node, struct el_error *error)
{
	const struct el_move_verdict *v = &s->verdicts[node];
	const uint32_t parent = s->tree->nodes[node].parent;
	const unsigned number = el_tree_mark(s->tree, node) ? 0 : v->mark;
	char words[VERDICT_MAX];
	verdict_text(s->tree->game, &s->tree->nodes[parent].position, v, false, words);
	if (v->kind > EL_VERDICT_KEPT && s->tree->nodes[node].child == EL_NO_NODE) {
		/* "; now Kd6 wins": the best reply to a mistake that ends the game or the
		   variation. */
		const struct el_game *game = s->tree->game;
		const struct el_position *position = &s->tree->nodes[node].position;
		char san[EL_MOVE_MAX];
		struct el_move move;
		struct el_line line = {.moves = &move, .max = 1};
		struct el_question question = s->question;
		question.metric = s->verdicts[node].metric ? s->verdicts[node].metric : &el_wdl;
		el_library_line(s->cli->library, game, position, &question, &line, NULL);
		if (line.count) {
			game->write_move(position, &move, EL_SAN, san);
			el_text_add(words, VERDICT_MAX, "; now %s %s", san,
			            s->verdicts[node].after == EL_LOSS ? "wins" : "draws");
		}
	}
	enum el_status status = number ? el_tree_add_mark(s->tree, node, number, error) : EL_OK;
	return status ? status : add_comment(s, node, number, words, error);
}

/* Adds the optimal line as an alternative to a mistake, unless a variation already begins with its
   first move. */
static enum el_status add_line(struct session *s, uint32_t node, struct el_error *error)
{
	const uint32_t parent = s->tree->nodes[node].parent;
	const struct el_position start = s->tree->nodes[parent].position;
	struct el_move moves[LINE_PLIES];
	const bool won = s->verdicts[node].before == EL_WIN;
	struct el_line line = {.moves = moves, .max = won ? LINE_PLIES : DRAWN_PLIES};
	struct el_question question = s->question;
	question.metric = s->verdicts[node].metric ? s->verdicts[node].metric : &el_wdl;
	enum el_status status =
		el_library_line(s->cli->library, s->tree->game, &start, &question, &line, error);
	uint32_t at = parent;
	for (size_t i = 0; i < line.count && !status; i++) {
		const uint32_t count = s->tree->node_count;
		status = el_tree_add(s->tree, at, &moves[i], &at, error);
		const bool is_new = s->tree->node_count > count;
		if (i || status)
			continue;
		if (is_new)
			status = el_tree_add_note(s->tree, at, EL_NOTE_COMMENT, EL_PLACE_AFTER,
			                          line_mark, error);
		else
			break;
	}
	return status == EL_NEGATIVE || el_is_fault(status) ? EL_OK : status;
}

/* Adds a comment saying how much of the game no table covers. */
static enum el_status add_extent(struct session *s, struct el_error *error)
{
	const struct el_tree *tree = s->tree;
	char words[VERDICT_MAX], upto[32] = "";
	uint32_t last = EL_TREE_ROOT, node = EL_TREE_ROOT;
	while ((node = tree->nodes[node].child) != EL_NO_NODE &&
	       !el_judge_covers(s->judge, tree->game, &tree->nodes[node].position))
		last = node;
	if (last == EL_TREE_ROOT)
		return EL_OK;
	if (node != EL_NO_NODE)
		snprintf(upto, sizeof upto, " up to move %u",
		         tree->nodes[tree->nodes[last].parent].position.fullmove);
	snprintf(words, sizeof words, "no verdicts%s: more %s than any table you have", upto,
	         pieces_word(tree->game));
	return add_comment(s, EL_TREE_ROOT, 0, words, error);
}

/* ---- games and files ---- */

static void note(struct session *s, const struct el_error *error)
{
	progress_clear(&s->progress);
	s->answer = command_worse(s->answer, command_fail(s->cli, "annotate", error));
}

/* Reports a damaged table, once, and writes the game with the verdicts of the others. */
static enum el_status annotate(struct session *s, struct el_error *error)
{
	char *text;
	size_t length;
	enum el_status status = metric_suits(s->question.metric, s->tree->game, error);
	if (status)
		return status;
	free(s->verdicts);
	free(s->added);
	s->count = s->tree->node_count;
	s->verdicts = malloc(s->count * sizeof *s->verdicts);
	s->added = malloc(s->count * sizeof *s->added);
	if (!s->verdicts || !s->added)
		return el_fail(error, EL_MEMORY, "a game: out of memory");
	status = solve_game(s, error);
	if (!status)
		status = judge_all(s, error);
	if (status == EL_MEMORY || status == EL_STOPPED)
		return status;
	s->answer = command_worse(s->answer, command_exit(status)); /* told below */
	status = add_extent(s, error);
	bool untimed = false;
	for (uint32_t i = 1; i < s->count && !status; i++) {
		const struct el_move_verdict *v = &s->verdicts[i];
		untimed |= v->untimed;
		const bool is_open = v->kind == EL_VERDICT_UNKNOWN || v->kind == EL_VERDICT_BEYOND;
		if (is_open && !verdict_bounds(v))
			continue;
		status = add_verdict(s, i, error);
		if (!status && !is_open && v->kind != EL_VERDICT_KEPT)
			status = add_line(s, i, error);
	}
	if (!status && untimed) {
		char words[VERDICT_MAX];
		snprintf(words, sizeof words,
		         "whether all wins are in time for the %u-move rule is not known",
		         s->question.rule);
		status = add_comment(s, EL_TREE_ROOT, 0, words, error);
	}
	if (status && status != EL_MEMORY)
		note(s, error);
	progress_clear(&s->progress);
	command_tell_faults(s->cli, "annotate", s->question.faults);
	if (status != EL_MEMORY)
		status = el_tree_write(s->tree, &text, &length, error);
	if (status)
		return status;
	if (fwrite(text, 1, length, s->out) < length)
		status = el_fail(error, EL_IO, "cannot write: %s", strerror(errno));
	free(text);
	return status;
}

static enum el_status annotate_games(struct session *s, struct games_file *input,
                                     struct el_error *error)
{
	const char *name = input->text.name;
	struct el_games *games = input->games;
	for (;;) {
		const struct el_progress progress = {
			.stage = "annotating",
			.what = name,
			.done = input->size ? (double)lseek(input->text.fd, 0, SEEK_CUR)
		                            : (double)el_games_bytes(games),
			.total = (double)input->size,
			.unit = "bytes",
		};
		if (!el_watch_tick(&s->progress.watch, &progress))
			return el_fail(error, EL_STOPPED, "%s: stopped after %zu %s", name,
			               el_games_count(games),
			               plural(el_games_count(games), "game", "games"));
		enum el_status status = el_games_next(games, &s->tree, error);
		if (!s->tree)
			return games_file_status(input, status, error);
		s->understood += !el_tree_is_strange(s->tree, status);
		if (status)
			note(s, error);
		status = annotate(s, error);
		el_tree_close(s->tree);
		if (status)
			return status;
	}
}

/* If nothing in the file is understood, takes back what -o has of it, and does not write over it. */
static enum el_status annotate_file(struct session *s, const char *name, struct el_error *error)
{
	struct games_file input;
	struct stat there;
	const size_t before = s->understood;
	const off_t written = s->file.stream ? ftello(s->out) : 0;
	enum el_status status = games_file_open(&input, name, error);
	const bool opened = input.text.fd >= 0;
	if (!status)
		status = annotate_games(s, &input, error);
	games_file_close(&input);
	if (!opened)
		return status;
	if (s->understood > before)
		return status;
	if (s->file.stream && (fflush(s->out) || ftruncate(fileno(s->out), written) ||
	                       fseeko(s->out, written, SEEK_SET)))
		return el_fail(error, EL_IO, "%s: cannot write: %s", s->file.path, strerror(errno));
	/* Is it the file that -o writes over? */
	s->spoils |= s->file.stream && !stat(s->file.real, &there) &&
	             there.st_dev == input.about.st_dev && there.st_ino == input.about.st_ino;
	return status ? status
	              : el_fail(error, EL_NEGATIVE,
	                        "%s: no game in it; positions, one a line, are for 'endlab probe "
	                        "--stdin'",
	                        input.text.name);
}

static enum el_status parse(struct session *s, const struct arguments *arguments,
                            struct el_error *error)
{
	const bool solves = option_given(arguments, "--solve");
	const bool is_timed = option_given(arguments, "--time");
	if (metric_option(arguments, "--metric", &s->question.metric, error) ||
	    games_file_check(s->cli, arguments, error))
		return EL_USAGE;
	if (!solves && (is_timed || option_given(arguments, "--memory")))
		return el_fail(error, EL_USAGE, "%s goes with --solve",
		               is_timed ? "--time" : "--memory");
	s->seconds = solves ? SOLVE_SECONDS : 0;
	if (time_option(arguments, "--time", &s->seconds, error) ||
	    size_option(arguments, "--memory", &s->memory, error))
		return EL_USAGE;
	s->question.by_demand = true;
	s->question.asking = command_asking(s->cli);
	return rule_option(arguments, s->question.metric, &s->question.rule, error);
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	const char *to = option_value(arguments, "-o");
	struct session s = {.cli = cli, .out = cli->out};
	struct el_error error;
	enum el_status status = parse(&s, arguments, &error);
	progress_start(&s.progress, cli);
	if (!status && !(s.question.faults = el_faults_open()))
		status = el_fail(&error, EL_MEMORY, "out of memory");
	if (!status)
		status = el_judge_open(cli->library, &s.question, &s.judge, &error);
	if (!status && to)
		status = whole_file_open(to, &s.file, &error);
	s.out = to ? s.file.stream : cli->out;
	for (int i = 0; i < arguments->count && !status; i++) {
		status = annotate_file(&s, arguments->words[i], &error);
		if (status && status != EL_STOPPED && status != EL_MEMORY) {
			note(&s, &error); /* a file that cannot be read: go on */
			status = EL_OK;
		}
	}
	progress_clear(&s.progress);
	if (!status && to && (s.spoils || !s.understood))
		status = el_fail(&error, EL_NEGATIVE,
		                 "%s: not written, because no game in %s was understood", to,
		                 s.spoils ? "it" : "the input");
	status = to ? whole_file_close(&s.file, status, &error) : status;
	el_judge_close(s.judge);
	el_faults_close(s.question.faults);
	free(s.verdicts);
	free(s.added);
	if (status)
		return command_worse(s.answer, command_fail(cli, "annotate", &error));
	return s.answer;
}

const struct command command_annotate = {
	.name = "annotate",
	.arguments = "FILE... [OPTION...]",
	.summary = "write games again, with verdicts from the tables",
	.help = "Reads games in PGN, or in PDN for draughts, and writes them again. Each move that "
		"the tables know gets a comment: what it kept, what it cost in plies, what it "
		"threw away. ? marks a move that throws a draw or turns a win into a draw, ?? one "
		"that turns a win into a loss, ! an only move. Moves that have such a mark keep "
		"theirs. If a move threw something, a variation shows the best line instead; if "
		"the opponent then failed to use it, the next variation does, and if the moves end "
		"there, the comment names the reply.\n"
		"With --solve, what the game needs and no table covers is solved first: from the "
		"first position without castling rights and with at most two pieces besides kings "
		"and pawns, then, where that leaves bounds, after later captures and pawn moves. "
		"Each study is named on standard error, and kept beside the tables. It takes half "
		"of the time left. Where only bounds are known, a comment gives them, such as 'at "
		"least a draw'.\n"
		"Nothing in a game is lost. Added comments begin with [%endlab: annotating a game "
		"again replaces them. A move that is illegal ends its game there, and a word that "
		"is no move becomes a comment; a game of a variant that is not known is not "
		"played. What was not understood is kept as text and named on standard error, and "
		"the exit status is 1.\n"
		"With - as FILE it reads standard input. Files may be packed by gzip or zstd, and "
		"be in UTF-16; OUT is plain UTF-8, so it takes the place of no packed file, nor of "
		"one in which nothing was understood.\n"
		"  endlab annotate game.pgn\n"
		"  endlab annotate *.pgn --metric dtz -o annotated.pgn\n"
		"  endlab annotate game.pgn --solve --time 5m",
	.complete = "file",
	.options = options,
	.least = 1,
	.most = -1,
	.touches = "files",
	.rights = WRITES_TABLES | ASKS,
	.run = run,
};
