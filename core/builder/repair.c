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

bool slices_have(const struct el_slice *list, size_t count, const struct el_slice *slice)
{
	size_t i = 0;
	while (i < count && !el_slice_equal(&list[i], slice))
		i++;
	return i < count;
}

/* False: out of memory. */
static bool add(struct slices *s, const struct el_slice *slices, size_t count)
{
	if (!array_grow(&s->list, s->count, count, sizeof *s->list))
		return false;
	for (size_t i = 0; i < count; i++)
		if (!slices_have(s->list, s->count, &slices[i]))
			s->list[s->count++] = slices[i];
	return true;
}

/* ---- reading ---- */

/* Decodes every block. */
static enum el_status read_table(const char *path, const struct el_watch *watch,
                                 struct el_error *error)
{
	struct el_table *table;
	enum el_status status = el_table_open(path, &table, error);
	if (status)
		return status;
	const struct el_table_info *info = el_table_info(table);
	uint64_t done = 0;
	char what[EL_SLICE_MAX + 32];
	snprintf(what, sizeof what, "%s %s", info->slice.name, info->metric->name);
#pragma omp parallel for schedule(dynamic, 1)
	for (uint64_t block = 0; block < info->block_count; block++) {
		struct el_error why;
		enum el_status now;
#pragma omp atomic read
		now = status;
		if (now)
			continue;
		uint16_t *symbols = malloc(info->options.block_positions * sizeof *symbols);
		now = symbols ? el_table_read_block(table, block, symbols, &why)
		              : el_fail(&why, EL_MEMORY, "%s: out of memory", el_table_path(table));
		free(symbols);
#pragma omp critical(repair_read)
		{
			const struct el_progress progress = {"checking", what, (double)++done,
			                                     (double)info->block_count,
			                                     .unit = "blocks"};
			if (!status && !now && !el_watch_tick(watch, &progress))
				now = el_fail(&why, EL_STOPPED, "stopped; nothing was built");
			if (!status && now)
				status = el_fail(error, now, "%s", why.text);
		}
	}
	el_table_close(table);
	return status;
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
		    slices_have(slices.list, slices.count, &entries[i].slice) &&
		    (!wish->partial || entries[i].metric == &el_wdl))
			status = look_at(&entries[i], wish, &damaged[i], plan, error);
	}
	free(slices.list);
	return status;
}
