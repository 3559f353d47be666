/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slice of a run: its true values, which of them captures give, its best orders. */
#include "run.h"

#include "core/lend/lender.h"
#include "core/table/writer.h"
#include "core/whole/whole.h"

/* ---- the values ---- */

/* The metric of the table to read values from: our tables come before foreign ones, and the metric
   itself before others that imply it. Null if there is no table; *kind is a foreign table's
   kind. */
static const struct el_metric *find_table(const struct el_entry *entries, size_t count,
                                          const struct el_slice *slice,
                                          const struct el_metric *metric,
                                          const struct el_source_ops **kind)
{
	const struct el_entry *found = NULL;
	for (size_t i = 0; i < count; i++) {
		const struct el_entry *e = &entries[i];
		if (e->ignored || !el_slice_equal(&e->slice, slice) ||
		    !el_metric_tells(e->metric, metric) || (e->partial && e->metric != metric))
			continue;
		const bool better = !found || e->ours > found->ours ||
		                    (e->ours == found->ours && e->metric == metric);
		found = better ? e : found;
	}
	*kind = found && !found->ours ? el_source_kind_of(found->path) : NULL;
	return found ? found->metric : NULL;
}

/* If one of our tables fails, others may have the values. */
static enum el_status read_values(struct slice_ground *s, const struct el_slice *slice,
                                  const struct el_metric *metric, const struct el_watch *watch,
                                  struct el_error *error)
{
	struct el_entry *entries;
	size_t count;
	enum el_status status = el_library_list(s->library, &entries, &count, error);
	if (status)
		return status;
	const struct el_metric *from = find_table(entries, count, slice, metric, &s->foreign);
	el_entries_free(entries, count);
	if (s->foreign)
		return el_library_planes_from(s->library, slice, from, metric, watch, &s->planes,
		                              error);
	if (from && from != metric &&
	    !planes_read_off(s->library, slice, from, metric, &s->planes, error))
		return EL_OK;
	return planes_obtain_bounds(s->library, slice, metric, &s->planes, error);
}

/* ---- all of it ---- */

enum el_status slice_open(struct el_library *library, const struct el_slice *slice,
                          const struct el_metric *metric, const char *directory, bool derives,
                          const struct el_watch *watch, struct slice_ground *out,
                          struct el_error *error)
{
	*out = (struct slice_ground){.library = library, .derived = EL_USAGE};
	enum el_status status = read_values(out, slice, metric, watch, error);
	if (status)
		return status;
	el_planes_mark_broken(&out->planes);
	status = folder_make(directory, &(struct folder_use){library, slice, metric, NULL},
	                     &out->folder, error);
	if (status || !derives)
		return status;
	/* If tables for captures are missing, only the candidates that derive captures fail. */
	out->derived =
		el_library_derive(library, &out->planes, EL_DERIVE_CAPTURES, watch, &out->why_not);
	return out->derived == EL_STOPPED ? el_fail(error, EL_STOPPED, "%s", out->why_not.text)
	                                  : EL_OK;
}

void slice_close(struct slice_ground *s)
{
	el_planes_free(&s->planes);
	folder_remove(&s->folder);
}

/* Runs once for all candidates whose codecs do not weigh orders themselves, since there may be many
   orders to try. */
static enum el_status find_best(struct slice_ground *s, const struct el_table_options *options,
                                const struct el_watch *watch, struct el_order out[2],
                                struct el_error *error)
{
	const enum el_derive captures = options->derive & EL_DERIVE_CAPTURES;
	const bool own = options->codec.codec->weigh;
	enum el_status status = EL_OK;
	for (unsigned p = 0; p < s->planes.slice.planes && !status; p++) {
		if (own || !s->ordered[captures])
			status = view_best_order(
				&(struct view_task){&s->planes, p, options, s->folder.table, watch},
				&out[p], error);
		else
			out[p] = s->best[captures][p];
	}
	if (!own && !status) {
		memcpy(s->best[captures], out, sizeof s->best[captures]);
		s->ordered[captures] = true;
	}
	return status;
}

enum el_status slice_options(struct slice_ground *s, const struct el_table_options *options,
                             const struct el_watch *watch, struct el_table_options *out,
                             struct el_error *error)
{
	*out = *options;
	const enum el_derive captures = options->derive & EL_DERIVE_CAPTURES;
	if (captures && s->derived)
		return el_fail(error, s->derived, "%s", s->why_not.text);
	enum el_status status = EL_OK;
	if (options->ordering != EL_ORDER_BEST && options->ordering != EL_ORDER_SMALLEST)
		return status;
	if (options->ordering == EL_ORDER_SMALLEST)
		status = table_smallest_orders(s->folder.table, &s->planes, options, watch,
		                               out->order, error);
	else
		status = find_best(s, options, watch, out->order, error);
	if (status)
		return status;
	out->ordering =
		out->order[0].count || out->order[1].count ? EL_ORDER_GIVEN : EL_ORDER_INDEX;
	return EL_OK;
}
