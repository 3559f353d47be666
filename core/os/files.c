/* SPDX-License-Identifier: MIT */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
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

/* ---- descriptors that stay open between reads ---- */

enum {
	KEPT_MAX = 64,
	SHARE = 4, /* use at most one in SHARE of the descriptors the process may open */
};

struct descriptor {
	const struct input *owner; /* null: the place is empty */
	int fd;
	unsigned users;
	uint64_t used; /* when it was last taken */
};

/* One pool per process, like the limit on open files. */
static struct {
	pthread_mutex_t lock; /* over all members */
	struct descriptor kept[KEPT_MAX];
	uint64_t now; /* counts how often any was taken */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct descriptor *use(struct descriptor *d)
{
	d->users++;
	d->used = ++pool.now;
	return d;
}

/* Keeps a file that was opened, in use. Null if all places are in use. */
static struct descriptor *keep(const struct input *owner, int fd)
{
	struct rlimit limit;
	size_t most = KEPT_MAX; /* fewer under a low limit: others need some too */
	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur / SHARE < KEPT_MAX)
		most = limit.rlim_cur / SHARE;
	pthread_mutex_lock(&pool.lock);
	/* an empty place, or the least recently used one */
	struct descriptor *best = NULL;
	for (struct descriptor *d = pool.kept; d < pool.kept + most && !(best && !best->owner); d++)
		if (!d->owner || (!d->users && (!best || d->used < best->used)))
			best = d;
	const int before = best && best->owner ? best->fd : -1;
	if (best) {
		*best = (struct descriptor){.owner = owner, .fd = fd};
		use(best);
	}
	pthread_mutex_unlock(&pool.lock);
	if (before >= 0)
		close(before);
	return best;
}

void descriptors_close(const struct input *owner)
{
	pthread_mutex_lock(&pool.lock);
	for (struct descriptor *d = pool.kept; d < pool.kept + KEPT_MAX; d++) {
		const bool meant = owner ? d->owner == owner : d->owner && !d->users;
		if (!meant)
			continue;
		close(d->fd);
		*d = (struct descriptor){0};
	}
	pthread_mutex_unlock(&pool.lock);
}

/* ---- reading ---- */

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
	struct descriptor *kept = NULL;
	enum el_status status = EL_OK;
	pthread_mutex_lock(&pool.lock);
	for (struct descriptor *d = pool.kept; d < pool.kept + KEPT_MAX && !kept; d++)
		if (d->owner == input)
			kept = use(d);
	pthread_mutex_unlock(&pool.lock);
	int fd = kept ? kept->fd : -1;
	if (!kept) { /* reopen it, if it is still the same */
		struct stat now;
		fd = open_input(input->path);
		if (fd < 0 || fstat(fd, &now))
			status = el_fail(error, EL_IO, "%s: cannot open: %m", input->path);
		else if (!file_is_same(&input->is, &now))
			status = el_fail(error, EL_IO, "%s: changed since it was opened",
			                 input->path);
		kept = status ? NULL : keep(input, fd);
	}
	if (!status)
		status = read_all(fd, input, what, out, size, offset, error);
	pthread_mutex_lock(&pool.lock);
	if (kept)
		kept->users--;
	pthread_mutex_unlock(&pool.lock);
	if (!kept && fd >= 0)
		close(fd);
	return status;
}

bool file_transfer(int fd, void *bytes, size_t size, uint64_t at, bool out)
{
	for (size_t done = 0; done < size;) {
		uint8_t *next = (uint8_t *)bytes + done;
		const ssize_t n = out ? pwrite(fd, next, size - done, (off_t)(at + done))
		                      : pread(fd, next, size - done, (off_t)(at + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			errno = n ? errno : EIO;
			return false;
		}
		done += (size_t)n;
	}
	return true;
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

uint64_t disk_free(const char *folder)
{
	struct statvfs disk;
	return statvfs(folder, &disk) ? UINT64_MAX : (uint64_t)disk.f_bavail * disk.f_frsize;
}

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
