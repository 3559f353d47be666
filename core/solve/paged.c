/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paged.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

enum {
	ALIGNMENT = 64,
	FILE_BLOCK = 4096, /* places are multiples of what a file system gives at a time */
	LEVEL = 1,         /* of zstd: sets are read and written on every pass */
};

struct scratch {
	const char *folder;
	uint64_t budget;
	int fd; /* -1: none yet */
	pthread_mutex_t lock;
	pthread_cond_t arrived; /* some page is no longer busy */
	uint64_t end;           /* of the places that have been given out */
	uint64_t memory;        /* bytes of pages in memory */
	uint64_t random;
	struct page **resident; /* pages in memory, in no order; owned */
	size_t resident_count, resident_room;
	size_t *size_of;        /* beside: of each */
	struct el_error error;
	enum el_status failed;
};

/* ---- the scratch ---- */

enum el_status scratch_open(const char *folder, uint64_t budget, struct scratch **out,
                            struct el_error *error)
{
	struct scratch *s = calloc(1, sizeof *s);
	char *copy = s ? strdup(folder ? folder : "") : NULL;
	if (!copy) {
		free(s);
		return el_fail(error, EL_MEMORY, "out of memory");
	}
	s->folder = copy;
	s->budget = budget;
	s->fd = -1;
	s->random = 1;
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->arrived, NULL);
	*out = s;
	return EL_OK;
}

void scratch_close(struct scratch *s)
{
	if (!s)
		return;
	if (s->fd >= 0)
		close(s->fd);
	pthread_mutex_destroy(&s->lock);
	pthread_cond_destroy(&s->arrived);
	free((char *)(uintptr_t)s->folder);
	free(s->resident);
	free(s->size_of);
	free(s);
}

enum el_status scratch_check(struct scratch *s, struct el_error *error)
{
	pthread_mutex_lock(&s->lock);
	const enum el_status status = s->failed;
	if (status)
		el_fail(error, status, "%s", s->error.text);
	pthread_mutex_unlock(&s->lock);
	return status;
}

/* With the lock held, as all that follow but where they say so. The first failure counts. */
static void fail(struct scratch *s, enum el_status status, const char *what)
{
	if (s->failed)
		return;
	s->failed = status;
	el_fail(&s->error, status, "%s", what);
}

static void fail_io(struct scratch *s, const char *what)
{
	if (s->failed)
		return;
	s->failed = EL_IO;
	el_fail(&s->error, EL_IO, "%s: cannot %s the scratch file: %m", s->folder, what);
}

int scratch_file(const char *folder)
{
	char path[PATH_MAX];
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0 || snprintf(path, sizeof path, "%s/.endlab-tmp-XXXXXX", folder) >=
	                       (int)sizeof path)
		return fd;
	fd = mkostemp(path, O_CLOEXEC); /* not every file system has files without a name */
	if (fd >= 0)
		unlink(path);
	return fd;
}

static bool make_file(struct scratch *s)
{
	if (s->fd < 0 && (s->fd = scratch_file(s->folder)) < 0)
		fail_io(s, "make");
	return s->fd >= 0;
}

/* What so many bytes take in the file. */
static uint64_t slot(uint64_t size)
{
	return (size + FILE_BLOCK - 1) / FILE_BLOCK * FILE_BLOCK;
}

/* ---- pages in memory ---- */

static bool note_resident(struct scratch *s, struct page *p, size_t size)
{
	if (s->resident_count == s->resident_room) {
		const size_t room = 2 * s->resident_room + 64;
		struct page **more = realloc(s->resident, room * sizeof *more);
		s->resident = more ? more : s->resident;
		size_t *sizes = more ? realloc(s->size_of, room * sizeof *sizes) : NULL;
		if (!sizes)
			return false;
		s->size_of = sizes;
		s->resident_room = room;
	}
	p->resident = s->resident_count;
	s->size_of[s->resident_count] = size;
	s->resident[s->resident_count++] = p;
	s->memory += size;
	return true;
}

static void forget_resident(struct scratch *s, struct page *p)
{
	const size_t at = p->resident, last = --s->resident_count;
	s->memory -= s->size_of[at];
	s->resident[at] = s->resident[last];
	s->size_of[at] = s->size_of[last];
	s->resident[at]->resident = at;
}

/* Any page that nobody uses; null: all are in use. Passes go through all pages in turn, so the one that
   was used last is as good a guess as any other, and of those that chance takes many stay until they
   are needed again, where "the least recently used" would keep none. */
static struct page *any_idle(struct scratch *s)
{
	for (size_t tries = 0; tries < 2 * s->resident_count; tries++) {
		s->random = s->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		struct page *p = s->resident[(s->random >> 33) % s->resident_count];
		if (!p->users && !p->busy)
			return p;
	}
	for (size_t i = 0; i < s->resident_count; i++)
		if (!s->resident[i]->users && !s->resident[i]->busy)
			return s->resident[i];
	return NULL;
}

