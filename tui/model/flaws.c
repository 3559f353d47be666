/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model.h"

#include "core/base/array.h"

#include <stdlib.h>

struct flaw_job {
	struct job job;
	const struct el_game *game;
	struct el_position position;
	struct el_flaw flaw;
	struct el_flawed *made; /* owned until it is taken */
};

static void run(struct job *job, const struct el_watch *watch)
{
	struct flaw_job *j = (struct flaw_job *)job;
	job->status = el_flawed_open(job->library, j->game, &j->position, &j->flaw, watch, &j->made,
	                             &job->error);
}

/* What was found out with the tables before is not true of these. */
static void answer_from(struct model *m, struct el_library *library)
{
	m->library = library;
	m->tables_version++;
	tables_forget(m);
	films_forget(m);
}

static void done(struct model *m, struct job *job)
{
	struct flaw_job *j = (struct flaw_job *)job;
	struct flaws *f = &m->flaws;
	if (!question_answer(&f->ask, job))
		return;
	if (!job->status && !array_grow(&f->made, f->count, 1, sizeof *f->made))
		job->status = el_fail(&job->error, EL_MEMORY, "out of memory");
	if (job->status) {
		model_fail(m, "flaw: %s", job->error.text);
		return;
	}
	f->made[f->count++] = j->made;
	f->own = m->library;
	answer_from(m, el_flawed_library(j->made));
	j->made = NULL;
}

static void free_job(struct job *job)
{
	el_flawed_close(((struct flaw_job *)job)->made);
	free(job);
}

void flaw_show(struct model *m, const struct el_game *game, const struct el_position *position,
               const struct el_flaw *flaw)
{
	flaw_end(m);
	struct flaw_job *j =
		model_new_job(m, sizeof *j, LANE_WORK, "copying a table", run, done, free_job);
	if (!j)
		return;
	j->game = game;
	j->position = *position;
	j->flaw = *flaw;
	question_ask(m, &m->flaws.ask, &j->job);
}

void flaw_end(struct model *m)
{
	struct flaws *f = &m->flaws;
	question_change(m, &f->ask);
	if (!f->own)
		return;
	answer_from(m, f->own);
	f->own = NULL;
	el_flawed_remove(f->made[f->count - 1]);
}

void flaws_free(struct flaws *f)
{
	while (f->count)
		el_flawed_close(f->made[--f->count]);
	free(f->made);
}
