/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/probe/probe.h"
#include "arguments.h"
#include "probe_styles.h"
#include "tui/text/lines.h"
#include "tui/text/numbers.h"
#include "tui/text/opinions.h"
#include "tui/text/rule.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct option_help options[] = {
	{"--stdin", .summary =
                            "read positions from standard input, one a line; answer as with --tsv, "
                            "or --json or --lichess where that is given; a line that begins with # "
                            "is a comment and has no answer"},
	{"--tsv", .summary =
                          "one tab-separated line a position, depths in plies, below a line that "
                          "names the columns"},
	{"--json",
         .summary = "one JSON object a position, with all its moves and what each table says"},
	{"--lichess",
         .summary = "one JSON object a position in the form of the lichess tablebase API"},
	{"--rule", "K|off",
         "draw after K moves without a capture or a pawn move (by default 50); off "
         "ignores the clock of the positions",
         .values = &rule_values},
	{"--metric", "LIST",
         "rank moves by this metric; with --tsv, the columns behind fen and wdl, comma-separated",
         &metric_values, .is_list = true},
	{"--soft", .summary = "answer from memory alone, never from the disk"},
	{0},
};

/* One run of the command. */
struct session {
	struct cli *cli;
	const struct probe_style *style;
	struct probe probe;
	int answer; /* exit status so far */
	size_t lines, asked, unknown;
	char why[512];        /* the reason of the first unknown position */
	char fen[EL_FEN_MAX]; /* of a position not given as a FEN */
};

/* Replaces control characters, which would break lines and columns of the output. */
static void clean(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 127)
			*text = ' ';
}

static void refuse(struct session *session, const char *fen, struct el_error *error)
{
	/* A line of another game than the metric's is no mistake in the options. */
	const bool line = session->lines && error->status == EL_USAGE;
	session->style->print_error(session->cli, fen, error);
	session->answer =
		command_worse(session->answer, command_exit(line ? EL_NEGATIVE : error->status));
}

static void ask(struct session *session, char *text)
{
	struct probe *probe = &session->probe;
	struct el_error error;
	session->asked++;
	char note[EL_NOTE_MAX];
	enum el_status status =
		el_position_read(text, &probe->game, &probe->position, note, &error);
	struct stat about;
	if (status && !session->lines && !stat(text, &about) && S_ISREG(about.st_mode))
		el_fail(&error, status,
		        "a file: 'endlab probe --stdin' reads positions, one a line, from a file");
	clean(text);
	probe->fen = text;
	if (*note && !status)
		command_say(session->cli, text, EL_OK, "%s", note);
	/* What is more than the position, or was left out, is not part of the answer. */
	if (!status && (*note || strpbrk(text, ";_") || strstr(text, "fen "))) {
		probe->game->format(&probe->position, session->fen);
		probe->fen = session->fen;
	}
	if (!status)
		status = metrics_suit(probe->metrics, probe->game, &error);
	if (status) {
		refuse(session, probe->fen, &error);
		return;
	}
	status = session->style->print(session->cli, probe, &error);
	/* At least one of two contradicting files is wrong, though neither shows it. */
	for (size_t i = 0; i < probe->opinions.count; i++) {
		char contradiction[CONTRADICTION_MAX];
		if (opinion_tells(&probe->opinions, i))
			session->answer =
				command_worse(session->answer,
			                      command_say(session->cli, probe->fen, EL_DAMAGED,
			                                  "the tables contradict each other: %.*s",
			                                  (int)sizeof error.text - 64,
			                                  contradiction_text(&probe->opinions, i,
			                                                     contradiction)));
	}
	el_opinions_free(&probe->opinions);
	command_tell_faults(session->cli, "probe", probe->question.faults);
	if (status == EL_NEGATIVE && !session->unknown++)
		snprintf(session->why, sizeof session->why, "%s", error.text);
	if (status == EL_NEGATIVE || el_is_fault(status)) /* whose table has been named */
		session->answer = command_worse(session->answer, command_exit(status));
	else if (status)
		refuse(session, probe->fen, &error);
}

