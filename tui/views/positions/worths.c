/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of the list shown, and their values. Jobs of a few probes each look these up, so that
   other questions do not wait long. */
#include "core/probe/probe.h"
#include "positions.h"

#include "tui/text/text.h"

#include <stdio.h>
#include <stdlib.h>

const struct source *const positions_sources[SOURCES] = {
	[SAMPLES] = &samples_source,     [RECORDS] = &records_source,
	[ZUGZWANGS] = &zugzwangs_source, [FOUND] = &asked_source,
	[BOOKMARKS] = &bookmarks_source, [OPENED] = &opened_source,
};

int positions_source_count(const struct model *m)
{
	return m->positions.name ? SOURCES : OPENED;
}

const struct source *positions_source(const struct model *m)
{
	return positions_sources[positions_of(m)->source];
}

struct listed positions_listed(const struct model *m, size_t i)
{
	const struct source *source = positions_source(m);
	const struct worths *w = &positions_of(m)->worths;
	struct listed l = {.game = NULL};
	struct el_slice slice;
	source->row(m, i, &l);
	el_position_parse(l.fen, &l.game, &l.position, NULL);
	snprintf(l.slice, sizeof l.slice, "%s",
	         l.game && !l.game->slice_of(&l.position, &slice, NULL) ? slice.name : "-");
	if (!source->asks || w->source != source || i >= w->count || !w->list[i].metric)
		return l;
	l.metric = w->list[i].metric;
	l.value = w->list[i].value;
	if (!*l.note)
		metric_text(l.metric, l.note);
	return l;
}

bool positions_selected(const struct model *m, struct listed *out)
{
	const struct positions *v = positions_of(m);
	if (v->list.at < v->list.count)
		*out = positions_listed(m, v->rows[v->list.at]);
	return v->list.at < v->list.count;
}

/* ---- their values ---- */

enum { PROBES = 64 };

struct worth_job {
	struct job job;
	struct el_question question;
	size_t count;
	struct {
		size_t at; /* in the list */
		const struct el_game *game;
		struct el_position position;
		struct worth worth;
	} list[PROBES];
	struct el_answer answer; /* room for one */
};

static void worth_run(struct job *job, const struct el_watch *watch)
{
	struct worth_job *j = (struct worth_job *)job;
	const struct el_answer *a = &j->answer;
	(void)watch;
	for (size_t i = 0; i < j->count; i++) {
		struct worth *worth = &j->list[i].worth;
		el_library_answer(job->library, j->list[i].game, &j->list[i].position, &j->question,
		                  &j->answer, NULL);
		*worth = (struct worth){.metric = a->metric, .asked = true};
		if (!a->metric)
			continue;
		worth->value = a->value[el_metric_rank(a->metric)];
		worth->value.outcome = (uint8_t)a->outcome;
	}
}

static void worth_done(struct model *m, struct job *job)
{
	struct worth_job *j = (struct worth_job *)job;
	struct worths *w = &positions_of(m)->worths;
	if (!question_answer(&w->ask, job))
		return;
	for (size_t i = 0; i < j->count; i++)
		w->list[j->list[i].at] = j->list[i].worth;
	w->changes++;
}

void worths_follow(struct model *m)
{
	const struct positions *v = positions_of(m);
	struct worths *w = &positions_of(m)->worths;
	const struct source *source = positions_source(m);
	const bool is_other = w->source != source || w->version != source->version(m);
	size_t open = 0;
	if (is_other || w->tables != m->tables_version || w->rule != m->rule ||
	    w->metric != m->metric) {
		/* For the same list, old values stay on the screen until the new ones are known. */
		question_change(m, &w->ask);
		w->changes++;
		w->source = source;
		w->version = source->version(m);
		w->tables = m->tables_version;
		w->rule = m->rule;
		w->metric = m->metric;
		const size_t count = source->count(m);
		if (is_other || count != w->count) {
			free(w->list);
			w->list = count ? calloc(count, sizeof *w->list) : NULL;
			w->count = w->list ? count : 0;
			if (count && !w->list)
				model_fail(m, "out of memory");
		}
		for (size_t i = 0; i < w->count; i++)
			w->list[i].asked = false;
	}
	while (open < w->count && w->list[open].asked)
		open++;
	if (w->ask.job || !source->asks || open == w->count)
		return;
	w->ask.known = false;
	struct worth_job *j = model_new_job(m, sizeof *j, LANE_PROBE, "looking up positions",
	                                    worth_run, worth_done, NULL);
	if (!j)
		return;
	j->question = (struct el_question){.metric = w->metric, .rule = w->rule, .alone = true};
	/* from the selected row on, around the list */
	for (size_t i = 0; i < w->count && j->count < PROBES; i++) {
		const size_t at = (v->selected[v->source] + i) % w->count;
		if (w->list[at].asked)
			continue;
		const struct listed l = positions_listed(m, at);
		j->list[j->count].at = at;
		j->list[j->count].game = l.game;
		j->list[j->count++].position = l.position;
	}
	question_ask(m, &w->ask, &j->job);
}

void worths_free(struct worths *w)
{
	free(w->list);
}
