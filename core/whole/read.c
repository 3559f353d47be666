/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole tables in memory: what the file says, put right where it leaves values to be derived. */
#include "core/table/table.h"

#include "core/probe/probe.h"
#include "core/library/reads.h"

#include <stdlib.h>
#include <string.h>

/* A file and its kind. */
struct whole {
	const struct el_source_ops *ops;
	const char *path;
};

static enum el_status read_foreign(struct el_library *library, const struct whole *file,
                                   const struct el_watch *watch, struct el_table_info *info,
                                   struct el_planes *out, struct el_error *error)
{
	struct stat is = {0};
	stat(file->path, &is); /* a file that is not there cannot be read either */
	enum el_status status =
		probe_planes(library, file->ops, file->path, watch, info, out, error);
	if (!status)
		out->origin = (struct el_origin){info->metric, file_identity(&is), true};
	return status;
}

static enum el_status read_whole(struct el_library *library, const struct whole *file,
                                 const struct el_watch *watch, struct el_table_info *info,
                                 struct el_planes *out, struct el_error *error)
{
	if (!file->ops->read)
		return read_foreign(library, file, watch, info, out, error);
	enum el_status status = file->ops->read(file->path, info, out, error);
	if (status)
		return status;
	const bool is_derived = info->options.derive != EL_DERIVE_NOTHING;
	out->origin = (struct el_origin){info->metric, info->checksum, is_derived};
	if (!is_derived)
		return EL_OK;
	status = el_library_complete(library, out, file->path, info, watch, error);
	if (status)
		el_planes_free(out);
	return status;
}

enum el_status el_library_read(struct el_library *library, const char *path,
                               const struct el_watch *watch, struct el_table_info *info,
                               struct el_planes *out, struct el_error *error)
{
	struct el_table_info unasked;
	const struct el_source_ops *kind = el_source_kind_of(path);
	const struct whole file = {kind ? kind : &el_source_egt, path};
	return read_whole(library, &file, watch, info ? info : &unasked, out, error);
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

/* *path, which the caller frees, is that of `out`; a null `path` asks only whether there is one. */
static enum el_status find_whole(struct el_library *library, const struct el_slice *slice,
                                 const struct el_metric *metric, struct whole *out, char **path,
                                 struct el_error *error)
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
	else
		*out = (struct whole){source->ops, path ? *path : NULL};
	library_leave(visit);
	return status;
}

enum el_status library_path(struct el_library *library, const struct el_slice *slice,
                            const struct el_metric *metric, char **path, struct el_error *error)
{
	struct whole file;
	return find_whole(library, slice, metric, &file, path, error);
}

enum el_status el_library_find(struct el_library *library, const struct el_slice *slice,
                               const struct el_metric *metric, struct el_error *error)
{
	struct whole file;
	return find_whole(library, slice, metric, &file, NULL, error);
}

/* Opens the file anew, so that nobody waits while all of it is read. */
enum el_status el_library_planes(struct el_library *library, const struct el_slice *slice,
                                 const struct el_metric *metric, const struct el_watch *watch,
                                 struct el_planes *out, struct el_error *error)
{
	struct whole file = {NULL, NULL};
	char *path;
	enum el_status status = find_whole(library, slice, metric, &file, &path, error);
	if (status)
		return status;
	struct el_table_info info;
	status = read_whole(library, &file, watch, &info, out, error);
	if (!status && (info.slice.key != slice->key || info.metric != metric)) {
		status = el_fail(error, EL_DAMAGED, "%s: expected %s %s, found %s %s", path,
		                 slice->name, metric->name, info.slice.name, info.metric->name);
		el_planes_free(out);
	}
	free(path);
	return status;
}
