/* SPDX-License-Identifier: MIT */
#include "copies.h"

#include "core/os/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct copies {
	pthread_mutex_t lock;
	unsigned holders;
	struct el_temporary folder;
	/* The folder of builds, with a shared lock on it; owned; null: there is none. */
	char *kept;
	int kept_fd;
};

struct copies *copies_new(void)
{
	struct copies *c = calloc(1, sizeof *c);
	if (c)
		pthread_mutex_init(&c->lock, NULL);
	return c;
}

void copies_free(struct copies *c)
{
	if (c)
		pthread_mutex_destroy(&c->lock);
	free(c);
}

void copies_hold(struct copies *c)
{
	pthread_mutex_lock(&c->lock);
	c->holders++;
	pthread_mutex_unlock(&c->lock);
}

/* Has no other program of this machine the folder of builds? On file systems that cannot lock, none seems to. */
static bool is_alone(const struct copies *c)
{
	return c->kept && (!flock(c->kept_fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK);
}

void copies_let_go(struct copies *c)
{
	pthread_mutex_lock(&c->lock);
	if (!--c->holders) {
		el_temporary_remove(&c->folder);
		/* A later build takes over what is in it, unless there is nothing. */
		if (is_alone(c))
			rmdir(c->kept);
		if (c->kept)
			close(c->kept_fd);
		free(c->kept);
		c->kept = NULL;
	}
	pthread_mutex_unlock(&c->lock);
}

enum el_status copies_make(struct copies *c, const char *parent, struct el_error *error)
{
	pthread_mutex_lock(&c->lock);
	const enum el_status status =
		c->kept || c->folder.path ? EL_OK : el_temporary_folder(parent, &c->folder, error);
	pthread_mutex_unlock(&c->lock);
	return status;
}

/* Opens and locks a folder, which is made if need be. -1 on failure, with errno set. */
static int open_kept(const char *path)
{
	struct stat opened, named;
	for (;;) {
		if (mkdir(path, 0777) && errno != EEXIST)
			return -1;
		const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0 && errno != ENOENT)
			return -1;
		if (fd >= 0)
			flock(fd, LOCK_SH);
		/* Until we had the lock, another build may have removed it. */
		if (fd >= 0 && !fstat(fd, &opened) && !stat(path, &named) &&
		    opened.st_ino == named.st_ino)
			return fd;
		if (fd >= 0)
			close(fd);
	}
}

enum el_status copies_keep(struct copies *c, const char *parent, struct el_error *error)
{
	enum el_status status = EL_OK;
	char *path = NULL;
	pthread_mutex_lock(&c->lock);
	if (!c->kept && asprintf(&path, "%s/.endlab-copies", parent) < 0)
		status = el_fail(error, EL_MEMORY, "%s: out of memory", parent);
	if (!c->kept && !status) {
		c->kept_fd = open_kept(path);
		c->kept = c->kept_fd < 0 ? NULL : path;
		if (!c->kept) {
			status =
				el_fail(error, EL_IO, "%s: cannot make a folder there: %m", parent);
			free(path);
		}
	}
	pthread_mutex_unlock(&c->lock);
	return status;
}

void copies_finish(struct copies *c)
{
	pthread_mutex_lock(&c->lock);
	if (is_alone(c))
		el_folder_remove(c->kept);
	pthread_mutex_unlock(&c->lock);
}

const char *copies_folder(struct copies *c)
{
	pthread_mutex_lock(&c->lock);
	const char *path = c->kept ? c->kept : c->folder.path;
	/* A build on another machine, whose locks may not reach here, may have finished and removed it. */
	if (c->kept)
		mkdir(c->kept, 0777);
	pthread_mutex_unlock(&c->lock);
	return path;
}