/* Reading a bulk file never waits, so check for ^C between lines. */
static bool wanted(struct session *session)
{
	struct el_progress progress = {
		.stage = "probing",
		.what = "standard input",
		.done = (double)session->asked,
		.unit = "positions",
	};
	return session->lines++ % 4096 || el_watch_tick(session->cli->watch, &progress);
}

static int ask_stdin(struct session *session)
{
	struct cli *cli = session->cli;
	struct line line;
	struct el_error error;
	enum el_status status = EL_STOPPED;
	while (wanted(session) && !(status = lines_next(cli->in, cli->out, &line, &error))) {
		status = EL_STOPPED;
		if (line.text[strspn(line.text, " \t")] == '#')
			continue;
		if (!line.cut && strlen(line.text) == line.length) {
			ask(session, line.text);
			continue;
		}
		session->asked++;
		clean(line.text);
		el_fail(&error, EL_NEGATIVE,
		        line.cut ? "the line is too long for a position"
		                 : "the line has a zero byte in it");
		refuse(session, line.text, &error);
	}
	if (status == EL_STOPPED)
		el_fail(&error, status, "stopped after %zu %s", session->asked,
		        plural(session->asked, "position", "positions"));
	if (status != EL_NEGATIVE)
		return command_worse(session->answer, command_fail(cli, "probe", &error));
	return session->answer;
}

static int ask_words(struct session *session, const struct arguments *arguments)
{
	for (int i = 0, used; i < arguments->count; i += used) {
		used = position_words(arguments->words + i, arguments->count - i);
		char *fen = words_join(arguments->words + i, used);
		if (!fen)
			return command_say(session->cli, "probe", EL_MEMORY,
			                   "a position: out of memory");
		if (session->style == &probe_text && i)
			fputc('\n', session->cli->out);
		ask(session, fen);
		free(fen);
	}
	return session->answer;
}

/* Finds the style that the options request. */
static enum el_status find_style(const struct arguments *arguments, const struct probe_style **out,
                                 struct el_error *error)
{
	static const struct {
		const char *option;
		const struct probe_style *style;
	} styles[] = {
		{"--tsv", &probe_tsv}, {"--json", &probe_json}, {"--lichess", &probe_lichess}};
	const char *chosen = NULL;
	*out = option_given(arguments, "--stdin") ? &probe_tsv : &probe_text;
	for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
		if (!option_given(arguments, styles[i].option))
			continue;
		if (chosen)
			return el_fail(error, EL_USAGE, "%s and %s exclude each other",
			               styles[i].option, chosen);
		chosen = styles[i].option;
		*out = styles[i].style;
	}
	if ((*out)->is_lichess && option_given(arguments, "--metric"))
		return el_fail(error, EL_USAGE,
		               "--lichess and --metric exclude each other: the order of moves is "
		               "part of that form");
	return EL_OK;
}

