/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/array.h"
#include "core/base/clock.h"
#include "core/probe/probe.h"
#include "model.h"

#include <stdlib.h>
#include <string.h>

enum { PATIENCE_NS = 3000000 }; /* a job that has taken this long leaves the rest to the next one */

const struct el_move_verdict *verdict_of(const struct model *m, uint32_t node)
{
	const struct verdicts *v = &m->play.verdicts;
	return node < v->known ? &v->list[node] : NULL;
}

bool verdicts_are_open(const struct model *m)
{
	return m->play.verdicts.known < m->play.walk.tree->node_count;
}

static void forget_judge(struct verdicts *v)
{
	el_judge_close(v->judge);
	v->judge = NULL;
}

void verdicts_forget(struct model *m)
{
	struct verdicts *v = &m->play.verdicts;
	v->known = 0;
	forget_judge(v);
	question_change(m, &v->ask);
}

void verdicts_free(struct verdicts *v)
{
	forget_judge(v);
	free(v->list);
}

size_t verdicts_mistake(const struct model *m, int by)
{
	const struct walk *w = &m->play.walk;
	for (size_t i = w->at + (size_t)by; i > 0 && i < w->length; i += (size_t)by) {
		const struct el_move_verdict *v = verdict_of(m, w->line[i]);
		if (v && (v->kind == EL_VERDICT_THREW || v->kind == EL_VERDICT_MISSED))
			return i;
	}
	return 0;
}

/* ---- the job ---- */

/* Works on a copy of the nodes: the game may change meanwhile, but node numbers are stable. */
struct verdicts_job {
	struct job job;
	struct el_question question;
	struct el_judge *judge; /* owned until it is given back */
	/* the nodes are its own copy; of the rest it uses only the game */
	struct el_tree tree;
	struct el_move_verdict *list; /* owned: for all nodes; those before `known` are unchanged */
	uint32_t first, known;
};

/* Damage to a file is reported when its positions are shown. */
static void run(struct job *job, const struct el_watch *watch)
{
	struct verdicts_job *j = (struct verdicts_job *)job;
	const uint64_t since = clock_ns();
	(void)watch;
	if (!j->judge)
		job->status = el_judge_open(job->library, &j->question, &j->judge, &job->error);
	while (!job->status && j->known < j->tree.node_count && clock_ns() - since < PATIENCE_NS) {
		const struct el_node *node = &j->tree.nodes[j->known];
		struct el_move_verdict *out = &j->list[j->known++];
		*out = (struct el_move_verdict){.kind = EL_VERDICT_UNKNOWN};
		if (node->parent != EL_NO_NODE)
			el_judge_move(j->judge, &j->tree, j->known - 1, &j->list[node->parent], out,
			              NULL);
	}
}

static void done(struct model *m, struct job *job)
{
	struct verdicts_job *j = (struct verdicts_job *)job;
	struct verdicts *v = &m->play.verdicts;
	if (!question_answer(&v->ask, job))
		return;
	if (job->status) { /* without memory; the rest stays unknown until the tables change */
		model_fail(m, "%s", job->error.text);
		for (; j->known < j->tree.node_count; j->known++)
			j->list[j->known] = (struct el_move_verdict){.kind = EL_VERDICT_UNKNOWN};
	}
	memcpy(v->list + j->first, j->list + j->first, (j->known - j->first) * sizeof *v->list);
	v->known = j->known;
	v->judge = j->judge;
	j->judge = NULL;
	if (verdicts_are_open(m))
		question_change(m, &v->ask);
}

static void free_job(struct job *job)
{
	struct verdicts_job *j = (struct verdicts_job *)job;
	el_judge_close(j->judge);
	free(j->tree.nodes);
	free(j->list);
	free(j);
}

static void send(struct model *m)
{
	struct verdicts *v = &m->play.verdicts;
	const struct el_tree *tree = m->play.walk.tree;
	const uint32_t count = tree->node_count;
	struct verdicts_job *j =
		model_new_job(m, sizeof *j, LANE_PROBE, "verdicts", run, done, free_job);
	if (!j)
		return;
	j->tree = (struct el_tree){.game = tree->game, .node_count = count};
	j->tree.nodes = malloc(count * sizeof *j->tree.nodes);
	j->list = malloc(count * sizeof *j->list);
	if (!j->tree.nodes || !j->list ||
	    !array_grow(&v->list, v->room, count > v->room ? count - v->room : 0,
	                sizeof *v->list)) {
		free_job(&j->job);
		model_fail(m, "out of memory");
		return;
	}
	v->room = count > v->room ? count : v->room;
	memcpy(j->tree.nodes, tree->nodes, count * sizeof *j->tree.nodes);
	memcpy(j->list, v->list, v->known * sizeof *j->list);
	j->first = j->known = v->known;
	j->question = (struct el_question){.metric = m->metric, .rule = m->rule, .by_demand = true};
	j->judge = v->judge;
	v->judge = NULL;
	question_ask(m, &v->ask, &j->job);
}

void verdicts_ask(struct model *m)
{
	struct verdicts *v = &m->play.verdicts;
	if (v->tables != m->tables_version)
		verdicts_forget(m);
	v->tables = m->tables_version;
	if (verdicts_are_open(m) && v->ask.known)
		question_change(m, &v->ask); /* moves were added */
	if (verdicts_are_open(m) && question_is_open(&v->ask) && !model_job(m, LANE_PROBE))
		send(m);
}