bool scratch_transfer(int fd, void *bytes, size_t size, uint64_t at, bool out)
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

/* Writes a page; without the lock, as read_in. Its size in the file, or 0. */
static size_t write_out(const struct scratch *s, const struct page *p, size_t size, const char **failed)
{
	const size_t room = ZSTD_compressBound(size);
	uint8_t *packed = malloc(room);
	*failed = packed ? "write to" : NULL;
	size_t stored = 0;
	if (packed) {
		const size_t got = ZSTD_compress(packed, room, p->bytes, size, LEVEL);
		if (!ZSTD_isError(got) && scratch_transfer(s->fd, packed, got, p->place, true))
			stored = got;
	}
	const int kept = errno;
	free(packed);
	errno = kept;
	return stored;
}

static bool read_in(const struct scratch *s, const struct page *p, void *bytes, size_t size,
                    const char **failed)
{
	uint8_t *packed = malloc(p->stored);
	*failed = packed ? "read" : NULL;
	bool good = packed && scratch_transfer(s->fd, packed, p->stored, p->place, false);
	if (good && ZSTD_decompress(bytes, size, packed, p->stored) != size) {
		errno = EIO;
		good = false;
	}
	const int kept = errno;
	free(packed);
	errno = kept;
	return good;
}

static void fail_transfer(struct scratch *s, const char *failed)
{
	if (failed)
		fail_io(s, failed);
	else
		fail(s, EL_MEMORY, "out of memory for the scratch file");
}

/* Takes a page out of memory; it is idle. */
static bool evict(struct scratch *s, struct page *p)
{
	const size_t size = s->size_of[p->resident];
	if (p->dirty) {
		if (!make_file(s))
			return false;
		const char *failed;
		p->busy = true;
		pthread_mutex_unlock(&s->lock);
		const size_t stored = write_out(s, p, size, &failed);
		pthread_mutex_lock(&s->lock);
		p->busy = false;
		pthread_cond_broadcast(&s->arrived);
		if (!stored) {
			fail_transfer(s, failed);
			return false;
		}
		p->stored = (uint32_t)stored;
		p->dirty = false;
		if (p->users) /* somebody came for it meanwhile */
			return true;
	}
	forget_resident(s, p);
	free(p->bytes);
	p->bytes = NULL;
	return true;
}

/* Room for so many bytes within the budget, as far as idle pages give it. */
static bool make_room(struct scratch *s, size_t size)
{
	while (s->memory + size > s->budget && s->resident_count) {
		struct page *idle = any_idle(s);
		if (!idle)
			return true;
		if (!evict(s, idle))
			return false;
	}
	return true;
}

