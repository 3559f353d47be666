/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lab's jobs: a run, whose results arrive one by one, and rewriting the real table. */
#include "lab.h"

#include "tui/text/lab/report.h"
#include "tui/text/text.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- a run ---- */

struct lab_job {
	struct job job;
	struct el_lab_setup setup;
	/* owned: several, measured in turn; if empty, setup.slice */
	struct slices slices;
	struct el_lab_total *totals;         /* owned; setup.count of them; slices so far */
	struct el_lab_ground one, sum;       /* this slice's, and all so far */
	struct el_lab_candidate *candidates; /* owned; setup.count of them */
	int *rows;                           /* owned: each candidate's row */
	enum el_status (*measure)(const struct el_lab_setup *, const struct el_watch *,
	                          struct el_error *);
	size_t taken; /* by the screen's thread; written or failed */

	pthread_mutex_t lock;          /* guards everything below */
	struct el_lab_result *results; /* owned; setup.count of them */
	bool *fresh;                   /* owned: for each result: not taken yet */
	size_t ready;                  /* for this slice; written or failed */
	size_t slices_done;
	bool has_ground;
	struct el_lab_ground ground;
};

uint64_t lab_job_number(const struct lab_job *j)
{
	return j->job.number;
}

const struct el_lab_setup *lab_job_setup(const struct lab_job *j)
{
	return &j->setup;
}

void lab_deliver(struct lab_job *j, size_t candidate, const struct el_lab_result *result)
{
	pthread_mutex_lock(&j->lock);
	j->results[candidate] = *result;
	j->fresh[candidate] = true;
	j->ready = candidate < j->ready ? j->ready : candidate + 1;
	pthread_mutex_unlock(&j->lock);
}

void lab_deliver_ground(struct lab_job *j, const struct el_lab_ground *ground)
{
	pthread_mutex_lock(&j->lock);
	j->ground = *ground;
	j->has_ground = true;
	pthread_mutex_unlock(&j->lock);
}

static void set_ready(struct lab_job *j, size_t ready)
{
	pthread_mutex_lock(&j->lock);
	j->ready = ready;
	pthread_mutex_unlock(&j->lock);
}

/* For several slices, delivers the sums of all candidates after each slice. */
static void note_result(void *context, size_t candidate, const struct el_lab_result *result)
{
	struct lab_job *j = context;
	if (!j->slices.count) {
		lab_deliver(j, candidate, result);
		return;
	}
	if (result->status || result->timed)
		el_lab_total_add(&j->totals[candidate], result, &j->setup.slice);
	if (result->status || !result->timed)
		set_ready(j, candidate + 1);
}

static void note_ground(void *context, const struct el_lab_ground *ground)
{
	struct lab_job *j = context;
	if (!j->slices.count)
		lab_deliver_ground(j, ground);
	else
		j->one = *ground;
}

static void lab_job_run(struct job *job, const struct el_watch *watch)
{
	struct lab_job *j = (struct lab_job *)job;
	if (!j->slices.count)
		job->status = j->measure(&j->setup, watch, &job->error);
	for (size_t i = 0; i < j->slices.count && !job->status; i++) {
		set_ready(j, 0);
		j->setup.slice = j->slices.list[i];
		job->status = j->measure(&j->setup, watch, &job->error);
		if (!job->status) {
			if (j->slices_done)
				lab_ground_add(&j->sum, &j->one);
			else
				j->sum = j->one;
			lab_deliver_ground(j, &j->sum);
			for (size_t k = 0; k < j->setup.count; k++) {
				j->totals[k].result.timed = true;
				lab_deliver(j, k, &j->totals[k].result);
			}
			pthread_mutex_lock(&j->lock);
			j->slices_done++;
			pthread_mutex_unlock(&j->lock);
		}
	}
}

bool lab_take_results(struct model *m)
{
	struct lab *lab = lab_of(m);
	struct lab_job *j = lab->running;
	if (!j)
		return false;
	enum el_workload workload = j->setup.workload;
	bool is_new = false;
	pthread_mutex_lock(&j->lock);
	if (j->has_ground) {
		lab->ground[workload] = j->ground;
		lab->has_ground[workload] = true;
	}
	for (size_t i = 0; i < j->setup.count; i++) {
		struct lab_row *row = &lab->rows[j->rows[i]];
		if (!j->fresh[i])
			continue;
		row->result[workload] = j->results[i];
		row->state[workload] = LAB_MEASURED;
		j->fresh[i] = false;
		is_new = true;
	}
	j->taken = j->ready;
	lab->summed[workload].count = j->slices_done;
	pthread_mutex_unlock(&j->lock);
	if (is_new)
		lab_rows_mark(lab);
	return true;
}

