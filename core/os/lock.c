/* SPDX-License-Identifier: MIT */
#include "lock.h"

#include "core/base/clock.h"
#include "files.h"
#include "system.h"
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { BEAT_MS = 20000, BOOT_MAX = 64, HOST_MAX = 64 };

static const char mark[] = ".endlab-claim-";

struct lock {
	char *path; /* owned */
	int fd;     /* locked */
	pthread_t heart;
	pthread_mutex_t mutex;
	pthread_cond_t over;
	bool beats, ends;
};

void lock_path(const char *table, char *out, size_t size)
{
	const char *name = basename(table), *dot = strrchr(name, '.');
	snprintf(out, size, "%.*s%s%.*s", (int)(name - table), table, mark,
	         dot ? (int)(dot - name) : (int)strlen(name), name);
}

bool lock_named(const char *name)
{
	return !strncmp(name, mark, sizeof mark - 1);
}

/* ---- what a lock says ---- */

/* The boot id of this machine; empty if unknown. */
static void read_boot(char out[BOOT_MAX])
{
	const int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	const ssize_t length = fd < 0 ? 0 : read(fd, out, BOOT_MAX - 1);
	out[length > 0 ? length : 0] = '\0';
	out[strcspn(out, "\n")] = '\0';
	if (fd >= 0)
		close(fd);
}

/* Reads who holds it; true if that is, or was, a process of this machine. The file's content is
   untrusted. */
static bool read_words(int fd, char who[LOCK_WHO_MAX])
{
	char text[256], boot[BOOT_MAX];
	const ssize_t length = pread(fd, text, sizeof text - 1, 0);
	text[length > 0 ? length : 0] = '\0';
	char *rest = text;
	const char *host = strsep(&rest, "\n"), *process = strsep(&rest, "\n");
	const char *its = strsep(&rest, "\n");
	read_boot(boot);
	snprintf(who, LOCK_WHO_MAX, "another build");
	if (!its || !*host || !*process || process[strspn(process, "0123456789")])
		return false;
	for (const char *c = host; *c; c++)
		if (*c <= ' ' || *c > '~')
			return false;
	snprintf(who, LOCK_WHO_MAX, "%.64s, process %.20s", host, process);
	return *boot && !strcmp(its, boot);
}

/* ---- the holder's sign of life ---- */

static void *beat(void *context)
{
	struct lock *c = context;
	pthread_mutex_lock(&c->mutex);
	while (!c->ends) {
		if (!wait_ms(&c->over, &c->mutex, BEAT_MS))
			futimens(c->fd, NULL);
	}
	pthread_mutex_unlock(&c->mutex);
	return NULL;
}

/* ---- taking one ---- */

static bool is_there(const char *path, const struct stat *as)
{
	struct stat is;
	return !lstat(path, &is) && is.st_dev == as->st_dev && is.st_ino == as->st_ino;
}

/* Makes the file the lock. A file system without links is not shared with other machines either. */
static int put(const char *file, const char *path)
{
	struct stat is;
	if (!link(file, path))
		return 0;
	if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS)
		return -1;
	if (!lstat(path, &is)) {
		errno = EEXIST;
		return -1;
	}
	return rename(file, path);
}

/* Holds the lock with a descriptor that stays open when the temporary file's is closed. */
static enum el_status hold(const char *path, int fd, struct lock **out, struct el_error *error)
{
	struct lock *c = calloc(1, sizeof *c);
	char *copy = strdup(path);
	const int own = fcntl(fd, F_DUPFD_CLOEXEC, 0); /* with the same flock */
	if (!c || !copy || own < 0) {
		const int reason = errno;
		unlink(path);
		free(c);
		free(copy);
		if (own >= 0)
			close(own);
		return el_fail(error, EL_IO, "%s: cannot hold the claim: %s", path,
		               strerror(reason));
	}
	*c = (struct lock){.path = copy, .fd = own};
	/* The new thread blocks all signals: the existing threads handle them. */
	sigset_t all, before;
	pthread_mutex_init(&c->mutex, NULL);
	wait_init(&c->over);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	c->beats = !pthread_create(&c->heart, NULL, beat, c);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	*out = c;
	return EL_OK;
}

