/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Foreign files of the slice among the candidates of Lab: they come and go with slice and
   metric. */
#include "lab.h"

#include "tui/text/lab/candidates.h"

static bool has_kind(const struct lab_candidates *found, const struct el_source_ops *kind)
{
	for (size_t i = 0; i < found->count; i++)
		if (found->list[i].foreign == kind)
			return true;
	return false;
}

static bool has_row(const struct lab *lab, const struct el_source_ops *kind)
{
	for (int i = 0; i < lab->list.count; i++)
		if (lab->rows[i].candidate.foreign == kind)
			return true;
	return false;
}

/* Rows that are there stay where they are, with their figures; new ones go to the top, where they
   are seen. */
static void set_rows(struct lab *lab, const struct lab_candidates *found)
{
	for (int i = lab->list.count - 1; i >= 0; i--)
		if (lab->rows[i].candidate.foreign &&
		    !has_kind(found, lab->rows[i].candidate.foreign))
			lab_row_remove(lab, i);
	for (size_t i = found->count; i-- > 0;)
		if (!has_row(lab, found->list[i].foreign) &&
		    !lab_row_insert(lab, 0, &found->list[i]))
			break;
}

void lab_follow_foreign(struct model *m)
{
	struct lab *lab = lab_of(m);
	struct lab_candidates found = {0};
	/* Of several slices none is shown: each has files of its own. */
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
		set_rows(lab, &found);
		lab->foreign = now;
	}
	lab_candidates_free(&found);
}
