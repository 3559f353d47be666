/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole tables in memory: what the file says, put right where it leaves values to be derived. */
#include "core/library/reads.h"
#include "probed.h"

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

/* Opens the file anew, so that nobody waits while all of it is read. */
enum el_status el_library_planes(struct el_library *library, const struct el_slice *slice,
                                 const struct el_metric *metric, const struct el_watch *watch,
                                 struct el_planes *out, struct el_error *error)
{
	const struct el_source_ops *kind;
	char *path;
	enum el_status status = library_path(library, slice, metric, &kind, &path, error);
	if (status)
		return status;
	struct el_table_info info;
	status = read_whole(library, &(struct whole){kind, path}, watch, &info, out, error);
	if (!status && (info.slice.key != slice->key || info.metric != metric)) {
		status = el_fail(error, EL_DAMAGED, "%s: expected %s %s, found %s %s", path,
		                 slice->name, metric->name, info.slice.name, info.metric->name);
		el_planes_free(out);
	}
	free(path);
	return status;
}
