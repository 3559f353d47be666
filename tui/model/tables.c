/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model.h"

#include "tui/text/text.h"

#include "core/examine/verify.h"
#include "core/whole/whole.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- findings ---- */

struct finding *tables_finding(const struct tables *t, const struct el_slice *slice,
                               const struct el_metric *metric)
{
	struct finding *f = t->findings;
	while (f && !(el_slice_equal(&f->slice, slice) && f->metric == metric))
		f = f->next;
	return f;
}

struct finding *tables_find(struct model *m, const struct el_slice *slice,
                            const struct el_metric *metric)
{
	struct tables *t = &m->tables;
	struct finding *found = tables_finding(t, slice, metric);
	if (found)
		return found;
	found = calloc(1, sizeof *found);
	if (!found) {
		model_fail(m, "out of memory");
		return NULL;
	}
	*found = (struct finding){.next = t->findings, .slice = *slice, .metric = metric};
	return t->findings = found;
}

const struct el_entry *tables_own(const struct tables *t, const struct el_slice *slice,
                                  const struct el_metric *metric)
{
	for (const struct el_entry *e = t->entries; e < t->entries + t->count; e++)
		if (e->ours && el_slice_equal(&e->slice, slice) && e->metric == metric)
			return e;
	return NULL;
}

const char *tables_hindrance(const struct tables *t, const struct el_slice *slice,
                             const struct el_metric *metric)
{
	for (const struct el_entry *e = t->entries; e < t->entries + t->count; e++)
		if (e->status && e->metric && el_slice_equal(&e->slice, slice) &&
		    (!metric || e->metric == metric))
			return e->ignored;
	return NULL;
}

void tables_forget(struct model *m)
{
	for (struct finding *f = m->tables.findings; f; f = f->next) {
		question_change(m, &f->count);
		question_change(m, &f->search);
		el_stats_free(&f->stats);
		el_zugzwangs_free(&f->zugzwangs);
		*f = (struct finding){.next = f->next, .slice = f->slice, .metric = f->metric};
	}
}

void tables_free(struct tables *t)
{
	el_entries_free(t->entries, t->count);
	while (t->findings) {
		struct finding *next = t->findings->next;
		el_stats_free(&t->findings->stats);
		el_zugzwangs_free(&t->findings->zugzwangs);
		free(t->findings);
		t->findings = next;
	}
}

/* ---- the list: a job ---- */

struct list_job {
	struct job job;
	bool rescan;
	struct el_entry *entries; /* owned until they are taken */
	size_t count;
	struct el_error fault; /* in the stored summaries of verifications; status EL_OK: none */
};

static void list_run(struct job *job, const struct el_watch *watch)
{
	struct list_job *j = (struct list_job *)job;
	(void)watch;
	job->status = j->rescan ? el_library_rescan(job->library, &job->error) : EL_OK;
	if (!job->status)
		job->status = el_library_list(job->library, &j->entries, &j->count, &job->error);
	if (!job->status)
		el_entries_fold(j->entries, &j->count);
	j->fault.status = el_library_summary_fault(job->library, &j->fault);
}

static void list_done(struct model *m, struct job *job)
{
	struct list_job *j = (struct list_job *)job;
	struct tables *t = &m->tables;
	if (j->rescan)
		m->tables_version++;
	if (j->rescan ? job->library != m->library : !question_answer(&t->ask, job))
		return;
	if (job->status) {
		model_fail(m, "%s", job->error.text);
		return;
	}
	el_entries_free(t->entries, t->count);
	t->entries = j->entries;
	t->count = j->count;
	j->entries = NULL;
	j->count = 0;
	if (j->rescan)
		model_note(m, "%zu %s found", t->count, plural(t->count, "file", "files"));
	if (j->fault.status && !t->told_fault)
		model_fail(m, "%s", j->fault.text);
	t->told_fault = j->fault.status != EL_OK;
}

static void list_free(struct job *job)
{
	struct list_job *j = (struct list_job *)job;
	el_entries_free(j->entries, j->count);
	free(job);
}

static struct job *new_list_job(struct model *m, bool rescan)
{
	/* A rescan must not run beside a build, which adds tables itself. */
	enum lane lane = rescan ? LANE_WORK : LANE_PROBE;
	struct list_job *j = model_new_job(m, sizeof *j, lane, "looking for tables", list_run,
	                                   list_done, list_free);
	if (!j)
		return NULL;
	j->rescan = rescan;
	return &j->job;
}

