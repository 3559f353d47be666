/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Lab measures: one slice or several, the metric, whether tables exist, and which foreign
   files are candidates. */
#include "lab.h"

#include "tui/text/lab/candidates.h"
#include "tui/text/lab/report.h"
#include "tui/text/values.h"

#include <stdio.h>
#include <string.h>

OWN_STATE(, lab, struct lab);

/* Drops all results of the previous slice. */
static void change_slice(struct lab *lab, const struct el_slice *slice)
{
	slices_free(&lab->group);
	lab->slice = *slice;
	if (!el_game_has(slice->game, lab->metric))
		lab->metric = el_game_metric(slice->game);
	lab_rows_forget(lab);
	/* An order of these pieces means nothing for other slices. */
	for (int i = 0; i < lab->list.count; i++)
		if (lab->rows[i].candidate.options.ordering == EL_ORDER_GIVEN)
			el_order_parse("best", NULL, &lab->rows[i].candidate.options, NULL);
}

void lab_set_slice(struct model *m, const struct el_slice *slice)
{
	const struct lab *lab = lab_of(m);
	if (lab->group.count || !el_slice_equal(&lab->slice, slice))
		change_slice(lab_of(m), slice);
}

void lab_find_slice(struct model *m)
{
	const struct study *s = m->play.study;
	const struct lab *lab = lab_of(m);
	bool stays = lab->chosen;
	for (int i = 0; i < lab->list.count; i++)
		for (int w = 0; w < EL_WORKLOADS; w++)
			stays |= lab->rows[i].state[w] != LAB_NEW;
	if (lab->slice.game && stays)
		return;
	if (s && s->answer.has_slice)
		lab_set_slice(m, &s->answer.slice);
	else if (!lab->slice.game)
		lab_set_slice(m, &m->slices.list[0]);
}

bool lab_has_table(const struct model *m, const struct el_slice *slice)
{
	const struct lab *lab = lab_of(m);
	for (size_t i = 0; i < m->tables.count; i++) {
		const struct el_entry *e = &m->tables.entries[i];
		const bool is_its = el_slice_equal(&e->slice, slice) ||
		                    (e->castling && el_slice_has_rights(slice) &&
		                     e->slice.game == slice->game &&
		                     el_keys_alike(slice->game, e->slice.key, slice->key));
		if (!e->ignored && is_its && el_metric_tells(e->metric, lab->metric))
			return true;
	}
	return false;
}

size_t lab_missing(const struct model *m)
{
	const struct el_slice *slices;
	const size_t count = lab_slices(lab_of(m), &slices);
	size_t missing = 0;
	for (size_t i = 0; i < count; i++)
		missing += !lab_has_table(m, &slices[i]);
	return missing;
}

const char *lab_unbuilt(const struct model *m)
{
	const struct el_slice *slices;
	if (!m->tables.ask.known || lab_missing(m) < lab_slices(lab_of(m), &slices))
		return NULL;
	const char *why = tables_hindrance(&m->tables, &lab_of(m)->slice, lab_of(m)->metric);
	return build_is_asked(&m->builds, &lab_of(m)->slice)
	               ? "The table is being built. Then press space to measure."
	       : why ? why
	             : "There is no such table yet. Press b to build it, s for another slice.";
}

void lab_set_metric(struct model *m, const struct el_metric *metric)
{
	char text[16];
	lab_of(m)->metric = metric;
	lab_rows_forget(lab_of(m));
	model_note(m, "%s: %s", metric_text(metric, text), metric->title);
}

const char *lab_busy(const struct model *m)
{
	return lab_of(m)->running ? "A run is in progress. Press c to stop it." : NULL;
}

void lab_type_words(struct model *m, const struct el_table_options *options)
{
	char words[192];
	el_table_options_format(&lab_of(m)->slice, options, words, sizeof words);
	shell_prompt(m, "candidate %s", words);
}

/* ---- several slices in turn: figures are their sums and means ---- */

size_t lab_slices(const struct lab *lab, const struct el_slice **out)
{
	*out = lab->group.count ? lab->group.list : &lab->slice;
	return lab->group.count ? lab->group.count : 1;
}

const char *lab_several(const struct lab *lab)
{
	return lab->group.count ? "Several slices are measured. Press s to choose one of them."
	                        : NULL;
}

const char *lab_name(const struct lab *lab)
{
	return lab->group.count ? LAB_TOTALS_NAME : lab->slice.name;
}

enum el_status lab_set_slices(struct model *m, const char *words, struct el_error *error)
{
	struct lab *lab = lab_of(m);
	struct slices wanted = {0};
	enum el_status status = EL_OK;
	for (const char *at = words + strspn(words, " "); *at && !status; at += strspn(at, " ")) {
		char word[64];
		snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " "), at);
		at += strcspn(at, " ");
		status = slices_add(&wanted, word, error);
	}
	if (!status && !wanted.count)
		status =
			el_fail(error, EL_USAGE, "slice: expected slices or groups, found nothing");
	for (size_t i = 1; i < wanted.count && !status; i++)
		if (wanted.list[i].game != wanted.list[0].game)
			status = el_fail(error, EL_USAGE, "%s and %s: expected slices of one game",
			                 wanted.list[0].name, wanted.list[i].name);
	const struct el_slice *list;
	bool same = !status && lab_slices(lab, &list) == wanted.count;
	for (size_t i = 0; i < wanted.count && same; i++)
		same = el_slice_equal(&list[i], &wanted.list[i]);
	if (!status && !same) {
		change_slice(lab, &wanted.list[0]);
		if (wanted.count > 1) {
			lab->group = wanted;
			wanted = (struct slices){0};
		}
	}
	slices_free(&wanted);
	return status;
}

/* ---- foreign files: they come and go with slice and metric ---- */

static bool has_row(const struct lab *lab, const struct el_source_ops *kind)
{
	for (int i = 0; i < lab->list.count; i++)
		if (lab->rows[i].candidate.foreign == kind)
			return true;
	return false;
}

void lab_follow_foreign(struct model *m)
{
	struct lab *lab = lab_of(m);
	struct lab_candidates found = {0};
	/* Several slices show none: each has its own files. */
	const struct el_slice none = {.game = NULL};
	const struct lab_foreign now = {lab->group.count ? none : lab->slice, lab->metric,
	                                m->tables.ask.tables};
	const bool is_same = lab->foreign.metric == now.metric &&
	                     lab->foreign.tables == now.tables &&
	                     el_slice_equal(&lab->foreign.slice, &now.slice);
	if (lab->running || !lab->slice.game || !m->tables.ask.known || is_same)
		return;
	if (lab->group.count ||
	    lab_candidates_add_foreign(&found, m->tables.entries, m->tables.count, &lab->slice,
	                               lab->metric, NULL) == EL_OK) {
		/* Existing rows keep their places and figures; new ones go to the top, where they
		   are visible. */
		for (int i = lab->list.count - 1; i >= 0; i--)
			if (lab->rows[i].candidate.foreign &&
			    !lab_candidates_have(&found, lab->rows[i].candidate.foreign))
				lab_row_remove(lab, i);
		for (size_t i = found.count; i-- > 0;)
			if (!has_row(lab, found.list[i].foreign) &&
			    !lab_row_insert(lab, 0, &found.list[i]))
				break;
		lab->foreign = now;
	}
	lab_candidates_free(&found);
}
