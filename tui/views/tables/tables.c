/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables: the files found, what is in them, and whether they are right. */
#include "../../shell/line.h"
#include "../../text/text.h"
#include "../../text/values.h"
#include "../explore/explore_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void close_tables(struct model *m)
{
	struct tables *t = &m->tables;
	el_entries_free(t->entries, t->count);
	for (size_t i = 0; i < t->finding_count; i++)
		if (t->findings[i].counted)
			el_stats_free(&t->findings[i].stats);
	free(t->findings);
}

/* ---- findings ---- */

static struct finding *find(const struct tables *t, const struct el_slice *slice,
                            const struct el_metric *metric)
{
	for (size_t i = 0; i < t->finding_count; i++) {
		struct finding *f = &t->findings[i];
		if (f->slice.key == slice->key && f->slice.game == slice->game &&
		    f->metric == metric)
			return f;
	}
	return NULL;
}

const struct finding *tables_finding(const struct tables *t, const struct el_slice *slice,
                                     const struct el_metric *metric)
{
	return find(t, slice, metric);
}

/* The finding of a table, made when it is new; null when memory is out. */
static struct finding *find_or_add(struct model *m, const struct el_slice *slice,
                                   const struct el_metric *metric)
{
	struct tables *t = &m->tables;
	struct finding *found = find(t, slice, metric);
	if (found)
		return found;
	struct finding *grown = realloc(t->findings, (t->finding_count + 1) * sizeof *grown);
	if (!grown) {
		model_fail(m, "out of memory");
		return NULL;
	}
	t->findings = grown;
	found = &grown[t->finding_count++];
	*found = (struct finding){.slice = *slice, .metric = metric};
	return found;
}

const struct el_entry *tables_own(const struct tables *t, const struct el_slice *slice,
                                  const struct el_metric *metric)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct el_entry *e = &t->entries[i];
		if (e->ours && el_slice_equal(&e->slice, slice) && e->metric == metric)
			return e;
	}
	return NULL;
}

/* ---- the list: a job ---- */

struct list_job {
	struct job job;
	unsigned version;
	bool rescan;
	struct el_entry *entries; /* owned until they are taken */
	size_t count;
};

static void list_run(struct job *job, const struct el_watch *watch)
{
	struct list_job *j = (struct list_job *)job;
	(void)watch;
	job->status = j->rescan ? el_library_rescan(job->library, &job->error) : EL_OK;
	if (!job->status)
		job->status = el_library_list(job->library, &j->entries, &j->count, &job->error);
}

static void list_done(struct model *m, struct job *job)
{
	struct list_job *j = (struct list_job *)job;
	struct tables *t = &m->tables;
	if (j->rescan)
		model_tables_changed(m);
	else if (!question_answer(&t->ask, j->version))
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
	t->list.count = (int)t->count;
	list_set(&t->list, t->list.at);
	if (j->rescan)
		model_note(m, "%zu files found", t->count);
}

static void list_free(struct job *job)
{
	struct list_job *j = (struct list_job *)job;
	el_entries_free(j->entries, j->count);
	free(job);
}

static void send_list(struct model *m, bool rescan)
{
	/* A rescan must not meet a build, which adds tables of its own. */
	enum lane lane = rescan ? LANE_LONG : LANE_PROBE;
	struct list_job *j = model_new_job(m, sizeof *j, lane, "looking for tables");
	if (!j) {
		m->tables.ask.out = rescan && m->tables.ask.out;
		return;
	}
	j->job.run = list_run;
	j->job.done = list_done;
	j->job.free = list_free;
	j->version = m->tables.ask.version;
	j->rescan = rescan;
	model_submit(m, &j->job);
}

static void ask(struct model *m)
{
	bool is_shown = m->view == &tables_view || m->view == &lab_view || m->view == &lab_slice_view;
	if (is_shown && question_send(&m->tables.ask))
		send_list(m, false);
}

static void forget(struct model *m)
{
	question_change(&m->tables.ask);
}

static void rescan(struct model *m)
{
	send_list(m, true);
}

/* ---- counting and verifying: jobs ---- */

