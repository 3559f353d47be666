/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Survey: the endings of the games in the open file, and the mistakes made in one of them. */
#include "core/tree/survey.h"

#include "tui/screen/list.h"
#include "tui/screen/roles.h"
#include "tui/shell/line.h"
#include "tui/text/moves.h"
#include "tui/views/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_ROWS = 3, FOOT_ROWS = 3 };

struct survey_view {
	struct list endings, mistakes;
	struct question ask;
	char *name;               /* owned: the file that was asked about */
	size_t games;             /* of it when it was asked about */
	struct el_survey *survey; /* owned; null: not known */
	size_t ending;            /* whose mistakes are listed */
	size_t *listed;           /* owned: these mistakes */
	char why[200];            /* why there is no survey; else empty */
	bool shown;               /* the list of mistakes belongs to `ending` */
};

OWN_STATE(static, survey, struct survey_view);

/* ---- the job ---- */

struct survey_job {
	struct job job;
	struct games_input in;
	struct el_question question;
	struct el_survey *survey;
};

static void run(struct job *job, const struct el_watch *watch)
{
	struct survey_job *j = (struct survey_job *)job;
	job->status = games_input_open(&j->in, &job->error);
	if (!job->status)
		job->status = el_survey_open(&j->survey, &job->error);
	if (!job->status)
		job->status = el_survey_read(j->survey, job->library, &j->question, j->in.games,
		                             j->in.text ? strlen(j->in.text)
		                                        : (uint64_t)j->in.about.st_size,
		                             watch, &job->error);
	/* What a faulty table leaves is shown all the same, and so is what was read before a stop. */
	if (j->survey && (el_is_fault(job->status) || job->status == EL_STOPPED))
		job->status = EL_OK;
	if (!job->status)
		job->status = el_survey_sort(j->survey, &job->error);
}

static void done(struct model *m, struct job *job)
{
	struct survey_job *j = (struct survey_job *)job;
	struct survey_view *v = survey_of(m);
	if (!question_answer(&v->ask, job))
		return;
	snprintf(v->why, sizeof v->why, "%.*s", (int)sizeof v->why - 1,
	         job->status ? job->error.text : "");
	el_survey_close(v->survey);
	v->survey = job->status ? NULL : j->survey;
	if (v->survey)
		j->survey = NULL;
	v->endings = v->mistakes = (struct list){.count = 0};
	v->shown = false;
}

static void free_job(struct job *job)
{
	struct survey_job *j = (struct survey_job *)job;
	el_survey_close(j->survey);
	games_input_free(&j->in);
	free(j);
}

/* Surveys the open file once it has been listed, and again if another one is opened. */
static void ask(struct model *m)
{
	struct survey_view *v = survey_of(m);
	const struct games *g = &m->games;
	const bool is_shown = shell_is_shown(m, VIEW_SURVEY) || shell_is_shown(m, VIEW_MISTAKES);
	v->endings.count = v->survey ? (int)v->survey->count : 0;
	list_set(&v->endings, v->endings.at);
	if (!is_shown || !g->name || g->ask.job)
		return;
	question_follow_tables(m, &v->ask);
	const bool is_same = v->name && !strcmp(v->name, g->name) && v->games == g->count;
	if (is_same && !question_is_open(&v->ask))
		return;
	question_change(m, &v->ask);
	struct survey_job *j =
		model_new_job(m, sizeof *j, LANE_LOOK, "surveying games", run, done, free_job);
	if (!j)
		return;
	free(v->name);
	v->name = strdup(g->name);
	v->games = g->count;
	j->question = (struct el_question){.metric = m->metric, .rule = m->rule};
	if (!v->name || !games_input_set(&j->in, g->name, g->text, 0)) {
		model_fail(m, "out of memory");
		free_job(&j->job);
		return;
	}
	question_ask(m, &v->ask, &j->job);
}

static void close_view(struct model *m)
{
	struct survey_view *v = survey_of(m);
	el_survey_close(v->survey);
	free(v->name);
	free(v->listed);
	*v = (struct survey_view){.name = NULL};
}

/* ---- endings ---- */

static const struct el_survey_ending *ending_at(const struct model *m, int row)
{
	return &survey_of(m)->survey->endings[row];
}

static const char *no_survey(const struct model *m)
{
	const struct survey_view *v = survey_of(m);
	return !m->games.name && !m->games.ask.job
	               ? "No file of games is open. Type :survey FILE to survey one."
	       : *v->why           ? v->why
	       : !v->survey        ? "The games are being read."
	       : !v->survey->count ? "No game reached an ending that tables know."
	                           : NULL;
}