static void *page_memory(size_t size)
{
	return aligned_alloc(ALIGNMENT, (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

/* Memory for a page that has none, within the budget. The page is busy. */
static bool bring(struct paged *a, struct page *p)
{
	struct scratch *s = a->scratch;
	if (s->failed || !make_room(s, a->size))
		return false;
	p->bytes = page_memory(a->size);
	if (!p->bytes || !note_resident(s, p, a->size)) {
		free(p->bytes);
		p->bytes = NULL;
		fail(s, EL_MEMORY, "out of memory for a page");
		return false;
	}
	return true;
}

static void wait_for(struct scratch *s, const struct page *p)
{
	while (p->busy)
		pthread_cond_wait(&s->arrived, &s->lock);
}

static void arrive(struct scratch *s, struct page *p)
{
	p->busy = false;
	pthread_cond_broadcast(&s->arrived);
}

/* Fills a page that is busy; without the lock. */
static bool fill_page(struct paged *a, size_t number)
{
	struct scratch *s = a->scratch;
	struct page *p = &a->page[number];
	struct el_error error;
	const char *failed = NULL;
	enum el_status status = EL_OK;
	bool good = true;
	pthread_mutex_unlock(&s->lock);
	if (a->load)
		status = a->load(a->context, number, p->bytes, &error);
	else
		good = read_in(s, p, p->bytes, a->size, &failed);
	pthread_mutex_lock(&s->lock);
	if (status)
		fail(s, status, error.text);
	else if (!good)
		fail_transfer(s, failed);
	return good && !status;
}

void *page_fetch(struct paged *a, size_t number)
{
	struct scratch *s = a->scratch;
	struct page *p = &a->page[number];
	pthread_mutex_lock(&s->lock);
	/* What is being written out stays readable, and then stays in memory. */
	while (p->busy && !(p->bytes && p->dirty))
		pthread_cond_wait(&s->arrived, &s->lock);
	if (!p->bytes) {
		p->busy = true;
		if (bring(a, p) && !fill_page(a, number)) {
			forget_resident(s, p);
			free(p->bytes);
			p->bytes = NULL;
		}
		arrive(s, p);
	}
	void *bytes = p->bytes;
	p->users += bytes != NULL;
	pthread_mutex_unlock(&s->lock);
	return bytes;
}

void page_give_back(struct paged *a, size_t number)
{
	pthread_mutex_lock(&a->scratch->lock);
	a->page[number].users--;
	pthread_mutex_unlock(&a->scratch->lock);
}

/* Of a limited array: in memory, in use and about to be written anew. */
static void *take(struct paged *a, size_t number)
{
	struct scratch *s = a->scratch;
	struct page *p = &a->page[number];
	pthread_mutex_lock(&s->lock);
	wait_for(s, p);
	if (!p->bytes) {
		p->busy = true;
		bring(a, p);
		arrive(s, p);
	}
	if (p->bytes) {
		p->users++;
		p->dirty = p->filled = true;
	}
	void *bytes = p->bytes;
	pthread_mutex_unlock(&s->lock);
	return bytes;
}

void scratch_refuse(struct scratch *s)
{
	pthread_mutex_lock(&s->lock);
	fail(s, EL_MEMORY, "out of memory for a page");
	pthread_mutex_unlock(&s->lock);
}

void *page_new(struct paged *a, size_t number)
{
	struct page *p = &a->page[number];
	if (a->limited)
		return take(a, number);
	if (!p->bytes)
		p->bytes = page_memory(a->size);
	p->filled = p->bytes != NULL;
	if (!p->bytes)
		scratch_refuse(a->scratch);
	return p->bytes;
}

void *page_write(struct paged *a, size_t number)
{
	struct page *p = &a->page[number];
	const bool filled = p->filled;
	if (!filled) {
		void *bytes = page_new(a, number);
		if (bytes)
			memset(bytes, 0, a->size);
		return bytes;
	}
	if (!a->limited)
		return p->bytes;
	void *bytes = page_fetch(a, number);
	if (bytes) { /* it may be on its way out still: what is written then is not what is changed */
		pthread_mutex_lock(&a->scratch->lock);
		wait_for(a->scratch, p);
		p->dirty = true;
		pthread_mutex_unlock(&a->scratch->lock);
	}
	return bytes;
}

void page_drop(struct paged *a, size_t number)
{
	struct page *p = &a->page[number];
	if (!p->filled)
		return;
	if (!a->limited) {
		free(p->bytes);
		*p = (struct page){0};
		return;
	}
	pthread_mutex_lock(&a->scratch->lock);
	wait_for(a->scratch, p);
	if (p->bytes)
		forget_resident(a->scratch, p);
	free(p->bytes);
	if (p->stored) /* what is gone takes no room on the disk, where the file system can give it back */
		fallocate(a->scratch->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		          (off_t)p->place, (off_t)slot(p->stored));
	*p = (struct page){.place = p->place};
	pthread_mutex_unlock(&a->scratch->lock);
}

void page_move(struct paged *from, struct paged *to, size_t number)
{
	struct page *a = &from->page[number], *b = &to->page[number];
	page_drop(to, number);
	if (!from->limited) {
		*b = *a;
		*a = (struct page){0};
		return;
	}
	struct scratch *s = from->scratch;
	pthread_mutex_lock(&s->lock);
	wait_for(s, a);
	const uint64_t place = b->place;
	*b = *a;
	*a = (struct page){.place = place};
	if (b->bytes)
		s->resident[b->resident] = b;
	pthread_mutex_unlock(&s->lock);
}

/* ---- arrays ---- */

enum el_status paged_open(struct paged *a, struct scratch *s, size_t count, size_t size)
{
	*a = (struct paged){.scratch = s, .count = count, .size = size};
	a->page = calloc(count, sizeof *a->page);
	if (!a->page)
		return EL_MEMORY;
	a->limited = s->budget != SCRATCH_UNLIMITED;
	if (!a->limited)
		return EL_OK;
	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < count; i++, s->end += slot(ZSTD_compressBound(size)))
		a->page[i].place = s->end;
	pthread_mutex_unlock(&s->lock);
	return EL_OK;
}

enum el_status paged_open_from(struct paged *a, struct scratch *s, size_t count, size_t size,
                               enum el_status (*load)(void *, size_t, void *, struct el_error *),
                               void *context)
{
	if (paged_open(a, s, count, size))
		return EL_MEMORY;
	a->limited = true;
	a->load = load;
	a->context = context;
	for (size_t i = 0; i < count; i++)
		a->page[i].filled = true;
	return EL_OK;
}

void paged_close(struct paged *a)
{
	for (size_t i = 0; a->page && i < a->count; i++)
		page_drop(a, i);
	free(a->page);
	a->page = NULL;
}
