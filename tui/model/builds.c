/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model.h"

#include "tui/text/numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct build_job {
	struct job job;
	struct build_job *next;  /* in struct builds */
	struct el_slice *slices; /* owned */
	size_t count, planned;
	unsigned proved;                /* tables that were verified */
	const struct el_metric *metric; /* null: the game's own */
	enum el_preset preset;
	char names[128]; /* of the tables made */
};

bool build_is_asked(const struct builds *b, const struct el_slice *slice)
{
	for (const struct build_job *j = b->jobs; j; j = j->next)
		for (size_t i = 0; i < j->count; i++)
			if (el_slice_equal(&j->slices[i], slice))
				return true;
	return false;
}

static void note_built(void *context, const struct el_built *built)
{
	struct build_job *j = context;
	j->job.tables++;
	j->proved += built->proof != NULL;
	el_text_add(j->names, sizeof j->names, " %s", built->task->slice.name);
}

static void build_run(struct job *job, const struct el_watch *watch)
{
	struct build_job *j = (struct build_job *)job;
	struct el_build_options options = {
		.table = el_table_options_preset(j->preset), .context = j, .built = note_built};
	const struct el_metric *const metrics[] = {j->metric, NULL};
	const struct el_plan_wish wish = {.slices = j->slices,
	                                  .count = j->count,
	                                  .metrics = j->metric ? metrics : NULL,
	                                  .proves = EL_PROVE_CHEAP};
	struct el_plan plan;
	job->status = el_library_rescan(job->library, &job->error); /* others may build here too */
	if (!job->status)
		job->status = el_plan_wished(job->library, &wish, &plan, &job->error);
	if (job->status)
		return;
	j->planned = plan.count;
	job->status = el_plan_estimate(job->library, &plan, &job->error);
	if (!job->status)
		job->status = el_build(job->library, &plan, &options, watch, &job->error);
	el_plan_free(&plan);
}

static void build_done(struct model *m, struct job *job)
{
	struct build_job *j = (struct build_job *)job, **at = &m->builds.jobs;
	while (*at != j)
		at = &(*at)->next;
	*at = j->next;
	m->tables_version++;
	if (job->status == EL_STOPPED && !j->planned)
		model_fail(m, "Stopped. Nothing was built yet.");
	else if (job->status == EL_STOPPED)
		model_fail(m, "Stopped. Tables built and kept: %u of %zu.", job->tables,
		           j->planned);
	else if (job->status)
		model_fail(m, "%s", job->error.text);
	else if (!job->tables)
		model_note(m, "Nothing to build: every table is already there.");
	else
		model_note(m, "Built%s %u %s:%s.", j->proved == job->tables ? " and verified" : "",
		           job->tables, plural(job->tables, "table", "tables"), j->names);
}

static void build_job_free(struct job *job)
{
	free(((struct build_job *)job)->slices);
	free(job);
}

void build_start(struct model *m, const struct el_slice *slices, size_t count,
                 const struct el_metric *metric)
{
	char title[64];
	const char *others = count > 1 ? " and others" : "";
	snprintf(title, sizeof title, "building %s%s", slices[0].name, others);
	struct build_job *j = model_new_job(m, sizeof *j, LANE_WORK, title, build_run, build_done,
	                                    build_job_free);
	if (!j)
		return;
	j->slices = malloc(count * sizeof *slices);
	if (!j->slices) {
		build_job_free(&j->job);
		model_fail(m, "out of memory");
		return;
	}
	memcpy(j->slices, slices, count * sizeof *slices);
	j->count = count;
	j->metric = metric;
	j->preset = m->builds.preset;
	j->next = m->builds.jobs;
	m->builds.jobs = j;
	model_note(m, "Building %s%s%s. Press X to stop.", slices[0].name, others,
	           model_turn(m, LANE_WORK));
	model_submit(m, &j->job);
}
