/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool place(const char *variable, const char *below_home, const char *name,
                  char out[PATH_MAX])
{
	const char *folder = getenv(variable), *home = getenv("HOME");
	const char *slash = *name ? "/" : "";
	int length = 0;
	if (folder && *folder == '/')
		length = snprintf(out, PATH_MAX, "%s/endlab%s%s", folder, slash, name);
	else if (home && *home)
		length = snprintf(out, PATH_MAX, "%s/%s/endlab%s%s", home, below_home, slash, name);
	return length > 0 && length < PATH_MAX;
}

bool place_of_state(const char *name, char out[PATH_MAX])
{
	return place("XDG_STATE_HOME", ".local/state", name, out);
}

bool place_of_cache(const char *name, char out[PATH_MAX])
{
	return place("XDG_CACHE_HOME", ".cache", name, out);
}

void place_make_folders(const char *file)
{
	char path[PATH_MAX];
	if (snprintf(path, sizeof path, "%s", file) >= PATH_MAX)
		return;
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

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