struct look_job {
	struct job job;
	struct el_slice slice;
	const struct el_metric *metric;
	struct el_stats stats; /* of a count; owned until it is taken */
	bool counted;
	struct el_verdict verdict;
};

static void count_run(struct job *job, const struct el_watch *watch)
{
	struct look_job *j = (struct look_job *)job;
	struct el_planes planes;
	job->status = el_library_planes(job->library, &j->slice, j->metric, &planes, &job->error);
	if (job->status)
		return;
	job->status = el_stats_make(&planes, watch, &j->stats, &job->error);
	j->counted = !job->status;
	el_planes_free(&planes);
}

static void show_finding(struct model *m, const struct finding *f)
{
	m->tables.shown = (size_t)(f - m->tables.findings);
	model_show(m, &statistics_view);
}

static void count_done(struct model *m, struct job *job)
{
	struct look_job *j = (struct look_job *)job;
	struct finding *f = j->counted ? find_or_add(m, &j->slice, j->metric) : NULL;
	if (job->status)
		model_fail(m, "%s", job->error.text);
	if (!f)
		return;
	if (f->counted)
		el_stats_free(&f->stats);
	f->stats = j->stats;
	f->counted = true;
	j->counted = false;
	m->message.text[0] = '\0';
	bool at_explore = m->view == &explore_view && !explore_layout(m).histogram.rows;
	if (m->view == &tables_view || at_explore)
		show_finding(m, f);
}

static void look_free(struct job *job)
{
	struct look_job *j = (struct look_job *)job;
	if (j->counted)
		el_stats_free(&j->stats);
	free(job);
}

static void verify_run(struct job *job, const struct el_watch *watch)
{
	struct look_job *j = (struct look_job *)job;
	struct el_planes planes;
	job->status = el_library_planes(job->library, &j->slice, j->metric, &planes, &job->error);
	if (job->status)
		return;
	job->status = el_verify(job->library, &planes, watch, &j->verdict, &job->error);
	el_planes_free(&planes);
}

static void verify_done(struct model *m, struct job *job)
{
	struct look_job *j = (struct look_job *)job;
	struct finding *f = find_or_add(m, &j->slice, j->metric);
	char checked[GROUPED_MAX], wrong[GROUPED_MAX], open[GROUPED_MAX];
	if (f) {
		f->verified = job->status || j->verdict.open ? NOT_VERIFIED : VERIFIED;
		f->verified = j->verdict.wrong ? WRONG : f->verified;
		f->verdict = j->verdict;
	}
	grouped(j->verdict.checked, checked);
	grouped(j->verdict.wrong, wrong);
	grouped(j->verdict.open, open);
	if (job->status)
		model_fail(m, "%s: %s", j->slice.name, job->error.text);
	else if (j->verdict.wrong)
		model_fail(m, "%s: %s of %s positions are wrong, the first is %s", j->slice.name,
			   wrong, checked, j->verdict.first_fen);
	else if (j->verdict.open)
		model_fail(m, "%s: %s of %s positions rest on tables that are missing",
			   j->slice.name, open, checked);
	else
		model_note(m, "%s: all %s positions are right", j->slice.name, checked);
}

/* What is done with a table on the worker. */
struct look {
	const char *title;
	void (*run)(struct job *, const struct el_watch *);
	void (*done)(struct model *, struct job *);
};

static const struct look counting = {"counting", count_run, count_done};
static const struct look verifying = {"verifying", verify_run, verify_done};

static void start_look(struct model *m, const struct look *look, const struct el_slice *slice,
                       const struct el_metric *metric)
{
	char title[64];
	snprintf(title, sizeof title, "%s %s", look->title, slice->name);
	struct look_job *j = model_new_job(m, sizeof *j, LANE_LONG, title);
	if (!j)
		return;
	j->job.run = look->run;
	j->job.done = look->done;
	j->job.free = look_free;
	j->slice = *slice;
	j->metric = metric;
	model_note(m, "%s%s", title,
	           m->jobs_out[LANE_LONG] ? " as soon as the work before it is done" : "");
	model_submit(m, &j->job);
}

