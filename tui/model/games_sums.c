/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the moves of listed games cost: a worker judges the games on screen, in the order of the
   file, and stops as soon as others are wanted or something else waits for it. */
#include "core/probe/probe.h"
#include "model.h"

#include <stdatomic.h>
#include <stdlib.h>

struct sums_job {
	struct job job;
	struct games_input in;
	struct el_question question;
	uint64_t size; /* of the file when its list was read */
	struct timespec time;
	size_t first, count;      /* rows */
	struct el_line_sum *sums; /* owned: of these rows */
	/* sums made so far: the screen's thread takes them while the job runs */
	_Atomic size_t done;
	size_t taken;
};

static bool is_changed(const struct sums_job *j)
{
	const struct stat *is = &j->in.about;
	return !j->in.text &&
	       ((uint64_t)is->st_size != j->size || is->st_mtim.tv_sec != j->time.tv_sec ||
	        is->st_mtim.tv_nsec != j->time.tv_nsec);
}

/* Damage to a table is reported when its positions are shown. */
static void run(struct job *job, const struct el_watch *watch)
{
	struct sums_job *j = (struct sums_job *)job;
	const struct el_progress progress = {.stage = "judging", .what = j->in.name};
	struct el_judge *judge = NULL;
	job->status = games_input_open(&j->in, &job->error);
	if (!job->status && is_changed(j))
		job->status = el_fail(&job->error, EL_NEGATIVE,
		                      "%s has changed since its games were listed", j->in.name);
	if (!job->status)
		job->status = el_judge_open(job->library, &j->question, &judge, &job->error);
	while (!job->status && j->done < j->count) {
		struct el_tree *tree;
		struct el_move_verdict verdict = {0}, previous;
		struct el_line_sum sum = {0};
		enum el_status status = el_games_next(j->in.games, &tree, &job->error);
		if (!tree) {
			job->status = status ? status
			                     : el_fail(&job->error, EL_NEGATIVE,
			                               "%s: a listed game is missing", j->in.name);
			break;
		}
		for (uint32_t at = tree->nodes[EL_TREE_ROOT].child;
		     at != EL_NO_NODE && !job->status; at = tree->nodes[at].child) {
			previous = verdict;
			el_judge_move(judge, tree, at, &previous, &verdict, NULL);
			el_line_sum_add(&sum, tree, at, &verdict);
			if (!el_watch_tick(watch, &progress))
				job->status = EL_STOPPED;
		}
		el_tree_close(tree);
		if (!job->status) {
			j->sums[j->done] = sum;
			j->done++;
		}
	}
	el_judge_close(judge);
}

/* Takes the sums made so far. */
static void heard(struct model *m, struct job *job)
{
	struct sums_job *j = (struct sums_job *)job;
	struct games *g = &m->games;
	if (g->ask_sums.job != job->number)
		return;
	for (const size_t done = j->done; j->taken < done; j->taken++) {
		struct game_row *row = &g->rows[j->first + j->taken];
		row->sum = j->sums[j->taken];
		row->summed = SUM_KNOWN;
	}
}

static void done(struct model *m, struct job *job)
{
	struct sums_job *j = (struct sums_job *)job;
	heard(m, job);
	if (!question_answer(&m->games.ask_sums, job) || !job->status || job->status == EL_STOPPED)
		return;
	model_fail(m, "%s", job->error.text);
	for (size_t i = j->taken; i < j->count; i++)
		m->games.rows[j->first + i].summed = SUM_FAILED;
}

static void free_job(struct job *job)
{
	struct sums_job *j = (struct sums_job *)job;
	games_input_free(&j->in);
	free(j->sums);
	free(j);
}

static void send(struct model *m, size_t first, size_t count)
{
	struct games *g = &m->games;
	struct sums_job *j =
		model_new_job(m, sizeof *j, LANE_PROBE, "judging games", run, done, free_job);
	if (!j)
		return;
	j->job.heard = heard;
	j->question = g->judged_by;
	j->size = g->size;
	j->time = g->time;
	j->first = first;
	j->count = count;
	j->sums = calloc(count, sizeof *j->sums);
	if (games_input_set(&j->in, g->name, g->text, g->rows[first].offset) && j->sums) {
		question_ask(m, &g->ask_sums, &j->job);
	} else {
		free_job(&j->job);
		model_fail(m, "out of memory");
	}
}

void games_ask(struct model *m)
{
	struct games *g = &m->games;
	const struct el_question question = {.metric = m->metric, .rule = m->rule};
	const bool same = g->judged_by.metric == m->metric && g->judged_by.rule == m->rule &&
	                  g->tables == m->tables_version;
	g->judged_by = question;
	g->tables = m->tables_version;
	for (size_t i = 0; i < g->count && !same; i++)
		g->rows[i].summed = SUM_OPEN;
	size_t first = g->wanted,
	       end = first + g->wanted_count < g->count ? first + g->wanted_count : g->count;
	g->wanted_count = 0;
	while (first < end && g->rows[first].summed)
		first++;
	while (first < end && g->rows[end - 1].summed)
		end--;
	/* Stops a job for other rows or tables, and one that others wait for. */
	size_t others = 0;
	bool serves = false;
	for (const struct job *job = m->jobs; job; job = job->next_out) {
		const struct sums_job *j = (const struct sums_job *)job;
		if (job->number == g->ask_sums.job && g->ask_sums.job)
			serves = same && first < end && first >= j->first &&
			         first < j->first + j->count;
		else
			others += job->lane == LANE_PROBE;
	}
	if (g->ask_sums.job && (!serves || others))
		question_change(m, &g->ask_sums);
	if (first < end && !g->ask_sums.job && !model_job(m, LANE_PROBE))
		send(m, first, end - first);
}
