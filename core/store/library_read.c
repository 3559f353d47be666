/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole tables in memory: what the file says, put right where it leaves values to be derived. */
#include "endlab/table.h"

#include "probe.h"

#include <stdlib.h>
#include <string.h>

/* A file of a kind that can be read as a whole. */
struct whole {
	const struct el_source_ops *ops;
	const char *path;
};

static enum el_status read_whole(struct el_library *library, const struct whole *file,
                                 const struct el_watch *watch, struct el_table_info *info,
                                 struct el_planes *out, struct el_error *error)
{
	enum el_status status = file->ops->read(file->path, info, out, error);
	if (status || info->options.derive != EL_DERIVE_CAPTURES)
		return status;
	status = el_library_complete(library, out, info->partial, watch, error);
	if (status)
		el_planes_free(out);
	return status;
}

enum el_status el_library_read(struct el_library *library, const char *path,
                               const struct el_watch *watch, struct el_table_info *info,
                               struct el_planes *out, struct el_error *error)
{
	struct el_table_info unasked;
	return read_whole(library, &(struct whole){&el_source_egt, path}, watch,
	                  info ? info : &unasked, out, error);
}

/* False when there is no such table, or no memory. The path is the caller's to free. */
static bool find_whole(struct el_library *library, const struct el_slice *slice,
                       const struct el_metric *metric, const struct el_source_ops **ops,
                       char **path)
{
	const struct el_source *source = catalogue_find(library_enter(library), slice, metric);
	const bool whole = source && source->ops->read;
	*path = whole ? strdup(source->path) : NULL;
	*ops = whole ? source->ops : NULL;
	library_leave(library);
	return *path != NULL;
}

/* Opens the file anew, so that nobody waits while all of it is read. */
enum el_status el_library_planes(struct el_library *library, const struct el_slice *slice,
                                 const struct el_metric *metric, struct el_planes *out,
                                 struct el_error *error)
{
	const struct el_source_ops *ops;
	char *path;
	if (!find_whole(library, slice, metric, &ops, &path))
		return el_fail(error, EL_NEGATIVE, "no %s table of %s in %s", metric->name,
		               slice->name, el_library_directory(library));
	struct el_table_info info;
	enum el_status status =
		read_whole(library, &(struct whole){ops, path}, NULL, &info, out, error);
	if (!status && (info.slice.key != slice->key || info.metric != metric)) {
		status = el_fail(error, EL_DAMAGED, "%s: expected %s %s, found %s %s", path,
		                 slice->name, metric->name, info.slice.name, info.metric->name);
		el_planes_free(out);
	}
	free(path);
	return status;
}
