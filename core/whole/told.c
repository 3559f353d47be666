/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole slices under metrics that other tables tell. */
#include "core/library/library.h"
#include "whole.h"

const struct el_metric *el_library_teller(struct el_library *library, const struct el_slice *slice,
                                          const struct el_metric *metric)
{
	const struct el_metric *from = NULL;
	if (el_library_find(library, slice, metric, NULL) != EL_NEGATIVE)
		return metric;
	while ((from = el_library_next_metric(library, slice, from)))
		if (el_metric_tells(from, metric) && !el_library_find(library, slice, from, NULL))
			break;
	return from;
}

enum el_status el_library_planes_from(struct el_library *library, const struct el_slice *slice,
                                      const struct el_metric *from, const struct el_metric *metric,
                                      const struct el_watch *watch, struct el_planes *out,
                                      struct el_error *error)
{
	struct el_planes planes;
	if (from == metric)
		return el_library_planes(library, slice, metric, watch, out, error);
	enum el_status status = el_library_planes(library, slice, from, watch, &planes, error);
	if (status)
		return status;
	status = el_planes_read(&planes, metric, out, error);
	el_planes_free(&planes);
	return status;
}

enum el_status el_library_planes_told(struct el_library *library, const struct el_slice *slice,
                                      const struct el_metric *metric, const struct el_watch *watch,
                                      struct el_planes *out, struct el_error *error)
{
	const struct el_metric *from = el_library_teller(library, slice, metric);
	return el_library_planes_from(library, slice, from ? from : metric, metric, watch, out,
	                              error);
}