static void lab_job_done(struct model *m, struct job *job)
{
	struct lab_job *j = (struct lab_job *)job;
	lab_take_results(m);
	for (size_t i = 0; i < j->setup.count; i++) {
		enum lab_state *state = &lab_of(m)->rows[j->rows[i]].state[j->setup.workload];
		*state = *state == LAB_WAITING ? LAB_NEW : *state;
	}
	lab_of(m)->running = NULL;
	if (j->slices.count && (!job->status || job->status == EL_STOPPED)) {
		const size_t missing = lab_missing(m);
		char others[64] = "";
		if (missing)
			snprintf(others, sizeof others, " %zu %s no table: press b to build.",
			         missing, plural(missing, "has", "have"));
		model_note(m, "%s %zu of %zu slices: bytes summed, times averaged.%s",
		           job->status ? "Stopped after" : "Measured", j->slices_done,
		           lab_of(m)->group.count, others);
	} else if (job->status == EL_STOPPED)
		model_note(m, "Stopped with %zu of %zu candidates measured. Press space to go on.",
		           j->taken, j->setup.count);
	else if (job->status)
		model_fail(m, "%s: %s", j->setup.slice.name, job->error.text);
	else
		model_note(m,
		           "Measured %zu %s. Press o to sort, Enter to inspect a block, S to save.",
		           j->taken, plural(j->taken, "candidate", "candidates"));
}

static void lab_job_free(struct job *job)
{
	struct lab_job *j = (struct lab_job *)job;
	pthread_mutex_destroy(&j->lock);
	slices_free(&j->slices);
	free(j->totals);
	free(j->candidates);
	free(j->rows);
	free(j->results);
	free(j->fresh);
	free(j);
}

/* ---- what a run measures ---- */

/* Copies the slices of the group that have a table. False without memory. */
static bool copy_slices(const struct model *m, struct slices *out)
{
	const struct slices *group = &lab_of(m)->group;
	if (!group->count)
		return true;
	out->list = malloc(group->count * sizeof *out->list);
	for (size_t i = 0; i < group->count && out->list; i++)
		if (lab_has_table(m, &group->list[i]))
			out->list[out->count++] = group->list[i];
	return out->list;
}

static struct lab_job *make_job(struct model *m)
{
	struct lab *lab = lab_of(m);
	char title[64];
	size_t room = (size_t)lab->list.count;
	if (lab->group.count)
		snprintf(title, sizeof title, "measuring %zu slices", lab->group.count);
	else
		snprintf(title, sizeof title, "measuring %s", lab->slice.name);
	struct slices summed = {0}; /* grows during the run */
	struct lab_job *j = model_new_job(m, sizeof *j, LANE_WORK, title, lab_job_run, lab_job_done,
	                                  lab_job_free);
	if (!j)
		return NULL;
	pthread_mutex_init(&j->lock, NULL);
	j->measure = lab->measure;
	j->totals = calloc(room, sizeof *j->totals);
	j->candidates = calloc(room, sizeof *j->candidates);
	j->rows = calloc(room, sizeof *j->rows);
	j->results = calloc(room, sizeof *j->results);
	j->fresh = calloc(room, sizeof *j->fresh);
	if (!j->totals || !j->candidates || !j->rows || !j->results || !j->fresh ||
	    !copy_slices(m, &j->slices) || !copy_slices(m, &summed)) {
		slices_free(&summed);
		lab_job_free(&j->job);
		model_fail(m, "out of memory");
		return NULL;
	}
	j->setup = (struct el_lab_setup){
		.library = j->job.library,
		.slice = lab->slice,
		.metric = lab->metric,
		.candidates = j->candidates,
		.workload = lab->workload,
		.trace = lab->trace,
		.seed = lab->seed,
		.probes = lab->workload == EL_WORKLOAD_TRACE ? LAB_PROBES_MOST : lab->probes,
		.seconds = LAB_SECONDS,
		.slow_references = lab->slow_references,
		.context = j,
		.ground = note_ground,
		.result = note_result,
	};
	/* Choose the rows without figures; all rows if each has some, or if the figures are sums,
	   which must be over the same slices. */
	bool all = true;
	for (int i = 0; i < lab->list.count && !lab->group.count; i++)
		all = all && lab_figures(lab, &lab->rows[i]);
	for (int i = 0; i < lab->list.count; i++) {
		if (!all && lab_figures(lab, &lab->rows[i]))
			continue;
		j->candidates[j->setup.count] = lab->rows[i].candidate;
		j->totals[j->setup.count].result.candidate = lab->rows[i].candidate;
		j->rows[j->setup.count++] = i;
	}
	slices_free(&lab->summed[lab->workload]);
	summed.count = 0;
	lab->summed[lab->workload] = summed;
	return j;
}