void tables_count(struct model *m, const struct el_slice *slice, const struct el_metric *metric)
{
	start_look(m, &counting, slice, metric);
}

/* ---- what the keys do ---- */

static const struct el_entry *selected(const struct model *m)
{
	const struct tables *t = &m->tables;
	return t->list.at < t->list.count ? &t->entries[t->list.at] : NULL;
}

static const char *no_table(const struct model *m)
{
	const struct el_entry *e = selected(m);
	return !e ? "there is no table yet; 5 builds some"
	          : e->ignored ? "this file is not used" : NULL;
}

static void show_statistics(struct model *m)
{
	const struct el_entry *e = selected(m);
	struct finding *f = find(&m->tables, &e->slice, e->metric);
	if (f && f->counted)
		show_finding(m, f);
	else
		tables_count(m, &e->slice, e->metric);
}

static void verify(struct model *m)
{
	struct finding *f = find_or_add(m, &selected(m)->slice, selected(m)->metric);
	if (f)
		f->verified = VERIFYING;
	start_look(m, &verifying, &selected(m)->slice, selected(m)->metric);
}

static void explore_table(struct model *m)
{
	char name[EL_SLICE_MAX];
	snprintf(name, sizeof name, "%s", selected(m)->slice.name);
	line_run(m, name);
}

/* ---- drawing ---- */

enum { SLICE_AT = 1 };

struct columns {
	int metric, positions_end, bytes_end, longest_end, verified, detail;
};

/* Longer names take the blanks between the columns first. */
static struct columns find_columns(const struct tables *t)
{
	enum { USUAL_NAME = 8 };
	int name = USUAL_NAME;
	for (size_t i = 0; i < t->count; i++)
		if (!t->entries[i].ignored && (int)strlen(t->entries[i].slice.name) > name)
			name = (int)strlen(t->entries[i].slice.name);
	if (name == USUAL_NAME)
		return (struct columns){10, 28, 36, 46, 48, 58};
	int metric = SLICE_AT + name + 1;
	return (struct columns){metric, metric + 17, metric + 23, metric + 33, metric + 34,
	                        metric + 43};
}

static const char *const verified_words[] = {
	[NOT_VERIFIED] = "-",
	[VERIFYING] = "at work",
	[VERIFIED] = "yes",
	[WRONG] = "WRONG",
};

static unsigned longest_win(const struct el_stats *s)
{
	unsigned longest = 0;
	for (int side = 0; side < 2; side++)
		if (s->side[side].all.win && s->side[side].longest[0] > longest)
			longest = s->side[side].longest[0];
	return longest;
}

/* That a table is partial comes first, where it is never cut off. */
static void detail_text(const struct el_entry *e, char *out, size_t size)
{
	static const char mark[] = "partial";
	const char *found = e->partial ? strstr(e->detail, mark) : NULL;
	int before = found ? (int)(found - e->detail) : (int)strlen(e->detail);
	snprintf(out, size, "%s%s%.*s", e->partial ? mark : "", e->partial ? " " : "", before,
	         e->detail);
}

static void draw_open(const struct model *m, struct pane p, const struct el_entry *e)
{
	const struct finding *f = find(&m->tables, &e->slice, e->metric);
	const struct columns at = find_columns(&m->tables);
	char text[GROUPED_MAX], detail[128];
	pane_text(p, 0, SLICE_AT, ROLE_STRONG, e->slice.name);
	pane_text(p, 0, at.metric, ROLE_TEXT, metric_text(e->metric, text));
	pane_right(p, 0, at.positions_end, ROLE_TEXT,
		   grouped(e->slice.positions * e->slice.planes, text));
	pane_right(p, 0, at.bytes_end, ROLE_TEXT, bytes_text(e->bytes, text));
	if (f && f->counted && e->metric->has_depth) {
		snprintf(text, sizeof text, "%u", depth_shown(longest_win(&f->stats), m->in_moves));
		pane_right(p, 0, at.longest_end, ROLE_TEXT, text);
	} else {
		pane_right(p, 0, at.longest_end, ROLE_DIM, "-");
	}
	enum verified v = f ? f->verified : NOT_VERIFIED;
	pane_text(p, 0, at.verified, v == VERIFIED ? ROLE_WIN : v == WRONG ? ROLE_ERROR : ROLE_DIM,
	          verified_words[v]);
	detail_text(e, detail, sizeof detail);
	pane_text(p, 0, at.detail, ROLE_DIM, detail);
}

