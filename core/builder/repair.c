/* SPDX-License-Identifier: MIT */
#include "builder.h"

#include "core/base/array.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- the slices ---- */

struct slices {
	struct el_slice *list; /* owned; each once */
	size_t count;
};

/* False: out of memory. */
static bool add(struct slices *s, const struct el_slice *slices, size_t count)
{
	if (!array_grow(&s->list, s->count, count, sizeof *s->list))
		return false;
	for (size_t i = 0; i < count; i++)
		if (!el_slices_have(s->list, s->count, &slices[i]))
			s->list[s->count++] = slices[i];
	return true;
}

/* ---- reading ---- */

static enum el_status read_table(const char *path, const struct el_watch *watch,
                                 struct el_error *error)
{
	struct el_table *table;
	enum el_status status = el_table_open(path, &table, error);
	if (status)
		return status;
	status = el_table_each_block(table, watch, NULL, error);
	el_table_close(table);
	return status == EL_STOPPED ? el_fail(error, status, "stopped; nothing was built") : status;
}

/* ---- damaged tables ---- */

static enum el_status look_at(const struct el_entry *e, const struct el_plan_wish *wish,
                              bool *damaged, struct el_plan *plan, struct el_error *error)
{
	struct el_error why;
	enum el_status status = e->status;
	if (!e->ignored)
		status = read_table(e->path, wish->watch, &why);
	else if (!status)
		return EL_OK; /* another file has the same table and is used instead */
	*damaged = status == EL_DAMAGED;
	plan->checked += !status || *damaged;
	plan->damaged += *damaged;
	if (!status || e->ignored)
		return EL_OK;
	if (!*damaged)
		return el_fail(error, status, "%s", why.text);
	/* A damaged table must have its proper name, which is where the new one will be written. */
	struct el_slice slice;
	const struct el_metric *metric;
	if (file_name_parse(e->path, &slice, &metric) && el_slice_equal(&slice, &e->slice) &&
	    metric == e->metric)
		return EL_OK;
	return el_fail(error, EL_DAMAGED,
	               "%s; remove it: a build would not put a table of %s %s there", why.text,
	               e->slice.name, e->metric->name);
}

enum el_status repair_find(const struct el_entry *entries, size_t count,
                           const struct el_plan_wish *wish, bool *damaged, struct el_plan *plan,
                           struct el_error *error)
{
	struct slices slices = {0};
	enum el_status status = EL_OK;
	struct el_slice successors[EL_SUCCESSORS_MAX];
	bool good = add(&slices, wish->slices, wish->count);
	for (size_t i = 0; i < slices.count && good && !wish->partial; i++) { /* the list grows */
		const struct el_slice next = slices.list[i];
		good = add(&slices, successors, next.game->successors(&next, successors));
	}
	if (!good)
		status = el_fail(error, EL_MEMORY, "out of memory");
	for (size_t i = 0; i < count && !status; i++) {
		/* Is it a table of ours, or should it be one? */
		const struct el_source_ops *kind = el_source_kind_of(entries[i].path);
		if (entries[i].here && entries[i].metric && kind && kind->read &&
		    el_slices_have(slices.list, slices.count, &entries[i].slice) &&
		    (!wish->partial || entries[i].metric == &el_wdl))
			status = look_at(&entries[i], wish, &damaged[i], plan, error);
	}
	free(slices.list);
	return status;
}
