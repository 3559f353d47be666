/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the endings of many games were played. */
#include "core/tree/survey.h"

#include "games_file.h"
#include "progress.h"
#include "tui/text/json.h"
#include "tui/text/moves.h"
#include "tui/text/text.h"

#include <inttypes.h>

enum { LISTED = 10 };

static const struct option_help options[] = {
	{"--ending", "SLICE", "only this ending and its mistakes", .values = &slice_values},
	{"--limit", "N", .summary = "at most N mistakes (by default 10), those made most often"},
	{"--metric", "METRIC", "what plies are counted by (by default the finest that is known)",
         .values = &metric_values},
	{"--rule", "K|off",
         "draw after K moves without a capture or a pawn move (by default 50); off "
         "ignores the clock",
         .values = &rule_values},
	{"--json", .summary = "one JSON object: games, endings, mistakes"},
	{"--csv", .summary = "a line for each ending, after one with the names of the columns"},
	{0},
};

struct surveying {
	struct cli *cli;
	struct progress progress;
	struct el_question question;
	struct el_survey *survey;
	struct el_slice only; /* game null: every ending */
	uint64_t limit;
	int answer;
};

static bool is_shown(const struct surveying *s, const struct el_slice *slice)
{
	return !s->only.game || el_slice_equal(&s->only, slice);
}

/* Is there a table of the ending? Without one, some moves are judged all the same, by where they lead. */
static bool is_known(const struct el_survey_ending *e)
{
	return 2 * (e->side[EL_WHITE].judged + e->side[EL_BLACK].judged) >= e->moves;
}

/* ---- text ---- */

static void print_ending(FILE *out, const struct el_survey_ending *e)
{
	char games[GROUPED_MAX], moves[GROUPED_MAX], mistakes[2][GROUPED_MAX], lost[GROUPED_MAX];
	const uint64_t known = e->entered[0] + e->entered[1] + e->entered[2];
	char percent[3][8];
	for (unsigned k = 0; k < 3; k++)
		snprintf(percent[k], sizeof percent[k], "%.0f%%",
		         known ? 100.0 * (double)e->entered[2 - k] / (double)known : 0);
	for (unsigned side = 0; side < 2; side++)
		grouped(e->side[side].mistakes, mistakes[side]);
	fprintf(out, "%-14s %9s %10s %5s %5s %5s %8s %8s %9s\n", e->slice.name,
	        grouped(e->games, games), grouped(e->moves, moves), percent[0], percent[1],
	        percent[2], mistakes[EL_WHITE], mistakes[EL_BLACK],
	        grouped(e->side[0].lost + e->side[1].lost, lost));
}

static void print_mistake(FILE *out, const struct el_survey_ending *e,
                          const struct el_survey_mistake *m)
{
	const struct el_game *game = e->slice.game;
	char fen[EL_FEN_MAX], move[EL_MOVE_MAX], better[EL_MOVE_MAX], count[GROUPED_MAX];
	char number[NUMBER_MAX], first[GROUPED_MAX];
	game->format(&m->position, fen);
	game->write_move(&m->position, &m->move, EL_SAN, move);
	game->write_move(&m->position, &m->better, EL_SAN, better);
	fprintf(out, "%6s  %s\n        %s %s %s, best is %s (game %s: %s)\n",
	        grouped(m->count, count), fen,
	        move_number(game, m->position.side, m->position.fullmove, true, number), move,
	        mistake_words((enum el_outcome)m->before, (enum el_outcome)m->after), better,
	        grouped(m->game, first), m->players);
}

static void print_text(const struct surveying *s)
{
	FILE *out = s->cli->out;
	const struct el_survey *survey = s->survey;
	char games[GROUPED_MAX], with[GROUPED_MAX];
	unsigned unknown = 0;
	uint64_t shown = 0;
	fprintf(out, "%s %s, %s with an ending that tables know\n", grouped(survey->games, games),
	        plural(survey->games, "game", "games"), grouped(survey->with_endings, with));
	for (size_t i = 0; i < survey->count; i++) {
		const struct el_survey_ending *e = &survey->endings[i];
		unknown += !is_known(e);
		if (!is_shown(s, &e->slice) || !is_known(e))
			continue;
		if (!shown++)
			fprintf(out, "\n%46s %17s %9s\n%-14s %9s %10s %5s %5s %5s %8s %8s %9s\n",
			        "tables at the start", "mistakes by", "plies", "ending", "games",
			        "moves", "win", "draw", "loss", "White", "Black", "lost");
		print_ending(out, e);
	}
	if (unknown)
		fprintf(out,
		        "%u more %s no table tells: 'endlab plan FILE.pgn' says what that takes\n",
		        unknown, plural(unknown, "ending, which", "endings, which"));
	shown = 0;
	for (size_t i = 0; i < survey->mistake_count && shown < s->limit; i++) {
		const struct el_survey_mistake *m = &survey->mistakes[i];
		if (!is_shown(s, &survey->endings[m->ending].slice))
			continue;
		if (!shown++)
			fprintf(out, "\nmistakes made most often%s\n",
			        survey->dropped ? " (rare ones were not all kept)" : "");
		print_mistake(out, &survey->endings[m->ending], m);
	}
}

