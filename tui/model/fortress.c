/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>

struct fortress_job {
	struct job job;
	const struct el_game *game;
	struct el_position position;
	int defender;
	struct el_fortress found; /* owned until it is taken */
};

static void run(struct job *job, const struct el_watch *watch)
{
	struct fortress_job *j = (struct fortress_job *)job;
	job->status = el_fortress_find(job->library, j->game, &j->position, j->defender, watch,
	                               &j->found, &job->error);
	if (job->status)
		return;
	struct el_error too_many; /* then squares count with their images */
	const enum el_status status = el_fortress_refine(&j->found, watch, &too_many);
	if (status && status != EL_NEGATIVE)
		job->status = el_fail(&job->error, status, "%s", too_many.text);
}

static void done(struct model *m, struct job *job)
{
	struct fortress_job *j = (struct fortress_job *)job;
	struct fortress *f = &m->fortress;
	if (!question_answer(&f->ask, job))
		return;
	fortress_free(f); /* one that could not be refined may be there */
	f->found = j->found;
	j->found = (struct el_fortress){.inside = {NULL, NULL}};
	snprintf(f->why, sizeof f->why, "%.*s", (int)sizeof f->why - 1,
	         job->status ? job->error.text : "");
}

static void free_job(struct job *job)
{
	el_fortress_free(&((struct fortress_job *)job)->found);
	free(job);
}

void fortress_look(struct model *m, int defender)
{
	struct fortress *f = &m->fortress;
	fortress_free(f);
	f->game = play_game(m);
	f->position = *play_position(m);
	f->defender = defender;
	question_change(m, &f->ask);
}

const struct el_fortress *fortress_found(const struct model *m)
{
	return m->fortress.ask.known && !m->fortress.why[0] ? &m->fortress.found : NULL;
}

void fortress_ask(struct model *m)
{
	struct fortress *f = &m->fortress;
	if (!f->wanted && f->ask.job)
		question_change(m, &f->ask);
	if (f->why[0]) /* a table may have been missing */
		question_follow_tables(m, &f->ask);
	if (f->wanted && question_is_open(&f->ask)) {
		struct fortress_job *j =
			model_new_job(m, sizeof *j, LANE_LOOK, "fortress", run, done, free_job);
		if (j) {
			j->game = f->game;
			j->position = f->position;
			j->defender = f->defender;
			question_ask(m, &f->ask, &j->job);
		}
	}
	f->wanted = false;
}

void fortress_free(struct fortress *f)
{
	el_fortress_free(&f->found);
	f->why[0] = '\0';
}
