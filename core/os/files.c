/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files.h"

#include "descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum el_status file_not_regular(const char *path, mode_t mode, struct el_error *error)
{
	const char *kind = S_ISDIR(mode)    ? "a folder"
	                   : S_ISFIFO(mode) ? "a pipe"
	                   : S_ISSOCK(mode) ? "a socket"
	                                    : "a device";
	return el_fail(error, EL_IO, "%s: found %s, expected a file", path, kind);
}

bool file_is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Opens for reading; if the process has too many files open, closes those that are kept but not in
   use. */
static int open_input(const char *path)
{
	const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
	int fd = open(path, flags);
	if (fd >= 0 || errno != EMFILE)
		return fd;
	descriptors_close(NULL);
	return open(path, flags);
}

enum el_status input_open(const char *path, struct input *out, struct el_error *error)
{
	*out = (struct input){.path = strdup(path)};
	if (!out->path)
		return el_fail(error, EL_MEMORY, "%s: out of memory", path);
	/* Opening a pipe would wait for a writer, and opening a device may do anything. */
	if (stat(path, &out->is))
		return el_fail(error, EL_IO, "%s: cannot open: %m", path);
	if (!S_ISREG(out->is.st_mode))
		return file_not_regular(path, out->is.st_mode, error);
	enum el_status status = EL_OK;
	const int fd = open_input(path);
	if (fd < 0 || fstat(fd, &out->is))
		status = el_fail(error, EL_IO, "%s: cannot open: %m", path);
	else if (!S_ISREG(out->is.st_mode))
		status = file_not_regular(path, out->is.st_mode, error);
	if (fd >= 0)
		close(fd);
	return status;
}

void input_close(struct input *input)
{
	descriptors_close(input);
	free(input->path);
	input->path = NULL;
}

static enum el_status read_all(int fd, const struct input *input, const char *what, uint8_t *out,
                               size_t size, uint64_t offset, struct el_error *error)
{
	for (size_t done = 0; done < size;) {
		ssize_t got = pread(fd, out + done, size - done, (off_t)(offset + done));
		if (got < 0)
			return el_fail(error, EL_IO, "%s: %s: cannot read: %m", input->path, what);
		if (got == 0)
			return el_fail(error, EL_DAMAGED,
			               "%s: %s: expected %zu bytes at %" PRIu64 ", found %zu",
			               input->path, what, size, offset, done);
		done += (size_t)got;
	}
	return EL_OK;
}

enum el_status input_read(const struct input *input, const char *what, void *out, size_t size,
                          uint64_t offset, struct el_error *error)
{
	struct descriptor *kept = descriptor_take(input);
	if (!kept) {
		struct stat now;
		enum el_status status = EL_OK;
		const int fd = open_input(input->path);
		if (fd < 0 || fstat(fd, &now))
			status = el_fail(error, EL_IO, "%s: cannot open: %m", input->path);
		else if (!file_is_same(&input->is, &now))
			status = el_fail(error, EL_IO, "%s: changed since it was opened",
			                 input->path);
		if (status && fd >= 0)
			close(fd);
		if (status)
			return status;
		kept = descriptor_keep(input, fd);
		if (!kept) {
			status = read_all(fd, input, what, out, size, offset, error);
			close(fd);
			return status;
		}
	}
	enum el_status status =
		read_all(descriptor_number(kept), input, what, out, size, offset, error);
	descriptor_give_back(kept);
	return status;
}

enum el_status output_open(const char *path, int flags, int *out, struct el_error *error)
{
	struct stat is;
	const int fd =
		open(path, flags | O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
	if (fd < 0 && errno == ELOOP)
		return el_fail(error, EL_IO,
		               "%s: found a symbolic link, and nothing is written through one",
		               path);
	if (fd < 0)
		return el_fail(error, EL_IO, "%s: cannot open: %m", path);
	if (fstat(fd, &is) || !S_ISREG(is.st_mode)) {
		close(fd);
		return el_fail(error, EL_IO, "%s: expected a file", path);
	}
	*out = fd;
	return EL_OK;
}

enum el_status file_sync_folder(const char *path, struct el_error *error)
{
	char *copy = strdup(path);
	if (!copy)
		return el_fail(error, EL_MEMORY, "%s: out of memory", path);
	int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool synced = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL);
	enum el_status status = synced ? EL_OK : el_fail(error, EL_IO, "%s: cannot sync: %m", copy);
	if (fd >= 0)
		close(fd);
	free(copy);
	return status;
}

/* ---- directories ---- */

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