void lab_run(struct model *m)
{
	struct lab *lab = lab_of(m);
	struct lab_job *j = make_job(m);
	if (!j)
		return;
	for (size_t i = 0; i < j->setup.count; i++)
		lab->rows[j->rows[i]].state[lab->workload] = LAB_WAITING;
	lab->running = j;
	lab_rows_mark(lab);
	model_note(m, "Measuring %zu %s%s. Press c to stop.", j->setup.count,
	           plural(j->setup.count, "candidate", "candidates"), model_turn(m, LANE_WORK));
	model_submit(m, &j->job);
}

void lab_cancel(struct model *m)
{
	const struct lab_job *j = lab_of(m)->running;
	model_stop(m, j->job.number);
	model_note(m, "Stopping: %s.", j->job.title);
}

const struct job_progress *lab_progress(const struct model *m)
{
	const struct lab_job *j = lab_of(m)->running;
	return j ? model_progress_of(m, j->job.number) : NULL;
}

int lab_row_at_work(const struct model *m)
{
	const struct lab_job *j = lab_of(m)->running;
	bool at_work = lab_progress(m) && lab_of(m)->workload == j->setup.workload &&
	               j->taken < j->setup.count;
	return at_work ? j->rows[j->taken] : -1;
}

size_t lab_run_slices(const struct model *m, size_t *of)
{
	const struct lab *lab = lab_of(m);
	*of = lab->running->slices.count;
	return lab->summed[lab->running->setup.workload].count;
}

size_t lab_run_counts(const struct model *m, size_t *of)
{
	const struct lab_job *j = lab_of(m)->running;
	*of = j->setup.count;
	return j->taken;
}

/* ---- rewriting the real table ---- */

struct replace_job {
	struct job job;
	char path[PATH_MAX];
	struct el_slice slice;
	struct el_table_options options;
	struct el_recoded recoded;
};

static void replace_run(struct job *job, const struct el_watch *watch)
{
	struct replace_job *j = (struct replace_job *)job;
	job->status = el_recode(job->library, j->path, j->path, &j->options, watch, &j->recoded,
	                        &job->error);
	/* The library still has the old file open. */
	if (!job->status)
		job->status = el_library_rescan(job->library, &job->error);
}

static void replace_done(struct model *m, struct job *job)
{
	struct replace_job *j = (struct replace_job *)job;
	char how[128], before[GROUPED_MAX], after[GROUPED_MAX];
	m->tables_version++;
	if (job->status == EL_STOPPED) {
		model_fail(m, "Stopped: the table is unchanged.");
	} else if (job->status) {
		/* If the file was written, only the rescan can have failed. */
		model_fail(m, "%s%s",
		           j->recoded.bytes ? "" : "the table is unchanged: ", job->error.text);
	} else {
		el_table_options_format(&j->slice, &j->recoded.options, how, sizeof how);
		model_note(m, "%s is now %s: %s bytes before, %s after; all values compared.",
		           j->slice.name, how, grouped(j->recoded.before.bytes, before),
		           grouped(j->recoded.bytes, after));
	}
}

void lab_replace_table(struct model *m)
{
	struct lab *lab = lab_of(m);
	char title[64];
	snprintf(title, sizeof title, "rewriting %s", lab->slice.name);
	struct replace_job *j =
		model_new_job(m, sizeof *j, LANE_WORK, title, replace_run, replace_done, NULL);
	if (!j)
		return;
	j->slice = lab->slice;
	j->options = lab->offer.options;
	lab->offer.slice.game = NULL;
	snprintf(j->path, sizeof j->path, "%s",
	         tables_own(&m->tables, &lab->slice, lab->metric)->path);
	model_note(m, "Rewriting %s%s.", lab->slice.name, model_turn(m, LANE_WORK));
	model_submit(m, &j->job);
}