static void draw_ending(const struct model *m, struct pane row, int i)
{
	const struct el_survey_ending *e = ending_at(m, i);
	const uint64_t known = e->entered[0] + e->entered[1] + e->entered[2];
	char text[GROUPED_MAX];
	int at = 22;

	pane_text(row, 0, 1, ROLE_STRONG, e->slice.name);
	pane_right(row, 0, at += 4, ROLE_TEXT, grouped(e->games, text));
	pane_right(row, 0, at += 10, ROLE_TEXT, grouped(e->moves, text));
	for (unsigned k = 3; k-- > 0;) {
		static const enum el_outcome outcomes[] = {EL_LOSS, EL_DRAW, EL_WIN};
		snprintf(text, sizeof text, "%.0f%%",
		         known ? 100.0 * (double)e->entered[k] / (double)known : 0);
		pane_right(row, 0, at += 6, known ? outcome_role(outcomes[k]) : ROLE_DIM,
		           known ? text : "-");
	}
	for (unsigned side = 0; side < 2; side++)
		pane_right(row, 0, at += 8, e->side[side].mistakes ? ROLE_TEXT : ROLE_DIM,
		           e->side[side].judged ? grouped(e->side[side].mistakes, text) : "-");
}

static void draw_endings(const struct model *m, struct pane p)
{
	const struct survey_view *v = survey_of(m);
	char games[GROUPED_MAX], with[GROUPED_MAX];
	if (no_survey(m)) {
		pane_wrap(pane_sub(p, 0, 1, p.rows, p.cols - 2), 0, ROLE_TEXT, no_survey(m));
		return;
	}
	pane_print(p, 0, 1, ROLE_DIM, "%s: %s %s, %s with an ending that tables know", v->name,
	           grouped(v->survey->games, games), plural(v->survey->games, "game", "games"),
	           grouped(v->survey->with_endings, with));
	pane_text(p, 1, 38, ROLE_DIM, "tables at the start");
	pane_text(p, 1, 60, ROLE_DIM, "mistakes by");
	pane_text(p, 2, 1, ROLE_DIM, "ending");
	static const struct {
		int at;
		const char *name;
	} heads[] = {{26, "games"}, {36, "moves"}, {42, "win"},  {48, "draw"},
	             {54, "loss"},  {62, "White"}, {70, "Black"}};
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		pane_right(p, 2, heads[i].at, ROLE_DIM, heads[i].name);
	shell_draw_list(m, &v->endings, pane_from(p, HEAD_ROWS), draw_ending);
}

static void ending_text(const struct model *m, int row, char *out, size_t size)
{
	snprintf(out, size, "%s", ending_at(m, row)->slice.name);
}

static void show_mistakes(struct model *m)
{
	struct survey_view *v = survey_of(m);
	const struct el_survey *s = v->survey;
	size_t *listed = realloc(v->listed, (s->mistake_count + 1) * sizeof *listed);
	if (!listed) {
		model_fail(m, "out of memory");
		return;
	}
	v->listed = listed;
	v->ending = (size_t)v->endings.at;
	v->mistakes = (struct list){.count = 0};
	for (size_t i = 0; i < s->mistake_count; i++)
		if (s->mistakes[i].ending == v->ending)
			listed[v->mistakes.count++] = i;
	list_set(&v->mistakes, 0);
	v->shown = true;
	shell_show(m, VIEW_MISTAKES);
}

/* A file to survey becomes the open one. */
static void type_survey(struct model *m, const char *path)
{
	if (*path)
		games_look(m, path);
	shell_show(m, VIEW_SURVEY);
}

static const struct verb verbs[] = {
	{"survey", "[FILE]", "see how the endings of many games were played", .run = type_survey},
	{.word = NULL},
};

static const struct binding bindings[] = {
	KEY({K_ENTER}, "show-mistakes", "mistakes", "list the mistakes made in the selected ending",
            .run = show_mistakes, .disabled = no_survey),
	{.name = NULL},
};

static void subject(const struct model *m, char *out, size_t size)
{
	const struct survey_view *v = survey_of(m);
	snprintf(out, size, "%s", v->ask.job ? "reading" : "endings");
}

const struct view survey_view = {
	.name = "Survey",
	.summary = "how the endings of the open file's games were played",
	.state = &survey_state,
	.bindings = bindings,
	.verbs = verbs,
	.draw = draw_endings,
	.list = {&survey_state, offsetof(struct survey_view, endings)},
	.row = ending_text,
	.subject = subject,
	.ask = ask,
	.close = close_view,
};

/* ---- the mistakes of one ending ---- */

static const char *no_mistakes(const struct model *m)
{
	const struct survey_view *v = survey_of(m);
	return !v->survey || !v->shown ? "Choose an ending in Survey."
	       : !v->mistakes.count    ? "No move of this ending was a mistake."
	                               : NULL;
}

