/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions solved by themselves: what that takes, and the work. */
#include "model.h"

#include "tui/text/text.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PRESS_SECONDS = 60, /* what takes longer is told before it is begun */
	PLAN_MEMORY = 64 << 20,
};
static const double plan_seconds = 0.5;

struct solve_job {
	struct job job;
	struct solve_job *next;         /* in struct solves */
	char name[EL_STUDY_NAME_MAX];   /* "KPPvKPP" */
	const struct el_metric *metric; /* of the study's depths; null: to the next zeroing move */
	double seconds;
	const struct el_watch *watch; /* the worker's */
	pthread_mutex_t lock;         /* of the report: the screen takes it while the job runs */
	struct el_solve_report report;
	struct el_solved solved;
};

/* ---- what it would take: a job ---- */

struct plan_job {
	struct job job;
	double seconds; /* that may be spent on finding out */
	struct el_solve_report report;
};

static void take_plan(void *context, const struct el_solve_report *report)
{
	((struct plan_job *)context)->report = *report;
}

/* The frames may be too many to be counted soon; then the report stays empty. */
static void plan_run(struct job *job, const struct el_watch *watch)
{
	struct plan_job *j = (struct plan_job *)job;
	struct el_solved solved;
	const struct el_solve_wish wish = {.game = j->job.game,
	                                   .root = &j->job.position,
	                                   .memory = PLAN_MEMORY,
	                                   .seconds = j->seconds,
	                                   .plans = true,
	                                   .context = j,
	                                   .report = take_plan};
	el_solve_position(job->library, &wish, watch, &solved, &job->error);
}

static void plan_done(struct model *m, struct job *job)
{
	if (question_answer(&m->solves.ask, job))
		m->solves.plan = ((struct plan_job *)job)->report;
}

bool solve_is_begun(const struct model *m)
{
	const struct el_answer *a = m->play.study ? &m->play.study->answer : NULL;
	char name[EL_STUDY_NAME_MAX];
	if (!a || !a->source.is_study)
		return false;
	/* Of any metric: what stands before the first dot. */
	el_study_name(a->game, &a->position, NULL, name);
	return !strncmp(a->source.file, name, strcspn(name, ".") + 1);
}

void solves_ask(struct model *m)
{
	struct solves *s = &m->solves;
	const struct study *known = m->play.study;
	if (!known || !known->solves || solve_is_begun(m) || !question_is_open(&s->ask))
		return;
	struct plan_job *j = model_new_job(m, sizeof *j, LANE_PROBE, "counting frames", plan_run,
	                                   plan_done, NULL);
	if (!j)
		return;
	s->plan = (struct el_solve_report){.event = EL_SOLVE_PLANNED};
	j->seconds = m->unhurried ? 0 : plan_seconds;
	question_ask(m, &s->ask, &j->job);
}

/* ---- the work: a job ---- */

static int tick(void *context, const struct el_progress *report)
{
	struct solve_job *j = context;
	struct el_progress named = {.stage = NULL};
	if (report)
		named = *report;
	named.what = j->name;
	return el_watch_tick(j->watch, report ? &named : NULL);
}

static void take_report(void *context, const struct el_solve_report *report)
{
	struct solve_job *j = context;
	if (report->event == EL_SOLVE_WRITING)
		return;
	pthread_mutex_lock(&j->lock);
	const struct el_value value = j->report.value;
	j->report = *report;
	if (report->event == EL_SOLVE_PLANNED)
		j->report.value = value;
	pthread_mutex_unlock(&j->lock);
}

static void run(struct job *job, const struct el_watch *watch)
{
	struct solve_job *j = (struct solve_job *)job;
	const struct el_watch named = {j, tick};
	const struct el_solve_wish wish = {.game = j->job.game,
	                                   .root = &j->job.position,
	                                   .metric = j->metric,
	                                   .seconds = j->seconds,
	                                   .kinds = ~0u,
	                                   .context = j,
	                                   .report = take_report};
	j->watch = watch;
	job->status = el_solve_position(job->library, &wish, &named, &j->solved, &job->error);
}

static void heard(struct model *m, struct job *job)
{
	struct solve_job *j = (struct solve_job *)job;
	pthread_mutex_lock(&j->lock);
	if (j->report.size.frames) { /* else there was no report yet */
		m->solves.last.game = j->job.game;
		m->solves.last.position = j->job.position;
		m->solves.last.report = j->report;
	}
	pthread_mutex_unlock(&j->lock);
}

