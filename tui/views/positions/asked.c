/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The positions that answer a question (endlab-find(7)): a job searches the slices, and the first of them are
   listed. */
#include "core/find/find.h"
#include "positions.h"

#include "tui/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED_MAX = 10000 };

struct find_job {
	struct job job;
	char question[ASKED_MAX];
	struct asked found;
};

void asked_free(struct asked *a)
{
	free(a->list);
	slices_free(&a->slices);
	*a = (struct asked){.list = NULL};
}

/* ---- on the worker ---- */

static bool take(void *context, const struct el_match *match)
{
	struct asked *a = context;
	struct asked_row *row = &a->list[a->count++];
	*row = (struct asked_row){match->slice->game, match->position, match->metric, match->value};
	return a->count < LISTED_MAX;
}

static enum el_status search(struct find_job *j, const struct el_watch *watch)
{
	struct asked *a = &j->found;
	const struct el_find_options options = {.watch = watch, .take = take, .context = a};
	enum el_status status = EL_OK;
	bool done = false;
	for (size_t i = 0; i < a->slices.count && !status && !done;) {
		const struct el_game *game = a->slices.list[i].game;
		struct el_query *query;
		struct el_query_fault fault;
		struct el_finder *finder = NULL;
		status = el_query_parse(game, j->question, &query, &fault, &j->job.error);
		if (!status)
			status = el_finder_open(j->job.library, query, &options, &finder,
			                        &j->job.error);
		for (; i < a->slices.count && a->slices.list[i].game == game && !status && !done;
		     i++) {
			struct el_find_counts counts;
			status = el_finder_search(finder, &a->slices.list[i], &counts, &done,
			                          &j->job.error);
			a->open += counts.unknown;
			/* of several slices, those without a table are left out */
			if (status == EL_NEGATIVE && a->slices.count > 1) {
				a->missing++;
				status = EL_OK;
			}
		}
		el_finder_close(finder);
		el_query_free(query);
	}
	a->is_cut = done;
	return status;
}

static void find_run(struct job *job, const struct el_watch *watch)
{
	struct find_job *j = (struct find_job *)job;
	j->found.list = malloc(LISTED_MAX * sizeof *j->found.list);
	job->status =
		j->found.list ? search(j, watch) : el_fail(&job->error, EL_MEMORY, "out of memory");
}

/* ---- on the screen's thread ---- */

static void find_done(struct model *m, struct job *job)
{
	struct find_job *j = (struct find_job *)job;
	struct asked *a = &positions_of(m)->asked;
	if (!question_answer(&a->ask, job))
		return;
	snprintf(a->why, sizeof a->why, "%s", job->status ? job->error.text : "");
	free(a->list);
	a->list = j->found.list;
	a->count = j->found.count;
	a->is_cut = j->found.is_cut;
	a->open = j->found.open;
	a->missing = j->found.missing;
	a->changes++;
	j->found.list = NULL;
}

static void find_free(struct job *job)
{
	struct find_job *j = (struct find_job *)job;
	asked_free(&j->found);
	free(j);
}

/* Slices come first; the question is what follows. Null, with a message: there is neither. */
static const char *read_slices(struct model *m, const char *text, struct slices *out)
{
	struct el_error error;
	const char *rest = text;
	while (*rest) {
		char word[EL_SLICE_MAX];
		const size_t before = out->count, length = strcspn(rest, " ");
		snprintf(word, sizeof word, "%.*s", (int)length, rest);
		const enum el_status status = slices_add(out, word, &error);
		if (status) {
			if (before)
				return rest;
			model_fail(m, "%s", error.text);
			return NULL;
		}
		rest += length;
		rest += strspn(rest, " ");
	}
	model_fail(m, "Type a slice and a question, as in :find KRPvKR draw and only-move");
	return NULL;
}

void asked_find(struct model *m, const char *text)
{
	struct asked *a = &positions_of(m)->asked;
	struct slices slices = {NULL, 0};
	struct el_query *query;
	struct el_query_fault fault;
	struct el_error error;
	const char *question = read_slices(m, text, &slices);
	if (!question) {
		slices_free(&slices);
		return;
	}
	for (size_t i = 0; i < slices.count; i++) {
		if (i && slices.list[i].game == slices.list[i - 1].game)
			continue;
		if (el_query_parse(slices.list[i].game, question, &query, &fault, &error)) {
			model_fail(m, "%s", error.text);
			slices_free(&slices);
			return;
		}
		el_query_free(query);
	}
	char title[sizeof((struct job *)0)->title];
	snprintf(title, sizeof title, "searching %s", slices.list[0].name);
	struct find_job *j =
		model_new_job(m, sizeof *j, LANE_LOOK, title, find_run, find_done, find_free);
	if (!j) {
		slices_free(&slices);
		return;
	}
	question_change(m, &a->ask);
	snprintf(a->text, sizeof a->text, "%s", text);
	snprintf(j->question, sizeof j->question, "%s", question);
	j->found.slices = slices;
	a->count = 0;
	a->changes++;
	*a->why = '\0';
	question_ask(m, &a->ask, &j->job);
}

/* ---- the source ---- */

static size_t asked_count(const struct model *m)
{
	return positions_of(m)->asked.count;
}

static void asked_row(const struct model *m, size_t i, struct listed *out)
{
	const struct asked_row *row = &positions_of(m)->asked.list[i];
	row->game->format(&row->position, out->fen);
	out->metric = row->metric;
	out->value = row->value;
	if (row->metric)
		metric_text(row->metric, out->note);
}

static unsigned asked_version(const struct model *m)
{
	return positions_of(m)->asked.changes;
}

static void asked_empty(const struct model *m, char *out, size_t size)
{
	const struct asked *a = &positions_of(m)->asked;
	if (!*a->text)
		snprintf(out, size,
		         "Type :find, a slice and a question, as in :find KRvKP draw and only-move "
		         "and p on rank 2. 'endlab --man endlab-find' has all words.");
	else if (a->ask.job)
		snprintf(out, size, "Looking for: %s", a->text);
	else if (*a->why)
		snprintf(out, size, "%s. Press f to ask something else.", a->why);
	else
		snprintf(out, size, "No position answers: %s. Press f to ask something else.",
		         a->text);
}

static void asked_about(const struct model *m, char *out, size_t size)
{
	const struct asked *a = &positions_of(m)->asked;
	char number[GROUPED_MAX];
	*out = '\0';
	if (!*a->text || a->ask.job)
		return;
	snprintf(out, size, "%s", a->text);
	if (a->is_cut)
		el_text_add(out, size, "; the first %s", grouped(a->count, number));
	if (a->open)
		el_text_add(out, size, "; %s not decided, for want of a table",
		            grouped(a->open, number));
	if (a->missing)
		el_text_add(out, size, "; %u %s without a table", a->missing,
		            plural(a->missing, "slice", "slices"));
}

const struct source asked_source = {
	.title = "Found",
	.note = "metric",
	.count = asked_count,
	.row = asked_row,
	.version = asked_version,
	.empty = asked_empty,
	.about = asked_about,
};