void tables_ask(struct model *m)
{
	struct tables *t = &m->tables;
	question_follow_tables(m, &t->ask);
	struct job *job = t->wanted && question_is_open(&t->ask) ? new_list_job(m, false) : NULL;
	if (job)
		question_ask(m, &t->ask, job);
	t->wanted = false;
}

void tables_rescan(struct model *m)
{
	struct job *job = new_list_job(m, true);
	if (!job)
		return;
	model_note(m, "Looking for tables%s.", model_turn(m, LANE_WORK));
	model_submit(m, job);
}

/* ---- counting, searching, verifying: jobs ---- */

struct look_job {
	struct job job;
	struct finding *finding;
	struct el_slice slice;
	const struct el_metric *metric;
	struct el_stats stats; /* of a count; owned until it is taken */
	bool searches;
	struct el_zugzwangs zugzwangs; /* of a search; owned until they are taken */
	char *path;                    /* of a study to verify; else null; owned */
	/* restored if the verification does not finish */
	enum verified before;
	struct el_verdict verdict;
	struct el_summary kept; /* from an earlier verification of the unchanged file */
	struct el_error unkept;
};

/* Counts, or searches for zugzwangs. */
static void look_run(struct job *job, const struct el_watch *watch)
{
	struct look_job *j = (struct look_job *)job;
	struct el_planes planes;
	if (!j->searches) {
		job->status = el_stats_take(job->library, &j->slice, j->metric, false, 0, watch,
		                            &j->stats, &job->error);
		return;
	}
	job->status =
		el_library_planes(job->library, &j->slice, j->metric, watch, &planes, &job->error);
	if (job->status)
		return;
	job->status = el_zugzwangs_find(&planes, watch, &j->zugzwangs, &job->error);
	el_planes_free(&planes);
}

static void look_done(struct model *m, struct job *job)
{
	struct look_job *j = (struct look_job *)job;
	struct finding *f = j->finding;
	struct question *q = j->searches ? &f->search : &f->count;
	if (q->job != job->number)
		return;
	q->job = 0;
	q->known = !job->status;
	snprintf(j->searches ? f->why_none : f->why, sizeof f->why, "%.*s", (int)sizeof f->why - 1,
	         job->error.text);
	if (job->status)
		model_fail(m, "%s: %s", j->slice.name, job->error.text);
	if (j->searches) {
		el_zugzwangs_free(&f->zugzwangs);
		f->zugzwangs = j->zugzwangs;
		j->zugzwangs = (struct el_zugzwangs){.partial = false};
	} else {
		f->stopped = job->status == EL_STOPPED;
		el_stats_free(&f->stats);
		f->stats = j->stats;
		j->stats = (struct el_stats){.metric = NULL};
	}
}

static void look_free(struct job *job)
{
	struct look_job *j = (struct look_job *)job;
	el_zugzwangs_free(&j->zugzwangs);
	el_stats_free(&j->stats);
	free(j->path);
	free(job);
}

static void take_result(void *context, const struct el_verify_result *result)
{
	struct look_job *j = context;
	j->verdict = result->verdict;
	j->kept = result->before;
	j->unkept = result->unkept;
	j->job.status = result->status;
	j->job.error = result->error;
}

static void verify_run(struct job *job, const struct el_watch *watch)
{
	struct look_job *j = (struct look_job *)job;
	const struct el_verify_task task = {
		.path = j->path, .slice = j->slice, .metric = j->path ? NULL : j->metric};
	const struct el_verify_options options = {.again = false};
	struct el_error error;
	enum el_status status =
		el_verify_tables(job->library, &task, 1, &options, watch, take_result, j, &error);
	if (!status)
		return;
	job->status = status;
	job->error = error;
}

