/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The work of Build: making tables, and finding out what is there and what a build would make. */
#include "../../model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what has been asked for ---- */

bool build_is_asked(const struct build *b, const struct el_slice *slice)
{
	for (size_t i = 0; i < b->asked_count; i++)
		if (el_slice_equal(&b->asked[i], slice))
			return true;
	return false;
}

static bool add_asked(struct build *b, const struct el_slice *slices, size_t count)
{
	struct el_slice *asked = realloc(b->asked, (b->asked_count + count) * sizeof *asked);
	if (!asked)
		return false;
	memcpy(asked + b->asked_count, slices, count * sizeof *slices);
	b->asked = asked;
	b->asked_count += count;
	return true;
}

/* Builds end in the order in which they were asked for. */
static void remove_asked(struct build *b, size_t count)
{
	b->asked_count -= count;
	memmove(b->asked, b->asked + count, b->asked_count * sizeof *b->asked);
}

/* ---- building: a job ---- */

struct build_job {
	struct job job;
	struct el_slice *slices; /* owned */
	size_t count, planned;
	char names[128];         /* of the tables made */
};

static void note_built(void *context, const struct el_built *built)
{
	struct build_job *j = context;
	size_t used = strlen(j->names);
	j->job.tables++;
	snprintf(j->names + used, sizeof j->names - used, " %s", built->task->slice.name);
}

static void build_run(struct job *job, const struct el_watch *watch)
{
	struct build_job *j = (struct build_job *)job;
	struct el_build_options options = {el_table_options_default(), j, note_built};
	struct el_plan plan;
	job->status = el_plan_make(job->library, j->slices, j->count, NULL, &plan, &job->error);
	if (job->status)
		return;
	j->planned = plan.count;
	job->status = el_build(job->library, &plan, &options, watch, &job->error);
	el_plan_free(&plan);
}

static void build_done(struct model *m, struct job *job)
{
	struct build_job *j = (struct build_job *)job;
	remove_asked(&m->build, j->count);
	model_tables_changed(m);
	if (job->status == EL_STOPPED)
		model_fail(m, "stopped: %u of %zu tables are built and kept", job->tables,
			   j->planned);
	else if (job->status)
		model_fail(m, "%s", job->error.text);
	else if (!job->tables)
		model_note(m, "nothing to build: the tables are there");
	else
		model_note(m, "built %u %s:%s", job->tables, job->tables == 1 ? "table" : "tables",
			   j->names);
}

static void build_job_free(struct job *job)
{
	free(((struct build_job *)job)->slices);
	free(job);
}

void build_start(struct model *m, const struct el_slice *slices, size_t count)
{
	char title[64];
	snprintf(title, sizeof title, "building %s%s", slices[0].name,
		 count > 1 ? " and more" : "");
	struct build_job *j = model_new_job(m, sizeof *j, LANE_LONG, title);
	if (!j)
		return;
	j->job.run = build_run;
	j->job.done = build_done;
	j->job.free = build_job_free;
	j->slices = malloc(count * sizeof *slices);
	if (!j->slices || !add_asked(&m->build, slices, count)) {
		build_job_free(&j->job);
		model_fail(m, "out of memory");
		return;
	}
	memcpy(j->slices, slices, count * sizeof *slices);
	j->count = count;
	model_note(m, "%s%s; X stops it", title,
	           m->jobs_out[LANE_LONG] ? " as soon as the work before it is done" : "");
	model_submit(m, &j->job);
}

/* ---- what is there, and the plan for the marked slices: a job ---- */

struct plan_job {
	struct job job;
	unsigned version;
	struct build_row *rows; /* owned: a copy, filled in */
	size_t count;
	struct el_plan plan;    /* owned */
};

static enum el_status plan_rows(struct plan_job *j, bool all, struct el_plan *plan)
{
	struct el_slice *slices = malloc((j->count + 1) * sizeof *slices);
	size_t count = 0;
	if (!slices)
		return el_fail(&j->job.error, EL_MEMORY, "out of memory");
	for (size_t i = 0; i < j->count; i++)
		if (all || j->rows[i].marked)
			slices[count++] = j->rows[i].slice;
	enum el_status status =
		el_plan_make(j->job.library, slices, count, NULL, plan, &j->job.error);
	free(slices);
	return status;
}

static void plan_run(struct job *job, const struct el_watch *watch)
{
	struct plan_job *j = (struct plan_job *)job;
	struct el_plan missing = {NULL, 0};
	(void)watch;
	job->status = plan_rows(j, true, &missing);
	if (!job->status)
		job->status = plan_rows(j, false, &j->plan);
	for (size_t i = 0; i < j->count && !job->status; i++) {
		struct build_row *row = &j->rows[i];
		row->built = el_library_covers(job->library, &row->slice,
		                               el_game_metric(row->slice.game));
		row->memory = 0;
		for (size_t k = 0; k < missing.count; k++)
			if (el_slice_equal(&missing.tasks[k].slice, &row->slice))
				row->memory = missing.tasks[k].bytes;
	}
	el_plan_free(&missing);
}

static void plan_done(struct model *m, struct job *job)
{
	struct plan_job *j = (struct plan_job *)job;
	struct build *b = &m->build;
	if (!question_answer(&b->ask, j->version))
		return;
	if (job->status) {
		model_fail(m, "%s", job->error.text);
		return;
	}
	free(b->rows);
	el_plan_free(&b->plan);
	b->rows = j->rows;
	b->plan = j->plan;
	j->rows = NULL;
	j->plan = (struct el_plan){NULL, 0};
}

static void plan_free(struct job *job)
{
	struct plan_job *j = (struct plan_job *)job;
	free(j->rows);
	el_plan_free(&j->plan);
	free(job);
}

void build_ask(struct model *m)
{
	struct build *b = &m->build;
	if (m->view != &build_view || !question_send(&b->ask))
		return;
	struct plan_job *j = model_new_job(m, sizeof *j, LANE_PROBE, "planning");
	size_t count = (size_t)b->row_count;
	struct build_row *rows = j ? malloc((count + 1) * sizeof *rows) : NULL;
	if (!rows) {
		free(j);
		b->ask.out = false;
		return;
	}
	memcpy(rows, b->rows, count * sizeof *rows);
	j->job.run = plan_run;
	j->job.done = plan_done;
	j->job.free = plan_free;
	j->version = b->ask.version;
	j->rows = rows;
	j->count = count;
	model_submit(m, &j->job);
}
