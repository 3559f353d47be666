/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which tables the library has, and why it lacks one. */
#include "visit.h"

#include <string.h>

bool el_library_covers(struct el_library *l, const struct el_slice *slice,
                       const struct el_metric *metric)
{
	const struct visit visit = library_enter(l);
	const bool covers = catalogue_find(visit.catalogue, slice, metric);
	library_leave(visit);
	return covers;
}

bool el_library_only_foreign(struct el_library *l, const struct el_slice *slice,
                             const struct el_metric *metric)
{
	const struct visit visit = library_enter(l);
	const struct el_source *found = catalogue_find(visit.catalogue, slice, metric);
	const bool foreign = found && !found->ops->read;
	library_leave(visit);
	return foreign;
}

/* Why there is no table of a slice under just this metric. */
static enum el_status tell_why(struct el_library *library, const struct catalogue *c,
                               const struct el_slice *slice, const struct el_metric *metric,
                               struct el_error *error)
{
	const struct route *route = catalogue_route(c, slice->game, slice->key);
	for (const struct holding *h = route ? route->faults : NULL; h; h = h->next)
		if (h->metric == metric)
			return catalogue_tell(h, error);
	return el_fail(error, EL_NEGATIVE, "no %s table of %s in %s", metric->name, slice->name,
	               el_library_directory(library));
}

/* The least of a list that is greater than `after`, unless `best` is less. */
static const struct el_metric *next_in(const struct holding *list, const struct el_metric *after,
                                       const struct el_metric *best)
{
	for (const struct holding *h = list; h; h = h->next)
		if ((!after || el_metric_compare(h->metric, after) > 0) &&
		    (!best || el_metric_compare(h->metric, best) < 0))
			best = h->metric;
	return best;
}

const struct el_metric *el_library_next_metric(struct el_library *library,
                                               const struct el_slice *slice,
                                               const struct el_metric *metric)
{
	const struct visit visit = library_enter(library);
	const struct route *route = catalogue_route(visit.catalogue, slice->game, slice->key);
	const struct el_metric *next = route ? next_in(route->tables, metric, NULL) : NULL;
	next = route ? next_in(route->faults, metric, next) : NULL;
	library_leave(visit);
	return next;
}

/* A null `path` asks only whether there is a file. */
enum el_status library_path(struct el_library *library, const struct el_slice *slice,
                            const struct el_metric *metric, const struct el_source_ops **kind,
                            char **path, struct el_error *error)
{
	const struct visit visit = library_enter(library);
	const struct el_source *source = catalogue_find(visit.catalogue, slice, metric);
	enum el_status status = EL_OK;
	if (!source)
		status = tell_why(library, visit.catalogue, slice, metric, error);
	else if (source->check == EL_CHECK_DAMAGED)
		status = el_fail(error, EL_DAMAGED, "%s", source->fault);
	else if (path && !(*path = strdup(source->path)))
		status = el_fail(error, EL_MEMORY, "%s: out of memory", slice->name);
	else if (path)
		*kind = source->ops;
	library_leave(visit);
	return status;
}

enum el_status el_library_find(struct el_library *library, const struct el_slice *slice,
                               const struct el_metric *metric, struct el_error *error)
{
	return library_path(library, slice, metric, NULL, NULL, error);
}
