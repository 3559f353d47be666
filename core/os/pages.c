/* SPDX-License-Identifier: MIT */
#include "pages.h"

#include "core/base/array.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- one file ---- */

static void close_one(struct pages *p)
{
	if (p->map)
		munmap(p->map, p->size);
	if (p->fd >= 0)
		close(p->fd);
	free(p->resident);
}

/* Maps an open file; pages_close closes it. */
static enum el_status watch_one(int fd, const char *name, struct pages *out, struct el_error *error)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct stat st;
	*out = (struct pages){.fd = fd};
	if (fd < 0 || fstat(fd, &st))
		return el_fail(error, EL_IO, "%s: cannot open: %m", name);
	out->size = (size_t)st.st_size;
	out->count = (out->size + page - 1) / page;
	out->resident = malloc(out->count + 1);
	if (!out->resident)
		return el_fail(error, EL_MEMORY, "%s: out of memory", name);
	if (!out->size)
		return EL_OK;
	void *map = mmap(NULL, out->size, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return el_fail(error, EL_IO, "%s: cannot map: %m", name);
	out->map = map;
	return EL_OK;
}

/* How many pages are in memory; all of them if the system does not say. */
static size_t count_resident(struct pages *p)
{
	size_t count = 0;
	if (p->map && mincore(p->map, p->size, p->resident))
		return p->count;
	for (size_t i = 0; p->map && i < p->count; i++)
		count += p->resident[i] & 1;
	return count;
}

static bool drop_one(struct pages *p)
{
	enum { ATTEMPTS = 3 }; /* a page stays while the system is reading it ahead */
	bool gone = false;
	for (int i = 0; i < ATTEMPTS && !gone; i++)
		gone = !posix_fadvise(p->fd, 0, 0, POSIX_FADV_DONTNEED) && !count_resident(p);
	return gone;
}

/* ---- a folder's ---- */

enum el_status pages_open(const char *folder, struct page_set *out, struct el_error *error)
{
	*out = (struct page_set){0};
	DIR *dir = opendir(folder);
	if (!dir)
		return el_fail(error, EL_IO, "%s: cannot read: %m", folder);
	enum el_status status = EL_OK;
	for (const struct dirent *e; !status && (e = readdir(dir));) {
		const char *name = e->d_name;
		if (name[0] == '.')
			continue;
		if (array_grow(&out->file, out->count, 1, sizeof *out->file))
			status = watch_one(openat(dirfd(dir), name, O_RDONLY | O_CLOEXEC), name,
			                   &out->file[out->count++], error);
		else
			status = el_fail(error, EL_MEMORY, "%s: out of memory", name);
	}
	closedir(dir);
	return status;
}

void pages_close(struct page_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		close_one(&set->file[i]);
	free(set->file);
	*set = (struct page_set){0};
}

bool pages_drop(struct page_set *set)
{
	bool gone = true;
	for (size_t i = 0; i < set->count && gone; i++)
		gone = drop_one(&set->file[i]);
	return gone;
}

void pages_load(struct page_set *set)
{
	char buffer[1 << 16];
	for (size_t i = 0; i < set->count; i++) {
		off_t at = 0;
		for (ssize_t n; (n = pread(set->file[i].fd, buffer, sizeof buffer, at)) > 0;)
			at += n;
	}
}

/* ---- the trial ---- */

const char *pages_trial(const char *folder)
{
	static const char failed[] = "a file to try the page cache with could not be written";
	char path[4096], bytes[1 << 16] = {1};
	struct pages p = {.fd = -1};
	const int length = snprintf(path, sizeof path, "%s/trial", folder);
	const int fd = length < (int)sizeof path ? open(path, O_RDWR | O_CREAT | O_EXCL, 0600) : -1;
	if (fd < 0)
		return failed;
	bool written = write(fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes && !fsync(fd);
	const char *note = failed;
	if (written && !watch_one(fd, path, &p, NULL))
		note = !count_resident(&p)
		               ? "this system does not tell whether a file is in the page cache"
		       : !drop_one(&p) ? "this system does not drop the page cache"
		                       : NULL;
	else if (p.fd < 0)
		close(fd);
	close_one(&p);
	unlink(path);
	return note;
}
