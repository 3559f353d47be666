/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "outputs.h"

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
	for (const char *at = bytes; size;) {
		const ssize_t written = pwrite(file->temporary.fd, at, size, (off_t)offset);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return el_fail(error, EL_IO, "%s: cannot write: %m", file->path);
		at += written;
		offset += (uint64_t)written;
		size -= (size_t)written;
	}
	return EL_OK;
}

enum el_status outputs_publish(struct outputs *outputs, struct el_error *error)
{
	const struct el_export *e = outputs->export;
	enum el_status status = EL_OK;
	for (size_t i = 0; i < outputs->count && !status; i++) {
		struct output *file = &outputs->file[i];
		struct stat is = {0};
		fstat(file->temporary.fd, &is);
		status = el_temporary_publish(&file->temporary, file->path, error);
		if (!status && e->written)
			e->written(e->context, file->path, (uint64_t)is.st_size);
	}
	outputs_remove(outputs);
	return status;
}

void outputs_remove(struct outputs *outputs)
{
	for (size_t i = 0; i < outputs->count; i++) {
		el_temporary_remove(&outputs->file[i].temporary);
		free(outputs->file[i].path);
	}
	outputs->count = 0;
}
