/* SPDX-License-Identifier: MIT */
#include "temporary.h"

#include "files.h"
#include "lock.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	LIVE_MAX = 32,     /* any more at a time are left to the sweep after a signal */
	NAME_TRIES = 1000, /* tries, since a process with our number may have left files behind */
	LOCK_SECONDS = 60, /* ample time for the maker of a file to lock it */
};

static const char mark[] = ".endlab-tmp-";

/* The files this process is making: a signal handler has no other way to know. Paths are stored in
   place, so that a handler never reads freed memory. */
static struct {
	_Atomic bool used;
	char path[PATH_MAX];
} live[LIVE_MAX];

/* ---- removing ---- */

static void remove_at(int parent, const char *name)
{
	if (!unlinkat(parent, name, 0) || errno == ENOENT)
		return;
	const int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return;
	/* a signal handler may use nothing but system calls */
	_Alignas(struct dirent64) char entries[4096];
	for (ssize_t got; (got = getdents64(fd, (void *)entries, sizeof entries)) > 0;)
		for (ssize_t at = 0; at < got;) {
			const struct dirent64 *e = (const struct dirent64 *)(entries + at);
			unlinkat(fd, e->d_name, 0); /* fails for "." and ".." */
			at += e->d_reclen;
		}
	close(fd);
	unlinkat(parent, name, AT_REMOVEDIR);
}

void el_temporaries_remove(void)
{
	for (unsigned i = 0; i < LIVE_MAX; i++)
		if (atomic_load(&live[i].used) && live[i].path[0])
			remove_at(AT_FDCWD, live[i].path);
}

/* ---- sweeping ---- */

/* The process number in a temporary name; 0 for any other name. */
static long pid_of(const char *name)
{
	char *end;
	if (strncmp(name, mark, sizeof mark - 1) || !isdigit((unsigned char)name[sizeof mark - 1]))
		return 0;
	errno = 0;
	const long pid = strtol(name + sizeof mark - 1, &end, 10);
	if (errno || *end != '-' || !isdigit((unsigned char)end[1]) ||
	    end[1 + strspn(end + 1, "0123456789")])
		return 0;
	return pid;
}

bool el_temporary_named(const char *name)
{
	return pid_of(name) > 0;
}

void el_temporaries_sweep(const char *folder)
{
	DIR *dir = opendir(folder);
	if (!dir)
		return;
	for (const struct dirent *e; (e = readdir(dir));) {
		struct stat is;
		const long pid = pid_of(e->d_name);
		if (lock_named(e->d_name))
			lock_sweep(folder, e->d_name);
		if (pid <= 0 || fstatat(dirfd(dir), e->d_name, &is, AT_SYMLINK_NOFOLLOW) ||
		    !(S_ISREG(is.st_mode) || S_ISDIR(is.st_mode)))
			continue;
		const int fd = openat(dirfd(dir), e->d_name,
		                      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		/* Nobody holds the lock on an abandoned file. But its maker does not hold it either,
		   between making and locking it. So the process must be gone too, or the file old:
		   another process may have got its number. */
		const bool is_gone = pid != (pid_t)pid || (kill((pid_t)pid, 0) && errno == ESRCH);
		if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB) &&
		    (is_gone || (!fstat(fd, &is) && is.st_ctim.tv_sec + LOCK_SECONDS < time(NULL))))
			remove_at(dirfd(dir), e->d_name);
		if (fd >= 0)
			close(fd);
	}
	closedir(dir);
}

/* ---- making ---- */

/* `what`: the file to make, or where, for errors. One at a time: a sweep locks each file it checks,
   so another thread could not lock the file it has just made. */
