/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "directory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static enum el_status make_one(const char *path, struct el_error *error)
{
	if (!mkdir(path, 0777))
		return EL_OK;
	int reason = errno;
	struct stat s;
	if (reason == EEXIST && !stat(path, &s) && S_ISDIR(s.st_mode))
		return EL_OK;
	if (reason == EEXIST)
		return el_fail(error, EL_IO, "%s: expected a directory, found a file", path);
	return el_fail(error, EL_IO, "%s: cannot create the directory: %s", path, strerror(reason));
}

enum el_status directory_make(const char *path, struct el_error *error)
{
	char *copy = strdup(path);
	if (!copy)
		return el_fail(error, EL_MEMORY, "out of memory");
	enum el_status status = EL_OK;
	for (char *slash = strchr(copy + (*copy == '/'), '/'); slash && status == EL_OK;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		status = make_one(copy, error);
		*slash = '/';
	}
	if (status == EL_OK)
		status = make_one(copy, error);
	free(copy);
	return status;
}
