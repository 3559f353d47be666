/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tables.h"
#include "core/whole/whole.h"

#include <stdio.h>
#include <string.h>

enum el_status tables_tick(const struct outputs *outputs, const struct el_planes *planes,
                           uint64_t done, uint64_t total, struct el_error *error)
{
	char what[EL_SLICE_MAX + 16];
	snprintf(what, sizeof what, "%s %s", planes->slice.name, planes->metric->name);
	const struct el_progress progress = {
		.stage = "writing",
		.what = what,
		.done = (double)done,
		.total = (double)total,
		.unit = "positions",
	};
	return el_watch_tick(outputs->export->watch, &progress)
	               ? EL_OK
	               : el_fail(error, EL_STOPPED, "%s: stopped", what);
}

static enum el_status no_table(const struct el_export *e, const struct el_metric *metric,
                               struct el_error *error)
{
	return el_fail(error, EL_NEGATIVE,
	               "no %s%stable of %s in %s; run 'endlab build %s%s%s' to build it",
	               metric ? metric->name : "", metric ? " " : "", e->slice.name,
	               el_library_directory(e->library), e->slice.name, metric ? " --metric " : "",
	               metric ? metric->name : "");
}

static enum el_status write_one(const struct el_export *e, const struct table_form *form,
                                const struct el_metric *metric, struct el_error *error)
{
	struct outputs outputs = {.export = e};
	struct el_planes planes;
	enum el_status status = form->add(&outputs, metric, error);
	if (!status && !el_library_teller(e->library, &e->slice, metric))
		status = no_table(e, metric, error);
	if (!status)
		status = el_library_planes_told(e->library, &e->slice, metric, e->watch, &planes,
		                                error);
	if (!status) {
		el_planes_mark_broken(&planes);
		status = form->fill(&outputs, &planes, error);
		el_planes_free(&planes);
	}
	if (!status)
		return outputs_publish(&outputs, error);
	outputs_remove(&outputs);
	return status;
}

enum el_status tables_write(const struct el_export *e, const struct table_form *form,
                            struct el_error *error)
{
	const struct el_metric *metric = NULL, *before = NULL;
	enum el_status status = EL_OK;
	if (e->metric)
		return write_one(e, form, e->metric, error);
	while (!status && (metric = el_library_next_metric(e->library, &e->slice, metric))) {
		/* Files are named after metrics. A metric that another program counts in its own
		   way has the same name as ours, which comes first. */
		if ((before && !strcmp(before->name, metric->name)) ||
		    el_library_find(e->library, &e->slice, metric, NULL) == EL_NEGATIVE)
			continue;
		status = write_one(e, form, metric, error);
		before = metric;
	}
	return before ? status : no_table(e, NULL, error);
}