static enum el_status make(const char *folder, bool is_folder, const char *what,
                           struct el_temporary *out, struct el_error *error)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	/* never reuse a name: whoever has renamed a file may still remove its old name */
	static unsigned number;
	enum el_status status = EL_OK;
	*out = (struct el_temporary){.fd = -1};
	pthread_mutex_lock(&lock);
	el_temporaries_sweep(folder);
	errno = EEXIST;
	for (int n = 0; n < NAME_TRIES && out->fd < 0 && errno == EEXIST; n++) {
		free(out->path);
		if (asprintf(&out->path, "%s/%s%ld-%u", folder, mark, (long)getpid(), number++) <
		    0) {
			out->path = NULL;
			status = el_fail(error, EL_MEMORY, "%s: out of memory", what);
			break;
		}
		if (!is_folder)
			out->fd = open(out->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		else if (!mkdir(out->path, 0700))
			out->fd = open(out->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	if (!status && out->fd < 0)
		status = el_fail(error, EL_IO,
		                 is_folder ? "%s: cannot make a folder there: %m"
		                           : "%s: cannot create: %m",
		                 what);
	for (out->slot = 0; out->slot < LIVE_MAX && !status; out->slot++) {
		bool unused = false;
		if (strlen(out->path) >= PATH_MAX ||
		    !atomic_compare_exchange_strong(&live[out->slot].used, &unused, true))
			continue;
		strcpy(live[out->slot].path, out->path);
		break;
	}
	if (status) {
		free(out->path);
		out->path = NULL;
	} else {
		flock(out->fd,
		      LOCK_EX | LOCK_NB); /* some file systems cannot: nothing is swept there */
	}
	pthread_mutex_unlock(&lock);
	return status;
}

enum el_status el_temporary_file(const char *target, struct el_temporary *out,
                                 struct el_error *error)
{
	struct stat is;
	*out = (struct el_temporary){.fd = -1};
	/* A rename puts a file in the place of a device, so that nobody on the machine has it any
	   more, and fails for a folder, but only when the work is done. */
	if (!stat(target, &is) && !S_ISREG(is.st_mode))
		return file_not_regular(target, is.st_mode, error);
	char *copy = strdup(target);
	if (!copy)
		return el_fail(error, EL_MEMORY, "%s: out of memory", target);
	enum el_status status = make(dirname(copy), false, target, out, error);
	free(copy);
	return status;
}

int el_temporary_unnamed(const char *folder)
{
	struct el_temporary file;
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0 || make(folder, false, folder, &file, NULL))
		return fd; /* not every file system has files without a name */
	fd = fcntl(file.fd, F_DUPFD_CLOEXEC, 0);
	el_temporary_remove(&file);
	return fd;
}

enum el_status el_temporary_folder(const char *parent, struct el_temporary *out,
                                   struct el_error *error)
{
	return make(parent, true, parent, out, error);
}

const char *el_temporary_parent(void)
{
	const char *parent = getenv("TMPDIR");
	return parent && *parent ? parent : P_tmpdir;
}

/* ---- the end ---- */

static void let_go(struct el_temporary *t)
{
	if (t->slot < LIVE_MAX) {
		live[t->slot].path[0] = '\0';
		atomic_store(&live[t->slot].used, false);
	}
	close(t->fd);
	free(t->path);
	*t = (struct el_temporary){.fd = -1};
}

void el_temporary_remove(struct el_temporary *t)
{
	if (!t->path)
		return;
	remove_at(AT_FDCWD, t->path);
	let_go(t);
}

enum el_status el_temporary_rename(struct el_temporary *t, const char *target,
                                   struct el_error *error)
{
	if (rename(t->path, target)) {
		const enum el_status status =
			el_fail(error, EL_IO, "%s: cannot put the new file in place: %m", target);
		el_temporary_remove(t);
		return status;
	}
	let_go(t);
	return EL_OK;
}

enum el_status el_temporary_publish(struct el_temporary *t, const char *target,
                                    struct el_error *error)
{
	if (fsync(t->fd)) {
		const enum el_status status = el_fail(error, EL_IO, "%s: cannot sync: %m", target);
		el_temporary_remove(t);
		return status;
	}
	const enum el_status status = el_temporary_rename(t, target, error);
	return status ? status : file_sync_folder(target, error);
}
