/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a game that was opened lacks: the tables of its main line that are not there. */
#include "core/base/array.h"
#include "core/probe/probe.h"
#include "model.h"

#include "tui/text/numbers.h"

#include <stdio.h>
#include <stdlib.h>

/* Works on copies: the game may change meanwhile. */
struct needs_job {
	struct job job;
	struct el_position *positions; /* owned: of the main line */
	size_t count, first;           /* the first position that tables know or could know */
	struct needs needs;            /* owned until it is taken */
};

static void needs_free(struct needs *n)
{
	free(n->slices);
	n->slices = NULL;
	n->count = 0;
}

/* Plans the slices with at most so many pieces; false if this machine cannot make them. */
static bool plan(struct needs_job *j, const struct el_slice *lacking, size_t count, unsigned pieces)
{
	struct needs *n = &j->needs;
	struct el_plan plan;
	n->count = 0;
	for (size_t i = 0; i < count; i++)
		if (lacking[i].pieces <= pieces)
			n->slices[n->count++] = lacking[i];
	const struct el_plan_wish wish = {
		.slices = n->slices, .count = n->count, .proves = EL_PROVE_CHEAP};
	if (!n->count || el_plan_wished(j->job.library, &wish, &plan, NULL))
		return false;
	const bool fits = !el_plan_check_memory(&plan, NULL) &&
	                  !el_plan_estimate(j->job.library, &plan, NULL);
	if (fits)
		plan_summary(&plan, NULL, n->cost);
	el_plan_free(&plan);
	return fits;
}

static void run(struct job *job, const struct el_watch *watch)
{
	struct needs_job *j = (struct needs_job *)job;
	struct needs *n = &j->needs;
	struct el_slice *lacking = malloc((j->count + 1) * sizeof *lacking);
	size_t count = 0;
	unsigned most = 0;
	(void)watch;
	n->slices = malloc((j->count + 1) * sizeof *n->slices);
	if (!lacking || !n->slices) {
		free(lacking);
		job->status = el_fail(&job->error, EL_MEMORY, "out of memory");
		return;
	}
	for (size_t i = 0; i < j->count; i++) {
		struct el_slice slice;
		size_t known = 0;
		if (job->game->slice_of(&j->positions[i], &slice, NULL) ||
		    el_library_answers(job->library, job->game, &j->positions[i], &el_wdl))
			continue;
		while (known < count && !el_slice_equal(&lacking[known], &slice))
			known++;
		if (known == count)
			lacking[count++] = slice;
		most = slice.pieces > most ? slice.pieces : most;
	}
	while (most && !plan(j, lacking, count, most))
		most--;
	free(lacking);
	j->first = j->count;
	for (size_t i = j->count; i-- > 0;) {
		struct el_slice slice;
		bool wanted = false;
		if (job->game->slice_of(&j->positions[i], &slice, NULL))
			continue;
		for (size_t k = 0; k < n->count; k++)
			wanted = wanted || el_slice_equal(&n->slices[k], &slice);
		n->half_moves += wanted && i;
		if (wanted ||
		    el_library_answers(job->library, job->game, &j->positions[i], &el_wdl))
			j->first = i;
	}
}

static void done(struct model *m, struct job *job)
{
	struct needs_job *j = (struct needs_job *)job;
	struct needs *n = &m->play.needs;
	char names[2 * EL_SLICE_MAX] = "";
	if (!question_answer(&n->ask, job))
		return;
	if (job->status) {
		model_fail(m, "%s", job->error.text);
		return;
	}
	const struct needs before = *n;
	needs_free(n);
	*n = j->needs;
	n->ask = before.ask;
	n->tables = before.tables;
	j->needs.slices = NULL;
	if (before.count) /* said already */
		return;
	if (j->first < m->play.walk.length && j->first > m->play.walk.at)
		play_go(m, j->first);
	for (size_t i = 0; i < n->count && i < 2; i++)
		el_words_add(names, sizeof names, ", ", n->slices[i].name);
	if (n->half_moves)
		model_note(m, "%u %s in %s%s: not built. Press b to build %s.", n->half_moves,
		           plural(n->half_moves, "half-move is", "half-moves are"), names,
		           n->count > 2 ? ", ..." : "", n->cost);
}

static void free_job(struct job *job)
{
	struct needs_job *j = (struct needs_job *)job;
	needs_free(&j->needs);
	free(j->positions);
	free(j);
}

void needs_look(struct model *m)
{
	struct needs *n = &m->play.needs;
	const struct el_tree *tree = m->play.walk.tree;
	struct needs_job *j =
		model_new_job(m, sizeof *j, LANE_LOOK, "the game's tables", run, done, free_job);
	if (!j)
		return;
	question_change(m, &n->ask);
	n->tables = m->tables_version;
	for (uint32_t node = EL_TREE_ROOT; node != EL_NO_NODE;
	     node = el_tree_node(tree, node)->child) {
		if (!array_grow(&j->positions, j->count, 1, sizeof *j->positions)) {
			free_job(&j->job);
			model_fail(m, "out of memory");
			return;
		}
		j->positions[j->count++] = el_tree_node(tree, node)->position;
	}
	question_ask(m, &n->ask, &j->job);
}

void needs_ask(struct model *m)
{
	const struct needs *n = &m->play.needs;
	if (n->count && n->tables != m->tables_version)
		needs_look(m);
}

void needs_forget(struct model *m)
{
	question_change(m, &m->play.needs.ask);
	needs_free(&m->play.needs);
}
