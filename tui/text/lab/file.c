/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report.h"

#include <stdlib.h>
#include <unistd.h>

enum el_status lab_file_open(const char *path, struct lab_file *out, struct el_error *error)
{
	*out = (struct lab_file){.path = path};
	if (asprintf(&out->temporary, "%s.tmp.%ld", path, (long)getpid()) < 0) {
		out->temporary = NULL;
		return el_fail(error, EL_MEMORY, "%s: out of memory", path);
	}
	out->stream = fopen(out->temporary, "we");
	if (out->stream)
		return EL_OK;
	enum el_status status = el_fail(error, EL_IO, "%s: cannot create: %m", path);
	free(out->temporary);
	*out = (struct lab_file){0};
	return status;
}

enum el_status lab_file_close(struct lab_file *file, enum el_status status, struct el_error *error)
{
	if (!file->stream)
		return status;
	const bool written =
		!fflush(file->stream) && !ferror(file->stream) && !fsync(fileno(file->stream));
	if (!status && !written)
		status = el_fail(error, EL_IO, "%s: cannot write: %m", file->path);
	if (fclose(file->stream) && !status)
		status = el_fail(error, EL_IO, "%s: cannot close: %m", file->path);
	if (!status && rename(file->temporary, file->path))
		status = el_fail(error, EL_IO, "%s: cannot rename: %m", file->path);
	if (status)
		unlink(file->temporary);
	free(file->temporary);
	*file = (struct lab_file){0};
	return status;
}
