/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void study_free(struct study *s)
{
	if (s)
		el_opinions_free(&s->opinions);
	free(s);
}

/* ---- changing the position shown ---- */

const struct el_game *play_game(const struct model *m)
{
	return m->play.walk.tree->game;
}

const struct el_position *play_position(const struct model *m)
{
	return &walk_shown(&m->play.walk)->position;
}

/* Forgets what was known of the previous position. */
static void position_changed(struct model *m)
{
	struct play_state *p = &m->play;
	study_free(p->study);
	p->study = NULL;
	p->best = (struct best_line){.count = 0};
	p->changes++;
	question_change(m, &p->ask_study);
	question_change(m, &p->ask_best);
	question_change(m, &p->ask_elsewhere);
	question_change(m, &m->solves.ask);
}

static void game_changed(struct model *m)
{
	m->play.games++;
	verdicts_forget(m);
	needs_forget(m);
	position_changed(m);
}

void play_ask_again(struct model *m)
{
	struct play_state *p = &m->play;
	p->best = (struct best_line){.count = 0};
	question_change(m, &p->ask_study);
	question_change(m, &p->ask_best);
	verdicts_forget(m);
}

void play_set_rule(struct model *m, unsigned moves)
{
	m->last_rule = moves ? moves : m->last_rule;
	m->rule = moves;
	if (m->metric && moves)
		m->metric = el_metric_ruled(el_metric_rank(m->metric), moves);
	play_ask_again(m);
}

/* ---- kept games ---- */

static void remove_game(struct play_state *p, size_t i)
{
	walk_free(&p->kept[i]);
	p->kept_count--;
	memmove(&p->kept[i], &p->kept[i + 1], (p->kept_count - i) * sizeof *p->kept);
}

void play_keep(struct model *m, struct walk *walk)
{
	struct play_state *p = &m->play;
	bool found = p->kept_count == GAMES_KEPT || walk_equal(&p->walk, walk);
	for (size_t i = 0; i < p->kept_count && !found; i++)
		found = walk_equal(&p->kept[i], walk);
	if (found)
		return;
	p->kept[p->kept_count++] = *walk;
	*walk = (struct walk){.tree = NULL};
}

void play_forget_oldest(struct model *m)
{
	walk_free(&m->play.kept[--m->play.kept_count]);
}

void play_other_game(struct model *m, int by)
{
	struct play_state *p = &m->play;
	const struct walk left = p->walk;
	const size_t last = p->kept_count - 1;
	if (by > 0) {
		p->walk = p->kept[0];
		memmove(&p->kept[0], &p->kept[1], last * sizeof *p->kept);
		p->kept[last] = left;
	} else {
		p->walk = p->kept[last];
		memmove(&p->kept[1], &p->kept[0], last * sizeof *p->kept);
		p->kept[0] = left;
	}
	game_changed(m);
}

void play_take(struct model *m, struct walk *next)
{
	struct play_state *p = &m->play;
	if (p->walk.tree) {
		/* A game left twice, for example by a lesson that starts over, is kept once. */
		for (size_t i = p->kept_count; i-- > 0;)
			if (walk_equal(&p->kept[i], &p->walk))
				remove_game(p, i);
		if (p->kept_count == GAMES_KEPT) {
			/* Drop the oldest unedited game; if there is none, drop the oldest of all
			   and say so. */
			size_t i = p->kept_count;
			while (i > 0 && p->kept[i - 1].edited)
				i--;
			remove_game(p, i ? i - 1 : p->kept_count - 1);
			if (!i)
				model_note(m,
				           "The oldest of the %d games that you left had to go. "
				           "Save what you want to keep.",
				           GAMES_KEPT);
		}
		memmove(&p->kept[1], &p->kept[0], p->kept_count * sizeof *p->kept);
		p->kept[0] = p->walk;
		p->kept_count++;
	}
	p->walk = *next;
	*next = (struct walk){.tree = NULL};
	game_changed(m);
}

bool play_set(struct model *m, const struct el_game *game, const struct el_position *position)
{
	struct walk next;
	struct el_error error;
	if (!walk_open(&next, game, position, &error)) {
		play_take(m, &next);
		return true;
	}
	model_fail(m, "%s", error.text);
	return false;
}

