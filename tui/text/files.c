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

bool place_of_typed(const char *typed, char out[PATH_MAX])
{
	const char *home = getenv("HOME");
	const bool below = home && *typed == '~' && (!typed[1] || typed[1] == '/');
	return snprintf(out, PATH_MAX, "%s%s", below ? home : "", typed + below) < PATH_MAX;
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

/* Where a path leads, or a link to a file that is not there yet; null without memory. */
static char *past_links(const char *path)
{
	char link[PATH_MAX], *past = realpath(path, NULL);
	if (past)
		return past;
	const ssize_t length = readlink(path, link, sizeof link - 1);
	if (length < 0)
		return strdup(path);
	link[length] = '\0';
	const char *slash = strrchr(path, '/');
	const int folder = *link == '/' || !slash ? 0 : (int)(slash - path) + 1;
	return asprintf(&past, "%.*s%s", folder, path, link) < 0 ? NULL : past;
}

enum el_status whole_file_open(const char *path, struct whole_file *out, struct el_error *error)
{
	struct stat is;
	*out = (struct whole_file){.path = path, .real = past_links(path)};
	enum el_status status = out->real ? el_temporary_file(out->real, &out->temporary, error)
	                                  : el_fail(error, EL_MEMORY, "%s: out of memory", path);
	if (status) {
		free(out->real);
		return status;
	}
	if (!stat(out->real, &is) && S_ISREG(is.st_mode)) {
		/* Another group must not get the rights of the old one. */
		const int fd = out->temporary.fd;
		const bool keeps =
			!fchown(fd, is.st_uid, is.st_gid) || !fchown(fd, (uid_t)-1, is.st_gid);
		fchmod(fd, is.st_mode & (keeps ? 0777 : 0707));
	}
	const int fd = dup(out->temporary.fd);
	out->stream = fd < 0 ? NULL : fdopen(fd, "w");
	if (out->stream)
		return EL_OK;
	if (fd >= 0)
		close(fd);
	el_temporary_remove(&out->temporary);
	free(out->real);
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
		status = el_temporary_publish(&file->temporary, file->real, error);
	free(file->real);
	*file = (struct whole_file){0};
	return status;
}