/* Does the holder seem to be alive? If not, locks the file. */
static bool is_alive(int fd, const struct stat *is, double patience, struct lock_sight *sight)
{
	const double now = clock_seconds();
	const bool is_own_machine = read_words(fd, sight->who);
	const bool is_new = sight->device != is->st_dev || sight->inode != is->st_ino ||
	                    sight->beat.tv_sec != is->st_mtim.tv_sec ||
	                    sight->beat.tv_nsec != is->st_mtim.tv_nsec;
	if (is_new) {
		sight->device = is->st_dev;
		sight->inode = is->st_ino;
		sight->beat = is->st_mtim;
		sight->since = now;
	}
	const bool flocked = !flock(fd, LOCK_EX | LOCK_NB);
	if (!flocked && errno == EWOULDBLOCK)
		return true;
	return !(flocked && is_own_machine) && now - sight->since < patience;
}

/* Replaces somebody else's lock. EL_NEGATIVE: its holder is alive. EL_OK: our file has replaced it,
   or, with *again set, it is gone. */
static enum el_status replace(const char *path, const char *file, double patience,
                              struct lock_sight *sight, bool *again, struct el_error *error)
{
	struct stat is;
	struct el_error why;
	enum el_status status = EL_OK;
	const int fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	*again = fd < 0 && errno == ENOENT;
	if (*again)
		return EL_OK;
	if (fd < 0 && errno == ELOOP)
		return el_fail(
			error, EL_IO,
			"%s: found a symbolic link, expected the claim of a build; remove it",
			path);
	if (fd < 0 || fstat(fd, &is))
		status = el_fail(error, EL_IO, "%s: cannot look at the claim of another build: %m",
		                 path);
	else if (!S_ISREG(is.st_mode))
		status = el_fail(error, file_not_regular(path, is.st_mode, &why), "%s", why.text);
	else if (is_alive(fd, &is, patience, sight))
		status = EL_NEGATIVE;
	else if (!is_there(path, &is))
		*again = true; /* somebody was faster */
	else if (rename(file, path))
		status = el_fail(error, EL_IO, "%s: cannot take over the claim: %m", path);
	else
		sight->stale = true;
	if (fd >= 0)
		close(fd);
	return status;
}

enum el_status lock_take(const char *path, double patience, struct lock_sight *sight,
                         struct lock **out, struct el_error *error)
{
	struct el_temporary file;
	*out = NULL;
	sight->stale = false;
	/* first a quick check that writes nothing, because waiting builds ask often */
	struct stat is;
	const int fd = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	const bool held = fd >= 0 && !fstat(fd, &is) && S_ISREG(is.st_mode) &&
	                  is_alive(fd, &is, patience, sight);
	if (fd >= 0)
		close(fd);
	if (held)
		return EL_NEGATIVE;
	enum el_status status = el_temporary_file(path, &file, error);
	if (status)
		return status;
	char host[HOST_MAX] = "", boot[BOOT_MAX], text[256];
	gethostname(host, sizeof host - 1);
	read_boot(boot);
	const int length = snprintf(text, sizeof text, "%s\n%ld\n%s\n",
	                            *host ? host : "this machine", (long)getpid(), boot);
	if (write(file.fd, text, (size_t)length) != length)
		status = el_fail(error, EL_IO, "%s: cannot write: %m", path);
	bool again = !status;
	while (again && !status && put(file.path, path)) {
		if (errno == EEXIST)
			status = replace(path, file.path, patience, sight, &again, error);
		else
			status = el_fail(error, EL_IO, "%s: cannot create: %m", path);
	}
	if (!status)
		status = hold(path, file.fd, out, error);
	el_temporary_remove(&file);
	return status;
}

void lock_sweep(const char *folder, const char *name)
{
	char path[PATH_MAX + NAME_MAX], table[PATH_MAX + NAME_MAX];
	struct lock_sight sight = {.since = 0};
	struct stat is;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	snprintf(table, sizeof table, "%s/%s.egt", folder, name + sizeof mark - 1);
	const int fd =
		access(table, F_OK) ? -1 : open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	if (!fstat(fd, &is) && S_ISREG(is.st_mode) &&
	    !is_alive(fd, &is, LOCK_STALE_SECONDS, &sight) && is_there(path, &is))
		unlink(path);
	close(fd);
}

void lock_release(struct lock *c)
{
	struct stat is;
	if (!c)
		return;
	pthread_mutex_lock(&c->mutex);
	c->ends = true;
	pthread_cond_signal(&c->over);
	pthread_mutex_unlock(&c->mutex);
	if (c->beats)
		pthread_join(c->heart, NULL);
	pthread_cond_destroy(&c->over);
	pthread_mutex_destroy(&c->mutex);
	if (!fstat(c->fd, &is) && is_there(c->path, &is))
		unlink(c->path);
	close(c->fd);
	free(c->path);
	free(c);
}
