/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "directory.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* A directory with all those above it. */
static enum el_status make_all(const char *path, struct el_error *error)
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

static enum el_status lock_file(const char *directory, int *lock, struct el_error *error)
{
	int dir = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int fd = dir < 0 ? -1 : openat(dir, ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	int reason = errno;
	if (dir >= 0)
		close(dir);
	if (fd < 0)
		return el_fail(error, EL_IO, "%s/.lock: %s", directory, strerror(reason));
	if (!flock(fd, LOCK_EX | LOCK_NB)) {
		*lock = fd;
		return EL_OK;
	}
	reason = errno;
	close(fd);
	if (reason == EWOULDBLOCK)
		return el_fail(error, EL_NEGATIVE, "another build is running in %s", directory);
	return el_fail(error, EL_IO, "%s/.lock: cannot lock: %s", directory, strerror(reason));
}

/* Is this NAME.egt.tmp.PID, and that process gone? */
static bool is_stale(const char *name)
{
	static const char mark[] = ".egt.tmp.";
	const char *at = strstr(name, mark);
	if (!at)
		return false;
	const char *digits = at + sizeof mark - 1;
	if (!isdigit((unsigned char)*digits) || digits[strspn(digits, "0123456789")])
		return false;
	errno = 0;
	long pid = strtol(digits, NULL, 10);
	if (errno || pid <= 0 || pid != (pid_t)pid)
		return true;
	return kill((pid_t)pid, 0) && errno == ESRCH;
}

/* Best effort: what cannot be removed costs space and nothing else. */
static void remove_stale(const char *directory)
{
	DIR *dir = opendir(directory);
	if (!dir)
		return;
	for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir))
		if (is_stale(entry->d_name))
			unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
}

enum el_status directory_take(const char *path, int *lock, struct el_error *error)
{
	enum el_status status = make_all(path, error);
	if (status == EL_OK)
		status = lock_file(path, lock, error);
	if (status == EL_OK)
		remove_stale(path);
	return status;
}

void directory_release(int lock)
{
	close(lock);
}
