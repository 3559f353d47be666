/* SPDX-License-Identifier: MIT */
#include "arrays.h"
#include "core/os/files.h"
#include "core/whole/whole.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum el_status outputs_add(struct outputs *outputs, const char *ending, struct el_error *error)
{
	const struct el_export *export = outputs->export;
	struct output *file = &outputs->file[outputs->count];
	const char *slash = export->directory[strlen(export->directory) - 1] == '/' ? "" : "/";
	char name[EL_SLICE_MAX];
	struct stat is;
	/* Lists of folders use colons as separators, so file names must have none. */
	strcpy(name, export->slice.name);
	for (char *at = name; (at = strchr(at, ':'));)
		*at = '-';
	*file = (struct output){0};
	if (asprintf(&file->path, "%s%s%s%s", export->directory, slash, name, ending) < 0) {
		file->path = NULL;
		return el_fail(error, EL_MEMORY, "%s: out of memory", export->slice.name);
	}
	outputs->count++;
	if (!export->replace && !lstat(file->path, &is))
		return el_fail(error, EL_USAGE, "%s: the file exists; use --replace to replace it",
		               file->path);
	return el_temporary_file(file->path, &file->temporary, error);
}

enum el_status output_write(const struct output *file, const void *bytes, size_t size,
                            uint64_t offset, struct el_error *error)
{
	return file_transfer(file->temporary.fd, (void *)(uintptr_t)bytes, size, offset, true)
	               ? EL_OK
	               : el_fail(error, EL_IO, "%s: cannot write: %m", file->path);
}

enum el_status outputs_publish(struct outputs *outputs, enum el_status status,
                               struct el_error *error)
{
	const struct el_export *e = outputs->export;
	/* A disk may refuse late what it seemed to take: ask it about all before one gets its name. */
	for (size_t i = 0; !status && i < outputs->count; i++)
		if (fsync(outputs->file[i].temporary.fd))
			status =
				el_fail(error, EL_IO, "%s: cannot sync: %m", outputs->file[i].path);
	for (size_t i = 0; i < outputs->count; i++) {
		struct output *file = &outputs->file[i];
		struct stat is = {0};
		if (!status) {
			fstat(file->temporary.fd, &is);
			status = el_temporary_publish(&file->temporary, file->path, error);
			if (!status && e->written)
				e->written(e->context, file->path, (uint64_t)is.st_size);
		}
		el_temporary_remove(&file->temporary);
		free(file->path);
	}
	return status;
}

/* ---- tables of one metric ---- */

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

enum el_status tables_lack(const struct el_export *e, const struct el_metric *metric,
                           struct el_error *error)
{
	return el_fail(error, EL_NEGATIVE,
	               "no %s%stable of %s in %s; run 'endlab build %s%s%s' to build it",
	               metric ? metric->name : "", metric ? " " : "", e->slice.name,
	               el_library_directory(e->library), e->slice.name, metric ? " --metric " : "",
	               metric ? metric->name : "");
}

static enum el_status write_one(const struct el_export *e, const struct el_export_format *form,
                                const struct el_metric *metric, struct el_error *error)
{
	struct outputs outputs = {.export = e};
	struct el_planes planes;
	struct array list[ARRAYS_MAX];
	const size_t count = arrays_list(&e->slice, metric, list);
	enum el_status status = EL_OK;
	char name[64];
	for (size_t i = 0; i < count && form->with_arrays && !status; i++) {
		snprintf(name, sizeof name, ".%s.%s.%s.%s", metric->name,
		         array_side_names[el_slice_mover(&e->slice, list[i].plane)],
		         array_part_names[list[i].part], form->name);
		status = outputs_add(&outputs, name, error);
	}
	snprintf(name, sizeof name, ".%s.%s", metric->name, form->name);
	if (!form->with_arrays)
		status = outputs_add(&outputs, name, error);
	strcat(name, ".json");
	if (!status)
		status = outputs_add(&outputs, name, error);
	if (!status && !el_library_teller(e->library, &e->slice, metric))
		status = tables_lack(e, metric, error);
	if (!status)
		status = el_library_planes_told(e->library, &e->slice, metric, e->watch, &planes,
		                                error);
	if (!status) {
		el_planes_mark_broken(&planes);
		status = form->fill(&outputs, &planes, form->with_header, error);
		if (!status)
			status = describe(&outputs, &planes, form->with_arrays, error);
		el_planes_free(&planes);
	}
	return outputs_publish(&outputs, status, error);
}

enum el_status tables_write(const struct el_export_format *form, const struct el_export *e,
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
	return before ? status : tables_lack(e, NULL, error);
}
