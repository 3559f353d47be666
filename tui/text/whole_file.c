/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "whole_file.h"

#include <unistd.h>

enum el_status whole_file_open(const char *path, struct whole_file *out, struct el_error *error)
{
	*out = (struct whole_file){.path = path};
	enum el_status status = el_temporary_file(path, &out->temporary, error);
	if (status)
		return status;
	const int fd = dup(out->temporary.fd);
	out->stream = fd < 0 ? NULL : fdopen(fd, "w");
	if (out->stream)
		return EL_OK;
	if (fd >= 0)
		close(fd);
	el_temporary_remove(&out->temporary);
	return el_fail(error, EL_IO, "%s: cannot create: %m", path);
}

enum el_status whole_file_close(struct whole_file *file, enum el_status status,
                                struct el_error *error)
{
	if (!file->stream)
		return status;
	const bool written = !fflush(file->stream) && !ferror(file->stream);
	if (!status && !written)
		status = el_fail(error, EL_IO, "%s: cannot write: %m", file->path);
	if (fclose(file->stream) && !status)
		status = el_fail(error, EL_IO, "%s: cannot close: %m", file->path);
	if (status)
		el_temporary_remove(&file->temporary);
	else
		status = el_temporary_publish(&file->temporary, file->path, error);
	*file = (struct whole_file){0};
	return status;
}