/* ---- the game ---- */

void play_go(struct model *m, size_t at)
{
	m->play.walk.at = at;
	position_changed(m);
}

void play_go_to(struct model *m, uint32_t node)
{
	walk_to(&m->play.walk, node);
	position_changed(m);
}

void play_move(struct model *m, const struct el_move *move)
{
	struct el_error error;
	if (walk_play(&m->play.walk, move, &error))
		model_fail(m, "%s", error.text);
	else
		position_changed(m);
}

void play_delete(struct model *m)
{
	walk_delete(&m->play.walk);
	position_changed(m);
}

void play_free(struct play_state *p)
{
	walk_free(&p->walk);
	study_free(p->study);
	verdicts_free(&p->verdicts);
	free(p->needs.slices);
	for (size_t i = 0; i < p->kept_count; i++)
		walk_free(&p->kept[i]);
}

/* ---- the value, its source, and what a build would make ---- */

bool study_is_exact(const struct study *s)
{
	const struct el_answer *a = &s->answer;
	return a->metric && el_outcome_exact(a->value[el_metric_rank(a->metric)].outcome);
}

enum { LONG_SECONDS = 3600 }; /* a table that takes longer is not offered where a study will do */

struct study_job {
	struct job job;
	struct el_question question;
	struct study *study; /* owned until it is taken */
};

static void study_run(struct job *job, const struct el_watch *watch)
{
	struct study_job *j = (struct study_job *)job;
	struct study *s = j->study;
	struct el_position other = job->position;
	(void)watch;
	el_library_answer(job->library, job->game, &job->position, &j->question, &s->answer,
	                  &s->damage);
	other.side ^= 1;
	other.en_passant = EL_NO_SQUARE;
	el_library_answer(job->library, job->game, &other, &j->question, &s->other, NULL);
	el_library_opinions(job->library, job->game, &job->position, j->question.mode, &s->opinions,
	                    NULL);
	const struct el_plan_wish wish = {
		.slices = &s->answer.slice, .count = 1, .proves = EL_PROVE_CHEAP};
	struct el_plan plan;
	struct el_error error;
	struct el_disk_need need;
	if (study_is_exact(s) && !s->answer.from_moves)
		return;
	const bool can_solve = !*solve_refusal(job->game, &job->position, s->refusal);
	s->solves = can_solve && !s->answer.has_slice;
	if (!s->answer.has_slice || el_plan_wished(job->library, &wish, &plan, NULL))
		return;
	if (!el_plan_estimate(job->library, &plan, NULL)) { /* on failure the build will say why */
		plan_cost(&plan, s->missing_cost);
		s->solves = can_solve &&
		            (plan.seconds > LONG_SECONDS || el_plan_check_memory(&plan, NULL) ||
		             !el_plan_fits_disk(&plan, el_library_directory(job->library), NULL,
		                                &need));
	}
	s->missing_count = (unsigned)plan.count;
	if (el_plan_check_memory(&plan, &error))
		snprintf(s->too_large, sizeof s->too_large, "%.*s", (int)sizeof s->too_large - 1,
		         error.text);
	/* The slice itself is last in the plan, and named first. */
	for (size_t i = plan.count; i-- > 0;)
		el_words_add(s->missing, sizeof s->missing, " ", plan.tasks[i].slice.name);
	el_plan_free(&plan);
}

static void study_done(struct model *m, struct job *job)
{
	struct study_job *j = (struct study_job *)job;
	struct play_state *p = &m->play;
	if (!question_answer(&p->ask_study, job))
		return;
	const bool told =
		p->study &&
		el_position_equal(&p->study->answer.position, &j->study->answer.position) &&
		!strcmp(p->study->damage.text, j->study->damage.text);
	study_free(p->study);
	p->study = j->study;
	j->study = NULL;
	if (p->study->damage.status && !told)
		model_fail(m, "%s", p->study->damage.text);
}

static void study_job_free(struct job *job)
{
	study_free(((struct study_job *)job)->study);
	free(job);
}