/* Parses the question and the named metrics. */
static enum el_status parse(const struct arguments *arguments, const struct probe_style *style,
                            struct probe *out, struct el_error *error)
{
	if (metrics_option(arguments, out->metrics, error))
		return EL_USAGE;
	if (style != &probe_tsv && out->metrics[0] && out->metrics[1])
		return el_fail(error, EL_USAGE,
		               "--metric %s: expected one metric to rank moves by; a list "
		               "goes with --tsv",
		               option_value(arguments, "--metric"));
	out->question.mode = option_given(arguments, "--soft") ? EL_PROBE_SOFT : EL_PROBE_FULL;
	out->question.metric = style == &probe_tsv ? NULL : out->metrics[0];
	out->question.by_demand = !style->is_lichess; /* which orders differently */
	return rule_option(arguments, out->question.metric, &out->question.rule, error);
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	struct el_error error;
	const struct probe_style *style;
	const bool from_stdin = option_given(arguments, "--stdin");
	enum el_status status = find_style(arguments, &style, &error);
	if (!status && from_stdin && arguments->count)
		status = el_fail(&error, EL_USAGE,
		                 "positions come from --stdin or from the command line, not from "
		                 "both");
	else if (!status && !from_stdin && !arguments->count)
		status = el_fail(&error, EL_USAGE, "no position given; usage: endlab probe %s",
		                 arguments->command->arguments);
	else if (!status && from_stdin && !cli->in)
		status = el_fail(&error, EL_USAGE,
		                 "--stdin: the explorer has no standard input; run 'endlab probe "
		                 "--stdin' in a terminal");
	struct session session = {
		.cli = cli, .style = style, .probe.question.asking = command_asking(cli)};
	if (!status)
		status = parse(arguments, style, &session.probe, &error);
	if (!status && !(session.probe.question.faults = el_faults_open()))
		status = el_fail(&error, EL_MEMORY, "out of memory");
	if (status)
		return command_fail(cli, "probe", &error);
	if (style->begin)
		style->begin(cli, &session.probe);
	int answer = from_stdin ? ask_stdin(&session) : ask_words(&session, arguments);
	if (session.unknown && style != &probe_text)
		command_say(cli, "probe", EL_NEGATIVE, "%zu of %zu %s unknown; the first: %s",
		            session.unknown, session.asked,
		            plural(session.asked, "position", "positions"), session.why);
	el_faults_close(session.probe.question.faults);
	return answer;
}

const struct command command_probe = {
	.name = "probe",
	.arguments = "FEN... | --stdin [OPTION...]",
	.summary = "evaluate positions and rank their moves",
	.help = "Says what each position is worth for the side to move (a win, a draw or a loss, "
		"and how deep) and ranks its legal moves, the best first: winning, cursed wins "
		"(won, but too late under the 50-move rule), drawing, blessed losses, losing. The "
		"halfmove clock of the position counts. Among equally good moves, those that set "
		"the opponent problems come first: those after which most replies are mistakes, "
		"then those whose mistakes take longest to refute, then those that capture most. "
		"If values are stones, the way to the next gain counts first: the shortest for the "
		"side that gains, the longest for the other. In JSON \"only\" marks an only move, "
		"and each of several equal moves has \"mistakes\" and \"replies\".\n"
		"If several tables cover the position, the answer shows what each says, in any "
		"metric. Two that cannot both be right are marked with !, named on standard error, "
		"and the exit status is 3. If none does, the moves settle or bound the value as "
		"far as the tables that they lead to allow, and the answer says so. A table that "
		"is missing is named with the move that needs it and the folders looked in.\n"
		"±1 stands beside a depth of a Syzygy table that keeps moves instead of plies, or "
		"of a cursed win in one of chesstb: it may be a ply more. In JSON that is "
		"\"rounded\": true.\n"
		"A table that is damaged or cannot be read costs only what it alone tells: that is "
		"- in --tsv, null in JSON and unknown elsewhere. It is named once on standard "
		"error with what was expected and found, and the exit status is 3, or 4 if it "
		"could not be read. Where another table tells the same, the answer is whole and "
		"the exit status 0; where nothing else is known, the answer is an error. With "
		"--tsv and --metric, tables that the columns do not need are not read.\n"
		"With --lichess the answers are those of 'endlab serve': see there.\n"
		"A line that is not a position, an empty one too, gets an error as its answer. The "
		"exit status is 1 if there was such a line, or a position that no table covers. "
		"Operations of EPD may follow a FEN with or without clocks: hmvc and fmvn set the "
		"clocks, the others are read over, and the answer's fen is the position alone, "
		"with its clocks. So it is if something that cannot be was left out, such as "
		"castling rights without a rook or a word that is no operation: standard error "
		"says what. Lines may end in LF, CRLF or CR, and the input may begin with a byte "
		"order mark of UTF-8.\n"
		"endlab --man endlab-json explains the fields of --json and the columns of --tsv.\n"
		"  endlab probe @FEN\n"
		"  endlab probe --stdin < positions.txt > values.tsv",
	.complete = "fen",
	.options = options,
	.most = -1,
	.is_quick = true,
	.rights = ASKS,
	.run = run,
};
