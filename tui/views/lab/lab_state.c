/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Lab measures: which slice, under which metric, and whether its table is there. */
#include "lab.h"

#include "tui/text/values.h"

const struct state lab_state = {sizeof(struct lab)};

struct lab *lab_of(const struct model *m)
{
	return state_of(m, &lab_state);
}

void lab_set_slice(struct model *m, const struct el_slice *slice)
{
	const struct lab *lab = lab_of(m);
	if (lab->group.count || !el_slice_equal(&lab->slice, slice))
		lab_change_slice(lab_of(m), slice);
}

void lab_change_slice(struct lab *lab, const struct el_slice *slice)
{
	slices_free(&lab->group);
	lab->slice = *slice;
	if (!el_game_has(slice->game, lab->metric))
		lab->metric = el_game_metric(slice->game);
	lab_rows_forget(lab);
	/* An order of these pieces means nothing to others. */
	for (int i = 0; i < lab->list.count; i++)
		if (lab->rows[i].candidate.options.ordering == EL_ORDER_GIVEN)
			el_order_parse("best", NULL, &lab->rows[i].candidate.options, NULL);
}

static bool is_measured(const struct lab *lab)
{
	for (int i = 0; i < lab->list.count; i++)
		for (int w = 0; w < EL_WORKLOADS; w++)
			if (lab->rows[i].state[w] != LAB_NEW)
				return true;
	return false;
}

void lab_find_slice(struct model *m)
{
	const struct study *s = m->play.study;
	if (lab_of(m)->slice.game && (lab_of(m)->chosen || is_measured(lab_of(m))))
		return;
	if (s && s->answer.has_slice)
		lab_set_slice(m, &s->answer.slice);
	else if (!lab_of(m)->slice.game)
		lab_set_slice(m, &m->slices.list[0]);
}

bool lab_has_table(const struct model *m, const struct el_slice *slice)
{
	const struct lab *lab = lab_of(m);
	for (size_t i = 0; i < m->tables.count; i++) {
		const struct el_entry *e = &m->tables.entries[i];
		if (!e->ignored && el_slice_equal(&e->slice, slice) &&
		    el_metric_tells(e->metric, lab->metric))
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