static void ask_study(struct model *m)
{
	struct study_job *j = model_new_job(m, sizeof *j, LANE_PROBE, "probing", study_run,
	                                    study_done, study_job_free);
	struct study *study = j ? calloc(1, sizeof *study) : NULL;
	if (!study) {
		free(j);
		model_fail(m, "out of memory");
		return;
	}
	j->question = (struct el_question){.metric = m->metric, .rule = m->rule, .by_demand = true};
	j->study = study;
	question_ask(m, &m->play.ask_study, &j->job);
}

/* ---- what somebody else knows ---- */

static void elsewhere_run(struct job *job, const struct el_watch *watch)
{
	job->status = el_library_ask(job->library, job->game, &job->position, watch, &job->error);
}

static void elsewhere_done(struct model *m, struct job *job)
{
	const bool is_wanted = question_answer(&m->play.ask_elsewhere, job);
	if (!job->status)
		m->tables_version++;
	else if (is_wanted && job->status == EL_NEGATIVE)
		model_note(m, "%s", job->error.text);
	else if (is_wanted)
		model_fail(m, "%s", job->error.text);
}

static void ask_elsewhere(struct model *m)
{
	char title[sizeof((struct job *)0)->title];
	snprintf(title, sizeof title, "asking %.40s", el_library_elsewhere(m->library)->name);
	struct job *job = model_new_job(m, sizeof *job, LANE_LOOK, title, elsewhere_run,
	                                elsewhere_done, NULL);
	if (job)
		question_ask(m, &m->play.ask_elsewhere, job);
}

/* ---- the optimal line ---- */

struct line_job {
	struct job job;
	struct el_question question;
	struct best_line line;
};

static void line_job_run(struct job *job, const struct el_watch *watch)
{
	struct line_job *j = (struct line_job *)job;
	struct el_move moves[LINE_MAX_MOVES + 1];
	struct el_line line = {.moves = moves, .max = LINE_MAX_MOVES + 1};
	(void)watch;
	job->status = el_library_line(job->library, job->game, &job->position, &j->question, &line,
	                              &job->error);
	j->line.more = line.count > LINE_MAX_MOVES;
	j->line.count = j->line.more ? LINE_MAX_MOVES : line.count;
	struct el_position now = job->position, next;
	for (size_t i = 0; i < j->line.count; i++) {
		job->game->write_move(&now, &moves[i], EL_SAN, j->line.san[i]);
		job->game->play(&now, &moves[i], &next);
		now = next;
	}
	if (!j->line.more)
		line_end_text(job->game, line.end, &now, j->question.rule, j->line.end);
}

static void line_job_done(struct model *m, struct job *job)
{
	struct line_job *j = (struct line_job *)job;
	if (question_answer(&m->play.ask_best, job))
		m->play.best = j->line;
}

static void ask_best(struct model *m)
{
	struct line_job *j = model_new_job(m, sizeof *j, LANE_PROBE, "following the line",
	                                   line_job_run, line_job_done, NULL);
	if (!j)
		return;
	j->question = (struct el_question){.metric = m->play.study->answer.metric,
	                                   .rule = m->play.study->answer.rule,
	                                   .by_demand = true};
	question_ask(m, &m->play.ask_best, &j->job);
}

void play_ask(struct model *m)
{
	struct play_state *p = &m->play;
	question_follow_tables(m, &p->ask_study);
	question_follow_tables(m, &p->ask_best);
	if (question_is_open(&p->ask_study))
		ask_study(m);
	const bool has_line = p->ask_study.known && study_is_exact(p->study);
	if (has_line && question_is_open(&p->ask_best))
		ask_best(m);
	else if (p->ask_study.known && !has_line)
		p->best.count = 0; /* other tables knew it */
	if (p->ask_study.known && question_is_open(&p->ask_elsewhere) &&
	    el_answer_is_open(&p->study->answer) &&
	    el_library_may_ask(m->library, play_game(m), play_position(m)))
		ask_elsewhere(m);
	solves_ask(m);
	verdicts_ask(m);
	needs_ask(m);
}