static void verify_done(struct model *m, struct job *job)
{
	struct look_job *j = (struct look_job *)job;
	struct finding *f = j->finding;
	if (job->library != m->library)
		return;
	f->verified = j->before;
	if (!job->status && !j->kept.verified) {
		f->verified = j->verdict.wrong ? WRONG : j->verdict.open ? NOT_VERIFIED : VERIFIED;
		f->verdict = j->verdict;
	}
	question_change(m, &m->tables.ask);
	if (job->status == EL_STOPPED)
		model_fail(m, "Stopped: %s is not verified.", j->slice.name);
	else if (job->status)
		model_fail(m, "%s: %s", j->slice.name, job->error.text);
	else {
		/* Report a finished proof. */
		char checked[GROUPED_MAX], wrong[GROUPED_MAX], open[GROUPED_MAX],
			before[SUMMARY_MAX];
		grouped(j->verdict.checked, checked);
		grouped(j->verdict.wrong, wrong);
		grouped(j->verdict.open, open);
		if (j->kept.verified)
			model_note(m, "%s is unchanged: %s.", j->slice.name,
			           summary_text(&j->kept, true, before));
		else if (j->verdict.wrong)
			model_fail(m, "%s: %s of %s positions are wrong; the first is %s",
			           j->slice.name, wrong, checked, j->verdict.first_fen);
		else if (j->verdict.open)
			model_fail(m, "%s: %s of %s positions depend on missing tables",
			           j->slice.name, open, checked);
		else if (j->unkept.status && j->unkept.status != EL_DAMAGED)
			model_fail(m, "%s: all %s positions are correct, but this is not kept: %s",
			           j->slice.name, checked, j->unkept.text);
		else
			model_note(m, "%s: all %s positions are correct.", j->slice.name, checked);
	}
}

static struct look_job *new_look(struct model *m, struct finding *f, enum lane lane,
                                 const char *doing)
{
	char title[64];
	snprintf(title, sizeof title, "%s %s", doing, f->slice.name);
	struct look_job *j =
		model_new_job(m, sizeof *j, lane, title, look_run, look_done, look_free);
	if (!j)
		return NULL;
	j->finding = f;
	j->slice = f->slice;
	j->metric = f->metric;
	return j;
}

static void ask(struct model *m, struct finding *f, bool searches, bool unasked)
{
	struct question *q = searches ? &f->search : &f->count;
	if (q->known && (searches ? f->zugzwangs.partial : f->stats.partial))
		question_follow_tables(m, q); /* missing tables may exist now */
	for (struct job *job = m->jobs; job; job = job->next_out)
		job->unasked &= unasked || job->number != q->job;
	struct look_job *j =
		question_is_open(q) ? new_look(m, f, LANE_LOOK, searches ? "searching" : "counting")
				    : NULL;
	if (!j)
		return;
	j->searches = searches;
	j->job.unasked = unasked;
	question_ask(m, q, &j->job);
}

void tables_count(struct model *m, struct finding *f, bool unasked)
{
	ask(m, f, false, unasked);
}

void tables_search(struct model *m, struct finding *f)
{
	ask(m, f, true, false);
}

bool tables_has_depths(const struct tables *t, const struct el_entry *e)
{
	if (e->ignored || e->root || !e->metric->has_depth)
		return false;
	if (e > t->entries && e[-1].metric == e->metric && el_slice_equal(&e[-1].slice, &e->slice))
		return false;
	const struct finding *f = tables_finding(t, &e->slice, e->metric);
	return e->ours || e->slice.pieces <= UNASKED_PIECES || (f && f->count.known);
}

void tables_count_all(struct model *m,
                      bool (*is_wanted)(const struct model *, const struct el_entry *))
{
	const struct tables *t = &m->tables;
	for (const struct el_entry *e = t->entries; e < t->entries + t->count; e++) {
		struct finding *f = is_wanted(m, e) ? tables_find(m, &e->slice, e->metric) : NULL;
		if (!f || f->count.known || (f->why[0] && !f->stopped))
			continue;
		if (!f->stopped)
			tables_count(m, f, false);
		return;
	}
}

void tables_retry(struct model *m)
{
	for (struct finding *f = m->tables.findings; f; f = f->next) {
		f->why[0] = f->why_none[0] = '\0';
		f->stopped = false;
	}
}

void tables_verify(struct model *m, const struct el_slice *slice, const struct el_metric *metric)
{
	struct finding *f = tables_find(m, slice, metric);
	struct look_job *j = f ? new_look(m, f, LANE_WORK, "verifying") : NULL;
	if (!j)
		return;
	j->job.run = verify_run;
	j->job.done = verify_done;
	for (size_t i = 0; i < m->tables.count && slice->is_study && !j->path; i++)
		if (el_slice_equal(&m->tables.entries[i].slice, slice))
			j->path = strdup(m->tables.entries[i].path);
	j->before = f->verified == VERIFYING ? NOT_VERIFIED : f->verified;
	f->verified = VERIFYING;
	model_note(m, "Verifying %s%s.", slice->name, model_turn(m, LANE_WORK));
	model_submit(m, &j->job);
}