static void done(struct model *m, struct job *job)
{
	struct solve_job *j = (struct solve_job *)job, **at = &m->solves.jobs;
	const struct el_solved *solved = &j->solved;
	const char *outcome = outcome_words(solved->value.outcome);
	char frames[GROUPED_MAX], positions[GROUPED_MAX], bytes[AMOUNT_MAX], cost[PLAN_SUMMARY_MAX];
	while (*at != j)
		at = &(*at)->next;
	*at = j->next;
	m->tables_version++;
	heard(m, job);
	if (job->status == EL_STOPPED)
		model_fail(m, "Stopped. Nothing was solved yet.");
	else if (job->status)
		model_fail(m, "%s", job->error.text);
	else if (solved->stopped)
		model_fail(m, "Stopped. What was solved is kept: %s so far. Press b to go on.",
		           outcome);
	else if (el_outcome_exact(solved->value.outcome))
		model_note(m, "%s is solved: %s. %s %s, %s positions, %s.", j->name, outcome,
		           grouped(solved->size.frames, frames),
		           plural(solved->size.frames, "frame", "frames"),
		           grouped(solved->size.positions, positions),
		           bytes_text(solved->bytes, bytes));
	else if (solve_is_over(&j->report))
		model_note(m, "%s: %s. There is nothing more to follow.", j->name, outcome);
	else if (j->report.is_last)
		model_note(m, "%s: %s so far. Press b to follow %s: %s.", j->name, outcome,
		           reach_text(j->job.game, &j->report.reach, (char[REACH_MAX]){""}),
		           solve_cost(&j->report, cost));
	else
		model_note(m, "%s: %s so far. Press b to go on.", j->name, outcome);
}

static void free_job(struct job *job)
{
	pthread_mutex_destroy(&((struct solve_job *)job)->lock);
	free(job);
}

static bool is_same(const struct el_game *game, const struct el_position *a,
                    const struct el_position *b)
{
	char name[2][EL_STUDY_NAME_MAX];
	el_study_name(game, a, NULL, name[0]);
	el_study_name(game, b, NULL, name[1]);
	return !strcmp(name[0], name[1]);
}

bool solve_is_asked(const struct model *m)
{
	const struct solve_job *j = m->solves.jobs;
	while (j && (j->job.game != play_game(m) ||
	             !is_same(j->job.game, &j->job.position, play_position(m))))
		j = j->next;
	return j;
}

const struct el_solve_report *solve_sight(const struct model *m)
{
	const struct solves *s = &m->solves;
	if ((solve_is_begun(m) || solve_is_asked(m)) && s->last.game == play_game(m) &&
	    is_same(s->last.game, &s->last.position, play_position(m)))
		return &s->last.report;
	return s->ask.known && s->plan.size.frames ? &s->plan : NULL;
}

void solve_start(struct model *m)
{
	const struct el_solve_report *sight = solve_sight(m);
	char title[64], name[EL_STUDY_NAME_MAX], cost[PLAN_SUMMARY_MAX + 4] = "";
	el_study_name(play_game(m), play_position(m), NULL, name);
	const bool other =
		solve_is_begun(m) && strcmp(m->play.study->answer.source.file, name) != 0;
	name[strcspn(name, "-")] = '\0';
	snprintf(title, sizeof title, "solving %.40s", name);
	struct solve_job *j = model_new_job(m, sizeof *j, LANE_WORK, title, run, done, free_job);
	if (!j)
		return;
	pthread_mutex_init(&j->lock, NULL);
	j->job.heard = heard;
	snprintf(j->name, sizeof j->name, "%s", name);
	if (other)
		j->metric = m->play.study->answer.source.metric;
	/* Who has read what the next step takes wants it done, even if it takes twice as long. */
	j->seconds = PRESS_SECONDS + (sight ? 2 * sight->seconds : 0);
	j->next = m->solves.jobs;
	m->solves.jobs = j;
	if (sight && sight->seconds > 0)
		solve_cost(sight, cost);
	model_note(m, "Solving %s%s%s%s. Press X to stop.", name, *cost ? ": " : "", cost,
	           model_turn(m, LANE_WORK));
	model_submit(m, &j->job);
}
