/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Explore asks of the library, as jobs: the value of a position first, then its line. */
#include "../../model/model.h"
#include "../../text/values.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- the value, its source, and what a build would make ---- */

struct study_job {
	struct job job;
	unsigned version;
	const struct el_game *game;
	struct el_position position;
	struct study *study; /* owned until it is taken */
};

static void name_source(struct study *s)
{
	const struct el_answer_source *source = &s->answer.source;
	s->metric = source->metric;
	if (source->metric)
		snprintf(s->source, sizeof s->source, "%s  %s", source->file, source->detail);
}

static void find_missing(struct study *s, struct el_library *library)
{
	struct el_plan plan;
	if (study_is_exact(s) || !s->answer.has_slice ||
	    el_plan_make(library, &s->answer.slice, 1, NULL, &plan, NULL))
		return;
	size_t used = 0;
	s->missing_count = (unsigned)plan.count;
	for (size_t i = 0; i < plan.count; i++)
		if (plan.tasks[i].bytes > s->missing_bytes)
			s->missing_bytes = plan.tasks[i].bytes;
	/* The slice itself is the last of the plan, and the first to be named. */
	for (size_t i = plan.count; i-- > 0 && used < sizeof s->missing;)
		used += (size_t)snprintf(s->missing + used, sizeof s->missing - used, "%s%s",
		                         used ? " " : "", plan.tasks[i].slice.name);
	el_plan_free(&plan);
}

static void study_run(struct job *job, const struct el_watch *watch)
{
	struct study_job *j = (struct study_job *)job;
	(void)watch;
	el_library_answer(job->library, j->game, &j->position, EL_PROBE_FULL, &j->study->answer,
	                  &j->study->damage);
	name_source(j->study);
	find_missing(j->study, job->library);
}

static void study_done(struct model *m, struct job *job)
{
	struct study_job *j = (struct study_job *)job;
	struct explore *x = &m->explore;
	if (!question_answer(&x->ask_study, j->version))
		return;
	free(x->study);
	x->study = j->study;
	j->study = NULL;
	x->moves.count = (int)x->study->answer.count;
	list_set(&x->moves, x->moves.at);
	if (x->at + 1 < x->count)
		node_judge(&x->nodes[x->at + 1], &x->study->answer);
	if (x->study->damage.status)
		model_fail(m, "%s", x->study->damage.text);
}

static void study_free(struct job *job)
{
	free(((struct study_job *)job)->study);
	free(job);
}

static void ask_study(struct model *m)
{
	struct explore *x = &m->explore;
	struct study_job *j = model_new_job(m, sizeof *j, LANE_PROBE, "probing");
	struct study *study = j ? calloc(1, sizeof *study) : NULL;
	if (!study) {
		free(j);
		x->ask_study.out = false;
		return;
	}
	j->job.run = study_run;
	j->job.done = study_done;
	j->job.free = study_free;
	j->version = x->ask_study.version;
	j->game = x->game;
	j->position = x->nodes[x->at].position;
	j->study = study;
	model_submit(m, &j->job);
}

/* ---- the optimal line ---- */

struct line_job {
	struct job job;
	unsigned version;
	const struct el_game *game;
	struct el_position position;
	const struct el_metric *metric;
	struct best_line line;
};

static void line_job_run(struct job *job, const struct el_watch *watch)
{
	struct line_job *j = (struct line_job *)job;
	struct el_move moves[LINE_MAX_MOVES + 1];
	size_t count = 0;
	(void)watch;
	job->status = el_library_line(job->library, j->game, &j->position, j->metric, moves,
	                              LINE_MAX_MOVES + 1, &count, &job->error);
	j->line.more = count > LINE_MAX_MOVES;
	j->line.count = j->line.more ? LINE_MAX_MOVES : count;
	struct el_position now = j->position, next;
	for (size_t i = 0; i < j->line.count; i++) {
		j->game->write_move(&now, &moves[i], EL_SAN, j->line.san[i]);
		j->game->play(&now, &moves[i], &next);
		now = next;
	}
}

static void line_job_done(struct model *m, struct job *job)
{
	struct line_job *j = (struct line_job *)job;
	if (question_answer(&m->explore.ask_line, j->version))
		m->explore.line = j->line;
}

static void ask_line(struct model *m)
{
	struct explore *x = &m->explore;
	struct line_job *j = model_new_job(m, sizeof *j, LANE_PROBE, "following the line");
	if (!j) {
		x->ask_line.out = false;
		return;
	}
	j->job.run = line_job_run;
	j->job.done = line_job_done;
	j->version = x->ask_line.version;
	j->game = x->game;
	j->position = x->nodes[x->at].position;
	j->metric = x->study->answer.metric;
	model_submit(m, &j->job);
}

void explore_ask(struct model *m)
{
	struct explore *x = &m->explore;
	if (question_send(&x->ask_study))
		ask_study(m);
	bool has_line = x->ask_study.known && study_is_exact(x->study);
	if (has_line && question_send(&x->ask_line))
		ask_line(m);
}
