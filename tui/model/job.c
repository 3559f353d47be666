/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- jobs ---- */

static void free_job(struct job *job)
{
	free(job);
}

void *model_new_job(struct model *m, size_t size, enum lane lane, const char *title,
                    job_run_fn *run, job_done_fn *done, job_free_fn *free_it)
{
	struct job *job = calloc(1, size);
	if (!job) {
		model_fail(m, "out of memory");
		return NULL;
	}
	job->number = ++m->last_job;
	job->lane = lane;
	job->library = m->library;
	if (m->play.walk.tree) { /* else no game has begun */
		job->game = m->play.walk.tree->game;
		job->position = walk_shown(&m->play.walk)->position;
	}
	job->run = run;
	job->done = done;
	job->free = free_it ? free_it : free_job;
	snprintf(job->title, sizeof job->title, "%s", title);
	return job;
}

static void put_last(struct job **list, struct job *job, bool out)
{
	while (*list)
		list = out ? &(*list)->next_out : &(*list)->next;
	*list = job;
}

void model_submit(struct model *m, struct job *job)
{
	job->next = job->next_out = NULL;
	put_last(&m->outbox, job, false);
	put_last(&m->jobs, job, true);
}

struct job *model_take_job(struct model *m)
{
	struct job *job = m->outbox;
	if (job)
		m->outbox = job->next;
	return job;
}

void job_run(struct job *job, const struct el_watch *watch)
{
	if (job->stopped)
		job->status = el_fail(&job->error, EL_STOPPED, "stopped");
	else
		job->run(job, watch);
}

void model_job_done(struct model *m, struct job *job)
{
	struct job **at = &m->jobs;
	while (*at != job)
		at = &(*at)->next_out;
	*at = job->next_out;
	if (m->progress[job->lane].job == job->number)
		m->progress[job->lane] = (struct job_progress){0};
	const unsigned failures = m->failures;
	job->done(m, job);
	m->job_failures += m->failures != failures;
	job->free(job);
}

const struct job *model_job(const struct model *m, enum lane lane)
{
	const struct job *job = m->jobs;
	while (job && job->lane != lane)
		job = job->next_out;
	return job;
}

/* Prefers short jobs: the user waits for these. */
const struct job *model_job_shown(const struct model *m)
{
	const struct job *look = model_job(m, LANE_LOOK);
	return look ? look : model_job(m, LANE_WORK);
}

const char *model_turn(const struct model *m, enum lane lane)
{
	return model_job(m, lane) ? " once the work before it is done" : "";
}

/* A job not yet handed out never begins. */
void model_stop(struct model *m, uint64_t number)
{
	for (struct job *job = m->outbox; job; job = job->next)
		job->stopped = job->stopped || job->number == number;
	for (struct job *job = m->jobs; job; job = job->next_out)
		if (job->number == number && job->stop == STOP_NOT)
			job->stop = STOP_ASKED;
}

uint64_t model_take_stop(struct model *m)
{
	for (struct job *job = m->jobs; job; job = job->next_out) {
		if (job->stop != STOP_ASKED)
			continue;
		job->stop = STOP_TOLD;
		return job->number;
	}
	return 0;
}

/* ---- reports of running jobs ---- */

void job_progress_set(struct job_progress *p, const struct job *job,
                      const struct el_progress *report)
{
	p->job = job->number;
	p->tables = job->tables;
	if (!report)
		return;
	snprintf(p->what, sizeof p->what, "%s", report->what ? report->what : "");
	p->stage = report->stage;
	p->done = report->done;
	p->total = report->total;
	p->unit = report->unit;
	p->pass = report->pass;
	p->overall = report->overall ? *report->overall : (struct el_overall){0};
	p->overall.table = NULL;
}

void model_progress(struct model *m, enum lane lane, const struct job_progress *progress)
{
	struct job_progress *p = &m->progress[lane];
	const unsigned tables = p->job == progress->job ? p->tables : 0;
	const long long since = p->job == progress->job ? p->since : m->now;
	*p = *progress;
	p->since = since;
	if (p->tables > tables)
		m->tables_version++;
	for (struct job *job = m->jobs; job; job = job->next_out)
		if (job->number == progress->job && job->heard)
			job->heard(m, job);
}

const struct job_progress *model_progress_of(const struct model *m, uint64_t number)
{
	for (int lane = 0; lane < LANES; lane++)
		if (number && m->progress[lane].job == number)
			return &m->progress[lane];
	return NULL;
}

/* ---- questions ---- */

bool question_is_open(const struct question *q)
{
	return !q->known && !q->job;
}

void question_ask(struct model *m, struct question *q, struct job *job)
{
	q->job = job->number;
	q->tables = m->tables_version;
	model_submit(m, job);
}

bool question_answer(struct question *q, const struct job *job)
{
	if (q->job != job->number)
		return false;
	q->job = 0;
	return q->known = true;
}

void question_change(struct model *m, struct question *q)
{
	model_stop(m, q->job);
	q->job = 0;
	q->known = false;
}

void question_follow_tables(struct model *m, struct question *q)
{
	if (q->tables == m->tables_version)
		return;
	question_change(m, q);
	q->tables = m->tables_version;
}
