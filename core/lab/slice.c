/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slice that a run is about: its true values, what captures tell of them, its best orders. */
#include "run.h"

#include "../solve/lender.h"
#include "../store/table_view.h"

/* What is missing for derived captures spoils the candidates that want them, not the others. */
static enum el_status derive(struct slice_ground *s, const struct el_watch *watch,
                             struct el_error *error)
{
	s->derived = el_library_derive(s->library, &s->planes, watch, &s->why_not);
	return s->derived == EL_STOPPED ? el_fail(error, EL_STOPPED, "%s", s->why_not.text) : EL_OK;
}

enum el_status slice_open(struct el_library *library, const struct el_slice *slice,
                          const struct el_metric *metric, const char *directory, bool derives,
                          const struct el_watch *watch, struct slice_ground *out,
                          struct el_error *error)
{
	*out = (struct slice_ground){.library = library, .derived = EL_USAGE};
	enum el_status status = planes_obtain_bounds(library, slice, metric, &out->planes, error);
	if (status)
		return status;
	el_planes_mark_broken(&out->planes);
	status = folder_make(directory, &(struct folder_use){library, slice, metric, NULL},
	                     &out->folder, error);
	return status || !derives ? status : derive(out, watch, error);
}

void slice_close(struct slice_ground *s)
{
	el_planes_free(&s->planes);
	folder_remove(&s->folder);
}

/* Once for all candidates: there may be many orders to try. */
static enum el_status find_best(struct slice_ground *s, enum el_derive derives,
                                const struct el_watch *watch, struct el_error *error)
{
	enum el_status status = EL_OK;
	for (unsigned p = 0; p < s->planes.slice.planes && !status && !s->ordered[derives]; p++)
		status =
			view_best_order(&s->planes, p, derives, watch, &s->best[derives][p], error);
	s->ordered[derives] = !status;
	return status;
}

enum el_status slice_options(struct slice_ground *s, const struct el_table_options *options,
                             const struct el_watch *watch, struct el_table_options *out,
                             struct el_error *error)
{
	*out = *options;
	if (options->derive == EL_DERIVE_CAPTURES && s->derived)
		return el_fail(error, s->derived, "%s", s->why_not.text);
	if (options->ordering != EL_ORDER_BEST)
		return EL_OK;
	enum el_status status = find_best(s, options->derive, watch, error);
	if (status)
		return status;
	memcpy(out->order, s->best[options->derive], sizeof out->order);
	out->ordering =
		out->order[0].count || out->order[1].count ? EL_ORDER_GIVEN : EL_ORDER_INDEX;
	return EL_OK;
}