/* ---- CSV ---- */

static void print_csv(const struct surveying *s)
{
	FILE *out = s->cli->out;
	fputs("ending,games,moves,entered_win,entered_draw,entered_loss,entered_unknown,ended_win,"
	      "ended_draw,ended_loss,ended_unknown,white_judged,white_mistakes,white_half_points,"
	      "white_plies_lost,black_judged,black_mistakes,black_half_points,black_plies_lost\n",
	      out);
	for (size_t i = 0; i < s->survey->count; i++) {
		const struct el_survey_ending *e = &s->survey->endings[i];
		if (!is_shown(s, &e->slice))
			continue;
		fprintf(out, "%s,%" PRIu64 ",%" PRIu64, e->slice.name, e->games, e->moves);
		for (unsigned k = 0; k < 3; k++)
			fprintf(out, ",%" PRIu64, e->entered[2 - k]);
		fprintf(out, ",%" PRIu64, e->games - e->entered[0] - e->entered[1] - e->entered[2]);
		for (unsigned k = 0; k < 4; k++)
			fprintf(out, ",%" PRIu64, e->ended[k < 3 ? 2 - k : 3]);
		for (const struct el_survey_side *one = e->side; one < e->side + 2; one++)
			fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, one->judged,
			        one->mistakes, one->halves, one->lost);
		fputc('\n', out);
	}
}

/* ---- JSON ---- */

static cJSON *levels(const uint64_t *of)
{
	cJSON *object = cJSON_CreateObject();
	json_count(object, "win", of[2]);
	json_count(object, "draw", of[1]);
	json_count(object, "loss", of[0]);
	json_count(object, "unknown", of[3]);
	return object;
}

static cJSON *ending_json(const struct el_survey_ending *e)
{
	static const char *const sides[] = {"white", "black"};
	cJSON *object = cJSON_CreateObject();
	json_text(object, "slice", e->slice.name);
	json_count(object, "games", e->games);
	json_count(object, "moves", e->moves);
	cJSON_AddItemToObject(object, "entered", levels(e->entered));
	cJSON_AddItemToObject(object, "ended", levels(e->ended));
	for (unsigned side = 0; side < 2; side++) {
		cJSON *of = cJSON_AddObjectToObject(object, sides[side]);
		json_count(of, "judged", e->side[side].judged);
		json_count(of, "mistakes", e->side[side].mistakes);
		json_count(of, "half_points", e->side[side].halves);
		json_count(of, "plies_lost", e->side[side].lost);
	}
	return object;
}

static cJSON *mistake_json(const struct el_survey_ending *e, const struct el_survey_mistake *m)
{
	char text[EL_FEN_MAX];
	cJSON *object = cJSON_CreateObject();
	json_text(object, "slice", e->slice.name);
	e->slice.game->format(&m->position, text);
	json_text(object, "fen", text);
	e->slice.game->write_move(&m->position, &m->move, EL_SAN, text);
	json_text(object, "move", text);
	e->slice.game->write_move(&m->position, &m->better, EL_SAN, text);
	json_text(object, "better", text);
	json_text(object, "before", el_outcome_name((enum el_outcome)m->before));
	json_text(object, "after", el_outcome_name((enum el_outcome)m->after));
	json_count(object, "count", m->count);
	json_count(object, "game", m->game);
	json_text(object, "players", m->players);
	return object;
}

static int print_json(const struct surveying *s)
{
	const struct el_survey *survey = s->survey;
	uint64_t shown = 0;
	cJSON *object = cJSON_CreateObject();
	json_count(object, "games", survey->games);
	json_count(object, "with_endings", survey->with_endings);
	json_count(object, "faulty", survey->faulty);
	cJSON_AddBoolToObject(object, "dropped", survey->dropped);
	cJSON *endings = cJSON_AddArrayToObject(object, "endings");
	for (size_t i = 0; i < survey->count; i++)
		if (is_shown(s, &survey->endings[i].slice))
			cJSON_AddItemToArray(endings, ending_json(&survey->endings[i]));
	cJSON *mistakes = cJSON_AddArrayToObject(object, "mistakes");
	for (size_t i = 0; i < survey->mistake_count && shown < s->limit; i++) {
		const struct el_survey_mistake *m = &survey->mistakes[i];
		const struct el_survey_ending *e = &survey->endings[m->ending];
		if (!is_shown(s, &e->slice))
			continue;
		shown++;
		cJSON_AddItemToArray(mistakes, mistake_json(e, m));
	}
	return json_write(s->cli, object);
}