static const struct el_survey_mistake *mistake_at(const struct model *m, int row)
{
	const struct survey_view *v = survey_of(m);
	return &v->survey->mistakes[v->listed[row]];
}

static void draw_mistake(const struct model *m, struct pane row, int i)
{
	const struct el_survey_mistake *mistake = mistake_at(m, i);
	const struct el_game *game = ending_at(m, (int)survey_of(m)->ending)->slice.game;
	char text[EL_FEN_MAX], move[EL_MOVE_MAX], better[EL_MOVE_MAX];

	pane_right(row, 0, 5, ROLE_TEXT, grouped(mistake->count, text));
	game->write_move(&mistake->position, &mistake->move, EL_SAN, move);
	game->write_move(&mistake->position, &mistake->better, EL_SAN, better);
	pane_text(pane_sub(row, 0, 0, 1, 16), 0, 8, ROLE_ERROR, move);
	pane_text(pane_sub(row, 0, 0, 1, 25), 0, 17, ROLE_STRONG, better);
	game->format(&mistake->position, text);
	pane_text(row, 0, 26, ROLE_DIM, text);
}

static void draw_mistakes(const struct model *m, struct pane p)
{
	const struct survey_view *v = survey_of(m);
	char text[GROUPED_MAX], number[NUMBER_MAX], move[EL_MOVE_MAX];
	if (no_mistakes(m)) {
		pane_wrap(pane_sub(p, 0, 1, p.rows, p.cols - 2), 0, ROLE_TEXT, no_mistakes(m));
		return;
	}
	const struct el_survey_ending *e = ending_at(m, (int)v->ending);
	pane_print(p, 0, 1, ROLE_DIM,
	           "%s: positions in which a mistake was made, most often first%s", e->slice.name,
	           v->survey->dropped ? " (rare ones not all kept)" : "");
	pane_right(p, 2, 5, ROLE_DIM, "times");
	pane_text(p, 2, 8, ROLE_DIM, "played");
	pane_text(p, 2, 17, ROLE_DIM, "best");
	pane_text(p, 2, 26, ROLE_DIM, "position");
	struct pane body = pane_sub(p, HEAD_ROWS, 0, p.rows - HEAD_ROWS - FOOT_ROWS, p.cols);
	shell_draw_list(m, &v->mistakes, body, draw_mistake);
	const struct el_survey_mistake *at = mistake_at(m, v->mistakes.at);
	e->slice.game->write_move(&at->position, &at->move, EL_SAN, move);
	pane_print(
		p, p.rows - 2, 1, ROLE_TEXT, "Game %s, %s: %s %s %s.", grouped(at->game, text),
		at->players,
		move_number(e->slice.game, at->position.side, at->position.fullmove, true, number),
		move, mistake_words((enum el_outcome)at->before, (enum el_outcome)at->after));
}

static void mistake_text(const struct model *m, int row, char *out, size_t size)
{
	char fen[EL_FEN_MAX];
	const struct el_survey_mistake *mistake = mistake_at(m, row);
	ending_at(m, (int)survey_of(m)->ending)->slice.game->format(&mistake->position, fen);
	snprintf(out, size, "%s %s", mistake->players, fen);
}

static void explore_mistake(struct model *m)
{
	char fen[EL_FEN_MAX];
	const struct el_survey_mistake *mistake = mistake_at(m, survey_of(m)->mistakes.at);
	ending_at(m, (int)survey_of(m)->ending)->slice.game->format(&mistake->position, fen);
	line_visit(m, fen, mistake->players);
}

static void open_its_game(struct model *m)
{
	const struct el_survey_mistake *made = mistake_at(m, survey_of(m)->mistakes.at);
	games_show(m, (size_t)made->game - 1, &made->position);
	shell_home(m);
}

static void ending_subject(const struct model *m, char *out, size_t size)
{
	const struct survey_view *v = survey_of(m);
	snprintf(out, size, "%s",
	         no_mistakes(m) ? "mistakes" : ending_at(m, (int)v->ending)->slice.name);
}

static const struct binding mistake_bindings[] = {
	KEY({K_ENTER}, "explore-mistake", "explore", "explore the selected position; ^O comes back",
            .run = explore_mistake, .disabled = no_mistakes),
	KEY({'g'}, "open-its-game", "its game",
            "open the first game in which it was made, where it was", .run = open_its_game,
            .disabled = no_mistakes),
	{.name = NULL},
};

const struct view mistakes_view = {
	.name = "Mistakes",
	.summary = "the mistakes made in an ending of Survey",
	.state = NULL,
	.bindings = mistake_bindings,
	.draw = draw_mistakes,
	.list = {&survey_state, offsetof(struct survey_view, mistakes)},
	.row = mistake_text,
	.subject = ending_subject,
};