static void draw_row(const struct model *m, struct pane p, int i)
{
	const struct el_entry *e = &m->tables.entries[i];
	const char *slash = strrchr(e->path, '/');
	bool is_selected = i == m->tables.list.at;
	if (is_selected)
		pane_fill(p, ROLE_SELECTED);
	pane_text(p, 0, 0, ROLE_STRONG, is_selected ? ">" : " ");
	pane_zone(p, ZONE_ITEM, i);
	if (e->ignored)
		pane_print(p, 0, SLICE_AT, ROLE_ERROR, "%s ignored: %s",
			   slash ? slash + 1 : e->path, e->ignored);
	else
		draw_open(m, p, e);
}

static void draw_headings(const struct model *m, struct pane p)
{
	const struct columns at = find_columns(&m->tables);
	pane_text(p, 0, SLICE_AT, ROLE_DIM, "slice");
	pane_text(p, 0, at.metric, ROLE_DIM, "metric");
	pane_right(p, 0, at.positions_end, ROLE_DIM, "positions");
	pane_right(p, 0, at.bytes_end, ROLE_DIM, "bytes");
	pane_right(p, 0, at.longest_end, ROLE_DIM, m->in_moves ? "max moves" : "max plies");
	pane_text(p, 0, at.verified, ROLE_DIM, "verified");
	pane_text(p, 0, at.detail, ROLE_DIM, "codec");
}

/* The full reason does not fit in a row; the detail may not. */
static void draw_reason(const struct model *m, struct pane p)
{
	const struct el_entry *e = selected(m);
	char text[1024], detail[128];
	if (!e)
		return;
	detail_text(e, detail, sizeof detail);
	bool is_cut = find_columns(&m->tables).detail + utf8_length(detail) > m->cols;
	snprintf(text, sizeof text, "%s%s%s", e->path, e->ignored ? " is ignored: " : "  ",
	         e->ignored ? e->ignored : is_cut ? detail : "");
	pane_wrap(p, 0, ROLE_DIM, text);
}

static void draw(const struct model *m, struct pane p)
{
	const struct tables *t = &m->tables;
	draw_headings(m, p);
	if (!t->count) {
		pane_wrap(pane_sub(p, 2, 1, p.rows - 2, p.cols - 2), 0, ROLE_DIM,
		          t->ask.known ? "there is no table yet; 5 builds some" : "looking");
		return;
	}
	struct pane rows = pane_sub(p, 1, 0, p.rows - 4, p.cols);
	int top = list_top(&t->list, rows.rows);
	for (int y = 0; y < rows.rows && top + y < t->list.count; y++)
		draw_row(m, pane_sub(rows, y, 0, 1, rows.cols), top + y);
	draw_reason(m, pane_sub(p, p.rows - 2, 1, 2, p.cols - 2));
}

static struct list *list(struct model *m)
{
	return &m->tables.list;
}

static void subject(const struct model *m, char *out, size_t size)
{
	snprintf(out, size, "%zu %s", m->tables.count, m->tables.count == 1 ? "file" : "files");
}

static const struct binding bindings[] = {
	{{K_ENTER}, "statistics", "statistics", "count outcomes and depths of the table",
	 show_statistics, no_table, NULL},
	{{'v'}, "verify-table", "verify", "derive every position again from its successors", verify,
	 no_table, NULL},
	{{'e'}, "explore-table", "explore", "explore a random position of the table", explore_table,
	 no_table, NULL},
	{{'r'}, "rescan", "look again", "look for files again", rescan, NULL, NULL},
	{.name = NULL},
};

const struct view tables_view = {
	.name = "Tables",
	.summary = "the tables found, their contents and their proof",
	.key = '4',
	.bindings = bindings,
	.draw = draw,
	.list = list,
	.subject = subject,
	.close = close_tables,
	.ask = ask,
	.forget = forget,
};