/* ---- reading ---- */

static enum el_status read_file(struct surveying *s, const char *name, struct el_error *error)
{
	struct games_file input;
	const uint64_t before = s->survey->games;
	enum el_status status = games_file_open(&input, name, error);
	if (!status)
		status = games_file_status(&input,
		                           el_survey_read(s->survey, s->cli->library, &s->question,
		                                          input.games, input.size,
		                                          &s->progress.watch, error),
		                           error);
	games_file_close(&input);
	if (!status && s->survey->games == before)
		status = el_fail(error, EL_NEGATIVE, "%s: no game in it", input.text.name);
	return status;
}

/* The games that could not be read in full: the first of them by name. */
static void tell_faults(struct surveying *s)
{
	const struct el_survey *survey = s->survey;
	char number[GROUPED_MAX];
	for (unsigned i = 0; i < survey->faults; i++)
		fprintf(s->cli->err, "endlab: survey: %s\n", survey->fault[i]);
	if (survey->faulty > survey->faults)
		fprintf(s->cli->err,
		        "endlab: survey: and %s more games that could not be read in full\n",
		        grouped(survey->faulty - survey->faults, number));
	if (survey->faulty)
		s->answer = command_worse(s->answer, 1);
}

static enum el_status parse(struct surveying *s, const struct arguments *arguments,
                            struct el_error *error)
{
	const char *ending = option_value(arguments, "--ending");
	s->limit = LISTED;
	if (games_file_check(s->cli, arguments, error))
		return EL_USAGE;
	if (option_given(arguments, "--json") && option_given(arguments, "--csv"))
		return el_fail(error, EL_USAGE, "--json and --csv: choose one form");
	if (metric_option(arguments, "--metric", &s->question.metric, error))
		return EL_USAGE;
	enum el_status status =
		rule_option(arguments, s->question.metric, &s->question.rule, error);
	if (!status)
		status = number_option(arguments, "--limit", 0, UINT32_MAX, &s->limit, error);
	if (!status && ending)
		status = el_slice_parse(ending, &s->only, error);
	return status;
}

static int run(struct cli *cli, const struct arguments *arguments)
{
	struct surveying s = {.cli = cli};
	struct el_error error;
	enum el_status status = parse(&s, arguments, &error);
	progress_start(&s.progress, cli);
	if (!status && !(s.question.faults = el_faults_open()))
		status = el_fail(&error, EL_MEMORY, "out of memory");
	if (!status)
		status = el_survey_open(&s.survey, &error);
	for (int i = 0; i < arguments->count && !status; i++) {
		status = read_file(&s, arguments->words[i], &error);
		progress_clear(&s.progress);
		/* A file that cannot be read, or a table: go on. */
		if (status && status != EL_STOPPED && status != EL_MEMORY) {
			s.answer = command_worse(s.answer, command_fail(cli, "survey", &error));
			status = EL_OK;
		}
	}
	if (!status && s.survey->games)
		status = el_survey_sort(s.survey, &error);
	if (!status && s.survey->games) {
		command_tell_faults(cli, "survey", s.question.faults);
		tell_faults(&s);
		if (option_given(arguments, "--json"))
			s.answer = command_worse(s.answer, print_json(&s));
		else
			(option_given(arguments, "--csv") ? print_csv : print_text)(&s);
	}
	el_survey_close(s.survey);
	el_faults_close(s.question.faults);
	if (status)
		return command_worse(s.answer, command_fail(cli, "survey", &error));
	return s.answer;
}

const struct command command_survey = {
	.name = "survey",
	.arguments = "FILE... [OPTION...]",
	.summary = "tell how the endings of many games were played",
	.help = "Reads games in PGN, or in PDN for draughts, and tells of each ending how often it "
		"arose, what the tables say of the positions in which it began, how often each "
		"side made a mistake, and how many plies the other moves lost. An ending is the "
		"slice of the position before a move, and White its first-named side, whoever that "
		"was in the game. The positions follow in which mistakes were made most often, "
		"with the move of the first such game. Only main lines count.\n"
		"A mistake turns a win into a draw or a loss, or a draw into a loss, under the "
		"rule and with the clock of the game. Plies lost are those by which a win comes "
		"later, or a loss sooner, than with the best move.\n"
		"Games that cannot be read in full count as far as they go; they are named on "
		"standard error, and the exit status is 1. With - as FILE it reads standard input. "
		"Files may be packed by gzip or zstd.\n"
		"  endlab survey games.pgn\n"
		"  endlab survey *.pgn --ending @SLICE --limit 50\n"
		"  endlab survey games.pgn --csv",
	.complete = "file",
	.options = options,
	.least = 1,
	.most = -1,
	.run = run,
};
