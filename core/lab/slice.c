/* SPDX-License-Identifier: MIT */
/* The slice of a run: its true values, which of them captures give, its best orders. */
#include "run.h"

#include "core/table/writer.h"
#include "core/whole/lender.h"
#include "core/whole/whole.h"

/* ---- the values ---- */

/* Our tables come before foreign ones, and the metric itself before others that imply it. If one of
   our tables fails, others may have the values. */
static enum el_status read_values(struct slice_ground *s, const struct el_slice *slice,
                                  const struct el_metric *metric, const struct el_watch *watch,
                                  struct el_error *error)
{
	struct el_entry *entries;
	size_t count;
	enum el_status status = el_library_list(s->library, &entries, &count, error);
	if (status)
		return status;
	const struct el_entry *found = NULL;
	for (size_t i = 0; i < count; i++) {
		const struct el_entry *e = &entries[i];
		if (e->ignored || !el_slice_equal(&e->slice, slice) || !el_entry_tells(e, metric) ||
		    (e->partial && e->metric != metric))
			continue;
		const bool better = !found || e->ours > found->ours ||
		                    (e->ours == found->ours && e->metric == metric);
		found = better ? e : found;
	}
	const struct el_metric *from = found ? found->metric : NULL;
	s->foreign = found && !found->ours ? el_source_kind_of(found->path) : NULL;
	el_entries_free(entries, count);
	if (s->foreign)
		return el_library_planes_from(s->library, slice, from, metric, watch, &s->planes,
		                              error);
	if (from && from != metric &&
	    !planes_read_off(s->library, slice, from, metric, NULL, watch, &s->planes, error))
		return EL_OK;
	return planes_obtain_bounds(s->library, slice, metric, &s->planes, error);
}

/* ---- all of it ---- */

enum el_status slice_open(struct el_library *library, const struct el_slice *slice,
                          const struct el_metric *metric, const char *directory,
                          const struct el_watch *watch, struct slice_ground *out,
                          struct el_error *error)
{
	*out = (struct slice_ground){.library = library};
	enum el_status status = read_values(out, slice, metric, watch, error);
	if (status)
		return status;
	el_planes_mark_broken(&out->planes);
	return folder_make(
		directory,
		&(struct folder_use){.library = library, .slice = slice, .metric = metric},
		&out->folder, error);
}

enum el_status slice_mark(struct slice_ground *s, enum el_derive what, const struct el_watch *watch,
                          struct el_error *error)
{
	what &= ~(unsigned)EL_DERIVE_SIDE;
	if (what == s->marked || !what)
		return EL_OK;
	/* If tables are missing, only the candidates that need them fail. */
	s->marked = what;
	s->derived = el_library_derive(s->library, &s->planes, what, watch, &s->why_not);
	return s->derived == EL_STOPPED ? el_fail(error, EL_STOPPED, "%s", s->why_not.text) : EL_OK;
}

void slice_close(struct slice_ground *s)
{
	el_planes_free(&s->planes);
	folder_remove(&s->folder);
}

enum el_status slice_options(struct slice_ground *s, const struct el_table_options *options,
                             const struct el_watch *watch, struct el_table_options *out,
                             struct el_error *error)
{
	*out = *options;
	const enum el_derive without = options->derive & ~(unsigned)EL_DERIVE_SIDE;
	enum el_status status = slice_mark(s, without, watch, error);
	if (!status && without && s->derived)
		status = el_fail(error, s->derived, "%s", s->why_not.text);
	if (status ||
	    (options->ordering != EL_ORDER_BEST && options->ordering != EL_ORDER_SMALLEST))
		return status;
	if (options->ordering == EL_ORDER_SMALLEST)
		status = table_smallest_orders(s->folder.table, &s->planes, options, watch,
		                               out->order, error);
	/* Codecs that do not weigh orders themselves share the best ones, since there may be many
	   orders to try. */
	const bool own = options->codec.codec->weigh;
	const bool finds = own || !s->ordered[without];
	const bool best = options->ordering == EL_ORDER_BEST;
	for (unsigned p = 0; best && finds && p < s->planes.slice.planes && !status; p++) {
		const struct view_task task = {&s->planes, p, options, s->folder.table, watch};
		status = view_best_order(&task, &out->order[p], error);
	}
	if (status)
		return status;
	if (best && !finds)
		memcpy(out->order, s->best[without], sizeof out->order);
	if (best && !own) {
		memcpy(s->best[without], out->order, sizeof s->best[without]);
		s->ordered[without] = true;
	}
	out->ordering =
		out->order[0].count || out->order[1].count ? EL_ORDER_GIVEN : EL_ORDER_INDEX;
	return EL_OK;
}
